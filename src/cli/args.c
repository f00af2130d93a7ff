/* SPDX-License-Identifier: MIT */
/* Reading command lines by their option tables; see args.h. What is said about errors: complain.c.
 */
#include "cli/args.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* getopt_long needs its own tables; they live as long as one call. */
enum { MOST_OPTIONS = 48, FIRST_INDEX = 256 };

bool hzc_args_read(hzc_args *args, const hzc_command *command, int argc, char **argv,
                   hzc_out *out) {
    *args = (hzc_args){.command = command, .out = out};
    struct option long_options[MOST_OPTIONS + 1] = {0};
    char letters[2 * MOST_OPTIONS + 2] = ":";
    size_t letters_used = 1;
    for (int i = 0; i < MOST_OPTIONS && command->options[i].name; i++) {
        const hzc_option *option = &command->options[i];
        int has_arg = option->argument ? required_argument : no_argument;
        long_options[i] = (struct option){option->name, has_arg, NULL, FIRST_INDEX + i};
        if (option->letter) {
            letters[letters_used++] = option->letter;
            if (option->argument) {
                letters[letters_used++] = ':';
            }
        }
    }
    /* Letters may be clustered ("-fff"), so there can be more options than arguments, but never more
     * than characters. */
    size_t most = 1;
    for (int i = 1; i < argc; i++) {
        most += strlen(argv[i]);
    }
    args->given = calloc(most, sizeof *args->given);
    if (!args->given) {
        (void)hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
        return false;
    }
    opterr = 0;
    optind = 1;
    int code;
    while ((code = getopt_long(argc, argv, letters, long_options, NULL)) != -1) {
        if (code == ':') {
            (void)hzc_usage(args, "the option %s needs a value", argv[optind - 1]);
            return false;
        }
        if (code == '?') {
            if (optopt < 0) {
                (void)hzc_usage(args, "options are written with ASCII letters");
            } else if (optopt > 0 && optopt < FIRST_INDEX) {
                (void)hzc_usage(args, "there is no option '-%c'", optopt);
            } else if (optopt >= FIRST_INDEX) {
                (void)hzc_usage(args, "the option %s takes no value", argv[optind - 1]);
            } else {
                (void)hzc_usage(args, "there is no option '%s', or it is short for several",
                                argv[optind - 1]);
            }
            return false;
        }
        const hzc_option *option = command->options;
        if (code >= FIRST_INDEX) {
            option += code - FIRST_INDEX;
        } else {
            while (option->letter != code) {
                option++;
            }
        }
        args->given[args->given_count++] = (hzc_given){option, option->argument ? optarg : NULL};
    }
    args->operands = argv + optind;
    args->operand_count = argc - optind;
    return true;
}

void hzc_args_fini(hzc_args *args) {
    free(args->given);
    args->given = NULL;
    args->given_count = 0;
}

static const hzc_given *last_given(const hzc_args *args, const char *name) {
    for (size_t i = args->given_count; i > 0; i--) {
        if (strcmp(args->given[i - 1].option->name, name) == 0) {
            return &args->given[i - 1];
        }
    }
    return NULL;
}

bool hzc_args_has(const hzc_args *args, const char *name) {
    return last_given(args, name) != NULL;
}

const char *hzc_args_value(const hzc_args *args, const char *name) {
    const hzc_given *given = last_given(args, name);
    return given ? given->value : NULL;
}

/* Digits only: strtoull alone would take signs and blanks. */
static bool read_unsigned(const char *text, uint64_t *value) {
    char *end;
    if (text[0] < '0' || text[0] > '9') {
        return false;
    }
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *end == '\0' && errno == 0;
}

bool hzc_args_count(const hzc_args *args, const char *name, uint64_t least, uint64_t most,
                    uint64_t *value) {
    const char *text = hzc_args_value(args, name);
    uint64_t number;
    if (!text) {
        return true;
    }
    if (!read_unsigned(text, &number) || number < least || number > most) {
        (void)hzc_usage(args, "--%s: '%s' is not a number from %" PRIu64 " to %" PRIu64, name, text,
                        least, most);
        return false;
    }
    *value = number;
    return true;
}

