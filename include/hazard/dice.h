/* SPDX-License-Identifier: MIT */
/*
 * hazard/dice.h - the rules of Dice Chess: rolls, micro-moves, legal turns, their results, the turn
 * tree, perft, and the text record of a game with its dice.
 *
 * Vocabulary: a die names a piece type; a micro-move is one relocation (castling is one and costs a
 * king and a rook die); a turn is what one side plays on one roll. A complete line that takes a
 * king is always legal; every other turn must spend as many dice as any complete line can spend
 * (the maximum rule). Taking the king ends the game. There is no check.
 *
 * Order: lists of moves and turns are in ascending byte order of their texts, without duplicates.
 * All functions are safe in any thread; an arena or list belongs to one thread at a time.
 */
#ifndef HAZARD_DICE_H
#define HAZARD_DICE_H

#include <hazard/board.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- rolls ----------------------------------------------------------------------------------- */

enum {
    HZ_ROLLS = 56,         /* multisets of three faces */
    HZ_ROLLS_ORDERED = 216 /* their weights sum to this */
};

/* One multiset of three faces a <= b <= c (1..6) with its number of ordered rolls (1, 3 or 6). */
typedef struct hz_roll {
    uint8_t face[3];
    uint8_t weight_216;
    hz_pool pool;
} hz_roll;

/* The 56 multisets in lexicographic order: 111, 112, ... 666. Index i here is bit i of a roll set.
 */
extern const hz_roll hz_rolls[HZ_ROLLS];
/* Indices into hz_rolls in search order: weight descending, lexicographic within a weight. */
extern const uint8_t hz_rolls_by_weight[HZ_ROLLS];
/* The roll of turn `ply` in the game with this seed (arena stream): a pure function. */
hz_pool hz_roll_at(uint64_t seed, uint64_t ply);
/* Three dice drawn from a stream. */
hz_pool hz_roll_draw(hz_random *random);

/* ---- micro-moves ----------------------------------------------------------------------------- */

/* Most micro-moves any position can have: m own pieces reach at most min(27, 64 - m) squares each,
 * at most 37 * 27 = 999, and two castlings (pawns reach at most 12 moves each). */
enum { HZ_MOVES_CAPACITY = 1024 };

typedef struct hz_move_list {
    int count;
    hz_move moves[HZ_MOVES_CAPACITY];
} hz_move_list;

/* Pseudo-legal micro-moves for each type in the pool, castling listed under the king without asking
 * for the rook die; all six types when the pool is empty. */
void hz_moves_pseudo(const hz_position *position, hz_move_list *list);
/* The same for a set of types (bit per hz_piece_type) and a colour, whoever is to move. */
void hz_moves_pseudo_of(const hz_position *position, hz_color color, unsigned types,
                        hz_move_list *list);
/* Micro-moves that are pseudo-legal and paid by the pool; empty without dice. */
void hz_moves_playable(const hz_position *position, hz_move_list *list);
/* Whether hz_moves_playable would list any, and so whether there is a legal turn. */
bool hz_moves_any(const hz_position *position);
/* Whether a move, of any value, is pseudo-legal for the side to move, whatever the pool; castling
 * as in hz_moves_pseudo. */
bool hz_move_is_pseudo_legal(const hz_position *position, hz_move move);
/* Legal first micro-moves: those that begin a legal turn, judged from this position and pool.
 * Empty: no dice, or a forced pass. */
void hz_moves_first(const hz_position *position, hz_move_list *list);
/* The largest number of dice a complete line can spend, 0..3. */
int hz_dice_max(const hz_position *position);

/* Dice a micro-move costs on this position's board: one of the moving type, or K and R. */
hz_pool hz_move_cost(const hz_position *position, hz_move move);

/* Finds the pseudo-legal micro-move with this text among all types. HZ_NOT_PSEUDO_LEGAL when there
 * is none (also for text that is no move). */
hz_status hz_move_from_text(const hz_position *position, const char *text, size_t length,
                            hz_move *move, hz_error *err);
/*
 * Plays one micro-move that a generator made for this position (or hz_move_from_text found): with
 * dice in the pool it must be payable (else HZ_NO_DIE) and its dice are
 * removed; with an empty pool (analysis) any pseudo-legal micro-move is played. The maximum rule is
 * not looked at. *took_king may be NULL. On failure *position is unchanged.
 */
hz_status hz_move_apply(hz_position *position, hz_move move, bool *took_king, hz_error *err);

/* Ends the turn: side switches, dice are discarded, targets the next mover made lapse, the move
 * number rises after Black (and stays at its maximum). */
void hz_hand_over(hz_position *position);

