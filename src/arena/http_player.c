/* SPDX-License-Identifier: MIT */
/*
 * A player over HTTP: the sending side of the bot protocol. Every question is one signed POST whose
 * answer is the turn; nothing is kept open that matters. Before its first game a bot must prove
 * that it lives at its address.
 *
 * A failing server (5xx) or a connection that broke before any status came is asked again while the
 * clock allows it; the server answers a repeated question from memory. Everything else that is not a
 * legal turn loses the game, with the reason kept apart: what was answered is not asked again.
 */
#include "arena/bot_protocol.h"
#include "arena/child.h"
#include "arena/http_client.h"
#include "arena/signature.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    TIMEOUT_MS = 120000, /* of one question, whatever the clock says */
    PROBE_MS = 10000,
    RETRIES = 2,
    PAUSE_MS = 100, /* before the first repetition, doubled for each more */
    SLICE_MS = 50,
    MOST_RETRIES = 100
};

typedef struct http_player {
    hzi_http_url url;
    hzi_http *http;
    char *key;     /* owned; of the environment */
    char *ca_file; /* owned; NULL = the system's */
    int64_t timeout_ms, retries, most_nodes;
    bool verified;
    bool has_game;
    uint64_t run; /* random: tells the games of two runs apart */
    uint64_t game_number;
    int64_t base_ms; /* of the present game */
    hzi_text body, tree;
    hzi_http_answer answer;
} http_player;

/* ---- sending ------------------------------------------------------------------------------------ */

static void pause_for(int64_t ms, const hz_cancel *cancel) {
    while (ms > 0 && !hz_cancel_requested(cancel)) {
        int64_t part = ms < SLICE_MS ? ms : SLICE_MS;
        struct timespec wait = {.tv_nsec = (long)part * 1000000};
        (void)nanosleep(&wait, NULL);
        ms -= part;
    }
}

/* Signs the body and sends it once. */
static void post(http_player *h, int64_t timeout_ms, const hz_cancel *cancel) {
    char stamp[HZI_STAMP], hex[HZI_SIGNATURE_HEX + 1];
    char stamp_header[64], signature_header[128];
    hzi_stamp(0, stamp);
    hzi_signature(h->key, stamp, h->body.bytes, h->body.length, hex);
    (void)snprintf(stamp_header, sizeof stamp_header, "X-DiceChess-Timestamp: %s", stamp);
    (void)snprintf(signature_header, sizeof signature_header, "X-DiceChess-Signature: %s", hex);
    const char *const headers[] = {"Content-Type: application/json", "Accept: application/json",
                                   stamp_header, signature_header, NULL};
    hzi_http_post request = {.headers = headers,
                             .body = h->body.bytes,
                             .length = h->body.length,
                             .timeout_ms = timeout_ms > 1 ? timeout_ms : 1,
                             .cancel = cancel};
    hzi_http_send(h->http, &request, &h->answer);
}

static bool worth_repeating(const hzi_http_answer *answer) {
    return answer->outcome == HZI_HTTP_UNREACHABLE ||
           (answer->outcome == HZI_HTTP_BROKEN && answer->status < 200) ||
           (answer->outcome == HZI_HTTP_ANSWERED && answer->status >= 500 && answer->status < 600);
}

/* Sends the body until there is an answer, within timeout_ms altogether. */
static void post_patiently(http_player *h, int64_t timeout_ms, const hz_cancel *cancel) {
    uint64_t start = hz_clock_now_ns();
    int64_t pause = PAUSE_MS;
    for (int64_t tries = 0;; tries++) {
        int64_t rest = timeout_ms - (int64_t)((hz_clock_now_ns() - start) / 1000000);
        post(h, rest, cancel);
        rest = timeout_ms - (int64_t)((hz_clock_now_ns() - start) / 1000000);
        if (tries >= h->retries || !worth_repeating(&h->answer) || rest <= pause ||
            hz_cancel_requested(cancel)) {
            return;
        }
        pause_for(pause, cancel);
        pause *= 2;
    }
}

/* ---- questions ---------------------------------------------------------------------------------- */

static void write_time(const http_player *h, const hz_match_question *question, char clocks[80],
                       char control[96]) {
    (void)snprintf(clocks, 80, "null");
    (void)snprintf(control, 96, "{\"Unlimited\":{}}");
    if (!question->timed) {
        return;
    }
    int64_t white = question->rest_ms[HZ_WHITE], black = question->rest_ms[HZ_BLACK];
    (void)snprintf(clocks, 80, "{\"white\":%" PRId64 ",\"black\":%" PRId64 "}",
                   white > 0 ? white : 0, black > 0 ? black : 0);
    /* Whole seconds: the base rounded up, the increment down, so that nobody counts on too much. */
    int64_t base = (h->base_ms + 999) / 1000, increment = question->increment_ms / 1000;
    if (question->increment_ms > 0) {
        (void)snprintf(control, 96,
                       "{\"Fischer\":{\"initialSeconds\":%" PRId64 ",\"incrementSeconds\":%" PRId64
                       "}}",
                       base, increment);
    } else {
        (void)snprintf(control, 96, "{\"SuddenDeath\":{\"initialSeconds\":%" PRId64 "}}", base);
    }
}

