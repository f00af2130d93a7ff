/* SPDX-License-Identifier: MIT */
/*
 * Rows of games: one row a turn, with the position before the roll, the roll, the turn, what the
 * player thought of it, the odds of both kings and how the game ended. In a file the rows stand
 * column by column in compressed blocks behind a head that names the columns and the settings they
 * were made with; docs/formats.md, section "rows", is the contract.
 *
 * Writing a block is a pure function of its rows. A reader is used by one thread at a time.
 */
#ifndef HAZARD_ARENA_ROWS_H
#define HAZARD_ARENA_ROWS_H

#include "arena/text.h"

#include <hazard/dice.h>

/* What is known of a turn besides the rules. */
enum {
    HZI_ROW_SCORED = 1,  /* score and best are there */
    HZI_ROW_OPENING = 2, /* played at random, to begin with */
    HZI_ROW_DRAWN = 4,   /* drawn by the temperature, not the player's first choice by itself */
};

typedef struct hzi_row {
    uint32_t game, ply;       /* numbers from 0 */
    uint32_t left;            /* turns of the game after this one */
    hz_position position;     /* with the roll as its pool */
    hz_turn turn;             /* count 0 = a forced pass */
    uint8_t flags;            /* HZI_ROW_... */
    int32_t score, best;      /* of the turn, and of the best one the player saw; mover's view */
    uint8_t own_216;          /* rolls of 216 that take the mover's king, were the enemy to roll */
    uint8_t enemy_216;        /* rolls that take the enemy's king, before this one was known */
    int8_t result;            /* of the game, mover's view: 1 won, 0 drawn, -1 lost */
    uint8_t player, opponent; /* numbers of the mover and of the other side in the pool */
} hzi_row;

/* A line of the head about how the rows were made. */
typedef struct hzi_rows_setting {
    const char *key, *value;
} hzi_rows_setting;

enum {
    HZI_ROWS_SETTINGS_MAX = 1000,
    HZI_ROWS_KEY_MAX = 64,        /* bytes of a setting's or a column's name */
    HZI_ROWS_VALUE_MAX = 60000,   /* bytes of a setting's value */
    HZI_ROWS_BLOCK_MAX = 1 << 20, /* rows of a block */
    HZI_ROWS_BYTES_MAX = 1 << 27  /* of a block, unpacked */
};

/* ---- writing ---- */

/* HZ_INVALID_ARGUMENT for a setting that is too long; HZ_NO_MEMORY. On failure `out` may hold a
 * part. */
hz_status hzi_rows_put_head(const hzi_rows_setting *settings, size_t count, hzi_text *out,
                            hz_error *err);
/* A block with the games first_game .. first_game + games - 1. HZ_INVALID_ARGUMENT for too many rows,
 * HZ_NO_MEMORY. */
hz_status hzi_rows_put_block(const hzi_row *rows, size_t count, uint64_t first_game, uint32_t games,
                             hzi_text *out, hz_error *err);
/* What closes a file. HZ_NO_MEMORY. */
hz_status hzi_rows_put_end(uint64_t games, uint64_t rows, hzi_text *out, hz_error *err);

/* ---- reading ---- */

typedef struct hzi_rows_reader hzi_rows_reader;

typedef struct hzi_rows_block {
    uint64_t first_game;
    uint32_t games;
    size_t count;
    const hzi_row *rows; /* until the next call; NULL when they were skipped */
} hzi_rows_block;

/*
 * Reads the head. The bytes may be anything. Columns are found by name: unknown ones are skipped.
 * HZ_ROWS with the offset: not such a file, another version, damaged, a needed column missing or of
 * another type. HZ_IO: the source failed. HZ_NO_MEMORY. On failure *reader is NULL.
 */
hz_status hzi_rows_open(hz_record_source source, void *context, hzi_rows_reader **reader,
                        hz_error *err);
/* Lives as long as the reader. */
const hzi_rows_setting *hzi_rows_settings(const hzi_rows_reader *reader, size_t *count);
/*
 * Reads the next block. HZ_NOT_FOUND: the end of a complete file. HZ_INCOMPLETE: the file ends without
 * its end; what was read before is good. HZ_ROWS: damaged; offset is where the block begins. A reader
 * that failed once goes on failing.
 */
hz_status hzi_rows_next(hzi_rows_reader *reader, hzi_rows_block *block, hz_error *err);
/* The same without unpacking the rows; checksums and numbers are still looked at. */
hz_status hzi_rows_skip(hzi_rows_reader *reader, hzi_rows_block *block, hz_error *err);
/* Bytes from the start to behind the last good block (or the head). */
uint64_t hzi_rows_offset(const hzi_rows_reader *reader);
/* Games and rows of all blocks so far. */
uint64_t hzi_rows_games(const hzi_rows_reader *reader);
uint64_t hzi_rows_rows(const hzi_rows_reader *reader);
/* Accepts NULL. */
void hzi_rows_close(hzi_rows_reader *reader);

/* ---- shared by both ---- */

/* A column. */
typedef struct hzi_rows_field {
    const char *name;
    char kind;      /* 'u' unsigned, 'i' signed */
    uint8_t size;   /* bytes of a number: 1, 2, 4, 8 */
    uint16_t count; /* numbers in a row */
} hzi_rows_field;
enum {
    HZI_ROWS_GAME,
    HZI_ROWS_PLY,
    HZI_ROWS_LEFT,
    HZI_ROWS_BOARD,
    HZI_ROWS_TARGETS,
    HZI_ROWS_FULLMOVE,
    HZI_ROWS_HALFMOVE,
    HZI_ROWS_SIDE,
    HZI_ROWS_RIGHTS,
    HZI_ROWS_ROLL,
    HZI_ROWS_TURN,
    HZI_ROWS_FLAGS,
    HZI_ROWS_SCORE,
    HZI_ROWS_BEST,
    HZI_ROWS_OWN,
    HZI_ROWS_ENEMY,
    HZI_ROWS_RESULT,
    HZI_ROWS_PLAYER,
    HZI_ROWS_OPPONENT,
    HZI_ROWS_FIELDS
};
extern const hzi_rows_field hzi_rows_fields[HZI_ROWS_FIELDS];

#define HZI_ROWS_MAGIC "\x89HZR\r\n\x1a\n"
enum {
    HZI_ROWS_VERSION = 1,
    HZI_ROWS_HEAD = 20,          /* bytes before the body of the head */
    HZI_ROWS_HEAD_MAX = 1 << 26, /* bytes of that body */
    HZI_ROWS_BLOCK_HEAD = 36,
    HZI_ROWS_END = 24,
    HZI_ROWS_BLOCK_TAG = 0x53574F52, /* "ROWS" */
    HZI_ROWS_END_TAG = 0x454E4F44    /* "DONE" */
};
/* The checksum of PNG and zip. */
uint32_t hzi_rows_sum(const void *bytes, size_t length);

#endif
