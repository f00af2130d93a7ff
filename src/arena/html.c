/* SPDX-License-Identifier: MIT */
/* Text, numbers and addresses of pages; see html.h. */
#include "arena/html.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Length of the UTF-8 character at `at`, 0 when there is none (RFC 3629). */
static size_t character(const unsigned char *at) {
    size_t length = *at < 0x80 ? 1 : *at < 0xC2 ? 0 : *at < 0xE0 ? 2 : *at < 0xF0 ? 3 : 4;
    if (length == 0 || *at > 0xF4) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (*at == 0xE0 && at[1] < 0xA0) || (*at == 0xF0 && at[1] < 0x90);
    bool surrogate = *at == 0xED && at[1] > 0x9F;
    bool beyond = *at == 0xF4 && at[1] > 0x8F;
    return overlong || surrogate || beyond ? 0 : length;
}

void hzi_html_text(hzi_text *out, const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        size_t length = character(at);
        if (length == 0 || (*at < 0x20 && *at != '\n' && *at != '\t') || *at == 0x7F) {
            hzi_text_puts(out, "\xEF\xBF\xBD");
            length = 1;
        } else if (strchr("&<>\"'", *at)) {
            hzi_text_format(out, "&#%u;", (unsigned)*at);
        } else {
            hzi_text_add(out, (const char *)at, length);
        }
        at += length;
    }
}

void hzi_html_fixed(hzi_text *out, double value, int decimals) {
    static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
    int64_t power = powers[decimals];
    if (!isfinite(value) || fabs(value) > 1e12) {
        hzi_text_puts(out, isfinite(value) || !isinf(value) ? "\xE2\x80\x93" /* en dash */
                           : value > 0                      ? "\xE2\x88\x9E"
                                                            : "\xE2\x88\x92\xE2\x88\x9E");
        return;
    }
    int64_t scaled = llround(value * (double)power);
    if (scaled < 0) {
        hzi_text_puts(out, "-");
        scaled = -scaled;
    }
    hzi_text_format(out, "%" PRId64, scaled / power);
    if (decimals > 0) {
        hzi_text_format(out, ".%0*" PRId64, decimals, scaled % power);
    }
}

void hzi_html_short(hzi_text *out, double value) {
    hzi_html_fixed(out, value, value == round(value) ? 0 : 1);
}

void hzi_html_count(hzi_text *out, uint64_t value) {
    char digits[24];
    size_t length = 0;
    do {
        digits[length++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (length > 0) {
        hzi_text_add(out, &digits[--length], 1);
        if (length > 0 && length % 3 == 0) {
            hzi_text_puts(out, "\xE2\x80\xAF"); /* a narrow space */
        }
    }
}

void hzi_html_address(hzi_text *out, const char *page, const char *file) {
    size_t common = 0;
    if (page && (page[0] == '/') == (file[0] == '/')) {
        /* Folders both have in common fall away, the other ones of the page are left upwards. */
        for (size_t i = 0; page[i] && page[i] == file[i]; i++) {
            if (page[i] == '/') {
                common = i + 1;
            }
        }
        for (const char *at = page + common; (at = strchr(at, '/')); at++) {
            hzi_text_puts(out, "../");
        }
    } else if (file[0] == '/') {
        hzi_text_puts(out, "file://");
    }
    const char *at = file + common;
    if (memchr(at, ':', strcspn(at, "/"))) {
        hzi_text_puts(out, "./"); /* not the scheme of an address */
    }
    for (; *at; at++) {
        static const char plain[] =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/:";
        if (strchr(plain, *at)) {
            hzi_text_add(out, at, 1);
        } else {
            hzi_text_format(out, "%%%02X", (unsigned)(unsigned char)*at);
        }
    }
}
