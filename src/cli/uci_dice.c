/* SPDX-License-Identifier: MIT */
/*
 * The Universal Chess Interface for Dice Chess: a position is a DFEN with its roll, an answer a
 * whole turn. A bot does the choosing.
 */
#include "cli/uci.h"

#include "cli/player.h"

#include <stdio.h>
#include <string.h>

static bool refuse(hzc_uci *uci, const hz_error *err) {
    hzc_uci_say(uci, "info string position: %s", err->message);
    return false;
}

/* Plays "TURN" or "ROLL:TURN" and hands over. With a roll (in front, or left in the position) the
 * turn must be legal; without one only its micro-moves are checked. */
static bool play_turn(hzc_uci *uci, hz_position *board, hzc_word word) {
    hz_error err;
    hz_turn turn;
    hz_position after;
    const char *colon = memchr(word.text, ':', word.length);
    if (colon) {
        hz_pool pool;
        size_t length = (size_t)(colon - word.text);
        if (hz_pool_from_text(word.text, length, &pool, &err) != HZ_OK) {
            return refuse(uci, &err);
        }
        hz_position_set_pool(board, pool);
        word.text += length + 1;
        word.length -= length + 1;
    }
    hz_status status = board->pool
                           ? hz_turn_from_text(board, word.text, word.length, &turn, &after, &err)
                           : hz_turn_parse(board, word.text, word.length, &turn, &after, &err);
    if (status != HZ_OK) {
        char shown[HZC_SHOWN_CAPACITY];
        hzc_uci_say(uci, "info string position: the turn '%s': %s", hzc_word_shown(word, shown),
                    err.message);
        return false;
    }
    if (!turn.took_king) {
        hz_hand_over(&after);
    }
    *board = after;
    return true;
}

void hzc_uci_dice_position(hzc_uci *uci, hzc_words *words) {
    hzc_word word;
    char dfen[HZ_DFEN_CAPACITY];
    size_t used = 0;
    bool moves = false;
    if (!hzc_words_next(words, &word)) {
        hzc_uci_say(uci, "info string position is written: position fen DFEN [moves TURN ...]");
        return;
    }
    if (hzc_word_is(word, "startpos")) {
        used = (size_t)snprintf(dfen, sizeof dfen, "%s ", HZ_START_DFEN);
        moves = hzc_words_next(words, &word);
        if (moves && !hzc_uci_is_moves(uci, word)) {
            return;
        }
    } else if (hzc_word_is(word, "fen")) {
        while (!moves && hzc_words_next(words, &word)) {
            moves = hzc_word_is(word, "moves");
            if (!moves && used + word.length + 1 >= sizeof dfen) {
                hzc_uci_say(uci, "info string position: the DFEN is too long");
                return;
            }
            if (!moves) {
                memcpy(dfen + used, word.text, word.length);
                used += word.length;
                dfen[used++] = ' ';
            }
        }
    } else {
        char shown[HZC_SHOWN_CAPACITY];
        hzc_uci_say(uci, "info string position: '%s' is neither startpos nor fen",
                    hzc_word_shown(word, shown));
        return;
    }
    hz_position board;
    hz_error err;
    if (hz_position_from_dfen(&board, dfen, used > 0 ? used - 1 : 0, &err) != HZ_OK) {
        (void)refuse(uci, &err);
        return;
    }
    while (moves && hzc_words_next(words, &word)) {
        if (!play_turn(uci, &board, word)) {
            return;
        }
    }
    uci->board = board;
}

void hzc_uci_dice_close(hzc_uci *uci) {
    if (uci->has_player) {
        hz_bot_close(&uci->player);
        uci->has_player = false;
    }
    hz_registry_free(uci->registry);
    uci->registry = NULL;
}

