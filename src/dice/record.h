/* SPDX-License-Identifier: MIT */
/*
 * What the reader, the writer and the replay checker of game records share: the headers with a
 * meaning of their own, and what text may hold.
 */
#ifndef HAZARD_DICE_RECORD_H
#define HAZARD_DICE_RECORD_H

#include <hazard/dice.h>

#define HZI_RECORD_FORMAT "HazardRecord"
#define HZI_RECORD_VERSION "1"

/* Headers with a meaning of their own; the first one opens the game. */
typedef enum hzi_record_key {
    HZI_RECORD_KEY_FORMAT,
    HZI_RECORD_KEY_WHITE,
    HZI_RECORD_KEY_BLACK,
    HZI_RECORD_KEY_START,
    HZI_RECORD_KEY_SEED,
    HZI_RECORD_KEY_RESULT,
    HZI_RECORD_KEY_REASON,
    HZI_RECORD_KEYS /* also: a header without a meaning */
} hzi_record_key;

extern const char *const hzi_record_key_names[HZI_RECORD_KEYS];

/* The key a name stands for, HZI_RECORD_KEYS for any other name. */
hzi_record_key hzi_record_key_find(const char *name, size_t length);
/* The outcome or reason with this name; false when there is none. */
bool hzi_record_outcome_find(const char *text, size_t length, hz_game_outcome *outcome);
bool hzi_record_reason_find(const char *text, size_t length, hz_game_reason *reason);
/* Whether a game can end in this way for this reason. */
bool hzi_record_reason_fits(hz_game_reason reason, hz_game_outcome outcome);

/* Whether this is a pool of three dice. */
static inline bool hzi_record_roll_good(hz_pool roll) {
    return roll >> (2 * HZ_PIECE_TYPES) == 0 && hz_pool_size(roll) == 3;
}

/* Letters of a header name: all of the name when it is one. */
size_t hzi_record_name_length(const char *text, size_t length);

/* Where text stops being UTF-8 without control characters; length when all is good. breaks: whether
 * line feed and tab may stand in it. */
size_t hzi_record_text_good(const char *text, size_t length, bool breaks);

/* Characters in good text: bytes that do not continue one. */
uint32_t hzi_record_characters(const char *text, size_t length);

typedef enum hzi_record_taken {
    HZI_RECORD_LINE,
    HZI_RECORD_END,    /* of the text; only line_length changed, to 0 */
    HZI_RECORD_FAILURE /* of the source */
} hzi_record_taken;

/* Takes the next line: reader->buffer[begin .. begin + line_length). Of a line above the limit only
 * the beginning is held and too_long is set. */
hzi_record_taken hzi_record_take_line(hz_record_reader *reader);

/* hz_fail with a place in a text; line 0 = no place is known. */
hz_status hzi_record_fail(hz_error *err, hz_status code, const hz_record_place *place,
                          const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

#endif