static hz_status write_question(http_player *h, const hz_match_question *question, hz_error *err) {
    char dfen[HZ_DFEN_CAPACITY], game[64], clocks[80], control[96];
    const char *seat = question->color == HZ_WHITE ? "White" : "Black";
    if (!h->has_game || h->game_number != question->game_number) {
        h->has_game = true;
        h->game_number = question->game_number;
        h->base_ms = question->timed ? question->rest_ms[question->color] : 0;
    }
    (void)hz_position_to_dfen(question->position, dfen, sizeof dfen);
    (void)snprintf(game, sizeof game, "hazard-%016" PRIx64 "-%" PRIu64, h->run,
                   question->game_number);
    write_time(h, question, clocks, control);
    hzi_text_clear(&h->tree);
    hzi_text_clear(&h->body);
    bool small =
        hzi_bot_tree_write(question->position, (uint64_t)h->most_nodes, HZI_TREE_BYTES, &h->tree);
    hzi_bot_request request = {.type = "yourTurn",
                               .game_id = game,
                               .seat = seat,
                               .dfen = dfen,
                               .active_seat = seat,
                               .version = question->ply + 1,
                               .dice_pending = "true",
                               .clocks = clocks,
                               .time_control = control,
                               .may_offer_draw = "false",
                               .tree = small ? h->tree.bytes : "null"};
    hzi_bot_request_write(&request, &h->body);
    return h->body.failed || h->tree.failed
               ? hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a request")
               : HZ_OK;
}

static void fault(hz_match_reply *reply, hz_match_fault what, const char *note) {
    reply->fault = what;
    (void)snprintf(reply->note, sizeof reply->note, "%.119s", note);
}

static void read_answer(const http_player *h, const hz_match_question *question,
                        hz_match_reply *reply) {
    static const hz_match_fault faults[] = {
        [HZI_HTTP_UNREACHABLE] = HZ_FAULT_UNREACHABLE, [HZI_HTTP_BROKEN] = HZ_FAULT_LOST,
        [HZI_HTTP_TIMED_OUT] = HZ_FAULT_TIMED_OUT,     [HZI_HTTP_OVERSIZED] = HZ_FAULT_OVERSIZED,
        [HZI_HTTP_GARBLED] = HZ_FAULT_GARBLED,         [HZI_HTTP_CANCELLED] = HZ_FAULT_FAILED};
    const hzi_http_answer *answer = &h->answer;
    char note[120];
    if (answer->outcome != HZI_HTTP_ANSWERED) {
        fault(reply, faults[answer->outcome], answer->note);
    } else if (answer->status != 200) {
        char error[60] = "";
        reply->http_status = answer->status;
        (void)hzi_bot_reply_text(answer->body, answer->length, "error", error, sizeof error);
        for (char *c = error; *c; c++) {
            *c = *c >= ' ' && *c < 127 ? *c : '?';
        }
        (void)snprintf(note, sizeof note, "status %d%s%s", answer->status, *error ? ": " : "",
                       error);
        fault(reply, HZ_FAULT_HTTP_STATUS, note);
    } else {
        hz_match_fault what = hzi_bot_reply_turn(answer->body, answer->length, question->position,
                                                 &reply->turn, note);
        if (what != HZ_FAULT_NONE) {
            fault(reply, what, note);
        }
    }
}

static hz_status ask(hz_match_player *player, const hz_match_question *question,
                     hz_match_reply *reply, hz_error *err) {
    http_player *h = player->state;
    const hz_cancel *cancel = question->deadline.cancel;
    *reply = (hz_match_reply){0};
    hz_status status = write_question(h, question, err);
    if (status != HZ_OK) {
        return status;
    }
    int64_t timeout = h->timeout_ms;
    if (question->timed && question->rest_ms[question->color] < timeout) {
        timeout = question->rest_ms[question->color];
    }
    post_patiently(h, timeout, cancel);
    if (h->answer.outcome == HZI_HTTP_CANCELLED) {
        return hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "cancelled");
    }
    read_answer(h, question, reply);
    return HZ_OK;
}

/* ---- before the first game ---------------------------------------------------------------------- */

/* Once: afterwards a bot that is gone loses its games and nothing more. */
static hz_status start(hz_match_player *player, hz_error *err) {
    http_player *h = player->state;
    char nonce[HZI_NONCE_TEXT + 1], echoed[HZI_NONCE_TEXT + 1];
    if (h->verified) {
        return HZ_OK;
    }
    hz_status status = hzi_nonce(nonce, err);
    if (status != HZ_OK) {
        return status;
    }
    hzi_text_clear(&h->body);
    hzi_text_format(&h->body, "{\"type\":\"verification\",\"nonce\":\"%s\"}", nonce);
    if (h->body.failed) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a request");
    }
    post_patiently(h, PROBE_MS, player->cancel);
    if (hz_cancel_requested(player->cancel)) {
        return hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "cancelled");
    }
    if (h->answer.outcome != HZI_HTTP_ANSWERED) {
        return hz_fail(err, HZ_PLAYER, HZ_NO_OFFSET, "no bot answers at %.300s: %s", h->url.text,
                       h->answer.note);
    }
    if (h->answer.status != 200) {
        return hz_fail(
            err, HZ_PLAYER, HZ_NO_OFFSET, "%.300s answers the verification with status %d%s",
            h->url.text, h->answer.status,
            h->answer.status == 401 ? ": the secret is another one, or a clock is wrong" : "");
    }
    if (!hzi_bot_reply_text(h->answer.body, h->answer.length, "nonce", echoed, sizeof echoed) ||
        strcmp(echoed, nonce) != 0) {
        return hz_fail(err, HZ_PLAYER, HZ_NO_OFFSET,
                       "%.300s does not send the nonce of the verification back", h->url.text);
    }
    h->verified = true;
    return HZ_OK;
}

