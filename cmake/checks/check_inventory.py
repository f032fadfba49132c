# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Checks that the CMake files list what is there: a test that is not listed never runs.

The files of a folder stand in one list, because a list is a component, and one that is not
built or installed takes its files with it.

--fix adds the lines that are missing, in order, and removes those of files that are gone.
Samples are only checked, because their lines say more than a name.
"""

import posixpath
import re
from dataclasses import dataclass

from common import Problem, expect_rules, run, temporary_tree


@dataclass(frozen=True)
class Inventory:
    """The files `pattern`, written as `line` with their path inside `folder` in `listing`."""

    listing: str
    line: str
    folder: str
    pattern: str
    suffix: str = ""
    exceptions: tuple = ()

    def entry_of(self, text_line):
        before, after = self.line.split("{}")
        match = re.fullmatch(re.escape(before) + r"([\w/]+" + self.ending + ")"
                             + re.escape(after), text_line)
        return match[1] if match and match[1] not in self.exceptions else None

    @property
    def ending(self):
        return re.escape("" if self.suffix else "." + self.pattern.rsplit(".", 1)[1])

    def files(self, tree):
        paths = tree.files(self.folder + self.pattern)
        names = {p.removeprefix(self.folder).removesuffix(self.suffix) for p in paths}
        return sorted(names - set(self.exceptions))

    def listed(self, tree):
        if not tree.exists(self.listing):
            return []
        lines = tree.read(self.listing).splitlines()
        return [entry for entry in map(self.entry_of, lines) if entry]


TESTS = "test/CMakeLists.txt"
COMPONENTS = (
    Inventory("CMakeLists.txt", "        {}", "include/", "**/*.hpp",
              exceptions=("sluice.hpp",)),
    Inventory("CMakeLists.txt", "        {}", "src/", "**/*.cpp"),
)
INVENTORIES = (
    *COMPONENTS,
    Inventory(TESTS, "    {}", "test/", "support/*.cpp",
              exceptions=("support/test_main.cpp",)),
    Inventory(TESTS, "sluice_soak(stress/soak/{})", "test/stress/soak/", "*.cpp"),
    Inventory(TESTS, "sluice_model(model/{})", "test/model/", "*.cpp"),
    Inventory(TESTS, "sluice_schedules(schedules/{})", "test/schedules/", "*.cpp"),
    Inventory(TESTS, "    sluice_bench(bench/{})", "test/bench/", "*.cpp"),
    Inventory(TESTS, "sluice_unit_test({})", "test/unit/", "**/*.cpp", ".cpp"),
    Inventory(TESTS, "sluice_behaviour_test({})", "test/behaviour/", "*.cpp", ".cpp"),
    Inventory(TESTS, "sluice_pipeline_test({})", "test/pipeline/", "*.cpp", ".cpp"),
    Inventory(TESTS, "sluice_cli_test({})", "test/cli/", "*.cpp", ".cpp"),
    Inventory(TESTS, "sluice_program_test({})", "test/cli/", "*.py", ".py",
              exceptions=("program",)),
    Inventory(TESTS, "sluice_stress_test({})", "test/stress/", "*.cpp", ".cpp"),
    Inventory(TESTS, "sluice_compile_test({})", "test/compile/", "*.cpp", ".cpp"),
    Inventory(TESTS, "sluice_must_fail_test({})", "test/compile/must_fail/", "*.cpp", ".cpp"),
    Inventory(TESTS, "sluice_model_test({})", "test/model_check/", "*.py", ".py"),
    Inventory(TESTS, "sluice_hygiene_test({})", "cmake/checks/", "check_*.py", ".py"),
)


def check(tree):
    for inventory in INVENTORIES:
        listed = inventory.listed(tree)
        for name in inventory.files(tree):
            if name not in listed:
                text = f"does not list {inventory.folder}{name}{inventory.suffix}"
                yield Problem("missing", inventory.listing, 1, text)
    yield from check_components(tree)
    yield from check_samples(tree)


def check_components(tree):
    """A header that is listed with another component is not installed without that."""
    for inventory in COMPONENTS:
        if not tree.exists(inventory.listing):
            continue
        list_of = {}
        begin = 0
        for number, line in enumerate(tree.read(inventory.listing).splitlines(), 1):
            entry = inventory.entry_of(line)
            if entry is None:
                begin = number
            elif list_of.setdefault(posixpath.dirname(entry), begin) != begin:
                text = f"{entry} is not in the list of its folder's other files"
                yield Problem("component", inventory.listing, number, text)


def check_samples(tree):
    listing = "samples/CMakeLists.txt"
    text = tree.read(listing) if tree.exists(listing) else ""
    for path in tree.files("samples/**/*.cpp"):
        name = path.removeprefix("samples/")
        if not re.search(rf"\b{name.removesuffix('.cpp')}\b", text):
            yield Problem("missing", listing, 1, f"does not list {name}")


def fix(tree):
    for inventory in INVENTORIES:
        if not tree.exists(inventory.listing):
            continue
        files = inventory.files(tree)
        lines = [line for line in tree.read(inventory.listing).splitlines()
                 if inventory.entry_of(line) is None or inventory.entry_of(line) in files]
        for name in files:
            if name not in map(inventory.entry_of, lines):
                insert(inventory, lines, name)
        tree.write(inventory.listing, "\n".join(lines) + "\n")


def insert(inventory, lines, name):
    """Puts the line of a file behind the one that precedes it in the alphabet."""
    entries = [(i, inventory.entry_of(line)) for i, line in enumerate(lines)]
    entries = [(i, entry) for i, entry in entries if entry]
    # beside those of its folder: elsewhere begins another component
    folder = posixpath.dirname(name)
    near = [(i, entry) for i, entry in entries if posixpath.dirname(entry) == folder]
    entries = near or entries
    before = [i for i, entry in entries if entry < name]
    if before:
        place = before[-1] + 1
    elif entries:
        place = entries[0][0]
    else:  # the first of its kind: behind the comment that names the function
        start = "# " + inventory.line.split("{}")[0].strip()
        place = next((i + 1 for i, line in enumerate(lines) if start in line), None)
        if place is None:
            return
    lines.insert(place, inventory.line.format(name))


def self_test():
    good = {
        "CMakeLists.txt": "    HEADERS\n        sluice/a.hpp\n        sluice/c.hpp\n",
        "include/sluice/a.hpp": "",
        "include/sluice/c.hpp": "",
        "test/CMakeLists.txt": "# sluice_stress_test(...)\nsluice_unit_test(a)\n",
        "test/unit/a.cpp": "",
        "samples/CMakeLists.txt": "sluice_sample(1_tutorial/s)\n",
        "samples/1_tutorial/s.cpp": "",
    }

    def tree(**changes):
        return temporary_tree({**good, **changes}, {})

    expect_rules(check, tree())
    expect_rules(check, tree(**{"include/sluice/b.hpp": ""}), "missing")
    expect_rules(check, tree(**{"test/unit/queue/b.cpp": ""}), "missing")
    expect_rules(check, tree(**{"samples/1_tutorial/t.cpp": ""}), "missing")

    two = ("    HEADERS\n        sluice/core/a.hpp\n"
           "    HEADERS\n        sluice/app/b.hpp\n{}")
    stray = tree(**{"CMakeLists.txt": two.format("        sluice/core/c.hpp\n")})
    (stray.root / "include/sluice/a.hpp").unlink()
    (stray.root / "include/sluice/c.hpp").unlink()
    expect_rules(check, stray, "component")
    core = tree(**{"CMakeLists.txt": two.format(""), "include/sluice/core/a.hpp": "",
                   "include/sluice/core/c.hpp": "", "include/sluice/app/b.hpp": ""})
    (core.root / "include/sluice/a.hpp").unlink()
    (core.root / "include/sluice/c.hpp").unlink()
    fix(core)
    expect_rules(check, core)

    repaired = tree(**{"include/sluice/b.hpp": "", "test/unit/queue/b.cpp": "",
                       "test/stress/d.cpp": ""})
    (repaired.root / "include/sluice/c.hpp").unlink()
    fix(repaired)
    expect_rules(check, repaired)
    expected = "    HEADERS\n        sluice/a.hpp\n        sluice/b.hpp\n"
    assert repaired.read("CMakeLists.txt") == expected
    assert repaired.read(TESTS) == (
        "# sluice_stress_test(...)\nsluice_stress_test(d)\n"
        "sluice_unit_test(a)\nsluice_unit_test(queue/b)\n")


if __name__ == "__main__":
    run(check, self_test, fix=fix)
