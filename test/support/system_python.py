# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Modules of Debian's packages are for the interpreter of the system, which may not be the first one."""

import os
import sys

SYSTEM_PYTHON = "/usr/bin/python3"
TRIED = "SLUICE_SYSTEM_PYTHON"  # in the environment of the one that start_again() starts


def start_again():
    """With that interpreter, for a script that lacks a module; returns if there is no other one."""
    if os.path.exists(SYSTEM_PYTHON) and not os.path.samefile(SYSTEM_PYTHON, sys.executable) \
            and TRIED not in os.environ:
        os.environ[TRIED] = "1"
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, "-B", *sys.argv])
