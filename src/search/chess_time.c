/* SPDX-License-Identifier: MIT */
/* Chess scores and clocks in the units of others: moves to mate, chances, time for a move. */
#include <hazard/search.h>

#include <math.h>

int hz_chess_mate_in(int32_t score) {
    if (score > HZ_CHESS_SCORE_MAX) {
        return (HZ_CHESS_MATE - score + 1) / 2;
    }
    return score < -HZ_CHESS_SCORE_MAX ? -(HZ_CHESS_MATE + score + 1) / 2 : 0;
}

void hz_chess_wdl(int32_t score, int wdl[3]) {
    /* Even chances between 0 and +-100, a pawn ahead wins about half of the games. */
    double win = 1.0 / (1.0 + exp((100.0 - score) / 70.0));
    double loss = 1.0 / (1.0 + exp((100.0 + score) / 70.0));
    wdl[0] = (int)(1000.0 * win + 0.5);
    wdl[2] = (int)(1000.0 * loss + 0.5);
    wdl[1] = 1000 - wdl[0] - wdl[2];
}

static int64_t within(int64_t value, int64_t most) {
    return value < 0 ? 0 : value < most ? value : most;
}

void hz_chess_time(int64_t left_ms, int64_t increment_ms, int64_t moves_to_go, int64_t overhead_ms,
                   uint64_t *optimum_ns, uint64_t *maximum_ns) {
    const int64_t longest = 1000000000000; /* 30 years: larger numbers count as this */
    int64_t left = within(left_ms, longest), increment = within(increment_ms, longest);
    int64_t overhead = within(overhead_ms, longest), usable = within(left - overhead, longest);
    int64_t moves = moves_to_go > 0 ? (moves_to_go < 50 ? moves_to_go : 50) : 30;
    /* The way of the answer costs time with every move to come; of a clock that has run down, half
     * is kept back, for a busy machine answers late. */
    int64_t reserve = within(overhead * (moves - 1), usable / 2);
    int64_t gain = within(increment - overhead, longest);
    int64_t optimum = (usable - reserve) / (moves + 1) + gain * 9 / 10;
    /* A control in one move may take nearly all; otherwise one move never takes most of the rest. */
    int64_t most = moves_to_go == 1 ? usable * 9 / 10 : (usable - reserve) / 3;
    int64_t maximum = optimum * 4 < most ? optimum * 4 : most;
    optimum = optimum < maximum ? optimum : maximum;
    *optimum_ns = (uint64_t)(optimum > 1 ? optimum : 1) * 1000000;
    *maximum_ns = (uint64_t)(maximum > 1 ? maximum : 1) * 1000000;
}
