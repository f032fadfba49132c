# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Says which lines and branches of the core no test has reached; fails if they are many.

Reads what the programs of the preset `coverage` have left in the folder `profiles` of its
build tree. A template is one text: a line is reached if it is in any instantiation, and
so is each outcome of a condition. Conditions of `if constexpr` are not counted, nor those
that the compiler writes: of a defaulted comparison, or of a switch over no enumerator.
"""

import argparse
import json
import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = re.compile(r"(include/sluice|src)/(?!pipeline/|cli/)")
LEAST = {"lines": 97, "branches": 90}  # percent
CODE = re.compile(r"\b(?!(else|try|do)\b)\w")


@dataclass
class Reach:
    """How often what is in a file was reached."""

    text: list   # its lines
    lines: dict  # {number: count}
    # {(line, column, last line, last column): [true, false]}
    branches: dict = field(default_factory=lambda: defaultdict(lambda: [0, 0]))

    def count(self):
        """(reached, all) of the lines and of the outcomes of conditions."""
        outcomes = [count for both in self.branches.values() for count in both]
        return {"lines": reached_of(self.lines.values()),
                "branches": reached_of(outcomes)}

    def gaps(self):
        """(line, what was not reached, its text) in the order of the lines."""
        found, before = [], None
        for line, count in sorted(self.lines.items()):
            if count == 0 and before != 0:
                found.append((line, "not reached", self.statement(line)))
            before = count
        for place, both in self.branches.items():
            if any(both) and not all(both):
                outcome = "never false" if both[0] else "never true"
                found.append((place[0], outcome, self.condition(*place)))
        return sorted(found)

    def statement(self, line):
        return self.text[line - 1].split("//")[0].strip()

    def condition(self, line, column, last_line, last_column):
        lines = self.text[line - 1:last_line]
        lines[-1] = lines[-1][:last_column - 1]
        lines[0] = lines[0][column - 1:]
        return " ".join(" ".join(lines).split())


def reached_of(counts):
    return sum(1 for count in counts if count), len(counts)


def line_counts(text, segments):
    """{number: count} of the lines with code: the largest count of what stands on each.

    A segment is (line, column, count, has count, ...) and holds until the next one.
    """
    counts, holds = {}, None
    by_line = defaultdict(list)
    for segment in segments:
        by_line[segment[0]].append(segment)
    for number, line in enumerate(text, 1):
        code = line.split("//")[0]
        pieces = [holds, *by_line[number]]
        holds = pieces[-1]
        ends = [segment[1] - 1 for segment in pieces[1:]] + [len(code)]
        for begin, end, segment in zip([0] + ends, ends, pieces):
            if segment and segment[3] and CODE.search(code[begin:end]):
                counts[number] = max(counts.get(number, 0), segment[2])
    return counts


def is_run(segments, line, column):
    """Whether what stands at this place has been reached."""
    before = [s for s in segments if tuple(s[:2]) <= (line, column)]
    return bool(before) and before[-1][2] > 0


def read_reach(exported):
    """{file: Reach} of the files of the core in what `llvm-cov export` has written."""
    reaches = {}
    for entry in exported["data"][0]["files"]:
        name = Path(entry["filename"]).relative_to(ROOT).as_posix()
        if CORE.match(name):
            text = (ROOT / name).read_text("utf-8").splitlines()
            reaches[name] = Reach(text, line_counts(text, entry["segments"]))
            read_branches(entry, reaches[name])
    return reaches


def read_branches(entry, reach):
    for branch in entry["branches"]:
        both = reach.branches[tuple(branch[:4])]
        both[0] += branch[4]
        both[1] += branch[5]
    for place, both in list(reach.branches.items()):
        line, column = place[:2]
        # what the compiler knows has no counts, whether it is run or not
        known = not any(both) and is_run(entry["segments"], line, column)
        # what it writes itself it places at the value of a switch, or at a final letter
        written = reach.text[line - 1][:column - 1].endswith(("switch (", "defaul"))
        if known or written:
            del reach.branches[place]


def export(build, tool_suffix):
    """What the profiles say, as llvm-cov writes it, of all programs that have run."""
    profile = build / "all.profdata"
    raw = sorted((build / "profiles").glob("*.profraw"))
    if not raw:
        sys.exit(f"coverage: no profiles in {build}; `./dev coverage` makes them")
    subprocess.run(
        [f"llvm-profdata{tool_suffix}", "merge", "-sparse", "-o", profile, *raw],
        check=True)
    programs = sorted(p for p in (build / "test").glob("sluice_*") if p.is_file())
    objects = [argument for p in programs for argument in ("-object", p)][1:]
    output = subprocess.run(
        [f"llvm-cov{tool_suffix}", "export", "-skip-functions", *objects,
         "-instr-profile", profile, "-sources", ROOT / "include", ROOT / "src"],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return json.loads(output)


def print_table(reaches):
    print(f"\n{'lines':>7} {'':9} {'branches':>9}")
    for name, reach in sorted(reaches.items()):
        cells = "".join(f"{percent(*c):>7} {f'{c[0]}/{c[1]}':<9}"
                        for c in reach.count().values())
        print(f"{cells}  {name}")


def percent(reached, total):
    return f"{100 * reached / total:.1f}" if total else "-"


def print_gaps(reaches):
    for name, reach in sorted(reaches.items()):
        for line, what, text in reach.gaps():
            print(f"{name}:{line}: {what}: {text}")


def judge(reaches):
    """Prints the totals; returns whether they are enough."""
    enough = True
    for kind, least in LEAST.items():
        counts = [reach.count()[kind] for reach in reaches.values()]
        reached, total = map(sum, zip(*counts))
        enough = enough and 100 * reached >= least * total
        print(f"{kind}: {percent(reached, total)} % of {total}; {least} % are demanded")
    return enough


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build/coverage")
    parser.add_argument("--tool-suffix", default="-16", help="of llvm-cov, llvm-profdata")
    args = parser.parse_args()

    reaches = read_reach(export(args.build, args.tool_suffix))
    print_table(reaches)
    print()
    print_gaps(reaches)
    print()
    sys.exit(0 if judge(reaches) else 1)


if __name__ == "__main__":
    main()
