/* SPDX-License-Identifier: MIT */
/*
 * Scenario catalogues from JSON, in two forms with the same content: a compact one and a long one.
 * Members are read by tables, which is what finds those that are unknown, missing or of the wrong
 * type; double ones are refused by the JSON reader itself. What the members say is checked by
 * scenario.c.
 */
#include "bots/scenario.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A member an object may have. */
typedef struct member {
    const char *name;
    json_type type; /* JSON_TRUE stands for true alone */
    bool optional;
    const json_t **value; /* becomes NULL when it is absent */
} member;

static const char *type_text(json_type type) {
    switch (type) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
        return "a whole number";
    case JSON_TRUE:
        return "true";
    default:
        return "something else";
    }
}

/* Where an object stands, as text; "" = the catalogue itself. */
static const char *dot(const char *where) {
    return *where ? ": " : "";
}

static hz_status read_members(const json_t *object, const char *where, const member *members,
                              size_t count, hz_error *err) {
    const char *key;
    json_t *value;
    for (size_t i = 0; i < count; i++) {
        *members[i].value = json_object_get(object, members[i].name);
        if (!*members[i].value && !members[i].optional) {
            return hz_fail(err, HZ_SCENARIO, HZ_NO_OFFSET, "%s%s%s: it is missing", where,
                           dot(where), members[i].name);
        }
    }
    /* Jansson iterates over what it does not change, but has no const for it. */
    json_object_foreach((json_t *)(uintptr_t)object, key, value) {
        size_t i = 0;
        while (i < count && strcmp(members[i].name, key) != 0) {
            i++;
        }
        if (i == count) {
            return hz_fail(err, HZ_SCENARIO, HZ_NO_OFFSET, "%s%s%.80s: there is no such member",
                           where, dot(where), key);
        }
        if (json_typeof(value) != members[i].type) {
            return hz_fail(err, HZ_SCENARIO, HZ_NO_OFFSET, "%s%s%s: it must be %s", where,
                           dot(where), key, type_text(members[i].type));
        }
    }
    return HZ_OK;
}

/* Reads the elements of a list into *numbers (free it) or *texts (free the array). */
static hz_status read_list(const json_t *list, const char *where, const char *name, json_type type,
                           int64_t **numbers, const char ***texts, hz_error *err) {
    size_t count = json_array_size(list);
    size_t size = type == JSON_INTEGER ? sizeof **numbers : sizeof **texts;
    void *room = calloc(count + 1, size);
    if (!room) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the scenario catalogue");
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *element = json_array_get(list, i);
        if (json_typeof(element) != type) {
            free(room);
            return hz_fail(err, HZ_SCENARIO, HZ_NO_OFFSET, "%s%s%s[%zu]: it must be %s", where,
                           dot(where), name, i, type_text(type));
        }
        if (type == JSON_INTEGER) {
            ((int64_t *)room)[i] = json_integer_value(element);
        } else {
            ((const char **)room)[i] = json_string_value(element);
        }
    }
    if (type == JSON_INTEGER) {
        *numbers = room;
    } else {
        *texts = room;
    }
    return HZ_OK;
}

static const char *text_or_null(const json_t *value) {
    return value ? json_string_value(value) : NULL;
}

/* "scenarios[3]", and the id when there is one. */
static void place_of(char *where, size_t size, size_t index, const json_t *object) {
    const char *id = json_string_value(json_object_get(object, "id"));
    (void)snprintf(where, size, id ? "scenarios[%zu] (%.80s)" : "scenarios[%zu]", index, id);
}

/* ---- the two forms of a scenario ---- */

static hz_status add_with_turns(hzi_catalogue_maker *maker, hzi_written_scenario *written,
                                const json_t *turns, const char *where, const char *name,
                                hz_error *err) {
    const char **texts = NULL;
    hz_status status = HZ_OK;
    if (turns) {
        status = read_list(turns, where, name, JSON_STRING, NULL, &texts, err);
        written->turn_count = json_array_size(turns);
        written->turns = texts;
    }
    if (status == HZ_OK) {
        status = hzi_catalogue_add(maker, written, err);
    }
    free(texts);
    return status;
}

