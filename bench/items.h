/* SPDX-License-Identifier: MIT */
/* The benchmarks, one file per room; each appends its items and says how many. */
#ifndef HAZARD_BENCH_ITEMS_H
#define HAZARD_BENCH_ITEMS_H

#include "bench/measure.h"

#include <hazard/search.h>

/* Items of one file, and of all: hzb_items refuses more. */
enum { HZB_GROUP_CAPACITY = 32, HZB_ITEMS_CAPACITY = 256 };

/* The positions every benchmark uses. */
#define HZB_START HZ_START_DFEN
#define HZB_KIWIPETE "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
#define HZB_ENDGAME "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"

/* A position with its text and an arena for lists: the state of most items. */
typedef struct hzb_case {
    hz_position position;
    const char *dfen;
    hz_arena arena;
} hzb_case;

/* Parses one of the texts above, with a roll ("" = none). NULL without memory. The kit keeps it. */
hzb_case *hzb_case_new(const char *dfen, const char *roll);

/* Has a search choose n times with a fresh stream; its turn, number of ties and score as one number,
 * 0 when it failed. */
uint64_t hzb_choose(hz_expectimax *search, hzb_case *root, uint64_t n);

size_t hzb_board_items(hzb_item *items);
size_t hzb_chess_items(hzb_item *items);
size_t hzb_chess_search_items(hzb_item *items);
size_t hzb_dice_items(hzb_item *items);
size_t hzb_odds_items(hzb_item *items);
size_t hzb_features_items(hzb_item *items);
size_t hzb_model_items(hzb_item *items);
size_t hzb_bots_items(hzb_item *items);
size_t hzb_search_items(hzb_item *items);
size_t hzb_guided_items(hzb_item *items);
size_t hzb_arena_items(hzb_item *items);
size_t hzb_selfplay_items(hzb_item *items);
size_t hzb_league_items(hzb_item *items);
size_t hzb_uci_items(hzb_item *items);

#endif
