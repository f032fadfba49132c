# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""What `./dev` does where packages are missing: dpkg-query and apt-get are replaced by programs that
know none and install none."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

DEV = Path(__file__).resolve().parents[2] / "dev"


def run(command, **environment):
    """(what is printed, what apt-get is called with)"""
    with tempfile.TemporaryDirectory() as folder:
        calls = Path(folder) / "calls"
        for name, body in (("dpkg-query", "exit 1"), ("apt-get", f'echo "$@" >>{calls}; exit 1')):
            program = Path(folder) / name
            program.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
            program.chmod(0o755)
        done = subprocess.run(
            [DEV, command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", **environment})
        expect(done.returncode != 0, command, "succeeds", done.stdout)
        return done.stdout, calls.read_text("utf-8") if calls.exists() else ""


def expect(condition, *text):
    if not condition:
        sys.exit("dev: " + ": ".join(text))


def main():
    for command, environment in (("check", {}), ("format", {"DEV_NO_INSTALL": "1"})):
        printed, calls = run(command, **environment)
        expect("as root, run: apt-get install clang-format-19 python3\n" in printed, command, printed)
        expect(not calls, command, "calls apt-get", calls)

    if os.geteuid() == 0:
        printed, calls = run("format")
        expect("(not with DEV_NO_INSTALL=1): clang-format-19 python3\n" in printed.splitlines(True)[0],
               "packages are installed before they are named", printed)
        expect("install" in calls and "clang-format-19 python3" in calls, "not installed", calls)


if __name__ == "__main__":
    main()
