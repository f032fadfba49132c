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

from program import PATIENCE, PIPELINES, SLUICE, ProgramTest, end, main, wait_until
from redis_server import RedisTest

SAMPLE = PIPELINES / "distributed_word_count"
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
        wait_until(lambda: int(self.redis("HLEN", f"{PARTS}:data") or 0) >= 400
                   and self.redis("ZCARD", f"{FILES}:leased") not in ("", "0"))
        os.kill(splitter, signal.SIGKILL)
        self.process_of(script, "split 1")
        os.kill(counter, signal.SIGKILL)
        second = self.process_of(script, "count")
        wait_until(lambda: self.acknowledged_parts() > 0)
        os.kill(second, signal.SIGKILL)
        self.process_of(script, "count")
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

    def test_part_that_always_fails_is_an_error(self):
        self.tree = self.folder / "missing"
        script = self.start_script("--url", self.url)
        _, err = script.communicate(timeout=PATIENCE)
        self.assertEqual(script.returncode, 1)
        self.assertIn("read failed again and again", err)


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

    def test_environment_has_all_that_the_pipelines_name(self):
        given = {line.partition("=")[0] for line
                 in (SAMPLE / "systemd/word-count.env").read_text().splitlines()
                 if not line.startswith("#")}
        for name in ("word_count.json", "total.json"):
            used = set(re.findall(r"\$\{(\w+)\}", (SAMPLE / name).read_text()))
            self.assertLessEqual(used, given)


if __name__ == "__main__":
    main()
