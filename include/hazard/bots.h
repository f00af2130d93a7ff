/* SPDX-License-Identifier: MIT */
/*
 * hazard/bots.h - players of Dice Chess: the registry, the built-in bots, bots that search and bots
 * that go by a model, the opening book, double and draw decisions.
 *
 * A bot chooses among the results of a roll (dice.h). It answers a pass only when there is no legal
 * turn, and a legal turn otherwise, under any deadline. With the same stream and no deadline it
 * answers the same.
 *
 * Thread rule: a registry may be shared between threads; one bot instance is asked by one thread at
 * a time; different instances may be asked in parallel. The built-in bots change no state while
 * they answer and may be asked by any number of threads; those that search or hold a model may not.
 */
#ifndef HAZARD_BOTS_H
#define HAZARD_BOTS_H

#include <hazard/search.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one question, one answer
 * -------------------------------------------------------------------- */

typedef struct hz_bot_request {
    const hz_position *position; /* with dice */
    hz_random *random;           /* the player's stream; advances by the draws made */
    const hz_deadline *deadline; /* NULL or without a time = untimed; for timed bots only */
    hz_arena *arena;             /* for the lists of the answer; the caller resets it */
} hz_bot_request;

typedef struct hz_bot_answer {
    bool pass;         /* no legal turn; of the other fields only seed and counter are then set */
    hz_turn turn;      /* what to play */
    hz_position after; /* after hand-over; with the king taken, the board as it is */
    int32_t score;     /* mover's view; HZ_SCORE_WIN for taking the king */
    uint64_t seed;     /* stream and counter before the question: with them it can be repeated */
    uint64_t counter;
    size_t results;      /* length of the list of results, 0 when a book answered without it */
    size_t tie_count;    /* results of equal value among which the turn was picked, >= 1 */
    const hz_turn *ties; /* their canonical turns in list order, in the request's arena */
    bool from_book;      /* the turn stands in a book (a king capture that precedes it does not);
                            it is then its own only tie, canonical or not */
    /* What the search that answered has seen, in the request's arena: statistics, candidates (their
     * `result` counts in the list that hz_results_list gives), counts of work. NULL when the bot
     * does not search or a book answered. */
    const hz_expectimax_answer *search;
    /* Rows of its models whose output was no finite number while it chose: such a row counts as 0
     * or as the most, and the model should not be trusted. */
    uint64_t non_finite_rows;
} hz_bot_answer;

/* The four yes/no questions outside a roll. */
typedef enum hz_decision {
    HZ_OFFER_DOUBLE,
    HZ_TAKE_DOUBLE,
    HZ_OFFER_DRAW,
    HZ_ACCEPT_DRAW
} hz_decision;

/* ---- bots
 * ------------------------------------------------------------------------------------------ */

typedef struct hz_bot_info {
    const char *id; /* registry id, lower case */
    const char *display_name;
    const char *about; /* one line */
    int level;         /* 1..10 */
    bool experimental;
    bool timed; /* whether it uses a deadline */
} hz_bot_info;

/*
 * How a bot values positions, for programs that show the value of every result (the answer itself
 * only tells the best ones). The judge belongs to the bot and is asked by the bot's thread.
 */
typedef struct hz_bot_judgement {
    hz_judge judge;
    int depth;               /* 1: results as they stand; 2, 3: by expectimax of that depth */
    int32_t win, loss;       /* what a king taken is worth on the judge's axis, to either side */
    const hz_schema *schema; /* of a model's rows; NULL = no model */
    const char *name;        /* of the judge; lives as long as the bot */
} hz_bot_judgement;

/*
 * A bot as its maker sees it. choose fills *answer, all but seed and counter (it is zeroed before).
 * decide may be NULL: the default policy answers. close may be NULL. shut, when it is there, is
 * called instead of close: it releases everything in any case and says what failed meanwhile. judge
 * may be NULL: the bot has no values to show. info and its texts live as long as the bot. A copy of
 * the structure is the same instance, not a second bot: close one of them only.
 */
typedef struct hz_bot {
    const hz_bot_info *info;
    void *state;
    hz_status (*choose)(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                        hz_error *err);
    hz_status (*decide)(void *state, hz_decision question, const hz_position *position,
                        hz_color responder, hz_random *random, bool *yes, hz_error *err);
    void (*close)(void *state);
    hz_status (*shut)(void *state, hz_error *err);
    bool (*judge)(void *state, hz_bot_judgement *judgement);
} hz_bot;

