"""The ladder's table, as text for a terminal and as Markdown for the README."""

from common.tools import markdown, ranks

COLUMNS = [
    "step", "N", "time ms", "interactions/s", "GFLOP/s", "% FMA", "predicted", "% of predicted", "error median",
    "error max", "x serial", "x simd", "x host_tree", "check",
]
WIDTHS = [40, 8, 10, 15, 10, 7, 11, 15, 13, 10, 9, 8, 12, 6]
NOTHING = "-"
# Of the innermost loop, for one interaction, and what they allow.
INSTRUCTION_CLASSES = ["FADD", "FMUL", "FFMA", "MUFU", "LDS", "LDG", "SHFL"]
INSTRUCTION_COLUMNS = ["step", *INSTRUCTION_CLASSES, "rest", "slots", "ceiling GFLOP/s", "measured", "FLOP executed",
                       "executed GFLOP/s", "% FMA executed"]
MASSES = {"used": ", equal masses used", "ignored": ", equal masses ignored"}  # step 05's two loops


def shown(value, form):
    return NOTHING if value is None else format(value, form)


def percent(share):
    return NOTHING if share is None else f"{100 * share:.1f}"


def row_name(run):
    return ranks.name_of(run) + MASSES.get(run.get("parameters", {}).get("equal_masses"), "")


def median_of(run):
    """Of the times of a force evaluation, in ms; None of a run that measured none."""
    return run.get("force_ms", {}).get("median")


def cells(run, runs):
    """One run's cells; `runs` are those so far, among them the baselines of the same bodies."""
    ms = median_of(run)
    # A tree's interactions are fewer and of two kinds, and its time is not of them alone: no rate to compare.
    rated = run if ms and "flop_per_interaction" in run else {}
    error = run.get("error") or {}

    def against(baseline):
        same = [median_of(other) for other in runs if other["step"] == baseline and other["bodies"] == run["bodies"]
                and other["scene"] == run["scene"] and median_of(other)]
        return f"{same[0] / ms:.3g}" if ms and same else NOTHING

    return [
        row_name(run), f"{run['bodies']:,}", shown(ms, ".4g"), shown(rated.get("interactions_per_s"), ".3g"),
        shown(rated.get("gflops"), ",.0f"), percent(rated.get("fma_share")), shown(run.get("predicted_gflops"), ",.0f"),
        percent(run.get("predicted_share")), shown(error.get("median"), ".1e"), shown(error.get("max"), ".1e"),
        *map(against, ("serial", "simd", "host_tree")),
        ("ok" if run["passed"] else "FAILED") if run["checked"] else NOTHING,
    ]


def aligned(row):
    """Name to the left, figures to the right."""
    return row[0].ljust(WIDTHS[0]) + "".join(cell.rjust(width) for cell, width in zip(row[1:], WIDTHS[1:]))


def executed_flop(each):
    """Of an interaction, by its instructions: a multiply-add is two, a reciprocal square root one."""
    return sum(factor * each[name] for name, factor in (("FADD", 1), ("FMUL", 1), ("FFMA", 2), ("MUFU", 1)))


def instruction_cells(run):
    """A step's row of INSTRUCTION_COLUMNS."""
    each = run["instructions"]["per_interaction"]
    counts = [each.get(name, 0) for name in INSTRUCTION_CLASSES]
    executed = executed_flop(each) / run["flop_per_interaction"]  # for each FLOP of the convention
    return [row_name(run), *(f"{count:.2f}" for count in (*counts, sum(each.values()) - sum(counts), run["issue_slots"])),
            f"{run['predicted_gflops']:,.0f}", f"{100 * run['predicted_share']:.0f}%", f"{executed_flop(each):.0f}",
            f"{executed * run['gflops']:,.0f}", percent(executed * run["fma_share"])]


def parts_line(run):
    """The times of the parts of a tree's force evaluation."""
    parts = ", ".join(f"{name.replace('_', ' ')} {ms:.4g} ms" for name, ms in run["parts_ms"].items())
    return f"- {run['step']}, N = {run['bodies']:,}: {parts}"


def ladder_section(document):
    """Stamp, table and legend of a ladder.json."""
    device, suite, runs = document["device"], document["suite"], document["runs"]
    hosts = sorted({run["device"]["name"] for run in runs if run.get("device", {}).get("kind") == "host"})
    bodies = ", ".join(sorted({f"{'file' if 'input' in run else 'scene'} {run['scene']}" for run in runs}))
    lines = [
        f"{device['name']}, driver {device['driver']}, CUDA {device['cuda']}, commit {suite['commit']}; {bodies}, "
        f"{', '.join(sorted({run['precision'].upper() for run in runs}))}. "
        f"Measured FMA ceiling: {device['fma_tflops']:.1f} TFLOP/s at {device['fma_clock_ghz']:.2f} GHz. "
        f"Host of the baselines: {', '.join(hosts)}.",
        "",
        markdown.table(COLUMNS, [cells(run, runs) for run in runs], range(1, len(COLUMNS))),
        "",
        "Time: one evaluation of all forces, median. GFLOP/s: at the 20 FLOP per interaction of GPU Gems 3. "
        "Predicted: GFLOP/s if every cycle issued an instruction of the kernel's innermost loop, where they were "
        "counted (`./run instructions`). Error: |a - a_FP64| / |a_FP64| over a sample of bodies. x serial, x simd, "
        "x host_tree: times as fast as that baseline on the same bodies.",
    ]
    trees = [run for run in runs if "parts_ms" in run and "flop_per_interaction" not in run]
    if trees:
        lines += ["", "host_tree is step 06's tree, walked on all cores of the host. The trees' times hold building and "
                  "walking; they evaluate far fewer interactions than N^2, so that time and error say how they compare, "
                  "and rates do not. Their parts:", "", *map(parts_line, trees)]
    return "\n".join(lines)
