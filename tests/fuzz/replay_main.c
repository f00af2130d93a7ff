/* SPDX-License-Identifier: MIT */
/*
 * replay_main NAME FOLDER: runs a fuzz target on the kept inputs of a folder, each whole and cut
 * short, and reports it as one TAP test. Whatever compiler and sanitizer built it; no libFuzzer.
 */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CUTS = 200, LARGEST = 1 << 20 };

/* The target gets a copy of exactly the right size, so that a sanitizer sees one byte too far. */
static bool run(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) {
        return false;
    }
    memcpy(copy, data, size);
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return true;
}

/* How often an input is cut: less when HAZARD_TEST_EFFORT asks for less. */
static size_t cuts(void) {
    const char *given = getenv("HAZARD_TEST_EFFORT");
    double wanted = CUTS * (given && *given ? strtod(given, NULL) : 1.0);
    return wanted < 1.0 ? 1 : wanted > LARGEST ? LARGEST : (size_t)wanted;
}

/* Runs a file; returns how many inputs were made from it, 0 when it could not be read. */
static size_t replay(const char *path) {
    static uint8_t data[LARGEST];
    FILE *file = fopen(path, "rb");
    if (!file) {
        return 0;
    }
    size_t size = fread(data, 1, sizeof data, file), runs = 0;
    bool good = !ferror(file);
    fclose(file);
    good = good && run(data, size);
    runs = good;
    size_t step = size / cuts() + 1;
    for (size_t cut = 0; good && cut < size; cut += step, runs++) {
        good = run(data, cut);
    }
    return good ? runs : 0;
}

static int visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

int main(int argc, char **argv) {
    struct dirent **entries = NULL;
    size_t inputs = 0, runs = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: %s NAME FOLDER\n", argv[0]);
        return 2;
    }
    int count = scandir(argv[2], &entries, visible, alphasort);
    bool good = count > 0;
    printf("1..1\n");
    for (int i = 0; i < count; i++) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s", argv[2], entries[i]->d_name);
        free(entries[i]);
        printf("# %s\n", path); /* the last one shown is the one that broke something */
        fflush(stdout);
        size_t more = length > 0 && (size_t)length < sizeof path ? replay(path) : 0;
        good = good && more > 0;
        inputs++;
        runs += more;
    }
    free(entries);
    printf("%sok 1 - fuzz target %s keeps its promises on %zu kept inputs (%zu runs)\n",
           good ? "" : "not ", argv[1], inputs, runs);
    return good ? 0 : 1;
}
