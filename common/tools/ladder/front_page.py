"""The front page's part of a device's recorded results: what the fastest step reaches, the chart and a table for one N."""

from common.tools import markdown
from common.tools.ladder.recorded import FLOP
from common.tools.ladder.table import COLUMNS, cells, percent, shown

FRONT_BODIES = 262144  # of the table, where they were recorded
FRONT_COLUMNS = ["step", "time ms", "GFLOP/s", "% FMA", "executed GFLOP/s", "error median"]
ERROR = "Error: |a - a_FP64| / |a_FP64| over a sample of bodies."
TREES = ("host_tree is step 06's tree, walked on all cores of the host. The trees evaluate far fewer interactions than N^2, "
         "so that time and error say how they compare, and rates do not.")


def front_bodies(recorded):
    sizes = {run["bodies"] for run in recorded.runs}
    return FRONT_BODIES if FRONT_BODIES in sizes else max(sizes)


def front_rows(recorded):
    """Those of FRONT_COLUMNS."""
    for run in recorded.runs:
        if run["bodies"] == front_bodies(recorded):
            named = dict(zip(COLUMNS, cells(run, recorded.runs)))
            named["executed GFLOP/s"] = shown(recorded.executed(run), ",.0f")
            yield [named[column] for column in FRONT_COLUMNS]


def front_legend(recorded):
    return (f"{recorded.device['name']}, commit {recorded.suite['commit']}, N = {front_bodies(recorded):,}. Time: one "
            f"evaluation of all forces, median. GFLOP/s: at {FLOP} FLOP an interaction. % FMA: of the rate that a probe "
            "measured in the same runs. Executed: what the innermost loop's instructions do, where they were counted. "
            f"{ERROR} {TREES}")


def rate_words(recorded, run):
    """The rate of a run as it is credited and, where that was counted, as it is executed."""
    masses = {"used": " where all masses are equal", "ignored": " with masses in the loop"}
    rule = run["parameters"].get("equal_masses")
    words = f"{run['gflops'] / 1000:.1f} TFLOP/s{masses.get(rule, '')}, {percent(run['fma_share'])}% of the measured FMA rate"
    executed = recorded.executed(run)
    if not executed:
        return words
    flop = executed / run["interactions_per_s"] * 1e9
    each = f"{2 * flop:.0f} FLOP a pair" if rule else f"{flop:.0f} FLOP an interaction"  # step 05 computes each pair once
    share = percent(executed / (1000 * recorded.device["fma_tflops"]))
    return f"{words} (executed are {each}: {executed / 1000:.1f} TFLOP/s or {share}%)"


def headline(recorded):
    """The fastest step that computes all pairs, in each of its rows."""
    bodies = front_bodies(recorded)
    rows = sorted((run for run in recorded.steps() if run["bodies"] == bodies), key=lambda run: -run["gflops"])
    said = "; ".join(rate_words(recorded, run) for run in rows if run["step"] == rows[0]["step"])
    reached = f" At N = {bodies:,} {rows[0]['step']} does {said}." if rows else ""
    return f"Rates credit every interaction with {FLOP} FLOP, as GPU Gems 3 does, whatever is executed.{reached}"


def front_section(recorded):
    folder = recorded.folder.relative_to(recorded.folder.parents[2])
    return "\n\n".join([
        headline(recorded),
        f"![Rate by step, a line for each N, with the measured FMA ceiling and NVIDIA's nbody sample]({folder}/ladder.png)",
        markdown.table(FRONT_COLUMNS, front_rows(recorded), range(1, len(FRONT_COLUMNS))),
        front_legend(recorded)])
