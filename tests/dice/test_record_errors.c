/* SPDX-License-Identifier: MIT */
/* Bad game records: the places and names of errors, cut and changed texts, limits. */
#include "dice/record_games.h"

#include <stdio.h>

/* ---- errors ---- */

typedef struct nasty {
    const char *text;
    hz_status code;
    uint32_t line, column;
    size_t offset;
    const char *says;
} nasty;

static const nasty nasties[] = {
    /* the opening */
    {"e2e4", HZ_RECORD_SYNTAX, 1, 1, 0, "begins with [HazardRecord \"1\"]"},
    {"\n\n [HazardRecord \"1\"]", HZ_RECORD_SYNTAX, 3, 1, 2, "begins with"},
    {"\xEF\xBB\xBF?", HZ_RECORD_SYNTAX, 1, 1, 3, "begins with"},
    {"\xEF\xBB\xBF\xEF\xBB\xBF" FIVE "*", HZ_RECORD_SYNTAX, 1, 1, 3, "begins with"},
    {W FORMAT, HZ_RECORD_SYNTAX, 1, 1, 0, "begins with"},
    {"[HazardRecord \"2\"]", HZ_RECORD_HEADER, 1, 16, 15, "version 2"},
    {"[HazardRecord \"01\"]", HZ_RECORD_HEADER, 1, 16, 15, "version 01"},
    {"[HazardRecord \"1\"", HZ_RECORD_SYNTAX, 1, 18, 17, "']' is needed"},
    {"[HazardRecord \"1\" ]", HZ_RECORD_SYNTAX, 1, 18, 17, "']' is needed"},
    {"[HazardRecord \"1\"] ", HZ_RECORD_SYNTAX, 1, 19, 18, "nothing may follow"},
    {"[HazardRecord \"1", HZ_RECORD_SYNTAX, 1, 17, 16, "closing quote"},
    {"[HazardRecord 1]", HZ_RECORD_SYNTAX, 1, 15, 14, "begins with a quote"},
    {"[HazardRecord\t\"1\"]", HZ_RECORD_SYNTAX, 1, 14, 13, "control character 0x09"},
    {"[HazardRecord  \"1\"]", HZ_RECORD_SYNTAX, 1, 15, 14, "begins with a quote"},
    /* headers */
    {FORMAT, HZ_RECORD_SYNTAX, 2, 1, 19, "ends within the headers"},
    {FORMAT "[White \"w\"]", HZ_RECORD_SYNTAX, 2, 12, 30, "ends within the headers"},
    {FORMAT W "Black \"b\"", HZ_RECORD_SYNTAX, 3, 1, 31, "a header or the blank line"},
    {FORMAT "[white \"w\"]", HZ_RECORD_SYNTAX, 2, 2, 20, "begins with one of A to Z"},
    {FORMAT "[White: \"w\"]", HZ_RECORD_SYNTAX, 2, 7, 25, "ends with a blank"},
    {FORMAT "[Abcdefghijklmnopqrstuvwxyz123456X \"w\"]", HZ_RECORD_SYNTAX, 2, 34, 52, "at most 32"},
    {FORMAT W W, HZ_RECORD_HEADER, 3, 2, 32, "White stands twice"},
    {FORMAT "[Xy \"1\"]\n" W "[Xy \"2\"]\n", HZ_RECORD_HEADER, 4, 2, 41, "Xy stands twice"},
    {FORMAT "[White \"\xC3\xA9\\q\"]", HZ_RECORD_SYNTAX, 2, 10, 29, "backslash"},
    {FORMAT "[White \"w\\", HZ_RECORD_SYNTAX, 2, 10, 28, "backslash"},
    {FORMAT "[White \"\xFF\"]", HZ_RECORD_SYNTAX, 2, 9, 27, "0xFF is no UTF-8"},
    {FORMAT "[White \"\xC3\"]", HZ_RECORD_SYNTAX, 2, 9, 27, "0xC3 is no UTF-8"},
    {FORMAT "[White \"\xC0\x80\"]", HZ_RECORD_SYNTAX, 2, 9, 27, "0xC0"},         /* overlong */
    {FORMAT "[White \"\xE0\x9F\xBF\"]", HZ_RECORD_SYNTAX, 2, 9, 27, "0xE0"},     /* overlong */
    {FORMAT "[White \"\xED\xA0\x80\"]", HZ_RECORD_SYNTAX, 2, 9, 27, "0xED"},     /* surrogate */
    {FORMAT "[White \"\xF4\x90\x80\x80\"]", HZ_RECORD_SYNTAX, 2, 9, 27, "0xF4"}, /* > 10FFFF */
    {FORMAT "[White \"\xF0\x8F\xBF\xBF\"]", HZ_RECORD_SYNTAX, 2, 9, 27, "0xF0"}, /* overlong */
    {FORMAT "[White \"\x1F\"]", HZ_RECORD_SYNTAX, 2, 9, 27, "0x1F"},
    {FORMAT "[White \"\x7F\"]", HZ_RECORD_SYNTAX, 2, 9, 27, "0x7F"},
    {FORMAT "[White \"a\rb\"]", HZ_RECORD_SYNTAX, 2, 10, 28, "0x0D"},
    {FORMAT "[Seed \"\"]", HZ_RECORD_HEADER, 2, 8, 26, "Seed is a number"},
    {FORMAT "[Seed \"18446744073709551616\"]", HZ_RECORD_HEADER, 2, 8, 26, "Seed is a number"},
    {FORMAT "[Seed \"007\"]", HZ_RECORD_HEADER, 2, 8, 26, "Seed is a number"},
    {FORMAT "[Seed \"-1\"]", HZ_RECORD_HEADER, 2, 8, 26, "Seed is a number"},
    {FORMAT "[Result \"1:0\"]", HZ_RECORD_HEADER, 2, 10, 28, "Result is one of"},
    {FORMAT "[Result \"\"]", HZ_RECORD_HEADER, 2, 10, 28, "Result is one of"},
    {FORMAT "[Reason \"King\"]", HZ_RECORD_HEADER, 2, 10, 28, "Reason is one of"},
    {FORMAT "[Start \"8/8/8/8/8/8/8/8 w -\"]", HZ_RECORD_HEADER, 2, 28, 46, "Start: 3 fields"},
    {FORMAT "[Start \"8/8/8/8/8/8/8/7 w - -\"]", HZ_RECORD_HEADER, 2, 24, 42, "Start: rank 1"},
    {FORMAT "[Start \"\\\\ w - - 0 1 P x\"]", HZ_RECORD_HEADER, 2, 24, 42,
     "Start: more than seven fields"},
    {FORMAT "[Start \"8/8/8/8/8/8/8/8 w - - 0 1 P\"]", HZ_RECORD_HEADER, 2, 9, 27, "has dice"},
    {FORMAT W B RES "\n", HZ_RECORD_HEADER, 5, 1, 56, "Reason is missing"},
    {FORMAT W B REA "\n", HZ_RECORD_HEADER, 5, 1, 67, "Result is missing"},
    {FORMAT W RES REA "\n", HZ_RECORD_HEADER, 5, 1, 68, "Black is missing"},
    {FORMAT B RES REA "\n", HZ_RECORD_HEADER, 5, 1, 68, "White is missing"},
    {FORMAT W B RES "[Reason \"king\"]\n\n", HZ_RECORD_HEADER, 5, 10, 65, "does not end * with"},
    {FORMAT W B "[Result \"1-0\"]\n[Reason \"fifty\"]\n\n", HZ_RECORD_HEADER, 5, 10, 67,
     "does not end 1-0 with"},
    {FORMAT W B RES REA "*", HZ_RECORD_SYNTAX, 6, 1, 80, "a header or the blank line"},
    /* turns */
    {FIVE, HZ_RECORD_SYNTAX, 7, 1, 81, "ends within the turns"},
    {FIVE "\n\n\n", HZ_RECORD_SYNTAX, 10, 1, 84, "ends within the turns"},
    {FIVE "1-0", HZ_RECORD_SYNTAX, 7, 1, 81, "the result here is 1-0, in the header *"},
    {FIVE "* ", HZ_RECORD_SYNTAX, 7, 1, 81, "a turn that begins with its number"},
    {FIVE " 1. PPP -", HZ_RECORD_SYNTAX, 7, 1, 81, "a turn that begins with its number"},
    {FIVE "01. PPP -", HZ_RECORD_SYNTAX, 7, 1, 81, "a turn that begins with its number"},
    {FIVE "4294967297. PPP -", HZ_RECORD_SYNTAX, 7, 1, 81, "a turn that begins with its number"},
    {FIVE "1.. NNN b1c3", HZ_RECORD_SYNTAX, 7, 2, 82, "after the number"},
    {FIVE "1 NNN b1c3", HZ_RECORD_SYNTAX, 7, 2, 82, "after the number"},
    {FIVE "2. NNN b1c3", HZ_RECORD_SYNTAX, 7, 1, 81, "the next turn is 1."},
    {FIVE "1... NNN b1c3", HZ_RECORD_SYNTAX, 7, 1, 81, "the next turn is 1."},
    {FIVE "1. BRQ -\n1. BRQ -", HZ_RECORD_SYNTAX, 8, 1, 90, "the next turn is 1..."},
    {FIVE "1. BRQ -\n1... BRQ -\n1. BRQ -", HZ_RECORD_SYNTAX, 9, 1, 101, "the next turn is 2."},
    {FIVE "1.", HZ_RECORD_SYNTAX, 7, 3, 83, "the roll is needed"},
    {FIVE "1.  NNN b1c3", HZ_RECORD_SYNTAX, 7, 4, 84, "the roll is needed"},
    {FIVE "1. NNX b1c3", HZ_RECORD_SYNTAX, 7, 6, 86, "'X' is not one of"},
    {FIVE "1. NNNN b1c3", HZ_RECORD_SYNTAX, 7, 7, 87, "at most three dice"},
    {FIVE "1. NN b1c3", HZ_RECORD_SYNTAX, 7, 4, 84, "a roll has three dice"},
    {FIVE "1. - b1c3", HZ_RECORD_SYNTAX, 7, 4, 84, "a roll has three dice"},
    {FIVE "1. NNN", HZ_RECORD_SYNTAX, 7, 7, 87, "the turn is needed"},
    {FIVE "1. NNN ", HZ_RECORD_SYNTAX, 7, 8, 88, "the turn is needed"},
    {FIVE "1. NNN b1c9", HZ_RECORD_SYNTAX, 7, 11, 91, "a rank from 1 to 8"},
    {FIVE "1. NNN b1c3,", HZ_RECORD_SYNTAX, 7, 13, 93, "four or five characters"},
    {FIVE "1. NNN --", HZ_RECORD_SYNTAX, 7, 8, 88, "a file from a to h"},
    {FIVE "1. PPP a2a4,b2b3Q", HZ_RECORD_SYNTAX, 7, 17, 97, "a promotion is one of"},
    {FIVE "1. NNN b1c3 ", HZ_RECORD_SYNTAX, 7, 12, 92, "after a turn stand"},
    {FIVE "1. NNN b1c3  {clock 1}", HZ_RECORD_SYNTAX, 7, 12, 92, "after a turn stand"},
    {FIVE "1. NNN b1c3 {time 1}", HZ_RECORD_SYNTAX, 7, 12, 92, "after a turn stand"},
    {FIVE "1. NNN b1c3 {score 1} {clock 1}", HZ_RECORD_SYNTAX, 7, 22, 102, "after a turn stand"},
    {FIVE "1. NNN b1c3 {clock 1} {clock 1}", HZ_RECORD_SYNTAX, 7, 22, 102, "after a turn stand"},
    {FIVE "1. NNN b1c3 {clock }", HZ_RECORD_SYNTAX, 7, 20, 100, "a clock is seconds"},
    {FIVE "1. NNN b1c3 {clock -1}", HZ_RECORD_SYNTAX, 7, 20, 100, "a clock is seconds"},
    {FIVE "1. NNN b1c3 {clock 01}", HZ_RECORD_SYNTAX, 7, 20, 100, "a clock is seconds"},
    {FIVE "1. NNN b1c3 {clock 1.}", HZ_RECORD_SYNTAX, 7, 20, 100, "a clock is seconds"},
    {FIVE "1. NNN b1c3 {clock .5}", HZ_RECORD_SYNTAX, 7, 20, 100, "a clock is seconds"},
    {FIVE "1. NNN b1c3 {clock 1.2345}", HZ_RECORD_SYNTAX, 7, 20, 100, "a clock is seconds"},
    {FIVE "1. NNN b1c3 {clock 4294967.296}", HZ_RECORD_SYNTAX, 7, 20, 100, "a clock is"},
    {FIVE "1. NNN b1c3 {clock 99999999999999999999}", HZ_RECORD_SYNTAX, 7, 20, 100, "a clock"},
    {FIVE "1. NNN b1c3 {clock 1", HZ_RECORD_SYNTAX, 7, 20, 100, "a clock is seconds"},
    {FIVE "1. NNN b1c3 {score +1}", HZ_RECORD_SYNTAX, 7, 20, 100, "a score is a whole number"},
    {FIVE "1. NNN b1c3 {score -0}", HZ_RECORD_SYNTAX, 7, 20, 100, "a score is a whole number"},
    {FIVE "1. NNN b1c3 {score 2147483648}", HZ_RECORD_SYNTAX, 7, 20, 100, "a score is a whole"},
    {FIVE "1. NNN b1c3 {score -2147483649}", HZ_RECORD_SYNTAX, 7, 20, 100, "a score is a whole"},
    {FIVE "1. NNN b1c3 {score 0.5}", HZ_RECORD_SYNTAX, 7, 20, 100, "a score is a whole number"},
    {FIVE "1. NNN b1c3 ;", HZ_RECORD_SYNTAX, 7, 12, 92, "after a turn stand"},
    {FIVE "1. NNN b1c3 ; ", HZ_RECORD_SYNTAX, 7, 15, 95, "the comment is empty"},
    {FIVE "1. NNN b1c3 ; \xE2\x99\x94\\x", HZ_RECORD_SYNTAX, 7, 16, 98, "backslash"},
    {FIVE "1. BRQ -\n\n*", HZ_RECORD_SYNTAX, 8, 1, 90, "a turn that begins with its number"},
    {FIVE "1. BRQ -", HZ_RECORD_SYNTAX, 7, 9, 89, "ends within the turns"},
    {FIVE "1. BRQ - ; \xE2\x99\x94", HZ_RECORD_SYNTAX, 7, 13, 95, "ends within the turns"},
    /* moves that cannot be played */
    {FIVE "1. NNN b1b3", HZ_RECORD_REPLAY, 7, 8, 88, "the N on b1 cannot play b1b3"},
    {FIVE "1. NNN b1c3,e7e5", HZ_RECORD_REPLAY, 7, 13, 93, "e7 holds no piece"},
    {FIVE "1. NNN e2e4", HZ_RECORD_REPLAY, 7, 8, 88, "no P die"},
    {FIVE "1. NPP b1c3,c3d5", HZ_RECORD_REPLAY, 7, 13, 93, "no N die"},
    {FIVE "1. NNN b1c3,c3b1,b1c3,c3b1", HZ_RECORD_REPLAY, 7, 23, 103, "at most three"},
};

