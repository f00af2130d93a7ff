/* SPDX-License-Identifier: MIT */
/*
 * `hazard uci`: the dialogue itself. Commands are read and obeyed in any state; what makes no sense
 * is answered by an info string and otherwise ignored, for a chess program must not give up on its
 * graphical interface.
 */
#include "cli/uci.h"

#include "cli/draw.h"
#include "cli/lines.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1 << 20 };

void hzc_uci_say(hzc_uci *uci, const char *format, ...) {
    char line[8192];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    size_t length = n < 0 ? 0 : (size_t)n < sizeof line - 1 ? (size_t)n : sizeof line - 2;
    line[length++] = '\n';
    (void)pthread_mutex_lock(&uci->lock);
    hzc_out_bytes(uci->out, line, length);
    (void)hzc_out_flush(uci->out);
    (void)pthread_mutex_unlock(&uci->lock);
}

void hzc_uci_wait_for_stop(hzc_uci *uci) {
    (void)pthread_mutex_lock(&uci->lock);
    while (uci->held) {
        (void)pthread_cond_wait(&uci->changed, &uci->lock);
    }
    (void)pthread_mutex_unlock(&uci->lock);
}

void hzc_uci_answer(hzc_uci *uci, const char *best, const char *ponder) {
    (void)pthread_mutex_lock(&uci->lock);
    hzc_out_format(uci->out, "bestmove %s%s%s\n", best, ponder ? " ponder " : "",
                   ponder ? ponder : "");
    (void)hzc_out_flush(uci->out);
    uci->searching = false;
    (void)pthread_cond_broadcast(&uci->changed);
    (void)pthread_mutex_unlock(&uci->lock);
}

static bool is_searching(hzc_uci *uci) {
    (void)pthread_mutex_lock(&uci->lock);
    bool searching = uci->searching;
    (void)pthread_mutex_unlock(&uci->lock);
    return searching;
}

static void release(hzc_uci *uci, bool cancel) {
    if (cancel) {
        hz_cancel_request(&uci->cancel);
    }
    (void)pthread_mutex_lock(&uci->lock);
    uci->held = false;
    (void)pthread_cond_broadcast(&uci->changed);
    (void)pthread_mutex_unlock(&uci->lock);
}

/* Ends a running search (which still answers) and waits for its thread. */
static void finish(hzc_uci *uci, bool cancel) {
    if (uci->started) {
        if (cancel) {
            release(uci, true);
        }
        (void)pthread_join(uci->thread, NULL);
        uci->started = false;
    }
}

/* ---- options ------------------------------------------------------------------------------------ */

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
    {"Move Overhead", 0, 10000, 10, offsetof(hzc_uci, overhead_ms), false},
};
enum { SPINS = sizeof spins / sizeof spins[0] };

static int64_t *spin_value(hzc_uci *uci, const spin *s) {
    return (int64_t *)(void *)((char *)uci + s->offset);
}

