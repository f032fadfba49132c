# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Counts words with several processes, any of which may be killed.

One process finds the files, some split them into words, one keeps what they have counted. They share
queues on a Redis server. A process that dies is started again; kill some with `kill -9` and see that
the result is the same. At the end the most frequent words are printed, as by
`sluice run samples/pipelines/word_count.json`.
"""

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SAMPLE = Path(__file__).resolve().parent
QUEUES = ("distributed_word_count.files", "distributed_word_count.parts")
MOST_STARTS = 20


def read_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", nargs="?", default="/usr/include/boost",
                        help="the folder whose *.hpp and *.ipp are read; %(default)s by default")
    parser.add_argument("--splitters", type=int, default=3, metavar="N",
                        help="how many processes split; %(default)s by default")
    parser.add_argument("--url", help="a Redis server, whose queues of an earlier run are deleted; "
                                      "by default one is started for this run")
    parser.add_argument("--sluice", default="sluice", type=shlex.split, metavar="COMMAND",
                        help="how the command sluice is called; %(default)s by default")
    return parser.parse_args()


def say(text):
    print(text, file=sys.stderr, flush=True)


class Processes:
    """Processes that are to come to their end; those that fail before are started again."""

    def __init__(self):
        self.running = {}  # by process id: process, name, command, how it may have ended
        self.starts = {}   # by name
        self.server = None

    def start_server(self, folder):
        socket = folder / "redis.sock"
        self.server = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", socket, "--dir", folder,
             "--appendonly", "yes"], stdout=subprocess.DEVNULL)
        while not socket.exists():
            if self.server.poll() is not None:
                raise SystemExit("redis-server did not start")
            time.sleep(0.02)
        return f"unix:{socket}"

    def start(self, name, command, has_ended=lambda: False):
        self.starts[name] = self.starts.get(name, 0) + 1
        if self.starts[name] > MOST_STARTS:
            raise SystemExit(f"{name} failed again and again")
        process = subprocess.Popen(command)
        self.running[process.pid] = (process, name, command, has_ended)
        say(f"{name} is process {process.pid}")

    def wait_for_all(self):
        while self.running:
            pid, status = os.wait()
            if pid not in self.running:
                raise SystemExit("redis-server has ended")
            process, name, command, has_ended = self.running.pop(pid)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0 and not has_ended():
                say(f"{name} ended with {process.returncode}, and is started again")
                self.start(name, command, has_ended)

    def stop(self):
        everything = [process for process, *_ in self.running.values()]
        for process in everything + ([self.server] if self.server else []):
            process.terminate()
            process.wait()


def list_queues(sluice, url):
    return json.loads(subprocess.run([*sluice, "queues", url, "--json"],
                                     check=True, capture_output=True, text=True).stdout)


def expect_no_dead_letters(sluice, url):
    for queue in list_queues(sluice, url):
        if queue["name"] in QUEUES and queue["dead"] > 0:
            raise SystemExit(f"{queue['dead']} elements of {queue['name']} were given up; see "
                             f"sluice queues {url} drain --dead --json {queue['name']}")


def count_words(arguments, processes, folder):
    sluice = arguments.sluice
    url = arguments.url or processes.start_server(folder)
    delete = [*sluice, "queues", url, "delete", "--force", *QUEUES]
    subprocess.run(delete, check=True, stdout=subprocess.DEVNULL)
    parts = folder / "parts.jsonl"
    parameters = [f"--param={name}={value}" for name, value in (
        ("REDIS_URL", url), ("TREE", Path(arguments.tree).resolve()), ("SAMPLE", SAMPLE),
        ("PARTS", parts))]

    def start(name, runners, **others):
        processes.start(name, [*sluice, "run", SAMPLE / "word_count.json", *parameters,
                               "--runners", runners, "--report", "none", "--progress", "none"],
                        **others)

    # One that is killed after it has closed its queue has done its work.
    def are_files_closed():
        return any(queue["name"] == QUEUES[0] and queue["closed"]
                   for queue in list_queues(sluice, url))

    start("count", "count")
    for number in range(1, arguments.splitters + 1):
        start(f"split {number}", "split")
    start("read", "read,batch", has_ended=are_files_closed)
    processes.wait_for_all()
    expect_no_dead_letters(sluice, url)
    subprocess.run([*sluice, "run", SAMPLE / "total.json", f"--param=PARTS={parts}",
                    "--report", "none", "--progress", "none"], check=True)
    subprocess.run(delete, check=True, stdout=subprocess.DEVNULL)


def main():
    arguments = read_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    processes = Processes()
    with tempfile.TemporaryDirectory(prefix="word_count_") as folder:
        try:
            count_words(arguments, processes, Path(folder))
        except subprocess.CalledProcessError as error:
            raise SystemExit(f"{shlex.join(map(str, error.cmd))} failed") from None
        finally:
            processes.stop()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted")
