# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""A redis-server of a test: on a Unix socket in a temporary folder, ended by its process."""

import shutil
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

from program import ProgramTest, wait_until


class RedisTest(ProgramTest):
    """Has a server of its own, which starts in a tenth of a second; skipped where there is none."""

    arguments = ()

    def setUp(self):
        super().setUp()
        if shutil.which("redis-server") is None:
            self.skipTest("there is no redis-server")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.socket = Path(folder.name) / "redis.sock"
        self.url = f"unix:{self.socket}"
        self.start_server()
        self.addCleanup(self.end_server)

    def start_server(self):
        self.server = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.socket, "--save", "",
             "--dir", self.socket.parent, *self.arguments],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self.takes_connections)

    def takes_connections(self):
        """The file is there a moment before."""
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(str(self.socket)) == 0

    def end_server(self):
        self.server.kill()
        self.server.wait()

    def restart_server(self):
        """As after a crash: it has what it had saved."""
        self.end_server()
        self.socket.unlink()
        self.start_server()
        wait_until(lambda: self.redis("PING") == "PONG")

    def redis(self, *command):
        """What redis-cli prints."""
        return subprocess.run(
            ["redis-cli", "-s", self.socket, *map(str, command)],
            check=True, capture_output=True, text=True).stdout.strip()

    def status(self, key):
        names = ("size", "leased", "capacity", "closed", "age", "enqueued", "acknowledged",
                 "redelivered", "dead", "dead_letters", "lost", "base")
        numbers = self.redis("FCALL_RO", "sluice_1_status", 1, f"sluice:{{{key}}}").split("\n")
        return dict(zip(names, map(int, numbers), strict=True))
