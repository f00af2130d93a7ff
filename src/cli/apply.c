/* SPDX-License-Identifier: MIT */
/* `hazard apply`: plays micro-moves, or a whole turn by the strict rules. */
#include "cli/args.h"
#include "cli/json.h"
#include "cli/moves.h"

#include <stdlib.h>
#include <string.h>

static const char *const about[] = {
    "Plays micro-moves on a position and prints the DFEN that results. The micro-moves are "
    "separated by commas or given as several operands; '-' plays none. With dice in the DFEN each "
    "micro-move must be paid by a die; without dice any piece of the side to move may be moved.",
    "Without --strict the maximum rule is not looked at. With it the micro-moves must be one of "
    "the "
    "legal turns of the roll.",
    NULL};

static const hzc_option options[] = {
    {"strict", 0, NULL, "require one of the legal turns of the roll"},
    {"hand-over", 'o', NULL,
     "then end the turn: the other side is to move, unspent dice are "
     "discarded"},
    HZC_OPTION_JSON,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard apply --hand-over 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PPP' "
     "a2a4,c2c4,e2e4",
     "Three double steps leave three en-passant targets."},
    {"hazard apply --strict --json 'k7/4P3/8/8/8/8/8/4K3 w - - 0 1 PPN' "
     "e7e8n,e8d6",
     "The only legal promotion here is to a knight."},
    {0}};

static hz_status play(const hzc_args *args, hz_position *position, const char *text,
                      bool *took_king, hz_error *err) {
    size_t length = strlen(text);
    if (!hzc_args_has(args, "strict")) {
        return hzc_moves_apply(position, text, length, took_king, err);
    }
    hz_turn turn;
    hz_position after;
    hz_status status =
        hz_turn_from_text(position, length ? text : "-", length ? length : 1, &turn, &after, err);
    if (status == HZ_OK) {
        *position = after;
        *took_king = turn.took_king;
    }
    return status;
}

static int run(const hzc_args *args) {
    hz_position position;
    hz_error err;
    bool took_king = false;
    if (args->operand_count == 0) {
        return hzc_usage(args, "which position? Give a DFEN in quotes, or 'start'");
    }
    if (!hzc_read_dfen(args, args->operands[0], &position)) {
        return HZC_USAGE;
    }
    char *text = hzc_args_join(args, 1, ',');
    if (!text) {
        return HZC_ENVIRONMENT;
    }
    int code = HZC_DONE;
    if (play(args, &position, text, &took_king, &err) != HZ_OK) {
        code = hzc_report(args, &err, text, strlen(text));
    } else if (hzc_args_has(args, "hand-over")) {
        if (took_king) {
            code = hzc_complain(args, HZC_NO, "the king is taken: there is nothing to hand over");
        } else {
            hz_hand_over(&position);
        }
    }
    free(text);
    if (code != HZC_DONE) {
        return code;
    }
    if (hzc_args_has(args, "json")) {
        hzc_json json = hzc_json_to(args->out);
        hzc_json_object(&json, NULL);
        hzc_json_dfen(&json, "dfen", &position);
        hzc_json_bool(&json, "took_king", took_king);
        hzc_json_status(&json, &position);
        hzc_json_end_object(&json);
        hzc_out_char(args->out, '\n');
    } else {
        char dfen[HZ_DFEN_CAPACITY];
        (void)hz_position_to_dfen(&position, dfen, sizeof dfen);
        hzc_out_format(args->out, "%s\n", dfen);
    }
    return HZC_DONE;
}

const hzc_command hzc_command_apply = {
    .name = "apply",
    .summary = "play micro-moves or a turn",
    .operands = "DFEN [MOVES]...",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .exit_no = "the turn is not legal, or there is nothing to hand over",
    .run = run,
};
