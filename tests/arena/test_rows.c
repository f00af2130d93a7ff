/* SPDX-License-Identifier: MIT */
/* Rows of games: what is written is read back, and nothing of a damaged file is believed. */
#include "arena/selfplaying.h"

/* Bytes of a small file of rows, made by self-play. */
static hzi_text some_rows(uint64_t games) {
    playing p;
    playing_begin(&p, "aggressive");
    p.config.format = HZI_SELFPLAY_ROWS;
    p.config.games = games;
    p.config.seed = test_seed();
    p.config.how.random_plies = 3;
    p.config.how.temperature = 30.0;
    playing_must_run(&p);
    hzi_text bytes = p.out;
    p.out = (hzi_text){0};
    playing_end(&p);
    return bytes;
}

static bool same_row(const hzi_row *a, const hzi_row *b) {
    return a->game == b->game && a->ply == b->ply && a->left == b->left && a->flags == b->flags &&
           a->score == b->score && a->best == b->best && a->own_216 == b->own_216 &&
           a->enemy_216 == b->enemy_216 && a->result == b->result && a->player == b->player &&
           a->opponent == b->opponent && test_same_position(&a->position, &b->position) &&
           a->turn.count == b->turn.count && a->turn.took_king == b->turn.took_king &&
           memcmp(a->turn.moves, b->turn.moves, sizeof a->turn.moves) == 0;
}