bool hzc_args_seed(const hzc_args *args, uint64_t *seed) {
    if (hzc_args_has(args, "seed")) {
        return hzc_args_count(args, "seed", 0, UINT64_MAX, seed);
    }
    if (hz_random_system_seed(seed) != HZ_OK) {
        (void)hzc_complain(args, HZC_ENVIRONMENT, "the system gives no seed; give one by --seed");
        return false;
    }
    *seed &= (UINT64_C(1) << 53) - 1;
    return true;
}

bool hzc_args_color(const hzc_args *args, const char *name, hz_color *color) {
    const char *text = hzc_args_value(args, name);
    if (!text) {
        return true;
    }
    if (strcmp(text, "w") == 0 || strcmp(text, "white") == 0) {
        *color = HZ_WHITE;
    } else if (strcmp(text, "b") == 0 || strcmp(text, "black") == 0) {
        *color = HZ_BLACK;
    } else {
        (void)hzc_usage(args, "--%s: '%s' is not 'white' or 'black'", name, text);
        return false;
    }
    return true;
}

bool hzc_args_no_operands(const hzc_args *args) {
    if (args->operand_count > 0) {
        (void)hzc_usage(args, "what is '%s' for?", args->operands[0]);
        return false;
    }
    return true;
}

bool hzc_is_start(const char *text, size_t length) {
    return length == 5 && memcmp(text, "start", 5) == 0;
}

typedef enum variant { DICE, CHESS } variant;

/* Reads a text as a position and says what is wrong with it; `number` is its line, 0 for none. */
static int read_position(const hzc_args *args, const char *text, size_t length, size_t number,
                         variant game, hz_position *position) {
    hz_error err;
    if (hzc_is_start(text, length)) {
        text = HZ_START_DFEN;
        length = strlen(text);
    }
    hz_status status = game == CHESS ? hz_chess_from_fen(position, text, length, &err)
                                     : hz_position_from_dfen(position, text, length, &err);
    if (status == HZ_OK) {
        return HZC_DONE;
    }
    if (number > 0) {
        (void)hzc_complain(args, 0, "line %zu is no position", number);
    }
    return hzc_report(args, &err, text, length);
}

bool hzc_read_dfen(const hzc_args *args, const char *text, hz_position *position) {
    return read_position(args, text, strlen(text), 0, DICE, position) == HZC_DONE;
}

int hzc_read_line(const hzc_args *args, const char *text, size_t length, size_t number,
                  hz_position *position) {
    return read_position(args, text, length, number, DICE, position);
}

const hz_schema *hzc_find_schema(const hzc_args *args, const char *id) {
    const hz_schema *schema = hz_schema_find(id);
    if (!schema) {
        (void)hzc_complain(
            args, HZC_USAGE,
            "UNKNOWN_SCHEMA: no schema has the id '%s'; see 'hazard features --list'", id);
    }
    return schema;
}

char *hzc_args_join(const hzc_args *args, int first, char separator) {
    size_t length = 1;
    for (int i = first; i < args->operand_count; i++) {
        length += strlen(args->operands[i]) + 1;
    }
    char *text = malloc(length);
    if (!text) {
        (void)hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
        return NULL;
    }
    size_t used = 0;
    for (int i = first; i < args->operand_count; i++) {
        size_t piece = strlen(args->operands[i]);
        if (i > first) {
            text[used++] = separator;
        }
        memcpy(text + used, args->operands[i], piece);
        used += piece;
    }
    text[used] = '\0';
    return text;
}

static bool position_operand(const hzc_args *args, int first, variant game, hz_position *position) {
    if (args->operand_count <= first) {
        (void)hzc_usage(args, "which position? Give a %s in quotes, or 'start'",
                        game == CHESS ? "FEN" : "DFEN");
        return false;
    }
    char *text = hzc_args_join(args, first, ' ');
    int code = text ? read_position(args, text, strlen(text), 0, game, position) : HZC_ENVIRONMENT;
    free(text);
    return code == HZC_DONE;
}

bool hzc_args_position(const hzc_args *args, int first, hz_position *position) {
    return position_operand(args, first, DICE, position);
}

bool hzc_args_chess(const hzc_args *args, int first, hz_position *position) {
    return position_operand(args, first, CHESS, position);
}
