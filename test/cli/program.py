# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""What the tests of the program share: starting it, and what it prints.

SLUICE is the command line of the program; CTest sets it.
"""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SLUICE = shlex.split(os.environ.get("SLUICE", "sluice"))
ROOT = Path(__file__).resolve().parents[2]
PIPELINES = ROOT / "samples/pipelines"

# Long enough for a sanitizer on a busy machine; only a hang takes that long.
PATIENCE = 120


class ProgramTest(unittest.TestCase):
    """Has a folder of its own, where the program runs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, "utf-8")
        return path

    def describe(self, queues, runners, **others):
        """Writes a description and returns its name."""
        document = {"name": "test", "queues": queues, "runners": runners, **others}
        return self.write("pipeline.json", json.dumps(document, indent=4)).name

    def numbers(self, count, **others):
        """A description that prints the numbers from 1 to count."""
        return self.describe(
            {"numbers": {"capacity": 4096}},
            [
                {"stage": "range", "options": {"from": 1, "to": count}, "to": "numbers"},
                {"stage": "write", "from": "numbers"},
            ],
            **others,
        )

    def lines_of(self, *files):
        """A description that prints the lines of the files."""
        return self.describe(
            {"lines": {}},
            [
                {"stage": "read", "options": {"files": files}, "to": "lines"},
                {"stage": "write", "from": "lines"},
            ],
        )

    def start(self, *arguments, **options):
        streams = {name: subprocess.PIPE for name in ("stdin", "stdout", "stderr")}
        settings = {"cwd": self.folder, "preexec_fn": heed_signals, **streams, **options}
        process = subprocess.Popen([*SLUICE, *map(str, arguments)], **settings)
        self.addCleanup(end, process)
        return process

    def sluice(self, *arguments, stdin="", **options):
        """Runs the program to its end; gives its status and what it printed."""
        process = self.start(*arguments, **options)
        out, err = process.communicate(stdin.encode(), timeout=PATIENCE)
        return process.returncode, (out or b"").decode(), (err or b"").decode()

    def check_metrics(self, text):
        """By Prometheus's own checker, which says something only of mistakes."""
        # installed, or where ./dev test has put it
        places = os.pathsep.join([os.environ["PATH"], str(ROOT / "build/tools")])
        promtool = shutil.which("promtool", path=places)
        if not promtool:
            self.skipTest("promtool, of Debian's package prometheus, is not there")
        checked = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, text=True)
        self.assertEqual((checked.returncode, checked.stdout, checked.stderr), (0, "", ""))


def end(process):
    if process.poll() is None:
        process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            stream.close()


def wait_until(holds):
    deadline = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError("what was waited for did not happen in time")
        os.sched_yield()


def heed_signals():
    """Where tests run under nohup, or in the background of a script, programs would ignore them."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def children_of(pid):
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if int(fields[1]) == pid:
            found.append(int(status.parent.name))
    return found


def main():
    unittest.main(argv=[sys.argv[0], "--verbose", *sys.argv[1:]])
