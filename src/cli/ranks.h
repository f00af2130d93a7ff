/* SPDX-License-Identifier: MIT */
/*
 * Processes started together (mpirun -n N hazard ...) that share a run; their messages are carried
 * by MPI. A build without it refuses to be one of several.
 */
#ifndef HAZARD_CLI_RANKS_H
#define HAZARD_CLI_RANKS_H

#include "cli/args.h"

typedef struct hzc_ranks {
    hz_ranks ranks; /* size 1 when the process is alone */
    bool running;   /* MPI was begun */
    bool apart;     /* the others cannot be waited for */
} hzc_ranks;

/* Before anything is said: when this process is a rank beyond 0 of those that do `command` together, it
 * is silent from now on, for they would all say the same. */
void hzc_ranks_hush(const hzc_command *command);
/* Whether the last function made this process silent, and nothing let it speak since. */
bool hzc_ranks_hushed(void);
/* Before the end of the process: an exit status of a rank beyond 0 ends the job, and rank 0 with it. So
 * one that failed before it joined the others gives rank 0 time to say why. */
void hzc_ranks_let_speak(int code);

/* Whether this build knows MPI. */
bool hzc_ranks_available(void);
/* Joins the others. Returns an exit code. */
int hzc_ranks_open(hzc_ranks *ranks, const hzc_args *args);
/* The worst exit code of all ranks; from here on every rank may speak if rank 0 had none. A rank
 * that does not come within two minutes after rank 0 is an error of all the others. */
int hzc_ranks_agree(hzc_ranks *ranks, const hzc_args *args, int code);
/* The same without a complaint: false when some rank does not come within so many seconds after
 * rank 0. Then every rank keeps its own code, and all of them know that one is missing. */
bool hzc_ranks_gather(hzc_ranks *ranks, double patience_s, int *code);
/* Some rank is gone: nothing is agreed upon any more, and leaving waits for nobody. */
void hzc_ranks_part(hzc_ranks *ranks);
/* Leaves, after a roll call. lost: as after hzc_ranks_part. */
void hzc_ranks_close(hzc_ranks *ranks, bool lost);

#endif
