# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""headers.py [--rounds N] [--write]: what each public header costs that is included alone.

Compiles a file with that header and nothing else, and one with the headers of Asio that a program
with coroutines and a channel has anyway. Prints a table of processor times, the shortest of all
rounds, and of what is above Asio's. --write puts it into docs/performance.md.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs/performance.md"
MARKS = re.compile(r"(<!-- headers -->\n).*?(<!-- /headers -->)", re.DOTALL)
ASIO = ("awaitable", "co_spawn", "io_context", "experimental/concurrent_channel")
# need more than Boost
NEEDY = ("pipeline", "redis")


def headers():
    """Those that programs include, the umbrella first."""
    public = (ROOT / "include/sluice").rglob("*.hpp")
    names = (str(path.relative_to(ROOT / "include")) for path in public if path.parent.name != "detail")
    return ["sluice.hpp", *sorted(name for name in names
                                  if "/detail/" not in name and name.split("/")[1] not in NEEDY)]


def seconds(compiler, text):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(
        [compiler, "-std=c++20", "-O2", "-c", "-I", str(ROOT / "include"), "-x", "c++", "-",
         "-o", os.devnull], input=text, text=True, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def show_progress(text):
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def table(compiler, rounds):
    sources = {"asio": "".join(f"#include <boost/asio/{name}.hpp>\n" for name in ASIO)}
    sources |= {name: f"#include <{name}>\n" for name in headers()}
    best = dict.fromkeys(sources, float("inf"))
    for number in range(1, rounds + 1):
        for name, text in sources.items():
            show_progress(f"round {number} of {rounds}: {name}")
            best[name] = min(best[name], seconds(compiler, text))
    show_progress("")
    asio = best.pop("asio")
    yield "| header | s | above Asio |\n|---|---|---|\n"
    yield f"| Asio's alone | {asio:.2f} | |\n"
    for name, time in best.items():
        yield f"| `{name}` | {time:.2f} | {time - asio:+.2f} |\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    text = "".join(table(os.environ.get("CXX", "g++"), arguments.rounds))
    print(text, end="")
    if arguments.write:
        page = PAGE.read_text("utf-8")
        PAGE.write_text(MARKS.sub(lambda marks: marks[1] + text + marks[2], page), "utf-8")


if __name__ == "__main__":
    main()
