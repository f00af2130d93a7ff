/* SPDX-License-Identifier: MIT */
/*
 * Reading PGN: what files hold in good and bad days, errors with line and column, the way to the
 * next game, pieces of any size, little memory.
 */
#include "chess/games.h"

#include <stdio.h>

/* Reads a whole text into one line for each game: what was understood, or the error. */
static void tell_moves(test_text *out, const hz_pgn_move *move, hz_position position) {
    for (; move; move = move->next) {
        char text[32];
        if (move->comment_before) {
            test_text_word(out, "<");
            test_text_word(out, move->comment_before);
            test_text_word(out, ">");
        }
        (void)hz_san_from_move(&position, move->move, text);
        test_text_word(out, text);
        for (int i = 0; i < move->nag_count; i++) {
            snprintf(text, sizeof text, "$%u", move->nags[i]);
            test_text_word(out, text);
        }
        if (move->comment) {
            test_text_word(out, "{");
            test_text_word(out, move->comment);
            test_text_word(out, "}");
        }
        for (const hz_pgn_move *v = move->variation; v; v = v->next_variation) {
            test_text_word(out, "(");
            tell_moves(out, v, position);
            test_text_word(out, ")");
        }
        hz_chess_play(&position, move->move, &position);
    }
}

static void tell_game(test_text *out, const hz_pgn_game *game) {
    char text[64];
    snprintf(text, sizeof text, "game %u:", (unsigned)game->line);
    test_text_word(out, text);
    for (size_t i = 0; i < game->tag_count; i++) {
        test_text_word(out, game->tags[i].name);
        test_text_add(out, "=");
        test_text_add(out, game->tags[i].value);
        test_text_add(out, ";");
    }
    if (game->comment) {
        test_text_word(out, "{");
        test_text_word(out, game->comment);
        test_text_word(out, "}");
    }
    tell_moves(out, game->moves, game->start);
    test_text_word(out, hz_pgn_result_text(game->result));
    size_t plies = 0;
    for (const hz_pgn_move *move = game->moves; move; move = move->next) {
        plies++;
    }
    assert_int_equal(plies, game->plies);
    test_text_add(out, "\n");
}

static void tell_error(test_text *out, const hz_error *err, size_t length) {
    char text[1200];
    assert_true(err->line > 0 && err->column > 0 && err->offset <= length);
    assert_printable(err->message);
    snprintf(text, sizeof text, "%s %u:%u: %s\n", hz_status_name(err->code), (unsigned)err->line,
             (unsigned)err->column, err->message);
    test_text_word(out, text);
}

/* Reads with a reader until the end; the reader is freed. */
static void tell_all(test_text *out, hz_pgn_reader *reader, size_t length) {
    assert_non_null(reader);
    hz_arena arena;
    hz_arena_init(&arena, 0);
    uint64_t good = 0, broken = 0;
    for (;;) {
        hz_pgn_game game;
        hz_error err;
        hz_arena_reset(&arena);
        hz_status status = hz_pgn_read(reader, &arena, &game, &err);
        if (status == HZ_NOT_FOUND) {
            assert_int_equal(hz_pgn_read(reader, &arena, &game, NULL), HZ_NOT_FOUND);
            break;
        }
        if (status == HZ_OK) {
            good++;
            tell_game(out, &game);
        } else {
            assert_int_equal(err.code, status);
            tell_error(out, &err, length);
            if (status == HZ_IO) {
                break;
            }
            broken++;
        }
        assert_true(good + broken <= length + 1);
    }
    assert_int_equal(hz_pgn_reader_games(reader), good);
    assert_int_equal(hz_pgn_reader_broken(reader), broken);
    hz_pgn_reader_free(reader);
    hz_arena_fini(&arena);
}

/* What is understood must be `expected`, from memory and in pieces of every kind. */
static void understood_as(const char *text, size_t length, const char *expected) {
    static const size_t pieces[] = {0, 1, 2, 3, 7, 64, 4096};
    char *copy = malloc(length ? length : 1); /* exactly so long, so that a sanitizer sees more */
    assert_non_null(copy);
    memcpy(copy, text, length);
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        test_text told = {0};
        dripping d = {copy, length, pieces[i], SIZE_MAX};
        tell_all(&told,
                 pieces[i] ? hz_pgn_reader_new(drip, &d, true, true)
                           : hz_pgn_reader_text(copy, length, true, true),
                 length);
        char what[40];
        snprintf(what, sizeof what, "pieces of %zu bytes", pieces[i]);
        test_same_text(text, what, expected, test_text_get(&told));
        test_text_free(&told);
    }
    free(copy);
}

