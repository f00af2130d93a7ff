/* SPDX-License-Identifier: MIT */
/* Boards as SVG; see html_board.h. A board is 8 by 8 units with a8 at the origin; a piece is drawn on a
 * square of 40 by 40 and made small. */
#include "arena/html_board.h"

#include "arena/html.h"

const char hzi_html_board_style[] =
    ".shapes{position:absolute;width:0;height:0}"
    ".board{border-radius:.3rem;overflow:hidden}"
    ".light{fill:#efe6d3}.dark{fill:#b69a78}.pw,.pb{stroke-width:1.7;stroke-linejoin:round}"
    ".pw{fill:#fffdf8;stroke:#2b2724}.pb{fill:#35302c;stroke:#f4ecdf}"
    ".pw .in{fill:none;stroke:#2b2724}.pb .in{fill:none;stroke:#f4ecdf}"
    ".last{fill:#e3b23c;fill-opacity:.62}.taken{fill:#d1453b;fill-opacity:.75}"
    ".way{fill:none;stroke:#7a4a06;stroke-opacity:.75;stroke-width:.1;stroke-linecap:round}"
    ".die{fill:#efe6d3;stroke:#8a7a63;stroke-width:.05}"
    ".dice{display:inline-block;width:auto;height:1.45em;vertical-align:-.35em}";

/* By piece type, in the order of hz_piece_type. */
static const char *const shapes[6] = {
    "<circle cx=\"20\" cy=\"12.5\" r=\"5.3\"/><path d=\"M15 18h10l-1.500 3c.5 4 2.600 6.700 5 "
    "9.700H11.500"
    "c2.400-3 4.500-5.700 5-9.700z\"/>",
    "<path d=\"M13 30.700c-.5-6 5-8.700 5.300-12.900-2.300 2-5.300 2.700-7.300 4.700L8.200 20c.8-5 "
    "3.800-9 "
    "7.300-11.200L15.800 5l4 2.900C27 8.600 30.500 15 29.500 30.700z\"/><path class=\"in\" "
    "d=\"M17.200 "
    "13.600h.6M25.800 14c1.500 3.200 1.900 7.500 1.700 12\"/>",
    "<circle cx=\"20\" cy=\"6.800\" r=\"2.400\"/><path d=\"M20 9.200c6 4.300 8.200 8.300 8.200 12 "
    "0 2.900-1.400 "
    "4.800-3.400 6.300l1.700 3.200h-13l1.700-3.200c-2-1.500-3.400-3.400-3.400-6.300 0-3.700 "
    "2.200-7.700 8.200-12z\"/>"
    "<path class=\"in\" d=\"M20 14.500v7M16.700 18h6.600\"/>",
    "<path d=\"M10 7.500h4.800v2.800h2.800V7.500h4.800v2.800h2.800V7.500H30v7.300l-3 2.500v9.900l2 "
    "3.500H11l2-3.500v-9.900"
    "l-3-2.500z\"/><path class=\"in\" d=\"M13 17.300h14\"/>",
    "<path d=\"M11.300 27.200L7.600 12.500l6 6.300.5-9.800 4 9L20 7.500l1.900 10.500 4-9 .5 9.800 "
    "6-6.300-3.700 14.700 1 "
    "3.500H10.300z\"/><path class=\"in\" d=\"M11.500 27.200h17\"/>",
    "<path d=\"M18.600 "
    "3.200h2.800v2.900h2.900v2.800h-2.900V13h-2.800V8.900h-2.900V6.100h2.900z\"/><path d=\"M20 "
    "15.200"
    "c2.800-4.200 11-3.400 11 2.800 0 3.900-3 6-4.200 9.200l1 3.500H12.200l1-3.500C12 24 9 21.900 "
    "9 18c0-6.200 8.200-7 "
    "11-2.800z\"/><path class=\"in\" d=\"M13.200 27.200h13.600M20 15.500v7\"/>"};
static const char letters[] = "PNBRQK";

