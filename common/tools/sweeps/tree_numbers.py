"""What the sweep `tree` computes from its runs: rates, bytes, fitted exponents, the crossover with direct summation."""

import math
import statistics

NODE_FLOP, LEAF_FLOP = 70, 38  # as the paper counts the pull of a cell and of a body
WALKS = ("lists", "fused")  # step 06's: the paper's, and the one without lists
DEVICE_TREE = "07_device_tree"
LEAF = 64    # the paper's, as its groups
THETA = 0.5  # where something else is varied
# Bytes: a node's eight links; a cell's centre and opening distance; a group's box; the lengths of its lists;
# an entry of a list; what step 07 has to know of a cell besides.
LINKS, CELL, BOX, LENGTHS, ENTRY, REACH = 32, 16, 32, 16, 4, 8


def walk_bytes(facts, cell=CELL):
    """What a walk has to read: (bytes, entries of the lists), of all groups together."""
    listed = facts["nodes_a_group"] + facts["leaves_a_group"]
    opened = facts["opened_a_group"]
    tested = listed + opened - 1  # a cell tested is listed or opened; the root itself is not tested
    return facts["groups"] * (LINKS * opened + cell * tested + BOX), facts["groups"] * listed


def rate(amount, ms):
    """In 10^9 a second; None where there was no time."""
    return amount / ms * 1e-6 if ms else None


def rates_of(run):
    """GB/s of each walk, GFLOP/s of each kind of pull: of a step's run with times of its parts."""
    parts, facts = run.get("parts_ms", {}), run.get("facts", {})
    if not parts or "opened_a_group" not in facts:
        return {}
    read, entries = walk_bytes(facts)
    nodes = NODE_FLOP * run["bodies"] * facts["nodes_a_body"]
    sources = LEAF_FLOP * run["bodies"] * facts["sources_a_body"]
    fused, on_device = parts.get("fused_walk"), parts.get("walk")
    rates = {
        "first_gb_s": rate(read + LENGTHS * facts["groups"], parts.get("first_walk")),
        # Where a group's lists begin and end; every entry is written.
        "second_gb_s": rate(read + 2 * LENGTHS * facts["groups"] + ENTRY * entries, parts.get("second_walk")),
        "fused_gb_s": rate(read, fused),
        "node_gflops": rate(nodes, parts.get("body_node")),
        "leaf_gflops": rate(sources, parts.get("body_leaf")),
        "fused_gflops": rate(nodes + sources, fused),
        "device_gb_s": rate(walk_bytes(facts, CELL + REACH)[0], on_device),
        "device_gflops": rate(nodes + sources, on_device),
    }
    return {name: value for name, value in rates.items() if value is not None}


def row_of(run):
    """A run as the figures need it; what was not measured is None or absent."""
    parameters, error = run["parameters"], run.get("error") or {}
    row = {"step": run["step"], "walk": parameters.get("walk"), "bodies": run["bodies"],
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
    """[(row[x], row[y]), ...] in order, of the rows that passed, have both and what is held constant."""
    return sorted((row[x], row[y]) for row in table
                  if row["passed"] and row.get(x) is not None and row.get(y) is not None
                  and all(row[name] == value for name, value in constant.items()))


def exponent(points):
    """p of the least-squares fit y ~ x^p; None of fewer than two abscissae or where a value is not positive."""
    if len({x for x, _ in points}) < 2 or any(value <= 0 for point in points for value in point):
        return None
    logs = [[math.log(value) for value in values] for values in zip(*points)]
    means = [statistics.fmean(values) for values in logs]
    offsets = [(x - means[0], y - means[1]) for x, y in zip(*logs)]
    return math.fsum(x * y for x, y in offsets) / math.fsum(x * x for x, _ in offsets)


def direct_times(table):
    """[(N, ms), ...] of the faster direct sum, step 04's or 05's."""
    best = {}
    for step in {row["step"] for row in table if row["step"][:2] in ("04", "05")}:
        for bodies, ms in chosen(table, "bodies", "total_ms", step=step):
            best[bodies] = min(ms, best.get(bodies, ms))
    return sorted(best.items())


def device_tree_times(table):
    """[(N, ms), ...] of step 07 at THETA."""
    return chosen(table, "bodies", "total_ms", step=DEVICE_TREE, theta=THETA)


def speed_ups(direct, tree):
    """[(N, ratio, measured)]: beyond the largest direct sum its time is taken to grow as N^2 from there."""
    if not direct:
        return []
    times, (last, longest) = dict(direct), direct[-1]
    return [(bodies, times.get(bodies, longest * (bodies / last)**2) / ms, bodies in times)
            for bodies, ms in tree if bodies in times or bodies > last]


def crossover(ratios):
    """N at which the ratio passes 1 for good, between points by their logarithms; None where it does not."""
    if not ratios or ratios[-1][1] < 1:
        return None
    for (below, low, _), (above, high, _) in reversed(list(zip(ratios, ratios[1:]))):
        if low < 1 <= high:
            share = math.log(low) / (math.log(low) - math.log(high))
            return below * (above / below)**share
    return None


def three_digits(value):
    """A crossover between points of a sweep is known to no more."""
    return int(float(f"{value:.3g}"))
