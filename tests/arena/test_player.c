/* SPDX-License-Identifier: MIT */
/* Players by their texts, books around them, digests of what they are made of. */
#include "arena/players.h"

#include "arena/files.h"
#include "support/positions.h"

static void texts_make_players_of_both_games(void **state) {
    (void)state;
    static const struct {
        const char *text;
        hz_match_game game;
        bool searching;
    } cases[] = {{"greedy", HZ_MATCH_DICE, false},
                 {"GREEDY-v2", HZ_MATCH_DICE, false},
                 {"monte-carlo:rollouts=5", HZ_MATCH_DICE, true},
                 {"expectimax:limit=2", HZ_MATCH_DICE, true},
                 {"search", HZ_MATCH_CHESS, true},
                 {"search:depth=2,nodes=100,table=1", HZ_MATCH_CHESS, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hz_match_player player;
        hz_error err;
        assert_int_equal(hz_match_player_open(cases[i].text, cases[i].game, NULL, &player, &err),
                         HZ_OK);
        assert_string_equal(player.name, cases[i].text);
        assert_int_equal(player.searching, cases[i].searching);
        hz_match_player_close(&player);
        assert_null(player.ask);
        hz_match_player_close(&player);
    }
    hz_match_player_close(NULL);
}

static void other_texts_are_refused_with_what_is_known(void **state) {
    (void)state;
    static const struct {
        const char *text;
        hz_match_game game;
        hz_status status;
        const char *words[3];
    } cases[] = {{"nobody", HZ_MATCH_DICE, HZ_UNKNOWN_BOT, {"greedy", "uci:", "http://"}},
                 {"greedy", HZ_MATCH_CHESS, HZ_UNKNOWN_BOT, {"search", "uci:", ""}},
                 {"searching", HZ_MATCH_CHESS, HZ_UNKNOWN_BOT, {"search", "", ""}},
                 {"search:deep=3", HZ_MATCH_CHESS, HZ_BAD_OPTION, {"deep", "depth", ""}},
                 {"search:model=/nonexistent.onnx", HZ_MATCH_CHESS, HZ_MODEL_FILE, {"", "", ""}},
                 {"http://localhost:1/", HZ_MATCH_CHESS, HZ_INVALID_ARGUMENT, {"Dice", "", ""}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hz_match_player player;
        hz_error err;
        hz_status status = hz_match_player_open(cases[i].text, cases[i].game, NULL, &player, &err);
        test_same_text(cases[i].text, "status", hz_status_name(cases[i].status),
                       hz_status_name(status));
        for (int k = 0; k < 3; k++) {
            test_true(cases[i].text, err.message, strstr(err.message, cases[i].words[k]) != NULL);
        }
    }
}

static void the_search_follows_games_it_did_not_begin(void **state) {
    (void)state;
    hz_match_player player;
    hz_error err;
    hz_arena arena = {0};
    hz_random random = {0};
    assert_int_equal(hz_match_player_open("search:depth=3", HZ_MATCH_CHESS, NULL, &player, &err),
                     HZ_OK);
    static const char *const fens[] = {"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
                                       "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1"};
    static const char *const mates[] = {"a1a8", "a8a1"};
    for (uint64_t game = 0; game < 4; game++) {
        hz_position start = test_position(fens[game % 2]);
        hz_match_question q = {.game = HZ_MATCH_CHESS,
                               .position = &start,
                               .start = &start,
                               .game_number = game,
                               .color = (hz_color)start.side,
                               .deadline = hz_deadline_none(),
                               .random = &random,
                               .arena = &arena};
        hz_match_reply reply = {0};
        char move[HZ_MOVE_CAPACITY];
        assert_int_equal(player.ask(&player, &q, &reply, &err), HZ_OK);
        assert_int_equal(reply.fault, HZ_FAULT_NONE);
        (void)hz_move_to_text(reply.move, move);
        assert_string_equal(move, mates[game % 2]);
        assert_true(reply.has_score && hz_chess_mate_in(reply.score) == 1 && reply.nodes > 0);
    }
    hz_match_player_close(&player);
    hz_arena_fini(&arena);
}

static void a_book_answers_where_it_knows_and_its_turn_is_legal(void **state) {
    (void)state;
    hz_position position = test_position(HZ_START_DFEN " PNN");
    hz_position other = test_position(HZ_START_DFEN " PPN");
    char key[HZ_DFEN_CAPACITY], bad_key[HZ_DFEN_CAPACITY], text[2 * HZ_DFEN_CAPACITY + 64];
    (void)hz_position_book_key(&position, key, sizeof key);
    (void)hz_position_book_key(&other, bad_key, sizeof bad_key);
    (void)snprintf(text, sizeof text, "%s\tb1c3,g1f3,a2a3\n%s\te7e5\n", key, bad_key);
    hz_book *book = NULL;
    hz_error err;
    assert_int_equal(hz_book_parse(text, strlen(text), &book, &err), HZ_OK);
    test_player maker = {.manner = TEST_HONEST};
    hz_match_player player = test_player_make(&maker, "reader");
    assert_int_equal(hz_match_player_book(&player, book, &err), HZ_OK);
    assert_string_equal(player.name, "reader");
    hz_arena arena = {0};
    hz_random random = {0};
    hz_match_question q = {.position = &position, .random = &random, .arena = &arena};
    hz_match_reply reply = {0};
    char turn[HZ_TURN_CAPACITY];
    assert_int_equal(player.start(&player, &err), HZ_OK);
    assert_int_equal(player.ask(&player, &q, &reply, &err), HZ_OK);
    (void)hz_turn_to_text(&reply.turn, turn);
    assert_string_equal(turn, "b1c3,g1f3,a2a3");
    assert_int_equal(maker.asked, 0);
    q.position = &other;
    reply = (hz_match_reply){0};
    assert_int_equal(player.ask(&player, &q, &reply, &err), HZ_OK);
    assert_int_equal(maker.asked, 1);
    assert_true(hz_turn_is_legal(&other, &reply.turn));
    hz_match_player_close(&player);
    assert_true(maker.starts == 1 && maker.closes == 1);
    hz_book_free(book);
    hz_arena_fini(&arena);
}

static void digests_are_those_of_the_files_a_text_names(void **state) {
    (void)state;
    test_folder folder;
    test_folder_make(&folder);
    const char *path = test_file(&folder, "net.onnx");
    char text[300], model[65], files[65], expected[65];
    hz_error err;
    test_write(path, "graph", 5);
    hz_sha256_hex("graph", 5, expected);
    (void)snprintf(text, sizeof text, "search:depth=2,model=%s", path);
    assert_int_equal(hz_match_player_digest(text, HZ_MATCH_CHESS, NULL, model, files, &err), HZ_OK);
    assert_string_equal(model, expected);
    assert_string_equal(files, expected);
    static const char *const without[] = {"greedy", "monte-carlo:rollouts=4", "uci:/bin/engine",
                                          "https://example.org/bot"};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        assert_int_equal(
            hz_match_player_digest(without[i], HZ_MATCH_DICE, NULL, model, files, &err), HZ_OK);
        assert_true(model[0] == '\0' && files[0] == '\0');
    }
    /* a package: the graph by itself, and both files */
    const char *graph = test_file(&folder, "model.onnx"),
               *manifest = test_file(&folder, "manifest.json");
    test_write(graph, "graph", 5);
    test_write(manifest, "{}", 2);
    (void)snprintf(text, sizeof text, "onnx-eval:model=%s", folder.path);
    assert_int_equal(hz_match_player_digest(text, HZ_MATCH_DICE, NULL, model, files, &err), HZ_OK);
    assert_string_equal(model, expected);
    assert_int_equal(strlen(files), 64);
    assert_string_not_equal(files, expected);
    test_folder_remove(&folder);
    assert_int_equal(hz_match_player_digest(text, HZ_MATCH_DICE, NULL, model, files, &err), HZ_IO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_make_players_of_both_games),
        cmocka_unit_test(other_texts_are_refused_with_what_is_known),
        cmocka_unit_test(the_search_follows_games_it_did_not_begin),
        cmocka_unit_test(a_book_answers_where_it_knows_and_its_turn_is_legal),
        cmocka_unit_test(digests_are_those_of_the_files_a_text_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
