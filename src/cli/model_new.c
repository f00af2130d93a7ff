/* SPDX-License-Identifier: MIT */
/* `hazard model new`: a graph of a known form, with random numbers or those of a file. */
#include "cli/model.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char DUAL_VIEW[] = "dual-view-1540-v1", PLANES[] = "chess7x8x8-meta13-v1";
static const char XATTN[] = "xattn8-4-v1";

/* Little-endian binary32, as many as the file holds. An exit code. */
static int read_weights(const hzc_args *args, const char *path, float **weights, size_t *count) {
    enum { BYTES_MOST = 1 << 28 };
    struct stat status = {0};
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    int code = HZC_DONE;
    if (fd < 0 || fstat(fd, &status) != 0) {
        code = hzc_complain(args, HZC_ENVIRONMENT, "%s: %s", path, strerror(errno));
    } else if (!S_ISREG(status.st_mode) || status.st_size % 4 != 0 || status.st_size == 0 ||
               status.st_size > BYTES_MOST) {
        code = hzc_complain(args, HZC_USAGE, "%s: no file of 32-bit numbers", path);
    } else if (!(*weights = malloc((size_t)status.st_size))) {
        code = hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
    }
    size_t size = code == HZC_DONE ? (size_t)status.st_size : 0;
    for (size_t at = 0; code == HZC_DONE && at < size;) {
        ssize_t got = read(fd, (char *)*weights + at, size - at);
        if (got > 0) {
            at += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            code = hzc_complain(args, HZC_ENVIRONMENT, "%s: it cannot be read", path);
        }
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    *count = size / 4;
    return code;
}

/* A new file; what was begun is taken away again. An exit code. */
static int write_file(const hzc_args *args, const char *path, const void *bytes, size_t length) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (fd < 0) {
        return hzc_complain(args, HZC_ENVIRONMENT, "%s: %s", path, strerror(errno));
    }
    const char *at = bytes;
    bool good = true;
    while (good && length > 0) {
        ssize_t written = write(fd, at, length);
        if (written > 0) {
            at += written;
            length -= (size_t)written;
        } else {
            good = written < 0 && errno == EINTR;
        }
    }
    int why = errno;
    if (close(fd) != 0 || !good) {
        why = good ? errno : why;
        (void)unlink(path);
        return hzc_complain(args, HZC_ENVIRONMENT, "%s: %s", path, strerror(why));
    }
    return HZC_DONE;
}

/* What the options ask for. An exit code. */
static int read_plan(const hzc_args *args, hz_architecture *plan, const char **out) {
    const hz_schema *schema;
    *plan = (hz_architecture){.name = hzc_args_value(args, "arch")};
    *out = hzc_args_value(args, "out");
    if (args->operand_count > 1) {
        return hzc_usage(args, "new takes no operand; the file is given by --out");
    }
    if (!plan->name || !*out) {
        return hzc_usage(args, "new needs --arch and --out");
    }
    if (!hzc_model_schema(args, &schema)) {
        return HZC_USAGE;
    }
    if (strncmp(plan->name, "mlp:", 4) == 0) {
        if (!schema) {
            return hzc_usage(args, "%s needs --schema: the columns it reads", plan->name);
        }
        plan->encoder = schema->id;
        plan->columns = schema->width;
        plan->raw = strcmp(schema->id, DUAL_VIEW) == 0;
    } else {
        bool dual = strncmp(plan->name, "dual:", 5) == 0;
        plan->encoder = dual ? DUAL_VIEW : PLANES;
        plan->label = dual ? NULL : "white_win";
        plan->raw = dual;
        /* Of a name that nobody knows that is to be said, and not what it would read. */
        bool known = dual || strcmp(plan->name, XATTN) == 0;
        if (known && schema && strcmp(schema->id, plan->encoder) != 0) {
            return hzc_usage(args, "%s reads %s, nothing else", plan->name, plan->encoder);
        }
    }
    if (!hzc_args_has(args, "weights") && !hzc_args_seed(args, &plan->seed)) {
        return HZC_USAGE;
    }
    if (hzc_args_has(args, "weights") && hzc_args_has(args, "seed")) {
        return hzc_usage(args, "give --weights or --seed, not both");
    }
    return HZC_DONE;
}

static void say(const hzc_args *args, const hz_architecture *plan, const char *path, size_t count,
                size_t bytes) {
    if (hzc_args_has(args, "json")) {
        hzc_json json = hzc_json_to(args->out);
        hzc_json_object(&json, NULL);
        hzc_json_text(&json, "file", path);
        hzc_json_text(&json, "arch", plan->name);
        hzc_json_text(&json, "encoder", plan->encoder);
        hzc_json_count(&json, "numbers", count);
        hzc_json_count(&json, "bytes", bytes);
        if (!plan->weights) {
            hzc_json_seed(&json, "seed", plan->seed);
        }
        hzc_json_end_object(&json);
        hzc_out_char(args->out, '\n');
        return;
    }
    hzc_out_format(args->out, "%.400s: %.200s on %s, %zu numbers", path, plan->name, plan->encoder,
                   count);
    if (plan->weights) {
        hzc_out_text(args->out, " as given\n");
    } else {
        hzc_out_format(args->out, " from seed %" PRIu64 "\n", plan->seed);
    }
}

int hzc_model_new(const hzc_args *args) {
    hz_architecture plan;
    const char *path;
    int code = read_plan(args, &plan, &path);
    if (code != HZC_DONE) {
        return code;
    }
    float *weights = NULL;
    if (hzc_args_has(args, "weights")) {
        code = read_weights(args, hzc_args_value(args, "weights"), &weights, &plan.weight_count);
        plan.weights = weights;
    }
    hz_arena arena;
    hz_arena_init(&arena, 0);
    const void *bytes = NULL;
    size_t length = 0, count = 0;
    hz_error err;
    if (code == HZC_DONE &&
        (hz_architecture_count(&plan, &count, &err) != HZ_OK ||
         hz_architecture_build(&plan, &arena, &bytes, &length, &err) != HZ_OK)) {
        code = hzc_report(args, &err, NULL, 0);
    }
    if (code == HZC_DONE) {
        code = write_file(args, path, bytes, length);
    }
    if (code == HZC_DONE) {
        say(args, &plan, path, count, length);
    }
    hz_arena_fini(&arena);
    free(weights);
    return code;
}
