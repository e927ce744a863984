"""The puzzles: whole CUDA programs in which one line is missing. Each takes a minute or two, and they come before the first exercise.

A puzzle is a file of puzzles/, which runs on any GPU too: its header has the task, and its main() checks the result. puzzles.json
has the rest, in the order of the puzzles:

    name        of the file
    minutes     for a beginner
    hints       from the vaguest to the plainest
    says        (pattern, sentence): what a student is told about a wrong line. The first pattern that occurs in what the program and
                the checker print decides; if it begins with "source: ", the first that occurs in the student's file
    requests    of warps to global memory, at most: a correct result with more than that does not pass
    advice      true: a correct result for which the counts give advice does not pass
"""

import dataclasses
import html
import json
import re
import tempfile
from pathlib import Path

from common.base.command_line import script
from common.base.whole_file import write_whole
from common.executor.checker.advice import all_advice, totals
from common.grader.sandbox.limited_run import run_limited
from common.tools.terminal import filled, text_width

FOLDER = Path(__file__).with_name("puzzles")
MARK = "YOUR LINE"
SECONDS = 20  # of a compilation and a run, as a Limit counts them; they need two
PAGE = "kernel.html"  # what the threads do, from the last run
# Shows PAGE again after each save, also without a server: a page may load scripts from its folder, but not read files.
WATCH = f"""<!doctype html><meta charset="utf-8"><title>Your kernel</title>
<style>html, body, iframe {{ margin: 0; width: 100%; height: 100%; border: 0; display: block }} html {{ color-scheme: light dark }}</style>
<iframe title="What the threads do"></iframe>
<script>
let shown;
function saved(number) {{ if (number !== shown) document.querySelector("iframe").src = "{PAGE}?" + (shown = number); }}
setInterval(function load() {{
  const script = document.createElement("script");
  script.onload = script.onerror = () => script.remove();
  script.src = "saved.js?" + Date.now();
  document.head.append(script);
}}, 500);
</script>
"""
NOTHING = """<!doctype html><meta charset="utf-8"><style>body {{ font: 1.1rem/1.5 sans-serif; margin: 2rem; white-space: pre-wrap }}
html {{ color-scheme: light dark }}</style>{}"""


@dataclasses.dataclass(frozen=True)
class Puzzle:
    number: str  # "p1"
    name: str
    minutes: int
    hints: list
    says: list
    requests: int = 0
    advice: bool = False

    @property
    def file(self):
        return f"{self.name}.cu"

    def starter(self):
        """Returns the student's file: text by name."""
        return {self.file: (FOLDER / self.file).read_text()}

    def with_line(self, line):
        """Returns the text of the file with this line where the student's belongs."""
        return re.sub(rf"^( *).*{MARK}.*$", lambda found: found[1] + line, self.starter()[self.file], flags=re.MULTILINE)

    def head(self):
        """Returns (title, task) from the header of the file."""
        header = (FOLDER / self.file).read_text().partition("#include")[0]
        title, _, task = re.sub(r"^// ?", "", header, flags=re.MULTILINE).partition("\n\n")
        return title.partition(": ")[2], task.strip()

    @property
    def title(self):
        return self.head()[0]

    def sentence(self, said, source):
        """Returns what the student is told about a wrong line; empty if no pattern fits."""
        for pattern, words in self.says:
            where = "source: " if pattern.startswith("source: ") else ""
            if found := re.search(pattern[len(where):], source if where else said, re.MULTILINE):
                return found.expand(words)
        return ""


def puzzles():
    """Returns all puzzles in their order."""
    listed = json.loads((FOLDER / "puzzles.json").read_text())
    return [Puzzle(f"p{number}", **{**one, "says": one["says"] + listed["all"]}) for number, one in enumerate(listed["puzzles"], 1)]


def first_report(said):
    """Returns the first of the checker's reports that is not a note, or the compiler's first error; empty if there is none."""
    reports = re.split(r"^(?=executor: )", said, flags=re.MULTILINE)[1:]
    if faults := [report for report in reports if not re.match(r"executor: (?:note: |\d+ reports?[;,:])", report)]:
        return "\n".join(line for line in faults[0].splitlines() if line.startswith(("executor: ", "  ")))
    errors = re.split(r"^(?=\S+:\d+:(?:\d+:)? )", said, flags=re.MULTILINE)[1:]
    # Lines about the header of the next error follow the first one.
    return next((error.partition("\nIn file included from ")[0].rstrip() for error in errors if ": error: " in error), "")


def run(puzzle, file, page):
    """Compiles and runs the student's file, and writes what its threads do to the page. Returns (whether it is solved, text)."""
    write_whole(page, NOTHING.format("Your kernel has read and written nothing yet."))
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.json"
        ended = run_limited(["env", f"NBODY_EXECUTOR_COUNTS={counts}", *script("tools.cuda.cuda"), "--see", "--page", page, file],
                            SECONDS, cwd=Path.cwd(), file_bytes=None)
        document = json.loads(counts.read_text()) if counts.exists() else None
    results = [line for line in ended.out.splitlines() if not line.startswith(("See it: ", "There is nothing to see"))]
    said, report = ended.error, first_report(ended.error)
    if ended.status is None:
        results = [f"The program was stopped, because it had not ended after {SECONDS} seconds."]
    elif ended.status == 0:
        results = wasteful(puzzle, document)
        if not results:
            return True, "Correct."
    told = "\n".join([*results, *filter(None, [report or ("" if results else said.strip())])])
    if ": error: " in report:
        write_whole(page, NOTHING.format(html.escape(f"The file does not compile.\n\n{report}")))
    teach = puzzle.sentence(f"{told}\n{said}", Path(file).read_text(errors="replace"))
    return False, "\n\n".join(filter(None, [wrapped(told, "    "), wrapped(teach)]))


def wrapped(text, indent=""):
    """Returns the text with lines that fit a terminal. indent: of the lines that continue another"""
    return "\n".join(filled(line, indent) if len(line) > text_width() else line for line in text.splitlines())


def wasteful(puzzle, document):
    """Returns why a correct result does not pass, one line each."""
    if not document:
        return []
    requests = totals(document)["global_requests"]
    many = [f"The result is correct, but it takes {requests} requests to global memory; {puzzle.requests} are enough"
            ] if puzzle.requests and requests > puzzle.requests else []
    slow = [f"The result is correct, but slow: {Path(row['line']).name}: {text}" for row, text in all_advice(document) if puzzle.advice]
    return many + slow[:1]


def renew(folder, number):
    """Makes the page that watches show the kernel again. number: differs from the last one"""
    write_whole(folder / "watch.html", WATCH)
    write_whole(folder / "saved.js", f"saved({number});\n")
