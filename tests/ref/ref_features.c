/* SPDX-License-Identifier: MIT */
/* Features and static scores, square by square; the header is the manual. */
#include "ref/ref_features.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- squares and letters ---- */

static char enemy_of(char color) {
    return color == 'w' ? 'b' : 'w';
}

/* Type letter (upper case) of a piece of `color` on the square, 0 when there is none. */
static char piece_of(const ref_position *p, int square, char color) {
    char c = p->board[square];
    if (c == '.' || (isupper((unsigned char)c) != 0) != (color == 'w')) {
        return 0;
    }
    return (char)toupper((unsigned char)c);
}

static int face_of(char type) {
    return (int)(strchr(REF_FACES, type) - REF_FACES);
}

static int count(const ref_position *p, char type, char color) {
    int n = 0;
    for (int s = 0; s < 64; s++) {
        n += piece_of(p, s, color) == type;
    }
    return n;
}

static int sign(int x) {
    return (x > 0) - (x < 0);
}

/* Rank 1..8 as the side counts from its own back rank. */
static int own_rank(int square, char color) {
    int rank = square / 8 + 1;
    return color == 'w' ? rank : 9 - rank;
}

/* ---- attacks ---- */

/* Whether the piece on `from` covers `to`, whatever stands there. */
static bool covers(const ref_position *p, int from, int to, char color) {
    int files = to % 8 - from % 8, ranks = to / 8 - from / 8;
    int a = abs(files), b = abs(ranks);
    bool diagonal = a == b, straight = a == 0 || b == 0;
    if (from == to) {
        return false;
    }
    switch (piece_of(p, from, color)) {
    case 'P':
        return a == 1 && ranks == (color == 'w' ? 1 : -1);
    case 'N':
        return (a == 1 && b == 2) || (a == 2 && b == 1);
    case 'K':
        return a <= 1 && b <= 1;
    case 'B':
        if (!diagonal) {
            return false;
        }
        break;
    case 'R':
        if (!straight) {
            return false;
        }
        break;
    case 'Q':
        if (!diagonal && !straight) {
            return false;
        }
        break;
    default:
        return false;
    }
    int step = sign(ranks) * 8 + sign(files);
    for (int s = from + step; s != to; s += step) {
        if (p->board[s] != '.') {
            return false;
        }
    }
    return true;
}

int ref_attackers(const ref_position *position, int square, char color, bool attackers[64]) {
    int n = 0;
    for (int s = 0; s < 64; s++) {
        attackers[s] = covers(position, s, square, color);
        n += attackers[s];
    }
    return n;
}

int ref_attackers_first(const ref_position *position, int square, char color, bool attackers[64]) {
    /* A queen belongs to whichever slider group she attacks with. */
    bool all[64];
    ref_attackers(position, square, color, all);
    for (int group = 0; group < 5; group++) {
        int n = 0;
        for (int s = 0; s < 64; s++) {
            bool diagonal = s % 8 != square % 8 && s / 8 != square / 8;
            char type = piece_of(position, s, color);
            bool member = (group == 0 && type == 'P') || (group == 1 && type == 'N') ||
                          (group == 2 && (type == 'B' || (type == 'Q' && diagonal))) ||
                          (group == 3 && (type == 'R' || (type == 'Q' && !diagonal))) ||
                          (group == 4 && type == 'K');
            attackers[s] = all[s] && member;
            n += attackers[s];
        }
        if (n > 0) {
            return n;
        }
    }
    return 0;
}

static bool attacked(const ref_position *p, int square, char by) {
    bool attackers[64];
    return ref_attackers(p, square, by, attackers) > 0;
}

bool ref_king_attacked(const ref_position *position, char color) {
    for (int s = 0; s < 64; s++) {
        if (piece_of(position, s, color) == 'K' && attacked(position, s, enemy_of(color))) {
            return true;
        }
    }
    return false;
}

