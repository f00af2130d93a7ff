/* SPDX-License-Identifier: MIT */
/*
 * Published facts about Dice Chess, asked of the library and of the slow oracle alike: a rule that
 * both misread would otherwise pass every comparison between them.
 */
#include <stdlib.h>
#include <string.h>

#include "support/turns.h"

/* What both sides answer about one position. */
typedef struct answers {
    const char *who;
    test_text first;
    uint64_t first_count, turns, king_turns, results;
    int max_dice;
} answers;

static answers ask_library(const char *dfen) {
    answers a = {.who = "library"};
    hz_position position = test_position(dfen);
    hz_move_list first;
    hz_moves_first(&position, &first);
    test_moves_text(&a.first, first.moves, first.count);
    hz_turn_counts counts;
    assert_int_equal(hz_turns_count(&position, 0, &counts, NULL), HZ_OK);
    test_same_number(dfen, "first micro-moves", (unsigned)first.count, counts.first);
    test_same_number(dfen, "most dice", (unsigned)hz_dice_max(&position),
                     (unsigned)counts.max_dice);
    test_same_number(dfen, "turn perft", hz_turns_perft(&position, NULL), counts.turns);
    a.first_count = counts.first;
    a.turns = counts.turns;
    a.king_turns = counts.king_turns;
    a.results = counts.results;
    a.max_dice = counts.max_dice;
    return a;
}

static answers ask_oracle(const char *dfen) {
    answers a = {.who = "oracle"};
    ref_position position = test_slow(dfen);
    ref_turns turns;
    assert_true(ref_legal_turns(&position, 1000000, &turns));
    ref_moves first;
    assert_true(ref_continuations(&turns, "", &first));
    test_slow_moves_text(&a.first, &first);
    a.first_count = (uint64_t)first.count;
    a.turns = turns.count;
    a.king_turns = ref_king_turns(&turns);
    a.results = ref_distinct_results(&position, &turns);
    a.max_dice = turns.max;
    ref_turns_free(&turns);
    return a;
}

static void check_turn_facts(answers (*ask)(const char *dfen)) {
    test_table table = test_table_load("dice_turns.tsv", 7);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        answers a = ask(f[0]);
        test_same_number(f[0], "first micro-moves", test_number(f[1]), a.first_count);
        if (strcmp(f[2], "*") != 0) {
            test_same_text(f[0], "first micro-moves", f[2], test_text_get(&a.first));
        }
        test_same_number(f[0], "most dice", test_number(f[3]), (unsigned)a.max_dice);
        test_same_number(f[0], "turns", test_number(f[4]), a.turns);
        test_same_number(f[0], "king turns", test_number(f[5]), a.king_turns);
        test_same_number(f[0], "results", test_number(f[6]), a.results);
        test_text_free(&a.first);
    }
    test_table_free(&table);
}

static void published_turns_are_found(void **state) {
    (void)state;
    check_turn_facts(ask_library);
}

static void oracle_finds_the_published_turns(void **state) {
    (void)state;
    check_turn_facts(ask_oracle);
}

/* ---- micro-move perft ---- */

static void published_perft_numbers_are_counted(void **state) {
    (void)state;
    test_table table = test_table_load("dice_perft.tsv", 3);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_position position = test_position(f[0]);
        test_same_number(f[0], "nodes", test_number(f[2]),
                         hz_dice_perft(&position, (int)test_number(f[1])));
    }
    test_table_free(&table);
}

static void oracle_counts_the_published_perft_numbers(void **state) {
    (void)state;
    test_table table = test_table_load("dice_perft.tsv", 3);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        ref_position position = test_slow(f[0]);
        test_same_number(f[0], "nodes", test_number(f[2]),
                         ref_perft(&position, (int)test_number(f[1])));
    }
    test_table_free(&table);
}

/* ---- turns played out ---- */

static void published_turns_lead_to_their_positions(void **state) {
    (void)state;
    test_table table = test_table_load("dice_apply.tsv", 5);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_position position = test_position(f[0]), after;
        hz_turn turn;
        hz_error err;
        hz_error_clear(&err);
        test_same_text(
            f[0], f[1], "OK",
            hz_status_name(hz_turn_from_text(&position, f[1], strlen(f[1]), &turn, &after, &err)));
        char text[HZ_DFEN_CAPACITY];
        test_same_text(f[0], f[1], f[3], test_dfen(&after, text));
        test_same_number(f[0], "takes the king", test_number(f[2]), turn.took_king);
        if (!turn.took_king) {
            hz_hand_over(&after);
            test_same_text(f[0], f[1], f[4], test_dfen(&after, text));
        }
    }
    test_table_free(&table);
}

