"""Profiles each step's force kernel with Nsight Compute (ncu). The kernel is measured under the conditions of a normal
run: caches are not cleared, and the clock is not fixed.

The command writes to build/gpu/profile/: one text file per kernel (ncu_warm_*.txt), and profile.json, which has the
metrics quoted on the pages and the time that the program measures without ncu. If this time differs from ncu's, compare
the clock rates, which are also recorded.

./run profile micro counts the memory accesses of many small kernels and of the force kernels. Tests compare the executor's counts
with them.
"""

import re
from dataclasses import dataclass, field

from common.base.command_line import ROOT, BadInput, CommandFailed, shown_path
from common.tools import packages, progress
from common.tools.build import add_preset, built, preset_of
from common.tools.ladder import micro, store
from common.tools.programs import Runs, flags, merged, write_json

# Metrics by their names on the pages. "smsp" means per scheduler. The roofline needs the last ones.
METRICS = {
    "duration_ns": "gpu__time_duration.sum",
    "cycles": "sm__cycles_elapsed.max",
    "cycles_active": "sm__cycles_active.avg",
    "issue_active": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "eligible": "smsp__warps_eligible.avg.per_cycle_active",
    "active_warps": "sm__warps_active.avg.per_cycle_active",
    "fma_pipe": "smsp__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active",
    "xu_pipe": "smsp__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active",
    "instructions": "smsp__inst_executed.sum",
    "fadd": "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "fmul": "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
    "ffma": "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "xu_instructions": "smsp__inst_executed_pipe_xu.sum",
    "shared_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l2_bytes": "lts__t_bytes.sum",
    "dram_bytes": "dram__bytes.sum",
}
STALLS = ["barrier", "dispatch_stall", "long_scoreboard", "math_pipe_throttle", "mio_throttle", "no_instruction",
          "not_selected", "short_scoreboard", "wait"]
STALLED = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
METRICS.update({f"stalled_{name}": STALLED.format(name) for name in STALLS})
SECTIONS = ["SpeedOfLight", "ComputeWorkloadAnalysis", "SchedulerStats", "WarpStateStats", "LaunchStats", "Occupancy"]
# Measures a kernel in the middle of many, so that caches and clock are as in a run. --print-units base: bytes, cycles, ns.
WARM = ["--cache-control", "none", "--clock-control", "none", "--print-units", "base", "--launch-skip", "10", "-c", "1"]
LINE = re.compile(r"^ +(\w+__[\w.]+) +(?:\S+ +)?([\d.,e+-]+|nan|n/a) *$", re.MULTILINE)
KERNEL = re.compile(r"^  (?:void )?((?:\w+::)*\w+(?:<[^(]*>)?)\(.*\) \((\d+), (\d+), (\d+)\)x\((\d+), (\d+), (\d+)\)", re.MULTILINE)
AGREE = 0.05  # relative to the program's time, at the program's clock, if the kernel is nearly all of an evaluation


@dataclass(frozen=True)
class Point:
    program: str  # below the build folder
    bodies: int
    kernel: str = "forcesKernel"
    options: dict = field(default_factory=dict)
    part: str = ""  # the kernel's part of the program's times
    only_text: bool = False  # not in the JSON: the metrics do not count the work of tensor cores

    @property
    def words(self):
        """Returns the arguments that select it."""
        return {self.program[:2], self.program.split("/")[1]}

    @property
    def name(self):
        program = self.program.split("/")[1]
        short = program if program.endswith("_tuned") else program[:2]
        return "_".join(["ncu_warm", short, str(self.bodies), *self.options.values()])


POINTS = [
    Point("01_naive/01_naive", 262144),
    Point("02_tiled/02_tiled", 262144),
    Point("03_unrolled/03_unrolled", 262144),
    *(Point("04_multithread_per_body/04_multithread_per_body", bodies) for bodies in (1024, 4096, 16384, 262144)),
    Point("04_multithread_per_body/04_tuned", 262144),
    Point("05_triangular_map/05_triangular_map", 16384, options={"equal_masses": "ignored"}),
    Point("05_triangular_map/05_triangular_map", 262144, options={"equal_masses": "ignored"}),
    Point("05_triangular_map/05_triangular_map", 262144, options={"equal_masses": "used"}),
    Point("06_tree_walk/06_tree_walk", 262144, "fusedWalkKernel", part="fused_walk"),
    Point("07_device_tree/07_tuned", 262144, "fusedWalkKernel", part="walk"),
    Point("09_tensor_cores/09_tensor_cores", 262144, options={"scene": "cube"}, only_text=True),
    Point("09_tensor_cores/09_tuned", 262144, "farKernel", {"scene": "cube"}, only_text=True),
]
TABLE = "{:<26}{:>11}{:>11}{:>8}{:>14}"


