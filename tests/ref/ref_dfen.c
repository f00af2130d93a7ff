/* SPDX-License-Identifier: MIT */
/* The DFEN grammar and its table of errors, one function per field. */
#include "ref/ref_dfen.h"

#include <stdbool.h>
#include <string.h>

/* Bytes begin..end-1 of the text. */
typedef struct span {
    const char *text;
    size_t begin, end;
} span;

/* strchr without its NUL. */
static bool is_one_of(char c, const char *letters) {
    return c != '\0' && strchr(letters, c) != NULL;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* "-" counts as a whole field only; next to anything else it is a wrong byte. */
static bool is_dash(span f) {
    return f.end == f.begin + 1 && f.text[f.begin] == '-';
}

/* Each check returns whether the field is good; *at is the first wrong byte otherwise. */

static bool check_color(span f, size_t *at) {
    for (*at = f.begin; *at < f.end; ++*at) {
        if (*at > f.begin || !is_one_of(f.text[*at], "wb")) {
            return false;
        }
    }
    return f.end > f.begin;
}

static bool check_castling(span f, size_t *at) {
    for (*at = f.begin; *at < f.end && !is_dash(f); ++*at) {
        char c = f.text[*at];
        if (!is_one_of(c, "KQkq") || memchr(f.text + f.begin, c, *at - f.begin)) {
            return false;
        }
    }
    return f.end > f.begin;
}

static bool check_targets(span f, size_t *at) {
    for (*at = f.begin; *at < f.end && !is_dash(f); *at += 2) {
        if (!is_one_of(f.text[*at], "abcdefgh")) {
            return false;
        }
        if (*at + 1 == f.end || !is_one_of(f.text[*at + 1], "12345678")) {
            ++*at;
            return false;
        }
        for (size_t i = f.begin; i < *at; i += 2) {
            if (memcmp(f.text + i, f.text + *at, 2) == 0) {
                return false;
            }
        }
    }
    return f.end > f.begin;
}

/* A whole number low..high. A number out of range is wrong as a whole: its first byte. */
static bool check_number(span f, unsigned long long low, unsigned long long high, size_t *at) {
    unsigned long long value = 0;
    for (*at = f.begin; *at < f.end; ++*at) {
        if (!is_digit(f.text[*at])) {
            return false;
        }
        value = 10 * value + (unsigned long long)(f.text[*at] - '0');
        value = value > 1ULL << 40 ? 1ULL << 40 : value;
    }
    if (f.end > f.begin) {
        *at = f.begin;
    }
    return f.end > f.begin && value >= low && value <= high;
}

static bool check_pool(span f, size_t *at) {
    for (*at = f.begin; *at < f.end && !is_dash(f); ++*at) {
        if (*at - f.begin == 3 || !is_one_of(f.text[*at], "PNBRQKpnbrqk")) {
            return false;
        }
    }
    return f.end > f.begin;
}

static bool check_row_count(span f, size_t *at) {
    int slashes = 0;
    for (*at = f.begin; *at < f.end; ++*at) {
        if (f.text[*at] == '/' && ++slashes == 8) {
            return false;
        }
    }
    return slashes == 7;
}

static const char *check_rows(span f, size_t *at) {
    int files = 0;
    for (*at = f.begin; *at <= f.end; ++*at) {
        char c = *at < f.end ? f.text[*at] : '/';
        if (c == '/') {
            if (files != 8) {
                return "BOARD_FILES";
            }
            files = 0;
        } else if (is_one_of(c, "12345678")) {
            files += c - '0';
        } else if (!is_one_of(c, "PNBRQKpnbrqk")) {
            return "BOARD_CHAR";
        } else if (++files > 8) {
            return "BOARD_FILES";
        }
    }
    return "OK";
}

const char *ref_dfen_check(const char *text, size_t length, size_t *offset) {
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    span field[7];
    size_t fields = 0, begin = 0;
    for (size_t i = 0; i <= length; i++) {
        if (i == length || text[i] == ' ') {
            if (fields == 7) {
                *offset = begin;
                return "FIELD_COUNT";
            }
            field[fields++] = (span){text, begin, i};
            begin = i + 1;
        }
    }
    *offset = length;
    if (fields < 4) {
        return "FIELD_COUNT";
    }
    if (!check_color(field[1], offset)) {
        return "COLOR";
    }
    if (!check_castling(field[2], offset)) {
        return "CASTLING";
    }
    if (!check_targets(field[3], offset)) {
        return "EN_PASSANT";
    }
    if (fields > 4 && !check_number(field[4], 0, 127, offset)) {
        return "HALFMOVE";
    }
    if (fields > 5 && !check_number(field[5], 1, 2147483647, offset)) {
        return "FULLMOVE";
    }
    if (fields > 6 && !check_pool(field[6], offset)) {
        return "DICE";
    }
    if (!check_row_count(field[0], offset)) {
        return "BOARD_RANKS";
    }
    return check_rows(field[0], offset);
}
