/* SPDX-License-Identifier: MIT */
/* Pools against their definition, on random windows; indices, ties, NaN, refusals. */
#include "model/windows.h"

#include <float.h>

/* What one window sees of one plane. */
typedef struct sight {
    size_t count;
    double values[64 * 27];
    int64_t places[64 * 27][3];
    int64_t padded; /* taps in input or padding */
} sight;

static void look(const window_case *w, const float *x, const int64_t *index, sight *seen) {
    hzi_shape in = window_shape(w, w->channels, w->in);
    int64_t tap[3], taps = window_tap(w, 0, tap);
    seen->count = 0;
    seen->padded = 0;
    for (int64_t t = 0; t < taps; t++) {
        int64_t place[3] = {0};
        bool padded;
        (void)window_tap(w, t, tap);
        if (window_look(w, index + 2, tap, place, &padded)) {
            int64_t at[HZ_RANK_MAX] = {index[0], index[1], place[0], place[1], place[2]};
            memcpy(seen->places[seen->count], place, sizeof place);
            seen->values[seen->count++] = (double)x[one_place(&in, at)];
        }
        seen->padded += padded;
    }
}

/* Whether some window sees nothing: then the operator refuses. */
static bool has_blind_window(const window_case *w, const float *x) {
    hzi_shape out = window_shape(w, w->channels, w->out);
    sight seen;
    for (int64_t i = 0; i < hzi_shape_count(&out); i++) {
        int64_t index[HZ_RANK_MAX] = {0};
        one_indexes(&out, i, index);
        look(w, x, index, &seen);
        if (seen.count == 0) {
            return true;
        }
    }
    return false;
}

static void begin(one_step *one, const char *operation, int opset, const window_case *w,
                  bool dilations, const float *x) {
    one_begin(one, operation, opset);
    window_attributes(one, w, dilations);
    one_ints(one, "kernel_shape", w->kernel, (size_t)w->axes);
    if (w->ceil_mode) {
        one_int(one, "ceil_mode", 1);
    }
    one_input(one, HZ_ELEMENT_FLOAT, window_shape(w, w->channels, w->in), x, false);
}

static window_case random_window(hz_random *random, bool dilated) {
    window_case w = window_random(random, dilated, true);
    if (!w.auto_pad && hz_random_draw(random, 2)) {
        w.ceil_mode = true;
        for (int i = 0; i < w.axes; i++) {
            w.out[i] = window_out(&w, i);
        }
    }
    return w;
}

/* The place in x that an index of MaxPool means. */
static int64_t index_of(const window_case *w, const int64_t *index, const int64_t *place,
                        bool column_major) {
    int64_t plane = 1, at = 0;
    for (int i = 0; i < w->axes; i++) {
        plane *= w->in[i];
    }
    if (column_major) {
        for (int i = w->axes - 1; i >= 0; i--) {
            at = at * w->in[i] + place[i];
        }
    } else {
        for (int i = 0; i < w->axes; i++) {
            at = at * w->in[i] + place[i];
        }
    }
    return (index[0] * w->channels + index[1]) * plane + at;
}

static void the_largest_of_each_window_and_its_index(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    size_t blind = 0;
    for (size_t round = 0; round < test_effort(300); round++) {
        window_case w = random_window(&random, true);
        hzi_shape in = window_shape(&w, w.channels, w.in),
                  out = window_shape(&w, w.channels, w.out);
        float *x = random_floats(&random, hzi_shape_count(&in), -9, 9);
        for (int64_t i = 0; i < hzi_shape_count(&in); i++) {
            x[i] = floorf(x[i]); /* ties: the first one in order counts */
        }
        bool column_major = hz_random_draw(&random, 2);
        one_step one;
        begin(&one, "MaxPool", 12, &w, true, x);
        one_int(&one, "storage_order", column_major);
        if (has_blind_window(&w, x)) {
            blind++;
            one_refused(&one, "a window lies wholly in the padding");
            free(x);
            continue;
        }
        assert_int_equal(one_prepare(&one, 2), HZ_OK);
        one_run(&one);
        one_same_shape(&one, 0, out);
        one_same_shape(&one, 1, out);
        const float *y = one.output[0].data;
        const int64_t *indices = one.output[1].data;
        sight seen;
        for (int64_t i = 0; i < hzi_shape_count(&out); i++) {
            int64_t index[HZ_RANK_MAX] = {0};
            one_indexes(&out, i, index);
            look(&w, x, index, &seen);
            size_t best = 0;
            for (size_t k = 1; k < seen.count; k++) {
                best = seen.values[k] > seen.values[best] ? k : best;
            }
            assert_true((double)y[i] == seen.values[best]);
            assert_int_equal(indices[i], index_of(&w, index, seen.places[best], column_major));
        }
        one_end(&one);
        free(x);
    }
    test_met(blind > 0);
}

