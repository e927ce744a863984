"""What all figures share: colours, head and foot, axes of sizes, and their files."""

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.ticker import FixedLocator, FuncFormatter, Locator, NullLocator

# Okabe and Ito's colours: told apart by colour-blind readers. A brown for their yellow, which white swallows.
STEP_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7A4B2A"]
MARKERS = "osD^vPX*"
GREY = "#666666"
matplotlib.rcParams.update({
    "svg.hashsalt": "n-body ladder",  # else every drawing of the same data differs
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e8e8e8",
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "legend.frameon": False,
})


def ramp(count, first=0.42, last=1):
    """Colours of values that have an order, from light to dark; lighter ones have a contrast below 3 to white."""
    colours = matplotlib.colormaps["viridis_r"]
    return [colours(first + (last - first) * k / max(1, count - 1)) for k in range(count)]


def head(figure, title, line, note, left=0.08, right=0.97, above=0.95, below=0.95, small=8, **spaces):
    """Title, stamp and footnote; above and below: inches for them over and under the panels."""
    height = figure.get_size_inches()[1]
    figure.subplots_adjust(left=left, right=right, top=1 - above / height, bottom=below / height, **spaces)
    figure.text(left, 1 - 0.3 / height, title, fontsize=12, weight="bold")
    figure.text(left, 1 - 0.52 / height, line, fontsize=small)
    figure.text(left, 0.12 / height, note, fontsize=7.5, color="#444444")


def stamp(document, *facts):
    """The device, what more there is to say of the runs, the commit."""
    return ", ".join([document["device"]["name"], *facts, f"commit {document['suite']['commit']}"])


def curve(axes, points, **style):
    """The line drawn; None without points."""
    return axes.plot(*zip(*points), linewidth=1.3, **style)[0] if points else None


def mark_sizes(axis, ticks):
    """Whole numbers at these places of an axis, or where a locator finds them, and at no others."""
    axis.set_major_locator(ticks if isinstance(ticks, Locator) else FixedLocator(sorted(ticks)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def panels(columns, size, x, *labels, **shared):
    """A figure of rows of panels, one for each label of the y axes; x: the label below them."""
    figure, grid = pyplot.subplots(len(labels), columns, figsize=size, squeeze=False, **shared)
    for axes in grid[-1]:
        axes.set_xlabel(x)
    for row, label in zip(grid, labels):
        row[0].set_ylabel(label)
    return figure, grid


def save(figure, stem, **metadata):
    """Writes stem.svg and stem.png; returns their paths."""
    files = [stem.with_name(stem.name + suffix) for suffix in (".svg", ".png")]
    figure.savefig(files[0], metadata={"Date": None, **metadata})
    figure.savefig(files[1], dpi=150, metadata=metadata)
    pyplot.close(figure)
    return files
