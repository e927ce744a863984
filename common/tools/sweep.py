"""Sweeps one choice point by point and draws the figure of a paper that does the same.

Called by `./run sweep` and `./run figures`, which have built the programs.
"""

import argparse
import sys
from pathlib import Path

from galaxy_sweeps import EVOLUTIONS, check_evolution, run_evolution
from programs import OneLineParser, merged, run_program, show_progress
from study_sweeps import STUDIES, run_study
from sweep_files import finish, redraw
from sweep_points import SWEEPS, points

TABLE = "{:<26}{:>10}{:>8}{:>12}{:>14}{:>11}  {}"


def parse_options(arguments=None):
    parser = OneLineParser(prog="./run sweep", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("name", choices=[*SWEEPS, *STUDIES, *EVOLUTIONS, "all"], help="what is varied")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--preset", help="cpu or gpu [gpu where there are a GPU and nvcc]")
    parser.add_argument("--from", dest="recorded", metavar="FILE", type=Path,
                        help="measure nothing, write CSV and figure of this JSON again, beside it")
    parser.add_argument("--record", action="store_true", help="keep the results under docs/results/")
    parser.add_argument("--bodies", help="of galaxy and energy [on a GPU 262144 and 65536, else 12288 and 2048]")
    parser.add_argument("--scene", help="as in every step's program")
    parser.add_argument("--repeats", help="as in every step's program [7; 3 above 262144 bodies]")
    options = parser.parse_args(arguments)
    if options.recorded is None and options.build is None:
        parser.error("--build or --from is missing")
    if options.recorded and (options.name == "all" or options.record or options.scene or options.repeats
                             or options.bodies):
        parser.error("--from takes one sweep's name and no other option")
    if options.record and options.build.name != "gpu":
        parser.error("--record: only a GPU's results are recorded, an executor's time is no performance")
    check_evolution(parser, options)
    if study := STUDIES.get(options.name):
        if options.recorded is None and options.build.name != "gpu":
            parser.error(f"{study.name} measures times, which takes a GPU: the CPU executor's say nothing of one")
        if options.scene and not study.has_scene:
            parser.error(f"--scene: {study.name} draws its own points")
    return options


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
            print(table_row(self.sweep, outcome.document["runs"][0]), flush=True)

    def document(self):
        sweep = {"name": self.sweep.name, "left_out": self.left_out}
        return {**merged(self.documents), "sweep": sweep}


def table_header(sweep):
    return TABLE.format("step", "N", sweep.option and sweep.axis.split()[-1] or "", "GFLOP/s", "error median",
                        "error max", "check")


def table_row(sweep, run):
    error = run.get("error") or {}

    def shown(value, form):
        return "-" if value is None else format(value, form)

    return TABLE.format(run["step"], f"{run['bodies']:,}", sweep.x(run) if sweep.option else "",
                        shown(run.get("gflops"), ",.0f"), shown(error.get("median"), ".1e"),
                        shown(error.get("max"), ".1e"), "ok" if run["passed"] else "FAILED")


def run_sweep(sweep, options):
    """Measures, writes and perhaps records one sweep; whether all its checks passed."""
    todo = points(sweep, options.build, options.build.name == "gpu", options)
    measurement = Measurement(sweep, len(todo))
    print(f"Figure {sweep.figure}: {sweep.title} ({sweep.setting})\n{table_header(sweep)}", flush=True)
    for program, arguments in todo:
        measurement.measure(program, arguments)
    if not measurement.documents:
        print(f"sweep: no point was measured: {(measurement.left_out or [{}])[0].get('reason', 'all failed')}",
              file=sys.stderr)
        sys.exit(1 if measurement.failed else 2)
    for refused in measurement.left_out:
        print(f"Left out: {refused['point']}: {refused['reason']}")
    finish(sweep, measurement.document(), measurement.log, options)
    return not measurement.failed


def main():
    options = parse_options()
    if options.recorded:
        if complaint := redraw({**SWEEPS, **STUDIES, **EVOLUTIONS}[options.name], options.recorded):
            print(f"sweep: {complaint}", file=sys.stderr)
            sys.exit(2)
        return
    if options.name in STUDIES:
        passed = [run_study(STUDIES[options.name], options)]
    elif options.name in EVOLUTIONS:
        passed = [run_evolution(EVOLUTIONS[options.name], options)]
    else:
        names = SWEEPS if options.name == "all" else [options.name]
        passed = [run_sweep(SWEEPS[name], options) for name in names]
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
