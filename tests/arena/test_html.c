/* SPDX-License-Identifier: MIT */
/* Pages: strangers' texts stay texts, numbers stay numbers under any locale, marks are closed, and what a
 * report says is on the page. */
#include "arena/html.h"

#include <hazard/arena.h>

#include "arena/locales.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool keep(void *context, const char *bytes, size_t length) {
    hzi_text_add(context, bytes, length);
    return true;
}

/* ---- pieces ---- */

static void marks_in_texts_are_escaped(void **state) {
    (void)state;
    hzi_text out = {0};
    hzi_html_text(&out, "<b a='1' b=\"2\">&amp;\x01\xFF\xC3\xA9");
    assert_string_equal(out.bytes, "&#60;b a=&#39;1&#39; b=&#34;2&#34;&#62;&#38;amp;"
                                   "\xEF\xBF\xBD\xEF\xBF\xBD\xC3\xA9");
    hzi_text_fini(&out);
}

static void numbers_have_a_point_and_their_decimals(void **state) {
    (void)state;
    const struct {
        double value;
        int decimals;
        const char *text;
    } cases[] = {{0.0, 2, "0.00"},
                 {-0.004, 2, "0.00"},
                 {-0.05, 1, "-0.1"},
                 {1234.5678, 3, "1234.568"},
                 {99.999, 1, "100.0"},
                 {(double)NAN, 1, "\xE2\x80\x93"},
                 {(double)INFINITY, 1, "\xE2\x88\x9E"},
                 {1e300, 1, "\xE2\x80\x93"}};
    test_comma();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hzi_text out = {0};
        hzi_html_fixed(&out, cases[i].value, cases[i].decimals);
        assert_string_equal(out.bytes, cases[i].text);
        hzi_text_fini(&out);
    }
    test_point();
    hzi_text out = {0};
    hzi_html_count(&out, 1234567);
    assert_string_equal(out.bytes, "1\xE2\x80\xAF"
                                   "234\xE2\x80\xAF"
                                   "567");
    hzi_text_fini(&out);
}

static void files_are_addressed_from_the_page(void **state) {
    (void)state;
    const struct {
        const char *page, *file, *address;
    } cases[] = {{"r.html", "games.txt", "games.txt"},
                 {NULL, "a/games.txt", "a/games.txt"},
                 {"out/r.html", "games.txt", "../games.txt"},
                 {"out/r.html", "out/games.txt", "games.txt"},
                 {"a/b/r.html", "a/c/g.txt", "../c/g.txt"},
                 {"/x/r.html", "/x/y/g.txt", "y/g.txt"},
                 {"r.html", "/x/g.txt", "file:///x/g.txt"},
                 {"r.html", "javascript:alert(1)", "./javascript:alert%281%29"},
                 {"r.html", "a b\"<.txt", "a%20b%22%3C.txt"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hzi_text out = {0};
        hzi_html_address(&out, cases[i].page, cases[i].file);
        assert_string_equal(out.bytes, cases[i].address);
        hzi_text_fini(&out);
    }
}

/* ---- whole pages ---- */

/* Fails unless every element that was opened is closed in order. */
static void check_marks(const char *html) {
    static const char *const alone[] = {"!doctype", "meta", "line", "path", "br", "!DOCTYPE"};
    char open[64][16];
    size_t depth = 0;
    for (const char *at = html; (at = strchr(at, '<')); at++) {
        size_t length = strcspn(at + 1, " >\n/");
        const char *close = strchr(at, '>');
        assert_non_null(close);
        if (at[1] == '/') {
            length = strcspn(at + 2, ">");
            assert_true(depth > 0);
            depth--;
            if (strlen(open[depth]) != length || strncmp(open[depth], at + 2, length) != 0) {
                fail_msg("<%s> is closed by %.20s", open[depth], at);
            }
            continue;
        }
        bool single = close[-1] == '/';
        for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
            single |= strlen(alone[i]) == length && strncmp(alone[i], at + 1, length) == 0;
        }
        if (!single) {
            assert_true(depth < 64 && length > 0 && length < 16);
            memcpy(open[depth], at + 1, length);
            open[depth++][length] = '\0';
        }
    }
    assert_int_equal(depth, 0);
}

