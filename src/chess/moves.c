/* SPDX-License-Identifier: MIT */
/*
 * Legal moves. With one king on the side to move legality is decided while generating: which
 * squares end a check, which pieces are pinned to which line, which squares the king may not enter.
 * Only en passant, where two pawns leave one rank at once, is tried out. A side without a king or
 * with several of them takes the slow way: pseudo-legal moves, each played and looked at.
 */
#include "chess/moves.h"

/* What generation knows about the side to move. */
typedef struct side {
    const hz_position *p;
    unsigned us;
    int king;
    uint64_t own, enemy, occupied;
    uint64_t checkers;
    uint64_t allowed; /* where a move other than the king's must end: all, or what ends the check */
    uint64_t pinned;
    uint64_t attacked; /* by the enemy, the own king looked through */
} side;

typedef struct sink {
    hz_move *moves; /* NULL: only counted */
    int count;
} sink;

static inline uint64_t enemy_reach(const side *s) {
    const hz_position *p = s->p;
    uint64_t occupied = s->occupied & ~(p->pieces[HZ_KING] & s->own), enemy = s->enemy;
    uint64_t reach = hzi_pawns_attack(enemy & p->pieces[HZ_PAWN], (int)(s->us ^ 1)) |
                     hzi_knights_attack(enemy & p->pieces[HZ_KNIGHT]) |
                     hzi_kings_attack(enemy & p->pieces[HZ_KING]);
    uint64_t diagonal = enemy & (p->pieces[HZ_BISHOP] | p->pieces[HZ_QUEEN]);
    while (diagonal) {
        reach |= hzi_bishop_attacks(hzi_pop(&diagonal), occupied);
    }
    uint64_t straight = enemy & (p->pieces[HZ_ROOK] | p->pieces[HZ_QUEEN]);
    while (straight) {
        reach |= hzi_rook_attacks(hzi_pop(&straight), occupied);
    }
    return reach;
}

/* False when the side has not exactly one king. */
static inline bool look(const hz_position *p, side *s) {
    s->p = p;
    s->us = p->side;
    s->own = p->colors[s->us];
    s->enemy = p->colors[s->us ^ 1];
    s->occupied = s->own | s->enemy;
    uint64_t kings = p->pieces[HZ_KING] & s->own;
    if (!kings || hzi_several(kings)) {
        return false;
    }
    s->king = hzi_lsb(kings);
    uint64_t straight = s->enemy & (p->pieces[HZ_ROOK] | p->pieces[HZ_QUEEN]);
    uint64_t diagonal = s->enemy & (p->pieces[HZ_BISHOP] | p->pieces[HZ_QUEEN]);
    s->attacked = 0;
    s->checkers =
        s->enemy & ((hzi_pawn_table[s->us][s->king] & p->pieces[HZ_PAWN]) |
                    (hzi_knight_attacks(s->king) & p->pieces[HZ_KNIGHT]) |
                    /* an enemy king beside the own one is no legal position, but it may be asked */
                    (hzi_king_attacks(s->king) & p->pieces[HZ_KING]));
    /* Sliders that see the king through own pieces only: with none between they give check, with
     * one between they pin it. */
    s->pinned = 0;
    uint64_t snipers = (hzi_rook_attacks(s->king, s->enemy) & straight) |
                       (hzi_bishop_attacks(s->king, s->enemy) & diagonal);
    while (snipers) {
        int sniper = hzi_pop(&snipers);
        uint64_t between = hzi_between(s->king, sniper) & s->own;
        if (!between) {
            s->checkers |= hzi_bit(sniper);
        } else if (!hzi_several(between)) {
            s->pinned |= between;
        }
    }
    s->allowed = ~(uint64_t)0;
    if (s->checkers) {
        s->allowed =
            hzi_several(s->checkers) ? 0 : s->checkers | hzi_between(s->king, hzi_lsb(s->checkers));
    }
    return true;
}

