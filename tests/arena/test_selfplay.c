/* SPDX-License-Identifier: MIT */
/* Self-play: the output is a function of the settings alone, and the turns are drawn as promised. */
#include "arena/selfplaying.h"

#include <hazard/odds.h>
#include <math.h>

/* ---- the same bytes ---- */

static void any_number_of_threads_makes_the_same_bytes(void **state) {
    (void)state;
    for (int format = 0; format < 2; format++) {
        playing p;
        playing_begin(&p, "aggressive");
        p.players[1] = "greedy-v2";
        p.config.player_count = 2;
        p.config.format = (hzi_selfplay_format)format;
        p.config.games = 43;
        p.config.how = (hzi_exploration){4, 25.0, 30};
        playing_must_run(&p);
        hzi_text once = p.out;
        p.out = (hzi_text){0};
        p.config.threads = 5;
        playing_must_run(&p);
        assert_int_equal(p.out.length, once.length);
        assert_memory_equal(p.out.bytes, once.bytes, once.length);
        assert_int_equal(p.counts.games, 43);
        hzi_text_fini(&once);
        playing_end(&p);
    }
}

static void run_cut_anywhere_and_resumed_makes_the_same_file(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (int format = 0; format < 2; format++) {
        playing p;
        playing_begin(&p, "greedy");
        playing_to_file(&p);
        p.config.format = (hzi_selfplay_format)format;
        p.config.games = 37;
        p.config.how.random_plies = 5;
        playing_must_run(&p);
        hzi_text whole = file_bytes(p.path);
        p.config.resume = true;
        for (size_t i = 0; i < test_effort(25); i++) {
            size_t length =
                i < 3 ? i * whole.length / 2 : hz_random_draw(&random, (uint32_t)whole.length);
            p.config.threads = 1 + hz_random_draw(&random, 3);
            file_write(p.path, whole.bytes, length);
            playing_must_run(&p);
            hzi_text again = file_bytes(p.path);
            if (again.length != whole.length ||
                memcmp(again.bytes, whole.bytes, whole.length) != 0) {
                fail_msg("cut at %zu of %zu, format %d: another file", length, whole.length,
                         format);
            }
            assert_int_equal(p.counts.games, 37);
            hzi_text_fini(&again);
        }
        hzi_text_fini(&whole);
        playing_end(&p);
    }
}

static void finished_file_grows_into_that_of_a_longer_run(void **state) {
    (void)state;
    for (int format = 0; format < 2; format++) {
        playing p;
        playing_begin(&p, "greedy");
        p.config.format = (hzi_selfplay_format)format;
        p.config.games = 50;
        playing_must_run(&p);
        hzi_text whole = p.out;
        p.out = (hzi_text){0};
        playing_to_file(&p);
        p.config.games = 20;
        playing_must_run(&p);
        p.config.resume = true;
        p.config.games = 50;
        playing_must_run(&p);
        hzi_text grown = file_bytes(p.path);
        assert_int_equal(grown.length, whole.length);
        assert_memory_equal(grown.bytes, whole.bytes, whole.length);
        assert_int_equal(p.counts.resumed, format == HZI_SELFPLAY_ROWS ? 16 : 20);
        hzi_text_fini(&grown);
        hzi_text_fini(&whole);
        playing_end(&p);
    }
}

static void file_of_another_run_is_refused_and_left_as_it_is(void **state) {
    (void)state;
    for (int format = 0; format < 2; format++) {
        playing p;
        playing_begin(&p, "greedy");
        playing_to_file(&p);
        p.config.format = (hzi_selfplay_format)format;
        playing_must_run(&p);
        hzi_text before = file_bytes(p.path);
        assert_int_equal(playing_run(&p), HZ_CONFLICT);
        p.config.resume = true;
        p.config.seed++;
        assert_int_equal(playing_run(&p), HZ_CHECKPOINT);
        p.config.seed--;
        p.players[0] = "aggressive";
        assert_int_equal(playing_run(&p), HZ_CHECKPOINT);
        p.players[0] = "greedy";
        p.config.how.random_plies = 1;
        assert_int_equal(playing_run(&p), HZ_CHECKPOINT);
        assert_non_null(strstr(p.err.message, "random-plies"));
        p.config.how.random_plies = 0;
        p.config.format = (hzi_selfplay_format)(1 - format);
        assert_int_equal(playing_run(&p), HZ_CHECKPOINT);
        hzi_text after = file_bytes(p.path);
        assert_int_equal(after.length, before.length);
        assert_memory_equal(after.bytes, before.bytes, before.length);
        hzi_text_fini(&after);
        hzi_text_fini(&before);
        playing_end(&p);
    }
}

