# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Large runs in little memory: what was measured, and whether the results are right.

keys    as many different numbers as the pages promise are counted in the default memory, and
        more of them are an error
lines   300 lines of 5 MB pass through queues with default capacities
stream  5 GB pass; a tenth of it must take as much memory, up to some MiB

    python3 test/chaos/large_runs.py build/release/sluice
"""

import argparse
import filecmp
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MEGABYTE = 1 << 20
KEYS = 3_400_000  # that fit into this memory
MEMORY = 256 * MEGABYTE
MOST_BESIDES = 64 * MEGABYTE
MOST_FOR_LINES = 256 * MEGABYTE
MOST_APART = 8 * MEGABYTE  # of two runs of different lengths


class Failed(Exception):
    pass


def expect(holds, message):
    if not holds:
        raise Failed(message)


def run(sluice, folder, stages, status=0, **options):
    """Runs a chain of stages to its end; gives the peak of its memory and processor time."""
    runners = [{**stage, **({"from": f"q{n - 1}"} if n else {}),
                **({"to": f"q{n}"} if n + 1 < len(stages) else {})}
               for n, stage in enumerate(stages)]
    queues = {f"q{n}": {} for n in range(len(stages) - 1)}
    (folder / "pipeline.json").write_text(json.dumps({"queues": queues, "runners": runners}), "utf-8")
    process = subprocess.Popen([*sluice, "run", "pipeline.json", "--report", "none"],
                               cwd=folder, **options)
    if process.stdin:
        process.stdin.close()
    _, ended, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(ended)
    expect(process.returncode == status, f"status {process.returncode}")
    return usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime


def count_numbers(sluice, folder, keys, memory, **options):
    """Counts numbers that are all different."""
    peak, processor = run(
        sluice, folder,
        [{"stage": "range", "options": {"from": 10 ** 9, "to": 10 ** 9 + keys - 1}},
         {"stage": "count", "options": {"memory": memory}}], **options)
    expect(peak <= memory + MOST_BESIDES, f"{peak // MEGABYTE} MiB for {keys} keys")
    return peak, processor


def count_keys(sluice, folder, share):
    """What fits is counted; ten times as much is refused, and nothing of it printed."""
    with subprocess.Popen(["sort", "--numeric-sort", "--check=quiet", "--unique", "--key=2"],
                          stdin=subprocess.PIPE) as check:
        figures = count_numbers(sluice, folder, KEYS // share, MEMORY // share,
                                stdout=check.stdin)
        check.stdin.close()
    # Equally frequent ones come in the order of their bytes, which is that of the numbers.
    expect(check.returncode == 0, "a number is there twice, or at the wrong place")
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        count_numbers(sluice, folder, 10 * KEYS // share, MEMORY // share, status=1,
                      stdout=out, stderr=err)
    expect((folder / "out").read_bytes() == b"", "a result of what does not fit")
    expect(b'takes more than its "memory"' in (folder / "err").read_bytes(), "another error")
    return figures


def pass_lines(sluice, folder, lines, size):
    """Long lines, each of another letter."""
    with (folder / "in").open("wb") as file:
        for number in range(lines):
            file.write(bytes([ord("a") + number % 26]) * size + b"\n")
    peak, processor = run(
        sluice, folder,
        [{"stage": "read", "options": {"files": ["in"]}},
         {"stage": "filter", "options": {"not_matches": "^$"}},
         {"stage": "write", "options": {"path": "out"}}])
    expect(filecmp.cmp(folder / "in", folder / "out", shallow=False), "lines have changed")
    expect(peak <= MOST_FOR_LINES, f"{peak // MEGABYTE} MiB")
    for name in ("in", "out"):
        (folder / name).unlink()
    return peak, processor


def stream(sluice, folder, size):
    """So many bytes from standard input, of lines of 100."""
    with subprocess.Popen(["sh", "-c", f"yes {'x' * 99} | head -c {size}"],
                          stdout=subprocess.PIPE) as source:
        figures = run(
            sluice, folder,
            [{"stage": "read", "options": {"files": ["-"]}},
             {"stage": "filter", "options": {"matches": "^x"}},
             {"stage": "write", "options": {"path": "/dev/null"}}],
            stdin=source.stdout)
        source.stdout.close()
    return figures


def compare_streams(sluice, folder, size):
    short, _ = stream(sluice, folder, size // 10)
    peak, processor = stream(sluice, folder, size)
    expect(peak <= short + MOST_APART, f"{peak // MEGABYTE} MiB, before {short // MEGABYTE}")
    return peak, processor


CHECKS = {
    "keys": count_keys,
    "lines": lambda sluice, folder, share: pass_lines(sluice, folder, 300 // share, 5_000_000),
    "stream": lambda sluice, folder, share: compare_streams(
        sluice, folder, 5_000_000_000 // share),
}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("sluice", type=Path)
    arguments.add_argument("--share", type=int, default=1, help="runs this part only, such as 10")
    arguments.add_argument("--check", choices=CHECKS, action="append")
    given = arguments.parse_args()
    failed = 0
    for name in given.check or CHECKS:
        with tempfile.TemporaryDirectory() as folder:
            if shutil.disk_usage(folder).free < 4_000_000_000 // given.share:
                print(f"{name}: left out, because it needs 4 GB on the disk")
                continue
            try:
                peak, processor = CHECKS[name](
                    [str(given.sluice.resolve())], Path(folder), given.share)
                print(f"{name}: {peak // MEGABYTE} MiB, {processor:.0f} s of processor time",
                      flush=True)
            except Failed as reason:
                failed += 1
                print(f"{name}: FAILED: {reason}", flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
