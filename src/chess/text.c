/* SPDX-License-Identifier: MIT */
/* Foreign bytes made presentable; the header is the manual. */
#include "chess/text.h"

#include <string.h>

hzi_quoted hzi_quote(const char *text, size_t length) {
    hzi_quoted quoted;
    size_t n = length < HZI_QUOTE_BYTES ? length : HZI_QUOTE_BYTES;
    for (size_t i = 0; i < n; i++) {
        quoted.text[i] = (char)(text[i] >= 32 && text[i] < 127 ? text[i] : '?');
    }
    if (n < length) {
        memcpy(quoted.text + n, "...", 3);
        n += 3;
    }
    quoted.text[n] = '\0';
    return quoted;
}

/* Bytes of the UTF-8 character at text, 0 when it is none. */
static size_t utf8_length(const unsigned char *text, size_t left) {
    size_t n = text[0] < 0x80                       ? 1
               : text[0] >= 0xC2 && text[0] <= 0xDF ? 2
               : text[0] >= 0xE0 && text[0] <= 0xEF ? 3
               : text[0] >= 0xF0 && text[0] <= 0xF4 ? 4
                                                    : 0;
    if (n == 0 || n > left) {
        return 0;
    }
    for (size_t i = 1; i < n; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    if ((text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] > 0x9F) ||
        (text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] > 0x8F)) {
        return 0; /* too long a form, a surrogate, beyond the last character */
    }
    return n;
}

static bool is_utf8(const unsigned char *text, size_t length) {
    for (size_t i = 0, n; i < length; i += n) {
        n = utf8_length(text + i, length - i);
        if (n == 0) {
            return false;
        }
    }
    return true;
}

/* What Windows-1252 has at 0x80 to 0x9F; 0 where it has nothing. */
static const uint16_t windows[32] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

static size_t put_character(char *out, unsigned code) {
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    out[0] = (char)(0xE0 | code >> 12);
    out[1] = (char)(0x80 | (code >> 6 & 0x3F));
    out[2] = (char)(0x80 | (code & 0x3F));
    return 3;
}

char *hzi_text_keep(hz_arena *arena, const char *text, size_t length, bool joined) {
    const unsigned char *bytes = (const unsigned char *)text;
    bool utf8 = is_utf8(bytes, length);
    char *kept = hz_arena_alloc(arena, hzi_text_room(utf8 ? length : 3 * length));
    if (!kept) {
        return NULL;
    }
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned c = bytes[i];
        if (!utf8 && c >= 0x80) {
            unsigned code = c >= 0xA0 ? c : windows[c - 0x80];
            if (code) {
                n += put_character(kept + n, code);
            } else {
                kept[n++] = '?';
            }
            continue;
        }
        bool blank = c <= ' ' || c == 127;
        if (!blank) {
            kept[n++] = (char)c;
        } else if (!joined || (n > 0 && kept[n - 1] != ' ')) {
            kept[n++] = ' ';
        }
    }
    if (joined && n > 0 && kept[n - 1] == ' ') {
        n--;
    }
    kept[n] = '\0';
    return kept;
}
