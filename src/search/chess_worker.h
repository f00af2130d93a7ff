/* SPDX-License-Identifier: MIT */
/*
 * One thread of a chess search: what it remembers between nodes, and the search they all share.
 * Everything that a node needs lies in arrays by ply, so that a search fits any thread's stack.
 */
#ifndef HAZARD_SEARCH_CHESS_WORKER_H
#define HAZARD_SEARCH_CHESS_WORKER_H

#include "search/chess_table.h"

enum {
    HZI_CHESS_STACK = 256,     /* plies, quiescence included */
    HZI_CHESS_CACHE = 1 << 15, /* evaluations a thread remembers */
    HZI_CHESS_THREADS = 256,   /* most threads of a search */
    HZI_CHESS_BATCH = 64,      /* positions an evaluator is asked for at once */
    HZI_CHESS_INFINITE = HZ_CHESS_MATE + 1
};

/* Moves of a node with what orders them. A key is an order and the move in one number: larger orders
 * first, equal ones by lower move code, so that the search does not depend on the generator. */
typedef struct hzi_chess_list {
    int count, next;
    hz_move moves[HZ_CHESS_MOVES_MAX]; /* as they were generated */
    int64_t keys[HZ_CHESS_MOVES_MAX];
} hzi_chess_list;

static inline int64_t hzi_order_key(int32_t order, hz_move move) {
    return (int64_t)order * 65536 + (65535 - move);
}
static inline int32_t hzi_key_order(int64_t key) {
    return (int32_t)(key >> 16);
}
static inline hz_move hzi_key_move(int64_t key) {
    return (hz_move)(65535 - (key & 65535));
}

typedef struct hzi_cached_score {
    uint64_t key; /* 0 = empty */
    int32_t score;
} hzi_cached_score;

typedef struct hzi_chess_worker {
    hz_chess_search *search;
    const hz_evaluator *evaluator;
    unsigned index;
    hz_status status;       /* of the evaluator */
    _Atomic uint64_t nodes; /* written by this thread only */
    int selective;          /* deepest ply of this iteration */
    /* When the clock is looked at next (by the first thread only), when the sum of the nodes. */
    uint64_t poll_at, poll_step, polled_ns, count_at;
    /* The way from the root: repetition keys of the game and of the line, lists, static scores. */
    size_t root_key; /* index of the root's key */
    size_t key_room;
    uint64_t *keys;
    hzi_chess_list *lists; /* HZI_CHESS_STACK + 1 of them */
    int32_t scores[HZI_CHESS_STACK + 2];
    hz_move killers[HZI_CHESS_STACK + 1][2];
    int16_t history[2][64][64];
    hz_move replies[2][64][64]; /* quiet move that refuted the move before, by its squares */
    int pv_length[HZI_CHESS_STACK + 2];
    hz_move pv[HZI_CHESS_STACK + 2][HZ_CHESS_PLY_MAX];
    hzi_cached_score *cache;
    hz_position *batch; /* HZI_CHESS_BATCH children to be judged together */
    size_t batch_most;  /* how many of them at once; less where a judgement is slow */
    /* Root */
    size_t root_count;
    hz_move root_moves[HZ_CHESS_MOVES_MAX];
    size_t line_count;
    hz_chess_line *lines; /* best first */
    int completed;        /* depth */
    int steady;           /* depths since the best move changed */
} hzi_chess_worker;

struct hz_chess_search {
    hz_chess_search_config config;
    hz_evaluator handcrafted;
    hzi_chess_table table;
    hzi_chess_worker *workers;  /* config.threads */
    uint8_t reductions[64][64]; /* by depth and move number */
    /* Of the running search: */
    const hz_chess_limits *limits;
    uint64_t start_ns;
    _Atomic bool stop;
    /* When the times began to count; used by the first thread only. */
    bool clock_runs;
    uint64_t clock_start_ns;
};

/* Whether the search must end now; looks at limits and flags. */
bool hzi_chess_search_over(hzi_chess_worker *w);
uint64_t hzi_chess_search_nodes(const hz_chess_search *search);

static inline bool hzi_chess_stopped(const hz_chess_search *s) {
    return atomic_load_explicit(&s->stop, memory_order_relaxed);
}

static inline void hzi_chess_stop(hz_chess_search *s) {
    atomic_store_explicit(&s->stop, true, memory_order_relaxed);
}

/* One writer: no need for a locked addition. */
static inline void hzi_chess_count_node(hzi_chess_worker *w, int ply) {
    uint64_t nodes = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    atomic_store_explicit(&w->nodes, nodes + 1, memory_order_relaxed);
    w->selective = ply > w->selective ? ply : w->selective;
}

/* alpha_beta.c: value of a position for its side to move; 0 when the search is over. */
int32_t hzi_alpha_beta(hzi_chess_worker *w, const hz_position *p, int32_t alpha, int32_t beta,
                       int depth, int ply, hz_move before, bool may_null);
/* Searches the root moves from number `first` on (earlier ones belong to better lines) and brings
 * the best one to place `first`; fills the worker's pv[0]. When the search was stopped: the best of
 * the moves that were finished, -HZI_CHESS_INFINITE without any. */
int32_t hzi_search_root(hzi_chess_worker *w, const hz_position *p, int32_t alpha, int32_t beta,
                        int depth, size_t first);
/* A draw by the board or by repetition; not by stalemate. */
bool hzi_chess_drawn(const hzi_chess_worker *w, const hz_position *p, int ply, bool in_check);
/* The line of a ply: this move and the line of the next ply. */
void hzi_note_pv(hzi_chess_worker *w, hz_move move, int ply);

/* quiescence.c */
int32_t hzi_quiescence(hzi_chess_worker *w, const hz_position *p, int32_t alpha, int32_t beta,
                       int ply);
/* The evaluator's word, remembered; cut to the range of evaluations. */
int32_t hzi_chess_static(hzi_chess_worker *w, const hz_position *p);
/* Judges the children of these moves together, so that hzi_chess_static finds them. */
void hzi_chess_prefetch(hzi_chess_worker *w, const hz_position *p, const hz_move *moves, int count);

/* move_order.c */
void hzi_order_moves(const hzi_chess_worker *w, const hz_position *p, hzi_chess_list *list,
                     hz_move first, hz_move before, int ply);
void hzi_order_tactical(const hz_position *p, hzi_chess_list *list);
/* The best of those not taken yet, 0 at the end; *order (may be NULL) what it was worth. */
hz_move hzi_next_move(hzi_chess_list *list, int32_t *order);
void hzi_reward_quiet(hzi_chess_worker *w, const hz_position *p, hz_move move, hz_move before,
                      const hz_move *tried, int tried_count, int depth, int ply);

/* Orders from GOOD up: captures and promotions that do not lose material; from KILLER_LEAST up to
 * there: quiet moves that refuted something. */
enum {
    HZI_ORDER_GOOD = 1 << 20,
    HZI_ORDER_KILLER = 1 << 19,
    HZI_ORDER_KILLER_LEAST = HZI_ORDER_KILLER - 2,
    HZI_ORDER_BAD = -(1 << 20)
};

static inline bool hzi_is_tactical(hz_move move) {
    return (hz_move_flags(move) & (HZ_MOVE_CAPTURE | HZ_MOVE_PROMOTION)) != 0;
}

#endif
