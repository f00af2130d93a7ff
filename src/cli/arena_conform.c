/* SPDX-License-Identifier: MIT */
/* `hazard arena conform`: what a bot server keeps of the bot protocol, and what it does not. */
#include "arena/conform.h"
#include "arena/signature.h"
#include "cli/args.h"
#include "cli/json.h"

static const char *const about[] = {
    "Asks the bot server at URL everything that the bot protocol promises, also with requests that "
    "no decent client would send, and prints a line for each check: pass, fail with what was seen "
    "instead, or skip with the reason. The numbers are those of docs/bot-protocol.md.",
    "The secret is read from the environment, from DICECHESS_WEBHOOK_SECRET unless --secret-env "
    "names another variable. With --next-secret-env the pending key is checked as well, and with "
    "--max-concurrent that one question too many is refused.",
    "Games are made up for the purpose, each with an id of its own. Some checks take a few "
    "seconds; about eighty requests are sent. --list shows all checks and asks nobody.",
    NULL};

static const hzc_option options[] = {
    {"secret-env", 's', "NAME", "the environment variable that holds the secret"},
    {"next-secret-env", 'n', "NAME", "the environment variable that holds the pending key"},
    {"max-concurrent", 'm', "N", "how many questions the server takes at once, 1 to 255"},
    {"clock-margin", 'c', "S", "how far its clock may be from ours, 0 to 100 seconds (default 2)"},
    {"timeout", 't', "MS", "wait so long for an answer, 100 to 600000 (default 15000)"},
    {"ca-file", 0, "FILE", "trust these certificates (PEM) in place of the system's"},
    {"list", 'l', NULL, "list the checks; no address is needed"},
    HZC_OPTION_JSON,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {{"hazard arena conform --list", "What is checked."}, {0}};

typedef struct conform {
    hzc_out *out;
    hzc_json json;
    bool as_json, list;
} conform;

static bool take_check(void *context, const hzi_check *check) {
    conform *c = context;
    if (c->as_json) {
        hzc_json_object(&c->json, NULL);
        hzc_json_integer(&c->json, "number", check->number);
        hzc_json_text(&c->json, "name", check->name);
        hzc_json_text(&c->json, "verdict", hzi_verdict_text(check->verdict));
        if (check->reason[0]) {
            hzc_json_text(&c->json, "reason", check->reason);
        } else {
            hzc_json_null(&c->json, "reason");
        }
        hzc_json_end_object(&c->json);
        return !c->out->failed;
    }
    hzc_out_format(c->out, "%2d  %s%s%s%s%s\n", check->number,
                   c->list ? "" : hzi_verdict_text(check->verdict), c->list ? "" : "  ",
                   check->name, check->reason[0] ? ": " : "", check->reason);
    (void)hzc_out_flush(c->out);
    return !c->out->failed;
}

/* The key in the variable that an option names; false after a complaint. */
static bool read_key(const hzc_args *args, const char *option, const char *otherwise,
                     const char **key) {
    const char *variable = hzc_args_value(args, option);
    if (!variable) {
        variable = otherwise;
    }
    *key = variable ? hzi_key(variable) : NULL;
    if (variable && !*key) {
        (void)hzc_usage(args, "the environment variable %.100s holds no secret", variable);
        return false;
    }
    return true;
}

static void put_summary(conform *c, const hzi_conform_counts *counts) {
    if (c->as_json) {
        hzc_json_end_array(&c->json);
        hzc_json_integer(&c->json, "passed", counts->passed);
        hzc_json_integer(&c->json, "failed", counts->failed);
        hzc_json_integer(&c->json, "skipped", counts->skipped);
        hzc_json_end_object(&c->json);
        hzc_out_char(c->out, '\n');
    } else if (!c->list) {
        hzc_out_format(c->out, "\n%u passed, %u failed, %u skipped\n", counts->passed,
                       counts->failed, counts->skipped);
    }
}

static bool read_options(const hzc_args *args, hzi_conform_options *wanted) {
    uint64_t most = 0, margin = 2, timeout = 15000;
    if (!hzc_args_count(args, "max-concurrent", 1, 255, &most) ||
        !hzc_args_count(args, "clock-margin", 0, 100, &margin) ||
        !hzc_args_count(args, "timeout", 100, 600000, &timeout)) {
        return false;
    }
    wanted->ca_file = hzc_args_value(args, "ca-file");
    wanted->max_concurrent = (unsigned)most;
    wanted->clock_margin_s = (unsigned)margin;
    wanted->timeout_ms = (int64_t)timeout;
    return wanted->list || (read_key(args, "secret-env", HZI_KEY_VARIABLE, &wanted->key) &&
                            read_key(args, "next-secret-env", NULL, &wanted->next_key));
}

static int run(const hzc_args *args) {
    conform c = {.out = args->out,
                 .json = hzc_json_to(args->out),
                 .as_json = hzc_args_has(args, "json"),
                 .list = hzc_args_has(args, "list")};
    hzi_conform_options wanted = {.list = c.list, .visit = take_check, .context = &c};
    hzi_conform_counts counts = {0};
    hz_error err;
    if (args->operand_count != (c.list ? 0 : 1)) {
        return hzc_usage(args, c.list ? "no address is wanted with --list"
                                      : "one address is wanted: http://HOST:PORT/PATH");
    }
    wanted.url = c.list ? NULL : args->operands[0];
    if (!read_options(args, &wanted)) {
        return HZC_USAGE;
    }
    if (c.as_json) {
        hzc_json_object(&c.json, NULL);
        if (wanted.url) {
            hzc_json_text(&c.json, "url", wanted.url);
        } else {
            hzc_json_null(&c.json, "url");
        }
        hzc_json_array(&c.json, "checks");
    }
    hz_status status = hzi_conform_run(&wanted, &counts, &err);
    if (c.as_json || status == HZ_OK) {
        put_summary(&c, &counts);
    }
    if (status == HZ_INCOMPLETE && c.out->failed) {
        return HZC_DONE; /* whoever called us sees that the output is gone */
    }
    if (status != HZ_OK) {
        return hzc_report(args, &err, NULL, 0);
    }
    return counts.failed ? HZC_NO : HZC_DONE;
}

const hzc_command hzc_command_arena_conform = {
    .name = "arena conform",
    .summary = "check that a bot server keeps the bot protocol",
    .operands = "[URL]",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .exit_no = "a check fails",
    .run = run,
};
