#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feeds each lint a tree that is as it should be, and then, one at a time, trees
with one fault: the rule that is meant for it has to fail, and no other one."""
import os
import sys
import tempfile

import layers
import limits
import lint
import registered
import style

HEAD = '/* SPDX-License-Identifier: GPL-3.0-or-later */\n'
GOOD = {
    'meson.build': "project('x', 'c')\n",
    'include/profdiff/table.h': HEAD + '#pragma once\n',
    'src/base/num.c': HEAD + '#include "base/num.h"\n\n#include <stdlib.h>\n\n'
                             'double num(const char *s)\n{\n\treturn strtod(s, 0);\n}\n',
    'src/base/num.h': HEAD + '#ifndef BASE_NUM_H\n#define BASE_NUM_H\n'
                             'double num(const char *s);\n#endif\n',
    'src/model/document.h': HEAD + '#pragma once\n#include "base/num.h"\n',
    'src/model/profile.h': HEAD + '#pragma once\n',
    'src/io/inflate.c': HEAD + '#include <zlib.h>\n',
    'src/ingest/meson.build': "format_names = [\n  'a_b', # 'c'\n]\n",
    'src/ingest/fmt_a_b.c': HEAD + '#include "model/profile.h"\n'
                                   'const struct f f = {.name = "a-b"};\n'
                                   '/* exit(1) and "printf(" are only words here:\n'
                                   '     #include "render/x.h"\n */\n'
                                   'const char *s = "exit(1) // /*";\n'
                                   'int log_printf(int a,\n\t       int b);\n',
    'src/render/meson.build': "renderer_names = ['text']\n",
    'src/render/render_text.c': HEAD + '#include "model/document.h"\n'
                                       '#include "profdiff/table.h"\n'
                                       'const struct r r = {.name = "text"};\n',
    'src/cli/main.c': HEAD + '#include "render/render.h"\n#include "stats/dist.h"\n'
                             'int main(void)\n{\n\tputs("x");\n\texit(0);\n}\n',
    'testdata/profiles/a-b/one.txt': 'x\n',
    'tests/unit/test_num.c': HEAD,
}
LONG_FUNCTION = 'int f(int x)\n{\n' + '\tx++;\n' * 78 + '\treturn x;\n}\n'

FAULTS = [  # the lint, the beginning of its rule, the file, its content
    (layers, 'every file belongs', 'src/misc/x.c', HEAD),
    (layers, 'every file belongs', 'include/profdiff/other.h', HEAD + '#pragma once\n'),
    (layers, 'layers include', 'src/base/x.c', HEAD + '#include "io/scan.h"\n'),
    (layers, 'layers include', 'src/ingest/x.c', HEAD + '#include "report/columns.h"\n'),
    (layers, 'layers include', 'src/render/x.c', HEAD + '#include "model/profile.h"\n'),
    (layers, 'layers include', 'src/render/x.c', HEAD + '#include "profdiff/profile.h"\n'),
    (layers, 'layers include', 'src/model/x.c', HEAD + '#include "nowhere/x.h"\n'),
    (layers, 'layers include', 'src/model/x.c', HEAD + '#include "../io/scan.h"\n'),
    (layers, 'layers include', 'src/io/x.c', HEAD + '#include "profile.h"\n'),
    (layers, 'layers include', 'include/profdiff/error.h',
     HEAD + '#pragma once\n#include "profdiff/table.h"\n'),
    (layers, 'each library', 'src/ingest/x.c', HEAD + '#include <zlib.h>\n'),
    (layers, 'each library', 'src/analysis/x.c', HEAD + '#include <elfutils/libdw.h>\n'),
    (layers, 'each library', 'src/analysis/x.c', HEAD + '#include <gsl/gsl_cdf.h>\n'),
    (layers, 'only cli may print', 'src/io/x.c', HEAD + 'int x = fprintf(f, "x");\n'),
    (layers, 'only cli may end', 'src/io/x.c', HEAD + 'int x = exit (1);\n'),
    (layers, 'only cli may read', 'src/io/x.c', HEAD + 'char *x = getenv("x");\n'),
    (layers, 'only cli may choose', 'src/base/x.c', HEAD + 'char *x = setlocale(1, "");\n'),
    (layers, 'only base may parse', 'src/cli/x.c', HEAD + 'int x = atoi("1");\n'),
    (limits, 'no file', 'src/io/x.c', HEAD + 'int x;\n' * 600),
    (limits, 'no function', 'tests/unit/x.c', HEAD + LONG_FUNCTION),
    (registered, 'src/ingest/fmt_*', 'src/ingest/fmt_x.c', '.name = "x"'),
    (registered, 'src/ingest/fmt_*', 'src/ingest/meson.build', "x = ['a_b']\n"),
    (registered, 'src/render/render_*', 'src/render/render_x.c', '.name = "x"'),
    (registered, 'src/render/render_*', 'src/render/meson.build',
     "renderer_names = ['text', 'x']\n"),
    (registered, 'each of `format_names`', 'src/ingest/fmt_a_b.c', '.name = "a_b"'),
    (registered, 'each of `renderer_names`', 'src/render/render_text.c', '.name = "plain"'),
    (registered, 'each format', 'testdata/profiles/a-b/one.txt', None),
    (style, 'no blanks', 'tools/x', 'x \n'),
    (style, 'no markers', 'src/io/meson.build', '# TO' 'DO: more\n'),
    (style, 'no line', 'src/io/x.c', HEAD + '\t' * 12 + 'int x;\n'),
    (style, 'C is ASCII', 'src/io/x.c', HEAD + '/* \u00b1 */\n'),
    (style, 'C is indented', 'src/io/x.c', HEAD + 'int f(void)\n{\n    return 1;\n}\n'),
    (style, 'C is indented', 'src/io/x.c', HEAD + 'int f(void)\n{\n  \treturn 1;\n}\n'),
    (style, 'C is indented', 'src/io/x.c', HEAD + 'int f(int a,\n          int b);\n'),
    (style, 'each C file', 'src/io/x.c', 'int x;\n'),
    (style, 'each C file', 'src/io/x.c', '/* x */\n'),
    (style, 'each header', 'src/io/x.h', HEAD),
    (style, 'no file', 'testdata/x', 'x' * ((1 << 20) + 1)),
]


def verdicts(module, tree):
    """Runs a lint on a tree of {path: content}; content None is no file."""
    with tempfile.TemporaryDirectory(prefix='profdiff-lint-') as root:
        for path, content in tree.items():
            if content is None:
                continue
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, 'w', encoding='utf-8') as file:
                file.write(content)
        return dict(module.check(root))


def main():
    tap = lint.Tap()
    rules = set()
    for module in (layers, limits, registered, style):
        found = verdicts(module, GOOD)
        rules |= {(module, rule) for rule in found}
        problems = [p for found in found.values() if not isinstance(found, lint.Skip)
                    for p in found]
        tap.case(not problems, f'{module.__name__} accepts a good tree', problems)
    for module, rule, path, content in FAULTS:
        found = verdicts(module, {**GOOD, path: content})
        name = f'{module.__name__} finds a fault in {path}: {rule}'
        mine = [full for full in found if full.startswith(rule)]
        rules -= {(module, full) for full in mine}
        if any(isinstance(found[full], lint.Skip) for full in mine):
            tap.skip(name, found[mine[0]])
            continue
        failed = [full for full, problems in found.items() if problems]
        tap.case(len(mine) == 1 and failed == mine, name,
                 [f'failed: {full}: {found[full]}' for full in failed])
    tap.case(not rules, 'each rule has been seen to fail',
             [f'{module.__name__}: {rule}' for module, rule in rules])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
