/* SPDX-License-Identifier: MIT */
/*
 * hazard/arena.h - the referee: matches of players with shared dice, clocks, statistics that say
 * what a result is worth, scenarios, probes, checkpoints and reports.
 *
 * The arena owns the rules, the dice, the clocks and the statistics; a player owns only its choice.
 * Untimed runs give the same report for any number of workers or ranks.
 *
 * Thread rule: the statistics are pure functions, safe anywhere. A player instance is asked by one
 * thread at a time.
 */
#ifndef HAZARD_ARENA_H
#define HAZARD_ARENA_H

#include <hazard/bots.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- statistics --------------------------------------------------------------------------------- */

/* Pairs by their score: both games lost, 1/4, 1/2, 3/4, both won. Games: lost, drawn, won. */
typedef struct hz_match_counts {
    uint64_t pairs[5];
    uint64_t singles[3]; /* games that belong to no pair */
    uint64_t games[3];   /* all games, those of pairs included; L, D, W */
} hz_match_counts;

typedef struct hz_sprt {
    double elo0, elo1, alpha, beta; /* defaults 0, 20, 0.05, 0.05 */
} hz_sprt;
typedef enum hz_sprt_verdict { HZ_SPRT_CONTINUE, HZ_SPRT_H0, HZ_SPRT_H1 } hz_sprt_verdict;
typedef struct hz_sprt_state {
    double llr, lower, upper;
    hz_sprt_verdict verdict;
} hz_sprt_state;
/* HZ_INVALID_ARGUMENT names the parameter: elo0 < elo1, both finite, 0 < alpha, beta < 1. */
hz_status hz_sprt_check(const hz_sprt *test, hz_error *err);
/*
 * The log-likelihood ratio of the pairs plus that of the single games, each
 * N (s1 - s0) (2 m - s0 - s1) / (2 var) with a half added to each counter for mean and variance.
 */
hz_sprt_state hz_sprt_evaluate(const hz_sprt *test, const hz_match_counts *counts);
/* 1 / (1 + 10^(-elo / 400)) and its inverse (+-INFINITY at 1 and 0). */
double hz_elo_score(double elo);
double hz_elo_from_score(double score);

/* What the run could have seen. NAN where a number does not exist. */
typedef struct hz_resolution {
    double pair_sd, game_sd;
    double half_width_pair_percent, half_width_game_percent; /* of 95 % intervals */
    double gain;                                             /* of pairing */
    double games_paired[3], games_unpaired[3];               /* for +-2 %, +-3 %, +-1 % */
} hz_resolution;
hz_resolution hz_match_resolution(const hz_match_counts *counts);

typedef struct hz_elo_estimate {
    double value, error, los;            /* of the score; error is the 95 % half-width */
    double normalized, normalized_error; /* normalised Elo from pairs (pentanomial) */
} hz_elo_estimate;
hz_elo_estimate hz_match_elo(const hz_match_counts *counts);

/* ---- players ------------------------------------------------------------------------------------- */

typedef enum hz_match_game { HZ_MATCH_DICE, HZ_MATCH_CHESS } hz_match_game;

/* Why a player has no valid answer. */
typedef enum hz_match_fault {
    HZ_FAULT_NONE,
    HZ_FAULT_ILLEGAL,   /* an answer that is not legal, or a pass while a turn exists */
    HZ_FAULT_LOST,      /* a child process that ended, a connection that broke */
    HZ_FAULT_TIMED_OUT, /* HTTP: no answer in time */
    HZ_FAULT_UNREACHABLE,
    HZ_FAULT_HTTP_STATUS, /* http_status says which */
    HZ_FAULT_OVERSIZED,
    HZ_FAULT_GARBLED,
    HZ_FAULT_REFUSED,  /* HTTP: an illegal turn */
    HZ_FAULT_DECLINED, /* HTTP: no moves */
    HZ_FAULT_FAILED,   /* the player itself reported a failure */
    HZ_MATCH_FAULTS
} hz_match_fault;
/* "illegal", "lost", "timed_out", ... static. */
const char *hz_match_fault_text(hz_match_fault fault);

/* What a player is asked. */
typedef struct hz_match_question {
    hz_match_game game;
    const hz_position *position; /* Dice Chess: with its roll; chess: the present position */
    const hz_position *start;    /* chess: where the game began */
    const hz_move *moves;        /* chess: since then */
    size_t move_count;
    uint64_t ply;         /* of the game */
    uint64_t game_number; /* of the run; a change of it is a new game */
    hz_color color;       /* of the player */
    bool timed;
    int64_t rest_ms[2], increment_ms; /* clocks by colour, when timed */
    hz_deadline deadline;             /* local searching players: when to answer */
    hz_random *random;                /* the player's stream of this game */
    hz_arena *arena;                  /* for lists; reset by the referee */
} hz_match_question;

