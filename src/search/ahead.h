/* SPDX-License-Identifier: MIT */
/*
 * Rolls of root candidates valued in advance by other threads.
 *
 * The calling thread runs the search exactly as it would alone: it reads the clock, tests bounds
 * and counts. Whenever it needs a roll that does not depend on what came before (every roll with
 * one ply below it, and with two plies every probe and every roll of an open window), it asks here.
 * Other threads have perhaps done it; if not, the caller does it now. So the answer and all counters
 * are those of one thread, whatever the threads do: work of others that is never asked for leaves
 * no trace.
 */
#ifndef HAZARD_SEARCH_AHEAD_H
#define HAZARD_SEARCH_AHEAD_H

#include "search/expectimax.h"

typedef struct hzi_ahead hzi_ahead;

/* Runs `search` in this thread as seeker 0, the search's other threads working ahead for it on the
 * root's candidates. False without memory; then `search` was not run. */
bool hzi_ahead_run(hzi_root *root, void (*search)(hzi_root *root, hzi_ahead *ahead));

/* Rolls of this candidate's main loop are wanted from now on; NULL `ahead` is fine. */
void hzi_ahead_begin(hzi_ahead *ahead, size_t candidate);
/* They are not any more. */
void hzi_ahead_end(hzi_ahead *ahead);

/* As hzi_probe_roll and hzi_value_roll, for a root candidate. */
void hzi_ahead_probe(hzi_ahead *ahead, hzi_seeker *seeker, const hzi_node *node, size_t candidate,
                     int index, hzi_probe *probe);
hzi_outcome hzi_ahead_value(hzi_ahead *ahead, hzi_seeker *seeker, const hzi_node *node,
                            size_t candidate, int index);

#endif
