"""Grades the starter and the solution of each exercise: no starter may score full, every solution must."""

import concurrent.futures
import json
import os
import tempfile
import time
from pathlib import Path

from common.base.command_line import ROOT
from common.grader.grading import grade_texts
from common.grader.reports.report import first_diagnosis

KEPT = ROOT / "docs" / "results" / "course" / "starters.json"


def judged(build, exercise, folder):
    """(line, whether all is as it must be, what is kept of the starter)."""
    starter, solution = (grade_texts(texts, folder / exercise.number / name, build, exercise.step, exercise)
                         for name, texts in (("starter", exercise.starter()), ("solution", exercise.solution())))
    said = first_diagnosis(starter)["text"]
    problems = []
    if starter["build"]["status"] != "passed":
        problems.append(f"the starter does not compile: {said}")
    if starter["score"] > 70:  # a submission that nobody has worked on
        problems.append(f"the starter scores {starter['score']}")
    if solution["score"] != 100:
        problems.append(f"the solution scores {solution['score']}: {first_diagnosis(solution)['text']}")
    scores = f"starter {starter['score']:5g}, solution {solution['score']:5g}"
    line = f"{exercise.number}  {exercise.kind:21} {scores}  {said}"
    kept = {"number": exercise.number, "score": starter["score"], "message": said}
    return "\n".join([line, *(f"     PROBLEM: {problem}" for problem in problems)]), not problems, kept


def check(exercises, build, record):
    """The exit status."""
    started = time.monotonic()
    right = True
    kept = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for line, fine, entry in pool.map(lambda exercise: judged(build, exercise, Path(folder)), exercises):
            print(line, flush=True)
            right = right and fine
            kept.append(entry)
    if record and right:
        KEPT.write_text(json.dumps({"starters": kept}, indent=1) + "\n")
    print(f"{len(exercises)} exercises, {time.monotonic() - started:.0f} s")
    return 0 if right and exercises else 1
