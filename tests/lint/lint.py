# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lint tests share.

A lint is a module with `check(root)`, which yields its rules as (name, problems);
problems is a list of `file:line: what` or a Skip. Keeping the check apart from the
report lets selftest.py feed it trees that must fail.
"""
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tap import Tap  # noqa: E402

TOKEN = re.compile(r'''
    /\*.*?\*/ | //[^\n]*               # comments
  | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
''', re.S | re.X)
COMMENT = '\1'  # stands for a character of a comment in blanked text


class Skip(str):
    """The reason that a rule could not be checked here."""


def files(root, folders, suffixes):
    """Paths relative to root, sorted."""
    found = []
    for folder in folders:
        for where, dirs, names in os.walk(os.path.join(root, folder)):
            dirs[:] = [name for name in dirs if name != '__pycache__']
            found += [os.path.relpath(os.path.join(where, name), root)
                      for name in names if name.endswith(suffixes)]
    return sorted(found)


def c_files(root, folders):
    return files(root, folders, ('.c', '.h'))


def read(root, path):
    with open(os.path.join(root, path), encoding='utf-8', errors='replace') as file:
        return file.read()


def blank(text):
    """C source of the same shape: strings emptied, comments made of COMMENT."""
    def replace(match):
        token = match[0]
        if token[0] == '/':
            return re.sub(r'[^\n]', COMMENT, token)
        return token[0] + ' ' * (len(token) - 2) + token[-1]
    return TOKEN.sub(replace, text)


def main(check):
    if len(sys.argv) != 2:
        sys.exit(f'usage: {os.path.basename(sys.argv[0])} SOURCE_ROOT')
    tap = Tap()
    for name, problems in check(sys.argv[1]):
        if isinstance(problems, Skip):
            tap.skip(name, problems)
        else:
            tap.case(not problems, name, problems)
    sys.exit(tap.done())
