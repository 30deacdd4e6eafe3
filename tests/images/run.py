#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sizes and callers of images, held against what binutils say of them.

usage: run.py PROFDIFF SOURCES SCRATCH [PATTERN]

Each case compiles files of SOURCES (testdata/images) in two ways, into a folder of
its own below SCRATCH, which is cleared first. Expected values are those of oracle.py;
nothing is a golden file. PATTERN, a regular expression, selects cases by name.
"""
import json
import os
import re
import shutil
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import code_cases  # noqa: E402
from oracle import Elf, family  # noqa: E402
from sandbox import Sandbox  # noqa: E402
from tap import Tap  # noqa: E402

N_WORKERS = 2
SANITIZER_EXIT = 99  # as tests/meson.build has it
CASES = []  # (name, function)
ACCOUNT_TERMS = ('grown', 'shrunk', 'new', 'gone', 'objects', 'padding', 'unnamed')
OPPOSITE = {'grown': 'shrunk', 'shrunk': 'grown', 'new': 'gone', 'gone': 'new'}


class Skip(Exception):
    """The toolchain lacks something; the text says what."""


class Broken(Exception):
    """The case cannot go on."""


def case(name):
    def register(function):
        CASES.append((name, function))
        return function
    return register


def need(*commands):
    for command in commands:
        if not shutil.which(command):
            raise Skip(f'no {command} here')


class Answer:
    """What --size said of two files, and those as readelf sees them."""

    def __init__(self, tree, a, b):
        self.tree, self.a, self.b = tree, a, b
        self.functions = [row for row in tree['rows'] if row['kind'] == 'function']
        self.texts = [d['text'] for d in tree['diagnostics']]

    def rows(self, name):
        return [row for row in self.functions if row['name'] == name]

    def row(self, name):
        found = self.rows(name)
        if len(found) != 1:
            raise Broken(f'{name} has {len(found)} rows, not one')
        return found[0]

    def inline(self, name):
        found = [row for row in self.tree['inline'] if row['name'] == name]
        return found[0] if len(found) == 1 else None


class Case:
    """The folder of one case; what is wrong gathers in problems."""

    def __init__(self, suite, number):
        top = os.path.join(suite.scratch, str(number))
        os.makedirs(top)
        self.sources = suite.sources
        self.sandbox = Sandbox(top, suite.profdiff)
        self.work = self.sandbox.work
        self.problems = []
        self.commands = []
        self._elves = {}

    # ---- what is expected

    def check(self, passed, text):
        if not passed:
            self.problems.append(text)

    def equal(self, what, got, want):
        self.check(got == want, f'{what}: expected {want!r}, found {got!r}')

    # ---- tools

    def path(self, name):
        return os.path.join(self.work, name)

    def _run(self, argv, cwd=None, variables=None):
        outcome = self.sandbox.run(argv, cwd=cwd or self.work, variables=variables)
        if outcome.exit is None:
            raise Broken(f'{" ".join(argv)}: did not end in time')
        return outcome

    def tool(self, argv, cwd=None):
        """Standard output of a command that has to succeed."""
        outcome = self._run(argv, cwd)
        if outcome.exit != 0:
            raise Broken(f'{" ".join(argv)}: exit status {outcome.exit}: '
                         + outcome.stderr.decode(errors='replace')[:500])
        return outcome.stdout.decode(errors='replace')

    def can(self, argv, cwd=None):
        return self._run(argv, cwd).exit == 0

    def build(self, name, *words):
        """Compiles with gcc, or with the command that is the first word."""
        command = list(words) if not words[0].startswith('-') else ['gcc', *words]
        self.commands.append(' '.join(command) + f' -o {name}')
        self.tool([*command, '-o', self.path(name)], cwd=self.sources)
        return name

    def copy(self, source, target):
        os.makedirs(os.path.dirname(self.path(target)), exist_ok=True)
        shutil.copy2(self.path(source), self.path(target))
        return target

    def elf(self, name):
        if name not in self._elves:
            self._elves[name] = Elf(self.tool, self.path(name))
        return self._elves[name]

    # ---- profdiff

    def profdiff(self, *words, is_again=False):
        # The search for leaks takes as long as all the rest; once a pair is enough.
        variables = {'ASAN_OPTIONS': os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'}
        outcome = self._run(['profdiff', *words], variables=variables if is_again else None)
        if outcome.exit == SANITIZER_EXIT:
            raise Broken('a sanitizer reports:\n' + outcome.stderr.decode(errors='replace')[:4000])
        return outcome

    def tree(self, *words, is_again=False):
        outcome = self.profdiff(*words, '-o', 'json', is_again=is_again)
        if outcome.exit != 0:
            raise Broken(f'profdiff {" ".join(words)}: exit status {outcome.exit}: '
                         + outcome.stderr.decode(errors='replace'))
        return json.loads(outcome.stdout)

    def text(self, *words):
        return self.profdiff(*words).stdout.decode(errors='replace')

    def refused(self, *words, says=()):
        """Exit status 3 and one line that says all of it; nothing on standard output."""
        outcome = self.profdiff(*words)
        told = outcome.stderr.decode(errors='replace')
        command = f'profdiff {" ".join(words)}'
        self.equal(f'{command}: exit status', outcome.exit, 3)
        self.equal(f'{command}: standard output', outcome.stdout, b'')
        self.equal(f'{command}: lines on standard error ({told!r})', told.count('\n'), 1)
        for word in says:
            self.check(word in told, f'{command}: expected "{word}" in {told!r}')

    # ---- pairs

    def pair(self, a, b, *options, symbols_of=None, with_inlines=True):
        """--size of two files, with all that holds of each pair; see the rules above each."""
        tree = self.tree('--size', *options, a, b)
        elves = [self.elf(name) for name in (a, b)]
        symbols = [self.elf(name) for name in symbols_of] if symbols_of else elves
        answer = Answer(tree, *symbols)
        self.check_images(tree, elves, (a, b))
        for side in (0, 1):
            self.check_rows(answer, symbols[side], side)
        self.check_accounts(tree, elves, symbols)
        self.check_statuses(answer)
        if with_inlines:
            self.check_inlines(answer)
        self.check_swapped(tree, self.tree('--size', *options, b, a, is_again=True))
        self.check_itself(a, options)
        return answer

    def check_images(self, tree, elves, names):
        for image, elf, name in zip(tree['images'], elves, names):
            sections = {}
            for section in image['sections']:
                sections[section['name']] = sections.get(section['name'], 0) + section['bytes']
            self.equal(f'sections of {name}', sections, elf.loaded())
            self.equal(f'file_bytes of {name}', image['file_bytes'],
                       os.path.getsize(self.path(name)))
            self.equal(f'build_id of {name}', image['build_id'], elf.build_id())

    def check_rows(self, answer, elf, side):
        """Each function once, with the sum of its pieces; and the totals."""
        rows = [row for row in answer.functions if row['size'][side] is not None]
        left = list(rows)
        for name, size in elf.rows():
            found = [row for row in left if row['size'][side] == size and
                     name in [family(n) for n in [row['name'], *row['aliases']]]]
            if found:
                left.remove(found[0])
            else:
                self.check(False, f'side {side}: expected a row {name} of {size} bytes, found '
                           f'{[(r["name"], r["size"]) for r in rows if r["name"] == name]}')
        self.check(not left, f'side {side}: rows that no symbol explains: '
                   f'{[(row["name"], row["size"]) for row in left]}')
        totals = answer.tree['totals']['functions']
        self.equal(f'side {side}: totals.functions.bytes', totals['bytes'][side],
                   sum(size for _, size in elf.rows()))
        self.equal(f'side {side}: totals.functions.n', totals['n'][side], len(elf.rows()))
        pieces = {(p.names[0], p.n_bytes) for p in elf.functions()}
        pieces |= {(n, p.n_bytes) for p in elf.functions() for n in p.names}
        for row in rows:
            parts = [p for p in row['parts'] if p['size'][side] is not None]
            if parts:
                self.equal(f'side {side}: parts of {row["name"]} together',
                           sum(p['size'][side] for p in parts), row['size'][side])
            for part in parts:
                self.check((part['name'], part['size'][side]) in pieces,
                           f'side {side}: no symbol is {part["name"]} of {part["size"][side]}')

    def check_accounts(self, tree, elves, symbols):
        """Each line adds up, to the difference that the section headers have."""
        functions = [elf.bytes_by_section(elf.functions()) for elf in symbols]
        objects = [elf.bytes_by_section(elf.objects()) for elf in symbols]
        loaded = [elf.loaded() for elf in elves]
        seen = set()
        for line in tree['accounts']:
            name = line['section']
            seen.add(name)
            self.equal(f'account of {name}: delta', line['delta'],
                       loaded[1].get(name, 0) - loaded[0].get(name, 0))
            self.equal(f'account of {name}: terms together',
                       sum(line[term] for term in ACCOUNT_TERMS), line['delta'])
            self.equal(f'account of {name}: functions',
                       sum(line[term] for term in ('grown', 'shrunk', 'new', 'gone')),
                       functions[1].get(name, 0) - functions[0].get(name, 0))
            self.equal(f'account of {name}: objects', line['objects'],
                       objects[1].get(name, 0) - objects[0].get(name, 0))
        self.equal('sections with accounts', seen,
                   {name for sums in loaded for name in sums if sums[name]})
        for section in tree['totals']['sections']:
            self.equal(f'totals.sections of {section["name"]}', section['bytes'],
                       [sums.get(section['name'], 0) for sums in loaded])

    def check_statuses(self, answer):
        totals = answer.tree['totals']
        sums = Counter()
        for row in answer.functions:
            a, b = row['size']
            delta = (b or 0) - (a or 0)
            self.equal(f'{row["name"]}: delta', row['delta'], delta)
            status = 'new' if a is None else 'gone' if b is None else \
                'grown' if delta > 0 else 'shrunk' if delta < 0 else 'same'
            self.check(row['status'] in (status, 'moved') and
                       (row['status'] != 'moved' or status not in ('new', 'gone')),
                       f'{row["name"]}: status {row["status"]}, sizes {row["size"]}')
            sums[status, 'n'] += 1
            sums[status, 'bytes'] += delta
        for status in ('grown', 'shrunk', 'new', 'gone'):
            self.equal(f'totals.{status}', totals[status],
                       {'n': sums[status, 'n'], 'bytes': sums[status, 'bytes']})

    def check_inlines(self, answer):
        """Instances, callers and bytes of inlined functions, and the story's sums."""
        dwarf = [elf.dwarf()[0] for elf in (answer.a, answer.b)]
        self.equal('totals.inlined.instances', answer.tree['totals']['inlined']['instances'],
                   [len(inlines) for inlines in dwarf])
        for row in answer.tree['inline']:
            name = row['name']
            own = [[i for i in inlines if family(i.name) == name] for inlines in dwarf]
            hosts = [Counter(family(i.caller) for i in side) for side in own]
            self.equal(f'inline {name}: instances', row['instances'], [len(side) for side in own])
            self.equal(f'inline {name}: callers', row['callers'], [len(side) for side in hosts])
            for side in (0, 1):
                if all(i.n_bytes is not None for i in own[side]):
                    self.equal(f'inline {name}: bytes, side {side}', row['bytes'][side],
                               sum(i.n_bytes for i in own[side]))
            body = [r for r in answer.functions if name in (r['name'], *r['aliases'])]
            bodies = body[0]['size'] if len(body) == 1 else \
                [elf.size(name) for elf in (answer.a, answer.b)]
            self.equal(f'inline {name}: out_of_line', row['out_of_line'], bodies)
            changed = [h for h in hosts[0] | hosts[1] if hosts[0][h] != hosts[1][h]]
            delta = sum((answer.b.size(h) or 0) - (answer.a.size(h) or 0) for h in changed)
            self.equal(f'inline {name}: callers_delta', row['callers_delta'], delta)
            self.equal(f'inline {name}: net', row['net'],
                       delta + (bodies[1] or 0) - (bodies[0] or 0))

    def check_swapped(self, tree, other):
        def rows_of(tree, swap):
            return sorted((row['name'] if not row['aliases'] else '', row['kind'],
                           str(row['size'][::-1] if swap else row['size']),
                           -row['delta'] if swap else row['delta'],
                           OPPOSITE.get(row['status'], row['status']) if swap
                           else row['status']) for row in tree['rows'])

        def accounts_of(tree, swap):
            return sorted((line['section'], line['delta'] * (-1 if swap else 1),
                           *(line[OPPOSITE.get(term, term) if swap else term] *
                             (-1 if swap else 1) for term in ACCOUNT_TERMS))
                          for line in tree['accounts'])

        def inlines_of(tree, swap):
            return sorted((row['name'], str(row['instances'][::-1 if swap else 1]),
                           str(row['out_of_line'][::-1 if swap else 1]),
                           row['net'] * (-1 if swap else 1)) for row in tree['inline'])

        for what, of in (('rows', rows_of), ('accounts', accounts_of), ('inline', inlines_of)):
            want, got = of(tree, True), of(other, False)
            self.check(want == got, f'the sides swapped: {what}: expected '
                       f'{[w for w in want if w not in got][:3]}, found '
                       f'{[g for g in got if g not in want][:3]}')

    def check_itself(self, name, options):
        tree = self.tree('--size', *options, name, name, is_again=True)
        changed = [row['name'] for row in tree['rows'] if row['status'] != 'same' or row['delta']]
        self.equal(f'{name} with itself: changed rows', changed, [])
        self.check(not any(line[term] for line in tree['accounts']
                           for term in ('delta', *ACCOUNT_TERMS)),
                   f'{name} with itself: accounts are not all zero')
        self.equal(f'{name} with itself: inline', tree['inline'], [])
        self.check(any(d['severity'] == 'note' and 'compared with itself' in d['text']
                       for d in tree['diagnostics']), f'{name} with itself: no note says so')

    def statuses(self, answer, **want):
        """What became of functions: name=status."""
        for name, status in want.items():
            self.equal(f'status of {name}', [row['status'] for row in answer.rows(name)],
                       [status])

    def callers(self, function, a, b, *options, objdump='objdump', branch=r'call|j'):
        """--callers of two files, held against their disassembly."""
        tree = self.tree(f'--callers={function}', *options, '-k', a, '-k', b, is_again=True)
        sites = [self.elf(name).calls(function, objdump, branch) for name in (a, b)]
        for side in (0, 1):
            image, want = tree['images'][side], sites[side]
            what = f'callers of {function}, side {side}'
            self.equal(f'{what}: call_sites', image['call_sites'], sum(want.values()))
            self.equal(f'{what}: callers', image['callers'], len(want) - (None in want))
            self.equal(f'{what}: rows', {row['name']: row['call_sites'][side]
                                         for row in tree['rows'] if row['call_sites'][side]},
                       {name: n for name, n in want.items() if name})
            want_body = self.elf((a, b)[side]).piece(function) is not None
            self.check(want_body == (image['definition'] in ('out-of-line', 'both')),
                       f'{what}: definition {image["definition"]}')
        return tree, sites


