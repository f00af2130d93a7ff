/* SPDX-License-Identifier: MIT */
/* `hazard model`: the table of its options, and its verbs. What they do is in model_*.c. */
#include "cli/model.h"

#include <string.h>
#include <sys/stat.h>

static const char *const about[] = {
    "Works with models: ONNX graphs, and packages, which are folders with a graph (model.onnx) "
    "and a manifest (manifest.json) that says what the graph answers, on which columns, and what "
    "its digest is. The first operand says what to do.",
    "check DIR opens a package as a bot would and says why it is refused. With --role the package "
    "must fit that place: position-value, chance-collapse or move-prerank.",
    "inspect FILE shows what a graph is made of: inputs, outputs, operators with those the "
    "built-in executor cannot run, parameters, what a row costs. FILE may be a package's folder, "
    "here and below.",
    "run FILE runs a model on the lines of the standard input. A line is a position (a DFEN or "
    "'start'), made a row by the package's schema or that of --schema, or a row of numbers, with "
    "blanks, tabs or commas between them, perhaps in brackets. Each gives one line: the value "
    "and, after a tab, the score that bots make of it.",
    "new writes a graph of a known form to --out, to begin with or to train: mlp:64,32 is a "
    "network of dense layers on the columns of --schema; dual:32,32 is one on the dual view of a "
    "chess board, whose first layer reads both halves with the same numbers; xattn8-4-v1 is a "
    "small transformer over the squares of a chess board. Its numbers are random, by --seed, or "
    "those of --weights.",
    "pack FILE makes a package of a graph, for example hazard model pack net.onnx --role "
    "position-value --schema kcp-13 --id first-1 --out models/first; these four are needed. What "
    "it made is checked before the folder appears under its name; what would be refused is not "
    "written.",
    "compare FILE runs random rows through two executors and shows the largest difference.",
    "runtimes says which executors there are, or why not. operators lists what the built-in "
    "executor runs, with the opsets.",
    NULL};

static const hzc_option options[] = {
    {"role", 'r', "ROLE", "check, pack: the place the model is meant for"},
    {"schema", 's', "SCHEMA",
     "new, pack, run, compare: the columns of a row; see 'hazard features --list'"},
    {"id", 0, "TEXT", "pack: the name of the model, which says which one it is"},
    {"out", 'o', "PATH", "new: the file to make; pack: the folder; it must not be there"},
    {"arch", 0, "TEXT", "new: mlp:WIDTHS, dual:WIDTHS (numbers with commas) or xattn8-4-v1"},
    {"weights", 0, "FILE",
     "new: numbers as little-endian binary32, layer by layer, weights [out][in] before biases"},
    {"engine", 0, "RANGE",
     "pack: engine versions the model is meant for (default '>=0.12.0 <1.0.0')"},
    {"provenance", 'p', "PAIR",
     "pack: how the model was made, as KEY=VALUE; may be given several times"},
    {"engine-version", 0, "V", "check: the version to check against (default 0.12.0)"},
    {"executor", 'x', "NAME", "what runs the model: builtin (the default) or onnxruntime"},
    {"with", 'w', "NAME", "compare: the second executor (default onnxruntime)"},
    {"color", 0, "COLOR", "run: whose value a position has; by default that of the side to move"},
    {"rows", 'n', "N", "compare: random rows, 1 to 10000000 (default 1000)"},
    {"tolerance", 0, "E", "compare: the largest difference that is fine (default 0.000001)"},
    {"seed", 0, "N",
     "new: the seed of the numbers; compare: of the rows; without it the system gives one"},
    HZC_OPTION_JSON,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard model new --arch mlp:64,32 --schema kcp-13 --seed 1 --out net.onnx",
     "A network with random numbers."},
    {"hazard model inspect net.onnx", "What it is made of."},
    {"echo start | hazard model run net.onnx --schema kcp-13", "What it says of a position."},
    {"hazard model runtimes", "Which executors there are."},
    {"hazard model operators", "What the built-in one runs."},
    {0}};

static const hzc_verb verbs[] = {{"check", hzc_model_check},
                                 {"inspect", hzc_model_inspect},
                                 {"run", hzc_model_run},
                                 {"new", hzc_model_new},
                                 {"pack", hzc_model_pack},
                                 {"compare", hzc_model_compare},
                                 {"runtimes", hzc_model_runtimes},
                                 {"operators", hzc_model_operators},
                                 {0}};

bool hzc_model_place_of(const hzc_args *args, const char *path, hzc_model_place *place) {
    static const char name[] = "/model.onnx";
    struct stat status;
    place->is_package = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    size_t length = strlen(path);
    if (length + sizeof name > sizeof place->graph) {
        (void)hzc_complain(args, HZC_USAGE, "the path is too long");
        return false;
    }
    memcpy(place->graph, path, length + 1);
    if (place->is_package) {
        memcpy(place->graph + length, name, sizeof name);
    }
    return true;
}

int hzc_model_executor(const hzc_args *args, const char *name, const char *otherwise,
                       const hz_executor **executor) {
    const char *wanted = hzc_args_value(args, name);
    hz_error err;
    return hz_executor_find(wanted ? wanted : otherwise, executor, &err) == HZ_OK
               ? HZC_DONE
               : hzc_report(args, &err, NULL, 0);
}

bool hzc_model_schema(const hzc_args *args, const hz_schema **schema) {
    const char *id = hzc_args_value(args, "schema");
    *schema = id ? hzc_find_schema(args, id) : NULL;
    return !id || *schema;
}

int hzc_model_open(const hzc_args *args, const char *path, const hz_executor *executor,
                   hzc_model_handle *handle) {
    hz_error err;
    hzc_model_place place;
    *handle = (hzc_model_handle){0};
    if (!hzc_model_place_of(args, path, &place) || !hzc_model_schema(args, &handle->schema)) {
        return HZC_USAGE;
    }
    if (place.is_package) {
        if (handle->schema) {
            return hzc_usage(args, "--schema is for a bare graph; a package names its own");
        }
        hz_scorer_options wanted = {.executor = executor};
        if (hz_package_load(path, NULL, &handle->package, &err) != HZ_OK ||
            hz_scorer_open(&(hz_model_source){.package = handle->package}, &wanted, &handle->scorer,
                           &err) != HZ_OK) {
            return hzc_report(args, &err, NULL, 0);
        }
        handle->model = hz_scorer_model(handle->scorer);
        handle->schema = hz_scorer_schema(handle->scorer);
    } else {
        hz_model_options wanted = {.executor = executor};
        if (hz_model_open_file(path, &wanted, &handle->opened, &err) != HZ_OK) {
            return hzc_report(args, &err, NULL, 0);
        }
        handle->model = handle->opened;
    }
    handle->width = hzc_model_row_width(handle->model);
    if (handle->width == 0 && handle->schema) {
        handle->width = handle->schema->width;
    }
    return HZC_DONE;
}

void hzc_model_fini(hzc_model_handle *handle) {
    (void)hz_scorer_close(handle->scorer, NULL);
    (void)hz_model_close(handle->opened, NULL);
    hz_package_free(handle->package);
    *handle = (hzc_model_handle){0};
}

static int run(const hzc_args *args) {
    return hzc_verb_run(args, verbs);
}

const hzc_command hzc_command_model = {
    .name = "model",
    .summary = "make, check, inspect, run, pack and compare models",
    .operands = "VERB [FILE]",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .exit_no =
        "check: the package is refused; pack: it would be; compare: the difference is too large",
    .run = run,
};
