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
    HZ_FAULT_FAILED    /* the player itself reported a failure */
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
    uint64_t nodes; /* 0 = not said */
    char note[120]; /* of a fault, for the log */
} hz_match_reply;

/* One instance of a player. A fault is an answer, not a failure: ask fails only when the run cannot
 * go on at all (HZ_NO_MEMORY). */
typedef struct hz_match_player hz_match_player;
struct hz_match_player {
    const char *name; /* lives as long as the instance */
    void *state;
    bool searching;     /* uses question.deadline; else an instant or a self-managing player */
    bool self_managing; /* gets its whole rest as time-out (network, child process) */
    hz_status (*ask)(hz_match_player *player, const hz_match_question *question,
                     hz_match_reply *reply, hz_error *err);
    /* Before the first game and after a fault that ended the connection; may be NULL. */
    hz_status (*start)(hz_match_player *player, hz_error *err);
    void (*close)(hz_match_player *player); /* may be NULL */
};
void hz_match_player_close(hz_match_player *player);

/*
 * Makes the player a text names, for one worker: a bot with options (Dice Chess; "greedy",
 * "expectimax:limit=4"), "uci:COMMAND [option.NAME=VALUE ...]" (a child process, either game),
 * "http://..." or "https://..." (Dice Chess over the bot protocol; keys from the environment),
 * for chess also "level1" .. "level4" (league baselines are not visible here: use
 * "uci:hazard league baseline N") and "search:depth=N,nodes=N,model=FILE" (our own chess search).
 * HZ_UNKNOWN_BOT lists what is known; HZ_BAD_OPTION.
 */
hz_status hz_match_player_open(const char *text, hz_match_game game, hz_registry *registry,
                               hz_match_player *player, hz_error *err);
/* src/arena/uci_player.c and http_player.c, behind hz_match_player_open. */
hz_status hz_match_player_uci(const char *command, hz_match_game game, hz_match_player *player,
                              hz_error *err);
hz_status hz_match_player_http(const char *url, hz_match_player *player, hz_error *err);

#ifdef __cplusplus
}
#endif
#endif
