# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Tests the ingest service with a PostgreSQL server of its own and the load tool wrk.

The server is in a temporary folder. Both are killed with SIGKILL under load, and started again. Each
event that was answered with 201, after its commit, is in the table once; of those answered with 202
only what a killed service had in memory is missing. SIGTERM loses none. A database that stands still
makes the service answer 429, and its memory stays as it is.

PROGRAM is the command line of the sample; CTest sets it. `--kills N` for more than the test does.
"""

import argparse
import collections
import contextlib
import http.client
import json
import os
import random
import re
import shlex
import signal
import subprocess
import tempfile
import urllib.request
from pathlib import Path

PROGRAM = shlex.split(os.environ["PROGRAM"])
BINARIES = Path(subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True,
                               check=True).stdout.strip())
PATIENCE = 120  # seconds; only a hang takes that long
CAPACITY = 1000  # of the queue, in events
BATCH = 1000  # what the writer has at a time

# What wrk sends, each event with a key of its own, and what it notes of each answer.
LOAD = """
function init(args)
    name = args[1]
    answers = io.open(args[2], "w")
    padding = string.rep("x", tonumber(args[3]))
    number = 0
end

function request()
    number = number + 1
    local event = '{"key": "%s-%d", "padding": "%s"}'
    return wrk.format("POST", nil, nil, event:format(name, number, padding))
end

function response(status, headers, body)
    answers:write(status, " ", body)
end
"""


class Database:
    """A server that is reached by a socket in its folder. PostgreSQL refuses to run as root."""

    def __init__(self, folder):
        self.folder = folder
        self.user = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
        if self.user:
            os.chmod(folder, 0o777)
        self.conninfo = f"host={folder} user=postgres dbname=postgres"
        self.run("initdb", "-D", f"{folder}/data", "-U", "postgres", "-A", "trust", "-E", "UTF8",
                 "--locale=C.UTF-8", "--no-sync")
        self.start()
        self.query("CREATE TABLE events (key text PRIMARY KEY, event jsonb NOT NULL, "
                   "stored_at timestamptz NOT NULL DEFAULT now())")

    def run(self, program, *arguments):
        return subprocess.run([BINARIES / program, *arguments], cwd=self.folder, check=True, text=True,
                              capture_output=True, **self.user).stdout

    def start(self):
        options = {"listen_addresses": "", "unix_socket_directories": self.folder, "fsync": "off",
                   "shared_buffers": "16MB", "max_connections": "20"}
        command = [BINARIES / "postgres", "-D", f"{self.folder}/data"]
        for option in options.items():
            command += ["-c", "=".join(option)]
        self.process = None
        while subprocess.run([BINARIES / "pg_isready", "-q", "-h", self.folder], check=False).returncode:
            # Until the last process of a killed server has ended, another one ends at once.
            if self.process is None or self.process.poll() is not None:
                with open(f"{self.folder}/log", "a", encoding="utf-8") as log:
                    self.process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log,
                                                    **self.user)

    def signal(self, number):
        """To all of its processes; the first one starts no other then."""
        pid = self.process.pid
        os.kill(pid, number)
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(child), number)

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            self.signal(signal.SIGKILL)
        self.process.wait()

    def query(self, command):
        return self.run("psql", "-h", self.folder, "-U", "postgres", "-Atc", command).splitlines()

    def keys(self):
        return collections.Counter(self.query("SELECT key FROM events"))


class Service:
    running = []

    def __init__(self, database, *options):
        self.process = subprocess.Popen(
            [*PROGRAM, "--database", database.conninfo, "--capacity", str(CAPACITY), *options],
            stdout=subprocess.PIPE, text=True)
        Service.running.append(self)
        address, page = (self.process.stdout.readline() for _ in range(2))
        self.port = int(re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", address)[1])
        self.page = re.fullmatch(r"live page: (http://127\.0\.0\.1:\d+/)\n", page)[1]

    def post(self, body, target="/events", method="POST"):
        """The status, and the answer, or None for one that is no JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request(method, target, body)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

    def look(self, at):
        with urllib.request.urlopen(self.page + at, timeout=PATIENCE) as answer:
            return answer.read().decode()

    def enqueued(self):
        return json.loads(self.look("api/state"))["queues"][0]["enqueued"]

    def memory(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1])

    def kill(self):
        self.process.kill()
        self.process.wait()

    def terminate(self):
        """Gives the status, and what became of the events."""
        self.process.send_signal(signal.SIGTERM)
        output = self.process.communicate(timeout=PATIENCE)[0]
        return self.process.returncode, {
            word: int(number) for number, word in re.findall(r"(\d+) (\w+)", output)}


