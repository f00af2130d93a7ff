/* SPDX-License-Identifier: MIT */
/*
 * Writing PGN: the exact form, lines of at most 80 bytes, what is refused, a thousand random games
 * read back as they were, and pgn-extract as a second reader.
 */
#include "chess/games.h"

#include <stdio.h>
#include <unistd.h>

static hz_pgn_game *read_one(const char *text, size_t length, hz_arena *arena) {
    hz_pgn_reader *reader = hz_pgn_reader_text(text, length, true, true);
    hz_pgn_game *game = hz_arena_alloc(arena, sizeof *game);
    hz_error err;
    assert_true(reader && game);
    if (hz_pgn_read(reader, arena, game, &err) != HZ_OK) {
        fail_msg("%u:%u: %s\n%s", err.line, err.column, err.message, text);
    }
    hz_pgn_game other;
    assert_int_equal(hz_pgn_read(reader, arena, &other, &err), HZ_NOT_FOUND);
    hz_pgn_reader_free(reader);
    return game;
}

static void written_as(const char *text, const char *expected) {
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_pgn_game *game = read_one(text, strlen(text), &arena);
    memory out = {0}, again = {0};
    write_game(game, &out);
    test_same_text(text, "written", expected, out.text);
    write_game(read_one(out.text, out.length, &arena), &again);
    test_same_text(text, "written twice", expected, again.text);
    free(out.text);
    free(again.text);
    hz_arena_fini(&arena);
}

#define ROSTER                                                                                     \
    "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"           \
    "[Black \"?\"]\n"

static void the_form_is_that_of_export(void **state) {
    (void)state;
    written_as("*", ROSTER "[Result \"*\"]\n\n*\n\n");
    written_as("1. e4 e5 2. Nf3! (2. f4? exf4 {takes}) {main} 2... Nc6 $10 1-0", ROSTER
               "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 $1 ( 2. f4 $2 exf4 {takes} ) {main} 2... "
               "Nc6 $10 1-0\n\n");
    written_as(
        "[ECO \"C20\"][Black \"b\\\"\\\\\"][Result \"1-0\"]{before}e4{x}e5 0-1",
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
        "[Black \"b\\\"\\\\\"]\n[Result \"0-1\"]\n[ECO \"C20\"]\n\n{before} 1. e4 {x} 1... e5 "
        "0-1\n\n");
    written_as("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 17\"] Kd7 (Kd8) 0-0 1/2-1/2", ROSTER
               "[Result \"1/2-1/2\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 17\"]\n"
               "\n17... Kd7 ( 17... Kd8 ) 18. O-O 1/2-1/2\n\n");
    /* A comment with a closing brace takes the rest of its line. */
    written_as("1. e4 ; a } b\n e5 (1... c5 ; }\n) *",
               ROSTER "[Result \"*\"]\n\n1. e4 ; a } b\n1... e5 ( 1... c5 ; }\n) *\n\n");
    /* Neither an escape nor a tag may seem to begin a line. */
    written_as(
        "1. e4 {aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa %bb "
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa [Event} *",
        ROSTER "[Result \"*\"]\n\n1. e4 "
               "{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n %bb\n"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
               " [Event} *\n\n");
}

static void lines_have_at_most_80_bytes(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    hz_arena arena;
    hz_arena_init(&arena, 0);
    size_t full = 0;
    for (size_t i = 0, games = test_effort(100); i < games; i++) {
        hz_arena_reset(&arena);
        hz_pgn_game game = random_game(&random, &arena, 80, (game_style){0, 30, 10, false});
        memory out = {0};
        write_game(&game, &out);
        for (const char *at = strstr(out.text, "\n\n") + 2; *at;) {
            size_t length = strcspn(at, "\n");
            assert_true(length <= 80);
            assert_true(length == 0 || (at[0] != ' ' && at[length - 1] != ' '));
            full += length == 80;
            at += length + 1;
        }
        free(out.text);
    }
    test_met(full > 0);
    hz_arena_fini(&arena);
}

static void a_thousand_random_games_come_back(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 1);
    static const game_style styles[] = {
        {0, 0, 0, false}, {20, 0, 0, false}, {0, 20, 10, false}, {25, 25, 10, false}};
    for (size_t i = 0, games = test_effort(1000); i < games; i++) {
        hz_arena arena;
        hz_arena_init(&arena, 0);
        hz_pgn_game game =
            random_game(&random, &arena, 1 + hz_random_draw(&random, 120), styles[i % 4]);
        memory out = {0}, again = {0};
        write_game(&game, &out);
        hz_pgn_game *read = read_one(out.text, out.length, &arena);
        same_game(&game, read);
        write_game(read, &again);
        assert_string_equal(out.text, again.text);
        free(out.text);
        free(again.text);
        hz_arena_fini(&arena);
    }
}

