"""Finds in a submission's text what no run shows: which loop is unrolled, which loop is inside which, and which loops are around a line.

Counts of shared loads do not show which loop is inside: on the CPU each body reads a source anew (DIFFERENT in force_counts_test.py).
"""

import dataclasses
import itertools
import re

from common.grader.complaints import Complaint

MOST_CHARACTERS, MOST_LOOPS = 1 << 16, 100  # limits, so that no text takes long
LOOP = re.compile(r"(?:^[^\S\n]*#\s*pragma\s+unroll\b([^\n]*)\n\s*|\b_Pragma\s*\(\s*\"unroll\b([^\"]*)\"\s*\)\s*)?\bfor\s*(?=\()",
                  re.MULTILINE)
SPACE = re.compile(r"\s*")
# An open comment or raw string ends with the text, other literals with their line, so each part of a text is read once.
LITERAL_OR_COMMENT = re.compile(r'''R"([^()\\\s]{0,16})\((?:.*?\)\1"|.*)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?'''
                                r"|//[^\n]*|/\*(?:.*?\*/|.*)", re.DOTALL)
WHILE = re.compile(r"\bwhile\s*(?=\()|\bdo\b\s*(?=\{)")
# A function, or a lambda with a name.
FUNCTION = re.compile(r"\b(\w+)\s*(?:=\s*\[[^\[\]]{0,100}\]\s*)?\([^;{}]{0,2000}\)\s*(?=\{)")
NO_FUNCTIONS = {"for", "while", "if", "switch", "catch"}
MOST_CALLS = 1000
CALLS_DEEP = 3  # of functions that are followed from a line to the loops around it
CALL = re.compile(r"\b(\w+)\s*(?:<[^<>;{}]*>)?\s*\(")


@dataclasses.dataclass
class Loop:
    header: str
    factor: str  # text after `#pragma unroll`; "" without one
    begin: int
    end: int
    line: int

    def is_over(self, name):
        return re.search(rf"\b{name}\b", self.header) is not None

    def is_unrolled_by(self, name):
        """Returns whether it is unrolled by `name`: in the pragma, or by hand in the header of the loop."""
        return re.search(rf"\b{name}\b", self.factor + self.header) is not None


def without_comments(text):
    """Returns the text without comments, with the same number of lines. Strings stay, because `_Pragma` has one."""
    return LITERAL_OR_COMMENT.sub(lambda found: found[0] if found[0][0] != "/" else "\n" * found[0].count("\n") or " ", text)


def bracket_end(code, begin):
    """Returns the place after the bracket that closes the one at `begin`."""
    depth = 0
    for place in range(begin, len(code)):
        depth += (code[place] in "([{") - (code[place] in ")]}")
        if depth == 0:
            return place + 1
    return len(code)


def statement_end(code, begin):
    """Returns the place after the statement that begins here: a block, a loop with its body, or everything up to a semicolon.
    """
    place = SPACE.match(code, begin).end()
    while loop := LOOP.match(code, place):
        place = SPACE.match(code, bracket_end(code, loop.end())).end()
    if code.startswith("{", place):
        return bracket_end(code, place)
    while place < len(code) and code[place] != ";":
        place = bracket_end(code, place) if code[place] in "([{" else place + 1
    return place + 1


def loops_of(code):
    """Returns all `for` loops of code without comments."""
    found = []
    for match in itertools.islice(LOOP.finditer(code), MOST_LOOPS):
        header_end = bracket_end(code, match.end())
        found.append(Loop(code[match.end():header_end], match[1] or match[2] or "", match.start(),
                          statement_end(code, header_end), 1 + code.count("\n", 0, match.end())))
    return found


def while_loops_of(code):
    """Returns all `while` and `do` loops of code without comments."""
    found = []
    for match in itertools.islice(WHILE.finditer(code), MOST_LOOPS):
        header_end = match.end() if code.startswith("do", match.start()) else bracket_end(code, match.end())
        found.append(Loop("", "", match.start(), statement_end(code, header_end), 1 + code.count("\n", 0, match.start())))
    return found


def functions_of(code):
    """Returns (name, begin, end) of functions and lambdas of code without comments."""
    return [(match[1], match.start(), bracket_end(code, match.end()))
            for match in itertools.islice(FUNCTION.finditer(code), MOST_LOOPS) if match[1] not in NO_FUNCTIONS]


def functions_with(text, mark):
    """Returns the names of the functions in which the text has a mark, for example in a comment."""
    code = without_comments(text)
    lines = [number for number, line in enumerate(text.splitlines()) if mark in line]
    found, last = [], 0
    for name, begin, end in functions_of(code):
        if begin >= last and any(code.count("\n", 0, begin) <= line <= code.count("\n", 0, end) for line in lines):
            found, last = [*found, name], end
    return found


def line_of_function(text, name):
    """Returns the line in which a function of this name begins; None if there is none."""
    code = without_comments(text[:MOST_CHARACTERS])
    return next((1 + code.count("\n", 0, begin) for found, begin, _ in functions_of(code) if found == name), None)


def lines_of_loops_around(text, line):
    """Returns the lines of the loops around a line, the innermost last. If there is none, those around the calls of its function."""
    if len(text) > MOST_CHARACTERS:
        return []
    code = without_comments(text)
    begins = [0, *(match.end() for match in re.finditer("\n", code)), len(code)]
    loops = sorted(loops_of(code) + while_loops_of(code), key=lambda loop: loop.begin)
    functions = functions_of(code)
    parts = [(begins[line - 1], begins[line])] if 0 < line < len(begins) else []
    for _ in range(CALLS_DEEP):
        around = [loop.line for loop in loops if any(loop.begin < end and begin < loop.end for begin, end in parts)]
        if around:
            return around
        names = {name for name, first, last in functions for begin, end in parts if first < end and begin < last}
        parts = [call.span() for call in itertools.islice(CALL.finditer(code), MOST_CALLS) if call[1] in names]
    return []


def reached(code, loop):
    """Yields parts of the code, as (begin, end): the loop, and the functions of this file that it calls."""
    yield loop.begin, loop.end
    for name in set(CALL.findall(code[loop.begin:loop.end])):
        for definition in re.finditer(rf"\b{name}\s*\([^;{{}}]{{0,2000}}\)\s*(?={{)", code):
            yield definition.end(), bracket_end(code, definition.end())


def nest_problem(text, factor, inner):
    """Returns (text, line or None) of the mistake, or None. A loop outside of those over `inner` must be unrolled by `factor`."""
    if len(text) > MOST_CHARACTERS:
        return f"the file is longer than {MOST_CHARACTERS:,} characters", None
    code = without_comments(text)
    loops = loops_of(code)
    unrolled = [loop for loop in loops if loop.is_unrolled_by(factor) and not loop.is_over(inner)]
    if not unrolled:
        return f"no loop over the sources is unrolled: put '#pragma unroll {factor}' directly before that loop", None
    for loop in loops:
        if loop.is_over(inner) and any(begin <= one.begin < end for begin, end in reached(code, loop) for one in unrolled):
            return (f"the loop over the {inner} bodies is the outer loop, so each source is read {inner} times: make the loop over the "
                    "sources the outer loop"), loop.line
    return None


def nest_check(factor, inner):
    """Returns a check of a submission; see nest_problem()."""
    def check(submission):
        problem = nest_problem((submission.place / submission.main).read_text(errors="replace"), factor, inner)
        if problem is None:
            return None
        text, line = problem
        return Complaint(text, (), submission.main, line) if line else submission.at_kernel(text)

    return check
