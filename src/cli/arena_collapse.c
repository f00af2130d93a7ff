/* SPDX-License-Identifier: MIT */
/* `hazard arena collapse`: one learned value against the average over the rolls. */
#include "cli/arena_probes.h"

static const char *const about[] = {
    "Asks a searching bot about the same positions twice: as it is, averaging over the 56 distinct "
    "rolls of the enemy with their weights, and with a model that answers in place of that search "
    "(role chance-collapse). It says how much quicker the model is, how often the same turn is "
    "chosen, and how well the learned values of candidates meet the averages.",
    "Candidates the exact search pruned have no average; with the bot's option nopruning=1 all of "
    "them "
    "are compared, but the exact time is then longer than it need be.",
    NULL};

static const hzc_option options[] = {
    {"bot", 'b', "BOT", "onnx-expectimax with its options, without 'collapse'"},
    {"collapse", 'c', "DIR", "the package of the model that answers before the roll"},
    HZC_OPTIONS_PROBE,
    {0}};

static const hzc_example examples[] = {
    {"hazard bots | grep onnx-expectimax", "The bot that can be given such a model."}, {0}};

static int run(const hzc_args *args) {
    const char *bot = hzc_args_value(args, "bot"), *model = hzc_args_value(args, "collapse");
    hzc_probe probe = {0};
    hzi_collapse collapse;
    hz_error err;
    if (!bot || !model) {
        return hzc_usage(args, "a bot and a model are needed: give --bot and --collapse");
    }
    int code = hzc_probe_open(&probe, args);
    probe.config.players[0] = bot;
    if (code == HZC_DONE) {
        code = hzc_probe_player(&probe, 1, bot, "collapse", model);
    }
    code = hzc_probe_agree(&probe, code);
    if (code == HZC_DONE) {
        hz_status status = hzi_collapse_run(&probe.config, &collapse, &err);
        if (status == HZ_OK && probe.leads) {
            status =
                hzi_collapse_report(&probe.report, &collapse, hzc_report_to_out, args->out, &err);
        }
        code = hzc_probe_done(&probe, status, &err);
    }
    hzc_probe_fini(&probe);
    return code;
}

const hzc_command hzc_command_arena_collapse = {
    .name = "arena collapse",
    .summary = "compare a learned value with the average over rolls",
    .operands = "",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .exit_no = "the probe was stopped",
    .run = run,
    .shared = true,
};
