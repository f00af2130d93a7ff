/* SPDX-License-Identifier: MIT */
/*
 * Reductions over axes (sums, means, extremes, norms, logarithms of sums) and ArgMax, ArgMin.
 *
 * Every result is made from its own elements in row-major order, so it does not depend on what else
 * is in the batch. Floats of any width are summed in double; whole numbers wrap around as their
 * type does. NaN wins over every number in a maximum or minimum, and never in ArgMax and ArgMin
 * unless it comes first. Nothing at all sums up to 0, multiplies to 1, and its maximum is the least
 * value of the type.
 */
#include "model/number.h"
#include "model/stride.h"

#include <math.h>
#include <string.h>

typedef enum measure {
    SUM,
    MEAN,
    MAX,
    MIN,
    PROD,
    SUM_SQUARE,
    L1,
    L2,
    LOG_SUM,
    LOG_SUM_EXP
} measure;

enum { RUN = 256 };

typedef struct reduction {
    measure kind;
    hz_element element;
    int64_t count; /* elements behind one result */
    hzi_walk kept; /* operand 0: results; 1: their first elements */
    hzi_walk over; /* operand 0: elements, from the first on */
} reduction;

/* ---- floats ------------------------------------------------------------------------------------- */

static double fold_reals(measure kind, double state, double top, const double *run, int64_t n) {
    switch (kind) {
    case MAX:
        for (int64_t i = 0; i < n; i++) {
            state = run[i] > state || isnan(run[i]) ? run[i] : state;
        }
        return state;
    case MIN:
        for (int64_t i = 0; i < n; i++) {
            state = run[i] < state || isnan(run[i]) ? run[i] : state;
        }
        return state;
    case PROD:
        for (int64_t i = 0; i < n; i++) {
            state *= run[i];
        }
        return state;
    case SUM_SQUARE:
    case L2:
        for (int64_t i = 0; i < n; i++) {
            state += run[i] * run[i];
        }
        return state;
    case L1:
        for (int64_t i = 0; i < n; i++) {
            state += fabs(run[i]);
        }
        return state;
    case LOG_SUM_EXP:
        for (int64_t i = 0; i < n; i++) {
            state += hzi_exp(run[i] - top);
        }
        return state;
    default:
        for (int64_t i = 0; i < n; i++) {
            state += run[i];
        }
        return state;
    }
}

static double begin_real(measure kind) {
    return kind == MAX ? -(double)INFINITY : kind == MIN ? (double)INFINITY : kind == PROD ? 1 : 0;
}

/* Everything behind the result whose first element is `first`. */
static double pass_reals(const reduction *r, measure kind, double top, const void *data,
                         int64_t first) {
    double run[RUN], state = begin_real(kind);
    const hzi_walk *walk = &r->over;
    hzi_cursor cursor;
    for (bool more = hzi_cursor_first(walk, &cursor); more; more = hzi_cursor_next(walk, &cursor)) {
        for (int64_t at = 0; at < walk->length; at += RUN) {
            int64_t n = walk->length - at < RUN ? walk->length - at : RUN;
            hzi_load_reals(r->element, data, first + cursor.offset[0] + at * walk->step[0],
                           walk->step[0], n, run);
            state = fold_reals(kind, state, top, run, n);
        }
    }
    return state;
}

static double reduce_reals(const reduction *r, const void *data, int64_t first) {
    double top = 0;
    if (r->kind == LOG_SUM_EXP) {
        top = pass_reals(r, MAX, 0, data, first);
        if (!isfinite(top)) {
            return top; /* -inf: nothing but e^-inf; inf and NaN stay */
        }
    }
    double state = pass_reals(r, r->kind, top, data, first);
    switch (r->kind) {
    case MEAN:
        return state / (double)r->count;
    case L2:
        return sqrt(state);
    case LOG_SUM:
        return hzi_log(state);
    case LOG_SUM_EXP:
        return top + hzi_log(state);
    default:
        return state;
    }
}

/* ---- whole numbers ------------------------------------------------------------------------------ */

/* UINT64 with its highest bit turned round is in order as INT64. */
static uint64_t order_mask(hz_element element) {
    return element == HZ_ELEMENT_UINT64 ? UINT64_C(1) << 63 : 0;
}

/* state and result as bits; sums wrap around. */
static uint64_t fold_wholes(measure kind, uint64_t state, const int64_t *run, int64_t n,
                            bool is_signed, uint64_t mask) {
    for (int64_t i = 0; i < n; i++) {
        uint64_t number = (uint64_t)run[i];
        switch (kind) {
        case MAX:
            state = (int64_t)(number ^ mask) > (int64_t)(state ^ mask) ? number : state;
            break;
        case MIN:
            state = (int64_t)(number ^ mask) < (int64_t)(state ^ mask) ? number : state;
            break;
        case PROD:
            state *= number;
            break;
        case SUM_SQUARE:
            state += number * number;
            break;
        case L1:
            state += is_signed && run[i] < 0 ? 0 - number : number;
            break;
        default:
            state += number;
            break;
        }
    }
    return state;
}

