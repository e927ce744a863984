"""Draws the sweep `tree` as SVG and PNG: figures 4 to 8 of the paper, without a GPU the first two."""

from common.tools.plots import tree_errors
from common.tools.plots import tree_speeds
from matplotlib import pyplot
from common.tools.plots.figure import STYLE
from common.tools.sweeps.tree_numbers import rows
from common.tools.sweeps.tree_summary import sizes_with_angles


def draw(sweep, document, stem):
    """Writes stem-figure-N.svg and .png; returns their paths."""
    def of(number):
        return stem.with_name(f"{stem.name}-figure-{number}")

    if not sizes_with_angles([row for row in rows(document) if row["passed"]]):
        print("No plot: no point passed its check.")
        return []
    with pyplot.rc_context(STYLE):
        files = [*tree_errors.draw_distributions(document, of(4)), *tree_errors.draw_errors(document, of(5))]
        if document["device"]["kind"] == "gpu":
            files += tree_speeds.draw(document, of)
        else:
            print("No figures 6 to 8: the executor checks kernels; its times say nothing of a GPU.")
    return files
