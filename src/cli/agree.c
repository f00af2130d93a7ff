/* SPDX-License-Identifier: MIT */
/* `hazard agree`: how often one bot plays the turn of another, and what it plays otherwise. */
#include "cli/arena_common.h"
#include "cli/json.h"
#include "cli/player.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const about[] = {
    "Asks two bots about the same scenarios with the same seeds and compares their turns one by "
    "one: how often the CANDIDATE plays the turn of the REFERENCE, what it plays otherwise, and "
    "which of the two plays an expected turn. For judging a change to a search, a model or "
    "settings before any game is played; a share of won games does not show where a change "
    "differs. Bots are named as for --bot.",
    "Three steps make the judgement, in this order. First, what must not change anything must not: "
    "compare such settings with --equal, which asks for equal scores as well; the same bot given "
    "twice tells whether it repeats itself. Second, agreement: this command without --equal. "
    "Third, strength, in games.",
    "A scenario is a roll with known good turns; 'expected' counts how often each bot plays one. A "
    "catalogue of a dozen comes with the command, --catalogue reads another one. Bots are asked "
    "without a time limit, each time on a fresh random stream of the seed.",
    NULL};

static const hzc_option options[] = {
    {"catalogue", 'c', "FILE", "take the scenarios from this JSON file"},
    {"seeds", 's', "SEEDS", "take these seeds, separated by commas, in place of the catalogue's"},
    {"equal", 'e', NULL, "ask for equal scores as well"},
    HZC_OPTION_JSON,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard agree --equal greedy greedy", "A bot repeats itself."},
    {"hazard agree --seeds 1,2 monte-carlo:rollouts=9 monte-carlo:rollouts=9 --json",
     "Every answer of two bots, for scripts."},
    {0}};

typedef struct agree {
    const hzc_args *args;
    hzc_out *out;
    hzc_json json;
    bool as_json, equal;
    hz_registry *registry;
    hz_bot bots[2]; /* candidate, reference */
    hz_catalogue *catalogue;
    size_t seed_count;
    const uint64_t *seeds;
    uint64_t *given; /* of --seeds, owned */
    /* Of the present scenario; a run a seed. */
    hz_agreement_run *runs;
    size_t run_count;
} agree;

/* ---- what was asked ---- */

static int read_scenarios(agree *a) {
    int code = hzc_catalogue_read(a->args, &a->catalogue);
    if (code == HZC_DONE) {
        code = hzc_seeds_read(a->args, &a->given, &a->seed_count);
        a->seeds = a->given;
    }
    if (code == HZC_DONE && !a->given) {
        a->seeds = a->catalogue->seeds;
        a->seed_count = a->catalogue->seed_count;
    }
    return code;
}

static int open_bots(agree *a) {
    hz_error err;
    a->registry = hzc_registry_new(a->args);
    if (!a->registry) {
        return HZC_ENVIRONMENT;
    }
    for (int i = 0; i < 2; i++) {
        const char *text = a->args->operands[i];
        if (hz_registry_open(a->registry, text, &a->bots[i], &err) != HZ_OK) {
            return hzc_report(a->args, &err, text, strlen(text));
        }
    }
    return HZC_DONE;
}

/* ---- text ---- */

static const char *answer_text(const hz_agreement_answer *answer, char buffer[HZ_TURN_CAPACITY]) {
    (void)hz_turn_to_text(&answer->turn, buffer);
    return buffer;
}

/* Whether a run counts as agreement. */
static bool agrees(const agree *a, const hz_agreement_run *run) {
    return a->equal ? run->same_score : run->same;
}

static bool same_pair(const hz_agreement_run *x, const hz_agreement_run *y, bool scores) {
    return hz_turn_text_order(&x->candidate.turn) == hz_turn_text_order(&y->candidate.turn) &&
           hz_turn_text_order(&x->reference.turn) == hz_turn_text_order(&y->reference.turn) &&
           (!scores ||
            (x->candidate.score == y->candidate.score && x->reference.score == y->reference.score));
}

static void print_pair(agree *a, const hz_agreement_run *run, size_t times) {
    char plays[HZ_TURN_CAPACITY], instead_of[HZ_TURN_CAPACITY];
    hzc_out_format(a->out, "    %s%s instead of %s%s", answer_text(&run->candidate, plays),
                   run->candidate.legal ? "" : " (illegal)",
                   answer_text(&run->reference, instead_of),
                   run->reference.legal ? "" : " (illegal)");
    if (a->equal) {
        hzc_out_format(a->out, ", score %" PRId32 " instead of %" PRId32, run->candidate.score,
                       run->reference.score);
    }
    if (times == 1) {
        hzc_out_format(a->out, ": seed %" PRIu64 "\n", run->seed);
    } else {
        hzc_out_format(a->out, ": %zu seeds\n", times);
    }
}

