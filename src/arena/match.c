/* SPDX-License-Identifier: MIT */
/*
 * A run of many games: everything is checked and opened before the first one, pairs are played by a
 * crew (crew.h) and taken back in order, so that counters, the sequential test and every file depend
 * on the seed and on nothing else.
 */
#include "arena/match.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_PLAYERS = 1000, FIELDS_MAX = 64, VALUE_MAX = 400 };

hz_match_config hz_match_config_default(void) {
    return (hz_match_config){.scheme = HZ_SCHEME_MATCH,
                             .rules = hz_match_rules_default(),
                             .player_count = 2,
                             .seed = 42,
                             .pairs = 1000,
                             .threads = 1};
}

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a run");
}

/* ---- what was asked ---- */

static hz_status check(const hz_match_config *config, hz_error *err) {
    const hz_match_rules *rules = &config->rules;
    if (config->player_count < 2 || config->player_count > MOST_PLAYERS ||
        (config->scheme == HZ_SCHEME_MATCH && config->player_count != 2)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "%zu players", config->player_count);
    }
    if (!config->open && !config->players) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "nobody is named");
    }
    if (config->pairs < 1 || config->pairs > UINT64_C(1) << 40 || rules->max_plies < 1) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "a run has at least one pair, a game at least one ply");
    }
    if (rules->max_plies > HZ_RECORD_TURNS_MAX && (config->games_record || config->archive)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "recorded games have at most %d plies", (int)HZ_RECORD_TURNS_MAX);
    }
    if (config->threads < 1 || config->threads > HZ_THREADS_MAX) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "%u workers", config->threads);
    }
    if (config->sprt && config->scheme != HZ_SCHEME_MATCH) {
        return hz_fail(err, HZ_CONFLICT, HZ_NO_OFFSET, "the sequential test is for a match");
    }
    if (rules->game == HZ_MATCH_CHESS && (config->luck || rules->carelessness)) {
        return hz_fail(err, HZ_CONFLICT, HZ_NO_OFFSET,
                       "luck and carelessness are counted in Dice Chess only");
    }
    if (config->openings && config->openings->count == 0) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "the list of starts is empty");
    }
    return config->sprt ? hz_sprt_check(config->sprt, err) : HZ_OK;
}

/* ---- who the run is ---- */

typedef struct identity {
    size_t count;
    hzi_field fields[FIELDS_MAX + 4 * MOST_PLAYERS];
    char (*values)[VALUE_MAX];
    char (*names)[48];
} identity;

