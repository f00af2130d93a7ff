/* SPDX-License-Identifier: MIT */
/*
 * Operators of the family "unary": number to number, most of them activations.
 *
 * Floats go through a kernel's map. Doubles and the 16-bit formats are computed one by one with the
 * C library in double; so are the few functions no network needs fast (sin and its like), in every
 * format. Whole numbers, where an operator takes them, are computed as int64.
 */
#include "model/unary.h"
#include "model/number.h"
#include "model/stride.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct unary {
    hzi_map map;
    double (*function)(double); /* instead of the map, unless NULL */
    double a, b;
    int64_t low, high; /* Clip of whole numbers */
} unary;

enum { CHUNK = 64 };

/* ---- doubles ----------------------------------------------------------------------------------- */

static double softplus(double x) {
    return fmax(x, 0) + log1p(exp(-fabs(x))) + (isnan(x) ? x : 0);
}

static double clip(double x, double low, double high) {
    x = x < low ? low : x;
    return x > high ? high : x;
}

static double sign(double x) {
    return x > 0 ? 1 : x < 0 ? -1 : x + 0;
}

/* The maps of kernels.h for one number. */
static double map_one(hzi_map map, double x, double a, double b) {
    switch (map) {
    case HZI_MAP_NONE:
    case HZI_MAP_COUNT:
        return x;
    case HZI_MAP_RELU:
        return x < 0 ? 0 : x;
    case HZI_MAP_LEAKY:
        return x < 0 ? a * x : x;
    case HZI_MAP_ELU:
        return x > 0 ? x : a * expm1(x);
    case HZI_MAP_SELU:
        return b * (x > 0 ? x : a * expm1(x));
    case HZI_MAP_CELU: {
        double below = a * expm1(x / a);
        return (x < 0 ? 0 : x) + (below > 0 ? 0 : below);
    }
    case HZI_MAP_CUT:
        return x > a ? x : 0;
    case HZI_MAP_SHRINK:
        return x < -a ? x + b : x > a ? x - b : 0;
    case HZI_MAP_CLIP:
        return clip(x, a, b);
    case HZI_MAP_SIGMOID:
        return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
    case HZI_MAP_HARD_SIGMOID:
        return clip(a * x + b, 0, 1);
    case HZI_MAP_HARD_SWISH:
        return x * clip(x / 6 + 0.5, 0, 1);
    case HZI_MAP_TANH:
        return tanh(x);
    case HZI_MAP_SOFTPLUS:
        return softplus(x);
    case HZI_MAP_SOFTSIGN:
        return x / (1 + fabs(x));
    case HZI_MAP_GELU:
        return 0.5 * x * (1 + erf(x * 0.70710678118654752440));
    case HZI_MAP_GELU_TANH:
        return 0.5 * x * (1 + tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
    case HZI_MAP_MISH:
        return x * tanh(softplus(x));
    case HZI_MAP_EXP:
        return exp(x);
    case HZI_MAP_LOG:
        return log(x);
    case HZI_MAP_ERF:
        return erf(x);
    case HZI_MAP_SQRT:
        return sqrt(x);
    case HZI_MAP_ABS:
        return fabs(x);
    case HZI_MAP_NEGATE:
        return -x;
    case HZI_MAP_RECIPROCAL:
        return 1 / x;
    case HZI_MAP_FLOOR:
        return floor(x);
    case HZI_MAP_CEIL:
        return ceil(x);
    case HZI_MAP_ROUND:
        return rint(x);
    case HZI_MAP_SIGN:
        return sign(x);
    }
    return x;
}

/* ---- running ----------------------------------------------------------------------------------- */

static void run_float(const hzi_step *step) {
    const unary *u = step->param;
    hzi_kernels_in_use->map(u->map, step->inputs[0]->data, step->outputs[0]->data,
                            (size_t)step->inputs[0]->count, (float)u->a, (float)u->b);
}

static void run_double(const hzi_step *step) {
    const unary *u = step->param;
    const hzi_tensor *from = step->inputs[0];
    for (int64_t first = 0; first < from->count; first += CHUNK) {
        int64_t n = from->count - first < CHUNK ? from->count - first : CHUNK;
        double x[CHUNK];
        hzi_load_reals(from->element, from->data, first, 1, n, x);
        for (int64_t i = 0; i < n; i++) {
            x[i] = u->function ? u->function(x[i]) : map_one(u->map, x[i], u->a, u->b);
        }
        hzi_store_reals(from->element, step->outputs[0]->data, first, n, x);
    }
}

/* UINT64 arrives with its bits, and is never negative. */
static int64_t map_whole(const unary *u, int64_t x, bool huge) {
    bool negative = x < 0 && !huge;
    switch (u->map) {
    case HZI_MAP_RELU:
        return negative ? 0 : x;
    case HZI_MAP_ABS:
        return negative ? (int64_t)(0 - (uint64_t)x) : x;
    case HZI_MAP_NEGATE:
        return (int64_t)(0 - (uint64_t)x);
    case HZI_MAP_SIGN:
        return negative ? -1 : x != 0;
    case HZI_MAP_CLIP:
        if (huge) {
            uint64_t above = (uint64_t)x < (uint64_t)u->low ? (uint64_t)u->low : (uint64_t)x;
            return (int64_t)(above > (uint64_t)u->high ? (uint64_t)u->high : above);
        }
        x = x < u->low ? u->low : x;
        return x > u->high ? u->high : x;
    default:
        return x;
    }
}

static void run_whole(const hzi_step *step) {
    const unary *u = step->param;
    const hzi_tensor *from = step->inputs[0];
    bool huge = from->element == HZ_ELEMENT_UINT64;
    for (int64_t first = 0; first < from->count; first += CHUNK) {
        int64_t n = from->count - first < CHUNK ? from->count - first : CHUNK;
        int64_t x[CHUNK];
        hzi_load_wholes(from->element, from->data, first, 1, n, x);
        for (int64_t i = 0; i < n; i++) {
            x[i] = map_whole(u, x[i], huge);
        }
        hzi_store_wholes(from->element, step->outputs[0]->data, first, n, x, huge);
    }
}

bool hzi_unary_map(const hzi_step *step, hzi_map *map, float *a, float *b) {
    if (step->run != run_float) {
        return false;
    }
    const unary *u = step->param;
    *map = u->map;
    *a = (float)u->a;
    *b = (float)u->b;
    return true;
}

/* ---- preparing --------------------------------------------------------------------------------- */

#define REALS HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_FLOAT16
#define SIGNED HZ_ELEMENT_INT8, HZ_ELEMENT_INT16, HZ_ELEMENT_INT32, HZ_ELEMENT_INT64
#define UNSIGNED HZ_ELEMENT_UINT8, HZ_ELEMENT_UINT16, HZ_ELEMENT_UINT32, HZ_ELEMENT_UINT64
#define BFLOAT HZ_ELEMENT_BFLOAT16
#define END HZ_ELEMENT_UNDEFINED
static const hz_element FLOAT_ONLY[] = {HZ_ELEMENT_FLOAT, END};
static const hz_element REAL[] = {REALS, END};
static const hz_element REAL_13[] = {REALS, BFLOAT, END};
static const hz_element PLUS_SIGNED[] = {REALS, SIGNED, END};
static const hz_element PLUS_SIGNED_13[] = {REALS, SIGNED, BFLOAT, END};
static const hz_element EVERY[] = {REALS, SIGNED, UNSIGNED, END};
static const hz_element EVERY_13[] = {REALS, SIGNED, UNSIGNED, BFLOAT, END};

/* Same shape and type; u is copied. */
static hz_status prepare(hzi_step *step, const unary *u, const hz_element *elements) {
    hz_status status = hzi_step_element_in(step, 0, elements);
    if (status != HZ_OK) {
        return status;
    }
    const hzi_tensor *input = step->inputs[0];
    status = hzi_step_output(step, 0, input->element, &input->shape);
    if (status != HZ_OK) {
        return status;
    }
    unary *kept = hzi_step_alloc(step, sizeof *kept);
    if (!kept) {
        return hzi_step_no_memory(step);
    }
    *kept = *u;
    step->param = kept;
    if (input->element == HZ_ELEMENT_FLOAT && !u->function) {
        hzi_step_runs(step, run_float);
    } else if (hzi_element_is_real(input->element)) {
        hzi_step_runs(step, run_double);
    } else {
        hzi_step_runs(step, run_whole);
    }
    return HZ_OK;
}

/* Bfloat is taken from opset `since` on. */
static const hz_element *reals(const hzi_step *step, int since) {
    return step->node->opset >= since ? REAL_13 : REAL;
}

/* Functions without attributes. */
#define PLAIN(name, which, elements)                                                               \
    static hz_status prepare_##name(hzi_step *step) {                                              \
        return prepare(step, &(unary){.map = (which)}, (elements));                                \
    }
