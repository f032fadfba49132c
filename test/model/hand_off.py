# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Runs spin on hand_off.pml: the protocol is right, and each broken variant is found.

A model that cannot fail proves nothing, so every rule of the protocol that the model has
a switch for is left out once, and spin has to report an error. No spin: exit code 77.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MODEL = Path(__file__).with_name("hand_off.pml")
SKIPPED = 77
MEMORY = "-DMEMLIM=8000"  # MB


class Verifier:
    """The program that spin makes of the model with some options."""

    def __init__(self, folder, *options, optimized=False):
        self.folder = folder
        compiler_options = ["-O2", "-DCOLLAPSE"] if optimized else ["-O0"]
        call(folder, "spin", "-a", *options, str(MODEL))
        call(folder, os.environ.get("CC", "cc"), "-w", "-DSAFETY", MEMORY,
             *compiler_options, "-o", "pan", "pan.c")

    def run(self, broken=0):
        """(states, the first error or ""); an incomplete search ends the program."""
        environment = {**os.environ, "BREAK": str(broken)}
        output = call(self.folder, "./pan", "-m100000", env=environment)
        errors = re.search(r"errors: (\d+)", output)
        if not errors or (errors[1] == "0" and "Search not completed" in output):
            sys.exit(f"hand_off: the search is incomplete:\n{output}")
        first = re.search(r"^pan:1: (.*) \(at depth", output, re.MULTILINE)
        states = re.search(r"(\d+) states, stored", output)
        return int(states[1]), first[1] if errors[1] != "0" else ""


def call(folder, *command, env=None):
    done = subprocess.run(command, cwd=folder, env=env, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        sys.exit(f"hand_off: {' '.join(command)}:\n{done.stdout}")
    return done.stdout


def switches():
    """{number: name} of what the model can leave out."""
    found = re.findall(r"^#define (\w+) +INTACT\((\d+)\)", MODEL.read_text("utf-8"),
                       re.MULTILINE)
    return {int(number): name for name, number in found}


def report(what, states, result):
    print(f"{what:<32}{states:>10} states: {result}", flush=True)


def verify_all(folder):
    """The protocol has no error; without any one of its rules it has one."""
    verifier = Verifier(folder, "-DBREAK_FROM_ENVIRONMENT")
    states, error = verifier.run()
    report("the protocol", states, error or "no error")
    good = not error
    for number, name in switches().items():
        states, error = verifier.run(broken=number)
        report(f"without {name}", states, error or "NO ERROR FOUND")
        good = good and bool(error)
    return good


def verify_large(folder):
    good = True
    for capacity in (0, 1):  # one after the other, for memory
        options = ("-DLARGE", "-DSCENE=2", f"-DCAPACITY={capacity}")
        states, error = Verifier(folder, *options, optimized=True).run()
        report(" ".join(options), states, error or "no error")
        good = good and not error
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true",
                        help="verify the large scene, which takes minutes")
    args = parser.parse_args()
    if not shutil.which("spin"):
        print("hand_off: skipped, because spin is not installed")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        good = verify_large(folder) if args.large else verify_all(folder)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
