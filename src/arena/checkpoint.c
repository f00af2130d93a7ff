/* SPDX-License-Identifier: MIT */
/* Checkpoints as a file of JSON lines; see checkpoint.h. */
#include "arena/checkpoint.h"

#include "arena/output.h"
#include "arena/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT = 2, SHARE = 10 };
/* What stands in the first line before and behind the digest of everything else. */
static const char digest_begin[] = ",\"digest\":\"", digest_end[] = "\"}\n";

typedef struct number {
    char name[24];
    uint64_t value;
} number;

struct hzi_checkpoint {
    char *path, *beside; /* the file and its successor while it is written */
    hzi_text head;       /* the identity as JSON, without its end */
    hzi_text body;       /* lines */
    uint64_t count;
    uint64_t digest; /* of the body; the file has that of the body and then the head */
    size_t number_count;
    number numbers[HZI_CHECKPOINT_NUMBERS];
    bool behind, resumed;
    uint64_t begun_ns, spent_ns;
};

/* A hash that goes on with every line (FNV-1a): it tells damage from data, no more. */
static uint64_t digest_more(uint64_t digest, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        digest = (digest ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001B3);
    }
    return digest;
}

static void digest_text(uint64_t digest, char text[17]) {
    (void)snprintf(text, 17, "%016" PRIx64, digest);
}

/* ---- numbers ---- */

uint64_t hzi_checkpoint_number(const hzi_checkpoint *checkpoint, const char *name,
                               uint64_t otherwise) {
    for (size_t i = 0; i < checkpoint->number_count; i++) {
        if (strcmp(checkpoint->numbers[i].name, name) == 0) {
            return checkpoint->numbers[i].value;
        }
    }
    return otherwise;
}

void hzi_checkpoint_set(hzi_checkpoint *checkpoint, const char *name, uint64_t value) {
    size_t i = 0;
    while (i < checkpoint->number_count && strcmp(checkpoint->numbers[i].name, name) != 0) {
        i++;
    }
    if (i == HZI_CHECKPOINT_NUMBERS) {
        return;
    }
    if (i == checkpoint->number_count) {
        checkpoint->number_count++;
        (void)snprintf(checkpoint->numbers[i].name, sizeof checkpoint->numbers[i].name, "%s", name);
    }
    checkpoint->numbers[i].value = value;
    checkpoint->behind = true;
}

/* ---- writing ---- */

static hz_status io(hz_error *err, const char *what, const char *path) {
    return hz_fail(err, HZ_IO, HZ_NO_OFFSET, "%s %s: %s", what, path, strerror(errno));
}

static hz_status write_beside(hzi_checkpoint *c, hzi_text *head, hz_error *err) {
    int fd = open(c->beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        return io(err, "cannot write", c->beside);
    }
    hz_status status = HZ_OK;
    if (!hzi_write_all(fd, head->bytes, head->length) ||
        !hzi_write_all(fd, c->body.bytes, c->body.length) || fsync(fd) != 0) {
        status = io(err, "writing", c->beside);
    }
    if (close(fd) != 0 && status == HZ_OK) {
        status = io(err, "writing", c->beside);
    }
    if (status == HZ_OK && rename(c->beside, c->path) != 0) {
        status = io(err, "cannot replace", c->path);
    }
    if (status != HZ_OK) {
        (void)unlink(c->beside);
    }
    return status;
}

hz_status hzi_checkpoint_write(hzi_checkpoint *checkpoint, hz_error *err) {
    uint64_t begun = hz_clock_now_ns();
    hzi_text head = {0};
    char digest[17];
    if (!checkpoint->behind) {
        return HZ_OK;
    }
    hzi_text_add(&head, checkpoint->head.bytes, checkpoint->head.length);
    head.comma = true;
    hzi_json_object(&head, "numbers");
    for (size_t i = 0; i < checkpoint->number_count; i++) {
        hzi_json_count(&head, checkpoint->numbers[i].name, checkpoint->numbers[i].value);
    }
    hzi_json_end_object(&head);
    hzi_json_count(&head, "items", checkpoint->count);
    digest_text(digest_more(checkpoint->digest, head.bytes ? head.bytes : "", head.length), digest);
    hzi_text_puts(&head, digest_begin);
    hzi_text_puts(&head, digest);
    hzi_text_puts(&head, digest_end);
    hz_status status =
        head.failed ? hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the checkpoint")
                    : write_beside(checkpoint, &head, err);
    hzi_text_fini(&head);
    checkpoint->behind = status != HZ_OK;
    checkpoint->spent_ns += hz_clock_now_ns() - begun;
    return status;
}

