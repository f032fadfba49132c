# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""What goes wrong outside: each ends with a message, status 1, no child and no half file."""

import ctypes
import ctypes.util
import json
import os
import signal
from pathlib import Path

from program import PATIENCE, ProgramTest, children_of, main, wait_until

ENDLESS = 10**15
LIBC = ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)


class OutputIsClosed(ProgramTest):
    def test_closed_standard_output_is_an_error_of_the_stage_that_prints(self):
        process = self.start("run", self.numbers(ENDLESS))
        self.assertEqual(process.stdout.readline(), b"1\n")
        process.stdout.close()
        err = process.stderr.read().decode()
        self.assertEqual(process.wait(timeout=PATIENCE), 1)
        self.assertIn("cannot write to standard output: Broken pipe", err.splitlines()[-1])
        self.assertIn("test: failed after", err)

    def test_head_ends_a_list_quietly_or_with_the_same_error(self):
        status, _, err = self.sluice("stages", stdout=self.closed_pipe())
        self.assertEqual(status, 1)
        self.assertEqual(err, "sluice: cannot write to standard output: Broken pipe\n")

    def closed_pipe(self):
        end_to_read, end_to_write = os.pipe()
        os.close(end_to_read)
        self.addCleanup(os.close, end_to_write)
        return end_to_write


class InputIsClosed(ProgramTest):
    def test_closed_standard_input_is_an_error_and_the_output_stays(self):
        out = self.folder / "out.txt"
        out.write_text("kept\n")
        file = self.describe(
            {"lines": {}},
            [{"stage": "read", "options": {"files": ["-"]}, "to": "lines"},
             {"stage": "write", "options": {"path": str(out)}, "from": "lines"}])
        status, _, err = self.sluice("run", file, preexec_fn=lambda: os.close(0))
        self.assertEqual(status, 1)
        self.assertIn("standard input: Bad file descriptor", err)
        self.assertEqual(out.read_text(), "kept\n")


class ChildFails(ProgramTest):
    def commands(self, command, workers=2):
        return self.describe(
            {"numbers": {}, "answers": {}},
            [{"stage": "range", "options": {"to": ENDLESS}, "to": "numbers"},
             {"name": "ask", "stage": "command", "options": {"command": command},
              "from": "numbers", "to": "answers", "workers": workers},
             {"stage": "write", "from": "answers"}])

    def end_of(self, process):
        """Reads on until the end; no child may be left, not even a zombie."""
        children = children_of(process.pid)
        for _ in process.stdout:
            pass
        last = process.stderr.read().decode().splitlines()[-1]
        self.assertEqual(process.wait(timeout=PATIENCE), 1)
        for child in children:
            self.assertFalse(Path(f"/proc/{child}").exists(), child)
        return last

    def test_a_program_that_many_workers_cannot_start_is_named(self):
        # Each failure cancels the others, wherever they are.
        for _ in range(20):
            status, out, err = self.sluice("run", self.commands(["no-such-program"], workers=50))
            self.assertEqual((status, out), (1, ""))
            self.assertIn("no-such-program", err.splitlines()[-1])

    def test_a_failure_ends_the_run_although_another_stage_is_stuck(self):
        file = self.describe(
            {"numbers": {}, "few": {}, "none": {}},
            [{"stage": "range", "options": {"to": ENDLESS}, "to": "numbers"},
             {"stage": "write", "from": "numbers"},
             {"name": "one", "stage": "range", "options": {"to": 1}, "to": "few"},
             {"stage": "command", "from": "few", "to": "none", "options": {
                 "command": "cat; read line < go; exit 3"}},
             {"stage": "discard", "from": "none"}],
            coordinator={"stop_grace_period": "100ms"})
        os.mkfifo(self.folder / "go")
        process = self.start("run", file, "--progress", "json", pipesize=4096)
        # no program reads: when the queue is full, print is stuck
        while json.loads(process.stderr.readline())["queues"][0]["size"] < 256:
            pass
        self.write("go", "\n")
        self.assertIn("status 3", process.stderr.read().decode())
        self.assertEqual(process.wait(timeout=PATIENCE), 1)

    def test_a_killed_child_is_an_error_with_its_signal(self):
        process = self.start("run", self.commands(["cat"]))
        process.stdout.readline()
        os.kill(children_of(process.pid)[0], signal.SIGKILL)
        last = self.end_of(process)
        self.assertIn("cat", last)
        self.assertIn("signal 9", last)

    def test_a_failing_child_is_an_error_with_its_status_and_last_words(self):
        command = "head -n 3; echo 'first words' >&2; echo 'the last words' >&2; exit 7"
        process = self.start("run", self.commands(command, workers=1))
        err = process.communicate(timeout=PATIENCE)[1].decode()
        self.assertEqual(process.returncode, 1)
        self.assertRegex(err, r"status 7")
        self.assertIn("the last words", err)

    def test_a_program_that_is_not_there_is_named(self):
        status, out, err = self.sluice("run", self.commands(["no-such-program"]))
        self.assertEqual((status, out), (1, ""))
        self.assertIn("no-such-program", err.splitlines()[-1])
        self.assertIn("No such file or directory", err.splitlines()[-1])

    def test_children_end_with_an_interrupted_run(self):
        for interruption in (signal.SIGINT, signal.SIGHUP):
            with self.subTest(interruption=interruption):
                process = self.start("run", self.commands(["cat"]))
                process.stdout.readline()
                wait_until(lambda: len(children_of(process.pid)) == 2)
                children = children_of(process.pid)
                process.send_signal(interruption)
                process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, 130)
                for child in children:
                    self.assertFalse(Path(f"/proc/{child}").exists())


