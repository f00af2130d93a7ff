/* SPDX-License-Identifier: MIT */
/* The JSON writer; see json.h. */
#include "cli/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hzc_json hzc_json_to(hzc_out *out) {
    return (hzc_json){.out = out};
}

/* ---- text ---- */

/* Length of the valid UTF-8 sequence at `bytes`, 0 when there is none (RFC 3629). */
static size_t utf8_length(const unsigned char *bytes, size_t left) {
    static const unsigned char least[] = {0, 0, 0xA0, 0x90}; /* second byte after E0, F0 */
    unsigned char first = bytes[0];
    size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (length == 0 || first > 0xF4 || length > left) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (first == 0xE0 || first == 0xF0) && bytes[1] < least[length - 1];
    bool surrogate = first == 0xED && bytes[1] > 0x9F;
    bool beyond = first == 0xF4 && bytes[1] > 0x8F;
    return overlong || surrogate || beyond ? 0 : length;
}

static void write_string(hzc_out *out, const char *bytes, size_t length) {
    hzc_out_char(out, '"');
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)bytes[i];
        size_t sequence = utf8_length((const unsigned char *)bytes + i, length - i);
        if (sequence == 0) {
            hzc_out_text(out, "\xEF\xBF\xBD");
            sequence = 1;
        } else if (c == '"' || c == '\\') {
            hzc_out_char(out, '\\');
            hzc_out_char(out, (char)c);
        } else if (c < 0x20 || c == 0x7F) {
            hzc_out_format(out, "\\u%04x", (unsigned)c);
        } else {
            hzc_out_bytes(out, bytes + i, sequence);
        }
        i += sequence;
    }
    hzc_out_char(out, '"');
}

/* ---- structure ---- */

static void before_value(hzc_json *json, const char *key) {
    uint64_t bit = UINT64_C(1) << json->depth;
    if (json->has_items & bit) {
        hzc_out_char(json->out, ',');
    }
    json->has_items |= bit;
    if (key) {
        write_string(json->out, key, strlen(key));
        hzc_out_char(json->out, ':');
    }
}

static void open_level(hzc_json *json, const char *key, char bracket) {
    before_value(json, key);
    hzc_out_char(json->out, bracket);
    json->depth++;
    json->has_items &= ~(UINT64_C(1) << json->depth);
}

void hzc_json_object(hzc_json *json, const char *key) {
    open_level(json, key, '{');
}

void hzc_json_end_object(hzc_json *json) {
    json->depth--;
    hzc_out_char(json->out, '}');
}

void hzc_json_array(hzc_json *json, const char *key) {
    open_level(json, key, '[');
}

void hzc_json_end_array(hzc_json *json) {
    json->depth--;
    hzc_out_char(json->out, ']');
}

/* ---- values ---- */

void hzc_json_bytes(hzc_json *json, const char *key, const char *bytes, size_t length) {
    before_value(json, key);
    write_string(json->out, bytes, length);
}

void hzc_json_text(hzc_json *json, const char *key, const char *text) {
    hzc_json_bytes(json, key, text, strlen(text));
}

void hzc_json_raw(hzc_json *json, const char *key, const char *bytes, size_t length) {
    before_value(json, key);
    hzc_out_bytes(json->out, bytes, length);
}

void hzc_json_integer(hzc_json *json, const char *key, int64_t value) {
    before_value(json, key);
    hzc_out_format(json->out, "%" PRId64, value);
}

void hzc_json_count(hzc_json *json, const char *key, uint64_t value) {
    before_value(json, key);
    hzc_out_format(json->out, value > INT64_MAX ? "\"%" PRIu64 "\"" : "%" PRIu64, value);
}

void hzc_json_seed(hzc_json *json, const char *key, uint64_t value) {
    hzc_json_count(json, key, value);
}

void hzc_json_bool(hzc_json *json, const char *key, bool value) {
    before_value(json, key);
    hzc_out_text(json->out, value ? "true" : "false");
}

void hzc_json_null(hzc_json *json, const char *key) {
    before_value(json, key);
    hzc_out_text(json->out, "null");
}

/* ---- numbers ---- */

static const double exact_integers = 9007199254740992.0; /* 2^53 */

