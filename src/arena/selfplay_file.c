/* SPDX-License-Identifier: MIT */
/*
 * The file of a self-play run. It is only ever appended to, whole games at a time, and says itself
 * which run it is of; so going on after a crash needs no second file: what is not whole at its end is
 * cut off and played again.
 */
#include "arena/selfplay.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t SYNC_NS = 5000000000;

static hz_status io(const hzi_selfplay_file *file, const char *what, hz_error *err) {
    const char *path = file->config->path;
    return hz_fail(err, HZ_IO, HZ_NO_OFFSET, "%.300s: %s: %s", path ? path : "the output", what,
                   strerror(errno));
}

static hz_status other_run(const hzi_selfplay_file *file, const char *what, const char *here,
                           const char *there, hz_error *err) {
    return hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET,
                   "%.200s holds games of another run: %.64s is '%.250s' there and '%.250s' here",
                   file->config->path, what, there, here);
}

/* ---- reading what is there ---- */

typedef struct bytes_of {
    int fd;
    int error;
} bytes_of;

static ptrdiff_t read_some(void *context, char *buffer, size_t capacity) {
    bytes_of *from = context;
    for (;;) {
        ssize_t got = read(from->fd, buffer, capacity);
        if (got >= 0 || errno != EINTR) {
            from->error = got < 0 ? errno : 0;
            return got;
        }
    }
}

/* The first setting that differs. */
static hz_status compare_settings(const hzi_selfplay_file *file,
                                  const hzi_selfplay_settings *settings,
                                  const hzi_rows_setting *there, size_t count, hz_error *err) {
    for (size_t i = 0; i < settings->count || i < count; i++) {
        if (i >= settings->count || i >= count || strcmp(settings->at[i].key, there[i].key) != 0) {
            return other_run(file, i < count ? there[i].key : settings->at[i].key,
                             i < settings->count ? settings->at[i].key : "-",
                             i < count ? there[i].value : "-", err);
        }
        if (strcmp(settings->at[i].value, there[i].value) != 0) {
            return other_run(file, there[i].key, settings->at[i].value, there[i].value, err);
        }
    }
    return HZ_OK;
}

/* Blocks of the usual number of games are kept; a shorter one ended another number of games. */
static hz_status scan_blocks(hzi_selfplay_file *file, hzi_rows_reader *reader, hz_error *err) {
    for (;;) {
        hzi_rows_block block;
        hz_error why;
        uint64_t before = hzi_rows_offset(reader);
        hz_status status = hzi_rows_skip(reader, &block, &why);
        if (status == HZ_NOT_FOUND && hzi_rows_games(reader) == file->config->games) {
            file->finished = true;
            file->games = hzi_rows_games(reader);
            return HZ_OK;
        }
        if (status == HZ_NOT_FOUND || status == HZ_INCOMPLETE) {
            return HZ_OK;
        }
        if (status != HZ_OK) {
            return hz_fail(err, status == HZ_ROWS ? HZ_CHECKPOINT : status, HZ_NO_OFFSET,
                           "%.300s: %.500s (byte %" PRIu64 ")", file->config->path, why.message,
                           before);
        }
        if (block.games == HZI_SELFPLAY_BLOCK) {
            file->length = hzi_rows_offset(reader);
            file->games = hzi_rows_games(reader);
            file->rows = hzi_rows_rows(reader);
        }
    }
}

static hz_status scan_rows(hzi_selfplay_file *file, const hzi_selfplay_settings *settings,
                           const hzi_text *head, uint64_t size, hz_error *err) {
    bytes_of from = {file->fd, 0};
    hzi_rows_reader *reader;
    hz_error why;
    char *begin = malloc(head->length + 1);
    if (!begin) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for self-play");
    }
    size_t have = size < head->length ? (size_t)size : head->length;
    bool same = head->bytes && pread(file->fd, begin, have, 0) == (ssize_t)have &&
                memcmp(begin, head->bytes, have) == 0;
    free(begin);
    if (same && have < head->length) {
        return HZ_OK; /* stopped while the head was written */
    }
    hz_status status = hzi_rows_open(read_some, &from, &reader, &why);
    if (status != HZ_OK) {
        return hz_fail(err, status == HZ_ROWS ? HZ_CHECKPOINT : status, HZ_NO_OFFSET,
                       "%.300s: %.500s", file->config->path, why.message);
    }
    size_t count;
    const hzi_rows_setting *there = hzi_rows_settings(reader, &count);
    status = compare_settings(file, settings, there, count, err);
    if (status == HZ_OK) {
        file->length = hzi_rows_offset(reader);
        status = scan_blocks(file, reader, err);
    }
    hzi_rows_close(reader);
    return status;
}