/* Asks for a turn; checks the request, fills seed and counter. HZ_INVALID_ARGUMENT when the
 * position has no dice. HZ_CLOSED for a bot that was closed. HZ_NO_MEMORY when an arena is
 * exhausted. HZ_MODEL_RUN when a model failed. After a failure nothing but seed and counter may be
 * used in *answer. */
hz_status hz_bot_choose(const hz_bot *bot, const hz_bot_request *request, hz_bot_answer *answer,
                        hz_error *err);
/* Asks a yes/no question. Offers look at the side to move; a take looks at `responder`; accepting a
 * draw looks at the side to move. */
hz_status hz_bot_decide(const hz_bot *bot, hz_decision question, const hz_position *position,
                        hz_color responder, hz_random *random, bool *yes, hz_error *err);
/* Releases the bot and zeroes the structure; accepts NULL and a zeroed one, so closing twice does
 * nothing. */
void hz_bot_close(hz_bot *bot);
/* The same, and reports what failed while closing: the first failure, the others behind it in the
 * message. The bot is closed in any case. */
hz_status hz_bot_shut(hz_bot *bot, hz_error *err);
/* How the bot values positions. False when it has no values to show. */
bool hz_bot_judge(const hz_bot *bot, hz_bot_judgement *judgement);

/* The default double and draw policy: takes above 0.25, never offers, no draws. */
bool hz_decide_default(hz_decision question, const hz_position *position, hz_color responder);

/* Budget of the Monte-Carlo bot: rollouts per result and plies per rollout. */
typedef struct hz_monte_carlo_config {
    uint32_t rollouts;  /* 1..1000000, default 120; a question with a time limit ignores it */
    uint32_t max_plies; /* 0..1000000, default 40 */
} hz_monte_carlo_config;
/*
 * Makes a Monte-Carlo bot; config NULL = defaults. HZ_INVALID_ARGUMENT outside the ranges. The
 * score of a turn is a million times the mover's win mass after it. Without a time limit every
 * result is estimated, in list order; a cancel flag then ends the estimating and the best so far is
 * played. With one, the 16 best results by material share the time. Rollouts take memory of their
 * own while the question lasts, with the limit of the request's arena.
 */
hz_status hz_bot_monte_carlo(const hz_monte_carlo_config *config, hz_bot *bot, hz_error *err);

/* ---- bots that search or hold a model
 * ---------------------------------------------------------------- */

/* What both expectimax bots have in common; see hz_expectimax_config for the meanings. */
typedef struct hz_bot_search {
    int64_t candidate_limit;
    int search_depth;
    bool exact_only;
    bool no_pruning;
    size_t table_entries; /* a power of two; the bot's own table; 0 = none */
    unsigned threads;
    hz_root_stats_sink sink; /* NULL = none */
    void *sink_context;
} hz_bot_search;
/* limit 8, depth 2, no table, one thread, no sink. */
hz_bot_search hz_bot_search_default(void);

typedef struct hz_bot_expectimax_config {
    hz_evaluator leaf; /* zeroed = material. Safe in any thread when there are more than one */
    hz_bot_search search;
} hz_bot_expectimax_config;
/*
 * "expectimax", level 7. On success the evaluator belongs to the bot, which closes it; on failure it
 * stays the caller's. HZ_INVALID_ARGUMENT, HZ_CONFLICT, HZ_NO_MEMORY.
 */
hz_status hz_bot_expectimax(const hz_bot_expectimax_config *config, hz_bot *bot, hz_error *err);

typedef struct hz_bot_model_eval_config {
    hz_model_source model; /* role position-value; a package must outlive the call only */
    hz_scorer_options scorer;
} hz_bot_model_eval_config;
/*
 * "onnx-eval", level 8: plays the result whose position the model likes best. Without a time limit
 * all results are judged. With one they are judged in list order in chunks of 32, and the clock is
 * read before each chunk; the best of the chunks done is played, or, without any, the first result
 * of most material, with its material for a score and without a draw. A failing model is an error.
 */
hz_status hz_bot_model_eval(const hz_bot_model_eval_config *config, hz_bot *bot, hz_error *err);

/*
 * A model source with neither package nor path is no model. Handles are opened in the order leaf,
 * rescorer (only with a weight above 0), collapse, pre-ranker, then one more of the leaf for every
 * thread beyond the first. Settings and the roles of packages are looked at before anything is
 * opened: HZ_INVALID_ARGUMENT, HZ_CONFLICT, HZ_MODEL_ROLE. When opening fails, what was opened is
 * closed, newest first, and the first error is reported; failures to close are put behind its
 * message.
 */
