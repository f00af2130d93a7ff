/* SPDX-License-Identifier: MIT */
/* Positions with one good move, found within a fixed number of nodes. */
#include "search/chess_games.h"

enum { NODES = 150000 };

/* 46 of 50 when this was written; a search that finds less than 44 has lost something. */
static void tactics_are_found(void **state) {
    (void)state;
    test_table table = test_table_load("search_tactics.tsv", 2);
    size_t count = test_effort(table.count), found = 0;
    count = count < table.count ? count : table.count;
    assert_int_equal(table.count, 50);
    hz_chess_search *search = search_new(&(hz_chess_search_config){.table_bytes = 16 << 20});
    for (size_t i = 0; i < count; i++) {
        hz_chess_game game = game_from(table.rows[i].field[0]);
        hz_move best;
        const char *text = table.rows[i].field[1];
        assert_int_equal(hz_chess_move_from_text(&game.now, text, strlen(text), &best, NULL),
                         HZ_OK);
        hz_chess_search_clear(search);
        hz_chess_answer answer = search_run(search, &game, &(hz_chess_limits){.nodes = NODES});
        found += answer.move == best;
        if (answer.move != best) {
            char move[HZ_MOVE_CAPACITY];
            (void)hz_move_to_text(answer.move, move);
            print_message("# %s: %s, not %s\n", table.rows[i].field[0], move, text);
        }
        hz_chess_game_fini(&game);
    }
    hz_chess_search_free(search);
    test_table_free(&table);
    assert_true(found + 6 >= count);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tactics_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