static bool is_signed_element(hz_element element) {
    return element == HZ_ELEMENT_INT8 || element == HZ_ELEMENT_INT32 || element == HZ_ELEMENT_INT64;
}

/* The least (or greatest) number of a type, as bits. */
static uint64_t end_of_type(hz_element element, bool greatest) {
    unsigned bits = (unsigned)hz_element_size(element) * 8;
    if (element == HZ_ELEMENT_BOOL) {
        return greatest;
    }
    if (is_signed_element(element)) {
        uint64_t top = (UINT64_C(1) << (bits - 1)) - 1;
        return greatest ? top : ~top;
    }
    return greatest ? UINT64_MAX >> (64 - bits) : 0;
}

static int64_t reduce_wholes(const reduction *r, const void *data, int64_t first) {
    int64_t run[RUN];
    bool is_signed = is_signed_element(r->element);
    uint64_t mask = order_mask(r->element);
    uint64_t state = r->kind == MAX    ? end_of_type(r->element, false)
                     : r->kind == MIN  ? end_of_type(r->element, true)
                     : r->kind == PROD ? 1
                                       : 0;
    const hzi_walk *walk = &r->over;
    hzi_cursor cursor;
    for (bool more = hzi_cursor_first(walk, &cursor); more; more = hzi_cursor_next(walk, &cursor)) {
        for (int64_t at = 0; at < walk->length; at += RUN) {
            int64_t n = walk->length - at < RUN ? walk->length - at : RUN;
            hzi_load_wholes(r->element, data, first + cursor.offset[0] + at * walk->step[0],
                            walk->step[0], n, run);
            state = fold_wholes(r->kind, state, run, n, is_signed, mask);
        }
    }
    if (r->kind != MEAN) {
        return (int64_t)state;
    }
    /* toward zero */
    return is_signed ? (int64_t)state / r->count : (int64_t)(state / (uint64_t)r->count);
}

static void run_reduce(const hzi_step *step) {
    const reduction *r = step->param;
    const void *data = step->inputs[0]->data;
    void *to = step->outputs[0]->data;
    const hzi_walk *walk = &r->kept;
    bool real = hzi_element_is_real(r->element);
    hzi_cursor cursor;
    for (bool more = hzi_cursor_first(walk, &cursor); more; more = hzi_cursor_next(walk, &cursor)) {
        for (int64_t i = 0; i < walk->length; i++) {
            int64_t at = cursor.offset[0] + i * walk->step[0];
            int64_t first = cursor.offset[1] + i * walk->step[1];
            if (real) {
                double result = reduce_reals(r, data, first);
                hzi_store_reals(r->element, to, at, 1, &result);
            } else {
                int64_t result = reduce_wholes(r, data, first);
                hzi_store_wholes(r->element, to, at, 1, &result, false);
            }
        }
    }
}

/* ---- preparing ---------------------------------------------------------------------------------- */

/* The walks over results and over the elements behind one, and the output's shape. */
static void walks(const hzi_shape *input, const bool gone[HZ_RANK_MAX], bool keep_axes,
                  hzi_walk *kept, hzi_walk *over, hzi_shape *output) {
    int64_t strides[HZ_RANK_MAX] = {0}, of_kept[HZ_RANK_MAX] = {0}, of_over[HZ_RANK_MAX] = {0};
    hzi_shape results = {0}, behind = {0};
    hzi_strides(input, strides);
    *output = (hzi_shape){0};
    for (int i = 0; i < input->rank; i++) {
        if (gone[i]) {
            of_over[behind.rank] = strides[i];
            behind.dim[behind.rank++] = input->dim[i];
        } else {
            of_kept[results.rank] = strides[i];
            results.dim[results.rank++] = input->dim[i];
        }
        if (!gone[i] || keep_axes) {
            output->dim[output->rank++] = gone[i] ? 1 : input->dim[i];
        }
    }
    hzi_walk_begin(kept, &results);
    hzi_walk_operand(kept, &results);
    hzi_walk_strides(kept, of_kept, 0);
    hzi_walk_close(kept);
    hzi_walk_begin(over, &behind);
    hzi_walk_strides(over, of_over, 0);
    hzi_walk_close(over);
}

