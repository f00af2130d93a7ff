/* SPDX-License-Identifier: MIT */
/*
 * The canonical text of a manifest: version 1.1.0, every field that has a default written out,
 * fields in the order of the documentation, two blanks a level, texts as UTF-8 with only the
 * escapes that JSON demands. What is written can be parsed again to the same manifest, or is
 * refused.
 */
#include "package/manifest.h"

#include "package/json_read.h"
#include "package/refusal.h"
#include "package/version.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text that goes into a buffer as far as it fits and is counted in any case. */
typedef struct output {
    char *buffer;
    size_t capacity, length;
    bool first;      /* no member was written into the open object yet */
    unsigned indent; /* blanks before a member */
} output;

static void put(output *o, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++, o->length++) {
        if (o->length + 1 < o->capacity) {
            o->buffer[o->length] = text[i];
        }
    }
}

static void put_text(output *o, const char *text) {
    put(o, text, strlen(text));
}

static void put_string(output *o, const char *text) {
    put_text(o, "\"");
    for (; *text; text++) {
        char escape[8];
        if (*text == '"' || *text == '\\') {
            (void)snprintf(escape, sizeof escape, "\\%c", *text);
        } else if ((unsigned char)*text < 0x20) {
            (void)snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*text);
        } else {
            (void)snprintf(escape, sizeof escape, "%c", *text);
        }
        put_text(o, escape);
    }
    put_text(o, "\"");
}

/* The shortest of the forms with 15 to 17 digits that reads back as the same number. */
static void put_number(output *o, double number) {
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number) {
            break;
        }
    }
    put_text(o, text);
}

static void put_key(output *o, const char *key) {
    put_text(o, o->first ? "\n" : ",\n");
    o->first = false;
    for (unsigned i = 0; i < o->indent; i++) {
        put_text(o, " ");
    }
    put_string(o, key);
    put_text(o, ": ");
}

static void open_object(output *o) {
    put_text(o, "{");
    o->first = true;
    o->indent += 2;
}

static void close_object(output *o) {
    o->indent -= 2;
    if (!o->first) {
        put_text(o, "\n");
        for (unsigned i = 0; i < o->indent; i++) {
            put_text(o, " ");
        }
    }
    put_text(o, "}");
    o->first = false;
}

/* NULL: the member is left out. */
static void put_member(output *o, const char *key, const char *value) {
    if (value) {
        put_key(o, key);
        put_string(o, value);
    }
}

static void put_number_member(output *o, const char *key, bool has, double value) {
    if (has) {
        put_key(o, key);
        put_number(o, value);
    }
}

static void write_manifest(output *o, const hz_manifest *m) {
    char count[24];
    open_object(o);
    put_member(o, "manifestVersion", HZI_MANIFEST_1_1);
    put_member(o, "modelId", m->model_id);
    put_member(o, "modelSha256", m->model_sha256);
    put_member(o, "modelRole", m->model_role);
    put_member(o, "featureSchema", m->feature_schema);
    put_key(o, "featureCount");
    (void)snprintf(count, sizeof count, "%lld", (long long)m->feature_count);
    put_text(o, count);
    put_member(o, "inputName", m->input_name);
    put_member(o, "outputName", m->output_name);
    put_member(o, "perspective", m->perspective);
    put_member(o, "engineCompatibility", m->engine_compatibility);
    put_member(o, "evaluationProfile", m->evaluation_profile);
    if (m->has_calibration) {
        put_key(o, "calibration");
        open_object(o);
        put_number_member(o, "temperature", true, m->temperature);
        put_number_member(o, "brierScore", m->has_brier_score, m->brier_score);
        put_number_member(o, "logLoss", m->has_log_loss, m->log_loss);
        put_member(o, "calibratedOn", m->calibrated_on);
        close_object(o);
    }
    if (m->provenance_count) {
        put_key(o, "provenance");
        open_object(o);
        for (size_t i = 0; i < m->provenance_count; i++) {
            put_member(o, m->provenance[i].key, m->provenance[i].value);
        }
        close_object(o);
    }
    close_object(o);
    put_text(o, "\n");
}

/* ---- what cannot be written ---- */

