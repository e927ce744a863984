"""Profiles each step's force kernel with Nsight Compute (ncu). The kernel is measured under the conditions of a normal
run: caches are not cleared, and the clock is not fixed.

The command writes to build/gpu/profile/: one text file per kernel (ncu_warm_*.txt), and profile.json, which has the
metrics quoted on the pages and the time that the program measures without ncu. If this time differs from ncu's, compare
the clock rates, which are also recorded.
"""

import re
from dataclasses import dataclass, field

from common.base.command_line import BadInput, CommandFailed, shown_path
from common.tools import progress
from common.tools.build import add_preset, built, preset_of
from common.tools.ladder import ncu, record
from common.tools.programs import Runs, flags, merged, write_json

AGREE = 0.05  # of the program's time, at the program's clock: where the kernel is nearly all of an evaluation


@dataclass(frozen=True)
class Point:
    program: str  # below the build folder
    bodies: int
    kernel: str = "forcesKernel"
    options: dict = field(default_factory=dict)
    part: str = ""  # of the program's times, the one that is the kernel's

    @property
    def name(self):
        program = self.program.split("/")[1]
        short = program if program.endswith("_tuned") else program[:2]
        return "_".join(["ncu_warm", short, str(self.bodies), *self.options.values()])


def pairs(masses):
    return {"equal_masses": masses}


POINTS = [
    Point("01_naive/01_naive", 262144),
    Point("02_tiled/02_tiled", 262144),
    Point("03_unrolled/03_unrolled", 262144),
    *(Point("04_multithread_per_body/04_multithread_per_body", bodies) for bodies in (1024, 4096, 16384, 262144)),
    Point("04_multithread_per_body/04_tuned", 262144),
    Point("05_triangular_map/05_triangular_map", 16384, options=pairs("ignored")),
    Point("05_triangular_map/05_triangular_map", 262144, options=pairs("ignored")),
    Point("05_triangular_map/05_triangular_map", 262144, options=pairs("used")),
    Point("06_tree_walk/06_tree_walk", 262144, "fusedWalkKernel", part="fused_walk"),
    Point("07_device_tree/07_device_tree", 262144, "fusedWalkKernel", part="walk"),
]
TABLE = "{:<26}{:>11}{:>11}{:>8}{:>14}"


def add_arguments(parser):
    add_preset(parser, ["gpu"], "always gpu: the CPU executor has no hardware counters")
    parser.add_argument("names", nargs="*", metavar="NN", help="the steps, for example 03 or 04_tuned (default: all)")
    parser.add_argument("--record", action="store_true",
                        help="keep the texts and the JSON in docs/results/; only for all steps together")


def chosen(names):
    points = [point for point in POINTS if not names or point.name.split("_")[2] in names
              or point.program.split("/")[1] in names]
    unknown = [name for name in names if not any(name in (point.name.split("_")[2], point.program.split("/")[1])
                                                 for point in POINTS)]
    if unknown:
        programs = dict.fromkeys(point.program.split("/")[1] for point in POINTS)
        raise BadInput(f"unknown step '{unknown[0]}'; there are {', '.join(programs)}")
    return points


def compare(run, device, part):
    """Puts ncu's time beside the program's: as it is, and at the clock of the program's FMA probe."""
    metrics = run["metrics"]
    own_ms = run["parts_ms"][part] if part else run["force_ms"]["median"]
    run["ncu_ms"] = metrics["duration_ns"] * 1e-6
    run["program_ms"] = own_ms
    run["ncu_over_program"] = run["ncu_ms"] / own_ms
    if "cycles" in metrics:
        run["ncu_ghz"] = metrics["cycles"] / metrics["duration_ns"]
        run["ncu_over_program_same_clock"] = metrics["cycles"] / (device["fma_clock_ghz"] * 1e6) / own_ms
        run["agrees"] = abs(run["ncu_over_program_same_clock"] - 1) <= AGREE


def measured(build, point, runs, folder):
    """Runs the point's program by itself and under ncu; leaves its text in the folder."""
    program = build / point.program
    given = flags(bodies=point.bodies, steps=0, **point.options)
    outcome = runs.add(program, given)
    outcome.require_document(even_if_failed=False)
    (run,) = outcome.document["runs"]
    arguments = [*given, "--no-check"]
    with progress.shown(profiling=point.name):
        text = ncu.report(point.kernel, program, arguments)
    words = ncu.command(point.kernel, program.name)[1:]
    (folder / f"{point.name}.txt").write_text(
        f"# ncu {' '.join([*words, *arguments])}; commit {outcome.document['suite']['commit']}\n{text}")
    run.update(report=point.name, **ncu.parsed(text))
    compare(run, outcome.document["device"], point.part)
    progress.say(TABLE.format(re.sub("^ncu_warm_", "", point.name), f"{run['ncu_ms']:.4g}", f"{run['program_ms']:.4g}",
                              f"{run['ncu_over_program']:.2f}", f"{run.get('ncu_over_program_same_clock', 0):.2f}"))


def run(options):
    if preset_of(options) != "gpu":
        raise BadInput("needs a GPU: the CPU executor has no hardware counters")
    points = chosen(options.names)
    if options.record and options.names:
        raise BadInput("--record keeps the profiles of all steps together: leave out the steps")
    ncu.tool()
    build = built("gpu", *{point.program.split("/")[1] for point in points})
    folder = build / "profile"
    folder.mkdir(exist_ok=True)
    runs, failed = Runs(), []
    progress.say(TABLE.format("kernel", "ncu ms", "program ms", "ratio", "at its clock"))
    for point in points:
        try:
            measured(build, point, runs, folder)
        except CommandFailed as error:
            progress.complain(f"{point.name}: {error}")
            failed.append(point.name)
    if failed:
        raise CommandFailed(f"these profiles failed: {', '.join(failed)}; nothing is recorded")
    files = [folder / "profile.json", *(folder / f"{point.name}.txt" for point in points)]
    write_json(files[0], merged(runs.documents))
    print(f"Written: {shown_path(files[0])} and its texts")
    if options.record:
        print(f"Recorded: {shown_path(record.keep(files, runs.documents[0]['device']))}")
