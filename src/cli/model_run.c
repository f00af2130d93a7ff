/* SPDX-License-Identifier: MIT */
/* `hazard model run` and `hazard model compare`: rows in, values out; two executors side by side. */
#include "cli/lines.h"
#include "cli/model.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 256, MOST_LINE_BYTES = 1 << 20 };

/* ---- run ---- */

typedef struct running {
    const hzc_args *args;
    hzc_out *out;
    hzc_json json;
    bool as_json;
    hzc_model_handle handle;
    bool has_color;
    hz_color color;
    float *rows; /* owned; room for BATCH rows */
    size_t width, held;
    size_t count;
    float values[BATCH];
} running;

static int flush(running *r) {
    hz_error err;
    if (r->count == 0) {
        return HZC_DONE;
    }
    if (hzc_model_rows(r->handle.model, r->rows, r->count, r->width, r->values, &err) != HZ_OK) {
        return hzc_report(r->args, &err, NULL, 0);
    }
    for (size_t i = 0; i < r->count && !r->out->failed; i++) {
        int32_t score = hz_score_from_probability(r->values[i]);
        if (r->as_json) {
            r->json = hzc_json_to(r->out);
            hzc_json_object(&r->json, NULL);
            hzc_json_float(&r->json, "value", r->values[i]);
            hzc_json_integer(&r->json, "score", score);
            hzc_json_end_object(&r->json);
            hzc_out_char(r->out, '\n');
        } else if (isfinite(r->values[i])) {
            char text[HZC_NUMBER_CAPACITY];
            (void)hzc_float_text(r->values[i], text);
            hzc_out_format(r->out, "%s\t%" PRId32 "\n", text, score);
        } else {
            hzc_out_format(r->out, "%s\t%" PRId32 "\n",
                           isnan(r->values[i]) ? "nan"
                           : r->values[i] > 0  ? "inf"
                                               : "-inf",
                           score);
        }
    }
    r->count = 0;
    return HZC_DONE;
}

/* Room for one more row of this width. */
static int make_room(running *r, size_t width, size_t line) {
    if (width == 0 || (r->handle.width > 0 && width != r->handle.width)) {
        return hzc_complain(r->args, HZC_USAGE,
                            "line %zu has %zu numbers, the model takes rows of %zu", line, width,
                            r->handle.width);
    }
    if (width != r->width) {
        int code = flush(r);
        if (code != HZC_DONE) {
            return code;
        }
    }
    if (width > r->held) {
        float *grown = realloc(r->rows, width * BATCH * sizeof *grown);
        if (!grown) {
            return hzc_complain(r->args, HZC_ENVIRONMENT, "out of memory");
        }
        r->rows = grown;
        r->held = width;
    }
    r->width = width;
    return HZC_DONE;
}

static int add_position(running *r, const char *text, size_t length, size_t line) {
    hz_position position;
    if (!r->handle.schema) {
        return hzc_complain(r->args, HZC_USAGE,
                            "line %zu is a position; --schema says how it becomes a row", line);
    }
    int code = hzc_read_line(r->args, text, length, line, &position);
    if (code == HZC_DONE) {
        code = make_room(r, r->handle.schema->width, line);
    }
    if (code == HZC_DONE) {
        hz_features_row(r->handle.schema, &position,
                        r->has_color ? r->color : (hz_color)position.side,
                        r->rows + r->count * r->width);
        r->count++;
    }
    return code;
}

static bool is_separator(char c) {
    return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '[' || c == ']';
}

/* Reads the numbers of a line into `row`, at most `most`. Their count; SIZE_MAX for text that is no
 * number, with its place. */
static size_t read_row(const char *text, float *row, size_t most, size_t *place) {
    size_t count = 0;
    const char *at = text;
    while (true) {
        while (is_separator(*at)) {
            at++;
        }
        if (!*at) {
            return count;
        }
        char *end;
        float value = strtof(at, &end);
        if (end == at || (*end && !is_separator(*end))) {
            *place = (size_t)(at - text);
            return SIZE_MAX;
        }
        if (count < most) {
            row[count] = value;
        }
        count++;
        at = end;
    }
}

