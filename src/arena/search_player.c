/* SPDX-License-Identifier: MIT */
/*
 * This library's alpha-beta as a player of chess: "search:depth=6,model=net.onnx". Its table is
 * emptied before each game and one thread searches, so an untimed game repeats.
 */
#include "arena/player.h"
#include "bots/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH, NODES, MOVE_TIME, TABLE_MIB, MODEL, DEFAULT_DEPTH = 4 };

const hz_bot_option hzi_search_player_options[HZI_SEARCH_PLAYER_OPTIONS] = {
    [DEPTH] = {"depth", HZ_OPTION_COUNT, 1, HZ_CHESS_PLY_MAX, NULL, NULL,
               "deepest iteration; without any limit and clock 4", 12},
    [NODES] = {"nodes", HZ_OPTION_COUNT, 1, 1e15, NULL, NULL, "nodes for a move", 10000000},
    [MOVE_TIME] = {"movetime", HZ_OPTION_COUNT, 1, 86400000, NULL, NULL, "milliseconds for a move",
                   10000},
    [TABLE_MIB] = {"table", HZ_OPTION_COUNT, 1, 65536, "16", NULL, "MiB of the table", 64},
    [MODEL] = {"model", HZ_OPTION_FILE, 0, 0, NULL, "a graph",
               "judges positions; without it the handcrafted evaluation", 0},
};

bool hz_match_search_option(size_t index, hz_bot_option *option) {
    if (index >= HZI_SEARCH_PLAYER_OPTIONS) {
        return false;
    }
    *option = hzi_search_player_options[index];
    return true;
}

typedef struct search_player {
    hz_chess_search *search;
    hz_evaluator evaluator;
    bool has_evaluator;
    hz_chess_limits limits;
    hz_chess_game game; /* follows the questions */
    bool has_game;
    uint64_t game_number;
    char name[];
} search_player;

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a player");
}

/* Brings the game to the position of the question. */
static hz_status follow(search_player *p, const hz_match_question *q, hz_error *err) {
    bool same = p->has_game && p->game_number == q->game_number && p->game.count <= q->move_count &&
                (p->game.count == 0 ||
                 memcmp(p->game.moves, q->moves, p->game.count * sizeof *q->moves) == 0);
    hz_status status = HZ_OK;
    if (!same) {
        if (p->has_game) {
            hz_chess_game_fini(&p->game);
        }
        p->has_game = false;
        status = hz_chess_game_init(&p->game, q->start, err);
        p->has_game = status == HZ_OK;
        p->game_number = q->game_number;
        hz_chess_search_clear(p->search);
    }
    while (status == HZ_OK && p->game.count < q->move_count) {
        status = hz_chess_game_play(&p->game, q->moves[p->game.count], err);
    }
    return status;
}

static hz_status ask(hz_match_player *player, const hz_match_question *question,
                     hz_match_reply *reply, hz_error *err) {
    search_player *p = player->state;
    hz_chess_limits limits = p->limits;
    hz_chess_answer answer;
    hz_error why;
    hz_error_clear(&why);
    limits.cancel = question->deadline.cancel;
    if (question->timed) {
        hz_chess_time(question->rest_ms[question->color], question->increment_ms, 0,
                      HZ_TIME_OVERHEAD_LOCAL_MS, &limits.optimum_ns, &limits.maximum_ns);
    }
    hz_status status = follow(p, question, &why);
    if (status == HZ_OK) {
        status = hz_chess_search_run(p->search, &p->game, &limits, NULL, NULL, &answer, &why);
    }
    if (status == HZ_NO_MEMORY) {
        return hz_fail(err, status, HZ_NO_OFFSET, "%s: %s", player->name, why.message);
    }
    if (status != HZ_OK || !answer.has_move) {
        reply->fault = HZ_FAULT_FAILED;
        (void)snprintf(reply->note, sizeof reply->note, "%.119s", why.message);
        return HZ_OK;
    }
    reply->move = answer.move;
    reply->has_score = true;
    reply->score = answer.line.score;
    reply->nodes = answer.nodes;
    return HZ_OK;
}

static void close_search(hz_match_player *player) {
    search_player *p = player->state;
    if (p->has_game) {
        hz_chess_game_fini(&p->game);
    }
    hz_chess_search_free(p->search);
    hz_evaluator_close(&p->evaluator);
    free(p);
}

hz_status hzi_player_search(const char *text, hz_match_player *player, hz_error *err) {
    hzi_bot_text parts = hzi_bot_text_split(text);
    hz_option_value values[HZI_SEARCH_PLAYER_OPTIONS];
    char *memory = NULL;
    size_t length = strlen(text) + 1;
    search_player *p = calloc(1, sizeof *p + length);
    if (!p) {
        return no_memory(err);
    }
    memcpy(p->name, text, length);
    hz_status status = hzi_options_read(&parts, hzi_search_player_options,
                                        HZI_SEARCH_PLAYER_OPTIONS, false, values, &memory, err);
    if (status == HZ_OK && values[MODEL].given) {
        status = hz_evaluator_chess_model(values[MODEL].text, NULL, &p->evaluator, err);
        p->has_evaluator = status == HZ_OK;
    }
    if (status == HZ_OK) {
        hz_chess_search_config config = {.table_bytes = (size_t)values[TABLE_MIB].count << 20,
                                         .threads = 1,
                                         .evaluators = p->has_evaluator ? &p->evaluator : NULL,
                                         .batched = p->has_evaluator};
        status = hz_chess_search_new(&config, &p->search, err);
    }
    if (status != HZ_OK) {
        hz_evaluator_close(&p->evaluator);
        free(p);
        free(memory);
        return status;
    }
    p->limits.depth = values[DEPTH].given ? (int)values[DEPTH].count : 0;
    p->limits.nodes = values[NODES].given ? values[NODES].count : 0;
    p->limits.optimum_ns = values[MOVE_TIME].given ? values[MOVE_TIME].count * 1000000 : 0;
    p->limits.maximum_ns = p->limits.optimum_ns;
    if (!p->limits.nodes && !p->limits.optimum_ns && !p->limits.depth) {
        p->limits.depth = DEFAULT_DEPTH;
    }
    free(memory);
    *player = (hz_match_player){
        .name = p->name, .state = p, .searching = true, .ask = ask, .close = close_search};
    return HZ_OK;
}
