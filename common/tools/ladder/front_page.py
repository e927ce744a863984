"""The front page's part of a device's recorded results: a chart of the time of each step, and a table for one N."""

import re

from common.base.command_line import ROOT
from common.tools import markdown
from common.tools.ladder.table import COLUMNS, cells, shown, three_digits

FRONT_BODIES = 262144  # of the table, where they were recorded
FRONT_COLUMNS = ["step", "its idea", "ms", "error"]
SITE_COLUMNS = ["step", "time ms", "GFLOP/s", "% FMA", "executed GFLOP/s", "error median"]
ERROR = "Error: |a - a_FP64| / |a_FP64| over a sample of bodies."
TREES = ("host_tree is step 06's tree, walked on all cores of the host. The trees evaluate far fewer interactions than N^2, "
         "so that time and error say how they compare, and rates do not.")


def front_bodies(recorded):
    sizes = {run["bodies"] for run in recorded.runs}
    return FRONT_BODIES if FRONT_BODIES in sizes else max(sizes)


def idea(step):
    """The bold sentence at the head of a step's README.md."""
    found = re.search(r"\*\*(.+?)\*\*", (ROOT / step / "README.md").read_text(), re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def fastest(recorded):
    """{step: the fastest of its runs}, for the front page's number of bodies: of its programs, and of step 05's loops."""
    found = {}
    for run in recorded.runs:
        step = run["step"]
        if run["bodies"] == front_bodies(recorded) and re.match(r"\d\d_(?!tuned)", step):
            if step not in found or run["force_ms"]["median"] < found[step]["force_ms"]["median"]:
                found[step] = run
    return found


def front_rows(recorded):
    """Those of FRONT_COLUMNS."""
    for step, run in fastest(recorded).items():
        yield [f"[{step}]({step}/README.md)", idea(step), three_digits(run["force_ms"]["median"]), shown(run["error"]["median"], ".1e")]


def site_rows(recorded):
    """Those of SITE_COLUMNS: every run of the front page's number of bodies."""
    for run in recorded.runs:
        if run["bodies"] == front_bodies(recorded):
            named = dict(zip(COLUMNS, cells(run, recorded.runs)))
            named["executed GFLOP/s"] = shown(recorded.executed(run), ",.0f")
            yield [named[column] for column in SITE_COLUMNS]


def site_legend(recorded):
    return (f"{recorded.device['name']}, commit {recorded.suite['commit']}, N = {front_bodies(recorded):,}. Time: one "
            "evaluation of all forces, median. GFLOP/s: at 20 FLOP per interaction. % FMA: of the rate that a probe "
            "measured in the same runs. Executed: what the innermost loop's instructions do, where they were counted. "
            f"{ERROR} {TREES}")


def front_section(recorded):
    folder = recorded.folder.relative_to(recorded.folder.parents[2])
    bodies = front_bodies(recorded)
    return "\n\n".join([
        f"![Time of one evaluation of all forces with {bodies:,} bodies, a bar for each step]({folder}/ladder-times.png)",
        markdown.table(FRONT_COLUMNS, front_rows(recorded), {2, 3}),
        f"{recorded.device['name']}, commit {recorded.suite['commit']}, {bodies:,} bodies. ms: the median time of one evaluation of "
        "all forces. Error: the median of |a - a_FP64| / |a_FP64| over a sample of bodies. Step 05: with equal masses."])
