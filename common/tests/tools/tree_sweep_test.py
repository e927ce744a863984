"""Tests of what the sweeps tree, galaxy and energy compute and draw, on made-up runs and snapshots. If step 06 is built, also on
a few real runs."""

import importlib.util
import json
import math
import os
import struct
import unittest
from pathlib import Path
from types import SimpleNamespace

from common.base.command_line import ROOT
from common.tests.tools.case import InFolder, SweepTest, call, made_up, needs_matplotlib, run_of
from common.tools.sweeps import galaxy, tree
from common.tools.sweeps.measure import Points
from common.tools.sweeps.table import SWEEPS


SIZES = (10**4, 10**6)
THETAS = (0.4, 0.5, 0.8)
FACTS = {"groups": 2, "opened_a_group": 3, "nodes_a_group": 4, "leaves_a_group": 2, "nodes_a_body": 10, "sources_a_body": 100}


def tree_of(bodies, walk="lists", theta=0.5, leaf=64):
    """Errors grow as theta^4, the GPU's part takes 1 ms for 10,000 bodies, the host's as much."""
    median, ms = 1e-3 * theta**4, bodies / 1e4
    parts = {"build": ms, "upload": 0.5 * ms}
    parts.update({"fused_walk": ms} if walk == "fused" else
                 {name: ms / 4 for name in ("first_walk", "second_walk", "body_node", "body_leaf")})
    return run_of(tree.PROGRAMS[walk], bodies, force_ms={"median": 2.5 * ms}, parts_ms=parts, facts=FACTS,
                  parameters={"theta": theta, "leaf": leaf, "group": 64, "multipole": "quadrupole"},
                  error={"sampled": 1000, "median": median, "p99": 3 * median, "max": 9 * median,
                         "exceeded_by": {"0.9": median / 2, "0.5": median, "0.01": 3 * median}})


def document():
    """The tree takes 2.5e-4 N ms, the faster direct sum 2.5e-9 N^2: they meet at N = 100,000."""
    runs = [tree_of(bodies, walk, theta) for bodies in SIZES for walk in ("lists", "fused") for theta in THETAS]
    runs += [tree_of(10**4, "lists", 0.5, 16), tree_of(10**7), tree_of(10**7, "fused")]
    runs += [run_of(step, bodies, force_ms={"median": ms * bodies**2}, error=None)
             for bodies in SIZES for step, ms in (("04_made_up", 3e-9), ("05_made_up", 2.5e-9))]
    return made_up(runs, "tree")


class Arithmetic(unittest.TestCase):
    def test_a_power_is_fitted(self):
        self.assertAlmostEqual(tree.exponent([(x, 7 * x**3.5) for x in (0.2, 0.3, 0.8)]), 3.5)
        self.assertIsNone(tree.exponent([(0.5, 1), (0.5, 2)]))
        self.assertIsNone(tree.exponent([(0.5, 1), (0.6, 0)]))

    def test_a_run_without_times_has_errors_alone(self):
        run = {name: value for name, value in tree_of(1000).items() if name not in ("parts_ms", "force_ms", "facts")}
        row = tree.row_of(run)
        self.assertEqual((row["total_ms"], row["error_median"]), (None, run["error"]["median"]))
        self.assertNotIn("gpu_ms", row)

    def test_the_crossover_is_between_points_by_their_logarithms(self):
        self.assertAlmostEqual(tree.crossover([(10**4, 0.1, True), (10**6, 10, True)]), 10**5)

    def test_there_is_no_crossover_where_one_is_always_faster(self):
        for ratios in ([], [(10, 2, True), (20, 3, True)], [(10, 0.2, True), (20, 0.3, True)],
                       [(10, 0.5, True), (20, 2, True), (40, 0.9, True)]):
            self.assertIsNone(tree.crossover(ratios))

    def test_the_faster_direct_sum_is_compared_and_carried_on_as_n_squared(self):
        table = tree.rows(document())
        direct = tree.direct_times(table)
        self.assertEqual([bodies for bodies, _ in direct], list(SIZES))
        times = tree.chosen(table, "bodies", "total_ms", walk="lists", theta=0.5, leaf=64)
        ratios = tree.speed_ups(direct, times)
        self.assertEqual(len(ratios), 3)
        for (bodies, ratio, measured), expected in zip(ratios, ((10**4, 0.1, True), (10**6, 10, True), (10**7, 100, False))):
            self.assertEqual((bodies, measured), (expected[0], expected[2]))
            self.assertAlmostEqual(ratio, expected[1])

    def test_what_failed_its_check_is_compared_with_nothing(self):
        made = document()
        made["runs"][-1]["passed"] = False  # step 05 of a million bodies
        self.assertAlmostEqual(dict(tree.direct_times(tree.rows(made)))[10**6], 3000)


