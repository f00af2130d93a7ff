/* SPDX-License-Identifier: MIT */
/*
 * hazard/league.h - the evaluator competition: a network judges positions for a player with a fixed
 * shallow search, which meets four baselines of rising strength.
 *
 * Everything here is deterministic: the same evaluator plays the same games on every machine.
 *
 * Thread rule: an object belongs to one thread at a time; different ones may run in parallel.
 */
#ifndef HAZARD_LEAGUE_H
#define HAZARD_LEAGUE_H

#include <hazard/search.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- judges -------------------------------------------------------------------------------------- */

/* Judges n positions for their side to move, larger = better; the scale is free. A value that is
 * not finite forfeits the game, where the search comes to it. A failure forfeits it, too. */
typedef hz_status (*hz_league_judge_function)(void *state, const hz_position *positions, size_t n,
                                              float *values, hz_error *err);
typedef struct hz_league_judge {
    hz_league_judge_function judge; /* NULL = the handcrafted evaluation */
    void *state;
} hz_league_judge;
/* Own minus enemy material (P 1, N 3, B 3, R 5, Q 9). */
hz_league_judge hz_league_judge_material(void);

/*
 * The judge of a submitted graph: [batch,1540] or [1,1540] in, [batch,1] or [1,1] out, the row being
 * the schema dual-view-1540-v1. Used by one thread at a time.
 */
typedef struct hz_league_model hz_league_model;
/* executor: "builtin", "onnxruntime", or NULL: the built-in one if it opens the graph, else ONNX
 * Runtime if it is there. memory_bytes: most that a graph may take, 0 = 512 MiB. HZ_GRAPH,
 * HZ_GRAPH_CONTRACT for other inputs and outputs, HZ_NO_EXECUTOR. */
hz_status hz_league_model_open(const void *bytes, size_t length, const char *executor,
                               size_t memory_bytes, hz_league_model **model, hz_error *err);
/* Accepts NULL. */
void hz_league_model_close(hz_league_model *model);
/* Valid until the model is closed. */
hz_league_judge hz_league_model_judge(hz_league_model *model);
/* "builtin" or "onnxruntime". */
const char *hz_league_model_executor(const hz_league_model *model);
/* Whether the first dimension is a symbol, so that positions can be judged in batches. */
bool hz_league_model_is_batched(const hz_league_model *model);
/* Whether a player should be `batched`: always with ONNX Runtime; with the built-in executor, whose
 * values are the same either way, when a batch was measured to be that much cheaper. */
bool hz_league_model_prefers_batches(hz_league_model *model);

/* ---- how games end --------------------------------------------------------------------------- */

typedef enum hz_league_reason {
    HZ_LEAGUE_CHECKMATE,
    HZ_LEAGUE_STALEMATE,
    HZ_LEAGUE_FIFTY,
    HZ_LEAGUE_DEAD,
    HZ_LEAGUE_THREEFOLD,
    HZ_LEAGUE_LENGTH,     /* 500 plies beyond the opening */
    HZ_LEAGUE_NOT_FINITE, /* forfeits of the evaluator */
    HZ_LEAGUE_TIMEOUT,
    HZ_LEAGUE_CRASH
} hz_league_reason;
const char *hz_league_reason_text(hz_league_reason reason);
enum { HZ_LEAGUE_PLIES_MAX = 500 };

/*
 * The graph of a reference row, in `arena`: "material", five parameters, as hz_league_judge_material
 * judges; "handcrafted", none, exactly hz_evaluate_handcrafted for every position with a king on
 * each side and no pawn on an end rank. HZ_NOT_FOUND for another name.
 */
hz_status hz_league_reference(const char *name, hz_arena *arena, const void **bytes, size_t *length,
                              hz_error *err);

/* ---- players ------------------------------------------------------------------------------------- */

/* Mate in n plies is HZ_LEAGUE_MATE - n; finite values are cut to +-HZ_LEAGUE_VALUE_MAX. */
enum { HZ_LEAGUE_MATE = 100000, HZ_LEAGUE_VALUE_MAX = 90000, HZ_LEAGUE_LEVELS = 4 };

typedef struct hz_league_player_config {
    hz_league_judge judge;
    int depth;     /* 1..; 1 = every move, then quiescence */
    bool enhanced; /* table, principal variation search, null move; else classic alpha-beta */
    bool evade;    /* experiments only: in check all moves are searched instead of standing pat */
    bool cached;   /* remember judgements and quiescence values by position; changes nothing but the
                      time */
    bool batched;  /* with cached: judge captures together before they are looked at one by one;
                      more judgements in fewer calls */
} hz_league_player_config;

