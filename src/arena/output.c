/* SPDX-License-Identifier: MIT */
/* Files that grow; see output.h. */
#include "arena/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool hzi_write_all(int fd, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t done = write(fd, bytes, length);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return false;
        }
        bytes += done;
        length -= (size_t)done;
    }
    return true;
}

static hz_status io(hz_error *err, const char *what, const char *path) {
    return hz_fail(err, HZ_IO, HZ_NO_OFFSET, "%s %s: %s", what, path, strerror(errno));
}

hz_status hzi_read_all(const char *path, hzi_text *text, bool *found, hz_error *err) {
    char piece[1 << 14];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *found = fd >= 0;
    if (fd < 0) {
        return errno == ENOENT ? HZ_OK : io(err, "cannot read", path);
    }
    hz_status status = HZ_OK;
    for (;;) {
        ssize_t got = read(fd, piece, sizeof piece);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            status = io(err, "reading", path);
        }
        if (got <= 0) {
            break;
        }
        hzi_text_add(text, piece, (size_t)got);
    }
    (void)close(fd);
    if (status == HZ_OK && text->failed) {
        status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for %s", path);
    }
    return status;
}

hz_status hzi_output_open(hzi_output *output, const char *path, bool resume, uint64_t length,
                          hz_error *err) {
    struct stat about;
    *output = (hzi_output){.path = path, .fd = -1};
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0 || fstat(fd, &about) != 0) {
        hz_status status = io(err, "cannot write", path);
        if (fd >= 0) {
            (void)close(fd);
        }
        return status;
    }
    hz_status status = HZ_OK;
    if (S_ISREG(about.st_mode)) {
        if (!resume && about.st_size > 0) {
            status = hz_fail(err, HZ_IO, HZ_NO_OFFSET,
                             "%s is there already and not empty; name another file", path);
        } else if (resume && (uint64_t)about.st_size < length) {
            status = hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET,
                             "%s has %lld bytes, the checkpoint knows of %llu", path,
                             (long long)about.st_size, (unsigned long long)length);
        } else if (resume && ftruncate(fd, (off_t)length) != 0) {
            status = io(err, "cannot cut", path);
        }
    }
    if (status != HZ_OK) {
        (void)close(fd);
        return status;
    }
    output->fd = fd;
    output->length = resume ? length : 0;
    return HZ_OK;
}

hz_status hzi_output_add(hzi_output *output, const char *bytes, size_t length, hz_error *err) {
    if (!hzi_write_all(output->fd, bytes, length)) {
        hz_status status = io(err, "writing", output->path);
        /* Half a game is no use to anybody. What is no file cannot be cut. */
        (void)!ftruncate(output->fd, (off_t)output->length);
        return status;
    }
    output->length += length;
    return HZ_OK;
}

hz_status hzi_output_close(hzi_output *output, hz_error *err) {
    int fd = output->fd;
    output->fd = -1;
    return fd < 0 || close(fd) == 0 ? HZ_OK : io(err, "writing", output->path);
}
