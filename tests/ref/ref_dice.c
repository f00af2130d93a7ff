/* SPDX-License-Identifier: MIT */
/*
 * The slow oracle of Dice Chess: each function is one sentence or table row of the rules, done on a
 * board of letters. Nothing is cached, pruned or shared with the library; what a line spends is
 * found by playing it, what is legal by listing every complete line first.
 */
#include "ref/ref_dice.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };

/* ---- squares and pieces ---- */

static bool on_board(int file, int rank) {
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

static bool is_white(char piece) {
    return piece != '.' && isupper((unsigned char)piece);
}

static bool is_own(const ref_position *position, char piece) {
    return piece != '.' && is_white(piece) == (position->side == 'w');
}

static bool is_enemy(const ref_position *position, char piece) {
    return piece != '.' && !is_own(position, piece);
}

/* Index into REF_FACES. */
static int face_of(char piece) {
    return (int)(strchr(REF_FACES, toupper((unsigned char)piece)) - REF_FACES);
}

/* The letter of one of the mover's own pieces. */
static char own_letter(const ref_position *position, int face) {
    char letter = REF_FACES[face];
    return position->side == 'w' ? letter : (char)tolower((unsigned char)letter);
}

static int from_square(const char *move) {
    return (move[0] - 'a') + 8 * (move[1] - '1');
}

static int to_square(const char *move) {
    return (move[2] - 'a') + 8 * (move[3] - '1');
}

int ref_dice_count(const ref_position *position) {
    int count = 0;
    for (int face = PAWN; face <= KING; face++) {
        count += position->dice[face];
    }
    return count;
}

/* ---- text ---- */

bool ref_from_dfen(ref_position *position, const char *dfen) {
    memset(position, 0, sizeof *position);
    memset(position->board, '.', 64);
    /* placement, side, rights, targets, clock, number, pool; missing ones as if written so */
    char field[7][REF_DFEN_CAPACITY] = {"", "", "", "", "0", "1", "-"};
    for (int i = 0; i < 7 && *dfen; i++) {
        size_t length = strcspn(dfen, " ");
        if (length >= sizeof field[i]) {
            return false;
        }
        memcpy(field[i], dfen, length);
        field[i][length] = '\0';
        dfen += length + strspn(dfen + length, " ");
    }
    const char *side = field[1], *rights = field[2], *targets = field[3], *pool = field[6];
    if (strcmp(side, "w") != 0 && strcmp(side, "b") != 0) {
        return false;
    }
    position->halfmove = (int)strtol(field[4], NULL, 10);
    position->fullmove = strtol(field[5], NULL, 10);
    int file = 0, rank = 7;
    for (const char *c = field[0]; *c; c++) {
        if (*c == '/') {
            file = 0;
            rank--;
        } else if (isdigit((unsigned char)*c)) {
            file += *c - '0';
        } else if (!on_board(file, rank) || !strchr("PNBRQKpnbrqk", *c)) {
            return false;
        } else {
            position->board[8 * rank + file++] = *c;
        }
    }
    position->side = side[0];
    for (int i = 0; i < 4; i++) {
        position->right[i] = strchr(rights, "KQkq"[i]) != NULL;
    }
    for (const char *c = targets; targets[0] != '-' && c[0] && c[1]; c += 2) {
        position->target[(c[0] - 'a') + 8 * (c[1] - '1')] = true;
    }
    for (const char *c = pool; pool[0] != '-' && *c; c++) {
        position->dice[face_of(*c)]++;
    }
    return true;
}

void ref_board_text(const ref_position *position, char text[REF_DFEN_CAPACITY]) {
    char *out = text;
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0; file < 8; file++) {
            char piece = position->board[8 * rank + file];
            if (piece != '.') {
                *out++ = piece;
            } else if (file > 0 && isdigit((unsigned char)out[-1])) {
                out[-1]++;
            } else {
                *out++ = '1';
            }
        }
        *out++ = rank > 0 ? '/' : ' ';
    }
    *out++ = position->side;
    *out++ = ' ';
    char *start = out;
    for (int i = 0; i < 4; i++) {
        if (position->right[i]) {
            *out++ = "KQkq"[i];
        }
    }
    if (out == start) {
        *out++ = '-';
    }
    *out++ = ' ';
    start = out;
    for (int square = 0; square < 64; square++) {
        if (position->target[square]) {
            *out++ = (char)('a' + square % 8);
            *out++ = (char)('1' + square / 8);
        }
    }
    if (out == start) {
        *out++ = '-';
    }
    *out = '\0';
}

