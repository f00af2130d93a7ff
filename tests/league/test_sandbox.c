/* SPDX-License-Identifier: MIT */
/*
 * The sandbox: what a child can still do, and what the parent makes of children that lie, hang, die
 * or talk nonsense. The program is its own child; a time for a position that nobody would ask for
 * tells the child which part to play.
 */
#define _GNU_SOURCE /* memory that can be executed, sockets */

#include "league/league.h"
#include "league/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROBER_MS = 424241, LIAR_MS = 424242, NO_FILTER_MS = 424243, NO_LIMITS_MS = 424244 };

/* ---- the child's parts ------------------------------------------------------------------------------- */

static void say(int kind, const void *content, size_t length) {
    unsigned char head[5] = {(unsigned char)((length + 1) & 255),
                             (unsigned char)((length + 1) >> 8 & 255), 0, 0, (unsigned char)kind};
    if (write(0, head, 5) != 5 || (length && write(0, content, length) != (ssize_t)length)) {
        _exit(9);
    }
}

static size_t hear(unsigned char *content, size_t capacity) {
    unsigned char head[5];
    size_t got = 0;
    for (size_t i = 0; i < sizeof head; i++) {
        if (read(0, &head[i], 1) != 1) {
            _exit(0);
        }
    }
    size_t length = ((size_t)head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16) - 1;
    while (got < length) {
        unsigned char piece[4096];
        ssize_t some = read(0, piece, length - got < sizeof piece ? length - got : sizeof piece);
        if (some <= 0) {
            _exit(0);
        }
        for (ssize_t i = 0; i < some && got + (size_t)i < capacity; i++) {
            content[got + (size_t)i] = piece[i];
        }
        got += (size_t)some;
    }
    return length < capacity ? length : capacity;
}

/* A thread from before the filter; asks for a file when it is told to. */
typedef struct other_thread {
    pthread_barrier_t both;
    bool opened;
} other_thread;

static void *ask_for_a_file(void *state) {
    other_thread *other = state;
    (void)pthread_barrier_wait(&other->both); /* it runs */
    (void)pthread_barrier_wait(&other->both); /* the child is closed in */
    other->opened = open("/etc/passwd", O_RDONLY) >= 0;
    (void)pthread_barrier_wait(&other->both);
    return NULL;
}

/* A kernel that lacks this system call. */
static void take_away(uint32_t call) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog filter = {.len = sizeof code / sizeof code[0], .filter = code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
        _exit(9);
    }
}

/* Closes itself in and says what it could do all the same. */
static void prober(void) {
    hzi_set_limits limits;
    char why[200] = "", done[200] = "";
    other_thread other = {.opened = false};
    pthread_t thread;
    int kept = open("/etc/passwd", O_RDONLY);
    (void)hear((unsigned char *)&limits, sizeof limits);
    hzi_lockdown_begin();
    (void)pthread_barrier_init(&other.both, NULL, 2);
    if (kept < 0 || pthread_create(&thread, NULL, ask_for_a_file, &other) != 0) {
        _exit(9);
    }
    (void)pthread_barrier_wait(&other.both);
    if (!hzi_lockdown(&limits, why, sizeof why)) {
        say(HZI_UNSAFE, why, strlen(why));
        _exit(0);
    }
    if (open("/etc/passwd", O_RDONLY) >= 0 || open("/tmp/x", O_CREAT | O_WRONLY, 0600) >= 0) {
        strcat(done, "open ");
    }
    char byte;
    if (read(kept, &byte, 1) >= 0 || errno != EBADF || fcntl(1, F_GETFD) >= 0) {
        strcat(done, "descriptors ");
    }
    (void)pthread_barrier_wait(&other.both);
    (void)pthread_barrier_wait(&other.both);
    if (other.opened) {
        strcat(done, "thread ");
    }
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0) {
        strcat(done, "socket ");
    }
    pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    if (child > 0) {
        strcat(done, "fork ");
    }
    char *const arguments[] = {NULL};
    if (execve("/bin/true", arguments, arguments) == 0) {
        strcat(done, "exec ");
    }
    if (kill(getppid(), 0) == 0 || kill(1, 0) == 0) {
        strcat(done, "kill ");
    }
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0) {
        strcat(done, "ptrace ");
    }
    if (mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
        MAP_FAILED) {
        strcat(done, "mmap ");
    }
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, 4096, PROT_READ | PROT_EXEC) == 0) {
        strcat(done, "mprotect ");
    }
    if (unlink("/tmp/hazard-none") == 0 || errno != EPERM || mkdir("/tmp/hazard-dir", 0700) == 0) {
        strcat(done, "files ");
    }
    if (dup(0) >= 0) {
        strcat(done, "dup ");
    }
