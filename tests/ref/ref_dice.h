/* SPDX-License-Identifier: MIT */
/*
 * ref/ref_dice.h - Dice Chess as a person would write it down: a board of 64 letters, micro-moves
 * as texts, every complete line of a roll listed before the maximum rule is asked. Slow on purpose
 * and sharing nothing with the library, so that the two can be compared.
 *
 * Only well-formed DFEN is read here; what a bad text must answer is the business of ref_dfen.h.
 */
#ifndef HAZARD_REF_DICE_H
#define HAZARD_REF_DICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REF_DFEN_CAPACITY = 256, REF_TURN_CAPACITY = 20, REF_MOVES_CAPACITY = 1100 };

/* Dice are counted in this order everywhere. */
#define REF_FACES "PNBRQK"

/* Squares a1 = 0, b1 = 1, ... h8 = 63. */
typedef struct ref_position {
    char board[64];  /* FEN letters, '.' = empty */
    char side;       /* 'w' or 'b' */
    bool right[4];   /* K Q k q */
    bool target[64]; /* en-passant target squares */
    int dice[6];     /* unspent dice by face, REF_FACES */
    int halfmove;
    long fullmove;
} ref_position;

/* A micro-move is its text: "e2e4", "e7e8q". */
typedef struct ref_move {
    char text[6];
} ref_move;

typedef struct ref_moves {
    int count;
    ref_move move[REF_MOVES_CAPACITY];
} ref_moves;

/* A complete line: its micro-moves joined by commas. */
typedef struct ref_turn {
    char text[REF_TURN_CAPACITY];
    int used; /* dice spent */
    bool king;
} ref_turn;

typedef struct ref_turns {
    size_t count;
    ref_turn *turn; /* sorted by text, owned by the list */
    int max;        /* the most dice a complete line spends */
} ref_turns;

/* One result: what a bot chooses (an entry of hz_results_list). */
typedef struct ref_result {
    char turn[REF_TURN_CAPACITY];  /* canonical: fewest micro-moves, then smallest text */
    char after[REF_DFEN_CAPACITY]; /* after hand-over; for the winning class after the capture */
    bool king;                     /* the winning class */
} ref_result;

typedef struct ref_results {
    size_t count;
    ref_result *result; /* in text order of the canonical turns, owned by the list */
} ref_results;

/* ---- position and text ---- */

/* False when the text is not well-formed. */
bool ref_from_dfen(ref_position *position, const char *dfen);
/* Canonical text. */
void ref_to_dfen(const ref_position *position, char dfen[REF_DFEN_CAPACITY]);
/* The first four fields only: what tells two results apart. */
void ref_board_text(const ref_position *position, char text[REF_DFEN_CAPACITY]);
int ref_dice_count(const ref_position *position);

/* ---- micro-moves; lists are sorted by text ---- */

/* Pseudo-legal micro-moves of the pool's faces, castling under the king die; all faces without
 * dice. */
void ref_pseudo(const ref_position *position, ref_moves *list);
/* Pseudo-legal and paid by the pool. */
void ref_playable(const ref_position *position, ref_moves *list);
/* The face (index into REF_FACES) of the moving piece, and whether the move is a castling. */
int ref_move_face(const ref_position *position, const char *move, bool *castling);
bool ref_takes_king(const ref_position *position, const char *move);
/* Plays a pseudo-legal micro-move and removes its dice (when there are dice). */
void ref_play(ref_position *position, const char *move);
/* Checks and plays: "OK", "NOT_PSEUDO_LEGAL" or "NO_DIE". */
const char *ref_apply(ref_position *position, const char *move);
void ref_hand_over(ref_position *position);

/* ---- turns ---- */

/*
 * All legal turns by definition: every complete line is listed, the largest number of dice found,
 * and the lines that take a king or spend that many are kept. False when there are more than
 * `most_lines` complete lines; the list is then empty. Free with ref_turns_free.
 */
bool ref_legal_turns(const ref_position *position, size_t most_lines, ref_turns *turns);
void ref_turns_free(ref_turns *turns);
bool ref_turns_contain(const ref_turns *turns, const char *turn);
size_t ref_king_turns(const ref_turns *turns);

/* Next micro-moves of the turns that begin with `played` ("" = the first micro-moves). False when
 * no turn begins so; a pass answers "" with an empty list. */
bool ref_continuations(const ref_turns *turns, const char *played, ref_moves *list);
/* Dice text of what one turn that begins with `played` can still spend, face by face. False when no
 * turn begins so. */
bool ref_playable_dice(const ref_position *root, const ref_turns *turns, const char *played,
                       char text[32]);

/* Plays a turn text ("-" = pass) from a position, without hand-over. */
ref_position ref_after_turn(const ref_position *position, const char *turn);
/* Number of distinct boards the turns lead to: after hand-over, or after the capture. */
size_t ref_distinct_results(const ref_position *position, const ref_turns *turns);
/* The list of results with their canonical turns. Free with ref_results_free. */
void ref_results_of(const ref_position *position, const ref_turns *turns, ref_results *results);
void ref_results_free(ref_results *results);

/* ---- perft ---- */

/* Pseudo-legal micro-moves, each handed over and the same dice put back. */
uint64_t ref_perft(const ref_position *position, int depth);

#endif
