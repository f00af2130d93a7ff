#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_install.sh BUILD_DIR
# Installs a finished build through `make install DESTDIR=...` and looks at it as a user of the
# library and the command would: are the files there, does a program compile, link and run in C and
# in C++, are the manual pages found. Prints TAP.
set -u
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
stage=$root/$build/stage
prefix=$stage/usr/local
export PKG_CONFIG_SYSROOT_DIR=$stage PKG_CONFIG_PATH=$prefix/lib/pkgconfig
log=$stage.log
number=0

# promise TEXT COMMAND...: one TAP result; what the command printed explains a failure.
promise() {
    number=$((number + 1))
    if "${@:2}" >"$log" 2>&1; then
        echo "ok $number - $1"
    else
        sed 's/^/# /' "$log"
        echo "not ok $number - $1"
    fi
}

installs() {
    rm -rf "$stage"
    make -C "$root" install BUILD="$build" PREFIX=/usr/local DESTDIR="$stage"
}

# Every public header, the library, its description, the command, the documents; nothing else.
is_complete() {
    local want have
    want=$(cd "$root" && { find include -name '*.h'; printf '%s\n' bin/hazard lib/libhazard.a \
        lib/pkgconfig/hazard.pc; find README.md CHANGELOG.md LICENSE docs -type f |
        sed 's|^|share/doc/hazard/|'; } | sort)
    have=$(cd "$prefix" && find . -type f -not -path './share/man/*' | sed 's|^\./||' | sort)
    diff <(echo "$want") <(echo "$have")
}

knows_its_version() {
    local version
    version=$(pkg-config --modversion hazard) || return
    echo "pkg-config says $version"
    "$prefix/bin/hazard" version | grep -F "$version"
}

program() {
    cat <<'C'
#include <hazard.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    hz_position position;
    hz_error err;
    const char *text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNK";
    if (hz_position_from_dfen(&position, text, strlen(text), &err) != HZ_OK) {
        puts(err.message);
        return 1;
    }
    hz_turn_counts counts;
    if (hz_turns_count(&position, 0, &counts, &err) != HZ_OK) {
        puts(err.message);
        return 1;
    }
    printf("%s %d %u\n", hz_version(), counts.turns > 0,
           hz_roll_set_weight(hz_odds_king(&position, HZ_WHITE)));
    return 0;
}
C
}

# links COMPILER SUFFIX: the program above, all warnings being errors.
links() {
    local source=$stage/program.$2
    program >"$source"
    # shellcheck disable=SC2046 # a list of words
    "$1" -Wall -Wextra -Wpedantic -Werror -o "$stage/program" "$source" \
        $(pkg-config --cflags --libs hazard) && "$stage/program" | tee /dev/stderr |
        grep -qx "$(pkg-config --modversion hazard) 1 [0-9]*"
}

# A header may be used alone and together with any other.
has_no_private_include() {
    ! grep -nE '#include "' "$prefix"/include/hazard.h "$prefix"/include/hazard/*.h
}

# An installed file must not depend on the folder it was built in.
forgets_the_build() {
    ! grep -rlF "$root" "$prefix"
}

has_manual() {
    mman -M "$prefix/share/man" "$1" "$2" | col -b | grep -q "^NAME"
}

has_no_manual_warnings() {
    local page status=0
    for page in "$prefix"/share/man/man*/*; do
        mandoc -T lint -W warning "$page" || status=1
    done
    return $status
}

describes_every_subcommand() {
    local name status=0
    for name in $("$prefix/bin/hazard" help | sed -n 's/^  \([a-z]*\( [a-z]\{1,\}\)\{0,1\}\)  .*/\1/p' |
        tr ' ' '-'); do
        if [ ! -f "$prefix/share/man/man1/hazard-$name.1" ]; then
            echo "no manual page hazard-$name(1)"
            status=1
        fi
    done
    return $status
}

uninstalls() {
    make -C "$root" uninstall BUILD="$build" && ! find "$prefix" -type f | grep .
}

promise "make install works with PREFIX and DESTDIR" installs
promise "the installed tree is complete and holds nothing else" is_complete
promise "command and pkg-config file agree on the version" knows_its_version
promise "a C program compiles, links and runs with pkg-config alone" links gcc c
promise "a C++ program compiles, links and runs with pkg-config alone" links g++ cpp
promise "installed headers include only installed headers" has_no_private_include
promise "no installed file names the folder it was built in" forgets_the_build
promise "man finds libhazard(3)" has_manual 3 libhazard
promise "man finds hazard(1)" has_manual 1 hazard
promise "every subcommand has its manual page" describes_every_subcommand
promise "the manual pages have no warnings" has_no_manual_warnings
promise "make uninstall removes everything again" uninstalls
echo "1..$number"
