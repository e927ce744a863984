"""Writes what scores full marks for a step or an exercise into a folder: course_solution.py NN DIR"""

import sys
from pathlib import Path

from grade import task_of
from grade_build import source_texts
from programs import ROOT


def solution(task):
    """Text by file name."""
    step, exercise = task_of(task)
    return exercise.solution() if exercise else source_texts(ROOT / step, step)[0]


def main():
    task, folder = sys.argv[1:]
    for name, text in solution(task).items():
        (Path(folder) / name).write_text(text)


if __name__ == "__main__":
    main()
