"""Draws all sweeps except those of trees. A function draws one sweep, from its row of the table of sweeps, its JSON and the
start of its files' names. It returns the files, or none if no point can be drawn.
"""

import textwrap

from matplotlib import pyplot
from matplotlib.ticker import LogLocator
from common.tools.plots.figure import (
    GREY, MARKERS, SMALL, STEP_COLOURS, curve, facts, finished, look, panel, panels, ramp, stamp)
from common.tools.programs import grouped

# Figures of the chapter.
LABEL_GAP = 0.045  # relative to the axis' height: smallest distance of two labels of curves
RATES_OF_2007 = (163, 38 * 16384**2 * 20 / 1e9)  # GFLOP/s; see NOTE_OF_2007
NOTE_OF_2007 = ("Dotted: the chapter's GeForce 8800 GTX at N = 16,384, 163 GFLOP/s with the first version, over 200 GFLOP/s with "
                "38 steps per second.")
GAIN_OF_2007 = (1024, 1.44, " Dash-dotted: its +44% for two threads at N = 1,024.")

# Step 05's studies.
MAPS = {
    "lambda": "lambda, exact",
    "lambda-x": "lambda-X: sqrtf",
    "lambda-n": "lambda-N: Newton-Raphson",
    "lambda-r": "lambda-R: reciprocal root",
    "rectangle": "RB: rectangle",
    "recursive": "REC in one launch",
    "recursive-levels": "REC, a launch for each level",
    "utm": "UTM in FP32",
    "utm-exact": "UTM, exact",
    "tetrahedron": "tetrahedral map, exact",
    "tetrahedron-fp32": "cubic root in FP32",
    "tetrahedron-fp64": "cubic root in FP64",
}
# Figures of each study: ending of the files' names, title, {test: (name of its panel, the paper's results on GTX 765M, GTX 680
# and Tesla K40, up to)}, maps, rows and columns, inches.
STUDIES = {
    "maps": [
        ("-figure-3", "Figure 3 again: the square roots of lambda", {
            "dummy": ("dummy kernel: all write to one place", ""),
            "index": ("the map alone: nothing is written", "")},
         ("lambda", "lambda-x", "lambda-n", "lambda-r"), (1, 2), (9.5, 4.2)),
        ("-figure-5", "Figure 5 again: maps of the triangle", {
            "dummy": ("dummy kernel", "paper, at most: RB 1.33, lambda 1.18;\nREC and UTM below 1"),
            "edm": ("Euclidean distance matrix, 4 features", "paper, at most: RB 1.28, lambda 1.18, REC 1.12"),
            "collision1d": ("collisions in 1D", "paper: lambda about 1"),
            "collision3d": ("collisions in 3D", "paper, at most: lambda 1.07;\nRB and REC below 1")},
         ("lambda", "rectangle", "recursive", "recursive-levels", "utm", "utm-exact", "lambda-x"), (2, 2), (9.5, 7))],
    "triplets": [("", "Triplets by maps of the tetrahedron", {"triplets": ("Axilrod-Teller energy", "the map's bound: 6")},
                  ("tetrahedron", "tetrahedron-fp32", "tetrahedron-fp64"), (1, 1), (8.2, 4.6))],
}

LOOPS = (  # texts in a loop's name, whose first match counts, and their names in the figure of `issue`
    ("roots", "with dependent roots"),
    ("loads", "with loads from shared memory"),
    ("x*y+sum and", "additions, and multiply-adds of three registers"),
    ("x*y+sum", "multiply-adds of three registers"),
    ("step 03", "step 03's inner loop"),
    ("a product", "the same, a product for each root"),
    ("additions", "the same, additions for the pull's multiply-adds"),
    ("K = ", "other changes of it"),
    ("", "one or two registers, or products"),
)
PALE = "#b8bec4"  # curves of other steps than the one that stands out
SUMS = ("plain", "compensated")
POSITIONS = {"fp32": "FP32", "pairs": "pairs of FP32", "fixed": "fixed point", "fp64": "FP64, all arithmetic too"}
MEMORIES = {"shared": ("shared memory", ":", "circle"), "l2": ("L2 cache", "-.", "square"),
            "dram": ("device memory", "-", "diamond")}


