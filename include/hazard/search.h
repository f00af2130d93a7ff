/* SPDX-License-Identifier: MIT */
/*
 * hazard/search.h - looking ahead: Monte-Carlo equity of a position before the roll, expectimax over
 * dice with its transposition table, hooks and statistics, alpha-beta for chess with its own, and
 * how much time a turn or a move may take.
 */
#ifndef HAZARD_SEARCH_H
#define HAZARD_SEARCH_H

#include <hazard/eval.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hz_equity_config {
    uint32_t rollouts;     /* most rollouts; UINT32_MAX = until the deadline */
    uint32_t max_plies;    /* plies of one rollout */
    double target_error;   /* > 0: stop when the standard error is at most this */
    uint32_t min_rollouts; /* rollouts before target_error is looked at */
} hz_equity_config;

/* 500 rollouts, 1000 plies, no target error, 128. */
hz_equity_config hz_equity_config_default(void);

typedef struct hz_equity {
    double white_win, black_win, undecided; /* sum 1 */
    double standard_error;                  /* of white_win */
    double variance_reduction;              /* against counting wins; INFINITY when the sample
                                               variance is at most 1e-12 */
    uint32_t rollouts;                      /* played */
} hz_equity;

/*
 * Estimates who takes the king, by rollouts that never end in a capture but carry its probability
 * along. `position` is looked at before the roll (its pool is ignored). Draws come from `random`
 * alone, in order, so the same stream gives the same estimate. Looks at the deadline (may be NULL)
 * after each rollout: at least one is played. The arena is used for lists and reset between plies:
 * give one of its own.
 *
 * A position without a king on a side is decided: 1 for the side that has one, or undecided 1 when
 * both are missing, with rollouts 0, standard error 0 and no draw. max_plies 0 gives undecided 1.
 *
 * HZ_INVALID_ARGUMENT for rollouts 0, a negative or NaN target error. HZ_NO_MEMORY when the arena
 * is exhausted. On failure *equity is unchanged.
 */
hz_status hz_equity_estimate(const hz_position *position, const hz_equity_config *config,
                             hz_random *random, const hz_deadline *deadline, hz_arena *arena,
                             hz_equity *equity, hz_error *err);

/* ---- time ------------------------------------------------------------------------------------- */

/* How many more turns a policy expects. Names are case-insensitive. */
typedef enum hz_time_policy { HZ_TIME_EMPIRICAL, HZ_TIME_LEGACY } hz_time_policy;
/* "empirical-v1", "legacy-linear-v1"; NULL past the end (in this order; the first is the default). */
const char *hz_time_policy_name(size_t index);
/* HZ_NOT_FOUND lists the names. */
hz_status hz_time_policy_find(const char *name, hz_time_policy *policy, hz_error *err);
/* Estimated turns to go at a full-move number (below 1 counts as 1). */
double hz_time_moves_to_go(hz_time_policy policy, int64_t move_number);

typedef struct hz_clock {
    int64_t remaining_ms; /* 0.. */
    int64_t increment_ms; /* 0.. */
    int64_t move_number;  /* full-move number */
    bool has_moves_to_go;
    double moves_to_go; /* not finite counts as 1 */
} hz_clock;

typedef struct hz_time_allotment {
    int64_t reserve_ms, spendable_ms, raw_ms, hard_cap_ms, target_ms;
    double moves_to_go;
} hz_time_allotment;
hz_time_allotment hz_time_allot(hz_time_policy policy, const hz_clock *clock);
/* max(20, min(target, hard cap) - overhead). */
int64_t hz_time_budget_ms(const hz_time_allotment *allotment, int64_t overhead_ms);
enum {
    HZ_TIME_OVERHEAD_LOCAL_MS = 50,
    HZ_TIME_OVERHEAD_WORKER_MS = 150,
    HZ_TIME_DEFAULT_MS = 1000
};

/* ---- transposition table ------------------------------------------------------------------------ */

typedef struct hz_table hz_table;
typedef enum hz_bound { HZ_BOUND_EXACT, HZ_BOUND_LOWER, HZ_BOUND_UPPER } hz_bound;
typedef struct hz_table_entry {
    int64_t value;
    hz_bound bound;
    uint8_t depth;
    bool loss_tainted;
} hz_table_entry;
typedef struct hz_table_counters {
    uint64_t hits, misses, stores, overwrites, collisions;
} hz_table_counters;
enum { HZ_TABLE_DEFAULT_CAPACITY = 1 << 18 };

