"""Draws the roofline as SVG and PNG: rate against FLOP for each byte, a marker for each memory, under measured ceilings."""

from common.tools.plots.figure import MARKERS, STEP_COLOURS, head, panels, save, stamp

MEMORIES = {"shared": "shared memory", "l2": "L2 cache", "dram": "device memory"}


def draw(sweep, document, stem):
    device, points = document["device"], document["table"]
    figure, ((axes,),) = panels(1, (8.6, 5.4), "executed FLOP for each byte", "TFLOP/s")
    axes.set_xscale("log")
    axes.set_yscale("log")
    ceiling = device["fma_tflops"]
    across = [point[f"flop_per_byte_{memory}"] for point in points for memory in MEMORIES if f"flop_per_byte_{memory}" in point]
    rates = {run["memory"]: run["gb_per_s"] for run in document["runs"]}
    ridges = [1000 * ceiling / rate for rate in rates.values()]
    low, high = min(across + ridges) / 4, 4 * max(across + ridges)
    axes.axhline(ceiling, color="black", linewidth=1, linestyle="--")
    axes.text(low, 1.05 * ceiling, f"multiply-adds: {ceiling:.1f} TFLOP/s", fontsize=8)
    for (memory, name), style in zip(MEMORIES.items(), (":", "-.", "-")):
        ends = (low, 1000 * ceiling / rates[memory])
        axes.plot(ends, [end * rates[memory] * 1e-3 for end in ends], color="black", linewidth=0.9, linestyle=style,
                  label=f"{name}: {rates[memory]:,.0f} GB/s")
    for number, point in enumerate(points):
        colour = STEP_COLOURS[number % len(STEP_COLOURS)]
        for (memory, _), marker in zip(MEMORIES.items(), MARKERS):
            if f"flop_per_byte_{memory}" in point:
                axes.plot(point[f"flop_per_byte_{memory}"], point["tflops"], linestyle="", marker=marker, markersize=6,
                          color=colour, markerfacecolor=colour if number < len(STEP_COLOURS) else "white")
        axes.plot([], [], linestyle="", marker="s", color=colour, label=point["step"],
                  markerfacecolor=colour if number < len(STEP_COLOURS) else "white")
    axes.set_xlim(low, high)
    axes.set_ylim(min(point["tflops"] for point in points) / 4, 3 * ceiling)
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.01, 0.5))
    marks = ", ".join(f"{name} {'circle square diamond'.split()[k]}" for k, name in enumerate(MEMORIES.values()))
    head(figure, sweep.title, stamp(document, f"N = {points[0]['bodies']:,}"),
         f"A step's points are at one height, one for each memory ({marks}).\n"
         "Counts and times are of warm kernels, by ncu; a wavefront of shared memory counts as the 128 bytes that it could carry.",
         right=0.72, above=0.7, below=0.95)
    return save(figure, stem)