static void emit(sink *out, int from, uint64_t targets, uint64_t enemy) {
    if (!out->moves) {
        out->count += hzi_popcount(targets);
        return;
    }
    while (targets) {
        int to = hzi_pop(&targets);
        unsigned flags = enemy & hzi_bit(to) ? (unsigned)HZ_MOVE_CAPTURE : 0u;
        out->moves[out->count++] = hz_move_make(from, to, flags);
    }
}

/* Pawn moves given by their target squares; `back` leads from a target to its pawn. */
static void emit_pawns(sink *out, uint64_t targets, int back, unsigned flags) {
    uint64_t promoting = targets & (HZI_RANK(1) | HZI_RANK(8));
    if (!out->moves) {
        out->count += hzi_popcount(targets) + 3 * hzi_popcount(promoting);
        return;
    }
    targets ^= promoting;
    while (targets) {
        int to = hzi_pop(&targets);
        out->moves[out->count++] = hz_move_make(to + back, to, flags);
    }
    while (promoting) {
        int to = hzi_pop(&promoting);
        for (unsigned piece = 4; piece-- > 0;) {
            out->moves[out->count++] =
                hz_move_make(to + back, to, flags | HZ_MOVE_PROMOTION | piece);
        }
    }
}

/* Moves of a set of pawns that may end on `allowed`. quiet: pushes that do not promote, too. */
static void pawns(sink *out, const side *s, uint64_t set, uint64_t allowed, bool quiet) {
    uint64_t empty = ~s->occupied, last = HZI_RANK(1) | HZI_RANK(8);
    if (s->us == HZ_WHITE) {
        uint64_t one = set << 8 & empty, two = (one & HZI_RANK(3)) << 8 & empty;
        emit_pawns(out, one & allowed & (quiet ? ~(uint64_t)0 : last), -8, 0);
        if (quiet) {
            emit_pawns(out, two & allowed, -16, HZ_MOVE_DOUBLE_STEP);
        }
        emit_pawns(out, (set & ~HZI_FILE_A) << 7 & s->enemy & allowed, -7, HZ_MOVE_CAPTURE);
        emit_pawns(out, (set & ~HZI_FILE_H) << 9 & s->enemy & allowed, -9, HZ_MOVE_CAPTURE);
    } else {
        uint64_t one = set >> 8 & empty, two = (one & HZI_RANK(6)) >> 8 & empty;
        emit_pawns(out, one & allowed & (quiet ? ~(uint64_t)0 : last), 8, 0);
        if (quiet) {
            emit_pawns(out, two & allowed, 16, HZ_MOVE_DOUBLE_STEP);
        }
        emit_pawns(out, (set & ~HZI_FILE_H) >> 7 & s->enemy & allowed, 7, HZ_MOVE_CAPTURE);
        emit_pawns(out, (set & ~HZI_FILE_A) >> 9 & s->enemy & allowed, 9, HZ_MOVE_CAPTURE);
    }
}

static void en_passant(sink *out, const side *s) {
    uint64_t targets = hzi_live_targets(s->p, s->us);
    while (targets) {
        int target = hzi_pop(&targets);
        uint64_t captors = hzi_pawn_table[s->us ^ 1][target] & s->p->pieces[HZ_PAWN] & s->own;
        while (captors) {
            hz_move move = hz_move_make(hzi_pop(&captors), target, HZ_MOVE_EN_PASSANT);
            hz_position after = *s->p;
            hzi_chess_make(&after, move, HZ_PAWN);
            if (!hz_chess_in_check(&after, (hz_color)s->us)) {
                if (out->moves) {
                    out->moves[out->count] = move;
                }
                out->count++;
            }
        }
    }
}

/* Castling by geometry: right, king and rook at home, empty between. */
static bool castling_open(const hz_position *p, unsigned us, bool king_side, uint64_t occupied) {
    int home = us ? 60 : 4, rook = king_side ? home + 3 : home - 4;
    unsigned right = (king_side ? 1u : 2u) << (us ? 2 : 0);
    return (p->rights & right) && (p->pieces[HZ_KING] & p->colors[us] & hzi_bit(home)) &&
           (p->pieces[HZ_ROOK] & p->colors[us] & hzi_bit(rook)) &&
           !(hzi_between(home, rook) & occupied);
}

