# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""What stages say on standard error, and how a program in the language jq ends."""

import os
import resource

from program import PATIENCE, ProgramTest, main


class StageMessages(ProgramTest):
    def through(self, stage, options, items, **others):
        """A description that gives elements to the stage and prints what that makes of them."""
        return self.describe(
            {"given": {}, "made": {}},
            [
                {"stage": "list", "options": {"items": items}, "to": "given"},
                {"stage": stage, "options": options, "from": "given", "to": "made", **others},
                {"stage": "write", "from": "made"},
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
        for options, items in (
            ({}, ["a\nb"]),
            ({"format": "csv"}, [{"a": 1}, {"b": 1}]),
        ):
            with self.subTest(options):
                status, _, err = self.sluice(
                    "run", "--report", "none", self.to_sink("write", options, items))
                self.assertEqual(status, 1)
                self.assertRegex(err, "^sluice: write: cannot write to standard output: [^:]*[;:]")
                self.assertEqual(err.count("write:"), 1, err)

    # libjq called a function that was not set.
    def test_debug_is_shown_as_by_the_command_jq(self):
        file = self.through("jq", {"program": "debug"}, [{"a": 1}])
        status, out, err = self.sluice("run", "--report", "none", file)
        self.assertEqual((status, out), (0, '{"a":1}\n'))
        self.assertEqual(err, '["DEBUG:",{"a":1}]\n')

    def test_halt_is_an_error_of_its_element(self):
        program = "if .a == 1 then \"no 1\" | halt_error else .a end"
        file = self.through(
            "jq", {"program": program}, [{"a": 0}, {"a": 1}, {"a": 2}], on_error="skip")
        status, out, err = self.sluice("run", file)
        self.assertEqual((status, out), (0, "0\n2\n"))
        self.assertIn("jq left out 1 that could not be processed", err)
        self.assertIn("`halt` is not supported, because it would end the whole program: no 1\n", err)

    # libjq used a program that it had not compiled.
    def test_definitions_that_are_damaged_meanwhile_are_an_error_of_each_element(self):
        (self.folder / "home").mkdir()
        file = self.describe(
            {"lines": {}, "made": {}},
            [
                {"stage": "read", "options": {"files": ["-"]}, "to": "lines"},
                {"stage": "jq", "options": {"program": 'if . == "1" then halt else . end'},
                 "from": "lines", "to": "made", "on_error": "skip"},
                {"stage": "write", "from": "made"},
            ],
        )
        process = self.start("run", file, env={**os.environ, "HOME": str(self.folder / "home"),
                                               "ASAN_OPTIONS": "detect_leaks=0"})
        process.stdin.write(b"0\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), b"0\n")
        self.write("home/.jq", "def twice: ")
        out, err = process.communicate(b"1\n2\n3\n", timeout=PATIENCE)
        self.assertEqual((process.returncode, out), (0, b""), err)
        self.assertIn(b"jq left out 3 that could not be processed", err)
        self.assertIn(b"for 2: it is no longer a jq program (in the file ~/.jq: ", err)

    def test_program_without_memory_ends_the_run_with_a_message(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))

        if self.sluice("--version", preexec_fn=limit)[0]:
            self.skipTest("the program needs more memory than that to start")
        file = self.through(
            "jq", {"program": 'reduce range(.) as $i ("ten of them" * 1000000; . + .) | length'}, [30])
        status, _, err = self.sluice(
            "run", file, "--report", "none", "--threads", "2", preexec_fn=limit)
        self.assertEqual((status, err), (1, "sluice: jq: out of memory\n"))

    # libjq aborted.
    def test_modules_are_refused_by_every_command_that_reads_the_description(self):
        file = self.through("jq", {"program": 'include "x"; .'}, [1])
        for command in ("run", "check", "graph"):
            with self.subTest(command):
                status, out, err = self.sluice(command, file)
                self.assertEqual((status, out), (2, ""))
                self.assertRegex(err, r"^pipeline.json: line \d+, /runners/1/options/program: ")
                self.assertIn("write the definitions into it", err)

    def test_definitions_of_the_user_are_those_of_jq(self):
        (self.folder / "home").mkdir()
        file = self.through("jq", {"program": "twice"}, [4])
        settings = {"env": {**os.environ, "HOME": str(self.folder / "home")}}
        self.write("home/.jq", "def twice: . * 2;")
        self.assertEqual(self.sluice("run", "--report", "none", file, **settings)[:2], (0, "8\n"))
        self.write("home/.jq", "def twice: ")
        settings["env"]["ASAN_OPTIONS"] = "detect_leaks=0"  # libjq forgets what it has read of it
        status, _, err = self.sluice("check", file, **settings)
        self.assertEqual(status, 2)
        self.assertIn("(in the file ~/.jq: syntax error", err)

    # At the others libjq aborts.
    def test_definitions_that_are_none_are_told_of_the_file(self):
        (self.folder / "home").mkdir()
        file = self.through("jq", {"program": "."}, [1])
        settings = {"env": {**os.environ, "HOME": str(self.folder / "home"),
                            "ASAN_OPTIONS": "detect_leaks=0"}}
        for content, reason in {
            "def f: 1; .": "in the file ~/.jq: library should only have function definitions, "
                           "not a main expression)",
            'import "a" as a; def f: 1;': "the file ~/.jq cannot be, include or import a module)",
            '# mine\ninclude"a";': "the file ~/.jq cannot be, include or import a module)",
            'def f: 1; import "a" as a;': "the file ~/.jq cannot be, include or import a module)",
            "module {}; def f: 1;": "the file ~/.jq cannot be, include or import a module)",
        }.items():
            self.write("home/.jq", content)
            status, _, err = self.sluice("check", file, **settings)
            self.assertEqual(status, 2, err)
            self.assertTrue(err.endswith(f"a jq program ({reason}\n"), err)
        self.write("home/.jq", "# import nothing\ndef f: 1;")
        self.assertEqual(self.sluice("run", file, **settings)[:2], (0, "1\n"))
        # Without a HOME there is no such file, and with an empty one it is /.jq.
        self.write(".jq", "module {};")
        self.assertFalse(os.path.exists("/.jq"))
        settings["env"]["HOME"] = ""
        self.assertEqual(self.sluice("run", file, **settings)[:2], (0, "1\n"))
        del settings["env"]["HOME"]
        self.assertEqual(self.sluice("run", file, **settings)[:2], (0, "1\n"))


if __name__ == "__main__":
    main()
