# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""A file to which input without an end is appended, by processes that are killed."""

import os

from program import PATIENCE, ProgramTest, main, wait_until

QUIET = ("--report", "none", "--progress", "none")


class AppendTest(ProgramTest):
    def description(self, source, append=True, **options):
        return self.describe(
            {"lines": {}, "errors": {}},
            [{"to": "lines", **source},
             {"stage": "filter", "from": "lines", "to": "errors", "options": {"matches": "error"}},
             {"stage": "write", "from": "errors",
              "options": {"path": "out", **({"append": True} if append else {}), **options}}])

    def from_input(self, **options):
        return self.description({"stage": "read", "options": {"files": ["-"]}}, **options)

    def out(self):
        path = self.folder / "out"
        return path.read_text() if path.exists() else ""

    def send(self, process, lines):
        process.stdin.write(lines.encode())
        process.stdin.flush()


class Append(AppendTest):
    def test_what_was_written_stays_when_the_process_is_killed(self):
        file = self.from_input()
        expected = ""
        for number in range(5):
            process = self.start("run", file, *QUIET)
            self.send(process, f"error {number}\nother {number}\n")
            expected += f"error {number}\n"
            wait_until(lambda: self.out() == expected)
            process.kill()
            process.wait()
            self.assertEqual(self.out(), expected)
            with open(self.folder / "out", "a") as torn:
                torn.write("err")  # a write that the kill has cut
        process = self.start("run", file, *QUIET)
        self.assertEqual(process.communicate(b"error 5", timeout=PATIENCE), (b"", b""))
        self.assertEqual(self.out(), expected + "error 5\n")

    def test_log_is_followed_through_kills(self):
        log = self.folder / "log"
        log.touch()
        file = self.description(
            {"stage": "command", "options": {"command": ["tail", "-n", "0", "-F", str(log)]}})
        for number in range(3):
            process = self.start("run", file, *QUIET)
            line = f"error {number}\n"

            def has_come():
                with log.open("a") as writer:  # tail sees what is written when it has begun
                    writer.write(line)
                return line in self.out()

            wait_until(has_come)
            before = self.out()
            process.kill()
            process.wait()
            self.assertTrue(self.out().startswith(before))
            self.end_tail(log)
        lines = self.out().splitlines()
        self.assertEqual(sorted(set(lines)), ["error 0", "error 1", "error 2"])
        self.assertEqual(lines, sorted(lines))

    def end_tail(self, log):
        """When it finds that its reader has gone."""
        def has_gone():
            with log.open("a") as writer:
                writer.write("the end\n")
            return not any(str(log).encode() in command for command in commands())

        wait_until(has_gone)

    def test_drained_run_leaves_all_of_it(self):
        process = self.start("run", self.from_input(sync_interval="1h"), *QUIET)
        self.send(process, "error 1\n")
        wait_until(self.out)
        process.terminate()
        self.assertEqual(process.wait(timeout=PATIENCE), 130)
        self.assertEqual(self.out(), "error 1\n")

    def test_files_get_numbers(self):
        status, out, err = self.sluice(
            "run", self.from_input(max_size="100 B", keep=2), *QUIET,
            "--set", "/queues/errors/capacity=1",
            stdin="".join(f"error {number}\n" for number in range(100)))
        self.assertEqual((status, out, err), (0, "", ""))
        names = sorted(path.name for path in self.folder.glob("out*"))
        self.assertEqual(names, ["out", "out.1", "out.2"])
        written = "".join((self.folder / name).read_text() for name in reversed(names))
        last = 100 - written.count("\n")
        self.assertEqual(written, "".join(f"error {number}\n" for number in range(last, 100)))
        for name in names:
            self.assertLessEqual(os.path.getsize(self.folder / name), 100)


class Refused(AppendTest):
    def problem(self, **options):
        status, _, err = self.sluice("check", self.from_input(**options))
        self.assertEqual(status, 2, err)
        return err

    def test_options_that_do_not_go_together(self):
        for options, expected in (
                ({"gzip": True}, 'false, because "append" is true'),
                ({"path": "-"}, 'false, because there is no "path"'),
                ({"append": False, "sync_interval": "1s"}, 'no such option, unless there is "append"'),
                ({"append": False, "max_size": "1 kB"}, 'no such option, unless there is "append"'),
                ({"keep": 1}, 'no such option, unless there is "max_size"')):
            self.assertIn(f"expected {expected}", self.problem(**options))

    def test_file_of_another_runner(self):
        file = self.describe(
            {"a": {}, "b": {}},
            [{"stage": "range", "options": {"to": 1}, "to": ["a", "b"]},
             {"stage": "write", "from": "a",
              "options": {"path": "out", "append": True, "max_size": "1 kB", "keep": 2}},
             {"stage": "write", "from": "b", "options": {"path": "out.2"}}])
        status, _, err = self.sluice("check", file)
        self.assertEqual(status, 2)
        self.assertIn("may write it, too", err)


def commands():
    for process in os.listdir("/proc"):
        try:
            with open(f"/proc/{process}/cmdline", "rb") as command:
                yield command.read()
        except OSError:
            pass


if __name__ == "__main__":
    main()
