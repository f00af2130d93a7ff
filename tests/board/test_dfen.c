/* SPDX-License-Identifier: MIT */
/*
 * DFEN in and out: the published texts, the first failing check with its byte, and foreign bytes of
 * every kind against the reader of tests/ref that looks at one field after the other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref/ref_dfen.h"
#include "ref/ref_random.h"
#include "support/positions.h"

/* Texts are handed over without a NUL in a piece of exactly their size, so that a sanitizer sees
 * every byte read too many. */
static hz_status read_exactly(hz_position *position, const char *text, size_t length,
                              hz_error *err) {
    char *exact = malloc(length ? length : 1);
    assert_non_null(exact);
    memcpy(exact, text, length);
    hz_error_clear(err);
    hz_status status = hz_position_from_dfen(position, exact, length, err);
    free(exact);
    return status;
}

/*
 * Reads any bytes and checks everything that is promised: status and offset as the slow reader
 * says; on failure an unchanged position and a message; on success a text that reads back to
 * itself.
 */
static hz_status check_any(const char *text, size_t length) {
    size_t offset = 0;
    const char *expected = ref_dfen_check(text, length, &offset);
    hz_position position = test_position("8/8/8/8/8/8/8/K6k b - a1 99 77 qqq");
    const hz_position before = position;
    hz_error err;
    hz_status status = read_exactly(&position, text, length, &err);
    char where[400];
    snprintf(where, sizeof where, "[%.*s] of %zu bytes", (int)(length < 300 ? length : 300), text,
             length);
    test_same_text(where, "status", expected, hz_status_name(status));
    if (status != HZ_OK) {
        test_same_number(where, "code in the error", (unsigned)status, (unsigned)err.code);
        test_same_number(where, "offset", offset, err.offset);
        test_true(where, "message", err.message[0] != '\0');
        test_true(where, "position unchanged", test_same_position(&position, &before));
        return status;
    }
    char once[HZ_DFEN_CAPACITY], twice[HZ_DFEN_CAPACITY];
    test_dfen(&position, once);
    hz_position again = test_position(once);
    test_same_text(where, "text of the text", once, test_dfen(&again, twice));
    test_true(where, "same key", again.key == position.key);
    test_true(where, "key from nothing", hz_position_fresh_key(&position) == position.key);
    ref_position slow;
    char canonical[REF_DFEN_CAPACITY], input[1000];
    if (length < sizeof input) {
        memcpy(input, text, length);
        input[length] = '\0';
        test_true(where, "slow reader", ref_from_dfen(&slow, input));
        ref_to_dfen(&slow, canonical);
        test_same_text(where, "canonical text", canonical, once);
    }
    return status;
}

static void published_texts_are_read_or_refused(void **state) {
    (void)state;
    test_table table = test_table_load("board_dfen.tsv", 3);
    for (size_t i = 0; i < table.count; i++) {
        const test_row *row = &table.rows[i];
        char text[400], expected[400];
        snprintf(text, sizeof text, "%s", row->field[0]);
        snprintf(expected, sizeof expected, "%s", row->field[2]);
        for (char *c = text; *c; c++) {
            *c = *c == '_' ? ' ' : *c;
        }
        for (char *c = expected; *c; c++) {
            *c = *c == '_' ? ' ' : *c;
        }
        hz_position position = hz_position_empty();
        hz_error err;
        hz_status status = read_exactly(&position, text, strlen(text), &err);
        test_same_text(text, "status", row->field[1], hz_status_name(status));
        if (status == HZ_OK) {
            char buffer[HZ_DFEN_CAPACITY];
            test_same_text(text, "canonical text", expected, test_dfen(&position, buffer));
        }
        (void)check_any(text, strlen(text));
    }
    test_table_free(&table);
}

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

