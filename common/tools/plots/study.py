"""Draws step 05's studies as SVG and PNG: improvement factors over the bounding box."""

from matplotlib import pyplot
from common.tools.plots.figure import GREY, MARKERS, STEP_COLOURS, STYLE, head, mark_sizes, save

BOX = "black"
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
STRATEGIES = ("lambda", "rectangle", "recursive", "recursive-levels", "utm", "utm-exact")
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


def curves(runs, test, maps):
    """{map: [(n, improvement, whether the map is exact there), ...]} of the runs that passed."""
    found = {name: [] for name in maps}
    for run in runs:
        if run.get("test") == test and run["map"] in found and run["passed"] and "improvement" in run:
            found[run["map"]].append((run["bodies"], run["improvement"], run["exact"]))
    return {name: sorted(points) for name, points in found.items() if points}


def draw_panel(axes, found, title, note):
    """Curves of one test; hollow where the map is beyond its range. Returns {map: its line}."""
    lines = {}
    axes.axhline(1, color=BOX, linewidth=1)
    for k, (name, points) in enumerate(found.items()):
        colour = STEP_COLOURS[k % len(STEP_COLOURS)]
        line, = axes.plot([n for n, _, _ in points], [gain for _, gain, _ in points], marker=MARKERS[k % len(MARKERS)],
                          markersize=4, linewidth=1.3, color=colour)
        hollow = [(n, gain) for n, gain, exact in points if not exact]
        if hollow:
            axes.plot(*zip(*hollow), linestyle="none", marker=MARKERS[k % len(MARKERS)], markersize=4,
                      color=colour, markerfacecolor="white", zorder=3)
        lines[name] = line
    axes.set_title(title, fontsize=9, loc="left")
    axes.set_xscale("log", base=2)
    mark_sizes(axes.xaxis, {n for points in found.values() for n, _, _ in points})
    axes.tick_params(axis="x", labelrotation=30, labelsize=7.5)
    gains = [gain for points in found.values() for _, gain, _ in points]
    axes.set_ylim(min(0.5, 0.95 * min(gains)), 1.15 * max(1.5, *gains))
    if note:
        axes.text(0.99, 0.98, note, transform=axes.transAxes, ha="right", va="top", fontsize=7, color=GREY)
    return lines


def stamp(document):
    runs = document["runs"]
    sizes = sorted({run["bodies"] for run in runs})
    parameters = sorted({f"{name} {value}" for run in runs for name, value in run["parameters"].items()})
    return (f"{document['device']['name']}, FP32, N = {sizes[0]:,} to {sizes[-1]:,}, {', '.join(parameters)}, "
            f"commit {document['suite']['commit']}")


def draw_figure(document, stem, title, panels, maps, shape, size):
    """One figure of panels, a legend beside them; None where no point can be drawn."""
    found = [curves(document["runs"], test, maps) for test, _, _ in panels]
    if not all(found):
        return []
    figure, grid = pyplot.subplots(*shape, figsize=size, squeeze=False)
    lines = {}
    for axes, of_test, (_, name, note) in zip(grid.flat, found, panels):
        lines.update(draw_panel(axes, of_test, name, note))
    for row in grid:
        row[0].set_ylabel("improvement factor I")
    for axes in grid[-1]:
        axes.set_xlabel("bodies N")
    head(figure, title, stamp(document),
         "I: time of the bounding box (black line) over the map's, medians. Hollow: the map is beyond its range there, its "
         "results are wrong.", right=0.75, above=0.85, hspace=0.45, wspace=0.2)
    figure.legend(lines.values(), [NAMES[name] for name in lines], loc="center left", bbox_to_anchor=(0.76, 0.5),
                  frameon=False, fontsize=8)
    return save(figure, stem)


def draw(study, document, stem):
    """Writes the study's figures; returns their paths."""
    with pyplot.rc_context(STYLE):
        if study.name == "maps":
            files = [
                *draw_figure(document, stem.with_name(f"{stem.name}-figure-3"),
                             "Figure 3 again: the square roots of lambda", PANELS_3, ROOTS, (1, 2), (9.5, 4.2)),
                *draw_figure(document, stem.with_name(f"{stem.name}-figure-5"),
                             "Figure 5 again: maps of the triangle", PANELS_5, STRATEGIES, (2, 2), (9.5, 7)),
            ]
        else:
            runs = [{**run, "test": "triplets"} for run in document["runs"]]
            files = draw_figure({**document, "runs": runs}, stem, "Triplets by maps of the tetrahedron",
                                (("triplets", "Axilrod-Teller energy", "the map's bound: 6"),), TETRAHEDRA,
                                (1, 1), (8.6, 4.6))
    if not files:
        print("No plot: no point both has a time and passed its check.")
    return files
