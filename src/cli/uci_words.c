/* SPDX-License-Identifier: MIT */
/* Lines of the Universal Chess Interface taken apart: words, numbers, the limits of `go`. */
#include "cli/uci.h"

#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

bool hzc_words_next(hzc_words *words, hzc_word *word) {
    while (words->at < words->length && is_blank(words->text[words->at])) {
        words->at++;
    }
    size_t start = words->at;
    while (words->at < words->length && !is_blank(words->text[words->at])) {
        words->at++;
    }
    *word = (hzc_word){words->text + start, words->at - start};
    return word->length > 0;
}

bool hzc_word_is(hzc_word word, const char *text) {
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool hzc_word_is_name(hzc_word word, const char *text) {
    for (size_t i = 0; i < word.length; i++) {
        if (!text[i] || lower(word.text[i]) != lower(text[i])) {
            return false;
        }
    }
    return text[word.length] == '\0';
}

const char *hzc_word_shown(hzc_word word, char buffer[HZC_SHOWN_CAPACITY]) {
    enum { MOST = HZC_SHOWN_CAPACITY - 4 };
    size_t n = word.length < MOST ? word.length : MOST;
    for (size_t i = 0; i < n; i++) {
        buffer[i] = (char)(word.text[i] > ' ' && word.text[i] < 127 ? word.text[i] : '?');
    }
    memcpy(buffer + n, word.length > n ? "..." : "", word.length > n ? 4 : 1);
    return buffer;
}

bool hzc_word_number(hzc_word word, int64_t *value) {
    size_t i = word.length > 1 && word.text[0] == '-' ? 1 : 0;
    int64_t number = 0;
    if (i == word.length) {
        return false;
    }
    for (size_t k = i; k < word.length; k++) {
        if (word.text[k] < '0' || word.text[k] > '9') {
            return false;
        }
        number = number > INT64_MAX / 100 ? INT64_MAX / 100 : 10 * number + (word.text[k] - '0');
    }
    *value = i ? -number : number;
    return true;
}

static bool is_keyword(hzc_word word) {
    static const char *const keywords[] = {"searchmoves", "ponder",    "wtime", "btime", "winc",
                                           "binc",        "movestogo", "depth", "nodes", "mate",
                                           "movetime",    "infinite",  "dice",  "perft"};
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if (hzc_word_is(word, keywords[i])) {
            return true;
        }
    }
    return false;
}

/* A number that must follow a keyword. */
static bool number_after(hzc_words *words, int64_t least, int64_t *value) {
    hzc_word word;
    int64_t number;
    hzc_words ahead = *words;
    if (!hzc_words_next(&ahead, &word) || !hzc_word_number(word, &number)) {
        return false;
    }
    *words = ahead;
    *value = number < least ? least : number;
    return true;
}

static void read_search_moves(hzc_words *words, hzc_go *go) {
    hzc_word word;
    hzc_words ahead = *words;
    size_t start = words->at;
    while (hzc_words_next(&ahead, &word) && !is_keyword(word)) {
        *words = ahead;
    }
    go->search_moves = (hzc_words){words->text + start, words->at - start, 0};
}

hzc_word hzc_go_read(hzc_words *words, hzc_go *go) {
    hzc_word word, strange = {NULL, 0};
    *go = (hzc_go){.move_time_ms = -1, .perft = -1};
    while (hzc_words_next(words, &word)) {
        bool good = true;
        if (hzc_word_is(word, "wtime") || hzc_word_is(word, "btime")) {
            int color = word.text[0] == 'b';
            good = number_after(words, 0, &go->time_ms[color]);
            go->has_clock[color] = go->has_clock[color] || good;
        } else if (hzc_word_is(word, "winc") || hzc_word_is(word, "binc")) {
            good = number_after(words, 0, &go->increment_ms[word.text[0] == 'b']);
        } else if (hzc_word_is(word, "movestogo")) {
            good = number_after(words, 0, &go->moves_to_go);
        } else if (hzc_word_is(word, "depth")) {
            good = number_after(words, 1, &go->depth);
        } else if (hzc_word_is(word, "nodes")) {
            good = number_after(words, 1, &go->nodes);
        } else if (hzc_word_is(word, "mate")) {
            good = number_after(words, 1, &go->mate);
        } else if (hzc_word_is(word, "movetime")) {
            good = number_after(words, 0, &go->move_time_ms);
        } else if (hzc_word_is(word, "perft")) {
            good = number_after(words, 0, &go->perft);
        } else if (hzc_word_is(word, "infinite")) {
            go->infinite = true;
        } else if (hzc_word_is(word, "ponder")) {
            go->ponder = true;
        } else if (hzc_word_is(word, "searchmoves")) {
            read_search_moves(words, go);
        } else if (hzc_word_is(word, "dice")) {
            good = hzc_words_next(words, &go->dice);
        } else {
            good = false;
        }
        if (!good && strange.length == 0) {
            strange = word;
        }
    }
    return strange;
}