/* Over when a side has no king. *winner (may be NULL) becomes the side that still has one; it is
 * valid only when the function returns true and exactly one side has a king; *has_winner says so.
 */
bool hz_game_over(const hz_position *position, bool *has_winner, hz_color *winner);

/* ---- turns ----------------------------------------------------------------------------------- */

/* Up to three micro-moves; count 0 is a pass. Unused moves are 0. */
typedef struct hz_turn {
    uint8_t count;
    uint8_t took_king; /* 1 when the last micro-move takes a king */
    hz_move moves[3];
} hz_turn;

/* Room for a turn as text, NUL included. */
enum { HZ_TURN_CAPACITY = 20 };
/* "e2e4,f1c4", "-" for a pass. Returns the length. */
size_t hz_turn_to_text(const hz_turn *turn, char buffer[HZ_TURN_CAPACITY]);
/* A number that orders turns as their texts order by bytes. */
uint64_t hz_turn_text_order(const hz_turn *turn);

/* Called for each turn in text order; position is the board after the last micro-move, before
 * hand-over, unspent dice kept. Return false to stop. */
typedef bool (*hz_turn_visit)(void *context, const hz_turn *turn, const hz_position *after);

/*
 * Streams every legal turn that begins with `played` (NULL = all). Memory use is constant. Returns
 * HZ_OK when all were visited, HZ_INCOMPLETE when the visitor stopped, HZ_CANCELLED when the
 * deadline (may be NULL, polled once per first micro-move and every 4096 turns) passed.
 */
hz_status hz_turns_visit(const hz_position *position, const hz_turn *played,
                         const hz_deadline *deadline, hz_turn_visit visit, void *context);

/* Legal turns as sequences; `turns` lies in the arena given. No dice or a pass: count 0. */
typedef struct hz_turn_list {
    size_t count;
    hz_turn *turns;
} hz_turn_list;

/* Lists all legal turns. limit: most turns to list, 0 = all; HZ_INCOMPLETE when there are more (the
 * list then holds the first `limit`). HZ_NO_MEMORY when the arena is exhausted. */
hz_status hz_turns_list(const hz_position *position, size_t limit, hz_arena *arena,
                        hz_turn_list *list, hz_error *err);

typedef struct hz_turn_counts {
    uint64_t first;      /* legal first micro-moves */
    uint64_t turns;      /* legal turns as sequences */
    uint64_t king_turns; /* those that take a king */
    uint64_t results;    /* distinct boards they lead to */
    int max_dice;        /* hz_dice_max */
} hz_turn_counts;

/* Counts without listing. memory_limit: bytes for telling results apart (0 = 128 MiB); when the
 * results do not fit, the turns are walked several times. HZ_NO_MEMORY below about 64 KiB. */
hz_status hz_turns_count(const hz_position *position, size_t memory_limit, hz_turn_counts *counts,
                         hz_error *err);
/* Turns as sequences only: no memory, fastest. nodes (may be NULL): micro-moves visited. */
uint64_t hz_turns_perft(const hz_position *position, uint64_t *nodes);

/* Micro-move perft: pseudo-legal micro-moves (castling under the king die), each handed over and
 * the same pool put back. depth 0 is 1. depth <= 64. */
uint64_t hz_dice_perft(const hz_position *position, int depth);

/* Reads a turn text ("e2e4,f1c4" or "-") into micro-moves played one after the other from
 * `position`; they must be pseudo-legal and payable, the maximum rule is not looked at. An error's
 * offset points into the text. *after (may be NULL): the board after the last one. */
hz_status hz_turn_parse(const hz_position *position, const char *text, size_t length, hz_turn *turn,
                        hz_position *after, hz_error *err);
/* Whether the turn is one of the legal turns (a pass is legal when no turn exists). */
bool hz_turn_is_legal(const hz_position *position, const hz_turn *turn);
/* hz_turn_parse, then strict: HZ_NOT_LEGAL unless it is one of the legal turns. */
hz_status hz_turn_from_text(const hz_position *position, const char *text, size_t length,
                            hz_turn *turn, hz_position *after, hz_error *err);

/* Next micro-moves of the legal turns of the root that begin with `played`; empty when that is a
 * complete turn; HZ_NO_SUCH_TURN when none begins so. */
hz_status hz_turn_continuations(const hz_position *root, const hz_turn *played, hz_move_list *list,
                                hz_error *err);
/* For each type the most dice of that type one legal turn beginning with `played` still spends
 * after it; always a part of the dice left. HZ_NO_SUCH_TURN when none begins so. */
hz_status hz_turn_playable_dice(const hz_position *root, const hz_turn *played, hz_pool *pool,
                                hz_error *err);