/* The config of a baseline, level 1..4: classic depth 1 and 2, enhanced depth 3 and 4. */
hz_league_player_config hz_league_baseline(int level);
/* "Beginner", "Novice", "Advanced", "Expert"; static. */
const char *hz_league_level_name(int level);

typedef struct hz_league_player hz_league_player;
/* HZ_INVALID_ARGUMENT for a depth outside 1..16; HZ_NO_MEMORY. */
hz_status hz_league_player_new(const hz_league_player_config *config, hz_league_player **player,
                               hz_error *err);
void hz_league_player_free(hz_league_player *player);
/* Forgets table, killers and history, as before each game. */
void hz_league_player_new_game(hz_league_player *player);

typedef struct hz_league_choice {
    hz_move move;
    float score;    /* of the child, from the mover */
    uint64_t nodes; /* of this choice */
    uint64_t judgements;
    hz_league_reason reason; /* set by a failure: what it means for the game */
} hz_league_choice;
/*
 * Chooses in the present position of a game, which must not be over. The first move in root order
 * with the best score. HZ_MODEL_RUN when the judge failed or gave a value that is not finite;
 * HZ_CANCELLED when the deadline (may be NULL; looked at before each judgement) passed.
 */
hz_status hz_league_player_choose(hz_league_player *player, const hz_chess_game *game,
                                  const hz_deadline *deadline, hz_league_choice *choice,
                                  hz_error *err);
/* The quiescence value of a position with a full window, for its side to move. */
hz_status hz_league_player_quiescence(hz_league_player *player, const hz_position *position,
                                      float *value, hz_error *err);

/* ---- openings -------------------------------------------------------------------------------------- */

enum { HZ_LEAGUE_OPENINGS = 25 };
typedef struct hz_league_opening {
    const char *eco;
    const char *name;
    const char *moves; /* separated by blanks, from the initial position */
} hz_league_opening;
/* The openings in playing order, number 1..25. */
extern const hz_league_opening hz_league_openings[HZ_LEAGUE_OPENINGS];
/* A game that has played an opening. HZ_NOT_LEGAL, HZ_NO_MEMORY. */
hz_status hz_league_opening_game(const hz_league_opening *opening, hz_chess_game *game,
                                 hz_error *err);

/* ---- games ------------------------------------------------------------------------------------------ */

/* A finished game; moves in `game` (opening included). */
typedef struct hz_league_result {
    int opening;    /* 1..25 */
    hz_color color; /* the evaluator's */
    int points2;    /* of the evaluator: 2 win, 1 draw, 0 loss */
    hz_league_reason reason;
    size_t plies;          /* beyond the opening */
    uint64_t evaluator_ns; /* time of the evaluator's choices */
    uint64_t judgements;
} hz_league_result;

/*
 * Plays one game; *game must be an opening (hz_league_opening_game) and holds the moves afterwards.
 * budget_ns: time of the evaluator in this game, 0 = none. A forfeit is a result, not a failure.
 * HZ_CANCELLED by the cancel flag (may be NULL).
 */
hz_status hz_league_play(hz_league_player *evaluator, hz_league_player *baseline, hz_color color,
                         uint64_t budget_ns, const hz_cancel *cancel, hz_chess_game *game,
                         hz_league_result *result, hz_error *err);

/* ---- openings from a file ---------------------------------------------------------------------- */

/*
 * Reads 25 openings: lines of code, name and moves separated by tabs, in playing order; empty lines
 * and lines that begin with '#' are skipped. Texts lie in `arena`. Each opening is 4 to 20 plies of
 * legal moves after which White is to move and the game goes on; no two reach the same position.
 * HZ_RECORD_SYNTAX with the line, or what hz_league_opening_game says.
 */
hz_status hz_league_openings_read(const char *text, size_t length, hz_arena *arena,
                                  hz_league_opening openings[HZ_LEAGUE_OPENINGS], hz_error *err);
/* A second set, for those who have none of their own; not as private as one should be. */
extern const hz_league_opening hz_league_second_openings[HZ_LEAGUE_OPENINGS];

/* ---- the ladder of the baselines --------------------------------------------------------------- */

enum {
    HZ_LEAGUE_BALANCE_CP = 40,   /* worth at most, to either side, */
    HZ_LEAGUE_BALANCE_DEPTH = 8, /* for a search of so many plies with the handcrafted evaluation */
    HZ_LEAGUE_MADE_MAX = 10000
};
/*
 * Makes 1 to HZ_LEAGUE_MADE_MAX openings, the same for the same seed, fewer being the first of more:
 * 6 or 8 random legal moves after which White is to move and not in check, the game goes on and is
 * balanced. No two reach the same position. Texts lie in `arena`. HZ_INVALID_ARGUMENT, HZ_NO_MEMORY,
 * HZ_CANCELLED by the flag (may be NULL).
 */
