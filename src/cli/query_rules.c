/* SPDX-License-Identifier: MIT */
/* Queries about the rules: turns, micro-moves, positions. */
#include "cli/moves.h"
#include "cli/query_request.h"
#include "cli/turn_stream.h"

static void reply_moves(hzc_request *request, const hz_move_list *list) {
    hzc_json *json = hzc_reply(request);
    hzc_json_array(json, "result");
    for (int i = 0; i < list->count; i++) {
        hzc_json_move(json, NULL, list->moves[i]);
    }
    hzc_json_end_array(json);
}

static hz_status answer_first(hzc_request *request, hz_error *err) {
    (void)err;
    hz_move_list list;
    hz_moves_first(&request->position, &list);
    reply_moves(request, &list);
    return HZ_OK;
}

static hz_status answer_pseudo(hzc_request *request, hz_error *err) {
    (void)err;
    hz_move_list list;
    hz_moves_pseudo(&request->position, &list);
    reply_moves(request, &list);
    return HZ_OK;
}

/* A list that was begun cannot be taken back, so whatever may end it early is found out by a walk
 * that only counts. */
static hz_status fits(hzc_request *request, uint64_t limit, hz_error *err) {
    if (limit == 0 && !hz_deadline_is_timed(&request->deadline)) {
        return HZ_OK;
    }
    hzc_turn_stream count = {.limit = limit};
    hz_status status =
        hz_turns_visit(&request->position, NULL, &request->deadline, hzc_stream_count, &count);
    if (status == HZ_INCOMPLETE) {
        return hz_fail(err, status, HZ_NO_OFFSET, "there are more than %llu turns",
                       (unsigned long long)limit);
    }
    return status == HZ_OK ? HZ_OK : hz_fail(err, status, HZ_NO_OFFSET, "out of time");
}

static hz_status answer_turns(hzc_request *request, hz_error *err) {
    uint64_t limit = 0;
    hz_status status = hzc_field_count(request, "limit", 1, UINT64_C(1) << 53, &limit, err);
    if (status == HZ_OK) {
        status = fits(request, limit, err);
    }
    if (status != HZ_OK) {
        return status;
    }
    hzc_json *json = hzc_reply(request);
    hzc_turn_stream stream = {.out = json->out, .json = json};
    hzc_json_array(json, "result");
    (void)hz_turns_visit(&request->position, NULL, NULL, hzc_stream_turn, &stream);
    hzc_json_end_array(json);
    return HZ_OK;
}

static hz_status answer_tree(hzc_request *request, hz_error *err) {
    hz_status status = fits(request, 0, err);
    if (status != HZ_OK) {
        return status;
    }
    hzc_json *json = hzc_reply(request);
    hzc_turn_stream stream = {.out = json->out, .json = json};
    hzc_stream_tree_open(&stream, "result");
    (void)hz_turns_visit(&request->position, NULL, NULL, hzc_stream_tree, &stream);
    hzc_stream_tree_close(&stream);
    return HZ_OK;
}

static hz_status answer_counts(hzc_request *request, hz_error *err) {
    hz_turn_counts counts;
    hz_status status = hz_turns_count(&request->position, 0, &counts, err);
    if (status != HZ_OK) {
        return status;
    }
    hzc_json *json = hzc_reply(request);
    hzc_json_object(json, "result");
    hzc_json_counts(json, &counts);
    hzc_json_end_object(json);
    return HZ_OK;
}

/* The field "played" as a turn; whatever cannot even be played begins no legal turn. */
static hz_status read_played(hzc_request *request, hz_turn *played, hz_error *err) {
    const char *text = NULL;
    size_t length = 0;
    hz_error inner;
    hz_status status = hzc_field_moves(request, "played", &text, &length, err);
    if (status != HZ_OK) {
        return status;
    }
    if (hz_turn_parse(&request->position, text, length, played, NULL, &inner) != HZ_OK) {
        return hz_fail(err, HZ_NO_SUCH_TURN, inner.offset, "no legal turn begins like this: %s",
                       inner.message);
    }
    return HZ_OK;
}