static void damage_before_the_end_is_refused(void **state) {
    (void)state;
    for (int format = 0; format < 2; format++) {
        playing p;
        playing_begin(&p, "greedy");
        playing_to_file(&p);
        p.config.format = (hzi_selfplay_format)format;
        p.config.games = 40;
        playing_must_run(&p);
        hzi_text bytes = file_bytes(p.path);
        bytes.bytes[bytes.length / 2] = '\x01';
        file_write(p.path, bytes.bytes, bytes.length);
        p.config.resume = true;
        assert_int_equal(playing_run(&p), HZ_CHECKPOINT);
        hzi_text_fini(&bytes);
        playing_end(&p);
    }
}

/* ---- the games ---- */

/* Every game is canonical, follows the rules and the dice of its seed. */
static void read_games(const playing *p, void (*look)(const hz_record *record, size_t game)) {
    hz_record_reader *reader = malloc(sizeof *reader);
    hz_arena arena = {0};
    hz_record record;
    hz_error err;
    size_t game = 0;
    assert_non_null(reader);
    hz_record_reader_init_text(reader, p->out.bytes, p->out.length);
    for (; hz_record_read(reader, &arena, &record, &err) == HZ_OK; game++) {
        if (hz_record_replay(&record, true, NULL, NULL, NULL, &err) != HZ_OK) {
            fail_msg("game %zu: %s", game + 1, err.message);
        }
        assert_int_equal(record.seed, p->config.seed + game);
        if (look) {
            look(&record, game);
        }
        hz_arena_reset(&arena);
    }
    assert_int_equal(err.code, HZ_NOT_FOUND);
    assert_int_equal(game, p->config.games);
    hz_arena_fini(&arena);
    free(reader);
}

static void look_at_pool(const hz_record *record, size_t game) {
    static const char *const players[] = {"greedy", "random", "aggressive"};
    assert_string_equal(record->players[HZ_WHITE], players[game % 9 / 3]);
    assert_string_equal(record->players[HZ_BLACK], players[game % 3]);
}

static void pool_plays_every_pairing_with_both_colours(void **state) {
    (void)state;
    playing p;
    playing_begin(&p, "greedy");
    p.players[1] = "random";
    p.players[2] = "aggressive";
    p.config.player_count = 3;
    p.config.games = 20;
    playing_must_run(&p);
    read_games(&p, look_at_pool);
    playing_end(&p);
}

/* Without random turns and temperature the bot's own choice is played, stream included. */
static void look_at_own_choices(const hz_record *record, size_t game) {
    (void)game;
    hz_registry *registry = hz_registry_new();
    hz_bot bot;
    hz_error err;
    hz_arena arena = {0};
    assert_non_null(registry);
    assert_int_equal(hz_registry_open(registry, "greedy", &bot, &err), HZ_OK);
    hz_random streams[2] = {hz_random_from_seed(hz_random_mix(record->seed ^ 0xA5A5A5A5A5A5A5A5)),
                            hz_random_from_seed(hz_random_mix(record->seed ^ 0x5A5A5A5A5A5A5A5A))};
    hz_position position = record->start;
    for (size_t i = 0; i < record->turn_count; i++) {
        const hz_record_turn *turn = &record->turns[i];
        hz_position_set_pool(&position, turn->roll);
        if (turn->turn.count > 0) {
            hz_bot_answer answer;
            hz_arena_reset(&arena);
            const hz_bot_request request = {
                .position = &position, .random = &streams[position.side], .arena = &arena};
            assert_int_equal(hz_bot_choose(&bot, &request, &answer, &err), HZ_OK);
            assert_int_equal(hz_turn_text_order(&answer.turn), hz_turn_text_order(&turn->turn));
            assert_true(turn->has_score);
            assert_int_equal(turn->score, answer.score);
        }
        for (int k = 0; k < turn->turn.count; k++) {
            (void)hz_position_play(&position, turn->turn.moves[k]);
        }
        hz_hand_over(&position);
    }
    hz_arena_fini(&arena);
    hz_bot_close(&bot);
    hz_registry_free(registry);
}

static void without_exploring_the_bots_own_choices_are_played(void **state) {
    (void)state;
    playing p;
    playing_begin(&p, "greedy");
    p.config.seed = test_seed() >> 1;
    playing_must_run(&p);
    read_games(&p, look_at_own_choices);
    assert_int_equal(p.counts.openings + p.counts.drawn, 0);
    playing_end(&p);
}

