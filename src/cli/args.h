/* SPDX-License-Identifier: MIT */
/*
 * A command line read by the option table of its command, and the arguments most commands take:
 * numbers, seeds, positions, rolls. What is wrong with them is said on the standard error here, so
 * that a command only returns HZC_USAGE.
 */
#ifndef HAZARD_CLI_ARGS_H
#define HAZARD_CLI_ARGS_H

#include "cli/command.h"

typedef struct hzc_given {
    const hzc_option *option;
    const char *value; /* NULL for a switch */
} hzc_given;

struct hzc_args {
    const hzc_command *command;
    hzc_out *out;
    size_t given_count;
    hzc_given *given; /* owned; in the order of the command line */
    int operand_count;
    char **operands;
};

/* Reads argv[1..argc-1]. False when something is wrong, which has then been said. Call
 * hzc_args_fini in both cases. */
bool hzc_args_read(hzc_args *args, const hzc_command *command, int argc, char **argv, hzc_out *out);
void hzc_args_fini(hzc_args *args);

/* Whether an option of the table was given, and its last value (NULL when not given). */
bool hzc_args_has(const hzc_args *args, const char *name);
const char *hzc_args_value(const hzc_args *args, const char *name);

/* These return false after saying what is wrong; without the option *value stays as it is. */
bool hzc_args_count(const hzc_args *args, const char *name, uint64_t least, uint64_t most,
                    uint64_t *value);
/* Without the option a fresh seed from the system, below 2^53 so that every JSON reader keeps it.
 */
bool hzc_args_seed(const hzc_args *args, uint64_t *seed);
bool hzc_args_color(const hzc_args *args, const char *name, hz_color *color);
/* No operands allowed. */
bool hzc_args_no_operands(const hzc_args *args);
/* The operands from `first` on as one text with `separator` between them; the caller frees it. NULL
 * after a complaint. */
char *hzc_args_join(const hzc_args *args, int first, char separator);
/* The operands from `first` on are one DFEN, quoted or not; "start" is the initial position. */
bool hzc_args_position(const hzc_args *args, int first, hz_position *position);
/* The same for one FEN of chess. */
bool hzc_args_chess(const hzc_args *args, int first, hz_position *position);
/* One text as a DFEN or "start". */
bool hzc_read_dfen(const hzc_args *args, const char *text, hz_position *position);
/* The same for a text of known length, the line of that number in the input (0: of an operand). An
 * exit code. */
int hzc_read_line(const hzc_args *args, const char *text, size_t length, size_t number,
                  hz_position *position);
/* Whether a text is the word for the initial position. */
bool hzc_is_start(const char *text, size_t length);
/* The schema with this id; NULL after a complaint. */
const hz_schema *hzc_find_schema(const hzc_args *args, const char *id);

/* ---- saying what is wrong, on the standard error ---- */

/* "hazard NAME: message", and the hint at the help. Returns HZC_USAGE. */
int hzc_usage(const hzc_args *args, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* "hazard NAME: message" without hint. Returns `code`. */
int hzc_complain(const hzc_args *args, int code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
/* An error of the library; with a text and an offset the place is shown with a caret. Returns the
 * exit code that fits the status. text may be NULL. */
int hzc_report(const hzc_args *args, const hz_error *err, const char *text, size_t length);
/* The exit code that fits a status. */
int hzc_exit_code(hz_status status);

/*
 * The line that shows `text` around the byte at `offset`, and below it a caret. Control bytes and
 * bytes beyond ASCII appear as \xNN. Long text is cut on both sides with "...". snprintf rules.
 */
size_t hzc_caret(const char *text, size_t length, size_t offset, char *buffer, size_t capacity);

#endif
