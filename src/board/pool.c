/* SPDX-License-Identifier: MIT */
/* The dice pool as a packed multiset and as text. */
#include <hazard/board.h>

#include <string.h>

unsigned hz_pool_size(hz_pool pool) {
    unsigned size = 0;
    for (; pool; pool = (hz_pool)(pool >> 2)) {
        size += pool & 3u;
    }
    return size;
}

hz_pool hz_pool_from_faces(int a, int b, int c) {
    const int faces[3] = {a, b, c};
    unsigned pool = 0;
    for (int i = 0; i < 3; i++) {
        if (faces[i] >= 1 && faces[i] <= 6) {
            pool += hz_pool_of((hz_piece_type)(faces[i] - 1));
        }
    }
    return (hz_pool)pool;
}

size_t hz_pool_to_text(hz_pool pool, hz_color side, char buffer[4]) {
    size_t length = 0;
    for (unsigned type = 0; type < HZ_PIECE_TYPES; type++) {
        for (unsigned n = hz_pool_count(pool, (hz_piece_type)type); n > 0 && length < 3; n--) {
            buffer[length++] = (side == HZ_WHITE ? "PNBRQK" : "pnbrqk")[type];
        }
    }
    buffer[length] = '\0';
    return length;
}

hz_status hz_pool_from_text(const char *text, size_t length, hz_pool *pool, hz_error *err) {
    if (length == 1 && text[0] == '-') {
        *pool = 0;
        return HZ_OK;
    }
    if (length == 0) {
        return hz_fail(err, HZ_ROLL_TEXT, 0, "the roll is empty");
    }
    unsigned sum = 0;
    for (size_t i = 0; i < length; i++) {
        static const char letters[] = "PNBRQKpnbrqk123456";
        const char *found = text[i] ? strchr(letters, text[i]) : NULL;
        if (!found) {
            return hz_fail(err, HZ_ROLL_TEXT, i, "'%c' is not one of PNBRQK or 1 to 6",
                           text[i] >= 32 && text[i] < 127 ? text[i] : '?');
        }
        if (i >= 3) {
            return hz_fail(err, HZ_ROLL_TEXT, i, "a roll has at most three dice");
        }
        sum += hz_pool_of((hz_piece_type)((found - letters) % 6));
    }
    *pool = (hz_pool)sum;
    return HZ_OK;
}
