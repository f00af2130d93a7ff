/* SPDX-License-Identifier: MIT */
/* `hazard features`: positions as rows of numbers of a schema. */
#include "cli/args.h"
#include "cli/json.h"
#include "cli/lines.h"

#include <stdlib.h>
#include <string.h>

static const char *const about[] = {
    "Prints one row of numbers for each position. The positions are the operands, or the lines of "
    "the standard input when there are none. A schema says what the columns are; its id never "
    "changes its meaning. Numbers are the shortest decimals that read back to the same binary32.",
    "The row is made for a colour: the side to move unless --color says otherwise. Some schemas "
    "fix the view by the position itself and do not ask for a colour.",
    NULL};

static const hzc_option options[] = {
    {"list", 'l', NULL, "list the schemas"},
    {"columns", 'c', "SCHEMA", "list the column names of a schema"},
    {"schema", 's', "SCHEMA", "the schema of the rows"},
    {"color", 0, "COLOR",
     "the colour that is 'own': white, black, or both for two rows a position"},
    {"format", 'f', "FORMAT", "csv (the default), tsv or json"},
    {"header", 'H', NULL, "begin with a line of column names"},
    {"dfen", 'd', NULL, "begin each row with the colour and the position"},
    {"json", 0, NULL, "the same as --format json; with --list and --columns, too"},
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard features --list", "The schemas with their widths."},
    {"hazard features --schema kcp-13 --header start", "One row with column names."},
    {"printf '%s\\n' '4k3/8/8/8/8/8/8/4K2R w K - 0 1' | hazard features --schema material-7-v1",
     "Rows for positions from a file or a pipe."},
    {0}};

enum { MOST_LINE_BYTES = 4096 };

typedef enum format { CSV, TSV, JSON } format;

typedef struct table {
    const hzc_args *args;
    hzc_out *out;
    hzc_json json;
    const hz_schema *schema;
    format format;
    bool with_dfen;
    bool colors[2]; /* rows to make; none: the side to move */
    float *row;     /* owned */
} table;

static int list_schemas(const hzc_args *args, bool as_json) {
    hzc_json json = hzc_json_to(args->out);
    if (as_json) {
        hzc_json_array(&json, NULL);
    }
    for (size_t i = 0; hz_schema_at(i); i++) {
        const hz_schema *schema = hz_schema_at(i);
        if (as_json) {
            hzc_json_object(&json, NULL);
            hzc_json_text(&json, "id", schema->id);
            hzc_json_text(&json, "game", schema->game);
            hzc_json_count(&json, "columns", schema->width);
            hzc_json_bool(&json, "by_color", schema->by_color);
            hzc_json_text(&json, "about", schema->about);
            hzc_json_end_object(&json);
        } else {
            hzc_out_format(args->out, "%-26s %5zu  %-9s  %s\n", schema->id, schema->width,
                           schema->game, schema->about);
        }
    }
    if (as_json) {
        hzc_json_end_array(&json);
        hzc_out_char(args->out, '\n');
    }
    return HZC_DONE;
}

static void print_names(hzc_out *out, hzc_json *json, const hz_schema *schema, char separator) {
    for (size_t i = 0; i < schema->width; i++) {
        char name[64];
        (void)hz_schema_column_name(schema, i, name, sizeof name);
        if (json) {
            hzc_json_text(json, NULL, name);
        } else {
            hzc_out_text(out, name);
            hzc_out_char(out, i + 1 < schema->width ? separator : '\n');
        }
    }
}

static int list_columns(const hzc_args *args, const char *id, bool as_json) {
    const hz_schema *schema = hzc_find_schema(args, id);
    hzc_json json = hzc_json_to(args->out);
    if (!schema) {
        return HZC_USAGE;
    }
    if (as_json) {
        hzc_json_array(&json, NULL);
    }
    print_names(args->out, as_json ? &json : NULL, schema, '\n');
    if (as_json) {
        hzc_json_end_array(&json);
        hzc_out_char(args->out, '\n');
    }
    return HZC_DONE;
}

/* ---- rows ---- */