void hzi_html_board_shapes(hzi_text *out) {
    hzi_text_puts(out, "<svg class=\"shapes\" aria-hidden=\"true\"><defs>");
    for (int type = 0; type < 6; type++) {
        hzi_text_format(out, "<g id=\"s%c\">", letters[type]);
        hzi_text_puts(out, shapes[type]);
        hzi_text_puts(out, "<path d=\"M9.500 30.700h21v4.300h-21z\"/></g>");
    }
    for (int color = 0; color < 2; color++) {
        for (int type = 0; type < 6; type++) {
            hzi_text_format(out,
                            "<g id=\"%c%c\" class=\"p%c\" transform=\"scale(.025)\"><use "
                            "href=\"#s%c\"/></g>",
                            color ? 'b' : 'w', letters[type], color ? 'b' : 'w', letters[type]);
        }
    }
    hzi_text_puts(out, "<g id=\"squares\"><path class=\"light\" d=\"M0 0h8v8H0z\"/><path "
                       "class=\"dark\" d=\"");
    for (int square = 0; square < 64; square++) {
        if ((square + square / 8) % 2 == 0) {
            hzi_text_format(out, "M%d %dh1v1h-1z", square % 8, 7 - square / 8);
        }
    }
    hzi_text_puts(out, "\"/></g></defs></svg>\n");
}

static void mark_squares(hzi_text *out, const hzi_html_marks *marks) {
    if (marks->move_count > 0) {
        hzi_text_puts(out, "<path class=\"last\" d=\"");
        uint64_t squares = 0;
        for (size_t i = 0; i < marks->move_count; i++) {
            squares |= UINT64_C(1) << hz_move_from(marks->moves[i]);
            squares |= UINT64_C(1) << hz_move_to(marks->moves[i]);
        }
        for (int square = 0; square < 64; square++) {
            if (squares >> square & 1 && square != marks->taken) {
                hzi_text_format(out, "M%d %dh1v1h-1z", square % 8, 7 - square / 8);
            }
        }
        hzi_text_puts(out, "\"/>");
    }
    if (marks->taken >= 0) {
        hzi_text_format(out, "<path class=\"taken\" d=\"M%d %dh1v1h-1z\"/>", marks->taken % 8,
                        7 - marks->taken / 8);
    }
}

static void draw_ways(hzi_text *out, const hzi_html_marks *marks) {
    if (marks->move_count == 0) {
        return;
    }
    hzi_text_puts(out, "<path class=\"way\" d=\"");
    for (size_t i = 0; i < marks->move_count; i++) {
        int from = hz_move_from(marks->moves[i]), to = hz_move_to(marks->moves[i]);
        hzi_text_format(out, "M%d.5 %d.5L%d.5 %d.5", from % 8, 7 - from / 8, to % 8, 7 - to / 8);
    }
    hzi_text_puts(out, "\"/>");
}

void hzi_html_board(hzi_text *out, const hz_position *position, const hzi_html_marks *marks,
                    const char *title) {
    hzi_text_puts(out, "<svg class=\"board\" viewBox=\"0 0 8 8\" role=\"img\"><title>");
    hzi_html_text(out, title);
    hzi_text_puts(out, "</title><use href=\"#squares\"/>");
    mark_squares(out, marks);
    for (int square = 63; square >= 0; square--) {
        hz_piece_type type = hz_position_type_at(position, square);
        if (type != HZ_NO_PIECE) {
            bool white = position->colors[HZ_WHITE] >> square & 1;
            hzi_text_format(out, "<use href=\"#%c%c\" x=\"%d\" y=\"%d\"/>", white ? 'w' : 'b',
                            letters[type], square % 8, 7 - square / 8);
        }
    }
    draw_ways(out, marks);
    hzi_text_puts(out, "</svg>");
}

void hzi_html_dice(hzi_text *out, hz_pool roll, hz_color color) {
    char text[4];
    size_t count = hz_pool_to_text(roll, HZ_WHITE, text);
    if (count == 0) {
        return;
    }
    hzi_text_format(out,
                    "<svg class=\"dice\" viewBox=\"-.05 -.05 %zu.%zu 1.1\" role=\"img\"><title>",
                    count, count);
    hzi_html_text(out, text);
    hzi_text_puts(out, "</title>");
    for (size_t i = 0; i < count; i++) {
        hzi_text_format(
            out,
            "<rect class=\"die\" x=\"%zu.%zu\" width=\"1\" height=\"1\" rx=\".2\"/><use "
            "href=\"#%c%c\" x=\"%zu.%zu\"/>",
            i, i, color == HZ_WHITE ? 'w' : 'b', text[i], i, i);
    }
    hzi_text_puts(out, "</svg>");
}
