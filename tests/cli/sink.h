/* SPDX-License-Identifier: MIT */
/* Output of the command's parts kept in memory, for tests. */
#ifndef HAZARD_TEST_CLI_SINK_H
#define HAZARD_TEST_CLI_SINK_H

#include "cli/out.h"
#include "support/support.h"

/* An output whose bytes go to *kept. */
static inline bool test_sink_keep(void *context, const char *bytes, size_t length) {
    test_text *kept = context;
    char piece[256];
    while (length > 0) {
        size_t part = length < sizeof piece - 1 ? length : sizeof piece - 1;
        for (size_t i = 0; i < part; i++) {
            piece[i] = bytes[i];
        }
        piece[part] = '\0';
        test_text_add(kept, piece);
        bytes += part;
        length -= part;
    }
    return true;
}

static inline void test_sink_init(hzc_out *out, test_text *kept) {
    test_text_clear(kept);
    hzc_out_init(out, test_sink_keep, kept);
}

#endif