#define UNDERSTOOD(text, expected) understood_as((text), sizeof(text) - 1, (expected))

static void plain_games_are_read(void **state) {
    (void)state;
    UNDERSTOOD("", "");
    UNDERSTOOD(" \r\n\t\n", "");
    UNDERSTOOD("[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n",
               "game 1: Event=a; Result=1-0; e4 e5 Nf3 1-0\n");
    UNDERSTOOD("1.e4 e5 2.Nf3 Nc6 1/2-1/2", "game 1: e4 e5 Nf3 Nc6 1/2-1/2\n");
    UNDERSTOOD("1 e4 . e5 2 . Nf3 2... Nc6 0-1\r\n", "game 1: e4 e5 Nf3 Nc6 0-1\n");
    UNDERSTOOD("e4 e5*d4 d5 1-0\n\n\n*", "game 1: e4 e5 *\n game 1: d4 d5 1-0\n game 4: *\n");
    UNDERSTOOD("e4 1/2", "game 1: e4 1/2-1/2\n");
    UNDERSTOOD("1. e2e4 e7-e5 2. ng1-f3 Nb8c6 3. Bb5!? a6? 4. Ba4?? Nf6!! 5. 0-0 Be7 *",
               "game 1: e4 e5 Nf3 Nc6 Bb5 $5 a6 $2 Ba4 $4 Nf6 $3 O-O Be7 *\n");
    UNDERSTOOD("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 00 OO *",
               "game 1: Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O *\n");
    UNDERSTOOD("1. e4 += e5 $14$5 2. f4 exf4 3. Nf3 g5 4. h4 g4 5. Ne5 +/- h5 -+ *",
               "game 1: e4 $14 e5 $14 $5 f4 exf4 Nf3 g5 h4 g4 Ne5 $16 h5 $19 *\n");
    UNDERSTOOD("[FEN \"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 7\"]\n\n7. exd6 e.p. Kd7 8. Ke2 ep *",
               "game 1: FEN=4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 7; exd6 Kd7 Ke2 *\n");
}

static void results_and_tags_may_be_missing(void **state) {
    (void)state;
    UNDERSTOOD("[Event \"a\"]\n\n1. e4 e5\n\n[Event \"b\"]\n\n1. d4\n[Event \"c\"]\n1. c4",
               "game 1: Event=a; e4 e5 *\n game 5: Event=b; d4 *\n game 8: Event=c; c4 *\n");
    UNDERSTOOD("[Result \"0-1\"]\n\n1. e4", "game 1: Result=0-1; e4 0-1\n");
    UNDERSTOOD("[Result \"0-1\"]\n\n1. e4 1-0", "game 1: Result=0-1; e4 1-0\n");
    UNDERSTOOD("[Result \"nonsense\"]\n\n1. e4", "game 1: Result=nonsense; e4 *\n");
    UNDERSTOOD("[Event \"a\"]\n", "game 1: Event=a; *\n");
    UNDERSTOOD("[Event \"a\"]\n\n[Event \"b\"]\n[Site \"c\"]\n\n1. e4 *",
               "game 1: Event=a; *\n game 3: Event=b; Site=c; e4 *\n");
    UNDERSTOOD("[Site \"a\"]\n\n[Event \"b\"]\n\n1. e4 *", "game 1: Site=a; Event=b; e4 *\n");
    /* Without tags and results a new first number behind a blank line tells them apart. */
    UNDERSTOOD("1. e4 e5\n2. d4\n\n1. d4 d5\n\n1. c4",
               "game 1: e4 e5 d4 *\n game 4: d4 d5 *\n game 6: c4 *\n");
    UNDERSTOOD("1. e4 e5\n\n2. d4\n\n{x}\n\n2... d5", "game 1: e4 e5 d4 { x } d5 *\n");
    UNDERSTOOD("1. e4 {x}\n\n1... e5 2. d4", "game 1: e4 { x } e5 d4 *\n");
    UNDERSTOOD("1. e4 e5 (1... c5\n\n1. Nf3) 2. d4 *", "game 1: e4 e5 ( c5 Nf3 ) d4 *\n");
}

