/* SPDX-License-Identifier: MIT */
/*
 * Operators that move numbers (but Gather: test_gather.c), against their definitions element by element on random shapes and
 * element sizes; edges and refusals.
 */
#include "model/one_step.h"

#define LIST(...) (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / 8

/* ---- Concat and Split ---- */

static void concat_and_split_undo_each_other(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    static const int OPSETS[] = {7, 11, 13, 18};
    for (size_t round = test_effort(300); round > 0; round--) {
        one_source whole = one_any_source(&random, 1, 4);
        int axis = (int)one_draw(&random, 0, whole.shape.rank - 1);
        int64_t parts = one_draw(&random, 1, 4), sizes[4] = {0}, left = whole.shape.dim[axis];
        for (int64_t i = 0; i < parts; i++) {
            sizes[i] = i == parts - 1 ? left : one_draw(&random, 0, left);
            left -= sizes[i];
        }
        int opset = OPSETS[hz_random_draw(&random, 4)];
        one_step split, concat;
        one_begin(&split, "Split", opset);
        one_int(&split, "axis", hz_random_draw(&random, 2) ? axis : axis - whole.shape.rank);
        one_input(&split, whole.element, whole.shape, whole.data, false);
        if (opset < 13) {
            one_ints(&split, "split", sizes, (size_t)parts);
        } else {
            one_list(&split, sizes, (size_t)parts);
        }
        assert_int_equal(one_prepare(&split, (uint32_t)parts), HZ_OK);
        one_run(&split);
        one_begin(&concat, "Concat", opset);
        one_int(&concat, "axis", axis);
        int64_t begins = 0;
        for (uint32_t k = 0; k < parts; k++) {
            const hzi_tensor *part = &split.output[k];
            hzi_shape shape = whole.shape;
            shape.dim[axis] = sizes[k];
            one_same_shape(&split, k, shape);
            for (int64_t at = 0; at < part->count; at++) {
                int64_t index[HZ_RANK_MAX];
                one_indexes(&shape, at, index);
                index[axis] += begins;
                one_same_element(part->data, at, whole.data, one_place(&whole.shape, index),
                                 whole.size);
            }
            begins += sizes[k];
            one_input(&concat, whole.element, shape, part->data, false);
        }
        const void *again = one_result(&concat);
        one_same_shape(&concat, 0, whole.shape);
        assert_memory_equal(again, whole.data, (size_t)hzi_shape_count(&whole.shape) * whole.size);
        one_end(&split);
        one_end(&concat);
        free(whole.data);
    }
}

static void split_sizes(int opset, int64_t dim, uint32_t outputs, int64_t number,
                        const int64_t *expected) {
    one_step one;
    one_begin(&one, "Split", opset);
    if (number) {
        one_int(&one, "num_outputs", number);
    }
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(dim, 2), NULL, false);
    hz_status status = one_prepare(&one, outputs);
    if (!expected) {
        assert_int_equal(status, HZ_GRAPH);
    } else {
        assert_int_equal(status, HZ_OK);
        for (uint32_t i = 0; i < outputs; i++) {
            one_same_shape(&one, i, SHAPE(expected[i], 2));
        }
        one_run(&one);
    }
    one_end(&one);
}

static void split_without_sizes_makes_equal_parts(void **state) {
    (void)state;
    split_sizes(7, 6, 3, 0, (const int64_t[]){2, 2, 2});
    split_sizes(13, 6, 3, 0, (const int64_t[]){2, 2, 2});
    split_sizes(13, 7, 3, 0, NULL);
    split_sizes(13, 0, 3, 0, (const int64_t[]){0, 0, 0});
    split_sizes(18, 6, 3, 3, (const int64_t[]){2, 2, 2});
    split_sizes(18, 7, 3, 3, (const int64_t[]){3, 3, 1});
    split_sizes(18, 4, 3, 3, (const int64_t[]){2, 2, 0});
    split_sizes(18, 5, 4, 4, NULL); /* 2, 2, 2 and then less than nothing */
    split_sizes(18, 6, 3, 2, NULL);
    split_sizes(18, 6, 3, 0, NULL);
    split_sizes(13, 6, 3, 3, NULL); /* the attribute is of opset 18 */
}

