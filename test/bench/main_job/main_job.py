# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Measures the main job, the words of the Boost headers, against two other ways to do it.

sluice   sluice run samples/pipelines/word_count.json
threads  word_count_threads: the same stages by hand, with a mutex around each queue
shell    find, cat, grep, sort, uniq and head

Each round runs all of them, beginning with another one each time; all must print the same.
"""

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DESCRIPTION = ROOT / "samples/pipelines/word_count.json"
SHELL = r"""
    set -o pipefail
    export LC_ALL=C
    find {folder} \( -name '*.hpp' -o -name '*.ipp' \) -print0 | xargs -0 cat |
        grep -a -o -E $'[A-Za-z0-9_\x80-\xff]+' |
        sort | uniq -c | sort -k1,1nr -k2 | head -n 20
"""


def measure(command):
    """Wall time in seconds, peak memory in bytes, and what was printed."""
    with tempfile.TemporaryFile() as printed:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=printed)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        # sort ends by SIGPIPE when head has seen enough
        if process.returncode not in (0, 141):
            sys.exit(f"main_job: {shlex.join(command)} ended with {process.returncode}")
        printed.seek(0)
        words = [tuple(line.split()) for line in printed.read().splitlines()]
        return seconds, usage.ru_maxrss * 1024, words


def contestants(args):
    folder = json.loads(DESCRIPTION.read_text())["runners"][0]["options"]["files"][0]
    return {
        "sluice": [args.sluice, "run", str(DESCRIPTION), "--report", "none"],
        "threads": [args.threads, folder, ".hpp", ".ipp"],
        "shell": ["bash", "-c", SHELL.format(folder=shlex.quote(folder))],
    }


def run_rounds(commands, rounds):
    results = {name: [] for name in commands}
    names = list(commands)
    expected = None
    for turn in range(-1, rounds):  # the first one only reads the files into memory
        begin = turn % len(names)
        for name in names[begin:] + names[:begin]:
            seconds, memory, words = measure(commands[name])
            expected = expected or words
            if words != expected:
                sys.exit(f"main_job: {name} printed other words:\n{words}\n{expected}")
            if turn >= 0:
                results[name].append({"seconds": seconds, "peak_bytes": memory})
    return results


def summary(results):
    median = {name: statistics.median(run["seconds"] for run in runs)
              for name, runs in results.items()}
    return {
        name: {
            "seconds": median[name],
            "fastest": min(run["seconds"] for run in runs),
            "slowest": max(run["seconds"] for run in runs),
            "ratio": median[name] / median["threads"],
            "peak_bytes": max(run["peak_bytes"] for run in runs),
            "runs": runs,
        }
        for name, runs in results.items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sluice", required=True, help="the program sluice")
    parser.add_argument("--threads", required=True, help="the program word_count_threads")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="where to write every run")
    args = parser.parse_args()

    figures = summary(run_rounds(contestants(args), args.rounds))
    print(f"{'main job':10} {'median':>9} {'fastest':>9} {'slowest':>9} {'ratio':>7} {'peak':>9}")
    for name, figure in figures.items():
        print(f"{name:10} {figure['seconds']:7.2f} s {figure['fastest']:7.2f} s "
              f"{figure['slowest']:7.2f} s {figure['ratio']:7.2f} "
              f"{figure['peak_bytes'] / 1e6:6.0f} MB")
    if args.json:
        args.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
