/* SPDX-License-Identifier: MIT */
/* The seven Dice Chess schemas: registry, columns, rows. */
#include "features/rows.h"
#include "ref/ref_odds.h"

static const char *const ids[] = {
    "material-7-v1",    "rich-9-v1",          "rich-pdi-11-v1",
    "kcp-13",           "kcp-mobility-27-v1", "kcp-mobility-pawns-31-v1",
    "raw-board-768-v1", "dual-view-1540-v1",  "chess7x8x8-meta13-v1",
};
enum { DICE_SCHEMAS = 7, SCHEMAS = 9 };

static const hz_schema *schema_of(const char *id) {
    const hz_schema *schema = hz_schema_find(id);
    if (!schema) {
        fail_msg("no schema %s", id);
    }
    return schema;
}

/* ---- registry ---- */

static void schemas_are_listed_in_documentation_order(void **state) {
    (void)state;
    static const size_t widths[SCHEMAS] = {7, 9, 11, 13, 27, 31, 768, 1540, 461};
    for (size_t i = 0; i < SCHEMAS; i++) {
        const hz_schema *schema = hz_schema_at(i);
        assert_non_null(schema);
        assert_string_equal(schema->id, ids[i]);
        assert_int_equal(schema->width, widths[i]);
        assert_string_equal(schema->game, i < DICE_SCHEMAS ? "dicechess" : "chess");
        assert_int_equal(schema->by_color, i < DICE_SCHEMAS);
        assert_true(strlen(schema->about) > 10);
        assert_ptr_equal(hz_schema_find(ids[i]), schema);
    }
    assert_null(hz_schema_at(SCHEMAS));
    assert_null(hz_schema_at(SIZE_MAX));
}

static void ids_are_exact(void **state) {
    (void)state;
    static const char *const wrong[] = {"",       "kcp-13-v1", "KCP-13",          "kcp-13 ",
                                        "rich-9", "kcp-1",     "raw-board-774-v1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(hz_schema_find(wrong[i]));
    }
    assert_null(hz_schema_find(NULL));
}

static void column_names_are_the_published_ones(void **state) {
    (void)state;
    test_table table = test_table_load("features_columns.tsv", 2);
    for (size_t i = 0; i < table.count; i++) {
        const hz_schema *schema = schema_of(table.rows[i].field[0]);
        test_text names = {0};
        for (size_t column = 0; column < schema->width; column++) {
            char name[32];
            hz_schema_column_name(schema, column, name, sizeof name);
            test_text_word(&names, name);
        }
        test_same_text(schema->id, "columns", table.rows[i].field[1], test_text_get(&names));
        test_text_free(&names);
    }
    test_table_free(&table);
    const hz_schema *raw = schema_of("raw-board-768-v1");
    static const struct {
        size_t column;
        const char *name;
    } raw_names[] = {{0, "own_p_0"},    {63, "own_p_63"}, {64, "own_n_0"},  {320, "own_k_0"},
                     {383, "own_k_63"}, {384, "opp_p_0"}, {640, "opp_q_0"}, {767, "opp_k_63"}};
    for (size_t i = 0; i < sizeof raw_names / sizeof *raw_names; i++) {
        char name[32];
        hz_schema_column_name(raw, raw_names[i].column, name, sizeof name);
        assert_string_equal(name, raw_names[i].name);
    }
}

static void a_column_is_found_by_its_name_and_names_are_unique(void **state) {
    (void)state;
    for (size_t i = 0; i < SCHEMAS; i++) {
        const hz_schema *schema = hz_schema_at(i);
        for (size_t column = 0; column < schema->width; column++) {
            char name[32];
            size_t length = hz_schema_column_name(schema, column, name, sizeof name);
            assert_int_equal(length, strlen(name));
            assert_true(length > 0);
            /* The first column of this name is this one: so none before has it. */
            assert_int_equal(hz_schema_column_find(schema, name), column);
        }
        assert_int_equal(hz_schema_column_find(schema, "no_such_column"), SIZE_MAX);
        assert_int_equal(hz_schema_column_find(schema, ""), SIZE_MAX);
    }
    assert_int_equal(hz_schema_column_find(schema_of("rich-pdi-11-v1"), "opp_pdi"), SIZE_MAX);
    assert_int_equal(hz_schema_column_find(schema_of("kcp-mobility-27-v1"), "opponent_pdi"),
                     SIZE_MAX);
}

