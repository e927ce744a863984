"""Tests of a submission, and their checks."""

import dataclasses
import functools
import operator
import re
import statistics
from collections.abc import Callable

from common.base.command_line import ROOT, BadInput
from common.grader.runs import Stopped
from common.grader.steps import facts

POINTS = ROOT / "common" / "grader" / "points.txt"
MANY = "forces of 1,000 bodies"  # other tests need this one
BODIES = 1000  # of a submission's most runs, so that one run serves several tests
FULL = 1024  # bodies that fill the blocks, to count what is read: a mistake at a ragged end does not hide the step's idea
LEAST_ERROR = 2e-6  # median error of a tree with 1,000 bodies: at least 2e-5; rounding alone gives 4e-7
LEAST_READS = 0.5  # of what the solution reads; with less, not all sources are read, or a thread has more bodies


@functools.lru_cache(None)
def all_points():
    """Returns the points of points.txt by name."""
    found = {}
    for number, line in enumerate(POINTS.read_text().splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            name, _, points = line.strip().rpartition("  ")
            if not re.fullmatch(r"\d+(\.\d+)?", points.strip()) or not name or name.strip() in found:
                raise BadInput(f"{POINTS.relative_to(ROOT)}, line {number}: not the name of a test and, after two blanks, its points")
            found[name.strip()] = float(points)
    return found


def points(name):
    if name not in all_points():
        raise BadInput(f"{POINTS.relative_to(ROOT)} has no line for '{name}'")
    return all_points()[name]


@dataclasses.dataclass(frozen=True)
class Test:
    name: str
    points: float
    check: Callable  # takes a Submission; returns a Complaint, or None if it passes
    needs: str | None = None  # name of a test; if that one has failed, this one is not run
    is_last: bool = False  # looks at the runs of all other tests


def joined(complaints, of=statistics.fmean):
    """Returns the first Complaint, with the mean of all credits; None if there is none. complaints: one for each run, or None"""
    first = next(filter(None, complaints), None)
    return first and dataclasses.replace(first, credit=of(complaint.credit if complaint else 1 for complaint in complaints))


def forces(bodies, orders=("forward",), arguments=(), credit_of=statistics.fmean):
    """Returns a check of the forces of these numbers of bodies, in these orders of threads, with these arguments. credit_of: min if the
    worst run counts
    """
    return lambda submission: joined([submission.forces(n, order, arguments)[0] for n in bodies for order in orders], credit_of)


def results(sizes, orders=("forward",)):
    """Returns a check of a program that checks its own result, for these numbers of elements, in these orders of threads. The worst run
    counts.
    """
    return lambda submission: joined([submission.result(n, order) for n in sizes for order in orders], min)


def if_correct(elements, check):
    """Returns a check of a program whose result for so many elements is correct, perhaps in spite of a report. A wrong result fails."""
    def checked(submission):
        found = submission.result(elements)
        return found if found and not found.credit else check(submission)

    return checked


def without_credit(found):
    return found and dataclasses.replace(found, credit=0)


def many_forces(arguments):
    """Returns a check of MANY. In a tree code it also rejects a sum over all pairs, by its small error."""
    def check(submission):
        found, run = submission.forces(BODIES, arguments=arguments)
        if found or not facts(submission.step).has_tree:
            return found
        if arguments:
            found, run = submission.forces(BODIES)
        error = run.get("error", {}).get("median", 0)
        return found or (None if error >= LEAST_ERROR else submission.at_kernel(
            f"no cell is used as a whole: the median relative error is {error:.1g}, as in a sum over all bodies: is every cell "
            "opened?"))

    return check


def forces_with(settings):
    """Returns a check of the forces with several settings, {arguments: number of bodies}."""
    def check(submission):
        runs = [(submission.forces(bodies, arguments=arguments)[0], arguments) for arguments, bodies in settings.items()]
        found = joined([complaint for complaint, _ in runs])
        if found and len(settings) > 1:
            _, arguments = next(filter(operator.itemgetter(0), runs))
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
    """Returns a test of the bytes of global memory read, as a multiple of the reference's (see Submission.forces()). The forces
    may be wrong: other tests are for them.
    """

    def check(submission):
        found, run = submission.forces(FULL, arguments=arguments)
        ours = run.get("global_bytes_read", 0)
        theirs = reference(FULL, arguments=arguments)[1].get("global_bytes_read", 0)
        if not theirs:
            raise Stopped  # a machine that is too busy for the solution
        if found and not ours:
            return dataclasses.replace(found, credit=0)
        if LEAST_READS * theirs <= ours <= most * theirs:
            return None
        words = f" with {' '.join(arguments)}" if arguments else ""
        text = f"the kernels read {ours:,} bytes of global memory for {FULL} bodies{words}. "
        if ours < theirs:
            step = facts(submission.step)
            if not found and not step.has_tree and not step.shares_sums:
                return None  # a thread has more bodies than in the solution
            so = (", so cells or bodies are left out" if step.has_tree else ": does a block not read all sources, or are there too few "
                  "blocks?" if found else ", so too few threads share the sum of a body")
            return submission.at_kernel(f"{text}That is {ours / theirs:.2g} times what the solution reads{so}")
        return dataclasses.replace(submission.at_kernel(f"{text}At most {round(most * theirs):,} are allowed, {most:g} times what the "
                                                        "solution reads"), nothing_new=ours >= 16 * FULL**2)  # as without a tile

    return Test("global memory read", points("idea"), check)


def reports_test(name, kinds, is_kind):
    """Returns a test that the checker reports nothing of a kind in all runs. Each place of a mistake costs more."""
    def check(submission):
        if None not in submission.endings:
            return submission.ends()
        if not submission.uses_bodies:
            return submission.at_kernel("no kernel uses the values of the bodies: is the sum over the bodies missing, or the launch?")
        found = [complaint for complaint in submission.reports.values() if is_kind(complaint)]
        return dataclasses.replace(found[0], credit=1 / (1 + len(found))) if found else None

    return Test(name, points(kinds), check, is_last=True)


def is_race(complaint):
    """Returns whether a report is about the order of threads."""
    return complaint.text.startswith(("race", "divergent", "missing lanes", "wrong lane", "copy not awaited", "deadlock"))


def end_tests():
    """Returns the tests of what each program does: it compiles, and it ends in all runs."""
    return [Test("it compiles", points("compiles"), lambda submission: None),
            Test("the program runs to its end", points("runs"), lambda submission: submission.ends(), is_last=True)]


def last_tests():
    """Returns the tests that look at all runs: how they ended, and what the checker has reported."""
    return [*end_tests(),
            reports_test("no race, and no barrier that some threads skip", "no race", is_race),
            reports_test("no other memory error", "no other memory error", lambda complaint: not is_race(complaint))]


def changed_reads_test(arguments, wanted):
    """Returns a test that these arguments change the bytes read by at least half of the solution's factor `wanted`."""
    words = " ".join(arguments)

    def check(submission):
        runs = [submission.forces(BODIES, arguments=a) for a in ([], arguments)]
        if found := runs[0][0] or runs[1][0]:
            return found
        before, reads = (run.get("global_bytes_read", 0) for _, run in runs)
        if reads == before:
            return submission.at_kernel(f"{words} has no effect: the kernels read as much global memory as without it")
        if (reads - before) / (wanted - 1) >= before / 2:
            return None
        return submission.at_kernel(f"{words} has too little effect: for {BODIES} bodies the kernels read {before:,} bytes of "
                                    f"global memory without it and {reads:,} with it. In the solution, they read {wanted:g} times "
                                    "as much with it")

    return Test(f"{words} makes a difference", points("the new option makes a difference"), check, MANY)