hz_status hz_league_openings_make(uint64_t seed, size_t count, const hz_cancel *cancel,
                                  hz_arena *arena, hz_league_opening *openings, hz_error *err);

typedef struct hz_league_step_config {
    int lower, upper; /* baselines, 1..4 */
    const hz_league_opening *openings;
    size_t count;            /* of openings; each is played with both colours */
    unsigned threads;        /* 0 = 1 */
    const hz_cancel *cancel; /* may be NULL */
    void (*on_pair)(
        void *state); /* after both games of an opening, one call at a time; may be NULL */
    void *state;
} hz_league_step_config;
/* What the upper level did: games by half points, pairs of an opening by half points of both. */
typedef struct hz_league_step {
    uint64_t games[3]; /* lost, drawn, won */
    uint64_t pairs[5];
} hz_league_step;
/* Plays two baselines. The result does not depend on the number of threads. HZ_INVALID_ARGUMENT,
 * HZ_NO_MEMORY, HZ_NOT_LEGAL for an opening, HZ_CANCELLED. */
hz_status hz_league_step_play(const hz_league_step_config *config, hz_league_step *result,
                              hz_error *err);

/* ---- checking a submission --------------------------------------------------------------------- */

/* What a submission may take. A zeroed field means its default. */
typedef struct hz_league_limits {
    uint64_t position_ms;  /* for one position of the probe run; default 1000 */
    uint64_t opening_ms;   /* for reading, counting and making a session; default 30000 */
    uint64_t memory_bytes; /* of the child process; default 2 GiB */
    uint64_t game_ms;      /* of the evaluator in one game; default 300000 */
    uint64_t parameters;   /* default 10000000 */
    const char *program;  /* started as the child with the arguments "league" "runner": it must call
                               hz_league_runner; default this very program, /proc/self/exe */
    const char *executor; /* "builtin", "onnxruntime"; default: what fits */
} hz_league_limits;

enum { HZ_LEAGUE_PROBES = 16, HZ_LEAGUE_FILE_MAX = 50000000 };

/* The refusals, in the order of the checks; the number of a code is E and two digits. */
enum {
    HZ_LEAGUE_ACCEPTED = 0,
    HZ_LEAGUE_E01_SIZE = 1,
    HZ_LEAGUE_E02_PARSE,
    HZ_LEAGUE_E03_VERSION,
    HZ_LEAGUE_E04_EXTERNAL,
    HZ_LEAGUE_E05_INPUTS,
    HZ_LEAGUE_E06_INPUT,
    HZ_LEAGUE_E07_OUTPUT,
    HZ_LEAGUE_E08_OPERATOR,
    HZ_LEAGUE_E09_NAMES,
    HZ_LEAGUE_E10_PARAMETERS,
    HZ_LEAGUE_E11_SESSION,
    HZ_LEAGUE_E12_PROBE,
    HZ_LEAGUE_E13_COST,
    HZ_LEAGUE_E14_CONSTANT /* a warning only */
};
/* One sentence about a code, static. */
const char *hz_league_code_text(int code);

typedef struct hz_league_verdict {
    int code;      /* HZ_LEAGUE_ACCEPTED or the first refusal, E01..E13 */
    bool constant; /* the warning E14 */
    bool counted;  /* parameters are known */
    bool batched;
    char message[600]; /* why, for a person; "" when accepted */
    char digest[65];   /* SHA-256 of the file */
    uint64_t bytes;
    hz_parameters parameters;
    char executor[16]; /* "" when none opened it */
    char executor_version[32];
    float values[HZ_LEAGUE_PROBES];
    double position_ms; /* the slowest of the probe */
} hz_league_verdict;

/*
 * Checks a submission in a sandboxed child. HZ_OK also for a refusal, which the verdict tells.
 * limits may be NULL. HZ_UNSUPPORTED where there is no sandbox, HZ_IO when no child can be started,
 * HZ_CANCELLED by the flag (may be NULL). Takes SIGCHLD as it is: the child is waited for by its
 * number.
 */
hz_status hz_league_check(const void *bytes, size_t length, const hz_league_limits *limits,
                          const hz_cancel *cancel, hz_league_verdict *verdict, hz_error *err);

/*
 * The child's side: talks over the descriptor (a socket) until its other end is closed; returns an
 * exit code. For a program that serves as `program` above; it should be called first thing in main,
 * with one thread and nothing open that matters.
 */
