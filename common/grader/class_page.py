"""Makes a page about a class: which mistakes were made how often, the distribution of points, submissions that are copies, and the
report of each student. The page is one file, which needs no other.
"""

import copy
import html
import re
import statistics
import string
from pathlib import Path

from common.base.command_line import printable
from common.grader.class_results import row
from common.grader.handed_in import found_folder
from common.grader.reports.report import causes, clipped, diagnoses, printed, told_same
from common.grader.same_text import given_texts, nearly_equal

TEMPLATE = Path(__file__).with_name("class_page.html")
BARS = 10
TALLEST = 110  # pixels
MOST_NAMES = 12
# Parts of a sentence that differ from student to student: numbers, quoted names, and the array of a race, after the colon.
NUMBER, QUOTED, ARRAY = re.compile(r"\d+(\.\d+)?(e[+-]?\d+)?"), re.compile(r"'[^']*'|‘[^’]*’"), re.compile(r"^([\w ]+ memory): .*")
COMMENT = re.compile(r"(//|/\*).*")


def escaped(text):
    return html.escape(clipped(text))


def handed_in(folder, names):
    """Returns the texts of a submission's files as one, for comparing; None if there are none."""
    try:
        place, _ = found_folder(folder, names)
        return place and "\n".join((place / name).read_text(errors="replace") for name in names)
    except OSError:
        return None


def nameless(entry, label):
    """Returns an entry of a student with a label instead of the name, without names of files and without comments, which can have it too.
    """
    words = re.findall(r"[^\W\d_]{3,}", entry["student"])
    anywhere = re.compile("|".join(words) or "$.", re.IGNORECASE)
    written = re.compile("|".join(word for word in words if word[0].isupper()) or "$.")  # else a student called Lane has no lanes

    def hidden(text):
        return QUOTED.sub(lambda quoted: anywhere.sub("...", quoted[0]), written.sub("...", COMMENT.sub(r"\1", text)))

    shown = copy.deepcopy({**entry, "student": label, "message": re.split("[;:]", entry["message"])[0]})
    if result := shown["result"]:
        result.update(submission=label, ignored_files=[])
        for _, said in diagnoses(result):
            lines = said.get("details", [])
            code = [below.strip() == "^" for below in [*lines[1:], ""]]  # a line of the student's text has a mark below
            said.update(text=hidden(said["text"]), file=said.get("file") and anywhere.sub("...", said["file"]),
                        details=[hidden(anywhere.sub("...", line) if is_code else line) for line, is_code in zip(lines, code)])
    elif entry["status"] == "not graded":
        shown["message"] = entry["status"]
    return shown


