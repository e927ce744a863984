"""Runs a test program, which is named from common/ on. If all other tests passed, it tells CTest which were skipped and why:

python3 -m common.tests tests.tools.grade_test [ARGUMENT OF THE PROGRAM] [OPTION OR TEST, as with python3 -m unittest]
"""

import sys
import unittest

result = unittest.main(f"common.{sys.argv.pop(1)}", exit=False).result
if result.wasSuccessful() and result.skipped:
    for case, reason in result.skipped:
        print(f"not run: {case.id()}: {reason}")
    reasons = {reason for _, reason in result.skipped}
    missing = {package for reason in reasons if reason.endswith(" missing")
               for package in reason[:-len(" missing")].split(", ")}
    print("SKIPPED: " + (f"{', '.join(sorted(missing))} missing" if missing else "; ".join(sorted(reasons))))
sys.exit(not result.wasSuccessful())
