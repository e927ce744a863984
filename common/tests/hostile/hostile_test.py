"""Grades the hostile submissions: none may score too much, outlive its limit or change the host.

BUILD [NAME...]          grades all, or these
BUILD --trust [NAME...]  grades those that may run without isolation: each attack must then succeed

It is called by `python3 common/tools tests.hostile.hostile_test`.
"""

import concurrent.futures
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

from common.base.command_line import ROOT, script
from common.grader import build as grade_build, runs, whole_program
from common.grader.grade import task_of
from common.grader.grading import grade_folder
from common.grader.reports.report import LONGEST_RESULT, diagnoses, printed
from common.grader.sandbox import judging
from common.grader.sandbox.sandbox import NoSandbox, Sandbox
from common.tests.hostile.host_state import LEFT, HostState, Place, adopt_orphans
from common.tests.hostile.hostile_submissions import Hostile, hostile_submissions, written

SEED = 20250
# Short limits, because many submissions run until theirs.
runs.RUN_SECONDS, runs.SECONDS = 4, 30
SECONDS_OF_CORRECT = 30, 60  # none of them needs as long if a core is free
MEMORY_OF_CORRECT = runs.MEMORY  # each of several ranks is a thread with its own heap
grade_build.SECONDS = 15
grade_build.MEMORY = 2 << 30
runs.MEMORY = whole_program.MEMORY = judging.MEMORY = 1 << 30
judging.END_SECONDS = 0.2
LONGEST = 45  # seconds per submission: a compilation, and the runs up to one that does not end
SCRIPTS = 2  # of a page of kernels
USERS = Path("/etc/passwd").read_text().splitlines()[0]
# Attacks that the snapshot must see, or that must earn points, without isolation. Otherwise the test would never see any.
CONTROLS = {"writes_results", "caches_on_disk", "reads_reference"}


def graded(place, hostile, sandbox):
    """Returns the result, and the problems with it and its grading."""
    folder = place.folder / hostile.name
    task = task_of(hostile.task)
    sources = "".join(file.read_text() for file in (ROOT / task[0]).glob("*.cu"))
    namespace = re.search(r"^namespace .*NBODY_PRECISION::(\w+)", sources, re.MULTILINE)[1]
    written(hostile, folder, place.target + f"#define NBODY_STEP_NAMESPACE {namespace}\n")
    try:
        with tempfile.TemporaryDirectory() as outside:
            page = Path(outside) / "page.html"
            result = grade_folder(folder, place.build, *task, sandbox=sandbox, seed=SEED, page=page)
            shown = page.read_text() if page.exists() else None
        printed(result).encode()
        json.dumps(result)
    except Exception as error:  # the test looks for graders that fail
        return None, [f"{hostile.name}: the grader failed: {error!r}"]
    problems = []
    if sandbox.mode != "none" and not result["score"] <= hostile.most:
        problems.append(f"{hostile.name} scores {result['score']}, more than {hostile.most}")
    outside = [d["file"] for _, d in diagnoses(result) if d.get("file") and not os.path.lexists(folder / d["file"])]
    if outside or len(json.dumps(result)) > LONGEST_RESULT:
        problems.append(f"{hostile.name}: a report of {len(json.dumps(result))} bytes, at places outside: {outside}")
    if shown and (shown.count("<script") != SCRIPTS or "<img" in shown or USERS in shown):
        problems.append(f"{hostile.name}: its page runs its script, or shows a file of the machine")
    if hostile.name == "forged_recording" and not shown:
        problems.append(f"{hostile.name} has no page, so nothing was tested")
    if result["score"] < hostile.least:
        problems.append(f"{hostile.name}, which is correct, scores {result['score']}: {first_word(result)}")
    if sandbox.mode == "none" and not result["score"] >= hostile.trusted:
        problems.append(f"{hostile.name} earns {result['score']} where nothing stops it, not {hostile.trusted}: "
                        f"{first_word(result)}")
    if result["seconds"] > LONGEST:
        problems.append(f"{hostile.name} took {result['seconds']} s")
    return result, problems


