"""Tests of what may not be installed: skipped where it is missing, by the packages that have it."""

import sys
import unittest

from common.tools import packages


def needs(*programs):
    missing = packages.without_program(*programs)
    return unittest.skipIf(missing, f"{', '.join(missing)} missing")


def needs_matplotlib():
    """For a test program as a whole, before its classes."""
    packages.use_python_with("matplotlib")
    return unittest.skipUnless(packages.has_module("matplotlib"), "python3-matplotlib missing")


def main(argv=None):
    """unittest.main() that tells CTest, where the rest passed, what was skipped and why."""
    result = unittest.main("__main__", argv=argv, exit=False).result
    reasons = {reason for _, reason in result.skipped}
    missing = {package for reason in reasons if reason.endswith(" missing")
               for package in reason.removesuffix(" missing").split(", ")}
    if result.wasSuccessful() and reasons:
        for case, reason in result.skipped:
            print(f"not run: {case.id()}: {reason}")
        print("SKIPPED: " + (f"{', '.join(sorted(missing))} missing" if missing else "; ".join(sorted(reasons))))
    sys.exit(not result.wasSuccessful())
