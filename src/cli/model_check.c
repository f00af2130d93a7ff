/* SPDX-License-Identifier: MIT */
/* `hazard model check` and `hazard model pack`: what a package must fulfil, and making one. */
#include "cli/model.h"
#include "cli/player.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_GRAPH_BYTES = 48 << 20, MOST_PROVENANCE = 64, PATH_CAPACITY = 4096 };

static bool read_role(const hzc_args *args, bool *given, hz_role *role) {
    const char *id = hzc_args_value(args, "role");
    *given = id != NULL;
    if (id && !hz_role_find(id, role)) {
        (void)hzc_usage(args, "--role: '%s' is not position-value, chance-collapse or move-prerank",
                        id);
        return false;
    }
    return true;
}

/* Everything a bot would ask of a package before it plays with it. */
static hz_status open_as_served(const char *directory, const char *engine_version,
                                const hz_role *role, const hz_executor *executor,
                                hz_package **package, hz_error *err) {
    hz_scorer *scorer = NULL;
    hz_status status = hz_package_load(directory, engine_version, package, err);
    if (status != HZ_OK) {
        return status;
    }
    const hz_model_source source = {.package = *package};
    const hz_scorer_options options = {.executor = executor};
    if (role) {
        status = hz_model_source_role(&source, *role, false, err);
    }
    if (status == HZ_OK) {
        status = hz_scorer_open(&source, &options, &scorer, err);
    }
    if (status == HZ_OK) {
        status = hz_scorer_close(scorer, err);
    }
    return status;
}

/* ---- check ---- */

static void print_manifest_json(hzc_json *json, const hz_manifest *m) {
    hzc_json_text(json, "modelId", m->model_id);
    hzc_json_text(json, "modelRole", m->model_role);
    hzc_json_text(json, "featureSchema", m->feature_schema);
    hzc_json_integer(json, "featureCount", m->feature_count);
    hzc_json_text(json, "inputName", m->input_name);
    hzc_json_text(json, "outputName", m->output_name);
    hzc_json_text(json, "perspective", m->perspective);
    hzc_json_text(json, "engineCompatibility", m->engine_compatibility);
    hzc_json_text(json, "manifestVersion", m->manifest_version);
    hzc_json_text(json, "modelSha256", m->model_sha256);
    hzc_json_object(json, "provenance");
    for (size_t i = 0; i < m->provenance_count; i++) {
        hzc_json_text(json, m->provenance[i].key, m->provenance[i].value);
    }
    hzc_json_end_object(json);
}

static void print_accepted(const hzc_args *args, const char *path, const hz_package *package,
                           const hz_executor *executor) {
    const hz_manifest *m = hz_package_manifest(package);
    if (hzc_args_has(args, "json")) {
        hzc_json json = hzc_json_to(args->out);
        hzc_json_object(&json, NULL);
        hzc_json_bool(&json, "accepted", true);
        hzc_json_text(&json, "path", path);
        print_manifest_json(&json, m);
        hzc_json_text(&json, "executor", executor->name);
        hzc_json_end_object(&json);
        hzc_out_char(args->out, '\n');
        return;
    }
    hzc_out_format(args->out,
                   "accepted   %s\nmodel      %s\nrole       %s\nschema     %s (%lld columns)\n"
                   "tensors    %s -> %s\nengine     %s\nsha256     %s\nexecutor   %s\n",
                   path, m->model_id, m->model_role, m->feature_schema, (long long)m->feature_count,
                   m->input_name, m->output_name, m->engine_compatibility, m->model_sha256,
                   executor->name);
    for (size_t i = 0; i < m->provenance_count; i++) {
        hzc_out_format(args->out, "%-10s %s: %s\n", i == 0 ? "provenance" : "",
                       m->provenance[i].key, m->provenance[i].value);
    }
}

static void print_refused(const hzc_args *args, const char *path, const hz_error *err) {
    if (hzc_args_has(args, "json")) {
        hzc_json json = hzc_json_to(args->out);
        hzc_json_object(&json, NULL);
        hzc_json_bool(&json, "accepted", false);
        hzc_json_text(&json, "path", path);
        hzc_json_text(&json, "code", hz_status_name(err->code));
        hzc_json_text(&json, "message", err->message);
        hzc_json_end_object(&json);
        hzc_out_char(args->out, '\n');
    } else {
        hzc_out_format(args->out, "refused    %s\n%s: %s\n", path, hz_status_name(err->code),
                       err->message);
    }
}

