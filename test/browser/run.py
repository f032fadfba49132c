# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""All tests that look at the page in Chromium; those of the command if SLUICE names it."""

import os

import browser

if __name__ == "__main__":
    browser.main("page", *(["command"] if "SLUICE" in os.environ else []))
