/* SPDX-License-Identifier: MIT */
/*
 * The players of the league: one search with switches. Depth 1 with quiescence for an evaluator and
 * the first baseline, classic alpha-beta for the second, table, principal variation search and null
 * move for the upper two.
 *
 * Every number and tie is fixed, so that two programs play the same games. Values are float32 for
 * all; the baselines' centipawns are whole numbers below 2^24 and lose nothing.
 */
#include <hazard/league.h>

#include "chess/moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TABLE = 1 << 20,
    CACHE = 1 << 18,
    SETTLED = 1 << 20,
    STACK = 512,
    MATE_RANGE = HZ_LEAGUE_MATE - 1000 /* beyond it a value is a mate */
};

typedef enum bound { EXACT, LOWER, UPPER } bound;

typedef struct entry {
    uint64_t key;
    float value; /* mates relative to the node */
    hz_move move;
    int8_t depth;
    uint8_t bound;
    bool used;
} entry;

typedef struct cached {
    uint64_t key; /* 0 = empty */
    float value;  /* as the judge gave it */
} cached;

/* What is known of the quiescence value of a position; mates relative to it. */
typedef struct settled {
    uint64_t key; /* 0 = empty */
    float lower, upper;
} settled;

struct hz_league_player {
    hz_league_player_config config;
    entry *table; /* of the enhanced search */
    cached *cache;
    settled *settled;
    hz_move killers[STACK][2];
    uint64_t history[2][64][64];
    /* Of the running choice: */
    const hz_deadline *deadline;
    hz_status status;
    hz_league_reason reason; /* of a failure */
    hz_error why;
    uint64_t nodes, judgements;
    hz_position batch[HZ_CHESS_MOVES_MAX];
    float batch_values[HZ_CHESS_MOVES_MAX];
};

/* ---- judging ------------------------------------------------------------------------------------ */

static hz_status judge_handcrafted(void *state, const hz_position *positions, size_t n,
                                   float *values, hz_error *err) {
    (void)state;
    (void)err;
    for (size_t i = 0; i < n; i++) {
        values[i] = (float)hz_evaluate_handcrafted(&positions[i], (hz_color)positions[i].side);
    }
    return HZ_OK;
}

static hz_status judge_material(void *state, const hz_position *positions, size_t n, float *values,
                                hz_error *err) {
    static const int worth[5] = {1, 3, 3, 5, 9};
    (void)state;
    (void)err;
    for (size_t i = 0; i < n; i++) {
        const hz_position *p = &positions[i];
        int sum = 0;
        for (unsigned type = 0; type < 5; type++) {
            sum += worth[type] * (hzi_popcount(p->pieces[type] & p->colors[p->side]) -
                                  hzi_popcount(p->pieces[type] & p->colors[p->side ^ 1]));
        }
        values[i] = (float)sum;
    }
    return HZ_OK;
}

hz_league_judge hz_league_judge_material(void) {
    return (hz_league_judge){.judge = judge_material};
}

static void fail(hz_league_player *w, hz_status status, const char *text) {
    if (w->status == HZ_OK) {
        w->status = hz_fail(&w->why, status, HZ_NO_OFFSET, "%s", text);
    }
}

/* Values as they come; false without them: *err says why. */
static bool ask(hz_league_player *w, const hz_position *positions, size_t n, float *values,
                hz_error *err) {
    hz_error_clear(err);
    if (hz_deadline_expired(w->deadline)) {
        w->reason = HZ_LEAGUE_TIMEOUT;
        fail(w, HZ_CANCELLED, "the time is over");
        return false;
    }
    w->judgements += n;
    return w->config.judge.judge(w->config.judge.state, positions, n, values, err) == HZ_OK;
}

static float stand_pat(hz_league_player *w, const hz_position *p) {
    cached *slot = w->cache ? &w->cache[p->key & (CACHE - 1)] : NULL;
    float value = 0.0F;
    hz_error err;
    if (slot && slot->key == p->key) {
        value = slot->value;
    } else if (!ask(w, p, 1, &value, &err)) {
        if (w->status == HZ_OK) {
            w->reason = HZ_LEAGUE_CRASH;
            fail(w, HZ_MODEL_RUN, err.message[0] ? err.message : "the evaluator failed");
        }
        return 0.0F;
    } else if (slot) {
        *slot = (cached){p->key, value};
    }
    if (!isfinite(value)) {
        w->reason = HZ_LEAGUE_NOT_FINITE;
        fail(w, HZ_MODEL_RUN, "the evaluator gave a value that is not finite");
        return 0.0F;
    }
    return value > HZ_LEAGUE_VALUE_MAX    ? (float)HZ_LEAGUE_VALUE_MAX
           : value < -HZ_LEAGUE_VALUE_MAX ? (float)-HZ_LEAGUE_VALUE_MAX
                                          : value;
}

