/* SPDX-License-Identifier: MIT */
/*
 * Chess search from the outside: iterative deepening with aspiration windows, several lines,
 * limits, and helper threads that search the same position into the shared table, a little deeper
 * every other one, so that the calling thread finds more of its tree already done.
 */
#include "search/chess_worker.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int hz_chess_mate_in(int32_t score) {
    if (score > HZ_CHESS_SCORE_MAX) {
        return (HZ_CHESS_MATE - score + 1) / 2;
    }
    return score < -HZ_CHESS_SCORE_MAX ? -(HZ_CHESS_MATE + score + 1) / 2 : 0;
}

void hz_chess_wdl(int32_t score, int wdl[3]) {
    /* Even chances between 0 and +-100, a pawn ahead wins about half of the games. */
    double win = 1.0 / (1.0 + exp((100.0 - score) / 70.0));
    double loss = 1.0 / (1.0 + exp((100.0 + score) / 70.0));
    wdl[0] = (int)(1000.0 * win + 0.5);
    wdl[2] = (int)(1000.0 * loss + 0.5);
    wdl[1] = 1000 - wdl[0] - wdl[2];
}

void hz_chess_time(int64_t left_ms, int64_t increment_ms, int64_t moves_to_go, int64_t overhead_ms,
                   uint64_t *optimum_ns, uint64_t *maximum_ns) {
    int64_t usable = left_ms > overhead_ms ? left_ms - overhead_ms : 0;
    int64_t moves = moves_to_go > 0 ? (moves_to_go < 50 ? moves_to_go : 50) : 30;
    /* A control in one move may take nearly all; otherwise one move never takes most of the rest. */
    int64_t optimum = usable / (moves + 1) + increment_ms * 3 / 4;
    int64_t most = moves_to_go == 1 ? usable * 9 / 10 : usable / 3;
    int64_t maximum = optimum * 4 < most ? optimum * 4 : most;
    optimum = optimum < maximum ? optimum : maximum;
    *optimum_ns = (uint64_t)(optimum > 1 ? optimum : 1) * 1000000;
    *maximum_ns = (uint64_t)(maximum > 1 ? maximum : 1) * 1000000;
}

/* ---- making ------------------------------------------------------------------------------------- */

static bool worker_init(hzi_chess_worker *w, hz_chess_search *search, unsigned index) {
    w->search = search;
    w->index = index;
    w->evaluator =
        search->config.evaluators ? &search->config.evaluators[index] : &search->handcrafted;
    w->cache = calloc(HZI_CHESS_CACHE, sizeof *w->cache);
    w->batch = malloc(HZ_CHESS_MOVES_MAX * sizeof *w->batch);
    w->batch_scores = malloc(HZ_CHESS_MOVES_MAX * sizeof *w->batch_scores);
    w->lines = calloc(HZ_CHESS_MOVES_MAX, sizeof *w->lines);
    return w->cache && w->batch && w->batch_scores && w->lines;
}

hz_status hz_chess_search_new(const hz_chess_search_config *config, hz_chess_search **search,
                              hz_error *err) {
    if (config->threads > 256) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "threads: %u is more than 256",
                       config->threads);
    }
    hz_chess_search *s = calloc(1, sizeof *s);
    if (!s) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a search");
    }
    s->config = *config;
    s->config.threads = config->threads ? config->threads : 1;
    s->config.table_bytes = config->table_bytes ? config->table_bytes : (size_t)16 << 20;
    (void)hz_evaluator_static("handcrafted", &s->handcrafted, NULL);
    for (int d = 1; d < 64; d++) {
        for (int n = 1; n < 64; n++) {
            s->reductions[d][n] = (int8_t)(0.5 + log(d) * log(n) / 2.2);
        }
    }
    bool good = hzi_chess_table_init(&s->table, s->config.table_bytes);
    s->workers = calloc(s->config.threads, sizeof *s->workers);
    for (unsigned i = 0; good && s->workers && i < s->config.threads; i++) {
        good = worker_init(&s->workers[i], s, i);
    }
    if (!good || !s->workers) {
        hz_chess_search_free(s);
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET,
                       "no memory for a search with a table of %zu bytes and %u threads",
                       config->table_bytes, config->threads);
    }
    *search = s;
    return HZ_OK;
}

