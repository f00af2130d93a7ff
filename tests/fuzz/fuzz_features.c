/* SPDX-License-Identifier: MIT */
/* Feature rows on any position: finite, never -0, the same alone and in a batch, the same for the
 * other colour on the flipped board, and equal to the slow twin. */
#include "fuzz/fuzz.h"

#include <hazard/features.h>

#include "ref/ref_features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_primitives(const hz_position *p, hz_color color) {
    int counts[HZ_PIECE_TYPES];
    hz_mobility(p, color, counts);
    for (int type = 0; type < HZ_PIECE_TYPES; type++) {
        FUZZ_CHECK(counts[type] >= 0 && counts[type] <= HZ_MOVES_CAPACITY);
    }
    int diversity = hz_diversity(p, color);
    FUZZ_CHECK(diversity >= 0 && diversity <= 5);
    uint64_t passed = hz_passed_pawns(p, color), hanging = hz_hanging_pieces(p, color);
    FUZZ_CHECK((passed & ~(p->pieces[HZ_PAWN] & p->colors[color])) == 0);
    FUZZ_CHECK((hanging & ~p->colors[color]) == 0 && (hanging & p->pieces[HZ_KING]) == 0);
    FUZZ_CHECK(passed || hz_passed_advance(p, color) == 0);
    for (int square = 0; square < HZ_SQUARES; square++) {
        uint64_t first = hz_attackers_first(p, square, color);
        uint64_t all = hz_position_attackers(p, square, color);
        FUZZ_CHECK((first & ~all) == 0 && (first != 0) == (all != 0));
    }
}

static void rolls_of(const hz_position *p, hz_color color, int rolls[4]) {
    hz_color enemy = color == HZ_WHITE ? HZ_BLACK : HZ_WHITE;
    rolls[0] = (int)hz_roll_set_weight(hz_odds_king(p, enemy));
    rolls[1] = (int)hz_roll_set_weight(hz_odds_king(p, color));
    rolls[2] = (int)hz_roll_set_weight(hz_odds_queen(p, enemy));
    rolls[3] = (int)hz_roll_set_weight(hz_odds_queen(p, color));
}

static void check_row(const hz_schema *schema, const hz_position *p, hz_color color) {
    size_t width = schema->width;
    hz_color enemy = color == HZ_WHITE ? HZ_BLACK : HZ_WHITE;
    hz_position flipped = hz_position_flip(p);
    hz_position both[2] = {flipped, *p};
    float *rows = malloc(4 * width * sizeof *rows);
    FUZZ_CHECK(rows != NULL);
    float *single = rows, *batch = rows + width, *other = rows + 3 * width;
    hz_features_row(schema, p, color, single);
    for (size_t i = 0; i < width; i++) {
        FUZZ_CHECK(isfinite(single[i]) && !(single[i] == 0.0f && signbit(single[i])));
    }
    hz_features_batch(schema, both, 2, color, batch);
    FUZZ_CHECK(memcmp(batch + width, single, width * sizeof *single) == 0);
    hz_features_row(schema, &flipped, enemy, other);
    FUZZ_CHECK(!schema->by_color || memcmp(other, single, width * sizeof *single) == 0);

    char dfen[HZ_DFEN_CAPACITY];
    ref_position twin;
    int rolls[4];
    static float twin_row[REF_ROW_CAPACITY];
    hz_position_to_dfen(p, dfen, sizeof dfen);
    FUZZ_CHECK(ref_from_dfen(&twin, dfen));
    rolls_of(p, color, rolls);
    size_t twin_width =
        ref_features_row(schema->id, &twin, color == HZ_WHITE ? 'w' : 'b', rolls, twin_row);
    FUZZ_CHECK(twin_width == width && memcmp(twin_row, single, width * sizeof *single) == 0);
    free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hz_position p;
    if (!fuzz_position(data, size, &p)) {
        return 0;
    }
    for (int side = 0; side < 2; side++) {
        hz_color color = side ? HZ_BLACK : HZ_WHITE;
        check_primitives(&p, color);
        for (size_t i = 0; hz_schema_at(i); i++) {
            check_row(hz_schema_at(i), &p, color);
        }
    }
    return 0;
}
