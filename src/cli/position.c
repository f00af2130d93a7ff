/* SPDX-License-Identifier: MIT */
/* `hazard position`: one position in all its written forms. */
#include "cli/draw.h"
#include "cli/json.h"

#include <inttypes.h>

static const char *const about[] = {
    "Reads a position and prints its board and its other forms: the canonical DFEN, the position "
    "with colours or files swapped, the representative that all symmetric positions share, the "
    "four-field key and the book key, the hash, and whether the game is over.",
    "The book key exists only while there are dice. The hash depends on placement, side, rights, "
    "targets and dice, never on the clocks.",
    NULL};

static const hzc_option options[] = {HZC_OPTION_JSON, HZC_OPTION_BOARD, HZC_OPTION_HELP, {0}};

static const hzc_example examples[] = {
    {"hazard position start", "Shows the initial position."},
    {"hazard position --json 'rnbqkbnr/pppppppp/8/8/P1P1P3/8/1P1P1PPP/RNBQKBNR b KQkq e3a3c3 0 1'",
     "Sorts the en-passant targets, among other things."},
    {0}};

static void print_json(hzc_out *out, const hz_position *position) {
    hzc_json json = hzc_json_to(out);
    hzc_json_object(&json, NULL);
    hzc_json_forms(&json, position);
    hzc_json_status(&json, position);
    hzc_json_end_object(&json);
    hzc_out_char(out, '\n');
}

static void print_form(hzc_out *out, const char *name, const hz_position *position) {
    char text[HZ_DFEN_CAPACITY];
    (void)hz_position_to_dfen(position, text, sizeof text);
    hzc_out_format(out, "%-10s %s\n", name, text);
}

static void print_text(hzc_out *out, hzc_style style, const hz_position *position) {
    char text[HZ_DFEN_CAPACITY];
    bool has_winner = false;
    hz_color winner = HZ_WHITE;
    hz_position flip = hz_position_flip(position);
    hz_position mirror = hz_position_mirror(position);
    hz_position canonical = hz_position_canonical(position);
    hzc_draw_boards(out, style, &(hzc_board){.position = position}, 1);
    hzc_out_char(out, '\n');
    print_form(out, "dfen", position);
    print_form(out, "flip", &flip);
    print_form(out, "mirror", &mirror);
    print_form(out, "canonical", &canonical);
    (void)hz_position_key4(position, text, sizeof text);
    hzc_out_format(out, "%-10s %s\n", "key4", text);
    (void)hz_position_book_key(position, text, sizeof text);
    hzc_out_format(out, "%-10s %s\n", "book key", text[0] ? text : "none without dice");
    hzc_out_format(out, "%-10s %016" PRIx64 "\n", "hash", position->key);
    if (hz_game_over(position, &has_winner, &winner)) {
        hzc_out_format(out, "%-10s over, won by %s\n", "game",
                       has_winner ? hzc_color_name(winner) : "nobody");
    } else {
        hzc_out_format(out, "%-10s %s to move\n", "game", hzc_color_name((hz_color)position->side));
    }
}

static int run(const hzc_args *args) {
    hz_position position;
    hzc_style style;
    if (!hzc_style_read(args, &style) || !hzc_args_position(args, 0, &position)) {
        return HZC_USAGE;
    }
    if (hzc_args_has(args, "json")) {
        print_json(args->out, &position);
    } else {
        print_text(args->out, style, &position);
    }
    return HZC_DONE;
}

const hzc_command hzc_command_position = {
    .name = "position",
    .summary = "show a position, its symmetric forms, its keys",
    .operands = "DFEN",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .run = run,
};
