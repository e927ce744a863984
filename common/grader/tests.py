"""The tests of a submission for a step, an exercise or a whole program, with their points."""

import re

from common.grader.checks import (BODIES, MANY, Test, as_accurate, changed_reads_test, end_tests, forces, forces_with, if_correct,
                                   last_tests, many_forces, points, reads_test, results, test_case, without_credit)
from common.grader.complaints import Complaint
from common.grader.exercises.answers import read_answers
from common.grader.exercises.files import ANSWERS
from common.grader.exercises.mutant_corpus import settings_of
from common.grader.loops import nest_check
from common.grader.runs import Submission
from common.grader.sandbox.sandbox import Sandbox
from common.grader.steps import facts

# Test cases that all steps share (common/tests/kernels/step_test.cpp).
SHARED = ["forces equal the FP64 direct sum", "forces are correct for every value of every option",
          "forces are correct for very different masses", "bodies at the same place do not pull each other",
          "the forces of all bodies add up to zero", "leapfrog is reversible in time"]
WHOLE, RAGGED, FEW, LARGE = (256, 512), (513, 257, 33), (1, 2), 1500  # numbers of bodies
WHOLE_TEST = "numbers of bodies that fill the blocks: 256 and 512"
RAGGED_TEST = "numbers of bodies that do not fill the last block: 513, 257 and 33"
FEW_TEST = "one body, and two bodies"
ORDERS = ["reverse", "random:1"]
PRINTED = "accelerations of 1,000 bodies"
# The most global memory that a tiled step may read, as a multiple of the solution's. Without a tile it would be a hundred times as
# much, which times do not show while caches hold all bodies. With a tile per warp it would be 8 times as much.
MOST_READS = 10
NEED_MANY = {"forces equal the FP64 direct sum", "forces are correct for every value of every option"}


def program_tests(arguments=()):
    """Returns tests of forces, and of what the checker reports in these and all other runs: races, bounds, uninitialised memory.
    """
    return [
        Test(MANY, points("forces of 1,000 bodies"), many_forces(arguments)),
        *last_tests(),
        Test(WHOLE_TEST, points("whole blocks"), forces(WHOLE, arguments=arguments)),
        Test(RAGGED_TEST, points("ragged blocks"), forces(RAGGED, arguments=arguments)),
        Test(f"{FEW_TEST}, and {LARGE:,}", points("few and many bodies"), forces([*FEW, LARGE], arguments=arguments, credit_of=min)),
        Test("threads in another order", points("another order of threads"), forces([BODIES], ORDERS, arguments)),
    ]


def whole_program_tests():
    """Returns the tests of a whole program. A report, for example of a leak, fails only its own test if the forces are correct.
    """
    return [
        Test(PRINTED, points(f"program, {PRINTED}"), forces([1000])),
        Test(RAGGED_TEST, points("program, ragged blocks"), forces(RAGGED)),
        Test(FEW_TEST, points("program, few bodies"), forces(FEW)),
        Test("threads in another order", points("program, another order of threads"), forces([1000], ORDERS), PRINTED),
        Test("the checker reports nothing", points("program, nothing reported"), lambda submission: submission.report(), PRINTED),
        Test("a CUDA call that fails ends the program", points("program, failing calls"),
             lambda submission: submission.unchecked(), PRINTED),
        *end_tests(),
    ]


def counted_tests(sizes, limits):
    """Returns the tests of a whole program that checks its own result: the result, and its counts. If the result is correct in spite of a
    report of the checker, the program earns a share of the points for both.
    """
    first, *others = sizes

    def counts(submission):
        return (submission.within(first, limits) if limits else submission.advice(first)) or submission.result(first)

    wanted = (" and ".join(f"at {side} {number} {name.replace('_', ' ')}" for name, side, number in limits)
              or "no line wastes sectors, wavefronts or atomic operations")
    return [
        Test(f"the result for {first} elements", points("counts, result"), results([first])),
        Test(f"the results for {listed(others)} elements", points("counts, other sizes"), results(others)),
        Test("threads in another order", points("counts, another order of threads"), if_correct(first, results([first], ORDERS))),
        Test(wanted, points("counts"), if_correct(first, counts)),
        Test("a CUDA call that fails ends the program", points("counts, failing calls"),
             lambda submission: without_credit(submission.result(first)) or submission.unchecked()),
        *end_tests(),
    ]


