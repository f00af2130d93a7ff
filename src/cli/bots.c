/* SPDX-License-Identifier: MIT */
/* `hazard bots`: the players there are. */
#include "cli/args.h"
#include "cli/json.h"
#include "cli/player.h"

#include <stdio.h>
#include <string.h>

static const char *const about[] = {
    "Lists the bots, the weakest first: id, level from 1 to 10, what they do, and their options "
    "with "
    "range and default. The ids are what --bot takes, without regard to case. Options follow the "
    "id "
    "after a colon, separated by commas: monte-carlo:rollouts=200,plies=40. A comma inside a value "
    "is written \\, and a backslash \\\\.",
    "An experimental bot may change its play between versions. A timed one uses a time limit when "
    "it is given one.",
    NULL};

static const hzc_option options[] = {HZC_OPTION_JSON, HZC_OPTION_HELP, {0}};

static const hzc_example examples[] = {{"hazard bots", "Lists them."}, {0}};

static const char *flags(const hz_bot_info *info) {
    return info->experimental ? info->timed ? "experimental, timed" : "experimental"
           : info->timed      ? "timed"
                              : "";
}

/* "from 1 to 3", "material, standard or aggressive", "a path": what a value may be. */
static void range_text(const hz_bot_option *option, char *text, size_t capacity) {
    switch (option->type) {
    case HZ_OPTION_COUNT:
    case HZ_OPTION_REAL:
        (void)snprintf(text, capacity, "from %.15g to %.15g", option->least, option->most);
        break;
    case HZ_OPTION_SWITCH:
        (void)snprintf(text, capacity, "0 or 1");
        break;
    default:
        (void)snprintf(text, capacity, "%s", option->range);
        break;
    }
}

static void json_default(hzc_json *json, const hz_bot_option *option) {
    if (!option->value) {
        hzc_json_null(json, "default");
    } else if (option->type == HZ_OPTION_COUNT || option->type == HZ_OPTION_REAL) {
        hzc_json_raw(json, "default", option->value, strlen(option->value));
    } else if (option->type == HZ_OPTION_SWITCH) {
        hzc_json_bool(json, "default", strcmp(option->value, "0") != 0);
    } else {
        hzc_json_text(json, "default", option->value);
    }
}

static void print_option_json(hzc_json *json, const hz_bot_option *option) {
    hzc_json_object(json, NULL);
    hzc_json_text(json, "name", option->name);
    hzc_json_text(json, "type", hz_option_type_name(option->type));
    if (option->type == HZ_OPTION_COUNT || option->type == HZ_OPTION_REAL) {
        hzc_json_double(json, "least", option->least);
        hzc_json_double(json, "most", option->most);
    } else if (option->type == HZ_OPTION_CHOICE) {
        const char *word = option->range;
        hzc_json_array(json, "choices");
        for (size_t length; *word; word += length + (word[length] == '|')) {
            length = strcspn(word, "|");
            hzc_json_bytes(json, NULL, word, length);
        }
        hzc_json_end_array(json);
    }
    json_default(json, option);
    hzc_json_text(json, "about", option->about);
    hzc_json_end_object(json);
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
        hz_bot_option option;
        for (size_t o = 0; hz_registry_option(registry, i, o, &option); o++) {
            print_option_json(&json, &option);
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
        hz_bot_option option;
        for (size_t o = 0; hz_registry_option(registry, i, o, &option); o++) {
            char range[120];
            range_text(&option, range, sizeof range);
            hzc_out_format(out, "%-16s   %s=%s  %s\n%-16s     %s: %s\n", "", option.name,
                           option.value ? option.value : "", option.about, "",
                           hz_option_type_name(option.type), range);
        }
    }
}

static int run(const hzc_args *args) {
    if (!hzc_args_no_operands(args)) {
        return HZC_USAGE;
    }
    hz_registry *registry = hzc_registry_new(args);
    if (!registry) {
        return HZC_ENVIRONMENT;
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
