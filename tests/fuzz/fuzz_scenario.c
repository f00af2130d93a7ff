/* SPDX-License-Identifier: MIT */
/* Scenario catalogues: any bytes. What was read keeps every promise a catalogue makes, and a bot
 * that plays by material can be asked about it. */
#include "fuzz/fuzz.h"

#include <hazard/bots.h>

#include <string.h>

enum { MOST_LINES = 20000 };

static void check_scenario(const hz_catalogue *catalogue, size_t index) {
    const hz_scenario *s = &catalogue->scenarios[index];
    FUZZ_CHECK(*s->id && s->why && s->position.pool);
    for (size_t i = 0; i < index; i++) {
        FUZZ_CHECK(strcmp(catalogue->scenarios[i].id, s->id) != 0);
    }
    FUZZ_CHECK(*hz_scenario_category_text(s->category) && *hz_scenario_goal_text(s->goal));
    FUZZ_CHECK(s->expects_pass == (s->turn_count == 0));
    FUZZ_CHECK(s->expects_pass == (s->goal == HZ_GOAL_PASS));
    FUZZ_CHECK(!s->expects_pass || hz_dice_max(&s->position) == 0);
    for (size_t i = 0; i < s->turn_count; i++) {
        FUZZ_CHECK(s->turns[i].count > 0 && hz_turn_is_legal(&s->position, &s->turns[i]));
        FUZZ_CHECK(hz_scenario_expects(s, false, &s->turns[i]));
        FUZZ_CHECK(!hz_scenario_expects(s, true, &s->turns[i]));
    }
}

static void check_agreement(const hz_catalogue *catalogue) {
    hz_registry *registry = hz_registry_new();
    hz_bot bot;
    hz_agreement sum;
    hz_error err;
    FUZZ_CHECK(registry && hz_registry_open(registry, "greedy", &bot, &err) == HZ_OK);
    FUZZ_CHECK(hz_agreement_compare(catalogue, NULL, 0, &bot, &bot, NULL, NULL, &sum, &err) ==
               HZ_OK);
    FUZZ_CHECK(sum.runs == catalogue->count * catalogue->seed_count);
    FUZZ_CHECK(sum.same_score == sum.runs && sum.illegal_candidate == 0);
    hz_bot_close(&bot);
    hz_registry_free(registry);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hz_catalogue *catalogue;
    hz_error err;
    hz_status status = hz_catalogue_parse((const char *)data, size, &catalogue, &err);
    if (status != HZ_OK) {
        FUZZ_CHECK((status == HZ_SCENARIO || status == HZ_JSON) && !catalogue);
        fuzz_check_error(&err, status, size);
        return 0;
    }
    FUZZ_CHECK(catalogue->count > 0 && catalogue->seed_count > 0 && *catalogue->id);
    bool small = catalogue->count * catalogue->seed_count <= 30;
    for (size_t i = 0; i < catalogue->count; i++) {
        check_scenario(catalogue, i);
        small = small && fuzz_is_small(&catalogue->scenarios[i].position, MOST_LINES);
    }
    if (small) {
        check_agreement(catalogue);
    }
    hz_catalogue_free(catalogue);
    return 0;
}
