/* SPDX-License-Identifier: MIT */
/* What a search may be made from: defaults, and one case for every setting that is refused. */
#include <hazard/search.h>

#include <stdlib.h>
#include <string.h>

#include "support/judges.h"
#include "support/support.h"

static test_judge zero = {.kind = "zero"};

static void defaults_are_the_documented_ones(void **state) {
    (void)state;
    hz_expectimax_config c = hz_expectimax_config_default();
    assert_int_equal(c.candidate_limit, 8);
    assert_int_equal(c.search_depth, 2);
    assert_int_equal(c.chunk_size, 256);
    assert_int_equal(c.threads, 1);
    assert_false(c.exact_only || c.pre_rank_with_leaf || c.loss_guard || c.no_pruning);
    assert_true(c.rescore_weight == 0);
    assert_null(c.table);
    assert_null(c.leaf.score_batch);
    assert_null(c.pre_rank.score_batch);
    assert_null(c.rescore.score_batch);
    assert_null(c.collapse.score_batch);
    assert_null(c.sink);
}

/* One "name=value". *table: made when asked for. */
static hz_status set(hz_expectimax_config *c, const char *name, const char *value, hz_table **table,
                     hz_error *err) {
    hz_judge judge = test_judge_seam(&zero);
    if (strcmp(name, "limit") == 0) {
        c->candidate_limit = strtoll(value, NULL, 10);
    } else if (strcmp(name, "depth") == 0) {
        c->search_depth = atoi(value);
    } else if (strcmp(name, "weight") == 0) {
        c->rescore = judge;
        c->rescore_weight = strtod(value, NULL);
    } else if (strcmp(name, "chunk") == 0) {
        c->chunk_size = strtoll(value, NULL, 10);
    } else if (strcmp(name, "threads") == 0) {
        c->threads = (unsigned)test_number(value);
    } else if (strcmp(name, "pre-rank") == 0) {
        c->pre_rank = judge;
    } else if (strcmp(name, "pre-rank-with-leaf") == 0) {
        c->pre_rank_with_leaf = true;
    } else if (strcmp(name, "collapse") == 0) {
        c->collapse = judge;
    } else if (strcmp(name, "exact-only") == 0) {
        c->exact_only = true;
    } else if (strcmp(name, "guard") == 0) {
        c->loss_guard = true;
    } else if (strcmp(name, "leaf") == 0) {
        c->leaf = (hz_judge){0};
    } else if (strcmp(name, "table") == 0) {
        hz_status status = hz_table_new((size_t)test_number(value), table, err);
        c->table = *table;
        return status;
    } else {
        fail_msg("setting %s", name);
    }
    return HZ_OK;
}

static void check_case(const char *const *f) {
    hz_expectimax_config config = hz_expectimax_config_default();
    hz_expectimax *search = NULL;
    hz_table *table = NULL;
    hz_error err = {0};
    hz_status status = HZ_OK;
    char settings[200];
    config.leaf = test_judge_seam(&zero);
    test_copy(settings, sizeof settings, f[1]);
    for (char *next, *word = settings; *word && strcmp(f[1], "default") != 0; word = next) {
        size_t length = strcspn(word, " ");
        next = word + length + (word[length] == ' ');
        word[length] = '\0';
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = '\0';
        if (status == HZ_OK) {
            status = set(&config, word, value, &table, &err);
        }
    }
    if (status == HZ_OK) {
        status = hz_expectimax_new(&config, &search, &err);
        assert_int_equal(search != NULL, status == HZ_OK);
    }
    test_same_text(f[0], "verdict", f[2], hz_status_name(status));
    if (status != HZ_OK) {
        test_true(f[0], "the message names it", strstr(err.message, f[3]) != NULL);
        assert_int_equal(err.code, status);
    }
    hz_expectimax_free(search);
    hz_table_free(table);
}

static void every_setting_is_checked(void **state) {
    (void)state;
    test_table table = test_table_load("search_config.tsv", 4);
    for (size_t i = 0; i < table.count; i++) {
        check_case(table.rows[i].field);
    }
    test_table_free(&table);
}

static void search_that_never_was_can_be_freed(void **state) {
    (void)state;
    hz_expectimax_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_the_documented_ones),
        cmocka_unit_test(every_setting_is_checked),
        cmocka_unit_test(search_that_never_was_can_be_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