# ---- compilers and their options

@case('inlined, against -fno-inline: the callee becomes a body')
def inline_story(c):
    for compiler in ('gcc', 'clang'):
        if compiler == 'clang' and not shutil.which('clang'):
            continue
        a = c.build(f'{compiler}-a.o', compiler, '-O2', '-g', '-c', 'story.c')
        b = c.build(f'{compiler}-b.o', compiler, '-O2', '-g', '-fno-inline', '-c', 'story.c')
        answer = c.pair(a, b)
        inlines, _ = answer.a.dwarf()
        for name in ('clamp', 'mean'):
            row = answer.inline(name)
            if not row:
                c.check(False, f'{compiler}: {name} is not in "inline"')
                continue
            n = sum(i.name == name for i in inlines)
            c.equal(f'{compiler}: instances of {name}', row['instances'], [n, 0])
            c.equal(f'{compiler}: {name} out of line', row['out_of_line'],
                    [None, answer.b.size(name)])
            c.equal(f'{compiler}: {name} became', row['became'], 'out-of-line')
            c.equal(f'{compiler}: {name} became, swapped',
                    Answer(c.tree('--size', b, a), None, None).inline(name)['became'], 'inlined')
        c.statuses(answer, clamp='new', mean='new')
        told = re.search(r'^(\d+)->0 .* -->(\d+) .* clamp \(became out of line\)$',
                         c.text('--size', a, b), re.M)
        c.equal(f'{compiler}: what the text says of clamp', told and told.groups(),
                (str(sum(i.name == 'clamp' for i in inlines)), str(answer.b.size('clamp'))))


