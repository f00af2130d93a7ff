/* SPDX-License-Identifier: MIT */
/* Verbs of a command: finding the one that was named, and its operand; see verbs.h. */
#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>

/* The names as a sentence has them: "check, inspect or run". */
static void names(const hzc_verb *verbs, char *buffer, size_t capacity) {
    size_t length = 0;
    for (const hzc_verb *v = verbs; v->name && length < capacity; v++) {
        const char *before = v == verbs ? "" : v[1].name ? ", " : " or ";
        (void)snprintf(buffer + length, capacity - length, "%s%s", before, v->name);
        length += strlen(before) + strlen(v->name);
    }
}

int hzc_verb_run(const hzc_args *args, const hzc_verb *verbs) {
    char known[200] = "";
    if (args->operand_count > 0) {
        for (const hzc_verb *v = verbs; v->name; v++) {
            if (strcmp(v->name, args->operands[0]) == 0) {
                return v->run(args);
            }
        }
    }
    names(verbs, known, sizeof known);
    return args->operand_count > 0 ? hzc_usage(args, "'%.40s' is not %s", args->operands[0], known)
                                   : hzc_usage(args, "what to do? %s", known);
}

bool hzc_verb_operand(const hzc_args *args, const char *what, const char **operand) {
    if (args->operand_count < 2) {
        (void)hzc_usage(args, "%s what? Give %s", args->operands[0], what);
        return false;
    }
    if (args->operand_count > 2) {
        (void)hzc_usage(args, "what is '%s' for?", args->operands[2]);
        return false;
    }
    *operand = args->operands[1];
    return true;
}
