/* SPDX-License-Identifier: MIT */
/* EPD: lines read and written again, operations found, clocks, refusals at their place, memory. */
#include "chess/games.h"

#include <stdio.h>

#define BOARD "4k3/8/8/8/8/8/8/4K2R w K -"

static char *written(const hz_epd *epd) {
    size_t length = hz_epd_write(epd, NULL, 0);
    char *text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(hz_epd_write(epd, text, length + 1), length);
    assert_int_equal(strlen(text), length);
    return text;
}

/* Facts: line, status name, offset of the error, the line as it is written again. */
static void lines_are_read_or_refused_at_their_place(void **state) {
    (void)state;
    test_table table = test_table_load("chess_epd.tsv", 4);
    hz_arena arena;
    hz_arena_init(&arena, 0);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *field = table.rows[i].field;
        hz_epd epd = {.count = 77}, again;
        hz_error err;
        hz_arena_reset(&arena);
        hz_status status = hz_epd_read(field[0], strlen(field[0]), &arena, &epd, &err);
        test_same_text(field[0], "status", field[1], hz_status_name(status));
        if (status != HZ_OK) {
            test_same_number(field[0], "offset", test_number(field[2]), err.offset);
            assert_printable(err.message);
            assert_int_equal(epd.count, 77);
            continue;
        }
        char *text = written(&epd);
        test_same_text(field[0], "written", field[3], text);
        assert_int_equal(hz_epd_read(text, strlen(text), &arena, &again, &err), HZ_OK);
        char *text_again = written(&again);
        test_same_text(field[0], "written twice", text, text_again);
        free(text_again);
        free(text);
    }
    hz_arena_fini(&arena);
    test_table_free(&table);
}

static void operations_are_found_with_their_operands(void **state) {
    (void)state;
    static const char line[] =
        BOARD " bm O-O Ke2; id \"two; words\"; c0 \"\"; noop; hmvc 12; fmvn 40; acd 12;";
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_epd epd;
    assert_int_equal(hz_epd_read(line, strlen(line), &arena, &epd, NULL), HZ_OK);
    assert_int_equal(epd.count, 7);
    const hz_epd_operation *bm = hz_epd_find(&epd, "bm"), *id = hz_epd_find(&epd, "id"),
                           *c0 = hz_epd_find(&epd, "c0"), *noop = hz_epd_find(&epd, "noop");
    assert_true(bm && id && c0 && noop && !hz_epd_find(&epd, "b") && !hz_epd_find(&epd, "am"));
    assert_int_equal(bm->count, 2);
    assert_string_equal(bm->operands[0], "O-O");
    assert_string_equal(bm->operands[1], "Ke2");
    assert_false(bm->quoted[0]);
    assert_string_equal(id->operands[0], "two; words");
    assert_true(id->quoted[0]);
    assert_string_equal(c0->operands[0], "");
    assert_int_equal(noop->count, 0);
    assert_int_equal(epd.position.halfmove, 12);
    assert_int_equal(epd.position.fullmove, 40);
    hz_arena_fini(&arena);
}

static void clocks_come_from_their_operations(void **state) {
    (void)state;
    static const struct {
        const char *line;
        unsigned halfmove;
        uint32_t fullmove;
    } cases[] = {
        {BOARD, 0, 1},
        {BOARD " hmvc 0; fmvn 1;", 0, 1},
        {BOARD " hmvc 255; fmvn 2147483647;", 255, INT32_MAX},
        {BOARD " hmvc 256; fmvn 2147483648;", 255, INT32_MAX},
        {BOARD " hmvc 99999999999999999999999; fmvn 99999999999999999999999;", 255, INT32_MAX},
        {BOARD " hmvc x; fmvn 0;", 0, 1},
        {BOARD " hmvc 1 2; fmvn;", 0, 1},
        {BOARD " hmvc \"7\"; fmvn \"\";", 7, 1},
        {BOARD " hmvc -7; fmvn 1x;", 0, 1},
    };
    hz_arena arena;
    hz_arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_epd epd;
        assert_int_equal(hz_epd_read(cases[i].line, strlen(cases[i].line), &arena, &epd, NULL),
                         HZ_OK);
        test_same_number(cases[i].line, "hmvc", cases[i].halfmove, epd.position.halfmove);
        test_same_number(cases[i].line, "fmvn", cases[i].fullmove, epd.position.fullmove);
    }
    hz_arena_fini(&arena);
}

static void control_characters_are_refused_and_latin_1_is_read(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_epd epd;
    hz_error err;
    static const char nul[] = BOARD " id \"a\0b\";";
    assert_int_equal(hz_epd_read(nul, sizeof nul - 1, &arena, &epd, &err), HZ_EPD_SYNTAX);
    assert_int_equal(err.offset, strlen(BOARD " id \"a"));
    static const char nul_plain[] = BOARD " bm a\0b;";
    assert_int_equal(hz_epd_read(nul_plain, sizeof nul_plain - 1, &arena, &epd, &err),
                     HZ_EPD_SYNTAX);
    static const char latin[] = BOARD " id \"M\xFCller \x8A\";";
    assert_int_equal(hz_epd_read(latin, strlen(latin), &arena, &epd, &err), HZ_OK);
    assert_string_equal(hz_epd_find(&epd, "id")->operands[0], "M\xC3\xBCller \xC5\xA0");
    static const char utf8[] = BOARD " id \"M\xC3\xBCller\"; \r\n";
    assert_int_equal(hz_epd_read(utf8, strlen(utf8), &arena, &epd, &err), HZ_OK);
    assert_string_equal(hz_epd_find(&epd, "id")->operands[0], "M\xC3\xBCller");
    hz_arena_fini(&arena);
}

