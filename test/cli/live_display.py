# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""The display on a terminal: drawn in place, taken away at the end, never in the data."""

import fcntl
import os
import pty
import re
import struct
import termios

from program import PATIENCE, SLUICE, ProgramTest, main

COLUMNS = 60


class Screen:
    """As much of a terminal as the display needs; it has room for any number of lines."""

    TOKENS = re.compile(rb"\x1b\[(\d*)([AJK])|(\r)|(\n)|([^\x1b\r\n]+)")

    def __init__(self):
        self.lines, self.row, self.column = [""], 0, 0

    def feed(self, data):
        end = 0
        for token in self.TOKENS.finditer(data):
            assert token.start() == end, data[end:token.start()]
            end = token.end()
            number, code, carriage_return, newline, text = token.groups()
            if carriage_return:
                self.column = 0
            elif newline:
                self.row += 1
                if self.row == len(self.lines):
                    self.lines.append("")
            elif code == b"A":
                self.row -= int(number)
                assert self.row >= 0
            elif code == b"K":
                self.lines[self.row] = self.lines[self.row][:self.column]
            elif code == b"J":
                self.lines[self.row] = self.lines[self.row][:self.column]
                del self.lines[self.row + 1:]
            else:
                self.put(text.decode())
        assert end == len(data), data[end:]

    def put(self, text):
        line = self.lines[self.row].ljust(self.column)
        self.lines[self.row] = line[:self.column] + text + line[self.column + len(text):]
        self.column += len(text)

    def text(self):
        return "\n".join(self.lines)


class Terminal:
    """Both ends of one, and all that was printed there."""

    def __init__(self):
        self.own, self.end_of_program = pty.openpty()
        size = struct.pack("HHHH", 24, COLUMNS, 0, 0)
        fcntl.ioctl(self.own, termios.TIOCSWINSZ, size)
        self.printed = b""

    def close(self):
        os.close(self.own)

    def started(self):
        os.close(self.end_of_program)

    def read(self):
        """False when the program has closed its end."""
        try:
            data = os.read(self.own, 65536)
        except OSError:
            return False
        self.printed += data
        return bool(data)

    def read_until(self, pattern):
        """Waits for something that was not there yet."""
        begin = len(self.printed)
        while not re.search(pattern, self.printed[begin:]):
            assert self.read(), self.printed

    def read_all(self):
        while self.read():
            pass
        screen = Screen()
        screen.feed(self.printed)
        return screen.text()


class LiveDisplay(ProgramTest):
    def setUp(self):
        super().setUp()
        self.terminal = Terminal()
        self.addCleanup(self.terminal.close)
        self.file = self.describe(
            {"lines": {"capacity": 16}},
            [{"name": "read", "stage": "read", "options": {"files": ["-"]},
              "to": "lines"},
             {"name": "show", "stage": "write", "from": "lines"}])

    def run_on_terminal(self, *arguments, **streams):
        process = self.start("run", self.file, *arguments,
                             stderr=self.terminal.end_of_program, **streams)
        self.terminal.started()
        return process

    def type(self, process, line):
        process.stdin.write(line)
        process.stdin.flush()

    def test_lines_of_queues_runners_and_total_are_redrawn_in_place(self):
        process = self.run_on_terminal("--report", "none")
        self.terminal.read_until(rb"lines +0 +0 +0 +16")
        self.terminal.read_until(rb"read +0 .*\r\n")
        self.terminal.read_until(rb"test: running, ")
        self.type(process, b"first\n")
        self.assertEqual(process.stdout.readline(), b"first\n")
        self.terminal.read_until(rb"\x1b\[6A")  # titles, a queue, two runners, the total
        self.terminal.read_until(rb"show +1 ")
        process.stdin.close()
        self.assertEqual(self.terminal.read_all().strip(), "")
        self.assertEqual(process.wait(timeout=PATIENCE), 0)

    def test_no_line_is_wider_than_the_terminal(self):
        self.file = self.describe(
            {"l" * 50: {}},
            [{"name": "r" * 50, "stage": "read", "options": {"files": ["-"]},
              "to": "l" * 50},
             {"name": "s" * 50, "stage": "write", "from": "l" * 50}])
        process = self.run_on_terminal("--report", "none", "--set", "/name=" + "n" * 100)
        self.terminal.read_until(b"nnnnn.*\n")
        process.stdin.close()
        self.terminal.read_all()
        lines = re.split(rb"\x1b\[\d*[A-Z]|[\r\n]", self.terminal.printed)
        self.assertEqual(max(map(len, lines)), COLUMNS)

    def test_data_on_the_same_terminal_stays_whole(self):
        process = self.run_on_terminal(stdout=self.terminal.end_of_program)
        for line in (b"one\n", b"two\n", b"three\n"):
            self.terminal.read_until(rb"running, .*\n")
            self.type(process, line)
            self.terminal.read_until(line.strip())
        self.terminal.read_until(rb"running, .*\n")
        process.stdin.close()
        screen = self.terminal.read_all()
        self.assertEqual(process.wait(timeout=PATIENCE), 0)
        self.assertTrue(screen.startswith("one\ntwo\nthree\ntest: done after "), screen)
        self.assertNotIn("running", screen)

    def test_a_command_that_asks_a_terminal_is_told_that_there_is_none(self):
        """It would be stopped for ever if only its process group were its own."""
        file = self.describe(
            {"answers": {}},
            [{"stage": "command", "options": {"command": "read answer </dev/tty"},
              "to": "answers"},
             {"stage": "write", "from": "answers"}])
        child, terminal = pty.fork()  # whose controlling terminal it is
        if child == 0:
            os.chdir(self.folder)
            os.execvp(SLUICE[0], [*SLUICE, "run", str(file), "--report", "none"])
        printed = b""
        try:
            while data := os.read(terminal, 4096):
                printed += data
        except OSError:
            pass  # it has ended
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.close(terminal)
        self.assertEqual(status, 1, printed)
        self.assertIn(b"/dev/tty", printed)

    def test_there_is_no_display_in_a_pipe(self):
        status, out, err = self.sluice("run", self.file, "--report", "none", stdin="a\n")
        self.assertEqual((status, out, err), (0, "a\n", ""))

    def test_json_progress_is_lines(self):
        process = self.start("run", self.file, "--progress", "json")
        self.assertRegex(
            process.stderr.readline(), rb'^\{"name":"test","state":"running",.*\}\n$')
        process.stdin.close()
        self.assertEqual(process.wait(timeout=PATIENCE), 0)


if __name__ == "__main__":
    main()