static void oracle_plays_the_published_turns(void **state) {
    (void)state;
    test_table table = test_table_load("dice_apply.tsv", 5);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        ref_position position = test_slow(f[0]);
        ref_turns turns;
        assert_true(ref_legal_turns(&position, 1000000, &turns));
        test_true(f[0], f[1], ref_turns_contain(&turns, f[1]));
        ref_position after = ref_after_turn(&position, f[1]);
        char text[REF_DFEN_CAPACITY];
        ref_to_dfen(&after, text);
        test_same_text(f[0], f[1], f[3], text);
        if (*f[4]) {
            ref_hand_over(&after);
            ref_to_dfen(&after, text);
            test_same_text(f[0], f[1], f[4], text);
        }
        ref_turns_free(&turns);
    }
    test_table_free(&table);
}

/* ---- edge cases: one question a row ---- */

/* Calls check with each word of a text. */
static void for_each_word(const char *text, const char *dfen,
                          void (*check)(const char *dfen, const char *word)) {
    while (*text) {
        char word[32] = "";
        size_t length = strcspn(text, " ");
        assert_true(length < sizeof word);
        memcpy(word, text, length);
        check(dfen, word);
        text += length + (text[length] == ' ');
    }
}

static bool library_has_first(const char *dfen, const char *word) {
    hz_position position = test_position(dfen);
    hz_move_list first;
    hz_moves_first(&position, &first);
    bool found = false;
    for (int i = 0; i < first.count; i++) {
        char text[HZ_MOVE_CAPACITY];
        found = found || strcmp(test_move(first.moves[i], text), word) == 0;
    }
    return found;
}

static void check_has(const char *dfen, const char *word) {
    test_true(dfen, word, library_has_first(dfen, word));
}

static void check_has_not(const char *dfen, const char *word) {
    test_true(dfen, word, !library_has_first(dfen, word));
}

static void check_legal(const char *dfen, const char *word) {
    hz_position position = test_position(dfen);
    hz_turn turn;
    test_same_text(
        dfen, word, "OK",
        hz_status_name(hz_turn_from_text(&position, word, strlen(word), &turn, NULL, NULL)));
    test_true(dfen, word, hz_turn_is_legal(&position, &turn));
}

static void check_illegal(const char *dfen, const char *word) {
    hz_position position = test_position(dfen);
    hz_turn turn;
    test_same_text(
        dfen, word, "NOT_LEGAL",
        hz_status_name(hz_turn_from_text(&position, word, strlen(word), &turn, NULL, NULL)));
    if (hz_turn_parse(&position, word, strlen(word), &turn, NULL, NULL) == HZ_OK) {
        test_true(dfen, word, !hz_turn_is_legal(&position, &turn));
    }
}

static void check_library_edge(const char *dfen, const char *question, const char *played,
                               const char *answer) {
    hz_position position = test_position(dfen);
    char text[HZ_DFEN_CAPACITY];
    hz_move_list list = {0};
    test_text moves = {0};
    if (strcmp(question, "first") == 0) {
        hz_moves_first(&position, &list);
        test_moves_text(&moves, list.moves, list.count);
        test_same_text(dfen, question, answer, test_text_get(&moves));
    } else if (strcmp(question, "pseudo") == 0) {
        hz_moves_pseudo(&position, &list);
        test_moves_text(&moves, list.moves, list.count);
        test_same_text(dfen, question, answer, test_text_get(&moves));
    } else if (strcmp(question, "has") == 0) {
        for_each_word(answer, dfen, check_has);
    } else if (strcmp(question, "hasnt") == 0) {
        for_each_word(answer, dfen, check_has_not);
    } else if (strcmp(question, "legal") == 0) {
        for_each_word(answer, dfen, check_legal);
    } else if (strcmp(question, "illegal") == 0) {
        for_each_word(answer, dfen, check_illegal);
    } else if (strcmp(question, "norm") == 0) {
        test_same_text(dfen, question, answer, test_dfen(&position, text));
    } else if (strcmp(question, "after") == 0 || strcmp(question, "handed") == 0) {
        hz_turn turn;
        hz_position after = position;
        if (*played) {
            assert_int_equal(hz_turn_parse(&position, played, strlen(played), &turn, &after, NULL),
                             HZ_OK);
        }
        if (strcmp(question, "handed") == 0) {
            hz_hand_over(&after);
        }
        test_same_text(dfen, played, answer, test_dfen(&after, text));
    } else if (strcmp(question, "next") == 0) {
        hz_turn turn = test_played(&position, played);
        assert_int_equal(hz_turn_continuations(&position, &turn, &list, NULL), HZ_OK);
        test_moves_text(&moves, list.moves, list.count);
        test_same_text(dfen, played, answer, test_text_get(&moves));
    } else if (strcmp(question, "playable") == 0) {
        /* what was "played" may not even be playable: then it is no turn for the parser already */
        hz_turn turn = {0};
        hz_pool pool = 0;
        hz_status status = HZ_OK;
        if (*played) {
            status = hz_turn_parse(&position, played, strlen(played), &turn, NULL, NULL);
        }
        if (status == HZ_OK) {
            status = hz_turn_playable_dice(&position, &turn, &pool, NULL);
        }
        char dice[4] = "?";
        if (status == HZ_OK) {
            hz_pool_to_text(pool, (hz_color)position.side, dice);
        }
        test_same_text(dfen, played, answer, dice);
    } else {
        hz_turn_counts counts;
        assert_int_equal(hz_turns_count(&position, 0, &counts, NULL), HZ_OK);
        uint64_t number = strcmp(question, "max_dice") == 0     ? (uint64_t)counts.max_dice
                          : strcmp(question, "turns") == 0      ? counts.turns
                          : strcmp(question, "king_turns") == 0 ? counts.king_turns
                                                                : counts.results;
        test_true(dfen, question, strchr("mtkr", question[0]) != NULL);
        test_same_number(dfen, question, test_number(answer), number);
    }
    test_text_free(&moves);
}