typedef struct played {
    hz_match_config config;
    hz_sprt test;
    hz_match_run *run;
    hzi_text page;
} played;

static void play(played *p, const char *const *players, size_t count, hz_match_scheme scheme,
                 uint64_t pairs, bool tested) {
    hz_error err;
    *p = (played){.config = hz_match_config_default(), .test = {0.0, 20.0, 0.05, 0.05}};
    p->config.scheme = scheme;
    p->config.players = players;
    p->config.player_count = count;
    p->config.pairs = pairs;
    p->config.sprt = tested ? &p->test : NULL;
    p->config.rules.carelessness = true;
    p->config.page_games = 6;
    if (hz_match_run_new(&p->config, &p->run, &err) != HZ_OK ||
        hz_match_run_play(p->run, &err) != HZ_OK ||
        hz_match_report_html(hz_match_run_view(p->run), NULL, keep, &p->page, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
}

static void end(played *p) {
    hz_match_run_free(p->run);
    hzi_text_fini(&p->page);
}

/* Nothing is loaded, nothing is run, and no number is none. */
static void check_alone(const char *page) {
    static const char *const foreign[] = {
        "<script",  "<link",     "<img",  "<iframe", "http:", "https:", "@import",
        " onload=", " onclick=", "\"nan", "\"-nan",  ">nan",  "\"inf",  " nan"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        const char *found = strstr(page, foreign[i]);
        if (found) {
            fail_msg("'%s' on the page: %.60s", foreign[i], found);
        }
    }
}

static void page_of_a_match_shows_everything_the_report_says(void **state) {
    (void)state;
    static const char *const players[] = {"aggressive", "greedy"};
    static const char *const parts[] = {"<title>aggressive against greedy</title>",
                                        "Score of A over time",
                                        "Path of the sequential test",
                                        "Pairs by their score",
                                        "How games ended",
                                        "Time of A",
                                        "What the run could have seen",
                                        "turns that left a piece hanging",
                                        "role=\"img\"",
                                        "<details>",
                                        "prefers-color-scheme:dark",
                                        "default-src 'none'"};
    played p;
    play(&p, players, 2, HZ_SCHEME_MATCH, 30, true);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!strstr(p.page.bytes, parts[i])) {
            fail_msg("'%s' is not on the page", parts[i]);
        }
    }
    check_marks(p.page.bytes);
    check_alone(p.page.bytes);
    end(&p);
}

static void page_is_the_same_under_a_decimal_comma(void **state) {
    (void)state;
    static const char *const players[] = {"aggressive", "greedy"};
    played p;
    hz_error err;
    hzi_text again = {0};
    play(&p, players, 2, HZ_SCHEME_MATCH, 20, true);
    test_comma();
    hz_status status = hz_match_report_html(hz_match_run_view(p.run), NULL, keep, &again, &err);
    test_point();
    assert_int_equal(status, HZ_OK);
    assert_int_equal(again.length, p.page.length);
    assert_memory_equal(again.bytes, p.page.bytes, again.length);
    hzi_text_fini(&again);
    end(&p);
}

static void page_of_a_tournament_has_ratings_and_a_crosstable(void **state) {
    (void)state;
    static const char *const players[] = {"random", "greedy", "aggressive"};
    played p;
    play(&p, players, 3, HZ_SCHEME_ROUND_ROBIN, 5, false);
    assert_non_null(strstr(p.page.bytes, "Ratings"));
    assert_non_null(strstr(p.page.bytes, "class=\"whisker\""));
    const char *cross = strstr(p.page.bytes, "Everybody against everybody");
    assert_non_null(cross);
    cross = strstr(cross, "class=\"up\"><a href=\"#game-");
    assert_non_null(cross); /* its numbers lead to games */
    check_marks(p.page.bytes);
    check_alone(p.page.bytes);
    end(&p);
    play(&p, players, 3, HZ_SCHEME_GAUNTLET, 2, false);
    assert_non_null(strstr(p.page.bytes, "random against 2 others"));
    assert_null(strstr(p.page.bytes, "class=\"cross\""));
    check_marks(p.page.bytes);
    end(&p);
}

