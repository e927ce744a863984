"""Grades the mutants as if a student had submitted them: none may get full marks. Also grades correct kernels that
differ from the step's: each must get full marks.
"""

import argparse
import concurrent.futures
import os
import tempfile
from pathlib import Path

from common.base.command_line import BUILDS, ROOT
from common.grader.exercises import mutant_corpus
from common.grader.exercises.files import exercises
from common.grader.grading import grade_texts
from common.grader.reports.report import first_diagnosis
from common.tools.exercises.exercises import keep

KEPT = ROOT / "docs" / "results" / "course" / "mutants.json"


def add_arguments(parser):
    parser.add_argument("names", nargs="*", metavar="NAME", help="grade only these kernels (default: all)")
    parser.add_argument("--record", action="store_true", help="keep the grades and reports for the instructor's guide in "
                        f"{KEPT.relative_to(ROOT)}; those of kernels that are not given stay as they are")
    parser.add_argument("--build", type=Path, default=BUILDS / "cpu-check", help=argparse.SUPPRESS)


def task_of(mutant):
    """Returns (step, exercise or None) for which the mutant is graded; None for a tuned.cu, or ranks without an exercise."""
    if not mutant.whole_program and not mutant.ranks:
        return (mutant.step, None) if mutant.program == mutant.step else None
    asked = [e for e in exercises() if (mutant.ranks and mutant.name in e.mistakes)
             or (e.program and f"{e.step}/{e.program}" == mutant.whole_program)]
    return (mutant.step, asked[0]) if asked else None


def entry_of(options, mutant):
    """Returns the entry of one mutant, or correct kernel: its score, and the first line of the report."""
    step, exercise = task_of(mutant) if isinstance(mutant, mutant_corpus.Mutant) else (mutant.step, None)
    with tempfile.TemporaryDirectory() as folder:
        own = exercise.solution() if exercise else {"forces.cu": (ROOT / step / "forces.cu").read_text()}
        result = grade_texts({**own, **mutant.sources()}, Path(folder), options.build, step, exercise)
    first = first_diagnosis(result)
    return {"name": mutant.name, "step": mutant.step, "score": result["score"], "message": first["text"],
            "file": first["file"], "line": first["line"]}


def run(options):
    mutants = [m for m in mutant_corpus.corpus() if task_of(m) and (not options.names or m.name in options.names)]
    right = {k.name: k for k in mutant_corpus.right_kernels() if not options.names or k.name in options.names}
    entries = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for entry in pool.map(lambda mutant: entry_of(options, mutant), [*mutants, *right.values()]):
            entries.append(entry)
            place = f"{entry['file']}:{entry['line']}" if entry["line"] else entry["file"] or ""
            print(f"{entry['name']:38} {entry['score']:5g}  {place:18} {entry['message']}", flush=True)
    fine = {*right, *(m.name for m in mutants if m.gap)}  # nothing finds these
    full = [entry["name"] for entry in entries if entry["score"] == 100 and entry["name"] not in fine]
    less = [entry["name"] for entry in entries if entry["score"] < 100 and entry["name"] in right]
    print(f"{len(mutants)} mutants, {len(full)} with full marks {' '.join(full)}")
    print(f"{len(right)} correct kernels, {len(less)} with less {' '.join(less)}")
    if options.record:
        keep(KEPT, "mutants", "name", [entry for entry in entries if entry["name"] not in right],
             [mutant.name for mutant in mutant_corpus.corpus() if task_of(mutant)])
    return 1 if full or less or not entries else 0
