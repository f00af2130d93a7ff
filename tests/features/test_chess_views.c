/* SPDX-License-Identifier: MIT */
/* The two chess encoders: the 1540-wide dual view and the 7x8x8 planes with 13 flags. */
#include "features/rows.h"

#include "features/sparse.h"

static const hz_schema *dual_view(void) {
    const hz_schema *schema = hz_schema_find("dual-view-1540-v1");
    assert_non_null(schema);
    return schema;
}

static const hz_schema *planes(void) {
    const hz_schema *schema = hz_schema_find("chess7x8x8-meta13-v1");
    assert_non_null(schema);
    return schema;
}

/* ---- dual view ---- */

static void published_dual_views_come_out(void **state) {
    (void)state;
    test_table table = test_table_load("features_dual_view.tsv", 2);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_position position = test_position(f[0]);
        float ones[HZI_DUAL_VIEW_ONES], expected[1540] = {0}, row[1540];
        for (size_t k = 0, n = floats_from_text(f[1], ones, HZI_DUAL_VIEW_ONES); k < n; k++) {
            expected[(size_t)ones[k]] = 1.0f;
        }
        hz_features_row(dual_view(), &position, HZ_WHITE, row);
        same_rows(f[0], dual_view(), expected, row, 1540);
    }
    test_table_free(&table);
}

static void dual_view_identities(const char *dfen) {
    hz_position position = test_position(dfen);
    float row[1540];
    hz_features_row(dual_view(), &position, HZ_WHITE, row);
    int ones = 0;
    for (int i = 0; i < 1540; i++) {
        ones += row[i] == 1.0f;
        test_true(dfen, "0 or 1", row[i] == 0.0f || row[i] == 1.0f);
    }
    int pieces = __builtin_popcountll(position.colors[0] | position.colors[1]);
    same_score(dfen, "ones", 2 * pieces + __builtin_popcount(position.rights), ones);
    for (int p = 0; p < 6; p++) {
        for (int s = 0; s < 64; s++) {
            test_true(dfen, "own of half 1 is enemy of half 0",
                      row[770 + 64 * p + s] == row[384 + 64 * p + (s ^ 56)]);
            test_true(dfen, "enemy of half 1 is own of half 0",
                      row[1154 + 64 * p + s] == row[64 * p + (s ^ 56)]);
        }
    }
    hz_position flipped = hz_position_flip(&position);
    float again[1540];
    hz_features_row(dual_view(), &flipped, HZ_WHITE, again);
    same_rows(dfen, dual_view(), row, again, 1540);
    /* The view is fixed by the side to move: the colour asked about plays no part. */
    hz_features_row(dual_view(), &position, HZ_BLACK, again);
    same_rows(dfen, dual_view(), row, again, 1540);
    ref_position slow = ref_position_of(dfen);
    float expected[REF_ROW_CAPACITY];
    assert_int_equal(ref_features_row("dual-view-1540-v1", &slow, 'w', NULL, expected), 1540);
    same_rows(dfen, dual_view(), expected, row, 1540);
}

static void dual_view_identities_hold_on_random_boards(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0, n = test_effort(10000); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        dual_view_identities(dfen);
    }
    for (size_t i = 0, n = test_effort(300); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_ANY_MOMENT, dfen);
        dual_view_identities(dfen);
    }
}

static void rights_enter_as_stated_not_as_playable(void **state) {
    (void)state;
    static const char *const texts[] = {"8/8/8/8/8/8/8/8 w K - 0 1", "8/8/8/8/8/8/8/8 w Q - 0 1",
                                        "8/8/8/8/8/8/8/8 w k - 0 1", "8/8/8/8/8/8/8/8 w q - 0 1",
                                        "8/8/8/8/8/8/8/8 b K - 0 1", "8/8/8/8/8/8/8/8 b q - 0 1"};
    static const size_t ones[] = {768, 769, 1538, 1539, 1538, 769};
    for (size_t k = 0; k < 6; k++) {
        hz_position position = test_position(texts[k]);
        float row[1540];
        hz_features_row(dual_view(), &position, HZ_WHITE, row);
        for (size_t i = 0; i < 1540; i++) {
            test_true(texts[k], "the one right", (row[i] == 1.0f) == (i == ones[k]));
        }
    }
}

static void the_sparse_form_lists_the_ones_in_order(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 1);
    for (size_t n = 0; n < test_effort(2000); n++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(n % REF_STYLES), dfen);
        hz_position position = test_position(dfen);
        uint16_t ones[HZI_DUAL_VIEW_ONES];
        size_t count = hzi_dual_view_ones(&position, ones), next = 0;
        float row[1540];
        hz_features_row(dual_view(), &position, HZ_WHITE, row);
        for (size_t i = 0; i < 1540; i++) {
            bool listed = next < count && ones[next] == i;
            test_true(dfen, "listed exactly when 1", listed == (row[i] == 1.0f));
            next += listed;
        }
        test_same_number(dfen, "all used", count, next);
    }
}