static void errors_name_line_column_offset_and_cause(void **state) {
    fixture *f = *state;
    for (size_t i = 0; i < sizeof nasties / sizeof *nasties; i++) {
        const nasty *n = &nasties[i];
        hz_status status = read_one(f, n->text, strlen(n->text));
        const hz_error *e = &f->error;
        if (status != n->code || e->code != n->code || e->line != n->line ||
            e->column != n->column || e->offset != n->offset || !strstr(e->message, n->says)) {
            fail_msg("%s\n  wanted %s %u:%u (%zu) \"%s\"\n  got    %s %u:%u (%zu) \"%s\"", n->text,
                     hz_status_name(n->code), n->line, n->column, n->offset, n->says,
                     hz_status_name(status), e->line, e->column, e->offset, e->message);
        }
        /* The same without anybody to tell, and with more lines before it. */
        hz_record_reader_init_text(&f->reader, n->text, strlen(n->text));
        assert_int_equal(hz_record_read(&f->reader, &f->arena, &f->record, NULL), n->code);
        if ((unsigned char)n->text[0] == 0xEF) {
            continue;
        }
        test_text later = {0};
        test_text_add(&later, "\r\n");
        test_text_add(&later, n->text);
        assert_int_equal(read_one(f, later.text, later.length), n->code);
        assert_int_equal(e->line, n->line + 1);
        assert_int_equal(e->column, n->column);
        assert_int_equal(e->offset, n->offset + 2);
        test_text_free(&later);
    }
}

