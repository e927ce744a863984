"""How many lines of a step differ from its parent's.

A changed line counts once, an added or removed one too. Exits with 1 above the budget, and where interaction(), which no
step of the chapter's changes, is not the parent's to the letter.
"""

import difflib
from pathlib import Path

from common.base.command_line import CommandFailed


def interaction(lines):
    begin = next(n for n, line in enumerate(lines) if "real3 interaction(" in line)
    return lines[begin : lines.index("}", begin)]


def add_arguments(parser):
    parser.add_argument("parent", help="its forces.cu")
    parser.add_argument("step", help="the step's")
    parser.add_argument("budget", type=int, help="the most lines that may differ")


def run(options):
    parent, step = (Path(file).read_text().splitlines() for file in (options.parent, options.step))
    matcher = difflib.SequenceMatcher(None, parent, step, autojunk=False)
    count = sum(max(parent_end - parent_begin, step_end - step_begin)
                for tag, parent_begin, parent_end, step_begin, step_end in matcher.get_opcodes() if tag != "equal")
    print(f"{count} changed lines")
    if count > options.budget:
        raise CommandFailed(f"{options.step}: {count} changed lines against its parent, the budget is {options.budget}")
    if interaction(parent) != interaction(step):
        raise CommandFailed(f"{options.step}: interaction() is not its parent's")
