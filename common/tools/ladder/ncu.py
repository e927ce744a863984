"""What Nsight Compute is asked for, and its text as numbers."""

import re
import subprocess

from common.base.command_line import BadInput, CommandFailed
from common.tools import packages

# By the names of the pages. "smsp": of a scheduler. The last are what a roofline needs.
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
SECTIONS = ["SpeedOfLight", "SchedulerStats", "WarpStateStats", "LaunchStats", "Occupancy"]
# Of a kernel launched in the middle of many: caches and clock are as in a run. --print-units base: bytes, cycles, ns.
WARM = ["--cache-control", "none", "--clock-control", "none", "--print-units", "base", "--launch-skip", "10", "-c", "1"]
LINE = re.compile(r"^ +(\w+__[\w.]+) +(?:\S+ +)?([\d.,e+-]+|nan|n/a) *$", re.MULTILINE)
KERNEL = re.compile(r"^  (?:void )?((?:\w+::)*\w+(?:<[^(]*>)?)\(.*\) \((\d+), (\d+), (\d+)\)x\((\d+), (\d+), (\d+)\)", re.MULTILINE)


def tool():
    found = packages.find_cuda_tool("ncu")
    if not found:
        raise BadInput("ncu, Nsight Compute's command line, is not installed; it comes with the CUDA toolkit")
    return found


def command(kernel, program):
    """ncu's own words; the program's follow."""
    sections = [word for section in SECTIONS for word in ("--section", section)]
    return [tool(), *WARM, "-k", f"regex:{kernel}", *sections, "--metrics", ",".join(METRICS.values()), str(program)]


def parsed(text):
    """{"kernel", "grid", "block", "metrics"} of the one kernel of a report; a metric that the GPU lacks is left out."""
    found = KERNEL.findall(text)
    if len(found) != 1:
        raise CommandFailed(f"ncu's report has {len(found)} kernels, not one")
    name, *sizes = found[0]
    values = {metric: value for metric, value in LINE.findall(text) if value not in ("nan", "n/a")}
    metrics = {short: float(values[metric].replace(",", "")) for short, metric in METRICS.items() if metric in values}
    if "duration_ns" not in metrics:
        raise CommandFailed("ncu's report has no duration")
    return {"kernel": name, "grid": [*map(int, sizes[:3])], "block": [*map(int, sizes[3:])], "metrics": metrics}


def report(kernel, program, arguments):
    """The text of a warm report of one launch of the kernel."""
    ran = subprocess.run([*command(kernel, program), *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if ran.returncode != 0 or "==ERROR==" in ran.stdout:
        lines = [line for line in ran.stdout.splitlines() if "==ERROR==" in line] or [f"status {ran.returncode}"]
        raise CommandFailed(f"ncu of {program.name}: {lines[0]}")
    return ran.stdout
