/* SPDX-License-Identifier: MIT */
/* The fields of a query with their types and ranges; see query_request.h. */
#include "cli/query_request.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static hz_status wrong(hz_error *err, const char *name, const char *what) {
    return hz_fail(err, HZ_QUERY_FORM, HZ_NO_OFFSET, "the field \"%s\" is not %s", name, what);
}

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the query");
}

bool hzc_field_given(const hzc_request *request, const char *name) {
    return json_object_get(request->object, name) != NULL;
}

hz_status hzc_field_text(hzc_request *request, const char *name, const char **text, size_t *length,
                         hz_error *err) {
    const json_t *value = json_object_get(request->object, name);
    if (!value) {
        return HZ_OK;
    }
    if (!json_is_string(value)) {
        return wrong(err, name, "text");
    }
    *text = json_string_value(value);
    *length = json_string_length(value);
    if (strlen(*text) != *length) {
        return wrong(err, name, "text without NUL characters");
    }
    return HZ_OK;
}

hz_status hzc_field_dfen(hzc_request *request, hz_error *err) {
    const json_t *value = json_object_get(request->object, "dfen");
    if (!json_is_string(value)) {
        return wrong(err, "dfen", "text");
    }
    return hz_position_from_dfen(&request->position, json_string_value(value),
                                 json_string_length(value), err);
}

hz_status hzc_field_count(hzc_request *request, const char *name, uint64_t least, uint64_t most,
                          uint64_t *value, hz_error *err) {
    const json_t *given = json_object_get(request->object, name);
    if (!given) {
        return HZ_OK;
    }
    double number = json_is_number(given) ? json_number_value(given) : -1.0;
    if (!(number >= (double)least && number <= (double)most) || number != floor(number)) {
        return hz_fail(err, HZ_QUERY_FORM, HZ_NO_OFFSET,
                       "the field \"%s\" is not an integer from %" PRIu64 " to %" PRIu64, name,
                       least, most);
    }
    *value = (uint64_t)number;
    return HZ_OK;
}

/* Seeds are read from the raw text: a binary64 does not hold them. */
hz_status hzc_field_seed(hzc_request *request, uint64_t *seed, hz_error *err) {
    const json_t *given = json_object_get(request->object, "seed");
    if (!given) {
        hz_status status = hz_random_system_seed(seed);
        *seed &= (UINT64_C(1) << 53) - 1;
        return status == HZ_OK ? HZ_OK
                               : hz_fail(err, status, HZ_NO_OFFSET, "the system gives no seed");
    }
    char digits[24] = "";
    hzc_span raw = request->scan.seed;
    if (json_is_string(given)) {
        raw = (hzc_span){json_string_value(given), json_string_length(given)};
    }
    bool good = raw.length > 0 && raw.length < sizeof digits;
    for (size_t i = 0; i < raw.length && good; i++) {
        good = raw.text[i] >= '0' && raw.text[i] <= '9';
    }
    if (good) {
        memcpy(digits, raw.text, raw.length);
        errno = 0;
        *seed = strtoull(digits, NULL, 10);
    }
    if (!good || errno == ERANGE) {
        return wrong(err, "seed", "an integer from 0 to 18446744073709551615");
    }
    return HZ_OK;
}

hz_status hzc_field_color(hzc_request *request, const char *name, hz_color *color, hz_error *err) {
    const char *text = request->position.side == HZ_WHITE ? "white" : "black";
    size_t length;
    hz_status status = hzc_field_text(request, name, &text, &length, err);
    if (status != HZ_OK) {
        return status;
    }
    bool white = strcmp(text, "w") == 0 || strcmp(text, "white") == 0;
    bool black = strcmp(text, "b") == 0 || strcmp(text, "black") == 0;
    if (!white && !black) {
        return wrong(err, name, "\"white\", \"black\", \"w\" or \"b\"");
    }
    *color = white ? HZ_WHITE : HZ_BLACK;
    return HZ_OK;
}

hz_status hzc_field_deadline(hzc_request *request, hz_deadline *deadline, hz_error *err) {
    static const char *const of_clock[] = {"inc_ms", "move_number", "moves_to_go", "time_policy"};
    enum { MOST_MS = 1000000000 };
    uint64_t budget = 0, remaining = 0, increment = 0, number = request->position.fullmove,
             togo = 1;
    const char *name = hz_time_policy_name(0);
    size_t length;
    hz_time_policy policy = HZ_TIME_EMPIRICAL;
    bool clock = hzc_field_given(request, "time_ms");
    for (size_t i = 0; !clock && i < sizeof of_clock / sizeof *of_clock; i++) {
        if (hzc_field_given(request, of_clock[i])) {
            return hz_fail(err, HZ_QUERY_FORM, HZ_NO_OFFSET,
                           "the field \"%s\" needs the field \"time_ms\"", of_clock[i]);
        }
    }
    hz_status status = hzc_field_count(request, "budget_ms", 1, MOST_MS, &budget, err);
    if (status == HZ_OK) {
        status = hzc_field_count(request, "time_ms", 0, MOST_MS, &remaining, err);
    }
    if (status == HZ_OK) {
        status = hzc_field_count(request, "inc_ms", 0, MOST_MS, &increment, err);
    }
    if (status == HZ_OK) {
        status = hzc_field_count(request, "move_number", 1, INT32_MAX, &number, err);
    }
    if (status == HZ_OK) {
        status = hzc_field_count(request, "moves_to_go", 1, INT32_MAX, &togo, err);
    }
    if (status == HZ_OK) {
        status = hzc_field_text(request, "time_policy", &name, &length, err);
    }
    if (status == HZ_OK) {
        status = hz_time_policy_find(name, &policy, err);
    }
    if (status != HZ_OK) {
        return status;
    }
    if (clock) {
        hz_clock time = {.remaining_ms = (int64_t)remaining,
                         .increment_ms = (int64_t)increment,
                         .move_number = (int64_t)number,
                         .has_moves_to_go = hzc_field_given(request, "moves_to_go"),
                         .moves_to_go = (double)togo};
        hz_time_allotment allotment = hz_time_allot(policy, &time);
        budget = (uint64_t)hz_time_budget_ms(&allotment, HZ_TIME_OVERHEAD_LOCAL_MS);
    }
    *deadline = request->deadline;
    if (budget > 0) {
        hz_deadline wanted = hz_deadline_in_ms(budget);
        if (wanted.at_ns < deadline->at_ns) {
            *deadline = wanted;
        }
    }
    return HZ_OK;
}

