"""The sweep `energy`: how well a merger keeps its energy, with the tree and with direct summation."""

import itertools
import tempfile
from pathlib import Path

from common.tools.build import step_names
from common.tools.programs import Runs, flags, merged, step_program

MERGER_START = 720  # steps of 1/16 to time 45, shortly before the galaxies pass
TIME_STEPS = (1 / 16, 1 / 64)
ENERGY_STEPS = (50, 100, 150, 200)
METHODS = [("direct sum", "04", None), ("tree, quadrupoles", "06", "quadrupole"), ("tree, monopoles", "06", "monopole")]


class Chain(Runs):
    """Runs that continue from each other's bodies. A failure ends the sweep."""

    def __init__(self, folder):
        super().__init__()
        self.folder = folder  # for snapshots; its path is left out of the log

    def run(self, program, **given):
        outcome = self.add(program, [*flags(**given), "--no-measure"])
        self.log = self.log.replace(f"{self.folder}/", "")
        outcome.require_document(even_if_failed=False)
        return outcome.document["runs"][0]


def targets(on_gpu):
    return ["simd", *(step for step in step_names() if step[:2] in ("04", "06"))]


def measured(options):
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
