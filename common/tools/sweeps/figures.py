"""Draws every figure: all sweeps on a GPU, those of the chapter without one.

Without a GPU the studies of steps 05 and 07, which are times and nothing else, and the galaxies, which take minutes, are
left out, as are with --scene the sweeps that have bodies of their own and with --repeats those that repeat nothing.
With --from FOLDER nothing is measured: what is recorded there is drawn again, the ladder's chart too.
"""

from pathlib import Path

from common.base.command_line import BadInput, run_command
from common.tools import packages
from common.tools.build import preset_of
from common.tools.ladder import record
from common.tools.programs import flags
from common.tools.sweeps import sweep
from common.tools.sweeps.files import written


def add_arguments(parser):
    sweep.add_shared(parser)
    parser.add_argument("--from", dest="recorded", metavar="FOLDER", type=Path,
                        help="measure nothing, draw the figures of this folder's results again, docs/results/h200 say")


def redraw(folder):
    recorded = [name for name in sweep.ALL if (folder / f"{name}.json").exists()]
    if not recorded and not (folder / "ladder.json").exists():
        raise BadInput(f"--from: {folder} has no results of the ladder or of a sweep")
    packages.need_matplotlib()
    if drawn := record.draw(folder):
        print(f"Written: {written(drawn)}")
    return max([run_command("sweep", sweep, [name, "--from", str(folder / f"{name}.json")]) for name in recorded], default=0)


def run(options):
    if options.recorded:
        if options.record or options.scene or options.repeats:
            raise BadInput("--from takes no other option")
        return redraw(options.recorded)
    names = ["all"]
    if preset_of(options) == "gpu" and not options.scene:
        names += ["maps", "triplets", "tree", "parts", "accuracy"] + ([] if options.repeats else ["galaxy", "energy"])
    given = flags(preset=options.preset, scene=options.scene, repeats=options.repeats)
    given += ["--record"] if options.record else []
    return max([run_command("sweep", sweep, [name, *given]) for name in names])
