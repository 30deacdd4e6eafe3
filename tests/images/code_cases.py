# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases on the code of functions: --annotate, --same-code, --pair-code.

Instructions are held against objdump; what is the same code follows from how the pair was
made: one object file is linked to other addresses, or a name is changed by the compiler's
command line.
"""
import os
import re
import shutil
import struct

INSN = re.compile(r'^ *([0-9a-f]+):\s+(\S+)\s*(.*)$')
RELOC = re.compile(r'^\s+[0-9a-f]+: +R_\S+\s+(\S+?)(?:[+-]0x[0-9a-f]+)?$')
PADDING = re.compile(r'nop|int3|xchg +%ax,%ax|data16|cs nop')

MOVED = """
__attribute__((noinline)) int kept(int x) { return x * 3 + 1; }
const char *text(int x) { return x ? "a text of some length" : "and another one"; }
%s
int table[64];
int caller(int x) { table[x & 63] = kept(x); return table[(x + 1) & 63] + kept(x + 1); }
"""


def disassembly(c, path, function, objdump='objdump'):
    """[(address, mnemonic, operands, name of what a relocation refers to)]."""
    out = c.tool([objdump, '-d', '-r', '--no-show-raw-insn', c.path(path)])
    piece = c.elf(path).piece(function)
    insns, is_within = [], False
    for line in out.splitlines():
        if line.endswith('>:'):
            is_within = f'<{function}>:' in line
        insn, reloc = INSN.match(line), RELOC.match(line)
        if not is_within:
            continue
        if reloc and insns:
            insns[-1][3] = reloc[1]
        elif insn and int(insn[1], 16) < piece.address + piece.n_bytes:
            insns.append([int(insn[1], 16), insn[2], insn[3], None])
    while insns and PADDING.match(f'{insns[-1][1]} {insns[-1][2]}'):
        insns.pop()
    return insns


def own_lines(tree, side):
    return [line[side] for line in tree['lines'] if line['op'] != 'source' and line[side]]


def is_same_mnemonic(got, want):
    """AT&T suffixes are written by some, and left out by others."""
    return got == want or (got[-1] in 'bwlq' and got[:-1] == want) or \
        (want[-1] in 'bwlq' and want[:-1] == got)


def check_against_objdump(c, path, function):
    tree = c.tree(f'--annotate={function}', path, is_again=True)
    got, want = own_lines(tree, 'base'), disassembly(c, path, function)
    got = [line for line in got if line is not None]
    n = tree['parts'][0]['n_insns'][0]
    what = f'{path}: {function}'
    c.equal(f'{what}: instructions', n, len(want))
    c.equal(f'{what}: addresses', [int(line['addr'], 16) for line in got[:n]],
            [insn[0] for insn in want])
    for line, (_, mnemonic, operands, reloc) in zip(got, want):
        words = line['text'].split()
        prefixes = ('lock', 'rep', 'repz', 'repnz', 'bnd', 'notrack')
        own = [word for word in words if word not in prefixes][0]
        theirs = [word for word in [mnemonic, *operands.split()] if word not in prefixes][0]
        c.check(is_same_mnemonic(own, theirs), f'{what}: {line["text"]!r}, not {mnemonic}')
        if reloc and not reloc.startswith('.'):
            c.check(re.search(rf'\b{re.escape(reloc)}\b', line['text']),
                    f'{what}: {line["text"]!r} does not refer to {reloc}')
        named = re.search(r'<([A-Za-z_]\w*)>$', operands)
        if named and named[1] != function and not reloc:
            c.check(named[1] in line['text'],
                    f'{what}: {line["text"]!r} does not go to {named[1]}')


def codes(c, a, b, *options):
    tree = c.tree('--size', '--same-code', *options, a, b)
    return {row['name']: row['code'] for row in tree['rows'] if row['kind'] == 'function'}


def write(c, name, text):
    with open(c.path(name), 'w', encoding='ascii') as file:
        file.write(text)
    return c.path(name)


def ops(tree):
    return [line['op'] for line in tree['lines'] if line['op'] != 'source']


def as_objdump(c):
    for words in (['-O2', '-c', 'cold.c'], ['-O0', '-g', '-c', 'cold.c'], ['-O2', '-c', 'clones.c'],
                  ['-O3', '-mavx2', '-c', 'clones.c'], ['-O2', '-m32', '-fno-pic', '-c', 'story.c'],
                  ['-O2', '-no-pie', 'story.c', 'main.c'], ['-O2', 'cold.c', 'main.c']):
        if '-m32' in words and not c.can(['gcc', *words, '-o', c.path('x')], cwd=c.sources):
            continue
        name = c.build('a', *words)
        for piece in c.elf(name).functions():
            if piece.names[0].split('.')[0] in ('submit', 'drain', 'complain', 'scale', 'area',
                                                'guard', 'story_first', 'story_third'):
                check_against_objdump(c, name, piece.names[0])
        c._elves.pop(name)


def intel(c):
    name = c.build('a.o', '-O2', '-c', 'cold.c')
    tree = c.tree('--annotate=drain', '--asm-syntax=intel', name)
    want = c.tool(['objdump', '-d', '-M', 'intel', '--no-show-raw-insn', '--disassemble=drain',
                   c.path(name)])
    want = [m[2] for m in map(INSN.match, want.splitlines()) if m]
    got = [line['text'].split()[0] for line in own_lines(tree, 'base')]
    got = got[:tree['parts'][0]['n_insns'][0]]
    c.equal('mnemonics', got, want[:len(got)])
    c.check('%' not in ' '.join(line['text'] for line in own_lines(tree, 'base')),
            'there are registers in the syntax of AT&T')


def moved(c):
    """Other addresses, in an executable of either sort: nothing has changed."""
    for words in ([], ['-no-pie'], ['-static-pie'], ['-no-pie', '-fno-pic', '-mcmodel=large']):
        if not c.can(['gcc', '-O2', *words, 'main.c', '-o', c.path('x')], cwd=c.sources):
            continue
        first = write(c, 'first.c', MOVED % '')
        more = write(c, 'more.c', 'int more(int x) { int volatile y = x; return y / 7; }\n'
                     'const char *other(void) { return "a third text, before the others"; }')
        a = c.build('a', '-O2', *words, first, 'main.c', more)
        b = c.build('b', '-O2', *words, more, 'main.c', first)
        got = codes(c, a, b)
        for name in ('kept', 'text', 'caller', 'main', 'more'):
            c.equal(f'{words}: code of {name}', got.get(name), 'same')
            tree = c.tree(f'--annotate={name}', a, b, is_again=True)
            c.equal(f'{words}: {name}: lines', set(ops(tree)), {'same'})
        text = c.text('--annotate=caller', '--no-dwarf', a, b)
        c.equal(f'{words}: lines of text ({text!r})', text.count('\n'), 1)


def changed(c):
    """What is not the same, although it is as large."""
    a = c.build('a.o', '-O2', '-c', write(c, 'a.c', MOVED % ''))
    text = (MOVED % '').replace('x * 3 + 1', 'x * 3 + 2').replace('another one', 'another 1st')
    b = c.build('b.o', '-O2', '-c', write(c, 'b.c', text.replace('table[(x + 1)', 'table[(x + 3)')))
    got = codes(c, a, b)
    for name in ('kept', 'text', 'caller'):
        c.equal(f'code of {name}', got.get(name), 'changed')
    tree = c.tree('--annotate=kept', a, b)
    c.equal('kept: lines', sorted(set(ops(tree))), ['changed', 'same'])
    changed_lines = [line for line in tree['lines'] if line['op'] == 'changed']
    c.equal('kept: what has changed', len(changed_lines), 1)
    c.check('lea' in changed_lines[0]['base']['text'], f'kept: {changed_lines}')
    swapped = c.tree('--annotate=kept', b, a, is_again=True)
    c.equal('kept, the sides swapped', ops(swapped), ops(tree))


def registers(c):
    """Another register for the same thing is no change to people, but it is other code."""
    source = write(c, 'r.s', """
        .globl f
        .type f, @function
