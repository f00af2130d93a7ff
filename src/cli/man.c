/* SPDX-License-Identifier: MIT */
/*
 * Man pages in the mdoc language, made from the command tables while building. Text of the tables
 * is plain, so everything that mdoc could read as a macro or an escape is protected here.
 */
#include "cli/help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define DATE "November 30, 2026"

/* A word of an argument line: macros' names would be taken for macros, punctuation for delimiters.
 */
static void word(hzc_out *out, const char *text, size_t length) {
    hzc_out_text(out, "\\&");
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\') {
            hzc_out_text(out, "\\e");
        } else if (text[i] == '-') {
            hzc_out_text(out, "\\-");
        } else {
            hzc_out_char(out, text[i]);
        }
    }
}

/* Running text: one sentence a line, as mdoc wants it. */
static void text(hzc_out *out, const char *source) {
    bool at_start = true;
    for (const char *p = source; *p; p++) {
        if (at_start && (*p == '.' || *p == '\'')) {
            hzc_out_text(out, "\\&");
        }
        at_start = false;
        if (*p == '\\') {
            hzc_out_text(out, "\\e");
        } else if ((*p == '.' || *p == '?' || *p == ':') && p[1] == ' ' &&
                   isupper((unsigned char)p[2])) {
            hzc_out_char(out, *p);
            hzc_out_char(out, '\n');
            p++;
            at_start = true;
        } else {
            hzc_out_char(out, *p);
        }
    }
    hzc_out_char(out, '\n');
}

static void paragraphs(hzc_out *out, const char *const *texts) {
    for (bool first = true; *texts; texts++, first = false) {
        if (!first) {
            hzc_out_text(out, ".Pp\n");
        }
        text(out, *texts);
    }
}

static void head(hzc_out *out, const char *title, const char *name, const char *summary) {
    hzc_out_text(out, ".\\\" SPDX-License-Identifier: MIT\n.Dd " DATE "\n.Dt ");
    for (const char *p = title; *p; p++) {
        hzc_out_char(out, (char)toupper((unsigned char)*p));
    }
    hzc_out_format(out, " 1\n.Os\n.Sh NAME\n.Nm %s\n.Nd %s\n.Sh SYNOPSIS\n", name, summary);
}

static void flag(hzc_out *out, const hzc_option *option, bool letter) {
    if (letter) {
        hzc_out_format(out, "Fl %c", option->letter);
    } else {
        hzc_out_text(out, "Fl ");
        word(out, "-", 1);
        hzc_out_text(out, option->name);
    }
    if (option->argument) {
        hzc_out_format(out, " Ar %s", option->argument);
    }
}

/* "DFEN [MOVES]..." word by word. */
static void operands(hzc_out *out, const char *source) {
    while (*source) {
        size_t length = strcspn(source, " ");
        bool optional = source[0] == '[';
        size_t name = strcspn(source + optional, " ].");
        hzc_out_format(out, ".%sAr %.*s%s\n", optional ? "Op " : "", (int)name, source + optional,
                       strstr(source, "...") && strstr(source, "...") < source + length ? " ..."
                                                                                        : "");
        source += length + (source[length] == ' ');
    }
}

static void exit_status(hzc_out *out, const char *no) {
    hzc_out_text(out, ".Sh EXIT STATUS\n.Bl -tag -width Ds\n.It 0\nDone.\n");
    if (no) {
        hzc_out_text(out, ".It 1\n");
        hzc_out_char(out, (char)toupper((unsigned char)no[0]));
        hzc_out_format(out, "%s.\n", no + 1);
    }
    hzc_out_text(out, ".It 2\nBad usage or input.\n.It 3\nMemory, input or output failed.\n.El\n");
}

/* "hazard-arena-stats". */
static void page_name(const hzc_command *command, char name[64]) {
    (void)snprintf(name, 64, "hazard-%s", command->name);
    for (char *blank = strchr(name, ' '); blank; blank = strchr(name, ' ')) {
        *blank = '-';
    }
}

void hzc_man_command(hzc_out *out, const hzc_command *command) {
    char title[64];
    page_name(command, title);
    head(out, title, title, command->summary);
    hzc_out_format(out, ".Nm hazard %s\n", command->name);
    for (const hzc_option *o = command->options; o->name; o++) {
        hzc_out_text(out, ".Op ");
        flag(out, o, false);
        hzc_out_char(out, '\n');
    }
    operands(out, command->operands);
    hzc_out_text(out, ".Sh DESCRIPTION\n");
    paragraphs(out, command->paragraphs);
    hzc_out_text(out, ".Pp\nThe options are:\n.Bl -tag -width Ds\n");
    for (const hzc_option *o = command->options; o->name; o++) {
        hzc_out_text(out, ".It ");
        if (o->letter) {
            flag(out, o, true);
            hzc_out_text(out, " , ");
        }
        flag(out, o, false);
        hzc_out_char(out, '\n');
        hzc_out_char(out, (char)toupper((unsigned char)o->help[0]));
        text(out, o->help + 1);
    }
    hzc_out_text(out, ".El\n");
    exit_status(out, command->exit_no);
    if (command->examples) {
        hzc_out_text(out, ".Sh EXAMPLES\n");
        for (const hzc_example *e = command->examples; e->command; e++) {
            text(out, e->shows);
            hzc_out_text(out, ".Pp\n.Dl ");
            word(out, e->command, strlen(e->command));
            hzc_out_text(out, e[1].command ? "\n.Pp\n" : "\n");
        }
    }
    hzc_out_text(out, ".Sh SEE ALSO\n.Xr hazard 1\n");
}

void hzc_man_all(hzc_out *out) {
    head(out, "hazard", "hazard",
         "chess and Dice Chess: rules, exact odds, models, players, matches");
    hzc_out_text(out, ".Nm\n.Ar command\n.Op Ar option ...\n.Op Ar operand ...\n"
                      ".Sh DESCRIPTION\n");
    paragraphs(out, hzc_about_hazard);
    hzc_out_text(out, ".Pp\nThe commands are:\n.Bl -tag -width features\n");
    for (size_t i = 0; hzc_command_at(i); i++) {
        const hzc_command *command = hzc_command_at(i);
        hzc_out_format(out, ".It Cm %s\n", command->name);
        hzc_out_char(out, (char)toupper((unsigned char)command->summary[0]));
        text(out, command->summary + 1);
    }
    hzc_out_text(out, ".El\n"
                      ".Sh ENVIRONMENT\n.Bl -tag -width Ds\n.It Ev NO_COLOR\n"
                      "When set and not empty, boards are drawn without colours.\n"
                      ".It Ev HAZARD_ONNXRUNTIME\nThe shared library of ONNX Runtime.\n"
                      "Without it the usual places are looked through.\n.El\n");
    exit_status(out, "the answer is \"no\": refused, incomplete, not legal");
    hzc_out_text(out, ".Sh SEE ALSO\n");
    char pages[64][64];
    const char *names[64];
    size_t count = 0;
    for (size_t i = 0; hzc_command_at(i) && count < 64; i++) {
        page_name(hzc_command_at(i), pages[i]);
        const char *name = pages[i];
        size_t place = count++;
        for (; place > 0 && strcmp(names[place - 1], name) > 0; place--) {
            names[place] = names[place - 1];
        }
        names[place] = name;
    }
    for (size_t i = 0; i < count; i++) {
        hzc_out_format(out, ".Xr %s 1 ,\n", names[i]);
    }
    hzc_out_text(out, ".Xr libhazard 3\n");
}
