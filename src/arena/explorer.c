/* SPDX-License-Identifier: MIT */
/* Players that explore; see explorer.h. */
#include "arena/explorer.h"

#include "arena/asked.h"
#include "arena/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct explorer {
    const hzi_exploration *how;
    hzi_notes *notes;
    hz_bot bot;              /* zeroed when somebody else plays */
    hz_match_player outside; /* a child process or a bot behind HTTP; zeroed for bots */
    bool judges;
    hz_bot_judgement judgement; /* of the bot, when it has one */
    char name[];
} explorer;

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for self-play");
}

/* ---- notes ---- */

static hz_status put_note(hzi_notes *notes, uint64_t ply, hzi_note note, hz_error *err) {
    if (ply >= notes->capacity) {
        size_t capacity = notes->capacity ? notes->capacity : 256;
        while (capacity <= ply) {
            capacity *= 2;
        }
        hzi_note *grown = realloc(notes->at, capacity * sizeof *grown);
        if (!grown) {
            return no_memory(err);
        }
        notes->at = grown;
        notes->capacity = capacity;
    }
    while (notes->count <= ply) {
        notes->at[notes->count++] = (hzi_note){0};
    }
    notes->at[ply] = note;
    return HZ_OK;
}

hzi_note hzi_note_at(const hzi_notes *notes, size_t ply) {
    return ply < notes->count ? notes->at[ply] : (hzi_note){0};
}

void hzi_notes_clear(hzi_notes *notes) {
    notes->count = 0;
}

void hzi_notes_free(hzi_notes *notes) {
    free(notes->at);
    *notes = (hzi_notes){0};
}

/* ---- the opening ---- */

static void answer(hz_match_reply *reply, const hz_turn *turn) {
    reply->turn = *turn;
}

static hz_status play_any(const hz_match_question *question, hz_match_reply *reply, hzi_note *note,
                          hz_error *err) {
    hz_result_list list;
    hz_status status = hz_results_list(question->position, NULL, question->arena, &list, err);
    if (status != HZ_OK) {
        return status;
    }
    if (list.count == 0) {
        reply->pass = true;
        return HZ_OK;
    }
    /* The winning class is one of the list; it is left out by counting past it. */
    bool leaves_out = list.winning >= 0 && list.count > 1;
    size_t index = hz_random_pick(question->random, (uint32_t)(list.count - leaves_out));
    if (leaves_out && index >= (size_t)list.winning) {
        index++;
    }
    answer(reply, &list.results[index].turn);
    note->flags = HZI_ROW_OPENING;
    return HZ_OK;
}

/* ---- drawing by temperature ---- */

/* Below this no chance is left that a double could add up. */
static double weight(double value, double best, double temperature) {
    double exponent = (value - best) / temperature;
    return exponent < -40.0 ? 0.0 : exp(exponent);
}

/* An index drawn with chances in proportion to exp((value - best) / temperature). */
static size_t draw(const double *values, size_t count, double temperature, hz_random *random) {
    double best = values[0], sum = 0.0;
    for (size_t i = 1; i < count; i++) {
        best = values[i] > best ? values[i] : best;
    }
    for (size_t i = 0; i < count; i++) {
        sum += weight(values[i], best, temperature);
    }
    double at = sum * ((double)hz_random_draw(random, UINT32_MAX) / (double)UINT32_MAX);
    size_t index = 0;
    for (size_t i = 0; i < count && at >= 0.0; i++) {
        double part = weight(values[i], best, temperature);
        index = part > 0.0 ? i : index;
        at -= part;
    }
    return index;
}

static int32_t whole(double value) {
    return value >= INT32_MAX ? INT32_MAX : value <= INT32_MIN ? INT32_MIN : (int32_t)value;
}

static void note_drawn(const double *values, size_t count, size_t index, hzi_note *note) {
    double best = values[0];
    for (size_t i = 1; i < count; i++) {
        best = values[i] > best ? values[i] : best;
    }
    note->flags = HZI_ROW_SCORED | HZI_ROW_DRAWN;
    note->score = whole(values[index]);
    note->best = whole(best);
}

