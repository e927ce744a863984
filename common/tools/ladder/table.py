"""The rows of the ladder's table and of that of instructions."""

import itertools
import math
import re

from common.tools import markdown, ranks

COLUMNS = [
    "step", "N", "time ms", "interactions/s", "GFLOP/s", "% FMA", "ceiling", "% of ceiling", "error median",
    "error max", "x serial", "x simd", "x host_tree", "J", "W", "pJ/interaction", "check",
]
ENERGY_COLUMNS = COLUMNS[-4:-1]
# In a terminal of 100 columns: names and widths. Without a GPU no step has a time, and recorded ones replace it.
WITH_GPU = {"step": 34, "N": 10, "time ms": 9, "GFLOP/s": 10, "% FMA": 8, "x simd": 9, "error median": 13, "check": 7}
COUNTED = {"global B": "global_bytes", "shared B": "shared_bytes"}  # per interaction; see ./run check --counts --record
ACT_COLUMNS = {"few ms": 8, "few x": 7, "many ms": 8, "many x": 7}  # of acts.py: times, and times as fast as step 01
WITHOUT_GPU = {"step": 24, "N": 8, "error": 8, "check": 6, "global B": 9, "shared B": 9, "slots": 6, **ACT_COLUMNS}
OF_ACTS = {"step": 26, **{name: width + 1 for name, width in ACT_COLUMNS.items()}, "error": 10, "check": 8}
LESS_NEEDED = ("shared B", "global B", "slots", "x simd", "GFLOP/s", "% FMA")  # a narrow terminal leaves them out, in this order
TITLES = {"few ms": "ms", "few x": "x 01", "many ms": "ms", "many x": "x 01"}
FP64_COLUMNS = ["FP64 ms", "FP64 / FP32"]
NOT_OF_SPEED = {"error max", *ENERGY_COLUMNS, *FP64_COLUMNS, "check"}
NOTHING = "-"
# Instructions of the innermost loop per interaction, and what they allow.
INSTRUCTION_CLASSES = ["FADD", "FMUL", "FFMA", "MUFU", "LDS", "LDG", "SHFL"]
CLASSES_LEGEND = ("FADD, FMUL, FFMA: add, multiply, multiply-add; MUFU: reciprocal square root; LDS, LDG: load from shared, global memory; "
                  "SHFL: shuffle")
INSTRUCTION_COLUMNS = ["step", "slots", *INSTRUCTION_CLASSES, "rest", "ceiling GFLOP/s", "measured", "FLOP executed",
                       "executed GFLOP/s", "% FMA executed"]
LIMIT_COLUMNS = ["step", "GPU", *INSTRUCTION_CLASSES, "rest", "slots", "limit", "a cycle and SM", "GFLOP/s per SM and GHz"]
# GPUs of an architecture, for readers who do not know its number.
GPUS = {60: "P100", 61: "GTX 10", 70: "V100", 75: "T4, RTX 20", 80: "A100, A30", 86: "A10, RTX 30", 89: "L4, RTX 40",
        90: "H100, H200", 100: "B200", 120: "RTX 50"}
# Up to this step a program has one loop whose instructions are counted.
ONE_LOOP = "05"
# Programs with several rows: their options.
ROWS = {"05_triangular_map/05_triangular_map": [{"equal_masses": "ignored"}, {"equal_masses": "used"}]}
MASSES = {"used": ", equal masses", "ignored": ", any masses"}  # step 05's two loops


def shown(value, form):
    return NOTHING if value is None else format(value, form)


def three_digits(value):
    """Returns 584; 17.1; 0.306: three digits, and none after the point from 100 on."""
    if value is None:
        return NOTHING
    decimals = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:,.{max(0, decimals)}f}"


def percent(share):
    return NOTHING if share is None else f"{100 * share:.1f}"


def row_name(run):
    return ranks.name_of(run) + MASSES.get(run.get("parameters", {}).get("equal_masses"), "")


def median_of(run):
    """Returns the median time of a force evaluation, in ms; None if the run measured none."""
    return run.get("force_ms", {}).get("median")


def cells(run, runs):
    """Returns one run's cells. runs: those so far, with the baselines of the same bodies"""
    ms = median_of(run)
    # A tree has fewer interactions, of two kinds, and they are not all of its time, so it has no rate to compare.
    rated = run if ms and "flop_per_interaction" in run else {}
    error = run.get("error") or {}
    energy = run.get("energy") or {}

    def against(baseline):
        same = [median_of(other) for other in runs if other["step"] == baseline and other["bodies"] == run["bodies"]
                and other["scene"] == run["scene"] and median_of(other)]
        return three_digits(same[0] / ms if ms and same else None)

    return [
        row_name(run), f"{run['bodies']:,}", three_digits(ms), shown(rated.get("interactions_per_s"), ".3g"),
        shown(rated.get("gflops"), ",.0f"), percent(rated.get("fma_share")), shown(run.get("predicted_gflops"), ",.0f"),
        percent(run.get("predicted_share")), shown(error.get("median"), ".1e"), shown(error.get("max"), ".1e"),
        *map(against, ("serial", "simd", "host_tree")),
        three_digits(energy.get("joules")), shown(energy.get("watts"), ".0f"),
        three_digits(energy.get("picojoules_per_interaction") if rated else None),
        ("ok" if run["passed"] else "FAILED") if run["checked"] else NOTHING,
    ]


