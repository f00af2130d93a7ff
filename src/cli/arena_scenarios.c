/* SPDX-License-Identifier: MIT */
/* `hazard arena scenarios`: two players on rolls with known good turns. */
#include "arena/scenarios.h"
#include "cli/arena_common.h"
#include "cli/player.h"
#include "cli/progress.h"
#include "cli/ranks.h"

#include <stdlib.h>

static const char *const about[] = {
    "Asks A and B about every scenario of a catalogue with every seed, each time on a fresh random "
    "stream and without a time limit, and says who plays an expected turn: A improves where only "
    "A does, regresses where only B does. An answer that is not legal never matches.",
    "Scenarios whose goal is to take the king, or a forced pass, are met by every player that "
    "looks at "
    "its own turn; winning material by every player that counts it; guarding the king and other "
    "decisions are expected of players that search.",
    "A player is named as for 'hazard arena': a bot with options, uci:COMMAND, http://ADDRESS. A "
    "catalogue comes with the command; --catalogue reads another one (docs/formats.md).",
    NULL};

static const hzc_option options[] = {{"a", 'a', "PLAYER", "the player under test"},
                                     {"b", 'b', "PLAYER", "the player it is compared with"},
                                     HZC_OPTION_CATALOGUE,
                                     HZC_OPTION_SEEDS,
                                     {"threads", 'j', "N", "questions at a time (default 1)"},
                                     HZC_OPTIONS_KEPT,
                                     HZC_OPTION_JSON,
                                     HZC_OPTION_HELP,
                                     {0}};

static const hzc_example examples[] = {{"hazard arena scenarios --a expectimax --b greedy",
                                        "Where does looking ahead find better turns?"},
                                       {0}};

typedef struct running {
    const hzc_args *args;
    hzi_scenarios_config config;
    hz_catalogue *catalogue;
    uint64_t *seeds;
    hzc_ranks ranks;
    hzc_progress progress;
    unsigned ranks_lost;
    bool leads; /* rank 0, which reports */
} running;

static void step(void *context, uint64_t done) {
    running *r = context;
    hzc_progress_step(&r->progress, done);
}

static int read_options(running *r) {
    const hzc_args *args = r->args;
    hzi_scenarios_config *config = &r->config;
    uint64_t threads = 1;
    config->a = hzc_args_value(args, "a");
    config->b = hzc_args_value(args, "b");
    if (!hzc_args_no_operands(args) ||
        !hzc_args_count(args, "threads", 1, HZ_THREADS_MAX, &threads)) {
        return HZC_USAGE;
    }
    if (!config->a || !config->b) {
        return hzc_usage(args, "two players are compared: give --a and --b");
    }
    config->threads = (unsigned)threads;
    int code = hzc_kept_read(args, &config->checkpoint, &config->resume);
    if (code == HZC_DONE) {
        code = hzc_catalogue_read(args, &r->catalogue);
    }
    if (code == HZC_DONE) {
        code = hzc_seeds_read(args, &r->seeds, &config->seed_count);
    }
    if (code == HZC_DONE) {
        config->catalogue = r->catalogue;
        config->seeds = r->seeds;
        config->registry = hzc_registry_new(args);
        code = config->registry ? HZC_DONE : HZC_ENVIRONMENT;
    }
    return code;
}

static int ask_all(running *r) {
    hzi_scenarios scenarios = {0};
    hzi_scenarios_config *config = &r->config;
    int code = HZC_DONE;
    hz_error err;
    config->ranks = r->ranks.ranks.size > 1 ? &r->ranks.ranks : NULL;
    config->ranks_lost = &r->ranks_lost;
    config->cancel = hzc_stop_on_signals(&r->ranks);
    r->progress =
        hzc_progress_begin(r->args->command->name, "questions", hzi_scenarios_count(config));
    config->progress = step;
    config->progress_context = r;
    hz_status status = hzi_scenarios_run(config, &scenarios, &err);
    hzc_progress_end(&r->progress);
    if (status == HZ_OK && r->leads) {
        code = hzi_scenarios_good(&scenarios) ? HZC_DONE : HZC_NO;
        status = hzi_scenarios_report(config, &scenarios, hzc_args_has(r->args, "json"),
                                      hzc_report_to_out, r->args->out, &err);
    }
    if (status == HZ_CANCELLED && r->leads) {
        code = hzc_complain(r->args, HZC_NO, "%s%s", err.message,
                            config->checkpoint ? "; --resume goes on" : "");
    } else if (status != HZ_OK && status != HZ_CANCELLED && !r->args->out->failed) {
        code = hzc_report(r->args, &err, NULL, 0);
    }
    hzi_scenarios_free(&scenarios);
    return code;
}

static int run(const hzc_args *args) {
    running r = {.args = args};
    int code = hzc_ranks_open(&r.ranks, args);
    r.leads = r.ranks.ranks.rank == 0;
    if (code == HZC_DONE) {
        code = hzc_ranks_agree(&r.ranks, args, read_options(&r));
    }
    if (code == HZC_DONE) {
        code = ask_all(&r);
    }
    hzc_ranks_close(&r.ranks, r.ranks_lost > 0);
    hz_registry_free(r.config.registry);
    hz_catalogue_free(r.catalogue);
    free(r.seeds);
    return code;
}

const hzc_command hzc_command_arena_scenarios = {
    .name = "arena scenarios",
    .summary = "compare two players on rolls with known good turns",
    .operands = "",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .exit_no = "A regresses somewhere, or an answer is not legal",
    .run = run,
    .shared = true,
};