def settings_test(step):
    """Returns tests with every choice of options that showed a mistake of the corpus."""
    settings = settings_of(step)
    names = ", ".join(" ".join(arguments) for arguments in sorted(settings))
    return [Test(f"with {names}", points("options"), forces_with(dict(sorted(settings.items()))))] if settings else []


def accuracy_test(step, reference):
    name = "errors are those of the solution's method"
    return [Test(name, points("idea"), as_accurate(facts(step).accuracy, reference), MANY)] if facts(step).accuracy else []


def step_tests(step, reference, arguments=()):
    """Returns the tests of a whole step. arguments: of the runs for forces, if they differ from those of the shared tests"""
    shared = [Test(name, points(name), test_case(name), MANY if name in NEED_MANY else None) for name in SHARED]
    others = [*settings_test(step), *accuracy_test(step, reference)]
    return [*program_tests(arguments), *others, *shared]


def rank_tests(numbers, arguments):
    """Returns tests of forces with each of these numbers of ranks. They have fewer bodies, because ranks need more launches."""
    first, *others = ((*arguments, "--ranks", number) for number in numbers)
    few = f"forces of 400 bodies on {numbers[0]} ranks"
    return [
        Test(few, points("ranks, forces"), forces([400], arguments=first)),
        *last_tests(),
        Test("numbers of bodies that do not fill the last block: 257 and 33", points("ranks, ragged blocks"),
             forces([257, 33], arguments=first)),
        Test(FEW_TEST, points("ranks, few bodies"), forces(FEW, arguments=first)),
        Test("threads in another order", points("ranks, another order of threads"), forces([257], ORDERS, first), few),
        Test(f"on {listed(numbers[1:])} ranks", points("ranks, other numbers of ranks"), forces_with(dict.fromkeys(others, 399)), few),
    ]


def listed(words):
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def law_tests(law):
    """Returns tests of forces with another law than Newton's, which judge/law_test.cpp compares."""
    cases = [("forces of 600 random bodies", "many bodies", "many bodies"),
             (RAGGED_TEST, "ragged blocks", "ragged ends"),
             ("two bodies, and three", "few bodies", "few bodies")]
    tests = [Test(name, points(f"law, {line}"), test_case(f"{law}: {case}", "random:2")) for name, line, case in cases]
    return [*tests[:1], *last_tests(), *tests[1:]]


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
            problem = (f"'{text}' is not a number: " +
                       ("write a point instead of the comma" if re.fullmatch(r"\d+,\d+", text) else "replace it with your answer"))
        return Complaint(problem, (), ANSWERS, line) if problem else None

    return [Test(q.name, points("answer"), lambda _, q=q: check(q)) for q in questions]


def tests_of(step, exercise, reference):
    """Returns the tests of a built submission, without those of 0 points. exercise: None for the whole step; reference: a Submission
    of the solution
    """
    return [test for test in all_tests_of(step, exercise, reference) if test.points > 0]


def all_tests_of(step, exercise, reference):
    if exercise is None:
        held = facts(step).bodies_held
        reads = (MOST_READS, reference.forces) if held == 1 else (held / 2, reference.forces, ("--bodies-per-thread", f"{held}"))
        return [*step_tests(step, reference), *([reads_test(*reads)] if facts(step).is_tiled else [])]
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
        tests = [*program_tests(exercise.arguments), Test(without, points("the program without the new option"), forces([1000]))]
        changed = exercise.number_in("Changes reads")
        return tests + ([changed_reads_test(exercise.arguments, changed)] if changed else [])
    tests = step_tests(step, reference, exercise.arguments)
    if reads := exercise.number_in("Reads"):
        tests.append(reads_test(reads, reference.forces, exercise.arguments))
    if loops := exercise.words("Loops"):
        name = "the loop over the sources is the outer loop, and it is unrolled"
        tests.append(Test(name, points("idea"), nest_check(*loops), MANY))
    return tests


def judge(build, step):
    return build / step / f"{step}_judge"


def reference_submission(build, step):
    """Returns the build tree's own program as a trusted submission, because the users of the others may not read it."""
    program = build / step / f"{step}_submission"
    return Submission(step, build / step, program, judge(build, step), Sandbox("none"), seed=1)
