/* SPDX-License-Identifier: MIT */
/*
 * Judging a turn: what every result of a roll is worth, how much the played one gives away, and how
 * lucky the roll was.
 *
 * Values are expectations on the judge's own axis, from the mover's view. The axis has two ends: what
 * it is worth to take the enemy king, and to lose one's own. A search orders lines that may lose the
 * king far below everything else; here a lost king counts as the end of the axis, so that values can
 * be averaged, subtracted and added up over a game.
 *
 *   value of a result   the judge's word about the position after it (depth 1), or the mean over the
 *                       enemy's rolls of the least the enemy can leave (depth 2), and so on
 *   value of a roll     that of its best result; of the position after a pass, when there is none
 *   loss of a turn      value of the roll - value of the turn, never below 0
 *   luck of a roll      value of the roll - mean value over all 216 rolls
 */
#ifndef HAZARD_BOTS_ANALYSIS_H
#define HAZARD_BOTS_ANALYSIS_H

#include <hazard/bots.h>

/* The exact sum of a search's candidate (or chance node) as an expectation between the ends of the
 * axis. depth: of the search, 2 or 3. */
double hzi_expectation(const hz_bot_judgement *judgement, int64_t sum, int depth);

typedef struct hzi_analysis_config {
    hz_bot_judgement judgement; /* borrowed from the bot it is of */
    /* Results looked into beyond depth 1, the best ones by the judge's first look; 0 = all. `limit`
     * is for the list of results (the played one is always among them), roll_limit for the values of
     * rolls, including the roll that was thrown when luck is worked out. */
    uint32_t limit;
    uint32_t roll_limit;
    bool rolls; /* value the 56 rolls */
} hzi_analysis_config;

/* A result of the roll. */
typedef struct hzi_judged {
    hz_turn turn; /* canonical */
    hz_position after;
    int32_t first_look; /* the judge about the position after it; the end of the axis for a win */
    bool valued;        /* value and loss are there */
    double value, loss; /* loss against the best valued result */
    size_t rank;        /* 1 + results valued higher; 0 when not valued */
    unsigned own_216;   /* rolls of 216 with which the enemy then takes a king of the mover */
    unsigned enemy_216; /* and the mover one of the enemy, were it to roll */
} hzi_judged;

typedef struct hzi_analysis {
    bool complete;       /* false: the deadline cut something off */
    size_t count;        /* results; 0 = a pass */
    hzi_judged *results; /* best first, those without a value last, by first look */
    size_t valued;
    bool has_value;
    double value;     /* of the roll, by the list above; of a pass its position */
    ptrdiff_t played; /* index of the played result, -1 = none was given */
    bool has_rolls;
    double rolls[HZ_ROLLS]; /* value of each roll, in the order of hz_rolls */
    double mean;            /* over the 216 rolls: the value before the roll */
    int roll;               /* index of the roll that was thrown, -1 with less than three dice */
    double luck;            /* rolls[roll] - mean; 0 without a roll */
} hzi_analysis;

typedef struct hzi_analyst hzi_analyst;

hz_status hzi_analyst_new(const hzi_analysis_config *config, hzi_analyst **analyst, hz_error *err);
/* Accepts NULL. */
void hzi_analyst_free(hzi_analyst *analyst);

/* Called after each of `total` pieces of work; false stops, as a deadline does. */
typedef bool (*hzi_analysis_progress)(void *context, size_t done, size_t total);

/*
 * Judges the results of a position with dice. played: a legal turn of it, NULL = none. deadline and
 * progress may be NULL. Lists lie in `arena`. HZ_INVALID_ARGUMENT without dice or for a turn that is
 * not legal; HZ_MODEL_RUN when the judge failed; HZ_NO_MEMORY.
 */
hz_status hzi_analyse(hzi_analyst *analyst, const hz_position *position, const hz_turn *played,
                      const hz_deadline *deadline, hzi_analysis_progress progress,
                      void *progress_context, hz_arena *arena, hzi_analysis *analysis,
                      hz_error *err);

#endif