static void split_leaves_out_what_is_not_wanted(void **state) {
    (void)state;
    one_step one;
    static const int16_t NUMBERS[] = {1, 2, 3, 4};
    one_begin(&one, "Split", 13);
    one_input(&one, HZ_ELEMENT_INT16, SHAPE(4), NUMBERS, false);
    assert_int_equal(one_prepare(&one, 4), HZ_OK);
    one.outputs[0] = one.outputs[2] = NULL;
    one_run(&one);
    assert_memory_equal(one.output[1].data, &NUMBERS[1], 2);
    assert_memory_equal(one.output[3].data, &NUMBERS[3], 2);
    one_end(&one);
}

static void concat_and_split_refuse_parts_that_do_not_fit(void **state) {
    (void)state;
    one_step one;
    one_begin(&one, "Concat", 13);
    one_int(&one, "axis", 1);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3), NULL, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3, 3), NULL, false);
    one_refused(&one,
                "input 1 'in' FLOAT [3,3] does not continue input 0 FLOAT [2,3] along axis 1");
    one_begin(&one, "Concat", 13);
    one_int(&one, "axis", 0);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_input(&one, HZ_ELEMENT_DOUBLE, SHAPE(2), NULL, false);
    one_refused(&one, "input 1 'in' DOUBLE [2] does not continue input 0 FLOAT [2] along axis 0");
    one_begin(&one, "Concat", 13);
    one_int(&one, "axis", 1);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 2), NULL, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_refused(&one, "input 1 'in' FLOAT [2] does not continue input 0 FLOAT [2,2] along axis 1");
    one_begin(&one, "Concat", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_refused(&one, "attribute 'axis' is missing");
    one_begin(&one, "Concat", 13);
    one_int(&one, "axis", 0);
    one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, NULL, false);
    one_refused(&one, "attribute 'axis' 0 is outside rank 0");
    one_begin(&one, "Split", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_list(&one, LIST(3));
    one_refused(&one, "the 1 listed parts do not split axis 0 of size 2 into 1 outputs");
    one_begin(&one, "Split", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_list(&one, LIST(1, 1));
    one_refused(&one, "the 2 listed parts do not split axis 0 of size 2 into 1 outputs");
    one_begin(&one, "Split", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_list(&one, LIST(3, -1));
    assert_int_equal(one_prepare(&one, 2), HZ_GRAPH);
    one_end(&one);
    one_begin(&one, "Split", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_list(&one, LIST(INT64_MAX, INT64_MAX, 4));
    assert_int_equal(one_prepare(&one, 3), HZ_GRAPH);
    one_end(&one);
}

/* ---- Slice ---- */

/* What Python's slice takes: the indexes from start to end by step. */
static int64_t sliced(int64_t dim, int64_t start, int64_t end, int64_t step, int64_t *indexes) {
    int64_t count = 0;
    start = start < 0 ? start + dim : start;
    end = end < 0 ? end + dim : end;
    if (step > 0) {
        for (int64_t i = 0; i < dim; i++) {
            if (i >= start && i < end && (i - (start < 0 ? 0 : start)) % step == 0) {
                indexes[count++] = i;
            }
        }
        return count;
    }
    start = start >= dim ? dim - 1 : start;
    for (int64_t i = dim - 1; i >= 0; i--) {
        if (i <= start && i > end && (start - i) % step == 0) {
            indexes[count++] = i;
        }
    }
    return count;
}

static int64_t random_bound(hz_random *random) {
    static const int64_t FAR[] = {INT64_MIN, INT64_MAX, INT64_MIN + 1, INT32_MAX, INT32_MIN};
    return hz_random_draw(random, 5) ? one_draw(random, -7, 7) : FAR[hz_random_draw(random, 5)];
}

static void slice_takes_what_start_end_and_step_say(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    static const int64_t STEPS[] = {1, 1, 2, 3, -1, -1, -2, INT64_MAX, INT64_MIN};
    for (size_t round = test_effort(600); round > 0; round--) {
        one_source from = one_any_source(&random, 1, 4);
        int opset = (const int[]){7, 10, 13}[hz_random_draw(&random, 3)];
        int64_t starts[HZ_RANK_MAX], ends[HZ_RANK_MAX], axes[HZ_RANK_MAX], steps[HZ_RANK_MAX];
        int64_t taken[HZ_RANK_MAX][4] = {{0}};
        hzi_shape shape = from.shape;
        for (int i = 0; i < shape.rank; i++) {
            for (int64_t k = 0; k < shape.dim[i]; k++) {
                taken[i][k] = k;
            }
        }
        size_t count = 0;
        bool all = hz_random_draw(&random, 3) == 0;
        for (int axis = shape.rank - 1; axis >= 0; axis--) {
            if (!all && hz_random_draw(&random, 2)) {
                continue;
            }
            int to = all ? axis : (int)count;
            starts[to] = random_bound(&random);
            ends[to] = random_bound(&random);
            axes[to] = hz_random_draw(&random, 2) ? axis : axis - shape.rank;
            steps[to] = opset < 10 ? 1 : STEPS[hz_random_draw(&random, 9)];
            shape.dim[axis] =
                sliced(from.shape.dim[axis], starts[to], ends[to], steps[to], taken[axis]);
            count++;
        }
        one_step one;
        one_begin(&one, "Slice", opset);
        one_input(&one, from.element, from.shape, from.data, false);
        if (opset < 10) {
            one_ints(&one, "starts", starts, count);
            one_ints(&one, "ends", ends, count);
            if (!all) {
                one_ints(&one, "axes", axes, count);
            }
        } else {
            one_list(&one, starts, count);
            one_list(&one, ends, count);
            if (all) {
                one_hole(&one);
            } else {
                one_list(&one, axes, count);
            }
            one_list(&one, steps, count);
        }
        const void *result = one_result(&one);
        one_same_shape(&one, 0, shape);
        for (int64_t at = 0; at < one.output[0].count; at++) {
            int64_t index[HZ_RANK_MAX];
            one_indexes(&shape, at, index);
            for (int i = 0; i < shape.rank; i++) {
                index[i] = taken[i][index[i]];
            }
            one_same_element(result, at, from.data, one_place(&from.shape, index), from.size);
        }
        free(from.data);
        one_end(&one);
    }
}

static void slice_refuses_step_zero_and_lists_that_differ(void **state) {
    (void)state;
    one_step one;
    one_begin(&one, "Slice", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(4), NULL, false);
    one_list(&one, LIST(0));
    one_list(&one, LIST(4));
    one_list(&one, LIST(0));
    one_list(&one, LIST(0));
    one_refused(&one, "the step of axis 0 is 0");
    one_begin(&one, "Slice", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(4), NULL, false);
    one_list(&one, LIST(0));
    one_list(&one, LIST(4, 4));
    one_refused(&one, "the starts, ends, axes and steps must be lists of one length");
    one_begin(&one, "Slice", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(4), NULL, false);
    one_list(&one, LIST(0, 0));
    one_list(&one, LIST(4, 4));
    one_refused(&one, "2 starts for rank 1");
    one_begin(&one, "Slice", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(4, 4), NULL, false);
    one_list(&one, LIST(0, 0));
    one_list(&one, LIST(4, 4));
    one_list(&one, LIST(1, -1));
    one_refused(&one, "axis -1 is listed twice");
    one_begin(&one, "Slice", 7);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(4), NULL, false);
    one_refused(&one, "the starts, ends and axes must be lists of one length");
    one_begin(&one, "Slice", 10);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(4), NULL, false);
    one_input(&one, HZ_ELEMENT_INT64, SHAPE(1), NULL, false);
    one_list(&one, LIST(4));
    one_refused(&one, "the starts 'in' must be known before the graph runs");
}

/* ---- Pad ---- */

static const char *const MODES[] = {"constant", "reflect", "edge", "wrap"};

/* Where element `at` of a padded axis comes from, by walking there; -1 = the constant. */
static int64_t pad_source(int mode, int64_t at, int64_t dim) {
    if (mode == 0) {
        return at >= 0 && at < dim ? at : -1;
    }
    while (at < 0 || at >= dim) {
        if (mode == 1) {
            at = dim == 1 ? 0 : at < 0 ? -at : 2 * (dim - 1) - at;
        } else if (mode == 2) {
            at = at < 0 ? 0 : dim - 1;
        } else {
            at += at < 0 ? dim : -dim;
        }
    }
    return at;
}

static void pad_fills_by_its_mode(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = test_effort(600); round > 0; round--) {
        one_source from = one_any_source(&random, 0, 4);
        int rank = from.shape.rank, opset = (const int[]){11, 18, 19}[hz_random_draw(&random, 3)];
        int mode = (int)hz_random_draw(&random, opset < 19 ? 3 : 4);
        bool moves = hz_random_draw(&random, 2); /* one end gets what the other loses */
        int64_t before[HZ_RANK_MAX] = {0}, after[HZ_RANK_MAX] = {0};
        hzi_shape kept = from.shape, shape = from.shape;
        for (int i = 0; i < rank; i++) {
            int64_t dim = from.shape.dim[i];
            if (hz_random_draw(&random, 3) > 0) {
                before[i] = one_draw(&random, -1, 6);
                after[i] = moves ? -before[i] : one_draw(&random, -1, 6);
            }
            kept.dim[i] = dim + (before[i] < 0 ? before[i] : 0) + (after[i] < 0 ? after[i] : 0);
            if (kept.dim[i] < (mode ? 1 : 0)) {
                before[i] = after[i] = 0;
                kept.dim[i] = dim;
            }
            shape.dim[i] = dim + before[i] + after[i];
        }
        char constant[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        if (hz_random_draw(&random, 2)) {
            memset(constant, 0, sizeof constant);
        }
        one_step one;
        one_begin(&one, "Pad", opset);
        one_string(&one, "mode", MODES[mode]);
        one_input(&one, from.element, from.shape, from.data, false);
        int64_t pads[2 * HZ_RANK_MAX], axes[HZ_RANK_MAX];
        for (int i = 0; i < rank; i++) { /* listed from the last axis when there are axes */
            int axis = opset < 18 ? i : rank - 1 - i;
            axes[i] = axis - (hz_random_draw(&random, 2) ? rank : 0);
            pads[i] = before[axis];
            pads[rank + i] = after[axis];
        }
        one_list(&one, pads, 2 * (size_t)rank);
        one_input(&one, from.element, SCALAR, constant, hz_random_draw(&random, 2));
        if (opset >= 18) {
            one_list(&one, axes, (size_t)rank);
        }
        const void *result = one_result(&one);
        one_same_shape(&one, 0, shape);
        for (int64_t at = 0; at < one.output[0].count; at++) {
            int64_t index[HZ_RANK_MAX];
            bool inside = true;
            one_indexes(&shape, at, index);
            for (int i = 0; i < rank; i++) {
                int64_t place =
                    pad_source(mode, index[i] - (before[i] > 0 ? before[i] : 0), kept.dim[i]);
                inside = inside && place >= 0;
                index[i] = place - (before[i] < 0 ? before[i] : 0);
            }
            if (inside) {
                one_same_element(result, at, from.data, one_place(&from.shape, index), from.size);
            } else {
                one_same_element(result, at, constant, 0, from.size);
            }
        }
        free(from.data);
        one_end(&one);
    }
}

static void pad_of_early_opsets_has_its_pads_as_attributes(void **state) {
    (void)state;
    one_step one;
    static const float NUMBERS[] = {1, 2}, PADDED[] = {7, 1, 2, 7, 7};
    one_begin(&one, "Pad", 10);
    one_ints(&one, "pads", LIST(1, 2));
    one_float(&one, "value", 7);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NUMBERS, false);
    assert_memory_equal(one_result(&one), PADDED, sizeof PADDED);
    one_end(&one);
    static const double WIDE[] = {1, 2}, WIDE_PADDED[] = {7, 1, 2};
    one_begin(&one, "Pad", 7);
    one_ints(&one, "pads", LIST(1, 0));
    one_float(&one, "value", 7);
    one_input(&one, HZ_ELEMENT_DOUBLE, SHAPE(2), WIDE, false);
    assert_memory_equal(one_result(&one), WIDE_PADDED, sizeof WIDE_PADDED);
    one_end(&one);
    one_begin(&one, "Pad", 10);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NUMBERS, false);
    one_refused(&one, "0 pads for 1 axes");
}

