/* SPDX-License-Identifier: MIT */
/* The archive of games: what a run leaves there, several runs in one file, files that are none. */
#include "arena/archive.h"

#include <sqlite3.h>

#include "arena/files.h"

static const char *const players[] = {"greedy", "random"};

static int64_t ask(const char *path, const char *sql) {
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    return value;
}

static void play(const char *archive, uint64_t pairs, uint64_t seed) {
    hz_match_config config = hz_match_config_default();
    hz_match_run *run = NULL;
    hz_error err;
    config.players = players;
    config.pairs = pairs;
    config.seed = seed;
    config.archive = archive;
    if (hz_match_run_new(&config, &run, &err) != HZ_OK || hz_match_run_play(run, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    hz_match_run_free(run);
}

static void every_game_of_every_run_is_there(void **state) {
    (void)state;
    test_folder folder;
    test_folder_make(&folder);
    const char *path = test_file(&folder, "games.db");
    play(path, 5, 1);
    play(path, 3, 100);
    assert_int_equal(ask(path, "SELECT count(*) FROM run"), 2);
    assert_int_equal(
        ask(path, "SELECT count(*) FROM run WHERE report LIKE '{%\"kind\":\"match\"%'"), 2);
    assert_int_equal(ask(path, "SELECT count(*) FROM pair WHERE run = 1"), 5);
    assert_int_equal(ask(path, "SELECT count(*) FROM pair WHERE run = 2"), 3);
    assert_int_equal(ask(path, "SELECT count(*) FROM game WHERE white = 'greedy'"), 8);
    assert_int_equal(ask(path, "SELECT count(*) FROM game WHERE game = 1 AND black = 'greedy'"), 8);
    assert_int_equal(ask(path, "SELECT count(*) FROM pair WHERE record LIKE '[HazardRecord%'"), 8);
    assert_int_equal(ask(path, "SELECT sum(json_array_length(data, '$.games')) FROM pair"), 16);
    test_folder_remove(&folder);
}

static void a_continued_run_forgets_what_came_after_its_checkpoint(void **state) {
    (void)state;
    test_folder folder;
    test_folder_make(&folder);
    const char *path = test_file(&folder, "games.db");
    play(path, 5, 1);
    hzi_archive *archive = NULL;
    hz_error err;
    uint64_t run = 1;
    assert_int_equal(hzi_archive_open(path, "{}", &run, 3, &archive, &err), HZ_OK);
    assert_int_equal(run, 1);
    hzi_archive_close(archive);
    assert_int_equal(ask(path, "SELECT count(*) FROM pair"), 3);
    assert_int_equal(ask(path, "SELECT max(item) FROM game"), 2);
    run = 9;
    assert_int_equal(hzi_archive_open(path, "{}", &run, 3, &archive, &err), HZ_CHECKPOINT);
    assert_null(archive);
    test_folder_remove(&folder);
}

static void files_that_are_no_archive_are_refused(void **state) {
    (void)state;
    test_folder folder;
    test_folder_make(&folder);
    const char *text = test_file(&folder, "text"), *other = test_file(&folder, "other.db");
    hzi_archive *archive = NULL;
    hz_error err;
    uint64_t run = 0;
    test_write(text, "this is no database, and it is not empty either", 46);
    assert_int_equal(hzi_archive_open(text, "{}", &run, 0, &archive, &err), HZ_ARCHIVE);
    assert_non_null(strstr(err.message, "text"));
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(other, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE pair (x)", NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
    assert_int_equal(hzi_archive_open(other, "{}", &run, 0, &archive, &err), HZ_ARCHIVE);
    assert_int_equal(hzi_archive_open("/nonexistent/x.db", "{}", &run, 0, &archive, &err), HZ_IO);
    assert_null(archive);
    test_folder_remove(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_game_of_every_run_is_there),
        cmocka_unit_test(a_continued_run_forgets_what_came_after_its_checkpoint),
        cmocka_unit_test(files_that_are_no_archive_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
