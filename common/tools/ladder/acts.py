"""The ladder in two acts. With a few thousand bodies steps 02 to 04 gain most, because they fill the machine. With a million
bodies steps 05 to 10 gain most, because they do less work.
"""

import re

from common.tools.build import step_names
from common.tools.ladder import table
from common.tools.ladder.recorded import access_counts
from common.tools.ladder.table import median_of, row_name

ACTS = {4096: "Fill the machine", 1048576: "Do less work"}
FEW, MANY = ACTS
FIRST = "01_naive"
# Step 05 leaves a multiplication out if all masses are equal. The acts show it with any masses, like all other steps.
ANY_MASSES = ", any masses"


def act_of(bodies):
    """Returns the number of bodies of the act to which a number belongs: few, up to twice as many as the first act has, or many."""
    return FEW if bodies <= 2 * FEW else MANY


def name_of(run):
    return row_name(run).removesuffix(ANY_MASSES)


class Acts:
    """Times of evaluations, by program and number of bodies."""

    def __init__(self, runs):
        self.runs = {(name_of(run), run["bodies"]): run for run in runs if median_of(run)}

    def ms(self, program, bodies):
        """Returns the median time; None if it was not measured."""
        run = self.runs.get((program, bodies))
        return run and median_of(run)

    def factor(self, program, bodies):
        """Returns how many times as fast as step 01 the program is; None if one of the times is missing."""
        first, own = self.ms(FIRST, bodies), self.ms(program, bodies)
        return first / own if first and own else None

    def fastest(self, bodies):
        """Returns {step's folder: its fastest program} for this number of bodies."""
        folders = {step[:2]: step for step in step_names()}
        found = {}
        for name, count in sorted(self.runs, key=lambda each: self.ms(*each), reverse=True):
            if count == bodies and re.fullmatch(r"\d\d_\w+", name) and name[:2] in folders:
                found[folders[name[:2]]] = name
        return dict(sorted(found.items()))

    def best(self, bodies):
        """Returns the step that is fastest, and its program."""
        return min(self.fastest(bodies).items(), key=lambda each: self.ms(each[1], bodies))


def times(factor):
    """Returns 279; 32; 5.0; 1.07; 1: as many digits as tell steps apart."""
    if factor is None:
        return "-"
    return "1" if factor == 1 else f"{factor:.2f}" if factor < 2 else f"{factor:.1f}" if factor < 10 else f"{factor:,.0f}"


def act_cells(acts, program, few=FEW, many=MANY):
    """Returns the cells of the columns that name an act."""
    return {f"{name} {column}": cell for name, bodies in (("few", few), ("many", many))
            for column, cell in (("ms", table.three_digits(acts.ms(program, bodies))), ("x", times(acts.factor(program, bodies))))}


def recorded_cells(recorded):
    """Returns {row's name: {column: cell}} of the columns that a machine without a GPU shows as recorded."""
    acts = Acts(recorded.runs)
    found = {name: act_cells(acts, name) for name, _ in acts.runs}
    for document in recorded.counts:
        run = document["runs"][0]
        found.setdefault(name_of(run), {})["slots"] = f"{run['issue_slots']:.1f}"
    for row in access_counts()["rows"]:
        for column, key in table.COUNTED.items():
            found.setdefault(row["row"].removesuffix(ANY_MASSES), {})[column] = f"{row[key]:.3g}"
    return found


def example(recorded, programs=("01_naive", "02_tiled", "04_multithread_per_body")):
    """Returns what ./run ladder prints of these programs without a GPU."""
    acts, found = Acts(recorded.runs), recorded_cells(recorded)
    runs = [acts.runs[program, FEW] for program in programs if (program, FEW) in acts.runs]
    rows = [table.aligned(table.cells(run, runs), table.WITHOUT_GPU, found[name_of(run)]) for run in runs]
    return "\n".join([table.over_acts(table.WITHOUT_GPU, *(f"{bodies:,}" for bodies in ACTS)), table.heading(table.WITHOUT_GPU), *rows])
