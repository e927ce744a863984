"""Prints what `./run check` found: each bug once, with the runs that it came up in, and the count of passed tests.

The argument is CTest's JUnit file.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree

# A report of the executor: its first line, then lines indented by two blanks.
REPORT = re.compile(r"^executor: .*\n(?:  .*\n)*", re.MULTILINE)
# Of ASan's: what, and in the summary the line. Of its stack traces the first frame is the kernel's.
ASAN = re.compile(r"^==\d+==(ERROR: AddressSanitizer.*?)^SUMMARY: AddressSanitizer: (\S+ \S+)",
                  re.MULTILINE | re.DOTALL)
OUTER_FRAME = re.compile(r"^    #[1-9].*\n", re.MULTILINE)
CATCH = re.compile(r"^.*:\d+: FAILED:$", re.MULTILINE)
PLACE = re.compile(r" at (\S+:\d+)")


def bugs_of(text):
    """(key, report) of each bug in a test's output; the key is the same for the same bug at the same lines."""
    reports = REPORT.findall(text)
    if reports:
        kind = [report.split(": ")[1] for report in reports]
        places = [frozenset(PLACE.findall(report.split("\n  (")[0])) for report in reports]
        return list(zip(zip(kind, places), reports))
    asan = ASAN.search(text)
    if asan:
        return [(asan[2], OUTER_FRAME.sub("", asan[1]).rstrip())]
    return [(tuple(CATCH.findall(text)) or text, text)]


def main():
    suite = ElementTree.parse(sys.argv[1]).getroot()
    found = {}  # key: (report, names of tests)
    passed = failed = 0
    for test in suite.iter("testcase"):
        if test.get("status") != "fail":
            passed += 1
            continue
        failed += 1
        for key, report in bugs_of(test.findtext("system-out") or ""):
            tests = found.setdefault(key, (report, []))[1]
            if test.get("name") not in tests:
                tests.append(test.get("name"))
    for report, tests in found.values():
        print(f"\n{report.rstrip()}\n  Found in {len(tests)} of {passed + failed} runs: {tests[0]}", end="")
        print(", ..." if len(tests) > 1 else "")
    print(f"\n{passed} runs passed, {failed} failed" + (f", different reports: {len(found)}" if found else ""))


if __name__ == "__main__":
    main()
