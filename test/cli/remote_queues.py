# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""Pipelines whose queues are on a server, in one process and in several."""

import json
import shutil
import signal
import socket
import subprocess
import tempfile
import urllib.request
from pathlib import Path

from program import PATIENCE, ProgramTest, main, wait_until
from redis_server import RedisTest

QUIET = ("--report", "none", "--progress", "none")
UNHEARD = 'the server of "numbers" has never answered'


class Remote(RedisTest):
    def words(self, count=300, **of_split):
        """Numbers go to a stage that makes words of them, which are printed."""
        return self.describe(
            {"numbers": {"type": "redis", "url": self.url, "capacity": 64},
             "words": {"type": "redis", "url": self.url, "capacity": 64}},
            [{"name": "read", "stage": "range", "options": {"from": 1, "to": count},
              "to": "numbers"},
             {"name": "split", "stage": "jq", "options": {"program": '"n\\(.)"'},
              "from": "numbers", "to": "words", **of_split},
             {"name": "show", "stage": "write", "from": "words"}])

    def run_parts(self, file, *parts):
        return [self.start("run", file, "--runners", part, *QUIET) for part in parts]

    def finish(self, process, status=0):
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, err.decode()), (status, ""))
        return out.decode().split()


class Losses(Remote):
    def start_and_lose(self, *how):
        """A producer waits for room, and then all that it has put there is lost."""
        read = self.start("run", self.words(10**9), "--runners", "read", "--progress", "none")
        wait_until(lambda: self.redis("HLEN", "sluice:{test.numbers}:data") == "64")
        self.redis(*how)
        return read

    def check_told(self, process):
        _, err = process.communicate(timeout=PATIENCE)
        err = err.decode()
        self.assertEqual(process.returncode, 1, err)
        self.assertRegex(err, r"(?m)^numbers on its server: .* lost; ")
        self.assertIn('warning about the queue "numbers": redis queue \'test.numbers\': '
                      "the server has lost 64 elements\n", err)
        self.assertIn("redis::errc::elements_lost", err.splitlines()[-1])

    def test_server_that_loses_everything_is_a_warning(self):
        """Others may have taken what was there, so the run goes on in the queue that is made anew."""
        read = self.start("run", self.words(10**9), "--runners", "read", "--progress", "none",
                          "--drain-limit", "0s")
        is_full = lambda: self.redis("HLEN", "sluice:{test.numbers}:data") == "64"
        wait_until(is_full)
        self.redis("FLUSHALL")
        wait_until(is_full)
        warning = ('warning about the queue "numbers": redis queue \'test.numbers\' was deleted on the '
                   "server, with up to 64 elements, and has been created again\n").encode()
        told = b""
        while warning not in told:
            line = read.stderr.readline()
            self.assertTrue(line, told)
            told += line
        read.send_signal(signal.SIGINT)
        _, rest = read.communicate(timeout=PATIENCE)
        self.assertEqual((told + rest).count(warning), 2)  # at once, and at the end

    def test_key_that_is_deleted_is_an_error(self):
        self.check_told(self.start_and_lose("DEL", "sluice:{test.numbers}:data"))

    def test_json_has_how_many_were_lost(self):
        file = self.words(10**9)
        read = self.start("run", file, "--runners", "read", "--progress", "none", "--report", "json")
        wait_until(lambda: self.redis("HLEN", "sluice:{test.numbers}:data") == "64")
        self.redis("DEL", "sluice:{test.numbers}:data")
        _, err = read.communicate(timeout=PATIENCE)
        report, = (json.loads(line) for line in err.splitlines() if line.startswith(b"{"))
        remote = report["queues"][0]["remote"]
        self.assertEqual(remote["lost"], 64)
        self.assertIn("has lost 64 elements", remote["warning"])

    def test_queue_that_is_deleted_on_purpose_is_no_loss(self):
        file = self.words(10**9)
        read = self.start(
            "run", file, "--runners", "read", "--progress", "none", "--drain-limit", "0s")
        wait_until(lambda: self.redis("HLEN", "sluice:{test.numbers}:data") == "64")
        self.assertEqual(self.sluice("queues", self.url, "delete", "--force", "test.numbers")[0], 0)
        wait_until(lambda: self.redis("HLEN", "sluice:{test.numbers}:data") == "64")
        read.send_signal(signal.SIGINT)
        _, err = read.communicate(timeout=PATIENCE)
        self.assertNotIn(b"lost", err)

    def test_policy_that_may_evict_queues_is_a_warning(self):
        self.redis("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
        status, _, err = self.sluice("run", self.words(3), "--report", "text", "--progress", "none")
        self.assertEqual(status, 0, err)
        for queue in ("numbers", "words"):
            self.assertIn(f'warning about the queue "{queue}": redis connection to {self.url}: '
                          "its maxmemory-policy is allkeys-lru", err)


class Retries(Remote):
    def test_delay_is_that_of_the_description(self):
        file = self.describe(
            {"a": {"type": "redis", "url": self.url, "retry_delay": "90s",
                   "max_retry_delay": "2m"}},
            [{"name": "read", "stage": "range", "options": {"to": 1}, "to": "a"},
             {"name": "show", "stage": "write", "from": "a"}])
        self.assertEqual(self.sluice("run", file, "--runners", "read", *QUIET), (0, "", ""))
        one, = json.loads(self.sluice("queues", self.url, "--json")[1])
        self.assertEqual((one["retry_delay_seconds"], one["max_retry_delay_seconds"]), (90, 120))

    def test_limit_below_the_first_delay_is_refused(self):
        file = self.describe(
            {"a": {"type": "redis", "url": self.url, "retry_delay": "10m"}},
            [{"name": "read", "stage": "range", "options": {"to": 1}, "to": "a"},
             {"name": "show", "stage": "write", "from": "a"}])
        status, _, err = self.sluice("check", file)
        self.assertEqual(status, 2)
        self.assertIn('expected a "max_retry_delay" of at least the "retry_delay", 10m', err)


class Whole(Remote):
    def test_one_process_runs_all(self):
        status, out, err = self.sluice("run", self.words(), *QUIET)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(sorted(out.split()), sorted(f"n{i}" for i in range(1, 301)))
        self.assertEqual(self.status("test.words")["closed"], 1)
        self.assertEqual(self.status("test.words")["enqueued"], 300)
        self.assertEqual(self.redis("EXISTS", "sluice:{test.words}:data"), "0")

    def test_parts_run_in_processes_of_their_own(self):
        file = self.words()
        read, split, another, show = self.run_parts(file, "read", "split", "split", "show")
        for process in (read, split, another):
            self.assertEqual(self.finish(process), [])
        self.assertEqual(sorted(self.finish(show)), sorted(f"n{i}" for i in range(1, 301)))

    def test_second_run_says_that_the_queue_is_closed(self):
        file = self.words(3)
        self.assertEqual(self.sluice("run", file, *QUIET)[0], 0)
        status, _, err = self.sluice("run", file, *QUIET)
        self.assertEqual(status, 1)
        self.assertIn("the queue 'test.numbers' has been closed on unix:", err)

    def test_other_description_does_not_fit(self):
        self.assertEqual(self.sluice("run", self.words(3), *QUIET)[0], 0)
        status, _, err = self.sluice(
            "run", "pipeline.json", "--set", "/queues/numbers/capacity=65", *QUIET)
        self.assertEqual(status, 1)
        self.assertIn("capacity 64", err)
        self.assertIn("this process has kind fifo, capacity 65", err)


class Figures(Remote):
    def test_report_and_metrics_have_those_of_the_server_at_the_end(self):
        # no display, so there was no look before
        status, _, err = self.sluice("run", self.words(), "--progress", "none", "--report", "json",
                                     "--metrics", "metrics.prom")
        self.assertEqual(status, 0, err)
        words = json.loads(err)["queues"][1]
        self.assertEqual((words["name"], words["type"], words["size"]), ("words", "redis", 0))
        self.assertEqual((words["enqueued"], words["dequeued"], words["closed"]), (300, 300, True))
        remote = words["remote"]
        self.assertIsNotNone(remote.pop("read_seconds_ago"))
        self.assertEqual(remote, {"pending": 0, "redelivered": 0, "dead": 0, "dead_letters": 0,
                                  "lost": 0, "oldest_age_seconds": None, "stale": False,
                                  "problem": None, "warning": None})
        metrics = (self.folder / "metrics.prom").read_text("utf-8")
        self.assertIn('sluice_queue_pending{pipeline="test",queue="words"} 0\n', metrics)
        self.assertIn('sluice_queue_dequeued_total{pipeline="test",queue="words"} 300\n', metrics)

    def test_promtool_finds_no_mistake_in_them(self):
        self.assertEqual(self.sluice("run", self.words(), *QUIET, "--metrics", "metrics.prom")[0], 0)
        self.check_metrics((self.folder / "metrics.prom").read_text("utf-8"))

    def test_what_goes_back_is_not_taken_off_what_is_done(self):
        file = self.words(3)
        reader, = self.run_parts(file, "read")
        self.finish(reader)
        self.redis("HINCRBY", "sluice:{test.numbers}:meta", "redelivered", "2")
        status, _, err = self.sluice("run", file, "--runners", "split,show", "--progress", "none",
                                     "--report", "json")
        self.assertEqual(status, 0, err)
        numbers = json.loads(err)["queues"][0]
        self.assertEqual((numbers["dequeued"], numbers["remote"]["redelivered"]), (3, 2))

    def test_page_shows_them_while_it_runs(self):
        file = self.words(5)
        held, = self.run_parts(file, "read")
        self.finish(held)
        process = self.start(
            "run", file, "--runners", "split", "--serve", "0", *QUIET,
            "--set", "/runners/split/stage=rate_limit",
            "--set", '/runners/split/options={"per_second": 0.01}')
        url = process.stderr.readline().decode().split()[-1]
        state = lambda: json.load(urllib.request.urlopen(url + "api/state"))["queues"][0]["remote"]
        wait_until(lambda: state()["pending"] > 0)
        self.assertFalse(state()["stale"])
        process.kill()
        process.communicate()


class OutOfReach(ProgramTest):
    """Needs no server."""

    def numbers_on(self, url):
        return self.describe(
            {"numbers": {"type": "redis", "url": url}},
            [{"stage": "range", "options": {"to": 3}, "to": "numbers"},
             {"stage": "write", "from": "numbers"}])

    def nowhere(self):
        return self.numbers_on(f"unix:{self.folder / 'none.sock'}?user=me&password=secret")

    def check_message(self, line):
        self.assertIn('waiting for the server of the queue "numbers": ', line)
        self.assertIn("none.sock: No such file or directory", line)

    # The drain is a stop, unless it is over before the command has looked at the servers.
    def check_end_of_drain(self, process, err):
        self.assertEqual(process.returncode, 130)
        draining, unheard = err.decode().splitlines()
        self.assertEqual(draining, "draining; press Ctrl-C again to stop at once")
        self.assertEqual(unheard.removesuffix("; stopping"), UNHEARD)

    def test_run_says_once_what_it_waits_for_and_a_drain_is_a_stop(self):
        process = self.start("run", self.nowhere(), *QUIET)
        self.check_message(process.stderr.readline().decode())
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=PATIENCE)
        self.check_end_of_drain(process, rest)

    def test_drain_is_a_stop_if_the_server_takes_the_connection_and_is_silent(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            process = self.start(
                "run", self.numbers_on(f"redis://127.0.0.1:{server.getsockname()[1]}"), *QUIET)
            connection, _ = server.accept()
            with connection:
                self.assertIn(b"FCALL", connection.recv(4096))
                process.send_signal(signal.SIGINT)
                self.assertEqual(connection.recv(4096), b"")
                _, err = process.communicate(timeout=PATIENCE)
        # and nothing of the end of its patience with the connection, which would come first
        self.check_end_of_drain(process, err)

    def test_end_of_the_time_names_it(self):
        status, _, err = self.sluice("run", self.nowhere(), *QUIET, "--timeout", "1s")
        self.assertEqual(status, 1)
        first, last = err.splitlines()
        self.check_message(first)
        self.assertEqual(last, "sluice: timed out after 1s; " + UNHEARD)
        self.assertNotIn("secret", err)


    def test_end_of_the_time_names_a_server_that_does_not_speak_tls(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"rediss://127.0.0.1:{silent.getsockname()[1]}"
            status, _, err = self.sluice("run", self.numbers_on(url), *QUIET, "--timeout", "100ms")
        self.assertEqual(status, 1)
        self.assertEqual(
            err, f"sluice: timed out after 100ms; {UNHEARD}\n")


class Encrypted(Remote):
    def setUp(self):
        if shutil.which("openssl") is None:
            self.skipTest("the command openssl is not on this machine")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.certificate, key = Path(folder.name) / "server.pem", Path(folder.name) / "server.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "2", "-subj", "/CN=server", "-keyout", key,
             "-out", self.certificate, "-addext", "subjectAltName=IP:127.0.0.1"],
            check=True, capture_output=True)
        # Bound, and never listening: the port stays this test's, and the server can still bind.
        reserved = socket.socket()
        self.addCleanup(reserved.close)
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.bind(("127.0.0.1", 0))
        port = reserved.getsockname()[1]
        self.arguments = ("--tls-port", str(port), "--tls-cert-file", self.certificate,
                          "--tls-key-file", key, "--tls-auth-clients", "no")
        super().setUp()
        self.url = f"rediss://127.0.0.1:{port}"

    def test_pipeline_runs_with_a_certificate_that_it_trusts_and_only_then(self):
        status, _, err = self.sluice("run", self.words(), *QUIET)
        self.assertEqual(status, 1)
        self.assertIn("the server certificate was rejected: ", err)
        self.url += f"?ca_file={self.certificate}"
        status, out, err = self.sluice("run", self.words(), *QUIET)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(len(out.split()), 300)
        status, out, _ = self.sluice("queues", self.url)
        self.assertEqual(status, 0)
        self.assertIn("test.words", out)


