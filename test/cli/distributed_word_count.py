# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""The sample that counts words with several processes, some of which are killed on the way."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import unittest
from unittest import mock

from program import PATIENCE, PIPELINES, SLUICE, ProgramTest, children_of, end, main, wait_until
from redis_server import RedisTest

SAMPLE = PIPELINES / "distributed_word_count"
sys.path.insert(0, str(SAMPLE))
import word_count  # noqa: E402
FILES = "sluice:{distributed_word_count.files}"
PARTS = "sluice:{distributed_word_count.parts}"


class DistributedWordCount(RedisTest):
    def setUp(self):
        super().setUp()
        self.tree = self.folder / "tree"
        for number in range(2000):
            path = self.tree / f"{number % 7}" / f"{number}.hpp"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(f"int value_{number % 50} = {number};\n".encode()
                             + b"the word caf\xc3\xa9, the end\n" * (number % 5))
        (self.tree / "other.txt").write_text("the other one\n")

    def local_result(self):
        status, out, err = self.sluice(
            "run", PIPELINES / "word_count.json", "--report", "none", "--progress", "none",
            "--set", f'/runners/read/options/files=["{self.tree}"]')
        self.assertEqual((status, err), (0, ""))
        return out

    def start_script(self, *arguments):
        process = subprocess.Popen(
            [sys.executable, "-B", SAMPLE / "word_count.py", "--sluice", shlex.join(SLUICE),
             *arguments, self.tree],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(end, process)
        return process

    def process_of(self, script, name):
        """The next process that the script starts for this part."""
        for line in script.stderr:
            if found := re.fullmatch(name + r" is process (\d+)", line.rstrip()):
                return int(found[1])
        self.fail(f"{name} was not started")

    def test_killed_processes_change_nothing(self):
        script = self.start_script("--url", self.url, "--splitters", "2")
        # While the counter stands still the splitters fill the queue, and have files on lease.
        counter = self.process_of(script, "count")
        os.kill(counter, signal.SIGSTOP)
        splitter = self.process_of(script, "split 1")
        splitters = [self.process_of(script, "split 2")]
        wait_until(lambda: int(self.redis("HLEN", f"{PARTS}:data") or 0) >= 400
                   and self.redis("ZCARD", f"{FILES}:leased") not in ("", "0"))
        os.kill(splitter, signal.SIGKILL)
        splitters.append(self.process_of(script, "split 1"))
        # While the splitters stand still the second counter cannot come to the end.
        for splitter in splitters:
            os.kill(splitter, signal.SIGSTOP)
        os.kill(counter, signal.SIGKILL)
        second = self.process_of(script, "count")
        wait_until(lambda: self.acknowledged_parts() > 0)
        os.kill(second, signal.SIGKILL)
        self.process_of(script, "count")
        for splitter in splitters:
            os.kill(splitter, signal.SIGCONT)
        out, err = script.communicate(timeout=PATIENCE)
        self.assertEqual(script.returncode, 0, err)
        self.assertEqual(out, self.local_result())
        self.assertEqual(self.redis("KEYS", "sluice:*"), "")

    def acknowledged_parts(self):
        return self.status("distributed_word_count.parts")["acknowledged"]

    def test_server_of_its_own(self):
        script = self.start_script()
        out, err = script.communicate(timeout=PATIENCE)
        self.assertEqual(script.returncode, 0, err)
        self.assertEqual(out, self.local_result())

    def run_script(self, *arguments):
        script = self.start_script(*arguments)
        out, err = script.communicate(timeout=PATIENCE)
        return script.returncode, out, err

    def test_part_that_always_fails_is_an_error(self):
        self.tree = self.folder / "other"  # each attempt counts its one file again
        self.tree.mkdir()
        (self.tree / "one.hpp").write_text("one\n")
        (self.tree / "loop").symlink_to(self.tree)  # of which find complains
        status, _, err = self.run_script("--url", self.url)
        self.assertEqual(status, 1)
        self.assertIn("read failed again and again", err)

    def make_a_file_that_no_splitter_finds(self):
        """Its name is two lines, which a splitter takes for two names."""
        self.tree = self.folder / "other"
        self.tree.mkdir()
        (self.tree / "two\nlines.hpp").touch()

    def test_what_was_given_up_is_shown_before_the_server_is_removed(self):
        self.make_a_file_that_no_splitter_finds()
        status, out, err = self.run_script()
        self.assertEqual((status, out), (1, ""))
        lines = err.splitlines()
        told = lines.index("1 element of distributed_word_count.files was given up")
        self.assertEqual(json.loads(lines[told + 1]),
                         [f"{self.tree.resolve()}/two", "lines.hpp"])
        self.assertEqual(lines[-1], "some files were not counted")
        self.assertNotIn("see ", err)

    def test_what_was_given_up_on_a_server_that_stays_is_left_there(self):
        self.make_a_file_that_no_splitter_finds()
        status, out, err = self.run_script("--url", self.url)
        self.assertEqual((status, out), (1, ""))
        self.assertIn(f"see {shlex.join(SLUICE)} queues URL drain --dead --json "
                      "distributed_word_count.files\n", err)
        self.assertNotIn(self.url, err)
        self.assertEqual(self.status("distributed_word_count.files")["dead_letters"], 1)

    def test_folder_without_headers_is_an_error(self):
        self.tree = self.folder / "empty"
        self.tree.mkdir()
        status, out, err = self.run_script("--url", self.url)
        self.assertEqual((status, out), (1, ""))
        self.assertIn(f"there is no *.hpp or *.ipp file in {self.tree.resolve()}\n", err)


class CommandLine(ProgramTest):
    def refused(self, *arguments, **options):
        """What the script says of a wrong command line."""
        ended = subprocess.run([sys.executable, "-B", SAMPLE / "word_count.py", *arguments],
                               capture_output=True, text=True, timeout=PATIENCE, **options)
        self.assertEqual((ended.returncode, ended.stdout), (2, ""), ended.stderr)
        self.assertNotIn("is process", ended.stderr)
        return ended.stderr

    def test_sluice_that_is_not_there_is_refused_with_a_remedy(self):
        for name in ("nosuch", ""):
            self.assertIn(f"argument --sluice: there is no program '{name}'; "
                          "say where sluice is, as in --sluice build/release/sluice\n",
                          self.refused("--sluice", name))

    def test_less_than_one_splitter_is_refused(self):
        for number in ("0", "-1", "many"):
            self.assertIn("argument --splitters: ",
                          self.refused("--sluice", shlex.join(SLUICE), f"--splitters={number}"))

    def test_folder_that_is_not_there_is_refused_before_anything_starts(self):
        missing = self.folder / "missing"
        self.assertIn(f"argument tree: '{missing}' is not a folder",
                      self.refused("--sluice", sys.executable, missing))

    def test_missing_redis_server_is_refused_with_a_remedy(self):
        err = self.refused("--sluice", sys.executable, self.folder, env={"PATH": str(self.folder)})
        self.assertIn("there is no redis-server; install it, or give the --url of a server\n", err)

    def test_password_of_the_url_is_not_shown(self):
        ended = subprocess.run(
            [sys.executable, "-B", SAMPLE / "word_count.py", "--sluice", shutil.which("false"),
             "--url", "redis://user:secret@host", self.folder],
            capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((ended.returncode, ended.stderr),
                         (1, f"{shutil.which('false')} queues failed\n"))


# In place of sluice: each part of the pipeline says that it runs, and that it is asked to end,
# and ends when a program opens the pipe.
PARTS_THAT_WAIT = """
import os, pathlib, signal, sys
if sys.argv[1] == "run":
    folder = pathlib.Path(__file__).parent
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    (folder / "running" / str(os.getpid())).touch()
    signal.sigwait([signal.SIGTERM])
    (folder / "asked" / str(os.getpid())).touch()
    open(folder / "may_end").close()
"""

DEAF = """
import pathlib, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path(sys.argv[1]).touch()
signal.pause()
"""


class Stop(ProgramTest):
    """The script, when it is to end early."""

    def start_script_of_parts_that_wait(self, *arguments):
        for name in ("running", "asked"):
            (self.folder / name).mkdir()
        os.mkfifo(self.folder / "may_end")
        parts = [sys.executable, self.write("parts.py", PARTS_THAT_WAIT)]
        script = subprocess.Popen(
            [sys.executable, "-B", SAMPLE / "word_count.py", "--sluice",
             shlex.join(map(str, parts)), *arguments, self.folder],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(end, script)
        wait_until(lambda: self.count("running") == 5)  # the counter, three splitters, the reader
        self.children = children_of(script.pid)
        self.addCleanup(self.kill_children)
        return script

    def count(self, what):
        return len(os.listdir(self.folder / what))

    def kill_children(self):
        for child in self.children:
            if is_running(child):
                os.kill(child, signal.SIGKILL)

    def expect_end(self, script):
        with open(self.folder / "may_end", "w"):
            _, err = script.communicate(timeout=PATIENCE)
        self.assertEqual((script.returncode, err.splitlines()[-1]), (1, "stopped"))
        self.assertEqual([child for child in self.children if is_running(child)], [])

    def test_all_are_asked_to_end_before_one_is_waited_for(self):
        script = self.start_script_of_parts_that_wait("--url", "unix:none")
        script.terminate()
        wait_until(lambda: self.count("asked") == 5)
        self.expect_end(script)

    @unittest.skipIf(shutil.which("redis-server") is None, "there is no redis-server")
    def test_interruption_while_it_stops_leaves_no_process_behind(self):
        script = self.start_script_of_parts_that_wait()
        self.assertEqual(len(self.children), 6)
        script.terminate()
        wait_until(lambda: self.count("asked") > 0)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            script.send_signal(number)
        self.expect_end(script)

    def test_process_that_does_not_end_is_killed(self):
        processes = word_count.Processes()
        for name in ("first", "second"):
            processes.start(name, [sys.executable, "-c", DEAF, self.folder / name])
        started = [process for process, *_ in processes.running.values()]
        for process in started:
            self.addCleanup(end, process)
        wait_until(lambda: len(os.listdir(self.folder)) == 2)
        with mock.patch.object(word_count, "PATIENCE", 0):
            processes.stop()
        self.assertEqual({process.returncode for process in started}, {-signal.SIGKILL})


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@unittest.skipIf(shutil.which("systemd-analyze") is None, "there is no systemd-analyze")
class Units(ProgramTest):
    def test_systemd_finds_nothing_wrong_with_the_units(self):
        for unit in (SAMPLE / "systemd").iterdir():
            self.write(unit.name, unit.read_text().replace("/usr/bin/sluice", sys.executable))
        units = [self.folder / name.replace("@.", "@1.") for name in os.listdir(self.folder)
                 if not name.endswith(".env")]
        self.assertEqual(len(units), 5)
        checked = subprocess.run(["systemd-analyze", "verify", "--man=no", *units],
                                 capture_output=True, text=True)
        self.assertEqual((checked.returncode, checked.stdout + checked.stderr), (0, ""))

    def test_units_with_a_command_ask_sluice_alone_to_end(self):
        stages = {runner["name"]: runner["stage"] for runner
                  in json.loads((SAMPLE / "word_count.json").read_text())["runners"]}
        with_command = set()
        for unit in (SAMPLE / "systemd").glob("*.service"):
            names = re.findall(r"^ExecStart=.* --runners (\S+)", unit.read_text(), re.MULTILINE)
            if "command" in [stages[name] for given in names for name in given.split(",")]:
                with_command.add(unit.name)
                self.assertIn("\nKillMode=mixed\n", unit.read_text(), unit.name)
        self.assertEqual(with_command, {"word-count-read.service", "word-count-split@.service"})

    def test_result_is_printed_when_the_counter_is_done_and_not_when_it_is_killed_or_stopped(self):
        unit = (SAMPLE / "systemd/word-count-count.service").read_text()
        self.assertNotIn("\nOnSuccess=", unit)  # systemd 252 also starts that after a kill
        command = shlex.split(re.search(r"^ExecStopPost=\+-(.*)$", unit, re.MULTILINE)[1])
        systemctl = self.write("systemctl", f'#!/bin/sh\necho "$@" >> {self.folder}/started\n')
        systemctl.chmod(0o755)
        started = self.write("started", "")
        for status in ("KILL", "TERM", "130", "1", "0"):  # as systemd.exec(5) writes it
            environment = {"PATH": f"{self.folder}:/usr/bin:/bin", "EXIT_STATUS": status}
            self.assertEqual(subprocess.run(command, env=environment).returncode, 0, status)
            expected = "start --no-block word-count-total\n" if status == "0" else ""
            self.assertEqual(started.read_text(), expected, status)

    def test_environment_has_all_that_the_pipelines_name(self):
        given = {line.partition("=")[0] for line
                 in (SAMPLE / "systemd/word-count.env").read_text().splitlines()
                 if not line.startswith("#")}
        for name in ("word_count.json", "total.json"):
            used = set(re.findall(r"\$\{(\w+)\}", (SAMPLE / name).read_text()))
            self.assertLessEqual(used, given)


if __name__ == "__main__":
    main()
