/* SPDX-License-Identifier: MIT */
/* What `hazard equity` and the query of that name share: limits and the form of the answer. */
#ifndef HAZARD_CLI_EQUITY_H
#define HAZARD_CLI_EQUITY_H

#include "cli/json.h"

enum { HZC_MOST_ROLLOUTS = 1000000000, HZC_MOST_PLIES = 1000000 };

/* The estimate, with the seed of the stream and the draws it made. An infinite variance reduction
 * is null. */
void hzc_json_equity(hzc_json *json, const char *key, const hz_equity *equity,
                     const hz_random *random);

#endif
