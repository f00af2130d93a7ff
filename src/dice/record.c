/* SPDX-License-Identifier: MIT */
/*
 * Game records: the words they use, and the replay checker, which plays a game through and asks for
 * every turn what the rules ask. Reading and writing stand in record_read.c and record_write.c.
 */
#include "dice/record.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- words ---- */

static const char *const outcome_texts[] = {
    [HZ_OUTCOME_OPEN] = "*",
    [HZ_OUTCOME_WHITE] = "1-0",
    [HZ_OUTCOME_BLACK] = "0-1",
    [HZ_OUTCOME_DRAW] = "1/2-1/2",
};
enum { OUTCOMES = sizeof outcome_texts / sizeof *outcome_texts };

enum { FITS_OPEN = 1 << HZ_OUTCOME_OPEN, FITS_DRAW = 1 << HZ_OUTCOME_DRAW };
enum { FITS_WIN = 1 << HZ_OUTCOME_WHITE | 1 << HZ_OUTCOME_BLACK };

static const struct {
    const char *text;
    unsigned fits; /* set of outcomes */
} reasons[] = {
    [HZ_REASON_UNTERMINATED] = {"unterminated", FITS_OPEN},
    [HZ_REASON_KING] = {"king", FITS_WIN},
    [HZ_REASON_TIME] = {"time", FITS_WIN},
    [HZ_REASON_RESIGNATION] = {"resignation", FITS_WIN},
    [HZ_REASON_ILLEGAL] = {"illegal", FITS_WIN},
    [HZ_REASON_LOST] = {"lost", FITS_WIN},
    [HZ_REASON_FIFTY] = {"fifty", FITS_DRAW},
    [HZ_REASON_LENGTH] = {"length", FITS_DRAW},
    [HZ_REASON_AGREEMENT] = {"agreement", FITS_DRAW},
};
enum { REASONS = sizeof reasons / sizeof *reasons };

const char *const hzi_record_key_names[HZI_RECORD_KEYS] = {
    [HZI_RECORD_KEY_FORMAT] = HZI_RECORD_FORMAT,
    [HZI_RECORD_KEY_WHITE] = "White",
    [HZI_RECORD_KEY_BLACK] = "Black",
    [HZI_RECORD_KEY_START] = "Start",
    [HZI_RECORD_KEY_SEED] = "Seed",
    [HZI_RECORD_KEY_RESULT] = "Result",
    [HZI_RECORD_KEY_REASON] = "Reason",
};

const char *hz_game_outcome_text(hz_game_outcome outcome) {
    return (unsigned)outcome < OUTCOMES ? outcome_texts[outcome] : "?";
}

const char *hz_game_reason_text(hz_game_reason reason) {
    return (unsigned)reason < REASONS ? reasons[reason].text : "?";
}

static bool is_word(const char *word, const char *text, size_t length) {
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

hzi_record_key hzi_record_key_find(const char *name, size_t length) {
    for (unsigned key = 0; key < HZI_RECORD_KEYS; key++) {
        if (is_word(hzi_record_key_names[key], name, length)) {
            return (hzi_record_key)key;
        }
    }
    return HZI_RECORD_KEYS;
}

bool hzi_record_outcome_find(const char *text, size_t length, hz_game_outcome *outcome) {
    for (unsigned i = 0; i < OUTCOMES; i++) {
        if (is_word(outcome_texts[i], text, length)) {
            *outcome = (hz_game_outcome)i;
            return true;
        }
    }
    return false;
}

bool hzi_record_reason_find(const char *text, size_t length, hz_game_reason *reason) {
    for (unsigned i = 0; i < REASONS; i++) {
        if (is_word(reasons[i].text, text, length)) {
            *reason = (hz_game_reason)i;
            return true;
        }
    }
    return false;
}

bool hzi_record_reason_fits(hz_game_reason reason, hz_game_outcome outcome) {
    return (unsigned)reason < REASONS && (unsigned)outcome < OUTCOMES &&
           (reasons[reason].fits >> outcome & 1u);
}

size_t hzi_record_name_length(const char *text, size_t length) {
    size_t i = 0;
    for (; i < length && i < HZ_RECORD_NAME_MAX; i++) {
        char c = text[i];
        bool capital = c >= 'A' && c <= 'Z';
        bool other = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        if (!capital && !(other && i > 0)) {
            break;
        }
    }
    return i;
}

/* Bytes of the UTF-8 character that begins here (RFC 3629: no overlong form, no surrogate, nothing
 * above U+10FFFF); 0 when there is none. */
static size_t character_length(const unsigned char *s, size_t left) {
    unsigned lead = s[0];
    size_t length = lead < 0x80                    ? 1
                    : lead >= 0xC2 && lead <= 0xDF ? 2
                    : lead >= 0xE0 && lead <= 0xEF ? 3
                    : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                   : 0;
    if (length == 0 || length > left) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        /* Only the second byte has a tighter range, after these four leads. */
        unsigned low = i > 1 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        unsigned high = i > 1 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (s[i] < low || s[i] > high) {
            return 0;
        }
    }
    return length;
}