typedef struct hz_match_reply {
    hz_match_fault fault;
    int http_status;
    bool pass;
    hz_turn turn; /* Dice Chess */
    hz_move move; /* chess */
    bool has_score;
    int32_t score;
    uint64_t nodes;   /* 0 = not said */
    char note[120];   /* of a fault, for the log */
    uint64_t free_us; /* time of the call that the player does not pay: beginning a game */
} hz_match_reply;

/* One instance of a player. A fault is an answer, not a failure: ask fails only when the run cannot
 * go on at all (HZ_NO_MEMORY). */
typedef struct hz_match_player hz_match_player;
struct hz_match_player {
    const char *name; /* lives as long as the instance */
    void *state;
    bool searching;          /* uses question.deadline; else an instant or a self-managing player */
    bool self_managing;      /* gets its whole rest as time-out (network, child process) */
    const hz_cancel *cancel; /* set by who plays: ends a start that waits; NULL = none */
    hz_status (*ask)(hz_match_player *player, const hz_match_question *question,
                     hz_match_reply *reply, hz_error *err);
    /* Before the first game and after a fault that ended the connection; may be NULL. HZ_CANCELLED
     * when `cancel` was raised. */
    hz_status (*start)(hz_match_player *player, hz_error *err);
    void (*close)(hz_match_player *player); /* may be NULL */
};
/* Calls close and zeroes the structure. Accepts NULL and a zeroed one. */
void hz_match_player_close(hz_match_player *player);

/*
 * Makes the player a text names, for one worker: a bot with options (Dice Chess; "greedy",
 * "expectimax:limit=4"), "uci:COMMAND [option.NAME=VALUE ...]" (a child process, either game),
 * "http://..." or "https://..." (Dice Chess over the bot protocol; keys from the environment),
 * for chess "search" with options (this library's own search: "search:depth=6"). What needs starting
 * is not started yet. registry: NULL = one of its own, with every kind of bot.
 * HZ_UNKNOWN_BOT lists what is known; HZ_BAD_OPTION; what refusing a model says.
 */
hz_status hz_match_player_open(const char *text, hz_match_game game, hz_registry *registry,
                               hz_match_player *player, hz_error *err);
/* The options of "search" for chess, number `index`; false past the end. */
bool hz_match_search_option(size_t index, hz_bot_option *option);
/*
 * Wraps a player of Dice Chess: in a position of the book its turn is played when it is legal, else
 * the player is asked. `book` is borrowed. The wrapper owns what *player held. HZ_NO_MEMORY leaves
 * *player as it was.
 */
hz_status hz_match_player_book(hz_match_player *player, const hz_book *book, hz_error *err);
/*
 * SHA-256 in hex of the graphs a player's text names in its options: of one graph its own, of
 * several one of all of them; "" when there is none. files: of everything named, manifests included.
 * HZ_IO and what reading the text says.
 */
hz_status hz_match_player_digest(const char *text, hz_match_game game, hz_registry *registry,
                                 char model[65], char files[65], hz_error *err);
/* src/arena/uci_player.c and http_player.c, behind hz_match_player_open. */
hz_status hz_match_player_uci(const char *command, hz_match_game game, hz_match_player *player,
                              hz_error *err);
hz_status hz_match_player_http(const char *url, hz_match_player *player, hz_error *err);

/* ---- one game ------------------------------------------------------------------------------------ */

typedef enum hz_match_end {
    HZ_END_KING,        /* won: a king was taken (Dice Chess) */
    HZ_END_CHECKMATE,   /* won (chess) */
    HZ_END_TIME,        /* lost by the mover: its clock fell below zero */
    HZ_END_RESIGNATION, /* lost by the mover, by the rules of resigning */
    HZ_END_ILLEGAL,     /* lost by the mover; so are the faults below */
    HZ_END_LOST,
    HZ_END_TIMED_OUT,
    HZ_END_UNREACHABLE,
    HZ_END_HTTP_STATUS,
    HZ_END_OVERSIZED,
    HZ_END_GARBLED,
    HZ_END_REFUSED,
    HZ_END_DECLINED,
    HZ_END_FAILED,
    HZ_END_FIFTY, /* drawn: half-move clock of 100 before a turn */
    HZ_END_LENGTH,
    HZ_END_STALEMATE,
    HZ_END_DEAD_MATERIAL,
    HZ_END_THREEFOLD,
    HZ_MATCH_ENDS
} hz_match_end;
enum { HZ_MATCH_END_CAPACITY = 24 };
/* "king", "fifty", ..., with a status "http_503". Returns the buffer. */
const char *hz_match_end_text(hz_match_end end, int http_status,
                              char buffer[HZ_MATCH_END_CAPACITY]);