static void pad_refused(int opset, const char *mode, int64_t dim, int64_t before, int64_t after,
                        const char *words) {
    one_step one;
    one_begin(&one, "Pad", opset);
    one_string(&one, "mode", mode);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(dim), NULL, false);
    one_list(&one, LIST(before, after));
    one_refused(&one, words);
}

static void pad_refuses_impossible_pads_and_modes(void **state) {
    (void)state;
    pad_refused(13, "constant", 2, -3, 4, "axis 0 of size 2 cannot be padded by -3 and 4");
    pad_refused(13, "constant", 2, -1, -2, "axis 0 of size 2 cannot be padded by -1 and -2");
    pad_refused(13, "constant", 2, INT64_MAX, 1,
                "axis 0 of size 2 cannot be padded by 9223372036854775807 and 1");
    pad_refused(13, "constant", 2, INT64_MIN, INT64_MAX,
                "cannot be padded by -9223372036854775808 and 9223372036854775807");
    pad_refused(13, "constant", 2, INT64_MAX - 2, 0,
                "is beyond the memory limit of 67108864 bytes");
    pad_refused(13, "edge", 0, 1, 0, "axis 0 is empty; only a constant can pad it");
    pad_refused(13, "reflect", 1, -1, 1, "axis 0 is empty; only a constant can pad it");
    pad_refused(18, "wrap", 2, 1, 1, "attribute 'mode' is 'wrap'");
    pad_refused(19, "", 2, 1, 1, "attribute 'mode' is ''");
    one_step one;
    one_begin(&one, "Pad", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_list(&one, LIST(1));
    one_refused(&one, "1 pads for 1 axes");
    one_begin(&one, "Pad", 18);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 2), NULL, false);
    one_list(&one, LIST(1, 1, 1, 1));
    one_hole(&one);
    one_list(&one, LIST(1));
    one_refused(&one, "4 pads for 1 axes");
    one_begin(&one, "Pad", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_list(&one, LIST(1, 1));
    one_input(&one, HZ_ELEMENT_DOUBLE, SCALAR, NULL, false);
    one_refused(&one, "the constant 'in' must be one number of type FLOAT");
}

