/* SPDX-License-Identifier: MIT */
/* `hazard arena models`: two models, or any two players, on the same positions. */
#include "cli/arena_probes.h"

#include <sys/stat.h>

static const char *const about[] = {
    "Asks two players about the same positions and says how often they choose the same turn and "
    "how "
    "far the values of their choices are apart, without playing a game. For two networks: which of "
    "them to look at more closely, and whether a smaller one still judges like the larger.",
    "A player is a bot with options, or the folder of a model package, which is short for "
    "onnx-eval:model=DIR. Values are compared as they are: they mean something when both have the "
    "same axis.",
    NULL};

static const hzc_option options[] = {
    {"a", 'a', "PLAYER", "the first player, or a package's folder"},
    {"b", 'b', "PLAYER", "the second"},
    HZC_OPTIONS_PROBE,
    {0}};

static const hzc_example examples[] = {
    {"hazard arena models --a aggressive --b greedy-v2 --count 100", "Two judges compared."}, {0}};

/* A folder stands for the bot that plays by its model. */
static int read_player(hzc_probe *probe, int side, const char *name) {
    const char *text = hzc_args_value(probe->args, name);
    struct stat about_it;
    if (stat(text, &about_it) == 0 && S_ISDIR(about_it.st_mode)) {
        return hzc_probe_player(probe, side, "onnx-eval", "model", text);
    }
    probe->config.players[side] = text;
    return HZC_DONE;
}

static int run(const hzc_args *args) {
    hzc_probe probe = {.args = args};
    hzi_models models;
    hz_error err;
    if (!hzc_args_value(args, "a") || !hzc_args_value(args, "b")) {
        return hzc_usage(args, "two players are compared: give --a and --b");
    }
    int code = hzc_probe_open(&probe, args);
    if (code == HZC_DONE) {
        code = read_player(&probe, 0, "a");
    }
    if (code == HZC_DONE) {
        code = read_player(&probe, 1, "b");
    }
    code = hzc_probe_agree(&probe, code);
    if (code == HZC_DONE) {
        hz_status status = hzi_models_run(&probe.config, &models, &err);
        if (status == HZ_OK && probe.leads) {
            status = hzi_models_report(&probe.report, &models, hzc_report_to_out, args->out, &err);
        }
        code = hzc_probe_done(&probe, status, &err);
    }
    hzc_probe_fini(&probe);
    return code;
}

const hzc_command hzc_command_arena_models = {
    .name = "arena models",
    .summary = "compare the choices and values of two models",
    .operands = "",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .exit_no = "the probe was stopped",
    .run = run,
    .shared = true,
};
