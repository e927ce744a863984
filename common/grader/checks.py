"""Tests of a submission, and their checks."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable

from common.grader.step_build import TREES

MANY = "forces of 1,000 bodies"  # other tests need this one
READS_BODIES = 2000
LEAST_ERROR = 2e-6  # median error of a tree with 1,000 bodies: at least 2e-5; rounding alone gives 4e-7


@dataclasses.dataclass(frozen=True)
class Test:
    name: str
    points: int
    check: Callable  # takes a Submission; returns a Complaint, or None if it passes
    needs: str | None = None  # name of a test; if that one has failed, this one is not run


def forces(bodies, orders=("forward",), arguments=()):
    """Returns a check of the forces of these numbers of bodies, in these orders of threads, with these arguments."""
    def check(submission):
        runs = (submission.forces(n, order, arguments)[0] for n in bodies for order in orders)
        return next(filter(None, runs), None)

    return check


def results(sizes, orders=("forward",)):
    """Returns a check of a program that checks its own result, for these numbers of elements, in these orders of threads."""
    return lambda submission: next(filter(None, (submission.result(n, order) for n in sizes for order in orders)), None)


def many_forces(arguments):
    """Returns a check of MANY. In a tree code it also rejects a sum over all pairs, by its small error."""
    def check(submission):
        found, run = submission.forces(1000, arguments=arguments)
        if found or submission.step not in TREES:
            return found
        if arguments:
            found, run = submission.forces(1000)
        error = run.get("error", {}).get("median", 0)
        return found or (None if error >= LEAST_ERROR else submission.at_kernel(
            f"no cell is used as a whole: the median relative error is {error:.1g}, as in a sum over all bodies: is every cell "
            "opened?"))

    return check


def forces_with(settings):
    """Returns a check of the forces with several settings, {arguments: number of bodies}."""
    def check(submission):
        runs = ((forces([bodies], arguments=arguments)(submission), arguments) for arguments, bodies in settings.items())
        found, arguments = next(filter(operator.itemgetter(0), runs), (None, ()))
        if found and len(settings) > 1:
            return dataclasses.replace(found, details=(*found.details, f"with {' '.join(arguments)}"))
        return found

    return check


def as_accurate(settings, reference):
    """Returns a check that the median error is that of the solution, with the same bodies.

    settings: (arguments, bodies, smallest and largest multiple of the solution's error, question if it is smaller, question if
    it is larger); reference: a Submission
    """
    def check(submission):
        solution = dataclasses.replace(reference, seed=submission.seed)
        for words, bodies, least, most, if_less, if_more in settings:
            found, run = submission.forces(bodies, arguments=words.split())
            ours, theirs = (r.get("error", {}).get("median", 0) for r in (run, solution.forces(bodies, arguments=words.split())[1]))
            if found or theirs and not least * theirs <= ours <= most * theirs:  # 0: the reference did not end
                return found or submission.at_kernel(f"with {words}, the median relative error is {ours:.2g}, {ours / theirs:.2g} "
                                                     f"times the solution's: {if_more if ours > theirs else if_less}")
        return None

    return check


def test_case(name, order="forward"):
    """Returns a check with the judge's test case of this name."""
    return lambda submission: submission.test_case(name, order)


def reads_test(most, reference, arguments=()):
    """Returns a test of the bytes of global memory read, as a multiple of the reference's (see Submission.forces())."""

    def check(submission):
        found, run = submission.forces(READS_BODIES, arguments=arguments)
        if found:
            return found
        ours, theirs = run.get("global_bytes_read", 0), reference(READS_BODIES, arguments=arguments)[1]["global_bytes_read"]
        if 0 < ours <= most * theirs:
            return None
        return submission.at_kernel(f"the kernels read {ours:,} bytes of global memory for {READS_BODIES} bodies. At most "
                                    f"{round(most * theirs):,} are allowed, {most:g} times what the solution reads")

    return Test("global memory read", 100, check, MANY)


def changed_reads_test(arguments, wanted):
    """Returns a test that these arguments change the bytes read by at least half of the solution's factor `wanted`."""
    words = " ".join(arguments)

    def check(submission):
        runs = [submission.forces(READS_BODIES, arguments=a) for a in ([], arguments)]
        if found := runs[0][0] or runs[1][0]:
            return found
        before, reads = (run.get("global_bytes_read", 0) for _, run in runs)
        if reads == before:
            return submission.at_kernel(f"{words} has no effect: the kernels read as much global memory as without it")
        if (reads - before) / (wanted - 1) >= before / 2:
            return None
        return submission.at_kernel(f"{words} has too little effect: for {READS_BODIES} bodies the kernels read {before:,} bytes of "
                                    f"global memory without it and {reads:,} with it. In the solution, they read {wanted:g} times "
                                    "as much with it")

    return Test(f"{words} makes a difference", 20, check, MANY)
