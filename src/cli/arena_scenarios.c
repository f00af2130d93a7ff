/* SPDX-License-Identifier: MIT */
/* `hazard arena scenarios`: two players on rolls with known good turns. */
#include "arena/scenarios.h"
#include "cli/arena_common.h"
#include "cli/player.h"

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
                                     HZC_OPTION_JSON,
                                     HZC_OPTION_HELP,
                                     {0}};

static const hzc_example examples[] = {{"hazard arena scenarios --a expectimax --b greedy",
                                        "Where does looking ahead find better turns?"},
                                       {0}};

static int run(const hzc_args *args) {
    hzi_scenarios_config config = {.a = hzc_args_value(args, "a"), .b = hzc_args_value(args, "b")};
    hzi_scenarios scenarios = {0};
    hz_catalogue *catalogue = NULL;
    uint64_t *seeds = NULL;
    hz_error err;
    if (!hzc_args_no_operands(args)) {
        return HZC_USAGE;
    }
    if (!config.a || !config.b) {
        return hzc_usage(args, "two players are compared: give --a and --b");
    }
    int code = hzc_catalogue_read(args, &catalogue);
    if (code == HZC_DONE) {
        code = hzc_seeds_read(args, &seeds, &config.seed_count);
    }
    if (code == HZC_DONE) {
        config.catalogue = catalogue;
        config.seeds = seeds;
        config.registry = hzc_registry_new(args);
        code = config.registry ? HZC_DONE : HZC_ENVIRONMENT;
    }
    if (code == HZC_DONE) {
        config.cancel = hzc_stop_on_signals();
        hz_status status = hzi_scenarios_run(&config, &scenarios, &err);
        if (status == HZ_OK) {
            code = hzi_scenarios_good(&scenarios) ? HZC_DONE : HZC_NO;
            status = hzi_scenarios_report(&config, &scenarios, hzc_args_has(args, "json"),
                                          hzc_report_to_out, args->out, &err);
        }
        if (status == HZ_CANCELLED) {
            code = hzc_complain(args, HZC_NO, "%s", err.message);
        } else if (status != HZ_OK && !args->out->failed) {
            code = hzc_report(args, &err, NULL, 0);
        }
    }
    hzi_scenarios_free(&scenarios);
    hz_registry_free(config.registry);
    hz_catalogue_free(catalogue);
    free(seeds);
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
};
