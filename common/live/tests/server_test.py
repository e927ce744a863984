"""The live view of real programs: who is served, what is told, what is obeyed and what is refused."""

import signal
import subprocess
import sys
import unittest
from pathlib import Path

from common.live.tests.client import Live
from common.tests.tools.case import HANG, CommandTest, called, skip_without_websockets, wait_until

BUILD = Path(sys.argv.pop(1))
SIMD = BUILD / "common" / "simd"
STEP = BUILD / "01_naive" / "01_naive"
FEW = ("--bodies", 300, "--scene", "merger")
setUpModule = skip_without_websockets


class Requests(unittest.TestCase):
    def setUp(self):
        self.live = Live(self, SIMD, *FEW)

    def expect(self, status, target, **options):
        self.assertEqual(self.live.get(target, **options)[0], status, target)

    def test_only_the_page_and_only_with_a_token(self):
        status, headers, page = self.live.get(f"/?token={self.live.token}")
        self.assertEqual(status, 200)
        self.assertIn("</html>", page)
        self.assertIn("default-src 'none'", headers["content-security-policy"])
        self.assertIn("frame-ancestors 'none'", headers["content-security-policy"])
        self.assertEqual((headers["cache-control"], headers["referrer-policy"]), ("no-store", "no-referrer"))
        wrong = "0" * 32
        for target in ("/", "/?token=", f"/?token={wrong}", f"/?token={self.live.token}0", f"/?x=1&token={self.live.token}",
                       f"/socket?token={wrong}"):
            status, _, text = self.live.get(target)
            self.assertEqual((status, text.count("\n")), (403, 1), target)
        for target in ("/etc/passwd", "/../../etc/passwd", f"/live.js?token={self.live.token}"):
            self.expect(404, target)
        post = f"POST /?token={self.live.token} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        self.assertIn(self.live.ask(post)[0], (None, 400, 405))  # None: the connection is closed

    def test_only_under_its_own_names(self):
        page = f"/?token={self.live.token}"
        self.expect(200, page, host="localhost:1")
        self.expect(403, page, host=f"example.org:{self.live.port}")
        self.expect(403, page, more="Host: localhost\r\n")  # two

    def test_a_socket_is_for_its_own_page_alone(self):
        for options in ({"origin": "http://example.org"}, {"origin": "null"}, {"host": "example.org"}, {"token": "0" * 32}):
            with self.live.view(**options) as viewer:
                self.assertEqual(viewer.status, 403, options)
        with self.live.view(host="localhost:1234") as viewer:  # as behind ssh -L
            self.assertEqual(viewer.status, 101)

    def test_limits(self):
        files = Path(f"/proc/{self.live.process.pid}/fd")
        open_before = len(list(files.iterdir()))
        self.assertIn(self.live.get("/", more=f"X: {'x' * 9000}\r\n")[0], (None, 400, 431))
        idle = [self.live.connect() for _ in range(80)]
        for connection in idle[:40]:
            connection.sendall(b"GET / HTTP/1.1\r\nHost:")
        self.expect(200, f"/?token={self.live.token}")  # those who send nothing, or too slowly, keep nobody out
        for connection in idle:
            connection.close()
        for number, message, code in ((1, "x" * 5000, 1009), (130, {"do": "play"}, 1008)):
            with self.live.view() as viewer:
                for _ in range(number):
                    viewer.send(message)
                while (end := viewer.receive())[0] not in (8, None):
                    pass
                self.assertEqual(end[1], code)
        wait_until(lambda: len(list(files.iterdir())) <= open_before)  # nothing of all that has stayed
        statuses = [self.enterContext(self.live.view()).status for _ in range(34)]
        self.assertIn(statuses.count(101), (31, 32))  # one of those above may not be gone yet
        self.assertEqual(statuses[-1], 503)
        self.expect(200, f"/?token={self.live.token}")