static void nothing_is_changed_by_a_bad_game(void **state) {
    fixture *f = *state;
    memset(&f->record, 0x5A, sizeof f->record);
    hz_record before = f->record;
    for (size_t i = 0; i < sizeof nasties / sizeof *nasties; i++) {
        read_one(f, nasties[i].text, strlen(nasties[i].text));
        assert_memory_equal(&f->record, &before, sizeof before);
    }
}

static void a_turn_after_the_king_is_taken_is_refused(void **state) {
    fixture *f = *state;
    static const char text[] = HEADERS TURNS "2... nnb -\n1-0\n";
    assert_int_equal(read_one(f, text, sizeof text - 1), HZ_RECORD_REPLAY);
    assert_int_equal(f->error.line, 12);
    assert_int_equal(f->error.column, 1);
    assert_non_null(strstr(f->error.message, "the game is over"));
}

static void nul_bytes_are_refused_wherever_they_stand(void **state) {
    fixture *f = *state;
    size_t length = sizeof GAME - 1;
    for (size_t i = 0; i < length; i++) {
        char text[sizeof GAME];
        memcpy(text, GAME, sizeof GAME);
        text[i] = '\0';
        hz_status status = read_one(f, text, length);
        if (i == length - 1) {
            /* Behind the game: it is good, the next one is not. */
            assert_int_equal(status, HZ_OK);
            continue;
        }
        assert_int_equal(status, HZ_RECORD_SYNTAX);
        /* A line end that became NUL joins two lines; the NUL may come after the first error. */
        assert_true(f->error.offset <= i);
    }
}

