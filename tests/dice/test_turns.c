/* SPDX-License-Identifier: MIT */
/*
 * Legal turns: lists, streams, counts, legality, text, what may follow what was played; against the
 * slow oracle, which lists every complete line before it asks for the maximum.
 */
#include <string.h>

#include "ref/ref_random.h"
#include "support/turns.h"

/* The oracle lists lines; random boards with many queens can have too many of them for it. */
enum { MOST_LINES = 6000 };

/* A random position whose legal turns the oracle can list. Free the turns. */
static void random_turns(ref_random *random, char dfen[REF_DFEN_CAPACITY], ref_position *slow,
                         ref_turns *turns) {
    do {
        ref_random_position(random, dfen);
        *slow = test_slow(dfen);
    } while (!ref_legal_turns(slow, MOST_LINES, turns));
}

/* A visitor that compares each turn and board with the next turn of a list. */
typedef struct comparison {
    const char *dfen;
    const ref_position *slow;
    const ref_turns *turns;
    const char *played; /* only turns that begin like this are expected */
    size_t next;
    size_t step; /* boards are compared for every step-th turn */
} comparison;

static bool begins(const char *turn, const char *played) {
    size_t length = strlen(played);
    return length == 0 ||
           (strncmp(turn, played, length) == 0 && (turn[length] == ',' || turn[length] == '\0'));
}

static void skip_others(comparison *c) {
    while (c->next < c->turns->count && !begins(c->turns->turn[c->next].text, c->played)) {
        c->next++;
    }
}

static bool compare_next(void *context, const hz_turn *turn, const hz_position *after) {
    comparison *c = context;
    skip_others(c);
    char text[HZ_TURN_CAPACITY];
    test_true(c->dfen, test_turn(turn, text), c->next < c->turns->count);
    const ref_turn *expected = &c->turns->turn[c->next];
    test_same_text(c->dfen, "turn", expected->text, text);
    test_same_number(c->dfen, text, expected->king, turn->took_king);
    if (c->next % c->step == 0) {
        char wanted[REF_DFEN_CAPACITY], got[HZ_DFEN_CAPACITY];
        ref_position slow_after = ref_after_turn(c->slow, text);
        ref_to_dfen(&slow_after, wanted);
        test_same_text(c->dfen, text, wanted, test_dfen(after, got));
        test_true(c->dfen, text, after->key == hz_position_fresh_key(after));
    }
    c->next++;
    return true;
}

static void check_stream(const char *dfen, const hz_position *position, const ref_position *slow,
                         const ref_turns *turns, const char *played) {
    comparison c = {.dfen = dfen,
                    .slow = slow,
                    .turns = turns,
                    .played = played,
                    .step = 1 + turns->count / 60};
    hz_turn prefix = test_played(position, played);
    test_same_text(
        dfen, "stream", "OK",
        hz_status_name(hz_turns_visit(position, *played ? &prefix : NULL, NULL, compare_next, &c)));
    skip_others(&c);
    test_same_number(dfen, "end of the stream", turns->count, c.next);
}

static void turns_match_the_oracle(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    hz_arena arena;
    hz_arena_init(&arena, 0);
    size_t with_king = 0, passes = 0;
    for (size_t i = 0; i < test_effort(4000); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_position slow;
        ref_turns turns;
        random_turns(&random, dfen, &slow, &turns);
        hz_position position = test_position(dfen);

        hz_turn_list list;
        hz_arena_reset(&arena);
        test_same_text(dfen, "list", "OK",
                       hz_status_name(hz_turns_list(&position, 0, &arena, &list, NULL)));
        test_same_turns(dfen, "turns", &turns, list.turns, list.count);
        check_stream(dfen, &position, &slow, &turns, "");

        hz_move_list first;
        ref_moves expected;
        (void)ref_continuations(&turns, "", &expected);
        hz_moves_first(&position, &first);
        test_same_moves(dfen, "first micro-moves", &expected, &first);

        test_same_number(dfen, "most dice", (unsigned)turns.max, (unsigned)hz_dice_max(&position));
        uint64_t nodes = 0;
        test_same_number(dfen, "turn perft", turns.count, hz_turns_perft(&position, &nodes));
        test_true(dfen, "nodes", nodes >= turns.count);
        hz_turn_counts counts;
        test_same_text(dfen, "counts", "OK",
                       hz_status_name(hz_turns_count(&position, 0, &counts, NULL)));
        test_same_number(dfen, "turns", turns.count, counts.turns);
        test_same_number(dfen, "king turns", ref_king_turns(&turns), counts.king_turns);
        test_same_number(dfen, "first", (unsigned)expected.count, counts.first);
        test_same_number(dfen, "most dice", (unsigned)turns.max, (unsigned)counts.max_dice);
        test_same_number(dfen, "results", ref_distinct_results(&slow, &turns), counts.results);
        with_king += ref_king_turns(&turns) > 0;
        passes += turns.count == 0;
        ref_turns_free(&turns);
    }
    /* the makers of positions must bring the interesting ones */
    test_met(with_king > 0 && passes > 0);
    hz_arena_fini(&arena);
}

