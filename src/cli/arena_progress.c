/* SPDX-License-Identifier: MIT */
/* How far a run of games has come; see arena_progress.h. */
#include "cli/arena_progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const uint64_t SECOND_NS = 1000000000, TERMINAL_NS = 200000000;

hzc_arena_progress hzc_arena_progress_begin(const char *command) {
    uint64_t now = hz_clock_now_ns();
    return (hzc_arena_progress){.command = command,
                                .begun_ns = now,
                                .said_ns = now,
                                .terminal = isatty(STDERR_FILENO) == 1};
}

static void add_score(const hz_match_view *view, char *text, size_t capacity) {
    const hz_match_pairing *pairing = &view->pairings[0];
    const hz_match_counts *counts = &pairing->tally.counts;
    double games = (double)counts->games[0] + (double)counts->games[1] + (double)counts->games[2];
    hz_resolution r = hz_match_resolution(counts);
    double width = view->config->fresh_dice ? r.half_width_game_percent : r.half_width_pair_percent;
    if (view->pairing_count > 1 || games <= 0.0) {
        return;
    }
    double score = ((double)counts->games[2] + 0.5 * (double)counts->games[1]) / games;
    int used = snprintf(text, capacity, ", score %.2f %%", 100.0 * score);
    if (isfinite(width)) {
        used += snprintf(text + used, capacity - (size_t)used, " +- %.2f", width);
    }
    if (view->config->sprt) {
        (void)snprintf(text + used, capacity - (size_t)used, ", LLR %.2f (%.2f..%.2f)",
                       pairing->sprt.llr, pairing->sprt.lower, pairing->sprt.upper);
    }
}

void hzc_arena_progress_step(void *context, const hz_match_view *view) {
    hzc_arena_progress *progress = context;
    uint64_t now = hz_clock_now_ns();
    if (!progress->begun) {
        progress->begun = true;
        progress->before = view->pairs_resumed;
    }
    uint64_t pause = !progress->terminal ? 10 * SECOND_NS
                     : progress->said    ? TERMINAL_NS
                                         : SECOND_NS;
    if (now - progress->said_ns < pause) {
        return;
    }
    progress->said_ns = now;
    progress->said = true;
    double seconds = (double)(now - progress->begun_ns) / 1e9;
    uint64_t played = view->pairs_done - progress->before;
    double rate = (double)played / seconds;
    char score[128] = "", left[48] = "";
    add_score(view, score, sizeof score);
    if (played > 0 && view->pairs_done <= view->pairs_cap) {
        (void)snprintf(left, sizeof left, ", %.0f s left",
                       (double)(view->pairs_cap - view->pairs_done) / rate);
    }
    (void)fprintf(stderr, "%shazard %s: %" PRIu64 " of %" PRIu64 " pairs, %.1f games/s%s%s%s",
                  progress->terminal ? "\r" : "", progress->command, view->pairs_done,
                  view->pairs_cap, 2.0 * rate, score, left, progress->terminal ? "\x1b[K" : "\n");
}

void hzc_arena_progress_end(hzc_arena_progress *progress) {
    if (progress->terminal && progress->said) {
        (void)fputs("\r\x1b[K", stderr);
    }
    progress->said = false;
}