/* Most cells of a feature row are small integers, so this is worth more than snprintf. */
static size_t integer_text(int64_t value, char buffer[HZC_NUMBER_CAPACITY]) {
    char reversed[20];
    size_t digits = 0, length = 0;
    uint64_t left = value < 0 ? (uint64_t)-value : (uint64_t)value;
    do {
        reversed[digits++] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (value < 0) {
        buffer[length++] = '-';
    }
    while (digits > 0) {
        buffer[length++] = reversed[--digits];
    }
    buffer[length] = '\0';
    return length;
}

size_t hzc_double_text(double value, char buffer[HZC_NUMBER_CAPACITY]) {
    if (fabs(value) < exact_integers && value == floor(value)) {
        return integer_text((int64_t)value, buffer);
    }
    int length = 0;
    for (int digits = 1; digits <= 17; digits++) {
        length = snprintf(buffer, HZC_NUMBER_CAPACITY, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) {
            break;
        }
    }
    return (size_t)length;
}

size_t hzc_float_text(float value, char buffer[HZC_NUMBER_CAPACITY]) {
    double wide = (double)value;
    if (fabs(wide) < exact_integers && wide == floor(wide)) {
        return hzc_double_text(wide, buffer);
    }
    int length = 0;
    for (int digits = 1; digits <= 9; digits++) {
        length = snprintf(buffer, HZC_NUMBER_CAPACITY, "%.*g", digits, wide);
        if (strtof(buffer, NULL) == value) {
            break;
        }
    }
    return (size_t)length;
}

void hzc_json_double(hzc_json *json, const char *key, double value) {
    char text[HZC_NUMBER_CAPACITY];
    if (isfinite(value)) {
        hzc_json_raw(json, key, text, hzc_double_text(value, text));
    } else {
        hzc_json_null(json, key);
    }
}

void hzc_json_float(hzc_json *json, const char *key, float value) {
    char text[HZC_NUMBER_CAPACITY];
    if (isfinite(value)) {
        hzc_json_raw(json, key, text, hzc_float_text(value, text));
    } else {
        hzc_json_null(json, key);
    }
}

/* ---- things of the game ---- */

/* Moves are plain letters and digits, so they need no escaping. */
static size_t quoted_move(hz_move move, char buffer[HZ_MOVE_CAPACITY + 2]) {
    buffer[0] = '"';
    size_t length = 1 + hz_move_to_text(move, buffer + 1);
    buffer[length++] = '"';
    return length;
}

void hzc_json_move(hzc_json *json, const char *key, hz_move move) {
    char text[HZ_MOVE_CAPACITY + 2];
    hzc_json_raw(json, key, text, quoted_move(move, text));
}

void hzc_json_turn(hzc_json *json, const char *key, const hz_turn *turn) {
    char text[3 * (HZ_MOVE_CAPACITY + 3) + 2];
    size_t length = 0;
    text[length++] = '[';
    for (int i = 0; i < turn->count; i++) {
        if (i > 0) {
            text[length++] = ',';
        }
        length += quoted_move(turn->moves[i], text + length);
    }
    text[length++] = ']';
    hzc_json_raw(json, key, text, length);
}

void hzc_json_dfen(hzc_json *json, const char *key, const hz_position *position) {
    char text[HZ_DFEN_CAPACITY];
    hzc_json_bytes(json, key, text, hz_position_to_dfen(position, text, sizeof text));
}

void hzc_json_fen(hzc_json *json, const char *key, const hz_position *position) {
    char text[HZ_DFEN_CAPACITY];
    hzc_json_bytes(json, key, text, hz_chess_to_fen(position, text, sizeof text));
}

void hzc_json_pool(hzc_json *json, const char *key, hz_pool pool, hz_color side) {
    char text[4];
    hzc_json_bytes(json, key, text, hz_pool_to_text(pool, side, text));
}

void hzc_json_forms(hzc_json *json, const hz_position *position) {
    char text[HZ_DFEN_CAPACITY];
    hz_position flip = hz_position_flip(position);
    hz_position mirror = hz_position_mirror(position);
    hz_position canonical = hz_position_canonical(position);
    hzc_json_dfen(json, "dfen", position);
    hzc_json_dfen(json, "flip", &flip);
    hzc_json_dfen(json, "mirror", &mirror);
    hzc_json_dfen(json, "canonical", &canonical);
    hzc_json_bytes(json, "key4", text, hz_position_key4(position, text, sizeof text));
    if (hz_position_book_key(position, text, sizeof text) > 0) {
        hzc_json_text(json, "book_key", text);
    } else {
        hzc_json_null(json, "book_key");
    }
    (void)snprintf(text, sizeof text, "%016" PRIx64, position->key);
    hzc_json_text(json, "key", text);
}

void hzc_json_counts(hzc_json *json, const hz_turn_counts *counts) {
    hzc_json_count(json, "first", counts->first);
    hzc_json_integer(json, "max_dice", counts->max_dice);
    hzc_json_count(json, "turns", counts->turns);
    hzc_json_count(json, "king_turns", counts->king_turns);
    hzc_json_count(json, "results", counts->results);
}

void hzc_json_status(hzc_json *json, const hz_position *position) {
    bool has_winner = false;
    hz_color winner = HZ_WHITE;
    hzc_json_bool(json, "over", hz_game_over(position, &has_winner, &winner));
    if (has_winner) {
        hzc_json_text(json, "winner", winner == HZ_WHITE ? "white" : "black");
    } else {
        hzc_json_null(json, "winner");
    }
}
