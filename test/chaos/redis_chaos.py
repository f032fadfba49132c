# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""A queue on a server between four processes, while one of them or the server is killed.

Two producers and two consumers pass elements of 100 bytes in batches of 32. Every two seconds one
of them, or the server, is killed with SIGKILL and started again, or a consumer is stopped for longer
than its lease. Whatever happens:

- each element is delivered at least once;
- the queue never has more elements than its capacity, as often as one looks;
- an element comes in twice only if its producer was killed, which cannot know about its last batch;
- what is delivered twice says so: its attempt is above 1, or it came in twice.

With --once the producers have names, and go on behind what the server has counted. The consumer is
the command: its sink `write` with "exactly_once". Then no element comes in twice, and each is
in the file once, also if it was delivered more often.

    ./dev chaos redis --elements 1000000
    ./dev chaos redis --once
"""

import argparse
import array
import collections
import contextlib
import itertools
import json
import random
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BATCH = 32
CAPACITY = 1024
ATTEMPT = 56  # the first bit of it in a record


class Processes:
    """The server and those that share the queue. A restarted one does not wait for the server."""

    def __init__(self, worker, folder, given):
        self.folder = folder
        self.worker = [*worker, str(folder / "socket"), str(int(given.lease * 1000))]
        self.logs = itertools.count()
        half = given.elements // 2
        start_producer = self.start_named if given.once else self.start_producer
        self.start = {
            "server": lambda: self.start_server(given.appendfsync),
            "producer 1": lambda: start_producer(0, half),
            "producer 2": lambda: start_producer(half, given.elements),
        }
        if given.once:
            self.start["consumer"] = self.sink(shlex.split(given.sluice), given.lease)
        else:
            self.start |= {"consumer 1": self.start_consumer, "consumer 2": self.start_consumer}
        self.running = {name: start() for name, start in self.start.items()}
        self.watcher = subprocess.Popen(
            [*self.worker, "watch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def start_server(self, appendfsync):
        return subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.folder / "socket",
             "--dir", self.folder, "--save", "", "--appendonly", "yes",
             "--appendfsync", appendfsync, "--logfile", self.folder / "log"])

    def server_answers(self):
        with socket.socket(socket.AF_UNIX) as to:
            to.settimeout(1)
            try:
                to.connect(str(self.folder / "socket"))
                to.sendall(b"PING\r\n")
                return to.recv(7) == b"+PONG\r\n"
            except OSError:
                return False

    def start_producer(self, first, last):
        return subprocess.Popen([*self.worker, "produce", str(first), str(last),
                                 self.folder / f"progress.{first}"])

    def start_named(self, first, last):
        return subprocess.Popen(
            [*self.worker, "produce_as", f"from {first}", str(first), str(last)])

    def start_consumer(self):
        return subprocess.Popen(
            [*self.worker, "consume", self.folder / f"consumed.{next(self.logs)}"])

    def sink(self, sluice, lease):
        file = self.folder / "once.json"
        queue = {"type": "redis", "url": f"unix:{self.folder / 'socket'}", "key": "chaos",
                 "capacity": CAPACITY, "lease": f"{int(lease * 1000)}ms", "max_deliveries": 0}
        runners = [{"name": "elsewhere", "stage": "range", "options": {"to": 1}, "to": "numbers"},
                   {"name": "keep", "stage": "write", "from": "numbers",
                    "options": {"path": str(self.folder / "result"), "exactly_once": True}}]
        file.write_text(json.dumps({"queues": {"numbers": queue}, "runners": runners}))
        return lambda: subprocess.Popen(
            [*sluice, "run", file, "--runners", "keep", "--report", "none", "--progress", "none"])

    def are_at_work(self, kind):
        """Whether some are; those that have ended have done so by themselves, and well."""
        for name in [name for name in self.running if name.startswith(kind)]:
            status = self.running[name].poll()
            if status is not None:
                del self.running[name]
                if status != 0:
                    sys.exit(f"{name} failed")
        return any(name.startswith(kind) for name in self.running)

    def wait_a_moment_for(self, kind):
        first = next(name for name in self.running if name.startswith(kind))
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.running[first].wait(timeout=0.02)

    def restart(self, name):
        process = self.running[name]
        process.kill()
        if process.wait() != -signal.SIGKILL:
            return False  # it has ended by itself; are_at_work() comes to that
        self.running[name] = self.start[name]()
        return True

    def close_queue(self):
        subprocess.run([*self.worker, "close"], check=True)

    def status(self):
        out, _ = self.watcher.communicate(input="")
        if self.watcher.returncode != 0:
            sys.exit("the watcher failed")
        return json.loads(out)

    def end(self):
        for process in [*self.running.values(), self.watcher]:
            process.kill()
            process.wait()


class Trouble:
    """What happens to the processes, and when."""

    def __init__(self, processes, dice, given):
        self.processes = processes
        self.dice = dice
        self.given = given
        self.counts = collections.Counter()
        self.next = time.monotonic() + given.every
        self.names = []  # of those whose turn comes yet
        self.stopped = None

    def come(self):
        now = time.monotonic()
        if self.stopped and now >= self.stopped[1]:
            self.let_go()
        if now < self.next:
            return
        self.next = now + self.given.every
        name = self.victim()
        kind = name.split()[0]
        if kind == "consumer" and not self.stopped and self.dice.random() < 0.3:
            self.stop(self.processes.running[name], now)
        elif kind == "server" and not self.processes.server_answers():
            return  # killed while it reads its file it would never come back
        elif self.processes.restart(name):
            self.counts[f"{kind}s killed"] += 1

    def victim(self):
        """Each has its turn, in a random order, as long as it runs."""
        running = self.processes.running
        self.names = [name for name in self.names if name in running]
        if not self.names:
            self.names = self.dice.sample(sorted(running), len(running))
        return self.names.pop()

    def stop(self, process, now):
        process.send_signal(signal.SIGSTOP)
        self.stopped = process, now + 1.5 * self.given.lease
        self.counts["consumers stopped"] += 1

    def let_go(self):
        process, self.stopped = self.stopped[0], None
        process.send_signal(signal.SIGCONT)  # unless it has been killed

    def while_at_work(self, kind):
        while self.processes.are_at_work(kind):
            self.come()
            self.processes.wait_a_moment_for(kind)


class Result:
    """What the sink has written."""

    def __init__(self, folder, elements):
        self.times = bytearray(elements)
        with open(folder / "result", encoding="ascii") as lines:
            for line in lines:
                self.times[int(line.rstrip(".\n"))] += 1

    def mistakes(self, _, twice_in):
        if twice_in:
            yield f"{twice_in} elements came in twice, although their producers had names"
        twice = len(self.times) - self.times.count(0) - self.times.count(1)
        if twice:
            yield f"{twice} elements are in the file more than once"


class Deliveries:
    """What the consumers have written down."""

    def __init__(self, folder, elements):
        self.times = bytearray(elements)
        self.first_times = bytearray(elements)  # of those with attempt 1
        self.total = 0
        for path in folder.glob("consumed.*"):
            records = array.array("Q", path.read_bytes())
            self.total += len(records)
            for record in records:
                number = record & ((1 << ATTEMPT) - 1)
                self.times[number] += 1
                if record >> ATTEMPT == 1:
                    self.first_times[number] += 1

    def mistakes(self, status, twice_in):
        if sum(times - 1 for times in self.first_times if times > 1) > twice_in:
            yield "elements were delivered again as if for the first time"
        if self.total - sum(self.first_times) > status["redelivered"]:
            yield "more elements came again than the server knows of"


def mistakes_of(given, status, seen, counts):
    lost = seen.times.count(0)
    if lost:
        yield f"{lost} elements are lost, the first is {seen.times.index(0)}"
    if status["largest"] > status["capacity"]:
        yield "there were more elements than the capacity"
    if status["size"] or status["dead"] or status["acknowledged"] != status["enqueued"]:
        yield "not all elements were acknowledged"
    twice_in = status["enqueued"] - given.elements
    if not 0 <= twice_in <= BATCH * counts["producers killed"]:
        yield f"{twice_in} elements came in twice"
    yield from seen.mistakes(status, twice_in)


def run(given, folder):
    dice = random.Random(given.seed)
    begin = time.monotonic()
    processes = Processes(shlex.split(given.worker), folder, given)
    try:
        trouble = Trouble(processes, dice, given)
        trouble.while_at_work("producer")
        processes.close_queue()
        trouble.while_at_work("consumer")
        seconds = time.monotonic() - begin
        status = processes.status()
    finally:
        processes.end()
    seen = (Result if given.once else Deliveries)(folder, given.elements)
    mistakes = list(mistakes_of(given, status, seen, trouble.counts))
    print(f"{given.elements} elements, {seconds:.1f} s, {given.elements / seconds:.0f} a second, "
          f"appendfsync {given.appendfsync}")
    print("  " + (", ".join(f"{count} {what}" for what, count in sorted(trouble.counts.items()))
                  or "nothing was killed"))
    print(f"  {seen.times.count(0)} lost, "
          f"{given.elements - seen.times.count(0) - seen.times.count(1)} "
          f"{'in the file' if given.once else 'delivered'} more than once, "
          f"{status['enqueued'] - given.elements} came in twice, "
          f"{status['redelivered']} were delivered again")
    print(f"  at most {status['largest']} of {status['capacity']} in the queue, "
          f"of {status['looks']} looks")
    for mistake in mistakes:
        print(f"  MISTAKE: {mistake}")
    return not mistakes


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("worker", help="the command line of sluice_redis_worker")
    arguments.add_argument("sluice", help="the command line of the command")
    arguments.add_argument("--once", action="store_true",
                           help="the producers have names, and the consumer is a sink of the command "
                                "with \"exactly_once\": none may be lost, none may be there twice")
    arguments.add_argument("--elements", type=int, default=1_000_000)
    arguments.add_argument("--every", type=float, default=2, help="seconds between two kills")
    arguments.add_argument("--lease", type=float, default=3, help="seconds")
    arguments.add_argument("--appendfsync", default="always", choices=["always", "everysec"])
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    if shutil.which("redis-server") is None:
        print("there is no redis-server")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        return 0 if run(given, Path(folder)) else 1


if __name__ == "__main__":
    sys.exit(main())
