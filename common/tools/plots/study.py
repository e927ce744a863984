"""Draws step 05's studies as SVG and PNG: improvement factors over the bounding box."""

from itertools import cycle

from common.tools.plots.figure import GREY, MARKERS, STEP_COLOURS, curve, head, mark_sizes, panels, save, stamp

NAMES = {
    "lambda": "lambda, exact",
    "lambda-x": "lambda-X: sqrtf",
    "lambda-n": "lambda-N: Newton-Raphson",
    "lambda-r": "lambda-R: reciprocal root",
    "rectangle": "RB: rectangle",
    "recursive": "REC in one launch",
    "recursive-levels": "REC, a launch for each level",
    "utm": "UTM in FP32",
    "utm-exact": "UTM, exact",
    "tetrahedron": "tetrahedral map, exact",
    "tetrahedron-fp32": "cubic root in FP32",
    "tetrahedron-fp64": "cubic root in FP64",
}
ROOTS = ("lambda", "lambda-x", "lambda-n", "lambda-r")
STRATEGIES = ("lambda", "rectangle", "recursive", "recursive-levels", "utm", "utm-exact", "lambda-x")
TETRAHEDRA = ("tetrahedron", "tetrahedron-fp32", "tetrahedron-fp64")
# (test, what its panel is called, what the paper says of it: GTX 765M, GTX 680 and Tesla K40, up to)
PANELS_3 = (
    ("dummy", "dummy kernel: all write to one place", ""),
    ("index", "the map alone: nothing is written", ""),
)
PANELS_5 = (
    ("dummy", "dummy kernel", "paper, at most: RB 1.33, lambda 1.18;\nREC and UTM below 1"),
    ("edm", "Euclidean distance matrix, 4 features", "paper, at most: RB 1.28, lambda 1.18, REC 1.12"),
    ("collision1d", "collisions in 1D", "paper: lambda about 1"),
    ("collision3d", "collisions in 3D", "paper, at most: lambda 1.07;\nRB and REC below 1"),
)
PANELS_OF_TRIPLETS = (("triplets", "Axilrod-Teller energy", "the map's bound: 6"),)
# Of each study: what is added to the files' names, title, panels, maps, rows and columns, inches
FIGURES = {
    "maps": [("-figure-3", "Figure 3 again: the square roots of lambda", PANELS_3, ROOTS, (1, 2), (9.5, 4.2)),
             ("-figure-5", "Figure 5 again: maps of the triangle", PANELS_5, STRATEGIES, (2, 2), (9.5, 7))],
    "triplets": [("", "Triplets by maps of the tetrahedron", PANELS_OF_TRIPLETS, TETRAHEDRA, (1, 1), (8.6, 4.6))],
}


def curves(runs, test, maps):
    """{map: [(n, improvement, whether the map is exact there), ...]} of the runs that passed."""
    found = {name: [] for name in maps}
    for run in runs:
        if run.get("test", "triplets") == test and run["map"] in found and run["passed"] and "improvement" in run:
            found[run["map"]].append((run["bodies"], run["improvement"], run["exact"]))
    return {name: sorted(points) for name, points in found.items() if points}


def draw_panel(axes, found, title, note):
    """Curves of one test; hollow where the map is beyond its range. Returns {map: its line}."""
    lines = {}
    axes.axhline(1, color="black", linewidth=1)
    for (name, points), colour, marker in zip(found.items(), cycle(STEP_COLOURS), cycle(MARKERS)):
        style = {"color": colour, "marker": marker, "markersize": 4}
        lines[name] = curve(axes, [(n, gain) for n, gain, _ in points], **style)
        curve(axes, [(n, gain) for n, gain, exact in points if not exact], linestyle="none", markerfacecolor="white",
              zorder=3, **style)
    axes.set_title(title)
    axes.set_xscale("log", base=2)
    mark_sizes(axes.xaxis, {n for points in found.values() for n, _, _ in points})
    axes.tick_params(axis="x", labelrotation=30, labelsize=7.5)
    gains = [gain for points in found.values() for _, gain, _ in points]
    axes.set_ylim(min(0.5, 0.95 * min(gains)), 1.15 * max(1.5, *gains))
    if note:
        axes.text(0.99, 0.98, note, transform=axes.transAxes, ha="right", va="top", fontsize=7, color=GREY)
    return lines


def facts(runs):
    sizes = sorted({run["bodies"] for run in runs})
    parameters = sorted({f"{name} {value}" for run in runs for name, value in run["parameters"].items()})
    return f"FP32, N = {sizes[0]:,} to {sizes[-1]:,}, {', '.join(parameters)}"


def draw_figure(document, stem, ending, title, tests, maps, shape, size):
    """One figure of panels, a legend beside them; no file where a panel has no point."""
    found = [curves(document["runs"], test, maps) for test, _, _ in tests]
    if not all(found):
        return []
    rows, columns = shape
    figure, grid = panels(columns, size, "bodies N", *["improvement factor I"] * rows)
    lines = {}
    for axes, of_test, (_, name, note) in zip(grid.flat, found, tests):
        lines.update(draw_panel(axes, of_test, name, note))
    head(figure, title, stamp(document, facts(document["runs"])),
         "I: time of the bounding box (black line) over the map's, medians. Hollow: the map is beyond its range there, its "
         "results are wrong.", right=0.75, above=0.85, hspace=0.45, wspace=0.2)
    figure.legend(lines.values(), [NAMES[name] for name in lines], loc="center left", bbox_to_anchor=(0.76, 0.5),
                  fontsize=8)
    return save(figure, stem.with_name(stem.name + ending))


def draw(study, document, stem):
    """Writes the study's figures; returns their paths."""
    files = [file for figure in FIGURES[study.name] for file in draw_figure(document, stem, *figure)]
    if not files:
        print("No plot: no point both has a time and passed its check.")
    return files
