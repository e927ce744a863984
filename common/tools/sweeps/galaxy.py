"""The sweeps `galaxy` and `energy`, which follow bodies through time: whether a galaxy's disk keeps its shape, ring by ring in
surface density and rotation, and how well a merger keeps its energy.
"""

import itertools
import math
import operator
import statistics
import struct
import sys
import tempfile
from pathlib import Path

from common.tools.build import step_names
from common.tools.programs import Runs, flags, merged, step_program

EDGES = [0.25 * k for k in range(25)]  # edges of the rings, in scale lengths of the disk
STEPS_A_ROTATION = 496  # steps of 1/16: a circle at R = 2.2 takes time 31 (scenes.hpp)
ROTATIONS = 2
STEADY_RINGS = (0.5, 4)  # inside are too few bodies, outside is too little mass
# Largest change beyond chance in a stable disk: half of the rings stay below the first limit, each below the second.
MOST_CHANGE = {"surface_density": (0.1, 0.2), "rotation": (0.05, 0.08)}
MERGER_START = 720  # steps of 1/16 to time 45, shortly before the galaxies pass
TIME_STEPS = (1 / 16, 1 / 64)
ENERGY_STEPS = (50, 100, 150, 200)
METHODS = [("direct sum", "04", None), ("tree, quadrupoles", "06", "quadrupole"), ("tree, monopoles", "06", "monopole")]


def read_disk(file):
    """Returns (time, N, bodies of the disk as (mass, x, y, z, vx, vy, vz)) of a snapshot in tipsy's little-endian binary, as
    the programs write it: a header of 32 bytes, then 36 per body. The disk comes after the bulge, each a sixth of N.
    """
    with file.open("rb") as snapshot:
        time, count = struct.unpack("<di20x", snapshot.read(32))
        each = count // 6
        snapshot.seek(32 + 36 * each)
        return time, count, [body[:7] for body in struct.iter_unpack("<9f", snapshot.read(36 * each))]


def ring_of(bodies, mass, inner, outer):
    """Returns the quantities of one ring. bodies: (R, speed outwards, along, up, z), all of this mass"""
    count = len(bodies)
    ring = {"inner": inner, "outer": outer, "bodies": count, "surface_density": count * mass / (math.pi * (outer**2 - inner**2))}
    if count < 2:
        return ring  # nothing to average
    columns = list(zip(*bodies))[1:]
    ring["rotation"] = statistics.fmean(columns[1])
    spreads = map(statistics.pstdev, columns)
    return {**ring, **dict(zip(("sigma_radial", "sigma_azimuthal", "sigma_vertical", "height"), spreads))}


def rings(bodies):
    """Returns one entry per ring, about the centre of mass and its velocity."""
    shift = [statistics.fmean(column) for column in zip(*bodies)][1:]
    around = []
    for _, *body in bodies:
        x, y, z, vx, vy, vz = map(operator.sub, body, shift)
        radius = math.hypot(x, y) or sys.float_info.min
        around.append((radius, (x * vx + y * vy) / radius, (x * vy - y * vx) / radius, vz, z))
    return [ring_of([body for body in around if inner <= body[0] < outer], bodies[0][0], inner, outer)
            for inner, outer in zip(EDGES, EDGES[1:])]


def change(before, after):
    """Returns how much a ring's quantities changed, as shares, and by how much chance alone would change them: one standard
    deviation, if both rings have as many bodies as the first.
    """
    ring = {"inner": before["inner"], "outer": before["outer"]}
    if min(before["bodies"], after["bodies"]) < 2:
        return ring
    chance = math.sqrt(2 / before["bodies"])
    return {**ring, "surface_density": after["surface_density"] / before["surface_density"] - 1,
            "rotation": after["rotation"] / before["rotation"] - 1, "surface_density_chance": chance,
            "rotation_chance": chance * before["sigma_azimuthal"] / abs(before["rotation"])}


def galaxy_changes(profiles):
    """Returns for each later profile the changes since the first, ring by ring."""
    return [list(map(change, profiles[0]["rings"], profile["rings"])) for profile in profiles[1:]]


def steady(changes, name):
    """Returns the quantities of the rings that count; NaN for a ring without bodies."""
    return [ring.get(name, math.nan) for ring in changes if STEADY_RINGS[0] <= ring["inner"] and ring["outer"] <= STEADY_RINGS[1]]