f:      push %REG
        mov %rdi, %REG
        add $3, %REG
        mov %REG, 16(%rsp)
        mov %REG, %rax
        pop %REG
        ret
        .size f, . - f
        .section .note.GNU-stack,"",@progbits
""")
    with open(source, encoding='ascii') as file:
        text = file.read()
    names = []
    for name, register, place in (('a.o', 'r12', 16), ('b.o', 'r13', 24)):
        path = write(c, name + '.s', text.replace('REG', register).replace('16(', f'{place}('))
        names.append(c.build(name, '-c', path))
    tree = c.tree('--annotate=f', *names)
    c.equal('lines', set(ops(tree)), {'same'})
    c.equal('code', tree['parts'][0]['code'], 'changed')
    c.equal('--same-code', codes(c, *names).get('f'), 'changed')


def renamed(c):
    a = c.build('a.o', '-O2', '-c', 'cold.c')
    b = c.build('b.o', '-O2', '-Dsubmit=enqueue', '-c', 'cold.c')
    for options, want in (([], ['base-only', 'next-only']), (['--pair-code'], ['code'])):
        tree = c.tree('--size', *options, a, b)
        rows = [row for row in tree['rows'] if row['name'] in ('submit', 'enqueue')]
        c.equal(f'{options}: paired', sorted(row['paired'] for row in rows), want)
        if options:
            c.equal('status', rows[0]['status'], 'same')
            c.check('enqueue' in rows[0]['aliases'], f'aliases {rows[0]["aliases"]}')
            c.equal('new and gone', [tree['totals'][k]['n'] for k in ('new', 'gone')], [0, 0])
        for line in tree['accounts']:
            c.equal(f'{options}: account of {line["section"]}', line['delta'],
                    sum(line[term] for term in ('grown', 'shrunk', 'new', 'gone', 'objects',
                                                'padding', 'unnamed')))
    # Two that are alike tell nothing.
    twice = 'int %s(int x) { return x * 5; } int %s(int x) { return x * 5; }\n'
    d = c.build('d.o', '-O2', '-c', write(c, 'd.c', twice % ('one', 'two')))
    e = c.build('e.o', '-O2', '-c', write(c, 'e.c', twice % ('three', 'four')))
    tree = c.tree('--size', '--pair-code', d, e)
    c.equal('ambiguous: paired', sorted({row['paired'] for row in tree['rows']}),
            ['base-only', 'next-only'])


def other_file(c):
    body = 'static __attribute__((noinline)) int wander(int x) { return x * x + 11; }\n'
    use = 'int %s(int x) { return wander(x) + %d; }\n'
    one, two = use % ('uses_one', 1), use % ('uses_two', 2)
    plain = 'int %s(int x) { return x; }\n'
    builds = []
    for side, first in (('a', True), ('b', False)):
        os.makedirs(c.path(side), exist_ok=True)
        files = [write(c, f'{side}/one.c', body + one if first else plain % 'uses_one'),
                 write(c, f'{side}/two.c', plain % 'uses_two' if first else body + two)]
        builds.append(c.build(f'{side}.out', '-O2', '-g', *files, 'main.c'))
    rows = {}
    for options in ([], ['--pair-code']):
        tree = c.tree('--size', *options, *builds)
        rows[bool(options)] = [row['paired'] for row in tree['rows'] if row['name'] == 'wander']
    c.equal('without --pair-code', sorted(rows[False]), ['base-only', 'next-only'])
    c.equal('with it', rows[True], ['code'])


def family(c):
    a = c.build('a.o', '-O2', '-fno-ipa-cp', '-fno-ipa-sra', '-fno-partial-inlining', '-c',
                'clones.c')
    b = c.build('b.o', '-O2', '-c', 'clones.c')
    names = [p.names[0] for p in c.elf(b).functions() if '.' in p.names[0]]
    for name in [n for n in names if n.startswith(('scale', 'area'))]:
        tree = c.tree(f'--annotate={name.split(".")[0]}', a, b, is_again=True)
        c.equal(f'{name}: names', tree['parts'][0]['names'], [name.split('.')[0], name])
    d = c.build('d.o', '-O2', '-fno-reorder-blocks-and-partition', '-c', 'cold.c')
    e = c.build('e.o', '-O2', '-freorder-blocks-and-partition', '-c', 'cold.c')
    if c.elf(e).piece('submit.cold'):
        tree = c.tree('--annotate=submit', d, e)
        c.equal('parts', [part['names'] for part in tree['parts']],
                [['submit', 'submit'], [None, 'submit.cold']])
        c.equal('lines of the cold part', {line['op'] for line in tree['lines']
                                           if line['part'] == 1} - {'source'}, {'added'})
        alone = c.tree('--annotate=submit.cold', d, e)
        c.equal('the cold part alone', [part['names'] for part in alone['parts']],
                [[None, 'submit.cold']])


def check_why(c, a, b, function):
    """--why counts instructions as objdump's text has them, and knows what is inlined."""
    tree = c.tree(f'--why={function}', '-k', a, '-k', b, is_again=True)
    for side, path in enumerate((a, b)):
        insns = disassembly(c, path, function)
        c.equal(f'{path}: instructions', tree['instructions']['all'][side], len(insns))
        c.equal(f'{path}: calls', tree['instructions']['calls'][side],
                sum(insn[1].startswith('call') for insn in insns))
        c.equal(f'{path}: branches', tree['instructions']['branches'][side],
                sum(insn[1].startswith('j') for insn in insns))
        c.equal(f'{path}: bytes', tree['size']['size'][side],
                next(piece.n_bytes for piece in c.elf(path).functions()
                     if piece.names[0] == function))
    here = {row['name']: row['instances_here'] for row in tree['inline']}
    c.equal('clamp is inlined on the next side only', here.get('clamp', [0, 0])[0], 0)
    c.check(here.get('clamp', [0, 0])[1] > 0, f'clamp is not said to be inlined: {here}')
    text = c.text(f'--why={function}', '-k', a, '-k', b)
    for heading in ('Size\n----', 'Code\n----', 'Callers\n-------'):
        c.check(heading in text, f'no heading {heading!r}')


