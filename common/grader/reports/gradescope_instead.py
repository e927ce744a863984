"""Writes the results.json of a submission that got no grade: gradescope_instead.py FILE WHAT TEXT [LOG]

WHAT is no-fault, where the grader itself failed, with the last lines of its LOG, too-long or not-a-submission.
"""

import json
import sys
from pathlib import Path

from common.base.whole_file import write_whole
from common.grader.reports.gradescope import document, no_fault

LAST = 20  # lines


def main():
    file, what, text, *log = sys.argv[1:]
    if what == "no-fault":
        lines = Path(log[0]).read_text(errors="replace").splitlines()[-LAST:] if log else []
        found = no_fault(text, lines)
    elif what == "too-long":
        found = document(0.0, [f"Grading did not end within {text}. Does your program end?"])
    else:
        found = document(0.0, [f"Nothing was graded: {text}."])
    write_whole(file, json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