static void column_names_obey_the_caller_s_buffer(void **state) {
    (void)state;
    for (size_t i = 0; i < SCHEMAS; i++) {
        const hz_schema *schema = hz_schema_at(i);
        for (size_t column = 0; column < schema->width; column += 5) {
            char whole[32], small[4] = "...";
            size_t length = hz_schema_column_name(schema, column, whole, sizeof whole);
            assert_int_equal(hz_schema_column_name(schema, column, small, 3), length);
            assert_int_equal(strlen(small), length < 2 ? length : 2);
            assert_memory_equal(small, whole, strlen(small));
            assert_int_equal(hz_schema_column_name(schema, column, NULL, 0), length);
        }
        char past[4] = "...";
        assert_int_equal(hz_schema_column_name(schema, schema->width, past, sizeof past), 0);
        assert_string_equal(past, "");
        assert_int_equal(hz_schema_column_name(schema, SIZE_MAX, NULL, 0), 0);
    }
}

/* ---- stated rows ---- */

static void published_rows_come_out_bit_for_bit(void **state) {
    (void)state;
    test_table table = test_table_load("features_rows.tsv", 4);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        const hz_schema *schema = schema_of(f[0]);
        hz_position position = test_position(f[2]);
        float expected[WIDEST_ROW], row[WIDEST_ROW];
        assert_int_equal(floats_from_text(f[3], expected, WIDEST_ROW), schema->width);
        hz_features_row(schema, &position, color_from_text(f[1]), row);
        same_rows(f[2], schema, expected, row, schema->width);
    }
    test_table_free(&table);
}

/* One column of a row by name. */
static float column_of(const hz_schema *schema, const float *row, const char *name, size_t length) {
    char buffer[32];
    snprintf(buffer, sizeof buffer, "%.*s", (int)length, name);
    size_t column = hz_schema_column_find(schema, buffer);
    if (column == SIZE_MAX) {
        fail_msg("%s has no column %s", schema->id, buffer);
    }
    return row[column];
}

static void check_columns(const char *dfen, hz_color color, const char *id, const char *answer) {
    const hz_schema *schema = schema_of(id);
    hz_position position = test_position(dfen);
    float row[WIDEST_ROW];
    hz_features_row(schema, &position, color, row);
    for (const char *at = answer; *at; at += strspn(at, " ")) {
        const char *equals = strchr(at, '=');
        assert_non_null(equals);
        char *end = NULL;
        float expected = strtof(equals + 1, &end);
        float actual = column_of(schema, row, at, (size_t)(equals - at));
        if (float_bits(expected) != float_bits(actual)) {
            fail_msg("%s: %.*s is %.9g", dfen, (int)(end - at), at, (double)actual);
        }
        at = end;
    }
}

/* scale * (bias + sum of weight * column), the argument being "schema bias scale tolerance
 * name=weight ...". */
static void check_linear(const char *dfen, hz_color color, const char *argument,
                         const char *answer) {
    char id[64];
    size_t id_length = strcspn(argument, " ");
    assert_true(id_length < sizeof id);
    memcpy(id, argument, id_length);
    id[id_length] = '\0';
    double number[3]; /* bias, scale, tolerance */
    const char *at = argument + id_length;
    for (int i = 0; i < 3; i++) {
        char *end = NULL;
        number[i] = strtod(at, &end);
        assert_true(end != at);
        at = end;
    }
    const hz_schema *schema = schema_of(id);
    hz_position position = test_position(dfen);
    float row[WIDEST_ROW];
    hz_features_row(schema, &position, color, row);
    double sum = number[0];
    size_t terms = 0;
    for (; *at; terms++) {
        at += strspn(at, " ");
        const char *equals = strchr(at, '=');
        assert_non_null(equals);
        char *end = NULL;
        double weight = strtod(equals + 1, &end);
        sum += weight * (double)column_of(schema, row, at, (size_t)(equals - at));
        at = end;
    }
    assert_true(terms > 0);
    double off = number[1] * sum - strtod(answer, NULL);
    if (off > number[2] || off < -number[2]) {
        fail_msg("%s: linear score %g instead of %s", dfen, number[1] * sum, answer);
    }
}