@case('programs: inlined, against -fno-inline, linked')
def inline_linked(c):
    words = ('-O2', '-g', '-DWITH_STORY', 'main.c', 'story.c')
    a = c.build('a', *words)
    answer = c.pair(a, c.build('b', '-fno-inline', *words))
    c.statuses(answer, clamp='new', mean='new', main='same')
    c.equal('inline_instances of clamp', [image['inline_instances'] for image in c.tree(
        '--callers=clamp', '-k', 'a', '-k', 'b')['images']],
        [sum(i.name == 'clamp' for i in answer.a.dwarf()[0]), 0])


@case('a cold part is a part of its function')
def cold_part(c):
    a = c.build('a.o', '-O2', '-g', '-fno-reorder-blocks-and-partition', '-c', 'cold.c')
    b = c.build('b.o', '-O2', '-g', '-freorder-blocks-and-partition', '-c', 'cold.c')
    answer = c.pair(a, b)
    if not answer.b.piece('submit.cold'):
        raise Skip('this gcc makes no cold part')
    for name in ('submit', 'drain'):
        row = answer.row(name)
        c.equal(f'{name}: size', row['size'], [answer.a.size(name), answer.b.size(name)])
        c.equal(f'{name}: paired', row['paired'], 'suffix')
        c.equal(f'{name}: parts', [(p['name'], p['size']) for p in row['parts']],
                [(name, [answer.a.piece(name).n_bytes, answer.b.piece(name).n_bytes]),
                 (f'{name}.cold', [None, answer.b.piece(f'{name}.cold').n_bytes])])
    c.check(not answer.rows('submit.cold'), 'submit.cold is a row of its own')
    for mode in ('--no-dwarf', '--suffix=group'):
        other = Answer(c.tree('--size', mode, a, b), answer.a, answer.b)
        c.equal(f'{mode}: size of submit', other.row('submit')['size'],
                [answer.a.size('submit'), answer.b.size('submit')])
    cold = [line for line in answer.tree['accounts'] if line['section'] == '.text.unlikely']
    c.equal('cold parts are new in their section', [line['new'] for line in cold],
            [sum(p.n_bytes for p in answer.b.functions() if '.cold' in p.names[0])])


@case('-ffunction-sections: each function in a section of its own')
def function_sections(c):
    a = c.build('a.o', '-O2', '-g', '-c', 'story.c')
    b = c.build('b.o', '-O2', '-g', '-ffunction-sections', '-c', 'story.c')
    answer = c.pair(a, b)
    c.statuses(answer, story_first='moved', story_second='moved', story_third='moved')
    accounts = {line['section']: line for line in answer.tree['accounts']}
    c.equal('new in .text.story_first', accounts['.text.story_first']['new'],
            answer.b.size('story_first'))
    c.equal('gone from .text', accounts['.text']['gone'],
            -sum(p.n_bytes for p in answer.a.functions()))
    linked = [c.build(name, '-O2', '-g', *more, '-DWITH_STORY', 'main.c', 'story.c')
              for name, more in (('linked-a', ()), ('linked-b', ('-ffunction-sections',)))]
    c.statuses(c.pair(*linked), story_first='same', story_third='same')


def check_two_steps(c, a, b, *options):
    """step() of two/core.c has grown, that of one/core.c has not."""
    answer = c.pair(a, b, *options, with_inlines=not options)
    steps = sorted(p.n_bytes for p in answer.a.functions() if p.names[0] == 'step')
    grown = sorted(p.n_bytes for p in answer.b.functions() if p.names[0] == 'step')
    same = [size for size in steps if size in grown]
    want = sorted([[same[0], same[0]], [[s for s in steps if s != same[0]][0],
                                        [s for s in grown if s != same[0]][0]]])
    c.equal('rows of step', sorted(row['size'] for row in answer.rows('step')), want)
    c.equal('statuses of step', sorted(row['status'] for row in answer.rows('step')),
            ['grown', 'same'])
    return answer


@case('static functions of equal names in two files stay apart, by unit')
def equal_names(c):
    words = ('-O2', '-g', '-DWITH_CORES', 'main.c', 'one/core.c', 'two/core.c')
    answer = check_two_steps(c, c.build('a', *words),
                             c.build('b', '-DSECOND_GROWN', *words))
    c.equal('files of step', {row['file']: row['status'] for row in answer.rows('step')},
            {'one/core.c': 'same', 'two/core.c': 'grown'})
    c.equal('file of helper', answer.row('helper')['file'], 'one/core.c')
    c.equal('units', sorted(u for u in answer.a.dwarf()[1]),
            ['main.c', 'one/core.c', 'two/core.c'])


@case('static functions of equal names, without DWARF, by the order of the file symbols')
def equal_names_without_dwarf(c):
    words = ('-O2', '-DWITH_CORES', 'main.c', 'one/core.c', 'two/core.c')
    a, b = c.build('a', *words), c.build('b', '-DSECOND_GROWN', *words)
    answer = check_two_steps(c, a, b)
    c.check(any('no DWARF' in text for text in answer.texts), 'no note says: no DWARF')
    c.equal('files of step', {row['file'] for row in answer.rows('step')}, {'core.c'})
    # --no-dwarf never looks at it, and then both have the same rows.
    debug = [c.build('ag', '-g', *words), c.build('bg', '-g', '-DSECOND_GROWN', *words)]
    bare = check_two_steps(c, *debug, '--no-dwarf')
    c.equal('--no-dwarf: rows', [(r['name'], r['file'], r['size']) for r in bare.functions],
            [(r['name'], r['file'], r['size']) for r in answer.functions])


@case('clones (.constprop, .isra, .part) are one row with their function')
def clones(c):
    a = c.build('a.o', '-O2', '-g', '-fno-ipa-cp', '-fno-ipa-sra', '-fno-partial-inlining',
                '-c', 'clones.c')
    b = c.build('b.o', '-O2', '-g', '-c', 'clones.c')
    answer = c.pair(a, b)
    names = [p.names[0] for p in answer.b.functions() if '.' in p.names[0]]
    if not names:
        raise Skip('this gcc makes no clones')
    for name in names:
        row = answer.row(family(name))
        c.equal(f'{name}: paired', row['paired'], 'suffix')
        c.equal(f'{name}: size', row['size'], [answer.a.size(row['name']),
                                               answer.b.size(row['name'])])
    exact = Answer(c.tree('--size', '--suffix=exact', a, b), None, None)
    c.equal('--suffix=exact: rows', sorted(row['name'] for row in exact.functions),
            sorted({p.names[0] for p in answer.a.functions() + answer.b.functions()}))
    # Without ".isra", the same two ways round with -fno-inline in between.
    d = c.build('d.o', '-O3', '-g', '-c', 'clones.c')
    c.pair(b, d)


