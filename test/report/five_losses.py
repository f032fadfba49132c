# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""The summaries of the sample five_losses: what it prints, and the graph of its parts."""

import os
import re
import shlex
import subprocess
import tempfile
import unittest

import event_reader

PROGRAM = shlex.split(os.environ["PROGRAM"])
LINE = re.compile(r"step (\d+) group (\d) loss ([\d.]+) mean ([\d.]+)\n")


class FiveLosses(unittest.TestCase):
    def setUp(self):
        with tempfile.TemporaryDirectory() as folder:
            self.printed = subprocess.run(
                PROGRAM + ["--logdir", folder], check=True, stdout=subprocess.PIPE,
                text=True).stdout
            self.run_ = event_reader.read_run(folder)

    def test_curves_are_what_was_printed(self):
        lines = [LINE.fullmatch(line) for line in self.printed.splitlines(keepends=True)]
        self.assertEqual(len(lines), 100)
        curves = {"loss/mean": [(int(line[1]), float(line[4])) for line in lines]}
        for line in lines:
            curves.setdefault(f"loss/group_{line[2]}", []).append((int(line[1]), float(line[3])))
        self.assertEqual(self.run_.scalars.keys(), curves.keys())
        for tag, points in curves.items():
            written = self.run_.scalars[tag]
            self.assertEqual([step for step, _ in written], [step for step, _ in points])
            for (_, value), (_, rounded) in zip(written, points):
                self.assertAlmostEqual(value, rounded, delta=0.00051)

    def test_graph_has_five_operations_a_queue_and_its_consumer(self):
        graph = self.run_.graph
        groups = [f"lower_loss/group_{group}" for group in range(5)]
        self.assertEqual(sorted(graph), sorted(groups + ["reports", "print_losses"]))
        self.assertEqual(sorted(graph["reports"].inputs), groups)
        self.assertEqual(graph["print_losses"].inputs, ["reports"])


if __name__ == "__main__":
    unittest.main()
