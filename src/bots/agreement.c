/* SPDX-License-Identifier: MIT */
/*
 * Agreement of two bots, turn by turn: the step between "nothing changed" and "it plays better". A
 * share of won games would hide where a change differs; here every scenario and seed is looked at
 * by itself, and so is what is played instead.
 */
#include <hazard/bots.h>

const char *hz_agreement_class_text(hz_agreement_class verdict) {
    static const char *const texts[] = {"candidate_improved", "candidate_regressed", "both_matched",
                                        "both_missed"};
    return texts[verdict];
}

/* Asks one bot on a fresh stream. */
static hz_status ask(const hz_bot *bot, const char *role, const hz_scenario *scenario,
                     uint64_t seed, hz_arena *arena, hz_agreement_answer *answer, hz_error *err) {
    hz_random random = hz_random_from_seed(seed);
    hz_bot_answer given;
    hz_error inner = {0};
    hz_arena_reset(arena);
    const hz_bot_request request = {
        .position = &scenario->position, .random = &random, .arena = arena};
    hz_status status = hz_bot_choose(bot, &request, &given, &inner);
    if (status != HZ_OK) {
        return hz_fail(err, status, HZ_NO_OFFSET, "%s at scenario %s: %.800s", role, scenario->id,
                       inner.message);
    }
    *answer = (hz_agreement_answer){.pass = given.pass};
    bool sound =
        given.pass ? given.turn.count == 0 : given.turn.count >= 1 && given.turn.count <= 3;
    if (!given.pass) {
        answer->turn = sound ? given.turn : (hz_turn){0};
        answer->score = given.score;
    }
    answer->legal = sound && hz_turn_is_legal(&scenario->position, &answer->turn);
    answer->matched = answer->legal && hz_scenario_expects(scenario, answer->pass, &answer->turn);
    return HZ_OK;
}

static void judge(hz_agreement_run *run) {
    const hz_agreement_answer *a = &run->candidate, *b = &run->reference;
    run->verdict = a->matched && b->matched ? HZ_BOTH_MATCHED
                   : a->matched             ? HZ_CANDIDATE_IMPROVED
                   : b->matched             ? HZ_CANDIDATE_REGRESSED
                                            : HZ_BOTH_MISSED;
    run->same = a->pass == b->pass && hz_turn_text_order(&a->turn) == hz_turn_text_order(&b->turn);
    run->same_score = run->same && a->score == b->score;
}

void hz_agreement_add(hz_agreement *sum, const hz_agreement_run *run) {
    sum->runs++;
    sum->same += run->same;
    sum->different += !run->same;
    sum->same_score += run->same_score;
    sum->matched_candidate += run->candidate.matched;
    sum->matched_reference += run->reference.matched;
    sum->improved += run->verdict == HZ_CANDIDATE_IMPROVED;
    sum->regressed += run->verdict == HZ_CANDIDATE_REGRESSED;
    sum->both_matched += run->verdict == HZ_BOTH_MATCHED;
    sum->both_missed += run->verdict == HZ_BOTH_MISSED;
    sum->illegal_candidate += !run->candidate.legal;
    sum->illegal_reference += !run->reference.legal;
}

hz_status hz_agreement_compare(const hz_catalogue *catalogue, const uint64_t *seeds,
                               size_t seed_count, const hz_bot *candidate, const hz_bot *reference,
                               hz_agreement_visit visit, void *context, hz_agreement *agreement,
                               hz_error *err) {
    hz_arena arena;
    hz_status status = HZ_OK;
    *agreement = (hz_agreement){0};
    if (!seeds) {
        seeds = catalogue->seeds;
        seed_count = catalogue->seed_count;
    }
    hz_arena_init(&arena, 0);
    for (size_t i = 0; i < catalogue->count && status == HZ_OK; i++) {
        const hz_scenario *scenario = &catalogue->scenarios[i];
        for (size_t s = 0; s < seed_count && status == HZ_OK; s++) {
            hz_agreement_run run = {.index = i, .scenario = scenario, .seed = seeds[s]};
            status = ask(candidate, "candidate", scenario, seeds[s], &arena, &run.candidate, err);
            if (status == HZ_OK) {
                status =
                    ask(reference, "reference", scenario, seeds[s], &arena, &run.reference, err);
            }
            if (status != HZ_OK) {
                break;
            }
            judge(&run);
            hz_agreement_add(agreement, &run);
            if (visit && !visit(context, &run)) {
                status = hz_fail(err, HZ_INCOMPLETE, HZ_NO_OFFSET, "the comparison was stopped");
            }
        }
    }
    hz_arena_fini(&arena);
    return status;
}
