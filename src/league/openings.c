/* SPDX-License-Identifier: MIT */
/*
 * The openings every level is played from, in playing order: well-known lines of 6 to 8 plies, White
 * to move, none of them worth more than 40 centipawns to either side for a strong engine.
 */
#include <hazard/league.h>

const hz_league_opening hz_league_openings[HZ_LEAGUE_OPENINGS] = {
    {"C54", "Italian, quiet centre", "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6"},
    {"C67", "Spanish, Berlin", "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4"},
    {"C49", "Four knights, Spanish", "e2e4 e7e5 g1f3 b8c6 b1c3 g8f6 f1b5 f8b4"},
    {"C45", "Scotch, main", "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 g8f6"},
    {"C43", "Russian game, centre push", "e2e4 e7e5 g1f3 g8f6 d2d4 f6e4 f1d3 d7d5"},
    {"C26", "Vienna, fianchetto", "e2e4 e7e5 b1c3 g8f6 g2g3 d7d5"},
    {"B54", "Sicilian, open with d6", "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6"},
    {"B22", "Sicilian, c3 with queen", "e2e4 c7c5 c2c3 d7d5 e4d5 d8d5"},
    {"B51", "Sicilian, d6 and bishop check", "e2e4 c7c5 g1f3 d7d6 f1b5 c8d7 b5d7 d8d7"},
    {"B25", "Sicilian, closed", "e2e4 c7c5 b1c3 b8c6 g2g3 g7g6 f1g2 f8g7"},
    {"C01", "French, exchange", "e2e4 e7e6 d2d4 d7d5 e4d5 e6d5 g1f3 g8f6"},
    {"C11", "French, classical", "e2e4 e7e6 d2d4 d7d5 b1c3 g8f6"},
    {"B18", "c6 defence, classical", "e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 c8f5"},
    {"B13", "c6 defence, exchange", "e2e4 c7c6 d2d4 d7d5 e4d5 c6d5 f1d3 b8c6"},
    {"D37", "Queen's gambit declined", "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 g1f3 f8e7"},
    {"D13", "Slav, exchange", "d2d4 d7d5 c2c4 c7c6 c4d5 c6d5 b1c3 g8f6"},
    {"D85", "Indian, d5 exchange", "d2d4 g8f6 c2c4 g7g6 b1c3 d7d5 c4d5 f6d5"},
    {"E47", "Indian, pin with e3", "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 e2e3 e8g8"},
    {"E04", "Catalan, open", "d2d4 g8f6 c2c4 e7e6 g2g3 d7d5 f1g2 d5c4"},
    {"E60", "King's Indian, fianchetto", "d2d4 g8f6 c2c4 g7g6 g2g3 f8g7 f1g2 e8g8"},
    {"D02", "London", "d2d4 d7d5 c1f4 g8f6 e2e3 c7c5"},
    {"D05", "Queen pawn, e3 and Bd3", "d2d4 d7d5 g1f3 g8f6 e2e3 e7e6 f1d3 c7c5"},
    {"A28", "English, four knights", "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6"},
    {"A34", "English, symmetrical", "c2c4 c7c5 g1f3 g8f6 b1c3 b8c6"},
    {"A07", "King's Indian attack", "g1f3 d7d5 g2g3 g8f6 f1g2 c7c6"},
};