static void tags_are_read_as_they_come(void **state) {
    (void)state;
    UNDERSTOOD("[White \"a \\\"b\\\" \\\\ c:\\d\"][Black\"\"]\n [ Event\n\"x\" ] *",
               "game 1: White=a \"b\" \\ c:\\d; Black=; Event=x; *\n");
    UNDERSTOOD("[White-Elo \"2000\"]\n[_1 \"}{;(%\"]\n1. e4 *",
               "game 1: White-Elo=2000; _1=}{;(%; e4 *\n");
    UNDERSTOOD("[White \"tab\there\"] *", "game 1: White=tab here; *\n");
    /* Latin-1, UTF-8, Windows quotes; one broken byte makes the whole value Latin-1. */
    UNDERSTOOD("[White \"M\xFCller\"][Black \"M\xC3\xBCller\"][Site \"\x93x\x94 \x8A\"] *",
               "game 1: White=M\xC3\xBCller; Black=M\xC3\xBCller; "
               "Site=\xE2\x80\x9Cx\xE2\x80\x9D \xC5\xA0; *\n");
    UNDERSTOOD("[White \"\xC3\"][Black \"\xED\xA0\x80\"] *",
               "game 1: White=\xC3\x83; Black=\xC3\xAD\xC2\xA0\xE2\x82\xAC; *\n");
    UNDERSTOOD("\xEF\xBB\xBF[Event \"a\"]\n\n1. e4 *", "game 1: Event=a; e4 *\n");
    UNDERSTOOD("\xEF\xBB\xBF%escaped\n1. e4 *", "game 2: e4 *\n");
}

static void comments_find_their_moves(void **state) {
    (void)state;
    UNDERSTOOD("{a} ; b\n[Event \"x\"]\n{c}\n;d\n1. {e} e4 {f} {g} e5 ; h \n2. d4 {i}",
               "game 2: Event=x; { c d e } e4 { f g } e5 { h } d4 { i } *\n");
    UNDERSTOOD("{a} 1. e4 *", "game 1: { a } e4 *\n");
    UNDERSTOOD("1. e4 (1. d4 {a} d5) {b} e5 {c} (1... c5) {d} *",
               "game 1: e4 ( d4 { a } d5 ) < b > e5 { c d } ( c5 ) *\n");
    UNDERSTOOD("1. e4 ({a} 1. d4 $1) ({b}) () 1... e5 *",
               "game 1: e4 ( < a > d4 $1 ) < b > e5 *\n");
    UNDERSTOOD("1. e4 ($142 1. d4) (1. c4 (1. b4 {a}) {b}) {c} *",
               "game 1: e4 { c } ( d4 $142 ) ( c4 { b } ( b4 { a } ) ) *\n");
    UNDERSTOOD("1. e4 {a\n\n  b\r\n\tc  } e5 {} {  } d4 *", "game 1: e4 { a b c } e5 d4 *\n");
    UNDERSTOOD("1. e4 { { ( ; \"[\" % \n%x\n$ } e5 *", "game 1: e4 { { ( ; \"[\" % %x $ } e5 *\n");
    UNDERSTOOD("1. e4 {\xFC} e5 {\xC3\xBC} *", "game 1: e4 { \xC3\xBC } e5 { \xC3\xBC } *\n");
    UNDERSTOOD("1. e4 {x\0y\x01z} *", "game 1: e4 { x y z } *\n");
    UNDERSTOOD("1. e4;a\n e5;b", "game 1: e4 { a } e5 { b } *\n");
    /* Behind the result on its line it is the game's, later it is nobody's. */
    UNDERSTOOD("1. e4 1-0 {a} ;b\n{c}\n[Event \"x\"]\n*\n{d}",
               "game 1: e4 { a b } 1-0\n game 3: Event=x; *\n");
    UNDERSTOOD("{only}", "");
    UNDERSTOOD("1. e4 {[Event \"x\"]\n\n[Site \"y\"]} e5 *",
               "game 1: e4 { [Event \"x\"] [Site \"y\"] } e5 *\n");
}

static void escape_lines_are_skipped(void **state) {
    (void)state;
    UNDERSTOOD("%a\n[Event \"x\"]\n%b ]\n[Site\n%c\n\"y\"]\n1. e4\n%d *\n%\ne5 *\n",
               "game 2: Event=x; Site=y; e4 e5 *\n");
}

static void variations_hang_on_the_move_they_replace(void **state) {
    (void)state;
    UNDERSTOOD("1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) (2. d4) 2... d6) (1... e6 2. d4) 2. Nf3 *",
               "game 1: e4 e5 ( c5 Nf3 ( c3 d5 ) ( d4 ) d6 ) ( e6 d4 ) Nf3 *\n");
    UNDERSTOOD("1. e4 (1. d4 d5 1-0) (1. c4 *) 1... e5 0-1",
               "game 1: e4 ( d4 d5 ) ( c4 ) e5 0-1\n");
    UNDERSTOOD("1.e4(1.d4)(1.c4)e5*", "game 1: e4 ( d4 ) ( c4 ) e5 *\n");
}

