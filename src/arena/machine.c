/* SPDX-License-Identifier: MIT */
/* The processor a run was made on, for reports, and how many games fit on it at once. */
/* _GNU_SOURCE: sched_getaffinity(2) and its sets of processors come with it. */
#define _GNU_SOURCE
#include <hazard/arena.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The rest of the first line of /proc/cpuinfo that begins with a name. */
static void read_name(char *name, size_t capacity) {
    char line[512];
    (void)snprintf(name, capacity, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            (void)snprintf(name, capacity, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file) {
        (void)fclose(file);
    }
}

/* The first processor that shares this one's core. */
static size_t first_sibling(size_t cpu) {
    char path[96], text[32];
    size_t first = cpu;
    (void)snprintf(path, sizeof path,
                   "/sys/devices/system/cpu/cpu%zu/topology/thread_siblings_list", cpu);
    FILE *file = fopen(path, "re");
    if (file) {
        if (fgets(text, sizeof text, file)) {
            first = (size_t)strtoul(text, NULL, 10);
        }
        (void)fclose(file);
    }
    return first;
}

hz_machine hz_machine_get(void) {
    hz_machine machine = {.cores = 0};
    cpu_set_t mine, counted;
    read_name(machine.cpu, sizeof machine.cpu);
    CPU_ZERO(&counted);
    if (sched_getaffinity(0, sizeof mine, &mine) == 0) {
        machine.threads = (unsigned)CPU_COUNT(&mine);
        for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
            size_t first = CPU_ISSET(cpu, &mine) ? first_sibling(cpu) : CPU_SETSIZE;
            if (first < CPU_SETSIZE && !CPU_ISSET(first, &counted)) {
                CPU_SET(first, &counted);
                machine.cores++;
            }
        }
    }
    if (machine.cores == 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        machine.cores = machine.threads = online > 0 ? (unsigned)online : 1;
    }
    return machine;
}
