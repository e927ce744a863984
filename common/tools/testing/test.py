"""Builds everything and runs all tests, except those of compute-sanitizer and the nightly ones.

If a test needs a program that is not installed, it is skipped. The end of the output lists the skipped tests and the
packages to install. If the environment variable CI is set, a skipped test is a failure. No test measures speed:
./run benchmark does that.
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
    """Writes the results to `record`, in JUnit's format, and returns the exit status."""
    progress = ["--progress"] if sys.stdout.isatty() else []
    return subprocess.run(["ctest", "--test-dir", build, *chosen, "--output-on-failure", *progress, "--output-junit",
                           record]).returncode


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


def run(options):
    build = built(preset_of(options))
    record = build / "tests.xml"
    record.unlink(missing_ok=True)
    # One more than there are cores, because tests of several ranks, and of time limits, mostly wait.
    status = ctest(build, record, "-LE", "sanitizer|nightly|benchmark", "-j", str(os.cpu_count() + 1))
    lines, missing = summary(ElementTree.parse(record).getroot())
    in_ci = bool(missing and os.environ.get("CI"))
    if in_ci:
        lines.insert(-1, "CI: a test that is skipped for a missing program is a failure")
    print("\n".join(lines))
    return 1 if status or in_ci else 0
