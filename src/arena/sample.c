/* SPDX-License-Identifier: MIT */
/* Positions for probes; see sample.h. */
#include "arena/sample.h"

#include "arena/explorer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The stream that picks the positions of a game; not one of the players'. */
static const uint64_t PICK_TAG = 0x3C3C3C3C3C3C3C3C;

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for positions");
}

void hzi_sample_free(hzi_sample *sample) {
    free(sample->positions);
    *sample = (hzi_sample){0};
}

static hz_status add(hzi_sample *sample, const hz_position *position, hz_error *err) {
    if (sample->count >= HZI_SAMPLE_MAX) {
        return hz_fail(err, HZ_OPENINGS, HZ_NO_OFFSET, "more than %d positions",
                       (int)HZI_SAMPLE_MAX);
    }
    /* Full at every power of two. */
    if ((sample->count & (sample->count - 1)) == 0) {
        size_t capacity = sample->count ? 2 * sample->count : 1;
        hz_position *grown = realloc(sample->positions, capacity * sizeof *grown);
        if (!grown) {
            return no_memory(err);
        }
        sample->positions = grown;
    }
    sample->positions[sample->count++] = *position;
    return HZ_OK;
}

/* Whether there is something to choose. */
static hz_status has_choice(const hz_position *position, hz_arena *arena, bool *choice,
                            hz_error *err) {
    hz_result_list list;
    hz_arena_reset(arena);
    hz_status status = hz_results_list(position, NULL, arena, &list, err);
    *choice = status == HZ_OK && list.count > 1 && list.winning < 0;
    return status;
}

/* ---- out of games ---- */

typedef struct sampler {
    hz_referee *referee;
    hz_match_player player;
    hz_arena lists;
    hzi_notes notes;
} sampler;

/* Keeps some of a game's positions, each as likely as every other. */
static hz_status pick(sampler *s, uint64_t seed, const hz_position *start,
                      const hz_match_game_result *result, size_t count, hzi_sample *sample,
                      hz_error *err) {
    hz_random random = hz_random_from_seed(hz_random_mix(seed ^ PICK_TAG));
    hz_position position = *start, kept[HZI_SAMPLE_PER_GAME];
    uint32_t seen = 0;
    hz_status status = HZ_OK;
    for (size_t i = 0; i < result->turn_count && status == HZ_OK; i++) {
        const hz_match_turn *turn = &result->turns[i];
        bool choice = false;
        hz_position_set_pool(&position, turn->roll);
        if (i >= HZI_SAMPLE_PLIES && turn->turn.count > 0) {
            status = has_choice(&position, &s->lists, &choice, err);
        }
        if (choice) {
            uint32_t at = seen < HZI_SAMPLE_PER_GAME ? seen : hz_random_draw(&random, seen + 1);
            if (at < HZI_SAMPLE_PER_GAME) {
                kept[at] = position;
            }
            seen++;
        }
        for (int k = 0; k < turn->turn.count; k++) {
            (void)hz_position_play(&position, turn->turn.moves[k]);
        }
        hz_hand_over(&position);
    }
    for (uint32_t i = 0; i < seen && i < HZI_SAMPLE_PER_GAME; i++) {
        if (status == HZ_OK && sample->count < count) {
            status = add(sample, &kept[i], err);
        }
    }
    return status;
}

static hz_status play(sampler *s, uint64_t seed, const hz_cancel *cancel, size_t count,
                      hzi_sample *sample, hz_error *err) {
    hz_match_rules rules = hz_match_rules_default();
    hz_record usual;
    hz_match_game_result result;
    hz_record_init(&usual);
    rules.cancel = cancel;
    const hz_match_game_setup setup = {.start = &usual.start,
                                       .players = {&s->player, &s->player},
                                       .dice_seed = seed,
                                       .stream_seed = seed,
                                       .game_number = seed};
    hz_status status = hz_referee_play(s->referee, &rules, &setup, &result, err);
    if (status == HZ_OK && result.fault != HZ_FAULT_NONE) {
        char end[HZ_MATCH_END_CAPACITY];
        return hz_fail(err, HZ_PLAYER, HZ_NO_OFFSET,
                       "%.200s has no valid answer (%s) in game %" PRIu64, s->player.name,
                       hz_match_end_text(result.end, result.http_status, end), seed);
    }
    return status == HZ_OK ? pick(s, seed, &usual.start, &result, count, sample, err) : status;
}

