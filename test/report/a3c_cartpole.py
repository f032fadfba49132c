# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""The summaries of the sample a3c_cartpole: what they must show if it has learned."""

import math
import os
import shlex
import subprocess
import tempfile
import unittest
from statistics import fmean as mean

import event_reader

PROGRAM = shlex.split(os.environ["PROGRAM"])


def run(*options):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(PROGRAM + ["--logdir", folder, *options], check=True,
                       stdout=subprocess.DEVNULL)
        return event_reader.read_run(folder)


class OneThread(unittest.TestCase):
    OPTIONS = ("--actors", "1", "--threads", "1", "--seed", "1")

    @classmethod
    def setUpClass(cls):
        cls.run_ = run(*cls.OPTIONS)

    def values(self, tag):
        return [value for _, value in self.run_.scalars[tag]]

    def test_returns_grow_to_the_target(self):
        returns = self.values("return/episode")
        self.assertLess(mean(returns[:20]), 60)
        self.assertGreaterEqual(mean(returns[-100:]), 195)
        self.assertTrue(all(1 <= value <= 200 for value in returns))
        [*_, (_, histogram)] = self.run_.histograms["returns"]
        self.assertEqual(histogram.num, 100)

    def test_policy_decides_itself(self):
        entropy = self.values("policy/entropy")
        self.assertAlmostEqual(entropy[0], math.log(2), delta=0.05)
        # processors round differently, so a single value says little
        self.assertLess(mean(entropy[-10:]), mean(entropy[:10]))
        self.assertEqual(len(self.values("loss/policy")), len(entropy))
        self.assertTrue(all(value >= 0 for value in self.values("loss/value")))

    def test_run_is_repeatable(self):
        self.assertEqual(run(*self.OPTIONS).scalars, self.run_.scalars)


class FourActors(unittest.TestCase):
    def test_queue_is_bounded_and_the_graph_shows_it(self):
        shown = run("--actors", "4")
        self.assertTrue(all(0 <= size <= 4 for _, size in shown.scalars["queue/updates/size"]))
        actors = [f"actors/{number}" for number in range(4)]
        self.assertEqual(shown.graph["updates"].inputs, actors)
        self.assertEqual(shown.graph["updates"].attributes, {"capacity": "4"})
        self.assertEqual(shown.graph["learner"].inputs, ["updates"])
        self.assertTrue(all(shown.graph[actor].inputs == ["learner"] for actor in actors))


if __name__ == "__main__":
    unittest.main()