def inlined(c):
    a = c.build('a.o', '-O2', '-g', '-fno-inline', '-c', 'story.c')
    b = c.build('b.o', '-O2', '-g', '-c', 'story.c')
    tree = c.tree('--annotate=story_first', a, b)
    gone = [line['base']['text'] for line in tree['lines'] if line['op'] == 'removed']
    c.check(any('clamp' in text for text in gone), f'no call of clamp is gone: {gone}')
    sources = {line['source'] for line in tree['lines'] if line['source']}
    c.check(any(re.fullmatch(r'.*story\.c:\d+', source) for source in sources),
            f'no line of story.c: {sources}')
    check_why(c, a, b, 'story_first')
    tree = c.tree('--annotate=clamp', a, b)
    c.equal('clamp: the next side', tree['images'][1], None)
    text = c.text('--annotate=clamp', a, b)
    c.check('no function clamp of its own' in text, f'nothing is said of clamp: {text[:200]}')
    outcome = c.profdiff('--annotate=nothing_of_it', a, b)
    c.equal('exit status for an unknown function', outcome.exit, 2)


def sources(c):
    """Source lines stand in the listing, of the side whose instruction comes next."""
    for side, number in (('a', 3), ('b', 4)):
        os.makedirs(c.path(side), exist_ok=True)
        write(c, f'{side}/s.c',
              f'int f(int x)\n{{\n\treturn x * {number} + 9; /* side {side} */\n}}\n')
        c.tool(['gcc', '-O2', '-g', '-c', 's.c', '-o', 's.o'], cwd=c.path(side))
    text = c.text('--annotate=f', '--source-dir=a', '--source-dir=b', 'a/s.o', 'b/s.o')
    c.check('s.c:3: return x * 4 + 9; /* side b */' in text, f'no source line: {text}')
    text = c.text('--annotate=f', '--source-dir=a', 'a/s.o')
    c.check('s.c:3: return x * 3 + 9; /* side a */' in text, f'no source line: {text}')
    text = c.text('--annotate=f', '--source-dir=nowhere', 'a/s.o')
    c.check(re.search(r'^s\.c:3$', text, re.M), f'without the file: {text}')
    text = c.text('--annotate=f', '--no-dwarf', '--source-dir=a', 'a/s.o')
    c.check('s.c' not in text, f'--no-dwarf: {text}')