def label_ends(axes, found, styles, varied):
    """Puts names next to the curves' ends, so that readers need not match a legend by colour: the step, or N and its fastest
    point, because a gain is hard to read on a logarithmic axis.
    """
    ends = {name: axes.transAxes.inverted().transform(axes.transData.transform(points[-1])) for name, points in found.items()}
    heights, last = {}, 1 + LABEL_GAP
    for name in sorted(ends, key=lambda name: ends[name][1], reverse=True):
        # Moves a label down just enough to keep labels apart. Down, because curves crowd below the ceiling.
        last = heights[name] = min(ends[name][1], last - LABEL_GAP)
    for (name, points), style in zip(found.items(), styles):
        x, best = max(points, key=lambda point: point[1])
        label = f"N = {name:,}" + (f", {best / points[0][1]:.2f}× at {x}" if len(points) > 1 else "") if varied else name
        axes.annotate(label, xy=ends[name], xytext=(1.03, heights[name]), xycoords="axes fraction", va="center", fontsize=SMALL,
                      weight="bold" if style["linewidth"] > 2 else "normal",
                      arrowprops={"arrowstyle": "-", "color": style["color"], "linewidth": 0.6, "relpos": (0, 0.5)})


def chapter(sweep, document, stem):
    """Draws speeds against what varies. Of all steps, there is also a figure for the page of step 01, which stands out there."""
    return speeds(sweep, document, stem) + (speeds(sweep, document, stem.with_name(f"{stem.name}-01"), "01_naive")
                                            if sweep.name == "bodies" else [])


def speeds(sweep, document, stem, highlighted=None):
    """Draws speeds, with the measured ceiling and the chapter's own speeds of 2007 in grey. highlighted: the step that stands out"""
    device, runs, varied = document["device"], document["runs"], sweep.varied
    drawn = grouped([run for run in runs if run["passed"] and "gflops" in run], varied.series)
    if not drawn:
        return []
    found = {name: sorted((varied.x(run), run["gflops"]) for run in drawn[name]) for name in sorted(drawn)}
    # Steps differ in hue. Sizes, which have an order, go from light to dark blue-green.
    styles = [look(k, ramp(len(found)) if varied.option else STEP_COLOURS, linewidth=1.5) for k in range(len(found))]
    for name, style in zip(found, styles if highlighted else ()):
        style.update({"linewidth": 3, "zorder": 3} if name == highlighted else {"color": PALE})
    ticks, rates = ({point[k] for points in found.values() for point in points} for k in (0, 1))
    ceiling = 1000 * device["fma_tflops"]
    figure, axes = pyplot.subplots(figsize=(8.2, 5.6))
    axes.set_xscale("log", base=2)
    panel(axes, zip(found.values(), styles), ticks, LogLocator(subs=(1, 2, 5)), is_slanted=max(ticks) >= 10000,
          yscale="log", xlabel=f"{varied.axis} ({varied.setting})", ylabel="GFLOP/s",
          ylim=(min(120, 0.7 * min(rates)), max(1.5 * ceiling, 1.5 * max(rates))))
    axes.axhline(ceiling, color="black", linewidth=1, linestyle="--")
    axes.text(0.01, ceiling * 1.06, f"measured FMA ceiling: {ceiling:,.0f} GFLOP/s", transform=axes.get_yaxis_transform(),
              fontsize=SMALL)
    for rate in RATES_OF_2007:
        axes.axhline(rate, color=GREY, linewidth=0.8, linestyle=":")
    note, (bodies, gain, more) = NOTE_OF_2007, GAIN_OF_2007
    if sweep.name == "threads" and (single := dict(found.get(bodies, [])).get(1)):
        axes.plot([1, 2], [single, gain * single], color=GREY, linewidth=1.2, linestyle="-.", marker="_")
        note += more
    label_ends(axes, found, styles, varied.option)
    errors = [run["error"] for run in runs if run["passed"] and "error" in run]
    medians, failed = [error["median"] for error in errors], sum(not run["passed"] for run in runs)
    in_words = errors and ("Error against FP64, |a - a_FP64| / |a_FP64|: "
                           f"medians {min(medians):.1e} to {max(medians):.1e}, largest {max(error['max'] for error in errors):.1e}; "
                           f"of every point in {sweep.name}.csv."
                           + (f" Not drawn: {failed} that failed the check." if failed else ""))
    flop = " and ".join(sorted({str(run["flop_per_interaction"]) for run in runs if "flop_per_interaction" in run}))
    precisions = ", ".join(sorted({run["precision"].upper() for run in runs}))
    scenes = ", ".join(sorted({run["scene"] for run in runs}))
    return finished(figure, stem, sweep.title,
                    stamp(document, f"{precisions}, {flop} FLOP per interaction, scene {scenes}, as figure {varied.figure} of GPU Gems 3"),
                    "\n".join(textwrap.fill(text, 140, break_on_hyphens=False) for text in (note, in_words or "")),
                    left=0.1, right=0.78, above=0.7, below=1.2)


