/* SPDX-License-Identifier: MIT */
/*
 * `hazard uci`: the dialogue itself. Commands are read and obeyed in any state; what makes no sense
 * is answered by an info string and otherwise ignored, for a chess program must not give up on its
 * graphical interface.
 */
#include "cli/uci.h"

#include "cli/lines.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1 << 20, SAID_MAX = 8192 };

/* ---- output ------------------------------------------------------------------------------------- */

/* Under the lock. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 0)))
#endif
static void
write_line(hzc_uci *uci, const char *format, va_list args) {
    char line[SAID_MAX];
    int n = vsnprintf(line, sizeof line - 1, format, args);
    size_t length = n < 0 ? 0 : (size_t)n < sizeof line - 1 ? (size_t)n : sizeof line - 2;
    for (size_t i = 0; i < length; i++) {
        if ((line[i] >= 0 && line[i] < ' ') || line[i] == 127) {
            line[i] = '?';
        }
    }
    line[length++] = '\n';
    hzc_out_bytes(uci->out, line, length);
    if (!hzc_out_flush(uci->out)) {
        hz_cancel_request(&uci->cancel);
        uci->held = false;
        (void)pthread_cond_broadcast(&uci->changed);
    }
}

void hzc_uci_say(hzc_uci *uci, const char *format, ...) {
    va_list args;
    va_start(args, format);
    (void)pthread_mutex_lock(&uci->lock);
    write_line(uci, format, args);
    (void)pthread_mutex_unlock(&uci->lock);
    va_end(args);
}

void hzc_uci_answer(hzc_uci *uci, const char *format, ...) {
    va_list args;
    va_start(args, format);
    (void)pthread_mutex_lock(&uci->lock);
    while (uci->held) {
        (void)pthread_cond_wait(&uci->changed, &uci->lock);
    }
    /* Whoever reads this line may send the next job at once. */
    uci->job = HZC_JOB_NONE;
    write_line(uci, format, args);
    (void)pthread_cond_broadcast(&uci->changed);
    (void)pthread_mutex_unlock(&uci->lock);
    va_end(args);
}

bool hzc_uci_is_moves(hzc_uci *uci, hzc_word word) {
    char shown[HZC_SHOWN_CAPACITY];
    if (!hzc_word_is(word, "moves")) {
        hzc_uci_say(uci, "info string position: behind startpos comes 'moves', not '%s'",
                    hzc_word_shown(word, shown));
        return false;
    }
    return true;
}

/* ---- the working thread --------------------------------------------------------------------------- */

static hzc_job running(hzc_uci *uci) {
    (void)pthread_mutex_lock(&uci->lock);
    hzc_job job = uci->job;
    (void)pthread_mutex_unlock(&uci->lock);
    return job;
}

static bool output_failed(hzc_uci *uci) {
    (void)pthread_mutex_lock(&uci->lock);
    bool failed = uci->out->failed;
    (void)pthread_mutex_unlock(&uci->lock);
    return failed;
}

static void release(hzc_uci *uci) {
    (void)pthread_mutex_lock(&uci->lock);
    uci->held = false;
    (void)pthread_cond_broadcast(&uci->changed);
    (void)pthread_mutex_unlock(&uci->lock);
}

static void join(hzc_uci *uci) {
    if (uci->started) {
        (void)pthread_join(uci->thread, NULL);
        uci->started = false;
    }
}

/* Ends what runs (a search still answers) and waits for its thread. */
static void stop(hzc_uci *uci) {
    hz_cancel_request(&uci->cancel);
    release(uci);
    join(uci);
}

static void *work(void *context) {
    hzc_uci *uci = context;
    switch (uci->job) { /* nobody else changes it now */
    case HZC_JOB_PERFT:
        hzc_uci_perft(uci);
        break;
    case HZC_JOB_BENCH:
        hzc_uci_bench(uci);
        break;
    default:
        (uci->dice ? hzc_uci_dice_search : hzc_uci_chess_search)(uci);
        break;
    }
    return NULL;
}

static void begin(hzc_uci *uci, hzc_job job, bool held) {
    uci->job = job;
    uci->held = held;
    if (pthread_create(&uci->thread, NULL, work, uci) == 0) {
        uci->started = true;
        return;
    }
    /* Without a second thread the work is done here; nobody can stop it then. */
    uci->held = false;
    (void)work(uci);
}

/* False after an info string when something runs that must be stopped first. */
static bool idle(hzc_uci *uci) {
    if (running(uci) != HZC_JOB_NONE) {
        hzc_uci_say(uci, "info string a search is running; stop it first");
        return false;
    }
    join(uci);
    hz_cancel_clear(&uci->cancel);
    hz_cancel_clear(&uci->hit);
    return true;
}