@case('DWARF 4 and 5 give the same')
def dwarf_versions(c):
    for compiler in ('gcc', 'clang'):
        if not shutil.which(compiler):
            continue
        trees = []
        for name in ('story', 'cold', 'clones'):
            a = c.build(f'{compiler}-{name}-4.o', compiler, '-O2', '-gdwarf-4', '-c', f'{name}.c')
            b = c.build(f'{compiler}-{name}-5.o', compiler, '-O2', '-gdwarf-5', '-c', f'{name}.c')
            answer = c.pair(a, b)
            trees.append(answer.tree)
            c.equal(f'{compiler}, {name}: changed', [r['name'] for r in answer.functions
                                                     if r['status'] != 'same'], [])
            c.equal(f'{compiler}, {name}: inline', answer.tree['inline'], [])
            c.equal(f'{compiler}, {name}: files', {r['file'] for r in answer.functions},
                    {f'{name}.c'})
        c.check(trees[0]['totals']['inlined']['instances'][0] > 0, 'nothing is inlined')


@case('gcc, against clang: which compilers, and all rows')
def two_compilers(c):
    need('clang')
    a = c.build('a', 'gcc', '-O2', '-g', '-DWITH_STORY', 'main.c', 'story.c')
    b = c.build('b', 'clang', '-O2', '-g', '-DWITH_STORY', 'main.c', 'story.c')
    answer = c.pair(a, b)
    producers = [image['producer'] for image in answer.tree['images']]
    c.check('GNU C' in producers[0] and 'clang' in producers[1], f'producers: {producers}')
    c.check('compiler differs' in c.text('--size', a, b), 'the text does not tell the compilers')


@case('split DWARF: units are found in their .dwo')
def split_dwarf(c):
    for compiler in ('gcc', 'clang'):
        if not shutil.which(compiler):
            continue
        for version in ('4', '5'):
            debug = [f'-gdwarf-{version}', '-O2', '-c', 'story.c']
            name = f'{compiler}-{version}'
            c.build(f'{name}-whole.o', compiler, *debug)
            c.build(f'{name}-split.o', compiler, *debug, '-gsplit-dwarf')
            c.check(os.path.exists(c.path(f'{name}-split.dwo')), 'there is no .dwo')
            answer = c.pair(f'{name}-whole.o', f'{name}-split.o', with_inlines=False)
            n = len(answer.a.dwarf()[0])
            c.equal(f'{name}: instances', answer.tree['totals']['inlined']['instances'], [n, n])
            c.equal(f'{name}: inline', answer.tree['inline'], [])
            c.equal(f'{name}: files', {row['file'] for row in answer.functions}, {'story.c'})
            os.remove(c.path(f'{name}-split.dwo'))
            lonely = c.profdiff('--size', f'{name}-whole.o', f'{name}-split.o', '-o', 'json')
            c.equal(f'{name}: exit status without the .dwo', lonely.exit, 0)
            tree = json.loads(lonely.stdout)
            c.equal(f'{name}: without the .dwo: rows', [r['size'] for r in tree['rows']],
                    [r['size'] for r in answer.tree['rows']])
            c.check(tree['diagnostics'], f'{name}: nothing says that the .dwo is missing')


@case('compressed debug sections, zlib')
def zlib_sections(c):
    plain = c.build('plain', '-O2', '-g', '-DWITH_STORY', 'main.c', 'story.c')
    packed = c.build('packed', '-O2', '-g', '-gz=zlib', '-DWITH_STORY', 'main.c', 'story.c')
    if 'C ' not in c.tool(['readelf', '-SW', packed]).replace('C  ', 'C '):
        raise Skip('this toolchain does not compress')
    answer = c.pair(plain, packed)
    c.equal('inline', answer.tree['inline'], [])
    c.equal('file of story_first', answer.row('story_first')['file'], 'story.c')
    c.equal('diagnostics', answer.texts, [])
    for kind in ('zlib-gabi', 'zlib-gnu'):
        c.tool(['objcopy', f'--compress-debug-sections={kind}', plain, kind])
        other = c.pair(plain, kind)
        c.equal(f'{kind}: inline', other.tree['inline'], [])
        c.equal(f'{kind}: file', other.row('story_first')['file'], 'story.c')


@case('compressed debug sections, zstd: they work, or a warning says so')
def zstd_sections(c):
    plain = c.build('plain.o', '-O2', '-g', '-c', 'story.c')
    if not c.can(['objcopy', '--compress-debug-sections=zstd', plain, 'packed.o']):
        raise Skip('this objcopy knows no zstd')
    tree = c.tree('--size', plain, 'packed.o')
    answer = Answer(tree, c.elf(plain), c.elf('packed.o'))
    c.check_accounts(tree, [answer.a, answer.b], [answer.a, answer.b])
    for side, elf in enumerate((answer.a, answer.b)):
        c.check_rows(answer, elf, side)
    n = len(answer.a.dwarf()[0])
    if tree['totals']['inlined']['instances'] != [n, n]:
        c.check(any('zstd' in d['text'] and d['severity'] == 'warning'
                    for d in tree['diagnostics']), 'DWARF is dropped without a word')
    else:
        c.pair(plain, 'packed.o')


# ---- linkers

@case('aliases: one row with its names')
def aliases(c):
    a = c.build('a.o', '-O2', '-g', '-c', 'aliases.c')
    b = c.build('b.o', '-O2', '-g', '-DGROWN', '-c', 'aliases.c')
    answer = c.pair(a, b)
    row = answer.row('copy')
    c.equal('size of copy', row['size'], [answer.a.size('copy'), answer.b.size('copy')])
    c.equal('aliases of copy', sorted(row['aliases']), ['copy_fast', 'copy_static', 'copy_weak'])
    c.equal('functions', sorted(r['name'] for r in answer.functions), ['copy', 'user'])
    # Which name it goes by differs from build to build.
    d = c.build('d.o', '-O2', '-g', '-DRENAMED', '-c', 'aliases.c')
    renamed = c.pair(a, d)
    c.equal('renamed: statuses', {r['name']: r['status'] for r in renamed.functions},
            {'copy': 'same', 'user': 'same'})
    for name in ('copy', 'copy_fast', 'copy_weak'):
        c.callers(name, a, b)


@case('identical code folding: folded functions are names of one')
def folding(c):
    done = False
    for linker, program in (('lld', 'ld.lld'), ('gold', 'ld.gold')):
        words = ('-O2', '-g', '-ffunction-sections', f'-fuse-ld={linker}', '-DWITH_TWINS',
                 'main.c', 'twins.c')
        if not shutil.which(program) or not c.can(
                ['gcc', *words, '-o', c.path(f'{linker}-a')], cwd=c.sources):
            continue
        done = True
        b = c.build(f'{linker}-b', '-Wl,--icf=all', *words)
        answer = c.pair(f'{linker}-a', b, with_inlines=linker != 'gold')
        names = answer.b.piece('twin_one').names
        c.check('twin_two' in names, f'{linker}: nothing was folded')
        row = answer.row('twin_one')
        c.equal(f'{linker}: twin_one', (row['status'], row['aliases']), ('same', ['twin_two']))
        c.statuses(answer, twin_two='gone', single='same')
    if not done:
        raise Skip('neither lld nor gold here')


