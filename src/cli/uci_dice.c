/* SPDX-License-Identifier: MIT */
/*
 * The Universal Chess Interface for Dice Chess: a position is a DFEN with its roll, an answer a
 * whole turn. A bot does the choosing.
 */
#include "cli/uci.h"

#include "cli/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int shown(size_t length) {
    return length < 60 ? (int)length : 60;
}

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
        hzc_uci_say(uci, "info string position: the turn '%.*s': %s", shown(word.length), word.text,
                    err.message);
        return false;
    }
    if (!turn.took_king) {
        hz_hand_over(&after);
    }
    *board = after;
    return true;
}

bool hzc_uci_dice_position(hzc_uci *uci, hzc_words *words) {
    hzc_word word;
    char dfen[HZ_DFEN_CAPACITY];
    size_t used = 0;
    bool moves = false;
    if (!hzc_words_next(words, &word)) {
        hzc_uci_say(uci, "info string position is written: position fen DFEN [moves TURN ...]");
        return false;
    }
    if (hzc_word_is(word, "startpos")) {
        used = (size_t)snprintf(dfen, sizeof dfen, "%s ", HZ_START_DFEN);
        moves = hzc_words_next(words, &word) && hzc_word_is(word, "moves");
    } else if (hzc_word_is(word, "fen")) {
        while (!moves && hzc_words_next(words, &word)) {
            moves = hzc_word_is(word, "moves");
            if (!moves && used + word.length + 1 >= sizeof dfen) {
                hzc_uci_say(uci, "info string position: the DFEN is too long");
                return false;
            }
            if (!moves) {
                memcpy(dfen + used, word.text, word.length);
                used += word.length;
                dfen[used++] = ' ';
            }
        }
    } else {
        hzc_uci_say(uci, "info string position: '%.*s' is neither startpos nor fen",
                    shown(word.length), word.text);
        return false;
    }
    hz_position board;
    hz_error err;
    if (hz_position_from_dfen(&board, dfen, used > 0 ? used - 1 : 0, &err) != HZ_OK) {
        return refuse(uci, &err);
    }
    while (moves && hzc_words_next(words, &word)) {
        if (!play_turn(uci, &board, word)) {
            return false;
        }
    }
    uci->board = board;
    return true;
}

void hzc_uci_dice_close(hzc_uci *uci) {
    if (uci->has_player) {
        hz_bot_close(&uci->player);
        uci->has_player = false;
    }
    hz_registry_free(uci->registry);
    uci->registry = NULL;
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
    if (!board.pool) {
        hzc_uci_say(uci, "info string the position has no dice: give them in the DFEN or with "
                         "'go dice PNK'");
        return false;
    }
    if (!uci->has_player || uci->stale) {
        hzc_uci_dice_close(uci);
        uci->registry = hz_registry_new();
        hz_status status = uci->registry
                               ? hz_registry_register_kinds(uci->registry, &err)
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
        uci->stale = false;
    }
    uci->job_board = board;
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

void *hzc_uci_dice_search(void *context) {
    hzc_uci *uci = context;
    hz_deadline deadline = deadline_of(uci);
    hz_bot_answer answer;
    hz_error err;
    hz_arena_reset(&uci->arena);
    hz_bot_request request = {&uci->job_board, &uci->random, &deadline, &uci->arena};
    uint64_t start = hz_clock_now_ns();
    hz_status status = hz_bot_choose(&uci->player, &request, &answer, &err);
    char text[HZ_TURN_CAPACITY] = "0000";
    if (status != HZ_OK) {
        hzc_uci_say(uci, "info string %s", err.message);
        hz_turn_list first;
        hz_arena_reset(&uci->arena);
        status = hz_turns_list(&uci->job_board, 1, &uci->arena, &first, &err);
        if ((status == HZ_OK || status == HZ_INCOMPLETE) && first.count > 0) {
            (void)hz_turn_to_text(&first.turns[0], text);
        }
    } else if (answer.pass) {
        (void)snprintf(text, sizeof text, "-");
    } else {
        (void)hz_turn_to_text(&answer.turn, text);
        if (answer.score == HZ_SCORE_WIN) {
            hzc_uci_say(uci, "info depth 1 score mate 1 time %llu pv %s",
                        (unsigned long long)((hz_clock_now_ns() - start) / 1000000), text);
        } else {
            hzc_uci_say(uci, "info depth 1 score cp %d time %llu pv %s", (int)answer.score,
                        (unsigned long long)((hz_clock_now_ns() - start) / 1000000), text);
        }
    }
    hzc_uci_wait_for_stop(uci);
    hzc_uci_answer(uci, text, NULL);
    return NULL;
}
