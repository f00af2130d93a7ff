/* SPDX-License-Identifier: MIT */
/* Time controls as text: "180+2" in seconds, "m:3+2" in minutes, several with commas. */
#include <hazard/arena.h>

#include <stdio.h>
#include <string.h>

enum { MOST_SECONDS = 10000000 };

/* A decimal number as thousandths of `unit_ms`. False when it is none or too large. */
static bool read_ms(const char *text, size_t length, int64_t unit_ms, int64_t *ms) {
    int64_t whole = 0, part = 0, scale = 1;
    size_t at = 0, digits = 0;
    for (; at < length && text[at] >= '0' && text[at] <= '9'; at++, digits++) {
        whole = whole * 10 + (text[at] - '0');
        if (whole > MOST_SECONDS) {
            return false;
        }
    }
    if (at < length && text[at] == '.') {
        for (at++; at < length && text[at] >= '0' && text[at] <= '9'; at++, digits++) {
            if (scale < 1000000) {
                part = part * 10 + (text[at] - '0');
                scale *= 10;
            }
        }
    }
    *ms = whole * unit_ms + part * unit_ms / scale;
    return at == length && digits > 0;
}

static hz_status refuse(hz_error *err, const char *text, size_t offset, size_t length) {
    return hz_fail(err, HZ_INVALID_ARGUMENT, offset,
                   "'%.*s' is no time control: base+inc in seconds, or m:base+inc in minutes, with "
                   "base above 0",
                   (int)(length < 60 ? length : 60), text + offset);
}

hz_status hz_match_controls_parse(const char *text, hz_match_control *controls, size_t capacity,
                                  size_t *count, hz_error *err) {
    *count = 0;
    for (size_t at = 0;; at++) {
        size_t length = strcspn(text + at, ",");
        const char *one = text + at;
        size_t left = length;
        int64_t unit_ms = 1000;
        hz_match_control control = {0};
        if (left >= 2 && one[0] == 'm' && one[1] == ':') {
            unit_ms = 60000;
            one += 2;
            left -= 2;
        }
        const char *plus = memchr(one, '+', left);
        size_t base = plus ? (size_t)(plus - one) : left;
        if (!read_ms(one, base, unit_ms, &control.base_ms) || control.base_ms <= 0 ||
            (plus && !read_ms(plus + 1, left - base - 1, unit_ms, &control.increment_ms)) ||
            length >= sizeof control.label) {
            return refuse(err, text, at, length);
        }
        if (*count == capacity) {
            return hz_fail(err, HZ_INVALID_ARGUMENT, at, "more than %zu time controls", capacity);
        }
        memcpy(control.label, text + at, length);
        controls[(*count)++] = control;
        at += length;
        if (text[at] == '\0') {
            return HZ_OK;
        }
    }
}
