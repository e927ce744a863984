"""Draws how much longer every step takes in FP64 as SVG and PNG."""

from common.tools.plots.figure import head, panels, ramp, save, stamp


def draw(sweep, document, stem):
    rows = document["table"]
    sizes = sorted({row["bodies"] for row in rows})
    steps = list(dict.fromkeys(row["step"] for row in rows))
    figure, ((axes,),) = panels(1, (8, 4.2), "", "time in FP64 / time in FP32")
    width = 0.8 / len(sizes)
    for k, (bodies, colour) in enumerate(zip(sizes, ramp(len(sizes)))):
        found = {row["step"]: row["slowdown"] for row in rows if row["bodies"] == bodies}
        axes.bar([steps.index(step) + (k - (len(sizes) - 1) / 2) * width for step in found], found.values(), width,
                 color=colour, label=f"N = {bodies:,}")
    axes.set_xticks(range(len(steps)), [step.split("_")[0] + ("\ntuned" if "tuned" in step else "") for step in steps])
    axes.axhline(1, color="black", linewidth=0.8)
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=len(sizes))
    head(figure, sweep.title, stamp(document, "evaluations of all forces, medians"),
         "Steps by number. FP64 takes its root in software: a first guess, and multiplications that refine it.")
    return save(figure, stem)
