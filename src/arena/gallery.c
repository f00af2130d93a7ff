/* SPDX-License-Identifier: MIT */
/* Games kept for a report page; see gallery.h. */
#define _GNU_SOURCE /* memmem */
#include "arena/gallery.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRINGS_MAX = 50 };

static const char member[] = "\"shown\"";

/* Pairs of every pairing whose games are shown whatever their end. */
static uint64_t first_pairs(const hz_match_config *config, size_t pairings) {
    uint64_t each = 2 * (uint64_t)pairings;
    return (config->page_games + each - 1) / each;
}

static bool is_first(const hz_match_config *config, size_t pairings, uint64_t number) {
    return number < first_pairs(config, pairings);
}

/* Games that are kept whatever their end: in a small tournament a pair of every pairing. */
static size_t most_games(const hz_match_config *config, size_t pairings) {
    size_t each = pairings <= PAIRINGS_MAX ? 2 * pairings : 0;
    return config->page_games > each ? config->page_games : each;
}

bool hzi_gallery_wants(const hz_match_config *config, size_t pairings, uint64_t number,
                       hz_match_end end) {
    return config->page_games > 0 && (is_first(config, pairings, number) || end != HZ_END_KING);
}

static hz_status keep(hzi_gallery *g, const char *line, size_t length, hz_match_end end,
                      hz_error *err) {
    if (g->count == g->capacity) {
        size_t capacity = g->capacity ? 2 * g->capacity : 16;
        char **grown = realloc(g->lines, capacity * sizeof *grown);
        if (!grown) {
            return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a game to show");
        }
        g->lines = grown;
        g->capacity = capacity;
    }
    char *copy = malloc(length + 1);
    if (!copy) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a game to show");
    }
    memcpy(copy, line, length);
    copy[length] = '\0';
    g->lines[g->count++] = copy;
    g->seen |= UINT32_C(1) << end;
    return HZ_OK;
}

hz_status hzi_gallery_take(hzi_gallery *g, const hz_match_config *config, size_t pairings,
                           const hz_match_pair *pair, bool sparse, hz_error *err) {
    hz_status status = HZ_OK;
    if (config->page_games == 0 || !pair->log) {
        return HZ_OK;
    }
    const char *at = pair->log, *stop = at + pair->log_length;
    for (int i = 0; i < 2 && at < stop && status == HZ_OK; i++) {
        hz_match_end end = pair->games[i].end;
        const char *feed = memchr(at, '\n', (size_t)(stop - at));
        if (!feed || (sparse && !hzi_gallery_wants(config, pairings, pair->number, end))) {
            continue;
        }
        bool first =
            is_first(config, pairings, pair->number) && g->count < most_games(config, pairings);
        if (first || !(g->seen & UINT32_C(1) << end)) {
            status = keep(g, at, (size_t)(feed - at), end, err);
        }
        at = feed + 1;
    }
    return status;
}

hz_status hzi_gallery_restore(hzi_gallery *g, const char *line, size_t length,
                              const hz_match_pair *pair, hz_error *err) {
    hz_status status = HZ_OK;
    json_error_t why;
    if (!memmem(line, length, member, sizeof member - 1)) {
        return HZ_OK;
    }
    json_t *value = json_loadb(line, length, JSON_REJECT_DUPLICATES, &why);
    const json_t *shown = json_object_get(value, "shown");
    for (size_t i = 0; i < json_array_size(shown) && status == HZ_OK; i++) {
        json_t *game = json_array_get(shown, i);
        json_int_t number = json_integer_value(json_object_get(game, "game"));
        char *text = json_dumps(game, JSON_COMPACT);
        status = json_is_object(game) && text && (number == 0 || number == 1)
                     ? keep(g, text, strlen(text), pair->games[number].end, err)
                     : hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET,
                               "a game to show cannot be read from the checkpoint");
        free(text);
    }
    json_decref(value);
    return status;
}

void hzi_gallery_put(const hzi_gallery *g, size_t first, hzi_text *json) {
    if (first >= g->count || json->length == 0) {
        return;
    }
    json->length--; /* the brace that closes the object; there is something in front of it */
    hzi_text_puts(json, ",");
    hzi_text_puts(json, member);
    hzi_text_puts(json, ":[");
    for (size_t i = first; i < g->count; i++) {
        hzi_text_puts(json, i > first ? "," : "");
        hzi_text_puts(json, g->lines[i]);
    }
    hzi_text_puts(json, "]}");
}

void hzi_gallery_free(hzi_gallery *g) {
    for (size_t i = 0; i < g->count; i++) {
        free(g->lines[i]);
    }
    free(g->lines);
    *g = (hzi_gallery){0};
}
