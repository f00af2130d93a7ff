/* SPDX-License-Identifier: MIT */
/* The Universal Chess Interface for chess: positions, limits, info lines. */
#include "cli/uci.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- positions ----------------------------------------------------------------------------------- */

/* "startpos" or "fen" and its fields, up to "moves" or the end. */
static bool read_start(hzc_uci *uci, hzc_words *words, hz_position *start, bool *moves_follow) {
    hzc_word word;
    *moves_follow = false;
    if (!hzc_words_next(words, &word)) {
        hzc_uci_say(uci, "info string position is written: position startpos|fen FEN [moves ...]");
        return false;
    }
    if (hzc_word_is(word, "startpos")) {
        (void)hz_chess_from_fen(start, HZ_START_DFEN, strlen(HZ_START_DFEN), NULL);
        *moves_follow = hzc_words_next(words, &word);
        return !*moves_follow || hzc_uci_is_moves(uci, word);
    }
    char fen[HZ_DFEN_CAPACITY];
    size_t used = 0;
    if (!hzc_word_is(word, "fen")) {
        char shown[HZC_SHOWN_CAPACITY];
        hzc_uci_say(uci, "info string position: '%s' is neither startpos nor fen",
                    hzc_word_shown(word, shown));
        return false;
    }
    while (hzc_words_next(words, &word)) {
        if (hzc_word_is(word, "moves")) {
            *moves_follow = true;
            break;
        }
        if (used + word.length + 1 >= sizeof fen) {
            hzc_uci_say(uci, "info string position: the FEN is too long");
            return false;
        }
        memcpy(fen + used, word.text, word.length);
        used += word.length;
        fen[used++] = ' ';
    }
    hz_error err;
    if (hz_chess_from_fen(start, fen, used > 0 ? used - 1 : 0, &err) != HZ_OK) {
        hzc_uci_say(uci, "info string position: %s", err.message);
        return false;
    }
    hz_chess_repair(start);
    hz_chess_flaw flaw = hz_chess_validate(start, &err);
    if (flaw == HZ_CHESS_KING_MISSING || flaw == HZ_CHESS_KINGS_SEVERAL ||
        flaw == HZ_CHESS_OPPONENT_IN_CHECK || flaw == HZ_CHESS_PAWN_ON_END_RANK) {
        hzc_uci_say(uci, "info string position: %s", err.message);
        return false;
    }
    return true;
}

void hzc_uci_chess_position(hzc_uci *uci, hzc_words *words) {
    hz_position start;
    hz_chess_game game;
    hz_error err;
    bool moves_follow;
    if (!read_start(uci, words, &start, &moves_follow)) {
        return;
    }
    if (hz_chess_game_init(&game, &start, &err) != HZ_OK) {
        hzc_uci_say(uci, "info string position: %s", err.message);
        return;
    }
    hzc_word word;
    while (moves_follow && hzc_words_next(words, &word)) {
        hz_move move;
        hz_status status = hz_chess_move_from_text(&game.now, word.text, word.length, &move, &err);
        if (status == HZ_OK) {
            status = hz_chess_game_play(&game, move, &err);
        }
        if (status != HZ_OK) {
            char shown[HZC_SHOWN_CAPACITY];
            hzc_uci_say(uci, "info string position: move %zu, '%s': %s", game.count + 1,
                        hzc_word_shown(word, shown), err.message);
            hz_chess_game_fini(&game);
            return;
        }
    }
    hz_chess_game_fini(&uci->game);
    uci->game = game;
}

/* ---- preparing ------------------------------------------------------------------------------------ */

void hzc_uci_chess_close(hzc_uci *uci) {
    hz_chess_search_free(uci->search);
    uci->search = NULL;
    for (unsigned i = 0; i < uci->evaluator_count; i++) {
        hz_evaluator_close(&uci->evaluators[i]);
    }
    free(uci->evaluators);
    uci->evaluators = NULL;
    uci->evaluator_count = 0;
}