/* Everything by one look. */
static hz_status draw_results(explorer *e, const hz_match_question *question, hz_match_reply *reply,
                              hzi_note *note, hz_error *err) {
    hz_result_list list;
    hz_status status = hz_results_list(question->position, NULL, question->arena, &list, err);
    if (status != HZ_OK) {
        return status;
    }
    if (list.count == 0) {
        reply->pass = true;
        return HZ_OK;
    }
    if (list.winning >= 0) {
        answer(reply, &list.results[list.winning].turn);
        note->flags = HZI_ROW_SCORED;
        note->score = note->best = HZ_SCORE_WIN;
        return HZ_OK;
    }
    hz_position *positions = hz_arena_alloc(question->arena, list.count * sizeof *positions);
    int32_t *scores = hz_arena_alloc(question->arena, list.count * sizeof *scores);
    double *values = hz_arena_alloc(question->arena, list.count * sizeof *values);
    if (!positions || !scores || !values) {
        return no_memory(err);
    }
    for (size_t i = 0; i < list.count; i++) {
        positions[i] = list.results[i].after;
    }
    size_t done = 0;
    status = e->judgement.judge.score_batch(e->judgement.judge.state, positions, list.count,
                                            (hz_color)question->position->side, scores, &done, err);
    if (status != HZ_OK) {
        return status;
    }
    if (done != list.count) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "%s judged %zu of %zu positions", e->name,
                       done, list.count);
    }
    for (size_t i = 0; i < list.count; i++) {
        values[i] = scores[i];
    }
    size_t index = draw(values, list.count, e->how->temperature, question->random);
    note_drawn(values, list.count, index, note);
    answer(reply, &list.results[index].turn);
    return HZ_OK;
}

/* Among the candidates of a search that have an exact value. */
static hz_status draw_candidates(explorer *e, const hz_match_question *question,
                                 const hz_expectimax_answer *search, hz_match_reply *reply,
                                 hzi_note *note, hz_error *err) {
    hz_result_list list;
    size_t count = 0, *results;
    hz_status status = hz_results_list(question->position, NULL, question->arena, &list, err);
    if (status != HZ_OK) {
        return status;
    }
    double *values = hz_arena_alloc(question->arena, search->candidate_count * sizeof *values);
    results = hz_arena_alloc(question->arena, search->candidate_count * sizeof *results);
    if (!values || !results) {
        return no_memory(err);
    }
    for (size_t i = 0; i < search->candidate_count; i++) {
        const hz_candidate *candidate = &search->candidates[i];
        if (candidate->result < list.count &&
            hzi_candidate_value(&e->judgement, search, candidate, &values[count])) {
            results[count++] = candidate->result;
        }
    }
    if (count > 0) {
        size_t index = draw(values, count, e->how->temperature, question->random);
        note_drawn(values, count, index, note);
        answer(reply, &list.results[results[index]].turn);
    }
    return HZ_OK;
}

/* ---- asking ---- */

static hz_status ask_bot(explorer *e, const hz_match_question *question, bool draws,
                         hz_match_reply *reply, hzi_note *note, hz_error *err) {
    hz_bot_answer chosen;
    const hz_bot_request request = {.position = question->position,
                                    .random = question->random,
                                    .deadline = e->bot.info->timed ? &question->deadline : NULL,
                                    .arena = question->arena};
    hz_status status = hz_bot_choose(&e->bot, &request, &chosen, err);
    if (status != HZ_OK) {
        return status;
    }
    reply->pass = chosen.pass;
    if (!chosen.pass) {
        answer(reply, &chosen.turn);
        note->flags = HZI_ROW_SCORED;
        note->score = note->best = chosen.score;
    }
    if (chosen.search) {
        reply->nodes = chosen.search->nodes;
        if (e->judges && !chosen.pass) {
            note->score = note->best = whole(hzi_answer_value(&e->judgement, &chosen));
        }
        if (draws && !chosen.pass && !chosen.turn.took_king) {
            status = draw_candidates(e, question, chosen.search, reply, note, err);
        }
    }
    return status;
}