static void a_game_that_no_file_can_hold_is_refused_before_its_first_byte(void **state) {
    (void)state;
    hz_error err;
    memory out = {0};
    const hz_pgn_move good = {.move = hz_move_make(12, 28, HZ_MOVE_DOUBLE_STEP)};
    const hz_pgn_move wrong = {.move = hz_move_make(12, 36, 0)};
    const hz_pgn_move then_wrong = {.move = good.move, .next = &wrong};
    const hz_pgn_move beside_wrong = {.move = good.move, .variation = &wrong};
    const hz_pgn_move second_wrong = {.move = good.move, .next_variation = &wrong};
    const hz_pgn_move beside_second = {.move = good.move, .variation = &second_wrong};
    const hz_pgn_move *const lines[] = {&wrong, &then_wrong, &beside_wrong, &beside_second};
    hz_pgn_game game = {.start = read_fen(HZ_START_DFEN)};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        game.moves = lines[i];
        assert_int_equal(hz_pgn_write(&game, into_memory, &out, &err), HZ_NOT_LEGAL);
        assert_printable(err.message);
    }
    game.moves = NULL;
    static const char *const names[] = {"", "a b", "a\"", "a\nb", "\xC3\xBC", "]"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const hz_pgn_tag tag = {names[i], "x"};
        game.tags = &tag;
        game.tag_count = 1;
        assert_int_equal(hz_pgn_write(&game, into_memory, &out, &err), HZ_INVALID_ARGUMENT);
        assert_printable(err.message);
    }
    game.tag_count = 0;
    game.start = hz_position_empty();
    assert_int_equal(hz_pgn_write(&game, into_memory, &out, &err), HZ_NOT_LEGAL);
    assert_string_equal(err.message, "no game begins like this: White has no king");
    assert_int_equal(out.length, 0);
    free(out.text);
}

static void texts_of_any_kind_are_made_fit(void **state) {
    (void)state;
    static const hz_pgn_tag tags[] = {{"White", "a\nb\t\x01"}, {"Note", "]\n[Event \"x\"]"}};
    const hz_pgn_move move = {.move = hz_move_make(12, 28, HZ_MOVE_DOUBLE_STEP),
                              .nag_count = 200,
                              .nags = {1, 2, 3, 4, 5, 6, 7, 8},
                              .comment = "\n a\n\n} b\r",
                              .comment_before = " \n"};
    const hz_pgn_game game = {.tag_count = 2,
                              .tags = tags,
                              .start = read_fen(HZ_START_DFEN),
                              .moves = &move,
                              .plies = 1,
                              .result = (hz_pgn_result)77};
    memory out = {0};
    write_game(&game, &out);
    static const char expected[] =
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"a b  \"]\n"
        "[Black \"?\"]\n[Result \"*\"]\n[Note \"] [Event \\\"x\\\"]\"]\n\n"
        "1. e4 $1 $2 $3 $4 $5 $6 $7 $8 ; a } b\n*\n\n";
    test_same_text("game", "written", expected, out.text);
    free(out.text);
}

static void a_failing_sink_is_told(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 2);
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_pgn_game game = random_game(&random, &arena, 300, (game_style){60, 20, 10, false});
    memory whole = {0};
    write_game(&game, &whole);
    for (size_t at = 1; at <= whole.length; at += 1 + whole.length / 50) {
        memory out = {.fail_at = at};
        hz_error err;
        assert_int_equal(hz_pgn_write(&game, into_memory, &out, &err), HZ_IO);
        assert_true(out.length < at);
        free(out.text);
    }
    free(whole.text);
    hz_arena_fini(&arena);
}

/* ---- pgn-extract ----------------------------------------------------------------------------------- */

/* Debian keeps games out of root's path. */
#define WITH_GAMES "PATH=$PATH:/usr/games; "

static bool have_pgn_extract(void) {
    /* NOLINTNEXTLINE(cert-env33-c) */
    return system(WITH_GAMES "command -v pgn-extract >/dev/null 2>&1") == 0;
}

static void write_file(const char *path, const char *text, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 24);
    assert_non_null(text);
    *length = fread(text, 1, (1 << 24) - 1, file);
    fclose(file);
    return text;
}

