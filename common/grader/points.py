"""The points of tests as they count: of the 100 of a submission, whatever the tests' own points sum to."""

import math

MOST = 100


def score_of(tests):
    """Of MOST, in tenths."""
    return round(MOST * math.fsum(t["points"] for t in tests) / math.fsum(t["max_points"] for t in tests), 1)


def shares(total, weights):
    """Hundredths of a point in proportion to the weights, that sum to the total: the largest remainders round up."""
    if not any(weights):
        return [0.0] * len(weights)
    hundredths = round(100 * total)
    exact = [hundredths * weight / math.fsum(weights) for weight in weights]
    found = [math.floor(value) for value in exact]
    by_remainder = sorted(range(len(exact)), key=lambda n: found[n] - exact[n])
    for n in by_remainder[:hundredths - sum(found)]:
        found[n] += 1
    return [value / 100 for value in found]


def counted(tests):
    """The tests' entries with points that sum to score_of(tests), and their most to MOST."""
    score = score_of(tests)
    earned = shares(score, [test["points"] for test in tests])
    missed = shares(MOST - score, [test["max_points"] - test["points"] for test in tests])
    return [{**test, "points": points, "max_points": round(points + lost, 2)}
            for test, points, lost in zip(tests, earned, missed)]