typedef struct hz_bot_model_expectimax_config {
    hz_model_source leaf;     /* required; role position-value */
    hz_scorer_options scorer; /* of all handles */
    hz_bot_search search;
    hz_model_source rescore;  /* role position-value */
    double rescore_weight;    /* 0..1 */
    hz_model_source collapse; /* role chance-collapse */
    bool loss_guard;
    hz_model_source pre_rank; /* role move-prerank; not with pre_rank_with_model */
    bool pre_rank_with_model; /* the leaf model orders */
    int64_t chunk_size;       /* rows per run of the pre-ranker, > 0 */
} hz_bot_model_expectimax_config;
/* No models, weight 0.5, chunk 256, the search of hz_bot_search_default. */
hz_bot_model_expectimax_config hz_bot_model_expectimax_config_default(void);
/* "onnx-expectimax", level 9. The score axis is the model's, 0 to 10000. */
hz_status hz_bot_model_expectimax(const hz_bot_model_expectimax_config *config, hz_bot *bot,
                                  hz_error *err);

/* ---- registry
 * ---------------------------------------------------------------------------------------- */

typedef struct hz_registry hz_registry;
/* One registration, not one bot: closing a stale one never touches its successor. */
typedef struct hz_registration hz_registration;

/* A registry with the six built-in bots. NULL without memory. */
hz_registry *hz_registry_new(void);
/* For programs that open bots by the texts of strangers: from now on options that name a file or
 * folder are refused with HZ_BAD_OPTION, and numbers may not exceed their `guarded` most. */
void hz_registry_guard(hz_registry *registry);
/* Takes every bot out, as closing its registration would. Handles and opened bots stay valid and
 * must still be closed. Accepts NULL. */
void hz_registry_free(hz_registry *registry);

/*
 * Registers a bot under its info's id, replacing one of that id (also a built-in one). From now on
 * the bot belongs to the registry: it is closed, exactly once, when the last of its registrations
 * was closed or replaced (or the registry freed) and the last hz_bot opened from them is closed
 * too. The same instance may be registered again, under the same or another id. *handle may be NULL
 * when the caller does not want to close it early; else close it in the end. HZ_INVALID_ARGUMENT
 * for an empty id, an id with characters outside a-z 0-9 - _ ., a level outside 1..10, an info with
 * a NULL text. On failure the bot stays the caller's.
 */
hz_status hz_registry_register(hz_registry *registry, const hz_bot *bot, hz_registration **handle,
                               hz_error *err);
/* Removes the entry if it is still this registration's, and frees the handle. Accepts NULL. */
void hz_registration_close(hz_registration *handle);

/* ---- kinds: bots made anew from text ---- */

typedef enum hz_option_type {
    HZ_OPTION_COUNT,  /* decimal digits within least..most */
    HZ_OPTION_REAL,   /* a decimal number within least..most */
    HZ_OPTION_SWITCH, /* 0, 1, false or true */
    HZ_OPTION_CHOICE, /* one of the words of `range` */
    HZ_OPTION_TEXT,   /* any text but an empty one */
    HZ_OPTION_FILE    /* a path, not empty */
} hz_option_type;
/* "count", "real", "switch", "choice", "text", "file". Static. */
const char *hz_option_type_name(hz_option_type type);

/* An option of a bot, as lists show it. Texts live as long as the bot's registration. */
typedef struct hz_bot_option {
    const char *name; /* case-sensitive */
    hz_option_type type;
    double least, most; /* of a count or real */
    const char *value;  /* the default as text, NULL = none */
    const char *range;  /* of a choice: words separated by '|'; of a text or file: what it names */
    const char *about;  /* one line */
    double guarded;     /* most of a count in a guarded registry; 0 = as without */
} hz_bot_option;

/* An option as it was given. */
typedef struct hz_option_value {
    bool given;     /* otherwise the rest is the default, text NULL without one */
    size_t offset;  /* of the value in the bot's text; where the text ends when it was not given */
    uint64_t count; /* of a count; of a switch 0 or 1; of a choice the index of its word */
    double real;
    const char *text; /* until `open` returns */
} hz_option_value;

/* A bot that is made anew whenever it is opened. The structures pointed to must outlive the registry
 * and the bots. */
typedef struct hz_bot_kind {
    const hz_bot_info *info;
    size_t option_count; /* at most 32 */
    const hz_bot_option *options;
    /* values: one for each option, in their order */
    hz_status (*open)(void *context, const hz_option_value *values, hz_bot *bot, hz_error *err);
    void *context;
} hz_bot_kind;
enum { HZ_BOT_OPTIONS_MAX = 32 };

/* Registers a kind as hz_registry_register does a bot; *kind is copied. */
hz_status hz_registry_register_kind(hz_registry *registry, const hz_bot_kind *kind,
                                    hz_registration **handle, hz_error *err);
