"""Tests of a submission, and the checks in them."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable

from common.grader.step_build import TREES

MANY = "forces of 1,000 bodies"  # a test that others need
READS_BODIES = 2000
LEAST_ERROR = 2e-6  # the median, of a tree and 1,000 bodies: 2e-5 and more; rounding alone makes 4e-7


@dataclasses.dataclass(frozen=True)
class Test:
    name: str
    points: int
    check: Callable  # of a Submission: a Complaint, or None where it passes
    needs: str | None = None  # the test without which it cannot pass: it is not run where that has failed


def forces(bodies, orders=("forward",), arguments=()):
    """A check: the forces of these numbers of bodies, in these orders of threads, with these arguments."""
    def check(submission):
        runs = (submission.forces(n, order, arguments)[0] for n in bodies for order in orders)
        return next(filter(None, runs), None)

    return check


def results(sizes, orders=("forward",)):
    """A check: the result of a program that checks it, for these numbers of elements, in these orders of threads."""
    return lambda submission: next(filter(None, (submission.result(n, order) for n in sizes for order in orders)), None)


def many_forces(arguments):
    """A check of MANY: the forces, and of a tree that they are a tree's: the sum over all pairs is no answer to it."""
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
    """A check: the forces of some bodies with some arguments, {arguments: number of bodies}."""
    def check(submission):
        runs = ((forces([bodies], arguments=arguments)(submission), arguments) for arguments, bodies in settings.items())
        found, arguments = next(filter(operator.itemgetter(0), runs), (None, ()))
        if found and len(settings) > 1:
            return dataclasses.replace(found, details=(*found.details, f"with {' '.join(arguments)}"))
        return found

    return check


def as_accurate(settings, reference):
    """A check: the median error is that of the solution, with the same bodies. settings: (arguments, bodies, the least and the most
    times the solution's error, a question if it is less, a question if it is more). reference: as a Submission
    """
    def check(submission):
        solution = dataclasses.replace(reference, seed=submission.seed)
        for words, bodies, least, most, if_less, if_more in settings:
            found, run = submission.forces(bodies, arguments=words.split())
            ours, theirs = (r.get("error", {}).get("median", 0) for r in (run, solution.forces(bodies, arguments=words.split())[1]))
            if found or theirs and not least * theirs <= ours <= most * theirs:  # 0: it did not end, no fault of the student's
                return found or submission.at_kernel(f"with {words}, the median relative error is {ours:.2g}, {ours / theirs:.2g} "
                                                     f"times the solution's: {if_more if ours > theirs else if_less}")
        return None

    return check


def test_case(name, order="forward"):
    """A check: the judge's test case of this name."""
    return lambda submission: submission.test_case(name, order)


def reads_test(most, reference, arguments=()):
    """Global memory read, as a multiple of what the reference reads. reference: as Submission.forces()."""

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
    """With these arguments the kernels must change what they read at least half as much as the solution's, `wanted` times."""
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
