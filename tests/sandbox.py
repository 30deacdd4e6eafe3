# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs commands in a scratch directory and a fixed environment.

Nothing of the caller's environment gets through but the sanitizers' options, so
that a golden file means the same on every machine.
"""
import os
import signal
import subprocess
from typing import NamedTuple, Optional

TIME_LIMIT_S = 20
SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin'
PASSED_ON = ('ASAN_OPTIONS', 'LSAN_OPTIONS', 'UBSAN_OPTIONS')


class Outcome(NamedTuple):
    exit: Optional[int]  # None: killed at the time limit
    stdout: bytes
    stderr: bytes


class Sandbox:
    """A directory `top` of its own with bin/profdiff, an empty home/ and work/."""

    def __init__(self, top, profdiff):
        self.top = top
        self.home = os.path.join(top, 'home')
        self.work = os.path.join(top, 'work')
        self._bin = os.path.join(top, 'bin')
        for path in (self.home, self.work, self._bin):
            os.mkdir(path)
        os.symlink(os.path.abspath(profdiff), os.path.join(self._bin, 'profdiff'))

    def run(self, argv, cwd=None, locale='C.UTF-8', merge=False, variables=None):
        """Runs argv in cwd (default work/); merge sends stderr into stdout."""
        env = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        env.update(LC_ALL=locale, TZ='UTC', COLUMNS='100', NO_COLOR='1',
                   HOME=self.home, PATH=f'{self._bin}:{SYSTEM_PATH}',
                   **(variables or {}))
        with subprocess.Popen(
                argv, cwd=cwd or self.work, env=env, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if merge else subprocess.PIPE,
                start_new_session=True) as process:
            try:
                stdout, stderr = process.communicate(timeout=TIME_LIMIT_S)
                status = process.returncode
            except subprocess.TimeoutExpired:
                # The shell's children hold the pipes open, so all have to go.
                os.killpg(process.pid, signal.SIGKILL)
                stdout, stderr = process.communicate()
                status = None
        return Outcome(status, stdout, stderr or b'')