static void dual_view_columns_have_regular_names(void **state) {
    (void)state;
    static const struct {
        size_t column;
        const char *name;
    } names[] = {{0, "stm_own_p_0"},      {384, "stm_opp_p_0"},   {767, "stm_opp_k_63"},
                 {768, "stm_castle_k"},   {769, "stm_castle_q"},  {770, "nstm_own_p_0"},
                 {1153, "nstm_own_k_63"}, {1154, "nstm_opp_p_0"}, {1538, "nstm_castle_k"},
                 {1539, "nstm_castle_q"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[32];
        hz_schema_column_name(dual_view(), names[i].column, name, sizeof name);
        assert_string_equal(name, names[i].name);
    }
}

/* ---- planes ---- */

static void published_plane_check_values_come_out(void **state) {
    (void)state;
    test_table table = test_table_load("features_chess_planes.tsv", 4);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_position position = test_position(f[0]);
        float sums[7], meta[13], row[461];
        assert_int_equal(floats_from_text(f[1], sums, 7), 7);
        assert_int_equal(floats_from_text(f[3], meta, 13), 13);
        hz_features_row(planes(), &position, HZ_WHITE, row);
        double weighted = 0;
        for (size_t channel = 0; channel < 7; channel++) {
            float sum = 0;
            for (size_t k = 64 * channel; k < 64 * channel + 64; k++) {
                sum += row[k];
                weighted += (double)(k + 1) * (double)row[k];
            }
            test_true(f[0], "sum of a channel", sum == sums[channel]);
        }
        test_true(f[0], "weighted sum", weighted == strtod(f[2], NULL));
        for (size_t k = 0; k < 13; k++) {
            test_true(f[0], "flags", float_bits(row[448 + k]) == float_bits(meta[k]));
        }
    }
    test_table_free(&table);
}

static void plane_cell(const char *dfen, const char *column, float expected) {
    hz_position position = test_position(dfen);
    float row[461];
    hz_features_row(planes(), &position, HZ_WHITE, row);
    size_t index = hz_schema_column_find(planes(), column);
    test_true(column, "is a column", index != SIZE_MAX);
    test_true(column, dfen, float_bits(row[index]) == float_bits(expected));
}

static void planes_are_read_like_a_fen(void **state) {
    (void)state;
    static const struct {
        size_t column;
        const char *name;
    } names[] = {{0, "color_a8"},        {63, "color_h1"},        {64, "bishop_a8"},
                 {128, "king_a8"},       {192, "knight_a8"},      {256, "pawn_a8"},
                 {320, "queen_a8"},      {384, "rook_a8"},        {447, "rook_h1"},
                 {448, "white_to_move"}, {449, "white_castle_k"}, {452, "black_castle_q"},
                 {453, "en_passant_a"},  {460, "en_passant_h"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[32];
        hz_schema_column_name(planes(), names[i].column, name, sizeof name);
        assert_string_equal(name, names[i].name);
    }
    static const char dfen[] = "4k3/8/8/8/8/8/p6Q/4K3 b k - 0 1";
    plane_cell(dfen, "color_e8", 0.0f);
    plane_cell(dfen, "color_e1", 1.0f);
    plane_cell(dfen, "color_e4", 0.5f);
    plane_cell(dfen, "king_e8", 1.0f);
    plane_cell(dfen, "pawn_a2", 1.0f);
    plane_cell(dfen, "queen_h2", 1.0f);
    plane_cell(dfen, "queen_a2", 0.0f);
    plane_cell(dfen, "white_to_move", 0.0f);
    plane_cell(dfen, "black_castle_k", 1.0f);
    plane_cell(dfen, "white_castle_k", 0.0f);
}

static void the_en_passant_file_needs_a_legal_capture(void **state) {
    (void)state;
    plane_cell("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "en_passant_f",
               1.0f);
    /* No pawn to capture with; a pinned one; a king exposed along the rank. */
    plane_cell("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "en_passant_e", 0.0f);
    plane_cell("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "en_passant_d", 0.0f);
    plane_cell("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "en_passant_d", 0.0f);
}

static void planes_agree_with_the_reference(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 2);
    size_t flagged = 0, n = test_effort(5000);
    for (size_t i = 0; i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        hz_position position = test_position(dfen);
        ref_position slow = ref_position_of(dfen);
        float expected[REF_ROW_CAPACITY], row[461];
        assert_int_equal(ref_features_row("chess7x8x8-meta13-v1", &slow, 'w', NULL, expected), 461);
        hz_features_row(planes(), &position, both_colors[i % 2], row);
        same_rows(dfen, planes(), expected, row, 461);
        int files = 0;
        for (size_t k = 453; k < 461; k++) {
            files += row[k] == 1.0f;
        }
        test_true(dfen, "one-hot or all zero", files <= 1);
        flagged += files == 1;
    }
    assert_true(flagged > 0 || n < 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_dual_views_come_out),
        cmocka_unit_test(dual_view_identities_hold_on_random_boards),
        cmocka_unit_test(rights_enter_as_stated_not_as_playable),
        cmocka_unit_test(the_sparse_form_lists_the_ones_in_order),
        cmocka_unit_test(dual_view_columns_have_regular_names),
        cmocka_unit_test(published_plane_check_values_come_out),
        cmocka_unit_test(planes_are_read_like_a_fen),
        cmocka_unit_test(the_en_passant_file_needs_a_legal_capture),
        cmocka_unit_test(planes_agree_with_the_reference),
    };
    return cmocka_run_group_tests_name("features chess views", tests, NULL, NULL);
}
