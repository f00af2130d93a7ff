/* SPDX-License-Identifier: MIT */
/*
 * hazard/bots.h - players of Dice Chess: the registry, the built-in bots, the opening book, double
 * and draw decisions.
 *
 * A bot chooses among the results of a roll (dice.h). It answers a pass only when there is no legal
 * turn, and a legal turn otherwise, under any deadline. With the same stream and no deadline it
 * answers the same.
 *
 * Thread rule: a registry may be shared between threads; one bot instance is asked by one thread at
 * a time; different instances may be asked in parallel.
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
    const hz_deadline *deadline; /* NULL = untimed; looked at by timed bots only */
    hz_arena *arena;             /* for the lists of the answer; the caller resets it */
} hz_bot_request;

typedef struct hz_bot_answer {
    bool pass;         /* no legal turn; the other fields are then zero */
    hz_turn turn;      /* what to play */
    hz_position after; /* after hand-over; with the king taken, the board as it is */
    int32_t score;     /* mover's view; HZ_SCORE_WIN for taking the king */
    uint64_t seed;     /* stream and counter before the question: with them it can be repeated */
    uint64_t counter;
    size_t results;      /* length of the list of results, 0 when a book answered without it */
    size_t tie_count;    /* results of equal value among which the turn was picked, >= 1 */
    const hz_turn *ties; /* their canonical turns in list order, in the request's arena */
    bool from_book;
} hz_bot_answer;

/* The four yes/no questions outside a roll (search spec 10). */
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
 * A bot as its maker sees it. choose fills *answer completely (it is zeroed before). decide may be
 * NULL: the default policy answers. close may be NULL. info and its texts live as long as the bot.
 */
typedef struct hz_bot {
    const hz_bot_info *info;
    void *state;
    hz_status (*choose)(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                        hz_error *err);
    hz_status (*decide)(void *state, hz_decision question, const hz_position *position,
                        hz_color responder, hz_random *random, bool *yes, hz_error *err);
    void (*close)(void *state);
} hz_bot;

/* Asks for a turn; checks the request, fills seed and counter. HZ_INVALID_ARGUMENT when the
 * position has no dice. */
hz_status hz_bot_choose(const hz_bot *bot, const hz_bot_request *request, hz_bot_answer *answer,
                        hz_error *err);
/* Asks a yes/no question. Offers look at the side to move; a take looks at `responder`; accepting a
 * draw looks at the side to move. */
hz_status hz_bot_decide(const hz_bot *bot, hz_decision question, const hz_position *position,
                        hz_color responder, hz_random *random, bool *yes, hz_error *err);
/* Calls close (if any) and zeroes the structure; accepts NULL and a zeroed one. */
void hz_bot_close(hz_bot *bot);

/* The default double and draw policy: takes above 0.25, never offers, no draws. */
bool hz_decide_default(hz_decision question, const hz_position *position, hz_color responder);

/* Budget of the Monte-Carlo bot: most rollouts and plies. */
typedef struct hz_monte_carlo_config {
    uint32_t rollouts;  /* default 120 */
    uint32_t max_plies; /* default 40 */
} hz_monte_carlo_config;
/* Makes a Monte-Carlo bot; config NULL = defaults. */
hz_status hz_bot_monte_carlo(const hz_monte_carlo_config *config, hz_bot *bot, hz_error *err);

/* ---- registry
 * ---------------------------------------------------------------------------------------- */

typedef struct hz_registry hz_registry;
/* One registration, not one bot: closing a stale one never touches its successor. */
typedef struct hz_registration hz_registration;

/* A registry with the six built-in bots. NULL without memory. */
hz_registry *hz_registry_new(void);
/* Closes every bot still registered. Handles still open stay valid to close (they do nothing).
 * Accepts NULL. */
void hz_registry_free(hz_registry *registry);

/* Registers a bot under its id, replacing one of that id. The registry owns the bot from now on: it
 * is closed when the registration is closed, or replaced and no longer in use, or the registry
 * goes. *handle may be NULL when the caller does not want to close it early. HZ_INVALID_ARGUMENT
 * for an empty id, an id with characters outside a-z 0-9 - _ ., a level outside 1..10. On failure
 * the bot stays the caller's. */
hz_status hz_registry_register(hz_registry *registry, const hz_bot *bot, hz_registration **handle,
                               hz_error *err);
/* Removes the entry if it is still this registration's, closes the bot, frees the handle. Accepts
 * NULL. */
void hz_registration_close(hz_registration *handle);

/* Number of bots, and the info of each in order of level, then registration; false past the end. */
size_t hz_registry_count(const hz_registry *registry);
bool hz_registry_info(const hz_registry *registry, size_t index, hz_bot_info *info);

/*
 * Makes the bot a text names: "greedy", or an id with options "monte-carlo:rollouts=200,plies=40".
 * NULL or "" is the default, greedy. Ids are case-insensitive. For a registered bot the result is a
 * view of it that stays valid until its registration is closed. Close it with hz_bot_close.
 * HZ_UNKNOWN_BOT lists the known ids; HZ_BAD_OPTION names the option.
 */
hz_status hz_registry_open(hz_registry *registry, const char *text, hz_bot *bot, hz_error *err);

/* ---- opening book
 * --------------------------------------------------------------------------------------- */

typedef struct hz_book hz_book;

/* Reads "key<TAB>value" lines (search spec 11). Any bad line fails the whole book; the message
 * lists the first bad lines, err->line the first. Caller frees. */
hz_status hz_book_parse(const char *text, size_t length, hz_book **book, hz_error *err);
void hz_book_free(hz_book *book);
size_t hz_book_count(const hz_book *book);
/* The value stored for a key, NULL when there is none; lives as long as the book. */
const char *hz_book_find(const hz_book *book, const char *key);
/* Wraps a bot: the book answers when it can, the bot otherwise; decisions are the bot's. The
 * wrapper owns `base` and a reference to `book` is borrowed (it must outlive the wrapper). id: of
 * the new bot; display_name may be NULL. On failure `base` stays the caller's. */
hz_status hz_bot_with_book(const char *id, const char *display_name, const hz_book *book,
                           const hz_bot *base, hz_bot *bot, hz_error *err);

#ifdef __cplusplus
}
#endif
#endif
