/* SPDX-License-Identifier: MIT */
/* Arena: http_player. */
#include <hazard/arena.h>
