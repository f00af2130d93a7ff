/* SPDX-License-Identifier: MIT */
/*
 * "xattn8-4-v1": a small transformer over the 64 squares of a chess board and a summary token, in
 * which what is known besides the placement (side, rights, en passant) asks the questions.
 *
 * Token 0 is the summary, zeros at first; token s + 1 holds the seven values of a square in FEN
 * order and (s + 1) / 64. In each of four blocks one query, made of the flags, attends over all 65
 * tokens; the answer is added to every token, then norm, feed-forward, norm. The head reads the
 * summary. Two shortcuts give the same numbers with less work: the query is shared, so attention is
 * one row; and of the last block only the summary is needed.
 */
#include "model/architecture.h"

#include <math.h>
#include <stdio.h>

enum { D = 8, TOKENS = 65, FLAGS = 13, WIDE = 32, BLOCKS = 4 };

/* A name with the block's number in front: "2.key". */
typedef struct label {
    char text[HZI_ARCH_NAME];
} label;

static label at(int block, const char *what) {
    label made;
    (void)snprintf(made.text, sizeof made.text, "%d.%s", block, what);
    return made;
}

static void op1(hzi_layout *l, const char *type, const char *a, const char *to) {
    const char *inputs[] = {a};
    hzi_layout_node(l, type, inputs, 1, to);
}

static void op2(hzi_layout *l, const char *type, const char *a, const char *b, const char *to) {
    const char *inputs[] = {a, b};
    hzi_layout_node(l, type, inputs, 2, to);
}

static void ints(hzi_layout *l, const char *name, int64_t *values, size_t n) {
    if (l->builder) {
        hz_tensor tensor = {
            .element = HZ_ELEMENT_INT64, .rank = 1, .shape = {(int64_t)n}, .data = values};
        hz_builder_initializer(l->builder, name, &tensor);
    }
}

static void number(hzi_layout *l, const char *name, float value) {
    if (l->builder) {
        hz_tensor tensor = {.element = HZ_ELEMENT_FLOAT, .rank = 0, .data = &value};
        hz_builder_initializer(l->builder, name, &tensor);
    }
}

static void attribute(hzi_layout *l, const char *name, int64_t value) {
    if (l->builder) {
        hz_builder_int(l->builder, name, value);
    }
}

/* Numbers of a dense layer for MatMul and Add, or (rows) for Gemm. */
static void layer(hzi_layout *l, int block, const char *name, size_t out, size_t in, bool rows) {
    hzi_layout_matrix(l, at(block, name).text, out, in, !rows);
    char bias[HZI_ARCH_NAME];
    (void)snprintf(bias, sizeof bias, "%d.%s.bias", block, name);
    hzi_layout_vector(l, bias, out, in);
}

static void block_numbers(hzi_layout *l, int block) {
    layer(l, block, "query", D, FLAGS, true);
    layer(l, block, "key", D, D, false);
    layer(l, block, "value", D, D, false);
    layer(l, block, "out", D, D, false);
    hzi_layout_gain(l, at(block, "norm1.gain").text, D);
    hzi_layout_vector(l, at(block, "norm1.bias").text, D, D);
    hzi_layout_gain(l, at(block, "norm2.gain").text, D);
    hzi_layout_vector(l, at(block, "norm2.bias").text, D, D);
    layer(l, block, "wide", WIDE, D, false);
    layer(l, block, "narrow", D, WIDE, false);
}

static void dense(hzi_layout *l, int block, const char *name, const char *x, const char *to) {
    char bias[HZI_ARCH_NAME], product[HZI_ARCH_NAME];
    (void)snprintf(bias, sizeof bias, "%d.%s.bias", block, name);
    (void)snprintf(product, sizeof product, "%d.%s.product", block, name);
    op2(l, "MatMul", x, at(block, name).text, product);
    op2(l, "Add", product, bias, to);
}

static void gemm(hzi_layout *l, int block, const char *name, const char *x, const char *to) {
    char bias[HZI_ARCH_NAME];
    (void)snprintf(bias, sizeof bias, "%d.%s.bias", block, name);
    label weights = at(block, name);
    const char *inputs[] = {x, weights.text, bias};
    hzi_layout_node(l, "Gemm", inputs, 3, to);
    attribute(l, "transB", 1);
}

static void mean(hzi_layout *l, const char *x, const char *to) {
    static const int64_t last = -1;
    op1(l, "ReduceMean", x, to);
    attribute(l, "keepdims", 1);
    if (l->builder) {
        hz_builder_ints(l->builder, "axes", &last, 1);
    }
}

/* LayerNorm spelled out. */
static void norm(hzi_layout *l, int block, const char *name, const char *x, const char *to) {
    char part[7][HZI_ARCH_NAME];
    static const char *const names[7] = {"mean", "off",  "square", "variance",
                                         "safe", "root", "unit"};
    for (int i = 0; i < 7; i++) {
        (void)snprintf(part[i], sizeof part[i], "%d.%s.%s", block, name, names[i]);
    }
    char gain[HZI_ARCH_NAME], bias[HZI_ARCH_NAME], scaled[HZI_ARCH_NAME];
    (void)snprintf(gain, sizeof gain, "%d.%s.gain", block, name);
    (void)snprintf(bias, sizeof bias, "%d.%s.bias", block, name);
    (void)snprintf(scaled, sizeof scaled, "%d.%s.scaled", block, name);
    mean(l, x, part[0]);
    op2(l, "Sub", x, part[0], part[1]);
    op2(l, "Mul", part[1], part[1], part[2]);
    mean(l, part[2], part[3]);
    op2(l, "Add", part[3], "epsilon", part[4]);
    op1(l, "Sqrt", part[4], part[5]);
    op2(l, "Div", part[1], part[5], part[6]);
    op2(l, "Mul", part[6], gain, scaled);
    op2(l, "Add", scaled, bias, to);
}

