#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden tests: what profdiff writes is compared byte for byte.

usage: run.py (cases | readers) PROFDIFF TESTDATA GOT

cases    TESTDATA/cli/<case>/: `cmd` is a shell script that uses `profdiff`; the
         files stdout, stderr and exit hold what it has to give (no file: nothing,
         or 0). It runs in a scratch directory with copies of the case's other
         files; $TESTDATA is the path of TESTDATA, also in the golden files. It is
         the same wherever the checkout lies, for long lines are broken by width.
         Of a report no line is wider than a mail's, unless it is one word.
readers  TESTDATA/profiles/<format>/<fixture>: `profdiff --show -o json <fixture>`
         has to print <fixture>.want. For a fixture bad-* that file holds
         `exit N` and then the lines of standard error.

Each runs twice and once more under LC_ALL=C, and has to give the same bytes. What
was got instead is written into the directory GOT, which is cleared first.
PD_UPDATE_GOLDEN=1 writes the golden files anew: read the difference.
"""
import difflib
import json
import os
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from sandbox import Sandbox, TIME_LIMIT_S  # noqa: E402
from tap import Tap  # noqa: E402

UPDATE = os.environ.get('PD_UPDATE_GOLDEN') == '1'
LOCALE = 'C.UTF-8'
SANITIZER_EXIT = 99  # as tests/meson.build has it
N_WORKERS = 2
DIFF_LINES = 120
PARTS = ('stdout', 'stderr', 'exit')
MAIL_COLUMNS = 78
LINK = '../testdata'  # $TESTDATA, seen from the sandbox's work/
KNOWN = re.compile(rb'(known formats are ).*')  # a new format changes no other's golden
VERSION = re.compile(rb'("tool"\s*:\s*)"[^"]*"')


def read(path):
    """The bytes of a golden file, None where there is none."""
    try:
        with open(path, 'rb') as file:
            return file.read()
    except FileNotFoundError:
        return None


def lines(data):
    return data.decode('utf-8', 'backslashreplace').splitlines()


def readable(want, got):
    """JSON on one long line makes no useful difference; show it indented."""
    try:
        both = [json.dumps(json.loads(data), indent=1).encode() for data in (want, got)]
    except ValueError:
        return want, got
    return (want, got) if both[0] == both[1] else both


def difference(name, want, got):
    want, got = readable(want, got)
    diff = list(difflib.unified_diff(lines(want), lines(got), name, f'{name} (got)',
                                     lineterm=''))
    if len(diff) > DIFF_LINES:
        diff[DIFF_LINES:] = [f'({len(diff) - DIFF_LINES} more lines)']
    if not diff:
        diff = [f'{name}: differs only in line ends: want {want[-40:]!r}, got {got[-40:]!r}']
    return '\n'.join(diff)


class Golden:
    """One golden test: a name, what to run, and the files it is compared with."""

    def __init__(self, suite, name):
        self.suite = suite
        self.name = name

    def outcome(self, locale):
        with tempfile.TemporaryDirectory(prefix='profdiff-') as top:
            outcome = self.run(Sandbox(top, self.suite.profdiff), locale)
        link = os.fsencode(LINK)
        return outcome._replace(stdout=outcome.stdout.replace(link, b'$TESTDATA'),
                                stderr=outcome.stderr.replace(link, b'$TESTDATA'))

    def check(self):
        """Returns what is wrong (a list of texts) and what was updated (paths)."""
        wrong = self.refused()
        if wrong:
            return wrong, []
        first = self.outcome(LOCALE)
        if first.exit is None:
            return [f'did not end within {TIME_LIMIT_S} s'], []
        if first.exit == SANITIZER_EXIT:
            return ['a sanitizer reports:', first.stderr.decode(errors='replace')], []
        for what, locale in (('a second time', LOCALE), ('with LC_ALL=C', 'C')):
            outcome = self.outcome(locale)
            if outcome == first:
                continue
            wrong.append(f'gives something else when run {what}:')
            for part in ('exit', 'stdout', 'stderr'):
                one, other = (str(getattr(o, part)).encode() if part == 'exit'
                              else getattr(o, part) for o in (first, outcome))
                if one != other:
                    wrong.append(difference(part, one, other))
        if wrong:
            return wrong, []
        return self.compare(first)

    def settle(self, path, got, empty):
        """Compares or updates one golden file; `empty` is what no file stands for."""
        stored = read(path)
        want = empty if stored is None else stored
        shown = os.path.relpath(path, os.path.dirname(self.suite.testdata))
        if got == want:
            return [], []
        if UPDATE:
            if got == empty:
                os.remove(path)
            else:
                with open(path, 'wb') as file:
                    file.write(got)
            return [], [shown]
        base = os.path.basename(path)
        kept = os.path.join(self.suite.got, f'{self.name.replace("/", ".")}.got-{base}')
        with open(kept, 'wb') as file:
            file.write(got)
        if want is None:
            return [f'{shown} is missing (PD_UPDATE_GOLDEN=1 writes it)'], []
        return [difference(shown, want, got)], []


class Case(Golden):
    """A folder of TESTDATA/cli."""

    def __init__(self, suite, name):
        super().__init__(suite, name)
        self.dir = os.path.join(suite.testdata, 'cli', name)
        self.cmd = os.path.join(self.dir, 'cmd')

    def refused(self):
        return [] if os.path.isfile(self.cmd) else [f'cli/{self.name} has no cmd']

    def run(self, sandbox, locale):
        for entry in os.listdir(self.dir):
            source = os.path.join(self.dir, entry)
            target = os.path.join(sandbox.work, entry)
            if entry == 'cmd' or entry in PARTS:
                continue
            if os.path.isdir(source):
                shutil.copytree(source, target, symlinks=True)
            else:
                shutil.copy2(source, target, follow_symlinks=False)
        os.symlink(self.suite.testdata, os.path.join(sandbox.work, LINK))
        return sandbox.run(['sh', self.cmd], locale=locale, variables={'TESTDATA': LINK})

    def compare(self, outcome):
        got = {'stdout': (outcome.stdout, b''), 'stderr': (outcome.stderr, b''),
               'exit': (b'%d\n' % outcome.exit, b'0\n')}
        wrong, updated = [], []
        for part in PARTS:
            more_wrong, more_updated = self.settle(os.path.join(self.dir, part), *got[part])
            wrong += more_wrong
            updated += more_updated
        return wrong + self.too_wide(lines(outcome.stdout)), updated

    def too_wide(self, got):
        """The lines that a mail would break, of reports as text."""
        with open(self.cmd, encoding='utf-8') as file:
            if '--report' not in file.read():
                return []
        # The link is as long as the paths of others; markdown and JSON have their own lines.
        return [f'wider than {MAIL_COLUMNS} columns: {line}' for line in got
                if len(line) > MAIL_COLUMNS and ' ' in line.strip() and line[0] not in '|"'
                and not got[0].startswith('#')]


class Reader(Golden):
    """A fixture of TESTDATA/profiles/<format>."""

    def __init__(self, suite, folder, fixture):
        super().__init__(suite, f'{folder}/{fixture}')
        self.dir = os.path.join(suite.testdata, 'profiles', folder)
        self.fixture = fixture

    def refused(self):
        if os.path.exists(os.path.join(self.dir, self.fixture)):
            return []
        return [f'profiles/{self.name}.want has no fixture']

    def run(self, sandbox, locale):
        # In the fixture's own folder, so that the paths in the output are short.
        return sandbox.run(['profdiff', '--show', '-o', 'json', self.fixture],
                           cwd=self.dir, locale=locale)

    def compare(self, outcome):
        said = outcome.stderr.decode('utf-8', 'backslashreplace')
        if outcome.exit != 0 and outcome.stdout:
            return ['it failed, and wrote on standard output as well'], []
        if self.fixture.startswith('bad-'):
            got = b'exit %d\n' % outcome.exit + KNOWN.sub(rb'\1...', outcome.stderr)
        elif outcome.exit != 0:
            return [f'exit status {outcome.exit} (a file to be refused is named bad-*)',
                    said], []
        else:
            got = VERSION.sub(rb'\1"profdiff"', outcome.stdout, count=1)
        return self.settle(os.path.join(self.dir, self.fixture + '.want'), got, None)


class Suite:
    def __init__(self, profdiff, testdata, got):
        self.profdiff = os.path.abspath(profdiff)
        self.testdata = os.path.realpath(testdata)
        self.got = os.path.abspath(got)
        if os.path.commonpath([self.got, self.testdata]) == self.testdata:
            sys.exit('run.py: %s would be emptied' % self.got)
        shutil.rmtree(self.got, ignore_errors=True)
        os.makedirs(self.got)

    def folders(self, *path):
        top = os.path.join(self.testdata, *path)
        if not os.path.isdir(top):
            return []
        return sorted(name for name in os.listdir(top)
                      if os.path.isdir(os.path.join(top, name)))

    def cases(self):
        return [Case(self, name) for name in self.folders('cli')]

    def readers(self):
        found = []
        for folder in self.folders('profiles'):
            names = os.listdir(os.path.join(self.testdata, 'profiles', folder))
            fixtures = {name[:-len('.want')] if name.endswith('.want') else name
                        for name in names if name not in ('README', 'README.md')}
            found += [Reader(self, folder, fixture) for fixture in sorted(fixtures)]
        return found

    def run(self, tests):
        tap = Tap()
        with ThreadPoolExecutor(N_WORKERS) as pool:
            for test, (wrong, updated) in zip(tests, pool.map(lambda t: t.check(), tests)):
                tap.case(not wrong, test.name, wrong)
                for path in updated:
                    tap.note(f'updated {path}')
        if not tests:
            tap.case(False, 'there are golden tests', [f'none in {self.testdata}'])
        return tap.done()


def main(argv):
    if len(argv) != 5 or argv[1] not in ('cases', 'readers'):
        sys.exit(__doc__)
    suite = Suite(*argv[2:])
    return suite.run(suite.cases() if argv[1] == 'cases' else suite.readers())


if __name__ == '__main__':
    sys.exit(main(sys.argv))
