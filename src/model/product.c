/* SPDX-License-Identifier: MIT */
/*
 * Operators of the family "product": Gemm and MatMul.
 *
 * Products of floats are dense layers (kernels.h): the right side is packed, once when it is
 * constant, else into work memory for each run; so every product has the one summation order.
 * Doubles and whole numbers (which wrap around) are computed plainly, in rising order of the index
 * that is summed over.
 */
#include "model/product.h"
#include "model/stride.h"

#include <string.h>

typedef struct product {
    hzi_dense layer; /* one matrix on the right; its bias is what the sum begins with */
    size_t rows;     /* of a left matrix */
    size_t matrices;
    size_t row_step, inner_step;    /* of the left matrix */
    size_t input_step, output_step; /* of the right matrix */
    size_t left_size, right_size;   /* elements of a matrix */
    hzi_walk walk;                  /* over the matrices: left, right */
    bool packed;                    /* the right side is constant and packed, all matrices of it */
    /* Gemm: alpha (A B) + beta C. C is added after the sum when alpha is not 1, else before. */
    double alpha, beta;
    bool has_c, c_known, c_last;
    size_t c_row_step, c_column_step;
    const float *c_values; /* beta C, padded, when known */
    size_t c_step;         /* from row to row of beta C */
    /* Offsets in work memory; SIZE_MAX = not used. */
    size_t list_at, packed_at, left_at, c_at;
} product;

/* ---- floats ------------------------------------------------------------------------------------ */

/* beta C for one row, or for all of them, padded. */
static void fill_c(const product *p, const float *c, float *to) {
    size_t padded = hzi_dense_padded(p->layer.outputs);
    size_t rows = p->c_step ? p->rows : 1;
    for (size_t r = 0; r < rows; r++, to += padded) {
        for (size_t j = 0; j < p->layer.outputs; j++) {
            to[j] = (float)p->beta * c[r * p->c_row_step + j * p->c_column_step];
        }
        memset(to + p->layer.outputs, 0, (padded - p->layer.outputs) * sizeof *to);
    }
}

/* y = alpha y + beta C */
static void scale(const product *p, const float *c, float *y) {
    float alpha = (float)p->alpha;
    for (size_t r = 0; r < p->rows; r++, y += p->layer.outputs) {
        for (size_t j = 0; j < p->layer.outputs; j++) {
            float scaled = alpha * y[j];
            y[j] = c ? scaled + c[r * p->c_step + j] : scaled;
        }
    }
}

static void *work(const hzi_step *step, size_t at) {
    return at == SIZE_MAX ? NULL : (char *)step->scratch + at;
}

/* One left matrix times one packed right matrix. */
static void run_matrix(const hzi_step *step, const hzi_dense *layer, const float *x, float *y) {
    const product *p = step->param;
    float *turned = work(step, p->left_at);
    if (turned) {
        for (size_t r = 0; r < p->rows; r++) {
            for (size_t k = 0; k < layer->inputs; k++) {
                turned[r * layer->inputs + k] = x[r * p->row_step + k * p->inner_step];
            }
        }
        x = turned;
    }
    hzi_kernels_in_use->dense(layer, x, layer->inputs, p->rows, y, layer->outputs,
                              work(step, p->list_at));
}

/* Constant right side, one matrix, everything constant: nothing to decide. */
static void run_layer(const hzi_step *step) {
    const product *p = step->param;
    hzi_kernels_in_use->dense(&p->layer, step->inputs[0]->data, p->layer.inputs, p->rows,
                              step->outputs[0]->data, p->layer.outputs, work(step, p->list_at));
}

