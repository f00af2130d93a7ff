/* SPDX-License-Identifier: MIT */
/*
 * The checks of a submission, in their order; the first that fails is the verdict. First the file as
 * it is written (versions, data, ports, operators, names, numbers), then a session and a probe run
 * over sixteen fixed positions.
 */
#include "league/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hz_league_limits hzi_league_limits(const hz_league_limits *given) {
    hz_league_limits limits = given ? *given : (hz_league_limits){0};
    limits.position_ms = limits.position_ms ? limits.position_ms : 1000;
    limits.opening_ms = limits.opening_ms ? limits.opening_ms : 30000;
    limits.memory_bytes = limits.memory_bytes ? limits.memory_bytes : (uint64_t)2 << 30;
    limits.game_ms = limits.game_ms ? limits.game_ms : 300000;
    limits.parameters = limits.parameters ? limits.parameters : 10000000;
    return limits;
}

const char *hz_league_code_text(int code) {
    static const char *const texts[] = {
        "accepted",
        "the file is empty or has more than 50000000 bytes",
        "the file is no ONNX model",
        "the file needs a newer version or another domain than can be run",
        "the file has data outside of it or tensors of texts",
        "the graph must have exactly one input that is no initializer",
        "the input must be float32 of shape [1,1540] or [symbol,1540]",
        "the graph must have exactly one output, float32 of shape [1,1] or [symbol,1]",
        "no executor can run an operator of the graph",
        "a name is missing or defined twice, or the graph has a circle",
        "the file has too many parameters",
        "the graph does not fit together",
        "the probe run gave values that are not finite or not the same each time",
        "the probe run took too much time or memory, or crashed",
        "all probe values are equal"};
    return code >= 0 && code <= HZ_LEAGUE_E14_CONSTANT ? texts[code] : "unknown";
}

/* The probe: openings, middlegames, endgames, both sides to move, checks, promotions at hand. */
static const char *const PROBES[HZ_LEAGUE_PROBES] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "rnbq1rk1/ppp1bppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQ - 4 6",
    "r3kb1r/pp1n1ppp/2p1pn2/q4b2/2BP4/2N2N2/PPP2PPP/R1BQ1RK1 b kq - 3 8",
    "r4rk1/pp3ppp/2nqbn2/3p4/3P4/2NBBN2/PP3PPP/R2Q1RK1 b - - 6 12",
    "2rq1rk1/1b2bppp/p2ppn2/1p6/3NPP2/1BN1Q3/PPP3PP/R4R1K w - - 0 15",
    "r2q3k/6pp/2p2n2/p2p1b2/1P1P4/P1N2N2/5PPP/2RQ2K1 b - - 1 22",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 30",
    "8/5pk1/4p1p1/3pP2p/3P1P1P/4K1P1/8/8 w - - 0 40",
    "8/P5k1/8/8/8/6K1/p7/8 w - - 0 50",
    "8/8/8/3k4/8/3KQ3/8/8 b - - 12 60",
    "4k3/8/8/8/1b6/8/3P4/4K2R w K - 0 30",
    "r3k3/1P6/8/8/8/8/6q1/K3R3 b q - 0 33",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "3rr1k1/1p3ppp/p1p5/8/1P1P4/P3B3/5PPP/2R1R1K1 b - - 0 24",
};

/* More than there are operators. */
enum { SERVED_MOST = 512 };

typedef struct examination {
    const void *bytes;
    size_t length;
    const hz_league_limits *limits;
    hz_onnx_file *file;
    hz_league_model *model;
    hz_league_verdict *verdict;
    size_t served_count;
    hz_operator_info
        served[SERVED_MOST]; /* by the built-in executor, in order of domain and name */
} examination;