static void broken_games_are_told_and_left(void **state) {
    (void)state;
    UNDERSTOOD("1. e4 e5 2. Ke3 *\n\n[Event \"b\"]\n1. d4 *",
               "NOT_LEGAL 1:13: no legal move is 'Ke3'\n game 3: Event=b; d4 *\n");
    UNDERSTOOD("1. e4 e5 2. hello *\n\n[Event \"b\"]\n1. d4 *",
               "PGN_SYNTAX 1:13: 'hello' is no move\n game 3: Event=b; d4 *\n");
    UNDERSTOOD("1. e4 \xC3\xBC\xC3\xBC e5\n", "PGN_SYNTAX 1:7: '\?\?\?\?' is no move\n");
    UNDERSTOOD("{\xC3\xBC\xC3\xBC} 1. e4 xx", "PGN_SYNTAX 1:12: 'xx' is no move\n");
    UNDERSTOOD("1. Nc3 a6 2. Nb5 a5 3. Nf3 a4 4. Nd4 *",
               "NOT_LEGAL 1:34: 'Nd4' may be f3d4 or b5d4\n");
    UNDERSTOOD("1. e4 e5 2. d4) *", "PGN_SYNTAX 1:15: a variation is closed that was not opened\n");
    UNDERSTOOD("(1. e4) *", "PGN_SYNTAX 1:1: a variation stands before the first move\n");
    UNDERSTOOD("1. e4 ((1. d4)) *", "PGN_SYNTAX 1:8: a variation stands before the first move\n");
    UNDERSTOOD("1. e4 (1. d4\n\n[Event \"b\"]\n*",
               "PGN_SYNTAX 3:1: a variation is not closed\n game 3: Event=b; *\n");
    UNDERSTOOD("1. e4 (1. d4", "PGN_SYNTAX 1:13: a variation is not closed\n");
    UNDERSTOOD("1. e4 { x", "PGN_SYNTAX 1:7: a comment is not closed\n");
    UNDERSTOOD("1. e4 } e5", "PGN_SYNTAX 1:7: a bracket is closed that was not opened\n");
    UNDERSTOOD("1. e4 ] e5", "PGN_SYNTAX 1:7: a bracket is closed that was not opened\n");
    UNDERSTOOD("1. e4 [Event \"x\"]", "PGN_SYNTAX 1:7: a tag stands among the moves\n");
    UNDERSTOOD("1. e4 \0 e5", "PGN_SYNTAX 1:7: a NUL byte stands among the moves\n");
    UNDERSTOOD("1. e4 $ e5", "PGN_SYNTAX 1:7: a NAG is '$' and a number from 0 to 255\n");
    UNDERSTOOD("1. e4 $256 e5", "PGN_SYNTAX 1:7: a NAG is '$' and a number from 0 to 255\n");
    UNDERSTOOD("1. e4 $99999999999999999999 e5",
               "PGN_SYNTAX 1:7: a NAG is '$' and a number from 0 to 255\n");
    UNDERSTOOD("1. e4 e5 2. -- d5 *", "PGN_SYNTAX 1:13: '--' is no move\n");
    UNDERSTOOD("1. e4 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
               "PGN_SYNTAX 1:7: a word of more than 64 bytes is no move\n");
    UNDERSTOOD("[Event \"x]\n\n1. e4 *\n\n[Event \"y\"]\n*",
               "PGN_SYNTAX 1:1: a tag's value is not closed on its line\n game 5: Event=y; *\n");
    UNDERSTOOD("[Event \"x\\\"]\n", "PGN_SYNTAX 1:1: a tag's value is not closed on its line\n");
    UNDERSTOOD("[Event \"x\\", "PGN_SYNTAX 1:1: a tag's value is not closed on its line\n");
    UNDERSTOOD("[Event x]\n",
               "PGN_SYNTAX 1:8: a tag's value does not begin with a quotation mark\n");
    UNDERSTOOD("[\"x\"]\n", "PGN_SYNTAX 1:2: a tag has no name\n");
    UNDERSTOOD("[Event \"x\" y]\n", "PGN_SYNTAX 1:12: a tag does not end with ']'\n");
    UNDERSTOOD("[White \"say \"no\"\"]\n", "PGN_SYNTAX 1:14: a tag does not end with ']'\n");
    UNDERSTOOD("[Event \"x\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n*",
               "PGN_SYNTAX 2:1: the FEN tag: White has no king\n");
    UNDERSTOOD("[FEN \"nonsense\"]\n*",
               "PGN_SYNTAX 1:1: the FEN tag: 1 field where four to seven are needed\n");
    UNDERSTOOD("some letter\nfrom somebody\n\n[Event \"x\"]\n*",
               "PGN_SYNTAX 1:1: 'some' is no move\n game 4: Event=x; *\n");
    UNDERSTOOD("[", "PGN_SYNTAX 1:2: a tag has no name\n");
}

