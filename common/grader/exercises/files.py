"""The exercises: what NN_step/exercises/N.M.md says of each, and the starter and the solution that follow from it.

A file has a header of "Name: value" lines, then sections that begin with "## ":

    Title, Goal         of a line each
    Kind                one of KINDS, which says what the starter is made from
    Minutes             that a student of the course may take
    Mistakes            mutants of the corpus that students hand in, by name
    Parent              "write the child": the step whose forces.cu is the starter
    Mutant              "find the bug": whose mistake the starter has
    Law                 that the names in grader/judge/law_test.cpp begin with, where it is not Newton's
    Arguments           of the step's program, added to those of the runs that ask for the exercise's own work
    Changes reads       yes: with these arguments the kernels read other amounts of memory than without
    Reads               the most that a submission may read of global memory, as a multiple of what the solution does
    Answer              one line for each question of answers.txt; see answers.py
    Wrong answer        NAME = NUMBER: the mistake behind it; as many lines as there are

    ## Task, ## Hints   for the student; hints from the vaguest to the plainest
    ## Starter          "fill the kernel", "extend": what stands in the place of the fenced solution

A solution is the step's own source, fenced (fences.py), or, where the step does not have what is asked for,
the patch N.M.patch beside the exercise.
"""

import dataclasses
import re
import shlex

from common.base.command_line import ROOT
from common.grader.exercises import mutant_corpus
from common.grader.exercises.answers import Question
from common.grader.exercises.fences import BEGIN, replaced, without_fences
from common.grader.exercises.mutant_corpus import BadFile

KINDS = ["fill the kernel", "write the child", "find the bug", "predict, then measure", "choose parameters", "extend"]
ANSWERS = "answers.txt"
REQUIRED = {"Title", "Kind", "Minutes", "Goal"}
LISTS = {"Answer", "Wrong answer"}
FIELDS = REQUIRED | LISTS | {"Mistakes", "Parent", "Mutant", "Law", "Arguments", "Changes reads", "Reads"}


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
    def questions(self):
        return [Question.parse(line) for line in self.fields["Answer"]]

    @property
    def wrong_answers(self):
        """(question, value, the mistake behind it)."""
        by_name = {question.name: question for question in self.questions}
        parts = (re.fullmatch(r"(\w+) = ([\d.]+): (.+)", line).groups() for line in self.fields["Wrong answer"])
        return [(by_name[name], float(value), why) for name, value, why in parts]

    @property
    def arguments(self):
        return shlex.split(self.fields.get("Arguments", ""))

    @property
    def reads(self):
        return float(self.fields["Reads"]) if "Reads" in self.fields else None

    @property
    def mistakes(self):
        return self.fields.get("Mistakes", self.fields.get("Mutant", "")).split()

    @property
    def hints(self):
        """From the vaguest to the plainest, each in one line."""
        items = re.split(r"^\d+\. ", self.sections["Hints"], flags=re.MULTILINE)[1:]
        return [" ".join(item.split()) for item in items]

    def fenced(self):
        """Name and text of the step's file that has the solution between fences."""
        for path in sorted((ROOT / self.step).rglob("*.cu*")):
            if f"{BEGIN}{self.number}\n" in (text := path.read_text()):
                return str(path.relative_to(ROOT / self.step)), text
        raise BadFile(f"{self.number}: no file of {self.step} has '{BEGIN}{self.number}'")

    def patch(self):
        """The solution that the step does not have; None where it has."""
        path = ROOT / self.step / "exercises" / f"{self.number}.patch"
        return mutant_corpus.Patch(self.number, self.step, path.read_text()) if path.exists() else None

    def starter(self):
        """What a student starts from: text by file name."""
        files = {} if self.questions else {"forces.cu": (ROOT / self.step / "forces.cu").read_text()}
        if self.questions:
            files[ANSWERS] = "".join(f"{question.name} = ?\n" for question in self.questions)
        elif self.kind == "write the child":
            files["forces.cu"] = (ROOT / self.fields["Parent"] / "forces.cu").read_text()
        elif self.kind == "find the bug":
            files |= self.mutant().sources()
        elif patch := self.patch():
            files |= patch.originals()
        else:
            name, text = self.fenced()
            files[name] = replaced(text, self.number, self.sections["Starter"])
        return {name: without_fences(text) for name, text in files.items()}

    def solution(self):
        """What is right: text by file name."""
        if self.questions:
            return {ANSWERS: "".join(f"{question.name} = {question.best()}\n" for question in self.questions)}
        patch = self.patch()
        own = {name: (ROOT / self.step / name).read_text() for name in self.starter()}
        return own | patch.sources() if patch else own

    def mutant(self):
        return next(m for m in mutant_corpus.corpus() if m.name == self.fields["Mutant"])


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
    if "Starter" in sections:
        sections["Starter"] = re.sub(r"^```\n|^```$", "", sections["Starter"], flags=re.MULTILINE)
    return exercise


def exercises():
    """All of them, by number."""
    found = [parse(path.stem, path.parents[1].name, path.read_text())
             for path in ROOT.glob("[0-9][0-9]_*/exercises/*.md")]
    return sorted(found, key=lambda exercise: exercise.number)