PLAIN(tanh, HZI_MAP_TANH, reals(step, 13))
PLAIN(sigmoid, HZI_MAP_SIGMOID, reals(step, 13))
PLAIN(exp, HZI_MAP_EXP, reals(step, 13))
PLAIN(log, HZI_MAP_LOG, reals(step, 13))
PLAIN(sqrt, HZI_MAP_SQRT, reals(step, 13))
PLAIN(reciprocal, HZI_MAP_RECIPROCAL, reals(step, 13))
PLAIN(floor, HZI_MAP_FLOOR, reals(step, 13))
PLAIN(ceil, HZI_MAP_CEIL, reals(step, 13))
PLAIN(erf, HZI_MAP_ERF, reals(step, 13))
PLAIN(round, HZI_MAP_ROUND, REAL)
PLAIN(softplus, HZI_MAP_SOFTPLUS, REAL)
PLAIN(softsign, HZI_MAP_SOFTSIGN, REAL)
PLAIN(hard_swish, HZI_MAP_HARD_SWISH, REAL)
PLAIN(mish, HZI_MAP_MISH, REAL)
PLAIN(abs, HZI_MAP_ABS, step->node->opset >= 13 ? EVERY_13 : EVERY)
PLAIN(sign, HZI_MAP_SIGN, step->node->opset >= 13 ? EVERY_13 : EVERY)
PLAIN(neg, HZI_MAP_NEGATE, step->node->opset >= 13 ? PLUS_SIGNED_13 : PLUS_SIGNED)
PLAIN(relu, HZI_MAP_RELU, step->node->opset >= 14 ? PLUS_SIGNED_13 : reals(step, 13))

