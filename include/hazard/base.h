/* SPDX-License-Identifier: MIT */
/*
 * hazard/base.h - what every room stands on: status codes, error values, arena memory,
 * counter-based random streams, monotonic deadlines, threads that share a task.
 *
 * Nothing in libhazard prints, exits, aborts or keeps a hidden "last error". A function that can
 * fail returns an hz_status and, when the caller asks, fills an hz_error.
 */
#ifndef HAZARD_BASE_H
#define HAZARD_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status ------------------------------------------------------------------------------- */

/*
 * All status codes: name, value, text for a person. The names are part of the contract of
 * `hazard query` (docs/query.md); the values are part of the binary interface.
 */
#define HZ_STATUS_TABLE(X)                                                                         \
    X(OK, 0, "done")                                                                               \
    /* general */                                                                                  \
    X(NO_MEMORY, -1, "out of memory")                                                              \
    X(INVALID_ARGUMENT, -2, "an argument is outside its range")                                    \
    X(IO, -3, "reading or writing failed")                                                         \
    X(INCOMPLETE, -4, "a work limit was hit before the answer was complete")                       \
    X(CANCELLED, -5, "the caller cancelled the work or its deadline passed")                       \
    X(NOT_FOUND, -6, "there is no such thing")                                                     \
    X(UNSUPPORTED, -7, "this build or machine cannot do that")                                     \
    /* DFEN, in the order in which they are tested */                                              \
    X(FIELD_COUNT, -20, "a DFEN has four to seven fields separated by single spaces")              \
    X(COLOR, -21, "the side to move is 'w' or 'b'")                                                \
    X(CASTLING, -22, "castling rights are '-' or one to four of KQkq without repeats")             \
    X(EN_PASSANT, -23, "en-passant targets are '-' or squares without repeats")                    \
    X(HALFMOVE, -24, "the half-move clock is a number from 0 to 127")                              \
    X(FULLMOVE, -25, "the full-move number is a number from 1 to 2147483647")                      \
    X(DICE, -26, "the pool is '-' or one to three of PNBRQK")                                      \
    X(BOARD_RANKS, -27, "the placement has eight ranks")                                           \
    X(BOARD_FILES, -28, "each rank has eight files")                                               \
    X(BOARD_CHAR, -29, "the placement holds piece letters and the digits 1 to 8")                  \
    /* moves and turns */                                                                          \
    X(MOVE_TEXT, -40, "a micro-move is written from-square, to-square, optional qrbn")             \
    X(NOT_PSEUDO_LEGAL, -41, "the piece cannot move like that here")                               \
    X(NO_DIE, -42, "no unspent die pays for this micro-move")                                      \
    X(NOT_LEGAL, -43, "this is not one of the legal turns")                                        \
    X(NO_SUCH_TURN, -44, "no legal turn begins like this")                                         \
    X(ROLL_TEXT, -45, "a roll is one to three of PNBRQK or 1 to 6")                                \
    /* names and options */                                                                        \
    X(UNKNOWN_SCHEMA, -60, "no feature schema has this id")                                        \
    X(UNKNOWN_EVALUATOR, -61, "no evaluator has this name")                                        \
    X(UNKNOWN_BOT, -62, "no bot has this id")                                                      \
    X(BAD_OPTION, -63, "an option is unknown or its value is out of range")                        \
    X(UNKNOWN_TARGET, -64, "the target is not one of the known names")                             \
    /* files and lines from outside */                                                             \
    X(RECORD_SYNTAX, -80, "the game record is not well formed")                                    \
    X(RECORD_HEADER, -81, "a header of the game record is missing, double or wrong")               \
    X(RECORD_REPLAY, -82, "the game record does not follow the rules")                             \
    X(BOOK_SYNTAX, -83, "the opening book is not well formed")                                     \
    X(JSON, -84, "the text is not valid JSON")                                                     \
    X(QUERY_FORM, -85, "the query lacks a field or a field has the wrong type")                    \
    X(UNKNOWN_QUERY, -86, "there is no query of this name")                                        \
    X(SCENARIO, -87, "the scenario catalogue breaks a rule")                                       \
    X(EPD_SYNTAX, -88, "the EPD line is not well formed")                                          \
    X(PGN_SYNTAX, -89, "the PGN game is not well formed")                                          \
    /* models */                                                                                   \
    X(MODEL_FILE, -100, "the model file cannot be read")                                           \
    X(MANIFEST_FILE, -101, "the manifest file cannot be read")                                     \
    X(MANIFEST, -102, "the manifest breaks a rule")                                                \
    X(ENGINE_VERSION, -103, "the package is not meant for this engine version")                    \
    X(MODEL_ROLE, -104, "the model's role does not fit the place it is wired to")                  \
    X(MODEL_DIGEST, -105, "the model file is not the one the manifest describes")                  \
    X(GRAPH, -106, "the ONNX graph cannot be read")                                                \
    X(GRAPH_CONTRACT, -107, "the graph's inputs and outputs are not as they must be")              \
    X(MODEL_RUN, -108, "running the model failed")                                                 \
    X(NO_EXECUTOR, -109, "this executor is not there")                                             \
    X(CONFLICT, -110, "settings contradict each other")                                            \
    X(CLOSED, -111, "the handle is closed")                                                        \
    /* matches */                                                                                  \
    X(CHECKPOINT, -120, "the checkpoint is of another run or damaged")                             \
    X(ARCHIVE, -121, "the archive of games cannot be used")                                        \
    X(OPENINGS, -122, "the list of start positions is not well formed")                            \
    X(VERIFY, -123, "the position kept move by move is not the one made from nothing")             \
    X(PLAYER, -124, "a player cannot be started")                                                  \
    X(ROWS, -125, "the rows of games are damaged or of another kind")

