"""Draws the sweeps of trees: figures 4 to 8 of the paper on octgrav, 07_tuned's parts, and times against errors. As in sweeps.py,
a function draws one sweep and returns its files."""

import json
import math
import statistics

from matplotlib import pyplot
from matplotlib.lines import Line2D
from common.tools.docs.results import RESULTS
from common.tools.plots.figure import (
    ERRORS, GREY, STEP_COLOURS, curve, facts, finished, look, mark, panel, panels, ramp, stamp)
from common.tools.programs import grouped
from common.tools.sweeps.tree import (
    DEVICE_TREE, LEAF, LEAF_FLOP, NODE_FLOP, THETA, WALKS, chosen, crossover, direct_times, exponent, rows, sizes_with_angles,
    speed_ups, three_digits, walk_of)

LINES = {"lists": "-", "fused": ":"}  # line styles of the walks
NAMES = {"lists": "lists", "fused": "fused walk"}
OF_LISTS, OF_FUSED, HOST, DIRECT, HOST_TREE, ON_DEVICE = STEP_COLOURS[:6]
LISTS, FUSED, TUNED_07 = {"walk": "lists", "leaf": LEAF}, {"walk": "fused", "leaf": LEAF}, {"step": DEVICE_TREE}


def line(column, held, label, color, linestyle="-"):
    """Returns a curve of a table: its column, what is held constant, how it is drawn."""
    return column, held, {"color": color, "linestyle": linestyle, "label": label, "marker": "."}


BY_THETA = [line("gpu_ms", LISTS, "lists: GPU", OF_LISTS), line("total_ms", LISTS, "lists: in all", OF_LISTS, "--"),
            line("gpu_ms", FUSED, "fused walk: GPU", OF_FUSED), line("total_ms", FUSED, "fused walk: in all", OF_FUSED, "--"),
            line("host_ms", FUSED, "host: the tree", HOST, ":"), line("total_ms", TUNED_07, "07_tuned: in all", ON_DEVICE, "--")]
BY_SIZE = [line("gpu_ms", LISTS, "lists: GPU", OF_LISTS), line("gpu_ms", FUSED, "fused walk: GPU", OF_FUSED),
           line("host_ms", FUSED, "host: the tree", HOST, ":"), line("upload_ms", FUSED, "upload", GREY, ":"),
           line("total_ms", FUSED, "fused walk: in all", OF_FUSED, "--"),
           line("total_ms", {"step": "host_tree"}, "host_tree: all by the host", HOST_TREE),
           line("total_ms", TUNED_07, "07_tuned: in all, its own leaves", ON_DEVICE, "--")]
SPEED_UPS = [line("total_ms", LISTS, "lists, in all", OF_LISTS), line("gpu_ms", LISTS, "lists, GPU's part", OF_LISTS, ":"),
             line("total_ms", FUSED, "fused walk, in all", OF_FUSED),
             line("gpu_ms", FUSED, "fused walk, GPU's part", OF_FUSED, ":"),
             line("total_ms", TUNED_07, "07_tuned, in all", ON_DEVICE, "--")]
RATES = [line("device_gflops", {}, "07_tuned: its walk, all of it", ON_DEVICE, "-."),
         line("node_gflops", LISTS, "body-node", OF_LISTS), line("leaf_gflops", LISTS, "body-leaf", OF_LISTS, "--"),
         line("fused_gflops", FUSED, "fused walk, all of it", OF_FUSED, ":")]
BANDWIDTHS = [line("device_gb_s", {}, "07_tuned: its walk, all of it", ON_DEVICE, "-."),
              line("first_gb_s", LISTS, "first walk", OF_LISTS), line("second_gb_s", LISTS, "second walk", OF_LISTS, "--"),
              line("fused_gb_s", FUSED, "fused walk, all of it", OF_FUSED, ":")]

TIMES = (2, 3, 5, 10, 20, 50, 100)  # marks of an axis, in ms


def curves(table, x, lines, **constant):
    """Returns (points, style) for panel()."""
    return [(chosen(table, x, column, **constant, **held), style) for column, held, style in lines]


def size_panels(sizes, x, *labels, height=4.2):
    """Returns a figure with a column for each N and a row for each label of the y axes."""
    figure, grid = panels(len(sizes), (10.5, height), x, *labels, sharey="row", sharex=True)
    for axes, bodies in zip(grid[0], sizes):
        axes.set_title(f"N = {bodies:,}")
    return figure, grid


def legend_at(place):
    return {"loc": "center left", "bbox_to_anchor": (place, 0.5)}


def legend_below(axes):
    axes.legend(loc="upper left", bbox_to_anchor=(-0.05, -0.16), borderaxespad=0)


