/* SPDX-License-Identifier: MIT */
/* hazard.h - the whole public face of libhazard. Each room's header stands alone, too. */
#ifndef HAZARD_H
#define HAZARD_H

#include <hazard/arena.h>
#include <hazard/base.h>
#include <hazard/board.h>
#include <hazard/bots.h>
#include <hazard/chess.h>
#include <hazard/dice.h>
#include <hazard/eval.h>
#include <hazard/features.h>
#include <hazard/league.h>
#include <hazard/model.h>
#include <hazard/odds.h>
#include <hazard/package.h>
#include <hazard/search.h>

#endif
