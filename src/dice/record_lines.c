/* SPDX-License-Identifier: MIT */
/*
 * The lines of a game record, taken one by one from a source into a fixed buffer, so that neither a
 * large file nor an endless line takes memory. A line ends with LF or CR LF; the last one may lack
 * its end; a byte order mark before the first one is skipped.
 */
#include "dice/record.h"

#include <string.h>

void hz_record_reader_init(hz_record_reader *reader, hz_record_source source, void *context) {
    memset(reader, 0, offsetof(hz_record_reader, buffer));
    reader->source = source;
    reader->context = context;
    reader->after = (hz_record_place){.line = 1, .column = 1};
}

void hz_record_reader_init_text(hz_record_reader *reader, const char *text, size_t length) {
    hz_record_reader_init(reader, NULL, NULL);
    reader->text = text;
    reader->text_length = length;
}

/* Gets more bytes behind those held; false when there are none. */
static bool fill(hz_record_reader *r) {
    if (r->at_end || r->failed) {
        return false;
    }
    if (r->begin > 0) {
        memmove(r->buffer, r->buffer + r->begin, r->end - r->begin);
        r->end -= r->begin;
        r->begin = 0;
    }
    size_t room = sizeof r->buffer - r->end, got = 0;
    if (r->source) {
        ptrdiff_t given = r->source(r->context, r->buffer + r->end, room);
        r->failed = given < 0 || (size_t)given > room;
        got = r->failed ? 0 : (size_t)given;
    } else if (r->text_length > 0) {
        got = r->text_length < room ? r->text_length : room;
        memcpy(r->buffer + r->end, r->text, got);
        r->text += got;
        r->text_length -= got;
    }
    r->at_end = got == 0;
    r->end += got;
    return got > 0;
}

uint32_t hzi_record_characters(const char *text, size_t length) {
    uint32_t count = 0;
    for (size_t i = 0; i < length; i++) {
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return count;
}

static void advance(hz_record_reader *r, size_t bytes) {
    r->begin += bytes;
    r->offset += bytes;
}

/* Leaves the line last taken, however long it is. */
static void leave_line(hz_record_reader *r) {
    bool cut = r->too_long && r->buffer[r->begin + r->line_whole - 1] != '\n';
    advance(r, r->line_whole);
    r->line_whole = 0;
    r->too_long = false;
    while (cut) {
        const char *from = r->buffer + r->begin;
        const char *feed = memchr(from, '\n', r->end - r->begin);
        advance(r, feed ? (size_t)(feed - from) + 1 : r->end - r->begin);
        cut = !feed && fill(r);
    }
}

static void skip_byte_order_mark(hz_record_reader *r) {
    while (r->end - r->begin < 3 && fill(r)) {
    }
    if (r->end - r->begin >= 3 && memcmp(r->buffer + r->begin, "\xEF\xBB\xBF", 3) == 0) {
        advance(r, 3);
    }
}

hzi_record_taken hzi_record_take_line(hz_record_reader *r) {
    if (r->again) {
        r->again = false;
        return HZI_RECORD_LINE;
    }
    leave_line(r);
    if (r->line == 0) {
        skip_byte_order_mark(r);
    }
    size_t seen = 0;
    const char *feed = NULL;
    do {
        const char *from = r->buffer + r->begin;
        size_t held = r->end - r->begin;
        feed = memchr(from + seen, '\n', held - seen);
        seen = held;
    } while (!feed && seen < HZ_RECORD_LINE_MAX + 2 && fill(r));
    if (r->failed) {
        return HZI_RECORD_FAILURE;
    }
    if (!feed && seen == 0) {
        r->line_length = 0;
        return HZI_RECORD_END;
    }
    const char *line = r->buffer + r->begin;
    r->line_length = feed ? (size_t)(feed - line) : seen;
    r->line_whole = r->line_length + (feed ? 1 : 0);
    if (feed && r->line_length > 0 && line[r->line_length - 1] == '\r') {
        r->line_length--;
    }
    if (r->line_length > HZ_RECORD_LINE_MAX) {
        r->line_length = HZ_RECORD_LINE_MAX;
        r->too_long = true;
    }
    r->line += r->line < UINT32_MAX - 1;
    r->after.offset = r->offset + r->line_whole;
    r->after.line = feed ? r->line + 1 : r->line;
    r->after.column = feed ? 1 : hzi_record_characters(line, r->line_length) + 1;
    return HZI_RECORD_LINE;
}
