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

/* ---- making ------------------------------------------------------------------------------------- */

static bool worker_init(hzi_chess_worker *w, hz_chess_search *search, unsigned index) {
    w->search = search;
    w->index = index;
    w->evaluator =
        search->config.evaluators ? &search->config.evaluators[index] : &search->handcrafted;
    w->cache = calloc(HZI_CHESS_CACHE, sizeof *w->cache);
    w->batch = malloc(HZI_CHESS_BATCH * sizeof *w->batch);
    w->batch_most = HZI_CHESS_BATCH / 8; /* grows while batches are quick */
    w->lists = malloc((HZI_CHESS_STACK + 1) * sizeof *w->lists);
    w->lines = calloc(HZ_CHESS_MOVES_MAX, sizeof *w->lines);
    return w->cache && w->batch && w->lists && w->lines;
}

hz_status hz_chess_search_new(const hz_chess_search_config *config, hz_chess_search **search,
                              hz_error *err) {
    if (config->threads > HZI_CHESS_THREADS) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "threads: %u is more than %d",
                       config->threads, HZI_CHESS_THREADS);
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
            s->reductions[d][n] = (uint8_t)(0.5 + log(d) * log(n) / 2.2);
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
        free(w->lists);
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

/* How long the times have counted at `now`. */
static uint64_t counted_ns(hz_chess_search *s, uint64_t now) {
    if (!s->clock_runs) {
        if (!hz_cancel_requested(s->limits->hit)) {
            return 0;
        }
        s->clock_runs = true;
        s->clock_start_ns = now;
    }
    return now - s->clock_start_ns;
}

/* Looks at the clock and chooses when to look again: twice in a millisecond or so, whatever a node
 * costs. */
static bool late(hzi_chess_worker *w, uint64_t nodes) {
    enum { OFTEN_NS = 250000, SELDOM_NS = 500000, STEP_MOST = 4096 };
    uint64_t now = hz_clock_now_ns(), gone = now - w->polled_ns;
    if (gone > SELDOM_NS && w->poll_step > 1) {
        w->poll_step /= 2;
    } else if (gone < OFTEN_NS && w->poll_step < STEP_MOST) {
        w->poll_step *= 2;
    }
    w->polled_ns = now;
    w->poll_at = nodes + w->poll_step;
    return counted_ns(w->search, now) >= w->search->limits->maximum_ns;
}

bool hzi_chess_search_over(hzi_chess_worker *w) {
    enum { COUNT_STEP = 64 }; /* of several threads, each looks at the sum that often */
    hz_chess_search *s = w->search;
    if (hzi_chess_stopped(s)) {
        return true;
    }
    const hz_chess_limits *limits = s->limits;
    uint64_t nodes = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    bool over = limits->cancel && hz_cancel_requested(limits->cancel);
    if (limits->nodes && s->config.threads == 1) {
        over = over || nodes >= limits->nodes;
    } else if (limits->nodes && nodes >= w->count_at) {
        over = over || hzi_chess_search_nodes(s) >= limits->nodes;
        w->count_at = nodes + COUNT_STEP;
    }
    /* The first thread looks at the clock for all. */
    if (limits->maximum_ns && w->index == 0 && !over && nodes >= w->poll_at) {
        over = late(w, nodes);
    }
    if (over) {
        hzi_chess_stop(s);
    }
    return over;
}

/* ---- deepening ---------------------------------------------------------------------------------- */

typedef struct reporting {
    hz_chess_report report;
    void *context;
    bool due; /* the first line has changed since it was said */
} reporting;