def study_panel(axes, found, title, note):
    """Draws curves of one test. Points beyond the map's range are hollow."""
    axes.axhline(1, color="black", linewidth=1)
    axes.set_xscale("log", base=2)
    curves = []
    for k, (name, points) in enumerate(found.items()):
        curves += [([point[:2] for point in points], look(k, label=MAPS[name])),
                   ([point[:2] for point in points if not point[2]],
                    look(k, linestyle="none", markerfacecolor="white", zorder=3))]
    sizes, gains = ([point[k] for points in found.values() for point in points] for k in (0, 1))
    panel(axes, curves, {*sizes}, title=title, is_slanted=True, ylim=(min(0.5, 0.95 * min(gains)), 1.15 * max(1.5, *gains)))
    if note:
        axes.text(0.99, 0.98, note, transform=axes.transAxes, ha="right", va="top", fontsize=SMALL, color=GREY)


def studies(sweep, document, stem):
    """Draws improvement factors over the bounding box. Writes no figure if one of its panels has no point."""
    runs, files = document["runs"], []
    sizes = [run["bodies"] for run in runs]
    parameters = sorted({f"{name} {value}" for run in runs for name, value in run["parameters"].items()})
    for ending, title, tests, maps, (rows, columns), size in STUDIES[sweep.name]:
        found = []  # for each test {map: [(n, improvement, whether the map is exact there), ...]}
        for test in tests:
            passed = [run for run in runs if run.get("test", "triplets") == test and run["passed"] and "improvement" in run]
            of_map = grouped(passed, lambda run: run["map"])
            found.append({name: sorted((run["bodies"], run["improvement"], run["exact"]) for run in of_map[name])
                          for name in maps if name in of_map})
        if not all(found):
            continue
        figure, grid = panels(columns, size, "bodies N", *["improvement factor I"] * rows)
        for axes, *of_test in zip(grid.flat, found, tests.values()):
            study_panel(axes, of_test[0], *of_test[1])
        shown = {label: line for axes in grid.flat for line, label in zip(*axes.get_legend_handles_labels())}
        figure.legend(shown.values(), shown, loc="center left", bbox_to_anchor=(0.76, 0.5))
        files += finished(figure, stem.with_name(stem.name + ending), title,
                          stamp(document, f"FP32, N = {min(sizes):,} to {max(sizes):,}, {', '.join(parameters)}"),
                          "I: time of the bounding box (black line) over the map's, medians. Hollow: the map is beyond its range "
                          "there, its results are wrong.", right=0.75, above=0.85, hspace=0.45, wspace=0.2)
    return files


def energy(sweep, document, stem):
    """Draws a merger's energy."""
    runs = document["runs"]
    first, methods = runs[0], list(dict.fromkeys(run["method"] for run in runs))
    by_time_step = grouped(sorted(runs, key=lambda run: -run["time_step"]), lambda run: run["time_step"])
    figure, (row,) = panels(len(by_time_step), (9.5, 4.2), "steps", "|E - E at the start| / |E at the start|", sharey=True)
    for axes, (time_step, some) in zip(row, by_time_step.items()):
        panel(axes, [(sorted((run["steps"], run["energy_drift"]) for run in some if run["method"] == method),
                      look(k, markersize=5, label=method)) for k, method in enumerate(methods)],
              {run["steps"] for run in runs}, title=f"time step {time_step:g}", yscale="log")
    row[0].legend()
    theta = next((run["parameters"]["theta"] for run in runs if "theta" in run["parameters"]), None)
    return finished(figure, stem, sweep.title, stamp(document, facts(first, f"N = {first['bodies']:,}"), f"theta {theta:g}"),
                    f"From time {first['input']['time']:g} on, when the galaxies are about to pass each other. Every "
                    "method from the same bodies; energies in FP64.", left=0.09, above=0.85, below=0.85, wspace=0.25)


