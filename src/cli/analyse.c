/* SPDX-License-Identifier: MIT */
/* `hazard analyse`: every result of a roll with its value, and how lucky the roll was; or the turns
 * of whole games (analyse_game.c). */
#include "cli/analyse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const about[] = {
    "Says what every result of a roll is worth, what the others give away against the best one, "
    "and "
    "with how many of the 216 rolls each king can be taken afterwards; and how lucky the roll was: "
    "what it is worth against the mean of all rolls. The roll stands in the DFEN or is given by "
    "--roll.",
    "With --game it goes through the games of a file (docs/formats.md; '-' is the standard input) "
    "and "
    "judges every turn that was played: its rank, what it gave away, and the luck of its roll; and "
    "the totals of both sides, skill apart from luck. With --json there is one line a game.",
    "The judge is the bot of --bot: greedy, greedy-v2, aggressive and onnx-eval look at the "
    "results "
    "as they stand; expectimax and onnx-expectimax at what the enemy makes of every roll. Values "
    "are "
    "the mover's, as mean outcomes: a model's are per cent of a win, the others are pawns, with a "
    "king taken counting 100 either way.",
    "A search looks into all results of the roll, best first, or the N best of --limit; to value "
    "the "
    "56 rolls it looks into the 4 best of each, or the N best of --roll-limit (0 = all).",
    NULL};

static const hzc_option options[] = {
    {"roll", 'r', "ROLL", "the dice, for example PNB or 123"},
    {"turn", 0, "MOVES", "the turn that was played, for example e2e4,g1f3: say what it gave away"},
    {"game", 'g', "FILE", "judge the games of a file; '-' is the standard input"},
    {"bot", 'b', "BOT",
     "the judge (default expectimax); 'hazard bots' lists what there is, with options"},
    HZC_OPTION_MODEL,
    {"limit", 'n', "N", "results of a roll a search looks into (default 0, all; with --game 8)"},
    {"roll-limit", 0, "N", "results of each of the 56 rolls a search looks into (default 4)"},
    {"no-rolls", 0, NULL, "leave the 56 rolls and luck out"},
    {"show", 0, "N", "results to show, 0 = all (default 20)"},
    {"budget-ms", 0, "MS", "milliseconds for each position; what was not reached is marked"},
    HZC_OPTION_JSON,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard analyse --limit 6 --show 3 '4k3/8/8/8/8/8/PPP5/4KN2 w - - 0 1 PNK'",
     "The best results of a roll, and its luck."},
    {"hazard analyse --bot aggressive --turn e2e4 start --roll PQQ", "What a turn gave away."},
    {"hazard analyse --game games.txt", "Skill and luck in games."},
    {0}};

/* ---- shared with games ---- */

void hzc_value_text(const hzc_analyse *a, double value, bool sign, char text[HZC_VALUE_CAPACITY]) {
    bool model = a->judgement.schema != NULL;
    double shown = value / 100.0;
    if (fabs(shown) < 0.005) {
        shown = 0; /* no "-0.00" */
    }
    (void)snprintf(text, HZC_VALUE_CAPACITY, sign ? "%+.2f%s" : "%.2f%s", shown, model ? " %" : "");
}

void hzc_json_judged(hzc_json *json, const hzi_judged *result) {
    if (result->valued) {
        hzc_json_double(json, "value", result->value);
        hzc_json_double(json, "loss", result->loss);
        hzc_json_count(json, "rank", result->rank);
    } else {
        hzc_json_null(json, "value");
        hzc_json_null(json, "loss");
        hzc_json_null(json, "rank");
    }
}

static bool on_progress(void *context, size_t done, size_t total) {
    hzc_progress *progress = context;
    progress->total = total;
    hzc_progress_step(progress, done);
    return true;
}

int hzc_analyse_position(hzc_analyse *a, const hz_position *position, const hz_turn *played,
                         hzc_progress *progress, hzi_analysis *analysis) {
    hz_error err;
    hz_deadline deadline = a->budget_ms ? hz_deadline_in_ms(a->budget_ms) : hz_deadline_none();
    hz_arena_reset(&a->arena);
    hz_status status =
        hzi_analyse(a->analyst, position, played, &deadline, progress ? on_progress : NULL,
                    progress, &a->arena, analysis, &err);
    return status == HZ_OK ? HZC_DONE : hzc_report(a->args, &err, NULL, 0);
}

/* ---- one position ---- */

static size_t shown_of(const hzc_analyse *a, const hzi_analysis *analysis) {
    return a->shown > 0 && a->shown < analysis->count ? (size_t)a->shown : analysis->count;
}

static void result_json(hzc_analyse *a, const hzi_judged *result) {
    hzc_json *json = &a->json;
    hzc_json_object(json, NULL);
    hzc_json_turn(json, "turn", &result->turn);
    hzc_json_judged(json, result);
    hzc_json_integer(json, "first_look", result->first_look);
    hzc_json_bool(json, "takes_king", result->turn.took_king);
    hzc_json_count(json, "own_king", result->own_216);
    hzc_json_count(json, "enemy_king", result->enemy_216);
    hzc_json_dfen(json, "result_dfen", &result->after);
    hzc_json_end_object(json);
}

