"""Runs compute-sanitizer's tools over the kernels' tests of every step, which have at most 1,000 bodies.

Called by `./run sanitize`, which has built the programs, and by CTest under the label "sanitizer".
"""

import argparse
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from common.tools import cuda_tools

TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]
# Only the kernels' own tests, by Catch2's names: the whole program runs the FMA probe, which synccheck all but stops.
TESTS = ("forces equal the FP64 direct sum,forces are right*,coincident bodies feel*,"
         "forces agree with FP64*,every test of the study agrees*,triplets agree with FP64*")
# "ERROR SUMMARY: 0 errors", "RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)"
SUMMARY = re.compile(r"SUMMARY: (\d+) (?:errors?|hazards?)")


class OneLineParser(argparse.ArgumentParser):
    def error(self, message):
        fail(message)


def fail(message):
    print(f"sanitize: {message}", file=sys.stderr)
    sys.exit(2)


def parse_options():
    parser = OneLineParser(prog="./run sanitize", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--preset", help="gpu; the executor's threads are not a GPU's")
    parser.add_argument("--tool", choices=TOOLS, help="only this tool [all four]")
    parser.add_argument("--limit", type=int, default=120, metavar="SECONDS", help="of each run [120]")
    parser.add_argument("--program", type=Path, help=argparse.SUPPRESS)  # one test program, from CTest
    return parser.parse_args()


def test_programs(build):
    """The test programs of every step, in both precisions."""
    if build.name != "gpu":
        fail("needs a GPU build: ./run sanitize --preset gpu")
    return sorted(build.glob("[0-9][0-9]_*/[0-9][0-9]_*_test"))


def output_within(limit, command):
    """(status, output); the status is None where the time ran out, which ends the tested program too."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", start_new_session=True)
    try:
        return process.communicate(timeout=limit)[0], process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0], None


def verdict(text, status, limit):
    """What a run found, in a few words; None where it is clean: all tests ran and passed, and nothing was found."""
    summaries = SUMMARY.findall(text)
    if status is None:
        return f"stopped after {limit} s"
    if any(int(count) for count in summaries):
        return f"{sum(map(int, summaries))} findings"
    if status != 0 or "All tests passed" not in text:
        return f"the tests failed, status {status}"
    return None if summaries else "the tool did not report"


def main():
    options = parse_options()
    programs = [options.program] if options.program else test_programs(options.build)
    sanitizer = cuda_tools.find("compute-sanitizer")
    if not sanitizer:
        fail("compute-sanitizer is not installed; it comes with the CUDA toolkit")
    if not programs:
        fail(f"no test programs under {options.build}")
    logs = options.build / "sanitize"
    logs.mkdir(parents=True, exist_ok=True)
    failed = False
    for program in programs:
        step = program.name.removesuffix("_test")
        for tool in [options.tool] if options.tool else TOOLS:
            command = [sanitizer, "--tool", tool, "--error-exitcode", "99", program, TESTS]
            text, status = output_within(options.limit, command)
            log = logs / f"{step}_{tool}.log"
            log.write_text(text)
            found = verdict(text, status, options.limit)
            failed |= found is not None
            print(f"{step:32}{tool:12}{f'{found}: see {log}' if found else 'clean'}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
