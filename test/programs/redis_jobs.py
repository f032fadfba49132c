# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Tests jobs in several processes, of which some are killed.

Three workers and a producer share a queue. A worker that has jobs is killed with SIGKILL, and so is
the server, which comes again. Every job is done, each was added once, those that the dead worker had
go to another one, and only they, or those that the server was asked about when it died, may be done
twice.

PROGRAM is the command line of the sample; CTest sets it. Without a redis-server nothing is tested.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections import Counter

PROGRAM = shlex.split(os.environ["PROGRAM"])
JOBS = 200


class Server:
    def __init__(self, folder):
        self.socket = os.path.join(folder, "socket")
        self.command = [
            "redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", folder,
            "--save", "", "--appendonly", "yes", "--appendfsync", "always", "--logfile", ""]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        while "eady to accept connections" not in self.process.stdout.readline():
            assert self.process.poll() is None, "redis-server did not start"

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def start(server, *words):
    return subprocess.Popen(
        [*PROGRAM, f"unix:{server.socket}", *words], stdout=subprocess.PIPE, text=True)


def lines_of(process, count):
    return [process.stdout.readline() for _ in range(count)]


def rest_of(process):
    """As communicate() without a time, which alone knows what readline() has read ahead."""
    lines = process.stdout.read().splitlines(keepends=True)
    process.wait()
    return lines


def status_of(server):
    return "".join(rest_of(start(server, "status")))


def kill_with_jobs(server, worker):
    """Kills a worker, which alone is at work, while it has jobs; gives what it has printed."""
    done = []
    while True:
        done += lines_of(worker, 1)
        worker.send_signal(signal.SIGSTOP)  # what it has now it keeps
        status = status_of(server)
        if int(re.search(r"(\d+) with workers", status)[1]) > 0:
            break
        worker.send_signal(signal.SIGCONT)
    worker.kill()
    return done + rest_of(worker)


def check_that_mistakes_are_refused():
    for words in ([], ["wrok"], ["produce"], ["produce", "many"], ["status", "3"],
                  ["work", "0"]):
        refused = subprocess.run([*PROGRAM, "unix:none", *words], capture_output=True, text=True)
        assert refused.returncode == 2, words
        assert refused.stderr.startswith("usage: redis_jobs URL produce COUNT | "), refused.stderr


def main():
    check_that_mistakes_are_refused()
    if shutil.which("redis-server") is None:
        print("skipped: there is no redis-server")
        return
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        try:
            run(server)
        finally:
            server.kill()


def run(server):
    # before a worker has opened the queue
    look = start(server, "dead")
    assert (rest_of(look), look.returncode) == ([], 0)

    producer = start(server, "produce", str(JOBS))
    done = kill_with_jobs(server, start(server, "work", "32"))
    steady = start(server, "work")
    done += lines_of(steady, 20)

    server.kill()
    server.start()
    batches = start(server, "work", "32")
    for process in (producer, steady, batches):
        done += rest_of(process)
        assert process.returncode == 0, process.args

    times = Counter(line for line in done if line.endswith("\n"))
    assert set(times) == {f"resize {number}\n" for number in range(1, JOBS + 1)}, (
        f"{JOBS - len(times)} jobs are missing")
    twice = [line for line, count in times.items() if count > 1]
    # the batch of the dead worker, and for each other worker one at the death of the server
    assert len(twice) <= 32 + 1 + 32, twice
    status = status_of(server)
    assert status.startswith(f"0 of 1000 jobs, 0 with workers; {JOBS} enqueued, {JOBS} done, "), status
    assert int(re.search(r"(\d+) redelivered", status)[1]) > 0, status
    print(f"{JOBS} jobs, {len(twice)} of them twice; {status}", end="")


if __name__ == "__main__":
    main()