static hz_status ask_outside(explorer *e, const hz_match_question *question, hz_match_reply *reply,
                             hzi_note *note, hz_error *err) {
    hz_status status = e->outside.ask(&e->outside, question, reply, err);
    if (status == HZ_OK && reply->has_score) {
        note->flags = HZI_ROW_SCORED;
        note->score = note->best = reply->score;
    }
    return status;
}

static hz_status ask(hz_match_player *player, const hz_match_question *question,
                     hz_match_reply *reply, hz_error *err) {
    explorer *e = player->state;
    const hzi_exploration *how = e->how;
    bool draws = how->temperature > 0.0 && question->ply < how->temperature_plies;
    hzi_note note = {0};
    hz_error why = {0};
    hz_status status;
    if (question->ply < how->random_plies) {
        status = play_any(question, reply, &note, &why);
    } else if (e->outside.ask) {
        status = ask_outside(e, question, reply, &note, &why);
    } else if (draws && e->judges && e->judgement.depth == 1) {
        status = draw_results(e, question, reply, &note, &why);
    } else {
        status = ask_bot(e, question, draws, reply, &note, &why);
    }
    if (status != HZ_OK) {
        return hz_fail(err, status, HZ_NO_OFFSET, "%.60s: %.800s", e->name, why.message);
    }
    reply->has_score = (note.flags & HZI_ROW_SCORED) != 0;
    reply->score = note.score;
    return put_note(e->notes, question->ply, note, err);
}

static hz_status start(hz_match_player *player, hz_error *err) {
    explorer *e = player->state;
    e->outside.cancel = player->cancel;
    return e->outside.start ? e->outside.start(&e->outside, err) : HZ_OK;
}

static void close(hz_match_player *player) {
    explorer *e = player->state;
    hz_bot_close(&e->bot);
    hz_match_player_close(&e->outside);
    free(e);
}

/* ---- opening ---- */

static bool is_outside(const char *text) {
    return strncasecmp(text, "uci:", 4) == 0 || strncasecmp(text, "http://", 7) == 0 ||
           strncasecmp(text, "https://", 8) == 0;
}

hz_status hzi_explorer_open(const char *text, hz_registry *registry, const hzi_exploration *how,
                            hzi_notes *notes, hz_match_player *player, hz_error *err) {
    size_t length = strlen(text) + 1;
    explorer *e = calloc(1, sizeof *e + length);
    if (!e) {
        return no_memory(err);
    }
    memcpy(e->name, text, length);
    e->how = how;
    e->notes = notes;
    bool outside = is_outside(text);
    hz_status status = outside
                           ? hz_match_player_open(text, HZ_MATCH_DICE, registry, &e->outside, err)
                           : hz_registry_open(registry, text, &e->bot, err);
    if (status != HZ_OK) {
        free(e);
        return status;
    }
    e->judges =
        !outside && hz_bot_judge(&e->bot, &e->judgement) && e->judgement.judge.score_batch != NULL;
    if (how->temperature > 0.0 && !e->judges) {
        hz_bot_close(&e->bot);
        hz_match_player_close(&e->outside);
        free(e);
        return hz_fail(err, HZ_BAD_OPTION, HZ_NO_OFFSET,
                       "%.200s has no values to draw turns by; it plays without a temperature",
                       text);
    }
    *player = (hz_match_player){.name = e->name,
                                .state = e,
                                .searching = outside ? e->outside.searching : e->bot.info->timed,
                                .self_managing = e->outside.self_managing,
                                .ask = ask,
                                .start = outside ? start : NULL,
                                .close = close};
    return HZ_OK;
}