class Measured(SweepTest):
    def points(self, build, sizes=None, **options):
        return tree.points(SimpleNamespace(**{"build": Path(build), "scene": None, "repeats": None, **options}), sizes)

    def test_no_point_is_measured_twice_and_every_figure_has_its_own(self):
        found = [(program.name, *arguments) for program, arguments in self.points("gpu")]
        self.assertEqual(len(set(found)), len(found))
        self.assertEqual(len(found), 3 * (7 + 3) * 2 + 4 * 2 + 5 * 2 + 5 + 3 * 7 + 4)

    def test_the_executor_measures_no_times(self):
        for program, arguments in self.points("cpu"):
            self.assertIn(program.name, ("06_tree_walk", "06_lists"))
            self.assertEqual(arguments[-1], "--no-measure")

    @unittest.skipUnless("NBODY_BUILD" in os.environ, "step 06 is not built here")
    def test_a_few_points_leave_their_distributions(self):
        todo = self.points(os.environ["NBODY_BUILD"], tree.Sizes((300, 900)), scene="plummer", repeats="1")
        points, _, _ = call(Points, SWEEPS["tree"], todo)
        self.assertFalse(points.failed, points.log)
        made = points.document()
        self.assertEqual((len(made["runs"]), made["sweep"]["left_out"]), (len(todo), []))
        for run in made["runs"]:
            errors = list(run["error"]["exceeded_by"].values())
            self.assertEqual(errors, sorted(errors))
            self.assertEqual(run["error"]["exceeded_by"]["0.5"], run["error"]["median"])

    @needs_matplotlib()
    def test_without_times_the_first_two_figures_are_drawn(self):
        made = document()
        made["device"]["kind"] = "executor"
        self.assertEqual(sorted(self.drawn("tree", made)), ["tree-figure-4", "tree-figure-5"])

    def test_recorded_tables_are_what_their_runs_give(self):
        for file in ROOT.glob("docs/results/*/tree.json"):
            recorded = json.loads(file.read_text())
            self.assertTrue(all(run["passed"] for run in recorded["runs"]), file)
            # To nine digits: Python's sum() rounds otherwise from 3.12 on.
            self.assertEqual(*(json.loads(json.dumps(table), parse_float=lambda text: f"{float(text):.9g}")
                               for table in (recorded["table"], tree.rows(recorded))), file)


# Writes the snapshots that are asked for; its energy drifts with the steps.
PROGRAM = """import struct
steps, dt = int(given["steps"]), float(given.get("dt", 1 / 16))
bodies = Path(DISK).read_bytes()
def write(name, step):
    Path(name).write_bytes(struct.pack("<d", step / 16) + bodies[8:])
if "output" in given:
    write(given["output"], steps)
    every = int(given.get("snapshot-every", 0))
    for step in range(every, steps + 1, every) if every else ():
        write(given["output"].replace(".bin", f"-{step:06}.bin"), step)
runs = [run_of(name, 1200, scene=given.get("scene", "merger.bin"), time_step=dt, steps=steps,
               parameters={"theta": 0.5} if "multipole" in given else {}, output={"file": given.get("output")},
               input={"file": given.get("input"), "time": 45.0}, momentum=1e-9, energy_drift=1e-7 * steps)]
print("ran", given.get("output", ""))
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
        bodies.append((1 / (6 * count), scale * radius * x, scale * radius * y, 0.1 * (-1) ** k, -speed * y, speed * x, 0))
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
        time, count, disk = galaxy.read_disk(self.folder / "disk.bin")
        self.assertEqual((time, count, len(disk)), (31.0, 36001, 6000))
        for ring in galaxy.rings(disk)[2:16]:
            middle = (ring["inner"] + ring["outer"]) / 2
            expected = math.exp(-middle) / (12 * math.pi)
            self.assertAlmostEqual(ring["surface_density"] / expected, 1, delta=0.05)
            self.assertAlmostEqual(ring["rotation"], 0.4, delta=0.002)
            self.assertAlmostEqual(ring["sigma_radial"], 0, delta=0.005)
            self.assertAlmostEqual(ring["height"], 0.1, delta=0.002)

    def changes(self, after):
        profiles = [{"rings": galaxy.rings(disk)} for disk in (disk_of(6000), after)]
        return galaxy.galaxy_changes(profiles)[0]

    def test_a_disk_that_changed_has_not_held_together(self):
        for change in ({"speed": 0.37}, {"scale": 1.3}, {"scale": 9}):  # with the last, nothing is left in the rings
            self.assertFalse(galaxy.held_together(self.changes(disk_of(6000, **change))), change)
        changes = self.changes(disk_of(6000))
        self.assertTrue(galaxy.held_together(changes))
        changes[5]["rotation"] = float("nan")
        self.assertFalse(galaxy.held_together(changes))


class Galaxies(SweepTest):
    def setUp(self):
        super().setUp()
        write_snapshot(self.folder / "disk.bin", disk_of(200))
        for name in ("common/simd", "04_multithread_per_body/04_multithread_per_body", "06_tree_walk/06_tree_walk"):
            self.reporter(f"cpu/{name}", PROGRAM.replace("DISK", repr(str(self.folder / "disk.bin"))), kind="executor")

    def results_of(self, name):
        document = self.measured(name, "--bodies=1200", build="cpu")
        stem = self.folder / "cpu" / "sweeps" / name
        self.assertNotIn("/tmp", stem.with_suffix(".json").read_text() + stem.with_suffix(".log").read_text())
        self.assertEqual(stem.with_suffix(".svg").exists(), importlib.util.find_spec("matplotlib") is not None)
        return document, stem.with_suffix(".csv").read_text().splitlines()

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
            ("energy", "--build", cpu, "--repeats=3"), ("energy", "--build", cpu, "--bodies=65537"),
            ("galaxy", "--build", cpu, "--record"), ("galaxy", "--from", self.folder / "disk.bin"))
