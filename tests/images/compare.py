#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparisons of profiles with images of both sides: what is inlined on one side
only, roll-ups, explanations.

usage: compare.py PROFDIFF SOURCES SCRATCH [PATTERN]

Cases, folders and tools are those of run.py.
"""
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from run import Suite  # noqa: E402

CASES = []
# seeds: vm_acct_memory was inlined into vm_enough_memory.
BASE = {'vm_enough_memory': (786, 778, 780, 735), 'vm_acct_memory': (870, 952, 884, 898),
        'do_mmap_pgoff': (3559, 3673, 3669, 3807), 'unmap_region': (236, 267, 280, 280),
        'poll_idle': (101553, 108687, 89281, 86251), 'exit_mmap': (51, 52, 44, 52)}
NEXT = {'vm_enough_memory': (1539, 1488, 1488, 1472),
        'do_mmap_pgoff': (3510, 3523, 3436, 3475), 'unmap_region': (295, 340, 311, 349),
        'poll_idle': (98733, 85659, 104994, 103096), 'exit_mmap': (33, 52, 44, 42)}


def case(name):
    def register(function):
        CASES.append((name, function))
        return function
    return register


def profiles(c, label, rows, names=None):
    """Writes a readprofile text for each run; the side as a word."""
    paths = []
    for k in range(len(next(iter(rows.values())))):
        path = f'{label}{k}.prof'
        with open(c.path(path), 'w', encoding='ascii') as file:
            total = 0
            for name, ticks in rows.items():
                total += ticks[k]
                file.write(f'{ticks[k]:6d} {(names or {}).get(name, name):40s} {0.5:8.4f}\n')
            file.write(f'{total:6d} {"total":40s} {0.1:8.4f}\n')
        paths.append(path)
    return f'{label}=' + ','.join(paths)


def vm(c, *words, name=''):
    """Two objects, the helper inlined in the second only."""
    words = ('-O2', '-c', 'vm.c', *words)
    return c.build(f'a{name}.o', *words), c.build(f'b{name}.o', '-DINLINED', *words)


def groups(tree):
    return [row for row in tree['rows'] if row['paired'] == 'inline']


def tree_of(c, a, b, *words):
    return c.tree('-k', a, '-k', b, *words)


@case('a function that was inlined is a sum with its callers, beside the rows')
def inlined(c):
    a, b = vm(c, '-g')
    sides = profiles(c, 'A', BASE), profiles(c, 'B', NEXT)
    tree = tree_of(c, a, b, *sides)
    c.equal('groups', [g['name'] for g in groups(tree)], ['vm_acct_memory'])
    g = groups(tree)[0]
    c.equal('mean', g['mean'], [1670.75, 1496.75])
    c.equal('delta', g['delta'], [-174])
    c.equal('members', sorted(g['members']), ['vm_acct_memory', 'vm_enough_memory'])
    c.equal('verdict', g['verdict'], ['improved'])
    c.equal('q is p: it is alone in its control', g['q'], g['p'])
    c.check(g['p'][0] < 0.001, f'p is {g["p"]}')
    c.equal('notes', g['notes'], ['vm_acct_memory was inlined into vm_enough_memory and 9 others'])
    c.equal('group of members', [r['group'] for r in tree['rows'] if r['name'] in g['members']],
            [None] * 3)
    plain = c.tree(*sides)

    def bare(rows):
        return [{k: v for k, v in r.items() if k not in ('size', 'file')} for r in rows
                if r['paired'] != 'inline']
    c.equal('rows without images', bare(tree['rows']), bare(plain['rows']))
    for key in ('tested', 'flagged', 'totals', 'leftovers', 'pairing', 'shift'):
        c.equal(key, tree[key], plain[key])
    text = c.text('-k', a, '-k', b, *sides)
    c.check(re.search(r'^1670\.8 +1496\.8 +-174\.0 +-10\.4% +improved .* vm_acct_memory was '
                      r'inlined into vm_enough_memory and 9 others$', text, re.M), text)


@case('a report with sums of inlined functions fits a mail')
def narrow(c):
    a, b = vm(c, '-g')
    text = c.text('--report', '-k', a, '-k', b, profiles(c, 'A', BASE), profiles(c, 'B', NEXT))
    wide = [line for line in text.splitlines() if len(line) > 78]
    c.check(not wide, f'wider than 78 columns: {wide}')
    c.check('only on one side:' not in text, 'what the sum says is asked again')
    c.check(re.search(r'1670\.8 .* vm_acct_memory was\n +inlined into\n', text), text)


@case('and back: it is no longer inlined')
def outlined(c):
    a, b = vm(c, '-g')
    tree = tree_of(c, b, a, profiles(c, 'B', NEXT), profiles(c, 'A', BASE))
    g = groups(tree)[0]
    c.equal('delta', g['delta'], [174])
    c.equal('notes', g['notes'],
            ['vm_acct_memory is no longer inlined into vm_enough_memory and 9 others'])


@case('one caller, two callers')
def numbers(c):
    sides = profiles(c, 'A', BASE), profiles(c, 'B', NEXT)
    for word, end in (('-DSINGLE', ''), ('-DPAIR', ' and 1 other')):
        tree = tree_of(c, *vm(c, '-g', word, name=word), *sides)
        c.equal(word, [g['notes'] for g in groups(tree)],
                [['vm_acct_memory was inlined into vm_enough_memory' + end]])


@case('without DWARF calls tell it, which is a guess')
def guessed(c):
    sides = profiles(c, 'A', BASE), profiles(c, 'B', NEXT)
    for words in (('-ffunction-sections',), (), ('-g',)):
        a, b = vm(c, *words, name=''.join(words))
        options = ('--no-dwarf',) if '-g' in words else ()
        tree = tree_of(c, a, b, *sides, *options)
        c.equal('notes', [g['notes'] for g in groups(tree)],
                [['vm_acct_memory seems to be inlined into vm_enough_memory and 9 others']])
        c.equal('mean', [g['mean'] for g in groups(tree)], [[1670.75, 1496.75]])
        c.check(any('no DWARF' in n for n in tree['notes']), f'{tree["notes"]}')
    tree = tree_of(c, b, a, profiles(c, 'B', NEXT), profiles(c, 'A', BASE), '--no-dwarf')
    c.equal('and back', [g['notes'] for g in groups(tree)], [
        ['vm_acct_memory seems to be no longer inlined into vm_enough_memory and 9 others']])


@case('linked programs, with and without DWARF')
def linked(c):
    sides = profiles(c, 'A', BASE), profiles(c, 'B', NEXT)
    for words in (('-g',), ()):
        name = ''.join(words)
        args = ('-O2', '-DWITH_MAIN', '-DPAIR', 'vm.c', *words)
        a, b = c.build('la' + name, *args), c.build('lb' + name, '-DINLINED', *args)
        verb = 'was' if name == '-g' else 'seems to be'
        c.equal(name, [g['notes'] for g in groups(tree_of(c, a, b, *sides))],
                [[f'vm_acct_memory {verb} inlined into vm_enough_memory and 1 other']])


@case('names of bodies have suffixes; families are members')
def suffixes(c):
    a, b = vm(c, '-g')
    names = {'vm_acct_memory': 'vm_acct_memory.isra.0'}
    base = dict(BASE, **{'vm_enough_memory.cold': (4, 0, 3, 1)})
    sides = profiles(c, 'A', base, names), profiles(c, 'B', NEXT)
    for mode, members in (('group', ['vm_acct_memory.isra.0', 'vm_enough_memory']),
                          ('exact', ['vm_acct_memory.isra.0', 'vm_enough_memory',
                                     'vm_enough_memory.cold'])):
        g = groups(tree_of(c, a, b, *sides, f'--suffix={mode}'))
        c.equal(mode, [sorted(x['members']) for x in g], [members])
        c.equal(mode, [x['mean'] for x in g], [[1672.75, 1496.75]])


@case('no group where nothing differs, or has no ticks')
def none(c):
    a, b = vm(c, '-g')
    sides = profiles(c, 'A', BASE), profiles(c, 'B', NEXT)
    c.equal('equal images', groups(tree_of(c, a, a, *sides)), [])
    c.equal('equal code without DWARF', groups(tree_of(c, a, a, *sides, '--no-dwarf')), [])
    renamed = c.build('renamed.o', '-O2', '-c', 'vm.c', '-Dvm_acct_memory=vm_account_memory')
    c.equal('a function was renamed', groups(tree_of(c, vm(c, name='n')[0], renamed, *sides)), [])
    without = {k: v for k, v in BASE.items() if k != 'vm_acct_memory'}
    c.equal('no ticks of the function',
            groups(tree_of(c, a, b, profiles(c, 'A', without), sides[1])), [])
    lonely = {k: v for k, v in BASE.items() if k != 'vm_enough_memory'}
    rest = {k: v for k, v in NEXT.items() if k != 'vm_enough_memory'}
    c.equal('no ticks of a caller',
            groups(tree_of(c, a, b, profiles(c, 'A', lonely), profiles(c, 'B', rest))), [])
    sides = profiles(c, 'A', BASE), profiles(c, 'B', NEXT)
    c.equal('a member is filtered out',
            groups(tree_of(c, a, b, *sides, '--exclude=vm_enough')), [])


@case('a cut list that lacks the function says nothing of it, an image without it does')
def cut(c):
    a, b = vm(c, '-g')
    with open(c.path('table'), 'w', encoding='ascii') as file:
        file.write(f'{"":>20} {"old":>8} {"new":>8}\n{"total":>20} {5000:8d} {5100:8d}\n'
                   f'{"do_mmap_pgoff":>20} {2559:8d} {2510:8d}\n'
                   f'{"vm_enough_memory":>20} {786:8d} {1539:8d}\n'
                   f'{"vm_acct_memory":>20} {870:8d} {"-":>8}\n')
    tree = tree_of(c, a, b, 'table')
    c.equal('the row', [r['mean'] for r in tree['rows'] if r['paired'] != 'inline' and
                        r['name'] == 'vm_acct_memory'], [[870, None]])
    c.equal('the group', [g['mean'] for g in groups(tree)], [[1656, 1539]])
    # A body that is still there may have had ticks.
    tree = tree_of(c, a, c.build('both.o', '-O2', '-g', '-c', '-DINLINED', '-DPARTLY', 'vm.c'),
                   'table')
    c.equal('with a body', [g['mean'] for g in groups(tree)], [[1656, None]])


@case('what could not be told is said')
def missing(c):
    a, b = vm(c, '-g')
    sides = profiles(c, 'A', BASE), profiles(c, 'B', NEXT)
    for words, part in ((('-k', a), 'one image serves all sides'),
                        (('-k', f'B={b}'), 'there is no image of A'),
                        (('-k', f'A={a}'), 'there is no image of B')):
        tree = c.tree(*words, *sides)
        c.equal(part, groups(tree), [])
        c.check(any(part in n for n in tree['notes']), f'{words}: {tree["notes"]}')
    with open(c.path('a.nm'), 'w', encoding='ascii') as file:
        file.write(c.tool(['nm', '-S', c.path(a)]))
    notes = tree_of(c, 'a.nm', b, *sides)['notes']
    c.check(any('a.nm has no code' in n for n in notes), f'{notes}')
    c.equal('without images', c.tree(*sides)['notes'], [])


@case('an explanation adds up')
def explained(c):
    a, b = vm(c, '-g')
    sides = profiles(c, 'A', BASE), profiles(c, 'B', NEXT)
    tree = tree_of(c, a, b, *sides, '--explain')
    [x] = tree['explain']
    c.equal('total', [x['total'][k] for k in ('base', 'next', 'delta')],
            tree['totals'][0]['mean'] + tree['totals'][0]['delta'])
    for key in ('base', 'next', 'delta'):
        c.equal(key, sum(p[key] for p in x['parts']), x['total'][key])
    c.equal('inline', [(p['name'], p['delta']) for p in x['parts'] if p['kind'] == 'inline'],
            [('vm_acct_memory was inlined into vm_enough_memory and 9 others', -174)])
    c.equal('idle', [p['delta'] for p in x['parts'] if p['kind'] == 'idle'], [1677.5])
    c.check(all(p['name'] not in ('vm_acct_memory', 'vm_enough_memory') for p in x['parts']),
            'a member of a group is a part of its own')
    text = c.text('-k', a, '-k', b, *sides, '--explain')
    deltas = [float(m) for m in re.findall(
        r'^ *[\d.]+ +[\d.]+ +([-+]?[\d.]+) +-?[\d.]+%', text.partition('where the')[2], re.M)]
    c.check(len(deltas) > 3 and round(sum(deltas[:-1]), 6) == deltas[-1], f'{deltas}')


@case('folders, files and sections of MAINTAINERS: ticks and bytes')
def rolled_up(c):
    words = ('-O2', '-g', '-c')
    c.tool(['mkdir', c.path('src'), c.path('src/mm'), c.path('src/fs')])
    for path, text in (('mm/a.c', 'int f(int x) { return x * 3 + 1; }'),
                       ('mm/b.c', 'int g(int x) { return x / 5; }'),
                       ('fs/c.c', 'int h(int x) { return x / 7 % 11; }'),
                       ('fs/d.c', 'int quiet(int x) { return x PLUS; }')):
        with open(c.path('src/' + path), 'w', encoding='ascii') as file:
            file.write(text + '\n')
    images = []
    for label, plus in (('a', ''), ('b', '* 0x1234567')):
        parts = []
        for path in ('mm/a.c', 'mm/b.c', 'fs/c.c', 'fs/d.c'):
            part = c.path(label + path.replace('/', '-') + '.o')
            c.tool(['gcc', *words, f'-DPLUS={plus}', path, '-o', part], cwd=c.path('src'))
            parts.append(part)
        c.tool(['ld', '-r', '-o', c.path(label + '.o'), *parts])
        images.append(label + '.o')
    a, b = images
    sides = (profiles(c, 'A', {'f': (10, 12), 'g': (5, 7), 'h': (100, 90)}),
             profiles(c, 'B', {'f': (20, 22), 'g': (5, 7), 'h': (70, 80)}))
    sizes = [{fields[7]: int(fields[2]) for fields in map(
        str.split, c.tool(['readelf', '-sW', c.path(image)]).splitlines())
        if len(fields) == 8 and fields[3] == 'FUNC'} for image in images]

    def want(rows):
        return {name: ([sum(m) / 2 for m in ticks], [sum(s[f] for f in functions) for s in sizes])
                for name, ticks, functions in rows}

    def got(*options):
        tree = tree_of(c, a, b, *sides, *options)
        return {r['name']: (r['mean'], r['size']) for r in tree['rows']}
    with open(c.path('M'), 'w', encoding='ascii') as file:
        file.write('head\n\tF: all\n\nMM\nF:\tmm/\nX:\tmm/b.c\n\nB FILES\nN:\t/b\\.c$\n\n'
                   'THE REST\nF:\t*\nF:\t*/\n')
    c.equal('dir', got('--by=dir'), want([
        ('mm', ((15, 19), (25, 29)), 'fg'), ('fs', ((100, 90), (70, 80)), ('h', 'quiet'))]))
    c.equal('file', got('--by=file'), want([
        ('mm/a.c', ((10, 12), (20, 22)), 'f'), ('mm/b.c', ((5, 7), (5, 7)), 'g'),
        ('fs/c.c', ((100, 90), (70, 80)), 'h'), ('fs/d.c', ((0, 0), (0, 0)), ('quiet',))]))
    c.equal('maintainer', got('--maintainers=M'), want([
        ('MM', ((10, 12), (20, 22)), 'f'), ('B FILES', ((5, 7), (5, 7)), 'g'),
        ('THE REST', ((100, 90), (70, 80)), ('h', 'quiet'))]))
    text = c.text('-k', a, '-k', b, *sides, '--by=file')
    c.check(re.search(r' fs/d\.c$', text, re.M), 'a file that only grew is not shown')
    rows = {r['name']: r['size'] for r in c.tree('--size', a, b, '--maintainers=M')['rows']}
    c.equal('sizes', rows, {name: bytes for name, (_, bytes) in got('--maintainers=M').items()})


def main(argv):
    if len(argv) not in (4, 5):
        sys.exit(__doc__)
    pattern = argv[4] if len(argv) == 5 else ''
    return Suite(*argv[1:4]).run([c for c in CASES if re.search(pattern, c[0])])


if __name__ == '__main__':
    sys.exit(main(sys.argv))
