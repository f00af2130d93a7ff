/* SPDX-License-Identifier: MIT */
/*
 * Files that appear whole; see whole_file.h. The bytes go to FILE.part first, which takes the place of
 * FILE when the system has them all. Whoever looks at FILE meanwhile sees the old one or the new one.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/whole_file.h"

#include "arena/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int failed(const hzc_args *args, const char *path, int error) {
    return hzc_complain(args, HZC_ENVIRONMENT, "%.900s: %s", path, strerror(error));
}

int hzc_whole_file_check(const hzc_args *args, const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
        (void)close(fd);
        return unlink(path) == 0 ? HZC_DONE : failed(args, path, errno);
    }
    struct stat about;
    if (errno != EEXIST) {
        return failed(args, path, errno);
    }
    if (stat(path, &about) == 0 && S_ISFIFO(about.st_mode)) {
        return HZC_DONE; /* its reader comes when there is something to read */
    }
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    return fd >= 0 && close(fd) == 0 ? HZC_DONE : failed(args, path, errno);
}

/* 0 or an errno. */
static int write_to(int fd, const char *bytes, size_t length) {
    int error = fd >= 0 && hzi_write_all(fd, bytes, length) ? 0 : errno;
    return fd >= 0 && close(fd) != 0 && error == 0 ? errno : error;
}

static int write_in_place(const char *path, const char *bytes, size_t length) {
    return write_to(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), bytes, length);
}

/* target: FILE without links. */
static int write_beside(const char *target, const struct stat *about, const char *bytes,
                        size_t length) {
    size_t room = strlen(target) + sizeof ".part";
    char *beside = malloc(room);
    if (!beside) {
        return ENOMEM;
    }
    (void)snprintf(beside, room, "%s.part", target);
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), error;
    if (fd < 0 && about && (errno == EACCES || errno == EROFS || errno == EPERM)) {
        error = write_in_place(target, bytes, length);
    } else {
        if (fd >= 0 && about) {
            (void)fchmod(fd, about->st_mode & 07777);
        }
        bool made = fd >= 0;
        error = write_to(fd, bytes, length);
        if (error == 0 && rename(beside, target) != 0) {
            error = errno;
        }
        if (error != 0 && made) {
            (void)unlink(beside);
        }
    }
    free(beside);
    return error;
}

int hzc_whole_file_write(const hzc_args *args, const char *path, const char *bytes, size_t length) {
    struct stat about;
    bool there = stat(path, &about) == 0;
    int error = 0;
    if (there && !S_ISREG(about.st_mode)) {
        error = write_in_place(path, bytes, length);
    } else {
        char *target = there ? realpath(path, NULL) : NULL;
        error = there && !target
                    ? errno
                    : write_beside(there ? target : path, there ? &about : NULL, bytes, length);
        free(target);
    }
    return error == 0 ? HZC_DONE : failed(args, path, error);
}

/* The folder of a path that names nothing yet, and the name in it. */
static bool look_up(const char *path, struct stat *folder, const char **name) {
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    char *text = malloc(length + 2);
    if (!text) {
        return false;
    }
    memcpy(text, path, length);
    memcpy(text + length, ".", 2);
    bool good = stat(text, folder) == 0;
    free(text);
    *name = path + length;
    return good;
}

bool hzc_whole_file_same(const char *one, const char *other) {
    struct stat a, b;
    bool has_a = stat(one, &a) == 0, has_b = stat(other, &b) == 0;
    if (has_a || has_b) {
        return has_a && has_b && S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    }
    const char *name_a, *name_b;
    return look_up(one, &a, &name_a) && look_up(other, &b, &name_b) && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino && strcmp(name_a, name_b) == 0;
}
