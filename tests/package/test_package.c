/* SPDX-License-Identifier: MIT */
/* Packages in the file system: which files are read, and every refusal from the first missing file
 * to the shape of the graph's output, in order. */
#include "package/fake.h"
#include "package/folder.h"

#include <fcntl.h>

#define MODEL_BYTES "these bytes stand for a graph"

/* A package whose manifest is the draft with the digest of MODEL_BYTES. */
static void write_package(folder *f, draft *d) {
    char digest[67];
    json_digest(MODEL_BYTES, strlen(MODEL_BYTES), digest);
    draft_set(d, "modelSha256", digest);
    folder_write_text(f, "model.onnx", MODEL_BYTES);
    folder_write_text(f, "manifest.json", draft_text(d));
    draft_set(d, "modelSha256", "\"" DRAFT_DIGEST "\"");
}

/* The folder is refused by hz_package_load; the message begins with the path of `file` in it. */
static void must_refuse(folder *f, const char *engine, hz_status expected, const char *file,
                        const char *required) {
    hz_package *package = NULL;
    hz_error err;
    hz_error_clear(&err);
    refused(required, expected, hz_package_load(f->path, engine, &package, &err), &err,
            folder_entry(f, file), required);
    assert_null(package);
}

static void a_package_says_what_it_is(void **state) {
    (void)state;
    folder f;
    draft d = draft_good();
    hz_package *package = NULL;
    hz_error err;
    folder_make(&f);
    draft_set(&d, "modelRole", "\"move-prerank\"");
    write_package(&f, &d);
    folder_write_text(&f, "notes.txt", "ignored");
    assert_int_equal(hz_package_load(f.path, NULL, &package, &err), HZ_OK);
    assert_string_equal(hz_package_manifest(package)->model_id, "unit");
    assert_int_equal(hz_package_role(package), HZ_ROLE_MOVE_PRERANK);
    assert_ptr_equal(hz_package_schema(package), hz_schema_find("kcp-13"));
    assert_string_equal(hz_package_model_path(package), folder_entry(&f, "model.onnx"));
    assert_string_equal(hz_package_manifest_path(package), folder_entry(&f, "manifest.json"));
    hz_package_free(package);
    hz_package_free(NULL);
    folder_remove(&f);
}

static void a_slash_behind_the_folder_changes_nothing(void **state) {
    (void)state;
    folder f;
    draft d = draft_good();
    hz_package *package = NULL;
    char path[FOLDER_PATH];
    folder_make(&f);
    write_package(&f, &d);
    snprintf(path, sizeof path, "%s/", f.path);
    assert_int_equal(hz_package_load(path, NULL, &package, NULL), HZ_OK);
    assert_string_equal(hz_package_model_path(package), folder_entry(&f, "model.onnx"));
    hz_package_free(package);
    folder_remove(&f);
}

static void two_files_may_have_any_names(void **state) {
    (void)state;
    folder f;
    draft d = draft_good();
    hz_package *package = NULL;
    hz_error err;
    folder_make(&f);
    const char *model = folder_write_text(&f, "a.bin", MODEL_BYTES);
    const char *manifest = folder_write_text(&f, "b.txt", draft_text(&d));
    assert_int_equal(hz_package_load_files(model, manifest, NULL, &package, &err), HZ_OK);
    assert_string_equal(hz_package_model_path(package), model);
    hz_package_free(package);
    package = NULL;
    refused("model", HZ_MODEL_FILE,
            hz_package_load_files("no such file", manifest, NULL, &package, &err), &err,
            "no such file", "model file not readable");
    refused("manifest", HZ_MANIFEST_FILE,
            hz_package_load_files(model, "no such file", NULL, &package, &err), &err,
            "no such file", "manifest file not readable");
    assert_null(package);
    folder_remove(&f);
}

static void what_is_no_folder_is_an_unreadable_model(void **state) {
    (void)state;
    folder f;
    hz_package *package = NULL;
    hz_error err;
    char path[FOLDER_PATH + 20];
    folder_make(&f);
    const char *archive = folder_write_text(&f, "package.zip", "PK");
    snprintf(path, sizeof path, "%s/model.onnx", archive);
    refused("file", HZ_MODEL_FILE, hz_package_load(archive, NULL, &package, &err), &err, path,
            "model.onnx: model file not readable");
    refused("nothing", HZ_MODEL_FILE, hz_package_load("no such folder", NULL, &package, &err), &err,
            "no such folder/model.onnx", "model file not readable");
    refused("empty", HZ_MODEL_FILE, hz_package_load("", NULL, &package, &err), &err, "model.onnx",
            "model file not readable");
    assert_null(package);
    folder_remove(&f);
}

