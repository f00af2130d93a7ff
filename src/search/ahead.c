/* SPDX-License-Identifier: MIT */
/*
 * Rolls of root candidates valued in advance; see ahead.h.
 *
 * A task is one roll of one candidate, probed or valued. Its state goes from free to claimed to
 * done, under one mutex: a task lasts microseconds to seconds, so the lock is not what costs. What
 * the calling thread is busy with comes first (the rolls of the candidate whose main loop runs),
 * then what it will want for certain: the first candidate's rolls, then every probe. Without bounds
 * to wait for, all rolls of all candidates are wanted.
 */
#include "search/ahead.h"

#include <pthread.h>

/* Candidates that threads share; those behind are the calling thread's alone. Bounds the memory. */
enum { SHARED_MOST = 512 };

typedef enum task_state { FREE, CLAIMED, DONE } task_state;

typedef struct task {
    task_state state;
    union {
        hzi_probe probe;
        hzi_outcome value;
    } as;
    hzi_counts counts; /* what it took */
} task;

/* Tasks first..end-1; those before `next` are known not to be free. */
typedef struct range {
    size_t next, end;
} range;

struct hzi_ahead {
    hzi_root *root;
    void (*search)(hzi_root *root, hzi_ahead *ahead);
    size_t shared;   /* candidates */
    task *tasks;     /* values of all candidates by roll, then probes */
    hzi_node *nodes; /* by candidate */
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* a task is done, more is wanted, or it is over */
    range urgent;           /* rolls of the main loop that runs */
    range planned[2];
    hz_cancel over; /* raised when the answer is known */
    bool begun;
};

static size_t value_task(size_t candidate, int index) {
    return candidate * HZ_ROLLS + (size_t)index;
}

static size_t probe_task(const hzi_ahead *ahead, size_t candidate, int index) {
    return (ahead->shared + candidate) * HZ_ROLLS + (size_t)index;
}

/* ---- doing ---- */

static void perform(hzi_ahead *ahead, hzi_seeker *seeker, size_t number) {
    task *t = &ahead->tasks[number];
    size_t candidate = number / HZ_ROLLS;
    int index = (int)(number % HZ_ROLLS);
    hzi_counts before = seeker->counts;
    seeker->counts = (hzi_counts){0};
    if (candidate >= ahead->shared) {
        hzi_probe_roll(seeker, &ahead->nodes[candidate - ahead->shared], index, &t->as.probe);
    } else {
        const hzi_window open = {0};
        t->as.value = hzi_value_roll(seeker, &ahead->nodes[candidate], index, &open, NULL);
    }
    t->counts = seeker->counts;
    seeker->counts = before;
}

static void finish(hzi_ahead *ahead, task *t) {
    t->state = DONE;
    (void)pthread_cond_broadcast(&ahead->changed);
}

/* The result of a task, which this thread works out when nobody has begun it. */
static const task *take(hzi_ahead *ahead, hzi_seeker *seeker, size_t number) {
    task *t = &ahead->tasks[number];
    (void)pthread_mutex_lock(&ahead->mutex);
    if (t->state == FREE) {
        t->state = CLAIMED;
        (void)pthread_mutex_unlock(&ahead->mutex);
        perform(ahead, seeker, number);
        (void)pthread_mutex_lock(&ahead->mutex);
        finish(ahead, t);
    }
    while (t->state != DONE) {
        (void)pthread_cond_wait(&ahead->changed, &ahead->mutex);
    }
    (void)pthread_mutex_unlock(&ahead->mutex);
    seeker->counts.leaves += t->counts.leaves;
    seeker->counts.leaf_batches += t->counts.leaf_batches;
    seeker->counts.nodes += t->counts.nodes;
    return t;
}

/* Claims the first free task of a range. */
static task *claim(hzi_ahead *ahead, range *r) {
    for (; r->next < r->end; r->next++) {
        task *t = &ahead->tasks[r->next];
        if (t->state == FREE) {
            t->state = CLAIMED;
            r->next++;
            return t;
        }
    }
    return NULL;
}

static void help(hzi_ahead *ahead, hzi_seeker *seeker) {
    (void)pthread_mutex_lock(&ahead->mutex);
    while (!hz_cancel_requested(&ahead->over)) {
        task *t = claim(ahead, &ahead->urgent);
        t = t ? t : claim(ahead, &ahead->planned[0]);
        t = t ? t : claim(ahead, &ahead->planned[1]);
        if (!t) {
            (void)pthread_cond_wait(&ahead->changed, &ahead->mutex);
            continue;
        }
        (void)pthread_mutex_unlock(&ahead->mutex);
        perform(ahead, seeker, (size_t)(t - ahead->tasks));
        (void)pthread_mutex_lock(&ahead->mutex);
        finish(ahead, t);
    }
    (void)pthread_mutex_unlock(&ahead->mutex);
}