/* Returns false, so that `return refuse(...)` ends a check. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static bool
refuse(examination *x, int code, const char *format, ...) {
    va_list args;
    x->verdict->code = code;
    va_start(args, format);
    (void)vsnprintf(x->verdict->message, sizeof x->verdict->message, format, args);
    va_end(args);
    return false;
}

static bool parse(examination *x) {
    hz_error err;
    hz_graph_limits limits = {.file_bytes = HZ_LEAGUE_FILE_MAX,
                              .memory_bytes = (size_t)(x->limits->memory_bytes / 4)};
    return hz_onnx_file_read(x->bytes, x->length, &limits, &x->file, &err) == HZ_OK ||
           refuse(x, HZ_LEAGUE_E02_PARSE, "%.500s", err.message);
}

/* ---- versions -------------------------------------------------------------------------------------- */

static void list_served(examination *x) {
    while (x->served_count < SERVED_MOST &&
           hz_operator_at(x->served_count, &x->served[x->served_count])) {
        x->served_count++;
    }
}

/* Newest opset of a domain that the executors are known to run. */
static int newest(const examination *x, const char *domain) {
    int last = 0;
    for (size_t i = 0; i < x->served_count; i++) {
        if (strcmp(x->served[i].domain, domain) == 0 && x->served[i].opset_last > last) {
            last = x->served[i].opset_last;
        }
    }
    return last;
}

/* Domains whose operators an executor may know itself: a function there would be a name for one of
 * those. */
static bool is_taken(const char *domain) {
    static const char *const BEGINNINGS[] = {"ai.onnx", "com.microsoft", "com.ms.", "org.pytorch."};
    for (size_t i = 0; i < sizeof BEGINNINGS / sizeof BEGINNINGS[0]; i++) {
        if (strncmp(domain, BEGINNINGS[i], strlen(BEGINNINGS[i])) == 0) {
            return true;
        }
    }
    return !*domain;
}

static bool versions(examination *x) {
    enum { IR_LAST = 11 };
    static const char *const DOMAINS[] = {"", "ai.onnx.ml"};
    const char *domain;
    int64_t version, ir = hz_onnx_file_ir_version(x->file);
    if (ir < 1 || ir > IR_LAST) {
        return refuse(x, HZ_LEAGUE_E03_VERSION, "IR version %lld; known are 1 to %d", (long long)ir,
                      IR_LAST);
    }
    for (size_t i = 0; hz_onnx_file_import(x->file, i, &domain, &version); i++) {
        bool known = strcmp(domain, DOMAINS[0]) == 0 || strcmp(domain, DOMAINS[1]) == 0;
        bool defined = hz_onnx_file_defines(x->file, domain);
        if (!known && !defined) {
            return refuse(
                x, HZ_LEAGUE_E03_VERSION,
                "operators of the domain '%.100s'; only ai.onnx and ai.onnx.ml are served", domain);
        }
        if (defined && is_taken(domain)) {
            return refuse(x, HZ_LEAGUE_E03_VERSION,
                          "a function in the domain '%.100s', which is not the file's own",
                          *domain ? domain : "ai.onnx");
        }
        if (known && (version < 1 || version > newest(x, domain))) {
            return refuse(x, HZ_LEAGUE_E03_VERSION, "opset %lld of %s; known are 1 to %d",
                          (long long)version, *domain ? domain : "ai.onnx", newest(x, domain));
        }
    }
    hz_onnx_node node;
    for (size_t i = 0; hz_onnx_file_node(x->file, i, &node); i++) {
        bool known = strcmp(node.domain, DOMAINS[0]) == 0 || strcmp(node.domain, DOMAINS[1]) == 0;
        if (!known && !node.function && node.opset != 0) {
            return refuse(x, HZ_LEAGUE_E03_VERSION,
                          "node '%.100s' (%.100s) is of the domain '%.100s', where the file has no "
                          "such function",
                          node.name, node.type, node.domain);
        }
        if (node.opset == 0) {
            return refuse(x, HZ_LEAGUE_E03_VERSION,
                          "node '%.100s' (%.100s) is of the domain '%.100s', which is not imported",
                          node.name, node.type, *node.domain ? node.domain : "ai.onnx");
        }
    }
    return true;
}

static bool data(examination *x) {
    hz_error err;
    return hz_onnx_file_check_data(x->file, &err) == HZ_OK ||
           refuse(x, HZ_LEAGUE_E04_EXTERNAL, "%.500s", err.message);
}

/* ---- ports ----------------------------------------------------------------------------------------- */

