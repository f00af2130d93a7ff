#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh SECONDS [TARGET...]
# Builds the fuzz targets with clang and the sanitizers in build-fuzz/ and runs each, or those named,
# for SECONDS. One line for each; exit 1 when something was found: the input is then kept in
# build-fuzz/findings/ and the line says how to repeat it. What coverage grew stays in
# build-fuzz/corpus/TARGET for the next run.
#
# run.sh --merge [TARGET...]
# Adds to the kept corpora the fewest inputs of build-fuzz/corpus/ that reach code the kept ones do
# not.
set -uo pipefail
cd "$(dirname "$0")/../.."

source=tests/fuzz
build=build-fuzz
largest=(book=4096 dfen=300 epd=1000 features=300 fen=300 graph=4096 http_reply=4096 manifest=4096
    match=2048 odds=300 onnx_file=4096 openings=4096 pgn=4096 query=2048 record=4096 rows=4096
    rules=300 san=300 scenario=4096 turn=400 uci=4096)

usage() {
    sed -n '3,12s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

[ $# -ge 1 ] || usage
case $1 in
--merge) seconds= ;;
'' | 0 | *[!0-9]*) usage ;;
*) seconds=$1 ;;
esac
shift
all=$(cd $source && echo fuzz_*.c | sed 's/fuzz_\([a-z_]*\)\.c/\1/g')
targets=("$@")
# shellcheck disable=SC2206 # a list of words
[ $# -gt 0 ] || targets=($all)
for target in "${targets[@]}"; do
    case " $all " in
    *" $target "*) ;;
    *)
        echo "run.sh: there is no target '$target'; targets: $all" >&2
        exit 2
        ;;
    esac
done

clang=${CC:-}
for candidate in clang-14 clang; do
    [ -n "$clang" ] || clang=$(command -v $candidate)
done
[ -n "$clang" ] || { echo "run.sh: clang is needed (apt package clang)" >&2; exit 1; }
mkdir -p $build/findings
if [ ! -f $build/build.ninja ]; then
    CC=$clang meson setup $build -Dfuzz=true -Dbuildtype=debugoptimized -Db_ndebug=false \
        -Db_lundef=false >$build/setup.log 2>&1 ||
        { cat $build/setup.log >&2; exit 1; }
fi
ninja -C $build fuzz >$build/ninja.log 2>&1 || { tail -n 40 $build/ninja.log >&2; exit 1; }

# Some systems randomise addresses more than the sanitizers of this compiler can take.
fixed=
if setarch "$(uname -m)" -R true 2>/dev/null; then
    fixed="setarch $(uname -m) -R"
fi
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1

# option TARGET: largest input.
largest_of() {
    local pair
    for pair in "${largest[@]}"; do
        [ "${pair%%=*}" != "$1" ] || echo "${pair#*=}"
    done
}

found=0
for target in "${targets[@]}"; do
    program=$build/tests/fuzz/fuzz_$target
    kept=$source/corpus/$target
    grown=$build/corpus/$target
    log=$build/$target.log
    mkdir -p "$grown"
    options=(-max_len="$(largest_of "$target")" -timeout=10 -rss_limit_mb=2048)
    [ ! -f $source/$target.dict ] || options+=(-dict=$source/$target.dict)
    if [ -z "$seconds" ]; then
        before=$(ls "$kept" | wc -l)
        # Code reached counts, how often does not: a few dozen files instead of hundreds.
        $fixed "$program" -set_cover_merge=1 -use_counters=0 "${options[@]}" "$kept" "$grown" \
            >"$log" 2>&1 || found=1
        printf '%-9s kept inputs: %d, before %d\n' "$target" "$(ls "$kept" | wc -l)" "$before"
        continue
    fi
    # shellcheck disable=SC2086 # a list of words
    $fixed "$program" "${options[@]}" -max_total_time="$seconds" -print_final_stats=1 \
        -artifact_prefix="$build/findings/$target-" "$grown" "$kept" >"$log" 2>&1
    status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
    if [ $status -eq 0 ] && [ "${runs:-0}" -gt 0 ]; then
        printf '%-9s ok: %d runs in %d s, %d edges\n' "$target" "$runs" "$seconds" "${edges:-0}"
        continue
    fi
    found=1
    input=$(sed -n 's/.*Test unit written to \(.*\)/\1/p' "$log" | tail -n 1)
    cause=$(grep -m 1 -E 'not true|ERROR: |runtime error: ' "$log" | cut -c1-150)
    printf '%-9s FOUND: %s\n          repeat: %s %s\n' "$target" "${cause:-see $log}" "$program" "$input"
done
exit $found