static void published_edge_cases_are_answered(void **state) {
    (void)state;
    test_table table = test_table_load("dice_edges.tsv", 5);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        check_library_edge(f[1], f[2], f[3], f[4]);
    }
    test_table_free(&table);
}

static bool contains_word(const ref_moves *list, const char *word) {
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->move[i].text, word) == 0) {
            return true;
        }
    }
    return false;
}

static void check_oracle_edge(const char *dfen, const char *question, const char *played,
                              const char *answer) {
    ref_position position = test_slow(dfen);
    ref_turns turns;
    assert_true(ref_legal_turns(&position, 1000000, &turns));
    ref_moves list;
    test_text moves = {0};
    char text[REF_DFEN_CAPACITY];
    if (strcmp(question, "first") == 0 || strcmp(question, "next") == 0 ||
        strcmp(question, "pseudo") == 0) {
        if (strcmp(question, "pseudo") == 0) {
            ref_pseudo(&position, &list);
        } else {
            test_true(dfen, played, ref_continuations(&turns, played, &list));
        }
        test_slow_moves_text(&moves, &list);
        test_same_text(dfen, question, answer, test_text_get(&moves));
    } else if (strncmp(question, "has", 3) == 0 || strstr(question, "legal")) {
        (void)ref_continuations(&turns, "", &list);
        bool wanted = strcmp(question, "has") == 0 || strcmp(question, "legal") == 0;
        for (const char *rest = answer; *rest;) {
            char word[32] = "";
            size_t length = strcspn(rest, " ");
            memcpy(word, rest, length);
            bool found =
                question[0] == 'h' ? contains_word(&list, word) : ref_turns_contain(&turns, word);
            test_same_number(dfen, word, wanted, found);
            rest += length + (rest[length] == ' ');
        }
    } else if (strcmp(question, "norm") == 0 || strcmp(question, "after") == 0 ||
               strcmp(question, "handed") == 0) {
        ref_position after = ref_after_turn(&position, *played ? played : "-");
        if (strcmp(question, "handed") == 0) {
            ref_hand_over(&after);
        }
        ref_to_dfen(&after, text);
        test_same_text(dfen, played, answer, text);
    } else if (strcmp(question, "playable") == 0) {
        bool found = ref_playable_dice(&position, &turns, played, text);
        test_same_text(dfen, played, answer, found ? text : "?");
    } else {
        uint64_t number = strcmp(question, "max_dice") == 0 ? (uint64_t)turns.max
                          : strcmp(question, "turns") == 0  ? turns.count
                          : strcmp(question, "king_turns") == 0
                              ? ref_king_turns(&turns)
                              : ref_distinct_results(&position, &turns);
        test_same_number(dfen, question, test_number(answer), number);
    }
    test_text_free(&moves);
    ref_turns_free(&turns);
}

static void oracle_answers_the_published_edge_cases(void **state) {
    (void)state;
    test_table table = test_table_load("dice_edges.tsv", 5);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        check_oracle_edge(f[1], f[2], f[3], f[4]);
    }
    test_table_free(&table);
}

/* ---- results ---- */

/* One entry of a list of results as text. */
typedef struct result_text {
    char turn[HZ_TURN_CAPACITY];
    char after[HZ_DFEN_CAPACITY];
    bool king;
} result_text;

/* In list order; free entries. */
typedef struct result_texts {
    size_t count;
    size_t sequences;
    result_text *entries;
} result_texts;

static result_texts make_room(size_t count, size_t sequences) {
    result_texts texts = {.count = count, .sequences = sequences};
    texts.entries = calloc(count + 1, sizeof *texts.entries);
    if (!texts.entries) {
        abort();
    }
    return texts;
}

