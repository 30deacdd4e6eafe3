#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tools/record: the order of its runs, its files, its errors; and a real recording.

    tests/record/run.py PROFDIFF

A perf of the test's own writes down what it was asked for and runs the command.
"""
import glob
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..'))
from tap import Tap  # noqa: E402

RECORD = os.path.join(HERE, '..', '..', 'tools', 'record')
FAKE_PERF = '''#!/bin/sh
echo "$*" >>"$PERF_LOG"
while [ "$1" != -o ]; do shift; done
echo recorded >"$2"
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
'''


def record(folder, *words, path=None):
    env = dict(os.environ, PERF_LOG=os.path.join(folder, 'log'), LC_ALL='C')
    env['PATH'] = path or os.path.join(folder, 'bin') + ':' + env['PATH']
    return subprocess.run([sys.executable, RECORD, *words], cwd=folder, env=env, check=False,
                          capture_output=True, text=True)


def names(folder, label):
    return sorted(os.listdir(os.path.join(folder, label)))


def test_turns(tap, folder):
    ran = record(folder, '-n', '3', '-e', 'cpu-clock', '-F', '99', '-g', '-o', 'out',
                 'old=echo old >>turns', "new=echo 'n'ew >>turns")
    with open(os.path.join(folder, 'turns'), encoding='ascii') as f:
        turns = f.read().split()
    tap.case(ran.returncode == 0 and turns == ['old', 'new', 'new', 'old', 'old', 'new'],
             'builds take turns, and each begins a round', [ran.stderr, repr(turns)])
    out = os.path.join(folder, 'out')
    tap.case(all(names(out, label) == ['1.data', '2.data', '3.data'] for label in ('old', 'new')),
             'a folder a build has its runs')
    with open(os.path.join(out, 'old.times'), encoding='ascii') as f:
        lines = f.read().split('\n')
    tap.case([line.split()[0] for line in lines if line] ==
             3 * ['BenchmarkRun/elapsed', 'BenchmarkRun/user', 'BenchmarkRun/sys'] and
             all(line.split()[3] == 'ns/op' for line in lines if line),
             'the times of each run are results of benchmarks', lines)
    with open(os.path.join(folder, 'log'), encoding='ascii') as f:
        first = f.readline()
    tap.case(first.startswith('record -q -o out/old/1.data.part -e cpu-clock -F 99 -g -- bash'),
             'perf is asked for what the options say', [first])
    tap.case(ran.stdout == 'profdiff --bench=old=out/old.times --bench=new=out/new.times '
             'out/old/ : out/new/\n', 'the command that compares is printed', [ran.stdout])


def test_errors(tap, folder):
    cases = [
        ('a build that fails', ['-o', 'bad', 'a=exit 7', 'b=true'],
         'record: "exit 7": exit status 7; the runs before it are kept\n'),
        ('runs that are there', ['-o', 'out', 'old=true', 'c=true'],
         'record: out/old is there already; runs of different days do not belong together\n'),
        ('one side', ['a=true'], 'record: expected 2 LABEL=COMMAND, found 1; see --help\n'),
        ('no label', ['true', 'b=true'], 'record: expected LABEL=COMMAND, found "true"\n'),
        ('a label that leads elsewhere', ['../a=true', 'b=true'],
         'record: expected LABEL=COMMAND, found "../a=true"\n'),
        ('equal labels', ['a=true', 'a=true'], 'record: two sides are called a\n'),
        ('no number', ['-n', '0', 'a=true', 'b=true'],
         'record: -n: expected a number of runs, found "0"\n'),
    ]
    for name, words, want in cases:
        ran = record(folder, *words)
        tap.case(ran.returncode == 1 and ran.stderr == want, name, [ran.stderr])
    tap.case(not glob.glob(os.path.join(folder, 'bad', '*')), 'what failed leaves nothing')
    ran = record(folder, 'a=true', 'b=true', path=os.path.join(folder, 'none'))
    tap.case(ran.returncode == 1 and 'perf is not there' in ran.stderr, 'no perf', [ran.stderr])


def test_real(tap, folder, profdiff):
    name = 'a real recording is compared'
    probe = ['perf', 'record', '-q', '-e', 'cpu-clock', '-o', os.path.join(folder, 'probe'), 'true']
    if not shutil.which('perf') or subprocess.run(probe, check=False,
                                                  capture_output=True).returncode:
        tap.skip(name, 'perf cannot record here')
        return
    work = 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done'
    ran = record(folder, '-n', '3', '-e', 'cpu-clock', '-o', 'real', f'a={work}',
                 f'b={work}; {work}', path=os.environ['PATH'])
    words = shlex.split(ran.stdout)[1:]
    compared = subprocess.run([profdiff, '--no-config', *words], cwd=folder, check=False,
                              capture_output=True, text=True)
    tap.case(ran.returncode == 0 and compared.returncode == 0 and
             '3 runs a side' in compared.stdout and 'BenchmarkRun/elapsed' in compared.stdout,
             name, [ran.stderr, compared.stdout, compared.stderr])


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, 'bin'))
        fake = os.path.join(folder, 'bin', 'perf')
        with open(fake, 'w', encoding='ascii') as f:
            f.write(FAKE_PERF)
        os.chmod(fake, 0o755)
        test_turns(tap, folder)
        test_errors(tap, folder)
        test_real(tap, folder, os.path.abspath(sys.argv[1]))
    sys.exit(tap.done())


if __name__ == '__main__':
    main()