hz_status hzi_sample_play(const char *bot, hz_registry *registry, uint64_t seed, size_t count,
                          const hz_cancel *cancel, void (*progress)(void *context, uint64_t done),
                          void *progress_context, hzi_sample *sample, hz_error *err) {
    const hzi_exploration how = {.random_plies = HZI_SAMPLE_PLIES};
    sampler s = {.referee = hz_referee_new()};
    *sample = (hzi_sample){0};
    hz_status status = !s.referee ? no_memory(err)
                       : count < 1 || count > HZI_SAMPLE_MAX
                           ? hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                                     "positions: 1 to %d are allowed", (int)HZI_SAMPLE_MAX)
                           : hzi_explorer_open(bot, registry, &how, &s.notes, &s.player, err);
    s.player.cancel = cancel;
    if (status == HZ_OK && s.player.start) {
        status = s.player.start(&s.player, err);
    }
    /* Some bots may never leave a choice. */
    for (uint64_t game = 0; status == HZ_OK && sample->count < count; game++) {
        if (game > 100 * (uint64_t)count) {
            status = hz_fail(err, HZ_INCOMPLETE, HZ_NO_OFFSET,
                             "%" PRIu64 " games had only %zu positions with a choice", game,
                             sample->count);
            break;
        }
        hzi_notes_clear(&s.notes);
        status = play(&s, seed + game, cancel, count, sample, err);
        if (progress) {
            progress(progress_context, sample->count);
        }
    }
    hz_match_player_close(&s.player);
    hz_referee_free(s.referee);
    hz_arena_fini(&s.lists);
    hzi_notes_free(&s.notes);
    if (status != HZ_OK) {
        hzi_sample_free(sample);
    }
    return status;
}

/* ---- out of a file ---- */

static hz_status bad_line(hz_error *err, const hz_error *why, size_t line, size_t column,
                          size_t offset) {
    if (why->code == HZ_NO_MEMORY) {
        return no_memory(err);
    }
    (void)hz_fail(err, HZ_OPENINGS, offset, "line %zu, column %zu: %.900s", line, column,
                  why->message);
    if (err) {
        err->line = (uint32_t)line;
        err->column = (uint32_t)column;
    }
    return HZ_OPENINGS;
}

static hz_status read_lines(const char *text, size_t length, uint64_t seed, hzi_sample *sample,
                            hz_error *err) {
    hz_status status = HZ_OK;
    size_t line = 0;
    for (size_t begin = 0; begin < length && status == HZ_OK;) {
        const char *end = memchr(text + begin, '\n', length - begin);
        size_t whole = end ? (size_t)(end - text) - begin : length - begin, used = whole;
        line++;
        while (used > 0 && (text[begin + used - 1] == '\r' || text[begin + used - 1] == ' ')) {
            used--;
        }
        if (used > 0 && text[begin] != '#') {
            hz_position position;
            hz_error why;
            if (hz_position_from_dfen(&position, text + begin, used, &why) != HZ_OK) {
                size_t at = why.offset < used ? why.offset : 0;
                return bad_line(err, &why, line, at + 1, begin + at);
            }
            if (position.pool == 0) {
                hz_position_set_pool(&position, hz_roll_at(seed, sample->count));
            }
            status = add(sample, &position, err);
        }
        begin += whole + 1;
    }
    return status;
}

static hz_status read_game(const hz_record *record, hz_arena *lists, hzi_sample *sample,
                           hz_error *err) {
    hz_position position = record->start;
    hz_status status = HZ_OK;
    for (size_t i = 0; i < record->turn_count && status == HZ_OK; i++) {
        const hz_record_turn *turn = &record->turns[i];
        bool choice = false;
        hz_position_set_pool(&position, turn->roll);
        status = has_choice(&position, lists, &choice, err);
        if (choice) {
            status = add(sample, &position, err);
        }
        for (int k = 0; k < turn->turn.count; k++) {
            (void)hz_position_play(&position, turn->turn.moves[k]);
        }
        hz_hand_over(&position);
    }
    return status;
}

static hz_status read_games(const char *text, size_t length, hzi_sample *sample, hz_error *err) {
    hz_record_reader *reader = malloc(sizeof *reader);
    hz_arena arena = {0}, lists = {0};
    hz_status status = HZ_OK;
    if (!reader) {
        return no_memory(err);
    }
    hz_record_reader_init_text(reader, text, length);
    while (status == HZ_OK) {
        hz_record record;
        hz_error why;
        hz_arena_reset(&arena);
        hz_status got = hz_record_read(reader, &arena, &record, &why);
        if (got == HZ_NOT_FOUND) {
            break;
        }
        status = got == HZ_OK ? read_game(&record, &lists, sample, err)
                              : bad_line(err, &why, why.line, why.column, why.offset);
    }
    hz_arena_fini(&arena);
    hz_arena_fini(&lists);
    free(reader);
    return status;
}

hz_status hzi_sample_read(const char *text, size_t length, uint64_t seed, hzi_sample *sample,
                          hz_error *err) {
    *sample = (hzi_sample){0};
    hz_status status = length > 0 && text[0] == '[' ? read_games(text, length, sample, err)
                                                    : read_lines(text, length, seed, sample, err);
    if (status == HZ_OK && sample->count == 0) {
        status = hz_fail(err, HZ_OPENINGS, HZ_NO_OFFSET, "there is no position in the text");
    }
    if (status != HZ_OK) {
        hzi_sample_free(sample);
    }
    return status;
}