bool hzc_uci_dice_ready(hzc_uci *uci) {
    hz_error err;
    if (uci->has_player && !uci->stale_dice) {
        return true;
    }
    hzc_uci_dice_close(uci);
    uci->registry = hz_registry_new();
    hz_status status = uci->registry ? hz_registry_register_kinds(uci->registry, &err)
                                     : hz_fail(&err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    if (status == HZ_OK) {
        status = hz_registry_open(uci->registry, uci->bot, &uci->player, &err);
    }
    if (status != HZ_OK) {
        hzc_uci_dice_close(uci);
        hzc_uci_say(uci, "info string %s", err.message);
        return false;
    }
    uci->has_player = true;
    uci->stale_dice = false;
    return true;
}

bool hzc_uci_dice_prepare(hzc_uci *uci) {
    hz_error err;
    hz_position board = uci->board;
    if (uci->go.dice.length > 0) {
        hz_pool pool;
        if (hz_pool_from_text(uci->go.dice.text, uci->go.dice.length, &pool, &err) != HZ_OK) {
            hzc_uci_say(uci, "info string go: %s", err.message);
            return false;
        }
        hz_position_set_pool(&board, pool);
    }
    uint64_t kings = board.pieces[HZ_KING];
    if (!(kings & board.colors[HZ_WHITE]) || !(kings & board.colors[HZ_BLACK])) {
        hzc_uci_say(uci, "info string the game is over: a king is taken");
        return false;
    }
    if (!board.pool) {
        hzc_uci_say(uci, "info string the position has no dice: give them in the DFEN or with "
                         "'go dice PNK'");
        return false;
    }
    if (uci->tame && __builtin_popcountll(board.colors[0] | board.colors[1]) > 12) {
        return false; /* a crowded board has turns by the million, which nothing stops */
    }
    if (!hzc_uci_dice_ready(uci)) {
        return false;
    }
    uci->job_board = board;
    uci->endless = uci->go.infinite || uci->go.ponder;
    return true;
}

static hz_deadline deadline_of(hzc_uci *uci) {
    const hzc_go *go = &uci->go;
    int side = uci->job_board.side;
    hz_deadline deadline = hz_deadline_none();
    if (go->move_time_ms >= 0) {
        int64_t ms = go->move_time_ms - uci->overhead_ms;
        deadline = hz_deadline_in_ms((uint64_t)(ms > 1 ? ms : 1));
    } else if (go->has_clock[side] && !go->infinite && !go->ponder) {
        hz_clock clock = {.remaining_ms = go->time_ms[side],
                          .increment_ms = go->increment_ms[side],
                          .move_number = uci->job_board.fullmove,
                          .has_moves_to_go = go->moves_to_go > 0,
                          .moves_to_go = (double)go->moves_to_go};
        hz_time_allotment allotment = hz_time_allot(HZ_TIME_EMPIRICAL, &clock);
        deadline = hz_deadline_in_ms(
            (uint64_t)hz_time_budget_ms(&allotment, HZ_TIME_OVERHEAD_LOCAL_MS + uci->overhead_ms));
    }
    deadline.cancel = &uci->cancel;
    return deadline;
}

/* The first legal turn there is, when the bot has none. */
static void first_turn(hzc_uci *uci, char text[HZ_TURN_CAPACITY]) {
    hz_turn_list first;
    hz_arena_reset(&uci->arena);
    hz_status status = hz_turns_list(&uci->job_board, 1, &uci->arena, &first, NULL);
    if ((status == HZ_OK || status == HZ_INCOMPLETE) && first.count > 0) {
        (void)hz_turn_to_text(&first.turns[0], text);
    }
}

void hzc_uci_dice_search(hzc_uci *uci) {
    hz_deadline deadline = deadline_of(uci);
    hz_bot_answer answer;
    hz_error err;
    hz_arena_reset(&uci->arena);
    hz_bot_request request = {&uci->job_board, &uci->random, &deadline, &uci->arena};
    uint64_t start = hz_clock_now_ns();
    hz_status status = hz_bot_choose(&uci->player, &request, &answer, &err);
    unsigned long long ms = (hz_clock_now_ns() - start) / 1000000;
    char text[HZ_TURN_CAPACITY] = "0000";
    if (status == HZ_OK && answer.pass) {
        (void)snprintf(text, sizeof text, "-");
    } else if (status != HZ_OK) {
        hzc_uci_say(uci, "info string %s", err.message);
        first_turn(uci, text);
    } else {
        (void)hz_turn_to_text(&answer.turn, text);
        bool wins = answer.score == HZ_SCORE_WIN;
        hzc_uci_say(uci, "info depth 1 score %s %d time %llu pv %s", wins ? "mate" : "cp",
                    wins ? 1 : (int)answer.score, ms, text);
    }
    hzc_uci_answer(uci, "bestmove %s", text);
}