size_t hzi_record_text_good(const char *text, size_t length, bool breaks) {
    const unsigned char *s = (const unsigned char *)text;
    size_t i = 0;
    while (i < length) {
        size_t more = character_length(s + i, length - i);
        bool control = s[i] < 0x20 || s[i] == 0x7F;
        if (more == 0 || (control && !(breaks && (s[i] == '\n' || s[i] == '\t')))) {
            break;
        }
        i += more;
    }
    return i;
}

hz_status hzi_record_fail(hz_error *err, hz_status code, const hz_record_place *place,
                          const char *format, ...) {
    if (err) {
        char message[sizeof err->message];
        va_list args;
        va_start(args, format);
        (void)vsnprintf(message, sizeof message, format, args);
        va_end(args);
        hz_fail(err, code, place->line ? place->offset : HZ_NO_OFFSET, "%s", message);
        err->line = place->line;
        err->column = place->column;
    }
    return code;
}

/* ---- the record ---- */

void hz_record_init(hz_record *record) {
    *record = (hz_record){.players = {"?", "?"}};
    (void)hz_position_from_dfen(&record->start, HZ_START_DFEN, strlen(HZ_START_DFEN), NULL);
}

const char *hz_record_header_find(const hz_record *record, const char *name) {
    for (size_t i = 0; i < record->header_count; i++) {
        if (strcmp(record->headers[i].name, name) == 0) {
            return record->headers[i].value;
        }
    }
    return NULL;
}

/* ---- replay ---- */

enum { FIFTY = 100, ROLL_TEXT = 4 };

static const char *side_name(unsigned side) {
    return side == HZ_WHITE ? "White" : "Black";
}

/* The turn on its own: roll, legality, what it says about a taken king. Plays it, with hand-over.
 */
static hz_status play_turn(hz_position *position, const hz_record *record, size_t ply,
                           bool with_seed, hz_error *err) {
    const hz_record_turn *turn = &record->turns[ply];
    char roll[ROLL_TEXT], wanted[ROLL_TEXT], text[HZ_TURN_CAPACITY];
    hz_pool_to_text(turn->roll, (hz_color)position->side, roll);
    if (!hzi_record_roll_good(turn->roll)) {
        return hzi_record_fail(err, HZ_RECORD_REPLAY, &turn->place,
                               "turn %zu: a roll has three dice", ply + 1);
    }
    if (with_seed && turn->roll != hz_roll_at(record->seed, ply)) {
        hz_pool_to_text(hz_roll_at(record->seed, ply), (hz_color)position->side, wanted);
        return hzi_record_fail(err, HZ_RECORD_REPLAY, &turn->place,
                               "turn %zu: the roll is %s, the seed gives %s", ply + 1, roll,
                               wanted);
    }
    hz_position_set_pool(position, turn->roll);
    if (turn->turn.count > 3) {
        return hzi_record_fail(err, HZ_RECORD_REPLAY, &turn->place,
                               "turn %zu: more than three micro-moves", ply + 1);
    }
    if (!hz_turn_is_legal(position, &turn->turn)) {
        hz_turn_to_text(&turn->turn, text);
        return hzi_record_fail(err, HZ_RECORD_REPLAY, &turn->place,
                               turn->turn.count
                                   ? "turn %zu: %s is not a legal turn with %s"
                                   : "turn %zu: %s is no pass, a legal turn exists with %s",
                               ply + 1, text, roll);
    }
    bool took_king = false;
    for (int i = 0; i < turn->turn.count; i++) {
        (void)hz_move_apply(position, turn->turn.moves[i], &took_king, NULL);
    }
    if (took_king != (turn->turn.took_king != 0)) {
        return hzi_record_fail(err, HZ_RECORD_REPLAY, &turn->place, "turn %zu %s a king", ply + 1,
                               took_king ? "takes" : "does not take");
    }
    if (!took_king) {
        hz_hand_over(position);
    }
    return HZ_OK;
}