/* ---- Transpose, Tile, blocks ---- */

static void transpose_permutes_axes(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = test_effort(400); round > 0; round--) {
        one_source from = one_any_source(&random, 0, 6);
        int rank = from.shape.rank;
        int64_t perm[HZ_RANK_MAX];
        bool plain = hz_random_draw(&random, 4) == 0;
        for (int i = 0; i < rank; i++) {
            perm[i] = plain ? rank - 1 - i : i;
        }
        for (int i = rank - 1; i > 0 && !plain; i--) {
            int with = (int)one_draw(&random, 0, i);
            int64_t kept = perm[i];
            perm[i] = perm[with];
            perm[with] = kept;
        }
        hzi_shape shape = {.rank = rank};
        for (int i = 0; i < rank; i++) {
            shape.dim[i] = from.shape.dim[perm[i]];
        }
        one_step one;
        one_begin(&one, "Transpose", 13);
        if (!plain) {
            one_ints(&one, "perm", perm, (size_t)rank);
        }
        one_input(&one, from.element, from.shape, from.data, false);
        const void *result = one_result(&one);
        one_same_shape(&one, 0, shape);
        for (int64_t at = 0; at < one.output[0].count; at++) {
            int64_t index[HZ_RANK_MAX], place[HZ_RANK_MAX];
            one_indexes(&shape, at, index);
            for (int i = 0; i < rank; i++) {
                place[perm[i]] = index[i];
            }
            one_same_element(result, at, from.data, one_place(&from.shape, place), from.size);
        }
        free(from.data);
        one_end(&one);
    }
}