/* False when no end has this text. */
bool hz_match_end_find(const char *text, hz_match_end *end, int *http_status);

/* A time control. base_ms 0 = untimed. */
typedef struct hz_match_control {
    int64_t base_ms, increment_ms;
    char label[32];
} hz_match_control;
/*
 * Reads "base+inc" in seconds or "m:base+inc" in minutes, decimals allowed, several with commas
 * between them; base > 0, inc >= 0. At most `capacity`. HZ_INVALID_ARGUMENT with the offset.
 */
hz_status hz_match_controls_parse(const char *text, hz_match_control *controls, size_t capacity,
                                  size_t *count, hz_error *err);

/* How games are played. */
typedef struct hz_match_rules {
    hz_match_game game;
    hz_match_control control;
    int64_t overhead_ms;              /* of a deadline of a local searching player, default 50 */
    hz_time_policy policy;            /* of such deadlines */
    uint64_t max_plies;               /* default 1000; a guard: games it ends are counted apart */
    bool verify;                      /* rebuild the position after each micro-move and compare */
    bool carelessness;                /* count pieces left hanging (Dice Chess) */
    int32_t resign_score;             /* resign at a score of -resign_score or less ... */
    uint32_t resign_turns;            /* ... in this many own turns in a row; 0 in either = never */
    const hz_cancel *cancel;          /* may be NULL */
    uint64_t (*now)(void *now_state); /* ns; NULL = the monotonic clock */
    void *now_state;
} hz_match_rules;
/* Dice Chess, untimed, the defaults named above, nothing else on. */
hz_match_rules hz_match_rules_default(void);

/* Pieces (kings apart) left attacked and undefended by turns that did not end the game. */
typedef struct hz_carelessness {
    uint64_t turns, hang_turns, queen_hang_turns;
    uint64_t hanging_material;                     /* centipawns, summed over turns */
    uint64_t punished_captures, punished_material; /* taken by the opponent on its next turn */
} hz_carelessness;

/* What a player did in a game. */
typedef struct hz_match_side {
    uint64_t answers;             /* it was asked */
    uint64_t nodes, node_answers; /* nodes, and answers that said how many */
    uint64_t time_us;
    hz_carelessness careless;
} hz_match_side;

/* A turn as it was played. */
typedef struct hz_match_turn {
    hz_pool roll; /* Dice Chess */
    hz_turn turn; /* count 0 = a forced pass */
    hz_move move; /* chess */
    bool has_score;
    int32_t score;
    uint32_t us;       /* time of the answer */
    uint32_t clock_ms; /* the mover's rest after it, when timed */
    float luck;        /* of the roll, mover's view; 0 without a luck judge */
} hz_match_turn;

typedef struct hz_match_game_result {
    hz_game_outcome outcome; /* never open */
    hz_match_end end;
    int http_status;
    hz_match_fault fault; /* of the side to move at the end, when it has no valid answer */
    char note[120];       /* of the fault */
    hz_color mover;       /* side to move at the end */
    uint64_t plies, forced_passes;
    hz_match_side sides[2]; /* by colour */
    double luck;            /* of all rolls, White's view */
    hz_position last;
    bool has_lost_answer; /* the mover lost by its last answer, which is in no turn; its time: */
    uint32_t lost_answer_us;
    size_t turn_count; /* in the referee's memory, until its next game */
    const hz_match_turn *turns;
} hz_match_game_result;

/* Values the luck of a roll; see hz_luck below. */
typedef struct hz_luck hz_luck;

/* Plays games, one at a time; keeps the memory they need. One thread at a time. */
typedef struct hz_referee hz_referee;
/* NULL without memory. */
hz_referee *hz_referee_new(void);
void hz_referee_free(hz_referee *referee);

