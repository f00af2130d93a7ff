/* SPDX-License-Identifier: MIT */
/* The opening book: reading files that anybody may have written, and the bot that consults it. */
#include "bots/asking.h"

#include <stdio.h>
#include <stdlib.h>

#include "ref/ref_random.h"

/* ---- reading ---- */

static hz_book *parse(const char *text, size_t length) {
    hz_book *book = NULL;
    hz_error err;
    if (hz_book_parse(text, length, &book, &err) != HZ_OK) {
        fail_msg("\"%s\": %s", text, err.message);
    }
    return book;
}

static hz_book *parse_text(const char *text) {
    return parse(text, strlen(text));
}

static void finds(const hz_book *book, const char *key, const char *value) {
    const char *found = hz_book_find(book, key);
    if (!found) {
        fail_msg("no entry for \"%s\"", key);
    }
    assert_string_equal(found, value);
}

static void an_empty_text_is_an_empty_book(void **state) {
    (void)state;
    static const char *const texts[] = {"", "\n", "\r\n\r\n", "  \t \n\t\n \v\f\r\n", " "};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        hz_book *book = parse_text(texts[i]);
        assert_int_equal(hz_book_count(book), 0);
        assert_null(hz_book_find(book, ""));
        hz_book_free(book);
    }
    hz_book *book = parse(NULL, 0);
    assert_int_equal(hz_book_count(book), 0);
    hz_book_free(book);
    hz_book_free(NULL);
}

static void parts_are_trimmed_and_blank_lines_skipped(void **state) {
    (void)state;
    hz_book *book = parse_text("\r\n k 1 \t a2a3 , b \r\n\n  \n\vk2\t \v e2e4\f\n \t \nk3\tlast");
    assert_int_equal(hz_book_count(book), 3);
    finds(book, "k 1", "a2a3 , b");
    finds(book, "k2", "e2e4");
    finds(book, "k3", "last");
    assert_null(hz_book_find(book, "k"));
    assert_null(hz_book_find(book, "k 1 "));
    hz_book_free(book);
}

static void the_last_line_of_a_key_wins(void **state) {
    (void)state;
    hz_book *book = parse_text("b\t1\na\t1\nb\t2\na \t2\nb\t3\n");
    assert_int_equal(hz_book_count(book), 2);
    finds(book, "a", "2");
    finds(book, "b", "3");
    hz_book_free(book);
}

static void every_entry_of_a_big_book_is_found(void **state) {
    (void)state;
    enum { ENTRIES = 20000 };
    test_text text = {0};
    for (unsigned i = 0; i < ENTRIES; i++) {
        char line[64];
        snprintf(line, sizeof line, "key%u\tvalue%u\n", i * 7919u % ENTRIES, i);
        test_text_add(&text, line);
    }
    hz_book *book = parse(text.text, text.length);
    assert_int_equal(hz_book_count(book), ENTRIES);
    for (unsigned i = 0; i < ENTRIES; i++) {
        char key[32], value[32];
        snprintf(key, sizeof key, "key%u", i * 7919u % ENTRIES);
        snprintf(value, sizeof value, "value%u", i);
        finds(book, key, value);
    }
    hz_book_free(book);
    test_text_free(&text);
}

