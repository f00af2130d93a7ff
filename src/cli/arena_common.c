/* SPDX-License-Identifier: MIT */
/* Shared by commands that compare players; see arena_common.h. */
#include "cli/arena_common.h"

#include "cli/player.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CATALOGUE_BYTES = 1 << 26 };

int hzc_catalogue_read(const hzc_args *args, hz_catalogue **catalogue) {
    const char *path = hzc_args_value(args, "catalogue");
    hz_error err;
    *catalogue = NULL;
    if (!path) {
        return hz_catalogue_builtin(catalogue, &err) == HZ_OK ? HZC_DONE
                                                              : hzc_report(args, &err, NULL, 0);
    }
    char *text = NULL;
    size_t length = 0;
    int code = hzc_read_file(args, path, MOST_CATALOGUE_BYTES, &text, &length);
    if (code != HZC_DONE) {
        return code;
    }
    if (hz_catalogue_parse(text, length, catalogue, &err) != HZ_OK) {
        code = err.line ? hzc_complain(args, hzc_exit_code(err.code),
                                       "%s:%" PRIu32 ":%" PRIu32 ": %s: %s", path, err.line,
                                       err.column, hz_status_name(err.code), err.message)
                        : hzc_complain(args, hzc_exit_code(err.code), "%s: %s: %s", path,
                                       hz_status_name(err.code), err.message);
    }
    free(text);
    return code;
}

int hzc_seeds_read(const hzc_args *args, uint64_t **seeds, size_t *count) {
    const char *text = hzc_args_value(args, "seeds");
    *seeds = NULL;
    *count = 0;
    if (!text) {
        return HZC_DONE;
    }
    *seeds = malloc((strlen(text) / 2 + 1) * sizeof **seeds);
    if (!*seeds) {
        return hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
    }
    for (const char *at = text;; at++) {
        char *end = NULL;
        errno = 0;
        uint64_t seed = *at >= '0' && *at <= '9' ? strtoull(at, &end, 10) : 0;
        if (!end || errno || (*end != ',' && *end != '\0')) {
            return hzc_usage(args,
                             "--seeds: '%.40s' is not a list of numbers from 0 to "
                             "18446744073709551615 with commas between them",
                             text);
        }
        for (size_t i = 0; i < *count; i++) {
            if ((*seeds)[i] == seed) {
                return hzc_usage(args, "--seeds: %" PRIu64 " stands there twice", seed);
            }
        }
        (*seeds)[(*count)++] = seed;
        at = end;
        if (*at == '\0') {
            break;
        }
    }
    return *count <= HZ_CATALOGUE_SEEDS_MAX
               ? HZC_DONE
               : hzc_usage(args, "--seeds: more than %d", (int)HZ_CATALOGUE_SEEDS_MAX);
}

int hzc_kept_read(const hzc_args *args, const char **path, bool *resume) {
    *path = hzc_args_value(args, "checkpoint");
    *resume = hzc_args_has(args, "resume");
    return *resume && !*path ? hzc_usage(args, "--resume goes with --checkpoint") : HZC_DONE;
}

static hz_cancel stopped;

static void stop(int number) {
    (void)number;
    hz_cancel_request(&stopped);
}

const hz_cancel *hzc_stop_on_signals(const hzc_ranks *ranks) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = stop, .sa_flags = (int)SA_RESETHAND}, before;
    bool follows = ranks->ranks.rank > 0;
    if (follows) {
        action = (struct sigaction){.sa_handler = SIG_IGN};
    }
    (void)sigemptyset(&action.sa_mask);
    hz_cancel_clear(&stopped);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        /* nohup ignores SIGHUP, and means it */
        if (numbers[i] != SIGHUP ||
            (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)) {
            (void)sigaction(numbers[i], &action, NULL);
        }
    }
    return follows ? NULL : &stopped;
}

bool hzc_report_to_out(void *out, const char *text, size_t length) {
    hzc_out_bytes(out, text, length);
    return !((hzc_out *)out)->failed;
}