#ifndef SANITIZED /* sanitizers keep terabytes of addresses */
    if (mmap(NULL, (size_t)limits.memory_bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED) {
        strcat(done, "memory ");
    }
#endif
    say(HZI_READY, "", 0);
    unsigned char file[16];
    (void)hear(file, sizeof file);
    say(HZI_REFUSED, done, strlen(done));
    _exit(0);
}

/* What a captured child might answer; the "file" says which lie is wanted. */
static void liar(void) {
    unsigned char content[4096];
    static unsigned char large[200000];
    (void)hear(content, sizeof content);
    say(HZI_READY, "", 0);
    size_t length = hear(content, sizeof content - 1);
    content[length] = '\0';
    const char *part = (const char *)content;
    bool playing = false;
    if (part[0] == 0) { /* to be opened, not checked: the options come first */
        part += sizeof(hzi_open_model);
    }
    if (strncmp(part, "play", 4) == 0) {
        say(HZI_OPENED, "builtin", 7);
        (void)hear(content + 100, sizeof content - 100);
        part += 5;
        playing = true;
    }
    hzi_chosen chosen;
    memset(&chosen, 0, sizeof chosen);
    if (strcmp(part, "end") == 0) {
        _exit(3);
    } else if (strcmp(part, "die") == 0) {
        (void)raise(SIGKILL);
    } else if (strcmp(part, "spin") == 0) {
        for (volatile unsigned i = 0;; i++) {
        }
    } else if (strcmp(part, "silence") == 0) {
        (void)hear(content, sizeof content);
    } else if (strcmp(part, "oversize") == 0) {
        (void)!write(0, large, sizeof large);
        unsigned char head[5] = {255, 255, 255, 255, HZI_CHOICE};
        (void)!write(0, head, 5);
    } else if (strcmp(part, "empty") == 0) {
        (void)!write(0, large, 4);
    } else if (strcmp(part, "half") == 0) {
        unsigned char head[5] = {30, 0, 0, 0, HZI_CHOICE};
        (void)!write(0, head, 5);
        _exit(0);
    } else if (strcmp(part, "kind") == 0) {
        say('?', "x", 1);
    } else if (strcmp(part, "short") == 0) {
        say(playing ? HZI_CHOICE : HZI_VERDICT, &chosen, sizeof chosen - 1);
    } else if (strcmp(part, "illegal") == 0) {
        chosen.move = 0xffff;
        say(HZI_CHOICE, &chosen, sizeof chosen);
    } else if (strcmp(part, "reason") == 0) {
        chosen.failed = 1; /* "checkmate" is no way to fail */
        say(HZI_CHOICE, &chosen, sizeof chosen);
    } else if (strcmp(part, "stages") == 0) {
        for (int i = 0; i < 1000; i++) {
            say(HZI_STAGE, "\x05", 1);
        }
    } else if (strcmp(part, "code") == 0) {
        hz_league_verdict verdict;
        memset(&verdict, 255, sizeof verdict);
        say(HZI_VERDICT, &verdict, sizeof verdict);
    } else if (strcmp(part, "verdict") == 0) {
        hz_league_verdict verdict;
        memset(&verdict, 'A', sizeof verdict); /* texts without ends, bools that are none */
        verdict.code = 0;
        say(HZI_VERDICT, &verdict, sizeof verdict);
    }
    (void)hear(content, sizeof content);
    _exit(0);
}

