# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Queues on a server: all of sluice_redis_bench, and then jobs that do nothing, against Celery and RQ.

Of the jobs two processes enqueue one with each call, and two others work. The time is from the first
call until the last job is done. Celery and RQ are as they are after installation, but for two things
that make them faster: they keep no results, and the workers of RQ do not fork for each job.

    ./dev bench redis
"""

import argparse
import contextlib
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

JOBS = 2000
FOLDER = Path(__file__).resolve().parent
PYTHON = (sys.executable, "-B", "-W", "ignore")
WORKERS = {  # Celery's has two processes
    "Celery": [(*PYTHON, "-m", "celery", "--app", "queued_jobs", "worker", "--concurrency", "2",
                "--loglevel", "error")],
    "RQ": 2 * [(*PYTHON, FOLDER / "queued_jobs.py", "work")],
}
KEYS = {  # what is empty when all is done
    "Celery": [("LLEN", "celery"), ("HLEN", "unacked")],
    "RQ": [("LLEN", "rq:queue:default"), ("ZCARD", "rq:wip:default")],
}


class Server:
    def __init__(self, folder):
        self.socket = folder / "socket"
        self.process = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", folder,
             "--save", "", "--appendonly", "yes", "--logfile", folder / "log"])
        wait_until(self.takes_connections)

    def takes_connections(self):
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(str(self.socket)) == 0

    def ask(self, *words):
        return subprocess.run(["redis-cli", "-s", self.socket, *words], check=True,
                              capture_output=True, text=True).stdout.strip()

    def has_waiting(self, clients):
        return f"blocked_clients:{clients}" in self.ask("INFO", "clients").split()

    def is_done(self, contestant):
        return all(self.ask(*words) == "0" for words in KEYS[contestant])

    def end(self):
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def own_server():
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            yield server
        finally:
            server.end()


def wait_until(condition):
    end = time.monotonic() + 120
    while not condition():
        if time.monotonic() > end:
            sys.exit("a process of the benchmark does not get on")
        os.sched_yield()


@contextlib.contextmanager
def running(commands, server, **pipes):
    environment = os.environ | {"PYTHONPATH": str(FOLDER), "BENCH_SOCKET": str(server.socket)}
    started = [subprocess.Popen(command, env=environment, **pipes) for command in commands]
    try:
        yield started
    finally:
        for process in started:
            process.terminate()
            process.wait()


def per_job(server, contestant):
    """Microseconds."""
    produce_half = (*PYTHON, FOLDER / "queued_jobs.py", "produce", contestant, str(JOBS // 2))
    with running(WORKERS[contestant], server, stdout=subprocess.DEVNULL):
        wait_until(lambda: server.has_waiting(len(WORKERS[contestant])))
        with running(2 * [produce_half], server, text=True, bufsize=1, stdin=subprocess.PIPE,
                     stdout=subprocess.PIPE) as producers:
            for each in producers:
                if each.stdout.readline() != "ready\n":
                    sys.exit(f"a producer of {contestant} has failed")
            begin = time.monotonic()
            for each in producers:
                each.stdin.write("\n")
            for each in producers:
                each.wait()
            wait_until(lambda: server.is_done(contestant))
            return (time.monotonic() - begin) / JOBS * 1e6


def per_job_of_sluice(server, program):
    out = subprocess.run([program, server.socket, "jobs", "--quick"], check=True,
                         capture_output=True, text=True).stdout
    return float(re.search(r"^ +sluice +([0-9.]+)", out, re.MULTILINE)[1]) / 1000


def measure_jobs(program, rounds):
    times = {"sluice": [], "Celery": [], "RQ": []}
    for _ in range(rounds):
        for contestant, of_rounds in times.items():
            with own_server() as server:
                of_rounds.append(per_job_of_sluice(server, program) if contestant == "sluice"
                                 else per_job(server, contestant))
    return times


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("program", help="sluice_redis_bench")
    arguments.add_argument("--quick", action="store_true", help="few and short rounds")
    given = arguments.parse_args()
    with own_server() as server:
        subprocess.run([given.program, server.socket, *(["--quick"] if given.quick else [])],
                       check=True)
    times = measure_jobs(given.program, 3 if given.quick else 7)
    ours = statistics.median(times["sluice"])
    print(f"\njobs: those that do nothing, each enqueued by one call\n"
          f"{'us/job':>46}{'fastest':>10}{'slowest':>10}{'ratio':>9}")
    for contestant, rounds in times.items():
        median = statistics.median(rounds)
        print(f"  {contestant:33}{median:11.1f}{min(rounds):10.1f}{max(rounds):10.1f}"
              f"{median / ours:9.1f}")
    least = min(statistics.median(times[name]) for name in ("Celery", "RQ")) / ours
    print(f"  bar: {least:.1f} times as fast as the faster of the two, wanted 10: "
          f"{'met' if least >= 10 else 'NOT MET'}")


if __name__ == "__main__":
    main()