static hz_status add_compact(hzi_catalogue_maker *maker, const json_t *object, const char *where,
                             hz_error *err) {
    const json_t *id, *category, *goal, *dfen, *expect, *legal, *king, *why;
    bool is_pass = json_is_string(json_object_get(object, "expect"));
    const member members[] = {
        {"id", JSON_STRING, false, &id},
        {"cat", JSON_STRING, false, &category},
        {"goal", JSON_STRING, false, &goal},
        {"dfen", JSON_STRING, false, &dfen},
        {"expect", is_pass ? JSON_STRING : JSON_ARRAY, false, &expect},
        {"legal", JSON_INTEGER, false, &legal},
        {"king", JSON_INTEGER, false, &king},
        {"why", JSON_STRING, true, &why},
    };
    hz_status status = read_members(object, where, members, sizeof members / sizeof *members, err);
    if (status != HZ_OK) {
        return status;
    }
    if (is_pass && strcmp(json_string_value(expect), "pass") != 0) {
        return hz_fail(err, HZ_SCENARIO, HZ_NO_OFFSET,
                       "%s: expect: it must be a list of turns or \"pass\"", where);
    }
    hzi_written_scenario written = {.id = json_string_value(id),
                                    .category = json_string_value(category),
                                    .goal = json_string_value(goal),
                                    .dfen = json_string_value(dfen),
                                    .why = text_or_null(why),
                                    .expects_pass = is_pass,
                                    .counted = true,
                                    .legal = json_integer_value(legal),
                                    .king = json_integer_value(king)};
    return add_with_turns(maker, &written, is_pass ? NULL : expect, where, "expect", err);
}

static hz_status add_long(hzi_catalogue_maker *maker, const json_t *object, const char *where,
                          hz_error *err) {
    const json_t *id, *category, *description, *dfen, *turns, *pass;
    const member members[] = {
        {"id", JSON_STRING, false, &id},
        {"category", JSON_STRING, false, &category},
        {"description", JSON_STRING, false, &description},
        {"dfen", JSON_STRING, false, &dfen},
        {"expectedTurns", JSON_ARRAY, true, &turns},
        {"expectPass", JSON_TRUE, true, &pass},
    };
    hz_status status = read_members(object, where, members, sizeof members / sizeof *members, err);
    if (status != HZ_OK) {
        return status;
    }
    if (!turns == !pass) {
        return hz_fail(err, HZ_SCENARIO, HZ_NO_OFFSET,
                       "%s: it must have one of expectedTurns and expectPass", where);
    }
    hzi_written_scenario written = {.id = json_string_value(id),
                                    .category = json_string_value(category),
                                    .dfen = json_string_value(dfen),
                                    .why = json_string_value(description),
                                    .expects_pass = pass != NULL};
    return add_with_turns(maker, &written, turns, where, "expectedTurns", err);
}

/* ---- the two forms of a catalogue ---- */

typedef hz_status (*adder)(hzi_catalogue_maker *, const json_t *, const char *, hz_error *);

static hz_status add_all(hzi_catalogue_maker *maker, const json_t *list, adder add, hz_error *err) {
    hz_status status = HZ_OK;
    for (size_t i = 0; i < json_array_size(list) && status == HZ_OK; i++) {
        char where[120];
        const json_t *object = json_array_get(list, i);
        place_of(where, sizeof where, i, object);
        status = json_is_object(object)
                     ? add(maker, object, where, err)
                     : hz_fail(err, HZ_SCENARIO, HZ_NO_OFFSET, "%s: it must be an object", where);
    }
    return status;
}

static hz_status read_all(hzi_catalogue_maker *maker, const json_t *id, const json_t *seeds,
                          const char *seeds_where, const json_t *scenarios, adder add,
                          hz_error *err) {
    int64_t *numbers = NULL;
    hz_status status = read_list(seeds, "", seeds_where, JSON_INTEGER, &numbers, NULL, err);
    if (status == HZ_OK) {
        status = hzi_catalogue_begin(maker, json_string_value(id), numbers, json_array_size(seeds),
                                     json_array_size(scenarios), err);
    }
    free(numbers);
    return status == HZ_OK ? add_all(maker, scenarios, add, err) : status;
}

