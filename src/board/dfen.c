/* SPDX-License-Identifier: MIT */
/*
 * DFEN in and out. The order in which fields are checked is part of the contract (board.h), so the
 * placement, though first in the text, is read last. A position is handed over only when the whole
 * text is good.
 */
#include <hazard/board.h>

#include "board/bits.h"
#include "board/make.h"

#include <string.h>

/* A piece of the text with its place, so that errors can point into the whole. */
typedef struct field {
    const char *text;
    size_t length;
    size_t offset;
} field;

enum { PLACEMENT, SIDE, RIGHTS, TARGETS, HALFMOVE, FULLMOVE, POOL, FIELDS };

static char printable(char c) {
    return c >= 32 && c < 127 ? c : '?';
}

static hz_status split(const char *text, size_t length, field fields[FIELDS], int *count,
                       hz_error *err) {
    text = length > 0 ? text : ""; /* nothing may come without an address */
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    size_t start = 0;
    int n = 0;
    for (bool more = true; more;) {
        const char *space = start < length ? memchr(text + start, ' ', length - start) : NULL;
        size_t end = space ? (size_t)(space - text) : length;
        more = space != NULL;
        if (n == FIELDS) {
            return hz_fail(err, HZ_FIELD_COUNT, start, "more than seven fields");
        }
        fields[n++] = (field){text + start, end - start, start};
        start = end + 1;
    }
    if (n < 4) {
        return hz_fail(err, HZ_FIELD_COUNT, length, "%d field%s where four to seven are needed", n,
                       n == 1 ? "" : "s");
    }
    *count = n;
    return HZ_OK;
}

static hz_status read_side(field f, hz_color *side, hz_error *err) {
    if (f.length == 1 && (f.text[0] == 'w' || f.text[0] == 'b')) {
        *side = f.text[0] == 'w' ? HZ_WHITE : HZ_BLACK;
        return HZ_OK;
    }
    bool first_is_good = f.length > 1 && (f.text[0] == 'w' || f.text[0] == 'b');
    return hz_fail(err, HZ_COLOR, f.offset + (first_is_good ? 1 : 0),
                   "the side to move is not exactly 'w' or 'b'");
}

static hz_status read_rights(field f, unsigned *rights, hz_error *err) {
    *rights = 0;
    if (f.length == 1 && f.text[0] == '-') {
        return HZ_OK;
    }
    if (f.length == 0) {
        return hz_fail(err, HZ_CASTLING, f.offset, "the castling rights are empty");
    }
    for (size_t i = 0; i < f.length; i++) {
        static const char letters[] = "KQkq";
        const char *found = f.text[i] ? strchr(letters, f.text[i]) : NULL;
        if (!found) {
            return hz_fail(err, HZ_CASTLING, f.offset + i, "'%c' is not a castling right",
                           printable(f.text[i]));
        }
        unsigned bit = 1u << (found - letters);
        if (*rights & bit) {
            return hz_fail(err, HZ_CASTLING, f.offset + i, "the right '%c' stands twice", *found);
        }
        *rights |= bit;
    }
    return HZ_OK;
}

static hz_status read_targets(field f, uint64_t *targets, hz_error *err) {
    *targets = 0;
    if (f.length == 1 && f.text[0] == '-') {
        return HZ_OK;
    }
    if (f.length == 0) {
        return hz_fail(err, HZ_EN_PASSANT, f.offset, "the en-passant targets are empty");
    }
    for (size_t i = 0; i < f.length; i += 2) {
        if (f.text[i] < 'a' || f.text[i] > 'h') {
            return hz_fail(err, HZ_EN_PASSANT, f.offset + i, "'%c' is not a file from a to h",
                           printable(f.text[i]));
        }
        if (i + 1 == f.length) {
            return hz_fail(err, HZ_EN_PASSANT, f.offset + f.length,
                           "the last target has a file but no rank");
        }
        if (f.text[i + 1] < '1' || f.text[i + 1] > '8') {
            return hz_fail(err, HZ_EN_PASSANT, f.offset + i + 1, "'%c' is not a rank from 1 to 8",
                           printable(f.text[i + 1]));
        }
        uint64_t bit = hzi_bit(8 * (f.text[i + 1] - '1') + (f.text[i] - 'a'));
        if (*targets & bit) {
            return hz_fail(err, HZ_EN_PASSANT, f.offset + i, "the target %.2s stands twice",
                           f.text + i);
        }
        *targets |= bit;
    }
    return HZ_OK;
}

