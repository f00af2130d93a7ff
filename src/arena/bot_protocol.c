/* SPDX-License-Identifier: MIT */
/*
 * Writing requests of the bot protocol and reading their answers.
 *
 * The tree comes out of the walk over all turns: they arrive in the order of their texts, and none
 * is the beginning of another, so what two neighbours share is the part of the tree that stays open.
 */
#include "arena/bot_protocol.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NESTING_MAX = 16, MOVES_MAX = 3 };

/* ---- requests ----------------------------------------------------------------------------------- */

static void add_json(hzi_text *out, const char *name, const char *json) {
    if (json) {
        hzi_text_puts(out, ",\"");
        hzi_text_puts(out, name);
        hzi_text_puts(out, "\":");
        hzi_text_puts(out, json);
    }
}

void hzi_bot_request_write(const hzi_bot_request *request, hzi_text *out) {
    hzi_text_format(out, "{\"type\":\"%s\",\"gameId\":\"%s\",\"seat\":\"%s\",\"state\":{",
                    request->type, request->game_id, request->seat);
    if (request->extra) {
        hzi_text_puts(out, request->extra);
    }
    hzi_text_format(out, "\"version\":%" PRIu64 ",\"dfen\":\"", request->version);
    hzi_text_puts(out, request->dfen);
    hzi_text_format(out, "\",\"activeSeat\":\"%s\"", request->active_seat);
    add_json(out, "dicePending", request->dice_pending);
    add_json(out, "clocks", request->clocks);
    add_json(out, "timeControl", request->time_control);
    add_json(out, "mayOfferDraw", request->may_offer_draw);
    add_json(out, "legalMoves", request->tree);
    hzi_text_puts(out, "}}");
}

typedef struct tree {
    hzi_text *out;
    hz_turn last;
    uint64_t nodes, most_nodes;
    size_t start, most_bytes;
} tree;

static bool add_turn(void *context, const hz_turn *turn, const hz_position *after) {
    static const char closing[] = "}}}";
    tree *t = context;
    unsigned shared = 0;
    (void)after;
    while (shared < turn->count && shared < t->last.count &&
           turn->moves[shared] == t->last.moves[shared]) {
        shared++;
    }
    if (t->last.count > 0) {
        hzi_text_add(t->out, closing, t->last.count - shared);
        hzi_text_puts(t->out, ",");
    }
    for (unsigned i = shared; i < turn->count; i++) {
        char move[HZ_MOVE_CAPACITY];
        (void)hz_move_to_text(turn->moves[i], move);
        hzi_text_puts(t->out, "\"");
        hzi_text_puts(t->out, move);
        hzi_text_puts(t->out, "\":{");
        t->nodes++;
    }
    t->last = *turn;
    return t->nodes <= t->most_nodes && t->out->length - t->start <= t->most_bytes &&
           !t->out->failed;
}

bool hzi_bot_tree_write(const hz_position *position, uint64_t most_nodes, size_t most_bytes,
                        hzi_text *out) {
    static const char closing[] = "}}}";
    tree t = {.out = out,
              .nodes = 1,
              .most_nodes = most_nodes,
              .start = out->length,
              .most_bytes = most_bytes};
    hzi_text_puts(out, "{");
    hz_status status = hz_turns_visit(position, NULL, NULL, add_turn, &t);
    hzi_text_add(out, closing, t.last.count);
    hzi_text_puts(out, "}");
    if (status != HZ_OK || out->failed || out->length - t.start > most_bytes) {
        if (out->length > t.start) {
            out->length = t.start;
            out->bytes[t.start] = '\0';
        }
        return false;
    }
    return true;
}

/* ---- answers ------------------------------------------------------------------------------------ */

/* Whether brackets nest no deeper than an answer can need; looked at before anything is parsed. */
static bool is_shallow(const char *body, size_t length) {
    unsigned depth = 0;
    bool text = false;
    for (size_t i = 0; i < length; i++) {
        char c = body[i];
        if (text) {
            i += c == '\\';
            text = c != '"';
        } else if (c == '"') {
            text = true;
        } else if (c == '[' || c == '{') {
            if (++depth > NESTING_MAX) {
                return false;
            }
        } else if ((c == ']' || c == '}') && depth > 0) {
            depth--;
        }
    }
    return true;
}

