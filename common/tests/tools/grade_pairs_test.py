"""Kernels with two mistakes: mending one never lowers the points, and raises them unless the other mistake hides it. Arguments: the
build tree, a step or an exercise, and the number of pairs of its mutants, 0 for all.

A pair of a step takes less than a second of a core, because twelve are compiled as one file, and each test has one run.
"""

import concurrent.futures
import functools
import os
import random
import re
import sys
import tempfile
import unittest
from pathlib import Path

from common.base.command_line import ROOT
from common.grader import checks, grade, grading, runs, tests
from common.grader.build import SOURCES, SubmissionBuild
from common.grader.exercises import mutant_corpus
from common.grader.exercises.patches import BadFile, source_text
from common.grader.sandbox import judging, limited_run
from common.grader.sandbox.sandbox import Sandbox
from common.grader.step_build import OPENED
from common.tools.exercises.grade_corpus import task_of

COUNT = int(sys.argv.pop())
TASK = STEP, EXERCISE = grade.task_of(sys.argv.pop())
BUILD = Path(sys.argv.pop()).resolve()
SEED = 70  # of the choice of pairs
# Each choice has this pair. A race hides that most sources are missing, so the points depend on forces without the race.
HARDEST = {"02_missing_second_barrier", "02_sum_of_the_last_tile"}
# Bodies that are never written hide how they are written. An access out of bounds, which is not done, hides that it races. Bodies
# that stay unsorted, or a search that leaves its array, hide an array that is read before it is written. Mending such a mistake
# uncovers another, which costs more.
UNCOVERING = {"02_grid_rounded_down", "03_first_body_only", "07_no_room_for_sums", "07_bodies_not_sorted", "07_search_past_the_end"}
# With these kinds of mistakes all forces are NaN, or no kernel runs. This hides any other mistake.
HIDING = {"softening left out", "root of a negative number", "uninitialised accumulator", "launch bounds below the block"}
# Share of all mends that may change nothing, because the other mistake hides the mended one.
HIDDEN = 0.15
MERGED = 12  # kernels that are compiled as one file
VARIANT = "NBODY_TEST_VARIANT"  # environment variable: which of them computes

# One run of each test, with small blocks and few bodies. Tests of one point are left out.
checks.all_points().update({name: 0 for name, points in checks.all_points().items() if points == 1})
BLOCK, BODIES, WHOLE, RAGGED, LARGE = 128, 260, 256, 129, 300
tests.WHOLE, tests.RAGGED, tests.FEW, tests.LARGE, tests.ORDERS = (WHOLE,), (RAGGED,), (1,), LARGE, ["reverse"]
limited_run.LOOK_SECONDS = judging.LOOK_SECONDS = 0.5  # because looks take a quarter of a grading's processor time
if not checks.facts(STEP).has_tree:
    checks.BODIES, tests.BODIES, checks.FULL = BODIES, BODIES, WHOLE
    settings_of = tests.settings_of
    # An odd number stays odd, because it shows a missing guard of a thread's second body.
    tests.settings_of = lambda step: {words: min(bodies, BODIES + bodies % 2) for words, bodies in settings_of(step).items()}
    block_option = runs.block_option
    runs.block_option = lambda step: [f"--block={BLOCK}"] if block_option(step) == ["--block=256"] else block_option(step)
os.environ["CCACHE_DISABLE"] = "1"
grading.reference_submission = functools.lru_cache(None)(grading.reference_submission)


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