def issue(sweep, document, stem):
    """Draws measured issue rates against those of the register-file model."""
    figure, ((axes,),) = panels(1, (7, 5), "instructions a cycle by the model", "instructions a cycle, measured")
    found = grouped(document["runs"], lambda run: next(name for words, name in LOOPS if words in run["what"]))
    panel(axes, [([(0.5, 0.5), (1, 1)], {"color": GREY, "linewidth": 0.8}),
                 *(([(run["predicted_issue_rate"], run["issue_rate"]) for run in found.get(name, [])],
                    {"linestyle": "", "marker": marker, "markersize": 4, "color": colour, "label": name})
                   for (_, name), marker, colour in zip(LOOPS, MARKERS + "x", [*STEP_COLOURS, GREY]))], legend={})
    return finished(figure, stem, sweep.title, stamp(document, "four warps on each scheduler"),
                    "Each point is a loop; on the line, the model is right.")


def mixed(sweep, document, stem):
    """Draws errors against times. A line joins the median and the largest error of each kind."""
    timed = grouped([run for run in document["runs"] if run["passed"] and "force_ms" in run], lambda run: run["bodies"])
    if not timed:
        return []
    figure, (row,) = panels(len(timed), (4.4 * len(timed) + 0.8, 4.4), "ms of an evaluation", "error", sharey=True)
    for axes, bodies in zip(row, sorted(timed)):
        curves = []
        for run in timed[bodies]:
            given, ms, error = run["parameters"], run["force_ms"]["median"], run["error"]
            curves.append(([(ms, error["median"]), (ms, error["max"])], {
                "color": STEP_COLOURS[[*POSITIONS].index(given["positions"])], "linewidth": 1,
                "marker": MARKERS[SUMS.index(given["sums"])], "markersize": 5,
                "label": f"{POSITIONS[given['positions']]}, {given['sums']} sums"}))
        panel(axes, curves, yscale="log", title=f"N = {bodies:,}")
        axes.set_xlim(0)
    figure.legend(*row[0].get_legend_handles_labels(), loc="center right")
    return finished(figure, stem, sweep.title, stamp(document, f"scene {document['runs'][0]['scene']}"),
                    "Each kind has the median error of a force and, joined to it, the largest: |a - a_FP64| / |a_FP64|.",
                    right=0.74)


def fp64(sweep, document, stem):
    """Draws how much longer every step takes."""
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
    return finished(figure, stem, sweep.title, stamp(document, "evaluations of all forces, medians"),
                    "Steps by number. FP64 takes its root in software: a first guess, and multiplications that refine it.")


def roofline(sweep, document, stem):
    """Draws rate against FLOP per byte, with a marker for each memory, under measured ceilings."""
    points, ceiling = document["table"], document["device"]["fma_tflops"]
    figure, ((axes,),) = panels(1, (8.2, 5.4), "executed FLOP for each byte", "TFLOP/s")
    rates = {run["memory"]: run["gb_per_s"] for run in document["runs"]}
    ridges = [1000 * ceiling / rate for rate in rates.values()]
    across = [point[f"flop_per_byte_{memory}"] for point in points for memory in MEMORIES if f"flop_per_byte_{memory}" in point]
    low, high = min(across + ridges) / 4, 4 * max(across + ridges)
    axes.axhline(ceiling, color="black", linewidth=1, linestyle="--")
    axes.text(low, 1.05 * ceiling, f"multiply-adds: {ceiling:.1f} TFLOP/s", fontsize=SMALL)
    for memory, (name, line, _) in MEMORIES.items():
        curve(axes, [(end, end * rates[memory] * 1e-3) for end in (low, 1000 * ceiling / rates[memory])],
              color="black", linewidth=0.9, linestyle=line, label=f"{name}: {rates[memory]:,.0f} GB/s")
    for k, point in enumerate(points):
        colour = STEP_COLOURS[k % len(STEP_COLOURS)]
        style = {"linestyle": "", "color": colour, "markerfacecolor": colour if k < len(STEP_COLOURS) else "white"}
        for memory, marker in zip(MEMORIES, MARKERS):
            if rate := point.get(f"flop_per_byte_{memory}"):
                curve(axes, [(rate, point["tflops"])], marker=marker, markersize=6, **style)
        axes.plot([], [], marker="s", label=point["step"], **style)
    panel(axes, [], xscale="log", yscale="log", xlim=(low, high),
          ylim=(min(point["tflops"] for point in points) / 4, 3 * ceiling),
          legend={"loc": "center left", "bbox_to_anchor": (1.01, 0.5)})
    marks = ", ".join(f"{name} {word}" for name, _, word in MEMORIES.values())
    return finished(
        figure, stem, sweep.title, stamp(document, f"N = {points[0]['bodies']:,}"),
        f"A step's points are at one height, one for each memory ({marks}).\n"
        "Counts and times are of warm kernels, by ncu; a wavefront of shared memory counts as the 128 bytes that it could carry.",
        right=0.62, above=0.7)