/* Nobody will read what is still to be said. */
static bool reader_is_gone(const hzc_uci *uci) {
    struct pollfd out = {.fd = uci->out->fd, .events = 0};
    return out.fd >= 0 && poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLNVAL)) != 0;
}

/* Waits until nothing runs, the time is over, or nobody listens. */
static void wait_for_answer(hzc_uci *uci, uint64_t most_ms) {
    enum { LOOK_MS = 50 };
    uint64_t until = hz_clock_now_ns() + most_ms * 1000000;
    (void)pthread_mutex_lock(&uci->lock);
    while (uci->job != HZC_JOB_NONE && !reader_is_gone(uci) && hz_clock_now_ns() < until) {
        struct timespec at;
        (void)clock_gettime(CLOCK_REALTIME, &at);
        at.tv_nsec += LOOK_MS * 1000000L;
        at.tv_sec += at.tv_nsec / 1000000000L;
        at.tv_nsec %= 1000000000L;
        (void)pthread_cond_timedwait(&uci->changed, &uci->lock, &at);
    }
    (void)pthread_mutex_unlock(&uci->lock);
}

/* The dialogue is over. A script may end its lines, even with `quit`, right behind a perft or bench:
 * those get a moment; and a search that ends by itself may do so at the end of the lines. */
static void end(hzc_uci *uci, bool quit) {
    const uint64_t moment_ms = 3000, ever_ms = UINT64_MAX / 2000000;
    hzc_job job = running(uci);
    if (!uci->tame && (job == HZC_JOB_PERFT || job == HZC_JOB_BENCH)) {
        wait_for_answer(uci, quit ? moment_ms : ever_ms);
    } else if (!uci->tame && job == HZC_JOB_SEARCH && !quit && !uci->endless) {
        wait_for_answer(uci, ever_ms);
    }
    stop(uci);
}

/* ---- commands ----------------------------------------------------------------------------------- */

static void command_go(hzc_uci *uci, hzc_words *words) {
    if (!idle(uci)) {
        return;
    }
    char shown[HZC_SHOWN_CAPACITY];
    hzc_word strange = hzc_go_read(words, &uci->go);
    if (strange.length > 0) {
        hzc_uci_say(uci, "info string go: '%s' is not understood", hzc_word_shown(strange, shown));
    }
    if (uci->go.perft >= 0 && !uci->dice) {
        uci->job_board = uci->game.now;
        uci->job_depth = uci->go.perft < 32 ? (int)uci->go.perft : 32;
        begin(uci, HZC_JOB_PERFT, false);
        return;
    }
    if (!(uci->dice ? hzc_uci_dice_prepare(uci) : hzc_uci_chess_prepare(uci))) {
        hzc_uci_say(uci, "bestmove 0000");
        return;
    }
    begin(uci, HZC_JOB_SEARCH, uci->go.infinite || uci->go.ponder);
}

static void command_ponderhit(hzc_uci *uci) {
    if (running(uci) == HZC_JOB_SEARCH) {
        hz_cancel_request(&uci->hit);
        /* "go ponder infinite" goes on until stop. */
        if (!uci->go.infinite) {
            release(uci);
        }
    }
}

static void command_uci(hzc_uci *uci) {
    hzc_uci_say(uci, "id name Hazard %s", hz_version());
    hzc_uci_say(uci, "id author the Hazard authors");
    hzc_uci_options_say(uci);
    hzc_uci_say(uci, "uciok");
}

/* What takes time, a model to be read above all, is done now and not on the clock of the first `go`;
 * an info string says what could not be. */
static void command_isready(hzc_uci *uci) {
    if (running(uci) == HZC_JOB_NONE) {
        join(uci);
        (void)(uci->dice ? hzc_uci_dice_ready : hzc_uci_chess_ready)(uci);
    }
    hzc_uci_say(uci, "readyok");
}

static void command_setoption(hzc_uci *uci, hzc_words *words) {
    if (running(uci) != HZC_JOB_NONE) {
        hzc_uci_say(uci, "info string options cannot change while a search runs");
        return;
    }
    join(uci);
    hzc_uci_options_set(uci, words);
}

