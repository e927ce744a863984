"""Prints what CTest found in one line: N passed, N failed, N skipped."""

import sys
import xml.etree.ElementTree as ElementTree

suite = ElementTree.parse(sys.argv[1]).getroot()
total, failed, skipped, disabled = (
    int(suite.get(name, 0)) for name in ("tests", "failures", "skipped", "disabled")
)
skipped += disabled
print(f"{total - failed - skipped} passed, {failed} failed, {skipped} skipped")