/* ---- texts put together ---- */

typedef struct builder {
    hz_arena *arena;
    char *text;
    size_t length, held;
    bool failed;
} builder;

static void append(builder *b, const char *text, size_t length) {
    if (b->failed) {
        return;
    }
    if (!b->text || b->length + length + 1 > b->held) {
        size_t held = 2 * (b->length + length + 32);
        char *grown = hz_arena_grow(b->arena, b->text, b->held, held);
        if (!grown) {
            b->failed = true;
            return;
        }
        b->text = grown;
        b->held = held;
    }
    memcpy(b->text + b->length, text, length);
    b->length += length;
    b->text[b->length] = '\0';
}

static bool is_one_move(const json_t *value) {
    const char *text = json_string_value(value);
    size_t length = json_string_length(value);
    return length > 0 && !memchr(text, ',', length) && !(length == 1 && text[0] == '-');
}

hz_status hzc_field_moves(hzc_request *request, const char *name, const char **text, size_t *length,
                          hz_error *err) {
    const json_t *value = json_object_get(request->object, name);
    if (json_is_string(value)) {
        *text = json_string_value(value);
        *length = json_string_length(value);
    } else if (json_is_array(value)) {
        builder joined = {.arena = &request->session->text};
        for (size_t i = 0; i < json_array_size(value); i++) {
            const json_t *element = json_array_get(value, i);
            if (!json_is_string(element)) {
                return wrong(err, name, "an array of texts");
            }
            if (!is_one_move(element)) {
                return hz_fail(err, HZ_MOVE_TEXT, HZ_NO_OFFSET,
                               "element %zu of the field \"%s\" is not one micro-move", i, name);
            }
            append(&joined, ",", i > 0);
            append(&joined, json_string_value(element), json_string_length(element));
        }
        if (joined.failed) {
            return no_memory(err);
        }
        *text = joined.text;
        *length = joined.length;
    } else {
        return wrong(err, name, "an array of micro-moves or text");
    }
    if (*length == 0) {
        *text = "-";
        *length = 1;
    }
    return HZ_OK;
}

/* A key of a bot text must not be able to begin another option. */
static bool is_plain(const char *text) {
    return *text && text[strcspn(text, ",=:")] == '\0';
}

/* Text of an option's value; NULL when it has no such type. */
static const char *option_text(const json_t *value, char buffer[HZC_NUMBER_CAPACITY]) {
    if (json_is_boolean(value)) {
        return json_is_true(value) ? "true" : "false";
    }
    if (json_is_number(value)) {
        (void)hzc_double_text(json_number_value(value), buffer);
        return buffer;
    }
    const char *text = json_string_value(value);
    return text && strlen(text) == json_string_length(value) ? text : NULL;
}

/* A value, with what would end it escaped. */
static void append_value(builder *b, const char *value) {
    for (; *value; value++) {
        if (*value == ',' || *value == '\\') {
            append(b, "\\", 1);
        }
        append(b, value, 1);
    }
}

hz_status hzc_field_bot(hzc_request *request, const char **text, hz_error *err) {
    const char *bot = "", *model = NULL;
    size_t length = 0;
    const json_t *options = json_object_get(request->object, "options");
    hz_status status = hzc_field_text(request, "model", &model, &length, err);
    if (model) {
        bot = "onnx-expectimax";
    }
    if (status == HZ_OK) {
        status = hzc_field_text(request, "bot", &bot, &length, err);
    }
    if (status != HZ_OK) {
        return status;
    }
    if (options && !json_is_object(options)) {
        return wrong(err, "options", "an object");
    }
    builder joined = {.arena = &request->session->text};
    append(&joined, bot, strlen(bot));
    bool first = !strchr(bot, ':');
    /* The iterator of this library takes a pointer to non-const, but changes nothing. */
    json_t *object = json_object_get(request->object, "options");
    for (void *i = json_object_iter(object); i; i = json_object_iter_next(object, i)) {
        char number[HZC_NUMBER_CAPACITY];
        const char *key = json_object_iter_key(i);
        const char *value = option_text(json_object_iter_value(i), number);
        if (!value) {
            return hz_fail(err, HZ_QUERY_FORM, HZ_NO_OFFSET,
                           "the option \"%s\" of the field \"options\" is not text, a number or a "
                           "truth value",
                           key);
        }
        if (!is_plain(key) || !*value) {
            return hz_fail(err, HZ_BAD_OPTION, HZ_NO_OFFSET,
                           "the option \"%s\" is empty or its name holds one of , = :", key);
        }
        append(&joined, first ? ":" : ",", 1);
        append(&joined, key, strlen(key));
        append(&joined, "=", 1);
        append_value(&joined, value);
        first = false;
    }
    if (model) {
        append(&joined, first ? ":" : ",", 1);
        append(&joined, "model=", strlen("model="));
        append_value(&joined, model);
    }
    if (joined.failed) {
        return no_memory(err);
    }
    *text = joined.length > 0 ? joined.text : NULL;
    return HZ_OK;
}