static void error_points_at_the_first_wrong_byte(void **state) {
    (void)state;
    static const struct {
        const char *text;
        hz_status status;
        size_t offset;
    } cases[] = {
        {"", HZ_FIELD_COUNT, 0},
        {"x", HZ_FIELD_COUNT, 1},
        {START " w KQkq", HZ_FIELD_COUNT, 50},
        {START " w KQkq   ", HZ_FIELD_COUNT, 50}, /* trailing blanks are no field */
        {START " w KQkq - 0 1 PNB extra", HZ_FIELD_COUNT, 61},
        {START " w KQkq - 0 1 PNB extra more", HZ_FIELD_COUNT, 61},
        {" " START " w KQkq - 0 1 PNB", HZ_FIELD_COUNT, 58}, /* empty first field: eight */
        {START "  w KQkq - 0 1", HZ_COLOR, 44},
        {START " W KQkq - 0 1", HZ_COLOR, 44},
        {START " wb KQkq - 0 1", HZ_COLOR, 45},
        {START " w  - 0 1", HZ_CASTLING, 46},
        {START " w KQx - 0 1", HZ_CASTLING, 48},
        {START " w KK - 0 1", HZ_CASTLING, 47},
        {START " w KQkqK - 0 1", HZ_CASTLING, 50},
        {START " w K-q - 0 1", HZ_CASTLING, 47},
        {START " w -K - 0 1", HZ_CASTLING, 46},
        {START " w -- - 0 1", HZ_CASTLING, 46},
        {START " w KQkq  0 1", HZ_EN_PASSANT, 51},
        {START " w KQkq e 0 1", HZ_EN_PASSANT, 52},
        {START " w KQkq e3d 0 1", HZ_EN_PASSANT, 54},
        {START " w KQkq e9 0 1", HZ_EN_PASSANT, 52},
        {START " w KQkq E3 0 1", HZ_EN_PASSANT, 51},
        {START " w KQkq e3e3 0 1", HZ_EN_PASSANT, 53},
        {START " w KQkq e3- 0 1", HZ_EN_PASSANT, 53},
        {START " w KQkq -  1", HZ_HALFMOVE, 53},
        {START " w KQkq - -1 1", HZ_HALFMOVE, 53},
        {START " w KQkq - 1x 1", HZ_HALFMOVE, 54},
        {START " w KQkq - 128 1", HZ_HALFMOVE, 53},
        {START " w KQkq - 99999999999999999999999999 1", HZ_HALFMOVE, 53},
        {START " w KQkq - 0  PNB", HZ_FULLMOVE, 55},
        {START " w KQkq - 0 +1", HZ_FULLMOVE, 55},
        {START " w KQkq - 0 0", HZ_FULLMOVE, 55},
        {START " w KQkq - 0 1.5", HZ_FULLMOVE, 56},
        {START " w KQkq - 0 2147483648", HZ_FULLMOVE, 55},
        {START " w KQkq - 0 4294967297", HZ_FULLMOVE, 55},
        {START " w KQkq - 0 18446744073709551617", HZ_FULLMOVE, 55},
        {START " w KQkq - 0 1 PX", HZ_DICE, 58},
        {START " w KQkq - 0 1 PPNB", HZ_DICE, 60},
        {START " w KQkq - 0 1 P-", HZ_DICE, 58},
        {START " w KQkq - 0 1 123", HZ_DICE, 57},
        {"8/8/8/8/8/8/8 w - - 0 1", HZ_BOARD_RANKS, 13},
        {"8/8/8/8/8/8/8/8/ w - - 0 1", HZ_BOARD_RANKS, 15},
        {"x w - - 0 1", HZ_BOARD_RANKS, 1}, /* before the wrong letter */
        {"7/8/8/8/8/8/8/8 w - - 0 1", HZ_BOARD_FILES, 1},
        {"8p/8/8/8/8/8/8/8 w - - 0 1", HZ_BOARD_FILES, 1},
        {"8//8/8/8/8/8/8 w - - 0 1", HZ_BOARD_FILES, 2},
        {"8/8/8/8/8/8/8/7 w - - 0 1", HZ_BOARD_FILES, 15},
        {"9/8/8/8/8/8/8/8 w - - 0 1", HZ_BOARD_CHAR, 0},
        {"8/8/8/8/8/8/0/8 w - - 0 1", HZ_BOARD_CHAR, 12},
        {"88x/8/8/8/8/8/8/8 w - - 0 1", HZ_BOARD_CHAR, 2}, /* the sum is tested at the row's end */
        {"8/8/8/8/8/8/7x/7 w - - 0 1", HZ_BOARD_CHAR, 13},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_position position = hz_position_empty();
        hz_error err;
        hz_status status = read_exactly(&position, cases[i].text, strlen(cases[i].text), &err);
        test_same_text(cases[i].text, "status", hz_status_name(cases[i].status),
                       hz_status_name(status));
        test_same_number(cases[i].text, "offset", cases[i].offset, err.offset);
    }
}

static void failure_without_an_error_value_is_allowed(void **state) {
    (void)state;
    hz_position position = test_position(HZ_START_DFEN);
    const hz_position before = position;
    assert_int_equal(hz_position_from_dfen(&position, "nonsense", 8, NULL), HZ_FIELD_COUNT);
    assert_true(test_same_position(&position, &before));
}