#define LIBRARY(name)                                                                              \
    static hz_status prepare_##name(hzi_step *step) {                                              \
        return prepare(step, &(unary){.function = name}, REAL);                                    \
    }
LIBRARY(sin)
LIBRARY(cos)
LIBRARY(tan)
LIBRARY(asin)
LIBRARY(acos)
LIBRARY(atan)
LIBRARY(sinh)
LIBRARY(cosh)
LIBRARY(asinh)
LIBRARY(acosh)
LIBRARY(atanh)

/* Functions with one or two float attributes; b_name NULL = one. */
static hz_status with_attributes(hzi_step *step, hzi_map map, const char *a_name, float a,
                                 const char *b_name, float b, const hz_element *elements) {
    hz_status status = hzi_step_float(step, a_name, a, &a);
    if (status == HZ_OK && b_name) {
        status = hzi_step_float(step, b_name, b, &b);
    }
    if (status != HZ_OK) {
        return status;
    }
    return prepare(step, &(unary){.map = map, .a = (double)a, .b = (double)b}, elements);
}

static hz_status prepare_leaky_relu(hzi_step *step) {
    return with_attributes(step, HZI_MAP_LEAKY, "alpha", 0.01F, NULL, 0, reals(step, 16));
}

static hz_status prepare_elu(hzi_step *step) {
    return with_attributes(step, HZI_MAP_ELU, "alpha", 1, NULL, 0, REAL);
}

static hz_status prepare_selu(hzi_step *step) {
    return with_attributes(step, HZI_MAP_SELU, "alpha", 1.67326319F, "gamma", 1.05070102F, REAL);
}

static hz_status prepare_celu(hzi_step *step) {
    float alpha;
    hz_status status = hzi_step_float(step, "alpha", 1, &alpha);
    if (status == HZ_OK && alpha == 0) {
        status = hzi_step_refuse(step, "attribute 'alpha' must not be 0");
    }
    return status != HZ_OK ? status
                           : with_attributes(step, HZI_MAP_CELU, "alpha", 1, NULL, 0, FLOAT_ONLY);
}

static hz_status prepare_thresholded_relu(hzi_step *step) {
    return with_attributes(step, HZI_MAP_CUT, "alpha", 1, NULL, 0, REAL);
}

static hz_status prepare_hard_sigmoid(hzi_step *step) {
    return with_attributes(step, HZI_MAP_HARD_SIGMOID, "alpha", 0.2F, "beta", 0.5F, REAL);
}

