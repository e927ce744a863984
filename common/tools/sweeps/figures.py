"""Draws every figure: all sweeps on a GPU, those of the chapter without one.

Without a GPU the studies of steps 05 and 07, which are times and nothing else, and the galaxies, which take minutes, are
left out, as are with --scene the sweeps that have bodies of their own and with --repeats those that repeat nothing.
"""

from common.base.command_line import run_command
from common.tools.build import preset_of
from common.tools.programs import flags
from common.tools.sweeps import sweep

add_arguments = sweep.add_shared


def run(options):
    names = ["all"]
    if preset_of(options) == "gpu" and not options.scene:
        names += ["maps", "triplets", "tree", "parts", "accuracy"] + ([] if options.repeats else ["galaxy", "energy"])
    given = flags(preset=options.preset, scene=options.scene, repeats=options.repeats)
    given += ["--record"] if options.record else []
    return max([run_command("sweep", sweep, [name, *given]) for name in names])