/* The kinds of this library that no registry has by itself: expectimax, onnx-eval, onnx-expectimax;
 * NULL past the end. Static. */
const hz_bot_kind *hz_bot_kind_at(size_t index);
/* Registers all of them. */
hz_status hz_registry_register_kinds(hz_registry *registry, hz_error *err);
/* Option number `option` of the bot number `index` in the order of hz_registry_info; false past the
 * end. */
bool hz_registry_option(const hz_registry *registry, size_t index, size_t option,
                        hz_bot_option *description);

/* Number of bots, and the info of each in order of level, then registration; false past the end.
 * The texts live as long as that registration. */
size_t hz_registry_count(const hz_registry *registry);
bool hz_registry_info(const hz_registry *registry, size_t index, hz_bot_info *info);

/*
 * Makes the bot a text names: "greedy", or an id with options "monte-carlo:rollouts=200,plies=40".
 * NULL or "" is the default, greedy. Ids are case-insensitive. Inside a value "\," is a comma and
 * "\\" a backslash. A bot of a kind (monte-carlo is one) is made anew, other bots have no options.
 * For a registered bot the result is a view of the one instance, which it keeps from being closed:
 * it answers until it is closed itself, whatever becomes of the registration or the registry. Close
 * it with hz_bot_close in either case. HZ_UNKNOWN_BOT lists the known ids; HZ_BAD_OPTION names the
 * option, the offset is its place in the text; a model that is refused gives its own code with the
 * place of the option that names it; *bot is unchanged then.
 */
hz_status hz_registry_open(hz_registry *registry, const char *text, hz_bot *bot, hz_error *err);

/* ---- opening book
 * --------------------------------------------------------------------------------------- */

typedef struct hz_book hz_book;

/*
 * Reads "key<TAB>value" lines: the key is hz_position_book_key of the position with its roll, the
 * value one turn as micro-moves joined by commas, in any order, promotions with their letter.
 * Blanks around both are ignored (so is the CR of a CRLF), blank lines are skipped, the last line
 * of a key wins. A line without exactly one tab or with an empty part is bad and fails the whole
 * book: HZ_BOOK_SYNTAX with the numbers of the bad lines in the message, err->line and the offset
 * for the first. Keys and values are not looked at further: what is no position or turn is never
 * met. Bytes may be anything. Caller frees.
 */
hz_status hz_book_parse(const char *text, size_t length, hz_book **book, hz_error *err);
void hz_book_free(hz_book *book);
size_t hz_book_count(const hz_book *book);
/* The value stored for a key, NULL when there is none; lives as long as the book. */
const char *hz_book_find(const hz_book *book, const char *key);
/*
 * Wraps a bot. In a position of the book a capture of the king comes first, then the legal turn of
 * the book's micro-moves (the one of smallest text among their orders), scored by the material
 * after it; both without a draw and at once. In all other cases, and for double and draw decisions,
 * the bot answers, with the stream and deadline of the request. Level and timing are the bot's. The
 * wrapper owns `base`; `book` is borrowed and must outlive it. id: of the new bot, as in
 * hz_registry_register; display_name: NULL = the id. HZ_INVALID_ARGUMENT for a bad id. On failure
 * `base` stays the caller's.
 */
hz_status hz_bot_with_book(const char *id, const char *display_name, const hz_book *book,
                           const hz_bot *base, hz_bot *bot, hz_error *err);

/* ---- scenarios ------------------------------------------------------------------------------- */

typedef enum hz_scenario_category {
    HZ_SCENARIO_TACTICAL,
    HZ_SCENARIO_DEFENSIVE,
    HZ_SCENARIO_ENDGAME,
    HZ_SCENARIO_FORCED_PASS
} hz_scenario_category;
/* What makes a turn an expected one. */
typedef enum hz_scenario_goal {
    HZ_GOAL_DECISION, /* accepted by whoever made the catalogue */
    HZ_GOAL_KING,     /* it takes the king */
    HZ_GOAL_GAIN,     /* it leaves the greatest material balance */
    HZ_GOAL_GUARD,    /* it leaves the opponent the fewest rolls that take the king */
    HZ_GOAL_PASS      /* there is no legal turn */
} hz_scenario_goal;
/* "tactical", "defensive", "endgame", "forced-pass"; "decision", "king", "gain", "guard", "pass".
 * Static text. */
const char *hz_scenario_category_text(hz_scenario_category category);
const char *hz_scenario_goal_text(hz_scenario_goal goal);