static hz_status prepare_shrink(hzi_step *step) {
    return with_attributes(step, HZI_MAP_SHRINK, "lambd", 0.5F, "bias", 0, REAL);
}

static hz_status prepare_gelu(hzi_step *step) {
    const char *approximate;
    hz_status status = hzi_step_string(step, "approximate", "none", &approximate);
    if (status != HZ_OK) {
        return status;
    }
    bool tanh_form = strcmp(approximate, "tanh") == 0;
    if (!tanh_form && strcmp(approximate, "none") != 0) {
        return hzi_step_refuse(step, "attribute 'approximate' is 'none' or 'tanh', it is '%.80s'",
                               approximate);
    }
    return prepare(step, &(unary){.map = tanh_form ? HZI_MAP_GELU_TANH : HZI_MAP_GELU}, REAL_13);
}

/* ---- Clip -------------------------------------------------------------------------------------- */

/* Lowest and highest number of a type: what a bound that is left out means. */
static void whole_range(hz_element element, int64_t *low, int64_t *high) {
    bool has_sign = element == HZ_ELEMENT_INT8 || element == HZ_ELEMENT_INT16 ||
                    element == HZ_ELEMENT_INT32 || element == HZ_ELEMENT_INT64;
    unsigned bits = 8 * (unsigned)hz_element_size(element);
    uint64_t all = UINT64_MAX >> (64 - bits);
    *high = (int64_t)(has_sign ? all >> 1 : all);
    *low = has_sign ? -*high - 1 : 0;
}

static double real_range(hz_element element) {
    switch (element) {
    case HZ_ELEMENT_DOUBLE:
        return DBL_MAX;
    case HZ_ELEMENT_FLOAT16:
        return 65504;
    case HZ_ELEMENT_BFLOAT16:
        return 0x1.FEp127;
    default:
        return (double)FLT_MAX;
    }
}

/* Reads the bounds into u; called when they are known, or for each run. */
static void read_bounds(const hzi_step *step, unary *u) {
    const hzi_tensor *low = step->input_count > 1 ? step->inputs[1] : NULL;
    const hzi_tensor *high = step->input_count > 2 ? step->inputs[2] : NULL;
    hz_element element = step->inputs[0]->element;
    if (hzi_element_is_real(element)) {
        u->b = real_range(element);
        u->a = -u->b;
        if (low) {
            hzi_load_reals(element, low->data, 0, 1, 1, &u->a);
        }
        if (high) {
            hzi_load_reals(element, high->data, 0, 1, 1, &u->b);
        }
        return;
    }
    whole_range(element, &u->low, &u->high);
    if (low) {
        hzi_load_wholes(element, low->data, 0, 1, 1, &u->low);
    }
    if (high) {
        hzi_load_wholes(element, high->data, 0, 1, 1, &u->high);
    }
}

/* The bounds are computed by the graph. */
static void run_clip(const hzi_step *step) {
    unary u = {.map = HZI_MAP_CLIP};
    hzi_step here = *step;
    read_bounds(step, &u);
    here.param = &u;
    if (step->inputs[0]->element == HZ_ELEMENT_FLOAT) {
        run_float(&here);
    } else if (hzi_element_is_real(step->inputs[0]->element)) {
        run_double(&here);
    } else {
        run_whole(&here);
    }
}

static hz_status prepare_clip_6(hzi_step *step) {
    return with_attributes(step, HZI_MAP_CLIP, "min", -FLT_MAX, "max", FLT_MAX, REAL);
}

static hz_status prepare_clip(hzi_step *step) {
    int opset = step->node->opset;
    const hz_element *elements = opset >= 13 ? EVERY_13 : opset == 12 ? EVERY : REAL;
    hz_status status = hzi_step_element_in(step, 0, elements);
    bool known = true;
    for (uint32_t i = 1; i < step->input_count && status == HZ_OK; i++) {
        const hzi_tensor *bound = step->inputs[i];
        if (!bound) {
            continue;
        }
        if (bound->element != step->inputs[0]->element) {
            return hzi_step_refuse(step, "input %u '%.80s' is %s, but input 0 '%.80s' is %s", i,
                                   bound->name, hz_element_name(bound->element),
                                   step->inputs[0]->name,
                                   hz_element_name(step->inputs[0]->element));
        }
        if (bound->count != 1) {
            return hzi_step_refuse(step, "input %u '%.80s' must be one number", i, bound->name);
        }
        known = known && bound->known;
    }
    if (status != HZ_OK) {
        return status;
    }
    unary u = {.map = HZI_MAP_CLIP};
    if (known) {
        read_bounds(step, &u);
    }
    status = prepare(step, &u, elements);
    if (status == HZ_OK && !known) {
        hzi_step_runs(step, run_clip);
    }
    return status;
}