/* capacity: entries, a positive power of two, else HZ_INVALID_ARGUMENT. May be shared by threads:
 * a torn entry is never taken for a valid one. */
hz_status hz_table_new(size_t capacity, hz_table **table, hz_error *err);
void hz_table_free(hz_table *table);
size_t hz_table_capacity(const hz_table *table);
/* Empties the table and zeroes the counters; reset zeroes the counters only. */
void hz_table_clear(hz_table *table);
void hz_table_reset(hz_table *table);
/* Accepts an entry of equal depth only. */
bool hz_table_probe(hz_table *table, uint64_t key, uint8_t depth, hz_table_entry *entry);
void hz_table_store(hz_table *table, uint64_t key, const hz_table_entry *entry);
hz_table_counters hz_table_counters_get(const hz_table *table);
/* hits / (hits + misses), 0 when nothing was asked. */
double hz_table_hit_rate(const hz_table_counters *counters);

/* ---- expectimax ---------------------------------------------------------------------------------- */

enum { HZ_EXPECTIMAX_LIMIT = 8, HZ_EXPECTIMAX_DEPTH = 2, HZ_PRERANK_CHUNK = 256 };

/*
 * The mover's results are ordered by a cheap judge and the best few become candidates. A candidate
 * is worth the exact mean, over the opponent's 216 rolls, of the least the opponent can leave of it
 * (depth 2: judged by the leaf judge; depth 3: the mean over the mover's next rolls of the most the
 * mover can make of it). A roll that takes the mover's king counts HZ_SCORE_LOSS and taints the
 * candidate. Sums are exact integers in 1/216 or 1/46656; pruning, table, batches and threads change
 * no answer. The best candidates are picked from in list order.
 */

/* What search stands for: upper score of an evaluator, a win and a loss inside the tree. A judge's
 * scores must lie above HZ_SCORE_LOSS; at depth 3 a score above HZ_SCORE_UPPER may be pruned wrongly,
 * because nothing inside the tree is held to be worth more than HZ_SCORE_TREE_WIN. */
#define HZ_SCORE_UPPER 10000
#define HZ_SCORE_TREE_WIN 10001
#define HZ_SCORE_LOSS (-1000000000)

/*
 * A judge as a search sees it: like hz_evaluator, but a batch may come back short. It sets *done to
 * the rows it scored; when that is not n, or it returns an error, the whole batch is refused and
 * nothing it wrote is used:
 *
 *   pre_rank     material orders instead          pre_rank_rejected
 *   rescore      there is no rescorer this time   rescore_rejected
 *   leaf         the search ends there            leaf_rejected
 *   collapse     nothing is ranked                collapse_rejected
 *
 * n >= 1; a batch holds no position twice; positions are without dice. err may be NULL. A leaf judge
 * gets each roll's replies in the order of hz_results_list, the mover to move.
 */
typedef struct hz_judge {
    void *state;
    hz_status (*score_batch)(void *state, const hz_position *positions, size_t n, hz_color color,
                             int32_t *scores, size_t *done, hz_error *err);
} hz_judge;
/* An evaluator as a judge (borrowed; *judge points into *evaluator, which must outlive it). */
hz_judge hz_judge_evaluator(const hz_evaluator *evaluator);

/* What one search did at its root. One record per answer; all zero on a pass (the flag
 * has_legal_sequences apart), only the first two numbers when a king can be taken at once. */
typedef struct hz_root_stats {
    uint64_t legal_results;        /* size of the list, winning class included */
    bool has_legal_sequences;      /* this search always counts them */
    uint64_t legal_sequences;      /* legal turns as sequences */
    uint64_t candidates_selected;  /* min(limit, results) */
    uint64_t candidates_completed; /* all 56 rolls done by this call */
    uint64_t candidates_abandoned; /* 0 or 1: cut by the clock, or no time to begin */
    uint64_t cutoffs;              /* pruned by bounds (not by the table) */
    uint64_t rolls_saved;          /* sum over cutoffs of the rolls not done */
    uint64_t probe_cutoffs;        /* cutoffs by the sum of the probes alone */
    uint64_t tt_probes;            /* candidates looked up in the table */
    uint64_t tt_hits;              /* answered by an exact entry */
    uint64_t tt_cutoffs;           /* pruned by a stored bound */
    uint64_t candidates_collapsed; /* valued by the collapse judge */
    bool collapse_rejected;
    bool pre_rank_rejected;
    bool rescore_rejected;
    bool leaf_rejected;
} hz_root_stats;
/* completed + cutoffs + tt_hits + tt_cutoffs + collapsed */
uint64_t hz_root_stats_resolved(const hz_root_stats *stats);
bool hz_root_stats_deadline_truncated(const hz_root_stats *stats);
bool hz_root_stats_fell_back(const hz_root_stats *stats);
/* NULL when every invariant holds, else the name of the first broken one. has_table, collapse:
 * as configured; timed: whether a deadline was set. */