static result_texts library_results(const char *dfen) {
    hz_position position = test_position(dfen);
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_result_list list;
    assert_int_equal(hz_results_list(&position, NULL, &arena, &list, NULL), HZ_OK);
    result_texts texts = make_room(list.count, list.sequences);
    for (size_t i = 0; i < list.count; i++) {
        test_turn(&list.results[i].turn, texts.entries[i].turn);
        test_dfen(&list.results[i].after, texts.entries[i].after);
        texts.entries[i].king = list.winning == (ptrdiff_t)i;
    }
    hz_arena_fini(&arena);
    return texts;
}

static result_texts oracle_results(const char *dfen) {
    ref_position position = test_slow(dfen);
    ref_turns turns;
    ref_results list;
    assert_true(ref_legal_turns(&position, 1000000, &turns));
    ref_results_of(&position, &turns, &list);
    result_texts texts = make_room(list.count, turns.count);
    for (size_t i = 0; i < list.count; i++) {
        result_text *entry = &texts.entries[i];
        test_copy(entry->turn, sizeof entry->turn, list.result[i].turn);
        test_copy(entry->after, sizeof entry->after, list.result[i].after);
        entry->king = list.result[i].king;
    }
    ref_results_free(&list);
    ref_turns_free(&turns);
    return texts;
}

/* The entry of a canonical turn; NULL when there is none. */
static const result_text *find_entry(const result_texts *texts, const char *turn) {
    for (size_t i = 0; i < texts->count; i++) {
        if (strcmp(texts->entries[i].turn, turn) == 0) {
            return &texts->entries[i];
        }
    }
    return NULL;
}

/* `count` entries from `start` on as one text. */
static void check_entries(const char *dfen, const char *question, const char *answer,
                          const result_texts *texts, size_t start, size_t count) {
    test_text part = {0};
    for (size_t i = 0; i < count; i++) {
        test_text_word(&part, texts->entries[start + i].turn);
    }
    test_same_text(dfen, question, answer, test_text_get(&part));
    test_text_free(&part);
}

static void check_winning(const char *dfen, const char *answer, const result_texts *texts) {
    const char *winning = "-";
    for (size_t i = 0; i < texts->count; i++) {
        winning = texts->entries[i].king ? texts->entries[i].turn : winning;
    }
    test_same_text(dfen, "winning", answer, winning);
}

static size_t count_words(const char *text) {
    size_t words = *text != '\0';
    for (; *text; text++) {
        words += *text == ' ';
    }
    return words;
}

static void check_result_facts(result_texts (*ask)(const char *dfen)) {
    test_table table = test_table_load("dice_results.tsv", 4);
    for (size_t r = 0; r < table.count; r++) {
        const char *dfen = table.rows[r].field[0], *question = table.rows[r].field[1];
        const char *turn = table.rows[r].field[2], *answer = table.rows[r].field[3];
        result_texts texts = ask(dfen);
        if (strcmp(question, "results") == 0) {
            test_same_number(dfen, question, test_number(answer), texts.count);
        } else if (strcmp(question, "sequences") == 0) {
            test_same_number(dfen, question, test_number(answer), texts.sequences);
        } else if (strcmp(question, "winning") == 0) {
            check_winning(dfen, answer, &texts);
        } else if (strcmp(question, "after") == 0) {
            const result_text *entry = find_entry(&texts, turn);
            test_same_text(dfen, turn, answer, entry ? entry->after : "no such result");
        } else { /* first, last or all of the list */
            size_t words = count_words(answer);
            test_true(dfen, question, words <= texts.count);
            test_true(dfen, question, strcmp(question, "list") != 0 || words == texts.count);
            size_t start = strcmp(question, "last") == 0 ? texts.count - words : 0;
            check_entries(dfen, question, answer, &texts, start, words);
        }
        free(texts.entries);
    }
    test_table_free(&table);
}

static void published_results_are_listed(void **state) {
    (void)state;
    check_result_facts(library_results);
}

static void oracle_lists_the_published_results(void **state) {
    (void)state;
    check_result_facts(oracle_results);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_turns_are_found),
        cmocka_unit_test(oracle_finds_the_published_turns),
        cmocka_unit_test(published_perft_numbers_are_counted),
        cmocka_unit_test(oracle_counts_the_published_perft_numbers),
        cmocka_unit_test(published_turns_lead_to_their_positions),
        cmocka_unit_test(oracle_plays_the_published_turns),
        cmocka_unit_test(published_edge_cases_are_answered),
        cmocka_unit_test(oracle_answers_the_published_edge_cases),
        cmocka_unit_test(published_results_are_listed),
        cmocka_unit_test(oracle_lists_the_published_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
