# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""All tests that look at the page in Chromium; those of programs if SLUICE and ECHO_SERVICE name them."""

import os

import browser

if __name__ == "__main__":
    programs = {"SLUICE": "command", "ECHO_SERVICE": "service"}
    browser.main("page", *[module for name, module in programs.items() if name in os.environ])