/* What the candidate plays otherwise, each pair of turns once. */
static void print_differences(agree *a) {
    for (size_t i = 0; i < a->run_count; i++) {
        const hz_agreement_run *run = &a->runs[i];
        bool told = agrees(a, run);
        for (size_t k = 0; k < i && !told; k++) {
            told = !agrees(a, &a->runs[k]) && same_pair(&a->runs[k], run, a->equal);
        }
        size_t times = 0;
        for (size_t k = i; k < a->run_count; k++) {
            times += !agrees(a, &a->runs[k]) && same_pair(&a->runs[k], run, a->equal);
        }
        if (!told) {
            print_pair(a, run, times);
        }
    }
}

static void print_scenario(agree *a) {
    size_t agreed = 0, matched[2] = {0};
    for (size_t i = 0; i < a->run_count; i++) {
        agreed += agrees(a, &a->runs[i]);
        matched[0] += a->runs[i].candidate.matched;
        matched[1] += a->runs[i].reference.matched;
    }
    hzc_out_format(a->out, "%-24s %-11s %5zu of %-5zu %5zu / %zu\n", a->runs[0].scenario->id,
                   hz_scenario_category_text(a->runs[0].scenario->category), agreed, a->run_count,
                   matched[0], matched[1]);
    print_differences(a);
}

static void print_summary(agree *a, const hz_agreement *sum) {
    uint64_t agreed = a->equal ? sum->same_score : sum->same;
    hzc_out_format(a->out,
                   "\n%s: %" PRIu64 " of %" PRIu64 " (%.1f %%)\n"
                   "expected turns: candidate %" PRIu64 ", reference %" PRIu64 "; improved %" PRIu64
                   ", regressed %" PRIu64 ", both %" PRIu64 ", neither %" PRIu64 "\n",
                   a->equal ? "same turn and score" : "same turn", agreed, sum->runs,
                   100.0 * (double)agreed / (double)sum->runs, sum->matched_candidate,
                   sum->matched_reference, sum->improved, sum->regressed, sum->both_matched,
                   sum->both_missed);
    if (sum->illegal_candidate || sum->illegal_reference) {
        hzc_out_format(a->out, "illegal answers: candidate %" PRIu64 ", reference %" PRIu64 "\n",
                       sum->illegal_candidate, sum->illegal_reference);
    }
}

/* ---- JSON ---- */

static void put_answer(hzc_json *json, const char *key, const hz_agreement_answer *answer) {
    hzc_json_object(json, key);
    hzc_json_bool(json, "pass", answer->pass);
    hzc_json_turn(json, "turn", &answer->turn);
    if (answer->pass) {
        hzc_json_null(json, "score");
    } else {
        hzc_json_integer(json, "score", answer->score);
    }
    hzc_json_bool(json, "legal", answer->legal);
    hzc_json_bool(json, "matched", answer->matched);
    hzc_json_end_object(json);
}

static void put_scenario(agree *a) {
    hzc_json *json = &a->json;
    const hz_scenario *scenario = a->runs[0].scenario;
    uint64_t same = 0;
    for (size_t i = 0; i < a->run_count; i++) {
        same += agrees(a, &a->runs[i]);
    }
    hzc_json_object(json, NULL);
    hzc_json_text(json, "id", scenario->id);
    hzc_json_text(json, "category", hz_scenario_category_text(scenario->category));
    hzc_json_text(json, "goal", hz_scenario_goal_text(scenario->goal));
    hzc_json_dfen(json, "dfen", &scenario->position);
    hzc_json_count(json, "agree", same);
    hzc_json_array(json, "runs");
    for (size_t i = 0; i < a->run_count; i++) {
        const hz_agreement_run *run = &a->runs[i];
        hzc_json_object(json, NULL);
        hzc_json_seed(json, "seed", run->seed);
        hzc_json_bool(json, "same", run->same);
        hzc_json_bool(json, "same_score", run->same_score);
        hzc_json_text(json, "class", hz_agreement_class_text(run->verdict));
        put_answer(json, "candidate", &run->candidate);
        put_answer(json, "reference", &run->reference);
        hzc_json_end_object(json);
    }
    hzc_json_end_array(json);
    hzc_json_end_object(json);
}

