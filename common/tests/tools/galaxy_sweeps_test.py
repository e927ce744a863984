"""Tests of the sweeps galaxy and energy, on made-up snapshots and reports."""

import importlib.util
import json
import math
import struct

from common.tests.tools.case import InFolder, SweepTest
from common.tools.sweeps import galaxy_profile, galaxy_study

# Writes the snapshots that are asked for and reports like a step; its energy drifts with the steps.
FAKE_PROGRAM = """import json, os, struct, sys
from pathlib import Path
options = dict(word.lstrip("-").split("=") for word in sys.argv[1:] if "=" in word)
steps, dt = int(options["steps"]), float(options.get("dt", 1 / 16))
bodies = Path(DISK).read_bytes()
def write(name, step):
    Path(name).write_bytes(struct.pack("<d", step / 16) + bodies[8:])
if "output" in options:
    write(options["output"], steps)
    every = int(options.get("snapshot-every", 0))
    for step in range(every, steps + 1, every) if every else ():
        write(options["output"].replace(".bin", f"-{step:06}.bin"), step)
run = {"step": os.path.basename(sys.argv[0]), "scene": options.get("scene", "merger.bin"), "bodies": 1200,
       "precision": "fp32", "softening": 0.05, "time_step": dt, "steps": steps,
       "parameters": {"theta": 0.5} if "multipole" in options else {},
       "output": {"file": options.get("output")}, "input": {"file": options.get("input"), "time": 45.0},
       "momentum": 1e-9, "energy_drift": 1e-7 * steps, "passed": True}
report = {"suite": {"commit": "made-up", "preset": "gpu"}, "device": {"name": "Made-up", "kind": "executor"},
          "runs": [run]}
Path(options["json"]).write_text(json.dumps(report))
print("ran", options.get("output", ""))
"""


def disk_of(count, speed=0.4, scale=1.0):
    """A disk of bodies on circles, surface density exponential: (mass, x, y, z, vx, vy, vz)."""
    bodies = []
    radius = 0
    for k in range(count):
        while 1 - (1 + radius) * math.exp(-radius) < (k + 0.5) / count:
            radius += 0.001
        angle = 2.4 * k
        x, y = math.cos(angle), math.sin(angle)
        bodies.append((1 / (6 * count), scale * radius * x, scale * radius * y, 0.1 * (-1) ** k,
                       -speed * y, speed * x, 0))
    return bodies


def write_snapshot(file, disk, time=0.0):
    """Tipsy, little-endian: the disk between a bulge and a halo that would spoil it."""
    other = (1, 1e3, -1e3, 1e3, 9, 9, 9)
    everyone = [other] * len(disk) + disk + [other] * (4 * len(disk) + 1)
    data = struct.pack("<diiiiii", time, len(everyone), 3, 0, len(everyone), 0, 0)
    file.write_bytes(data + b"".join(struct.pack("<9f", *body, 0.05, 0) for body in everyone))


class Rings(InFolder):
    def test_a_snapshot_gives_the_disk_and_its_rings(self):
        write_snapshot(self.folder / "disk.bin", disk_of(6000), 31.0)
        time, count, disk = galaxy_profile.read_disk(self.folder / "disk.bin")
        self.assertEqual((time, count, len(disk)), (31.0, 36001, 6000))
        for ring in galaxy_profile.rings(disk)[2:16]:
            middle = (ring["inner"] + ring["outer"]) / 2
            expected = math.exp(-middle) / (12 * math.pi)
            self.assertAlmostEqual(ring["surface_density"] / expected, 1, delta=0.05)
            self.assertAlmostEqual(ring["rotation"], 0.4, delta=0.002)
            self.assertAlmostEqual(ring["sigma_radial"], 0, delta=0.005)
            self.assertAlmostEqual(ring["height"], 0.1, delta=0.002)

    def changes(self, after):
        profiles = [{"rings": galaxy_profile.rings(disk)} for disk in (disk_of(6000), after)]
        return galaxy_study.galaxy_changes(profiles)[0]

    def test_a_disk_that_changed_has_not_held_together(self):
        self.assertTrue(galaxy_study.held_together(self.changes(disk_of(6000))))
        self.assertFalse(galaxy_study.held_together(self.changes(disk_of(6000, speed=0.37))))
        self.assertFalse(galaxy_study.held_together(self.changes(disk_of(6000, scale=1.3))))

    def test_a_disk_that_is_gone_or_not_a_number_has_not_held_together(self):
        self.assertFalse(galaxy_study.held_together(self.changes(disk_of(6000, scale=9))))
        changes = self.changes(disk_of(6000))
        changes[5]["rotation"] = float("nan")
        self.assertFalse(galaxy_study.held_together(changes))


class Sweeps(SweepTest):
    def setUp(self):
        super().setUp()
        write_snapshot(self.folder / "disk.bin", disk_of(200))
        for name in ("common/simd", "04_multithread_per_body/04_multithread_per_body", "06_tree_walk/06_tree_walk"):
            self.program(f"cpu/{name}", FAKE_PROGRAM.replace("DISK", repr(str(self.folder / "disk.bin"))))

    def results_of(self, name):
        status, output, error = self.call(name, "--build", self.folder / "cpu", "--bodies=1200")
        self.assertEqual((status, error), (0, ""), output)
        stem = self.folder / "cpu" / "sweeps" / name
        self.assertNotIn("/tmp", stem.with_suffix(".json").read_text() + stem.with_suffix(".log").read_text())
        drawn = importlib.util.find_spec("matplotlib") is not None
        self.assertEqual(stem.with_suffix(".png").exists(), drawn, output)
        return json.loads(stem.with_suffix(".json").read_text()), stem.with_suffix(".csv").read_text().splitlines()

    def test_the_galaxy_is_measured_at_the_start_and_after_each_rotation(self):
        document, table = self.results_of("galaxy")
        self.assertEqual(sorted({ring["time"] for ring in document["table"]}), [0, 31, 62])
        self.assertEqual(len(table), 1 + 3 * 24)
        self.assertEqual(document["runs"][0]["step"], "simd")

    def test_every_method_starts_from_the_same_bodies_at_the_same_steps(self):
        document, table = self.results_of("energy")
        runs = {(run["method"], run["time_step"], run["steps"]) for run in document["runs"]}
        self.assertEqual(len(runs), 3 * 2 * 4)
        self.assertEqual({run["input"]["time"] for run in document["runs"]}, {45.0})
        self.assertEqual(len(table), 1 + 24)

    def test_bad_input_gets_one_line_and_status_2(self):
        cpu = self.folder / "cpu"
        self.expect_refusals(
            ("galaxy", "--build", cpu, "--scene=cube"), ("energy", "--build", cpu, "--repeats=3"),
            ("energy", "--build", cpu, "--bodies=65537"), ("galaxy", "--build", cpu, "--bodies=many"),
            ("galaxy", "--build", cpu, "--bodies=599"), ("unroll", "--build", cpu, "--bodies=1000"),
            ("galaxy", "--build", cpu, "--record"), ("galaxy", "--from", self.folder / "disk.bin"))