typedef struct hz_match_game_setup {
    const hz_position *start;    /* its dice are ignored */
    hz_match_player *players[2]; /* by colour; the same player may stand twice */
    uint64_t dice_seed;          /* of hz_roll_at */
    uint64_t stream_seed;        /* of the players' streams: mix(stream_seed ^ tag of the colour) */
    uint64_t game_number;
    hz_luck *luck; /* NULL = none */
} hz_match_game_setup;
/*
 * Plays one game. A player that has no valid answer loses; that is no failure. HZ_CANCELLED: the
 * cancel flag was raised, there is no result. HZ_VERIFY: with rules->verify, the first difference;
 * the message has the position and the move. HZ_NO_MEMORY. HZ_INVALID_ARGUMENT: a start that cannot
 * be played (chess). What ask() fails with.
 */
hz_status hz_referee_play(hz_referee *referee, const hz_match_rules *rules,
                          const hz_match_game_setup *setup, hz_match_game_result *result,
                          hz_error *err);

/* ---- luck ------------------------------------------------------------------------------------------ */

/*
 * The luck of a roll is the value of the position with this roll minus the mean of that value over
 * all 216 rolls, from the mover's view, in shares of a game (0 to 1). Its expectation is 0 whatever
 * the judge, so a score with a multiple of the luck taken off keeps its expectation and loses
 * variance. Judges: "king" (1 when the roll can take the king, else 0: cheap and exact) and every
 * bot that has values to show ("greedy", "onnx-eval:model=DIR"): the value of the best result.
 */
hz_status hz_luck_open(const char *judge, hz_registry *registry, hz_luck **luck, hz_error *err);
void hz_luck_close(hz_luck *luck);
/* position: with three dice. */
hz_status hz_luck_of_roll(hz_luck *luck, const hz_position *position, double *value, hz_error *err);

/*
 * Sums over pairs (or single games) of score and luck, in two halves by number: the factor that
 * one half asks for is applied to the other, so that the adjusted mean stays unbiased.
 */
typedef struct hz_luck_sums {
    uint64_t n[2];
    double s[2], c[2], ss[2], cc[2], sc[2]; /* scores, luck, products */
} hz_luck_sums;
/* score: 0..1 of a pair or game; luck: A's view, of the same unit. number picks the half. */
void hz_luck_add(hz_luck_sums *sums, uint64_t number, double score, double luck);
typedef struct hz_luck_estimate {
    double raw, raw_se, adjusted, adjusted_se; /* 0..1; NAN where there is none */
    double factor[2];                          /* by the half it is applied to */
    double variance_ratio;                     /* adjusted over raw variance of the mean */
} hz_luck_estimate;
hz_luck_estimate hz_luck_evaluate(const hz_luck_sums *sums);

/* ---- start positions -------------------------------------------------------------------------------- */

typedef struct hz_openings {
    size_t count;           /* >= 1 */
    hz_position *positions; /* without dice */
} hz_openings;
/*
 * Reads a list of start positions, one a line: DFEN or FEN, EPD for chess; blank lines and lines
 * that begin with '#' are skipped. A text that begins with '[' is PGN (chess) or a game record
 * (Dice Chess): the position after the last move of each game. Chess positions must be playable.
 * HZ_OPENINGS with line, column and offset in the message's place; at most HZ_OPENINGS_MAX.
 */
enum { HZ_OPENINGS_MAX = 1000000 };
hz_status hz_openings_parse(const char *text, size_t length, hz_match_game game,
                            hz_openings *openings, hz_error *err);
void hz_openings_free(hz_openings *openings);

/* ---- ratings ----------------------------------------------------------------------------------------- */

/* What two players of a table did to each other, seen from a. */
typedef struct hz_rating_result {
    size_t a, b;
    const hz_match_counts *counts;
} hz_rating_result;
typedef struct hz_rating {
    double elo, error; /* mean of all 0; 95 % half-width, from the variance of pairs; NAN = none */
    double score;      /* points */
    uint64_t games;
    double los;  /* likelihood of standing above the next one in the table; NAN for the last */
    size_t rank; /* 1 = best */
} hz_rating;
/*
 * Ratings of greatest likelihood: a draw is half a win and half a loss. When no finite ratings are
 * the most likely ones (somebody lost every game), each result is taken with one more drawn game;
 * *smoothed (may be NULL) says so. Players without games have error NAN. HZ_NO_MEMORY,
 * HZ_INVALID_ARGUMENT (an index out of range).
 */
hz_status hz_ratings(size_t players, const hz_rating_result *results, size_t count,
                     hz_rating *ratings, bool *smoothed, hz_error *err);

/* ---- ranks --------------------------------------------------------------------------------------------- */

