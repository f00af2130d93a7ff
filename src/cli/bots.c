/* SPDX-License-Identifier: MIT */
/* `hazard bots`: the players there are. */
#include "cli/args.h"
#include "cli/json.h"

#include <inttypes.h>
#include <string.h>

static const char *const about[] = {
    "Lists the bots, the weakest first: id, level from 1 to 10, what they do, and their options "
    "with "
    "range and default. The ids are what --bot takes, without regard to case. Options follow the "
    "id "
    "after a colon, separated by commas: monte-carlo:rollouts=200,plies=40.",
    "An experimental bot may change its play between versions. A timed one uses a time limit when "
    "it is given one.",
    NULL};

static const hzc_option options[] = {HZC_OPTION_JSON, HZC_OPTION_HELP, {0}};

static const hzc_example examples[] = {{"hazard bots", "Lists them."}, {0}};

/* The options of the built-in bots; a test compares them with what the bots accept. */
typedef struct bot_option {
    const char *bot, *name;
    uint32_t least, most, value;
} bot_option;

static const bot_option bot_options[] = {
    {"monte-carlo", "rollouts", 1, 1000000, 120},
    {"monte-carlo", "plies", 0, 1000000, 40},
    {0},
};

static const char *flags(const hz_bot_info *info) {
    return info->experimental ? info->timed ? "experimental, timed" : "experimental"
           : info->timed      ? "timed"
                              : "";
}

static void print_json(hzc_out *out, const hz_registry *registry) {
    hzc_json json = hzc_json_to(out);
    hz_bot_info info;
    hzc_json_array(&json, NULL);
    for (size_t i = 0; hz_registry_info(registry, i, &info); i++) {
        hzc_json_object(&json, NULL);
        hzc_json_text(&json, "id", info.id);
        hzc_json_text(&json, "name", info.display_name);
        hzc_json_integer(&json, "level", info.level);
        hzc_json_bool(&json, "experimental", info.experimental);
        hzc_json_bool(&json, "timed", info.timed);
        hzc_json_text(&json, "about", info.about);
        hzc_json_array(&json, "options");
        for (const bot_option *o = bot_options; o->bot; o++) {
            if (strcmp(o->bot, info.id) == 0) {
                hzc_json_object(&json, NULL);
                hzc_json_text(&json, "name", o->name);
                hzc_json_integer(&json, "least", o->least);
                hzc_json_integer(&json, "most", o->most);
                hzc_json_integer(&json, "default", o->value);
                hzc_json_end_object(&json);
            }
        }
        hzc_json_end_array(&json);
        hzc_json_end_object(&json);
    }
    hzc_json_end_array(&json);
    hzc_out_char(out, '\n');
}

static void print_text(hzc_out *out, const hz_registry *registry) {
    hz_bot_info info;
    for (size_t i = 0; hz_registry_info(registry, i, &info); i++) {
        hzc_out_format(out, "%-16s level %2d  %s%s%s\n", info.id, info.level, info.about,
                       *flags(&info) ? "; " : "", flags(&info));
        for (const bot_option *o = bot_options; o->bot; o++) {
            if (strcmp(o->bot, info.id) == 0) {
                hzc_out_format(out,
                               "%-16s option    %s=%" PRIu32 ", from %" PRIu32 " to %" PRIu32 "\n",
                               "", o->name, o->value, o->least, o->most);
            }
        }
    }
}

static int run(const hzc_args *args) {
    if (!hzc_args_no_operands(args)) {
        return HZC_USAGE;
    }
    hz_registry *registry = hz_registry_new();
    if (!registry) {
        return hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
    }
    (hzc_args_has(args, "json") ? print_json : print_text)(args->out, registry);
    hz_registry_free(registry);
    return HZC_DONE;
}

const hzc_command hzc_command_bots = {
    .name = "bots",
    .summary = "list the bots",
    .operands = "",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .run = run,
};
