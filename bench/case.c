/* SPDX-License-Identifier: MIT */
/* A position with a roll, ready to be measured. */
#include "bench/items.h"

#include <stdlib.h>
#include <string.h>

hzb_case *hzb_case_new(const char *dfen, const char *roll) {
    hzb_case *c = calloc(1, sizeof *c);
    hz_pool pool = 0;
    if (c && hz_position_from_dfen(&c->position, dfen, strlen(dfen), NULL) == HZ_OK &&
        (!*roll || hz_pool_from_text(roll, strlen(roll), &pool, NULL) == HZ_OK)) {
        hz_position_set_pool(&c->position, pool);
        c->dfen = dfen;
        return c;
    }
    free(c);
    return NULL;
}