/* Judges the children of these moves together, so that standing pat finds them. Not all of them will
 * be asked for: what is wrong with a value is only said when it is. */
static void prefetch(hz_league_player *w, const hz_position *p, const hz_move *moves, int count) {
    size_t n = 0;
    hz_error err;
    if (!w->cache || w->config.judge.judge == judge_handcrafted) {
        return;
    }
    for (int i = 0; i < count; i++) {
        hz_position *child = &w->batch[n];
        hz_chess_play(p, moves[i], child);
        n += w->cache[child->key & (CACHE - 1)].key != child->key;
    }
    if (n > 1 && ask(w, w->batch, n, w->batch_values, &err)) {
        for (size_t i = 0; i < n; i++) {
            w->cache[w->batch[i].key & (CACHE - 1)] = (cached){w->batch[i].key, w->batch_values[i]};
        }
    }
}

/* ---- order of moves ------------------------------------------------------------------------------ */

static bool tactical(hz_move move) {
    return (hz_move_flags(move) & (HZ_MOVE_CAPTURE | HZ_MOVE_PROMOTION)) != 0;
}

/* from + 64 to + 4096 promotion (N 1, B 2, R 3, Q 4). */
static int64_t code_of(hz_move move) {
    hz_piece_type promotion = hz_move_promotion(move);
    return hz_move_from(move) + 64 * hz_move_to(move) +
           4096 * (promotion == HZ_NO_PIECE ? 0 : (int)promotion);
}

/* 128 (victim + bonus) - attacker. */
static int64_t tactical_key(const hz_position *p, hz_move move) {
    static const int worth[HZ_PIECE_TYPES + 1] = {1, 3, 3, 5, 9, 100, 0};
    int victim = hz_move_flags(move) == HZ_MOVE_EN_PASSANT
                     ? worth[HZ_PAWN]
                     : worth[hz_position_type_at(p, hz_move_to(move))];
    hz_piece_type promotion = hz_move_promotion(move);
    int bonus = promotion == HZ_NO_PIECE ? 0 : promotion == HZ_QUEEN ? 9 : 3;
    return 128 * (victim + bonus) - worth[hz_position_type_at(p, hz_move_from(move))];
}

typedef struct ordered {
    hz_move moves[HZ_CHESS_MOVES_MAX];
    int64_t keys[HZ_CHESS_MOVES_MAX]; /* larger first */
    int count, tactical_count;
} ordered;

/* Larger keys first; keys are made distinct by the move code, so the order is total. */
static void sort(ordered *list) {
    for (int i = 1; i < list->count; i++) {
        hz_move move = list->moves[i];
        int64_t key = list->keys[i];
        int k = i;
        for (; k > 0 && list->keys[k - 1] < key; k--) {
            list->moves[k] = list->moves[k - 1];
            list->keys[k] = list->keys[k - 1];
        }
        list->moves[k] = move;
        list->keys[k] = key;
    }
}

/* A key above all quiet moves for tactical ones, then by move code ascending. */
enum { CODES = 1 << 15 };
static const int64_t TACTICAL = (int64_t)1 << 60;

static int64_t plain_key(const hz_position *p, hz_move move) {
    int64_t rank = tactical(move) ? TACTICAL + (tactical_key(p, move) + 1000) * CODES : 0;
    return rank + CODES - 1 - code_of(move);
}

static void order_plain(const hz_position *p, ordered *list) {
    list->tactical_count = 0;
    for (int i = 0; i < list->count; i++) {
        list->keys[i] = plain_key(p, list->moves[i]);
        list->tactical_count += tactical(list->moves[i]);
    }
    sort(list);
}

static void order_enhanced(const hz_league_player *w, const hz_position *p, ordered *list,
                           hz_move first, int ply) {
    for (int i = 0; i < list->count; i++) {
        hz_move move = list->moves[i];
        int64_t key = plain_key(p, move);
        if (!tactical(move)) {
            uint64_t history = w->history[p->side][hz_move_from(move)][hz_move_to(move)];
            key += (int64_t)(history < (1ULL << 40) ? history : (1ULL << 40)) * CODES;
            key = move == w->killers[ply][0]   ? TACTICAL - 1
                  : move == w->killers[ply][1] ? TACTICAL - 2
                                               : key;
        }
        list->keys[i] = move == first ? INT64_MAX : key;
    }
    sort(list);
}

