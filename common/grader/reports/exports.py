"""Where a result of grade.py goes: the terminal, Gradescope's results.json, GitHub's annotations and summary."""

import json
import os
import subprocess
import sys

from common.base.whole_file import write_whole
from common.grader.reports.github import annotations, muted, summary
from common.grader.reports.gradescope import results_json
from common.grader.reports.report import printed


def folder_in_repository(folder):
    """The submission's, from the root of the repository that it is in: that is what GitHub finds files by."""
    found = subprocess.run(["git", "-C", folder, "rev-parse", "--show-prefix"], capture_output=True, text=True)
    return found.stdout.removesuffix("\n") if found.returncode == 0 else ""


def export(result, options):
    """Prints the report, and writes what the options ask for."""
    if " without " in (result.get("isolation") or ""):
        print(f"grade: isolation: {result['isolation']}", file=sys.stderr)
    if options.gradescope:
        write_whole(options.gradescope, json.dumps(results_json(result), indent=1) + "\n")
    if options.json:
        write_whole(options.json, json.dumps(result, indent=1) + "\n")
    if not options.github:
        print(printed(result))
        return
    print(muted(printed(result)))
    for line in annotations(result, folder_in_repository(options.folder)):
        print(line)
    if page := os.environ.get("GITHUB_STEP_SUMMARY"):
        with open(page, "a", encoding="utf-8") as file:
            file.write(summary(result))
