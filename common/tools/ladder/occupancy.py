"""Prints the registers and shared memory that each step's force kernel needs, and how many of its blocks and warps
fit on a multiprocessor of this GPU, according to its driver. Writes build/gpu/occupancy/occupancy.json.
"""

import re

from common.base.command_line import BadInput, shown_path
from common.tools.build import add_preset, built, kernel_steps, preset_of, programs_of
from common.tools.ladder import store
from common.tools.ladder.table import ROWS
from common.tools.ladder.table import row_name
from common.tools.programs import Runs, flags, merged, write_json

FORCES = re.compile(r"forcesKernel|fusedWalkKernel")
HOST_BETWEEN = "06_tree_walk"  # 07_tuned walks with the same kernel, and needs no host
TABLE = "{:<42}{:>10}{:>9}{:>8}{:>8}"


def add_arguments(parser):
    add_preset(parser, ["gpu"], "always gpu: the CPU executor has no registers")
    parser.add_argument("--bodies", metavar="N", default="262144", help="number of bodies (default: 262144)")
    parser.add_argument("--record", action="store_true", help="keep the result in docs/results/")


def run(options):
    if preset_of(options) != "gpu":
        raise BadInput("needs a GPU: the CPU executor has no registers")
    if options.record:
        store.prepare()
    names = [(step, name) for step in kernel_steps() if step != HOST_BETWEEN for name in programs_of(step)]
    build = built("gpu", *(name for _, name in names))
    runs = Runs()
    for step, name in names:
        for given in ROWS.get(f"{step}/{name}", [{}]):
            words = flags(bodies=options.bodies, steps=0, repeats=1, **given)
            runs.add(build / step / name, [*words, "--no-check", "--occupancy"]).require_document(even_if_failed=False)
    document = merged(runs.documents)
    print(TABLE.format("step", "registers", "shared", "blocks", "warps"))
    # A program without one kernel of this name shares its work among several.
    for each in document["runs"]:
        each["kernel"] = next((kernel for kernel in each["kernels"] if FORCES.match(kernel["name"])), None)
    document["runs"] = [each for each in document["runs"] if each["kernel"]]
    for each in document["runs"]:
        kernel = each["kernel"]
        print(TABLE.format(row_name(each), kernel["registers"], kernel["static_shared_bytes"] + kernel["dynamic_shared_bytes"],
                           kernel["blocks_per_multiprocessor"], kernel["warps_per_multiprocessor"]))
    file = build / "occupancy" / "occupancy.json"
    write_json(file, document)
    print(f"Written: {shown_path(file)}")
    if options.record:
        print(f"Recorded: {shown_path(store.keep([file], document['device']))}")