/* ---- results
 * ------------------------------------------------------------------------------------- */

/*
 * What a bot chooses from: the legal turns grouped by the position they lead to. All king-capturing
 * turns together are one entry (the winning class). Each entry is played by its canonical turn: the
 * fewest micro-moves, then the smallest text. The list is in text order of the canonical turns.
 */
typedef struct hz_result {
    hz_turn turn;      /* canonical */
    hz_position after; /* after hand-over; of the winning class: the board with the king taken */
} hz_result;

typedef struct hz_result_list {
    size_t count;       /* distinct quiet results + 1 if a turn takes a king */
    size_t sequences;   /* legal turns as sequences */
    ptrdiff_t winning;  /* index of the winning class, -1 if there is none */
    hz_result *results; /* in the workspace or arena given */
} hz_result_list;

/* Lists the results; memory comes from `arena` and lives until it is reset. Count 0: no dice or a
 * forced pass. HZ_NO_MEMORY when the arena is exhausted. deadline (may be NULL) is looked at after
 * each first micro-move of a roll with more than one die; HZ_CANCELLED leaves an empty list. */
hz_status hz_results_list(const hz_position *position, const hz_deadline *deadline, hz_arena *arena,
                          hz_result_list *list, hz_error *err);

/* ---- game records ---------------------------------------------------------------------------- */

/*
 * A game as text, dice included: headers, one line per turn, the result. The format is
 * docs/formats.md, section 2. A file holds any number of games and is read game by game; nothing is
 * kept between games, so its size does not matter.
 */

enum {
    HZ_RECORD_LINE_MAX = 4096,    /* bytes of a line, without its end */
    HZ_RECORD_HEADERS_MAX = 64,   /* headers of a game without a meaning of their own */
    HZ_RECORD_NAME_MAX = 32,      /* letters of a header name */
    HZ_RECORD_TURNS_MAX = 100000, /* turns of a game */
};

typedef enum hz_game_outcome {
    HZ_OUTCOME_OPEN,  /* "*" */
    HZ_OUTCOME_WHITE, /* "1-0" */
    HZ_OUTCOME_BLACK, /* "0-1" */
    HZ_OUTCOME_DRAW   /* "1/2-1/2" */
} hz_game_outcome;

/* Why a game ended; the names are those of the reports of matches. */
typedef enum hz_game_reason {
    HZ_REASON_UNTERMINATED, /* open: the record stops before the end */
    HZ_REASON_KING,         /* won: a king was taken */
    HZ_REASON_TIME,         /* won: the mover's clock ran out */
    HZ_REASON_RESIGNATION,  /* won: either side gave up */
    HZ_REASON_ILLEGAL,      /* won: the mover's answer was no legal turn */
    HZ_REASON_LOST,         /* won: the mover's connection broke */
    HZ_REASON_FIFTY,        /* drawn: half-move clock of 100 or more before a roll */
    HZ_REASON_LENGTH,       /* drawn: the limit on turns was reached */
    HZ_REASON_AGREEMENT     /* drawn: both sides agreed */
} hz_game_reason;

/* "1-0" and so on; static text. */
const char *hz_game_outcome_text(hz_game_outcome outcome);
/* "king" and so on; static text. */
const char *hz_game_reason_text(hz_game_reason reason);

/* Where something stood in the text that was read; line 0 = it was not read from a text. */
typedef struct hz_record_place {
    size_t offset;   /* bytes from the start of the text */
    uint32_t line;   /* from 1 */
    uint32_t column; /* characters from 1 */
} hz_record_place;

/* A header without a meaning of its own, kept and written back as it is. */
typedef struct hz_record_header {
    const char *name;  /* A-Z, then up to 31 of A-Z a-z 0-9 _ */
    const char *value; /* UTF-8 without control characters other than \n and \t */
} hz_record_header;

typedef struct hz_record_turn {
    hz_turn turn; /* count 0 = a forced pass */
    hz_pool roll; /* three dice */
    bool has_clock;
    bool has_score;
    uint32_t clock_ms;     /* the mover's rest after the turn */
    int32_t score;         /* the mover's view of the turn */
    const char *comment;   /* NULL or "" = none; text as in a header's value */
    hz_record_place place; /* of the micro-moves */
} hz_record_turn;

/*
 * One game. A program that makes a record fills it (start from hz_record_init) and owns what it
 * points to; what hz_record_read fills lives in the arena given there.
 */
typedef struct hz_record {
    const char *players[2]; /* by colour, never NULL */
    hz_position start;      /* without dice */
    bool has_seed;
    uint64_t seed; /* of hz_roll_at */
    hz_game_outcome outcome;
    hz_game_reason reason;
    size_t header_count;
    hz_record_header *headers; /* all others, in order */
    size_t turn_count;
    hz_record_turn *turns;
    hz_record_place end; /* of the result line */
} hz_record;

