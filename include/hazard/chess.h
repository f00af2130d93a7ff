/* SPDX-License-Identifier: MIT */
/*
 * hazard/chess.h - orthodox chess on the shared position: legal moves, playing them, how games end,
 * FEN with reasons, SAN, EPD, PGN, perft.
 *
 * A position's pool is ignored. Generation and playing cope with any placement, also one without
 * kings or with several on a side (a side is then in check when any of its kings is attacked);
 * hz_chess_validate tells whether a position can be played as chess. Moves are the hz_move of
 * board.h; castling is the king's two-square step (e1g1).
 *
 * The half-move clock of a chess position runs to 255 and stays there.
 *
 * All functions are safe in any thread; an object belongs to one thread at a time.
 */
#ifndef HAZARD_CHESS_H
#define HAZARD_CHESS_H

#include <hazard/board.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- check and en passant --------------------------------------------------------------------- */

/* Whether a king of `color` stands on an attacked square; false without a king. */
bool hz_chess_in_check(const hz_position *position, hz_color color);

/* Targets on which the side to move has at least one legal en-passant capture: a pawn in place, and
 * its own king not attacked after both pawns have left their squares. */
uint64_t hz_chess_legal_en_passant(const hz_position *position);

/* ---- moves -------------------------------------------------------------------------------------- */

/*
 * Most legal moves any placement can have. m own pieces reach at most 27 squares each (a pawn: at
 * most 3 squares, 12 moves); a target square is reached along at most 8 lines and from 8 knight
 * squares, by pawns at most 4 ways each from 3 squares. With m pieces there are at most
 * min(27 m, 16 (64 - m)) + 72 + 2 of them, which is largest at m = 24: 722.
 */
enum { HZ_CHESS_MOVES_MAX = 736 };

/* Legal moves in no particular order; returns their number. */
int hz_chess_moves(const hz_position *position, hz_move moves[HZ_CHESS_MOVES_MAX]);
/* Legal captures (en passant included) and promotions only. */
int hz_chess_tactical_moves(const hz_position *position, hz_move moves[HZ_CHESS_MOVES_MAX]);
/* Number of legal moves. */
int hz_chess_move_count(const hz_position *position);
/* Whether there is a legal move. */
bool hz_chess_has_move(const hz_position *position);
/* Whether a move, whatever it is, is legal here, flags included. */
bool hz_chess_is_legal(const hz_position *position, hz_move move);
/* The board after a legal move, side switched, clocks and key kept; a target stays only when a pawn
 * of the side to move stands beside the pawn that made the double step. after may be position. */
void hz_chess_play(const hz_position *position, hz_move move, hz_position *after);
/* Passes: side switched, targets lapse, clocks advance. Must not be in check. */
void hz_chess_pass(const hz_position *position, hz_position *after);
/* Reads "e2e4", "e7e8q" as a legal move. Castling is also read as the king taking its own rook
 * ("e1h1"). HZ_MOVE_TEXT, HZ_NOT_LEGAL. */
hz_status hz_chess_move_from_text(const hz_position *position, const char *text, size_t length,
                                  hz_move *move, hz_error *err);

/* Leaves of the tree of legal moves; depth 0 is 1. The last ply is counted, not played. */
uint64_t hz_chess_perft(const hz_position *position, int depth);

/* ---- FEN --------------------------------------------------------------------------------------- */

/*
 * Reads a FEN of four or six fields, "startpos" not among them; a fullmove of 0 counts as 1, a
 * half-move clock above 255 as 255. The errors are those of hz_position_from_dfen; a dice field is
 * HZ_FIELD_COUNT. Nothing is said about playability.
 */
hz_status hz_chess_from_fen(hz_position *position, const char *text, size_t length, hz_error *err);
/* Canonical FEN, six fields; the target is written only when a legal en-passant capture exists.
 * snprintf rules. */
size_t hz_chess_to_fen(const hz_position *position, char *buffer, size_t capacity);

/* Why a position is no chess position; the first that applies, in this order. */
typedef enum hz_chess_flaw {
    HZ_CHESS_SOUND,
    HZ_CHESS_KING_MISSING,
    HZ_CHESS_KINGS_SEVERAL,
    HZ_CHESS_PAWN_ON_END_RANK,
    HZ_CHESS_TOO_MANY_PIECES,   /* more than 16 of a side */
    HZ_CHESS_TOO_MANY_PAWNS,    /* more than 8 of a side, or promoted pieces that 8 pawns cannot
                                   account for */
    HZ_CHESS_OPPONENT_IN_CHECK, /* the side to move could take the king */
    HZ_CHESS_RIGHTS,            /* a right without its king or rook at home */
    HZ_CHESS_TARGET             /* an en-passant target no double step can have left */
} hz_chess_flaw;
/* err (may be NULL) gets a sentence with the squares; status HZ_NOT_LEGAL there. */
hz_chess_flaw hz_chess_validate(const hz_position *position, hz_error *err);
/* Drops rights without king or rook at home and targets that no double step can have left. */
void hz_chess_repair(hz_position *position);

/* ---- how games end ------------------------------------------------------------------------------ */

typedef enum hz_chess_end {
    HZ_CHESS_GOES_ON,
    HZ_CHESS_CHECKMATE,
    HZ_CHESS_STALEMATE,
    HZ_CHESS_DEAD_MATERIAL, /* no sequence of moves can mate: by material */
    HZ_CHESS_SEVENTY_FIVE,  /* draw without a claim */
    HZ_CHESS_FIVEFOLD,      /* draw without a claim */
    HZ_CHESS_FIFTY,         /* half-move clock of 100: may be claimed */
    HZ_CHESS_THREEFOLD      /* third occurrence: may be claimed */
} hz_chess_end;
/* "checkmate", "stalemate", ...; "none" while it goes on. Static. */
const char *hz_chess_end_text(hz_chess_end end);

/* Bare kings, king and one minor piece against king, or only bishops besides the kings, all on
 * squares of one colour. */
bool hz_chess_dead_material(const hz_position *position);
/* The key of repetitions: placement, side, rights, and a target only when a legal capture exists. */
uint64_t hz_chess_repetition_key(const hz_position *position);

/* A game: start, moves, and what repetition needs. Grows on the heap; zeroed is not valid. */
typedef struct hz_chess_game {
    hz_position start;
    hz_position now;
    size_t count;
    size_t capacity;
    hz_move *moves; /* count of them */
    uint64_t *keys; /* repetition keys, count + 1 of them, the start first */
} hz_chess_game;
/* HZ_NO_MEMORY. Any start is taken. */
hz_status hz_chess_game_init(hz_chess_game *game, const hz_position *start, hz_error *err);
void hz_chess_game_fini(hz_chess_game *game);
/* Plays a legal move. HZ_NOT_LEGAL leaves the game as it was. */
hz_status hz_chess_game_play(hz_chess_game *game, hz_move move, hz_error *err);
/* Takes the latest move back; false at the start. */
bool hz_chess_game_undo(hz_chess_game *game);
/* How often the present position has occurred, 1 or more. */
int hz_chess_game_occurrences(const hz_chess_game *game);
/* Checkmate and stalemate first, then draws without a claim, then those that may be claimed. */
hz_chess_end hz_chess_game_end(const hz_chess_game *game);
/* Of a position alone: all but repetition. */
hz_chess_end hz_chess_position_end(const hz_position *position);

#ifdef __cplusplus
}
#endif
#endif
