"""Measures a program for several values of one setting and draws a figure. The command writes JSON, CSV, SVG and PNG to
build/<preset>/sweeps/.

Figures of GPU Gems 3, chapter 31 (the name `all` runs these four):
  unroll    speed of step 03 against the unroll factor of its loop (figure 31-5)
  bodies    speed of each step against the number of bodies (31-6)
  block     speed of step 02 against the threads per block (31-7)
  threads   speed of step 04 against the threads per body (31-8)

Pairs and triplets (step 05); they need a GPU:
  maps      figures 3 and 5 of the paper on triangular maps
  triplets  what a tetrahedral map gains over the bounding box

Trees (steps 06 and 07):
  tree      figures 4 to 8 of the paper on octgrav: errors, times and rates; without a GPU, only the errors of step 06
  parts     the time of each part of step 07 against the number of bodies; needs a GPU
  accuracy  times against errors, of both steps; needs a GPU
  opening   errors and times of the rules that decide when a cell is opened; use it with --from, because only the
            recorded results exist

Galaxies:
  galaxy    whether a galaxy's disk keeps its shape over two rotations; uses the tree, or without a GPU the baseline
            simd
  energy    the energy of a merger over 200 steps, with the tree and with direct summation

Precision and limits:
  fp64      every step in FP64, compared with FP32; needs a GPU
  mixed     errors and times of step 03 with positions and sums in different precision; without a GPU only errors
  issue     how often a scheduler issues an instruction, for loops that differ in one thing; needs a GPU
  roofline  each step's kernel and the limits of arithmetic and memory; needs a GPU; run ./run profile first

Several GPUs (step 08):
  ranks     times on one GPU and on several, compared with a model; without a GPU it only checks the
            forces, with up to three ranks
"""

import argparse
from pathlib import Path

from common.base.command_line import BadInput
from common.tools import packages
from common.tools.build import add_preset, built, preset_of
from common.tools.sweeps.table import CHAPTER, SWEEPS


def add_arguments(parser):
    parser.add_argument("name", choices=[*SWEEPS, "all"], metavar="NAME", help="one of the names above")
    parser.add_argument("--from", dest="recorded", metavar="FILE", type=Path,
                        help="measure nothing; write the CSV and the figure of this JSON again, in its folder")
    parser.add_argument("--bodies", help="number of bodies for galaxy (default: 12288; on a GPU 262144) or energy (default: "
                        "2048; on a GPU 65536)")
    add_shared(parser)
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)


def add_shared(parser):
    """The options that `figures` has too."""
    add_preset(parser)
    parser.add_argument("--record", action="store_true", help="keep the results in docs/results/")
    parser.add_argument("--scene", help="the initial bodies; 01_naive --help lists all (default: plummer)")
    parser.add_argument("--repeats", help="how often each time is measured (default: 7, or 3 above 262144 bodies)")


def run(options):
    preset = preset_of(options)
    chosen = CHAPTER if options.name == "all" else [SWEEPS[options.name]]
    if options.recorded:
        if options.name == "all" or options.record or options.scene or options.repeats or options.bodies:
            raise BadInput("--from takes one sweep's name and no other option")
        return chosen[0].redraw(options.recorded)
    if options.record and preset != "gpu":
        raise BadInput("--record: only results of a GPU are recorded; times on the CPU executor say nothing about one")
    for sweep in chosen:
        sweep.check(options, preset == "gpu")
    if not options.build:
        # Speeds of the executor are not drawn, and need no matplotlib.
        if preset == "gpu" or not all(sweep.of_speeds for sweep in chosen):
            packages.need("matplotlib")
        options.build = built(preset, *{target for sweep in chosen for target in sweep.targets(preset == "gpu")})
    return 0 if all([sweep.run(options) for sweep in chosen]) else 1
