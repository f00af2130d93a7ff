/* SPDX-License-Identifier: MIT */
/* Finished pairs as bytes and as JSON; see pair.h. */
#include "arena/pair.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes ---- */

void hzi_pair_pack(const hz_match_pair *pair, hzi_text *bytes) {
    hz_match_pair plain = *pair;
    plain.latency_us = NULL;
    plain.log = plain.record = NULL;
    hzi_text_add(bytes, (const char *)&plain, sizeof plain);
    hzi_text_add(bytes, (const char *)pair->latency_us,
                 pair->latency_count * sizeof *pair->latency_us);
    hzi_text_add(bytes, pair->log, pair->log_length);
    hzi_text_add(bytes, pair->record, pair->record_length);
}

bool hzi_pair_unpack(const char *bytes, size_t length, hz_match_pair *pair) {
    if (length < sizeof *pair) {
        return false;
    }
    memcpy(pair, bytes, sizeof *pair);
    size_t left = length - sizeof *pair;
    if (pair->latency_count > left / sizeof *pair->latency_us) {
        return false;
    }
    size_t latencies = pair->latency_count * sizeof *pair->latency_us;
    left -= latencies;
    if (pair->log_length > left || pair->record_length != left - pair->log_length) {
        return false;
    }
    const char *log = bytes + sizeof *pair + latencies;
    /* malloc'ed bytes, and the structure ends on a boundary of its own alignment */
    pair->latency_us = (const uint32_t *)(const void *)(bytes + sizeof *pair);
    pair->log = pair->log_length ? log : NULL;
    pair->record = pair->record_length ? log + pair->log_length : NULL;
    return true;
}

/* ---- JSON ---- */

static void put_side(hzi_text *json, const char *key, const hz_match_side *side) {
    const hz_carelessness *c = &side->careless;
    const uint64_t numbers[] = {side->answers,
                                side->nodes,
                                side->node_answers,
                                side->time_us,
                                c->turns,
                                c->hang_turns,
                                c->queen_hang_turns,
                                c->hanging_material,
                                c->punished_captures,
                                c->punished_material};
    size_t count = sizeof numbers / sizeof *numbers;
    while (count > 4 && numbers[count - 1] == 0) {
        count--;
    }
    hzi_json_array(json, key);
    for (size_t i = 0; i < count; i++) {
        hzi_json_count(json, NULL, numbers[i]);
    }
    hzi_json_end_array(json);
}

void hzi_pair_to_json(const hz_match_pair *pair, hzi_text *json) {
    char end[HZ_MATCH_END_CAPACITY];
    hzi_json_object(json, NULL);
    hzi_json_count(json, "pairing", pair->pairing);
    hzi_json_count(json, "pair", pair->number);
    hzi_json_seed(json, "seed", pair->seed);
    hzi_json_array(json, "games");
    for (int i = 0; i < 2; i++) {
        const hz_match_game_summary *game = &pair->games[i];
        hzi_json_object(json, NULL);
        hzi_json_text(json, "a", game->a_color == HZ_WHITE ? "white" : "black");
        hzi_json_text(json, "result", hz_game_outcome_text(game->outcome));
        hzi_json_text(json, "end", hz_match_end_text(game->end, game->http_status, end));
        hzi_json_count(json, "plies", game->plies);
        hzi_json_count(json, "passes", game->forced_passes);
        put_side(json, "of_a", &game->sides[0]);
        put_side(json, "of_b", &game->sides[1]);
        if (game->luck < 0.0 || game->luck > 0.0) {
            hzi_json_double(json, "luck", game->luck);
        }
        hzi_json_end_object(json);
    }
    hzi_json_end_array(json);
    hzi_json_array(json, "us");
    for (size_t i = 0; i < pair->latency_count; i++) {
        hzi_json_count(json, NULL, pair->latency_us[i]);
    }
    hzi_json_end_array(json);
    hzi_json_end_object(json);
}

static bool read_count(const json_t *value, uint64_t *number) {
    json_int_t n = json_integer_value(value);
    *number = n < 0 ? 0 : (uint64_t)n;
    return json_is_integer(value) && n >= 0;
}

