# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

"""`sluice queues`: what is on a server, and what is done with it."""

import fcntl
import json
import os
import pty
import socket
import struct
import termios
import threading

from program import main, wait_until
from redis_server import RedisTest

QUIET = ("--report", "none", "--progress", "none")
HEADS = "queue size dead letters leased state age redelivered capacity"


class QueuesTest(RedisTest):
    def fill(self, count=5, lines=(), **of_queue):
        """Numbers, or what the lines of JSON say, wait in the queue test.a."""
        source = {"stage": "range", "options": {"from": 1, "to": count}}
        if lines:
            self.write("lines", "\n".join(lines))
            source = {"stage": "read", "options": {"files": ["lines"], "format": "json_lines"}}
        file = self.describe(
            {"a": {"type": "redis", "url": self.url, **of_queue}},
            [{"name": "read", "to": "a", **source},
             {"name": "show", "stage": "write", "from": "a"}])
        self.assertEqual(self.sluice("run", file, "--runners", "read", *QUIET), (0, "", ""))
        return file

    def queues(self, *arguments, status=0):
        """What it prints, and its messages."""
        result, out, err = self.sluice("queues", self.url, *arguments)
        self.assertEqual(result, status, err)
        return out, err

    def give_up(self, count=1):
        """The next elements of test.a, whose max_deliveries is 1, are dead letters then."""
        for _ in range(count):
            taken = self.redis("FCALL", "sluice_1_dequeue", 1, "sluice:{test.a}", 100_000, 1, 1, 0)
            which = taken.split("\n")[2]
            self.redis("FCALL", "sluice_1_settle", 1, "sluice:{test.a}", 1, "r", which, 1)

    def listed(self):
        return json.loads(self.queues("--json")[0])


class List(QueuesTest):
    def test_server_without_queues(self):
        self.assertEqual(self.queues()[0], f"there are no queues on {self.url}\n")
        self.assertEqual(self.listed(), [])

    def test_each_queue_is_a_line(self):
        self.fill(3, capacity=64)
        heads, values = self.queues("list")[0].splitlines()
        self.assertEqual(heads.split(), HEADS.split())
        self.assertRegex(values, r"^test\.a +3 +0 +0 +closed +[0-9.]+ s +0 +64$")

    def test_json_has_all_of_it(self):
        self.fill(3, capacity=64, max_deliveries=7)
        one, = self.listed()
        self.assertGreaterEqual(one.pop("age_seconds"), 0)
        self.assertEqual(one, {
            "name": "test.a", "kind": "fifo", "closed": True, "size": 3, "capacity": 64,
            "leased": 0, "enqueued": 3, "acknowledged": 0, "redelivered": 0, "dead": 0,
            "dead_letters": 0, "lost": 0, "max_deliveries": 7, "min_after_dequeue": 0,
            "retry_delay_seconds": 0.0, "max_retry_delay_seconds": 0.0})

    def test_unknown_name_is_refused(self):
        self.fill()
        for action in ("list", "peek", "drain", "requeue", "close", "delete"):
            out, err = self.queues(action, "test.b", status=2)
            self.assertEqual(out, "")
            self.assertIn('there is no queue "test.b"; did you mean "test.a"?', err)

    def test_key_of_another_program_is_no_queue(self):
        self.fill()
        self.redis("SET", "sluice:{b}:meta", "a text")
        self.assertEqual([each["name"] for each in self.listed()], ["test.a"])

    def test_name_cannot_drive_the_terminal(self):
        self.fill()
        self.redis("FCALL", "sluice_1_open", 1, "sluice:{a\x1b[2J}", "fifo", 5, 5, 0)
        self.assertIn("a\\x1b[2J", self.queues()[0])


