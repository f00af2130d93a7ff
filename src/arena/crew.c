/* SPDX-License-Identifier: MIT */
/*
 * Handing out work and taking it back in order; see crew.h. A member is the pool of this rank or
 * another rank. Each holds a few items more than it has threads, so that nobody waits for the post;
 * none when items take long, or the last ones would queue behind one another.
 *
 * Between ranks a message is a head and bytes: hello (how many threads, what run), task, result,
 * failure, alive; in the end stop, bye and end (how many are lost), so that all know whether there
 * is somebody who cannot be waited for. What a lost rank held goes to others; should it come back after all (it had
 * been halted, or its messages were slow), it is given work again, and since the same item gives the
 * same bytes, a second copy is dropped.
 */
#include "arena/crew_pool.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LONG_ITEM_NS = 100000000, /* items that take longer are not handed out ahead */
    BRIEF_ITEM_NS = 4000000,  /* items that take less are handed out by the dozen */
    DOZEN = 12,               /* a thread */
    WINDOW = 64,              /* results beyond the next one to fold, at least */
    POLL_US = 500,            /* with ranks: how often the post is looked at */
    REST_US = 100000          /* without: how often the cancel flag is */
};
static const uint64_t BEAT_NS = 1000000000, LOST_NS = 60000000000;

typedef enum kind { HELLO = 1, TASK, RESULT, FAILURE, ALIVE, STOP, BYE, END } kind;

typedef struct head {
    uint64_t kind, item, identity;
    uint64_t threads;
} head;

typedef struct member {
    unsigned threads; /* 0 = not heard of yet */
    unsigned held;
    bool lost, local;
    bool told, left; /* to stop; that it has */
    uint64_t heard_ns;
} member;

typedef enum progress { WAITING, OUT, DONE } progress;

typedef struct slot {
    progress state;
    int member;
    char *bytes;
    size_t length;
} slot;

typedef struct desk {
    const hzi_crew_plan *plan;
    const hzi_crew_work *work;
    hzi_crew_outcome *outcome;
    hzi_pool *pool;
    hz_cancel drop;
    int member_count;
    member *members;
    uint64_t folded, next; /* items below are folded; below `next` were handed out once */
    size_t window;
    slot *slots;  /* of item i: i modulo window */
    size_t again; /* slots that are to be handed out once more */
    uint64_t done, begun_ns, beat_ns;
    bool stop;
} desk;

/* ---- the post ---- */

static uint64_t lost_after(const hz_ranks *ranks) {
    return ranks->lost_after_ns ? ranks->lost_after_ns : LOST_NS;
}

/* How often a rank says that it lives. */
static uint64_t beat(const hz_ranks *ranks) {
    uint64_t often = lost_after(ranks) / 8;
    return often < BEAT_NS ? often : BEAT_NS;
}

static hz_status post(hz_ranks *ranks, int to, const head *h, const void *bytes, size_t length,
                      hz_error *err) {
    char *message = malloc(sizeof *h + length);
    if (!message) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a message");
    }
    memcpy(message, h, sizeof *h);
    if (length) {
        memcpy(message + sizeof *h, bytes, length);
    }
    hz_status status = ranks->send(ranks, to, message, sizeof *h + length, err);
    free(message);
    return status;
}

/* ---- one thread, no threads ---- */

static hz_status run_alone(const hzi_crew_plan *plan, const hzi_crew_work *work,
                           hzi_crew_outcome *outcome, hz_error *err) {
    void *state = NULL;
    hzi_text text = {0};
    bool stop = false;
    hz_status status = work->open(work->context, plan->cancel, &state, err);
    if (status != HZ_OK) {
        return status;
    }
    for (uint64_t item = plan->first; item < plan->end && !stop && status == HZ_OK; item++) {
        hzi_text_clear(&text);
        outcome->cancelled = hz_cancel_requested(plan->cancel);
        if (outcome->cancelled) {
            break;
        }
        status = work->work(work->context, state, item, &text, err);
        if (status == HZ_OK && text.failed) {
            status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a result");
        }
        if (status == HZ_OK) {
            status = work->fold(work->context, item, text.bytes, text.length, &stop, err);
        }
    }
    if (status == HZ_CANCELLED) {
        outcome->cancelled = true;
        status = HZ_OK;
    }
    hzi_text_fini(&text);
    work->close(work->context, state);
    return status;
}

/* ---- handing out ---- */