static void castling(sink *out, const side *s) {
    for (int king_side = 1; s->p->rights && king_side >= 0; king_side--) {
        int home = s->us ? 60 : 4, step = king_side ? 1 : -1;
        if (castling_open(s->p, s->us, king_side, s->occupied) &&
            !(s->attacked & (hzi_bit(home) | hzi_bit(home + step) | hzi_bit(home + 2 * step)))) {
            if (out->moves) {
                out->moves[out->count] = hz_move_make(
                    home, home + 2 * step, king_side ? HZ_MOVE_CASTLE_KING : HZ_MOVE_CASTLE_QUEEN);
            }
            out->count++;
        }
    }
}

/* Moves of the pieces other than kings and pawns that may end on `allowed`; a pinned one also on
 * the line of its pin. */
static void officers(sink *out, const side *s, uint64_t allowed) {
    const hz_position *p = s->p;
    uint64_t set = p->pieces[HZ_KNIGHT] & s->own & ~s->pinned; /* a pinned knight never moves */
    while (set) {
        int from = hzi_pop(&set);
        emit(out, from, hzi_knight_attacks(from) & allowed, s->enemy);
    }
    set = (p->pieces[HZ_BISHOP] | p->pieces[HZ_QUEEN]) & s->own;
    while (set) {
        int from = hzi_pop(&set);
        uint64_t to = hzi_bishop_attacks(from, s->occupied) & allowed;
        if (s->pinned & hzi_bit(from)) {
            to &= hzi_line_table[s->king][from];
        }
        emit(out, from, to, s->enemy);
    }
    set = (p->pieces[HZ_ROOK] | p->pieces[HZ_QUEEN]) & s->own;
    while (set) {
        int from = hzi_pop(&set);
        uint64_t to = hzi_rook_attacks(from, s->occupied) & allowed;
        if (s->pinned & hzi_bit(from)) {
            to &= hzi_line_table[s->king][from];
        }
        emit(out, from, to, s->enemy);
    }
}

static void generate(sink *out, const side *s, bool quiet) {
    const hz_position *p = s->p;
    uint64_t where = quiet ? ~s->own : s->enemy;
    emit(out, s->king, hzi_king_attacks(s->king) & where & ~s->attacked, s->enemy);
    if (!s->allowed) {
        return; /* two checks: only the king moves, for no capture en passant ends both */
    }
    officers(out, s, where & s->allowed);
    uint64_t own_pawns = p->pieces[HZ_PAWN] & s->own;
    pawns(out, s, own_pawns & ~s->pinned, s->allowed, quiet);
    uint64_t pinned = own_pawns & s->pinned;
    while (pinned) {
        int from = hzi_pop(&pinned);
        pawns(out, s, hzi_bit(from), s->allowed & hzi_line_table[s->king][from], quiet);
    }
    if (p->targets) {
        en_passant(out, s);
    }
    if (quiet && !s->checkers) {
        castling(out, s);
    }
}

/* The slow way, for sides without exactly one king. */
static void generate_odd(sink *out, side *s, bool quiet) {
    const hz_position *p = s->p;
    hz_move pseudo[HZ_CHESS_MOVES_MAX];
    sink all = {pseudo, 0};
    s->king = 0;
    s->pinned = 0;
    s->allowed = ~(uint64_t)0;
    s->attacked = enemy_reach(s);
    uint64_t where = quiet ? ~s->own : s->enemy, kings = p->pieces[HZ_KING] & s->own;
    while (kings) {
        int from = hzi_pop(&kings);
        emit(&all, from, hzi_king_attacks(from) & where, s->enemy);
    }
    officers(&all, s, where);
    pawns(&all, s, p->pieces[HZ_PAWN] & s->own, ~(uint64_t)0, quiet);
    en_passant(&all, s);
    if (quiet) {
        castling(&all, s);
    }
    for (int i = 0; i < all.count; i++) {
        hz_position after = *p;
        hzi_chess_make(&after, pseudo[i], (unsigned)hzi_type_on(p, hz_move_from(pseudo[i])));
        if (!hz_chess_in_check(&after, (hz_color)s->us)) {
            if (out->moves) {
                out->moves[out->count] = pseudo[i];
            }
            out->count++;
        }
    }
}