static void bad_lines_fail_the_whole_book_and_are_listed(void **state) {
    (void)state;
    static const struct {
        const char *text, *lines;
        uint32_t first;
        size_t offset;
    } cases[] = {
        {"k: 5", "1 bad line in the opening book (1)", 1, 0},
        {"\t1.e2e4", "(1)", 1, 0},
        {"key\t", "(1)", 1, 0},
        {"key\t \r", "(1)", 1, 0},
        {"a\tb\tc", "(1)", 1, 0},
        {"a\tb\t", "(1)", 1, 0},
        {"\ta\tb", "(1)", 1, 0},
        {"# comment", "(1)", 1, 0},
        {"a\tb\r\n\r\nbad\r\nc\td\nbad\n", "2 bad lines in the opening book (3, 5)", 3, 7},
        {"a\tb\n \n\tx", "(3)", 3, 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hz_book *book = NULL;
        hz_error err;
        assert_int_equal(hz_book_parse(cases[i].text, strlen(cases[i].text), &book, &err),
                         HZ_BOOK_SYNTAX);
        assert_null(book);
        if (!strstr(err.message, cases[i].lines)) {
            fail_msg("\"%s\": %s", cases[i].text, err.message);
        }
        test_same_number(cases[i].text, "line", cases[i].first, err.line);
        test_same_number(cases[i].text, "offset", cases[i].offset, err.offset);
        assert_int_equal(hz_book_parse(cases[i].text, strlen(cases[i].text), &book, NULL),
                         HZ_BOOK_SYNTAX);
    }
}

static void a_long_list_of_bad_lines_is_cut_visibly(void **state) {
    (void)state;
    test_text text = {0};
    for (int i = 0; i < 5000; i++) {
        test_text_add(&text, i % 2 ? "good\tline\n" : "bad line\n");
    }
    hz_book *book = NULL;
    hz_error err;
    assert_int_equal(hz_book_parse(text.text, text.length, &book, &err), HZ_BOOK_SYNTAX);
    assert_non_null(strstr(err.message, "2500 bad lines in the opening book (1, 3, 5, 7, "));
    assert_non_null(strstr(err.message, ", ...): "));
    assert_true(strlen(err.message) < sizeof err.message - 1);
    test_text_free(&text);
}

static void nul_bytes_are_bytes_like_others(void **state) {
    (void)state;
    static const char text[] = "a\0b\tc\na\td\0e\nk\tv";
    hz_book *book = parse(text, sizeof text - 1);
    assert_int_equal(hz_book_count(book), 3);
    finds(book, "k", "v");
    assert_non_null(hz_book_find(book, "a"));
    hz_book_free(book);
}

static void any_bytes_give_a_book_or_an_error(void **state) {
    (void)state;
    static const char alphabet[] = "\t\t\t\n\n\r \0ab\xFF";
    ref_random random = ref_random_from_seed(test_seed());
    int kinds[2] = {0};
    for (size_t i = 0, n = test_effort(5000); i < n; i++) {
        size_t length = ref_random_below(&random, 40);
        char *text = malloc(length + 1); /* exact, so that a sanitizer sees a step outside */
        assert_non_null(text);
        size_t used = 0;
        bool whole_lines = ref_random_chance(&random, 50);
        while (used < length) {
            bool entry = whole_lines && length - used >= 4;
            if (entry) {
                for (int c = 0; c < 4; c++) {
                    text[used++] = "k\tv\n"[c];
                }
            } else {
                text[used++] = alphabet[ref_random_below(&random, sizeof alphabet - 1)];
            }
        }
        char *exact = realloc(text, length ? length : 1);
        assert_non_null(exact);
        hz_book *book = NULL;
        hz_error err;
        hz_status status = hz_book_parse(exact, length, &book, &err);
        assert_true(status == HZ_OK ? book != NULL : status == HZ_BOOK_SYNTAX && !book);
        kinds[status == HZ_OK]++;
        hz_book_free(book);
        free(exact);
    }
    test_met(kinds[0] > 0 && kinds[1] > 0);
}

static void huge_lines_are_read(void **state) {
    (void)state;
    enum { HALF = 1 << 20 };
    char *text = malloc(2 * HALF + 2);
    assert_non_null(text);
    memset(text, 'x', 2 * HALF + 2);
    text[HALF] = '\t';
    text[2 * HALF + 1] = '\0';
    hz_book *book = parse(text, 2 * HALF + 1);
    assert_int_equal(hz_book_count(book), 1);
    text[HALF] = '\0';
    assert_int_equal(strlen(hz_book_find(book, text)), HALF);
    hz_book_free(book);
    free(text);
}

/* ---- the bot ---- */

/* A counting bot behind a book of one entry: `value` for the position. */
typedef struct booked {
    asking ask;
    counting base;
    hz_book *book;
    hz_bot bot;
} booked;

static void booked_open(booked *b, const char *dfen, const char *value) {
    *b = (booked){.ask = asking_new()};
    char text[2 * HZ_DFEN_CAPACITY] = "";
    if (value) {
        hz_position position = test_position(dfen);
        size_t length = hz_position_book_key(&position, text, sizeof text);
        snprintf(text + length, sizeof text - length, "\t%s\n", value);
    }
    b->book = parse_text(text);
    hz_bot base = counting_bot(&b->base, "base", 6);
    assert_int_equal(hz_bot_with_book("booked", "With a book", b->book, &base, &b->bot, NULL),
                     HZ_OK);
}

static void booked_close(booked *b) {
    hz_bot_close(&b->bot);
    assert_int_equal(b->base.closed, 1);
    hz_book_free(b->book);
    asking_free(&b->ask);
}

/* Asks about a position whose entry is `value`; "-" when the wrapped bot was asked. */
static void played_text(const char *dfen, const char *value, char turn[HZ_TURN_CAPACITY]) {
    booked b;
    booked_open(&b, dfen, value);
    hz_deadline past = {.at_ns = 0};
    const hz_bot_answer *answer = asking_choose(&b.ask, &b.bot, dfen, 3, &past);
    assert_int_equal(b.ask.random.counter, 0);
    assert_true(answer->seed == 3 && answer->counter == 0);
    if (b.base.asked) {
        snprintf(turn, HZ_TURN_CAPACITY, "-");
        assert_int_equal(answer->score, 4711);
        assert_false(answer->from_book);
    } else {
        check_answer(dfen, &b.ask.position, answer);
        assert_int_equal(answer->tie_count, 1);
        assert_true(answer->from_book == !answer->turn.took_king);
        if (!answer->turn.took_king) {
            assert_int_equal(answer->score,
                             hz_evaluate_material(&answer->after, (hz_color)b.ask.position.side));
        }
        hz_turn_to_text(&answer->turn, turn);
    }
    booked_close(&b);
}

static void plays(const char *dfen, const char *value, const char *expected) {
    char turn[HZ_TURN_CAPACITY];
    played_text(dfen, value, turn);
    test_same_text(dfen, value ? value : "(miss)", expected, turn);
}

static const char PAWN_ON_7[] = "7k/P7/8/8/8/8/8/7K w - - 0 1 P";

static void a_promotion_needs_its_letter(void **state) {
    (void)state;
    plays(PAWN_ON_7, "a7a8q", "a7a8q");
    plays(PAWN_ON_7, "a7a8n", "a7a8n");
    plays(PAWN_ON_7, "a7a8", "-");
    plays(PAWN_ON_7, "a7a8Q", "-");
    plays(PAWN_ON_7, "a7a8k", "-");
}

static void the_order_of_the_micro_moves_is_the_one_of_smallest_text(void **state) {
    (void)state;
    const char *dfen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PPN";
    plays(dfen, "e2e4,d2d4,g1f3", "d2d4,e2e4,g1f3");
    plays(dfen, "g1f3,e2e4,d2d4", "d2d4,e2e4,g1f3");
    plays(dfen, "g1f3,e2e3,e3e4", "e2e3,e3e4,g1f3");
    plays(dfen, "e3e4,e2e3,g1f3", "e2e3,e3e4,g1f3");
}

static void the_turn_is_played_as_it_stands_canonical_or_not(void **state) {
    (void)state;
    /* Castling leads to the same squares with fewer micro-moves; the rights differ not. */
    const char *dfen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 RKK";
    plays(dfen, "e1g1,g1h2", "e1g1,g1h2");
    plays(dfen, "e1f1,f1g1,h1h2", "e1f1,f1g1,h1h2");
}

static void values_that_are_no_legal_turn_fall_through(void **state) {
    (void)state;
    const char *dfen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNR";
    static const char *const values[] = {
        "e2e4",                /* one die of three */
        "e2e4,g1f3",           /* two of three */
        "e2e4,g1f3,a1b1",      /* b1 is occupied */
        "e2e4,e2e4,g1f3",      /* the same pawn twice */
        "e2e4,g1f3,h1g1,a2a3", /* four */
        "e2e4,g1f3,h1g1,",     /* an empty one behind */
        ",e2e4,g1f3,h1g1",     /* in front */
        "e2e4,,g1f3,h1g1",     /* between */
        "e2e4, g1f3,h1g1",     /* blanks belong to no micro-move */
        "e2e4;g1f3;h1g1",      /* other separators */
        "E2E4,G1F3,H1G1",      /* capitals */
        "e2-e4,g1f3,h1g1",     /* another notation */
        "O-O",
        "garbage",
        "\xFF\xFE",
    };
    plays(dfen, "e2e4,g1f3,h1g1", "e2e4,g1f3,h1g1");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        plays(dfen, values[i], "-");
    }
}

