"""Draws the study of opening rules as SVG and PNG: time against error, and what the errors do to what is conserved."""

from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from common.tools.plots.figure import GREY, MARKERS, STEP_COLOURS, curve, head, mark_sizes, panels, save, stamp

# (rule, whether the root cube is shifted): its name
RULES = {
    ("distance", False): "distance",
    ("felt", False): "felt, no bound",
    ("sized", True): "felt, as in the step",
    ("twelfth", False): "felt, exponent 1/12",
    ("gadget", False): "GADGET's, as published",
    ("distance", True): "distance, root shifted",
    ("felt", True): "felt, no bound, root shifted",
}
TIMED = (("distance", False), ("felt", False), ("sized", True), ("twelfth", False), ("gadget", False))
HOLLOW = (("distance", True), ("felt", True))
COMPARED = (("distance", False), ("distance", True), ("felt", False), ("felt", True), ("sized", True))
DRIFTS = {"energy_drift": "|E - E at the start| / |E|", "momentum": "momentum / sum m |v|",
          "angular_momentum": "angular momentum /\nsum m |x| |v|"}
TIMES = (1, 2, 3, 4, 6, 8, 10)  # marks of the axes
ERRORS = (1e-4, 2e-4, 4e-4, 8e-4, 16e-4, 32e-4)
COLOURS = dict(zip(RULES, [*STEP_COLOURS[:5], *STEP_COLOURS[:2]]))


def rule_of(run):
    """(rule, whether shifted); of the rule for large cells what is chosen, no other size."""
    parameters = run["parameters"]
    chosen = parameters.get("large_cell", 0.25) == 0.25
    return parameters["opening"] if chosen else None, parameters["shifted"]


def style_of(rule):
    return {"color": COLOURS[rule], "marker": MARKERS[list(RULES).index(rule) % 5], "markersize": 4,
            "linestyle": "-", "markerfacecolor": "white" if rule in HOLLOW else COLOURS[rule]}


def key(rules):
    return [Line2D([], [], label=RULES[rule], **style_of(rule)) for rule in rules]


def times(runs, scene, rule):
    """(99th percentile of the error, ms) in order of theta."""
    chosen = [run for run in runs if run["scene"] == scene and rule_of(run) == rule]
    chosen.sort(key=lambda run: run["parameters"]["theta"])
    return [(run["error"]["p99"], run["force_ms"]["median"]) for run in chosen]


def draw_times(document, stem):
    timed = [run for run in document["runs"] if "force_ms" in run]
    scenes = list(dict.fromkeys(run["scene"] for run in timed))
    figure, grid = panels((len(scenes) + 2) // 2, (10.5, 6), "99th percentile of the error, 1e-4", "ms", "ms")
    for axes, scene in zip(grid.flat, scenes):
        for rule in TIMED:
            curve(axes, times(timed, scene, rule), **style_of(rule))
        axes.set(title=scene, xscale="log", yscale="log")
        mark_sizes(axes.yaxis, TIMES)
        axes.xaxis.set_major_locator(FixedLocator(ERRORS))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda error, _: f"{1e4 * error:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
    for axes in grid.flat[len(scenes):]:
        axes.axis("off")
    grid.flat[-1].legend(handles=key(TIMED), fontsize=8, loc="center")
    head(figure, "Time of the forces against their error, by opening rule",
         stamp(document, f"FP32, N = {timed[0]['bodies']:,}, leaves of fewer than {timed[0]['parameters']['leaf']} bodies"),
         f"Tree and walk, medians. A curve's points differ in theta; {timed[0]['error']['sampled']:,} bodies against FP64. "
         "The bodies are those at the start.", hspace=0.35, wspace=0.3)
    return save(figure, stem.with_name(stem.name + "-time"))


def spread(place, count):
    """Where count markers stand around a place."""
    return [place + 0.14 * (k - (count - 1) / 2) for k in range(count)]


def draw_drifts(document, stem):
    runs = [run for run in document["runs"] if run.get("energy_drift") and not run["own_time_step"]]
    scenes = list(dict.fromkeys(run["scene"] for run in runs))
    chosen = document["sweep"]["compared"]
    figure, grid = panels(1, (9.5, 8), "scene", *DRIFTS.values(), sharex=True)
    for axes, quantity in zip(grid[:, 0], DRIFTS):
        for place, scene in enumerate(scenes):
            here = [run for run in runs if run["scene"] == scene]
            direct = [run[quantity] for run in here if run["parameters"]["opening"] == "direct"]
            axes.plot([place - 0.4, place + 0.4], [max(direct)] * 2, color=GREY, linewidth=1, linestyle="--")
            for x, rule in zip(spread(place, len(COMPARED)), COMPARED):
                found = [run[quantity] for run in here
                         if rule_of(run) == rule and run["parameters"]["theta"] == chosen[rule[0]]]
                axes.plot([x] * len(found), found, **{**style_of(rule), "linestyle": "none"})
        axes.set_yscale("log")
    grid[-1][0].set_xticks(range(len(scenes)), scenes)
    grid[0][0].legend(handles=key(COMPARED), fontsize=7.5, loc="upper left", ncols=2)
    first = runs[0]
    angles = ", ".join(f"{rule} {theta:g}" for rule, theta in chosen.items() if rule != "sized")  # felt's
    head(figure, f"What {first['steps']:,} steps lose, by opening rule",
         stamp(document, f"FP32, N = {first['bodies']:,}, theta: {angles}"),
         "The largest of 8 checks for the energy, the last for momenta. Dashed: direct summation, which has what the time "
         "step and FP32 lose.\nMarkers of one kind: other seeds.", above=0.8, hspace=0.12)
    return save(figure, stem.with_name(stem.name + "-drift"))


def draw(study, document, stem):
    """Writes both figures; returns their paths."""
    return draw_times(document, stem) + draw_drifts(document, stem)
