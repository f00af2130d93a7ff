/* SPDX-License-Identifier: MIT */
/*
 * A program that speaks the Universal Chess Interface as a player: of chess, or of Dice Chess for a
 * program with the variant "dicechess" (a position is a DFEN with its roll, an answer a whole turn).
 *
 * The command line is split without a shell. Words of the form depth=, nodes=, movetime=, timeout=
 * and option.NAME= are ours, the others make the command. A program that breaks off, falls silent or
 * floods us has no valid answer, and is ended; the next question starts it again.
 */
#include "arena/child.h"

#include <hazard/arena.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    START_MS = 30000,          /* to begin, and for every "isready" */
    ANSWER_MS = 120000,        /* without a clock, unless timeout= says otherwise */
    MOVE_TIME_GRACE_MS = 5000, /* beyond movetime= */
    LATE_MS = 10,              /* beyond the clock, which the referee looks at */
    QUIT_MS = 1000,            /* to end when asked to */
    FLOOD_MS = 100,            /* beyond its time, for who never stops talking */
    MOST_OUTPUT = 64 << 20,    /* bytes of one answer */
    MOST_START_LINES = 10000,
    MOST_LIMIT = 1000000000
};

typedef struct uci_player {
    hz_match_game game;
    hzi_words words; /* the command first, options moved behind it */
    char *name;      /* the command as it was given */
    size_t argc;     /* words of the command */
    char **options;  /* "NAME=VALUE", in words */
    size_t option_count;
    int64_t depth, nodes, move_time_ms, timeout_ms; /* 0 = not given */
    hzi_child child;
    bool has_game;
    uint64_t game_number;
    char *text; /* of the command being put together */
    size_t length, capacity;
} uci_player;

/* ---- the command line --------------------------------------------------------------------------- */

static bool is_option(const char *word, const char *name) {
    return strncmp(word, name, strlen(name)) == 0;
}

/* Takes "NAME=N"; false when the word is none of ours. */
static bool read_limit(uci_player *uci, const char *word, hz_status *status, hz_error *err) {
    const struct {
        const char *name;
        int64_t *value;
    } limits[] = {{"depth=", &uci->depth},
                  {"nodes=", &uci->nodes},
                  {"movetime=", &uci->move_time_ms},
                  {"timeout=", &uci->timeout_ms}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (is_option(word, limits[i].name)) {
            const char *digits = word + strlen(limits[i].name);
            size_t n = strspn(digits, "0123456789");
            int64_t value = n > 0 && n <= 10 && digits[n] == '\0' ? strtoll(digits, NULL, 10) : 0;
            if (value < 1 || value > MOST_LIMIT) {
                *status =
                    hz_fail(err, HZ_BAD_OPTION, HZ_NO_OFFSET,
                            "uci: '%.60s': a number from 1 to %d is wanted", word, (int)MOST_LIMIT);
            }
            *limits[i].value = value;
            return true;
        }
    }
    return false;
}

static hz_status read_command(uci_player *uci, const char *command, hz_error *err) {
    hz_status status = hzi_words_split(command, &uci->words, err);
    if (status != HZ_OK) {
        return status;
    }
    uci->options = calloc(uci->words.count + 1, sizeof *uci->options);
    if (!uci->options) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a player");
    }
    char **word = uci->words.word;
    for (size_t i = 0; i < uci->words.count && status == HZ_OK; i++) {
        if (i > 0 && is_option(word[i], "option.")) {
            char *option = word[i] + strlen("option.");
            if (option[0] == '=' || !strchr(option, '=')) {
                status = hz_fail(err, HZ_BAD_OPTION, HZ_NO_OFFSET,
                                 "uci: '%.60s' is not option.NAME=VALUE", word[i]);
            }
            uci->options[uci->option_count++] = option;
        } else if (i == 0 || !read_limit(uci, word[i], &status, err)) {
            word[uci->argc++] = word[i];
        }
    }
    word[uci->argc] = NULL;
    if (status == HZ_OK && (uci->argc == 0 || word[0][0] == '\0')) {
        status = hz_fail(err, HZ_BAD_OPTION, HZ_NO_OFFSET, "uci: what is the command?");
    }
    return status;
}

/* ---- talking ------------------------------------------------------------------------------------ */

static hzi_patience patience_of(int64_t ms, const hz_cancel *cancel) {
    return (hzi_patience){hz_clock_now_ns() + (uint64_t)ms * 1000000, cancel};
}