/* Of a game that is over what the board says, else what was made up: the reader compares. */
static hz_pgn_result result_of(const hz_pgn_game *game) {
    hz_position position = game->start;
    for (const hz_pgn_move *move = game->moves; move; move = move->next) {
        hz_chess_play(&position, move->move, &position);
    }
    hz_chess_end end = hz_chess_position_end(&position);
    return end == HZ_CHESS_CHECKMATE   ? position.side == HZ_WHITE ? HZ_PGN_BLACK : HZ_PGN_WHITE
           : end == HZ_CHESS_STALEMATE ? HZ_PGN_DRAW
                                       : game->result;
}

/* Our games are read by pgn-extract without complaint, and what it writes is read by us as the same
 * games. */
static void a_second_reader_understands_the_same(void **state) {
    (void)state;
    if (!have_pgn_extract()) {
        test_leave_out("pgn-extract is not installed");
    }
    char folder[] = "/tmp/hazard-pgn-XXXXXX", in[64], out[64], log[64], command[400];
    assert_non_null(mkdtemp(folder));
    snprintf(in, sizeof in, "%s/in.pgn", folder);
    snprintf(out, sizeof out, "%s/out.pgn", folder);
    snprintf(log, sizeof log, "%s/log", folder);

    hz_random random = hz_random_from_seed(test_seed() + 3);
    size_t games = test_effort(300);
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_pgn_game *made = calloc(games, sizeof *made);
    assert_non_null(made);
    memory text = {0};
    for (size_t i = 0; i < games; i++) {
        static const game_style styles[] = {{0, 0, 0, true}, {20, 10, 0, true}, {15, 10, 8, true}};
        made[i] = random_game(&random, &arena, 1 + hz_random_draw(&random, 150), styles[i % 3]);
        made[i].result = result_of(&made[i]);
        write_game(&made[i], &text);
    }
    write_file(in, text.text, text.length);
    snprintf(command, sizeof command,
             WITH_GAMES "pgn-extract --quiet -w 200 -o '%s' '%s' >/dev/null 2>'%s'", out, in, log);
    int status = system(command); /* NOLINT(cert-env33-c) */
    size_t log_length, length;
    char *complaints = read_file(log, &log_length), *back = read_file(out, &length);
    test_same_text(in, "complaints of pgn-extract", "", complaints);
    assert_int_equal(status, 0);

    hz_pgn_reader *reader = hz_pgn_reader_text(back, length, true, true);
    assert_non_null(reader);
    for (size_t i = 0; i < games; i++) {
        hz_pgn_game read;
        hz_error err;
        if (hz_pgn_read(reader, &arena, &read, &err) != HZ_OK) {
            fail_msg("its game %zu: %u:%u: %s", i, err.line, err.column, err.message);
        }
        /* It puts tags and comments in its own order: the moves are what counts. */
        assert_true(hz_position_same_board(&made[i].start, &read.start));
        assert_int_equal(made[i].result, read.result);
        assert_int_equal(made[i].plies, read.plies);
        const hz_pgn_move *a = made[i].moves, *b = read.moves;
        for (; a && b; a = a->next, b = b->next) {
            assert_int_equal(a->move, b->move);
            const hz_pgn_move *v = a->variation, *u = b->variation;
            for (; v && u; v = v->next_variation, u = u->next_variation) {
                assert_int_equal(v->move, u->move);
            }
            assert_true(!v && !u);
        }
        assert_true(!a && !b);
    }
    hz_pgn_game none;
    assert_int_equal(hz_pgn_read(reader, &arena, &none, NULL), HZ_NOT_FOUND);
    hz_pgn_reader_free(reader);
    hz_arena_fini(&arena);
    free(made);
    free(text.text);
    free(complaints);
    free(back);
    assert_int_equal(unlink(in) | unlink(out) | unlink(log) | rmdir(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_form_is_that_of_export),
        cmocka_unit_test(lines_have_at_most_80_bytes),
        cmocka_unit_test(a_thousand_random_games_come_back),
        cmocka_unit_test(a_game_that_no_file_can_hold_is_refused_before_its_first_byte),
        cmocka_unit_test(texts_of_any_kind_are_made_fit),
        cmocka_unit_test(a_failing_sink_is_told),
        cmocka_unit_test(a_second_reader_understands_the_same),
    };
    return cmocka_run_group_tests_name("chess/pgn_write", tests, NULL, NULL);
}
