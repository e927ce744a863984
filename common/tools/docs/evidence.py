"""Parts of pages that are there once something is recorded, and the tables in them."""

import re

from common.tools.docs import tables
from common.tools.ladder.table import NOTHING, row_name, shown


def recorded_lines(lines, results):
    """The lines, empty where {{if QUERY}}, {{else}} and {{end}} leave them out: the query's number is not recorded."""
    chosen = True
    for line in lines:
        word, _, query = re.sub(r"^\{\{|\}\}$", "", line.strip()).partition(" ")
        mark = line.startswith("{{") and word in ("if", "else", "end")
        if mark:
            chosen = word == "end" or (results.has(query) if word == "if" else not chosen)
        yield "" if mark or not chosen else line


PROFILE_COLUMNS = ["kernel", "N", "ncu ms", "GHz", "program ms", "ncu / program", "at one clock", "issue %", "eligible",
                   "dispatch", "MIO", "roots %"]
COUNTERS = [("issue_active", ".1f"), ("eligible", ".2f"), ("stalled_dispatch_stall", ".2f"), ("stalled_mio_throttle", ".2f"),
            ("xu_pipe", ".0f")]


def profile_row(run):
    return [row_name(run), f"{run['bodies']:,}", shown(run["ncu_ms"], ".4g"), shown(run.get("ncu_ghz"), ".2f"),
            shown(run["program_ms"], ".4g"), shown(run["ncu_over_program"], ".2f"),
            shown(run.get("ncu_over_program_same_clock"), ".2f"),
            *(shown(run["metrics"].get(name), form) for name, form in COUNTERS)]


def profile(results):
    """ncu's time of a kernel beside the program's, and the counters that the pages read."""
    rows = map(profile_row, results.document("profile")["runs"])
    return tables.table(PROFILE_COLUMNS, rows, results.stamp("profile") + "; ncu with warm caches and free clocks")


ENERGY_COLUMNS = ["step", "N", "time ms", "J an evaluation", "W", "pJ an interaction", "counter's resolution s"]


def energy_row(run):
    energy = run["energy"]
    each = energy["picojoules_per_interaction"] if "flop_per_interaction" in run else None  # not of a tree's
    return [row_name(run), f"{run['bodies']:,}", f"{run['force_ms']['median']:.4g}", f"{energy['joules']:.3g}",
            f"{energy['watts']:.0f}", shown(each, ".3g"), f"{energy['seconds'] / energy['updates']:.2g}"]


def energy(results):
    """Of all rows of the ladder whose energy was counted."""
    rows = [energy_row(run) for run in results.document("ladder")["runs"] if "energy" in run]
    return tables.table(ENERGY_COLUMNS, rows, results.stamp("ladder") + "; GPU and memory, idle power included")


def occupancy_row(run, capabilities):
    kernel = run["kernel"]
    others = [run["capabilities"].get(capability) for capability in capabilities]
    return [row_name(run), str(kernel["registers"]), f"{kernel['static_shared_bytes'] + kernel['dynamic_shared_bytes']:,}",
            f"{kernel['block'][0]:,}", str(kernel["blocks_per_multiprocessor"]), str(kernel["warps_per_multiprocessor"]),
            *(f"{other['registers']}: {other['warps']}" if other else NOTHING for other in others)]


def occupancy(results):
    """By this GPU's driver, and registers and warps on others by the rule."""
    document = results.document("occupancy")
    capabilities = list(dict.fromkeys(name for run in document["runs"] for name in run["capabilities"]))
    columns = ["step", "registers", "shared bytes", "threads a block", "blocks", "warps", *capabilities]
    rows = [occupancy_row(run, capabilities) for run in document["runs"]]
    return tables.table(columns, rows, results.stamp("occupancy") + "; the last columns: registers and warps by compute capability")


def fp64(results):
    """Every step in FP64 beside FP32."""
    columns = ["step", "N", "FP32 ms", "FP64 ms", "times as long", "FP32 error", "FP64 error", "FP64 instructions of a root"]
    rows = [[row_name(row), f"{row['bodies']:,}", f"{row['fp32_ms']:.4g}", f"{row['fp64_ms']:.4g}", f"{row['slowdown']:.2f}",
             f"{row['fp32_error']:.1e}", f"{row['fp64_error']:.1e}", shown(row.get("root_instructions"), ".1f")]
            for row in results.document("fp64")["table"]]
    return tables.table(columns, rows, results.stamp("fp64"))


def mixed(results):
    """Step 03 with positions and sums of different precision."""
    columns = ["positions", "sums", "N", "ms", "error median", "99th percentile", "largest"]
    rows = [[run["parameters"]["positions"], run["parameters"]["sums"], f"{run['bodies']:,}", f"{run['force_ms']['median']:.4g}",
             *(f"{run['error'][part]:.1e}" for part in ("median", "p99", "max"))] for run in results.document("mixed")["runs"]]
    return tables.table(columns, rows, results.stamp("mixed"))


TABLES = {"fp64": fp64, "mixed": mixed, "profile": profile, "energy": energy, "occupancy": occupancy}
