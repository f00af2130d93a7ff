/* SPDX-License-Identifier: MIT */
/* `hazard perft`: counts that check a move generator. */
#include "cli/args.h"
#include "cli/json.h"
#include "cli/moves.h"

#include <inttypes.h>
#include <string.h>

/* Room for the first moves of either game. */
enum { ROOM = HZ_MOVES_CAPACITY };
_Static_assert((int)ROOM >= (int)HZ_CHESS_MOVES_MAX, "room for both games");

static const char *const about[] = {
    "Counts sequences of pseudo-legal micro-moves: after each one the turn is handed over and the "
    "same dice are put back. Without dice all pieces move. These are the numbers published for "
    "Dice Chess move generators.",
    "With --turns it counts what one roll allows instead: dice that can be spent, legal turns as "
    "sequences, turns that take the king, distinct results. Without dice in the DFEN it does so "
    "for all 56 rolls.",
    "With --chess it counts the leaves of the tree of legal moves of orthodox chess from a FEN.",
    NULL};

static const hzc_option options[] = {
    {"depth", 'd', "N", "micro-moves to look ahead, 0 to 64 (default 3)"},
    {"divide", 'D', NULL, "print the count below each first micro-move"},
    {"turns", 't', NULL, "count the turns of the roll, or of every roll"},
    {"chess", 'c', NULL, "count legal moves of orthodox chess"},
    HZC_OPTION_JSON,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard perft --depth 4 start", "197742 nodes."},
    {"hazard perft --depth 2 --divide 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w "
     "KQkq - 0 1 P'",
     "Pawn dice only, 63 nodes."},
    {"hazard perft --turns start", "What every roll allows at the start."},
    {"hazard perft --chess --depth 5 start", "4865609 nodes."},
    {0}};

/* Leaves below a position by the rules asked for. */
static uint64_t leaves(const hzc_args *args, const hz_position *position, int depth) {
    return hzc_args_has(args, "chess") ? hz_chess_perft(position, depth)
                                       : hz_dice_perft(position, depth);
}

/* First moves in the order of their texts; their number. */
static int first_moves(const hzc_args *args, const hz_position *position, hz_move *moves) {
    if (!hzc_args_has(args, "chess")) {
        hz_move_list list;
        hz_moves_pseudo(position, &list);
        memcpy(moves, list.moves, (size_t)list.count * sizeof *moves);
        return list.count;
    }
    return hzc_moves_chess(position, moves);
}

static int print_divided(const hzc_args *args, const hz_position *position, int depth,
                         hzc_json *json) {
    hz_move moves[ROOM];
    uint64_t nodes = 0;
    int count = first_moves(args, position, moves);
    if (json) {
        hzc_json_object(json, "divide");
    }
    for (int i = 0; i < count && !args->out->failed; i++) {
        hz_position board = *position;
        char text[HZ_MOVE_CAPACITY];
        (void)hz_move_to_text(moves[i], text);
        if (hzc_args_has(args, "chess")) {
            hz_chess_play(position, moves[i], &board);
        } else {
            (void)hz_position_play(&board, moves[i]);
            hz_hand_over(&board);
            hz_position_set_pool(&board, position->pool);
        }
        uint64_t below = leaves(args, &board, depth - 1);
        nodes += below;
        if (json) {
            hzc_json_count(json, text, below);
        } else {
            hzc_out_format(args->out, "%-6s %" PRIu64 "\n", text, below);
        }
    }
    if (json) {
        hzc_json_end_object(json);
        hzc_json_count(json, "nodes", nodes);
    } else {
        hzc_out_format(args->out, "total  %" PRIu64 "\n", nodes);
    }
    return HZC_DONE;
}

static int print_nodes(const hzc_args *args, const hz_position *position, int depth,
                       hzc_json *json) {
    uint64_t start = hz_clock_now_ns();
    uint64_t nodes = leaves(args, position, depth);
    double seconds = (double)(hz_clock_now_ns() - start) * 1e-9;
    if (json) {
        hzc_json_count(json, "nodes", nodes);
        hzc_json_double(json, "seconds", seconds);
    } else {
        hzc_out_format(args->out, "%" PRIu64 " nodes in %.3f s\n", nodes, seconds);
    }
    return HZC_DONE;
}