@case('link-time optimization: gcc -flto')
def lto_gcc(c):
    words = ('-O2', '-g', '-DWITH_CORES', 'main.c', 'one/core.c', 'two/core.c')
    plain = c.build('plain', *words)
    if not c.can(['gcc', '-flto', *words, '-o', c.path('a')], cwd=c.sources):
        raise Skip('this gcc has no -flto')
    b = c.build('b', '-flto', '-DGROWN', *words)
    answer = c.pair('a', b)
    sizes = [sorted(p.n_bytes for p in elf.functions() if family(p.names[0]) == 'step')
             for elf in (answer.a, answer.b)]
    c.equal('step() of two files: two rows', sorted(r['status'] for r in answer.rows('step')),
            ['grown', 'same'])
    c.equal('sizes of step', [sorted(r['size'][side] for r in answer.rows('step'))
                              for side in (0, 1)], sizes)
    c.equal('files of step', {row['file']: row['status'] for row in answer.rows('step')},
            {'one/core.c': 'grown', 'two/core.c': 'same'})
    mixed = c.pair(plain, 'a')
    c.equal('against no LTO: rows of helper', len(mixed.rows('helper')), 1)
    c.equal('against no LTO: rows of step', len(mixed.rows('step')), 2)


@case('link-time optimization: gcc -flto, inlined across files')
def lto_inlines(c):
    words = ('-O2', '-g', '-DWITH_STORY', 'main.c', 'story.c')
    a = c.build('a', *words)
    if not c.can(['gcc', '-flto', *words, '-o', c.path('b')], cwd=c.sources):
        raise Skip('this gcc has no -flto')
    answer = c.pair(a, 'b')
    inlines, _ = answer.b.dwarf()
    c.check(any(i.name == 'story_first' for i in inlines), 'nothing was inlined across files')
    row = answer.inline('story_first')
    c.equal('story_first', row and (row['file'], row['instances'], row['became']),
            ('story.c', [0, sum(i.name == 'story_first' for i in inlines)], 'inlined'))


@case('link-time optimization: clang -flto')
def lto_clang(c):
    need('clang', 'ld.lld')
    words = ('-O2', '-g', '-fuse-ld=lld', '-DWITH_CORES', 'main.c', 'one/core.c', 'two/core.c')
    plain = c.build('plain', 'clang', *words)
    if not c.can(['clang', '-flto', *words, '-o', c.path('a')], cwd=c.sources):
        raise Skip('this clang has no -flto')
    b = c.build('b', 'clang', '-flto', '-DGROWN', *words)
    answer = c.pair('a', b)
    c.equal('files of step', {row['file']: row['status'] for row in answer.rows('step')},
            {'one/core.c': 'grown', 'two/core.c': 'same'})
    mixed = c.pair(plain, 'a')
    c.equal('against no LTO: rows of step', len(mixed.rows('step')), 2)


# ---- what is left of a file

@case('stripped: refused, for it has no symbol table')
def stripped(c):
    a = c.build('a', '-O2', '-g', '-DWITH_STORY', 'main.c', 'story.c')
    c.tool(['strip', a, '-o', 'bare'])
    c.refused('--size', a, 'bare', says=('bare', 'symbol table'))
    c.refused('--size', 'bare', a, says=('bare', 'symbol table'))
    c.refused('--callers=story_first', '-k', a, '-k', 'bare', says=('bare', 'symbol table'))


@case('strip --strip-debug: the same sizes, and a note')
def strip_debug(c):
    a = c.build('a', '-O2', '-g', '-DWITH_STORY', 'main.c', 'story.c')
    c.tool(['strip', '--strip-debug', a, '-o', 'bare'])
    answer = c.pair(a, 'bare', with_inlines=False)
    c.equal('changed', [r['name'] for r in answer.functions if r['status'] != 'same'], [])
    c.check(any(d['severity'] == 'note' and 'no DWARF' in d['text'] and d['path'] == 'bare'
                for d in answer.tree['diagnostics']), 'no note says: no DWARF')
    c.equal('inline', answer.tree['inline'], [])
    c.check('no DWARF' in c.profdiff('--size', a, 'bare').stderr.decode(),
            'nothing on standard error')


@case('separate debug files: by link beside it, in .debug/ and below --debug-dir; by build-id')
def debug_files(c):
    a = c.build('a', '-O2', '-g', '-Wl,--build-id', '-DWITH_STORY', 'main.c', 'story.c')
    b = c.build('b', '-O2', '-g', '-Wl,--build-id', '-fno-inline', '-DWITH_STORY', 'main.c',
                'story.c')
    want = c.tree('--size', a, b)
    elves = [c.elf(a), c.elf(b)]
    build_ids = [elf.build_id() for elf in elves]
    c.check(all(build_ids) and build_ids[0] != build_ids[1], f'build-ids: {build_ids}')
    for name in (a, b):
        c.tool(['objcopy', '--only-keep-debug', name, f'{name}.debug'])
        c.tool(['objcopy', '--strip-all', f'--add-gnu-debuglink={name}.debug', name,
                f'linked-{name}'])
        c.tool(['objcopy', '--strip-all', name, f'bare-{name}'])
    c.refused('--size', 'bare-a', 'bare-b', says=('bare-a', 'symbol table'))

    def look(what, first, second, *options):
        tree = c.tree('--size', *options, first, second)
        for key in ('inline', 'accounts'):
            c.check(tree[key] == want[key], f'{what}: {key} differ from those of the whole files')
        # The files of objects are those of file symbols, which --strip-debug takes away.
        functions = [[row for row in t['rows'] if row['kind'] == 'function']
                     for t in (tree, want)]
        c.check(functions[0] == functions[1], f'{what}: rows differ from those of the whole files')
        c.equal(f'{what}: diagnostics', [d['text'] for d in tree['diagnostics']], [])
        sites = [c.tree('--callers=story_first', *options, '-k', x, '-k', y)['images']
                 for x, y in ((a, b), (first, second))]
        c.equal(f'{what}: callers', [i['call_sites'] for i in sites[1]],
                [i['call_sites'] for i in sites[0]])

    for place, word in (('beside', ''), ('in .debug/', '.debug/')):
        for name in (a, b):
            c.copy(f'linked-{name}', f'{place[:2]}/{name}')
            c.copy(f'{name}.debug', f'{place[:2]}/{word}{name}.debug')
        look(f'by link {place}', f'{place[:2]}/a', f'{place[:2]}/b')
    for name, build_id in zip((a, b), build_ids):
        c.copy(f'bare-{name}', f'id/{name}')
        c.copy(f'{name}.debug', f'folder/.build-id/{build_id[:2]}/{build_id[2:]}.debug')
        c.copy(f'linked-{name}', f'far/{name}')
        c.copy(f'{name}.debug', 'tree' + c.path(f'far/{name}') + '.debug')
    look('by build-id', 'id/a', 'id/b', '--debug-dir=folder')
    look('by link below --debug-dir', 'far/a', 'far/b', '--debug-dir=tree')
    look('one of two by build-id', a, 'id/b', '--debug-dir=folder')
    # A file that was only robbed of its DWARF keeps its own symbols.
    for name in (a, b):
        c.tool(['objcopy', '--strip-debug', name, f'half-{name}'])
        c.tool(['objcopy', f'--add-gnu-debuglink={name}.debug', f'half-{name}'])
    look('symbols here, DWARF there', 'half-a', 'half-b')


