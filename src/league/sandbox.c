/* SPDX-License-Identifier: MIT */
/*
 * The parent's side of the sandbox: starts the child from the program's own image with nothing but
 * one socket, talks to it in frames with a time limit, ends it.
 */
#define _GNU_SOURCE /* SOCK_CLOEXEC */

#include "league/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Frames from the child are small; a longer one is nonsense. */
enum { ANSWER_MAX = 8192, SLICE_MS = 50, ENVIRONMENT_MAX = 8 };
static const uint64_t SEND_NS = 10000000000u, START_NS = 60000000000u;

struct hzi_sandbox {
    pid_t child; /* 0 = waited for */
    int socket;
    int end; /* of waitpid */
    size_t held;
    size_t taken; /* of the latest frame handed out */
    unsigned char buffer[ANSWER_MAX];
};

/* ---- starting -------------------------------------------------------------------------------------- */

/* What the child may know of our environment: where libraries are, how sanitizers behave. ONNX Runtime
 * is told to keep to itself what it runs. */
static void environment(char *quiet, char *kept[ENVIRONMENT_MAX + 1]) {
    static const char *const NAMES[] = {"HAZARD_ONNXRUNTIME=", "LD_LIBRARY_PATH=", "ASAN_OPTIONS=",
                                        "UBSAN_OPTIONS=",      "TSAN_OPTIONS=",    "LD_PRELOAD="};
    extern char **environ;
    size_t n = 0;
    kept[n++] = quiet;
    for (char **at = environ; at && *at && n < ENVIRONMENT_MAX; at++) {
        for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
            if (strncmp(*at, NAMES[i], strlen(NAMES[i])) == 0) {
                kept[n++] = *at;
                break;
            }
        }
    }
    kept[n] = NULL;
}

/* Between fork and exec: only calls that are safe there. */
static void become(const char *program, int descriptor, char *const *env) {
    char name[] = "hazard", league[] = "league", verb[] = "runner";
    char *const arguments[] = {name, league, verb, NULL};
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(descriptor, STDIN_FILENO) != STDIN_FILENO) {
        _exit(126);
    }
    hzi_close_others(STDIN_FILENO);
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
#endif
    (void)execve(program, arguments, env);
    _exit(127);
}

static hz_status start(hzi_sandbox *s, const hz_league_limits *limits, hz_error *err) {
    int ends[2];
    char *env[ENVIRONMENT_MAX + 1], quiet[] = "ORT_DISABLE_TELEMETRY=1";
    environment(quiet, env);
    const char *program = limits->program ? limits->program : "/proc/self/exe";
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return hz_fail(err, HZ_IO, HZ_NO_OFFSET, "no socket for the child: %s", strerror(errno));
    }
    s->child = fork();
    if (s->child == 0) {
        become(program, ends[1], env);
    }
    int why = errno;
    (void)close(ends[1]);
    if (s->child < 0) {
        s->child = 0;
        (void)close(ends[0]);
        return hz_fail(err, HZ_IO, HZ_NO_OFFSET, "no child process: %s", strerror(why));
    }
    s->socket = ends[0];
    (void)fcntl(s->socket, F_SETFL, O_NONBLOCK);
    return HZ_OK;
}

hz_status hzi_sandbox_open(const hz_league_limits *limits, uint64_t processor_s,
                           hzi_sandbox **sandbox, hz_error *err) {
    hzi_sandbox *s = calloc(1, sizeof *s);
    if (!s) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    s->socket = -1;
    hzi_set_limits set;
    memset(&set, 0, sizeof set);
    set.memory_bytes = limits->memory_bytes;
    set.position_ms = limits->position_ms;
    set.parameters = limits->parameters;
    set.processor_s = processor_s;
    set.runtime = !limits->executor || strcmp(limits->executor, "onnxruntime") == 0;
    if (limits->executor) {
        (void)snprintf(set.executor, sizeof set.executor, "%.15s", limits->executor);
    }
    hz_status status = start(s, limits, err);
    if (status == HZ_OK) {
        int kind = 0;
        const unsigned char *content = NULL;
        size_t length = 0;
        char text[300];
        hzi_reply reply = HZI_REPLY_GONE;
        if (hzi_sandbox_send(s, HZI_SET_LIMITS, &set, sizeof set, NULL, 0)) {
            reply = hzi_sandbox_receive(s, hz_clock_now_ns() + START_NS, NULL, &kind, &content,
                                        &length);
        }
        if (reply == HZI_REPLY && kind == HZI_UNSAFE) {
            hzi_sandbox_text(content, length, text, sizeof text);
            status = hz_fail(err, HZ_UNSUPPORTED, HZ_NO_OFFSET, "no sandbox: %s", text);
        } else if (reply != HZI_REPLY || kind != HZI_READY) {
            if (reply == HZI_REPLY_GONE) {
                (void)hzi_sandbox_end_text(s, text, sizeof text);
            } else {
                (void)snprintf(text, sizeof text, "no answer");
            }
            status = hz_fail(err, HZ_IO, HZ_NO_OFFSET, "the child could not be started: %s", text);
        }
    }
    if (status != HZ_OK) {
        hzi_sandbox_close(s);
        return status;
    }
    *sandbox = s;
    return HZ_OK;
}

/* ---- ending ---------------------------------------------------------------------------------------- */

static void wait_for(hzi_sandbox *s) {
    while (s->child > 0 && waitpid(s->child, &s->end, 0) < 0 && errno == EINTR) {
    }
    s->child = 0;
}

