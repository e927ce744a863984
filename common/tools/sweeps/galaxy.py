"""Does the disk of the scene galaxy hold together? Ring by ring: surface density and rotation."""

import array
import math
import operator
import statistics
import struct
import sys
import tempfile
from pathlib import Path

from common.tools.programs import step_program
from common.tools.sweeps.runs import Chain

EDGES = [0.25 * k for k in range(25)]  # of the rings, in scale lengths of the disk
STEPS_A_ROTATION = 496  # of 1/16: a circle at R = 2.2 takes time 31 (scenes.hpp)
ROTATIONS = 2
STEADY_RINGS = (0.5, 4)  # within are too few bodies, beyond too little mass
# Beyond chance, for the disk to have held together: what half of the rings stay below, and what each does.
MOST_CHANGE = {"surface_density": (0.1, 0.2), "rotation": (0.05, 0.08)}


def read_disk(file):
    """(time, N, bodies of the disk as (mass, x, y, z, vx, vy, vz)) of a snapshot in tipsy's little-endian binary, as
    the programs write it: a header of 32 bytes, then 36 a body. The disk comes after the bulge, each a sixth of N."""
    with file.open("rb") as snapshot:
        time, count = struct.unpack("<di20x", snapshot.read(32))
        each = count // 6
        snapshot.seek(32 + 36 * each)
        words = array.array("f", snapshot.read(36 * each))
    if sys.byteorder == "big":
        words.byteswap()
    return time, count, [words[9 * i:9 * i + 7] for i in range(each)]


def ring_of(bodies, mass, inner, outer):
    """Figures of one ring; bodies as (R, speed outwards, along, up, z), each of that mass."""
    count = len(bodies)
    ring = {"inner": inner, "outer": outer, "bodies": count,
            "surface_density": count * mass / (math.pi * (outer**2 - inner**2))}
    if count < 2:
        return ring  # nothing to average
    columns = list(zip(*bodies))[1:]
    ring["rotation"] = statistics.fmean(columns[1])
    spreads = map(statistics.pstdev, columns)
    return {**ring, **dict(zip(("sigma_radial", "sigma_azimuthal", "sigma_vertical", "height"), spreads))}


def rings(bodies):
    """One entry for each ring, about the centre of mass and its velocity."""
    shift = [statistics.fmean(column) for column in zip(*bodies)][1:]
    around = []
    for _, *body in bodies:
        x, y, z, vx, vy, vz = map(operator.sub, body, shift)
        radius = math.hypot(x, y) or sys.float_info.min
        around.append((radius, (x * vx + y * vy) / radius, (x * vy - y * vx) / radius, vz, z))
    return [ring_of([body for body in around if inner <= body[0] < outer], bodies[0][0], inner, outer)
            for inner, outer in zip(EDGES, EDGES[1:])]


def change(before, after):
    """How much a ring's figures changed, as shares, and by how much chance alone would: its one deviation, where both
    rings hold as many bodies as the first."""
    if min(before["bodies"], after["bodies"]) < 2:
        return None
    chance = math.sqrt(2 / before["bodies"])
    return {"surface_density": after["surface_density"] / before["surface_density"] - 1,
            "rotation": after["rotation"] / before["rotation"] - 1,
            "surface_density_chance": chance,
            "rotation_chance": chance * before["sigma_azimuthal"] / abs(before["rotation"])}


def galaxy_changes(profiles):
    """Of each later profile: the changes since the first, ring by ring."""
    return [[{"inner": before["inner"], "outer": before["outer"], **(change(before, after) or {})}
             for before, after in zip(profiles[0]["rings"], profile["rings"])] for profile in profiles[1:]]


def steady(rings_of_one_time):
    return [ring for ring in rings_of_one_time
            if STEADY_RINGS[0] <= ring["inner"] and ring["outer"] <= STEADY_RINGS[1]]


def held_together(changes):
    """Whether the rings' figures changed by little more than chance: one deviation in the middle, three in any ring."""
    rings_there = steady(changes)
    if not all(name in ring and math.isfinite(ring[name]) for ring in rings_there for name in MOST_CHANGE):
        return False  # a ring without bodies
    for name, (middle, most) in MOST_CHANGE.items():
        sizes = [abs(ring[name]) for ring in rings_there]
        chances = [ring[f"{name}_chance"] for ring in rings_there]
        if not (statistics.median(sizes) <= middle + statistics.median(chances)
                and all(size <= most + 3 * chance for size, chance in zip(sizes, chances))):
            return False
    return True


def summary(profile, changes):
    words = []
    for name in MOST_CHANGE:
        sizes = [abs(ring[name]) for ring in steady(changes) if name in ring]
        if sizes:
            words.append(f"{name.replace('_', ' ')} {statistics.median(sizes):.1%} (median of the rings), "
                         f"{max(sizes):.1%} (most)")
    verdict = "holds together" if held_together(changes) else "CHANGED by more than chance allows"
    rotations = f"{profile['rotations']} rotation{'' if profile['rotations'] == 1 else 's'}"
    return f"after {rotations}, time {profile['time']:g}: {'; '.join(words)}: {verdict}"


def run_galaxy(bodies, options):
    """(document, log, passed)"""
    on_gpu = options.build.name == "gpu"
    program = step_program(options.build, "06") if on_gpu else options.build / "common" / "simd"
    scene = {"scene": "galaxy", "bodies": bodies, "repeats": 1}
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
    return document, runs.log, held_together(changes[-1])