/* ---- asking ---- */

void hzi_ahead_begin(hzi_ahead *ahead, size_t candidate) {
    /* With two plies the rolls of a bounded node depend on their window. */
    if (ahead && candidate < ahead->shared &&
        (candidate == 0 || ahead->root->search->config.search_depth == 2)) {
        (void)pthread_mutex_lock(&ahead->mutex);
        ahead->urgent = (range){value_task(candidate, 0), value_task(candidate + 1, 0)};
        (void)pthread_cond_broadcast(&ahead->changed);
        (void)pthread_mutex_unlock(&ahead->mutex);
    }
}

void hzi_ahead_end(hzi_ahead *ahead) {
    if (ahead) {
        (void)pthread_mutex_lock(&ahead->mutex);
        ahead->urgent = (range){0};
        (void)pthread_mutex_unlock(&ahead->mutex);
    }
}

void hzi_ahead_probe(hzi_ahead *ahead, hzi_seeker *seeker, const hzi_node *node, size_t candidate,
                     int index, hzi_probe *probe) {
    if (candidate >= ahead->shared) {
        hzi_probe_roll(seeker, node, index, probe);
        return;
    }
    *probe = take(ahead, seeker, probe_task(ahead, candidate, index))->as.probe;
}

hzi_outcome hzi_ahead_value(hzi_ahead *ahead, hzi_seeker *seeker, const hzi_node *node,
                            size_t candidate, int index) {
    if (candidate >= ahead->shared) {
        const hzi_window open = {0};
        return hzi_value_roll(seeker, node, index, &open, NULL);
    }
    return take(ahead, seeker, value_task(candidate, index))->as.value;
}

/* ---- running ---- */

/* The pool gives worker 0 (the caller) the search and everybody else the helping. */
static void run(void *context, size_t item, unsigned worker) {
    hzi_ahead *ahead = context;
    (void)item;
    if (worker != 0) {
        help(ahead, &ahead->root->search->seekers[worker]);
    } else if (!ahead->begun) {
        ahead->begun = true;
        ahead->search(ahead->root, ahead);
        (void)pthread_mutex_lock(&ahead->mutex);
        hz_cancel_request(&ahead->over);
        (void)pthread_cond_broadcast(&ahead->changed);
        (void)pthread_mutex_unlock(&ahead->mutex);
    }
}

static void plan(hzi_ahead *ahead) {
    const hzi_root *root = ahead->root;
    size_t values = ahead->shared * HZ_ROLLS;
    bool bounded = !root->search->config.no_pruning && root->weight != 1.0;
    if (bounded) {
        ahead->planned[0] = (range){0, HZ_ROLLS};
        ahead->planned[1] = (range){values + HZ_ROLLS, 2 * values};
    } else {
        ahead->planned[0] = (range){0, values};
    }
}

bool hzi_ahead_run(hzi_root *root, void (*search)(hzi_root *root, hzi_ahead *ahead)) {
    hz_expectimax *owner = root->search;
    hzi_ahead ahead = {.root = root, .search = search};
    ahead.shared = root->count < SHARED_MOST ? root->count : SHARED_MOST;
    size_t tasks = 2 * ahead.shared * HZ_ROLLS;
    hz_arena_reset(&owner->ahead);
    ahead.tasks = hz_arena_alloc(&owner->ahead, tasks * sizeof *ahead.tasks);
    ahead.nodes = hz_arena_alloc(&owner->ahead, ahead.shared * sizeof *ahead.nodes);
    if (!ahead.tasks || !ahead.nodes || pthread_mutex_init(&ahead.mutex, NULL) != 0) {
        return false;
    }
    if (pthread_cond_init(&ahead.changed, NULL) != 0) {
        (void)pthread_mutex_destroy(&ahead.mutex);
        return false;
    }
    for (size_t i = 0; i < tasks; i++) {
        ahead.tasks[i].state = FREE;
    }
    for (size_t i = 0; i < ahead.shared; i++) {
        ahead.nodes[i] =
            (hzi_node){.position = root->after[i], .plies = owner->config.search_depth - 1};
        hzi_node_open(&ahead.nodes[i]);
    }
    for (unsigned i = 1; i < owner->threads; i++) {
        owner->seekers[i].stop = &ahead.over;
        owner->seekers[i].table = NULL; /* at most the root has one, and that is the caller's */
    }
    plan(&ahead);
    hz_thread_pool_run(owner->pool, owner->threads, run, &ahead);
    (void)pthread_cond_destroy(&ahead.changed);
    (void)pthread_mutex_destroy(&ahead.mutex);
    return true;
}
