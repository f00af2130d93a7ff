/* SPDX-License-Identifier: MIT */
/* Puts the benchmarks of all rooms into one list, and folds fixed positions into the signature. */
#include "bench/items.h"

#include <hazard/features.h>

#include <string.h>

/* In the order of the report. */
static size_t (*const groups[])(hzb_item *) = {
    hzb_board_items,    hzb_dice_items,         hzb_odds_items,   hzb_features_items,
    hzb_model_items,    hzb_bots_items,         hzb_search_items, hzb_guided_items,
    hzb_chess_items,    hzb_chess_search_items, hzb_uci_items,    hzb_arena_items,
    hzb_selfplay_items, hzb_league_items};

const hzb_item *hzb_items(size_t *count, const char **why) {
    static hzb_item items[HZB_ITEMS_CAPACITY];
    static size_t made;
    size_t n = 0;
    *count = made;
    *why = NULL;
    for (size_t i = 0; !made && !*why && i < sizeof groups / sizeof *groups; i++) {
        if (n + HZB_GROUP_CAPACITY > HZB_ITEMS_CAPACITY) {
            *why = "there are more items than HZB_ITEMS_CAPACITY (bench/items.h)";
            break;
        }
        size_t added = groups[i](items + n);
        if (added > HZB_GROUP_CAPACITY) {
            *why = "a file has more items than HZB_GROUP_CAPACITY (bench/items.h)";
        }
        for (size_t end = n + added; n < end; n++) {
            *why = items[n].state ? *why : "there is not enough memory for them";
        }
    }
    if (!made && !*why) {
        *count = made = n;
    }
    return *why ? NULL : items;
}

/* FNV-1a over 64-bit numbers. */
static uint64_t fold(uint64_t hash, uint64_t number) {
    for (int i = 0; i < 8; i++) {
        hash = (hash ^ (number >> (8 * i) & 255)) * 0x100000001B3;
    }
    return hash;
}

static uint64_t fold_features(uint64_t hash, const hz_position *position) {
    static const char *const ids[] = {"kcp-mobility-pawns-31-v1", "rich-pdi-11-v1"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const hz_schema *schema = hz_schema_find(ids[i]);
        float row[64];
        if (!schema || schema->width > sizeof row / sizeof *row) {
            return 0;
        }
        for (int color = 0; color < 2; color++) {
            hz_features_row(schema, position, (hz_color)color, row);
            for (size_t c = 0; c < schema->width; c++) {
                uint32_t bits;
                memcpy(&bits, &row[c], sizeof bits);
                hash = fold(hash, bits);
            }
        }
    }
    return hash;
}

uint64_t hzb_signature(uint64_t *nodes) {
    static const char *const positions[] = {
        HZB_START,
        HZB_KIWIPETE,
        HZB_ENDGAME,
        "r1bqkbnr/p1pppp1p/8/8/Ppn3pP/R6R/1PPPPPP1/1NBQKBN1 b kq a3 0 2",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "rnbqkbnr/1p1p1ppp/8/pPpPp3/P3P3/2N2Q1N/2P2PPP/1RB1KB1R w Kkq a6c6e6 0 1",
        "4k3/8/8/3pP3/8/8/8/4R1K1 w - d6 0 1",
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    };
    uint64_t hash = 0xCBF29CE484222325, visited = 0;
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        hz_position position;
        if (hz_position_from_dfen(&position, positions[i], strlen(positions[i]), NULL) != HZ_OK) {
            return 0;
        }
        hash = fold(hash, hz_roll_set_weight(hz_odds_king(&position, HZ_WHITE)));
        hash = fold(hash, hz_roll_set_weight(hz_odds_king(&position, HZ_BLACK)));
        hash = fold_features(hash, &position);
        for (int roll = 0; roll < HZ_ROLLS; roll++) {
            hz_position rolled = position;
            hz_turn_counts counts;
            uint64_t here;
            hz_position_set_pool(&rolled, hz_rolls[roll].pool);
            if (hz_turns_count(&rolled, 0, &counts, NULL) != HZ_OK) {
                return 0;
            }
            hash = fold(hash, hz_turns_perft(&rolled, &here));
            hash = fold(hash, counts.first);
            hash = fold(hash, counts.results);
            hash = fold(hash, counts.king_turns);
            visited += here;
        }
    }
    *nodes = visited;
    return fold(hash, visited);
}