static bool is_port(const hz_port *port, int64_t width) {
    return port->is_tensor && port->element == HZ_ELEMENT_FLOAT && port->has_shape &&
           port->rank == 2 && (port->shape[0] == HZ_DYNAMIC || port->shape[0] == 1) &&
           port->shape[1] == width;
}

static void describe(const hz_port *port, char *text, size_t capacity) {
    char shape[120];
    (void)hz_port_shape_text(port, shape, sizeof shape);
    (void)snprintf(text, capacity, "'%.100s' is %s %s", port->name,
                   port->is_tensor ? hz_element_name(port->element) : "no tensor", shape);
}

static bool ports(examination *x, bool outputs) {
    size_t count = outputs ? hz_onnx_file_outputs(x->file) : hz_onnx_file_inputs(x->file);
    const hz_port *port =
        outputs ? hz_onnx_file_output(x->file, 0) : hz_onnx_file_input(x->file, 0);
    char text[300];
    if (outputs) {
        if (count == 1 && is_port(port, 1)) {
            return true;
        }
        if (count == 1) {
            describe(port, text, sizeof text);
            return refuse(x, HZ_LEAGUE_E07_OUTPUT,
                          "output %s; it must be FLOAT [1,1] or [symbol,1]", text);
        }
        return refuse(x, HZ_LEAGUE_E07_OUTPUT, "%zu outputs; there must be one", count);
    }
    if (count != 1) {
        return refuse(x, HZ_LEAGUE_E05_INPUTS, "%zu inputs; there must be one", count);
    }
    if (!is_port(port, 1540)) {
        describe(port, text, sizeof text);
        return refuse(x, HZ_LEAGUE_E06_INPUT,
                      "input %s; it must be FLOAT [1,1540] or [symbol,1540]", text);
    }
    return true;
}

static bool inputs(examination *x) {
    return ports(x, false);
}

/* E06 has been seen together with E05; the stage is kept for its number. */
static bool input(examination *x) {
    (void)x;
    return true;
}

static bool output(examination *x) {
    return ports(x, true);
}

/* ---- operators ------------------------------------------------------------------------------------- */

/* Dropout is given a third input to have it drop at random, also where its value is left open. */
static bool is_random(const hz_onnx_node *node) {
    static const char *const RANDOM[] = {"Bernoulli",     "Multinomial",      "RandomNormal",
                                         "RandomUniform", "RandomNormalLike", "RandomUniformLike"};
    for (size_t i = 0; i < sizeof RANDOM / sizeof RANDOM[0]; i++) {
        if (strcmp(node->type, RANDOM[i]) == 0) {
            return true;
        }
    }
    return strcmp(node->type, "Dropout") == 0 && node->inputs > 2;
}

static int by_name(const void *a, const void *b) {
    const hz_operator_info *left = a, *right = b;
    int order = strcmp(left->domain, right->domain);
    return order ? order : strcmp(left->name, right->name);
}

static bool builtin_serves(const examination *x, const hz_onnx_node *node) {
    const hz_operator_info wanted = {.domain = node->domain, .name = node->type};
    const hz_operator_info *info =
        bsearch(&wanted, x->served, x->served_count, sizeof x->served[0], by_name);
    return info && node->opset >= info->opset_first && node->opset <= info->opset_last;
}

static bool may_use_runtime(const examination *x, const hz_executor **runtime) {
    return (!x->limits->executor || strcmp(x->limits->executor, "onnxruntime") == 0) &&
           hz_executor_onnxruntime(runtime, NULL, NULL, NULL) == HZ_OK;
}

static const char *without_runtime(const examination *x) {
    return x->limits->executor ? "ONNX Runtime was not asked for" : "ONNX Runtime is not there";
}

/* An operator that the built-in executor lacks is left to ONNX Runtime, which says so itself when a
 * session is made. */