hz_status hzi_checkpoint_add(hzi_checkpoint *checkpoint, const char *line, size_t length,
                             hz_error *err) {
    size_t before = checkpoint->body.length;
    hzi_text_add(&checkpoint->body, line, length);
    hzi_text_add(&checkpoint->body, "\n", 1);
    if (checkpoint->body.failed) {
        checkpoint->body.failed = false;
        checkpoint->body.length = before;
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the checkpoint");
    }
    checkpoint->digest = digest_more(checkpoint->digest, line, length);
    checkpoint->digest = digest_more(checkpoint->digest, "\n", 1);
    checkpoint->count++;
    checkpoint->behind = true;
    if (checkpoint->spent_ns * SHARE > hz_clock_now_ns() - checkpoint->begun_ns) {
        return HZ_OK;
    }
    return hzi_checkpoint_write(checkpoint, err);
}

/* ---- reading ---- */

bool hzi_checkpoint_resumed(const hzi_checkpoint *checkpoint) {
    return checkpoint->resumed;
}

uint64_t hzi_checkpoint_count(const hzi_checkpoint *checkpoint) {
    return checkpoint->count;
}

hz_status hzi_checkpoint_visit(const hzi_checkpoint *checkpoint,
                               hz_status (*visit)(void *context, uint64_t item, const char *line,
                                                  size_t length, hz_error *err),
                               void *context, hz_error *err) {
    const char *at = checkpoint->body.bytes;
    hz_status status = HZ_OK;
    for (uint64_t item = 0; at && item < checkpoint->count && status == HZ_OK; item++) {
        size_t length = strcspn(at, "\n");
        status = visit(context, item, at, length, err);
        at += length + 1;
    }
    return status;
}

static hz_status damaged(const hzi_checkpoint *c, hz_error *err, const char *why) {
    return hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET, "%s: damaged: %s", c->path, why);
}

static hz_status compare(const hzi_checkpoint *c, json_t *identity, const hzi_field *fields,
                         size_t count, hz_error *err) {
    const char *name;
    json_t *value;
    for (size_t i = 0; i < count; i++) {
        const char *was = json_string_value(json_object_get(identity, fields[i].name));
        if (!was || strcmp(was, fields[i].value) != 0) {
            return hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET,
                           "%s is of another run: %s is '%.200s' there and '%.200s' here", c->path,
                           fields[i].name, was ? was : "nothing", fields[i].value);
        }
    }
    json_object_foreach(identity, name, value) {
        size_t i = 0;
        while (i < count && strcmp(fields[i].name, name) != 0) {
            i++;
        }
        if (i == count) {
            return hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET,
                           "%s is of another run: %.100s stands there and not here", c->path, name);
        }
    }
    return HZ_OK;
}

static hz_status read_head(hzi_checkpoint *c, const char *text, size_t length,
                           const hzi_field *fields, size_t field_count, uint64_t *items,
                           hz_error *err) {
    json_error_t why;
    json_t *head = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    const char *name;
    json_t *value, *numbers = json_object_get(head, "numbers");
    json_t *identity = json_object_get(head, "identity"), *count = json_object_get(head, "items");
    hz_status status = HZ_OK;
    if (!json_is_object(head)) {
        status = damaged(c, err, "its first line is no JSON object");
    } else if (json_integer_value(json_object_get(head, "hazard_checkpoint")) != FORMAT) {
        status = damaged(c, err, "it is no checkpoint of a known version");
    } else if (!json_is_object(identity) || !json_is_object(numbers) || !json_is_integer(count) ||
               json_integer_value(count) < 0) {
        status = damaged(c, err, "members of its first line are missing");
    } else {
        status = compare(c, identity, fields, field_count, err);
    }
    if (status == HZ_OK) {
        json_object_foreach(numbers, name, value) {
            if (!json_is_integer(value) || json_integer_value(value) < 0) {
                status = damaged(c, err, "a number of its first line is none");
                break;
            }
            hzi_checkpoint_set(c, name, (uint64_t)json_integer_value(value));
        }
        *items = (uint64_t)json_integer_value(count);
    }
    json_decref(head);
    return status;
}

