/* SPDX-License-Identifier: MIT */
/*
 * The evaluator's moves from a child: the game so far goes in, a move comes back. The move is only
 * taken when it is legal; silence, an end or nonsense forfeit the game and cost the child its life.
 */
#include "league/remote.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A child that honours its deadline answers within this after it. */
static const uint64_t GRACE_NS = 500000000u, OPEN_NS = 60000000000u;
/* Processor time of a child: as many games as there are in a run. */
enum { GAMES_OF_A_CHILD = 5 * HZ_LEAGUE_GAMES };

void hzi_remote_fini(hzi_remote *remote) {
    hzi_sandbox_close(remote->sandbox);
    remote->sandbox = NULL;
}

static hz_status lost(hzi_remote *remote, hz_league_choice *choice, hz_league_reason reason,
                      const char *text, hz_error *err) {
    hzi_remote_fini(remote);
    choice->reason = reason;
    return hz_fail(err, reason == HZ_LEAGUE_TIMEOUT ? HZ_CANCELLED : HZ_MODEL_RUN, HZ_NO_OFFSET,
                   "%s", text);
}

static hz_status open_child(hzi_remote *remote, const hz_cancel *cancel, hz_league_choice *choice,
                            hz_error *err) {
    hzi_open_model open = {.evade = remote->evade};
    int kind = 0;
    const unsigned char *content = NULL;
    size_t length = 0;
    uint64_t processor_s = (remote->limits.game_ms / 1000 + 1) * GAMES_OF_A_CHILD;
    hz_status status = hzi_sandbox_open(&remote->limits, processor_s, &remote->sandbox, err);
    if (status != HZ_OK) {
        return status;
    }
    if (!hzi_sandbox_send(remote->sandbox, HZI_OPEN, &open, sizeof open, remote->bytes,
                          remote->length)) {
        return lost(remote, choice, HZ_LEAGUE_CRASH, "the child did not take the file", err);
    }
    hzi_reply reply = hzi_sandbox_receive(remote->sandbox, hz_clock_now_ns() + OPEN_NS, cancel,
                                          &kind, &content, &length);
    if (reply == HZI_REPLY_CANCELLED) {
        return hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "cancelled");
    }
    if (reply != HZI_REPLY || kind != HZI_OPENED) {
        char text[400] = "the child did not open the graph";
        if (reply == HZI_REPLY && kind == HZI_REFUSED) {
            hzi_sandbox_text(content, length, text, sizeof text);
        }
        return lost(remote, choice, reply == HZI_REPLY_LATE ? HZ_LEAGUE_TIMEOUT : HZ_LEAGUE_CRASH,
                    text, err);
    }
    return HZ_OK;
}

static bool ask(hzi_remote *remote, const hz_chess_game *game, bool first, uint64_t budget_ns) {
    hzi_position_to_choose wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.budget_ns = budget_ns;
    wanted.count = (uint16_t)game->count;
    wanted.first = first;
    (void)hz_position_to_dfen(&game->start, wanted.start, sizeof wanted.start);
    return hzi_sandbox_send(remote->sandbox, HZI_CHOOSE, &wanted, sizeof wanted, game->moves,
                            game->count * sizeof game->moves[0]);
}

/* Takes a choice from the child; false when it cannot be one. */
static bool take(const unsigned char *content, size_t length, const hz_chess_game *game,
                 hz_league_choice *choice, bool *failed) {
    hzi_chosen chosen;
    if (length != sizeof chosen) {
        return false;
    }
    memcpy(&chosen, content, sizeof chosen);
    if (chosen.failed) {
        choice->reason = (hz_league_reason)(chosen.failed - 1);
        *failed = true;
        return choice->reason >= HZ_LEAGUE_NOT_FINITE && choice->reason <= HZ_LEAGUE_CRASH;
    }
    *failed = false;
    choice->move = chosen.move;
    choice->score = isfinite(chosen.score) ? chosen.score : 0.0F;
    choice->nodes = chosen.nodes;
    choice->judgements = chosen.judgements < UINT32_MAX ? chosen.judgements : UINT32_MAX;
    return hz_chess_is_legal(&game->now, chosen.move);
}

hz_status hzi_remote_choose(void *state, const hz_chess_game *game, bool first,
                            const hz_deadline *deadline, hz_league_choice *choice, hz_error *err) {
    hzi_remote *remote = state;
    const hz_cancel *cancel = deadline->cancel;
    int kind = 0;
    const unsigned char *content = NULL;
    size_t length = 0;
    bool failed = false;
    if (!remote->sandbox) {
        /* In the middle of a game a new child has forgotten what the old one knew; that is the end
         * of the game, not of the level. */
        if (!first) {
            return lost(remote, choice, HZ_LEAGUE_CRASH, "the child was lost", err);
        }
        hz_status status = open_child(remote, cancel, choice, err);
        if (status != HZ_OK) {
            return status;
        }
    }
    uint64_t now = hz_clock_now_ns(), until = HZ_NO_DEADLINE, budget_ns = 0;
    if (hz_deadline_is_timed(deadline)) {
        budget_ns = deadline->at_ns > now ? deadline->at_ns - now : 1;
        until = now + budget_ns + GRACE_NS;
    }
    if (!ask(remote, game, first, budget_ns)) {
        return lost(remote, choice, HZ_LEAGUE_CRASH, "the child does not listen", err);
    }
    hzi_reply reply = hzi_sandbox_receive(remote->sandbox, until, cancel, &kind, &content, &length);
    switch (reply) {
    case HZI_REPLY:
        break;
    case HZI_REPLY_CANCELLED:
        hzi_remote_fini(remote);
        return hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "cancelled");
    case HZI_REPLY_LATE:
        return lost(remote, choice, HZ_LEAGUE_TIMEOUT, "the time is over", err);
    default:
        return lost(remote, choice, HZ_LEAGUE_CRASH, "the child ended", err);
    }
    if (kind != HZI_CHOICE || !take(content, length, game, choice, &failed)) {
        return lost(remote, choice, HZ_LEAGUE_CRASH, "the child gave no legal move", err);
    }
    if (failed) {
        return hz_fail(err, choice->reason == HZ_LEAGUE_TIMEOUT ? HZ_CANCELLED : HZ_MODEL_RUN,
                       HZ_NO_OFFSET, "the evaluator failed");
    }
    return HZ_OK;
}
