/* SPDX-License-Identifier: MIT */
/* Queries that judge: capture odds, features, evaluations, the best turn, equity. */
#include "cli/captures.h"
#include "cli/equity.h"
#include "cli/query_request.h"
#include "cli/search_report.h"

#include <string.h>

static hz_status answer_odds(hzc_request *request, hz_error *err) {
    (void)err;
    hzc_captures captures = hzc_captures_of(&request->position);
    hzc_json_captures(hzc_reply(request), "result", &captures);
    return HZ_OK;
}

static hz_status answer_danger(hzc_request *request, hz_error *err) {
    (void)err;
    hzc_json_danger(hzc_reply(request), "result", &request->position);
    return HZ_OK;
}

static hz_status answer_rolls(hzc_request *request, hz_error *err) {
    const char *target = NULL;
    size_t length;
    hz_status status = hzc_field_text(request, "target", &target, &length, err);
    if (status != HZ_OK) {
        return status;
    }
    for (int i = 0; i < HZC_TARGETS; i++) {
        if (strcmp(target, hzc_targets[i].name) == 0) {
            hzc_captures captures = hzc_captures_of(&request->position);
            hzc_json_rolls(hzc_reply(request), "result", captures.rolls[i],
                           (hz_color)!hzc_targets[i].defender);
            return HZ_OK;
        }
    }
    return hz_fail(err, HZ_UNKNOWN_TARGET, HZ_NO_OFFSET,
                   "the target is white_king, white_queen, black_king or black_queen");
}

static hz_status unknown_schema(hz_error *err) {
    char list[200] = "";
    for (size_t i = 0; hz_schema_at(i); i++) {
        strncat(list, i > 0 ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, hz_schema_at(i)->id, sizeof list - strlen(list) - 1);
    }
    return hz_fail(err, HZ_UNKNOWN_SCHEMA, HZ_NO_OFFSET, "the schemas are %s", list);
}

static hz_status answer_features(hzc_request *request, hz_error *err) {
    const char *id = NULL;
    size_t length;
    hz_color color = HZ_WHITE;
    hz_status status = hzc_field_text(request, "schema", &id, &length, err);
    if (status == HZ_OK) {
        status = hzc_field_color(request, "color", &color, err);
    }
    if (status != HZ_OK) {
        return status;
    }
    const hz_schema *schema = hz_schema_find(id);
    if (!schema) {
        return unknown_schema(err);
    }
    float *row = hz_arena_alloc(&request->session->arena, schema->width * sizeof *row);
    if (!row) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a row");
    }
    hz_features_row(schema, &request->position, color, row);
    hzc_json *json = hzc_reply(request);
    hzc_json_array(json, "result");
    for (size_t i = 0; i < schema->width; i++) {
        hzc_json_float(json, NULL, row[i]);
    }
    hzc_json_end_array(json);
    return HZ_OK;
}

static hz_status answer_evaluate(hzc_request *request, hz_error *err) {
    const char *name = NULL;
    size_t length;
    hz_color color = HZ_WHITE;
    hz_evaluator evaluator;
    int32_t score = 0;
    hz_status status = hzc_field_text(request, "evaluator", &name, &length, err);
    if (status == HZ_OK) {
        status = hzc_field_color(request, "color", &color, err);
    }
    if (status == HZ_OK) {
        status = hz_evaluator_static(name, &evaluator, err);
    }
    if (status != HZ_OK) {
        return status;
    }
    status = hz_evaluator_score(&evaluator, &request->position, 1, color, &score);
    hz_evaluator_close(&evaluator);
    if (status != HZ_OK) {
        return hz_fail(err, status, HZ_NO_OFFSET, "the evaluator failed");
    }
    hzc_json_integer(hzc_reply(request), "result", score);
    return HZ_OK;
}

