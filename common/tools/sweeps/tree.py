"""The sweep `tree`: step 06 on the points of figures 4 to 8 of the paper on octgrav, and on a GPU also 07_tuned. From the runs
it computes rates and bytes, and for the figures fitted exponents and the crossover with direct summation.
"""

import collections
import math
import statistics
from pathlib import Path

from common.tools.programs import flags, grouped, step_program

NODE_FLOP, LEAF_FLOP = 70, 38  # the paper's counts for the pull of a cell and of a body
WALKS = ("lists", "fused")  # the paper's, and step 06's own
PROGRAMS = {"lists": "06_lists", "fused": "06_tree_walk"}  # program of each walk
DEVICE_TREE = "07_tuned"
LEAF = 64  # the paper's, for groups too
THETA = 0.5  # used if something else is varied
THETAS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
OTHER_LEAVES = (16, 32, 128)
# Bytes of: a node's eight links; a cell's centre and opening distance; a group's box; the lengths of its lists; an entry of a
# list; what 07_tuned must also know of a cell.
LINKS, CELL, BOX, LENGTHS, ENTRY, RADIUS = 32, 16, 32, 16, 4, 8
# Numbers of bodies that one kind of device can do. angles: also with other theta and leaf, the three of figures 4 and 6;
# others: more for figure 7; direct: with the direct sums and the host's tree (a million bodies take half a second on an H200).
Sizes = collections.namedtuple("Sizes", "angles others direct", defaults=((), ()))
GPU_SIZES = Sizes((10**4, 10**5, 10**6), (3 * 10**4, 3 * 10**5, 3 * 10**6, 10**7), (10**4, 3 * 10**4, 10**5, 3 * 10**5, 10**6))
EXECUTOR_SIZES = Sizes((1000, 4000, 16000))


def walk_bytes(metrics, cell=CELL):
    """Returns the bytes that a walk must read: (bytes, entries of the lists), for all groups together."""
    listed = metrics["nodes_a_group"] + metrics["leaves_a_group"]
    opened = metrics["opened_a_group"]
    tested = listed + opened - 1  # a tested cell is listed or opened; the root is not tested
    return metrics["groups"] * (LINKS * opened + cell * tested + BOX), metrics["groups"] * listed


def rates_of(run):
    """Returns GB/s of each walk and GFLOP/s of each kind of pull, from a run with times of its parts."""
    parts, metrics = run.get("parts_ms", {}), run.get("metrics", {})
    if not parts or "opened_a_group" not in metrics:
        return {}
    read, entries = walk_bytes(metrics)
    nodes = NODE_FLOP * run["bodies"] * metrics["nodes_a_body"]
    sources = LEAF_FLOP * run["bodies"] * metrics["sources_a_body"]
    fused, on_device = parts.get("fused_walk"), parts.get("walk")
    rates = {  # amounts, and the ms in which they are processed
        "first_gb_s": (read + LENGTHS * metrics["groups"], parts.get("first_walk")),
        # Start and end of a group's lists are written, and every entry.
        "second_gb_s": (read + 2 * LENGTHS * metrics["groups"] + ENTRY * entries, parts.get("second_walk")),
        "fused_gb_s": (read, fused),
        "node_gflops": (nodes, parts.get("body_node")),
        "leaf_gflops": (sources, parts.get("body_leaf")),
        "fused_gflops": (nodes + sources, fused),
        "device_gb_s": (walk_bytes(metrics, CELL + RADIUS)[0], on_device),
        "device_gflops": (nodes + sources, on_device),
    }
    return {name: amount / ms * 1e-6 for name, (amount, ms) in rates.items() if ms}


def walk_of(run):
    """Returns the name of a run's walk; None for another program."""
    return next((walk for walk, program in PROGRAMS.items() if run["step"] == program), None)


def row_of(run):
    """Returns a run in the form that the figures need. What was not measured is None or absent."""
    parameters, error = run["parameters"], run.get("error") or {}
    row = {"step": run["step"], "walk": walk_of(run), "bodies": run["bodies"],
           "theta": parameters.get("theta"), "leaf": parameters.get("leaf"), "error_median": error.get("median"),
           "error_p99": error.get("p99"), "error_max": error.get("max"), "passed": run["passed"],
           "total_ms": run.get("force_ms", {}).get("median")}
    parts = run.get("parts_ms")
    if parts and row["walk"]:
        row.update(host_ms=parts["build"], upload_ms=parts["upload"],
                   gpu_ms=sum(ms for name, ms in parts.items() if name not in ("build", "upload")))
    return {**row, **rates_of(run)}


