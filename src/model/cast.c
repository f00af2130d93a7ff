/* SPDX-License-Identifier: MIT */
/*
 * Cast and CastLike between all number types and BOOL. Float to float rounds to nearest, ties to
 * even. Where ONNX leaves the result open it is fixed here (src/model/number.h): whole numbers keep
 * their low bits, floats out of range become the nearest number there is, NaN becomes 0.
 */
#include "model/number.h"
#include "model/stride.h"

static void run_cast(const hzi_step *step) {
    enum { RUN = 256 };
    const hzi_tensor *input = step->inputs[0], *output = step->outputs[0];
    bool real = hzi_element_is_real(input->element);
    double reals[RUN];
    int64_t wholes[RUN];
    for (int64_t at = 0; at < output->count; at += RUN) {
        int64_t n = output->count - at < RUN ? output->count - at : RUN;
        if (real) {
            hzi_load_reals(input->element, input->data, at, 1, n, reals);
            hzi_store_reals(output->element, output->data, at, n, reals);
        } else {
            hzi_load_wholes(input->element, input->data, at, 1, n, wholes);
            hzi_store_wholes(output->element, output->data, at, n, wholes,
                             input->element == HZ_ELEMENT_UINT64);
        }
    }
}

static bool castable(hz_element element) {
    return hzi_element_is_real(element) || hzi_element_is_whole(element) ||
           element == HZ_ELEMENT_BOOL;
}

static hz_status cast_to(hzi_step *step, int64_t to) {
    const hzi_tensor *input;
    int64_t saturate; /* only means something for 8-bit floats, which are not served */
    hz_status status = hzi_step_movable(step, 0, &input);
    status = status == HZ_OK ? hzi_step_int(step, "saturate", 1, &saturate) : status;
    if (status != HZ_OK) {
        return status;
    }
    hz_element element = to > 0 && to <= HZ_ELEMENT_BFLOAT16 ? (hz_element)to : 0;
    if (!castable(element) || (element == HZ_ELEMENT_BFLOAT16 && step->node->opset < 13)) {
        return hzi_step_refuse(step, "a cast to type %lld (%s) is not served", (long long)to,
                               hz_element_name(element));
    }
    hzi_step_runs(step, element == input->element ? hzi_run_copy : run_cast);
    return hzi_step_output(step, 0, element, &input->shape);
}

static hz_status prepare_cast(hzi_step *step) {
    int64_t to;
    if (!hzi_node_attribute(step->node, "to")) {
        return hzi_step_refuse(step, "attribute 'to' is missing");
    }
    hz_status status = hzi_step_int(step, "to", 0, &to);
    return status == HZ_OK ? cast_to(step, to) : status;
}

static hz_status prepare_cast_like(hzi_step *step) {
    const hzi_tensor *like;
    hz_status status = hzi_step_there(step, 1, &like);
    return status == HZ_OK ? cast_to(step, like->element) : status;
}

const hzi_operator hzi_operators_cast[] = {
    /* name, domain, opsets, inputs, outputs, attributes */
    {"Cast", "", 7, 18, 1, 1, 1, 1, "to", prepare_cast},
    {"Cast", "", 19, 21, 1, 1, 1, 1, "to saturate", prepare_cast},
    {"CastLike", "", 15, 18, 2, 2, 1, 1, "", prepare_cast_like},
    {"CastLike", "", 19, 21, 2, 2, 1, 1, "saturate", prepare_cast_like},
    {.name = NULL},
};
