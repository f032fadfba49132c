# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Limits of the system, hostile names and paths: a message, a status, and no damage."""

import json
import os
import resource
import shutil
import signal
import subprocess
import unittest
import urllib.request
from pathlib import Path

from program import PATIENCE, SLUICE, ProgramTest, end, main, wait_until

ENDLESS = 10**15

# With the sanitizer of undefined behaviour the program opens a pipe for each pointer that it
# checks, and takes one that it cannot check for wrong.
NEEDS_DESCRIPTORS = b"__ubsan_" in Path(shutil.which(SLUICE[0])).read_bytes()


def limited(kind, limit):
    return lambda: resource.setrlimit(kind, (limit, limit))


class FaultTest(ProgramTest):
    def copy(self, files, path, **options):
        """Lines of files into a file."""
        return self.describe(
            {"lines": {}},
            [{"name": "read", "stage": "read", "options": {"files": files, **options},
              "to": "lines"},
             {"name": "keep", "stage": "write", "options": {"path": path},
              "from": "lines"}])

    def endless(self, path, **options):
        """Numbers without an end into a file."""
        return self.describe(
            {"numbers": {}},
            [{"stage": "range", "options": {"to": ENDLESS}, "to": "numbers"},
             {"stage": "write", "options": {"path": path, **options},
              "from": "numbers"}])

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def start_reading(self, pipe):
        """A program that writes what it reads from a named pipe into the file `got`."""
        with (self.folder / "got").open("wb") as got:
            reader = subprocess.Popen(["cat", pipe], cwd=self.folder, stdout=got)
        self.addCleanup(end, reader)
        return reader

    def assert_refused(self, file, *parts, arguments=()):
        status, _, err = self.sluice("run", file, *arguments)
        self.assertEqual(status, 2, err)
        for part in parts:
            self.assertIn(part, err)