def rows(document):
    return [row_of(run) for run in document["runs"]]


def chosen(table, x, y, **constant):
    """Returns [(row[x], row[y]), ...] in order, from rows that passed, have both and the given constants."""
    return sorted((row[x], row[y]) for row in table
                  if row["passed"] and row.get(x) is not None and row.get(y) is not None
                  and all(row[name] == value for name, value in constant.items()))


def exponent(points):
    """Returns p of the least-squares fit y ~ x^p; None with fewer than two abscissae or if a value is not positive."""
    if len({x for x, _ in points}) < 2 or any(value <= 0 for point in points for value in point):
        return None
    logs = [[math.log(value) for value in values] for values in zip(*points)]
    means = [statistics.fmean(values) for values in logs]
    offsets = [(x - means[0], y - means[1]) for x, y in zip(*logs)]
    return math.fsum(x * y for x, y in offsets) / math.fsum(x * x for x, _ in offsets)


def direct_times(table):
    """Returns [(N, ms), ...] of the faster direct sum, step 04's or 05's."""
    best = {}
    for step in {row["step"] for row in table if row["step"][:2] in ("04", "05")}:
        for bodies, ms in chosen(table, "bodies", "total_ms", step=step):
            best[bodies] = min(ms, best.get(bodies, ms))
    return sorted(best.items())


def speed_ups(direct, tree):
    """Returns [(N, ratio, measured)]. Beyond the largest direct sum its time is assumed to grow like N^2."""
    if not direct:
        return []
    times, (last, longest) = dict(direct), direct[-1]
    return [(bodies, times.get(bodies, longest * (bodies / last)**2) / ms, bodies in times)
            for bodies, ms in tree if bodies in times or bodies > last]


def crossover(ratios):
    """Returns N at which the ratio passes 1 for good, interpolated logarithmically; None if it does not."""
    if not ratios or ratios[-1][1] < 1:
        return None
    for (below, low, _), (above, high, _) in reversed(list(zip(ratios, ratios[1:]))):
        if low < 1 <= high:
            share = math.log(low) / (math.log(low) - math.log(high))
            return below * (above / below)**share
    return None


def three_digits(value):
    """Rounds a crossover between points of a sweep to three digits."""
    return int(float(f"{value:.3g}"))


def sizes_with_angles(table):
    """Returns the N at which more than one theta was measured."""
    by_size = grouped([row for row in table if row["walk"]], lambda row: row["bodies"])
    return sorted(bodies for bodies, some in by_size.items() if len({row["theta"] for row in some}) > 1)


def targets(on_gpu):
    walks = [*PROGRAMS.values()]
    if not on_gpu:
        return walks
    return ["host_tree", *(step_program(Path(), name).name for name in ("04", "05")), *walks, DEVICE_TREE]


def repeats(bodies):
    """Returns the number of repeats. An evaluation of 10 million bodies takes a second or more, mostly on the host."""
    return 1 if bodies > 10**6 else 3 if bodies > 10**5 else 7


def points(options, sizes=None):
    """Returns (program, arguments) of every point. options: build, and scene and repeats, None if not given"""
    build, on_gpu = options.build, options.build.name == "gpu"
    sizes = sizes or (GPU_SIZES if on_gpu else EXECUTOR_SIZES)

    def point(program, bodies, repeated, **chosen):
        return program, flags(scene=options.scene or "galaxy", bodies=bodies, steps=0, repeats=options.repeats or repeated,
                              **chosen) + ([] if on_gpu else ["--no-measure"])

    of_tree = [(bodies, theta, leaf) for bodies in sizes.angles
               for theta, leaf in [*((theta, LEAF) for theta in THETAS), *((THETA, leaf) for leaf in OTHER_LEAVES)]]
    of_tree += [(bodies, THETA, LEAF) for bodies in sizes.others]
    return [
        *(point(step_program(build, PROGRAMS[walk]), bodies, repeats(bodies), theta=theta, leaf=leaf, group=LEAF)
          for bodies, theta, leaf in of_tree for walk in WALKS),
        *(point(step_program(build, number), bodies, repeats(10 * bodies))
          for bodies in sizes.direct for number in ("04", "05")),
        *(point(build / "06_tree_walk" / "host_tree", bodies, repeats(10 * bodies), theta=THETA, leaf=LEAF, group=LEAF)
          for bodies in sizes.direct),
        # Its own leaves and groups, which it uses by default.
        *(point(step_program(build, DEVICE_TREE), bodies, repeats(bodies), theta=theta)
          for bodies, theta, leaf in of_tree if on_gpu and leaf == LEAF)]
