/* SPDX-License-Identifier: MIT */
/* `hazard turns`: the legal turns of a roll, as a list, a tree, counts, results. */
#include "cli/turn_stream.h"
#include "cli/args.h"

#include <inttypes.h>
#include <string.h>

static const char *const about[] = {
    "Lists the legal turns of the dice in the DFEN, one a line, in the order of their texts. Turns "
    "are sequences of micro-moves; '-' is the forced pass of a roll that allows no turn. The list "
    "is written while it is made, so its length does not matter.",
    "With --played only turns that begin with these micro-moves are listed.", NULL};

static const hzc_option options[] = {
    {"first", 'f', NULL, "list the legal first micro-moves only"},
    {"tree", 't', NULL, "print the turns as a tree of micro-moves"},
    {"counts", 'c', NULL,
     "print numbers only: first micro-moves, dice that can be spent, turns, "
     "turns that take the king, results"},
    {"results", 'R', NULL,
     "list the distinct results, each with its shortest turn and the position "
     "after it"},
    {"roll", 'r', "ROLL", "the dice, in place of those in the DFEN"},
    {"played", 'p', "MOVES", "micro-moves already played on this roll, separated by commas"},
    {"limit", 'l', "N", "stop after N turns"},
    HZC_OPTION_JSON,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard turns '4k3/8/8/8/8/8/8/4K2R w K - 0 1 RK'", "Castling spends both dice at once."},
    {"hazard turns --counts start --roll PPP", "How many turns three pawn dice allow."},
    {"hazard turns --tree --json 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 NRQ'",
     "Four turns as nested objects."},
    {"hazard turns --results 'k7/8/8/8/8/8/8/7K w - - 0 1 KKK'", "105 turns lead to 16 results."},
    {0}};

typedef struct asked {
    const hzc_args *args;
    hzc_out *out;
    hzc_json *json; /* NULL: text */
    hz_position position;
    hz_turn played; /* count 0 = none */
    uint64_t limit;
} asked;

static int print_first(asked *a) {
    hz_move_list list;
    hz_error err;
    hz_status status = hz_turn_continuations(&a->position, &a->played, &list, &err);
    if (status != HZ_OK) {
        return hzc_report(a->args, &err, NULL, 0);
    }
    if (a->json) {
        hzc_json_array(a->json, "first");
    }
    for (int i = 0; i < list.count; i++) {
        if (a->json) {
            hzc_json_move(a->json, NULL, list.moves[i]);
        } else {
            char text[HZ_MOVE_CAPACITY];
            (void)hz_move_to_text(list.moves[i], text);
            hzc_out_format(a->out, "%s\n", text);
        }
    }
    if (a->json) {
        hzc_json_end_array(a->json);
    }
    return HZC_DONE;
}

static int print_counts(asked *a) {
    hz_turn_counts counts;
    hz_error err;
    if (hz_turns_count(&a->position, 0, &counts, &err) != HZ_OK) {
        return hzc_report(a->args, &err, NULL, 0);
    }
    if (a->json) {
        hzc_json_counts(a->json, &counts);
        return HZC_DONE;
    }
    hzc_out_format(a->out,
                   "first micro-moves  %" PRIu64
                   "\ndice spent         %d\nturns              %" PRIu64
                   "\nking captures      %" PRIu64 "\nresults            %" PRIu64 "\n",
                   counts.first, counts.max_dice, counts.turns, counts.king_turns, counts.results);
    return HZC_DONE;
}

static int print_results(asked *a) {
    hz_arena arena = {0};
    hz_result_list list;
    hz_error err;
    int code = HZC_DONE;
    if (hz_results_list(&a->position, NULL, &arena, &list, &err) != HZ_OK) {
        code = hzc_report(a->args, &err, NULL, 0);
        list.count = 0;
    }
    if (a->json) {
        hzc_json_array(a->json, "results");
    }
    for (size_t i = 0; i < list.count && !a->out->failed; i++) {
        const hz_result *result = &list.results[i];
        if (a->json) {
            hzc_json_object(a->json, NULL);
            hzc_json_turn(a->json, "turn", &result->turn);
            hzc_json_bool(a->json, "takes_king", result->turn.took_king);
            hzc_json_dfen(a->json, "result_dfen", &result->after);
            hzc_json_end_object(a->json);
        } else {
            char turn[HZ_TURN_CAPACITY], dfen[HZ_DFEN_CAPACITY];
            (void)hz_turn_to_text(&result->turn, turn);
            (void)hz_position_to_dfen(&result->after, dfen, sizeof dfen);
            hzc_out_format(a->out, "%-20s %s\n", turn, dfen);
        }
    }
    if (a->json) {
        hzc_json_end_array(a->json);
    } else if (list.count == 0 && a->position.pool && code == HZC_DONE) {
        hzc_out_text(a->out, "-\n");
    }
    hz_arena_fini(&arena);
    return code;
}

