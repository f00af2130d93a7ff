/* SPDX-License-Identifier: MIT */
/* Positions for probes, and the way of a probe; see arena_probes.h. */
#include "cli/arena_probes.h"

#include "arena/asked.h"
#include "cli/arena_common.h"
#include "cli/player.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_POSITION_BYTES = 1 << 28, DEFAULT_COUNT = 300, DEFAULT_SEED = 42 };

static void step(void *context, uint64_t done) {
    hzc_probe *probe = context;
    hzc_progress_step(&probe->progress, done);
}

static int read_positions(hzc_probe *probe, const char *path) {
    char *text = NULL;
    size_t length = 0;
    hz_error err;
    int code = hzc_read_file(probe->args, path, MOST_POSITION_BYTES, &text, &length);
    if (code != HZC_DONE) {
        return code;
    }
    if (hzi_sample_read(text ? text : "", length, probe->config.seed, &probe->sample, &err) !=
        HZ_OK) {
        code = hzc_complain(probe->args, hzc_exit_code(err.code), "%s: %s: %s", path,
                            hz_status_name(err.code), err.message);
    }
    free(text);
    (void)snprintf(probe->source, sizeof probe->source, "%s", path);
    return code;
}

int hzc_probe_open(hzc_probe *probe, const hzc_args *args) {
    const char *path = hzc_args_value(args, "positions"), *bot = hzc_args_value(args, "games-of");
    uint64_t count = DEFAULT_COUNT, repeats = 1, threads = 1;
    hzi_probe_config *config = &probe->config;
    hz_error err;
    probe->args = args;
    config->seed = DEFAULT_SEED;
    int code = hzc_ranks_open(&probe->ranks, args);
    probe->leads = probe->ranks.ranks.rank == 0;
    if (code == HZC_DONE) {
        code = hzc_kept_read(args, &config->checkpoint, &config->resume);
    }
    if (code != HZC_DONE) {
        return code;
    }
    if (!hzc_args_count(args, "count", 1, HZI_SAMPLE_MAX, &count) ||
        !hzc_args_count(args, "seed", 0, UINT64_MAX, &config->seed) ||
        !hzc_args_count(args, "repeats", 1, 1000, &repeats) ||
        !hzc_args_count(args, "threads", 1, HZ_THREADS_MAX, &threads) ||
        !hzc_args_no_operands(args)) {
        return HZC_USAGE;
    }
    if (path && (bot || hzc_args_has(args, "count"))) {
        return hzc_usage(args, "--positions names all of them; --count and --games-of are for "
                               "positions of games");
    }
    config->registry = hzc_registry_new(args);
    if (!config->registry) {
        return HZC_ENVIRONMENT;
    }
    config->cancel = hzc_stop_on_signals(&probe->ranks);
    config->kind = args->command->name;
    config->ranks = probe->ranks.ranks.size > 1 ? &probe->ranks.ranks : NULL;
    config->ranks_lost = &probe->ranks_lost;
    config->repeats = (unsigned)repeats;
    config->threads = (unsigned)threads;
    if (path) {
        code = read_positions(probe, path);
    } else {
        probe->progress = hzc_progress_begin(args->command->name, "positions sampled", count);
        hz_status status =
            hzi_sample_play(bot ? bot : "greedy", config->registry, config->seed, (size_t)count,
                            config->cancel, step, probe, &probe->sample, &err);
        code = hzc_probe_done(probe, status, &err);
        (void)snprintf(probe->source, sizeof probe->source, "games of %s", bot ? bot : "greedy");
    }
    config->positions = probe->sample.positions;
    config->count = probe->sample.count;
    probe->report = (hzi_probe_report){config, probe->source, hzc_args_has(args, "json")};
    probe->progress = hzc_progress_begin(args->command->name, "positions", config->count);
    config->progress = step;
    config->progress_context = probe;
    return code;
}

int hzc_probe_agree(hzc_probe *probe, int code) {
    return hzc_ranks_agree(&probe->ranks, probe->args, code);
}

int hzc_probe_done(hzc_probe *probe, hz_status status, const hz_error *err) {
    hzc_progress_end(&probe->progress);
    if (status == HZ_OK || probe->args->out->failed || (status == HZ_CANCELLED && !probe->leads)) {
        return HZC_DONE;
    }
    return status == HZ_CANCELLED
               ? hzc_complain(probe->args, HZC_NO, "%s%s", err->message,
                              probe->config.checkpoint ? "; --resume goes on" : "")
               : hzc_report(probe->args, err, NULL, 0);
}

void hzc_probe_fini(hzc_probe *probe) {
    hzc_ranks_close(&probe->ranks, probe->ranks_lost > 0);
    hz_registry_free(probe->config.registry);
    hzi_sample_free(&probe->sample);
    free(probe->owned[0]);
    free(probe->owned[1]);
}

int hzc_probe_player(hzc_probe *probe, int side, const char *bot, const char *option,
                     const char *value) {
    probe->owned[side] = hzi_text_with_option(bot, option, value);
    probe->config.players[side] = probe->owned[side];
    return probe->owned[side] ? HZC_DONE
                              : hzc_complain(probe->args, HZC_ENVIRONMENT, "out of memory");
}
