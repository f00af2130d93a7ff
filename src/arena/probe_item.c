/* SPDX-License-Identifier: MIT */
/* What a probe saw at one position, as a line of JSON between threads and ranks and in checkpoints. */
#include "arena/probe.h"

#include <jansson.h>
#include <math.h>

/* ---- writing ---- */

static void put_answer(hzi_text *json, const char *key, const hzi_probe_answer *a) {
    hzi_json_array(json, key);
    hzi_json_bool(json, NULL, a->pass);
    hzi_json_bool(json, NULL, a->legal);
    hzi_json_array(json, NULL);
    for (int i = 0; i < a->turn.count && i < 3; i++) {
        hzi_json_count(json, NULL, a->turn.moves[i]);
    }
    hzi_json_end_array(json);
    hzi_json_bool(json, NULL, a->turn.took_king);
    hzi_json_integer(json, NULL, a->score);
    hzi_json_double(json, NULL, a->value);
    hzi_json_bool(json, NULL, a->searched);
    hzi_json_integer(json, NULL, a->sum);
    hzi_json_count(json, NULL, a->candidates);
    hzi_json_count(json, NULL, a->collapsed);
    hzi_json_count(json, NULL, a->ns);
    hzi_json_end_array(json);
}

void hzi_probe_item_put(const hzi_probe_item *item, hzi_text *json) {
    const hzi_moments *m = &item->values;
    const double sums[] = {m->x,          m->y,      m->xx,       m->yy,     m->xy,
                           m->difference, m->square, m->absolute, m->largest};
    hzi_json_object(json, NULL);
    hzi_json_count(json, "position", item->index);
    hzi_json_count(json, "results", item->results);
    put_answer(json, "a", &item->answers[0]);
    put_answer(json, "b", &item->answers[1]);
    hzi_json_bool(json, "same", item->same);
    hzi_json_count(json, "pairs", m->count);
    hzi_json_array(json, "sums");
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        hzi_json_double(json, NULL, sums[i]);
    }
    hzi_json_end_array(json);
    hzi_json_end_object(json);
}

/* ---- reading ---- */

static bool read_count(const json_t *value, uint64_t *number) {
    json_int_t n = json_integer_value(value);
    *number = n < 0 ? 0 : (uint64_t)n;
    return json_is_integer(value) && n >= 0;
}

/* What was no finite number was written as null. */
static bool read_double(const json_t *value, double *number) {
    *number = json_is_null(value) ? (double)NAN : json_number_value(value);
    return json_is_null(value) || json_is_number(value);
}

static bool read_bool(const json_t *value, bool *truth) {
    *truth = json_is_true(value);
    return json_is_boolean(value);
}

static bool read_turn(const json_t *moves, const json_t *took_king, hz_turn *turn) {
    size_t count = json_array_size(moves);
    bool king = false;
    *turn = (hz_turn){0};
    if (!json_is_array(moves) || count > 3 || !read_bool(took_king, &king)) {
        return false;
    }
    turn->took_king = king;
    turn->count = (uint8_t)count;
    for (size_t i = 0; i < count; i++) {
        uint64_t move;
        if (!read_count(json_array_get(moves, i), &move) || move > UINT16_MAX) {
            return false;
        }
        turn->moves[i] = (hz_move)move;
    }
    return true;
}

static bool read_answer(const json_t *value, hzi_probe_answer *a) {
    const json_t *score = json_array_get(value, 4), *sum = json_array_get(value, 7);
    *a = (hzi_probe_answer){.score = (int32_t)json_integer_value(score),
                            .sum = json_integer_value(sum)};
    return json_array_size(value) == 11 && read_bool(json_array_get(value, 0), &a->pass) &&
           read_bool(json_array_get(value, 1), &a->legal) &&
           read_turn(json_array_get(value, 2), json_array_get(value, 3), &a->turn) &&
           json_is_integer(score) && a->score == json_integer_value(score) &&
           read_double(json_array_get(value, 5), &a->value) &&
           read_bool(json_array_get(value, 6), &a->searched) && json_is_integer(sum) &&
           read_count(json_array_get(value, 8), &a->candidates) &&
           read_count(json_array_get(value, 9), &a->collapsed) &&
           read_count(json_array_get(value, 10), &a->ns);
}

static bool read_item(const json_t *value, hzi_probe_item *item) {
    hzi_moments *m = &item->values;
    double *const sums[] = {&m->x,          &m->y,      &m->xx,       &m->yy,     &m->xy,
                            &m->difference, &m->square, &m->absolute, &m->largest};
    const json_t *list = json_object_get(value, "sums");
    size_t count = sizeof sums / sizeof *sums;
    bool good = read_count(json_object_get(value, "position"), &item->index) &&
                read_count(json_object_get(value, "results"), &item->results) &&
                read_answer(json_object_get(value, "a"), &item->answers[0]) &&
                read_answer(json_object_get(value, "b"), &item->answers[1]) &&
                read_bool(json_object_get(value, "same"), &item->same) &&
                read_count(json_object_get(value, "pairs"), &m->count) &&
                json_array_size(list) == count;
    for (size_t i = 0; i < count && good; i++) {
        good = read_double(json_array_get(list, i), sums[i]);
    }
    return good;
}

bool hzi_probe_item_read(const char *line, size_t length, hzi_probe_item *item) {
    json_error_t why;
    json_t *value = json_loadb(line, length, JSON_REJECT_DUPLICATES, &why);
    *item = (hzi_probe_item){0};
    bool good = read_item(value, item);
    json_decref(value);
    return good;
}
