"""Installs and builds, once, what live, ladder, learn, cuda, check and docs need. Afterwards, these commands start at once.

Every command also works without this, and then builds what it needs itself. If you stop this command, the next call continues
where it was. It builds the programs of all steps, the executor with its checker, and what checks and grades steps 01 and 02.
The other steps share most of that: the first ./run check or ./run grade of such a step builds for less than a minute.
"""

import os
import time

from common.base.command_line import ROOT
from common.tools import packages, progress, ranks
from common.tools.build import (EXECUTOR, add_preset, build_targets, configured, duration, for_check, for_grading, kernel_steps,
                                planned, preset_of, programs_of)

BASELINES = ["simd", "serial", "host_tree"]
FIRST_STEPS = 2  # whose checks and grades are prepared
READY = """
Ready. What to do next:
  ./run live           watch two galaxies while they are computed
  ./run ladder         run all steps, and see what makes each one faster
  ./run learn          solve the first puzzle
  ./run cuda FILE.cu   find the mistakes in your own CUDA program"""
DOCS = "\n  ./run docs --open    read the tutorials"
HAS_DOCS = (ROOT / "docs" / "pages").exists()  # a copy for students has none

add_arguments = add_preset


def targets_of(preset):
    """Returns {build folder: targets}."""
    steps, run = kernel_steps(), configured(preset)
    programs = [*BASELINES, *(program for step in steps for program in programs_of(step)), *(ranks.STEPS if ranks.mpirun(run) else [])]
    first = steps[:FIRST_STEPS]
    checked = [*EXECUTOR, *(target for step in first for target in (*for_grading(step), *for_check(step)))]
    return {run: programs, configured("cpu-check"): list(dict.fromkeys(checked))}


def run(options):
    started, preset = time.monotonic(), preset_of(options)
    missing = [*packages.for_building(preset), *packages.for_building("cpu-check"), *packages.without_module("websockets"),
               *(packages.for_docs() if HAS_DOCS else [])]
    packages.install(list(dict.fromkeys(missing)))
    targets = targets_of(preset)
    parts = {folder: len(planned(folder, names)) for folder, names in targets.items()}
    number = sum(parts.values())
    if about := duration(number):
        progress.say(f"Building {number} parts on {len(os.sched_getaffinity(0))} cores, which takes about {about}. Ctrl-C stops it, "
                     "and the next call continues.")
    before = 0
    for folder, names in targets.items():
        build_targets(folder, names, before, number)
        before += parts[folder]
    progress.say(f"Built in {(time.monotonic() - started) / 60:.1f} minutes.")
    print(READY + DOCS * HAS_DOCS)
