# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""What stages say on standard error."""

from program import ProgramTest, main


class StageMessages(ProgramTest):
    def through(self, stage, options, items, **others):
        """A description that gives the items to the stage and prints what that makes of them."""
        return self.describe(
            {"given": {}, "made": {}},
            [
                {"stage": "list", "options": {"items": items}, "to": "given"},
                {"stage": stage, "options": options, "from": "given", "to": "made", **others},
                {"stage": "print", "from": "made"},
            ],
        )

    def to_sink(self, stage, options, items):
        return self.describe(
            {"given": {}},
            [
                {"stage": "list", "options": {"items": items}, "to": "given"},
                {"stage": stage, "options": options, "from": "given"},
            ],
        )

    def test_a_message_has_the_name_of_its_runner_once(self):
        for stage, options, item in (
            ("map", {"set": {"a": "1"}}, [1]),
            ("aggregate", {}, "x"),
            ("unbatch", {}, "x"),
        ):
            with self.subTest(stage):
                status, _, err = self.sluice(
                    "run", "--report", "none", self.through(stage, options, [item]))
                self.assertEqual(status, 1)
                self.assertRegex(err, f"^sluice: {stage}: ")
                self.assertEqual(err.count(stage), 1, err)
        for stage, options, items in (
            ("print", {}, ["a\nb"]),
            ("write_csv", {"path": "-"}, [{"a": 1}, {"b": 1}]),
        ):
            with self.subTest(stage):
                status, _, err = self.sluice(
                    "run", "--report", "none", self.to_sink(stage, options, items))
                self.assertEqual(status, 1)
                self.assertRegex(err, f"^sluice: {stage}: cannot write ")
                self.assertEqual(err.count(stage), 1, err)


if __name__ == "__main__":
    main()
