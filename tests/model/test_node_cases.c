/* SPDX-License-Identifier: MIT */
/*
 * The single-node cases that come with ONNX (Debian: libonnx-testdata), one model with inputs and
 * outputs each. Every case all of whose operators are supported must run and give the outputs; a
 * table in the comments tells how many cases of each operator were run, passed, or not supported.
 * HAZARD_ONNX_TESTDATA names another folder of cases; without the data the test is skipped.
 */
#include "model/graphs.h"

#include "model/graph.h"

#include <dirent.h>
#include <math.h>

#define FOLDER "/usr/share/libonnx-testdata/data/node"

/* What ONNX's own runner allows, and what we hold apart from the cases it counts as loose. */
static const double RELATIVE = 1e-3, ABSOLUTE = 1e-7, CLOSE_RELATIVE = 1e-5, CLOSE_ABSOLUTE = 1e-6;

/* Cases that use only operators we have, and still are not for us. */
static const struct {
    const char *name, *reason;
} EXCEPTIONS[] = {
    {"", ""},
};

enum { OPERATORS = 400, TENSORS = 24 };

typedef struct tally {
    char name[80];
    unsigned run, passed, refused;
} tally;

typedef struct cases {
    tally operators[OPERATORS];
    size_t count;
    unsigned cases, passed, loose, refused, unreadable, failed, excepted;
} cases;

/* ---- tensors from files -------------------------------------------------------------------------- */

static bool read_file(const char *path, wire *w) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        return false;
    }
    uint8_t buffer[4096];
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;) {
        wire_add(w, buffer, got);
    }
    fclose(file);
    return true;
}

/* A tensor file becomes the initializer of a graph, which owns it. NULL when it cannot be. */
static hz_graph *read_tensor(const char *path, hz_tensor *tensor) {
    wire bytes = {0}, graph = {0};
    if (!read_file(path, &bytes)) {
        return NULL;
    }
    wire_text(&bytes, 8, "t"); /* the later name counts */
    wire_message(&graph, 5, &bytes);
    wire model = wire_model(&graph, 8, 13);
    hz_graph *made = NULL;
    if (hz_graph_read(model.data, model.length, NULL, &made, NULL) == HZ_OK) {
        *tensor = made->values[0].tensor;
    }
    wire_free(&model);
    return made;
}

/* ---- comparing ----------------------------------------------------------------------------------- */

static double half_value(uint16_t bits, bool brain) {
    if (brain) {
        uint32_t wide = (uint32_t)bits << 16;
        float value;
        memcpy(&value, &wide, sizeof value);
        return (double)value;
    }
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
                   : exponent == 0 ? ldexp(fraction, -24)
                                   : ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -value : value;
}

static bool is_real(hz_element element) {
    return element == HZ_ELEMENT_FLOAT || element == HZ_ELEMENT_DOUBLE ||
           element == HZ_ELEMENT_FLOAT16 || element == HZ_ELEMENT_BFLOAT16;
}

static double real_at(const hz_tensor *tensor, size_t i) {
    switch (tensor->element) {
    case HZ_ELEMENT_FLOAT:
        return (double)((const float *)tensor->data)[i];
    case HZ_ELEMENT_DOUBLE:
        return ((const double *)tensor->data)[i];
    default:
        return half_value(((const uint16_t *)tensor->data)[i],
                          tensor->element == HZ_ELEMENT_BFLOAT16);
    }
}

static bool is_near(double a, double b, double relative, double absolute) {
    if (isnan(a) || isnan(b)) {
        return isnan(a) && isnan(b);
    }
    return a == b || fabs(a - b) <= absolute + relative * fabs(b);
}