/* Nothing waits for a pipe's other end, reads from a device, or takes a folder for a file. */
static void only_regular_files_are_read(void **state) {
    (void)state;
    folder f;
    draft d = draft_good();
    hz_package *package = NULL;
    hz_error err;
    folder_make(&f);
    const char *good = folder_write_text(&f, "good", draft_text(&d));
    const char *pipe_path = folder_entry(&f, "pipe"), *inner = folder_entry(&f, "inner");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_int_equal(mkdir(inner, 0700), 0);
    const char *const odd[] = {pipe_path, inner, "/dev/null", "/dev/zero"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        refused(odd[i], HZ_MODEL_FILE, hz_package_load_files(odd[i], good, NULL, &package, &err),
                &err, odd[i], "model file not readable (it is ");
        refused(odd[i], HZ_MANIFEST_FILE, hz_package_load_files(good, odd[i], NULL, &package, &err),
                &err, odd[i], "manifest file not readable (it is ");
        char hex[65];
        refused(odd[i], HZ_IO, hz_sha256_file(odd[i], hex, &err), &err, odd[i],
                "cannot digest (it is ");
        hz_scorer *scorer = NULL;
        refused(odd[i], HZ_MODEL_FILE,
                hz_scorer_open(&(hz_model_source){.path = odd[i]}, NULL, &scorer, &err), &err,
                odd[i], "model file not readable (it is ");
        assert_null(scorer);
    }
    assert_null(package);
    folder_remove(&f);
}

static void a_manifest_file_ends_at_one_mebibyte(void **state) {
    (void)state;
    folder f;
    draft d = draft_good();
    hz_package *package = NULL;
    char *text = malloc(HZ_MANIFEST_BYTES_MAX + 1);
    assert_non_null(text);
    folder_make(&f);
    write_package(&f, &d);
    memset(text, ' ', HZ_MANIFEST_BYTES_MAX + 1);
    memcpy(text, draft_text(&d), strlen(d.text));
    folder_write(&f, "manifest.json", text, HZ_MANIFEST_BYTES_MAX);
    assert_int_equal(hz_package_load(f.path, NULL, &package, NULL), HZ_OK);
    hz_package_free(package);
    folder_write(&f, "manifest.json", text, HZ_MANIFEST_BYTES_MAX + 1);
    must_refuse(&f, NULL, HZ_MANIFEST, "manifest.json", "not valid JSON: more than 1048576 bytes");
    free(text);
    folder_remove(&f);
}

/* ---- every refusal in order ---- */

/* Opens the package as a leaf: loads it, asks for the role, opens a scorer. */
static hz_status open_as(folder *f, const char *engine, hz_role wanted, bool leaf, fake *runtime,
                         hz_error *err) {
    hz_package *package = NULL;
    hz_scorer *scorer = NULL;
    hz_error_clear(err);
    hz_status status = hz_package_load(f->path, engine, &package, err);
    hz_model_source source = {.package = package};
    hz_scorer_options options = {.executor = &runtime->executor};
    if (status == HZ_OK) {
        status = hz_model_source_role(&source, wanted, leaf, err);
    }
    if (status == HZ_OK) {
        status = hz_scorer_open(&source, &options, &scorer, err);
    }
    hz_package_free(package);
    if (status == HZ_OK) {
        assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    } else {
        assert_null(scorer);
    }
    assert_int_equal(runtime->opens, runtime->closes);
    return status;
}