class Deaths(Remote):
    def test_elements_of_a_process_that_was_killed_go_to_another_one(self):
        file = self.words(200)
        shorter = [option for name in ("numbers", "words")
                   for option in ("--set", f"/queues/{name}/lease=500ms")]
        slow = ("--set", "/runners/split/stage=rate_limit",
                "--set", '/runners/split/options={"per_second": 0.01}')
        read = self.start("run", file, "--runners", "read", *shorter, *QUIET)
        victim = self.start("run", file, "--runners", "split", *shorter, *slow, *QUIET)
        # The limit lets the first one pass at once, so it is the second one that waits there.
        wait_until(lambda: self.redis("EXISTS", "sluice:{test.numbers}:meta") == "1"
                   and (numbers := self.status("test.numbers"))["acknowledged"] > 0
                   and numbers["leased"] > 0)
        victim.kill()
        victim.wait()
        parts = [self.start("run", file, "--runners", part, *shorter, *QUIET)
                 for part in ("split", "show")]
        for process in (read, parts[0]):
            self.finish(process)
        # the one that was killed had written some without the n
        self.assertEqual({word.lstrip("n") for word in self.finish(parts[1])},
                         {str(i) for i in range(1, 201)})
        self.assertGreater(self.status("test.numbers")["redelivered"], 0)


    def test_process_that_is_slow_and_alive_keeps_its_elements(self):
        file = self.describe(
            {name: {"type": "redis", "url": self.url, "capacity": 64, "lease": "300ms"}
             for name in ("numbers", "slowly")},
            [{"name": "read", "stage": "range", "options": {"from": 1, "to": 16}, "to": "numbers"},
             {"name": "slow", "stage": "rate_limit", "options": {"per_second": 20},
              "from": "numbers", "to": "slowly"},
             {"name": "show", "stage": "write", "from": "slowly"}])
        read, slow, another, show = self.run_parts(file, "read", "slow", "slow", "show")
        for process in (read, slow, another):
            self.finish(process)
        self.assertEqual(len(self.finish(show)), 16)
        self.assertEqual(self.status("test.numbers")["redelivered"], 0)


    def test_elements_are_not_to_blame_if_the_queue_behind_them_refuses(self):
        file = self.words(3)
        self.assertEqual(self.sluice("run", file, "--runners", "read", *QUIET)[0], 0)
        self.redis("FCALL", "sluice_1_open", 1, "sluice:{test.words}", "fifo", 64, 5, 0)
        self.redis("FCALL", "sluice_1_close", 1, "sluice:{test.words}")
        for _ in range(7):
            status, _, err = self.sluice("run", file, "--runners", "split", *QUIET)
            self.assertEqual(status, 1)
            self.assertIn("has been closed", err)
        numbers = self.status("test.numbers")
        self.assertEqual((numbers["size"], numbers["dead"], numbers["redelivered"]), (3, 0, 0))

    def test_a_right_that_is_missing_is_told_before_anything_is_done(self):
        self.redis("ACL", "SETUSER", "mute", "on", ">word", "~sluice:{*", "resetchannels", "+@all")
        url = f"{self.url}?user=mute&password=word"
        status, _, err = self.sluice(
            "run", self.words(3), "--set", f"/queues/numbers/url={url}", "--runners", "read", *QUIET)
        self.assertEqual(status, 1)
        self.assertIn("redis::errc::access_denied", err)
        self.assertEqual(self.redis("EXISTS", "sluice:{test.numbers}:meta"), "0")

    def test_priority_that_a_server_would_round_is_refused(self):
        file = self.describe(
            {"a": {"type": "redis", "url": self.url, "kind": "priority", "by": "/p"}},
            [{"name": "put", "stage": "list", "options": {"items": [{"p": 2**53}]}, "to": "a"},
             {"name": "show", "stage": "write", "from": "a"}])
        status, _, err = self.sluice("run", file, *QUIET)
        self.assertEqual(status, 1)
        self.assertIn("no whole number between -2^53 and 2^53", err)

    def test_element_that_cannot_be_read_is_named_and_the_others_do_not_count(self):
        file = self.describe(
            {"a": {"type": "redis", "url": self.url, "max_deliveries": 2}},
            [{"name": "read", "stage": "range", "options": {"from": 1, "to": 5}, "to": "a"},
             {"name": "show", "stage": "write", "from": "a"}])
        self.assertEqual(self.sluice("run", file, "--runners", "read", *QUIET)[0], 0)
        data = "sluice:{test.a}:data"
        which = sorted(self.redis("HKEYS", data).split())[3]
        time = self.redis("HGET", data, which)[:13]
        self.redis("HSET", data, which, time + "\x01?\nbroken")
        error = (f"sluice: show (write): the queue 'a': the element {which}-{time} cannot be read: it is "
                 "not what a pipeline has put there; ")
        self.assertEqual(
            self.sluice("run", file, "--runners", "show", *QUIET),
            (1, "", error + "this was delivery 1 of 2, after which it is a dead letter\n"))
        self.assertEqual(self.status("test.a")["redelivered"], 1)
        self.assertEqual(
            self.sluice("run", file, "--runners", "show", *QUIET),
            (1, "1\n2\n3\n", error + "it is a dead letter now\n"))
        self.assertEqual(
            self.sluice("run", file, "--runners", "show", *QUIET), (0, "5\n", ""))
        self.assertEqual(self.status("test.a")["dead"], 1)

    def test_element_with_one_delivery_takes_no_other_along(self):
        (self.folder / "lines").write_text("1\n2\nno JSON\n4\n5\n")
        remote = {"type": "redis", "url": self.url, "max_deliveries": 1}
        file = self.describe(
            {"lines": remote, "values": remote},
            [{"name": "read", "stage": "read", "options": {"files": ["lines"]},
              "to": "lines"},
             {"name": "parse", "stage": "parse", "options": {"as": "json"}, "from": "lines",
              "to": "values"}, {"name": "show", "stage": "write", "from": "values"}])
        self.assertEqual(self.sluice("run", file, "--runners", "read", *QUIET)[0], 0)
        self.assertEqual(self.sluice("run", file, "--runners", "parse", *QUIET)[0], 1)
        lines = self.status("test.lines")
        self.assertEqual((lines["dead"], lines["size"], lines["acknowledged"]), (1, 2, 2))
        self.assertEqual(
            self.sluice("run", file, "--runners", "parse,show", *QUIET), (0, "1\n2\n4\n5\n", ""))

    def test_only_what_cannot_be_processed_becomes_a_dead_letter(self):
        lines = [f'"{i}"' for i in range(20)]
        (self.folder / "lines").write_text("\n".join(lines[:10] + ["no JSON"] + lines[10:]))
        remote = {"type": "redis", "url": self.url, "max_deliveries": 3}
        file = self.describe(
            {"lines": remote, "values": remote},
            [{"name": "read", "stage": "read", "options": {"files": ["lines"]},
              "to": "lines"},
             {"name": "parse", "stage": "parse", "options": {"as": "json"}, "from": "lines",
              "to": "values", "workers": 4},
             {"name": "show", "stage": "write", "from": "values"}])
        self.assertEqual(self.sluice("run", file, "--runners", "read", *QUIET)[0], 0)
        # Another worker may get it once more before the failure has stopped that run.
        statuses = [1]
        while statuses[-1] == 1 and len(statuses) <= 4:
            statuses.append(self.sluice("run", file, "--runners", "parse", *QUIET)[0])
        self.assertEqual((statuses[1], statuses[-1]), (1, 0))
        status, out, _ = self.sluice("run", file, "--runners", "show", *QUIET)
        # at least once: what a worker had when it was stopped may have been written already
        self.assertEqual((status, set(map(int, out.split()))), (0, set(range(20))))
        self.assertEqual(self.status("test.lines")["dead"], 1)


