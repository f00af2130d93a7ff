/* SPDX-License-Identifier: MIT */
/* `hazard bench`: speed on fixed positions, beside the slow twins, and the node signature. */
#include "cli/args.h"
#include "cli/json.h"

#include "bench/measure.h"
#include "board/bits.h"
#include "model/kernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const about[] = {
    "Measures the hot routines of the library on fixed positions, in one thread unless its name "
    "says otherwise. Each figure is the best and the median of 41 short windows (of fewer, where "
    "one takes long) after a warm-up. 'first' and 'aim' are the budget of the design for an "
    "ordinary server core. 'x twin' says how many times faster the routine is than its slow, "
    "obvious twin measured in the same run: quote that rather than times, which drift with the "
    "machine. A routine whose result differs from its twin's is reported and makes the exit code "
    "1.",
    "Groups: board, dice, odds, features, eval, model, bots, search (expectimax and equity), "
    "guided (searches with models), chess (perft, SAN, PGN, search), uci (how soon it stops), "
    "arena (refereed games, self-play), league. A twin that is another program (stockfish, ONNX "
    "Runtime) is left out where it is not installed.",
    "The signature folds turn counts, odds and features over fixed positions into one number: it "
    "changes when the behaviour changes, never with the speed.",
    NULL};

static const hzc_option options[] = {
    {"filter", 'f', "TEXT", "measure only items whose group or name contains TEXT"},
    {"time", 't', "MS", "about how long to measure one item, 1 to 60000; default 120"},
    {"list", 'l', NULL, "list what is measured, and measure nothing"},
    {"signature", 's', NULL, "print only the node count and the signature"},
    {"portable", 0, NULL, "without the fast bit and vector instructions of the processor"},
    {"no-twin", 0, NULL, "do not run the slow twins"},
    HZC_OPTION_JSON,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard bench --filter odds --time 20", "Measures the capture odds, quickly."},
    {"hazard bench --list", "Which measurements there are."},
    {"hazard bench --signature", "Prints the node count and signature."},
    {0}};

/* Model name of the processor as the system tells it, "" when it does not. */
static void processor_name(char *buffer, size_t capacity) {
    char line[256];
    buffer[0] = '\0';
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            (void)snprintf(buffer, capacity, "%s", colon + 2);
            buffer[strcspn(buffer, "\n")] = '\0';
            break;
        }
    }
    if (file) {
        (void)fclose(file);
    }
}

typedef struct report {
    const hzc_args *args;
    hzc_out *out;
    hzc_json json;
    bool as_json;
    bool disagreed;
} report;

/* What of its budget an item keeps; an aim of 0 is none. */
static const char *verdict(const hzb_item *item, const hzb_figure *figure) {
    bool first = item->rate ? figure->min >= item->first : figure->min <= item->first;
    bool aim = item->rate ? figure->min >= item->aim : figure->min <= item->aim;
    return item->first <= 0 ? "" : item->aim > 0 && aim ? "aim" : first ? "first" : "missed";
}

static void begin(report *r) {
    char cpu[200];
    uint64_t nodes, signature = hzb_signature(&nodes);
    char hex[24];
    processor_name(cpu, sizeof cpu);
    (void)snprintf(hex, sizeof hex, "%016" PRIx64, signature);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (!r->as_json) {
        hzc_out_format(r->out, "hazard %s on %s, %ld cores, %s bit instructions, %s kernels\n",
                       hz_version(), *cpu ? cpu : "an unnamed processor", cores,
                       hzi_fast_bits ? "fast" : "portable", hzi_kernels_in_use->name);
        hzc_out_format(r->out, "signature %s over %" PRIu64 " nodes\n\n", hex, nodes);
        hzc_out_format(r->out, "%-54s %10s %10s  %-10s %7s %7s %-7s %9s\n", "", "best", "median",
                       "unit", "first", "aim", "reached", "x twin");
        return;
    }
    hzc_json_object(&r->json, NULL);
    hzc_json_object(&r->json, "machine");
    hzc_json_text(&r->json, "cpu", cpu);
    hzc_json_integer(&r->json, "cores", cores);
    hzc_json_bool(&r->json, "fast_bits", hzi_fast_bits);
    hzc_json_text(&r->json, "kernels", hzi_kernels_in_use->name);
    hzc_json_end_object(&r->json);
    hzc_json_text(&r->json, "version", hz_version());
#ifdef NDEBUG
    hzc_json_text(&r->json, "build", "release");
#else
    hzc_json_text(&r->json, "build", "debug");
#endif
    hzc_json_count(&r->json, "nodes", nodes);
    hzc_json_text(&r->json, "signature", hex);
    hzc_json_array(&r->json, "items");
}

