#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check.sh [STAGE...]
# Runs every check there is, or only the stages named, and ends with one line of totals. A stage
# that fails does not stop the others. What a stage prints goes to build/check-logs/STAGE.log; of a
# failing one the end is shown. A stage that is not a list of tests counts as one test.
set -uo pipefail
cd "$(dirname "$0")/.."

builds=build/check
logs=build/check-logs
tally=$logs/tally # "PASSED FAILED" lines of the running stage
mkdir -p "$builds" "$logs"
# Some systems randomise addresses more than the sanitizers of these compilers can take.
fixed_addresses=
if setarch "$(uname -m)" -R true 2>/dev/null; then
    fixed_addresses="setarch $(uname -m) -R"
fi

stages=(format gcc clang sanitize threads valgrind fuzz tidy cppcheck sources install docs)
declare -A about=(
    [format]="formatting as clang-format 14 does it"
    [gcc]="gcc release build without warnings, every test"
    [clang]="clang release build without warnings, every test with less effort"
    [sanitize]="every test under the address and undefined-behaviour sanitizers"
    [threads]="tests that use threads under the thread sanitizer"
    [valgrind]="portable build under valgrind, every test with little effort"
    [fuzz]="fuzz targets from their kept inputs on, six seconds each"
    [tidy]="clang-tidy"
    [cppcheck]="cppcheck"
    [sources]="the house: rooms, headers, names, texts"
    [install]="the installed tree as a user of the library sees it"
    [docs]="commands and programs shown in the documents"
)

# build_in NAME [MESON OPTION...]: a build folder of its own, made anew when the options change.
# Builds everything, or only the ninja targets in the variable `targets`.
build_in() {
    local dir=$builds/$1 options="${CC:-cc} ${*:2}"
    if [ ! -f "$dir/build.ninja" ] || [ "$(cat "$dir.options" 2>/dev/null)" != "$options" ]; then
        rm -rf "$dir"
        meson setup "$dir" -Dlibdir=lib "${@:2}" || return
        printf '%s' "$options" >"$dir.options"
    fi
    # shellcheck disable=SC2086 # a list of words
    ninja -C "$dir" ${targets:-}
}

# tests_in NAME [MESON TEST OPTION...]: runs tests of a build folder and counts their results.
tests_in() {
    local dir=$builds/$1 status=0
    rm -f "$dir"/meson-logs/testlog*.json
    # shellcheck disable=SC2086 # a list of words
    $fixed_addresses meson test -C "$dir" --no-rebuild --print-errorlogs "${@:2}" || status=1
    count "$dir"/meson-logs/testlog*.json && return $status
}

# count FILE: adds the results in a test log to the tally of the stage.
count() {
    [ -f "$1" ] || { echo "no test results were written to $1"; return 1; }
    tools/count-tests.py "$1" | tee -a "$tally"
}

# taps COMMAND...: runs a command that prints TAP and counts its results.
taps() {
    local out=$logs/$stage.tap status=0
    "$@" >"$out" || status=1
    cat "$out"
    count "$out" && return $status
}

# C sources of the project, one a line.
c_sources() {
    find include src tests bench -name '*.[ch]' | sort
}

# Tests whose source uses threads, as meson names them.
thread_tests() {
    grep -rlE '<(pthread|threads)\.h>' tests --include='test_*.c' |
        sed -n 's|^tests/\([a-z]*\)/test_\(.*\)\.c$|\1/\2|p' | sort
}

stage_format() {
    c_sources | xargs clang-format-14 --dry-run -Werror
}

stage_gcc() {
    CC=gcc build_in gcc -Dwerror=true && tests_in gcc
}

stage_clang() {
    CC=clang-14 build_in clang -Dwerror=true && HAZARD_TEST_EFFORT=0.2 tests_in clang
}

stage_sanitize() {
    # Tests ask for more memory than there is, to see the library refuse.
    export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=1
    export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
    export LSAN_OPTIONS=suppressions=$PWD/tests/house/lsan.supp:print_suppressions=0
    CC=gcc build_in sanitize -Dwerror=true -Dbuildtype=debugoptimized -Db_ndebug=false \
        -Db_sanitize=address,undefined '-Dc_args=-fno-sanitize-recover=all -fno-omit-frame-pointer' &&
        HAZARD_TEST_EFFORT=0.3 tests_in sanitize --timeout-multiplier 5
}

