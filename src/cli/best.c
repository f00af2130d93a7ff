/* SPDX-License-Identifier: MIT */
/* `hazard best`: what a bot plays on a roll, or on several, with the odds before and after. */
#include "cli/captures.h"
#include "cli/draw.h"
#include "cli/player.h"
#include "cli/search_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const about[] = {
    "Asks a bot for the best turn of a roll. The roll stands in the DFEN, or is given by "
    "--roll; several rolls are answered one after the other, each as if it were the only one.",
    "A bot chooses among results: turns that lead to the same position are one choice, and so "
    "are all turns that take the king. The turn shown is the shortest one to its result. Where "
    "several results are equally good the bot picks one of them by its seed. The score is the "
    "bot's own, seen from the side that moves; taking the king scores 2147483647.",
    "A bot that searches also tells which candidates it looked into and what they are worth. A "
    "timed bot thinks as long as a clock (--time) or a budget (--budget-ms) allows; without "
    "either it finishes.",
    "The odds are the rolls of 216 with which the other side takes each king or a queen: before "
    "the roll, and after the turn.",
    NULL};

static const hzc_option options[] = {
    {"roll", 'r', "ROLL",
     "the dice, for example PNB or 123; several separated by commas, or the "
     "option several times"},
    HZC_OPTION_BOT,
    HZC_OPTION_MODEL,
    HZC_OPTION_BOOK,
    HZC_OPTION_SEED,
    HZC_OPTIONS_TIME,
    {"all", 'a', NULL, "list all results, best first, with the scores of the bot's evaluator"},
    {"evaluator", 'e', "NAME",
     "list all results with the scores of this evaluator: material, "
     "standard or aggressive"},
    HZC_OPTION_JSON,
    HZC_OPTION_BOARD,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard best --bot aggressive --seed 1 "
     "'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB'",
     "The first turn of a game."},
    {"hazard best start --roll PPP,NNB,QKK --bot aggressive --seed 1", "Three rolls at once."},
    {"hazard best --bot expectimax:limit=4 --seed 1 '4k3/8/8/8/8/8/PPP5/4KN2 w - - 0 1 PNK'",
     "What a search says about its candidates."},
    {"hazard best --all --bot greedy '4k3/8/3N4/8/B7/8/8/4K3 w - - 0 1 NBQ'",
     "Every result of a roll that can take the king."},
    {0}};

typedef struct roll_list {
    size_t count;
    hz_pool *pools;
} roll_list;

/* The results of a roll with the scores of an evaluator, best first. */
typedef struct ranked {
    int32_t score;
    uint32_t index;
} ranked;

typedef struct best {
    const hzc_args *args;
    hzc_out *out;
    hzc_json json;
    bool as_json;
    hzc_style style;
    hz_position root; /* without dice */
    hzc_captures before;
    uint64_t seed;
    hzc_player player;
    bool all;
    hz_evaluator evaluator;
    hz_arena arena; /* of --all */
} best;

/* ---- what was asked ---- */

static bool add_rolls(const hzc_args *args, const char *text, roll_list *rolls) {
    while (true) {
        hz_error err;
        size_t length = strcspn(text, ",");
        hz_pool pool;
        hz_pool *grown = realloc(rolls->pools, (rolls->count + 1) * sizeof *grown);
        if (!grown) {
            (void)hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
            return false;
        }
        rolls->pools = grown;
        if (hz_pool_from_text(text, length, &pool, &err) != HZ_OK) {
            (void)hzc_report(args, &err, text, length);
            return false;
        }
        if (pool == 0) {
            (void)hzc_usage(args, "--roll: a roll has at least one die");
            return false;
        }
        rolls->pools[rolls->count++] = pool;
        if (text[length] == '\0') {
            return true;
        }
        text += length + 1;
    }
}

static bool read_rolls(const hzc_args *args, hz_pool of_position, roll_list *rolls) {
    for (size_t i = 0; i < args->given_count; i++) {
        if (strcmp(args->given[i].option->name, "roll") == 0 &&
            !add_rolls(args, args->given[i].value, rolls)) {
            return false;
        }
    }
    if (rolls->count == 0 && of_position) {
        rolls->pools = malloc(sizeof *rolls->pools);
        if (!rolls->pools) {
            (void)hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
            return false;
        }
        rolls->pools[rolls->count++] = of_position;
    }
    if (rolls->count == 0) {
        (void)hzc_usage(args, "which roll? The DFEN has no dice; give some by --roll");
        return false;
    }
    return true;
}

