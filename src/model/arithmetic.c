/* SPDX-License-Identifier: MIT */
/*
 * Operators of the family "arithmetic": two or more arrays of numbers, broadcast against each other.
 *
 * An inner loop takes a run of elements, each operand either going along or standing still; the
 * walk of stride.h makes the runs as long as the shapes allow. Whole numbers wrap around; dividing
 * a whole number by zero gives 0. The 16-bit formats are computed in double and rounded once, which
 * is what computing in their own precision would give.
 */
#include "model/number.h"
#include "model/stride.h"

#include <math.h>
#include <string.h>

/* out[i] = a[i * a_step] op b[i * b_step]; the steps are 0 or 1. out may be a. */
typedef void (*inner)(const void *a, int64_t a_step, const void *b, int64_t b_step, void *out,
                      int64_t n);

/* ---- inner loops ------------------------------------------------------------------------------- */

#define LOOP(name, type, expression)                                                               \
    static void name(const void *a, int64_t a_step, const void *b, int64_t b_step, void *out,      \
                     int64_t n) {                                                                  \
        const type *from_a = a, *from_b = b;                                                       \
        type *to = out;                                                                            \
        if (a_step && b_step) {                                                                    \
            for (int64_t i = 0; i < n; i++) {                                                      \
                const type x = from_a[i], y = from_b[i];                                           \
                to[i] = (type)(expression);                                                        \
            }                                                                                      \
        } else if (a_step) {                                                                       \
            const type y = *from_b;                                                                \
            for (int64_t i = 0; i < n; i++) {                                                      \
                const type x = from_a[i];                                                          \
                to[i] = (type)(expression);                                                        \
            }                                                                                      \
        } else {                                                                                   \
            const type x = *from_a;                                                                \
            for (int64_t i = 0; i < n; i++) {                                                      \
                const type y = from_b[b_step * i];                                                 \
                to[i] = (type)(expression);                                                        \
            }                                                                                      \
        }                                                                                          \
    }

enum { CHUNK = 64 };

#define LOOP_16(name, element, expression)                                                         \
    static void name(const void *a, int64_t a_step, const void *b, int64_t b_step, void *out,      \
                     int64_t n) {                                                                  \
        for (int64_t first = 0; first < n; first += CHUNK) {                                       \
            int64_t some = n - first < CHUNK ? n - first : CHUNK;                                  \
            double of_a[CHUNK], of_b[CHUNK];                                                       \
            hzi_load_reals(element, a, first *a_step, a_step, some, of_a);                         \
            hzi_load_reals(element, b, first *b_step, b_step, some, of_b);                         \
            for (int64_t i = 0; i < some; i++) {                                                   \
                const double x = of_a[i], y = of_b[i];                                             \
                of_a[i] = (expression);                                                            \
            }                                                                                      \
            hzi_store_reals(element, out, first, some, of_a);                                      \
        }                                                                                          \
    }

