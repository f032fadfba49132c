# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Makes mistakes in the core, one at a time, and demands that a test fails.

The mutants are in mutants.txt. Each is made in a copy of the sources; of the tests that it
names one after the other is built and run until one fails, which kills the mutant. A hang
kills it, too; a mutant that does not compile proves nothing and is an error of the table.
Before that all the tests have to pass on the sources as they are.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cmake/checks"))

from check_mutants import TABLE, read_mutants  # noqa: E402

COPIED = ("CMakeLists.txt", "cmake", "docs", "include", "src", "test")
HANG = 60  # seconds; the slowest of these tests takes a few


class Workshop:
    """A copy of the sources, and a build tree in which each test is a program."""

    def __init__(self, folder, jobs):
        self.source = folder / "source"
        self.build = folder / "build"
        self.jobs = jobs

    def set_up(self):
        for name in COPIED:
            for original in sorted((ROOT / name).rglob("*")) or [ROOT / name]:
                if original.is_file() and "__pycache__" not in original.parts:
                    self.copy(original.relative_to(ROOT))
        if self.call("cmake", "-S", self.source, "-B", self.build, "-G", "Ninja",
                     "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -g0",
                     # so that tests can meet races
                     "-DCMAKE_CXX_FLAGS=-DSLUICE_INTERLEAVING_POINTS",
                     "-DSLUICE_SEPARATE_TESTS=ON", "-DSLUICE_WITH_PIPELINE=OFF",
                     "-DSLUICE_BUILD_SAMPLES=OFF", "-DSLUICE_BUILD_BENCHMARKS=OFF",
                     "-DSLUICE_INSTALL=OFF") != 0:
            sys.exit(f"mutation: cannot configure; see {self.log}")

    def copy(self, path):
        """Leaves what has not changed, so that it need not be compiled again."""
        original, target = (ROOT / path).read_bytes(), self.source / path
        if not target.exists() or target.read_bytes() != original:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(original)

    def compile(self, test):
        return self.call("cmake", "--build", self.build, "--parallel", str(self.jobs),
                         "--target", self.program(test)) == 0

    def passes(self, test):
        return self.call(self.build / "test" / self.program(test), timeout=HANG) == 0

    @staticmethod
    def program(test):
        return f"sluice_{test.replace('/', '_')}_tests"

    def call(self, *command, timeout=None):
        with open(self.log, "w", encoding="utf-8") as log:
            try:
                return subprocess.run([str(c) for c in command], stdout=log, stderr=log,
                                      stdin=subprocess.DEVNULL, timeout=timeout,
                                      check=False).returncode
            except subprocess.TimeoutExpired:
                return "hang"

    @property
    def log(self):
        self.build.mkdir(parents=True, exist_ok=True)
        return self.build / "last_command.log"


class Progress:
    """One line for each step, with the time that the rest is going to take."""

    def __init__(self, steps):
        self.steps, self.done, self.begin = steps, 0, time.monotonic()

    def note(self, text):
        self.done += 1
        elapsed = time.monotonic() - self.begin
        left = elapsed / self.done * (self.steps - self.done)
        print(f"[{self.done}/{self.steps}] {text}; {left / 60:.0f} min left", flush=True)


def verify_originals(workshop, tests):
    progress = Progress(len(tests))
    for test in tests:
        if not workshop.compile(test) or not workshop.passes(test):
            sys.exit(f"mutation: {test} fails without any mutant; see {workshop.log}")
        progress.note(f"{test} passes")


def fate_of(workshop, mutant):
    """("killed", by which test), ("survived", "") or ("does not compile", log)."""
    target = workshop.source / mutant.file
    original = target.read_text("utf-8")
    target.write_text(original.replace(mutant.old, mutant.new), "utf-8")
    try:
        for test in mutant.tests:
            if not workshop.compile(test):
                return "does not compile", str(keep_log(workshop, mutant))
            if not workshop.passes(test):
                return "killed", f"by {test}"
        return "survived", mutant.breaks
    finally:
        target.write_text(original, "utf-8")


def keep_log(workshop, mutant):
    kept = workshop.build / f"{mutant.name}.log"
    shutil.copy(workshop.log, kept)
    return kept


def run(workshop, mutants):
    workshop.set_up()
    verify_originals(workshop, sorted({test for m in mutants for test in m.tests}))
    fates = {}
    progress = Progress(len(mutants))
    for mutant in mutants:
        fate, detail = fate_of(workshop, mutant)
        fates.setdefault(fate, []).append(mutant)
        progress.note(f"{mutant.name}: {fate} {detail}")
    return fates


def summarize(fates, total):
    killed = len(fates.get("killed", []))
    print(f"\n{killed} of {total} mutants killed ({100 * killed // total} %)")
    for fate in sorted(fates.keys() - {"killed"}):
        for mutant in fates[fate]:
            print(f"{fate}: {mutant.name} ({TABLE}:{mutant.line}): {mutant.breaks}")
    return killed == total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="mutants, or files; all if none is given")
    parser.add_argument("--folder", type=Path, default=ROOT / "build/mutation")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()

    mutants, unreadable = read_mutants((ROOT / TABLE).read_text("utf-8"))
    if unreadable:
        sys.exit(f"mutation: {TABLE}:{unreadable[0][0]}: not a complete entry")
    if args.names:
        mutants = [m for m in mutants if {m.name, m.file, Path(m.file).name} & {*args.names}]
    if not mutants:
        sys.exit("mutation: no mutant has such a name")
    fates = run(Workshop(args.folder, args.jobs), mutants)
    sys.exit(0 if summarize(fates, len(mutants)) else 1)


if __name__ == "__main__":
    main()
