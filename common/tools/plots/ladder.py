"""Draws the ladder: how many times as fast as step 01 each step is, a panel for each act; and rate by step, a line for each N, next
to NVIDIA's own sample and the measured ceiling."""

import textwrap

from matplotlib import pyplot
from common.tools.ladder.acts import ACTS, Acts, times
from common.tools.ladder.pages import step_title
from common.tools.plots.figure import GREY, MARKERS, curve, finished, ramp, stamp

# Colours of the page, the text, the bars and the largest bar. The acts are drawn for pages in light and in dark colours.
LIGHT = {"page": "#ffffff", "text": "#1f2328", "faint": "#59636e", "bar": "#7fb2d9", "best": "#d55e00"}
DARK = {"page": "#0d1117", "text": "#e6edf3", "faint": "#9aa5b1", "bar": "#3f7fb3", "best": "#f0883e"}


def draw(recorded, stem):
    """Writes stem.svg, stem-acts.svg and stem-acts-dark.svg. Returns their paths."""
    acts = [stem.with_name(f"{stem.name}-acts{ending}.svg") for ending in ("", "-dark")]
    for file, colours in zip(acts, (LIGHT, DARK)):
        draw_acts(recorded, file, colours)
    return draw_rates(recorded, stem) + acts


def draw_acts(recorded, file, colours):
    """Draws a bar for each step in each act. The letters are large, because a phone shows the figure at three fifths of its size."""
    acts = Acts(recorded.runs)
    figure, panels = pyplot.subplots(len(ACTS), figsize=(6.2, 9.4), facecolor=colours["page"])
    figure.subplots_adjust(left=0.37, right=0.99, top=0.95, bottom=0.05, hspace=0.2)
    for number, (axes, (bodies, name)) in enumerate(zip(panels, ACTS.items()), 1):
        steps = {step: program for step, program in acts.fastest(bodies).items() if acts.factor(program, bodies)}
        factors = [acts.factor(program, bodies) for program in steps.values()]
        for place, (program, factor) in enumerate(zip(steps.values(), factors)):
            is_best = factor == max(factors)
            axes.barh(place, factor - 1, left=1, color=colours["best" if is_best else "bar"], height=0.72)
            axes.text(max(factor, 1) * 1.08, place, f"{times(factor)} \N{MULTIPLICATION SIGN}", va="center", fontsize=14, color=colours["text"],
                      weight="bold" if is_best else "normal")
        axes.axvline(1, color=colours["faint"], linewidth=1)
        axes.set_facecolor(colours["page"])
        axes.set_xscale("log")
        axes.set_xlim(0.8 * min([0.6, *factors]), 6 * max([1, *factors]))
        axes.set_xticks([])
        axes.minorticks_off()
        axes.set_yticks(range(len(steps)), [textwrap.fill(step_title(step), 18) for step in steps], linespacing=0.9)
        axes.tick_params(labelsize=14, labelcolor=colours["text"], length=0)
        axes.grid(visible=False)
        axes.spines[:].set_visible(False)
        axes.invert_yaxis()
        figure.text(0.012, axes.get_position().y1 + 0.012, f"Act {'I' * number}. {name}: {bodies:,} bodies", fontsize=15, weight="bold",
                    color=colours["text"])
    figure.text(0.012, 0.012, f"Times as fast as step 01 (logarithmic). {recorded.device['name']}", fontsize=14, color=colours["faint"], va="bottom",
                wrap=True)
    figure.savefig(file, metadata={"Date": None, "Description": recorded.chart_text()})
    pyplot.close(figure)


def draw_rates(recorded, stem):
    rates = recorded.rates()
    names = list(dict.fromkeys(rate.row for rate in rates))
    sizes = sorted({rate.bodies for rate in rates})
    figure, axes = pyplot.subplots(figsize=(8.2, 4.9))
    for k, (bodies, colour) in enumerate(zip(sizes, ramp(len(sizes)))):
        # Steps are joined, the sample is not; executed operations are dotted. Markers get smaller, so that all can be seen.
        style = {"color": colour, "marker": MARKERS[k % len(MARKERS)], "markersize": max(4, 8 - 1.5 * k)}
        here = [rate for rate in rates if rate.bodies == bodies]
        steps, others = ([rate for rate in here if rate.row[:1].isdigit() == is_step] for is_step in (True, False))
        curve(axes, [(names.index(rate.row), rate.gflops / 1000) for rate in steps], label=f"N = {bodies:,}", **style)
        curve(axes, [(names.index(rate.row), rate.gflops / 1000) for rate in others], linestyle="none", **style)
        curve(axes, [(names.index(rate.row), rate.executed / 1000) for rate in steps if rate.executed],
              linestyle=":", markerfacecolor="white", **style)
    ceiling = recorded.device["fma_tflops"]
    axes.axhline(ceiling, color="black", linewidth=1, linestyle="--")
    axes.text(0.01, ceiling + 0.9, f"measured FMA ceiling: {ceiling:.1f} TFLOP/s", transform=axes.get_yaxis_transform())
    for label, line, face in (("20 FLOP credited per interaction", "-", GREY), ("executed, where counted", ":", "white")):
        axes.plot([], [], color=GREY, linestyle=line, marker="o", markerfacecolor=face, label=label)
    axes.legend(loc="upper left")
    # 01_naive becomes 01, with naive below it.
    parts = [name.split("_", 1) for name in names]
    axes.set_xticks(range(len(names)), ["\n".join([first, *textwrap.wrap(rest[0].replace("_", " "), 11)] if rest
                                                  else textwrap.wrap(first, 9)) for first, *rest in parts])
    axes.set(ylabel="TFLOP/s", ylim=(0, None))
    return finished(
        figure, stem, "Rate by step",
        stamp({"device": recorded.device, "suite": recorded.suite}, "FP32, evaluations of all forces, medians"),
        "20 FLOP per interaction, as in GPU Gems 3. Steps 05 and 09_tuned compute each pair once, credited with two interactions.\n"
        "Executed: what the instructions of the innermost loop do."
        + (" NVIDIA's sample: whole steps, built with -ftz=true." if recorded.sample() else ""),
        above=0.7, below=1.3, metadata={"Description": recorded.chart_text()})