static void print_item(report *r, const hzb_item *item, const hzb_figure *figure) {
    r->disagreed |= !figure->agrees;
    if (!r->as_json) {
        char name[80], first[16] = "", aim[16] = "", ratio[16] = "";
        (void)snprintf(name, sizeof name, "%s: %s", item->group, item->name);
        if (item->first > 0) {
            (void)snprintf(first, sizeof first, "%g", item->first);
        }
        if (item->aim > 0) {
            (void)snprintf(aim, sizeof aim, "%g", item->aim);
        }
        if (figure->ratio > 0) {
            (void)snprintf(ratio, sizeof ratio, figure->ratio < 100 ? "%.1f" : "%.0f",
                           figure->ratio);
        }
        hzc_out_format(r->out, "%-54s %10.3f %10.3f  %-10s %7s %7s %-7s %9s%s\n", name, figure->min,
                       figure->median, item->unit, first, aim, verdict(item, figure), ratio,
                       figure->agrees ? "" : "  DIFFERS FROM ITS TWIN");
        (void)hzc_out_flush(r->out);
        return;
    }
    hzc_json_object(&r->json, NULL);
    hzc_json_text(&r->json, "group", item->group);
    hzc_json_text(&r->json, "name", item->name);
    hzc_json_text(&r->json, "unit", item->unit);
    hzc_json_double(&r->json, "best", figure->min);
    hzc_json_double(&r->json, "median", figure->median);
    if (item->first > 0) {
        hzc_json_double(&r->json, "first", item->first);
        if (item->aim > 0) {
            hzc_json_double(&r->json, "aim", item->aim);
        }
        hzc_json_text(&r->json, "reached", verdict(item, figure));
    }
    if (figure->ratio > 0) {
        hzc_json_double(&r->json, "twin", figure->twin);
        hzc_json_double(&r->json, "times_twin", figure->ratio);
        hzc_json_bool(&r->json, "agrees", figure->agrees);
    }
    hzc_json_end_object(&r->json);
}

static bool wanted(const hzb_item *item, const char *filter) {
    return !filter || strstr(item->group, filter) || strstr(item->name, filter);
}

static int run_signature(report *r) {
    uint64_t nodes, signature = hzb_signature(&nodes);
    char hex[24];
    (void)snprintf(hex, sizeof hex, "%016" PRIx64, signature);
    if (r->as_json) {
        hzc_json_object(&r->json, NULL);
        hzc_json_count(&r->json, "nodes", nodes);
        hzc_json_text(&r->json, "signature", hex);
        hzc_json_end_object(&r->json);
        hzc_out_char(r->out, '\n');
    } else {
        hzc_out_format(r->out, "%" PRIu64 " nodes, signature %s\n", nodes, hex);
    }
    return HZC_DONE;
}

static int list_items(const hzc_args *args, const hzb_item *items, size_t count) {
    hzc_json json = hzc_json_to(args->out);
    bool as_json = hzc_args_has(args, "json");
    if (as_json) {
        hzc_json_array(&json, NULL);
    }
    for (size_t i = 0; i < count; i++) {
        if (!wanted(&items[i], hzc_args_value(args, "filter"))) {
            continue;
        }
        if (as_json) {
            hzc_json_object(&json, NULL);
            hzc_json_text(&json, "group", items[i].group);
            hzc_json_text(&json, "name", items[i].name);
            hzc_json_text(&json, "unit", items[i].unit);
            hzc_json_end_object(&json);
        } else {
            hzc_out_format(args->out, "%s: %s\n", items[i].group, items[i].name);
        }
    }
    if (as_json) {
        hzc_json_end_array(&json);
        hzc_out_char(args->out, '\n');
    }
    return HZC_DONE;
}

static int run(const hzc_args *args) {
    uint64_t budget = 120;
    size_t count, matching = 0;
    if (!hzc_args_no_operands(args) || !hzc_args_count(args, "time", 1, 60000, &budget)) {
        return HZC_USAGE;
    }
    const char *filter = hzc_args_value(args, "filter");
    report r = {.args = args,
                .out = args->out,
                .json = hzc_json_to(args->out),
                .as_json = hzc_args_has(args, "json")};
    if (hzc_args_has(args, "portable")) {
        hzi_fast_bits_use(false);
        hzi_kernels_use_fast(false);
    }
    if (hzc_args_has(args, "signature")) {
        return run_signature(&r);
    }
    const char *why;
    const hzb_item *items = hzb_items(&count, &why);
    if (!items) {
        return hzc_complain(args, HZC_ENVIRONMENT, "the benchmarks cannot be made: %s", why);
    }
    for (size_t i = 0; i < count; i++) {
        matching += wanted(&items[i], filter);
    }
    if (matching == 0) {
        return hzc_usage(args, "nothing that is measured has '%s' in its group or name", filter);
    }
    if (hzc_args_has(args, "list")) {
        return list_items(args, items, count);
    }
    begin(&r);
    for (size_t i = 0; i < count && !args->out->failed; i++) {
        if (!wanted(&items[i], filter)) {
            continue;
        }
        hzb_item item = items[i];
        hzb_figure figure;
        if (hzc_args_has(args, "no-twin")) {
            item.twin = NULL;
        }
        if (r.as_json && isatty(STDERR_FILENO)) {
            (void)fprintf(stderr, "\r%zu of %zu: %-60s", i + 1, count, item.name);
        }
        hzb_measure(&item, (double)budget, &figure);
        print_item(&r, &item, &figure);
    }
    if (r.as_json) {
        hzc_json_end_array(&r.json);
        hzc_json_end_object(&r.json);
        hzc_out_char(args->out, '\n');
    }
    return r.disagreed ? HZC_NO : HZC_DONE;
}

const hzc_command hzc_command_bench = {
    .name = "bench",
    .summary = "measure the speed of the library",
    .operands = "",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .exit_no = "a routine differs from its slow twin",
    .run = run,
};
