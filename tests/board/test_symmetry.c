/* SPDX-License-Identifier: MIT */
/* Colour flip, file mirror, canonical form, the four-field and the book key. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref/ref_random.h"
#include "support/positions.h"

/* ---- the same by letters ---- */

static char other_color(char letter) {
    return islower((unsigned char)letter) ? (char)toupper((unsigned char)letter)
                                          : (char)tolower((unsigned char)letter);
}

static ref_position slow_flip(const ref_position *from) {
    ref_position to = *from;
    for (int square = 0; square < 64; square++) {
        int there = 8 * (7 - square / 8) + square % 8;
        to.board[there] = other_color(from->board[square]);
        to.target[there] = from->target[square];
    }
    to.side = from->side == 'w' ? 'b' : 'w';
    for (int i = 0; i < 4; i++) {
        to.right[i] = from->right[(i + 2) % 4];
    }
    return to;
}

static ref_position slow_mirror(const ref_position *from) {
    ref_position to = *from;
    for (int square = 0; square < 64; square++) {
        int there = 8 * (square / 8) + 7 - square % 8;
        to.board[there] = from->board[square];
        to.target[there] = from->target[square];
    }
    for (int i = 0; i < 4; i++) {
        to.right[i] = from->right[i ^ 1];
    }
    return to;
}

static void slow_canonical(const ref_position *from, char text[REF_DFEN_CAPACITY]) {
    ref_position position = from->side == 'b' ? slow_flip(from) : *from;
    ref_to_dfen(&position, text);
    if (!memchr(position.right, true, 4)) {
        char mirrored[REF_DFEN_CAPACITY];
        position = slow_mirror(&position);
        ref_to_dfen(&position, mirrored);
        if (strcmp(mirrored, text) < 0) {
            test_copy(text, REF_DFEN_CAPACITY, mirrored);
        }
    }
}

/* Targets a pawn in place can capture now: ask for the pawn moves and keep those onto a target that
 * is empty. */
static uint64_t slow_capturable(const ref_position *from) {
    ref_position position = *from;
    memset(position.dice, 0, sizeof position.dice);
    position.dice[0] = 1;
    ref_moves list;
    ref_pseudo(&position, &list);
    uint64_t targets = 0;
    for (int i = 0; i < list.count; i++) {
        const char *move = list.move[i].text;
        int to = move[2] - 'a' + 8 * (move[3] - '1');
        if (move[0] != move[2] && position.board[to] == '.') {
            targets |= (uint64_t)1 << to;
        }
    }
    return targets;
}

static void slow_key4(const ref_position *from, char text[REF_DFEN_CAPACITY]) {
    ref_position position = *from;
    uint64_t targets = slow_capturable(from);
    for (int square = 0; square < 64; square++) {
        position.target[square] = targets >> square & 1;
    }
    ref_board_text(&position, text);
}

static void slow_book_key(const ref_position *from, char text[REF_DFEN_CAPACITY]) {
    slow_key4(from, text);
    char *out = text + strlen(text);
    if (ref_dice_count(from) == 0) {
        out = text;
    } else {
        *out++ = ' ';
        for (const char *c = "BKNPQR"; *c; c++) {
            for (int i = from->dice[strchr(REF_FACES, *c) - REF_FACES]; i > 0; i--) {
                *out++ = from->side == 'w' ? *c : other_color(*c);
            }
        }
    }
    *out = '\0';
}

/* ---- tests ---- */

static void published_forms_are_reproduced(void **state) {
    (void)state;
    test_table table = test_table_load("board_symmetry.tsv", 6);
    for (size_t i = 0; i < table.count; i++) {
        const test_row *row = &table.rows[i];
        const char *dfen = row->field[0];
        hz_position position = test_position(dfen);
        char text[HZ_DFEN_CAPACITY];
        hz_position form = hz_position_flip(&position);
        test_same_text(dfen, "flip", row->field[1], test_dfen(&form, text));
        form = hz_position_mirror(&position);
        test_same_text(dfen, "mirror", row->field[2], test_dfen(&form, text));
        form = hz_position_canonical(&position);
        test_same_text(dfen, "canonical", row->field[3], test_dfen(&form, text));
        hz_position_key4(&position, text, sizeof text);
        test_same_text(dfen, "four-field key", row->field[4], text);
        hz_position_book_key(&position, text, sizeof text);
        test_same_text(dfen, "book key", row->field[5], text);
    }
    test_table_free(&table);
}