static void a_single_pair_and_no_game_at_all_give_pages_too(void **state) {
    (void)state;
    static const char *const players[] = {"greedy", "greedy"};
    played p;
    play(&p, players, 2, HZ_SCHEME_MATCH, 1, true);
    check_marks(p.page.bytes);
    check_alone(p.page.bytes);
    end(&p);
    hz_match_config config = hz_match_config_default();
    hz_match_pairing pairing = {0};
    const hz_match_player_info infos[2] = {{.name = "a<b", .text = "a<b:\"x\""},
                                           {.name = "c&d", .text = "c&d", .book = "<book>"}};
    const hz_match_view view = {.config = &config,
                                .player_count = 2,
                                .players = infos,
                                .pairing_count = 1,
                                .pairings = &pairing,
                                .workers = 1,
                                .ranks = 1,
                                .cancelled = true};
    hz_error err;
    hzi_text page = {0};
    config.games_record = "games of \"a\".txt";
    assert_int_equal(hz_match_report_html(&view, "x/y.html", keep, &page, &err), HZ_OK);
    assert_non_null(strstr(page.bytes, "No game was finished"));
    assert_non_null(strstr(page.bytes, "a&#60;b"));
    assert_non_null(strstr(page.bytes, "&#60;book&#62;"));
    assert_non_null(strstr(page.bytes, "href=\"../games%20of%20%22a%22.txt\""));
    assert_non_null(strstr(page.bytes, "stopped before its end"));
    check_marks(page.bytes);
    hzi_text_fini(&page);
}

static void long_runs_are_drawn_with_few_points(void **state) {
    (void)state;
    enum { PAIRS = 100000 };
    hz_match_config config = hz_match_config_default();
    const hz_sprt test = {0.0, 20.0, 0.05, 0.05};
    hz_match_pairing pairing = {0};
    const hz_match_player_info infos[2] = {{.name = "a", .text = "a"}, {.name = "b", .text = "b"}};
    hz_random random = hz_random_from_seed(test_seed());
    config.sprt = &test;
    pairing.tally.path = malloc(PAIRS);
    assert_non_null(pairing.tally.path);
    pairing.tally.pairs = PAIRS;
    for (size_t i = 0; i < PAIRS; i++) {
        unsigned quarters = hz_random_draw(&random, 5);
        pairing.tally.path[i] = (uint8_t)quarters;
        pairing.tally.counts.pairs[quarters]++;
    }
    pairing.tally.counts.games[0] = pairing.tally.counts.games[2] = PAIRS;
    pairing.sprt = hz_sprt_evaluate(&test, &pairing.tally.counts);
    const hz_match_view view = {.config = &config,
                                .player_count = 2,
                                .players = infos,
                                .pairing_count = 1,
                                .pairings = &pairing,
                                .workers = 1,
                                .ranks = 1};
    hz_error err;
    hzi_text page = {0};
    assert_int_equal(hz_match_report_html(&view, NULL, keep, &page, &err), HZ_OK);
    assert_true(page.length < 120000);
    check_marks(page.bytes);
    hzi_text_fini(&page);
    free(pairing.tally.path);
}

/* ---- games ---- */

static size_t times(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at++) {
        count++;
    }
    return count;
}

/* Every link within the page leads somewhere. */
static void check_links(const char *page) {
    for (const char *at = page; (at = strstr(at, "href=\"#")); at++) {
        char wanted[80];
        size_t length = strcspn(at + 7, "\"");
        assert_true(length > 0 && length < 60);
        (void)snprintf(wanted, sizeof wanted, "id=\"%.*s\"", (int)length, at + 7);
        if (!strstr(page, wanted)) {
            fail_msg("nothing has the %s", wanted);
        }
    }
}

