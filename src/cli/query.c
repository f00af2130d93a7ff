/* SPDX-License-Identifier: MIT */
/* One line in, one line out: parsing, the table of queries, the envelope of replies. The fields are
 * read in query_fields.c, the answers made in query_rules.c and query_values.c. */
#include "cli/equity.h"
#include "cli/query_request.h"

#include <stdlib.h>
#include <string.h>

/* Lists of one query may be large; what they took is not held for ever. */
enum { KEPT_BYTES = 1 << 24 };

hzc_query_limits hzc_query_limits_default(void) {
    return (hzc_query_limits){.perft_depth = 64,
                              .rollouts = HZC_MOST_ROLLOUTS,
                              .plies = HZC_MOST_PLIES,
                              .memory = (size_t)1 << 30};
}

hzc_session *hzc_session_new(const hzc_query_limits *limits) {
    hzc_session *session = calloc(1, sizeof *session);
    if (!session) {
        return NULL;
    }
    session->limits = limits ? *limits : hzc_query_limits_default();
    hz_arena_init(&session->arena, session->limits.memory);
    hz_arena_init(&session->text, 4 * (size_t)HZC_QUERY_LINE_MAX);
    session->registry = hz_registry_new();
    if (!session->registry || hz_registry_register_kinds(session->registry, NULL) != HZ_OK) {
        hzc_session_free(session);
        return NULL;
    }
    if (session->limits.guarded) {
        hz_registry_guard(session->registry);
    }
    return session;
}

void hzc_session_free(hzc_session *session) {
    if (session) {
        hz_registry_free(session->registry);
        hz_arena_fini(&session->arena);
        hz_arena_fini(&session->text);
        free(session);
    }
}

/* ---- replies ---- */

static void begin_reply(hzc_request *request) {
    hzc_json_object(&request->json, NULL);
    if (request->object && request->scan.id.length > 0) {
        hzc_json_raw(&request->json, "id", request->scan.id.text, request->scan.id.length);
    } else {
        hzc_json_null(&request->json, "id");
    }
}

hzc_json *hzc_reply(hzc_request *request) {
    begin_reply(request);
    return &request->json;
}

static void end_reply(hzc_request *request) {
    hzc_json_end_object(&request->json);
    hzc_out_char(request->json.out, '\n');
}

static void reply_error(hzc_request *request, const hz_error *err) {
    begin_reply(request);
    hzc_json_object(&request->json, "error");
    hzc_json_text(&request->json, "code", hz_status_name(err->code));
    hzc_json_text(&request->json, "message", err->message);
    if (err->offset != HZ_NO_OFFSET) {
        hzc_json_count(&request->json, "offset", err->offset);
    }
    hzc_json_end_object(&request->json);
    end_reply(request);
}

/* ---- the query ---- */

static hz_status parse(hzc_request *request, const char *bytes, size_t length, hz_error *err) {
    if (length > HZC_QUERY_LINE_MAX) {
        return hz_fail(err, HZ_JSON, HZC_QUERY_LINE_MAX, "the line is longer than %d bytes",
                       HZC_QUERY_LINE_MAX);
    }
    hz_status status = hzc_scan_query(bytes, length, HZC_QUERY_DEPTH_MAX, &request->scan, err);
    if (status != HZ_OK) {
        return status;
    }
    json_error_t where;
    json_t *value = json_loadb(bytes, length,
                               JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL |
                                   JSON_ALLOW_NUL,
                               &where);
    if (!value) {
        bool memory = json_error_code(&where) == json_error_out_of_memory;
        return hz_fail(err, memory ? HZ_NO_MEMORY : HZ_JSON,
                       where.position < 0 ? HZ_NO_OFFSET : (size_t)where.position, "%s",
                       where.text);
    }
    if (!json_is_object(value)) {
        json_decref(value);
        return hz_fail(err, HZ_QUERY_FORM, HZ_NO_OFFSET, "a query is a JSON object");
    }
    request->object = value;
    return HZ_OK;
}