static int add_row(running *r, const char *text, size_t length, size_t line) {
    char *copy = malloc(length + 1);
    if (!copy) {
        return hzc_complain(r->args, HZC_ENVIRONMENT, "out of memory");
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    size_t place = 0, width = read_row(copy, NULL, 0, &place);
    int code = HZC_USAGE;
    if (width == SIZE_MAX) {
        hz_error err;
        (void)hz_fail(&err, HZ_INVALID_ARGUMENT, place,
                      "line %zu is neither a position nor a row of numbers", line);
        code = hzc_report(r->args, &err, copy, length);
    } else {
        code = make_room(r, width, line);
    }
    if (code == HZC_DONE) {
        (void)read_row(copy, r->rows + r->count * width, width, &place);
        r->count++;
    }
    free(copy);
    return code;
}

static int add_line(void *context, const char *text, size_t length, size_t line) {
    running *r = context;
    bool position = memchr(text, '/', length) || hzc_is_start(text, length);
    int code = (position ? add_position : add_row)(r, text, length, line);
    return code == HZC_DONE && r->count == BATCH ? flush(r) : code;
}

static int run_lines(running *r) {
    int code = hzc_each_line(r->args, MOST_LINE_BYTES, add_line, r);
    if (code == HZC_DONE || code == HZC_USAGE) {
        int last = flush(r); /* what came before a bad line is answered */
        code = code == HZC_DONE ? last : code;
    }
    return code;
}

int hzc_model_run(const hzc_args *args) {
    const char *path;
    const hz_executor *executor;
    running *r = calloc(1, sizeof *r);
    if (!r) {
        return hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
    }
    r->args = args;
    r->out = args->out;
    r->as_json = hzc_args_has(args, "json");
    r->has_color = hzc_args_has(args, "color");
    int code = HZC_USAGE;
    if (hzc_verb_operand(args, "a graph or a package's folder", &path) &&
        hzc_args_color(args, "color", &r->color)) {
        code = hzc_model_executor(args, "executor", "builtin", &executor);
        if (code == HZC_DONE) {
            code = hzc_model_open(args, path, executor, &r->handle);
        }
        if (code == HZC_DONE) {
            code = run_lines(r);
        }
    }
    hzc_model_fini(&r->handle);
    free(r->rows);
    free(r);
    return code;
}

/* ---- compare ---- */

typedef struct comparison {
    const hzc_args *args;
    const hz_executor *executors[2];
    hzc_model_handle handles[2];
    uint64_t rows, seed, worst_row;
    double tolerance, largest, sum;
    bool not_a_number; /* one has a number where the other has none */
    float *input;      /* BATCH rows */
    float values[2][BATCH];
} comparison;

/* Rows of two kinds in turn: any numbers of moderate size, and mostly zeros with a few ones. */
static void random_row(hz_random *random, float *row, size_t width, bool sparse) {
    enum { STEPS = 1 << 20 };
    for (size_t i = 0; i < width; i++) {
        uint32_t draw = hz_random_draw(random, STEPS);
        row[i] = sparse ? (float)(draw < STEPS / 8) : (float)draw * (8.0F / STEPS) - 4.0F;
    }
}

static void note(comparison *c, size_t row, float a, float b) {
    if (isnan(a) || isnan(b)) {
        c->not_a_number |= !isnan(a) != !isnan(b);
        return;
    }
    double difference = a == b ? 0 : fabs((double)a - (double)b);
    c->sum += difference;
    if (difference > c->largest) {
        c->largest = difference;
        c->worst_row = row;
    }
}

static int compare_rows(comparison *c) {
    hz_random random = hz_random_from_seed(c->seed);
    size_t width = c->handles[0].width;
    hzc_progress progress = hzc_progress_begin(c->args->command->name, "rows", c->rows);
    for (uint64_t done = 0; done < c->rows;) {
        size_t n = c->rows - done < BATCH ? (size_t)(c->rows - done) : BATCH;
        for (size_t i = 0; i < n; i++) {
            random_row(&random, c->input + i * width, width, (done + i) % 2 == 1);
        }
        for (int e = 0; e < 2; e++) {
            hz_error err;
            if (hzc_model_rows(c->handles[e].model, c->input, n, width, c->values[e], &err) !=
                HZ_OK) {
                hzc_progress_end(&progress);
                (void)hzc_complain(c->args, 0, "%s failed", c->executors[e]->name);
                return hzc_report(c->args, &err, NULL, 0);
            }
        }
        for (size_t i = 0; i < n; i++) {
            note(c, (size_t)done + i, c->values[0][i], c->values[1][i]);
        }
        done += n;
        hzc_progress_step(&progress, done);
    }
    hzc_progress_end(&progress);
    return HZC_DONE;
}

static int print_comparison(const comparison *c) {
    bool same = !c->not_a_number && c->largest <= c->tolerance;
    hzc_out *out = c->args->out;
    if (hzc_args_has(c->args, "json")) {
        hzc_json json = hzc_json_to(out);
        hzc_json_object(&json, NULL);
        hzc_json_bool(&json, "same", same);
        hzc_json_array(&json, "executors");
        hzc_json_text(&json, NULL, c->executors[0]->name);
        hzc_json_text(&json, NULL, c->executors[1]->name);
        hzc_json_end_array(&json);
        hzc_json_count(&json, "rows", c->rows);
        hzc_json_seed(&json, "seed", c->seed);
        hzc_json_double(&json, "largest", c->largest);
        hzc_json_double(&json, "mean", c->sum / (double)c->rows);
        hzc_json_count(&json, "worstRow", c->worst_row);
        hzc_json_bool(&json, "notANumber", c->not_a_number);
        hzc_json_double(&json, "tolerance", c->tolerance);
        hzc_json_end_object(&json);
        hzc_out_char(out, '\n');
    } else {
        char largest[HZC_NUMBER_CAPACITY], mean[HZC_NUMBER_CAPACITY], limit[HZC_NUMBER_CAPACITY];
        (void)hzc_double_text(c->largest, largest);
        (void)hzc_double_text(c->sum / (double)c->rows, mean);
        (void)hzc_double_text(c->tolerance, limit);
        hzc_out_format(out,
                       "%s and %s on %" PRIu64 " rows, seed %" PRIu64
                       ":\nlargest difference %s (row %" PRIu64 "), mean %s, tolerance %s: %s%s\n",
                       c->executors[0]->name, c->executors[1]->name, c->rows, c->seed, largest,
                       c->worst_row, mean, limit, same ? "the same" : "not the same",
                       c->not_a_number ? "; one has a number where the other has none" : "");
    }
    return same ? HZC_DONE : HZC_NO;
}

static bool read_tolerance(const hzc_args *args, double *tolerance) {
    const char *text = hzc_args_value(args, "tolerance");
    char *end;
    *tolerance = 1e-6;
    if (!text) {
        return true;
    }
    *tolerance = strtod(text, &end);
    if (*end || end == text || !(*tolerance >= 0.0 && isfinite(*tolerance))) {
        (void)hzc_usage(args, "--tolerance: '%s' is not a number from 0 on", text);
        return false;
    }
    return true;
}

static int open_both(comparison *c, const char *path) {
    static const char *const names[] = {"executor", "with"};
    static const char *const otherwise[] = {"builtin", "onnxruntime"};
    int code = HZC_DONE;
    for (int e = 0; e < 2 && code == HZC_DONE; e++) {
        code = hzc_model_executor(c->args, names[e], otherwise[e], &c->executors[e]);
        if (code == HZC_DONE) {
            code = hzc_model_open(c->args, path, c->executors[e], &c->handles[e]);
        }
    }
    if (code == HZC_DONE && c->handles[0].width == 0) {
        code = hzc_complain(c->args, HZC_USAGE,
                            "the graph does not say how wide its rows are; --schema does");
    }
    return code;
}

int hzc_model_compare(const hzc_args *args) {
    comparison c = {.args = args, .rows = 1000};
    const char *path;
    int code = HZC_USAGE;
    if (hzc_verb_operand(args, "a graph or a package's folder", &path) &&
        hzc_args_count(args, "rows", 1, 10000000, &c.rows) && hzc_args_seed(args, &c.seed) &&
        read_tolerance(args, &c.tolerance)) {
        code = open_both(&c, path);
    }
    if (code == HZC_DONE) {
        float *input = malloc(c.handles[0].width * BATCH * sizeof *input);
        c.input = input;
        code = input ? compare_rows(&c) : hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
        free(input);
    }
    if (code == HZC_DONE) {
        code = print_comparison(&c);
    }
    hzc_model_fini(&c.handles[0]);
    hzc_model_fini(&c.handles[1]);
    return code;
}
