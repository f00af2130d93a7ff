/* SPDX-License-Identifier: MIT */
/*
 * Messages between ranks by MPI. Sending never waits: what is under way is kept until it is done,
 * for a rank that does not answer must not hold up the others. MPI as it is defined ends the whole
 * job when a process dies; an Open MPI that was started with --enable-recovery lets the others go
 * on, and then the run does, too.
 *
 * A build without MPI refuses to be one of several: each would play everything.
 */
#include "cli/ranks.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ---- silence ---- */

static int kept_stderr = -1; /* while this process is silent */
static bool joined;

/* Known before MPI is begun; 0 for a process that is alone. */
static long rank_of_environment(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *rank = getenv(names[i]);
        if (rank) {
            return strtol(rank, NULL, 10);
        }
    }
    return 0;
}

void hzc_ranks_hush(const hzc_command *command) {
    if (!command->shared || rank_of_environment() <= 0) {
        return;
    }
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        kept_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
        (void)dup2(nowhere, STDERR_FILENO);
        (void)close(nowhere);
    }
}

bool hzc_ranks_hushed(void) {
    return kept_stderr >= 0;
}

void hzc_ranks_let_speak(int code) {
    enum { PATIENCE_S = 5 };
    if (code > HZC_NO && hzc_ranks_hushed() && !joined) {
        (void)nanosleep(&(struct timespec){.tv_sec = PATIENCE_S}, NULL);
    }
}

#ifdef HAZARD_MPI

#include <limits.h>
#include <mpi.h>
#include <string.h>

enum { TAG = 1, PRESENT_TAG, ROLL_TAG };

/* Seconds. */
static const double START_PATIENCE = 120, END_PATIENCE = 60, NO_END = 1e18,
                    FIRST_RANK_PATIENCE = 600;

typedef struct sending {
    struct sending *next;
    MPI_Request request;
    char bytes[];
} sending;

bool hzc_ranks_available(void) {
    return true;
}

static hz_status broken(hz_error *err, const char *what) {
    return hz_fail(err, HZ_IO, HZ_NO_OFFSET, "%s another rank failed", what);
}

/* Forgets what has arrived. */
static void clean(hz_ranks *ranks) {
    sending **at = (sending **)(void *)&ranks->state;
    while (*at) {
        sending *s = *at;
        int done = 0;
        if (MPI_Test(&s->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done) {
            *at = s->next;
            free(s);
        } else {
            at = &s->next;
        }
    }
}

/* What is sent is waited for by clean(), one test at a time. */
/* NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker) */
static hz_status send_bytes(hz_ranks *ranks, int to, const void *bytes, size_t length,
                            hz_error *err) {
    clean(ranks);
    if (length > INT_MAX) {
        return hz_fail(err, HZ_UNSUPPORTED, HZ_NO_OFFSET, "a message of %zu bytes", length);
    }
    sending *s = malloc(sizeof *s + length);
    if (!s) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a message");
    }
    memcpy(s->bytes, bytes, length);
    if (MPI_Isend(s->bytes, (int)length, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &s->request) !=
        MPI_SUCCESS) {
        free(s);
        return broken(err, "sending to");
    }
    s->next = ranks->state;
    ranks->state = s;
    return HZ_OK;
}
/* NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker) */

static hz_status receive_bytes(hz_ranks *ranks, int *from, void **bytes, size_t *length, bool *got,
                               hz_error *err) {
    MPI_Status status;
    int found = 0, count = 0;
    *bytes = NULL;
    *got = false;
    clean(ranks);
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &found, &status) != MPI_SUCCESS) {
        return broken(err, "listening to");
    }
    if (!found) {
        return HZ_OK;
    }
    if (MPI_Get_count(&status, MPI_BYTE, &count) != MPI_SUCCESS || count < 0) {
        return broken(err, "listening to");
    }
    *bytes = malloc((size_t)count + 1);
    if (!*bytes) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a message");
    }
    if (MPI_Recv(*bytes, count, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE) != MPI_SUCCESS) {
        free(*bytes);
        *bytes = NULL;
        return broken(err, "listening to");
    }
    *from = status.MPI_SOURCE;
    *length = (size_t)count;
    *got = true;
    return HZ_OK;
}

/* ---- joining and leaving ---- */

/* Not everybody who has MPI wants it: without a starter there is nobody to join. */
static bool started_by_mpi(void) {
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") || getenv("PMIX_RANK");
}

static void speak(void) {
    if (kept_stderr >= 0) {
        (void)dup2(kept_stderr, STDERR_FILENO);
        (void)close(kept_stderr);
        kept_stderr = -1;
    }
}

int hzc_ranks_open(hzc_ranks *ranks, const hzc_args *args) {
    int provided = 0, rank = 0, size = 1;
    *ranks = (hzc_ranks){.ranks = {.size = 1}};
    if (!started_by_mpi()) {
        return HZC_DONE;
    }
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_FUNNELED) {
        return hzc_complain(args, HZC_ENVIRONMENT, "MPI cannot be begun");
    }
    ranks->running = joined = true;
    (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    ranks->ranks =
        (hz_ranks){.rank = rank, .size = size, .send = send_bytes, .receive = receive_bytes};
    return HZC_DONE;
}

/* ---- roll call ---- */

/*
 * Collective operations of MPI wait for dead ranks for ever. Here every rank tells rank 0 that it is
 * there, and rank 0 tells all who came, so that nobody waits longer than he wants to.
 */
typedef struct roll {
    int worst, first; /* exit codes: the worst of all, that of rank 0 */
    int missing;      /* a rank that is not there, or -1 */
} roll;

