/* SPDX-License-Identifier: MIT */
/*
 * The inference handles of a bot: opened one after the other, closed newest first, whatever fails.
 * And models named in a bot's text: a folder is a package, anything else a graph without one.
 */
#ifndef HAZARD_BOTS_MODEL_HANDLES_H
#define HAZARD_BOTS_MODEL_HANDLES_H

#include <hazard/bots.h>

/* Opened handles in order. Zero-initialise with room for what will be opened. */
typedef struct hzi_handles {
    size_t count;
    hz_scorer **scorers; /* owned array of the bot */
} hzi_handles;

/* Opens one more. */
hz_status hzi_handles_open(hzi_handles *handles, const hz_model_source *source,
                           const hz_scorer_options *options, hz_error *err);
/* Closes all, newest first. HZ_OK, or the first failure with the others behind its message. */
hz_status hzi_handles_close(hzi_handles *handles, hz_error *err);
/* The same after another failure, whose error stays the first: failures to close are put behind its
 * message. */
void hzi_handles_abandon(hzi_handles *handles, hz_error *err);

/* Rows of all handles whose output was not finite, since they were opened. */
uint64_t hzi_handles_non_finite(const hzi_handles *handles);

/* The judge behind a handle; *slot may be filled after the judge was handed out. */
hz_judge hzi_handle_judge(hz_scorer **slot);
bool hzi_source_given(const hz_model_source *source);

/* The executor of an option "auto|builtin|onnxruntime". The error's offset is the option's. */
hz_status hzi_executor_of(const hz_option_value *value, hz_scorer_options *options, hz_error *err);
#define HZI_EXECUTOR_OPTION                                                                        \
    {                                                                                              \
        "executor", HZ_OPTION_CHOICE, 0, 0, "auto", "auto|builtin|onnxruntime",                    \
            "what runs the model; auto is builtin", 0                                              \
    }
#define HZI_SCHEMA_OPTION                                                                          \
    {                                                                                              \
        "schema", HZ_OPTION_TEXT, 0, 0, NULL, "the id of a feature schema",                        \
            "columns of models given as a bare file (material-7-v1); packages say theirs", 0       \
    }

/* Models named by options, and the packages among them. */
typedef struct hzi_model_texts {
    size_t count;
    struct {
        const hz_option_value *value;
        hz_model_source *source;
        hz_package *package; /* owned; NULL for a bare file */
    } models[4];
} hzi_model_texts;

/* Loads the model an option names, if it was given, into *source. The error's offset is the
 * option's. */
hz_status hzi_model_texts_add(hzi_model_texts *texts, const hz_option_value *value,
                              hz_model_source *source, hz_error *err);
/* Applies the option "schema" to what was added: HZ_CONFLICT when only packages are there. */
hz_status hzi_model_texts_schema(const hzi_model_texts *texts, const hz_option_value *value,
                                 hz_error *err);
/* Puts the place of the option behind `source` into an error, when it was one of these. */
void hzi_model_texts_place(const hzi_model_texts *texts, const hz_model_source *source,
                           hz_error *err);
void hzi_model_texts_fini(hzi_model_texts *texts);

#endif
