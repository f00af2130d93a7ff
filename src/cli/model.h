/* SPDX-License-Identifier: MIT */
/*
 * What the parts of `hazard model` share: a graph given as a file or as a package's folder, the
 * executor of --executor, and the verbs.
 */
#ifndef HAZARD_CLI_MODEL_H
#define HAZARD_CLI_MODEL_H

#include "cli/json.h"
#include "cli/verbs.h"

/* A model on the command line. */
typedef struct hzc_model_place {
    bool is_package;
    char graph[4096]; /* the ONNX file */
} hzc_model_place;

/* Where its graph is: in a folder, or the file itself. */
bool hzc_model_place_of(const hzc_args *args, const char *path, hzc_model_place *place);
/* The executor of the option `name`; without it that of `otherwise`. An exit code. */
int hzc_model_executor(const hzc_args *args, const char *name, const char *otherwise,
                       const hz_executor **executor);
/* The schema of --schema; NULL without one. False after a complaint. */
bool hzc_model_schema(const hzc_args *args, const hz_schema **schema);

/*
 * An open model with what feeds it. Of a package the schema is the manifest's and everything is
 * checked; of a file it is that of --schema. An exit code; call fini in any case.
 */
typedef struct hzc_model_handle {
    hz_package *package;
    hz_scorer *scorer;       /* of a package */
    hz_model *opened;        /* of a file */
    hz_model *model;         /* either's */
    const hz_schema *schema; /* NULL = none is known */
    size_t width;            /* of a row: of all inputs together, 0 = not said */
} hzc_model_handle;
int hzc_model_open(const hzc_args *args, const char *path, const hz_executor *executor,
                   hzc_model_handle *handle);
void hzc_model_fini(hzc_model_handle *handle);

/* Numbers in a row of all inputs together; 0 when an input does not say. */
size_t hzc_model_row_width(const hz_model *model);
/* As hz_model_rows, for any number of inputs. */
hz_status hzc_model_rows(hz_model *model, const float *rows, size_t n, size_t width, float *values,
                         hz_error *err);

int hzc_model_check(const hzc_args *args);
int hzc_model_compare(const hzc_args *args);
int hzc_model_inspect(const hzc_args *args);
int hzc_model_new(const hzc_args *args);
int hzc_model_operators(const hzc_args *args);
int hzc_model_pack(const hzc_args *args);
int hzc_model_run(const hzc_args *args);
int hzc_model_runtimes(const hzc_args *args);

#endif
