# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the Test Anything Protocol, the way every test program here reports."""
import sys


class Tap:
    def __init__(self):
        self._n = 0
        self._n_failed = 0

    def _line(self, word, name, tail=''):
        self._n += 1
        # A number sign would begin a directive.
        name = ' '.join(name.split()).replace('#', '%')
        print(f'{word} {self._n} - {name}{tail}')

    def note(self, text):
        for line in text.splitlines() or ['']:
            print(f'# {line}'.rstrip())

    def case(self, passed, name, notes=()):
        """One case; the notes are shown where it failed."""
        self._line('ok' if passed else 'not ok', name)
        if not passed:
            self._n_failed += 1
            for text in notes:
                self.note(text)
        sys.stdout.flush()

    def skip(self, name, why):
        self._line('ok', name, f' # SKIP {why}')

    def done(self):
        """Ends the report; returns the exit status."""
        print(f'1..{self._n}')
        return 1 if self._n_failed else 0
