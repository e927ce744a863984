"""Builds and tests one submission. The result is one document, from which all reports are made."""

import argparse
import codecs
import concurrent.futures
import math
import os
import random
import time

from common.base.command_line import ROOT
from common.grader import runs, seen, speed
from common.grader.build import SOURCE_BYTES, SubmissionBuild, source_texts
from common.grader.complaints import Complaint, DoesNotBuild
from common.grader.runs import Budget, Stopped, Submission
from common.grader.exercises.files import ANSWERS, FORCES
from common.grader.reports.report import TIME_LEFT, bounded, diagnosis_of, some_of
from common.grader.same_text import handed_out
from common.grader.sandbox.sandbox import Sandbox
from common.grader.step_build import write_files
from common.grader.tests import answer_tests, judge, reference_submission, tests_of
from common.grader.whole_program import ProgramBuild, ProgramSubmission
from common.grader.work_folder import work_folder

ANSWERS_BYTES = 64 << 10
MOST = 100  # points of a submission
NOTHING_NEW = 0.25  # share of its points that a kernel keeps which does not have the step's idea, or was handed out


def needed(exercise):
    """Returns the files that must be handed in: all that the student was given, because the step's own are the solution."""
    return list(exercise.starter()) if exercise else [FORCES]


def unearned(test):
    """Returns the entry of a test without points."""
    return {"name": test.name, "points": 0, "max_points": test.points, "status": "failed"}


def run_test(test, submission, failed=()):
    """Runs a test. Returns its entry of the result. failed: names of tests that have failed"""
    started = time.monotonic()
    entry = unearned(test)
    if test.needs in failed:
        return {**entry, "status": "not run", "diagnosis": {"text": f"not run, because the test '{test.needs}' failed"}}
    try:
        found = test.check(submission)
    except Stopped:
        return {**entry, "status": "not run", "diagnosis": {"text": f"not run, because {TIME_LEFT}"}}
    if found is None:
        entry.update(points=test.points, status="passed")
    else:
        entry.update(points=test.points * found.credit, diagnosis=diagnosis_of(found), nothing_new=found.nothing_new)
    return {**entry, "seconds": round(time.monotonic() - started, 2)}


def run_tests(tests, submission, jobs=1):
    """Returns the entries of the tests. The first runs alone, because others need it; then `jobs` tests run at the same time; the
    last ones look at all runs.
    """
    entries = {tests[0]: run_test(tests[0], submission)}
    failed = {tests[0].name} if entries[tests[0]]["status"] != "passed" else set()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        others = [test for test in tests[1:] if not test.is_last]
        entries.update(zip(others, pool.map(lambda test: run_test(test, submission, failed), others)))
    return [entries.get(test) or run_test(test, submission) for test in tests]


def shares(weights):
    """Returns whole points in proportion to the weights, which sum to MOST. The largest remainders round up."""
    exact = [MOST * weight / math.fsum(weights) for weight in weights]
    found = [math.floor(value) for value in exact]
    by_remainder = sorted(range(len(exact)), key=lambda n: found[n] - exact[n])
    for n in by_remainder[:MOST - sum(found)]:
        found[n] += 1
    return found


def counted(tests, kept=1):
    """Returns the tests' entries with their points of MOST. The most points of a test depend only on the task, never on the
    submission. kept: share of the points that count
    """
    mosts = shares([test["max_points"] for test in tests])
    return [{**test, "points": rounded(kept * most * test["points"] / test["max_points"]), "max_points": most}
            for test, most in zip(tests, mosts)]


def rounded(points):
    """Returns points with at most one digit after the point, rounded down."""
    tenths = math.floor(10 * points + 1e-6)
    return tenths // 10 if tenths % 10 == 0 else tenths / 10


def score_of(tests):
    """Returns the score of counted() tests."""
    return rounded(round(math.fsum(test["points"] for test in tests), 1))


def asked_for(exercise, texts, ignored):
    """Returns the texts by name, and the names of unused files. With ranks, only files of the exercise are used."""
    if not exercise or not exercise.words("Ranks"):
        return texts, ignored
    asked = {name: text for name, text in texts.items() if name in needed(exercise)}
    return asked, sorted([*ignored, *(texts.keys() - asked.keys())])


def check_files(folder, step, names, texts):
    """Checks that files that must be handed in are used, and that none of the step's files is empty."""
    for name, text in texts.items():
        if not text.strip() and (name in names or (ROOT / step / name).exists()):
            raise DoesNotBuild(Complaint(f"{name} is empty"))
        if text.startswith("PK\3\4"):
            raise DoesNotBuild(Complaint(f"{name} is a zip archive: hand in the file that is in it"))
        if "\0" in text:
            raise DoesNotBuild(Complaint(f"{name} is not text in UTF-8, which compilers read: save it as UTF-8"))
    for name in names:
        if name in texts:
            continue
        link = os.path.realpath(folder / name) != os.path.join(os.path.realpath(folder), name)
        raise DoesNotBuild(Complaint(f"{name} is a link: hand in the file itself" if link else
                                     f"{name} must be a file of at most {SOURCE_BYTES >> 20} MiB"))