void hzi_sandbox_close(hzi_sandbox *sandbox) {
    if (!sandbox) {
        return;
    }
    if (sandbox->child > 0) {
        (void)kill(sandbox->child, SIGKILL);
        wait_for(sandbox);
    }
    if (sandbox->socket >= 0) {
        (void)close(sandbox->socket);
    }
    free(sandbox);
}

size_t hzi_sandbox_end_text(hzi_sandbox *sandbox, char *buffer, size_t capacity) {
    if (sandbox->child > 0) {
        /* It closed its side: it is ending, or never will by itself. */
        uint64_t until = hz_clock_now_ns() + 200000000u;
        pid_t got = 0;
        while (got == 0 && hz_clock_now_ns() < until) {
            got = waitpid(sandbox->child, &sandbox->end, WNOHANG);
            if (got == 0) {
                (void)poll(NULL, 0, 1);
            }
        }
        if (got == 0) {
            (void)kill(sandbox->child, SIGKILL);
            wait_for(sandbox);
        }
        sandbox->child = 0;
    }
    int n;
    if (WIFSIGNALED(sandbox->end)) {
        int number = WTERMSIG(sandbox->end);
        n = snprintf(buffer, capacity, "killed by signal %d%s", number,
                     number == SIGSEGV   ? " (a wrong memory access)"
                     : number == SIGXCPU ? " (its processor time was over)"
                     : number == SIGABRT ? " (it gave up)"
                     : number == SIGKILL ? " (killed)"
                                         : "");
    } else {
        n = snprintf(buffer, capacity, "ended with exit status %d", WEXITSTATUS(sandbox->end));
    }
    return n < 0 ? 0 : (size_t)n;
}

/* ---- frames ---------------------------------------------------------------------------------------- */

/* Waits until the socket can be written or read; false when the time is over. */
static bool ready(const hzi_sandbox *s, short what, uint64_t at_ns, const hz_cancel *cancel) {
    for (;;) {
        uint64_t now = hz_clock_now_ns();
        if (hz_cancel_requested(cancel)) {
            return false;
        }
        uint64_t left_ms = now >= at_ns ? 0 : (at_ns - now + 999999) / 1000000;
        struct pollfd wait = {.fd = s->socket, .events = what};
        int got = poll(&wait, 1, left_ms > SLICE_MS ? SLICE_MS : (int)left_ms);
        if (got > 0) {
            return true;
        }
        if (left_ms == 0) {
            return false;
        }
    }
}

static bool send_all(hzi_sandbox *s, const void *from, size_t length, uint64_t at_ns) {
    const unsigned char *at = from;
    while (length > 0) {
        ssize_t put = send(s->socket, at, length, MSG_NOSIGNAL);
        if (put > 0) {
            at += put;
            length -= (size_t)put;
        } else if (put < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (!ready(s, POLLOUT, at_ns, NULL)) {
                return false;
            }
        } else if (put == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool hzi_sandbox_send(hzi_sandbox *sandbox, int kind, const void *head, size_t head_length,
                      const void *body, size_t body_length) {
    uint64_t until = hz_clock_now_ns() + SEND_NS, length = 1 + head_length + body_length;
    unsigned char begin[5] = {(unsigned char)(length & 255), (unsigned char)(length >> 8 & 255),
                              (unsigned char)(length >> 16 & 255),
                              (unsigned char)(length >> 24 & 255), (unsigned char)kind};
    return send_all(sandbox, begin, sizeof begin, until) &&
           (!head_length || send_all(sandbox, head, head_length, until)) &&
           (!body_length || send_all(sandbox, body, body_length, until));
}

/* The length of the frame at the beginning of the buffer with its four bytes; 0 = not known yet. */
static size_t frame_length(const hzi_sandbox *s) {
    if (s->held < 4) {
        return 0;
    }
    return 4 + ((size_t)s->buffer[0] | (size_t)s->buffer[1] << 8 | (size_t)s->buffer[2] << 16 |
                (size_t)s->buffer[3] << 24);
}

hzi_reply hzi_sandbox_receive(hzi_sandbox *sandbox, uint64_t at_ns, const hz_cancel *cancel,
                              int *kind, const unsigned char **content, size_t *length) {
    hzi_sandbox *s = sandbox;
    memmove(s->buffer, s->buffer + s->taken, s->held - s->taken);
    s->held -= s->taken;
    s->taken = 0;
    for (;;) {
        size_t whole = frame_length(s);
        if (whole > sizeof s->buffer || whole == 4) {
            return HZI_REPLY_NONSENSE;
        }
        if (whole > 0 && s->held >= whole) {
            *kind = s->buffer[4];
            *content = s->buffer + 5;
            *length = whole - 5;
            s->taken = whole;
            return HZI_REPLY;
        }
        if (!ready(s, POLLIN, at_ns, cancel)) {
            return hz_cancel_requested(cancel) ? HZI_REPLY_CANCELLED : HZI_REPLY_LATE;
        }
        ssize_t got = recv(s->socket, s->buffer + s->held, sizeof s->buffer - s->held, 0);
        if (got > 0) {
            s->held += (size_t)got;
        } else if (got == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) {
            return HZI_REPLY_GONE;
        }
    }
}

void hzi_sandbox_text(const unsigned char *content, size_t length, char *buffer, size_t capacity) {
    size_t n = 0;
    for (size_t i = 0; i < length && content[i] && n + 1 < capacity; i++) {
        buffer[n++] = content[i] >= 32 && content[i] < 127 ? (char)content[i] : '?';
    }
    buffer[n] = '\0';
}