static void transpose_refuses_what_is_no_permutation(void **state) {
    (void)state;
    static const int64_t WRONG[][2] = {{0, 0}, {0, 2}, {-1, 0}, {INT64_MIN, INT64_MAX}};
    one_step one;
    for (size_t i = 0; i < 4; i++) {
        one_begin(&one, "Transpose", 13);
        one_ints(&one, "perm", WRONG[i], 2);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 2), NULL, false);
        one_refused(&one, "attribute 'perm' is no order of 2 axes");
    }
    one_begin(&one, "Transpose", 13);
    one_ints(&one, "perm", LIST(0));
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 2), NULL, false);
    one_refused(&one, "attribute 'perm' is no order of 2 axes");
}

static void tile_repeats_every_axis(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = test_effort(300); round > 0; round--) {
        one_source from = one_any_source(&random, 0, 4);
        hzi_shape shape = from.shape;
        int64_t repeats[HZ_RANK_MAX];
        for (int i = 0; i < shape.rank; i++) {
            repeats[i] = hz_random_draw(&random, 20) ? one_draw(&random, 1, 3) : 0;
            shape.dim[i] *= repeats[i];
        }
        one_step one;
        one_begin(&one, "Tile", 13);
        one_input(&one, from.element, from.shape, from.data, false);
        one_list(&one, repeats, (size_t)shape.rank);
        const void *result = one_result(&one);
        one_same_shape(&one, 0, shape);
        for (int64_t at = 0; at < one.output[0].count; at++) {
            int64_t index[HZ_RANK_MAX];
            one_indexes(&shape, at, index);
            for (int i = 0; i < shape.rank; i++) {
                index[i] %= from.shape.dim[i];
            }
            one_same_element(result, at, from.data, one_place(&from.shape, index), from.size);
        }
        free(from.data);
        one_end(&one);
    }
}

