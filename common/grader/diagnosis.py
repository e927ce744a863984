"""Finds out what is wrong and where, from how a submission's run ended and what it printed."""

import dataclasses
import itertools
import re
import signal
from pathlib import Path
from xml.etree import ElementTree

from common.base.command_line import ROOT
from common.grader.complaints import Complaint
from common.grader.exercises.files import FORCES
from common.grader.loops import line_of_function, lines_of_loops_around
from common.grader.verdict import verdict

MARK = "submission: "  # before lines of the checker's reports in the judge's error (judge/judged_simulation.cpp)
SUBMISSION_GONE = 99  # kSubmissionGone of judge/pipe_protocol.hpp, an exit status
PLACE = re.compile(r"(?<![\w.+/-])([\w.+/-]+):(\d{1,9})")  # linear, because a match begins only at the first letter of a word
AT = re.compile(r" at ([\w.+/-]+\.\w+):\d{1,9}")
# The executor's report of a program that was told to end.
STOPPED = re.compile(r"executor: stopped by SIGTERM in kernel '(?P<kernel>[^']{1,100})', launched at (?P<launch>[^\s:]+:\d+)"
                     r", after (?P<seconds>[\d.e+-]{1,10}) s"
                     r"(?:: (?P<thread>thread \S+) of (?P<block>block \S+)(?: at (?P<line>[^\s:]+:\d+))? was running)?")
STOPPED_HOST = re.compile(r"executor: stopped by SIGTERM in host code at (?P<lines>[^\n]{1,2000})\.$", re.MULTILINE)
QUICK = 0.1  # share of the limit; if a kernel has run for less, the loop that does not end is around its launch
NO_OPTION = "the program does not accept --"  # of judge/submission_main.cpp
BELOW = "This is the kernel that computes these forces. The mistake is in it, in a function that it calls, or in its launch."


