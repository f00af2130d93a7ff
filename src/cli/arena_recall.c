/* SPDX-License-Identifier: MIT */
/* `hazard arena recall`: what a candidate limit costs. */
#include "cli/arena_probes.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const about[] = {
    "Asks a bot that searches about the same positions with a candidate limit and without one. "
    "Where "
    "there are more results than the limit it says how often the turn changes, whether the other "
    "turn is worth the same or less, and how much less, in the units of the bot's scores.",
    "Without --positions the positions come from games of a bot against itself, after four random "
    "turns: those with several results none of which takes a king.",
    NULL};

static const hzc_option options[] = {
    {"bot", 'b', "BOT", "a bot that has an option 'limit', without it (default expectimax)"},
    {"limit", 'l', "K", "candidates it may look into (default 8)"},
    HZC_OPTIONS_PROBE,
    {0}};

static const hzc_example examples[] = {
    {"hazard arena recall --limit 16 --count 40", "How much do 16 candidates miss?"}, {0}};

static int run(const hzc_args *args) {
    const char *bot = hzc_args_value(args, "bot");
    hzc_probe probe = {0};
    hzi_recall recall;
    uint64_t limit = HZ_EXPECTIMAX_LIMIT;
    char number[24];
    hz_error err;
    if (!hzc_args_count(args, "limit", 1, 1000000, &limit)) {
        return HZC_USAGE;
    }
    (void)snprintf(number, sizeof number, "%" PRIu64, limit);
    bot = bot ? bot : "expectimax";
    int code = hzc_probe_open(&probe, args);
    if (code == HZC_DONE) {
        code = hzc_probe_player(&probe, 0, bot, "limit", number);
    }
    if (code == HZC_DONE) {
        code = hzc_probe_player(&probe, 1, bot, "limit", "1000000");
    }
    code = hzc_probe_agree(&probe, code);
    if (code == HZC_DONE) {
        hz_status status = hzi_recall_run(&probe.config, limit, &recall, &err);
        if (status == HZ_OK && probe.leads) {
            status = hzi_recall_report(&probe.report, &recall, hzc_report_to_out, args->out, &err);
        }
        code = hzc_probe_done(&probe, status, &err);
    }
    hzc_probe_fini(&probe);
    return code;
}

const hzc_command hzc_command_arena_recall = {
    .name = "arena recall",
    .summary = "measure what a candidate limit costs",
    .operands = "",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .exit_no = "the probe was stopped",
    .run = run,
    .shared = true,
};