static void tile_refuses_repeats_that_do_not_fit(void **state) {
    (void)state;
    one_step one;
    static const int64_t WRONG[] = {-1, INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < 3; i++) {
        one_begin(&one, "Tile", 13);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
        one_list(&one, &WRONG[i], 1);
        one_refused(&one, "1 repeats do not fit rank 1, or one is out of range");
    }
    one_begin(&one, "Tile", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_list(&one, LIST(1, 1));
    one_refused(&one, "2 repeats do not fit rank 1, or one is out of range");
    one_begin(&one, "Tile", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_list(&one, LIST(1LL << 40));
    one_refused(&one, "is beyond the memory limit of 67108864 bytes");
}

static void depth_and_space_undo_each_other(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = test_effort(100); round > 0; round--) {
        int64_t b = one_draw(&random, 1, 3), n = one_draw(&random, 1, 2);
        int64_t c = one_draw(&random, 1, 3), h = one_draw(&random, 1, 3),
                w = one_draw(&random, 0, 3);
        bool columns = hz_random_draw(&random, 2);
        one_source from = one_random_source(&random, ONE_SIZES[hz_random_draw(&random, 4)],
                                            SHAPE(n, c * b * b, h, w));
        hzi_shape shape = SHAPE(n, c, h * b, w * b);
        one_step one, back;
        one_begin(&one, "DepthToSpace", 11);
        one_int(&one, "blocksize", b);
        if (columns) {
            one_string(&one, "mode", "CRD");
        }
        one_input(&one, from.element, from.shape, from.data, false);
        const void *result = one_result(&one);
        one_same_shape(&one, 0, shape);
        for (int64_t at = 0; at < one.output[0].count; at++) {
            int64_t index[HZ_RANK_MAX];
            one_indexes(&shape, at, index);
            int64_t inner = index[2] % b * b + index[3] % b;
            int64_t channel = columns ? index[1] * b * b + inner : inner * c + index[1];
            int64_t place[] = {index[0], channel, index[2] / b, index[3] / b};
            one_same_element(result, at, from.data, one_place(&from.shape, place), from.size);
        }
        if (!columns) {
            one_begin(&back, "SpaceToDepth", 13);
            one_int(&back, "blocksize", b);
            one_input(&back, from.element, shape, result, false);
            assert_memory_equal(one_result(&back), from.data,
                                (size_t)one.output[0].count * from.size);
            one_same_shape(&back, 0, from.shape);
            one_end(&back);
        }
        free(from.data);
        one_end(&one);
    }
    one_step one;
    one_begin(&one, "DepthToSpace", 11);
    one_int(&one, "blocksize", 2);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 6, 1, 1), NULL, false);
    one_refused(&one, "6 channels do not make blocks of 2 by 2");
    one_begin(&one, "SpaceToDepth", 11);
    one_int(&one, "blocksize", 2);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 6, 3, 2), NULL, false);
    one_refused(&one, "an image of 3 by 2 does not make blocks of 2");
    one_begin(&one, "SpaceToDepth", 11);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 6, 3, 2), NULL, false);
    one_refused(&one, "attribute 'blocksize' is 0");
    one_begin(&one, "DepthToSpace", 11);
    one_int(&one, "blocksize", INT64_MAX);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 6, 3, 2), NULL, false);
    one_refused(&one, "attribute 'blocksize' is 9223372036854775807");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(concat_and_split_undo_each_other),
        cmocka_unit_test(split_without_sizes_makes_equal_parts),
        cmocka_unit_test(split_leaves_out_what_is_not_wanted),
        cmocka_unit_test(concat_and_split_refuse_parts_that_do_not_fit),
        cmocka_unit_test(slice_takes_what_start_end_and_step_say),
        cmocka_unit_test(slice_refuses_step_zero_and_lists_that_differ),
        cmocka_unit_test(pad_fills_by_its_mode),
        cmocka_unit_test(pad_of_early_opsets_has_its_pads_as_attributes),
        cmocka_unit_test(pad_refuses_impossible_pads_and_modes),
        cmocka_unit_test(transpose_permutes_axes),
        cmocka_unit_test(transpose_refuses_what_is_no_permutation),
        cmocka_unit_test(tile_repeats_every_axis),
        cmocka_unit_test(tile_refuses_repeats_that_do_not_fit),
        cmocka_unit_test(depth_and_space_undo_each_other),
    };
    return cmocka_run_group_tests_name("model/movement", tests, NULL, NULL);
}
