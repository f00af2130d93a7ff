/* SPDX-License-Identifier: MIT */
/* Convolution against its definition, on random windows, groups and paddings. */
#include "model/windows.h"

typedef struct conv_case {
    window_case window;
    int64_t groups, filters; /* filters in all groups together */
    bool bias, known;
    float *x, *w, *b;
} conv_case;

static conv_case random_case(hz_random *random) {
    conv_case c = {.window = window_random(random, true, false)};
    c.groups = one_draw(random, 1, 3);
    c.filters = c.groups * (hz_random_draw(random, 4) ? one_draw(random, 1, 5) : 17);
    c.window.channels *= c.groups;
    c.bias = hz_random_draw(random, 2);
    c.known = hz_random_draw(random, 2);
    hzi_shape in = window_shape(&c.window, c.window.channels, c.window.in);
    hzi_shape w = window_shape(&c.window, c.window.channels / c.groups, c.window.kernel);
    w.dim[0] = c.filters;
    c.x = random_floats(random, hzi_shape_count(&in), -1, 1);
    c.w = random_floats(random, hzi_shape_count(&w), -1, 1);
    c.b = random_floats(random, c.filters, -1, 1);
    return c;
}

static void free_case(conv_case *c) {
    free(c->x);
    free(c->w);
    free(c->b);
}

static void begin(one_step *one, const conv_case *c, int opset) {
    const window_case *window = &c->window;
    hzi_shape w = window_shape(window, window->channels / c->groups, window->kernel);
    w.dim[0] = c->filters;
    one_begin(one, "Conv", opset);
    window_attributes(one, window, true);
    one_int(one, "group", c->groups);
    one_input(one, HZ_ELEMENT_FLOAT, window_shape(window, window->channels, window->in), c->x,
              false);
    one_input(one, HZ_ELEMENT_FLOAT, w, c->w, c->known);
    if (c->bias) {
        one_input(one, HZ_ELEMENT_FLOAT, SHAPE(c->filters), c->b, c->known);
    }
}

/* One output by the definition, in double. */
static double definition(const conv_case *c, const int64_t *index) {
    const window_case *w = &c->window;
    int64_t group_in = w->channels / c->groups, group_out = c->filters / c->groups;
    int64_t first = index[1] / group_out * group_in, tap[3], place[3];
    hzi_shape in = window_shape(w, w->channels, w->in);
    double sum = c->bias ? (double)c->b[index[1]] : 0;
    int64_t taps = window_tap(w, 0, tap);
    for (int64_t channel = 0; channel < group_in; channel++) {
        for (int64_t t = 0; t < taps; t++) {
            bool padded;
            (void)window_tap(w, t, tap);
            if (window_look(w, index + 2, tap, place, &padded)) {
                int64_t at[HZ_RANK_MAX] = {index[0], first + channel, place[0], place[1], place[2]};
                double weight = (double)c->w[(index[1] * group_in + channel) * taps + t];
                sum += weight * (double)c->x[one_place(&in, at)];
            }
        }
    }
    return sum;
}

static void random_convolutions_follow_the_definition(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = 0; round < test_effort(300); round++) {
        conv_case c = random_case(&random);
        one_step one;
        begin(&one, &c, hz_random_draw(&random, 2) ? 11 : 9);
        const float *y = one_result(&one);
        hzi_shape out = window_shape(&c.window, c.filters, c.window.out);
        one_same_shape(&one, 0, out);
        for (int64_t i = 0; i < hzi_shape_count(&out); i++) {
            int64_t index[HZ_RANK_MAX] = {0};
            one_indexes(&out, i, index);
            assert_near(y[i], definition(&c, index), 1e-5, "output");
        }
        one_end(&one);
        free_case(&c);
    }
}

static void an_image_gives_the_same_bits_alone_and_in_a_batch(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 1);
    for (size_t round = 0; round < test_effort(60); round++) {
        conv_case c = random_case(&random);
        one_step all;
        begin(&all, &c, 11);
        const float *together = one_result(&all);
        int64_t in = all.input[0].count / c.window.images;
        int64_t out = all.output[0].count / c.window.images;
        conv_case single = c;
        single.window.images = 1;
        for (int64_t image = 0; image < c.window.images; image++) {
            one_step one;
            single.x = c.x + image * in;
            begin(&one, &single, 11);
            const float *alone = one_result(&one);
            assert_memory_equal(alone, together + image * out, (size_t)out * sizeof *alone);
            one_end(&one);
        }
        one_end(&all);
        free_case(&c);
    }
}

/* 1 image, 2 channels of 4x4, 2 filters of 3x3. */
static void begin_square(one_step *one, int64_t filter_channels) {
    static const float zeros[64];
    one_begin(one, "Conv", 11);
    one_input(one, HZ_ELEMENT_FLOAT, SHAPE(1, 2, 4, 4), zeros, false);
    one_input(one, HZ_ELEMENT_FLOAT, SHAPE(2, filter_channels, 3, 3), zeros, true);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    static const int64_t two[] = {2, 2}, three[] = {3, 3}, negative[] = {0, -1, 0, 0};
    static const int64_t huge[] = {1 << 25, 1}, far[] = {2, 1};
    one_step one;
    begin_square(&one, 1);
    one_refused(&one, "weights for 1 channels, each group has 2");
    begin_square(&one, 1);
    one_int(&one, "group", 3);
    one_refused(&one, "3 groups do not divide 2 input and 2 output channels");
    begin_square(&one, 1);
    one_int(&one, "group", 0);
    one_refused(&one, "0 groups do not divide 2 input and 2 output channels");
    begin_square(&one, 2);
    one_ints(&one, "kernel_shape", two, 2);
    one_refused(&one, "kernel_shape is not that of the weights");
    begin_square(&one, 2);
    one_ints(&one, "pads", negative, 4);
    one_refused(&one, "pads -1 is outside 0..16777216");
    begin_square(&one, 2);
    one_ints(&one, "pads", three, 2);
    one_refused(&one, "pads has 2 numbers instead of 4");
    begin_square(&one, 2);
    one_ints(&one, "strides", huge, 2);
    one_refused(&one, "strides 33554432 is outside 1..16777216");
    begin_square(&one, 2);
    one_ints(&one, "dilations", far, 2);
    one_refused(&one, "a window of 5 does not fit into 4 with its padding");
    begin_square(&one, 2);
    one_string(&one, "auto_pad", "SAME");
    one_refused(&one, "auto_pad 'SAME' is unknown");
    begin_square(&one, 2);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), NULL, false);
    one_refused(&one, "the bias must have 2 numbers");
    one_begin(&one, "Conv", 11);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 2, 4, 4), NULL, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 2, 3), NULL, false);
    one_refused(&one, "weights of rank 3 for an input of rank 4");
    one_begin(&one, "Conv", 11);
    one_input(&one, HZ_ELEMENT_DOUBLE, SHAPE(1, 2, 4), NULL, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 2, 3), NULL, false);
    one_refused(&one, "is DOUBLE; served are FLOAT");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_convolutions_follow_the_definition),
        cmocka_unit_test(an_image_gives_the_same_bits_alone_and_in_a_batch),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
