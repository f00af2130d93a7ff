/* SPDX-License-Identifier: MIT */
/* Foreign bytes made presentable: short quotes for error messages, whole texts as UTF-8. */
#ifndef HAZARD_CHESS_TEXT_H
#define HAZARD_CHESS_TEXT_H

#include <hazard/base.h>

/* Bytes of a text that an error message repeats, and room for them. */
enum { HZI_QUOTE_BYTES = 24, HZI_QUOTE_CAPACITY = HZI_QUOTE_BYTES + 4 };
typedef struct hzi_quoted {
    char text[HZI_QUOTE_CAPACITY];
} hzi_quoted;

/* The beginning of a text with '?' for everything that is not printable ASCII, and "..." behind it
 * when it is cut. */
hzi_quoted hzi_quote(const char *text, size_t length);

/* White space of PGN and EPD: blank, tab, line feed, carriage return, vertical tab, form feed. */
static inline bool hzi_is_space(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Bytes that a text of this length is given in memory, its NUL included: a power of two, so that a
 * text that grows piece by piece moves seldom. */
static inline size_t hzi_text_room(size_t length) {
    size_t room = 16;
    while (room <= length) {
        room *= 2;
    }
    return room;
}

/*
 * A text as UTF-8 in the arena, NUL at its end: as it is when it is valid UTF-8, else each byte
 * read as Windows-1252, which is Latin-1 where that has characters. Control characters become
 * blanks. joined: runs of blanks become one, those at the ends go. NULL without memory. The
 * piece of memory has hzi_text_room of the text's length, or more.
 */
char *hzi_text_keep(hz_arena *arena, const char *text, size_t length, bool joined);

#endif