/* Whether a game is the one that this run would have put there. */
static hz_status compare_game(const hzi_selfplay_file *file, const hzi_selfplay_settings *settings,
                              const hz_record *record, hz_error *err) {
    const hzi_selfplay_config *config = file->config;
    size_t sides[2];
    const char *there = hz_record_header_find(record, "Settings");
    if (!there || strcmp(there, settings->record) != 0) {
        return other_run(file, "Settings", settings->record, there ? there : "-", err);
    }
    hzi_selfplay_sides(config, file->games, sides);
    for (int color = 0; color < 2; color++) {
        const char *here = config->players[sides[color]];
        if (strcmp(record->players[color], here) != 0) {
            return other_run(file, color == HZ_WHITE ? "White" : "Black", here,
                             record->players[color], err);
        }
    }
    if (!record->has_seed || record->seed != config->seed + file->games) {
        return hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET,
                       "%.300s: game %" PRIu64 " of the file is not the game of that number",
                       config->path, file->games + 1);
    }
    return HZ_OK;
}

static hz_status scan_records(hzi_selfplay_file *file, const hzi_selfplay_settings *settings,
                              uint64_t size, hz_error *err) {
    bytes_of from = {file->fd, 0};
    hz_record_reader *reader = malloc(sizeof *reader);
    hz_arena arena = {0};
    hz_status status = HZ_OK;
    bool damaged = false;
    if (!reader) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for self-play");
    }
    hz_record_reader_init(reader, read_some, &from);
    while (status == HZ_OK) {
        hz_record record;
        hz_error why;
        hz_arena_reset(&arena);
        hz_status got = hz_record_read(reader, &arena, &record, &why);
        if (got == HZ_NOT_FOUND) {
            break;
        }
        if (got == HZ_IO || got == HZ_NO_MEMORY) {
            status =
                hz_fail(err, got, HZ_NO_OFFSET, "%.300s: %.500s", file->config->path, why.message);
        } else if (got != HZ_OK && !damaged) {
            damaged = true; /* good at the end only */
        } else if (damaged) {
            status = hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET,
                             "%.300s: game %" PRIu64 " is damaged, and others follow it",
                             file->config->path, file->games + 1);
        } else {
            /* The line of the result, and a blank one. */
            uint64_t end = record.end.offset + strlen(hz_game_outcome_text(record.outcome)) + 2;
            status = compare_game(file, settings, &record, err);
            if (end > size || status != HZ_OK) {
                break;
            }
            file->length = end;
            file->games++;
        }
    }
    static const char first[] = "[HazardRecord \"1\"]\n";
    char begin[sizeof first - 1];
    size_t have = size < sizeof begin ? (size_t)size : sizeof begin;
    if (status == HZ_OK && file->games == 0 &&
        (pread(file->fd, begin, have, 0) != (ssize_t)have || memcmp(begin, first, have) != 0)) {
        status = hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET, "%.300s is no file of game records",
                         file->config->path);
    }
    file->finished = file->games == file->config->games && file->length == size;
    hz_arena_fini(&arena);
    free(reader);
    return status;
}

/* ---- writing ---- */

static hz_status put(hzi_selfplay_file *file, const char *bytes, size_t length, hz_error *err) {
    if (file->fd < 0) {
        return file->config->sink(file->config->sink_context, bytes, length)
                   ? HZ_OK
                   : hz_fail(err, HZ_IO, HZ_NO_OFFSET, "the output could not be written");
    }
    for (size_t done = 0; done < length;) {
        ssize_t wrote = write(file->fd, bytes + done, length - done);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            hz_status status = io(file, "writing failed", err);
            /* Half a game is of no use to anybody; a later resume would cut it off, too. */
            (void)!ftruncate(file->fd, (off_t)file->length);
            return status;
        }
        done += (size_t)wrote;
    }
    file->length += length;
    return HZ_OK;
}

static hz_status begin_rows(hzi_selfplay_file *file, const hzi_text *head, hz_error *err) {
    return file->length == 0 && file->config->format == HZI_SELFPLAY_ROWS && !file->finished
               ? put(file, head->bytes, head->length, err)
               : HZ_OK;
}