static bool grow(uci_player *uci, size_t more) {
    if (uci->length + more + 1 > uci->capacity) {
        size_t capacity = (uci->length + more + 1) * 2;
        char *text = realloc(uci->text, capacity);
        if (!text) {
            return false;
        }
        uci->text = text;
        uci->capacity = capacity;
    }
    return true;
}

static bool add(uci_player *uci, const char *piece) {
    size_t n = strlen(piece);
    if (!grow(uci, n)) {
        return false;
    }
    memcpy(uci->text + uci->length, piece, n + 1);
    uci->length += n;
    return true;
}

static bool add_number(uci_player *uci, const char *name, int64_t value) {
    char piece[64];
    (void)snprintf(piece, sizeof piece, " %s %" PRId64, name, value);
    return add(uci, piece);
}

static hzi_child_result say(uci_player *uci, const char *text, const hzi_patience *patience) {
    return hzi_child_send(&uci->child, text, strlen(text), patience);
}

/* The first word is `word`. */
static bool begins(const char *line, const char *word) {
    size_t n = strlen(word);
    return strncmp(line, word, n) == 0 && (line[n] == '\0' || line[n] == ' ' || line[n] == '\t');
}

/* Whether the option line offers the variant. */
static bool offers_variant(const char *line) {
    return strstr(line, " name UCI_Variant ") && strstr(line, " dicechess");
}

/* Reads lines until one begins with `word`. */
static hzi_child_result wait_for(uci_player *uci, const char *word, bool *variant,
                                 const hzi_patience *patience) {
    char *line;
    size_t length;
    for (int i = 0; i < MOST_START_LINES; i++) {
        hzi_child_result result = hzi_child_line(&uci->child, &line, &length, patience);
        if (result != HZI_CHILD_OK || begins(line, word)) {
            return result;
        }
        if (variant && begins(line, "option") && offers_variant(line)) {
            *variant = true;
        }
    }
    return HZI_CHILD_TOO_LONG;
}

static const char *text_of(hzi_child_result result) {
    switch (result) {
    case HZI_CHILD_ENDED:
        return "it has ended";
    case HZI_CHILD_TIMED_OUT:
        return "it did not answer in time";
    case HZI_CHILD_CANCELLED:
        return "cancelled";
    case HZI_CHILD_TOO_LONG:
        return "it writes too much";
    default:
        return "";
    }
}

static hz_status failed_to_start(uci_player *uci, hzi_child_result result, const char *when,
                                 hz_error *err) {
    hzi_child_stop(&uci->child, 0);
    return hz_fail(err, result == HZI_CHILD_CANCELLED ? HZ_CANCELLED : HZ_PLAYER, HZ_NO_OFFSET,
                   "uci: '%.200s' cannot play: %s after '%s'", uci->name, text_of(result), when);
}

/* "setoption name N value V" of "N=V". */
static hzi_child_result set_option(uci_player *uci, const char *option,
                                   const hzi_patience *patience) {
    size_t name = strcspn(option, "=");
    uci->length = 0;
    if (!grow(uci, strlen(option) + 40)) {
        return HZI_CHILD_TOO_LONG;
    }
    uci->length = (size_t)snprintf(uci->text, uci->capacity, "setoption name %.*s value %s\n",
                                   (int)name, option, option + name + 1);
    return say(uci, uci->text, patience);
}

static hz_status begin(uci_player *uci, const hz_cancel *cancel, hz_error *err) {
    bool variant = false;
    hz_status status = hzi_child_start(&uci->child, uci->words.word, err);
    if (status != HZ_OK) {
        return status;
    }
    uci->has_game = false;
    hzi_patience patience = patience_of(START_MS, cancel);
    hzi_child_result result = say(uci, "uci\n", &patience);
    if (result == HZI_CHILD_OK) {
        result = wait_for(uci, "uciok", &variant, &patience);
    }
    if (result != HZI_CHILD_OK) {
        return failed_to_start(uci, result, "uci", err);
    }
    if (uci->game == HZ_MATCH_DICE) {
        if (!variant) {
            hzi_child_stop(&uci->child, QUIT_MS);
            return hz_fail(err, HZ_PLAYER, HZ_NO_OFFSET,
                           "uci: '%.200s' does not play Dice Chess: it has no option UCI_Variant "
                           "with the value dicechess",
                           uci->name);
        }
        result = set_option(uci, "UCI_Variant=dicechess", &patience);
    }
    for (size_t i = 0; i < uci->option_count && result == HZI_CHILD_OK; i++) {
        result = set_option(uci, uci->options[i], &patience);
    }
    if (result == HZI_CHILD_OK) {
        result = say(uci, "isready\n", &patience);
    }
    if (result == HZI_CHILD_OK) {
        result = wait_for(uci, "readyok", NULL, &patience);
    }
    return result == HZI_CHILD_OK ? HZ_OK : failed_to_start(uci, result, "isready", err);
}

