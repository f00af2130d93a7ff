/* SPDX-License-Identifier: MIT */
/*
 * The `hazard` command: finds the subcommand, reads its options, runs it, and turns what happened
 * to the output into the exit code. A reader that closed the pipe is no error worth a message.
 */
#include "cli/args.h"
#include "cli/help.h"
#include "cli/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A standard descriptor that is closed would go to the next file opened, and output would land in
 * it. A read-only one in its place makes writing fail instead. */
static bool hold_standard_descriptors(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", O_RDONLY) != fd) {
            return false;
        }
    }
    return true;
}

static int finish(hzc_out *out, int code) {
    if (!hzc_out_flush(out)) {
        if (out->error_number != EPIPE) {
            (void)fprintf(stderr, "hazard: writing failed: %s\n", strerror(out->error_number));
        }
        return HZC_ENVIRONMENT;
    }
    return code;
}

int main(int argc, char **argv) {
    static hzc_out out;
    hzc_out_to_file(&out, STDOUT_FILENO);
    if (!hold_standard_descriptors() || signal(SIGPIPE, SIG_IGN) == SIG_ERR) {
        return HZC_ENVIRONMENT;
    }
    /* Builds of ONNX Runtime report what they run to their makers unless they are told not to. */
    (void)setenv("ORT_DISABLE_TELEMETRY", "1", 0);
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        name = "help";
    } else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        name = "version";
    }
    /* Some commands have two words. */
    const hzc_command *command = argc > 2 ? hzc_command_find_two(name, argv[2]) : NULL;
    int words = command ? 2 : 1;
    if (!command) {
        command = hzc_command_find(name);
    }
    if (!command) {
        if (argc > 1) {
            bool plain = strspn(name, "abcdefghijklmnopqrstuvwxyz-_") == strlen(name);
            (void)fprintf(stderr, "hazard: there is no command%s%.40s; 'hazard help' lists them\n",
                          plain ? " " : "", plain ? name : " of this name");
        } else {
            hzc_out_to_file(&out, STDERR_FILENO);
            hzc_help_all(&out);
            (void)hzc_out_flush(&out);
        }
        return HZC_USAGE;
    }
    hzc_args args;
    int code = HZC_USAGE;
    hzc_ranks_hush(command);
    if (hzc_args_read(&args, command, argc - words, argv + words, &out)) {
        if (hzc_args_has(&args, "help")) {
            if (!hzc_ranks_hushed()) {
                (hzc_args_has(&args, "json") ? hzc_help_command_json : hzc_help_command)(&out,
                                                                                         command);
            }
            code = HZC_DONE;
        } else {
            code = command->run(&args);
        }
    }
    hzc_args_fini(&args);
    hzc_ranks_let_speak(code);
    return finish(&out, code);
}
