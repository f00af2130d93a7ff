/* SPDX-License-Identifier: MIT */
/* `hazard help --json`: the command tables as they are, for programs that offer the commands to
 * somebody: completion, forms, other languages. */
#include "cli/help.h"
#include "cli/json.h"

static void put_texts(hzc_json *json, const char *key, const char *const *texts) {
    hzc_json_array(json, key);
    for (; *texts; texts++) {
        hzc_json_text(json, NULL, *texts);
    }
    hzc_json_end_array(json);
}

static void put_text_or_null(hzc_json *json, const char *key, const char *text) {
    if (text) {
        hzc_json_text(json, key, text);
    } else {
        hzc_json_null(json, key);
    }
}

static void put_option(hzc_json *json, const hzc_option *option) {
    const char letter[2] = {option->letter, '\0'};
    hzc_json_object(json, NULL);
    hzc_json_text(json, "name", option->name);
    put_text_or_null(json, "letter", option->letter ? letter : NULL);
    put_text_or_null(json, "argument", option->argument);
    hzc_json_text(json, "help", option->help);
    hzc_json_end_object(json);
}

static void put_command(hzc_json *json, const hzc_command *command) {
    hzc_json_object(json, NULL);
    hzc_json_text(json, "name", command->name);
    hzc_json_text(json, "summary", command->summary);
    hzc_json_text(json, "operands", command->operands);
    put_texts(json, "about", command->paragraphs);
    hzc_json_array(json, "options");
    for (const hzc_option *o = command->options; o->name; o++) {
        put_option(json, o);
    }
    hzc_json_end_array(json);
    hzc_json_array(json, "examples");
    for (const hzc_example *e = command->examples; e && e->command; e++) {
        hzc_json_object(json, NULL);
        hzc_json_text(json, "command", e->command);
        hzc_json_text(json, "shows", e->shows);
        hzc_json_end_object(json);
    }
    hzc_json_end_array(json);
    put_text_or_null(json, "exit_no", command->exit_no);
    hzc_json_end_object(json);
}

void hzc_help_all_json(hzc_out *out) {
    hzc_json json = hzc_json_to(out);
    hzc_json_object(&json, NULL);
    put_texts(&json, "about", hzc_about_hazard);
    hzc_json_array(&json, "commands");
    for (size_t i = 0; hzc_command_at(i); i++) {
        put_command(&json, hzc_command_at(i));
    }
    hzc_json_end_array(&json);
    hzc_json_end_object(&json);
    hzc_out_char(out, '\n');
}

void hzc_help_command_json(hzc_out *out, const hzc_command *command) {
    hzc_json json = hzc_json_to(out);
    put_command(&json, command);
    hzc_out_char(out, '\n');
}