def add_arguments(parser):
    add_preset(parser, ["gpu"], "always gpu: the CPU executor has no hardware counters")
    parser.add_argument("names", nargs="*", metavar="NN", help="the steps, for example 03 or 04_tuned (default: all), or micro")
    parser.add_argument("--record", action="store_true",
                        help="keep the texts and the JSON in docs/results/; only for all steps together")


def chosen(names):
    for name in names:
        if not any(name in point.words for point in POINTS):
            programs = dict.fromkeys(point.program.split("/")[1] for point in POINTS)
            raise BadInput(f"unknown step '{name}'; there are {', '.join(programs)}")
    return [point for point in POINTS if not names or point.words & {*names}]


def tool():
    found = packages.find_cuda_tool("ncu")
    if not found:
        raise BadInput("ncu, Nsight Compute's command line, is not installed; it comes with the CUDA toolkit")
    return found


def command(kernel):
    """Returns ncu's own words, which the program's follow."""
    sections = [word for section in SECTIONS for word in ("--section", section)]
    return [tool(), *WARM, "-k", f"regex:{kernel}", *sections, "--metrics", ",".join(METRICS.values())]


def parsed(text):
    """Returns {"kernel", "grid", "block", "metrics"} of the only kernel in a report, without metrics that the GPU lacks."""
    found = KERNEL.findall(text)
    if len(found) != 1:
        raise CommandFailed(f"ncu's report has {len(found)} kernels, not one")
    name, *sizes = found[0]
    values = {metric: value for metric, value in LINE.findall(text) if value not in ("nan", "n/a")}
    metrics = {short: float(values[metric].replace(",", "")) for short, metric in METRICS.items() if metric in values}
    if "duration_ns" not in metrics:
        raise CommandFailed("ncu's report has no duration")
    return {"kernel": name, "grid": [*map(int, sizes[:3])], "block": [*map(int, sizes[3:])], "metrics": metrics}


def compare(run, device, part):
    """Adds ncu's time next to the program's: unchanged, and at the clock of the program's FMA probe."""
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
    """Runs the point's program alone and under ncu. Leaves ncu's text in the folder."""
    program = build / point.program
    given = flags(bodies=point.bodies, steps=0, **point.options)
    outcome = runs.add(program, given)
    outcome.require_document(even_if_failed=False)
    (run,) = outcome.document["runs"]
    arguments = [*given, "--no-check"]
    with progress.shown(profiling=point.name):
        text = micro.printed_by_ncu(command(point.kernel), program, arguments).replace(f"{ROOT}/", "")
    words = [*command(point.kernel)[1:], program.name, *arguments]
    (folder / f"{point.name}.txt").write_text(
        f"# ncu {' '.join(words)}; commit {outcome.document['suite']['commit']}\n{text}")
    if point.only_text:
        runs.documents.pop()
        return progress.say(f"{point.name}: its text is kept")
    run.update(report=point.name, **parsed(text))
    compare(run, outcome.document["device"], point.part)
    progress.say(TABLE.format(re.sub("^ncu_warm_", "", point.name), f"{run['ncu_ms']:.4g}", f"{run['program_ms']:.4g}",
                              f"{run['ncu_over_program']:.2f}", f"{run.get('ncu_over_program_same_clock', 0):.2f}"))


def run(options):
    if preset_of(options) != "gpu":
        raise BadInput("needs a GPU: the CPU executor has no hardware counters")
    is_micro = options.names == ["micro"]
    points = [] if is_micro else chosen(options.names)
    if options.record and options.names and not is_micro:
        raise BadInput("--record keeps the profiles of all steps together: leave out the steps")
    commit = store.prepare() if options.record else None
    if is_micro:
        return micro.measure(tool(), built("gpu", *micro.FORCE_KERNELS), commit)
    tool()
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
        print(f"Recorded: {shown_path(store.keep(files, runs.documents[0]['device']))}")
