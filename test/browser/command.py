# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""The page of `sluice run --serve`, in the browser and as other programs read it."""

import json
import re
import signal
import sys
import urllib.error
import urllib.request
from pathlib import Path

import browser

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from program import PATIENCE, ProgramTest  # noqa: E402

# Its queue stays full: 8 elements, of which one leaves every 10 seconds.
SLOW = ({"numbers": {"capacity": 8}},
        [{"name": "count", "stage": "range", "options": {"from": 1, "to": 1000}, "to": "numbers"},
         {"name": "slow", "stage": "rate_limit", "options": {"per_second": 0.1}, "from": "numbers",
          "to": "slowly"},
         {"name": "show", "stage": "write", "from": "slowly"}])


class CommandPage(browser.PageTest, ProgramTest):
    def setUp(self):
        browser.PageTest.setUp(self)
        ProgramTest.setUp(self)
        self.expects_network_errors = True  # the program ends before the page

    def serve(self, description, *options):
        """Starts the program; gives it and the address of its page."""
        program = self.start("run", description, "--serve", "0", *options)
        line = program.stderr.readline().decode()
        self.assertRegex(line, r"^live page: http://127\.0\.0\.1:\d+/")
        return program, line.split()[-1]

    def slow(self):
        queues, runners = SLOW
        return self.describe({**queues, "slowly": {"capacity": 8}}, runners)

    def state(self, url):
        with urllib.request.urlopen(f"{url.partition('#')[0]}api/state") as answer:
            return json.load(answer)

    def test_figures_are_those_of_the_snapshot_and_a_full_queue_is_full(self):
        program, url = self.serve(self.slow())
        self.browser.get(url)
        self.wait_for_text("[id='queue-numbers%001'] .word", "full")
        self.wait_for_text("[id='queue-numbers%001'] .figure", "8 / 8")
        queue = next(each for each in self.state(url)["queues"] if each["name"] == "numbers")
        self.assertEqual((queue["size"], queue["capacity"]), (8, 8))
        self.wait_for("return document.querySelector(arguments[0]).textContent.includes('waits to enqueue')",
                      "[id='runner-count%001'] .words")
        self.assertEqual(self.text("#connection"), "live")
        program.send_signal(signal.SIGKILL)
        self.wait_for_text("#connection", "connection lost, retrying")

    def test_the_final_state_lingers_until_a_signal(self):
        program, url = self.serve(self.numbers(1000), "--linger", "forever")
        self.browser.get(url)
        self.wait_for_text("#state", "done")
        final = self.state(url)
        self.assertEqual(final["queues"][0]["dequeued"], 1000)
        self.wait_for_text("[id='queue-numbers%001'] td:nth-child(11)", "1,000")
        program.send_signal(signal.SIGINT)
        self.assertEqual(program.wait(PATIENCE), 0)  # it was done
        self.wait_for_text("#connection", "ended; this is the final state")
        self.assertEqual(self.text("#state"), "done")

    def test_a_time_limit_is_the_error_of_the_run(self):
        program, url = self.serve(self.slow(), "--timeout", "1ms", "--linger", "forever")
        self.browser.get(url)
        self.wait_for_text("#state", "failed")
        self.assertEqual(self.state(url)["first_error"], "timed out after 1ms")
        program.send_signal(signal.SIGINT)
        self.assertEqual(program.wait(PATIENCE), 1)

    def test_a_linger_with_a_time_ends_by_itself(self):
        program, _ = self.serve(self.numbers(10), "--linger", "10ms")
        self.assertEqual(program.wait(PATIENCE), 0)

    def test_an_open_page_gets_the_end_without_lingering(self):
        program, url = self.serve(self.slow(), "--control")
        self.browser.get(url)
        self.wait_for_one("#actions button", "Stop")
        self.assertEqual(self.texts("#actions button"), ["Drain", "Stop"])
        self.assertNotIn("token", self.browser.current_url)
        stop = self.find("#actions button:last-child")
        stop.click()
        self.assertEqual(stop.text, "Stop: sure?")
        stop.click()
        self.assertEqual(program.wait(PATIENCE), 130)
        self.wait_for_text("#connection", "ended; this is the final state")
        self.assertIn("stopping", program.stderr.read().decode())

    def test_a_drained_run_says_so_and_has_no_buttons(self):
        source = self.folder / "lines.txt"
        source.write_text("a line\n" * 1_000_000)
        program, url = self.serve(self.describe(
            {"lines": {"capacity": 8}, "slowly": {"capacity": 8}},
            [{"stage": "read", "options": {"files": [str(source)]}, "to": "lines"},
             {"stage": "rate_limit", "options": {"per_second": 20_000}, "from": "lines", "to": "slowly"},
             {"stage": "discard", "from": "slowly"}]), "--control", "--linger", "forever")
        self.browser.get(url)
        self.wait_for_one("#actions button:first-child", "Drain")
        self.click_twice("#actions button:first-child")
        self.wait_for_text("#state", "drained")
        self.assertEqual(self.texts(".actions button"), [])
        final = self.state(url)
        self.assertEqual(final["state"], "drained")
        self.assertLess(final["progress"], 0.5)
        self.assertNotEqual(self.text("#figures [title='Input read'] dd"), "100 %")
        token = url.partition("#token=")[2]
        request = urllib.request.Request(
            f"{url.partition('#')[0]}api/actions/stop", method="POST",
            headers={"Authorization": f"Bearer {token}"})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)
        self.assertEqual(refused.exception.code, 409)
        self.assertIn("the run has ended", refused.exception.read().decode())
        program.send_signal(signal.SIGINT)
        self.assertEqual(program.wait(PATIENCE), 130)

    def test_a_runner_is_paused_and_goes_on(self):
        endless = self.describe(
            {"numbers": {"capacity": 8}},
            [{"stage": "range", "options": {"from": 1, "to": 10**12}, "to": "numbers"},
             {"stage": "discard", "from": "numbers"}])
        program, url = self.serve(endless, "--control")
        self.browser.get(url)
        self.wait_for_one("#runner-actions button:first-child", "Pause range")
        self.click_twice("#runner-actions button:first-child")
        self.wait_for_text("#runner-actions button:first-child", "Resume range")
        self.wait_for_text("[id='runner-range%001'] td:nth-child(5)", "1 of 1, paused")
        self.wait_for_text("#bottleneck span", 'The runner "range" is paused.')
        # what was there is processed, and then nothing happens
        self.wait_for_text("[id='queue-numbers%001'] .word", "empty")
        before = self.state(url)["queues"][0]["enqueued"]
        self.assertEqual(self.state(url)["queues"][0]["enqueued"], before)
        self.click_twice("#runner-actions button:first-child")
        self.wait_for_text("#runner-actions button:first-child", "Pause range")
        while self.state(url)["queues"][0]["enqueued"] == before:
            pass
        self.click_twice("#actions button:first-child")  # drain
        self.assertEqual(program.wait(PATIENCE), 130)

    def click_twice(self, selector):
        """The second click is the answer to \"sure?\"."""
        for _ in range(2):
            self.find(selector).click()

    def test_the_trace_so_far_is_served(self):
        _, url = self.serve(self.slow(), "--trace", "trace.json")
        with urllib.request.urlopen(f"{url}trace.json") as answer:
            events = json.load(answer)["traceEvents"]
        self.assertLessEqual({"count/0", "slow/0", "show/0"}, {
            event["args"]["name"] for event in events if event["name"] == "thread_name"})
        self.browser.get(url)
        self.assertEqual(self.texts("footer a"), ["State as JSON", "Metrics", "Trace"])

    def test_without_the_token_nothing_is_stopped(self):
        program, url = self.serve(self.slow())
        request = urllib.request.Request(f"{url}api/actions/stop", method="POST",
                                         headers={"Authorization": "Bearer x"})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)
        self.assertEqual(refused.exception.code, 403)
        refused.exception.close()
        self.browser.get(url)
        self.wait_for_text("#connection", "live")
        self.assertEqual(self.texts("#actions button"), [])
        self.assertIsNone(program.poll())

    def test_metrics_are_those_of_the_queues_and_have_their_type(self):
        _, url = self.serve(self.slow())
        with urllib.request.urlopen(f"{url}metrics") as answer:
            self.assertEqual(answer.headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
            text = answer.read().decode()
        self.assertRegex(text, re.compile(r'^sluice_queue_capacity\{.*queue="numbers".*\} 8$', re.M))

    def test_a_port_in_use_is_an_error_with_the_remedy(self):
        _, url = self.serve(self.slow())
        port = url.rstrip("/").rpartition(":")[2]
        status, _, errors = self.sluice("run", self.slow(), "--serve", port)
        self.assertEqual(status, 1)
        self.assertIn(f"cannot listen on 127.0.0.1:{port}; choose another port", errors)