def figure_4(document, table, sizes):
    """Draws distributions of errors."""
    figure, grid = size_panels(sizes, "error |a - a_FP64| / |a_FP64|", "share of bodies above it")
    for axes, bodies in zip(grid[0], sizes):
        runs = [run for run in document["runs"] if run["passed"] and run["bodies"] == bodies
                and walk_of(run) and run["parameters"]["leaf"] == LEAF]
        thetas = sorted({run["parameters"]["theta"] for run in runs})
        colours = dict(zip(thetas, ramp(len(thetas))))
        for run in runs:
            walk, theta = walk_of(run), run["parameters"]["theta"]
            shares = run.get("error", {}).get("exceeded_by", {})
            curve(axes, sorted((error, float(share)) for share, error in shares.items() if error > 0), linestyle=LINES[walk],
                  color=colours[theta], label=f"theta {theta:g}" if walk == WALKS[0] else None)
        for share in (0.5, 0.1, 0.01):  # the dotted lines of the paper
            axes.axhline(share, color=GREY, linewidth=0.8, linestyle="--")
        axes.set(xscale="log", yscale="log", ylim=(0.008, 1.1))
    grid[0][0].legend(loc="lower left")
    walks = [Line2D([], [], color="black", linestyle=LINES[walk], label=NAMES[walk]) for walk in WALKS]
    grid[0][-1].legend(handles=walks, loc="lower left")
    return figure, "bodies above an error", (
        f"Leaves of fewer than {LEAF} bodies. Dashed: 50%, 10% and 1% of the bodies. Groups are cells where lists are "
        "stored, even runs of the order of bodies in the fused walk.")


def draw_by(axes, table, x, y, by, values, label):
    """Returns a curve for each value of the column `by`, at THETA. The walks differ in their lines."""
    for value, colour in zip(values, ramp(len(values))):
        for walk in WALKS:
            curve(axes, chosen(table, x, y, walk=walk, theta=THETA, **{by: value}), linestyle=LINES[walk], marker=".",
                  color=colour, linewidth=1.5, label=f"{label} {value:,}" if walk == WALKS[0] else None)


def figure_5(document, table, sizes):
    """Draws errors against theta, N and leaf."""
    timed = bool(chosen(table, "leaf", "gpu_ms"))
    leaves = sorted({row["leaf"] for row in table if row["leaf"]})
    figure, grid = pyplot.subplots(1, 4 if timed else 3, figsize=(13 if timed else 10.5, 5))
    for k, bodies in enumerate((sizes[0], sizes[-1])):
        for y, name, linestyle in (("error_median", "median", ":"), ("error_p99", "99th percentile", "--")):
            points = chosen(table, "theta", y, bodies=bodies, **LISTS)
            power = exponent(points)
            curve(grid[0], points, **look(k, linestyle=linestyle, linewidth=1.5, markersize=3.5, label=f"N = {bodies:,}, {name}"
                                          + ("" if power is None else f", power {power:.2f}")))
    grid[0].set(xscale="log", xlabel=f"theta (lists, leaf {LEAF})")
    mark(grid[0].xaxis, [0.2, 0.3, 0.4, 0.5, 0.6, 0.8], "{:g}")
    draw_by(grid[1], table, "bodies", "error_median", "leaf",
            sorted({row["leaf"] for row in table if row["walk"] and row["theta"] == THETA}), "leaf")
    grid[1].set(xscale="log", xlabel=f"bodies N (theta {THETA:g})")
    for axes, y in zip(grid[2:], ("error_p99", "gpu_ms")):
        draw_by(axes, table, "leaf", y, "bodies", sizes, "N =")
        axes.set_xscale("log", base=2)
        mark(axes.xaxis, leaves)
        axes.set_xlabel(f"leaf (theta {THETA:g})")
    for axes, label in zip(grid, ("error", "median error", "99th percentile of the error", "GPU's part, ms")):
        axes.set(ylabel=label, yscale="log")
        legend_below(axes)
    return figure, "errors against theta, N and the size of leaves", (
        "Solid: lists; dotted: fused walk (but in the leftmost panel, where dotted is the median). Powers of theta: "
        "least squares of the logarithms.")


def figure_6(document, table, sizes):
    """Draws time against theta."""
    figure, grid = size_panels(sizes, "theta", "time of a force evaluation, ms")
    for axes, bodies in zip(grid[0], sizes):
        panel(axes, curves(table, "theta", BY_THETA, bodies=bodies), yscale="log")
    grid[0][-1].legend()
    return figure, "time against theta", (
        f"Medians. Leaves of fewer than {LEAF} bodies; 07_tuned chooses its leaves. In all: host, upload and GPU.")


