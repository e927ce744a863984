"""Runs every step on the same bodies, compares the forces with a sum in FP64, and prints a table.

The table also has the baselines: programs without CUDA that run on the CPU, before the steps are built. Nothing is
compiled while a time is measured. The results are written to build/<preset>/ladder.json.
This takes two or three minutes without a GPU, and about five with one.
"""

import re
from pathlib import Path

from common.base.command_line import ROOT
from common.tools import packages, progress, ranks
from common.tools.build import add_preset, build_targets, configured, kernel_steps, preset_of, programs_of
from common.tools.cuda import counts
from common.tools.ladder import record, table
from common.tools.ladder.instructions import predict
from common.tools.ladder.pages import front_bodies
from common.tools.ladder.recorded import Recorded
from common.tools.programs import Runs, flags, merged, repeats_for, write_json

BASELINES = ["common/serial", "common/simd", "06_tree_walk/host_tree"]
UP_TO = {"common/serial": 16384, "common/simd": 65536}  # bodies; with more they would need minutes
# Programs with several rows: their options.
ROWS = {"05_triangular_map/05_triangular_map": [{"equal_masses": "ignored"}, {"equal_masses": "used"}]}
ENERGY_SECONDS = 2  # a run's JSON tells how often the counter changed in this time
# Options of every step's program, which are passed on.
FORWARDED = {
    "scene": "the initial bodies, for example cube or merger; 01_naive --help lists all (default: plummer)",
    "input": "a file with the initial bodies, tipsy or CSV, instead of a scene",
    "steps": "time steps of each run (default: 10)", "dt": "length of a time step (default: the scene's)",
    "softening": "length that keeps forces finite when two bodies meet (default: the scene's or the file's)",
    "seed": "seed of the random bodies (default: 1)",
    "repeats": "how often each time is measured (default: 20, or 5 above 262144 bodies)"}
NO_GPU = """No GPU found, so the steps run on the CPU executor. It checks whether each kernel is correct. It
cannot measure the speed of a GPU. Instead, the table shows what makes each step faster than the one
before it, per interaction: the bytes that threads read from global and from shared memory (counted
with {counted:,} bodies; ./run counts 02 shows them line by line) and the instructions of the loop
(slots). The last column is the time in ms of {bodies:,} bodies, recorded on an
{device}.
"""
NEXT = """
All rows are correct. What to do next:
  ./run live           watch two galaxies while they are computed; keys 1 to 9 and x change the step
  ./run docs --open    the tutorials, beginning with step 01
  ./run learn          the exercises, one after the other"""


def add_arguments(parser):
    add_preset(parser)
    parser.add_argument("--bodies", metavar="N[,N...]",
                        help="numbers of bodies (default: 4096; on a GPU 16384, 262144 and 1048576)")
    parser.add_argument("--ranks", metavar="P",
                        help="also run step 08 as P processes (ranks) with mpirun; on GPUs, each needs its own GPU")
    parser.add_argument("--record", action="store_true",
                        help="keep the GPU's results in docs/results/, and update README.md, docs/results.md and the chart")
    for name, words in FORWARDED.items():
        parser.add_argument(f"--{name}", help=words)


def bodies_in(file):
    """Returns how many bodies a snapshot file has; None if it cannot be read, which the programs report."""
    if not Path(file).is_file():
        return None  # reading a pipe would wait
    try:
        with open(file, "rb") as snapshot:
            header = snapshot.read(16)
            for order in ("little", "big"):
                if len(header) == 16 and int.from_bytes(header[12:], order) == 3:
                    return int.from_bytes(header[8:12], order, signed=True)
            return sum(1 for _ in snapshot)  # CSV: a line per body
    except OSError:
        return None


def is_step(program):
    """Returns whether the program is a step. Baselines measure times on any machine, steps on the executor do not."""
    return program not in BASELINES


class Builder:
    """Builds programs, given by their paths in the build folder: first the baselines, which are shown next, then the steps."""

    def __init__(self, folder, programs, on_gpu):
        self.folder, self.on_gpu = folder, on_gpu
        steps = [program for program in programs if is_step(program)]
        self.waiting = [[program for program in programs if not is_step(program)], steps]

    def make_ready(self, program):
        """Returns once the program is built."""
        while any(program in group for group in self.waiting):
            build_targets(self.folder, [Path(each).name for each in self.waiting.pop(0)])