@case('separate debug files: one of another build is not believed')
def wrong_debug_file(c):
    a = c.build('a', '-O2', '-g', '-Wl,--build-id', '-DWITH_STORY', 'main.c', 'story.c')
    c.build('b', '-O2', '-g', '-Wl,--build-id', '-DWITH_COLD', 'main.c', 'cold.c')
    for name in ('a', 'b'):
        c.tool(['objcopy', '--only-keep-debug', name, f'{name}.debug'])
    c.tool(['objcopy', '--strip-debug', '--add-gnu-debuglink=a.debug', a, 'half'])
    c.copy('b.debug', 'a.debug')  # neither the link's checksum nor the build-id is its own
    tree = c.tree('--size', '--debug-dir=nowhere', a, 'half')
    c.equal('changed', [r['name'] for r in tree['rows'] if r['kind'] == 'function' and
                        r['status'] != 'same'], [])
    c.check(not any(row['file'] == 'cold.c' for row in tree['rows']), 'files of another build')
    c.check(tree['diagnostics'], 'nothing is said of the debug file')
    c.tool(['objcopy', '--strip-all', '--add-gnu-debuglink=b.debug', a, 'bare'])
    c.copy('b.debug', 'a.debug')
    c.refused('--size', '--debug-dir=nowhere', a, 'bare', says=('bare',))


# ---- relocatable files

@case('relocatable files: callers through relocations, also of undefined functions')
def relocatable_callers(c):
    a = c.build('a.o', '-O2', '-g', '-c', 'calls.c')
    b = c.build('b.o', '-O2', '-g', '-DMORE', '-c', 'calls.c')
    c.pair(a, b)
    for name in ('target', 'hidden', 'hidden_first', 'depth', 'elsewhere', 'elsewhere_too'):
        tree, sites = c.callers(name, a, b)
        c.check(sum(sites[0].values()) > 0, f'{name} is not called at all')
        if name.startswith('elsewhere'):
            c.equal(f'{name}: definition', tree['images'][0]['definition'], 'absent')
    sections = [c.build(name, '-O2', '-g', '-ffunction-sections', *more, '-c', 'calls.c')
                for name, more in (('as.o', ()), ('bs.o', ('-DMORE',)))]
    for name in ('target', 'hidden', 'hidden_first', 'depth', 'elsewhere'):
        c.callers(name, *sections)
        c.callers(name, a, sections[0])


@case('relocatable files: DWARF is relocated, so that inline instances are right')
def relocatable_inlines(c):
    a = c.build('a.o', '-O2', '-g', '-ffunction-sections', '-c', 'story.c')
    b = c.build('b.o', '-O2', '-g', '-ffunction-sections', '-fno-inline', '-c', 'story.c')
    answer = c.pair(a, b)
    inlines, _ = answer.a.dwarf()
    tree = c.tree('--callers=clamp', '-k', a, '-k', b)
    c.equal('instances of clamp by caller', {row['name']: row['inline_instances'][0]
                                             for row in tree['rows'] if row['inline_instances'][0]},
            dict(Counter(i.caller for i in inlines if i.name == 'clamp')))
    c.equal('definitions', [i['definition'] for i in tree['images']], ['inlined', 'out-of-line'])
    c.callers('clamp', a, b)


@case('a folder of modules, some compressed')
def modules(c):
    names = {'fs/a.ko': 'story', 'fs/b.ko': 'cold', 'net/c.ko': 'twins'}
    pairs = {}
    for module, source in names.items():
        for side, more in (('dirA', []), ('dirB', ['-fno-inline'])):
            os.makedirs(c.path(f'{side}/{os.path.dirname(module)}'), exist_ok=True)
            c.build(f'{side}/{module}', '-O2', '-g', *more, '-c', f'{source}.c')
        pairs[module] = [c.elf(f'{side}/{module}') for side in ('dirA', 'dirB')]
    c.build('dirB/net/only.ko', '-O2', '-g', '-c', 'aliases.c')
    with open(c.path('dirB/modules.order'), 'w', encoding='ascii') as file:
        file.write('fs/a.ko\n')
    want = c.tree('--size', 'dirA', 'dirB')
    for command, module, side in (('xz', 'fs/a.ko', 'dirB'), ('gzip', 'fs/b.ko', 'dirA')):
        need(command)
        c.tool([command, '-f', f'{side}/{module}'])
    tree = c.tree('--size', 'dirA', 'dirB')
    for key in ('rows', 'accounts', 'inline'):
        c.check(tree[key] == want[key], f'compressed: {key} differ')
    for module, elves in pairs.items():
        for side, elf in enumerate(elves):
            c.equal(f'{module}, side {side}', sorted(
                (row['name'], row['size'][side]) for row in tree['rows']
                if row['module'] == module and row['kind'] == 'function' and
                row['size'][side] is not None), elf.rows())
        for line in [x for x in tree['accounts'] if x['module'] == module]:
            loaded = [elf.loaded().get(line['section'], 0) for elf in elves]
            c.equal(f'{module} {line["section"]}: delta', line['delta'], loaded[1] - loaded[0])
            c.equal(f'{module} {line["section"]}: terms', sum(line[t] for t in ACCOUNT_TERMS),
                    line['delta'])
    only = [row for row in tree['rows'] if row['module'] == 'net/only.ko']
    c.check(only and all(row['size'][0] is None for row in only), 'net/only.ko is not new')
    c.equal('swapped: rows', sorted(str((r['name'], r['module'], r['size'][::-1]))
                                    for r in c.tree('--size', 'dirB', 'dirA')['rows']),
            sorted(str((r['name'], r['module'], r['size'])) for r in tree['rows']))
    c.equal('with itself', [r['name'] for r in c.tree('--size', 'dirB', 'dirB')['rows']
                            if r['status'] != 'same'], [])
    c.check('[fs/a.ko]' in c.text('--size', 'dirA', 'dirB'), 'the text does not name the module')
    os.makedirs(c.path('empty'))
    c.refused('--size', 'dirA', 'empty', says=('empty',))


# ---- languages

@case('C++: overloads, templates, namespaces')
def cplusplus(c):
    need('g++')
    for compiler in ('g++', 'clang++'):
        if not shutil.which(compiler):
            continue
        words = (compiler, '-O2', '-g', '-std=c++17', '-c', 'names.cc')
        a = c.build(f'{compiler}-a.o', *words)
        b = c.build(f'{compiler}-b.o', *words, '-DGROWN')
        answer = c.pair(a, b)
        c.statuses(answer, _ZN6shapes7measureEi='same', _ZN6shapes7measureEii='grown',
                   _ZN6shapes5twiceIiEET_S1_='same', _ZN6shapes5twiceIdEET_S1_='same',
                   _ZN6shapes7Counter4nextEv='same')
        c.equal('demangled', answer.row('_ZN6shapes7measureEii')['demangled'],
                'shapes::measure(int, int)')
        text, kept = c.text('--size', a, b), c.text('--size', '--no-demangle', a, b)
        c.check('shapes::measure(int, int)' in text and '_ZN' not in text,
                f'{compiler}: names are not demangled')
        c.check('_ZN6shapes7measureEii' in kept and 'shapes::' not in kept,
                f'{compiler}: --no-demangle does not keep names')
        for name in ('shapes::measure(int, int)', '_ZN6shapes7measureEii'):
            tree = c.tree(f'--callers={name}', '-k', a, '-k', b)
            c.equal(f'{compiler}: call sites of {name}',
                    [i['call_sites'] for i in tree['images']],
                    [sum(c.elf(x).calls('_ZN6shapes7measureEii').values()) for x in (a, b)])


@case('assembly: no types, no sizes, and a function that moves to another section')
def assembly(c):
    a = c.build('a.o', '-c', 'assembly.s')
    b = c.build('b.o', '-Wa,--defsym,MOVED=1', '-c', 'assembly.s')
    answer = c.pair(a, b)
    c.equal('functions', {r['name']: r['size'][0] for r in answer.functions},
            {'typeless': 12, 'typed': 8, 'sized_alias': 4, 'setup': 16})
    c.statuses(answer, typeless='same', typed='same', sized_alias='same', setup='moved')
    accounts = {line['section']: line for line in answer.tree['accounts']}
    c.equal('gone from .text', accounts['.text']['gone'], -16)
    c.equal('new in .init.text', accounts['.init.text']['new'], 16)
    unnamed = [x for x in answer.tree['totals']['unattributed']
               if x['section'] == '.text' and x['what'] == 'unnamed']
    c.equal('bytes without a name', [x['bytes'] for x in unnamed], [[12, 12]])
    c.check('.text -> .init.text' in c.text('--size', a, b), 'the text does not tell the move')


