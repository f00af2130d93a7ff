/* SPDX-License-Identifier: MIT */
/* What inputs and outputs of a served graph must be, whatever opened it. */
#include "package/folder.h"

enum { MOST_PORTS = 8 };

#define MODEL "dir/model.onnx"

static hz_port port(const char *name, hz_element element, size_t rank, const int64_t *shape) {
    hz_port p = {.name = name,
                 .is_tensor = true,
                 .element = element,
                 .has_shape = true,
                 .rank = (uint32_t)rank};
    for (size_t i = 0; i < rank && i < HZ_RANK_MAX; i++) {
        p.shape[i] = shape[i];
    }
    return p;
}

static hz_port rows(const char *name, int64_t columns) {
    return port(name, HZ_ELEMENT_FLOAT, 2, (const int64_t[]){HZ_DYNAMIC, columns});
}

/* "name:TYPE:dimension,dimension ..." or "-"; cut in place. */
static size_t ports_of(char *text, hz_port *ports) {
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word && strcmp(word, "-") != 0;
         word = strtok_r(NULL, " ", &rest)) {
        char *type = strchr(word, ':'), *dimension = type ? strchr(type + 1, ':') : NULL;
        assert_true(dimension && count < MOST_PORTS);
        *type++ = *dimension++ = '\0';
        hz_element element = strcmp(type, "FLOAT") == 0    ? HZ_ELEMENT_FLOAT
                             : strcmp(type, "DOUBLE") == 0 ? HZ_ELEMENT_DOUBLE
                                                           : HZ_ELEMENT_UNDEFINED;
        assert_int_not_equal(element, HZ_ELEMENT_UNDEFINED);
        int64_t shape[HZ_RANK_MAX];
        size_t rank = 0;
        for (char *next; dimension; dimension = next) {
            next = strchr(dimension, ',');
            if (next) {
                *next++ = '\0';
            }
            assert_in_range(rank, 0, HZ_RANK_MAX - 1);
            shape[rank++] =
                strcmp(dimension, "batch") == 0 ? HZ_DYNAMIC : (int64_t)test_number(dimension);
        }
        ports[count++] = port(word, element, rank, shape);
    }
    return count;
}

static void known_graphs_are_judged_as_they_should(void **state) {
    (void)state;
    test_table table = test_table_load("package_graphs.tsv", 8);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *field = table.rows[i].field;
        char input_text[200], output_text[200];
        hz_port inputs[MOST_PORTS], outputs[MOST_PORTS];
        hz_error err;
        test_copy(input_text, sizeof input_text, field[4]);
        test_copy(output_text, sizeof output_text, field[5]);
        size_t input_count = ports_of(input_text, inputs);
        size_t output_count = ports_of(output_text, outputs);
        hz_error_clear(&err);
        hz_status status = hz_contract_check(inputs, input_count, outputs, output_count, field[1],
                                             field[2], test_number(field[3]), MODEL, &err);
        if (strcmp(field[6], "-") == 0) {
            test_same_text(field[0], "refusal", "", err.message);
            assert_int_equal(status, HZ_OK);
            continue;
        }
        refused(field[0], HZ_GRAPH_CONTRACT, status, &err, MODEL, field[6]);
        if (strcmp(field[7], "-") != 0) {
            refused(field[0], HZ_GRAPH_CONTRACT, status, &err, MODEL, field[7]);
        }
    }
    test_table_free(&table);
}

/* The check of these ports by the names "in", "out" and 13 columns. */
static void must_refuse(const char *what, const hz_port *inputs, size_t input_count,
                        const hz_port *outputs, size_t output_count, const char *required) {
    hz_error err;
    hz_error_clear(&err);
    refused(
        what, HZ_GRAPH_CONTRACT,
        hz_contract_check(inputs, input_count, outputs, output_count, "in", "out", 13, MODEL, &err),
        &err, MODEL, required);
}