int hz_league_runner(int descriptor);

/* ---- runs ---------------------------------------------------------------------------------------- */

/* A finished game of a run. */
typedef struct hz_league_record {
    int level;   /* 1..4 */
    bool second; /* of the second set of openings */
    int number;  /* 1..50: 2 i - 1 with White, 2 i with Black from opening i */
    const hz_league_opening *opening;
    hz_league_result result;
    const hz_chess_game *game; /* from the position of the opening on */
} hz_league_record;

/* Points of one level. */
enum { HZ_LEAGUE_GAMES = 50, HZ_LEAGUE_PASS_POINTS2 = 70 };
typedef struct hz_league_score {
    int played, wins, draws, losses;
} hz_league_score;
/* 2 per win, 1 per draw. */
int hz_league_points2(const hz_league_score *score);

typedef struct hz_league_run_config {
    const void *bytes; /* the graph; it should have been checked. NULL: `judge` plays here */
    size_t length;
    hz_league_judge judge; /* must be safe in several threads */
    hz_league_limits limits;
    bool evade;                      /* experiments only */
    int level;                       /* only this one, 0 = 1, 2, ... until one is not passed */
    unsigned threads;                /* 0 = 1 */
    const hz_league_opening *second; /* 25 openings for the second figure; NULL = none */
    const hz_cancel *cancel;         /* may be NULL */
    /* Called after each game, one call at a time, in any order and from any thread; may be NULL. A
     * failure ends the run. */
    hz_status (*on_game)(void *state, const hz_league_record *record, hz_error *err);
    void *state;
} hz_league_run_config;

typedef struct hz_league_run_result {
    int level; /* highest level cleared; with config.level: that one or 0 */
    hz_league_score levels[HZ_LEAGUE_LEVELS]; /* level n at n - 1 */
    hz_league_score second;                   /* at the highest level cleared; played = 0 without */
    bool fitted;                              /* the two figures differ by more than 12 points */
} hz_league_run_result;

/*
 * Plays a run. Every level that is begun is played to its end. A graph plays in sandboxed children,
 * one per thread; what they answer is checked here, and a child that crashes, hangs or answers
 * nonsense loses its game. The result does not depend on the number of threads, as long as no game
 * runs into its time limit. HZ_CANCELLED, or what prevented a child or on_game reported.
 */
hz_status hz_league_run(const hz_league_run_config *config, hz_league_run_result *result,
                        hz_error *err);

/*
 * Plays a recorded game of a graph again and says whether it took the same course. What a forfeit
 * for time was depends on the machine; such a game is never the same.
 */
hz_status hz_league_replay(const void *bytes, size_t length, const hz_league_limits *limits,
                           const hz_league_record *record, bool *same, hz_error *err);

/* A game as PGN with tags Event, Round, White, Black, Result, ECO, Opening, FEN, Termination. */
hz_status hz_league_write_pgn(const hz_league_record *record, const char *evaluator,
                              const char *date, hz_pgn_sink sink, void *context, hz_error *err);

/* ---- the store ------------------------------------------------------------------------------------ */

/*
 * Submissions, their runs and every move of their games, in an SQLite file. Each call is one
 * transaction: after a crash or a kill the file holds what was there before or after a call. Several
 * processes may use one file. A store belongs to one thread at a time.
 *
 * A submission goes its way in this order: submit; if it is accepted for checking: begin_check,
 * then verdict; if it was accepted for play: add_game for each game, finish.
 */
typedef struct hz_league_store hz_league_store;

/* Creates the file when it is not there; brings an older one up to date. HZ_IO for a file that
 * cannot be used, is damaged or is something else: it is left as it is. */
hz_status hz_league_store_open(const char *path, hz_league_store **store, hz_error *err);
/* Accepts NULL. */
void hz_league_store_close(hz_league_store *store);

typedef enum hz_league_answer {
    HZ_LEAGUE_QUEUED, /* entry `id` waits for its check */
    HZ_LEAGUE_KNOWN,  /* the same bytes were here before: entry `id` has the result or will have */
    HZ_LEAGUE_WAIT    /* too early: `wait_s` */
} hz_league_answer;

/* Seconds between two submissions of an author that were accepted for play; checks per minute. */
enum { HZ_LEAGUE_PAUSE_S = 600, HZ_LEAGUE_CHECKS_PER_MINUTE = 6 };

/*
 * Takes a submission at the time `now` (Unix seconds). author: 1 to 40 characters, strategy: 0 to
 * 80, printable UTF-8 without line ends and characters that cannot be seen, the author's without
 * blanks at its ends, else HZ_INVALID_ARGUMENT. reference: one of the rows that
 * are shown and not ranked; has no rate limit. Entries from further ahead than an author has to wait
 * are from a clock that was wrong, and keep nobody waiting.
 */