def held_together(changes):
    """Returns whether the rings' quantities changed by little more than chance: one deviation in the middle, three in any ring.
    """
    for name, (middle, most) in MOST_CHANGE.items():
        sizes, chances = [abs(size) for size in steady(changes, name)], steady(changes, f"{name}_chance")
        if not (all(size <= most + 3 * chance for size, chance in zip(sizes, chances))
                and statistics.median(sizes) <= middle + statistics.median(chances)):
            return False
    return True


def summary(profile, changes):
    words = []
    for name in MOST_CHANGE:
        sizes = [abs(size) for size in steady(changes, name) if math.isfinite(size)]
        if sizes:
            words.append(f"{name.replace('_', ' ')} {statistics.median(sizes):.1%} (median of the rings), "
                         f"{max(sizes):.1%} (most)")
    verdict = "holds together" if held_together(changes) else "CHANGED by more than chance allows"
    rotations = f"{profile['rotations']} rotation{'' if profile['rotations'] == 1 else 's'}"
    return f"after {rotations}, time {profile['time']:g}: {'; '.join(words)}: {verdict}"


class Chain(Runs):
    """Runs that continue from each other's bodies. A failure ends the sweep."""

    def __init__(self, folder):
        super().__init__()
        self.folder = folder  # for snapshots; its path is left out of the log

    def run(self, program, measure=False, **given):
        outcome = self.add(program, [*flags(**given), *([] if measure else ["--no-measure"])])
        self.log = self.log.replace(f"{self.folder}/", "")
        outcome.require_document(even_if_failed=False)
        return outcome.document["runs"][0]


def targets(on_gpu):
    return ["simd", *(step for step in step_names() if step[:2] in ("04", "06"))]


def run_galaxy(options):
    """Returns (document, Runs)."""
    on_gpu = options.build.name == "gpu"
    program = step_program(options.build, "06") if on_gpu else options.build / "common" / "simd"
    # On the host the largest number that takes a minute.
    scene = {"scene": "galaxy", "bodies": options.bodies or (262144 if on_gpu else 12288), "repeats": 1}
    with tempfile.TemporaryDirectory() as folder:
        runs = Chain(folder)
        start, end = Path(folder, "start.bin"), Path(folder, "end.bin")
        runs.run(program, **scene, steps=0, output=start)
        run = runs.run(program, measure=True, **scene, steps=ROTATIONS * STEPS_A_ROTATION,
                       snapshot_every=STEPS_A_ROTATION, output=end)
        run.pop("output")
        numbered = [Path(folder, f"end-{k * STEPS_A_ROTATION:06}.bin") for k in range(1, ROTATIONS + 1)]
        disks = [read_disk(file) for file in (start, *numbered)]
    profiles = [{"rotations": k, "time": time, "rings": rings(disk)} for k, (time, _, disk) in enumerate(disks)]
    changes = galaxy_changes(profiles)
    for profile, since in zip(profiles[1:], changes):
        runs.say(summary(profile, since))
    table = [{"rotations": profile["rotations"], "time": profile["time"], **ring}
             for profile in profiles for ring in profile["rings"]]
    last = runs.documents[-1]
    document = {"suite": last["suite"], "device": last["device"], "runs": [run], "table": table}
    runs.failed = not held_together(changes[-1])
    return document, runs


def run_energy(options):
    """Returns (document, Runs)."""
    on_gpu = options.build.name == "gpu"
    first = step_program(options.build, "04") if on_gpu else options.build / "common" / "simd"
    bodies = options.bodies or (65536 if on_gpu else 2048)
    with tempfile.TemporaryDirectory() as folder:
        runs = Chain(folder)
        start = Path(folder, "merger.bin")
        runs.run(first, scene="merger", bodies=bodies, steps=MERGER_START, output=start)
        runs.documents.clear()  # these only lead there
        runs.say(f"{'method':<20}{'dt':>10}{'steps':>7}{'energy drift':>14}{'momentum drift':>16}")
        for time_step, (name, number, multipole), steps in itertools.product(TIME_STEPS, METHODS, ENERGY_STEPS):
            run = runs.run(step_program(options.build, number), input=start, dt=time_step, steps=steps, multipole=multipole)
            run.update(method=name, scene="merger", input={"time": run["input"]["time"]})
            runs.say(f"{name:<20}{time_step:>10g}{steps:>7}{run['energy_drift']:>14.2e}{run['momentum']:>16.2e}")
    document = merged(runs.documents)
    runs.failed = not all(run["passed"] for run in document["runs"])
    return document, runs