static void what_cannot_be_written_is_replaced(void **state) {
    (void)state;
    const char *const operands[] = {"two words", "", "a;b", "say \"no\"", "line\nfeed", "plain"};
    const bool quoted[6] = {false};
    const hz_epd_operation operations[] = {{"c0", 6, operands, quoted}, {"noop", 0, NULL, NULL}};
    const hz_epd epd = {.position = read_fen("4k3/8/8/8/8/8/8/4K2R w K - 5 9"),
                        .count = 2,
                        .operations = operations};
    char *text = written(&epd);
    assert_string_equal(text,
                        BOARD " c0 \"two words\" \"\" \"a;b\" \"say 'no'\" \"line feed\" plain; "
                              "noop;");
    char cut[30];
    assert_int_equal(hz_epd_write(&epd, cut, sizeof cut), strlen(text));
    assert_int_equal(strlen(cut), sizeof cut - 1);
    assert_memory_equal(cut, text, sizeof cut - 1);
    free(text);
}

static void limits_are_kept(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    test_text text = {0};
    hz_epd epd;
    hz_error err;
    for (int extra = 0; extra < 2; extra++) {
        test_text_clear(&text);
        test_text_add(&text, BOARD " pv");
        for (int i = 0; i < 256 + extra; i++) {
            test_text_add(&text, " e4");
        }
        test_text_add(&text, ";");
        const char *line = test_text_get(&text);
        assert_int_equal(hz_epd_read(line, strlen(line), &arena, &epd, &err),
                         extra ? HZ_EPD_SYNTAX : HZ_OK);
        test_text_clear(&text);
        test_text_add(&text, BOARD);
        for (int i = 0; i < 256 + extra; i++) {
            char code[16] = {' ', 'c', (char)('a' + i / 26 % 26), (char)('a' + i % 26), ';', '\0'};
            test_text_add(&text, code);
        }
        line = test_text_get(&text);
        assert_int_equal(hz_epd_read(line, strlen(line), &arena, &epd, &err),
                         extra ? HZ_EPD_SYNTAX : HZ_OK);
        assert_true(extra || epd.count == 256);
    }
    test_text_free(&text);
    hz_arena_fini(&arena);
}

/* Random operations survive writing and reading. */
static void random_lines_come_back(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    hz_arena arena;
    hz_arena_init(&arena, 0);
    for (size_t i = 0, rounds = test_effort(2000); i < rounds; i++) {
        hz_arena_reset(&arena);
        hz_epd_operation operations[8];
        const char *operands[8][4];
        bool quoted[8][4];
        char codes[8][24];
        hz_epd epd = {.position = read_fen(other_starts[i % OTHER_STARTS]),
                      .count = hz_random_draw(&random, 9),
                      .operations = operations};
        epd.position.halfmove = 0;
        epd.position.fullmove = 1;
        for (size_t k = 0; k < epd.count; k++) {
            static const char *const words[] = {"O-O", "12",        "-3",      "a;b",
                                                "",    "two words", "\xC3\xBC"};
            snprintf(codes[k], sizeof codes[k], "c%zu", k);
            operations[k] =
                (hz_epd_operation){codes[k], hz_random_draw(&random, 5), operands[k], quoted[k]};
            for (size_t n = 0; n < operations[k].count; n++) {
                uint32_t word = hz_random_draw(&random, 7);
                operands[k][n] = words[word];
                quoted[k][n] = word > 2 || hz_random_draw(&random, 2);
            }
        }
        char *text = written(&epd);
        hz_epd read;
        hz_error err;
        if (hz_epd_read(text, strlen(text), &arena, &read, &err) != HZ_OK) {
            fail_msg("%s: %s", text, err.message);
        }
        assert_true(hz_position_same_board(&read.position, &epd.position));
        assert_int_equal(read.count, epd.count);
        for (size_t k = 0; k < epd.count; k++) {
            assert_string_equal(read.operations[k].code, operations[k].code);
            assert_int_equal(read.operations[k].count, operations[k].count);
            for (size_t n = 0; n < operations[k].count; n++) {
                assert_string_equal(read.operations[k].operands[n], operands[k][n]);
                assert_int_equal(read.operations[k].quoted[n], quoted[k][n]);
            }
        }
        free(text);
    }
    hz_arena_fini(&arena);
}

/* Whatever little memory there is: done or NO_MEMORY, and more never does less. */
static void every_amount_of_memory_is_survived(void **state) {
    (void)state;
    static char line[20000];
    test_copy(line, sizeof line, BOARD);
    for (int i = 0; i < 60; i++) {
        char operation[64];
        snprintf(operation, sizeof operation, " c%d \"a long operand number %d\" e4 Nf3;", i, i);
        test_append(line, sizeof line, operation);
    }
    bool done = false;
    for (size_t limit = 1; limit < 40000; limit += 97) {
        hz_arena arena;
        hz_arena_init(&arena, limit);
        hz_epd epd;
        hz_error err;
        hz_status status = hz_epd_read(line, strlen(line), &arena, &epd, &err);
        assert_true(status == HZ_OK || (status == HZ_NO_MEMORY && !done));
        done = done || status == HZ_OK;
        assert_true(status != HZ_OK || epd.count == 60);
        hz_arena_fini(&arena);
    }
    assert_true(done);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_read_or_refused_at_their_place),
        cmocka_unit_test(operations_are_found_with_their_operands),
        cmocka_unit_test(clocks_come_from_their_operations),
        cmocka_unit_test(control_characters_are_refused_and_latin_1_is_read),
        cmocka_unit_test(what_cannot_be_written_is_replaced),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(random_lines_come_back),
        cmocka_unit_test(every_amount_of_memory_is_survived),
    };
    return cmocka_run_group_tests_name("chess/epd", tests, NULL, NULL);
}
