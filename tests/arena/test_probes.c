/* SPDX-License-Identifier: MIT */
/* Probes: positions to ask about, bots that are told what to answer, and the three questions with what
 * must come of them. */
#include "arena/probe.h"
#include "arena/sample.h"

#include "arena/locales.h"
#include "bots/models.h"
#include "support/positions.h"

#include <math.h>

static hz_registry *all_bots(void) {
    hz_registry *registry = hz_registry_new();
    assert_non_null(registry);
    assert_int_equal(hz_registry_register_kinds(registry, NULL), HZ_OK);
    return registry;
}

static hzi_sample sampled(hz_registry *registry, uint64_t seed, size_t count) {
    hzi_sample sample;
    hz_error err;
    if (hzi_sample_play("greedy", registry, seed, count, NULL, NULL, NULL, &sample, &err) !=
        HZ_OK) {
        fail_msg("%s", err.message);
    }
    return sample;
}

/* ---- positions ---- */

static void sampled_positions_have_a_choice_and_repeat_by_their_seed(void **state) {
    (void)state;
    hz_registry *registry = all_bots();
    hz_arena arena = {0};
    hz_error err;
    uint64_t seed = test_seed() >> 1;
    hzi_sample one = sampled(registry, seed, 60), again = sampled(registry, seed, 60);
    hzi_sample other = sampled(registry, seed + 1000000, 60);
    size_t same = 0;
    assert_int_equal(one.count, 60);
    for (size_t i = 0; i < one.count; i++) {
        hz_result_list list;
        hz_arena_reset(&arena);
        assert_int_equal(hz_pool_size(one.positions[i].pool), 3);
        assert_int_equal(hz_results_list(&one.positions[i], NULL, &arena, &list, &err), HZ_OK);
        assert_true(list.count > 1 && list.winning < 0);
        assert_true(test_same_position(&one.positions[i], &again.positions[i]));
        same += test_same_position(&one.positions[i], &other.positions[i]);
    }
    assert_true(same < 10);
    hzi_sample_free(&one);
    hzi_sample_free(&again);
    hzi_sample_free(&other);
    hz_arena_fini(&arena);
    hz_registry_free(registry);
}

static void positions_of_a_text_are_read_and_bad_lines_named(void **state) {
    (void)state;
    static const char text[] = "# two positions\n"
                               "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 PKK\r\n"
                               "\n"
                               "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    hzi_sample sample;
    hz_error err;
    assert_int_equal(hzi_sample_read(text, sizeof text - 1, 42, &sample, &err), HZ_OK);
    assert_int_equal(sample.count, 2);
    char letters[4];
    hz_pool_to_text(sample.positions[0].pool, HZ_WHITE, letters);
    assert_string_equal(letters, "PKK");
    assert_int_equal(sample.positions[1].pool, hz_roll_at(42, 1));
    hzi_sample_free(&sample);
    static const char bad[] = "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n4k3/8/8/8/8/8/8/4K3 x - - 0 1\n";
    assert_int_equal(hzi_sample_read(bad, sizeof bad - 1, 0, &sample, &err), HZ_OPENINGS);
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 21);
    assert_int_equal(bad[err.offset], 'x');
    assert_int_equal(hzi_sample_read("# nothing\n", 10, 0, &sample, &err), HZ_OPENINGS);
    assert_int_equal(hzi_sample_read("[HazardRecord \"2\"]\n", 19, 0, &sample, &err), HZ_OPENINGS);
    assert_int_equal(err.line, 1);
    static const char game[] = "[HazardRecord \"1\"]\n[White \"w\"]\n[Black \"b\"]\n"
                               "[Start \"4k3/8/8/8/8/8/8/4R1K1 w - - 0 1\"]\n[Result \"1-0\"]\n"
                               "[Reason \"king\"]\n\n1. NNK g1g2\n1... nnb -\n2. NNR e1e8\n1-0\n";
    assert_int_equal(hzi_sample_read(game, sizeof game - 1, 0, &sample, &err), HZ_OK);
    assert_int_equal(sample.count, 1); /* a pass and a king to take leave no choice */
    hzi_sample_free(&sample);
}