static void a_king_capture_comes_before_the_book(void **state) {
    (void)state;
    plays("rnbqkbnr/ppppp1pp/8/7Q/5p2/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1 Q", "h5e5", "h5e8");
    /* The shortest one, whatever the book says. */
    plays("rnbqkbnr/ppppp1pp/8/7Q/5p2/8/PPPPPPPP/R3KBNR w KQkq - 0 1 QR", "a2a3", "h5e8");
    /* Only in positions of the book. */
    plays("rnbqkbnr/ppppp1pp/8/7Q/5p2/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1 Q", NULL, "-");
}

static void a_king_capture_in_the_book_is_no_other_than_the_shortest(void **state) {
    (void)state;
    plays("k7/8/8/8/8/8/8/R3K2R w - - 0 1 RR", "h1h8,h8a8", "a1a8");
}

static void keys_are_compared_without_clocks_and_dead_targets(void **state) {
    (void)state;
    hz_book *book =
        parse_text("rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR b KQkq - bpr\ta7a5,a8a6,e7e6\n");
    counting base = {0};
    hz_bot wrapped = counting_bot(&base, "base", 3), bot;
    assert_int_equal(hz_bot_with_book("b", NULL, book, &wrapped, &bot, NULL), HZ_OK);
    asking ask = asking_new();
    /* The pawns of Black cannot capture on h3; the value needs two pawn dice and falls through. */
    const char *dfen = "rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR b KQkq h3 9 17 rpb";
    asking_choose(&ask, &bot, dfen, 1, NULL);
    assert_int_equal(base.asked, 1);
    hz_bot_close(&bot);
    hz_book_free(book);

    book =
        parse_text("rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR b KQkq - bpr\ta8a6,a6h6,a7a5\n"
                   "rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR b KQkq - prr\ta8a6,a6h6,a7a5\n");
    base = (counting){0};
    wrapped = counting_bot(&base, "base", 3);
    assert_int_equal(hz_bot_with_book("b", NULL, book, &wrapped, &bot, NULL), HZ_OK);
    dfen = "rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR b KQkq h3 9 17 rrp";
    const hz_bot_answer *answer = asking_choose(&ask, &bot, dfen, 1, NULL);
    assert_true(answer->from_book && base.asked == 0);
    check_answer(dfen, &ask.position, answer);
    hz_bot_close(&bot);
    hz_book_free(book);
    asking_free(&ask);
}

