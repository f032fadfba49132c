# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Runs that are interrupted: what has been read is processed, and no run hangs."""

import json
import os
import random
import re
import shlex
import signal
import subprocess
from pathlib import Path

from program import (PATIENCE, SLUICE, ProgramTest, children_of, end, heed_signals, main,
                     wait_until)

ENDLESS = 10**15


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Interrupted(ProgramTest):
    def start_and_read(self, count):
        """An endless run, of which the first `count` numbers have been read."""
        self.messages = self.folder / "messages"
        with self.messages.open("wb") as messages:
            # a pipe so small that the run cannot come to its end before it is read
            process = self.start(
                "run", self.numbers(ENDLESS), stderr=messages, pipesize=4096)
        return process, [int(process.stdout.readline()) for _ in range(count)]

    def assert_nothing_is_missing(self, process, printed):
        printed += [int(line) for line in process.stdout]
        self.assertEqual(process.wait(timeout=PATIENCE), 130)
        self.assertEqual(printed, list(range(1, len(printed) + 1)))

    def test_drained_runs_have_lost_nothing_at_ten_random_moments(self):
        dice = random.Random(7)
        for moment in (dice.randrange(1, 50_000) for _ in range(10)):
            with self.subTest(moment=moment):
                process, printed = self.start_and_read(moment)
                process.send_signal(dice.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
                self.assert_nothing_is_missing(process, printed)
                messages = self.messages.read_text()
                self.assertIn("draining; press Ctrl-C again to stop at once\n", messages)
                self.assertIn("test: interrupted and drained after", messages)
                queue = re.search(r"^  numbers +([\d,]+) +([\d,]+) +0 +4,096 ", messages, re.M)
                self.assertEqual(queue[1], queue[2])
                self.assertEqual(queue[2], f"{len(printed):,}")

    def test_drained_command_gives_no_line_that_was_cut(self):
        # What it has written is in the pipe before the file is there.
        script = "printf 'one\\ntwo\\nthr'; touch written; exec sleep 600"
        file = self.describe(
            {"lines": {}},
            [{"stage": "command", "options": {"command": ["sh", "-c", script]}, "to": "lines"},
             {"stage": "write", "from": "lines"}])
        process = self.start("run", file)
        wait_until((self.folder / "written").exists)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, out), (130, b"one\ntwo\n"))

    def test_stopped_runs_end_at_once_with_whole_lines(self):
        dice = random.Random(8)
        for moment in (dice.randrange(1, 20_000) for _ in range(10)):
            with self.subTest(moment=moment):
                process, printed = self.start_and_read(moment)
                process.send_signal(signal.SIGINT)
                wait_until(lambda: "draining" in self.messages.read_text())
                process.send_signal(signal.SIGINT)
                self.assert_nothing_is_missing(process, printed)

    def test_a_hangup_leaves_no_unfinished_files(self):
        file = self.describe(
            {"numbers": {}},
            [{"stage": "range", "options": {"to": ENDLESS}, "to": "numbers"},
             {"stage": "write", "options": {"path": "out.txt"}, "from": "numbers"}])
        process = self.start("run", file, "--report", "none")
        wait_until(lambda: any(part.stat().st_size for part in self.folder.glob(".sluice-*.part")))
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(timeout=PATIENCE), 130)
        names = sorted(path.name for path in self.folder.iterdir())
        self.assertEqual(names, ["out.txt.partial", "pipeline.json"])
        self.assertTrue((self.folder / "out.txt.partial").read_text().endswith("\n"))

    def test_a_second_hangup_does_not_stop_what_the_first_one_drains(self):
        process, printed = self.start_and_read(10)
        process.send_signal(signal.SIGHUP)
        wait_until(lambda: "draining" in self.messages.read_text())
        process.send_signal(signal.SIGHUP)
        self.assert_nothing_is_missing(process, printed)
        self.assertIn("test: interrupted and drained after", self.messages.read_text())

    def test_a_signal_that_is_ignored_stays_so(self):
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            def ignore():
                signal.signal(number, signal.SIG_IGN)

            with self.subTest(signal=number.name):
                process = self.start("run", self.numbers(100_000), preexec_fn=ignore, pipesize=4096)
                first = process.stdout.readline()
                process.send_signal(number)
                rest = process.stdout.readlines()
                self.assertEqual((first, rest[-1], process.wait(timeout=PATIENCE)),
                                 (b"1\n", b"100000\n", 0))

    def test_a_run_in_the_background_of_a_script_outlives_a_ctrl_c(self):
        script = f"{shlex.join(SLUICE)} run {self.numbers(100_000)} & echo $! >&2; wait"
        shell = subprocess.Popen(
            ["sh", "-c", script], cwd=self.folder, pipesize=4096, preexec_fn=heed_signals,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(end, shell)
        run = int(shell.stderr.readline())
        first = shell.stdout.readline()
        os.kill(run, signal.SIGINT)
        rest = shell.stdout.readlines()
        self.assertEqual((first, rest[-1], shell.wait(timeout=PATIENCE)), (b"1\n", b"100000\n", 0))

    def test_a_stage_that_cannot_end_is_named_after_the_grace_period(self):
        file = self.numbers(ENDLESS, coordinator={"stop_grace_period": "100ms"})
        # No program reads. When the queue is full it holds more than the pipe can take, so print
        # will be stuck whatever the sources do.
        process = self.start("run", file, "--progress", "json", pipesize=4096)
        wait_until(lambda: json.loads(process.stderr.readline())["queues"][0]["size"] == 4096)
        process.send_signal(signal.SIGINT)
        wait_until(lambda: b"draining" in process.stderr.readline())
        process.send_signal(signal.SIGINT)
        err = process.stderr.read().decode()
        self.assertEqual(process.wait(timeout=PATIENCE), 1)
        self.assertIn("still running: 'write/0' ", err)
        self.assertIn('1 worker of write has not ended within 100ms of the stop; '
                      'see what reads the output, lower', err.splitlines()[-1])
        self.assertNotIn(".cpp", err)

    def test_the_timeout_ends_a_program_of_jq_that_never_ends(self):
        for program in ('indices("")', 'gsub("";"a")'):
            file = self.describe(
                {"texts": {}, "results": {}},
                [{"stage": "list", "options": {"items": ["aa"]}, "to": "texts"},
                 {"stage": "jq", "options": {"program": program}, "from": "texts", "to": "results"},
                 {"stage": "write", "from": "results"}],
                coordinator={"stop_grace_period": "100ms"})
            status, out, err = self.sluice("run", file, "--timeout", "1s")
            self.assertEqual((status, out), (1, ""))
            self.assertIn('timed out after 1s; 1 worker of jq has not ended', err)

    def test_a_command_that_does_not_end_in_time_is_named_with_a_remedy(self):
        deaf = "trap '' TERM; : > deaf; exec sleep 1000"
        file = self.describe(
            {"numbers": {}, "answers": {}},
            [{"stage": "range", "options": {"to": 1}, "to": "numbers"},
             {"name": "deaf", "stage": "command", "from": "numbers", "to": "answers", "options": {
                 "kill_after": "1h", "command": ["sh", "-c", deaf]}},
             {"stage": "write", "from": "answers"}],
            coordinator={"stop_grace_period": "1s"})
        for limit in ("10ms", "100ms", "1s", "10s", "100s"):  # one is longer than the start takes
            status, out, err = self.sluice("run", file, "--timeout", limit)
            if (self.folder / "deaf").exists():
                break
        self.assertEqual((status, out), (1, ""))
        self.assertEqual(
            err.splitlines()[-1],
            f'sluice: timed out after {limit}; 1 worker of deaf (command) has not ended within 1s of '
            'the stop; see what reads the output, lower "kill_after" of a command, or raise '
            '"stop_grace_period" of the coordinator')

    def test_a_third_interruption_waits_for_no_worker_and_leaves_nothing(self):
        file = self.describe(
            {"numbers": {}, "answers": {}},
            [{"stage": "range", "options": {"to": ENDLESS}, "to": "numbers"},
             {"stage": "command", "from": "numbers", "to": "answers", "options": {
                 "kill_after": "1h", "command": "trap '' TERM; cat; exec sleep 1000"}},
             {"stage": "write", "from": "answers", "options": {"path": "answers.txt"}}],
            coordinator={"stop_grace_period": "1h"})
        process = self.start("run", file, "--progress", "json")
        wait_until(lambda: json.loads(process.stderr.readline())["queues"][1]["dequeued"] > 0)
        (child,) = children_of(process.pid)
        process.send_signal(signal.SIGINT)
        wait_until(lambda: b"draining" in process.stderr.readline())
        process.send_signal(signal.SIGINT)
        wait_until(lambda: b"stopping" in process.stderr.readline())
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=PATIENCE), 130)
        wait_until(lambda: not is_running(child))
        self.assertEqual([path.name for path in self.folder.glob("answers*")], [])

    def test_an_interruption_during_the_start_is_a_drain(self):
        """The address of the page is the first message, before any source is asked."""
        file = self.numbers(ENDLESS)
        for _ in range(20):
            process = self.start("run", file, "--serve", "0", "--report", "none")
            process.stderr.readline()
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 130)
            self.assertEqual(err, b"draining; press Ctrl-C again to stop at once\n")

    def test_sources_that_wait_for_input_end_too(self):
        file = self.lines_of("-")
        process = self.start("run", file)
        process.stdin.write(b"first\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), b"first\n")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=PATIENCE), 130)


if __name__ == "__main__":
    main()
