"""The chapter's sweeps, what each varies, its points and its table, and step 05's studies, programs that measure all of
their points in one run."""

import dataclasses
from pathlib import Path

from common.base.command_line import BadInput
from common.tools.ladder.table import shown
from common.tools.programs import Runs, flags, repeats_for, step_programs
from common.tools.sweeps.files import Kind

EXECUTOR_UP_TO = 4096       # bodies; more take the executor long and check nothing more
TABLE = "{:<26}{:>10}{:>8}{:>12}{:>14}{:>11}  {}"


@dataclasses.dataclass(frozen=True)
class Sweep(Kind):
    """One figure of GPU Gems 3, chapter 31."""

    name: str
    figure: str
    title: str
    setting: str  # what is held constant
    axis: str
    bodies: tuple
    step: str = ""             # its number; "": every step
    option: str = ""           # what is varied beside N
    values: tuple = (None,)
    fixed: tuple = ()          # options that the step would otherwise choose along with the varied one

    def targets(self, on_gpu):
        return [program.name for program in step_programs(Path(), self.step)]

    def heading(self, options):
        varied = self.axis.split()[-1] if self.option else ""
        return f"Figure {self.figure}: {self.title} ({self.setting})\n" + TABLE.format(
            "step", "N", varied, "GFLOP/s", "error median", "error max", "check")

    def points(self, options):
        return points(self, options.build, options.build.name == "gpu", options)

    def x(self, run):
        return run["parameters"][self.option] if self.option else run["bodies"]

    def series(self, run):
        """What a curve holds constant: N, or the step where N is varied."""
        return run["bodies"] if self.option else run["step"]

    def table_row(self, run):
        error = run.get("error") or {}
        return TABLE.format(run["step"], f"{run['bodies']:,}", self.x(run) if self.option else "",
                            shown(run.get("gflops"), ",.0f"), shown(error.get("median"), ".1e"),
                            shown(error.get("max"), ".1e"), "ok" if run["passed"] else "FAILED")


CHAPTER_SIZES = (1024, 4096, 16384)  # those of figures 31-5 and 31-7

SWEEPS = {sweep.name: sweep for sweep in [
    Sweep("unroll", "31-5", "unrolling the loop", "step 03, bodies-per-thread 1", "unroll factor U",
          CHAPTER_SIZES, "03", "unroll", (1, 2, 4, 8, 16, 32, 64), ("--bodies-per-thread=1",)),
    Sweep("bodies", "31-6", "more bodies", "each step's own choices", "bodies N",
          tuple(2**k for k in range(8, 21))),
    Sweep("block", "31-7", "the size of the block", "step 02", "threads per block p",
          CHAPTER_SIZES, "02", "block", (32, 64, 96, 128, 192, 256, 384, 512, 768, 1024)),
    # One block a body and one body a thread: by default blocks would fill the GPU where threads do not.
    Sweep("threads", "31-8", "threads per body", "step 04, blocks-per-body 1, bodies-per-thread 1",
          "threads per body q", tuple(2**k for k in range(8, 17)),
          "04", "threads_per_body", (1, 2, 4, 8, 16, 32), ("--blocks-per-body=1", "--bodies-per-thread=1")),
]}


def points(sweep, build, on_gpu, options):
    """(program, arguments) of every point; options: scene and repeats, None where not asked for."""
    return [(program, [*flags(bodies=bodies, steps=0, scene=options.scene, **{sweep.option: value},
                              repeats=options.repeats or repeats_for(bodies, 7, 3)), *sweep.fixed])
            for program in step_programs(build, sweep.step)
            for bodies in sweep.bodies if on_gpu or bodies <= EXECUTOR_UP_TO
            for value in sweep.values]


@dataclasses.dataclass(frozen=True)
class Study(Kind):
    """A program's run and the figures that are drawn of it."""

    name: str
    title: str
    program: str
    points: str    # its option
    extras: dict   # further runs: name in the document, option
    has_scene: bool = False

    plots = "common.tools.plots.study"
    needs_gpu = True

    def check(self, options, on_gpu):
        super().check(options, on_gpu)
        if options.scene and not self.has_scene:
            raise BadInput(f"--scene: {self.name} draws its own points")

    def targets(self, on_gpu):
        return [self.program]

    def measured(self, options):
        program = options.build / "05_triangular_map" / self.program
        given = [self.points, *flags(repeats=options.repeats, scene=options.scene)]
        runs = Runs()
        for arguments in [given, *([extra] for extra in self.extras.values())]:
            outcome = runs.add(program, arguments)
            print(outcome.log, flush=True)
            outcome.require_document()
        document, *extras = runs.documents
        document.update({name: extra["runs"] for name, extra in zip(self.extras, extras)})
        return document, runs.log, not runs.failed


STUDIES = [
    Study("maps", "Maps of the triangle: figures 3 and 5 of Navarro, Bustos and Hitschfeld", "05_map_study",
          "--n=1024,2048,4096,8192,16384,32768,65536", {"exactness": "--exactness"}),
    Study("triplets", "Axilrod-Teller energy by the tetrahedral map", "05_triplets", "--n=64,128,256,512,1024,2048", {},
          has_scene=True),
]
