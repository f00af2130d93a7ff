/* SPDX-License-Identifier: MIT */
/*
 * What the tests of SAN, PGN and EPD share: positions that must be good, random games with comments,
 * NAGs and variations, a sink into memory, a source that drips, and comparing games.
 */
#ifndef HAZARD_TEST_CHESS_GAMES_H
#define HAZARD_TEST_CHESS_GAMES_H

#include <hazard/chess.h>

#include "support/positions.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static inline hz_position read_fen(const char *text) {
    hz_position position;
    hz_error err;
    if (hz_chess_from_fen(&position, text, strlen(text), &err) != HZ_OK) {
        fail_msg("%s: %s", text, err.message);
    }
    return position;
}

/* A message must be fit for a terminal. */
static inline void assert_printable(const char *message) {
    assert_true(message[0] != '\0');
    for (const char *at = message; *at; at++) {
        if (*at < 32 || *at == 127) {
            fail_msg("byte %d in the message '%s'", *at, message);
        }
    }
}

/* ---- texts -------------------------------------------------------------------------------------- */

typedef struct memory {
    char *text;
    size_t length, capacity;
    size_t fail_at; /* the sink fails when so many bytes are there, 0 = never */
} memory;

static inline bool into_memory(void *context, const char *text, size_t length) {
    memory *m = context;
    if (m->fail_at && m->length + length >= m->fail_at) {
        return false;
    }
    if (m->length + length + 1 > m->capacity) {
        size_t capacity = 2 * (m->length + length + 512);
        char *grown = realloc(m->text, capacity);
        assert_non_null(grown);
        m->text = grown;
        m->capacity = capacity;
    }
    memcpy(m->text + m->length, text, length);
    m->length += length;
    m->text[m->length] = '\0';
    return true;
}

/* Gives a text in pieces of at most `most` bytes. */
typedef struct dripping {
    const char *text;
    size_t left, most;
    size_t fail_with; /* fails when so many bytes are left; SIZE_MAX - 1 and more: never */
} dripping;

static inline ptrdiff_t drip(void *context, char *buffer, size_t capacity) {
    dripping *d = context;
    if (d->left == d->fail_with) {
        return -1;
    }
    size_t n = d->left < d->most ? d->left : d->most;
    n = n < capacity ? n : capacity;
    if (n > 0) {
        memcpy(buffer, d->text, n);
    }
    d->text += n;
    d->left -= n;
    return (ptrdiff_t)n;
}

/* ---- games -------------------------------------------------------------------------------------- */

static inline void write_game(const hz_pgn_game *game, memory *out) {
    hz_error err;
    if (hz_pgn_write(game, into_memory, out, &err) != HZ_OK) {
        fail_msg("a game is not written: %s", err.message);
    }
}

static inline void same_optional_text(const char *what, const char *a, const char *b) {
    test_same_text("game", what, a ? a : "(none)", b ? b : "(none)");
}

static inline void same_line(const hz_pgn_move *a, const hz_pgn_move *b) {
    for (; a && b; a = a->next, b = b->next) {
        assert_int_equal(a->move, b->move);
        assert_int_equal(a->nag_count, b->nag_count);
        assert_memory_equal(a->nags, b->nags, a->nag_count);
        same_optional_text("comment before", a->comment_before, b->comment_before);
        same_optional_text("comment", a->comment, b->comment);
        const hz_pgn_move *v = a->variation, *u = b->variation;
        for (; v && u; v = v->next_variation, u = u->next_variation) {
            same_line(v, u);
        }
        assert_true(!v && !u);
    }
    assert_true(!a && !b);
}

static inline void same_game(const hz_pgn_game *a, const hz_pgn_game *b) {
    assert_int_equal(a->tag_count, b->tag_count);
    for (size_t i = 0; i < a->tag_count; i++) {
        test_same_text("tag", "name", a->tags[i].name, b->tags[i].name);
        test_same_text("tag", "value", a->tags[i].value, b->tags[i].value);
    }
    assert_true(hz_position_same_board(&a->start, &b->start));
    assert_int_equal(a->start.halfmove, b->start.halfmove);
    assert_int_equal(a->start.fullmove, b->start.fullmove);
    assert_int_equal(a->plies, b->plies);
    assert_int_equal(a->result, b->result);
    same_optional_text("comment of the game", a->comment, b->comment);
    same_line(a->moves, b->moves);
}

/* ---- random games ------------------------------------------------------------------------------- */

/* Words that comments are made of, most of them traps. */
static const char *const comment_words[] = {
    "good",
    "%eval",
    "[%clk",
    "0:01:23]",
    "[Event",
    "\"x\"]",
    "(",
    ")",
    "{",
    ";",
    "$1",
    "1-0",
    "*",
    "\\",
    "12...",
    "e4",
    "%",
    "--",
    "\"",
    "Zo\xC3\xAB",
    "\xE2\x99\x94",
    "a-word-that-is-longer-than-a-line-of-eighty-columns-and-has-no-place-where-it-could-be-broken",
    "the",
    "then"};
