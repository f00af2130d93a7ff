/* SPDX-License-Identifier: MIT */
/*
 * hazard/board.h - squares, pieces, the position, its text (FEN and DFEN), moves as text, keys and
 * symmetry. What chess and Dice Chess share; the rules are in chess.h and dice.h.
 *
 * Squares are numbered a1 = 0, b1 = 1, ... h8 = 63 (8 * rank + file). A bitboard is a uint64_t with
 * bit s set for square s. All functions here are safe in any thread: a position is a plain value.
 */
#ifndef HAZARD_BOARD_H
#define HAZARD_BOARD_H

#include <hazard/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hz_color { HZ_WHITE = 0, HZ_BLACK = 1 } hz_color;

/* Piece types in the order of the die faces 1..6: face = type + 1. */
typedef enum hz_piece_type {
    HZ_PAWN = 0,
    HZ_KNIGHT = 1,
    HZ_BISHOP = 2,
    HZ_ROOK = 3,
    HZ_QUEEN = 4,
    HZ_KING = 5,
    HZ_NO_PIECE = 6
} hz_piece_type;

enum { HZ_PIECE_TYPES = 6, HZ_SQUARES = 64, HZ_NO_SQUARE = 64 };

/* Castling rights, a bit set. */
enum {
    HZ_RIGHT_WHITE_KING = 1,  /* K */
    HZ_RIGHT_WHITE_QUEEN = 2, /* Q */
    HZ_RIGHT_BLACK_KING = 4,  /* k */
    HZ_RIGHT_BLACK_QUEEN = 8, /* q */
    HZ_RIGHTS_ALL = 15
};

/* ---- the dice pool -------------------------------------------------------------------------- */

/*
 * A multiset of up to three dice: two bits per piece type, the count of dice of that type at bits
 * 2 * type. Equal multisets are equal numbers. 0 = no dice.
 */
typedef uint16_t hz_pool;

static inline hz_pool hz_pool_of(hz_piece_type type) {
    return (hz_pool)(1u << (2 * (unsigned)type));
}
static inline unsigned hz_pool_count(hz_pool pool, hz_piece_type type) {
    return ((unsigned)pool >> (2 * (unsigned)type)) & 3u;
}
/* Number of dice, 0..3 in a valid pool. */
unsigned hz_pool_size(hz_pool pool);
/* The pool of three faces 1..6, in any order; a face outside 1..6 counts as no die. */
hz_pool hz_pool_from_faces(int a, int b, int c);
/* Letters sorted P N B R Q K, upper case for White, lower for Black; "" for no dice.
 * buffer of at least 4 bytes; returns the length. */
size_t hz_pool_to_text(hz_pool pool, hz_color side, char buffer[4]);
/* Reads one to three letters (either case) or digits 1..6, or "-" for none. HZ_ROLL_TEXT with the
 * offset of the first wrong byte. */
hz_status hz_pool_from_text(const char *text, size_t length, hz_pool *pool, hz_error *err);

/* ---- the position ---------------------------------------------------------------------------- */

/*
 * A position: plain value, copied with `=`. Fields may be read; to change one use the functions,
 * which keep the boards and the key together. Any placement is allowed: no kings, many kings, pawns
 * on end ranks, rights and targets that contradict the board. Move generation copes with them.
 */
typedef struct hz_position {
    uint64_t pieces[HZ_PIECE_TYPES]; /* both colours, by type */
    uint64_t colors[2];              /* by colour */
    uint64_t targets;                /* en-passant target squares, any rank, kept as given */
    uint64_t key;                    /* hash of placement, side, rights, targets, pool; no clocks */
    uint32_t fullmove;               /* 1..2147483647 */
    hz_pool pool;                    /* unspent dice of the side to move */
    uint8_t halfmove;                /* 0..127, micro-moves since a pawn move or capture */
    uint8_t side;                    /* hz_color to move */
    uint8_t rights;                  /* HZ_RIGHT_* */
} hz_position;

/* The orthodox initial position, White to move, no dice. */
#define HZ_START_DFEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* Room for any DFEN, final NUL included. */
enum { HZ_DFEN_CAPACITY = 256 };

/*
 * Reads a DFEN (a chess FEN whose fourth field may list several squares and whose seventh field is
 * the dice pool) of `length` bytes; the bytes may be anything. On failure *position is unchanged
 * and the status is the first failing check in this order: FIELD_COUNT, COLOR, CASTLING,
 * EN_PASSANT, HALFMOVE, FULLMOVE, DICE, BOARD_RANKS, BOARD_FILES or BOARD_CHAR. Offset of an error:
 * the first byte that is wrong (of a number out of range its first digit, of a row of wrong length
 * its end); the end of the field when the field is too short; for FIELD_COUNT the eighth field, or
 * the end of the text when fields are missing.
 */
hz_status hz_position_from_dfen(hz_position *position, const char *text, size_t length,
                                hz_error *err);
/*
 * Writes the canonical DFEN: runs joined, rights KQkq, targets by square, pool PNBRQK cased by side
 * and omitted when empty. snprintf rules: always terminated when capacity > 0, returns the length
 * needed without the NUL. HZ_DFEN_CAPACITY always suffices.
 */
size_t hz_position_to_dfen(const hz_position *position, char *buffer, size_t capacity);

/* The empty board, White to move, no rights, clocks 0 and 1. */
hz_position hz_position_empty(void);