static hz_status check_utf8(const char *field, const char *text, hz_error *err) {
    size_t left = text ? strlen(text) : 0;
    while (left) {
        size_t length = hzi_utf8_length(text, left);
        if (length == 0) {
            return hzi_refuse(err, HZ_MANIFEST, NULL, "field '%s' is not valid UTF-8",
                              hzi_show(field).text);
        }
        text += length;
        left -= length;
    }
    return HZ_OK;
}

static hz_status check_texts(const hz_manifest *m, hz_error *err) {
    const struct {
        const char *field, *text;
    } texts[] = {{"modelId", m->model_id},
                 {"inputName", m->input_name},
                 {"outputName", m->output_name},
                 {"engineCompatibility", m->engine_compatibility},
                 {"evaluationProfile", m->evaluation_profile},
                 {"calibratedOn", m->calibrated_on}};
    hz_status status = HZ_OK;
    for (size_t i = 0; status == HZ_OK && i < sizeof texts / sizeof *texts; i++) {
        status = check_utf8(texts[i].field, texts[i].text, err);
    }
    return status;
}

static hz_status check_numbers(const hz_manifest *m, hz_error *err) {
    const struct {
        const char *field;
        bool has;
        double number;
    } numbers[] = {{"temperature", m->has_calibration, m->temperature},
                   {"brierScore", m->has_calibration && m->has_brier_score, m->brier_score},
                   {"logLoss", m->has_calibration && m->has_log_loss, m->log_loss}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].has && numbers[i].number - numbers[i].number != 0.0) {
            return hzi_refuse(err, HZ_MANIFEST, NULL, "field '%s' must be a number",
                              numbers[i].field);
        }
    }
    return HZ_OK;
}

static hz_status check_provenance(const hz_manifest *m, hz_error *err) {
    for (size_t i = 0; i < m->provenance_count; i++) {
        const hz_provenance *entry = &m->provenance[i];
        if (!entry->key || !entry->value) {
            return hzi_refuse(err, HZ_MANIFEST, NULL,
                              "entry %zu of provenance lacks its key or its value", i);
        }
        hz_status status = check_utf8("provenance", entry->key, err);
        if (status == HZ_OK) {
            status = check_utf8(entry->key, entry->value, err);
        }
        if (status != HZ_OK) {
            return status;
        }
    }
    hz_arena arena;
    hz_arena_init(&arena, 0);
    bool *repeated = hz_arena_alloc(&arena, m->provenance_count * sizeof *repeated);
    hz_status status =
        repeated ? hzi_provenance_repeated(m->provenance, m->provenance_count, &arena, repeated)
                 : HZ_NO_MEMORY;
    if (status != HZ_OK) {
        hzi_refuse(err, status, NULL, "no memory for the manifest");
    }
    for (size_t i = 0; status == HZ_OK && i < m->provenance_count; i++) {
        if (repeated[i]) {
            status = hzi_refuse(err, HZ_MANIFEST, NULL, "field 'provenance.%s' is there twice",
                                hzi_show(m->provenance[i].key).text);
        }
    }
    hz_arena_fini(&arena);
    return status;
}

hz_status hz_manifest_to_text(const hz_manifest *manifest, char *buffer, size_t capacity,
                              size_t *length, hz_error *err) {
    hz_status status;
    if (!manifest || !length || (!buffer && capacity)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "writing a manifest takes a manifest, a buffer and a place for the length");
    }
    if ((status = hzi_manifest_check_values(manifest, NULL, err)) != HZ_OK ||
        (status = hzi_constraint_check(manifest->engine_compatibility, NULL, err)) != HZ_OK ||
        (status = check_texts(manifest, err)) != HZ_OK ||
        (status = check_numbers(manifest, err)) != HZ_OK ||
        (status = check_provenance(manifest, err)) != HZ_OK) {
        return status;
    }
    /* Numbers with a point, whatever the locale of the host says. */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the manifest");
    }
    locale_t before = uselocale(plain);
    output o = {.buffer = buffer, .capacity = capacity};
    write_manifest(&o, manifest);
    uselocale(before);
    freelocale(plain);
    if (o.length > HZ_MANIFEST_BYTES_MAX) {
        return hzi_refuse(err, HZ_MANIFEST, NULL, "the manifest would have more than %d bytes",
                          HZ_MANIFEST_BYTES_MAX);
    }
    if (capacity) {
        buffer[o.length < capacity ? o.length : capacity - 1] = '\0';
    }
    *length = o.length;
    return HZ_OK;
}