const char *hz_root_stats_check(const hz_root_stats *stats, bool has_table, bool collapse,
                                bool timed);
/* Takes a record; what it returns or does is ignored for the move. */
typedef void (*hz_root_stats_sink)(void *context, const hz_root_stats *stats);

typedef struct hz_expectimax_config {
    int64_t candidate_limit; /* > 0 */
    int search_depth;        /* 2 or 3 */
    bool exact_only;         /* the table keeps and reuses exact entries only */
    hz_judge leaf;           /* required */
    hz_judge pre_rank;       /* score_batch NULL = material */
    bool pre_rank_with_leaf; /* the leaf judge orders, in one batch; not with pre_rank */
    int64_t chunk_size;      /* rows per pre_rank call, > 0; leaf and material: one batch */
    hz_judge rescore;        /* score_batch NULL = none */
    double rescore_weight;   /* 0..1; 0 = no rescorer */
    hz_judge collapse;       /* score_batch NULL = none */
    bool loss_guard;
    hz_table *table;         /* borrowed; NULL = none */
    hz_root_stats_sink sink; /* NULL = none */
    void *sink_context;
    /* 1..HZ_THREADS_MAX; 1 = the calling thread only. Others work ahead on rolls of the candidates
     * and change neither the answer nor a number in it; they sleep between calls. At depth 3 they
     * stand by when there is a table, or a deadline with a clock of the caller's own. */
    unsigned threads;
    /* With threads > 1: judge of worker 0..threads-1 (worker 0 is the caller), asked for once by
     * hz_expectimax_new. NULL: `leaf` is safe in several threads at once. */
    hz_judge (*leaf_of_thread)(void *context, unsigned worker);
    void *leaf_context;
    /* For measurements: expand every candidate fully, no bounds at all. Same answer. */
    bool no_pruning;
} hz_expectimax_config;
/* limit 8, depth 2, chunk 256, threads 1, everything else off; the leaf is the caller's to set. */
hz_expectimax_config hz_expectimax_config_default(void);

typedef struct hz_expectimax hz_expectimax;

/* Checks the configuration: HZ_INVALID_ARGUMENT or HZ_CONFLICT with the name of the setting,
 * HZ_NO_MEMORY also when a thread cannot be started; *search is then NULL. Judges and table are
 * borrowed. One call at a time per instance; different instances may run in parallel. */
hz_status hz_expectimax_new(const hz_expectimax_config *config, hz_expectimax **search,
                            hz_error *err);
void hz_expectimax_free(hz_expectimax *search);

/* One candidate as the search left it, in pre-rank order. */
typedef enum hz_candidate_fate {
    HZ_CANDIDATE_WAITING, /* not reached */
    HZ_CANDIDATE_COMPLETE,
    HZ_CANDIDATE_FROM_TABLE,
    HZ_CANDIDATE_COLLAPSED,
    HZ_CANDIDATE_PRUNED, /* below the best; `sum` is an upper bound */
    HZ_CANDIDATE_ABANDONED
} hz_candidate_fate;
typedef struct hz_candidate {
    size_t result; /* index in the list of results */
    int32_t pre_rank;
    int32_t rescore; /* when a rescorer ran */
    hz_candidate_fate fate;
    bool loss_tainted;
    int64_t sum;        /* exact S, or a bound on it, in 1/denominator */
    double final_value; /* blended; sum / denominator when tainted, pruned or without a rescorer */
} hz_candidate;

typedef struct hz_expectimax_answer {
    bool pass;
    hz_turn turn;
    hz_position after;
    int32_t score; /* truncated toward zero; HZ_SCORE_WIN for taking the king */
    size_t results;
    size_t tie_count;
    const hz_turn *ties; /* in list order, in the arena */
    int64_t denominator; /* 216 or 46656 */
    size_t candidate_count;
    const hz_candidate *candidates; /* in pre-rank order, in the arena */
    hz_root_stats stats;
    /* Positions judged in the tree, in so many calls of the leaf judge. The built-in material
     * evaluator is not called: its rolls are answered from bitboards, and `leaves` counts the boards
     * with one die left that were looked at. */
    uint64_t leaves, leaf_batches;
    uint64_t nodes; /* chance nodes opened */
} hz_expectimax_answer;

