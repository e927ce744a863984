"""Draws the sweep `ranks`: speed-up against ranks and efficiency against N, measured and predicted."""

from common.tools.plots.figure import GREY, MARKERS, STEP_COLOURS, curve, head, mark_sizes, panels, ramp, save, stamp


def grouped(rows, name):
    """{value: rows}, in the order of the points."""
    found = {}
    for row in rows:
        found.setdefault(row[name], []).append(row)
    return found


def draw_measured(axes, rows, x, figure, colour, marker, label):
    """One curve, and beside it what the model says."""
    rows = sorted(rows, key=lambda row: row[x])
    curve(axes, [(row[x], row[figure]) for row in rows], color=colour, marker=marker, markersize=4, label=label)
    scale = {"speedup": 1, "efficiency": rows[0]["ranks"]}[figure]
    curve(axes, [(row[x], row["predicted_speedup"] / scale) for row in rows if row["predicted_speedup"]], color=colour,
          linestyle=":", marker=marker, markersize=4, markerfacecolor="none")


def draw_speedups(axes, rows, ranks):
    curve(axes, [(number, number) for number in ranks], color=GREY, linestyle="--")
    strong = grouped([row for row in rows if row["scaling"] == "strong"], "bodies")
    for (bodies, some), colour, marker in zip(strong.items(), ramp(len(strong)), MARKERS):
        draw_measured(axes, some, "ranks", "speedup", colour, marker, f"N = {bodies:,}")
    if weak := [row for row in rows if row["scaling"] == "weak"]:
        draw_measured(axes, weak, "ranks", "speedup", STEP_COLOURS[1], "*", "weak")
    axes.set_xlabel("ranks P")
    mark_sizes(axes.xaxis, ranks)


def draw_efficiencies(axes, rows):
    several = grouped([row for row in rows if row["scaling"] == "strong"], "ranks")
    for (number, some), colour, marker in zip(several.items(), ramp(len(several)), MARKERS):
        draw_measured(axes, some, "bodies", "efficiency", colour, marker, f"{number} ranks")
    axes.set(xscale="log", xlabel="bodies N", ylim=(0, 1.05))
    axes.axhline(1, color=GREY, linestyle="--", linewidth=1)
    mark_sizes(axes.xaxis, sorted({row["bodies"] for row in rows if row["scaling"] == "strong"}))
    axes.tick_params(axis="x", labelrotation=30, labelsize=7)


def draw(sweep, document, stem):
    """Writes stem.svg and stem.png; returns their paths. Nothing where no point ran on several ranks."""
    rows = document.get("table", [])
    if not rows:
        print("No plot: no point on several ranks was measured.")
        return []
    rungs = grouped(rows, "exchange")
    ranks = [1, *sorted({row["ranks"] for row in rows})]
    figure, grid = panels(2, (8.6, 2.4 * len(rungs) + 1.4), "", *[""] * len(rungs), sharey="col")
    for (left, right), (exchange, some) in zip(grid, rungs.items()):
        left.set(title=f"--exchange {exchange}", ylabel="speed-up of the forces")
        right.set_ylabel("efficiency, strong")
        draw_speedups(left, some, ranks)
        draw_efficiencies(right, some)
        left.legend(fontsize=7, loc="upper left")
        right.legend(fontsize=7, loc="lower right")
    link, ring_link = document["link"], document["ring_link"]
    weak = [row["bodies"] for row in rows if row["scaling"] == "weak"]
    head(figure, sweep.title, stamp(document, f"{max(ranks)} GPUs", f"scene {document['runs'][0]['scene']}"),
         f"Medians. Dotted, open: predicted from one rank's times and messages of {link['latency_us']:.1f} us and "
         f"{link['gb_per_s']:.0f} GB/s, of ring {ring_link['gb_per_s']:.0f}.\nWeak: N grows as the root of P, to {max(weak):,}. Dashed: ideal.",
         above=0.8, below=1.0, hspace=0.55, wspace=0.25)
    return save(figure, stem)