class Page:
    """entries: of the class's results; labels: a name for each student; texts: what each has handed in"""

    def __init__(self, entries, labels, texts, task, given):
        self.entries, self.labels, self.texts, self.task, self.given = entries, labels, texts, task, given
        self.numbers = {student: n for n, student in enumerate(entries)}
        self.scores = {student: row(entry)["score"] for student, entry in entries.items()}

    def link(self, student):
        return f'<a href="#s{self.numbers[student]}">{escaped(self.labels[student])}</a>'

    def links(self, students):
        more = f" and {len(students) - MOST_NAMES} more" if len(students) > MOST_NAMES else ""
        return ", ".join(map(self.link, students[:MOST_NAMES])) + more

    def summary(self):
        scores = [score for score in self.scores.values() if score != ""]
        text = f"{len(self.entries)} submissions"
        if scores:
            text += (f"; mean {statistics.fmean(scores):.1f} of 100 points, median {statistics.median(scores):g}; "
                     f"{sum(score == 100 for score in scores)} with all points")
        return f"{text}."

    def bars(self):
        """Returns (HTML, words) of the numbers of submissions with 0 to 9 points, 10 to 19, ..., 90 to 99, 100."""
        counts = [0] * (BARS + 1)
        for score in self.scores.values():
            if score != "":
                counts[int(score * BARS // 100)] += 1
        most = max([*counts, 1])
        names = [f"{100 * n // BARS}" for n in range(BARS + 1)]
        shown = "".join(f'<div>{count or ""}<i style="height: {TALLEST * count // most}px"></i><span>{name}</span></div>'
                        for name, count in zip(names, counts))
        return shown, ", ".join(f"{count} from {name} points on" for name, count in zip(names, counts) if count)

    def mistakes(self):
        """Returns the rows (example, students), the most frequent mistake first."""
        found = {}
        for student, entry in self.entries.items():
            result = entry["result"]
            if not result:
                said = [entry["message"]]
            elif result["build"]["status"] == "failed":
                said = [f"it does not compile: {result['build']['diagnosis']['text']}"]
            else:
                said = [diagnosis["text"] for diagnosis, _ in causes(result)]
            for text in said:
                key = ARRAY.sub(r"\1", QUOTED.sub("", NUMBER.sub("0", text)))
                found.setdefault(key, (text, []))[1].append(student)
        return sorted(found.values(), key=lambda one: -len(set(one[1])))

    def table(self, head, rows, none):
        if not rows:
            return f"<p>{none}</p>"
        cells = "".join("<tr>" + "".join(f"<td{' class=number' if isinstance(cell, int) else ''}>{cell}</td>" for cell in one) + "</tr>"
                        for one in rows)
        return f"<table><tr>{head}</tr>{cells}</table>"

    def same(self):
        rows = [(self.link(student), escaped(f"{text[:1].upper()}{text[1:]}.")) for student, entry in self.entries.items()
                if entry["result"] and (text := told_same(entry["result"]))]
        return self.table("<th>who</th><th>what</th>", rows, "None.")

    def equal(self):
        groups = nearly_equal({student: text for student, text in self.texts.items() if text}, self.given)
        rows = [(self.links(students), how) for students, how in groups]
        return self.table("<th>who</th><th>how much</th>", rows, "None.")

    def report(self, student):
        entry = self.entries[student]
        label, score = self.labels[student], self.scores[student]
        text = printed({**entry["result"], "submission": label}) if entry["result"] else entry["message"]
        first = row(entry)["message"]
        shown = "\n".join(html.escape(printable(line)) for line in text.splitlines())
        return (f'<details id="s{self.numbers[student]}"><summary><b>{"-" if score == "" else f"{score:g}"}</b> {escaped(label)} '
                f'<span class="who">{escaped(first)}</span></summary><pre>{shown}</pre></details>')

    def text(self):
        bars, words = self.bars()
        mistakes = [(len(set(students)), f"{escaped(text)}<br><span class=who>{self.links(sorted(set(students)))}</span>")
                    for text, students in self.mistakes()]
        by_points = sorted(self.entries, key=lambda student: (self.scores[student] == "", self.scores[student] or 0, student))
        return string.Template(TEMPLATE.read_text()).substitute(
            title=escaped(f"A class, {self.task}"), summary=escaped(self.summary()), bars=bars, bars_in_words=escaped(words),
            mistakes=self.table("<th class=number>students</th><th>mistake</th>", mistakes, "None."), same=self.same(),
            equal=self.equal(), reports="".join(map(self.report, by_points)))


def class_page(entries, folders, names, task, step, exercise, without_names=False):
    """Returns the page's HTML. entries: results by student; folders: of the submissions that are still there; names: files that had to
    be handed in
    """
    texts = {folder.name: handed_in(folder, names) for folder in folders if folder.name in entries}
    scores = {student: row(entry)["score"] or 0 for student, entry in entries.items()}
    order = sorted(entries, key=lambda student: (scores[student], student)) if without_names else sorted(entries)
    labels = {student: f"student {n}" if without_names else student for n, student in enumerate(order, 1)}
    shown = {student: nameless(entries[student], labels[student]) if without_names else entries[student] for student in order}
    return Page(shown, labels, texts, task, given_texts(step, exercise)).text()
