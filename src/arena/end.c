/* SPDX-License-Identifier: MIT */
/* Names of the ends of games and of the faults of players, the same in reports, logs, checkpoints. */
#include <hazard/arena.h>

#include <stdio.h>
#include <string.h>

static const char *const ends[HZ_MATCH_ENDS] = {
    [HZ_END_KING] = "king",           [HZ_END_CHECKMATE] = "checkmate",
    [HZ_END_TIME] = "time",           [HZ_END_RESIGNATION] = "resignation",
    [HZ_END_ILLEGAL] = "illegal",     [HZ_END_LOST] = "lost",
    [HZ_END_TIMED_OUT] = "timed_out", [HZ_END_UNREACHABLE] = "unreachable",
    [HZ_END_HTTP_STATUS] = "http",    [HZ_END_OVERSIZED] = "oversized",
    [HZ_END_GARBLED] = "garbled",     [HZ_END_REFUSED] = "refused",
    [HZ_END_DECLINED] = "declined",   [HZ_END_FAILED] = "failed",
    [HZ_END_FIFTY] = "fifty",         [HZ_END_LENGTH] = "length",
    [HZ_END_STALEMATE] = "stalemate", [HZ_END_DEAD_MATERIAL] = "dead_material",
    [HZ_END_THREEFOLD] = "threefold",
};

static const char *const faults[HZ_MATCH_FAULTS] = {
    [HZ_FAULT_NONE] = "none",
    [HZ_FAULT_ILLEGAL] = "illegal",
    [HZ_FAULT_LOST] = "lost",
    [HZ_FAULT_TIMED_OUT] = "timed_out",
    [HZ_FAULT_UNREACHABLE] = "unreachable",
    [HZ_FAULT_HTTP_STATUS] = "http",
    [HZ_FAULT_OVERSIZED] = "oversized",
    [HZ_FAULT_GARBLED] = "garbled",
    [HZ_FAULT_REFUSED] = "refused",
    [HZ_FAULT_DECLINED] = "declined",
    [HZ_FAULT_FAILED] = "failed",
};

const char *hz_match_fault_text(hz_match_fault fault) {
    return (unsigned)fault < HZ_MATCH_FAULTS ? faults[fault] : "unknown";
}

const char *hz_match_end_text(hz_match_end end, int http_status,
                              char buffer[HZ_MATCH_END_CAPACITY]) {
    if (end == HZ_END_HTTP_STATUS) {
        (void)snprintf(buffer, HZ_MATCH_END_CAPACITY, "http_%d", http_status);
    } else {
        (void)snprintf(buffer, HZ_MATCH_END_CAPACITY, "%s",
                       (unsigned)end < HZ_MATCH_ENDS ? ends[end] : "unknown");
    }
    return buffer;
}

bool hz_match_end_find(const char *text, hz_match_end *end, int *http_status) {
    *http_status = 0;
    if (strncmp(text, "http_", 5) == 0) {
        const char *at = text + 5;
        for (; *at >= '0' && *at <= '9' && *http_status < 100000; at++) {
            *http_status = *http_status * 10 + (*at - '0');
        }
        *end = HZ_END_HTTP_STATUS;
        return *at == '\0' && at != text + 5;
    }
    for (int i = 0; i < HZ_MATCH_ENDS; i++) {
        if (i != HZ_END_HTTP_STATUS && strcmp(text, ends[i]) == 0) {
            *end = (hz_match_end)i;
            return true;
        }
    }
    return false;
}
