/* SPDX-License-Identifier: MIT */
/* `hazard odds`: exact capture odds of a position and the danger of every piece. */
#include "cli/captures.h"
#include "cli/draw.h"

static const char *const about[] = {
    "Prints with how many of the 216 rolls each side can take the other's king or a queen, before "
    "the dice are thrown, and a board that shows beside every piece the number of rolls that take "
    "it. The numbers are exact. Whose turn it is and the dice of the DFEN do not matter.",
    "A roll counts when some order of its dice reaches the target. Dice that are left over do not "
    "matter, so a piece that one knight move takes falls to all 91 rolls with a knight.",
    NULL};

static const hzc_option options[] = {{"rolls", 'r', NULL, "list the rolls that take each target"},
                                     HZC_OPTION_JSON,
                                     HZC_OPTION_BOARD,
                                     HZC_OPTION_HELP,
                                     {0}};

static const hzc_example examples[] = {
    {"hazard odds 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'",
     "A middle game full of tension."},
    {"hazard odds --rolls 'k7/4P3/8/8/8/8/8/4K3 w - - 0 1'",
     "Which 60 rolls queen the pawn and take the king."},
    {0}};

static void print_json(hzc_out *out, const hz_position *position, bool with_rolls) {
    hzc_captures captures = hzc_captures_of(position);
    hzc_json json = hzc_json_to(out);
    hzc_json_object(&json, NULL);
    hzc_json_dfen(&json, "dfen", position);
    hzc_json_captures(&json, "odds", &captures);
    hzc_json_danger(&json, "danger", position);
    if (with_rolls) {
        hzc_json_object(&json, "rolls");
        for (int i = 0; i < HZC_TARGETS; i++) {
            hzc_json_rolls(&json, hzc_targets[i].name, captures.rolls[i],
                           (hz_color)!hzc_targets[i].defender);
        }
        hzc_json_end_object(&json);
    }
    hzc_json_end_object(&json);
    hzc_out_char(out, '\n');
}

static void print_rolls(hzc_out *out, hz_roll_set rolls, hz_color attacker) {
    int on_line = 0;
    for (int i = 0; i < HZ_ROLLS; i++) {
        if (rolls >> i & 1) {
            char letters[4];
            (void)hz_pool_to_text(hz_rolls[i].pool, attacker, letters);
            const char *before = on_line == 0 ? "    " : on_line % 14 == 0 ? "\n    " : " ";
            hzc_out_format(out, "%s%s", before, letters);
            on_line++;
        }
    }
    if (on_line > 0) {
        hzc_out_char(out, '\n');
    }
}

static void print_text(hzc_out *out, hzc_style style, const hz_position *position,
                       bool with_rolls) {
    hzc_captures captures = hzc_captures_of(position);
    hzc_draw_danger(out, style, position);
    hzc_out_text(out, "\nBeside each piece: the rolls of 216 that take it.\n\n");
    for (int i = 0; i < HZC_TARGETS; i++) {
        char odds[HZC_ODDS_CAPACITY];
        (void)hzc_odds_text(hz_roll_set_weight(captures.rolls[i]), odds);
        if (!hzc_target_stands(position, i)) {
            hzc_out_format(out, "%-14s is not on the board\n", hzc_targets[i].title);
            continue;
        }
        hzc_out_format(out, "%-14s is taken by %s\n", hzc_targets[i].title, odds);
        if (with_rolls) {
            print_rolls(out, captures.rolls[i], (hz_color)!hzc_targets[i].defender);
        }
    }
}

static int run(const hzc_args *args) {
    hz_position position;
    hzc_style style;
    if (!hzc_style_read(args, &style) || !hzc_args_position(args, 0, &position)) {
        return HZC_USAGE;
    }
    if (hzc_args_has(args, "json")) {
        print_json(args->out, &position, hzc_args_has(args, "rolls"));
    } else {
        print_text(args->out, style, &position, hzc_args_has(args, "rolls"));
    }
    return HZC_DONE;
}

const hzc_command hzc_command_odds = {
    .name = "odds",
    .summary = "show the odds of losing the king, the queen, any piece",
    .operands = "DFEN",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .run = run,
};
