/* SPDX-License-Identifier: MIT */
/* Reading whole files within limits; the header is the manual. */
#include "package/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(char why[HZI_WHY], int error) {
    if (strerror_r(error, why, HZI_WHY) != 0) {
        (void)snprintf(why, HZI_WHY, "error %d", error);
    }
}

static int open_sized(const char *path, off_t *size, char why[HZI_WHY]) {
    struct stat status;
    /* Opening a pipe without a writer waits, unless asked not to. */
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) {
        say(why, errno);
        return -1;
    }
    if (fstat(file, &status) != 0) {
        say(why, errno);
    } else if (!S_ISREG(status.st_mode)) {
        (void)snprintf(why, HZI_WHY, "%s",
                       S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file");
    } else {
        *size = status.st_size;
        return file;
    }
    (void)close(file);
    return -1;
}

int hzi_file_open(const char *path, char why[HZI_WHY]) {
    off_t size;
    return open_sized(path, &size, why);
}

ptrdiff_t hzi_file_read(int file, void *buffer, size_t capacity, char why[HZI_WHY]) {
    ssize_t got;
    do {
        got = read(file, buffer, capacity);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        say(why, errno);
    }
    return (ptrdiff_t)got;
}

hz_status hzi_file_readable(const char *path, char why[HZI_WHY]) {
    int file = hzi_file_open(path, why);
    if (file < 0) {
        return HZ_IO;
    }
    (void)close(file);
    return HZ_OK;
}

/* A growing piece of memory with room for a NUL behind the bytes. */
typedef struct content {
    char *bytes;
    size_t length, capacity;
} content;

static bool make_room(content *c, size_t most) {
    if (c->length < c->capacity) {
        return true;
    }
    size_t larger = c->capacity < most / 2 ? c->capacity * 2 : most + 1;
    char *bytes = realloc(c->bytes, larger + 1);
    if (!bytes) {
        return false;
    }
    c->bytes = bytes;
    c->capacity = larger;
    return true;
}

/* One byte more than `most` is asked for: a file may have grown since its size was read. */
static hz_status load(int file, size_t most, content *c, char why[HZI_WHY]) {
    for (;;) {
        if (!make_room(c, most)) {
            (void)snprintf(why, HZI_WHY, "no memory for it");
            return HZ_NO_MEMORY;
        }
        ptrdiff_t got = hzi_file_read(file, c->bytes + c->length, c->capacity - c->length, why);
        if (got < 0) {
            return HZ_IO;
        }
        if (got == 0) {
            c->bytes[c->length] = '\0';
            return HZ_OK;
        }
        c->length += (size_t)got;
        if (c->length > most) {
            (void)snprintf(why, HZI_WHY, "more than %zu bytes", most);
            return HZ_INCOMPLETE;
        }
    }
}

hz_status hzi_file_load(const char *path, size_t most, char **bytes, size_t *length,
                        char why[HZI_WHY]) {
    off_t size = 0;
    most = most < SIZE_MAX / 4 ? most : SIZE_MAX / 4;
    int file = open_sized(path, &size, why);
    if (file < 0) {
        return HZ_IO;
    }
    if ((uintmax_t)size > most) {
        (void)close(file);
        (void)snprintf(why, HZI_WHY, "%ju bytes, more than %zu", (uintmax_t)size, most);
        return HZ_INCOMPLETE;
    }
    content c = {.capacity = (size_t)size + 1};
    c.bytes = malloc(c.capacity + 1);
    hz_status status = HZ_NO_MEMORY;
    if (c.bytes) {
        status = load(file, most, &c, why);
    } else {
        (void)snprintf(why, HZI_WHY, "no memory for it");
    }
    (void)close(file);
    if (status != HZ_OK) {
        free(c.bytes);
        return status;
    }
    *bytes = c.bytes;
    *length = c.length;
    return HZ_OK;
}
