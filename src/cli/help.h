/* SPDX-License-Identifier: MIT */
/* The texts made from the command tables: help for the terminal, JSON for programs, man pages for
 * mdoc(7). */
#ifndef HAZARD_CLI_HELP_H
#define HAZARD_CLI_HELP_H

#include "cli/command.h"

/* What `hazard` is and the list of commands. */
void hzc_help_all(hzc_out *out);
/* The help of one command. */
void hzc_help_command(hzc_out *out, const hzc_command *command);

/* The same as JSON: an object with the members about and commands, or that of one command: name,
 * summary, operands, about, options, examples, exit_no. One line. */
void hzc_help_all_json(hzc_out *out);
void hzc_help_command_json(hzc_out *out, const hzc_command *command);

/* Source of hazard(1), and of hazard-NAME(1). */
void hzc_man_all(hzc_out *out);
void hzc_man_command(hzc_out *out, const hzc_command *command);

/* The paragraphs about hazard itself, NULL at the end. */
extern const char *const hzc_about_hazard[];

#endif