/*
 * Chooses a turn. position: with dice (without: a pass). deadline may be NULL. Lists of the answer
 * lie in `arena`; the search keeps work memory of its own between calls. A failing judge is no
 * failure of the search (see the flags of hz_root_stats).
 *
 * A legal turn is answered under any deadline. The clock and the cancel flag are looked at before
 * the rescorer's batch, before the search (or the collapse batch) begins, before each roll that is
 * probed or valued, after each candidate, and between candidates of the loss guard; listing and
 * ordering the results is always done. What was not finished then is not ranked. With nothing ranked
 * the first candidate is answered with its pre-rank score and no draw. One draw is made when several
 * candidates are best.
 *
 * HZ_NO_MEMORY: no answer, no record, no draw.
 */
hz_status hz_expectimax_choose(hz_expectimax *search, const hz_position *position,
                               hz_random *random, const hz_deadline *deadline, hz_arena *arena,
                               hz_expectimax_answer *answer, hz_error *err);

/* The smallest sum at which a candidate could still matter (section on alpha). has_best false, or
 * weight 1: *has_alpha = false. weight 0 or no rescorer: best_sum. best: the best final value. */
int64_t hz_expectimax_alpha(bool has_best, int64_t best_sum, double best, double weight,
                            int32_t rescore, int64_t denominator, bool *has_alpha);
/* (1 - w) * (S / D) + w * r, each operation rounded to nearest. */
double hz_expectimax_blend(int64_t sum, int64_t denominator, double weight, int32_t rescore);

/* Roll number `index` (0..55) in search order: weight descending, then lexicographic. */
hz_pool hz_search_roll(size_t index, int *weight_216);

/* ---- chess: alpha-beta ------------------------------------------------------------------------- */

/* Scores of chess search: centipawns from the side to move; mate in n plies is HZ_CHESS_MATE - n.
 * Evaluations are cut to +-HZ_CHESS_SCORE_MAX, below every mate. */
enum {
    HZ_CHESS_MATE = 100000,
    HZ_CHESS_SCORE_MAX = 90000,
    HZ_CHESS_PLY_MAX = 128 /* deepest line */
};
/* Moves to mate of a score: positive when winning, negative when losing, 0 for no mate score. */
int hz_chess_mate_in(int32_t score);

/* Gain of a capture or promotion after all exchanges on its target square, in centipawns (P 100,
 * N 300, B 300, R 500, Q 900), each side taking with its least valuable piece (a knight before a
 * bishop) or not at all. Pins, en passant and promotions in answer are not looked at. 0 for quiet
 * moves to safe squares, negative when the mover is lost there. */
int32_t hz_chess_exchange(const hz_position *position, hz_move move);

/* Parts of the search that can be switched off, for measurements and tests. Without all of
 * HZ_CHESS_UNSOUND a search of depth d has exactly the value of plain negamax with quiescence (what
 * the table knows of a position that was reached on another way may differ where repetition or the
 * fifty-move rule play a part). */
enum {
    HZ_CHESS_NO_TABLE = 1,
    HZ_CHESS_NO_NULL_MOVE = 2,
    HZ_CHESS_NO_REDUCTIONS = 4,
    HZ_CHESS_NO_ASPIRATION = 8,
    HZ_CHESS_NO_FUTILITY = 16,   /* also razoring and late-move pruning */
    HZ_CHESS_NO_EXTENSIONS = 32, /* checks */
    HZ_CHESS_NO_EXCHANGE = 64,   /* losing captures are searched in quiescence, too */
    HZ_CHESS_EQUAL_DEPTH = 128,  /* the table answers at equal depth only */
    HZ_CHESS_UNSOUND = HZ_CHESS_NO_NULL_MOVE | HZ_CHESS_NO_REDUCTIONS | HZ_CHESS_NO_FUTILITY |
                       HZ_CHESS_NO_EXTENSIONS | HZ_CHESS_NO_EXCHANGE | HZ_CHESS_EQUAL_DEPTH
};

