/* SPDX-License-Identifier: MIT */
/* Threads with a queue in front and a queue behind; see crew_pool.h. */
#include "arena/crew_pool.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct node {
    struct node *next;
    hzi_pool_result result; /* in front only the item's number */
} node;

typedef struct queue {
    node *first, *last;
    size_t length;
} queue;

struct hzi_pool {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    queue in, out;
    bool closing;
    hz_status status; /* the first failure */
    hz_error failure;
    const hzi_crew_work *job;
    const hz_cancel *drop;
    unsigned running;
    pthread_t threads[HZ_THREADS_MAX];
};

static void push(queue *q, node *n) {
    n->next = NULL;
    if (q->last) {
        q->last->next = n;
    } else {
        q->first = n;
    }
    q->last = n;
    q->length++;
}

static node *pop(queue *q) {
    node *n = q->first;
    if (n) {
        q->first = n->next;
        q->last = q->first ? q->last : NULL;
        q->length--;
    }
    return n;
}

static void empty(queue *q) {
    for (node *n = pop(q); n; n = pop(q)) {
        free(n->result.bytes);
        free(n);
    }
}

/* With the lock held. */
static void fail(hzi_pool *pool, hz_status status, const hz_error *err) {
    if (pool->status == HZ_OK) {
        pool->status = status;
        pool->failure = *err;
    }
    (void)pthread_cond_signal(&pool->done);
}

static void *thread(void *argument) {
    hzi_pool *pool = argument;
    void *state = NULL;
    hz_error err;
    hz_error_clear(&err);
    hz_status status = pool->job->open(pool->job->context, pool->drop, &state, &err);
    bool opened = status == HZ_OK;
    (void)pthread_mutex_lock(&pool->lock);
    while (status == HZ_OK && !pool->closing) {
        node *n = pop(&pool->in);
        if (!n) {
            (void)pthread_cond_wait(&pool->work, &pool->lock);
            continue;
        }
        (void)pthread_mutex_unlock(&pool->lock);
        hzi_text text = {0};
        status = pool->job->work(pool->job->context, state, n->result.item, &text, &err);
        if (status == HZ_OK && text.failed) {
            status = hz_fail(&err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a result");
        }
        (void)pthread_mutex_lock(&pool->lock);
        if (status == HZ_OK) {
            n->result.bytes = text.bytes;
            n->result.length = text.length;
            push(&pool->out, n);
            /* Whoever waits is woken when there are as many results as items left to do: two
             * switches of threads for each of many brief items cost more than it saves. */
            if (pool->in.length <= pool->out.length) {
                (void)pthread_cond_signal(&pool->done);
            }
        } else {
            hzi_text_fini(&text);
            free(n);
        }
    }
    if (status != HZ_OK && status != HZ_CANCELLED) {
        fail(pool, status, &err);
    }
    (void)pthread_mutex_unlock(&pool->lock);
    if (opened) {
        pool->job->close(pool->job->context, state);
    }
    return NULL;
}

hz_status hzi_pool_new(unsigned threads, const hzi_crew_work *work, const hz_cancel *drop,
                       hzi_pool **made, hz_error *err) {
    hzi_pool *pool = calloc(1, sizeof *pool);
    pthread_condattr_t monotonic;
    sigset_t all, before;
    *made = NULL;
    if (!pool) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for %u workers", threads);
    }
    pool->job = work;
    pool->drop = drop;
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_mutex_init(&pool->lock, NULL);
    (void)pthread_cond_init(&pool->work, NULL);
    (void)pthread_cond_init(&pool->done, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    /* Signals are for the thread that called. */
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->running < threads &&
           pthread_create(&pool->threads[pool->running], NULL, thread, pool) == 0) {
        pool->running++;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pool->running < threads) {
        hzi_pool_free(pool);
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "the system gives no %u threads", threads);
    }
    *made = pool;
    return HZ_OK;
}

void hzi_pool_free(hzi_pool *pool) {
    if (!pool) {
        return;
    }
    (void)pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    (void)pthread_cond_broadcast(&pool->work);
    (void)pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->running; i++) {
        (void)pthread_join(pool->threads[i], NULL);
    }
    empty(&pool->in);
    empty(&pool->out);
    (void)pthread_cond_destroy(&pool->done);
    (void)pthread_cond_destroy(&pool->work);
    (void)pthread_mutex_destroy(&pool->lock);
    free(pool);
}

hz_status hzi_pool_put(hzi_pool *pool, uint64_t item, hz_error *err) {
    node *n = calloc(1, sizeof *n);
    if (!n) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for an item of work");
    }
    n->result.item = item;
    (void)pthread_mutex_lock(&pool->lock);
    push(&pool->in, n);
    (void)pthread_cond_signal(&pool->work);
    (void)pthread_mutex_unlock(&pool->lock);
    return HZ_OK;
}

static struct timespec after_us(unsigned us) {
    struct timespec at;
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += (long)(us % 1000000) * 1000;
    at.tv_sec += us / 1000000 + at.tv_nsec / 1000000000;
    at.tv_nsec %= 1000000000;
    return at;
}

hz_status hzi_pool_take(hzi_pool *pool, unsigned wait_us, hzi_pool_result *result, bool *got,
                        hz_error *err) {
    hz_status status = HZ_OK;
    (void)pthread_mutex_lock(&pool->lock);
    if (!pool->out.first && pool->status == HZ_OK && wait_us > 0) {
        struct timespec until = after_us(wait_us);
        while (!pool->out.first && pool->status == HZ_OK &&
               pthread_cond_timedwait(&pool->done, &pool->lock, &until) != ETIMEDOUT) {
        }
    }
    node *n = pop(&pool->out);
    *got = n != NULL;
    if (n) {
        *result = n->result;
    } else if (pool->status != HZ_OK) {
        status = pool->status;
        if (err) {
            *err = pool->failure;
        }
    }
    (void)pthread_mutex_unlock(&pool->lock);
    free(n);
    return status;
}
