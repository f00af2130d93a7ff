/* SPDX-License-Identifier: MIT */
/*
 * ONNX Runtime behind the executor's calls, found while running: nothing of it is needed to build.
 * Its functions are slots in a table that only grows, so they are called by number (version 13 of
 * the interface, served by 1.13 and everything later).
 *
 * Nothing is remembered between calls: every open model holds its own reference to the library, its
 * own environment (the runtime shares one behind them) and one session with one thread that does
 * not spin. The library is never unloaded, so the texts it hands out stay valid.
 */
#define _GNU_SOURCE /* dlinfo: which file was loaded */

#include "model/graph.h"
#include "model/wire.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the interface --------------------------------------------------------------------------- */

enum { API_VERSION = 13, LOG_FATAL_ONLY = 4, OPTIMIZE_ALL = 99, ARENA_ALLOCATOR = 1 };

/* Numbers of functions in the table. */
enum slot {
    GET_ERROR_MESSAGE = 2,
    CREATE_ENV = 3,
    CREATE_SESSION_FROM_ARRAY = 8,
    RUN = 9,
    CREATE_SESSION_OPTIONS = 10,
    SET_OPTIMIZATION_LEVEL = 23,
    SET_INTRA_OP_THREADS = 24,
    SET_INTER_OP_THREADS = 25,
    GET_INPUT_COUNT = 30,
    GET_OUTPUT_COUNT = 31,
    GET_INPUT_TYPE = 33,
    GET_OUTPUT_TYPE = 34,
    GET_INPUT_NAME = 36,
    GET_OUTPUT_NAME = 37,
    CREATE_TENSOR = 49,
    IS_TENSOR = 50,
    GET_DATA = 51,
    AS_TENSOR_INFO = 55,
    GET_ELEMENT = 60,
    GET_RANK = 61,
    GET_SHAPE = 62,
    GET_VALUE_INFO = 65,
    CREATE_CPU_MEMORY = 69,
    FREE = 76,
    GET_ALLOCATOR = 78,
    RELEASE_ENV = 92,
    RELEASE_STATUS = 93,
    RELEASE_MEMORY = 94,
    RELEASE_SESSION = 95,
    RELEASE_VALUE = 96,
    RELEASE_TYPE = 98,
    RELEASE_TENSOR_INFO = 99,
    RELEASE_OPTIONS = 100,
    ADD_CONFIG = 130
};

typedef void (*function)(void);
typedef struct api_base {
    const function *(*get_api)(uint32_t version);
    const char *(*get_version)(void);
} api_base;

typedef struct failure failure; /* OrtStatus; NULL = success */
typedef failure *(*get_pointer)(const void *from, void *to);
typedef failure *(*set_number)(void *object, int value);
typedef failure *(*get_port_type)(const void *session, size_t index, void **type);
typedef failure *(*get_port_name)(const void *session, size_t index, void *allocator, char **name);
typedef void (*release)(void *object);

/* ---- finding the library --------------------------------------------------------------------- */

typedef struct library {
    void *handle;
    const api_base *base;
    const function *table;
} library;

static const char *const SYSTEM_NAMES[] = {"libonnxruntime.so.1", "libonnxruntime.so"};
static const char BELOW[] = "third_party/onnxruntime/libonnxruntime.so.1";
enum { PARENTS = 4 }; /* folders above the program's own that are looked into */

static void *load(const char *name) {
    return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

/* Only files that nobody but the user or the system's owner can have put there. */
static bool is_trusted(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) &&
           (about.st_uid == geteuid() || about.st_uid == 0) && !(about.st_mode & S_IWOTH);
}

/* From the folder of the running program upwards. */
static void *load_beside_program(void) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0 || (size_t)length >= sizeof path) {
        return NULL;
    }
    path[length] = '\0';
    for (int level = 0; level <= PARENTS; level++) {
        char *slash = strrchr(path, '/');
        if (!slash) {
            return NULL;
        }
        slash[1] = '\0';
        if (strlen(path) + sizeof BELOW <= sizeof path) {
            memcpy(slash + 1, BELOW, sizeof BELOW);
            void *handle = is_trusted(path) ? load(path) : NULL;
            if (handle) {
                return handle;
            }
        }
        *slash = '\0';
    }
    return NULL;
}

