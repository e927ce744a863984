"""Builds everything and runs all tests but those of compute-sanitizer and the nightly ones. Tests labelled "timed" run
after the rest, one at a time.

What needs a program that is not installed is skipped, and named at the end with the packages; where the environment has
CI it is a failure.
"""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

from common.tools import packages
from common.tools.build import add_preset, built, preset_of

REASON = re.compile(r"SKIPPED: (.*)")
MISSING = re.compile(r"(.*) missing")  # in a reason: Debian packages, with commas between them


add_arguments = add_preset


def ctest(build, record, *chosen):
    """The exit status; the results go to `record`, in JUnit's format."""
    progress = ["--progress"] if sys.stdout.isatty() else []
    return subprocess.run(["ctest", "--test-dir", build, *chosen, "--output-on-failure", *progress, "--output-junit",
                           record]).returncode


def summary(suites):
    """(lines, packages that tests were skipped for)"""
    lines, missing = [], set()
    for test in (test for suite in suites for test in suite.iterfind(".//testcase[skipped]")):
        found = REASON.search(test.findtext("system-out") or "")
        reason = found[1] if found else "disabled"
        lines.append(f"skipped: {test.get('name')}: {reason}")
        if found := MISSING.fullmatch(reason):
            missing.update(found[1].split(", "))
    if missing:
        lines.append(f"To run these too: {packages.by_hand(sorted(missing))}")
    total, failed, not_run, disabled = (sum(int(suite.get(name, 0)) for suite in suites)
                                        for name in ("tests", "failures", "skipped", "disabled"))
    not_run += disabled
    lines.append(f"{total - failed - not_run} passed, {failed} failed, {not_run} skipped")
    return lines, missing


def run(options):
    build = built(preset_of(options))
    records = [build / "tests.xml", build / "timed-tests.xml"]
    for record in records:
        record.unlink(missing_ok=True)
    # One more than cores: tests of several ranks, and of limits of time, wait for a good part of theirs.
    statuses = [ctest(build, records[0], "-LE", "sanitizer|nightly|timed", "-j", str(os.cpu_count() + 1)),
                ctest(build, records[1], "-L", "timed", "-LE", "sanitizer|nightly")]
    lines, missing = summary([ElementTree.parse(record).getroot() for record in records if record.exists()])
    in_ci = bool(missing and os.environ.get("CI"))
    if in_ci:
        lines.insert(-1, "CI: a test that is skipped for a missing program is a failure")
    print("\n".join(lines))
    return 1 if any(statuses) or in_ci else 0
