# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""The page of the sample echo_service, while clients of its own load it."""

import os
import sys
from pathlib import Path

import browser

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "programs"))
from echo_service import CLIENTS, Service  # noqa: E402

REQUESTS = "[id='queue-requests%001']"


class ServicePage(browser.PageTest):
    def setUp(self):
        super().setUp()
        self.expects_network_errors = True  # the program ends before the page
        self.service = Service(os.environ["ECHO_SERVICE"])
        self.addCleanup(self.service.end)

    def test_the_load_is_seen_and_moves(self):
        self.browser.get(self.service.url)
        # four workers, the acceptor, and for each connection a reader, a writer and a client
        self.wait_for_text("#figures [title='Tasks alive'] dd", str(4 + 1 + 3 * CLIENTS))
        for rate in (5, 6):  # in and out
            self.wait_for("return /^[1-9].*\\/s$/.test(document.querySelector(arguments[0])?.textContent)",
                          f"{REQUESTS} td:nth-child({rate})")
        for total in (10, 11):  # enqueued and dequeued
            self.check_changes(f"{REQUESTS} td:nth-child({total})")
        self.check_changes("#figures [title='Dequeued, all queues'] dd")
        accepted, answered = self.service.stop()
        self.assertEqual(accepted, answered)
        self.wait_for("return document.querySelector('#connection').textContent !== 'live'")

    def check_changes(self, selector):
        self.wait_for("return document.querySelector(arguments[0]).textContent !== arguments[1]",
                      selector, self.script("return document.querySelector(arguments[0]).textContent", selector))