static void examples_of_the_rules_hold(void **state) {
    (void)state;
    static const struct {
        const char *dfen, *flip, *mirror, *key4;
    } cases[] = {
        {"rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
         "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3",
         "rnbkqbnr/pppp1ppp/8/3Pp3/8/8/PPP1PPPP/RNBKQBNR w KQkq e6 0 3",
         "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6"},
        {"8/5n2/8/4K3/8/8/7b/8 b - - 0 1", "8/7B/8/8/4k3/8/5N2/8 w - - 0 1",
         "8/2n5/8/3K4/8/8/b7/8 b - - 0 1", "8/5n2/8/4K3/8/8/7b/8 b - -"},
        {"8/8/8/8/8/8/8/8 w Kq - 0 1", "8/8/8/8/8/8/8/8 b Qk - 0 1", "8/8/8/8/8/8/8/8 w Qk - 0 1",
         "8/8/8/8/8/8/8/8 w Kq -"},
        {"rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR b KQkq h3 0 1",
         "rnbqkbnr/ppppppp1/8/7p/8/8/PPPPPPPP/RNBQKBNR w KQkq h6 0 1",
         "rnbkqbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBKQBNR b KQkq a3 0 1",
         "rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR b KQkq -"},
        /* a pawn on b4 can take on a3 and c3, not on e3 */
        {"4k3/8/8/8/PpP1P3/8/8/4K3 b - a3c3e3 0 1", "4k3/8/8/pPp1p3/8/8/8/4K3 w - a6c6e6 0 1",
         "3k4/8/8/8/3P1PpP/8/8/3K4 b - d3f3h3 0 1", "4k3/8/8/8/PpP1P3/8/8/4K3 b - a3c3"},
        /* an occupied target is dropped from the key, and one without its pawn */
        {"4k3/8/8/8/PpP5/N7/8/4K3 b - a3c3 0 1", "4k3/8/n7/pPp5/8/8/8/4K3 w - a6c6 0 1",
         "3k4/8/8/8/5PpP/7N/8/3K4 b - f3h3 0 1", "4k3/8/8/8/PpP5/N7/8/4K3 b - c3"},
        {"4k3/8/8/8/Pp6/8/8/4K3 b - a3c3 0 1", "4k3/8/8/pP6/8/8/8/4K3 w - a6c6 0 1",
         "3k4/8/8/8/6pP/8/8/3K4 b - f3h3 0 1", "4k3/8/8/8/Pp6/8/8/4K3 b - a3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *dfen = cases[i].dfen;
        hz_position position = test_position(dfen);
        char text[HZ_DFEN_CAPACITY];
        hz_position form = hz_position_flip(&position);
        test_same_text(dfen, "flip", cases[i].flip, test_dfen(&form, text));
        form = hz_position_mirror(&position);
        test_same_text(dfen, "mirror", cases[i].mirror, test_dfen(&form, text));
        hz_position_key4(&position, text, sizeof text);
        test_same_text(dfen, "four-field key", cases[i].key4, text);
    }
}

static void book_key_lists_dice_by_alphabet(void **state) {
    (void)state;
    char text[HZ_DFEN_CAPACITY];
    hz_position position = test_position(HZ_START_DFEN " PRB");
    hz_position_book_key(&position, text, sizeof text);
    assert_string_equal(text, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - BPR");
    position = test_position("4k3/8/8/8/8/8/8/4K3 b - - 9 9 qnk");
    hz_position_book_key(&position, text, sizeof text);
    assert_string_equal(text, "4k3/8/8/8/8/8/8/4K3 b - - knq");
    position = test_position(HZ_START_DFEN);
    assert_int_equal(hz_position_book_key(&position, text, sizeof text), 0);
    assert_string_equal(text, "");
}

static void forms_of_random_positions_match_the_slow_ones(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(6000); i++) {
        char dfen[REF_DFEN_CAPACITY], expected[REF_DFEN_CAPACITY], text[HZ_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        ref_position slow, slow_form;
        assert_true(ref_from_dfen(&slow, dfen));
        hz_position position = test_position(dfen);

        hz_position form = hz_position_flip(&position);
        slow_form = slow_flip(&slow);
        ref_to_dfen(&slow_form, expected);
        test_same_text(dfen, "flip", expected, test_dfen(&form, text));
        test_true(dfen, "key of the flip", form.key == hz_position_fresh_key(&form));
        form = hz_position_flip(&form);
        test_same_text(dfen, "flipped twice", dfen, test_dfen(&form, text));
        test_true(dfen, "key", form.key == position.key);

        form = hz_position_mirror(&position);
        slow_form = slow_mirror(&slow);
        ref_to_dfen(&slow_form, expected);
        test_same_text(dfen, "mirror", expected, test_dfen(&form, text));
        test_true(dfen, "key of the mirror", form.key == hz_position_fresh_key(&form));
        form = hz_position_mirror(&form);
        test_same_text(dfen, "mirrored twice", dfen, test_dfen(&form, text));

        form = hz_position_canonical(&position);
        slow_canonical(&slow, expected);
        test_same_text(dfen, "canonical", expected, test_dfen(&form, text));
        test_true(dfen, "key of the canonical", form.key == hz_position_fresh_key(&form));
        hz_position again = hz_position_canonical(&form);
        test_same_text(dfen, "canonical twice", expected, test_dfen(&again, text));

        test_same_number(dfen, "capturable targets", slow_capturable(&slow),
                         hz_position_capturable_targets(&position));
        slow_key4(&slow, expected);
        test_same_number(dfen, "length", strlen(expected),
                         hz_position_key4(&position, text, sizeof text));
        test_same_text(dfen, "four-field key", expected, text);
        slow_book_key(&slow, expected);
        test_same_number(dfen, "length", strlen(expected),
                         hz_position_book_key(&position, text, sizeof text));
        test_same_text(dfen, "book key", expected, text);
    }
}

static void images_of_a_position_have_one_canonical_form(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    size_t with_mirror = 0;
    for (size_t i = 0; i < test_effort(2000); i++) {
        char dfen[REF_DFEN_CAPACITY], a[HZ_DFEN_CAPACITY], b[HZ_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        hz_position position = test_position(dfen);
        hz_position canonical = hz_position_canonical(&position);
        test_dfen(&canonical, a);
        hz_position image = hz_position_flip(&position);
        canonical = hz_position_canonical(&image);
        test_same_text(dfen, "canonical of the flip", a, test_dfen(&canonical, b));
        if (position.rights == 0) {
            image = hz_position_mirror(&position);
            canonical = hz_position_canonical(&image);
            test_same_text(dfen, "canonical of the mirror", a, test_dfen(&canonical, b));
            with_mirror++;
        }
    }
    test_met(with_mirror > 0);
}

static void keys_follow_the_rules_of_snprintf(void **state) {
    (void)state;
    hz_position position = test_position("4k3/8/8/8/PpP1P3/8/8/4K3 b - a3c3e3 0 1 pqk");
    size_t (*const writers[])(const hz_position *, char *, size_t) = {hz_position_key4,
                                                                      hz_position_book_key};
    for (int w = 0; w < 2; w++) {
        char whole[HZ_DFEN_CAPACITY];
        size_t length = writers[w](&position, whole, sizeof whole);
        assert_int_equal(length, strlen(whole));
        assert_int_equal(writers[w](&position, NULL, 0), length);
        for (size_t capacity = 1; capacity <= length + 1; capacity++) {
            char *exact = malloc(capacity);
            assert_non_null(exact);
            assert_int_equal(writers[w](&position, exact, capacity), length);
            assert_int_equal(strlen(exact), capacity - 1);
            assert_memory_equal(exact, whole, capacity - 1);
            free(exact);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_forms_are_reproduced),
        cmocka_unit_test(examples_of_the_rules_hold),
        cmocka_unit_test(book_key_lists_dice_by_alphabet),
        cmocka_unit_test(forms_of_random_positions_match_the_slow_ones),
        cmocka_unit_test(images_of_a_position_have_one_canonical_form),
        cmocka_unit_test(keys_follow_the_rules_of_snprintf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
