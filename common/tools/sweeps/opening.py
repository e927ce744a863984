"""The study `opening`: errors, times and drifts by opening rule, recorded once and drawn again from there."""

from common.base.command_line import BadInput
from common.tools.sweeps.files import Kind


class Opening(Kind):
    name = "opening"
    title = "Opening rules: time against error, and what steps lose"
    plots = "common.tools.plots.opening"

    def check(self, options, on_gpu):
        raise BadInput("opening: the rules that were compared are no longer in the suite, so they cannot be measured again; "
                       "--from docs/results/h200/opening.json draws the recorded ones")


OPENING = Opening()
