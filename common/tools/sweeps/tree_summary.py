"""What the sweep `tree` prints with its figures: fitted exponents, speed-ups and crossovers."""

from common.tools.sweeps.tree_numbers import (
    LEAF, THETA, WALKS, chosen, crossover, device_tree_times, direct_times, exponent, speed_ups, three_digits)


def power(variable, points):
    fitted = exponent(points)
    return f"{variable}^{fitted:.2f}" if fitted is not None else "-"


def sizes_with_angles(table):
    """The N at which more than one theta was measured."""
    thetas = {}
    for row in table:
        if row["walk"]:
            thetas.setdefault(row["bodies"], set()).add(row["theta"])
    return sorted(bodies for bodies, angles in thetas.items() if len(angles) > 1)


def crossover_words(ratios):
    place = crossover(ratios)
    if place is not None:
        return f"faster than direct summation from N = {three_digits(place):,} on"
    measured = [(bodies, ratio) for bodies, ratio, is_measured in ratios if is_measured]
    side = "faster" if all(ratio >= 1 for _, ratio in measured) else "not faster"
    return f"{side} than direct summation from N = {measured[0][0]:,} to {measured[-1][0]:,}"


def errors_summary(table, walk):
    fits = [(f"N = {bodies:,}", "theta", "theta", {"bodies": bodies}) for bodies in sizes_with_angles(table)]
    fits.append((f"theta {THETA:g}", "N", "bodies", {"theta": THETA}))
    for where, variable, x, constant in fits:
        median, p99 = (power(variable, chosen(table, x, y, walk=walk, leaf=LEAF, **constant))
                       for y in ("error_median", "error_p99"))
        yield f"{walk}, {where}: median error ~ {median}, 99th percentile ~ {p99}"


def times_summary(table, walk):
    """Nothing where no times were measured."""
    constant = {"walk": walk, "theta": THETA, "leaf": LEAF}
    if host := chosen(table, "bodies", "host_ms", **constant):
        gpu = chosen(table, "bodies", "gpu_ms", **constant)
        yield f"{walk}, theta {THETA:g}: time of the GPU's part ~ {power('N', gpu)}, of the host's ~ {power('N', host)}"
    for name, what in (("total_ms", "in all"), ("gpu_ms", "without the host's part and the upload")):
        if ratios := speed_ups(direct_times(table), chosen(table, "bodies", name, **constant)):
            yield f"{walk}, theta {THETA:g}, {what}: {gains_words(ratios)}"


def gains_words(ratios):
    gains = ", ".join(f"{ratio:,.3g}x at N = {bodies:,}{'' if measured else ' (extrapolated)'}"
                      for bodies, ratio, measured in ratios)
    return f"{crossover_words(ratios)}; {gains}"


def summary(table):
    """Lines of text."""
    lines = [line for part in (errors_summary, times_summary) for walk in WALKS for line in part(table, walk)]
    if ratios := speed_ups(direct_times(table), device_tree_times(table)):
        lines.append(f"step 07, theta {THETA:g}, in all: {gains_words(ratios)}")
    return lines