/* Whether the game may go on with another roll. */
static hz_status may_go_on(const hz_position *position, bool took_king,
                           const hz_record_place *place, size_t ply, hz_error *err) {
    if (took_king) {
        return hzi_record_fail(err, HZ_RECORD_REPLAY, place,
                               "turn %zu: the king was taken before, the game is over", ply + 1);
    }
    if (hz_game_over(position, NULL, NULL)) {
        return hzi_record_fail(err, HZ_RECORD_REPLAY, place,
                               "turn %zu: a king is missing, the game is over", ply + 1);
    }
    if (position->halfmove >= FIFTY) {
        return hzi_record_fail(err, HZ_RECORD_REPLAY, place,
                               "turn %zu: the half-move clock is %d, the game is drawn", ply + 1,
                               position->halfmove);
    }
    return HZ_OK;
}

/* Whether the game may end like this. `position` is the one after the last turn. */
static hz_status check_end(const hz_position *position, const hz_record *record, bool took_king,
                           bool with_seed, hz_error *err) {
    const hz_record_place *place = &record->end;
    hz_game_reason reason = record->reason;
    unsigned mover = position->side;
    bool white_won = record->outcome == HZ_OUTCOME_WHITE;
    unsigned winner = white_won ? HZ_WHITE : HZ_BLACK;
    const char *why = hz_game_reason_text(reason);

    if (!hzi_record_reason_fits(reason, record->outcome)) {
        return hzi_record_fail(err, HZ_RECORD_REPLAY, place,
                               "a game does not end %s with reason %s",
                               hz_game_outcome_text(record->outcome), why);
    }
    if (took_king != (reason == HZ_REASON_KING)) {
        return took_king
                   ? hzi_record_fail(err, HZ_RECORD_REPLAY, place,
                                     "the king was taken, the reason is not %s", why)
                   : hzi_record_fail(err, HZ_RECORD_REPLAY, place, "the last turn takes no king");
    }
    if (took_king) {
        return winner == mover ? HZ_OK
                               : hzi_record_fail(err, HZ_RECORD_REPLAY, place,
                                                 "%s took the king and wins", side_name(mover));
    }
    if (reason == HZ_REASON_UNTERMINATED) {
        return HZ_OK;
    }
    bool fifty = position->halfmove >= FIFTY;
    if (fifty != (reason == HZ_REASON_FIFTY)) {
        return hzi_record_fail(err, HZ_RECORD_REPLAY, place,
                               "with a half-move clock of %d the reason is not %s",
                               position->halfmove, why);
    }
    if (reason == HZ_REASON_TIME || reason == HZ_REASON_ILLEGAL || reason == HZ_REASON_LOST) {
        if (winner == mover) {
            return hzi_record_fail(err, HZ_RECORD_REPLAY, place,
                                   "%s was to move and does not win by reason %s", side_name(mover),
                                   why);
        }
        /* A side that must pass is not asked, so it cannot fail to answer. */
        hz_position rolled = *position;
        hz_position_set_pool(&rolled, with_seed ? hz_roll_at(record->seed, record->turn_count) : 0);
        if (with_seed && hz_dice_max(&rolled) == 0) {
            return hzi_record_fail(err, HZ_RECORD_REPLAY, place,
                                   "%s had to pass and does not lose by reason %s",
                                   side_name(mover), why);
        }
    }
    return HZ_OK;
}

hz_status hz_record_replay(const hz_record *record, bool with_seed, hz_record_visit visit,
                           void *context, hz_position *last, hz_error *err) {
    if (with_seed && !record->has_seed) {
        return hz_fail(err, HZ_RECORD_HEADER, HZ_NO_OFFSET, "the header Seed is missing");
    }
    if (record->start.pool) {
        return hz_fail(err, HZ_RECORD_HEADER, HZ_NO_OFFSET, "the start position has dice");
    }
    hz_position position = record->start;
    bool took_king = false;
    for (size_t ply = 0; ply < record->turn_count; ply++) {
        const hz_record_turn *turn = &record->turns[ply];
        hz_status status = may_go_on(&position, took_king, &turn->place, ply, err);
        hz_position before = position;
        if (status == HZ_OK) {
            status = play_turn(&position, record, ply, with_seed, err);
        }
        if (status != HZ_OK) {
            return status;
        }
        took_king = turn->turn.took_king;
        hz_position_set_pool(&before, turn->roll);
        hz_record_step step = {ply, turn, &before, &position};
        if (visit && !visit(context, &step)) {
            return hz_fail(err, HZ_INCOMPLETE, HZ_NO_OFFSET, "stopped at turn %zu", ply + 1);
        }
    }
    if (last) {
        *last = position;
    }
    return check_end(&position, record, took_king, with_seed, err);
}
