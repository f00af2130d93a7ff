/* SPDX-License-Identifier: MIT */
/* Arena: player. */
#include <hazard/arena.h>
