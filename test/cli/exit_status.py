# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""The exit status and the messages of every command."""

import json
import subprocess

from program import PIPELINES, ProgramTest, main

GOOD_QUEUES = {"numbers": {"capacity": 4}}
GOOD_RUNNERS = [
    {"name": "give", "stage": "range", "options": {"from": 1, "to": 3}, "to": "numbers"},
    {"name": "show", "stage": "write", "from": "numbers"},
]


class Done(ProgramTest):
    def test_run_prints_results_on_stdout_and_the_summary_on_stderr(self):
        status, out, err = self.sluice("run", self.describe(GOOD_QUEUES, GOOD_RUNNERS))
        self.assertEqual((status, out), (0, "1\n2\n3\n"))
        self.assertRegex(err, r"(?m)^test: done after [0-9.]+ s$")
        self.assertRegex(err, r"(?m)^  numbers +3 +3 +0 +4 ")

    def test_run_without_report_and_progress_prints_results_only(self):
        status, out, err = self.sluice(
            "run", self.describe(GOOD_QUEUES, GOOD_RUNNERS), "--report", "none")
        self.assertEqual((status, out, err), (0, "1\n2\n3\n", ""))

    def test_run_reads_the_description_from_standard_input(self):
        file = self.folder / self.describe(GOOD_QUEUES, GOOD_RUNNERS)
        status, out, _ = self.sluice("run", "-", stdin=file.read_text())
        self.assertEqual((status, out), (0, "1\n2\n3\n"))

    def test_set_changes_what_is_run(self):
        file = self.describe(GOOD_QUEUES, GOOD_RUNNERS)
        status, out, _ = self.sluice(
            "run", file, "--set", "/runners/0/options/to=5", "--set", "/name=other",
            "--threads", "1", "--report", "none")
        self.assertEqual((status, out), (0, "1\n2\n3\n4\n5\n"))

    def test_a_report_that_cannot_be_written_is_refused_before_the_run(self):
        file = self.describe(GOOD_QUEUES, GOOD_RUNNERS)
        status, out, err = self.sluice("run", file, "--report", "json=missing/report.json")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("missing/report.json", err)

    def test_a_report_in_a_file_replaces_the_last_one(self):
        file = self.describe(GOOD_QUEUES, GOOD_RUNNERS)
        self.write("report.json", "the last one")
        status, _, err = self.sluice("run", file, "--report", "json=report.json")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(json.loads((self.folder / "report.json").read_text())["outcome"], "done")

    def test_two_sinks_of_one_file_are_an_error(self):
        sink = {"stage": "write", "options": {"path": "same.txt"}}
        source = {"stage": "range", "options": {"to": 10}}
        file = self.describe(
            {"a": {}, "b": {}},
            [{**source, "name": "s", "to": "a"}, {**source, "name": "t", "to": "b"},
             {**sink, "name": "u", "from": "a"}, {**sink, "name": "v", "from": "b"}])
        status, _, err = self.sluice("run", file)
        self.assertEqual(status, 2)
        self.assertIn('/runners/3/options/path: found "same.txt"', err)
        self.assertIn('the runner "u" writes it', err)
        self.assertEqual(list(self.folder.glob("same.txt*")), [])

    def test_two_sources_on_standard_input_are_an_error(self):
        source = {"stage": "read", "options": {"files": ["-"]}, "to": "lines"}
        file = self.describe(
            {"lines": {}},
            [{**source, "name": "s"}, {**source, "name": "t"}, {"stage": "write", "from": "lines"}])
        reason = ('standard input is read by the runner "s" and by the runner "t"; give all but '
                  "one of them a file, or run them in processes of their own with --runners\n")
        self.assertEqual(self.sluice("run", file), (2, "", f"sluice: {reason}"))
        self.assertEqual(
            self.sluice("check", file), (0, "test: no mistakes; 1 queue, 3 runners\n", ""))

    def test_sources_on_standard_input_may_run_in_two_processes(self):
        source = {"stage": "read", "options": {"files": ["-"]}}
        file = self.describe(
            {"a": {}, "b": {}},
            [{**source, "name": "s", "to": "a"}, {"name": "u", "stage": "write", "from": "a"},
             {**source, "name": "t", "to": "b"}, {"name": "v", "stage": "write", "from": "b"}])
        for runners in ("s,u", "t,v"):
            status, out, _ = self.sluice("run", file, "--runners", runners, stdin="one\n")
            self.assertEqual((status, out), (0, "one\n"))

    def test_processes_of_their_own_do_not_help_if_the_description_is_there_too(self):
        file = self.describe(
            {"lines": {}},
            [{"name": name, "stage": "read", "options": {"files": ["-"]}, "to": "lines"}
             for name in ("s", "t")] + [{"stage": "write", "from": "lines"}])
        reason = ('standard input is read as the description and by the runner "s" and by the '
                  'runner "t"; give all but one of them a file\n')
        self.assertEqual(
            self.sluice("run", "-", stdin=(self.folder / file).read_text()),
            (2, "", f"sluice: {reason}"))

    def test_a_description_from_standard_input_leaves_nothing_for_a_source(self):
        description = (self.folder / self.lines_of("-")).read_text()
        reason = ('standard input is read as the description and by the runner "read"; '
                  "give all but one of them a file\n")
        self.assertEqual(
            self.sluice("run", "-", stdin=description), (2, "", f"sluice: {reason}"))
        status, _, err = self.sluice("check", "-", stdin=description)
        self.assertEqual((status, err), (0, ""))

    def test_a_pattern_finds_a_file_named_as_standard_input_is(self):
        self.write("-", "of the file\n")
        file = self.lines_of("?")
        status, out, _ = self.sluice("run", file, stdin="of standard input\n")
        self.assertEqual((status, out), (0, "of the file\n"))

    def test_json_report_has_the_totals(self):
        file = self.describe(GOOD_QUEUES, GOOD_RUNNERS)
        status, _, err = self.sluice("run", file, "--report", "json")
        report = json.loads(err)
        self.assertEqual((status, report["exit_status"]), (0, 0))
        self.assertEqual(report["queues"][0]["enqueued"], 3)
        self.assertEqual(report["runners"][1]["items_in"], 3)

        status, _, err = self.sluice("run", file, "--report", "json=report.json")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(json.loads((self.folder / "report.json").read_text())["name"], "test")

    def test_check_says_that_there_are_no_mistakes(self):
        status, out, err = self.sluice("check", self.describe(GOOD_QUEUES, GOOD_RUNNERS))
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out, "test: no mistakes; 1 queue, 2 runners\n")

    def test_all_sample_pipelines_are_right(self):
        samples = sorted(PIPELINES.glob("*.json"))
        self.assertGreater(len(samples), 0)
        for sample in samples:
            with self.subTest(sample.name):
                self.assertEqual(self.sluice("check", sample)[0], 0)

    def test_graph_is_text_for_graphviz(self):
        status, out, _ = self.sluice("graph", self.describe(GOOD_QUEUES, GOOD_RUNNERS))
        self.assertEqual(status, 0)
        self.assertTrue(out.startswith('digraph "test" {'))

    def test_stages_are_listed_and_explained(self):
        status, out, _ = self.sluice("stages")
        self.assertEqual(status, 0)
        names = [line.split()[0] for line in out.splitlines()]
        self.assertEqual(names, sorted(names))
        for name in names:
            with self.subTest(name):
                status, out, _ = self.sluice("stages", name)
                self.assertEqual(status, 0)
                self.assertTrue(out.startswith(name + ": "))

    def test_schema_is_json(self):
        status, out, _ = self.sluice("schema")
        self.assertEqual(status, 0)
        self.assertIn("2020-12", json.loads(out)["$schema"])

    def test_help_and_version_are_results(self):
        for arguments in (["--help"], ["run", "--help"], ["--version"]):
            status, out, err = self.sluice(*arguments)
            self.assertEqual((status, err), (0, ""))
            self.assertIn("sluice", out)


