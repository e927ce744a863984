"""Questions whose answer is a number, and the recorded results that it is graded by. What follows "Answer: " is one of

    NAME is KEY of FILE.json within D
        the recorded run's KEY, to within D
    NAME is the fastest COLUMN of FILE.csv at N bodies within F
        a value of COLUMN whose recorded time is at most F times that of the fastest
"""

import csv
import dataclasses
import json
import re

from common.base.command_line import ROOT

RESULTS = ROOT / "docs" / "results" / "h200"
FORM = re.compile(r"(\w+) is (?:(the fastest) )?(\w+) of (\S+?)(?: at (\d+) bodies)? within ([\d.]+)")
ANSWER = re.compile(r"\s*(\w+)\s*=(.*)")


@dataclasses.dataclass(frozen=True)
class Question:
    name: str
    fastest: bool
    key: str
    file: str
    bodies: int
    within: float

    @staticmethod
    def parse(line):
        found = FORM.fullmatch(line)
        if not found or bool(found.group(2)) != bool(found.group(5)):
            raise ValueError(f"not a question: {line}")
        name, fastest, key, file, bodies, within = found.groups()
        return Question(name, bool(fastest), key, file, int(bodies or 0), float(within))

    def times(self):
        """Recorded milliseconds by value of the column, the least where a value has several."""
        with open(RESULTS / self.file, newline="") as rows:
            times = [(float(row[self.key]), float(row["force_ms_median"])) for row in csv.DictReader(rows)
                     if int(row["bodies"]) == self.bodies]
        return {value: min(ms for v, ms in times if v == value) for value, _ in times}

    def best(self):
        """The answer that nothing beats."""
        if not self.fastest:
            return json.loads((RESULTS / self.file).read_text())["runs"][0][self.key]
        times = self.times()
        return int(min(times, key=times.get))

    def problem(self, value):
        """Why the answer is not right, in a line that does not say what is; None where it is."""
        if not self.fastest:
            off = abs(value - self.best())
            return None if off <= self.within else f"{value:g} is off by more than {self.within:g}"
        times = self.times()
        if value not in times:
            return f"{value:g} is not among the recorded: {', '.join(f'{v:g}' for v in sorted(times))}"
        ratio = times[value] / min(times.values())
        return None if ratio <= self.within else f"{value:g} takes {ratio:.2f} times as long as the fastest"


def read_answers(text):
    """Answers by name, and the line of each: {name: (text, line)}."""
    return {match[1]: (match[2].strip(), number) for number, line in enumerate(text.splitlines(), 1)
            if (match := ANSWER.match(line))}