static void add_field(identity *id, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void add_field(identity *id, const char *name, const char *format, ...) {
    va_list list;
    size_t i = id->count++;
    (void)snprintf(id->names[i], sizeof id->names[i], "%s", name);
    va_start(list, format);
    (void)vsnprintf(id->values[i], VALUE_MAX, format, list);
    va_end(list);
    id->fields[i] = (hzi_field){id->names[i], id->values[i]};
}

/* Long texts are told apart by their digests. */
static void add_text(identity *id, const char *name, const char *text) {
    char hex[65];
    if (strlen(text) < VALUE_MAX) {
        add_field(id, name, "%s", text);
    } else {
        hz_sha256_hex(text, strlen(text), hex);
        add_field(id, name, "sha256:%s", hex);
    }
}

static void describe_openings(identity *id, const hz_openings *openings) {
    char hex[65] = "initial position";
    if (openings) {
        hzi_text text = {0};
        char dfen[HZ_DFEN_CAPACITY];
        for (size_t i = 0; i < openings->count; i++) {
            (void)hz_position_to_dfen(&openings->positions[i], dfen, sizeof dfen);
            hzi_text_puts(&text, dfen);
            hzi_text_add(&text, "\n", 1);
        }
        hz_sha256_hex(text.bytes, text.length, hex);
        hzi_text_fini(&text);
    }
    add_field(id, "starts", "%s", hex);
}

static void describe(const hz_match_run *run, identity *id) {
    static const char *const schemes[] = {"match", "round-robin", "gauntlet"};
    const hz_match_config *c = run->config;
    const hz_match_rules *r = &c->rules;
    char name[48];
    add_field(id, "version", "%s", hz_version());
    add_field(id, "kind", "%s", schemes[c->scheme]);
    add_field(id, "game", "%s", r->game == HZ_MATCH_CHESS ? "chess" : "dice");
    for (size_t i = 0; i < c->player_count; i++) {
        (void)snprintf(name, sizeof name, "player_%zu", i + 1);
        add_text(id, name, run->infos[i].text);
        (void)snprintf(name, sizeof name, "player_%zu_files", i + 1);
        add_field(id, name, "%s", run->infos[i].files);
        if (run->infos[i].book) {
            char hex[65] = "";
            (void)hz_sha256_file(run->infos[i].book, hex, NULL);
            (void)snprintf(name, sizeof name, "player_%zu_book", i + 1);
            add_field(id, name, "%s", hex);
        }
    }
    add_field(id, "control", "%" PRId64 "+%" PRId64, r->control.base_ms, r->control.increment_ms);
    add_field(id, "overhead_ms", "%" PRId64, r->overhead_ms);
    add_field(id, "time_policy", "%s", hz_time_policy_name((size_t)r->policy));
    add_field(id, "max_plies", "%" PRIu64, r->max_plies);
    add_field(id, "resign", "%" PRId32 " %" PRIu32, r->resign_score, r->resign_turns);
    add_field(id, "carelessness", "%d", r->carelessness);
    add_field(id, "seed", "%" PRIu64, c->seed);
    add_field(id, "dice", "%s", c->fresh_dice ? "fresh" : "shared");
    add_text(id, "luck", c->luck ? c->luck : "none");
    add_field(id, "luck_files", "%s", run->luck_files);
    describe_openings(id, c->openings);
    if (c->sprt) {
        /* As the bits of the numbers: the text does not depend on the locale. */
        add_field(id, "test", "%a %a %a %a", c->sprt->elo0, c->sprt->elo1, c->sprt->alpha,
                  c->sprt->beta);
    } else {
        add_field(id, "test", "none");
    }
}

/* ---- taking pairs back ---- */

static void update_clock(hz_match_run *run) {
    run->view.wall_ms =
        run->earlier_ms +
        (run->begun_ns ? (hz_clock_now_ns() - run->begun_ns) / 1000000 : UINT64_C(0));
}

static hz_status count_pair(hz_match_run *run, uint64_t item, const hz_match_pair *pair,
                            hz_error *err) {
    const hz_match_config *config = run->config;
    hz_match_pairing *pairing = &run->pairings[pair->pairing];
    hz_status status = hz_match_tally_add(&pairing->tally, pair, config->fresh_dice, err);
    if (status == HZ_OK) {
        run->view.pairs_done++;
        run->next = item + 1;
        if (config->sprt) {
            pairing->sprt = hz_sprt_evaluate(config->sprt, &pairing->tally.counts);
            run->view.decided = pairing->sprt.verdict != HZ_SPRT_CONTINUE;
        }
    }
    return status;
}

static hz_status take_resumed(hz_match_run *run, uint64_t item, const hz_match_pair *pair,
                              hz_error *err) {
    run->view.pairs_resumed++;
    return count_pair(run, item, pair, err);
}

static hz_status take_played(void *context, uint64_t item, const char *bytes, size_t length,
                             bool *stop, hz_error *err) {
    hz_match_run *run = context;
    hz_match_pair pair;
    if (!hzi_pair_unpack(bytes, length, &pair)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "a result that is no pair");
    }
    update_clock(run);
    size_t shown = run->gallery.count;
    hz_status status = hzi_gallery_take(&run->gallery, run->config, run->view.pairing_count, &pair,
                                        !run->config->games_log, err);
    if (status == HZ_OK) {
        status = hzi_store_add(run, item, &pair, shown, err);
    }
    if (status == HZ_OK) {
        status = count_pair(run, item, &pair, err);
    }
    *stop = run->view.decided;
    if (status == HZ_OK && run->config->progress) {
        run->config->progress(run->config->progress_context, &run->view);
    }
    return status;
}

static void tick(void *context) {
    hz_match_run *run = context;
    update_clock(run);
    if (run->config->progress) {
        run->config->progress(run->config->progress_context, &run->view);
    }
}

/* ---- making a run ---- */

static hz_status make_pairings(hz_match_run *run, hz_error *err) {
    const hz_match_config *config = run->config;
    size_t n = config->player_count;
    size_t count = config->scheme == HZ_SCHEME_ROUND_ROBIN ? n * (n - 1) / 2 : n - 1;
    run->pairings = calloc(count, sizeof *run->pairings);
    if (!run->pairings) {
        return no_memory(err);
    }
    size_t at = 0;
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n && (a == 0 || config->scheme == HZ_SCHEME_ROUND_ROBIN); b++) {
            run->pairings[at++] = (hz_match_pairing){.a = a, .b = b};
        }
    }
    if (config->sprt) {
        run->pairings[0].sprt = hz_sprt_evaluate(config->sprt, &run->pairings[0].tally.counts);
    }
    run->view.pairing_count = count;
    run->view.pairings = run->pairings;
    run->view.pairs_cap = config->pairs * count;
    return HZ_OK;
}

static hz_status take_memory(hz_match_run *run, hz_error *err) {
    size_t n = run->config->player_count;
    run->infos = calloc(n, sizeof *run->infos);
    run->seats = calloc(n, sizeof *run->seats);
    run->view.player_count = n;
    run->view.players = run->infos;
    run->has_lock = pthread_mutex_init(&run->lock, NULL) == 0;
    if (!run->infos || !run->seats || !run->has_lock) {
        return no_memory(err);
    }
    if (run->config->registry) {
        run->registry = run->config->registry;
        return HZ_OK;
    }
    run->registry = hz_registry_new();
    return run->registry ? hz_registry_register_kinds(run->registry, err) : no_memory(err);
}

