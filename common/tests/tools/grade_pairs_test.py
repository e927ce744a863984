"""Kernels with two mistakes: mending one never lowers the points, and raises them unless the other mistake hides it. Arguments: the
build tree, the step, and the number of pairs of the step's mutants, 0 for all.
"""

import concurrent.futures
import functools
import os
import random
import sys
import tempfile
import unittest
from pathlib import Path

from common.grader.exercises import mutant_corpus
from common.grader.exercises.patches import BadFile, source_text
from common.grader.grading import grade_texts

COUNT = int(sys.argv.pop())
STEP = sys.argv.pop()
BUILD = Path(sys.argv.pop()).resolve()
SEED = 70  # of the choice of pairs
# All forces are NaN with these kinds of mistakes, which hides any other.
HIDING = {"softening left out", "root of a negative number", "uninitialised accumulator"}
# Mends of the second barrier that are known to lower the points, by 3 to 5. Spoilt by a race, a force counts four fifths; without the
# race it counts by the share of the sources that are correct, and these mistakes leave out or repeat most of them.
KNOWN = {f"02_missing_second_barrier and {name}" for name in ("02_sum_of_the_last_tile", "02_tiles_half_apart", "02_warp_of_the_tile")}
# Share of all mends that may change nothing, because the other mistake hides the mended one.
HIDDEN = 0.15


def mutants():
    """Returns one mutant of each kind that the grader can notice."""
    kinds = {}
    for mutant in mutant_corpus.corpus():
        if mutant.step == STEP and mutant.kind not in HIDING and not (mutant.gap or mutant.lines):
            kinds.setdefault(mutant.kind, mutant)
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
    return random.Random(SEED).sample(found, COUNT) if COUNT else found


def files_of(*chosen):
    """Returns (name, text) of the step's kernel files with these mistakes, all files that any mutant changes."""
    names = sorted({"forces.cu", *(name for mutant in mutants() for name in mutant.originals())})
    files = {name: source_text(STEP, name) for name in names}
    for mutant in chosen:
        files = mutant.sources(files)
    return tuple(files.items())


@functools.lru_cache(None)
def points(files):
    with tempfile.TemporaryDirectory() as folder:
        return grade_texts(dict(files), Path(folder), BUILD, STEP)["score"]


class Pairs(unittest.TestCase):
    def test_each_mend_of_two_mistakes_raises_the_points(self):
        chosen = pairs()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            singles = sorted({files_of(mutant) for one, other, _ in chosen for mutant in (one, other)})
            list(pool.map(points, singles))
            both = list(pool.map(points, [files for *_, files in chosen]))
        lower, equal = [], []
        for (one, other, _), now in zip(chosen, both):
            for left in (one, other):
                mended = points(files_of(left))
                if mended <= now:
                    (lower if mended < now else equal).append(f"{one.name} and {other.name}: {now}, only {left.name}: {mended}")
        print(f"{2 * len(chosen)} mends: {len(lower)} lower the points, {len(equal)} change nothing", *lower, "", *equal, sep="\n")
        self.assertEqual([one for one in lower if one.partition(":")[0] not in KNOWN], [])
        self.assertLessEqual(len(equal), max(1, HIDDEN * 2 * len(chosen)))