static int list(const hz_position *position, hz_move *moves, bool quiet) {
    side s;
    sink out = {moves, 0};
    if (look(position, &s)) {
        s.attacked = enemy_reach(&s);
        generate(&out, &s, quiet);
    } else {
        generate_odd(&out, &s, quiet);
    }
    return out.count;
}

int hz_chess_moves(const hz_position *position, hz_move moves[HZ_CHESS_MOVES_MAX]) {
    return list(position, moves, true);
}

int hz_chess_tactical_moves(const hz_position *position, hz_move moves[HZ_CHESS_MOVES_MAX]) {
    return list(position, moves, false);
}

int hz_chess_move_count(const hz_position *position) {
    return list(position, NULL, true);
}

bool hz_chess_has_move(const hz_position *position) {
    side s;
    sink out = {NULL, 0};
    if (!look(position, &s)) {
        generate_odd(&out, &s, true);
        return out.count > 0;
    }
    /* What most likely moves is asked first, what costs most last. Castling needs no question: the
     * king can then step aside as well. */
    if (s.allowed) {
        uint64_t own_pawns = position->pieces[HZ_PAWN] & s.own, pinned = own_pawns & s.pinned;
        pawns(&out, &s, own_pawns & ~s.pinned, s.allowed, true);
        if (!out.count) {
            officers(&out, &s, ~s.own & s.allowed);
        }
        while (pinned && !out.count) {
            int from = hzi_pop(&pinned);
            pawns(&out, &s, hzi_bit(from), s.allowed & hzi_line_table[s.king][from], true);
        }
    }
    if (!out.count) {
        emit(&out, s.king, hzi_king_attacks(s.king) & ~s.own & ~enemy_reach(&s), s.enemy);
    }
    if (!out.count && position->targets) {
        en_passant(&out, &s);
    }
    return out.count > 0;
}

/* ---- one move ------------------------------------------------------------------------------------ */

enum { NO_WAY = 16 };

/* Flags of a pawn's way from square to square, NO_WAY when it has none. */
static unsigned pawn_way(const hz_position *p, int from, int to, hz_piece_type promotion) {
    unsigned us = p->side, flags;
    uint64_t occupied = p->colors[0] | p->colors[1], target = hzi_bit(to);
    int up = us ? -8 : 8;
    bool taken = (occupied & target) != 0; /* by the enemy: the caller has looked */
    if (hzi_pawn_table[us][from] & target) {
        if (!taken && !(hzi_live_targets(p, us) & target)) {
            return NO_WAY;
        }
        flags = taken ? HZ_MOVE_CAPTURE : HZ_MOVE_EN_PASSANT;
    } else {
        bool two =
            to - from == 2 * up && from >> 3 == (us ? 6 : 1) && !(occupied & hzi_bit(from + up));
        if (taken || (!two && to - from != up)) {
            return NO_WAY;
        }
        flags = two ? HZ_MOVE_DOUBLE_STEP : HZ_MOVE_QUIET;
    }
    if (to >> 3 == (us ? 0 : 7)) {
        return promotion >= HZ_KNIGHT && promotion <= HZ_QUEEN
                   ? flags | HZ_MOVE_PROMOTION | ((unsigned)promotion - 1u)
                   : NO_WAY;
    }
    return promotion == HZ_NO_PIECE ? flags : NO_WAY;
}

static unsigned castling_way(const hz_position *p, int from, int to) {
    unsigned us = p->side;
    bool king_side = to > from;
    int home = us ? 60 : 4, step = king_side ? 1 : -1;
    if (from != home || to != home + 2 * step ||
        !castling_open(p, us, king_side, p->colors[0] | p->colors[1])) {
        return NO_WAY;
    }
    for (int square = home; square != to; square += step) {
        if (hz_position_attackers(p, square, (hz_color)(us ^ 1))) {
            return NO_WAY;
        }
    }
    return king_side ? HZ_MOVE_CASTLE_KING : HZ_MOVE_CASTLE_QUEEN;
}

