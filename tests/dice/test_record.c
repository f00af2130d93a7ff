/* SPDX-License-Identifier: MIT */
/* Game records as text: round trips of played games, the canonical form, sources, the writer. */
#include "dice/record_games.h"

#include <stdio.h>

/* ---- random games ---- */

static const char *random_text(hz_random *random, hz_arena *arena) {
    static const char *const pieces[] = {
        "a", "Z", " ", "\"", "\\", "\n",  "\t", "\xC3\xA9", "\xE2\x98\x83", "\xF0\x9F\x8E\xB2",
        "[", "]", "{", "}",  ";",  "1-0", "\\n"};
    uint32_t words = 1 + hz_random_draw(random, 12);
    char *text = hz_arena_alloc(arena, 8 * (size_t)words + 1);
    assert_non_null(text);
    size_t length = 0;
    for (uint32_t i = 0; i < words; i++) {
        const char *piece = pieces[hz_random_draw(random, sizeof pieces / sizeof *pieces)];
        memcpy(text + length, piece, strlen(piece));
        length += strlen(piece);
    }
    text[length] = '\0';
    return text;
}

/* Plays a legal game with random turns; stops where the rules or the length stop it. */
static void play(hz_random *random, hz_arena *arena, hz_record *record) {
    static const char *const starts[] = {
        HZ_START_DFEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 17",
        "4k3/8/8/8/8/8/8/4K3 w - - 95 2147483640",
        "8/PPPk4/8/8/8/8/4Kppp/8 b - - 0 9",
    };
    enum { TURNS_MOST = 60 };
    hz_record_init(record);
    const char *start = starts[hz_random_draw(random, sizeof starts / sizeof *starts)];
    record->start = test_position(start);
    record->players[HZ_WHITE] = random_text(random, arena);
    record->players[HZ_BLACK] = random_text(random, arena);
    record->has_seed = true;
    record->seed = (uint64_t)hz_random_draw(random, UINT32_MAX) << 32 | hz_random_draw(random, 99);
    record->header_count = hz_random_draw(random, 4);
    record->headers = hz_arena_alloc(arena, 4 * sizeof *record->headers);
    record->turns = hz_arena_alloc(arena, TURNS_MOST * sizeof *record->turns);
    assert_non_null(record->turns);
    static const char *const names[] = {"Event", "Date", "X_1", "WHITE"};
    for (size_t i = 0; i < record->header_count; i++) {
        record->headers[i] = (hz_record_header){names[i], random_text(random, arena)};
    }
    hz_position position = record->start;
    bool took_king = false;
    while (!took_king && position.halfmove < 100 && record->turn_count < TURNS_MOST) {
        hz_record_turn *turn = &record->turns[record->turn_count];
        *turn = (hz_record_turn){.roll = hz_roll_at(record->seed, record->turn_count)};
        record->turn_count++;
        hz_position_set_pool(&position, turn->roll);
        hz_turn_list list;
        hz_arena turns;
        hz_arena_init(&turns, 0);
        hz_status status = hz_turns_list(&position, 5000, &turns, &list, NULL);
        assert_true(status == HZ_OK || status == HZ_INCOMPLETE);
        if (list.count) {
            turn->turn = list.turns[hz_random_draw(random, (uint32_t)list.count)];
        }
        hz_arena_fini(&turns);
        for (int i = 0; i < turn->turn.count; i++) {
            assert_int_equal(hz_move_apply(&position, turn->turn.moves[i], &took_king, NULL),
                             HZ_OK);
        }
        if (!took_king) {
            hz_hand_over(&position);
        }
        if (hz_random_draw(random, 2)) {
            static const uint32_t clocks[] = {0, 1, 10, 100, 1000, 59500, 1234567, UINT32_MAX};
            turn->has_clock = true;
            turn->clock_ms = clocks[hz_random_draw(random, 8)];
        }
        if (hz_random_draw(random, 2)) {
            static const int32_t scores[] = {0, -1, 30, INT32_MAX, INT32_MIN};
            turn->has_score = true;
            turn->score = scores[hz_random_draw(random, 5)];
        }
        turn->comment = hz_random_draw(random, 3) ? NULL : random_text(random, arena);
    }
    if (took_king) {
        record->reason = HZ_REASON_KING;
        record->outcome = position.side == HZ_WHITE ? HZ_OUTCOME_WHITE : HZ_OUTCOME_BLACK;
    } else if (position.halfmove >= 100) {
        record->reason = HZ_REASON_FIFTY;
        record->outcome = HZ_OUTCOME_DRAW;
    } else if (hz_random_draw(random, 2)) {
        record->reason = HZ_REASON_LENGTH;
        record->outcome = HZ_OUTCOME_DRAW;
    }
}