static void check_raw(const char *function, const char *dfen, hz_color color, const char *argument,
                      const char *answer) {
    const hz_schema *schema = schema_of("raw-board-768-v1");
    hz_position position = test_position(dfen);
    float row[WIDEST_ROW];
    hz_features_row(schema, &position, color, row);
    test_text cells = {0};
    int sum = 0;
    bool one_plane = strcmp(function, "raw_plane") == 0;
    for (size_t i = 0; i < schema->width; i++) {
        char cell[8];
        sum += (int)row[i];
        if (one_plane && i / 64 == test_number(argument) && row[i] == 1.0f) {
            snprintf(cell, sizeof cell, "%zu", i % 64);
            test_text_word(&cells, cell);
        }
    }
    if (one_plane) {
        test_same_text(dfen, function, answer, test_text_get(&cells));
    } else {
        test_same_number(dfen, function, test_number(answer), sum);
    }
    test_text_free(&cells);
}

static void stated_columns_hold(void **state) {
    (void)state;
    test_table table = test_table_load("features_facts.tsv", 5);
    size_t checked = 0;
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_color color = color_from_text(f[2]);
        checked++;
        if (strcmp(f[0], "columns") == 0) {
            check_columns(f[1], color, f[3], f[4]);
        } else if (strcmp(f[0], "linear") == 0) {
            check_linear(f[1], color, f[3], f[4]);
        } else if (strncmp(f[0], "raw_", 4) == 0) {
            check_raw(f[0], f[1], color, f[3], f[4]);
        } else {
            checked--; /* facts about primitives: test_primitives.c */
        }
    }
    test_table_free(&table);
    assert_true(checked > 0);
}

static void recorded_random_positions_come_out_bit_for_bit(void **state) {
    (void)state;
    test_table table = test_table_load("features_positions.tsv", 12);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_position position = test_position(f[0]);
        hz_color color = color_from_text(f[1]);
        float expected[31] = {0}, rolls[4] = {0}, ones[64] = {0}, row[WIDEST_ROW];
        assert_int_equal(floats_from_text(f[2], expected, 31), 31);
        assert_int_equal(floats_from_text(f[3], rolls, 4), 4);
        for (int k = 0; k < 4; k++) {
            assert_int_equal(float_bits(expected[9 + k]), float_bits(rolls[k] / 216.0f));
        }
        for (size_t s = 0; s < DICE_SCHEMAS; s++) {
            const hz_schema *schema = hz_schema_at(s);
            hz_features_row(schema, &position, color, row);
            if (schema->width == 11) {
                same_rows(f[0], schema, expected, row, 9);
                assert_int_equal(float_bits(row[9]), float_bits(expected[25]));
                assert_int_equal(float_bits(row[10]), float_bits(expected[26]));
            } else if (schema->width <= 31) {
                same_rows(f[0], schema, expected, row, schema->width);
            } else {
                float dense[768] = {0};
                for (size_t k = 0, n = floats_from_text(f[4], ones, 64); k < n; k++) {
                    dense[(size_t)ones[k]] = 1.0f;
                }
                same_rows(f[0], schema, dense, row, 768);
            }
        }
    }
    test_table_free(&table);
}

static void an_empty_board_is_all_zeros(void **state) {
    (void)state;
    hz_position position = hz_position_empty();
    for (size_t s = 0; s < DICE_SCHEMAS; s++) {
        for (int c = 0; c < 2; c++) {
            float row[WIDEST_ROW];
            hz_features_row(hz_schema_at(s), &position, both_colors[c], row);
            for (size_t i = 0; i < hz_schema_at(s)->width; i++) {
                assert_int_equal(float_bits(row[i]), 0);
            }
        }
    }
}

/* ---- properties ---- */

static void nested_schemas_are_prefixes(void **state) {
    (void)state;
    /* id, how many leading columns it shares with the widest one */
    static const struct {
        const char *id;
        size_t shared;
    } nested[] = {{"material-7-v1", 7},
                  {"rich-9-v1", 9},
                  {"rich-pdi-11-v1", 9},
                  {"kcp-13", 13},
                  {"kcp-mobility-27-v1", 27}};
    const hz_schema *widest = schema_of("kcp-mobility-pawns-31-v1");
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t n = 0; n < test_effort(3000); n++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(n % REF_STYLES), dfen);
        hz_position position = test_position(dfen);
        hz_color color = both_colors[ref_random_below(&random, 2)];
        float wide[WIDEST_ROW], row[WIDEST_ROW];
        hz_features_row(widest, &position, color, wide);
        for (size_t i = 0; i < sizeof nested / sizeof *nested; i++) {
            const hz_schema *schema = schema_of(nested[i].id);
            hz_features_row(schema, &position, color, row);
            same_rows(dfen, schema, wide, row, nested[i].shared);
        }
        /* Column 7 is what the per-type counts add up to. */
        float sum = 0;
        for (int type = 0; type < 6; type++) {
            sum += wide[13 + type] - wide[19 + type];
        }
        assert_true(sum == wide[7]);
    }
}

