/* SPDX-License-Identifier: MIT */
/* Engine versions and constraints on them; roles. */
#include "package/folder.h"

#include "package/version.h"

static void known_constraints_include_what_they_should(void **state) {
    (void)state;
    test_table table = test_table_load("package_compat.tsv", 3);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *field = table.rows[i].field;
        hz_error err;
        hz_error_clear(&err);
        bool included = strcmp(field[2], "yes") == 0;
        hz_status status = hz_engine_compatible(field[0], field[1], &err);
        if (status != (included ? HZ_OK : HZ_ENGINE_VERSION)) {
            fail_msg("%s of %s: %s", field[0], field[1], hz_status_name(status));
        }
        if (!included) {
            char text[200];
            snprintf(text, sizeof text,
                     "engineCompatibility '%s' does not include engine version '%s'", field[0],
                     field[1]);
            assert_string_equal(err.message, text);
        }
    }
    test_table_free(&table);
}

/* Every operator against versions before, at and behind its own. */
static void operators_compare_part_by_part(void **state) {
    (void)state;
    static const char *const rising[] = {"0.0.0",
                                         "0.0.1",
                                         "0.0.10",
                                         "0.2.0",
                                         "0.10.0",
                                         "1.0.0",
                                         "1.0.9",
                                         "2.0.0",
                                         "10.0.0",
                                         "11.1.1",
                                         "2147483647.2147483647.2147483647"};
    static const struct {
        const char *text;
        bool less, equal, greater;
    } operators[] = {{"", false, true, false},  {"=", false, true, false},
                     {"<", true, false, false}, {"<=", true, true, false},
                     {">", false, false, true}, {">=", false, true, true}};
    enum { VERSIONS = sizeof rising / sizeof *rising };
    for (size_t a = 0; a < VERSIONS; a++) {
        for (size_t b = 0; b < VERSIONS; b++) {
            for (size_t o = 0; o < sizeof operators / sizeof *operators; o++) {
                char constraint[64];
                snprintf(constraint, sizeof constraint, "%s%s", operators[o].text, rising[b]);
                bool included = a < b   ? operators[o].less
                                : a > b ? operators[o].greater
                                        : operators[o].equal;
                assert_int_equal(hz_engine_compatible(constraint, rising[a], NULL),
                                 included ? HZ_OK : HZ_ENGINE_VERSION);
            }
        }
    }
}

static void all_comparators_must_hold_and_any_white_space_separates(void **state) {
    (void)state;
    assert_int_equal(hz_engine_compatible(" \t>=0.12.0\n\v<1.0.0\f\r<=0.12.0 ", "0.12.0", NULL),
                     HZ_OK);
    assert_int_equal(hz_engine_compatible(">=0.12.0 <1.0.0 <0.12.0", "0.12.0", NULL),
                     HZ_ENGINE_VERSION);
    assert_int_equal(hz_engine_compatible("0.12.0 0.12.1", "0.12.0", NULL), HZ_ENGINE_VERSION);
    assert_int_equal(hz_engine_compatible("000.000012.0", "0.12.000", NULL), HZ_OK);
}

static void malformed_versions_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"",
                                      "0",
                                      "0.12",
                                      "0.12.",
                                      "0.12.0.",
                                      ".12.0",
                                      "0..0",
                                      "0.12.x",
                                      "0.12.-1",
                                      "+0.12.0",
                                      "0.12.0-rc1",
                                      "0.12.0+1",
                                      "v0.12.0",
                                      "0.12.0 ",
                                      " 0.12.0",
                                      "0,12,0",
                                      "2147483648.0.0",
                                      "0.2147483648.0",
                                      "0.0.99999999999",
                                      "\xd9\xa3.0.0",
                                      "0.0.18446744073709551616"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hz_error err;
        hz_error_clear(&err);
        refused(bad[i], HZ_MANIFEST, hz_engine_compatible(">=0.0.0", bad[i], &err), &err, NULL,
                "invalid engine version");
        if (strpbrk(bad[i], " ") || !*bad[i]) {
            continue; /* white space separates in a constraint */
        }
        char text[100];
        snprintf(text, sizeof text, "invalid engineCompatibility '%s'", bad[i]);
        refused(bad[i], HZ_MANIFEST, hz_engine_compatible(bad[i], "0.12.0", &err), &err, NULL,
                text);
    }
    assert_int_equal(hz_engine_compatible(">=0.0.0", NULL, NULL), HZ_MANIFEST);
}

