/* SPDX-License-Identifier: MIT */
/* `hazard equity`: who takes the king, by rollouts. */
#include "cli/equity.h"
#include "cli/player.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const char *const about[] = {
    "Estimates with which probability each side takes the other's king, by random play from the "
    "position before a roll. The rollouts never end in a capture but carry its exact probability "
    "along, so few of them say much. Dice in the DFEN are ignored.",
    "The standard error is that of White's number. The variance reduction compares with counting "
    "won games: 10 means ten times as many plain games for the same error.",
    NULL};

static const hzc_option options[] = {
    {"rollouts", 'n', "N", "most rollouts, 1 to 1000000000 (default 500)"},
    {"plies", 'p', "N", "turns of a rollout, 0 to 1000000 (default 1000)"},
    {"error", 'e', "E", "stop when the standard error is at most E, after 128 rollouts at least"},
    HZC_OPTION_SEED,
    HZC_OPTION_JSON,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard equity --seed 1 --rollouts 200 --plies 60 start", "How much the first move is worth."},
    {"hazard equity --seed 1 --error 0.02 '4k3/8/8/8/8/8/8/R3K3 w - - 0 1'",
     "As many rollouts as the error asks for."},
    {0}};

static bool read_error(const hzc_args *args, double *error) {
    const char *text = hzc_args_value(args, "error");
    char *end;
    if (!text) {
        return true;
    }
    *error = strtod(text, &end);
    if (*end || end == text || !(*error > 0.0 && *error < 1.0)) {
        (void)hzc_usage(args, "--error: '%s' is not a number between 0 and 1", text);
        return false;
    }
    return true;
}

void hzc_json_equity(hzc_json *json, const char *key, const hz_equity *equity,
                     const hz_random *random) {
    hzc_json_object(json, key);
    hzc_json_double(json, "white_win", equity->white_win);
    hzc_json_double(json, "black_win", equity->black_win);
    hzc_json_double(json, "undecided", equity->undecided);
    hzc_json_double(json, "standard_error", equity->standard_error);
    hzc_json_double(json, "variance_reduction", equity->variance_reduction);
    hzc_json_count(json, "rollouts", equity->rollouts);
    hzc_json_count(json, "draws", random->counter);
    hzc_json_seed(json, "seed", random->seed);
    hzc_json_end_object(json);
}

static void print_text(hzc_out *out, const hz_equity *equity, uint64_t seed) {
    char reduction[HZC_NUMBER_CAPACITY] = "infinite";
    if (isfinite(equity->variance_reduction)) {
        (void)hzc_double_text(round(equity->variance_reduction * 100.0) / 100.0, reduction);
    }
    hzc_out_format(out,
                   "White takes the king   %6.2f %%\nBlack takes the king   %6.2f %%\n"
                   "undecided              %6.2f %%\nstandard error         %6.2f %%\n"
                   "variance reduction     %s\nrollouts               %" PRIu32
                   "\nseed                   %" PRIu64 "\n",
                   100.0 * equity->white_win, 100.0 * equity->black_win, 100.0 * equity->undecided,
                   100.0 * equity->standard_error, reduction, equity->rollouts, seed);
}

static int run(const hzc_args *args) {
    hz_position position;
    hz_equity_config config = hz_equity_config_default();
    uint64_t rollouts = config.rollouts, plies = config.max_plies, seed;
    if (!hzc_args_position(args, 0, &position) ||
        !hzc_args_count(args, "rollouts", 1, HZC_MOST_ROLLOUTS, &rollouts) ||
        !hzc_args_count(args, "plies", 0, HZC_MOST_PLIES, &plies) ||
        !read_error(args, &config.target_error) || !hzc_args_seed(args, &seed)) {
        return HZC_USAGE;
    }
    config.rollouts = (uint32_t)rollouts;
    config.max_plies = (uint32_t)plies;
    hz_random random = hz_random_from_seed(seed);
    hz_arena arena = {0};
    hz_equity equity;
    hz_error err;
    hz_status status = hz_equity_estimate(&position, &config, &random, NULL, &arena, &equity, &err);
    hz_arena_fini(&arena);
    if (status != HZ_OK) {
        return hzc_report(args, &err, NULL, 0);
    }
    if (hzc_args_has(args, "json")) {
        hzc_json json = hzc_json_to(args->out);
        hzc_json_equity(&json, NULL, &equity, &random);
        hzc_out_char(args->out, '\n');
    } else {
        print_text(args->out, &equity, seed);
    }
    return HZC_DONE;
}

const hzc_command hzc_command_equity = {
    .name = "equity",
    .summary = "estimate who takes the king",
    .operands = "DFEN",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .run = run,
};
