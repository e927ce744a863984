"""Measures a program for several values of one setting and draws a figure. The command writes JSON, CSV and SVG to
build/<preset>/sweeps/. ./run record measures all sweeps.

Figures of GPU Gems 3, chapter 31:
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

Tables of the pages; they need a GPU:
  pairs     step 05 with any masses and with equal ones, and with every map
  cuts      step 04 with 32 pieces of each sum, as lanes and as blocks
  tree_walks       step 06's two walks at nearly the same error
  opening_step     the opening rules of 07_tuned in every scene
  motion           errors of 07_tuned and 10_tuned after 100 time steps, next to those of bodies at rest
  plain_multipole  step 10's two programs next to step 07's
  plain_errors     errors of step 10's plain program with every order

Precision and limits:
  energy    the energy of a merger over 200 steps, with the tree and with direct summation
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
from common.tools.ladder import store
from common.tools.programs import check_run_options
from common.tools.sweeps.table import SWEEPS, built_for


def add_arguments(parser):
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
