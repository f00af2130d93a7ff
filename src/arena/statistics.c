/* SPDX-License-Identifier: MIT */
/* Arena: statistics. */
#include <hazard/arena.h>