int hzc_model_check(const hzc_args *args) {
    const char *path;
    bool has_role;
    hz_role role = HZ_ROLE_POSITION_VALUE;
    const hz_executor *executor;
    hz_package *package = NULL;
    hz_error err;
    if (!hzc_verb_operand(args, "a package's folder", &path) ||
        !read_role(args, &has_role, &role)) {
        return HZC_USAGE;
    }
    int code = hzc_model_executor(args, "executor", "builtin", &executor);
    if (code != HZC_DONE) {
        return code;
    }
    hz_status status = open_as_served(path, hzc_args_value(args, "engine-version"),
                                      has_role ? &role : NULL, executor, &package, &err);
    if (status == HZ_OK) {
        print_accepted(args, path, package, executor);
    } else if (status == HZ_NO_MEMORY) {
        code = hzc_report(args, &err, NULL, 0);
    } else {
        print_refused(args, path, &err);
        code = HZC_NO;
    }
    hz_package_free(package);
    return code;
}

/* ---- pack ---- */

/* What pack needs, and what it makes. */
typedef struct packing {
    const hzc_args *args;
    const char *graph, *out;
    hz_role role;
    char *bytes; /* owned */
    size_t length;
    char sha256[65];
    hz_provenance provenance[MOST_PROVENANCE];
    char *provenance_text; /* owned copies of the pairs */
    hz_manifest manifest;
    hz_graph *read; /* owned; the names of its ports */
    char *text;     /* owned; of the manifest */
    size_t text_length;
    char staging[PATH_CAPACITY]; /* the folder until it is renamed; "" = none */
} packing;

static int need(const packing *p, const char *option, const char **value) {
    *value = hzc_args_value(p->args, option);
    return *value ? HZC_DONE : hzc_usage(p->args, "pack: --%s is needed", option);
}

static int read_provenance(packing *p) {
    size_t held = 1, count = 0;
    for (size_t i = 0; i < p->args->given_count; i++) {
        const hzc_given *given = &p->args->given[i];
        held += given->value ? strlen(given->value) + 1 : 0;
    }
    char *to = p->provenance_text = malloc(held);
    if (!to) {
        return hzc_complain(p->args, HZC_ENVIRONMENT, "out of memory");
    }
    for (size_t i = 0; i < p->args->given_count; i++) {
        const hzc_given *given = &p->args->given[i];
        if (!given->value || strcmp(given->option->name, "provenance") != 0) {
            continue;
        }
        const char *equals = strchr(given->value, '=');
        if (!equals || equals == given->value) {
            return hzc_usage(p->args, "--provenance: '%s' is not KEY=VALUE", given->value);
        }
        if (count == MOST_PROVENANCE) {
            return hzc_usage(p->args, "--provenance: at most %d are kept", MOST_PROVENANCE);
        }
        size_t length = strlen(given->value);
        memcpy(to, given->value, length + 1);
        to[equals - given->value] = '\0';
        p->provenance[count++] = (hz_provenance){to, to + (equals - given->value) + 1};
        to += length + 1;
    }
    p->manifest.provenance = p->provenance;
    p->manifest.provenance_count = count;
    return HZC_DONE;
}

static int read_options(packing *p) {
    const hz_schema *schema;
    const char *id, *role, *schema_id, *engine = hzc_args_value(p->args, "engine");
    bool given;
    if (!hzc_verb_operand(p->args, "a graph", &p->graph) || need(p, "role", &role) != HZC_DONE ||
        need(p, "schema", &schema_id) != HZC_DONE || need(p, "id", &id) != HZC_DONE ||
        need(p, "out", &p->out) != HZC_DONE || !read_role(p->args, &given, &p->role) ||
        !hzc_model_schema(p->args, &schema)) {
        return HZC_USAGE;
    }
    p->manifest = (hz_manifest){.manifest_version = "1.1.0",
                                .model_id = id,
                                .model_sha256 = p->sha256,
                                .model_role = role,
                                .feature_schema = schema_id,
                                .feature_count = (int64_t)schema->width,
                                .input_name = "input",
                                .output_name = "output",
                                .perspective = "side-to-move",
                                .engine_compatibility = engine ? engine : ">=0.12.0 <1.0.0",
                                .temperature = 1.0};
    return read_provenance(p);
}

/* A refusal, with the folder's name-to-be in place of the one it had while it was made. */
static int refuse(const packing *p, hz_error *err) {
    size_t length = strlen(p->staging);
    char *at = length > 0 ? strstr(err->message, p->staging) : NULL;
    if (at && strlen(p->out) <= length) {
        size_t rest = strlen(at + length) + 1;
        memcpy(at, p->out, strlen(p->out));
        memmove(at + strlen(p->out), at + length, rest);
    }
    if (err->code == HZ_NO_MEMORY || err->code == HZ_IO) {
        return hzc_report(p->args, err, NULL, 0);
    }
    print_refused(p->args, p->graph, err);
    return HZC_NO;
}

static int write_file(const packing *p, const char *name, const char *bytes, size_t length) {
    char path[PATH_CAPACITY + 32];
    (void)snprintf(path, sizeof path, "%s/%s", p->staging, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    bool good = fd >= 0;
    while (good && length > 0) {
        ssize_t wrote = write(fd, bytes, length);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        good = wrote > 0;
        bytes += good ? wrote : 0;
        length -= good ? (size_t)wrote : 0;
    }
    good = good && fsync(fd) == 0;
    int problem = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        problem = errno;
        good = false;
    }
    return good ? HZC_DONE
                : hzc_complain(p->args, HZC_ENVIRONMENT, "%s: %s", path, strerror(problem));
}