/* One thing after the other is mended in a package in which everything is wrong. */
static void every_refusal_comes_in_order(void **state) {
    (void)state;
    folder f;
    fake runtime;
    hz_error err;
    char digest[67], text[300];
    folder_make(&f);
    fake_make(&runtime, 12);
    runtime.inputs[0] = (hz_port){.name = "x"};
    runtime.outputs[0] = (hz_port){.name = "y"};
    runtime.open_status = HZ_GRAPH;
    const char *model = folder_entry(&f, "model.onnx");
    const char *manifest = folder_entry(&f, "manifest.json");
#define STEP(code, path, required)                                                                 \
    refused(required, code, open_as(&f, "0.11.0", HZ_ROLE_CHANCE_COLLAPSE, false, &runtime, &err), \
            &err, path, required)
    /* files */
    STEP(HZ_MODEL_FILE, model, "model.onnx: model file not readable");
    folder_write_text(&f, "model.onnx", "not the model yet");
    STEP(HZ_MANIFEST_FILE, manifest, "manifest.json: manifest file not readable");
    /* parsing and validating; test_manifest.c has all of their steps */
    folder_write_text(&f, "manifest.json", "{");
    STEP(HZ_MANIFEST, manifest, "not valid JSON");
    folder_write_text(&f, "manifest.json", "[]");
    STEP(HZ_MANIFEST, manifest, "manifest must be a JSON object");
    draft d = draft_good();
    draft_set(&d, "modelId", "\"\"");
    draft_set(&d, "engineCompatibility", "\">=0.12.0\"");
    draft_set(&d, "provenance", "[]");
    folder_write_text(&f, "manifest.json", draft_text(&d));
    STEP(HZ_MANIFEST, manifest, "field 'provenance' must be an object");
    draft_set(&d, "provenance", NULL);
    folder_write_text(&f, "manifest.json", draft_text(&d));
    STEP(HZ_MANIFEST, manifest, "modelId must not be blank");
    draft_set(&d, "modelId", "\"m\"");
    folder_write_text(&f, "manifest.json", draft_text(&d));
    STEP(HZ_ENGINE_VERSION, manifest,
         "engineCompatibility '>=0.12.0' does not include engine version '0.11.0'");
    draft_set(&d, "engineCompatibility", "\">=0.11.0\"");
    folder_write_text(&f, "manifest.json", draft_text(&d));
    /* the gate */
    STEP(HZ_MODEL_ROLE, manifest, "modelRole 'position-value' cannot serve as 'chance-collapse'");
    draft_set(&d, "modelRole", "\"chance-collapse\"");
    folder_write_text(&f, "manifest.json", draft_text(&d));
    refused("leaf", HZ_MODEL_ROLE,
            open_as(&f, "0.11.0", HZ_ROLE_POSITION_VALUE, true, &runtime, &err), &err, manifest,
            "modelRole 'chance-collapse' cannot serve as the leaf evaluator");
    /* the digest */
    STEP(HZ_MODEL_DIGEST, model, "model SHA-256 mismatch");
    hz_sha256_hex("not the model yet", strlen("not the model yet"), text);
    STEP(HZ_MODEL_DIGEST, model, text);
    STEP(HZ_MODEL_DIGEST, model, DRAFT_DIGEST);
    json_digest(MODEL_BYTES, strlen(MODEL_BYTES), digest);
    draft_set(&d, "modelSha256", digest);
    folder_write_text(&f, "manifest.json", draft_text(&d));
    folder_write_text(&f, "model.onnx", MODEL_BYTES);
    assert_string_equal(runtime.digest, ""); /* nothing was handed to the runtime so far */
    /* the graph */
    STEP(HZ_GRAPH, model, "cannot read the ONNX graph: node 'n' is not to its liking");
    assert_memory_equal(runtime.digest, digest + 1, 64);
    assert_int_equal(runtime.opens, 0);
    runtime.open_status = HZ_OK;
    STEP(HZ_GRAPH_CONTRACT, model, "input 'x' must be a tensor");
    runtime.inputs[0].is_tensor = true;
    STEP(HZ_GRAPH_CONTRACT, model, "output 'y' must be a tensor");
    runtime.outputs[0].is_tensor = true;
    STEP(HZ_GRAPH_CONTRACT, model,
         "ONNX model must expose exactly one input named 'input'; found [x]");
    runtime.inputs[0].name = "input";
    STEP(HZ_GRAPH_CONTRACT, model,
         "ONNX model must expose exactly one output named 'output'; found [y]");
    runtime.outputs[0].name = "output";
    STEP(HZ_GRAPH_CONTRACT, model, "input 'input' must have FLOAT dtype");
    runtime.inputs[0] = fake_port("input", 12);
    STEP(HZ_GRAPH_CONTRACT, model,
         "input 'input' must have shape [batch,13] with a dynamic batch dimension; got [batch,12]");
    runtime.inputs[0] = fake_port("input", 13);
    STEP(HZ_GRAPH_CONTRACT, model, "output 'output' must have FLOAT dtype");
    runtime.outputs[0].element = HZ_ELEMENT_FLOAT;
    STEP(HZ_GRAPH_CONTRACT, model,
         "output 'output' must have shape [batch,1] with a dynamic batch dimension; got [?]");
    runtime.outputs[0] = fake_port("output", 1);
    assert_int_equal(open_as(&f, "0.11.0", HZ_ROLE_CHANCE_COLLAPSE, false, &runtime, &err), HZ_OK);
    assert_int_equal(runtime.opens, 9);
#undef STEP
    folder_remove(&f);
}