def merged(many):
    """Returns a forces.cu that has all these versions of the step's files, one namespace for each. Its functions choose the version of
    $NBODY_TEST_VARIANT. None if another compiled file includes the changed ones too.
    """
    step = {str(path.relative_to(ROOT / STEP)): path.read_text() for path in (ROOT / STEP).rglob("*.*") if path.suffix in SOURCES}
    including = re.compile(rf'^#include "{STEP}/([^"]+)"\n', re.MULTILINE)
    own = {name for files in many for name, text in files if text != step[name]} | {"forces.cu"}
    while more := {name for name, text in step.items() if own.intersection(including.findall(text))} - own:
        own |= more
    if any(name.endswith((".cu", ".cpp")) for name in own - {"forces.cu", "tuned.cu"}):
        return None

    def whole(name, files, told):
        """Returns a file's text with those of `own` that it includes, each once."""
        told.add(name)
        def included(found):
            return found[0] if found[1] not in own else "" if found[1] in told else whole(found[1], files, told)
        text = including.sub(included, files.get(name, step[name]))
        return text.replace("#pragma once\n", "")

    def function(head, call):
        cases = "".join(f"case {n}: return {call.replace('OWN', f'variant{n}')};" for n in range(len(many)))
        return f'{head} {{ switch (std::atoi(std::getenv("{VARIANT}"))) {{ {cases} default: std::abort(); }} }}\n'
    space = OPENED.search(step["forces.cu"])[2]
    text = "".join(OPENED.sub(rf"\1{space}::variant{n}", whole("forces.cu", dict(files), set())) for n, files in enumerate(many))
    keeps, grows = "struct Workspace" in text, "bool lackedMemory" in text
    memory = "*static_cast<OWN::Workspace*>(w.own.get())"
    text += f"#include <cstdlib>\nnamespace {space} {{\n"
    if keeps:
        text += "struct Workspace { std::shared_ptr<void> own; };\n" + function(
            "std::shared_ptr<Workspace> makeWorkspace()", "std::make_shared<Workspace>(Workspace{OWN::makeWorkspace()})")
    if grows:
        text += function("bool lackedMemory(Workspace& w)", f"OWN::lackedMemory({memory})")
    more, and_memory = (", Workspace& w", f", {memory}") if keeps else ("", "")
    if "PhaseTimes* phases" in text:
        more, and_memory = more + ", PhaseTimes* p", and_memory + ", p"
    text += function(f"void computeForces(const DeviceArray<real4>& b, real s, const Options& o, DeviceArray<real4>& a{more})",
                     f"OWN::computeForces(b, s, o, a{and_memory})")
    return text + "}\n"


def of_result(entries):
    """Returns the score for the entries of a submission's tests, as graded() does."""
    nothing_new = any(entry.pop("nothing_new", False) for entry in entries)
    return grading.score_of(grading.counted(entries, grading.NOTHING_NEW if nothing_new else 1))


def graded(many):
    """Returns the points of each of these versions of the step's files."""
    with tempfile.TemporaryDirectory() as folder:
        text = merged(many) if len(many) > 1 else None
        if text is None:
            return [grading.grade_texts(dict(files), Path(folder) / str(n), BUILD, STEP, EXERCISE)["score"]
                    for n, files in enumerate(many)]
        none = Sandbox("none")
        program = SubmissionBuild(BUILD, STEP, none).program(folder, {"forces.cu": text})
        own, judge = tests.tests_of(STEP, None, grading.reference_submission(BUILD, STEP)), tests.judge(BUILD, STEP)
        submissions = [runs.Submission(STEP, program.parent, program, judge, none, seed=1, process={"settings": [f"{VARIANT}={n}"]})
                       for n in range(len(many))]
        return [of_result(grading.run_tests(own, submission)) for submission in submissions]


def points(all_files):
    """Returns {files: points}."""
    size = 1 if EXERCISE else MERGED
    parts = [all_files[n:n + size] for n in range(0, len(all_files), size)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return {files: score for part, scores in zip(parts, pool.map(graded, parts)) for files, score in zip(part, scores)}


class Pairs(unittest.TestCase):
    def test_each_mend_of_two_mistakes_raises_the_points(self):
        chosen = pairs()
        lower, equal = [], []
        singles = sorted({files_of(mutant) for one, other, _ in chosen for mutant in (one, other)})
        found = points([*singles, *(files for *_, files in chosen)])
        for one, other, files in chosen:
            for mended, left in ((one, other), (other, one)):
                now, then = found[files], found[files_of(left)]
                if mended.name not in UNCOVERING and then <= now:
                    text = f"{one.name} and {other.name}: {now}, only {left.name}: {then}"
                    (lower if then < now else equal).append(text)
                    print("lower" if then < now else "equal", text, flush=True)
        print(f"{2 * len(chosen)} mends: {len(lower)} lower the points, {len(equal)} change nothing", flush=True)
        self.assertEqual(lower, [])
        self.assertLessEqual(len(equal), max(1, HIDDEN * 2 * len(chosen)))

    @unittest.skipIf(EXERCISE, "each is graded by itself")
    def test_kernels_that_are_compiled_as_one_file_get_the_points_of_each_alone(self):
        two = [files for *_, files in pairs()[:2]]
        self.assertEqual(graded(two), [score for files in two for score in graded([files])])
