/* SPDX-License-Identifier: MIT */
/* Normalizing operators against their formulas in double, and rows that do not feel their batch. */
#include "model/windows.h"

static hzi_shape random_shape(hz_random *random, int least) {
    hzi_shape shape = {.rank = (int)one_draw(random, least, 4)};
    for (int i = 0; i < shape.rank; i++) {
        shape.dim[i] = one_draw(random, 1, 6);
    }
    return shape;
}

/* Mean and variance of the elements for which key(index) equals that of `like`. */
typedef bool (*same_group)(const int64_t *a, const int64_t *b, int rank, int64_t parameter);

static void moments(const float *x, const hzi_shape *shape, const int64_t *like, same_group same,
                    int64_t parameter, double *mean, double *variance) {
    double sum = 0, squares = 0, count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < hzi_shape_count(shape); i++) {
            int64_t index[HZ_RANK_MAX] = {0};
            one_indexes(shape, i, index);
            if (!same(index, like, shape->rank, parameter)) {
                continue;
            }
            double away = (double)x[i] - (pass ? sum / count : 0);
            squares += pass ? away * away : 0;
            sum += pass ? 0 : away;
            count += pass ? 0 : 1;
        }
    }
    *mean = sum / count;
    *variance = squares / count;
}

static bool same_outer(const int64_t *a, const int64_t *b, int rank, int64_t axis) {
    (void)rank;
    return memcmp(a, b, (size_t)axis * sizeof *a) == 0;
}

static bool same_channels(const int64_t *a, const int64_t *b, int rank, int64_t per_group) {
    (void)rank;
    return a[0] == b[0] && a[1] / per_group == b[1] / per_group;
}

/* parameter: a bit per normalized axis. */
static bool same_kept(const int64_t *a, const int64_t *b, int rank, int64_t over) {
    for (int i = 0; i < rank; i++) {
        if (!(over >> i & 1) && a[i] != b[i]) {
            return false;
        }
    }
    return true;
}

static void layers_follow_the_formula(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = 0; round < test_effort(200); round++) {
        hzi_shape shape = random_shape(&random, 1), row = {0};
        int64_t axis = one_draw(&random, 0, shape.rank - 1), width = 1, count = 1;
        row.rank = shape.rank - (int)axis;
        for (int i = 0; i < shape.rank; i++) {
            count *= shape.dim[i];
            if (i >= axis) {
                width *= shape.dim[i];
                row.dim[i - axis] = shape.dim[i];
            }
        }
        float *x = random_floats(&random, count, -3, 5);
        float *scale = random_floats(&random, width, -2, 2);
        float *bias = random_floats(&random, width, -2, 2);
        bool biased = hz_random_draw(&random, 2), single = hz_random_draw(&random, 4) == 0;
        one_step one;
        one_begin(&one, "LayerNormalization", 17);
        one_int(&one, "axis", hz_random_draw(&random, 2) ? axis : axis - shape.rank);
        one_float(&one, "epsilon", 1e-3F);
        one_input(&one, HZ_ELEMENT_FLOAT, shape, x, false);
        one_input(&one, HZ_ELEMENT_FLOAT, single ? SHAPE(1) : row, scale, true);
        if (biased) {
            one_input(&one, HZ_ELEMENT_FLOAT, row, bias, false);
        }
        assert_int_equal(one_prepare(&one, 3), HZ_OK);
        one_run(&one);
        one_same_shape(&one, 0, shape);
        const float *y = one.output[0].data, *means = one.output[1].data;
        const float *factors = one.output[2].data;
        assert_int_equal(one.output[1].count, count / width);
        for (int64_t i = 0; i < count; i++) {
            int64_t index[HZ_RANK_MAX] = {0};
            double mean, variance;
            one_indexes(&shape, i, index);
            moments(x, &shape, index, same_outer, axis, &mean, &variance);
            double factor = 1 / sqrt(variance + (double)1e-3F);
            double value = ((double)x[i] - mean) * factor * (double)scale[single ? 0 : i % width] +
                           (biased ? (double)bias[i % width] : 0);
            assert_near(y[i], value, 1e-5, "output");
            assert_near(means[i / width], mean, 1e-6, "mean");
            assert_near(factors[i / width], factor, 1e-6, "factor");
        }
        one_end(&one);
        free(x);
        free(scale);
        free(bias);
    }
}