@unittest.skipIf(NEEDS_DESCRIPTORS, "the sanitizer itself needs descriptors")
class Limits(FaultTest):
    def assert_ends(self, process_or_result):
        status, _, err = process_or_result
        self.assertIn(status, (0, 1), err)
        self.assertNotIn("terminate called", err)
        if status == 1:
            self.assertRegex(err.splitlines()[-1], "^sluice: .")

    def test_no_number_of_descriptors_ends_it_without_a_message(self):
        for name in range(20):
            self.write(f"in{name}", "a line\n" * 1000)
        file = self.copy(["."], "/dev/null", match="in*")
        for limit in range(8, 40):
            with self.subTest(limit=limit):
                self.assert_ends(self.sluice(
                    "run", file, "--report", "none", "--set", "/runners/0/workers=8",
                    preexec_fn=limited(resource.RLIMIT_NOFILE, limit)))

    def test_too_few_descriptors_are_an_error_of_a_runner_and_a_file(self):
        names = [f"in{number}" for number in range(20)]
        for name in names:  # each worker keeps a pipe open that no program writes to
            os.mkfifo(self.folder / name)
            self.addCleanup(os.close, os.open(self.folder / name, os.O_RDWR))
        file = self.copy(names, "out")
        status, _, err = self.sluice(
            "run", file, "--report", "none", "--set", "/runners/0/workers=20",
            preexec_fn=limited(resource.RLIMIT_NOFILE, 18))
        self.assertEqual(status, 1)
        self.assertRegex(err, r"(?m)^sluice: (read|keep \(write\)): .*Too many open files$")
        self.assertNotIn("out", self.files())

    def test_no_lack_of_memory_ends_it_without_a_message(self):
        megabyte = 1 << 20
        if self.sluice("--version", preexec_fn=limited(resource.RLIMIT_AS, 256 * megabyte))[0]:
            self.skipTest("the program needs more memory than that to start")
        file = self.describe(
            {"numbers": {}, "lines": {}},
            [{"stage": "range", "options": {"to": 1000}, "to": "numbers", "workers": 4},
             {"stage": "command", "options": {"command": ["cat"]}, "from": "numbers",
              "to": "lines", "workers": 2},
             {"stage": "count", "options": {"top": 1}, "from": "lines"}])
        for half in range(80, 180):
            with self.subTest(megabytes=half / 2):
                status, out, err = self.sluice(
                    "run", file, "--report", "none", "--threads", "2",
                    preexec_fn=limited(resource.RLIMIT_AS, half * megabyte // 2))
                if status == 127:
                    continue  # not even its libraries
                self.assert_ends((status, out, err))

    def test_too_many_threads_are_an_error_that_names_the_option(self):
        gigabyte = 1 << 30
        if self.sluice("--version", preexec_fn=limited(resource.RLIMIT_AS, gigabyte))[0]:
            self.skipTest("the program needs more memory than that to start")
        status, _, err = self.sluice(
            "run", self.numbers(3), "--threads", "1024",
            preexec_fn=limited(resource.RLIMIT_AS, gigabyte))
        self.assertEqual(status, 1)
        self.assertEqual(
            err, "sluice: cannot start so many --threads: Resource temporarily unavailable\n")

    def test_a_page_without_an_address_of_its_own_is_not_blamed_on_threads(self):
        status, _, err = self.sluice(
            "run", self.numbers(3), "--threads", "2", "--serve", "192.0.2.1:8080")
        self.assertEqual(status, 1)
        self.assertTrue(err.startswith(
            "sluice: live page: cannot listen on 192.0.2.1:8080: Cannot assign requested address"), err)

    def test_too_many_workers_that_read_are_an_error_that_names_the_option(self):
        def seven_large_stacks():  # so that threads run out long before memory does
            resource.setrlimit(resource.RLIMIT_STACK, (256 << 20,) * 2)
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30,) * 2)

        if self.sluice("--version", preexec_fn=seven_large_stacks)[0]:
            self.skipTest("the program needs more memory than that to start")
        self.write("in.txt", "one\n")
        status, _, err = self.sluice(
            "run", self.lines_of("in.txt"), "--set", "/runners/0/workers=64", "--report", "none",
            preexec_fn=seven_large_stacks)
        self.assertEqual(status, 1)
        self.assertIn(": the system gives it no more threads", err)  # of whichever runner
        self.assertIn('fewer "workers" need fewer', err)

    def test_threads_share_their_memory_where_addresses_are_limited(self):
        gigabyte = 1 << 30
        if self.sluice("--version", preexec_fn=limited(resource.RLIMIT_AS, gigabyte))[0]:
            self.skipTest("the program needs more memory than that to start")
        arena = 65_536  # of addresses, in KiB, which glibc reserves for a thread
        file = self.describe(
            {"figures": {}},
            [{"stage": "command", "to": "figures", "options": {
                "command": ["sh", "-c", "grep VmPeak /proc/$PPID/status"]}},
             {"stage": "write", "from": "figures"}])

        def peak(**options):
            status, out, err = self.sluice(
                "run", file, "--report", "none", "--threads", "8", **options)
            self.assertEqual(status, 0, err)
            return int(out.split()[1])

        unlimited = peak()
        self.assertLess(peak(preexec_fn=limited(resource.RLIMIT_AS, gigabyte)),
                        unlimited - arena)

    def test_a_file_that_may_not_be_so_large_is_an_error_and_leaves_nothing(self):
        status, _, err = self.sluice(
            "run", self.endless("out"), "--report", "none",
            preexec_fn=limited(resource.RLIMIT_FSIZE, 100_000))
        self.assertEqual(status, 1)
        self.assertIn("write: cannot write to out: File too large", err.splitlines()[-1])
        self.assertEqual(self.files(), ["pipeline.json"])