/* ---- asking ---- */

typedef struct seen {
    size_t count;
    hzi_probe_item *items;
} seen;

static hz_status see(void *context, const hzi_probe_item *item, hz_error *err) {
    seen *s = context;
    (void)err;
    assert_int_equal(item->index, s->count);
    s->items[s->count++] = *item;
    return HZ_OK;
}

static void item_comes_back_from_its_line_bit_by_bit(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (int i = 0; i < 200; i++) {
        hzi_probe_item item = {.index = (uint64_t)i, .results = hz_random_draw(&random, 10000)};
        hzi_probe_item back;
        hzi_text line = {0};
        for (int side = 0; side < 2; side++) {
            hzi_probe_answer *a = &item.answers[side];
            a->turn.count = (uint8_t)hz_random_draw(&random, 4);
            for (int k = 0; k < a->turn.count; k++) {
                a->turn.moves[k] = (hz_move)(1 + hz_random_draw(&random, 65535));
            }
            a->turn.took_king = hz_random_draw(&random, 2) != 0;
            a->legal = hz_random_draw(&random, 2) != 0;
            a->score = (int32_t)hz_random_draw(&random, UINT32_MAX);
            a->value = i == 0 ? (double)NAN : (double)hz_random_draw(&random, UINT32_MAX) / 7.0;
            a->sum = -(int64_t)hz_random_draw(&random, UINT32_MAX) * 1000003;
            a->ns = hz_random_draw(&random, UINT32_MAX);
        }
        hzi_moments_add(&item.values, item.answers[0].value, 1.0 / 3.0);
        hzi_probe_item_put(&item, &line);
        assert_true(hzi_probe_item_read(line.bytes, line.length, &back));
        for (int side = 0; side < 2; side++) {
            const hzi_probe_answer *a = &item.answers[side], *b = &back.answers[side];
            assert_memory_equal(a->turn.moves, b->turn.moves, sizeof a->turn.moves);
            assert_true(a->turn.count == b->turn.count && a->turn.took_king == b->turn.took_king);
            assert_true(a->legal == b->legal && a->score == b->score && a->sum == b->sum);
            assert_true(a->value == b->value || (isnan(a->value) && isnan(b->value)));
            assert_true(a->ns == b->ns);
        }
        assert_true(i == 0 || (item.values.square == back.values.square &&
                               item.values.absolute == back.values.absolute));
        /* A line that lost its end, or something within, is none. */
        size_t cut = 1 + hz_random_draw(&random, (uint32_t)line.length - 1);
        assert_false(hzi_probe_item_read(line.bytes, line.length - cut, &back));
        hzi_text_fini(&line);
    }
    hzi_probe_item back;
    static const char few[] = "{\"position\":0,\"results\":1}";
    assert_false(hzi_probe_item_read(few, sizeof few - 1, &back));
}

static void any_number_of_threads_sees_the_same(void **state) {
    (void)state;
    hz_registry *registry = all_bots();
    hzi_sample sample = sampled(registry, 5, 40);
    hz_error err;
    seen once = {0, calloc(40, sizeof(hzi_probe_item))};
    seen again = {0, calloc(40, sizeof(hzi_probe_item))};
    hzi_probe_config config = {.players = {"expectimax:limit=2", "aggressive"},
                               .registry = registry,
                               .count = sample.count,
                               .positions = sample.positions,
                               .seed = 9,
                               .repeats = 2,
                               .threads = 1};
    assert_int_equal(hzi_probe_run(&config, see, &once, &err), HZ_OK);
    config.threads = 4;
    assert_int_equal(hzi_probe_run(&config, see, &again, &err), HZ_OK);
    assert_int_equal(again.count, 40);
    for (size_t i = 0; i < 40; i++) {
        for (int side = 0; side < 2; side++) {
            const hzi_probe_answer *a = &once.items[i].answers[side];
            const hzi_probe_answer *b = &again.items[i].answers[side];
            assert_int_equal(hz_turn_text_order(&a->turn), hz_turn_text_order(&b->turn));
            assert_int_equal(a->score, b->score);
            assert_true(a->value == b->value && a->legal && b->legal);
            assert_int_equal(a->searched, side == 0);
        }
        assert_int_equal(once.items[i].same, again.items[i].same);
    }
    free(once.items);
    free(again.items);
    hzi_sample_free(&sample);
    hz_registry_free(registry);
}

