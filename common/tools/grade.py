"""The command `grade`: the grader's own, once what it needs is built."""

from common.grader import grade
from common.tools.build import build_for_grading

__doc__ = grade.__doc__
add_arguments = grade.add_arguments


def run(options):
    return grade.run(options, build_for_grading)
