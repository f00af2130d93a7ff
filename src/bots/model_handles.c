/* SPDX-License-Identifier: MIT */
/* Handles and the models that options name; see model_handles.h. */
#include "bots/model_handles.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- handles ---- */

hz_status hzi_handles_open(hzi_handles *handles, const hz_model_source *source,
                           const hz_scorer_options *options, hz_error *err) {
    hz_scorer *scorer = NULL;
    hz_status status = hz_scorer_open(source, options, &scorer, err);
    if (status == HZ_OK) {
        handles->scorers[handles->count++] = scorer;
    }
    return status;
}

/* Puts a second failure behind the message of the first. */
static void attach(hz_error *err, const hz_error *second) {
    if (err) {
        size_t used = strlen(err->message);
        (void)snprintf(err->message + used, sizeof err->message - used, "; while closing: %s",
                       second->message);
    }
}

hz_status hzi_handles_close(hzi_handles *handles, hz_error *err) {
    hz_status status = HZ_OK;
    while (handles->count > 0) {
        hz_error problem;
        hz_scorer *scorer = handles->scorers[--handles->count];
        handles->scorers[handles->count] = NULL;
        hz_error_clear(&problem);
        hz_status closed = hz_scorer_close(scorer, &problem);
        if (closed == HZ_OK) {
            continue;
        }
        if (status != HZ_OK) {
            attach(err, &problem);
        } else if (err) {
            *err = problem;
        }
        status = status == HZ_OK ? closed : status;
    }
    return status;
}

void hzi_handles_abandon(hzi_handles *handles, hz_error *err) {
    hz_error problem;
    if (hzi_handles_close(handles, &problem) != HZ_OK) {
        attach(err, &problem);
    }
}

static hz_status score(void *state, const hz_position *positions, size_t n, hz_color color,
                       int32_t *scores, size_t *done, hz_error *err) {
    hz_scorer *const *slot = state;
    *done = 0;
    if (!*slot) {
        return hz_fail(err, HZ_CLOSED, HZ_NO_OFFSET, "the model is closed");
    }
    hz_status status = hz_scorer_scores(*slot, positions, n, color, scores, err);
    *done = status == HZ_OK ? n : 0;
    return status;
}

uint64_t hzi_handles_non_finite(const hzi_handles *handles) {
    uint64_t rows = 0;
    for (size_t i = 0; i < handles->count; i++) {
        rows += hz_scorer_non_finite_rows(handles->scorers[i]);
    }
    return rows;
}

hz_judge hzi_handle_judge(hz_scorer **slot) {
    return (hz_judge){.state = slot, .score_batch = score};
}

bool hzi_source_given(const hz_model_source *source) {
    return source->package || source->path;
}

/* ---- models in texts ---- */

/* Errors of models carry places in other files; what a bot's text can show is the option. */
static hz_status at_option(const hz_option_value *value, hz_status status, hz_error *err) {
    if (status != HZ_OK && err) {
        err->offset = value->offset;
        err->line = err->column = 0;
    }
    return status;
}

hz_status hzi_executor_of(const hz_option_value *value, hz_scorer_options *options, hz_error *err) {
    return at_option(value, hz_executor_find(value->text, &options->executor, err), err);
}

hz_status hzi_model_texts_add(hzi_model_texts *texts, const hz_option_value *value,
                              hz_model_source *source, hz_error *err) {
    if (!value->given) {
        return HZ_OK;
    }
    struct stat about;
    hz_package *package = NULL;
    if (stat(value->text, &about) == 0 && S_ISDIR(about.st_mode)) {
        hz_status status = hz_package_load(value->text, NULL, &package, err);
        if (status != HZ_OK) {
            return at_option(value, status, err);
        }
        *source = (hz_model_source){.package = package};
    } else {
        *source = (hz_model_source){.path = value->text};
    }
    texts->models[texts->count].value = value;
    texts->models[texts->count].source = source;
    texts->models[texts->count++].package = package;
    return HZ_OK;
}

static hz_status unknown_schema(const hz_option_value *value, hz_error *err) {
    char known[300] = "";
    for (size_t i = 0; hz_schema_at(i); i++) {
        size_t used = strlen(known);
        if (strcmp(hz_schema_at(i)->game, "dicechess") == 0) {
            (void)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                           hz_schema_at(i)->id);
        }
    }
    return hz_fail(err, HZ_UNKNOWN_SCHEMA, value->offset,
                   "no schema of Dice Chess has this id; there are %s", known);
}

hz_status hzi_model_texts_schema(const hzi_model_texts *texts, const hz_option_value *value,
                                 hz_error *err) {
    if (!value->given) {
        return HZ_OK;
    }
    const hz_schema *schema = hz_schema_find(value->text);
    if (!schema || strcmp(schema->game, "dicechess") != 0) {
        return unknown_schema(value, err);
    }
    bool used = false;
    for (size_t i = 0; i < texts->count; i++) {
        if (!texts->models[i].package) {
            texts->models[i].source->schema = schema;
            used = true;
        }
    }
    return used ? HZ_OK
                : hz_fail(err, HZ_CONFLICT, value->offset,
                          "the option \"schema\" is for models given as a bare file; a package "
                          "names its own schema");
}

void hzi_model_texts_place(const hzi_model_texts *texts, const hz_model_source *source,
                           hz_error *err) {
    for (size_t i = 0; i < texts->count; i++) {
        if (texts->models[i].source == source) {
            (void)at_option(texts->models[i].value, HZ_MODEL_FILE, err);
        }
    }
}

void hzi_model_texts_fini(hzi_model_texts *texts) {
    for (size_t i = 0; i < texts->count; i++) {
        hz_package_free(texts->models[i].package);
    }
    texts->count = 0;
}