def statics(c):
    """Several functions of one name have to be told apart by their files."""
    a = c.build('a.o', '-O2', '-c', 'one/core.c')
    b = c.build('b.o', '-O2', '-c', 'two/core.c')
    names = {p.names[0] for p in c.elf(a).functions()} & {p.names[0] for p in c.elf(b).functions()}
    body = 'static __attribute__((noinline)) int twin(int x) { return x %s 3; }\n' \
           'int %s(int x) { return twin(x) + 1; }\n'
    files = [write(c, 'left.c', body % ('*', 'left')), write(c, 'right.c', body % ('/', 'right'))]
    both = c.build('both', '-O2', *files, 'main.c')
    outcome = c.profdiff('--annotate=twin', both)
    told = outcome.stderr.decode()
    c.equal('exit status', outcome.exit, 2)
    c.check('left.c' in told and 'right.c' in told, f'files are not named: {told!r}')
    for side, word in (('left', 'lea'), ('right', 'mul')):
        text = ' '.join(line['text'] for line in
                        own_lines(c.tree(f'--annotate={side}.c:twin', both), 'base'))
        c.check(word in text, f'{side}.c:twin: {text}')
    c.check(names, 'the two files have no function in common')


def notes(c):
    """A flagged function whose code is the same is told so; one that changed is not."""
    a = c.build('a.o', '-O2', '-c', write(c, 'a.c', MOVED % ''))
    b = c.build('b.o', '-O2', '-c', write(c, 'b.c', (MOVED % '').replace('x * 3 + 1', 'x * 3 + 2')))
    runs = []
    for side, kept, caller in (('a', 1000, 2000), ('b', 3000, 500)):
        os.makedirs(c.path(side), exist_ok=True)
        for i in range(5):
            write(c, f'{side}/{i}.folded',
                  f'kept {kept + i}\ncaller {caller + 2 * i}\ntext {7000 + i}\n')
        runs.append(side)
    tree = c.tree('-k', a, '-k', b, *runs)
    rows = {row['name']: row for row in tree['rows']}
    c.equal('verdicts', [rows[n]['verdict'] for n in ('kept', 'caller')],
            [['regressed'], ['improved']])
    c.check(any('same code' in note for note in rows['caller']['notes']),
            f'caller: {rows["caller"]["notes"]}')
    c.check(not any('same code' in note for note in rows['kept']['notes']),
            f'kept: {rows["kept"]["notes"]}')
    c.check('same code on both sides' in c.text('-k', a, '-k', b, *runs), 'the text says nothing')
    one = c.tree('-k', a, *runs)
    c.check(not any(row['notes'] for row in one['rows']), 'one image proves something')