static void a_miss_forwards_stream_and_deadline(void **state) {
    (void)state;
    booked b;
    booked_open(&b, HZ_START_DFEN, NULL);
    hz_deadline deadline = {.at_ns = 123456789};
    const char *dfen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 BPR";
    hz_position position = test_position(dfen);
    hz_random stream = {.seed = 8, .counter = 70};
    hz_bot_answer answer;
    hz_bot_request request = {
        .position = &position, .random = &stream, .deadline = &deadline, .arena = &b.ask.arena};
    assert_int_equal(hz_bot_choose(&b.bot, &request, &answer, NULL), HZ_OK);
    assert_int_equal(b.base.asked, 1);
    assert_int_equal(b.base.saw_deadline, 123456789);
    assert_int_equal(b.base.saw_counter, 70);
    assert_int_equal(answer.counter, 70);
    booked_close(&b);
}

static void a_pass_in_a_book_position_is_the_wrapped_bots(void **state) {
    (void)state;
    const char *dfen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 PPP";
    hz_position position = test_position(dfen);
    char text[HZ_DFEN_CAPACITY + 16];
    size_t length = hz_position_book_key(&position, text, sizeof text);
    snprintf(text + length, sizeof text - length, "\te1e2");
    hz_book *book = parse_text(text);
    asking ask = asking_new();
    hz_bot base = asking_open(&ask, "greedy"), bot;
    assert_int_equal(hz_bot_with_book("b", NULL, book, &base, &bot, NULL), HZ_OK);
    assert_true(asking_choose(&ask, &bot, dfen, 1, NULL)->pass);
    hz_bot_close(&bot);
    hz_book_free(book);
    asking_free(&ask);
}