hz_move hzi_chess_find(const hz_position *p, int from, int to, hz_piece_type promotion) {
    unsigned us = p->side, flags = NO_WAY;
    uint64_t occupied = p->colors[0] | p->colors[1], target = hzi_bit(to), reach = 0;
    if (!(p->colors[us] & hzi_bit(from)) || (p->colors[us] & target)) {
        return 0;
    }
    hz_piece_type type = hzi_type_on(p, from);
    switch (type) {
    case HZ_PAWN:
        flags = pawn_way(p, from, to, promotion);
        break;
    case HZ_KNIGHT:
        reach = hzi_knight_attacks(from);
        break;
    case HZ_BISHOP:
        reach = hzi_bishop_attacks(from, occupied);
        break;
    case HZ_ROOK:
        reach = hzi_rook_attacks(from, occupied);
        break;
    case HZ_QUEEN:
        reach = hzi_queen_attacks(from, occupied);
        break;
    default:
        reach = hzi_king_attacks(from);
        if (!(reach & target) && promotion == HZ_NO_PIECE) {
            flags = castling_way(p, from, to);
        }
        break;
    }
    if (promotion == HZ_NO_PIECE && (reach & target)) {
        flags = occupied & target ? HZ_MOVE_CAPTURE : HZ_MOVE_QUIET;
    }
    if (flags == NO_WAY) {
        return 0;
    }
    hz_move move = hz_move_make(from, to, flags);
    hz_position after = *p;
    hzi_chess_make(&after, move, type);
    return hz_chess_in_check(&after, (hz_color)us) ? 0 : move;
}

bool hz_chess_is_legal(const hz_position *position, hz_move move) {
    return move && hzi_chess_find(position, hz_move_from(move), hz_move_to(move),
                                  hz_move_promotion(move)) == move;
}

void hz_chess_play(const hz_position *position, hz_move move, hz_position *after) {
    unsigned type = (unsigned)hzi_type_on(position, hz_move_from(move));
    *after = *position;
    hzi_chess_make(after, move, type);
}

void hz_chess_pass(const hz_position *position, hz_position *after) {
    *after = *position;
    after->key ^= hzi_zobrist.side ^ hzi_targets_key(after->targets);
    after->targets = 0;
    after->halfmove = (uint8_t)(after->halfmove + (after->halfmove < UINT8_MAX));
    if (after->side == HZ_BLACK && after->fullmove < INT32_MAX) {
        after->fullmove++;
    }
    after->side ^= 1;
}

hz_status hz_chess_move_from_text(const hz_position *position, const char *text, size_t length,
                                  hz_move *move, hz_error *err) {
    int from, to;
    hz_piece_type promotion;
    hz_status status = hz_move_parse(text, length, &from, &to, &promotion, err);
    if (status != HZ_OK) {
        return status;
    }
    hz_move found = hzi_chess_find(position, from, to, promotion);
    if (!found && from >> 3 == to >> 3 && (to == from + 3 || to == from - 4) &&
        hz_position_type_at(position, from) == HZ_KING) {
        /* The king taking its own rook is castling; a king gets that far in no other way. */
        found = hzi_chess_find(position, from, to > from ? from + 2 : from - 2, promotion);
    }
    if (found) {
        *move = found;
        return HZ_OK;
    }
    return hz_fail(err, HZ_NOT_LEGAL, 0, "%.*s is no legal move here", (int)length, text);
}

uint64_t hz_chess_perft(const hz_position *position, int depth) {
    if (depth <= 0) {
        return 1;
    }
    hz_move moves[HZ_CHESS_MOVES_MAX];
    if (depth == 1) {
        return (uint64_t)hz_chess_move_count(position);
    }
    int count = hz_chess_moves(position, moves);
    uint64_t nodes = 0;
    for (int i = 0; i < count; i++) {
        hz_position child = *position;
        hzi_chess_make(&child, moves[i], (unsigned)hzi_type_on(position, hz_move_from(moves[i])));
        nodes += hz_chess_perft(&child, depth - 1);
    }
    return nodes;
}