static void say_options(hzc_uci *uci) {
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

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Option names are compared without regard to case. */
static bool same(const char *a, size_t length, const char *b) {
    for (size_t i = 0; i < length; i++) {
        if (!b[i] || lower(a[i]) != lower(b[i])) {
            return false;
        }
    }
    return b[length] == '\0';
}

static bool set_spin(hzc_uci *uci, const spin *s, hzc_word value) {
    int64_t number;
    if (!hzc_word_number(value, &number) || number < s->least || number > s->most) {
        hzc_uci_say(uci, "info string %s takes a number from %" PRId64 " to %" PRId64, s->name,
                    s->least, s->most);
        return false;
    }
    *spin_value(uci, s) = number;
    uci->stale = uci->stale || s->rebuild;
    return true;
}

static bool set_check(hzc_uci *uci, const char *name, hzc_word value, bool *flag) {
    if (!hzc_word_is(value, "true") && !hzc_word_is(value, "false")) {
        hzc_uci_say(uci, "info string %s is true or false", name);
        return false;
    }
    *flag = hzc_word_is(value, "true");
    return true;
}

static bool set_text(hzc_uci *uci, const char *name, hzc_word value, char *text, size_t capacity) {
    if (value.length >= capacity) {
        hzc_uci_say(uci, "info string %s is too long", name);
        return false;
    }
    memcpy(text, value.text, value.length);
    text[value.length] = '\0';
    return true;
}

static void set_option(hzc_uci *uci, hzc_word name, hzc_word value) {
    for (int i = 0; i < SPINS; i++) {
        if (same(name.text, name.length, spins[i].name)) {
            (void)set_spin(uci, &spins[i], value);
            return;
        }
    }
    bool ignored;
    if (same(name.text, name.length, "Ponder")) {
        (void)set_check(uci, "Ponder", value, &ignored);
    } else if (same(name.text, name.length, "UCI_ShowWDL")) {
        (void)set_check(uci, "UCI_ShowWDL", value, &uci->show_wdl);
    } else if (same(name.text, name.length, "Clear Hash")) {
        hzc_uci_chess_new_game(uci);
    } else if (same(name.text, name.length, "EvalFile")) {
        if (hzc_word_is(value, "<empty>")) {
            value.length = 0;
        }
        uci->stale =
            set_text(uci, "EvalFile", value, uci->eval_file, sizeof uci->eval_file) || uci->stale;
    } else if (same(name.text, name.length, "Bot")) {
        uci->stale = set_text(uci, "Bot", value, uci->bot, sizeof uci->bot) || uci->stale;
    } else if (same(name.text, name.length, "Seed")) {
        int64_t seed;
        if (hzc_word_number(value, &seed) && seed >= 0) {
            uci->random = hz_random_from_seed((uint64_t)seed);
        } else {
            hzc_uci_say(uci, "info string Seed takes a whole number");
        }
    } else if (same(name.text, name.length, "UCI_Variant")) {
        if (hzc_word_is(value, "chess") || hzc_word_is(value, "dicechess")) {
            uci->dice = hzc_word_is(value, "dicechess");
        } else {
            hzc_uci_say(uci, "info string UCI_Variant is chess or dicechess");
        }
    } else {
        hzc_uci_say(uci, "info string there is no option '%.*s'",
                    (int)(name.length < 60 ? name.length : 60), name.text);
    }
}

/* "name N... value V...": both may hold blanks. */
static void command_setoption(hzc_uci *uci, hzc_words *words) {
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
    if (is_searching(uci)) {
        hzc_uci_say(uci, "info string options cannot change while a search runs");
        return;
    }
    set_option(uci, name, value);
}

/* ---- going -------------------------------------------------------------------------------------- */

static void command_go(hzc_uci *uci, hzc_words *words) {
    if (is_searching(uci)) {
        hzc_uci_say(uci, "info string a search is running; stop it first");
        return;
    }
    finish(uci, false);
    hzc_word strange = hzc_go_read(words, &uci->go);
    if (strange.length > 0) {
        hzc_uci_say(uci, "info string go: '%.*s' is not understood",
                    (int)(strange.length < 60 ? strange.length : 60), strange.text);
    }
    if (uci->go.perft >= 0 && !uci->dice) {
        hzc_uci_chess_perft(uci, uci->go.perft < 32 ? (int)uci->go.perft : 32);
        return;
    }
    hz_cancel_clear(&uci->cancel);
    hz_cancel_clear(&uci->hit);
    if (!(uci->dice ? hzc_uci_dice_prepare(uci) : hzc_uci_chess_prepare(uci))) {
        hzc_uci_say(uci, "bestmove 0000");
        return;
    }
    uci->searching = true;
    uci->held = uci->go.infinite || uci->go.ponder;
    if (pthread_create(&uci->thread, NULL, uci->dice ? hzc_uci_dice_search : hzc_uci_chess_search,
                       uci) != 0) {
        /* Without a second thread the search runs here; nobody can stop it then. */
        uci->held = false;
        (void)(uci->dice ? hzc_uci_dice_search : hzc_uci_chess_search)(uci);
        return;
    }
    uci->started = true;
}

static void command_ponderhit(hzc_uci *uci) {
    if (!is_searching(uci)) {
        return;
    }
    hz_cancel_request(&uci->hit);
    /* "go ponder infinite" goes on until stop. */
    if (!uci->go.infinite) {
        release(uci, false);
    }
}

static void command_uci(hzc_uci *uci) {
    hzc_uci_say(uci, "id name Hazard %s", hz_version());
    hzc_uci_say(uci, "id author the Hazard authors");
    say_options(uci);
    hzc_uci_say(uci, "uciok");
}

static void command_show(hzc_uci *uci) {
    char text[HZ_DFEN_CAPACITY];
    if (uci->dice) {
        (void)hz_position_to_dfen(&uci->board, text, sizeof text);
    } else {
        (void)hz_chess_to_fen(&uci->game.now, text, sizeof text);
    }
    hzc_uci_say(uci, "info string %s %s", uci->dice ? "DFEN" : "FEN", text);
}

/* False when the dialogue is over. */
static bool obey(hzc_uci *uci, hzc_words *words) {
    hzc_word word;
    if (!hzc_words_next(words, &word) || hzc_word_is(word, "debug") ||
        hzc_word_is(word, "register")) {
        return true;
    }
    if (hzc_word_is(word, "quit")) {
        return false;
    }
    if (hzc_word_is(word, "uci")) {
        command_uci(uci);
    } else if (hzc_word_is(word, "isready")) {
        hzc_uci_say(uci, "readyok");
    } else if (hzc_word_is(word, "setoption")) {
        command_setoption(uci, words);
    } else if (hzc_word_is(word, "ucinewgame")) {
        if (is_searching(uci)) {
            hzc_uci_say(uci, "info string a search is running; stop it first");
        } else {
            finish(uci, false);
            hzc_uci_chess_new_game(uci);
        }
    } else if (hzc_word_is(word, "position")) {
        (void)(uci->dice ? hzc_uci_dice_position : hzc_uci_chess_position)(uci, words);
    } else if (hzc_word_is(word, "go")) {
        command_go(uci, words);
    } else if (hzc_word_is(word, "stop")) {
        /* Many programs send the next command without waiting for the answer. */
        finish(uci, true);
    } else if (hzc_word_is(word, "ponderhit")) {
        command_ponderhit(uci);
    } else if (hzc_word_is(word, "d")) {
        command_show(uci);
    } else if (hzc_word_is(word, "perft") || hzc_word_is(word, "bench")) {
        int64_t depth = hzc_word_is(word, "bench") ? 9 : 5;
        bool perft = hzc_word_is(word, "perft");
        hzc_word number;
        if (hzc_words_next(words, &number) &&
            (!hzc_word_number(number, &depth) || depth < 1 || depth > 32)) {
            hzc_uci_say(uci, "info string the depth is a number from 1 to 32");
        } else if (is_searching(uci)) {
            hzc_uci_say(uci, "info string a search is running; stop it first");
        } else {
            finish(uci, false);
            (perft ? hzc_uci_chess_perft : hzc_uci_chess_bench)(uci, (int)depth);
        }
    } else {
        hzc_uci_say(uci, "info string '%.*s' is no command",
                    (int)(word.length < 60 ? word.length : 60), word.text);
    }
    return true;
}

int hzc_uci_run(hzc_out *out, int fd, const char *model) {
    hzc_uci *uci = calloc(1, sizeof *uci);
    if (!uci) {
        return HZC_ENVIRONMENT;
    }
    uci->out = out;
    (void)pthread_mutex_init(&uci->lock, NULL);
    (void)pthread_cond_init(&uci->changed, NULL);
    for (int i = 0; i < SPINS; i++) {
        *spin_value(uci, &spins[i]) = spins[i].fallback;
    }
    (void)snprintf(uci->bot, sizeof uci->bot, "expectimax");
    (void)snprintf(uci->eval_file, sizeof uci->eval_file, "%s", model ? model : "");
    uci->random = hz_random_from_seed(0);
    hz_arena_init(&uci->arena, 0);
    uci->stale = true;
    int code = HZC_DONE;
    hz_position start;
    if (hz_position_from_dfen(&start, HZ_START_DFEN, strlen(HZ_START_DFEN), NULL) != HZ_OK ||
        hz_chess_game_init(&uci->game, &start, NULL) != HZ_OK) {
        code = HZC_ENVIRONMENT;
    }
    uci->board = start;
    hzc_lines lines;
    hzc_lines_init(&lines, fd, LINE_MAX_BYTES);
    for (bool on = code == HZC_DONE; on;) {
        const char *text;
        size_t length;
        switch (hzc_lines_next(&lines, &text, &length)) {
        case HZC_LINE: {
            hzc_words words = {text, length, 0};
            on = obey(uci, &words) && !out->failed;
            break;
        }
        case HZC_LINE_TOO_LONG:
            hzc_uci_say(uci, "info string a line of more than %d bytes is ignored", LINE_MAX_BYTES);
            break;
        case HZC_LINE_FAILED:
            code = HZC_ENVIRONMENT;
            on = false;
            break;
        case HZC_LINE_END:
            on = false;
            break;
        }
    }
    finish(uci, true);
    hzc_lines_fini(&lines);
    hzc_uci_chess_close(uci);
    hzc_uci_dice_close(uci);
    hz_chess_game_fini(&uci->game);
    hz_chess_game_fini(&uci->job);
    hz_arena_fini(&uci->arena);
    (void)pthread_cond_destroy(&uci->changed);
    (void)pthread_mutex_destroy(&uci->lock);
    free(uci);
    return code;
}

static const char *const about[] = {
    "Speaks the Universal Chess Interface on the standard input and output, for graphical "
    "interfaces and match programs: orthodox chess, and Dice Chess when the option UCI_Variant is "
    "dicechess. Besides the interface's own commands it knows 'd' (the position), 'perft N' and "
    "'bench [N]'.",
    "In Dice Chess 'position fen DFEN [moves TURN ...]' gives the position with its roll, 'go' "
    "answers 'bestmove TURN', a turn being micro-moves joined by commas, '-' when there is none. "
    "docs/uci.md describes both games.",
    NULL};

static const hzc_option options[] = {
    {"model", 'm', "FILE", "the model that judges chess positions; the option EvalFile"},
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"printf 'position startpos moves e2e4\\ngo depth 6\\n' | hazard uci",
     "Searches a position; the end of the input stops it."},
    {0}};

static int run(const hzc_args *args) {
    if (!hzc_args_no_operands(args)) {
        return HZC_USAGE;
    }
    int code = hzc_uci_run(args->out, STDIN_FILENO, hzc_args_value(args, "model"));
    return code == HZC_DONE ? code : hzc_complain(args, code, "the dialogue broke off");
}

const hzc_command hzc_command_uci = {
    .name = "uci",
    .summary = "play chess or Dice Chess for a program that speaks UCI",
    .operands = "",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .run = run,
};
