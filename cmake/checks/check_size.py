# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Checks that files and lines stay short; limits and exceptions are in cmake/layers.json.

lines    a file has no more lines than the limit (tests have one of their own), or than
         what allow/lines says
columns  a line of code has no more columns than the limit, unless it holds a URL
"""

from common import Problem, expect_rules, run, temporary_tree


def check(tree):
    limits, allow = tree.config["limits"], tree.config["allow"]
    for path in tree.cpp_files() + tree.files("cmake/**/*.py", "cmake/**/*.cmake", "dev"):
        lines = tree.read(path).splitlines()
        usual = limits["test_lines" if path.startswith("test/") else "lines"]
        limit = allow["lines"].get(path, usual)
        if len(lines) > limit:
            yield Problem("lines", path, limit + 1, f"{len(lines)} lines, limit {limit}")
        if path not in allow["columns"]:
            for number, line in enumerate(lines, 1):
                if len(line) > limits["columns"] and "https://" not in line:
                    yield Problem("columns", path, number, f"{len(line)} columns")


def self_test():
    config = {
        "limits": {"lines": 3, "test_lines": 4, "columns": 20},
        "allow": {"lines": {"src/long.cpp": 5}, "columns": ["src/wide.cpp"]},
    }

    def expect(path, text, *rules):
        expect_rules(check, temporary_tree({path: text}, config), *rules)

    expect("src/a.cpp", "x\n" * 3)
    expect("src/a.cpp", "x\n" * 4, "lines")
    expect("test/a.cpp", "x\n" * 4)
    expect("test/a.cpp", "x\n" * 5, "lines")
    expect("src/long.cpp", "x\n" * 5)
    expect("src/long.cpp", "x\n" * 6, "lines")
    expect("src/a.cpp", "x" * 21, "columns")
    expect("src/a.cpp", "// https://" + "x" * 20)
    expect("src/wide.cpp", "x" * 21)


if __name__ == "__main__":
    run(check, self_test)
