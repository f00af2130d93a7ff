/* SPDX-License-Identifier: MIT */
/* What commands that compare players share: scenario catalogues and seeds from the command line,
 * stopping by a signal, reports to the standard output. */
#ifndef HAZARD_CLI_ARENA_COMMON_H
#define HAZARD_CLI_ARENA_COMMON_H

#include "cli/args.h"
#include "cli/ranks.h"

#define HZC_OPTION_CATALOGUE                                                                       \
    { "catalogue", 0, "FILE", "take the scenarios from this JSON file" }
#define HZC_OPTION_SEEDS                                                                           \
    { "seeds", 0, "SEEDS", "take these seeds, separated by commas, in place of the catalogue's" }

#define HZC_OPTIONS_KEPT                                                                           \
    {"checkpoint", 0, "FILE", "keep what is finished in this file"}, {                             \
        "resume", 0, NULL, "go on with the run of --checkpoint, if it is there"                    \
    }

#define HZC_OPTION_LOST_AFTER                                                                      \
    {                                                                                              \
        "lost-after", 0, "S",                                                                      \
            "under MPI: a rank that is not heard of for so many seconds is lost (default 30)"      \
    }

/* Reads the catalogue of --catalogue, without it the one that comes with the library. Free it with
 * hz_catalogue_free in any case. */
int hzc_catalogue_read(const hzc_args *args, hz_catalogue **catalogue);
/* Reads --seeds into a list that the caller frees; NULL and 0 without the option. */
int hzc_seeds_read(const hzc_args *args, uint64_t **seeds, size_t *count);

/* Reads the options above; *path NULL without --checkpoint. An exit code. */
int hzc_kept_read(const hzc_args *args, const char **path, bool *resume);

/* From now on the first SIGINT, SIGTERM or (unless it is ignored) SIGHUP raises the flag, a second one
 * ends the program. NULL on ranks beyond 0: they end when rank 0 does, and take no notice. */
const hz_cancel *hzc_stop_on_signals(const hzc_ranks *ranks);

/* hz_report_sink, hz_record_sink; context is the hzc_out. */
bool hzc_report_to_out(void *out, const char *text, size_t length);

#endif