class Load:
    """Requests of wrk for some seconds; the keys that it sends begin with the name."""

    def __init__(self, folder, service, name, seconds, padding=0):
        script = Path(folder) / "load.lua"
        script.write_text(LOAD, "ascii")
        self.path = Path(folder) / f"{name}.answers"
        self.process = subprocess.Popen(
            ["wrk", "-t1", "-c64", f"-d{seconds}", "-s", script,
             f"http://127.0.0.1:{service.port}/events", "--", name, self.path, str(padding)],
            stdout=subprocess.DEVNULL)

    def is_over(self):
        return self.process.poll() is not None

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.finish()

    def finish(self):
        """The keys that were taken, and how often each status was given."""
        assert self.process.wait(PATIENCE) == 0
        lines = self.path.read_text("utf-8").splitlines()
        statuses = collections.Counter(line[:3] for line in lines)
        taken = {json.loads(line[4:])["key"] for line in lines if line[:3] in ("201", "202")}
        return taken, statuses


def wait_for(load, service, count):
    while not load.is_over() and service.enqueued() < count:
        pass


def test_answers(database, folder):
    """What is no event is refused at once, and what the database does not take harms no other one."""
    service = Service(database, "--answer", "after-commit")
    event = '{\r\n\t"key": "a\\\\b", "amount": 1.10, "text": "one\\ttwo\\n\u00e4"}'
    for _ in range(2):
        assert service.post(event.encode()) == (201, {"key": "a\\b"})
    for body in ("", "[]", "{", '{"key": 1}', '{"key": ""}', '{"key": "a\\n"}', b'{"key": "\xff"}'):
        assert service.post(body)[0] == 400, body
    assert service.post(event.encode(), "/")[0] == 404
    assert service.post(None, method="GET")[0] == 405
    assert service.post(json.dumps({"key": "x" * 20000}))[0] == 413
    assert service.look("healthz") == "ok\n"
    assert 'sluice_queue_enqueued_total{pipeline="ingest",queue="events"} 2' in service.look("metrics")
    assert service.terminate() == (0, {
        "accepted": 2, "stored": 1, "known": 1, "refused": 0, "returned": 0, "lost": 0})
    [stored] = database.query("SELECT event->>'amount', event->>'text' FROM events WHERE key = 'a\\b'"
                              .replace("->>'text'", "->'text'"))
    assert stored == '1.10|"one\\ttwo\\n\u00e4"', stored

    service = Service(database)
    database.signal(signal.SIGSTOP)  # so that all are in one batch
    for number in range(20):
        text = "\\u0000" if number % 7 == 3 else ""  # which JSON has, and jsonb not
        assert service.post(f'{{"key": "batch-{number}", "text": "{text}"}}')[0] == 202
    database.signal(signal.SIGCONT)
    assert service.terminate() == (0, {
        "accepted": 20, "stored": 17, "known": 0, "refused": 3, "returned": 0, "lost": 0})
    assert len([key for key in database.keys() if key.startswith("batch-")]) == 17


def test_a_stop_loses_nothing(database, folder):
    service = Service(database)
    load = Load(folder, service, "stop", 10)
    wait_for(load, service, 1000)
    status, counts = service.terminate()
    taken, _ = load.stop()
    stored = {key for key in database.keys() if key.startswith("stop-")}
    assert (status, counts["lost"]) == (0, 0), (status, counts)
    assert taken <= stored, f"{len(taken - stored)} of {len(taken)} events are lost"
    assert counts["stored"] == counts["accepted"] == len(stored) > 0, counts


