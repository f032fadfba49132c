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
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SAMPLE = Path(__file__).resolve().parent
QUEUES = ("distributed_word_count.files", "distributed_word_count.parts")
MOST_STARTS = 20
INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

# A drain waits for room in queues without a reader, so it is short.
DRAIN_LIMIT = "3s"
# More than the seconds of such a drain, and of the stop that may follow.
PATIENCE = 15


def existing_folder(text):
    if not os.path.isdir(text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a folder; name one that has *.hpp or *.ipp files")
    return Path(text).resolve()


def number_of_splitters(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("without a splitter the files would stay where they are")
    return number


def command_line(text):
    words = shlex.split(text)
    if not words or shutil.which(words[0]) is None:
        raise argparse.ArgumentTypeError(
            f"there is no program {text!r}; say where sluice is, as in --sluice build/release/sluice")
    return words


def read_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", nargs="?", default="/usr/include/boost", type=existing_folder,
                        help="the folder whose *.hpp and *.ipp are read; %(default)s by default")
    parser.add_argument("--splitters", type=number_of_splitters, default=3, metavar="N",
                        help="how many processes split; %(default)s by default")
    parser.add_argument("--url", help="a Redis server, whose queues of an earlier run are deleted; "
                                      "by default one is started for this run")
    parser.add_argument("--sluice", default="sluice", type=command_line, metavar="COMMAND",
                        help="how the command sluice is called; %(default)s by default")
    arguments = parser.parse_args()
    if not arguments.url and shutil.which("redis-server") is None:
        parser.error("there is no redis-server; install it, or give the --url of a server")
    if shutil.which("sqlite3") is None:
        parser.error("there is no sqlite3, which reads what was counted; install it")
    return arguments


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
        log = folder / "redis.log"
        # In a session of its own, because Ctrl-C would end it before those that need it.
        self.server = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", socket, "--dir", folder,
             "--appendonly", "yes", "--logfile", log], start_new_session=True)
        while not socket.exists():
            if self.server.poll() is not None:
                reason = log.read_text() if log.exists() else "it says no reason"
                raise SystemExit(f"redis-server did not start:\n{reason}")
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
        """Asks all to end before it waits for any, because they may wait for each other."""
        processes = [process for process, *_ in self.running.values()]
        for process in processes:
            process.terminate()
        deadline = time.monotonic() + PATIENCE
        for process in processes:
            end(process, deadline)
        if self.server:
            self.server.kill()  # what it has is removed anyway
            self.server.wait()


def end(process, deadline):
    try:
        process.wait(max(0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def list_queues(sluice, url):
    return json.loads(subprocess.run([*sluice, "queues", url, "--json"],
                                     check=True, stdout=subprocess.PIPE, text=True).stdout)


def show_dead_letters(arguments, url, queue):
    count, name = queue["dead"], queue["name"]
    say(f"1 element of {name} was given up" if count == 1
        else f"{count} elements of {name} were given up")
    drain = ("drain", "--dead", "--json", name)
    if arguments.url:  # which may have a password, so it is not shown
        say(f"see {shlex.join([*arguments.sluice, 'queues'])} URL {shlex.join(drain)}")
    else:  # The server is removed, and they with it.
        subprocess.run([*arguments.sluice, "queues", url, *drain], check=True, stdout=sys.stderr)


def expect_no_dead_letters(arguments, url):
    given_up = [queue for queue in list_queues(arguments.sluice, url)
                if queue["name"] in QUEUES and queue["dead"] > 0]
    for queue in given_up:
        show_dead_letters(arguments, url, queue)
    if given_up:
        raise SystemExit("some files were not counted")


def expect_files(arguments, parts):
    if parts.stat().st_size == 0:
        raise SystemExit(f"there is no *.hpp or *.ipp file in {arguments.tree}")


def count_words(arguments, processes, folder):
    sluice = arguments.sluice
    url = arguments.url or processes.start_server(folder)
    delete = [*sluice, "queues", url, "delete", "--force", *QUEUES]
    subprocess.run(delete, check=True, stdout=subprocess.DEVNULL)
    parts = folder / "parts.db"
    parameters = [f"--param={name}={value}" for name, value in (
        ("REDIS_URL", url), ("TREE", arguments.tree), ("SAMPLE", SAMPLE), ("PARTS", parts))]

    def start(name, runners, **others):
        processes.start(name, [*sluice, "run", SAMPLE / "word_count.json", *parameters,
                               "--runners", runners, "--drain-limit", DRAIN_LIMIT,
                               "--report", "none", "--progress", "none"], **others)

    # One that is killed after it has closed its queue has done its work.
    def are_files_closed():
        return any(queue["name"] == QUEUES[0] and queue["closed"]
                   for queue in list_queues(sluice, url))

    start("count", "count")
    for number in range(1, arguments.splitters + 1):
        start(f"split {number}", "split")
    start("read", "read,batch", has_ended=are_files_closed)
    processes.wait_for_all()
    expect_no_dead_letters(arguments, url)
    expect_files(arguments, parts)
    subprocess.run([*sluice, "run", SAMPLE / "total.json", f"--param=PARTS={parts}",
                    "--report", "none", "--progress", "none"], check=True)
    subprocess.run(delete, check=True, stdout=subprocess.DEVNULL)


def ignore_interruptions():
    for number in INTERRUPTIONS:
        signal.signal(number, signal.SIG_IGN)


def heed_interruptions():
    """Only the first one; a further one would leave processes behind. Those heed Ctrl-C, too."""
    def stop(*_):
        ignore_interruptions()
        sys.exit("stopped")

    for number in INTERRUPTIONS:
        if signal.getsignal(number) != signal.SIG_IGN:  # as SIGHUP is under nohup
            signal.signal(number, stop)


def main():
    arguments = read_arguments()
    heed_interruptions()
    processes = Processes()
    with tempfile.TemporaryDirectory(prefix="word_count_") as folder:
        try:
            count_words(arguments, processes, Path(folder))
        except subprocess.CalledProcessError as error:
            # without its arguments: an address may have a password
            called = shlex.join(error.cmd[:len(arguments.sluice) + 1])
            raise SystemExit(f"{called} failed") from None
        finally:
            ignore_interruptions()
            processes.stop()


if __name__ == "__main__":
    try:
        main()
    except OSError as error:  # as without room for a folder, or for one more process
        sys.exit(f"word_count.py: {error}")