void hz_chess_search_free(hz_chess_search *search) {
    if (!search) {
        return;
    }
    for (unsigned i = 0; search->workers && i < search->config.threads; i++) {
        hzi_chess_worker *w = &search->workers[i];
        free(w->cache);
        free(w->batch);
        free(w->batch_scores);
        free(w->lines);
        free(w->keys);
    }
    free(search->workers);
    hzi_chess_table_fini(&search->table);
    free(search);
}

void hz_chess_search_clear(hz_chess_search *search) {
    hzi_chess_table_clear(&search->table);
    for (unsigned i = 0; i < search->config.threads; i++) {
        hzi_chess_worker *w = &search->workers[i];
        memset(w->cache, 0, HZI_CHESS_CACHE * sizeof *w->cache);
        memset(w->killers, 0, sizeof w->killers);
        memset(w->history, 0, sizeof w->history);
        memset(w->replies, 0, sizeof w->replies);
    }
}

/* ---- ending ------------------------------------------------------------------------------------- */

uint64_t hzi_chess_search_nodes(const hz_chess_search *search) {
    uint64_t nodes = 0;
    for (unsigned i = 0; i < search->config.threads; i++) {
        nodes += atomic_load_explicit(&search->workers[i].nodes, memory_order_relaxed);
    }
    return nodes;
}

/* How long the times have counted. */
static uint64_t counted_ns(const hz_chess_search *s) {
    if (atomic_load_explicit(&s->pondering, memory_order_acquire)) {
        return 0;
    }
    return hz_clock_now_ns() - atomic_load_explicit(&s->clock_start_ns, memory_order_relaxed);
}

bool hzi_chess_search_over(hzi_chess_worker *w) {
    hz_chess_search *s = w->search;
    if (atomic_load_explicit(&s->stop, memory_order_relaxed)) {
        return true;
    }
    uint64_t nodes = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    if (w->index > 0 || nodes < w->poll_at) {
        return false;
    }
    const hz_chess_limits *limits = s->limits;
    uint64_t total = s->config.threads > 1 ? hzi_chess_search_nodes(s) : nodes;
    uint64_t step = s->config.batched ? 32 : 512;
    if (limits->nodes && total + step > limits->nodes) {
        step = 1;
    }
    w->poll_at = nodes + step;
    bool over = (limits->nodes && total >= limits->nodes) || hz_cancel_requested(limits->cancel) ||
                (limits->maximum_ns && counted_ns(s) >= limits->maximum_ns);
    /* A first line is always finished, so that there is a move to play. */
    if (over && (w->completed > 0 || hz_cancel_requested(limits->cancel))) {
        atomic_store_explicit(&s->stop, true, memory_order_relaxed);
        return true;
    }
    return false;
}

void hz_chess_search_ponderhit(hz_chess_search *search) {
    atomic_store_explicit(&search->clock_start_ns, hz_clock_now_ns(), memory_order_relaxed);
    atomic_store_explicit(&search->pondering, false, memory_order_release);
}

/* ---- deepening ---------------------------------------------------------------------------------- */

static bool stopped(const hz_chess_search *s) {
    return atomic_load_explicit(&s->stop, memory_order_relaxed);
}

typedef struct reporting {
    hz_chess_report report;
    void *context;
} reporting;

static void report_line(const hzi_chess_worker *w, const reporting *to, unsigned number,
                        const hz_chess_line *line) {
    if (to && to->report) {
        hz_chess_info info = {.number = number,
                              .line = line,
                              .nodes = hzi_chess_search_nodes(w->search),
                              .elapsed_ns = hz_clock_now_ns() - w->search->start_ns,
                              .table_permille = hzi_chess_table_permille(&w->search->table)};
        to->report(to->context, &info);
    }
}

static void keep_line(hzi_chess_worker *w, hz_chess_line *line, int32_t score, hz_bound bound,
                      int depth) {
    line->score = score;
    line->bound = bound;
    line->depth = depth;
    line->selective_depth = w->selective > depth ? w->selective : depth;
    line->length = (size_t)w->pv_length[0];
    memcpy(line->moves, w->pv[0], line->length * sizeof line->moves[0]);
}

