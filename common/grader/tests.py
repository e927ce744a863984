"""The tests of a submission for a step, an exercise or a whole program, with their points."""

import dataclasses

from common.grader.checks import (MANY, Test, as_accurate, changed_reads_test, forces, forces_with, many_forces, reads_test,
                                   results, test_case)
from common.grader.complaints import Complaint
from common.grader.exercises.answers import read_answers
from common.grader.exercises.files import ANSWERS
from common.grader.exercises.mutant_corpus import settings_of
from common.grader.loops import nest_check
from common.grader.runs import Submission
from common.grader.sandbox.sandbox import Sandbox

# Test cases that all steps share (common/tests/kernels/step_test.cpp), with their points.
SHARED = {"forces equal the FP64 direct sum": 5, "forces are correct for every value of every option": 20,
          "forces are correct for very different masses": 3, "bodies at the same place do not pull each other": 3,
          "the forces of all bodies add up to zero": 3, "leapfrog is reversible in time": 3}
RAGGED, FEW = (513, 257, 33), (1, 2)  # numbers of bodies
RAGGED_TEST = "numbers of bodies that do not fill the last block: 513, 257 and 33"
PRINTED = "accelerations of 1,000 bodies"
# See as_accurate(). An error bound for all scenes would hide a lost moment, with which the error is 3 times the solution's
# here. A large softening shows the terms that it adds to a quadrupole. A small angle shows a wrong centre, because monopoles
# then have a small error too.
# If step 09 truncates a number, or loses a part of it, its error is 10 times as large; without products it is half as large.
CELLS = [("--multipole monopole --leaf 4 --group 4 --theta 0.2", 500, 0, 1.5, "", "is a cell's mass or its centre of mass wrong?"),
         ("--leaf 4 --group 4 --softening 0.5", 500, 0, 1.3, "",
          "is a moment of a cell lost, or a term of its quadrupole's pull wrong?")]
ACCURATE = {"06_tree_walk": CELLS, "07_device_tree": CELLS, "09_tensor_cores": [
    ("--products always", 4500, 0.75, 2.7, "are no matrices multiplied, or only those of few tiles?",
     "is a part of a number lost, is a number cut instead of rounded, or are tiles multiplied that are too near?")],
            "10_fast_multipole": [("--leaf 8", 1000, 0, 1.5, "", "are expansions cut at too low an order, or is a part of them lost?")]}
# Steps that read each source once for many threads, and the most global memory that they may read, as a multiple of the
# solution's. Without a tile it would be a hundred times as much, which times do not show while caches hold all bodies. With a
# tile per warp it would be 8 times as much.
TILED, MOST_READS = {"02_tiled", "03_unrolled", "04_multithread_per_body", "05_triangular_map"}, 10
NEED_MANY = {"forces equal the FP64 direct sum", "forces are correct for every value of every option"}


def program_tests(arguments=()):
    """Returns tests of forces under the checker: races, bounds, uninitialised memory."""
    return [
        Test(MANY, 20, many_forces(arguments)),
        Test(RAGGED_TEST, 15, forces(RAGGED, arguments=arguments)),
        Test("one body, and two bodies", 5, forces(FEW, arguments=arguments)),
        Test("threads in another order", 15, forces([1000], ["reverse", "random:1"], arguments), MANY),
    ]


def whole_program_tests():
    """Returns the tests of a whole program. A report, for example of a leak, fails only its own test if the forces are correct.
    """
    return [
        Test(PRINTED, 30, forces([1000])),
        Test(RAGGED_TEST, 20, forces(RAGGED)),
        Test("one body, and two bodies", 10, forces(FEW)),
        Test("threads in another order", 10, forces([1000], ["reverse", "random:1"]), PRINTED),
        Test("the checker reports nothing", 20, lambda submission: submission.report(), PRINTED),
        Test("a CUDA call that fails ends the program", 10, lambda submission: submission.unchecked(), PRINTED),
    ]


def counted_tests(sizes, limits):
    """Returns the tests of a whole program that checks its own result: the result, and its counts."""
    first, *others = sizes
    correct = f"the result for {first} elements"
    return [
        Test(correct, 20, results([first])),
        Test(f"the results for {listed(others)} elements", 20, results(others)),
        Test("threads in another order", 10, results([first], ["reverse", "random:1"]), correct),
        Test(" and ".join(f"at {side} {number} {name.replace('_', ' ')}" for name, side, number in limits), 50,
             lambda submission: submission.within(first, limits), correct) if limits else
        Test("no line wastes sectors, wavefronts or atomic operations", 50, lambda submission: submission.advice(first), correct),
    ]


