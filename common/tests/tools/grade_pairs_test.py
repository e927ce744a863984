"""Kernels with two mistakes: mending one never lowers the points, and raises them unless the other mistake hides it. Arguments: the
build tree, a step or an exercise, and the number of pairs of its mutants, 0 for all.
"""

import concurrent.futures
import functools
import os
import random
import sys
import tempfile
import unittest
from pathlib import Path

from common.grader import build, grade, runs, tests
from common.grader.exercises import mutant_corpus
from common.grader.exercises.patches import BadFile, source_text
from common.grader.grading import grade_texts
from common.grader.sandbox import judging, limited_run
from common.tools.exercises.grade_corpus import task_of

COUNT = int(sys.argv.pop())
TASK = STEP, EXERCISE = grade.task_of(sys.argv.pop())
BUILD = Path(sys.argv.pop()).resolve()
SEED = 70  # of the choice of pairs
# Each choice has this pair. A race hides that most sources are missing, so the points depend on forces without the race.
HARDEST = {"02_missing_second_barrier", "02_sum_of_the_last_tile"}
LARGE = 300  # bodies instead of the 1,500 of the last sizes, which take as long as all others
tests.LARGE = LARGE
limited_run.LOOK_SECONDS = judging.LOOK_SECONDS = 0.5  # because looks take a quarter of a grading's processor time
# Bodies that are never written hide how they are written. Mending this uncovers a race or an access out of bounds, which costs more.
UNCOVERING = {"03_first_body_only"}
# All forces are NaN with these kinds of mistakes, which hides any other.
HIDING = {"softening left out", "root of a negative number", "uninitialised accumulator"}
# Share of all mends that may change nothing, because the other mistake hides the mended one.
HIDDEN = 0.15


@functools.lru_cache(None)
def mutants():
    """Returns the mutants that the grader can notice: all of an exercise, one of each kind of a step."""
    kinds = {}
    for mutant in mutant_corpus.corpus():
        if task_of(mutant) == TASK and mutant.kind not in HIDING and not mutant.gap:
            kinds.setdefault(mutant.name if EXERCISE else mutant.kind, mutant)
    return list(kinds.values())


def pairs():
    """Returns (one, other, sources with both mistakes) of mutants that change different lines."""
    found = []
    all_of_them = mutants()
    for n, one in enumerate(all_of_them):
        for other in all_of_them[n + 1:]:
            try:
                found.append((one, other, files_of(one, other)))
            except BadFile:
                continue
    hardest = [pair for pair in found if {pair[0].name, pair[1].name} == HARDEST]
    others = [pair for pair in found if pair not in hardest]
    return hardest + random.Random(SEED).sample(others, COUNT - len(hardest)) if COUNT else found


@functools.lru_cache(None)
def correct_files():
    """Returns the solution, and all files that any mutant changes, texts by name."""
    files = EXERCISE.solution() if EXERCISE else {"forces.cu": source_text(STEP, "forces.cu")}
    return {**{name: text for mutant in mutants() for name, text in mutant.originals().items()}, **files}


def files_of(*chosen):
    """Returns (name, text) of the files with these mistakes."""
    files = correct_files()
    for mutant in chosen:
        files = mutant.sources(files)
    return tuple(files.items())


@functools.lru_cache(None)
def points(files):
    with tempfile.TemporaryDirectory() as folder:
        return grade_texts(dict(files), Path(folder), BUILD, STEP, EXERCISE)["score"]


class Pairs(unittest.TestCase):
    def test_each_mend_of_two_mistakes_raises_the_points(self):
        chosen = pairs()
        lower, equal = [], []
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            singles = sorted({files_of(mutant) for one, other, _ in chosen for mutant in (one, other)})
            list(pool.map(points, singles))
            for (one, other, _), now in zip(chosen, pool.map(points, [files for *_, files in chosen])):
                for mended, left in ((one, other), (other, one)):
                    if mended.name in UNCOVERING:
                        continue
                    then = points(files_of(left))
                    if then <= now:
                        text = f"{one.name} and {other.name}: {now}, only {left.name}: {then}"
                        (lower if then < now else equal).append(text)
                        print("lower" if then < now else "equal", text, flush=True)
        print(f"{2 * len(chosen)} mends: {len(lower)} lower the points, {len(equal)} change nothing", flush=True)
        self.assertEqual(lower, [])
        self.assertLessEqual(len(equal), max(1, HIDDEN * 2 * len(chosen)))
