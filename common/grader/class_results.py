"""The results of a class, stored so that a kill at any time loses none. A folder next to grades.csv has one document per
submission, written whole. The table is made from all documents.

Names that begin with a dot belong to the folder itself: .class.json says what is graded, .lock keeps a second call out.
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

from common.base.command_line import BadInput, printable
from common.base.whole_file import write_whole
from common.grader.reports.report import first_diagnosis

COLUMNS = "student score max_score speed status message file line seconds seed graded_at".split()
FORMULA = tuple("=+-@")  # a spreadsheet computes text that begins with these, also in full width and after blanks
# In some languages, spreadsheets end cells at semicolons.
INNER_FORMULA = re.compile(r"""([;|]["'\s]*)(?=[=+@\uff1d\uff0b\uff20-])""")
LONGEST_CELL = 1000  # characters, so that people can read the table
LONGEST = 200  # bytes; file systems allow 255, and ".json" is added


def file_name(student):
    """Returns the name of the student's document: safe on any file system, and unique."""
    name = urllib.parse.quote(os.fsencode(student), safe="")
    if len(name) > LONGEST:
        # A quoted name has two hex digits after each percent sign, so no other name has this form.
        name = f"{name[:100]}%~{hashlib.sha256(os.fsencode(student)).hexdigest()}"
    return f"{name}.json"


def cell(text):
    """Returns text as a spreadsheet shows it; None becomes an empty cell."""
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
    """Returns the row of this student's submission, by column. Speed is empty if it was not measured."""
    speed = (result["speed"] or {}).get("score")
    found = first_diagnosis(result)
    return {"student": cell(name), "score": result["score"], "max_score": result["max_score"],
            "speed": "" if speed is None else speed, "status": status(result), "message": cell(found["text"]),
            "file": cell(found.get("file")), "line": found.get("line") or "", "seconds": result["seconds"],
            "seed": result["seed"], "graded_at": cell(graded_at)}


def row(entry):
    """Returns the row of a submission. Without a result the score is 0 if the student submitted nothing, otherwise empty."""
    if entry["result"]:
        return csv_row(entry["student"], entry["result"], entry["graded_at"])
    return {
        **dict.fromkeys(COLUMNS, ""),
        "student": cell(entry["student"]), "score": 0 if entry["status"] == "no submission" else "", "max_score": 100,
        "status": entry["status"], "message": cell(entry["message"]), "graded_at": entry["graded_at"]}


class ClassResults:
    """The results of one CSV file."""

    def __init__(self, table):
        self.table = table
        self.folder = table.with_suffix("")
        self.about = self.folder / ".class.json"

    def check(self, task):
        """Raises BadInput if files that are not ours would be overwritten, or if there are grades of another task."""
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
        """Returns whether an earlier call ended before it wrote anything here."""
        return self.folder.is_dir() and {path.name for path in self.folder.iterdir()} <= {".lock"}

    @contextlib.contextmanager
    def opened(self, task):
        """Keeps other calls out."""
        self.folder.mkdir(exist_ok=True)
        with (self.folder / ".lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BadInput(f"another ./run grade --class is writing {self.table}") from None
            self.check(task)  # again, because another call may have begun after the first check
            write_whole(self.about, json.dumps({"task": task}) + "\n")
            yield

    def keep(self, entry):
        write_whole(self.folder / file_name(entry["student"]), json.dumps(entry, indent=1) + "\n")

    def entries(self):
        """Returns all entries, by student."""
        found = {}
        for path in self.folder.glob("[!.]*.json"):
            try:
                entry = json.loads(path.read_text())
                row(entry)
                if file_name(entry["student"]) == path.name:
                    found[entry["student"]] = entry
            except (ValueError, LookupError, TypeError, AttributeError):
                continue  # not one of ours, or damaged: the submission is graded again
        return found

    def write_table(self, entries):
        """Returns the CSV of these entries, in the order of names."""
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, COLUMNS)
        writer.writeheader()
        writer.writerows(row(entries[name]) for name in sorted(entries))
        write_whole(self.table, text.getvalue().encode(errors="backslashreplace"))
