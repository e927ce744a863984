"""Draws figure 6 (time against theta), 7 (time against N) and 8 (rates) of the sweep `tree`."""

import functools
import math

from matplotlib import pyplot
from common.tools.plots.figure import GREY, STEP_COLOURS
from common.tools.plots.figure import curve as plain_curve
from common.tools.plots.tree_panels import BELOW, NAMES, legend_below, size_panels
from common.tools.sweeps.tree_numbers import (
    DEVICE_TREE, LEAF, LEAF_FLOP, NODE_FLOP, THETA, WALKS, chosen, crossover, device_tree_times, direct_times,
    speed_ups, three_digits)
from common.tools.sweeps.tree_summary import sizes_with_angles

curve = functools.partial(plain_curve, marker=".")
WALK_COLOURS = dict(zip(WALKS, STEP_COLOURS))
HOST, DIRECT, HOST_TREE, ON_DEVICE = STEP_COLOURS[2:6]


def draw_time_by_theta(table):
    sizes = sizes_with_angles(table)
    figure, grid = size_panels(sizes, "theta", "time of a force evaluation, ms")
    curves = [(name, walk, WALK_COLOURS[walk], line, f"{NAMES[walk]}: {what}") for walk in WALKS
              for name, line, what in (("gpu_ms", "-", "GPU"), ("total_ms", "--", "in all"))]
    for axes, bodies in zip(grid[0], sizes):
        for name, walk, colour, line, label in [*curves, ("host_ms", "fused", HOST, ":", "host: the tree")]:
            curve(axes, chosen(table, "theta", name, walk=walk, bodies=bodies, leaf=LEAF), color=colour,
                  linestyle=line, label=label)
        curve(axes, chosen(table, "theta", "total_ms", step=DEVICE_TREE, bodies=bodies), color=ON_DEVICE,
              linestyle="--", label="step 07: in all")
        axes.set_yscale("log")
    grid[0][-1].legend(fontsize=7)
    return figure, "time against theta", (
        f"Medians. Leaves of fewer than {LEAF} bodies, step 07's of its own size. In all: host, upload and GPU."), BELOW


def at_theta(table, name, walk):
    return chosen(table, "bodies", name, walk=walk, theta=THETA, leaf=LEAF)


def draw_expected(axes, points, growth, label):
    """growth(N), through the last of the points."""
    bodies, last = points[-1]
    sizes = [n for n, _ in points]
    axes.plot(sizes, [last * growth(n) / growth(bodies) for n in sizes], color="red", linewidth=0.8, label=label)


def draw_times(axes, table):
    for walk in WALKS:
        curve(axes, at_theta(table, "gpu_ms", walk), color=WALK_COLOURS[walk], label=f"{NAMES[walk]}: GPU")
    for name, colour, line, label in (("host_ms", HOST, ":", "host: the tree"), ("upload_ms", GREY, ":", "upload"),
                                      ("total_ms", WALK_COLOURS["fused"], "--", "fused walk: in all")):
        curve(axes, at_theta(table, name, "fused"), color=colour, linestyle=line, label=label)
    curve(axes, chosen(table, "bodies", "total_ms", step="host_tree"), color=HOST_TREE,
          label="host_tree: all by the host")
    curve(axes, device_tree_times(table), color=ON_DEVICE, linestyle="--", label="step 07: in all, its own leaves")
    curve(axes, direct_times(table), color=DIRECT, label="direct: step 04 or 05")
    if points := at_theta(table, "gpu_ms", "lists"):
        draw_expected(axes, points, lambda n: n * math.log(n), "~ N log N")
    axes.set(ylabel="time of a force evaluation, ms", yscale="log")


def draw_shares(axes, table):
    for walk in WALKS:
        totals = dict(at_theta(table, "total_ms", walk))
        points = [(bodies, ms / totals[bodies]) for bodies, ms in at_theta(table, "gpu_ms", walk) if bodies in totals]
        curve(axes, points, color=WALK_COLOURS[walk], label=NAMES[walk])
    axes.set(ylabel="GPU's part of the whole time", ylim=(0, 1))


def draw_speed_ups(axes, table):
    """Hollow where the direct sum's time is extrapolated; a line down from where the tree overtakes it."""
    drawn = [(at_theta(table, name, walk), f"{NAMES[walk]}, {what}", {"color": WALK_COLOURS[walk], "linestyle": line})
             for walk in WALKS for name, line, what in (("total_ms", "-", "in all"), ("gpu_ms", ":", "GPU's part"))]
    drawn.append((device_tree_times(table), "step 07, in all", {"color": ON_DEVICE, "linestyle": "--"}))
    for times, name, style in drawn:
        ratios = speed_ups(direct_times(table), times)
        place = crossover(ratios)
        since = f": faster from N = {three_digits(place):,} on" if place else ""
        curve(axes, [point[:2] for point in ratios], label=f"{name}{since}", **style)
        curve(axes, [point[:2] for point in ratios if not point[2]], color=style["color"], linestyle="none",
              markerfacecolor="white", markersize=8)
        if name == f"{NAMES['lists']}, GPU's part" and ratios:
            draw_expected(axes, [point[:2] for point in ratios], lambda n: n / math.log(n), "~ N / log N")
        if place:
            axes.plot([place], [1], marker="|", markersize=14, color=style["color"])
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set(ylabel="times faster than direct summation", yscale="log")


def draw_time_by_size(table):
    figure, panels = pyplot.subplots(1, 3, figsize=(11.5, 5.6))
    for axes, draw_panel in zip(panels, (draw_times, draw_shares, draw_speed_ups)):
        draw_panel(axes, table)
        axes.set(xscale="log", xlabel=f"bodies N (theta {THETA:g})")
        legend_below(axes)
    return figure, "time against N", (
        "Medians. Red: the expected scaling, through the last point of the lists. Hollow: direct summation taken to grow "
        "as N^2 from its largest N. Bars on the line at 1: where the tree overtakes it."), 2.1


def draw_rates(table):
    sizes = sizes_with_angles(table)
    figure, grid = size_panels(sizes, "theta", f"GFLOP/s at {NODE_FLOP} and {LEAF_FLOP} FLOP",
                               "GB/s of what the walk reads and writes", height=6.2)
    kinds = (("node_gflops", "body-node", "lists", "-"), ("leaf_gflops", "body-leaf", "lists", "--"),
             ("fused_gflops", "fused walk, all of it", "fused", ":"))
    walks = (("first_gb_s", "first walk", "lists", "-"), ("second_gb_s", "second walk", "lists", "--"),
             ("fused_gb_s", "fused walk, all of it", "fused", ":"))
    for row, curves, on_device in zip(grid, (kinds, walks), ("device_gflops", "device_gb_s")):
        for axes, bodies in zip(row, sizes):
            curve(axes, chosen(table, "theta", on_device, bodies=bodies), linestyle="-.", color=ON_DEVICE,
                  label="step 07: its walk, all of it")
            for name, label, walk, line in curves:
                curve(axes, chosen(table, "theta", name, walk=walk, bodies=bodies, leaf=LEAF), linestyle=line,
                      color=WALK_COLOURS[walk], label=label)
    for row in grid:
        row[0].set_ylim(bottom=0)  # once all is drawn: it ends the automatic scale
        row[0].legend(fontsize=7, loc="upper left")  # few bodies: no curve comes so high
    return figure, "rates of the forces and of the walks", (
        "Bytes that the walk's threads ask for, most of them from caches. The time of the fused walk, step 07's too, is "
        "that of its forces too."), BELOW