/* 0 = no, 1 = within the runner's tolerance, 2 = close. *where says what differs. */
static int compare(const hz_tensor *got, const hz_tensor *wanted, char *where, size_t capacity) {
    bool same = got->element == wanted->element && got->rank == wanted->rank;
    for (uint32_t i = 0; i < wanted->rank && same; i++) {
        same = got->shape[i] == wanted->shape[i];
    }
    if (!same) {
        (void)snprintf(where, capacity, "type or shape: rank %u %s instead of rank %u %s",
                       got->rank, hz_element_name(got->element), wanted->rank,
                       hz_element_name(wanted->element));
        return 0;
    }
    size_t count = hz_tensor_count(wanted), size = hz_element_size(wanted->element);
    int verdict = 2;
    for (size_t i = 0; i < count; i++) {
        if (is_real(wanted->element)) {
            double a = real_at(got, i), b = real_at(wanted, i);
            if (!is_near(a, b, RELATIVE, ABSOLUTE)) {
                (void)snprintf(where, capacity, "element %zu: %.9g instead of %.9g", i, a, b);
                return 0;
            }
            verdict = is_near(a, b, CLOSE_RELATIVE, CLOSE_ABSOLUTE) ? verdict : 1;
        } else if (memcmp((const char *)got->data + i * size, (const char *)wanted->data + i * size,
                          size) != 0) {
            (void)snprintf(where, capacity, "element %zu", i);
            return 0;
        }
    }
    return verdict;
}

/* ---- one case ------------------------------------------------------------------------------------ */

/* 0 = failed with a reason, 1 = passed, 2 = passed closely. */
static int run_set(hz_model *model, const char *folder, char *why, size_t capacity) {
    hz_graph *owners[2 * TENSORS] = {NULL};
    hz_tensor inputs[TENSORS], outputs[TENSORS], wanted;
    size_t takes = hz_model_input_count(model), gives = hz_model_output_count(model);
    size_t owned = 0;
    int verdict = 2;
    hz_error err;
    hz_arena arena = {0};
    assert_true(takes <= TENSORS && gives <= TENSORS);
    for (size_t i = 0; i < takes && verdict; i++) {
        char path[600];
        (void)snprintf(path, sizeof path, "%s/input_%zu.pb", folder, i);
        owners[owned] = read_tensor(path, &inputs[i]);
        if (!owners[owned++]) {
            (void)snprintf(why, capacity, "cannot read %.300s", path);
            verdict = 0;
        }
    }
    if (verdict && hz_model_run(model, inputs, takes, outputs, gives, &arena, &err) != HZ_OK) {
        (void)snprintf(why, capacity, "%.300s", err.message);
        verdict = 0;
    }
    for (size_t i = 0; i < gives && verdict; i++) {
        char path[600];
        (void)snprintf(path, sizeof path, "%s/output_%zu.pb", folder, i);
        owners[owned] = read_tensor(path, &wanted);
        if (!owners[owned++]) {
            (void)snprintf(why, capacity, "cannot read %.300s", path);
            verdict = 0;
            break;
        }
        int one = compare(&outputs[i], &wanted, why, capacity);
        verdict = one < verdict ? one : verdict;
    }
    for (size_t i = 0; i < owned; i++) {
        hz_graph_free(owners[i]);
    }
    hz_arena_fini(&arena);
    return verdict;
}

static tally *tally_of(cases *all, const hz_operator_use *use) {
    char name[80];
    (void)snprintf(name, sizeof name, "%s%s%s", use->domain, use->domain[0] ? "." : "", use->name);
    for (size_t i = 0; i < all->count; i++) {
        if (strcmp(all->operators[i].name, name) == 0) {
            return &all->operators[i];
        }
    }
    assert_true(all->count < OPERATORS);
    tally *made = &all->operators[all->count++];
    memcpy(made->name, name, sizeof name);
    return made;
}

static const char *exception(const char *name) {
    for (size_t i = 0; i < sizeof EXCEPTIONS / sizeof *EXCEPTIONS; i++) {
        if (strcmp(EXCEPTIONS[i].name, name) == 0) {
            return EXCEPTIONS[i].reason;
        }
    }
    return NULL;
}