class ResultsAndInputs(FaultTest):
    def test_what_a_killed_run_has_left_is_neither_read_nor_in_the_way(self):
        process = self.start("run", self.endless("data/out"), cwd=self.folder_with("data/in"))
        wait_until(lambda: any(
            part.stat().st_size for part in self.folder.glob("data/.sluice-*.part")))
        process.kill()
        process.wait()
        self.assertEqual(len(list(self.folder.glob("data/.sluice-*"))), 1)
        status, _, err = self.sluice("run", self.copy(["data"], "copy"))
        self.assertEqual(status, 0, err)
        self.assertEqual((self.folder / "copy").read_text(), "a line\n")
        status, _, err = self.sluice("run", self.copy(["data/in"], "data/out"))
        self.assertEqual(status, 0, err)
        self.assertEqual(list(self.folder.glob("data/.sluice-*")), [])

    def folder_with(self, name):
        (self.folder / name).parent.mkdir()
        self.write(name, "a line\n")
        return self.folder

    def test_a_result_where_the_source_finds_it_is_refused(self):
        self.folder_with("data/in")
        self.assert_refused(
            self.copy(["data"], "data/out"), "/runners/1/options/path", 'the runner "read"')

    def test_standard_output_that_is_read_is_refused(self):
        self.folder_with("data/in")
        file = self.lines_of("data")
        with (self.folder / "data/out").open("w") as out:
            status, _, err = self.sluice("run", file, stdout=out)
        self.assertEqual(status, 1)
        self.assertIn("data/out: it is standard output as well", err.splitlines()[-1])

    def test_standard_output_by_name_is_appended_to(self):
        self.write("in", "a line\n")
        for name in ("-", "/dev/stdout", "/proc/self/fd/1", "log"):
            with self.subTest(name):
                self.write("log", "earlier\n")
                with (self.folder / "log").open("a") as log:
                    self.sluice("run", self.copy(["in"], name), stdout=log)
                    log.write("later\n")
                self.assertEqual(
                    (self.folder / "log").read_text(), "earlier\na line\nlater\n")
        self.assertNotIn("-", self.files())

    def test_a_pipe_is_written_as_soon_as_it_is_read(self):
        lines = "a line\n" * 100_000  # more than the pipe holds
        self.write("in", lines)
        os.mkfifo(self.folder / "out")
        process = self.start("run", self.copy(["in"], "out"), "--progress", "json")
        wait_until(lambda: json.loads(process.stderr.readline())["queues"][0]["size"] == 256)
        reader = self.start_reading("out")
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(reader.wait(timeout=PATIENCE), 0)
        self.assertEqual((self.folder / "got").read_text(), lines)

    def test_a_report_and_a_trace_wait_for_no_reader_of_a_pipe(self):
        os.mkfifo(self.folder / "out")
        for arguments in (("--report", "json=out"), ("--trace", "out")):
            with self.subTest(arguments):
                status, printed, err = self.sluice("run", self.numbers(3), *arguments)
                self.assertEqual((status, printed), (2, ""))
                self.assertEqual(
                    err, f"sluice: {arguments[0]}: cannot open out: it is a pipe that no program "
                    "reads; start one that does\n")

    def test_a_report_is_written_to_a_pipe_that_is_read(self):
        os.mkfifo(self.folder / "out")
        # opened before the run, so that it is read when the run begins
        pipe = os.open(self.folder / "out", os.O_RDONLY | os.O_NONBLOCK)
        with open(pipe, "rb") as reader:
            status, _, err = self.sluice("run", self.numbers(3), "--report", "json=out")
            self.assertEqual(status, 0, err)
            self.assertEqual(json.loads(reader.read())["outcome"], "done")

    def test_standard_input_by_two_names_is_refused(self):
        self.assert_refused(
            self.copy(["-", "/dev/stdin"], "out"), "/runners/0/options/files",
            "standard input twice")
        file = self.copy(["/dev/fd/0"], "out")
        status, _, err = self.sluice(
            "run", "/dev/stdin", stdin=(self.folder / file).read_text())
        self.assertEqual(status, 2)
        self.assertIn("standard input is read as the description and by", err)
        self.assertNotIn("out", self.files())

    def test_a_report_replaces_nothing_of_the_run(self):
        self.write("in", "a line\n")
        file = self.copy(["in"], "out")
        for name, use in (("in", "reads it"), ("./out", "writes it"), (file, "description")):
            with self.subTest(name):
                self.assert_refused(file, use, arguments=["--report", f"json={name}"])
        self.assertEqual(self.files(), ["in", file])
        self.assertEqual((self.folder / "in").read_text(), "a line\n")

    def test_a_folder_that_may_not_be_read_is_named(self):
        if os.geteuid() == 0:
            self.skipTest("root may read everything")
        (self.folder / "data/closed").mkdir(parents=True)
        (self.folder / "data/closed").chmod(0)
        status, _, err = self.sluice("run", self.copy(["data"], "out"))
        self.assertEqual(status, 1)
        self.assertIn("cannot read data/closed: Permission denied", err.splitlines()[-1])

    def test_a_nul_in_a_path_or_an_argument_is_refused(self):
        for stage, options, place in (
                ("write", {"path": "out\0.txt"}, "path"),
                ("command", {"command": ["echo", "a\0b"]}, "command"),
                ("command", {"command": "echo a\0; echo b"}, "command")):
            with self.subTest(stage, place=place):
                queue = {} if stage == "write" else {"to": "b"}
                runners = [
                    {"stage": "range", "options": {"to": 1}, "to": "a"},
                    {"stage": stage, "options": options, "from": "a", **queue}]
                if queue:
                    runners.append({"stage": "write", "from": "b"})
                file = self.describe({"a": {}, **({"b": {}} if queue else {})}, runners)
                self.assert_refused(file, f"/runners/1/options/{place}", "NUL")
        self.assert_refused(self.copy(["in\0.txt"], "out"), "/runners/0/options/files", "NUL")