typedef struct chain {
    const hz_record *record;
    hz_position expected;
    size_t seen;
} chain;

static bool follows(void *context, const hz_record_step *step) {
    chain *c = context;
    hz_position before = *step->position;
    assert_int_equal(step->ply, c->seen);
    assert_ptr_equal(step->turn, &c->record->turns[step->ply]);
    assert_int_equal(before.pool, step->turn->roll);
    hz_position_set_pool(&before, 0);
    assert_memory_equal(&before, &c->expected, sizeof before);
    c->expected = *step->after;
    c->seen++;
    return true;
}

static void random_games_survive_writing_and_reading_many_to_a_text(void **state) {
    fixture *f = *state;
    hz_random random = hz_random_from_seed(test_seed());
    size_t games = test_effort(300);
    test_text all = {0};
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_record *records = calloc(games, sizeof *records);
    assert_non_null(records);
    for (size_t i = 0; i < games; i++) {
        play(&random, &arena, &records[i]);
        char *text = written(&records[i]);
        test_text_add(&all, text);
        free(text);
    }
    hz_record_reader_init_text(&f->reader, all.text, all.length);
    size_t offset = 0;
    for (size_t i = 0; i < games; i++) {
        hz_arena_reset(&f->arena);
        if (hz_record_read(&f->reader, &f->arena, &f->record, &f->error) != HZ_OK) {
            fail_msg("game %zu, %u:%u: %s", i, f->error.line, f->error.column, f->error.message);
        }
        assert_same_record(&records[i], &f->record);
        char *text = written(&f->record);
        assert_memory_equal(text, all.text + offset, strlen(text));
        offset += strlen(text);
        free(text);
        chain c = {&f->record, f->record.start, 0};
        hz_position last;
        if (hz_record_replay(&f->record, true, follows, &c, &last, &f->error) != HZ_OK) {
            fail_msg("game %zu: %s", i, f->error.message);
        }
        assert_int_equal(c.seen, f->record.turn_count);
        assert_memory_equal(&last, &c.expected, sizeof last);
    }
    assert_int_equal(offset, all.length);
    assert_int_equal(hz_record_read(&f->reader, &f->arena, &f->record, &f->error), HZ_NOT_FOUND);
    free(records);
    hz_arena_fini(&arena);
    test_text_free(&all);
}

/* ---- canonical form ---- */

static void canonical_text_is_written_back_unchanged(void **state) {
    fixture *f = *state;
    read_good(f, GAME);
    assert_written(&f->record, GAME);
}

static void a_read_game_says_what_the_text_says(void **state) {
    fixture *f = *state;
    read_good(f, GAME);
    const hz_record *r = &f->record;
    char dfen[HZ_DFEN_CAPACITY], turn[HZ_TURN_CAPACITY];
    assert_string_equal(r->players[HZ_WHITE], "greedy");
    assert_string_equal(r->players[HZ_BLACK], "Zo\xC3\xAB \"the book\" B\\B");
    assert_string_equal(test_dfen(&r->start, dfen), "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1");
    assert_string_equal(hz_record_header_find(r, "Event"), "two\nlines");
    assert_null(hz_record_header_find(r, "Site"));
    assert_int_equal(r->outcome, HZ_OUTCOME_WHITE);
    assert_int_equal(r->reason, HZ_REASON_KING);
    assert_false(r->has_seed);
    assert_int_equal(r->turn_count, 3);
    assert_int_equal(r->turns[0].clock_ms, 59500);
    assert_int_equal(r->turns[0].score, -30);
    assert_string_equal(r->turns[0].comment, "a \"quiet\" move \xE2\x99\x94 \\ ; {score 1}");
    assert_int_equal(r->turns[1].turn.count, 0);
    assert_false(r->turns[1].has_clock || r->turns[1].has_score);
    assert_null(r->turns[1].comment);
    hz_turn_to_text(&r->turns[2].turn, turn);
    assert_string_equal(turn, "e1e8");
    assert_int_equal(r->turns[2].turn.took_king, 1);
    assert_int_equal(r->turns[2].place.line, 11);
    assert_int_equal(r->turns[2].place.column, 8);
    assert_int_equal(r->end.line, 12);
}

