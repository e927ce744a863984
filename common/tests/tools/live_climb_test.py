"""Climbing: one program of a live run becomes another, and the run goes on.

python3 -m common.tests tools.live_climb_test BUILD [climbs=N]"""

import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from common.tests.tools.case import InFolder
from common.tests.tools.live_client import Live

BUILD = Path(sys.argv.pop(1))
# From the first step to the last and back; 34 in the nightly test, some 500 changes of program.
CLIMBS = int(sys.argv.pop(1).split("=")[1]) if sys.argv[1:] and sys.argv[1].startswith("climbs=") else 1
SIMD = BUILD / "common" / "simd"
# That were built: without MPI the last was not.
STEPS = {int(path.name[1]): path for path in sorted(BUILD.glob("0[1-9]_*/0[1-9]_*")) if path.name == path.parent.name}
FEW = ("--bodies", 300, "--scene", "merger")


class Climbing(InFolder):
    def climb(self, live, key):
        with live.view() as viewer:
            viewer.next("run")
            viewer.send({"climb": key})
            name = viewer.next("climbing")["to"]
            while (end := viewer.receive())[0] == 2:
                pass
            self.assertEqual(end, (8, 1012))
        return name

    def descriptors(self, live):
        return [len(list(Path(f"/proc/{process}/fd").iterdir())) for process in (live.process.pid, live.program())]

    def copied_simd(self):
        """A live run of simd, beside which are only the programs that the test makes."""
        (self.folder / "common").mkdir(exist_ok=True)
        shutil.copy(SIMD, self.folder / "common/simd")
        return Live(self, self.folder / "common/simd", *FEW)

    def crash(self, live, how):
        program = live.program()
        os.kill(program, how)
        self.wait(lambda: not Path(f"/proc/{program}").exists())

    def wait(self, condition):
        limit = time.monotonic() + 20
        while not condition():
            self.assertLess(time.monotonic(), limit)
            time.sleep(0.05)

    def see(self, live):
        with live.view() as viewer:
            return viewer.next("run"), viewer.frame()

    def test_up_and_down_keeps_all(self):
        live = Live(self, STEPS[1], *FEW)
        with live.view() as viewer:
            viewer.send({"do": "pause"})
            while viewer.next("run")["playing"]:  # one or two texts: a later takes the place of one not sent yet
                pass
        run, frame = self.see(live)
        keys = [program["key"] for program in run["programs"]]
        self.assertEqual(keys, [0, *STEPS])
        way = [*keys[2:], *reversed(keys[:-1])]
        held = None
        for turn in range(CLIMBS):
            for key in way:
                name = self.climb(live, key)
                new, same = self.see(live)
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
        self.climb(live, 1)
        with live.view() as viewer:
            self.assertIn("Exec format error", viewer.next("refused")["why"])
            viewer.frame()
            broken.unlink()
            viewer.send({"climb": 1})
            self.assertIn("not there any more", viewer.next("refused")["why"])
            viewer.send({"climb": 2})
            self.assertIn("no program", viewer.next("refused")["why"])

    def test_one_that_fails_at_its_start_leaves_the_one_before(self):
        programs = {"kill -SEGV $$": "by signal 11, Segmentation fault", "kill -ABRT $$": "by signal 6, Aborted",
                    "exit 3": "with status 3", "exit 0": "with status 0", "sleep 0.5 & exit 4": "with status 4"}
        for text in programs:
            self.program("01_broken/01_broken", f"#!/bin/sh\n{text}\n")
            live = self.copied_simd()
            time_before = self.see(live)[1].time
            held = None
            for _ in range(2):
                self.climb(live, 1)
                with live.view() as viewer, live.view() as other:
                    self.assertEqual(viewer.next("run")["program"], "simd")
                    for each in (viewer, other):
                        why = each.next("refused")
                        self.assertEqual((why["what"], why["why"]), ("climb", f"01_broken: ended {programs[text]}"))
                    self.assertGreater(viewer.frame().time, time_before)
                    held = held or self.descriptors(live)
                    self.assertEqual(self.descriptors(live), held)
            self.assertEqual((live.end(), live.error), (0, ""), text)

    def test_a_missing_library(self):
        source = self.folder / "empty.c"
        library = self.folder / "libgone.so"
        source.write_text("int gone(void);\nint main(void) { return gone(); }\n")
        (self.folder / "01_broken").mkdir()
        subprocess.run(["cc", "-shared", "-x", "c", "-", "-o", library], input=b"int gone(void) { return 0; }", check=True)
        subprocess.run(["cc", source, library, "-o", self.folder / "01_broken/01_broken"], check=True)
        library.unlink()
        live = self.copied_simd()
        self.climb(live, 1)
        with live.view() as viewer:
            self.assertIn("status 127", viewer.next("refused")["why"])
        self.assertEqual(live.end(), 0)
        self.assertIn("libgone.so", live.error)

    def test_one_that_crashes_later_goes_back_to_the_climb_once(self):
        live = Live(self, SIMD, *FEW)
        for _ in range(2):
            self.climb(live, 1)
            with live.view() as viewer:
                viewer.send({"do": "pause"})
                while viewer.next("run")["playing"]:
                    pass
                viewer.send({"set": {"bodies": 500}})
                while viewer.next("run")["bodies"] != 500:
                    pass
            self.crash(live, signal.SIGSEGV)
            with live.view() as viewer:
                run = viewer.next("run")
                self.assertEqual((run["program"], run["bodies"], run["playing"]), ("simd", 300, True))
                self.assertIn("01_naive: ended by signal 11", viewer.next("refused")["why"])
        self.crash(live, signal.SIGABRT)
        self.assertEqual(live.process.wait(60), 1)
        live.end()
        self.assertEqual(live.error, "simd: ended by signal 6, Aborted\n")

    def test_ends_after_a_climb(self):
        for last, both, status in ((signal.SIGINT, False, 0), (signal.SIGINT, True, 0), (signal.SIGKILL, False, -9)):
            live = Live(self, SIMD, *FEW)
            self.climb(live, 1)
            self.see(live)
            program = live.program()
            for process in (live.process.pid, program) if both else (live.process.pid,):  # a terminal asks both
                os.kill(process, last)
            self.assertEqual(live.process.wait(60), status)
            self.wait(lambda: not Path(f"/proc/{program}").exists())

    def test_too_many_bodies_come_back(self):
        live = Live(self, BUILD / "06_tree_walk" / "host_tree", "--bodies", 66000)
        self.climb(live, 1)
        with live.view() as viewer:
            run = viewer.next("run")
            if run["kind"] == "gpu":
                self.skipTest("a GPU takes as many bodies as a tree on the host")
            self.assertEqual(run["program"], "host_tree")
            self.assertIn("too many", viewer.next("refused")["why"])


if __name__ == "__main__":
    unittest.main()
