/* SPDX-License-Identifier: MIT */
/* `hazard arena conform`, which `hazard arena` hands over to. */
#ifndef HAZARD_CLI_ARENA_CONFORM_H
#define HAZARD_CLI_ARENA_CONFORM_H

#include "cli/args.h"

/* The table of its own: options, text, examples. Its run takes the address as the last operand; a
 * first operand "conform" is passed over. */
extern const hzc_command hzc_command_arena_conform;

#endif