static void the_way_to_the_next_game_is_found(void **state) {
    (void)state;
    /* An Event tag needs no blank line in front of it, other tags do. */
    UNDERSTOOD("1. e5 *\n[Event \"x\"]\n1. e4 *\n1. d5\n[Site \"y\"]\n1. d4\n\n[Site \"z\"]\n*",
               "NOT_LEGAL 1:4: no legal move is 'e5'\n game 2: Event=x; e4 *\n"
               " NOT_LEGAL 4:4: no legal move is 'd5'\n game 8: Site=z; *\n");
    UNDERSTOOD("1. e5\n  \t\n  [Site \"x\"]\n\n*",
               "NOT_LEGAL 1:4: no legal move is 'e5'\n game 3: Site=x; *\n");
    /* The next game inside a comment that is never closed. */
    UNDERSTOOD("[Event \"a\"]\n\n1. e4 {oops e5 *\n\n[Event \"b\"]\n\n1. d4 {fine} *\n",
               "PGN_SYNTAX 3:7: a comment is not closed before the next game\n"
               " game 5: Event=b; d4 { fine } *\n");
    /* Games without tags go on with a first number. */
    UNDERSTOOD("1. e4 e6 2. e6 d5\n3. d4 *\n\n1. d4 *\n\n1. c5\n\n1. c4\n",
               "NOT_LEGAL 1:13: no legal move is 'e6'\n game 4: d4 *\n"
               " NOT_LEGAL 6:4: no legal move is 'c5'\n game 8: c4 *\n");
    /* But the moves of a game whose tags were bad are not taken for another game. */
    UNDERSTOOD("[Event \"a\n[Site \"b\"]\n\n1. e4 *\n\n[Event \"c\"]\n*",
               "PGN_SYNTAX 1:1: a tag's value is not closed on its line\n game 6: Event=c; *\n");
    UNDERSTOOD("1. e5 {\n\n[Sitting\n} \n%[Event \"x\"]\n[Event \"y\"]\n*",
               "NOT_LEGAL 1:4: no legal move is 'e5'\n"
               " PGN_SYNTAX 4:1: a tag's value does not begin with a quotation mark\n"
               " game 6: Event=y; *\n");
}

/* The Event tag lies across the edge of the buffer, whatever the size of the pieces. */
static void an_event_tag_is_seen_across_any_edge(void **state) {
    (void)state;
    for (size_t pad = 65536 - 10; pad < 65536 + 3; pad++) {
        char *text = malloc(pad + 200);
        assert_non_null(text);
        size_t n = 0;
        for (; n < pad; n++) {
            text[n] = n % 64 ? 'x' : '\n'; /* no move */
        }
        text[n - 1] = '\n';
        static const char rest[] = "[Event \"x\"]\n1. e4 *\n[EventDate \"y\"]\n*\n";
        memcpy(text + n, rest, sizeof rest - 1);
        size_t length = n + sizeof rest - 1;
        for (size_t most = 1; most < 100000; most = most == 1 ? 1000 : most * 100) {
            test_text told = {0};
            dripping d = {text, length, most, SIZE_MAX};
            tell_all(&told, hz_pgn_reader_new(drip, &d, true, true), length);
            assert_non_null(strstr(test_text_get(&told), "Event=x; e4 *\n"));
            assert_non_null(strstr(test_text_get(&told), "EventDate=y; *\n"));
            test_text_free(&told);
        }
        free(text);
    }
}