# ---- machines

# Name: the words of clang, an expression for branches, the words of a linker.
MACHINES = {
    'aarch64': (['--target=aarch64-linux-gnu'], r'bl?$|b\.|cb|tb', ['ld.lld']),
    'aarch64_be': (['--target=aarch64_be-linux-gnu'], r'bl?$|b\.|cb|tb', None),
    'armv7': (['--target=armv7-linux-gnueabihf'], r'bl?x?(eq|ne|gt|lt|ge|le|hi|ls|hs|lo)?$',
              ['ld.lld']),
    'armeb': (['--target=armebv7-linux-gnueabihf'], None, None),  # objdump misreads it
    'i386': (['--target=i386-linux-gnu', '-fno-pic'], r'call|j', ['ld.lld', '-m', 'elf_i386']),
    'x32': (['--target=x86_64-linux-gnux32', '-fno-pic'], r'call|j', None),
    'powerpc64': (['--target=powerpc64-linux-gnu'], r'b', ['powerpc64-linux-gnu-ld']),
    'powerpc64le': (['--target=powerpc64le-linux-gnu'], r'b', ['ld.lld']),
    'powerpc': (['--target=powerpc-linux-gnu', '-fno-pic'], r'b', ['ld.lld']),
    's390x': (['--target=s390x-linux-gnu'], r'br?as|j|c[lg]*[ri]j', ['s390x-linux-gnu-ld']),
    'mips': (['--target=mips-linux-gnu', '-fno-pic', '-mno-abicalls'], r'b|j', ['ld.lld']),
    'mips64el': (['--target=mips64el-linux-gnuabi64', '-fno-pic', '-mno-abicalls'], r'b|j',
                 ['ld.lld']),
    'riscv64': (['--target=riscv64-linux-gnu', '-mno-relax'], r'auipc|j|b|c\.j|tail|call', None),
    'riscv32': (['--target=riscv32-linux-gnu', '-mno-relax'], r'auipc|j|b|c\.j|tail|call', None),
}

WITH_ASSEMBLY = ('aarch64', 'armeb', 's390x', 'mips', 'riscv32')


def machine_words(c, name):
    need('clang', 'llvm-objdump')
    words = ['clang', *MACHINES[name][0], '-O2', '-g', '-ffreestanding', '-w']
    if not c.can([*words, '-c', 'portable.c', '-o', c.path('a.o')], cwd=c.sources):
        raise Skip(f'this clang makes no code for {name}')
    return words


def check_machine_callers(c, name, a, b, functions):
    objdump = 'powerpc64-linux-gnu-objdump' if name == 'powerpc64' else 'llvm-objdump'
    branch = MACHINES[name][1]
    for function in functions if branch and shutil.which(objdump) else ():
        _, sites = c.callers(function, a, b, objdump=objdump, branch=branch)
        c.check(sum(sites[0].values()) > 0, f'{function} is not called at all')


def check_machine(name):
    def run(c):
        words = machine_words(c, name)
        a, b = 'a.o', c.build('b.o', *words, '-DMORE', '-c', 'portable.c')
        # libdw cannot relocate the DWARF of MIPS, and then that has to be said.
        is_told = name.startswith('mips') and any(
            'DWARF' in d['text'] for d in c.tree('--size', a, b)['diagnostics'])
        answer = c.pair(a, b, with_inlines=not is_told)
        c.statuses(answer, direct='grown', target='same', far_away='same', hidden='same',
                   hidden_first='same')
        check_machine_callers(c, name, a, b, ('target', 'hidden', 'hidden_first', 'elsewhere'))
        if name in WITH_ASSEMBLY:
            moved = c.pair(*[c.build(f's{side}.o', *words[:-3], '-c', 'assembly.s',
                                     f'-Wa,-defsym,MOVED={side}') for side in '01'])
            c.statuses(moved, typeless='same', sized_alias='same', setup='moved')
    return run


def check_linked(name):
    def run(c):
        link = MACHINES[name][2]
        need(link[0])
        words = machine_words(c, name)
        linked = []
        for side, more in (('a', []), ('b', ['-DMORE'])):
            c.build(f'{side}.o', *words, '-DWHOLE', *more, '-c', 'portable.c')
            c.tool([*link, '-static', '-e', 'direct', f'{side}.o', '-o', side])
            linked.append(side)
        answer = c.pair(*linked)
        c.statuses(answer, direct='grown', target='same', far_away='same', elsewhere='same')
        check_machine_callers(c, name, *linked, ('target', 'hidden'))
    return run


for machine, (_, _, has_linker) in MACHINES.items():
    case(f'{machine}: relocatable files')(check_machine(machine))
    if has_linker:
        case(f'{machine}: linked')(check_linked(machine))


@case('different machines, widths and byte orders: refused, and both are named')
def different_machines(c):
    need('clang')
    names = {}
    for name, words in (('x86-64', ['gcc', '-O2', '-c']),
                        *((n, ['clang', *MACHINES[n][0], '-O2', '-w', '-c'])
                          for n in ('aarch64', 'aarch64_be', 'i386', 'x32', 'mips'))):
        if c.can([*words, 'portable.c', '-o', c.path(f'{name}.o')], cwd=c.sources):
            names[name] = f'{name}.o'
    for a, b in (('x86-64', 'aarch64'), ('aarch64', 'aarch64_be'), ('x86-64', 'i386'),
                 ('x86-64', 'x32'), ('mips', 'x86-64')):
        if a in names and b in names:
            c.refused('--size', names[a], names[b], says=(names[a], names[b]))
    c.refused('--callers=target', '-k', 'x86-64.o', '-k', 'aarch64.o',
              says=('x86-64.o', 'aarch64.o', 'AArch64', 'x86-64'))


# ---- what is no image

