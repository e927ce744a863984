"""Runs the force tests of step NN under the CPU executor's checker, with the threads in forward, reverse and random
order.

The checker reports races, missing barriers, out-of-bounds accesses and reads of uninitialised memory, with file and
line. Each mistake is shown once, with the number of test runs in which it was found. With DIR, your own kernel is
tested instead of the step's. The tests are those in FP32; --fp64 adds those in FP64, of the same sources. Tests of whole
programs are left out, because the checker is too slow for them.
"""

import json
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from common.base.command_line import BadInput, CommandFailed
from common.grader.step_build import DoesNotCompile, StepBuild
from common.grader.work_folder import work_folder
from common.tools import ranks
from common.tools.build import built, configured, for_check, step_named
from common.tools.cuda.see import own_texts, see_step

PRESET = "cpu-check"
# A report of the executor: its first line, then lines indented by two blanks.
REPORT = re.compile(r"^executor: .*\n(?:  .*\n)*", re.MULTILINE)
CATCH = re.compile(r"^.*:\d+: FAILED:$", re.MULTILINE)
PLACE = re.compile(r" at (\S+:\d+)")


def bugs_of(text):
    """Returns (key, report) of each bug in a test's output. The key is the same for the same bug at the same lines."""
    reports = REPORT.findall(text)
    if reports:
        kind = [report.split(": ")[1] for report in reports]
        places = [frozenset(PLACE.findall(report.split("\n  (")[0])) for report in reports]
        return list(zip(zip(kind, places), reports))
    return [(tuple(CATCH.findall(text)) or text, text)]


def recorded(suite):
    """Returns (name, whether it failed, output) of each run that ctest has recorded."""
    return [(test.get("name"), test.get("status") == "fail", test.findtext("system-out") or "")
            for test in suite.findall(".//testcase")]


def show(tests):
    """Shows each bug once, with the tests in which it was found."""
    found = {}
    failed = [(name, output) for name, fails, output in tests if fails]
    for name, output in failed:
        for key, report in bugs_of(output):
            found.setdefault(key, (report, {}))[1][name] = None
    for report, names in found.values():
        print(f"\n{report.rstrip()}\n  Found in {len(names)} of {len(tests)} runs: {next(iter(names))}"
              + (", ..." if len(names) > 1 else ""))
    print(f"\n{len(tests) - len(failed)} runs passed, {len(failed)} failed"
          + (f", different reports: {len(found)}" if found else ""))


def add_arguments(parser):
    parser.add_argument("number", metavar="NN", help="the step, for example 02")
    parser.add_argument("folder", metavar="DIR", nargs="?", type=Path, help="a folder with your own forces.cu "
                        "and the files that it includes")
    parser.add_argument("--fp64", action="store_true", help="also run the tests in FP64, which doubles the build (without DIR)")


def tests_of(build, step):
    """Returns (name, command, environment) of each run that ctest knows, in the step's own precision."""
    listing = subprocess.run(["ctest", "--test-dir", build, "-L", "check", "-R", f"^{step}: ", "--show-only=json-v1"],
                             capture_output=True, text=True, check=True).stdout
    for test in json.loads(listing)["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test["properties"]}
        yield test["name"], test["command"], dict(word.split("=", 1) for word in properties["ENVIRONMENT"])


def outcomes(build, step, folder, texts):
    """Yields (name, whether it failed, output) of each run, one after the other."""
    with work_folder() as work:
        try:
            program = StepBuild(build, step, f"{step}_test").program(work, texts)
        except DoesNotCompile as error:
            raise CommandFailed(re.sub(rf"{re.escape(str(work))}/\S*?{step}/", f"{folder}/", str(error))) from None
        for name, command, environment in tests_of(build, step):
            ran = subprocess.run([program, *command[1:]], env={**os.environ, **environment}, text=True, errors="replace",
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            yield name, ran.returncode != 0, ran.stdout


def run_own(options, step):
    """Checks a step with the files of a folder."""
    if step in ranks.STEPS:
        raise BadInput(f"step {step[:2]} has no forces.cu; ./run grade takes its exercises")
    texts = own_texts(step, options.folder)
    build = built(PRESET, f"{step}_test")
    tests = list(outcomes(build, step, options.folder, texts))
    show(tests)
    if not any(failed for _, failed, _ in tests):
        return 0
    see_step(built(PRESET, step), step, texts, options.folder, is_quiet=True)
    return 1


def run(options):
    step = step_named(options.number)
    if options.folder:
        return run_own(options, step)
    if step in ranks.STEPS and not ranks.mpirun(configured(PRESET)):
        raise BadInput(ranks.MISSING)
    build = built(PRESET, *for_check(step, options.fp64))
    record = build / f"{step}.xml"
    command = ["ctest", "--test-dir", build, "-L", "check", "-R", f"^{step[:2]}_", *([] if options.fp64 else ["-E", "_fp64:"]),
               "-j", str(os.cpu_count()), "--no-tests=error", "--output-junit", record]
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as tests:
        for line in tests.stdout:  # the tests' output is printed sorted, from their record
            if re.match(r" *\d+/\d+ Test|No tests", line):
                print(line, end="", flush=True)
    show(recorded(ElementTree.parse(record)))
    return 1 if tests.returncode else 0