static void free_spellings_become_canonical(void **state) {
    fixture *f = *state;
    read_good(f, "\xEF\xBB\xBF\r\n\n"
                 "[HazardRecord \"1\"]\r\n"
                 "[Reason \"king\"]\r\n"
                 "[Site \"here\"]\r\n"
                 "[Result \"0-1\"]\r\n"
                 "[Start \"rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 00\"]\r\n"
                 "[Event \"there\"]\r\n"
                 "[Black \"b\"]\r\n"
                 "[White \"w\"]\r\n"
                 "\r\n"
                 "\n"
                 "1. kbq - {clock 60.000}\r\n"
                 "1... 222 b8c6,c6b4,b4d3 ; say \\\"check\\\"\n"
                 "2. RRr -\r\n"
                 "2... Pn2 d3e1 {clock 7.050}\r\n"
                 "0-1");
    assert_written(&f->record, "[HazardRecord \"1\"]\n"
                               "[White \"w\"]\n"
                               "[Black \"b\"]\n"
                               "[Site \"here\"]\n"
                               "[Event \"there\"]\n"
                               "[Result \"0-1\"]\n"
                               "[Reason \"king\"]\n"
                               "\n"
                               "1. BQK - {clock 60}\n"
                               "1... nnn b8c6,c6b4,b4d3 ; say \"check\"\n"
                               "2. RRR -\n"
                               "2... pnn d3e1 {clock 7.05}\n"
                               "0-1\n"
                               "\n");
    assert_int_equal(hz_record_replay(&f->record, false, NULL, NULL, NULL, &f->error), HZ_OK);
}

static void an_unusual_start_and_a_seed_are_written(void **state) {
    fixture *f = *state;
    hz_record record;
    hz_record_init(&record);
    assert_written(&record, "[HazardRecord \"1\"]\n[White \"?\"]\n[Black \"?\"]\n"
                            "[Result \"*\"]\n[Reason \"unterminated\"]\n\n*\n\n");
    record.start.halfmove = 1;
    char *text_with_clock = written(&record);
    assert_non_null(strstr(text_with_clock, "[Start \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR "
                                            "w KQkq - 1 1\"]\n"));
    free(text_with_clock);
    record.start.halfmove = 0;
    record.start.fullmove = 2;
    record.has_seed = true;
    record.seed = UINT64_MAX;
    const char *text = "[HazardRecord \"1\"]\n[White \"?\"]\n[Black \"?\"]\n"
                       "[Start \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2\"]\n"
                       "[Seed \"18446744073709551615\"]\n"
                       "[Result \"*\"]\n[Reason \"unterminated\"]\n\n*\n\n";
    assert_written(&record, text);
    read_good(f, text);
    assert_same_record(&record, &f->record);
}

static void the_example_of_the_document_is_a_canonical_legal_game(void **state) {
    fixture *f = *state;
    const char *data = getenv("HAZARD_TEST_DATA");
    char path[4096], document[65536];
    assert_non_null(data);
    snprintf(path, sizeof path, "%s/../../docs/formats.md", data);
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail_msg("cannot open %s", path);
    }
    document[fread(document, 1, sizeof document - 1, file)] = '\0';
    fclose(file);
    char *game = strstr(document, "\n[HazardRecord ");
    assert_non_null(game);
    char *end = strstr(game, "```");
    assert_non_null(end);
    *end = '\0';
    read_good(f, game + 1);
    assert_written(&f->record, game + 1);
    hz_status status = hz_record_replay(&f->record, true, NULL, NULL, NULL, &f->error);
    test_same_text("docs/formats.md", f->error.message, "OK", hz_status_name(status));
}

/* ---- sources ---- */

static void pieces_of_any_size_read_the_same(void **state) {
    fixture *f = *state;
    static const char text[] = "\xEF\xBB\xBF" GAME "[HazardRecord \"2\"]\n" GAME;
    for (size_t most = 1; most < sizeof text; most++) {
        dripping d = {text, sizeof text - 1, most, 0};
        hz_record_reader_init(&f->reader, drip_to_end, &d);
        for (int game = 0; game < 4; game++) {
            hz_arena_reset(&f->arena);
            hz_status status = hz_record_read(&f->reader, &f->arena, &f->record, &f->error);
            assert_int_equal(status, game == 1   ? HZ_RECORD_HEADER
                                     : game == 3 ? HZ_NOT_FOUND
                                                 : HZ_OK);
            if (status == HZ_OK) {
                assert_written(&f->record, GAME);
            }
        }
    }
}