int ref_hanging_pieces(const ref_position *position, char color, bool hanging[64]) {
    int n = 0;
    for (int s = 0; s < 64; s++) {
        char type = piece_of(position, s, color);
        hanging[s] = type && type != 'K' && attacked(position, s, enemy_of(color)) &&
                     !attacked(position, s, color);
        n += hanging[s];
    }
    return n;
}

/* ---- other primitives ---- */

void ref_mobility(const ref_position *position, char color, int counts[6]) {
    ref_position p = *position;
    p.side = color;
    memset(p.dice, 0, sizeof p.dice);
    memset(counts, 0, 6 * sizeof *counts);
    ref_moves moves;
    ref_pseudo(&p, &moves);
    for (int i = 0; i < moves.count; i++) {
        const char *text = moves.move[i].text;
        int from = (text[1] - '1') * 8 + text[0] - 'a';
        counts[face_of(piece_of(&p, from, color))]++;
    }
}

int ref_diversity(const ref_position *position, char color) {
    int n = 0;
    for (int face = 0; face < 5; face++) {
        n += count(position, REF_FACES[face], color) > 0;
    }
    return n;
}

int ref_passed_pawns(const ref_position *position, char color, bool passed[64], int *advance) {
    int n = 0;
    *advance = 0;
    for (int s = 0; s < 64; s++) {
        passed[s] = piece_of(position, s, color) == 'P';
        for (int e = 0; passed[s] && e < 64; e++) {
            if (piece_of(position, e, enemy_of(color)) == 'P' && abs(e % 8 - s % 8) <= 1 &&
                own_rank(e, color) > own_rank(s, color)) {
                passed[s] = false;
            }
        }
        if (passed[s]) {
            n++;
            *advance = own_rank(s, color) - 1 > *advance ? own_rank(s, color) - 1 : *advance;
        }
    }
    return n;
}

int ref_legal_en_passant(const ref_position *position, bool targets[64]) {
    char us = position->side;
    int back = us == 'w' ? -8 : 8, n = 0; /* from the target to the pawn that stepped over it */
    for (int t = 0; t < 64; t++) {
        targets[t] = false;
        if (!position->target[t] || own_rank(t, us) != 6 || position->board[t] != '.' ||
            piece_of(position, t + back, enemy_of(us)) != 'P') {
            continue;
        }
        for (int side = -1; side <= 1; side += 2) {
            int file = t % 8 + side;
            if (file < 0 || file > 7 || piece_of(position, t + back + side, us) != 'P') {
                continue;
            }
            ref_position after = *position;
            after.board[t] = after.board[t + back + side];
            after.board[t + back + side] = '.';
            after.board[t + back] = '.';
            targets[t] = targets[t] || !ref_king_attacked(&after, us);
        }
        n += targets[t];
    }
    return n;
}

/* ---- rows ---- */

static int points_of(char type) {
    switch (type) {
    case 'P':
        return 1;
    case 'N':
    case 'B':
        return 3;
    case 'R':
        return 5;
    case 'Q':
        return 9;
    default:
        return 0;
    }
}

static int points(const ref_position *p, char color) {
    int sum = 0;
    for (int s = 0; s < 64; s++) {
        sum += points_of(piece_of(p, s, color));
    }
    return sum;
}

static int moves_in_all(const int counts[6]) {
    int sum = 0;
    for (int face = 0; face < 6; face++) {
        sum += counts[face];
    }
    return sum;
}

/* Columns 0 to 8. */
static void rich(const ref_position *p, char own, float *row) {
    char opp = enemy_of(own);
    int own_moves[6], opp_moves[6];
    for (int face = 0; face < 5; face++) {
        row[face] = (float)(count(p, REF_FACES[face], own) - count(p, REF_FACES[face], opp));
    }
    row[5] = (float)(points(p, own) - points(p, opp));
    row[6] = (float)(points(p, own) + points(p, opp));
    ref_mobility(p, own, own_moves);
    ref_mobility(p, opp, opp_moves);
    row[7] = (float)(moves_in_all(own_moves) - moves_in_all(opp_moves));
    row[8] = (float)(ref_score_king_safety(p, own) - ref_score_king_safety(p, opp));
}