static void a_text_cut_anywhere_is_refused_at_its_end_or_before(void **state) {
    fixture *f = *state;
    size_t whole = sizeof HEADERS TURNS "1-0" - 1;
    for (size_t length = 0; length < sizeof GAME; length++) {
        hz_status status = read_one(f, GAME, length);
        if (length == 0 || length >= whole) {
            assert_int_equal(status, length ? HZ_OK : HZ_NOT_FOUND);
            continue;
        }
        if (status != HZ_RECORD_SYNTAX && status != HZ_RECORD_HEADER &&
            status != HZ_RECORD_REPLAY) {
            fail_msg("cut to %zu bytes: %s", length, hz_status_name(status));
        }
        assert_true(f->error.offset <= length);
        assert_true(f->error.line >= 1 && f->error.column >= 1);
    }
}

static void any_changed_byte_is_refused_or_read_as_a_writable_game(void **state) {
    fixture *f = *state;
    static const unsigned char bytes[] = {0,   '\n', '\r', '\t', ' ',  '"',  '\\', '[', ']',
                                          '{', '}',  ';',  '.',  ',',  '-',  '0',  '1', '9',
                                          'a', 'N',  'p',  'e',  0x7F, 0x80, 0xC3, 0xFF};
    size_t read = 0;
    for (size_t i = 0; i < sizeof GAME - 1; i++) {
        for (size_t b = 0; b < sizeof bytes; b++) {
            char text[sizeof GAME];
            memcpy(text, GAME, sizeof GAME);
            text[i] = (char)bytes[b];
            if (read_one(f, text, sizeof GAME - 1) != HZ_OK) {
                assert_true(f->error.line >= 1 && f->error.offset < sizeof GAME);
                continue;
            }
            read++;
            char *first = written(&f->record);
            read_good(f, first);
            assert_written(&f->record, first);
            free(first);
        }
    }
    test_met(read > 0);
}

