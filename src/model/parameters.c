/* SPDX-License-Identifier: MIT */
/*
 * Counting the numbers that a file brings along, as hazard/model.h defines them. A FLOAT attribute
 * is only counted when it says something: when it differs from what the operator takes without it.
 * What is handed to a function of the file has no such fallback, and may become a Constant in it: there
 * whole numbers count, too.
 */
#include "model/onnx_file.h"

#include "model/reading.h"

#include <string.h>

typedef struct counting {
    const hz_onnx_file *file;
    size_t nodes; /* met so far, in the order of the file's list */
    hz_parameters sum;
} counting;

static hz_status add(counting *c, uint64_t count, unsigned bits, hz_error *err) {
    if (count > (UINT64_MAX - c->sum.bits) / 128 || c->sum.strict > UINT64_MAX - count) {
        return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET,
                       "the number of parameters does not fit 64 bits");
    }
    c->sum.strict += count;
    c->sum.bits += count * bits;
    return HZ_OK;
}

static hz_status count_tensor(void *state, const Hzi__Onnx__TensorProto *tensor, const char *what,
                              bool main_initializer, hz_error *err) {
    counting *c = state;
    uint64_t count;
    hz_status status = hzi_onnx_elements(tensor, what, &count, err);
    if (status == HZ_OK) {
        status = add(c, count, hzi_onnx_bits(tensor), err);
    }
    if (status == HZ_OK && main_initializer && tensor->n_dims > 0) {
        c->sum.common += count;
    }
    return status;
}

/* ---- scalar attributes --------------------------------------------------------------------------- */

typedef struct fallback {
    const char *type; /* operator; "" = every one */
    const char *attribute;
    float value;
} fallback;

/* What operators take when a FLOAT attribute is left out. */
static const fallback FALLBACKS[] = {
    {"Attention", "softcap", 0.0F},
    {"BatchNormalization", "epsilon", 1e-5F},
    {"BatchNormalization", "momentum", 0.9F},
    {"Binarizer", "threshold", 0.0F},
    {"Celu", "alpha", 1.0F},
    {"Clip", "max", 3.402823466e+38F},
    {"Clip", "min", -3.402823466e+38F},
    {"Dropout", "ratio", 0.5F},
    {"Elu", "alpha", 1.0F},
    {"Gemm", "alpha", 1.0F},
    {"Gemm", "beta", 1.0F},
    {"GroupNormalization", "epsilon", 1e-5F},
    {"HardSigmoid", "alpha", 0.2F},
    {"HardSigmoid", "beta", 0.5F},
    {"Imputer", "replaced_value_float", 0.0F},
    {"InstanceNormalization", "epsilon", 1e-5F},
    {"LRN", "alpha", 0.0001F},
    {"LRN", "beta", 0.75F},
    {"LRN", "bias", 1.0F},
    {"LabelEncoder", "default_float", -0.0F},
    {"LayerNormalization", "epsilon", 1e-5F},
    {"LeakyRelu", "alpha", 0.01F},
    {"MaxRoiPool", "spatial_scale", 1.0F},
    {"Pad", "value", 0.0F},
    {"RMSNormalization", "epsilon", 1e-5F},
    {"Resize", "cubic_coeff_a", -0.75F},
    {"Resize", "extrapolation_value", 0.0F},
    {"RoiAlign", "spatial_scale", 1.0F},
    {"Selu", "alpha", 1.67326319217681884765625F},
    {"Selu", "gamma", 1.05070102214813232421875F},
    {"Shrink", "bias", 0.0F},
    {"Shrink", "lambd", 0.5F},
    {"Swish", "alpha", 1.0F},
    {"ThresholdedRelu", "alpha", 1.0F},
};

static bool says_nothing(const char *type, const Hzi__Onnx__AttributeProto *a) {
    for (size_t i = 0; i < sizeof FALLBACKS / sizeof FALLBACKS[0]; i++) {
        if (strcmp(FALLBACKS[i].type, type) == 0 &&
            strcmp(FALLBACKS[i].attribute, a->name ? a->name : "") == 0) {
            return FALLBACKS[i].value == a->f;
        }
    }
    return false;
}

static hz_status meet_node(void *state, const Hzi__Onnx__NodeProto *node,
                           const Hzi__Onnx__FunctionProto *function, bool nested, hz_error *err) {
    counting *c = state;
    (void)node;
    (void)function;
    (void)nested;
    (void)err;
    c->nodes++;
    return HZ_OK;
}

/* Whether an attribute is of a kind, with or without its number: without one it is 0. What refers to
 * an attribute of the caller has its number there. */
static bool is_kind(const Hzi__Onnx__AttributeProto *a,
                    Hzi__Onnx__AttributeProto__AttributeType kind) {
    return a->has_type && a->type == kind && !(a->ref_attr_name && *a->ref_attr_name);
}

static hz_status count_attribute(void *state, const Hzi__Onnx__NodeProto *node,
                                 const Hzi__Onnx__AttributeProto *a, bool nested, hz_error *err) {
    counting *c = state;
    const hz_onnx_node *known = &c->file->nodes[c->nodes - 1];
    bool constant = strcmp(known->type, "Constant") == 0 && !*known->domain;
    bool plain = !constant && !known->function; /* an operator's attribute */
    bool has_f = a->has_f || is_kind(a, HZI__ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT);
    bool has_i = a->has_i || is_kind(a, HZI__ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
    hz_status status = HZ_OK;
    (void)node;
    if (constant && a->t && !nested && a->t->n_dims > 0) {
        uint64_t count;
        status = hzi_onnx_elements(a->t, "Constant", &count, err);
        c->sum.common += status == HZ_OK ? count : 0;
    }
    if (status == HZ_OK && has_f && !(plain && says_nothing(known->type, a))) {
        status = add(c, 1, 32, err);
    }
    if (status == HZ_OK) {
        status = add(c, a->n_floats, 32, err);
    }
    if (status == HZ_OK && !plain) {
        status = add(c, a->n_ints + (uint64_t)has_i, 64, err);
    }
    return status;
}

hz_status hz_onnx_file_parameters(const hz_onnx_file *file, hz_parameters *parameters,
                                  hz_error *err) {
    counting c = {.file = file};
    const hzi_onnx_visitor visitor = {
        .state = &c, .node = meet_node, .tensor = count_tensor, .attribute = count_attribute};
    hz_status status = hzi_onnx_walk(file->model, &visitor, err);
    if (status == HZ_OK) {
        *parameters = c.sum;
    }
    return status;
}