hz_status hz_league_store_submit(hz_league_store *store, const char *author, const char *strategy,
                                 const void *bytes, size_t length, int64_t now, bool reference,
                                 hz_league_answer *answer, int64_t *id, int64_t *wait_s,
                                 hz_error *err);
/* The bytes of an entry, for free. HZ_NOT_FOUND. */
hz_status hz_league_store_bytes(hz_league_store *store, int64_t id, void **bytes, size_t *length,
                                hz_error *err);
/*
 * Takes this entry, which waits or was being checked or played when its program ended (no game of it
 * was finished for ten minutes, or the latest more than ten minutes from now, by a clock that was
 * wrong): what was played so far is dropped, and it is checking. HZ_CONFLICT when it is not there,
 * finished, or in other hands. `now` again is the time.
 */
hz_status hz_league_store_begin_check(hz_league_store *store, int64_t id, int64_t now,
                                      hz_error *err);
/* The same for the oldest such entry. HZ_NOT_FOUND when there is none. */
hz_status hz_league_store_next(hz_league_store *store, int64_t now, int64_t *id, hz_error *err);
hz_status hz_league_store_verdict(hz_league_store *store, int64_t id, int64_t now,
                                  const hz_league_verdict *verdict, hz_error *err);
/* Adds a game; refreshes the sign of life. */
hz_status hz_league_store_add_game(hz_league_store *store, int64_t id, int64_t now,
                                   const hz_league_record *record, hz_error *err);
hz_status hz_league_store_finish(hz_league_store *store, int64_t id, int64_t now,
                                 const hz_league_run_result *result, hz_error *err);
/* Marks an entry failed for a reason of our own; it may be submitted again. */
hz_status hz_league_store_fail(hz_league_store *store, int64_t id, int64_t now, const char *reason,
                               hz_error *err);

/* An entry. Texts live until the next call on the store. */
typedef struct hz_league_entry {
    int64_t id, time, finished; /* Unix seconds; finished 0 = not yet */
    const char *author, *strategy;
    const char *status; /* queued, checking, rejected, playing, done, failed */
    bool reference;
    bool fitted;
    int code;            /* of a rejection, or E14 as a warning */
    const char *message; /* why it was rejected or failed, "" otherwise */
    char digest[65];
    const char *executor;
    uint64_t bytes;
    hz_parameters parameters;
    int level;
    hz_league_score levels[HZ_LEAGUE_LEVELS];
    hz_league_score second;
} hz_league_entry;
/* HZ_NOT_FOUND. */
hz_status hz_league_store_entry(hz_league_store *store, int64_t id, hz_league_entry *entry,
                                hz_error *err);
/* "queued", "rejected (E06)", "playing (level 2, game 13)", "done", "done, fitted to the openings":
 * what an entry's row shows. snprintf rules. */
size_t hz_league_entry_status(const hz_league_entry *entry, char *buffer, size_t capacity);
/* "Lv 3, 36.5/50 (73%)": the highest level cleared and the points there; "Lv 0" with those of level
 * 1; "-" when nothing was played to its end. snprintf rules. */
size_t hz_league_entry_score(const hz_league_entry *entry, char *buffer, size_t capacity);

/* A row of the board: an author's best entry. Texts live during the call. */
typedef struct hz_league_row {
    int rank; /* 0 for a reference row */
    const hz_league_entry *best;
    const char *newest_status; /* as hz_league_entry_status, of the author's newest entry */
    int64_t attempts;          /* entries accepted for play */
} hz_league_row;
/* By level, fewest parameters, fewest information bits, points, earlier time; then the reference
 * rows. Ends early, with HZ_OK, when the callback returns false. */
hz_status hz_league_store_board(hz_league_store *store,
                                bool (*row)(void *state, const hz_league_row *row), void *state,
                                hz_error *err);
/* The number of the first entry after this one whose games are all played; 0 begins. HZ_NOT_FOUND. */
hz_status hz_league_store_next_done(hz_league_store *store, int64_t after, int64_t *id,
                                    hz_error *err);
/* The games of an entry, replayed from their moves, by level and number, those of the second set
 * last. HZ_RECORD_REPLAY when a game does not follow the rules or ended otherwise than it says. */
hz_status hz_league_store_games(hz_league_store *store, int64_t id,
                                bool (*game)(void *state, const hz_league_record *record),
                                void *state, hz_error *err);

#ifdef __cplusplus
}
#endif
#endif