static int print_roll(const hzc_args *args, const hz_position *position, unsigned weight,
                      hzc_json *json) {
    hz_turn_counts counts;
    hz_error err;
    char roll[4];
    (void)hz_pool_to_text(position->pool, (hz_color)position->side, roll);
    if (hz_turns_count(position, 0, &counts, &err) != HZ_OK) {
        return hzc_report(args, &err, NULL, 0);
    }
    if (json) {
        hzc_json_object(json, NULL);
        hzc_json_text(json, "roll", roll);
        hzc_json_count(json, "weight", weight);
        hzc_json_counts(json, &counts);
        hzc_json_end_object(json);
    } else {
        hzc_out_format(args->out,
                       "%-4s %6u %6d %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n",
                       roll, weight, counts.max_dice, counts.first, counts.turns, counts.king_turns,
                       counts.results);
    }
    return HZC_DONE;
}

static int print_turns(const hzc_args *args, const hz_position *position, hzc_json *json) {
    int code = HZC_DONE;
    if (json) {
        hzc_json_array(json, "rolls");
    } else {
        hzc_out_format(args->out, "%-4s %6s %6s %12s %12s %12s %12s\n", "roll", "of 216", "dice",
                       "first", "turns", "take king", "results");
    }
    for (int i = 0; i < HZ_ROLLS && code == HZC_DONE && !args->out->failed; i++) {
        hz_position board = *position;
        if (position->pool == 0) {
            hz_position_set_pool(&board, hz_rolls[i].pool);
            code = print_roll(args, &board, hz_rolls[i].weight_216, json);
        } else if (position->pool == hz_rolls[i].pool) {
            code = print_roll(args, &board, hz_rolls[i].weight_216, json);
        } else if (hz_pool_size(position->pool) < 3) {
            code = print_roll(args, &board, 0, json); /* what is left of a roll */
            break;
        }
    }
    if (json) {
        hzc_json_end_array(json);
    }
    return code;
}

static int run(const hzc_args *args) {
    hz_position position;
    uint64_t depth = 3;
    bool chess = hzc_args_has(args, "chess");
    if (!(chess ? hzc_args_chess(args, 0, &position) : hzc_args_position(args, 0, &position)) ||
        !hzc_args_count(args, "depth", 0, 64, &depth)) {
        return HZC_USAGE;
    }
    bool turns = hzc_args_has(args, "turns"), divide = hzc_args_has(args, "divide");
    if (turns && (divide || hzc_args_has(args, "depth"))) {
        return hzc_usage(args, "--turns looks at one roll: it has no --depth and no --divide");
    }
    if (turns && chess) {
        return hzc_usage(args, "--turns is about dice, --chess has none");
    }
    if (divide && depth == 0) {
        return hzc_usage(args, "--divide needs a --depth of at least 1");
    }
    hzc_json writer = hzc_json_to(args->out);
    hzc_json *json = hzc_args_has(args, "json") ? &writer : NULL;
    if (json) {
        hzc_json_object(json, NULL);
        if (chess) {
            hzc_json_fen(json, "fen", &position);
        } else {
            hzc_json_dfen(json, "dfen", &position);
        }
        if (!turns) {
            hzc_json_count(json, "depth", depth);
        }
    }
    int code = turns    ? print_turns(args, &position, json)
               : divide ? print_divided(args, &position, (int)depth, json)
                        : print_nodes(args, &position, (int)depth, json);
    if (json) {
        hzc_json_end_object(json);
        hzc_out_char(args->out, '\n');
    }
    return code;
}

const hzc_command hzc_command_perft = {
    .name = "perft",
    .summary = "count moves to a depth, or the turns of rolls",
    .operands = "DFEN",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .run = run,
};
