"""Has the judge run a submission, and reports what these runs show."""

import dataclasses
import json
import re
from pathlib import Path

from common.grader.complaints import Complaint
from common.grader.diagnosis import MARK, SUBMISSION_GONE, Diagnosis, test_report
from common.grader.exercises.files import FORCES
from common.grader.sandbox.judging import FIRST_PROCESS, MEMORY, SubmissionProcess, run_judge
from common.grader.step_build import block_option
from common.grader.steps import facts
from common.grader.verdict import verdict
from common.grader.work_folder import work_folder

HALF = 0.5  # share of a test's points that wrong forces can earn, or those of a run with a race
BY_CHANCE = 0.75  # share for correct forces of a run with another report
ONLY_MESSAGES = "the forces are correct, but rank"  # said of step 08's messages before the forces are compared
NO_BODIES = "no kernel uses the values of the bodies"
# Seconds as a Limit counts them, which does not depend on how busy the machine is (sandbox/limited_run.py).
SECONDS = 120  # for all runs of a submission together; the slowest reference takes a fifth of it

TOGETHER = "all runs of the program together took too long"
RUN_SECONDS = 30  # for one run
AGAIN_SECONDS = 10  # for a run that is repeated because it did not end; the slowest reference takes less


class Stopped(Exception):
    """No time is left for a run: an earlier one did not end, or all together took too long."""


@dataclasses.dataclass
class Budget:
    """The time that is left for a submission's programs, in seconds."""

    left: float

    def begin(self):
        """Returns the seconds that a run may take."""
        if self.left <= 0:
            raise Stopped
        return min(self.left, RUN_SECONDS)

    def spend(self, seconds, stopped):
        self.left = 0 if stopped == "time" else self.left - seconds