static void rolls_json(hzc_analyse *a, const hz_position *position, const hzi_analysis *analysis) {
    hzc_json *json = &a->json;
    hzc_json_double(json, "mean", analysis->mean);
    if (analysis->roll >= 0) {
        hzc_json_double(json, "luck", analysis->luck);
    } else {
        hzc_json_null(json, "luck");
    }
    hzc_json_object(json, "rolls");
    for (int i = 0; i < HZ_ROLLS; i++) {
        char roll[4];
        (void)hz_pool_to_text(hz_rolls[i].pool, (hz_color)position->side, roll);
        hzc_json_double(json, roll, analysis->rolls[i]);
    }
    hzc_json_end_object(json);
}

static void print_json(hzc_analyse *a, const hz_position *position, const hzi_analysis *analysis) {
    hzc_json *json = &a->json;
    hzc_json_object(json, NULL);
    hzc_json_dfen(json, "dfen", position);
    hzc_json_text(json, "judge", a->judgement.name);
    hzc_json_integer(json, "depth", a->judgement.depth);
    hzc_json_bool(json, "complete", analysis->complete);
    hzc_json_bool(json, "pass", analysis->count == 0);
    if (analysis->has_value) {
        hzc_json_double(json, "value", analysis->value);
    } else {
        hzc_json_null(json, "value");
    }
    hzc_json_count(json, "count", analysis->count);
    hzc_json_count(json, "valued", analysis->valued);
    hzc_json_array(json, "results");
    for (size_t i = 0; i < shown_of(a, analysis); i++) {
        result_json(a, &analysis->results[i]);
    }
    hzc_json_end_array(json);
    if (analysis->played >= 0) {
        hzc_json_object(json, "played");
        hzc_json_judged(json, &analysis->results[analysis->played]);
        hzc_json_end_object(json);
    }
    if (analysis->has_rolls) {
        rolls_json(a, position, analysis);
    }
    hzc_json_end_object(json);
    hzc_out_char(a->out, '\n');
}

static void result_text(hzc_analyse *a, const hzi_judged *result, bool played) {
    char value[HZC_VALUE_CAPACITY] = "-", loss[HZC_VALUE_CAPACITY] = "-", rank[24] = "-";
    char turn[HZ_TURN_CAPACITY];
    if (result->valued) {
        hzc_value_text(a, result->value, true, value);
        hzc_value_text(a, result->loss, false, loss);
        (void)snprintf(rank, sizeof rank, "%zu", result->rank);
    }
    (void)hz_turn_to_text(&result->turn, turn);
    hzc_out_format(a->out, "%5s  %10s  %10s  %8u  %8u  %s%s%s\n", rank, value, loss,
                   result->own_216, result->enemy_216, turn,
                   result->turn.took_king ? "  takes the king" : "", played ? "  <- played" : "");
}

static void rolls_text(hzc_analyse *a, const hz_position *position, const hzi_analysis *analysis) {
    char mean[HZC_VALUE_CAPACITY];
    hzc_value_text(a, analysis->mean, true, mean);
    hzc_out_format(a->out, "\nBefore the roll: %s, the mean of the values of all rolls:\n", mean);
    for (int i = 0; i < HZ_ROLLS; i++) {
        char roll[4], value[HZC_VALUE_CAPACITY];
        (void)hz_pool_to_text(hz_rolls[i].pool, (hz_color)position->side, roll);
        hzc_value_text(a, analysis->rolls[i], true, value);
        hzc_out_format(a->out, "  %s %10s%s", roll, value,
                       i % 5 == 4 || i == HZ_ROLLS - 1 ? "\n" : "");
    }
    if (analysis->roll >= 0) {
        char luck[HZC_VALUE_CAPACITY], roll[4];
        (void)hz_pool_to_text(position->pool, (hz_color)position->side, roll);
        hzc_value_text(a, analysis->luck, true, luck);
        hzc_out_format(a->out, "Luck of %s: %s\n", roll, luck);
    }
}