static void a_role_fits_itself_only_and_a_bare_path_any(void **state) {
    (void)state;
    folder f;
    folder_make(&f);
    for (size_t declared = 0; declared < HZ_ROLES; declared++) {
        draft d = draft_good();
        char role[40], text[120];
        hz_package *package = NULL;
        snprintf(role, sizeof role, "\"%s\"", hz_role_id((hz_role)declared));
        draft_set(&d, "modelRole", role);
        write_package(&f, &d);
        assert_int_equal(hz_package_load(f.path, NULL, &package, NULL), HZ_OK);
        hz_model_source of_package = {.package = package}, bare = {.path = "anything"};
        for (size_t wanted = 0; wanted < HZ_ROLES; wanted++) {
            hz_error err;
            hz_error_clear(&err);
            assert_int_equal(hz_model_source_role(&bare, (hz_role)wanted, true, &err), HZ_OK);
            hz_status status = hz_model_source_role(&of_package, (hz_role)wanted, false, &err);
            if (wanted == declared) {
                assert_int_equal(status, HZ_OK);
                continue;
            }
            snprintf(text, sizeof text, "modelRole '%s' cannot serve as '%s'",
                     hz_role_id((hz_role)declared), hz_role_id((hz_role)wanted));
            refused(text, HZ_MODEL_ROLE, status, &err, folder_entry(&f, "manifest.json"), text);
        }
        assert_int_equal(hz_model_source_role(&of_package, (hz_role)HZ_ROLES, false, NULL),
                         HZ_INVALID_ARGUMENT);
        assert_int_equal(hz_model_source_role(NULL, HZ_ROLE_POSITION_VALUE, false, NULL),
                         HZ_INVALID_ARGUMENT);
        hz_package_free(package);
    }
    folder_remove(&f);
}

/* ---- digests ---- */

static void digests_are_the_published_ones(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *hex;
    } known[] = {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                 {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                 {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};
    folder f;
    folder_make(&f);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char hex[65];
        hz_sha256_hex(known[i].bytes, strlen(known[i].bytes), hex);
        assert_string_equal(hex, known[i].hex);
        memset(hex, 0, sizeof hex);
        const char *path = folder_write_text(&f, "bytes", known[i].bytes);
        assert_int_equal(hz_sha256_file(path, hex, NULL), HZ_OK);
        assert_string_equal(hex, known[i].hex);
    }
    folder_remove(&f);
}

static void a_file_of_many_pieces_digests_as_its_bytes(void **state) {
    (void)state;
    enum { BYTES = 3 * (1 << 14) + 5 };
    unsigned char *bytes = malloc(BYTES);
    char whole[65], pieces[65];
    folder f;
    assert_non_null(bytes);
    for (size_t i = 0; i < BYTES; i++) {
        bytes[i] = (unsigned char)(hz_random_mix(i) >> 13);
    }
    folder_make(&f);
    const char *path = folder_write(&f, "bytes", bytes, BYTES);
    hz_sha256_hex(bytes, BYTES, whole);
    assert_int_equal(hz_sha256_file(path, pieces, NULL), HZ_OK);
    assert_string_equal(whole, pieces);
    assert_int_equal(hz_sha256_file(NULL, pieces, NULL), HZ_INVALID_ARGUMENT);
    free(bytes);
    folder_remove(&f);
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    hz_package *package = NULL;
    assert_int_equal(hz_package_load(NULL, NULL, &package, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_package_load(".", NULL, NULL, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_package_load_files(NULL, "m", NULL, &package, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_package_load_files("m", NULL, NULL, &package, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_package_load_files("m", "m", NULL, NULL, NULL), HZ_INVALID_ARGUMENT);
    assert_null(package);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_package_says_what_it_is),
        cmocka_unit_test(a_slash_behind_the_folder_changes_nothing),
        cmocka_unit_test(two_files_may_have_any_names),
        cmocka_unit_test(what_is_no_folder_is_an_unreadable_model),
        cmocka_unit_test(only_regular_files_are_read),
        cmocka_unit_test(a_manifest_file_ends_at_one_mebibyte),
        cmocka_unit_test(every_refusal_comes_in_order),
        cmocka_unit_test(a_role_fits_itself_only_and_a_bare_path_any),
        cmocka_unit_test(digests_are_the_published_ones),
        cmocka_unit_test(a_file_of_many_pieces_digests_as_its_bytes),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("package package", tests, NULL, NULL);
}
