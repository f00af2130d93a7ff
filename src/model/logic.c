/* SPDX-License-Identifier: MIT */
/*
 * Comparison, truth and choice, with broadcasting: Equal, Greater, Less and their like, And, Or,
 * Xor, Not, Where, IsNaN, IsInf. A loop per type and relation runs over stretches with a fixed step
 * per operand (src/model/stride.h). Whatever a BOOL holds that is not 0 is true, and what is
 * written is 0 or 1.
 */
#include "model/number.h"
#include "model/stride.h"

#include <math.h>
#include <string.h>

/* ---- two operands, one truth value -------------------------------------------------------------- */

/* n results one after the other; operands a step of elements apart. */
typedef void (*pair_loop)(const void *a, int64_t a_step, const void *b, int64_t b_step, uint8_t *to,
                          int64_t n);

typedef struct pairing {
    pair_loop loop;
    size_t size; /* of an operand's element */
    hzi_walk walk;
} pairing;

#define PAIR_LOOP(name, type, value, relation)                                                     \
    static void name(const void *a, int64_t a_step, const void *b, int64_t b_step, uint8_t *to,    \
                     int64_t n) {                                                                  \
        const type *x = a, *y = b;                                                                 \
        for (int64_t i = 0; i < n; i++) {                                                          \
            to[i] = (uint8_t)(value(x[i * a_step]) relation value(y[i * b_step]));                 \
        }                                                                                          \
    }