static void print_row(table *t, const hz_position *position, hz_color color) {
    const char *color_text = color == HZ_WHITE ? "white" : "black";
    char separator = t->format == TSV ? '\t' : ',';
    hz_features_row(t->schema, position, color, t->row);
    if (t->format == JSON) {
        hzc_json_object(&t->json, NULL);
        hzc_json_text(&t->json, "color", color_text);
        hzc_json_dfen(&t->json, "dfen", position);
        hzc_json_array(&t->json, "row");
        for (size_t i = 0; i < t->schema->width; i++) {
            hzc_json_float(&t->json, NULL, t->row[i]);
        }
        hzc_json_end_array(&t->json);
        hzc_json_end_object(&t->json);
        return;
    }
    if (t->with_dfen) {
        char dfen[HZ_DFEN_CAPACITY];
        (void)hz_position_to_dfen(position, dfen, sizeof dfen);
        hzc_out_format(t->out, "%s%c%s%c", color_text, separator, dfen, separator);
    }
    for (size_t i = 0; i < t->schema->width; i++) {
        char text[HZC_NUMBER_CAPACITY];
        hzc_out_bytes(t->out, text, hzc_float_text(t->row[i], text));
        hzc_out_char(t->out, i + 1 < t->schema->width ? separator : '\n');
    }
}

/* A position as rows; `number` is its line in the input, 0 for an operand. */
static int print_position(void *context, const char *text, size_t length, size_t number) {
    table *t = context;
    hz_position position;
    int code = hzc_read_line(t->args, text, length, number, &position);
    if (code != HZC_DONE) {
        return code;
    }
    bool any = t->colors[HZ_WHITE] || t->colors[HZ_BLACK];
    for (int color = 0; color < 2; color++) {
        if (any ? t->colors[color] : position.side == color) {
            print_row(t, &position, (hz_color)color);
        }
    }
    return HZC_DONE;
}

static int print_table(table *t) {
    int code = HZC_DONE;
    if (t->format == JSON) {
        hzc_json_object(&t->json, NULL);
        hzc_json_text(&t->json, "schema", t->schema->id);
        hzc_json_array(&t->json, "columns");
        print_names(t->out, &t->json, t->schema, 0);
        hzc_json_end_array(&t->json);
        hzc_json_array(&t->json, "rows");
    } else if (hzc_args_has(t->args, "header")) {
        char separator = t->format == TSV ? '\t' : ',';
        if (t->with_dfen) {
            hzc_out_format(t->out, "color%cdfen%c", separator, separator);
        }
        print_names(t->out, NULL, t->schema, separator);
    }
    if (t->args->operand_count == 0) {
        code = hzc_each_line(t->args, MOST_LINE_BYTES, print_position, t);
    }
    for (int i = 0; i < t->args->operand_count && code == HZC_DONE; i++) {
        code = print_position(t, t->args->operands[i], strlen(t->args->operands[i]), 0);
    }
    if (t->format == JSON) {
        hzc_json_end_array(&t->json);
        hzc_json_end_object(&t->json);
        hzc_out_char(t->out, '\n');
    }
    return code;
}

static bool read_options(table *t) {
    static const char *const formats[] = {"csv", "tsv", "json"};
    const char *name = hzc_args_value(t->args, "format");
    const char *color = hzc_args_value(t->args, "color");
    const char *schema = hzc_args_value(t->args, "schema");
    if (hzc_args_has(t->args, "json")) {
        name = "json";
    }
    for (int i = 0; name && i < 3; i++) {
        if (strcmp(name, formats[i]) == 0) {
            t->format = (format)i;
            name = NULL;
        }
    }
    if (name) {
        (void)hzc_usage(t->args, "--format: '%s' is not csv, tsv or json", name);
        return false;
    }
    if (color && strcmp(color, "both") == 0) {
        t->colors[HZ_WHITE] = t->colors[HZ_BLACK] = true;
    } else if (color) {
        hz_color one = HZ_WHITE;
        if (!hzc_args_color(t->args, "color", &one)) {
            return false;
        }
        t->colors[one] = true;
    }
    if (!schema) {
        (void)hzc_usage(t->args, "which schema? --schema names it, --list shows what there is");
        return false;
    }
    t->schema = hzc_find_schema(t->args, schema);
    t->with_dfen = hzc_args_has(t->args, "dfen");
    return t->schema != NULL;
}

static int run(const hzc_args *args) {
    bool as_json = hzc_args_has(args, "json");
    const char *columns = hzc_args_value(args, "columns");
    table t = {.args = args, .out = args->out, .json = hzc_json_to(args->out)};
    if (hzc_args_has(args, "list")) {
        return hzc_args_no_operands(args) ? list_schemas(args, as_json) : HZC_USAGE;
    }
    if (columns) {
        return hzc_args_no_operands(args) ? list_columns(args, columns, as_json) : HZC_USAGE;
    }
    if (!read_options(&t)) {
        return HZC_USAGE;
    }
    t.row = calloc(t.schema->width, sizeof *t.row);
    if (!t.row) {
        return hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
    }
    int code = print_table(&t);
    free(t.row);
    return code;
}

const hzc_command hzc_command_features = {
    .name = "features",
    .summary = "print positions as rows of numbers for learning programs",
    .operands = "[DFEN]...",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .run = run,
};
