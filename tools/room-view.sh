#!/bin/sh
# SPDX-License-Identifier: MIT
# room-view.sh SOURCE VIEWS ROOM [LEANS_ON...]
# Fills VIEWS/ROOM with links to the headers a room may include: inner and public headers of the
# room and of the rooms it leans on, and nothing else. Used by src/meson.build.
set -eu
source=$1 views=$2 room=$3
shift 3
view=$views/$room
rm -rf "$view"
mkdir -p "$view/hazard"
for visible in "$room" "$@"; do
    if [ -d "$source/src/$visible" ]; then
        ln -s "$source/src/$visible" "$view/$visible"
    fi
    if [ -f "$source/include/hazard/$visible.h" ]; then
        ln -s "$source/include/hazard/$visible.h" "$view/hazard/$visible.h"
    fi
done