/* A roll with known good answers. */
typedef struct hz_scenario {
    const char *id;
    const char *why; /* "" = nothing said */
    hz_scenario_category category;
    hz_scenario_goal goal;
    hz_position position; /* with dice */
    bool expects_pass;
    size_t turn_count; /* 0 exactly when a pass is expected */
    const hz_turn *turns;
} hz_scenario;

/* Scenarios with the seeds they are run with. Everything lives until it is freed. */
typedef struct hz_catalogue {
    const char *id;
    size_t seed_count; /* >= 1 */
    const uint64_t *seeds;
    size_t count; /* >= 1 */
    const hz_scenario *scenarios;
    hz_arena memory;
} hz_catalogue;

enum {
    HZ_CATALOGUE_MAX = 10000,       /* scenarios */
    HZ_CATALOGUE_SEEDS_MAX = 1000,  /* seeds */
    HZ_SCENARIO_LEGAL_MAX = 1000000 /* legal turns a scenario may state, and be counted up to */
};

/*
 * Reads a catalogue: JSON in the compact or the long form of docs/formats.md, section 4. The bytes
 * may be anything. Everything is checked: members (unknown and double ones are refused), ids and
 * seeds (unique), positions (canonical, with dice), turns (legal, once each), a pass (no legal
 * turn), the numbers of legal and of king-taking turns.
 * HZ_JSON: not JSON; with line, column and offset. HZ_SCENARIO: the message names the place
 * ("scenarios[3] (guard-01): expect[0]: ..."), there is no offset. HZ_NO_MEMORY. *catalogue is NULL
 * on failure.
 */
hz_status hz_catalogue_parse(const char *text, size_t length, hz_catalogue **catalogue,
                             hz_error *err);
/* A small catalogue that comes with the library, checked like any other. */
hz_status hz_catalogue_builtin(hz_catalogue **catalogue, hz_error *err);
/* Accepts NULL. */
void hz_catalogue_free(hz_catalogue *catalogue);
/* Whether a legal answer is an expected one; turns are compared as texts. */
bool hz_scenario_expects(const hz_scenario *scenario, bool pass, const hz_turn *turn);

/* ---- agreement of two bots
 * --------------------------------------------------------------------------- */

typedef struct hz_agreement_answer {
    bool pass;
    hz_turn turn;
    int32_t score; /* 0 with a pass */
    bool legal;    /* a legal turn, or a pass where there is none */
    bool matched;  /* legal and expected */
} hz_agreement_answer;

/* Of the candidate, the reference being what it is compared with. */
typedef enum hz_agreement_class {
    HZ_CANDIDATE_IMPROVED,  /* it matches and the reference does not */
    HZ_CANDIDATE_REGRESSED, /* the other way round */
    HZ_BOTH_MATCHED,
    HZ_BOTH_MISSED
} hz_agreement_class;
/* "candidate_improved" and so on. Static text. */
const char *hz_agreement_class_text(hz_agreement_class verdict);

/* One scenario with one seed. */
typedef struct hz_agreement_run {
    size_t index; /* of the scenario */
    const hz_scenario *scenario;
    uint64_t seed;
    hz_agreement_answer candidate, reference;
    hz_agreement_class verdict;
    bool same;       /* the same turn, or both pass */
    bool same_score; /* and the same score */
} hz_agreement_run;

typedef struct hz_agreement {
    uint64_t runs;
    uint64_t same, different; /* add up to runs */
    uint64_t same_score;
    uint64_t matched_candidate, matched_reference;
    uint64_t improved, regressed, both_matched, both_missed; /* add up to runs */
    uint64_t illegal_candidate, illegal_reference;
} hz_agreement;

/* Adds one run to the sums. */
void hz_agreement_add(hz_agreement *sum, const hz_agreement_run *run);

/* Called for every run, the seeds of a scenario one after the other. Return false to stop. */
typedef bool (*hz_agreement_visit)(void *context, const hz_agreement_run *run);

/*
 * Asks both bots about every scenario with every seed, each time on a fresh stream of that seed and
 * without a time limit, and compares what they play. seeds NULL: those of the catalogue. visit may
 * be NULL. HZ_INCOMPLETE when the visitor stopped; *agreement then holds what was done. A failing
 * bot fails the comparison with its own code, the scenario named in the message.
 */
hz_status hz_agreement_compare(const hz_catalogue *catalogue, const uint64_t *seeds,
                               size_t seed_count, const hz_bot *candidate, const hz_bot *reference,
                               hz_agreement_visit visit, void *context, hz_agreement *agreement,
                               hz_error *err);

#ifdef __cplusplus
}
#endif
#endif
