/* SPDX-License-Identifier: MIT */
/* Options of the Universal Chess Interface: what there is, and setting them. */
#include "cli/uci.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct spin {
    const char *name;
    int64_t least, most, fallback;
    size_t offset; /* in hzc_uci */
    bool rebuild;  /* what is built for searching depends on it */
} spin;

static const spin spins[] = {
    {"Hash", 1, 65536, 16, offsetof(hzc_uci, hash_mb), true},
    {"Threads", 1, 256, 1, offsetof(hzc_uci, threads), true},
    {"MultiPV", 1, 256, 1, offsetof(hzc_uci, lines), false},
    {"EvalUnit", 0, 100000, 0, offsetof(hzc_uci, eval_unit), true},
    {"Move Overhead", 0, 10000, 10, offsetof(hzc_uci, overhead_ms), false},
};
enum { SPINS = sizeof spins / sizeof spins[0], TAME_MOST = 4 };

static int64_t *spin_value(hzc_uci *uci, const spin *s) {
    return (int64_t *)(void *)((char *)uci + s->offset);
}

void hzc_uci_options_init(hzc_uci *uci) {
    for (int i = 0; i < SPINS; i++) {
        *spin_value(uci, &spins[i]) =
            uci->tame && spins[i].fallback > TAME_MOST ? TAME_MOST : spins[i].fallback;
    }
    (void)snprintf(uci->bot, sizeof uci->bot, uci->tame ? "greedy" : "expectimax");
    uci->random = hz_random_from_seed(0);
    uci->stale_chess = uci->stale_dice = true;
}

void hzc_uci_options_say(hzc_uci *uci) {
    for (int i = 0; i < SPINS; i++) {
        hzc_uci_say(uci,
                    "option name %s type spin default %" PRId64 " min %" PRId64 " max %" PRId64,
                    spins[i].name, spins[i].fallback, spins[i].least, spins[i].most);
    }
    hzc_uci_say(uci, "option name Ponder type check default false");
    hzc_uci_say(uci, "option name UCI_ShowWDL type check default false");
    hzc_uci_say(uci, "option name Clear Hash type button");
    hzc_uci_say(uci, "option name EvalFile type string default <empty>");
    hzc_uci_say(uci, "option name UCI_Variant type combo default chess var chess var dicechess");
    hzc_uci_say(uci, "option name Bot type string default expectimax");
    hzc_uci_say(uci, "option name Seed type string default 0");
}

static void set_spin(hzc_uci *uci, const spin *s, hzc_word value) {
    int64_t number;
    if (!hzc_word_number(value, &number) || number < s->least || number > s->most) {
        hzc_uci_say(uci, "info string %s takes a number from %" PRId64 " to %" PRId64, s->name,
                    s->least, s->most);
        return;
    }
    *spin_value(uci, s) = uci->tame && number > TAME_MOST ? TAME_MOST : number;
    uci->stale_chess = uci->stale_chess || s->rebuild;
}

static void set_check(hzc_uci *uci, const char *name, hzc_word value, bool *flag) {
    bool on = hzc_word_is_name(value, "true");
    if (!on && !hzc_word_is_name(value, "false")) {
        hzc_uci_say(uci, "info string %s is true or false", name);
        return;
    }
    *flag = on;
}

static void set_text(hzc_uci *uci, const char *name, hzc_word value, char *text, size_t capacity,
                     bool *stale) {
    if (uci->tame) {
        return;
    }
    if (value.length >= capacity) {
        hzc_uci_say(uci, "info string %s is too long", name);
        return;
    }
    if (memchr(value.text, '\0', value.length)) {
        hzc_uci_say(uci, "info string %s holds a byte of zero", name);
        return;
    }
    memcpy(text, value.text, value.length);
    text[value.length] = '\0';
    *stale = true;
}

static void set_seed(hzc_uci *uci, hzc_word value) {
    uint64_t seed = 0;
    bool good = value.length > 0;
    for (size_t i = 0; good && i < value.length; i++) {
        uint64_t digit = (uint64_t)(value.text[i] - '0');
        good = value.text[i] >= '0' && value.text[i] <= '9' && seed <= (UINT64_MAX - digit) / 10;
        seed = good ? 10 * seed + digit : seed;
    }
    if (good) {
        uci->random = hz_random_from_seed(seed);
    } else {
        hzc_uci_say(uci, "info string Seed takes a number from 0 to %" PRIu64, UINT64_MAX);
    }
}

static void set_variant(hzc_uci *uci, hzc_word value) {
    bool dice = hzc_word_is_name(value, "dicechess");
    if (!dice && !hzc_word_is_name(value, "chess")) {
        hzc_uci_say(uci, "info string UCI_Variant is chess or dicechess");
        return;
    }
    uci->dice = dice;
}

static void set_option(hzc_uci *uci, hzc_word name, hzc_word value) {
    char shown[HZC_SHOWN_CAPACITY];
    bool ignored;
    for (int i = 0; i < SPINS; i++) {
        if (hzc_word_is_name(name, spins[i].name)) {
            set_spin(uci, &spins[i], value);
            return;
        }
    }
    if (hzc_word_is_name(name, "Ponder")) {
        set_check(uci, "Ponder", value, &ignored);
    } else if (hzc_word_is_name(name, "UCI_ShowWDL")) {
        set_check(uci, "UCI_ShowWDL", value, &uci->show_wdl);
    } else if (hzc_word_is_name(name, "Clear Hash")) {
        hzc_uci_chess_new_game(uci);
    } else if (hzc_word_is_name(name, "EvalFile")) {
        if (hzc_word_is(value, "<empty>")) {
            value.length = 0;
        }
        set_text(uci, "EvalFile", value, uci->eval_file, sizeof uci->eval_file, &uci->stale_chess);
    } else if (hzc_word_is_name(name, "Bot")) {
        set_text(uci, "Bot", value, uci->bot, sizeof uci->bot, &uci->stale_dice);
    } else if (hzc_word_is_name(name, "Seed")) {
        set_seed(uci, value);
    } else if (hzc_word_is_name(name, "UCI_Variant")) {
        set_variant(uci, value);
    } else {
        hzc_uci_say(uci, "info string there is no option '%s'", hzc_word_shown(name, shown));
    }
}

/* "name N... value V...": both may hold blanks. */
void hzc_uci_options_set(hzc_uci *uci, hzc_words *words) {
    hzc_word word, name = {words->text, 0}, value = {words->text, 0};
    if (!hzc_words_next(words, &word) || !hzc_word_is(word, "name")) {
        hzc_uci_say(uci, "info string setoption is written: setoption name NAME [value VALUE]");
        return;
    }
    bool in_value = false;
    while (hzc_words_next(words, &word)) {
        if (!in_value && hzc_word_is(word, "value")) {
            in_value = true;
            continue;
        }
        hzc_word *part = in_value ? &value : &name;
        if (part->length == 0) {
            *part = word;
        } else {
            part->length = (size_t)(word.text + word.length - part->text);
        }
    }
    set_option(uci, name, value);
}
