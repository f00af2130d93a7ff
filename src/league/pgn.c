/* SPDX-License-Identifier: MIT */
/* A game of a run as PGN. */
#include <hazard/league.h>

#include <stdio.h>
#include <stdlib.h>

enum { TAGS = 12, TEXT = 160 };

static const char *termination(hz_league_reason reason) {
    switch (reason) {
    case HZ_LEAGUE_NOT_FINITE:
        return "the evaluator gave a value that is not finite";
    case HZ_LEAGUE_TIMEOUT:
        return "the evaluator's time was over";
    case HZ_LEAGUE_CRASH:
        return "the evaluator failed";
    default:
        return hz_league_reason_text(reason);
    }
}

hz_status hz_league_write_pgn(const hz_league_record *record, const char *evaluator,
                              const char *date, hz_pgn_sink sink, void *context, hz_error *err) {
    char baseline[TEXT], round[TEXT], plies[TEXT];
    bool white = record->result.color == HZ_WHITE;
    (void)snprintf(baseline, sizeof baseline, "Level %d (%s)", record->level,
                   hz_league_level_name(record->level));
    (void)snprintf(round, sizeof round, "%d.%d%s", record->level, record->number,
                   record->second ? ".2" : "");
    (void)snprintf(plies, sizeof plies, "%zu", record->game->count);
    hz_pgn_result result = record->result.points2 == 1              ? HZ_PGN_DRAW
                           : (record->result.points2 == 2) == white ? HZ_PGN_WHITE
                                                                    : HZ_PGN_BLACK;
    const hz_pgn_tag tags[TAGS] = {{"Event", "Evaluator league"},
                                   {"Site", "?"},
                                   {"Date", date ? date : "????.??.??"},
                                   {"Round", round},
                                   {"White", white ? evaluator : baseline},
                                   {"Black", white ? baseline : evaluator},
                                   {"Result", hz_pgn_result_text(result)},
                                   {"ECO", record->opening->eco},
                                   {"Opening", record->opening->name},
                                   {"PlyCount", plies},
                                   {"Termination", termination(record->result.reason)},
                                   {0}};
    size_t count = record->game->count;
    hz_pgn_move *moves = calloc(count + 1, sizeof *moves);
    if (!moves) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        moves[i].move = record->game->moves[i];
        moves[i].next = i + 1 < count ? &moves[i + 1] : NULL;
    }
    hz_pgn_game game = {.tag_count = TAGS - 1,
                        .tags = tags,
                        .start = record->game->start,
                        .moves = count ? moves : NULL,
                        .plies = count,
                        .result = result};
    hz_status status = hz_pgn_write(&game, sink, context, err);
    free(moves);
    return status;
}