/* Waits for a message with this tag; false when there is none until `end`. */
static bool arrived(int from, int tag, uint64_t end, MPI_Status *status) {
    long pause_ns = 100000;
    int found = 0;
    while (MPI_Iprobe(from, tag, MPI_COMM_WORLD, &found, status) == MPI_SUCCESS && !found) {
        if (hz_clock_now_ns() >= end) {
            return false;
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
        pause_ns = pause_ns < 20000000 ? pause_ns * 2 : pause_ns;
    }
    return found != 0;
}

static uint64_t end_of(double patience_s) {
    uint64_t now = hz_clock_now_ns();
    return patience_s >= NO_END ? UINT64_MAX : now + (uint64_t)(patience_s * 1e9);
}

/* Rank 0: who comes? The others are told; a short message never waits for its reader. */
static roll call_roll(const hz_ranks *ranks, int code, double patience_s) {
    roll result = {.worst = code, .first = code, .missing = -1};
    bool *there = calloc((size_t)ranks->size, sizeof *there);
    uint64_t end = end_of(patience_s);
    MPI_Status status;
    for (int left = ranks->size - 1; there && left > 0; left--) {
        int other = 0;
        if (!arrived(MPI_ANY_SOURCE, PRESENT_TAG, end, &status) ||
            MPI_Recv(&other, 1, MPI_INT, status.MPI_SOURCE, PRESENT_TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE) != MPI_SUCCESS) {
            break;
        }
        there[status.MPI_SOURCE] = true;
        result.worst = other > result.worst ? other : result.worst;
    }
    for (int i = 1; i < ranks->size && result.missing < 0; i++) {
        result.missing = there && there[i] ? -1 : i;
    }
    for (int i = 1; i < ranks->size; i++) {
        if (there && there[i]) {
            (void)MPI_Send(&result, (int)(sizeof result / sizeof(int)), MPI_INT, i, ROLL_TAG,
                           MPI_COMM_WORLD);
        }
    }
    free(there);
    return result;
}

static roll answer_roll(int code, double patience_s) {
    roll result = {.worst = code, .first = code, .missing = 0};
    MPI_Status status;
    if (MPI_Send(&code, 1, MPI_INT, 0, PRESENT_TAG, MPI_COMM_WORLD) != MPI_SUCCESS ||
        !arrived(0, ROLL_TAG, end_of(patience_s), &status) ||
        MPI_Recv(&result, (int)(sizeof result / sizeof(int)), MPI_INT, 0, ROLL_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE) != MPI_SUCCESS) {
        result = (roll){.worst = code, .first = code, .missing = 0};
    }
    return result;
}

/* first_s: how long the others wait for rank 0. */
static bool gather(hzc_ranks *ranks, double patience_s, double first_s, int *code) {
    if (!ranks->running || ranks->apart) {
        return !ranks->apart;
    }
    roll result = ranks->ranks.rank == 0 ? call_roll(&ranks->ranks, *code, patience_s)
                                         : answer_roll(*code, first_s);
    if (result.missing >= 0) {
        return false;
    }
    *code = result.worst;
    if (result.first == HZC_DONE) {
        speak();
    }
    return true;
}

bool hzc_ranks_gather(hzc_ranks *ranks, double patience_s, int *code) {
    /* Rank 0 may have much to do before it comes; it is waited for as long as the job lives. */
    return gather(ranks, patience_s, NO_END, code);
}

int hzc_ranks_agree(hzc_ranks *ranks, const hzc_args *args, int code) {
    if (ranks->apart || hzc_ranks_gather(ranks, START_PATIENCE, &code)) {
        return code;
    }
    ranks->apart = true;
    return hzc_complain(args, HZC_ENVIRONMENT, "another rank is gone");
}

void hzc_ranks_part(hzc_ranks *ranks) {
    ranks->apart = true;
}

void hzc_ranks_close(hzc_ranks *ranks, bool lost) {
    if (!ranks->running) {
        return;
    }
    lost = lost || ranks->apart;
    /* What is still under way; without lost ranks there is somebody to take it. */
    for (int tries = lost ? 200 : 1000; ranks->ranks.state && tries > 0; tries--) {
        clean(&ranks->ranks);
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    int code = HZC_DONE;
    if (!lost && gather(ranks, END_PATIENCE, FIRST_RANK_PATIENCE, &code)) {
        (void)MPI_Finalize(); /* waits for all ranks, for ever if need be */
    }
    ranks->running = false;
    speak();
}

#else

bool hzc_ranks_available(void) {
    return false;
}

int hzc_ranks_open(hzc_ranks *ranks, const hzc_args *args) {
    static const char *const signs[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    *ranks = (hzc_ranks){.ranks = {.size = 1}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *size = getenv(signs[i]);
        if (size && strtol(size, NULL, 10) > 1) {
            return hzc_complain(args, HZC_ENVIRONMENT,
                                "this build knows no MPI and cannot share a run with other ranks");
        }
    }
    return HZC_DONE;
}

int hzc_ranks_agree(hzc_ranks *ranks, const hzc_args *args, int code) {
    (void)ranks, (void)args;
    return code;
}

bool hzc_ranks_gather(hzc_ranks *ranks, double patience_s, int *code) {
    (void)ranks, (void)patience_s, (void)code;
    return true;
}

void hzc_ranks_part(hzc_ranks *ranks) {
    (void)ranks;
}

void hzc_ranks_close(hzc_ranks *ranks, bool lost) {
    (void)ranks, (void)lost;
}

#endif
