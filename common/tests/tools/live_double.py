"""Stands for the server of a live run: speaks as one, with figures of its own, keeps what it was asked for, and can be
stopped and started on the same port. What a run on a CPU cannot show: speeds of a GPU, a lost network."""

import base64
import hashlib
import json
import math
import os
import socket
import struct
import threading
import time

CONTROL, WATCH = "c" * 32, "d" * 32
PROGRAMS = ["simd", "01_naive", "02_tiled", "03_unrolled"]


class Double:
    def __init__(self, page, bodies=1000):
        self.page, self.port, self.asked, self.sockets = page, 0, [], []
        self.time, self.number, self.ladder, self.tokens = 0.0, 0, {}, (CONTROL, WATCH)
        self.run = {"type": "run", "program": "simd", "precision": "fp32", "device": "Made-up GPU", "kind": "gpu",
                    "scene": "merger", "bodies": bodies, "shown": bodies, "seed": 1, "scenes": ["merger", "plummer"],
                    "components": [{"name": "disk 1", "first": 0, "count": bodies // 2},
                                   {"name": "disk 2", "first": bodies // 2, "count": bodies - bodies // 2}],
                    "programs": [{"key": key, "name": name} for key, name in enumerate(PROGRAMS)],
                    "knobs": [knob("bodies", "int", 1, 1048576, bodies, True), knob("seed", "int", 0, 2**31 - 1, 1, True),
                              knob("dt", "real", 1e-6, 1, 0.01), knob("softening", "real", 0, 10, 0.05),
                              {**knob("walk", "choice", None, None, "host"), "choices": ["host", "fused"]}],
                    "colour": "galaxy", "playing": True, "stepsPerFrame": 1}
        self.start()

    def start(self):
        self.listener = socket.create_server(("127.0.0.1", self.port))
        self.port, self.on = self.listener.getsockname()[1], True
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()
        threading.Thread(target=self.simulate, daemon=True).start()

    def stop(self):
        self.on = False
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for other in self.sockets:
            other.close()

    def link(self, token=CONTROL):
        return f"http://127.0.0.1:{self.port}/?token={token}"

    def accept(self, listener):
        while True:
            try:
                client = listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        request = client.recv(8192).decode()
        token = next((token for token in self.tokens if f"token={token}" in request), None)
        if "Upgrade: websocket" not in request or not token:
            status, body = ("200 OK", self.page) if token else ("403 Forbidden", b"wrong token\n")
            client.sendall(f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
                           "Connection: close\r\n\r\n".encode() + body)
            client.close()
            return
        key = request.split("Sec-WebSocket-Key: ")[1].split("\r\n")[0] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        answer = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        client.sendall(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                       f"Sec-WebSocket-Accept: {answer}\r\n\r\n".encode())
        viewer = Viewer(client, token == CONTROL)
        self.sockets.append(viewer)
        viewer.send(self.run_for(viewer))
        with client:
            for message in viewer.messages():
                self.asked.append(message)
                self.do(message, viewer)
        self.sockets.remove(viewer)

    def run_for(self, viewer):
        return {**self.run, "control": viewer.control, "watchToken": WATCH if viewer.control else None}

    def do(self, message, viewer):
        for name, value in message.get("set", {}).items():
            known = next((k for k in self.run["knobs"] if k["name"] == name), None)
            if known and known["kind"] != "choice" and not (known["min"] <= (value if value is not None else math.nan) <= known["max"]):
                viewer.send({"type": "refused", "what": name, "why": f"is {known['min']} to {known['max']}"})
                return
            (known or self.run)["value" if known else name] = value
        if message.get("do") in ("play", "pause"):
            self.run["playing"] = message["do"] == "play"
        if message.get("do") == "step":
            self.time += 0.01
        if message.get("do") == "reset":
            self.time = 0.0
        if "climb" in message:
            self.run["program"] = PROGRAMS[message["climb"]]
            self.say({"type": "climbing", "to": self.run["program"]})
        for other in self.sockets:
            other.send(self.run_for(other))

    def say(self, message):
        for other in list(self.sockets):
            other.send(message)

    def simulate(self):
        for k in range(1 << 30):
            if not self.on:
                return
            if self.run["playing"]:
                self.time += 0.01
            self.number += 1
            frame = self.frame()
            for other in list(self.sockets):
                other.send(frame, 2)
            if k % 30 == 0:
                self.tell()
            time.sleep(1 / 30)

    def tell(self):
        speeds = {"stepsPerSecond": 900.5, "interactionsPerSecond": 2.1e12, "gflops": 42000.0, "ceilingShare": 0.65}
        if self.run["kind"] == "executor":
            speeds = dict.fromkeys(speeds)
        self.say({"type": "numbers", "time": self.time, "steps": int(100 * self.time), **speeds,
                  "error": {"median": 2e-7, "p99": 1e-6, "at": self.time}, "energyDrift": 1e-6 * (1 + self.time),
                  "momentumDrift": 1e-9, "viewers": len(self.sockets), "framesDropped": 0})
        program = self.run["program"]
        self.ladder[program] = {"program": program, "kind": self.run["kind"], "key": PROGRAMS.index(program),
                                "bodies": self.run["bodies"], **speeds, "errorMedian": 2e-7}
        self.say({"type": "ladder", "rows": list(self.ladder.values())})

    def frame(self):
        """Two rings that turn."""
        count, coloured = self.run["shown"], self.run["colour"] != "galaxy"
        numbers = []
        for i in range(count):
            angle, side = 2 * math.pi * i / count * 2 + self.time, 1 if i < count // 2 else -1
            place = (side * 0.5 + 0.4 * math.cos(angle), 0.4 * math.sin(angle), 0.1 * math.sin(3 * angle))
            numbers += [round((p + 1) / 2 * 65535) for p in place]
        head = struct.pack("<4sId6dII", b"NBL1", self.number, self.time, *[-1.0] * 3, *[2 / 65535] * 3, count, coloured)
        frame = head + struct.pack(f"<{3 * count}H", *numbers)
        return frame + (struct.pack("<2f", 0.1, 2.5) + os.urandom(count) if coloured else b"")


def knob(name, kind, low, high, value, restarts=False):
    return {"name": name, "kind": kind, "min": low, "max": high, "value": value, "restarts": restarts}


class Viewer:
    def __init__(self, client, control):
        self.client, self.control, self.lock = client, control, threading.Lock()

    def send(self, message, kind=1):
        data = message if kind == 2 else json.dumps(message).encode()
        length = len(data)
        head = bytes([0x80 | kind]) + (bytes([length]) if length < 126 else struct.pack(">BH", 126, length)
                                       if length < 65536 else struct.pack(">BQ", 127, length))
        try:
            with self.lock:
                self.client.sendall(head + data)
        except OSError:
            pass

    def messages(self):
        try:
            stream = self.client.makefile("rb")
            while head := stream.read(2):
                length = head[1] & 127
                if length == 126:
                    length = struct.unpack(">H", stream.read(2))[0]
                mask, data = stream.read(4), stream.read(length)
                if head[0] & 15 == 8:
                    return
                if head[0] & 15 == 1:
                    yield json.loads(bytes(b ^ mask[i % 4] for i, b in enumerate(data)))
        except (OSError, ValueError):
            return

    def close(self):
        try:
            self.client.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