/* Plays the first or the last result, with a score of its own. */
typedef struct puppet {
    hz_bot_info info;
    bool last;
    int32_t score;
} puppet;

static hz_status puppet_choose(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                               hz_error *err) {
    const puppet *p = state;
    hz_result_list list;
    hz_status status = hz_results_list(request->position, NULL, request->arena, &list, err);
    if (status == HZ_OK && list.count > 0) {
        answer->turn = list.results[p->last ? list.count - 1 : 0].turn;
        answer->score = p->score;
    } else {
        answer->pass = true;
    }
    return status;
}

static void register_puppet(hz_registry *registry, puppet *p, const char *id,
                            hz_registration **handle) {
    p->info = (hz_bot_info){.id = id, .display_name = id, .about = "told what to play", .level = 1};
    const hz_bot bot = {.info = &p->info, .state = p, .choose = puppet_choose};
    hz_error err;
    assert_int_equal(hz_registry_register(registry, &bot, handle, &err), HZ_OK);
}

static void models_are_compared_choice_by_choice(void **state) {
    (void)state;
    hz_registry *registry = all_bots();
    puppet first = {.score = 30}, last = {.last = true, .score = 10};
    hz_registration *handles[2];
    register_puppet(registry, &first, "first", &handles[0]);
    register_puppet(registry, &last, "last", &handles[1]);
    /* Two choices, one choice, none. */
    static const char text[] = "7k/8/8/8/8/8/4P3/7K w - - 0 1 P\n"
                               "7k/8/8/8/4p3/8/4P3/7K w - - 0 1 P\n"
                               "7k/8/8/8/8/8/8/7K w - - 0 1 PPP\n";
    hzi_sample sample;
    hzi_models models;
    hz_error err;
    assert_int_equal(hzi_sample_read(text, sizeof text - 1, 0, &sample, &err), HZ_OK);
    const hzi_probe_config config = {.players = {"first", "last"},
                                     .registry = registry,
                                     .count = sample.count,
                                     .positions = sample.positions,
                                     .threads = 1};
    assert_int_equal(hzi_models_run(&config, &models, &err), HZ_OK);
    assert_int_equal(models.positions, 3);
    assert_int_equal(models.same, 2);
    assert_int_equal(models.passes, 1);
    assert_int_equal(models.values.count, 2);
    assert_true(models.values.difference == 40.0 && models.values.largest == 20.0);
    assert_true(isnan(hzi_moments_correlation(&models.values)));
    assert_int_equal(models.illegal[0] + models.illegal[1], 0);
    hzi_sample_free(&sample);
    hz_registration_close(handles[0]);
    hz_registration_close(handles[1]);
    hz_registry_free(registry);
}

/* ---- recall ---- */

static void recall_tells_equal_turns_from_losses(void **state) {
    (void)state;
    hz_registry *registry = all_bots();
    hzi_sample sample = sampled(registry, test_seed() >> 1, 25);
    hzi_recall recall;
    hz_error err;
    const hzi_probe_config config = {.players = {"expectimax:limit=3", "expectimax:limit=1000000"},
                                     .registry = registry,
                                     .count = sample.count,
                                     .positions = sample.positions,
                                     .threads = 2};
    assert_int_equal(hzi_recall_run(&config, 3, &recall, &err), HZ_OK);
    assert_int_equal(recall.positions, 25);
    assert_true(recall.exposed > 0 && recall.exposed <= 25);
    /* Fewer candidates can only find less. */
    assert_int_equal(recall.better, 0);
    assert_int_equal(recall.same + recall.equal_score + recall.worse, recall.exposed);
    assert_int_equal(recall.loss.count, recall.worse);
    assert_int_equal(recall.results.count, 25);
    assert_true(recall.worse == 0 || recall.loss.p10 <= recall.loss.max);
    hzi_sample_free(&sample);
    hz_registry_free(registry);
}