static void averages_count_padding_only_when_asked(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 1);
    for (size_t round = 0; round < test_effort(300); round++) {
        bool dilated = hz_random_draw(&random, 2);
        window_case w = random_window(&random, dilated);
        hzi_shape in = window_shape(&w, w.channels, w.in),
                  out = window_shape(&w, w.channels, w.out);
        float *x = random_floats(&random, hzi_shape_count(&in), -1, 1);
        bool include = hz_random_draw(&random, 2);
        if (has_blind_window(&w, x)) {
            free(x);
            continue;
        }
        one_step one;
        begin(&one, "AveragePool", dilated ? 19 : 10, &w, dilated, x);
        one_int(&one, "count_include_pad", include);
        const float *y = one_result(&one);
        one_same_shape(&one, 0, out);
        sight seen;
        for (int64_t i = 0; i < hzi_shape_count(&out); i++) {
            int64_t index[HZ_RANK_MAX] = {0};
            one_indexes(&out, i, index);
            look(&w, x, index, &seen);
            double sum = 0;
            for (size_t k = 0; k < seen.count; k++) {
                sum += seen.values[k];
            }
            assert_near(y[i], sum / (include ? (double)seen.padded : (double)seen.count), 1e-5,
                        "average");
        }
        one_end(&one);
        free(x);
    }
}

static void norms_of_windows(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 2);
    for (size_t round = 0; round < test_effort(100); round++) {
        window_case w = random_window(&random, true);
        hzi_shape in = window_shape(&w, w.channels, w.in),
                  out = window_shape(&w, w.channels, w.out);
        float *x = random_floats(&random, hzi_shape_count(&in), -1, 1);
        int64_t power = one_draw(&random, 1, 4);
        if (has_blind_window(&w, x)) {
            free(x);
            continue;
        }
        one_step one;
        begin(&one, "LpPool", 18, &w, true, x);
        one_int(&one, "p", power);
        const float *y = one_result(&one);
        sight seen;
        for (int64_t i = 0; i < hzi_shape_count(&out); i++) {
            int64_t index[HZ_RANK_MAX] = {0};
            one_indexes(&out, i, index);
            look(&w, x, index, &seen);
            double sum = 0;
            for (size_t k = 0; k < seen.count; k++) {
                sum += pow(fabs(seen.values[k]), (double)power);
            }
            assert_near(y[i], pow(sum, 1.0 / (double)power), 1e-5, "norm");
        }
        one_end(&one);
        free(x);
    }
}

static void whole_planes(void **state) {
    (void)state;
    static const float x[] = {1, 5, -2, 4, -1, -8, -3, -4};
    static const struct {
        const char *operation;
        float first, second;
    } cases[] = {{"GlobalAveragePool", 2, -4}, {"GlobalMaxPool", 5, -1}, {"GlobalLpPool", 12, 16}};
    for (size_t i = 0; i < 3; i++) {
        one_step one;
        one_begin(&one, cases[i].operation, 13);
        if (i == 2) {
            one_int(&one, "p", 1);
        }
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 2, 2, 2), x, false);
        const float *y = one_result(&one);
        one_same_shape(&one, 0, SHAPE(1, 2, 1, 1));
        assert_true(y[0] == cases[i].first && y[1] == cases[i].second);
        one_end(&one);
    }
}

