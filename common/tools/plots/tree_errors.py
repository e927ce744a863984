"""Draws figure 4 (distributions of errors) and figure 5 (errors against theta, N and leaf) of the sweep `tree`."""

from matplotlib import pyplot
from matplotlib.lines import Line2D
from common.tools.plots.figure import GREY, MARKERS, STEP_COLOURS, curve, ramp
from common.tools.plots.tree_panels import BELOW, LINES, NAMES, legend_below, size_panels
from common.tools.sweeps.tree_numbers import LEAF, THETA, WALKS, chosen, exponent
from common.tools.sweeps.tree_summary import sizes_with_angles

SHARES = (0.5, 0.1, 0.01)  # the dotted lines of the paper's figure 4


def distributions(runs, bodies):
    """{(walk, theta): [(error, share of the bodies above it), ...]}"""
    found = {}
    for run in runs:
        chosen_here = run["parameters"]
        if run["passed"] and run["bodies"] == bodies and "walk" in chosen_here and chosen_here["leaf"] == LEAF:
            shares = run.get("error", {}).get("exceeded_by", {})
            points = [(error, float(share)) for share, error in shares.items() if error > 0]
            if points:
                found[chosen_here["walk"], chosen_here["theta"]] = sorted(points)
    return found


def draw_distributions(runs, sizes):
    figure, grid = size_panels(sizes, "error |a - a_FP64| / |a_FP64|", "share of bodies above it")
    keys = {}
    for axes, bodies in zip(grid[0], sizes):
        found = distributions(runs, bodies)
        thetas = sorted({theta for _, theta in found})
        colours = dict(zip(thetas, ramp(len(thetas))))
        for (walk, theta), points in found.items():
            line = curve(axes, points, linestyle=LINES[walk], color=colours[theta])
            if walk == WALKS[0]:
                keys[f"theta {theta:g}"] = line
        for share in SHARES:
            axes.axhline(share, color=GREY, linewidth=0.8, linestyle="--")
        axes.set(xscale="log", yscale="log", ylim=(0.008, 1.1))
    names = sorted(keys)
    grid[0][0].legend([keys[name] for name in names], names, fontsize=7, loc="lower left")
    walks = [Line2D([], [], color="black", linestyle=LINES[walk], label=NAMES[walk]) for walk in WALKS]
    grid[0][-1].legend(handles=walks, fontsize=7, loc="lower left")
    return figure, "bodies above an error", (
        f"Leaves of fewer than {LEAF} bodies. Dashed: 50%, 10% and 1% of the bodies. Groups are cells where lists are "
        "stored, even runs of the order of bodies in the fused walk."), BELOW


def label_ticks(axes, values):
    """At these and at no others."""
    axes.set_xticks(values, [str(value) for value in values])
    axes.minorticks_off()


def draw_against_theta(axes, table):
    sizes = sizes_with_angles(table)
    for k, bodies in enumerate((sizes[0], sizes[-1])):
        for y, name, line in (("error_median", "median", ":"), ("error_p99", "99th percentile", "--")):
            points = chosen(table, "theta", y, walk="lists", bodies=bodies, leaf=LEAF)
            power = exponent(points)
            fitted = "" if power is None else f", ~ theta^{power:.2f}"
            if points:
                axes.plot(*zip(*points), linestyle=line, marker=MARKERS[k], markersize=3.5, color=STEP_COLOURS[k],
                          label=f"N = {bodies:,}, {name}{fitted}")
    axes.set(xscale="log", xlabel=f"theta (lists, leaf {LEAF})")
    label_ticks(axes, [0.2, 0.3, 0.4, 0.5, 0.6, 0.8])


def draw_by(axes, table, x, y, curve, label):
    """A curve for each value of another column, at THETA: the walks by their lines."""
    values = sorted({row[curve] for row in table if row["walk"] and row["theta"] == THETA})
    if x == "leaf":
        values = [bodies for bodies in values if bodies in sizes_with_angles(table)]
    for value, colour in zip(values, ramp(len(values))):
        for walk in WALKS:
            points = chosen(table, x, y, walk=walk, theta=THETA, **{curve: value})
            if points:
                axes.plot(*zip(*points), linestyle=LINES[walk], marker=".", color=colour,
                          label=f"{label} {value:,}" if walk == WALKS[0] else None)
    axes.set_xscale("log", base=2 if x == "leaf" else 10)
    if x == "leaf":
        label_ticks(axes, sorted({row["leaf"] for row in table if row["leaf"]}))
    axes.set_xlabel(f"{'leaf' if x == 'leaf' else 'bodies N'} (theta {THETA:g})")


def draw_errors(table):
    timed = bool(chosen(table, "leaf", "gpu_ms"))
    figure, panels = pyplot.subplots(1, 4 if timed else 3, figsize=(13 if timed else 10.5, 5))
    draw_against_theta(panels[0], table)
    draw_by(panels[1], table, "bodies", "error_median", "leaf", "leaf")
    draw_by(panels[2], table, "leaf", "error_p99", "bodies", "N =")
    if timed:
        draw_by(panels[3], table, "leaf", "gpu_ms", "bodies", "N =")
    for axes, label in zip(panels, ("error", "median error", "99th percentile of the error", "GPU's part, ms")):
        axes.set(ylabel=label, yscale="log")
        legend_below(axes)
    return figure, "errors against theta, N and the size of leaves", (
        "Solid: lists; dotted: fused walk (but in the leftmost panel, where dotted is the median). Exponents: least "
        "squares of the logarithms."), 1.6
