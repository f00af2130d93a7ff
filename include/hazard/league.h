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
 * not finite forfeits the game. A failure forfeits it, too. */
typedef hz_status (*hz_league_judge_function)(void *state, const hz_position *positions, size_t n,
                                              float *values, hz_error *err);
typedef struct hz_league_judge {
    hz_league_judge_function judge; /* NULL = the handcrafted evaluation */
    void *state;
} hz_league_judge;
/* Own minus enemy material (P 1, N 3, B 3, R 5, Q 9). */
hz_league_judge hz_league_judge_material(void);

/* ---- players ------------------------------------------------------------------------------------- */

/* Mate in n plies is HZ_LEAGUE_MATE - n; finite values are cut to +-HZ_LEAGUE_VALUE_MAX. */
enum { HZ_LEAGUE_MATE = 100000, HZ_LEAGUE_VALUE_MAX = 90000, HZ_LEAGUE_LEVELS = 4 };

typedef struct hz_league_player_config {
    hz_league_judge judge;
    int depth;     /* 1..; 1 = every move, then quiescence */
    bool enhanced; /* table, principal variation search, null move; else classic alpha-beta */
    bool evade;    /* experiments only: in check all moves are searched instead of standing pat */
    bool cached;   /* remember judgements by position; changes nothing but the time */
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

#ifdef __cplusplus
}
#endif
#endif
