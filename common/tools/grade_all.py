"""The command `grade-all`: the grader's own, once what it needs is built."""

from common.grader.classes import grade_all
from common.tools.build import build_for_grading

__doc__ = grade_all.__doc__
add_arguments = grade_all.add_arguments


def run(options):
    return grade_all.run(options, build_for_grading)
