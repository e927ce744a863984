"""Runs every sweep and draws its figure. Without a GPU it runs only the four of GPU Gems 3, chapter 31.

The sweep ranks also needs two GPUs, and roofline needs a profile (./run profile). With --scene, sweeps with a fixed
scene are skipped. With --repeats, sweeps that measure each time only once are skipped. If a sweep fails, the others
still run; the failed ones are listed at the end.
"""

import sys
from pathlib import Path

from common.base.command_line import BadInput, run_command
from common.tools import packages, ranks
from common.tools.build import preset_of
from common.tools.ladder import record
from common.tools.programs import flags
from common.tools.sweeps import sweep
from common.tools.sweeps.arithmetic import has_profile
from common.tools.sweeps.measure import written
from common.tools.sweeps.table import CHAPTER, SWEEPS

ON_GPU = [each.name for each in SWEEPS.values() if not each.kept]


def add_arguments(parser):
    sweep.add_shared(parser)
    parser.add_argument("--from", dest="recorded", metavar="FOLDER", type=Path,
                        help="measure nothing; draw the figures and the ladder's chart again from the results in FOLDER, "
                        "for example docs/results/h200")


def chosen(on_gpu, options):
    """The names of the sweeps that these options leave to measure."""
    if not on_gpu or options.scene:
        return [each.name for each in CHAPTER]
    missing = {"ranks": ranks.gpus() < 2, "roofline": not has_profile()}
    return [name for name in ON_GPU if not missing.get(name) and not (options.repeats and SWEEPS[name].repeats)]


def redraw(folder):
    recorded = [name for name in SWEEPS if (folder / f"{name}.json").exists()]
    if not recorded and not (folder / "ladder.json").exists():
        raise BadInput(f"--from: {folder} has no results of the ladder or of a sweep")
    packages.need("matplotlib")
    if drawn := record.draw(folder):
        print(f"Written: {written(drawn)}")
    return max([run_command("sweep", sweep, [name, "--from", str(folder / f"{name}.json")]) for name in recorded], default=0)


def run(options):
    if options.recorded:
        if options.record or options.scene or options.repeats:
            raise BadInput("--from takes no other option")
        return redraw(options.recorded)
    names = chosen(preset_of(options) == "gpu", options)
    given = flags(preset=options.preset, scene=options.scene, repeats=options.repeats)
    given += ["--record"] if options.record else []
    statuses = {name: run_command("sweep", sweep, [name, *given]) for name in names}
    if failed := [name for name, status in statuses.items() if status]:
        print(f"figures: failed: {', '.join(failed)}", file=sys.stderr)
    return max(statuses.values())
