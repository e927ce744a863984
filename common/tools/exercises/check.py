"""Grades the starter and the solution of each exercise: no starter may score full, every solution must."""

import concurrent.futures
import json
import os
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

from common.base.command_line import ROOT
from common.grader.grade import graded
from common.grader.sandbox.sandbox import Sandbox

KEPT = ROOT / "docs" / "results" / "course" / "starters.json"


def one_of_each_kind(exercises):
    return list({exercise.kind: exercise for exercise in reversed(exercises)}.values())[::-1]


def submitted(build, step, exercise, files, folder):
    """The result of these files, text by name, as a submission that is made in the folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    request = SimpleNamespace(folder=folder, build=build.resolve(), gpu_build=None, seed=1, sandbox=Sandbox("none"))
    return graded(request, step, exercise)


def judged(build, exercise, folder):
    """(line, whether all is as it must be, what is kept of the starter)."""
    starter, solution = (submitted(build, exercise.step, exercise, files, folder / exercise.number / name)
                         for name, files in (("starter", exercise.starter()), ("solution", exercise.solution())))
    problems = []
    if starter["build"]["status"] != "passed":
        problems.append(f"the starter does not compile: {starter['build']['diagnosis']['text']}")
    if starter["score"] > 70:  # a submission that nobody has worked on
        problems.append(f"the starter scores {starter['score']}")
    if solution["score"] != 100:
        first = next(t for t in [solution["build"], *solution["tests"]] if t["status"] != "passed")
        problems.append(f"the solution scores {solution['score']}: {first['diagnosis']['text']}")
    said = next((t["diagnosis"]["text"] for t in starter["tests"] if "diagnosis" in t), "")
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
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        KEPT.write_text(json.dumps({"starters": kept}, indent=1) + "\n")
    print(f"{len(exercises)} exercises, {time.monotonic() - started:.0f} s")
    return 0 if right and exercises else 1