@dataclasses.dataclass
class Diagnosis:
    """Finds out what went wrong in runs of a submission's programs."""

    step: str
    place: Path  # folder of its sources and programs
    main = FORCES  # the file that must be handed in, or the first of them
    files = ()  # files that were handed in: only in these a complaint is placed; empty: in all
    written = ()  # (file, its functions) that an exercise asks for
    given = ()  # files that were handed in as they were handed out, and in which nothing is asked for
    SAYS_LITTLE = re.compile(r"the forces (on \d+ of|differ)|(in )?the accelerations? of|nothing was written|bodies .* are wrong, the others")
    OF_THE_LAW = re.compile(r"the forces are those that you get if|all forces are|the [xyz] (and [xyz] )?component|every force is off|two mistakes together")
    SETTING = re.compile(r"^The forces are (wrong|correct) [^:]*: ")  # of the judge's failedAblation()

    def complaint(self, judged, why=None):
        """Returns the mistake; None if the judge found the forces correct. Only words come from the submission. why: a better
        reason than the judge's last line, if there is one
        """
        if judged.stopped == "time":
            return self.of_its_time(judged.submission)
        if judged.stopped:
            return self.at_kernel(judged.stopped)
        if judged.judge.status == 0:
            return None
        if judged.judge.status == SUBMISSION_GONE:
            return self.of_its_end(judged.submission)
        found = verdict(judged.judge.status, without_reports(judged.judge.error))
        text = why or found.message or f"the grader's judge ended with status {judged.judge.status}"
        return dataclasses.replace(self.at_kernel(text), is_effect=True)

    def with_report(self, complaint, reports):
        """Returns the complaint about wrong forces, or the checker's report that explains them. reports: Complaints of this run"""
        def of_kind(word):
            return next((report for report in reports if report.text.startswith(word)), None)
        said = self.SETTING.sub("", complaint.text)
        first = of_kind("uninitialised") if said.startswith("every force is off") else None
        if not reports or first is None and self.OF_THE_LAW.match(said):
            return complaint
        # Sources that a tile cannot hold are missing in the sums.
        first = first or of_kind("race") or of_kind("out of bounds of shared memory")
        if first is None and not self.SAYS_LITTLE.match(said):
            return complaint  # sources that are missing, for example
        return dataclasses.replace(first or reports[0], credit=complaint.credit)

    def of_its_time(self, ended):
        """Returns which line was running when the time of a submission was over, if the executor has said it."""
        text = f"the program did not end within {ended.seconds:.0f} s"
        asks = "does a loop or a wait never end?"
        found = STOPPED.search(ended.error)
        if not found or float(found["seconds"]) < QUICK * ended.seconds:
            return self.of_host_code(f"{text}: {asks}", found, STOPPED_HOST.search(ended.error))
        at = f", {found['thread']} of {found['block']} was running at {found['line']}" if found["line"] else ""
        placed = self.placed(f"{found['line'] or ''} {found['launch']}", ())
        where = f"kernel {found['kernel']}, launched at {found['launch']}{at}".replace(f"{self.step}/", "")
        placed = dataclasses.replace(placed, text=f"{text}: {asks}", details=(where,))
        return self.at_loop(placed) if placed.line and f"{placed.file}:{placed.line}" in (found["line"] or "") else placed

    def of_host_code(self, text, kernel, host):
        """Returns the complaint about host code that does not end. kernel, host: what the executor has said, or None"""
        if not kernel and not host:
            return Complaint(text)
        lines = kernel["launch"] if kernel else host["lines"]
        placed = self.placed(lines, ())
        if not placed.line or f"{placed.file}:{placed.line}" not in lines:
            return dataclasses.replace(placed, text=text, details=("host code was running",))
        now = f", which last launched kernel {kernel['kernel']}" if kernel else ""
        return self.at_loop(dataclasses.replace(placed, text=text, details=(
            f"host code was running at {placed.file}:{placed.line}{now}",)))

    def at_loop(self, placed):
        """Returns the complaint at the innermost loop around its line, if there is one, with the lines of all these loops."""
        loops = lines_of_loops_around((self.place / placed.file).read_text(errors="replace"), placed.line)
        if not loops:
            return placed
        around = f"the loop{'s' * (len(loops) > 1)} around it: {', '.join(f'{placed.file}:{line}' for line in loops)}"
        return dataclasses.replace(placed, details=(*placed.details, around), line=loops[-1])

    def of_its_end(self, ended):
        """Returns how a submission's process ended, for example before it had answered."""
        if ended.status is None:
            return self.at_kernel("the program closed its connection to the grader and kept running")
        if ended.flooded or (ended.status != 0 and "File too large" in ended.error):
            return Complaint("the program printed more than 4 MB")
        found = verdict(ended.status, ended.error)
        if found.by == "crash":
            return self.at_kernel(f"the program crashed: {signal_name(-ended.status)}")
        if found.by is None:
            return self.at_kernel("the program ended before it had computed the forces")
        if not found.message:
            return Complaint(f"the program ended with status {ended.status}",
                             tuple(ended.error.strip().splitlines()[-2:]))
        return self.placed(found.message, self.details(ended.error, found.message))

    def details(self, text, message):
        """Returns the lines of the report with this message."""
        lines = text.replace(f"{ROOT}/", "").splitlines()
        begin = next((n for n, line in enumerate(lines) if message in line), len(lines))
        block = itertools.takewhile(lambda line: line.startswith("  "), lines[begin + 1:begin + 101])
        return tuple(AT.sub(self.at_own, line.strip().replace(f"{self.step}/", "")) for line in block)

    def at_own(self, match):
        """Returns a place as it is, or other words for one in a file that the student does not have."""
        return match[0] if (self.place / match[1]).is_file() else " in the suite's code"

    def placed(self, text, details):
        """Returns a complaint at the first place in the student's files that the words name."""
        text = text.replace(f"{self.step}/", "")
        words = " ".join([text, *details])
        # Places in brackets, such as where an array was allocated, come last.
        for part in (re.sub(r"\([^()]*\)", " ", words), words):
            for match in PLACE.finditer(part):
                file = match.group(1)
                # Words of a submission must not reveal which files this machine has.
                if (self.files and file not in self.files) or ".." in file or file.startswith("/") or not (self.place / file).is_file():
                    continue
                found = Complaint(text, details, file, int(match.group(2)))
                return found if part is not words else self.at_written(found)
        return self.at_kernel(text, details)

    def at_written(self, found):
        """Returns the complaint at the first function that the exercise asks for, if its file was not changed and cannot be wrong."""
        if found.file not in self.given or not self.written:
            return found
        file, names = self.written[0]
        line = next(filter(None, (line_of_function((self.place / file).read_text(errors="replace"), name) for name in names)), None)
        calls = [f"{name}()" for _, others in self.written for name in others]
        look = f"{found.file} is as it was handed out. Look first at what you write in this exercise: {' and '.join(calls)}."
        return dataclasses.replace(found, details=(*(one for one in found.details if one != BELOW), look), file=file, line=line)

    def at_kernel(self, text, details=()):
        """Returns a complaint about forces, which are not in one line. Its place is the kernel that computes them."""
        text = text.replace(f"{self.place}/", "")
        options = next((name for name in self.files if name.endswith("options.hpp")), None)
        if text.startswith(NO_OPTION) and options:
            return Complaint(text, (), options, None)
        files = [self.main, *sorted(path.name for path in self.place.glob("*.cuh") if path.name != self.main)]
        files = [file for file in files if file in self.files] or files
        for name in ("forcesKernel(", "computeForces(", "void compute("):
            for file in files:
                for number, line in enumerate((self.place / file).read_text(errors="replace").splitlines(), 1):
                    if name in line and "launch" not in line:
                        return self.at_written(Complaint(text, details or (BELOW,), file, number))
        return Complaint(text, details, self.main, None)


def without_reports(text):
    """Returns the judge's own words."""
    return "\n".join(line for line in text.splitlines() if not line.startswith(MARK))


def signal_name(number):
    """Returns "segmentation fault (SIGSEGV)"."""
    try:
        return f"{(signal.strsignal(number) or 'signal').lower()} ({signal.Signals(number).name})"
    except ValueError:
        return f"signal {number}"


def test_report(text):
    """Returns (whether the only test passed, the best reason if not) from Catch2's XML."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return False, None
    results = root.findall(".//OverallResults")[-1:]
    passed = bool(results) and results[0].get("failures") == "0" and int(results[0].get("successes", 0)) > 0
    infos = [line.strip() for info in root.iter("Info") for line in (info.text or "").splitlines()]
    hints = [line[len("hint: "):] for line in infos if line.startswith("hint: ")]
    others = [line for line in infos if not line.startswith("hint:")]
    # Not the compared expression, because its code says nothing to a student.
    words = hints or [node.text.strip() for node in root.iter("Exception")] or others
    words = words or [f"this test failed: {case.get('name')}" for case in root.iter("TestCase") if not passed]
    return passed, words[0] if words else None
