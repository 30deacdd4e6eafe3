#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lint: no file and no function that is too long to be read in one go."""
import os
import re
import shutil
import subprocess

import lint

FILE_LINES = 600
FUNCTION_LINES = 80
FOLDERS = ['src', 'include', 'tests']


def long_files(root, paths):
    problems = []
    for path in paths:
        n_lines = lint.read(root, path).count('\n')
        if n_lines > FILE_LINES:
            problems.append(f'{path}:{n_lines}: {n_lines} lines, at most {FILE_LINES}')
    return problems


def ctags():
    """The Universal Ctags program; others do not tell where a function ends."""
    for name in ('ctags-universal', 'universal-ctags', 'ctags'):
        path = shutil.which(name)
        if path:
            version = subprocess.run([path, '--version'], capture_output=True, text=True,
                                     check=False).stdout
            if 'Universal Ctags' in version:
                return path
    return None


def long_functions(root, paths):
    program = ctags()
    if not program:
        return lint.Skip('no Universal Ctags')
    if not paths:
        return []
    tags = subprocess.run(
        [program, '-f', '-', '--sort=no', '--language-force=C', '--kinds-C=f',
         '--fields=+ne', '-L', '-'],
        cwd=root, input='\n'.join(paths), capture_output=True, text=True, check=True).stdout
    problems = []
    for tag in tags.splitlines():
        name, path = tag.split('\t')[:2]
        span = re.search(r'\tline:(\d+).*\tend:(\d+)', tag)
        if not span:
            continue
        n_lines = int(span[2]) - int(span[1]) + 1
        if n_lines > FUNCTION_LINES:
            problems.append(f'{path}:{span[1]}: {name}() has {n_lines} lines, '
                            f'at most {FUNCTION_LINES}')
    return problems


def check(root):
    paths = lint.c_files(os.path.abspath(root), FOLDERS)
    yield f'no file has more than {FILE_LINES} lines', long_files(root, paths)
    yield f'no function has more than {FUNCTION_LINES} lines', long_functions(root, paths)


if __name__ == '__main__':
    lint.main(check)
