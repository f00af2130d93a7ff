/* SPDX-License-Identifier: MIT */
/* Bot servers for tests: the reference server in Python as a child process. */
#ifndef HAZARD_TEST_ARENA_SERVERS_H
#define HAZARD_TEST_ARENA_SERVERS_H

#include "arena/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

typedef struct test_server {
    hzi_child child;
    char url[100];
} test_server;

/* Starts the server with options behind its name; keys come from the environment. */
static inline void test_server_start(test_server *server, const char *options) {
    char command[2000];
    hzi_words words;
    hz_error err;
    char *line = NULL;
    size_t length = 0;
    hzi_patience patience = {hz_clock_now_ns() + 60000000000U, NULL};
    const char *data = getenv("HAZARD_TEST_DATA");
    assert_non_null(data);
    (void)snprintf(command, sizeof command, "python3 '%s/../arena/bot_server.py' %s", data,
                   options);
    assert_int_equal(hzi_words_split(command, &words, &err), HZ_OK);
    assert_int_equal(hzi_child_start(&server->child, words.word, &err), HZ_OK);
    hzi_words_fini(&words);
    assert_int_equal(hzi_child_line(&server->child, &line, &length, &patience), HZI_CHILD_OK);
    test_copy(server->url, sizeof server->url, line);
}

static inline void test_server_stop(test_server *server) {
    hzi_child_stop(&server->child, 2000);
}

#endif
