"""The results of a class, kept so that a kill at any time loses none. The folder grades, next to grades.csv, has a
document for each submission, written whole; the table is made from all of them.

Names that begin with a dot are the folder's own: .class.json says what is graded, .lock keeps a second call out.
"""

import contextlib
import csv
import fcntl
import hashlib
import io
import json
import os
import re
import unicodedata
import urllib.parse

from common.base.command_line import BadInput
from common.base.whole_file import write_whole
from common.grader.reports.report import first_diagnosis, printable

COLUMNS = "student score max_score speed status message file line seconds seed graded_at".split()
FORMULA = tuple("=+-@")  # with these, full-width too and behind blanks, begins what a spreadsheet would compute
# In some languages, spreadsheets take semicolons for the ends of cells.
INNER_FORMULA = re.compile(r"""([;|]["'\s]*)(?=[=+@\uff1d\uff0b\uff20-])""")
LONGEST_CELL = 1000  # characters: a class's table is to be read
LONGEST = 200  # bytes; file systems allow 255, and ".json" comes after it


def file_name(student):
    """The name of the student's document: safe on any file system, and unique."""
    name = urllib.parse.quote(os.fsencode(student), safe="")
    if len(name) > LONGEST:
        # A quoted name has two hex digits after each percent sign, so no other has this form.
        name = f"{name[:100]}%~{hashlib.sha256(os.fsencode(student)).hexdigest()}"
    return f"{name}.json"


def cell(text):
    """Text as a spreadsheet shows it; None is an empty cell."""
    if text is None:
        return ""
    formula = unicodedata.normalize("NFKC", str(text)).lstrip().startswith(FORMULA)
    shown = INNER_FORMULA.sub(r"\1'", printable(str(text)[:LONGEST_CELL]))
    return f"'{shown}" if formula else shown


def status(result):
    if result["build"]["status"] != "passed":
        return "does not build"
    return "passed" if all(test["status"] == "passed" for test in result["tests"]) else "failed"


def csv_row(name, result, graded_at=""):
    """The row, by column, of the submission of the student with this name; speed is empty where none was measured."""
    speed = (result["speed"] or {}).get("score")
    found = first_diagnosis(result)
    return {"student": cell(name), "score": result["score"], "max_score": result["max_score"],
            "speed": "" if speed is None else speed, "status": status(result), "message": cell(found["text"]),
            "file": cell(found.get("file")), "line": found.get("line") or "", "seconds": result["seconds"],
            "seed": result["seed"], "graded_at": cell(graded_at)}


def row(entry):
    """Row of a submission. Without a result the score is 0 if the student submitted nothing, otherwise empty."""
    if entry["result"]:
        return csv_row(entry["student"], entry["result"], entry["graded_at"])
    return {
        **dict.fromkeys(COLUMNS, ""),
        "student": cell(entry["student"]), "score": 0 if entry["status"] == "no submission" else "", "max_score": 100,
        "status": entry["status"], "message": cell(entry["message"]), "graded_at": entry["graded_at"]}


class ClassResults:
    """The results that belong to one CSV file."""

    def __init__(self, table):
        self.table = table
        self.folder = table.with_suffix("")
        self.about = self.folder / ".class.json"

    def check(self, task):
        """Refuses what is not ours to overwrite, and other grades than this task's."""
        if self.table.suffix != ".csv" or self.table.is_dir():
            raise BadInput(f"--csv {self.table}: must name a file that ends in .csv")
        if not self.table.parent.is_dir():
            raise BadInput(f"--csv {self.table}: there is no folder {self.table.parent}")
        if not os.access(self.table.parent, os.W_OK | os.X_OK):
            raise BadInput(f"--csv {self.table}: cannot be written")
        if self.about.is_file():
            kept = json.loads(self.about.read_text())["task"]
            if kept != task:
                raise BadInput(f"{self.table} has grades of {kept}, not of {task}: choose another --csv")
        elif self.table.exists():
            raise BadInput(f"{self.table} exists, but there are no results next to it; choose another --csv")
        elif self.folder.exists() and not self.only_begun():
            raise BadInput(f"{self.folder} already exists, and the results of {self.table.name} would go there; "
                           "choose another --csv")

    def only_begun(self):
        """Whether a call was ended before it wrote anything here."""
        return self.folder.is_dir() and {path.name for path in self.folder.iterdir()} <= {".lock"}

    @contextlib.contextmanager
    def opened(self, task):
        """Keeps others out."""
        self.folder.mkdir(exist_ok=True)
        with (self.folder / ".lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BadInput(f"another ./run grade-all is writing {self.table}") from None
            self.check(task)  # again: a call before this one may have begun since
            write_whole(self.about, json.dumps({"task": task}) + "\n")
            yield

    def keep(self, entry):
        write_whole(self.folder / file_name(entry["student"]), json.dumps(entry, indent=1) + "\n")

    def entries(self):
        """All that is kept, by student."""
        found = {}
        for path in self.folder.glob("[!.]*.json"):
            try:
                entry = json.loads(path.read_text())
                row(entry)
                if file_name(entry["student"]) == path.name:
                    found[entry["student"]] = entry
            except (ValueError, LookupError, TypeError, AttributeError):
                continue  # not one of ours, or damaged by others: it is graded again
        return found

    def write_table(self, entries):
        """The CSV of these entries, in the order of names."""
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, COLUMNS)
        writer.writeheader()
        writer.writerows(row(entries[name]) for name in sorted(entries))
        write_whole(self.table, text.getvalue().encode(errors="backslashreplace"))