/* ---- one question ------------------------------------------------------------------------------- */

static hzi_child_result new_game(uci_player *uci, const hz_cancel *cancel) {
    hzi_patience patience = patience_of(START_MS, cancel);
    hzi_child_result result = say(uci, "ucinewgame\nisready\n", &patience);
    return result == HZI_CHILD_OK ? wait_for(uci, "readyok", NULL, &patience) : result;
}

static bool write_position(uci_player *uci, const hz_match_question *question) {
    char fen[HZ_DFEN_CAPACITY], move[HZ_MOVE_CAPACITY];
    uci->length = 0;
    if (uci->game == HZ_MATCH_DICE) {
        (void)hz_position_to_dfen(question->position, fen, sizeof fen);
        return add(uci, "position fen ") && add(uci, fen) && add(uci, "\n");
    }
    (void)hz_chess_to_fen(question->start, fen, sizeof fen);
    bool good = add(uci, "position fen ") && add(uci, fen);
    if (question->move_count > 0) {
        good = good && add(uci, " moves");
    }
    for (size_t i = 0; i < question->move_count && good; i++) {
        (void)hz_move_to_text(question->moves[i], move);
        good = add(uci, " ") && add(uci, move);
    }
    return good && add(uci, "\n");
}

static bool write_go(uci_player *uci, const hz_match_question *question) {
    bool good = add(uci, "go");
    if (question->timed) {
        for (int color = 0; color < 2 && good; color++) {
            int64_t rest = question->rest_ms[color];
            good = add_number(uci, color == HZ_WHITE ? "wtime" : "btime", rest > 1 ? rest : 1);
        }
        good = good && add_number(uci, "winc", question->increment_ms) &&
               add_number(uci, "binc", question->increment_ms);
    }
    good = good && (!uci->depth || add_number(uci, "depth", uci->depth));
    good = good && (!uci->nodes || add_number(uci, "nodes", uci->nodes));
    good = good && (!uci->move_time_ms || add_number(uci, "movetime", uci->move_time_ms));
    return good && add(uci, "\n");
}

/* How long the answer may take. */
static int64_t answer_ms(const uci_player *uci, const hz_match_question *question) {
    int64_t most = uci->timeout_ms ? uci->timeout_ms : ANSWER_MS;
    if (question->timed) {
        int64_t rest = question->rest_ms[question->color];
        rest = (rest > 0 ? rest : 0) + LATE_MS;
        return uci->timeout_ms && uci->timeout_ms < rest ? uci->timeout_ms : rest;
    }
    if (uci->move_time_ms && !uci->timeout_ms) {
        most = uci->move_time_ms + MOVE_TIME_GRACE_MS;
    }
    return most;
}

/* Splits off the next word; NULL at the end. */
static char *next_word(char **rest) {
    char *word = *rest + strspn(*rest, " \t");
    size_t n = strcspn(word, " \t");
    *rest = word + n;
    if (n == 0) {
        return NULL;
    }
    if (**rest != '\0') {
        *(*rest)++ = '\0';
    }
    return word;
}

static bool whole_number(const char *text, int64_t *value) {
    const char *digits = text + (*text == '-');
    size_t n = strspn(digits, "0123456789");
    if (n == 0 || n > 18 || digits[n] != '\0') {
        return false;
    }
    *value = strtoll(text, NULL, 10);
    return true;
}

static int32_t score_of(hz_match_game game, bool mate, int64_t value) {
    if (!mate) {
        return (int32_t)(value > HZ_CHESS_SCORE_MAX    ? HZ_CHESS_SCORE_MAX
                         : value < -HZ_CHESS_SCORE_MAX ? -HZ_CHESS_SCORE_MAX
                                                       : value);
    }
    if (game == HZ_MATCH_DICE) {
        return value > 0 ? HZ_SCORE_WIN : -HZ_SCORE_WIN;
    }
    /* n moves to mate are 2 n - 1 plies, n moves to being mated 2 n. */
    int64_t plies = value > 0 ? 2 * value - 1 : -2 * value;
    plies = plies < 0 || plies > 1000 ? 1000 : plies;
    return (int32_t)(value > 0 ? HZ_CHESS_MATE - plies : plies - HZ_CHESS_MATE);
}