/* An object, or NULL with a note. */
static json_t *read_object(const char *body, size_t length, char note[120]) {
    json_error_t error;
    if (!is_shallow(body, length)) {
        (void)snprintf(note, 120, "the answer is nested too deeply");
        return NULL;
    }
    /* Numbers of no interest to us may be larger than any integer. */
    json_t *root =
        json_loadb(body, length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    if (!root) {
        (void)snprintf(note, 120, "the answer is no JSON: %.90s", error.text);
        for (char *c = note; *c; c++) {
            *c = *c >= ' ' && *c < 127 ? *c : '?';
        }
        return NULL;
    }
    if (!json_is_object(root)) {
        (void)snprintf(note, 120, "the answer is no JSON object");
        json_decref(root);
        return NULL;
    }
    return root;
}

/* The moves joined by commas, or a fault. */
static hz_match_fault join_moves(const json_t *moves, char text[HZ_TURN_CAPACITY], char note[120]) {
    size_t count = json_array_size(moves), used = 0;
    for (size_t i = 0; i < count; i++) {
        if (!json_is_string(json_array_get(moves, i))) {
            (void)snprintf(note, 120, "moves[%zu] is no text", i);
            return HZ_FAULT_GARBLED;
        }
    }
    if (count > MOVES_MAX) {
        (void)snprintf(note, 120, "%zu moves", count);
        return HZ_FAULT_REFUSED;
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(moves, i);
        const char *move = json_string_value(item);
        size_t length = json_string_length(item);
        int from, to;
        hz_piece_type promotion;
        if (hz_move_parse(move, length, &from, &to, &promotion, NULL) != HZ_OK) {
            (void)snprintf(note, 120, "moves[%zu] is no micro-move", i);
            return HZ_FAULT_REFUSED;
        }
        used += (size_t)snprintf(text + used, HZ_TURN_CAPACITY - used, "%s%s", i ? "," : "", move);
    }
    return HZ_FAULT_NONE;
}

hz_match_fault hzi_bot_reply_turn(const char *body, size_t length, const hz_position *position,
                                  hz_turn *turn, char note[120]) {
    char text[HZ_TURN_CAPACITY] = "", written[HZ_TURN_CAPACITY];
    note[0] = '\0';
    json_t *root = read_object(body, length, note);
    if (!root) {
        return HZ_FAULT_GARBLED;
    }
    const json_t *moves = json_object_get(root, "moves");
    hz_match_fault fault = HZ_FAULT_NONE;
    if (!json_is_array(moves)) {
        (void)snprintf(note, 120, "the answer has no list of moves");
        fault = HZ_FAULT_GARBLED;
    } else if (json_is_true(json_object_get(root, "resign"))) {
        (void)snprintf(note, 120, "it resigned");
        fault = HZ_FAULT_DECLINED;
    } else if (json_array_size(moves) == 0) {
        (void)snprintf(note, 120, "it gave no moves");
        fault = HZ_FAULT_DECLINED;
    } else {
        fault = join_moves(moves, text, note);
    }
    json_decref(root);
    if (fault != HZ_FAULT_NONE) {
        return fault;
    }
    hz_status status = hz_turn_from_text(position, text, strlen(text), turn, NULL, NULL);
    if (status != HZ_OK || (hz_turn_to_text(turn, written), strcmp(written, text) != 0)) {
        (void)snprintf(note, 120, "%s is not legal", text);
        return HZ_FAULT_REFUSED;
    }
    return HZ_FAULT_NONE;
}

bool hzi_bot_reply_text(const char *body, size_t length, const char *name, char *text,
                        size_t capacity) {
    char note[120];
    json_t *root = read_object(body, length, note);
    const json_t *member = json_object_get(root, name);
    size_t n = json_string_length(member);
    bool good = json_is_string(member) && n < capacity;
    if (good) {
        memcpy(text, json_string_value(member), n + 1);
    }
    json_decref(root);
    return good;
}

bool hzi_bot_reply_bool(const char *body, size_t length, const char *name, bool *value) {
    char note[120];
    json_t *root = read_object(body, length, note);
    const json_t *member = json_object_get(root, name);
    bool good = json_is_boolean(member);
    *value = json_is_true(member);
    json_decref(root);
    return good;
}
