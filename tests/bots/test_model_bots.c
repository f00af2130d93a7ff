/* SPDX-License-Identifier: MIT */
/* Bots that hold models: what they answer, what they open and close, what they refuse. */
#include "bots/asking.h"
#include "bots/models.h"

#include "ref/ref_random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char wide[] = "4k3/8/8/8/8/8/PPP5/4KN2 w - - 0 1 PNK";
static const char start_ppr[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PPR";
static const char king_to_take[] = "4k3/8/3N4/8/B7/8/8/4K3 w - - 0 1 NBQ";
static const char no_turn[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 BRQ";

/* What most tests need. */
typedef struct bench {
    forest models;
    journal j;
    asking ask;
} bench;

static int set_up(void **state) {
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    forest_make(&b->models);
    journal_make(&b->j);
    b->ask = asking_new();
    assert_int_equal(hz_registry_register_kinds(b->ask.registry, NULL), HZ_OK);
    *state = b;
    return 0;
}

static int tear_down(void **state) {
    bench *b = *state;
    asking_free(&b->ask);
    forest_remove(&b->models);
    free(b);
    return 0;
}

static hz_bot_model_expectimax_config config_of(bench *b) {
    hz_bot_model_expectimax_config config = hz_bot_model_expectimax_config_default();
    config.leaf.path = b->models.file;
    config.scorer.executor = &b->j.executor;
    return config;
}

static hz_bot open_eval(bench *b) {
    hz_bot bot = {0};
    hz_error err;
    hz_bot_model_eval_config config = {.model = {.path = b->models.file},
                                       .scorer = {.executor = &b->j.executor}};
    if (hz_bot_model_eval(&config, &bot, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return bot;
}

static hz_bot open_search(const hz_bot_model_expectimax_config *config) {
    hz_bot bot = {0};
    hz_error err;
    if (hz_bot_model_expectimax(config, &bot, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return bot;
}

/* ---- known answers ---- */

static void check_stats(const char *where, const hz_bot_answer *answer, const test_row *row) {
    const hz_root_stats *s = &answer->search->stats;
    char text[120];
    snprintf(text, sizeof text, "%d %d %d %d %d", (int)s->legal_results, (int)s->legal_sequences,
             (int)s->candidates_selected, (int)s->candidates_completed,
             (int)s->candidates_collapsed);
    test_same_text(where, "statistics", row->field[7], text);
    for (size_t i = 0; i < answer->search->candidate_count && *row->field[6]; i++) {
        test_same_number(where, "sum", test_number(row->field[6]),
                         answer->search->candidates[i].sum);
    }
    test_true(where, "no broken invariant",
              hz_root_stats_check(s, false, s->candidates_collapsed > 0, false) == NULL);
}

static void known_answers_of_the_forest(void **state) {
    bench *b = *state;
    test_table table = test_table_load("bots_models.tsv", 0);
    for (size_t i = 0; i < table.count; i++) {
        const test_row *row = &table.rows[i];
        char text[2000] = "";
        test_append(text, sizeof text, row->field[0]);
        test_append(text, sizeof text, ":model=");
        test_append(text, sizeof text, b->models.value);
        const char *collapse = strstr(row->field[1], ",collapse=C");
        if (*row->field[1]) {
            snprintf(text + strlen(text), sizeof text - strlen(text), ",%.*s%s%s",
                     collapse ? (int)(collapse - row->field[1]) : (int)strlen(row->field[1]),
                     row->field[1], collapse ? ",collapse=" : "",
                     collapse ? b->models.collapse : "");
        }
        hz_bot bot = asking_open(&b->ask, text);
        const hz_bot_answer *answer = asking_choose(&b->ask, &bot, row->field[2], i, NULL);
        check_answer(row->field[2], &b->ask.position, answer);
        test_same_number(text, "score", test_number(row->field[3]), answer->score);
        test_same_number(text, "ties", test_number(row->field[4]), answer->tie_count);
        if (*row->field[5]) {
            test_text ties = {0};
            turns_text(&ties, answer->ties, answer->tie_count);
            test_same_text(text, "ties", row->field[5], test_text_get(&ties));
            test_text_free(&ties);
        }
        if (row->count > 6) {
            check_stats(text, answer, row);
        } else {
            test_true(text, "no search", answer->search == NULL);
        }
        hz_bot_close(&bot);
    }
    test_table_free(&table);
}

/* ---- onnx-eval ---- */

/* The forest's own word, row by row. */
static int32_t slow_score(const hz_position *position, hz_color color) {
    float row[FIXTURE_COLUMNS];
    hz_features_row(hz_schema_find("material-7-v1"), position, color, row);
    return hz_score_from_probability(fixture_tree_score(row));
}

static void one_turn_plays_what_the_model_likes_best(void **state) {
    bench *b = *state;
    hz_bot bot = open_eval(b);
    ref_random random = ref_random_from_seed(test_seed());
    hz_arena arena = {0};
    size_t choices = 0;
    for (size_t i = 0; i < test_effort(60); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_ROLLED, dfen);
        hz_position position = test_position(dfen);
        hz_result_list list;
        const hz_bot_answer *answer = asking_choose(&b->ask, &bot, dfen, i, NULL);
        check_answer(dfen, &position, answer);
        hz_arena_reset(&arena);
        assert_int_equal(hz_results_list(&position, NULL, &arena, &list, NULL), HZ_OK);
        if (answer->pass || list.winning >= 0) {
            test_true(dfen, "nothing drawn", b->ask.random.counter == 0);
            continue;
        }
        int32_t best = INT32_MIN;
        size_t ties = 0;
        for (size_t r = 0; r < list.count; r++) {
            int32_t score = slow_score(&list.results[r].after, (hz_color)position.side);
            ties = score > best ? 1 : ties + (score == best);
            best = score > best ? score : best;
        }
        test_same_number(dfen, "score", best, answer->score);
        test_same_number(dfen, "ties", ties, answer->tie_count);
        choices += ties < list.count;
    }
    test_met(choices > 0);
    hz_arena_fini(&arena);
    hz_bot_close(&bot);
}

/* A clock that the test and the executor move. */
static uint64_t told_time(void *state) {
    return *(uint64_t *)state;
}

static hz_deadline told_deadline(uint64_t *clock, uint64_t at) {
    return (hz_deadline){.at_ns = at, .now = told_time, .now_state = clock};
}

static void with_a_clock_results_are_judged_in_chunks_of_32(void **state) {
    bench *b = *state;
    hz_bot bot = open_eval(b);
    uint64_t clock = 0;
    hz_deadline deadline = told_deadline(&clock, 1000);
    const hz_bot_answer *answer = asking_choose(&b->ask, &bot, start_ppr, 1, &deadline);
    assert_int_equal(b->j.runs, 3);
    assert_int_equal(b->j.rows[0], 32);
    assert_int_equal(b->j.rows[1], 32);
    assert_int_equal(b->j.rows[2], 30);
    assert_int_equal(answer->tie_count, 94);
    hz_bot_close(&bot);
}

static void the_clock_is_read_before_each_chunk(void **state) {
    bench *b = *state;
    hz_bot bot = open_eval(b);
    uint64_t clock = 10;
    b->j.clock = &clock; /* every run takes a nanosecond */
    for (int chunks = 1; chunks <= 3; chunks++) {
        clock = 10;
        b->j.runs = 0;
        hz_deadline deadline = told_deadline(&clock, 10 + (uint64_t)chunks);
        const hz_bot_answer *answer = asking_choose(&b->ask, &bot, start_ppr, 1, &deadline);
        assert_int_equal(b->j.runs, chunks);
        assert_int_equal(answer->tie_count, chunks == 3 ? 94 : 32 * chunks);
        assert_int_equal(answer->score, 5095);
        assert_int_equal(b->ask.random.counter, 1);
    }
    hz_bot_close(&bot);
}

static void without_time_the_most_material_is_played(void **state) {
    bench *b = *state;
    /* The knight can take a rook or a queen. */
    static const char dfen[] = "k7/8/8/8/1q3r2/3N4/8/K7 w - - 0 1 N";
    hz_bot bot = open_eval(b);
    uint64_t clock = 10;
    hz_deadline deadline = told_deadline(&clock, 10);
    const hz_bot_answer *answer = asking_choose(&b->ask, &bot, dfen, 1, &deadline);
    test_text text = {0};
    turns_text(&text, &answer->turn, 1);
    assert_string_equal(test_text_get(&text), "d3b4");
    test_text_free(&text);
    assert_int_equal(answer->score, 300 - 500);
    assert_int_equal(answer->tie_count, 1);
    assert_int_equal(b->ask.random.counter, 0);
    assert_int_equal(b->j.runs, 0);
    hz_bot_close(&bot);
}

static void a_won_turn_and_a_pass_run_no_model(void **state) {
    bench *b = *state;
    hz_bot bots[2] = {open_eval(b)};
    hz_bot_model_expectimax_config config = config_of(b);
    bots[1] = open_search(&config);
    for (int i = 0; i < 2; i++) {
        const hz_bot_answer *answer = asking_choose(&b->ask, &bots[i], king_to_take, 1, NULL);
        assert_int_equal(answer->score, HZ_SCORE_WIN);
        assert_true(answer->turn.took_king);
        assert_true(asking_choose(&b->ask, &bots[i], no_turn, 1, NULL)->pass);
        assert_int_equal(b->ask.random.counter, 0);
        hz_bot_close(&bots[i]);
    }
    assert_int_equal(b->j.runs, 0);
}

static void a_failing_model_is_an_error_of_the_one_turn_bot(void **state) {
    bench *b = *state;
    hz_bot bot = open_eval(b);
    b->j.failing_run = 1;
    b->ask.position = test_position(wide);
    b->ask.random = hz_random_from_seed(1);
    const hz_bot_request request = {
        .position = &b->ask.position, .random = &b->ask.random, .arena = &b->ask.arena};
    assert_int_equal(hz_bot_choose(&bot, &request, &b->ask.answer, &b->ask.err), HZ_MODEL_RUN);
    assert_non_null(strstr(b->ask.err.message, "run number 1 fails"));
    /* It may be asked again. */
    assert_int_equal(hz_bot_choose(&bot, &request, &b->ask.answer, &b->ask.err), HZ_OK);
    hz_bot_close(&bot);
}

static void a_failing_leaf_is_told_by_the_statistics(void **state) {
    bench *b = *state;
    hz_bot_model_expectimax_config config = config_of(b);
    hz_bot bot = open_search(&config);
    b->j.failing_run = 1;
    const hz_bot_answer *answer = asking_choose(&b->ask, &bot, wide, 1, NULL);
    check_answer(wide, &b->ask.position, answer);
    assert_true(answer->search->stats.leaf_rejected);
    hz_bot_close(&bot);
}

/* ---- handles ---- */

static void default_opens_one_handle_and_collapse_a_second(void **state) {
    bench *b = *state;
    hz_bot_model_expectimax_config config = config_of(b);
    hz_bot bot = open_search(&config);
    assert_int_equal(b->j.open, 1);
    hz_bot_close(&bot);
    config.collapse.path = b->models.file;
    bot = open_search(&config);
    assert_int_equal(b->j.open, 2);
    hz_bot_close(&bot);
    assert_string_equal(b->j.text, "+1 -1 +2 +3 -3 -2");
}

static void a_rescorer_of_no_weight_is_not_opened(void **state) {
    bench *b = *state;
    hz_bot_model_expectimax_config config = config_of(b);
    config.rescore.path = "there is no such file";
    config.rescore_weight = 0;
    hz_bot bot = open_search(&config);
    assert_int_equal(b->j.open, 1);
    hz_bot_close(&bot);
}

/* All four seams, by packages. */
typedef struct all_seams {
    hz_package *value, *collapse, *prerank;
    hz_bot_model_expectimax_config config;
} all_seams;

static all_seams all_seams_of(bench *b) {
    all_seams all = {.value = forest_load(b->models.value),
                     .collapse = forest_load(b->models.collapse),
                     .prerank = forest_load(b->models.prerank),
                     .config = config_of(b)};
    all.config.leaf = (hz_model_source){.package = all.value};
    all.config.rescore = (hz_model_source){.package = all.value};
    all.config.collapse = (hz_model_source){.package = all.collapse};
    all.config.pre_rank = (hz_model_source){.package = all.prerank};
    return all;
}

static void all_seams_free(all_seams *all) {
    hz_package_free(all->value);
    hz_package_free(all->collapse);
    hz_package_free(all->prerank);
}

static void a_failure_at_every_step_closes_what_was_opened_newest_first(void **state) {
    static const char *const journals[] = {"",
                                           "+1 -1",
                                           "+1 +2 -2 -1",
                                           "+1 +2 +3 -3 -2 -1",
                                           "+1 +2 +3 +4 -4 -3 -2 -1",
                                           "+1 +2 +3 +4 +5 -5 -4 -3 -2 -1"};
    bench *b = *state;
    all_seams all = all_seams_of(b);
    all.config.search.threads = 3; /* two more handles of the leaf */
    for (int step = 1; step <= 6; step++) {
        char expected[40];
        hz_bot bot = {0};
        hz_error err;
        journal_make(&b->j);
        b->j.failing_open = step;
        assert_int_equal(hz_bot_model_expectimax(&all.config, &bot, &err), HZ_GRAPH);
        snprintf(expected, sizeof expected, "opening number %d fails", step);
        assert_non_null(strstr(err.message, expected));
        assert_string_equal(b->j.text, journals[step - 1]);
        assert_null(bot.choose);
    }
    journal_make(&b->j);
    hz_bot bot = open_search(&all.config);
    assert_string_equal(b->j.text, "+1 +2 +3 +4 +5 +6");
    hz_bot_close(&bot);
    assert_int_equal(b->j.open, 0);
    all_seams_free(&all);
}

static void the_original_error_stays_first_when_closing_fails_too(void **state) {
    bench *b = *state;
    all_seams all = all_seams_of(b);
    hz_bot bot = {0};
    hz_error err;
    b->j.failing_open = 3;
    b->j.failing_close = 1u << 1 | 1u << 2;
    assert_int_equal(hz_bot_model_expectimax(&all.config, &bot, &err), HZ_GRAPH);
    const char *first = strstr(err.message, "opening number 3 fails");
    assert_non_null(first);
    assert_non_null(strstr(first, "closing number 2 fails"));
    assert_string_equal(b->j.text, "+1 +2 -2 -1");
    all_seams_free(&all);
}

static void a_graph_that_is_refused_is_closed_too(void **state) {
    bench *b = *state;
    hz_package *wrong = forest_load(b->models.wrong);
    hz_bot_model_expectimax_config config = config_of(b);
    hz_bot bot = {0};
    hz_error err;
    config.collapse = (hz_model_source){.package = wrong};
    assert_int_equal(hz_bot_model_expectimax(&config, &bot, &err), HZ_GRAPH_CONTRACT);
    assert_non_null(strstr(err.message, "ONNX model must expose exactly one output named 'output'; "
                                        "found [variable]"));
    assert_string_equal(b->j.text, "+1 +2 -2 -1");
    hz_package_free(wrong);
}

static void closing_reaches_every_handle_and_reports_the_first_failure(void **state) {
    bench *b = *state;
    all_seams all = all_seams_of(b);
    hz_bot bot = open_search(&all.config);
    hz_error err;
    b->j.failing_close = 1u << 4 | 1u << 2;
    assert_int_equal(hz_bot_shut(&bot, &err), HZ_MODEL_RUN);
    const char *first = strstr(err.message, "closing number 4 fails");
    assert_non_null(first);
    assert_non_null(strstr(first, "closing number 2 fails"));
    assert_string_equal(b->j.text, "+1 +2 +3 +4 -4 -3 -2 -1");
    all_seams_free(&all);
}

static void closing_twice_does_nothing_and_a_closed_bot_says_so(void **state) {
    bench *b = *state;
    hz_bot bot = open_eval(b);
    hz_error err;
    assert_int_equal(hz_bot_shut(&bot, &err), HZ_OK);
    assert_int_equal(hz_bot_shut(&bot, &err), HZ_OK);
    hz_bot_close(&bot);
    assert_string_equal(b->j.text, "+1 -1");
    bool yes;
    b->ask.position = test_position(wide);
    b->ask.random = hz_random_from_seed(1);
    const hz_bot_request request = {
        .position = &b->ask.position, .random = &b->ask.random, .arena = &b->ask.arena};
    assert_int_equal(hz_bot_choose(&bot, &request, &b->ask.answer, &err), HZ_CLOSED);
    assert_int_equal(
        hz_bot_decide(&bot, HZ_OFFER_DRAW, &b->ask.position, HZ_WHITE, &b->ask.random, &yes, &err),
        HZ_CLOSED);
}

static void behind_book_and_registry_the_handles_are_closed_once(void **state) {
    bench *b = *state;
    hz_book *book;
    hz_bot inner = open_eval(b), wrapped, view;
    hz_registration *handle;
    assert_int_equal(hz_book_parse("", 0, &book, NULL), HZ_OK);
    assert_int_equal(hz_bot_with_book("booked", NULL, book, &inner, &wrapped, NULL), HZ_OK);
    assert_int_equal(hz_registry_register(b->ask.registry, &wrapped, &handle, NULL), HZ_OK);
    assert_int_equal(hz_registry_open(b->ask.registry, "booked", &view, NULL), HZ_OK);
    const hz_bot_answer *answer = asking_choose(&b->ask, &view, start_ppr, 1, NULL);
    assert_int_equal(answer->tie_count, 94);
    hz_registration_close(handle);
    assert_string_equal(b->j.text, "+1");
    b->j.failing_close = 1u << 1;
    hz_error err;
    assert_int_equal(hz_bot_shut(&view, &err), HZ_MODEL_RUN);
    assert_string_equal(b->j.text, "+1 -1");
    hz_book_free(book);
}

/* ---- what is refused ---- */

static void settings_and_roles_are_refused_before_anything_is_opened(void **state) {
    bench *b = *state;
    all_seams all = all_seams_of(b);
    enum { CASES = 12 };
    hz_bot_model_expectimax_config cases[CASES];
    hz_status expected[CASES];
    for (int i = 0; i < CASES; i++) {
        cases[i] = all.config;
        expected[i] = HZ_INVALID_ARGUMENT;
    }
    cases[0].search.candidate_limit = 0;
    cases[1].search.search_depth = 1;
    cases[2].search.search_depth = 4;
    cases[3].rescore_weight = 1.5;
    cases[4].rescore_weight = (double)NAN;
    cases[5].chunk_size = 0;
    cases[6].search.table_entries = 3;
    cases[7].search.threads = 0;
    cases[8].leaf = (hz_model_source){0};
    cases[9].pre_rank_with_model = true;
    expected[9] = HZ_CONFLICT;
    cases[10].leaf = all.config.collapse;
    expected[10] = HZ_MODEL_ROLE;
    cases[11].pre_rank = all.config.leaf;
    expected[11] = HZ_MODEL_ROLE;
    for (int i = 0; i < CASES; i++) {
        hz_bot bot = {0};
        hz_error err;
        hz_status status = hz_bot_model_expectimax(&cases[i], &bot, &err);
        if (status != expected[i] || err.code != status || !*err.message) {
            fail_msg("case %d: %s: %s", i, hz_status_name(status), err.message);
        }
    }
    assert_int_equal(b->j.opens, 0);
    hz_bot bot = {0};
    hz_error err;
    assert_int_equal(hz_bot_model_expectimax(&cases[10], &bot, &err), HZ_MODEL_ROLE);
    assert_non_null(
        strstr(err.message, "modelRole 'chance-collapse' cannot serve as the leaf evaluator"));
    hz_bot_model_eval_config one = {.model = all.config.collapse,
                                    .scorer = {.executor = &b->j.executor}};
    assert_int_equal(hz_bot_model_eval(&one, &bot, &err), HZ_MODEL_ROLE);
    assert_non_null(
        strstr(err.message, "modelRole 'chance-collapse' cannot serve as 'position-value'"));
    assert_int_equal(b->j.opens, 0);
    all_seams_free(&all);
}

static void texts_are_refused_with_their_place(void **state) {
    bench *b = *state;
    static const struct {
        const char *text; /* V C W F: value, collapse, wrong package, bare file */
        hz_status status;
        const char *message;
        const char *place; /* the error points at the first of this text, NULL = at the end */
    } cases[] = {
        {"onnx-eval", HZ_BAD_OPTION, "needs the option \"model\"", NULL},
        {"onnx-expectimax:limit=3", HZ_BAD_OPTION, "needs the option \"model\"", NULL},
        {"onnx-eval:model=", HZ_BAD_OPTION, "\"model\"", NULL},
        {"onnx-eval:model=nowhere", HZ_MODEL_FILE, "model file not readable", "nowhere"},
        {"onnx-eval:model=@C", HZ_MODEL_ROLE, "cannot serve as 'position-value'", "@C"},
        {"onnx-eval:schema=kcp-13,model=@V", HZ_CONFLICT, "names its own schema", "kcp-13"},
        {"onnx-eval:schema=kcp,model=@F", HZ_UNKNOWN_SCHEMA, "material-7-v1", "kcp"},
        {"onnx-eval:model=@F,executor=magic", HZ_BAD_OPTION, "auto|builtin|onnxruntime", "magic"},
        {"onnx-expectimax:limit=4,model=@V,collapse=@W", HZ_GRAPH_CONTRACT,
         "exactly one output named", "@W"},
        {"onnx-expectimax:collapse=@V,model=@V", HZ_MODEL_ROLE, "cannot serve as 'chance-collapse'",
         "@V"},
        {"onnx-expectimax:model=@V,prerankwithmodel=1,prerank=@F", HZ_CONFLICT, "prerank",
         "1,prerank"},
        {"onnx-expectimax:model=@V,weight=1.01", HZ_BAD_OPTION, "a number from 0 to 1", "1.01"},
        {"onnx-expectimax:model=@V,weight=nan", HZ_BAD_OPTION, "a number from 0 to 1", "nan"},
        {"onnx-expectimax:model=@V,weight=0x1", HZ_BAD_OPTION, "a number from 0 to 1", "0x1"},
        {"onnx-expectimax:model=@V,lossguard=2", HZ_BAD_OPTION, "0 or 1", "2"},
        {"onnx-expectimax:model=@V,chunk=0", HZ_BAD_OPTION, "\"chunk\"", "0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000] = "", key[3] = "";
        const char *place = cases[i].place;
        size_t offset = SIZE_MAX;
        for (const char *c = cases[i].text; *c; c++) {
            if (offset == SIZE_MAX && place && strncmp(c, place, strlen(place)) == 0) {
                offset = strlen(text);
            }
            snprintf(key, sizeof key, "%c", *c);
            if (*c == '@') {
                c++;
            }
            test_append(text, sizeof text,
                        key[0] != '@' ? key
                        : *c == 'V'   ? b->models.value
                        : *c == 'C'   ? b->models.collapse
                        : *c == 'W'   ? b->models.wrong
                                      : b->models.file);
        }
        hz_bot bot = {0};
        hz_error err;
        hz_status status = hz_registry_open(b->ask.registry, text, &bot, &err);
        test_same_text(text, err.message, hz_status_name(cases[i].status), hz_status_name(status));
        test_true(text, err.message, strstr(err.message, cases[i].message) != NULL);
        test_same_number(text, err.message, place ? offset : strlen(text), err.offset);
        test_true(text, "no bot", bot.choose == NULL);
    }
}

static void a_path_may_hold_commas_and_backslashes(void **state) {
    bench *b = *state;
    folder *f = &b->models.f;
    const void *bytes;
    size_t length;
    hz_arena arena = {0};
    assert_int_equal(fixture_tree_bytes(NULL, NULL, &arena, &bytes, &length, NULL), HZ_OK);
    const char *path = folder_write(f, "a,b=c:d\\e.onnx", bytes, length);
    char text[1200] = "onnx-eval:model=";
    for (const char *c = path; *c; c++) {
        char piece[3] = {*c == ',' || *c == '\\' ? '\\' : *c, *c == ',' || *c == '\\' ? *c : '\0'};
        test_append(text, sizeof text, piece);
    }
    test_append(text, sizeof text, ",executor=builtin");
    hz_bot bot = asking_open(&b->ask, text);
    assert_int_equal(asking_choose(&b->ask, &bot, start_ppr, 1, NULL)->tie_count, 94);
    hz_bot_close(&bot);
    hz_arena_fini(&arena);
}

static void a_guarded_registry_reads_no_files_and_keeps_numbers_small(void **state) {
    bench *b = *state;
    char text[1200];
    hz_bot bot = {0};
    hz_error err;
    snprintf(text, sizeof text, "onnx-eval:model=%s", b->models.value);
    hz_registry_guard(b->ask.registry);
    assert_int_equal(hz_registry_open(b->ask.registry, text, &bot, &err), HZ_BAD_OPTION);
    assert_non_null(strstr(err.message, "files are not read here"));
    assert_int_equal(err.offset, strlen("onnx-eval:model="));
    assert_int_equal(hz_registry_open(b->ask.registry, "expectimax:threads=2", &bot, &err),
                     HZ_BAD_OPTION);
    assert_non_null(strstr(err.message, "a number from 1 to 1,"));
    bot = asking_open(&b->ask, "expectimax:limit=64,table=16,threads=1");
    hz_bot_close(&bot);
}

/* ---- the same answer, whatever the way ---- */

static void threads_table_and_seams_by_text_answer_as_told(void **state) {
    bench *b = *state;
    char text[2500];
    static const char *const ways[] = {
        "",         "threads=3",       "table=12", "nopruning=1", "chunk=1", "table=10,exactonly=1",
        "weight=0", "executor=builtin"};
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(6); i++) {
        char dfen[REF_DFEN_CAPACITY], expected[400] = "";
        ref_random_played(&random, REF_ROLLED, dfen);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            snprintf(text, sizeof text, "onnx-expectimax:model=%s,limit=3%s%s%s%s", b->models.value,
                     *ways[w] ? "," : "", ways[w], w == 6 ? ",rescore=" : "",
                     w == 6 ? "nowhere" : "");
            hz_bot bot = asking_open(&b->ask, text);
            const hz_bot_answer *answer = asking_choose(&b->ask, &bot, dfen, i, NULL);
            check_answer(dfen, &b->ask.position, answer);
            char turn[HZ_TURN_CAPACITY], got[400];
            hz_turn_to_text(&answer->turn, turn);
            snprintf(got, sizeof got, "%s %d %zu", turn, (int)answer->score, answer->tie_count);
            if (w == 0) {
                test_copy(expected, sizeof expected, got);
            }
            test_same_text(dfen, ways[w], expected, got);
            hz_bot_close(&bot);
        }
    }
}

static void a_bot_of_a_model_shows_its_judge(void **state) {
    bench *b = *state;
    hz_bot bots[2] = {open_eval(b)};
    hz_bot_model_expectimax_config config = config_of(b);
    config.search.search_depth = 3;
    bots[1] = open_search(&config);
    for (int i = 0; i < 2; i++) {
        hz_bot_judgement judgement;
        hz_position position = test_position(wide);
        int32_t score = 0;
        size_t done = 0;
        assert_true(hz_bot_judge(&bots[i], &judgement));
        assert_int_equal(judgement.depth, i == 0 ? 1 : 3);
        assert_int_equal(judgement.win, 10000);
        assert_int_equal(judgement.loss, 0);
        assert_string_equal(judgement.schema->id, "material-7-v1");
        assert_int_equal(judgement.judge.score_batch(judgement.judge.state, &position, 1, HZ_WHITE,
                                                     &score, &done, NULL),
                         HZ_OK);
        assert_int_equal(done, 1);
        assert_int_equal(score, slow_score(&position, HZ_WHITE));
        hz_bot_close(&bots[i]);
    }
}

int main(void) {
#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        BENCH_TEST(known_answers_of_the_forest),
        BENCH_TEST(one_turn_plays_what_the_model_likes_best),
        BENCH_TEST(with_a_clock_results_are_judged_in_chunks_of_32),
        BENCH_TEST(the_clock_is_read_before_each_chunk),
        BENCH_TEST(without_time_the_most_material_is_played),
        BENCH_TEST(a_won_turn_and_a_pass_run_no_model),
        BENCH_TEST(a_failing_model_is_an_error_of_the_one_turn_bot),
        BENCH_TEST(a_failing_leaf_is_told_by_the_statistics),
        BENCH_TEST(default_opens_one_handle_and_collapse_a_second),
        BENCH_TEST(a_rescorer_of_no_weight_is_not_opened),
        BENCH_TEST(a_failure_at_every_step_closes_what_was_opened_newest_first),
        BENCH_TEST(the_original_error_stays_first_when_closing_fails_too),
        BENCH_TEST(a_graph_that_is_refused_is_closed_too),
        BENCH_TEST(closing_reaches_every_handle_and_reports_the_first_failure),
        BENCH_TEST(closing_twice_does_nothing_and_a_closed_bot_says_so),
        BENCH_TEST(behind_book_and_registry_the_handles_are_closed_once),
        BENCH_TEST(settings_and_roles_are_refused_before_anything_is_opened),
        BENCH_TEST(texts_are_refused_with_their_place),
        BENCH_TEST(a_path_may_hold_commas_and_backslashes),
        BENCH_TEST(a_guarded_registry_reads_no_files_and_keeps_numbers_small),
        BENCH_TEST(threads_table_and_seams_by_text_answer_as_told),
        BENCH_TEST(a_bot_of_a_model_shows_its_judge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
