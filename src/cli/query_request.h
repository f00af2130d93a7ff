/* SPDX-License-Identifier: MIT */
/*
 * One query while it is answered, and its fields read with their types. A handler reads its fields,
 * does what can fail, and only then begins its reply; from there on nothing can go wrong but the
 * output, so that no half result is ever taken back.
 */
#ifndef HAZARD_CLI_QUERY_REQUEST_H
#define HAZARD_CLI_QUERY_REQUEST_H

#include "cli/json.h"
#include "cli/query.h"
#include "cli/query_scan.h"

#include <jansson.h>

typedef struct hzc_request hzc_request;

/* A query: its name, the names of its fields separated by blanks (a '?' after a name: it may be
 * missing), and what answers it. All have the field "dfen", which is read before. */
typedef struct hzc_query {
    const char *name;
    const char *fields;
    hz_status (*answer)(hzc_request *request, hz_error *err);
} hzc_query;

struct hzc_session {
    hzc_query_limits limits;
    hz_registry *registry;
    hz_arena arena; /* lists of the query */
    hz_arena text;  /* texts put together from its fields */
};

struct hzc_request {
    hzc_session *session;
    json_t *object;
    hzc_scan scan;
    hzc_json json;
    hz_position position; /* of the field "dfen" */
    hz_deadline deadline; /* of the session's budget */
};

/* The queries about rules, and those that give numbers and choices; name NULL at the end. */
extern const hzc_query hzc_queries_of_rules[];
extern const hzc_query hzc_queries_of_values[];

/* Writes the beginning of a reply up to where the member "result" goes. */
hzc_json *hzc_reply(hzc_request *request);

/* Fields. Missing ones leave the value as it is; that required ones are there has been seen to. All
 * fail with HZ_QUERY_FORM and the name of the field. */

bool hzc_field_given(const hzc_request *request, const char *name);
/* Text without NUL. The text lives as long as the request. */
hz_status hzc_field_text(hzc_request *request, const char *name, const char **text, size_t *length,
                         hz_error *err);
/* An integer from `least` to `most`, at most 2^53. */
hz_status hzc_field_count(hzc_request *request, const char *name, uint64_t least, uint64_t most,
                          uint64_t *value, hz_error *err);
/* A number or decimal digits as text, 0 to 2^64 - 1; missing: a fresh one from the system. */
hz_status hzc_field_seed(hzc_request *request, uint64_t *seed, hz_error *err);
/* "w", "b", "white", "black"; missing: the side to move. */
hz_status hzc_field_color(hzc_request *request, const char *name, hz_color *color, hz_error *err);
/* Micro-moves: an array of texts, or one text with commas; made one text, "-" for none.
 * HZ_MOVE_TEXT for an element that is no single micro-move. */
hz_status hzc_field_moves(hzc_request *request, const char *name, const char **text, size_t *length,
                          hz_error *err);
/* The deadline that the fields "time_ms", "inc_ms", "move_number", "moves_to_go", "time_policy" and
 * "budget_ms" ask for, never later than the session's. */
hz_status hzc_field_deadline(hzc_request *request, hz_deadline *deadline, hz_error *err);
/* The bot text of the fields "bot", "options" and "model" together; NULL for the default bot. */
hz_status hzc_field_bot(hzc_request *request, const char **text, hz_error *err);
/* The field "dfen" into request->position. */
hz_status hzc_field_dfen(hzc_request *request, hz_error *err);

#endif