class Telling(unittest.TestCase):
    def test_frames_numbers_and_the_ladder(self):
        live = Live(self, SIMD, *FEW)
        with live.view() as viewer, live.view() as other:
            run = viewer.next("run")
            self.assertEqual((run["program"], run["bodies"], run["shown"]), ("simd", 300, 300))
            self.assertEqual([part["first"] for part in run["components"][:2]], [0, 25])
            self.assertEqual(other.next("run"), run)
            first, second = viewer.frame(), viewer.frame()
            self.assertEqual((first.magic, first.count, first.flags), (b"NBL1", 300, 0))
            self.assertGreater(second.time, first.time)
            viewer.send({"set": {"colour": "speed"}})
            while not (coloured := viewer.frame()).flags:
                pass
            self.assertEqual(len(coloured.colours), 8 + 300)
            numbers = viewer.next("numbers", lambda numbers: numbers["error"])
            self.assertLess(numbers["error"]["median"], 1e-5)
            self.assertGreater(numbers["interactionsPerSecond"], 0)
            self.assertEqual(numbers["viewers"], 2)
            row = viewer.next("ladder")["rows"][0]
            self.assertEqual((row["program"], row["key"], row["kind"]), ("simd", 0, "host"))

    def test_the_executor_has_no_speed(self):
        with Live(self, STEP, *FEW).view() as viewer:
            kind = viewer.next("run")["kind"]
            numbers = viewer.next("numbers", lambda numbers: numbers["error"])
            if kind == "executor":
                self.assertEqual([numbers[name] for name in ("stepsPerSecond", "interactionsPerSecond", "gflops", "ceilingShare")],
                                 [None] * 4)

    def test_who_reads_nothing_costs_nothing(self):
        live = Live(self, SIMD, "--bodies", 8000, "--scene", "plummer")
        silent = live.view()
        with live.view() as viewer:
            viewer.send({"do": "pause"})
            before = viewer.next("numbers")
            viewer.send({"set": {"bodies": 2000, "stepsPerFrame": 1}})
            viewer.send({"do": "play"})
            for _ in range(150):
                viewer.frame()
            viewer.next("numbers", lambda numbers: numbers["framesDropped"] > before["framesDropped"])
        silent.close()

    def test_a_killed_viewer_and_the_end(self):
        for last in (signal.SIGTERM, signal.SIGINT):
            live = Live(self, SIMD, *FEW)
            viewer = live.view()
            viewer.frame()
            viewer.socket.setsockopt(1, 13, b"\1\0\0\0\0\0\0\0")  # SO_LINGER 0: a reset, as of a killed process
            viewer.close()
            with live.view() as other:
                other.next("numbers", lambda numbers: numbers["viewers"] == 1)
                live.process.send_signal(last)
                live.process.wait(HANG)  # a second signal would end it at once
                self.assertEqual(live.end(), 0)
            self.assertEqual(live.error, "")


class Obeying(unittest.TestCase):
    def setUp(self):
        self.live = Live(self, SIMD, *FEW)
        self.viewer = self.enterContext(self.live.view())
        self.run = self.viewer.next("run")

    def refused(self, message):
        self.viewer.send(message)
        return self.viewer.next("refused")

    def test_refusals_change_nothing(self):
        for what, message in {
                "dt": {"set": {"dt": -1}}, "softening": {"set": {"softening": 0}}, "bodies": {"set": {"bodies": 10**9}},
                "seed": {"set": {"seed": 2**64 - 1}}, "scene": {"set": {"scene": "nowhere"}}, "thing": {"set": {"thing": 1}},
                "colour": {"set": {"colour": "red"}}, "stepsPerFrame": {"set": {"dt": 0.5, "stepsPerFrame": 1.5}},
                "set": {"set": {}}, "do": {"do": "jump"}, "climb": {"climb": 12}, "message": {"do": "play", "climb": 1}}.items():
            refusal = self.refused(message)
            self.assertEqual((refusal["what"], refusal["why"].count("\n")), (what, 0), message)
        for text in ("", "{", "[]", "[" * 4000, '{"set":{"dt":NaN}}', '{"set":{"dt":1e999}}', '{"set":{"bodies":"9"}}', "\udcff".encode(
                "utf-8", "surrogateescape").decode("latin-1"), '{"set":{"dt":null}}', '{"set":{"scene":"two-body","bodies":5}}'):
            self.refused(text)
        self.viewer.send({"set": {"colour": "speed"}})
        after = self.viewer.next("run")
        self.assertEqual({**after, "colour": 0}, {**self.run, "colour": 0})

    def test_settings_and_reset(self):
        self.viewer.send({"do": "pause"})
        self.viewer.next("run")
        self.viewer.send({"do": "reset"})
        self.viewer.next("run")
        start = self.viewer.frame()
        while start.time > 0:
            start = self.viewer.frame()
        self.viewer.send({"do": "step"})
        self.assertEqual(self.viewer.frame().time, 1 / 16)
        self.viewer.send({"set": {"dt": 0.5}})
        self.viewer.frame()
        self.viewer.send({"do": "step"})
        self.assertEqual(self.viewer.frame().time, 1 / 16 + 0.5)  # it went on from where it was
        self.viewer.send({"set": {"seed": 2}})
        other = self.viewer.frame()
        self.assertEqual(other.time, 0)
        self.assertNotEqual(other.numbers, start.numbers)
        self.viewer.send({"set": {"seed": 1}})
        self.assertEqual(self.viewer.frame().numbers, start.numbers)
        self.viewer.send({"set": {"scene": "solar"}})
        self.assertEqual(self.viewer.frame().count, 9)


class Starting(CommandTest):
    def test_a_program_alone_names_the_command(self):
        for option in ("--live", "--live=8750", "--live=0,1"):
            self.expect_refusal(subprocess.run([SIMD, option], capture_output=True, text=True), "type ./run live")

    def test_what_the_server_or_its_program_refuses(self):
        live = Live(self, SIMD, *FEW)
        for why, *words in ((f"--port: {live.port} is in use", f"--port={live.port}", "--", SIMD),
                            ("--address: 192.0.2.1: ", "--address=192.0.2.1", "--", SIMD),
                            ("--bodies", "--", SIMD, "--bodies=0")):
            self.expect_refusal(called("live.serve", *words), why)
