/* SPDX-License-Identifier: MIT */
/*
 * Legal turns written while they are found, so that their number does not matter: as a list or as
 * a nested tree, in JSON or as lines. The visitors here go to hz_turns_visit.
 */
#ifndef HAZARD_CLI_TURN_STREAM_H
#define HAZARD_CLI_TURN_STREAM_H

#include "cli/json.h"

typedef struct hzc_turn_stream {
    hzc_out *out;
    hzc_json *json; /* NULL: lines */
    uint64_t limit; /* most turns to write; 0 = all */
    uint64_t written;
    bool more;        /* there was a turn beyond the limit */
    hz_turn previous; /* of a tree: the turn written last */
} hzc_turn_stream;

/* One turn an array, or a line. */
bool hzc_stream_turn(void *stream, const hz_turn *turn, const hz_position *after);

/* The tree: {"e2e4":{"g1f3":{}}}, or lines indented by the number of micro-moves before. Visit
 * between _open and _close, which write the outermost braces. */
void hzc_stream_tree_open(hzc_turn_stream *stream, const char *key);
bool hzc_stream_tree(void *stream, const hz_turn *turn, const hz_position *after);
void hzc_stream_tree_close(hzc_turn_stream *stream);

/* Counts only, up to the limit. */
bool hzc_stream_count(void *stream, const hz_turn *turn, const hz_position *after);

#endif