class InputDisappears(ProgramTest):
    def test_a_file_that_is_removed_before_its_turn_is_named(self):
        for name in ("a.txt", "b.txt"):
            self.write(name, "a line\n" * 200_000)  # more than pipe and queue hold
        process = self.start("run", self.lines_of("a.txt", "b.txt"))
        self.assertEqual(process.stdout.readline(), b"a line\n")
        (self.folder / "b.txt").unlink()
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 1)
        self.assertIn("b.txt: No such file or directory", err.decode().splitlines()[-1])


class DiskIsFull(ProgramTest):
    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        target = str(self.disk).encode()
        if LIBC.mount(b"tmpfs", target, b"tmpfs", 0, b"size=64k") != 0:
            self.skipTest("cannot mount a small disk: " + os.strerror(ctypes.get_errno()))
        self.addCleanup(LIBC.umount, target)

    def test_nothing_half_written_stays(self):
        for format in ("lines", "json_lines"):
            with self.subTest(format):
                status, _, err = self.sluice("run", self.describe(
                    {"numbers": {}},
                    [{"stage": "range", "options": {"to": ENDLESS}, "to": "numbers"},
                     {"stage": "write", "options": {"path": "disk/numbers", "format": format},
                      "from": "numbers"}]))
                self.assertEqual(status, 1)
                self.assertIn("disk/numbers", err.splitlines()[-1])
                self.assertIn("No space left on device", err.splitlines()[-1])
                self.assertEqual(list(self.disk.iterdir()), [])

    def test_an_earlier_result_stays(self):
        (self.disk / "numbers").write_text("earlier\n")
        self.sluice("run", self.describe(
            {"numbers": {}},
            [{"stage": "range", "options": {"to": ENDLESS}, "to": "numbers"},
             {"stage": "write", "options": {"path": "disk/numbers"},
              "from": "numbers"}]))
        self.assertEqual((self.disk / "numbers").read_text(), "earlier\n")


class MemoryIsFull(ProgramTest):
    def test_more_keys_than_fit_are_an_error_of_the_stage_and_no_result(self):
        for stage, options, others in (("count", {}, {}),
                                       ("aggregate", {"by": "n"}, {"on_error": "skip"})):
            with self.subTest(stage):
                status, out, err = self.sluice("run", self.describe(
                    {"numbers": {}, "values": {}, "totals": {}},
                    [{"stage": "range", "options": {"to": ENDLESS}, "to": "numbers"},
                     {"stage": "jq", "options": {"program": "{n: .}"}, "from": "numbers",
                      "to": "values"},
                     {"name": "many", "stage": stage, "from": "values", "to": "totals",
                      "options": {"memory": "1 MiB", **options}, **others},
                     {"stage": "write", "options": {"path": "result", "format": "json_lines"},
                      "from": "totals"}]))
                self.assertEqual((status, out), (1, ""))
                self.assertRegex(
                    err.splitlines()[-1],
                    rf"many \({stage}\): what it keeps of [0-9]+ keys takes more than its "
                    r'"memory", 1 MiB; raise that, or .*"command": "sort"')
                self.assertEqual([path.name for path in self.folder.iterdir()],
                                 ["pipeline.json"])


