/* SPDX-License-Identifier: MIT */
/*
 * Random positions: real ones by playing legal turns of the slow oracle, and made-up ones where
 * anything may stand anywhere. The made-up ones are shaped so that rare rules (castling, several
 * en-passant targets, promotion next to a king) come up often rather than once in a million.
 */
#include "ref/ref_random.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- numbers ---- */

ref_random ref_random_from_seed(uint64_t seed) {
    return (ref_random){.state = seed};
}

uint64_t ref_random_next(ref_random *random) {
    uint64_t z = random->state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

unsigned ref_random_below(ref_random *random, unsigned n) {
    return (unsigned)((ref_random_next(random) >> 32) * n >> 32);
}

bool ref_random_chance(ref_random *random, unsigned percent) {
    return ref_random_below(random, 100) < percent;
}

static int between(ref_random *random, int low, int high) {
    return low + (int)ref_random_below(random, (unsigned)(high - low + 1));
}

static void roll(ref_random *random, ref_position *position, int dice) {
    memset(position->dice, 0, sizeof position->dice);
    for (int i = 0; i < dice; i++) {
        position->dice[ref_random_below(random, 6)]++;
    }
}

/* ---- positions from play ---- */

static const char *const STARTS[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbqkbnr/1p1p1ppp/8/pPpPp3/P3P3/2N2Q1N/2P2PPP/1RB1KB1R w Kkq a6c6e6 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20",
    "4k3/2pp1pp1/8/1P2P2P/1p2p2p/8/2PP1PP1/4K3 b - - 0 1",
    "8/5k2/3p4/1P1q4/8/4B1R1/P5K1/8 w - - 12 40",
};

static bool has_king(const ref_position *position, char king) {
    return memchr(position->board, king, 64) != NULL;
}

/* Plays playable micro-moves at random until the turn is complete. */
static void random_line(ref_random *random, ref_position *position, int *used, bool *king) {
    int dice = ref_dice_count(position);
    ref_moves list;
    *king = false;
    for (ref_playable(position, &list); list.count > 0 && !*king; ref_playable(position, &list)) {
        const char *move = list.move[ref_random_below(random, (unsigned)list.count)].text;
        *king = ref_takes_king(position, move);
        ref_play(position, move);
    }
    *used = dice - ref_dice_count(position);
}

/* A random legal turn from a rolled position; afterwards, before hand-over. A line that takes a
 * king or spends every die is legal whatever the other lines do; only other lines need the full
 * list. */
static ref_position random_turn(ref_random *random, const ref_position *rolled) {
    ref_position after = *rolled;
    int used;
    bool king;
    random_line(random, &after, &used, &king);
    if (king || used == ref_dice_count(rolled)) {
        return after;
    }
    after = *rolled; /* a pass, or too many lines to list them */
    ref_turns turns;
    if (ref_legal_turns(rolled, 100000, &turns)) {
        if (turns.count > 0) {
            unsigned pick = ref_random_below(random, (unsigned)turns.count);
            after = ref_after_turn(rolled, turns.turn[pick].text);
        }
        ref_turns_free(&turns);
    }
    return after;
}

static void new_game(ref_random *random) {
    unsigned start = ref_random_below(random, sizeof STARTS / sizeof STARTS[0] + 2);
    if (start >= sizeof STARTS / sizeof STARTS[0]) {
        start = 0; /* the initial position three times as often */
    }
    (void)ref_from_dfen(&random->game, STARTS[start]);
    random->turns_left = between(random, 1, 60);
}

void ref_random_played(ref_random *random, ref_moment moment, char dfen[REF_DFEN_CAPACITY]) {
    if (random->turns_left <= 0 || !has_king(&random->game, 'K') || !has_king(&random->game, 'k')) {
        new_game(random);
    }
    random->turns_left--;
    if (moment == REF_ANY_MOMENT) {
        unsigned pick = ref_random_below(random, 10);
        moment = pick == 0 ? REF_BEFORE_ROLL : pick < 6 ? REF_ROLLED : REF_MID_TURN;
    }
    if (moment == REF_BEFORE_ROLL) {
        ref_to_dfen(&random->game, dfen);
    }
    ref_position rolled = random->game;
    roll(random, &rolled, 3);
    if (moment == REF_ROLLED) {
        ref_to_dfen(&rolled, dfen);
    } else if (moment == REF_MID_TURN) {
        ref_position middle = rolled;
        ref_moves list;
        bool king = false;
        for (int i = between(random, 1, 2); i > 0 && !king; i--) {
            ref_playable(&middle, &list);
            if (list.count == 0) {
                break;
            }
            const char *move = list.move[ref_random_below(random, (unsigned)list.count)].text;
            king = ref_takes_king(&middle, move);
            ref_play(&middle, move);
        }
        ref_to_dfen(&middle, dfen);
    }
    random->game = random_turn(random, &rolled);
    if (has_king(&random->game, 'K') && has_king(&random->game, 'k')) {
        ref_hand_over(&random->game);
    }
}

/* ---- made-up positions ---- */

static int empty_square(ref_random *random, const ref_position *position) {
    for (int tries = 0; tries < 200; tries++) {
        int square = (int)ref_random_below(random, 64);
        if (position->board[square] == '.') {
            return square;
        }
    }
    const char *found = memchr(position->board, '.', 64);
    return found ? (int)(found - position->board) : -1;
}

static void drop(ref_random *random, ref_position *position, const char *letters) {
    int square = empty_square(random, position);
    if (square >= 0) {
        position->board[square] = letters[ref_random_below(random, (unsigned)strlen(letters))];
    }
}

static const char ANY_BUT_KINGS[] = "PPPPNBRQppppnbrq";

static void drop_many(ref_random *random, ref_position *position, int count) {
    /* Queens are what makes turn lists long: most positions get few of them. */
    const char *letters = ref_random_chance(random, 20) ? ANY_BUT_KINGS : "PPPPPNNBBRpppppnnbbr";
    for (int i = 0; i < count; i++) {
        drop(random, position, letters);
    }
    if (ref_random_chance(random, 50)) {
        drop(random, position, "Qq");
    }
}

/* Targets where a pawn of either colour could just have passed: owned most often. */
static void add_owned_targets(ref_random *random, ref_position *position, unsigned percent) {
    for (int file = 0; file < 8; file++) {
        if (position->board[24 + file] == 'P' && ref_random_chance(random, percent)) {
            position->target[16 + file] = true;
        }
        if (position->board[32 + file] == 'p' && ref_random_chance(random, percent)) {
            position->target[40 + file] = true;
        }
    }
}

static void fix_rights(ref_position *position) {
    static const int KING_AT[4] = {4, 4, 60, 60}, ROOK_AT[4] = {7, 0, 63, 56};
    for (int i = 0; i < 4; i++) {
        position->right[i] = position->right[i] && position->board[KING_AT[i]] == "KKkk"[i] &&
                             position->board[ROOK_AT[i]] == "RRrr"[i];
    }
}

static void put_home(ref_random *random, ref_position *position) {
    position->board[4] = 'K';
    position->board[60] = 'k';
    static const int CORNER[4] = {7, 0, 63, 56};
    for (int i = 0; i < 4; i++) {
        if (ref_random_chance(random, 85)) {
            position->board[CORNER[i]] = "RRrr"[i];
        }
        position->right[i] = ref_random_chance(random, 85);
    }
}

static void make_en_passant(ref_random *random, ref_position *position) {
    for (int file = 0; file < 8; file++) {
        position->board[32 + file] = ".ppPP"[ref_random_below(random, 5)];
        position->board[24 + file] = ".pPPp"[ref_random_below(random, 5)];
        for (int rank = 2; rank <= 5; rank += 3) {
            if (ref_random_chance(random, 20)) {
                position->board[8 * rank + file] =
                    ANY_BUT_KINGS[ref_random_below(random, sizeof ANY_BUT_KINGS - 1)];
            }
        }
    }
    add_owned_targets(random, position, 80);
}

static void make_promotion(ref_random *random, ref_position *position) {
    for (int file = 0; file < 8; file++) {
        if (ref_random_chance(random, 40)) {
            position->board[48 + file] = 'P';
        }
        if (ref_random_chance(random, 40)) {
            position->board[8 + file] = 'p';
        }
        if (ref_random_chance(random, 35)) {
            position->board[56 + file] = "nbrqN"[ref_random_below(random, 5)];
        }
        if (ref_random_chance(random, 35)) {
            position->board[file] = "NBRQn"[ref_random_below(random, 5)];
        }
    }
    if (ref_random_chance(random, 70)) {
        position->board[56 + between(random, 0, 7)] = 'k';
        position->board[between(random, 0, 7)] = 'K';
    } else {
        drop(random, position, "k");
        drop(random, position, "K");
    }
}

void ref_random_placed(ref_random *random, ref_style style, char dfen[REF_DFEN_CAPACITY]) {
    ref_position position = {.side = ref_random_chance(random, 50) ? 'w' : 'b'};
    memset(position.board, '.', 64);
    bool two_kings = style <= REF_FULL || style == REF_EN_PASSANT || style == REF_NONSENSE;
    if (style == REF_CASTLING) {
        put_home(random, &position);
    } else if (style == REF_EN_PASSANT) {
        make_en_passant(random, &position);
    } else if (style == REF_PROMOTION) {
        make_promotion(random, &position);
    }
    if (two_kings) {
        drop(random, &position, "K");
        drop(random, &position, "k");
    }
    switch (style) {
    case REF_SPARSE:
        drop_many(random, &position, between(random, 1, 8));
        break;
    case REF_MIDDLE:
        drop_many(random, &position, between(random, 9, 24));
        break;
    case REF_DENSE:
        drop_many(random, &position, between(random, 28, 59));
        break;
    case REF_FULL:
        for (int i = 0; i < 64; i++) {
            drop(random, &position, "PNBRQKPNBRQpnbrqkpnbrq");
        }
        break;
    case REF_KINGLESS:
        drop_many(random, &position, between(random, 2, 12));
        if (ref_random_chance(random, 60)) {
            drop(random, &position, "Kk");
        }
        break;
    case REF_MANY_KINGS:
        for (int i = between(random, 2, 9); i > 0; i--) {
            drop(random, &position, "Kk");
        }
        drop_many(random, &position, between(random, 2, 12));
        break;
    case REF_CASTLING:
        drop_many(random, &position, between(random, 0, 6));
        break;
    case REF_EN_PASSANT:
        drop_many(random, &position, between(random, 0, 5));
        break;
    case REF_PROMOTION:
        drop_many(random, &position, between(random, 0, 4));
        break;
    case REF_NONSENSE:
    case REF_STYLES:
        if (ref_random_chance(random, 50)) {
            put_home(random, &position);
            position.board[ref_random_chance(random, 50) ? 4 : 60] =
                ".QkKR"[ref_random_below(random, 5)];
            position.board[(ref_random_chance(random, 50) ? 0 : 56) +
                           (ref_random_chance(random, 50) ? 0 : 7)] =
                ".rRqN"[ref_random_below(random, 5)];
        }
        drop_many(random, &position, between(random, 2, 20));
        break;
    }
    if (style == REF_NONSENSE) {
        for (int i = 0; i < 4; i++) {
            position.right[i] = ref_random_chance(random, 60);
        }
        for (int i = between(random, 0, 20); i > 0; i--) {
            position.target[ref_random_below(random, 64)] = true;
        }
    } else {
        for (int i = 0; i < 4 && style != REF_CASTLING; i++) {
            position.right[i] = ref_random_chance(random, 30);
        }
        fix_rights(&position);
    }
    add_owned_targets(random, &position, 40);
    int dice = ref_random_chance(random, 70) ? 3 : between(random, 0, 2);
    roll(random, &position, dice);
    position.halfmove =
        ref_random_chance(random, 20) ? between(random, 120, 127) : between(random, 0, 60);
    position.fullmove =
        ref_random_chance(random, 3) ? 2147483647 - between(random, 0, 1) : between(random, 1, 200);
    ref_to_dfen(&position, dfen);
}

void ref_random_position(ref_random *random, char dfen[REF_DFEN_CAPACITY]) {
    if (ref_random_chance(random, 50)) {
        ref_random_played(random, REF_ANY_MOMENT, dfen);
    } else {
        ref_random_placed(random, (ref_style)ref_random_below(random, REF_STYLES), dfen);
    }
}

void ref_random_set_pool(char dfen[REF_DFEN_CAPACITY], const char *pool) {
    ref_position position;
    if (!ref_from_dfen(&position, dfen)) {
        return;
    }
    memset(position.dice, 0, sizeof position.dice);
    for (; *pool; pool++) {
        const char *face = strchr(REF_FACES, toupper((unsigned char)*pool));
        if (face) {
            position.dice[face - REF_FACES]++;
        }
    }
    ref_to_dfen(&position, dfen);
}