/* Everything is wrong at first; each step mends what the refusal named. */
static void refusals_come_in_order(void **state) {
    (void)state;
    hz_port inputs[2] = {port("x", HZ_ELEMENT_INT64, 2, (const int64_t[]){1, 12}), {.name = "z"}};
    hz_port outputs[2] = {{.name = "y"},
                          port("w", HZ_ELEMENT_DOUBLE, 1, (const int64_t[]){HZ_DYNAMIC})};
    must_refuse("tensors in", inputs, 2, outputs, 2, "input 'z' must be a tensor");
    inputs[1] = rows("a", 13);
    must_refuse("tensors out", inputs, 2, outputs, 2, "output 'y' must be a tensor");
    outputs[0].is_tensor = true;
    must_refuse("two inputs", inputs, 2, outputs, 2,
                "ONNX model must expose exactly one input named 'in'; found [a, x]");
    must_refuse("input name", inputs, 1, outputs, 2,
                "ONNX model must expose exactly one input named 'in'; found [x]");
    inputs[0].name = "in";
    must_refuse("two outputs", inputs, 1, outputs, 2,
                "ONNX model must expose exactly one output named 'out'; found [w, y]");
    outputs[0] = outputs[1];
    outputs[0].name = "out";
    must_refuse("input type", inputs, 1, outputs, 1, "input 'in' must have FLOAT dtype");
    must_refuse("input type", inputs, 1, outputs, 1, "got INT64");
    inputs[0].element = HZ_ELEMENT_FLOAT;
    must_refuse("input batch", inputs, 1, outputs, 1,
                "input 'in' must have shape [batch,13] with a dynamic batch dimension; got [1,12]");
    inputs[0].shape[0] = HZ_DYNAMIC;
    must_refuse("input width", inputs, 1, outputs, 1,
                "input 'in' must have shape [batch,13] with a dynamic batch dimension; got "
                "[batch,12]");
    inputs[0].shape[1] = 13;
    must_refuse("output type", inputs, 1, outputs, 1, "output 'out' must have FLOAT dtype");
    outputs[0].element = HZ_ELEMENT_FLOAT;
    must_refuse("output shape", inputs, 1, outputs, 1,
                "output 'out' must have shape [batch,1] with a dynamic batch dimension; got "
                "[batch]");
    outputs[0] = rows("out", 1);
    hz_error err;
    hz_error_clear(&err);
    assert_int_equal(hz_contract_check(inputs, 1, outputs, 1, "in", "out", 13, MODEL, &err), HZ_OK);
    assert_string_equal(err.message, "");
}

static void only_rank_two_with_a_dynamic_and_a_fixed_dimension_will_do(void **state) {
    (void)state;
    const hz_port in = rows("in", 13), out = rows("out", 1);
    static const int64_t shapes[][3] = {{13},
                                        {13, HZ_DYNAMIC},
                                        {HZ_DYNAMIC, HZ_DYNAMIC},
                                        {0, 13},
                                        {HZ_DYNAMIC, 0},
                                        {HZ_DYNAMIC, 14},
                                        {HZ_DYNAMIC, 13, 1},
                                        {1, HZ_DYNAMIC, 13}};
    static const size_t ranks[] = {1, 2, 2, 2, 2, 2, 3, 3};
    static const char *const got[] = {"got [13]",         "got [13,batch]",  "got [batch,batch]",
                                      "got [0,13]",       "got [batch,0]",   "got [batch,14]",
                                      "got [batch,13,1]", "got [1,batch,13]"};
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        hz_port p = port("in", HZ_ELEMENT_FLOAT, ranks[i], shapes[i]);
        must_refuse(got[i], &p, 1, &out, 1, got[i]);
    }
    static const int64_t outs[][2] = {{HZ_DYNAMIC, HZ_DYNAMIC}, {HZ_DYNAMIC, 2}, {1, 1}};
    static const char *const out_got[] = {"got [batch,batch]", "got [batch,2]", "got [1,1]"};
    for (size_t i = 0; i < 3; i++) {
        hz_port p = port("out", HZ_ELEMENT_FLOAT, 2, outs[i]);
        must_refuse(out_got[i], &in, 1, &p, 1, out_got[i]);
    }
    hz_port scalar = port("out", HZ_ELEMENT_FLOAT, 0, NULL), unknown = rows("in", 13);
    must_refuse("scalar", &in, 1, &scalar, 1, "got []");
    unknown.has_shape = false;
    must_refuse("nothing said", &unknown, 1, &out, 1, "got [?]");
    hz_port high = rows("in", 13);
    high.rank = 4000000000U; /* more than a port holds */
    must_refuse("rank", &high, 1, &out, 1, "must have shape [batch,13]");
}