def expected(points, growth, label):
    """Returns the curve of growth(N) through the last of the points."""
    last, height = points[-1]
    return [(n, height * growth(n) / growth(last)) for n, _ in points], {"color": "red", "linewidth": 0.8, "label": label}


def draw_speed_ups(axes, table, direct):
    """Draws speed-ups: hollow if the direct sum's time is extrapolated, with a line down from where the tree overtakes it."""
    for times, style in curves(table, "bodies", SPEED_UPS, theta=THETA):
        ratios = speed_ups(direct, times)
        place, points = crossover(ratios), [point[:2] for point in ratios]
        since = f": faster from N = {three_digits(place):,} on" if place else ""
        drawn = [(points, {**style, "label": style["label"] + since}),
                 ([point[:2] for point in ratios if not point[2]], {**style, "label": None, "linestyle": "none",
                                                                    "markerfacecolor": "white", "markersize": 8})]
        if style["label"] == "lists, GPU's part" and ratios:
            drawn.append(expected(points, lambda n: n / math.log(n), "~ N / log N"))
        panel(axes, drawn)
        if place:
            axes.plot([place], [1], marker="|", markersize=14, color=style["color"])
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set(ylabel="times faster than direct summation", yscale="log")


def figure_7(document, table, sizes):
    """Draws time against N."""
    figure, grid = pyplot.subplots(1, 3, figsize=(12, 6.1))
    direct = direct_times(table)
    times = curves(table, "bodies", BY_SIZE, theta=THETA)
    drawn = [*times, (direct, {"color": DIRECT, "label": "direct: step 04 or 05", "marker": "."})]
    if times[0][0]:
        drawn.append(expected(times[0][0], lambda n: n * math.log(n), "~ N log N"))
    panel(grid[0], drawn, ylabel="time of a force evaluation, ms", yscale="log")
    for (points, style), held in zip(times[:2], (LISTS, FUSED)):
        totals = dict(chosen(table, "bodies", "total_ms", theta=THETA, **held))
        curve(grid[1], [(bodies, ms / totals[bodies]) for bodies, ms in points if bodies in totals],
              **{**style, "label": NAMES[held["walk"]]})
    grid[1].set(ylabel="GPU's part of the whole time", ylim=(0, 1))
    draw_speed_ups(grid[2], table, direct)
    for axes in grid:
        axes.set(xscale="log", xlabel=f"bodies N (theta {THETA:g})")
        legend_below(axes)
    return figure, "time against N", (
        "Medians. Red: the expected scaling, through the last point of the lists. Hollow: direct summation taken to grow "
        "as N² from its largest N. Bars on the line at 1: where the tree overtakes it.")


def figure_8(document, table, sizes):
    """Draws rates."""
    figure, grid = size_panels(sizes, "theta", f"GFLOP/s at {NODE_FLOP} and {LEAF_FLOP} FLOP",
                               "GB/s of what the walk reads and writes", height=6.2)
    for row, lines in zip(grid, (RATES, BANDWIDTHS)):
        for axes, bodies in zip(row, sizes):
            panel(axes, curves(table, "theta", lines, bodies=bodies))
    for row in grid:
        row[0].set_ylim(bottom=0)  # at the end, because it stops the automatic scale
        row[0].legend(loc="upper left")  # with few bodies no curve is so high
    return figure, "rates of the forces and of the walks", (
        "Bytes that the walk's threads ask for, most of them from caches. The time of the fused walk, 07_tuned's too, is "
        "that of its forces too.")


# The figures by their numbers in the paper, and the inches under the panels, which contain the legends of two.
FIGURES = {4: (figure_4, 0.95), 5: (figure_5, 1.6), 6: (figure_6, 0.95), 7: (figure_7, 2.6), 8: (figure_8, 0.95)}


def tree(sweep, document, stem):
    """Draws the paper's figures, without a GPU only the first two."""
    table = rows(document)
    if not sizes_with_angles([row for row in table if row["passed"]]):
        return []
    run = next(run for run in document["runs"] if walk_of(run))
    sampled = sorted({run["error"]["sampled"] for run in document["runs"] if run.get("error")})
    counts = " to ".join(f"{count:,}" for count in dict.fromkeys((sampled[0], sampled[-1])))
    words = stamp(document, facts(run), f"{run['parameters']['multipole']}s", f"groups of {run['parameters']['group']}",
                  f"{counts} bodies against FP64")
    numbers = [*FIGURES]
    if document["device"]["kind"] != "gpu":
        print("No figures 6 to 8: times on the CPU executor say nothing about a GPU.")
        numbers = numbers[:2]
    files = []
    for number in numbers:
        draw, below = FIGURES[number]
        figure, title, note = draw(document, table, sizes_with_angles(table))
        files += finished(figure, stem.with_name(f"{stem.name}-figure-{number}"), f"Figure {number} again: {title}", words, note,
                          below=below, wspace=0.36, hspace=0.25)
    return files


