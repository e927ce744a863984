"""Has the judge run a submission, and reports what these runs show."""

import dataclasses
import json
from pathlib import Path

from common.grader.complaints import Complaint
from common.grader.diagnosis import Diagnosis, test_report
from common.grader.exercises.files import FORCES
from common.grader.sandbox.judging import FIRST_PROCESS, MEMORY, SubmissionProcess, run_judge
from common.grader.step_build import block_option
from common.grader.work_folder import work_folder

SECONDS = 120  # for all runs of a submission together, also on a busy machine; the slowest reference takes a fifth of it

TOGETHER = "all runs of the program together took too long"
RUN_SECONDS = 30  # for one run


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
    own_options: frozenset = frozenset()  # options that the step itself does not have
    budget: Budget = dataclasses.field(default_factory=lambda: Budget(SECONDS))
    process: dict = dataclasses.field(default_factory=dict)  # more arguments of SubmissionProcess

    def run(self, judge, arguments, order, own=()):
        """Runs one of the judges. Returns the Judged."""
        seconds = self.budget.begin()
        process = SubmissionProcess(self.sandbox, self.program, list(own), [self.place], memory=MEMORY,
                                    first=self.judge.parents[1] / FIRST_PROCESS, **self.process)
        # With one thread, blocks run in the same order each time.
        environment = {"NBODY_EXECUTOR_ORDER": order, "NBODY_EXECUTOR_THREADS": "1", "NBODY_TEST_SEED": str(self.seed)}
        judged = run_judge([judge, *arguments], process, seconds, environment)
        self.budget.spend(judged.judge.seconds, judged.stopped)
        if judged.stopped == "time" and seconds < RUN_SECONDS:
            return dataclasses.replace(judged, stopped=TOGETHER)
        return judged

    def run_program(self, arguments, words, order):
        """Runs the judge's program with its own arguments and those of the task."""
        options = dict(pair.lstrip("-").split("=") for pair in pairs(words))
        own = [f"{name}={value}" for name, value in options.items() if name in self.own_options]
        known = [f"--{name}={value}" for name, value in options.items() if name not in self.own_options]
        known_block = "block" in options or "ranks" in options  # a rank chooses its own block
        block = [] if known_block else block_option(self.step)
        return self.run(self.judge, [*block, "--no-measure", *known, *arguments], order, own)

    def forces(self, bodies, order="forward", arguments=()):
        """Returns (complaint or None, the judge's JSON) of evaluations under the checker. There are two if the step keeps
        memory. With ranks a third follows, in a time step: before it, step 08 checks how the bodies were exchanged in the
        second.
        """
        steps = 1 if "--ranks" in arguments else 0
        with work_folder() as folder:
            report = folder / "report.json"
            judged = self.run_program([f"--bodies={bodies}", "--scene=cube", f"--seed={self.seed}", f"--steps={steps}",
                                       f"--json={report}"], arguments, order)
            return self.complaint(judged), run_of(report)

    def watched(self, bodies, words):
        """Returns (complaint or None, what the program printed) of a run with these arguments."""
        judged = self.run_program([f"--bodies={bodies}", "--scene=cube", f"--seed={self.seed}", "--steps=0"], words, "forward")
        return self.complaint(judged), judged.submission.error

    def recording(self, process):
        """Returns this submission, with more arguments of SubmissionProcess."""
        return dataclasses.replace(self, process=process)

    def test_case(self, name, order="forward"):
        """Returns a complaint or None from a test case of step_test.cpp or law_test.cpp, under the checker."""
        judged = self.run(f"{self.judge}_test", [name, "--reporter", "xml"], order)
        passed, why = test_report(judged.judge.out)
        if judged.judge.status == 0 and passed:
            return None
        return self.complaint(judged, why) or Complaint("the tests ended without a report")


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
