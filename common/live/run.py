"""Starts the program that computes a live run, talks to it through two pipes, and changes to another program.

A program writes texts and frames, each after its length, and reads orders, one line each (common/live/pipes.hpp).
"""

import asyncio
import functools
import itertools
import json
import os
import signal
import struct
import subprocess
import tempfile
from pathlib import Path

from common.base.command_line import CommandFailed
from common.tools import ranks
from common.tools.build import kernel_steps
from common.tools.ladder.acts import ACTS, Acts, act_of, times
from common.tools.ladder.store import shown_folder
from common.tools.ladder.recorded import Recorded
from common.tools.ladder.table import three_digits
from common.live.server import Server

LENGTH = struct.Struct("<I")
FRAME = b"NBL1"  # the start of a frame
MOST_WAITING_BYTES = 1 << 18  # orders that a program has not read yet
SECONDS_TO_END = 2  # for a program that was asked to end; then it is killed
SPEEDS = ("stepsPerSecond", "interactionsPerSecond", "gflops", "ceilingShare")


def page_of(build):
    """Returns the page, one HTML file that loads nothing else."""
    return (build / "common" / "generated" / "live.html").read_bytes()


MOST_STEPS = 11  # with a key: 0 to 9, x for step 10, and y for step 11


def programs_of(build):
    """Returns the programs by key: 0 is the host's baseline simd, from 1 on the step of that number, if they are built."""
    programs = {0: build / "common" / "simd",
                **{int(folder.name[:2]): folder / folder.name for folder in sorted(build.glob("[0-9][0-9]_*"))}}
    return {key: path for key, path in programs.items() if os.access(path, os.X_OK)}


@functools.lru_cache(None)
def recorded_times():
    """Returns {(program, the act's number of bodies): the recorded time of one evaluation on a GPU}, for pages without a GPU."""
    recorded = Recorded(shown_folder())
    found = Acts(recorded.runs)
    return {(step, bodies): {"ms": three_digits(found.ms(step, bodies)), "times": times(found.factor(step, bodies)), "bodies": bodies,
                             "device": recorded.device["name"]}
            for step in kernel_steps() for bodies in ACTS if found.ms(step, bodies)}


class Program(asyncio.Protocol):
    """A process that computes, and its pipes. Calls hear(message) for each text and see(frame) for each frame."""

    @classmethod
    async def started(cls, path, arguments, hear, see):
        self = cls()
        self.hear, self.see, self.read, self.lost = hear, see, bytearray(), asyncio.Event()
        theirs, orders = os.pipe()
        messages, ours = os.pipe()
        try:
            # The program ends when its pipes close, so a terminal's Ctrl-C must not reach it.
            self.process = subprocess.Popen([path, f"--live={theirs},{ours}", *arguments], pass_fds=(theirs, ours),
                                            stdin=subprocess.DEVNULL, start_new_session=True)
        except OSError:
            os.close(orders)
            os.close(messages)
            raise
        finally:
            os.close(theirs)
            os.close(ours)
        loop = asyncio.get_running_loop()
        self.messages, _ = await loop.connect_read_pipe(lambda: self, os.fdopen(messages, "rb", 0))
        self.orders, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(orders, "wb", 0))
        return self

    def data_received(self, data):
        self.read += data
        while len(self.read) >= LENGTH.size:
            end = LENGTH.size + LENGTH.unpack_from(self.read)[0]
            if len(self.read) < end:
                return
            message = bytes(self.read[LENGTH.size:end])
            del self.read[:end]
            if message.startswith(FRAME):
                self.see(message)
            else:
                self.hear(json.loads(message))

    def connection_lost(self, _):
        self.lost.set()

    def send(self, order):
        """Sends an order. Returns False if too many orders wait to be read."""
        if self.orders.get_write_buffer_size() > MOST_WAITING_BYTES:
            return False
        self.orders.write(json.dumps(order).encode() + b"\n")
        return True

    def stop(self):
        self.orders.close()
        self.messages.close()
        asyncio.get_running_loop().call_later(SECONDS_TO_END, self.process.kill)

    async def end(self):
        """Waits for the program and all its messages. Returns its status."""
        status = await asyncio.get_running_loop().run_in_executor(None, self.process.wait)
        try:
            await asyncio.wait_for(self.lost.wait(), 0.3)  # longer if another process, for example MPI's, holds the pipe
        except asyncio.TimeoutError:
            pass
        self.messages.close()
        self.orders.close()
        return status


