"""Draws the sweeps of step 07 as SVG and PNG: its parts against N, and time against error next to other codes."""

import json
import statistics

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from common.tools.docs.results import RESULTS
from common.tools.ladder.record import slug
from common.tools.plots.figure import GREY, MARKERS, STEP_COLOURS, curve, head, panels, save, stamp

ERRORS = (1e-4, 2e-4, 4e-4, 8e-4, 16e-4, 32e-4)  # marks of an axis
TIMES = (2, 3, 5, 10, 20, 50, 100)


def facts(runs):
    first = runs[0]
    return f"{first['precision'].upper()}, scene {first['scene']}, softening {first['softening']:g}"


def draw_parts(document, stem):
    runs = sorted((run for run in document["runs"] if run["passed"]), key=lambda run: run["bodies"])
    figure, grid = panels(2, (10.5, 4.6), "bodies N", "ms")
    # From a time to what the panel shows of it.
    for axes, label, shown in ((grid[0][0], "ms", lambda ms, bodies: ms),
                               (grid[0][1], "ns for each body", lambda ms, bodies: 1e6 * ms / bodies)):
        for k, part in enumerate(runs[0]["parts_ms"]):
            curve(axes, [(run["bodies"], shown(run["parts_ms"][part], run["bodies"])) for run in runs],
                  color=STEP_COLOURS[k % len(STEP_COLOURS)], marker=MARKERS[k % len(MARKERS)], markersize=3.5, label=part)
        curve(axes, [(run["bodies"], shown(run["force_ms"]["median"], run["bodies"])) for run in runs], color=GREY,
              linestyle="--", label="all, as one graph")
        axes.set(ylabel=label, xscale="log", yscale="log")
    grid[0][1].legend(fontsize=8, loc="center left", bbox_to_anchor=(1.02, 0.5))
    given = runs[0]["parameters"]
    head(figure, "Parts of step 07 against N",
         stamp(document, facts(runs), *(f"{name} {given[name]}" for name in ("opening", "theta", "leaf") if name in given)),
         "Medians. Each part was timed by itself, with a wait for the device behind it.", right=0.85, wspace=0.25)
    return save(figure, stem)


def middle(runs, value):
    """[(99th percentile, ms), ...] in order of theta: the medians over the seeds."""
    by_theta = {}
    for run in runs:
        by_theta.setdefault(run["parameters"]["theta"], []).append((run["error"]["p99"], value(run)))
    return [tuple(map(statistics.median, zip(*points))) for _, points in sorted(by_theta.items())]


def curves(runs):
    """{(step, opening rule or None): runs}, in the order in which they were measured."""
    found = {}
    for run in runs:
        if run["passed"]:
            found.setdefault((run["step"], run["parameters"].get("opening")), []).append(run)
    return found


def other_codes(device):
    """What is recorded of codes that are not part of the suite, on a device of this name; None if nothing is."""
    file = RESULTS / slug(device) / "other_codes.json"
    return json.loads(file.read_text()) if file.exists() else None


def draw_other_codes(axes, other):
    for (code, facts), marker, style in zip(other["codes"].items(), "*P", ("-", "--")):
        points = sorted((run["error"]["p99"], run["ms"]) for run in other["runs"] if run["code"] == code)
        curve(axes, points, color="black", linestyle=style, marker=marker, markersize=6,
              label=f"{code}, commit {facts['commit'][:7]}")


def set_axes(axes):
    axes.set(xscale="log", yscale="log")
    for axis, marks, shown in ((axes.xaxis, ERRORS, lambda error, _: f"{1e4 * error:g}"),
                               (axes.yaxis, TIMES, lambda ms, _: f"{ms:g}")):
        axis.set_major_locator(FixedLocator(marks))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(shown))


def draw_accuracy(document, stem):
    runs = document["runs"]
    figure, grid = panels(1, (8.6, 5.2), "99th percentile of the error, 1e-4", "ms")
    axes = grid[0][0]
    for k, ((step, opening), of_rule) in enumerate(curves(runs).items()):
        style = {"color": STEP_COLOURS[k], "marker": MARKERS[k], "markersize": 4}
        name = f"step {step[:2]}" + (f", --opening {opening}" if opening else "")
        curve(axes, middle(of_rule, lambda run: run["force_ms"]["median"]), **style, label=name)
        if "fused_walk" in of_rule[0]["parts_ms"]:
            curve(axes, middle(of_rule, lambda run: run["parts_ms"]["fused_walk"]), **style, linestyle=":",
                  label=f"step {step[:2]}, the walk alone")
    other = other_codes(document["device"]["name"])
    if other:
        draw_other_codes(axes, other)
    set_axes(axes)
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5))
    seeds = len({run["seed"] for run in runs})
    others = f" {' and '.join(other['codes'])}: {other['note']}" if other else ""
    head(figure, "Time of the forces against their error", stamp(document, facts(runs), f"N = {runs[0]['bodies']:,}"),
         f"Medians. A curve's points differ in theta, {seeds} seeds each, {runs[0]['error']['sampled']:,} bodies of a seed "
         f"against FP64.\n{others}", right=0.66)
    return save(figure, stem)


def draw(sweep, document, stem):
    """Writes the sweep's figure; returns its paths."""
    if not any(run["passed"] for run in document["runs"]):
        print("No plot: no point passed its check.")
        return []
    return {"parts": draw_parts, "accuracy": draw_accuracy}[sweep.name](document, stem)