static void limits_are_told(void **state) {
    (void)state;
    test_text text = {0}, told = {0};
    static char big[HZ_PGN_TOKEN_MAX + 2];
    memset(big, 'x', sizeof big - 1);
    for (int extra = 0; extra < 2; extra++) {
        big[HZ_PGN_TOKEN_MAX + extra] = '\0';
        test_text_clear(&text);
        test_text_add(&text, "1. e4 {");
        test_text_add(&text, big);
        test_text_add(&text, "} *\n\n[White \"");
        test_text_add(&text, big);
        test_text_add(&text, "\"] *\n\n[Event \"next\"] *");
        test_text_clear(&told);
        size_t length = strlen(test_text_get(&text));
        tell_all(&told, hz_pgn_reader_text(test_text_get(&text), length, true, true), length);
        const char *all = test_text_get(&told);
        assert_int_equal(
            strstr(all, "PGN_SYNTAX 1:7: a comment is longer than 65536 bytes") != NULL, extra);
        assert_int_equal(strstr(all, "PGN_SYNTAX 3:1: a tag is longer than 65536 bytes") != NULL,
                         extra);
        assert_non_null(strstr(all, "Event=next; *\n"));
        big[HZ_PGN_TOKEN_MAX + extra] = 'x';

        test_text_clear(&text);
        for (int i = 0; i < HZ_PGN_TAGS_MAX + extra; i++) {
            test_text_add(&text, "[A \"b\"]\n");
        }
        test_text_add(&text, "*");
        test_text_clear(&told);
        length = strlen(test_text_get(&text));
        tell_all(&told, hz_pgn_reader_text(test_text_get(&text), length, true, true), length);
        assert_int_equal(
            strstr(test_text_get(&told), "257:1: a game has more than 256 tags") != NULL, extra);

        test_text_clear(&text);
        test_text_add(&text, "1. e4 ");
        for (int i = 0; i < HZ_PGN_DEPTH_MAX + extra; i++) {
            test_text_add(&text, "(1. d4 ");
        }
        for (int i = 0; i < HZ_PGN_DEPTH_MAX + extra; i++) {
            test_text_add(&text, ")");
        }
        length = strlen(test_text_get(&text));
        for (int keep = 0; keep < 2; keep++) {
            test_text_clear(&told);
            tell_all(&told, hz_pgn_reader_text(test_text_get(&text), length, keep, true), length);
            assert_int_equal(strstr(test_text_get(&told), "nested more than 64 deep") != NULL,
                             extra);
        }

        test_text_clear(&text);
        for (int i = 0; i < HZ_PGN_PLIES_MAX / 4; i++) {
            test_text_add(&text, "Nf3 Nf6 Ng1 Ng8\n");
        }
        test_text_add(&text, extra ? "e4 *" : "*");
        test_text_clear(&told);
        length = strlen(test_text_get(&text));
        tell_all(&told, hz_pgn_reader_text(test_text_get(&text), length, true, true), length);
        assert_int_equal(strstr(test_text_get(&told), "5001:1: a game has more than 20000 moves") !=
                             NULL,
                         extra);
    }
    test_text_free(&text);
    test_text_free(&told);
}

static void what_is_not_wanted_is_skipped_by_its_brackets(void **state) {
    (void)state;
    static const char text[] =
        "{a} 1. e4 {b ( } (1. xx {y )} ; z )\n (1. d4) 1-0) e5 ; c ( \n 2. d4 1-0 {d}";
    static const char *const expected[] = {"game 1: e4 e5 d4 1-0\n",
                                           "game 1: { a } e4 { b ( } e5 { c ( } d4 { d } 1-0\n"};
    for (int keep = 0; keep < 2; keep++) {
        test_text told = {0};
        tell_all(&told, hz_pgn_reader_text(text, strlen(text), false, keep), strlen(text));
        test_same_text(text, "told", expected[keep], test_text_get(&told));
        test_text_free(&told);
    }
    static const char *const wrong[] = {"1. e4 (1. d4", "1. e4 {x", "1. e4 (1. d4 {x) *",
                                        "1. e4 ) *"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        test_text told = {0};
        tell_all(&told, hz_pgn_reader_text(wrong[i], strlen(wrong[i]), false, false),
                 strlen(wrong[i]));
        test_true(wrong[i], "is broken", strncmp(test_text_get(&told), "PGN_SYNTAX", 10) == 0);
        test_text_free(&told);
    }
}