class NarrowTerminal(QueuesTest):
    def on_terminal(self, columns):
        """The two lines on a terminal with so many columns, which does not tell its lines."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 0, columns, 0, 0))
        self.assertEqual(self.sluice("queues", self.url, stdout=theirs)[0], 0)
        os.close(theirs)
        seen = os.read(ours, 4096).decode()
        os.close(ours)
        return seen.splitlines()

    def test_dead_letters_and_the_ends_of_long_names_are_shown(self):
        self.fill(key="the_queue_of_the_numbers")
        self.assertEqual(self.on_terminal(120)[0].split(), HEADS.split())
        for columns, heads in ((80, "queue size dead letters leased state age redelivered capacity"),
                               (60, "queue size dead letters leased state age"),
                               (40, "queue size dead letters leased")):
            lines = self.on_terminal(columns)
            self.assertEqual(lines[0].split(), heads.split())
            self.assertLessEqual(max(map(len, lines)), columns)
        self.assertEqual(lines[1].split()[0], "...e_numbers")


class Drain(QueuesTest):
    def test_says_how_many_were_discarded(self):
        self.fill(250)
        self.assertEqual(
            self.queues("drain", "test.a"), ("test.a: 250 elements discarded\n", ""))
        self.assertEqual(self.listed()[0]["size"], 0)
        self.assertEqual(self.queues("drain", "test.a")[0], "test.a: 0 elements discarded\n")

    def test_elements_are_printed_as_lines(self):
        lines = ['"a text"', '{"b":1.50}', '[1,"\u00e9"]']
        self.fill(lines=lines)
        out, err = self.queues("drain", "--json", "test.a")
        self.assertEqual(out.splitlines(), lines)
        self.assertEqual(err, "test.a: 3 elements printed\n")

    def test_bytes_that_no_pipeline_has_put_there(self):
        self.fill(1)
        data = "sluice:{test.a}:data"
        which = self.redis("HKEYS", data)
        time = self.redis("HGET", data, which)[:13]
        self.redis("HSET", data, which, time + "\x01?\nbroken")
        self.assertEqual(self.queues("drain", "--json", "test.a")[0],
                         json.dumps("\x01?\nbroken") + "\n")

    def test_priorities_decide_the_order(self):
        self.fill(lines=["3", "1", "2"], kind="priority")
        self.assertEqual(self.queues("drain", "--json", "test.a")[0], "1\n2\n3\n")

    def test_what_consumers_have_stays(self):
        self.fill(5)
        self.redis("FCALL", "sluice_1_dequeue", 1, "sluice:{test.a}", 100_000, 1, 2, 0)
        self.assertEqual(self.queues("drain", "test.a")[0], "test.a: 3 elements discarded\n")
        one, = self.listed()
        self.assertEqual((one["size"], one["leased"]), (2, 2))

    def test_peek_at_a_queue_that_has_lost_what_a_consumer_has(self):
        self.fill(1)
        self.redis("FCALL", "sluice_1_dequeue", 1, "sluice:{test.a}", 100_000, 1, 1, 0)
        self.redis("DEL", "sluice:{test.a}:data")
        self.assertEqual(self.queues("peek", "test.a")[0], "")

    def test_what_cannot_be_printed_goes_back(self):
        self.fill(5)
        with open("/dev/full", "w", encoding="utf-8") as full:
            status, _, err = self.sluice(
                "queues", self.url, "drain", "--json", "test.a", stdout=full)
        self.assertEqual(status, 1)
        self.assertIn("standard output: No space left on device", err)
        one, = self.listed()
        self.assertEqual((one["size"], one["leased"], one["redelivered"]), (5, 0, 0))

    def test_dead_letters_only(self):
        self.fill(2, max_deliveries=1)
        self.give_up()
        self.assertEqual(self.listed()[0]["dead_letters"], 1)
        self.assertEqual(
            self.queues("drain", "--dead", "--json", "test.a"),
            ("1\n", "test.a: 1 dead letter printed\n"))
        one, = self.listed()
        self.assertEqual((one["size"], one["dead_letters"]), (1, 0))


class Peek(QueuesTest):
    def test_shows_what_leaves_next_and_takes_nothing(self):
        self.fill(12)
        lines = self.queues("peek", "test.a")[0].splitlines()
        self.assertEqual([json.loads(line)["element"] for line in lines], list(range(1, 11)))
        self.assertEqual(
            self.queues("peek", "--count", "2", "--json", "test.a")[0],
            '{"deliveries":0,"reason":null,"element":1}\n{"deliveries":0,"reason":null,"element":2}\n')
        self.assertEqual(self.queues("drain", "test.a")[0], "test.a: 12 elements discarded\n")
        self.assertEqual(self.queues("peek", "test.a")[0], "")

    def test_dead_letters_have_their_deliveries_and_the_reason(self):
        self.fill(lines=['{"b":1.50}', "2"], max_deliveries=1)
        self.give_up()
        line = '{"deliveries":1,"reason":"its consumer returned it","element":{"b":1.50}}\n'
        self.assertEqual(self.queues("peek", "--dead", "test.a")[0], line)
        self.assertEqual(self.queues("peek", "--dead", "--json", "test.a")[0], line)
        self.assertEqual(self.listed()[0]["dead_letters"], 1)

    def test_element_cannot_drive_the_terminal(self):
        self.fill(lines=['"a\\u001b[2J\\u202e"'])
        self.assertIn(r"a\u001b[2J\u202e", self.queues("peek", "test.a")[0])

    def test_count_is_a_whole_number_above_0(self):
        for count in ("0", "-1", "two", "1.5"):
            self.assertIn("not in range 1 to",
                          self.queues("peek", f"--count={count}", "a", status=2)[1])
        self.assertIn("--count requires peek or requeue",
                      self.queues("drain", "--count", "1", "a", status=2)[1])


class Requeue(QueuesTest):
    def test_dead_letters_are_elements_again(self):
        self.fill(4, max_deliveries=1)
        self.give_up(3)
        self.assertEqual(self.queues("requeue", "--count", "1", "test.a")[0],
                         "test.a: 1 dead letter requeued, 2 left\n")
        self.assertEqual(self.queues("requeue", "test.a")[0],
                         "test.a: 2 dead letters requeued, 0 left\n")
        self.assertEqual(self.queues("drain", "--json", "test.a")[0], "4\n1\n2\n3\n")

    def test_letters_for_which_there_is_no_room_stay(self):
        self.fill(2, max_deliveries=1, capacity=2)
        self.give_up(2)
        self.redis("FCALL", "sluice_1_open", 1, "sluice:{test.a}", "fifo", 2, 1, 0, 0, 0)
        self.redis("HSET", "sluice:{test.a}:meta", "closed", 0)
        self.redis("FCALL", "sluice_1_enqueue", 1, "sluice:{test.a}", "p:9", 1, 1, 9, 0)
        self.assertEqual(self.queues("requeue", "test.a")[0],
                         "test.a: 1 dead letter requeued, 1 left\n")

    def test_pipeline_works_off_what_was_put_back(self):
        file = self.fill(3, max_deliveries=1)
        self.give_up(3)
        self.queues("requeue", "test.a")
        self.assertEqual(
            self.sluice("run", file, "--runners", "show", *QUIET), (0, "1\n2\n3\n", ""))


class Close(QueuesTest):
    def test_queue_is_closed_for_all(self):
        file = self.fill(3)
        self.queues("delete", "--force", "test.a")
        show = self.start("run", file, "--runners", "show", *QUIET)
        wait_until(lambda: self.listed() != [])
        self.assertEqual(self.queues("close", "test.a")[0], "test.a: closed, 0 elements left\n")
        self.assertEqual(show.communicate()[0], b"")
        self.assertEqual(show.returncode, 0)


class Delete(QueuesTest):
    def test_pipeline_runs_anew(self):
        file = self.fill(3)
        _, err = self.queues("delete", "test.a", status=2)
        self.assertIn('"test.a" has 3 elements and 0 dead letters; drain it, or use --force', err)
        self.queues("drain", "test.a")
        self.assertEqual(self.queues("delete", "test.a")[0], "test.a: deleted\n")
        self.assertEqual(self.listed(), [])
        self.assertEqual(
            self.sluice("run", file, *QUIET), (0, "1\n2\n3\n", ""))

    def test_force_does_not_ask(self):
        self.fill()
        self.assertEqual(
            self.queues("delete", "--force", "test.a", "b")[0],
            "test.a: deleted\nb: was not there\n")

    def test_all_are_looked_at_before_one_is_deleted(self):
        self.fill()
        self.queues("drain", "test.a")
        self.queues("delete", "test.a", "b", status=2)
        self.assertEqual(len(self.listed()), 1)


class Refused(QueuesTest):
    def test_address_that_makes_no_sense(self):
        status, _, err = self.sluice("queues", "list")
        self.assertEqual(status, 2)
        self.assertIn("the address 'list' begins with none of redis://, rediss:// and unix:", err)

    def test_server_that_is_not_there(self):
        self.end_server()
        status, _, err = self.sluice("queues", self.url)
        self.assertEqual(status, 1)
        self.assertIn(self.url, err)

    def test_right_that_is_missing(self):
        self.redis("ACL", "SETUSER", "poor", "on", ">secret", "~*", "&*", "+@connection")
        status, _, err = self.sluice("queues", f"{self.url}?user=poor&password=secret")
        self.assertEqual(status, 1)
        self.assertIn("redis::errc::access_denied", err)
        self.assertNotIn("secret", err)

    def check_refusal(self, options, remedy, *arguments):
        status, _, err = self.sluice("queues", f"{self.url}?{options}", *arguments)
        self.assertEqual(status, 1)
        self.assertTrue(err.startswith(f"sluice: redis connection to {self.url}: "), err)
        self.assertIn(remedy, err)

    def user(self, name, *rights):
        self.redis("ACL", "SETUSER", name, "on", ">secret", *rights)
        return f"user={name}&password=secret"

    def test_each_refusal_names_the_server_and_what_to_do(self):
        self.fill()
        self.check_refusal("database=99", "; name another database in the address")
        self.check_refusal("password=secret", "; take the password out of the address")
        stranger = self.user("stranger", "~*", "&*", "+@connection")
        self.check_refusal(stranger.replace("secret", "guess"), "; correct the address")
        self.check_refusal(stranger, "; the user lacks the right +fcall: ")
        lister = self.user("lister", "~*", "&*", "+@all", "-scan")
        self.check_refusal(lister, "; the user lacks the right +scan: ")
        other = self.user("other", "~sluice:{b}*", "&*", "+@all")
        self.check_refusal(other, "; the user lacks the right ~sluice:{*: ")
        self.check_refusal(other, "rights in docs/guide/redis.md#run-the-server")
        mute = self.user("mute", "~*", "resetchannels", "+@all")
        status, _, err = self.sluice("queues", f"{self.url}?{mute}", "drain", "test.a")
        self.assertEqual(status, 1)
        self.assertIn("channel", err)  # to publish, or to subscribe
        self.redis("CONFIG", "SET", "requirepass", "secret")
        self.check_refusal("database=0", "; write the password into the address")

    def test_server_that_does_not_speak_the_protocol_is_named(self):
        def answer(server):
            client, _ = server.accept()
            with client:
                client.recv(4096)
                client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                client.recv(4096)  # or what it has sent may be lost with the connection

        with socket.create_server(("127.0.0.1", 0)) as server:
            thread = threading.Thread(target=answer, args=(server,))
            thread.start()
            url = f"redis://127.0.0.1:{server.getsockname()[1]}"
            status, _, err = self.sluice("queues", url)
            thread.join()
        self.assertEqual(status, 1)
        self.assertTrue(err.startswith(f"sluice: redis connection to {url}: not the Redis protocol: "), err)
        self.assertIn("see that the address is that of a Redis server", err)


if __name__ == "__main__":
    main()