static void fixed_statistics_are_used_as_given(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 1);
    static const int opsets[] = {7, 9, 14, 15};
    for (size_t round = 0; round < test_effort(200); round++) {
        hzi_shape shape = random_shape(&random, 1);
        int64_t channels = shape.rank > 1 ? shape.dim[1] : 1;
        float *values[5];
        bool known = hz_random_draw(&random, 2);
        one_step one;
        one_begin(&one, "BatchNormalization", opsets[hz_random_draw(&random, 4)]);
        one_float(&one, "epsilon", 0.01F);
        for (int i = 0; i < 5; i++) {
            hzi_shape given = i == 0 ? shape : SHAPE(channels);
            values[i] = random_floats(&random, hzi_shape_count(&given), i == 4 ? 0 : -2, 3);
            one_input(&one, HZ_ELEMENT_FLOAT, given, values[i], known && i > 0);
        }
        const float *y = one_result(&one);
        one_same_shape(&one, 0, shape);
        for (int64_t i = 0; i < hzi_shape_count(&shape); i++) {
            int64_t index[HZ_RANK_MAX] = {0};
            one_indexes(&shape, i, index);
            int64_t c = shape.rank > 1 ? index[1] : 0;
            double value = ((double)values[0][i] - (double)values[3][c]) /
                               sqrt((double)values[4][c] + (double)0.01F) * (double)values[1][c] +
                           (double)values[2][c];
            assert_near(y[i], value, 1e-5, "output");
        }
        one_end(&one);
        for (int i = 0; i < 5; i++) {
            free(values[i]);
        }
    }
}

static void instances_and_groups_follow_the_formula(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 2);
    for (size_t round = 0; round < test_effort(200); round++) {
        hzi_shape shape = random_shape(&random, 3);
        int kind = (int)hz_random_draw(&random, 3); /* instance, group 18, group 21 */
        int64_t groups = kind ? one_draw(&random, 1, 3) : shape.dim[1];
        shape.dim[1] *= kind ? groups : 1;
        int64_t per_group = shape.dim[1] / groups, wanted = kind == 1 ? groups : shape.dim[1];
        float *x = random_floats(&random, hzi_shape_count(&shape), -3, 5);
        float *scale = random_floats(&random, wanted, -2, 2);
        float *bias = random_floats(&random, wanted, -2, 2);
        one_step one;
        one_begin(&one, kind ? "GroupNormalization" : "InstanceNormalization", kind == 2 ? 21 : 18);
        one_float(&one, "epsilon", 1e-3F);
        if (kind) {
            one_int(&one, "num_groups", groups);
        }
        one_input(&one, HZ_ELEMENT_FLOAT, shape, x, false);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(wanted), scale, true);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(wanted), bias, true);
        const float *y = one_result(&one);
        for (int64_t i = 0; i < hzi_shape_count(&shape); i++) {
            int64_t index[HZ_RANK_MAX] = {0};
            double mean, variance;
            one_indexes(&shape, i, index);
            moments(x, &shape, index, same_channels, per_group, &mean, &variance);
            int64_t at = kind == 1 ? index[1] / per_group : index[1];
            double value =
                ((double)x[i] - mean) / sqrt(variance + (double)1e-3F) * (double)scale[at] +
                (double)bias[at];
            assert_near(y[i], value, 1e-5, "output");
        }
        one_end(&one);
        free(x);
        free(scale);
        free(bias);
    }
}

static void any_axes_can_be_normalized(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 3);
    for (size_t round = 0; round < test_effort(100); round++) {
        hzi_shape shape = random_shape(&random, 1);
        int64_t axes[4], over = one_draw(&random, 0, (1 << shape.rank) - 1);
        size_t count = 0;
        for (int i = 0; i < shape.rank; i++) {
            if (over >> i & 1) {
                axes[count++] = hz_random_draw(&random, 2) ? i : i - shape.rank;
            }
        }
        float *x = random_floats(&random, hzi_shape_count(&shape), -3, 5);
        one_step one;
        one_begin(&one, "MeanVarianceNormalization", 13);
        one_ints(&one, "axes", axes, count);
        one_input(&one, HZ_ELEMENT_FLOAT, shape, x, false);
        const float *y = one_result(&one);
        for (int64_t i = 0; i < hzi_shape_count(&shape); i++) {
            int64_t index[HZ_RANK_MAX] = {0};
            double mean, variance;
            one_indexes(&shape, i, index);
            moments(x, &shape, index, same_kept, over, &mean, &variance);
            /* One number has no variance: whatever rounding leaves is divided by 1e-9. */
            double value = ((double)x[i] - mean) / (sqrt(variance) + 1e-9);
            assert_near(y[i], value, variance < 1e-6 ? 1e-3 : 1e-5, "output");
        }
        one_end(&one);
        free(x);
    }
}

static void responses_of_neighbouring_channels(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 4);
    for (size_t round = 0; round < test_effort(100); round++) {
        hzi_shape shape = random_shape(&random, 2);
        int64_t size = one_draw(&random, 1, 8);
        float *x = random_floats(&random, hzi_shape_count(&shape), -3, 3);
        one_step one;
        one_begin(&one, "LRN", 13);
        one_int(&one, "size", size);
        one_float(&one, "alpha", 0.5F);
        one_float(&one, "beta", 0.6F);
        one_float(&one, "bias", 2);
        one_input(&one, HZ_ELEMENT_FLOAT, shape, x, false);
        const float *y = one_result(&one);
        for (int64_t i = 0; i < hzi_shape_count(&shape); i++) {
            int64_t index[HZ_RANK_MAX] = {0};
            one_indexes(&shape, i, index);
            int64_t channel = index[1];
            double sum = 0;
            for (int64_t c = 0; c < shape.dim[1]; c++) {
                if (c >= channel - (size - 1) / 2 && c <= channel + size / 2) {
                    index[1] = c;
                    sum += pow((double)x[one_place(&shape, index)], 2);
                }
            }
            double value = (double)x[i] / pow(2 + 0.5 / (double)size * sum, (double)0.6F);
            assert_near(y[i], value, 1e-5, "output");
        }
        one_end(&one);
        free(x);
    }
}

