/* SPDX-License-Identifier: MIT */
/* `hazard query`: the line protocol on the standard input and output. */
#include "cli/args.h"
#include "cli/lines.h"
#include "cli/query.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char *const about[] = {
    "Answers questions of other programs. Each line of the standard input is a JSON object with "
    "the "
    "members query (the name), id (any value, given back as it is) and the fields of the query; "
    "each is answered by one line on the standard output, in order and at once: "
    "{\"id\":...,\"result\":...} or {\"id\":...,\"error\":{\"code\":...,\"message\":...}}.",
    "A line that is not understood is answered by an error and nothing else happens. The queries "
    "and their results are described in docs/query.md: first, turns, tree, counts, next, playable, "
    "pseudo, apply, apply_turn, hand_over, status, position, perft, odds, danger, rolls, features, "
    "evaluate, best, equity.",
    NULL};

static const hzc_option options[] = {
    {"json", 0, NULL, "changes nothing: answers are JSON anyway"}, HZC_OPTION_HELP, {0}};

static const hzc_example examples[] = {
    {"echo '{\"id\":1,\"query\":\"first\",\"dfen\":\"4k3/8/8/8/8/8/8/4K2R w K - 0 1 RK\"}' | "
     "hazard query",
     "Lists the legal first micro-moves."},
    {0}};

static int answer_lines(const hzc_args *args, hzc_session *session, hzc_lines *lines) {
    while (true) {
        const char *text;
        size_t length;
        switch (hzc_lines_next(lines, &text, &length)) {
        case HZC_LINE_END:
            return HZC_DONE;
        case HZC_LINE_FAILED:
            return hzc_complain(args, HZC_ENVIRONMENT, "reading failed: %s", strerror(errno));
        case HZC_LINE_TOO_LONG:
            (void)hzc_query_long_line(session, args->out);
            break;
        case HZC_LINE:
            (void)hzc_query_line(session, text, length, args->out);
            break;
        }
        /* Whoever asked may wait for this answer before asking on. */
        if (!hzc_out_flush(args->out)) {
            return HZC_ENVIRONMENT;
        }
    }
}

static int run(const hzc_args *args) {
    hzc_lines lines;
    if (!hzc_args_no_operands(args)) {
        return HZC_USAGE;
    }
    hzc_session *session = hzc_session_new(NULL);
    if (!session) {
        return hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
    }
    hzc_lines_init(&lines, STDIN_FILENO, HZC_QUERY_LINE_MAX);
    int code = answer_lines(args, session, &lines);
    hzc_lines_fini(&lines);
    hzc_session_free(session);
    return code;
}

const hzc_command hzc_command_query = {
    .name = "query",
    .summary = "answer JSON queries of other programs, line by line",
    .operands = "",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .run = run,
};
