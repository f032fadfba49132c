# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Order kept by several workers, several output queues, capacities in bytes."""

import json

from program import ProgramTest, main

LINES = [str(number) for number in range(1, 5001)]


def range_to(*queues):
    return {"stage": "range", "options": {"from": 1, "to": len(LINES)}, "to": list(queues)}


class OrderTest(ProgramTest):
    def test_workers_of_an_ordered_runner_keep_the_order(self):
        stages = [
            {"stage": "jq", "options": {"program": "., (select(. % 2 == 0) | 0 - .)"}},
            {"stage": "filter", "options": {"where": ". != 7"}},
            {"stage": "command", "options": {"command": "cat", "each": True}},
        ]
        expected = [
            [text for n in LINES for text in ([n] if int(n) % 2 else [n, f"-{n}"])],
            [n for n in LINES if n != "7"],
            LINES[:100],
        ]
        counts = [len(LINES), len(LINES), 100]
        for stage, lines, count in zip(stages, expected, counts):
            with self.subTest(stage["stage"]):
                file = self.describe(
                    {"in": {"capacity": 64}, "out": {}},
                    [
                        range_to("in"),
                        {**stage, "name": "work", "from": "in", "to": "out", "workers": 4,
                         "ordered": True},
                        {"stage": "write", "from": "out"},
                    ])
                status, out, err = self.sluice(
                    "run", file, "--set", f"/runners/0/options/to={count}")
                self.assertEqual(status, 0, err)
                self.assertEqual(out.splitlines(), lines)

    def test_a_slow_element_holds_back_those_behind_it(self):
        # The first command ends when the third has been started, which its worker waits for.
        command = ("read n; if [ $n = 1 ]; then while [ ! -e go ]; do sleep 0.01; done; fi; "
                   "if [ $n = 3 ]; then touch go; fi; echo $n")
        file = self.describe(
            {"in": {}, "out": {}},
            [
                {"stage": "range", "options": {"from": 1, "to": 9}, "to": "in"},
                {"stage": "command", "options": {"command": command, "each": True},
                 "from": "in", "to": "out", "workers": 2, "ordered": True},
                {"stage": "write", "from": "out"},
            ])
        status, out, err = self.sluice("run", file)
        self.assertEqual(status, 0, err)
        self.assertEqual(out.split(), LINES[:9])

    def test_what_cannot_be_ordered_is_refused_with_the_reason(self):
        file = self.describe(
            {"in": {}},
            [range_to("in"), {"stage": "count", "from": "in", "workers": 2, "ordered": True}])
        status, _, err = self.sluice("check", file)
        self.assertEqual(status, 2)
        self.assertIn('/runners/1/ordered: found true, expected false, because the stage "count"',
                      err)

    def test_each_output_queue_gets_every_element(self):
        file = self.describe(
            {"one": {"capacity": 3}, "two": {"capacity": 1000}},
            [range_to("one", "two")] + [
                {"name": name, "stage": "write", "options": {"path": name}, "from": name}
                for name in ("one", "two")
            ])
        status, _, err = self.sluice("run", file, "--report", "json")
        self.assertEqual(status, 0, err)
        for name in ("one", "two"):
            self.assertEqual((self.folder / name).read_text().split(), LINES)
        self.assertEqual(json.loads(err)["runners"][0]["to"], ["one", "two"])
        self.assertEqual(json.loads(err)["runners"][0]["items_out"], len(LINES))

    def test_mistake_in_one_of_several_queues_has_its_line_and_pointer(self):
        file = self.describe({"one": {}}, [range_to("one", "too"), {"stage": "write", "from": "one"}])
        status, _, err = self.sluice("check", file)
        self.assertEqual(status, 2)
        self.assertIn('/runners/0/to/1: found "too", expected the name of a queue', err)

    def test_capacity_may_be_set_in_bytes(self):
        file = self.numbers(10000)
        setting = "/queues/numbers/capacity=64 KiB"
        status, out, err = self.sluice("run", file, "--set", setting, "--report", "json")
        self.assertEqual((status, len(out.split())), (0, 10000), err)
        queue = json.loads(err)["queues"][0]
        self.assertEqual((queue["capacity"], queue["memory"]), (None, 64 * 1024))
        self.assertLess(queue["high_water"], 64 * 1024 // 8)
        status, out, err = self.sluice("graph", file)
        self.assertIn("capacity 4096", out)
        status, _, err = self.sluice("check", self.describe({"n": {"capacity": "64 Mib"}}, []))
        self.assertIn('/queues/n/capacity: found "64 Mib"', err)
        self.assertIn("the units are B, kB, MB, GB, KiB, MiB and GiB", err)


if __name__ == "__main__":
    main()
