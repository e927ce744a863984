"""Sweeps one choice point by point and draws the figure of a paper that does the same. Writes JSON, CSV, SVG and PNG
under build/<preset>/sweeps/.

unroll, bodies, block, threads: figures 31-5 to 31-8 of GPU Gems 3; all: these four.
maps, triplets: step 05's studies, figures 3 and 5 of the paper on triangular maps and the triplets' gain over the
bounding box. They need a GPU.
tree: figures 4 to 8 of the paper on octgrav, errors, times and rates of steps 06 and 07; without a GPU errors of fewer
bodies, of step 06.
parts, accuracy: times of step 07's parts against N; times of the trees against their errors. They need a GPU.
ranks: step 08 on one GPU and more, strong and weak scaling, beside a model's; without a GPU checks on up to three ranks.
galaxy: the galaxy's disk over two rotations, by the tree; without a GPU fewer bodies, by the baseline simd.
opening: times, errors and drifts by opening rule, recorded on an H200; with --from alone.
energy: the energy of a merger over 200 steps, by the tree and by direct summation.
issue: in how many of its cycles a scheduler issues, of loops that differ in one thing, beside a model of the register
file. It needs a GPU.
fp64: every step in FP64 beside FP32. It needs a GPU.
mixed: step 03 with positions and sums of different precision, errors against times; without a GPU errors alone.
roofline: each step's kernel under the measured ceilings of arithmetic and memories. It needs a GPU, and ./run profile before it.
"""

import argparse
from pathlib import Path

from common.base.command_line import BadInput
from common.tools import packages
from common.tools.build import add_preset, built, preset_of
from common.tools.sweeps.device_tree import DEVICE_TREE
from common.tools.sweeps.files import redraw
from common.tools.sweeps.galaxies import EVOLUTIONS
from common.tools.sweeps.issue import ISSUE
from common.tools.sweeps.opening import OPENING
from common.tools.sweeps.points import STUDIES, SWEEPS
from common.tools.sweeps.precision import PRECISION
from common.tools.sweeps.ranks import RANKS
from common.tools.sweeps.roofline import ROOFLINE
from common.tools.sweeps.tree import TREE

ALL = {sweep.name: sweep for sweep in [*SWEEPS.values(), *STUDIES, *EVOLUTIONS, TREE, *DEVICE_TREE, RANKS, OPENING,
                                   ISSUE, ROOFLINE, *PRECISION]}


def add_arguments(parser):
    parser.add_argument("name", choices=[*ALL, "all"], help="what is varied")
    parser.add_argument("--from", dest="recorded", metavar="FILE", type=Path,
                        help="measure nothing, write CSV and figure of this JSON again, beside it")
    parser.add_argument("--bodies", help="of galaxy and energy [on a GPU 262144 and 65536, else 12288 and 2048]")
    add_shared(parser)
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)


def add_shared(parser):
    """The options that `figures` has too."""
    add_preset(parser)
    parser.add_argument("--record", action="store_true", help="keep the results under docs/results/")
    parser.add_argument("--scene", help="as in every step's program")
    parser.add_argument("--repeats", help="as in every step's program [7, fewer of many bodies]")


def check(options, chosen, on_gpu):
    if options.recorded:
        if options.name == "all" or options.record or options.scene or options.repeats or options.bodies:
            raise BadInput("--from takes one sweep's name and no other option")
        return
    if options.record and not on_gpu:
        raise BadInput("--record: only a GPU's results are recorded, an executor's time is no performance")
    for sweep in chosen:
        sweep.check(options, on_gpu)


def run(options):
    preset = preset_of(options)
    chosen = list(SWEEPS.values()) if options.name == "all" else [ALL[options.name]]
    check(options, chosen, preset == "gpu")
    if options.recorded:
        return redraw(chosen[0], options.recorded)
    if not options.build:
        # Speeds of the executor are not drawn, and need no matplotlib.
        if preset == "gpu" or not all(sweep.of_speeds for sweep in chosen):
            packages.need_matplotlib()
        options.build = built(preset, *{target for sweep in chosen for target in sweep.targets(preset == "gpu")})
    return 0 if all([sweep.run(options) for sweep in chosen]) else 1