static void reply_best(hzc_request *request, const hz_bot_answer *answer, uint64_t seed) {
    hz_position after = answer->after;
    if (answer->pass) {
        after = request->position;
        hz_hand_over(&after);
    }
    hzc_json *json = hzc_reply(request);
    hzc_json_object(json, "result");
    hzc_json_turn(json, "turn", &answer->turn);
    hzc_json_dfen(json, "result_dfen", &after);
    if (answer->pass) {
        hzc_json_null(json, "score");
    } else {
        hzc_json_integer(json, "score", answer->score);
    }
    hzc_json_bool(json, "pass", answer->pass);
    hzc_json_array(json, "ties");
    for (size_t i = 0; i < answer->tie_count; i++) {
        hzc_json_turn(json, NULL, &answer->ties[i]);
    }
    hzc_json_end_array(json);
    hzc_json_seed(json, "seed", seed);
    hzc_json_object(json, "stats");
    hzc_json_count(json, "results", answer->results);
    hzc_json_end_object(json);
    if (answer->non_finite_rows > 0) {
        hzc_json_count(json, "nonFiniteRows", answer->non_finite_rows);
    }
    hzc_json_search(json, &request->position, answer->search, false, &request->session->arena);
    hzc_json_end_object(json);
}

static hz_status answer_best(hzc_request *request, hz_error *err) {
    const char *text = NULL;
    uint64_t seed;
    hz_bot bot;
    hz_bot_answer answer;
    hz_status status = hzc_field_bot(request, &text, err);
    if (status == HZ_OK) {
        status = hzc_field_seed(request, &seed, err);
    }
    hz_deadline deadline;
    if (status == HZ_OK) {
        status = hzc_field_deadline(request, &deadline, err);
    }
    if (status != HZ_OK) {
        return status;
    }
    status = hz_registry_open(request->session->registry, text, &bot, err);
    if (status != HZ_OK) {
        return status;
    }
    hz_random random = hz_random_from_seed(seed);
    hz_bot_request question = {.position = &request->position,
                               .random = &random,
                               .deadline = &deadline,
                               .arena = &request->session->arena};
    status = hz_bot_choose(&bot, &question, &answer, err);
    if (status == HZ_OK) {
        reply_best(request, &answer, seed);
    }
    hz_bot_close(&bot);
    return status;
}

static hz_status answer_equity(hzc_request *request, hz_error *err) {
    hz_equity_config config = hz_equity_config_default();
    const hzc_query_limits *limits = &request->session->limits;
    uint64_t rollouts = config.rollouts, plies = config.max_plies, seed;
    hz_equity equity;
    hz_status status = hzc_field_count(request, "rollouts", 1, limits->rollouts, &rollouts, err);
    if (status == HZ_OK) {
        status = hzc_field_count(request, "max_plies", 0, limits->plies, &plies, err);
    }
    if (status == HZ_OK) {
        status = hzc_field_seed(request, &seed, err);
    }
    if (status != HZ_OK) {
        return status;
    }
    config.rollouts = (uint32_t)rollouts;
    config.max_plies = (uint32_t)plies;
    hz_random random = hz_random_from_seed(seed);
    status = hz_equity_estimate(&request->position, &config, &random, &request->deadline,
                                &request->session->arena, &equity, err);
    if (status == HZ_OK) {
        hzc_json_equity(hzc_reply(request), "result", &equity, &random);
    }
    return status;
}

const hzc_query hzc_queries_of_values[] = {
    {"odds", "dfen", answer_odds},
    {"danger", "dfen", answer_danger},
    {"rolls", "dfen target", answer_rolls},
    {"features", "dfen schema color?", answer_features},
    {"evaluate", "dfen evaluator color?", answer_evaluate},
    {"best",
     "dfen bot? seed? options? model? time_ms? inc_ms? move_number? moves_to_go? time_policy? "
     "budget_ms?",
     answer_best},
    {"equity", "dfen rollouts? max_plies? seed?", answer_equity},
    {0},
};
