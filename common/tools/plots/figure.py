"""Parts of all figures: colours, title and footnote, panels of curves, axes of sizes, and files."""

import re
import textwrap

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.ticker import FixedLocator, FuncFormatter, Locator, LogFormatterSciNotation, NullLocator

# Okabe and Ito's colours, which colour-blind readers can distinguish. Brown replaces their yellow, which is too pale on white.
STEP_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7A4B2A", "#6A4C93", "#8C8C8C", "#B5BD00", "#B03A5B",
                "#1B7F7F"]
MARKERS = "osD^vPX*phd<>"
GREY = "#666666"
SMALL = 8.3  # points; 11 px, the smallest letters of the pages, which show figures of up to 8.2 inches in full
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
ERRORS = (1e-4, 2e-4, 4e-4, 8e-4, 16e-4, 32e-4)  # marks of an axis
matplotlib.rcParams.update({
    "svg.hashsalt": "n-body ladder",  # otherwise every drawing of the same data differs
    "svg.fonttype": "none",  # letters as text: outlines of letters would be two thirds of a file
    "font.sans-serif": ["DejaVu Sans", "Verdana"],  # equally wide
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e8e8e8",
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "legend.frameon": False,
    "legend.fontsize": SMALL,
})


def ramp(count):
    """Returns colours of ordered values, from light to dark. Lighter ones would have a contrast below 3 to white."""
    colours = matplotlib.colormaps["viridis_r"]
    return [colours(0.42 + 0.58 * k / max(1, count - 1)) for k in range(count)]


def look(k, colours=STEP_COLOURS, **more):
    """Returns colour and marker of curve number k."""
    return {"color": colours[k % len(colours)], "marker": MARKERS[k % len(MARKERS)], "markersize": 4, **more}


def curve(axes, points, **style):
    """Returns the drawn line; None without points."""
    return axes.plot(*zip(*points), **{"linewidth": 1.3, **style})[0] if points else None


def mark(axis, places, shown="{:,.0f}", scale=1):
    """Shows numbers, a scale times the value, only at these places of an axis, or at those of a locator."""
    axis.set_major_locator(places if isinstance(places, Locator) else FixedLocator(sorted(places)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: shown.format(scale * value)))


class Powers(LogFormatterSciNotation):
    """Shows powers of ten as text. Formulas of matplotlib would have smaller letters."""

    def __call__(self, value, place=None):
        shown = super().__call__(value, place).replace("\\times", "×")
        return re.sub(r"\^\{(.+?)\}|[${}]|\\mathdefault", lambda found: (found[1] or "").translate(RAISED), shown)


def panel(axes, curves, marks=None, y_marks=None, legend=None, is_slanted=False, **settings):
    """Draws (points, style) of each curve. marks: places of the x axis with numbers; is_slanted: for long numbers;
    legend: its options, or none; settings: those of axes.set()
    """
    for points, style in curves:
        curve(axes, points, **style)
    axes.set(**settings)
    for axis, places in ((axes.xaxis, marks), (axes.yaxis, y_marks)):
        if places:
            mark(axis, places)
    if is_slanted:
        axes.tick_params(axis="x", labelrotation=30, labelsize=SMALL)
    if legend is not None:
        axes.legend(**legend)


def panels(columns, size, x, *labels, **shared):
    """Returns a figure of rows of panels, one for each label of the y axes. x: the label below them"""
    figure, grid = pyplot.subplots(len(labels), columns, figsize=size, squeeze=False, **shared)
    for axes in grid[-1]:
        axes.set_xlabel(x)
    for row, label in zip(grid, labels):
        row[0].set_ylabel(label)
    return figure, grid


def facts(run, *more):
    return ", ".join([run["precision"].upper(), f"scene {run['scene']}", *more, f"softening {run['softening']:g}"])


def stamp(document, *facts):
    """Returns the device, further facts about the runs, and the commit."""
    return ", ".join([document["device"]["name"], *facts, f"commit {document['suite']['commit']}"])


def finished(figure, stem, title, line, note, left=0.08, right=0.97, above=0.95, below=0.95, metadata=None, **spaces):
    """Adds title, stamp and footnote, and writes stem.svg. Returns its path, in a list. above, below: inches for title and footnote
    above and below the panels
    """
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        if isinstance(axis.get_major_formatter(), LogFormatterSciNotation):
            axis.set_major_formatter(Powers())
            axis.set_minor_formatter(Powers())
    width, height = figure.get_size_inches()
    letters = int(72 * width * (1 - left) / (0.54 * SMALL))  # in a line of the footnote
    lines = [line for part in note.split("\n") for line in textwrap.wrap(part, letters)]
    below += 0.14 * max(0, len(lines) - 2)
    figure.subplots_adjust(left=left, right=right, top=1 - above / height, bottom=below / height, **spaces)
    figure.text(left, 1 - 0.3 / height, title, fontsize=12, weight="bold")
    figure.text(left, 1 - 0.52 / height, line, fontsize=SMALL)
    figure.text(left, 0.12 / height, "\n".join(lines), fontsize=SMALL, color="#444444")
    file = stem.with_name(f"{stem.name}.svg")
    figure.savefig(file, metadata={"Date": None, **(metadata or {})})
    pyplot.close(figure)
    return [file]