/* The static evaluator a one-turn bot goes by; NULL when it has none. */
static const char *evaluator_of(const char *bot) {
    static const char *const pairs[][2] = {
        {"greedy", "material"}, {"greedy-v2", "standard"}, {"aggressive", "aggressive"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (strcmp(bot, pairs[i][0]) == 0) {
            return pairs[i][1];
        }
    }
    return NULL;
}

static bool read_evaluator(best *b) {
    hz_error err;
    const char *name = hzc_args_value(b->args, "evaluator");
    b->all = name || hzc_args_has(b->args, "all");
    if (!b->all) {
        return true;
    }
    if (!name) {
        name = evaluator_of(b->player.bot.info->id);
    }
    if (!name) {
        (void)hzc_usage(b->args, "the bot %s has no static scores; name some by --evaluator",
                        b->player.bot.info->id);
        return false;
    }
    if (hz_evaluator_static(name, &b->evaluator, &err) != HZ_OK) {
        (void)hzc_report(b->args, &err, NULL, 0);
        return false;
    }
    return true;
}

/* ---- all results ---- */

static int compare_ranked(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->score != y->score) {
        return x->score > y->score ? -1 : 1;
    }
    return x->index < y->index ? -1 : 1;
}

/* Lists and scores into the arena. NULL after a complaint, with the exit code. */
static const ranked *rank_results(best *b, const hz_position *position, hz_result_list *list,
                                  int *code) {
    hz_error err;
    hz_arena_reset(&b->arena);
    if (hz_results_list(position, NULL, &b->arena, list, &err) != HZ_OK) {
        *code = hzc_report(b->args, &err, NULL, 0);
        return NULL;
    }
    ranked *order = hz_arena_alloc(&b->arena, list->count * sizeof *order);
    if (!order) {
        *code = hzc_complain(b->args, HZC_ENVIRONMENT, "out of memory");
        return NULL;
    }
    for (size_t i = 0; i < list->count; i++) {
        int32_t score = HZ_SCORE_WIN;
        if ((ptrdiff_t)i != list->winning &&
            hz_evaluator_score(&b->evaluator, &list->results[i].after, 1, (hz_color)position->side,
                               &score) != HZ_OK) {
            *code = hzc_complain(b->args, HZC_ENVIRONMENT, "the evaluator failed");
            return NULL;
        }
        order[i] = (ranked){score, (uint32_t)i};
    }
    qsort(order, list->count, sizeof *order, compare_ranked);
    return order;
}

static int print_all(best *b, const hz_position *position) {
    hz_result_list list = {0};
    int code = HZC_DONE;
    const ranked *order = rank_results(b, position, &list, &code);
    if (!order) {
        return code;
    }
    if (b->as_json) {
        hzc_json_text(&b->json, "evaluator", b->evaluator.name);
        hzc_json_array(&b->json, "all");
    } else {
        hzc_out_format(b->out, "\nAll %zu results by %s:\n", list.count, b->evaluator.name);
    }
    for (size_t i = 0; i < list.count && !b->out->failed; i++) {
        const hz_result *result = &list.results[order[i].index];
        if (b->as_json) {
            hzc_json_object(&b->json, NULL);
            hzc_json_turn(&b->json, "turn", &result->turn);
            hzc_json_integer(&b->json, "score", order[i].score);
            hzc_json_dfen(&b->json, "result_dfen", &result->after);
            hzc_json_end_object(&b->json);
        } else {
            char text[HZ_TURN_CAPACITY];
            (void)hz_turn_to_text(&result->turn, text);
            hzc_out_format(b->out, "%12" PRId32 "  %s%s\n", order[i].score, text,
                           (ptrdiff_t)order[i].index == list.winning ? "  takes the king" : "");
        }
    }
    if (b->as_json) {
        hzc_json_end_array(&b->json);
    }
    return HZC_DONE;
}

/* ---- one roll ---- */

static void print_answer_json(best *b, const hz_position *position, const hz_bot_answer *answer,
                              const hz_position *after) {
    hzc_json *json = &b->json;
    hzc_captures odds = hzc_captures_of(after);
    hzc_json_dfen(json, "dfen", position);
    hzc_json_pool(json, "roll", position->pool, (hz_color)position->side);
    hzc_json_bool(json, "pass", answer->pass);
    hzc_json_turn(json, "turn", &answer->turn);
    hzc_json_bool(json, "takes_king", answer->turn.took_king);
    if (answer->pass) {
        hzc_json_null(json, "score");
    } else {
        hzc_json_integer(json, "score", answer->score);
    }
    hzc_json_array(json, "ties");
    for (size_t i = 0; i < answer->tie_count; i++) {
        hzc_json_turn(json, NULL, &answer->ties[i]);
    }
    hzc_json_end_array(json);
    hzc_json_count(json, "results", answer->results);
    hzc_json_bool(json, "from_book", answer->from_book);
    hzc_json_dfen(json, "result_dfen", after);
    hzc_json_captures(json, "odds_before", &b->before);
    hzc_json_captures(json, "odds_after", &odds);
    if (answer->non_finite_rows > 0) {
        hzc_json_count(json, "nonFiniteRows", answer->non_finite_rows);
    }
    hzc_json_search(json, position, answer->search, true, &b->player.arena);
}

static void print_odds(best *b, const hz_position *position, const hz_position *after) {
    hzc_captures odds = hzc_captures_of(after);
    hzc_out_format(b->out, "%-14s %18s %18s\n", "Taken by", "before", "after");
    for (int i = 0; i < HZC_TARGETS; i++) {
        char was[HZC_ODDS_CAPACITY], is[HZC_ODDS_CAPACITY];
        (void)hzc_odds_text(hz_roll_set_weight(b->before.rolls[i]), was);
        (void)hzc_odds_text(hz_roll_set_weight(odds.rolls[i]), is);
        bool stood = hzc_target_stands(position, i), stands = hzc_target_stands(after, i);
        hzc_out_format(b->out, "%-14s %18s %18s\n", hzc_targets[i].title, stood ? was : "none",
                       stands  ? is
                       : stood ? "taken"
                               : "none");
    }
}