static const char *const GOOD[] = {
    HZ_START_DFEN,
    START " w - -",
    START " b KQkq a3c3e3 127 2147483647 kqp",
    "k7/pppppppp/PPPPPPPP/pPpPpPpP/nbrqknbr/QRBNKQRB/2P4p/p6P w qK h8a1d4 007 0012 -",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 PNB  ",
};

static void every_beginning_of_a_text_is_answered(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; i++) {
        for (size_t length = 0; length <= strlen(GOOD[i]); length++) {
            (void)check_any(GOOD[i], length);
        }
    }
}

static void every_change_of_one_byte_is_answered(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; i++) {
        char text[HZ_DFEN_CAPACITY];
        size_t length = strlen(GOOD[i]);
        for (size_t at = 0; at < length; at++) {
            for (int byte = 0; byte < 256; byte++) {
                memcpy(text, GOOD[i], length + 1);
                text[at] = (char)byte;
                (void)check_any(text, length);
            }
        }
    }
}

static void every_byte_put_in_or_taken_out_is_answered(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; i++) {
        char text[HZ_DFEN_CAPACITY + 1];
        size_t length = strlen(GOOD[i]);
        for (size_t at = 0; at <= length; at++) {
            memcpy(text, GOOD[i], at);
            memcpy(text + at, GOOD[i] + at + (at < length), length - at);
            (void)check_any(text, length - (at < length));
            memcpy(text + at + 1, GOOD[i] + at, length - at);
            for (const char *c = " /-0123456789wbKQkqPNBRnrahe\t\n\r\xff"; *c; c++) {
                text[at] = *c;
                (void)check_any(text, length + 1);
            }
            text[at] = '\0';
            (void)check_any(text, length + 1);
        }
    }
}

static void random_damage_is_answered_as_the_slow_reader_says(void **state) {
    (void)state;
    static const char alphabet[] = "PNBRQKpnbrqk12345678/ -wbKQkqabcdefgh09x.\t\n\r\xc3\xff";
    ref_random random = ref_random_from_seed(test_seed());
    size_t accepted = 0, refused = 0;
    for (size_t i = 0; i < test_effort(200000); i++) {
        char text[REF_DFEN_CAPACITY + 8];
        ref_random_placed(&random, (ref_style)ref_random_below(&random, REF_STYLES), text);
        size_t length = strlen(text);
        for (unsigned damage = ref_random_below(&random, 4); damage > 0; damage--) {
            /* most checks concern the fields behind the placement: hit them as often */
            size_t at = ref_random_below(&random, (unsigned)length + 1);
            if (ref_random_chance(&random, 50) && length > 30) {
                at = length - ref_random_below(&random, 30);
            }
            char byte = alphabet[ref_random_below(&random, sizeof alphabet)];
            unsigned kind = ref_random_below(&random, 10);
            if (kind < 4 && at < length) {
                text[at] = byte;
            } else if (kind < 7) {
                memmove(text + at + 1, text + at, length - at);
                text[at] = byte;
                length++;
            } else if (at < length) {
                memmove(text + at, text + at + 1, length - at - 1);
                length--;
            }
        }
        hz_status status = check_any(text, length);
        accepted += status == HZ_OK;
        refused += status != HZ_OK;
    }
    test_met(accepted > 0 && refused > 0);
}

static void nul_bytes_are_bytes_like_others(void **state) {
    (void)state;
    static const char inside[] = "8/8/8/8/8/8/8/8 w - - 0 1\0PNB";
    assert_int_equal(check_any(inside, sizeof inside - 1), HZ_FULLMOVE);
    static const char rights[] = "8/8/8/8/8/8/8/8 w K\0 - 0 1";
    assert_int_equal(check_any(rights, sizeof rights - 1), HZ_CASTLING);
    static const char pool[] = "8/8/8/8/8/8/8/8 w - - 0 1 P\0";
    assert_int_equal(check_any(pool, sizeof pool - 1), HZ_DICE);
    static const char board[] = "8/8/8/8/8/8/8/7\0 w - - 0 1";
    assert_int_equal(check_any(board, sizeof board - 1), HZ_BOARD_CHAR);
    char zeros[300] = {0};
    for (size_t length = 0; length <= sizeof zeros; length++) {
        assert_int_equal(check_any(zeros, length), HZ_FIELD_COUNT);
    }
}

