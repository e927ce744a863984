"""Prints what CTest found in one line: N passed, N failed, N skipped."""

import sys
import xml.etree.ElementTree as ElementTree

suites = [ElementTree.parse(file).getroot() for file in sys.argv[1:]]
total, failed, skipped, disabled = (
    sum(int(suite.get(name, 0)) for suite in suites) for name in ("tests", "failures", "skipped", "disabled")
)
skipped += disabled
print(f"{total - failed - skipped} passed, {failed} failed, {skipped} skipped")
