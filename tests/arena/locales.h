/* SPDX-License-Identifier: MIT */
/* A locale with a decimal comma, compiled for the test: no system need have one installed. */
#ifndef HAZARD_TEST_ARENA_LOCALES_H
#define HAZARD_TEST_ARENA_LOCALES_H

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/support.h"

static inline bool test_has_comma(void) {
    char text[8];
    (void)snprintf(text, sizeof text, "%.1f", 0.5);
    return strcmp(text, "0,5") == 0;
}

/* Numbers have a comma from now on, until test_point. Says so where that cannot be had; the test then
 * goes on with a point. */
static inline void test_comma(void) {
    static const char source[] =
        "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\n"
        "END LC_NUMERIC\n";
    char folder[] = "/tmp/hazard-locale-XXXXXX", command[200];
    if (!mkdtemp(folder)) {
        test_leave_out("no folder for a locale");
    }
    (void)snprintf(command, sizeof command, "localedef -c -i /dev/stdin %s/xx_XX >/dev/null 2>&1",
                   folder);
    FILE *pipe = popen(command, "w"); /* NOLINT(cert-env33-c): a fixed command */
    if (pipe) {
        (void)fputs(source, pipe);
        (void)pclose(pipe);
    }
    (void)setenv("LOCPATH", folder, 1);
    bool comma = setlocale(LC_NUMERIC, "xx_XX") && test_has_comma();
    (void)unsetenv("LOCPATH");
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    (void)!system(command); /* NOLINT(cert-env33-c,concurrency-mt-unsafe): a folder of our own */
    if (!comma) {
        test_leave_out("a locale with a decimal comma cannot be made here");
    }
}

static inline void test_point(void) {
    (void)setlocale(LC_NUMERIC, "C");
}

#endif