def settings_test(step):
    """Returns tests with every choice of options that showed a mistake of the corpus."""
    settings = settings_of(step)
    names = ", ".join(" ".join(arguments) for arguments in sorted(settings))
    return [Test(f"with {names}", 40, forces_with(dict(sorted(settings.items()))))] if settings else []


def accuracy_test(step, reference):
    name = "errors are those of the solution's method"
    return [Test(name, 40, as_accurate(ACCURATE[step], reference))] if step in ACCURATE else []


def step_tests(step, reference, arguments=()):
    """Returns the tests of a whole step. arguments: of the runs for forces, if they differ from those of the shared tests"""
    shared = [Test(name, points, test_case(name), MANY if name in NEED_MANY else None) for name, points in SHARED.items()]
    others = [dataclasses.replace(test, needs=MANY) for test in [*settings_test(step), *accuracy_test(step, reference)]]
    return [*program_tests(arguments), *others, *shared]


def rank_tests(numbers, arguments):
    """Returns tests of forces with each of these numbers of ranks. They have fewer bodies, because ranks need more launches."""
    first, *others = ((*arguments, "--ranks", number) for number in numbers)
    few = f"forces of 400 bodies on {numbers[0]} ranks"
    return [
        Test(few, 20, forces([400], arguments=first)),
        Test("numbers of bodies that do not fill the last block: 257 and 33", 15, forces([257, 33], arguments=first)),
        Test("one body, and two bodies", 5, forces([1, 2], arguments=first)),
        Test("threads in another order", 15, forces([257], ["reverse", "random:1"], first), few),
        Test(f"on {listed(numbers[1:])} ranks", 45, forces_with(dict.fromkeys(others, 399)), few),
    ]


def listed(words):
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def law_tests(law):
    """Returns tests of forces with another law than Newton's, which judge/law_test.cpp compares."""
    cases = [("forces of 600 random bodies", 50, "many bodies"),
             (RAGGED_TEST, 30, "ragged ends"),
             ("two bodies, and three", 20, "few bodies")]
    return [Test(name, points, test_case(f"{law}: {case}", "random:2")) for name, points, case in cases]


def answer_tests(questions, text):
    """Returns tests of answers.txt, which need no build."""
    answers = read_answers(text)

    def check(question):
        text, line = answers.get(question.name, (None, None))
        if text is None:
            return Complaint(f"there is no line '{question.name} = NUMBER'", (), ANSWERS, None)
        try:
            problem = question.problem(float(text))
        except ValueError:
            problem = f"'{text}' is not a number: replace it with your answer"
        return Complaint(problem, (), ANSWERS, line) if problem else None

    return [Test(q.name, 10, lambda _, q=q: check(q)) for q in questions]


def tests_of(step, exercise, reference):
    """Returns the tests of a built submission. exercise: None for the whole step; reference: a Submission of the solution"""
    if exercise is None:
        return [*step_tests(step, reference), *([reads_test(MOST_READS, reference.forces)] if step in TILED else [])]
    if counts := exercise.words("Counts"):
        return counted_tests(counts, exercise.limits)
    if exercise.program:
        return whole_program_tests()
    if "Law" in exercise.fields:
        return law_tests(exercise.fields["Law"])
    if ranks := exercise.words("Ranks"):
        return rank_tests(ranks, exercise.arguments)
    if exercise.kind == "extend the program":
        without = f"forces without {' '.join(exercise.arguments)} are still correct"
        tests = [*program_tests(exercise.arguments), Test(without, 10, forces([1000]))]
        changed = exercise.number_in("Changes reads")
        return tests + ([changed_reads_test(exercise.arguments, changed)] if changed else [])
    tests = step_tests(step, reference, exercise.arguments)
    if reads := exercise.number_in("Reads"):
        tests.append(reads_test(reads, reference.forces, exercise.arguments))
    if loops := exercise.words("Loops"):
        name = "the loop over the sources is the outer loop, and it is unrolled"
        tests.append(Test(name, 20, nest_check(*loops), MANY))
    return tests


def judge(build, step):
    return build / step / f"{step}_judge"


def reference_submission(build, step):
    """Returns the build tree's own program as a trusted submission, because the users of the others may not read it."""
    program = build / step / f"{step}_submission"
    return Submission(step, build / step, program, judge(build, step), Sandbox("none"), seed=1)
