"""Two measurements of precision: `fp64`, every step in FP64 beside FP32, with the instructions that its root takes; and `mixed`,
step 03 with positions and sums of different precision, errors against times."""

import re

from common.base.command_line import BadInput
from common.tools.build import kernel_steps, programs_of
from common.tools.ladder import sass
from common.tools.ladder.table import row_name, shown
from common.tools.programs import Runs, flags
from common.tools.sweeps.files import Kind
from common.tools.sweeps.runs import Measurement

MIXED = "03_unrolled/03_mixed"
MIXED_BODIES = (16384, 262144)
FP64_BODIES = (16384, 262144)
FP64 = re.compile(r"D(ADD|MUL|FMA)\b")
ROOT64 = "MUFU.RSQ64H"  # the first guess; the rest of a root is multiplications
FORMULA = 12  # FP64 instructions of an interaction without its root: 3 differences, 3 squares, 3 products, 3 sums
DIRECT = ("01", "02", "03", "04")  # whose loop is that formula, once for each root


def root_instructions(kernels):
    """FP64 instructions that a root takes in the innermost loop with most roots; None where no loop has one."""
    loops = [[name for _, name, _ in loop] for kernel in kernels if "forcesKernel" in kernel.name for loop in kernel.innermost()]
    best = max(loops, key=lambda names: names.count(ROOT64), default=[])
    roots = best.count(ROOT64)
    return sum(bool(FP64.match(name)) for name in best) / roots - FORMULA if roots else None


class Fp64(Kind):
    name = "fp64"
    title = "Every step in FP64 beside FP32"
    plots = "common.tools.plots.fp64"
    needs_gpu = True

    def targets(self, on_gpu):
        return [name for step in kernel_steps() for program in programs_of(step) for name in (program, f"{program}_fp64")]

    def table_row(self, run):
        return (f"{row_name(run):42}{run['bodies']:>10,}{run['precision']:>6}{shown(run['force_ms']['median'], ',.4g'):>11}"
                f"{run['error']['median']:>10.1e}")

    def points(self, options):
        return [(options.build / step / f"{program}{precision}",
                 flags(bodies=bodies, steps=0, scene=options.scene, repeats=options.repeats or 5))
                for bodies in FP64_BODIES for step in kernel_steps() for program in programs_of(step) for precision in ("", "_fp64")]

    def measured(self, options):
        measurement = Measurement(self, self.points(options))
        document = measurement.document()
        for run in document["runs"]:
            if run["precision"] == "fp64":
                run.pop("fma_share", None)  # the probe is of FP32
        document["table"] = [self.pair(options, document["runs"], run) for run in document["runs"] if run["precision"] == "fp64"]
        return document, measurement.log, not measurement.failed

    def pair(self, options, runs, run):
        """A row: both times, and what a root costs in the steps whose loop tells."""
        step = re.sub("_fp64$", "", run["step"])
        (single,) = [other for other in runs if other["step"] == step and other["bodies"] == run["bodies"]]
        row = {"step": step, "bodies": run["bodies"], "fp32_ms": single["force_ms"]["median"],
               "fp64_ms": run["force_ms"]["median"], "parameters": {"equal_masses": masses} if (masses := single["parameters"].get("equal_masses")) else {},
               "slowdown": run["force_ms"]["median"] / single["force_ms"]["median"],
               "fp32_error": single["error"]["median"], "fp64_error": run["error"]["median"]}
        if step.startswith(DIRECT) and sass.have_disassembler():
            (folder,) = [name for name in kernel_steps() if name[:2] == step[:2]]
            if cost := root_instructions(sass.kernels_of(options.build, options.build / folder / run["step"])):
                row["root_instructions"] = cost
        return row


class Mixed(Kind):
    name = "mixed"
    title = "Step 03 with positions and sums of different precision"
    plots = "common.tools.plots.mixed"

    def check(self, options, on_gpu):
        if options.bodies and not options.bodies.isdigit():
            raise BadInput(f"--bodies: must be a whole number, not '{options.bodies}'")

    def targets(self, on_gpu):
        return [MIXED.split("/")[1]]

    def measured(self, options):
        """On the executor errors alone, of fewer bodies."""
        runs = Runs()
        sizes = [options.bodies] if options.bodies else MIXED_BODIES if options.build.name == "gpu" else (2048,)
        for bodies in sizes:
            runs.reported(options.build / MIXED, flags(bodies=bodies, scene=options.scene, repeats=options.repeats))
        first, *others = runs.documents
        document = {**first, "runs": first["runs"] + [run for other in others for run in other["runs"]]}
        return document, runs.log, not runs.failed


PRECISION = [Fp64(), Mixed()]
