# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""A sink that is killed again and again, and whose result has each element once."""

import csv
import random

from program import PATIENCE, main, wait_until
from redis_server import RedisTest

QUIET = ("--report", "none", "--progress", "none")


class ExactlyOnce(RedisTest):
    def numbers_to_file(self, count):
        """Numbers go through a queue, from which a sink writes them once into the file `out`."""
        sink = {"name": "keep", "stage": "write", "from": "numbers", "workers": 2,
                "options": {"path": "out", "exactly_once": True}}
        return self.describe(
            {"numbers": {"type": "redis", "url": self.url, "capacity": 512, "lease": "200ms",
                         "max_deliveries": 1000}},
            [{"name": "read", "stage": "range", "options": {"from": 1, "to": count},
              "to": "numbers"}, sink])

    def start_part(self, file, part):
        return self.start("run", file, "--runners", part, *QUIET)

    def finish(self, process):
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, out.decode(), err.decode()), (0, "", ""))

    def size(self, name):
        path = self.folder / name
        return path.stat().st_size if path.exists() else 0

    def kill_while_it_writes(self, file, amounts):
        """Kills sinks, each when it has written so many bytes into the file or its record."""
        for name, amount in amounts:
            before = self.size(name)
            sink = self.start_part(file, "keep")
            wait_until(lambda: self.size(name) >= before + amount or sink.poll() is not None)
            sink.kill()
            sink.communicate()

    def redelivered(self):
        return self.status("test.numbers")["redelivered"]


class Kills(ExactlyOnce):
    def test_each_element_is_there_once_although_its_sink_is_killed(self):
        count = 20_000
        file = self.numbers_to_file(count)
        read = self.start_part(file, "read")
        dice = random.Random(18)
        self.kill_while_it_writes(
            file, [(dice.choice(("out", "out.commits")), dice.randrange(1, 2000))
                   for _ in range(40)])
        self.finish(self.start_part(file, "keep"))
        self.finish(read)
        found = [int(line) for line in (self.folder / "out").read_text().split()]
        self.assertEqual(len(found), count)
        self.assertEqual(sorted(found), list(range(1, count + 1)))
        self.assertGreater(self.redelivered(), 0)

    def test_element_whose_acknowledgement_was_lost_is_not_written_again(self):
        file = self.numbers_to_file(500)
        self.finish(self.start_part(file, "read"))
        self.redis("BGSAVE")  # what a crash of the server goes back to
        wait_until(lambda: self.redis("LASTSAVE") != "" and "rdb_bgsave_in_progress:0"
                   in self.redis("INFO", "persistence"))
        self.finish(self.start_part(file, "keep"))
        self.restart_server()
        self.assertNotEqual(self.redis("HLEN", "sluice:{test.numbers}:data"), "0")
        self.finish(self.start_part(file, "keep"))
        self.assertEqual(self.redis("HLEN", "sluice:{test.numbers}:data"), "0")
        found = (self.folder / "out").read_text().split()
        self.assertEqual(sorted(map(int, found)), list(range(1, 501)))

    def test_names_of_columns_are_there_once(self):
        file = self.describe(
            {name: {"type": "redis", "url": self.url, "lease": "200ms"}
             for name in ("numbers", "records")},
            [{"name": "read", "stage": "range", "options": {"from": 1, "to": 50},
              "to": "numbers"},
             {"name": "name", "stage": "jq", "options": {"program": "{n: .}"},
              "from": "numbers", "to": "records"},
             {"name": "keep", "stage": "write", "from": "records",
              "options": {"path": "out", "format": "csv", "exactly_once": True, "columns": ["n"]}}])
        parts = [self.start_part(file, part) for part in ("read", "name")]
        self.kill_while_it_writes(file, [("out", 1)])
        for part in (*parts, self.start_part(file, "keep")):
            self.finish(part)
        with open(self.folder / "out", encoding="utf-8") as result:
            numbers = [int(record["n"]) for record in csv.DictReader(result)]
        self.assertEqual(sorted(numbers), list(range(1, 51)))


class Refused(ExactlyOnce):
    def failure(self, file):
        status, _, err = self.sluice("run", file, "--runners", "keep", *QUIET)
        self.assertEqual(status, 1)
        return err

    def test_file_that_it_did_not_write(self):
        self.write("out", "mine")
        self.assertIn("no record of what was committed",
                      self.failure(self.numbers_to_file(1)))
        self.assertEqual((self.folder / "out").read_text(), "mine")

    def test_second_process(self):
        file = self.numbers_to_file(1)
        first = self.start_part(file, "keep")
        wait_until(lambda: self.size("out.commits") > 0)
        self.assertIn("is being written by another process", self.failure(file))
        self.finish(self.start_part(file, "read"))
        self.finish(first)

    def test_drained_run_keeps_what_it_has(self):
        file = self.numbers_to_file(100)
        first = self.start_part(file, "keep")
        wait_until(lambda: self.size("out.commits") > 0)
        first.terminate()
        self.assertEqual(first.wait(timeout=PATIENCE), 130)
        self.finish(self.start_part(file, "read"))
        self.finish(self.start_part(file, "keep"))
        self.assertEqual(len((self.folder / "out").read_text().split()), 100)
        self.assertFalse((self.folder / "out.partial").exists())


if __name__ == "__main__":
    main()
