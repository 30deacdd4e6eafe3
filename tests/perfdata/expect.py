#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What perf says of the recordings in testdata/perfdata, which is what the tests expect.

    expect.py kallsyms DIR          DIR/kallsyms: of /proc/kallsyms what their samples hit
    expect.py values DIR [NAME...]  NAME.want.tsv, NAME.comms.tsv, NAME.inclusive.tsv,
                                    NAME.filters.tsv, NAME.lost.tsv

Sums of single samples as `perf script` tells them, held against the rows of
`perf report`; a difference ends the program. Needs perf 6.1.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
from bisect import bisect_right
from collections import Counter

import pdfile

REPAIRED = {'killed', 'cut'}  # perf refuses them: see repaired()
FRAMES = {'frames', 'frames-two', 'crowd-frames', 'system-frames', 'big-frames'}
# Options that choose samples; {} is the number of a task of that name.
FILTERS = {
    'forks': (('comms', 'mix'), ('comms', 'two words,mix'), ('pid', '{forks}'), ('tid', '{mix}'),
              ('time', '30%-60%'), ('time', '{third},')),
    'crowd': (('tid', '{worker:3}'), ('time', ',{third}'), ('comms', 'crowd')),
    'system': (('cpu', '0'), ('cpu', '0-1'), ('cpu', '1')),
    'two-kinds': (('time', '10%-20%'),),
}
SAMPLE = re.compile(r'^\s*(\d+)\s+(\S+):(.*)$')
FRAME = re.compile(r'^\s*([0-9a-f]+) (.*?) \((.+)\)$')  # no symbol here has " (" in it
COMM = re.compile(r'^\s*(.*?)\s+(\d+)\s+(\S+):\s*$')
KERNEL = range(0xffffffff80000000, 0xffffffffc0000000)  # less modules and BPF
KEPT_TYPES = set('TtWwDdBb')
REFERENCES = {'_text', '_stext', '_etext'}
UNKNOWN = '[unknown]'


