# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Checks that every mutant of test/mutation/mutants.txt can still be made.

stale   the text that a mutant replaces stands exactly once in its file
test    the tests that a mutant names exist
form    every mutant has a name of its own, a promise that it breaks, and a change
"""

import re
from dataclasses import dataclass

from common import Problem, expect_rules, run, temporary_tree

TABLE = "test/mutation/mutants.txt"
ENTRY = re.compile(
    r"=== (?P<name>\w+)\n"
    r"file: +(?P<file>\S+)\n"
    r"breaks: +(?P<breaks>.+)\n"
    r"tests: +(?P<tests>.+)\n"
    r"--- old\n(?P<old>.*?)"
    r"--- new\n(?P<new>.*)", re.DOTALL)


@dataclass(frozen=True)
class Mutant:
    name: str
    file: str
    breaks: str
    tests: tuple  # e.g. "unit/queue/queue_core", the likeliest to notice it first
    old: str
    new: str
    line: int


def read_mutants(text):
    """The mutants of a table, and (line, text) of each entry that cannot be read."""
    mutants, unreadable = [], []
    starts = [match.start() for match in re.finditer(r"^=== ", text, re.MULTILINE)]
    for start, end in zip(starts, starts[1:] + [len(text)]):
        line = text.count("\n", 0, start) + 1
        match = ENTRY.fullmatch(text[start:end].rstrip("\n") + "\n")
        if not match:
            unreadable.append((line, text[start:end].split("\n", 1)[0]))
            continue
        fields = match.groupdict()
        fields["tests"] = tuple(fields["tests"].split())
        mutants.append(Mutant(line=line, **fields))
    return mutants, unreadable


def check(tree):
    if not tree.exists(TABLE):
        return
    mutants, unreadable = read_mutants(tree.read(TABLE))
    for line, entry in unreadable:
        yield Problem("form", TABLE, line, f"'{entry}' is not a complete entry")
    names = [mutant.name for mutant in mutants]
    for mutant in mutants:
        for rule, text in problems_of(tree, mutant, names):
            yield Problem(rule, TABLE, mutant.line, f"{mutant.name}: {text}")


def problems_of(tree, mutant, names):
    if names.count(mutant.name) > 1:
        yield "form", "two mutants have this name"
    if mutant.old == mutant.new:
        yield "form", "changes nothing"
    count = tree.read(mutant.file).count(mutant.old) if tree.exists(mutant.file) else 0
    if count != 1:
        yield "stale", f"its text stands {count} times in {mutant.file}; it must be once"
    for test in mutant.tests:
        if not tree.exists(f"test/{test}.cpp"):
            yield "test", f"test/{test}.cpp does not exist"


def self_test():
    entry = ("=== m\nfile:   src/a.cpp\nbreaks: P1\ntests:  unit/a\n"
             "--- old\n    x;\n--- new\n    y;\n")
    good = {TABLE: "Text.\n\n" + entry, "src/a.cpp": "{\n    x;\n}\n", "test/unit/a.cpp": ""}

    def expect(changes, *rules):
        expect_rules(check, temporary_tree({**good, **changes}, {}), *rules)

    expect({})
    expect({TABLE: ""})
    expect({"src/a.cpp": "{\n    z;\n}\n"}, "stale")
    expect({"src/a.cpp": "    x;\n    x;\n"}, "stale")
    expect({TABLE: entry.replace("src/a", "src/b")}, "stale")
    expect({TABLE: entry.replace("unit/a", "unit/b")}, "test")
    expect({TABLE: entry.replace("y;", "x;")}, "form")
    expect({TABLE: entry.replace("breaks: P1\n", "")}, "form")
    expect({TABLE: entry + "\n" + entry}, "form")


if __name__ == "__main__":
    run(check, self_test)