static void the_first_legal_turn_of_random_positions_is_played(void **state) {
    (void)state;
    asking ask = asking_new();
    ref_random random = ref_random_from_seed(test_seed() + 3);
    for (size_t i = 0, n = test_effort(150); i < n;) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_ROLLED, dfen);
        hz_position position = test_position(dfen);
        hz_turn_list turns;
        hz_turn_counts counts;
        hz_arena_reset(&ask.arena);
        assert_int_equal(hz_turns_list(&position, 0, &ask.arena, &turns, NULL), HZ_OK);
        assert_int_equal(hz_turns_count(&position, 0, &counts, NULL), HZ_OK);
        if (!turns.count || counts.king_turns) {
            continue;
        }
        i++;
        /* Any turn, its micro-moves turned round: the smallest order of them is played. */
        const hz_turn *turn = &turns.turns[ref_random_below(&random, (unsigned)turns.count)];
        char expected[HZ_TURN_CAPACITY] = "";
        test_text value = {0};
        for (int m = turn->count - 1; m >= 0; m--) {
            char move[HZ_MOVE_CAPACITY];
            hz_move_to_text(turn->moves[m], move);
            test_text_add(&value, move);
            test_text_add(&value, m ? "," : "");
        }
        for (size_t t = 0; t < turns.count && !*expected; t++) {
            int same = 0;
            bool used[3] = {false};
            const hz_turn *other = &turns.turns[t];
            for (int m = 0; m < other->count; m++) {
                for (int k = 0; k < turn->count; k++) {
                    if (!used[k] && other->moves[m] == turn->moves[k]) {
                        used[k] = true;
                        same++;
                        break;
                    }
                }
            }
            if (same == turn->count && same == other->count) {
                hz_turn_to_text(other, expected);
            }
        }
        plays(dfen, test_text_get(&value), expected);
        test_text_free(&value);
    }
    asking_free(&ask);
}

/* ---- the wrapper ---- */

static void all_four_decisions_are_the_wrapped_bots(void **state) {
    (void)state;
    booked b;
    booked_open(&b, HZ_START_DFEN, NULL);
    hz_position position = test_position(HZ_START_DFEN);
    hz_random stream = hz_random_from_seed(1);
    for (int yes = 0; yes < 2; yes++) {
        b.base.yes = yes;
        for (int q = HZ_OFFER_DOUBLE; q <= HZ_ACCEPT_DRAW; q++) {
            bool answer;
            assert_int_equal(
                hz_bot_decide(&b.bot, (hz_decision)q, &position, HZ_BLACK, &stream, &answer, NULL),
                HZ_OK);
            assert_int_equal(answer, yes);
        }
    }
    assert_int_equal(b.base.decided, 8);
    booked_close(&b);
}