static bool operators(examination *x) {
    hz_onnx_node node;
    const hz_executor *runtime;
    bool has_runtime = may_use_runtime(x, &runtime);
    for (size_t i = 0; hz_onnx_file_node(x->file, i, &node); i++) {
        const char *domain = *node.domain ? node.domain : "ai.onnx";
        if (node.function) {
            continue;
        }
        if (is_random(&node)) {
            return refuse(x, HZ_LEAGUE_E08_OPERATOR,
                          "operator %.100s of node '%.100s' is random; a value must depend on the "
                          "input alone",
                          node.type, node.name);
        }
        if (!has_runtime && !builtin_serves(x, &node)) {
            return refuse(x, HZ_LEAGUE_E08_OPERATOR,
                          "operator %.100s of node '%.100s' (%.60s, opset %lld) is not run by the "
                          "built-in executor, and %s",
                          node.type, node.name, domain, (long long)node.opset, without_runtime(x));
        }
    }
    if (!has_runtime && hz_onnx_file_is_nested(x->file)) {
        return refuse(x, HZ_LEAGUE_E08_OPERATOR,
                      "graphs within graphs, functions and sparse tensors are not run by the "
                      "built-in executor, and %s",
                      without_runtime(x));
    }
    return true;
}

static bool names(examination *x) {
    hz_error err;
    return hz_onnx_file_check_names(x->file, &err) == HZ_OK ||
           refuse(x, HZ_LEAGUE_E09_NAMES, "%.500s", err.message);
}

static bool parameters(examination *x) {
    hz_error err;
    if (hz_onnx_file_parameters(x->file, &x->verdict->parameters, &err) != HZ_OK) {
        return refuse(x, HZ_LEAGUE_E10_PARAMETERS, "%.500s", err.message);
    }
    x->verdict->counted = true;
    return x->verdict->parameters.strict <= x->limits->parameters ||
           refuse(x, HZ_LEAGUE_E10_PARAMETERS, "%llu parameters; the most is %llu",
                  (unsigned long long)x->verdict->parameters.strict,
                  (unsigned long long)x->limits->parameters);
}

/* ---- session and probe ------------------------------------------------------------------------------ */

/* Whether one of these is in an executor's words. */
static bool says(const char *message, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strstr(message, words[i])) {
            return true;
        }
    }
    return false;
}

/* What running it takes too much of is the memory: that is its cost, whatever else is right. */
static int or_memory(int code, const char *message) {
    static const char *const WORDS[] = {
        "more memory than", "beyond the memory limit",   "out of memory",      "no memory",
        "bad_alloc",        "Failed to allocate memory", "AllocateRawInternal"};
    return says(message, WORDS, sizeof WORDS / sizeof WORDS[0]) ? HZ_LEAGUE_E13_COST : code;
}

static bool session(examination *x) {
    /* The runtime's words for an operator that it does not have. */
    static const char *const LACKING[] = {"is not a registered function/op", "No Op registered for",
                                          "Could not find an implementation", "NOT_IMPLEMENTED"};
    hz_error err;
    const char *version = NULL;
    if (hz_league_model_open(x->bytes, x->length, x->limits->executor,
                             (size_t)(x->limits->memory_bytes / 2), &x->model, &err) != HZ_OK) {
        bool lacking = says(err.message, LACKING, sizeof LACKING / sizeof LACKING[0]);
        return refuse(
            x, lacking ? HZ_LEAGUE_E08_OPERATOR : or_memory(HZ_LEAGUE_E11_SESSION, err.message),
            "%.580s", err.message);
    }
    hz_league_verdict *v = x->verdict;
    v->batched = hz_league_model_is_batched(x->model);
    const hz_executor *runtime;
    bool builtin = strcmp(hz_league_model_executor(x->model), "builtin") == 0;
    if (builtin || hz_executor_onnxruntime(&runtime, &version, NULL, NULL) != HZ_OK) {
        version = hz_version();
    }
    (void)snprintf(v->executor, sizeof v->executor, "%s", hz_league_model_executor(x->model));
    (void)snprintf(v->executor_version, sizeof v->executor_version, "%.31s", version);
    hz_position start;
    float value;
    (void)hz_chess_from_fen(&start, PROBES[0], strlen(PROBES[0]), NULL);
    hz_league_judge judge = hz_league_model_judge(x->model);
    return judge.judge(judge.state, &start, 1, &value, &err) == HZ_OK ||
           refuse(x, or_memory(HZ_LEAGUE_E11_SESSION, err.message), "%.580s", err.message);
}

