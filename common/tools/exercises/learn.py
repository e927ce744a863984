"""Takes you through the puzzles and the exercises in this terminal, one after another, and checks a file whenever you save it.

The ten puzzles come first. In each you write one line of a small program, and a page shows what its threads do. The files are in
FOLDER. Your progress is kept there too, so the next call continues where you stopped, or begins with N.M. Each exercise's README.md has its task.
While the command waits, you can type: hint, next, back, list, the number of a puzzle or exercise, solution (once you have passed
an exercise), quit.
"""

import argparse
import json
import queue
import re
import shlex
import sys
import threading
import time
from pathlib import Path

from common.base.command_line import ROOT, BadInput, names_of, nearest, shown_path
from common.base.whole_file import write_whole
from common.grader.exercises.files import exercises
from common.grader.grade import LISTED, named_files
from common.grader.grading import grade_folder
from common.grader.reports.report import printed
from common.grader.sandbox.sandbox import Sandbox
from common.grader.step_build import write_files
from common.tools import progress
from common.tools.build import EXECUTOR, build_for_grading, built
from common.tools.desktop import opened
from common.tools.exercises import puzzles
from common.tools.exercises.exercises import readme
from common.tools.terminal import filled

DEFAULT = Path("learn")
STATE = "progress.json"
# Exercises that come before the one with the lowest number: a line each, in an existing kernel, before the whole program of 0.1;
# the main idea before its first line, because the starter of 3.1 shows the solution of 3.2; and those that another starter would show.
EARLY = {"0.1": ["1.1", "1.2"], "3.1": ["3.2"], "9.1": ["9.2", "9.3"], "10.1": ["10.4"]}
POLL_SECONDS = 0.2
DOCS = "./run docs --open, " if (ROOT / "docs" / "pages").exists() else ""  # a copy for students has no pages
HELP = "hint, next, back, list, solution (once you have passed), quit"


def add_arguments(parser):
    parser.add_argument("words", metavar="[FOLDER] [N.M]", nargs="*", help="where your files are (default: learn), and the puzzle or "
                        "exercise to begin with, for example p3 or 2.1, or 02 for the first one of a step (default: where you stopped)")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)


class Progress:
    """The learner's place, stored in a file of the folder."""

    def __init__(self, folder, numbers):
        self.file, self.numbers = folder / STATE, numbers
        self.is_page_open = False  # the page of the puzzles, in the browser
        try:
            kept = json.loads(self.file.read_text()) if self.file.exists() else {}
            self.passed = [number for number in numbers if number in kept.get("passed", [])]
            self.at = kept["at"] if kept.get("at") in numbers else self.first_open()
        except (ValueError, AttributeError, TypeError):
            raise BadInput(f"{self.file} is not what this command wrote; move it away to begin again") from None

    def first_open(self):
        return next((number for number in self.numbers if number not in self.passed), self.numbers[-1])

    def neighbour(self, step):
        place = self.numbers.index(self.at) + step
        return self.numbers[place] if 0 <= place < len(self.numbers) else None

    def keep(self):
        write_whole(self.file, json.dumps({"at": self.at, "passed": self.passed}) + "\n")

    def bar(self, width=40):
        done = width * len(self.passed) // len(self.numbers)
        return f"[{'#' * done}{'-' * (width - done)}] {len(self.passed)} of {len(self.numbers)} passed"


def folder_and_number(words, by_number):
    """Returns (the folder, the number of the exercise to begin with or None) of the command line."""
    folder, number = DEFAULT, None
    for word in words:
        of_step = [each for each, exercise in by_number.items() if each[0] != "p" and word in names_of(exercise.step)]
        if word in by_number or of_step:
            if number:
                raise BadInput(f"name one puzzle or exercise, not {number} and {word}")
            number = word if word in by_number else of_step[0]
        elif re.fullmatch(r"p?\d+(\.\d*)?", word):
            raise BadInput(f"no puzzle or exercise '{word}'" + (nearest(word, by_number) or LISTED))
        elif folder != DEFAULT:
            raise BadInput(f"name one folder, not {folder} and {word}")
        else:
            folder = Path(word)
    return folder, number


