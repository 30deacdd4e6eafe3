#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documentation tests: the manual and the README say what the program does.

usage: docs.py PROFDIFF SOURCE_ROOT

- Examples are run and compared: lines that begin with `$ ` in ```console blocks
  of README.md and in `.Bd -literal` blocks of the manual pages, each with the
  output up to the next `$ ` or the end of the block. A block is an example if
  one of its commands runs profdiff; in it, commands that run other programs than
  profdiff and the everyday filters are left alone. A line `...` stands for any
  number of lines. Files named in examples come from testdata/docs, or are written
  testdata/...
- The manual documents the options of --help-all, all of them and no others, and
  names every format of --list-formats.
- --help fits a terminal; mandoc has no complaint; README begins with the two
  commands that matter.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from sandbox import Sandbox, TIME_LIMIT_S  # noqa: E402
from tap import Tap  # noqa: E402

HELP_LINES, HELP_COLUMNS = 24, 80
README_HEAD_LINES = 40
OPERATORS = {'|', '|&', '||', '&&', '&', ';', '('}
FILTERS = {'cat', 'cut', 'echo', 'grep', 'gzip', 'head', 'ls', 'printf', 'sed', 'sort',
           'tail', 'tee', 'tr', 'uniq', 'wc', 'xz', 'zcat', 'zstd'}
# What mandoc makes of the escapes that literal text needs.
ESCAPES = {r'\-': '-', r'\(aq': "'", r'\(dq': '"', r'\(ga': '`', r'\(ha': '^',
           r'\(ti': '~', r'\(rs': '\\', r'\e': '\\', r'\&': ''}
ESCAPE = re.compile('|'.join(re.escape(text) for text in ESCAPES))
OPTION = re.compile(r'(?:^|, )(--?[A-Za-z][A-Za-z0-9-]*)')


def unescape(text):
    return ESCAPE.sub(lambda match: ESCAPES[match[0]], text)


def read_lines(path):
    with open(path, encoding='utf-8') as file:
        return file.read().splitlines()


def blocks(path):
    """Yields (number of the first line, lines) of each literal block."""
    if path.endswith('.md'):
        begin, end, convert = re.compile(r'```console\s*$'), re.compile(r'```\s*$'), str
    else:
        begin, end, convert = (re.compile(r'\.Bd\b.* -literal\b|\.Bd -literal\b'),
                               re.compile(r'\.Ed\b'), unescape)
    start = None
    for number, line in enumerate(read_lines(path), 1):
        if start is None:
            if begin.match(line):
                start, found = number + 1, []
        elif end.match(line):
            yield start, found
            start = None
        else:
            found.append(convert(line))


def examples(start, lines):
    """Yields (line number, command, expected lines) of one block."""
    current = None
    for number, line in enumerate(lines, start):
        if current and current[1].endswith('\\') and not current[2]:
            current[1] = current[1][:-1] + line.lstrip()
        elif line.startswith('$ '):
            if current:
                yield current
            current = [number, line[2:], []]
        elif current:
            current[2].append(line)
    if current:
        yield current


