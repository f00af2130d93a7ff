/* SPDX-License-Identifier: MIT */
/*
 * `hazard league baseline N`: a baseline behind the Universal Chess Interface, so that anybody can
 * measure it. It thinks while it is asked: a baseline has no clock and answers within a second or
 * two whatever the limits say.
 */
#include "cli/league.h"

#include "cli/lines.h"
#include "cli/uci.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void answer(hzc_uci *uci, hz_league_player *player) {
    hz_league_choice choice;
    hz_error err;
    char move[HZ_MOVE_CAPACITY];
    uint64_t start = hz_clock_now_ns();
    if (!hz_chess_has_move(&uci->game.now)) {
        hzc_uci_say(uci, "info string the game is over");
        hzc_uci_say(uci, "bestmove 0000");
        return;
    }
    if (hz_league_player_choose(player, &uci->game, NULL, &choice, &err) != HZ_OK) {
        hzc_uci_say(uci, "info string %s", err.message);
        hzc_uci_say(uci, "bestmove 0000");
        return;
    }
    uint64_t ms = (hz_clock_now_ns() - start) / 1000000;
    (void)hz_move_to_text(choice.move, move);
    float distance = (float)HZ_LEAGUE_MATE - fabsf(choice.score);
    if (distance < 1000.0F) {
        int moves = ((int)distance + 1) / 2;
        hzc_uci_say(uci,
                    "info depth %" PRId64 " score mate %d nodes %" PRIu64 " time %" PRIu64 " pv %s",
                    uci->go.depth, choice.score > 0 ? moves : -moves, choice.nodes, ms, move);
    } else {
        hzc_uci_say(uci,
                    "info depth %" PRId64 " score cp %d nodes %" PRIu64 " time %" PRIu64 " pv %s",
                    uci->go.depth, (int)choice.score, choice.nodes, ms, move);
    }
    hzc_uci_say(uci, "bestmove %s", move);
}

/* False when the dialogue ends. */
static bool obey(hzc_uci *uci, hz_league_player *player, int level, hzc_words *words) {
    hzc_word word;
    if (!hzc_words_next(words, &word)) {
        return true;
    }
    if (hzc_word_is(word, "quit")) {
        return false;
    }
    if (hzc_word_is(word, "uci")) {
        hzc_uci_say(uci, "id name Hazard league level %d (%s) %s", level,
                    hz_league_level_name(level), hz_version());
        hzc_uci_say(uci, "id author the Hazard authors");
        hzc_uci_say(uci, "uciok");
    } else if (hzc_word_is(word, "isready")) {
        hzc_uci_say(uci, "readyok");
    } else if (hzc_word_is(word, "ucinewgame")) {
        hz_league_player_new_game(player);
    } else if (hzc_word_is(word, "position")) {
        (void)hzc_uci_chess_position(uci, words);
    } else if (hzc_word_is(word, "go")) {
        answer(uci, player);
    } else if (!hzc_word_is(word, "stop") && !hzc_word_is(word, "setoption") &&
               !hzc_word_is(word, "ponderhit") && !hzc_word_is(word, "debug")) {
        hzc_uci_say(uci, "info string unknown command");
    }
    return true;
}

static int converse(const hzc_args *args, hz_league_player *player, int level) {
    enum { LINE_MAX_BYTES = 1 << 20 };
    hzc_lines lines;
    hzc_uci *uci = calloc(1, sizeof *uci);
    hz_position start;
    (void)hz_chess_from_fen(&start, HZ_START_DFEN, strlen(HZ_START_DFEN), NULL);
    if (!uci || hz_chess_game_init(&uci->game, &start, NULL) != HZ_OK ||
        pthread_mutex_init(&uci->lock, NULL) != 0) {
        free(uci);
        return hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
    }
    uci->out = args->out;
    uci->go.depth = level;
    hzc_lines_init(&lines, STDIN_FILENO, LINE_MAX_BYTES);
    const char *text;
    size_t length;
    for (bool more = true; more && !args->out->failed;) {
        hzc_line got = hzc_lines_next(&lines, &text, &length);
        if (got == HZC_LINE) {
            hzc_words words = {text, length, 0};
            more = obey(uci, player, level, &words);
        } else if (got == HZC_LINE_TOO_LONG) {
            hzc_uci_say(uci, "info string the line is too long");
        } else {
            more = false;
        }
    }
    hzc_lines_fini(&lines);
    hz_chess_game_fini(&uci->game);
    (void)pthread_mutex_destroy(&uci->lock);
    free(uci);
    return HZC_DONE;
}

int hzc_league_baseline(const hzc_args *args) {
    const char *number;
    hz_league_player *player = NULL;
    hz_error err;
    if (!hzc_verb_operand(args, "a level from 1 to 4", &number)) {
        return HZC_USAGE;
    }
    if (strlen(number) != 1 || number[0] < '1' || number[0] > '0' + HZ_LEAGUE_LEVELS) {
        return hzc_usage(args, "'%s' is no level from 1 to 4", number);
    }
    int level = number[0] - '0';
    hz_league_player_config config = hz_league_baseline(level);
    if (hz_league_player_new(&config, &player, &err) != HZ_OK) {
        return hzc_report(args, &err, NULL, 0);
    }
    int code = converse(args, player, level);
    hz_league_player_free(player);
    return code;
}