def answers_text(folder):
    """Returns the text of answers.txt; empty if it is not a file, or longer than anyone would write by hand."""
    path = folder / ANSWERS
    whole = not path.is_symlink() and path.is_file() and path.stat().st_size <= ANSWERS_BYTES
    if not whole:
        return ""
    answers = path.read_bytes()  # Notepad and PowerShell begin a file with a mark of its encoding
    return answers.decode("utf-16" if answers.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig", errors="replace")


def jobs_of(options):
    """Returns how many runs may be at the same time. With --user only one, because programs of one user could end each other.
    """
    return options.jobs if options.sandbox and options.sandbox.mode != "user" else 1


def built(options, step, exercise, texts, folder, seed):
    """Returns the Submission of these sources. Its files are under `folder`."""
    budget = Budget(runs.SECONDS)
    if exercise and exercise.program:
        nonce = random.SystemRandom().randrange(1 << 63)
        program = ProgramBuild(options.build, step, options.sandbox, jobs_of(options)).program(folder, texts, exercise.program, nonce)
        return ProgramSubmission(step, program.parent, program, judge(options.build, step), options.sandbox, seed,
                                 nonce, exercise.program, budget)
    program = SubmissionBuild(options.build, step, options.sandbox, jobs_of(options)).program(folder, texts)
    if not exercise:
        return Submission(step, program.parent, program, judge(options.build, step), options.sandbox, seed, files=tuple(texts), budget=budget)
    return Submission(step, program.parent, program, judge(options.build, step), options.sandbox, seed, exercise.main, tuple(texts),
                      *exercise.parts(texts), frozenset(exercise.words("Adds")), budget)


def graded(options, step, exercise):
    """Grades a submission. Returns one document, from which all reports are made. options.page: the file in which a wrong one
    gets the page of its kernels (seen.py); None: no page"""
    started = time.monotonic()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 31)
    result = {"step": step, "exercise": exercise.number if exercise else None, "submission": str(options.folder),
              "seed": seed, "isolation": options.sandbox and options.sandbox.isolation, "build": {"status": "passed"},
              "ignored_files": [], "tests": [], "speed": None, "same_as": None}
    if options.page:
        options.page.unlink(missing_ok=True)
    with work_folder() as folder:
        folder.chmod(0o711)  # another user may run programs in it
        submission = None
        if exercise and exercise.questions:
            tests = answer_tests(exercise.questions, answers_text(options.folder))
        else:
            texts, ignored = asked_for(exercise, *source_texts(options.folder, step, needed(exercise)))
            result["ignored_files"] = some_of(ignored)
            result["same_as"] = handed_out(texts, step, exercise)
            tests = tests_of(step, exercise, reference_submission(options.build, step))
            try:
                check_files(options.folder, step, needed(exercise), texts)
                submission = built(options, step, exercise, texts, folder / "cpu", seed)
            except DoesNotBuild as error:
                result["build"] = {"status": "failed", "diagnosis": diagnosis_of(error.complaint)}
        if result["build"]["status"] == "failed":
            result["tests"] = [{**unearned(test), "status": "not run"} for test in tests]
        else:
            result["tests"] = run_tests(tests, submission, jobs_of(options))
            is_wrong = submission and any(test["status"] == "failed" for test in result["tests"])
            if options.page and is_wrong and not (exercise and exercise.words("Ranks")):
                seen.write(options.page, submission, exercise, texts, folder)
        if options.gpu_build and submission and not (exercise and exercise.fields.keys() & {"Law", "Program", "Ranks"}):
            result["speed"] = speed.graded(options.gpu_build, options.sandbox, step, texts, folder / "gpu", result,
                                           seed)
    nothing_new = any(test.pop("nothing_new", False) for test in result["tests"])
    if result["same_as"] is None and nothing_new:
        result["same_as"] = "without a tile, the kernel reads as much global memory as that of step 01"
    result["tests"] = counted(result["tests"], NOTHING_NEW if result["same_as"] else 1)
    result.update(score=score_of(result["tests"]), max_score=MOST)
    return bounded({**result, "seconds": round(time.monotonic() - started, 1)})


def grade_folder(folder, build, step, exercise=None, sandbox=Sandbox("none"), seed=1, jobs=1, page=None):
    """Returns the result without a speed. page: as for graded()"""
    options = argparse.Namespace(folder=folder, build=build.resolve(), gpu_build=None, seed=seed, sandbox=sandbox,
                                 jobs=jobs, page=page)
    return graded(options, step, exercise)


def grade_texts(texts, folder, *task, **others):
    """Writes texts, by file name, into the folder and grades it."""
    write_files(folder, texts)
    return grade_folder(folder, *task, **others)