static void bytes_and_doubles_have_a_largest_too(void **state) {
    (void)state;
    static const int64_t two[] = {2};
    static const uint8_t bytes[] = {200, 7, 100, 250};
    static const int8_t small[] = {-100, 7, -3, -128};
    static const double wide[] = {1.5, 2.5, -DBL_MAX, -1};
    static const struct {
        hz_element element;
        const void *x;
        double first, last;
    } cases[] = {{HZ_ELEMENT_UINT8, bytes, 200, 250},
                 {HZ_ELEMENT_INT8, small, 7, -3},
                 {HZ_ELEMENT_DOUBLE, wide, 2.5, -1}};
    for (size_t i = 0; i < 3; i++) {
        one_step one;
        one_begin(&one, "MaxPool", 12);
        one_ints(&one, "kernel_shape", two, 1);
        one_input(&one, cases[i].element, SHAPE(1, 1, 4), cases[i].x, false);
        const void *y = one_result(&one);
        double first = i == 0   ? ((const uint8_t *)y)[0]
                       : i == 1 ? ((const int8_t *)y)[0]
                                : ((const double *)y)[0];
        double last = i == 0   ? ((const uint8_t *)y)[2]
                      : i == 1 ? ((const int8_t *)y)[2]
                               : ((const double *)y)[2];
        assert_true(first == cases[i].first && last == cases[i].last);
        one_end(&one);
    }
}

static void a_nan_in_a_window_is_its_largest(void **state) {
    (void)state;
    static const int64_t two[] = {2};
    const float x[] = {1, NAN, 2, 3};
    one_step one;
    one_begin(&one, "MaxPool", 12);
    one_ints(&one, "kernel_shape", two, 1);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 1, 4), x, false);
    const float *y = one_result(&one);
    assert_true(isnan(y[0]) && isnan(y[1]) && y[2] == 3);
    one_end(&one);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    static const int64_t two[] = {2}, pads[] = {2, 0}, five[] = {5}, dilations[] = {2};
    one_step one;
    one_begin(&one, "MaxPool", 12);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 1, 4), NULL, false);
    one_refused(&one, "kernel_shape is missing");
    one_begin(&one, "MaxPool", 12);
    one_ints(&one, "kernel_shape", two, 1);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 1, 4, 4), NULL, false);
    one_refused(&one, "kernel_shape has 1 numbers for an input of rank 4");
    one_begin(&one, "MaxPool", 12);
    one_ints(&one, "kernel_shape", two, 1);
    one_ints(&one, "pads", pads, 2);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 1, 4), NULL, false);
    one_refused(&one, "a window lies wholly in the padding");
    one_begin(&one, "AveragePool", 12);
    one_ints(&one, "kernel_shape", five, 1);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 1, 4), NULL, false);
    one_refused(&one, "a window of 5 does not fit into 4 with its padding");
    one_begin(&one, "AveragePool", 18);
    one_ints(&one, "kernel_shape", two, 1);
    one_ints(&one, "dilations", dilations, 1);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 1, 4), NULL, false);
    one_refused(&one, "attribute 'dilations' is not known at opset 18");
    one_begin(&one, "MaxPool", 11);
    one_ints(&one, "kernel_shape", two, 1);
    one_input(&one, HZ_ELEMENT_INT8, SHAPE(1, 1, 4), NULL, false);
    one_refused(&one, "is INT8; served are FLOAT, DOUBLE");
    one_begin(&one, "GlobalMaxPool", 11);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 4), NULL, false);
    one_refused(&one, "an input of rank 2; 3, 4 and 5 are known");
    one_begin(&one, "MaxPool", 12);
    one_ints(&one, "kernel_shape", two, 1);
    one_int(&one, "storage_order", 2);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 1, 4), NULL, false);
    one_refused(&one, "storage_order 2 is neither 0 nor 1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_of_each_window_and_its_index),
        cmocka_unit_test(averages_count_padding_only_when_asked),
        cmocka_unit_test(norms_of_windows),
        cmocka_unit_test(whole_planes),
        cmocka_unit_test(bytes_and_doubles_have_a_largest_too),
        cmocka_unit_test(a_nan_in_a_window_is_its_largest),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