/* Wherever the source fails, HZ_IO is told, and told again. */
static void a_failing_source_is_told_everywhere(void **state) {
    (void)state;
    static const char text[] =
        "%x\n[Event \"a\\\"b\"]\n{c} ;d\n1. e4 $1 e5! (1... c5 {e}) 2. d4 1-0 {f}\n"
        "\n1. e5 *\n\n[Event \"z\"] *\n";
    size_t length = sizeof text - 1;
    for (size_t left = 0; left <= length; left++) {
        dripping d = {text, length, 1, left};
        hz_pgn_reader *reader = hz_pgn_reader_new(drip, &d, true, true);
        assert_non_null(reader);
        hz_arena arena;
        hz_arena_init(&arena, 0);
        hz_status status;
        hz_error err;
        int calls = 0;
        do {
            hz_pgn_game game;
            hz_error_clear(&err);
            status = hz_pgn_read(reader, &arena, &game, &err);
            calls++;
        } while (status != HZ_IO && status != HZ_NOT_FOUND && calls < 10);
        assert_int_equal(status, HZ_IO);
        assert_true(err.line > 0 && err.column > 0);
        assert_int_equal(hz_pgn_read(reader, &arena, &(hz_pgn_game){.plies = 0}, NULL), HZ_IO);
        hz_pgn_reader_free(reader);
        hz_arena_fini(&arena);
    }
}

static ptrdiff_t too_much(void *context, char *buffer, size_t capacity) {
    (void)context;
    (void)buffer;
    return (ptrdiff_t)capacity + 1;
}

static void a_source_that_claims_too_much_has_failed(void **state) {
    (void)state;
    hz_pgn_reader *reader = hz_pgn_reader_new(too_much, NULL, true, true);
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_pgn_game game;
    assert_int_equal(hz_pgn_read(reader, &arena, &game, NULL), HZ_IO);
    hz_pgn_reader_free(reader);
    hz_arena_fini(&arena);
    hz_pgn_reader_free(NULL);
}

/* Whatever little memory there is: read or NO_MEMORY, and more never does less. */
static void every_amount_of_memory_is_survived(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    hz_arena made;
    hz_arena_init(&made, 0);
    hz_pgn_game game = random_game(&random, &made, 40, (game_style){30, 30, 15, false});
    memory text = {0};
    write_game(&game, &text);
    bool done = false;
    for (size_t limit = 64; limit < 400000; limit += limit / 64 + 16) {
        hz_arena arena;
        hz_arena_init(&arena, limit);
        hz_pgn_reader *reader = hz_pgn_reader_text(text.text, text.length, true, true);
        assert_non_null(reader);
        hz_pgn_game read;
        hz_error err;
        hz_status status = hz_pgn_read(reader, &arena, &read, &err);
        assert_true(status == HZ_OK || (status == HZ_NO_MEMORY && !done));
        assert_int_equal(hz_pgn_reader_broken(reader), status != HZ_OK);
        if (status == HZ_OK) {
            same_game(&game, &read);
            done = true;
        } else {
            assert_int_equal(err.code, HZ_NO_MEMORY);
        }
        hz_pgn_reader_free(reader);
        hz_arena_fini(&arena);
    }
    assert_true(done);
    free(text.text);
    hz_arena_fini(&made);
}

/* The same games over and over, some of them broken, as from a file of any size. */
typedef struct endless {
    size_t left; /* bytes */
    size_t at;   /* in the text */
} endless;

static const char endless_text[] =
    "[Event \"Caf\xE9\"]\n[White \"M\xC3\xBCller\"]\n[Result \"1-0\"]\n\n"
    "1. e4 {best by test} e5 2. Nf3 (2. f4 exf4 (2... d5 3. exd5)) 2... Nc6 $1 ; Morphy\n"
    "3. Bb5 a6 1-0\n\n[Event \"broken\"]\n\n1. e4 e5 2. Ke3 *\n\n";

static ptrdiff_t give_endlessly(void *context, char *buffer, size_t capacity) {
    endless *e = context;
    size_t n = capacity < e->left ? capacity : e->left;
    for (size_t i = 0; i < n; i++) {
        buffer[i] = endless_text[e->at];
        e->at = (e->at + 1) % (sizeof endless_text - 1);
    }
    e->left -= n;
    return (ptrdiff_t)n;
}

static void files_of_any_size_need_the_same_memory(void **state) {
    (void)state;
    const size_t rounds = test_effort(40000), early = 10;
    endless source = {rounds * (sizeof endless_text - 1), 0};
    hz_pgn_reader *reader = hz_pgn_reader_new(give_endlessly, &source, true, true);
    assert_non_null(reader);
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_pgn_game game;
    hz_error err;
    hz_status status;
    size_t held = 0;
    for (size_t i = 0; (status = hz_pgn_read(reader, &arena, &game, &err)) != HZ_NOT_FOUND; i++) {
        assert_int_equal(status, i % 2 ? HZ_NOT_LEGAL : HZ_OK);
        if (i % 2) {
            assert_int_equal(err.line, 11 * (i / 2) + 10);
            assert_int_equal(err.column, 13);
        } else {
            assert_string_equal(game.tags[0].value, "Caf\xC3\xA9");
            assert_string_equal(game.tags[1].value, "M\xC3\xBCller");
        }
        held = i < early || held > arena.held ? arena.held : held;
        assert_true(arena.held <= held);
        hz_arena_reset(&arena);
    }
    assert_int_equal(hz_pgn_reader_games(reader), rounds);
    assert_int_equal(hz_pgn_reader_broken(reader), rounds);
    hz_pgn_reader_free(reader);
    hz_arena_fini(&arena);
}

