# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Ordinary jobs on data with mistakes in it, and what the command line adds to them."""

import json

from program import ProgramTest, main

LOG = """\
h1 "GET /a" 200 10
h2 "GET /a" 503 2000000
garbage
h1 "GET /b" 500 3000000
h3 "GET /a" 500 -
h3 "GET /a" 502 1500000
"""

EVENTS = """\
{"id": 1, "n": 5}
{"id": 2, "n":
{"id": 3}
{"id": 4, "n": 7}
"""


class AccessLog(ProgramTest):
    def test_numbers_out_of_texts_are_compared_and_summed(self):
        self.write("access.log", LOG)
        pattern = r'"GET (?<url>\S+)" (?<status>\d+) (?:(?<bytes>\d+)|-)'
        file = self.describe(
            {"lines": {}, "requests": {}, "large": {}},
            [{"stage": "read", "options": {"files": "access.log"}, "to": "lines"},
             {"stage": "map", "from": "lines", "to": "requests",
              "options": {"extract": pattern, "numbers": ["status", "bytes"],
                          "unmatched": "drop"}},
             {"stage": "filter", "options": {"where": ".status >= 500 and .bytes > 1000000"},
              "from": "requests", "to": "large"},
             {"stage": "aggregate", "options": {"by": "url", "of": "bytes", "compute": "sum"},
              "from": "large"}])
        status, out, err = self.sluice("run", file, "--report", "none")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual([json.loads(line) for line in out.splitlines()],
                         [{"url": "/a", "count": 2, "bytes_sum": 3500000},
                          {"url": "/b", "count": 1, "bytes_sum": 3000000}])


class WrongRecords(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("events.json", EVENTS)

    def description(self, on_error):
        return self.describe(
            {"events": {}, "good": {}, "rejects": {}},
            [{"name": "read", "stage": "read", "options": {"files": "events.json", "format": "json_lines"},
              "to": "events", "on_error": on_error},
             {"stage": "filter", "options": {"where": ".n < 6"}, "from": "events", "to": "good"},
             {"stage": "write", "options": {"path": "good.json", "format": "json_lines"}, "from": "good"},
             {"stage": "list", "options": {"items": []}, "to": "rejects"},
             {"stage": "write", "options": {"path": "rejects.json", "format": "json_lines"},
              "from": "rejects"}])

    def read(self, name):
        return [json.loads(line) for line in (self.folder / name).read_text().splitlines()]

    def test_first_one_ends_the_run_and_names_runner_stage_file_and_line(self):
        status, _, err = self.sluice("run", self.description("fail"))
        self.assertEqual(status, 1)
        self.assertTrue(err.splitlines()[-1].startswith(
            "sluice: read: events.json, line 2: no JSON"), err)
        self.assertFalse((self.folder / "good.json").exists())
        self.assertNotIn("bottleneck", err)

    def test_they_are_left_out_and_counted(self):
        status, _, err = self.sluice("run", self.description("skip"))
        self.assertEqual(status, 0)
        self.assertEqual(self.read("good.json"), [{"id": 1, "n": 5}])
        self.assertIn("read left out 1 that could not be processed", err)
        self.assertIn("  events.json, line 2: no JSON", err)

    def test_they_go_into_another_queue(self):
        file = self.description({"to": "rejects"})
        status, _, err = self.sluice("run", file, "--report", "json")
        self.assertEqual(status, 0)
        reject, = self.read("rejects.json")
        self.assertEqual(reject["element"], '{"id": 2, "n":')
        self.assertEqual(reject["runner"], "read")
        runner = json.loads(err)["runners"][0]
        self.assertEqual((runner["skipped"], runner["first_errors"]), (1, [reject["error"]]))
        self.assertEqual(runner["errors_to"], "rejects")


    def test_place_is_known_whichever_stage_refuses_the_element(self):
        self.write("values.txt", "a=1\na=x\na=3\n")
        file = self.describe(
            {"lines": {}, "words": {}, "records": {}, "good": {}, "rejects": {}},
            [{"stage": "read", "options": {"files": "values.txt"}, "to": "lines"},
             {"stage": "filter", "options": {"matches": "a"}, "from": "lines", "to": "words"},
             {"stage": "map", "options": {"extract": "=(?<n>.)", "numbers": True},
              "from": "words", "to": "records"},
             {"name": "sum", "stage": "aggregate", "options": {"of": "n", "compute": "sum"},
              "from": "records", "to": "good", "on_error": {"to": "rejects"}},
             {"stage": "write", "from": "good"},
             {"stage": "list", "options": {"items": []}, "to": "rejects"},
             {"stage": "write", "options": {"path": "rejects.json", "format": "json_lines"},
              "from": "rejects"}])
        status, out, err = self.sluice("run", file)
        self.assertEqual((status, json.loads(out)), (0, {"count": 2, "n_sum": 4}))
        reject, = self.read("rejects.json")
        self.assertEqual((reject["file"], reject["line"]), ("values.txt", 2))
        self.assertEqual(reject["element"], {"n": "x"})
        self.assertTrue(reject["error"].startswith("values.txt, line 2: "), reject)
        self.assertIn("  " + reject["error"], err)


class CommandLine(ProgramTest):
    def test_description_can_come_from_standard_input(self):
        self.write("in.txt", "a\nb\n")
        text = json.dumps({
            "queues": {"lines": {}, "found": {}},
            "runners": [
                {"stage": "read", "options": {"files": "${INPUT}"}, "to": "lines"},
                {"stage": "filter", "options": {"matches": "${WANTED}"},
                 "from": "lines", "to": "found"},
                {"stage": "write", "from": "found"}]})
        def run(*arguments):
            return self.sluice("run", "-", "--report", "none", "--param", "INPUT=in.txt", *arguments,
                               stdin=text)

        self.assertEqual(run("--param", "WANTED=b"), (0, "b\n", ""))
        self.assertEqual(
            run("--param", "WANTED=b", "--set", "/runners/filter/options/matches=a"), (0, "a\n", ""))
        status, out, err = run()
        self.assertEqual((status, out), (2, ""))
        self.assertIn("standard input: line 1, /runners/1/options/matches: found ${WANTED}", err)
        self.assertEqual(
            run("--param", "WANTED=b", "--param", "INPTU=in.txt"),
            (2, "", "sluice: --param INPTU: no string of standard input has ${INPTU}; "
                    "did you mean \"INPUT\"?\n"))

    def lines_of_command(self, command):
        return self.describe(
            {"lines": {}},
            [{"stage": "command", "options": {"command": command}, "to": "lines"},
             {"stage": "write", "from": "lines"}])

    def test_command_can_be_a_source(self):
        file = self.lines_of_command("echo one; echo two")
        self.assertEqual(self.sluice("run", file, "--report", "none"), (0, "one\ntwo\n", ""))

    def test_pipefail_of_a_shell_tells_of_what_fails_before_the_last_program(self):
        file = self.lines_of_command(["bash", "-o", "pipefail", "-c", "(echo one; exit 3) | cat"])
        status, out, err = self.sluice("run", file, "--report", "none")
        self.assertEqual(status, 1)
        self.assertIn(out, ("", "one\n"))  # the failure stops what prints, too
        self.assertIn("ended with status 3", err)

    def test_interrupted_source_is_ended_and_what_it_gave_is_kept(self):
        file = self.lines_of_command("echo one; exec sleep 10000")
        process = self.start("run", file, "--report", "none")
        self.assertEqual(process.stdout.readline(), b"one\n")
        process.terminate()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)


if __name__ == "__main__":
    main()
