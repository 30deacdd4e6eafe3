#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings, held against what perf says of them.

usage: run.py PROFDIFF RECORDINGS SCRATCH [PATTERN]

RECORDINGS is testdata/perfdata; its README says how the expected values were made. Each
recording is a case, and so are its filters, inclusive costs, and what is made of it here:
compressed copies, standard input, another place of the kernel. PATTERN, a regular
expression, selects cases by name.
"""
import fcntl
import gzip
import json
import lzma
import os
import re
import shutil
import sys
from collections import Counter
from contextlib import contextmanager

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from sandbox import Sandbox  # noqa: E402
from tap import Tap  # noqa: E402

SANITIZER_EXIT = 99  # as tests/meson.build has it
UNFINISHED = {'killed', 'cut'}  # the recorder died, or the file was cut
KERNEL = {'[kernel.kallsyms]', '[kernel]', 'vmlinux'}
MOVED_BY = 0x1600000  # another boot put the kernel there


class Broken(Exception):
    """The case cannot go on."""


def base_name(module):
    """One spelling of each module: perf script has paths, perf report has not."""
    jit = re.match(r'/tmp/perf-(\d+)\.map$', module)
    if jit:
        return f'[JIT] tid {jit[1]}'
    return 'vmlinux' if module in KERNEL else os.path.basename(module)


def read_rows(path):
    """The lines of a table as dictionaries."""
    with open(path, encoding='utf-8') as f:
        columns, *rows = [line.rstrip('\n').split('\t') for line in f]
    return [dict(zip(columns, row)) for row in rows]


def wanted(rows):
    """{(event, module, symbol): (samples, period)}; a row's samples may not be told."""
    sums = {}
    for row in rows:
        key = row['event'], base_name(row['dso']), row['symbol']
        n, total = sums.get(key, (0, 0))
        sums[key] = n + int(row.get('samples', 0)), total + int(row['period'])
    return sums


def told(profile, rows, value='self', with_samples=True):
    """The same of functions and leftovers as profdiff tells them."""
    sums = {}
    for row in rows:
        for i, event in enumerate(profile['events']):
            period = row[value][i] or 0
            samples = row['samples'][i] if with_samples else 0
            if period or samples:
                key = event['name'], base_name(row['module'] or ''), row['name']
                n, total = sums.get(key, (0, 0))
                sums[key] = n + samples, total + period
    return sums


