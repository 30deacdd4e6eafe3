#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/perfdata/make.sh [NAME...]: makes testdata/perfdata anew: programs, recordings,
# and what perf says of them. Needs perf 6.1 that may count CPU clocks of the kernel
# (root), gcc, g++. No test runs it: recordings of another machine are others, and every
# expected value is made with them. Works in /tmp/pd, which it empties, because the paths
# of the programs are in the recordings. With names, only these recordings are made anew.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
to=$here/../../testdata/perfdata
to=$(cd "$to" && pwd)
only=" $* "
work=/tmp/pd
export HOME=$work/home LC_ALL=C PYTHONDONTWRITEBYTECODE=1

rm -rf $work
mkdir -p $work/out $HOME
cd $work
if [ $# -eq 0 ]; then
	rm -rf "$to/symfs"
	"$here/build.sh" "$to/src" $work
	mkdir -p "$to/symfs$work/other"
	cp -p $(find . -maxdepth 1 -type f) "$to/symfs$work/"
	cp -p other/twins "$to/symfs$work/other/"
else # the recordings kept are of the programs kept
	cp -pr "$to/symfs$work/." .
	cp -p turn turn.later
	cp -p "$to"/symfs/.debug/.build-id/*/*/elf turn
fi
cp -p turn turn.first

# rec NAME [OPTION...] -- COMMAND: one recording, NAME.data
rec() {
	local name=$1
	shift
	wanted "$name" || return 0
	echo "perf record $*" >&2
	perf record -q -N -o "out/$name.data" "$@"
	"$here/scrub.py" "out/$name.data"
}

wanted() {
	[ "$only" = "  " ] || [[ "$only" == *" $1 "* ]]
}

clock="-e cpu-clock"
rec plain $clock -F 997 -- ./mix 300
rec default -F 500 -- ./mix 200
rec fixed $clock -c 1000000 -- ./mix 300
rec user $clock -F 997 --all-user -- ./mix 200
rec kernel $clock -F 997 --all-kernel -- ./mix 200
rec two-ids -F 499 -e cpu-clock,page-faults -- ./mix 200
rec two-kinds -e cpu-clock/freq=499/,page-faults/period=20/ -- ./mix 200
rec group -F 499 -e '{cpu-clock,page-faults}:S' -- ./mix 200
rec group-plain -F 499 -e '{cpu-clock,task-clock}' -- ./mix 150
rec no-buildid $clock -F 997 -B -- ./mix 200
rec buildid-mmap $clock -F 997 --buildid-mmap -- ./mix 200
rec per-thread $clock -F 997 --per-thread -- ./crowd
rec tail $clock -F 997 --tail-synthesize -- ./mix 200
rec zstd $clock -F 1999 -z -- ./mix 300
rec frames $clock -F 499 -g -- ./chain 1500
rec frames-two -e cpu-clock/freq=299/,task-clock/period=4000000/ -g -- ./chain 1000
rec dwarf $clock -F 299 --call-graph dwarf,256 -- ./chain 1200
rec forks $clock -F 1499 -- ./forks 24
rec dlopen $clock -F 1999 -- ./load 20
rec shapes $clock -F 997 -- ./shapes
rec twins $clock -F 997 -- ./twins
rec stub $clock -F 1999 -- ./stub
rec parts $clock -F 1999 -- ./parts
rec crowd $clock -F 997 -- ./crowd
rec crowd-frames $clock -F 499 -g -- ./crowd
rec alias $clock -F 997 -- ./alias
rec bpf $clock -F 997 -- ./filter
rec jit $clock -F 997 -- ./jit
rec names $clock -F 997 -- sh -c './twins & other/twins 200 & wait'

# The file is replaced by another build while it runs; symfs has the later one in its
# place, and the first one in the build-id cache. perf reads build-ids at the end, which
# is the later one's then, or takes those that the kernel saw.
cp -p turn.first turn
cp -p turn.later next
rec replaced $clock -F 997 -- ./turn turn next
cp -p turn.first turn
cp -p turn.later next
rec replaced-mmap $clock -F 997 --buildid-mmap -- ./turn turn next
# A program without symbols, which are in a file that its .gnu_debuglink names.
if [ ! -e linked ]; then
	mkdir -p .debug "$to/symfs$work/.debug"
	objcopy --only-keep-debug parts .debug/linked.debug
	(cd .debug && objcopy --strip-all --add-gnu-debuglink=linked.debug ../parts ../linked)
	cp -p .debug/linked.debug "$to/symfs$work/.debug/"
	cp -p linked "$to/symfs$work/"
fi
rec debuglink $clock -F 1999 -- ./linked
# A program whose file is of another build, and nowhere else.
cp -p mix stale
rec stale $clock -F 997 -- ./stale 100
if wanted jit; then
	rm -f "$to"/symfs/tmp/perf-*.map
	mkdir -p "$to/symfs/tmp"
	mv /tmp/perf-"$(perf script -i out/jit.data -F pid | sort -u | tr -d ' ')".map \
		"$to/symfs/tmp/"
fi

if wanted pipe; then
	perf record -q -N $clock -F 997 -o - -- ./mix 200 > out/pipe.data
	"$here/scrub.py" out/pipe.data
fi
if wanted zstd-pipe; then
	perf record -q -N $clock -F 997 -z -o - -- ./mix 200 > out/zstd-pipe.data
	"$here/scrub.py" out/zstd-pipe.data
fi
if wanted threads; then
	perf record -q -N $clock -F 997 --threads -o out/threads.data -- ./forks 12
	"$here/scrub.py" out/threads.data/data
fi
if wanted zstd-threads; then
	perf record -q -N $clock -F 997 -z --threads -o out/zstd-threads.data -- ./forks 12
	"$here/scrub.py" out/zstd-threads.data/data
fi
if wanted system; then
	perf record -q -N $clock -F 499 -a -o out/system.data -- sh -c "./forks 12; sleep 0.3"
	"$here/scrub.py" out/system.data forks mix 'two words' sh sleep
fi
if wanted system-frames; then
	perf record -q -N $clock -F 299 -g -a -o out/system-frames.data -- ./chain 800
	"$here/scrub.py" out/system-frames.data chain
fi
if wanted attach; then
	./mix 1500 & pid=$!
	perf record -q -N $clock -F 299 -p $pid -o out/attach.data
	"$here/scrub.py" out/attach.data
fi
if wanted piece; then
	perf record -q -N $clock -F 1999 -m 4 --switch-output=16K -o out/piece.data -- ./mix 900
	mv "$(ls out/piece.data.* | sort | sed -n 2p)" out/piece.data
	rm -f out/piece.data.*
	"$here/scrub.py" out/piece.data
fi
if wanted lost; then
	# A small buffer, and nobody reads it for a while.
	perf record -q -N $clock -F 999 -m 1 -o out/lost.data -- ./mix 900 & pid=$!
	sleep 0.8
	kill -STOP $pid
	sleep 0.4
	kill -CONT $pid
	wait $pid
	"$here/scrub.py" out/lost.data
fi
if wanted killed; then
	# Small buffers, so that something has been written; mix ends by itself.
	perf record -q -N $clock -F 999 -m 4 -o out/killed.data -- ./mix 3000 & pid=$!
	until [ "$(stat -c %s out/killed.data 2>/dev/null || echo 0)" -gt 20000 ]; do
		sleep 0.05
	done
	kill -KILL $pid
	wait $pid || true
	"$here/scrub.py" out/killed.data
fi
# Made of others, byte by byte.
of() {
	if [ -e "out/$1.data" ]; then
		echo "out/$1.data"
	else
		echo "$to/$1.data"
	fi
}
if wanted cut; then # in the middle of a record of the data
	head -c 7001 "$(of plain)" > out/cut.data
fi
if wanted cut-features; then # 700 bytes behind the data
	head -c $(($(od -An -tu8 -j40 -N16 "$(of plain)" | tr -s ' ' '+' | sed 's/^+//') + 700)) \
		"$(of plain)" > out/cut-features.data
fi
for name in plain two-kinds frames group fixed; do
	! wanted "big-$name" || "$here/swap.py" "$(of $name)" "out/big-$name.data"
done

for made in out/*; do
	rm -rf "$to/${made#out/}"
	cp -r "$made" "$to/"
done
if [ $# -eq 0 ]; then # which file is where the programs were
	rm "$to/symfs$work/turn.later"
	cp -p turn.later "$to/symfs$work/turn"
	cp -p chain "$to/symfs$work/stale"
	id=$(file -b turn.first | sed 's/.*BuildID\[sha1\]=\([0-9a-f]*\).*/\1/')
	mkdir -p "$to/symfs/.debug/.build-id/${id:0:2}/${id:2}"
	cp -p turn.first "$to/symfs/.debug/.build-id/${id:0:2}/${id:2}/elf"
fi
chmod -R u+rwX,go+rX "$to"
"$here/expect.py" kallsyms "$to"
"$here/expect.py" values "$to"
