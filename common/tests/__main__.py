"""Runs a test program, and tells CTest, where the rest passed, what was skipped and why:

python3 -m common.tests tools.grade_test [ARGUMENT OF THE PROGRAM'S] [OPTION OR TEST, as of python3 -m unittest]
"""

import sys
import unittest

result = unittest.main(f"common.tests.{sys.argv.pop(1)}", exit=False).result
if result.wasSuccessful() and result.skipped:
    for case, reason in result.skipped:
        print(f"not run: {case.id()}: {reason}")
    reasons = {reason for _, reason in result.skipped}
    missing = {package for reason in reasons if reason.endswith(" missing")
               for package in reason[:-len(" missing")].split(", ")}
    print("SKIPPED: " + (f"{', '.join(sorted(missing))} missing" if missing else "; ".join(sorted(reasons))))
sys.exit(not result.wasSuccessful())
