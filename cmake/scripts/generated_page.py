# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""What the scripts have in common that make a page of what the command says:

    <script> [--check] [<launcher>...] <sluice> <page>
"""

import subprocess
import sys
from pathlib import Path


def write_or_check(make, source):
    """Writes the page; with --check fails if it is not what there is. `make` gets a function that
    gives the output of the command for some arguments, and `source` says in words what it asks."""
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    command, path = arguments[:-1], Path(arguments[-1])

    def output_of(*asked):
        return subprocess.run([*command, *asked], check=True, capture_output=True, text=True).stdout

    text = make(output_of)
    if "--check" not in sys.argv:
        path.write_text(text, "utf-8")
    elif not path.is_file() or path.read_text("utf-8") != text:
        sys.exit(f"{path} is not what {source} says; run ./dev stages")
