#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lint: the looks of the source that a compiler does not mind."""
import os
import re
import subprocess

import lint

C_FOLDERS = ['src', 'include', 'tests']
TEXT_FOLDERS = C_FOLDERS + ['tools', 'man', '.ci']
LICENCE = 'SPDX-License-Identifier: GPL-3.0-or-later'
COLUMNS = 100
MAX_BYTES = 1 << 20
# Spelt in parts, or this file would be its own first finding.
MARKER = re.compile(r'\b(TO' r'DO|FIX' r'ME|XX' r'X)\b')


def text_files(root):
    top = [name for name in sorted(os.listdir(root))
           if name.endswith(('.build', '.md')) or name == 'meson_options.txt']
    return top + lint.files(root, TEXT_FOLDERS, '')


def indentation(path, text):
    """Tabs indent; up to seven blanks may align a line that continues another."""
    problems = []
    depth, ended = 0, True  # open parentheses; whether the last line was complete
    for number, (line, code) in enumerate(zip(text.splitlines(),
                                              lint.blank(text).splitlines()), 1):
        blanks = re.match(r'[ \t]*', line)[0]
        if blanks and not code.startswith(lint.COMMENT):
            rest = blanks.lstrip('\t')
            if '\t' in rest:
                problems.append(f'{path}:{number}: blanks before a tab')
            elif len(rest) > 7:
                problems.append(f'{path}:{number}: {len(rest)} blanks instead of a tab')
            elif rest and ended and depth == 0:
                problems.append(f'{path}:{number}: indented with blanks')
        code = code.replace(lint.COMMENT, ' ').strip()
        if not code:
            continue
        depth += sum(code.count(c) for c in '([') - sum(code.count(c) for c in ')]')
        ended = not code.endswith('\\') and (code[0] == '#' or code[-1] in ';{}:')
    return problems


def head(path, text):
    first = text.splitlines()[:3]
    if not first or not first[0].startswith(('/*', '//')):
        return [f'{path}:1: no comment at the head']
    if not any(LICENCE in line for line in first):
        return [f'{path}:1: no {LICENCE} in the first three lines']
    return []


def guard(path, text):
    code = lint.blank(text)
    if re.search(r'^#pragma once\b', code, re.M) or \
            re.search(r'^#ifndef (\w+)\n#define \1\b', code, re.M):
        return []
    return [f'{path}:1: no header guard']


def line_problems(path, text, predicate, what):
    return [f'{path}:{number}: {what}' for number, line in enumerate(text.splitlines(), 1)
            if predicate(line)]


def large_files(root):
    """Looks at what git tracks, or at everything where there is no git."""
    try:
        # Who owns the checkout does not matter for a list of its files.
        tracked = subprocess.run(['git', '-c', 'safe.directory=*', 'ls-files', '-z'],
                                 cwd=root, capture_output=True, check=True).stdout
        paths = [os.fsdecode(path) for path in tracked.split(b'\0') if path]
    except (OSError, subprocess.CalledProcessError):
        paths = []
    if not paths:
        folders = [name for name in os.listdir(root)
                   if os.path.isdir(os.path.join(root, name))
                   and name != '.git' and not name.startswith('build')]
        paths = lint.files(root, folders, '')
    problems = []
    for path in paths:
        full = os.path.join(root, path)
        if os.path.isfile(full) and os.path.getsize(full) > MAX_BYTES:
            problems.append(f'{path}:1: {os.path.getsize(full)} bytes, at most {MAX_BYTES}')
    return problems


def check(root):
    blanks, markers, wide, ascii_only, indents, heads, guards = ([] for _ in range(7))
    for path in text_files(root):
        text = lint.read(root, path)
        blanks += line_problems(path, text, lambda line: line != line.rstrip(),
                                'blanks at the end')
        markers += line_problems(path, text, MARKER.search, 'a marker of unfinished work')
        if not path.endswith('.md'):
            wide += line_problems(path, text, lambda line: len(line.expandtabs(8)) > COLUMNS,
                                  f'more than {COLUMNS} columns')
    for path in lint.c_files(root, C_FOLDERS):
        text = lint.read(root, path)
        ascii_only += line_problems(path, text, lambda line: not line.isascii(),
                                    'not ASCII')
        indents += indentation(path, text)
        heads += head(path, text)
        if path.endswith('.h'):
            guards += guard(path, text)
    yield 'no blanks at line ends', blanks
    yield 'no markers of unfinished work', markers
    yield f'no line has more than {COLUMNS} columns', wide
    yield 'C is ASCII', ascii_only
    yield 'C is indented with tabs', indents
    yield 'each C file begins with its licence', heads
    yield 'each header has a guard', guards
    yield f'no file has more than {MAX_BYTES} bytes', large_files(root)


if __name__ == '__main__':
    lint.main(check)
