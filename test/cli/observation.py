# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""What --metrics and --trace write, read by parsers of others: json, and those of Prometheus."""

import json
import signal
import sys
import urllib.request
from collections import defaultdict
from pathlib import Path

from program import ProgramTest, main

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import system_python  # noqa: E402

try:
    from prometheus_client.parser import text_string_to_metric_families
except ImportError:
    system_python.start_again()
    text_string_to_metric_families = None

ELEMENTS = 20000


class Metrics(ProgramTest):
    def families(self):
        if not text_string_to_metric_families:
            self.skipTest("prometheus_client is not installed")
        text = (self.folder / "test.prom").read_text("utf-8")
        return {family.name: family for family in text_string_to_metric_families(text)}

    def test_the_last_figures_are_those_of_the_report(self):
        status, _, err = self.sluice(
            "run", self.numbers(ELEMENTS), "--metrics", "test.prom", "--report", "json=report.json")
        self.assertEqual((status, err), (0, ""))
        report = json.loads((self.folder / "report.json").read_text("utf-8"))
        families = self.families()
        self.assertEqual(families["sluice_queue_enqueued"].type, "counter")
        for name, member in {"sluice_queue_enqueued": "enqueued",
                             "sluice_queue_dequeued": "dequeued",
                             "sluice_queue_capacity": "capacity"}.items():
            [sample] = families[name].samples
            self.assertEqual(sample.labels, {"pipeline": "test", "queue": "numbers"})
            self.assertEqual(sample.value, report["queues"][0][member], name)
        items = {sample.labels["runner"]: sample.value
                 for sample in families["sluice_runner_items"].samples}
        self.assertEqual(items, {"range": ELEMENTS, "write": ELEMENTS})
        self.assertEqual(families["sluice_tasks"].samples[0].value, 0)

    def test_the_time_of_the_workers_is_that_of_the_run(self):
        self.sluice("run", self.numbers(ELEMENTS), "--metrics", "test.prom",
                    "--report", "json=report.json")
        elapsed = json.loads((self.folder / "report.json").read_text("utf-8"))["elapsed_seconds"]
        seconds = defaultdict(float)
        for sample in self.families()["sluice_runner_seconds"].samples:
            seconds[sample.labels["runner"]] += sample.value
        self.assertEqual(set(seconds), {"range", "write"})
        for runner, total in seconds.items():
            self.assertAlmostEqual(total, elapsed, places=6, msg=runner)

    def test_histograms_count_every_wait_once(self):
        self.sluice("run", self.numbers(ELEMENTS), "--metrics", "test.prom", "--report", "none")
        buckets = defaultdict(list)
        counts = {}
        for sample in self.families()["sluice_queue_wait_seconds"].samples:
            side = sample.labels["side"]
            if sample.name.endswith("_bucket"):
                buckets[side].append((float(sample.labels["le"]), sample.value))
            elif sample.name.endswith("_count"):
                counts[side] = sample.value
        self.assertEqual(set(counts), {"enqueue", "dequeue"})
        for side, values in buckets.items():
            self.assertEqual(values, sorted(values))
            self.assertEqual([count for _, count in values], sorted(count for _, count in values))
            self.assertEqual(values[-1], (float("inf"), counts[side]))

    def test_promtool_finds_no_mistake_in_the_file(self):
        self.sluice("run", self.numbers(ELEMENTS), "--metrics", "test.prom", "--report", "none")
        self.check_metrics((self.folder / "test.prom").read_text("utf-8"))

    def test_promtool_finds_no_mistake_in_what_is_served(self):
        program = self.start("run", self.numbers(ELEMENTS), "--serve", "0", "--linger", "forever")
        url = program.stderr.readline().decode().split()[-1]
        with urllib.request.urlopen(f"{url}metrics") as answer:
            self.check_metrics(answer.read().decode())

    def test_the_file_is_replaced_as_a_whole(self):
        before = self.write("test.prom", "what was there")
        reader = before.open(encoding="utf-8")  # as of a collector that has begun to read
        self.addCleanup(reader.close)
        self.sluice("run", self.numbers(3), "--metrics", "test.prom", "--report", "none")
        self.assertEqual(reader.read(), "what was there")
        self.assertIn("sluice_tasks", before.read_text("utf-8"))
        self.assertEqual([path.name for path in self.folder.glob("*prom*")], ["test.prom"])

    def test_a_file_that_cannot_be_written_is_refused_before_the_run(self):
        status, out, err = self.sluice("run", self.numbers(3), "--metrics", "none/test.prom")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("none/test.prom", err)

    def test_a_file_of_the_pipeline_is_refused(self):
        for option in ("--metrics", "--trace"):
            status, _, err = self.sluice("run", self.numbers(3), option, "pipeline.json")
            self.assertEqual(status, 2)
            self.assertIn(f"{option} would replace pipeline.json: it is the description", err)

    def test_two_options_with_one_file_are_refused(self):
        (self.folder / "link").symlink_to("one")
        for options in (("--metrics", "one", "--trace", "one"),
                        ("--metrics", "link", "--trace", "one"),
                        ("--report", "json=one", "--metrics", "one")):
            status, _, err = self.sluice("run", self.numbers(3), *options)
            self.assertEqual(status, 2)
            self.assertIn(f"{options[2]} would replace one: {options[0]} writes it", err)
        self.assertFalse((self.folder / "one").exists())

    def test_an_empty_name_is_refused(self):
        for option in ("--metrics", "--trace"):
            status, _, err = self.sluice("run", self.numbers(3), option, "")
            self.assertEqual(status, 2)
            self.assertIn(f'{option}: found "", expected a name', err)


