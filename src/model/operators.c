/* SPDX-License-Identifier: MIT */
/*
 * The register of operators: every family's table, searched by domain, name and opset. An operator
 * may have several entries, one per meaning it had over the opsets; to the outside they are one.
 */
#include "model/operator.h"

#include <string.h>

static const hzi_operator *const FAMILIES[] = {
    hzi_operators_arithmetic, hzi_operators_unary,       hzi_operators_logic,
    hzi_operators_shape,      hzi_operators_movement,    hzi_operators_cast,
    hzi_operators_reduce,     hzi_operators_softmax,     hzi_operators_normalize,
    hzi_operators_product,    hzi_operators_convolution, hzi_operators_pool,
    hzi_operators_tree,       hzi_operators_linear,
};
enum { FAMILY_COUNT = sizeof FAMILIES / sizeof FAMILIES[0] };

const hzi_operator *hzi_operator_find(const char *domain, const char *name, int opset,
                                      bool *known_name) {
    bool known = false;
    const hzi_operator *found = NULL;
    for (size_t family = 0; family < FAMILY_COUNT && !found; family++) {
        for (const hzi_operator *op = FAMILIES[family]; op->name && !found; op++) {
            if (strcmp(op->name, name) == 0 && strcmp(op->domain, domain) == 0) {
                known = true;
                if (op->first <= opset && opset <= op->last) {
                    found = op;
                }
            }
        }
    }
    if (known_name) {
        *known_name = known;
    }
    return found;
}

/* Order of tables: domain, then name. */
static int compare(const char *domain_a, const char *name_a, const char *domain_b,
                   const char *name_b) {
    int order = strcmp(domain_a, domain_b);
    return order ? order : strcmp(name_a, name_b);
}

/* The least operator behind (domain, name), with all its entries together; a NULL name is before
 * everything. */
static bool next_operator(const char *domain, const char *name, hz_operator_info *next) {
    bool found = false;
    for (size_t family = 0; family < FAMILY_COUNT; family++) {
        for (const hzi_operator *op = FAMILIES[family]; op->name; op++) {
            if (name && compare(op->domain, op->name, domain, name) <= 0) {
                continue;
            }
            int order = found ? compare(op->domain, op->name, next->domain, next->name) : -1;
            if (order < 0) {
                *next = (hz_operator_info){op->domain, op->name, op->first, op->last};
                found = true;
            } else if (order == 0) {
                next->opset_first = op->first < next->opset_first ? op->first : next->opset_first;
                next->opset_last = op->last > next->opset_last ? op->last : next->opset_last;
            }
        }
    }
    return found;
}

bool hz_operator_at(size_t index, hz_operator_info *info) {
    hz_operator_info at = {0}, next;
    for (size_t i = 0; i <= index; i++) {
        if (!next_operator(at.domain, at.name, &next)) {
            return false;
        }
        at = next;
    }
    *info = at;
    return true;
}