static void serve(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[2], "runner") == 0) {
        unsigned char peek[5 + sizeof(hzi_set_limits)];
        hzi_set_limits limits;
        if (recv(0, peek, sizeof peek, MSG_PEEK | MSG_WAITALL) == (ssize_t)sizeof peek) {
            memcpy(&limits, peek + 5, sizeof limits);
            if (limits.position_ms == PROBER_MS) {
                prober();
            }
            if (limits.position_ms == LIAR_MS) {
                liar();
            }
            if (limits.position_ms == NO_FILTER_MS) {
                take_away(SYS_seccomp);
            }
            if (limits.position_ms == NO_LIMITS_MS) {
                take_away(SYS_prlimit64);
            }
        }
    }
    test_serve_child(argc, argv);
}

/* ---- tests --------------------------------------------------------------------------------------------- */

static void a_child_can_do_nothing_but_compute(void **state) {
    (void)state;
    hz_league_limits limits = {
        .position_ms = PROBER_MS, .memory_bytes = (uint64_t)512 << 20, .executor = "builtin"};
    hzi_sandbox *sandbox = NULL;
    hz_error err;
    if (hzi_sandbox_open(&limits, 30, &sandbox, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    int kind = 0;
    const unsigned char *content = NULL;
    size_t length = 0;
    char text[300];
    assert_true(hzi_sandbox_send(sandbox, HZI_CHECK, "x", 1, NULL, 0));
    assert_int_equal(hzi_sandbox_receive(sandbox, hz_clock_now_ns() + 20000000000u, NULL, &kind,
                                         &content, &length),
                     HZI_REPLY);
    assert_int_equal(kind, HZI_REFUSED);
    hzi_sandbox_text(content, length, text, sizeof text);
    assert_string_equal(text, "");
    hzi_sandbox_close(sandbox);
}

static void a_system_that_cannot_close_a_child_in_runs_nothing(void **state) {
    (void)state;
    static const struct {
        uint64_t position_ms;
        const char *words;
    } cases[] = {{NO_FILTER_MS, "no sandbox: system calls cannot be filtered"},
                 {NO_LIMITS_MS, "cannot be set"}};
    league_graph graph = league_material();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_league_limits limits = {.position_ms = cases[i].position_ms, .executor = "builtin"};
        hz_league_verdict verdict;
        hz_league_run_result result;
        hz_error err;
        hz_error_clear(&err);
        assert_int_equal(hz_league_check(graph.bytes, graph.length, &limits, NULL, &verdict, &err),
                         HZ_UNSUPPORTED);
        assert_non_null(strstr(err.message, cases[i].words));
        hz_league_run_config config = {
            .bytes = graph.bytes, .length = graph.length, .limits = limits};
        assert_int_equal(hz_league_run(&config, &result, &err), HZ_UNSUPPORTED);
        assert_int_equal(result.levels[0].played, 0);
    }
    league_graph_free(&graph);
}

static hz_league_verdict check_liar(const char *part) {
    hz_league_limits limits = {.position_ms = LIAR_MS, .opening_ms = 1};
    hz_league_verdict verdict;
    hz_error err;
    /* 49 positions of 424 s are too long to wait for: those that hang are cancelled. */
    hz_status status = hz_league_check(part, strlen(part), &limits, NULL, &verdict, &err);
    if (status != HZ_OK) {
        fail_msg("%s: %s", part, err.message);
    }
    return verdict;
}

static void a_check_survives_every_lie(void **state) {
    (void)state;
    static const char *const parts[] = {"end",  "die",   "oversize", "empty", "half",
                                        "kind", "short", "stages",   "code",  "illegal"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        hz_league_verdict verdict = check_liar(parts[i]);
        test_true(parts[i], "refused", verdict.code == HZ_LEAGUE_E13_COST);
        test_true(parts[i], "with a reason", verdict.message[0] != '\0');
    }
    hz_league_verdict verdict = check_liar("die");
    assert_non_null(strstr(verdict.message, "signal 9"));
    verdict = check_liar("verdict");
    assert_int_equal(verdict.code, HZ_LEAGUE_ACCEPTED);
    assert_false(verdict.batched || verdict.counted || verdict.constant);
    assert_int_equal(strlen(verdict.message), sizeof verdict.message - 1);
    assert_int_equal(strlen(verdict.digest), 64);
}

static void *cancel_soon(void *cancel) {
    usleep(200000);
    hz_cancel_request(cancel);
    return NULL;
}

static void a_check_can_be_cancelled(void **state) {
    (void)state;
    hz_league_limits limits = {.position_ms = LIAR_MS};
    hz_league_verdict verdict;
    hz_cancel cancel = {0};
    hz_error err;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, &cancel), 0);
    assert_int_equal(hz_league_check("silence", 7, &limits, &cancel, &verdict, &err), HZ_CANCELLED);
    (void)pthread_join(thread, NULL);
}