class FilesOfInterruptedRuns(ProgramTest):
    def start_writing(self, report="none"):
        """Numbers that are written to a file; returns when some have come there."""
        process = self.start(
            "run", self.describe(
                {"numbers": {"capacity": 16}},
                [{"stage": "range", "options": {"from": 1, "to": ENDLESS}, "to": "numbers"},
                 {"stage": "write", "options": {"path": "numbers"},
                  "from": "numbers"}]),
            "--progress", "json", "--report", report)
        while not json.loads(process.stderr.readline())["runners"][1]["items_in"]:
            pass
        return process

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_a_drained_run_puts_what_it_has_aside(self):
        process = self.start_writing(report="text")
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)
        self.assertIn(b"\nwrite has written the part that is complete to numbers.partial\n",
                      messages)
        self.assertEqual(self.files(), ["numbers.partial", "pipeline.json"])
        with (self.folder / "numbers.partial").open() as written:
            for number, line in enumerate(written, 1):
                self.assertEqual(line, f"{number}\n")

    def test_a_run_that_is_killed_leaves_no_file_of_that_name(self):
        process = self.start_writing()
        self.assertNotIn("numbers", self.files())
        process.kill()
        process.wait()
        self.assertNotIn("numbers", self.files())

    def test_a_run_that_times_out_leaves_no_file(self):
        file = self.describe(
            {"numbers": {}},
            [{"stage": "range", "options": {"to": ENDLESS}, "to": "numbers"},
             {"stage": "write", "options": {"path": "numbers"}, "from": "numbers"}])
        self.assertEqual(self.sluice("run", file, "--timeout", "100ms")[0], 1)
        self.assertEqual(self.files(), ["pipeline.json"])


class StateAtTheEnd(ProgramTest):
    """Outcome, state and progress of a run agree, whatever ended it."""

    def end(self, signs, *options, rate=50):
        """Interrupted at each of the signs; the report of a run that would take minutes, and its first line as text."""
        self.write("lines.txt", "a line\n" * 1_000_000)
        description = self.describe(
            {"lines": {"capacity": 8}, "slowly": {"capacity": 8}},
            [{"stage": "read", "options": {"files": ["lines.txt"]}, "to": "lines"},
             {"stage": "rate_limit", "options": {"per_second": rate}, "from": "lines",
              "to": "slowly"},
             {"stage": "discard", "from": "slowly"}])
        ends = []
        for report in ("json", "text"):
            process = self.start("run", description, "--progress", "json", "--report", report,
                                 *options)
            for sign in signs:
                while sign not in process.stderr.readline():
                    pass
                process.send_signal(signal.SIGINT)
            _, messages = process.communicate(timeout=PATIENCE)
            ends.append(messages.decode())
        [report] = [line for line in ends[0].splitlines() if '"outcome"' in line]
        [text] = [line for line in ends[1].splitlines() if " after " in line and "test: " in line]
        return json.loads(report), text

    def check(self, end, outcome, state):
        report, text = end
        self.assertEqual((report["outcome"], report["state"]), (outcome, state))
        self.assertLess(report["progress"], 0.5)
        self.assertRegex(text, fr"^test: {outcome} after .* s, \d+ % of the input read$")
        self.assertLess(int(text.split(", ")[1].split(" %")[0]), 50)
        return report

    def test_of_a_drained_run(self):
        end = self.end([b'"state":"running"'], rate=20_000)
        self.check(end, "interrupted and drained", "drained")

    def test_of_a_stopped_run(self):
        end = self.end([b'"state":"running"', b"draining; press Ctrl-C again"])
        self.check(end, "interrupted and stopped", "stopped")

    def test_of_a_run_that_has_timed_out(self):
        report = self.check(self.end([], "--timeout", "100ms"), "timed out", "failed")
        self.assertEqual(report["first_error"], "timed out after 100ms")

    def test_of_a_run_that_is_done(self):
        _, _, err = self.sluice("run", self.numbers(10), "--report", "json")
        report = json.loads(err)
        self.assertEqual((report["outcome"], report["state"], report["progress"]),
                         ("done", "done", 1))
        self.assertGreater(report["threads"], 0)
        self.assertGreater(report["processors"], 0)


if __name__ == "__main__":
    main()
