"""Draws errors against times of step 03 with positions and sums of different precision, as SVG and PNG."""

from common.tools.plots.figure import MARKERS, STEP_COLOURS, head, panels, save, stamp

SUMS = ("plain", "compensated")
POSITIONS = {"fp32": "FP32", "pairs": "pairs of FP32", "fixed": "fixed point", "fp64": "FP64, all arithmetic too"}


def draw(sweep, document, stem):
    timed = [run for run in document["runs"] if run["passed"] and "force_ms" in run]
    if not timed:
        print("No plot: no run both has a time and passed its check.")
        return []
    sizes = sorted({run["bodies"] for run in timed})
    figure, (row,) = panels(len(sizes), (4.4 * len(sizes) + 0.8, 4.4), "ms of an evaluation", "error", sharey=True)
    for axes, bodies in zip(row, sizes):
        axes.set(yscale="log", title=f"N = {bodies:,}")
        for run in timed:
            if run["bodies"] != bodies:
                continue
            chosen = run["parameters"]
            colour = STEP_COLOURS[[*POSITIONS].index(chosen["positions"])]
            error = run["error"]
            axes.plot([run["force_ms"]["median"]] * 2, [error["median"], error["max"]], color=colour, linewidth=1,
                      marker=MARKERS[SUMS.index(chosen["sums"])], markersize=5,
                      label=f"{POSITIONS[chosen['positions']]}, {chosen['sums']} sums" if bodies == sizes[0] else None)
        axes.set_xlim(0)
    figure.legend(*row[0].get_legend_handles_labels(), fontsize=8, loc="center right")
    head(figure, sweep.title, stamp(document, f"scene {timed[0]['scene']}"),
         "Of each kind the median error of a force and, joined to it, the largest, |a - a_FP64| / |a_FP64|.", right=0.74)
    return save(figure, stem)