void ref_to_dfen(const ref_position *position, char dfen[REF_DFEN_CAPACITY]) {
    ref_board_text(position, dfen);
    char *out = dfen + strlen(dfen);
    out += sprintf(out, " %d %ld", position->halfmove, position->fullmove);
    if (ref_dice_count(position) > 0) {
        *out++ = ' ';
        for (int face = PAWN; face <= KING; face++) {
            for (int i = 0; i < position->dice[face]; i++) {
                *out++ = own_letter(position, face);
            }
        }
    }
    *out = '\0';
}

/* ---- pseudo-legal micro-moves ---- */

static int compare_moves(const void *a, const void *b) {
    return strcmp(((const ref_move *)a)->text, ((const ref_move *)b)->text);
}

static void sort_moves(ref_moves *list) {
    qsort(list->move, (size_t)list->count, sizeof list->move[0], compare_moves);
}

static void add_move(ref_moves *list, int from, int to, char promotion) {
    char *text = list->move[list->count++].text;
    text[0] = (char)('a' + from % 8);
    text[1] = (char)('1' + from / 8);
    text[2] = (char)('a' + to % 8);
    text[3] = (char)('1' + to / 8);
    text[4] = promotion;
    text[5] = '\0';
}

/* A pawn arrives: four micro-moves on the last rank, one when it takes a king there. */
static void add_pawn_move(const ref_position *position, ref_moves *list, int from, int to) {
    bool last_rank = to / 8 == (position->side == 'w' ? 7 : 0);
    bool king = position->board[to] != '.' && face_of(position->board[to]) == KING;
    if (!last_rank || king) {
        add_move(list, from, to, '\0');
    } else {
        for (int i = 0; i < 4; i++) {
            add_move(list, from, to, "qrbn"[i]);
        }
    }
}

static bool can_take_en_passant(const ref_position *position, int target) {
    bool white = position->side == 'w';
    if (!position->target[target] || target / 8 != (white ? 5 : 2)) {
        return false;
    }
    int behind = target + (white ? -8 : 8);
    return position->board[target] == '.' && position->board[behind] == (white ? 'p' : 'P');
}

static void pawn_moves(const ref_position *position, ref_moves *list, int from) {
    bool white = position->side == 'w';
    int file = from % 8, rank = from / 8, step = white ? 1 : -1;
    if (!on_board(file, rank + step)) {
        return;
    }
    int ahead = from + 8 * step;
    if (position->board[ahead] == '.') {
        add_pawn_move(position, list, from, ahead);
        if (rank == (white ? 1 : 6) && position->board[ahead + 8 * step] == '.') {
            add_move(list, from, ahead + 8 * step, '\0');
        }
    }
    for (int side = -1; side <= 1; side += 2) {
        if (on_board(file + side, rank + step)) {
            int to = ahead + side;
            if (is_enemy(position, position->board[to])) {
                add_pawn_move(position, list, from, to);
            } else if (can_take_en_passant(position, to)) {
                add_move(list, from, to, '\0');
            }
        }
    }
}

