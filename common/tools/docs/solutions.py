r"""Finds places where the pages show what an exercise asks for: the lines of its solution that its starter lacks.

On any page such a line is in a fold, <details> to </details>, each tag on a separate line. On the page of the exercise's
step the fold comes after a link to the exercise, \ref exercise_1_1 "1.1". The answers of a question about recorded numbers
are in no macro outside of a fold.
"""

import re

from common.grader.exercises import mutant_corpus
from common.grader.exercises.files import exercises
from common.tools.docs import tables
from common.tools.docs.pages import DOCS, MACRO, text_of
from common.tools.docs.quotes import code_of, quoted

FOR_TEACHERS = {"instructors_guide.md", "mistakes.md"}
FEWEST = 12  # characters; shorter lines, such as `}` and `return i;`, reveal nothing
BARRIERS = {"__syncthreads();", "__syncwarp();"}  # alone on a line they reveal nothing either
REAL = re.compile(r"\bfloat([234]?)\b")  # a step's real is float in a whole program
OPERATOR = re.compile(r"[-+*/%=<>?\[]")  # a name alone reveals little
INLINE = re.compile(r"`([^`]+)`")


def code_lines(text):
    """Returns the lines that reveal something, without comments, with single spaces and with real instead of float."""
    lines = (REAL.sub(r"real\1", " ".join(line.split())) for line in code_of(text).splitlines())
    return {line for line in lines if len(line) >= FEWEST} - BARRIERS


class Asked:
    """The lines that an exercise asks for."""

    def __init__(self, exercise):
        self.number, self.page = exercise.number, f"{exercise.step}.md"
        self.bug = exercise.fields.get("Mutant")
        texts = {} if exercise.questions else {"starter": exercise.starter(), "solution": exercise.solution()}
        given, wanted = ({line for text in texts.get(name, {}).values() for line in code_lines(text)}
                         for name in ("starter", "solution"))
        self.lines = wanted - given
        self.recorded = [question.record for question in exercise.questions]
        self.given = given

    def is_said_by(self, word):
        """Returns whether code in a sentence is part of the solution only, and not of the given code."""
        return OPERATOR.search(word) and len(word) >= FEWEST and not any(word in line for line in self.given) and any(
            word in line for line in self.lines)

    def is_answered_by(self, macros):
        """Returns whether a macro shows a recorded number, or the figure, that grades an answer."""
        return any(re.search(record, macro.partition(":")[0]) for record in self.recorded for macro in macros)


def macro_lines(macro):
    """Returns the code that a macro shows, and whether the macro folds it."""
    word, _, rest = macro.partition(" ")
    name, _, stretch = (part.strip() for part in rest.partition(":"))
    if word == "quote":
        return code_lines(quoted(*name.split(" ", 1), stretch)), False
    if word == "diff":
        return code_lines(tables.plain_diff(name)), True
    if word == "mutant":
        return code_lines(re.sub(r"^[ +-]", "", mutant_corpus.mutant(name).shown(), flags=re.MULTILINE)), True
    return set(), False


def problems_of(name, text, asked):
    """Returns "docs/pages/x.md:7: ..." for each place of a page that shows too much."""
    problems, folds, announced, fenced = [], 0, set(), False
    for number, line in enumerate(text.splitlines(), 1):
        folds += line.startswith("<details>") - line.startswith("</details>")
        fenced ^= line.startswith("```")
        announced |= {name.replace("_", ".") for name in re.findall(r"\\ref exercise_(\d+_\d+)\b", line)}
        macro = MACRO.fullmatch(line)
        written = {" ".join(line.split())} if fenced else set()
        shown, folded = macro_lines(macro[1].strip()) if macro else (written, False)
        for each in asked:
            bug = macro and each.bug and macro[1].strip() in (f"mutant {each.bug}", f"transcript {each.bug}")
            said = each.is_answered_by(MACRO.findall(line)) or (
                not macro and not fenced and any(map(each.is_said_by, INLINE.findall(line))))
            over = re.match(r"\d\d_", name) and name > each.page  # in a later step the exercise has been done
            if over or not (each.lines & shown or bug or said):
                continue
            what = f"docs/pages/{name}:{number}: shows a part of the solution of {each.number}"
            if not folds and (bug or said or not folded):
                problems.append(f"{what} outside of a fold")
            elif name == each.page and each.number not in announced:
                problems.append(f"{what}, which no link to {each.number} above has asked for")
    return problems


def problems():
    asked = [Asked(exercise) for exercise in exercises()]
    return [problem for page in sorted(DOCS.glob("pages/*.md")) if page.name not in FOR_TEACHERS
            for problem in problems_of(page.name, text_of(page), asked)]