static void opening_is_random_and_spares_the_king(void **state) {
    (void)state;
    playing p;
    playing_begin(&p, "checkmate-aware");
    p.config.format = HZI_SELFPLAY_ROWS;
    p.config.games = test_effort(200);
    p.config.how.random_plies = 9;
    playing_must_run(&p);
    dripping d = {p.out.bytes, p.out.length, 0};
    hzi_rows_reader *reader;
    hzi_rows_block block;
    hz_arena arena = {0};
    size_t random_turns = 0, could_win = 0;
    assert_int_equal(hzi_rows_open(drip, &d, &reader, &p.err), HZ_OK);
    while (hzi_rows_next(reader, &block, &p.err) == HZ_OK) {
        for (size_t i = 0; i < block.count; i++) {
            const hzi_row *row = &block.rows[i];
            bool random = (row->flags & HZI_ROW_OPENING) != 0;
            assert_int_equal(random, row->ply < 9 && row->turn.count > 0);
            random_turns += random;
            if (random) {
                hz_result_list list;
                hz_arena_reset(&arena);
                assert_int_equal(hz_results_list(&row->position, NULL, &arena, &list, &p.err),
                                 HZ_OK);
                could_win += list.winning >= 0;
                assert_int_equal(row->turn.took_king, list.winning >= 0 && list.count == 1);
            }
        }
    }
    assert_int_equal(p.err.code, HZ_NOT_FOUND);
    assert_int_equal(random_turns, p.counts.openings);
    test_met(could_win > 0);
    hzi_rows_close(reader);
    hz_arena_fini(&arena);
    playing_end(&p);
}

/* ---- temperature ---- */

/* A bot whose judge likes some results: 0 for most, fixed values for a few. */
static hz_status judge_three(void *state, const hz_position *positions, size_t n, hz_color color,
                             int32_t *scores, size_t *done, hz_error *err) {
    (void)state, (void)err, (void)color;
    for (size_t i = 0; i < n; i++) {
        /* The lone pawn of the test can go to three ranks. */
        int rank = 0;
        while (rank < 8 && !(positions[i].pieces[HZ_PAWN] >> (8 * rank) & 0xFF)) {
            rank++;
        }
        scores[i] = rank == 2 ? 0 : rank == 3 ? 100 : 200;
    }
    *done = n;
    return HZ_OK;
}

static bool three_judge(void *state, hz_bot_judgement *judgement) {
    (void)state;
    *judgement = (hz_bot_judgement){
        .judge = {NULL, judge_three}, .depth = 1, .win = 1000, .loss = -1000, .name = "three"};
    return true;
}

static hz_status three_choose(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                              hz_error *err) {
    (void)state, (void)request, (void)answer;
    return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "three is not asked");
}

static void results_are_drawn_with_the_chances_of_their_values(void **state) {
    (void)state;
    static const hz_bot_info info = {"three", "three", "for a test", 1, false, false};
    const hz_bot bot = {.info = &info, .choose = three_choose, .judge = three_judge};
    hz_registry *registry = hz_registry_new();
    hz_registration *handle;
    hz_error err;
    assert_int_equal(hz_registry_register(registry, &bot, &handle, &err), HZ_OK);
    const hzi_exploration how = {0, 80.0, 1000};
    hzi_notes notes = {0};
    hz_match_player player;
    assert_int_equal(hzi_explorer_open("three", registry, &how, &notes, &player, &err), HZ_OK);
    /* e2e3, e2e4 with the remaining steps: with one pawn die two results. */
    hz_position position = test_position("7k/8/8/8/8/8/4P3/7K w - - 0 1 P");
    hz_random random = hz_random_from_seed(test_seed());
    hz_arena arena = {0};
    size_t n = test_effort(4000), far = 0;
    for (size_t i = 0; i < n; i++) {
        hz_match_reply reply = {0};
        const hz_match_question question = {
            .position = &position, .ply = 5, .random = &random, .arena = &arena};
        hz_arena_reset(&arena);
        assert_int_equal(player.ask(&player, &question, &reply, &err), HZ_OK);
        assert_int_equal(reply.turn.count, 1);
        bool is_far = hz_move_to(reply.turn.moves[0]) == 28;
        far += is_far;
        hzi_note note = hzi_note_at(&notes, 5);
        assert_int_equal(note.flags, HZI_ROW_SCORED | HZI_ROW_DRAWN);
        assert_int_equal(note.best, 100);
        assert_int_equal(note.score, is_far ? 100 : 0);
    }
    double chance = 1.0 / (1.0 + exp(-100.0 / 80.0));
    double seen = (double)far / (double)n, sd = sqrt(chance * (1 - chance) / (double)n);
    if (fabs(seen - chance) > 5.0 * sd) {
        fail_msg("drawn in %.4f of %zu cases, expected %.4f", seen, n, chance);
    }
    hz_match_player_close(&player);
    hzi_notes_free(&notes);
    hz_arena_fini(&arena);
    hz_registration_close(handle);
    hz_registry_free(registry);
}