static void print_answer_text(best *b, const hz_position *position, const hz_bot_answer *answer,
                              const hz_position *after) {
    char roll[4], turn[HZ_TURN_CAPACITY];
    hzc_board boards[] = {{position, 0}, {after, hzc_turn_marks(&answer->turn)}};
    (void)hz_pool_to_text(position->pool, (hz_color)position->side, roll);
    (void)hz_turn_to_text(&answer->turn, turn);
    hzc_out_format(b->out, "%s rolled %s", hzc_color_name((hz_color)position->side), roll);
    if (answer->pass) {
        hzc_out_text(b->out, " and has no legal turn: a pass.\n\n");
    } else {
        hzc_out_format(b->out, " and plays %s%s.\n\n", turn,
                       answer->turn.took_king ? ", taking the king" : "");
    }
    hzc_draw_boards(b->out, b->style, boards, answer->pass ? 1 : 2);
    hzc_out_char(b->out, '\n');
    if (!answer->pass) {
        hzc_out_format(b->out, "%s, seed %" PRIu64 ": score %" PRId32, b->player.bot.info->id,
                       b->seed, answer->score);
        if (answer->from_book) {
            hzc_out_text(b->out, ", from the book");
        } else {
            hzc_out_format(b->out, ", %zu of %zu results equally good", answer->tie_count,
                           answer->results);
        }
        hzc_out_text(b->out, "\n\n");
        if (answer->non_finite_rows > 0) {
            hzc_out_format(b->out,
                           "The model cannot be trusted: %" PRIu64
                           " of its answers were no finite number.\n\n",
                           answer->non_finite_rows);
        }
        hzc_text_search(b->out, position, answer->search, &b->player.arena);
    }
    print_odds(b, position, after);
}

static int answer_roll(best *b, hz_pool roll) {
    hz_position position = b->root;
    hz_position_set_pool(&position, roll);
    hz_random random = hz_random_from_seed(b->seed);
    hz_bot_answer answer;
    int code = hzc_player_ask(&b->player, b->args, &position, &random, &answer);
    if (code != HZC_DONE) {
        return code;
    }
    hz_position after = answer.after;
    if (answer.pass) {
        after = position;
        hz_hand_over(&after);
    }
    if (b->as_json) {
        hzc_json_object(&b->json, NULL);
        print_answer_json(b, &position, &answer, &after);
    } else {
        print_answer_text(b, &position, &answer, &after);
    }
    if (b->all) {
        code = print_all(b, &position);
    }
    if (b->as_json) {
        hzc_json_end_object(&b->json);
    }
    return code;
}

static int answer_all(best *b, const roll_list *rolls) {
    int code = HZC_DONE;
    if (b->as_json) {
        hzc_json_object(&b->json, NULL);
        hzc_json_text(&b->json, "bot", b->player.bot.info->id);
        hzc_json_seed(&b->json, "seed", b->seed);
        hzc_json_array(&b->json, "answers");
    }
    for (size_t i = 0; i < rolls->count && code == HZC_DONE && !b->out->failed; i++) {
        if (i > 0 && !b->as_json) {
            hzc_out_text(b->out, "\n\n");
        }
        code = answer_roll(b, rolls->pools[i]);
    }
    if (b->as_json) {
        hzc_json_end_array(&b->json);
        hzc_json_end_object(&b->json);
        hzc_out_char(b->out, '\n');
    }
    return code;
}

static int run(const hzc_args *args) {
    best b = {.args = args,
              .out = args->out,
              .json = hzc_json_to(args->out),
              .as_json = hzc_args_has(args, "json")};
    roll_list rolls = {0};
    hzc_allowance allowance;
    if (!hzc_style_read(args, &b.style) || !hzc_allowance_read(args, &allowance) ||
        !hzc_args_position(args, 0, &b.root)) {
        return HZC_USAGE;
    }
    int code = HZC_USAGE;
    if (read_rolls(args, b.root.pool, &rolls) && hzc_args_seed(args, &b.seed)) {
        code = hzc_player_open(&b.player, args);
        b.player.allowance = allowance;
        if (code == HZC_DONE && !read_evaluator(&b)) {
            code = HZC_USAGE;
        }
        if (code == HZC_DONE) {
            hz_position_set_pool(&b.root, 0);
            b.before = hzc_captures_of(&b.root);
            code = answer_all(&b, &rolls);
        }
        hz_evaluator_close(&b.evaluator);
        hzc_player_fini(&b.player);
    }
    hz_arena_fini(&b.arena);
    free(rolls.pools);
    return code;
}

const hzc_command hzc_command_best = {
    .name = "best",
    .summary = "find the best turn of a roll",
    .operands = "DFEN",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .run = run,
};