def build_for_puzzles():
    """Builds the checker alone. The steps are built when the first exercise needs them."""
    built("cpu-check", *EXECUTOR)


def typed_lines():
    """Returns a queue of the lines that the user types; None at their end."""
    lines = queue.Queue()

    def read():
        for line in sys.stdin:
            lines.put(line.strip().lower())
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


def stamps(folder):
    """Returns values that change when a file is saved."""
    return {path.name: (path.stat().st_mtime_ns, path.stat().st_size) for path in folder.iterdir()
            if path.is_file() and path.name != "README.md"}


def task_text(exercise, folder):
    """Returns the task for a terminal: paragraphs are filled, lists and code stay."""
    parts = exercise.sections["Task"].replace(f"my/{exercise.number}", shlex.quote(shown_path(folder))).split("\n\n")
    plain = [part if part.lstrip().startswith(("-", "|", "1.", "```")) else filled(" ".join(part.split()))
             for part in parts]
    return "\n\n".join(plain)


class Lesson:
    """One exercise, until the learner leaves it or quits."""

    def __init__(self, exercise, learned, folder, options, lines):
        self.exercise, self.learned, self.lines, self.options = exercise, learned, lines, options
        self.folder = folder / exercise.number
        self.hints = 0

    def begin(self):
        self.write_missing({"README.md": readme(self.exercise, self.folder), **self.exercise.starter()})
        files = ", ".join(str(self.folder / name) for name in self.exercise.starter())
        if sys.stdout.isatty():
            print("\033[2J\033[H", end="")
        print(f"{self.learned.bar()}\n\nExercise {self.exercise.number}: {self.exercise.title} "
              f"(about {self.exercise.fields['Minutes']} minutes)\n\n{task_text(self.exercise, self.folder)}\n\n"
              f"Edit and save: {files}. Whenever you save, the file is graded.\n"
              f"The tutorial of this step: {DOCS}page {self.exercise.step[:2]}. Type {HELP}.", flush=True)

    def write_missing(self, texts):
        """Writes the files that are not there: all of them, or the rest if the disk was full before."""
        write_files(self.folder, {name: text for name, text in texts.items() if not (self.folder / name).exists()})

    def grade(self):
        started = time.monotonic()
        with progress.shown(grading=self.exercise.number):
            page = (self.folder.parent / "see" / f"{self.exercise.number}.html").resolve()
            result = grade_folder(self.folder, self.options.build, self.exercise.step, self.exercise, Sandbox("none"), page=page)
        print(f"\n{printed(result)}\n({time.monotonic() - started:.1f} s)", flush=True)
        if result["score"] < result["max_score"]:
            if page.exists():
                print(f"See it: {page.as_uri()}", flush=True)
            return
        self.passed("Passed. Type next to continue, or solution to compare yours with ours.")

    def passed(self, words):
        if self.exercise.number not in self.learned.passed:
            self.learned.passed.append(self.exercise.number)
            self.learned.keep()
        print(f"\n{self.learned.bar()}\n{words}", flush=True)

    def hint(self):
        if self.hints < len(self.exercise.hints):
            self.hints += 1
            print(filled(f"Hint {self.hints} of {len(self.exercise.hints)}: {self.exercise.hints[self.hints - 1]}"))
        else:
            print("There are no more hints.")

    def solution(self):
        if not self.exercise.has_solution:
            return print("This copy of the suite has no solutions.")
        if self.exercise.number not in self.learned.passed:
            return print("The solution is shown once you have passed.")
        for name, text in self.exercise.solution().items():
            print(f"--- {name}\n{text.rstrip()}")

    def list(self):
        for number in self.learned.numbers:
            mark = ">" if number == self.learned.at else " "
            print(f"{mark} {number}  {'passed' if number in self.learned.passed else 'open'}")

    def obey(self, word):
        """Returns the number of the next exercise, "" to quit, None to stay."""
        if word in (None, "quit", "q"):
            return ""
        if word in ("next", "n", "back", "b"):
            other = self.learned.neighbour(1 if word[0] == "n" else -1)
            if other:
                return other
            print("There is no other exercise that way.")
        elif word in self.learned.numbers:
            return word
        elif word in ("hint", "h", "solution", "s", "list", "l"):
            {"h": self.hint, "s": self.solution, "l": self.list}[word[0]]()
        elif word:
            print(f"'{word}' is none of: {HELP}")
        sys.stdout.flush()
        return None

    def run(self):
        """Runs the exercise. Returns the number of the next one; "" to quit."""
        self.begin()
        before = changed = stamps(self.folder)
        while True:
            try:
                goes = self.obey(self.lines.get(timeout=POLL_SECONDS))
                if goes is not None:
                    return goes
            except queue.Empty:
                pass
            now = stamps(self.folder)
            if now != before and now == changed:  # twice the same: an editor is not in the middle of saving it
                before = now
                self.grade()
            changed = now


