#!/bin/sh
# SPDX-License-Identifier: MIT
# deps.sh GROUP...
# Looks which packages of the groups (tools/packages.txt) are missing, says so and installs them
# with apt-get, through sudo when not root. Does nothing when all are there.
set -eu
list=$(dirname "$0")/packages.txt

wanted=
for group in "$@"; do
    packages=$(awk -v group="$group" '$1 == group { print $2 }' "$list")
    if [ -z "$packages" ]; then
        echo "deps: there is no package group '$group' in $list" >&2
        exit 2
    fi
    wanted="$wanted $packages"
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    cat >&2 <<EOF
deps: this is not a Debian system, so nothing was installed.
Install what these Debian packages hold with your own package manager:
$(printf '    %s\n' $wanted)
then skip this step with DEPS=no, for example: make run DEPS=no
EOF
    exit 3
fi

missing=
for package in $wanted; do
    state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    case $state in
    *' ok installed') ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        cat >&2 <<EOF
deps: missing packages, and without root rights or sudo they cannot be installed here.
As root, run: apt-get update && apt-get install --no-install-recommends$missing
EOF
        exit 3
    fi
    as_root='sudo'
fi

echo "deps: missing:$missing"
echo "deps: installing them with${as_root:+ sudo} apt-get"
# A stale package list is the usual reason for a failed installation. One unreachable source of
# several must not stop it, so the installation decides.
$as_root apt-get -q update </dev/null || echo "deps: apt-get update reported a problem, going on"
# shellcheck disable=SC2086 # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $missing \
    </dev/null