static const hzc_query *find_query(const char *name) {
    const hzc_query *const tables[] = {hzc_queries_of_rules, hzc_queries_of_values, NULL};
    for (size_t t = 0; tables[t]; t++) {
        for (const hzc_query *query = tables[t]; query->name; query++) {
            if (strcmp(query->name, name) == 0) {
                return query;
            }
        }
    }
    return NULL;
}

/* Whether `name` is one of the blank-separated fields. */
static bool has_field(const char *fields, const char *name) {
    for (size_t length; *fields; fields += length + (fields[length] == ' ')) {
        length = strcspn(fields, " ");
        size_t bare = length - (fields[length - 1] == '?');
        if (strlen(name) == bare && memcmp(fields, name, bare) == 0) {
            return true;
        }
    }
    return false;
}

static hz_status check_fields(const hzc_request *request, const hzc_query *query, hz_error *err) {
    for (void *i = json_object_iter(request->object); i;
         i = json_object_iter_next(request->object, i)) {
        const char *key = json_object_iter_key(i);
        if (strcmp(key, "id") != 0 && strcmp(key, "query") != 0 && !has_field(query->fields, key)) {
            return hz_fail(err, HZ_QUERY_FORM, HZ_NO_OFFSET, "the query \"%s\" has no field \"%s\"",
                           query->name, key);
        }
    }
    const char *field = query->fields;
    for (size_t length; *field; field += length + (field[length] == ' ')) {
        char name[32];
        length = strcspn(field, " ");
        if (field[length - 1] == '?') {
            continue;
        }
        memcpy(name, field, length);
        name[length] = '\0';
        if (!hzc_field_given(request, name)) {
            return hz_fail(err, HZ_QUERY_FORM, HZ_NO_OFFSET,
                           "the query \"%s\" needs the field \"%s\"", query->name, name);
        }
    }
    return HZ_OK;
}

static hz_status answer(hzc_request *request, const char *bytes, size_t length, hz_error *err) {
    const char *name = NULL;
    size_t name_length;
    hz_status status = parse(request, bytes, length, err);
    if (status != HZ_OK) {
        return status;
    }
    status = hzc_field_text(request, "query", &name, &name_length, err);
    if (status != HZ_OK) {
        return status;
    }
    if (!name) {
        return hz_fail(err, HZ_QUERY_FORM, HZ_NO_OFFSET, "the field \"query\" is missing");
    }
    const hzc_query *query = find_query(name);
    if (!query) {
        return hz_fail(err, HZ_UNKNOWN_QUERY, HZ_NO_OFFSET, "there is no query \"%.60s\"", name);
    }
    status = check_fields(request, query, err);
    if (status == HZ_OK) {
        status = hzc_field_dfen(request, err);
    }
    return status == HZ_OK ? query->answer(request, err) : status;
}

bool hzc_query_line(hzc_session *session, const char *bytes, size_t length, hzc_out *out) {
    hz_error err;
    hzc_request request = {.session = session, .json = hzc_json_to(out)};
    request.deadline = session->limits.budget_ms ? hz_deadline_in_ms(session->limits.budget_ms)
                                                 : hz_deadline_none();
    hz_error_clear(&err);
    if (answer(&request, bytes, length, &err) == HZ_OK) {
        end_reply(&request);
    } else {
        reply_error(&request, &err);
    }
    json_decref(request.object);
    hz_arena_reset(&session->text);
    hz_arena_reset(&session->arena);
    if (session->arena.held > KEPT_BYTES) {
        hz_arena_fini(&session->arena);
    }
    return !out->failed;
}

bool hzc_query_long_line(hzc_session *session, hzc_out *out) {
    hz_error err;
    hzc_request request = {.session = session, .json = hzc_json_to(out)};
    (void)hz_fail(&err, HZ_JSON, HZC_QUERY_LINE_MAX, "the line is longer than %d bytes",
                  HZC_QUERY_LINE_MAX);
    reply_error(&request, &err);
    return !out->failed;
}