class PuzzleLesson(Lesson):
    """One puzzle. A page shows what its threads do, and renews itself after each save."""

    def begin(self):
        self.write_missing(self.exercise.starter())
        self.file, self.see = self.folder / self.exercise.file, self.folder.parent / "see"
        self.see.mkdir(exist_ok=True)
        title, task = self.exercise.head()
        if sys.stdout.isatty():
            print("\033[2J\033[H", end="")
        print(f"{self.learned.bar()}\n\nPuzzle {self.exercise.number[1:]}: {title}\n\n{task}\n\n"
              f"Edit and save: {self.file}. Put your line where the file says {puzzles.MARK}.\n"
              f"Whenever you save, the program runs. Type {HELP}.", flush=True)
        self.show("Save your file, and see here what its threads do.")

    def show(self, words=None):
        """Lets the page show the last run, or these words."""
        if words:
            (self.see / puzzles.PAGE).write_text(puzzles.NOTHING.format(words))
        puzzles.renew(self.see, time.time_ns())

    def grade(self):
        started = time.monotonic()
        with progress.shown(running=self.exercise.file):
            is_solved, said = puzzles.run(self.exercise, self.file, self.see / puzzles.PAGE)
        self.show()
        page = self.see / "watch.html"
        where = "" if self.learned.is_page_open else f"\nSee it: {page.resolve().as_uri()}"
        self.learned.is_page_open |= opened(page.resolve().as_uri()) if not self.learned.is_page_open else False
        print(f"\n{said}{where}\n({time.monotonic() - started:.1f} s)", flush=True)
        if is_solved:
            self.passed("Type next to continue.")

    def solution(self):
        print("Your own line is the solution, once it has passed. Until then, type hint.")


def in_order(numbers):
    """Returns the exercises in the order in which a learner gets them."""
    return list(dict.fromkeys(number for later in numbers for number in [*EARLY.get(later, []), later]))


@named_files()
def run(options):
    by_number = {exercise.number: exercise for exercise in exercises() if not exercise.is_for_instructors}
    ours = {puzzle.number: puzzle for puzzle in puzzles.puzzles()}
    by_number = {**ours, **{number: by_number[number] for number in in_order(by_number) if number in by_number}}
    options.folder, number = folder_and_number(options.words, by_number)
    try:
        options.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{options.folder}: {error.strerror}; name a folder that you may write to: ./run learn DIR") from None
    learned = Progress(options.folder, list(by_number))
    learned.at = number or learned.at
    lines, given = typed_lines(), options.build
    while learned.at:
        learned.keep()
        exercise = by_number[learned.at]
        options.build, options.preset = given, "cpu"
        if learned.at in ours:
            build_for_puzzles()
        elif not exercise.questions:
            build_for_grading(options, exercise.step, exercise)
        options.build = options.build or ROOT
        kind = PuzzleLesson if learned.at in ours else Lesson
        goes = kind(exercise, learned, options.folder, options, lines).run()
        if not goes:
            break
        learned.at = goes
    print(f"{learned.bar()}. Continue with ./run learn{'' if options.folder == DEFAULT else f' {shlex.quote(str(options.folder))}'}")
