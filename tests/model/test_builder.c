/* SPDX-License-Identifier: MIT */
/* Writing graphs: what was put in is read back, the same calls give the same bytes, and mistakes
 * stick until the end. */
#include "model/graphs.h"

#include "model/graph.h"

static void expect_failure(hz_builder *builder, const char *words) {
    hz_arena arena = {0};
    const void *bytes = NULL;
    size_t length = 0;
    hz_error err;
    assert_int_equal(hz_builder_finish(builder, &arena, &bytes, &length, &err), HZ_GRAPH);
    if (!strstr(err.message, words)) {
        fail_msg("wanted '%s', got '%s'", words, err.message);
    }
    assert_null(bytes);
    assert_int_equal(hz_builder_finish(builder, &arena, &bytes, &length, NULL), HZ_GRAPH);
    hz_builder_free(builder);
    hz_arena_fini(&arena);
}

static void one_node(hz_builder *builder, const char *type, const char *from, const char *to) {
    hz_builder_node(builder, "", type, &from, 1, &to, 1);
}

static hz_builder *relu(void) {
    hz_builder *builder = hz_builder_new("small", 8, 13, 0);
    assert_non_null(builder);
    hz_builder_input(builder, "x", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 3}, 2);
    hz_builder_output(builder, "y", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 3}, 2);
    one_node(builder, "Relu", "x", "y");
    return builder;
}

static void what_was_written_is_read(void **state) {
    (void)state;
    hz_builder *builder = hz_builder_new("everything", 7, 12, 2);
    const float numbers[2] = {1.5f, -2.5f};
    const int64_t ints[3] = {3, -4, INT64_MAX};
    const char *const words[2] = {"one", ""};
    float data[2] = {7.0f, 8.0f};
    int64_t scalar = -9;
    hz_tensor tensor = {HZ_ELEMENT_FLOAT, 1, {2}, data};
    hz_tensor number = {HZ_ELEMENT_INT64, 0, {0}, &scalar};
    hz_builder_input(builder, "x", HZ_ELEMENT_DOUBLE, (int64_t[]){HZ_DYNAMIC, 4, HZ_DYNAMIC}, 3);
    hz_builder_output(builder, "y", HZ_ELEMENT_INT8, NULL, 0);
    hz_builder_initializer(builder, "w", &tensor);
    hz_builder_initializer(builder, "n", &number);
    hz_builder_node(builder, "ai.onnx.ml", "Odd", (const char *[]){"x", "", "w"}, 3,
                    (const char *[]){"y", ""}, 2);
    hz_builder_int(builder, "i", -5);
    hz_builder_ints(builder, "is", ints, 3);
    hz_builder_float(builder, "f", 0.25f);
    hz_builder_floats(builder, "fs", numbers, 2);
    hz_builder_string(builder, "s", "text");
    hz_builder_strings(builder, "ss", words, 2);
    hz_builder_tensor(builder, "t", &tensor);
    hz_builder_ints(builder, "none", NULL, 0);
    hz_graph *graph = graphs_finish(builder);
    hz_graph_facts facts;
    hz_graph_facts_get(graph, &facts);
    assert_string_equal(facts.name, "everything");
    assert_int_equal(facts.ir_version, 7);
    assert_int_equal(facts.opset, 12);
    const hz_port *port = hz_graph_input(graph, 0);
    assert_true(port->element == HZ_ELEMENT_DOUBLE && port->rank == 3);
    assert_true(port->shape[0] == HZ_DYNAMIC && port->shape[1] == 4 &&
                port->shape[2] == HZ_DYNAMIC);
    assert_true(hz_graph_output(graph, 0)->has_shape && hz_graph_output(graph, 0)->rank == 0);
    const hzi_node *node = &graph->nodes[0];
    assert_string_equal(node->domain, "ai.onnx.ml");
    assert_int_equal(node->opset, 2);
    assert_true(node->input_count == 3 && node->inputs[1] == HZI_NO_VALUE);
    assert_true(node->output_count == 2 && node->outputs[1] == HZI_NO_VALUE);
    assert_int_equal(hzi_node_attribute(node, "i")->i, -5);
    assert_memory_equal(hzi_node_attribute(node, "is")->ints, ints, sizeof ints);
    assert_true(hzi_node_attribute(node, "f")->f == 0.25f);
    assert_memory_equal(hzi_node_attribute(node, "fs")->floats, numbers, sizeof numbers);
    assert_string_equal(hzi_node_attribute(node, "s")->text, "text");
    assert_int_equal(hzi_node_attribute(node, "ss")->count, 2);
    assert_string_equal(hzi_node_attribute(node, "ss")->strings[0], "one");
    assert_string_equal(hzi_node_attribute(node, "ss")->strings[1], "");
    assert_memory_equal(hzi_node_attribute(node, "t")->tensor.data, data, sizeof data);
    assert_int_equal(hzi_node_attribute(node, "none")->count, 0);
    assert_int_equal(hzi_node_attribute(node, "none")->kind, HZI_ATTRIBUTE_INTS);
    const hzi_value *w = &graph->values[node->inputs[2]];
    assert_string_equal(w->name, "w");
    assert_memory_equal(w->tensor.data, data, sizeof data);
    assert_int_equal((uintptr_t)w->tensor.data % 64, 0);
    hz_graph_free(graph);
}

