"""Sweeps that are judged by where their bodies go: the galaxy's disk, and the energy of a merger."""

import dataclasses
from collections.abc import Callable

from common.base.command_line import BadInput
from common.tools.build import step_names
from common.tools.sweeps.files import Kind
from common.tools.sweeps.galaxy_study import run_galaxy
from common.tools.sweeps.merger_study import run_energy


@dataclasses.dataclass(frozen=True)
class Evolution(Kind):
    """One of them."""

    name: str
    title: str
    study: Callable  # (bodies, options): document, log and whether it passed
    gpu_bodies: int
    host_bodies: int  # the most that take a minute there
    most_bodies: int | None = None

    plots = "common.tools.plots.galaxy"
    of_speeds = False

    def check(self, options, on_gpu):
        if options.scene or options.repeats:
            raise BadInput(f"{self.name} has a scene of its own and repeats nothing: --bodies is its one choice")
        most = self.most_bodies or 10**7
        given = options.bodies
        if given is not None and not (given.isascii() and given.isdigit() and 600 <= int(given) <= most):
            raise BadInput(f"--bodies: must be a whole number from 600 to {most}, not '{given}'")

    def targets(self, on_gpu):
        return ["simd", *(step for step in step_names() if step[:2] in ("04", "06"))]

    def bodies(self, options):
        return int(options.bodies or (self.gpu_bodies if options.build.name == "gpu" else self.host_bodies))

    def heading(self, options):
        return f"{self.title} ({self.bodies(options):,} bodies)"

    def measured(self, options):
        return self.study(self.bodies(options), options)


EVOLUTIONS = {
    evolution.name: evolution
    for evolution in [
        Evolution("galaxy", "The galaxy's disk over two rotations", run_galaxy, 262144, 12288),
        # The programs report no energy above 65,536 bodies.
        Evolution("energy", "Energy of a merger over 200 steps", run_energy, 65536, 2048, 65536),
    ]
}
