"""Draws a sweep as SVG and PNG, with the chapter's own figures of 2007 in grey."""

import textwrap

from matplotlib import pyplot
from matplotlib.ticker import LogLocator
from common.tools.plots.figure import GREY, MARKERS, STEP_COLOURS, head, mark_sizes, ramp, save, stamp

LABEL_GAP = 0.045  # of the axis' height: the least between two labels of curves
RATES_OF_2007 = (163, 38 * 16384**2 * 20 / 1e9)  # GFLOP/s, as NOTE_OF_2007 says
NOTE_OF_2007 = ("Dotted: the chapter's GeForce 8800 GTX at N = 16,384, 163 GFLOP/s with the first version, over 200 GFLOP/s with "
                "38 steps per second.")
GAIN_OF_2007 = (1024, 1.44, " Dash-dotted: its +44% for two threads at N = 1,024.")


def curves(sweep, runs):
    """{N or step: [(x, GFLOP/s), ...]} of the runs whose forces are right, in order of x."""
    found = {}
    for run in runs:
        if run["passed"] and "gflops" in run:
            found.setdefault(sweep.series(run), []).append((sweep.x(run), run["gflops"]))
    return {name: sorted(points) for name, points in sorted(found.items())}


def curve_label(sweep, name, points):
    """The step, or N and where it is fastest: on an axis of decades a gain is hard to read."""
    if not sweep.option:
        return name
    x, best = max(points, key=lambda point: point[1])
    return f"N = {name:,}" + (f", {best / points[0][1]:.2f}x at {x}" if len(points) > 1 else "")


def spread(heights):
    """Heights moved down as little as keeps them LABEL_GAP apart; down, for curves crowd below the ceiling."""
    moved, last = [*heights], 1 + LABEL_GAP
    for index in sorted(range(len(heights)), key=heights.__getitem__, reverse=True):
        last = moved[index] = min(heights[index], last - LABEL_GAP)
    return moved


def label_curves(axes, sweep, found, colours):
    """Names beside the curves' ends, so that no legend has to be matched by colour."""
    ends = [points[-1] for points in found.values()]
    in_axes = [axes.transAxes.inverted().transform(axes.transData.transform(end)) for end in ends]
    for k, (name, height) in enumerate(zip(found, spread([place[1] for place in in_axes]))):
        axes.annotate(curve_label(sweep, name, found[name]), xy=in_axes[k], xytext=(1.03, height),
                      xycoords="axes fraction", va="center", fontsize=8,
                      arrowprops={"arrowstyle": "-", "color": colours[k], "linewidth": 0.6, "relpos": (0, 0.5)})


def draw_references(axes, sweep, found, device):
    """The measured ceiling, and what the chapter reports; returns the words for it, which stand below."""
    across = axes.get_yaxis_transform()
    ceiling = 1000 * device["fma_tflops"]
    axes.axhline(ceiling, color="black", linewidth=1, linestyle="--")
    axes.text(0.01, ceiling * 1.06, f"measured FMA ceiling: {ceiling:,.0f} GFLOP/s", transform=across, fontsize=8)
    for rate in RATES_OF_2007:
        axes.axhline(rate, color=GREY, linewidth=0.8, linestyle=":")
    bodies, gain, note = GAIN_OF_2007
    single = dict(found.get(bodies, [])).get(1)
    if sweep.name != "threads" or not single:
        return NOTE_OF_2007
    axes.plot([1, 2], [single, gain * single], color=GREY, linewidth=1.2, linestyle="-.", marker="_")
    return NOTE_OF_2007 + note


def set_axes(axes, sweep, found, device):
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    ticks = sorted({x for points in found.values() for x, _ in points})
    mark_sizes(axes.xaxis, ticks)
    mark_sizes(axes.yaxis, LogLocator(subs=(1, 2, 5)))
    if ticks[-1] >= 10000:
        axes.tick_params(axis="x", labelrotation=30, labelsize=8)
    axes.set_xlabel(f"{sweep.axis} ({sweep.setting})")
    axes.set_ylabel("GFLOP/s")
    rates = [rate for points in found.values() for _, rate in points]
    axes.set_ylim(min(120, 0.7 * min(rates)), max(1500 * device["fma_tflops"], 1.5 * max(rates)))


def footnote(sweep, runs):
    """The error in words; it is with every point in the CSV."""
    errors = [run["error"] for run in runs if run["passed"] and "error" in run]
    if not errors:
        return ""
    medians = [error["median"] for error in errors]
    failed = sum(not run["passed"] for run in runs)
    return (f"Error against FP64, |a - a_FP64| / |a_FP64|: medians {min(medians):.1e} to {max(medians):.1e}, "
            f"largest {max(error['max'] for error in errors):.1e}; of every point in {sweep.name}.csv."
            + (f" Not drawn: {failed} that failed the check." if failed else ""))


def facts(runs):
    flop = " and ".join(sorted({str(run["flop_per_interaction"]) for run in runs if "flop_per_interaction" in run}))
    precisions = ", ".join(sorted({run["precision"].upper() for run in runs}))
    scenes = ", ".join(sorted({run["scene"] for run in runs}))
    return f"{precisions}, {flop} FLOP per interaction (GPU Gems 3), scene {scenes}"


def draw(sweep, document, stem):
    """Writes stem.svg and stem.png; returns their paths."""
    device, runs = document["device"], document["runs"]
    found = curves(sweep, runs)
    if not found:
        print("No plot: no point both has a speed and passed its check.")
        return []
    # Steps differ in hue; sizes, which have an order, run from light to dark blue-green.
    palette = ramp(len(found)) if sweep.option else STEP_COLOURS
    styles = [{"color": palette[k % len(palette)], "marker": MARKERS[k % len(MARKERS)]} for k in range(len(found))]
    figure, axes = pyplot.subplots(figsize=(8.6, 5.6))
    set_axes(axes, sweep, found, device)
    for style, points in zip(styles, found.values()):
        axes.plot(*zip(*points), markersize=4, linewidth=1.5, **style)
    notes = draw_references(axes, sweep, found, device), footnote(sweep, runs)
    head(figure, f"Figure {sweep.figure} again: {sweep.title}", stamp(document, facts(runs)),
         "\n".join(textwrap.fill(note, 140, break_on_hyphens=False) for note in notes), left=0.1, right=0.78, above=0.7, below=1.2)
    label_curves(axes, sweep, found, [style["color"] for style in styles])
    return save(figure, stem)
