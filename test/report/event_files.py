# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""What summary_writer writes, read by a reader that knows nothing of it."""

import math
import os
import re
import shlex
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import event_reader

# what CTest sets: the launcher of the build, and write_events
PROGRAM = shlex.split(os.environ["PROGRAM"])


class EventFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.began = time.time()
        with tempfile.TemporaryDirectory() as folder:
            directory = Path(folder) / "log" / "run 1"
            printed = subprocess.run(
                PROGRAM + [str(directory)], check=True, stdout=subprocess.PIPE, text=True).stdout
            cls.file = Path(printed.rstrip("\n"))
            cls.files = list(directory.iterdir())
            cls.data = cls.file.read_bytes()
        cls.run_ = event_reader.read_events(cls.data)

    def test_name_is_that_of_the_convention(self):
        self.assertEqual(self.files, [self.file])
        pattern = re.compile(r"events\.out\.tfevents\.(\d{10})\..+\.\d+\.0")
        self.assertAlmostEqual(
            int(pattern.fullmatch(self.file.name)[1]), self.began, delta=600)

    def test_times_are_those_of_the_calls(self):
        self.assertGreaterEqual(self.run_.times[0], self.began)
        self.assertLessEqual(self.run_.times[-1], time.time())
        self.assertTrue(any(moment % 1 for moment in self.run_.times))

    def test_scalars(self):
        scalars = self.run_.scalars
        self.assertEqual([step for step, _ in scalars["loss/train"]], list(range(100)))
        for step, value in scalars["loss/train"]:
            self.assertAlmostEqual(value, math.exp(-step / 10), delta=1e-7)
        (least, nan), (greatest, infinity), (lowest, tiny) = scalars["edges"]
        self.assertTrue(math.isnan(nan))
        self.assertEqual((least, greatest, lowest), (-1, 2**63 - 1, -2**63))
        self.assertEqual((infinity, tiny), (math.inf, 2.0**-149))
        self.assertEqual(scalars["Größe \ufffd"], [(0, 1)])

    def test_threads_lose_nothing_and_keep_their_order(self):
        for thread in range(4):
            self.assertEqual(
                self.run_.scalars[f"thread/{thread}"],
                [(step, step) for step in range(250)])

    def test_histograms(self):
        [(step, waves)] = self.run_.histograms["waves"]
        samples = [math.sin(i) for i in range(1000)]
        self.assertEqual((step, waves.num), (3, 1000))
        self.assertEqual((waves.min, waves.max), (min(samples), max(samples)))
        self.assertAlmostEqual(waves.sum, sum(samples))
        self.assertAlmostEqual(waves.sum_squares, sum(x * x for x in samples))
        below = 0
        for limit, count in zip(waves.limits, waves.counts):
            below += count
            self.assertEqual(below, sum(x < limit for x in samples))
        [(_, one)] = self.run_.histograms["one value"]
        self.assertEqual((one.min, one.max, one.num, one.counts[0]), (2.5, 2.5, 2, 2))
        [(_, nothing)] = self.run_.histograms["nothing"]
        self.assertEqual((nothing.num, sum(nothing.counts)), (0, 0))

    def test_texts(self):
        self.assertEqual(self.run_.texts["note"], [(5, "**bold** and \ufffd(")])
        self.assertEqual(self.run_.texts["long"], [(0, "x" * 100_000)])

    def test_graph(self):
        node = event_reader.Node
        self.assertEqual(self.run_.graph, {
            "input/read": node("queue_runner", [], {"workers": "2"}),
            "input/lines": node("fifo_queue", ["input/read"], {"capacity": "64"}),
            "train___1": node("task", ["input/lines"], {}),
        })


class Restart(unittest.TestCase):
    def test_what_a_restart_repeats_replaces_what_was_there(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [
                subprocess.run(
                    PROGRAM + [folder, *resume_step], check=True, stdout=subprocess.PIPE,
                    text=True).stdout.rstrip("\n")
                for resume_step in ([], ["60"])]
            run = None
            for file in files:
                run = event_reader.read_events(Path(file).read_bytes(), run)
        self.assertEqual(run.restarts, [60])
        points = run.scalars["loss/train"]
        self.assertEqual([step for step, _ in points], list(range(100)))
        for step, value in points[:60]:
            self.assertAlmostEqual(value, math.exp(-step / 10), delta=1e-7)
        self.assertEqual({value for _, value in points[60:]}, {0.5})
        self.assertEqual(len(run.scalars["thread/0"]), 60)  # of all curves
        self.assertEqual(run.histograms["waves"][0][0], 3)


class Reader(unittest.TestCase):
    """That it would notice."""

    def test_knows_the_check_value(self):
        self.assertEqual(event_reader.crc32c(b"123456789"), 0xE3069283)

    def test_refuses_any_changed_bit_and_any_missing_byte(self):
        data = EventFiles.data[:200]
        whole = 0
        for record in event_reader.records(EventFiles.data):
            if whole + len(record) + 16 > len(data):
                break
            whole += len(record) + 16
        data = data[:whole]
        list(event_reader.records(data))
        for at in range(len(data)):
            changed = bytearray(data)
            changed[at] ^= 1 << at % 8
            with self.assertRaises(event_reader.Malformed):
                list(event_reader.records(bytes(changed)))
        with self.assertRaises(event_reader.Malformed):
            list(event_reader.records(data[:-1]))


if __name__ == "__main__":
    unittest.main()
