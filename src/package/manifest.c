/* SPDX-License-Identifier: MIT */
/* Manifests. */
#include <hazard/package.h>

const char *hz_role_id(hz_role role) {
    static const char *const ids[HZ_ROLES] = {"position-value", "chance-collapse", "move-prerank"};
    return ids[role];
}