static void the_same_calls_give_the_same_bytes(void **state) {
    (void)state;
    hz_arena arena = {0};
    const void *bytes[2];
    size_t length[2];
    for (int i = 0; i < 2; i++) {
        hz_random random = hz_random_from_seed(5);
        graphs_network(&arena, &random, (int64_t[]){9, 8, 7, 1}, 3, &bytes[i], &length[i]);
    }
    assert_int_equal(length[0], length[1]);
    assert_memory_equal(bytes[0], bytes[1], length[0]);
    hz_arena_fini(&arena);
}

static void names_are_checked_when_finished(void **state) {
    (void)state;
    hz_builder *builder = relu();
    one_node(builder, "Abs", "x", "y");
    expect_failure(builder, "defined twice: 'y'");
    builder = relu();
    hz_builder_input(builder, "x", HZ_ELEMENT_FLOAT, NULL, 0);
    expect_failure(builder, "defined twice: 'x'");
    builder = relu();
    one_node(builder, "Abs", "gone", "z");
    expect_failure(builder, "nothing defines 'gone'");
    builder = relu();
    hz_builder_output(builder, "gone", HZ_ELEMENT_FLOAT, NULL, 0);
    expect_failure(builder, "nothing defines 'gone'");
    builder = relu();
    hz_builder_input(builder, "", HZ_ELEMENT_FLOAT, NULL, 0);
    expect_failure(builder, "has no name");
    float zero = 0;
    hz_tensor tensor = {HZ_ELEMENT_FLOAT, 0, {0}, &zero};
    builder = relu();
    hz_builder_input(builder, "w", HZ_ELEMENT_FLOAT, NULL, 0);
    hz_builder_initializer(builder, "w", &tensor); /* gives the input its number */
    hz_graph *graph = graphs_finish(builder);
    assert_int_equal(hz_graph_input_count(graph), 1);
    hz_graph_free(graph);
    builder = relu();
    hz_builder_initializer(builder, "y", &tensor);
    expect_failure(builder, "defined twice: 'y'");
}

static void the_first_mistake_sticks(void **state) {
    (void)state;
    hz_builder *builder = hz_builder_new("early", 8, 13, 0);
    hz_builder_int(builder, "axis", 1);
    hz_builder_input(builder, "x", HZ_ELEMENT_FLOAT, NULL, 0);
    hz_builder_float(builder, "alpha", 1.0f);
    expect_failure(builder, "there is no node yet for attribute 'axis'");
    hz_tensor text = {HZ_ELEMENT_STRING, 0, {0}, NULL};
    builder = relu();
    hz_builder_initializer(builder, "texts", &text);
    expect_failure(builder, "cannot be written: 'texts'");
    hz_tensor vast = {HZ_ELEMENT_FLOAT, 2, {INT64_MAX, INT64_MAX}, NULL};
    builder = relu();
    hz_builder_initializer(builder, "vast", &vast);
    expect_failure(builder, "the shape of a tensor cannot be written: 'vast'");
    hz_builder_free(NULL);
    hz_error err;
    assert_int_equal(hz_builder_finish(NULL, NULL, NULL, NULL, &err), HZ_NO_MEMORY);
}

static void a_full_arena_is_reported(void **state) {
    (void)state;
    hz_builder *builder = relu();
    hz_arena arena;
    hz_arena_init(&arena, 64);
    const void *bytes = NULL;
    size_t length = 0;
    hz_error err;
    assert_int_equal(hz_builder_finish(builder, &arena, &bytes, &length, &err), HZ_NO_MEMORY);
    hz_arena_fini(&arena);
    hz_builder_free(builder);
}

static void many_nodes_keep_their_order(void **state) {
    (void)state;
    hz_builder *builder = hz_builder_new("long", 8, 13, 0);
    char from[20] = "v0", to[20] = "v0";
    hz_builder_input(builder, "v0", HZ_ELEMENT_FLOAT, NULL, 0);
    for (int i = 1; i <= 1000; i++) {
        (void)snprintf(to, sizeof to, "v%d", i);
        one_node(builder, i % 2 ? "Neg" : "Abs", from, to);
        memcpy(from, to, sizeof from);
    }
    hz_builder_output(builder, to, HZ_ELEMENT_FLOAT, NULL, 0);
    hz_graph *graph = graphs_finish(builder);
    assert_int_equal(graph->node_count, 1000);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(graph->nodes[i].index, i);
        assert_string_equal(graph->nodes[i].type, i % 2 ? "Abs" : "Neg");
    }
    hz_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(the_same_calls_give_the_same_bytes),
        cmocka_unit_test(names_are_checked_when_finished),
        cmocka_unit_test(the_first_mistake_sticks),
        cmocka_unit_test(a_full_arena_is_reported),
        cmocka_unit_test(many_nodes_keep_their_order),
    };
    return cmocka_run_group_tests_name("model/builder", tests, NULL, NULL);
}
