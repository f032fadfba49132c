# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Measures six standard jobs against the tools that people use for them.

Each round runs sluice and all tools that are installed, beginning with another one each time;
all must give the same. The ratio is that of the medians, to the fastest tool.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from jobs import JOBS


def measure(command, environment, output):
    """Wall time, processor time (both in seconds) and what was printed or written."""
    with tempfile.TemporaryFile() as printed:
        before = os.times()
        subprocess.run(command, env=environment, stdout=printed, check=True)
        after = os.times()
        printed.seek(0)
        content = output.read_bytes() if output else printed.read()
    processor = sum(after[2:4]) - sum(before[2:4])  # of the children that have ended
    return after.elapsed - before.elapsed, processor, content


def contestants(job, sluice, source, output):
    """The commands by name, and where each of them writes: None is standard output."""
    own = [sluice, "run", str(job.description), "--report", "none", "--param", f"INPUT={source}"]
    if job.writes:
        own += ["--param", f"OUTPUT={output}"]
    commands = {"sluice": (own, output if job.writes else None)}
    for tool, line in job.tools.items():
        if shutil.which(tool):
            commands[tool] = (["bash", "-c", "set -e; " + line], None)
        else:
            print(f"standard_jobs: {tool} is not installed", file=sys.stderr)
    return commands


def run_rounds(job, commands, rounds, environment):
    runs = {name: [] for name in commands}
    names = list(commands)
    expected = None
    for turn in range(-1, rounds):  # the first one only reads the files into memory
        begin = turn % len(names)
        for name in names[begin:] + names[:begin]:
            command, output = commands[name]
            seconds, processor, content = measure(command, environment, output)
            if turn < 0:
                result = job.read(content)
                expected = result if expected is None else expected
                if result != expected:
                    sys.exit(f"standard_jobs: {job.name}: {name} gives something else")
                continue
            runs[name].append({"seconds": seconds, "processor": processor})
    return runs


def summary(runs):
    def median(name, figure):
        return statistics.median(run[figure] for run in runs[name])

    tools = [name for name in runs if name != "sluice"]
    fastest = min(tools, key=lambda name: median(name, "seconds"), default="sluice")
    return {
        name: {
            "seconds": median(name, "seconds"),
            "fastest": min(run["seconds"] for run in runs[name]),
            "processor": median(name, "processor"),
            "ratio": median(name, "seconds") / median(fastest, "seconds"),
            "runs": runs[name],
        }
        for name in runs
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sluice", required=True, help="the program sluice")
    parser.add_argument("--lines", type=int, default=500_000, help="of each input")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--job", choices=[job.name for job in JOBS], action="append")
    parser.add_argument("--json", type=Path, help="where to write every run")
    args = parser.parse_args()

    figures = {}
    print(f"{'standard job':18} {'tool':7} {'median':>9} {'fastest':>9} {'processor':>10} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for job in JOBS:
            if args.job and job.name not in args.job:
                continue
            source, output = job.make_input(folder, args.lines), folder / "output"
            commands = contestants(job, args.sluice, source, output)
            environment = {**os.environ, "INPUT": str(source)}
            figures[job.name] = summary(run_rounds(job, commands, args.rounds, environment))
            source.unlink()
            for tool, figure in figures[job.name].items():
                print(f"{job.name:18} {tool:7} {figure['seconds']:7.2f} s {figure['fastest']:7.2f} s "
                      f"{figure['processor']:8.2f} s {figure['ratio']:6.2f}", flush=True)
    if args.json:
        args.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