static hz_status check_schema(const json_t *schema, const char *name, hz_error *err) {
    return json_integer_value(schema) == 1
               ? HZ_OK
               : hz_fail(err, HZ_SCENARIO, HZ_NO_OFFSET, "%s: this reader knows 1, not %lld", name,
                         (long long)json_integer_value(schema));
}

static hz_status read_compact(hzi_catalogue_maker *maker, const json_t *root, hz_error *err) {
    const json_t *schema, *id, *seeds, *note, *scenarios;
    const member members[] = {
        {"schema", JSON_INTEGER, false, &schema},     {"id", JSON_STRING, false, &id},
        {"seeds", JSON_ARRAY, false, &seeds},         {"note", JSON_STRING, true, &note},
        {"scenarios", JSON_ARRAY, false, &scenarios},
    };
    hz_status status = read_members(root, "", members, sizeof members / sizeof *members, err);
    if (status == HZ_OK) {
        status = check_schema(schema, "schema", err);
    }
    return status == HZ_OK ? read_all(maker, id, seeds, "seeds", scenarios, add_compact, err)
                           : status;
}

static hz_status read_long(hzi_catalogue_maker *maker, const json_t *root, hz_error *err) {
    const json_t *schema, *id, *description, *set, *set_id, *seeds, *scenarios;
    const member members[] = {
        {"schemaVersion", JSON_INTEGER, false, &schema},   {"id", JSON_STRING, false, &id},
        {"description", JSON_STRING, false, &description}, {"seedSet", JSON_OBJECT, false, &set},
        {"scenarios", JSON_ARRAY, false, &scenarios},
    };
    const member set_members[] = {{"id", JSON_STRING, false, &set_id},
                                  {"values", JSON_ARRAY, false, &seeds}};
    hz_status status = read_members(root, "", members, sizeof members / sizeof *members, err);
    if (status == HZ_OK) {
        status = check_schema(schema, "schemaVersion", err);
    }
    if (status == HZ_OK) {
        status = read_members(set, "seedSet", set_members, 2, err);
    }
    return status == HZ_OK ? read_all(maker, id, seeds, "seedSet: values", scenarios, add_long, err)
                           : status;
}

static hz_status read_root(hzi_catalogue_maker *maker, const json_t *root, hz_error *err) {
    if (json_object_get(root, "schema")) {
        return read_compact(maker, root, err);
    }
    if (json_object_get(root, "schemaVersion")) {
        return read_long(maker, root, err);
    }
    return hz_fail(err, HZ_SCENARIO, HZ_NO_OFFSET,
                   "schema: it is missing (the long form has schemaVersion)");
}

static hz_status not_json(const json_error_t *wrong, size_t length, hz_error *err) {
    size_t offset = wrong->position > 0 ? (size_t)wrong->position : 0;
    hz_status status = hz_fail(err, HZ_JSON, offset < length ? offset : length, "%s", wrong->text);
    if (err) {
        err->line = wrong->line > 0 ? (uint32_t)wrong->line : 0;
        err->column = wrong->column > 0 ? (uint32_t)wrong->column : 0;
    }
    return status;
}

hz_status hz_catalogue_parse(const char *text, size_t length, hz_catalogue **catalogue,
                             hz_error *err) {
    json_error_t wrong;
    hzi_catalogue_maker maker = {0};
    *catalogue = NULL;
    json_t *root = json_loadb(text ? text : "", length, JSON_REJECT_DUPLICATES, &wrong);
    if (!root) {
        return json_error_code(&wrong) == json_error_out_of_memory
                   ? hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET,
                             "no memory for the scenario catalogue")
                   : not_json(&wrong, length, err);
    }
    hz_status status = json_is_object(root) ? read_root(&maker, root, err)
                                            : hz_fail(err, HZ_SCENARIO, HZ_NO_OFFSET,
                                                      "the catalogue must be an object");
    json_decref(root);
    if (status != HZ_OK) {
        hz_catalogue_free(maker.catalogue);
        return status;
    }
    *catalogue = maker.catalogue;
    return HZ_OK;
}