class Suite:
    def __init__(self, profdiff, recordings, scratch):
        self.recordings = os.path.realpath(recordings)
        self.scratch = os.path.abspath(scratch)
        if os.path.commonpath([self.scratch, self.recordings]) == self.recordings:
            sys.exit(f'run.py: {scratch} would be emptied')
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.makedirs(self.scratch)
        self.sandbox = Sandbox(self.scratch, profdiff)
        self.kallsyms = self.path('kallsyms')
        self.problems = []

    def path(self, name):
        return os.path.join(self.recordings, name)

    def rows(self, name, kind):
        return read_rows(self.path(f'{name}.{kind}.tsv'))

    def equal(self, what, got, want):
        if got == want:
            return
        if isinstance(want, dict):
            got, want = ({k: v for k, v in one.items() if other.get(k) != v}
                         for one, other in ((got, want), (want, got)))
        self.problems.append(f'{what}: expected {want!r}, found {got!r}')

    # ---- profdiff

    def show(self, path, *options):
        """The one profile of a recording, and the diagnostics."""
        words = ['profdiff', '--show', '-o', 'json', '--symfs', self.path('symfs'),
                 '--kallsyms', self.kallsyms, *options, path]
        outcome = self.sandbox.run(words)
        said = outcome.stderr.decode(errors='replace')
        if outcome.exit == SANITIZER_EXIT:
            raise Broken('a sanitizer reports:\n' + said[:4000])
        if outcome.exit != 0:
            raise Broken(f'{" ".join(words)}: exit status {outcome.exit}: {said[:1000]}')
        tree = json.loads(outcome.stdout)
        if len(tree['profiles']) != 1:
            raise Broken(f'{" ".join(words)}: {len(tree["profiles"])} profiles')
        return tree['profiles'][0], tree['diagnostics']

    def check_rows(self, profile, want):
        """Functions and leftovers are the rows of perf, and each event adds up."""
        rows = profile['functions'] + profile['leftovers']
        self.equal('format', profile['format'], 'perf-data')
        self.equal('rows', told(profile, rows), want)
        self.equal('no function is [unknown]',
                   [row for row in profile['functions'] if row['name'] == '[unknown]'], [])
        for i, event in enumerate(profile['events']):
            self.equal(f'total of {event["name"]}', event['total'],
                       sum(row['self'][i] or 0 for row in rows))
            self.equal(f'samples of {event["name"]}', event['samples'],
                       sum(row['samples'][i] or 0 for row in rows))

    def check_same(self, profile, name):
        self.check_rows(profile, wanted(self.rows(name, 'want')))

    @contextmanager
    def jit_maps(self, name):
        """perf looks for the names of a process in /tmp, and nowhere else."""
        made = []
        with open(self.path(name + '.data'), 'rb') as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # another run may want the same name
            for entry in sorted(os.listdir(self.path('symfs/tmp'))):
                target = os.path.join('/tmp', entry)
                if entry.endswith('.map') and not os.path.lexists(target):
                    shutil.copyfile(self.path(os.path.join('symfs/tmp', entry)), target)
                    made.append(target)
            try:
                yield
            finally:
                for target in made:
                    os.unlink(target)

    # ---- cases

    def recording(self, name):
        profile, diagnostics = self.show(self.path(name + '.data'))
        self.check_same(profile, name)
        self.equal('comms', told(profile, [dict(row, module='') for row in profile['comms']]),
                   wanted([dict(row, dso='', symbol=row['comm'])
                           for row in self.rows(name, 'comms')]))
        if name == 'lost':
            self.equal('lost', [event['lost'] for event in profile['events']],
                       [int(row['lost']) for row in self.rows(name, 'lost')])
        warnings = [d['text'] for d in diagnostics if d['severity'] == 'warning']
        if name in UNFINISHED and not warnings:
            self.problems.append('no warning says that the recording is not whole')

    def jit(self, name):
        with self.jit_maps(name):
            self.recording(name)

    def inclusive(self, name):
        profile, _ = self.show(self.path(name + '.data'), '--inclusive')
        self.equal('inclusive costs', told(profile, profile['functions'], 'inclusive', False),
                   wanted(self.rows(name, 'inclusive')))
        self.check_same(profile, name)

    def filtered(self, name, option, value):
        """What is left out is one leftover; the totals are those of the whole."""
        rows = [row for row in self.rows(name, 'filters')
                if (row['option'], row['value']) == (option, value)]
        want, out = wanted(rows), Counter()
        for (event, _, _), counts in wanted(self.rows(name, 'want')).items():
            out.update({(event, n): count for n, count in enumerate(counts)})
        for (event, _, _), counts in want.items():
            out.subtract({(event, n): count for n, count in enumerate(counts)})
        for event in {event for event, _ in out}:
            if out[event, 0]:
                want[event, '', '[filtered]'] = out[event, 0], out[event, 1]
        profile, _ = self.show(self.path(name + '.data'), f'--{option}={value}')
        self.check_rows(profile, want)

    def compressed(self, name, opener, suffix):
        path = os.path.join(self.sandbox.work, name + '.data' + suffix)
        with open(self.path(name + '.data'), 'rb') as plain, opener(path, 'wb') as packed:
            packed.write(plain.read())
        self.check_same(self.show(path)[0], name)

    def standard_input(self, name):
        words = f'profdiff --show -o json --symfs {self.path("symfs")} ' \
            f'--kallsyms {self.kallsyms} - < {self.path(name + ".data")}'
        outcome = self.sandbox.run(['sh', '-c', words])
        if outcome.exit != 0:
            raise Broken(f'{words}: exit status {outcome.exit}: '
                         + outcome.stderr.decode(errors='replace')[:4000])
        profile = json.loads(outcome.stdout)['profiles'][0]
        self.equal('path', profile['path'], '-')
        self.check_same(profile, name)

    def moved_kernel(self, name):
        """A listing of another boot: the reference symbol tells how far it is off."""
        path = os.path.join(self.sandbox.work, 'kallsyms.moved')
        with open(self.kallsyms, encoding='ascii') as f, \
                open(path, 'w', encoding='ascii') as moved:
            for line in f:
                address, rest = line.split(' ', 1)
                moved.write(f'{int(address, 16) + MOVED_BY:016x} {rest}')
        self.kallsyms = path
        self.check_same(self.show(self.path(name + '.data'))[0], name)

    def without_kernel_names(self, name):
        """A listing without addresses names nothing, and nothing is lost."""
        path = os.path.join(self.sandbox.work, 'kallsyms.hidden')
        with open(self.kallsyms, encoding='ascii') as f, \
                open(path, 'w', encoding='ascii') as hidden:
            hidden.writelines('0' * 16 + line[16:] for line in f)
        self.kallsyms = path
        words = ['profdiff', '--show', '-o', 'json', '--symfs', self.path('symfs'),
                 '--kallsyms', path, self.path(name + '.data')]
        outcome = self.sandbox.run(words)
        if outcome.exit == 3:
            self.equal('lines on standard error', outcome.stderr.count(b'\n'), 1)
            return
        profile = json.loads(outcome.stdout)['profiles'][0]
        kernel = [row for row in profile['functions']
                  if base_name(row['module'] or '') == 'vmlinux']
        self.equal('functions of the kernel', kernel, [])

    def run(self, cases):
        tap = Tap()
        kallsyms = self.kallsyms
        for name, function, arguments in cases:
            self.problems, self.kallsyms = [], kallsyms
            try:
                function(self, *arguments)
            except Broken as broken:
                self.problems.append(str(broken))
            except (IndexError, KeyError, TypeError, AttributeError, ValueError, OSError) as error:
                self.problems.append(f'{type(error).__name__} at line '
                                     f'{error.__traceback__.tb_next.tb_lineno}: {error}')
            tap.case(not self.problems, name, self.problems)
        return tap.done()


