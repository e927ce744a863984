"""Climbing: one program of a live run becomes another, and the run goes on.

python3 -m common.tests tools.live_climb_test BUILD [climbs=N]"""

import shutil
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
STEPS = {int(path.name[1]): path / path.name for path in sorted(BUILD.glob("0[1-9]_*"))}
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
        return len(list(Path(f"/proc/{live.process.pid}/fd").iterdir()))

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
        limit = time.monotonic() + 20
        while children := subprocess.run(["pgrep", "-P", str(live.process.pid)], capture_output=True, text=True).stdout:
            self.assertLess(time.monotonic(), limit, children)
            time.sleep(0.1)
        self.assertEqual(live.end(), 0)

    def test_a_program_that_cannot_start_leaves_the_old_one(self):
        for name in ("common/simd", "01_broken/01_broken"):
            (self.folder / name).parent.mkdir()
        shutil.copy(SIMD, self.folder / "common/simd")
        (self.folder / "01_broken/01_broken").write_text("no program")
        (self.folder / "01_broken/01_broken").chmod(0o755)
        live = Live(self, self.folder / "common/simd", *FEW)
        self.climb(live, 1)
        with live.view() as viewer:
            self.assertIn("Exec format error", viewer.next("refused")["why"])
            viewer.frame()
            (self.folder / "01_broken/01_broken").unlink()
            viewer.send({"climb": 1})
            self.assertIn("not there any more", viewer.next("refused")["why"])
            viewer.send({"climb": 2})
            self.assertIn("no program", viewer.next("refused")["why"])

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
