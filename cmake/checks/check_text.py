# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Checks for text that must not be there.

mark   no notes about unfinished work in the sources; they belong into an issue
sleep  no test waits for time to pass; exceptions are listed in cmake/layers.json
path   no path of one person's machine
space  no tabs but those of Go, no blanks at line ends, one newline at the end of a file
"""

import re

from common import Problem, expect_rules, run, temporary_tree

MARK = re.compile(r"\b(" + "|".join(("TO" "DO", "FIX" "ME", "XX" "X", "HA" "CK")) + r")\b")
SLEEP = re.compile(r"\b(sleep_for|sleep_until|u?sleep\s*\(|nanosleep)")
HOME = re.compile(r"(?<![\w.])/(home|root|Users)/\w")
SOURCES = ("CMakeLists.txt", "dev", ".ci/run", "include/**/*", "src/**/*", "samples/**/*",
           "test/**/*", "cmake/**/*", "docs/**/*")
PAGES = ("*.md",)
BINARY = (".gz", ".png")


def check(tree):
    for path in tree.files(*SOURCES, *PAGES):
        if not path.endswith(BINARY):
            text = tree.read(path)
            for number, line in enumerate(text.splitlines(), 1):
                for rule, problem in problems_of_line(tree, path, line):
                    yield Problem(rule, path, number, problem)
            if text and (not text.endswith("\n") or text.endswith("\n\n")):
                yield Problem("space", path, text.count("\n"), "not one newline at the end")


def problems_of_line(tree, path, line):
    if match := MARK.search(line):
        yield "mark", match[0]
    if path.startswith("test/") and path not in tree.config["allow"]["sleep"]:
        if match := SLEEP.search(line):
            yield "sleep", "tests wait for events, not for time"
    if HOME.search(line):
        yield "path", "path of one machine"
    if "\t" in line and not path.endswith(".go"):
        yield "space", "tab"
    if line != line.rstrip() and not path.endswith((".md", ".expected")):
        yield "space", "blanks at the end of the line"


def self_test():
    config = {"allow": {"sleep": ["test/slow.cpp"]}}

    def expect(path, text, *rules):
        expect_rules(check, temporary_tree({path: text}, config), *rules)

    # written in two parts, so that this file passes its own check
    expect("src/a.cpp", "int x;\n")
    expect("src/a.cpp", "// TO" "DO: x\n", "mark")
    expect("test/a.cpp", "sleep_for(1s);\n", "sleep")
    expect("test/slow.cpp", "sleep_for(1s);\n")
    expect("src/a.cpp", "sleep_for(1s);\n")
    expect("README.md", "cd /ho" "me/me\n", "path")
    expect("src/a.cpp", "int x;\t\n", "space")
    expect("test/a.go", "\tx()\n")
    expect("src/a.cpp", "int x; \n", "space")
    expect("src/a.cpp", "int x;", "space")


if __name__ == "__main__":
    run(check, self_test)
