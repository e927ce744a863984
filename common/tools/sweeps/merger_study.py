"""How well is the energy of a merger kept, by the tree and by direct summation?"""

import tempfile
from pathlib import Path

from common.tools.programs import merged, step_program
from common.tools.sweeps.runs import Runs

MERGER_START = 720  # steps of 1/16 to time 45, shortly before the galaxies pass
TIME_STEPS = (1 / 16, 1 / 64)
ENERGY_STEPS = (50, 100, 150, 200)


def energy_methods(build):
    """(name, program, arguments)"""
    tree = step_program(build, "06")
    return [("direct sum", step_program(build, "04"), []),
            ("tree, quadrupoles", tree, ["--multipole=quadrupole"]),
            ("tree, monopoles", tree, ["--multipole=monopole"])]


def run_energy(bodies, options):
    """(document, log, passed)"""
    on_gpu = options.build.name == "gpu"
    first = step_program(options.build, "04") if on_gpu else options.build / "common" / "simd"
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(folder)
        start = Path(folder, "merger.bin")
        runs.run(first, ["--scene=merger", f"--bodies={bodies}", f"--steps={MERGER_START}", "--no-measure",
                         f"--output={start}"])
        runs.documents.clear()  # only the way there
        given = [f"--input={start}", "--no-measure"]
        runs.say(f"{'method':<20}{'dt':>10}{'steps':>7}{'energy drift':>14}{'momentum drift':>16}")
        for time_step in TIME_STEPS:
            for name, program, arguments in energy_methods(options.build):
                for steps in ENERGY_STEPS:
                    run = runs.run(program, [*given, f"--dt={time_step}", f"--steps={steps}", *arguments])
                    run.update(method=name, scene="merger", input={"time": run["input"]["time"]})
                    runs.say(f"{name:<20}{time_step:>10g}{steps:>7}{run['energy_drift']:>14.2e}"
                             f"{run['momentum']:>16.2e}")
    document = merged(runs.documents)
    return document, runs.log, all(run["passed"] for run in document["runs"])