/* What the flags ask of all tokens x, to be added to each. */
static label attend(hzi_layout *l, int block, const char *x) {
    gemm(l, block, "query", "meta", at(block, "asked").text);
    op2(l, "Unsqueeze", at(block, "asked").text, "one", at(block, "question").text);
    dense(l, block, "key", x, at(block, "keys").text);
    dense(l, block, "value", x, at(block, "values").text);
    op1(l, "Transpose", at(block, "keys").text, at(block, "keys.turned").text);
    if (l->builder) {
        static const int64_t turn[] = {0, 2, 1};
        hz_builder_ints(l->builder, "perm", turn, 3);
    }
    op2(l, "MatMul", at(block, "question").text, at(block, "keys.turned").text,
        at(block, "match").text);
    op2(l, "Div", at(block, "match").text, "root_width", at(block, "logits").text);
    op1(l, "Softmax", at(block, "logits").text, at(block, "weights").text);
    attribute(l, "axis", -1);
    op2(l, "MatMul", at(block, "weights").text, at(block, "values").text, at(block, "heard").text);
    label answer = at(block, "answer");
    dense(l, block, "out", at(block, "heard").text, answer.text);
    return answer;
}

static label block_nodes(hzi_layout *l, int block, const char *x) {
    label answer = attend(l, block, x), kept = at(block, "summary"), out = at(block, "tokens");
    if (block == BLOCKS) {
        op2(l, "Gather", x, "first", kept.text); /* nobody reads the others any more */
        attribute(l, "axis", 1);
        x = kept.text;
    }
    op2(l, "Add", x, answer.text, at(block, "told").text);
    norm(l, block, "norm1", at(block, "told").text, at(block, "calm").text);
    dense(l, block, "wide", at(block, "calm").text, at(block, "wide.sum").text);
    op1(l, "Relu", at(block, "wide.sum").text, at(block, "wide.kept").text);
    dense(l, block, "narrow", at(block, "wide.kept").text, at(block, "thought").text);
    op2(l, "Add", at(block, "calm").text, at(block, "thought").text, at(block, "both").text);
    norm(l, block, "norm2", at(block, "both").text, out.text);
    return out;
}

/* Squares with their values and places, behind an empty summary: [batch,65,8]. */
static void tokens(hzi_layout *l) {
    float places[TOKENS * D] = {0};
    for (int token = 1; token < TOKENS; token++) {
        places[token * D + D - 1] = (float)token / 64.0f;
    }
    if (l->builder) {
        hz_tensor tensor = {
            .element = HZ_ELEMENT_FLOAT, .rank = 3, .shape = {1, TOKENS, D}, .data = places};
        hz_builder_initializer(l->builder, "places", &tensor);
    }
    int64_t shape[] = {0, 64, 7}, edges[] = {0, 1, 0, 0, 0, 1}, one[] = {1}, first[] = {0};
    ints(l, "squares_shape", shape, 3);
    ints(l, "edges", edges, 6);
    ints(l, "one", one, 1);
    ints(l, "first", first, 1);
    number(l, "epsilon", 1e-5f);
    number(l, "root_width", sqrtf((float)D));
    op1(l, "Transpose", "board", "board.turned");
    if (l->builder) {
        static const int64_t turn[] = {0, 2, 3, 1};
        hz_builder_ints(l->builder, "perm", turn, 4);
    }
    op2(l, "Reshape", "board.turned", "squares_shape", "squares");
    op2(l, "Pad", "squares", "edges", "padded");
    op2(l, "Add", "padded", "places", "0.tokens");
}

void hzi_arch_xattn(hzi_layout *layout) {
    hzi_layout *l = layout;
    if (l->builder) {
        int64_t board[] = {HZ_DYNAMIC, 7, 8, 8}, meta[] = {HZ_DYNAMIC, FLAGS};
        int64_t value[] = {HZ_DYNAMIC, 1};
        hz_builder_input(l->builder, "board", HZ_ELEMENT_FLOAT, board, 4);
        hz_builder_input(l->builder, "meta", HZ_ELEMENT_FLOAT, meta, 2);
        hz_builder_output(l->builder, "p_white", HZ_ELEMENT_FLOAT, value, 2);
    }
    tokens(l);
    label x = at(0, "tokens");
    for (int block = 1; block <= BLOCKS; block++) {
        block_numbers(l, block);
        x = block_nodes(l, block, x.text);
    }
    layer(l, BLOCKS + 1, "head", WIDE, D, true);
    layer(l, BLOCKS + 1, "last", 1, WIDE, true);
    op2(l, "Squeeze", x.text, "one", "summary");
    gemm(l, BLOCKS + 1, "head", "summary", "head.sum");
    op1(l, "Relu", "head.sum", "head.kept");
    gemm(l, BLOCKS + 1, "last", "head.kept", "logit");
    op1(l, "Sigmoid", "logit", "p_white");
}
