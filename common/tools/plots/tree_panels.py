"""What the figures of the sweep `tree` share."""

from matplotlib import pyplot
from matplotlib.lines import Line2D
from common.tools.plots.figure import head as figure_head
from common.tools.sweeps.tree_numbers import WALKS

LINES = {"lists": "-", "fused": ":"}  # of the walks
NAMES = {"lists": "lists", "fused": "fused walk"}


def stamp(document):
    run = next(run for run in document["runs"] if "walk" in run["parameters"])
    sampled = sorted({run["error"]["sampled"] for run in document["runs"] if run.get("error")})
    counts = " to ".join(f"{count:,}" for count in dict.fromkeys((sampled[0], sampled[-1])))
    return (f"{document['device']['name']}, {run['precision'].upper()}, scene {run['scene']}, softening "
            f"{run['softening']:g}, {run['parameters']['multipole']}s, groups of {run['parameters']['group']}, "
            f"{counts} bodies against FP64, commit {document['suite']['commit']}")


def head(figure, title, line, note, below=0.95):
    """below: inches under the panels, more where legends stand there."""
    figure_head(figure, title, line, note, below=below, small=7.5, wspace=0.36, hspace=0.25)


def size_panels(sizes, rows_of_panels=1, height=4.2):
    figure, grid = pyplot.subplots(rows_of_panels, len(sizes), figsize=(10.5, height), sharey="row", sharex=True,
                                   squeeze=False)
    for axes, bodies in zip(grid[0], sizes):
        axes.set_title(f"N = {bodies:,}", fontsize=9, loc="left")
    return figure, grid


def legend_below(axes):
    axes.legend(frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(-0.05, -0.16), borderaxespad=0)


def walk_keys(styles):
    return [Line2D([], [], color="black", linestyle=styles[walk], label=NAMES[walk]) for walk in WALKS]
