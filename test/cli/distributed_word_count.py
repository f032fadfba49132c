# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""The sample that counts words with several processes, while some of them are killed."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import unittest

from program import PATIENCE, PIPELINES, SLUICE, ProgramTest, end, main, wait_until

SAMPLE = PIPELINES / "distributed_word_count"
FILES = 1000
WORDS = 25


@unittest.skipIf(shutil.which("redis-server") is None, "there is no redis-server")
class DistributedWordCount(ProgramTest):
    def setUp(self):
        super().setUp()
        tree = self.folder / "tree"
        tree.mkdir()
        text = "\n".join(f"word{i} " * (i + 1) for i in range(WORDS))
        for i in range(FILES):
            (tree / f"{i}.hpp").write_text(f"{text}\nonly{i}\n")
        self.processes = {}  # the last one by its name
        self.killed = {0}

    def count_here(self):
        return self.sluice("run", PIPELINES / "word_count.json",
                           "--report", "none", "--progress", "none", "--set", f'/runners/read/options/files={json.dumps(["tree"])}')

    def start_script(self):
        script = subprocess.Popen(
            [sys.executable, "-B", SAMPLE / "word_count.py", "tree", "--sluice", shlex.join(SLUICE)],
            cwd=self.folder, env={**os.environ, "TMPDIR": str(self.folder)},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(end, script)
        said = []

        def listen():
            for line in script.stderr:
                said.append(line)
                if found := re.match(r"(.+) is process (\d+)$", line):
                    self.processes[found[1]] = int(found[2])

        listener = threading.Thread(target=listen)
        listener.start()
        self.addCleanup(listener.join)
        return script, said

    def kill(self, name):
        """The process that has the name now, not one that was killed before."""
        wait_until(lambda: self.processes.get(name, 0) not in self.killed)
        self.killed.add(self.processes[name])
        os.kill(self.processes[name], signal.SIGKILL)

    def size_of_parts(self):
        return sum(file.stat().st_size for file in self.folder.glob("word_count_*/parts.jsonl"))

    def test_result_is_that_of_one_process_although_processes_are_killed(self):
        here = self.count_here()
        self.assertEqual((here[0], here[2]), (0, ""))
        self.assertEqual(len(here[1].splitlines()), 20)
        script, said = self.start_script()
        self.kill("read")
        # What a splitter had comes back after its lease, and until then none of them ends.
        for splitter in ("split 1", "split 2"):
            before = self.size_of_parts()
            wait_until(lambda: self.size_of_parts() > before or script.poll() is not None)
            self.kill("count")
            self.kill(splitter)
        script.wait(PATIENCE)
        self.assertEqual(script.returncode, 0, said)
        self.assertGreaterEqual(sum("is started again" in line for line in said), 4, said)
        self.assertEqual(script.stdout.read().split(), here[1].split())


if __name__ == "__main__":
    main()
