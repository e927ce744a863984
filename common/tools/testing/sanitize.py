"""Runs the four tools of NVIDIA's compute-sanitizer over the steps' tests: memcheck, racecheck, initcheck and
synccheck.

Only tests tagged [sanitizer] are used, because they have few bodies. CTest has the same runs under the label
"sanitizer".
"""

import argparse
import re
import subprocess
from pathlib import Path

from common.base.command_line import BadInput
from common.grader.sandbox.limited_run import run_limited
from common.grader.verdict import SANITIZER_SUMMARY
from common.tools import packages, progress
from common.tools.build import add_preset, built, preset_of

TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]
SECONDS = 600  # of processor time per run, which is then ended; racecheck has several threads
# Whole programs are left out, because synccheck needs minutes for the FMA probe in them.
TESTS = "[sanitizer]"
# The caller checks what a call into CUDA returns: our code does, and NCCL asks for kernels that a device may not have.
NOT_ERRORS = {"memcheck": ["--report-api-errors", "no"]}


def add_arguments(parser):
    add_preset(parser, ["gpu"], "always gpu: compute-sanitizer watches a GPU")
    parser.add_argument("--tool", choices=TOOLS, help="run only this tool (default: all four)")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--program", type=Path, help=argparse.SUPPRESS)  # one test program, from CTest


def with_tests(programs):
    """Returns the programs that have such tests. CTest tests that every step's program has one."""
    def has_tests(program):
        listing = subprocess.run([program, TESTS, "--list-tests"], capture_output=True, text=True).stdout
        return re.search(r"^[1-9]\d* matching test case", listing, re.MULTILINE)
    return [program for program in programs if has_tests(program)]


def verdict(text, status):
    """Returns the finding of a run, in a few words; None if it is clean: all tests ran and passed, and nothing was found."""
    summaries = SANITIZER_SUMMARY.findall(text)
    if status is None:
        return f"stopped after {SECONDS} s of processor time"
    if any(int(count) for count in summaries):
        return f"{sum(map(int, summaries))} findings"
    if status != 0 or "All tests passed" not in text:
        return f"the tests failed, status {status}"
    return None if summaries else "the tool did not report"


def run(options):
    if not options.build and preset_of(options) != "gpu":
        raise BadInput("needs a GPU build, that is a GPU and nvcc, or --preset gpu")
    sanitizer = packages.find_cuda_tool("compute-sanitizer")
    if not sanitizer:
        raise BadInput("needs compute-sanitizer, which comes with the CUDA toolkit")
    build = options.build or built("gpu")
    # The test programs of every step, in both precisions.
    programs = with_tests([options.program] if options.program else sorted(build.glob("[0-9][0-9]_*/[0-9][0-9]_*_test")))
    if not programs:
        raise BadInput(f"no test tagged {TESTS} in {options.program or build}")
    logs = build / "sanitize"
    logs.mkdir(parents=True, exist_ok=True)
    failed = False
    for program in programs:
        step = re.sub("_test$", "", program.name)
        for tool in [options.tool] if options.tool else TOOLS:
            command = [sanitizer, "--tool", tool, *NOT_ERRORS.get(tool, []), "--error-exitcode", "99", program, TESTS]
            with progress.shown(running=f"{tool} over {program.name}"):
                ended = run_limited(command, SECONDS, file_bytes=None)
            log, text = logs / f"{step}_{tool}.log", ended.out + ended.error
            log.write_text(text)
            found = verdict(text, ended.status)
            failed |= found is not None
            print(f"{step:32}{tool:12}{f'{found}: see {log}' if found else 'clean'}", flush=True)
    return 1 if failed else 0