static void limit_above_every_list_changes_nothing(void **state) {
    (void)state;
    hz_registry *registry = all_bots();
    hzi_sample sample = sampled(registry, 77, 6);
    hzi_recall recall;
    hz_error err;
    hzi_probe_config config = {.players = {"expectimax:limit=1000000", "expectimax:limit=1000000"},
                               .registry = registry,
                               .count = sample.count,
                               .positions = sample.positions,
                               .threads = 1};
    assert_int_equal(hzi_recall_run(&config, 1, &recall, &err), HZ_OK);
    assert_int_equal(recall.same, recall.exposed);
    config.players[0] = config.players[1] = "greedy";
    assert_int_equal(hzi_recall_run(&config, 1, &recall, &err), HZ_BAD_OPTION);
    hzi_sample_free(&sample);
    hz_registry_free(registry);
}

/* ---- collapse ---- */

static void collapse_compares_learned_values_with_averages(void **state) {
    (void)state;
    forest t;
    forest_make(&t);
    hz_registry *registry = all_bots();
    hzi_sample sample = sampled(registry, 3, 5);
    hzi_collapse collapse;
    hz_error err;
    char exact[700], learned[1300];
    (void)snprintf(exact, sizeof exact, "onnx-expectimax:model=%s,limit=4,nopruning=1", t.value);
    (void)snprintf(learned, sizeof learned, "%s,collapse=%s", exact, t.collapse);
    const hzi_probe_config config = {.players = {exact, learned},
                                     .registry = registry,
                                     .count = sample.count,
                                     .positions = sample.positions,
                                     .threads = 1};
    if (hzi_collapse_run(&config, &collapse, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(collapse.positions, 5);
    assert_true(collapse.searched > 5 && collapse.collapsed == collapse.searched);
    /* Every candidate has both values, and each position its decision. */
    assert_int_equal(collapse.values.count, collapse.searched);
    assert_int_equal(collapse.decisions.count, 5);
    assert_true(collapse.speed > 1.0);
    assert_int_equal(collapse.ms[0].count, 5);
    hzi_sample_free(&sample);
    hz_registry_free(registry);
    forest_remove(&t);
}

/* ---- numbers ---- */

static bool gather(void *context, const char *bytes, size_t length) {
    hzi_text_add(context, bytes, length);
    return true;
}

static void probe_and_its_checkpoint_do_not_see_a_decimal_comma(void **state) {
    (void)state;
    hz_registry *registry = all_bots();
    hzi_sample sample = sampled(registry, 8, 12);
    char path[] = "/tmp/hazard-probe-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    hzi_text reports[3] = {{0}, {0}, {0}};
    hzi_probe_config config = {.players = {"expectimax:limit=2", "expectimax:limit=1000000"},
                               .registry = registry,
                               .count = sample.count,
                               .positions = sample.positions,
                               .threads = 2};
    hzi_probe_report report = {&config, "a test", true};
    for (int i = 0; i < 3; i++) { /* plain; under a comma; gone on with, with a point again */
        hzi_recall recall;
        hz_error err;
        if (i == 1) {
            (void)remove(path);
            test_comma();
        }
        config.checkpoint = i > 0 ? path : NULL;
        config.resume = i == 2;
        hz_status status = hzi_recall_run(&config, 2, &recall, &err);
        for (int k = 0; k < 2; k++) {
            recall.ms[k] = (hzi_spread){.mean = (double)NAN};
        }
        status = status == HZ_OK ? hzi_recall_report(&report, &recall, gather, &reports[i], &err)
                                 : status;
        test_point();
        test_same_text("report", "error", "", status == HZ_OK ? "" : err.message);
    }
    for (int i = 1; i < 3; i++) {
        /* The hour stands before the program. */
        test_same_text("report", "text", strstr(reports[0].bytes, "\"program\""),
                       strstr(reports[i].bytes, "\"program\""));
    }
    assert_non_null(strstr(reports[0].bytes, "\"mean\":null"));
    for (int i = 0; i < 3; i++) {
        hzi_text_fini(&reports[i]);
    }
    (void)remove(path);
    hzi_sample_free(&sample);
    hz_registry_free(registry);
}

static void spread_is_by_nearest_rank(void **state) {
    (void)state;
    hzi_series series = {0};
    hzi_spread none = hzi_series_spread(&series);
    assert_true(none.count == 0 && isnan(none.p50) && isnan(none.max));
    for (int i = 10; i >= 1; i--) {
        hzi_series_add(&series, i);
    }
    hzi_spread spread = hzi_series_spread(&series);
    assert_true(spread.p10 == 1.0 && spread.p50 == 5.0 && spread.p90 == 9.0);
    assert_true(spread.p99 == 10.0 && spread.max == 10.0 && spread.mean == 5.5);
    hzi_series_free(&series);
}

static void moments_join_and_correlate(void **state) {
    (void)state;
    hzi_moments all = {0}, parts[2] = {{0}, {0}};
    for (int i = 0; i < 10; i++) {
        hzi_moments_add(&all, i, 3 - 2 * i);
        hzi_moments_add(&parts[i % 2], i, 3 - 2 * i);
    }
    hzi_moments_join(&parts[0], &parts[1]);
    assert_int_equal(parts[0].count, 10);
    assert_true(parts[0].xy == all.xy && parts[0].largest == all.largest && all.largest == 24.0);
    assert_true(fabs(hzi_moments_correlation(&all) + 1.0) < 1e-12);
}

/* ---- reports ---- */

static bool keep(void *context, const char *bytes, size_t length) {
    hzi_text_add(context, bytes, length);
    return true;
}

static void reports_come_as_one_line_or_as_text(void **state) {
    (void)state;
    hz_registry *registry = all_bots();
    hzi_sample sample = sampled(registry, 1, 3);
    hz_error err;
    hzi_models models;
    hzi_text out = {0};
    const hzi_probe_config config = {.players = {"greedy", "aggressive"},
                                     .registry = registry,
                                     .count = sample.count,
                                     .positions = sample.positions,
                                     .threads = 1};
    assert_int_equal(hzi_models_run(&config, &models, &err), HZ_OK);
    hzi_probe_report report = {&config, "a \"test\"", true};
    assert_int_equal(hzi_models_report(&report, &models, keep, &out, &err), HZ_OK);
    assert_non_null(strstr(out.bytes, "\"kind\":\"models\""));
    assert_non_null(strstr(out.bytes, "\"positions_from\":\"a \\\"test\\\"\""));
    assert_ptr_equal(strchr(out.bytes, '\n'), out.bytes + out.length - 1);
    hzi_text_clear(&out);
    report.json = false;
    assert_int_equal(hzi_models_report(&report, &models, keep, &out, &err), HZ_OK);
    assert_non_null(strstr(out.bytes, "the same turn"));
    hzi_text_fini(&out);
    hzi_sample_free(&sample);
    hz_registry_free(registry);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sampled_positions_have_a_choice_and_repeat_by_their_seed),
        cmocka_unit_test(positions_of_a_text_are_read_and_bad_lines_named),
        cmocka_unit_test(item_comes_back_from_its_line_bit_by_bit),
        cmocka_unit_test(any_number_of_threads_sees_the_same),
        cmocka_unit_test(models_are_compared_choice_by_choice),
        cmocka_unit_test(recall_tells_equal_turns_from_losses),
        cmocka_unit_test(limit_above_every_list_changes_nothing),
        cmocka_unit_test(collapse_compares_learned_values_with_averages),
        cmocka_unit_test(probe_and_its_checkpoint_do_not_see_a_decimal_comma),
        cmocka_unit_test(spread_is_by_nearest_rank),
        cmocka_unit_test(moments_join_and_correlate),
        cmocka_unit_test(reports_come_as_one_line_or_as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
