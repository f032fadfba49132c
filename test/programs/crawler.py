# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Tests the crawler with two local sites.

The pages link in circles and to the other site. Each is asked for once, those that are busy
again, and those that fail are listed: a page that does not exist, one that is always busy, one
that never answers, and one that hangs up. No site gets more than four requests at a time.

PROGRAM is the command line of the sample; CTest sets it.
"""

import collections
import http.server
import os
import shlex
import subprocess
import threading

PROGRAM = shlex.split(os.environ["PROGRAM"])
PAGES = 150
PERMITS = 4


class Site(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Page)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.lock = threading.Lock()
        self.requests = collections.Counter()
        self.active = 0
        self.most_active = 0
        self.other = None
        self.end = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        site = self.server
        with site.lock:
            site.requests[self.path] += 1
            count = site.requests[self.path]
            site.active += 1
            site.most_active = max(site.most_active, site.active)
        if self.path == "/slow":
            with site.lock:
                site.active -= 1  # the crawler gives up without our notice
            site.end.wait()
            return
        self.answer(site, count)
        with site.lock:
            site.active -= 1

    def answer(self, site, count):
        if self.path == "/hangs_up":
            return
        if self.path == "/always_busy" or self.path.startswith("/busy") and count < 3:
            self.send_error(503)
            return
        number = "0" if self.path == "/" else self.path.removeprefix("/page/")
        if not number.isdigit() and not self.path.startswith("/busy"):
            self.send_error(404)
            return
        self.send_response(200)
        self.end_headers()
        for link in self.links(int(number) if number.isdigit() else PAGES):
            self.wfile.write(f'<a href="{link}">a page</a>\n'.encode())

    def links(self, number):
        children = [n for n in (2 * number + 1, 2 * number + 2) if n < PAGES]
        yield from (f"/page/{n}" for n in children + [number // 2 or 1])
        yield f"{self.server.other.url}/page/{number % 7 + 1}#part"
        yield f"{self.server.url}/"
        yield "https://example.org/"  # another scheme, and so no page of ours
        yield "http://example.org/"  # another host
        if number == 1:
            yield from ("/busy/1", "/busy/2", "/always_busy", "/missing", "/slow", "/hangs_up")

    def log_message(self, *_):
        pass


FAILURES = {
    "/always_busy": "status 503",
    "/missing": "status 404",
    "/slow": "within: the operation did not complete in time",
    "/hangs_up": "no answer in HTTP",
}
EXPECTED = collections.Counter({"/": 1, "/busy/1": 3, "/busy/2": 3, "/always_busy": 4,
                                "/missing": 1, "/slow": 1, "/hangs_up": 1})
EXPECTED.update({f"/page/{n}": 1 for n in range(1, PAGES)})


def main():
    sites = [Site(), Site()]
    sites[0].other, sites[1].other = sites[1], sites[0]
    command = [*PROGRAM, f"{sites[0].url}/", f"{sites[1].url}/"]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True,
                            timeout=300).stdout.splitlines()
    for site in sites:
        site.end.set()
        assert site.requests == EXPECTED, (site.requests - EXPECTED, EXPECTED - site.requests)
        assert 1 <= site.most_active <= PERMITS, site.most_active
        for path in EXPECTED:
            line = site.url + path
            if path in FAILURES:
                failed = f"{line} failed: {FAILURES[path]}"
                assert [o for o in output if o.startswith(failed)], (failed, output)
            else:
                assert line in output, line
    pages = len(EXPECTED) * len(sites)
    assert output[-1] == f"{pages} pages, {2 * len(FAILURES)} failed", output[-1]
    assert len(output) == pages + 1
    print(output[-1])


if __name__ == "__main__":
    main()