static unsigned capacity(const desk *d, const member *m) {
    uint64_t threads = 0;
    if (m->threads == 0 || m->lost) {
        return 0;
    }
    for (int i = 0; i < d->member_count; i++) {
        threads += d->members[i].lost ? 0 : d->members[i].threads;
    }
    if (d->done == 0) {
        return m->threads;
    }
    uint64_t item_ns = (hz_clock_now_ns() - d->begun_ns) / d->done * threads;
    return item_ns < BRIEF_ITEM_NS  ? DOZEN * m->threads
           : item_ns < LONG_ITEM_NS ? 2 * m->threads + 2
                                    : m->threads;
}

/* The next item to hand out, UINT64_MAX when there is none now. */
static uint64_t pick(desk *d) {
    if (d->again > 0) {
        for (uint64_t item = d->folded; item < d->next; item++) {
            slot *s = &d->slots[item % d->window];
            if (s->state == WAITING) {
                d->again--;
                return item;
            }
        }
    }
    if (d->next < d->plan->end && d->next < d->folded + d->window) {
        return d->next++;
    }
    return UINT64_MAX;
}

static void lose(desk *d, int index) {
    member *m = &d->members[index];
    m->lost = true;
    m->held = 0;
    d->outcome->ranks_lost++;
    for (uint64_t item = d->folded; item < d->next; item++) {
        slot *s = &d->slots[item % d->window];
        if (s->state == OUT && s->member == index) {
            s->state = WAITING;
            d->again++;
        }
    }
}

static hz_status hand_out(desk *d, hz_error *err) {
    hz_status status = HZ_OK;
    for (bool any = true; any && status == HZ_OK;) {
        any = false;
        for (int i = 0; i < d->member_count && status == HZ_OK; i++) {
            member *m = &d->members[i];
            uint64_t item = m->held < capacity(d, m) ? pick(d) : UINT64_MAX;
            if (item == UINT64_MAX) {
                continue;
            }
            slot *s = &d->slots[item % d->window];
            s->state = OUT;
            s->member = i;
            m->held++;
            any = true;
            if (m->local) {
                status = hzi_pool_put(d->pool, item, err);
            } else {
                head h = {.kind = TASK, .item = item};
                if (post(d->plan->ranks, i, &h, NULL, 0, NULL) != HZ_OK) {
                    lose(d, i);
                }
            }
        }
    }
    return status;
}

/* ---- taking back ---- */

/* Owns the bytes. */
static void take(desk *d, int from, uint64_t item, char *bytes, size_t length) {
    member *m = &d->members[from];
    m->held -= m->held > 0;
    if (item < d->folded || item >= d->next) {
        free(bytes);
        return;
    }
    slot *s = &d->slots[item % d->window];
    if (s->state == DONE) {
        free(bytes);
        return;
    }
    d->again -= s->state == WAITING;
    d->done++;
    *s = (slot){.state = DONE, .bytes = bytes, .length = length};
}

static hz_status fold(desk *d, hz_error *err) {
    hz_status status = HZ_OK;
    while (!d->stop && status == HZ_OK && d->folded < d->next) {
        slot *s = &d->slots[d->folded % d->window];
        if (s->state != DONE) {
            break;
        }
        status = d->work->fold(d->work->context, d->folded, s->bytes, s->length, &d->stop, err);
        free(s->bytes);
        *s = (slot){0};
        d->folded++;
    }
    return status;
}

static hz_status hear(desk *d, int from, const char *bytes, size_t length, hz_error *err) {
    head h;
    if (from <= 0 || from >= d->member_count || length < sizeof h) {
        return HZ_OK;
    }
    member *m = &d->members[from];
    memcpy(&h, bytes, sizeof h);
    m->heard_ns = hz_clock_now_ns();
    if (m->lost) {
        m->lost = false;
        d->outcome->ranks_lost--;
    }
    switch ((kind)h.kind) {
    case HELLO:
        if (h.identity != d->plan->identity) {
            return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                           "rank %d was started for another run", from);
        }
        m->threads = (unsigned)h.threads;
        d->outcome->ranks_workers += m->threads;
        break;
    case RESULT: {
        char *copy = malloc(length - sizeof h + 1);
        if (!copy) {
            return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a result");
        }
        memcpy(copy, bytes + sizeof h, length - sizeof h);
        copy[length - sizeof h] = '\0';
        take(d, from, h.item, copy, length - sizeof h);
        break;
    }
    case FAILURE:
        return hz_fail(err, (hz_status)(int64_t)h.item, HZ_NO_OFFSET, "rank %d: %.*s", from,
                       (int)(length - sizeof h), bytes + sizeof h);
    case BYE:
        m->left = true;
        break;
    default:
        break;
    }
    return HZ_OK;
}

