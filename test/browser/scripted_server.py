# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Serves the files of the page as the library does, with snapshots that a test chooses."""

import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ASSETS = Path(__file__).resolve().parents[2] / "src/page/assets"
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
# as in src/page/page_content.cpp
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")


class ScriptedServer:
    """show() sends a snapshot to all pages; hang_up() ends their connections, and refuses new ones."""

    def __init__(self):
        self.latest = None
        self.streams = []
        self.lock = threading.Lock()
        self.refuses = False
        self.http = self.listen()

    def listen(self):
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # head and body are written one after the other

            def log_message(self, *arguments):
                pass

            def do_GET(self):
                scripted.answer(self)

        http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        http.daemon_threads = True
        threading.Thread(target=http.serve_forever, daemon=True).start()
        return http

    @property
    def url(self):
        return f"http://127.0.0.1:{self.http.server_port}/"

    def show(self, snapshot):
        with self.lock:
            self.latest = snapshot
            for stream in self.streams:
                stream.put(snapshot)

    def hang_up(self):
        with self.lock:
            self.refuses = True
            for stream in self.streams:
                stream.put(None)
            self.streams = []

    def come_back(self):
        self.refuses = False

    def forget(self):
        """As new."""
        self.hang_up()
        self.latest = None
        self.come_back()

    def answer(self, request):
        path = request.path.partition("?")[0]
        if path == "/events":
            self.stream(request)
            return
        asset = ASSETS / ("index.html" if path == "/" else path[1:])
        if "/" in path[1:] or not asset.is_file():
            request.send_error(404)
            return
        content = asset.read_bytes()
        request.send_response(200)
        request.send_header("Content-Type", TYPES[asset.suffix])
        request.send_header("Content-Length", str(len(content)))
        request.send_header("Content-Security-Policy", POLICY)
        request.end_headers()
        request.wfile.write(content)

    def stream(self, request):
        if self.refuses:
            request.send_error(503)
            return
        mine = queue.Queue()
        with self.lock:
            self.streams.append(mine)
            if self.latest:
                mine.put(self.latest)
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.send_header("Connection", "close")
        request.end_headers()
        request.close_connection = True
        try:
            request.wfile.write(b"retry: 200\n\n")
            while (snapshot := mine.get()) is not None:
                request.wfile.write(b"event: state\ndata: " + json.dumps(snapshot).encode() + b"\n\n")
        except OSError:
            pass  # the page has gone


def a_queue(name, size, capacity, **others):
    return {"name": name, "type": "fifo", "size": size, "capacity": capacity, "high_water": size,
            "enqueued": size, "dequeued": 0, "waiting_producers": 0, "waiting_consumers": 0,
            "waits_to_enqueue": 0, "waits_to_dequeue": 0, "longest_wait_to_enqueue_seconds": 0,
            "longest_wait_to_dequeue_seconds": 0, "closed": False, **others}


def a_runner(name, source, target, **others):
    return {"name": name, "stage": name, "from": source, "to": target, "workers": 1, "running": 1,
            "waiting_to_enqueue": 0, "waiting_to_dequeue": 0, "waiting_for_thread": 0, "items_in": 0, "items_out": 0,
            "busy_seconds": 0, "ready_seconds": 0, "blocked_on_enqueue_seconds": 0, "blocked_on_dequeue_seconds": 0,
            "idle_seconds": 0, **others}


def a_task(name, doing="busy", waiting_on=None, queue_name=None, since=0, straggler=False):
    return {"name": name, "doing": doing, "waiting_on": waiting_on, "queue": queue_name,
            "since_seconds": since, "straggler": straggler}


def a_snapshot(elapsed, queues=(), runners=(), tasks=(), **others):
    return {"name": "test", "state": "running", "elapsed_seconds": elapsed,
            "queues": list(queues), "runners": list(runners),
            "coordinators": [{"name": "test", "tasks": len(tasks), "stop_requested": False,
                              "errors": []}],
            "tasks": list(tasks), "first_error": None, "bottleneck": "", **others}
