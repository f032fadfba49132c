# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Chromium for the tests of the page: one for all of them.

Without Chromium, its driver or selenium they are skipped and say so; where CI is set they fail.
"""

import os
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import system_python  # noqa: E402

SKIPPED = 77
PATIENCE = 120  # seconds; only a hang takes that long

try:
    from selenium import webdriver
    from selenium.common.exceptions import TimeoutException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    MISSING = ""
except ImportError:
    system_python.start_again()
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
    chromium = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    chromium.set_script_timeout(PATIENCE)
    chromium.execute_cdp_cmd("Performance.enable", {})
    return chromium


def wait_for(chromium, condition, *arguments):
    """Waits until what the script returns holds. It is asked whenever the page has changed."""
    try:
        chromium.execute_async_script(f"""
            const done = arguments[arguments.length - 1];
            const holds = () => {{ {condition} }};
            const look = () => {{ if (holds()) {{ observer.disconnect(); done(); }} }};
            const observer = new MutationObserver(look);
            observer.observe(document, {{subtree: true, childList: true, attributes: true,
                                         characterData: true}});
            look();""", *arguments)
    except TimeoutException:
        raise AssertionError(f"this did not come true in time: {condition} {arguments}") from None


class PageTest(unittest.TestCase):
    """A test that looks at a page; it fails if the console has an error."""

    browser = None  # set by main()

    def setUp(self):
        self.expects_network_errors = False
        self.browser.get_log("browser")
        self.resize(1360, 1000)

    def tearDown(self):
        if self.expects_network_errors:
            self.browser.get("about:blank")  # or it would go on looking for its server
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

    def wait_for(self, condition, *arguments):
        wait_for(self.browser, condition, *arguments)

    def wait_for_text(self, selector, text):
        """Until an element has this text, and no other."""
        self.wait_for("""
            const found = document.querySelector(arguments[0])?.textContent;
            return found?.replaceAll("\\u00a0", " ") === arguments[1];""", selector, text)

    def wait_for_one(self, selector, text):
        """Until one of the elements has this text."""
        self.wait_for("""
            return [...document.querySelectorAll(arguments[0])].some(e => e.textContent === arguments[1]);""",
                      selector, text)


def missing():
    """What there must be to look at a page, and is not."""
    programs = [name for name in ("chromium", "chromedriver") if not shutil.which(name)]
    return programs + ([MISSING] if MISSING else [])


def main(*modules):
    """Runs the tests of these modules, or those that the command line names, such as
    `page.PageShows.test_names_are_text_and_never_markup`."""
    if lacking := missing():
        print(f"skipped: without {', '.join(lacking)} the page cannot be looked at")
        sys.exit(1 if os.environ.get("CI") else SKIPPED)
    PageTest.browser = start_browser()
    try:
        tests = sys.argv[1:] or modules
        run = unittest.main(None, argv=[sys.argv[0], "--verbose", *tests], exit=False)
    finally:
        PageTest.browser.quit()
    sys.exit(not run.result.wasSuccessful())