static void king_that_can_be_taken_is_taken_at_any_temperature(void **state) {
    (void)state;
    static const char *const bots[] = {"greedy", "expectimax:limit=2,nopruning=1"};
    for (size_t i = 0; i < 2; i++) {
        playing p;
        playing_begin(&p, bots[i]);
        p.config.format = HZI_SELFPLAY_ROWS;
        p.config.games = i == 0 ? 40 : 3;
        p.config.how.temperature = 1e6;
        playing_must_run(&p);
        dripping d = {p.out.bytes, p.out.length, 0};
        hzi_rows_reader *reader;
        hzi_rows_block block;
        size_t drawn = 0, worse = 0;
        assert_int_equal(hzi_rows_open(drip, &d, &reader, &p.err), HZ_OK);
        while (hzi_rows_next(reader, &block, &p.err) == HZ_OK) {
            for (size_t k = 0; k < block.count; k++) {
                const hzi_row *row = &block.rows[k];
                bool has_roll = false;
                hz_roll_set kings =
                    hz_odds_king(&row->position, (hz_color)(1 - row->position.side));
                for (int r = 0; r < HZ_ROLLS; r++) {
                    has_roll |= hz_rolls[r].pool == row->position.pool && (kings >> r & 1);
                }
                assert_int_equal(row->turn.took_king, has_roll);
                assert_true(row->best >= row->score);
                drawn += (row->flags & HZI_ROW_DRAWN) != 0;
                worse += row->best > row->score;
            }
        }
        assert_int_equal(drawn, p.counts.drawn);
        test_met(worse > 0);
        hzi_rows_close(reader);
        playing_end(&p);
    }
}

static void rows_say_what_the_records_say(void **state) {
    (void)state;
    playing p;
    playing_begin(&p, "aggressive");
    p.config.how = (hzi_exploration){2, 40.0, 20};
    p.config.games = 20;
    playing_must_run(&p);
    hzi_text records = p.out;
    p.out = (hzi_text){0};
    p.config.format = HZI_SELFPLAY_ROWS;
    playing_must_run(&p);
    hz_record_reader *games = malloc(sizeof *games);
    hz_arena arena = {0};
    assert_non_null(games);
    hz_record_reader_init_text(games, records.bytes, records.length);
    dripping d = {p.out.bytes, p.out.length, 0};
    hzi_rows_reader *reader;
    hzi_rows_block block;
    assert_int_equal(hzi_rows_open(drip, &d, &reader, &p.err), HZ_OK);
    size_t rows = 0;
    while (hzi_rows_next(reader, &block, &p.err) == HZ_OK) {
        const hzi_row *row = block.rows;
        for (uint32_t g = 0; g < block.games; g++) {
            hz_record record;
            hz_arena_reset(&arena);
            assert_int_equal(hz_record_read(games, &arena, &record, &p.err), HZ_OK);
            for (size_t i = 0; i < record.turn_count; i++, row++, rows++) {
                char odds[64];
                (void)snprintf(odds, sizeof odds, "own %u enemy %u", (unsigned)row->own_216,
                               (unsigned)row->enemy_216);
                assert_int_equal(row->ply, i);
                assert_int_equal(row->left, record.turn_count - 1 - i);
                assert_int_equal(row->position.pool, record.turns[i].roll);
                assert_int_equal(hz_turn_text_order(&row->turn),
                                 hz_turn_text_order(&record.turns[i].turn));
                assert_int_equal((row->flags & HZI_ROW_SCORED) != 0, record.turns[i].has_score);
                assert_int_equal(row->score, record.turns[i].score);
                assert_memory_equal(record.turns[i].comment, odds, strlen(odds));
                hz_game_outcome mine =
                    row->position.side == HZ_WHITE ? HZ_OUTCOME_WHITE : HZ_OUTCOME_BLACK;
                assert_int_equal(row->result, record.outcome == HZ_OUTCOME_DRAW ? 0
                                              : record.outcome == mine          ? 1
                                                                                : -1);
            }
        }
    }
    assert_int_equal(rows, p.counts.rows);
    assert_true(rows > 100);
    hzi_rows_close(reader);
    hz_arena_fini(&arena);
    free(games);
    hzi_text_fini(&records);
    playing_end(&p);
}