typedef enum hz_status {
#define HZ_STATUS_ENUM(name, value, text) HZ_##name = (value),
    HZ_STATUS_TABLE(HZ_STATUS_ENUM)
#undef HZ_STATUS_ENUM
} hz_status;

/* Name of a code without prefix, for example "FIELD_COUNT"; "UNKNOWN" for a value not in the
 * table. Static text. Safe anywhere. */
const char *hz_status_name(hz_status status);

/* One sentence about a code. Static text. Safe anywhere. */
const char *hz_status_text(hz_status status);

/* Offset of an error that has no place in the input. */
#define HZ_NO_OFFSET SIZE_MAX

/*
 * What went wrong, for a program (code, offset) and for a person (message).
 * offset: byte offset in the text that was read, or HZ_NO_OFFSET.
 * line, column: 1-based place in a text of several lines, 0 = none.
 */
typedef struct hz_error {
    hz_status code;
    uint32_t line;
    uint32_t column;
    size_t offset;
    char message[1000];
} hz_error;

/* Fills *err (when not NULL) and returns code, so that `return hz_fail(...)` reads well.
 * format as in printf; a message that is too long is cut. Safe anywhere. */
hz_status hz_fail(hz_error *err, hz_status code, size_t offset, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* Sets *err (when not NULL) to HZ_OK, no offset, empty message. */
void hz_error_clear(hz_error *err);

/* ---- arena memory ------------------------------------------------------------------------- */

/*
 * Memory that is taken in pieces and given back at once. Used for lists whose length is only
 * known while they are made. One arena belongs to one thread at a time. A zeroed arena is valid.
 */
typedef struct hz_arena_block hz_arena_block;
typedef struct hz_arena {
    hz_arena_block *first;   /* owned chain of blocks */
    hz_arena_block *current; /* block that serves the next request */
    size_t limit;            /* most bytes the arena may hold, 0 = no limit */
    size_t held;             /* bytes held from the system now */
} hz_arena;

/* limit: most bytes the arena may take from the system, 0 = no limit. */
void hz_arena_init(hz_arena *arena, size_t limit);
/* size bytes aligned for any object (16), or NULL when memory or the limit is exhausted; then what
 * was there before stays valid. size 0 gives a valid unique pointer. */
void *hz_arena_alloc(hz_arena *arena, size_t size);
/* Grows a piece from old_size to new_size bytes: in place when it was the latest one and fits, else
 * by copying. NULL on failure, the old piece stays valid. old may be NULL with old_size 0. */
void *hz_arena_grow(hz_arena *arena, void *old, size_t old_size, size_t new_size);
/* Forgets all pieces but keeps the blocks for reuse. */
void hz_arena_reset(hz_arena *arena);
/* Gives everything back. Accepts NULL and a zeroed arena; the arena may be used again. */
void hz_arena_fini(hz_arena *arena);

/* ---- random streams ------------------------------------------------------------------------ */

/*
 * Counter-based random numbers: the k-th number is a pure function of (seed, k), so that a stream
 * can be repeated from what a report says. mix is the finalizer of splitmix64 (Steele, Lea, Flood,
 * "Fast splittable pseudorandom number generators", 2014). Always an argument, never global.
 */
typedef struct hz_random {
    uint64_t seed;
    uint64_t counter;
} hz_random;

/* The 64-bit mixer; bijective. */
uint64_t hz_random_mix(uint64_t x);
/* A stream at counter 0. */
hz_random hz_random_from_seed(uint64_t seed);
/* high64(k * mix(mix(seed) + counter * G)), uniform in 0..k-1; counter += 1. 1 <= k < 2^32. */
uint32_t hz_random_draw(hz_random *random, uint32_t k);
/* Index into a list of n >= 1: draw(n), but without a draw when n = 1. */
uint32_t hz_random_pick(hz_random *random, uint32_t n);
/* Die k (0..2) of turn `ply` of the game with this seed, 1..6: a pure function. */
int hz_random_die(uint64_t seed, uint64_t ply, int k);
/* A seed from the operating system. HZ_IO when the system has none to give. */
hz_status hz_random_system_seed(uint64_t *seed);

/* ---- time ---------------------------------------------------------------------------------- */

/* Nanoseconds of the monotonic clock. Safe anywhere. */
uint64_t hz_clock_now_ns(void);

/* A flag another thread may raise to stop work. Zero-initialise. */
typedef struct hz_cancel {
    int requested;
} hz_cancel;

/* Raises the flag (atomic). Safe from any thread and from a signal handler. */
void hz_cancel_request(hz_cancel *cancel);
/* Lowers the flag (atomic). */
void hz_cancel_clear(hz_cancel *cancel);
/* Reads the flag (atomic). NULL reads as false. */
bool hz_cancel_requested(const hz_cancel *cancel);

#define HZ_NO_DEADLINE UINT64_MAX

/*
 * When to stop: a monotonic time and/or a cancel flag, polled at the points a function names.
 * now: NULL for the real clock; tests put their own here, called with now_state. The untimed
 * deadline never reads a clock.
 */
typedef struct hz_deadline {
    uint64_t at_ns;          /* HZ_NO_DEADLINE = untimed */
    const hz_cancel *cancel; /* may be NULL; must outlive the deadline */
    uint64_t (*now)(void *now_state);
    void *now_state;
} hz_deadline;

/* No time limit, no cancel flag. */
hz_deadline hz_deadline_none(void);
/* budget_ms milliseconds from now by the real clock; saturates instead of wrapping. */
hz_deadline hz_deadline_in_ms(uint64_t budget_ms);
/* True when cancelled, or when the time is reached or past. NULL reads as untimed. */
bool hz_deadline_expired(const hz_deadline *deadline);
/* Whether a time limit is set. */
bool hz_deadline_is_timed(const hz_deadline *deadline);
/* The deadline's own clock, ns. */
uint64_t hz_deadline_now_ns(const hz_deadline *deadline);

/* ---- threads --------------------------------------------------------------------------------- */

/*
 * A few threads that share the items 0..count-1 of a task. They are started once, wait without
 * using the processor while there is nothing to do, and take no signals. A pool belongs to whoever
 * made it: one run at a time; different pools are independent of each other.
 */
typedef struct hz_thread_pool hz_thread_pool;

/* Does item `index`. worker: 0 is the thread that called run, 1..threads-1 are those of the pool;
 * two items at the same time never have the same worker. */
typedef void (*hz_thread_task)(void *context, size_t index, unsigned worker);

enum { HZ_THREADS_MAX = 256 };

/* threads: workers, the calling thread of a run included, 1..HZ_THREADS_MAX, else
 * HZ_INVALID_ARGUMENT; 1 starts none. HZ_NO_MEMORY when the system gives no memory or thread. On
 * failure *pool is NULL. */
hz_status hz_thread_pool_new(unsigned threads, hz_thread_pool **pool, hz_error *err);
/* Ends the threads; no run may be going on. Accepts NULL. */
void hz_thread_pool_free(hz_thread_pool *pool);
/* As given to hz_thread_pool_new; 1 for NULL. */
unsigned hz_thread_pool_threads(const hz_thread_pool *pool);
/*
 * Does every item once and returns when all are done. Items begin in ascending order, each worker
 * takes the next one when it is free; what the task wrote is then visible to the caller. NULL pool:
 * the caller does them all, in order. A task must not run its own pool.
 */
void hz_thread_pool_run(hz_thread_pool *pool, size_t count, hz_thread_task task, void *context);

/* ---- library ------------------------------------------------------------------------------- */

/* Version of the library, "major.minor.patch". Static text. */
const char *hz_version(void);

#ifdef __cplusplus
}
#endif
#endif
