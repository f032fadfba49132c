# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Random pipelines, ended by random signals or run at random limits of the system.

Whatever happens, the result is the previous one or the new one, both whole; a part of it stands
aside and is a beginning of the new one; no child and no temporary file stays, but for a kill,
and then the next run removes it; the status is one of those that the pages name.

The limits are on descriptors, on memory, on the size of a file, and on the disk. For the last one
the run is in a file system in memory, which it sees alone. Where that needs more rights than there
are, it is left out, and the program says so.

    python3 test/chaos/chaos.py build/release/sluice --runs 300 --seed 1
"""

import argparse
import collections
import gzip
import json
import random
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

PATIENCE = 600  # where memory is short each allocation takes long
PREVIOUS = "previous\n"
SIGNALS = [[signal.SIGINT], [signal.SIGTERM], [signal.SIGHUP], [signal.SIGKILL],
           [signal.SIGINT] * 2, [signal.SIGINT] * 3, [signal.SIGTERM, signal.SIGINT]]
DISK = "disk"
LIMITS = {
    resource.RLIMIT_NOFILE: (8, 40),
    resource.RLIMIT_AS: (30_000_000, 200_000_000),
    resource.RLIMIT_FSIZE: (0, 400_000),
    DISK: (30_000, 400_000),
}
# Runs a command in a copy of the folder on a small disk, and brings back what is there then.
ON_DISK = """
mount -t tmpfs -o size=$0 none /mnt && cp -a . /mnt && here=$PWD && cd /mnt || exit 99
"$@"
status=$?
find "$here" -mindepth 1 -delete
cp -a . "$here"
exit $status
"""


class Pipeline:
    """Numbers from 0 to a last one, in order, through some stages into a file."""

    def __init__(self, dice):
        self.last = dice.choice([0, 1, 1000, 30_000, 100_000])
        self.is_compressed = dice.random() < 0.3
        cat = {"stage": "command", "options": {"command": ["cat"]}}
        steps = dice.choices([cat, {"stage": "filter", "options": {"matches": "."}}],
                             k=dice.randrange(4))
        source = {"stage": "range", "options": {"from": 0, "to": self.last}}
        sink = {"stage": "write", "options": {"path": "out", "gzip": self.is_compressed}}
        stages = [source, *steps, sink]
        for number, stage in enumerate(stages):
            stages[number] = {**stage, "name": f"s{number}",
                              **({"from": f"q{number - 1}"} if number else {}),
                              **({"to": f"q{number}"} if stage is not sink else {})}
        self.text = json.dumps({
            "queues": {f"q{n}": {"capacity": dice.choice([1, 16, 256, 4096])}
                       for n in range(len(stages) - 1)},
            "runners": stages, "coordinator": {"stop_grace_period": "20s"}})

    def lines(self, path):
        opened = gzip.open(path, "rt") if self.is_compressed else path.open()
        with opened as file:
            return file.read()

    def whole(self):
        return "".join(f"{number}\n" for number in range(self.last + 1))


def end_by_signals(process, dice):
    for number in dice.choice(SIGNALS):
        try:
            process.wait(timeout=dice.random() ** 3)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)
    return err.decode()


def on_disk(size):
    """What to write before a command, so that its folder is on a disk of so many bytes."""
    return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", ON_DISK, str(size)]


def has_small_disks():
    try:
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run([*on_disk(30_000), "true"], cwd=folder, check=False,
                                  stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def random_limit(dice):
    """What stands before the command, and what is called before it."""
    kind, (least, most) = dice.choice(list(LIMITS.items()))
    limit = dice.randrange(least, most)
    if kind == DISK:
        return on_disk(limit), None
    return [], lambda: resource.setrlimit(kind, (limit, limit))


def leftovers(folder):
    return set(folder.glob(".sluice-*"))


def mistakes_of(pipeline, folder, before, status, err):
    """What must not be; there were temporary files of killed runs before."""
    allowed = (0, 1, 2, 127, 130, -signal.SIGKILL, -signal.SIGINT, -signal.SIGTERM, -signal.SIGHUP)
    if status not in allowed or "terminate called" in err:
        yield f"status {status}"
    if status == 1 and not err.strip().splitlines()[-1:]:
        yield "no message"
    out, part = folder / "out", folder / "out.partial"
    is_previous = out.read_bytes() == PREVIOUS.encode()
    if not is_previous and pipeline.lines(out) != pipeline.whole():
        yield "a result that is not whole"
    if status == 0 and is_previous:
        yield "no result"
    if part.exists() and not pipeline.whole().startswith(pipeline.lines(part)):
        yield "a part that is not a beginning"
    allowed_files = {0: set(), -signal.SIGKILL: leftovers(folder)}.get(status, before)
    if not leftovers(folder) <= allowed_files:
        yield "a temporary file"


def run(sluice, dice, ended_by, folder):
    pipeline = Pipeline(dice)
    (folder / "pipeline.json").write_text(pipeline.text)
    (folder / "out").write_text(PREVIOUS)
    (folder / "out.partial").unlink(missing_ok=True)
    before = leftovers(folder)
    is_limited = ended_by == "limits"
    prefix, before_it = random_limit(dice) if is_limited else ([], None)
    process = subprocess.Popen(
        [*prefix, sluice, "run", "pipeline.json", "--report", "none"], cwd=folder,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=before_it)
    if is_limited:
        err = process.communicate(timeout=PATIENCE)[1].decode()
    else:
        err = end_by_signals(process, dice)
    status = process.returncode
    return status, list(mistakes_of(pipeline, folder, before, status, err)), err


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("sluice", type=Path)
    arguments.add_argument("--runs", type=int, default=300, help="of each kind")
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not has_small_disks():
        print("without small disks, which need namespaces of mounts")
        del LIMITS[DISK]
    failed = 0
    for ended_by in ("signals", "limits"):
        dice = random.Random(f"{given.seed} {ended_by}")
        statuses = collections.Counter()
        with tempfile.TemporaryDirectory() as name:
            for number in range(given.runs):
                status, mistakes, err = run(given.sluice.resolve(), dice, ended_by, Path(name))
                statuses[status] += 1
                failed += bool(mistakes)
                if mistakes:
                    print(f"{ended_by}, run {number}: {', '.join(mistakes)}\n{err}")
        print(f"{ended_by}: {given.runs} runs, by status {dict(sorted(statuses.items()))}")
    print(f"{failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
