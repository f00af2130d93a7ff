/* SPDX-License-Identifier: MIT */
/*
 * One game, by the loop of its rules (referee_dice.c, referee_chess.c; what they share is in
 * referee_ask.c): clocks, random streams and the list of turns are as new for each.
 */
#include "arena/referee.h"

#include <stdlib.h>

static const uint64_t TAGS[2] = {0xA5A5A5A5A5A5A5A5, 0x5A5A5A5A5A5A5A5A};

hz_match_rules hz_match_rules_default(void) {
    return (hz_match_rules){.game = HZ_MATCH_DICE,
                            .overhead_ms = HZ_TIME_OVERHEAD_LOCAL_MS,
                            .policy = HZ_TIME_EMPIRICAL,
                            .max_plies = 1000};
}

hz_referee *hz_referee_new(void) {
    return calloc(1, sizeof(hz_referee));
}

void hz_referee_free(hz_referee *referee) {
    if (referee) {
        hz_arena_fini(&referee->lists);
        if (referee->has_game) {
            hz_chess_game_fini(&referee->game);
        }
        free(referee->turns);
        free(referee);
    }
}

/* ---- a game ---- */

hz_status hz_referee_play(hz_referee *referee, const hz_match_rules *rules,
                          const hz_match_game_setup *setup, hz_match_game_result *result,
                          hz_error *err) {
    *result = (hz_match_game_result){0};
    referee->rules = rules;
    referee->setup = setup;
    referee->result = result;
    referee->turn_count = 0;
    for (int color = 0; color < 2; color++) {
        referee->rest_ms[color] = rules->control.base_ms;
        referee->owed_us[color] = 0;
        referee->bad_scores[color] = 0;
        referee->streams[color] =
            hz_random_from_seed(hz_random_mix(setup->stream_seed ^ TAGS[color]));
    }
    hz_status status = rules->game == HZ_MATCH_CHESS ? hzi_referee_chess(referee, err)
                                                     : hzi_referee_dice(referee, err);
    result->turn_count = referee->turn_count;
    result->turns = referee->turns;
    return status;
}