class Trace(ProgramTest):
    def events(self):
        document = json.loads((self.folder / "trace.json").read_text("utf-8"))
        self.assertEqual(document["otherData"], {"dropped_events": 0})
        events = defaultdict(list)
        for event in document["traceEvents"]:
            self.assertEqual(event["pid"], 1)
            events[event["ph"]].append(event)
        self.assertLessEqual(set(events), {"C", "M", "X", "i"})
        return events

    def tracks(self, events):
        return {event["tid"]: event["args"]["name"]
                for event in events["M"] if event["name"] == "thread_name"}

    def check_spans(self, events):
        """Those of a track follow each other."""
        tracks = self.tracks(events)
        spans = defaultdict(list)
        for event in events["X"]:
            self.assertIn(event["name"], ("busy", "ready, no free thread", "waiting to enqueue",
                                          "waiting to dequeue"))
            self.assertGreater(event["dur"], 0)
            spans[tracks[event["tid"]]].append((event["ts"], event["ts"] + event["dur"]))
        for track in spans.values():
            track.sort()
            for (_, end), (begin, _) in zip(track, track[1:]):
                self.assertLessEqual(end, begin + 0.001)
        return spans

    def test_spans_add_up_to_the_times_of_the_report(self):
        status, _, err = self.sluice("run", self.numbers(ELEMENTS), "--trace", "trace.json",
                                     "--report", "json=report.json")
        self.assertEqual((status, err), (0, ""))
        report = json.loads((self.folder / "report.json").read_text("utf-8"))
        events = self.events()
        self.check_spans(events)
        tracks = self.tracks(events)
        self.assertEqual(set(tracks.values()), {"range/0", "write/0"})
        seconds = defaultdict(float)
        for event in events["X"]:
            seconds[tracks[event["tid"]], event["name"]] += event["dur"] / 1e6
        for runner in report["runners"]:
            for name, member in {"busy": "busy_seconds",
                                 "ready, no free thread": "ready_seconds",
                                 "waiting to enqueue": "blocked_on_enqueue_seconds",
                                 "waiting to dequeue": "blocked_on_dequeue_seconds"}.items():
                self.assertAlmostEqual(seconds[f"{runner['name']}/0", name], runner[member],
                                       places=4, msg=(runner["name"], name))

    def test_the_last_counter_is_that_of_the_report_and_the_close_is_marked(self):
        self.sluice("run", self.numbers(ELEMENTS), "--trace", "trace.json", "--report", "none")
        events = self.events()
        self.assertEqual(events["C"][-1]["name"], "numbers")
        self.assertEqual(events["C"][-1]["args"], {"size": 0})
        self.assertIn("close of numbers", [event["name"] for event in events["i"]])

    def test_a_run_that_is_stopped_has_a_trace(self):
        endless = self.numbers(10**12)
        process = self.start("run", endless, "--trace", "trace.json", "--report", "none")
        process.stdout.read(100)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
        document = json.loads((self.folder / "trace.json").read_text("utf-8"))
        names = {event["name"] for event in document["traceEvents"]}
        self.assertIn("busy", names)

    def test_an_error_is_marked(self):
        self.write("in.csv", "n\nx\n")
        description = self.describe(
            {"records": {}},
            [{"stage": "read", "options": {"files": ["absent.csv"], "format": "csv"}, "to": "records"},
             {"stage": "write", "from": "records"}])
        status, _, _ = self.sluice("run", description, "--trace", "trace.json", "--report", "none")
        self.assertEqual(status, 1)
        marks = [event["name"] for event in self.events()["i"]]
        self.assertTrue([name for name in marks if name.startswith("error: ")], marks)
        self.assertIn("stop of test", marks)


class FullDisk(ProgramTest):
    def test_what_could_not_be_written_is_told_behind_the_summary(self):
        status, _, err = self.sluice("run", self.numbers(3), "--trace", "/dev/full",
                                     "--progress", "none")
        self.assertEqual(status, 1)
        lines = err.splitlines()
        self.assertTrue(lines[0].startswith("test: done after "), err)
        self.assertEqual(lines[-1], "sluice: cannot write to /dev/full: No space left on device")

    def test_report_in_json_knows_of_it(self):
        status, _, err = self.sluice("run", self.numbers(3), "--trace", "/dev/full",
                                     "--progress", "none", "--report", "json")
        report, message = err.splitlines()
        report = json.loads(report)
        self.assertEqual((status, report["exit_status"], report["outcome"]), (1, 1, "done"))
        self.assertEqual(message, "sluice: " + report["error"])

    def test_error_of_the_run_is_last(self):
        status, _, err = self.sluice("run", self.lines_of("gone.txt"), "--trace", "/dev/full",
                                     "--progress", "none")
        self.assertEqual(status, 1)
        trace, last = err.splitlines()[-2:]
        self.assertIn("/dev/full", trace)
        self.assertIn("gone.txt", last)


if __name__ == "__main__":
    main()
