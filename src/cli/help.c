/* SPDX-License-Identifier: MIT */
/* `hazard help` and --help, made from the command tables. */
#include "cli/help.h"
#include "cli/args.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_WIDTH = 78, OPTION_COLUMN = 24 };

const char *const hzc_about_hazard[] = {
    "Hazard knows Dice Chess and orthodox chess: their rules, features for learning programs, "
    "models, players, and matches that say what a result is worth. In Dice Chess three dice say "
    "which pieces may move, and a check is not a yes or no but a number of rolls out of 216.",
    "Where a command does not say otherwise it is about Dice Chess; uci, league and the options "
    "--chess and --game chess are about chess.",
    "Positions are written as DFEN: a chess FEN whose fourth field may list several en-passant "
    "squares and whose seventh field holds the dice, for example PNB or pnb. Put a DFEN in "
    "quotes. 'start' is the initial position. Rolls are letters of PNBRQK or digits 1 to 6.",
    "Results go to the standard output, what went wrong to the standard error. With --json a "
    "command prints one line of JSON.",
    NULL};

/* Writes text from `column` on, broken between words, further lines starting at `indent`. */
static void wrap(hzc_out *out, const char *text, size_t column, size_t indent) {
    bool first = true;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (!first && column + 1 + word > TEXT_WIDTH) {
            hzc_out_format(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            hzc_out_char(out, ' ');
            column++;
        }
        hzc_out_bytes(out, text, word);
        column += word;
        text += word + (text[word] == ' ');
        first = false;
    }
    hzc_out_char(out, '\n');
}

static void paragraphs(hzc_out *out, const char *const *texts) {
    for (; *texts; texts++) {
        hzc_out_char(out, '\n');
        wrap(out, *texts, 0, 0);
    }
}

void hzc_help_all(hzc_out *out) {
    hzc_out_text(out, "Usage: hazard COMMAND [OPTION]... [OPERAND]...\n");
    paragraphs(out, hzc_about_hazard);
    hzc_out_text(out, "\nCommands:\n");
    for (size_t i = 0; hzc_command_at(i); i++) {
        const hzc_command *command = hzc_command_at(i);
        hzc_out_format(out, "  %-18s %s\n", command->name, command->summary);
    }
    hzc_out_text(out, "\n'hazard help COMMAND' explains one of them.\n");
}

static void option(hzc_out *out, const hzc_option *o) {
    char left[64];
    char letter[8] = "    ";
    if (o->letter) {
        (void)snprintf(letter, sizeof letter, "-%c, ", o->letter);
    }
    int length = snprintf(left, sizeof left, "  %s--%s%s%s", letter, o->name,
                          o->argument ? " " : "", o->argument ? o->argument : "");
    size_t column = (size_t)length;
    hzc_out_text(out, left);
    if (column + 2 > OPTION_COLUMN) {
        hzc_out_char(out, '\n');
        column = 0;
    }
    hzc_out_format(out, "%*s", (int)(OPTION_COLUMN - column), "");
    wrap(out, o->help, OPTION_COLUMN, OPTION_COLUMN);
}

void hzc_help_command(hzc_out *out, const hzc_command *command) {
    hzc_out_format(out, "hazard %s - %s\n\nUsage: hazard %s [OPTION]...%s%s\n", command->name,
                   command->summary, command->name, command->operands[0] ? " " : "",
                   command->operands);
    paragraphs(out, command->paragraphs);
    hzc_out_text(out, "\nOptions:\n");
    for (const hzc_option *o = command->options; o->name; o++) {
        option(out, o);
    }
    if (command->examples) {
        hzc_out_text(out, "\nExamples:\n");
        for (const hzc_example *e = command->examples; e->command; e++) {
            hzc_out_format(out, "  %s\n      ", e->command);
            wrap(out, e->shows, 6, 6);
        }
    }
    char status[400];
    (void)snprintf(
        status, sizeof status,
        "Exit status: 0 done%s%s; 2 bad usage or input; 3 memory, input or output failed.",
        command->exit_no ? "; 1 " : "", command->exit_no ? command->exit_no : "");
    hzc_out_char(out, '\n');
    wrap(out, status, 0, 0);
}

/* ---- the command ---- */

static const char *const about[] = {
    "Prints the list of commands, or what one command does, with its options and examples.",
    "With --json it prints an object with the members about and commands, or that of the command: "
    "name, summary, operands, about, options (name, letter, argument, help), examples (command, "
    "shows) and exit_no, when it exits with 1.",
    NULL};

static const hzc_option options[] = {
    {"man", 0, NULL, "print the source of the man page instead, in the mdoc language"},
    HZC_OPTION_JSON,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard help best", "Explains how to ask for the best turn."},
    {"hazard help --json", "All commands, options and examples for a program."},
    {0}};

static int run(const hzc_args *args) {
    bool man = hzc_args_has(args, "man"), json = hzc_args_has(args, "json");
    const char *name = args->operand_count > 0 ? args->operands[0] : "hazard";
    const hzc_command *command =
        args->operand_count == 2 ? hzc_command_find_two(name, args->operands[1]) : NULL;
    if (args->operand_count > 1 && !command) {
        return hzc_usage(args, "one command at a time");
    }
    if (man && json) {
        return hzc_usage(args, "--man and --json do not go together");
    }
    if (strcmp(name, "hazard") == 0) {
        (man ? hzc_man_all : json ? hzc_help_all_json : hzc_help_all)(args->out);
        return HZC_DONE;
    }
    if (!command) {
        command = hzc_command_find(name);
    }
    if (!command) {
        return hzc_complain(args, HZC_USAGE, "there is no command '%s'; 'hazard help' lists them",
                            name);
    }
    (man ? hzc_man_command : json ? hzc_help_command_json : hzc_help_command)(args->out, command);
    return HZC_DONE;
}

const hzc_command hzc_command_help = {
    .name = "help",
    .summary = "explain the commands",
    .operands = "[COMMAND]",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .run = run,
};
