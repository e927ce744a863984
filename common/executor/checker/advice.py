"""Reads the counts of a checked program (counts.hpp): a row per line, with advice if a cure is known."""

import collections

SUMS = ("requests", "lanes", "sectors", "least_sectors", "wavefronts", "least_wavefronts")

OWN_COUNTERS = "give each thread or each warp its own counters"
ROW_BYTES = 128  # lanes that are so far apart use rows of a matrix, because structs are smaller


def rows(kernel):
    """Returns a dictionary per line and kind of access, the most wasteful first."""
    found = {}
    for one in kernel["accesses"]:
        row = found.setdefault((one["line"], one["memory"], one["access"], one["bytes"]),
                               {**one, **dict.fromkeys(SUMS, 0), "most_wasted": wasted(one)})
        if wasted(one) > row["most_wasted"]:  # shows the piece of a struct that is read worst
            row.update({name: one[name] for name in ("worst_lanes", "worst_addresses", "stride")}, most_wasted=wasted(one))
        for name in SUMS:
            row[name] += one[name]
    return sorted(found.values(), key=wasted, reverse=True)


def wasted(row):
    return row["sectors"] - row["least_sectors"] + row["wavefronts"] - row["least_wavefronts"]


def reason(stride, size, is_struct):
    """Returns why lanes need many sectors, with the known cure. stride: bytes from a lane's address to the next one's
    size: bytes of an access
    """
    if stride <= size:
        return "the lanes use elements that are far from each other"
    cure = ("as with structs: arrays of numbers often let them use neighbouring elements" if is_struct else
            "as in a column of a matrix: let neighbouring lanes use a row, if necessary through a tile in shared memory")
    return f"neighbouring lanes are {stride} bytes apart, {cure}"


def advice(row):
    """Returns the known cure; empty if little is lost."""
    if row["memory"] == "global" and row["access"] == "atomic" and row["sectors"] >= 2 * row["least_sectors"]:
        return "several lanes update one address and take turns: add up within the warp or the block first"
    if row["memory"] == "global" and row["sectors"] >= 2 * row["least_sectors"]:
        stride = abs(row["stride"])
        return (f"{row['sectors'] / row['requests']:.0f} sectors per request where {row['least_sectors'] / row['requests']:.0f} "
                f"would do: {reason(stride, row['bytes'], stride < ROW_BYTES)}")
    if row["memory"] == "shared" and row["access"] == "atomic" and row["wavefronts"] >= 2 * row["least_wavefronts"]:
        return f"several lanes update one word, or words of one bank, and take turns: {OWN_COUNTERS}"
    if row["memory"] == "shared" and row["wavefronts"] >= 2 * row["least_wavefronts"]:
        return (f"{row['wavefronts'] / row['requests']:.0f} wavefronts per request where "
                f"{row['least_wavefronts'] / row['requests']:.0f} would do: lanes meet in a bank; one more column often helps")
    return ""


def totals(document):
    """Returns the counts of the whole program, assuming that blocks that were not counted are like the others."""
    found = {name: document[name] for name in ("operations", "operations_in_a_row")}
    return {**found, **{name: round(sum(by_line(document, name).values())) for name in ("global_requests", "global_sectors")}}


def by_line(document, name):
    """Returns the "global_requests" or "global_sectors" of each line in all kernels."""
    found = collections.Counter()
    for kernel in document["kernels"]:
        for one in kernel["accesses"]:
            if one["memory"] == "global":
                found[one["line"]] += one[name.removeprefix("global_")] * kernel["blocks"] / kernel["blocks_seen"]
    return found


def most_of(document, name):
    """Returns (the line that has the most of this count, its number); None and 0 if it is not a count of lines."""
    lines = by_line(document, name).most_common(1) if name.startswith("global_") else []
    return (lines[0][0], round(lines[0][1])) if lines else (None, 0)


def branches(kernel):
    """Returns a dictionary per line with a branch at which lanes part, those that part most often first."""
    found = {}
    for one in kernel["branches"]:
        row = found.setdefault(one["line"], {"line": one["line"], "requests": 0, "lanes": 0, "parted": 0})
        for name in ("requests", "lanes", "parted"):
            row[name] += one[name]
    return sorted((row for row in found.values() if row["parted"]), key=lambda row: row["parted"], reverse=True)


def branch_advice(row, kernel):
    """Returns the known cure; empty if lanes part rarely, or only once per warp, as they do if one lane writes a result."""
    if 2 * row["parted"] < row["requests"] or row["parted"] < 2 * kernel["warps"]:
        return ""
    return (f"the lanes of a warp part {row['parted'] / kernel['warps']:.3g} times here. The warp runs both ways one after the other, "
            "and a loop until its last lane has ended: let all lanes of a warp take the same way, and give them equal work")


def all_advice(document):
    """Returns (row, advice) of each line, in all kernels, for which there is advice."""
    found = [(row, text) for kernel in document["kernels"]
             for row, text in [*((row, advice(row)) for row in rows(kernel)),
                               *((row, branch_advice(row, kernel)) for row in branches(kernel))]]
    return [(row, text) for row, text in found if text]