static void very_long_texts_are_answered(void **state) {
    (void)state;
    enum { LONG = 3000000 };
    char *text = malloc(LONG);
    assert_non_null(text);
    hz_position position = hz_position_empty();
    hz_error err;
    for (const char *c = "8/ wK-a0Px"; *c; c++) {
        memset(text, *c, LONG);
        size_t offset;
        const char *expected = ref_dfen_check(text, LONG, &offset);
        assert_string_equal(hz_status_name(read_exactly(&position, text, LONG, &err)), expected);
        assert_true(err.offset == offset);
    }
    /* one field each that goes on and on */
    static const struct {
        const char *before;
        const char *after;
        hz_status status;
        char filler;
    } fields[] = {
        {"8/8/8/8/8/8/8/8", " w - - 0 1", HZ_BOARD_FILES, '8'},
        {"8/8/8/8/8/8/8/8", " w - - 0 1", HZ_BOARD_RANKS, '/'},
        {"8/8/8/8/8/8/8/8 w", " - - 0 1", HZ_COLOR, 'w'},
        {"8/8/8/8/8/8/8/8 w K", " - 0 1", HZ_CASTLING, 'Q'},
        {"8/8/8/8/8/8/8/8 w - ", " 0 1", HZ_EN_PASSANT, 'a'},
        {"8/8/8/8/8/8/8/8 w - - ", "7 1", HZ_OK, '0'},
        {"8/8/8/8/8/8/8/8 w - - ", " 1", HZ_HALFMOVE, '1'},
        {"8/8/8/8/8/8/8/8 w - - 0 ", "1", HZ_OK, '0'},
        {"8/8/8/8/8/8/8/8 w - - 0 ", "", HZ_FULLMOVE, '0'},
        {"8/8/8/8/8/8/8/8 w - - 0 1 ", "", HZ_DICE, 'P'},
        {"8/8/8/8/8/8/8/8 w - - 0 1 P", "", HZ_OK, ' '},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        size_t before = strlen(fields[i].before), after = strlen(fields[i].after);
        memset(text, fields[i].filler, LONG);
        memcpy(text, fields[i].before, before);
        memcpy(text + LONG - after, fields[i].after, after);
        hz_status status = read_exactly(&position, text, LONG, &err);
        test_same_text(fields[i].before, "status", hz_status_name(fields[i].status),
                       hz_status_name(status));
    }
    free(text);
}

static void all_targets_on_a_full_board_fit_the_buffer(void **state) {
    (void)state;
    char text[400] =
        "qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq b qkQK ";
    size_t length = strlen(text);
    for (int square = 63; square >= 0; square--) {
        text[length++] = (char)('a' + square % 8);
        text[length++] = (char)('1' + square / 8);
    }
    test_copy(text + length, sizeof text - length, " 127 2147483647 kkk");
    assert_int_equal(check_any(text, strlen(text)), HZ_OK);
    hz_position position = test_position(text);
    char buffer[HZ_DFEN_CAPACITY];
    assert_int_equal(hz_position_to_dfen(&position, buffer, sizeof buffer), strlen(text));
    assert_true(position.targets == UINT64_MAX);
}

static void writing_follows_the_rules_of_snprintf(void **state) {
    (void)state;
    hz_position position = test_position(GOOD[2]);
    char whole[HZ_DFEN_CAPACITY];
    size_t length = hz_position_to_dfen(&position, whole, sizeof whole);
    assert_int_equal(length, strlen(whole));
    assert_int_equal(hz_position_to_dfen(&position, NULL, 0), length);
    for (size_t capacity = 1; capacity <= length + 1; capacity++) {
        char *exact = malloc(capacity);
        assert_non_null(exact);
        memset(exact, '#', capacity);
        assert_int_equal(hz_position_to_dfen(&position, exact, capacity), length);
        assert_int_equal(strlen(exact), capacity - 1);
        assert_memory_equal(exact, whole, capacity - 1);
        free(exact);
    }
}

static void random_positions_keep_their_text(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(20000); i++) {
        char dfen[REF_DFEN_CAPACITY], buffer[HZ_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        hz_position position = test_position(dfen);
        test_same_text(dfen, "text", dfen, test_dfen(&position, buffer));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_texts_are_read_or_refused),
        cmocka_unit_test(error_points_at_the_first_wrong_byte),
        cmocka_unit_test(failure_without_an_error_value_is_allowed),
        cmocka_unit_test(every_beginning_of_a_text_is_answered),
        cmocka_unit_test(every_change_of_one_byte_is_answered),
        cmocka_unit_test(every_byte_put_in_or_taken_out_is_answered),
        cmocka_unit_test(random_damage_is_answered_as_the_slow_reader_says),
        cmocka_unit_test(nul_bytes_are_bytes_like_others),
        cmocka_unit_test(very_long_texts_are_answered),
        cmocka_unit_test(all_targets_on_a_full_board_fit_the_buffer),
        cmocka_unit_test(writing_follows_the_rules_of_snprintf),
        cmocka_unit_test(random_positions_keep_their_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
