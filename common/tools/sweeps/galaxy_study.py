"""Does the disk of the scene galaxy hold together?"""

import math
import statistics
import tempfile
from pathlib import Path

from common.tools.programs import step_program
from common.tools.sweeps.galaxy_profile import change, read_disk, rings
from common.tools.sweeps.runs import Runs

STEPS_A_ROTATION = 496  # of 1/16: a circle at R = 2.2 takes time 31 (scenes.hpp)
ROTATIONS = 2
STEADY_RINGS = (0.5, 4)  # within are too few bodies, beyond too little mass
# Beyond chance, for the disk to have held together: what half of the rings stay below, and what each does.
MOST_CHANGE = {"surface_density": (0.1, 0.2), "rotation": (0.05, 0.08)}


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
        if not statistics.median(sizes) <= middle + statistics.median(chances):
            return False
        if not all(size <= most + 3 * chance for size, chance in zip(sizes, chances)):
            return False
    return True


def rotations_of(profile):
    return f"{profile['rotations']} rotation{'' if profile['rotations'] == 1 else 's'}"


def summary(profile, changes):
    words = []
    for name in MOST_CHANGE:
        sizes = [abs(ring[name]) for ring in steady(changes) if name in ring]
        if sizes:
            words.append(f"{name.replace('_', ' ')} {statistics.median(sizes):.1%} (median of the rings), "
                         f"{max(sizes):.1%} (most)")
    verdict = "holds together" if held_together(changes) else "CHANGED by more than chance allows"
    return f"after {rotations_of(profile)}, time {profile['time']:g}: {'; '.join(words)}: {verdict}"


def profile_of(file, rotations):
    time, _, disk = read_disk(file)
    return {"rotations": rotations, "time": time, "rings": rings(disk)}


def run_galaxy(bodies, options):
    """(document, log, passed)"""
    on_gpu = options.build.name == "gpu"
    program = step_program(options.build, "06") if on_gpu else options.build / "common" / "simd"
    scene = {"scene": "galaxy", "bodies": bodies, "repeats": 1}
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(folder)
        start, end = Path(folder, "start.bin"), Path(folder, "end.bin")
        runs.run(program, **scene, steps=0, output=start)
        run = runs.run(program, measure=True, **scene, steps=ROTATIONS * STEPS_A_ROTATION,
                       snapshot_every=STEPS_A_ROTATION, output=end)
        run.pop("output")
        numbered = [Path(folder, f"end-{k * STEPS_A_ROTATION:06}.bin") for k in range(1, ROTATIONS + 1)]
        profiles = [profile_of(file, k) for k, file in enumerate([start, *numbered])]
    changes = galaxy_changes(profiles)
    for profile, since in zip(profiles[1:], changes):
        runs.say(summary(profile, since))
    table = [{"rotations": profile["rotations"], "time": profile["time"], **ring}
             for profile in profiles for ring in profile["rings"]]
    last = runs.documents[-1]
    document = {"suite": last["suite"], "device": last["device"], "runs": [run], "table": table}
    return document, runs.log, held_together(changes[-1])
