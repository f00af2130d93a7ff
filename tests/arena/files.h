/* SPDX-License-Identifier: MIT */
/* A folder for the files of a test, gone afterwards. */
#ifndef HAZARD_TEST_ARENA_FILES_H
#define HAZARD_TEST_ARENA_FILES_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/support.h"

typedef struct test_folder {
    char path[64];
    int names;
    char name[8][128];
} test_folder;

static inline void test_folder_make(test_folder *folder) {
    memset(folder, 0, sizeof *folder);
    test_copy(folder->path, sizeof folder->path, "/tmp/hazard-test-XXXXXX");
    assert_non_null(mkdtemp(folder->path));
}

/* The path of a file in it, for as long as the folder. */
static inline const char *test_file(test_folder *folder, const char *name) {
    assert_in_range(folder->names, 0, 7);
    char *path = folder->name[folder->names++];
    test_copy(path, sizeof folder->name[0], folder->path);
    test_append(path, sizeof folder->name[0], "/");
    test_append(path, sizeof folder->name[0], name);
    return path;
}

static inline void test_folder_remove(const test_folder *folder) {
    DIR *files = opendir(folder->path);
    assert_non_null(files);
    for (struct dirent *entry = readdir(files); entry; entry = readdir(files)) {
        char path[400];
        (void)snprintf(path, sizeof path, "%s/%s", folder->path, entry->d_name);
        (void)unlink(path);
    }
    (void)closedir(files);
    assert_int_equal(rmdir(folder->path), 0);
}

/* The whole file; the caller frees. */
static inline char *test_read(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = malloc(1 << 24);
    assert_non_null(text);
    size_t got = fread(text, 1, (1 << 24) - 1, file);
    text[got] = '\0';
    (void)fclose(file);
    if (length) {
        *length = got;
    }
    return text;
}

static inline void test_write(const char *path, const char *text, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

#endif