class Run:
    """begin(server) is called when the first program shows its run"""

    def __init__(self, program, arguments, listener, begin, name=None, builder=None):
        self.builder = builder
        self.path, self.arguments, self.begin = Path(program).resolve(), arguments, begin
        self.build = self.path.parents[1]
        self.server = Server(listener, page_of(self.build), self.ask, self.count, name)
        self.program = None  # the running program
        self.climb = None  # path of the next program
        self.left = None  # its state, and its bodies in self.file
        self.why = None  # why the last program ended
        self.comes_back = None  # why the run returns to the previous program
        self.is_over = False
        self.run, self.programs, self.ladder = {}, {}, {}

    async def serve(self):
        """Runs until the last program ends or the run is stopped. Returns the exit status."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # ignored under nohup
                loop.add_signal_handler(number, self.stop)
        await self.server.start()
        try:
            with tempfile.TemporaryDirectory(prefix="nbody-live-") as folder:
                return await self.follow(Path(folder))
        finally:
            await self.server.stop()

    def stop(self):
        if self.is_over and self.program:
            self.program.process.kill()  # requested twice
        elif self.program:
            self.program.stop()
        self.is_over = True

    async def follow(self, folder):
        """Runs one program after the other. If one fails, the previous one continues with the state that it had left."""
        before = state = None
        for number in itertools.count():
            self.file = folder / f"{number}.tipsy"
            status = await self.play(state)
            if self.is_over:
                return 0
            if self.left:
                if state:
                    state[0].unlink()
                before, self.path, state = self.path, self.climb, (self.file, self.left)
            elif before:
                self.comes_back = f"{self.path.name}: {self.why}"
                self.path, before = before, None  # it has only this chance
            elif status is None or status < 0:
                raise CommandFailed(f"{self.path.name} {self.why}")
            else:
                return status

    async def play(self, state):
        """Runs one program from its start to its end. Returns its status, or None if it could not be started."""
        self.climb = self.left = None
        self.programs = programs_of(self.build)
        arguments = [f"--input={state[0]}"] if state else self.arguments
        try:
            program = await Program.started(self.path, arguments, self.hear, self.server.show)
        except OSError as error:
            self.why = f"cannot be started: {error.strerror}"
            return None
        self.why, self.program = None, program
        if self.is_over:
            program.stop()
        if state:
            program.send(state[1])
        self.count(len(self.server.viewers))
        status = await program.end()
        self.program = None
        if status < 0:
            self.why = f"ended by signal {-status}, {signal.strsignal(-status)}"
        else:
            self.why = self.why or f"ended with status {status}"
        return status

    def hear(self, message):
        """Handles a message of the program."""
        if message["type"] == "run":
            self.show_run(message)
        elif message["type"] == "numbers":
            self.show_numbers(message)
        elif message["type"] == "refused":
            if message.get("stays"):
                self.climb = None
            self.server.refuse(message["viewer"], message["what"], message["why"])
        elif message["type"] == "left":
            self.left = message["state"]
            self.server.tell("climbing", {"type": "climbing", "to": self.climb.name})
            self.server.forget("climbing")
        elif message["type"] == "failed":
            self.why = message["why"]

    def is_building(self):
        return self.builder is not None and self.builder.poll() is None

    def look_for_programs(self):
        """Shows the programs that have been built since the run began."""
        if self.builder and (found := programs_of(self.build)) != self.programs:
            self.programs = found
            self.show_run(self.run)

    def show_run(self, run):
        self.run = {**run, "programs": [{"key": key, "name": path.name} for key, path in self.programs.items()]}
        self.server.tell("run", self.run)
        if self.begin:
            self.begin(self.server)
            self.begin = None
        if self.comes_back:
            self.server.refuse(0, "climb", self.comes_back)
            self.comes_back = None

    def show_numbers(self, numbers):
        """Updates the ladder, which has a row for each program so far."""
        self.server.tell("numbers", {**numbers, "viewers": len(self.server.viewers),
                                     "framesDropped": self.server.frames_dropped})
        self.look_for_programs()
        program, error = self.run["program"], numbers["error"]
        key = next((key for key, path in self.programs.items() if path.name == program), None)
        self.ladder[program] = {**{name: self.run[name] for name in ("program", "kind", "bodies")}, "key": key,
                                **{name: numbers[name] for name in SPEEDS}, "errorMedian": error and error["median"],
                                "recorded": recorded_times().get((program, act_of(self.run["bodies"])))
                                if self.run["kind"] == "executor" else None}
        self.server.tell("ladder", {"type": "ladder", "rows": list(self.ladder.values())})

    def count(self, viewers):
        if self.program:
            self.program.send({"viewers": viewers})

    def ask(self, viewer, text):
        """Handles a viewer's request. All except a change of the program go to the program."""
        try:
            order = json.loads(text)
        except (ValueError, RecursionError):
            order = None  # the program reports what is wrong with it
        if self.climb or not self.program:
            self.server.refuse(viewer, "climb", "another program is starting; try again")
        elif isinstance(order, dict) and list(order) == ["climb"]:
            self.ask_climb(viewer, order["climb"])
        elif not self.program.send({"viewer": viewer, "text": text}):
            self.server.refuse(viewer, "control", "the run has not answered the previous order yet; try again")

    def ask_climb(self, viewer, key):
        """Lets the program save its bodies and its state, and end."""
        path = self.programs.get(key) if type(key) is int else None
        if type(key) is not int or not 0 <= key <= MOST_STEPS:
            self.server.refuse(viewer, "climb", f"must be a step's number from 0 to {MOST_STEPS}")
        elif not path and self.is_building():
            self.server.refuse(viewer, "climb", "this step is still being built; its button appears when it is ready")
        elif not path:
            why = f"{ranks.MISSING}. Install it, and start ./run live again" if key in [int(step[:2]) for step in ranks.STEPS] else \
                f"no program has been built for key {key}"
            self.server.refuse(viewer, "climb", why)
        elif not os.access(path, os.X_OK):
            self.server.refuse(viewer, "climb", f"{path.name} no longer exists")
        elif path != self.path and self.program.send({"viewer": viewer, "leave": str(self.file)}):
            self.climb = path
            self.server.tell("changing", {"type": "changing", "to": path.name})
            self.server.forget("changing")