/* A comment in thousands of pieces takes memory in proportion, and ends where it could not be read
 * again. */
static void comments_in_many_pieces_need_little_memory(void **state) {
    (void)state;
    static const char *const pieces[] = {"{a}", "(1. d4) {a}", "{\xFC}"};
    static const size_t counts[][2] = {{32000, 33000}, {9000, 9999}, {20000, 22000}};
    for (size_t i = 0; i < 3; i++) {
        for (int more = 0; more < 2; more++) {
            test_text text = {0};
            test_text_add(&text, "1. e4 ");
            for (size_t k = 0; k < counts[i][more]; k++) {
                test_text_add(&text, pieces[i]);
            }
            size_t length = strlen(test_text_get(&text));
            hz_arena arena;
            hz_arena_init(&arena, 0);
            hz_pgn_reader *reader = hz_pgn_reader_text(test_text_get(&text), length, true, true);
            assert_non_null(reader);
            hz_pgn_game game;
            hz_error err;
            hz_status status = hz_pgn_read(reader, &arena, &game, &err);
            assert_int_equal(status, more && i != 1 ? HZ_PGN_SYNTAX : HZ_OK);
            if (status == HZ_OK) {
                assert_non_null(game.moves->comment);
                memory out = {0};
                write_game(&game, &out);
                free(out.text);
            } else {
                assert_non_null(strstr(err.message, "longer than 65536 bytes"));
            }
            assert_true(arena.held < ((size_t)4 << 20));
            hz_pgn_reader_free(reader);
            hz_arena_fini(&arena);
            test_text_free(&text);
        }
    }
}

/* Damaged files: the same games and errors in pieces of any size. */
static void damaged_files_are_the_same_in_any_pieces(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 1);
    for (size_t i = 0, rounds = test_effort(60); i < rounds; i++) {
        hz_arena made;
        hz_arena_init(&made, 0);
        memory text = {0};
        for (int k = 0; k < 4; k++) {
            hz_pgn_game game = random_game(&random, &made, 30, (game_style){15, 10, 5, false});
            write_game(&game, &text);
        }
        for (uint32_t wounds = hz_random_draw(&random, 12); wounds > 0; wounds--) {
            static const char junk[] = "{}()[];%$\"\\*\n\r .1xNO-\xFC";
            text.text[hz_random_draw(&random, (uint32_t)text.length)] =
                junk[hz_random_draw(&random, sizeof junk)]; /* NUL among them */
        }
        test_text expected = {0};
        tell_all(&expected, hz_pgn_reader_text(text.text, text.length, true, true), text.length);
        understood_as(text.text, text.length, test_text_get(&expected));
        test_text_free(&expected);
        free(text.text);
        hz_arena_fini(&made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_games_are_read),
        cmocka_unit_test(results_and_tags_may_be_missing),
        cmocka_unit_test(tags_are_read_as_they_come),
        cmocka_unit_test(comments_find_their_moves),
        cmocka_unit_test(escape_lines_are_skipped),
        cmocka_unit_test(variations_hang_on_the_move_they_replace),
        cmocka_unit_test(broken_games_are_told_and_left),
        cmocka_unit_test(the_way_to_the_next_game_is_found),
        cmocka_unit_test(an_event_tag_is_seen_across_any_edge),
        cmocka_unit_test(limits_are_told),
        cmocka_unit_test(what_is_not_wanted_is_skipped_by_its_brackets),
        cmocka_unit_test(a_failing_source_is_told_everywhere),
        cmocka_unit_test(a_source_that_claims_too_much_has_failed),
        cmocka_unit_test(every_amount_of_memory_is_survived),
        cmocka_unit_test(files_of_any_size_need_the_same_memory),
        cmocka_unit_test(comments_in_many_pieces_need_little_memory),
        cmocka_unit_test(damaged_files_are_the_same_in_any_pieces),
    };
    return cmocka_run_group_tests_name("chess/pgn_read", tests, NULL, NULL);
}
