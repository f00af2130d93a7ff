/* SPDX-License-Identifier: MIT */
/*
 * Child processes: starting one, lines to and from it, and ending it for good.
 *
 * The streams are socket pairs, because sending to a socket whose other end is gone can be told not
 * to raise SIGPIPE. posix_spawn does the starting: it reports a program that is not there, and it is
 * safe in a process with threads.
 */
#define _GNU_SOURCE /* killpg */
#include "arena/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { SLICE_MS = 100, FIRST_FREE = 3 };

/* ---- words -------------------------------------------------------------------------------------- */

hz_status hzi_words_split(const char *text, hzi_words *words, hz_error *err) {
    size_t length = strlen(text);
    *words = (hzi_words){0};
    /* A word takes a byte and a blank at least. */
    words->word = calloc(length / 2 + 2, sizeof *words->word);
    words->memory = malloc(length + 1);
    if (!words->word || !words->memory) {
        hzi_words_fini(words);
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a command");
    }
    char *out = words->memory, quote = '\0';
    size_t opened = 0;
    bool inside = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (((unsigned char)c < ' ' && c != '\t') || c == 127) {
            hzi_words_fini(words);
            return hz_fail(err, HZ_INVALID_ARGUMENT, i, "a control character in a command");
        }
        bool blank = c == ' ' || c == '\t';
        if (quote == '\0' && blank) {
            if (inside) {
                *out++ = '\0';
                inside = false;
            }
            continue;
        }
        if (!inside) {
            words->word[words->count++] = out;
            inside = true;
        }
        if (quote == '\0' && (c == '\'' || c == '"')) {
            quote = c;
            opened = i;
        } else if (c == quote) {
            quote = '\0';
        } else if (c == '\\' && quote != '\'') {
            if (i + 1 == length) {
                hzi_words_fini(words);
                return hz_fail(err, HZ_INVALID_ARGUMENT, i, "nothing stands behind this '\\'");
            }
            *out++ = text[++i];
        } else {
            *out++ = c;
        }
    }
    if (quote != '\0') {
        hzi_words_fini(words);
        return hz_fail(err, HZ_INVALID_ARGUMENT, opened, "this quote is not closed");
    }
    if (inside) {
        *out = '\0';
    }
    return HZ_OK;
}

void hzi_words_fini(hzi_words *words) {
    free(words->word);
    free(words->memory);
    *words = (hzi_words){0};
}

/* ---- starting ----------------------------------------------------------------------------------- */

/* A descriptor above those of the standard streams, which the child's must not land on. */
static int move_up(int fd) {
    if (fd < 0 || fd >= FIRST_FREE) {
        return fd;
    }
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE);
    (void)close(fd);
    return moved;
}

/* ours[0], theirs[1]. */
static bool make_pair(int pair[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        pair[0] = pair[1] = -1;
        return false;
    }
    pair[0] = move_up(pair[0]);
    pair[1] = move_up(pair[1]);
    return pair[0] >= 0 && pair[1] >= 0 && fcntl(pair[0], F_SETFL, O_NONBLOCK) == 0;
}

static void close_fd(int *fd) {
    if (*fd >= 0) {
        (void)close(*fd);
    }
    *fd = -1;
}

/* Signals as a program expects them, whatever this process does with its own. */
static int plain_signals(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    (void)sigemptyset(&none);
    (void)sigfillset(&all);
    (void)sigdelset(&all, SIGKILL);
    (void)sigdelset(&all, SIGSTOP);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    error = error ? error : posix_spawnattr_setsigdefault(attributes, &all);
    error = error ? error : posix_spawnattr_setpgroup(attributes, 0);
    return error ? error
                 : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK |
                                                            POSIX_SPAWN_SETSIGDEF |
                                                            POSIX_SPAWN_SETPGROUP);
}

static int spawn(pid_t *pid, char *const *argv, int in, int out) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (error) {
        (void)posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    error = plain_signals(&attributes);
    error = error ? error : posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    error = error ? error : posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    error =
        error ? error
              : posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    error = error ? error : posix_spawnp(pid, argv[0], &actions, &attributes, argv, environ);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

hz_status hzi_child_start(hzi_child *child, char *const *argv, hz_error *err) {
    int in[2] = {-1, -1}, out[2] = {-1, -1}, error = 0;
    *child = (hzi_child){.in = -1, .out = -1};
    child->buffer = malloc(HZI_CHILD_LINE_MAX + 1);
    if (!child->buffer) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a child process");
    }
    if (!make_pair(in) || !make_pair(out)) {
        error = errno;
    } else {
        error = spawn(&child->pid, argv, in[1], out[1]);
    }
    close_fd(&in[1]);
    close_fd(&out[1]);
    if (error) {
        close_fd(&in[0]);
        close_fd(&out[0]);
        free(child->buffer);
        *child = (hzi_child){.in = -1, .out = -1};
        return hz_fail(err, HZ_PLAYER, HZ_NO_OFFSET, "cannot start '%.200s': %s", argv[0],
                       strerror(error));
    }
    child->in = in[0];
    child->out = out[0];
    return HZ_OK;
}

bool hzi_child_runs(const hzi_child *child) {
    return child->pid > 0;
}

/* ---- lines -------------------------------------------------------------------------------------- */

