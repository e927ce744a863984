"""A viewer of the live view without a browser: HTTP and WebSocket with the standard library's sockets."""

import base64
import json
import os
import re
import socket
import struct
import subprocess
import time

from common.base.command_line import script
from common.tests.tools.case import HANG, wait_until


class Served:
    """A server and its live run in another process."""

    def __init__(self, program, *options, port=0, **streams):
        words = [*script("live.serve"), f"--port={port}", "--", program, *map(str, options)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, **streams)
        self.link = None
        while not self.link:
            line = self.process.stdout.readline()
            if not line:
                said = self.process.communicate()[1] or ""
                raise RuntimeError(f"{program} ended with status {self.process.returncode}{said and f': {said}'}")
            self.link = next(iter(re.findall(r"http://\S+", line)), None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Stops the server, and returns its exit status."""
        self.process.terminate()
        self.process.stdout.close()
        return self.process.wait(HANG)


class Live(Served):
    """A live run and its server, which end with the test."""

    def __init__(self, test, program, *options, port=0):
        super().__init__(program, *options, port=port, stderr=subprocess.PIPE)
        test.addCleanup(self.end)
        self.port = int(re.search(r":(\d+)/", self.link)[1])
        self.token = self.link.split("token=")[1]

    def program(self):
        """Returns the process that computes: the server's only child, after others have ended."""
        def children():
            return subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()

        wait_until(lambda: len(children()) == 1)
        return int(children()[0])

    def end(self):
        """Ends the server, and returns its exit status."""
        if self.process.poll() is None:
            self.process.terminate()
        status = self.process.wait(HANG)
        self.error = self.error if hasattr(self, "error") else self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        return status

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=HANG)

    def get(self, target, host=None, more=""):
        """Returns (status, headers, body) of a GET."""
        return self.ask(f"GET {target} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{self.port}'}\r\n{more}\r\n".encode())

    def ask(self, request):
        with self.connect() as connection:
            connection.sendall(request)
            answer = b""
            while part := connection.recv(1 << 16):
                answer += part
        if not answer:
            return None, {}, ""
        head, _, body = answer.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        return int(lines[0].split()[1]), dict(line.lower().split(": ", 1) for line in lines[1:]), body.decode()

    def see(self):
        """Returns what a new viewer is shown first: the run, and a frame."""
        with self.view() as viewer:
            return viewer.next("run"), viewer.frame()

    def view(self, token=None, **options):
        return Viewer(self, token or self.token, **options)


class Viewer:
    """A viewer's WebSocket."""

    def __init__(self, live, token, host=None, origin=None):
        self.socket = live.connect()
        host = host or f"127.0.0.1:{live.port}"
        self.socket.sendall((f"GET /socket?token={token} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin or 'http://' + host}\r\n"
                             "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                             f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n").encode())
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        while self.file.readline() not in (b"\r\n", b""):
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.file.close()
        self.socket.close()

    def send(self, message):
        self.send_bytes(1, (message if isinstance(message, str) else json.dumps(message)).encode())

    def send_bytes(self, kind, payload):
        mask = os.urandom(4)
        length = bytes([128 | len(payload)]) if len(payload) < 126 else struct.pack(">BH", 254, len(payload))
        masked = bytes(byte ^ mask[k % 4] for k, byte in enumerate(payload))
        self.socket.sendall(bytes([128 | kind]) + length + mask + masked)

    def receive(self):
        """Returns (kind, payload): the JSON of a text, the bytes of a frame or the code of a close; None at the end."""
        head = self.file.read(2)
        if len(head) < 2:
            return None, None
        length = head[1] & 127
        if length >= 126:
            length, = struct.unpack(*((">H", self.file.read(2)) if length == 126 else (">Q", self.file.read(8))))
        payload = self.file.read(length)
        kind = head[0] & 15
        if kind == 1:
            payload = json.loads(payload)
        elif kind == 8:
            payload, = struct.unpack(">H", payload[:2])
        elif kind == 9:
            self.send_bytes(10, payload)
        return kind, payload

    def next(self, kind, wanted=lambda text: True, seconds=HANG):
        """Returns the next text of this type that is wanted."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            code, payload = self.receive()
            if code is None or code == 8:
                raise AssertionError(f"the connection ended ({payload}) before a text '{kind}'")
            if code == 1 and payload["type"] == kind and wanted(payload):
                return payload
        raise AssertionError(f"no text '{kind}' within {seconds} s")

    def frame(self):
        """Returns the next frame."""
        while True:
            code, payload = self.receive()
            if code == 2:
                return Frame(payload)
            if code is None or code == 8:
                raise AssertionError("the connection ended before a frame")


class Frame:
    """A frame's contents, without the box that its places are relative to."""

    def __init__(self, payload):
        self.magic, self.number, self.time = struct.unpack_from("<4sId", payload)
        self.count, self.flags = struct.unpack_from("<II", payload, 64)
        self.numbers = struct.unpack_from(f"<{3 * self.count}H", payload, 72)
        self.colours = payload[72 + 6 * self.count:]
