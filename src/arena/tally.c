/* SPDX-License-Identifier: MIT */
/* The counters of a pairing, one finished pair after another. */
#include "arena/latency.h"

#include <stdlib.h>
#include <string.h>

/* Points of A in halves: 0, 1, 2. */
static unsigned halves(const hz_match_game_summary *game) {
    if (game->outcome == HZ_OUTCOME_DRAW) {
        return 1;
    }
    return (game->outcome == HZ_OUTCOME_WHITE) == (game->a_color == HZ_WHITE) ? 2 : 0;
}

static void add_side(hz_match_side *sum, const hz_match_side *side) {
    sum->answers += side->answers;
    sum->nodes += side->nodes;
    sum->node_answers += side->node_answers;
    sum->time_us += side->time_us;
    sum->careless.turns += side->careless.turns;
    sum->careless.hang_turns += side->careless.hang_turns;
    sum->careless.queen_hang_turns += side->careless.queen_hang_turns;
    sum->careless.hanging_material += side->careless.hanging_material;
    sum->careless.punished_captures += side->careless.punished_captures;
    sum->careless.punished_material += side->careless.punished_material;
}

static void add_http(hz_match_tally *t, int status) {
    size_t i = 0;
    while (i < t->http_count && t->http[i].status != status) {
        i++;
    }
    if (i == HZ_TALLY_HTTP_MAX) {
        i--;
    } else if (i == t->http_count) {
        t->http[t->http_count++].status = status;
    }
    t->http[i].count++;
}

static void add_game(hz_match_tally *t, const hz_match_game_summary *g) {
    unsigned points = halves(g);
    size_t loser = points == 2; /* 0 = A, 1 = B */
    t->counts.games[points]++;
    t->by_color[g->a_color][points]++;
    t->ends[g->end]++;
    switch (g->end) {
    case HZ_END_TIME:
        t->flags[loser]++;
        break;
    case HZ_END_ILLEGAL:
    case HZ_END_REFUSED:
        t->illegal[loser]++;
        break;
    case HZ_END_HTTP_STATUS:
        add_http(t, g->http_status);
        t->faults[loser]++;
        break;
    case HZ_END_LOST:
    case HZ_END_TIMED_OUT:
    case HZ_END_UNREACHABLE:
    case HZ_END_OVERSIZED:
    case HZ_END_GARBLED:
    case HZ_END_DECLINED:
    case HZ_END_FAILED:
        t->faults[loser]++;
        break;
    default:
        break;
    }
    bool first = t->counts.games[0] + t->counts.games[1] + t->counts.games[2] == 1;
    t->plies += g->plies;
    t->least_plies = first || g->plies < t->least_plies ? g->plies : t->least_plies;
    t->most_plies = g->plies > t->most_plies ? g->plies : t->most_plies;
    t->forced_passes += g->forced_passes;
    add_side(&t->sides[0], &g->sides[0]);
    add_side(&t->sides[1], &g->sides[1]);
}

hz_status hz_match_tally_add(hz_match_tally *tally, const hz_match_pair *pair, bool single_games,
                             hz_error *err) {
    unsigned points = halves(&pair->games[0]) + halves(&pair->games[1]);
    if (!tally->latency && !(tally->latency = hzi_latency_new())) {
        goto no_memory;
    }
    if (tally->pairs == tally->path_capacity) {
        size_t capacity = tally->path_capacity ? 2 * tally->path_capacity : 256;
        uint8_t *grown = realloc(tally->path, capacity);
        if (!grown) {
            goto no_memory;
        }
        tally->path = grown;
        tally->path_capacity = capacity;
    }
    for (size_t i = 0; i < pair->latency_count; i++) {
        if (!hzi_latency_add(tally->latency, pair->latency_us[i])) {
            goto no_memory;
        }
    }
    for (int i = 0; i < 2; i++) {
        add_game(tally, &pair->games[i]);
        if (single_games) {
            tally->counts.singles[halves(&pair->games[i])]++;
            hz_luck_add(&tally->luck, 2 * pair->number + (uint64_t)i, 0.5 * halves(&pair->games[i]),
                        pair->games[i].luck);
        }
    }
    if (!single_games) {
        tally->counts.pairs[points]++;
        hz_luck_add(&tally->luck, pair->number, 0.25 * points,
                    0.5 * (pair->games[0].luck + pair->games[1].luck));
    }
    tally->path[tally->pairs++] = (uint8_t)points;
    return HZ_OK;
no_memory:
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for counting games");
}

hz_latency_summary hz_match_tally_latency(const hz_match_tally *tally) {
    return hzi_latency_summary(tally->latency);
}

void hz_match_tally_fini(hz_match_tally *tally) {
    hzi_latency_free(tally->latency);
    free(tally->path);
    *tally = (hz_match_tally){0};
}