def with_model(rows, x, y, **style):
    """Draws a curve, and next to it the prediction of the model of ranks."""
    rows = sorted(rows, key=lambda row: row[x])
    scale = {"speedup": 1, "efficiency": rows[0]["ranks"]}[y]
    return [([(row[x], row[y]) for row in rows], style),
            ([(row[x], row["predicted_speedup"] / scale) for row in rows if row["predicted_speedup"]],
             {**style, "linestyle": ":", "markerfacecolor": "none", "label": None})]


def ranks_curves(rows, by, x, y, label, **style):
    """Draws with_model() for each number of bodies or ranks."""
    several = grouped(rows, lambda row: row[by])
    return [drawn for k, (value, some) in enumerate(several.items())
            for drawn in with_model(some, x, y, **{**look(k, ramp(len(several)), label=label.format(value)), **style})]


def ranks(sweep, document, stem):
    """Draws speed-up against ranks and efficiency against N, measured and predicted; none if no point ran on several ranks."""
    rows = document.get("table", [])
    if not rows:
        return []
    numbers = [1, *sorted({row["ranks"] for row in rows})]
    of_exchange = grouped(rows, lambda row: row["exchange"])
    figure, grid = panels(2, (8.2, 2.8 * len(of_exchange) + 1.4), "", *[""] * len(of_exchange), sharey="col")
    for (left, right), (exchange, some) in zip(grid, of_exchange.items()):
        # In older records one rank had 2^18 bodies, and no row says so.
        strong, weak = ([{"bodies_alone": 2**18, **row} for row in some if row["scaling"] == scaling] for scaling in ("strong", "weak"))
        panel(left, [([(number, number) for number in numbers], {"color": GREY, "linestyle": "--"}),
                     *ranks_curves(strong, "bodies", "ranks", "speedup", "N = {:,}"),
                     *ranks_curves(weak, "bodies_alone", "ranks", "speedup", "weak, from {:,}", marker="*")],
              numbers, legend={"loc": "upper left"}, xlabel="ranks P", ylabel="speed-up of the forces",
              title="step 11" if exchange == "tree" else f"step 08, --exchange {exchange}")
        panel(right, ranks_curves(strong, "ranks", "bodies", "efficiency", "{} ranks"), {row["bodies"] for row in strong},
              legend={"loc": "lower right"}, is_slanted=True, xscale="log", xlabel="bodies N", ylim=(0, 1.05),
              ylabel="efficiency, strong")
        right.axhline(1, color=GREY, linestyle="--", linewidth=1)
    link, ring_link = document["link"], document["ring_link"]
    return finished(
        figure, stem, sweep.title, stamp(document, f"{max(numbers)} GPUs", f"scene {document['runs'][0]['scene']}"),
        f"Medians. Dotted, open: predicted from one rank's times and messages of {link['latency_us']:.1f} us and "
        f"{link['gb_per_s']:.0f} GB/s, of ring {ring_link['gb_per_s']:.0f}.\nWeak: N grows as the root of P, with tree as P. "
        "Dashed: ideal.", above=0.8, below=1.25, hspace=0.55, wspace=0.25)