static void report_line(const hzi_chess_worker *w, reporting *to, unsigned number,
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

/* A bound on a line whose search goes on for long is worth saying. */
static void report_bound(hzi_chess_worker *w, reporting *to, size_t number, int32_t score,
                         hz_bound bound, int depth) {
    enum { LONG_NS = 1000000000 };
    if (to && to->report && hz_clock_now_ns() - w->search->start_ns > LONG_NS) {
        hz_chess_line open;
        keep_line(w, &open, score, bound, depth);
        report_line(w, to, (unsigned)number + 1, &open);
    }
}

/* One line at one depth, its window opened until the value lies inside. */
static void search_line(hzi_chess_worker *w, const hz_position *p, int depth, size_t number,
                        reporting *to) {
    hz_chess_line *line = &w->lines[number];
    int32_t alpha = -HZI_CHESS_INFINITE, beta = HZI_CHESS_INFINITE, width = 25;
    if (depth >= 5 && line->length > 0 && !(w->search->config.switches & HZ_CHESS_NO_ASPIRATION)) {
        alpha = line->score - width > alpha ? line->score - width : alpha;
        beta = line->score + width < beta ? line->score + width : beta;
    }
    for (;;) {
        w->selective = 0;
        int32_t score = hzi_search_root(w, p, alpha, beta, depth, number);
        bool stopped = hzi_chess_stopped(w->search), low = score <= alpha;
        if (!low) {
            /* Stopped, too: what was found is better than what had been best until then. A value
             * above the window is kept until the next search knows better. */
            keep_line(w, line, score, stopped || score >= beta ? HZ_BOUND_LOWER : HZ_BOUND_EXACT,
                      depth);
            if (to && number == 0) {
                to->due = true;
            }
        }
        if (stopped || (!low && score < beta)) {
            return;
        }
        report_bound(w, to, number, score, low ? HZ_BOUND_UPPER : HZ_BOUND_LOWER, depth);
        width *= 3;
        if (low) {
            alpha = score - width > -HZ_CHESS_SCORE_MAX ? score - width : -HZI_CHESS_INFINITE;
        } else {
            beta = score + width < HZ_CHESS_SCORE_MAX ? score + width : HZI_CHESS_INFINITE;
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
    /* A best move that stays the same needs less confirmation; percent of the optimum. */
    static const uint64_t share[] = {100, 75, 60, 50, 45};
    hz_chess_search *s = w->search;
    const hz_chess_limits *limits = s->limits;
    int mate = hz_chess_mate_in(w->lines[0].score);
    if (limits->mate && mate > 0 && mate <= limits->mate) {
        return true;
    }
    if (!limits->optimum_ns) {
        return false;
    }
    uint64_t gone = counted_ns(s, hz_clock_now_ns());
    if (!s->clock_runs) {
        return false; /* pondering */
    }
    return gone >= limits->optimum_ns / 100 * share[w->steady < 4 ? w->steady : 4] ||
           w->root_count == 1 || (mate != 0 && depth > 4 * (mate < 0 ? -mate : mate));
}

static void deepen(hzi_chess_worker *w, const hz_position *p, reporting *to) {
    const hz_chess_limits *limits = w->search->limits;
    int most = limits->depth > 0 && limits->depth < HZ_CHESS_PLY_MAX - 1 ? limits->depth
                                                                         : HZ_CHESS_PLY_MAX - 1;
    for (int depth = 1; depth <= most; depth++) {
        hz_move best = w->lines[0].length > 0 ? w->lines[0].moves[0] : 0;
        int deeper = depth + (w->index % 2 && depth > 1 ? 1 : 0);
        for (size_t number = 0; number < w->line_count && !hzi_chess_stopped(w->search); number++) {
            search_line(w, p, deeper, number, to);
        }
        if (hzi_chess_stopped(w->search)) {
            break; /* the first line, finished or not, holds the best that is known */
        }
        sort_lines(w, w->line_count);
        w->completed = depth;
        w->steady = w->lines[0].moves[0] == best ? w->steady + 1 : 0;
        for (size_t i = 0; to && i < w->line_count; i++) {
            report_line(w, to, (unsigned)i + 1, &w->lines[i]);
            to->due = false;
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

static int by_text(const void *a, const void *b) {
    return (int)hz_move_text_order(*(const hz_move *)a) -
           (int)hz_move_text_order(*(const hz_move *)b);
}

/* Root moves as asked for, in the order of a first look at them: captures that do not lose, quiet
 * moves, the rest; equal ones by their texts. */
static size_t root_moves(hzi_chess_worker *w, const hz_position *p, const hz_chess_limits *limits) {
    hzi_chess_list *list = &w->lists[0];
    list->count = hz_chess_moves(p, list->moves);
    qsort(list->moves, (size_t)list->count, sizeof list->moves[0], by_text);
    hzi_order_tactical(p, list);
    int32_t orders[HZ_CHESS_MOVES_MAX];
    size_t count = 0;
    for (int i = 0; i < list->count; i++) {
        bool wanted = limits->moves == NULL;
        for (size_t k = 0; limits->moves && k < limits->move_count; k++) {
            wanted = wanted || limits->moves[k] == list->moves[i];
        }
        if (!wanted) {
            continue;
        }
        int32_t order = hzi_is_tactical(list->moves[i]) ? hzi_key_order(list->keys[i]) : 0;
        size_t place = count++;
        for (; place > 0 && orders[place - 1] < order; place--) {
            orders[place] = orders[place - 1];
            w->root_moves[place] = w->root_moves[place - 1];
        }
        orders[place] = order;
        w->root_moves[place] = list->moves[i];
    }
    return count;
}

static hz_status prepare(hzi_chess_worker *w, const hz_chess_game *game, const hz_position *root,
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
    w->poll_at = w->count_at = 0;
    w->poll_step = 64;
    w->polled_ns = w->search->start_ns;
    w->completed = 0;
    w->steady = 0;
    w->root_count = root_moves(w, root, limits);
    size_t lines = limits->lines ? limits->lines : 1;
    w->line_count = lines < w->root_count ? lines : w->root_count;
    memset(w->lines, 0, w->line_count * sizeof *w->lines);
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

/* The search itself, with as many helpers as can be started: fewer threads, same answer. */
static void search_all(hz_chess_search *s, const hz_position *root, reporting *to) {
    pthread_t threads[HZI_CHESS_THREADS];
    helper helpers[HZI_CHESS_THREADS];
    unsigned started = 0;
    for (unsigned i = 1; i < s->config.threads; i++, started++) {
        helpers[started] = (helper){&s->workers[i], root};
        if (pthread_create(&threads[started], NULL, help, &helpers[started]) != 0) {
            break;
        }
    }
    deepen(&s->workers[0], root, to);
    hzi_chess_stop(s);
    for (unsigned i = 0; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
    }
}

hz_status hz_chess_search_run(hz_chess_search *search, const hz_chess_game *game,
                              const hz_chess_limits *limits, hz_chess_report report, void *context,
                              hz_chess_answer *answer, hz_error *err) {
    hz_chess_search *s = search;
    hz_position root = game->now;
    hz_position_set_pool(&root, 0);
    s->limits = limits;
    s->start_ns = hz_clock_now_ns();
    s->clock_runs = limits->hit == NULL;
    s->clock_start_ns = s->start_ns;
    atomic_store_explicit(&s->stop, false, memory_order_relaxed);
    hzi_chess_table_age(&s->table);
    for (unsigned i = 0; i < s->config.threads; i++) {
        hz_status status = prepare(&s->workers[i], game, &root, limits, err);
        if (status != HZ_OK) {
            return status;
        }
    }
    hzi_chess_worker *w = &s->workers[0];
    *answer = (hz_chess_answer){.has_move = w->root_count > 0};
    if (!answer->has_move) {
        return HZ_OK;
    }
    reporting to = {report, context, false};
    search_all(s, &root, &to);
    for (unsigned i = 0; i < s->config.threads; i++) {
        if (s->workers[i].status != HZ_OK) {
            return hz_fail(err, s->workers[i].status, HZ_NO_OFFSET, "the evaluator '%s' failed: %s",
                           s->workers[i].evaluator->name, hz_status_text(s->workers[i].status));
        }
    }
    if (to.due) {
        report_line(w, &to, 1, &w->lines[0]);
    }
    answer->line = w->lines[0];
    if (answer->line.length == 0) { /* ended before anything was known */
        answer->line.moves[0] = w->root_moves[0];
        answer->line.length = 1;
        answer->line.bound = HZ_BOUND_LOWER;
        answer->line.score = -HZ_CHESS_MATE;
    }
    answer->move = answer->line.moves[0];
    answer->ponder = answer->line.length > 1 ? answer->line.moves[1] : 0;
    answer->nodes = hzi_chess_search_nodes(s);
    answer->elapsed_ns = hz_clock_now_ns() - s->start_ns;
    return HZ_OK;
}