static void names_must_agree_exactly(void **state) {
    (void)state;
    static const char *const wrong[] = {"In", "in ", "", "i", "inn"};
    const hz_port out = rows("out", 1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hz_port p = rows(wrong[i], 13);
        char text[60];
        snprintf(text, sizeof text, "exactly one input named 'in'; found [%s]", wrong[i]);
        must_refuse(wrong[i], &p, 1, &out, 1, text);
    }
    must_refuse("none", NULL, 0, &out, 1, "exactly one input named 'in'; found []");
    const hz_port twice[2] = {rows("in", 13), rows("in", 13)};
    must_refuse("twice", twice, 2, &out, 1, "found [in, in]");
}

static void long_lists_and_names_leave_the_required_words(void **state) {
    (void)state;
    enum { PORTS = 1000, LONG = 2000 };
    static char names[PORTS][8];
    static hz_port many[PORTS];
    char longest[LONG], required[LONG];
    for (size_t i = 0; i < PORTS; i++) {
        snprintf(names[i], sizeof names[i], "o%03zu", (i * 7) % PORTS);
        many[i] = rows(names[i], 1);
    }
    const hz_port in = rows("in", 13);
    must_refuse("many", &in, 1, many, PORTS,
                "ONNX model must expose exactly one output named 'out'; found [o000, o001, o002, ");
    must_refuse("many", &in, 1, many, PORTS, ", ...]");
    memset(longest, 'n', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    const hz_port odd[2] = {rows(longest, 13), rows(longest, 13)}, out = rows("out", 1);
    must_refuse("long", odd, 2, &out, 1, "exactly one input named 'in'; found [nnn");
    /* Everything is long: the path, the wanted name, the name found. */
    hz_error err;
    hz_error_clear(&err);
    snprintf(required, sizeof required, "%.117s...'; found [%.117s..., %.117s...]", longest,
             longest, longest);
    refused("all", HZ_GRAPH_CONTRACT,
            hz_contract_check(odd, 2, &out, 1, longest, "out", 13, longest, &err), &err, NULL,
            required);
    const hz_port fixed = port(longest, HZ_ELEMENT_FLOAT, 2, (const int64_t[]){1, 13});
    refused("shape", HZ_GRAPH_CONTRACT,
            hz_contract_check(&fixed, 1, &out, 1, longest, "out", 13, longest, &err), &err, NULL,
            "...' must have shape [batch,13] with a dynamic batch dimension; got [1,13]");
}

static void a_missing_name_is_a_wrong_argument(void **state) {
    (void)state;
    const hz_port in = rows("in", 13), out = rows("out", 1);
    assert_int_equal(hz_contract_check(&in, 1, &out, 1, NULL, "out", 13, NULL, NULL),
                     HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_contract_check(&in, 1, &out, 1, "in", NULL, 13, NULL, NULL),
                     HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_contract_check(NULL, 1, &out, 1, "in", "out", 13, NULL, NULL),
                     HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_contract_check(&in, 1, &out, 1, "in", "out", 13, NULL, NULL), HZ_OK);
    assert_int_equal(hz_contract_check(&in, 1, &out, 1, "in", "out", 12, NULL, NULL),
                     HZ_GRAPH_CONTRACT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_graphs_are_judged_as_they_should),
        cmocka_unit_test(refusals_come_in_order),
        cmocka_unit_test(only_rank_two_with_a_dynamic_and_a_fixed_dimension_will_do),
        cmocka_unit_test(names_must_agree_exactly),
        cmocka_unit_test(long_lists_and_names_leave_the_required_words),
        cmocka_unit_test(a_missing_name_is_a_wrong_argument),
    };
    return cmocka_run_group_tests_name("package contract", tests, NULL, NULL);
}