static void level_and_timing_are_the_wrapped_bots(void **state) {
    (void)state;
    asking ask = asking_new();
    hz_book *book = parse_text("");
    static const char *const bases[] = {"random", "monte-carlo"};
    for (int i = 0; i < 2; i++) {
        hz_bot base = asking_open(&ask, bases[i]), bot;
        hz_bot_info info = *base.info;
        assert_int_equal(
            hz_bot_with_book("opening-book", i ? "Booked" : NULL, book, &base, &bot, NULL), HZ_OK);
        assert_string_equal(bot.info->id, "opening-book");
        assert_string_equal(bot.info->display_name, i ? "Booked" : "opening-book");
        assert_int_equal(bot.info->level, info.level);
        assert_int_equal(bot.info->timed, info.timed);
        assert_true(bot.info->experimental);
        hz_registration *handle = NULL;
        assert_int_equal(hz_registry_register(ask.registry, &bot, &handle, NULL), HZ_OK);
        hz_bot opened = asking_open(&ask, "Opening-Book");
        assert_false(asking_choose(&ask, &opened, PAWN_ON_7, 1, NULL)->pass);
        hz_bot_close(&opened);
        hz_registration_close(handle);
    }
    hz_book_free(book);
    asking_free(&ask);
}

static void a_bad_id_is_refused_and_the_base_stays_open(void **state) {
    (void)state;
    static const char *const ids[] = {"", "Upper", "a b", "x:y", NULL};
    hz_book *book = parse_text("");
    counting base = {0};
    hz_bot wrapped = counting_bot(&base, "base", 3), bot;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        assert_int_equal(hz_bot_with_book(ids[i], NULL, book, &wrapped, &bot, NULL),
                         HZ_INVALID_ARGUMENT);
    }
    assert_int_equal(hz_bot_with_book("ok", NULL, NULL, &wrapped, &bot, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(base.closed, 0);
    hz_book_free(book);
}

static void an_exhausted_arena_is_an_error(void **state) {
    (void)state;
    booked b;
    booked_open(&b, PAWN_ON_7, "a7a8q");
    hz_position position = test_position(PAWN_ON_7);
    hz_arena none;
    hz_arena_init(&none, 1);
    hz_bot_answer answer;
    hz_error err;
    hz_bot_request request = {.position = &position, .random = &b.ask.random, .arena = &none};
    assert_int_equal(hz_bot_choose(&b.bot, &request, &answer, &err), HZ_NO_MEMORY);
    hz_arena_fini(&none);
    booked_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_text_is_an_empty_book),
        cmocka_unit_test(parts_are_trimmed_and_blank_lines_skipped),
        cmocka_unit_test(the_last_line_of_a_key_wins),
        cmocka_unit_test(every_entry_of_a_big_book_is_found),
        cmocka_unit_test(bad_lines_fail_the_whole_book_and_are_listed),
        cmocka_unit_test(a_long_list_of_bad_lines_is_cut_visibly),
        cmocka_unit_test(nul_bytes_are_bytes_like_others),
        cmocka_unit_test(any_bytes_give_a_book_or_an_error),
        cmocka_unit_test(huge_lines_are_read),
        cmocka_unit_test(a_promotion_needs_its_letter),
        cmocka_unit_test(the_order_of_the_micro_moves_is_the_one_of_smallest_text),
        cmocka_unit_test(the_turn_is_played_as_it_stands_canonical_or_not),
        cmocka_unit_test(values_that_are_no_legal_turn_fall_through),
        cmocka_unit_test(a_king_capture_comes_before_the_book),
        cmocka_unit_test(a_king_capture_in_the_book_is_no_other_than_the_shortest),
        cmocka_unit_test(keys_are_compared_without_clocks_and_dead_targets),
        cmocka_unit_test(a_miss_forwards_stream_and_deadline),
        cmocka_unit_test(a_pass_in_a_book_position_is_the_wrapped_bots),
        cmocka_unit_test(the_first_legal_turn_of_random_positions_is_played),
        cmocka_unit_test(all_four_decisions_are_the_wrapped_bots),
        cmocka_unit_test(level_and_timing_are_the_wrapped_bots),
        cmocka_unit_test(a_bad_id_is_refused_and_the_base_stays_open),
        cmocka_unit_test(an_exhausted_arena_is_an_error),
    };
    return cmocka_run_group_tests_name("bots book", tests, NULL, NULL);
}
