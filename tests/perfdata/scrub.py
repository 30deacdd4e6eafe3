#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""scrub.py FILE [COMM...]: what a recording says of the machine it was made on, off it.

Gives the host another name. With names of commands, the records of all tasks that ever
had another one go too, and what is left of the build-ids is that of the files mapped.
"""
import re
import struct
import sys

import pdfile
from pdfile import u

KERNEL_TASKS = re.compile(r'(swapper|kworker|ksoftirqd|rcu|migration|perf$|perf-exec$)')


def task_of(kind, record, attr):
    """Where pid and tid stand in a record, or None."""
    if kind in (pdfile.MMAP, pdfile.COMM, pdfile.MMAP2):
        return u('i', record, 8)[0]
    if kind in (pdfile.EXIT, pdfile.FORK):
        return u('i', record, 8)[0]
    if kind == pdfile.SAMPLE:
        at = 8 + 8 * (attr.has(pdfile.IDENTIFIER) + attr.has(pdfile.IP))
        return u('i', record, at)[0]
    return None


def without_strangers(file, wanted):
    attr = file.attrs[0]
    strangers, known = set(), {0}
    for kind, misc, record in pdfile.records(file.data):
        if kind == pdfile.COMM:
            pid, comm = u('i', record, 8)[0], pdfile.text(record, 16)
            known.add(pid)
            if comm not in wanted and not KERNEL_TASKS.match(comm):
                strangers.add(pid)
    kept, paths = [], {'[kernel.kallsyms]', '[vdso]'}
    for kind, misc, record in pdfile.records(file.data):
        pid = task_of(kind, record, attr)
        if pid is not None and pid != -1 and (pid in strangers or pid not in known):
            continue
        if kind in (pdfile.FORK, pdfile.EXIT) and u('i', record, 12)[0] in strangers:
            continue
        if kind == 73:  # THREAD_MAP: of nobody here
            assert u('Q', record, 8)[0] <= 1
        if kind == pdfile.MMAP2:
            paths.add(pdfile.text(record, 72))
        kept.append(record)
    file.data = b''.join(kept)
    if pdfile.F_BUILD_ID in file.features:
        file.features[pdfile.F_BUILD_ID] = b''.join(
            entry for entry, path in pdfile.build_ids(file.features[pdfile.F_BUILD_ID])
            if path in paths)


def pipe_with_host(raw):
    out = [raw[:16]]
    for kind, _, record in pdfile.records(raw[16:]):
        if kind == pdfile.HEADER_FEATURE and u('Q', record, 8)[0] == pdfile.F_HOSTNAME:
            record = record[:16] + pdfile.with_host(record[16:])
        out.append(record)
    return b''.join(out)


def main(path, *comms):
    with open(path, 'rb') as f:
        raw = f.read()
    if struct.unpack_from('<Q', raw, 8)[0] == 16:
        new = pipe_with_host(raw)
        assert len(new) == len(raw)
    elif struct.unpack_from('<Q', raw, 48)[0] == 0:
        return  # killed: nothing but samples
    else:
        file = pdfile.File(raw)
        file.features[pdfile.F_HOSTNAME] = pdfile.with_host(file.features[pdfile.F_HOSTNAME])
        if comms:
            without_strangers(file, comms)
        new = file.write()
    with open(path, 'wb') as f:
        f.write(new)


if __name__ == '__main__':
    main(*sys.argv[1:])
