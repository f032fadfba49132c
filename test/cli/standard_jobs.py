# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Six standard jobs give what mawk, jq, Miller, sort and uniq give, and what Python's modules do.

A tool that is not installed is left out, and named; Python's modules are always there.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from program import ProgramTest, main

sys.path.append(str(Path(__file__).resolve().parents[1] / "bench/standard_jobs"))
from jobs import JOBS  # noqa: E402

LINES = 3000


class StandardJobs(ProgramTest):
    """Has a test for each job, which is added below."""

    def check(self, job):
        source = job.make_input(self.folder, LINES)
        expected = job.by_python(source)
        self.assertEqual(job.read(self.run_by_sluice(job, source)), expected)
        for tool, line in job.tools.items():
            with self.subTest(tool):
                if not shutil.which(tool):
                    print(f"{tool} is not installed; Python's modules are", file=sys.stderr)
                    continue
                printed = subprocess.run(
                    ["bash", "-c", line], env={**os.environ, "INPUT": str(source)},
                    stdout=subprocess.PIPE, check=True).stdout
                self.assertEqual(job.read(printed), expected)

    def run_by_sluice(self, job, source):
        output = self.folder / "output"
        parameters = ["--param", f"INPUT={source}"]
        if job.writes:
            parameters += ["--param", f"OUTPUT={output}"]
        status, out, err = self.sluice("run", job.description, "--report", "none", *parameters)
        self.assertEqual((status, err), (0, ""))
        return output.read_bytes() if job.writes else out.encode()


for each in JOBS:
    setattr(StandardJobs, f"test_{each.name}", lambda self, job=each: self.check(job))


if __name__ == "__main__":
    main()