/*
 * Processes that share a run: rank 0 hands out work and keeps the results, the others play. How
 * messages travel is the business of whoever fills this in (the command does it with MPI). Called
 * by one thread only. A rank that is not heard of for a minute counts as lost: its work is done
 * again by others.
 */
typedef struct hz_ranks hz_ranks;
struct hz_ranks {
    int rank, size;
    void *state;
    hz_status (*send)(hz_ranks *ranks, int to, const void *bytes, size_t length, hz_error *err);
    /* Takes one message when there is one: *got; *bytes is malloc'ed and becomes the caller's. */
    hz_status (*receive)(hz_ranks *ranks, int *from, void **bytes, size_t *length, bool *got,
                         hz_error *err);
    uint64_t lost_after_ns; /* 0 = a minute */
};

/* ---- a run of many games ---------------------------------------------------------------------------------- */

typedef enum hz_match_scheme {
    HZ_SCHEME_MATCH,       /* the first player against the second */
    HZ_SCHEME_ROUND_ROBIN, /* everybody against everybody */
    HZ_SCHEME_GAUNTLET     /* the first player against each of the others */
} hz_match_scheme;

/* One of the two games of a pair. */
typedef struct hz_match_game_summary {
    hz_color a_color;
    hz_game_outcome outcome;
    hz_match_end end;
    int http_status;
    uint64_t plies, forced_passes;
    hz_match_side sides[2]; /* A, B */
    double luck;            /* of all rolls, A's view */
} hz_match_game_summary;

/* A finished pair. Texts and lists belong to the run and live during the callback. */
typedef struct hz_match_pair {
    size_t pairing;  /* 0 in a match */
    uint64_t number; /* in its pairing */
    uint64_t seed;
    hz_match_game_summary games[2];
    size_t latency_count;
    const uint32_t *latency_us; /* of A's own answers, in order */
    size_t log_length;
    const char *log; /* a line of JSON for each game; NULL unless wanted */
    size_t record_length;
    const char *record; /* game records or PGN; NULL unless wanted */
} hz_match_pair;

/* Counts answers by their time. */
typedef struct hz_latency hz_latency;
typedef struct hz_latency_summary {
    uint64_t count;
    double p50, p95, p99, max; /* ms, nearest rank; NAN without answers */
} hz_latency_summary;

enum { HZ_TALLY_HTTP_MAX = 16 };
/* All counters of a pairing, seen from A. Zero-initialise. */
typedef struct hz_match_tally {
    hz_match_counts counts;
    uint64_t by_color[2][3]; /* by A's colour; lost, drawn, won */
    uint64_t ends[HZ_MATCH_ENDS];
    struct {
        int status;
        uint64_t count;
    } http[HZ_TALLY_HTTP_MAX]; /* of ends[HZ_END_HTTP_STATUS]; a full table puts the rest into its
                                  last place */
    size_t http_count;
    uint64_t flags[2], illegal[2], faults[2]; /* of A and of B; faults: all but illegal turns */
    uint64_t plies, least_plies, most_plies, forced_passes;
    hz_match_side sides[2]; /* of A and of B */
    hz_luck_sums luck;
    hz_latency *latency; /* owned */
    uint64_t pairs;
    uint8_t *path; /* owned: per pair its score in quarters (0..4), in order */
    size_t path_capacity;
} hz_match_tally;
/* single_games: the two games had dice of their own and count as such. HZ_NO_MEMORY. */
hz_status hz_match_tally_add(hz_match_tally *tally, const hz_match_pair *pair, bool single_games,
                             hz_error *err);
hz_latency_summary hz_match_tally_latency(const hz_match_tally *tally);
void hz_match_tally_fini(hz_match_tally *tally);

typedef struct hz_match_pairing {
    size_t a, b; /* players */
    hz_match_tally tally;
    hz_sprt_state sprt; /* with a test */
} hz_match_pairing;

typedef struct hz_match_player_info {
    const char *name, *text;
    const char *book; /* NULL = none */
    char sha256[65];  /* of its graphs; "" without any */
    char files[65];   /* of all files it names, manifests included */
} hz_match_player_info;

typedef struct hz_match_config hz_match_config;