/* ---- quiescence ---------------------------------------------------------------------------------- */

static bool drawn_by_board(const hz_position *p) {
    return p->halfmove >= 100 || hz_chess_dead_material(p);
}

static float to_node(float value, int ply) {
    return value > MATE_RANGE    ? value + (float)ply
           : value < -MATE_RANGE ? value - (float)ply
                                 : value;
}

static float from_node(float value, int ply) {
    return value > MATE_RANGE    ? value - (float)ply
           : value < -MATE_RANGE ? value + (float)ply
                                 : value;
}

static float quiescence(hz_league_player *w, const hz_position *p, float alpha, float beta,
                        int ply);

/* Standing pat, then the moves of a list. */
static float look_at(hz_league_player *w, const hz_position *p, ordered *list, bool may_stand,
                     float alpha, float beta, int ply) {
    if (may_stand) {
        float stand = stand_pat(w, p);
        if (w->status != HZ_OK) {
            return 0.0F;
        }
        if (stand >= beta) {
            return beta;
        }
        alpha = stand > alpha ? stand : alpha;
    }
    if (ply >= STACK - 2) {
        return alpha;
    }
    order_plain(p, list);
    if (w->config.batched) {
        prefetch(w, p, list->moves, list->count);
    }
    for (int i = 0; i < list->count; i++) {
        hz_position child;
        hz_chess_play(p, list->moves[i], &child);
        float score = -quiescence(w, &child, -beta, -alpha, ply + 1);
        if (w->status != HZ_OK) {
            return 0.0F;
        }
        if (score >= beta) {
            return beta;
        }
        alpha = score > alpha ? score : alpha;
    }
    return alpha;
}

/*
 * The same with a memory of what is settled. Nothing but the position decides its quiescence value
 * (captures set the half-move clock to zero, and whoever drew by it before was asked before), and a
 * fail-hard search gives that value cut to the window, so a memory changes nothing. An evaluator that
 * finds every capture worth a look meets the same position in ever other orders of captures.
 */
static float look_again(hz_league_player *w, const hz_position *p, ordered *list, float alpha,
                        float beta, int ply) {
    settled *slot = &w->settled[p->key & (SETTLED - 1)];
    if (slot->key == p->key) {
        float lower = from_node(slot->lower, ply), upper = from_node(slot->upper, ply);
        if (lower >= beta) {
            return beta;
        }
        if (upper <= alpha) {
            return alpha;
        }
        if (lower == upper) {
            return lower;
        }
    }
    float value = look_at(w, p, list, true, alpha, beta, ply);
    if (w->status == HZ_OK) {
        settled known = {p->key, -INFINITY, INFINITY};
        if (slot->key == p->key) {
            known = *slot;
        }
        known.lower = value > alpha ? to_node(value, ply) : known.lower;
        known.upper = value < beta ? to_node(value, ply) : known.upper;
        *slot = known;
    }
    return value;
}

/* Fail-hard. Standing pat is allowed in check, too (unless `evade`). */
static float quiescence(hz_league_player *w, const hz_position *p, float alpha, float beta,
                        int ply) {
    ordered list;
    w->nodes++;
    bool evading = w->config.evade && hz_chess_in_check(p, (hz_color)p->side);
    list.count = evading ? hz_chess_moves(p, list.moves) : hz_chess_tactical_moves(p, list.moves);
    if (list.count == 0 && (evading || !hz_chess_has_move(p))) {
        return evading || hz_chess_in_check(p, (hz_color)p->side) ? (float)(ply - HZ_LEAGUE_MATE)
                                                                  : 0.0F;
    }
    if (drawn_by_board(p)) {
        return 0.0F;
    }
    return w->settled && !w->config.evade ? look_again(w, p, &list, alpha, beta, ply)
                                          : look_at(w, p, &list, !evading, alpha, beta, ply);
}

/* ---- classic and enhanced nodes ------------------------------------------------------------------- */

static float classic(hz_league_player *w, const hz_position *p, int depth, float alpha, float beta,
                     int ply) {
    if (depth == 0) {
        return quiescence(w, p, alpha, beta, ply);
    }
    ordered list;
    w->nodes++;
    list.count = hz_chess_moves(p, list.moves);
    if (list.count == 0) {
        return hz_chess_in_check(p, (hz_color)p->side) ? (float)(ply - HZ_LEAGUE_MATE) : 0.0F;
    }
    if (drawn_by_board(p)) {
        return 0.0F;
    }
    order_plain(p, &list);
    for (int i = 0; i < list.count; i++) {
        hz_position child;
        hz_chess_play(p, list.moves[i], &child);
        float score = -classic(w, &child, depth - 1, -beta, -alpha, ply + 1);
        if (w->status != HZ_OK) {
            return 0.0F;
        }
        if (score >= beta) {
            return beta;
        }
        alpha = score > alpha ? score : alpha;
    }
    return alpha;
}