#define REAL_LOOPS(name, expression)                                                               \
    LOOP(name##_float, float, expression)                                                          \
    LOOP(name##_double, double, expression)                                                        \
    LOOP_16(name##_half, HZ_ELEMENT_FLOAT16, expression)                                           \
    LOOP_16(name##_bfloat, HZ_ELEMENT_BFLOAT16, expression)
#define SIGNED_LOOPS(name, expression)                                                             \
    LOOP(name##_int8, int8_t, expression)                                                          \
    LOOP(name##_int16, int16_t, expression)                                                        \
    LOOP(name##_int32, int32_t, expression)                                                        \
    LOOP(name##_int64, int64_t, expression)
#define UNSIGNED_LOOPS(name, expression)                                                           \
    LOOP(name##_uint8, uint8_t, expression)                                                        \
    LOOP(name##_uint16, uint16_t, expression)                                                      \
    LOOP(name##_uint32, uint32_t, expression)                                                      \
    LOOP(name##_uint64, uint64_t, expression)
#define WHOLE_LOOPS(name, expression)                                                              \
    SIGNED_LOOPS(name, expression)                                                                 \
    UNSIGNED_LOOPS(name, expression)

REAL_LOOPS(add, x + y)
REAL_LOOPS(subtract, x - y)
REAL_LOOPS(multiply, x *y)
REAL_LOOPS(divide, x / y)
/* NaN wins. */
REAL_LOOPS(least, x < y || isnan(x) ? x : y)
REAL_LOOPS(most, x > y || isnan(x) ? x : y)
LOOP(rest_float, float, fmodf(x, y))
LOOP(rest_double, double, fmod(x, y))
LOOP_16(rest_half, HZ_ELEMENT_FLOAT16, fmod(x, y))
LOOP_16(rest_bfloat, HZ_ELEMENT_BFLOAT16, fmod(x, y))
REAL_LOOPS(slope, x < 0 ? x * y : x)

/* Wrapping by way of unsigned arithmetic. */
#define WRAP(operator) (uint64_t) x operator(uint64_t) y
WHOLE_LOOPS(add, WRAP(+))
WHOLE_LOOPS(subtract, WRAP(-))
WHOLE_LOOPS(multiply, WRAP(*))
WHOLE_LOOPS(least, x < y ? x : y)
WHOLE_LOOPS(most, x > y ? x : y)
SIGNED_LOOPS(slope, x < 0 ? WRAP(*) : (uint64_t)x)
UNSIGNED_LOOPS(slope, x + 0 * y)
SIGNED_LOOPS(divide, y == 0 ? 0 : (y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y))
UNSIGNED_LOOPS(divide, y == 0 ? 0 : x / y)
/* The rest with the sign of the dividend, and with the sign of the divisor. */
SIGNED_LOOPS(rest, y == 0 || y == -1 ? 0 : x % y)
UNSIGNED_LOOPS(rest, y == 0 ? 0 : x % y)
SIGNED_LOOPS(modulo,
             y == 0 || y == -1 ? 0 : (x % y != 0 && (x % y < 0) != (y < 0) ? x % y + y : x % y))
UNSIGNED_LOOPS(modulo, y == 0 ? 0 : x % y)

enum { ELEMENTS = HZ_ELEMENT_BFLOAT16 + 1 };

#define WHOLE_ENTRIES(name)                                                                        \
    [HZ_ELEMENT_INT8] = name##_int8, [HZ_ELEMENT_INT16] = name##_int16,                            \
    [HZ_ELEMENT_INT32] = name##_int32, [HZ_ELEMENT_INT64] = name##_int64,                          \
    [HZ_ELEMENT_UINT8] = name##_uint8, [HZ_ELEMENT_UINT16] = name##_uint16,                        \
    [HZ_ELEMENT_UINT32] = name##_uint32, [HZ_ELEMENT_UINT64] = name##_uint64
#define ENTRIES(name)                                                                              \
    [HZ_ELEMENT_FLOAT] = name##_float, [HZ_ELEMENT_DOUBLE] = name##_double,                        \
    [HZ_ELEMENT_FLOAT16] = name##_half, [HZ_ELEMENT_BFLOAT16] = name##_bfloat, WHOLE_ENTRIES(name)
static const inner ADD[ELEMENTS] = {ENTRIES(add)};
static const inner SUBTRACT[ELEMENTS] = {ENTRIES(subtract)};
static const inner MULTIPLY[ELEMENTS] = {ENTRIES(multiply)};
static const inner DIVIDE[ELEMENTS] = {ENTRIES(divide)};
static const inner LEAST[ELEMENTS] = {ENTRIES(least)};
static const inner MOST[ELEMENTS] = {ENTRIES(most)};
static const inner REST[ELEMENTS] = {ENTRIES(rest)};
static const inner SLOPE[ELEMENTS] = {ENTRIES(slope)};
static const inner MODULO[ELEMENTS] = {WHOLE_ENTRIES(modulo)};

/* ---- types ------------------------------------------------------------------------------------- */

#define REALS HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_FLOAT16
#define WORDS HZ_ELEMENT_INT32, HZ_ELEMENT_INT64, HZ_ELEMENT_UINT32, HZ_ELEMENT_UINT64
#define SMALL HZ_ELEMENT_INT8, HZ_ELEMENT_INT16, HZ_ELEMENT_UINT8, HZ_ELEMENT_UINT16
#define BFLOAT HZ_ELEMENT_BFLOAT16
#define END HZ_ELEMENT_UNDEFINED
static const hz_element REAL[] = {REALS, END};
static const hz_element REAL_13[] = {REALS, BFLOAT, END};
static const hz_element WORD[] = {REALS, WORDS, END};
static const hz_element WORD_13[] = {REALS, WORDS, BFLOAT, END};
static const hz_element EVERY[] = {REALS, WORDS, SMALL, END};
static const hz_element EVERY_13[] = {REALS, WORDS, SMALL, BFLOAT, END};

/* Input `index` has one of these types, and the first input's. */
static hz_status check(hzi_step *step, uint32_t index, const hz_element *elements) {
    hz_status status = hzi_step_element_in(step, index, elements);
    if (status != HZ_OK) {
        return status;
    }
    if (step->inputs[index]->element != step->inputs[0]->element) {
        return hzi_step_refuse(step, "input %u '%.80s' is %s, but input 0 '%.80s' is %s", index,
                               step->inputs[index]->name,
                               hz_element_name(step->inputs[index]->element), step->inputs[0]->name,
                               hz_element_name(step->inputs[0]->element));
    }
    return HZ_OK;
}

/* Widens `shape` by input `index`. */
static hz_status widen(hzi_step *step, uint32_t index, hzi_shape *shape) {
    const hzi_tensor *input = step->inputs[index];
    hzi_shape wide;
    if (!hzi_shape_broadcast(shape, &input->shape, &wide)) {
        char have[200], more[200];
        (void)hzi_shape_text(shape, have, sizeof have);
        (void)hzi_shape_text(&input->shape, more, sizeof more);
        return hzi_step_refuse(step, "input %u '%.80s' %s does not broadcast with %s", index,
                               input->name, more, have);
    }
    *shape = wide;
    return HZ_OK;
}

/* ---- two arrays -------------------------------------------------------------------------------- */

/* One pass over the output. */
typedef struct pass {
    inner loop;
    size_t size; /* bytes of an element */
    hzi_walk walk;
} pass;

static void make_pass(pass *p, inner loop, hz_element element, const hzi_shape *a,
                      const hzi_shape *b, const hzi_shape *out) {
    p->loop = loop;
    p->size = hz_element_size(element);
    hzi_walk_begin(&p->walk, out);
    hzi_walk_operand(&p->walk, a);
    hzi_walk_operand(&p->walk, b);
    hzi_walk_close(&p->walk);
}

static void run_pass(const pass *p, const void *a, const void *b, void *out) {
    const hzi_walk *walk = &p->walk;
    const char *from_a = a, *from_b = b;
    char *to = out;
    hzi_cursor cursor;
    if (!hzi_cursor_first(walk, &cursor)) {
        return;
    }
    do {
        p->loop(from_a + cursor.offset[0] * (int64_t)p->size, walk->step[0],
                from_b + cursor.offset[1] * (int64_t)p->size, walk->step[1], to, walk->length);
        to += walk->length * (int64_t)p->size;
    } while (hzi_cursor_next(walk, &cursor));
}

static void run_binary(const hzi_step *step) {
    run_pass(step->param, step->inputs[0]->data, step->inputs[1]->data, step->outputs[0]->data);
}

/* The output has the shape of both together, or (`narrow`) must have that of the first. */
static hz_status binary(hzi_step *step, const inner *loops, const hz_element *elements,
                        bool narrow) {
    hz_status status = check(step, 0, elements);
    if (status == HZ_OK) {
        status = check(step, 1, elements);
    }
    if (status != HZ_OK) {
        return status;
    }
    const hzi_tensor *a = step->inputs[0], *b = step->inputs[1];
    hzi_shape shape = a->shape;
    status = widen(step, 1, &shape);
    if (status == HZ_OK && narrow && !hzi_shape_equal(&shape, &a->shape)) {
        status = hzi_step_refuse(step, "input 1 '%.80s' is larger than input 0 '%.80s'", b->name,
                                 a->name);
    }
    if (status == HZ_OK) {
        status = hzi_step_output(step, 0, a->element, &shape);
    }
    if (status != HZ_OK) {
        return status;
    }
    pass *p = hzi_step_alloc(step, sizeof *p);
    if (!p) {
        return hzi_step_no_memory(step);
    }
    make_pass(p, loops[a->element], a->element, &a->shape, &b->shape, &shape);
    step->param = p;
    hzi_step_runs(step, run_binary);
    return HZ_OK;
}

static const hz_element *basic_elements(const hzi_step *step) {
    int opset = step->node->opset;
    return opset >= 14 ? EVERY_13 : opset == 13 ? WORD_13 : WORD;
}

static hz_status prepare_add(hzi_step *step) {
    return binary(step, ADD, basic_elements(step), false);
}

static hz_status prepare_sub(hzi_step *step) {
    return binary(step, SUBTRACT, basic_elements(step), false);
}

static hz_status prepare_mul(hzi_step *step) {
    return binary(step, MULTIPLY, basic_elements(step), false);
}

static hz_status prepare_div(hzi_step *step) {
    return binary(step, DIVIDE, basic_elements(step), false);
}

static hz_status prepare_mod(hzi_step *step) {
    int64_t fmod_rule;
    hz_status status = hzi_step_int(step, "fmod", 0, &fmod_rule);
    if (status != HZ_OK) {
        return status;
    }
    if (fmod_rule != 0 && fmod_rule != 1) {
        return hzi_step_refuse(step, "attribute 'fmod' is 0 or 1, it is %lld",
                               (long long)fmod_rule);
    }
    const hzi_tensor *a = step->inputs[0];
    if (!fmod_rule && a && hzi_element_is_real(a->element)) {
        return hzi_step_refuse(step, "attribute 'fmod' must be 1 for %s",
                               hz_element_name(a->element));
    }
    return binary(step, fmod_rule ? REST : MODULO, step->node->opset >= 13 ? EVERY_13 : EVERY,
                  false);
}

static hz_status prepare_prelu(hzi_step *step) {
    int opset = step->node->opset;
    return binary(step, SLOPE, opset >= 16 ? WORD_13 : opset >= 9 ? WORD : REAL, true);
}

/* ---- powers ------------------------------------------------------------------------------------ */

static double power(double base, double exponent) {
    if (exponent == 2) {
        return base * base;
    }
    return exponent == 3 ? base * base * base : pow(base, exponent);
}

/* Wraps around; a negative exponent gives the whole part of the fraction, and 0 for base 0. */
static int64_t whole_power(int64_t base, int64_t exponent, bool exponent_unsigned) {
    if (exponent < 0 && !exponent_unsigned) {
        return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
    }
    uint64_t result = 1, square = (uint64_t)base;
    for (uint64_t rest = (uint64_t)exponent; rest; rest >>= 1, square *= square) {
        if (rest & 1) {
            result *= square;
        }
    }
    return (int64_t)result;
}

/* At most CHUNK elements, from where the cursor's run is plus `first`. */
static void power_chunk(const hzi_tensor *base, int64_t base_at, int64_t base_step,
                        const hzi_tensor *exponent, int64_t exponent_at, int64_t exponent_step,
                        const hzi_tensor *out, int64_t out_at, int64_t n) {
    double x[CHUNK], y[CHUNK];
    int64_t whole_x[CHUNK], whole_y[CHUNK];
    bool real_x = hzi_element_is_real(base->element);
    bool real_y = hzi_element_is_real(exponent->element);
    bool huge = exponent->element == HZ_ELEMENT_UINT64;
    if (real_x) {
        hzi_load_reals(base->element, base->data, base_at, base_step, n, x);
    } else {
        hzi_load_wholes(base->element, base->data, base_at, base_step, n, whole_x);
    }
    if (real_y) {
        hzi_load_reals(exponent->element, exponent->data, exponent_at, exponent_step, n, y);
    } else {
        hzi_load_wholes(exponent->element, exponent->data, exponent_at, exponent_step, n, whole_y);
    }
    if (!real_x && !real_y) {
        for (int64_t i = 0; i < n; i++) {
            whole_x[i] = whole_power(whole_x[i], whole_y[i], huge);
        }
        hzi_store_wholes(out->element, out->data, out_at, n, whole_x, false);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        double left = real_x ? x[i] : (double)whole_x[i];
        double right = real_y ? y[i] : huge ? (double)(uint64_t)whole_y[i] : (double)whole_y[i];
        x[i] = power(left, right);
    }
    hzi_store_reals(out->element, out->data, out_at, n, x);
}

static void run_pow(const hzi_step *step) {
    const pass *p = step->param;
    const hzi_walk *walk = &p->walk;
    hzi_cursor cursor;
    int64_t done = 0;
    if (!hzi_cursor_first(walk, &cursor)) {
        return;
    }
    do {
        for (int64_t first = 0; first < walk->length; first += CHUNK) {
            int64_t n = walk->length - first < CHUNK ? walk->length - first : CHUNK;
            power_chunk(step->inputs[0], cursor.offset[0] + first * walk->step[0], walk->step[0],
                        step->inputs[1], cursor.offset[1] + first * walk->step[1], walk->step[1],
                        step->outputs[0], done + first, n);
        }
        done += walk->length;
    } while (hzi_cursor_next(walk, &cursor));
}

static hz_status prepare_pow(hzi_step *step) {
    static const hz_element BASE[] = {REALS, HZ_ELEMENT_INT32, HZ_ELEMENT_INT64, END};
    static const hz_element BASE_13[] = {REALS, HZ_ELEMENT_INT32, HZ_ELEMENT_INT64, BFLOAT, END};
    int opset = step->node->opset;
    hz_status status = hzi_step_element_in(step, 0,
                                           opset >= 13   ? BASE_13
                                           : opset == 12 ? BASE
                                                         : REAL);
    if (status == HZ_OK) {
        /* Before 12 both have one type. */
        status = opset < 12 ? check(step, 1, REAL)
                            : hzi_step_element_in(step, 1, opset >= 15 ? EVERY_13 : EVERY);
    }
    if (status != HZ_OK) {
        return status;
    }
    const hzi_tensor *base = step->inputs[0], *exponent = step->inputs[1];
    hzi_shape shape = base->shape;
    status = widen(step, 1, &shape);
    if (status == HZ_OK) {
        status = hzi_step_output(step, 0, base->element, &shape);
    }
    if (status != HZ_OK) {
        return status;
    }
    pass *p = hzi_step_alloc(step, sizeof *p);
    if (!p) {
        return hzi_step_no_memory(step);
    }
    make_pass(p, NULL, base->element, &base->shape, &exponent->shape, &shape);
    step->param = p;
    hzi_step_runs(step, run_pow);
    return HZ_OK;
}

/* ---- any number of arrays ---------------------------------------------------------------------- */

typedef struct many {
    bool mean;
    union { /* how many inputs, in the element's type */
        float number;
        double wide;
        uint16_t bits;
    } count;
    pass last;     /* division by it */
    pass passes[]; /* the first two inputs; then the sum so far and one more each */
} many;

static void run_many(const hzi_step *step) {
    const many *m = step->param;
    void *out = step->outputs[0]->data;
    const void *left = step->inputs[0]->data;
    for (uint32_t i = 1; i < step->input_count; i++) {
        run_pass(&m->passes[i - 1], left, step->inputs[i]->data, out);
        left = out;
    }
    if (m->mean) {
        run_pass(&m->last, out, &m->count, out);
    }
}

static hz_status n_ary(hzi_step *step, const inner *loops, const hz_element *elements, bool mean) {
    hz_status status = check(step, 0, elements);
    if (status != HZ_OK) {
        return status;
    }
    const hz_element element = step->inputs[0]->element;
    hzi_shape shape = step->inputs[0]->shape;
    for (uint32_t i = 1; i < step->input_count; i++) {
        status = check(step, i, elements);
        if (status == HZ_OK && step->node->opset < 8 &&
            !hzi_shape_equal(&shape, &step->inputs[i]->shape)) {
            status = hzi_step_refuse(step, "inputs 0 and %u must have one shape at this opset", i);
        }
        if (status == HZ_OK) {
            status = widen(step, i, &shape);
        }
        if (status != HZ_OK) {
            return status;
        }
    }
    status = hzi_step_output(step, 0, element, &shape);
    if (status != HZ_OK) {
        return status;
    }
    if (step->input_count == 1) {
        hzi_step_runs(step, hzi_run_copy);
        return HZ_OK;
    }
    size_t passes = step->input_count - 1;
    many *m = hzi_step_alloc(step, sizeof *m + passes * sizeof m->passes[0]);
    if (!m) {
        return hzi_step_no_memory(step);
    }
    const hzi_shape *left = &step->inputs[0]->shape, one = {.rank = 0};
    for (size_t i = 0; i < passes; i++) {
        make_pass(&m->passes[i], loops[element], element, left, &step->inputs[i + 1]->shape,
                  &shape);
        left = &shape;
    }
    m->mean = mean;
    if (mean) {
        const double count = step->input_count;
        make_pass(&m->last, DIVIDE[element], element, &shape, &one, &shape);
        hzi_store_reals(element, &m->count, 0, 1, &count);
    }
    step->param = m;
    hzi_step_runs(step, run_many);
    return HZ_OK;
}

static const hz_element *extreme_elements(const hzi_step *step) {
    int opset = step->node->opset;
    return opset >= 13 ? EVERY_13 : opset == 12 ? EVERY : REAL;
}

static hz_status prepare_min(hzi_step *step) {
    return n_ary(step, LEAST, extreme_elements(step), false);
}

static hz_status prepare_max(hzi_step *step) {
    return n_ary(step, MOST, extreme_elements(step), false);
}

static hz_status prepare_sum(hzi_step *step) {
    return n_ary(step, ADD, step->node->opset >= 13 ? REAL_13 : REAL, false);
}

static hz_status prepare_mean(hzi_step *step) {
    return n_ary(step, ADD, step->node->opset >= 13 ? REAL_13 : REAL, true);
}

const hzi_operator hzi_operators_arithmetic[] = {
    {"Add", "", 7, 21, 2, 2, 1, 1, "", prepare_add},
    {"Sub", "", 7, 21, 2, 2, 1, 1, "", prepare_sub},
    {"Mul", "", 7, 21, 2, 2, 1, 1, "", prepare_mul},
    {"Div", "", 7, 21, 2, 2, 1, 1, "", prepare_div},
    {"Mod", "", 10, 21, 2, 2, 1, 1, "fmod", prepare_mod},
    {"PRelu", "", 7, 21, 2, 2, 1, 1, "", prepare_prelu},
    {"Pow", "", 7, 21, 2, 2, 1, 1, "", prepare_pow},
    {"Min", "", 7, 21, 1, -1, 1, 1, "", prepare_min},
    {"Max", "", 7, 21, 1, -1, 1, 1, "", prepare_max},
    {"Sum", "", 7, 21, 1, -1, 1, 1, "", prepare_sum},
    {"Mean", "", 7, 21, 1, -1, 1, 1, "", prepare_mean},
    {.name = NULL},
};