/* Piece type on a square, HZ_NO_PIECE when empty. square 0..63. */
hz_piece_type hz_position_type_at(const hz_position *position, int square);
/* FEN letter on a square, '.' when empty. */
char hz_position_letter_at(const hz_position *position, int square);
/* Puts a piece on a square (replacing what is there) or clears it with HZ_NO_PIECE. */
void hz_position_put(hz_position *position, int square, hz_color color, hz_piece_type type);
void hz_position_set_side(hz_position *position, hz_color side);
void hz_position_set_pool(hz_position *position, hz_pool pool);
void hz_position_set_rights(hz_position *position, unsigned rights);
void hz_position_set_targets(hz_position *position, uint64_t targets);

/* The key computed from nothing; always equals position->key. */
uint64_t hz_position_fresh_key(const hz_position *position);

/* Same placement, side, rights and targets; pool and clocks are not looked at. This is the identity
 * of a result. */
bool hz_position_same_board(const hz_position *a, const hz_position *b);

/* Squares of pieces of `color` whose capture geometry covers `square` on the present occupancy
 * (pins, dice, side to move and en passant do not matter). */
uint64_t hz_position_attackers(const hz_position *position, int square, hz_color color);
/* All squares attacked by `color`. */
uint64_t hz_position_attacked(const hz_position *position, hz_color color);

/* ---- symmetry and keys ----------------------------------------------------------------------- */

/* Ranks mirrored, colours, side, rights and targets swapped; pool and clocks kept. Involution. */
hz_position hz_position_flip(const hz_position *position);
/* Files mirrored, rights K<->Q and k<->q. Involution; a symmetry of the game only without rights.
 */
hz_position hz_position_mirror(const hz_position *position);
/* The canonical representative: White to move, and without castling rights the smaller of the two
 * mirror images by DFEN text. Idempotent. */
hz_position hz_position_canonical(const hz_position *position);
/* Four-field key: placement, side, rights, and only the targets the side to move can capture en
 * passant right now. snprintf rules. */
size_t hz_position_key4(const hz_position *position, char *buffer, size_t capacity);
/* Book key: key4, a space, the pool letters in alphabetical order cased by side. 0 and an empty
 * text without dice. snprintf rules. */
size_t hz_position_book_key(const hz_position *position, char *buffer, size_t capacity);
/* Targets the side to move can capture en passant now with a pawn in place, pool ignored. */
uint64_t hz_position_capturable_targets(const hz_position *position);

/* ---- moves ----------------------------------------------------------------------------------- */

/*
 * A micro-move in 16 bits: from (0..5), to (6..11), flags (12..15). The flags say what the move
 * does on its board; they are made by the generators and never written down. 0 is no move.
 */
typedef uint16_t hz_move;

enum {
    HZ_MOVE_QUIET = 0,
    HZ_MOVE_DOUBLE_STEP = 1,
    HZ_MOVE_CASTLE_KING = 2,
    HZ_MOVE_CASTLE_QUEEN = 3,
    HZ_MOVE_CAPTURE = 4, /* bit: captures */
    HZ_MOVE_EN_PASSANT = 5,
    HZ_MOVE_PROMOTION = 8 /* bit: promotes, piece type = 1 + (flags & 3) */
};

static inline hz_move hz_move_make(int from, int to, unsigned flags) {
    return (hz_move)((unsigned)from | (unsigned)to << 6 | flags << 12);
}
static inline int hz_move_from(hz_move move) {
    return move & 63;
}
static inline int hz_move_to(hz_move move) {
    return (move >> 6) & 63;
}
static inline unsigned hz_move_flags(hz_move move) {
    return (unsigned)move >> 12;
}
static inline bool hz_move_is_castling(hz_move move) {
    return (hz_move_flags(move) & 14u) == 2u;
}
/* Promotion piece, HZ_NO_PIECE when the move does not promote. */
static inline hz_piece_type hz_move_promotion(hz_move move) {
    unsigned flags = hz_move_flags(move);
    return flags & HZ_MOVE_PROMOTION ? (hz_piece_type)(1u + (flags & 3u)) : HZ_NO_PIECE;
}

/* Room for one move as text, NUL included. */
enum { HZ_MOVE_CAPACITY = 6 };
/* "e2e4", "e7e8q". Returns the length. */
size_t hz_move_to_text(hz_move move, char buffer[HZ_MOVE_CAPACITY]);
/* A number that orders moves as their texts order by bytes; 1..32767. */
unsigned hz_move_text_order(hz_move move);
/* Reads the squares and the promotion letter; says nothing about legality. *promotion becomes
 * HZ_NO_PIECE without a letter. HZ_MOVE_TEXT with the offset of the first wrong byte. */
hz_status hz_move_parse(const char *text, size_t length, int *from, int *to,
                        hz_piece_type *promotion, hz_error *err);

/* "e4" for square 28; buffer of 3 bytes. */
void hz_square_to_text(int square, char buffer[3]);
/* 0..63, or HZ_NO_SQUARE when the two bytes are no square. */
int hz_square_from_text(const char *text, size_t length);

/*
 * Plays a move made by a generator for this position: placement, rights, targets, half-move clock
 * and key change; the side to move and the pool stay. Returns the captured type (HZ_NO_PIECE when
 * none, HZ_PAWN for en passant).
 */
hz_piece_type hz_position_play(hz_position *position, hz_move move);

#ifdef __cplusplus
}
#endif
#endif
