/* SPDX-License-Identifier: MIT */
/* Turns written while they are found; see turn_stream.h. Because turns come in text order, turns
 * with a common beginning come together, and the tree needs to remember only the turn before. */
#include "cli/turn_stream.h"

static bool at_limit(hzc_turn_stream *s) {
    if (s->limit > 0 && s->written == s->limit) {
        s->more = true;
        return true;
    }
    s->written++;
    return false;
}

bool hzc_stream_count(void *stream, const hz_turn *turn, const hz_position *after) {
    (void)turn, (void)after;
    return !at_limit(stream);
}

bool hzc_stream_turn(void *stream, const hz_turn *turn, const hz_position *after) {
    hzc_turn_stream *s = stream;
    (void)after;
    if (at_limit(s)) {
        return false;
    }
    if (s->json) {
        hzc_json_turn(s->json, NULL, turn);
    } else {
        char text[HZ_TURN_CAPACITY];
        size_t length = hz_turn_to_text(turn, text);
        text[length++] = '\n'; /* in place of the NUL */
        hzc_out_bytes(s->out, text, length);
    }
    return !s->out->failed;
}

void hzc_stream_tree_open(hzc_turn_stream *s, const char *key) {
    s->previous = (hz_turn){0};
    if (s->json) {
        hzc_json_object(s->json, key);
    }
}

static void close_down_to(hzc_turn_stream *s, int depth) {
    for (int open = s->previous.count; s->json && open > depth; open--) {
        hzc_json_end_object(s->json);
    }
}

bool hzc_stream_tree(void *stream, const hz_turn *turn, const hz_position *after) {
    hzc_turn_stream *s = stream;
    (void)after;
    if (at_limit(s)) {
        return false;
    }
    int common = 0;
    while (common < turn->count && common < s->previous.count &&
           turn->moves[common] == s->previous.moves[common]) {
        common++;
    }
    close_down_to(s, common);
    for (int i = common; i < turn->count; i++) {
        char text[HZ_MOVE_CAPACITY];
        (void)hz_move_to_text(turn->moves[i], text);
        if (s->json) {
            hzc_json_object(s->json, text);
        } else {
            hzc_out_format(s->out, "%*s%s\n", 2 * i, "", text);
        }
    }
    s->previous = *turn;
    return !s->out->failed;
}

void hzc_stream_tree_close(hzc_turn_stream *s) {
    close_down_to(s, 0);
    if (s->json) {
        hzc_json_end_object(s->json);
    }
}
