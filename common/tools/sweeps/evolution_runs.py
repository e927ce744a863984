"""Runs of programs that hand bodies on to each other as snapshots."""

import sys

from common.base.command_line import show_progress
from common.tools.programs import run_program, step_programs


class Runs:
    """What the runs so far left; one that fails ends the sweep."""

    def __init__(self, folder):
        self.folder = folder  # for snapshots; where it is says nothing, and stays out of the log
        self.log = ""
        self.documents = []

    def run(self, program, arguments):
        show_progress(f"{program.name} {' '.join(arguments)}")
        outcome = run_program(program, arguments)
        show_progress("")
        self.log += outcome.log.replace(f"{self.folder}/", "")
        if outcome.status != 0 or outcome.document is None:
            print(f"sweep: {program.name} ended with status {outcome.status}", file=sys.stderr)
            sys.exit(outcome.status or 1)
        self.documents.append(outcome.document)
        return outcome.document["runs"][0]

    def say(self, line):
        self.log += f"{line}\n"
        print(line, flush=True)


def step_program(build, number):
    return next(program for program in step_programs(build) if program.name.startswith(number))