class Failed(ProgramTest):
    def test_missing_input_is_named_with_the_reason(self):
        file = self.lines_of("gone.txt")
        status, out, err = self.sluice("run", file)
        self.assertEqual((status, out), (1, ""))
        last = err.splitlines()[-1]
        self.assertTrue(last.startswith("sluice: "), last)
        self.assertIn("gone.txt", last)
        self.assertIn("No such file or directory", last)
        self.assertIn("test: failed after", err)

    def test_json_report_has_the_error(self):
        file = self.lines_of("gone.txt")
        self.assertEqual(self.sluice("run", file, "--report", "json=report.json")[0], 1)
        report = json.loads((self.folder / "report.json").read_text())
        self.assertEqual((report["outcome"], report["exit_status"]), ("failed", 1))
        self.assertIn("gone.txt", report["error"])

    def test_time_limit_is_a_failure(self):
        status, _, err = self.sluice("run", self.numbers(10**15), "--timeout", "100ms",
                                     stdout=subprocess.DEVNULL)
        self.assertEqual(status, 1)
        self.assertEqual(err.splitlines()[-1], "sluice: timed out after 100ms")

    def test_report_that_cannot_be_written_is_a_failure(self):
        file = self.describe(GOOD_QUEUES, GOOD_RUNNERS)
        status, out, err = self.sluice("run", file, "--report", "json=/dev/full")
        self.assertEqual((status, out), (1, "1\n2\n3\n"))
        self.assertIn("/dev/full", err)
        self.assertIn("No space left on device", err)

    def test_a_summary_that_standard_error_does_not_take_is_a_failure(self):
        for report, expected in (("text", 1), ("json", 1), ("none", 0)):
            with self.subTest(report), open("/dev/full", "wb") as full:
                status, out, _ = self.sluice("run", self.numbers(1), "--report", report, stderr=full)
                self.assertEqual((status, out), (expected, "1\n"))

    def test_full_standard_output_is_a_failure(self):
        with open("/dev/full", "wb") as full:
            for arguments in (["stages"], ["run", self.numbers(1)]):
                with self.subTest(arguments[0]):
                    status, _, err = self.sluice(*arguments, stdout=full)
                    self.assertEqual(status, 1)
                    self.assertIn("cannot write to standard output: No space left", err)