class Interrupted(FaultTest):
    def test_a_drain_that_takes_too_long_becomes_a_stop(self):
        file = self.describe(
            {"numbers": {}, "slow": {}},
            [{"stage": "range", "options": {"to": ENDLESS}, "to": "numbers"},
             {"stage": "rate_limit", "options": {"per_second": 0.001}, "from": "numbers",
              "to": "slow"},
             {"stage": "write", "options": {"path": "out"}, "from": "slow"}])
        process = self.start("run", file, "--drain-limit", "10ms", "--progress", "json")
        wait_until(lambda: json.loads(process.stderr.readline())["queues"][0]["size"] == 256)
        process.send_signal(signal.SIGTERM)
        err = process.communicate(timeout=PATIENCE)[1].decode()
        self.assertEqual(process.returncode, 130)
        self.assertIn("the drain has taken 10ms; stopping\n", err)
        self.assertIn("test: interrupted and stopped after", err)
        self.assertEqual(self.files(), ["pipeline.json"])

    def pipe_of_endless_numbers(self):
        os.mkfifo(self.folder / "out")
        return self.describe(
            {"numbers": {}},
            [{"stage": "range", "options": {"to": ENDLESS}, "to": "numbers"},
             {"name": "keep", "stage": "write", "options": {"path": "out"},
              "from": "numbers", "workers": 4}],
            coordinator={"stop_grace_period": "1h"})

    def test_a_drain_waits_for_no_reader_of_a_pipe(self):
        process = self.start("run", self.pipe_of_endless_numbers(), "--progress", "json")
        wait_until(lambda: json.loads(process.stderr.readline())["queues"][0]["size"] == 256)
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=PATIENCE)[1].decode()
        self.assertEqual(process.returncode, 1)
        self.assertEqual(
            err.splitlines()[-1], "sluice: keep (write): cannot open out: it is a pipe that no program "
            "reads; start one that does")

    def test_the_end_of_the_time_waits_for_no_reader_of_a_pipe(self):
        status, _, err = self.sluice(
            "run", self.pipe_of_endless_numbers(), "--timeout", "1s", "--report", "json=report")
        self.assertEqual(
            err, "sluice: timed out after 1s; keep (write): cannot open out: it is a pipe "
            "that no program reads; start one that does\n")
        report = json.loads((self.folder / "report").read_text())
        self.assertEqual((status, report["exit_status"], report["outcome"]), (1, 1, "timed out"))
        self.assertEqual(report["first_error"], report["error"])

    def test_a_stop_waits_for_no_reader_of_a_pipe_and_is_no_failure(self):
        process = self.start(
            "run", self.pipe_of_endless_numbers(), "--serve", "0", "--control", "--progress", "json")
        url, token = process.stderr.readline().decode().split()[-1].split("#token=")
        wait_until(lambda: json.loads(process.stderr.readline())["runners"][1]["busy_seconds"] > 0)
        urllib.request.urlopen(urllib.request.Request(
            f"{url}api/actions/stop", method="POST",
            headers={"Authorization": f"Bearer {token}"}), timeout=PATIENCE).close()
        err = process.communicate(timeout=PATIENCE)[1].decode()
        self.assertEqual(process.returncode, 130)
        self.assertIn(
            "stopping\nkeep (write): cannot open out: it is a pipe that no program reads; "
            "start one that does\ntest: interrupted and stopped after", err)

    def test_a_stop_after_a_failed_drain_hides_no_failure(self):
        # One runner fails because of the drain, and the other one keeps the run until the stop.
        os.mkfifo(self.folder / "out")
        deaf = "trap '' TERM; touch deaf; until [ -e go ]; do sleep 0.01; done"
        file = self.describe(
            {"numbers": {}, "lines": {}},
            [{"stage": "range", "options": {"to": ENDLESS}, "to": "numbers"},
             {"name": "keep", "stage": "write", "options": {"path": "out"},
              "from": "numbers"},
             {"name": "deaf", "stage": "command", "to": "lines",
              "options": {"command": ["sh", "-c", deaf], "kill_after": "1h"}},
             {"stage": "discard", "from": "lines"}],
            coordinator={"stop_grace_period": "1h"})
        process = self.start("run", file, "--serve", "0", "--progress", "none")
        page = process.stderr.readline().decode().split()[-1]

        def state():
            with urllib.request.urlopen(f"{page}api/state", timeout=PATIENCE) as answer:
                return json.load(answer)

        wait_until((self.folder / "deaf").exists)
        wait_until(lambda: state()["queues"][0]["size"] == 256)
        process.send_signal(signal.SIGINT)
        wait_until(lambda: state().get("first_error"))
        process.send_signal(signal.SIGINT)
        wait_until(lambda: state()["state"] == "stopping")
        (self.folder / "go").touch()
        err = process.communicate(timeout=PATIENCE)[1].decode()
        self.assertEqual(process.returncode, 1)
        self.assertTrue(err.splitlines()[-1].startswith("sluice: keep (write): "), err)

    def test_an_error_that_came_before_the_end_of_the_time_is_told_alone(self):
        # One command fails at once, and the other one keeps the run until the time is over.
        deaf = "trap '' TERM; touch deaf; exec sleep 600"
        file = self.describe(
            {"numbers": {}, "lines": {}},
            [{"stage": "range", "options": {"to": 1}, "to": "numbers"},
             {"name": "fail", "stage": "command", "from": "numbers", "to": "lines",
              "options": {"command": "until [ -e deaf ]; do :; done; exit 3"}},
             {"name": "deaf", "stage": "command", "to": "lines",
              "options": {"command": ["sh", "-c", deaf], "kill_after": "5s"}},
             {"stage": "discard", "from": "lines"}])
        status, _, err = self.sluice("run", file, "--timeout", "4s")
        self.assertEqual(status, 1)
        self.assertIn("sluice: fail (command): ", err)
        self.assertNotIn("timed out", err)

    def test_an_error_that_comes_after_the_end_of_the_time_is_told_behind_it(self):
        os.mkfifo(self.folder / "out")
        os.mkfifo(self.folder / "broken")
        broken = os.open(self.folder / "broken", os.O_RDONLY | os.O_NONBLOCK)
        file = self.describe(
            {"numbers": {}, "others": {}},
            [{"name": "count", "stage": "range", "options": {"to": ENDLESS}, "to": "numbers"},
             {"name": "other", "stage": "range", "options": {"to": ENDLESS}, "to": "others"},
             {"name": "keep", "stage": "write", "options": {"path": "out"},
              "from": "numbers"},
             {"name": "lose", "stage": "write", "options": {"path": "broken"},
              "from": "others"}],
            coordinator={"stop_grace_period": "1h"})
        process = self.start("run", file, "--timeout", "2s", "--serve", "0", "--progress", "none")
        page = process.stderr.readline().decode().split()[-1]

        def state():
            with urllib.request.urlopen(f"{page}api/state", timeout=PATIENCE) as answer:
                return json.load(answer)

        wait_until(lambda: [each["running"] for each in state()["runners"]] == [0, 0, 0, 1])
        no_reader = ("timed out after 2s; keep (write): cannot open out: it is a pipe that no "
                     "program reads; start one that does")
        self.assertEqual(state()["first_error"], no_reader)
        os.close(broken)
        err = process.communicate(timeout=PATIENCE)[1].decode()
        self.assertEqual(
            (process.returncode, err.splitlines()[-1]),
            (1, f"sluice: {no_reader}; lose (write): cannot write to broken: Broken pipe"))

    def test_a_drained_run_replaces_no_result(self):
        self.write("out", "earlier\n")
        process = self.start("run", self.endless("out"))
        wait_until(lambda: any(
            part.stat().st_size for part in self.folder.glob(".sluice-*.part")))
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)
        self.assertEqual((self.folder / "out").read_text(), "earlier\n")
        self.assertTrue((self.folder / "out.partial").read_text().startswith("0\n1\n"))

    def test_a_third_interruption_removes_the_report_that_is_not_written(self):
        file = self.numbers(ENDLESS, coordinator={"stop_grace_period": "1h"})
        # no program reads, so print is stuck when the queue is full
        process = self.start(
            "run", file, "--report", "json=report", "--progress", "json", pipesize=4096)
        wait_until(lambda: json.loads(process.stderr.readline())["queues"][0]["size"] == 4096)
        for answer in (b"draining", b"stopping"):
            process.send_signal(signal.SIGINT)
            wait_until(lambda: answer in process.stderr.readline())
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=PATIENCE), 130)
        self.assertEqual(self.files(), ["pipeline.json"])