static bool has_pieces(const hz_position *p) {
    return (p->colors[p->side] & ~p->pieces[HZ_PAWN] & ~p->pieces[HZ_KING]) != 0;
}

static void reward(hz_league_player *w, const hz_position *p, hz_move move, int depth, int ply) {
    w->killers[ply][1] = w->killers[ply][0];
    w->killers[ply][0] = move;
    w->history[p->side][hz_move_from(move)][hz_move_to(move)] += (uint64_t)(depth * depth);
}

/* Fail-soft. */
static float enhanced(hz_league_player *w, const hz_position *p, int depth, float alpha, float beta,
                      int ply, bool may_null) {
    if (depth <= 0) {
        return quiescence(w, p, alpha, beta, ply);
    }
    ordered list;
    w->nodes++;
    list.count = hz_chess_moves(p, list.moves);
    bool in_check = hz_chess_in_check(p, (hz_color)p->side);
    if (list.count == 0) {
        return in_check ? (float)(ply - HZ_LEAGUE_MATE) : 0.0F;
    }
    if (drawn_by_board(p)) {
        return 0.0F;
    }
    entry *slot = &w->table[p->key & (TABLE - 1)];
    hz_move first = 0;
    if (slot->used && slot->key == p->key) {
        first = slot->move;
        float value = from_node(slot->value, ply);
        if (slot->depth >= depth &&
            (slot->bound == EXACT || (slot->bound == LOWER && value >= beta) ||
             (slot->bound == UPPER && value <= alpha))) {
            return value;
        }
    }
    /* Against an open window no pass can fail high. */
    if (may_null && depth >= 3 && !in_check && isfinite(beta) && has_pieces(p)) {
        hz_position passed;
        hz_chess_pass(p, &passed);
        float score = -enhanced(w, &passed, depth - 3, -beta, -beta + 1.0F, ply + 1, false);
        if (w->status != HZ_OK) {
            return 0.0F;
        }
        if (score >= beta) {
            return beta;
        }
    }
    order_enhanced(w, p, &list, first, ply);
    float best = -INFINITY, original = alpha;
    hz_move best_move = 0;
    for (int i = 0; i < list.count; i++) {
        hz_position child;
        hz_chess_play(p, list.moves[i], &child);
        float score;
        if (i == 0) {
            score = -enhanced(w, &child, depth - 1, -beta, -alpha, ply + 1, true);
        } else {
            score = -enhanced(w, &child, depth - 1, -alpha - 1.0F, -alpha, ply + 1, true);
            if (score > alpha && score < beta && w->status == HZ_OK) {
                score = -enhanced(w, &child, depth - 1, -beta, -alpha, ply + 1, true);
            }
        }
        if (w->status != HZ_OK) {
            return 0.0F;
        }
        if (score > best) {
            best = score;
            best_move = list.moves[i];
        }
        alpha = score > alpha ? score : alpha;
        if (score >= beta) {
            if (!tactical(list.moves[i])) {
                reward(w, p, list.moves[i], depth, ply);
            }
            break;
        }
    }
    *slot = (entry){.key = p->key,
                    .value = to_node(best, ply),
                    .move = best_move,
                    .depth = (int8_t)depth,
                    .bound = (uint8_t)(best >= beta       ? LOWER
                                       : best <= original ? UPPER
                                                          : EXACT),
                    .used = true};
    return best;
}

/* ---- the root ------------------------------------------------------------------------------------- */

/* Whether the child would be the third occurrence of its position in the game. */
static bool third_time(const hz_chess_game *game, const hz_position *child) {
    uint64_t key = hz_chess_repetition_key(child);
    int before = 0;
    for (size_t i = 0; i <= game->count; i++) {
        before += game->keys[i] == key;
    }
    return before >= 2;
}