static void games_are_drawn_and_can_be_linked_to(void **state) {
    (void)state;
    static const char *const players[] = {"aggressive", "greedy"};
    played p;
    play(&p, players, 2, HZ_SCHEME_MATCH, 8, false);
    const hz_match_view *view = hz_match_run_view(p.run);
    assert_true(view->game_count >= 6);
    assert_int_equal(times(p.page.bytes, "class=\"game\""), view->game_count);
    assert_non_null(strstr(p.page.bytes, "id=\"game-1-1-1\""));
    assert_non_null(strstr(p.page.bytes, "id=\"game-1-3-2\""));
    assert_null(strstr(p.page.bytes, "id=\"game-1-4-1\""));
    /* The start, and a board for every turn. */
    const char *turns = strstr(view->games[0], "\"turns\":[");
    assert_non_null(turns);
    char *game = strdup(strstr(p.page.bytes, "id=\"game-1-1-1\""));
    *strstr(game, "</article>") = '\0';
    assert_int_equal(times(game, "class=\"board\""), 1 + times(turns, "[\""));
    assert_int_equal(times(game, "class=\"taken\""), 1);
    free(game);
    check_links(p.page.bytes);
    check_marks(p.page.bytes);
    check_alone(p.page.bytes);
    end(&p);
}

static void shown_games_do_not_depend_on_workers_or_on_stops(void **state) {
    (void)state;
    static const char *const players[] = {"aggressive", "greedy", "random"};
    char path[] = "/tmp/hazard-page-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    (void)remove(path);
    played p;
    play(&p, players, 3, HZ_SCHEME_ROUND_ROBIN, 6, false);
    const hz_match_view *all = hz_match_run_view(p.run);
    assert_true(all->game_count >= 6);
    for (uint64_t pairs = 1; pairs <= 6; pairs += 5) { /* stopped after a pair, then going on */
        hz_match_config config = p.config;
        hz_match_run *run;
        hz_error err;
        config.pairs = pairs;
        config.threads = 3;
        config.checkpoint = path;
        config.resume = true;
        assert_int_equal(hz_match_run_new(&config, &run, &err), HZ_OK);
        assert_int_equal(hz_match_run_play(run, &err), HZ_OK);
        const hz_match_view *view = hz_match_run_view(run);
        if (pairs == 6) {
            assert_int_equal(view->pairs_resumed, 3);
            assert_int_equal(view->game_count, all->game_count);
            hzi_text page = {0};
            assert_int_equal(hz_match_report_html(view, NULL, keep, &page, &err), HZ_OK);
            const char *there = strstr(p.page.bytes, "id=\"games\"");
            const char *here = strstr(page.bytes, "id=\"games\"");
            size_t length = (size_t)(strstr(there, "<footer>") - there);
            assert_true(there && here && strncmp(there, here, length) == 0);
            hzi_text_fini(&page);
        }
        hz_match_run_free(run);
    }
    (void)remove(path);
    end(&p);
}

static hz_status sulk(hz_match_player *player, const hz_match_question *question,
                      hz_match_reply *reply, hz_error *err) {
    (void)player, (void)err;
    *reply = (hz_match_reply){0};
    if (question->ply >= 20 && question->game_number == 15) {
        reply->fault = HZ_FAULT_GARBLED;
        (void)snprintf(reply->note, sizeof reply->note, "<nonsense>");
        return HZ_OK;
    }
    hz_result_list list;
    hz_status status = hz_results_list(question->position, NULL, question->arena, &list, err);
    /* Nobody takes a king, so that games go on. */
    size_t at = list.winning == 0 && list.count > 1 ? 1 : 0;
    reply->turn = list.results[at].turn;
    return status;
}

static hz_status open_sulker(void *context, size_t index, hz_match_player *player, hz_error *err) {
    (void)context, (void)index, (void)err;
    *player = (hz_match_player){.name = "sulker", .ask = sulk};
    return HZ_OK;
}