static hz_status identify(hz_match_run *run, hz_error *err) {
    identity *id = calloc(1, sizeof *id);
    size_t most = FIELDS_MAX + 4 * run->config->player_count;
    hz_status status = HZ_OK;
    if (id) {
        id->values = calloc(most, sizeof *id->values);
        id->names = calloc(most, sizeof *id->names);
    }
    if (!id || !id->values || !id->names) {
        status = no_memory(err);
    } else {
        hzi_text all = {0};
        char hex[65], first[17];
        describe(run, id);
        for (size_t i = 0; i < id->count; i++) {
            hzi_text_puts(&all, id->fields[i].value);
            hzi_text_add(&all, "\n", 1);
        }
        hz_sha256_hex(all.bytes, all.length, hex);
        memcpy(first, hex, 16);
        first[16] = '\0';
        run->identity = strtoull(first, NULL, 16);
        hzi_text_fini(&all);
        if (!run->config->ranks || run->config->ranks->rank == 0) {
            status = hzi_store_open(run, id->fields, id->count, take_resumed, err);
        }
    }
    if (id) {
        free(id->values);
        free(id->names);
    }
    free(id);
    return status;
}

static void date(char text[32]) {
    time_t now = time(NULL);
    struct tm parts;
    if (!gmtime_r(&now, &parts) || strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) {
        text[0] = '\0';
    }
}

hz_status hz_match_run_new(const hz_match_config *config, hz_match_run **made, hz_error *err) {
    hz_match_run *run = calloc(1, sizeof *run);
    *made = NULL;
    if (!run) {
        return no_memory(err);
    }
    run->config = config;
    run->view.config = config;
    run->view.ranks = config->ranks ? (unsigned)config->ranks->size : 1;
    run->store.log.fd = run->store.record.fd = -1;
    hz_status status = check(config, err);
    if (status == HZ_OK) {
        run->view.workers = config->threads;
        if (config->rules.control.base_ms > 0) {
            hz_machine machine = hz_machine_get();
            run->view.workers = config->threads < machine.cores ? config->threads : machine.cores;
        }
        status = take_memory(run, err);
    }
    if (status == HZ_OK) {
        status = make_pairings(run, err);
    }
    if (status == HZ_OK) {
        status = hzi_match_open_players(run, err);
    }
    if (status == HZ_OK && config->luck) {
        hz_luck *luck = NULL;
        status = hz_luck_open(config->luck, run->registry, &luck, err);
        hz_luck_close(luck);
        if (status == HZ_OK) {
            char graph[65];
            status = hz_match_player_digest(config->luck, HZ_MATCH_DICE, run->registry, graph,
                                            run->luck_files, err);
        }
    }
    if (status == HZ_OK) {
        status = identify(run, err);
    }
    date(run->view.created);
    if (status != HZ_OK) {
        hz_match_run_free(run);
        return status;
    }
    *made = run;
    return HZ_OK;
}

/* ---- playing it ---- */

hz_status hz_match_run_play(hz_match_run *run, hz_error *err) {
    const hz_match_config *config = run->config;
    if (run->played) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "a run is played once");
    }
    run->played = true;
    run->begun_ns = hz_clock_now_ns();
    hzi_crew_plan plan = {.first = run->next,
                          .end = run->view.decided ? run->next : run->view.pairs_cap,
                          .threads = run->view.workers,
                          .ranks = config->ranks,
                          .identity = run->identity,
                          .cancel = config->rules.cancel};
    hzi_crew_work work = {.context = run,
                          .open = hzi_match_worker_open,
                          .work = hzi_match_worker_play,
                          .close = hzi_match_worker_close,
                          .fold = take_played,
                          .idle = tick};
    hzi_crew_outcome outcome = {0};
    if (plan.first > plan.end) {
        plan.first = plan.end;
    }
    hz_status status = hzi_crew_run(&plan, &work, &outcome, err);
    run->view.cancelled = outcome.cancelled;
    run->view.ranks_lost = outcome.ranks_lost;
    update_clock(run);
    date(run->view.created);
    run->view.games = (const char *const *)run->gallery.lines;
    run->view.game_count = run->gallery.count;
    if (!config->ranks || config->ranks->rank == 0) {
        hz_status stored = hzi_match_store_finish(run, status == HZ_OK ? err : NULL);
        status = status == HZ_OK ? stored : status;
    }
    return status;
}

const hz_match_view *hz_match_run_view(const hz_match_run *run) {
    return &run->view;
}

void hz_match_run_free(hz_match_run *run) {
    if (!run) {
        return;
    }
    hzi_store_close(&run->store);
    hzi_gallery_free(&run->gallery);
    for (size_t i = 0; i < run->view.player_count && run->seats; i++) {
        hz_match_player_close(&run->seats[i].spare);
        hz_book_free(run->seats[i].book);
        free(run->seats[i].name);
    }
    for (size_t i = 0; i < run->view.pairing_count && run->pairings; i++) {
        hz_match_tally_fini(&run->pairings[i].tally);
    }
    if (run->registry && run->registry != run->config->registry) {
        hz_registry_free(run->registry);
    }
    if (run->has_lock) {
        (void)pthread_mutex_destroy(&run->lock);
    }
    free(run->pairings);
    free(run->infos);
    free(run->seats);
    free(run);
}