@dataclasses.dataclass
class Submission(Diagnosis):
    """A submission that compiles. All judgements come from the judge, which runs in another process."""

    program: Path
    judge: Path  # start of the path in the build tree
    sandbox: object
    seed: int
    main: str = FORCES
    files: tuple = ()
    written: tuple = ()
    given: tuple = ()
    own_options: frozenset = frozenset()  # options that the step itself does not have
    budget: Budget = dataclasses.field(default_factory=lambda: Budget(SECONDS))
    process: dict = dataclasses.field(default_factory=dict)  # more arguments of SubmissionProcess
    reports: dict = dataclasses.field(default_factory=dict)  # Complaints of the checker in all runs, by kind and place
    endings: list = dataclasses.field(default_factory=list)  # of each run: a Complaint, or None if the program ended as it should
    uses_bodies: bool = False  # kernels have used the bodies in a run
    is_lost: bool = False  # a kernel of a tree went on after a mistake, and did not end or crashed
    evaluated: dict = dataclasses.field(default_factory=dict)  # results of forces(), because several tests need the same run

    def run(self, judge, arguments, order, own=(), stops=False):
        """Runs one of the judges. Returns the Judged. stops: the first mistake of a kernel stops it. With a tree whose links are wrong a
        kernel may never end or crash. Then this run and all later ones stop at the first mistake.
        """
        stops |= self.is_lost
        judged = self.run_once(judge, arguments, order, own, stops)
        if not self.is_repeated(stops) or not (judged.stopped or judged.judge.status == SUBMISSION_GONE) or self.budget.left <= 0:
            return judged
        self.is_lost = True
        return self.run_once(judge, arguments, order, own, True, AGAIN_SECONDS if judged.stopped == "time" else None)

    def is_repeated(self, stops):
        """Returns whether a run is repeated if it does not end."""
        return facts(self.step).has_tree and not stops

    def run_once(self, judge, arguments, order, own, stops, most=None):
        most = most or RUN_SECONDS
        seconds = min(self.budget.begin(), most)
        process = SubmissionProcess(self.sandbox, self.program, list(own), [self.place], memory=MEMORY,
                                    first=self.judge.parents[1] / FIRST_PROCESS, **self.process)
        # With one thread, blocks run in the same order each time.
        environment = {"NBODY_EXECUTOR_ORDER": order, "NBODY_EXECUTOR_THREADS": "1", "NBODY_TEST_SEED": str(self.seed),
                       **({"NBODY_JUDGE_STOPS": "1"} if stops else {})}
        judged = run_judge([judge, *arguments], process, seconds, environment)
        self.budget.spend(judged.judge.seconds, None if self.is_repeated(stops) else judged.stopped)
        if judged.stopped == "time" and seconds < most:
            return dataclasses.replace(judged, stopped=TOGETHER)
        return judged

    def found(self, judged, why=None, pulls=True):
        """Returns the complaint about a run or None, and remembers how it ended and what the checker has reported. pulls: there are
        several bodies, so a kernel must use their values
        """
        complaint = self.complaint(judged, why)
        gone = judged.stopped or judged.judge.status == SUBMISSION_GONE
        self.endings.append(complaint if gone else None)
        reports = [*reports_in(judged.judge.error, self)]
        if gone and not judged.stopped and verdict(judged.submission.status, judged.submission.error).by == "executor":
            reports.append(complaint)
        for report in reports:
            self.reports.setdefault((re.sub(r"[\d.]+", "", report.text.partition(":")[0]), report.file, report.line), report)
        # The judge says so, even if the complaint is a report of the checker.
        self.uses_bodies |= pulls and not gone and NO_BODIES not in judged.judge.error + judged.judge.out
        if gone and reports and complaint.text.startswith(ONLY_MESSAGES):
            return reports[0]
        return complaint if complaint is None or gone else self.with_report(complaint, reports)

    def ends(self):
        """Returns the first complaint about how a run ended, or None."""
        return next(filter(None, self.endings), None)

    def run_program(self, arguments, words, order, stops=False):
        """Runs the judge's program with its own arguments and those of the task. stops: the first mistake of a kernel stops it"""
        options = dict(pair.lstrip("-").split("=") for pair in pairs(words))
        own = [f"{name}={value}" for name, value in options.items() if name in self.own_options]
        known = [f"--{name}={value}" for name, value in options.items() if name not in self.own_options]
        known_block = "block" in options or "ranks" in options  # a rank chooses its own block
        block = [] if known_block else block_option(self.step)
        return self.run(self.judge, [*block, "--no-measure", *known, *arguments], order, own, stops)

    def forces(self, bodies, order="forward", arguments=()):
        """Returns (complaint or None, the judge's JSON) of evaluations under the checker. There are two if the step keeps
        memory. With ranks a third follows, in a time step: before it, step 08 checks how the bodies were exchanged in the
        second.
        """
        key = self.seed, bodies, order, *arguments
        if key not in self.evaluated:
            self.evaluated[key] = self.run_for_forces(bodies, order, arguments)
        return self.evaluated[key]

    def run_for_forces(self, bodies, order, arguments):
        steps = 1 if "--ranks" in arguments else 0
        with work_folder() as folder:
            report = folder / "report.json"
            judged = self.run_program([f"--bodies={bodies}", "--scene=cube", f"--seed={self.seed}", f"--steps={steps}",
                                       f"--json={report}"], arguments, order)
            run = run_of(report)
            found = self.found(judged, pulls=bodies > 1)
            if found and not judged.stopped:
                found = dataclasses.replace(found, credit=HALF * run.get("error", {}).get("share_correct", 0))
            return found or self.by_chance(judged), run

    def by_chance(self, judged):
        """Returns a complaint about a run with correct forces in which the checker has reported a mistake, or None. On a GPU they may be
        wrong. Here streams run in one order, with or without an event; blocks run one after the other, so no sum of two blocks is
        lost; and memory next to an array is often 0.
        """
        reports = [*reports_in(judged.judge.error, self)]
        race = next((report for report in reports if report.text.startswith("race")), None)
        if race:
            return dataclasses.replace(race, credit=HALF)
        return dataclasses.replace(reports[0], credit=BY_CHANCE) if reports else None

    def watched(self, bodies, words):
        """Returns (complaint or None, what the program printed) of a run with these arguments."""
        judged = self.run_program([f"--bodies={bodies}", "--scene=cube", f"--seed={self.seed}", "--steps=0"], words, "forward", True)
        return self.complaint(judged), judged.submission.error

    def recording(self, process):
        """Returns this submission, with more arguments of SubmissionProcess."""
        return dataclasses.replace(self, process=process)

    def test_case(self, name, order="forward"):
        """Returns a complaint or None from a test case of step_test.cpp or law_test.cpp, under the checker."""
        judged = self.run(f"{self.judge}_test", [name, "--reporter", "xml"], order)
        passed, why = test_report(judged.judge.out)
        if judged.judge.status == 0 and passed:
            return self.found(judged) or self.by_chance(judged)
        return self.found(judged, why) or Complaint("the tests ended without a report")


def reports_in(text, diagnosis):
    """Yields a Complaint for each report of the checker that a judge has passed on."""
    lines = [line[len(MARK):] for line in text.splitlines() if line.startswith(MARK)]
    for number, line in enumerate(lines):
        found = verdict(1, line)
        if found.by == "executor" and line.startswith("executor: "):
            yield diagnosis.placed(found.message, diagnosis.details("\n".join(lines[number:]), found.message))


def pairs(words):
    """Returns `--name value` and `--name=value` in the second form."""
    found = []
    for word in words:
        if word.startswith("--"):
            found.append(word)
        else:
            found[-1] += f"={word}"
    return found


def run_of(report):
    """Returns the only run of a JSON report; empty if there is none."""
    try:
        return json.loads(report.read_text())["runs"][0]
    except (OSError, ValueError, LookupError, TypeError):
        return {}