static void a_failing_source_is_an_io_error_and_stays_one(void **state) {
    fixture *f = *state;
    for (size_t fail_with = 0; fail_with < sizeof GAME - 1; fail_with++) {
        dripping d = {GAME, sizeof GAME - 1, 7, fail_with};
        hz_record_reader_init(&f->reader, drip, &d);
        hz_record before;
        hz_record_init(&before);
        hz_record record = before;
        hz_status status = hz_record_read(&f->reader, &f->arena, &record, &f->error);
        if (status == HZ_OK) {
            /* The result line came whole before the failure. */
            status = hz_record_read(&f->reader, &f->arena, &record, &f->error);
        } else {
            assert_memory_equal(&record, &before, sizeof record);
        }
        assert_int_equal(status, HZ_IO);
        assert_int_equal(f->error.code, HZ_IO);
        assert_int_equal(hz_record_read(&f->reader, &f->arena, &record, NULL), HZ_IO);
    }
}

static ptrdiff_t lie(void *context, char *buffer, size_t capacity) {
    (void)context;
    memset(buffer, '\n', capacity);
    return (ptrdiff_t)capacity + 1;
}

static void a_source_that_gives_more_than_asked_is_an_io_error(void **state) {
    fixture *f = *state;
    hz_record_reader_init(&f->reader, lie, NULL);
    assert_int_equal(hz_record_read(&f->reader, &f->arena, &f->record, &f->error), HZ_IO);
}

static void texts_without_a_game_hold_no_game(void **state) {
    fixture *f = *state;
    static const char *const texts[] = {"", "\n", "\r\n\r\n\n", "\xEF\xBB\xBF", "\xEF\xBB\xBF\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(read_one(f, texts[i], strlen(texts[i])), HZ_NOT_FOUND);
        assert_int_equal(hz_record_read(&f->reader, &f->arena, &f->record, NULL), HZ_NOT_FOUND);
    }
}

/* ---- writer ---- */

