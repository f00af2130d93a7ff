/* SPDX-License-Identifier: MIT */
/*
 * Broken models: the node cases of ONNX and a network of our own with some bytes changed, cut out or
 * doubled. Each is refused with a reason, or opened and run, within small limits and a short time.
 */
#include "model/graphs.h"

#include <dirent.h>

#define FOLDER "/usr/share/libonnx-testdata/data/node"

enum { MEMORY = 4 << 20, ROOM = 1 << 16, PORTS = 24 };

static const hz_graph_limits LIMITS = {
    .file_bytes = 1 << 20, .memory_bytes = MEMORY, .nodes = 500, .work = 1000000};

typedef struct outcome {
    size_t refused, opened, run;
} outcome;

static bool make_input(const hz_port *port, hz_random *random, void *room, hz_tensor *input) {
    size_t bytes = hz_element_size(port->element);
    *input = (hz_tensor){.element = port->element, .rank = port->rank, .data = room};
    if (!port->is_tensor || port->rank > HZ_RANK_MAX || bytes == 0) {
        return false;
    }
    for (uint32_t i = 0; i < port->rank; i++) {
        int64_t dim = port->shape[i] == HZ_DYNAMIC ? 1 + hz_random_draw(random, 3) : port->shape[i];
        input->shape[i] = dim;
        if (dim > ROOM || (bytes *= (size_t)dim) > ROOM) {
            return false;
        }
    }
    return true;
}

static void run(hz_model *model, hz_random *random, outcome *tally) {
    static int64_t room[ROOM / sizeof(int64_t)]; /* small numbers of any type */
    hz_tensor inputs[PORTS], outputs[PORTS];
    size_t takes = hz_model_input_count(model), gives = hz_model_output_count(model);
    bool good = takes <= PORTS && gives <= PORTS;
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) {
        room[i] = hz_random_draw(random, 3);
    }
    for (size_t i = 0; i < takes && good; i++) {
        good = make_input(hz_model_input(model, i), random, room, &inputs[i]);
    }
    hz_arena arena = {0};
    hz_error err;
    if (good) {
        hz_status status = hz_model_run(model, inputs, takes, outputs, gives, &arena, &err);
        assert_true(status == HZ_OK || status == HZ_MODEL_RUN);
        assert_true(status == HZ_OK || err.message[0]);
        tally->run += status == HZ_OK;
    }
    hz_arena_fini(&arena);
}

static void open_and_run(const wire *bytes, hz_random *random, outcome *tally) {
    hz_model_options options = {.limits = LIMITS};
    hz_model *model = NULL;
    hz_error err;
    hz_status status = hz_model_open(bytes->data, bytes->length, &options, &model, &err);
    if (status != HZ_OK) {
        assert_true(status == HZ_GRAPH || status == HZ_NO_MEMORY);
        assert_true(err.message[0]);
        tally->refused++;
        return;
    }
    tally->opened++;
    run(model, random, tally);
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
}

/* A copy with one or two places changed. */
static wire mutate(hz_random *random, const wire *from) {
    wire to = {0};
    wire_add(&to, from->data, from->length);
    for (uint32_t n = 1 + hz_random_draw(random, 6) / 4; n > 0 && to.length > 8; n--) {
        size_t at = hz_random_draw(random, (uint32_t)to.length);
        size_t some = 1 + hz_random_draw(random, 8);
        some = some < to.length - at ? some : to.length - at;
        uint8_t copy[8];
        switch (hz_random_draw(random, 6)) {
        case 0:
            to.data[at] = (uint8_t)hz_random_draw(random, 256);
            break;
        case 1:
            to.data[at] = (uint8_t)(to.data[at] ^ 1u << hz_random_draw(random, 8));
            break;
        case 2: /* cut out */
            memmove(to.data + at, to.data + at + some, to.length - at - some);
            to.length -= some;
            break;
        case 3: /* over another place */
            memcpy(copy, to.data + at, some);
            at = hz_random_draw(random, (uint32_t)(to.length - some) + 1);
            memcpy(to.data + at, copy, some);
            break;
        case 4: { /* a small number, as numbers of dimensions and axes are */
            static const uint8_t SMALL[] = {0, 1, 2, 3, 4, 8, 127, 255};
            to.data[at] = SMALL[hz_random_draw(random, 8)];
            break;
        }
        default: /* one more or less */
            to.data[at] = (uint8_t)(to.data[at] + (hz_random_draw(random, 2) ? 1 : 255));
            break;
        }
    }
    return to;
}

static void mutations(const wire *model, hz_random *random, size_t count, outcome *tally) {
    while (count-- > 0) {
        wire changed = mutate(random, model);
        open_and_run(&changed, random, tally);
        wire_free(&changed);
    }
}

static void a_network_with_changed_bytes_is_refused_or_runs(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    hz_arena arena = {0};
    const void *bytes;
    size_t length;
    outcome tally = {0};
    wire model = {0};
    graphs_network(&arena, &random, (int64_t[]){7, 5, 4, 1}, 3, &bytes, &length);
    wire_add(&model, bytes, length);
    mutations(&model, &random, test_effort(3000), &tally);
    wire_free(&model);
    hz_arena_fini(&arena);
    test_met(tally.refused > 0 && tally.opened > 0 && tally.run > 0);
    print_message("# %zu refused, %zu opened, %zu of them run\n", tally.refused, tally.opened,
                  tally.run);
}

static int is_case(const struct dirent *entry) {
    return strncmp(entry->d_name, "test_", 5) == 0;
}

static bool read_model(const char *folder, const char *name, wire *model) {
    char path[600];
    uint8_t buffer[4096];
    (void)snprintf(path, sizeof path, "%s/%s/model.onnx", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        return false;
    }
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;) {
        wire_add(model, buffer, got);
    }
    fclose(file);
    return true;
}

static void node_cases_with_changed_bytes_are_refused_or_run(void **state) {
    (void)state;
    const char *folder = getenv("HAZARD_ONNX_TESTDATA");
    struct dirent **entries = NULL;
    folder = folder && *folder ? folder : FOLDER;
    int count = scandir(folder, &entries, is_case, alphasort);
    if (count <= 0) {
        test_leave_out("the node cases of libonnx-testdata are not installed");
    }
    hz_random random = hz_random_from_seed(test_seed());
    outcome tally = {0};
    for (int i = 0; i < count; i++) {
        wire model = {0};
        if (read_model(folder, entries[i]->d_name, &model)) {
            mutations(&model, &random, test_effort(20), &tally);
        }
        wire_free(&model);
        free(entries[i]);
    }
    free(entries);
    test_met(tally.refused > 0 && tally.opened > 0 && tally.run > 0);
    print_message("# %zu refused, %zu opened, %zu of them run\n", tally.refused, tally.opened,
                  tally.run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_with_changed_bytes_is_refused_or_runs),
        cmocka_unit_test(node_cases_with_changed_bytes_are_refused_or_run),
    };
    return cmocka_run_group_tests_name("model/mutated", tests, NULL, NULL);
}
