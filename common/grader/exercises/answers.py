"""Questions whose answer is a number, and the recorded results that grade them. After "Answer: " comes one of

    NAME is KEY of DEVICE/FILE.json where PARAMETER=VALUE ... within D
        KEY, to within D, of the first recorded run with these parameters
    NAME is the fastest COLUMN of DEVICE/FILE.csv at N bodies within F
        a value of COLUMN whose recorded time is at most F times that of the fastest
"""

import csv
import dataclasses
import json
import re
from pathlib import Path

from common.base.command_line import ROOT

RESULTS = ROOT / "docs" / "results"
FORM = re.compile(r"(\w+) is (?:(the fastest) )?(\w+) of (\S+?)(?: at (\d+) bodies)?(?: where (.+))? within ([\d.]+)")
ANSWER = re.compile(r"\s*(\w+)\s*=(.*)")


@dataclasses.dataclass(frozen=True)
class Question:
    name: str
    fastest: bool
    key: str
    file: str
    bodies: int
    where: dict  # parameters of the run, or values in the same row
    within: float

    @staticmethod
    def parse(line):
        found = FORM.fullmatch(line)
        if not found or bool(found.group(2)) != bool(found.group(5)):
            raise ValueError(f"not a question: {line}")
        name, fastest, key, file, bodies, where, within = found.groups()
        wanted = dict(pair.split("=") for pair in (where or "").split())
        return Question(name, bool(fastest), key, file, int(bodies or 0), wanted, float(within))

    def is_of(self, run):
        recorded = {**run, **run["parameters"]}
        return all(str(recorded.get(key)) == value for key, value in self.where.items())

    @property
    def record(self):
        """Returns a pattern of page text that shows the answer: a sweep's name, or the run's file and key."""
        stem = Path(self.file).stem
        return rf"\b{stem}\b" if self.fastest else rf"\b{stem}\b.*\b{self.key}\b"

    def times(self):
        """Returns recorded milliseconds by value of the column, the smallest if a value has several."""
        with open(RESULTS / self.file, newline="") as rows:
            times = [(float(row[self.key]), float(row["force_ms_median"])) for row in csv.DictReader(rows)
                     if int(row["bodies"]) == self.bodies]
        return {value: min(ms for v, ms in times if v == value) for value, _ in times}

    def best(self):
        """Returns the best answer."""
        if not self.fastest:
            runs = json.loads((RESULTS / self.file).read_text())["runs"]
            return next(run for run in runs if self.is_of(run))[self.key]
        times = self.times()
        return int(min(times, key=times.get))

    def problem(self, value):
        """Returns why the answer is wrong, in a line that does not reveal the correct one; None if it is correct."""
        if not self.fastest:
            off = abs(value - self.best())
            return None if off <= self.within else f"your answer {value:g} differs from the measured value by more than {self.within:g}"
        times = self.times()
        if value not in times:
            return f"your answer {value:g} was not measured; the measured values are {', '.join(f'{v:g}' for v in sorted(times))}"
        ratio = times[value] / min(times.values())
        return None if ratio <= self.within else f"with your answer {value:g}, it takes {ratio:.2f} times as long as with the fastest value"


def read_answers(text):
    """Returns answers by name, with their lines: {name: (text, line)}."""
    return {match[1]: (match[2].strip(), number) for number, line in enumerate(text.splitlines(), 1)
            if (match := ANSWER.match(line))}