class Shown(FaultTest):
    HOSTILE = "a\x1b[31mb\nc\u009bd\u202ee"
    SHOWN = "a\\x1b[31mb\\nc\\u009bd\\u202ee"

    def assert_shown(self, text):
        self.assertIn(self.SHOWN, text)
        for control in self.HOSTILE:
            if not control.isprintable() and control != "\n":
                self.assertNotIn(control, text)

    def test_names_in_reports_graphs_and_messages_are_escaped(self):
        file = self.describe(
            {self.HOSTILE: {}},
            [{"name": self.HOSTILE, "stage": "range", "options": {"to": 1},
              "to": self.HOSTILE},
             {"stage": "discard", "from": self.HOSTILE}], name=self.HOSTILE)
        self.assert_shown(self.sluice("run", file)[2])
        self.assert_shown(self.sluice("check", file)[1])
        graph = self.sluice("graph", file)[1]
        for control in "\x1b\u009b\u202e":
            self.assertNotIn(control, graph)

    def test_mistakes_are_one_line_each(self):
        self.write(self.HOSTILE, json.dumps({self.HOSTILE: 1}))
        err = self.sluice("check", self.HOSTILE)[2]
        self.assert_shown(err)
        for line in err.splitlines():
            self.assertTrue(line.startswith(self.SHOWN), line)

    def test_names_of_files_are_escaped(self):
        (self.folder / "data").mkdir()
        (self.folder / "data" / self.HOSTILE).symlink_to("/proc/self/mem")
        err = self.sluice("run", self.copy(["data/a*"], "out"), "--report", "none")[2]
        self.assert_shown(err)

    def test_the_error_output_of_a_child_is_escaped(self):
        file = self.describe(
            {"numbers": {}, "answers": {}},
            [{"stage": "range", "options": {"to": 1}, "to": "numbers"},
             {"stage": "command", "from": "numbers", "to": "answers",
              "options": {"command": "cat; printf 'bad\\033[2J\\n' >&2; exit 1"}},
             {"stage": "write", "from": "answers"}])
        err = self.sluice("run", file)[2]
        self.assertIn("\n    bad\\x1b[2J", err)
        self.assertNotIn("\x1b", err)


if __name__ == "__main__":
    main()