typedef struct hz_chess_search_config {
    size_t table_bytes; /* of the shared table; 0 = 16 MiB; rounded down to 2^n entries; memory that
                           is not written to yet is only reserved */
    unsigned threads;   /* 0 = 1; at most 256 */
    const hz_evaluator *evaluators; /* one per thread, borrowed; NULL = the handcrafted one */
    bool batched;                   /* evaluators are asked for the children of a frontier node
                                       together, up to 64 at once and about 3 ms long; the values,
                                       and so the search, are the same */
    unsigned switches;              /* HZ_CHESS_NO_... */
} hz_chess_search_config;

/* When a search ends. The flag `cancel` and (with one thread) the number of nodes are looked at in
 * every node, the clock about every half millisecond, but not within one batch of an evaluator. */
typedef struct hz_chess_limits {
    int depth;           /* 0 = none */
    uint64_t nodes;      /* 0 = none; of all threads; exact with one thread */
    int mate;            /* moves; stop when a mate in so many is found, 0 = none */
    uint64_t optimum_ns; /* 0 = none: no new iteration after about this long */
    uint64_t maximum_ns; /* 0 = none: stop then */
    /* Pondering: the times count only from when this flag was raised; NULL = from the start. */
    const hz_cancel *hit;
    unsigned lines;       /* multi-PV; 0 = 1 */
    const hz_move *moves; /* only these root moves; NULL = all */
    size_t move_count;
    const hz_cancel *cancel; /* may be NULL */
} hz_chess_limits;

typedef struct hz_chess_line {
    int32_t score;
    hz_bound bound; /* EXACT, or why the score is only a bound */
    int depth, selective_depth;
    size_t length; /* of the line; at least 1 when there is a legal move */
    hz_move moves[HZ_CHESS_PLY_MAX];
} hz_chess_line;

/* What a search says while it runs: every line of every finished depth, bounds on long-running ones,
 * and at the end of a search that was stopped what it answers when that was not said yet. */
typedef struct hz_chess_info {
    unsigned number; /* of the line, from 1 */
    const hz_chess_line *line;
    uint64_t nodes, elapsed_ns;
    unsigned table_permille; /* how full the table is */
} hz_chess_info;
typedef void (*hz_chess_report)(void *context, const hz_chess_info *info);

typedef struct hz_chess_answer {
    bool has_move; /* false: checkmate or stalemate, or no root move is legal */
    hz_move move;
    hz_move ponder; /* expected reply, 0 = none */
    hz_chess_line line;
    uint64_t nodes, elapsed_ns;
} hz_chess_answer;

typedef struct hz_chess_search hz_chess_search;
/* HZ_NO_MEMORY, HZ_INVALID_ARGUMENT. */
hz_status hz_chess_search_new(const hz_chess_search_config *config, hz_chess_search **search,
                              hz_error *err);
void hz_chess_search_free(hz_chess_search *search);
/* Forgets the table, killers and histories. */
void hz_chess_search_clear(hz_chess_search *search);
/*
 * Searches the present position of a game whose earlier positions count for repetition: the third
 * occurrence is a draw, and so is the second one of a position that arose in the search. Checkmate
 * comes before the fifty-move rule, a half-move clock of 100 is a draw. Of moves of equal value the
 * one with the lowest text is the answer (where the window of the search shows that they are equal:
 * always without HZ_CHESS_UNSOUND). A search that ends before anything is known answers its first
 * root move. The root itself is searched even when its game is drawn.
 *
 * With one thread, no times and no cancel the answer depends on the arguments and on what was
 * searched since the last clear, on nothing else. report may be NULL; it is called by the calling
 * thread. A failing evaluator ends the search with its status.
 */
hz_status hz_chess_search_run(hz_chess_search *search, const hz_chess_game *game,
                              const hz_chess_limits *limits, hz_chess_report report, void *context,
                              hz_chess_answer *answer, hz_error *err);

/* Time for one move: what is left, increment, moves to the next control (0 = none), what the way of
 * the answer costs; all in ms, negative ones count as 0. At least 1 ms comes out; the maximum never
 * exceeds what is left, and a third of it where more moves follow. */
void hz_chess_time(int64_t left_ms, int64_t increment_ms, int64_t moves_to_go, int64_t overhead_ms,
                   uint64_t *optimum_ns, uint64_t *maximum_ns);

/* Win, draw and loss in thousandths (sum 1000) that go with a score, for people: a logistic curve in
 * the score, not fitted to a particular engine. */
void hz_chess_wdl(int32_t score, int wdl[3]);

#ifdef __cplusplus
}
#endif
#endif
