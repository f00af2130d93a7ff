/* SPDX-License-Identifier: MIT */
/*
 * The messages of the bot protocol as its sender needs them: requests written member by member (the
 * type first, the tree of legal turns with sorted keys), answers read strictly.
 *
 * A request is put together from raw pieces of JSON, so that the conformance client can also write
 * what is wrong. Safe in any thread.
 */
#ifndef HAZARD_ARENA_BOT_PROTOCOL_H
#define HAZARD_ARENA_BOT_PROTOCOL_H

#include "arena/text.h"

#include <hazard/arena.h>

/* A request about a game. Members that are JSON may be NULL: then they are left out. */
typedef struct hzi_bot_request {
    const char *type;    /* "yourTurn" */
    const char *game_id; /* these are plain texts without characters to escape */
    const char *seat;    /* "White" or "Black" */
    const char *dfen;
    const char *active_seat;
    uint64_t version;
    /* JSON: */
    const char *dice_pending;
    const char *clocks;
    const char *time_control;
    const char *may_offer_draw;
    const char *extra; /* more members of the state, with a comma behind each */
    const char *tree;  /* legalMoves */
} hzi_bot_request;
/* Appends the request in one line. */
void hzi_bot_request_write(const hzi_bot_request *request, hzi_text *out);

enum { HZI_TREE_NODES = 200000, HZI_TREE_BYTES = 1000000 };
/*
 * Appends the tree of the legal turns of a position with dice: objects whose keys are micro-moves in
 * ascending order. False, and nothing appended, when it has more than `most_nodes` nodes (the root is
 * one) or takes more than `most_bytes`.
 */
bool hzi_bot_tree_write(const hz_position *position, uint64_t most_nodes, size_t most_bytes,
                        hzi_text *out);

/*
 * Reads the answer to "yourTurn". HZ_FAULT_NONE: *turn is a legal turn of the position. Else
 * HZ_FAULT_GARBLED (no JSON object with a list of texts), HZ_FAULT_DECLINED (no moves, or resigned),
 * HZ_FAULT_REFUSED (not a legal turn, spelled as in the tree); the note says more. Any bytes.
 */
hz_match_fault hzi_bot_reply_turn(const char *body, size_t length, const hz_position *position,
                                  hz_turn *turn, char note[120]);
/* The text member `name` of an object, copied; false when the bytes are no such object or the text
 * does not fit. Any bytes. */
bool hzi_bot_reply_text(const char *body, size_t length, const char *name, char *text,
                        size_t capacity);
/* The member `name` of an object is a truth value. */
bool hzi_bot_reply_bool(const char *body, size_t length, const char *name, bool *value);

#endif
