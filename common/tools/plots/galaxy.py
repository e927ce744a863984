"""Draws the galaxy's disk over its rotations, and a merger's energy, as SVG and PNG."""

import math

from matplotlib import pyplot
from common.tools.plots.figure import GREY, MARKERS, STEP_COLOURS, curve, head, mark_sizes, panels, save, stamp

DISK_MASS = 1 / 6
MARGINS = {"left": 0.09, "above": 0.85, "below": 0.85, "wspace": 0.25}
NAMES = ("at the start", "after one rotation", "after two rotations")


def facts(run):
    return (f"{run['precision'].upper()}, scene {run['scene']}, N = {run['bodies']:,}, "
            f"softening {run['softening']:g}")


def ring_curve(table, rotations, name):
    """The middles of the rings and their figures, of one time."""
    return [((ring["inner"] + ring["outer"]) / 2, ring[name]) for ring in table
            if ring["rotations"] == rotations and ring.get(name)]


def draw_galaxy(document, stem):
    table = document["table"]
    times = sorted({ring["rotations"] for ring in table})
    figure, (density, rotation) = pyplot.subplots(1, 2, figsize=(9.5, 4.4))
    for axes, name, label in ((density, "surface_density", "surface density of the disk"),
                              (rotation, "rotation", "mean speed around the axis")):
        for rotations, marker, colour in zip(times, MARKERS, STEP_COLOURS):
            curve(axes, ring_curve(table, rotations, name), marker=marker, markersize=3.5, color=colour,
                  label=NAMES[rotations])
        axes.set(xlabel="distance R from the axis, scale lengths of the disk", ylabel=label)
    for rotations, colour in zip(times, STEP_COLOURS):
        curve(rotation, ring_curve(table, rotations, "sigma_radial"), linestyle=":", color=colour)
    radii = [0.1 * k for k in range(61)]
    density.plot(radii, [DISK_MASS / (2 * math.pi) * math.exp(-radius) for radius in radii], color=GREY,
                 linewidth=1, linestyle="--", label="exponential, as it was made")
    density.set_yscale("log")
    rotation.set_ylim(bottom=0)
    density.legend(fontsize=8)
    first = document["runs"][0]
    head(figure, "The galaxy's disk over two rotations", stamp(document, first["step"], facts(first)),
         "Rings of width 0.25 about the disk's centre of mass. Dotted: radial velocity dispersion. A rotation: "
         "a circle at R = 2.2, time 31. Units: G = 1, total mass 1.", **MARGINS)
    return save(figure, stem)


def draw_energy(document, stem):
    runs = document["runs"]
    time_steps = sorted({run["time_step"] for run in runs}, reverse=True)
    methods = list(dict.fromkeys(run["method"] for run in runs))
    label = "|E - E at the start| / |E at the start|"
    figure, (row,) = panels(len(time_steps), (9.5, 4.2), "steps", label, sharey=True)
    for axes, time_step in zip(row, time_steps):
        for k, method in enumerate(methods):
            points = [(run["steps"], run["energy_drift"]) for run in runs
                      if (run["method"], run["time_step"]) == (method, time_step)]
            curve(axes, sorted(points), marker=MARKERS[k], markersize=5, color=STEP_COLOURS[k], label=method)
        axes.set(title=f"time step {time_step:g}", yscale="log")
        mark_sizes(axes.xaxis, {run["steps"] for run in runs})
    row[0].legend(fontsize=8)
    theta = next((run["parameters"]["theta"] for run in runs if "theta" in run["parameters"]), None)
    head(figure, "Energy of a merger over 200 steps",
         stamp(document, facts(runs[0]), f"theta {theta:g}"),
         f"From time {runs[0]['input']['time']:g} on, when the galaxies are about to pass each other. Every "
         "method from the same bodies; energies in FP64.", **MARGINS)
    return save(figure, stem)


def draw(evolution, document, stem):
    """Writes the figure; returns the paths of its files."""
    return {"galaxy": draw_galaxy, "energy": draw_energy}[evolution.name](document, stem)