static void rows_are_read_back_as_they_were_written(void **state) {
    (void)state;
    hzi_row rows[] = {
        {.game = 4000000000u,
         .ply = 70000,
         .left = 3,
         .position = test_position("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 99 2147483647 PKR"),
         .flags = HZI_ROW_SCORED | HZI_ROW_DRAWN,
         .score = INT32_MIN,
         .best = INT32_MAX,
         .own_216 = 216,
         .enemy_216 = 0,
         .result = -1,
         .player = 255,
         .opponent = 3},
        {.position = test_position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1 PPP"), .result = 1},
        {.position = test_position("4k3/8/8/8/8/8/8/4K3 b - - 5 7 ppp"), .left = 0},
    };
    hz_error err;
    assert_int_equal(hz_turn_parse(&rows[0].position, "e5d6,e1g1", 9, &rows[0].turn, NULL, &err),
                     HZ_OK);
    assert_int_equal(hz_turn_parse(&rows[1].position, "a7a8n", 5, &rows[1].turn, NULL, &err),
                     HZ_OK);
    const hzi_rows_setting settings[] = {{"seed", "7"}, {"empty", ""}, {"", "no name"}};
    for (size_t piece = 1; piece <= 64; piece *= 4) {
        hzi_text bytes = {0};
        assert_int_equal(hzi_rows_put_head(settings, 3, &bytes, &err), HZ_OK);
        assert_int_equal(hzi_rows_put_block(rows, 2, 0, 5, &bytes, &err), HZ_OK);
        assert_int_equal(hzi_rows_put_block(NULL, 0, 5, 1, &bytes, &err), HZ_OK);
        assert_int_equal(hzi_rows_put_block(rows + 2, 1, 6, 2, &bytes, &err), HZ_OK);
        assert_int_equal(hzi_rows_put_end(8, 3, &bytes, &err), HZ_OK);
        dripping d = {bytes.bytes, bytes.length, piece};
        hzi_rows_reader *reader;
        assert_int_equal(hzi_rows_open(drip, &d, &reader, &err), HZ_OK);
        size_t count;
        const hzi_rows_setting *read = hzi_rows_settings(reader, &count);
        assert_int_equal(count, 3);
        for (size_t i = 0; i < count; i++) {
            assert_string_equal(read[i].key, settings[i].key);
            assert_string_equal(read[i].value, settings[i].value);
        }
        hzi_rows_block block;
        assert_int_equal(hzi_rows_next(reader, &block, &err), HZ_OK);
        assert_int_equal(block.count, 2);
        assert_int_equal(block.games, 5);
        assert_true(same_row(&block.rows[0], &rows[0]));
        assert_true(same_row(&block.rows[1], &rows[1]));
        assert_int_equal(hzi_rows_skip(reader, &block, &err), HZ_OK);
        assert_int_equal(block.count, 0);
        assert_int_equal(hzi_rows_next(reader, &block, &err), HZ_OK);
        assert_int_equal(block.first_game, 6);
        assert_true(same_row(&block.rows[0], &rows[2]));
        assert_int_equal(hzi_rows_games(reader), 8);
        assert_int_equal(hzi_rows_next(reader, &block, &err), HZ_NOT_FOUND);
        assert_int_equal(hzi_rows_offset(reader), bytes.length - HZI_ROWS_END);
        hzi_rows_close(reader);
        hzi_text_fini(&bytes);
    }
}

/* Reads to the end; the status that ended it. */
static hz_status read_all(const char *bytes, size_t length, size_t *rows, hz_error *err) {
    dripping d = {bytes, length, 0};
    hzi_rows_reader *reader;
    hzi_rows_block block;
    *rows = 0;
    hz_status status = hzi_rows_open(drip, &d, &reader, err);
    while (status == HZ_OK) {
        status = hzi_rows_next(reader, &block, err);
        *rows += block.count;
    }
    hzi_rows_close(reader);
    return status;
}

static void file_that_is_cut_anywhere_says_so_and_keeps_its_whole_blocks(void **state) {
    (void)state;
    hzi_text bytes = some_rows(40);
    size_t all, rows,
        head = HZI_ROWS_HEAD + (unsigned char)bytes.bytes[12] +
               ((size_t)(unsigned char)bytes.bytes[13] << 8);
    hz_error err;
    assert_int_equal(read_all(bytes.bytes, bytes.length, &all, &err), HZ_NOT_FOUND);
    assert_true(all > 100);
    for (size_t length = 0; length < bytes.length; length += 1 + length / 50) {
        hz_status status = read_all(bytes.bytes, length, &rows, &err);
        assert_int_equal(status, length < head ? HZ_ROWS : HZ_INCOMPLETE);
        assert_int_equal(err.code, status);
        assert_true(rows <= all);
        if (status == HZ_INCOMPLETE) {
            assert_true(err.offset <= length);
        }
    }
    assert_int_equal(read_all(bytes.bytes, bytes.length - 1, &rows, &err), HZ_INCOMPLETE);
    assert_int_equal(rows, all);
    hzi_text_fini(&bytes);
}

static void no_changed_byte_goes_unnoticed(void **state) {
    (void)state;
    hzi_text bytes = some_rows(20);
    hz_random random = hz_random_from_seed(test_seed());
    size_t rows;
    hz_error err;
    for (size_t i = 0; i < test_effort(400); i++) {
        /* The version and lengths stand in front, everything else has a checksum. */
        size_t at = hz_random_draw(&random, (uint32_t)bytes.length);
        char before = bytes.bytes[at];
        bytes.bytes[at] = (char)(before ^ (char)(1u << hz_random_draw(&random, 7)));
        hz_status status = read_all(bytes.bytes, bytes.length, &rows, &err);
        if (status != HZ_ROWS && status != HZ_INCOMPLETE) {
            fail_msg("byte %zu changed: %s", at, hz_status_name(status));
        }
        bytes.bytes[at] = before;
    }
    hzi_text_fini(&bytes);
}

static void something_behind_the_end_is_refused(void **state) {
    (void)state;
    hzi_text bytes = some_rows(1);
    size_t rows;
    hz_error err;
    hzi_text_add(&bytes, "x", 1);
    assert_int_equal(read_all(bytes.bytes, bytes.length, &rows, &err), HZ_ROWS);
    assert_int_equal(err.offset, bytes.length - 1);
    hzi_text_fini(&bytes);
}

/* Puts the body of a head with its checksum in front of the rest of a file. */
static hzi_text with_head(const char *body, size_t length, const hzi_text *file, size_t old_head) {
    hzi_text made = {0};
    uint32_t sum = hzi_rows_sum(body, length);
    char numbers[HZI_ROWS_HEAD - 8] = {HZI_ROWS_VERSION};
    for (size_t i = 0; i < 4; i++) {
        numbers[4 + i] = (char)(unsigned char)(length >> (8 * i));
        numbers[8 + i] = (char)(unsigned char)(sum >> (8 * i));
    }
    hzi_text_add(&made, HZI_ROWS_MAGIC, 8);
    hzi_text_add(&made, numbers, sizeof numbers);
    hzi_text_add(&made, body, length);
    hzi_text_add(&made, file->bytes + old_head, file->length - old_head);
    return made;
}

static void column_that_is_missing_double_or_of_another_type_is_refused(void **state) {
    (void)state;
    hzi_text bytes = some_rows(1);
    size_t length = (unsigned char)bytes.bytes[12] + ((size_t)(unsigned char)bytes.bytes[13] << 8);
    char *body = malloc(length);
    size_t rows;
    hz_error err;
    assert_non_null(body);
    /* The first column: a count of two bytes, then 4 "game" 'u' 4 1 0. */
    const struct {
        size_t at;
        char with;
        const char *says;
    } cases[] = {{3, 'G', "the column game is missing"},
                 {7, 'i', "the column game"},
                 {9, 2, "the column game"},
                 {8, 0, "a column without a size"},
                 {0, 18, "the settings do not end"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(body, bytes.bytes + HZI_ROWS_HEAD, length);
        body[cases[i].at] = cases[i].with;
        hzi_text made = with_head(body, length, &bytes, HZI_ROWS_HEAD + length);
        assert_int_equal(read_all(made.bytes, made.length, &rows, &err), HZ_ROWS);
        if (i < 4 && !strstr(err.message, cases[i].says)) {
            fail_msg("'%s' instead of '%s'", err.message, cases[i].says);
        }
        hzi_text_fini(&made);
    }
    free(body);
    hzi_text_fini(&bytes);
}

static void other_version_and_other_files_are_refused(void **state) {
    (void)state;
    hzi_text bytes = some_rows(1);
    size_t rows;
    hz_error err;
    bytes.bytes[8] = 2;
    assert_int_equal(read_all(bytes.bytes, bytes.length, &rows, &err), HZ_ROWS);
    assert_non_null(strstr(err.message, "version 2"));
    assert_int_equal(read_all("", 0, &rows, &err), HZ_ROWS);
    assert_int_equal(read_all("[HazardRecord \"1\"]\n[White", 25, &rows, &err), HZ_ROWS);
    hzi_text_fini(&bytes);
}

static void too_much_of_anything_is_refused_when_writing(void **state) {
    (void)state;
    hzi_text bytes = {0};
    hz_error err;
    char *longest = calloc(1, HZI_ROWS_VALUE_MAX + 2);
    assert_non_null(longest);
    memset(longest, 'x', HZI_ROWS_VALUE_MAX + 1);
    const hzi_rows_setting setting = {"a", longest};
    assert_int_equal(hzi_rows_put_head(&setting, 1, &bytes, &err), HZ_INVALID_ARGUMENT);
    assert_int_equal(hzi_rows_put_block(NULL, (size_t)HZI_ROWS_BLOCK_MAX + 1, 0, 1, &bytes, &err),
                     HZ_INVALID_ARGUMENT);
    free(longest);
    hzi_text_fini(&bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read_back_as_they_were_written),
        cmocka_unit_test(file_that_is_cut_anywhere_says_so_and_keeps_its_whole_blocks),
        cmocka_unit_test(no_changed_byte_goes_unnoticed),
        cmocka_unit_test(something_behind_the_end_is_refused),
        cmocka_unit_test(column_that_is_missing_double_or_of_another_type_is_refused),
        cmocka_unit_test(other_version_and_other_files_are_refused),
        cmocka_unit_test(too_much_of_anything_is_refused_when_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