stage_threads() {
    local tests programs
    tests=$(thread_tests)
    if [ -z "$tests" ]; then
        echo "no test uses threads"
        return 1
    fi
    programs=$(echo "$tests" | sed 's|^\(.*\)/|tests/test_\1_|')
    CC=clang-14 targets=$programs build_in threads -Dwerror=true -Dbuildtype=debugoptimized \
        -Db_ndebug=false -Db_sanitize=thread -Db_lundef=false || return
    # shellcheck disable=SC2086 # a list of words
    HAZARD_TEST_EFFORT=0.3 TSAN_OPTIONS=halt_on_error=1 tests_in threads --timeout-multiplier 5 $tests
}

stage_valgrind() {
    local tests
    CC=gcc build_in valgrind -Dwerror=true -Dbuildtype=debugoptimized -Db_ndebug=false \
        -Dc_args=-DHAZARD_PORTABLE_ONLY || return
    # Not those that are long because they must be: millions of turns, all facts, whole games. Nor
    # those that start sandboxed children, who may do nothing but compute: valgrind does more.
    tests=$(meson test -C "$builds/valgrind" --no-suite e2e --list | sed -n 's|^hazard / ||p' |
        grep -vxE 'dice/(limits|facts)|search/expectimax_(threads|pruning|facts)|arena/luck' |
        grep -vxE 'league/(check|ladder|player|reference|run|sandbox|store)')
    # ONNX Runtime does not survive it: it would be somebody else's memory that is checked.
    # shellcheck disable=SC2086 # a list of words
    HAZARD_ONNXRUNTIME=none HAZARD_TEST_EFFORT=0.05 tests_in valgrind --timeout-multiplier 10 \
        --wrap="valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=all \
            --suppressions=$PWD/tests/house/valgrind.supp" $tests
}

stage_fuzz() {
    local out=$logs/fuzz.out status=0
    tests/fuzz/run.sh 6 >"$out" || status=1
    cat "$out"
    echo "$(grep -c ' ok: ' "$out") $(grep -c ' FOUND: ' "$out")" >>"$tally"
    grep -q ' ok: ' "$out" || { echo "no target ran"; status=1; }
    return $status
}

stage_tidy() {
    local findings=$logs/findings status=0
    CC=clang-14 build_in clang -Dwerror=true >/dev/null || return
    run-clang-tidy-14 -p "$builds/clang" -quiet -j "$(nproc)" "^$PWD/(src|tests|bench)/" \
        >"$findings" 2>&1 || status=1
    sed -i 's/\x1b\[[0-9;]*m//g' "$findings" # colours
    grep -vE '^clang-tidy-14 |^[0-9]+ warnings? (generated|treated)' "$findings"
    echo "findings without their paths of analysis:"
    grep -E ': (warning|error): ' "$findings" | sort -u
    return $status
}

stage_cppcheck() {
    cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 -j "$(nproc)" \
        --enable=warning,performance,portability -Iinclude -Isrc src bench
}

stage_sources() {
    CC=gcc build_in gcc -Dwerror=true >/dev/null && taps tests/house/test_sources.py "$builds/gcc"
}

stage_install() {
    CC=gcc build_in gcc -Dwerror=true >/dev/null && taps tests/house/test_install.sh "$builds/gcc"
}

stage_docs() {
    CC=gcc build_in gcc -Dwerror=true >/dev/null && taps tools/run-docs.py "$builds/gcc"
}

passed=0 failed=0
for stage in "${@:-${stages[@]}}"; do
    if [ -z "${about[$stage]:-}" ]; then
        echo "check: there is no stage '$stage'; stages: ${stages[*]}" >&2
        exit 2
    fi
    printf '%-9s %s\n' "$stage" "${about[$stage]}"
    : >"$tally"
    log=$logs/$stage.log
    start=$SECONDS
    (trap - INT; "stage_$stage") >"$log" 2>&1 </dev/null
    status=$?
    good=$(awk '{ n += $1 } END { print n + 0 }' "$tally")
    bad=$(awk '{ n += $2 } END { print n + 0 }' "$tally")
    if [ $status -ne 0 ] && [ "$bad" -eq 0 ]; then
        bad=1
    elif [ $status -eq 0 ] && [ "$good" -eq 0 ] && [ "$bad" -eq 0 ]; then
        good=1
    fi
    if [ "$bad" -gt 0 ]; then
        tail -n 60 "$log" | sed 's/^/    | /'
        echo "          FAILED, all of it in $log"
    fi
    printf '          %d passed, %d failed, %d s\n' "$good" "$bad" $((SECONDS - start))
    passed=$((passed + good)) failed=$((failed + bad))
done
printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