def test_a_database_that_stands_still(database, folder):
    """Takes a tenth of the events that it is sent, and no memory for the others."""
    service = Service(database, "--drain-limit", "1")
    database.signal(signal.SIGSTOP)
    try:
        statuses = {}
        while "429" not in statuses:
            _, statuses = Load(folder, service, f"still{service.enqueued()}", 1, padding=4000).finish()
        taken = service.enqueued()
        assert CAPACITY <= taken <= CAPACITY + BATCH, taken
        memory = service.memory()
        requests = 0
        while requests < 10 * taken:
            more, statuses = Load(folder, service, f"more{requests}", 1, padding=4000).finish()
            # 503 after half a minute: the attempts of the writer have been in vain
            assert not more and set(statuses) <= {"429", "503"}, statuses
            requests += sum(statuses.values())
        growth = service.memory() - memory
        assert growth < 4096, f"{growth} KiB more after {requests} requests"
        status, counts = service.terminate()
        assert (status, counts["lost"]) == (1, taken), (status, counts)
    finally:
        database.signal(signal.SIGCONT)
    print(f"    {taken} taken, {requests} refused, {growth} KiB more")


def test_an_outage(database, folder):
    """Clients get 503 until the database is back. What was answered with 202 waits in memory."""
    database.kill()
    queued, promised = Service(database), Service(database, "--answer", "after-commit")
    assert promised.post('{"key": "outage-0"}')[0] == 503  # the attempts have been in vain
    taken = 0
    while (status := queued.post(f'{{"key": "outage-{taken + 1}"}}')[0]) != 503:
        assert status == 202 or (status == 429 and taken >= CAPACITY), status
        taken += status == 202
    assert promised.post('{"key": "outage-0"}')[0] == 503
    database.start()
    while (status := promised.post('{"key": "outage-0"}')[0]) == 503:
        pass
    assert status == 201
    assert promised.terminate()[1]["returned"] == 1
    assert queued.terminate()[1]["stored"] == taken >= 1
    stored = {key for key in database.keys() if key.startswith("outage-")}
    assert stored == {f"outage-{number}" for number in range(taken + 1)}


def test_kills(database, folder, kills=4):
    """Kills the database and then the service, in each round; with both kinds of answers in turn."""
    promised, queued, statuses = set(), set(), collections.Counter()
    for number in range(kills // 2):
        after_commit = number % 2 == 0
        service = Service(database, *(["--answer", "after-commit"] if after_commit else []))
        load = Load(folder, service, f"round{number}", 10)
        wait_for(load, service, random.randrange(100, 1500))  # more than there are connections
        database.kill()
        database.start()
        wait_for(load, service, service.enqueued() + random.randrange(1, 1500))
        service.kill()
        taken, answers = load.stop()
        (promised if after_commit else queued).update(taken)
        statuses += answers
    # Nothing is written any more: the server ends a transaction whose client is gone.
    database.kill()
    database.start()
    stored = database.keys()
    assert not promised - set(stored), f"{len(promised - set(stored))} of {len(promised)} are lost"
    assert not stored or max(stored.values()) == 1, stored.most_common(3)
    lost = len(queued - set(stored))
    assert lost <= kills // 4 * (CAPACITY + BATCH), f"{lost} of {len(queued)}"
    assert promised and queued, statuses
    print(f"    {kills} kills, {sum(statuses.values())} answers, {dict(statuses)}: of {len(promised)} "
          f"with 201 none lost, of {len(queued)} with 202 {lost}")
    return sum(statuses.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, help="only kills, this many")
    kills = parser.parse_args().kills
    with tempfile.TemporaryDirectory() as folder:
        database = Database(folder)
        try:
            if kills:
                test_kills(database, folder, kills)
                return
            for name, test in list(globals().items()):
                if name.startswith("test_"):
                    test(database, folder)
                    print(name, "passed", flush=True)
        finally:
            for service in Service.running:
                service.kill()
            database.kill()


if __name__ == "__main__":
    main()
