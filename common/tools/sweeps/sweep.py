"""Measures a program for several values of one setting and draws a figure. The command writes JSON, CSV and SVG to
build/<preset>/sweeps/. ./run record measures all sweeps.

{sweeps}

Without a GPU, the other sweeps check the forces of fewer bodies and show errors, but no times. `tree` then has step 06
alone, and `ranks` up to three ranks. `roofline` takes its counters from the last ./run profile.
"""

import argparse
from pathlib import Path

from common.base.command_line import BadInput
from common.tools import packages
from common.tools.build import add_preset, built, preset_of
from common.tools.ladder import store
from common.tools.programs import check_run_options
from common.tools.sweeps.table import SWEEPS, built_for


def listed(sweep):
    figure = f" ({sweep.varied.setting}; figure {sweep.varied.figure} of GPU Gems 3)" if sweep.varied else ""
    return f"  {sweep.name:<17}{sweep.title}{figure}{'; needs a GPU' if sweep.needs_gpu else ''}"


def add_arguments(parser):
    parser.description = __doc__.format(sweeps="\n".join(map(listed, SWEEPS.values())))
    parser.add_argument("name", choices=[*SWEEPS], metavar="NAME", help="one of the names above")
    parser.add_argument("--from", dest="recorded", metavar="FILE", type=Path,
                        help="measure nothing; draw the figure of this JSON again, in its folder")
    parser.add_argument("--bodies", help="number of bodies for energy (default: 2048; on a GPU 65536)")
    add_preset(parser)
    parser.add_argument("--record", action="store_true", help="keep the results in docs/results/")
    parser.add_argument("--scene", help="the initial bodies; 01_naive --help lists all (default: plummer)")
    parser.add_argument("--repeats", help="how often each time is measured (default: 7, or 3 above 262144 bodies)")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)


def run(options):
    if options.recorded:
        if options.record or options.scene or options.repeats or options.bodies:
            raise BadInput("--from takes no other option")
        return SWEEPS[options.name].redraw(options.recorded)
    check_run_options(scene=options.scene, repeats=options.repeats)
    on_gpu = preset_of(options) == "gpu"
    if options.record and not on_gpu:
        raise BadInput("--record: only results of a GPU are recorded; times on the CPU executor say nothing about one")
    if options.record:
        store.prepare({*store.programs(), *built_for(options.name)})
    sweep = SWEEPS[options.name]
    sweep.check(options, on_gpu)
    # Speeds on the executor are not drawn, and need no matplotlib.
    if not options.build and (on_gpu or not sweep.of_speeds):
        packages.need("matplotlib")
    build = options.build or built("gpu" if on_gpu else "cpu", *sweep.targets(on_gpu))
    return 0 if sweep.run(argparse.Namespace(**{**vars(options), "build": build})) else 1
