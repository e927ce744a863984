"""The chapter's sweeps: what each varies, its points and its table."""

import dataclasses

from common.tools.build import step_names
from common.tools.programs import step_programs
from common.tools.sweeps.files import Kind
from common.tools.sweeps.runs import Measurement, shown

FEW_REPEATS_ABOVE = 262144  # bodies; an evaluation then takes tenths of a second
EXECUTOR_UP_TO = 4096       # bodies; more take the executor long and check nothing more
TABLE = "{:<26}{:>10}{:>8}{:>12}{:>14}{:>11}  {}"


def powers_of_two(least, most):
    return [1 << k for k in range(least.bit_length() - 1, most.bit_length())]


@dataclasses.dataclass(frozen=True)
class Sweep(Kind):
    """One figure of GPU Gems 3, chapter 31."""

    name: str
    figure: str
    title: str
    setting: str  # what is held constant
    axis: str
    bodies: tuple
    step: str | None = None    # prefix of the step's name; None: every step
    option: str | None = None  # what is varied beside N
    values: tuple = (None,)
    fixed: tuple = ()          # options that the step would otherwise choose along with the varied one

    def targets(self, on_gpu):
        return [step for step in step_names() if self.step is None or step.startswith(self.step)]

    def heading(self, options):
        return f"Figure {self.figure}: {self.title} ({self.setting})\n{self.table_header()}"

    def measured(self, options):
        measurement = Measurement(self, points(self, options.build, options.build.name == "gpu", options))
        return measurement.document(), measurement.log, not measurement.failed

    def x(self, run):
        return run["parameters"][json_name(self.option)] if self.option else run["bodies"]

    def series(self, run):
        """What a curve holds constant: N, or the step where N is varied."""
        return run["bodies"] if self.option else run["step"]

    def table_header(self):
        return TABLE.format("step", "N", self.option and self.axis.split()[-1] or "", "GFLOP/s", "error median",
                            "error max", "check")

    def table_row(self, run):
        error = run.get("error") or {}
        return TABLE.format(run["step"], f"{run['bodies']:,}", self.x(run) if self.option else "",
                            shown(run.get("gflops"), ",.0f"), shown(error.get("median"), ".1e"),
                            shown(error.get("max"), ".1e"), "ok" if run["passed"] else "FAILED")


def json_name(option):
    return option.replace("-", "_")


CHAPTER_SIZES = (1024, 4096, 16384)  # those of figures 31-5 and 31-7

SWEEPS = {
    sweep.name: sweep
    for sweep in [
        Sweep("unroll", "31-5", "unrolling the loop", "step 03, bodies-per-thread 1", "unroll factor U",
              CHAPTER_SIZES, "03", "unroll", (1, 2, 4, 8, 16, 32), ("--bodies-per-thread=1",)),
        Sweep("bodies", "31-6", "more bodies", "each step's own choices", "bodies N",
              tuple(powers_of_two(256, 1048576))),
        Sweep("block", "31-7", "the size of the block", "step 02", "threads per block p",
              CHAPTER_SIZES, "02", "block", (32, 64, 96, 128, 192, 256, 384, 512, 768, 1024)),
        # One block a body and one body a thread: by default blocks would fill the GPU where threads do not.
        Sweep("threads", "31-8", "threads per body", "step 04, blocks-per-body 1, bodies-per-thread 1",
              "threads per body q", tuple(powers_of_two(256, 65536)),
              "04", "threads-per-body", (1, 2, 4, 8, 16, 32), ("--blocks-per-body=1", "--bodies-per-thread=1")),
    ]
}


def points(sweep, build, on_gpu, options):
    """(program, arguments) of every point; options: scene and repeats, None where not asked for."""
    programs = [p for p in step_programs(build) if sweep.step is None or p.name.startswith(sweep.step)]
    return [
        (program, arguments(sweep, bodies, value, options))
        for program in programs
        for bodies in sweep.bodies
        if on_gpu or bodies <= EXECUTOR_UP_TO
        for value in sweep.values
    ]


def arguments(sweep, bodies, value, options):
    repeats = options.repeats or ("3" if bodies > FEW_REPEATS_ABOVE else "7")
    given = [f"--bodies={bodies}", "--steps=0", f"--repeats={repeats}", *sweep.fixed]
    if sweep.option:
        given.append(f"--{sweep.option}={value}")
    if options.scene:
        given.append(f"--scene={options.scene}")
    return given
