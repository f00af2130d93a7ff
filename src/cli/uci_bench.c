/* SPDX-License-Identifier: MIT */
/* The commands of `hazard uci` that count: perft by move, and a bench whose nodes are a signature. */
#include "cli/uci.h"

#include <inttypes.h>
#include <string.h>

/* Leaves below a position; looks at the cancel flag often enough to be stopped. */
static uint64_t leaves(hzc_uci *uci, const hz_position *p, int depth) {
    enum { QUICK = 2 }; /* less than a millisecond, however crowded the board */
    if (depth <= QUICK || hz_cancel_requested(&uci->cancel)) {
        return hz_cancel_requested(&uci->cancel) ? 0 : hz_chess_perft(p, depth);
    }
    hz_move moves[HZ_CHESS_MOVES_MAX];
    int count = hz_chess_moves(p, moves);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        hz_position child;
        hz_chess_play(p, moves[i], &child);
        sum += leaves(uci, &child, depth - 1);
    }
    return sum;
}

void hzc_uci_perft(hzc_uci *uci) {
    hz_move moves[HZ_CHESS_MOVES_MAX];
    const hz_position *p = &uci->job_board;
    int depth = uci->job_depth, count = depth > 0 ? hz_chess_moves(p, moves) : 0;
    uint64_t total = depth == 0 ? 1 : 0;
    for (int i = 0; i < count; i++) {
        hz_position child;
        char text[HZ_MOVE_CAPACITY];
        hz_chess_play(p, moves[i], &child);
        uint64_t nodes = leaves(uci, &child, depth - 1);
        if (hz_cancel_requested(&uci->cancel)) {
            hzc_uci_answer(uci, "info string perft was stopped");
            return;
        }
        (void)hz_move_to_text(moves[i], text);
        hzc_uci_say(uci, "%s: %" PRIu64, text, nodes);
        total += nodes;
    }
    hzc_uci_say(uci, "%s", "");
    hzc_uci_answer(uci, "Nodes searched: %" PRIu64, total);
}

/* Openings, middlegames and endings of our own making or of common knowledge. */
static const char *const bench_positions[] = {
    HZ_START_DFEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2P2N2/PP1P1PPP/RNBQK2R w KQkq - 1 5",
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 0 1",
    "8/8/1p1k4/p1p2p2/P1P2P2/1P1K4/8/8 w - - 0 1",
    "2r3k1/pp3ppp/4p3/3pP3/3P4/1PR2N2/P4PPP/6K1 b - - 0 1",
};

/* Adds nodes and time of one position. False when the search failed. */
static bool search_one(hzc_uci *uci, hz_chess_search *search, const char *fen, uint64_t *nodes,
                       uint64_t *ns) {
    hz_position start;
    hz_chess_game game;
    hz_chess_answer answer;
    hz_chess_limits limits = {.depth = uci->job_depth, .cancel = &uci->cancel};
    if (hz_chess_from_fen(&start, fen, strlen(fen), NULL) != HZ_OK ||
        hz_chess_game_init(&game, &start, NULL) != HZ_OK) {
        return false;
    }
    hz_chess_search_clear(search);
    bool good = hz_chess_search_run(search, &game, &limits, NULL, NULL, &answer, NULL) == HZ_OK;
    if (good) {
        *nodes += answer.nodes;
        *ns += answer.elapsed_ns;
    }
    hz_chess_game_fini(&game);
    return good && !hz_cancel_requested(&uci->cancel);
}

void hzc_uci_bench(hzc_uci *uci) {
    hz_chess_search_config config = {.table_bytes = (size_t)16 << 20, .threads = 1};
    hz_chess_search *search;
    hz_error err;
    uint64_t nodes = 0, ns = 0;
    if (hz_chess_search_new(&config, &search, &err) != HZ_OK) {
        hzc_uci_answer(uci, "info string %s", err.message);
        return;
    }
    bool good = true;
    for (size_t i = 0; good && i < sizeof bench_positions / sizeof bench_positions[0]; i++) {
        good = search_one(uci, search, bench_positions[i], &nodes, &ns);
    }
    hz_chess_search_free(search);
    if (!good) {
        hzc_uci_answer(uci, "info string the bench was stopped");
        return;
    }
    hzc_uci_say(uci, "Total time (ms) : %" PRIu64, ns / 1000000);
    hzc_uci_say(uci, "Nodes searched  : %" PRIu64, nodes);
    hzc_uci_answer(uci, "Nodes/second    : %" PRIu64,
                   ns ? (uint64_t)((double)nodes * 1e9 / (double)ns) : 0);
}