/* A game from the initial position without turns, players "?", unterminated. */
void hz_record_init(hz_record *record);
/* The value of a header without a meaning of its own ("Event"), NULL when there is none. */
const char *hz_record_header_find(const hz_record *record, const char *name);

/* Gives the next bytes of a text: at most `capacity` into `buffer`; returns how many, 0 at the end,
 * negative when reading failed. */
typedef ptrdiff_t (*hz_record_source)(void *context, char *buffer, size_t capacity);

/* Reads games from a source. Owns no memory; its members are private. */
typedef struct hz_record_reader {
    hz_record_source source;
    void *context;
    const char *text; /* without a source: what is left of a text in memory */
    size_t text_length;
    size_t begin, end;     /* bytes held in the buffer, from the line last taken on */
    size_t line_length;    /* of that line, without its end */
    size_t line_whole;     /* with its end; 0 before the first line */
    size_t offset;         /* of that line in the text */
    uint32_t line;         /* its number */
    hz_record_place after; /* behind that line */
    bool too_long;         /* only the beginning of that line is held */
    bool again;            /* that line is to be taken once more */
    bool lost;             /* an error left the reader inside a game */
    bool at_end, failed;   /* of the source */
    char buffer[HZ_RECORD_LINE_MAX + 4096];
} hz_record_reader;

/* Reads from a source; context is handed to it. */
void hz_record_reader_init(hz_record_reader *reader, hz_record_source source, void *context);
/* Reads from `length` bytes in memory, which must live as long as the reader is used. */
void hz_record_reader_init_text(hz_record_reader *reader, const char *text, size_t length);

/*
 * Reads the next game into *record, with memory from `arena`. The bytes may be anything. Turns are
 * played as they are read: each micro-move must be pseudo-legal and paid by the roll; what else the
 * rules say is asked by hz_record_replay.
 *
 * HZ_NOT_FOUND: no game is left. HZ_RECORD_SYNTAX, HZ_RECORD_HEADER, HZ_RECORD_REPLAY: the game is
 * bad; err has line, column (characters) and offset (bytes), *record is unchanged, and the next
 * call goes on with the next line that begins a game. HZ_IO: the source failed; HZ_NO_MEMORY: the
 * arena is exhausted, the next call goes on with the next game too.
 */
hz_status hz_record_read(hz_record_reader *reader, hz_arena *arena, hz_record *record,
                         hz_error *err);

/* Takes the next bytes of a text; false stops the writing. */
typedef bool (*hz_record_sink)(void *context, const char *text, size_t length);

/*
 * Writes the canonical text of a game; one game's text after another's is again canonical. The
 * record is looked through before the first byte is written: HZ_RECORD_HEADER or HZ_RECORD_SYNTAX,
 * with the header or turn in the message, when no text can say this. HZ_IO when the sink returned
 * false. Whether the turns follow the rules is asked by hz_record_replay.
 */
hz_status hz_record_write(const hz_record *record, hz_record_sink sink, void *context,
                          hz_error *err);
/* The same into a buffer with the rules of snprintf; *length becomes the length needed without the
 * NUL. */
hz_status hz_record_to_text(const hz_record *record, char *buffer, size_t capacity, size_t *length,
                            hz_error *err);

/* One turn of a game that is played through. */
typedef struct hz_record_step {
    size_t ply; /* from 0, forced passes included */
    const hz_record_turn *turn;
    const hz_position *position; /* with the roll as its pool */
    const hz_position *after;    /* after hand-over; with the king taken, the board as it is */
} hz_record_step;

/* Called for each turn that was found right. Return false to stop. */
typedef bool (*hz_record_visit)(void *context, const hz_record_step *step);

/*
 * Plays a game through and checks it against the rules: three dice a turn, every turn one of the
 * legal turns, a pass only where there is none, no turn after a king was taken or at a half-move
 * clock of 100, the outcome and its reason such as the end of the game allows. with_seed: each roll
 * must also be hz_roll_at(seed, ply), HZ_RECORD_HEADER without a seed. visit may be NULL. *last
 * (may be NULL) becomes the position after the last turn.
 *
 * HZ_RECORD_REPLAY names the first break of a rule, with its place when the record was read from a
 * text. HZ_INCOMPLETE when the visitor stopped.
 */
hz_status hz_record_replay(const hz_record *record, bool with_seed, hz_record_visit visit,
                           void *context, hz_position *last, hz_error *err);

#ifdef __cplusplus
}
#endif
#endif