static hz_status read_letters(desk *d, hz_error *err) {
    hz_ranks *ranks = d->plan->ranks;
    hz_status status = HZ_OK;
    for (bool got = true; got && status == HZ_OK;) {
        void *bytes = NULL;
        size_t length = 0;
        int from = 0;
        status = ranks->receive(ranks, &from, &bytes, &length, &got, err);
        if (status == HZ_OK && got) {
            status = hear(d, from, bytes, length, err);
            free(bytes);
        }
    }
    return status;
}

static hz_status read_post(desk *d, hz_error *err) {
    hz_ranks *ranks = d->plan->ranks;
    hz_status status = read_letters(d, err);
    uint64_t now = hz_clock_now_ns();
    bool say = now - d->beat_ns >= beat(ranks);
    for (int i = 1; i < d->member_count && status == HZ_OK; i++) {
        member *m = &d->members[i];
        head h = {.kind = ALIVE};
        if (!m->lost && (now - m->heard_ns > lost_after(ranks) ||
                         (say && post(ranks, i, &h, NULL, 0, NULL) != HZ_OK))) {
            lose(d, i);
        }
    }
    d->beat_ns = say ? now : d->beat_ns;
    return status;
}

/* ---- rank 0 ---- */

static hz_status desk_open(desk *d, hz_error *err) {
    const hzi_crew_plan *plan = d->plan;
    d->member_count = plan->ranks ? plan->ranks->size : 1;
    d->members = calloc((size_t)d->member_count, sizeof *d->members);
    d->window = WINDOW + 2 * (size_t)DOZEN * (size_t)plan->threads * (size_t)d->member_count;
    d->slots = calloc(d->window, sizeof *d->slots);
    if (!d->members || !d->slots) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for handing out work");
    }
    d->folded = d->next = plan->first;
    d->begun_ns = d->beat_ns = hz_clock_now_ns();
    for (int i = 0; i < d->member_count; i++) {
        d->members[i].heard_ns = d->begun_ns;
    }
    d->members[0].local = true;
    d->members[0].threads = plan->threads;
    return hzi_pool_new(plan->threads, d->work, &d->drop, &d->pool, err);
}

/* Whether a rank that was told to stop has done so, or is lost. */
static bool has_left(desk *d, int index, uint64_t now) {
    member *m = &d->members[index];
    head stop = {.kind = STOP};
    bool good = true;
    if (m->lost || m->left) {
        return true;
    }
    if (!m->told) {
        m->told = true;
        m->heard_ns = now;
        good = post(d->plan->ranks, index, &stop, NULL, 0, NULL) == HZ_OK;
    } else {
        good = now - m->heard_ns <= lost_after(d->plan->ranks);
    }
    if (!good) {
        lose(d, index);
    }
    return !good;
}

static void pause_briefly(void) {
    (void)nanosleep(&(struct timespec){.tv_nsec = 1000L * POLL_US}, NULL);
}

static void dismiss(desk *d) {
    for (bool all = false; !all;) {
        uint64_t now = hz_clock_now_ns();
        all = true;
        for (int i = 1; i < d->member_count; i++) {
            all = has_left(d, i, now) && all;
        }
        if (!all) {
            pause_briefly();
            (void)read_letters(d, NULL);
        }
    }
    head end = {.kind = END, .item = d->outcome->ranks_lost};
    for (int i = 1; i < d->member_count; i++) {
        if (!d->members[i].lost) {
            (void)post(d->plan->ranks, i, &end, NULL, 0, NULL);
        }
    }
}

static void desk_close(desk *d) {
    hz_cancel_request(&d->drop);
    if (d->members && d->slots && d->member_count > 1) {
        dismiss(d);
    }
    hzi_pool_free(d->pool);
    for (size_t i = 0; i < d->window && d->slots; i++) {
        free(d->slots[i].bytes);
    }
    free(d->slots);
    free(d->members);
}

static hz_status run_desk(desk *d, hz_error *err) {
    hz_ranks *ranks = d->plan->ranks && d->plan->ranks->size > 1 ? d->plan->ranks : NULL;
    hz_status status = desk_open(d, err);
    while (status == HZ_OK && !d->stop && d->folded < d->plan->end) {
        d->outcome->cancelled = hz_cancel_requested(d->plan->cancel);
        if (d->outcome->cancelled) {
            break;
        }
        status = hand_out(d, err);
        unsigned wait_us = ranks ? POLL_US : REST_US;
        for (bool got = true; got && status == HZ_OK; wait_us = 0) {
            hzi_pool_result result;
            status = hzi_pool_take(d->pool, wait_us, &result, &got, err);
            if (got) {
                take(d, 0, result.item, result.bytes, result.length);
            }
        }
        if (status == HZ_OK && ranks) {
            status = read_post(d, err);
        }
        if (status == HZ_OK) {
            status = fold(d, err);
        }
        if (d->work->idle) {
            d->work->idle(d->work->context);
        }
    }
    desk_close(d);
    return status;
}