/* A game of a liar through the run: every game of a level is lost, for the reason wanted. */
typedef struct tally {
    int games;
    hz_league_reason reason;
    bool same;
} tally;

static hz_status count_game(void *state, const hz_league_record *record, hz_error *err) {
    tally *t = state;
    (void)err;
    t->same = t->same && record->result.reason == t->reason && record->result.points2 == 0;
    t->games++;
    return HZ_OK;
}

static void a_level_survives_every_lie(void **state) {
    (void)state;
    static const struct {
        const char *part;
        hz_league_reason reason;
    } cases[] = {{"play end", HZ_LEAGUE_CRASH},      {"play die", HZ_LEAGUE_CRASH},
                 {"play oversize", HZ_LEAGUE_CRASH}, {"play empty", HZ_LEAGUE_CRASH},
                 {"play half", HZ_LEAGUE_CRASH},     {"play kind", HZ_LEAGUE_CRASH},
                 {"play short", HZ_LEAGUE_CRASH},    {"play illegal", HZ_LEAGUE_CRASH},
                 {"play reason", HZ_LEAGUE_CRASH},   {"end", HZ_LEAGUE_CRASH}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally t = {0, cases[i].reason, true};
        hz_league_run_config config = {.bytes = cases[i].part,
                                       .length = strlen(cases[i].part),
                                       .limits = {.position_ms = LIAR_MS},
                                       .threads = 2,
                                       .on_game = count_game,
                                       .state = &t};
        hz_league_run_result result;
        hz_error err;
        if (hz_league_run(&config, &result, &err) != HZ_OK) {
            fail_msg("%s: %s", cases[i].part, err.message);
        }
        assert_int_equal(t.games, HZ_LEAGUE_GAMES);
        test_true(cases[i].part, "reason", t.same);
        assert_int_equal(result.level, 0);
        assert_int_equal(result.levels[0].losses, HZ_LEAGUE_GAMES);
    }
}

static void a_silent_child_costs_its_time_and_no_more(void **state) {
    (void)state;
    tally t = {0, HZ_LEAGUE_TIMEOUT, true};
    hz_league_run_config config = {.bytes = "play spin",
                                   .length = 9,
                                   .limits = {.position_ms = LIAR_MS, .game_ms = 20},
                                   .threads = 4,
                                   .on_game = count_game,
                                   .state = &t};
    hz_league_run_result result;
    assert_int_equal(hz_league_run(&config, &result, NULL), HZ_OK);
    assert_int_equal(t.games, HZ_LEAGUE_GAMES);
    assert_true(t.same);
}

static void a_program_that_is_no_child_is_an_error_of_ours(void **state) {
    (void)state;
    static const char *const programs[] = {"/bin/true", "/bin/cat", "/nonexistent"};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        hz_league_limits limits = {.program = programs[i]};
        hz_league_verdict verdict;
        hz_error err;
        assert_int_equal(hz_league_check("x", 1, &limits, NULL, &verdict, &err), HZ_IO);
    }
}

/* Processes whose parent is this one; *last (may be NULL) is one of them. */
static int children(bool shoot, int *last) {
    DIR *proc = opendir("/proc");
    int count = 0;
    assert_non_null(proc);
    for (struct dirent *entry; (entry = readdir(proc));) {
        char path[300], line[500];
        int pid = atoi(entry->d_name), parent = 0;
        (void)snprintf(path, sizeof path, "/proc/%d/stat", pid);
        FILE *stat = pid > 0 ? fopen(path, "r") : NULL;
        if (stat) {
            const char *name_end = fgets(line, sizeof line, stat) ? strrchr(line, ')') : NULL;
            if (name_end && sscanf(name_end + 1, " %*c %d", &parent) == 1 &&
                parent == (int)getpid()) {
                count++;
                if (last) {
                    *last = pid;
                }
                if (shoot) {
                    (void)kill(pid, SIGKILL);
                }
            }
            (void)fclose(stat);
        }
    }
    (void)closedir(proc);
    return count;
}