static void a_row_gives_the_same_bits_alone_and_in_a_batch(void **state) {
    (void)state;
    enum { ROWS = 5, WIDTH = 37 };
    hz_random random = hz_random_from_seed(test_seed() + 5);
    float *x = random_floats(&random, ROWS * WIDTH, -3, 5);
    float *scale = random_floats(&random, WIDTH, -2, 2),
          *bias = random_floats(&random, WIDTH, -2, 2);
    for (int batch = 0; batch < 2; batch++) {
        one_step all;
        const char *operation = batch ? "BatchNormalization" : "LayerNormalization";
        float *alone[ROWS];
        for (int row = 0; row <= ROWS; row++) { /* the last one is all of them */
            one_begin(&all, operation, 17);
            one_input(&all, HZ_ELEMENT_FLOAT, SHAPE(row < ROWS ? 1 : ROWS, WIDTH),
                      row < ROWS ? x + row * WIDTH : x, false);
            one_input(&all, HZ_ELEMENT_FLOAT, SHAPE(WIDTH), scale, true);
            one_input(&all, HZ_ELEMENT_FLOAT, SHAPE(WIDTH), bias, true);
            if (batch) {
                one_input(&all, HZ_ELEMENT_FLOAT, SHAPE(WIDTH), x, true);
                for (int i = 0; i < WIDTH; i++) {
                    scale[i] = fabsf(scale[i]);
                }
                one_input(&all, HZ_ELEMENT_FLOAT, SHAPE(WIDTH), scale, true);
            }
            const float *y = one_result(&all);
            if (row < ROWS) {
                alone[row] = malloc(WIDTH * sizeof(float));
                assert_non_null(alone[row]);
                memcpy(alone[row], y, WIDTH * sizeof(float));
            } else {
                for (int i = 0; i < ROWS; i++) {
                    assert_memory_equal(y + i * WIDTH, alone[i], WIDTH * sizeof(float));
                    free(alone[i]);
                }
            }
            one_end(&all);
        }
    }
    free(x);
    free(scale);
    free(bias);
}

static void begin_batch(one_step *one, int opset, int64_t given) {
    one_begin(one, "BatchNormalization", opset);
    one_input(one, HZ_ELEMENT_FLOAT, SHAPE(2, 3, 2), NULL, false);
    for (int i = 1; i < 5; i++) {
        one_input(one, HZ_ELEMENT_FLOAT, SHAPE(i == 3 ? given : 3), NULL, false);
    }
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    static const int64_t twice[] = {0, -2};
    one_step one;
    begin_batch(&one, 14, 3);
    one_int(&one, "training_mode", 1);
    one_refused(&one, "training_mode 1 would make rows depend on each other; only 0 is served");
    begin_batch(&one, 14, 4);
    one_refused(&one, "mean has shape [4] instead of [3]");
    begin_batch(&one, 7, 3);
    one_int(&one, "spatial", 0);
    one_refused(&one, "spatial 0 is not served, only 1");
    begin_batch(&one, 9, 3);
    assert_int_equal(one_prepare(&one, 3), HZ_GRAPH);
    assert_non_null(strstr(one.err.message, "output 1 exists in training only"));
    one_end(&one);
    one_begin(&one, "LayerNormalization", 17);
    one_int(&one, "axis", 2);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3), NULL, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), NULL, false);
    one_refused(&one, "axis 2 is outside rank 2");
    one_begin(&one, "LayerNormalization", 17);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3), NULL, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3), NULL, false);
    one_refused(&one, "Scale has shape [2,3] instead of [3]");
    one_begin(&one, "GroupNormalization", 18);
    one_int(&one, "num_groups", 2);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 3, 2), NULL, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_refused(&one, "2 groups do not divide 3 channels");
    one_begin(&one, "LRN", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 3, 2), NULL, false);
    one_refused(&one, "size 0 is missing or less than 1");
    one_begin(&one, "MeanVarianceNormalization", 13);
    one_ints(&one, "axes", twice, 2);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3), NULL, false);
    one_refused(&one, "axis -2 is outside rank 2 or double");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_follow_the_formula),
        cmocka_unit_test(fixed_statistics_are_used_as_given),
        cmocka_unit_test(instances_and_groups_follow_the_formula),
        cmocka_unit_test(any_axes_can_be_normalized),
        cmocka_unit_test(responses_of_neighbouring_channels),
        cmocka_unit_test(a_row_gives_the_same_bits_alone_and_in_a_batch),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
