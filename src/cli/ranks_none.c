/* SPDX-License-Identifier: MIT */
/* A build without MPI: a process on its own; one of several would play everything again. */
#include "cli/ranks.h"

#include <stdlib.h>

bool hzc_ranks_available(void) {
    return false;
}

int hzc_ranks_open(hzc_ranks *ranks, const hzc_args *args) {
    static const char *const signs[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    *ranks = (hzc_ranks){.ranks = {.size = 1}, .stderr_fd = -1};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *size = getenv(signs[i]);
        if (size && strtol(size, NULL, 10) > 1) {
            return hzc_complain(args, HZC_ENVIRONMENT,
                                "this build knows no MPI and cannot share a run with other ranks");
        }
    }
    return HZC_DONE;
}

int hzc_ranks_agree(hzc_ranks *ranks, int code) {
    (void)ranks;
    return code;
}

void hzc_ranks_close(hzc_ranks *ranks, bool lost) {
    (void)ranks, (void)lost;
}
