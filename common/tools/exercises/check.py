"""Grades the starter and the solution of each exercise: no starter may score full, every solution must.

Called by CTest and `.ci/run`; --one-of-each takes the first exercise of each kind.
"""

import argparse
import concurrent.futures
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from common.base.command_line import ROOT, OneLineParser
from common.grader.exercises.files import exercises
from common.grader.exercises.mutant_corpus import one_of_each_kind
from common.grader.grading import grade_texts
from common.grader.reports.report import diagnoses

KEPT = ROOT / "docs" / "results" / "course" / "starters.json"


def parse_options():
    parser = OneLineParser(prog="./run exercises", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("numbers", metavar="N.M", nargs="*", help="only these exercises [all]")
    parser.add_argument("--one-of-each", action="store_true", help="the first exercise of each kind")
    parser.add_argument("--record", action="store_true", help=f"keep what starters get as {KEPT.relative_to(ROOT)}")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "cpu-check", help=argparse.SUPPRESS)
    options = parser.parse_args()
    unknown = sorted(set(options.numbers) - {e.number for e in exercises()})
    if unknown:
        parser.error(f"no exercise '{unknown[0]}'; ./run exercises --list names them")
    if options.record and (options.numbers or options.one_of_each):
        parser.error("--record keeps all exercises: choose none")
    return options


def chosen(options):
    found = [e for e in exercises() if not options.numbers or e.number in options.numbers]
    return one_of_each_kind(found) if options.one_of_each else found


def first_text(result):
    return next((diagnosis["text"] for _, diagnosis in diagnoses(result)), "")


def judged(options, exercise, folder):
    """(line, whether all is as it must be, what is kept of the starter)."""
    starter, solution = (grade_texts(texts, folder / exercise.number / name, options.build, exercise.step, exercise)
                         for name, texts in (("starter", exercise.starter()), ("solution", exercise.solution())))
    problems = []
    if starter["build"]["status"] != "passed":
        problems.append(f"the starter does not compile: {first_text(starter)}")
    if starter["score"] > 70:  # a submission that nobody has worked on
        problems.append(f"the starter scores {starter['score']}")
    if solution["score"] != 100:
        problems.append(f"the solution scores {solution['score']}: {first_text(solution)}")
    said = first_text(starter)
    scores = f"starter {starter['score']:5g}, solution {solution['score']:5g}"
    line = f"{exercise.number}  {exercise.kind:21} {scores}  {said}"
    kept = {"number": exercise.number, "score": starter["score"], "message": said}
    return "\n".join([line, *(f"     PROBLEM: {problem}" for problem in problems)]), not problems, kept


def main():
    options = parse_options()
    started = time.monotonic()
    right = True
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = chosen(options)
        kept = []
        for line, fine, entry in pool.map(lambda exercise: judged(options, exercise, Path(folder)), found):
            print(line, flush=True)
            right = right and fine
            kept.append(entry)
    if options.record and right:
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        KEPT.write_text(json.dumps({"starters": kept}, indent=1) + "\n")
    print(f"{len(found)} exercises, {time.monotonic() - started:.0f} s")
    return 0 if right and found else 1


if __name__ == "__main__":
    sys.exit(main())