static void remove_staging(const packing *p) {
    static const char *const names[] = {"model.onnx", "manifest.json"};
    if (p->staging[0]) {
        for (int i = 0; i < 2; i++) {
            char path[PATH_CAPACITY + 32];
            (void)snprintf(path, sizeof path, "%s/%s", p->staging, names[i]);
            (void)unlink(path);
        }
        (void)rmdir(p->staging);
    }
}

static int describe(packing *p) {
    hz_error err;
    int code = hzc_read_file(p->args, p->graph, MOST_GRAPH_BYTES, &p->bytes, &p->length);
    if (code != HZC_DONE) {
        return code;
    }
    hz_sha256_hex(p->bytes, p->length, p->sha256);
    if (hz_graph_read(p->bytes, p->length, NULL, &p->read, &err) == HZ_OK) {
        const hz_port *input = hz_graph_input(p->read, 0), *output = hz_graph_output(p->read, 0);
        p->manifest.input_name = input ? input->name : p->manifest.input_name;
        p->manifest.output_name = output ? output->name : p->manifest.output_name;
    } /* else the check will say so */
    if (hz_manifest_to_text(&p->manifest, NULL, 0, &p->text_length, &err) != HZ_OK) {
        return refuse(p, &err);
    }
    p->text = malloc(p->text_length + 1);
    if (!p->text) {
        return hzc_complain(p->args, HZC_ENVIRONMENT, "out of memory");
    }
    if (hz_manifest_to_text(&p->manifest, p->text, p->text_length + 1, &p->text_length, &err) !=
        HZ_OK) {
        return refuse(p, &err);
    }
    return HZC_DONE;
}

/* Writes the folder under another name, checks it as a bot would, and only then names it. */
static int write_package(packing *p, const hz_executor *executor) {
    struct stat there;
    hz_error err;
    hz_package *package = NULL;
    if (lstat(p->out, &there) == 0) {
        return hzc_complain(p->args, HZC_USAGE, "%s: there is something already", p->out);
    }
    size_t length = strlen(p->out);
    while (length > 1 && p->out[length - 1] == '/') {
        length--;
    }
    if (length + sizeof ".new-XXXXXX" > sizeof p->staging) {
        return hzc_complain(p->args, HZC_USAGE, "the path is too long");
    }
    (void)snprintf(p->staging, sizeof p->staging, "%.*s.new-XXXXXX", (int)length, p->out);
    if (!mkdtemp(p->staging)) {
        p->staging[0] = '\0';
        return hzc_complain(p->args, HZC_ENVIRONMENT, "%s: %s", p->out, strerror(errno));
    }
    int code = write_file(p, "model.onnx", p->bytes, p->length);
    if (code == HZC_DONE) {
        code = write_file(p, "manifest.json", p->text, p->text_length);
    }
    if (code == HZC_DONE &&
        open_as_served(p->staging, NULL, &p->role, executor, &package, &err) != HZ_OK) {
        code = refuse(p, &err);
    }
    hz_package_free(package);
    if (code == HZC_DONE && (chmod(p->staging, 0755) != 0 || rename(p->staging, p->out) != 0)) {
        code = hzc_complain(p->args, HZC_ENVIRONMENT, "%s: %s", p->out, strerror(errno));
    }
    if (code != HZC_DONE) {
        remove_staging(p);
    }
    return code;
}

static void print_packed(const packing *p) {
    if (hzc_args_has(p->args, "json")) {
        hzc_json json = hzc_json_to(p->args->out);
        hzc_json_object(&json, NULL);
        hzc_json_bool(&json, "accepted", true);
        hzc_json_text(&json, "path", p->out);
        print_manifest_json(&json, &p->manifest);
        hzc_json_end_object(&json);
        hzc_out_char(p->args->out, '\n');
    } else {
        hzc_out_format(p->args->out, "%s: %s, %s on %s, sha256 %s\n", p->out, p->manifest.model_id,
                       p->manifest.model_role, p->manifest.feature_schema, p->sha256);
    }
}

int hzc_model_pack(const hzc_args *args) {
    packing p = {.args = args};
    const hz_executor *executor;
    int code = hzc_model_executor(args, "executor", "builtin", &executor);
    if (code == HZC_DONE) {
        code = read_options(&p);
    }
    if (code == HZC_DONE) {
        code = describe(&p);
    }
    if (code == HZC_DONE) {
        code = write_package(&p, executor);
    }
    if (code == HZC_DONE) {
        print_packed(&p);
    }
    hz_graph_free(p.read);
    free(p.provenance_text);
    free(p.bytes);
    free(p.text);
    return code;
}