/* Score and nodes of an info line of the first variation. */
static void read_info(const uci_player *uci, char *rest, hz_match_reply *reply) {
    bool has_score = false, mate = false, bound = false, first = true;
    int64_t score = 0, nodes = 0, number;
    for (char *word = next_word(&rest); word; word = next_word(&rest)) {
        if (strcmp(word, "string") == 0 || strcmp(word, "pv") == 0) {
            break;
        }
        if (strcmp(word, "score") == 0) {
            char *kind = next_word(&rest), *value = kind ? next_word(&rest) : NULL;
            mate = kind && strcmp(kind, "mate") == 0;
            has_score = value && (mate || strcmp(kind, "cp") == 0) && whole_number(value, &score);
        } else if (strcmp(word, "lowerbound") == 0 || strcmp(word, "upperbound") == 0) {
            bound = true;
        } else if (strcmp(word, "nodes") == 0 || strcmp(word, "multipv") == 0) {
            char *value = next_word(&rest);
            bool good = value && whole_number(value, &number) && number > 0;
            if (good && word[0] == 'n') {
                nodes = number;
            } else if (good) {
                first = number == 1;
            }
        }
    }
    if (has_score && !bound && first) {
        reply->has_score = true;
        reply->score = score_of(uci->game, mate, score);
    }
    if (nodes > 0) {
        reply->nodes = (uint64_t)nodes;
    }
}

static void fault(hz_match_reply *reply, hz_match_fault what, const char *note) {
    reply->fault = what;
    (void)snprintf(reply->note, sizeof reply->note, "%.119s", note);
}

/* A fault after which the program cannot be trusted any more. */
static void give_up(uci_player *uci, hz_match_reply *reply, hz_match_fault what, const char *note) {
    fault(reply, what, note);
    hzi_child_stop(&uci->child, 0);
}

/* What was said, for a note: printable and short. */
static const char *shown(const char *text, char *buffer, size_t capacity) {
    size_t n = 0;
    for (; text[n] != '\0' && n + 1 < capacity; n++) {
        buffer[n] = text[n] >= ' ' && text[n] < 127 ? text[n] : '?';
    }
    buffer[n] = '\0';
    return buffer;
}

static void read_best_move(uci_player *uci, char *rest, const hz_match_question *question,
                           hz_match_reply *reply) {
    char text[40], note[100];
    hz_error err;
    char *word = next_word(&rest);
    if (!word) {
        give_up(uci, reply, HZ_FAULT_GARBLED, "bestmove without a move");
        return;
    }
    size_t length = strlen(word);
    hz_status status;
    if (uci->game == HZ_MATCH_DICE) {
        /* "-" is a pass; the referee never asks when it is the right answer. */
        reply->pass = strcmp(word, "-") == 0;
        status = hz_turn_from_text(question->position, word, length, &reply->turn, NULL, &err);
    } else {
        status = hz_chess_move_from_text(question->position, word, length, &reply->move, &err);
    }
    if (status != HZ_OK || reply->pass) {
        (void)snprintf(note, sizeof note, "bestmove %s", shown(word, text, sizeof text));
        int from, to;
        hz_piece_type promotion;
        bool move = reply->pass || strcmp(word, "0000") == 0 || strcmp(word, "(none)") == 0 ||
                    (length >= 4 && hz_move_parse(word, strcspn(word, ","), &from, &to, &promotion,
                                                  &err) == HZ_OK);
        if (move) {
            fault(reply, HZ_FAULT_ILLEGAL, note);
        } else {
            give_up(uci, reply, HZ_FAULT_GARBLED, note);
        }
    }
}

static hz_match_fault fault_of(hzi_child_result result) {
    return result == HZI_CHILD_TIMED_OUT  ? HZ_FAULT_TIMED_OUT
           : result == HZI_CHILD_TOO_LONG ? HZ_FAULT_OVERSIZED
                                          : HZ_FAULT_LOST;
}

/* Makes sure that a program runs and knows which game this is. */
static hz_status prepare(uci_player *uci, const hz_match_question *question, hz_match_reply *reply,
                         hz_error *err) {
    const hz_cancel *cancel = question->deadline.cancel;
    bool fresh = !uci->has_game || uci->game_number != question->game_number;
    if (!hzi_child_runs(&uci->child)) {
        hz_error why;
        hz_status status = begin(uci, cancel, &why);
        if (status == HZ_CANCELLED || status == HZ_NO_MEMORY) {
            return hz_fail(err, status, HZ_NO_OFFSET, "%s", why.message);
        }
        if (status != HZ_OK) {
            fault(reply, HZ_FAULT_LOST, why.message);
            return HZ_OK;
        }
        fresh = true;
    }
    if (fresh) {
        hzi_child_result result = new_game(uci, cancel);
        if (result == HZI_CHILD_CANCELLED) {
            return hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "cancelled");
        }
        if (result != HZI_CHILD_OK) {
            give_up(uci, reply, fault_of(result), "no answer to ucinewgame and isready");
            return HZ_OK;
        }
        uci->has_game = true;
        uci->game_number = question->game_number;
    }
    return HZ_OK;
}

