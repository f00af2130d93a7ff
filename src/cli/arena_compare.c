/* SPDX-License-Identifier: MIT */
/* `hazard arena compare`: equality, agreement, strength, in this order. */
#include "arena/scenarios.h"
#include "cli/arena_common.h"
#include "cli/arena_setup.h"
#include "cli/progress.h"
#include "cli/whole_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const about[] = {
    "Judges a change to a player of Dice Chess in three steps. A is the changed player, B the one "
    "before the change.",
    "1. Equality: with what is new switched off nothing may change. --exact names A in that state; "
    "on "
    "every scenario and seed it must play B's turn with B's score. Without --exact B itself must "
    "repeat itself.",
    "2. Agreement: on every scenario and seed, does A play B's turn, what otherwise, and who meets "
    "an "
    "expected turn? An answer that is not legal ends the comparison; a regression is told.",
    "3. Strength: a match with the sequential test of --sprt, as 'hazard arena' plays it; it takes "
    "all of "
    "its options. The comparison is good when A is shown to be stronger.",
    "With --checkpoint FILE the first two steps are kept in FILE.equality and FILE.agreement.",
    NULL};

static const hzc_option options[] = {
    {"a", 'a', "PLAYER", "the changed player"},
    {"b", 'b', "PLAYER", "the player before the change"},
    {"exact", 'e', "PLAYER", "A with what is new switched off"},
    HZC_OPTION_CATALOGUE,
    HZC_OPTION_SEEDS,
    {"sprt", 0, "TEST",
     "the test of the match, elo0,elo1 or elo0,elo1,alpha,beta (default 0,20,0.05,0.05)"},
    HZC_OPTIONS_ARENA,
    {0}};

static const hzc_example examples[] = {
    {"hazard arena compare --a aggressive --b greedy --exact greedy --pairs 100 --sprt 0,40",
     "Is the aggressive bot stronger, and where does it play otherwise?"},
    {0}};

typedef struct comparing {
    hzc_arena arena;
    hzi_comparison comparison;
    hz_catalogue *catalogue;
    uint64_t *seeds;
    const char *players[2];
    hz_match_run *run;
    char *kept[2]; /* checkpoints of the first two steps */
    hzc_progress progress;
    bool lost;
} comparing;

static void step(void *context, uint64_t done) {
    comparing *c = context;
    hzc_progress_step(&c->progress, done);
}

/* The checkpoint of a step stands beside that of the match. */
static bool keep_step(comparing *c, int number, const char *suffix, const char **path) {
    const char *checkpoint = c->arena.config.checkpoint;
    if (checkpoint) {
        size_t room = strlen(checkpoint) + strlen(suffix) + 1;
        c->kept[number] = malloc(room);
        if (c->kept[number]) {
            (void)snprintf(c->kept[number], room, "%s%s", checkpoint, suffix);
        }
        *path = c->kept[number];
    }
    return !checkpoint || c->kept[number];
}

static int read_options(comparing *c) {
    const hzc_args *args = c->arena.args;
    const char *test = hzc_args_value(args, "sprt");
    hzi_scenarios_config *config = &c->comparison.config;
    if (!hzc_args_no_operands(args)) {
        return HZC_USAGE;
    }
    c->players[0] = config->a = hzc_args_value(args, "a");
    c->players[1] = config->b = hzc_args_value(args, "b");
    c->comparison.exact = hzc_args_value(args, "exact");
    if (!config->a || !config->b) {
        return hzc_usage(args, "a comparison needs --a and --b");
    }
    c->arena.config.players = c->players;
    int code = hzc_arena_read_sprt(args, test ? test : "0,20", &c->arena.sprt);
    c->arena.config.sprt = &c->arena.sprt;
    if (code == HZC_DONE) {
        code = hzc_arena_read(&c->arena);
    }
    if (code == HZC_DONE && c->arena.config.rules.game != HZ_MATCH_DICE) {
        return hzc_usage(args, "scenarios are of Dice Chess; for chess play a match with --sprt");
    }
    if (code == HZC_DONE && c->arena.control_count > 1) {
        return hzc_usage(args, "--tc: a comparison has one match");
    }
    if (code == HZC_DONE && c->arena.control_count == 1) {
        c->arena.config.rules.control = c->arena.controls[0];
    }
    if (code == HZC_DONE) {
        code = hzc_catalogue_read(args, &c->catalogue);
    }
    if (code == HZC_DONE) {
        code = hzc_seeds_read(args, &c->seeds, &config->seed_count);
    }
    config->catalogue = c->catalogue;
    config->seeds = c->seeds;
    config->registry = c->arena.registry;
    config->threads = c->arena.config.threads;
    config->resume = c->arena.config.resume;
    config->progress = step;
    config->progress_context = c;
    if (!keep_step(c, 0, ".equality", &c->comparison.equality_checkpoint) ||
        !keep_step(c, 1, ".agreement", &c->comparison.agreement_checkpoint)) {
        return hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
    }
    return code;
}