static void an_empty_comment_is_none(void **state) {
    fixture *f = *state;
    read_good(f, PLAIN("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "*", "unterminated", "1. NNN -\n"));
    f->record.turns[0].comment = "";
    char *text = written(&f->record);
    assert_non_null(strstr(text, "\n1. NNN -\n*\n"));
    free(text);
}

static void the_writer_refuses_what_no_text_can_say(void **state) {
    fixture *f = *state;
    size_t length = 1;
    hz_record good, r;
    hz_record_turn turn = {.roll = hz_pool_from_faces(3, 5, 6)};
    hz_record_header headers[HZ_RECORD_HEADERS_MAX + 1];
    char names[HZ_RECORD_HEADERS_MAX + 1][8];
    for (int i = 0; i <= HZ_RECORD_HEADERS_MAX; i++) {
        snprintf(names[i], sizeof names[i], "X%d", i);
        headers[i] = (hz_record_header){names[i], "v"};
    }
    char longest[HZ_RECORD_LINE_MAX + 1];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    hz_record_init(&good);
    good.turns = &turn;
    good.turn_count = 1;
    good.headers = headers;
    good.header_count = 1;
    assert_int_equal(hz_record_to_text(&good, NULL, 0, &length, &f->error), HZ_OK);

#define REFUSED(change, code, says)                                                                \
    do {                                                                                           \
        r = good;                                                                                  \
        turn = (hz_record_turn){.roll = hz_pool_from_faces(3, 5, 6)};                              \
        headers[0] = (hz_record_header){"Event", "e"};                                             \
        headers[1] = (hz_record_header){"Site", "s"};                                              \
        change;                                                                                    \
        length = 1;                                                                                \
        hz_status status = hz_record_to_text(&r, NULL, 0, &length, &f->error);                     \
        if (status != (code) || !strstr(f->error.message, says) || length != 0) {                  \
            fail_msg("%s: %s, \"%s\", %zu bytes written", #change, hz_status_name(status),         \
                     f->error.message, length);                                                    \
        }                                                                                          \
    } while (0)

    REFUSED(r.players[0] = NULL, HZ_RECORD_HEADER, "White has no value");
    REFUSED(r.players[1] = "a\rb", HZ_RECORD_HEADER, "Black: byte 0x0D");
    REFUSED(r.players[1] = "\xC3", HZ_RECORD_HEADER, "Black: byte 0xC3");
    REFUSED(r.players[1] = longest, HZ_RECORD_SYNTAX, "Black takes a line of");
    REFUSED(r.start.pool = 1, HZ_RECORD_HEADER, "has dice");
    REFUSED(r.outcome = HZ_OUTCOME_DRAW, HZ_RECORD_HEADER, "does not end 1/2-1/2");
    REFUSED(r.outcome = (hz_game_outcome)4, HZ_RECORD_HEADER, "does not end ?");
    REFUSED(r.reason = (hz_game_reason)9, HZ_RECORD_HEADER, "reason ?");
    REFUSED(r.header_count = HZ_RECORD_HEADERS_MAX + 1, HZ_RECORD_HEADER, "64 are allowed");
    REFUSED(headers[0].name = "", HZ_RECORD_HEADER, "not a header name");
    REFUSED(headers[0].name = NULL, HZ_RECORD_HEADER, "not a header name");
    REFUSED(headers[0].name = "event", HZ_RECORD_HEADER, "\"event\" is not a header name");
    REFUSED(headers[0].name = "A]", HZ_RECORD_HEADER, "not a header name");
    REFUSED(headers[0].name = longest, HZ_RECORD_HEADER, "not a header name");
    REFUSED(headers[0].name = "Result", HZ_RECORD_HEADER, "from the record itself");
    REFUSED(headers[0].name = "HazardRecord", HZ_RECORD_HEADER, "from the record itself");
    REFUSED((r.header_count = 2, headers[1].name = "Event"), HZ_RECORD_HEADER, "stands twice");
    REFUSED(headers[0].value = NULL, HZ_RECORD_HEADER, "Event has no value");
    REFUSED(headers[0].value = "\x01", HZ_RECORD_HEADER, "Event: byte 0x01");
    REFUSED(turn.comment = "\xFF", HZ_RECORD_SYNTAX, "turn 1: byte 0xFF");
    REFUSED(turn.comment = longest, HZ_RECORD_SYNTAX, "turn 1 takes a line of 4107 bytes");
    REFUSED(turn.roll = 0, HZ_RECORD_SYNTAX, "three dice");
    REFUSED(turn.roll = 0x7000, HZ_RECORD_SYNTAX, "three dice");
    REFUSED(turn.turn.count = 4, HZ_RECORD_SYNTAX, "up to three micro-moves");
    REFUSED(turn.turn.count = 1, HZ_RECORD_SYNTAX, "up to three micro-moves");
    REFUSED(r.turn_count = HZ_RECORD_TURNS_MAX + 1, HZ_RECORD_SYNTAX, "100000 are allowed");
#undef REFUSED
}

static bool stop_soon(void *context, const char *text, size_t length) {
    (void)text;
    size_t *left = context;
    bool more = *left > length;
    *left -= more ? length : 0;
    return more;
}

static void a_sink_that_stops_is_an_io_error(void **state) {
    fixture *f = *state;
    read_good(f, GAME);
    for (size_t room = 0; room < sizeof GAME - 1; room++) {
        size_t left = room;
        assert_int_equal(hz_record_write(&f->record, stop_soon, &left, &f->error), HZ_IO);
    }
    size_t left = sizeof GAME;
    assert_int_equal(hz_record_write(&f->record, stop_soon, &left, &f->error), HZ_OK);
}

static void a_small_buffer_is_filled_terminated_and_told_the_length(void **state) {
    fixture *f = *state;
    read_good(f, GAME);
    for (size_t capacity = 0; capacity < sizeof GAME + 2; capacity++) {
        char buffer[sizeof GAME + 2];
        memset(buffer, '#', sizeof buffer);
        size_t length = 0;
        assert_int_equal(hz_record_to_text(&f->record, buffer, capacity, &length, NULL), HZ_OK);
        assert_int_equal(length, sizeof GAME - 1);
        if (capacity) {
            size_t kept = capacity < sizeof GAME ? capacity - 1 : sizeof GAME - 1;
            assert_memory_equal(buffer, GAME, kept);
            assert_int_equal(buffer[kept], '\0');
        }
        assert_int_equal(buffer[capacity], '#');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RECORD_TEST(random_games_survive_writing_and_reading_many_to_a_text),
        RECORD_TEST(canonical_text_is_written_back_unchanged),
        RECORD_TEST(a_read_game_says_what_the_text_says),
        RECORD_TEST(free_spellings_become_canonical),
        RECORD_TEST(an_unusual_start_and_a_seed_are_written),
        RECORD_TEST(the_example_of_the_document_is_a_canonical_legal_game),
        RECORD_TEST(pieces_of_any_size_read_the_same),
        RECORD_TEST(a_failing_source_is_an_io_error_and_stays_one),
        RECORD_TEST(a_source_that_gives_more_than_asked_is_an_io_error),
        RECORD_TEST(texts_without_a_game_hold_no_game),
        RECORD_TEST(an_empty_comment_is_none),
        RECORD_TEST(the_writer_refuses_what_no_text_can_say),
        RECORD_TEST(a_sink_that_stops_is_an_io_error),
        RECORD_TEST(a_small_buffer_is_filled_terminated_and_told_the_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
