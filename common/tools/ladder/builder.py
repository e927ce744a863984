"""Builds the ladder's programs one after the other, while those that are built already run."""

import os
from pathlib import Path

from common.tools.build import Build

BASELINES = ["common/serial", "common/simd", "06_tree_walk/host_tree"]
CORES_FOR_A_STEP = 2  # that the build of one step keeps busy


def is_step(program):
    """Or a baseline, which measures a time on any machine; the executor's steps measure none."""
    return program not in BASELINES


class Builder:
    """Builds programs, given by their paths in the build folder, in the order of the ladder."""

    def __init__(self, folder, programs, on_gpu):
        self.folder, self.on_gpu = folder, on_gpu
        at_once = max(1, (os.cpu_count() or 1) // CORES_FOR_A_STEP)
        steps = [program for program in programs if is_step(program)]
        self.waiting = [[program] for program in programs if not is_step(program)]
        self.waiting += [steps[k:k + at_once] for k in range(0, len(steps), at_once)]
        self.built = set()
        self.group, self.build = [], None  # what is being built

    def begin(self):
        if self.waiting and not self.build:
            self.group = self.waiting.pop(0)
            self.build = Build(self.folder, [Path(program).name for program in self.group])

    def end(self):
        if self.build:
            self.build.wait()
            self.built.update(self.group)
            self.build = None

    def make_ready(self, program):
        """Returns once the program is built, and nothing is being built where its time is measured."""
        while program not in self.built:
            self.begin()
            self.end()
        if self.on_gpu or not is_step(program):
            self.end()
        else:
            self.begin()

    def stop(self):
        if self.build:
            self.build.stop()