static void strange_ends_are_shown_though_they_come_late(void **state) {
    (void)state;
    played p = {.config = hz_match_config_default()};
    hz_error err;
    p.config.open = open_sulker;
    p.config.pairs = 12;
    p.config.page_games = 2;
    p.config.rules.max_plies = 300;
    assert_int_equal(hz_match_run_new(&p.config, &p.run, &err), HZ_OK);
    assert_int_equal(hz_match_run_play(p.run, &err), HZ_OK);
    assert_int_equal(hz_match_report_html(hz_match_run_view(p.run), NULL, keep, &p.page, &err),
                     HZ_OK);
    const hz_match_view *view = hz_match_run_view(p.run);
    assert_in_range(view->game_count, 3, 6);
    assert_int_equal(view->pairings[0].tally.ends[HZ_END_GARBLED], 1);
    assert_non_null(strstr(p.page.bytes, "id=\"game-1-8-2\""));
    assert_non_null(strstr(p.page.bytes, "garbled (&#60;nonsense&#62;)"));
    assert_true(p.page.length < 2000000);
    check_links(p.page.bytes);
    check_marks(p.page.bytes);
    end(&p);
}

static void chess_games_are_shown_in_their_own_notation(void **state) {
    (void)state;
    static const char *const players[] = {"search:depth=1", "search:depth=1"};
    played p = {.config = hz_match_config_default()};
    hz_error err;
    p.config.rules.game = HZ_MATCH_CHESS;
    p.config.players = players;
    p.config.pairs = 1;
    p.config.page_games = 2;
    p.config.rules.max_plies = 260;
    assert_int_equal(hz_match_run_new(&p.config, &p.run, &err), HZ_OK);
    assert_int_equal(hz_match_run_play(p.run, &err), HZ_OK);
    assert_int_equal(hz_match_report_html(hz_match_run_view(p.run), NULL, keep, &p.page, &err),
                     HZ_OK);
    assert_int_equal(hz_match_run_view(p.run)->game_count, 2);
    assert_int_equal(times(p.page.bytes, "class=\"game\""), 2);
    assert_null(strstr(p.page.bytes, "class=\"dice\""));
    assert_non_null(strstr(p.page.bytes, "<span>N")); /* a knight's move, in SAN */
    check_links(p.page.bytes);
    check_marks(p.page.bytes);
    check_alone(p.page.bytes);
    end(&p);
}

static bool refuse(void *context, const char *bytes, size_t length) {
    (void)context, (void)bytes, (void)length;
    return false;
}

static void page_that_cannot_be_written_is_an_error(void **state) {
    (void)state;
    static const char *const players[] = {"greedy", "random"};
    played p;
    hz_error err;
    play(&p, players, 2, HZ_SCHEME_MATCH, 1, false);
    assert_int_equal(hz_match_report_html(hz_match_run_view(p.run), NULL, refuse, NULL, &err),
                     HZ_IO);
    end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_in_texts_are_escaped),
        cmocka_unit_test(numbers_have_a_point_and_their_decimals),
        cmocka_unit_test(files_are_addressed_from_the_page),
        cmocka_unit_test(page_of_a_match_shows_everything_the_report_says),
        cmocka_unit_test(page_is_the_same_under_a_decimal_comma),
        cmocka_unit_test(page_of_a_tournament_has_ratings_and_a_crosstable),
        cmocka_unit_test(a_single_pair_and_no_game_at_all_give_pages_too),
        cmocka_unit_test(long_runs_are_drawn_with_few_points),
        cmocka_unit_test(games_are_drawn_and_can_be_linked_to),
        cmocka_unit_test(shown_games_do_not_depend_on_workers_or_on_stops),
        cmocka_unit_test(strange_ends_are_shown_though_they_come_late),
        cmocka_unit_test(chess_games_are_shown_in_their_own_notation),
        cmocka_unit_test(page_that_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