static measure measure_of(const char *name) {
    static const char *const NAMES[] = {
        [SUM] = "ReduceSum",        [MEAN] = "ReduceMean",
        [MAX] = "ReduceMax",        [MIN] = "ReduceMin",
        [PROD] = "ReduceProd",      [SUM_SQUARE] = "ReduceSumSquare",
        [L1] = "ReduceL1",          [L2] = "ReduceL2",
        [LOG_SUM] = "ReduceLogSum", [LOG_SUM_EXP] = "ReduceLogSumExp",
    };
    int kind = 0;
    while (strcmp(NAMES[kind], name) != 0) {
        kind++;
    }
    return (measure)kind;
}

/* Types that every reduction takes, then those of the extremes only. */
static hz_status served_element(hzi_step *step, measure kind) {
    static const hz_element NUMBERS[] = {
        HZ_ELEMENT_FLOAT,    HZ_ELEMENT_DOUBLE, HZ_ELEMENT_FLOAT16,
        HZ_ELEMENT_BFLOAT16, HZ_ELEMENT_INT32,  HZ_ELEMENT_INT64,
        HZ_ELEMENT_UINT32,   HZ_ELEMENT_UINT64, HZ_ELEMENT_UNDEFINED};
    static const hz_element EXTREMES[] = {
        HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_FLOAT16, HZ_ELEMENT_BFLOAT16,
        HZ_ELEMENT_INT32, HZ_ELEMENT_INT64,  HZ_ELEMENT_UINT32,  HZ_ELEMENT_UINT64,
        HZ_ELEMENT_INT8,  HZ_ELEMENT_UINT8,  HZ_ELEMENT_BOOL,    HZ_ELEMENT_UNDEFINED};
    static const hz_element REAL[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_FLOAT16,
                                      HZ_ELEMENT_BFLOAT16, HZ_ELEMENT_UNDEFINED};
    bool irrational = kind == L2 || kind == LOG_SUM || kind == LOG_SUM_EXP;
    return hzi_step_element_in(step, 0,
                               irrational                   ? REAL
                               : kind == MAX || kind == MIN ? EXTREMES
                                                            : NUMBERS);
}

/* The axes: an attribute, or input 1 of operators that have one. */
static hz_status listed_axes(hzi_step *step, int rank, bool gone[HZ_RANK_MAX], size_t *count) {
    const int64_t *axes = NULL;
    hz_status status = HZ_OK;
    *count = 0;
    if (step->op->inputs_max == 1) {
        status = hzi_step_ints(step, "axes", &axes, count);
    } else if (hzi_step_has(step, 1)) {
        status = hzi_step_known_ints(step, 1, "the axes", &axes, count);
    }
    return status == HZ_OK ? hzi_step_mark_axes(step, axes, *count, rank, gone) : status;
}

static hz_status prepare_reduce(hzi_step *step) {
    measure kind = measure_of(step->op->name);
    int64_t keep_axes, nothing;
    bool gone[HZ_RANK_MAX];
    size_t count;
    hz_status status = served_element(step, kind);
    if (status != HZ_OK) {
        return status;
    }
    const hzi_tensor *input = step->inputs[0];
    status = hzi_step_int(step, "keepdims", 1, &keep_axes);
    status = status == HZ_OK ? hzi_step_int(step, "noop_with_empty_axes", 0, &nothing) : status;
    status = status == HZ_OK ? listed_axes(step, input->shape.rank, gone, &count) : status;
    if (status != HZ_OK) {
        return status;
    }
    if (count == 0 && nothing != 0) { /* nothing is reduced, and the numbers stay as they are */
        hzi_step_runs(step, hzi_run_copy);
        return hzi_step_output(step, 0, input->element, &input->shape);
    }
    reduction *r = hzi_step_alloc(step, sizeof *r);
    if (!r) {
        return hzi_step_no_memory(step);
    }
    hzi_shape behind = {0}, shape;
    for (int i = 0; i < input->shape.rank; i++) {
        gone[i] = gone[i] || count == 0;
        if (gone[i]) {
            behind.dim[behind.rank++] = input->shape.dim[i];
        }
    }
    r->kind = kind;
    r->element = input->element;
    r->count = hzi_shape_count(&behind);
    walks(&input->shape, gone, keep_axes != 0, &r->kept, &r->over, &shape);
    if (r->count == 0 && kind == MEAN && !hzi_element_is_real(input->element)) {
        return hzi_step_refuse(step, "the mean of no whole numbers has no value");
    }
    step->param = r;
    hzi_step_runs(step, run_reduce);
    return hzi_step_output(step, 0, input->element, &shape);
}

/* ---- ArgMax, ArgMin ------------------------------------------------------------------------------ */

typedef struct search {
    bool least, last; /* ArgMin; of equal numbers the last one */
    hzi_walk kept, over;
} search;