/* How far a run has come, and its outcome when it is over. */
typedef struct hz_match_view {
    const hz_match_config *config;
    size_t player_count;
    const hz_match_player_info *players;
    size_t pairing_count;
    const hz_match_pairing *pairings;
    uint64_t pairs_done, pairs_cap, pairs_resumed; /* of all pairings */
    unsigned workers;                              /* threads of this rank */
    unsigned ranks, ranks_lost;
    uint64_t wall_ms; /* with that of the resumed part */
    bool decided;     /* the test stopped it */
    bool cancelled;
    char created[32];         /* when the report is made: 2024-02-29T12:00:00Z */
    size_t game_count;        /* games kept for the page, */
    const char *const *games; /* each as its line of a log, without line feed */
} hz_match_view;

struct hz_match_config {
    hz_match_scheme scheme;
    hz_match_rules rules;
    size_t player_count;        /* 2 in a match */
    const char *const *players; /* their texts */
    const char *const *books;   /* per player a path, NULL entries or NULL = none (Dice Chess) */
    hz_registry *registry;      /* NULL = one of its own */
    /* Instead of hz_match_player_open; called once per worker and player, from that worker. */
    hz_status (*open)(void *context, size_t player, hz_match_player *instance, hz_error *err);
    void *open_context;
    uint64_t seed;               /* default 42; pair i of every pairing has the dice of seed + i */
    uint64_t pairs;              /* of each pairing, at most */
    bool fresh_dice;             /* every game its own dice: results count as single games */
    const hz_openings *openings; /* NULL = the initial position; pair i starts from number i modulo
                                    their count */
    const char *start_label;     /* for reports; NULL = "start" or "openings" */
    const hz_sprt *sprt;         /* NULL = none; a match only */
    const char *luck;            /* a luck judge; NULL = none (Dice Chess) */
    unsigned threads;            /* workers, 1..HZ_THREADS_MAX; timed runs use at most one a core */
    hz_ranks *ranks;             /* NULL = this process alone */
    /* Where finished pairs go (rank 0 only); NULL = nowhere. Existing files are refused without
     * resume; with it they are cut to what the checkpoint says and continued. */
    const char *games_log;    /* JSON lines */
    const char *games_record; /* game records or PGN */
    const char *archive;      /* an SQLite file; runs are added to what it has */
    size_t page_games;        /* so many of the first games are kept for the page, and one of each
                                 other way to end; 0 = none */
    const char *checkpoint;
    bool resume;
    /* After each finished pair, in order, from the calling thread. progress may be NULL. */
    void (*progress)(void *context, const hz_match_view *view);
    void *progress_context;
};
/* A match by the rules of hz_match_rules_default: seed 42, 1000 pairs, one thread, nothing else. */
hz_match_config hz_match_config_default(void);

typedef struct hz_match_run hz_match_run;
/*
 * Checks everything before the first game: players are opened (and, on rank 0, started) once, files
 * opened, a checkpoint read. config and what it points to must outlive the run. HZ_CHECKPOINT names
 * the field that differs from that of the run to be resumed.
 */
hz_status hz_match_run_new(const hz_match_config *config, hz_match_run **run, hz_error *err);
/* Plays until the pairs are played, the test has decided or rules.cancel is raised (HZ_OK, see the
 * view). After a failure what was finished before is stored and in the view. Once per run. */
hz_status hz_match_run_play(hz_match_run *run, hz_error *err);
/* Valid until the run is freed; its numbers change while it plays. */
const hz_match_view *hz_match_run_view(const hz_match_run *run);
/* Accepts NULL. */
void hz_match_run_free(hz_match_run *run);

/* ---- reports ----------------------------------------------------------------------------------------------- */

/* Takes the next bytes; false stops the writing (HZ_IO). */
typedef bool (*hz_report_sink)(void *context, const char *text, size_t length);
/* One line of JSON, numbers with '.' whatever the locale. In a match one object; else an object with
 * all pairings and the table of ratings. docs/formats.md describes the members. */
hz_status hz_match_report_json(const hz_match_view *view, hz_report_sink sink, void *context,
                               hz_error *err);
hz_status hz_match_report_text(const hz_match_view *view, hz_report_sink sink, void *context,
                               hz_error *err);
/* A page that needs nothing else and loads nothing. page: where it will lie, for its links to the files
 * of games; NULL = in the folder their names count from. */
hz_status hz_match_report_html(const hz_match_view *view, const char *page, hz_report_sink sink,
                               void *context, hz_error *err);

/* What processor this is, and how many cores one run may use. */
typedef struct hz_machine {
    char cpu[96];
    unsigned cores; /* physical, that this process may use; at least 1 */
    unsigned threads;
} hz_machine;
hz_machine hz_machine_get(void);

#ifdef __cplusplus
}
#endif
#endif
