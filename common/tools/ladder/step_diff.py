"""Counts the lines that `diff` shows between a step and its parent, comments included.

Exits with 1 above the budget, or if interaction(), which no step of the chapter changes, differs from the parent's.
"""

import subprocess
from pathlib import Path

from common.base.command_line import CommandFailed


def interaction(file):
    lines = Path(file).read_text().splitlines()
    begin = next(n for n, line in enumerate(lines) if "real3 interaction(" in line)
    return lines[begin : lines.index("}", begin)]


def changed_lines(parent, step):
    shown = subprocess.run(["diff", parent, step], capture_output=True, text=True).stdout
    return sum(line[0] in "<>" for line in shown.splitlines())


def add_arguments(parser):
    parser.add_argument("parent", help="its forces.cu")
    parser.add_argument("step", help="the step's")
    parser.add_argument("budget", type=int, help="the most lines that may differ")


def run(options):
    count = changed_lines(options.parent, options.step)
    print(f"{count} changed lines")
    if count > options.budget:
        raise CommandFailed(f"{options.step}: {count} changed lines against its parent, the budget is {options.budget}")
    if interaction(options.parent) != interaction(options.step):
        raise CommandFailed(f"{options.step}: interaction() is not its parent's")
