"""Draws figure 4 (distributions of errors) and figure 5 (errors against theta, N and leaf) of the sweep `tree`."""

from matplotlib import pyplot
from common.tools.plots.figure import GREY, MARKERS, STEP_COLOURS, ramp, save
from common.tools.plots.tree_panels import LINES, head, legend_below, size_panels, stamp, walk_keys
from common.tools.sweeps.tree_numbers import LEAF, THETA, WALKS, chosen, exponent, rows
from common.tools.sweeps.tree_summary import sizes_with_angles

SHARES = (0.5, 0.1, 0.01)  # the dotted lines of the paper's figure 4


def distributions(document, bodies):
    """{(walk, theta): [(error, share of the bodies above it), ...]}"""
    found = {}
    for run in document["runs"]:
        chosen_here = run["parameters"]
        if run["passed"] and run["bodies"] == bodies and "walk" in chosen_here and chosen_here["leaf"] == LEAF:
            shares = run.get("error", {}).get("exceeded_by", {})
            points = [(error, float(share)) for share, error in shares.items() if error > 0]
            if points:
                found[chosen_here["walk"], chosen_here["theta"]] = sorted(points)
    return found


def draw_distributions(document, stem):
    sizes = sizes_with_angles(rows(document))
    figure, grid = size_panels(sizes)
    keys = {}
    for axes, bodies in zip(grid[0], sizes):
        found = distributions(document, bodies)
        thetas = sorted({theta for _, theta in found})
        colours = dict(zip(thetas, ramp(len(thetas))))
        for (walk, theta), points in found.items():
            line, = axes.plot(*zip(*points), linestyle=LINES[walk], linewidth=1.3, color=colours[theta])
            if walk == WALKS[0]:
                keys[f"{theta:g}"] = line
        for share in SHARES:
            axes.axhline(share, color=GREY, linewidth=0.8, linestyle="--")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_ylim(0.008, 1.1)
        axes.set_xlabel("error |a - a_FP64| / |a_FP64|")
    grid[0][0].set_ylabel("share of bodies above it")
    names = {theta: f"theta {theta}" for theta in sorted(keys)}
    grid[0][0].legend([keys[theta] for theta in names], names.values(), frameon=False, fontsize=7, loc="lower left")
    grid[0][-1].legend(handles=walk_keys(LINES), frameon=False, fontsize=7, loc="lower left")
    head(figure, "Figure 4 again: bodies above an error", stamp(document),
         f"Leaves of fewer than {LEAF} bodies. Dashed: 50%, 10% and 1% of the bodies. Groups are cells where lists are "
         "stored, even runs of the order of bodies in the fused walk.")
    return save(figure, stem)


def fitted(points):
    power = exponent(points)
    return "" if power is None else f", ~ theta^{power:.2f}"


def draw_against_theta(axes, table):
    sizes = sizes_with_angles(table)
    for k, bodies in enumerate((sizes[0], sizes[-1])):
        for y, name, line in (("error_median", "median", ":"), ("error_p99", "99th percentile", "--")):
            points = chosen(table, "theta", y, walk="lists", bodies=bodies, leaf=LEAF)
            if points:
                axes.plot(*zip(*points), linestyle=line, marker=MARKERS[k], markersize=3.5, color=STEP_COLOURS[k],
                          label=f"N = {bodies:,}, {name}{fitted(points)}")
    axes.set_xscale("log")
    axes.set_xlabel(f"theta (lists, leaf {LEAF})")
    axes.set_xticks([0.2, 0.3, 0.4, 0.5, 0.6, 0.8], ["0.2", "0.3", "0.4", "0.5", "0.6", "0.8"])
    axes.minorticks_off()


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
        leaves = sorted({row["leaf"] for row in table if row["leaf"]})
        axes.set_xticks(leaves, [str(leaf) for leaf in leaves])
        axes.minorticks_off()
    axes.set_xlabel(f"{'leaf' if x == 'leaf' else 'bodies N'} (theta {THETA:g})")


def draw_errors(document, stem):
    table = rows(document)
    timed = bool(chosen(table, "leaf", "gpu_ms"))
    figure, grid = pyplot.subplots(1, 4 if timed else 3, figsize=(13 if timed else 10.5, 5), squeeze=False)
    panels = grid[0]
    draw_against_theta(panels[0], table)
    draw_by(panels[1], table, "bodies", "error_median", "leaf", "leaf")
    draw_by(panels[2], table, "leaf", "error_p99", "bodies", "N =")
    for axes, label in zip(panels, ("error", "median error", "99th percentile of the error", "GPU's part, ms")):
        axes.set_ylabel(label)
    if timed:
        draw_by(panels[3], table, "leaf", "gpu_ms", "bodies", "N =")
    for axes in panels:
        axes.set_yscale("log")
        legend_below(axes)
    head(figure, "Figure 5 again: errors against theta, N and the size of leaves", stamp(document),
         "Solid: lists; dotted: fused walk (but in the leftmost panel, where dotted is the median). Exponents: least "
         "squares of the logarithms.", 1.6)
    return save(figure, stem)
