/* SPDX-License-Identifier: MIT */
/* Engine versions and the constraints on them, as manifests write them. */
#ifndef HAZARD_PACKAGE_VERSION_H
#define HAZARD_PACKAGE_VERSION_H

#include <hazard/base.h>

/* Whether a text is empty or white space only. NULL is blank. */
bool hzi_is_blank(const char *text);

/* A constraint by itself: not blank, well formed. HZ_MANIFEST. `path` as in hzi_refuse. */
hz_status hzi_constraint_check(const char *constraint, const char *path, hz_error *err);

/* Host version well formed, constraint not blank, well formed, includes the version; in this order.
 * As hz_engine_compatible, with a path in front of messages. */
hz_status hzi_engine_check(const char *constraint, const char *version, const char *path,
                           hz_error *err);

#endif