static void *load_anywhere(hz_error *err) {
    const char *named = getenv("HAZARD_ONNXRUNTIME");
    if (named && *named) {
        void *handle = load(named);
        if (!handle) {
            const char *reason = dlerror();
            hz_fail(err, HZ_NO_EXECUTOR, HZ_NO_OFFSET,
                    "ONNX Runtime cannot be loaded from HAZARD_ONNXRUNTIME: %s",
                    reason ? reason : named);
        }
        return handle;
    }
    for (size_t i = 0; i < sizeof SYSTEM_NAMES / sizeof *SYSTEM_NAMES; i++) {
        void *handle = load(SYSTEM_NAMES[i]);
        if (handle) {
            return handle;
        }
    }
    void *handle = load_beside_program();
    if (!handle) {
        hz_fail(err, HZ_NO_EXECUTOR, HZ_NO_OFFSET,
                "there is no ONNX Runtime: neither %s among the system's libraries nor %s at the "
                "program or above it; HAZARD_ONNXRUNTIME may name the file",
                SYSTEM_NAMES[0], BELOW);
    }
    return handle;
}

static hz_status open_library(library *found, hz_error *err) {
    *found = (library){.handle = load_anywhere(err)};
    if (!found->handle) {
        return HZ_NO_EXECUTOR;
    }
    union { /* POSIX: a function pointer fits into an object pointer */
        void *object;
        const api_base *(*get_base)(void);
    } entry = {dlsym(found->handle, "OrtGetApiBase")};
    found->base = entry.object ? entry.get_base() : NULL;
    found->table = found->base ? found->base->get_api(API_VERSION) : NULL;
    if (found->table) {
        return HZ_OK;
    }
    hz_fail(err, HZ_NO_EXECUTOR, HZ_NO_OFFSET,
            "the library that was found is no ONNX Runtime with interface version %d%s%s",
            API_VERSION, found->base ? "; it is version " : "",
            found->base ? found->base->get_version() : "");
    (void)dlclose(found->handle);
    return HZ_NO_EXECUTOR;
}

/* ---- an open model --------------------------------------------------------------------------- */

typedef struct runtime {
    library lib;
    void *env, *session, *memory, *allocator; /* the allocator is not owned */
    size_t input_count, output_count;
    hz_port *inputs, *outputs; /* their names are ours */
    const char **input_names, **output_names;
    void **given, **taken; /* values of a run */
    /* The latest input of run_rows, kept while the same rows are asked again. */
    void *rows_value;
    const float *rows;
    size_t rows_count, rows_width;
} runtime;

#define CALL(r, type, slot) ((type)(r)->lib.table[slot])

/* Turns a failure into an error and releases it. */
static hz_status complain(const runtime *r, failure *problem, hz_status code, hz_error *err) {
    if (!problem) {
        return HZ_OK;
    }
    typedef const char *(*get_message)(const failure *);
    hz_fail(err, code, HZ_NO_OFFSET, "ONNX Runtime: %.900s",
            CALL(r, get_message, GET_ERROR_MESSAGE)(problem));
    CALL(r, release, RELEASE_STATUS)(problem);
    return code;
}

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory for an ONNX Runtime model");
}

static void drop(const runtime *r, enum slot slot, void *object) {
    if (object) {
        CALL(r, release, slot)(object);
    }
}

/* ---- opening --------------------------------------------------------------------------------- */

static hz_status make_session(runtime *r, const void *bytes, size_t length, hz_error *err) {
    typedef failure *(*create_env)(int level, const char *name, void **env);
    typedef failure *(*create_options)(void **options);
    typedef failure *(*add_config)(void *options, const char *key, const char *value);
    typedef failure *(*create_session)(void *env, const void *bytes, size_t length, void *options,
                                       void **session);
    typedef failure *(*create_memory)(int allocator, int type, void **memory);
    typedef failure *(*get_allocator)(void **allocator);
    void *options = NULL;
    failure *problem = CALL(r, create_env, CREATE_ENV)(LOG_FATAL_ONLY, "hazard", &r->env);
    if (!problem) {
        problem = CALL(r, create_options, CREATE_SESSION_OPTIONS)(&options);
    }
    if (!problem) {
        problem = CALL(r, set_number, SET_OPTIMIZATION_LEVEL)(options, OPTIMIZE_ALL);
    }
    if (!problem) {
        problem = CALL(r, set_number, SET_INTRA_OP_THREADS)(options, 1);
    }
    if (!problem) {
        problem = CALL(r, set_number, SET_INTER_OP_THREADS)(options, 1);
    }
    if (!problem) {
        problem = CALL(r, add_config, ADD_CONFIG)(options, "session.intra_op.allow_spinning", "0");
    }
    if (!problem) {
        problem = CALL(r, create_session, CREATE_SESSION_FROM_ARRAY)(r->env, bytes, length, options,
                                                                     &r->session);
    }
    if (!problem) {
        problem = CALL(r, create_memory, CREATE_CPU_MEMORY)(ARENA_ALLOCATOR, 0, &r->memory);
    }
    if (!problem) {
        problem = CALL(r, get_allocator, GET_ALLOCATOR)(&r->allocator);
    }
    drop(r, RELEASE_OPTIONS, options);
    return complain(r, problem, HZ_GRAPH, err);
}

