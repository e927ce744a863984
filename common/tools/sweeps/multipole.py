"""The sweep `multipole`: times and errors of steps 10 and 07 in six scenes, and of direct sums too against N; what steps 10 and
07 lose over many steps."""

import random
import statistics
from pathlib import Path

from common.tools.programs import flags, grouped, step_program
from common.tools.sweeps.tree import DEVICE_TREE, crossover, speed_ups, three_digits

MULTIPOLE = "10_tuned"  # the program of step 10 that is measured
MOST, BODIES, FEW = 2**24, 2**20, 2**16
SEEDS = (1, 2, 3)
SIZES = (2**12, 2**13, 2**14, 2**15, 2**17, 2**18, 2**19, 2**21, 2**22)
DIRECT = ("05_triangular_map", "09_tuned")  # take part up to BODIES
TIME_STEPS = {"collapse": 1 / 512, "collision": 1 / 256, "cube": 1 / 512, "galaxy": 1 / 16, "merger": 1 / 16, "plummer": 1 / 256,
              "shell": 1 / 512}
DRIFT_STEPS = 1024


def gaussian(folder):
    """Writes a file of 1,000,000 bodies whose coordinates have normal distributions, as in the records of jzfmm."""
    file, normal = folder / "gaussian.csv", random.Random(1).gauss
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w") as out:
        out.write("x,y,z,vx,vy,vz,mass\n")
        out.writelines(f"{normal(0, 1)},{normal(0, 1)},{normal(0, 1)},0,0,0,1e-6\n" for _ in range(1000000))
    return file


def points(options):
    """Returns the programs and arguments of all runs."""
    ten, tree, direct = (step_program(options.build, name) for name in (MULTIPOLE, DEVICE_TREE, "03"))
    cases = [(ten, {}), (tree, {}), (ten, {"tolerance": 5e-5}), (ten, {"scene": "cube", "tolerance": 3.2e-4}),
             (tree, {"scene": "cube", "theta": 0.7})]
    cases += [(program, {"scene": scene}) for scene in ("galaxy", "collision", "merger") for program in (ten, tree)]
    runs = [(program, {"bodies": BODIES, "steps": 24, "seed": seed, **given}) for program, given in cases for seed in SEEDS]
    runs += [(program, {"bodies": FEW, "steps": 200, "seed": seed}) for program in (ten, tree) for seed in SEEDS]
    runs += [(program, {"bodies": bodies, "steps": 24}) for bodies in SIZES for program in (ten, tree)]
    runs += [(step_program(options.build, name), {"bodies": bodies, "steps": 24})
             for name in DIRECT for bodies in sorted((*SIZES, FEW, BODIES)) if bodies <= BODIES]
    runs += [(ten, {"bodies": MOST, "steps": 20, "leaf": 48, "order": 4, "tolerance": 2e-4}),
             (ten, {"bodies": 4000000, "scene": "cube", "softening": 0.001, "steps": 0, "leaf": 32}),
             (ten, {"input": gaussian(options.build / "sweeps"), "softening": 0.001, "steps": 0, "leaf": 32})]
    runs = [(program, flags(**given)) for program, given in runs]
    drift = [(program, scene, FEW, seed) for program in (ten, tree) for scene in TIME_STEPS for seed in SEEDS]
    drift += [(direct, scene, FEW, 1) for scene in TIME_STEPS] + [(program, "collision", BODIES, 1) for program in (ten, tree)]
    for program, scene, bodies, seed in drift:
        given = flags(bodies=bodies, scene=scene, seed=seed, steps=DRIFT_STEPS, dt=TIME_STEPS[scene])
        runs.append((program, [*given, "--no-measure"]))
    return runs


def spread(name, values):
    """Returns each seed's drift, the largest and the median; nothing if no drift was computed."""
    known = [abs(value) for value in values if value is not None]
    return {name: known, f"{name}_most": max(known), f"{name}_median": statistics.median(known)} if known else {}


def means(dictionaries):
    return {name: statistics.fmean(each[name] for each in dictionaries) for name in dictionaries[0]}


def averaged(runs):
    """Returns one entry for the runs of a case with several seeds."""
    first = runs[0]
    entry = {"kind": "drift" if first["steps"] == DRIFT_STEPS else "time", "step": first["step"],
             "scene": Path(first["scene"]).stem, "bodies": first["bodies"], **first["parameters"], "seeds": len(runs),
             "p50": statistics.fmean(run["error"]["median"] for run in runs),
             "p99": statistics.fmean(run["error"]["p99"] for run in runs), "max": max(run["error"]["max"] for run in runs)}
    if entry["kind"] == "drift":
        return {**entry, "steps": first["steps"], "dt": first["time_step"],
                **spread("energy", [run.get("energy_drift") for run in runs]),
                **spread("momentum", [run["momentum"] for run in runs])}
    entry["force_ms"] = statistics.fmean(run["force_ms"]["median"] for run in runs)
    if first["steps"]:
        steps = [run["step_ms"] for run in runs]
        entry.update(mean_ms=statistics.fmean(step["mean"] for step in steps),
                     median_ms=statistics.fmean(step["median"] for step in steps),
                     least_ms=min(step["min"] for step in steps), most_ms=max(step["max"] for step in steps))
    if "parts_ms" in first:
        parts = means([run["parts_ms"] for run in runs])
        parts["tree"] = sum(parts[name] for name in ("keys", "sort", "cells"))
        entry.update(parts_ms=parts, facts=means([run["facts"] for run in runs]))
    return entry


def by_size(runs):
    """Returns {step: [(N, ms), ...]}: the time of a step in a Plummer sphere, each program with the options that it chooses. These
    runs are the first of each N in points(); that of the most bodies has given options.
    """
    times = {}
    for run in runs:
        if run["kind"] == "time" and run["scene"] == "plummer" and run["bodies"] < MOST:
            times.setdefault(run["step"], {}).setdefault(run["bodies"], run["median_ms"])
    return {step: sorted(of_step.items()) for step, of_step in times.items()}


def overtaken_at(times):
    """Returns {step: N from which on step 10 is faster}."""
    ten = next(of_step for step, of_step in times.items() if step.startswith("10_"))  # older records have another program of it
    places = {step: crossover(speed_ups(of_step, ten)) for step, of_step in times.items()}
    return {step: three_digits(place) for step, place in places.items() if place}


def average(document, runs, options):
    """Puts one entry for each case in the place of the runs of its seeds. Leaves the folder out of the log."""
    runs.log = runs.log.replace(f"{options.build / 'sweeps'}/", "")
    cases = grouped(document["runs"], lambda run: (
        run["step"], run["scene"], run["bodies"], run["steps"], *run["parameters"].items()))
    document["runs"] = [averaged(case) for case in cases.values()]
    document["overtaken_at"] = overtaken_at(by_size(document["runs"]))