/* 0 = failed, 1 or 2 = passed. */
static int run_case(const char *folder, const char *name, char *why, size_t capacity) {
    char path[500];
    hz_model *model = NULL;
    hz_error err;
    int verdict = 2;
    (void)snprintf(path, sizeof path, "%s/%s/model.onnx", folder, name);
    if (hz_model_open_file(path, NULL, &model, &err) != HZ_OK) {
        (void)snprintf(why, capacity, "%.300s", err.message);
        return 0;
    }
    for (int set = 0; set < 8 && verdict; set++) {
        (void)snprintf(path, sizeof path, "%s/%s/test_data_set_%d", folder, name, set);
        DIR *there = opendir(path);
        if (!there) {
            break;
        }
        closedir(there);
        int one = run_set(model, path, why, capacity);
        verdict = one < verdict ? one : verdict;
    }
    assert_int_equal(hz_model_close(model, &err), HZ_OK);
    return verdict;
}

static void meet_case(cases *all, const char *folder, const char *name) {
    char path[500], why[400] = "";
    hz_graph *graph = NULL;
    hz_error err;
    hz_operator_use use;
    (void)snprintf(path, sizeof path, "%s/%s/model.onnx", folder, name);
    all->cases++;
    if (hz_graph_read_file(path, NULL, &graph, &err) != HZ_OK) {
        all->unreadable++;
        if (!strstr(err.message, "is a graph")) { /* loops and branches */
            print_message("# %s is not read: %s\n", name, err.message);
        }
        return;
    }
    bool supported = true;
    for (size_t i = 0; hz_graph_operator(graph, i, &use); i++) {
        supported = supported && use.supported;
    }
    bool excepted = supported && exception(name);
    int verdict = supported && !excepted ? run_case(folder, name, why, sizeof why) : 0;
    for (size_t i = 0; hz_graph_operator(graph, i, &use); i++) {
        tally *of = tally_of(all, &use);
        of->refused += !supported || excepted;
        of->run += supported && !excepted;
        of->passed += verdict > 0;
    }
    hz_graph_free(graph);
    if (!supported) {
        all->refused++;
    } else if (excepted) {
        all->excepted++;
        print_message("# %s is left out: %s\n", name, exception(name));
    } else if (verdict > 0) {
        all->passed++;
        all->loose += verdict == 1;
        if (verdict == 1) {
            print_message("# %s passes with the runner's tolerance only\n", name);
        }
    } else {
        all->failed++;
        print_message("# %s FAILS: %s\n", name, why);
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const tally *)a)->name, ((const tally *)b)->name);
}

static int is_case(const struct dirent *entry) {
    return strncmp(entry->d_name, "test_", 5) == 0;
}

static void onnx_node_cases_pass_for_supported_operators(void **state) {
    (void)state;
    const char *folder = getenv("HAZARD_ONNX_TESTDATA");
    struct dirent **entries = NULL;
    folder = folder && *folder ? folder : FOLDER;
    int count = scandir(folder, &entries, is_case, alphasort);
    if (count <= 0) {
        print_message("# no cases in %s: install libonnx-testdata\n", folder);
        skip();
    }
    cases *all = calloc(1, sizeof *all);
    assert_non_null(all);
    for (int i = 0; i < count; i++) {
        meet_case(all, folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    qsort(all->operators, all->count, sizeof *all->operators, by_name);
    print_message("# %-32s %5s %6s %13s\n", "operator", "run", "passed", "not supported");
    for (size_t i = 0; i < all->count; i++) {
        const tally *one = &all->operators[i];
        print_message("# %-32s %5u %6u %13u\n", one->name, one->run, one->passed, one->refused);
    }
    print_message("# %u cases: %u passed (%u of them loosely), %u failed, %u left out, %u with "
                  "operators not supported, %u with graphs within graphs\n",
                  all->cases, all->passed, all->loose, all->failed, all->excepted, all->refused,
                  all->unreadable);
    unsigned failed = all->failed;
    free(all);
    assert_int_equal(failed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(onnx_node_cases_pass_for_supported_operators),
    };
    return cmocka_run_group_tests_name("model/node_cases", tests, NULL, NULL);
}
