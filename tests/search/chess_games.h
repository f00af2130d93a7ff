/* SPDX-License-Identifier: MIT */
/* Chess games and searches for the tests of chess search: from a FEN, at random, in one call. */
#ifndef HAZARD_TEST_CHESS_GAMES_H
#define HAZARD_TEST_CHESS_GAMES_H

#include <hazard/search.h>

#include "ref/ref_negamax.h"
#include "support/positions.h"

#include <string.h>

static inline hz_chess_game game_from(const char *fen) {
    hz_position start;
    hz_chess_game game;
    hz_error err;
    if (hz_chess_from_fen(&start, fen, strlen(fen), &err) != HZ_OK) {
        fail_msg("%s: %s", fen, err.message);
    }
    assert_int_equal(hz_chess_game_init(&game, &start, NULL), HZ_OK);
    return game;
}

/* Plays moves given as text, blanks between them. */
static inline void game_play(hz_chess_game *game, const char *moves) {
    while (*moves) {
        size_t length = strcspn(moves, " ");
        hz_move move;
        hz_error err;
        if (hz_chess_move_from_text(&game->now, moves, length, &move, &err) != HZ_OK ||
            hz_chess_game_play(game, move, &err) != HZ_OK) {
            fail_msg("%.*s: %s", (int)length, moves, err.message);
        }
        moves += length + (moves[length] == ' ');
    }
}

/* A few pieces anywhere: endings, with castling and pawns about to promote now and then. Sound. */
static inline hz_chess_game game_random_ending(hz_random *random) {
    static const char types[] = "PPPPPNBRQ";
    for (;;) {
        hz_position p = hz_position_empty();
        unsigned men = 1 + hz_random_draw(random, 9);
        hz_position_put(&p, (int)hz_random_draw(random, 64), HZ_WHITE, HZ_KING);
        hz_position_put(&p, (int)hz_random_draw(random, 64), HZ_BLACK, HZ_KING);
        for (unsigned i = 0; i < men; i++) {
            int square = (int)hz_random_draw(random, 64);
            hz_piece_type type =
                (hz_piece_type)(strchr("PNBRQ", types[hz_random_draw(random, 9)]) - "PNBRQ");
            if (hz_position_type_at(&p, square) == HZ_NO_PIECE &&
                (type != HZ_PAWN || (square >= 8 && square < 56))) {
                hz_position_put(&p, square, (hz_color)hz_random_draw(random, 2), type);
            }
        }
        hz_position_set_side(&p, (hz_color)hz_random_draw(random, 2));
        p.halfmove = (uint8_t)(hz_random_draw(random, 4) ? 0 : 96 + hz_random_draw(random, 4));
        if (hz_chess_validate(&p, NULL) == HZ_CHESS_SOUND && hz_chess_has_move(&p)) {
            hz_chess_game game;
            assert_int_equal(hz_chess_game_init(&game, &p, NULL), HZ_OK);
            return game;
        }
    }
}

/* Random moves from the initial position; fewer when the game ends. */
static inline hz_chess_game game_random(hz_random *random, unsigned plies) {
    hz_chess_game game = game_from(HZ_START_DFEN);
    for (unsigned i = 0; i < plies; i++) {
        hz_move moves[HZ_CHESS_MOVES_MAX];
        int count = hz_chess_moves(&game.now, moves);
        hz_position after;
        hz_move move = count > 0 ? moves[hz_random_draw(random, (uint32_t)count)] : 0;
        if (move) {
            hz_chess_play(&game.now, move, &after);
        }
        if (!move || !hz_chess_has_move(&after)) {
            break;
        }
        assert_int_equal(hz_chess_game_play(&game, move, NULL), HZ_OK);
    }
    return game;
}

/* The FEN of a game's present position, for messages. */
static inline const char *game_fen(const hz_chess_game *game) {
    static char text[HZ_DFEN_CAPACITY];
    (void)hz_chess_to_fen(&game->now, text, sizeof text);
    return text;
}

static inline hz_chess_search *search_new(const hz_chess_search_config *config) {
    hz_chess_search *search = NULL;
    hz_error err;
    if (hz_chess_search_new(config, &search, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return search;
}

static inline hz_chess_answer search_run(hz_chess_search *search, const hz_chess_game *game,
                                         const hz_chess_limits *limits) {
    hz_chess_answer answer;
    hz_error err;
    if (hz_chess_search_run(search, game, limits, NULL, NULL, &answer, &err) != HZ_OK) {
        fail_msg("%s: %s", game_fen(game), err.message);
    }
    return answer;
}

/* Every move of a line is legal after those before it. */
static inline void line_is_legal(const hz_chess_game *game, const hz_chess_line *line) {
    hz_position p = game->now;
    for (size_t i = 0; i < line->length; i++) {
        char text[HZ_MOVE_CAPACITY];
        (void)hz_move_to_text(line->moves[i], text);
        if (!hz_chess_is_legal(&p, line->moves[i])) {
            fail_msg("%s: move %zu of %zu of the line, %s, is not legal", game_fen(game), i + 1,
                     line->length, text);
        }
        hz_chess_play(&p, line->moves[i], &p);
    }
}

#endif
