/* SPDX-License-Identifier: MIT */
/* The roles a model may declare. */
#include <hazard/package.h>

#include <string.h>

static const char *const ids[HZ_ROLES] = {"position-value", "chance-collapse", "move-prerank"};

const char *hz_role_id(hz_role role) {
    return (size_t)role < HZ_ROLES ? ids[role] : "unknown";
}

bool hz_role_find(const char *id, hz_role *role) {
    for (size_t i = 0; id && i < HZ_ROLES; i++) {
        if (strcmp(id, ids[i]) == 0) {
            *role = (hz_role)i;
            return true;
        }
    }
    return false;
}