/* One evaluator per thread from the file of EvalFile. */
static bool open_evaluators(hzc_uci *uci, hz_error *err) {
    if (!uci->eval_file[0]) {
        return true;
    }
    uci->evaluators = calloc((size_t)uci->threads, sizeof *uci->evaluators);
    for (; uci->evaluators && uci->evaluator_count < (unsigned)uci->threads;
         uci->evaluator_count++) {
        hz_evaluator *opened = &uci->evaluators[uci->evaluator_count];
        if (hz_evaluator_chess_model(uci->eval_file, NULL, opened, err) != HZ_OK) {
            return false;
        }
        if (uci->eval_unit > 0) {
            (void)hz_evaluator_chess_unit(opened, (double)uci->eval_unit, NULL);
        }
    }
    return uci->evaluators ? true
                           : hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory") == HZ_OK;
}

bool hzc_uci_chess_ready(hzc_uci *uci) {
    hz_error err;
    if (uci->search && !uci->stale_chess) {
        return true;
    }
    hzc_uci_chess_close(uci);
    hz_status status = open_evaluators(uci, &err) ? HZ_OK : err.code;
    if (status == HZ_OK) {
        hz_chess_search_config config = {.table_bytes = (size_t)uci->hash_mb << 20,
                                         .threads = (unsigned)uci->threads,
                                         .evaluators = uci->evaluators,
                                         .batched = uci->evaluators != NULL};
        status = hz_chess_search_new(&config, &uci->search, &err);
    }
    if (status != HZ_OK) {
        hzc_uci_chess_close(uci);
        hzc_uci_say(uci, "info string %s", err.message);
        return false;
    }
    uci->stale_chess = false;
    return true;
}

static size_t read_root_moves(hzc_uci *uci) {
    hzc_words words = uci->go.search_moves;
    hzc_word word;
    size_t count = 0;
    while (hzc_words_next(&words, &word) && count < HZ_CHESS_MOVES_MAX) {
        hz_error err;
        if (hz_chess_move_from_text(&uci->game.now, word.text, word.length, &uci->root_moves[count],
                                    &err) == HZ_OK) {
            count++;
        } else {
            hzc_uci_say(uci, "info string searchmoves: %s", err.message);
        }
    }
    return count;
}

/* Milliseconds as nanoseconds, at least one, without overflow. */
static uint64_t from_ms(int64_t ms) {
    const int64_t most = INT64_MAX / 1000000;
    return (uint64_t)(ms < 1 ? 1 : ms < most ? ms : most) * 1000000;
}

bool hzc_uci_chess_prepare(hzc_uci *uci) {
    const hzc_go *go = &uci->go;
    hz_error err;
    if (!hzc_uci_chess_ready(uci)) {
        return false;
    }
    /* The working thread has a game of its own: a `position` may come while it works. */
    hz_chess_game_fini(&uci->job_game);
    hz_status status = hz_chess_game_init(&uci->job_game, &uci->game.start, &err);
    for (size_t i = 0; status == HZ_OK && i < uci->game.count; i++) {
        status = hz_chess_game_play(&uci->job_game, uci->game.moves[i], &err);
    }
    if (status != HZ_OK) {
        hzc_uci_say(uci, "info string %s", err.message);
        return false;
    }
    hz_chess_limits *limits = &uci->limits;
    *limits = (hz_chess_limits){.depth = (int)(go->depth < HZ_CHESS_PLY_MAX ? go->depth : 0),
                                .nodes = (uint64_t)go->nodes,
                                .mate = (int)(go->mate < 1000 ? go->mate : 1000),
                                .hit = go->ponder ? &uci->hit : NULL,
                                .lines = (unsigned)uci->lines,
                                .cancel = &uci->cancel};
    int side = uci->game.now.side;
    if (go->move_time_ms >= 0) {
        limits->maximum_ns = from_ms(go->move_time_ms - uci->overhead_ms);
    } else if (go->has_clock[side] && !go->infinite) {
        hz_chess_time(go->time_ms[side], go->increment_ms[side], go->moves_to_go, uci->overhead_ms,
                      &limits->optimum_ns, &limits->maximum_ns);
    }
    if (go->search_moves.length > 0) {
        limits->move_count = read_root_moves(uci);
        limits->moves = limits->move_count > 0 ? uci->root_moves : NULL;
    }
    uci->endless = go->infinite || go->ponder ||
                   (!limits->nodes && !limits->mate && !limits->maximum_ns && !go->depth);
    return true;
}