/* Opens what is there and finds its end. */
static hz_status go_on(hzi_selfplay_file *file, const hzi_selfplay_settings *settings,
                       const hzi_text *head, hz_error *err) {
    struct stat about;
    if (fstat(file->fd, &about) != 0) {
        return io(file, "cannot be looked at", err);
    }
    uint64_t size = (uint64_t)about.st_size;
    hz_status status = size == 0 ? HZ_OK
                       : file->config->format == HZI_SELFPLAY_ROWS
                           ? scan_rows(file, settings, head, size, err)
                           : scan_records(file, settings, size, err);
    if (status == HZ_OK && file->games > file->config->games) {
        return hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET,
                       "%.300s has %" PRIu64 " games already, more than the %" PRIu64 " asked for",
                       file->config->path, file->games, file->config->games);
    }
    if (status == HZ_OK && !file->finished &&
        (ftruncate(file->fd, (off_t)file->length) != 0 ||
         lseek(file->fd, (off_t)file->length, SEEK_SET) < 0)) {
        return io(file, "cannot be cut at the last whole game", err);
    }
    return status;
}

/* A pipe or device takes games, but has none to go on with. */
static bool is_stream(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

hz_status hzi_selfplay_file_open(hzi_selfplay_file *file, const hzi_selfplay_config *config,
                                 const hzi_selfplay_settings *settings, hz_error *err) {
    hzi_text head = {0};
    hz_status status = HZ_OK;
    *file = (hzi_selfplay_file){.config = config, .fd = -1, .synced_ns = hz_clock_now_ns()};
    if (config->format == HZI_SELFPLAY_ROWS) {
        status = hzi_rows_put_head(settings->at, settings->count, &head, err);
    }
    if (status == HZ_OK && config->path) {
        int flags = O_RDWR | O_CREAT | O_CLOEXEC | (config->resume ? 0 : O_EXCL);
        file->fd = open(config->path, flags, 0666);
        if (file->fd < 0 && errno == EEXIST && is_stream(config->path)) {
            file->fd = open(config->path, O_WRONLY | O_CLOEXEC);
        }
        if (file->fd < 0 && errno == EEXIST) {
            status = hz_fail(err, HZ_CONFLICT, HZ_NO_OFFSET,
                             "%.300s is there already; resume goes on with it", config->path);
        } else if (file->fd < 0) {
            status = io(file, "cannot be opened", err);
        } else if (config->resume) {
            status = go_on(file, settings, &head, err);
        }
    }
    if (status == HZ_OK) {
        status = begin_rows(file, &head, err);
    }
    hzi_text_fini(&head);
    return status;
}

hz_status hzi_selfplay_file_write(hzi_selfplay_file *file, const char *bytes, size_t length,
                                  const hzi_selfplay_counts *counts, hz_error *err) {
    hz_status status = put(file, bytes, length, err);
    if (status != HZ_OK) {
        return status;
    }
    file->games += counts->games;
    file->rows += counts->rows;
    uint64_t now = hz_clock_now_ns();
    if (file->fd >= 0 && now - file->synced_ns > SYNC_NS) {
        file->synced_ns = now;
        if (fsync(file->fd) != 0 && errno != EINVAL && errno != EROFS) {
            return io(file, "storing failed", err);
        }
    }
    return HZ_OK;
}

hz_status hzi_selfplay_file_end(hzi_selfplay_file *file, hz_error *err) {
    hzi_text end = {0};
    if (file->config->format != HZI_SELFPLAY_ROWS || file->finished) {
        return HZ_OK;
    }
    hz_status status = hzi_rows_put_end(file->games, file->rows, &end, err);
    if (status == HZ_OK) {
        status = put(file, end.bytes, end.length, err);
    }
    hzi_text_fini(&end);
    return status;
}

hz_status hzi_selfplay_file_close(hzi_selfplay_file *file, hz_error *err) {
    hz_status status = HZ_OK;
    if (file->fd >= 0) {
        /* A device or pipe cannot be synced, and need not be. */
        if (!file->finished && fsync(file->fd) != 0 && errno != EINVAL && errno != EROFS) {
            status = io(file, "storing failed", err);
        }
        if (close(file->fd) != 0 && status == HZ_OK) {
            status = io(file, "closing failed", err);
        }
        file->fd = -1;
    }
    return status;
}