static hz_status read_number(field f, hz_status code, uint32_t least, uint32_t most,
                             const char *what, uint32_t *number, hz_error *err) {
    if (f.length == 0) {
        return hz_fail(err, code, f.offset, "the %s is empty", what);
    }
    uint64_t value = 0;
    size_t too_large = HZ_NO_OFFSET;
    for (size_t i = 0; i < f.length; i++) {
        if (f.text[i] < '0' || f.text[i] > '9') {
            return hz_fail(err, code, f.offset + i, "'%c' in the %s is not a digit",
                           printable(f.text[i]), what);
        }
        if (too_large == HZ_NO_OFFSET) {
            value = value * 10 + (uint64_t)(f.text[i] - '0');
            too_large = value > most ? i : HZ_NO_OFFSET;
        }
    }
    if (too_large != HZ_NO_OFFSET || value < least) {
        return hz_fail(err, code, f.offset, "the %s is not within %u to %u", what, (unsigned)least,
                       (unsigned)most);
    }
    *number = (uint32_t)value;
    return HZ_OK;
}

static hz_status read_pool(field f, hz_pool *pool, hz_error *err) {
    *pool = 0;
    if (f.length == 1 && f.text[0] == '-') {
        return HZ_OK;
    }
    if (f.length == 0) {
        return hz_fail(err, HZ_DICE, f.offset, "the pool is empty");
    }
    unsigned sum = 0;
    for (size_t i = 0; i < f.length; i++) {
        static const char letters[] = "PNBRQKpnbrqk";
        const char *found = f.text[i] ? strchr(letters, f.text[i]) : NULL;
        if (!found) {
            return hz_fail(err, HZ_DICE, f.offset + i, "'%c' is not a die", printable(f.text[i]));
        }
        if (i >= 3) {
            return hz_fail(err, HZ_DICE, f.offset + i, "more than three dice");
        }
        sum += hz_pool_of((hz_piece_type)((found - letters) % 6));
    }
    *pool = (hz_pool)sum;
    return HZ_OK;
}

/* What a byte of the placement means: a piece (PIECE + 8 * color + type), a run of 1 to 8 empty
 * files, the end of a rank, or nothing. One look-up a byte; this loop is most of what parsing
 * costs. */
enum { PIECE = 16, SLASH = 9 };
static const uint8_t MEANING[256] = {
    ['P'] = PIECE + 0,  ['N'] = PIECE + 1,  ['B'] = PIECE + 2,  ['R'] = PIECE + 3,
    ['Q'] = PIECE + 4,  ['K'] = PIECE + 5,  ['p'] = PIECE + 8,  ['n'] = PIECE + 9,
    ['b'] = PIECE + 10, ['r'] = PIECE + 11, ['q'] = PIECE + 12, ['k'] = PIECE + 13,
    ['1'] = 1,          ['2'] = 2,          ['3'] = 3,          ['4'] = 4,
    ['5'] = 5,          ['6'] = 6,          ['7'] = 7,          ['8'] = 8,
    ['/'] = SLASH};