static void put_head(agree *a) {
    hzc_json *json = &a->json;
    hzc_json_object(json, NULL);
    hzc_json_text(json, "candidate", a->args->operands[0]);
    hzc_json_text(json, "reference", a->args->operands[1]);
    hzc_json_text(json, "catalogue", a->catalogue->id);
    hzc_json_bool(json, "equal", a->equal);
    hzc_json_array(json, "seeds");
    for (size_t i = 0; i < a->seed_count; i++) {
        hzc_json_seed(json, NULL, a->seeds[i]);
    }
    hzc_json_end_array(json);
    hzc_json_array(json, "scenarios");
}

static void put_summary(agree *a, const hz_agreement *sum) {
    const struct {
        const char *key;
        uint64_t value;
    } counts[] = {{"runs", sum->runs},
                  {"same", sum->same},
                  {"different", sum->different},
                  {"same_score", sum->same_score},
                  {"matched_candidate", sum->matched_candidate},
                  {"matched_reference", sum->matched_reference},
                  {"candidate_improved", sum->improved},
                  {"candidate_regressed", sum->regressed},
                  {"both_matched", sum->both_matched},
                  {"both_missed", sum->both_missed},
                  {"illegal_candidate", sum->illegal_candidate},
                  {"illegal_reference", sum->illegal_reference}};
    hzc_json_end_array(&a->json);
    hzc_json_object(&a->json, "summary");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        hzc_json_count(&a->json, counts[i].key, counts[i].value);
    }
    hzc_json_end_object(&a->json);
    hzc_json_end_object(&a->json);
    hzc_out_char(a->out, '\n');
}

/* ---- running ---- */

/* Gathers the runs of a scenario and prints it when they are all there. */
static bool take_run(void *context, const hz_agreement_run *run) {
    agree *a = context;
    a->runs[a->run_count++] = *run;
    if (a->run_count == a->seed_count) {
        (a->as_json ? put_scenario : print_scenario)(a);
        a->run_count = 0;
    }
    return !a->out->failed;
}

static int compare(agree *a) {
    hz_agreement sum;
    hz_error err;
    a->runs = calloc(a->seed_count + 1, sizeof *a->runs);
    if (!a->runs) {
        return hzc_complain(a->args, HZC_ENVIRONMENT, "out of memory");
    }
    if (a->as_json) {
        put_head(a);
    } else {
        hzc_out_format(a->out, "%s, %zu scenarios, %zu seeds\n", a->catalogue->id,
                       a->catalogue->count, a->seed_count);
        hzc_out_format(a->out, "candidate %.200s, reference %.200s\n\n", a->args->operands[0],
                       a->args->operands[1]);
        hzc_out_format(a->out, "%-24s %-11s %14s %s\n", "scenario", "category", "agree",
                       "expected turns");
    }
    if (hz_agreement_compare(a->catalogue, a->seeds, a->seed_count, &a->bots[0], &a->bots[1],
                             take_run, a, &sum, &err) != HZ_OK) {
        return a->out->failed ? HZC_DONE : hzc_report(a->args, &err, NULL, 0);
    }
    (a->as_json ? put_summary : print_summary)(a, &sum);
    bool agreed = (a->equal ? sum.same_score : sum.same) == sum.runs;
    return agreed && !sum.illegal_candidate && !sum.illegal_reference ? HZC_DONE : HZC_NO;
}

static int run(const hzc_args *args) {
    agree a = {.args = args,
               .out = args->out,
               .json = hzc_json_to(args->out),
               .as_json = hzc_args_has(args, "json"),
               .equal = hzc_args_has(args, "equal")};
    if (args->operand_count != 2) {
        return hzc_usage(args, "two bots are compared: a candidate and a reference");
    }
    int code = read_scenarios(&a);
    if (code == HZC_DONE) {
        code = open_bots(&a);
    }
    if (code == HZC_DONE) {
        code = compare(&a);
    }
    hz_bot_close(&a.bots[0]);
    hz_bot_close(&a.bots[1]);
    hz_registry_free(a.registry);
    hz_catalogue_free(a.catalogue);
    free(a.given);
    free(a.runs);
    return code;
}

const hzc_command hzc_command_agree = {
    .name = "agree",
    .summary = "compare the turns of two bots, scenario by scenario",
    .operands = "CANDIDATE REFERENCE",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .exit_no = "some turns differ, or an answer is not legal",
    .run = run,
};