def perf(*words):
    done = subprocess.run(['perf', *words], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0 or 'failed to process' in done.stderr:
        sys.exit(f'perf {" ".join(words)}: {done.stderr}')
    return done.stdout


def repaired(path):
    """A copy whose header claims the whole records that are there, and no features."""
    with open(path, 'rb') as f:
        raw = bytearray(f.read())
    at = struct.unpack_from('<Q', raw, 40)[0]
    size = sum(len(record) for _, _, record in pdfile.records(bytes(raw[at:])))
    raw[48:56] = struct.pack('<Q', size)
    raw[72:104] = bytes(32)
    with open(path + '.repaired', 'wb') as f:
        f.write(raw[:at + size])
    return path + '.repaired'


def recordings(folder):
    return sorted(n[:-5] for n in os.listdir(folder) if n.endswith('.data'))


class Recording:
    def __init__(self, folder, name):
        self.base = os.path.join(folder, name)
        self.path = self.base + '.data'
        if name in REPAIRED:
            self.path = repaired(self.path)
        self.words = ['-f', '-i', self.path, '--symfs', os.path.join(folder, 'symfs'),
                      '--kallsyms', os.path.join(folder, 'kallsyms')]

    def done(self):
        if self.path.endswith('.repaired'):
            os.unlink(self.path)

    def samples(self, *words):
        """(event, period, dso, symbol), one each."""
        for line in perf('script', *self.words, *words, '-G', '-F',
                         'event,period,ip,sym,dso').splitlines():
            period, event, frame = SAMPLE.match(line).groups()
            yield event, int(period), *FRAME.match(frame).groups()[:0:-1]

    def chains(self):
        """(event, period, set of (dso, symbol)), one a sample."""
        chain = None
        for line in perf('script', *self.words, '--no-inline', '-F',
                         'event,period,ip,sym,dso').splitlines():
            head = SAMPLE.match(line) if not line.startswith('\t') else None
            if head:
                if chain:
                    yield chain
                chain = (head[2], int(head[1]), set())
                line = head[3]
            if line.strip():
                symbol, dso = FRAME.match(line).groups()[1:]
                chain[2].add((dso, symbol))
        if chain:
            yield chain

    def report(self, *words):
        """(event, fields) of each row; the text has the event above its rows."""
        event = None
        for line in perf('report', *self.words, '--stdio', '--no-group', '-g', 'none', '-t',
                         '\t', *words).splitlines():
            head = re.match(r"# Samples: .* of events? '(.*)'", line)
            if head:
                event = head[1]
            elif line and not line.startswith('#'):
                yield event, [field.strip() for field in line.split('\t')]


def shown(dso):
    """As perf report has it."""
    jit = re.match(r'/tmp/perf-(\d+)\.map$', dso)
    return f'[JIT] tid {jit[1]}' if jit else dso if dso.startswith('[') \
        else os.path.basename(dso)


def resolved(symbol):
    """A row's symbol, less the letter before it; what has none stands as an address."""
    return UNKNOWN if re.match(r'(0x)?[0-9a-f]{16}$', symbol) else symbol


def write(path, columns, rows):
    with open(path, 'w', encoding='utf-8') as f:
        for row in [columns, *rows]:
            f.write('\t'.join(map(str, row)) + '\n')


def summed(samples):
    """{(event, dso, symbol): (samples, period)}"""
    sums = {}
    for event, period, *where in samples:
        n, total = sums.get((event, *where), (0, 0))
        sums[event, *where] = n + 1, total + period
    return sums


def functions(recording):
    samples = list(recording.samples())
    sums = summed(samples)
    by_name = summed((event, period, shown(dso), symbol) for event, period, dso, symbol in samples)
    reported = {}
    for event, (n, period, dso, symbol) in recording.report(
            '--no-children', '-F', 'sample,period,dso,sym'):
        key = event, dso, resolved(symbol.split('] ', 1)[1])
        n_before, before = reported.get(key, (0, 0))
        reported[key] = n_before + int(n), before + int(period)
    if by_name != reported:
        sys.exit(f'{recording.base}: perf script and perf report differ: ' + str(sorted(
            set(by_name.items()) ^ set(reported.items()))))
    write(recording.base + '.want.tsv', ('event', 'samples', 'period', 'dso', 'symbol'),
          sorted((event, *counts, dso, symbol) for (event, dso, symbol), counts in sums.items()))
    return {event: sum(p for (e, _, _), (_, p) in sums.items() if e == event)
            for event, _, _ in sums}


def comms(recording):
    """perf report cuts the names to the width of their column."""
    sums = {}
    for line in perf('script', *recording.words, '-G', '-F', 'comm,event,period').splitlines():
        comm, period, event = COMM.match(line).groups()
        n, total = sums.get((event, comm), (0, 0))
        sums[event, comm] = n + 1, total + int(period)
    rows = sorted((event, *counts, comm) for (event, comm), counts in sums.items())
    told = sorted((event, int(n), int(period), comm) for event, (n, period, comm) in
                  recording.report('--no-children', '-F', 'sample,period,comm'))
    if len(rows) != len(told) or not all(
            ours[:3] == theirs[:3] and ours[3].startswith(theirs[3])
            for ours, theirs in zip(rows, told)):
        sys.exit(f'{recording.base}: perf script says {rows}, perf report {told}')
    write(recording.base + '.comms.tsv', ('event', 'samples', 'period', 'comm'), rows)


def inclusive(recording, totals):
    """Each function once a chain; perf report tells percents, which must be these."""
    sums = Counter()
    for event, period, frames in recording.chains():
        for dso, symbol in frames:
            if symbol != UNKNOWN:
                sums[event, shown(dso), symbol] += period
    told = {}
    for event, (percent, dso, symbol) in recording.report(
            '--children', '-F', 'overhead_children,dso,sym'):
        if resolved(symbol.split('] ', 1)[1]) != UNKNOWN:
            told[event, dso, symbol.split('] ', 1)[1]] = percent
    ours = {key: f'{100 * period / totals[key[0]]:.2f}%' for key, period in sums.items()}
    if ours != told:
        sys.exit(f'{recording.base}: chains and perf report differ: ' + str(sorted(
            set(ours.items()) ^ set(told.items()))))
    write(recording.base + '.inclusive.tsv', ('event', 'period', 'dso', 'symbol'),
          sorted((event, period, dso, symbol) for (event, dso, symbol), period in sums.items()))


def lost(recording, totals):
    """How many samples the kernel could not hand over."""
    (event,) = totals
    n = re.search(r'^# Total Lost Samples: (\d+)$',
                  perf('report', *recording.words, '--stdio'), re.M)[1]
    write(recording.base + '.lost.tsv', ('event', 'lost'), [(event, n)])


def filters(recording, options):
    facts = {}
    times = []
    for line in perf('script', *recording.words, '-G', '-F', 'comm,tid,time').splitlines():
        comm, tid, time = re.match(r'^\s*(.*?)\s+(\d+)\s+([0-9.]+):', line).groups()
        facts[comm] = tid
        times.append(time)
    facts['third'] = times[len(times) // 3]
    rows = []
    for option, value in options:
        value = re.sub(r'\{(.*)\}', lambda found: facts[found[1]], value)
        sums = summed(recording.samples('--' + option, value))
        rows += sorted((option, value, event, *counts, dso, symbol)
                       for (event, dso, symbol), counts in sums.items())
    write(recording.base + '.filters.tsv', ('option', 'value', 'event', 'samples', 'period', 'dso',
                                            'symbol'), rows)


def values(folder, names):
    jit = os.path.join(folder, 'symfs', 'tmp')
    maps = [name for name in os.listdir(jit) if name.endswith('.map')]
    for name in maps:  # perf looks for them nowhere else
        shutil.copy(os.path.join(jit, name), '/tmp')
    for name in names or recordings(folder):
        recording = Recording(folder, name)
        totals = functions(recording)
        comms(recording)
        if name in FRAMES:
            inclusive(recording, totals)
        if name == 'lost':
            lost(recording, totals)
        if name in FILTERS:
            filters(recording, FILTERS[name])
        recording.done()
    for name in maps:
        os.unlink(os.path.join('/tmp', name))


def kallsyms(folder):
    """The lines at each address that was hit, and those right before and behind."""
    with open('/proc/kallsyms', encoding='ascii') as f:
        lines = [line for line in f if '[' not in line]
    lines.sort(key=lambda line: int(line.split()[0], 16))  # stable: aliases keep their order
    starts = sorted({int(line.split()[0], 16) for line in lines if line.split()[1] in KEPT_TYPES})
    kept = set()
    for name in recordings(folder):
        path = os.path.join(folder, name + '.data')
        if name in REPAIRED:
            path = repaired(path)
        for word in perf('script', '-f', '-i', path, '--no-inline', '-F', 'ip').split():
            if int(word, 16) in KERNEL:
                i = bisect_right(starts, int(word, 16))
                kept.update(starts[max(i - 2, 0):i + 1])
        if name in REPAIRED:
            os.unlink(path)
    with open(os.path.join(folder, 'kallsyms'), 'w', encoding='ascii') as f:
        f.writelines(line for line in lines
                     if int(line.split()[0], 16) in kept or line.split()[2] in REFERENCES)


def main(what, folder, *names):
    if what == 'kallsyms':
        kallsyms(folder)
    else:
        values(folder, names)


if __name__ == '__main__':
    main(*sys.argv[1:])
