"""Draws figure 6 (time against theta), 7 (time against N) and 8 (rates) of the sweep `tree`."""

from matplotlib import pyplot
from common.tools.plots.figure import GREY, STEP_COLOURS, save
from common.tools.plots.tree_panels import NAMES, head, legend_below, size_panels, stamp
from common.tools.sweeps.tree_numbers import (
    LEAF, LEAF_FLOP, NODE_FLOP, THETA, WALKS, chosen, crossover, direct_times, rows, speed_ups, three_digits)
from common.tools.sweeps.tree_summary import sizes_with_angles

WALK_COLOURS = dict(zip(WALKS, STEP_COLOURS))
HOST, DIRECT, HOST_TREE = STEP_COLOURS[2:5]


def curve(axes, points, **style):
    if points:
        axes.plot(*zip(*points), marker=".", linewidth=1.3, **style)


def draw_time_by_theta(document, stem):
    table = rows(document)
    sizes = sizes_with_angles(table)
    figure, grid = size_panels(sizes)
    for axes, bodies in zip(grid[0], sizes):
        of_size = {"bodies": bodies, "leaf": LEAF}
        for walk in WALKS:
            curve(axes, chosen(table, "theta", "gpu_ms", walk=walk, **of_size), color=WALK_COLOURS[walk],
                  label=f"{NAMES[walk]}: GPU")
            curve(axes, chosen(table, "theta", "total_ms", walk=walk, **of_size), color=WALK_COLOURS[walk],
                  linestyle="--", label=f"{NAMES[walk]}: in all")
        curve(axes, chosen(table, "theta", "host_ms", walk="fused", **of_size), color=HOST, linestyle=":",
              label="host: the tree")
        axes.set_yscale("log")
        axes.set_xlabel("theta")
    grid[0][0].set_ylabel("time of a force evaluation, ms")
    grid[0][-1].legend(frameon=False, fontsize=7)
    head(figure, "Figure 6 again: time against theta", stamp(document),
         f"Medians. Leaves of fewer than {LEAF} bodies. In all: host, upload and GPU.")
    return save(figure, stem)


def at_theta(table, name, walk):
    return chosen(table, "bodies", name, walk=walk, theta=THETA, leaf=LEAF)


def draw_times(axes, table):
    for walk in WALKS:
        curve(axes, at_theta(table, "gpu_ms", walk), color=WALK_COLOURS[walk], label=f"{NAMES[walk]}: GPU")
    curve(axes, at_theta(table, "host_ms", "fused"), color=HOST, linestyle=":", label="host: the tree")
    curve(axes, at_theta(table, "upload_ms", "fused"), color=GREY, linestyle=":", label="upload")
    curve(axes, at_theta(table, "total_ms", "fused"), color=WALK_COLOURS["fused"], linestyle="--",
          label="fused walk: in all")
    curve(axes, chosen(table, "bodies", "total_ms", step="host_tree"), color=HOST_TREE,
          label="host_tree: all by the host")
    curve(axes, direct_times(table), color=DIRECT, label="direct: step 04 or 05")
    axes.set_ylabel("time of a force evaluation, ms")
    axes.set_yscale("log")


def draw_shares(axes, table):
    for walk in WALKS:
        totals = dict(at_theta(table, "total_ms", walk))
        points = [(bodies, ms / totals[bodies]) for bodies, ms in at_theta(table, "gpu_ms", walk) if bodies in totals]
        curve(axes, points, color=WALK_COLOURS[walk], label=NAMES[walk])
    axes.set_ylabel("GPU's part of the whole time")
    axes.set_ylim(0, 1)


def draw_speed_ups(axes, table):
    """Hollow where the direct sum's time is extrapolated; a line down from where the tree overtakes it."""
    for walk in WALKS:
        for name, line, what in (("total_ms", "-", "in all"), ("gpu_ms", ":", "GPU's part")):
            ratios = speed_ups(direct_times(table), at_theta(table, name, walk))
            place = crossover(ratios)
            since = f": faster from N = {three_digits(place):,} on" if place else ""
            curve(axes, [point[:2] for point in ratios], color=WALK_COLOURS[walk], linestyle=line,
                  label=f"{NAMES[walk]}, {what}{since}")
            curve(axes, [point[:2] for point in ratios if not point[2]], color=WALK_COLOURS[walk], linestyle="none",
                  markerfacecolor="white", markersize=8)
            if place:
                axes.plot([place], [1], marker="|", markersize=14, color=WALK_COLOURS[walk])
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_ylabel("times faster than direct summation")
    axes.set_yscale("log")


def draw_time_by_size(document, stem):
    table = rows(document)
    figure, grid = pyplot.subplots(1, 3, figsize=(11.5, 5.6), squeeze=False)
    for axes, draw_panel in zip(grid[0], (draw_times, draw_shares, draw_speed_ups)):
        draw_panel(axes, table)
        axes.set_xscale("log")
        axes.set_xlabel(f"bodies N (theta {THETA:g})")
        legend_below(axes)
    head(figure, "Figure 7 again: time against N", stamp(document),
         "Medians. Hollow: direct summation taken to grow as N^2 from its largest N. Bars on the line at 1: where the "
         "tree overtakes it.", 2.1)
    return save(figure, stem)


def draw_rates(document, stem):
    table = rows(document)
    sizes = sizes_with_angles(table)
    figure, grid = size_panels(sizes, 2, 6.2)
    kinds = (("node_gflops", "body-node", "lists", "-"), ("leaf_gflops", "body-leaf", "lists", "--"),
             ("fused_gflops", "fused walk, all of it", "fused", ":"))
    walks = (("first_gb_s", "first walk", "lists", "-"), ("second_gb_s", "second walk", "lists", "--"),
             ("fused_gb_s", "fused walk, all of it", "fused", ":"))
    for row, curves in zip(grid, (kinds, walks)):
        for axes, bodies in zip(row, sizes):
            for name, label, walk, line in curves:
                curve(axes, chosen(table, "theta", name, walk=walk, bodies=bodies, leaf=LEAF), linestyle=line,
                      color=WALK_COLOURS[walk], label=label)
    for row in grid:
        row[0].set_ylim(bottom=0)  # once all is drawn: it ends the automatic scale
    for axes in grid[1]:
        axes.set_xlabel("theta")
    grid[0][0].set_ylabel(f"GFLOP/s at {NODE_FLOP} and {LEAF_FLOP} FLOP")
    grid[1][0].set_ylabel("GB/s of what the walk reads and writes")
    for row in grid:
        row[-1].legend(frameon=False, fontsize=7)
    head(figure, "Figure 8 again: rates of the forces and of the walks", stamp(document),
         "Bytes that the walk's threads ask for, most of them from caches. The fused walk's time is that of its forces "
         "too.")
    return save(figure, stem)


def draw(document, of):
    """Writes the three figures; of: the stem of each."""
    return [*draw_time_by_theta(document, of(6)), *draw_time_by_size(document, of(7)), *draw_rates(document, of(8))]
