# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""The data loader: a run that is killed and started again sees what an uninterrupted run sees.

PROGRAM is the command line of the sample; CTest sets it.
"""

import contextlib
import gzip
import os
import re
import shlex
import signal
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = shlex.split(os.environ["PROGRAM"])
DIGITS = Path(__file__).resolve().parents[2] / "samples/data/digits.csv.gz"
EPOCHS = 3
EXAMPLES = 500
BATCH = 32
STEPS = EXAMPLES * EPOCHS // BATCH  # 46; an epoch has 15.6

# Long enough for a sanitizer on a busy machine; only a hang takes that long.
PATIENCE = 120


class DataLoader(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        lines = gzip.decompress(DIGITS.read_bytes()).splitlines(keepends=True)[:EXAMPLES]
        cls.files = []
        for begin, end in ((0, 50), (50, 200), (200, EXAMPLES)):
            cls.files.append(cls.folder / f"digits_{begin}.csv")
            cls.files[-1].write_bytes(b"".join(lines[begin:end]))
        cls.whole = cls.steps_of(*cls.run_to_its_end("whole"))

    @classmethod
    def command(cls, state, *options):
        return [*PROGRAM, "--state", cls.folder / state, "--epochs", str(EPOCHS), *options,
                *cls.files]

    @classmethod
    def run_to_its_end(cls, state, *options):
        done = subprocess.run(cls.command(state, *options), capture_output=True, text=True,
                              timeout=PATIENCE)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return done.stdout.splitlines()

    @staticmethod
    def steps_of(*lines):
        """The lines by the numbers of their steps, each of which comes once."""
        steps = {int(re.match(r"step (\d+)  loss \S+  labels \d+", line)[1]): line
                 for line in lines}
        assert len(steps) == len(lines)
        return steps

    @contextlib.contextmanager
    def started(self, state, *options):
        """A run, and what it prints. It waits for its reader after some steps: it writes to a
        socket with the smallest buffer that there is."""
        ours, theirs = socket.socketpair()
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        with ours, ours.makefile("rb", buffering=0) as output:
            with theirs:
                process = subprocess.Popen(self.command(state, *options), stdout=theirs)
            with process:
                yield process, output

    def run_until_killed(self, state, steps, *options):
        """The lines of a run that is killed when it has made so many steps, or a few more."""
        with self.started(state, *options) as (process, output):
            printed = b"".join(output.readline() for _ in range(steps))
            process.kill()
            printed += output.read()
            self.assertEqual(process.wait(timeout=PATIENCE), -signal.SIGKILL)
        complete, _, _ = printed.decode().rpartition("\n")
        return complete.splitlines()

    def test_an_uninterrupted_run_sees_each_example_in_each_epoch(self):
        self.assertEqual(list(self.whole), list(range(1, STEPS + 1)))
        labels = "".join(re.search(r"labels (\d+)", line)[1] for line in self.whole.values())
        self.assertEqual(len(labels), STEPS * BATCH)
        first, second = labels[:EXAMPLES], labels[EXAMPLES:2 * EXAMPLES]
        self.assertEqual(sorted(first), sorted(second))
        self.assertNotEqual(first, second)
        ends = [step for step, line in self.whole.items() if line.endswith("end of an epoch")]
        self.assertEqual(ends, [EXAMPLES // BATCH + 1, 2 * EXAMPLES // BATCH + 1])

    def check_interrupted(self, state, moments, save_every):
        """Kills a run at each moment, starts it again, and compares what all of them did."""
        options = ["--save-every", str(save_every)]
        runs = [self.run_until_killed(state, steps, *options) for steps in moments]
        runs.append(self.run_to_its_end(state, *options))
        seen = {}
        for run in runs:
            steps = self.steps_of(*run)
            if seen:  # goes on at the last checkpoint
                self.assertLessEqual(min(steps), max(seen) + 1)
                self.assertGreater(min(steps), max(seen) - 2 * save_every)
            for step, line in steps.items():
                self.assertEqual(line, self.whole[step])
            seen |= steps
        self.assertEqual(sorted(seen), list(self.whole))

    def test_a_run_that_is_killed_once_goes_on(self):
        for steps in (1, 7, 15, 16, 20):
            with self.subTest(steps=steps):
                self.check_interrupted(f"once_{steps}", [steps], 1)

    def test_a_run_that_is_killed_again_and_again_goes_on(self):
        self.check_interrupted("often", [3, 2, 1, 4], 1)

    def test_steps_since_the_last_checkpoint_are_made_again(self):
        self.check_interrupted("rarely", [9, 8], 4)

    def test_a_run_that_has_ended_has_nothing_left_to_do(self):
        self.run_to_its_end("ended")
        self.assertEqual(self.run_to_its_end("ended"), [])

    def test_a_run_that_is_asked_to_stop_goes_on(self):
        with self.started("stopped") as (process, output):
            printed = b"".join(output.readline() for _ in range(5))
            process.terminate()
            printed += output.read()
            self.assertEqual(process.wait(timeout=PATIENCE), 0)
        lines = printed.decode().splitlines() + self.run_to_its_end("stopped")
        self.assertEqual(self.steps_of(*lines), self.whole)

    def test_says_what_is_wrong(self):
        wrong = self.folder / "wrong.csv"
        wrong.write_text("1,2,3\n")
        for arguments, message in (
            ([], "give --state FILE and the files"),
            (["--state", self.folder / "none", self.folder / "missing"], "cannot open"),
            (["--state", self.folder / "none", wrong], "expected a number from 0 to"),
            (["--state", wrong, *self.files], "is not a sound checkpoint"),
        ):
            with self.subTest(message=message):
                done = subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True,
                                      timeout=PATIENCE)
                self.assertEqual(done.returncode, 1)
                self.assertIn(message, done.stderr)

    def test_refuses_to_go_on_with_other_examples(self):
        self.run_until_killed("others", 5, "--save-every", "1")
        done = subprocess.run(self.command("others")[:-1], capture_output=True, text=True,
                              timeout=PATIENCE)
        self.assertEqual(done.returncode, 1)
        self.assertIn("of a list of 500, and this list has 200", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
