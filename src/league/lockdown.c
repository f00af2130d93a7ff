/* SPDX-License-Identifier: MIT */
/*
 * How the child closes itself in: namespaces where the user may have them, before a library is loaded
 * that might talk to somebody; then everything is closed but the socket, limits are set, and a filter
 * of system calls only lets through what computing takes. It holds for every thread there is. Whatever
 * else is asked for fails with EPERM; nothing can be opened, connected, started or signalled.
 */
#define _GNU_SOURCE /* unshare, RLIMIT names of Linux */

#include "league/sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#endif

enum { DESCRIPTORS_MOST = 65536 };

#if defined(__linux__) && defined(ARCHITECTURE)

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

static bool set_limit(enum __rlimit_resource which, uint64_t most, const char *name, char *why,
                      size_t capacity) {
    struct rlimit limit = {(rlim_t)most, (rlim_t)most};
    if (setrlimit(which, &limit) == 0) {
        return true;
    }
    (void)snprintf(why, capacity, "the limit %s cannot be set: %s", name, strerror(errno));
    return false;
}

static bool set_limits(const hzi_set_limits *limits, char *why, size_t capacity) {
#ifndef SANITIZED /* sanitizers keep terabytes of addresses */
    if (!set_limit(RLIMIT_AS, limits->memory_bytes, "RLIMIT_AS", why, capacity)) {
        return false;
    }
#endif
    return set_limit(RLIMIT_CPU, limits->processor_s, "RLIMIT_CPU", why, capacity) &&
           set_limit(RLIMIT_FSIZE, 0, "RLIMIT_FSIZE", why, capacity) &&
           set_limit(RLIMIT_NOFILE, 3, "RLIMIT_NOFILE", why, capacity) &&
           set_limit(RLIMIT_NPROC, 0, "RLIMIT_NPROC", why, capacity) &&
           set_limit(RLIMIT_CORE, 0, "RLIMIT_CORE", why, capacity);
}

/* What computing takes: memory, clocks, the socket, ending. */
static const int ALLOWED[] = {
    SYS_read,        SYS_write,           SYS_exit,         SYS_exit_group,
    SYS_brk,         SYS_munmap,          SYS_mremap,       SYS_madvise,
    SYS_futex,       SYS_clock_gettime,   SYS_nanosleep,    SYS_clock_nanosleep,
    SYS_sched_yield, SYS_rt_sigreturn,    SYS_rt_sigaction, SYS_rt_sigprocmask,
    SYS_sigaltstack, SYS_getpid,          SYS_gettid,       SYS_sched_getaffinity,
    SYS_getrandom,   SYS_restart_syscall, SYS_gettimeofday, SYS_getcpu,
    SYS_close,       SYS_sysinfo,         SYS_getrusage,    SYS_membarrier,
};
/* These too, unless they would make memory that can be executed. */
static const int MEMORY[] = {SYS_mmap, SYS_mprotect};

enum { LENGTH_MAX = 128, EXECUTABLE = 4 /* PROT_EXEC */ };

typedef struct program {
    struct sock_filter code[LENGTH_MAX];
    unsigned short length;
} program;

static void add(program *p, unsigned code, uint32_t k, unsigned char yes, unsigned char no) {
    p->code[p->length++] =
        (struct sock_filter){.code = (unsigned short)code, .jt = yes, .jf = no, .k = k};
}

static bool set_filter(char *why, size_t capacity) {
    program p;
    const uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;
    p.length = 0;
    add(&p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
    add(&p, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    add(&p, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
    add(&p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
    for (size_t i = 0; i < sizeof ALLOWED / sizeof ALLOWED[0]; i++) {
        add(&p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ALLOWED[i], 0, 1);
        add(&p, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    }
    for (size_t i = 0; i < sizeof MEMORY / sizeof MEMORY[0]; i++) {
        add(&p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)MEMORY[i], 0, 4);
        /* The third argument; little-endian, its low half is enough for the protection. */
        add(&p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 16, 0, 0);
        add(&p, BPF_JMP | BPF_JSET | BPF_K, EXECUTABLE, 0, 1);
        add(&p, BPF_RET | BPF_K, refuse, 0, 0);
        add(&p, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    }
    add(&p, BPF_RET | BPF_K, refuse, 0, 0);
    struct sock_fprog filter = {.len = p.length, .filter = p.code};
    long failed = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (failed == 0) {
        failed = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    }
    if (failed != 0) { /* above 0: the thread that it cannot be set for */
        (void)snprintf(why, capacity, "system calls cannot be filtered: %s",
                       failed > 0 ? "a thread has a filter of its own" : strerror(errno));
        return false;
    }
    return true;
}

void hzi_close_others(int last_kept) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)last_kept + 1, ~0U, 0U) == 0) {
        return;
    }
#endif
    for (int i = last_kept + 1; i < DESCRIPTORS_MOST; i++) {
        (void)close(i);
    }
}

void hzi_lockdown_begin(void) {
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    /* Not everybody may; the filter is what counts. */
    (void)unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS);
}

bool hzi_lockdown(const hzi_set_limits *limits, char *why, size_t capacity) {
    hzi_close_others(STDIN_FILENO);
    return set_limits(limits, why, capacity) && set_filter(why, capacity);
}

#else

void hzi_close_others(int last_kept) {
    for (int i = last_kept + 1; i < DESCRIPTORS_MOST; i++) {
        (void)close(i);
    }
}

void hzi_lockdown_begin(void) {
}

bool hzi_lockdown(const hzi_set_limits *limits, char *why, size_t capacity) {
    (void)limits;
    (void)snprintf(why, capacity, "there is no sandbox for this system");
    return false;
}

#endif