static int print_turns(asked *a, bool tree) {
    hzc_turn_stream stream = {.out = a->out, .json = a->json, .limit = a->limit};
    hz_move_list next;
    hz_error err;
    if (hz_turn_continuations(&a->position, &a->played, &next, &err) != HZ_OK) {
        return hzc_report(a->args, &err, NULL, 0);
    }
    if (tree) {
        hzc_stream_tree_open(&stream, "tree");
    } else if (a->json) {
        hzc_json_array(a->json, "turns");
    }
    (void)hz_turns_visit(&a->position, &a->played, NULL, tree ? hzc_stream_tree : hzc_stream_turn,
                         &stream);
    if (tree) {
        hzc_stream_tree_close(&stream);
    } else if (a->json) {
        hzc_json_end_array(a->json);
    }
    if (a->json) {
        hzc_json_bool(a->json, "complete", !stream.more);
    } else if (stream.written == 0 && a->position.pool) {
        hzc_out_text(a->out, "-\n");
    }
    if (stream.more) {
        return hzc_complain(a->args, HZC_NO, "INCOMPLETE: there are more than %" PRIu64 " turns",
                            a->limit);
    }
    return HZC_DONE;
}

static bool read_played(asked *a) {
    hz_error err;
    const char *text = hzc_args_value(a->args, "played");
    if (!text) {
        return true;
    }
    if (hz_turn_parse(&a->position, text, strlen(text), &a->played, NULL, &err) != HZ_OK) {
        (void)hzc_report(a->args, &err, text, strlen(text));
        return false;
    }
    return true;
}

static int run(const hzc_args *args) {
    static const char *const modes[] = {"first", "tree", "counts", "results"};
    hzc_json json = hzc_json_to(args->out);
    asked a = {.args = args, .out = args->out};
    const char *mode = NULL;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (hzc_args_has(args, modes[i])) {
            if (mode) {
                return hzc_usage(args, "--%s and --%s do not go together", mode, modes[i]);
            }
            mode = modes[i];
        }
    }
    const char *roll = hzc_args_value(args, "roll");
    hz_pool pool;
    hz_error err;
    if (!hzc_args_position(args, 0, &a.position) ||
        !hzc_args_count(args, "limit", 1, UINT64_MAX, &a.limit)) {
        return HZC_USAGE;
    }
    if (roll) {
        if (hz_pool_from_text(roll, strlen(roll), &pool, &err) != HZ_OK) {
            return hzc_report(args, &err, roll, strlen(roll));
        }
        hz_position_set_pool(&a.position, pool);
    }
    bool whole = mode && (strcmp(mode, "counts") == 0 || strcmp(mode, "results") == 0);
    if (whole && hzc_args_has(args, "played")) {
        return hzc_usage(args, "--%s and --played do not go together", mode);
    }
    if (!read_played(&a)) {
        return HZC_USAGE;
    }
    if (hzc_args_has(args, "json")) {
        a.json = &json;
        hzc_json_object(a.json, NULL);
        hzc_json_dfen(a.json, "dfen", &a.position);
    }
    int code = mode == NULL                  ? print_turns(&a, false)
               : strcmp(mode, "first") == 0  ? print_first(&a)
               : strcmp(mode, "tree") == 0   ? print_turns(&a, true)
               : strcmp(mode, "counts") == 0 ? print_counts(&a)
                                             : print_results(&a);
    if (a.json) {
        hzc_json_end_object(a.json);
        hzc_out_char(a.out, '\n');
    }
    return code;
}

const hzc_command hzc_command_turns = {
    .name = "turns",
    .summary = "list, count or unfold the legal turns of a roll",
    .operands = "DFEN",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .exit_no = "the limit was hit before all turns were listed, or no legal turn begins with what "
               "was played",
    .run = run,
};
