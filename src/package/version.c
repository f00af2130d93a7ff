/* SPDX-License-Identifier: MIT */
/*
 * Versions are three numbers and nothing else: no part may be missing, no suffix is understood, so
 * that nobody has to know in which order pre-releases stand. A constraint is a list of comparators
 * that must all hold; all of it must be well formed before any of it is compared.
 */
#include "package/version.h"

#include <hazard/package.h>

#include "package/refusal.h"

#include <string.h>

typedef struct version {
    int32_t part[3]; /* major, minor, patch */
} version;

static bool is_white(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool hzi_is_blank(const char *text) {
    while (text && is_white(*text)) {
        text++;
    }
    return !text || !*text;
}

/* A number of ASCII digits that fits int32; what stands behind it, or NULL. */
static const char *read_part(const char *at, const char *end, int32_t *part) {
    const char *begin = at;
    int64_t value = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        value = value * 10 + (*at - '0');
        if (value > INT32_MAX) {
            return NULL;
        }
    }
    *part = (int32_t)value;
    return at > begin ? at : NULL;
}

static bool read_version(const char *at, const char *end, version *read) {
    for (int i = 0; i < 3; i++) {
        if (i > 0 && (at == end || *at++ != '.')) {
            return false;
        }
        if (!(at = read_part(at, end, &read->part[i]))) {
            return false;
        }
    }
    return at == end;
}

static int compare(const version *a, const version *b) {
    for (int i = 0; i < 3; i++) {
        if (a->part[i] != b->part[i]) {
            return a->part[i] < b->part[i] ? -1 : 1;
        }
    }
    return 0;
}

typedef struct comparator {
    bool less, equal, greater; /* which relations of the host's version to this one hold */
    version bound;
} comparator;

/* Reads the comparator at *at, which is no white space, and steps behind it. */
static bool read_comparator(const char **at, comparator *read) {
    const char *begin = *at, *end = begin;
    while (*end && !is_white(*end)) {
        end++;
    }
    *at = end;
    *read = (comparator){.less = *begin == '<', .greater = *begin == '>'};
    begin += read->less || read->greater;
    bool with_equal = *begin == '=';
    begin += with_equal;
    read->equal = with_equal || !(read->less || read->greater);
    return read_version(begin, end, &read->bound);
}

static const char *skip_white(const char *at) {
    while (is_white(*at)) {
        at++;
    }
    return at;
}

hz_status hzi_constraint_check(const char *constraint, const char *path, hz_error *err) {
    if (hzi_is_blank(constraint)) {
        return hzi_refuse(err, HZ_MANIFEST, path, "engineCompatibility must not be blank");
    }
    for (const char *at = skip_white(constraint); *at; at = skip_white(at)) {
        comparator read;
        if (!read_comparator(&at, &read)) {
            return hzi_refuse(
                err, HZ_MANIFEST, path,
                "invalid engineCompatibility '%s': it takes versions like 0.12.0, each "
                "behind >=, <=, >, < or = or nothing",
                hzi_show(constraint).text);
        }
    }
    return HZ_OK;
}

hz_status hzi_engine_check(const char *constraint, const char *engine, const char *path,
                           hz_error *err) {
    version host;
    if (!engine || !read_version(engine, engine + strlen(engine), &host)) {
        return hzi_refuse(err, HZ_MANIFEST, path,
                          "invalid engine version '%s': it takes three numbers like 0.12.0",
                          hzi_show(engine).text);
    }
    hz_status status = hzi_constraint_check(constraint, path, err);
    if (status != HZ_OK) {
        return status;
    }
    for (const char *at = skip_white(constraint); *at; at = skip_white(at)) {
        comparator read;
        (void)read_comparator(&at, &read);
        int order = compare(&host, &read.bound);
        if (!(order < 0 ? read.less : order > 0 ? read.greater : read.equal)) {
            return hzi_refuse(err, HZ_ENGINE_VERSION, path,
                              "engineCompatibility '%s' does not include engine version '%s'",
                              hzi_show(constraint).text, hzi_show(engine).text);
        }
    }
    return HZ_OK;
}

hz_status hz_engine_compatible(const char *constraint, const char *engine, hz_error *err) {
    return hzi_engine_check(constraint, engine, NULL, err);
}