static void thirty_one(const ref_position *p, char own, const int rolls[4], float *row) {
    char opp = enemy_of(own);
    int own_moves[6], opp_moves[6], own_advance, opp_advance;
    bool squares[64];
    rich(p, own, row);
    for (int i = 0; i < 4; i++) {
        row[9 + i] = (float)(rolls[i] / 216.0);
    }
    ref_mobility(p, own, own_moves);
    ref_mobility(p, opp, opp_moves);
    for (int face = 0; face < 6; face++) {
        row[13 + face] = (float)own_moves[face];
        row[19 + face] = (float)opp_moves[face];
    }
    row[25] = (float)(ref_diversity(p, own) / 5.0);
    row[26] = (float)(ref_diversity(p, opp) / 5.0);
    row[27] = (float)ref_passed_pawns(p, own, squares, &own_advance);
    row[28] = (float)ref_passed_pawns(p, opp, squares, &opp_advance);
    row[29] = (float)own_advance;
    row[30] = (float)opp_advance;
}

/* The 768 piece cells of a view. */
static void view(const ref_position *p, char own, float *cells) {
    for (int s = 0; s < 64; s++) {
        int seen = own == 'w' ? s : (7 - s / 8) * 8 + s % 8;
        if (p->board[s] != '.') {
            char type = (char)toupper((unsigned char)p->board[s]);
            int plane = face_of(type) + (piece_of(p, s, own) ? 0 : 6);
            cells[64 * plane + seen] = 1;
        }
    }
}

static void dual_view(const ref_position *p, float *row) {
    for (int half = 0; half < 2; half++, row += 770) {
        char own = half == 0 ? p->side : enemy_of(p->side);
        view(p, own, row);
        row[768] = p->right[own == 'w' ? 0 : 2] ? 1 : 0;
        row[769] = p->right[own == 'w' ? 1 : 3] ? 1 : 0;
    }
}

static void planes(const ref_position *p, float *row) {
    for (int cell = 0; cell < 64; cell++) {
        char c = p->board[(7 - cell / 8) * 8 + cell % 8];
        row[cell] = c == '.' ? 0.5f : isupper((unsigned char)c) ? 1 : 0;
        const char *channel = c == '.' ? NULL : strchr("BKNPQR", toupper((unsigned char)c));
        if (channel) {
            row[64 * (1 + (channel - "BKNPQR")) + cell] = 1;
        }
    }
    row[448] = p->side == 'w' ? 1 : 0;
    for (int right = 0; right < 4; right++) {
        row[449 + right] = p->right[right] ? 1 : 0;
    }
    bool targets[64];
    ref_legal_en_passant(p, targets);
    for (int file = 0; file < 8; file++) {
        for (int t = file; t < 64; t += 8) {
            if (targets[t]) {
                row[453 + file] = 1;
                return;
            }
        }
    }
}

size_t ref_features_row(const char *schema, const ref_position *position, char color,
                        const int rolls[4], float row[REF_ROW_CAPACITY]) {
    static const struct {
        const char *id;
        size_t width;
    } narrow[] = {
        {"material-7-v1", 7},
        {"rich-9-v1", 9},
        {"kcp-13", 13},
        {"kcp-mobility-27-v1", 27},
        {"kcp-mobility-pawns-31-v1", 31},
    };
    for (int i = 0; i < REF_ROW_CAPACITY; i++) {
        row[i] = 0;
    }
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        if (strcmp(schema, narrow[i].id) == 0) {
            thirty_one(position, color, rolls, row);
            return narrow[i].width;
        }
    }
    if (strcmp(schema, "rich-pdi-11-v1") == 0) {
        rich(position, color, row);
        row[9] = (float)(ref_diversity(position, color) / 5.0);
        row[10] = (float)(ref_diversity(position, enemy_of(color)) / 5.0);
        return 11;
    }
    if (strcmp(schema, "raw-board-768-v1") == 0) {
        view(position, color, row);
        return 768;
    }
    if (strcmp(schema, "dual-view-1540-v1") == 0) {
        dual_view(position, row);
        return 1540;
    }
    if (strcmp(schema, "chess7x8x8-meta13-v1") == 0) {
        planes(position, row);
        return 461;
    }
    return 0;
}

