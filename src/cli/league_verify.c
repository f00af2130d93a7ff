/* SPDX-License-Identifier: MIT */
/*
 * `hazard league verify`: some of the games that are kept, of one entry or of all, are played again and
 * must take the same course. Which ones turns with the day, so that a nightly job comes round to all.
 */
#include "cli/league.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct wrong_game {
    int64_t id; /* of the entry */
    int level, number;
    bool second;
} wrong_game;

typedef struct verifying {
    const hzc_args *args;
    void *bytes; /* of the entry */
    size_t length;
    int64_t id;
    hz_league_limits limits;
    uint64_t every, seen, played, wrong;
    bool as_json;
    wrong_game *games; /* those that took another course, with --json; owned */
    hz_error err;
    hz_status status;
} verifying;

/* Says it at once, or keeps it for the object that is printed in the end. */
static hz_status add_wrong(verifying *v, const hz_league_record *record) {
    wrong_game game = {v->id, record->level, record->number, record->second};
    if (!v->as_json) {
        hzc_out_format(v->args->out, "entry %lld, game %d of level %d%s: took another course\n",
                       (long long)game.id, game.number, game.level,
                       game.second ? " (second set)" : "");
        v->wrong++;
        return HZ_OK;
    }
    wrong_game *more = realloc(v->games, (v->wrong + 1) * sizeof *more);
    if (!more) {
        return hz_fail(&v->err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    v->games = more;
    v->games[v->wrong++] = game;
    return HZ_OK;
}

static bool verify_game(void *state, const hz_league_record *record) {
    verifying *v = state;
    bool same = true;
    if (v->seen++ % v->every != 0 || record->result.reason == HZ_LEAGUE_TIMEOUT) {
        return true;
    }
    v->status = hz_league_replay(v->bytes, v->length, &v->limits, record, &same, &v->err);
    v->played++;
    if (v->status == HZ_OK && !same) {
        v->status = add_wrong(v, record);
    }
    return v->status == HZ_OK;
}

static int verify_entry(verifying *v, hz_league_store *store) {
    hz_league_entry entry;
    char executor[16];
    hz_error err;
    if (hz_league_store_entry(store, v->id, &entry, &err) != HZ_OK) {
        (void)hzc_report(v->args, &err, NULL, 0);
        return err.code == HZ_NOT_FOUND ? HZC_NO : HZC_ENVIRONMENT;
    }
    (void)snprintf(executor, sizeof executor, "%.15s", entry.executor);
    v->limits.executor = executor[0] ? executor : NULL;
    hz_status status = hz_league_store_bytes(store, v->id, &v->bytes, &v->length, &err);
    if (status == HZ_OK) {
        status = hz_league_store_games(store, v->id, verify_game, v, &err);
        free(v->bytes);
    }
    v->limits.executor = NULL; /* it ends here */
    if (v->status != HZ_OK) {
        return hzc_report(v->args, &v->err, NULL, 0);
    }
    return status == HZ_OK ? HZC_DONE : hzc_report(v->args, &err, NULL, 0);
}

static int verify_all(verifying *v, hz_league_store *store) {
    hz_error err;
    for (;;) {
        hz_status status = hz_league_store_next_done(store, v->id, &v->id, &err);
        if (status != HZ_OK) {
            return status == HZ_NOT_FOUND ? HZC_DONE : hzc_report(v->args, &err, NULL, 0);
        }
        int code = verify_entry(v, store);
        if (code != HZC_DONE) {
            return code;
        }
    }
}

static void say_result(const verifying *v) {
    if (!v->as_json) {
        hzc_out_format(v->args->out, "%llu %s played again, %llu took another course\n",
                       (unsigned long long)v->played, v->played == 1 ? "game" : "games",
                       (unsigned long long)v->wrong);
        return;
    }
    hzc_json json = hzc_json_to(v->args->out);
    hzc_json_object(&json, NULL);
    hzc_json_count(&json, "played", v->played);
    hzc_json_array(&json, "differ");
    for (uint64_t i = 0; i < v->wrong; i++) {
        hzc_json_object(&json, NULL);
        hzc_json_integer(&json, "id", v->games[i].id);
        hzc_json_integer(&json, "level", v->games[i].level);
        hzc_json_bool(&json, "second", v->games[i].second);
        hzc_json_integer(&json, "number", v->games[i].number);
        hzc_json_end_object(&json);
    }
    hzc_json_end_array(&json);
    hzc_json_end_object(&json);
    hzc_out_char(v->args->out, '\n');
}

int hzc_league_verify(const hzc_args *args) {
    enum { DAY_S = 86400 };
    verifying v = {.args = args, .every = 100};
    uint64_t seed = (uint64_t)time(NULL) / DAY_S;
    int code = HZC_DONE;
    bool all = args->operand_count == 2 && strcmp(args->operands[1], "all") == 0;
    if ((!all && !hzc_league_id(args, &v.id)) ||
        !hzc_args_count(args, "every", 1, 1000000, &v.every) ||
        (hzc_args_has(args, "seed") && !hzc_args_seed(args, &seed)) ||
        !hzc_league_limits(args, &v.limits)) {
        return HZC_USAGE;
    }
    v.seen = seed % v.every;
    v.as_json = hzc_args_has(args, "json");
    hz_league_store *store = hzc_league_store(args, &code);
    if (!store) {
        return code;
    }
    code = all ? verify_all(&v, store) : verify_entry(&v, store);
    hz_league_store_close(store);
    if (code == HZC_DONE) {
        say_result(&v);
        code = v.wrong ? HZC_NO : HZC_DONE;
    }
    free(v.games);
    return code;
}
