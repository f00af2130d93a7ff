/* SPDX-License-Identifier: MIT */
/* `hazard version`: what this program is and how it was built. */
#include "cli/args.h"
#include "cli/json.h"
#include "board/bits.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static const char *const about[] = {
    "Prints the version, the compiler, and whether the fast bit instructions of the processor "
    "(popcnt, pext, pdep) are used. Without them the same results take longer.",
    NULL};

static const hzc_option options[] = {HZC_OPTION_JSON, HZC_OPTION_HELP, {0}};

static const hzc_example examples[] = {{"hazard version --json", "Prints the same for programs."},
                                       {0}};

static int run(const hzc_args *args) {
    if (!hzc_args_no_operands(args)) {
        return HZC_USAGE;
    }
    if (hzc_args_has(args, "json")) {
        hzc_json json = hzc_json_to(args->out);
        hzc_json_object(&json, NULL);
        hzc_json_text(&json, "name", "hazard");
        hzc_json_text(&json, "version", hz_version());
        hzc_json_text(&json, "compiler", COMPILER);
#ifdef NDEBUG
        hzc_json_bool(&json, "assertions", false);
#else
        hzc_json_bool(&json, "assertions", true);
#endif
        hzc_json_bool(&json, "fast_bits", hzi_fast_bits);
        hzc_json_end_object(&json);
        hzc_out_char(args->out, '\n');
    } else {
        hzc_out_format(args->out, "hazard %s\ncompiler: %s\nfast bit instructions: %s\n",
                       hz_version(), COMPILER, hzi_fast_bits ? "yes" : "no");
    }
    return HZC_DONE;
}

const hzc_command hzc_command_version = {
    .name = "version",
    .summary = "print the version and how it was built",
    .operands = "",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .run = run,
};