class Refused(ProgramTest):
    def test_all_mistakes_are_listed_with_their_places_and_nothing_is_started(self):
        self.write("wrong.json", """{
    "queues": {
        "numbers": { "type": "fivo" }
    },
    "runners": [
        { "stage": "rang", "to": "numbers" },
        { "stage": "write", "from": "numbers", "workers": 0 }
    ]
}
""")
        for command in ("run", "check", "graph"):
            with self.subTest(command):
                status, out, err = self.sluice(command, "wrong.json")
                self.assertEqual((status, out), (2, ""))
                lines = err.splitlines()
                self.assertEqual(len(lines), 3, err)
                self.assertRegex(lines[0], r'^wrong\.json: line 3, /queues/numbers/type: .*"fivo"')
                self.assertIn('did you mean "fifo"?', lines[0])
                self.assertRegex(lines[1], r'^wrong\.json: line 6, /runners/0/stage: .*"rang"')
                self.assertIn('did you mean "range"?', lines[1])
                self.assertRegex(lines[2], r"^wrong\.json: line 7, /runners/1/workers: ")

    def test_mistakes_in_overrides_are_listed(self):
        file = self.describe(GOOD_QUEUES, GOOD_RUNNERS)
        status, _, err = self.sluice("run", file, "--threads", "many")
        self.assertEqual(status, 2)
        self.assertIn("/threads", err)
        self.assertIn("many", err)
        status, _, err = self.sluice("run", file, "--set", "/runners/nosuch/workers=4")
        self.assertEqual(status, 2)
        self.assertIn('which has no "nosuch"', err)
        self.assertIn("known names: give, range, show, write\n", err)

    def test_files_that_cannot_be_read_are_named_with_the_reason(self):
        status, out, err = self.sluice("run", "gone.json")
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(err, "sluice: cannot read gone.json: No such file or directory\n")
        status, _, err = self.sluice("check", ".")
        self.assertEqual((status, err), (2, "sluice: cannot read .: Is a directory\n"))

    def test_description_without_end_is_refused(self):
        for command in ("check", "run"):
            status, out, err = self.sluice(command, "/dev/zero")
            self.assertEqual((status, out), (2, ""))
            self.assertEqual(err, "sluice: /dev/zero is too large for a description, which has at most 16 MiB\n")

    def test_wrong_command_lines_are_explained(self):
        for arguments in (["walk"], ["run"], ["run", "a", "b"], ["run", "a", "--nonsense"],
                          ["run", "a", "--timeout", "soon"], ["stages", "a", "b"]):
            with self.subTest(arguments):
                status, out, err = self.sluice(*arguments)
                self.assertEqual((status, out), (2, ""))
                self.assertTrue(err.startswith("sluice: "))
                self.assertIn("--help", err)

    def test_without_a_command_the_help_is_printed(self):
        status, out, err = self.sluice()
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(err, self.sluice("--help")[1])

    def test_unknown_command_is_refused_with_the_nearest(self):
        status, _, err = self.sluice("rnu", "pipeline.json")
        self.assertEqual(status, 2)
        self.assertIn('there is no command "rnu"; did you mean "run"?', err)

    def test_unknown_stage_is_refused_with_the_nearest(self):
        status, _, err = self.sluice("stages", "split_word")
        self.assertEqual(status, 2)
        self.assertIn('did you mean "split_words"?', err)


if __name__ == "__main__":
    main()
