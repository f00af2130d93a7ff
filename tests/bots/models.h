/* SPDX-License-Identifier: MIT */
/*
 * bots/models.h - models for tests of bots: a published forest as file and as packages, and an
 * executor around the built-in one that writes down what is opened and closed and fails where the
 * test says.
 */
#ifndef HAZARD_TEST_BOTS_MODELS_H
#define HAZARD_TEST_BOTS_MODELS_H

#include <hazard/bots.h>

#include "model/fixture_tree.h"
#include "package/folder.h"

/* ---- the executor with a journal ---- */

enum { JOURNAL_HANDLES = 96 };

typedef struct journal {
    hz_executor executor;
    char text[1024];  /* "+1 +2 -2 -1": handles by number of opening, in the order of events */
    int opens, open;  /* openings tried; handles open now */
    int failing_open; /* number of the opening that fails, 0 = none */
    uint64_t failing_close; /* bit n: closing handle n reports a failure */
    int failing_run;        /* number of the run that fails, 0 = none */
    int runs;
    int rows[64];    /* rows of the first runs */
    uint64_t *clock; /* advanced by one per run; may be NULL */
} journal;

typedef struct journal_handle {
    journal *j;
    int number;
    void *inner;
} journal_handle;

static inline void journal_note(journal *j, char sign, int number) {
    size_t used = strlen(j->text);
    snprintf(j->text + used, sizeof j->text - used, "%s%c%d", used ? " " : "", sign, number);
}

static inline hz_status journal_open(void *context, const void *bytes, size_t length,
                                     const hz_graph_limits *limits, void **state, hz_error *err) {
    journal *j = context;
    const hz_executor *inner = hz_executor_builtin();
    int number = ++j->opens;
    if (number == j->failing_open) {
        return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET, "opening number %d fails", number);
    }
    journal_handle *handle = malloc(sizeof *handle);
    assert_non_null(handle);
    *handle = (journal_handle){.j = j, .number = number};
    hz_status status = inner->open(inner->context, bytes, length, limits, &handle->inner, err);
    if (status != HZ_OK) {
        free(handle);
        return status;
    }
    j->open++;
    journal_note(j, '+', number);
    *state = handle;
    return HZ_OK;
}

static inline size_t journal_input_count(void *state) {
    return hz_executor_builtin()->input_count(((journal_handle *)state)->inner);
}

static inline size_t journal_output_count(void *state) {
    return hz_executor_builtin()->output_count(((journal_handle *)state)->inner);
}

static inline const hz_port *journal_input(void *state, size_t index) {
    return hz_executor_builtin()->input(((journal_handle *)state)->inner, index);
}

static inline const hz_port *journal_output(void *state, size_t index) {
    return hz_executor_builtin()->output(((journal_handle *)state)->inner, index);
}

static inline hz_status journal_run(void *state, const hz_tensor *inputs, hz_tensor *outputs,
                                    hz_arena *arena, hz_error *err) {
    return hz_executor_builtin()->run(((journal_handle *)state)->inner, inputs, outputs, arena,
                                      err);
}

static inline hz_status journal_run_rows(void *state, const float *rows, size_t n, size_t width,
                                         float *values, hz_error *err) {
    const journal_handle *handle = state;
    journal *j = handle->j;
    if (j->runs < (int)(sizeof j->rows / sizeof *j->rows)) {
        j->rows[j->runs] = (int)n;
    }
    if (j->clock) {
        ++*j->clock;
    }
    if (++j->runs == j->failing_run) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "run number %d fails", j->runs);
    }
    return hz_executor_builtin()->run_rows(handle->inner, rows, n, width, values, err);
}

static inline hz_status journal_close(void *state, hz_error *err) {
    journal_handle *handle = state;
    journal *j = handle->j;
    int number = handle->number;
    hz_status status = hz_executor_builtin()->close(handle->inner, err);
    free(handle);
    j->open--;
    journal_note(j, '-', number);
    if (j->failing_close & UINT64_C(1) << number) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "closing number %d fails", number);
    }
    return status;
}

/* The executor inside points at the journal: it must stay where it is. */
static inline void journal_make(journal *j) {
    *j = (journal){.executor = {.name = "journal",
                                .context = j,
                                .open = journal_open,
                                .input_count = journal_input_count,
                                .output_count = journal_output_count,
                                .input = journal_input,
                                .output = journal_output,
                                .run = journal_run,
                                .run_rows = journal_run_rows,
                                .close = journal_close}};
}

/* ---- the forest in a folder ---- */

/* "forest.onnx", and packages in folders: "value", "collapse", "prerank" by role, "wrong" with a
 * manifest that names another output. */
typedef struct forest {
    folder f;
    const char *file;
    const char *value, *collapse, *prerank, *wrong;
} forest;

static inline const char *forest_package(forest *t, const char *name, const char *role,
                                         const char *output, const void *bytes, size_t length) {
    char entry[64], digest[67];
    const char *path = folder_entry(&t->f, name); /* removed after what is in it */
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(entry, sizeof entry, "%s/model.onnx", name);
    folder_write(&t->f, entry, bytes, length);
    draft d = draft_good();
    json_digest(bytes, length, digest);
    draft_set(&d, "modelSha256", digest);
    draft_set(&d, "modelRole", role);
    draft_set(&d, "featureSchema", "\"material-7-v1\"");
    draft_set(&d, "featureCount", "7");
    draft_set(&d, "outputName", output);
    snprintf(entry, sizeof entry, "%s/manifest.json", name);
    folder_write_text(&t->f, entry, draft_text(&d));
    return path;
}

static inline void forest_make(forest *t) {
    const void *bytes;
    size_t length;
    hz_error err;
    hz_arena arena = {0};
    if (fixture_tree_bytes(NULL, NULL, &arena, &bytes, &length, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    folder_make(&t->f);
    t->file = folder_write(&t->f, "forest.onnx", bytes, length);
    t->value = forest_package(t, "value", "\"position-value\"", "\"variable\"", bytes, length);
    t->collapse =
        forest_package(t, "collapse", "\"chance-collapse\"", "\"variable\"", bytes, length);
    t->prerank = forest_package(t, "prerank", "\"move-prerank\"", "\"variable\"", bytes, length);
    t->wrong = forest_package(t, "wrong", "\"chance-collapse\"", "\"output\"", bytes, length);
    hz_arena_fini(&arena);
}

static inline void forest_remove(forest *t) {
    folder_remove(&t->f);
}

/* A package of a folder that must load. Free it. */
static inline hz_package *forest_load(const char *path) {
    hz_package *package = NULL;
    hz_error err;
    if (hz_package_load(path, NULL, &package, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return package;
}

#endif
