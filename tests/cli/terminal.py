#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is different where standard output is a terminal: colours, width and pager.

usage: terminal.py PROFDIFF

Runs profdiff behind a terminal of its own (pty), with pagers that are scripts.
"""
import fcntl
import os
import pty
import struct
import sys
import tempfile
import termios

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tap import Tap  # noqa: E402

PROFILE = '  {} a_function 1.0\n  50 other 1.0\n 100 third 1.0\n'


def run(profdiff, folder, options=(), columns=120, **variables):
    """What a terminal of that many columns shows, and the exit status."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        env = {'PATH': '/usr/bin:/bin', 'HOME': folder, 'TERM': 'xterm', 'LC_ALL': 'C.UTF-8'}
        env.update({name: os.environ[name] for name in os.environ if name.endswith('_OPTIONS')})
        env.update(variables)
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
        os.execve(profdiff, ['profdiff', *options, 'a', 'b', ':', 'b', 'a'], env)
    shown = b''
    try:
        while True:
            some = os.read(terminal, 65536)
            if not some:
                break
            shown += some
    except OSError:  # the end of a terminal
        pass
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return shown.decode().replace('\r\n', '\n'), os.waitstatus_to_exitcode(status)


def write(path, text, mode=0o644):
    with open(path, 'w', encoding='ascii') as file:
        file.write(text)
    os.chmod(path, mode)


def widest(text):
    return max(len(line) for line in text.splitlines())


def main(profdiff):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix='profdiff-') as folder:
        write(os.path.join(folder, 'a'), PROFILE.format(90))
        write(os.path.join(folder, 'b'), PROFILE.format(190))
        pager = os.path.join(folder, 'pager')
        write(pager, '#!/bin/sh\necho "LESS=$LESS LV=$LV"\nsed "s/^/> /"\n', 0o755)

        plain, status = run(profdiff, folder, PAGER='cat')
        tap.case(status == 0 and '\x1b[' in plain, 'a terminal has colours', [plain])
        for name, variables in (('NO_COLOR', {'NO_COLOR': '1'}), ('TERM', {'TERM': 'dumb'})):
            text, _ = run(profdiff, folder, PAGER='cat', **variables)
            tap.case('\x1b' not in text, f'{name} takes them away', [text])

        wide, _ = run(profdiff, folder, columns=200, PAGER='cat', NO_COLOR='1')
        narrow, _ = run(profdiff, folder, columns=60, PAGER='cat', NO_COLOR='1')
        tap.case(widest(wide) > 78 >= 60 >= widest(narrow), 'lines are as wide as the terminal',
                 [wide, narrow])
        text, _ = run(profdiff, folder, columns=200, PAGER='cat', NO_COLOR='1', COLUMNS='60')
        tap.case(text == narrow, 'COLUMNS wins over the terminal', [text])
        text, _ = run(profdiff, folder, ['--width=60'], columns=200, PAGER='cat', NO_COLOR='1')
        tap.case(text == narrow, '--width wins over both', [text])

        paged, status = run(profdiff, folder, PAGER=pager)
        tap.case(status == 0 and paged.startswith('LESS=FRX LV=-c\n> ') and '\x1b[' in paged,
                 'the pager gets all, with colours', [paged])
        text, _ = run(profdiff, folder, PAGER='no-such-pager', PROFDIFF_PAGER=pager, LESS='S')
        tap.case(text.startswith('LESS=S LV=-c\n> '), 'PROFDIFF_PAGER wins over PAGER', [text])
        for name, options, value in (('cat is no pager', [], 'cat'), ('nothing is none', [], ''),
                                     ('one that is not there is none', [], 'no-such-pager -x'),
                                     ('--no-pager', ['--no-pager'], pager)):
            text, status = run(profdiff, folder, options, PAGER=value)
            tap.case(status == 0 and text == plain, name, [text])
        write(pager, '#!/bin/sh\nexit 0\n', 0o755)
        text, status = run(profdiff, folder, PAGER=pager)
        tap.case(status == 0 and not text, 'a pager that does not read is no error', [text])
        text, status = run(profdiff, folder, ['-ojson:out.json'], PAGER=pager)
        tap.case(status == 0 and os.path.getsize(os.path.join(folder, 'out.json')) > 0,
                 'files are not paged', [text])
    return tap.done()


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1])))
