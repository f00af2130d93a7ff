/* SPDX-License-Identifier: MIT */
/*
 * Dense networks: "mlp:64,32" on a row, and "dual:32,32" whose first layer reads both halves of a
 * dual view with the same numbers (Split has no operand here, so the halves cost none).
 */
#include "model/architecture.h"

#include <stdio.h>
#include <string.h>

enum { LAYERS_MOST = 16, WIDTH_MOST = 65536, HALF = 770, NUMBERS_MOST = 1 << 26 };

/* "64,32" as numbers; *count may be 0. */
static hz_status read_widths(const char *text, size_t widths[LAYERS_MOST], size_t *count,
                             hz_error *err) {
    *count = 0;
    for (const char *at = text; *at;) {
        size_t width = 0, digits = strspn(at, "0123456789");
        for (size_t i = 0; i < digits && width <= WIDTH_MOST; i++) {
            width = 10 * width + (size_t)(at[i] - '0');
        }
        if (width < 1 || width > WIDTH_MOST) {
            return hz_fail(err, HZ_INVALID_ARGUMENT, (size_t)(at - text),
                           "a width is a number from 1 to %d, not '%.40s'", WIDTH_MOST, at);
        }
        if (*count == LAYERS_MOST) {
            return hz_fail(err, HZ_INVALID_ARGUMENT, (size_t)(at - text),
                           "more than %d layers are not built", LAYERS_MOST);
        }
        widths[(*count)++] = width;
        at += digits;
        if (*at == ',' && at[1]) {
            at++;
        } else if (*at) {
            return hz_fail(err, HZ_INVALID_ARGUMENT, (size_t)(at - text),
                           "widths are numbers with commas between them, not '%.40s'", text);
        }
    }
    return HZ_OK;
}

/* x W' + b with the numbers of this layer, and a rectifier unless it is the last. */
static void dense(hzi_layout *layout, const char *input, size_t number, const char *output,
                  bool last) {
    char weights[HZI_ARCH_NAME], biases[HZI_ARCH_NAME], sum[HZI_ARCH_NAME + 4];
    (void)snprintf(weights, sizeof weights, "w%zu", number);
    (void)snprintf(biases, sizeof biases, "b%zu", number);
    (void)snprintf(sum, sizeof sum, last ? "%s" : "%s_sum", output);
    const char *inputs[] = {input, weights, biases}, *before[] = {sum};
    hzi_layout_node(layout, "Gemm", inputs, 3, sum);
    if (layout->builder) {
        hz_builder_int(layout->builder, "transB", 1);
    }
    if (!last) {
        hzi_layout_node(layout, "Relu", before, 1, output);
    }
}

static void numbers(hzi_layout *layout, size_t number, size_t out, size_t in) {
    char name[HZI_ARCH_NAME];
    (void)snprintf(name, sizeof name, "w%zu", number);
    hzi_layout_matrix(layout, name, out, in, false);
    (void)snprintf(name, sizeof name, "b%zu", number);
    hzi_layout_vector(layout, name, out, in);
}

/* Both halves through the first layer, side by side. */
static void both_views(hzi_layout *layout, const char *board) {
    static const char *const halves[] = {"own_view", "other_view"}, *const seen[] = {"own",
                                                                                     "other"};
    const char *input[] = {board};
    if (layout->builder) {
        hz_builder_node(layout->builder, "", "Split", input, 1, halves, 2);
        hz_builder_int(layout->builder, "axis", 1);
    }
    dense(layout, "own_view", 1, "own", false);
    dense(layout, "other_view", 1, "other", false);
    hzi_layout_node(layout, "Concat", seen, 2, "h1");
    if (layout->builder) {
        hz_builder_int(layout->builder, "axis", 1);
    }
}

/* Names of the ends: a raw value is a score of a board, others are what packages expect. */
static const char *input_name(const hz_architecture *architecture) {
    return architecture->raw ? "board" : "input";
}

static const char *output_name(const hz_architecture *architecture) {
    return architecture->raw ? "score" : "output";
}

static void ports(hzi_layout *layout, const hz_architecture *architecture, size_t columns) {
    if (layout->builder) {
        int64_t rows[] = {HZ_DYNAMIC, (int64_t)columns}, values[] = {HZ_DYNAMIC, 1};
        hz_builder_input(layout->builder, input_name(architecture), HZ_ELEMENT_FLOAT, rows, 2);
        hz_builder_output(layout->builder, output_name(architecture), HZ_ELEMENT_FLOAT, values, 2);
    }
}

static size_t count_numbers(const size_t *widths, size_t count, size_t columns, bool dual) {
    size_t sum = 0, in = dual ? HALF : columns;
    for (size_t i = 0; i < count && sum <= NUMBERS_MOST; i++) {
        sum += (in + 1) * widths[i];
        in = widths[i] * (dual && i == 0 ? 2 : 1);
    }
    return sum + in + 1;
}

hz_status hzi_arch_dense(hzi_layout *layout, const hz_architecture *architecture, bool dual,
                         const char *widths_text, hz_error *err) {
    size_t widths[LAYERS_MOST], count, columns = dual ? (size_t)2 * HALF : architecture->columns;
    hz_status status = read_widths(widths_text, widths, &count, err);
    if (status != HZ_OK) {
        return status;
    }
    if (dual && count == 0) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "dual needs the width of its shared layer");
    }
    if (columns < 1 || columns > WIDTH_MOST) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "a row has 1 to %d columns, not %zu",
                       WIDTH_MOST, columns);
    }
    if (count_numbers(widths, count, columns, dual) > NUMBERS_MOST) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "more than %d numbers are not built",
                       NUMBERS_MOST);
    }
    ports(layout, architecture, columns);
    char at[HZI_ARCH_NAME], next[HZI_ARCH_NAME];
    (void)snprintf(at, sizeof at, "%s", input_name(architecture));
    size_t in = dual ? HALF : columns;
    for (size_t i = 0; i < count; i++) {
        numbers(layout, i + 1, widths[i], in);
        (void)snprintf(next, sizeof next, "h%zu", i + 1);
        if (dual && i == 0) {
            both_views(layout, at);
        } else {
            dense(layout, at, i + 1, next, false);
        }
        memcpy(at, next, sizeof at);
        in = widths[i] * (dual && i == 0 ? 2 : 1);
    }
    numbers(layout, count + 1, 1, in);
    dense(layout, at, count + 1, architecture->raw ? "score" : "logit", true);
    static const char *const logit[] = {"logit"};
    if (!architecture->raw) {
        hzi_layout_node(layout, "Sigmoid", logit, 1, "output");
    }
    return HZ_OK;
}
