/* SPDX-License-Identifier: MIT */
/*
 * A submission is checked in a child; here is what the parent does: the size and the digest, then
 * waiting for a verdict of which every field is looked at, or for the child's end.
 */
#include "league/check.h"
#include "league/sandbox.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STAGES_MAX = 20, PROBE_POSITIONS = 3 * HZ_LEAGUE_PROBES + 1 };

static void refuse(hz_league_verdict *verdict, int code, const char *text) {
    verdict->code = code;
    (void)snprintf(verdict->message, sizeof verdict->message, "%s", text);
}

static void clean(char *text, size_t capacity) {
    text[capacity - 1] = '\0';
    for (char *at = text; *at; at++) {
        *at = *at >= 32 && *at < 127 ? *at : '?';
    }
}

/* Takes from the child's verdict what it may say. */
static bool take(const unsigned char *content, size_t length, hz_league_verdict *verdict) {
    hz_league_verdict said;
    if (length != sizeof said) {
        return false;
    }
    memcpy(&said, content, sizeof said);
    if (said.code < 0 || said.code == HZ_LEAGUE_E01_SIZE || said.code > HZ_LEAGUE_E13_COST) {
        return false;
    }
    /* bool: read as bytes, for the child may have put anything there */
    unsigned char flags[3];
    memcpy(&flags[0], content + offsetof(hz_league_verdict, constant), 1);
    memcpy(&flags[1], content + offsetof(hz_league_verdict, counted), 1);
    memcpy(&flags[2], content + offsetof(hz_league_verdict, batched), 1);
    verdict->code = said.code;
    verdict->constant = flags[0] == 1;
    verdict->counted = flags[1] == 1;
    verdict->batched = flags[2] == 1;
    verdict->parameters = said.parameters;
    memcpy(verdict->message, said.message, sizeof verdict->message);
    memcpy(verdict->executor, said.executor, sizeof verdict->executor);
    memcpy(verdict->executor_version, said.executor_version, sizeof verdict->executor_version);
    clean(verdict->message, sizeof verdict->message);
    clean(verdict->executor, sizeof verdict->executor);
    clean(verdict->executor_version, sizeof verdict->executor_version);
    memcpy(verdict->values, said.values, sizeof verdict->values);
    verdict->position_ms = isfinite(said.position_ms) ? said.position_ms : 0.0;
    return true;
}

/* Reads the child's frames until its verdict or its end. */
static hz_status listen(hzi_sandbox *sandbox, const hz_league_limits *limits,
                        const hz_cancel *cancel, hz_league_verdict *verdict, hz_error *err) {
    uint64_t most_ms = limits->opening_ms + PROBE_POSITIONS * limits->position_ms;
    uint64_t until = hz_clock_now_ns() + 1000000u * most_ms;
    int stage = 0;
    char text[400], end[200];
    for (int i = 0; i < STAGES_MAX; i++) {
        int kind = 0;
        const unsigned char *content = NULL;
        size_t length = 0;
        hzi_reply reply = hzi_sandbox_receive(sandbox, until, cancel, &kind, &content, &length);
        switch (reply) {
        case HZI_REPLY:
            if (kind == HZI_STAGE && length == 1 && content[0] >= 2 && content[0] <= 12) {
                stage = content[0];
                continue;
            }
            if (kind == HZI_VERDICT && take(content, length, verdict)) {
                return HZ_OK;
            }
            refuse(verdict, HZ_LEAGUE_E13_COST, "the child gave an answer that cannot be");
            return HZ_OK;
        case HZI_REPLY_LATE:
            (void)snprintf(text, sizeof text, "no end within %llu ms (at the check E%02d)",
                           (unsigned long long)most_ms, stage);
            break;
        case HZI_REPLY_GONE:
            (void)hzi_sandbox_end_text(sandbox, end, sizeof end);
            (void)snprintf(text, sizeof text, "the child that ran it was %s (at the check E%02d)",
                           end, stage);
            break;
        case HZI_REPLY_CANCELLED:
            return hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "the check was cancelled");
        default:
            (void)snprintf(text, sizeof text, "the child gave an answer that cannot be");
            break;
        }
        refuse(verdict, HZ_LEAGUE_E13_COST, text);
        return HZ_OK;
    }
    refuse(verdict, HZ_LEAGUE_E13_COST, "the child gave answers without end");
    return HZ_OK;
}

hz_status hz_league_check(const void *bytes, size_t length, const hz_league_limits *limits,
                          const hz_cancel *cancel, hz_league_verdict *verdict, hz_error *err) {
    hz_league_limits filled = hzi_league_limits(limits);
    memset(verdict, 0, sizeof *verdict);
    verdict->bytes = length;
    hz_sha256_hex(bytes, length, verdict->digest);
    if (length == 0 || length > HZ_LEAGUE_FILE_MAX) {
        char text[100];
        (void)snprintf(text, sizeof text, "the file has %zu bytes; 1 to %d are allowed", length,
                       HZ_LEAGUE_FILE_MAX);
        refuse(verdict, HZ_LEAGUE_E01_SIZE, text);
        return HZ_OK;
    }
    uint64_t processor_s = (filled.opening_ms + PROBE_POSITIONS * filled.position_ms) / 1000 + 10;
    hzi_sandbox *sandbox = NULL;
    hz_status status = hzi_sandbox_open(&filled, processor_s, &sandbox, err);
    if (status != HZ_OK) {
        return status;
    }
    if (hzi_sandbox_send(sandbox, HZI_CHECK, bytes, length, NULL, 0)) {
        status = listen(sandbox, &filled, cancel, verdict, err);
    } else {
        refuse(verdict, HZ_LEAGUE_E13_COST, "the child did not take the file");
    }
    hzi_sandbox_close(sandbox);
    return status;
}