def cases_of(folder):
    names = sorted(entry[:-5] for entry in os.listdir(folder) if entry.endswith('.data'))
    for name in names:
        yield name, Suite.jit if name == 'jit' else Suite.recording, (name,)
        if os.path.exists(os.path.join(folder, name + '.inclusive.tsv')):
            yield f'{name}: inclusive', Suite.inclusive, (name,)
        filters = os.path.join(folder, name + '.filters.tsv')
        if os.path.exists(filters):
            for option, value in dict.fromkeys((row['option'], row['value'])
                                               for row in read_rows(filters)):
                yield f'{name}: --{option}={value}', Suite.filtered, (name, option, value)
    yield 'plain, in gzip', Suite.compressed, ('plain', gzip.open, '.gz')
    yield 'zstd, in xz', Suite.compressed, ('zstd', lzma.open, '.xz')
    for name in ('pipe', 'zstd-pipe', 'plain'):
        yield f'{name}, from standard input', Suite.standard_input, (name,)
    for name in ('plain', 'system', 'bpf'):
        yield f'{name}, of another boot', Suite.moved_kernel, (name,)
    yield 'plain, without addresses of the kernel', Suite.without_kernel_names, ('plain',)


def main(argv):
    if len(argv) not in (4, 5):
        sys.exit(__doc__)
    pattern = argv[4] if len(argv) == 5 else ''
    return Suite(*argv[1:4]).run([case for case in cases_of(argv[2])
                                  if re.search(pattern, case[0])])


if __name__ == '__main__':
    sys.exit(main(sys.argv))