/* Waits until the descriptor is ready for `events`. */
static hzi_child_result wait_for(int fd, short events, const hzi_patience *patience) {
    for (;;) {
        if (hz_cancel_requested(patience->cancel)) {
            return HZI_CHILD_CANCELLED;
        }
        int wait_ms = patience->cancel ? SLICE_MS : -1;
        if (patience->until_ns != HZ_NO_DEADLINE) {
            uint64_t now = hz_clock_now_ns();
            /* Rounded up, or the last millisecond would be spent in a busy loop. */
            uint64_t rest =
                now >= patience->until_ns ? 0 : (patience->until_ns - now + 999999) / 1000000;
            uint64_t most = patience->cancel ? SLICE_MS : 1000000;
            wait_ms = (int)(rest < most ? rest : most);
        }
        struct pollfd item = {.fd = fd, .events = events};
        int ready = poll(&item, 1, wait_ms);
        if (ready > 0) {
            return HZI_CHILD_OK;
        }
        if (ready < 0 && errno != EINTR && errno != EAGAIN) {
            return HZI_CHILD_ENDED;
        }
        if (patience->until_ns != HZ_NO_DEADLINE && hz_clock_now_ns() >= patience->until_ns) {
            return HZI_CHILD_TIMED_OUT;
        }
    }
}

hzi_child_result hzi_child_send(hzi_child *child, const char *bytes, size_t length,
                                const hzi_patience *patience) {
    while (length > 0) {
        if (!hzi_child_runs(child) || child->in < 0) {
            return HZI_CHILD_ENDED;
        }
        ssize_t sent = send(child->in, bytes, length, MSG_NOSIGNAL);
        if (sent > 0) {
            bytes += sent;
            length -= (size_t)sent;
        } else if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            hzi_child_result result = wait_for(child->in, POLLOUT, patience);
            if (result != HZI_CHILD_OK) {
                return result;
            }
        } else if (sent == 0 || errno != EINTR) {
            return HZI_CHILD_ENDED;
        }
    }
    return HZI_CHILD_OK;
}

/* Takes what has arrived. */
static hzi_child_result receive(hzi_child *child, const hzi_patience *patience) {
    if (child->begin > 0) {
        memmove(child->buffer, child->buffer + child->begin, child->end - child->begin);
        child->end -= child->begin;
        child->begin = 0;
    }
    if (child->end == HZI_CHILD_LINE_MAX) {
        return HZI_CHILD_TOO_LONG;
    }
    for (;;) {
        ssize_t got =
            recv(child->out, child->buffer + child->end, HZI_CHILD_LINE_MAX - child->end, 0);
        if (got > 0) {
            child->end += (size_t)got;
            child->received += (size_t)got;
            return HZI_CHILD_OK;
        }
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            hzi_child_result result = wait_for(child->out, POLLIN, patience);
            if (result != HZI_CHILD_OK) {
                return result;
            }
        } else if (got == 0 || errno != EINTR) {
            child->ended = true;
            return HZI_CHILD_ENDED;
        }
    }
}

hzi_child_result hzi_child_line(hzi_child *child, char **line, size_t *length,
                                const hzi_patience *patience) {
    size_t looked = child->begin;
    for (;;) {
        char *start = child->buffer + child->begin;
        char *feed =
            child->end > looked ? memchr(child->buffer + looked, '\n', child->end - looked) : NULL;
        if (feed) {
            size_t n = (size_t)(feed - start);
            child->begin += n + 1;
            n -= n > 0 && start[n - 1] == '\r';
            start[n] = '\0';
            *line = start;
            *length = n;
            return HZI_CHILD_OK;
        }
        if (!hzi_child_runs(child) || child->ended) {
            return HZI_CHILD_ENDED;
        }
        size_t held = child->end - child->begin;
        hzi_child_result result = receive(child, patience);
        if (result != HZI_CHILD_OK) {
            return result;
        }
        looked = child->begin + held;
        /* A child that floods us is always ready, so poll is never reached. */
        if (hz_cancel_requested(patience->cancel)) {
            return HZI_CHILD_CANCELLED;
        }
        if (patience->until_ns != HZ_NO_DEADLINE && hz_clock_now_ns() >= patience->until_ns &&
            !memchr(child->buffer + looked, '\n', child->end - looked)) {
            return HZI_CHILD_TIMED_OUT;
        }
    }
}

/* ---- ending ------------------------------------------------------------------------------------- */

/* Whether it has ended; it stays a zombie, so that its number is not given to anybody else. */
static bool has_ended(pid_t pid) {
    siginfo_t info = {.si_pid = 0};
    int done = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
    return (done == 0 && info.si_pid == pid) || (done < 0 && errno == ECHILD);
}

void hzi_child_stop(hzi_child *child, unsigned grace_ms) {
    if (!hzi_child_runs(child)) {
        return;
    }
    close_fd(&child->in);
    uint64_t until = hz_clock_now_ns() + (uint64_t)grace_ms * 1000000;
    long pause_ns = 500000;
    bool ended = has_ended(child->pid);
    while (!ended && hz_clock_now_ns() < until) {
        /* What it still says is thrown away, or it might wait for us to read. */
        char dropped[4096];
        while (recv(child->out, dropped, sizeof dropped, 0) > 0 && hz_clock_now_ns() < until) {
        }
        struct timespec pause = {.tv_nsec = pause_ns};
        (void)nanosleep(&pause, NULL);
        pause_ns = pause_ns < 16000000 ? 2 * pause_ns : pause_ns;
        ended = has_ended(child->pid);
    }
    /* The group outlives its leader when it has started programs of its own. */
    (void)killpg(child->pid, SIGKILL);
    while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    close_fd(&child->out);
    free(child->buffer);
    *child = (hzi_child){.in = -1, .out = -1};
}
