"""Runs a hand-in's programs, and says what their runs show is wrong."""

import dataclasses
import json
import tempfile
from pathlib import Path

import force_laws
from grade_build import Complaint
from grade_diagnosis import Diagnosis, test_report
from limited_run import run_limited
from mutant_runner import BLOCKS

SECONDS = 30  # for a run; the references take at most one
MEMORY = 8 << 30
TIME_STEP = 2.0**-20  # so short that a body at rest moves by less than the last bit of its position
# What makes a step's forces exact but for rounding.
EXACT = {"06_tree_walk": ["--theta=0.001"]}


class Stopped(Exception):
    """An earlier run did not end: the rest would not either."""


@dataclasses.dataclass
class HandIn(Diagnosis):
    """A hand-in that compiles."""

    program: Path
    test_program: Path
    seed: int
    hung: bool = False

    def run(self, command, order, times=1):
        if self.hung:
            raise Stopped
        # One thread: blocks then take their turns in the same order each time.
        environment = {"NBODY_EXECUTOR_ORDER": order, "NBODY_EXECUTOR_THREADS": "1"}
        ended = run_limited(command, times * SECONDS, cwd=self.place, environment=environment, memory=MEMORY)
        self.hung = ended.status is None
        return ended

    def options(self, arguments):
        own = {word.partition("=")[0] for word in arguments}
        block = [] if "--block" in own else [f"--block={BLOCKS.get(self.step, 256)}"]
        return [*block, "--no-measure", *arguments]

    def forces(self, bodies, order="forward", arguments=()):
        """(complaint or None, the run's JSON): one evaluation under the checker, compared by the program itself."""
        with tempfile.TemporaryDirectory(dir=self.place) as folder:
            report = Path(folder) / "report.json"
            ended = self.run([self.program, f"--bodies={bodies}", "--scene=cube", f"--seed={self.seed}", "--steps=0",
                              f"--json={report}", *self.options(arguments)], order)
            run = run_of(report)
        found = self.complaint(ended)
        if found is None and not run.get("passed"):
            found = Complaint("the program ended without its report")
        return found, run

    def outside(self, bodies, law, arguments=()):
        """Complaint or None: forces of fresh random bodies, read back and compared here."""
        with tempfile.TemporaryDirectory(dir=self.place) as folder:
            start, end = Path(folder) / "start.csv", Path(folder) / "end.csv"
            drawn = force_laws.random_bodies(bodies, self.seed)
            force_laws.write_bodies(start, drawn)
            ended = self.run([self.program, f"--input={start}", f"--output={end}", "--steps=1", f"--dt={TIME_STEP!r}",
                              f"--softening={force_laws.SOFTENING}", "--no-check", *EXACT.get(self.step, []),
                              *self.options(arguments)], "random:2")
            if found := self.complaint(ended):
                return found
            try:
                forces = force_laws.read_accelerations(end, TIME_STEP)
            except (OSError, ValueError):
                return Complaint("the program ended without its forces")
        if len(forces) != bodies:
            return Complaint(f"the program gave {len(forces)} forces for {bodies} bodies")
        wrong, first, error = force_laws.wrong_bodies(forces, drawn, law)
        if not wrong:
            return None
        return self.at_kernel(f"{wrong} of {bodies} bodies are wrong; body {first} by {error:.2g} of the forces on it")

    def shared_test(self, name):
        """Complaint or None: a test case that all steps share, under the checker."""
        # The one over all parameters runs a hundred kernels in step 04.
        ended = self.run([self.test_program, name, "--reporter", "xml"], "forward", times=6)
        passed, why = test_report(ended.out)
        if ended.status == 0 and passed:
            return None
        found = self.complaint(ended)
        if why and (found is None or found.text.startswith("the program ended with status")):
            return self.at_kernel(why)
        return found or Complaint("the tests ended without their report")


def run_of(report):
    """The one run of a JSON report; empty where there is none."""
    try:
        return json.loads(report.read_text())["runs"][0]
    except (OSError, ValueError, LookupError, TypeError):
        return {}