static hz_status ask(hz_match_player *player, const hz_match_question *question,
                     hz_match_reply *reply, hz_error *err) {
    uci_player *uci = player->state;
    const hz_cancel *cancel = question->deadline.cancel;
    *reply = (hz_match_reply){0};
    if (uci->game == HZ_MATCH_CHESS && !question->timed && !uci->depth && !uci->nodes &&
        !uci->move_time_ms) {
        return hz_fail(err, HZ_BAD_OPTION, HZ_NO_OFFSET,
                       "uci: '%.200s' would think for ever: without a time control it needs "
                       "depth=, nodes= or movetime= behind its command",
                       uci->name);
    }
    hzi_patience patience = patience_of(answer_ms(uci, question), cancel);
    if (!hzi_child_runs(&uci->child) || !uci->has_game ||
        uci->game_number != question->game_number) {
        uint64_t begun = hz_clock_now_ns();
        hz_status status = prepare(uci, question, reply, err);
        reply->free_us = (hz_clock_now_ns() - begun) / 1000;
        if (status != HZ_OK || reply->fault != HZ_FAULT_NONE) {
            return status;
        }
        patience = patience_of(answer_ms(uci, question), cancel);
    }
    if (!write_position(uci, question) || !write_go(uci, question)) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a game's moves");
    }
    uci->child.received = 0;
    hzi_child_result result = hzi_child_send(&uci->child, uci->text, uci->length, &patience);
    while (result == HZI_CHILD_OK) {
        char *line;
        size_t length;
        result = hzi_child_line(&uci->child, &line, &length, &patience);
        if (result == HZI_CHILD_OK && begins(line, "info")) {
            read_info(uci, line + 4, reply);
        } else if (result == HZI_CHILD_OK && begins(line, "bestmove")) {
            read_best_move(uci, line + 8, question, reply);
            return HZ_OK;
        }
        if (result == HZI_CHILD_OK && uci->child.received > MOST_OUTPUT) {
            result = HZI_CHILD_TOO_LONG;
        } else if (result == HZI_CHILD_OK && patience.until_ns != HZ_NO_DEADLINE &&
                   hz_clock_now_ns() > patience.until_ns + FLOOD_MS * UINT64_C(1000000)) {
            result = HZI_CHILD_TIMED_OUT; /* there is always another line, so nobody waits */
        }
    }
    if (result == HZI_CHILD_CANCELLED) {
        hzi_child_stop(&uci->child, 0);
        return hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "cancelled");
    }
    give_up(uci, reply, fault_of(result), text_of(result));
    return HZ_OK;
}

static hz_status start(hz_match_player *player, hz_error *err) {
    uci_player *uci = player->state;
    return hzi_child_runs(&uci->child) ? HZ_OK : begin(uci, player->cancel, err);
}

static void close_player(hz_match_player *player) {
    uci_player *uci = player->state;
    if (uci) {
        if (hzi_child_runs(&uci->child)) {
            hzi_patience patience = patience_of(QUIT_MS, NULL);
            (void)say(uci, "stop\nquit\n", &patience);
            hzi_child_stop(&uci->child, QUIT_MS);
        }
        hzi_words_fini(&uci->words);
        free(uci->options);
        free(uci->name);
        free(uci->text);
        free(uci);
    }
    player->state = NULL;
}

hz_status hz_match_player_uci(const char *command, hz_match_game game, hz_match_player *player,
                              hz_error *err) {
    uci_player *uci = calloc(1, sizeof *uci);
    if (!uci) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a player");
    }
    hz_match_player made = {
        .state = uci, .self_managing = true, .ask = ask, .start = start, .close = close_player};
    uci->game = game;
    size_t length = strlen(command);
    uci->name = malloc(length + 1);
    hz_status status = HZ_OK;
    if (uci->name) {
        memcpy(uci->name, command, length + 1);
        status = read_command(uci, command, err);
    } else {
        status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a player");
    }
    if (status != HZ_OK) {
        close_player(&made);
        return status;
    }
    made.name = uci->name;
    *player = made;
    return HZ_OK;
}