/* One line at one depth, its window opened until the value lies inside. */
static void search_line(hzi_chess_worker *w, const hz_position *p, int depth, size_t number,
                        const reporting *to) {
    hz_chess_line *line = &w->lines[number];
    int32_t alpha = -HZI_CHESS_INFINITE, beta = HZI_CHESS_INFINITE, width = 25;
    if (depth >= 5 && line->length > 0 && !(w->search->config.switches & HZ_CHESS_NO_ASPIRATION)) {
        alpha = line->score - width > alpha ? line->score - width : alpha;
        beta = line->score + width < beta ? line->score + width : beta;
    }
    for (;;) {
        w->selective = 0;
        int32_t score = hzi_search_root(w, p, alpha, beta, depth, number);
        if (stopped(w->search)) {
            /* A better first move found before the end is kept; its value is a lower bound. */
            if (w->pv_length[0] > 0 && score > alpha && score > -HZI_CHESS_INFINITE &&
                score < beta && w->pv[0][0] != 0) {
                keep_line(w, line, score, HZ_BOUND_LOWER, depth);
            }
            return;
        }
        if (score > alpha && score < beta) {
            keep_line(w, line, score, HZ_BOUND_EXACT, depth);
            return;
        }
        hz_chess_line open;
        keep_line(w, &open, score, score >= beta ? HZ_BOUND_LOWER : HZ_BOUND_UPPER, depth);
        if (open.length > 0 && hz_clock_now_ns() - w->search->start_ns > 1000000000) {
            report_line(w, to, (unsigned)number + 1, &open);
        }
        width *= 3;
        if (score >= beta) {
            beta = score + width < HZ_CHESS_SCORE_MAX ? score + width : HZI_CHESS_INFINITE;
        } else {
            alpha = score - width > -HZ_CHESS_SCORE_MAX ? score - width : -HZI_CHESS_INFINITE;
        }
    }
}

/* Lines in order of their values; equal ones keep their order. Root moves follow. */
static void sort_lines(hzi_chess_worker *w, size_t count) {
    for (size_t i = 1; i < count; i++) {
        for (size_t k = i; k > 0 && w->lines[k].score > w->lines[k - 1].score; k--) {
            hz_chess_line line = w->lines[k];
            w->lines[k] = w->lines[k - 1];
            w->lines[k - 1] = line;
            hz_move move = w->root_moves[k];
            w->root_moves[k] = w->root_moves[k - 1];
            w->root_moves[k - 1] = move;
        }
    }
}

/* Whether the calling thread is content before its hard limits are reached. */
static bool content(const hzi_chess_worker *w, int depth) {
    const hz_chess_limits *limits = w->search->limits;
    int mate = hz_chess_mate_in(w->lines[0].score);
    if (limits->mate && mate > 0 && mate <= limits->mate) {
        return true;
    }
    bool pondering = atomic_load_explicit(&w->search->pondering, memory_order_acquire);
    if (limits->optimum_ns && !pondering) {
        uint64_t gone = counted_ns(w->search);
        if (gone >= limits->optimum_ns * 6 / 10 || w->root_count == 1 ||
            (mate != 0 && depth > 4 * (mate < 0 ? -mate : mate))) {
            return true;
        }
    }
    return false;
}

static void deepen(hzi_chess_worker *w, const hz_position *p, const reporting *to) {
    const hz_chess_limits *limits = w->search->limits;
    int most = limits->depth > 0 && limits->depth < HZ_CHESS_PLY_MAX - 1 ? limits->depth
                                                                         : HZ_CHESS_PLY_MAX - 1;
    for (int depth = 1; depth <= most && !stopped(w->search); depth++) {
        int deeper = depth + (w->index % 2 && depth > 1 ? 1 : 0);
        for (size_t number = 0; number < w->line_count && !stopped(w->search); number++) {
            search_line(w, p, deeper, number, to);
        }
        if (stopped(w->search) && w->completed > 0) {
            /* Not all lines of this depth: those that were finished stand. */
            sort_lines(w, w->line_count);
            break;
        }
        sort_lines(w, w->line_count);
        w->completed = depth;
        for (size_t i = 0; i < w->line_count; i++) {
            report_line(w, to, (unsigned)i + 1, &w->lines[i]);
        }
        if (w->index == 0 && content(w, depth)) {
            break;
        }
    }
}

typedef struct helper {
    hzi_chess_worker *worker;
    const hz_position *position;
} helper;

static void *help(void *argument) {
    helper *h = argument;
    deepen(h->worker, h->position, NULL);
    return NULL;
}