class Ladder(Runs):
    """The runs so far."""

    def __init__(self, options, folder, builder, recorded=None):
        """recorded: {row's name: {column: cell}} for columns that need a GPU or a count, if there is no GPU"""
        super().__init__()
        self.options, self.folder, self.builder, self.recorded = options, folder, builder, recorded

    def row(self, cells):
        if self.recorded is None:
            return table.aligned(cells, table.WITH_GPU)
        return table.aligned(cells, table.WITHOUT_GPU, self.recorded.get(cells[0]))

    def run(self, program, bodies, launcher=(), **more):
        """Runs one program and prints its row of the table. Returns whether it accepted its options."""
        given = {name: getattr(self.options, name) for name in FORWARDED}
        if given["repeats"] is None:
            given["repeats"] = repeats_for(bodies, None, 5) if is_step(program) else 5
        if self.options.record and self.builder.on_gpu and not launcher:
            given["energy"] = ENERGY_SECONDS
        self.builder.make_ready(program)
        outcome = self.add(self.folder / program, flags(bodies=bodies, **given, **more), launcher=launcher)
        if outcome.document:
            if not launcher:
                predict(self.folder / program, outcome.document)
            runs = [document["runs"][0] for document in self.documents]
            progress.say(self.row(table.cells(runs[-1], runs)))
        return outcome.status != 2  # the program has reported the reason

    def run_on_ranks(self, bodies):
        """Does the same with step 08, once per exchange. Does nothing without --ranks."""
        if not self.options.ranks:
            return True
        launcher = ranks.launcher(self.folder, self.options.ranks)
        return all(self.run(ranks.PROGRAM, bodies, launcher, exchange=exchange) for exchange in ranks.exchanges(self.folder))


def sizes_of(options, on_gpu):
    if options.bodies is not None:
        return options.bodies.split(",")
    # A scene may fix its number of bodies. If only the scene is chosen, programs choose the number. A file has its own.
    if options.scene or options.input:
        return [None]
    return ["16384", "262144", "1048576"] if on_gpu else ["4096"]


def programs_for(ladder, programs, size):
    """Runs the programs for one number of bodies."""
    file = ladder.options.input
    count = int(size) if size and size.isdigit() else bodies_in(file) if file else None
    skipped = [program for program in programs if count and count > UP_TO.get(program, count)]
    for program in skipped:
        ladder.say(f"{Path(program).name}: skipped above {UP_TO[program]:,} bodies")
    return [program for program in programs if program not in skipped]


def prepare_ranks(ladder):
    """Reports if step 08 is left out. Refuses more ranks than possible before anything is measured."""
    options = ladder.options
    if not options.ranks:
        return
    if not ranks.mpirun(ladder.folder):
        options.ranks = None
        return ladder.say(ranks.MISSING)
    ladder.builder.waiting.insert(0, [ranks.PROGRAM])
    ladder.builder.make_ready(ranks.PROGRAM)
    ranks.check(ladder.folder, options.ranks)


def recorded_cells(shown, bodies):
    """Returns {row's name: {column: cell}} of the recorded columns, with their titles for the title row."""
    columns = [*table.COUNTED, "slots", table.RECORDED]
    found = {table.COLUMNS[0]: dict(zip(columns, columns))}
    for run in shown.runs:
        if run["bodies"] == bodies:
            found.setdefault(table.row_name(run), {})[table.RECORDED] = table.three_digits(table.median_of(run))
    for document in shown.counts:
        run = document["runs"][0]
        found.setdefault(table.row_name(run), {})["slots"] = f"{run['issue_slots']:.1f}"
    for row in counts.recorded()["rows"]:
        for column, key in table.COUNTED.items():
            found.setdefault(row["row"], {})[column] = f"{row[key]:.3g}"
    return found


def run(options):
    options.ranks = options.ranks and ranks.number_of(options.ranks)
    preset = preset_of(options)
    if options.record:
        packages.use_python_with("matplotlib")  # for the chart; before anything is measured
    on_gpu = preset == "gpu"
    folder = configured(preset)
    programs = [*BASELINES, *(f"{step}/{name}" for step in kernel_steps() for name in programs_of(step))]
    builder = Builder(folder, programs, on_gpu)
    shown = Recorded(record.shown_folder())
    bodies = front_bodies(shown)
    ladder = Ladder(options, folder, builder, None if on_gpu else recorded_cells(shown, bodies))
    if not on_gpu:
        ladder.say(NO_GPU.format(device=shown.device["name"], bodies=bodies, counted=counts.recorded()["bodies"]))
    if options.input:
        ladder.say(f"Bodies: {options.input}")
    prepare_ranks(ladder)
    progress.say(ladder.row(table.COLUMNS))
    for size in sizes_of(options, on_gpu):
        for program in programs_for(ladder, programs, size):
            if not all(ladder.run(program, size, **own) for own in ROWS.get(program, [{}])):
                return 2
        if not ladder.run_on_ranks(size):
            return 2
    if not ladder.documents:
        return 1
    files = [folder / "ladder.json", folder / "ladder.log"]
    write_json(files[0], merged(ladder.documents))
    files[1].write_text(ladder.log)
    print(f"\nWritten: {files[0].relative_to(ROOT)}. Step 08 runs as several processes: --ranks 2 adds it." if not options.ranks
          else f"\nWritten: {files[0].relative_to(ROOT)}")
    if not ladder.failed:
        print(NEXT if (ROOT / "docs" / "pages").exists() else re.sub(r".*run docs.*\n", "", NEXT))
    if options.record and ladder.failed:
        print("Not recorded, because not all checks passed. The earlier record stays.")
    elif options.record:
        record.record(files)
    return 1 if ladder.failed else 0
