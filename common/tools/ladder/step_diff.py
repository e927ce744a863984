"""How many lines of a step differ from its parent's: step_diff.py PARENT STEP [BUDGET].

A changed line counts once, an added or removed one too; the fences of exercises and the docs' marks, "// [name]", do
not. Exits with 1 above the budget, and where interaction(), which no step of the chapter's changes, is not the
parent's to the letter.
"""

import difflib
import sys
from pathlib import Path

from common.grader.exercises.mutant_corpus import without_marks


def changed_lines(parent, step):
    matcher = difflib.SequenceMatcher(None, parent, step, autojunk=False)
    return sum(
        max(parent_end - parent_begin, step_end - step_begin)
        for tag, parent_begin, parent_end, step_begin, step_end in matcher.get_opcodes()
        if tag != "equal"
    )


def interaction(lines):
    begin = next(n for n, line in enumerate(lines) if "real3 interaction(" in line)
    return lines[begin : lines.index("}", begin)]


def code(path):
    """The lines that count."""
    return [line for line in without_marks(Path(path).read_text()).splitlines() if "SOLUTION" not in line]


def main():
    parent, step = (code(path) for path in sys.argv[1:3])
    count = changed_lines(parent, step)
    print(f"{count} changed lines")
    if len(sys.argv) > 3 and count > int(sys.argv[3]):
        sys.exit(f"{sys.argv[2]}: {count} changed lines against its parent, the budget is {sys.argv[3]}")
    if interaction(parent) != interaction(step):
        sys.exit(f"{sys.argv[2]}: interaction() is not its parent's")


if __name__ == "__main__":
    main()
