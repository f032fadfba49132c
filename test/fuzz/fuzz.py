# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Runs a fuzz target: first the inputs that are known, then new ones for a while.

Known are the seeds, what earlier runs have found interesting, and their findings. What is new is
kept in the folder of the work; the seeds are only read. The status is 1 if something was found.

    python3 test/fuzz/fuzz.py build/asan/test/fuzz_csv --work build/fuzz --seconds 600
"""

import argparse
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOM = Path(__file__).resolve().parent
# An input takes far less of both, whatever it holds.
LIMITS = ["-max_len=4096", "-timeout=30", "-rss_limit_mb=2048"]
LONGEST_EXCERPT = 60  # lines


class Target:
    def __init__(self, program, work):
        self.program = program
        self.name = program.name.removeprefix("fuzz_")
        self.seeds = ROOM / "corpus" / self.name
        self.corpus = work / self.name / "corpus"
        self.findings = work / self.name / "findings"
        self.log = work / self.name / "log.txt"
        for folder in (self.corpus, self.findings):
            folder.mkdir(parents=True, exist_ok=True)

    def run(self, *options):
        """The status; what the program says goes to the log."""
        dictionary = ROOM / f"{self.name}.dict"
        if dictionary.exists():
            options += (f"-dict={dictionary}",)
        with self.log.open("wb") as log:
            return subprocess.run([self.program, *LIMITS, *options], check=False, stdout=log,
                                  stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL).returncode

    def fuzz(self, seconds):
        end = f"-max_total_time={seconds}" if seconds else "-runs=0"
        status = self.run(end, f"-artifact_prefix={self.findings}/", "-print_final_stats=1",
                          self.corpus, self.seeds, self.findings)
        print(f"{self.name}: {self.summary()}", flush=True)
        return status

    def summary(self):
        said = self.log.read_text("utf-8", "replace")
        inputs = last(r"stat::number_of_executed_units: (\d+)", said)
        places = last(r" cov: (\d+)", said)
        kept = last(r" corp: (\d+)", said)
        return f"{int(inputs):,} inputs, {places} places reached, {kept} inputs in the corpus"

    def report(self):
        said = self.log.read_text("utf-8", "replace")
        print("\n".join(said.splitlines()[-LONGEST_EXCERPT:]))
        kept = re.findall(r"Test unit written to (.+)", said) or \
            re.findall(r"Running: (.+)", said) or ["FILE"]
        again = shlex.join([str(self.program), kept[-1]])
        print(f"\nfound something; to repeat it, run\n    {again}"
              f"\n(all of the output: {self.log})")

    def minimize(self):
        """Keeps of the corpus only what reaches places that the rest does not."""
        smaller = self.corpus.with_name("smaller")
        shutil.rmtree(smaller, ignore_errors=True)
        smaller.mkdir()
        status = self.run("-merge=1", smaller, self.seeds, self.corpus)
        if status == 0:
            before = sum(1 for _ in self.corpus.iterdir())
            shutil.rmtree(self.corpus)
            smaller.rename(self.corpus)
            print(f"{self.name}: {sum(1 for _ in self.corpus.iterdir())} of {before} inputs kept")
        return status


def last(pattern, text):
    found = re.findall(pattern, text)
    return found[-1] if found else "0"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--work", type=Path, required=True, help="where new inputs are kept")
    parser.add_argument("--seconds", type=int, default=60, help="0: no new inputs")
    parser.add_argument("--minimize", action="store_true", help="only make the corpus smaller")
    args = parser.parse_args()
    target = Target(args.program, args.work)
    status = target.minimize() if args.minimize else target.fuzz(args.seconds)
    if status:
        target.report()
        sys.exit(1)


if __name__ == "__main__":
    main()
