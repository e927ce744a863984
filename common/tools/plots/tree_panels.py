"""What the figures of the sweep `tree` share. The functions that draw one return it, its title, its footnote and the
inches under its panels, more where legends stand there."""

from common.tools.plots.figure import panels

LINES = {"lists": "-", "fused": ":"}  # of the walks
NAMES = {"lists": "lists", "fused": "fused walk"}
BELOW = 0.95


def size_panels(sizes, x, *labels, height=4.2):
    """A column for each N, a row for each label of the y axes."""
    figure, grid = panels(len(sizes), (10.5, height), x, *labels, sharey="row", sharex=True)
    for axes, bodies in zip(grid[0], sizes):
        axes.set_title(f"N = {bodies:,}")
    return figure, grid


def legend_below(axes):
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(-0.05, -0.16), borderaxespad=0)
