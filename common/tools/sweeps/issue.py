"""The study `issue`: in which share of its cycles a scheduler issues, of loops of few kinds of instructions and of step 03's
with one thing changed, beside what issue_model.py says of their machine code."""

import re

from common.base.command_line import BadInput
from common.tools.ladder import sass
from common.tools.ladder.issue_model import issue_rate
from common.tools.programs import Runs, flags
from common.tools.sweeps.files import Kind

PROGRAM = "03_unrolled/03_issue"


def loop_of(kernels, run):
    """The instructions of a run's loop."""
    values = "".join(rf"L(NS_\d+[A-Z][a-z]+E|i){value}E" for value in run["arguments"])
    (kernel,) = [each for each in kernels if re.search(rf"\d{run['kernel']}I{values}E", each.name)]
    return max(kernel.innermost(), key=len)


def add_rates(run, loop):
    run["loop"] = f"{run['kernel']}<{','.join(map(str, run['arguments']))}>"
    run["instructions"] = len(loop)
    run["issue_rate"] = len(loop) * run["iterations"] * run["warps_per_scheduler"] / run["cycles"]
    run["predicted_issue_rate"] = issue_rate(loop)


class Issue(Kind):
    name = "issue"
    title = "Issue: what the register file allows"
    plots = "common.tools.plots.issue"
    needs_gpu = True

    def check(self, options, on_gpu):
        super().check(options, on_gpu)
        if options.scene:
            raise BadInput("--scene: issue has no bodies")

    def targets(self, on_gpu):
        return [PROGRAM.split("/")[1]]

    def measured(self, options):
        program = options.build / PROGRAM
        runs = Runs()
        document = runs.reported(program, flags(repeats=options.repeats))
        kernels = sass.kernels_of(options.build, program)
        for run in document["runs"]:
            add_rates(run, loop_of(kernels, run))
            runs.say(f"{run['what']:46}{run['arguments'][-1]:4}{run['instructions']:6}"
                     f"{run['predicted_issue_rate']:9.3f} predicted{run['issue_rate']:9.3f} measured")
        return document, runs.log, not runs.failed


ISSUE = Issue()
