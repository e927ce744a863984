"""Builds and runs the tests that every change needs. With --all, also those that take many minutes: all mutants, exercises and
hostile submissions, every step in FP64 and built alone, the library, long random searches.

Both sets are the same every day. Tests of compute-sanitizer are a tool of their own.
If a test needs a program that is not installed, it is skipped. The end of the output lists the skipped tests and the
packages to install. If the environment variable CI is set, a skipped test is a failure. No test measures speed.
"""

import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

from common.tools import packages, progress
from common.tools.build import EXECUTOR, add_preset, built, preset_of

REASON = re.compile(r"SKIPPED: (.*)")
MISSING = re.compile(r"(.*) missing")  # in a reason: Debian packages, with commas between them
ENDED = re.compile(r" *(\d+)/(\d+) Test +#\d+: (.*?) \.+")  # in a line of ctest
NOT_HERE = "sanitizer"  # label


def add_arguments(parser):
    add_preset(parser)
    parser.add_argument("--all", action="store_true", help="run all tests, which takes an hour or more")


def usual_seconds(record):
    """Returns the seconds that each test took in the previous run, by name. (CTest's own list cuts names at their first space.)"""
    if not record.exists():
        return {}
    return {test.get("name"): float(test.get("time", 0)) for test in ElementTree.parse(record).getroot().iterfind(".//testcase")}


def time_left(spent, ended, number, usual):
    """Returns a text: how long the tests that have not ended take, if `spent` seconds were enough for those that have."""
    mean = sum(usual.values()) / len(usual) if usual else 1
    done = sum(usual.get(name, mean) for name in ended)
    rest = max(sum(usual.values()) - done, 0) if usual else number - len(ended)
    seconds = spent * rest / done if done else 0
    return f"about {seconds / 60:.0f} minutes left" if seconds > 90 else f"about {seconds:.0f} s left"


def ctest(build, record, *chosen):
    """Writes the results to `record`, in JUnit's format, and returns the exit status."""
    usual = usual_seconds(record)
    record.unlink(missing_ok=True)
    command = ["ctest", "--test-dir", build, *chosen, "--output-on-failure", "--output-junit", record]
    if not sys.stderr.isatty():
        return subprocess.run(command).returncode
    ended, started = [], time.monotonic()
    with progress.shown(testing=""), subprocess.Popen(command, text=True, errors="replace", stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            if found := ENDED.match(line):
                ended.append(found[3])
                left = time_left(time.monotonic() - started, ended, int(found[2]), usual)
                progress.show(testing=f"{len(ended)} of {found[2]}, {left}")
            if not re.match(r" *(\d+/\d+ Test .* Passed|Start +\d+:)", line):
                progress.say(line.rstrip())
    return process.returncode


def summary(suite):
    """Returns (lines, packages that tests were skipped for)."""
    lines, missing = [], set()
    for test in suite.iterfind(".//testcase[skipped]"):
        found = REASON.search(test.findtext("system-out") or "")
        reason = found[1] if found else "disabled"
        lines.append(f"skipped: {test.get('name')}: {reason}")
        if found := MISSING.fullmatch(reason):
            missing.update(found[1].split(", "))
    if missing:
        lines.append(f"To run these too: {packages.by_hand(sorted(missing))}")
    total, failed, not_run, disabled = (int(suite.get(name, 0)) for name in ("tests", "failures", "skipped", "disabled"))
    not_run += disabled
    lines.append(f"{total - failed - not_run} passed, {failed} failed, {not_run} skipped")
    return lines, missing


def tested(build, *chosen):
    """Runs tests of a build folder. Returns (status, lines, packages that tests were skipped for)."""
    record = build / "tests.xml"
    # One more than there are cores, because tests of several ranks, and of time limits, mostly wait.
    status = ctest(build, record, *chosen, "-j", str(os.cpu_count() + 1))
    return (status, *summary(ElementTree.parse(record).getroot()))


def run(options):
    preset = preset_of(options)
    if not options.all:
        executor = EXECUTOR if preset == "cpu" else ()
        status, lines, missing = tested(built(preset, "all", *executor), "-LE", f"{NOT_HERE}|^all$", "-E", "_NOT_BUILT")
    else:
        status, lines, missing = tested(built(preset, "all", "all_tests"), "-LE", NOT_HERE)
        if preset == "cpu":  # the checker's tests, mutants and the course's
            checked = tested(built("cpu-check", "all", "all_tests"), "-LE", NOT_HERE)
            status, lines, missing = status or checked[0], lines + checked[1], missing | checked[2]
    in_ci = bool(missing and os.environ.get("CI"))
    if in_ci:
        lines.insert(-1, "CI: a test that is skipped for a missing program is a failure")
    print("\n".join(lines))
    return 1 if status or in_ci else 0