static bool probe_one(examination *x, const hz_position *position, float *value) {
    hz_error err;
    hz_league_judge judge = hz_league_model_judge(x->model);
    uint64_t start = hz_clock_now_ns();
    if (judge.judge(judge.state, position, 1, value, &err) != HZ_OK) {
        return refuse(x, or_memory(HZ_LEAGUE_E12_PROBE, err.message), "%.580s", err.message);
    }
    double ms = (double)(hz_clock_now_ns() - start) / 1e6;
    x->verdict->position_ms = ms > x->verdict->position_ms ? ms : x->verdict->position_ms;
    return true;
}

static bool probe(examination *x) {
    hz_position positions[HZ_LEAGUE_PROBES];
    float again[HZ_LEAGUE_PROBES], *values = x->verdict->values;
    hz_error err;
    for (int i = 0; i < HZ_LEAGUE_PROBES; i++) {
        (void)hz_chess_from_fen(&positions[i], PROBES[i], strlen(PROBES[i]), NULL);
        if (!probe_one(x, &positions[i], &values[i])) {
            return false;
        }
        if (!isfinite(values[i])) {
            return refuse(x, HZ_LEAGUE_E12_PROBE, "the value of probe position %d is not finite",
                          i + 1);
        }
    }
    for (int i = 0; i < HZ_LEAGUE_PROBES; i++) {
        if (!probe_one(x, &positions[i], &again[i])) {
            return false;
        }
        uint32_t bits[2];
        memcpy(&bits[0], &values[i], sizeof bits[0]);
        memcpy(&bits[1], &again[i], sizeof bits[1]);
        if (bits[0] != bits[1]) {
            return refuse(x, HZ_LEAGUE_E12_PROBE,
                          "probe position %d has the value %.9g, and when repeated %.9g", i + 1,
                          (double)values[i], (double)again[i]);
        }
    }
    if (!x->verdict->batched) {
        return true;
    }
    hz_league_judge judge = hz_league_model_judge(x->model);
    if (judge.judge(judge.state, positions, HZ_LEAGUE_PROBES, again, &err) != HZ_OK) {
        return refuse(x, or_memory(HZ_LEAGUE_E12_PROBE, err.message), "in a batch of 16: %.500s",
                      err.message);
    }
    for (int i = 0; i < HZ_LEAGUE_PROBES; i++) {
        float size = fabsf(values[i]) > 1.0F ? fabsf(values[i]) : 1.0F;
        if (!(fabsf(again[i] - values[i]) <= 1e-5F * size)) {
            return refuse(x, HZ_LEAGUE_E12_PROBE,
                          "probe position %d has the value %.9g, and in a batch of 16 %.9g", i + 1,
                          (double)values[i], (double)again[i]);
        }
    }
    return true;
}

void hzi_league_examine(const void *bytes, size_t length, const hz_league_limits *limits,
                        hzi_league_stage stage, void *state, hz_league_verdict *verdict) {
    static bool (*const CHECKS[])(examination *) = {
        parse, versions, data, inputs, input, output, operators, names, parameters, session, probe};
    examination x = {.bytes = bytes, .length = length, .limits = limits, .verdict = verdict};
    size_t count = sizeof CHECKS / sizeof CHECKS[0];
    *verdict = (hz_league_verdict){.bytes = length};
    list_served(&x);
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        stage(state, (int)i + 2);
        good = CHECKS[i](&x);
    }
    if (good && verdict->position_ms > (double)limits->position_ms) {
        (void)refuse(&x, HZ_LEAGUE_E13_COST, "a position took %.0f ms; the most is %llu",
                     verdict->position_ms, (unsigned long long)limits->position_ms);
    } else if (good) {
        verdict->constant = true;
        for (int i = 1; i < HZ_LEAGUE_PROBES; i++) {
            verdict->constant = verdict->constant && verdict->values[i] == verdict->values[0];
        }
    }
    hz_league_model_close(x.model);
    hz_onnx_file_free(x.file);
}
