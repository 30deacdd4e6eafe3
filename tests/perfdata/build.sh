#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh SOURCES TO: the programs that the recordings in testdata/perfdata are of.
set -eu
sources=$(cd "$1" && pwd)
to=$2
plain="-O2 -fno-ipa-icf -Wl,--strip-debug -Wl,-z,norelro"
small="$plain -Wl,-z,noseparate-code"
mkdir -p "$to/other"
cd "$to"
cc() { gcc -ffile-prefix-map="$sources"=. "$@"; }
cc $plain -o mix "$sources/mix.c"
cc $small -fno-omit-frame-pointer -fno-optimize-sibling-calls -o chain "$sources/chain.c"
cc $small -o forks "$sources/forks.c"
cc $small -rdynamic -o load "$sources/load.c"
cc $small -shared -fPIC -DTURN=turn_a -DSTEP=5 -o plug_a.so "$sources/plug.c"
cc $plain -shared -fPIC -DTURN=turn_b -DSTEP=7 -o plug_b.so "$sources/plug.c"
cc $small -o turn "$sources/turn.c"
cc $small -DLATER -o turn.later "$sources/turn.c"
cc $small -o jit "$sources/jit.c"
g++ -ffile-prefix-map="$sources"=. $small -o shapes "$sources/shapes.cc"
cc $small -o twins "$sources/twins.c" "$sources/twin.c"
cc $small -o other/twins "$sources/chain.c"
cc $small -shared -fPIC -nostdlib -o libstub.so "$sources/stublib.c"
cc $small -nostdlib -o stub "$sources/stub.c" -L. -lstub -Wl,-rpath,.
cc $small -o parts "$sources/parts.c"
cc $small -pthread -o crowd "$sources/crowd.c"
cc $small -nostdlib -static -o alias "$sources/alias.c"
cc $small -o filter "$sources/filter.c"
