/* SPDX-License-Identifier: MIT */
/*
 * One game of the league: an opening, two players in turn, the rules that end it. What the
 * evaluator does wrong (a value that is not finite, too much time, a crash) loses its game and
 * nothing else.
 */
#include "league/play.h"

#include <string.h>

const char *hz_league_reason_text(hz_league_reason reason) {
    static const char *const texts[] = {"checkmate",  "stalemate", "fifty-moves",
                                        "dead",       "threefold", "length",
                                        "not-finite", "timeout",   "crash"};
    return texts[reason];
}

hz_status hz_league_opening_game(const hz_league_opening *opening, hz_chess_game *game,
                                 hz_error *err) {
    hz_position start;
    hz_status status = hz_chess_from_fen(&start, HZ_START_DFEN, strlen(HZ_START_DFEN), err);
    if (status == HZ_OK) {
        status = hz_chess_game_init(game, &start, err);
    }
    for (const char *at = opening->moves; status == HZ_OK && *at;) {
        size_t length = strcspn(at, " ");
        hz_move move;
        status = hz_chess_move_from_text(&game->now, at, length, &move, err);
        if (status == HZ_OK) {
            status = hz_chess_game_play(game, move, err);
        }
        if (status != HZ_OK) {
            hz_chess_game_fini(game);
        }
        at += length;
        at += *at == ' ';
    }
    if (status != HZ_OK) {
        return status;
    }
    /* The game begins here: the opening position counts as its first occurrence. */
    hz_chess_game fresh;
    status = hz_chess_game_init(&fresh, &game->now, err);
    hz_chess_game_fini(game);
    *game = fresh;
    return status;
}

bool hzi_league_ended(const hz_chess_game *game, hz_league_reason *reason) {
    switch (hz_chess_position_end(&game->now)) {
    case HZ_CHESS_CHECKMATE:
        *reason = HZ_LEAGUE_CHECKMATE;
        return true;
    case HZ_CHESS_STALEMATE:
        *reason = HZ_LEAGUE_STALEMATE;
        return true;
    case HZ_CHESS_FIFTY:
    case HZ_CHESS_SEVENTY_FIVE:
        *reason = HZ_LEAGUE_FIFTY;
        return true;
    case HZ_CHESS_DEAD_MATERIAL:
        *reason = HZ_LEAGUE_DEAD;
        return true;
    default:
        break;
    }
    if (hz_chess_game_occurrences(game) >= 3) {
        *reason = HZ_LEAGUE_THREEFOLD;
        return true;
    }
    *reason = HZ_LEAGUE_LENGTH;
    return game->count >= HZ_LEAGUE_PLIES_MAX;
}

/* A baseline, or an evaluator in this process. */
static hz_status choose_here(void *player, const hz_chess_game *game, bool first,
                             const hz_deadline *deadline, hz_league_choice *choice, hz_error *err) {
    if (first) {
        hz_league_player_new_game(player);
    }
    return hz_league_player_choose(player, game, deadline, choice, err);
}

/* What a failed choice of the evaluator means; HZ_OK for a forfeit. */
static hz_status forfeit(hz_status status, const hz_league_choice *choice, const hz_error *why,
                         const hz_cancel *cancel, hz_league_result *result, hz_error *err) {
    if (status == HZ_CANCELLED && hz_cancel_requested(cancel)) {
        return hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "the game was cancelled");
    }
    if (status != HZ_CANCELLED && status != HZ_MODEL_RUN) {
        return hz_fail(err, status, HZ_NO_OFFSET, "%s", why->message);
    }
    result->points2 = 0;
    result->reason = status == HZ_CANCELLED ? HZ_LEAGUE_TIMEOUT : choice->reason;
    return HZ_OK;
}

hz_status hzi_league_play(hzi_league_chooser choose, void *evaluator, hz_league_player *baseline,
                          hz_color color, uint64_t budget_ns, const hz_cancel *cancel,
                          hz_chess_game *game, hz_league_result *result, hz_error *err) {
    bool first[2] = {true, true};
    result->color = color;
    result->evaluator_ns = result->judgements = 0;
    while (!hzi_league_ended(game, &result->reason)) {
        bool ours = game->now.side == (uint8_t)color;
        hz_deadline deadline = hz_deadline_none();
        deadline.cancel = cancel;
        uint64_t start = hz_clock_now_ns();
        if (ours && budget_ns) {
            deadline.at_ns =
                start + (budget_ns > result->evaluator_ns ? budget_ns - result->evaluator_ns : 0);
        }
        hz_league_choice choice = {.reason = HZ_LEAGUE_CRASH};
        hz_error why;
        hz_error_clear(&why);
        hz_status status = (ours ? choose : choose_here)(ours ? evaluator : (void *)baseline, game,
                                                         first[ours], &deadline, &choice, &why);
        first[ours] = false;
        if (ours) {
            result->evaluator_ns += hz_clock_now_ns() - start;
        }
        result->plies = game->count;
        if (status != HZ_OK) {
            return ours || status == HZ_CANCELLED
                       ? forfeit(status, &choice, &why, cancel, result, err)
                       : hz_fail(err, status, HZ_NO_OFFSET, "%s", why.message);
        }
        result->judgements += ours ? choice.judgements : 0;
        status = hz_chess_game_play(game, choice.move, err);
        if (status != HZ_OK) {
            return status;
        }
    }
    result->plies = game->count;
    bool won = game->now.side != (uint8_t)color; /* the side to move is mated */
    result->points2 = result->reason != HZ_LEAGUE_CHECKMATE ? 1 : won ? 2 : 0;
    return HZ_OK;
}

hz_status hz_league_play(hz_league_player *evaluator, hz_league_player *baseline, hz_color color,
                         uint64_t budget_ns, const hz_cancel *cancel, hz_chess_game *game,
                         hz_league_result *result, hz_error *err) {
    return hzi_league_play(choose_here, evaluator, baseline, color, budget_ns, cancel, game, result,
                           err);
}