def first_word(result):
    """Returns the first line of the report, and also the last one if only the compiler failed."""
    diagnoses = [t["diagnosis"] for t in [result["build"], *result["tests"]] if "diagnosis" in t]
    if not diagnoses:
        return ""
    failed = diagnoses[0]["text"] == "the compiler failed"
    return ": ".join([diagnoses[0]["text"], *(diagnoses[0]["details"][-1:] if failed else ())])


def graded_all(place, submissions, sandbox):
    """Grades submissions, two at a time, and returns the problems."""
    problems = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for hostile, (result, found) in zip(submissions, pool.map(lambda h: graded(place, h, sandbox), submissions)):
            problems += found
            if result:
                print(f"{hostile.name:26} {result['score']:5g} {result['seconds']:5.1f} s  {first_word(result)}", flush=True)
    return problems


def watched(build, submissions, sandbox):
    """Grades submissions between two snapshots, and returns (problems, differences)."""
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        place = Place(folder, build)
        os.environ["NBODY_HOSTILE_CANARY"] = str(place.canary)
        before = place.state()
        problems = graded_all(place, submissions, sandbox)
        changes = place.state().changes(before)
        place.close()
    return problems, changes


def trusted(build, submissions):
    """Returns problems without a sandbox: attacks that earn nothing, and changes that the snapshot did not see."""
    problems, changes = watched(build, submissions, Sandbox("none"))
    seen = "\n".join(changes)
    for path in HostState((), build).left:
        Path(path).unlink()
    names = {hostile.name for hostile in submissions}
    if "writes_results" in names and "score" not in seen:
        problems.append("the snapshot does not see a canary that was written")
    if "caches_on_disk" in names and LEFT not in seen:
        problems.append("the snapshot does not see files that are left")
    return problems


def command_problems(build):
    """Returns problems with grading a folder whose name has all characters that are special in a shell or terminal."""
    with tempfile.TemporaryDirectory(prefix="hostile-") as outside:
        folder = Path(outside, os.fsdecode(b"-x $(touch hostile-left) 'a' \"b\"\n\x1b[2J\xff"))
        written(next(h for h in hostile_submissions() if h.name == "crash"), folder, "#error no target\n")
        result = subprocess.run([*script("grader.grade"), "02", folder, "--build", build,
                                 "--json", folder / "result.json"], capture_output=True, env={**os.environ, "LC_ALL": "C"})
        score = json.loads((folder / "result.json").read_text())["score"] if result.returncode == 0 else None
    if score != 0 or b"\x1b" in result.stdout or b"Traceback" in result.stderr:
        return [f"a folder with an odd name: {score}, {result.stdout!r}, {result.stderr!r}"]
    return []


def add_arguments(parser):
    parser.add_argument("build", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--trust", action="store_true")


def run(options):
    build = options.build.resolve()
    try:
        Sandbox.chosen(False, None)
    except NoSandbox as error:
        print(f"SKIPPED: {error}")
        return 0
    adopt_orphans()
    os.environ["NBODY_HOSTILE_SECRET"] = "untold"
    submissions = [h for h in hostile_submissions() if not options.names or h.name in options.names]
    if options.trust:
        problems = trusted(build, [h for h in submissions if h.trusted is not None])
    else:
        problems, changes = watched(build, [h for h in submissions if not h.least], Sandbox.chosen(False, None))
        if correct := [h for h in submissions if h.least]:
            runs.RUN_SECONDS, runs.SECONDS = SECONDS_OF_CORRECT
            runs.MEMORY = judging.MEMORY = MEMORY_OF_CORRECT
            more = watched(build, correct, Sandbox.chosen(False, None))
            problems, changes = problems + more[0], changes + more[1]
        problems += changes
        if CONTROLS <= {h.name for h in submissions}:
            problems += trusted(build, [h for h in submissions if h.name in CONTROLS]) + command_problems(build)
    print("\n".join(problems) or f"{len(submissions)} hostile submissions, none earned, stayed or changed what it may not")
    return 1 if problems else 0