/* ---- the other ranks ---- */

static hz_status send_results(const hzi_crew_plan *plan, hzi_pool *pool, hz_error *err) {
    hz_status status = HZ_OK;
    unsigned wait_us = POLL_US;
    for (bool got = true; got && status == HZ_OK; wait_us = 0) {
        hzi_pool_result result;
        status = hzi_pool_take(pool, wait_us, &result, &got, err);
        if (got) {
            head h = {.kind = RESULT, .item = result.item};
            status = post(plan->ranks, 0, &h, result.bytes, result.length, err);
            free(result.bytes);
        }
    }
    return status;
}

/* Says that this rank has stopped, and waits to hear how many are lost. */
static void take_leave(const hzi_crew_plan *plan, hzi_crew_outcome *outcome) {
    hz_ranks *ranks = plan->ranks;
    head h = {.kind = BYE};
    uint64_t until = hz_clock_now_ns() + lost_after(ranks);
    hz_status status = post(ranks, 0, &h, NULL, 0, NULL);
    while (status == HZ_OK && h.kind != END && hz_clock_now_ns() < until) {
        void *bytes = NULL;
        size_t length = 0;
        int from;
        bool got = false;
        status = ranks->receive(ranks, &from, &bytes, &length, &got, NULL);
        if (status == HZ_OK && got && from == 0 && length >= sizeof h) {
            memcpy(&h, bytes, sizeof h);
        } else if (!got) {
            pause_briefly();
        }
        free(bytes);
    }
    outcome->ranks_lost = h.kind == END ? (unsigned)h.item : 1;
}

static hz_status run_errand(const hzi_crew_plan *plan, const hzi_crew_work *work,
                            hzi_crew_outcome *outcome, hz_error *err) {
    hz_ranks *ranks = plan->ranks;
    hz_cancel drop = {0};
    hzi_pool *pool = NULL;
    head h = {.kind = HELLO, .identity = plan->identity, .threads = plan->threads};
    hz_error why;
    hz_status failure = hzi_pool_new(plan->threads, work, &drop, &pool, &why);
    hz_status status = post(ranks, 0, &h, NULL, 0, err);
    uint64_t beat_ns = hz_clock_now_ns(), heard_ns = beat_ns;
    bool failed = false, stop = false;
    while (status == HZ_OK && !stop) {
        if (failure == HZ_OK) {
            failure = send_results(plan, pool, &why);
        }
        if (failed) {
            pause_briefly();
        } else if (failure != HZ_OK) {
            head f = {.kind = FAILURE, .item = (uint64_t)(int64_t)failure};
            status = post(ranks, 0, &f, why.message, strlen(why.message), err);
            failed = true;
        }
        uint64_t now = hz_clock_now_ns();
        for (bool got = true; got && status == HZ_OK && !stop;) {
            void *bytes = NULL;
            size_t length = 0;
            int from;
            status = ranks->receive(ranks, &from, &bytes, &length, &got, err);
            if (status == HZ_OK && got && from == 0 && length >= sizeof h) {
                memcpy(&h, bytes, sizeof h);
                heard_ns = now;
                stop = h.kind == STOP;
                if (h.kind == TASK && !failed) {
                    status = hzi_pool_put(pool, h.item, err);
                }
            }
            free(bytes);
        }
        if (status == HZ_OK && now - beat_ns >= beat(ranks)) {
            h = (head){.kind = ALIVE};
            status = post(ranks, 0, &h, NULL, 0, err);
            beat_ns = now;
        }
        if (now - heard_ns > lost_after(ranks) && status == HZ_OK) {
            status = hz_fail(err, HZ_IO, HZ_NO_OFFSET, "rank 0 is not heard of any more");
        }
    }
    hz_cancel_request(&drop);
    hzi_pool_free(pool);
    outcome->ranks_lost = 1; /* this one, unless rank 0 says otherwise */
    if (stop) {
        take_leave(plan, outcome);
    }
    return status;
}

hz_status hzi_crew_run(const hzi_crew_plan *plan, const hzi_crew_work *work,
                       hzi_crew_outcome *outcome, hz_error *err) {
    bool alone = !plan->ranks || plan->ranks->size <= 1;
    *outcome = (hzi_crew_outcome){0};
    if (!alone && plan->ranks->rank != 0) {
        return run_errand(plan, work, outcome, err);
    }
    if (alone && plan->threads <= 1) {
        return run_alone(plan, work, outcome, err);
    }
    desk d = {.plan = plan, .work = work, .outcome = outcome};
    return run_desk(&d, err);
}