/* ---- static scores ---- */

static int centipawns_of(char type) {
    switch (type) {
    case 'P':
        return 100;
    case 'N':
    case 'B':
        return 300;
    case 'R':
        return 500;
    case 'Q':
        return 900;
    case 'K':
        return 10000;
    default:
        return 0;
    }
}

int ref_score_material(const ref_position *position, char color) {
    int sum = 0;
    for (int s = 0; s < 64; s++) {
        sum += centipawns_of(piece_of(position, s, color));
        sum -= centipawns_of(piece_of(position, s, enemy_of(color)));
    }
    return sum;
}

int ref_score_king_safety(const ref_position *position, char color) {
    return ref_king_attacked(position, color) ? -2000 : 0;
}

int ref_score_standard(const ref_position *position, char color) {
    return ref_score_material(position, color) + ref_score_king_safety(position, color);
}

int ref_score_aggressive(const ref_position *position, char color) {
    int score = ref_score_standard(position, color), king = 0;
    while (king < 64 && piece_of(position, king, enemy_of(color)) != 'K') {
        king++;
    }
    if (king == 64) {
        return score;
    }
    for (int s = 0; s < 64; s++) {
        int files = abs(s % 8 - king % 8), ranks = abs(s / 8 - king / 8);
        int distance = files > ranks ? files : ranks;
        switch (piece_of(position, s, color)) {
        case 'P':
            score += color == 'w' ? 15 * (s / 8 + 1 - 2) : 15 * (7 - (s / 8 + 1));
            break;
        case 'N':
        case 'B':
            score += 15 * (8 - distance);
            break;
        case 'R':
            score += 25 * (8 - distance);
            break;
        case 'Q':
            score += 40 * (8 - distance);
            break;
        default:
            break;
        }
        if (distance == 1) {
            bool attackers[64];
            score += 25 * ref_attackers(position, s, color, attackers);
        }
    }
    return score;
}

int ref_score_hanging(const ref_position *position, char color) {
    bool hanging[64];
    int sum = 0;
    ref_hanging_pieces(position, color, hanging);
    for (int s = 0; s < 64; s++) {
        sum += hanging[s] ? centipawns_of(piece_of(position, s, color)) : 0;
    }
    return sum;
}

bool ref_dead_draw(const ref_position *position) {
    for (int face = 0; face < 5; face++) {
        char type = REF_FACES[face];
        if (type != 'B' && count(position, type, 'w') + count(position, type, 'b') > 0) {
            return false;
        }
    }
    for (const char *color = "wb"; *color; color++) {
        if (count(position, 'B', *color) > 1 || count(position, 'K', *color) == 0) {
            return false;
        }
        for (int k = 0; k < 64; k++) {
            for (int s = 0; s < 64 && piece_of(position, k, enemy_of(*color)) == 'K'; s++) {
                char type = piece_of(position, s, *color);
                bool beside = abs(s % 8 - k % 8) <= 1 && abs(s / 8 - k / 8) <= 1;
                bool same_color = (s % 8 + s / 8) % 2 == (k % 8 + k / 8) % 2;
                if ((type == 'K' && beside) || (type == 'B' && same_color)) {
                    return false;
                }
            }
        }
    }
    return true;
}