enum { COMMENT_WORDS = sizeof comment_words / sizeof comment_words[0] };

static inline const char *random_comment(hz_random *random, hz_arena *arena) {
    test_text text = {0};
    for (uint32_t words = 1 + hz_random_draw(random, 12); words > 0; words--) {
        test_text_word(&text, comment_words[hz_random_draw(random, COMMENT_WORDS)]);
    }
    if (hz_random_draw(random, 8) == 0) {
        test_text_word(&text, "}");
    }
    size_t length = strlen(test_text_get(&text)) + 1;
    char *kept = hz_arena_alloc(arena, length);
    assert_non_null(kept);
    memcpy(kept, test_text_get(&text), length);
    test_text_free(&text);
    return kept;
}

typedef struct game_style {
    unsigned comments, nags, variations; /* percent of moves */
    bool braces_only;                    /* no comment that has a closing brace */
} game_style;

static inline bool by_chance(hz_random *random, unsigned percent) {
    return hz_random_draw(random, 100) < percent;
}

static inline const char *styled_comment(hz_random *random, hz_arena *arena, game_style style) {
    const char *text;
    do {
        text = random_comment(random, arena);
    } while (style.braces_only && strpbrk(text, "{}"));
    return text;
}

/* A random line from a position, `plies` at most; *count is its length. */
static inline hz_pgn_move *random_line(hz_random *random, hz_arena *arena, hz_position position,
                                       unsigned plies, game_style style, int depth, size_t *count) {
    hz_pgn_move *first = NULL, *last = NULL;
    for (*count = 0; *count < plies; ++*count) {
        hz_move moves[HZ_CHESS_MOVES_MAX];
        int n = hz_chess_moves(&position, moves);
        if (n == 0) {
            break;
        }
        hz_pgn_move *move = hz_arena_alloc(arena, sizeof *move);
        assert_non_null(move);
        *move = (hz_pgn_move){.move = moves[hz_random_draw(random, (uint32_t)n)]};
        if (by_chance(random, style.nags)) {
            move->nag_count = (uint8_t)(1 + hz_random_draw(random, 8));
            for (unsigned i = 0; i < move->nag_count; i++) {
                move->nags[i] = (uint8_t)hz_random_draw(random, 256);
            }
        }
        /* Before a move only where it would not belong to the move in front. */
        if ((last ? last->variation != NULL : depth > 0) && by_chance(random, style.comments)) {
            move->comment_before = styled_comment(random, arena, style);
        }
        if (by_chance(random, style.comments)) {
            move->comment = styled_comment(random, arena, style);
        }
        hz_pgn_move *latest = NULL;
        while (depth < 5 && by_chance(random, style.variations)) {
            size_t length;
            hz_pgn_move *variation = random_line(
                random, arena, position, 1 + hz_random_draw(random, 6), style, depth + 1, &length);
            if (latest) {
                latest->next_variation = variation;
            } else {
                move->variation = variation;
            }
            latest = variation;
        }
        if (last) {
            last->next = move;
        } else {
            first = move;
        }
        last = move;
        hz_chess_play(&position, move->move, &position);
    }
    return first;
}

/* Starts other than the initial one. */
static const char *const other_starts[] = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 97 120"};
enum { OTHER_STARTS = sizeof other_starts / sizeof other_starts[0] };

/* A game with its tags in the order in which they are written. */
static inline hz_pgn_game random_game(hz_random *random, hz_arena *arena, unsigned plies,
                                      game_style style) {
    static const char *const names[] = {"Event", "Site", "Date", "Round", "White", "Black"};
    static const char *const values[] = {
        "Casual \\ game", "?", "2024.02.29", "-", "Zo\xC3\xAB \"the book\"", "M\xC3\xBCller, Kurt"};
    hz_pgn_game game = {.start = read_fen(HZ_START_DFEN),
                        .result = (hz_pgn_result)hz_random_draw(random, 4)};
    hz_pgn_tag *tags = hz_arena_alloc(arena, 12 * sizeof *tags);
    assert_non_null(tags);
    size_t n = 0;
    for (; n < 6; n++) {
        tags[n] = (hz_pgn_tag){names[n], values[n]};
    }
    tags[n++] = (hz_pgn_tag){"Result", hz_pgn_result_text(game.result)};
    if (hz_random_draw(random, 3) == 0) {
        const char *fen = other_starts[hz_random_draw(random, OTHER_STARTS)];
        game.start = read_fen(fen);
        tags[n++] = (hz_pgn_tag){"SetUp", "1"};
        tags[n++] = (hz_pgn_tag){"FEN", fen};
    }
    if (hz_random_draw(random, 2)) {
        tags[n++] = (hz_pgn_tag){"ECO", "B01"};
        tags[n++] = (hz_pgn_tag){"Annotator_2", ""};
    }
    game.tags = tags;
    game.tag_count = n;
    if (by_chance(random, style.comments)) {
        game.comment = styled_comment(random, arena, style);
    }
    game.moves = random_line(random, arena, game.start, plies, style, 0, &game.plies);
    return game;
}

#endif
