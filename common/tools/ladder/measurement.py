"""The points of a sweep that has a program run for each."""

import sys

from common.base.command_line import show_progress
from common.tools.programs import merged, run_program


def shown(value, form):
    return "-" if value is None else format(value, form)


class Measurement:
    """The points so far of one sweep."""

    def __init__(self, sweep, total):
        self.sweep = sweep
        self.total = total
        self.started = 0
        self.documents = []
        self.left_out = []  # what a program refused, and why
        self.log = ""
        self.failed = False

    def measure(self, program, arguments):
        self.started += 1
        show_progress(f"{self.sweep.name} {self.started}/{self.total}: {program.name} {' '.join(arguments)}")
        outcome = run_program(program, arguments, keep_complaint=True)
        show_progress("")
        self.log += outcome.log
        if outcome.status == 2:
            self.left_out.append({"point": f"{program.name} {' '.join(arguments)}", "reason": outcome.complaint})
            return
        if outcome.status != 0:
            self.failed = True
            print(outcome.complaint or f"{program.name}: ended with status {outcome.status}", file=sys.stderr)
        if outcome.document:
            self.documents.append(outcome.document)
            print(self.sweep.table_row(outcome.document["runs"][0]), flush=True)

    def require_some(self):
        """Ends the sweep where no point was measured; otherwise says which were left out."""
        if not self.documents:
            reason = self.left_out[0]["reason"] if self.left_out else "all failed"
            print(f"sweep: no point was measured: {reason}", file=sys.stderr)
            sys.exit(1 if self.failed else 2)
        for refused in self.left_out:
            print(f"Left out: {refused['point']}: {refused['reason']}")

    def document(self):
        sweep = {"name": self.sweep.name, "left_out": self.left_out}
        return {**merged(self.documents), "sweep": sweep}