/* ---- searching ------------------------------------------------------------------------------------- */

static void append(char *text, size_t capacity, size_t *used, const char *more) {
    size_t n = strlen(more);
    if (*used + n < capacity) {
        memcpy(text + *used, more, n + 1);
        *used += n;
    }
}

static void say_info(void *context, const hz_chess_info *info) {
    hzc_uci *uci = context;
    const hz_chess_line *line = info->line;
    char text[2048], part[128];
    size_t used = 0;
    uint64_t ms = info->elapsed_ns / 1000000;
    (void)snprintf(part, sizeof part, "info depth %d seldepth %d multipv %u score ", line->depth,
                   line->selective_depth, info->number);
    append(text, sizeof text, &used, part);
    int mate = hz_chess_mate_in(line->score);
    (void)snprintf(part, sizeof part, "%s %d%s", mate ? "mate" : "cp",
                   mate ? mate : (int)line->score,
                   line->bound == HZ_BOUND_LOWER   ? " lowerbound"
                   : line->bound == HZ_BOUND_UPPER ? " upperbound"
                                                   : "");
    append(text, sizeof text, &used, part);
    if (uci->show_wdl) {
        int wdl[3];
        hz_chess_wdl(line->score, wdl);
        (void)snprintf(part, sizeof part, " wdl %d %d %d", wdl[0], wdl[1], wdl[2]);
        append(text, sizeof text, &used, part);
    }
    (void)snprintf(
        part, sizeof part, " nodes %" PRIu64 " nps %" PRIu64 " hashfull %u time %" PRIu64 " pv",
        info->nodes,
        info->elapsed_ns ? (uint64_t)((double)info->nodes * 1e9 / (double)info->elapsed_ns) : 0,
        info->table_permille, ms);
    append(text, sizeof text, &used, part);
    for (size_t i = 0; i < line->length; i++) {
        part[0] = ' ';
        (void)hz_move_to_text(line->moves[i], part + 1);
        append(text, sizeof text, &used, part);
    }
    hzc_uci_say(uci, "%s", text);
}

void hzc_uci_chess_search(hzc_uci *uci) {
    hz_chess_answer answer;
    hz_error err;
    const hz_chess_game *game = &uci->job_game;
    hz_status status =
        hz_chess_search_run(uci->search, game, &uci->limits, say_info, uci, &answer, &err);
    char best[HZ_MOVE_CAPACITY] = "0000", reply[HZ_MOVE_CAPACITY];
    if (status != HZ_OK) {
        hzc_uci_say(uci, "info string %s", err.message);
        /* A legal move all the same, the first there is. */
        hz_move moves[HZ_CHESS_MOVES_MAX];
        if (hz_chess_moves(&game->now, moves) > 0) {
            (void)hz_move_to_text(moves[0], best);
        }
    } else if (answer.has_move) {
        (void)hz_move_to_text(answer.move, best);
    } else {
        bool mate = hz_chess_in_check(&game->now, (hz_color)game->now.side);
        hzc_uci_say(uci, "info depth 0 score %s 0", mate ? "mate" : "cp");
    }
    if (status == HZ_OK && answer.has_move && answer.ponder) {
        (void)hz_move_to_text(answer.ponder, reply);
        hzc_uci_answer(uci, "bestmove %s ponder %s", best, reply);
    } else {
        hzc_uci_answer(uci, "bestmove %s", best);
    }
}

void hzc_uci_chess_new_game(hzc_uci *uci) {
    if (uci->search) {
        hz_chess_search_clear(uci->search);
    }
}
