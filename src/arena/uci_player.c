/* SPDX-License-Identifier: MIT */
/* Arena: uci_player. */
#include <hazard/arena.h>