/* All eight directions, straight ones first, then the knight's jumps. */
static const int DIRECTION[8][2] = {{0, 1}, {1, 0},  {0, -1},  {-1, 0},
                                    {1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
static const int JUMP[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                               {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

static void walk(const ref_position *position, ref_moves *list, int from, const int step[2],
                 int longest) {
    int file = from % 8, rank = from / 8;
    for (int i = 0; i < longest; i++) {
        file += step[0];
        rank += step[1];
        if (!on_board(file, rank) || is_own(position, position->board[8 * rank + file])) {
            return;
        }
        add_move(list, from, 8 * rank + file, '\0');
        if (position->board[8 * rank + file] != '.') {
            return;
        }
    }
}

static void piece_moves(const ref_position *position, ref_moves *list, int from, int face) {
    if (face == PAWN) {
        pawn_moves(position, list, from);
        return;
    }
    for (int i = 0; i < 8; i++) {
        bool straight = i < 4;
        if (face == KNIGHT) {
            walk(position, list, from, JUMP[i], 1);
        } else if (face == KING) {
            walk(position, list, from, DIRECTION[i], 1);
        } else if (face == QUEEN || (face == ROOK) == straight) {
            walk(position, list, from, DIRECTION[i], 7);
        }
    }
}

static void castlings(const ref_position *position, ref_moves *list) {
    bool white = position->side == 'w';
    int a1 = white ? 0 : 56; /* the corner of the queen side */
    const char *board = position->board;
    if (board[a1 + 4] != own_letter(position, KING)) {
        return;
    }
    char rook = own_letter(position, ROOK);
    if (position->right[white ? 0 : 2] && board[a1 + 7] == rook && board[a1 + 5] == '.' &&
        board[a1 + 6] == '.') {
        add_move(list, a1 + 4, a1 + 6, '\0');
    }
    if (position->right[white ? 1 : 3] && board[a1] == rook && board[a1 + 1] == '.' &&
        board[a1 + 2] == '.' && board[a1 + 3] == '.') {
        add_move(list, a1 + 4, a1 + 2, '\0');
    }
}

void ref_pseudo(const ref_position *position, ref_moves *list) {
    list->count = 0;
    bool any = ref_dice_count(position) == 0;
    for (int from = 0; from < 64; from++) {
        if (is_own(position, position->board[from])) {
            int face = face_of(position->board[from]);
            if (any || position->dice[face] > 0) {
                piece_moves(position, list, from, face);
            }
        }
    }
    if (any || position->dice[KING] > 0) {
        castlings(position, list);
    }
    sort_moves(list);
}

int ref_move_face(const ref_position *position, const char *move, bool *castling) {
    int from = from_square(move), to = to_square(move);
    int face = face_of(position->board[from]);
    if (castling) {
        *castling = face == KING && abs(to % 8 - from % 8) == 2;
    }
    return face;
}

static bool is_payable(const ref_position *position, const char *move) {
    bool castling;
    int face = ref_move_face(position, move, &castling);
    return position->dice[face] > 0 && (!castling || position->dice[ROOK] > 0);
}

void ref_playable(const ref_position *position, ref_moves *list) {
    list->count = 0;
    if (ref_dice_count(position) == 0) {
        return;
    }
    ref_moves all;
    ref_pseudo(position, &all);
    for (int i = 0; i < all.count; i++) {
        if (is_payable(position, all.move[i].text)) {
            list->move[list->count++] = all.move[i];
        }
    }
}

/* ---- playing ---- */

bool ref_takes_king(const ref_position *position, const char *move) {
    char taken = position->board[to_square(move)];
    return taken != '.' && face_of(taken) == KING;
}

static void lose_corner(ref_position *position, int square) {
    static const int CORNER[4] = {7, 0, 63, 56}; /* of K Q k q */
    for (int i = 0; i < 4; i++) {
        if (square == CORNER[i]) {
            position->right[i] = false;
        }
    }
}

/* The target behind a pawn on its double-step square; none for other ranks. */
static void lose_target_behind(ref_position *position, int square, char pawn) {
    if (pawn == 'P' && square / 8 == 3) {
        position->target[square - 8] = false;
    } else if (pawn == 'p' && square / 8 == 4) {
        position->target[square + 8] = false;
    }
}

void ref_play(ref_position *position, const char *move) {
    int from = from_square(move), to = to_square(move);
    bool castling;
    int face = ref_move_face(position, move, &castling);
    bool white = position->side == 'w';
    char *board = position->board;
    char piece = board[from], taken = board[to];
    int en_passant_pawn = -1;
    if (face == PAWN && from % 8 != to % 8 && taken == '.') {
        en_passant_pawn = to + (white ? -8 : 8);
    }

    if (ref_dice_count(position) > 0) {
        position->dice[face]--;
        if (castling) {
            position->dice[ROOK]--;
        }
    }

    bool zero = face == PAWN || taken != '.';
    position->halfmove = zero ? 0 : position->halfmove < 127 ? position->halfmove + 1 : 127;

    /* rights */
    int own_king_side = white ? 0 : 2, enemy_king_side = white ? 2 : 0;
    if (face == KING) {
        position->right[own_king_side] = position->right[own_king_side + 1] = false;
    }
    if (face == ROOK && from / 8 == (white ? 0 : 7)) {
        lose_corner(position, from);
    }
    if (taken != '.' && face_of(taken) == ROOK) {
        lose_corner(position, to);
    }
    if (taken != '.' && face_of(taken) == KING) {
        position->right[enemy_king_side] = position->right[enemy_king_side + 1] = false;
    }

    /* targets */
    if (face == PAWN) {
        lose_target_behind(position, from, piece);
    }
    if (taken != '.') {
        lose_target_behind(position, to, taken);
    }
    if (en_passant_pawn >= 0) {
        position->target[to] = false;
    }
    if (face == PAWN && abs(to - from) == 16) {
        position->target[(from + to) / 2] = true;
    }

    /* placement */
    board[from] = '.';
    board[to] = piece;
    if (move[4]) {
        board[to] = white ? (char)toupper((unsigned char)move[4]) : move[4];
    }
    if (en_passant_pawn >= 0) {
        board[en_passant_pawn] = '.';
    }
    if (castling) {
        bool king_side = to > from;
        board[king_side ? to + 1 : to - 2] = '.';
        board[king_side ? to - 1 : to + 1] = own_letter(position, ROOK);
    }
}

const char *ref_apply(ref_position *position, const char *move) {
    ref_position without_dice = *position;
    memset(without_dice.dice, 0, sizeof without_dice.dice);
    ref_moves all;
    ref_pseudo(&without_dice, &all);
    for (int i = 0; i < all.count; i++) {
        if (strcmp(all.move[i].text, move) == 0) {
            if (ref_dice_count(position) > 0 && !is_payable(position, move)) {
                return "NO_DIE";
            }
            ref_play(position, move);
            return "OK";
        }
    }
    return "NOT_PSEUDO_LEGAL";
}

void ref_hand_over(ref_position *position) {
    if (position->side == 'b' && position->fullmove < 2147483647) {
        position->fullmove++;
    }
    position->side = position->side == 'w' ? 'b' : 'w';
    memset(position->dice, 0, sizeof position->dice);
    int rank = position->side == 'w' ? 2 : 5;
    for (int file = 0; file < 8; file++) {
        position->target[8 * rank + file] = false;
    }
}

/* ---- turns ---- */

typedef struct line_list {
    ref_turns *lines;
    size_t capacity;
    size_t most;
} line_list;

static bool add_line(line_list *list, const char *text, int used, bool king) {
    ref_turns *lines = list->lines;
    if (lines->count == list->most) {
        return false;
    }
    if (lines->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 256;
        ref_turn *bigger = realloc(lines->turn, list->capacity * sizeof *bigger);
        if (!bigger) {
            return false;
        }
        lines->turn = bigger;
    }
    ref_turn *turn = &lines->turn[lines->count++];
    snprintf(turn->text, sizeof turn->text, "%s", text);
    turn->used = used;
    turn->king = king;
    return true;
}

/* Every complete line that goes on from here; false when there are too many. */
static bool complete_lines(line_list *list, const ref_position *position, const char *text,
                           int used) {
    ref_moves playable;
    ref_playable(position, &playable);
    if (playable.count == 0) {
        return add_line(list, text, used, false);
    }
    for (int i = 0; i < playable.count; i++) {
        const char *move = playable.move[i].text;
        char longer[REF_TURN_CAPACITY];
        snprintf(longer, sizeof longer, "%s%s%s", text, *text ? "," : "", move);
        ref_position next = *position;
        ref_play(&next, move);
        int spent = used + ref_dice_count(position) - ref_dice_count(&next);
        bool added = ref_takes_king(position, move) ? add_line(list, longer, spent, true)
                                                    : complete_lines(list, &next, longer, spent);
        if (!added) {
            return false;
        }
    }
    return true;
}

static int compare_turns(const void *a, const void *b) {
    return strcmp(((const ref_turn *)a)->text, ((const ref_turn *)b)->text);
}

bool ref_legal_turns(const ref_position *position, size_t most_lines, ref_turns *turns) {
    *turns = (ref_turns){0};
    line_list list = {.lines = turns, .most = most_lines};
    if (!complete_lines(&list, position, "", 0)) {
        ref_turns_free(turns);
        return false;
    }
    for (size_t i = 0; i < turns->count; i++) {
        if (turns->turn[i].used > turns->max) {
            turns->max = turns->turn[i].used;
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < turns->count && turns->max > 0; i++) {
        if (turns->turn[i].king || turns->turn[i].used == turns->max) {
            turns->turn[kept++] = turns->turn[i];
        }
    }
    turns->count = kept;
    if (kept > 0) {
        qsort(turns->turn, kept, sizeof turns->turn[0], compare_turns);
    }
    return true;
}

void ref_turns_free(ref_turns *turns) {
    free(turns->turn);
    *turns = (ref_turns){0};
}

bool ref_turns_contain(const ref_turns *turns, const char *turn) {
    for (size_t i = 0; i < turns->count; i++) {
        if (strcmp(turns->turn[i].text, turn) == 0) {
            return true;
        }
    }
    return false;
}

size_t ref_king_turns(const ref_turns *turns) {
    size_t count = 0;
    for (size_t i = 0; i < turns->count; i++) {
        count += turns->turn[i].king;
    }
    return count;
}

/* Whether a turn begins with these micro-moves; *rest is what follows them, without comma. */
static bool begins_with(const char *turn, const char *played, const char **rest) {
    size_t length = strlen(played);
    if (length == 0) {
        *rest = turn;
        return true;
    }
    if (strncmp(turn, played, length) != 0 || (turn[length] != ',' && turn[length] != '\0')) {
        return false;
    }
    *rest = turn + length + (turn[length] == ',');
    return true;
}

bool ref_continuations(const ref_turns *turns, const char *played, ref_moves *list) {
    bool found = turns->count == 0 && *played == '\0';
    list->count = 0;
    for (size_t i = 0; i < turns->count; i++) {
        const char *rest;
        if (begins_with(turns->turn[i].text, played, &rest)) {
            found = true;
            size_t length = strcspn(rest, ",");
            /* turns are sorted: equal next micro-moves are neighbours */
            if (length > 0 &&
                (list->count == 0 || strncmp(list->move[list->count - 1].text, rest, length) != 0 ||
                 list->move[list->count - 1].text[length] != '\0')) {
                snprintf(list->move[list->count++].text, sizeof list->move[0].text, "%.*s",
                         (int)length, rest);
            }
        }
    }
    sort_moves(list);
    return found;
}

bool ref_playable_dice(const ref_position *root, const ref_turns *turns, const char *played,
                       char text[32]) {
    bool found = turns->count == 0 && *played == '\0';
    int most[6] = {0};
    for (size_t i = 0; i < turns->count; i++) {
        const char *rest;
        if (begins_with(turns->turn[i].text, played, &rest)) {
            found = true;
            ref_position before = ref_after_turn(root, *played ? played : "-");
            ref_position after = ref_after_turn(&before, *rest ? rest : "-");
            for (int face = PAWN; face <= KING; face++) {
                int spent = before.dice[face] - after.dice[face];
                most[face] = spent > most[face] ? spent : most[face];
            }
        }
    }
    for (int face = PAWN; face <= KING; face++) {
        for (int i = 0; i < most[face]; i++) {
            *text++ = own_letter(root, face);
        }
    }
    *text = '\0';
    return found;
}

ref_position ref_after_turn(const ref_position *position, const char *turn) {
    ref_position after = *position;
    while (*turn && *turn != '-') {
        char move[6] = "";
        size_t length = strcspn(turn, ",");
        memcpy(move, turn, length < 5 ? length : 5);
        ref_play(&after, move);
        turn += length + (turn[length] == ',');
    }
    return after;
}

/* ---- results ---- */

/* One turn with the board it leads to. */
typedef struct outcome {
    char board[REF_DFEN_CAPACITY]; /* empty for all king-capturing turns when they are one class */
    char after[REF_DFEN_CAPACITY];
    const char *turn;
    bool king;
} outcome;

static int micro_moves(const char *turn) {
    int count = 1;
    for (; *turn; turn++) {
        count += *turn == ',';
    }
    return count;
}

/* Same board together; within it the canonical turn first. */
static int compare_outcomes(const void *a, const void *b) {
    const outcome *x = a, *y = b;
    int order = strcmp(x->board, y->board);
    if (order == 0) {
        order = micro_moves(x->turn) - micro_moves(y->turn);
    }
    return order ? order : strcmp(x->turn, y->turn);
}

static outcome *outcomes_of(const ref_position *position, const ref_turns *turns,
                            bool one_winning_class) {
    outcome *list = calloc(turns->count + 1, sizeof *list);
    if (!list) {
        abort();
    }
    for (size_t i = 0; i < turns->count; i++) {
        ref_position after = ref_after_turn(position, turns->turn[i].text);
        if (!turns->turn[i].king) {
            ref_hand_over(&after);
        }
        list[i].turn = turns->turn[i].text;
        list[i].king = turns->turn[i].king;
        ref_to_dfen(&after, list[i].after);
        if (!turns->turn[i].king || !one_winning_class) {
            ref_board_text(&after, list[i].board);
        }
    }
    qsort(list, turns->count, sizeof *list, compare_outcomes);
    return list;
}

size_t ref_distinct_results(const ref_position *position, const ref_turns *turns) {
    outcome *list = outcomes_of(position, turns, false);
    size_t distinct = 0;
    for (size_t i = 0; i < turns->count; i++) {
        distinct += i == 0 || strcmp(list[i - 1].board, list[i].board) != 0;
    }
    free(list);
    return distinct;
}

static int compare_results(const void *a, const void *b) {
    return strcmp(((const ref_result *)a)->turn, ((const ref_result *)b)->turn);
}

void ref_results_of(const ref_position *position, const ref_turns *turns, ref_results *results) {
    outcome *list = outcomes_of(position, turns, true);
    results->count = 0;
    results->result = calloc(turns->count + 1, sizeof *results->result);
    if (!results->result) {
        abort();
    }
    for (size_t i = 0; i < turns->count; i++) {
        if (i == 0 || strcmp(list[i - 1].board, list[i].board) != 0) {
            ref_result *result = &results->result[results->count++];
            snprintf(result->turn, sizeof result->turn, "%s", list[i].turn);
            snprintf(result->after, sizeof result->after, "%s", list[i].after);
            result->king = list[i].king;
        }
    }
    qsort(results->result, results->count, sizeof *results->result, compare_results);
    free(list);
}

void ref_results_free(ref_results *results) {
    free(results->result);
    *results = (ref_results){0};
}

/* ---- perft ---- */

uint64_t ref_perft(const ref_position *position, int depth) {
    if (depth == 0) {
        return 1;
    }
    ref_moves list;
    ref_pseudo(position, &list);
    uint64_t nodes = 0;
    for (int i = 0; i < list.count; i++) {
        ref_position next = *position;
        ref_play(&next, list.move[i].text);
        ref_hand_over(&next);
        memcpy(next.dice, position->dice, sizeof next.dice);
        nodes += ref_perft(&next, depth - 1);
    }
    return nodes;
}
