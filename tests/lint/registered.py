#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lint: what stands in the tree also stands in the list that compiles it.

src/ingest/meson.build holds the list `format_names`, src/render/meson.build the
list `renderer_names`; the name x_y means the file fmt_x_y.c or
render_x_y.c, which calls itself "x-y". Each format has a folder with fixtures,
testdata/profiles/x-y.
"""
import os
import re

import lint


def listed(root, path, variable):
    """The names in the list `variable` of a meson.build; None without that list."""
    if not os.path.exists(os.path.join(root, path)):
        return None
    text = re.sub(r'#[^\n]*', '', lint.read(root, path))
    found = re.search(rf'\b{variable}\s*=\s*\[(.*?)\]', text, re.S)
    return re.findall(r"'([^']*)'", found[1]) if found else None


def check_list(root, folder, prefix, variable):
    """Yields the two rules of one list."""
    where = f'src/{folder}/meson.build'
    names = listed(root, where, variable)
    missing, misnamed = [], []
    if names is None:
        missing.append(f'{where}:1: no list `{variable}`')
    paths = [path for path in lint.files(root, [f'src/{folder}'], '.c')
             if os.path.basename(path).startswith(prefix)]
    in_tree = [os.path.basename(path)[len(prefix):-len('.c')] for path in paths]
    for name in set(in_tree) - set(names or ()):
        missing.append(f'src/{folder}/{prefix}{name}.c:1: {name} is not listed in {where}')
    for name in set(names or ()) - set(in_tree):
        missing.append(f'{where}:1: {name} is listed, but there is no {prefix}{name}.c')
    yield f'src/{folder}/{prefix}*.c and the list `{variable}` agree', sorted(missing)
    for name, path in zip(in_tree, paths):
        wanted = name.replace('_', '-')
        given = re.search(r'\.name\s*=\s*"([^"]*)"', lint.read(root, path))
        if not given or given[1] != wanted:
            misnamed.append(f'{path}:1: expected .name = "{wanted}"')
    yield f'each of `{variable}` is named as its file', misnamed


def missing_fixtures(root):
    problems = []
    for name in listed(root, 'src/ingest/meson.build', 'format_names') or ():
        folder = f'testdata/profiles/{name.replace("_", "-")}'
        path = os.path.join(root, folder)
        fixtures = [entry for entry in os.listdir(path)
                    if not entry.endswith('.want') and entry not in ('README', 'README.md')
                    ] if os.path.isdir(path) else []
        if not fixtures:
            problems.append(f'src/ingest/meson.build:1: no fixture in {folder}')
    return problems


def check(root):
    yield from check_list(root, 'ingest', 'fmt_', 'format_names')
    yield 'each format has fixtures', missing_fixtures(root)
    yield from check_list(root, 'render', 'render_', 'renderer_names')


if __name__ == '__main__':
    lint.main(check)