static bool read_side(const json_t *value, hz_match_side *side) {
    hz_carelessness *c = &side->careless;
    uint64_t *const places[] = {&side->answers,
                                &side->nodes,
                                &side->node_answers,
                                &side->time_us,
                                &c->turns,
                                &c->hang_turns,
                                &c->queen_hang_turns,
                                &c->hanging_material,
                                &c->punished_captures,
                                &c->punished_material};
    size_t count = json_array_size(value);
    *side = (hz_match_side){0};
    if (count < 4 || count > sizeof places / sizeof *places) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!read_count(json_array_get(value, i), places[i])) {
            return false;
        }
    }
    return true;
}

static bool read_outcome(const char *text, hz_game_outcome *outcome) {
    for (int i = HZ_OUTCOME_WHITE; text && i <= HZ_OUTCOME_DRAW; i++) {
        if (strcmp(text, hz_game_outcome_text((hz_game_outcome)i)) == 0) {
            *outcome = (hz_game_outcome)i;
            return true;
        }
    }
    return false;
}

static bool read_game(const json_t *value, hz_match_game_summary *game) {
    const char *color = json_string_value(json_object_get(value, "a"));
    const char *end = json_string_value(json_object_get(value, "end"));
    const json_t *luck = json_object_get(value, "luck");
    *game = (hz_match_game_summary){0};
    if (!color || !end || (strcmp(color, "white") != 0 && strcmp(color, "black") != 0) ||
        (luck && !json_is_number(luck))) {
        return false;
    }
    game->a_color = strcmp(color, "white") == 0 ? HZ_WHITE : HZ_BLACK;
    game->luck = json_number_value(luck);
    return read_outcome(json_string_value(json_object_get(value, "result")), &game->outcome) &&
           hz_match_end_find(end, &game->end, &game->http_status) &&
           read_count(json_object_get(value, "plies"), &game->plies) &&
           read_count(json_object_get(value, "passes"), &game->forced_passes) &&
           read_side(json_object_get(value, "of_a"), &game->sides[0]) &&
           read_side(json_object_get(value, "of_b"), &game->sides[1]);
}

static bool read_seed(const json_t *value, uint64_t *seed) {
    const char *text = json_string_value(value);
    if (!text) {
        return read_count(value, seed);
    }
    char *end = NULL;
    *seed = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0';
}

static bool read_pair(const json_t *value, hzi_text *latencies, hz_match_pair *pair) {
    const json_t *games = json_object_get(value, "games"), *us = json_object_get(value, "us");
    uint64_t pairing, number;
    *pair = (hz_match_pair){0};
    if (!read_count(json_object_get(value, "pairing"), &pairing) ||
        !read_count(json_object_get(value, "pair"), &pair->number) ||
        !read_seed(json_object_get(value, "seed"), &pair->seed) || json_array_size(games) != 2 ||
        !read_game(json_array_get(games, 0), &pair->games[0]) ||
        !read_game(json_array_get(games, 1), &pair->games[1]) || !json_is_array(us)) {
        return false;
    }
    pair->pairing = (size_t)pairing;
    for (size_t i = 0; i < json_array_size(us); i++) {
        if (!read_count(json_array_get(us, i), &number) || number > UINT32_MAX) {
            return false;
        }
        uint32_t one = (uint32_t)number;
        hzi_text_add(latencies, (const char *)&one, sizeof one);
    }
    pair->latency_count = json_array_size(us);
    pair->latency_us = (const uint32_t *)(const void *)latencies->bytes;
    return true;
}

hz_status hzi_pair_from_json(const char *line, size_t length, hzi_text *latencies,
                             hz_match_pair *pair, hz_error *err) {
    json_error_t why;
    json_t *value = json_loadb(line, length, JSON_REJECT_DUPLICATES, &why);
    hz_status status = HZ_OK;
    hzi_text_clear(latencies);
    if (!value || !read_pair(value, latencies, pair)) {
        status = hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET, "a finished pair cannot be read");
    } else if (latencies->failed) {
        status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a finished pair");
    }
    json_decref(value);
    return status;
}
