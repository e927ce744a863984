"""The exercises: the file NN_step/exercises/N.M.md of each, and its starter and solution.

A file has a header of "Name: value" lines, then sections that begin with "## ":

    Title, Goal         one line each
    Kind                one of KINDS, which decides how the starter is made
    Minutes             time for a student of the course
    Mistakes            names of mutants that students hand in
    File                the file that must be handed in, if it is not the step's forces.cu
    Program             a whole program that must be handed in instead of the step's file
    Counts              numbers of elements, if the program checks its result; the counts with the first may give no advice
    Limit               COUNT at most NUMBER or COUNT at least NUMBER, see totals() in advice.py; advice is then allowed; repeatable
    Parent              "write the next step": the step whose forces.cu is the starter
    Mutant              "find the bug": the mutant whose mistake the starter has
    Law                 a law other than Newton's: start of the test names in grader/judge/law_test.cpp
    Ranks               numbers of ranks, the first for most runs; only if the step's ranks can be threads of one process
    Arguments           added to the program's arguments in runs that test the exercise's own work
    Adds                option that the solution adds to the step's program
    Changes reads       factor on the global memory that the solution's kernels read, with these arguments
    Reads               largest amount of global memory read, as a multiple of the solution's
    Loops               two names: a loop must be unrolled by the first, and be in no loop over the second
    Answer              one line per question of answers.txt; see answers.py
    Wrong answer        NAME = NUMBER: the mistake behind it; repeatable

    ## Task, ## Hints   for the student; hints from the vaguest to the plainest

Starter and solution are the step's own source, unless a patch (patches.py) next to the exercise changes it:
N.M.starter.patch removes what the student writes, N.M.solution.patch adds what the step does not have. The
mutant's patch makes the starter of "find the bug". A copy of the suite for students (common/grader/export/course.py) has
neither patches nor mutants: there, a folder N.M next to the exercise has the starter's files.
"""

import dataclasses
import re
import shlex

from common.base.command_line import ROOT
from common.grader.exercises import mutant_corpus
from common.grader.exercises.answers import Question
from common.grader.exercises.patches import BadFile, Patch, source_text
from common.grader.loops import functions_with

KINDS = ["complete the program", "complete the kernel", "complete the exchange", "write the next step", "find the bug",
         "predict, then measure", "choose parameters", "extend the program"]
ANSWERS = "answers.txt"
FORCES = "forces.cu"  # a step's file
REQUIRED = {"Title", "Kind", "Minutes", "Goal"}
LISTS = {"Answer", "Wrong answer", "Limit"}
FIELDS = REQUIRED | LISTS | {"Mistakes", "Parent", "Mutant", "Law", "Arguments", "Changes reads", "Reads", "Program", "Counts",
                              "File", "Ranks", "Loops", "Adds"}


