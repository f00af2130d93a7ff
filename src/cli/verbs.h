/* SPDX-License-Identifier: MIT */
/*
 * Verbs of a command: `hazard model check FILE`, `hazard league board`. They share one table of
 * options and one man page; the first operand says what to do, and most take one operand more.
 */
#ifndef HAZARD_CLI_VERBS_H
#define HAZARD_CLI_VERBS_H

#include "cli/args.h"

typedef struct hzc_verb {
    const char *name; /* NULL at the end of a table */
    int (*run)(const hzc_args *args);
} hzc_verb;

/* Runs the verb that the first operand names; the exit code. */
int hzc_verb_run(const hzc_args *args, const hzc_verb *verbs);
/* The only operand after the verb; `what` says what it is ("a graph"). False after a complaint. */
bool hzc_verb_operand(const hzc_args *args, const char *what, const char **operand);

#endif
