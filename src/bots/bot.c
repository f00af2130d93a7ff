/* SPDX-License-Identifier: MIT */
/* Asking a bot: the request is checked here once, so that no bot has to. */
#include <hazard/bots.h>

hz_status hz_bot_choose(const hz_bot *bot, const hz_bot_request *request, hz_bot_answer *answer,
                        hz_error *err) {
    if (bot && !bot->choose) {
        return hz_fail(err, HZ_CLOSED, HZ_NO_OFFSET, "the bot is closed");
    }
    if (!bot || !request || !request->position || !request->random || !request->arena || !answer) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "a bot is asked with a position, a random stream and an arena");
    }
    if (request->position->pool == 0) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "a bot is asked after the roll; this position has no dice");
    }
    uint64_t seed = request->random->seed, counter = request->random->counter;
    *answer = (hz_bot_answer){0};
    hz_status status = bot->choose(bot->state, request, answer, err);
    answer->seed = seed;
    answer->counter = counter;
    return status;
}

hz_status hz_bot_decide(const hz_bot *bot, hz_decision question, const hz_position *position,
                        hz_color responder, hz_random *random, bool *yes, hz_error *err) {
    if (!bot || !position || !random || !yes) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "a decision needs a bot, a position and a random stream");
    }
    if (question < HZ_OFFER_DOUBLE || question > HZ_ACCEPT_DRAW) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "there is no decision number %d",
                       (int)question);
    }
    if (!bot->choose) {
        return hz_fail(err, HZ_CLOSED, HZ_NO_OFFSET, "the bot is closed");
    }
    if (!bot->decide) {
        *yes = hz_decide_default(question, position, responder);
        return HZ_OK;
    }
    return bot->decide(bot->state, question, position, responder, random, yes, err);
}

hz_status hz_bot_shut(hz_bot *bot, hz_error *err) {
    if (!bot) {
        return HZ_OK;
    }
    hz_bot closing = *bot;
    *bot = (hz_bot){0};
    if (closing.shut) {
        return closing.shut(closing.state, err);
    }
    if (closing.close) {
        closing.close(closing.state);
    }
    return HZ_OK;
}

void hz_bot_close(hz_bot *bot) {
    (void)hz_bot_shut(bot, NULL);
}

bool hz_bot_judge(const hz_bot *bot, hz_bot_judgement *judgement) {
    return bot && bot->judge && bot->judge(bot->state, judgement);
}
