# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Tests the log collector with many clients.

Every line that was sent is in the file once, in the order of its client. A SIGTERM in the middle
leaves of each client's lines the first ones, without a gap, although an idle client stays
connected. A disk that does not take anything stops the clients, and loses nothing.

PROGRAM is the command line of the sample; CTest sets it.
"""

import os
import re
import select
import shlex
import signal
import socket
import subprocess
import tempfile
import threading

PROGRAM = shlex.split(os.environ["PROGRAM"])
CLIENTS = 60
LINES = 2000


class Collector:
    def __init__(self, path):
        command = [*PROGRAM, path]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        address = self.process.stdout.readline()
        self.port = int(re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", address)[1])

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port))

    def terminate(self):
        """Returns how many lines it says it has written."""
        self.process.send_signal(signal.SIGTERM)
        output = self.process.communicate(timeout=120)[0]
        assert self.process.returncode == 0, f"exit code {self.process.returncode}"
        return int(re.fullmatch(r"(\d+) lines written\n", output)[1])


def line_of(client, number):
    return f"{client} {number}."  # of a line that was cut off, the point is missing


def send_lines(collector, client, sent):
    """Sends in pieces that end anywhere, the last line without its end."""
    text = "\n".join(line_of(client, number) for number in range(LINES)).encode()
    try:
        with collector.connect() as connection:
            for begin in range(0, len(text), 700 + client):
                connection.sendall(text[begin:begin + 700 + client])
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1)  # until the collector has read all
            sent.append(client)
    except OSError:
        pass  # the collector stopped


def start_clients(collector):
    sent = []
    threads = [threading.Thread(target=send_lines, args=(collector, client, sent))
               for client in range(CLIENTS)]
    for thread in threads:
        thread.start()
    return threads, sent


def check_file(path):
    """The number of lines, of which those of each client must be its first ones in order."""
    with open(path, encoding="ascii") as file:
        lines = file.read().splitlines()
    following = [0] * CLIENTS  # the number of the next line, of each client
    cut_off = []
    for line in lines:
        if not line.endswith("."):
            cut_off.append(line)
            continue
        client, _, number = line[:-1].partition(" ")
        assert int(number) == following[int(client)], line
        following[int(client)] += 1
    next_lines = [line_of(*which) for which in enumerate(following)]
    for line in cut_off:  # where a client was when the collector stopped
        assert any(next_line.startswith(line) for next_line in next_lines), line
    assert len(cut_off) <= CLIENTS
    return len(lines)


def test_all_lines_are_written(folder):
    path = os.path.join(folder, "all")
    collector = Collector(path)
    threads, sent = start_clients(collector)
    for thread in threads:
        thread.join()
    assert len(sent) == CLIENTS
    with collector.connect():  # idle
        assert collector.terminate() == CLIENTS * LINES
    assert check_file(path) == CLIENTS * LINES


def test_stop_in_the_middle_loses_nothing_that_was_read(folder):
    path = os.path.join(folder, "middle")
    collector = Collector(path)
    with collector.connect():  # idle
        threads, sent = start_clients(collector)
        while not sent:  # while others still send
            threads[0].join(0.001)
        # Not those that see an end later: a collector that stops may close a connection whose last
        # piece is still on its way, and to the client that is the same end.
        read_before = len(sent)
        written = collector.terminate()
    for thread in threads:
        thread.join()
    assert check_file(path) == written
    assert written >= read_before * LINES


def test_slow_disk_stops_the_clients(folder):
    path = os.path.join(folder, "pipe")
    os.mkfifo(path)
    disk = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    collector = Collector(path)
    line = b"x" * 1023 + b"\n"
    offered = 64 * 1024  # lines, of 1 KiB each
    with collector.connect() as connection:
        connection.setblocking(False)
        sent = 0
        while sent < offered * len(line) and select.select([], [connection], [], 1)[1]:
            sent += connection.send(line[sent % len(line):])
        assert sent < offered * len(line), "nothing stopped the client"
    os.set_blocking(disk, True)
    received = []
    reader = threading.Thread(target=lambda: received.append(len(os.fdopen(disk, "rb").read())))
    reader.start()
    written = collector.terminate()
    reader.join()
    assert received[0] >= written * len(line) - len(line), (received, written)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                test(folder)
                print(name, "passed", flush=True)


if __name__ == "__main__":
    main()