/* What stands behind the first line. */
static hz_status read_body(hzi_checkpoint *c, const char *text, size_t length, uint64_t items,
                           hz_error *err) {
    for (size_t i = 0; i < length; i++) {
        c->count += text[i] == '\n';
    }
    c->digest = digest_more(c->digest, text, length);
    if (c->count != items || (length > 0 && text[length - 1] != '\n')) {
        return damaged(c, err, "it does not have as many items as it says");
    }
    hzi_text_add(&c->body, text, length);
    return c->body.failed ? hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the checkpoint")
                          : HZ_OK;
}

/* Whether the whole file, its first line of `head` bytes, is what was written. Asked last: what is
 * of another run or another version is better called so. */
static hz_status check_digest(const hzi_checkpoint *c, const char *text, size_t head,
                              hz_error *err) {
    char wanted[sizeof digest_begin + 16 + sizeof digest_end], digest[17];
    size_t tail = sizeof wanted - 2;
    if (head <= tail) {
        return damaged(c, err, "its first line is cut off");
    }
    digest_text(digest_more(c->digest, text, head - tail), digest);
    (void)snprintf(wanted, sizeof wanted, "%s%s%s", digest_begin, digest, digest_end);
    return memcmp(text + head - tail, wanted, tail) == 0
               ? HZ_OK
               : damaged(c, err, "it is not what was written");
}

static hz_status read_file(hzi_checkpoint *c, const hzi_field *fields, size_t field_count,
                           bool *found, hz_error *err) {
    hzi_text text = {0};
    uint64_t items = 0;
    hz_status status = hzi_read_all(c->path, &text, found, err);
    if (status == HZ_OK && *found) {
        const char *end = text.bytes ? memchr(text.bytes, '\n', text.length) : NULL;
        if (!end) {
            status = damaged(c, err, "it has no first line");
        } else {
            size_t head = (size_t)(end - text.bytes) + 1;
            status = read_head(c, text.bytes, head, fields, field_count, &items, err);
            if (status == HZ_OK) {
                status = read_body(c, text.bytes + head, text.length - head, items, err);
            }
            if (status == HZ_OK) {
                status = check_digest(c, text.bytes, head, err);
            }
        }
    }
    hzi_text_fini(&text);
    return status;
}

/* ---- opening ---- */

static bool name_files(hzi_checkpoint *c, const char *path) {
    size_t length = strlen(path);
    c->path = malloc(length + 1);
    c->beside = malloc(length + 5);
    if (!c->path || !c->beside) {
        return false;
    }
    memcpy(c->path, path, length + 1);
    memcpy(c->beside, path, length);
    memcpy(c->beside + length, ".new", 5);
    return true;
}

hz_status hzi_checkpoint_open(const char *path, const hzi_field *identity, size_t fields,
                              bool resume, hzi_checkpoint **checkpoint, hz_error *err) {
    hzi_checkpoint *c = calloc(1, sizeof *c);
    hz_status status = HZ_OK;
    bool found = false;
    *checkpoint = NULL;
    if (!c || !name_files(c, path)) {
        hzi_checkpoint_free(c);
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the checkpoint");
    }
    hzi_json_object(&c->head, NULL);
    hzi_json_integer(&c->head, "hazard_checkpoint", FORMAT);
    hzi_json_object(&c->head, "identity");
    for (size_t i = 0; i < fields; i++) {
        hzi_json_text(&c->head, identity[i].name, identity[i].value);
    }
    hzi_json_end_object(&c->head);
    c->begun_ns = hz_clock_now_ns();
    c->digest = UINT64_C(0xCBF29CE484222325);
    if (resume) {
        status = read_file(c, identity, fields, &found, err);
    } else if (access(path, F_OK) == 0) {
        status = hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET,
                         "%s is there already; resume the run or name another file", path);
    }
    c->behind = !found;
    c->resumed = found;
    if (status == HZ_OK && c->head.failed) {
        status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the checkpoint");
    }
    if (status == HZ_OK) {
        status = hzi_checkpoint_write(c, err);
    }
    if (status != HZ_OK) {
        hzi_checkpoint_free(c);
        return status;
    }
    *checkpoint = c;
    return HZ_OK;
}

void hzi_checkpoint_free(hzi_checkpoint *checkpoint) {
    if (checkpoint) {
        hzi_text_fini(&checkpoint->head);
        hzi_text_fini(&checkpoint->body);
        free(checkpoint->path);
        free(checkpoint->beside);
        free(checkpoint);
    }
}