class LostServer(Remote):
    """The server dies in the middle of a run."""

    arguments = ("--appendonly", "yes", "--appendfsync", "always")

    def run_until_some_are_shown(self, count):
        """Then standard output takes no more, so that the run stays in the middle.

        An answer that is lost with the server may have had elements, which come back after a lease.
        """
        leases = [f"--set=/queues/{name}/lease=1s" for name in ("numbers", "words")]
        process = self.start("run", self.words(count), *leases, *QUIET, pipesize=4096, bufsize=0)
        self.assertEqual(process.stdout.readline(), b"n1\n")
        return process

    def test_result_is_whole_if_it_comes_back_with_what_it_had(self):
        process = self.run_until_some_are_shown(5000)
        self.restart_server()
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, err)
        # at least once: what was shown may not have been acknowledged
        self.assertEqual({"n1", *out.decode().split()}, {f"n{i}" for i in range(1, 5001)})

    def test_acknowledgement_that_the_server_refuses_names_the_queue_and_the_server(self):
        file = self.describe(
            {"numbers": {"type": "redis", "url": self.url, "capacity": 5000}},
            [{"name": "read", "stage": "range", "options": {"from": 1, "to": 5000}, "to": "numbers"},
             {"name": "show", "stage": "write", "from": "numbers"}])
        self.assertEqual(self.sluice("run", file, "--runners", "read", *QUIET)[0], 0)
        # standard output is full before all is shown, so what comes next is an acknowledgement
        process = self.start("run", file, "--runners", "show", *QUIET, pipesize=4096, bufsize=0)
        self.assertEqual(process.stdout.readline(), b"1\n")
        self.arguments += ("--requirepass", "hunter2")
        self.end_server()
        self.socket.unlink()
        self.start_server()
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 1)
        last = err.decode().splitlines()[-1]
        self.assertTrue(last.startswith(
            f"sluice: show (write): the queue 'numbers': redis connection to unix:{self.socket}: "), last)
        self.assertEqual(last.count("redis::errc::access_denied"), 1, last)

    def test_stop_does_not_wait_for_its_return(self):
        process = self.run_until_some_are_shown(10**9)
        self.end_server()
        self.socket.unlink()
        for _ in ("numbers", "words"):
            self.assertIn(b"waiting for the server of the queue", process.stderr.readline())
        process.send_signal(signal.SIGINT)
        self.assertIn(b"draining", process.stderr.readline())
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, err), (130, b"stopping\n"))


