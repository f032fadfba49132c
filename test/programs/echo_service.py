# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Tests the echo service while clients of its own load it.

What its page gets shows the load: the requests that went through the queue, and what the tasks
do. A client may send while it is answered. After SIGINT each request that was accepted has been answered.

PROGRAM is the command line of the sample; CTest sets it.
"""

import collections
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import urllib.request

CLIENTS = 20
PATIENCE = 120  # seconds; only a hang takes that long


class Service:
    """The sample with clients of its own, and the address of its page."""

    def __init__(self, program):
        self.process = subprocess.Popen([*shlex.split(program), "--page", "0", "--clients", str(CLIENTS)],
                                        stdout=subprocess.PIPE, text=True)
        found = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", self.process.stdout.readline())
        assert found
        self.port = int(found[1])
        line = self.process.stdout.readline()
        assert re.fullmatch(r"live page: http://127\.0\.0\.1:\d+/\n", line), line
        self.url = line.split()[-1]

    def state(self):
        with urllib.request.urlopen(f"{self.url}api/state", timeout=PATIENCE) as answer:
            return json.load(answer)

    def events(self):
        """The snapshots that an open page gets."""
        with urllib.request.urlopen(f"{self.url}events", timeout=PATIENCE) as stream:
            for line in stream:
                if line.startswith(b"data: "):
                    yield json.loads(line.removeprefix(b"data: "))

    def stop(self):
        """Gives how many requests were accepted and answered."""
        self.process.send_signal(signal.SIGINT)
        out, _ = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0, self.process.returncode
        found = re.fullmatch(r"(\d+) requests accepted, (\d+) answered\n", out)
        assert found, out
        return int(found[1]), int(found[2])

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def check_load(service):
    """Until it works at full load; gives how many requests were accepted by then."""
    expected = {"acceptor": 1, "worker": 4, "reader": CLIENTS, "writer": CLIENTS, "client": CLIENTS}
    seen = []
    for snapshot in service.events():
        [queue] = snapshot["queues"]
        assert (queue["name"], queue["capacity"]) == ("requests", 16), queue
        assert 0 <= queue["size"] <= 16, queue
        assert queue["dequeued"] <= queue["enqueued"], queue
        assert snapshot["state"] == "running" and snapshot["first_error"] is None, snapshot
        seen.append(queue["enqueued"])
        tasks = collections.Counter(task["name"] for task in snapshot["tasks"])
        if tasks == expected and seen[-1] > 0:
            break
    while (now := service.state()["queues"][0]["enqueued"]) <= seen[-1]:
        pass  # it goes on
    assert seen == sorted(seen), seen
    return now


def check_both_directions(service):
    """A client that says all before it reads gets all answers, in any order."""
    lines = [f"line {number}\n" for number in range(100)]
    with socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) as client:
        client.sendall("".join(lines).encode())
        with client.makefile() as answers:
            received = [answers.readline() for _ in lines]
    assert sorted(received) == sorted(lines), received


def main():
    service = Service(os.environ["PROGRAM"])
    try:
        loaded = check_load(service)
        check_both_directions(service)
        accepted, answered = service.stop()
        assert answered == accepted >= loaded, (answered, accepted, loaded)
    finally:
        service.end()
    print(f"{accepted} requests accepted and answered")


if __name__ == "__main__":
    sys.exit(main())