static hz_status count_ranks(field f, hz_error *err) {
    int slashes = 0;
    for (size_t i = 0; i < f.length; i++) {
        slashes += f.text[i] == '/';
    }
    if (slashes < 7) {
        return hz_fail(err, HZ_BOARD_RANKS, f.offset + f.length, "%d rank%s instead of eight",
                       slashes + 1, slashes ? "s" : "");
    }
    if (slashes > 7) {
        size_t at = 0;
        for (int seen = 0; seen < 8; at++) {
            seen += f.text[at] == '/';
        }
        return hz_fail(err, HZ_BOARD_RANKS, f.offset + at - 1, "more than eight ranks");
    }
    return HZ_OK;
}

static hz_status read_placement(field f, hz_position *position, hz_error *err) {
    hz_status status = count_ranks(f, err);
    if (status != HZ_OK) {
        return status;
    }
    /* By PIECE code; the two gaps stay empty. */
    uint64_t boards[16] = {0}, key = 0;
    int rank = 7, file = 0;
    for (size_t i = 0; i <= f.length; i++) {
        unsigned meaning = i < f.length ? MEANING[(unsigned char)f.text[i]] : SLASH;
        if (meaning >= PIECE) {
            if (file >= 8) {
                return hz_fail(err, HZ_BOARD_FILES, f.offset + i, "rank %d has more than 8 files",
                               rank + 1);
            }
            int square = 8 * rank + file++;
            boards[meaning - PIECE] |= hzi_bit(square);
            key ^= hzi_zobrist.piece[(meaning >> 3) & 1][meaning & 7][square];
        } else if (meaning == SLASH) {
            if (file != 8) {
                return hz_fail(err, HZ_BOARD_FILES, f.offset + i, "rank %d has %d file%s", rank + 1,
                               file, file == 1 ? "" : "s");
            }
            rank--;
            file = 0;
        } else if (meaning) {
            /* A run may step over the eighth file here; that is tested at the end of the rank. Its
             * sum is kept small so that no row, however long, can overflow. */
            file += (int)meaning;
            file = file > 9 ? 9 : file;
        } else {
            return hz_fail(err, HZ_BOARD_CHAR, f.offset + i, "'%c' on rank %d is not a piece",
                           printable(f.text[i]), rank + 1);
        }
    }
    for (unsigned type = 0; type < HZ_PIECE_TYPES; type++) {
        position->pieces[type] = boards[type] | boards[8 + type];
        position->colors[HZ_WHITE] |= boards[type];
        position->colors[HZ_BLACK] |= boards[8 + type];
    }
    position->key = key;
    return HZ_OK;
}

hz_status hz_position_from_dfen(hz_position *position, const char *text, size_t length,
                                hz_error *err) {
    field fields[FIELDS];
    int count = 0;
    hz_color side = HZ_WHITE;
    unsigned rights = 0;
    uint64_t targets = 0;
    uint32_t halfmove = 0, fullmove = 1;
    hz_pool pool = 0;
    hz_position read = hz_position_empty();

    hz_status status = split(text, length, fields, &count, err);
    if (status == HZ_OK) {
        status = read_side(fields[SIDE], &side, err);
    }
    if (status == HZ_OK) {
        status = read_rights(fields[RIGHTS], &rights, err);
    }
    if (status == HZ_OK) {
        status = read_targets(fields[TARGETS], &targets, err);
    }
    if (status == HZ_OK && count > HALFMOVE) {
        status =
            read_number(fields[HALFMOVE], HZ_HALFMOVE, 0, 127, "half-move clock", &halfmove, err);
    }
    if (status == HZ_OK && count > FULLMOVE) {
        status = read_number(fields[FULLMOVE], HZ_FULLMOVE, 1, INT32_MAX, "full-move number",
                             &fullmove, err);
    }
    if (status == HZ_OK && count > POOL) {
        status = read_pool(fields[POOL], &pool, err);
    }
    if (status == HZ_OK) {
        status = read_placement(fields[PLACEMENT], &read, err);
    }
    if (status != HZ_OK) {
        return status;
    }
    hz_position_set_side(&read, side);
    hz_position_set_rights(&read, rights);
    hz_position_set_targets(&read, targets);
    hz_position_set_pool(&read, pool);
    read.halfmove = (uint8_t)halfmove;
    read.fullmove = fullmove;
    *position = read;
    return HZ_OK;
}