/* ---- limits ---- */

/* A line of `length` bytes with one of three ends, read from memory (most 0) or in pieces. */
static void read_long_line(fixture *f, size_t length, const char *end, size_t most) {
    test_text text = {0};
    const size_t line_start = sizeof FIVE - 1;
    test_text_add(&text, FIVE "1. BRQ - ; ");
    while (text.length < line_start + length) {
        test_text_add(&text, "x");
    }
    test_text_add(&text, end);
    test_text_add(&text, *end ? "*\n\n" : "");
    hz_arena_reset(&f->arena);
    dripping d = {text.text, text.length, most, 0};
    if (most) {
        hz_record_reader_init(&f->reader, drip_to_end, &d);
    } else {
        hz_record_reader_init_text(&f->reader, text.text, text.length);
    }
    hz_status status = hz_record_read(&f->reader, &f->arena, &f->record, &f->error);
    if (length > HZ_RECORD_LINE_MAX) {
        assert_int_equal(status, HZ_RECORD_SYNTAX);
        assert_int_equal(f->error.line, 7);
        assert_int_equal(f->error.column, HZ_RECORD_LINE_MAX + 1);
        assert_int_equal(f->error.offset, line_start + HZ_RECORD_LINE_MAX);
        assert_non_null(strstr(f->error.message, "at most 4096 bytes"));
    } else if (!*end) {
        assert_int_equal(status, HZ_RECORD_SYNTAX);
        assert_int_equal(f->error.offset, text.length);
    } else {
        assert_int_equal(status, HZ_OK);
        assert_int_equal(strlen(f->record.turns[0].comment), length - 11);
        char *again = written(&f->record);
        assert_non_null(strstr(again, "xxx\n*\n"));
        free(again);
    }
    test_text_free(&text);
}