static void malformed_constraints_are_refused_even_where_a_good_part_decides(void **state) {
    (void)state;
    static const char *const bad[] = {">= 0.12.0",         "~>0.12.0", "^0.12.0", "==0.12.0",
                                      "=>0.12.0",          "<>0.12.0", ">",       ">=0.12.0,<1.0.0",
                                      ">=0.12.0 || 1.0.0", ">=0.12",   "*",       "!0.12.0",
                                      "9.0.0 >=0.12",      "0.12.0 x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hz_error err;
        hz_error_clear(&err);
        refused(bad[i], HZ_MANIFEST, hz_engine_compatible(bad[i], "0.12.0", &err), &err, NULL,
                "invalid engineCompatibility '");
    }
    static const char *const blank[] = {"", " ", "\t\n", NULL};
    for (size_t i = 0; i < sizeof blank / sizeof *blank; i++) {
        hz_error err;
        hz_error_clear(&err);
        refused("blank", HZ_MANIFEST, hz_engine_compatible(blank[i], "0.12.0", &err), &err, NULL,
                "engineCompatibility must not be blank");
    }
}

static void a_bad_host_version_is_told_before_a_bad_constraint(void **state) {
    (void)state;
    hz_error err;
    hz_error_clear(&err);
    refused("both", HZ_MANIFEST, hz_engine_compatible("", "x", &err), &err, NULL,
            "invalid engine version 'x'");
    refused("path", HZ_MANIFEST, hzi_engine_check("", "x", "m.json", &err), &err, "m.json",
            "invalid engine version 'x'");
}

static void the_contract_version_is_a_version(void **state) {
    (void)state;
    assert_int_equal(hz_engine_compatible(HZ_CONTRACT_VERSION, HZ_CONTRACT_VERSION, NULL), HZ_OK);
}

static void roles_are_found_by_their_exact_id(void **state) {
    (void)state;
    static const char *const ids[HZ_ROLES] = {"position-value", "chance-collapse", "move-prerank"};
    for (size_t i = 0; i < HZ_ROLES; i++) {
        hz_role role = HZ_ROLE_MOVE_PRERANK;
        assert_true(hz_role_find(ids[i], &role));
        assert_int_equal(role, i);
        assert_string_equal(hz_role_id(role), ids[i]);
    }
    static const char *const wrong[] = {"",         "Position-value", "position-value ",
                                        "position", "unknown",        NULL};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hz_role role = HZ_ROLE_CHANCE_COLLAPSE;
        assert_false(hz_role_find(wrong[i], &role));
        assert_int_equal(role, HZ_ROLE_CHANCE_COLLAPSE);
    }
    assert_string_equal(hz_role_id((hz_role)HZ_ROLES), "unknown");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_constraints_include_what_they_should),
        cmocka_unit_test(operators_compare_part_by_part),
        cmocka_unit_test(all_comparators_must_hold_and_any_white_space_separates),
        cmocka_unit_test(malformed_versions_are_refused),
        cmocka_unit_test(malformed_constraints_are_refused_even_where_a_good_part_decides),
        cmocka_unit_test(a_bad_host_version_is_told_before_a_bad_constraint),
        cmocka_unit_test(the_contract_version_is_a_version),
        cmocka_unit_test(roles_are_found_by_their_exact_id),
    };
    return cmocka_run_group_tests_name("package version", tests, NULL, NULL);
}
