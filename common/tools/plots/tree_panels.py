"""What the figures of the sweep `tree` share."""

import matplotlib
from matplotlib import pyplot
from matplotlib.lines import Line2D
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


def ramp(count):
    """Colours of values that have an order, from light to dark."""
    colours = matplotlib.colormaps["viridis_r"]
    return [colours(0.2 + 0.75 * k / max(1, count - 1)) for k in range(count)]


def head(figure, title, line, note, below=0.95):
    """Title, stamp and footnote; below: inches under the panels, more than 0.95 where legends stand there."""
    height = figure.get_size_inches()[1]
    figure.subplots_adjust(left=0.08, right=0.97, top=1 - 0.95 / height, bottom=below / height, wspace=0.36,
                           hspace=0.25)
    figure.text(0.08, 1 - 0.3 / height, title, fontsize=12, weight="bold")
    figure.text(0.08, 1 - 0.52 / height, line, fontsize=7.5)
    figure.text(0.08, 0.12 / height, note, fontsize=7.5, color="#444444")


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
