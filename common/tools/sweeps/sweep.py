"""Sweeps one choice point by point and draws the figure of a paper that does the same.

Called by `./run sweep` and `./run figures`, which have built the programs.
"""

import argparse
import sys
from pathlib import Path

from common.base.command_line import OneLineParser
from common.tools.ladder.measurement import Measurement
from common.tools.sweeps.files import finish, redraw
from common.tools.sweeps.galaxies import EVOLUTIONS, check_evolution, run_evolution
from common.tools.sweeps.points import SWEEPS, points
from common.tools.sweeps.study import STUDIES, run_study
from common.tools.sweeps.tree import TREE, run_tree


def parse_options(arguments=None):
    parser = OneLineParser(prog="./run sweep", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("name", choices=[*SWEEPS, *STUDIES, *EVOLUTIONS, TREE.name, "all"], help="what is varied")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--preset", help="cpu or gpu [gpu where there are a GPU and nvcc]")
    parser.add_argument("--from", dest="recorded", metavar="FILE", type=Path,
                        help="measure nothing, write CSV and figure of this JSON again, beside it")
    parser.add_argument("--record", action="store_true", help="keep the results under docs/results/")
    parser.add_argument("--bodies", help="of galaxy and energy [on a GPU 262144 and 65536, else 12288 and 2048]")
    parser.add_argument("--scene", help="as in every step's program")
    parser.add_argument("--repeats", help="as in every step's program [7, fewer of many bodies]")
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


def run_sweep(sweep, options):
    """Measures, writes and perhaps records one sweep; whether all its checks passed."""
    todo = points(sweep, options.build, options.build.name == "gpu", options)
    measurement = Measurement(sweep, len(todo))
    print(f"Figure {sweep.figure}: {sweep.title} ({sweep.setting})\n{sweep.table_header()}", flush=True)
    for program, arguments in todo:
        measurement.measure(program, arguments)
    measurement.require_some()
    finish(sweep, measurement.document(), measurement.log, options)
    return not measurement.failed


def main():
    options = parse_options()
    if options.recorded:
        if complaint := redraw({**SWEEPS, **STUDIES, **EVOLUTIONS, TREE.name: TREE}[options.name], options.recorded):
            print(f"sweep: {complaint}", file=sys.stderr)
            sys.exit(2)
        return
    if options.name in STUDIES:
        passed = [run_study(STUDIES[options.name], options)]
    elif options.name in EVOLUTIONS:
        passed = [run_evolution(EVOLUTIONS[options.name], options)]
    elif options.name == TREE.name:
        passed = [run_tree(options)]
    else:
        names = SWEEPS if options.name == "all" else [options.name]
        passed = [run_sweep(SWEEPS[name], options) for name in names]
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
