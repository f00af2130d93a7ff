#!/bin/sh
# SPDX-License-Identifier: MIT
# onnxruntime.sh [ARCHIVE]
# Puts the shared library of ONNX Runtime into third_party/onnxruntime, where libhazard finds it (it
# is an optional second executor; nothing needs it to build). It comes out of a package of the npm
# registry, of one version and one digest; no script of the package is run. Needs npm, or the package
# as a file. Exit status 3: npm is missing, or this is no machine the library is for.
set -eu

version=1.30.0
package=onnxruntime-node-$version.tgz
sha512=b7086cd42d82fc1164cf5c9ce4e634288536194aba0d444eee10f86f1e50d90cb79c0309c115d6f31537355733136f5503d96894b3987a9a03f1f8d318e7c8ab

archive=${1:-}
case $archive in
'' | /*) ;;
*) archive=$PWD/$archive ;;
esac
cd "$(dirname "$0")/.."
target=third_party/onnxruntime

say() {
    echo "onnxruntime: $*"
}

if [ "$(uname -s)" != Linux ]; then
    say "the library is for Linux; this is $(uname -s)" >&2
    exit 3
fi
case $(uname -m) in
x86_64) inside=package/bin/napi-v6/linux/x64 ;;
aarch64) inside=package/bin/napi-v6/linux/arm64 ;;
*)
    say "there is no library for $(uname -m)" >&2
    exit 3
    ;;
esac

if [ -f "$target/libonnxruntime.so.1" ] && [ "$(cat "$target/VERSION" 2>/dev/null)" = "$version" ]; then
    say "$target/libonnxruntime.so.1 is there, version $version"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

if [ -z "$archive" ]; then
    if ! command -v npm >/dev/null; then
        say "npm is missing, which fetches $package." >&2
        say "Install it (on Debian: apt-get install npm), or fetch the file elsewhere and run" >&2
        say "tools/onnxruntime.sh FILE" >&2
        exit 3
    fi
    say "fetching $package (113 MB)"
    (cd "$work" && npm pack --silent --ignore-scripts "onnxruntime-node@$version" >/dev/null)
    archive=$work/$package
fi

if ! echo "$sha512  $archive" | sha512sum --check --status -; then
    say "$archive is not the package that was checked: its SHA-512 differs" >&2
    exit 1
fi
tar -xzf "$archive" -C "$work" "$inside/libonnxruntime.so.1"
mkdir -p "$target"
chmod 644 "$work/$inside/libonnxruntime.so.1"
mv "$work/$inside/libonnxruntime.so.1" "$target/libonnxruntime.so.1"
printf '%s\n' "$version" >"$target/VERSION"
say "$target/libonnxruntime.so.1 unpacked, version $version"
