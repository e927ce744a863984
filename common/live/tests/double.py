"""Replaces the run behind the live view's server: sends what a program sends, keeps the orders, and can be stopped
and started on the same port. It shows what a run on a CPU cannot: speeds of a GPU, a lost network."""

import asyncio
import json
import math
import os
import struct
import threading

from common.live.server import Server, listening

PROGRAMS = ["simd", "01_naive", "02_tiled", "03_unrolled"]


class Double:
    def __init__(self, page, bodies=1000):
        self.page, self.port, self.asked = page, 0, []
        self.time, self.number, self.ladder, self.token = 0.0, 0, {}, None
        self.run = {"type": "run", "program": "simd", "precision": "fp32", "device": "Made-up GPU", "kind": "gpu",
                    "scene": "merger", "bodies": bodies, "shown": bodies, "seed": 1, "scenes": ["merger", "plummer"],
                    "components": [{"name": "disk 1", "first": 0, "count": bodies // 2},
                                   {"name": "disk 2", "first": bodies // 2, "count": bodies - bodies // 2}],
                    "programs": [{"key": key, "name": name} for key, name in enumerate(PROGRAMS)],
                    "settings": [setting("bodies", "int", 1, 1048576, bodies, True), setting("seed", "int", 0, 2**31 - 1, 1, True),
                              setting("dt", "real", 1e-6, 1, 0.01), setting("softening", "real", 0, 10, 0.05),
                              {**setting("walk", "choice", None, None, "host"), "choices": ["host", "fused"]}],
                    "colour": "galaxy", "playing": True, "stepsPerFrame": 1}
        self.thread = None
        self.start()

    def start(self):
        if self.thread:
            self.thread.join()
        self.server = Server(listening("127.0.0.1", str(self.port)), self.page, self.heard, lambda viewers: None)
        self.token = self.server.token = self.token or self.server.token
        self.port, self.is_on = self.server.port, True
        self.thread = threading.Thread(target=lambda: asyncio.run(self.serve()), daemon=True)
        self.thread.start()

    def stop(self):
        self.is_on = False

    def link(self):
        return self.server.link()

    async def serve(self):
        await self.server.start()
        self.tell_run()
        for k in range(1 << 30):
            if not self.is_on:
                return await self.server.stop()
            if self.run["playing"]:
                self.time += 0.01
            self.number += 1
            self.server.show(self.frame())
            if k % 30 == 0:
                self.tell()
            await asyncio.sleep(1 / 30)

    def tell_run(self):
        self.server.tell("run", self.run)

    def heard(self, viewer, text):
        message = json.loads(text)
        self.asked.append(message)
        self.do(message, viewer)

    def do(self, message, viewer):
        for name, value in message.get("set", {}).items():
            known = next((k for k in self.run["settings"] if k["name"] == name), None)
            if known and known["kind"] != "choice" and not (known["min"] <= (value if value is not None else math.nan) <= known["max"]):
                self.server.refuse(viewer, name, f"is {known['min']} to {known['max']}")
                return
            (known or self.run)["value" if known else name] = value
        if message.get("do") in ("play", "pause"):
            self.run["playing"] = message["do"] == "play"
        if message.get("do") == "step":
            self.time += 0.01
        if message.get("do") == "reset":
            self.time = 0.0
        if message.get("climb", 0) >= len(PROGRAMS):
            return self.server.refuse(viewer, "climb", f"no program has been built for key {message['climb']}")
        if "climb" in message:
            self.server.tell("changing", {"type": "changing", "to": PROGRAMS[message["climb"]]})
            self.run["program"] = PROGRAMS[message["climb"]]
        self.tell_run()

    def tell(self):
        speeds = {"stepsPerSecond": 900.5, "interactionsPerSecond": 2.1e12, "gflops": 42000.0, "ceilingShare": 0.65}
        if self.run["kind"] == "executor":
            speeds = dict.fromkeys(speeds)
        self.server.tell("numbers", {
            "type": "numbers", "time": self.time, "steps": int(100 * self.time), **speeds,
            "error": {"median": 2e-7, "p99": 1e-6, "at": self.time}, "energyDrift": 1e-6 * (1 + self.time),
            "momentumDrift": 1e-9, "viewers": len(self.server.viewers), "framesDropped": 0})
        program = self.run["program"]
        self.ladder[program] = {"program": program, "kind": self.run["kind"], "key": PROGRAMS.index(program),
                                "bodies": self.run["bodies"], **speeds, "errorMedian": 2e-7, "recorded": speeds["gflops"] is None and
                                {"ms": "109", "times": "5.7", "bodies": 1048576, "device": "NVIDIA H200"}}
        self.server.tell("ladder", {"type": "ladder", "rows": list(self.ladder.values())})

    def frame(self):
        """Returns a frame of two rotating rings."""
        count, coloured = self.run["shown"], self.run["colour"] != "galaxy"
        numbers = []
        for i in range(count):
            angle, side = 2 * math.pi * i / count * 2 + self.time, 1 if i < count // 2 else -1
            place = (side * 0.5 + 0.4 * math.cos(angle), 0.4 * math.sin(angle), 0.1 * math.sin(3 * angle))
            numbers += [round((p + 1) / 2 * 65535) for p in place]
        head = struct.pack("<4sId6dII", b"NBL1", self.number, self.time, *[-1.0] * 3, *[2 / 65535] * 3, count, coloured)
        frame = head + struct.pack(f"<{3 * count}H", *numbers)
        return frame + (struct.pack("<2f", 0.1, 2.5) + os.urandom(count) if coloured else b"")


def setting(name, kind, low, high, value, restarts=False):
    return {"name": name, "kind": kind, "min": low, "max": high, "value": value, "restarts": restarts}
