# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Checks what every source must have, and what none may have.

licence   the SPDX and copyright lines come first
once      headers have #pragma once
umbrella  sluice/report.hpp includes the public headers of the component report,
          sluice/tensorflow.hpp those that only ports of TensorFlow programs need, and sluice.hpp
          all others, but for those of pipelines and of servers
mark      no notes about unfinished work; they belong into an issue
sleep     no test waits for time to pass, but that of sleep_for
path      no path of one person's machine
choice    no co_await behind a question mark: GCC before 13 runs both branches
wide      comments of C++ have at most 100 columns, but for tables (code is left to clang-format)
space     no tabs but those of Go, no blanks at line ends, one newline at the end of a file
"""

import re

from common import Problem, includes, run

LICENCE = ("SPDX-License-Identifier: BSL-1.0", "Copyright (c) 2026 The sluice authors")
UMBRELLA = "include/sluice.hpp"
REPORT_UMBRELLA = "include/sluice/report.hpp"
TENSORFLOW_UMBRELLA = "include/sluice/tensorflow.hpp"
TENSORFLOW = {
    "include/sluice/input/limit_epochs.hpp",
    "include/sluice/runner/queue_runner_collection.hpp",
}
REPORT = tuple(f"include/sluice/{folder}/" for folder in ("metrics", "monitor", "page", "report"))
# need more than Boost, and so are not under the umbrella
NEEDY = ("include/sluice/pipeline/", "include/sluice/redis/")
SCRIPTS = ("**/CMakeLists.txt", "dev", "cmake/**/*.cmake", "cmake/**/*.py")
TEXTS = ("*.md", "CMakeLists.txt", "dev", ".ci/run", "include/**/*", "src/**/*", "samples/**/*",
         "test/**/*", "cmake/**/*", "docs/**/*")
BINARY = (".gz", ".png")
INPUTS = "test/fuzz/corpus/"  # may hold anything

MARK = re.compile(r"\b(" + "|".join(("TO" "DO", "FIX" "ME", "XX" "X", "HA" "CK")) + r")\b")
SLEEP = re.compile(r"\b(sleep_for|sleep_until|u?sleep\s*\(|nanosleep)")
ITS_TEST = "test/unit/task/sleep_for.cpp"
WIDE = re.compile(r"\s*(//|\* )(?!.*\|)(?=.*\S\s\S).*")
CHOICE = re.compile(r"\?\s*co_await\b")
HOME = re.compile(r"(?<![\w.])/(home|root|Users)/\w")


def check(tree):
    for path in tree.cpp_files() + tree.files(*SCRIPTS):
        text = tree.read(path)
        if not text.removeprefix("#!/usr/bin/env bash\n").startswith(licence(path)):
            yield Problem("licence", path, 1, "does not begin with the licence lines")
        if path.endswith(".hpp") and "\n#pragma once\n" not in text:
            yield Problem("once", path, 1, "has no #pragma once")
    for path in tree.files(*TEXTS):
        if not path.endswith(BINARY) and not path.startswith(INPUTS):
            yield from check_text(path, tree.read(path))
    yield from check_umbrella(tree)


def licence(path):
    mark = "//" if path.endswith(("hpp", "cpp")) else "#"
    return "".join(f"{mark} {line}\n" for line in LICENCE)


def check_text(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        for rule, problem in problems_of_line(path, line):
            yield Problem(rule, path, number, problem)
    if text and (not text.endswith("\n") or text.endswith("\n\n")):
        yield Problem("space", path, text.count("\n"), "not one newline at the end")


def problems_of_line(path, line):
    if match := MARK.search(line):
        yield "mark", match[0]
    if path.startswith("test/") and path != ITS_TEST and SLEEP.search(line):
        yield "sleep", "tests wait for events, not for time"
    if HOME.search(line):
        yield "path", "path of one machine"
    if path.endswith((".hpp", ".cpp")) and CHOICE.search(line):
        yield "choice", "co_await in one of two branches; write if and else"
    if len(line) > 100 and path.endswith((".hpp", ".cpp")) and WIDE.match(line):
        yield "wide", f"a comment of {len(line)} columns"
    if "\t" in line and not path.endswith(".go"):
        yield "space", "tab"
    if line != line.rstrip() and not path.endswith((".md", ".expected")):
        yield "space", "blanks at the end of the line"


def check_umbrella(tree):
    headers = {h for h in tree.public_headers() if not h.startswith(NEEDY)}
    report = {h for h in headers if h.startswith(REPORT)}
    core = headers - report - TENSORFLOW - {UMBRELLA, REPORT_UMBRELLA, TENSORFLOW_UMBRELLA}
    for umbrella, wanted in ((UMBRELLA, core), (REPORT_UMBRELLA, report),
                             (TENSORFLOW_UMBRELLA, TENSORFLOW)):
        included = {f"include/{name}" for _, _, name in includes(tree.read(umbrella))}
        for header in wanted ^ included:
            verb = "does not include" if header in wanted else "includes"
            yield Problem("umbrella", umbrella, 1, f"{verb} {header}")


if __name__ == "__main__":
    run(check)
