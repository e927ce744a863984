"""Runs the host baselines and every step on the same bodies, checks each against FP64, prints the table and writes
build/<preset>/ladder.json.

Each program is run as soon as it is built. While a time is measured nothing is compiled.
"""

import os
from pathlib import Path

from common.base.command_line import ROOT
from common.tools import progress
from common.tools.build import Build, add_preset, configured, preset_of, programs_of, step_names
from common.tools.ladder import record
from common.tools.ladder.instructions import predict
from common.tools.ladder.table import COLUMNS, aligned, cells
from common.tools.programs import Runs, flags, merged, write_json

DIRECT_BASELINES = ["common/serial", "common/simd"]
DIRECT_UP_TO = 65536  # bodies; the serial one would need minutes beyond
TREE_BASELINE = "06_tree_walk/host_tree"
BASELINES = [*DIRECT_BASELINES, TREE_BASELINE]
# Programs with more than one row: their options.
ROWS = {"05_triangular_map/05_triangular_map": [{"equal_masses": "ignored"}, {"equal_masses": "used"}]}
FORWARDED = ["scene", "input", "steps", "dt", "softening", "seed", "repeats"]
CORES_FOR_A_STEP = 2  # that the build of one step keeps busy


def add_arguments(parser):
    add_preset(parser)
    parser.add_argument("--bodies", metavar="N[,N...]",
                        help="numbers of bodies [4096; on a GPU 16384, 262144 and 1048576]")
    parser.add_argument("--record", action="store_true",
                        help="keep the result under docs/results/ and put its table into README.md")
    for name in FORWARDED:
        parser.add_argument(f"--{name}", help="as in every step's program")


def bodies_in(file):
    """How many bodies a snapshot file has; None where it cannot be read; the programs say why."""
    if not Path(file).is_file():
        return None  # reading a pipe would wait
    try:
        with open(file, "rb") as snapshot:
            header = snapshot.read(16)
            for order in ("little", "big"):
                if len(header) == 16 and int.from_bytes(header[12:], order) == 3:
                    return int.from_bytes(header[8:12], order, signed=True)
            return sum(1 for _ in snapshot)  # CSV: a line for each
    except OSError:
        return None


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


def is_step(program):
    """Or a baseline, which measures a time on any machine; the executor's steps measure none."""
    return program not in BASELINES


class Ladder(Runs):
    """The runs so far."""

    def __init__(self, options, folder, builder):
        super().__init__()
        self.options, self.folder, self.builder = options, folder, builder

    def run(self, program, bodies):
        """Runs one program and prints its rows of the table; whether it took its options."""
        return all(self.run_row(program, bodies, own) for own in ROWS.get(program, [{}]))

    def run_row(self, program, bodies, own):
        given = {name: getattr(self.options, name) for name in FORWARDED}
        if given["repeats"] is None and not is_step(program):
            given["repeats"] = 5
        self.builder.make_ready(program)
        outcome = self.add(self.folder / program, flags(bodies=bodies, **given, **own))
        if outcome.document:
            predict(self.folder, self.folder / program, outcome.document)
            runs = [document["runs"][0] for document in self.documents]
            progress.say(aligned(cells(runs[-1], runs)))
        return outcome.status != 2  # the program has said why


def sizes_of(options, on_gpu):
    if options.bodies is not None:
        return options.bodies.split(",")
    # A scene may fix its number of bodies: where only the scene is chosen, the programs choose the number.
    # A file has its own.
    if options.scene or options.input:
        return [None]
    return ["16384", "262144", "1048576"] if on_gpu else ["4096"]


def programs_for(ladder, programs, size):
    """Those for one number of bodies."""
    file = ladder.options.input
    count = int(size) if size and size.isdigit() else bodies_in(file) if file else None
    if count and count > DIRECT_UP_TO:
        ladder.say(f"serial, simd: skipped above {DIRECT_UP_TO:,} bodies")
        return [program for program in programs if program not in DIRECT_BASELINES]
    return programs


def run(options):
    preset = preset_of(options)
    on_gpu = preset == "gpu"
    folder = configured(preset)
    programs = [*BASELINES, *(f"{step}/{name}" for step in step_names() for name in programs_of(step))]
    builder = Builder(folder, programs, on_gpu)
    ladder = Ladder(options, folder, builder)
    if not on_gpu:
        ladder.say("The steps run on the CPU executor, which checks kernels; its times say nothing of a GPU and are "
                   "not shown.")
    if options.input:
        ladder.say(f"Bodies: {options.input}")
    progress.say(aligned(COLUMNS))
    try:
        for size in sizes_of(options, on_gpu):
            for program in programs_for(ladder, programs, size):
                if not ladder.run(program, size):
                    return 2
    finally:
        builder.stop()
    if not ladder.documents:
        return 1
    files = [folder / "ladder.json", folder / "ladder.log"]
    write_json(files[0], merged(ladder.documents))
    files[1].write_text(ladder.log)
    print(f"Written: {files[0].relative_to(ROOT)}")
    if options.record:
        record.record(files)
    return 1 if ladder.failed else 0