@case('missing, empty, not ELF, cut: refused')
def no_images(c):
    a = c.build('a', '-O2', '-g', '-DWITH_STORY', 'main.c', 'story.c')
    with open(c.path(a), 'rb') as file:
        data = file.read()
    for name, content in (('empty', b''), ('text', b'This is no image at all.\n'),
                          ('noise', bytes(range(256)) * 8), ('magic', b'\x7fELF'),
                          ('header', data[:64]), ('half', data[:len(data) // 2])):
        with open(c.path(name), 'wb') as file:
            file.write(content)
        c.refused('--size', a, name, says=(name,))
        c.refused('--size', name, a, says=(name,))
    c.refused('--size', a, 'missing', says=('missing',))
    c.refused('--callers=main', '-k', a, '-k', 'missing', says=('missing',))
    outcome = c.profdiff('--callers=no_such_function', '-k', a, '-k', a)
    c.check(outcome.exit not in (0, SANITIZER_EXIT) and b'no_such_function' in outcome.stderr,
            f'--callers of what is nowhere: {outcome}')
    c.equal('one image: exit status', c.profdiff('--size', a).exit, 2)


# ---- listings

@case('nm -S gives the sizes of the file itself')
def nm_listing(c):
    a = c.build('a', '-O2', '-DWITH_COLD', 'main.c', 'cold.c')
    b = c.build('b', '-O2', '-DWITH_COLD', '-DWITH_STORY', 'main.c', 'cold.c', 'story.c')
    for name in (a, b):
        for order in ('-n', '-p'):
            with open(c.path(f'{name}{order}'), 'w', encoding='utf-8') as file:
                file.write(c.tool(['nm', '-S', order, name]))
    want = Answer(c.tree('--size', '--no-dwarf', a, b), c.elf(a), c.elf(b))
    sizes = sorted((r['name'], str(r['size'])) for r in want.functions)
    for order in ('-n', '-p'):
        tree = c.tree('--size', f'a{order}', f'b{order}')
        answer = Answer(tree, want.a, want.b)
        for side, elf in ((0, want.a), (1, want.b)):
            c.check_rows(answer, elf, side)
        c.equal(f'nm -S {order}: rows', sorted((r['name'], str(r['size']))
                                               for r in answer.functions), sizes)
        mixed = c.tree('--size', a, f'a{order}')
        c.equal(f'nm -S {order}, against the file: changed',
                [r['name'] for r in mixed['rows'] if r['kind'] == 'function' and
                 r['status'] in ('grown', 'shrunk', 'new', 'gone')], [])
    c.check_swapped(c.tree('--size', 'a-n', 'b-n'), c.tree('--size', 'b-n', 'a-n'))


@case('System.map: distances, marked as approximate')
def system_map(c):
    words = ('-O2', '-g', '-falign-functions=16', '-DWITH_STORY', 'main.c', 'story.c')
    a, b = c.build('a', *words), c.build('b', '-fno-inline', *words)
    for name in (a, b):
        with open(c.path(f'System.map-{name}'), 'w', encoding='utf-8') as file:
            file.write(c.tool(['nm', '-n', name]))
    tree = c.tree('--size', 'System.map-a', 'System.map-b')
    rows = {row['name']: row['size'] for row in tree['rows'] if row['kind'] == 'function'}
    for side, name in enumerate((a, b)):
        elf = c.elf(name)
        starts = sorted({(s.section, s.address) for s in elf.symbols
                         if s.kind in ('FUNC', 'NOTYPE', 'OBJECT')})
        for piece in elf.functions():
            following = [at for section, at in starts if section == piece.section and
                         at > piece.address]
            if not following or not piece.names[0].startswith(('story', 'clamp', 'mean')):
                continue
            c.equal(f'{piece.names[0]}, side {side}', rows[piece.names[0]][side],
                    following[0] - piece.address)
    c.check('approximate' in c.text('--size', 'System.map-a', 'System.map-b') or
            'distances' in c.text('--size', 'System.map-a', 'System.map-b'),
            'the text does not say that sizes are approximate')
    c.refused('--callers=clamp', '-k', 'System.map-a', '-k', 'System.map-b',
              says=('System.map-b', 'listing'))  # in a it is inlined everywhere


# ---- callers of programs

@case('callers in programs: calls, tail calls, jumps, recursion')
def linked_callers(c):
    words = ('-O2', '-g', '-shared', '-fPIC', '-fvisibility=hidden', '-Wl,-z,undefs', 'calls.c')
    pairs = [(c.build('a.so', *words), c.build('b.so', *words, '-DMORE'))]
    if shutil.which('clang'):
        pairs.append((c.build('ca.so', 'clang', *words),
                      c.build('cb.so', 'clang', *words, '-DMORE')))
    for a, b in pairs:
        c.pair(a, b)
        for name in ('target', 'hidden', 'hidden_first', 'depth'):
            _, sites = c.callers(name, a, b)
            c.check(sum(sites[0].values()) > 0, f'{name} is not called at all')


@case('callers in assembly: conditional jumps, what only looks like a call, sites in no function')
def assembly_callers(c):
    words = ('-shared', '-nostdlib', '-Wl,-Bsymbolic', 'sites.s')
    linked = [c.build('a.so', *words), c.build('b.so', '-Wa,--defsym,MORE=1', *words)]
    objects = [c.build('a.o', '-c', 'sites.s'),
               c.build('b.o', '-Wa,--defsym,MORE=1', '-c', 'sites.s')]
    for a, b in (linked, objects):
        c.pair(a, b)
        for name in ('victim', 'local_victim', 'far_jumps'):
            tree, sites = c.callers(name, a, b)
            c.check(sum(sites[0].values()) > 0, f'{name} is not called at all')
            c.equal(f'{name}: sites in no function', [i['outside'] for i in tree['images']],
                    [side.get(None, 0) for side in sites])


@case('callers: a cold part and its function are one caller')
def cold_callers(c):
    words = ('-O2', '-g', '-DWITH_COLD', 'main.c', 'cold.c')
    a = c.build('a', *words, '-fno-reorder-blocks-and-partition')
    b = c.build('b', *words)
    elf = c.elf(b)
    if not elf.piece('submit.cold'):
        raise Skip('this gcc makes no cold part')
    tree, sites = c.callers('complain', a, b)
    c.equal('callers of complain', set(sites[1]), {'submit', 'drain'})
    c.equal('sides', [i['callers'] for i in tree['images']], [2, 2])
    objects = [c.build(n, '-O2', '-g', *more, '-c', 'cold.c') for n, more in
               (('a.o', ['-fno-reorder-blocks-and-partition']), ('b.o', []))]
    c.callers('complain', *objects)
    c.callers('complain', *objects, '--no-dwarf')
    c.callers('submit', a, b)


@case('callers of clones and of functions that are inlined on one side')
def clone_callers(c):
    a = c.build('a.o', '-O2', '-g', '-fno-ipa-cp', '-fno-ipa-sra', '-fno-partial-inlining',
                '-c', 'clones.c')
    b = c.build('b.o', '-O2', '-g', '-c', 'clones.c')
    elf = c.elf(b)
    for name in ('scale', 'area'):
        clone = [p.names[0] for p in elf.functions() if family(p.names[0]) == name]
        tree = c.tree(f'--callers={name}', '-k', a, '-k', b)
        want = [sum(c.elf(a).calls(name).values()),
                sum(sum(elf.calls(n).values()) for n in clone)]
        c.equal(f'{name}: call sites', [i['call_sites'] for i in tree['images']], want)
        c.equal(f'{name}: definition', [i['definition'] for i in tree['images']],
                ['out-of-line', 'out-of-line'])


code_cases.register(case, MACHINES)


class Suite:
    def __init__(self, profdiff, sources, scratch):
        self.profdiff = os.path.abspath(profdiff)
        self.sources = os.path.realpath(sources)
        self.scratch = os.path.abspath(scratch)
        if os.path.commonpath([self.scratch, self.sources]) == self.sources:
            sys.exit(f'run.py: {scratch} would be emptied')
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.makedirs(self.scratch)

    def run_case(self, numbered):
        """(what is wrong, why it was skipped)."""
        number, (_, function) = numbered
        c = Case(self, number)
        try:
            need('gcc', 'readelf', 'objdump', 'objcopy')
            function(c)
        except Skip as skip:
            if not c.problems:
                return [], str(skip)
        except Broken as broken:
            c.problems.append(str(broken))
        except (IndexError, KeyError, TypeError, AttributeError, ValueError) as error:
            c.problems.append(f'{type(error).__name__} at line '
                              f'{error.__traceback__.tb_next.tb_lineno}: {error}')
        if c.problems:
            c.problems += [f'(in {c.work})', *c.commands]
        return c.problems, None

    def run(self, cases):
        tap = Tap()
        with ThreadPoolExecutor(N_WORKERS) as pool:
            for (name, _), (problems, skipped) in zip(
                    cases, pool.map(self.run_case, enumerate(cases, 1))):
                if skipped:
                    tap.skip(name, skipped)
                else:
                    tap.case(not problems, name, problems)
        return tap.done()


def main(argv):
    if len(argv) not in (4, 5):
        sys.exit(__doc__)
    pattern = argv[4] if len(argv) == 5 else ''
    return Suite(*argv[1:4]).run([case for case in CASES if re.search(pattern, case[0])])


if __name__ == '__main__':
    sys.exit(main(sys.argv))
