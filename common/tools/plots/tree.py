"""Draws the sweep `tree` as SVG and PNG: figures 4 to 8 of the paper, without a GPU the first two."""

from common.tools.plots.figure import head, save, stamp
from common.tools.plots.tree_errors import draw_distributions, draw_errors
from common.tools.plots.tree_speeds import draw_rates, draw_time_by_size, draw_time_by_theta
from common.tools.sweeps.tree_numbers import rows
from common.tools.sweeps.tree_summary import sizes_with_angles


def facts(runs):
    run = next(run for run in runs if "walk" in run["parameters"])
    sampled = sorted({run["error"]["sampled"] for run in runs if run.get("error")})
    counts = " to ".join(f"{count:,}" for count in dict.fromkeys((sampled[0], sampled[-1])))
    return (f"{run['precision'].upper()}, scene {run['scene']}, softening {run['softening']:g}, "
            f"{run['parameters']['multipole']}s, groups of {run['parameters']['group']}, {counts} bodies against FP64")


def draw(sweep, document, stem):
    """Writes stem-figure-N.svg and .png; returns their paths."""
    table = rows(document)
    if not sizes_with_angles([row for row in table if row["passed"]]):
        print("No plot: no point passed its check.")
        return []
    drawings = {4: draw_distributions(document["runs"], sizes_with_angles(table)), 5: draw_errors(table)}
    if document["device"]["kind"] == "gpu":
        drawings.update({6: draw_time_by_theta(table), 7: draw_time_by_size(table), 8: draw_rates(table)})
    else:
        print("No figures 6 to 8: times on the CPU executor say nothing about a GPU.")
    files = []
    for number, (figure, title, note, below) in drawings.items():
        head(figure, f"Figure {number} again: {title}", stamp(document, facts(document["runs"])), note, below=below,
             small=7.5, wspace=0.36, hspace=0.25)
        files += save(figure, stem.with_name(f"{stem.name}-figure-{number}"))
    return files