static hz_status answer_next(hzc_request *request, hz_error *err) {
    hz_turn played;
    hz_move_list list;
    hz_status status = read_played(request, &played, err);
    if (status == HZ_OK) {
        status = hz_turn_continuations(&request->position, &played, &list, err);
    }
    if (status == HZ_OK) {
        reply_moves(request, &list);
    }
    return status;
}

static hz_status answer_playable(hzc_request *request, hz_error *err) {
    hz_turn played;
    hz_pool pool = 0;
    hz_status status = read_played(request, &played, err);
    if (status == HZ_OK) {
        status = hz_turn_playable_dice(&request->position, &played, &pool, err);
    }
    if (status == HZ_NO_SUCH_TURN) {
        hzc_json_null(hzc_reply(request), "result");
        return HZ_OK;
    }
    if (status == HZ_OK) {
        hzc_json_pool(hzc_reply(request), "result", pool, (hz_color)request->position.side);
    }
    return status;
}

static hz_status answer_apply(hzc_request *request, hz_error *err) {
    const char *text = NULL;
    size_t length = 0;
    bool took_king;
    hz_status status = hzc_field_moves(request, "moves", &text, &length, err);
    if (status == HZ_OK) {
        status = hzc_moves_apply(&request->position, text, length, &took_king, err);
    }
    if (status == HZ_OK) {
        hzc_json_dfen(hzc_reply(request), "result", &request->position);
    }
    return status;
}

static hz_status answer_apply_turn(hzc_request *request, hz_error *err) {
    const char *text = NULL;
    size_t length = 0;
    hz_turn turn;
    hz_position after;
    hz_status status = hzc_field_moves(request, "turn", &text, &length, err);
    if (status == HZ_OK) {
        status = hz_turn_from_text(&request->position, text, length, &turn, &after, err);
    }
    if (status == HZ_OK) {
        hzc_json_dfen(hzc_reply(request), "result", &after);
    }
    return status;
}

static hz_status answer_hand_over(hzc_request *request, hz_error *err) {
    (void)err;
    hz_hand_over(&request->position);
    hzc_json_dfen(hzc_reply(request), "result", &request->position);
    return HZ_OK;
}

static hz_status answer_status(hzc_request *request, hz_error *err) {
    (void)err;
    hzc_json *json = hzc_reply(request);
    hzc_json_object(json, "result");
    hzc_json_status(json, &request->position);
    hzc_json_end_object(json);
    return HZ_OK;
}

static hz_status answer_position(hzc_request *request, hz_error *err) {
    (void)err;
    hzc_json *json = hzc_reply(request);
    hzc_json_object(json, "result");
    hzc_json_forms(json, &request->position);
    hzc_json_end_object(json);
    return HZ_OK;
}

static hz_status answer_perft(hzc_request *request, hz_error *err) {
    uint64_t depth = 0;
    hz_status status = hzc_field_count(request, "depth", 0,
                                       (uint64_t)request->session->limits.perft_depth, &depth, err);
    if (status == HZ_OK) {
        uint64_t nodes = hz_dice_perft(&request->position, (int)depth);
        hzc_json_count(hzc_reply(request), "result", nodes);
    }
    return status;
}

const hzc_query hzc_queries_of_rules[] = {
    {"first", "dfen", answer_first},
    {"turns", "dfen limit?", answer_turns},
    {"tree", "dfen", answer_tree},
    {"counts", "dfen", answer_counts},
    {"next", "dfen played", answer_next},
    {"playable", "dfen played", answer_playable},
    {"pseudo", "dfen", answer_pseudo},
    {"apply", "dfen moves", answer_apply},
    {"apply_turn", "dfen turn", answer_apply_turn},
    {"hand_over", "dfen", answer_hand_over},
    {"status", "dfen", answer_status},
    {"position", "dfen", answer_position},
    {"perft", "dfen depth", answer_perft},
    {0},
};
