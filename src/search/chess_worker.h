/* SPDX-License-Identifier: MIT */
/*
 * One thread of a chess search: what it remembers between nodes, and the search they all share.
 */
#ifndef HAZARD_SEARCH_CHESS_WORKER_H
#define HAZARD_SEARCH_CHESS_WORKER_H

#include "search/chess_table.h"

enum {
    HZI_CHESS_STACK = 256,     /* plies, quiescence included */
    HZI_CHESS_CACHE = 1 << 15, /* evaluations a thread remembers */
    HZI_CHESS_INFINITE = HZ_CHESS_MATE + 1
};

/* Moves of a node with what orders them. */
typedef struct hzi_chess_list {
    int count, next;
    hz_move moves[HZ_CHESS_MOVES_MAX];
    int32_t order[HZ_CHESS_MOVES_MAX];
} hzi_chess_list;

typedef struct hzi_cached_score {
    uint64_t key; /* 0 = empty */
    int32_t score;
} hzi_cached_score;

typedef struct hzi_chess_worker {
    hz_chess_search *search;
    const hz_evaluator *evaluator;
    unsigned index;
    hz_status status; /* of the evaluator */
    _Atomic uint64_t nodes;
    uint64_t poll_at; /* nodes at which the clock is looked at next */
    int selective;    /* deepest ply of this iteration */
    /* The way from the root: repetition keys of the game and of the line, static scores. */
    size_t root_key; /* index of the root's key */
    size_t key_room;
    uint64_t *keys;
    int32_t scores[HZI_CHESS_STACK + 1];
    hz_move killers[HZI_CHESS_STACK + 1][2];
    int16_t history[2][64][64];
    hz_move replies[2][64][64]; /* quiet move that refuted the move before, by its squares */
    int pv_length[HZI_CHESS_STACK + 2];
    hz_move pv[HZI_CHESS_STACK + 2][HZ_CHESS_PLY_MAX];
    hzi_cached_score *cache;
    hz_position *batch; /* children to be judged together */
    int32_t *batch_scores;
    /* Root */
    size_t root_count;
    hz_move root_moves[HZ_CHESS_MOVES_MAX];
    size_t line_count;
    hz_chess_line *lines; /* best first */
    int completed;        /* depth */
} hzi_chess_worker;

struct hz_chess_search {
    hz_chess_search_config config;
    hz_evaluator handcrafted;
    hzi_chess_table table;
    hzi_chess_worker *workers; /* config.threads */
    int8_t reductions[64][64]; /* by depth and move number */
    /* Of the running search: */
    const hz_chess_limits *limits;
    uint64_t start_ns;
    _Atomic bool stop;
    _Atomic bool pondering;
    _Atomic uint64_t clock_start_ns; /* when the times began to count */
};

/* Whether the search must end now; looks at clock and flags. */
bool hzi_chess_search_over(hzi_chess_worker *w);
uint64_t hzi_chess_search_nodes(const hz_chess_search *search);

/* alpha_beta.c: value of a position for its side to move; 0 when the search is over. */
int32_t hzi_alpha_beta(hzi_chess_worker *w, const hz_position *p, int32_t alpha, int32_t beta,
                       int depth, int ply, hz_move before, bool may_null);
/* Searches the root moves from number `first` on (earlier ones belong to better lines); fills the
 * worker's pv[0]. */
int32_t hzi_search_root(hzi_chess_worker *w, const hz_position *p, int32_t alpha, int32_t beta,
                        int depth, size_t first);

/* quiescence.c */
int32_t hzi_quiescence(hzi_chess_worker *w, const hz_position *p, int32_t alpha, int32_t beta,
                       int ply);
/* The evaluator's word, remembered; cut to the range of evaluations. */
int32_t hzi_chess_static(hzi_chess_worker *w, const hz_position *p);
/* Judges the children of these moves in one batch, so that hzi_chess_static finds them. */
void hzi_chess_prefetch(hzi_chess_worker *w, const hz_position *p, const hz_move *moves, int count);

/* move_order.c */
void hzi_order_moves(const hzi_chess_worker *w, const hz_position *p, hzi_chess_list *list,
                     hz_move first, hz_move before, int ply);
void hzi_order_tactical(const hz_position *p, hzi_chess_list *list);
/* The best of those not taken yet, 0 at the end; *order (may be NULL) what it was worth. */
hz_move hzi_next_move(hzi_chess_list *list, int32_t *order);
void hzi_reward_quiet(hzi_chess_worker *w, const hz_position *p, hz_move move, hz_move before,
                      const hz_move *tried, int tried_count, int depth, int ply);

/* Orders from here up: captures and promotions that do not lose material. */
enum { HZI_ORDER_GOOD = 1 << 20, HZI_ORDER_BAD = -(1 << 20) };

static inline bool hzi_is_tactical(hz_move move) {
    return (hz_move_flags(move) & (HZ_MOVE_CAPTURE | HZ_MOVE_PROMOTION)) != 0;
}

/* A draw by the board or by repetition; not by stalemate. */
bool hzi_chess_drawn(const hzi_chess_worker *w, const hz_position *p, int ply, bool in_check);

#endif
