# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Runs that are interrupted: what has been read is worked off, and nobody hangs."""

import array
import fcntl
import os
import random
import signal
import termios

from program import PATIENCE, ProgramTest, main

ENDLESS = 10**15


def numbers_in(printed):
    return [int(line) for line in printed.splitlines()]


def bytes_in(pipe):
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


class Interrupted(ProgramTest):
    def read_numbers(self, process, count):
        return [int(process.stdout.readline()) for _ in range(count)]

    def test_drained_runs_have_lost_nothing_at_ten_random_moments(self):
        file = self.numbers(ENDLESS)
        dice = random.Random(7)
        for moment in (dice.randrange(1, 50_000) for _ in range(10)):
            with self.subTest(moment=moment):
                process = self.start("run", file)
                printed = self.read_numbers(process, moment)
                process.send_signal(dice.choice([signal.SIGINT, signal.SIGTERM]))
                out, err = process.communicate(timeout=PATIENCE)
                printed += numbers_in(out)
                self.assertEqual(process.returncode, 130)
                self.assertEqual(printed, list(range(1, len(printed) + 1)))
                self.assertIn(b"draining; press Ctrl-C again to stop at once\n", err)
                self.assertIn(b"test: interrupted and drained after", err)

    def test_stopped_runs_end_at_once_with_whole_lines(self):
        file = self.numbers(ENDLESS)
        dice = random.Random(8)
        for moment in (dice.randrange(1, 20_000) for _ in range(10)):
            with self.subTest(moment=moment):
                process = self.start("run", file)
                printed = self.read_numbers(process, moment)
                process.send_signal(signal.SIGINT)
                self.assertIn(b"draining", process.stderr.readline())
                process.send_signal(signal.SIGINT)
                out, _ = process.communicate(timeout=PATIENCE)
                printed += numbers_in(out)
                self.assertEqual(process.returncode, 130)
                self.assertEqual(printed, list(range(1, len(printed) + 1)))

    def test_a_stage_that_cannot_end_is_named_after_the_grace_period(self):
        file = self.numbers(ENDLESS, coordinator={"stop_grace_period": "100ms"})
        process = self.start("run", file)
        room = fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)
        while bytes_in(process.stdout) < room // 2:  # nobody reads: print is stuck
            os.sched_yield()
        process.send_signal(signal.SIGINT)
        self.assertIn(b"draining", process.stderr.readline())
        process.send_signal(signal.SIGINT)
        err = process.stderr.read().decode()
        self.assertEqual(process.wait(timeout=PATIENCE), 1)
        self.assertIn("print/0", err.splitlines()[-1])

    def test_sources_that_wait_for_input_end_too(self):
        file = self.describe(
            {"lines": {}},
            [{"stage": "text_lines", "options": {"files": ["-"]}, "to": "lines"},
             {"stage": "print", "from": "lines"}])
        process = self.start("run", file)
        process.stdin.write(b"first\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), b"first\n")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=PATIENCE), 130)


if __name__ == "__main__":
    main()