def parts(sweep, document, stem):
    """Draws a program's parts against N, in ms and per body."""
    runs = sorted((run for run in document["runs"] if run["passed"]), key=lambda run: run["bodies"])
    if not runs:
        return []
    times = [([(run["bodies"], run["parts_ms"][part]) for run in runs], look(k, markersize=3.5, label=part))
             for k, part in enumerate(runs[0]["parts_ms"])]
    times.append(([(run["bodies"], run["force_ms"]["median"]) for run in runs],
                  {"color": GREY, "linestyle": "--", "label": "all, as one graph"}))
    figure, ((left, right),) = panels(2, (10.5, 4.6), "bodies N", "ms")
    panel(left, times, ylabel="ms", xscale="log", yscale="log")
    panel(right, [([(bodies, 1e6 * ms / bodies) for bodies, ms in points], style) for points, style in times],
          legend=legend_at(1.02), ylabel="ns for each body", xscale="log", yscale="log")
    common = set.intersection(*({*run["parameters"].items()} for run in runs))  # a leaf may depend on N
    return finished(figure, stem, sweep.title,
                    stamp(document, facts(runs[0]),
                          *(f"{name} {value}" for name in ("opening", "order", "tolerance", "theta", "leaf")
                            for found, value in common if found == name)),
                    "Medians. Each part was timed by itself, with a wait for the device behind it.", right=0.85, wspace=0.25)


def middle(runs, value):
    """Returns [(99th percentile, ms), ...] in order of theta, or of the tolerance: the medians over the seeds."""
    by_setting = grouped(runs, lambda run: (run["parameters"]["theta"], run["parameters"].get("tolerance")))
    return [tuple(map(statistics.median, zip(*((run["error"]["p99"], value(run)) for run in by_setting[setting]))))
            for setting in sorted(by_setting)]


def accuracy(sweep, document, stem):
    """Draws time against error, next to other codes."""
    runs = [run for run in document["runs"] if run["passed"]]
    if not runs:
        return []
    first, drawn = runs[0], []
    for k, ((step, opening), of_rule) in enumerate(
            grouped(runs, lambda run: (run["step"], run["parameters"].get("opening"))).items()):
        name = step if step == DEVICE_TREE else f"step {step[:2]}"
        drawn.append((middle(of_rule, lambda run: run["force_ms"]["median"]),
                      look(k, label=name + (f", --opening {opening}" if opening else ""))))
        if "fused_walk" in of_rule[0]["parts_ms"]:
            drawn.append((middle(of_rule, lambda run: run["parts_ms"]["fused_walk"]),
                          look(k, linestyle=":", label=f"{name}, the walk alone")))
    other = json.loads((RESULTS / "experiments" / "other_codes.json").read_text())  # codes that are not part of the suite
    if other["device"]["name"] != document["device"]["name"]:
        other = None
    trees = [code for code in other["codes"] if any(run["code"] == code for run in other["runs"])] if other else []
    for code, marker, line in zip(trees, "*P", ("-", "--")):
        drawn.append((sorted((run["error"]["p99"], run["ms"]) for run in other["runs"]
                              if (run["code"], run["scene"], run["bodies"]) == (code, first["scene"], first["bodies"])),
                      {"color": "black", "linestyle": line, "marker": marker, "markersize": 6,
                       "label": f"{code}, commit {other['codes'][code]['commit'][:7]}"}))
    figure, ((axes,),) = panels(1, (8.2, 5.2), "99th percentile of the error, 1e-4", "ms")
    panel(axes, drawn, legend=legend_at(1.01), xscale="log", yscale="log")
    mark(axes.xaxis, ERRORS, "{:g}", 1e4)
    mark(axes.yaxis, TIMES, "{:g}")
    seeds = len({run["seed"] for run in document["runs"]})
    others = f"{' and '.join(trees)}: {other['note']}" if other else ""
    return finished(figure, stem, "Time of the forces against their error",
                    stamp(document, facts(first), f"N = {first['bodies']:,}"),
                    f"Medians. A curve's points differ in theta, those of step 10 in tolerance, {seeds} seeds each, {first['error']['sampled']:,} bodies of a "
                    f"seed against FP64.\n{others}", right=0.66)