static void a_line_may_have_4096_bytes_and_no_more(void **state) {
    fixture *f = *state;
    static const char *const ends[] = {"\n", "\r\n", ""};
    static const size_t pieces[] = {0, 1, 100, 4096, 4097, 5000};
    for (size_t over = 0; over <= 3; over++) {
        for (size_t end = 0; end < 3; end++) {
            for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
                read_long_line(f, HZ_RECORD_LINE_MAX + over, ends[end], pieces[p]);
            }
        }
    }
}

static void an_endless_line_takes_no_memory_and_hides_no_game(void **state) {
    fixture *f = *state;
    enum { LONG = 3000000 };
    size_t length = LONG + 1 + sizeof GAME - 1;
    char *text = malloc(length);
    assert_non_null(text);
    memset(text, '[', LONG);
    memcpy(text + LONG, "\n" GAME, sizeof GAME);
    hz_record_reader_init_text(&f->reader, text, length);
    assert_int_equal(hz_record_read(&f->reader, &f->arena, &f->record, &f->error),
                     HZ_RECORD_SYNTAX);
    assert_int_equal(f->error.column, HZ_RECORD_LINE_MAX + 1);
    assert_int_equal(f->arena.held, 0);
    assert_int_equal(hz_record_read(&f->reader, &f->arena, &f->record, &f->error), HZ_OK);
    assert_int_equal(f->record.end.offset, LONG + 1 + sizeof HEADERS TURNS - 1);
    assert_int_equal(f->record.end.line, 13);
    free(text);
}

static void too_many_headers_are_refused(void **state) {
    fixture *f = *state;
    for (int over = 0; over < 2; over++) {
        test_text text = {0};
        test_text_add(&text, FORMAT W B);
        for (int i = 0; i < HZ_RECORD_HEADERS_MAX + over; i++) {
            char header[32];
            snprintf(header, sizeof header, "[X%d \"\"]\n", i);
            test_text_add(&text, header);
        }
        test_text_add(&text, RES REA "\n*\n\n");
        hz_status status = read_one(f, text.text, text.length);
        assert_int_equal(status, over ? HZ_RECORD_HEADER : HZ_OK);
        if (over) {
            assert_int_equal(f->error.line, 4 + HZ_RECORD_HEADERS_MAX);
        } else {
            assert_int_equal(f->record.header_count, HZ_RECORD_HEADERS_MAX);
        }
        test_text_free(&text);
    }
}