static void run_floats(const hzi_step *step) {
    const product *p = step->param;
    const float *left = step->inputs[0]->data, *right = step->inputs[1]->data;
    const float *c = NULL;
    float *y = step->outputs[0]->data, *packed = work(step, p->packed_at);
    const size_t weights = hzi_dense_weights(p->layer.inputs, p->layer.outputs);
    hzi_dense layer = p->layer;
    if (p->has_c) {
        c = p->c_values;
        if (!c) {
            float *filled = work(step, p->c_at);
            fill_c(p, step->inputs[2]->data, filled);
            c = filled;
        }
        if (!p->c_last) {
            layer.bias = c;
            layer.bias_step = p->c_step;
        }
    }
    hzi_cursor cursor;
    if (!hzi_cursor_first(&p->walk, &cursor)) {
        return;
    }
    int64_t have = -1; /* right matrix that is packed now */
    do {
        for (int64_t i = 0; i < p->walk.length; i++) {
            int64_t of_left = cursor.offset[0] + i * p->walk.step[0];
            int64_t of_right = cursor.offset[1] + i * p->walk.step[1];
            if (p->packed) {
                layer.weights = p->layer.weights + (size_t)of_right * weights;
            } else if (of_right != have) {
                layer.finite =
                    hzi_dense_pack(right + (size_t)of_right * p->right_size, layer.inputs,
                                   layer.outputs, p->input_step, p->output_step, packed);
                layer.weights = packed;
                have = of_right;
            }
            run_matrix(step, &layer, left + (size_t)of_left * p->left_size, y);
            if (p->c_last) {
                scale(p, c, y);
            }
            y += p->rows * layer.outputs;
        }
    } while (hzi_cursor_next(&p->walk, &cursor));
}

hzi_dense *hzi_product_layer(const hzi_step *step) {
    return step->run == run_layer ? &((product *)step->param)->layer : NULL;
}

/* ---- other numbers ----------------------------------------------------------------------------- */