/* Element type and shape; at most HZ_RANK_MAX dimensions are kept. */
static failure *read_shape(const runtime *r, const void *info, hz_port *port) {
    typedef failure *(*get_shape)(const void *info, int64_t *shape, size_t rank);
    int element = 0;
    size_t rank = 0;
    failure *problem = CALL(r, get_pointer, GET_ELEMENT)(info, &element);
    if (!problem) {
        problem = CALL(r, get_pointer, GET_RANK)(info, &rank);
    }
    port->element =
        element >= 0 && element <= HZ_ELEMENT_BFLOAT16 ? (hz_element)element : HZ_ELEMENT_UNDEFINED;
    port->rank = rank < UINT32_MAX ? (uint32_t)rank : UINT32_MAX;
    port->has_shape = rank > 0; /* the runtime reports "nothing said" as rank 0 */
    if (problem) {
        return problem;
    }
    /* The runtime wants all of a shape or its beginning: both are answered. */
    problem =
        CALL(r, get_shape, GET_SHAPE)(info, port->shape, rank < HZ_RANK_MAX ? rank : HZ_RANK_MAX);
    for (size_t i = 0; i < rank && i < HZ_RANK_MAX; i++) {
        port->shape[i] = port->shape[i] < 0 ? HZ_DYNAMIC : port->shape[i];
    }
    return problem;
}

static char *copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static hz_status read_port(runtime *r, size_t index, enum slot name_slot, enum slot type_slot,
                           hz_port *port, const char **name, hz_error *err) {
    char *text = NULL;
    void *type = NULL, *info = NULL;
    failure *problem = CALL(r, get_port_name, name_slot)(r->session, index, r->allocator, &text);
    if (!problem) {
        *name = copy_text(text);
        port->name = *name;
        typedef failure *(*release_text)(void *allocator, void *text);
        problem = CALL(r, release_text, FREE)(r->allocator, text);
    }
    if (!problem && !*name) {
        return no_memory(err);
    }
    if (!problem) {
        problem = CALL(r, get_port_type, type_slot)(r->session, index, &type);
    }
    if (!problem) {
        problem = CALL(r, get_pointer, AS_TENSOR_INFO)(type, &info); /* lives in `type` */
    }
    port->is_tensor = info != NULL;
    if (!problem && info) {
        problem = read_shape(r, info, port);
    }
    drop(r, RELEASE_TYPE, type);
    return complain(r, problem, HZ_GRAPH, err);
}

static hz_status read_ports(runtime *r, hz_error *err) {
    failure *problem = CALL(r, get_pointer, GET_INPUT_COUNT)(r->session, &r->input_count);
    if (!problem) {
        problem = CALL(r, get_pointer, GET_OUTPUT_COUNT)(r->session, &r->output_count);
    }
    if (problem) {
        r->input_count = r->output_count = 0;
        return complain(r, problem, HZ_GRAPH, err);
    }
    size_t in = r->input_count + 1, out = r->output_count + 1; /* never calloc(0) */
    r->inputs = calloc(in, sizeof *r->inputs);
    r->outputs = calloc(out, sizeof *r->outputs);
    r->input_names = calloc(in, sizeof *r->input_names);
    r->output_names = calloc(out, sizeof *r->output_names);
    r->given = calloc(in, sizeof *r->given);
    r->taken = calloc(out, sizeof *r->taken);
    if (!r->inputs || !r->outputs || !r->input_names || !r->output_names || !r->given ||
        !r->taken) {
        return no_memory(err);
    }
    hz_status status = HZ_OK;
    for (size_t i = 0; !status && i < r->input_count; i++) {
        status =
            read_port(r, i, GET_INPUT_NAME, GET_INPUT_TYPE, &r->inputs[i], &r->input_names[i], err);
    }
    for (size_t i = 0; !status && i < r->output_count; i++) {
        status = read_port(r, i, GET_OUTPUT_NAME, GET_OUTPUT_TYPE, &r->outputs[i],
                           &r->output_names[i], err);
    }
    return status;
}

static void free_names(const char **names, size_t count) {
    for (size_t i = 0; names && i < count; i++) {
        union {
            const char *read;
            void *owned;
        } name = {names[i]};
        free(name.owned);
    }
    free((void *)names);
}