/* ---- what is refused ---- */

static void what_cannot_be_played_is_refused_by_name(void **state) {
    (void)state;
    playing p;
    playing_begin(&p, "random");
    p.config.how.temperature = 1.0;
    assert_int_equal(playing_run(&p), HZ_BAD_OPTION);
    assert_non_null(strstr(p.err.message, "random"));
    p.config.how.temperature = -1.0;
    assert_int_equal(playing_run(&p), HZ_INVALID_ARGUMENT);
    p.config.how.temperature = (double)NAN;
    assert_int_equal(playing_run(&p), HZ_INVALID_ARGUMENT);
    p.config.how.temperature = 0.0;
    p.config.max_plies = 0;
    assert_int_equal(playing_run(&p), HZ_INVALID_ARGUMENT);
    p.config.max_plies = 10;
    p.players[0] = "no-such-bot";
    assert_int_equal(playing_run(&p), HZ_UNKNOWN_BOT);
    assert_int_equal(p.out.length, 0);
    playing_end(&p);
}

static hz_status break_down(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                            hz_error *err) {
    (void)state, (void)request, (void)answer;
    return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "the model broke");
}

static void failing_bot_ends_the_run_and_names_the_game(void **state) {
    (void)state;
    static const hz_bot_info info = {"broken", "broken", "for a test", 1, false, false};
    const hz_bot bot = {.info = &info, .choose = break_down};
    playing p;
    hz_registration *handle;
    playing_begin(&p, "broken");
    assert_int_equal(hz_registry_register(p.registry, &bot, &handle, &p.err), HZ_OK);
    assert_int_equal(playing_run(&p), HZ_MODEL_RUN);
    assert_non_null(strstr(p.err.message, "game 1: broken: the model broke"));
    hz_registration_close(handle);
    playing_end(&p);
}

static bool sink_of_limited_size(void *context, const char *bytes, size_t length) {
    size_t *room = context;
    (void)bytes;
    if (length > *room) {
        return false;
    }
    *room -= length;
    return true;
}

static void output_that_fails_ends_the_run(void **state) {
    (void)state;
    playing p;
    size_t room = 3000;
    playing_begin(&p, "greedy");
    p.config.sink = sink_of_limited_size;
    p.config.sink_context = &room;
    p.config.games = 100;
    p.config.threads = 3;
    assert_int_equal(playing_run(&p), HZ_IO);
    assert_true(p.counts.games < 100);
    playing_end(&p);
}

static void cancelled_run_keeps_whole_games_and_can_go_on(void **state) {
    (void)state;
    playing p;
    hz_cancel cancel = {0};
    playing_begin(&p, "greedy");
    playing_to_file(&p);
    p.config.games = 30;
    p.config.cancel = &cancel;
    hz_cancel_request(&cancel);
    assert_int_equal(playing_run(&p), HZ_CANCELLED);
    hz_cancel_clear(&cancel);
    p.config.resume = true;
    playing_must_run(&p);
    assert_int_equal(p.counts.games, 30);
    playing_end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_makes_the_same_bytes),
        cmocka_unit_test(run_cut_anywhere_and_resumed_makes_the_same_file),
        cmocka_unit_test(finished_file_grows_into_that_of_a_longer_run),
        cmocka_unit_test(file_of_another_run_is_refused_and_left_as_it_is),
        cmocka_unit_test(damage_before_the_end_is_refused),
        cmocka_unit_test(pool_plays_every_pairing_with_both_colours),
        cmocka_unit_test(without_exploring_the_bots_own_choices_are_played),
        cmocka_unit_test(opening_is_random_and_spares_the_king),
        cmocka_unit_test(results_are_drawn_with_the_chances_of_their_values),
        cmocka_unit_test(king_that_can_be_taken_is_taken_at_any_temperature),
        cmocka_unit_test(rows_say_what_the_records_say),
        cmocka_unit_test(what_cannot_be_played_is_refused_by_name),
        cmocka_unit_test(failing_bot_ends_the_run_and_names_the_game),
        cmocka_unit_test(output_that_fails_ends_the_run),
        cmocka_unit_test(cancelled_run_keeps_whole_games_and_can_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
