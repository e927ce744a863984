"""Writes what scores full marks for a step or an exercise into a folder: course_solution.py NN DIR"""

import sys

from common.base.command_line import ROOT
from common.grader.build import source_texts
from common.grader.grade import task_of
from common.grader.step_build import write_files


def solution(task):
    """Text by file name."""
    step, exercise = task_of(task)
    return exercise.solution() if exercise else source_texts(ROOT / step, step)[0]


if __name__ == "__main__":
    write_files(sys.argv[2], solution(sys.argv[1]))