static void print_text(hzc_analyse *a, const hz_position *position, const hzi_analysis *analysis) {
    char roll[4], value[HZC_VALUE_CAPACITY] = "not known";
    (void)hz_pool_to_text(position->pool, (hz_color)position->side, roll);
    if (analysis->has_value) {
        hzc_value_text(a, analysis->value, true, value);
    }
    const char *mover = position->side == HZ_WHITE ? "White" : "Black";
    if (analysis->count == 0) {
        hzc_out_format(a->out, "%s rolled %s and has no legal turn; the pass is worth %s.\n", mover,
                       roll, value);
    } else {
        hzc_out_format(
            a->out, "%s rolled %s, worth %s by %s at depth %d; %zu results, %zu valued.\n\n", mover,
            roll, value, a->judgement.name, a->judgement.depth, analysis->count, analysis->valued);
        hzc_out_format(a->out, "%5s  %10s  %10s  %8s  %8s  %s\n", "rank", "value", "loss",
                       "own king", "enemy's", "turn");
        size_t shown = shown_of(a, analysis);
        for (size_t i = 0; i < shown; i++) {
            result_text(a, &analysis->results[i], (ptrdiff_t)i == analysis->played);
        }
        if (analysis->played >= (ptrdiff_t)shown) {
            result_text(a, &analysis->results[analysis->played], true);
        }
        hzc_out_text(a->out, "\nKings: the rolls of 216 that take them afterwards.\n");
    }
    if (analysis->has_rolls) {
        rolls_text(a, position, analysis);
    }
    if (!analysis->complete) {
        hzc_out_text(a->out, "\nThe time ended before everything was looked into.\n");
    }
}

static int analyse_position(hzc_analyse *a) {
    hz_position position;
    hz_turn turn, *played = NULL;
    hzi_analysis analysis;
    hz_error err;
    const char *roll = hzc_args_value(a->args, "roll"), *text = hzc_args_value(a->args, "turn");
    if (!hzc_args_position(a->args, 0, &position)) {
        return HZC_USAGE;
    }
    if (roll) {
        hz_pool pool;
        if (hz_pool_from_text(roll, strlen(roll), &pool, &err) != HZ_OK) {
            return hzc_report(a->args, &err, roll, strlen(roll));
        }
        hz_position_set_pool(&position, pool);
    }
    if (position.pool == 0) {
        return hzc_usage(a->args, "which roll? The DFEN has no dice; give some by --roll");
    }
    if (text) {
        if (hz_turn_from_text(&position, text, strlen(text), &turn, NULL, &err) != HZ_OK) {
            return hzc_report(a->args, &err, text, strlen(text));
        }
        played = &turn;
    }
    hzc_progress progress = hzc_progress_begin("analyse", "results and rolls", 0);
    int code = hzc_analyse_position(a, &position, played, &progress, &analysis);
    hzc_progress_end(&progress);
    if (code == HZC_DONE) {
        (a->as_json ? print_json : print_text)(a, &position, &analysis);
        code = analysis.complete ? HZC_DONE : HZC_NO;
    }
    return code;
}

/* ---- both ---- */

static int open_judge(hzc_analyse *a, uint64_t limit, uint64_t roll_limit) {
    hz_error err;
    int code = hzc_player_open_or(&a->player, a->args, "expectimax");
    if (code != HZC_DONE) {
        return code;
    }
    if (!hz_bot_judge(&a->player.bot, &a->judgement)) {
        return hzc_usage(a->args,
                         "the bot %s does not value positions; greedy, greedy-v2, "
                         "aggressive, expectimax, onnx-eval and onnx-expectimax do",
                         a->player.bot.info->id);
    }
    a->config = (hzi_analysis_config){.judgement = a->judgement,
                                      .limit = (uint32_t)limit,
                                      .roll_limit = (uint32_t)roll_limit,
                                      .rolls = !hzc_args_has(a->args, "no-rolls")};
    return hzi_analyst_new(&a->config, &a->analyst, &err) == HZ_OK
               ? HZC_DONE
               : hzc_report(a->args, &err, NULL, 0);
}

static int run(const hzc_args *args) {
    const char *game = hzc_args_value(args, "game");
    uint64_t limit = game ? 8 : 0, roll_limit = 4;
    hzc_analyse a = {.args = args,
                     .out = args->out,
                     .json = hzc_json_to(args->out),
                     .as_json = hzc_args_has(args, "json"),
                     .shown = 20};
    if (!hzc_args_count(args, "limit", 0, 1000000, &limit) ||
        !hzc_args_count(args, "roll-limit", 0, 1000000, &roll_limit) ||
        !hzc_args_count(args, "show", 0, 1000000, &a.shown) ||
        !hzc_args_count(args, "budget-ms", 1, HZC_MOST_MS, &a.budget_ms)) {
        return HZC_USAGE;
    }
    if (game && (hzc_args_has(args, "roll") || hzc_args_has(args, "turn"))) {
        return hzc_usage(args, "--roll and --turn are for one position, --game has its own");
    }
    if (game && !hzc_args_no_operands(args)) {
        return HZC_USAGE;
    }
    int code = open_judge(&a, limit, roll_limit);
    if (code == HZC_DONE) {
        code = game ? hzc_analyse_games(&a, game) : analyse_position(&a);
    }
    hzi_analyst_free(a.analyst);
    hzc_player_fini(&a.player);
    hz_arena_fini(&a.arena);
    return code;
}

const hzc_command hzc_command_analyse = {
    .name = "analyse",
    .summary = "judge the results of a roll, or games",
    .operands = "[DFEN]",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .exit_no = "the time of --budget-ms ended before everything was looked into",
    .run = run,
};
