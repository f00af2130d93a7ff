/* SPDX-License-Identifier: MIT */
/*
 * A second set of openings, for the second figure of an entry when the organiser has no set of his
 * own: other lines of 6 to 8 plies, White to move, all within 40 centipawns for a strong engine.
 */
#include <hazard/league.h>

const hz_league_opening hz_league_second_openings[HZ_LEAGUE_OPENINGS] = {
    {"C65", "Spanish, quiet Berlin", "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 d2d3 f8c5"},
    {"C68", "Spanish, exchange", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6"},
    {"C50", "Italian, two knights, slow", "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8e7"},
    {"C47", "Four knights, Scotch", "e2e4 e7e5 g1f3 b8c6 b1c3 g8f6 d2d4 e5d4"},
    {"C44", "Knights, c3", "e2e4 e7e5 g1f3 b8c6 c2c3 g8f6"},
    {"C28", "Vienna, bishop to c4", "e2e4 e7e5 b1c3 g8f6 f1c4 b8c6"},
    {"C24", "Bishop's opening, c6", "e2e4 e7e5 f1c4 g8f6 d2d3 c7c6"},
    {"B31", "Sicilian, Nc6 and bishop to b5", "e2e4 c7c5 g1f3 b8c6 f1b5 g7g6"},
    {"B22", "Sicilian, c3 with knight", "e2e4 c7c5 c2c3 g8f6 e4e5 f6d5"},
    {"B23", "Sicilian, closed with d5", "e2e4 c7c5 b1c3 e7e6 g2g3 d7d5"},
    {"B40", "Sicilian, e6 and d3", "e2e4 c7c5 g1f3 e7e6 d2d3 b8c6"},
    {"C02", "French, advance", "e2e4 e7e6 d2d4 d7d5 e4e5 c7c5 c2c3 b8c6"},
    {"C00", "French, King's Indian attack", "e2e4 e7e6 d2d3 d7d5 b1d2 g8f6"},
    {"B12", "c6 defence, advance", "e2e4 c7c6 d2d4 d7d5 e4e5 c8f5"},
    {"B11", "c6 defence, two knights", "e2e4 c7c6 g1f3 d7d5 b1c3 d5e4 c3e4 g8f6"},
    {"D35", "Queen's gambit, exchange", "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c4d5 e6d5"},
    {"D12", "Slav, bishop to f5", "d2d4 d7d5 c2c4 c7c6 g1f3 g8f6 e2e3 c8f5"},
    {"D45", "Semi-Slav", "d2d4 d7d5 c2c4 c7c6 b1c3 g8f6 e2e3 e7e6"},
    {"D26", "Queen's gambit accepted", "d2d4 d7d5 c2c4 d5c4 g1f3 g8f6 e2e3 e7e6"},
    {"E01", "Catalan, closed", "d2d4 g8f6 c2c4 e7e6 g2g3 d7d5 f1g2 f8e7"},
    {"D90", "Indian, d5 with knight", "d2d4 g8f6 c2c4 g7g6 b1c3 d7d5 g1f3 f8g7"},
    {"A46", "Queen pawn, bishop to g5", "d2d4 g8f6 g1f3 e7e6 c1g5 c7c5"},
    {"D00", "Queen pawn, knight c3 and bishop f4", "d2d4 d7d5 b1c3 g8f6 c1f4 e7e6"},
    {"A22", "English, e5 and d5", "c2c4 e7e5 g2g3 g8f6 f1g2 d7d5"},
    {"A04", "Reti, c5 and g6", "g1f3 c7c5 g2g3 b8c6 f1g2 g7g6"},
};