/* Entries of a folder of a process; -1 when it may not be looked into. */
static int entries(int pid, const char *folder) {
    char path[100];
    (void)snprintf(path, sizeof path, "/proc/%d/%s", pid, folder);
    DIR *open = opendir(path);
    int count = 0;
    if (!open) {
        return -1;
    }
    for (struct dirent *entry; (entry = readdir(open));) {
        count += entry->d_name[0] != '.';
    }
    (void)closedir(open);
    return count;
}

/* Its own log, store and thread are what it opens unless it is told not to. */
static void onnx_runtime_leaves_one_thread_and_one_descriptor(void **state) {
    (void)state;
    const hz_executor *runtime;
    if (hz_executor_onnxruntime(&runtime, NULL, NULL, NULL) != HZ_OK) {
        test_leave_out("ONNX Runtime is not there (make onnxruntime)");
    }
    hz_league_limits limits = {.memory_bytes = (uint64_t)2 << 30, .position_ms = 1000};
    hzi_sandbox *sandbox = NULL;
    hz_error err;
    int child = 0;
    if (hzi_sandbox_open(&limits, 30, &sandbox, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(children(false, &child), 1);
    int threads = entries(child, "task"), descriptors = entries(child, "fd");
    hzi_sandbox_close(sandbox);
#ifndef SANITIZED /* thread sanitizer has a thread of its own */
    assert_int_equal(threads, 1);
#else
    (void)threads;
#endif
    if (descriptors < 0) {
        test_leave_out("this user may not look into a process that gave up its rights");
    }
    assert_int_equal(descriptors, 1);
}

static void *shoot_children(void *stop) {
    while (!hz_cancel_requested(stop)) {
        usleep(20000);
        (void)children(true, NULL);
    }
    return NULL;
}

static void killed_children_lose_their_games_and_nothing_else(void **state) {
    (void)state;
    league_graph graph = league_material();
    hz_cancel stop = {0};
    pthread_t thread;
    hz_league_run_config config = {.bytes = graph.bytes,
                                   .length = graph.length,
                                   .limits = {.executor = "builtin"},
                                   .level = 1,
                                   .threads = 2};
    hz_league_run_result result;
    assert_int_equal(pthread_create(&thread, NULL, shoot_children, &stop), 0);
    hz_error err;
    hz_error_clear(&err);
    hz_status status = HZ_IO;
    /* A child that is shot before it is ready is an error of ours. */
    for (int i = 0; i < 50 && status == HZ_IO; i++) {
        status = hz_league_run(&config, &result, &err);
    }
    hz_cancel_request(&stop);
    (void)pthread_join(thread, NULL);
    assert_true(status == HZ_OK || status == HZ_IO);
    assert_int_equal(children(false, NULL), 0); /* none is left */
    assert_int_equal(hz_league_run(&config, &result, &err), HZ_OK);
    assert_int_equal(result.levels[0].played, HZ_LEAGUE_GAMES);
    league_graph_free(&graph);
}

int main(int argc, char **argv) {
    serve(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_can_do_nothing_but_compute),
        cmocka_unit_test(a_system_that_cannot_close_a_child_in_runs_nothing),
        cmocka_unit_test(a_check_survives_every_lie),
        cmocka_unit_test(a_check_can_be_cancelled),
        cmocka_unit_test(a_level_survives_every_lie),
        cmocka_unit_test(a_silent_child_costs_its_time_and_no_more),
        cmocka_unit_test(a_program_that_is_no_child_is_an_error_of_ours),
        cmocka_unit_test(onnx_runtime_leaves_one_thread_and_one_descriptor),
        cmocka_unit_test(killed_children_lose_their_games_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
