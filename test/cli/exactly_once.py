# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Rows that are added by processes which are killed again and again, each once."""

import contextlib
import random
import sqlite3

from program import PATIENCE, main, wait_until
from redis_server import RedisTest

QUIET = ("--report", "none", "--progress", "none")


class ExactlyOnce(RedisTest):
    def numbers_to_table(self, count):
        """Numbers go through a queue, from which a stage adds them to a table."""
        keep = {"name": "keep", "stage": "sqlite", "from": "numbers", "workers": 2,
                "options": {"path": "db", "table": "numbers"}}
        return self.describe(
            {"numbers": {"type": "redis", "url": self.url, "capacity": 512, "lease": "200ms",
                         "max_deliveries": 1000}},
            [{"name": "read", "stage": "range", "options": {"from": 1, "to": count},
              "to": "numbers"}, keep])

    def start_part(self, file, part):
        return self.start("run", file, "--runners", part, *QUIET)

    def finish(self, process):
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, out.decode(), err.decode()), (0, "", ""))

    def ask(self, sql):
        """The first column of the answer; none if there is no such table yet."""
        with contextlib.closing(sqlite3.connect(self.folder / "db", PATIENCE)) as database:
            try:
                return [row[0] for row in database.execute(sql)]
            except sqlite3.OperationalError as error:
                self.assertIn("no such table", str(error))
                return []

    def size(self, name):
        path = self.folder / name
        try:
            return path.stat().st_size
        except FileNotFoundError:
            return 0

    def expect_each_once(self, count):
        numbers = self.ask("SELECT value FROM numbers ORDER BY value")
        self.assertEqual(numbers, list(range(1, count + 1)))
        self.assertEqual(self.ask("SELECT count(*) FROM sluice_keys"), [count])


class Kills(ExactlyOnce):
    def kill_while_it_writes(self, file, amounts):
        """Kills processes, each when the database has grown so much, or the journal is so large."""
        for name, amount in amounts:
            before = self.size(name) if name == "db" else 0
            keep = self.start_part(file, "keep")
            wait_until(lambda: self.size(name) >= before + amount or keep.poll() is not None)
            keep.kill()
            keep.communicate()

    def test_each_element_is_there_once_although_processes_are_killed(self):
        count = 20_000
        file = self.numbers_to_table(count)
        read = self.start_part(file, "read")
        dice = random.Random(18)
        self.kill_while_it_writes(
            file, [dice.choice((("db", 4096 * dice.randrange(1, 4)), ("db-journal", 512)))
                   for _ in range(40)])
        at_the_same_time = [self.start_part(file, "keep") for _ in range(2)]
        for process in (*at_the_same_time, read):
            self.finish(process)
        self.expect_each_once(count)
        self.assertGreater(self.status("test.numbers")["redelivered"], 0)

    def test_element_whose_acknowledgement_was_lost_is_not_added_again(self):
        file = self.numbers_to_table(500)
        self.finish(self.start_part(file, "read"))
        self.redis("BGSAVE")  # what the server has after a crash
        wait_until(lambda: self.redis("LASTSAVE") != "" and "rdb_bgsave_in_progress:0"
                   in self.redis("INFO", "persistence"))
        self.finish(self.start_part(file, "keep"))
        self.restart_server()
        self.assertNotEqual(self.redis("HLEN", "sluice:{test.numbers}:data"), "0")
        self.finish(self.start_part(file, "keep"))
        self.assertEqual(self.redis("HLEN", "sluice:{test.numbers}:data"), "0")
        self.expect_each_once(500)

    def test_drained_run_keeps_what_it_has(self):
        file = self.numbers_to_table(100)
        first = self.start_part(file, "keep")
        wait_until((self.folder / "db").exists)
        first.terminate()
        self.assertEqual(first.wait(timeout=PATIENCE), 130)
        self.finish(self.start_part(file, "read"))
        self.finish(self.start_part(file, "keep"))
        self.expect_each_once(100)


if __name__ == "__main__":
    main()