class Drain(Remote):
    def test_one_copy_leaves_and_the_others_go_on(self):
        file = self.words(100)
        split, = self.run_parts(file, "split")
        wait_until(lambda: self.redis("EXISTS", "sluice:{test.numbers}:meta") == "1")
        split.send_signal(signal.SIGTERM)
        self.assertEqual(split.wait(timeout=PATIENCE), 130)
        self.assertEqual(self.status("test.words")["closed"], 0)
        read, split, show = self.run_parts(file, "read", "split", "show")
        self.finish(read)
        self.finish(split)
        self.assertEqual(len(self.finish(show)), 100)


    def test_what_waits_for_room_that_its_own_process_makes_goes_in(self):
        process = self.start("run", self.words(10**9), "--drain-limit", "1h", *QUIET, pipesize=4096)
        wait_until(lambda: process.stdout.readline() == b"n1000\n")
        process.send_signal(signal.SIGTERM)
        rest = process.stdout.read().decode().split()
        self.assertEqual(process.wait(timeout=PATIENCE), 130)
        words = self.status("test.words")
        self.assertEqual(words["enqueued"], words["acknowledged"] + words["size"])
        self.assertEqual(rest, [f"n{i}" for i in range(1001, words["acknowledged"] + 1)])


class Feeders(Remote):
    def test_queue_is_closed_when_all_copies_of_all_who_feed_it_have_ended(self):
        file = self.describe(
            {"numbers": {"type": "redis", "url": self.url, "key": "shared"}},
            [{"name": "a", "stage": "range", "options": {"from": 1, "to": 3}, "to": "numbers",
              "copies": 2},
             {"name": "b", "stage": "range", "options": {"from": 7, "to": 9}, "to": "numbers"},
             {"name": "show", "stage": "write", "from": "numbers"}])
        for part in ("a", "b"):
            self.finish(*self.run_parts(file, part))
        self.assertEqual(self.status("shared")["closed"], 0)
        self.finish(*self.run_parts(file, "a"))
        self.assertEqual(self.status("shared")["closed"], 1)
        self.assertEqual(
            sorted(self.finish(*self.run_parts(file, "show"))), list("112233789"))


