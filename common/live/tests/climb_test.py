"""Climbing: one program of a live run becomes another, and the run goes on.

python3 -m common.tests live.tests.climb_test BUILD [climbs=N]"""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from common.live.tests.client import Live
from common.tests.tools.case import HANG, InFolder, skip_without_websockets, wait_until

BUILD = Path(sys.argv.pop(1))
# From the first step to the last and back; with climbs=34 some 500 changes of program.
CLIMBS = int(sys.argv.pop(1).split("=")[1]) if sys.argv[1:] and sys.argv[1].startswith("climbs=") else 1
SIMD = BUILD / "common" / "simd"
# That were built: without MPI the last was not.
STEPS = {int(path.name[:2]): path for path in sorted(BUILD.glob("[0-9][0-9]_*/[0-9][0-9]_*")) if path.name == path.parent.name}
FEW = ("--bodies", 300, "--scene", "merger")
setUpModule = skip_without_websockets


class Climbing(InFolder):
    def climb(self, live, key):
        """Returns what the next program is, and what was refused by then."""
        with live.view() as viewer:
            viewer.next("run")
            viewer.send({"climb": key})
            changing = viewer.next("changing")["to"]  # at once, because the next program may need seconds
            name = viewer.next("climbing")["to"]
            self.assertEqual(changing, name)
            run = viewer.next("run")
            return name, run, None if run["program"] == name else viewer.next("refused")

    def descriptors(self, live):
        return [len(list(Path(f"/proc/{process}/fd").iterdir())) for process in (live.process.pid, live.program())]

    def copied_simd(self):
        """A live run of simd in a folder whose other programs are only those that the test makes."""
        shutil.copytree(BUILD / "common/generated", self.folder / "common/generated", dirs_exist_ok=True)
        if not (self.folder / "common/simd").exists():  # one that has just ended may still be busy
            shutil.copy(SIMD, self.folder / "common/simd")
        return Live(self, self.folder / "common/simd", *FEW)

    def crash(self, live, how):
        program = live.program()
        os.kill(program, how)
        wait_until(lambda: not Path(f"/proc/{program}").exists())

    def test_up_and_down_keeps_all(self):
        live = Live(self, STEPS[1], *FEW)
        with live.view() as viewer:
            viewer.send({"do": "pause"})
            viewer.next("run", lambda run: not run["playing"])  # one or two texts: a later takes the place of one not sent yet
        run, frame = live.see()
        keys = [program["key"] for program in run["programs"]]
        self.assertEqual(keys, [0, *STEPS])
        way = [*keys[2:], *reversed(keys[:-1])]
        held = None
        for turn in range(CLIMBS):
            for key in way:
                name, new, _ = self.climb(live, key)
                same = live.see()[1]
                self.assertEqual((new["program"], new["playing"]), (name, False))
                self.assertEqual((same.time, same.numbers), (frame.time, frame.numbers))
            time.sleep(0.1)
            now = self.descriptors(live)
            held = held or now
            self.assertEqual(now, held)
        with live.view() as viewer:
            self.assertEqual(len(viewer.next("ladder")["rows"]), len(keys))
        program = live.program()  # the only child
        self.assertEqual(subprocess.run(["pgrep", "-P", str(program)], capture_output=True).stdout, b"")
        self.assertEqual(live.end(), 0)
        self.assertFalse(Path(f"/proc/{program}").exists())

    def test_a_program_that_cannot_start_leaves_the_old_one(self):
        broken = self.write("01_broken/01_broken", "no program")
        broken.chmod(0o755)
        live = self.copied_simd()
        self.assertIn("Exec format error", self.climb(live, 1)[2]["why"])
        with live.view() as viewer:
            viewer.frame()
            broken.unlink()
            viewer.send({"climb": 1})
            self.assertIn("no longer exists", viewer.next("refused")["why"])
            viewer.send({"climb": 2})
            self.assertIn("no program", viewer.next("refused")["why"])

    def test_one_that_fails_at_its_start_leaves_the_one_before(self):
        programs = {"kill -SEGV $$": "by signal 11, Segmentation fault", "kill -ABRT $$": "by signal 6, Aborted",
                    "exit 3": "with status 3", "exit 0": "with status 0", "sleep 0.5 & exit 4": "with status 4"}
        for text in programs:
            self.program("01_broken/01_broken", f"#!/bin/sh\n{text}\n")
            live = self.copied_simd()
            time_before = live.see()[1].time
            held = None
            with live.view() as other:
                for _ in range(2):
                    run, why = self.climb(live, 1)[1:]
                    self.assertEqual((run["program"], why["what"], why["why"]),
                                     ("simd", "climb", f"01_broken: ended {programs[text]}"))
                    self.assertEqual(other.next("refused"), why)
                    frame = live.see()[1]
                    self.assertGreater(frame.time, time_before)
                    held = held or self.descriptors(live)
                    self.assertEqual(self.descriptors(live), held)
            self.assertEqual((live.end(), live.error), (0, ""), text)

    def test_one_that_crashes_later_goes_back_to_the_climb_once(self):
        live = Live(self, SIMD, *FEW)
        for _ in range(2):
            self.climb(live, 1)
            with live.view() as viewer:
                viewer.send({"do": "pause"})
                viewer.next("run", lambda run: not run["playing"])
                viewer.send({"set": {"bodies": 500}})
                viewer.next("run", lambda run: run["bodies"] == 500)
                self.crash(live, signal.SIGSEGV)
                self.assertIn("01_naive: ended by signal 11", viewer.next("refused")["why"])
            run = live.see()[0]
            self.assertEqual((run["program"], run["bodies"], run["playing"]), ("simd", 300, True))
        self.crash(live, signal.SIGABRT)
        self.assertEqual(live.process.wait(HANG), 1)
        live.end()
        self.assertEqual(live.error, "serve: simd ended by signal 6, Aborted\n")

    def test_ends_after_a_climb(self):
        for last, status in ((signal.SIGINT, 0), (signal.SIGTERM, 0), (signal.SIGKILL, -9)):
            live = Live(self, SIMD, *FEW)
            self.climb(live, 1)
            live.see()
            program = live.program()
            live.process.send_signal(last)
            self.assertEqual(live.process.wait(HANG), status)
            wait_until(lambda: not Path(f"/proc/{program}").exists())

    def test_too_many_bodies_come_back(self):
        live = Live(self, BUILD / "06_tree_walk" / "host_tree", "--bodies", 66000)
        _, run, why = self.climb(live, 1)
        if run["kind"] == "gpu":
            self.skipTest("a GPU takes as many bodies as a tree on the host")
        self.assertEqual(run["program"], "host_tree")
        self.assertIn("too many", why["why"])

    def test_one_body_cannot_be_left_in_a_file(self):
        live = Live(self, SIMD, "--bodies", 1)
        with live.view() as viewer:
            viewer.send({"climb": 1})
            self.assertIn("one body", viewer.next("refused")["why"])
            viewer.send({"set": {"bodies": 2}})
            viewer.next("run", lambda run: run["bodies"] == 2)
        self.assertEqual(self.climb(live, 1)[0], "01_naive")
