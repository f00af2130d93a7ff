/* SPDX-License-Identifier: MIT */
/* `hazard position`: one position in all its written forms. */
#include "cli/draw.h"
#include "cli/json.h"
#include "cli/moves.h"

#include <inttypes.h>

static const char *const about[] = {
    "Reads a position and prints its board and its other forms: the canonical DFEN, the position "
    "with colours or files swapped, the representative that all symmetric positions share, the "
    "four-field key and the book key, the hash, and whether the game is over.",
    "The book key exists only while there are dice. The hash depends on placement, side, rights, "
    "targets and dice, never on the clocks.",
    "With --chess the position is a FEN of orthodox chess: its canonical form, whether it can be "
    "played and why not, how the game stands, and the legal moves.",
    NULL};

static const hzc_option options[] = {
    {"chess", 'c', NULL, "look at the position as one of orthodox chess"},
    HZC_OPTION_JSON,
    HZC_OPTION_BOARD,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard position start", "Shows the initial position."},
    {"hazard position --json 'rnbqkbnr/pppppppp/8/8/P1P1P3/8/1P1P1PPP/RNBQKBNR b KQkq e3a3c3 0 1'",
     "Sorts the en-passant targets, among other things."},
    {"hazard position --chess '8/P3k3/8/8/8/8/8/4K3 w - - 0 1'",
     "The legal moves and their notation."},
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

/* ---- chess -------------------------------------------------------------------------------------- */

static void print_chess_json(hzc_out *out, const hz_position *position, bool sound,
                             const hz_error *why) {
    hz_move moves[HZ_CHESS_MOVES_MAX];
    int count = hzc_moves_chess(position, moves);
    hzc_json json = hzc_json_to(out);
    hzc_json_object(&json, NULL);
    hzc_json_fen(&json, "fen", position);
    hzc_json_bool(&json, "playable", sound);
    if (sound) {
        hzc_json_null(&json, "reason");
    } else {
        hzc_json_text(&json, "reason", why->message);
    }
    hzc_json_bool(&json, "check", hz_chess_in_check(position, (hz_color)position->side));
    hzc_json_text(&json, "end", hz_chess_end_text(hz_chess_position_end(position)));
    hzc_json_object(&json, "moves");
    for (int i = 0; i < count; i++) {
        char text[HZ_MOVE_CAPACITY], san[HZ_SAN_CAPACITY];
        (void)hz_move_to_text(moves[i], text);
        (void)hz_san_from_move(position, moves[i], san);
        hzc_json_text(&json, text, san);
    }
    hzc_json_end_object(&json);
    hzc_json_end_object(&json);
    hzc_out_char(out, '\n');
}

static void print_chess_text(hzc_out *out, hzc_style style, const hz_position *position, bool sound,
                             const hz_error *why) {
    char text[HZ_DFEN_CAPACITY];
    hz_move moves[HZ_CHESS_MOVES_MAX];
    int count = hzc_moves_chess(position, moves);
    hzc_draw_boards(out, style, &(hzc_board){.position = position}, 1);
    (void)hz_chess_to_fen(position, text, sizeof text);
    hzc_out_format(out, "\n%-10s %s\n", "fen", text);
    hzc_out_format(out, "%-10s %s\n", "playable", sound ? "yes" : why->message);
    hzc_out_format(out, "%-10s %s\n", "check",
                   hz_chess_in_check(position, (hz_color)position->side) ? "yes" : "no");
    hzc_out_format(out, "%-10s %s\n", "end", hz_chess_end_text(hz_chess_position_end(position)));
    hzc_out_format(out, "%-10s %d\n", "moves", count);
    for (int i = 0; i < count; i++) {
        char san[HZ_SAN_CAPACITY];
        (void)hz_san_from_move(position, moves[i], san);
        hzc_out_format(out, "%s%s", i % 10 ? " " : i ? "\n" : "", san);
    }
    hzc_out_text(out, count ? "\n" : "");
}

static int run_chess(const hzc_args *args, hzc_style style) {
    hz_position position;
    hz_error why;
    if (!hzc_args_chess(args, 0, &position)) {
        return HZC_USAGE;
    }
    bool sound = hz_chess_validate(&position, &why) == HZ_CHESS_SOUND;
    if (hzc_args_has(args, "json")) {
        print_chess_json(args->out, &position, sound, &why);
    } else {
        print_chess_text(args->out, style, &position, sound, &why);
    }
    return sound ? HZC_DONE : HZC_NO;
}

static int run(const hzc_args *args) {
    hz_position position;
    hzc_style style;
    if (!hzc_style_read(args, &style)) {
        return HZC_USAGE;
    }
    if (hzc_args_has(args, "chess")) {
        return run_chess(args, style);
    }
    if (!hzc_args_position(args, 0, &position)) {
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
    .exit_no = "with --chess: the position cannot be played",
    .run = run,
};