static void a_game_may_have_100000_turns_and_no_more(void **state) {
    fixture *f = *state;
    for (int over = 0; over < 2; over++) {
        size_t turns = HZ_RECORD_TURNS_MAX + (size_t)over;
        char *text = malloc(turns * 24 + sizeof FIVE + 8);
        assert_non_null(text);
        size_t length = sizeof FIVE - 1;
        memcpy(text, FIVE, length);
        for (size_t i = 0; i < turns; i++) {
            length += (size_t)snprintf(text + length, 24, i % 2 ? "%zu... bqk -\n" : "%zu. BQK -\n",
                                       1 + i / 2);
        }
        memcpy(text + length, "*\n", sizeof "*\n");
        hz_status status = read_one(f, text, length + 2);
        free(text);
        assert_int_equal(status, over ? HZ_RECORD_SYNTAX : HZ_OK);
        if (over) {
            assert_int_equal(f->error.line, 7 + HZ_RECORD_TURNS_MAX);
            continue;
        }
        assert_int_equal(hz_record_replay(&f->record, false, NULL, NULL, NULL, NULL), HZ_OK);
        f->record.turn_count++;
        size_t needed = 0;
        assert_int_equal(hz_record_to_text(&f->record, NULL, 0, &needed, &f->error),
                         HZ_RECORD_SYNTAX);
    }
}

static void a_small_arena_is_no_memory_and_the_next_game_can_be_read(void **state) {
    fixture *f = *state;
    test_text text = {0};
    test_text_add(&text, FIVE);
    for (int i = 0; i < 2000; i++) {
        char line[32];
        snprintf(line, sizeof line, i % 2 ? "%d... bqk -\n" : "%d. BQK -\n", 1 + i / 2);
        test_text_add(&text, line);
    }
    test_text_add(&text, "*\n\n" GAME);
    hz_arena arena;
    hz_arena_init(&arena, 32768);
    hz_record_reader_init_text(&f->reader, text.text, text.length);
    assert_int_equal(hz_record_read(&f->reader, &arena, &f->record, &f->error), HZ_NO_MEMORY);
    assert_true(f->error.line > 6);
    hz_arena_reset(&arena);
    assert_int_equal(hz_record_read(&f->reader, &arena, &f->record, &f->error), HZ_OK);
    assert_written(&f->record, GAME);
    hz_arena_fini(&arena);
    test_text_free(&text);
}

/* ---- bad games among good ones ---- */

static void a_bad_game_does_not_spoil_its_neighbours(void **state) {
    fixture *f = *state;
    for (size_t i = 0; i < sizeof nasties / sizeof *nasties; i++) {
        if ((unsigned char)nasties[i].text[0] == 0xEF) {
            continue;
        }
        test_text text = {0};
        test_text_add(&text, GAME);
        test_text_add(&text, nasties[i].text);
        test_text_add(&text, "\n" GAME);
        hz_record_reader_init_text(&f->reader, text.text, text.length);
        hz_status status[8];
        int games = 0, good = 0, bad = 0;
        do {
            hz_arena_reset(&f->arena);
            assert_true(games < 8);
            status[games] = hz_record_read(&f->reader, &f->arena, &f->record, &f->error);
            good += status[games] == HZ_OK;
            bad += status[games] != HZ_OK && status[games] != HZ_NOT_FOUND;
        } while (status[games++] != HZ_NOT_FOUND);
        if (good != 2 || bad < 1 || status[0] != HZ_OK || status[games - 2] != HZ_OK) {
            fail_msg("%d good and %d bad games around\n%s", good, bad, nasties[i].text);
        }
        test_text_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RECORD_TEST(errors_name_line_column_offset_and_cause),
        RECORD_TEST(nothing_is_changed_by_a_bad_game),
        RECORD_TEST(a_turn_after_the_king_is_taken_is_refused),
        RECORD_TEST(nul_bytes_are_refused_wherever_they_stand),
        RECORD_TEST(a_text_cut_anywhere_is_refused_at_its_end_or_before),
        RECORD_TEST(any_changed_byte_is_refused_or_read_as_a_writable_game),
        RECORD_TEST(a_line_may_have_4096_bytes_and_no_more),
        RECORD_TEST(an_endless_line_takes_no_memory_and_hides_no_game),
        RECORD_TEST(too_many_headers_are_refused),
        RECORD_TEST(a_game_may_have_100000_turns_and_no_more),
        RECORD_TEST(a_small_arena_is_no_memory_and_the_next_game_can_be_read),
        RECORD_TEST(a_bad_game_does_not_spoil_its_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