/* `sum` is a type in which the products are summed; unsigned ones wrap around. */
#define PLAIN(name, type, sum)                                                                     \
    static void multiply_##name(const product *p, const type *left, const type *right,             \
                                const type *c, type *y) {                                          \
        for (size_t r = 0; r < p->rows; r++) {                                                     \
            for (size_t j = 0; j < p->layer.outputs; j++) {                                        \
                const type *a = left + r * p->row_step, *b = right + j * p->output_step;           \
                sum total = 0;                                                                     \
                for (size_t k = 0; k < p->layer.inputs; k++) {                                     \
                    total += (sum)a[k * p->inner_step] * (sum)b[k * p->input_step];                \
                }                                                                                  \
                total = (sum)p->alpha * total;                                                     \
                if (c) {                                                                           \
                    total += (sum)p->beta * (sum)c[r * p->c_row_step + j * p->c_column_step];      \
                }                                                                                  \
                y[r * p->layer.outputs + j] = (type)total;                                         \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void run_##name(const hzi_step *step) {                                                 \
        const product *p = step->param;                                                            \
        const type *left = step->inputs[0]->data, *right = step->inputs[1]->data;                  \
        type *y = step->outputs[0]->data;                                                          \
        hzi_cursor cursor;                                                                         \
        if (!hzi_cursor_first(&p->walk, &cursor)) {                                                \
            return;                                                                                \
        }                                                                                          \
        do {                                                                                       \
            for (int64_t i = 0; i < p->walk.length; i++) {                                         \
                size_t of_left = (size_t)(cursor.offset[0] + i * p->walk.step[0]);                 \
                size_t of_right = (size_t)(cursor.offset[1] + i * p->walk.step[1]);                \
                multiply_##name(p, left + of_left * p->left_size,                                  \
                                right + of_right * p->right_size,                                  \
                                p->has_c ? step->inputs[2]->data : NULL, y);                       \
                y += p->rows * p->layer.outputs;                                                   \
            }                                                                                      \
        } while (hzi_cursor_next(&p->walk, &cursor));                                              \
    }
PLAIN(double, double, double)
PLAIN(int32, int32_t, uint64_t)
PLAIN(int64, int64_t, uint64_t)
PLAIN(uint32, uint32_t, uint64_t)
PLAIN(uint64, uint64_t, uint64_t)

/* ---- preparing --------------------------------------------------------------------------------- */

static const hz_element ELEMENTS_7[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_UNDEFINED};
static const hz_element ELEMENTS_9[] = {HZ_ELEMENT_FLOAT,    HZ_ELEMENT_DOUBLE, HZ_ELEMENT_INT32,
                                        HZ_ELEMENT_INT64,    HZ_ELEMENT_UINT32, HZ_ELEMENT_UINT64,
                                        HZ_ELEMENT_UNDEFINED};

static hz_status check_elements(hzi_step *step) {
    const hz_element *elements = step->node->opset >= 9 ? ELEMENTS_9 : ELEMENTS_7;
    for (uint32_t i = 0; i < step->input_count; i++) {
        if (i == 2 && !step->inputs[i]) {
            continue;
        }
        hz_status status = hzi_step_element_in(step, i, elements);
        if (status != HZ_OK) {
            return status;
        }
        const hzi_tensor *first = step->inputs[0], *input = step->inputs[i];
        if (input->element != first->element) {
            return hzi_step_refuse(step, "input %u '%.80s' is %s, but input 0 '%.80s' is %s", i,
                                   input->name, hz_element_name(input->element), first->name,
                                   hz_element_name(first->element));
        }
    }
    return HZ_OK;
}

/* Takes `size` bytes of work memory. */
static size_t take(hzi_step *step, size_t size) {
    size_t at = step->scratch_bytes;
    step->scratch_bytes += (size + 63) / 64 * 64;
    return at;
}

/* Memory that lasts, aligned for the kernels. */
static float *keep(hzi_step *step, size_t floats) {
    char *memory = hzi_step_alloc(step, floats * sizeof(float) + 64);
    return memory ? (float *)(void *)(memory + (64 - (uintptr_t)memory % 64) % 64) : NULL;
}

/* Packs what is known and chooses how floats are run. */
static hz_status choose_floats(hzi_step *step, product *p) {
    const hzi_tensor *right = step->inputs[1];
    hzi_dense *layer = &p->layer;
    const size_t padded = hzi_dense_padded(layer->outputs);
    const size_t weights = hzi_dense_weights(layer->inputs, layer->outputs);
    float *zeros = keep(step, padded);
    if (!zeros) {
        return hzi_step_no_memory(step);
    }
    layer->bias = zeros;
    if (layer->inputs > HZI_DENSE_LIST) {
        p->list_at = take(step, (layer->inputs + HZI_DENSE_LIST_ROOM) * sizeof(uint32_t));
    }
    size_t rights = p->right_size ? (size_t)right->count / p->right_size : 0;
    if (right->known) {
        float *packed = keep(step, rights * weights);
        if (!packed) {
            return hzi_step_no_memory(step);
        }
        layer->finite = true;
        for (size_t i = 0; i < rights; i++) {
            bool finite =
                hzi_dense_pack((const float *)right->data + i * p->right_size, layer->inputs,
                               layer->outputs, p->input_step, p->output_step, packed + i * weights);
            layer->finite = layer->finite && finite;
        }
        layer->weights = packed;
        p->packed = true;
    } else {
        p->packed_at = take(step, weights * sizeof(float));
    }
    if (p->inner_step != 1) {
        p->left_at = take(step, p->rows * layer->inputs * sizeof(float));
    }
    if (p->has_c) {
        size_t floats = p->c_step ? p->rows * padded : padded;
        if (p->c_known) {
            float *c = keep(step, floats);
            if (!c) {
                return hzi_step_no_memory(step);
            }
            fill_c(p, step->inputs[2]->data, c);
            p->c_values = c;
        } else {
            p->c_at = take(step, floats * sizeof(float));
        }
    }
    hzi_step_runs(step, run_floats);
    bool row = !p->has_c || (p->c_known && p->c_step == 0);
    if (p->packed && p->matrices == 1 && p->left_at == SIZE_MAX && !p->c_last && row) {
        if (p->has_c) {
            layer->bias = p->c_values;
        }
        hzi_step_runs(step, run_layer);
    }
    return HZ_OK;
}

static hz_status choose(hzi_step *step, product *p) {
    step->param = p;
    step->multiply_adds = (uint64_t)p->matrices * p->rows * p->layer.inputs * p->layer.outputs;
    switch (step->inputs[0]->element) {
    case HZ_ELEMENT_FLOAT:
        return choose_floats(step, p);
    case HZ_ELEMENT_DOUBLE:
        hzi_step_runs(step, run_double);
        break;
    case HZ_ELEMENT_INT32:
        hzi_step_runs(step, run_int32);
        break;
    case HZ_ELEMENT_INT64:
        hzi_step_runs(step, run_int64);
        break;
    case HZ_ELEMENT_UINT32:
        hzi_step_runs(step, run_uint32);
        break;
    default:
        hzi_step_runs(step, run_uint64);
        break;
    }
    return HZ_OK;
}

static product *new_product(hzi_step *step) {
    product *p = hzi_step_alloc(step, sizeof *p);
    if (p) {
        p->alpha = 1;
        p->matrices = 1;
        p->list_at = p->packed_at = p->left_at = p->c_at = SIZE_MAX;
    }
    return p;
}

static hz_status refuse_sizes(hzi_step *step) {
    char left[200], right[200];
    (void)hzi_shape_text(&step->inputs[0]->shape, left, sizeof left);
    (void)hzi_shape_text(&step->inputs[1]->shape, right, sizeof right);
    return hzi_step_refuse(step, "input 0 '%.80s' %s and input 1 '%.80s' %s cannot be multiplied",
                           step->inputs[0]->name, left, step->inputs[1]->name, right);
}

/* ---- Gemm -------------------------------------------------------------------------------------- */

static hz_status prepare_c(hzi_step *step, product *p) {
    const hzi_tensor *c = step->input_count > 2 ? step->inputs[2] : NULL;
    if (!c) {
        return HZ_OK;
    }
    const hzi_shape out = {2, {(int64_t)p->rows, (int64_t)p->layer.outputs}};
    hzi_shape wide;
    if (!hzi_shape_broadcast(&c->shape, &out, &wide) || !hzi_shape_equal(&wide, &out)) {
        char text[200];
        (void)hzi_shape_text(&c->shape, text, sizeof text);
        return hzi_step_refuse(step, "input 2 '%.80s' %s does not broadcast to [%zu,%zu]", c->name,
                               text, p->rows, p->layer.outputs);
    }
    if (p->beta == 0) {
        return HZ_OK;
    }
    int rank = c->shape.rank;
    int64_t columns = rank > 0 ? c->shape.dim[rank - 1] : 1;
    int64_t rows = rank > 1 ? c->shape.dim[0] : 1;
    p->has_c = true;
    p->c_known = c->known;
    p->c_column_step = columns > 1;
    p->c_row_step = rows > 1 ? (size_t)columns : 0;
    p->c_step = rows > 1 ? hzi_dense_padded(p->layer.outputs) : 0;
    p->c_last = false;
    return HZ_OK;
}

static hz_status prepare_gemm(hzi_step *step) {
    int64_t trans_a, trans_b;
    float alpha, beta;
    hz_status status = hzi_step_int(step, "transA", 0, &trans_a);
    if (status == HZ_OK) {
        status = hzi_step_int(step, "transB", 0, &trans_b);
    }
    if (status == HZ_OK) {
        status = hzi_step_float(step, "alpha", 1, &alpha);
    }
    if (status == HZ_OK) {
        status = hzi_step_float(step, "beta", 1, &beta);
    }
    if (status == HZ_OK) {
        status = check_elements(step);
    }
    if (status != HZ_OK) {
        return status;
    }
    const hzi_tensor *a = step->inputs[0], *b = step->inputs[1];
    if (a->shape.rank != 2 || b->shape.rank != 2 ||
        a->shape.dim[trans_a ? 0 : 1] != b->shape.dim[trans_b ? 1 : 0]) {
        return refuse_sizes(step);
    }
    bool real = a->element == HZ_ELEMENT_FLOAT || a->element == HZ_ELEMENT_DOUBLE;
    if (!real && (alpha != 1 || (beta != 0 && beta != 1))) {
        return hzi_step_refuse(step, "attributes 'alpha' and 'beta' must be 1 for %s",
                               hz_element_name(a->element));
    }
    product *p = new_product(step);
    if (!p) {
        return hzi_step_no_memory(step);
    }
    p->rows = (size_t)a->shape.dim[trans_a ? 1 : 0];
    p->layer.inputs = (size_t)a->shape.dim[trans_a ? 0 : 1];
    p->layer.outputs = (size_t)b->shape.dim[trans_b ? 0 : 1];
    p->row_step = trans_a ? 1 : p->layer.inputs;
    p->inner_step = trans_a ? p->rows : 1;
    p->input_step = trans_b ? 1 : p->layer.outputs;
    p->output_step = trans_b ? p->layer.inputs : 1;
    p->left_size = (size_t)a->count;
    p->right_size = (size_t)b->count;
    p->alpha = (double)alpha;
    p->beta = (double)beta;
    const hzi_shape one = {.rank = 0};
    hzi_walk_begin(&p->walk, &one);
    hzi_walk_operand(&p->walk, &one);
    hzi_walk_operand(&p->walk, &one);
    hzi_walk_close(&p->walk);
    status = prepare_c(step, p);
    p->c_last = alpha != 1;
    const hzi_shape shape = {2, {(int64_t)p->rows, (int64_t)p->layer.outputs}};
    if (status == HZ_OK) {
        status = hzi_step_output(step, 0, a->element, &shape);
    }
    return status == HZ_OK ? choose(step, p) : status;
}

/* ---- MatMul ------------------------------------------------------------------------------------ */

/* The dimensions in front of the matrix. */
static hzi_shape batch_of(const hzi_shape *shape) {
    hzi_shape batch = *shape;
    batch.rank = shape->rank > 2 ? shape->rank - 2 : 0;
    return batch;
}

static hz_status prepare_matmul(hzi_step *step) {
    hz_status status = check_elements(step);
    if (status != HZ_OK) {
        return status;
    }
    const hzi_tensor *a = step->inputs[0], *b = step->inputs[1];
    /* A list on the left is one row, on the right one column. */
    bool row = a->shape.rank == 1, column = b->shape.rank == 1;
    if (a->shape.rank == 0 || b->shape.rank == 0) {
        return refuse_sizes(step);
    }
    int64_t rows = row ? 1 : a->shape.dim[a->shape.rank - 2];
    int64_t inputs = a->shape.dim[a->shape.rank - 1];
    int64_t outputs = column ? 1 : b->shape.dim[b->shape.rank - 1];
    hzi_shape batch_a = batch_of(&a->shape), batch_b = batch_of(&b->shape), batch;
    if (b->shape.dim[column ? 0 : b->shape.rank - 2] != inputs ||
        !hzi_shape_broadcast(&batch_a, &batch_b, &batch)) {
        return refuse_sizes(step);
    }
    hzi_shape shape = batch;
    if (!row) {
        shape.dim[shape.rank++] = rows;
    }
    if (!column) {
        shape.dim[shape.rank++] = outputs;
    }
    status = hzi_step_output(step, 0, a->element, &shape);
    if (status != HZ_OK) {
        return status;
    }
    product *p = new_product(step);
    if (!p) {
        return hzi_step_no_memory(step);
    }
    p->rows = (size_t)rows;
    p->matrices = (size_t)hzi_shape_count(&batch);
    if (hzi_shape_count(&batch_b) == 1 && hzi_shape_equal(&batch, &batch_a)) {
        /* One matrix on the right: all rows on the left are one matrix. */
        p->rows *= p->matrices;
        p->matrices = 1;
        batch.rank = batch_a.rank = batch_b.rank = 0;
    }
    p->layer.inputs = (size_t)inputs;
    p->layer.outputs = (size_t)outputs;
    p->row_step = p->layer.inputs;
    p->inner_step = 1;
    p->input_step = p->layer.outputs;
    p->output_step = 1;
    p->left_size = p->rows * p->layer.inputs;
    p->right_size = p->layer.inputs * p->layer.outputs;
    hzi_walk_begin(&p->walk, &batch);
    hzi_walk_operand(&p->walk, &batch_a);
    hzi_walk_operand(&p->walk, &batch_b);
    hzi_walk_close(&p->walk);
    return choose(step, p);
}

const hzi_operator hzi_operators_product[] = {
    {"Gemm", "", 7, 10, 3, 3, 1, 1, "alpha beta transA transB", prepare_gemm},
    {"Gemm", "", 11, 21, 2, 3, 1, 1, "alpha beta transA transB", prepare_gemm},
    {"MatMul", "", 7, 21, 2, 2, 1, 1, "", prepare_matmul},
    {.name = NULL},
};