static void game_positions_have_the_same_turns_for_all_rolls(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(20); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_BEFORE_ROLL, dfen);
        hz_position position = test_position(dfen);
        for (int roll = 0; roll < HZ_ROLLS; roll++) {
            char rolled[REF_DFEN_CAPACITY];
            hz_position_set_pool(&position, hz_rolls[roll].pool);
            ref_position slow = test_slow(test_dfen(&position, rolled));
            ref_turns turns;
            if (ref_legal_turns(&slow, 20000, &turns)) {
                test_same_number(rolled, "turns", turns.count, hz_turns_perft(&position, NULL));
                test_same_number(rolled, "most dice", (unsigned)turns.max,
                                 (unsigned)hz_dice_max(&position));
                ref_turns_free(&turns);
            }
        }
    }
}

static void turns_of_the_flipped_board_are_as_many(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    size_t mirrored = 0;
    for (size_t i = 0; i < test_effort(1500); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        hz_position position = test_position(dfen);
        hz_turn_counts own, other;
        if (hz_turns_perft(&position, NULL) > 50000) {
            continue; /* a board full of queens: right or wrong, it would take most of the time */
        }
        assert_int_equal(hz_turns_count(&position, 0, &own, NULL), HZ_OK);
        hz_position image = hz_position_flip(&position);
        assert_int_equal(hz_turns_count(&image, 0, &other, NULL), HZ_OK);
        test_same_number(dfen, "turns of the flip", own.turns, other.turns);
        test_same_number(dfen, "king turns of the flip", own.king_turns, other.king_turns);
        test_same_number(dfen, "results of the flip", own.results, other.results);
        if (position.rights == 0) {
            image = hz_position_mirror(&position);
            assert_int_equal(hz_turns_count(&image, 0, &other, NULL), HZ_OK);
            test_same_number(dfen, "turns of the mirror", own.turns, other.turns);
            test_same_number(dfen, "results of the mirror", own.results, other.results);
            mirrored++;
        }
    }
    test_met(mirrored > 0);
}

/* ---- what may follow what was played ---- */

/* Cuts a turn text after some of its micro-moves (0 = none). */
static void cut_turn(ref_random *random, const char *turn, char played[REF_TURN_CAPACITY]) {
    test_copy(played, REF_TURN_CAPACITY, turn);
    char *at = played;
    for (unsigned keep = ref_random_below(random, 4); keep > 0 && *at; keep--) {
        at += strcspn(at, ",");
        at += keep > 1 && *at;
    }
    *at = '\0';
}

static void check_followers(const char *dfen, const hz_position *position, const ref_position *slow,
                            const ref_turns *turns, const char *played) {
    hz_turn prefix = test_played(position, played);
    hz_move_list list;
    hz_pool pool = 0;
    hz_error err;
    hz_error_clear(&err);
    ref_moves expected;
    char dice[32], got[4];
    bool known = ref_continuations(turns, played, &expected);
    (void)ref_playable_dice(slow, turns, played, dice);
    const char *status = known ? "OK" : "NO_SUCH_TURN";
    test_same_text(dfen, played, status,
                   hz_status_name(hz_turn_continuations(position, &prefix, &list, &err)));
    test_same_text(dfen, played, status,
                   hz_status_name(hz_turn_playable_dice(position, &prefix, &pool, NULL)));
    if (known) {
        test_same_moves(dfen, played, &expected, &list);
        hz_pool_to_text(pool, (hz_color)position->side, got);
        test_same_text(dfen, played, dice, got);
    } else {
        test_same_text(dfen, "code", "NO_SUCH_TURN", hz_status_name(err.code));
        test_same_number(dfen, "no moves", 0, (unsigned)list.count);
    }
    check_stream(dfen, position, slow, turns, played);
}