static void command_newgame(hzc_uci *uci) {
    if (idle(uci)) {
        hzc_uci_chess_new_game(uci);
        uci->stale_dice = true;
    }
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

/* "perft [N]", "bench [N]": of chess, whatever the variant. */
static void command_count(hzc_uci *uci, hzc_words *words, hzc_job job) {
    int64_t depth = job == HZC_JOB_BENCH ? 9 : 5;
    hzc_word number;
    if (hzc_words_next(words, &number) &&
        (!hzc_word_number(number, &depth) || depth < 1 || depth > 32)) {
        hzc_uci_say(uci, "info string the depth is a number from 1 to 32");
    } else if (idle(uci)) {
        uci->job_board = uci->game.now;
        uci->job_depth = (int)depth;
        begin(uci, job, false);
    }
}

/* Obeys a command of this name; false when there is none. */
static bool obey_word(hzc_uci *uci, hzc_word word, hzc_words *words, bool *quit) {
    if (hzc_word_is(word, "quit")) {
        *quit = true;
    } else if (hzc_word_is(word, "uci")) {
        command_uci(uci);
    } else if (hzc_word_is(word, "isready")) {
        command_isready(uci);
    } else if (hzc_word_is(word, "setoption")) {
        command_setoption(uci, words);
    } else if (hzc_word_is(word, "ucinewgame")) {
        command_newgame(uci);
    } else if (hzc_word_is(word, "position")) {
        (uci->dice ? hzc_uci_dice_position : hzc_uci_chess_position)(uci, words);
    } else if (hzc_word_is(word, "go")) {
        command_go(uci, words);
    } else if (hzc_word_is(word, "stop")) {
        /* Many programs send the next command without waiting for the answer. */
        stop(uci);
    } else if (hzc_word_is(word, "ponderhit")) {
        command_ponderhit(uci);
    } else if (hzc_word_is(word, "d")) {
        command_show(uci);
    } else if (hzc_word_is(word, "perft")) {
        command_count(uci, words, HZC_JOB_PERFT);
    } else if (hzc_word_is(word, "bench")) {
        command_count(uci, words, HZC_JOB_BENCH);
    } else {
        return hzc_word_is(word, "debug") || hzc_word_is(word, "register");
    }
    return true;
}

/* One line: words in front of a command that are none are passed over. True for `quit`. */
static bool obey(hzc_uci *uci, hzc_words *words) {
    hzc_word word, first = {NULL, 0};
    bool quit = false;
    while (hzc_words_next(words, &word)) {
        if (obey_word(uci, word, words, &quit)) {
            return quit;
        }
        first = first.length > 0 ? first : word;
    }
    if (first.length > 0) {
        char shown[HZC_SHOWN_CAPACITY];
        hzc_uci_say(uci, "info string '%s' is no command", hzc_word_shown(first, shown));
    }
    return false;
}

/* Lines until `quit` or their end. */
static void converse(hzc_uci *uci, int fd, int *code) {
    bool quit = false;
    hzc_lines lines;
    hzc_lines_init(&lines, fd, LINE_MAX_BYTES);
    for (bool on = true; on && !quit;) {
        const char *text;
        size_t length;
        switch (hzc_lines_next(&lines, &text, &length)) {
        case HZC_LINE: {
            hzc_words words = {text, length, 0};
            quit = obey(uci, &words) || output_failed(uci);
            break;
        }
        case HZC_LINE_TOO_LONG:
            hzc_uci_say(uci, "info string a line of more than %d bytes is ignored", LINE_MAX_BYTES);
            break;
        case HZC_LINE_FAILED:
            *code = HZC_ENVIRONMENT;
            on = false;
            break;
        case HZC_LINE_END:
            on = false;
            break;
        }
    }
    end(uci, quit);
    hzc_lines_fini(&lines);
}

int hzc_uci_run(hzc_out *out, int fd, const char *model, bool tame) {
    hz_position start;
    hzc_uci *uci = calloc(1, sizeof *uci);
    if (!uci ||
        hz_position_from_dfen(&start, HZ_START_DFEN, strlen(HZ_START_DFEN), NULL) != HZ_OK ||
        hz_chess_game_init(&uci->game, &start, NULL) != HZ_OK) {
        free(uci);
        return HZC_ENVIRONMENT;
    }
    uci->out = out;
    uci->tame = tame;
    uci->board = start;
    (void)pthread_mutex_init(&uci->lock, NULL);
    (void)pthread_cond_init(&uci->changed, NULL);
    hz_arena_init(&uci->arena, 0);
    hzc_uci_options_init(uci);
    (void)snprintf(uci->eval_file, sizeof uci->eval_file, "%s", model ? model : "");
    int code = HZC_DONE;
    converse(uci, fd, &code);
    hzc_uci_chess_close(uci);
    hzc_uci_dice_close(uci);
    hz_chess_game_fini(&uci->game);
    hz_chess_game_fini(&uci->job_game);
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
    int code = hzc_uci_run(args->out, STDIN_FILENO, hzc_args_value(args, "model"), false);
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