static hz_status close_runtime(void *state, hz_error *err) {
    runtime *r = state;
    drop(r, RELEASE_VALUE, r->rows_value);
    drop(r, RELEASE_MEMORY, r->memory);
    drop(r, RELEASE_SESSION, r->session);
    drop(r, RELEASE_ENV, r->env);
    free_names(r->input_names, r->input_count);
    free_names(r->output_names, r->output_count);
    free(r->inputs);
    free(r->outputs);
    free((void *)r->given);
    free((void *)r->taken);
    (void)dlclose(r->lib.handle);
    free(r);
    (void)err;
    return HZ_OK;
}

static hz_status open_runtime(void *context, const void *bytes, size_t length,
                              const hz_graph_limits *limits, void **state, hz_error *err) {
    (void)context;
    const hz_graph_limits filled = hzi_fill_limits(limits);
    /* The runtime would fetch external data from the current folder, whatever the digest says. */
    hz_status status = hzi_wire_check_whole(bytes, length, &filled, err);
    if (status) {
        return status;
    }
    runtime *r = calloc(1, sizeof *r);
    if (!r) {
        return no_memory(err);
    }
    status = open_library(&r->lib, err);
    if (status) {
        free(r);
        return status;
    }
    status = make_session(r, bytes, length, err);
    status = status ? status : read_ports(r, err);
    if (status) {
        (void)close_runtime(r, NULL);
        return status;
    }
    *state = r;
    return HZ_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

static hz_status make_value(const runtime *r, const void *data, size_t size, const int64_t *shape,
                            size_t rank, hz_element element, void **value, hz_error *err) {
    typedef failure *(*create_tensor)(void *memory, void *data, size_t size, const int64_t *shape,
                                      size_t rank, int element, void **value);
    union { /* inputs are only read */
        const void *read;
        void *held;
    } pointer = {data};
    failure *problem = CALL(r, create_tensor, CREATE_TENSOR)(r->memory, pointer.held, size, shape,
                                                             rank, (int)element, value);
    return complain(r, problem, HZ_MODEL_RUN, err);
}

static failure *run_session(const runtime *r, size_t outputs) {
    typedef failure *(*run)(void *session, const void *options, const char *const *input_names,
                            void *const *inputs, size_t input_count,
                            const char *const *output_names, size_t output_count, void **outputs);
    memset((void *)r->taken, 0, outputs * sizeof *r->taken);
    return CALL(r, run, RUN)(r->session, NULL, r->input_names, r->given, r->input_count,
                             r->output_names, outputs, r->taken);
}

/* What a value is, as a port without a name, and its numbers. */
static hz_status look_at(const runtime *r, void *value, const char *name, hz_port *port,
                         void **data, hz_error *err) {
    int is_tensor = 0;
    void *info = NULL;
    failure *problem = CALL(r, get_pointer, IS_TENSOR)(value, &is_tensor);
    if (!problem && !is_tensor) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "output '%.80s' is no tensor", name);
    }
    if (!problem) {
        problem = CALL(r, get_pointer, GET_VALUE_INFO)(value, &info);
    }
    if (!problem) {
        problem = read_shape(r, info, port);
    }
    drop(r, RELEASE_TENSOR_INFO, info);
    if (!problem) {
        problem = CALL(r, get_pointer, GET_DATA)(value, data);
    }
    return complain(r, problem, HZ_MODEL_RUN, err);
}

static hz_status copy_output(const runtime *r, size_t index, hz_tensor *output, hz_arena *arena,
                             hz_error *err) {
    const char *name = r->output_names[index];
    hz_port port = {0};
    void *data = NULL;
    hz_status status = look_at(r, r->taken[index], name, &port, &data, err);
    if (status) {
        return status;
    }
    size_t each = hz_element_size(port.element);
    if (each == 0 || port.rank > HZ_RANK_MAX) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET,
                       "output '%.80s' of %s and rank %u cannot be taken over", name,
                       hz_element_name(port.element), port.rank);
    }
    *output = (hz_tensor){.element = port.element, .rank = port.rank};
    memcpy(output->shape, port.shape, sizeof output->shape);
    size_t size = hz_tensor_count(output) * each;
    output->data = hz_arena_alloc(arena, size);
    if (!output->data) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no room for output '%.80s'", name);
    }
    if (size > 0 && data) {
        memcpy(output->data, data, size);
    }
    return HZ_OK;
}

static void drop_values(const runtime *r, void **values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        drop(r, RELEASE_VALUE, values[i]);
        values[i] = NULL;
    }
}

