"""Hostile requests and texts to the live view: it goes on, no setting is changed, nothing leaks. Frames are the library's to read.

python3 -m common.tests live.tests.hostile_test PROGRAM [COUNT]"""

import json
import os
import random
import socket
import sys
import unittest
from pathlib import Path

from common.live.tests.client import Live
from common.tests.tools.case import skip_without_websockets, wait_until

PROGRAM = sys.argv.pop(1)
COUNT = int(sys.argv.pop(1)) if sys.argv[1:] and sys.argv[1].isdigit() else 400
SEED = 23
setUpModule = skip_without_websockets
NUMBERS = ["1e999", "-1e999", "1e308", "-1", "0", "0.0", "-0", "18446744073709551616", "9223372036854775808", "1e-400", "1.5",
           "99999999999999999999999999", "NaN", "Infinity", "null", "true", '"1"', "[]", "{}", "[[1]]", '"\\ud800"', '"\\u0000"']


class Hostile:
    """Makes what is sent. The same seed always gives the same."""

    def __init__(self, live):
        self.live, self.random = live, random.Random(SEED)

    def request(self):
        """Most of them wrong, none with a right."""
        pick, right = self.random.choice, self.live.control
        token = pick(("", "0" * 32, right[:-1], right + "0", right.upper() + "x", "%00" * 8, "a" * 5000, right[:16] * 2))
        target = pick(("/?token=", "/socket?token=", "/../../etc/passwd?token=", "*", "http://a/?token=")) + token
        head = [f"{pick(('GET', 'GET', 'POST', 'CONNECT', 'G' + chr(0) + 'T'))} {target} {pick(('HTTP/1.1', 'HTTP/9', ''))}"]
        head += [f"Host: {pick(('localhost', 'example.org', '', '[::1', 'a' * 300))}"] * pick((1, 1, 0, 2))
        head += pick(([], ["Origin: null", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                           f"Sec-WebSocket-Key: {pick(('dGhlIHNhbXBsZSBub25jZQ==', 'x' * 100))}"]))
        head += pick(([], ["Content-Length: -1"], ["Transfer-Encoding: chunked", "", "f" * 16], ["X: " + "y" * 9000], [": "],
                      ["A: 1"] * 500))
        return "\r\n".join(head).encode() + pick((b"\r\n\r\n", b"\n\n", b"", bytes(self.random.choices(range(256), k=40))))

    def message(self):
        """A text that no order is."""
        pick, number = self.random.choice, self.random.choice(NUMBERS)
        setting = pick(("dt", "softening", "bodies", "seed", "scene", "colour", "stepsPerFrame", "__proto__", "theta"))
        if setting == "seed" and number in ("0", "-0") or setting == "stepsPerFrame" and number in ("0", "-0"):
            number = "-1"
        if setting in ("dt", "softening") and number == "1.5":
            number = "-1.5"
        return pick((f'{{"set":{{"{setting}":{number}}}}}', f'{{"set":{{"dt":0.5,"{setting}":{number},"thing":1}}}}', '{"set":{"dt":0.5}',
                     f'{{"climb":{pick(("-1", "12", "1.5", "1e9", "[]", number if number not in ("0", "-0") else "-1"))}}}',
                     f'{{"do":{number}}}', '{"do":"play","set":{}}', "[" * self.random.randrange(4000),
                     '{"a":' * self.random.randrange(700), number, "", json.dumps({"do": "x" * self.random.randrange(4000)})))


class TheServer(unittest.TestCase):
    def descriptors(self):
        return len(list(Path(f"/proc/{self.live.process.pid}/fd").iterdir()))

    def resident(self):
        """The resident memory of the server and of the program."""
        pages = [int(Path(f"/proc/{process}/statm").read_text().split()[1])
                 for process in (self.live.process.pid, self.live.program())]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE")

    def talk(self, sent):
        """Sends it, and reads what comes until the other side ends it or says nothing for a while."""
        with self.live.connect() as connection:
            connection.settimeout(0.02)
            try:
                connection.sendall(sent)
                if self.hostile.random.random() < 0.9:
                    connection.shutdown(socket.SHUT_WR)
                while connection.recv(1 << 16):
                    pass
            except OSError:
                pass

    def annoy(self, count):
        """On a WebSocket that has a right."""
        hostile = self.hostile
        with self.live.view(hostile.random.choice((self.live.control, self.live.watch))) as viewer:
            try:
                for _ in range(count):
                    viewer.send(hostile.message()[:4096])
            except OSError:
                pass

    def test_hostile_clients(self):
        self.live = Live(self, PROGRAM, "--bodies", 100)
        self.hostile = Hostile(self.live)
        with self.live.view() as viewer:
            viewer.send({"do": "pause"})
            viewer.next("run", lambda run: not run["playing"])
        start, _ = self.live.see()
        sent = 0
        marks = []
        while sent < COUNT:
            for _ in range(min(100, COUNT - sent)):
                if self.hostile.random.random() < 0.8:
                    self.talk(self.hostile.request())
                    sent += 1
                else:
                    few = self.hostile.random.randrange(1, 30)
                    self.annoy(few)
                    sent += few
            self.assertEqual(self.live.see()[0], start)
            marks.append((self.descriptors(), self.resident()))
        wait_until(lambda: self.descriptors() <= marks[0][0])
        self.assertLess(marks[-1][1] - marks[len(marks) // 10][1], 32 << 20)
        print(f"{sent} requests and texts; descriptors {marks[0][0]} to {self.descriptors()}, "
              f"resident {marks[0][1] >> 20} to {self.resident() >> 20} MiB")
        self.assertEqual(self.live.end(), 0, self.live.error)
        self.assertEqual(self.live.error, "")
