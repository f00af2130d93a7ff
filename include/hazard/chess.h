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
 * min(27 m, 16 (64 - m)) + 72 + 2 of them, which is largest at m = 24: 714.
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
 * Reads a FEN of four to six fields, "startpos" not among them; white space behind it is no part of
 * it. A full-move number of 0 counts as 1, clocks beyond 255 and 2147483647 as these. Errors, their
 * order and their offsets are those of hz_position_from_dfen; a dice field is HZ_FIELD_COUNT. On
 * failure *position is unchanged. Nothing is said about playability.
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
    hz_move *moves;    /* count of them */
    uint64_t *keys;    /* repetition keys, count + 1 of them, the start first */
    hz_position *past; /* the position before each move */
} hz_chess_game;
/* HZ_NO_MEMORY leaves an empty game that holds nothing. Any start is taken. */
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

/* ---- SAN ---------------------------------------------------------------------------------------- */

/* Room for a move in standard algebraic notation, NUL included: "Qa1xb2+", "exd8=Q#". */
enum { HZ_SAN_CAPACITY = 12 };
/* Strict SAN of a legal move: shortest unambiguous form, '+' or '#', "O-O"; a move that is not legal
 * gives some text. Returns the length. */
size_t hz_san_from_move(const hz_position *position, hz_move move, char buffer[HZ_SAN_CAPACITY]);
/*
 * Reads a move as people write it: SAN with missing or wrong '+' '#', any of "!?", "e.p.", "0-0",
 * "OO", a missing or extra 'x' or '=', "e8/Q", "e8(Q)", more origin than needed, "Pe4", long
 * algebraic "Ng1-f3", "e7e8q", "e1g1", lower-case piece letters where no pawn move fits, and "--"
 * never. HZ_MOVE_TEXT when the text is no move, HZ_NOT_LEGAL when no legal move fits or several do
 * (the message says which), also for a promotion without its piece. *move changes on HZ_OK only.
 */
hz_status hz_san_to_move(const hz_position *position, const char *text, size_t length,
                         hz_move *move, hz_error *err);

/* ---- EPD ---------------------------------------------------------------------------------------- */

/* One operation of an EPD line; texts in the arena it was read into. */
typedef struct hz_epd_operation {
    const char *code;            /* "bm", "id" */
    size_t count;                /* operands */
    const char *const *operands; /* UTF-8, without their quotation marks */
    const bool *quoted;          /* whether an operand stood in quotes */
} hz_epd_operation;
typedef struct hz_epd {
    hz_position position; /* clocks from hmvc and fmvn, else 0 and 1 */
    size_t count;
    const hz_epd_operation *operations;
} hz_epd;
/*
 * Reads one line; white space at its ends is no part of it. Every operation ends with ';', none
 * stands twice; bytes beyond ASCII that are no UTF-8 are read as Latin-1. HZ_EPD_SYNTAX or a code of
 * hz_chess_from_fen, with the offset; HZ_NO_MEMORY. On failure *epd is unchanged.
 */
hz_status hz_epd_read(const char *text, size_t length, hz_arena *arena, hz_epd *epd, hz_error *err);
/* Writes a line without its end; hmvc and fmvn are written as the operations say. Operands that need
 * quotation marks get them; quotation marks and control characters inside an operand, which EPD
 * cannot hold, become apostrophes and blanks. snprintf rules. */
size_t hz_epd_write(const hz_epd *epd, char *buffer, size_t capacity);
/* The operation of this code, NULL without. */
const hz_epd_operation *hz_epd_find(const hz_epd *epd, const char *code);

/* ---- PGN ---------------------------------------------------------------------------------------- */

enum {
    HZ_PGN_TAGS_MAX = 256,
    HZ_PGN_PLIES_MAX = 20000,
    HZ_PGN_TOKEN_MAX = 65536, /* bytes of a tag value, or of all comments at one place */
    HZ_PGN_DEPTH_MAX = 64     /* variations inside variations */
};

typedef enum hz_pgn_result {
    HZ_PGN_OPEN,  /* "*" */
    HZ_PGN_WHITE, /* "1-0" */
    HZ_PGN_BLACK, /* "0-1" */
    HZ_PGN_DRAW   /* "1/2-1/2" */
} hz_pgn_result;
const char *hz_pgn_result_text(hz_pgn_result result);