/* ---- making ------------------------------------------------------------------------------------- */

static void close_player(hz_match_player *player) {
    http_player *h = player->state;
    if (h) {
        hzi_http_free(h->http);
        hzi_http_url_fini(&h->url);
        hzi_text_fini(&h->body);
        hzi_text_fini(&h->tree);
        free(h->key);
        free(h->ca_file);
        free(h);
    }
    player->state = NULL;
}

static char *copy_of(const char *text) {
    size_t length = strlen(text) + 1;
    char *copy = malloc(length);
    return copy ? memcpy(copy, text, length) : NULL;
}

/* "NAME=VALUE" behind the address. */
static hz_status read_option(http_player *h, const char *word, const char **variable,
                             hz_error *err) {
    const struct {
        const char *name;
        int64_t *value;
        int64_t least, most;
    } numbers[] = {{"timeout=", &h->timeout_ms, 1, 86400000},
                   {"retries=", &h->retries, 0, MOST_RETRIES},
                   {"max-nodes=", &h->most_nodes, 0, HZI_TREE_NODES}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        size_t name = strlen(numbers[i].name);
        if (strncmp(word, numbers[i].name, name) == 0) {
            size_t digits = strspn(word + name, "0123456789");
            int64_t value = digits > 0 && digits <= 10 && word[name + digits] == '\0'
                                ? strtoll(word + name, NULL, 10)
                                : -1;
            if (value < numbers[i].least || value > numbers[i].most) {
                return hz_fail(err, HZ_BAD_OPTION, HZ_NO_OFFSET,
                               "'%.60s': a number from %" PRId64 " to %" PRId64 " is wanted", word,
                               numbers[i].least, numbers[i].most);
            }
            *numbers[i].value = value;
            return HZ_OK;
        }
    }
    if (strncmp(word, "ca-file=", 8) == 0 && word[8] != '\0') {
        free(h->ca_file);
        h->ca_file = copy_of(word + 8);
        h->url.ca_file = h->ca_file;
        return h->ca_file ? HZ_OK
                          : hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a player");
    }
    if (strncmp(word, "secret-env=", 11) == 0 && word[11] != '\0') {
        *variable = word + 11;
        return HZ_OK;
    }
    return hz_fail(err, HZ_BAD_OPTION, HZ_NO_OFFSET,
                   "'%.60s' is none of timeout=MS, retries=N, max-nodes=N, secret-env=NAME, "
                   "ca-file=FILE",
                   word);
}

static hz_status set_up(http_player *h, const hzi_words *words, hz_error *err) {
    const char *variable = HZI_KEY_VARIABLE;
    if (words->count == 0) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, 0, "there is no address");
    }
    hz_status status = hzi_http_url_read(words->word[0], &h->url, err);
    for (size_t i = 1; i < words->count && status == HZ_OK; i++) {
        status = read_option(h, words->word[i], &variable, err);
    }
    if (status != HZ_OK) {
        return status;
    }
    const char *key = hzi_key(variable);
    if (!key) {
        return hz_fail(err, HZ_PLAYER, HZ_NO_OFFSET,
                       "the secret of %.300s is wanted in the environment variable %.100s",
                       h->url.text, variable);
    }
    h->key = copy_of(key);
    h->http = h->key ? hzi_http_new(&h->url) : NULL;
    if (!h->http) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a connection");
    }
    return hz_random_system_seed(&h->run) == HZ_OK
               ? HZ_OK
               : hz_fail(err, HZ_IO, HZ_NO_OFFSET, "the system gives no random numbers");
}

hz_status hz_match_player_http(const char *url, hz_match_player *player, hz_error *err) {
    http_player *h = calloc(1, sizeof *h);
    hzi_words words;
    if (!h) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a player");
    }
    hz_match_player made = {
        .state = h, .self_managing = true, .ask = ask, .start = start, .close = close_player};
    h->timeout_ms = TIMEOUT_MS;
    h->retries = RETRIES;
    h->most_nodes = HZI_TREE_NODES;
    hz_status status = hzi_words_split(url, &words, err);
    if (status == HZ_OK) {
        status = set_up(h, &words, err);
        hzi_words_fini(&words);
    }
    if (status != HZ_OK) {
        close_player(&made);
        return status;
    }
    made.name = h->url.text;
    *player = made;
    return HZ_OK;
}