@dataclasses.dataclass(frozen=True)
class Exercise:
    number: str  # "2.1"
    step: str
    fields: dict  # Answer, Wrong answer: lists
    sections: dict

    @property
    def title(self):
        return self.fields["Title"]

    @property
    def kind(self):
        return self.fields["Kind"]

    @property
    def program(self):
        return self.fields.get("Program")

    @property
    def main(self):
        """Returns the file that must be handed in, or the first of them."""
        return self.program or self.fields.get("File", FORCES)

    def words(self, field):
        return self.fields.get(field, "").split()

    def number_in(self, field):
        return float(self.fields[field]) if field in self.fields else None

    @property
    def limits(self):
        """(count, "most" or "least", number)."""
        parts = (re.fullmatch(r"(\w+) at (most|least) (\d+)", line).groups() for line in self.fields["Limit"])
        return [(name, side, int(number)) for name, side, number in parts]

    @property
    def questions(self):
        return [Question.parse(line) for line in self.fields["Answer"]]

    @property
    def is_for_instructors(self):
        """Returns whether only an instructor can grade it: a copy for students does not have the answers to its questions."""
        return not self.has_solution and ANSWERS in self.starter()

    @property
    def wrong_answers(self):
        """Returns (question, value, the mistake behind it)."""
        by_name = {question.name: question for question in self.questions}
        parts = (re.fullmatch(r"(\w+) = ([\d.]+): (.+)", line).groups() for line in self.fields["Wrong answer"])
        return [(by_name[name], float(value), why) for name, value, why in parts]

    @property
    def arguments(self):
        """Returns the arguments with which the mistake shows, or those of the file."""
        if "Mutant" in self.fields:
            return list(mutant_corpus.mutant(self.fields["Mutant"]).arguments)
        return shlex.split(self.fields.get("Arguments", ""))

    @property
    def mistakes(self):
        return self.fields.get("Mistakes", self.fields.get("Mutant", "")).split()

    @property
    def hints(self):
        """Returns the hints, from the vaguest to the plainest, each in one line."""
        items = re.split(r"^\d+\. ", self.sections["Hints"], flags=re.MULTILINE)[1:]
        return [" ".join(item.split()) for item in items]

    def patch(self, makes):
        """Returns the patch that makes the "starter" or "solution" of the step; None if that is the step's own file."""
        if makes == "starter" and "Mutant" in self.fields:
            return mutant_corpus.mutant(self.fields["Mutant"])
        path = ROOT / self.step / "exercises" / f"{self.number}.{makes}.patch"
        return Patch(path.stem, path.read_text()) if path.exists() else None

    def patched(self, makes):
        """Returns the files that must be handed in, as this patch makes them: text by name."""
        patches = {name: self.patch(name) for name in ("starter", "solution")}
        files = {self.main: source_text(self.step, self.main)}
        for patch in filter(None, patches.values()):
            files.update(patch.originals())
        return {**files, **patches[makes].sources()} if patches[makes] else files

    @property
    def handed_out(self):
        """Returns the folder of the starter's files in a copy for students, which has no solutions."""
        return ROOT / self.step / "exercises" / self.number

    @property
    def has_solution(self):
        return not self.handed_out.exists()

    def starter(self):
        """Returns the files that a student starts from: text by file name."""
        if not self.has_solution:
            return {str(path.relative_to(self.handed_out)): path.read_text()
                    for path in sorted(self.handed_out.rglob("*")) if path.is_file()}
        if self.questions:
            return {ANSWERS: "".join(f"{question.name} = ?\n" for question in self.questions)}
        if "Parent" in self.fields:
            return {FORCES: (ROOT / self.fields["Parent"] / FORCES).read_text()}
        return self.patched("starter")

    def parts(self, texts):
        """Returns ((file, names of its functions that a student writes), ...) and the names of other files that texts have as they were
        handed out.
        """
        starter, mark = self.starter(), f"TODO {self.number}"
        asked = [name for name, text in starter.items() if mark in text]
        written = ((name, functions_with(starter[name], mark)) for name in asked)
        given = tuple(name for name, text in starter.items() if asked and name not in asked and texts.get(name) == text)
        return tuple((name, functions) for name, functions in written if functions), given

    def solution(self):
        """Returns the correct files: text by file name."""
        if self.questions:
            return {ANSWERS: "".join(f"{question.name} = {question.best()}\n" for question in self.questions)}
        return self.patched("solution")


def parse(number, step, text):
    head, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    fields = mutant_corpus.header_fields(number, head, FIELDS, LISTS)
    sections = {part.partition("\n")[0]: part.partition("\n")[2].strip("\n") for part in parts}
    exercise = Exercise(number, step, fields, sections)
    missing = sorted(REQUIRED - fields.keys()) + sorted({"Task", "Hints"} - sections.keys())
    if missing:
        raise BadFile(f"{number}: has no {missing[0]}")
    if fields["Kind"] not in KINDS:
        raise BadFile(f"{number}: Kind is one of {', '.join(KINDS)}, not '{fields['Kind']}'")
    return exercise


def exercises():
    """Returns all exercises, by number."""
    found = [parse(path.stem, path.parents[1].name, path.read_text())
             for path in ROOT.glob("[0-9][0-9]_*/exercises/*.md")]
    return sorted(found, key=lambda exercise: tuple(map(int, exercise.number.split("."))))


def exercise(number):
    return next(each for each in exercises() if each.number == number)
