/* SPDX-License-Identifier: MIT */
/* A whole dialogue of the Universal Chess Interface: any lines. It ends by itself with exit code 0
 * and says nothing but whole lines without control characters. */
#include "fuzz/fuzz.h"

#include "cli/uci.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST_INPUT = 4096 };

typedef struct sink {
    size_t length;
} sink;

static bool look(void *context, const char *bytes, size_t length) {
    sink *s = context;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\n') {
            s->length = 0;
            continue;
        }
        FUZZ_CHECK((unsigned char)bytes[i] >= ' ' && bytes[i] != 127);
        s->length++;
    }
    return true;
}

/* The dialogue reads from a descriptor: a pipe takes an input of this size at once. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int ends[2];
    if (size > LARGEST_INPUT || pipe(ends) != 0) {
        return 0;
    }
    FUZZ_CHECK(write(ends[1], data, size) == (ssize_t)size);
    FUZZ_CHECK(close(ends[1]) == 0);
    static hzc_out out;
    sink s = {0};
    hzc_out_init(&out, look, &s);
    FUZZ_CHECK(hzc_uci_run(&out, ends[0], NULL, true) == HZC_DONE);
    FUZZ_CHECK(s.length == 0 && !out.failed);
    FUZZ_CHECK(close(ends[0]) == 0);
    return 0;
}
