"""The figure `roofline`: each step's force kernel by its executed FLOP for each byte of shared memory, L2 cache and device memory,
under ceilings measured here. The counts are those of `./run profile`."""

import json

from common.base.command_line import ROOT, BadInput
from common.tools.ladder import record
from common.tools.ladder.table import row_name
from common.tools.programs import Runs, flags
from common.tools.sweeps.files import Kind

PROGRAM = "common/ceilings"
BODIES = 262144
WAVEFRONT = 128  # bytes that shared memory can give in a cycle; a wavefront takes the cycle, whatever it fetches


def executed(metrics):
    """FLOP of a kernel: a multiply-add is two, what the unit for roots does one for each lane."""
    return metrics["fadd"] + metrics["fmul"] + 2 * metrics["ffma"] + 32 * metrics["xu_instructions"]


def traffic(metrics):
    return {"shared": WAVEFRONT * metrics["shared_wavefronts"], "l2": metrics["l2_bytes"], "dram": metrics["dram_bytes"]}


def row(run):
    """A kernel's point: its rate, and FLOP for each byte of each memory that it uses."""
    metrics = run["metrics"]
    flop = executed(metrics)
    return {"step": row_name(run), "bodies": run["bodies"], "tflops": flop / run["ncu_ms"] * 1e-9,
            **{f"flop_per_byte_{memory}": flop / amount for memory, amount in traffic(metrics).items() if amount}}


def attainable(device, ceilings, point):
    """TFLOP/s that the lowest of the roofs above a point allows, and whose roof that is."""
    roofs = {memory: point[f"flop_per_byte_{memory}"] * gb_per_s * 1e-3 for memory, gb_per_s in ceilings.items()
             if f"flop_per_byte_{memory}" in point}
    roofs["FMA"] = device["fma_tflops"]
    lowest = min(roofs, key=roofs.get)
    return roofs[lowest], lowest


def has_profile():
    """Whether there may be one of this GPU."""
    return (ROOT / "build" / "gpu" / "profile" / "profile.json").exists() or any(ROOT.glob("docs/results/*/profile.json"))


def profile_of(build, device):
    """The runs of the last profile, this build's or the recorded one."""
    for folder in (build / "profile", ROOT / "docs" / "results" / record.slug(device["name"])):
        if (folder / "profile.json").exists():
            return json.loads((folder / "profile.json").read_text())["runs"]
    raise BadInput("roofline: there is no profile of this GPU; ./run profile makes it")


class Roofline(Kind):
    name = "roofline"
    title = "Roofline of all steps"
    plots = "common.tools.plots.roofline"
    needs_gpu = True

    def check(self, options, on_gpu):
        super().check(options, on_gpu)
        if options.scene:
            raise BadInput("--scene: the roofline is of the profile's bodies")

    def targets(self, on_gpu):
        return ["ceilings"]

    def measured(self, options):
        runs = Runs()
        document = runs.reported(options.build / PROGRAM, flags(repeats=options.repeats))
        device = document["device"]
        ceilings = {run["memory"]: run["gb_per_s"] for run in document["runs"]}
        points = [row(run) for run in profile_of(options.build, device) if run["bodies"] == BODIES]
        for point in points:
            point["attainable_tflops"], point["roof"] = attainable(device, ceilings, point)
            runs.say(f"{point['step']:42}{point['tflops']:8.2f} of {point['attainable_tflops']:.2f} TFLOP/s ({point['roof']})")
        document["table"] = points
        return document, runs.log, not runs.failed


ROOFLINE = Roofline()
