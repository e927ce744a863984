"""The runs of a sweep: its points, a program run for each, or runs that hand bodies on to each other."""

from common.base.command_line import BadInput, CommandFailed
from common.tools import progress
from common.tools.programs import Launcher, Runs, flags, merged


class Measurement(Runs):
    """The points of one sweep; those that a program refuses are left out."""

    def __init__(self, sweep, todo):
        """todo: (program, arguments) of every point, and of one on several ranks what starts it."""
        super().__init__()
        self.sweep = sweep
        self.left_out = []  # what a program refused, and why
        for number, (program, arguments, *launcher) in enumerate(todo, 1):
            self.measure(program, arguments, f"{number}/{len(todo)}: ", *launcher)
        self.require_some()

    def measure(self, program, arguments, place, launcher=Launcher()):
        outcome = self.add(program, arguments, keep_complaint=True, place=place, launcher=launcher)
        if outcome.status == 2:
            self.left_out.append({"point": f"{program.name} {' '.join(arguments)}", "reason": outcome.complaint})
        elif outcome.status != 0:
            progress.complain(outcome.complaint or f"{program.name}: ended with status {outcome.status}")
        if outcome.document:
            progress.say(self.sweep.table_row(outcome.document["runs"][0]))

    def require_some(self):
        """Ends the sweep where no point was measured; otherwise says which were left out."""
        if not self.documents:
            reason = self.left_out[0]["reason"] if self.left_out else "all failed"
            raise (CommandFailed if self.failed else BadInput)(f"no point was measured: {reason}")
        for refused in self.left_out:
            progress.say(f"Left out: {refused['point']}: {refused['reason']}")

    def document(self):
        return {**merged(self.documents), "sweep": {"name": self.sweep.name, "left_out": self.left_out}}


class Chain(Runs):
    """Runs that follow each other; one that fails ends the sweep."""

    def __init__(self, folder):
        super().__init__()
        self.folder = folder  # for snapshots; its path is left out of the log

    def run(self, program, measure=False, **given):
        outcome = self.add(program, [*flags(**given), *([] if measure else ["--no-measure"])])
        self.log = self.log.replace(f"{self.folder}/", "")
        outcome.require_document(even_if_failed=False)
        return outcome.document["runs"][0]
