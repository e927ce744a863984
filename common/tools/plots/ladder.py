"""Draws the ladder as SVG and PNG: time by step as bars, and rate by step, a line for each N, next to NVIDIA's own sample and
the measured ceiling."""

import textwrap

from matplotlib import pyplot
from common.tools.ladder.pages import fastest, front_bodies
from common.tools.ladder.table import three_digits
from common.tools.plots.figure import GREY, MARKERS, STEP_COLOURS, curve, finished, ramp, stamp


def draw(recorded, stem):
    """Writes stem.svg and stem.png, and stem-times.svg and .png. Returns their paths."""
    return draw_rates(recorded, stem) + draw_times(recorded, stem.with_name(f"{stem.name}-times"))


def draw_times(recorded, stem):
    """Draws a bar for each step. The host's part of a step that needs the host is paler."""
    runs = fastest(recorded)
    figure, axes = pyplot.subplots(figsize=(8.6, 3.9))
    for place, (step, run) in enumerate(runs.items()):
        ms, parts = run["force_ms"]["median"], run.get("parts_ms", {})
        on_host = parts.get("build", 0) + parts.get("upload", 0)
        gpu = min(ms, sum(parts.values()) - on_host) if on_host else ms
        axes.barh(place, gpu, color=STEP_COLOURS[0])
        axes.barh(place, ms - gpu, left=gpu, color=STEP_COLOURS[5], alpha=0.5)
        note = f"{three_digits(ms)} ms" + (f": {three_digits(gpu)} ms on the GPU; the CPU builds the tree" if on_host else "")
        inside = gpu > 25
        axes.text(0.3 if inside else gpu, place, note if inside else f" {note}", va="center", color="white" if inside else "black")
    axes.set_yticks(range(len(runs)), [step.replace("_", " ") for step in runs])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set(xlabel="ms for all forces once")
    return finished(figure, stem, f"How long does a step need for {front_bodies(recorded):,} bodies?",
                    stamp({"device": recorded.device, "suite": recorded.suite}, "FP32, one evaluation of all forces, medians"),
                    "", left=0.24, above=0.7, below=0.55, metadata={"Description": recorded.chart_text()})


def draw_rates(recorded, stem):
    rates = recorded.rates()
    names = list(dict.fromkeys(rate.row for rate in rates))
    sizes = sorted({rate.bodies for rate in rates})
    figure, axes = pyplot.subplots(figsize=(8.6, 4.9))
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
    axes.legend(loc="upper left", fontsize=9)
    # 01_naive becomes 01, with naive below it.
    parts = [name.split("_", 1) for name in names]
    axes.set_xticks(range(len(names)), ["\n".join([first, *textwrap.wrap(rest[0].replace("_", " "), 11)] if rest
                                                  else textwrap.wrap(first, 9)) for first, *rest in parts])
    axes.set(ylabel="TFLOP/s", ylim=(0, None))
    return finished(
        figure, stem, "Rate by step",
        stamp({"device": recorded.device, "suite": recorded.suite}, "FP32, evaluations of all forces, medians"),
        "20 FLOP per interaction, as in GPU Gems 3. Steps 05 and 09_tuned compute each pair once, credited with two interactions.\n"
        "Executed: what the instructions of the innermost loop do. NVIDIA's sample: whole steps, built with -ftz=true.",
        above=0.7, below=1.3, metadata={"Description": recorded.chart_text()})