typedef struct hz_pgn_tag {
    const char *name;
    const char *value; /* UTF-8; Latin-1 bytes of a file are converted */
} hz_pgn_tag;

/*
 * A move with what was written around it. A variation hangs on the move it replaces. Comments are
 * UTF-8; several at one place are one with a blank between them, and so is any white space in them.
 * What stands behind a variation belongs to the move that follows, at the end of a line to its last
 * move.
 */
typedef struct hz_pgn_move hz_pgn_move;
struct hz_pgn_move {
    hz_move move;
    uint8_t nag_count;                 /* of those below; a ninth and more are dropped when read */
    uint8_t nags[8];                   /* "!", "+-" and their like among them */
    const char *comment_before;        /* NULL = none */
    const char *comment;               /* after the move, NULL = none */
    const hz_pgn_move *variation;      /* first move of the first variation instead of this move */
    const hz_pgn_move *next_variation; /* at the first move of a variation: the next one */
    const hz_pgn_move *next;
};

typedef struct hz_pgn_game {
    size_t tag_count;
    const hz_pgn_tag *tags;   /* in the order of the file */
    hz_position start;        /* of the FEN tag, else the initial position */
    const hz_pgn_move *moves; /* NULL = none */
    size_t plies;             /* of the main line */
    const char *comment;      /* before the first move, NULL = none */
    hz_pgn_result result;
    size_t offset; /* of the game in the file */
    uint32_t line; /* its first line */
} hz_pgn_game;
const char *hz_pgn_tag_find(const hz_pgn_game *game, const char *name);

/* Gives the next bytes of a text: at most `capacity`; 0 at the end, negative when reading failed. */
typedef ptrdiff_t (*hz_pgn_source)(void *context, char *buffer, size_t capacity);
typedef struct hz_pgn_reader hz_pgn_reader;

/*
 * Reads files of any size game by game, with a fixed amount of memory besides the arena.
 * keep_variations, keep_comments: false skips them (they are still checked for their brackets).
 * context must outlive the reader. NULL without memory.
 */
hz_pgn_reader *hz_pgn_reader_new(hz_pgn_source source, void *context, bool keep_variations,
                                 bool keep_comments);
/* From memory, borrowed. */
hz_pgn_reader *hz_pgn_reader_text(const char *text, size_t length, bool keep_variations,
                                  bool keep_comments);
/* Accepts NULL. */
void hz_pgn_reader_free(hz_pgn_reader *reader);
/*
 * Reads the next game into `arena`, which the caller resets when the game is done with. Moves are
 * taken in every spelling of hz_san_to_move, tags and result may be missing; without tags a "1."
 * behind a blank line begins another game. Comments in front of the tags are dropped.
 *
 * HZ_NOT_FOUND at the end. HZ_PGN_SYNTAX or HZ_NOT_LEGAL for a broken game, HZ_NO_MEMORY for one
 * that was too large, with line and column (characters, from 1) and a sentence; the next call goes on
 * with the next game, which is the next tag behind a blank line, Event tag, or (in files without
 * tags) "1." behind a blank line. HZ_IO when the source failed, again in every later call. *game
 * changes on HZ_OK only.
 */
hz_status hz_pgn_read(hz_pgn_reader *reader, hz_arena *arena, hz_pgn_game *game, hz_error *err);
/* Games read, and games that were broken or too large, so far. */
uint64_t hz_pgn_reader_games(const hz_pgn_reader *reader);
uint64_t hz_pgn_reader_broken(const hz_pgn_reader *reader);

/* Takes a piece of text; false when it could not. */
typedef bool (*hz_pgn_sink)(void *context, const char *text, size_t length);
/*
 * Writes a game in export format: the seven tags first (missing ones as "?", Result as the game has
 * it), SetUp and FEN when the start is another, the other tags as they come, lines of at most 80
 * bytes where words allow it. What hz_pgn_read gave is read again as the same game. A comment that
 * holds '}' is written behind ';'. plies, offset and line are not looked at.
 *
 * Nothing is written with HZ_NOT_LEGAL (a move is not legal, no game begins like this, variations
 * more than 64 deep) and HZ_INVALID_ARGUMENT (the name of a tag is no name). HZ_IO when the sink
 * returned false; it is not called again then.
 */
hz_status hz_pgn_write(const hz_pgn_game *game, hz_pgn_sink sink, void *context, hz_error *err);

#ifdef __cplusplus
}
#endif
#endif