class Refused(Remote):
    def refusal(self, *arguments):
        status, _, err = self.sluice(*arguments)
        self.assertEqual(status, 2)
        return err

    def test_runner_that_does_not_exist(self):
        err = self.refusal("run", self.words(), "--runners", "read,splt")
        self.assertIn('no runner of the name "splt"', err)
        self.assertIn('did you mean "split"?', err)

    def test_queue_of_this_process_between_parts(self):
        err = self.refusal("run", self.numbers(3), "--runners", "range")
        self.assertIn("/queues/numbers", err)
        self.assertIn('"type": "redis"', err)

    def test_all_addresses_that_no_server_can_have(self):
        file = self.describe(
            {"a": {"type": "redis", "url": "redis://me:hunter2@localhost:99999"},
             "b/c": {"type": "redis", "url": "rediss://h?verify=maybe"}},
            [{"stage": "range", "options": {"to": 3}, "to": ["a", "b/c"]},
             {"name": "1", "stage": "write", "from": "a"},
             {"name": "2", "stage": "write", "from": "b/c"}])
        for command in ("check", "run", "graph"):
            first, second = self.refusal(command, file).splitlines()
            self.assertRegex(first, r"pipeline.json: line \d+, /queues/a/url: "
                             'found "redis://...@localhost:99999", expected redis://user:')
            self.assertTrue(first.endswith("; it has a port that is not a number up to 65535"))
            self.assertRegex(second, r"pipeline.json: line \d+, /queues/b~1c/url: ")
            self.assertNotIn("hunter2", first)

    def test_what_is_acknowledged_before_it_is_safe(self):
        queues = {"a": {"type": "redis", "url": self.url}, "b": {}}
        read = {"stage": "range", "options": {"to": 3}, "to": "a"}
        err = self.refusal("check", self.describe(
            queues, [read, {"stage": "jq", "options": {"program": "."}, "from": "a", "to": "b"},
                     {"stage": "write", "from": "b"}]))
        self.assertIn("/runners/1/to", err)
        del queues["b"]
        count = {"stage": "count", "from": "a"}
        err = self.refusal("check", self.describe(queues, [read, count]))
        self.assertIn("/runners/1/stage", err)
        allowed = self.describe(queues, [read, {**count, "acknowledge": "taken"}])
        self.assertEqual(self.sluice("check", allowed)[0], 0)

    def test_values_of_a_queue(self):
        for wrong in ({"url": "localhost"}, {"url": self.url, "key": "{a}"}, {},
                      {"url": self.url, "capacity": "1 MiB"}, {"url": self.url, "kind": "lifo"},
                      {"url": self.url, "by": "/a"}, {"url": self.url, "lease": "1ms"}):
            file = self.describe(
                {"a": {"type": "redis", **wrong}},
                [{"stage": "range", "options": {"to": 3}, "to": "a"},
                 {"stage": "write", "from": "a"}])
            self.assertIn("/queues/a", self.refusal("check", file), wrong)