const hzi_operator hzi_operators_unary[] = {
    {"Abs", "", 7, 21, 1, 1, 1, 1, "", prepare_abs},
    {"Acos", "", 7, 21, 1, 1, 1, 1, "", prepare_acos},
    {"Acosh", "", 9, 21, 1, 1, 1, 1, "", prepare_acosh},
    {"Asin", "", 7, 21, 1, 1, 1, 1, "", prepare_asin},
    {"Asinh", "", 9, 21, 1, 1, 1, 1, "", prepare_asinh},
    {"Atan", "", 7, 21, 1, 1, 1, 1, "", prepare_atan},
    {"Atanh", "", 9, 21, 1, 1, 1, 1, "", prepare_atanh},
    {"Ceil", "", 7, 21, 1, 1, 1, 1, "", prepare_ceil},
    {"Celu", "", 12, 21, 1, 1, 1, 1, "alpha", prepare_celu},
    {"Clip", "", 7, 10, 1, 1, 1, 1, "min max", prepare_clip_6},
    {"Clip", "", 11, 21, 1, 3, 1, 1, "", prepare_clip},
    {"Cos", "", 7, 21, 1, 1, 1, 1, "", prepare_cos},
    {"Cosh", "", 9, 21, 1, 1, 1, 1, "", prepare_cosh},
    {"Elu", "", 7, 21, 1, 1, 1, 1, "alpha", prepare_elu},
    {"Erf", "", 9, 21, 1, 1, 1, 1, "", prepare_erf},
    {"Exp", "", 7, 21, 1, 1, 1, 1, "", prepare_exp},
    {"Floor", "", 7, 21, 1, 1, 1, 1, "", prepare_floor},
    {"Gelu", "", 20, 21, 1, 1, 1, 1, "approximate", prepare_gelu},
    {"HardSigmoid", "", 7, 21, 1, 1, 1, 1, "alpha beta", prepare_hard_sigmoid},
    {"HardSwish", "", 14, 21, 1, 1, 1, 1, "", prepare_hard_swish},
    {"LeakyRelu", "", 7, 21, 1, 1, 1, 1, "alpha", prepare_leaky_relu},
    {"Log", "", 7, 21, 1, 1, 1, 1, "", prepare_log},
    {"Mish", "", 18, 21, 1, 1, 1, 1, "", prepare_mish},
    {"Neg", "", 7, 21, 1, 1, 1, 1, "", prepare_neg},
    {"Reciprocal", "", 7, 21, 1, 1, 1, 1, "", prepare_reciprocal},
    {"Relu", "", 7, 21, 1, 1, 1, 1, "", prepare_relu},
    {"Round", "", 11, 21, 1, 1, 1, 1, "", prepare_round},
    {"Selu", "", 7, 21, 1, 1, 1, 1, "alpha gamma", prepare_selu},
    {"Shrink", "", 9, 21, 1, 1, 1, 1, "lambd bias", prepare_shrink},
    {"Sigmoid", "", 7, 21, 1, 1, 1, 1, "", prepare_sigmoid},
    {"Sign", "", 9, 21, 1, 1, 1, 1, "", prepare_sign},
    {"Sin", "", 7, 21, 1, 1, 1, 1, "", prepare_sin},
    {"Sinh", "", 9, 21, 1, 1, 1, 1, "", prepare_sinh},
    {"Softplus", "", 7, 21, 1, 1, 1, 1, "", prepare_softplus},
    {"Softsign", "", 7, 21, 1, 1, 1, 1, "", prepare_softsign},
    {"Sqrt", "", 7, 21, 1, 1, 1, 1, "", prepare_sqrt},
    {"Tan", "", 7, 21, 1, 1, 1, 1, "", prepare_tan},
    {"Tanh", "", 7, 21, 1, 1, 1, 1, "", prepare_tanh},
    {"ThresholdedRelu", "", 10, 21, 1, 1, 1, 1, "alpha", prepare_thresholded_relu},
    {.name = NULL},
};
