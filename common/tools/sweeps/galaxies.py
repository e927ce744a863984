"""Sweeps that are judged by where their bodies go: the galaxy's disk, and the energy of a merger."""

import dataclasses
from collections.abc import Callable

from common.tools.sweeps.files import finish
from common.tools.sweeps.galaxy_study import run_galaxy
from common.tools.sweeps.merger_study import run_energy


@dataclasses.dataclass(frozen=True)
class Evolution:
    """One of them."""

    name: str
    title: str
    run: Callable  # (bodies, options): document, log and whether it passed
    gpu_bodies: int
    host_bodies: int  # the most that take a minute there
    most_bodies: int | None = None
    plots: str = "common.tools.plots.galaxy"
    of_speeds: bool = False


EVOLUTIONS = {
    evolution.name: evolution
    for evolution in [
        Evolution("galaxy", "The galaxy's disk over two rotations", run_galaxy, 262144, 12288),
        # The programs report no energy above 65,536 bodies.
        Evolution("energy", "Energy of a merger over 200 steps", run_energy, 65536, 2048, 65536),
    ]
}


def check_evolution(parser, options):
    """Refuses what galaxy and energy do not take, and --bodies elsewhere."""
    evolution = EVOLUTIONS.get(options.name)
    if evolution is None:
        if options.bodies:
            parser.error(f"--bodies: {options.name} has sizes of its own")
        return
    if options.scene or options.repeats:
        parser.error(f"{evolution.name} has a scene of its own and repeats nothing: --bodies is its one choice")
    if options.bodies is None:
        return
    most = evolution.most_bodies or 10**7
    if not (options.bodies.isascii() and options.bodies.isdigit() and 600 <= int(options.bodies) <= most):
        parser.error(f"--bodies: must be a whole number from 600 to {most}, not '{options.bodies}'")
    options.bodies = int(options.bodies)


def run_evolution(evolution, options):
    """Runs, writes and perhaps records one of them; whether it passed."""
    default = evolution.gpu_bodies if options.build.name == "gpu" else evolution.host_bodies
    bodies = options.bodies or default
    print(f"{evolution.title} ({bodies:,} bodies)", flush=True)
    document, log, passed = evolution.run(bodies, options)
    document["sweep"] = {"name": evolution.name, "left_out": []}
    finish(evolution, document, log, options)
    return passed
