/* SPDX-License-Identifier: MIT */
/* Judges by name; the header is the manual. */
#include "support/judges.h"

#include <stdlib.h>
#include <string.h>

#include "support/positions.h"

static bool is(const test_judge *judge, const char *kind) {
    return strcmp(judge->kind, kind) == 0;
}

static int square_of(const char *text) {
    int square = hz_square_from_text(text, 2);
    if (square == HZ_NO_SQUARE) {
        fail_msg("\"%s\" is no square", text);
    }
    return square;
}

static void read_squares(test_judge *judge, const char *text) {
    while (*text) {
        assert_true(judge->count < TEST_JUDGE_SQUARES && strlen(text) >= 2);
        int32_t value = 1;
        size_t length = strcspn(text, ",");
        if (text[2] == '=') {
            value = (int32_t)strtol(text + 3, NULL, 10);
        }
        judge->square[judge->count] = square_of(text);
        judge->value[judge->count++] = value;
        text += length + (text[length] == ',');
    }
}

test_judge test_judge_of(const char *text) {
    static const char *const kinds[] = {"material", "aggressive", "10x-material", "zero", "const",
                                        "prefers",  "kingmap",    "castled-g1",   "hash"};
    test_judge judge = {.kind = ""};
    size_t length = strcspn(text, ":");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strlen(kinds[i]) == length && strncmp(kinds[i], text, length) == 0) {
            test_copy(judge.kind, sizeof judge.kind, kinds[i]);
        }
    }
    if (!*judge.kind) {
        fail_msg("there is no judge \"%s\"", text);
    }
    const char *rest = text[length] ? text + length + 1 : "";
    if (is(&judge, "const") || is(&judge, "hash")) {
        char *end;
        judge.number[0] = (int32_t)strtol(rest, &end, 10);
        judge.number[1] = *end ? (int32_t)strtol(end + 1, NULL, 10) : 1;
    } else if (is(&judge, "castled-g1")) {
        judge.square[judge.count++] = square_of("g1");
        judge.value[0] = 9000;
    } else {
        read_squares(&judge, rest);
    }
    return judge;
}

/* Of the four fields that tell boards apart, from White's view. */
static int32_t hash(const test_judge *judge, const char *board) {
    uint64_t h = 0xCBF29CE484222325;
    for (; *board; board++) {
        h = (h ^ (unsigned char)*board) * 0x100000001B3;
    }
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9;
    h ^= h >> 32;
    int32_t n = judge->number[0];
    return ((int32_t)(h % (2 * (uint64_t)n + 1)) - n) * judge->number[1];
}

int32_t test_judge_score(const test_judge *judge, const hz_position *position, hz_color color) {
    if (is(judge, "material")) {
        return hz_evaluate_material(position, color);
    }
    if (is(judge, "10x-material")) {
        return 10 * hz_evaluate_material(position, color);
    }
    if (is(judge, "aggressive")) {
        return hz_evaluate_aggressive(position, color);
    }
    if (is(judge, "const")) {
        return judge->number[0];
    }
    if (is(judge, "hash")) {
        char dfen[HZ_DFEN_CAPACITY];
        (void)test_dfen(position, dfen);
        char *end = dfen;
        for (int fields = 0; fields < 4; end++) {
            fields += *end == ' ';
        }
        end[-1] = '\0';
        return color == HZ_WHITE ? hash(judge, dfen) : -hash(judge, dfen);
    }
    uint64_t kings = position->pieces[HZ_KING];
    if (is(judge, "castled-g1")) {
        kings &= position->colors[HZ_WHITE];
    }
    for (int i = 0; i < judge->count; i++) {
        if (kings >> judge->square[i] & 1) {
            return judge->value[i];
        }
    }
    return 0;
}

static hz_status score_batch(void *state, const hz_position *positions, size_t n, hz_color color,
                             int32_t *scores, size_t *done, hz_error *err) {
    (void)err;
    for (size_t i = 0; i < n; i++) {
        scores[i] = test_judge_score(state, &positions[i], color);
    }
    *done = n;
    return HZ_OK;
}

hz_judge test_judge_seam(test_judge *judge) {
    return (hz_judge){.state = judge, .score_batch = score_batch};
}

/* ---- the same for the oracle ---- */

static int32_t slow_score(const void *context, const ref_position *position, char color) {
    const test_judge *judge = context;
    if (is(judge, "material") || is(judge, "10x-material")) {
        int32_t score = ref_material.score(NULL, position, color);
        return is(judge, "material") ? score : 10 * score;
    }
    if (is(judge, "aggressive")) {
        /* Tested against its own oracle elsewhere. */
        char dfen[REF_DFEN_CAPACITY];
        ref_to_dfen(position, dfen);
        hz_position same = test_position(dfen);
        return hz_evaluate_aggressive(&same, color == 'w' ? HZ_WHITE : HZ_BLACK);
    }
    if (is(judge, "const")) {
        return judge->number[0];
    }
    if (is(judge, "hash")) {
        char board[REF_DFEN_CAPACITY];
        ref_board_text(position, board);
        return color == 'w' ? hash(judge, board) : -hash(judge, board);
    }
    for (int i = 0; i < judge->count; i++) {
        char piece = position->board[judge->square[i]];
        if (piece == 'K' || (piece == 'k' && !is(judge, "castled-g1"))) {
            return judge->value[i];
        }
    }
    return 0;
}

ref_judge test_judge_slow(const test_judge *judge) {
    return (ref_judge){.score = slow_score, .context = judge};
}