static void continuations_and_playable_dice_match_the_oracle(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    size_t unknown = 0;
    for (size_t i = 0; i < test_effort(1000); i++) {
        char dfen[REF_DFEN_CAPACITY], played[REF_TURN_CAPACITY];
        ref_position slow;
        ref_turns turns;
        random_turns(&random, dfen, &slow, &turns);
        hz_position position = test_position(dfen);
        check_followers(dfen, &position, &slow, &turns, "");
        for (int t = 0; t < 5 && turns.count > 0; t++) {
            const char *turn = turns.turn[ref_random_below(&random, (unsigned)turns.count)].text;
            cut_turn(&random, turn, played);
            check_followers(dfen, &position, &slow, &turns, played);
        }
        /* playable, but not always the beginning of a legal turn */
        ref_position middle = slow;
        played[0] = '\0';
        for (unsigned k = 1 + ref_random_below(&random, 2); k > 0; k--) {
            ref_moves list;
            ref_playable(&middle, &list);
            if (list.count == 0) {
                break;
            }
            const char *move = list.move[ref_random_below(&random, (unsigned)list.count)].text;
            if (*played) {
                test_append(played, sizeof played, ",");
            }
            test_append(played, sizeof played, move);
            bool king = ref_takes_king(&middle, move);
            ref_play(&middle, move);
            if (king) {
                break;
            }
        }
        check_followers(dfen, &position, &slow, &turns, played);
        ref_moves next;
        unknown += !ref_continuations(&turns, played, &next);
        ref_turns_free(&turns);
    }
    test_met(unknown > 0);
}

/* ---- legality ---- */

static void only_the_listed_turns_are_legal(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    size_t legal = 0, illegal = 0;
    for (size_t i = 0; i < test_effort(600); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_position slow;
        ref_turns turns;
        random_turns(&random, dfen, &slow, &turns);
        hz_position position = test_position(dfen);
        for (int t = 0; t < 12; t++) {
            char text[REF_TURN_CAPACITY] = "";
            if (t < 4 && turns.count > 0) { /* a listed turn */
                test_copy(text, sizeof text,
                          turns.turn[ref_random_below(&random, (unsigned)turns.count)].text);
            } else if (t == 4) {
                test_copy(text, sizeof text, "-");
            } else { /* any playable sequence */
                ref_position middle = slow;
                for (unsigned k = 1 + ref_random_below(&random, 3); k > 0; k--) {
                    ref_moves list;
                    ref_playable(&middle, &list);
                    if (list.count == 0) {
                        break;
                    }
                    const char *move =
                        list.move[ref_random_below(&random, (unsigned)list.count)].text;
                    if (*text) {
                        test_append(text, sizeof text, ",");
                    }
                    test_append(text, sizeof text, move);
                    bool king = ref_takes_king(&middle, move);
                    ref_play(&middle, move);
                    if (king) {
                        break;
                    }
                }
            }
            if (!*text) {
                continue;
            }
            bool expected =
                strcmp(text, "-") == 0 ? turns.count == 0 : ref_turns_contain(&turns, text);
            hz_turn turn = {0};
            hz_position after;
            hz_status status = hz_turn_parse(&position, text, strlen(text), &turn, &after, NULL);
            test_same_text(dfen, text, "OK", hz_status_name(status));
            test_same_number(dfen, text, expected, hz_turn_is_legal(&position, &turn));
            char back[HZ_TURN_CAPACITY], wanted[REF_DFEN_CAPACITY], got[HZ_DFEN_CAPACITY];
            test_same_text(dfen, "text of the turn", text, test_turn(&turn, back));
            test_same_number(dfen, "length", strlen(text), hz_turn_to_text(&turn, back));
            ref_position slow_after = ref_after_turn(&slow, text);
            ref_to_dfen(&slow_after, wanted);
            test_same_text(dfen, text, wanted, test_dfen(&after, got));

            const hz_turn untouched = {.count = 9};
            hz_turn strict = untouched;
            hz_error err;
            hz_error_clear(&err);
            status = hz_turn_from_text(&position, text, strlen(text), &strict, NULL, &err);
            test_same_text(dfen, text, expected ? "OK" : "NOT_LEGAL", hz_status_name(status));
            if (expected) {
                test_true(dfen, text, memcmp(&strict, &turn, sizeof turn) == 0);
            } else {
                test_true(dfen, text, strict.count == 9 && err.message[0] != '\0');
            }
            legal += expected;
            illegal += !expected;
        }
        ref_turns_free(&turns);
    }
    test_met(legal > 0 && illegal > 0);
}

