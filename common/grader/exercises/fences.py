"""The fences around solutions, `// BEGIN SOLUTION 2.1` and `// END SOLUTION`; one may stand within another."""

import re

from common.grader.exercises.mutant_corpus import BadFile

BEGIN, END = "// BEGIN SOLUTION ", "// END SOLUTION"
NOT_FOR_STUDENTS = re.compile(rf"^ *({BEGIN}.*|{END}|// \[[a-z ]+\])\n", re.MULTILINE)


def replaced(text, number, starter):
    """The text with the starter in place of the solution of that number, fences within it included."""
    lines = text.splitlines(keepends=True)
    begin = next(n for n, line in enumerate(lines) if line.strip() == f"{BEGIN}{number}")
    depth = 0
    for end in range(begin, len(lines)):
        depth += lines[end].strip().startswith(BEGIN) - (lines[end].strip() == END)
        if depth == 0:
            return "".join(lines[:begin]) + starter + "".join(lines[end + 1:])
    raise BadFile(f"{number}: '{BEGIN}{number}' has no '{END}'")


def without_fences(text):
    """Source as students get it: without the fences, and without the lines "// [name]" from which the docs quote it."""
    return NOT_FOR_STUDENTS.sub("", text)
