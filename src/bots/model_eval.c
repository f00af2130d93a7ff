/* SPDX-License-Identifier: MIT */
/*
 * The bot `onnx-eval`: plays the result whose position a model likes best. It looks no turn ahead,
 * so the dearer feature schemas can be afforded. With a clock the results are judged in
 * chunks, in list order, for as long as there is time.
 */
#include "bots/roster.h"

#include "bots/choice.h"
#include "bots/model_handles.h"

#include <stdlib.h>

/* Rows of a chunk: with a clock, which is read before each; without. */
enum { TIMED_CHUNK = 32, UNTIMED_CHUNK = 256 };

typedef struct one_turn {
    hzi_handles handles;
    hz_scorer *scorer; /* the place of the only handle */
} one_turn;

static const hz_bot_info info = {
    "onnx-eval", "One-Turn Model", "plays the result a model likes best", 8, true, true};

/* The first of the results with most material. */
static hz_status take_material(const hz_bot_request *request, const hz_result_list *list,
                               hz_bot_answer *answer, hz_error *err) {
    hz_color mover = (hz_color)request->position->side;
    const hz_result *best = NULL;
    int32_t most = 0;
    for (size_t i = 0; i < list->count; i++) {
        int32_t material = hz_evaluate_material(&list->results[i].after, mover);
        if (!best || material > most) {
            best = &list->results[i];
            most = material;
        }
    }
    return hzi_choice_take(request, best, most, answer, err);
}

static hz_status choose(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                        hz_error *err) {
    const one_turn *bot = state;
    hz_result_list list;
    bool answered;
    hz_status status = hzi_choice_open(request, &list, answer, &answered, err);
    if (status != HZ_OK || answered) {
        return status;
    }
    uint64_t before = hz_scorer_non_finite_rows(bot->scorer);
    size_t chunk = hz_deadline_is_timed(request->deadline) ? TIMED_CHUNK : UNTIMED_CHUNK;
    int32_t *values = hzi_choice_values(request, &list, err);
    hz_position *positions = hz_arena_alloc(request->arena, chunk * sizeof *positions);
    if (!values || !positions) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for judging the results");
    }
    hz_result_list judged = list;
    judged.count = 0;
    while (judged.count < list.count && !hz_deadline_expired(request->deadline)) {
        size_t n = list.count - judged.count < chunk ? list.count - judged.count : chunk;
        for (size_t i = 0; i < n; i++) {
            positions[i] = list.results[judged.count + i].after;
        }
        status = hz_scorer_scores(bot->scorer, positions, n, (hz_color)request->position->side,
                                  values + judged.count, err);
        if (status != HZ_OK) {
            return status;
        }
        judged.count += n;
    }
    answer->non_finite_rows = hz_scorer_non_finite_rows(bot->scorer) - before;
    return judged.count > 0 ? hzi_choice_pick(request, &judged, values, answer, err)
                            : take_material(request, &list, answer, err);
}

static bool judge(void *state, hz_bot_judgement *judgement) {
    one_turn *bot = state;
    *judgement = (hz_bot_judgement){.judge = hzi_handle_judge(&bot->scorer),
                                    .depth = 1,
                                    .win = HZ_SCORE_UPPER,
                                    .loss = 0,
                                    .schema = hz_scorer_schema(bot->scorer),
                                    .name = "model"};
    return true;
}

static hz_status shut(void *state, hz_error *err) {
    one_turn *bot = state;
    hz_status status = hzi_handles_close(&bot->handles, err);
    free(bot);
    return status;
}

hz_status hz_bot_model_eval(const hz_bot_model_eval_config *config, hz_bot *bot, hz_error *err) {
    if (!hzi_source_given(&config->model)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "onnx-eval needs a model");
    }
    hz_status status = hz_model_source_role(&config->model, HZ_ROLE_POSITION_VALUE, false, err);
    if (status != HZ_OK) {
        return status;
    }
    one_turn *made = calloc(1, sizeof *made);
    if (!made) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a model bot");
    }
    made->handles.scorers = &made->scorer;
    status = hzi_handles_open(&made->handles, &config->model, &config->scorer, err);
    if (status != HZ_OK) {
        free(made);
        return status;
    }
    *bot = (hz_bot){.info = &info, .state = made, .choose = choose, .shut = shut, .judge = judge};
    return HZ_OK;
}

/* ---- from text ---- */

enum { OPTION_MODEL, OPTION_SCHEMA, OPTION_EXECUTOR };

static const hz_bot_option options[] = {
    {"model", HZ_OPTION_FILE, 0, 0, NULL, "a package's folder or an ONNX file",
     "the model; always needed", 0},
    HZI_SCHEMA_OPTION,
    HZI_EXECUTOR_OPTION,
};

static hz_status open(void *context, const hz_option_value *values, hz_bot *bot, hz_error *err) {
    (void)context;
    hz_bot_model_eval_config config = {0};
    hzi_model_texts texts = {0};
    if (!values[OPTION_MODEL].given) {
        return hz_fail(err, HZ_BAD_OPTION, values[OPTION_MODEL].offset,
                       "onnx-eval needs the option \"model\"");
    }
    hz_status status = hzi_model_texts_add(&texts, &values[OPTION_MODEL], &config.model, err);
    if (status == HZ_OK) {
        status = hzi_model_texts_schema(&texts, &values[OPTION_SCHEMA], err);
    }
    if (status == HZ_OK) {
        status = hzi_executor_of(&values[OPTION_EXECUTOR], &config.scorer, err);
    }
    if (status == HZ_OK) {
        status = hz_bot_model_eval(&config, bot, err);
        if (status != HZ_OK) {
            hzi_model_texts_place(&texts, &config.model, err);
        }
    }
    hzi_model_texts_fini(&texts);
    return status;
}

const hz_bot_kind hzi_model_eval_kind = {.info = &info,
                                         .option_count = sizeof options / sizeof *options,
                                         .options = options,
                                         .open = open};
