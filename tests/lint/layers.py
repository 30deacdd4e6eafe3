#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lint: who may include whom, and who may call what.

The table of src/README.md as code. It also keeps each library behind its layer,
and printing, exiting and the locale out of the library part.
"""
import os
import re

import lint

LAYERS = {  # layer: what it may include besides itself
    'base': set(),
    'io': {'base'},
    'model': {'base'},
    'stats': {'base'},
    'ingest': {'base', 'io', 'model'},
    'image': {'base', 'io', 'model'},
    'analysis': {'base', 'model', 'stats', 'image'},
    'report': {'base', 'model', 'analysis'},
    'render': {'base', 'io'},
}
LAYERS['cli'] = set(LAYERS)

# Single headers that a layer may include of another one.
EXCEPTIONS = {
    'render': {'model/document.h', 'model/table.h', 'model/unit.h', 'profdiff/table.h'},
}

PUBLIC = {  # include/profdiff/<name>: the layer that implements it
    'error.h': 'base',
    'profile.h': 'model',
    'recording.h': 'model',
    'table.h': 'model',
    'image.h': 'image',
    'compare.h': 'analysis',
    'render.h': 'render',
    'profdiff.h': 'cli',
}

LIBRARIES = {  # the layer that owns it: its headers
    'image': r'gelf\.h|libelf\.h|dwarf\.h|elfutils/.*|capstone/.*|demangle\.h|libiberty/.*',
    'io': r'zlib\.h|zstd\w*\.h|lzma\.h',
    'stats': r'gsl/.*',
}

CALLS = [  # what, the layers that may, the functions
    ('print', {'cli'},
     'printf vprintf fprintf vfprintf dprintf vdprintf puts fputs putchar perror'),
    ('end the program', {'cli'}, 'exit _exit _Exit quick_exit abort'),
    ('read the environment', {'cli'}, 'getenv secure_getenv'),
    ('choose a locale', {'cli'}, 'setlocale uselocale'),
    ('parse numbers', {'base'},
     'strtod strtod_l strtof strtold strtol strtoll strtoul strtoull strtoimax strtoumax '
     'atoi atol atoll atof sscanf vsscanf'),
]

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.M)


def layer_of(path):
    """The layer of a source path (src/io/scan.c) or of an included name (io/scan.h)."""
    parts = path.split('/')
    if parts[0] == 'include':
        parts = parts[1:]
    if parts[0] == 'profdiff':
        return PUBLIC.get('/'.join(parts[1:]))
    if parts[0] == 'src':
        parts = parts[1:]
    return parts[0] if len(parts) > 1 and parts[0] in LAYERS else None


def edge_problem(path, name, siblings):
    """What is wrong with `#include "name"` in the file path, or None."""
    layer = layer_of(path)
    if '/' not in name:
        # A generated header, or one of the same folder.
        stranger = name in siblings and os.path.dirname(path) not in siblings[name]
        return f'"{name}" needs its directory' if stranger else None
    if '..' in name.split('/'):
        return f'"{name}" goes up; say dir/file.h'
    target = layer_of(name)
    if target is None:
        return f'"{name}" belongs to no layer'
    if target == layer or target in LAYERS[layer] or name in EXCEPTIONS.get(layer, ()):
        return None
    return f'{layer} may not include "{name}" ({target})'


def check(root):
    paths = lint.c_files(root, ['src', 'include'])
    siblings = {}
    for path in paths:
        siblings.setdefault(os.path.basename(path), set()).add(os.path.dirname(path))
    homeless = [f'{path}:1: belongs to no layer' for path in paths if not layer_of(path)]
    edges, libraries = [], []
    calls = {what: [] for what, _, _ in CALLS}
    for path in paths:
        layer = layer_of(path)
        if not layer:
            continue
        text = lint.read(root, path)
        code = lint.blank(text)
        for match in INCLUDE.finditer(text):
            if code[match.start(1) - 1] == lint.COMMENT:
                continue
            place = f'{path}:{text.count(chr(10), 0, match.start(1)) + 1}'
            if match[1] == '"':
                problem = edge_problem(path, match[2], siblings)
                if problem:
                    edges.append(f'{place}: {problem}')
                continue
            for owner, pattern in LIBRARIES.items():
                if layer != owner and re.fullmatch(pattern, match[2]):
                    libraries.append(f'{place}: <{match[2]}> is for {owner} only')
        for what, owners, names in CALLS:
            if layer in owners:
                continue
            call = rf'(?<![\w.>])({"|".join(names.split())})\s*\('
            for match in re.finditer(call, code):
                number = code.count('\n', 0, match.start()) + 1
                calls[what].append(f'{path}:{number}: {match[1]}() is for '
                                   f'{" and ".join(sorted(owners))} only')
    yield 'every file belongs to a layer', homeless
    yield 'layers include only what they may', edges
    yield 'each library stays behind its layer', libraries
    for what, owners, _ in CALLS:
        yield f'only {" and ".join(sorted(owners))} may {what}', calls[what]


if __name__ == '__main__':
    lint.main(check)