class FullServer(Remote):
    arguments = ("--maxmemory", "3mb")

    def test_server_without_memory_is_an_error(self):
        file = self.describe(
            {"a": {"type": "redis", "url": self.url, "capacity": 1_000_000}},
            [{"stage": "range", "options": {"to": 1_000_000}, "to": "a"},
             {"stage": "write", "from": "a"}])
        status, _, err = self.sluice("run", file, "--runners", "range", *QUIET)
        self.assertEqual(status, 1)
        self.assertIn("range: ", err)
        self.assertIn("raise maxmemory", err)


class DeniedRights(Remote):
    def test_user_without_rights_is_an_error(self):
        self.redis("ACL", "SETUSER", "reader", "on", ">secret", "~*", "&*", "+@read")
        file = self.words(3)
        url = f"{self.url}?user=reader&password=secret"
        status, _, err = self.sluice(
            "run", file, "--set", f"/queues/numbers/url={url}", "--runners", "read", *QUIET)
        self.assertEqual(status, 1)
        self.assertIn("sluice: read (range): the queue 'numbers': redis connection to unix:", err)
        self.assertIn("redis::errc::access_denied", err)
        self.assertNotIn("secret", err)

    def test_right_to_keys_that_is_missing_names_the_queue_and_the_server(self):
        self.redis("ACL", "SETUSER", "other", "on", ">secret", "~other*", "&*", "+@all")
        url = f"{self.url}?user=other&password=secret"
        status, _, err = self.sluice(
            "run", self.words(3), "--set", f"/queues/numbers/url={url}", "--runners", "read", *QUIET)
        self.assertEqual(status, 1)
        self.assertTrue(err.startswith(
            f"sluice: read (range): the queue 'numbers' on {self.url}: redis queue 'test.numbers': "), err)
        self.assertIn("rights in docs/guide/redis.md#run-the-server", err)


if __name__ == "__main__":
    main()