/* A text under construction with the rules of snprintf. */
typedef struct writer {
    char *buffer;
    size_t capacity;
    size_t length;
} writer;

static void put(writer *w, char c) {
    if (w->length + 1 < w->capacity) {
        w->buffer[w->length] = c;
    }
    w->length++;
}

static size_t finish(writer *w) {
    if (w->capacity > 0) {
        w->buffer[w->length < w->capacity ? w->length : w->capacity - 1] = '\0';
    }
    return w->length;
}

static void put_number(writer *w, uint32_t number) {
    char digits[10];
    int n = 0;
    do {
        digits[n++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    while (n > 0) {
        put(w, digits[--n]);
    }
}

static void put_placement(writer *w, const hz_position *position) {
    for (int rank = 7; rank >= 0; rank--) {
        int run = 0;
        for (int file = 0; file < 8; file++) {
            char letter = hz_position_letter_at(position, 8 * rank + file);
            if (letter == '.') {
                run++;
                continue;
            }
            if (run) {
                put(w, (char)('0' + run));
                run = 0;
            }
            put(w, letter);
        }
        if (run) {
            put(w, (char)('0' + run));
        }
        if (rank) {
            put(w, '/');
        }
    }
}

/* Placement, side, rights and the targets given: what all keys and texts begin with. */
static void put_four_fields(writer *w, const hz_position *position, uint64_t targets) {
    put_placement(w, position);
    put(w, ' ');
    put(w, position->side == HZ_WHITE ? 'w' : 'b');
    put(w, ' ');
    for (unsigned i = 0; i < 4; i++) {
        if (position->rights & (1u << i)) {
            put(w, "KQkq"[i]);
        }
    }
    if (!position->rights) {
        put(w, '-');
    }
    put(w, ' ');
    if (!targets) {
        put(w, '-');
    }
    while (targets) {
        char square[3];
        hz_square_to_text(hzi_pop(&targets), square);
        put(w, square[0]);
        put(w, square[1]);
    }
}

size_t hz_position_to_dfen(const hz_position *position, char *buffer, size_t capacity) {
    writer w = {buffer, capacity, 0};
    put_four_fields(&w, position, position->targets);
    put(&w, ' ');
    put_number(&w, position->halfmove);
    put(&w, ' ');
    put_number(&w, position->fullmove);
    if (position->pool) {
        char pool[4];
        size_t n = hz_pool_to_text(position->pool, (hz_color)position->side, pool);
        put(&w, ' ');
        for (size_t i = 0; i < n; i++) {
            put(&w, pool[i]);
        }
    }
    return finish(&w);
}

size_t hz_position_key4(const hz_position *position, char *buffer, size_t capacity) {
    writer w = {buffer, capacity, 0};
    put_four_fields(&w, position, hz_position_capturable_targets(position));
    return finish(&w);
}

size_t hz_position_book_key(const hz_position *position, char *buffer, size_t capacity) {
    writer w = {buffer, capacity, 0};
    if (position->pool) {
        put_four_fields(&w, position, hz_position_capturable_targets(position));
        put(&w, ' ');
        /* Alphabetical: B K N P Q R, unlike the order of a DFEN pool. */
        static const hz_piece_type order[6] = {HZ_BISHOP, HZ_KING,  HZ_KNIGHT,
                                               HZ_PAWN,   HZ_QUEEN, HZ_ROOK};
        for (int i = 0; i < 6; i++) {
            for (unsigned n = hz_pool_count(position->pool, order[i]); n > 0; n--) {
                put(&w, (position->side == HZ_WHITE ? "PNBRQK" : "pnbrqk")[order[i]]);
            }
        }
    }
    return finish(&w);
}