def whole_table(runs, fp64):
    """Returns columns and rows; those of energy and FP64 only if they were measured. fp64: Recorded.fp64()"""
    left_out = () if any("energy" in run for run in runs) else ENERGY_COLUMNS
    kept = [number for number, name in enumerate(COLUMNS) if name not in left_out]
    columns, *rows = [[row[number] for number in kept] for row in (COLUMNS, *(cells(run, runs) for run in runs))]
    if fp64:
        columns[-1:-1] = FP64_COLUMNS
        for row, run in zip(rows, runs):
            double = fp64.get((row_name(run), run["bodies"]))
            row[-1:-1] = [three_digits(double and double["fp64_ms"]), shown(double and double["slowdown"], ".2f")]
    return columns, rows


def two_tables(columns, rows):
    """Yields whole_table's columns in two tables, no wider than a page: speed and error, then the others."""
    for other in (False, True):
        kept = [k for k, name in enumerate(columns) if k < 2 or (name in NOT_OF_SPEED) == other]
        heading, *cells_kept = [[row[k] for k in kept] for row in (columns, *rows)]
        yield markdown.table(heading, cells_kept, range(1, len(heading)))


def aligned(row, widths, more=None):
    """Returns a row for a terminal: the columns of `widths`, numbers to the right. more: {column: cell} to add"""
    named = {**dict(zip(COLUMNS, row)), "error": row[COLUMNS.index("error median")], **(more or {})}
    return named["step"].ljust(widths["step"]) + "".join(named.get(column, NOTHING).rjust(width) for column, width in widths.items() if column != "step")


def heading(widths):
    """Returns the title row of a terminal's table."""
    titles = {column: TITLES.get(column, column) for column in widths}
    return aligned(COLUMNS, widths, titles)


def over_acts(widths, *titles):
    """Returns a row with a title over each pair of columns of an act."""
    before = sum(widths[name] for name in itertools.takewhile(lambda name: name not in ACT_COLUMNS, widths))
    pair = sum(widths[name] for name in ("few ms", "few x"))
    return " " * before + "".join(title.rjust(pair) for title in titles)


def executed_flop(each):
    """Returns FLOP of an interaction from its instructions: a multiply-add is two, a reciprocal square root one."""
    return sum(factor * each[name] for name, factor in (("FADD", 1), ("FMUL", 1), ("FFMA", 2), ("MUFU", 1)))


def instruction_cells(run):
    """Returns a step's row of INSTRUCTION_COLUMNS."""
    each = run["instructions"]["per_interaction"]
    counts = [each.get(name, 0) for name in INSTRUCTION_CLASSES]
    executed = executed_flop(each) / run["flop_per_interaction"]  # per FLOP of the convention
    return [row_name(run), *(f"{count:.2f}" for count in (run["issue_slots"], *counts, sum(each.values()) - sum(counts))),
            f"{run['predicted_gflops']:,.0f}", f"{100 * run['predicted_share']:.0f}%", f"{executed_flop(each):.0f}",
            f"{executed * run['gflops']:,.0f}", percent(executed * run["fma_share"])]


def gpus_of(architecture):
    return f"sm_{architecture}" + (f" ({GPUS[architecture]})" if architecture in GPUS else "")


def limit_table(document):
    """Returns each step on each architecture."""
    rows = []
    for run in document["runs"]:
        for found in run["architectures"]:
            each = found["per_interaction"]
            counts = [each[name] for name in INSTRUCTION_CLASSES]
            rest = sum(each.values()) - sum(counts)
            rows.append([row_name(run), gpus_of(found["architecture"]),
                         *(f"{count:.2f}" for count in (*counts, rest, found["issue_slots"])), found["limit"],
                         f"{found['interactions_per_cycle']:.2f}", f"{found['gflops_per_ghz']:.0f}"])
    figures = {k for k, name in enumerate(LIMIT_COLUMNS) if name not in ("step", "GPU", "limit")}
    return markdown.table(LIMIT_COLUMNS, rows, figures)


def limit_summary(document):
    """Returns a row per architecture: what limits the steps there, and for each GFLOP/s per multiprocessor and GHz."""
    steps = [re.sub(r"^(\d\d)_(?!tuned)\w+", r"\1", row_name(run)) for run in document["runs"]]
    rows = [[gpus_of(found[0]["architecture"]), " or ".join(dict.fromkeys(each["limit"] for each in found)),
             *(f"{each['gflops_per_ghz']:.0f}" for each in found)]
            for found in zip(*(run["architectures"] for run in document["runs"]))]
    return markdown.table(["GPU", "limit", *steps], rows, range(2, 2 + len(steps)))
