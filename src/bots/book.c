/* SPDX-License-Identifier: MIT */
/*
 * The opening book: a file of "key<TAB>value" lines and the bot that consults it.
 *
 * A book keeps one copy of its file, cut into texts in place, and an array of keys sorted by bytes.
 * The decorator streams the legal turns of a book position and stops keeping anything but the best
 * win and the first turn that uses exactly the book's micro-moves; turns come in text order, so the
 * first is the one of smallest text.
 */
#include <hazard/bots.h>

#include "bots/choice.h"
#include "bots/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct book_entry {
    const char *key, *value; /* NUL-terminated, in the book's copy of the file */
    size_t key_length, value_length;
} book_entry;

struct hz_book {
    char *text;
    book_entry *entries; /* sorted by key */
    size_t count;
};

/* ---- reading ---- */

static bool is_blank(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Cuts blanks off both ends of [*start, *end). */
static void trim(char **start, char **end) {
    while (*start < *end && is_blank(**start)) {
        ++*start;
    }
    while (*start < *end && is_blank((*end)[-1])) {
        --*end;
    }
}

typedef enum line_kind { LINE_ENTRY, LINE_BLANK, LINE_BAD } line_kind;

/* Reads one line without its end; the byte at `end` may be written. */
static line_kind read_line(char *start, char *end, book_entry *entry) {
    char *first = start, *last = end;
    trim(&first, &last);
    if (first == last) {
        return LINE_BLANK;
    }
    char *tab = memchr(start, '\t', (size_t)(end - start));
    if (!tab || memchr(tab + 1, '\t', (size_t)(end - tab - 1))) {
        return LINE_BAD;
    }
    char *key = start, *key_end = tab, *value = tab + 1, *value_end = end;
    trim(&key, &key_end);
    trim(&value, &value_end);
    if (key == key_end || value == value_end) {
        return LINE_BAD;
    }
    *key_end = *value_end = '\0';
    *entry = (book_entry){.key = key,
                          .value = value,
                          .key_length = (size_t)(key_end - key),
                          .value_length = (size_t)(value_end - value)};
    return LINE_ENTRY;
}

/* By bytes, a prefix first. */
static int compare_keys(const char *a, size_t a_length, const char *b, size_t b_length) {
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

/* By key, then by place in the file. */
static int by_key(const void *left, const void *right) {
    const book_entry *a = left, *b = right;
    int order = compare_keys(a->key, a->key_length, b->key, b->key_length);
    return order ? order : (a->key > b->key) - (a->key < b->key);
}

/* Sorts, and keeps of each key the entry that comes last in the file. */
static void settle(hz_book *book) {
    size_t kept = 0;
    if (book->count > 1) {
        qsort(book->entries, book->count, sizeof *book->entries, by_key);
    }
    for (size_t i = 0; i < book->count; i++) {
        const book_entry *e = &book->entries[i];
        if (kept && compare_keys(book->entries[kept - 1].key, book->entries[kept - 1].key_length,
                                 e->key, e->key_length) == 0) {
            kept--;
        }
        book->entries[kept++] = *e;
    }
    book->count = kept;
}

/* The numbers of bad lines as far as a message holds them. */
typedef struct bad_lines {
    size_t count;
    size_t first_offset;
    uint32_t first;
    size_t used;
    bool full;
    char list[100];
} bad_lines;

static void note_bad_line(bad_lines *bad, uint32_t line, size_t offset) {
    if (bad->count++ == 0) {
        bad->first = line;
        bad->first_offset = offset;
    }
    if (bad->full) {
        return;
    }
    char number[16];
    int length = snprintf(number, sizeof number, "%s%u", bad->used ? ", " : "", (unsigned)line);
    if (bad->used + (size_t)length + sizeof ", ..." > sizeof bad->list) {
        memcpy(bad->list + bad->used, ", ...", sizeof ", ...");
        bad->full = true;
        return;
    }
    memcpy(bad->list + bad->used, number, (size_t)length + 1);
    bad->used += (size_t)length;
}

hz_status hz_book_parse(const char *text, size_t length, hz_book **book, hz_error *err) {
    size_t lines = 1;
    for (size_t i = 0; i < length; i++) {
        lines += text[i] == '\n';
    }
    hz_book *read = calloc(1, sizeof *read);
    if (read && length < SIZE_MAX && lines <= SIZE_MAX / sizeof *read->entries) {
        read->text = malloc(length + 1);
        read->entries = malloc(lines * sizeof *read->entries);
    }
    if (!read || !read->text || !read->entries) {
        hz_book_free(read);
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the opening book");
    }
    if (length) {
        memcpy(read->text, text, length);
    }
    bad_lines bad = {0};
    uint32_t line = 0;
    char *const end = read->text + length;
    for (char *start = read->text; start < end;) {
        char *newline = memchr(start, '\n', (size_t)(end - start));
        char *line_end = newline ? newline : end;
        size_t offset = (size_t)(start - read->text);
        line += line < UINT32_MAX;
        switch (read_line(start, line_end, &read->entries[read->count])) {
        case LINE_ENTRY:
            read->count++;
            break;
        case LINE_BLANK:
            break;
        case LINE_BAD:
            note_bad_line(&bad, line, offset);
            break;
        }
        start = newline ? newline + 1 : end;
    }
    if (bad.count) {
        hz_book_free(read);
        hz_fail(err, HZ_BOOK_SYNTAX, bad.first_offset,
                "%zu bad line%s in the opening book (%s): a line is a key, one tab and micro-moves",
                bad.count, bad.count > 1 ? "s" : "", bad.list);
        if (err) {
            err->line = bad.first;
            err->column = 1;
        }
        return HZ_BOOK_SYNTAX;
    }
    settle(read);
    *book = read;
    return HZ_OK;
}

void hz_book_free(hz_book *book) {
    if (book) {
        free(book->entries);
        free(book->text);
        free(book);
    }
}

size_t hz_book_count(const hz_book *book) {
    return book->count;
}

static const book_entry *find(const hz_book *book, const char *key) {
    size_t length = strlen(key), low = 0, high = book->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const book_entry *e = &book->entries[middle];
        int order = compare_keys(e->key, e->key_length, key, length);
        if (order == 0) {
            return e;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

const char *hz_book_find(const hz_book *book, const char *key) {
    const book_entry *e = find(book, key);
    return e ? e->value : NULL;
}

/* ---- a book's micro-moves ---- */

/* A few micro-moves regardless of order, each as its text-order number. */
typedef struct move_set {
    int count;
    unsigned moves[3]; /* ascending */
} move_set;

static void move_set_add(move_set *set, hz_move move) {
    unsigned number = hz_move_text_order(move);
    int place = set->count++;
    for (; place > 0 && set->moves[place - 1] > number; place--) {
        set->moves[place] = set->moves[place - 1];
    }
    set->moves[place] = number;
}

/* False when the value cannot be a turn: more than three micro-moves, or text that is none. */
static bool move_set_read(move_set *set, const char *value, size_t length) {
    *set = (move_set){0};
    for (size_t start = 0; start <= length;) {
        const char *comma = memchr(value + start, ',', length - start);
        size_t end = comma ? (size_t)(comma - value) : length;
        int from, to;
        hz_piece_type promotion;
        if (set->count == 3 ||
            hz_move_parse(value + start, end - start, &from, &to, &promotion, NULL) != HZ_OK) {
            return false;
        }
        unsigned flags =
            promotion == HZ_NO_PIECE ? 0 : HZ_MOVE_PROMOTION | ((unsigned)promotion - 1);
        move_set_add(set, hz_move_make(from, to, flags));
        start = end + 1;
    }
    return true;
}

static bool move_set_is(const move_set *set, const hz_turn *turn) {
    if (turn->count != set->count) {
        return false;
    }
    move_set played = {0};
    for (int i = 0; i < turn->count; i++) {
        move_set_add(&played, turn->moves[i]);
    }
    return memcmp(played.moves, set->moves, sizeof played.moves) == 0;
}

/* ---- the decorator ---- */

typedef struct decorator {
    hz_bot_info info;
    hz_bot base;
    const hz_book *book;
    char texts[]; /* id and display name */
} decorator;

/* What a walk over the legal turns of a book position looks for. */
typedef struct wanted {
    const move_set *moves; /* NULL when the book's value can match nothing */
    hz_result win, hit;    /* turn.count 0 = not found */
} wanted;

static bool look(void *context, const hz_turn *turn, const hz_position *board) {
    wanted *w = context;
    if (turn->took_king) {
        if (w->win.turn.count == 0 || turn->count < w->win.turn.count) {
            w->win = (hz_result){*turn, *board};
        }
    } else if (w->hit.turn.count == 0 && w->moves && move_set_is(w->moves, turn)) {
        w->hit = (hz_result){*turn, *board};
        hz_hand_over(&w->hit.after);
    }
    return true;
}

static hz_status choose(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                        hz_error *err) {
    const decorator *d = state;
    char key[HZ_DFEN_CAPACITY];
    hz_position_book_key(request->position, key, sizeof key);
    const book_entry *e = find(d->book, key);
    if (e) {
        move_set moves;
        wanted w = {0};
        w.moves = move_set_read(&moves, e->value, e->value_length) ? &moves : NULL;
        hz_turns_visit(request->position, NULL, NULL, look, &w);
        if (w.win.turn.count) {
            return hzi_choice_take(request, &w.win, HZ_SCORE_WIN, answer, err);
        }
        if (w.hit.turn.count) {
            hz_color mover = (hz_color)request->position->side;
            answer->from_book = true;
            return hzi_choice_take(request, &w.hit, hz_evaluate_material(&w.hit.after, mover),
                                   answer, err);
        }
    }
    return hz_bot_choose(&d->base, request, answer, err);
}

static hz_status decide(void *state, hz_decision question, const hz_position *position,
                        hz_color responder, hz_random *random, bool *yes, hz_error *err) {
    const decorator *d = state;
    return hz_bot_decide(&d->base, question, position, responder, random, yes, err);
}

static bool judge(void *state, hz_bot_judgement *judgement) {
    const decorator *d = state;
    return hz_bot_judge(&d->base, judgement);
}

static hz_status shut(void *state, hz_error *err) {
    decorator *d = state;
    hz_status status = hz_bot_shut(&d->base, err);
    free(d);
    return status;
}

hz_status hz_bot_with_book(const char *id, const char *display_name, const hz_book *book,
                           const hz_bot *base, hz_bot *bot, hz_error *err) {
    if (!id || !hzi_bot_id_valid(id) || !book || !base || !base->info || !base->choose) {
        return hz_fail(
            err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
            "a bot with a book needs an id of a-z, 0-9, '-', '_', '.', a book and a bot");
    }
    const char *name = display_name ? display_name : id;
    size_t id_size = strlen(id) + 1, name_size = strlen(name) + 1;
    decorator *d = malloc(sizeof *d + id_size + name_size);
    if (!d) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a bot with a book");
    }
    memcpy(d->texts, id, id_size);
    memcpy(d->texts + id_size, name, name_size);
    d->info = (hz_bot_info){.id = d->texts,
                            .display_name = d->texts + id_size,
                            .about = "plays from an opening book while it can",
                            .level = base->info->level,
                            .experimental = true,
                            .timed = base->info->timed};
    d->base = *base;
    d->book = book;
    *bot = (hz_bot){.info = &d->info,
                    .state = d,
                    .choose = choose,
                    .decide = decide,
                    .shut = shut,
                    .judge = judge};
    return HZ_OK;
}
