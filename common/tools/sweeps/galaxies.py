"""The sweeps `galaxy`, does its disk hold together, and `energy`, how well is that of a merger kept."""

import dataclasses
import itertools
import tempfile
from collections.abc import Callable
from pathlib import Path

from common.base.command_line import BadInput
from common.tools.build import step_names
from common.tools.programs import merged, step_program
from common.tools.sweeps.files import Kind
from common.tools.sweeps.galaxy import run_galaxy
from common.tools.sweeps.runs import Chain

MERGER_START = 720  # steps of 1/16 to time 45, shortly before the galaxies pass
TIME_STEPS = (1 / 16, 1 / 64)
ENERGY_STEPS = (50, 100, 150, 200)
METHODS = [("direct sum", "04", None), ("tree, quadrupoles", "06", "quadrupole"), ("tree, monopoles", "06", "monopole")]


def run_energy(bodies, options):
    """(document, log, passed)"""
    on_gpu = options.build.name == "gpu"
    first = step_program(options.build, "04") if on_gpu else options.build / "common" / "simd"
    with tempfile.TemporaryDirectory() as folder:
        runs = Chain(folder)
        start = Path(folder, "merger.bin")
        runs.run(first, scene="merger", bodies=bodies, steps=MERGER_START, output=start)
        runs.documents.clear()  # only the way there
        runs.say(f"{'method':<20}{'dt':>10}{'steps':>7}{'energy drift':>14}{'momentum drift':>16}")
        for time_step, (name, number, multipole), steps in itertools.product(TIME_STEPS, METHODS, ENERGY_STEPS):
            run = runs.run(step_program(options.build, number), input=start, dt=time_step, steps=steps,
                           multipole=multipole)
            run.update(method=name, scene="merger", input={"time": run["input"]["time"]})
            runs.say(f"{name:<20}{time_step:>10g}{steps:>7}{run['energy_drift']:>14.2e}{run['momentum']:>16.2e}")
    document = merged(runs.documents)
    return document, runs.log, all(run["passed"] for run in document["runs"])


@dataclasses.dataclass(frozen=True)
class Evolution(Kind):
    """A sweep judged by where its bodies go."""

    name: str
    title: str
    study: Callable  # (bodies, options): document, log and whether it passed
    gpu_bodies: int
    host_bodies: int  # the most that take a minute there
    most_bodies: int

    plots = "common.tools.plots.galaxy"
    of_speeds = False

    def check(self, options, on_gpu):
        if options.scene or options.repeats:
            raise BadInput(f"{self.name} has a scene of its own and repeats nothing: --bodies is its one choice")
        given, most = options.bodies, self.most_bodies
        if given is not None and not (given.isascii() and given.isdigit() and 600 <= int(given) <= most):
            raise BadInput(f"--bodies: must be a whole number from 600 to {most}, not '{given}'")

    def targets(self, on_gpu):
        return ["simd", *(step for step in step_names() if step[:2] in ("04", "06"))]

    def bodies(self, options):
        return int(options.bodies or (self.gpu_bodies if options.build.name == "gpu" else self.host_bodies))

    def heading(self, options):
        return f"{self.title} ({self.bodies(options):,} bodies)"

    def measured(self, options):
        return self.study(self.bodies(options), options)


EVOLUTIONS = [
    Evolution("galaxy", "The galaxy's disk over two rotations", run_galaxy, 262144, 12288, 10**7),
    # The programs report no energy above 65,536 bodies.
    Evolution("energy", "Energy of a merger over 200 steps", run_energy, 65536, 2048, 65536),
]
