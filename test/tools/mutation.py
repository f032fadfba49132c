# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Makes mistakes in the core, one at a time, and says which tests notice them.

All mutants are compiled into one build of the tests, in a copy of the sources. One run of
each test says which of them it reaches; then, for each mutant and each wall of tests, those
that reach it run with it until one fails, or all of them with --every. A hang is a failure.
A wall is all tests whose names begin with its own; a test belongs to the longest of these.
"""

import argparse
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from mutants import KINDS, find_mutants, with_mutants

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("CMakeLists.txt", "CMakePresets.json", "cmake", "docs", "include", "src", "test")
FOLDERS = [f"{root}/{folder}/" for root in ("include/sluice", "src")
           for folder in ("coordination", "detail", "queue", "runner")]
WALLS = "unit,behaviour,stress,stress.model,stress.schedules,stress.soak"
# so few random steps that hundreds of mutants can be tried
FEW = ("-DSLUICE_SOAK_OPERATIONS=20000", "-DSLUICE_MODEL_STEPS=20000",
       "-DSLUICE_SCHEDULE_RUNS=20")
HEADER = Path(__file__).with_name("mutant.hpp")
HANGS = 3  # after so many a mutant is killed often enough


class Workshop:
    """A copy of the sources with the mutants in it, and a build tree of it."""

    def __init__(self, folder, jobs):
        self.folder, self.jobs = folder, jobs
        self.source, self.build = folder / "source", folder / "build"
        self.log = folder / "last_command.log"

    def write(self, name, content):
        """Leaves what has not changed, so that it need not be compiled again."""
        target = self.source / name
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)

    def copy(self, mutated):
        for top in COPIED:
            for original in sorted((ROOT / top).rglob("*")) or [ROOT / top]:
                name = original.relative_to(ROOT).as_posix()
                if original.is_file() and "__pycache__" not in name and name not in mutated:
                    self.write(name, original.read_bytes())
        self.write("include/sluice/mutant.hpp", HEADER.read_bytes())

    def configure(self, preset, options):
        if self.call("cmake", "--preset", preset, "-S", self.source, "-B", self.build,
                     "-DCMAKE_CXX_FLAGS=-w", "-DSLUICE_WARNINGS_AS_ERRORS=OFF",
                     "-DSLUICE_ALL_TESTS=ON", *FEW,
                     "-DSLUICE_WITH_PIPELINE=OFF", "-DSLUICE_BUILD_COMMAND=OFF", "-DSLUICE_BUILD_SAMPLES=OFF",
                     "-DSLUICE_BUILD_BENCHMARKS=OFF", "-DSLUICE_INSTALL=OFF", *options):
            sys.exit(f"mutation: cannot configure; see {self.log}")
        return True

    def compile(self, *targets):
        return self.call("cmake", "--build", self.build, "--parallel", self.jobs,
                         *(("--target", *targets) if targets else ())) == 0

    def call(self, *command):
        with open(self.log, "w", encoding="utf-8") as log:
            return subprocess.run([str(c) for c in command], stdout=log, stderr=log,
                                  stdin=subprocess.DEVNULL, cwd=self.source,
                                  check=False).returncode

    def lines_of_errors(self):
        """{(file, line)} of what the compiler complains about, and from where it came."""
        places = re.findall(rf"{re.escape(str(self.source))}/([\w/.]+):(\d+):\d+",
                            self.log.read_text("utf-8", errors="replace"))
        return {(file, int(line)) for file, line in places}

    def tests(self):
        listed = json.loads(subprocess.run(
            ["ctest", "--test-dir", self.build, "--show-only=json-v1"],
            check=True, capture_output=True).stdout)["tests"]
        return [Test(t["name"], t["command"]) for t in listed if "command" in t]


@dataclass
class Test:
    name: str
    command: list
    seconds: float = 0
    reached: frozenset = frozenset()

    def fails(self, mutant, folder, patience):
        """Whether it fails in that time; "hang" if it does not come to an end."""
        environment = {**os.environ, "SLUICE_MUTANT": str(mutant)}
        if mutant == 0:
            environment["SLUICE_MUTANTS_REACHED"] = str(folder / "reached")
        with subprocess.Popen(self.command, cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True) as process:
            try:
                return process.wait(patience) != 0
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return "hang"

    def try_original(self):
        with tempfile.TemporaryDirectory() as folder:
            begin = time.monotonic()
            if self.fails(0, Path(folder), 600):
                sys.exit(f"mutation: {self.name} fails without any mutant")
            self.seconds = time.monotonic() - begin
            reached = Path(folder) / "reached"
            if reached.exists():
                self.reached = frozenset(map(int, reached.read_text().split()))


def read_mutants():
    """{file: (text, mutants)} of the core, with numbers."""
    found, number = {}, 0
    for path in sorted(p for f in FOLDERS for p in (ROOT / f).rglob("*.[hc]pp")):
        name, text = path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
        found[name] = text, find_mutants(name, text)
        for number, mutant in enumerate(found[name][1], number + 1):
            mutant.number = number
    return found


def build(workshop, sources, args):
    """Builds with all mutants that compile; returns these."""
    # those that did not the last time; a change elsewhere in the file makes no difference
    refused = workshop.folder / "refused.txt"
    dropped = set(refused.read_text().splitlines()) if refused.exists() else set()
    workshop.copy(sources)
    configured = False
    while True:
        kept = {name: [m for m in mutants if m.name() not in dropped]
                for name, (_, mutants) in sources.items()}
        for name, (text, _) in sources.items():
            workshop.write(name, with_mutants(text, kept[name]).encode())
        configured = configured or workshop.configure(args.preset, args.cmake)
        # the library first: most mistakes show there already
        if workshop.compile("sluice_core") and workshop.compile():
            return [m for mutants in kept.values() for m in mutants]
        errors = workshop.lines_of_errors()
        wrong = {m.name() for name, mutants in kept.items() for m in mutants
                 if any((name, line) in errors for line in range(m.line, m.last_line + 1))}
        if not wrong:
            sys.exit(f"mutation: does not compile; see {workshop.log}")
        dropped |= wrong
        refused.write_text("\n".join(sorted(dropped)))


def chosen(mutants, args):
    mutants = [m for m in mutants if m.kind in args.kinds.split(",")
               and any(pattern in m.file for pattern in args.files)]
    random.Random(args.seed).shuffle(mutants)
    return mutants[:args.number]


def wall_of(name, walls):
    fitting = [wall for wall in walls if name == wall or name.startswith(wall + ".")]
    return max(fitting, key=len, default=None)


class Trial:
    """Runs the tests of the walls for one mutant after the other."""

    def __init__(self, tests, walls, args):
        self.walls = defaultdict(list)
        for test in sorted(tests, key=lambda t: t.seconds):
            self.walls[wall_of(test.name, walls)].append(test)
        self.args = args
        self.end = time.monotonic() + 60 * args.minutes

    def killers(self, mutant):
        """(mutant, {wall: the tests that fail}); nothing when the time is over."""
        if time.monotonic() > self.end:
            return mutant, None
        with tempfile.TemporaryDirectory() as folder:
            return mutant, {wall: self.killers_in(tests, mutant, Path(folder))
                            for wall, tests in self.walls.items()}

    def killers_in(self, tests, mutant, folder):
        killers, hangs = [], 0
        for test in tests:
            if mutant.number not in test.reached:
                continue
            patience = self.args.timeout or max(5, 5 * test.seconds)
            failed = test.fails(mutant.number, folder, patience)
            hangs += failed == "hang"
            if failed:
                killers.append(test.name)
            if failed and not self.args.every or hangs == HANGS:
                break
        return killers

    def reach(self, wall, mutant):
        return any(mutant.number in test.reached for test in self.walls[wall])


def report(trial, fates):
    by_walls = [{wall for wall, killers in fate.items() if killers} for _, fate in fates]
    print(f"\n{'wall':<20}{'reached':>8}{'killed':>8}{'alone':>8}")
    for wall in trial.walls:
        reached = sum(trial.reach(wall, mutant) for mutant, _ in fates)
        killed = sum(wall in walls for walls in by_walls)
        alone = sum(walls == {wall} for walls in by_walls)
        print(f"{wall:<20}{reached:>8}{killed:>8}{alone:>8}")
    if trial.args.every:
        report_tests(trial, fates)
    print("\nsurvivors:")
    for mutant, fate in sorted(fates, key=lambda f: f[0].number):
        if not any(fate.values()):
            unreached = not any(trial.reach(wall, mutant) for wall in trial.walls)
            print(f"{mutant}{' (not reached)' if unreached else ''}")
    killed = sum(map(bool, by_walls))
    print(f"\n{killed} of {len(fates)} mutants killed")


def report_tests(trial, fates):
    killers = [[name for names in fate.values() for name in names] for _, fate in fates]
    killed = Counter(name for names in killers for name in names)
    alone = Counter(names[0] for names in killers if len(names) == 1)
    print(f"\n{'test':<50}{'killed':>8}{'alone':>8}")
    for test in (t for tests in trial.walls.values() for t in tests):
        print(f"{test.name:<50}{killed[test.name]:>8}{alone[test.name]:>8}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", default=[""],
                        help="only mutants of files whose names contain one of these")
    parser.add_argument("--number", type=int, help="so many of them, by chance")
    parser.add_argument("--minutes", type=float, default=math.inf,
                        help="begin with no further mutant after that; with --number: whichever "
                             "comes first")
    parser.add_argument("--seed", type=int, default=1, help="of that choice")
    parser.add_argument("--kinds", default=",".join(k for k in KINDS if k != "order"),
                        help=f"of {', '.join(KINDS)}; default: all but order, "
                             "which only --preset tsan can see")
    parser.add_argument("--walls", default=WALLS, help="default: %(default)s")
    parser.add_argument("--every", action="store_true", help="go on after the first failure")
    parser.add_argument("--timeout", type=float,
                        help="seconds; default: five times what a test takes, at least 5")
    parser.add_argument("--preset", default="dev", help="to build with; default: dev")
    parser.add_argument("--cmake", action="append", default=[], help="one more option of CMake")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--folder", type=Path, default=ROOT / "build/mutation")
    return parser.parse_args()


def main():
    args = parse_arguments()
    walls = args.walls.split(",")
    args.folder.mkdir(parents=True, exist_ok=True)
    workshop = Workshop(args.folder.resolve(), args.jobs)
    mutants = build(workshop, read_mutants(), args)
    print(f"{len(mutants)} mutants; first the tests without them", flush=True)
    tests = [t for t in workshop.tests() if wall_of(t.name, walls)]
    with ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(Test.try_original, tests))

    trial, fates = Trial(tests, walls, args), []
    mutants = chosen(mutants, args)
    with ThreadPoolExecutor(args.jobs) as pool:
        for mutant, fate in pool.map(trial.killers, mutants):
            if fate is None:
                break
            fates.append((mutant, fate))
            killers = ", ".join(name for names in fate.values() for name in names)
            print(f"[{len(fates)}/{len(mutants)}] {mutant}: {killers or 'survives'}",
                  flush=True)
    report(trial, fates)


if __name__ == "__main__":
    main()