/* Index of the one that is asked for along one line of `length` elements. */
static int64_t find_real(const search *s, hz_element element, const void *data, int64_t first) {
    double best = 0, number;
    int64_t found = 0;
    for (int64_t i = 0; i < s->over.length; i++) {
        hzi_load_reals(element, data, first + i * s->over.step[0], 1, 1, &number);
        bool better = s->least ? number < best : number > best;
        if (i == 0 || better || (s->last && number == best)) {
            best = number;
            found = i;
        }
    }
    return found;
}

static int64_t find_whole(const search *s, hz_element element, const void *data, int64_t first) {
    int64_t best = 0, number, found = 0;
    uint64_t mask = order_mask(element);
    for (int64_t i = 0; i < s->over.length; i++) {
        hzi_load_wholes(element, data, first + i * s->over.step[0], 1, 1, &number);
        number = (int64_t)((uint64_t)number ^ mask);
        bool better = s->least ? number < best : number > best;
        if (i == 0 || better || (s->last && number == best)) {
            best = number;
            found = i;
        }
    }
    return found;
}

static void run_search(const hzi_step *step) {
    const search *s = step->param;
    const hzi_tensor *input = step->inputs[0];
    int64_t *to = step->outputs[0]->data;
    bool real = hzi_element_is_real(input->element);
    hzi_cursor cursor;
    for (bool more = hzi_cursor_first(&s->kept, &cursor); more;
         more = hzi_cursor_next(&s->kept, &cursor)) {
        for (int64_t i = 0; i < s->kept.length; i++) {
            int64_t first = cursor.offset[1] + i * s->kept.step[1];
            to[cursor.offset[0] + i * s->kept.step[0]] =
                real ? find_real(s, input->element, input->data, first)
                     : find_whole(s, input->element, input->data, first);
        }
    }
}

static hz_status prepare_search(hzi_step *step) {
    const hzi_tensor *input;
    int64_t keep_axes, last;
    int axis;
    hz_status status = hzi_step_there(step, 0, &input);
    if (status == HZ_OK && !hzi_element_is_real(input->element) &&
        !hzi_element_is_whole(input->element)) {
        return hzi_step_refuse(step, "input 0 '%.80s' is %s, which is not served", input->name,
                               hz_element_name(input->element));
    }
    status = status == HZ_OK ? hzi_step_axis(step, 0, input->shape.rank, &axis) : status;
    status = status == HZ_OK ? hzi_step_int(step, "keepdims", 1, &keep_axes) : status;
    status = status == HZ_OK ? hzi_step_int(step, "select_last_index", 0, &last) : status;
    if (status != HZ_OK) {
        return status;
    }
    if (input->shape.dim[axis] == 0) {
        return hzi_step_refuse(step, "axis %d is empty, nothing in it is the greatest or least",
                               axis);
    }
    search *s = hzi_step_alloc(step, sizeof *s);
    if (!s) {
        return hzi_step_no_memory(step);
    }
    bool gone[HZ_RANK_MAX] = {false};
    gone[axis] = true;
    hzi_shape shape;
    s->least = strcmp(step->op->name, "ArgMin") == 0;
    s->last = last != 0;
    walks(&input->shape, gone, keep_axes != 0, &s->kept, &s->over, &shape);
    step->param = s;
    hzi_step_runs(step, run_search);
    return hzi_step_output(step, 0, HZ_ELEMENT_INT64, &shape);
}

/* Until opset 17 the axes are an attribute, then an input; ReduceSum has had that since 13. */
#define REDUCE(name, until)                                                                        \
    {name, "", 7, until, 1, 1, 1, 1, "axes keepdims", prepare_reduce}, {                           \
        name, "", (until) + 1, 21, 1, 2, 1, 1, "keepdims noop_with_empty_axes", prepare_reduce     \
    }

const hzi_operator hzi_operators_reduce[] = {
    /* name, domain, opsets, inputs, outputs, attributes */
    REDUCE("ReduceSum", 12),
    REDUCE("ReduceMean", 17),
    REDUCE("ReduceMax", 17),
    REDUCE("ReduceMin", 17),
    REDUCE("ReduceProd", 17),
    REDUCE("ReduceSumSquare", 17),
    REDUCE("ReduceL1", 17),
    REDUCE("ReduceL2", 17),
    REDUCE("ReduceLogSum", 17),
    REDUCE("ReduceLogSumExp", 17),
    {"ArgMax", "", 7, 11, 1, 1, 1, 1, "axis keepdims", prepare_search},
    {"ArgMax", "", 12, 21, 1, 1, 1, 1, "axis keepdims select_last_index", prepare_search},
    {"ArgMin", "", 7, 11, 1, 1, 1, 1, "axis keepdims", prepare_search},
    {"ArgMin", "", 12, 21, 1, 1, 1, 1, "axis keepdims select_last_index", prepare_search},
    {.name = NULL},
};
