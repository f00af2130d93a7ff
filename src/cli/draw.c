/* SPDX-License-Identifier: MIT */
/* Drawing boards; see draw.h. */
#include "cli/draw.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Escape sequences of ECMA-48 with the 256 colours every terminal of today has. */
#define LIGHT_SQUARE "\x1b[48;5;180m"
#define DARK_SQUARE "\x1b[48;5;137m"
#define MARKED_SQUARE "\x1b[48;5;143m"
#define DANGER_SQUARE "\x1b[48;5;167m"
#define WHITE_PIECE "\x1b[38;5;231m"
#define BLACK_PIECE "\x1b[38;5;16m"
#define PLAIN "\x1b[0m"

const char *hzc_color_name(hz_color color) {
    return color == HZ_WHITE ? "White" : "Black";
}

uint64_t hzc_turn_marks(const hz_turn *turn) {
    uint64_t marks = 0;
    for (int i = 0; i < turn->count; i++) {
        marks |= UINT64_C(1) << hz_move_from(turn->moves[i]);
        marks |= UINT64_C(1) << hz_move_to(turn->moves[i]);
    }
    return marks;
}

/* Only LC_CTYPE is taken over from the user, and only to ask for the character set. */
static bool has_utf8(void) {
    return setlocale(LC_CTYPE, "") && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static hzc_style style_of_terminal(const hzc_args *args) {
    const char *terminal = getenv("TERM");
    const char *no_color = getenv("NO_COLOR");
    if (args->out->fd < 0 || !isatty(args->out->fd) || !terminal || strcmp(terminal, "dumb") == 0 ||
        !has_utf8()) {
        return HZC_ASCII;
    }
    return no_color && *no_color ? HZC_UNICODE : HZC_COLOR;
}

bool hzc_style_read(const hzc_args *args, hzc_style *style) {
    static const char *const names[] = {"ascii", "unicode", "color"};
    const char *name = hzc_args_value(args, "board");
    if (!name) {
        *style = style_of_terminal(args);
        return true;
    }
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            *style = (hzc_style)i;
            return true;
        }
    }
    (void)hzc_usage(args, "--board: '%s' is not 'ascii', 'unicode' or 'color'", name);
    return false;
}

/* In colour both sides use the filled symbols; the colour of the ink tells them apart. */
static const char *symbol(hzc_style style, char letter, char buffer[2]) {
    static const char letters[] = "KQRBNPkqrbnp";
    static const char *const symbols[] = {"♔", "♕", "♖", "♗", "♘", "♙",
                                          "♚", "♛", "♜", "♝", "♞", "♟"};
    const char *place = strchr(letters, letter);
    if (style != HZC_ASCII && place) {
        ptrdiff_t index = place - letters;
        return symbols[style == HZC_COLOR && index < 6 ? index + 6 : index];
    }
    buffer[0] = letter;
    buffer[1] = '\0';
    return buffer;
}

static void begin_cell(hzc_out *out, hzc_style style, int square, char letter, bool marked,
                       const char *mark_color) {
    if (style == HZC_COLOR) {
        bool light = (square / 8 + square % 8) % 2 == 1;
        hzc_out_text(out, marked ? mark_color : light ? LIGHT_SQUARE : DARK_SQUARE);
        hzc_out_text(out, letter >= 'A' && letter <= 'Z' ? WHITE_PIECE : BLACK_PIECE);
    }
}

/* `last`: nothing follows on the line, so a plain cell ends without a blank. */
static void draw_square(hzc_out *out, hzc_style style, const hzc_board *board, int square,
                        bool last) {
    char buffer[2];
    char letter = hz_position_letter_at(board->position, square);
    bool marked = board->marks >> square & 1;
    bool brackets = marked && style != HZC_COLOR;
    begin_cell(out, style, square, letter, marked, MARKED_SQUARE);
    hzc_out_char(out, brackets ? '[' : ' ');
    hzc_out_text(out, symbol(style, style == HZC_COLOR && letter == '.' ? ' ' : letter, buffer));
    if (brackets || style == HZC_COLOR || !last) {
        hzc_out_char(out, brackets ? ']' : ' ');
    }
}

void hzc_draw_boards(hzc_out *out, hzc_style style, const hzc_board *boards, size_t count) {
    for (int rank = 7; rank >= 0; rank--) {
        for (size_t i = 0; i < count; i++) {
            hzc_out_format(out, "%s%d ", i > 0 ? "     " : "  ", rank + 1);
            for (int file = 0; file < 8; file++) {
                draw_square(out, style, &boards[i], 8 * rank + file, i + 1 == count && file == 7);
            }
            if (style == HZC_COLOR) {
                hzc_out_text(out, PLAIN);
            }
        }
        hzc_out_char(out, '\n');
    }
    for (size_t i = 0; i < count; i++) {
        hzc_out_format(out, "%s  a  b  c  d  e  f  g  h", i > 0 ? "       " : "   ");
    }
    hzc_out_char(out, '\n');
}

void hzc_draw_danger(hzc_out *out, hzc_style style, const hz_position *position) {
    hz_danger_map danger[2];
    hz_odds_danger(position, HZ_WHITE, &danger[HZ_WHITE]);
    hz_odds_danger(position, HZ_BLACK, &danger[HZ_BLACK]);
    for (int rank = 7; rank >= 0; rank--) {
        hzc_out_format(out, "  %d ", rank + 1);
        for (int square = 8 * rank; square < 8 * rank + 8; square++) {
            char buffer[2];
            char letter = hz_position_letter_at(position, square);
            unsigned weight = hz_roll_set_weight(danger[HZ_WHITE].rolls[square]) +
                              hz_roll_set_weight(danger[HZ_BLACK].rolls[square]);
            begin_cell(out, style, square, letter, weight > 0, DANGER_SQUARE);
            bool last = square % 8 == 7 && style != HZC_COLOR;
            bool blank = letter == '.' && style == HZC_COLOR;
            hzc_out_format(out, "  %s", symbol(style, blank ? ' ' : letter, buffer));
            if (weight > 0) {
                hzc_out_format(out, last ? " %u" : " %-3u", weight);
            } else if (!last) {
                hzc_out_text(out, "    ");
            }
        }
        hzc_out_format(out, "%s\n", style == HZC_COLOR ? PLAIN : "");
    }
    hzc_out_text(out, "      a      b      c      d      e      f      g      h\n");
}