static hz_status run_tensors(void *state, const hz_tensor *inputs, hz_tensor *outputs,
                             hz_arena *arena, hz_error *err) {
    runtime *r = state;
    hz_status status = HZ_OK;
    memset((void *)r->given, 0, r->input_count * sizeof *r->given);
    for (size_t i = 0; !status && i < r->input_count; i++) {
        const hz_tensor *input = &inputs[i];
        size_t each = hz_element_size(input->element);
        if (each == 0) {
            status = hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "input '%.80s' of %s cannot be given",
                             r->input_names[i], hz_element_name(input->element));
        } else {
            status = make_value(r, input->data, hz_tensor_count(input) * each, input->shape,
                                input->rank, input->element, &r->given[i], err);
        }
    }
    if (!status) {
        status = complain(r, run_session(r, r->output_count), HZ_MODEL_RUN, err);
        for (size_t i = 0; !status && i < r->output_count; i++) {
            status = copy_output(r, i, &outputs[i], arena, err);
        }
        drop_values(r, r->taken, r->output_count);
    }
    drop_values(r, r->given, r->input_count);
    return status;
}

/* The value of n rows, the kept one when it is the same memory. */
static hz_status rows_value(runtime *r, const float *rows, size_t n, size_t width, hz_error *err) {
    if (r->rows_value && r->rows == rows && r->rows_count == n && r->rows_width == width) {
        return HZ_OK;
    }
    drop(r, RELEASE_VALUE, r->rows_value);
    r->rows_value = NULL;
    const int64_t shape[] = {(int64_t)n, (int64_t)width};
    r->rows = rows;
    r->rows_count = n;
    r->rows_width = width;
    return make_value(r, rows, n * width * sizeof *rows, shape, 2, HZ_ELEMENT_FLOAT, &r->rows_value,
                      err);
}

static hz_status take_rows(const runtime *r, size_t n, float *values, hz_error *err) {
    hz_port port = {0};
    void *data = NULL;
    hz_status status = look_at(r, r->taken[0], r->output_names[0], &port, &data, err);
    if (status) {
        return status;
    }
    bool fits = data && port.element == HZ_ELEMENT_FLOAT && port.shape[0] == (int64_t)n &&
                (port.rank == 1 || (port.rank == 2 && port.shape[1] == 1));
    if (!fits) {
        char text[128];
        hz_port_shape_text(&port, text, sizeof text);
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET,
                       "output '%.80s' is %s %s instead of FLOAT [%zu,1]", r->output_names[0],
                       hz_element_name(port.element), text, n);
    }
    memcpy(values, data, n * sizeof *values);
    return HZ_OK;
}

static hz_status run_rows(void *state, const float *rows, size_t n, size_t width, float *values,
                          hz_error *err) {
    runtime *r = state;
    if (r->input_count != 1 || r->output_count < 1) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "the graph has %zu inputs and %zu outputs",
                       r->input_count, r->output_count);
    }
    hz_status status = rows_value(r, rows, n, width, err);
    if (status) {
        return status;
    }
    r->given[0] = r->rows_value;
    status = complain(r, run_session(r, 1), HZ_MODEL_RUN, err);
    status = status ? status : take_rows(r, n, values, err);
    drop_values(r, r->taken, 1);
    r->given[0] = NULL;
    return status;
}

/* ---- the executor ---------------------------------------------------------------------------- */

static size_t input_count(void *state) {
    return ((const runtime *)state)->input_count;
}

static size_t output_count(void *state) {
    return ((const runtime *)state)->output_count;
}

static const hz_port *input_port(void *state, size_t index) {
    const runtime *r = state;
    return index < r->input_count ? &r->inputs[index] : NULL;
}

static const hz_port *output_port(void *state, size_t index) {
    const runtime *r = state;
    return index < r->output_count ? &r->outputs[index] : NULL;
}

static const hz_executor EXECUTOR = {
    .name = "onnxruntime",
    .open = open_runtime,
    .input_count = input_count,
    .output_count = output_count,
    .input = input_port,
    .output = output_port,
    .run = run_tensors,
    .run_rows = run_rows,
    .close = close_runtime,
};

hz_status hz_executor_onnxruntime(const hz_executor **executor, const char **version,
                                  const char **path, hz_error *err) {
    library lib;
    hz_status status = open_library(&lib, err);
    if (status) {
        return status;
    }
    if (version) {
        *version = lib.base->get_version();
    }
    if (path) {
        /* The loader's own record of the file; it lives as long as the library. */
        struct link_map *map = NULL;
        *path = dlinfo(lib.handle, RTLD_DI_LINKMAP, &map) == 0 && map ? map->l_name : "";
    }
    *executor = &EXECUTOR;
    (void)dlclose(lib.handle);
    return HZ_OK;
}