static void a_flipped_board_gives_the_other_colour_the_same_row(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 2);
    for (size_t n = 0; n < test_effort(3000); n++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(n % REF_STYLES), dfen);
        hz_position position = test_position(dfen), flipped = hz_position_flip(&position);
        for (size_t s = 0; s < DICE_SCHEMAS; s++) {
            const hz_schema *schema = hz_schema_at(s);
            float row[WIDEST_ROW], other[WIDEST_ROW];
            hz_features_row(schema, &position, HZ_WHITE, row);
            hz_features_row(schema, &flipped, HZ_BLACK, other);
            same_rows(dfen, schema, row, other, schema->width);
            hz_features_row(schema, &position, HZ_BLACK, row);
            hz_features_row(schema, &flipped, HZ_WHITE, other);
            same_rows(dfen, schema, row, other, schema->width);
        }
    }
}

static void swapping_the_colour_swaps_attack_and_danger(void **state) {
    (void)state;
    const hz_schema *kcp = schema_of("kcp-13");
    ref_random random = ref_random_from_seed(test_seed() + 3);
    for (size_t n = 0; n < test_effort(3000); n++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(n % REF_STYLES), dfen);
        hz_position position = test_position(dfen);
        float white[13], black[13];
        hz_features_row(kcp, &position, HZ_WHITE, white);
        hz_features_row(kcp, &position, HZ_BLACK, black);
        for (int i = 9; i < 13; i++) {
            assert_int_equal(float_bits(white[i]), float_bits(black[i % 2 ? i + 1 : i - 1]));
            assert_true(white[i] >= 0.0f && white[i] <= 1.0f);
        }
    }
}

static void side_pool_and_clocks_are_not_read(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 4);
    for (size_t n = 0; n < test_effort(2000); n++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(n % REF_STYLES), dfen);
        hz_position position = test_position(dfen), other = position;
        hz_position_set_side(&other, (hz_color)(position.side ^ 1));
        hz_position_set_pool(&other, hz_pool_from_faces(1 + (int)ref_random_below(&random, 6),
                                                        1 + (int)ref_random_below(&random, 6), 0));
        other.halfmove = (uint8_t)ref_random_below(&random, 128);
        other.fullmove = 1 + ref_random_below(&random, 1000);
        for (size_t s = 0; s < DICE_SCHEMAS; s++) {
            const hz_schema *schema = hz_schema_at(s);
            float row[WIDEST_ROW], again[WIDEST_ROW];
            hz_color color = both_colors[n % 2];
            hz_features_row(schema, &position, color, row);
            hz_features_row(schema, &other, color, again);
            same_rows(dfen, schema, row, again, schema->width);
        }
    }
}

static void no_cell_is_negative_zero_or_unfinite(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 5);
    for (size_t n = 0; n < test_effort(3000); n++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(n % REF_STYLES), dfen);
        hz_position position = test_position(dfen);
        for (size_t s = 0; s < SCHEMAS; s++) {
            float row[WIDEST_ROW];
            hz_features_row(hz_schema_at(s), &position, both_colors[n % 2], row);
            for (size_t i = 0; i < hz_schema_at(s)->width; i++) {
                uint32_t bits = float_bits(row[i]);
                if (bits == 0x80000000u || (bits & 0x7F800000u) == 0x7F800000u) {
                    fail_msg("%s: %s column %zu has bits %08x", dfen, ids[s], i, bits);
                }
            }
        }
    }
}

static void a_row_writes_its_width_and_no_more(void **state) {
    (void)state;
    hz_position position = test_position(HZ_START_DFEN);
    for (size_t s = 0; s < SCHEMAS; s++) {
        const hz_schema *schema = hz_schema_at(s);
        float row[WIDEST_ROW + 1];
        for (size_t i = 0; i <= WIDEST_ROW; i++) {
            row[i] = -7.0f;
        }
        hz_features_row(schema, &position, HZ_WHITE, row);
        for (size_t i = 0; i <= WIDEST_ROW; i++) {
            assert_int_equal(row[i] == -7.0f, i >= schema->width);
        }
    }
}