/* An error of the library as an exit code. */
static int failed(const comparing *c, const hz_error *err) {
    if (c->arena.args->out->failed) {
        return HZC_DONE;
    }
    return err->code == HZ_CANCELLED
               ? hzc_complain(c->arena.args, HZC_NO, "%s%s", err->message,
                              c->arena.config.checkpoint ? "; --resume goes on" : "")
               : hzc_report(c->arena.args, err, NULL, 0);
}

/* *on: the match makes sense. */
static int first_steps(comparing *c, bool *on) {
    hz_error err;
    *on = false;
    uint64_t questions = hzi_scenarios_count(&c->comparison.config);
    c->progress = hzc_progress_begin("arena compare: equality", "questions", questions);
    hz_status status = hzi_comparison_equality(&c->comparison, on, &err);
    hzc_progress_end(&c->progress);
    if (status == HZ_OK && *on) {
        c->progress = hzc_progress_begin("arena compare: agreement", "questions", questions);
        status = hzi_comparison_agreement(&c->comparison, on, &err);
        hzc_progress_end(&c->progress);
    }
    return status == HZ_OK ? HZC_DONE : failed(c, &err);
}

static int play(comparing *c) {
    hz_match_config *config = &c->arena.config;
    hz_error err;
    hz_error_clear(&err);
    int code =
        hz_match_run_new(config, &c->run, &err) == HZ_OK ? HZC_DONE : hzc_exit_code(err.code);
    if (code != HZC_DONE && c->arena.ranks.ranks.rank == 0) {
        (void)hzc_report(c->arena.args, &err, NULL, 0);
    }
    code = hzc_ranks_agree(&c->arena.ranks, c->arena.args, code);
    if (code != HZC_DONE) {
        return code;
    }
    hz_status status = hz_match_run_play(c->run, &err);
    hzc_arena_progress_end(&c->arena.progress);
    c->comparison.match = hz_match_run_view(c->run);
    c->lost = c->comparison.match->ranks_lost > 0;
    if (status == HZ_OK) {
        return HZC_DONE;
    }
    return c->arena.ranks.ranks.rank == 0 ? failed(c, &err) : hzc_exit_code(status);
}

static int report(comparing *c) {
    const hzc_args *args = c->arena.args;
    const char *path = hzc_args_value(args, "out");
    hzi_text *reports = &c->arena.reports;
    hz_error err;
    hz_status status = hzi_comparison_report(&c->comparison, hzc_args_has(args, "json"),
                                             path ? hzi_text_sink : hzc_report_to_out,
                                             path ? (void *)reports : (void *)args->out, &err);
    if (status != HZ_OK) {
        return failed(c, &err);
    }
    int code = path ? hzc_whole_file_write(args, path, reports->bytes, reports->length) : HZC_DONE;
    if (code == HZC_DONE && c->comparison.match) {
        code = hzc_arena_page(args, c->comparison.match, 1);
    }
    return code != HZC_DONE ? code : hzi_comparison_good(&c->comparison) ? HZC_DONE : HZC_NO;
}

static int run(const hzc_args *args) {
    comparing c = {0};
    bool on = false;
    int code = hzc_arena_begin(&c.arena, args, HZ_SCHEME_MATCH);
    bool leads = c.arena.ranks.ranks.rank == 0;
    if (code == HZC_DONE) {
        code = read_options(&c);
        const hz_cancel *cancel = hzc_stop_on_signals(&c.arena.ranks);
        if (code == HZC_DONE && leads) {
            c.comparison.config.cancel = c.arena.config.rules.cancel = cancel;
            c.arena.progress = hzc_arena_progress_begin(args->command->name);
            c.arena.config.progress = hzc_arena_progress_step;
            c.arena.config.progress_context = &c.arena.progress;
            code = first_steps(&c, &on);
        }
        /* The other ranks only help with the match; without one they are done. */
        int worst = hzc_ranks_agree(&c.arena.ranks, args,
                                    code != HZC_DONE ? code
                                    : leads && !on   ? HZC_NO
                                                     : HZC_DONE);
        if (worst == HZC_DONE) {
            code = play(&c);
        } else if (!leads) {
            code = worst;
        }
        if (leads && code == HZC_DONE) {
            code = report(&c);
        }
    }
    hzi_comparison_fini(&c.comparison);
    hzc_ranks_close(&c.arena.ranks, c.lost);
    hz_match_run_free(c.run);
    hzc_arena_fini(&c.arena);
    hz_catalogue_free(c.catalogue);
    free(c.seeds);
    free(c.kept[0]);
    free(c.kept[1]);
    return !leads && code == HZC_NO ? HZC_DONE : code;
}

const hzc_command hzc_command_arena_compare = {
    .name = "arena compare",
    .summary = "judge a change to a player in three steps",
    .operands = "",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .exit_no = "something differs that must not, an answer is not legal, or A is not shown to be "
               "stronger",
    .run = run,
    .shared = true,
};