/* Root moves as asked for, in the order of a first look at them. */
static size_t root_moves(const hz_position *p, const hz_chess_limits *limits, hz_move *moves) {
    hzi_chess_list list;
    list.count = hz_chess_moves(p, list.moves);
    hzi_order_tactical(p, &list);
    for (int i = 0; i < list.count; i++) {
        if (!hzi_is_tactical(list.moves[i])) {
            list.order[i] = 0;
        }
    }
    size_t count = 0;
    for (hz_move move; (move = hzi_next_move(&list, NULL)) != 0;) {
        bool wanted = limits->moves == NULL;
        for (size_t i = 0; limits->moves && i < limits->move_count; i++) {
            wanted = wanted || limits->moves[i] == move;
        }
        if (wanted) {
            moves[count++] = move;
        }
    }
    return count;
}

static hz_status prepare(hzi_chess_worker *w, const hz_chess_game *game,
                         const hz_chess_limits *limits, hz_error *err) {
    size_t need = game->count + 1 + HZI_CHESS_STACK + 2;
    if (need > w->key_room) {
        uint64_t *keys = realloc(w->keys, need * sizeof *keys);
        if (!keys) {
            return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a long game");
        }
        w->keys = keys;
        w->key_room = need;
    }
    memcpy(w->keys, game->keys, (game->count + 1) * sizeof *w->keys);
    w->root_key = game->count;
    w->status = HZ_OK;
    atomic_store_explicit(&w->nodes, 0, memory_order_relaxed);
    w->poll_at = 0;
    w->completed = 0;
    w->root_count = root_moves(&game->now, limits, w->root_moves);
    size_t lines = limits->lines ? limits->lines : 1;
    w->line_count = lines < w->root_count ? lines : w->root_count;
    for (size_t i = 0; i < w->line_count; i++) {
        w->lines[i].length = 0;
        w->lines[i].score = 0;
    }
    /* What was learnt in the search before fades. */
    for (int side = 0; side < 2; side++) {
        for (int from = 0; from < 64; from++) {
            for (int to = 0; to < 64; to++) {
                w->history[side][from][to] /= 2;
            }
        }
    }
    memset(w->killers, 0, sizeof w->killers);
    return HZ_OK;
}

hz_status hz_chess_search_run(hz_chess_search *search, const hz_chess_game *game,
                              const hz_chess_limits *limits, hz_chess_report report, void *context,
                              hz_chess_answer *answer, hz_error *err) {
    hz_chess_search *s = search;
    hz_position root = game->now;
    hz_position_set_pool(&root, 0);
    s->limits = limits;
    s->start_ns = hz_clock_now_ns();
    atomic_store_explicit(&s->stop, false, memory_order_relaxed);
    atomic_store_explicit(&s->clock_start_ns, s->start_ns, memory_order_relaxed);
    atomic_store_explicit(&s->pondering, limits->ponder, memory_order_relaxed);
    hzi_chess_table_age(&s->table);
    hz_status status = HZ_OK;
    for (unsigned i = 0; i < s->config.threads && status == HZ_OK; i++) {
        status = prepare(&s->workers[i], game, limits, err);
    }
    if (status != HZ_OK) {
        return status;
    }
    *answer = (hz_chess_answer){.has_move = s->workers[0].root_count > 0};
    if (!answer->has_move) {
        return HZ_OK;
    }
    pthread_t threads[256];
    helper helpers[256];
    unsigned started = 0;
    for (unsigned i = 1; i < s->config.threads; i++, started++) {
        helpers[started] = (helper){&s->workers[i], &root};
        if (pthread_create(&threads[started], NULL, help, &helpers[started]) != 0) {
            break; /* fewer threads, same answer */
        }
    }
    reporting to = {report, context};
    deepen(&s->workers[0], &root, &to);
    atomic_store_explicit(&s->stop, true, memory_order_relaxed);
    for (unsigned i = 0; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    for (unsigned i = 0; i < s->config.threads; i++) {
        if (s->workers[i].status != HZ_OK) {
            return hz_fail(err, s->workers[i].status, HZ_NO_OFFSET, "the evaluator '%s' failed: %s",
                           s->workers[i].evaluator->name, hz_status_text(s->workers[i].status));
        }
    }
    const hzi_chess_worker *w = &s->workers[0];
    answer->line = w->lines[0];
    if (answer->line.length == 0) { /* cancelled before anything was known */
        answer->line.moves[0] = w->root_moves[0];
        answer->line.length = 1;
    }
    answer->move = answer->line.moves[0];
    answer->ponder = answer->line.length > 1 ? answer->line.moves[1] : 0;
    answer->nodes = hzi_chess_search_nodes(s);
    answer->elapsed_ns = hz_clock_now_ns() - s->start_ns;
    return HZ_OK;
}
