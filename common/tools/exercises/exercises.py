"""Writes the starters of the puzzles and exercises into DIR, each in its own folder: the files you begin with, and for an
exercise a README.md that has the task. A puzzle, p1 to p10, has its task in its file; ./run cuda --see FILE.cu checks it.

For instructors, --check grades the exercises themselves: every starter must fail, and every solution must pass.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shlex
import tempfile
import time
from pathlib import Path

from common.base.command_line import ROOT, BadInput, nearest, shown_path
from common.base.whole_file import whole_folders
from common.grader.exercises.files import exercises
from common.grader.exercises.mutant_corpus import one_of_each
from common.grader.grade import LISTED, named_files
from common.grader.grading import grade_texts
from common.grader.reports.report import first_diagnosis
from common.grader.step_build import write_files
from common.tools.build import EXECUTOR, built, for_grading
from common.tools.exercises.puzzles import Puzzle, puzzles

STARTERS = ROOT / "docs" / "results" / "course" / "starters.json"


def readme(exercise, folder):
    """Returns the page in the folder that a student reads first. Each hint is folded."""
    where = shlex.quote(shown_path(folder))
    hints = "\n\n".join(f"<details><summary>Hint {n}</summary>\n\n{hint}\n\n</details>"
                        for n, hint in enumerate(exercise.hints, 1))
    files = ", ".join(f"`{name}`" for name in exercise.starter())
    about = f"{exercise.kind.capitalize()}; about {exercise.fields['Minutes']} minutes."
    return (f"# {exercise.number}: {exercise.title}\n\n{about} Hand in {files} from this folder.\n\n"
            f"{exercise.sections['Task'].replace(f'my/{exercise.number}', where)}\n\n"
            f"Check it: `./run grade {exercise.number} {where}`\n\n"
            f"{hints}\n")


def add_arguments(parser):
    parser.add_argument("words", metavar="DIR [N.M...]", nargs="*", help="the folder, and which exercises (default: all), for "
                        "example: work p1 2.1; with --check or --list, give only numbers and no DIR")
    parser.add_argument("--list", action="store_true", help="list the exercises, and write nothing")
    parser.add_argument("--check", action="store_true", help="grade starters and solutions, and write nothing")
    parser.add_argument("--one-of-each", action="store_true", help="with --check: only the first exercise of each kind")
    parser.add_argument("--record", action="store_true", help="with --check: keep the grades of the starters for the "
                        "documentation; the recorded grades of all other exercises stay unchanged")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)


def chosen(numbers, *more):
    """Returns the exercises, and others, with these numbers; all if there is none."""
    known = {one.number: one for one in [*more, *exercises()]}
    unknown = sorted(set(numbers) - set(known))
    if unknown:
        raise BadInput(f"no exercise '{unknown[0]}'" + (nearest(unknown[0], known) or LISTED))
    return [exercise for number, exercise in known.items() if not numbers or number in numbers]


@named_files()
def write_all(folder, wanted):
    # Files that a student has begun are never overwritten.
    there = [folder / e.number for e in wanted if (folder / e.number).exists()]
    if there:
        raise BadInput(f"{there[0]} already exists; move it away, or name another folder")
    with whole_folders([*(folder / exercise.number for exercise in wanted), folder]):
        for exercise in wanted:
            task = {} if isinstance(exercise, Puzzle) else {"README.md": readme(exercise, folder / exercise.number)}
            write_files(folder / exercise.number, {**task, **exercise.starter()})
    print(f"{len(wanted)} starter{'' if len(wanted) == 1 else 's'} written to {folder}")


def keep(file, part, key, entries, order):
    """Renews a part of a record: replaces entries with the same key. order: keys of all entries that may stay"""
    kept = {entry[key]: entry for entry in [*json.loads(file.read_text())[part], *entries]}
    file.write_text(json.dumps({part: [kept[name] for name in order if name in kept]}, indent=1) + "\n")


def judged(build, exercise, folder):
    """Returns (line, whether all is as it must be, what is recorded about the starter)."""
    starter, solution = (grade_texts(texts, folder / exercise.number / name, build, exercise.step, exercise)
                         for name, texts in (("starter", exercise.starter()), ("solution", exercise.solution())))
    # Not that it was handed out, which is true of each starter.
    said = first_diagnosis({**starter, "same_as": None})["text"]
    problems = []
    if starter["build"]["status"] != "passed":
        problems.append(f"the starter does not compile: {said}")
    if starter["score"] > 70:  # a submission without any work
        problems.append(f"the starter scores {starter['score']}")
    if solution["score"] != 100:
        problems.append(f"the solution scores {solution['score']}: {first_diagnosis(solution)['text']}")
    scores = f"starter {starter['score']:5g}, solution {solution['score']:5g}"
    line = f"{exercise.number}  {exercise.kind:21} {scores}  {said}"
    kept = {"number": exercise.number, "score": starter["score"], "message": said}
    return "\n".join([line, *(f"     PROBLEM: {problem}" for problem in problems)]), not problems, kept


def check(options):
    """Grades starters and solutions. Returns the exit status."""
    wanted = chosen(options.words)
    if options.one_of_each:
        wanted = one_of_each(wanted, "kind")
    programs = sorted({program for exercise in wanted for program in for_grading(exercise.step, exercise)})
    build = options.build or built("cpu-check", *programs, *EXECUTOR)
    started, right, kept = time.monotonic(), True, []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for line, fine, entry in pool.map(lambda exercise: judged(build, exercise, Path(folder)), wanted):
            print(line, flush=True)
            right = right and fine
            kept.append(entry)
    if options.record and right:
        keep(STARTERS, "starters", "number", kept, [exercise.number for exercise in exercises()])
    print(f"{len(wanted)} exercises, {time.monotonic() - started:.0f} s")
    return 0 if right and wanted else 1


def run(options):
    if options.check:
        return check(options)
    if options.one_of_each or options.record:
        raise BadInput("--one-of-each and --record are for --check")
    if options.list:
        for e in chosen(options.words, *puzzles()):
            kind, minutes = ("puzzle", e.minutes) if isinstance(e, Puzzle) else (e.kind, e.fields["Minutes"])
            print(f"{e.number:4} {kind:22} {minutes:>4} min  {e.title}")
        return 0
    if not options.words:
        raise BadInput("say which folder the starters go to: ./run exercises DIR")
    if re.fullmatch(r"p\d+|\d+\.\d+", options.words[0]):
        raise BadInput(f"'{options.words[0]}' is an exercise's number; say first which folder: ./run exercises DIR {options.words[0]}")
    return write_all(Path(options.words[0]), chosen(options.words[1:], *puzzles()))
