/* SPDX-License-Identifier: MIT */
/* Pages: strangers' texts stay texts, numbers stay numbers under any locale, marks are closed, and what a
 * report says is on the page. */
#include "arena/html.h"

#include <hazard/arena.h>

#include "support/support.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    const char *before = setlocale(LC_NUMERIC, NULL);
    char *kept = strdup(before ? before : "C");
    (void)setlocale(LC_NUMERIC, "de_DE.UTF-8"); /* where there is one */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hzi_text out = {0};
        hzi_html_fixed(&out, cases[i].value, cases[i].decimals);
        assert_string_equal(out.bytes, cases[i].text);
        hzi_text_fini(&out);
    }
    (void)setlocale(LC_NUMERIC, kept);
    free(kept);
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

static void page_of_a_tournament_has_ratings_and_a_crosstable(void **state) {
    (void)state;
    static const char *const players[] = {"random", "greedy", "aggressive"};
    played p;
    play(&p, players, 3, HZ_SCHEME_ROUND_ROBIN, 5, false);
    assert_non_null(strstr(p.page.bytes, "Ratings"));
    assert_non_null(strstr(p.page.bytes, "class=\"whisker\""));
    assert_non_null(strstr(p.page.bytes, "Everybody against everybody"));
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
        cmocka_unit_test(page_of_a_tournament_has_ratings_and_a_crosstable),
        cmocka_unit_test(a_single_pair_and_no_game_at_all_give_pages_too),
        cmocka_unit_test(long_runs_are_drawn_with_few_points),
        cmocka_unit_test(page_that_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
