# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Chromium for the tests of the page: one for all tests of a file.

Without Chromium, its driver or selenium a file is skipped and says so; where CI is set it fails.
"""

import os
import shutil
import sys
import time
import unittest

SKIPPED = 77
PATIENCE = 120  # seconds; only a hang takes that long
SYSTEM_PYTHON = "/usr/bin/python3"

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    MISSING = ""
except ImportError:
    # Debian's package is for the interpreter of the system, which may not be the first one
    if os.path.exists(SYSTEM_PYTHON) and not os.path.samefile(SYSTEM_PYTHON, sys.executable) \
            and "SLUICE_SYSTEM_PYTHON" not in os.environ:
        os.environ["SLUICE_SYSTEM_PYTHON"] = "1"
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, "-B", *sys.argv])
    MISSING = "python3-selenium"


def start_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                 "--force-device-scale-factor=1", "--lang=en", "--window-size=1360,1000"]
    if os.geteuid() == 0:  # in a container
        arguments.append("--no-sandbox")
    for argument in arguments:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def wait_until(holds, what="what was waited for"):
    deadline = time.monotonic() + PATIENCE
    while not (result := holds()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not happen in time")
        os.sched_yield()  # the question itself waits for the browser
    return result


class PageTest(unittest.TestCase):
    """A test that looks at a page; it fails if the console has an error."""

    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser()
        cls.addClassCleanup(cls.browser.quit)

    def setUp(self):
        self.expects_network_errors = False
        self.browser.get_log("browser")
        self.resize(1360, 1000)

    def tearDown(self):
        self.browser.get("about:blank")  # or it would look for a server that goes away now
        errors = [entry for entry in self.browser.get_log("browser")
                  if not (self.expects_network_errors and entry["source"] == "network")]
        self.assertEqual(errors, [])

    def resize(self, width, height, dark=False):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """As it is read, with plain spaces."""
        found = self.script("return document.querySelector(arguments[0])?.textContent", selector)
        return None if found is None else found.replace("\u00a0", " ")

    def texts(self, selector):
        found = self.script("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)",
                            selector)
        return [each.replace("\u00a0", " ") for each in found]

    def wait_for_text(self, selector, text):
        wait_until(lambda: self.text(selector) == text,
                   f"{selector} is {self.text(selector)!r} and not {text!r}, which")


def missing():
    """What there must be to look at a page, and is not."""
    programs = [name for name in ("chromium", "chromedriver") if not shutil.which(name)]
    return programs + ([MISSING] if MISSING else [])


def main():
    if lacking := missing():
        print(f"skipped: without {', '.join(lacking)} the page cannot be looked at")
        sys.exit(1 if os.environ.get("CI") else SKIPPED)
    unittest.main(argv=[sys.argv[0], "--verbose", *sys.argv[1:]])