def pair_profiles(c):
    a = c.build('a.o', '-O2', '-c', 'cold.c')
    b = c.build('b.o', '-O2', '-Dsubmit=enqueue', '-c', 'cold.c')
    for side, name in (('a', 'submit'), ('b', 'enqueue')):
        os.makedirs(c.path(side), exist_ok=True)
        for i in range(3):
            write(c, f'{side}/{i}.folded', f'{name} {100 + i}\ndrain {500 + i}\n')
    tree = c.tree('--pair-code', '-k', a, '-k', b, 'a', 'b')
    c.equal('rows', sorted((row['name'], row['paired']) for row in tree['rows']
                           if row['group'] is None and not row.get('members')),
            [('drain', 'exact'), ('enqueue', 'code')])
    plain = c.tree('-k', a, '-k', b, 'a', 'b')
    c.equal('without', sorted(row['paired'] for row in plain['rows']),
            ['base-only', 'exact', 'next-only'])
    outcome = c.profdiff('--pair-code', 'a', 'b')
    c.equal('without images: exit status', outcome.exit, 2)
    c.check(b'--pair-code' in outcome.stderr, 'the message does not name the option')


def ticks(c):
    """Counters of a kernel's buffer are those of the instructions that they begin in."""
    base = 0xffffffff81000000
    source = """
__attribute__((section(".first"))) int _stext(int x) { return x; }
int volatile words[4];
/* What makes it look like a kernel. */
__attribute__((section("__ex_table"))) int table = 1;
__attribute__((section(".init.text"))) void setup(void) {}
__attribute__((noinline)) int busy(int x) { for (int i = 0; i < x; i++) words[i & 3] += x * EXTRA;
                                            return words[1]; }
int _start(void) { return busy(3); }
"""
    images, profiles = [], []
    for side, extra in (('a', 3), ('b', 7)):
        image = c.build(f'vmlinux-{side}', '-O2', '-static', '-nostdlib', '-fno-pic', '-no-pie',
                        '-mcmodel=kernel', '-ffreestanding', '-fcf-protection=none', '-w',
                        f'-DEXTRA={extra}', f'-Wl,--section-start=.first={base:#x}',
                        f'-Wl,-Ttext={base + 0x40:#x}', '-Wl,--build-id=none',
                        write(c, f'{side}.c', source))
        images.append(image)
        for step in (1, 2, 8):
            name = f'{side}{step}.profile'
            counts = [0] * (0x400 // step)
            piece = c.elf(image).piece('busy')
            first = (piece.address - base) // step
            for i in range(first, (piece.address + piece.n_bytes - base) // step):
                counts[i] = i - first + 1
            with open(c.path(name), 'wb') as file:
                file.write(struct.pack(f'<{len(counts) + 2}I', step, *counts, 5))
            profiles.append((step, name, counts))
    for step in (1, 2, 8):
        a, b = [(name, counts) for s, name, counts in profiles if s == step]
        tree = c.tree('--annotate=busy', '-k', images[0], '-k', images[1], a[0], b[0],
                      is_again=True)
        c.equal(f'step {step}: events', len(tree['events']), 1)
        for side, counts in (('base', a[1]), ('next', b[1])):
            lines = own_lines(tree, side)
            begins = [int(line['addr'], 16) for line in lines] + [1 << 64]
            want = [sum(count for i, count in enumerate(counts)
                        if begin <= base + i * step < end)
                    for begin, end in zip(begins, begins[1:])]
            c.equal(f'step {step}, {side}: ticks', [line['ticks'] for line in lines],
                    [[n] for n in want])
            c.check(sum(want) > 0, f'step {step}: no ticks at all')
        swapped = c.tree('--annotate=busy', '-k', images[1], '-k', images[0], b[0], a[0],
                         is_again=True)
        c.equal(f'step {step}, swapped', [line['ticks'] for line in own_lines(swapped, 'base')],
                [line['ticks'] for line in own_lines(tree, 'next')])
    one = c.tree('--annotate=busy', '-k', images[0], profiles[0][1])
    c.equal('one side: sides', one['images'][1], None)
    both = c.tree('--annotate=busy', '-k', images[0], profiles[0][1], profiles[0][1])
    c.equal('one image, two sides: lines', set(ops(both)), {'same'})
    outcome = c.profdiff('--annotate=busy', '-k', images[0], '-k', images[1], profiles[0][1])
    c.check(outcome.exit != 0, 'two images and one profile are no error')


def machine(words, link, has_objdump):
    def run(c):
        compiler = ['clang', *words, '-O2', '-ffreestanding', '-w']
        if not c.can([*compiler, '-c', 'portable.c', '-o', c.path('x.o')], cwd=c.sources):
            c.skip('this clang makes no code for it')
        pairs = [[c.build(f'{side}.o', *compiler, *more, '-c', 'portable.c')
                  for side, more in (('a', []), ('b', ['-DMORE']))]]
        if link and shutil.which(link[0]):
            linked = []
            for side, more in (('c', []), ('d', ['-DMORE'])):
                c.build(f'{side}.o', *compiler, '-DWHOLE', *more, '-c', 'portable.c')
                c.tool([*link, '-static', '-e', 'direct', f'{side}.o', '-o', side])
                linked.append(side)
            pairs.append(linked)
        for a, b in pairs:
            got = codes(c, a, b)
            c.equal(f'{a}: code', [got.get(n) for n in ('direct', 'target', 'far_away')],
                    ['changed', 'same', 'same'])
            tree = c.tree('--annotate=direct', a, b, is_again=True)
            c.check('same' in ops(tree) and 'added' in ops(tree), f'{a}: lines {set(ops(tree))}')
            if has_objdump and shutil.which('llvm-objdump'):
                c.equal(f'{a}: instructions', tree['parts'][0]['n_insns'][0],
                        len(disassembly(c, a, 'direct', 'llvm-objdump')))
            text = ' '.join(line['text'] for line in own_lines(tree, 'base'))
            c.check(re.search(r'\btarget\b', text), f'{a}: no call of target in {text}')
    return run


def register(case, machines):
    """All cases, into the list of run.py."""
    for name, function in (
            ('code: instructions are those of objdump', as_objdump),
            ('code: in the syntax of Intel', intel),
            ('code: moved by the linker, it is the same', moved),
            ('code: other constants, texts and places are changes', changed),
            ('code: other registers are no change to people', registers),
            ('code: renamed, it is paired', renamed),
            ('code: moved to another file, it is paired', other_file),
            ('code: clones and cold parts', family),
            ('code: an inlined callee', inlined),
            ('code: source lines', sources),
            ('code: statics of one name', statics),
            ('code: ticks of instructions', ticks),
            ('code: notes beside verdicts', notes),
            ('code: renamed functions of profiles', pair_profiles)):
        case(name)(function)
    for name, more in (('i386', []), ('aarch64', []), ('armv7', ['-fno-pic']), ('powerpc64', []),
                       ('powerpc64le', []), ('s390x', [])):
        # That of LLVM names no code of descriptors.
        words, _, link = machines[name]
        case(f'code: {name}')(machine([*words, *more], link, name != 'powerpc64'))