static float root_child(hz_league_player *w, const hz_chess_game *game, const hz_position *child,
                        bool has_best, float best) {
    if (!hz_chess_has_move(child)) {
        return hz_chess_in_check(child, (hz_color)child->side) ? (float)(HZ_LEAGUE_MATE - 1) : 0.0F;
    }
    if (drawn_by_board(child) || third_time(game, child)) {
        return 0.0F;
    }
    int depth = w->config.depth - 1;
    float beta = has_best ? -best : INFINITY;
    if (!w->config.enhanced) {
        /* Root scores are only compared with ">": the window below the best so far is enough. */
        return -classic(w, child, depth, -INFINITY, beta, 1);
    }
    if (!has_best) {
        return -enhanced(w, child, depth, -INFINITY, INFINITY, 1, true);
    }
    float score = -enhanced(w, child, depth, beta - 1.0F, beta, 1, true);
    if (score > best && w->status == HZ_OK) {
        score = -enhanced(w, child, depth, -INFINITY, beta, 1, true);
    }
    return score;
}

hz_status hz_league_player_choose(hz_league_player *player, const hz_chess_game *game,
                                  const hz_deadline *deadline, hz_league_choice *choice,
                                  hz_error *err) {
    hz_league_player *w = player;
    ordered list;
    w->deadline = deadline;
    w->status = HZ_OK;
    w->nodes = w->judgements = 0;
    list.count = hz_chess_moves(&game->now, list.moves);
    if (list.count == 0) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "the game is over");
    }
    order_plain(&game->now, &list);
    if (w->config.depth == 1) { /* none of these is cut off */
        prefetch(w, &game->now, list.moves, list.count);
    }
    bool has_best = false;
    float best = 0.0F;
    for (int i = 0; i < list.count && w->status == HZ_OK; i++) {
        hz_position child;
        hz_chess_play(&game->now, list.moves[i], &child);
        float score = root_child(w, game, &child, has_best, best);
        if (w->status == HZ_OK && (!has_best || score > best)) {
            has_best = true;
            best = score;
            choice->move = list.moves[i];
        }
    }
    if (w->status != HZ_OK) {
        choice->reason = w->reason;
        if (err) {
            *err = w->why;
        }
        return w->status;
    }
    choice->score = best;
    choice->nodes = w->nodes;
    choice->judgements = w->judgements;
    return HZ_OK;
}

hz_status hz_league_player_quiescence(hz_league_player *player, const hz_position *position,
                                      float *value, hz_error *err) {
    player->deadline = NULL;
    player->status = HZ_OK;
    *value = quiescence(player, position, -INFINITY, INFINITY, 0);
    if (player->status != HZ_OK && err) {
        *err = player->why;
    }
    return player->status;
}

/* ---- making ---------------------------------------------------------------------------------------- */

hz_league_player_config hz_league_baseline(int level) {
    hz_league_player_config config = {.depth = level, .enhanced = level >= 3};
    return config;
}

const char *hz_league_level_name(int level) {
    static const char *const names[HZ_LEAGUE_LEVELS] = {"Beginner", "Novice", "Advanced", "Expert"};
    return level >= 1 && level <= HZ_LEAGUE_LEVELS ? names[level - 1] : "";
}

hz_status hz_league_player_new(const hz_league_player_config *config, hz_league_player **player,
                               hz_error *err) {
    if (config->depth < 1 || config->depth > 16) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "depth: %d is not from 1 to 16",
                       config->depth);
    }
    hz_league_player *w = calloc(1, sizeof *w);
    if (w) {
        w->config = *config;
        if (!w->config.judge.judge) {
            w->config.judge.judge = judge_handcrafted;
        }
        w->table = config->enhanced ? calloc(TABLE, sizeof *w->table) : NULL;
        w->cache = config->cached ? calloc(CACHE, sizeof *w->cache) : NULL;
        w->settled = config->cached ? calloc(SETTLED, sizeof *w->settled) : NULL;
    }
    if (!w || (config->enhanced && !w->table) || (config->cached && (!w->cache || !w->settled))) {
        hz_league_player_free(w);
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a player");
    }
    *player = w;
    return HZ_OK;
}

void hz_league_player_free(hz_league_player *player) {
    if (player) {
        free(player->table);
        free(player->cache);
        free(player->settled);
        free(player);
    }
}

void hz_league_player_new_game(hz_league_player *player) {
    if (player->table) {
        memset(player->table, 0, TABLE * sizeof *player->table);
    }
    if (player->cache) { /* so that a game does not depend on those before it, whatever the judge */
        memset(player->cache, 0, CACHE * sizeof *player->cache);
        memset(player->settled, 0, SETTLED * sizeof *player->settled);
    }
    memset(player->killers, 0, sizeof player->killers);
    memset(player->history, 0, sizeof player->history);
}