static void a_batch_is_its_single_rows(void **state) {
    (void)state;
    enum { ROWS = 37 };
    static float rows[ROWS * WIDEST_ROW];
    hz_position positions[ROWS];
    char dfen[ROWS][REF_DFEN_CAPACITY];
    ref_random random = ref_random_from_seed(test_seed() + 6);
    for (size_t i = 0; i < ROWS; i++) {
        ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen[i]);
        positions[i] = test_position(dfen[i]);
    }
    for (size_t s = 0; s < SCHEMAS; s++) {
        const hz_schema *schema = hz_schema_at(s);
        for (int c = 0; c < 2; c++) {
            hz_features_batch(schema, positions, ROWS, both_colors[c], rows);
            for (size_t i = 0; i < ROWS; i++) {
                float row[WIDEST_ROW];
                hz_features_row(schema, &positions[i], both_colors[c], row);
                same_rows(dfen[i], schema, row, rows + i * schema->width, schema->width);
            }
        }
    }
    rows[0] = -7.0f;
    hz_features_batch(hz_schema_at(0), positions, 0, HZ_WHITE, rows);
    assert_true(rows[0] == -7.0f);
}

/* ---- against the slow twins ---- */

/* `slow_rolls`: the counts come from the oracle of the odds room, which plays every roll; else from
 * the odds room itself, which its own tests hold against that oracle. */
static void compare(const char *dfen, bool slow_rolls) {
    hz_position position = test_position(dfen);
    ref_position slow = ref_position_of(dfen);
    hz_roll_set (*king)(const hz_position *, hz_color) = slow_rolls ? ref_odds_king : hz_odds_king;
    hz_roll_set (*queen)(const hz_position *, hz_color) =
        slow_rolls ? ref_odds_queen : hz_odds_queen;
    for (int c = 0; c < 2; c++) {
        hz_color color = both_colors[c], enemy = both_colors[1 - c];
        const int rolls[4] = {(int)hz_roll_set_weight(king(&position, enemy)),
                              (int)hz_roll_set_weight(king(&position, color)),
                              (int)hz_roll_set_weight(queen(&position, enemy)),
                              (int)hz_roll_set_weight(queen(&position, color))};
        for (size_t s = 0; s < DICE_SCHEMAS; s++) {
            float expected[REF_ROW_CAPACITY], row[WIDEST_ROW];
            size_t width = ref_features_row(ids[s], &slow, color_letter(color), rolls, expected);
            assert_int_equal(width, hz_schema_at(s)->width);
            hz_features_row(hz_schema_at(s), &position, color, row);
            same_rows(dfen, hz_schema_at(s), expected, row, width);
        }
    }
}

static void made_up_boards_agree_with_the_reference(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 7);
    for (size_t i = 0, n = test_effort(2500); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        compare(dfen, i % 11 == 0);
    }
}

static void played_boards_agree_with_the_reference(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 8);
    for (size_t i = 0, n = test_effort(1000); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_ANY_MOMENT, dfen);
        compare(dfen, i % 8 == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemas_are_listed_in_documentation_order),
        cmocka_unit_test(ids_are_exact),
        cmocka_unit_test(column_names_are_the_published_ones),
        cmocka_unit_test(a_column_is_found_by_its_name_and_names_are_unique),
        cmocka_unit_test(column_names_obey_the_caller_s_buffer),
        cmocka_unit_test(published_rows_come_out_bit_for_bit),
        cmocka_unit_test(stated_columns_hold),
        cmocka_unit_test(recorded_random_positions_come_out_bit_for_bit),
        cmocka_unit_test(an_empty_board_is_all_zeros),
        cmocka_unit_test(nested_schemas_are_prefixes),
        cmocka_unit_test(a_flipped_board_gives_the_other_colour_the_same_row),
        cmocka_unit_test(swapping_the_colour_swaps_attack_and_danger),
        cmocka_unit_test(side_pool_and_clocks_are_not_read),
        cmocka_unit_test(no_cell_is_negative_zero_or_unfinite),
        cmocka_unit_test(a_row_writes_its_width_and_no_more),
        cmocka_unit_test(a_batch_is_its_single_rows),
        cmocka_unit_test(made_up_boards_agree_with_the_reference),
        cmocka_unit_test(played_boards_agree_with_the_reference),
    };
    return cmocka_run_group_tests_name("features schemas", tests, NULL, NULL);
}