#define PAIR_LOOPS(suffix, type, value)                                                            \
    PAIR_LOOP(equal_##suffix, type, value, ==)                                                     \
    PAIR_LOOP(greater_##suffix, type, value, >)                                                    \
    PAIR_LOOP(less_##suffix, type, value, <)                                                       \
    PAIR_LOOP(not_less_##suffix, type, value, >=)                                                  \
    PAIR_LOOP(not_greater_##suffix, type, value, <=)

static unsigned truth(uint8_t byte) {
    return byte != 0;
}

PAIR_LOOPS(float, float, )
PAIR_LOOPS(double, double, )
PAIR_LOOPS(half, uint16_t, hzi_from_half)
PAIR_LOOPS(bfloat, uint16_t, hzi_from_bfloat)
PAIR_LOOPS(int8, int8_t, )
PAIR_LOOPS(int16, int16_t, )
PAIR_LOOPS(int32, int32_t, )
PAIR_LOOPS(int64, int64_t, )
PAIR_LOOPS(uint8, uint8_t, )
PAIR_LOOPS(uint16, uint16_t, )
PAIR_LOOPS(uint32, uint32_t, )
PAIR_LOOPS(uint64, uint64_t, )
PAIR_LOOP(equal_bool, uint8_t, truth, ==)
PAIR_LOOP(and_bool, uint8_t, truth, &)
PAIR_LOOP(or_bool, uint8_t, truth, |)
PAIR_LOOP(xor_bool, uint8_t, truth, ^)

typedef enum relation { EQUAL, GREATER, LESS, NOT_LESS, NOT_GREATER, RELATIONS } relation;

#define LOOPS_OF(suffix)                                                                           \
    { equal_##suffix, greater_##suffix, less_##suffix, not_less_##suffix, not_greater_##suffix }

static const pair_loop COMPARISONS[HZ_ELEMENT_BFLOAT16 + 1][RELATIONS] = {
    [HZ_ELEMENT_FLOAT] = LOOPS_OF(float),       [HZ_ELEMENT_DOUBLE] = LOOPS_OF(double),
    [HZ_ELEMENT_FLOAT16] = LOOPS_OF(half),      [HZ_ELEMENT_BFLOAT16] = LOOPS_OF(bfloat),
    [HZ_ELEMENT_INT8] = LOOPS_OF(int8),         [HZ_ELEMENT_INT16] = LOOPS_OF(int16),
    [HZ_ELEMENT_INT32] = LOOPS_OF(int32),       [HZ_ELEMENT_INT64] = LOOPS_OF(int64),
    [HZ_ELEMENT_UINT8] = LOOPS_OF(uint8),       [HZ_ELEMENT_UINT16] = LOOPS_OF(uint16),
    [HZ_ELEMENT_UINT32] = LOOPS_OF(uint32),     [HZ_ELEMENT_UINT64] = LOOPS_OF(uint64),
    [HZ_ELEMENT_BOOL] = {[EQUAL] = equal_bool},
};

static void run_pair(const hzi_step *step) {
    const pairing *p = step->param;
    const hzi_walk *walk = &p->walk;
    const char *a = step->inputs[0]->data, *b = step->inputs[1]->data;
    uint8_t *to = step->outputs[0]->data;
    int64_t size = (int64_t)p->size;
    hzi_cursor cursor;
    for (bool more = hzi_cursor_first(walk, &cursor); more; more = hzi_cursor_next(walk, &cursor)) {
        p->loop(a + cursor.offset[1] * size, walk->step[1], b + cursor.offset[2] * size,
                walk->step[2], to + cursor.offset[0], walk->length);
    }
}

/* The shape of inputs `from` and the one behind it together. */
static hz_status broadcast(hzi_step *step, const hzi_shape *a, const hzi_shape *b,
                           hzi_shape *shape) {
    if (hzi_shape_broadcast(a, b, shape)) {
        return HZ_OK;
    }
    char of_a[200], of_b[200];
    (void)hzi_shape_text(a, of_a, sizeof of_a);
    (void)hzi_shape_text(b, of_b, sizeof of_b);
    return hzi_step_refuse(step, "shapes %s and %s do not broadcast", of_a, of_b);
}

/* Both inputs are there, of the same type. */
static hz_status two_alike(hzi_step *step, uint32_t first, uint32_t second) {
    const hzi_tensor *a, *b;
    hz_status status = hzi_step_movable(step, first, &a);
    status = status == HZ_OK ? hzi_step_movable(step, second, &b) : status;
    if (status == HZ_OK && a->element != b->element) {
        return hzi_step_refuse(step, "inputs '%.80s' (%s) and '%.80s' (%s) must be of one type",
                               a->name, hz_element_name(a->element), b->name,
                               hz_element_name(b->element));
    }
    return status;
}

static hz_status pair_by(hzi_step *step, pair_loop loop) {
    hzi_shape shape;
    const hzi_tensor *a = step->inputs[0], *b = step->inputs[1];
    hz_status status = broadcast(step, &a->shape, &b->shape, &shape);
    status = status == HZ_OK ? hzi_step_output(step, 0, HZ_ELEMENT_BOOL, &shape) : status;
    if (status != HZ_OK) {
        return status;
    }
    pairing *p = hzi_step_alloc(step, sizeof *p);
    if (!p) {
        return hzi_step_no_memory(step);
    }
    p->loop = loop;
    p->size = hz_element_size(a->element);
    hzi_walk_begin(&p->walk, &shape);
    hzi_walk_operand(&p->walk, &shape);
    hzi_walk_operand(&p->walk, &a->shape);
    hzi_walk_operand(&p->walk, &b->shape);
    hzi_walk_close(&p->walk);
    step->param = p;
    hzi_step_runs(step, run_pair);
    return HZ_OK;
}

/* Tells whether an operator compared numbers of this type at this opset. */
static bool comparable(hz_element element, relation by, int opset) {
    if (!COMPARISONS[element][by]) {
        return false;
    }
    bool real = hzi_element_is_real(element);
    if (by == EQUAL) {
        return opset >= 11 || element == HZ_ELEMENT_BOOL || element == HZ_ELEMENT_INT32 ||
               element == HZ_ELEMENT_INT64;
    }
    return opset >= 9 || real;
}

static hz_status prepare_comparison(hzi_step *step) {
    static const struct {
        const char *name;
        relation by;
    } NAMES[] = {{"Equal", EQUAL},
                 {"Greater", GREATER},
                 {"Less", LESS},
                 {"GreaterOrEqual", NOT_LESS},
                 {"LessOrEqual", NOT_GREATER}};
    relation by = EQUAL;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        by = strcmp(NAMES[i].name, step->op->name) == 0 ? NAMES[i].by : by;
    }
    hz_status status = two_alike(step, 0, 1);
    if (status != HZ_OK) {
        return status;
    }
    hz_element element = step->inputs[0]->element;
    if (!comparable(element, by, step->node->opset)) {
        return hzi_step_refuse(step, "%s of %s is not served at opset %d", step->op->name,
                               hz_element_name(element), step->node->opset);
    }
    return pair_by(step, COMPARISONS[element][by]);
}

static hz_status prepare_truth(hzi_step *step) {
    static const hz_element TRUTH[] = {HZ_ELEMENT_BOOL, HZ_ELEMENT_UNDEFINED};
    hz_status status = hzi_step_element_in(step, 0, TRUTH);
    status = status == HZ_OK ? hzi_step_element_in(step, 1, TRUTH) : status;
    if (status != HZ_OK) {
        return status;
    }
    char first = step->op->name[0];
    return pair_by(step, first == 'A' ? and_bool : first == 'O' ? or_bool : xor_bool);
}

/* ---- one operand -------------------------------------------------------------------------------- */

static void run_not(const hzi_step *step) {
    const uint8_t *from = step->inputs[0]->data;
    uint8_t *to = step->outputs[0]->data;
    for (int64_t i = 0; i < step->outputs[0]->count; i++) {
        to[i] = !from[i];
    }
}

static hz_status prepare_not(hzi_step *step) {
    static const hz_element TRUTH[] = {HZ_ELEMENT_BOOL, HZ_ELEMENT_UNDEFINED};
    hz_status status = hzi_step_element_in(step, 0, TRUTH);
    hzi_step_runs(step, run_not);
    return status == HZ_OK ? hzi_step_output(step, 0, HZ_ELEMENT_BOOL, &step->inputs[0]->shape)
                           : status;
}

/* Which numbers IsNaN and IsInf look for. */
typedef struct special {
    bool nan, positive, negative;
} special;

static void run_special(const hzi_step *step) {
    enum { RUN = 256 };
    const special *want = step->param;
    const hzi_tensor *input = step->inputs[0];
    uint8_t *to = step->outputs[0]->data;
    double run[RUN];
    for (int64_t at = 0; at < input->count; at += RUN) {
        int64_t n = input->count - at < RUN ? input->count - at : RUN;
        hzi_load_reals(input->element, input->data, at, 1, n, run);
        for (int64_t i = 0; i < n; i++) {
            to[at + i] = (want->nan && isnan(run[i])) ||
                         (want->positive && run[i] == (double)INFINITY) ||
                         (want->negative && run[i] == -(double)INFINITY);
        }
    }
}

static hz_status prepare_special(hzi_step *step) {
    static const hz_element REAL[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_FLOAT16,
                                      HZ_ELEMENT_BFLOAT16, HZ_ELEMENT_UNDEFINED};
    int64_t positive, negative;
    hz_status status = hzi_step_element_in(step, 0, REAL);
    status = status == HZ_OK ? hzi_step_int(step, "detect_positive", 1, &positive) : status;
    status = status == HZ_OK ? hzi_step_int(step, "detect_negative", 1, &negative) : status;
    if (status != HZ_OK) {
        return status;
    }
    special *want = hzi_step_alloc(step, sizeof *want);
    if (!want) {
        return hzi_step_no_memory(step);
    }
    want->nan = strcmp(step->op->name, "IsNaN") == 0;
    want->positive = !want->nan && positive != 0;
    want->negative = !want->nan && negative != 0;
    step->param = want;
    hzi_step_runs(step, run_special);
    return hzi_step_output(step, 0, HZ_ELEMENT_BOOL, &step->inputs[0]->shape);
}

/* ---- Where -------------------------------------------------------------------------------------- */

/* Operands of the walk: output, condition, X, Y. */
#define CHOOSE_RUN(type)                                                                           \
    do {                                                                                           \
        type *to = (type *)output + cursor.offset[0];                                              \
        const type *x = (const type *)yes + cursor.offset[2];                                      \
        const type *y = (const type *)no + cursor.offset[3];                                       \
        for (int64_t i = 0; i < walk->length; i++) {                                               \
            to[i] = when[i * walk->step[1]] ? x[i * walk->step[2]] : y[i * walk->step[3]];         \
        }                                                                                          \
    } while (0)

static void run_where(const hzi_step *step) {
    const hzi_walk *walk = step->param;
    const void *yes = step->inputs[1]->data, *no = step->inputs[2]->data;
    void *output = step->outputs[0]->data;
    size_t size = hz_element_size(step->outputs[0]->element);
    hzi_cursor cursor;
    for (bool more = hzi_cursor_first(walk, &cursor); more; more = hzi_cursor_next(walk, &cursor)) {
        const uint8_t *when = (const uint8_t *)step->inputs[0]->data + cursor.offset[1];
        if (size == 1) {
            CHOOSE_RUN(uint8_t);
        } else if (size == 2) {
            CHOOSE_RUN(uint16_t);
        } else if (size == 4) {
            CHOOSE_RUN(uint32_t);
        } else {
            CHOOSE_RUN(uint64_t);
        }
    }
}

static hz_status prepare_where(hzi_step *step) {
    static const hz_element TRUTH[] = {HZ_ELEMENT_BOOL, HZ_ELEMENT_UNDEFINED};
    hzi_shape shape;
    hz_status status = hzi_step_element_in(step, 0, TRUTH);
    status = status == HZ_OK ? two_alike(step, 1, 2) : status;
    if (status != HZ_OK) {
        return status;
    }
    hzi_tensor *const *inputs = step->inputs;
    status = broadcast(step, &inputs[1]->shape, &inputs[2]->shape, &shape);
    status = status == HZ_OK ? broadcast(step, &inputs[0]->shape, &shape, &shape) : status;
    status = status == HZ_OK ? hzi_step_output(step, 0, inputs[1]->element, &shape) : status;
    if (status != HZ_OK) {
        return status;
    }
    hzi_walk *walk = hzi_step_alloc(step, sizeof *walk);
    if (!walk) {
        return hzi_step_no_memory(step);
    }
    hzi_walk_begin(walk, &shape);
    hzi_walk_operand(walk, &shape);
    for (int i = 0; i < 3; i++) {
        hzi_walk_operand(walk, &inputs[i]->shape);
    }
    hzi_walk_close(walk);
    step->param = walk;
    hzi_step_runs(step, run_where);
    return HZ_OK;
}

const hzi_operator hzi_operators_logic[] = {
    /* name, domain, opsets, inputs, outputs, attributes */
    {"Equal", "", 7, 21, 2, 2, 1, 1, "", prepare_comparison},
    {"Greater", "", 7, 21, 2, 2, 1, 1, "", prepare_comparison},
    {"Less", "", 7, 21, 2, 2, 1, 1, "", prepare_comparison},
    {"GreaterOrEqual", "", 12, 21, 2, 2, 1, 1, "", prepare_comparison},
    {"LessOrEqual", "", 12, 21, 2, 2, 1, 1, "", prepare_comparison},
    {"And", "", 7, 21, 2, 2, 1, 1, "", prepare_truth},
    {"Or", "", 7, 21, 2, 2, 1, 1, "", prepare_truth},
    {"Xor", "", 7, 21, 2, 2, 1, 1, "", prepare_truth},
    {"Not", "", 7, 21, 1, 1, 1, 1, "", prepare_not},
    {"IsNaN", "", 9, 21, 1, 1, 1, 1, "", prepare_special},
    {"IsInf", "", 10, 21, 1, 1, 1, 1, "detect_positive detect_negative", prepare_special},
    {"Where", "", 9, 21, 3, 3, 1, 1, "", prepare_where},
    {.name = NULL},
};
