/* SPDX-License-Identifier: MIT */
/*
 * Threads that share the items of a task. Workers sleep on a condition until the number of the run
 * changes, then take items from one counter until it is used up; the caller does the same as worker
 * 0 and sleeps until the last of the others has left. The counter is the only thing touched per
 * item, everything else happens twice a run under the mutex, which also orders the memory.
 */
#include <hazard/base.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct worker {
    hz_thread_pool *pool;
    unsigned number; /* 1.. */
    pthread_t thread;
} worker;

struct hz_thread_pool {
    unsigned threads;
    unsigned started; /* threads there are, workers[0..started-1] */
    pthread_mutex_t mutex;
    pthread_cond_t begin, end;
    /* Under the mutex. */
    uint64_t run;    /* number of the present run */
    unsigned inside; /* workers that have not left it yet */
    bool closing;
    /* Of the present run; written before the workers are woken. */
    hz_thread_task task;
    void *context;
    size_t count;
    atomic_size_t next; /* item to take; never beyond count + threads */
    worker workers[];
};

static void take_items(hz_thread_pool *pool, unsigned number) {
    for (;;) {
        size_t index = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (index >= pool->count) {
            return;
        }
        pool->task(pool->context, index, number);
    }
}

static void *work(void *context) {
    worker *self = context;
    hz_thread_pool *pool = self->pool;
    uint64_t done = 0;
    (void)pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (pool->run == done && !pool->closing) {
            (void)pthread_cond_wait(&pool->begin, &pool->mutex);
        }
        if (pool->closing) {
            break;
        }
        done = pool->run;
        (void)pthread_mutex_unlock(&pool->mutex);
        take_items(pool, self->number);
        (void)pthread_mutex_lock(&pool->mutex);
        if (--pool->inside == 0) {
            (void)pthread_cond_signal(&pool->end);
        }
    }
    (void)pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

/* Signals are the business of the program's own threads. */
static bool start_workers(hz_thread_pool *pool) {
    sigset_t all, before;
    (void)sigfillset(&all);
    bool masked = pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
    bool good = true;
    while (good && pool->started + 1 < pool->threads) {
        worker *next = &pool->workers[pool->started];
        *next = (worker){.pool = pool, .number = pool->started + 1};
        good = pthread_create(&next->thread, NULL, work, next) == 0;
        pool->started += good;
    }
    if (masked) {
        (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    return good;
}

hz_status hz_thread_pool_new(unsigned threads, hz_thread_pool **pool, hz_error *err) {
    *pool = NULL;
    if (threads < 1 || threads > HZ_THREADS_MAX) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "threads: %u is not one of 1 to %d",
                       threads, (int)HZ_THREADS_MAX);
    }
    hz_thread_pool *made = calloc(1, sizeof *made + (threads - 1) * sizeof made->workers[0]);
    if (!made) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for threads");
    }
    made->threads = threads;
    atomic_init(&made->next, 0);
    if (pthread_mutex_init(&made->mutex, NULL) != 0) {
        goto no_mutex;
    }
    if (pthread_cond_init(&made->begin, NULL) != 0) {
        goto no_begin;
    }
    if (pthread_cond_init(&made->end, NULL) != 0) {
        goto no_end;
    }
    if (start_workers(made)) {
        *pool = made;
        return HZ_OK;
    }
    hz_thread_pool_free(made);
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "the system gives no more threads");
no_end:
    (void)pthread_cond_destroy(&made->begin);
no_begin:
    (void)pthread_mutex_destroy(&made->mutex);
no_mutex:
    free(made);
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for threads");
}

void hz_thread_pool_free(hz_thread_pool *pool) {
    if (!pool) {
        return;
    }
    (void)pthread_mutex_lock(&pool->mutex);
    pool->closing = true;
    (void)pthread_cond_broadcast(&pool->begin);
    (void)pthread_mutex_unlock(&pool->mutex);
    for (unsigned i = 0; i < pool->started; i++) {
        (void)pthread_join(pool->workers[i].thread, NULL);
    }
    (void)pthread_cond_destroy(&pool->end);
    (void)pthread_cond_destroy(&pool->begin);
    (void)pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

unsigned hz_thread_pool_threads(const hz_thread_pool *pool) {
    return pool ? pool->threads : 1;
}

void hz_thread_pool_run(hz_thread_pool *pool, size_t count, hz_thread_task task, void *context) {
    if (!pool || pool->started == 0 || count < 2) {
        for (size_t index = 0; index < count; index++) {
            task(context, index, 0);
        }
        return;
    }
    (void)pthread_mutex_lock(&pool->mutex);
    pool->task = task;
    pool->context = context;
    pool->count = count;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->inside = pool->started;
    pool->run++;
    (void)pthread_cond_broadcast(&pool->begin);
    (void)pthread_mutex_unlock(&pool->mutex);
    take_items(pool, 0);
    (void)pthread_mutex_lock(&pool->mutex);
    while (pool->inside > 0) {
        (void)pthread_cond_wait(&pool->end, &pool->mutex);
    }
    (void)pthread_mutex_unlock(&pool->mutex);
}