static void pass_is_legal_only_without_a_turn(void **state) {
    (void)state;
    static const struct {
        const char *dfen;
        bool legal;
    } cases[] = {
        {HZ_START_DFEN " BRQ", true}, /* walled in */
        {HZ_START_DFEN " NBK", false},
        {"k7/8/8/8/8/8/8/4K3 w - - 0 1 QQQ", true},
        {"k7/8/8/8/8/8/8/4K3 w - - 0 1 QQK", false},
        {"4k3/8/3N4/8/8/8/8/8 w - - 0 1 N", false}, /* even if taking the king is all there is */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_position position = test_position(cases[i].dfen);
        hz_turn turn = {.count = 7};
        test_same_number(cases[i].dfen, "pass", cases[i].legal,
                         hz_turn_from_text(&position, "-", 1, &turn, NULL, NULL) == HZ_OK);
        hz_turn pass = {0};
        test_same_number(cases[i].dfen, "pass", cases[i].legal, hz_turn_is_legal(&position, &pass));
        char text[HZ_TURN_CAPACITY];
        test_same_text(cases[i].dfen, "text", "-", test_turn(&pass, text));
    }
}

static void unreadable_turn_text_is_refused_with_its_place(void **state) {
    (void)state;
    static const struct {
        const char *dfen, *text;
        hz_status status;
        size_t offset;
    } cases[] = {
        {HZ_START_DFEN " PPP", "", HZ_NOT_PSEUDO_LEGAL, 0},
        {HZ_START_DFEN " PPP", "x", HZ_NOT_PSEUDO_LEGAL, 0},
        {HZ_START_DFEN " PPP", "e2e4,", HZ_NOT_PSEUDO_LEGAL, 5},
        {HZ_START_DFEN " PPP", ",e2e4", HZ_NOT_PSEUDO_LEGAL, 0},
        {HZ_START_DFEN " PPP", "e2e4,,e4e5", HZ_NOT_PSEUDO_LEGAL, 5},
        {HZ_START_DFEN " PPP", "e2e4 e4e5", HZ_NOT_PSEUDO_LEGAL, 4},
        {HZ_START_DFEN " PPP", "e2e4, e4e5", HZ_NOT_PSEUDO_LEGAL, 5},
        {HZ_START_DFEN " PPP", "e2e4,e4z5", HZ_NOT_PSEUDO_LEGAL, 7},
        {HZ_START_DFEN " PPP", "e2e4,e2e3", HZ_NOT_PSEUDO_LEGAL, 5},
        {HZ_START_DFEN " PPP", "e2e4,g1f3", HZ_NO_DIE, 5},
        {HZ_START_DFEN " P", "e2e4,d2d4", HZ_NO_DIE, 5}, /* no dice left is not analysis */
        {HZ_START_DFEN " PPP", "a2a3,b2b3,c2c3,d2d3", HZ_NOT_LEGAL, 15},
        {"4k3/8/3N4/8/8/8/8/4K3 w - - 0 1 NNN", "d6e8,e8d6", HZ_NOT_LEGAL, 5},
        {HZ_START_DFEN " PPP", "-,e2e4", HZ_NOT_PSEUDO_LEGAL, 0},
        {HZ_START_DFEN " PPP", "e2e4,-", HZ_NOT_PSEUDO_LEGAL, 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_position position = test_position(cases[i].dfen), after = hz_position_empty();
        hz_turn turn = {.count = 9};
        hz_error err;
        hz_error_clear(&err);
        size_t length = strlen(cases[i].text);
        hz_status status = hz_turn_parse(&position, cases[i].text, length, &turn, &after, &err);
        test_same_text(cases[i].text, "status", hz_status_name(cases[i].status),
                       hz_status_name(status));
        test_same_number(cases[i].text, "offset", cases[i].offset, err.offset);
        test_same_number(cases[i].text, "turn untouched", 9, turn.count);
        test_true(cases[i].text, "board untouched", after.key == hz_position_empty().key);
        /* the strict reader knows one name only, with the same place */
        status = hz_turn_from_text(&position, cases[i].text, length, &turn, &after, &err);
        test_same_text(cases[i].text, "strict status", "NOT_LEGAL", hz_status_name(status));
        test_same_number(cases[i].text, "strict offset", cases[i].offset, err.offset);
        assert_int_equal(hz_turn_from_text(&position, cases[i].text, length, &turn, NULL, NULL),
                         HZ_NOT_LEGAL);
    }
}

static void foreign_bytes_as_turn_text_are_answered(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    static const char alphabet[] = "abcdefgh12345678,-qrbn Q\t\xff";
    hz_position position =
        test_position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 PNB");
    for (size_t i = 0; i < test_effort(50000); i++) {
        char text[40] = "e5d7,d7f6,e2d3";
        size_t length =
            ref_random_chance(&random, 50) ? strlen(text) : ref_random_below(&random, sizeof text);
        bool from_scratch = ref_random_chance(&random, 30);
        for (size_t at = 0; at < length; at++) {
            if (from_scratch || ref_random_chance(&random, 6)) {
                text[at] = alphabet[ref_random_below(&random, sizeof alphabet)];
            }
        }
        hz_turn turn = {.count = 9};
        hz_error err;
        hz_error_clear(&err);
        hz_status status = hz_turn_parse(&position, text, length, &turn, NULL, &err);
        if (status == HZ_OK) {
            char back[HZ_TURN_CAPACITY];
            assert_int_equal(hz_turn_to_text(&turn, back), length);
            assert_memory_equal(back, text, length);
        } else {
            assert_true(err.offset <= length);
            assert_int_equal(turn.count, 9);
        }
    }
}

static void very_long_turn_text_is_refused(void **state) {
    (void)state;
    static char text[1000000];
    hz_position position = test_position(HZ_START_DFEN " PPP");
    hz_turn turn;
    static const char fillers[] = {'e', ',', '-', '2', ' ', '\0'};
    for (size_t i = 0; i < sizeof fillers; i++) {
        memset(text, fillers[i], sizeof text);
        assert_int_equal(hz_turn_parse(&position, text, sizeof text, &turn, NULL, NULL),
                         HZ_NOT_PSEUDO_LEGAL);
    }
}

static void numbers_order_turns_as_their_texts(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    static const unsigned flags[] = {HZ_MOVE_QUIET, HZ_MOVE_CAPTURE, 8, 9, 10, 11};
    hz_turn last = {0};
    for (size_t i = 0; i < test_effort(300000); i++) {
        hz_turn turn = last;
        turn.count = (uint8_t)ref_random_below(&random, 4);
        for (int m = 0; m < 3; m++) {
            if (m >= turn.count) {
                turn.moves[m] = 0;
            } else if (!last.moves[m] || ref_random_chance(&random, 40)) {
                turn.moves[m] = hz_move_make((int)ref_random_below(&random, 64),
                                             (int)ref_random_below(&random, 64),
                                             flags[ref_random_below(&random, 6)]);
            }
        }
        if (turn.count > 0 && last.count > 0) { /* a pass has no place among turns */
            char a[HZ_TURN_CAPACITY], b[HZ_TURN_CAPACITY];
            int by_text = strcmp(test_turn(&last, a), test_turn(&turn, b));
            uint64_t x = hz_turn_text_order(&last), y = hz_turn_text_order(&turn);
            test_same_number(a, b, (by_text > 0) - (by_text < 0) + 1, (x > y) - (x < y) + 1);
        }
        last = turn;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_match_the_oracle),
        cmocka_unit_test(game_positions_have_the_same_turns_for_all_rolls),
        cmocka_unit_test(turns_of_the_flipped_board_are_as_many),
        cmocka_unit_test(continuations_and_playable_dice_match_the_oracle),
        cmocka_unit_test(only_the_listed_turns_are_legal),
        cmocka_unit_test(pass_is_legal_only_without_a_turn),
        cmocka_unit_test(unreadable_turn_text_is_refused_with_its_place),
        cmocka_unit_test(foreign_bytes_as_turn_text_are_answered),
        cmocka_unit_test(very_long_turn_text_is_refused),
        cmocka_unit_test(numbers_order_turns_as_their_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