def programs(command):
    """The names of the programs that a shell command runs."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ''
    names, first = [], True
    for word in lexer:
        if word in OPERATORS:
            first = True
        elif first and not re.match(r'\w+=', word):
            names.append(os.path.basename(word))
            first = False
    return names


def is_run(command):
    return set(programs(command)) <= FILTERS | {'profdiff'}


def matches(expected, got):
    """Compares lines; the line `...` matches any number of them."""
    pattern = ''.join('(?:.*\n)*?' if line == '...' else re.escape(line + '\n')
                      for line in expected)
    return re.fullmatch(pattern, ''.join(line + '\n' for line in got)) is not None


def without_blank_end(lines):
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


class Docs:
    def __init__(self, profdiff, root):
        self.tap = Tap()
        self.profdiff = os.path.abspath(profdiff)
        self.root = os.path.abspath(root)
        man = os.path.join(self.root, 'man')
        self.pages = sorted(os.path.join(man, name) for name in os.listdir(man)
                            if re.search(r'\.[157]$', name))
        self.readme = os.path.join(self.root, 'README.md')
        self.manual = os.path.join(man, 'profdiff.1')

    def output(self, *options):
        """What profdiff prints for the options; None where it fails."""
        with tempfile.TemporaryDirectory(prefix='profdiff-') as top:
            outcome = Sandbox(top, self.profdiff).run(['profdiff', *options])
        if outcome.exit != 0:
            self.tap.case(False, f'profdiff {" ".join(options)}',
                          [f'exit status {outcome.exit}', outcome.stderr.decode()])
            return None
        return outcome.stdout.decode().splitlines()

    def prepare(self, sandbox):
        """Lets the paths that examples use lead somewhere."""
        testdata = os.path.join(self.root, 'testdata')
        docs = os.path.join(testdata, 'docs')
        if os.path.isdir(docs):
            shutil.copytree(docs, sandbox.work, dirs_exist_ok=True)
        os.symlink(testdata, os.path.join(sandbox.work, 'testdata'))
        os.mkdir(os.path.join(sandbox.work, 'build'))
        os.symlink(self.profdiff, os.path.join(sandbox.work, 'build', 'profdiff'))

    def run_block(self, name, found):
        """Runs one block's examples in one scratch directory; returns how many."""
        n_run = 0
        with tempfile.TemporaryDirectory(prefix='profdiff-') as top:
            sandbox = Sandbox(top, self.profdiff)
            self.prepare(sandbox)
            for number, command, expected in found:
                title = f'{name}:{number}: {command}'
                if not is_run(command):
                    self.tap.note(f'not run: {title}')
                    continue
                n_run += 1
                outcome = sandbox.run(['sh', '-c', command], merge=True)
                expected = without_blank_end(expected)
                got = without_blank_end(
                    outcome.stdout.decode('utf-8', 'backslashreplace').splitlines())
                notes = ['expected:', *(f'  {line}' for line in expected),
                         'got:', *(f'  {line}' for line in got)]
                if outcome.exit is None:
                    notes.append(f'did not end within {TIME_LIMIT_S} s')
                self.tap.case(outcome.exit is not None and matches(expected, got),
                              title, notes)
        return n_run

    def check_examples(self):
        for path in [self.readme, *self.pages]:
            name = os.path.relpath(path, self.root)
            n_run = 0
            for start, lines in blocks(path):
                found = list(examples(start, lines))
                if any('profdiff' in programs(command) for _, command, _ in found):
                    n_run += self.run_block(name, found)
            if path in (self.readme, self.manual):
                self.tap.case(n_run > 0, f'{name} has an example that can be run')

    def check_options(self):
        text = self.output('--help-all')
        if text is None:
            return
        listed = set()
        for line in text:
            head = re.match(r' {2,}(-.*?)(?:  |$)', line)
            if head:
                listed.update(OPTION.findall(head[1]))
        documented = set()
        for line in read_lines(self.manual):
            if line.startswith('.It Fl '):
                documented.update(self.item_options(line))
        for option in sorted(listed | documented):
            where = 'the manual' if option in listed else '--help-all'
            self.tap.case(option in listed & documented, f'{option} is documented',
                          [f'{option} is not in {where}'])

    @staticmethod
    def item_options(line):
        """The options of an item: `.It Fl n , Fl Fl top Ns = Ns Ar N`."""
        words = unescape(line).split()[1:]
        found, n_dashes = [], 0
        for word in words:
            if word == 'Fl':
                n_dashes += 1
            elif n_dashes:
                found.append('-' * n_dashes + word)
                n_dashes = 0
        return found

    def check_help(self):
        text = self.output('--help')
        if text is None:
            return
        widest = max(map(len, text), default=0)
        self.tap.case(0 < len(text) <= HELP_LINES and widest <= HELP_COLUMNS,
                      f'--help fits {HELP_LINES} lines of {HELP_COLUMNS} columns',
                      [f'{len(text)} lines, the widest has {widest} columns'])

    def check_formats(self):
        text = self.output('--list-formats')
        if text is None:
            return
        pages = '\n'.join(line for page in self.pages for line in read_lines(page))
        words = set(re.findall(r'[\w-]+', unescape(pages)))
        formats = [line.split()[0] for line in text if line.strip()]
        self.tap.case(bool(formats), '--list-formats lists formats')
        for name in formats:
            self.tap.case(name in words, f'format {name} is documented',
                          ['not in any manual page'])

    def check_mandoc(self):
        for path in self.pages:
            name = f'mandoc accepts {os.path.relpath(path, self.root)}'
            if not shutil.which('mandoc'):
                self.tap.skip(name, 'no mandoc')
                continue
            done = subprocess.run(['mandoc', '-T', 'lint', '-W', 'warning', path],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  check=False)
            self.tap.case(done.returncode == 0, name, [done.stdout.decode()])

    def check_readme(self):
        head = '\n'.join(read_lines(self.readme)[:README_HEAD_LINES])
        for command in ('tools/quickstart', 'tools/check'):
            self.tap.case(command in head, f'README.md begins with {command}',
                          [f'not in its first {README_HEAD_LINES} lines'])

    def run(self):
        self.check_examples()
        self.check_options()
        self.check_help()
        self.check_formats()
        self.check_mandoc()
        self.check_readme()
        return self.tap.done()


def main(argv):
    if len(argv) != 3:
        sys.exit(__doc__)
    return Docs(*argv[1:]).run()


if __name__ == '__main__':
    sys.exit(main(sys.argv))
