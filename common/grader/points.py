"""The points of tests as they count: whole ones, of the 100 of a submission."""

import math

MOST = 100


def shares(weights):
    """Whole points in proportion to the weights, which sum to MOST: the largest remainders round up."""
    exact = [MOST * weight / math.fsum(weights) for weight in weights]
    found = [math.floor(value) for value in exact]
    by_remainder = sorted(range(len(exact)), key=lambda n: found[n] - exact[n])
    for n in by_remainder[:MOST - sum(found)]:
        found[n] += 1
    return found


def counted(tests):
    """The tests' entries with whole points. What a test is worth depends on the task alone, never on the submission."""
    return [{**test, "points": most if test["points"] else 0, "max_points": most}
            for test, most in zip(tests, shares([test["max_points"] for test in tests]))]


def score_of(tests):
    """Of counted() tests."""
    return sum(test["points"] for test in tests)
