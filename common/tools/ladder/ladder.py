"""Runs every step, compares the forces with a sum in FP64, and prints a table in two acts.

Act I, "Fill the machine", has 4,096 bodies, and Act II, "Do less work", has 1,048,576. With a GPU both are measured. Without one
the steps run with 4,096 bodies on the CPU executor, next to recorded times. Either takes about two minutes with the build.

With --bodies, a scene or a file there is a row for each number of bodies. It also has the baselines: programs without CUDA
that run on the CPU, before the steps are built. Nothing is compiled while a time is measured. The results are written to
build/<preset>/ladder.json.
"""

import re
from pathlib import Path

from common.base.command_line import ROOT, shown_path
from common.tools import packages, progress, ranks
from common.tools.build import add_preset, build_targets, configured, kernel_steps, preset_of, programs_of
from common.tools.ladder import publish, store, table
from common.tools.ladder.acts import ACTS, FEW, MANY, Acts, act_cells, name_of, recorded_cells, times
from common.tools.ladder.instructions import predict
from common.tools.ladder.recorded import Recorded, access_counts
from common.tools.ladder.table import ROWS
from common.tools.programs import Runs, check_run_options, flags, merged, write_json
from common.tools.terminal import fitting, room

BASELINES = ["common/serial", "common/simd", "06_tree_walk/host_tree"]
UP_TO = {"common/serial": 16384, "common/simd": 65536}  # bodies; with more they would need minutes
RECORDED_SIZES = ["4096", "16384", "262144", "1048576"]
LARGE = 262144  # with more bodies an evaluation of all pairs takes tenths of a second, so a few are measured
SLOW_TFLOPS = 20  # a GPU with less would need minutes for a million bodies; it gets LARGE ones
ENERGY_SECONDS = 1  # a run's JSON tells how often the counter changed in this time
# Options of every step's program, which are passed on.
FORWARDED = {
    "scene": "the initial bodies, for example cube or merger; 01_naive --help lists all (default: plummer)",
    "input": "a file with the initial bodies, tipsy or CSV, instead of a scene",
    "steps": "time steps of each run (default: 10, or 1 above 262144 bodies)", "dt": "length of a time step (default: the scene's)",
    "softening": "length that keeps forces finite when two bodies meet (default: the scene's or the file's)",
    "seed": "seed of the random bodies (default: 1)",
    "repeats": "how often each time is measured (default: 20, or 3 above 262144 bodies)"}
NO_GPU = """No GPU found, so the steps run on the CPU executor. It checks whether each kernel is correct. It
cannot measure the speed of a GPU. Instead, the table shows what makes each step faster than the one
before it, per interaction: the bytes that threads read from global and from shared memory (counted
with {counted:,} bodies; ./run check --counts 02 shows them line by line) and the instructions of the loop
(slots). The last four columns were recorded on an {device}: the time in ms
of one evaluation of all forces, and how many times as fast as step 01 this is.
"""
SMALL_GPU = "With {bodies:,} bodies instead of {many:,}, because a step that computes all pairs would need minutes for those."
FASTEST = "Fastest with {bodies:,} bodies: {program}, {times} times as fast as step 01."
NEXT = """
All rows are correct. What to do next:
  ./run live           watch two galaxies while they are computed; keys 1 to 9 and x change the step
  ./run docs --open    the tutorials, beginning with step 01
  ./run learn          the exercises, one after the other"""


def add_arguments(parser):
    add_preset(parser)
    parser.add_argument("--bodies", metavar="N[,N...]",
                        help="numbers of bodies (default: 4096, and with a GPU also 1048576)")
    parser.add_argument("--ranks", metavar="P",
                        help="also run steps 08 and 11 as P processes (ranks) with mpirun; on GPUs, each needs its own GPU")
    parser.add_argument("--record", action="store_true",
                        help="measure four numbers of bodies and the energy, keep the GPU's results in docs/results/, and update "
                        "README.md, docs/results.md and the charts. With --bodies, the results of other numbers of bodies stay")
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
        baselines = [program for program in programs if not is_step(program)]
        self.waiting = [group for group in (baselines, steps) if group]  # an empty one would build everything

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
        self.widths = fitting(table.WITH_GPU if recorded is None else table.WITHOUT_GPU, table.LESS_NEEDED, room())

    def measure(self, program, bodies, launcher=(), **more):
        """Runs one program. Returns whether it accepted its options; otherwise it has reported the reason."""
        given = {name: getattr(self.options, name) for name in FORWARDED}
        is_large = str(bodies).isdigit() and int(bodies) > LARGE
        if given["repeats"] is None:
            given["repeats"] = 3 if is_large else None if is_step(program) else 5
        if given["steps"] is None and is_large:
            given["steps"] = 1
        if self.options.record and self.builder.on_gpu and not launcher and bodies != str(FEW):  # that is an idle GPU's energy
            given["energy"] = ENERGY_SECONDS
        self.builder.make_ready(program)
        outcome = self.add(self.folder / program, flags(bodies=bodies, **{**given, **more}), launcher=launcher)
        if outcome.document and not launcher:
            predict(self.folder / program, outcome.document)
        return outcome.status != 2

    def run(self, program, bodies, launcher=(), **more):
        """Does the same, and prints the program's row of the table."""
        before = len(self.documents)
        accepted = self.measure(program, bodies, launcher, **more)
        if len(self.documents) > before:
            runs = [document["runs"][0] for document in self.documents]
            cells, own = table.cells(runs[-1], runs), name_of(runs[-1])
            more = None if self.recorded is None else {"step": own, **self.recorded.get(own, {})}
            progress.say(table.aligned(cells, self.widths, more))
        return accepted

    def many(self):
        """Returns the number of bodies of the second act, which depends on this GPU."""
        tflops = max((document["device"].get("fma_tflops", 0) for document in self.documents), default=0)
        return MANY if tflops >= SLOW_TFLOPS else LARGE

    def say_acts_heading(self):
        if self.many() != MANY:
            progress.say(SMALL_GPU.format(bodies=self.many(), many=MANY))
        progress.say(table.over_acts(table.OF_ACTS, *(f"{bodies:,} bodies" for bodies in (FEW, self.many()))))
        progress.say(table.heading(table.OF_ACTS))

    def say_acts_row(self, program):
        runs = [document["runs"][0] for document in self.documents]
        own = [run for run in runs if name_of(run) == program and run["bodies"] in (FEW, self.many())]
        named = {"step": program, "check": "ok" if [run["passed"] for run in own] == [True, True] else "FAILED"}
        progress.say(table.aligned(table.cells(own[-1], runs), table.OF_ACTS,
                                   {**named, **act_cells(Acts(runs), program, FEW, self.many())}))

    def say_fastest(self):
        acts = Acts([document["runs"][0] for document in self.documents])
        for bodies in (FEW, self.many()):
            if acts.fastest(bodies):
                program = acts.best(bodies)[1]
                progress.say(FASTEST.format(bodies=bodies, program=program, times=times(acts.factor(program, bodies))))

    def run_acts(self, program, launcher=(), **more):
        """Runs one program with few bodies and with many, and prints one row. The many ones get no time steps."""
        before = len(self.documents)
        if not self.measure(program, FEW, launcher, **more):
            return False
        if len(self.documents) == before:
            return True  # the program has failed, and has said why
        if before == 0:
            self.say_acts_heading()
        if not self.measure(program, self.many(), launcher, steps=self.options.steps or 0, **more):
            return False
        self.say_acts_row(name_of(self.documents[-1]["runs"][0]))
        return True

    def run_on_ranks(self, row):
        """Does row(program, launcher, ...) with each method on several ranks. Does nothing without --ranks."""
        if not self.options.ranks:
            return True
        launcher = ranks.launcher(self.folder, self.options.ranks)
        return all(row(program, launcher=launcher, **flags) for program, flags in ranks.methods(self.folder))


def are_bodies_chosen(options):
    return options.bodies is not None or options.scene or options.input


def sizes_of(options, on_gpu):
    if options.bodies is not None:
        return options.bodies.split(",")
    # A scene may fix its number of bodies. If only the scene is chosen, programs choose the number. A file has its own.
    if options.scene or options.input:
        return [None]
    return RECORDED_SIZES if on_gpu else [str(FEW)]


def programs_for(ladder, programs, size):
    """Runs the programs for one number of bodies."""
    file = ladder.options.input
    count = int(size) if size and size.isdigit() else bodies_in(file) if file else None
    skipped = [program for program in programs if count and count > UP_TO.get(program, count)]
    for program in skipped:
        ladder.say(f"{Path(program).name}: skipped above {UP_TO[program]:,} bodies")
    return [program for program in programs if program not in skipped]


def prepare_ranks(ladder):
    """Reports if steps 08 and 11 are left out. Refuses more ranks than possible before anything is measured."""
    options = ladder.options
    if not options.ranks:
        return
    if not ranks.mpirun(ladder.folder):
        options.ranks = None
        return ladder.say(ranks.MISSING)
    ladder.builder.waiting.insert(0, ranks.PROGRAMS)
    ladder.builder.make_ready(ranks.PROGRAM)
    ranks.check(ladder.folder, options.ranks)


def run_sizes(ladder, programs):
    """Runs the programs with each number of bodies, and prints a row for each. Returns whether they accepted their options."""
    options, on_gpu = ladder.options, ladder.builder.on_gpu
    for program in programs[:1]:
        ladder.builder.make_ready(program)  # announces its build above the table
    if not on_gpu:
        progress.say(table.over_acts(ladder.widths, *(f"{bodies:,}" for bodies in ACTS)))
    progress.say(table.heading(ladder.widths))
    for size in sizes_of(options, on_gpu):
        for program in programs_for(ladder, programs, size):
            if not all(ladder.run(program, size, **own) for own in ROWS.get(program, [{}])[:None if on_gpu else 1]):
                return False
        if not ladder.run_on_ranks(lambda program, **more: ladder.run(program, size, **more)):
            return False
    acts = Acts([document["runs"][0] for document in ladder.documents])
    both = [name for name, bodies in acts.runs if bodies == ladder.many() and "," not in name]
    if on_gpu and both and {str(FEW), str(ladder.many())} <= {*sizes_of(options, on_gpu)}:
        progress.say("")
        ladder.say_acts_heading()
        for program in both:
            ladder.say_acts_row(program)
        ladder.say_fastest()
    return True


def run_acts(ladder, programs):
    """Does the same with few bodies and with many, in one row for each program."""
    accepted = all(ladder.run_acts(program, **ROWS.get(program, [{}])[0]) for program in programs) and \
        ladder.run_on_ranks(ladder.run_acts)
    if ladder.documents:
        ladder.say_fastest()
    return accepted


def run(options):
    options.ranks = options.ranks and ranks.number_of(options.ranks)
    for bodies in options.bodies.split(",") if options.bodies is not None else [None]:
        check_run_options(bodies=bodies, **{name: getattr(options, name) for name in FORWARDED})
    preset = preset_of(options)
    if options.record:
        packages.use_python_with("matplotlib")  # for the charts; before anything is measured
        store.prepare()
    on_gpu = preset == "gpu"
    in_acts = on_gpu and not options.record and not are_bodies_chosen(options)
    folder = configured(preset)
    steps = [f"{step}/{name}" for step in kernel_steps() for name in programs_of(step)]
    programs = [*BASELINES, *steps] if options.record or are_bodies_chosen(options) else steps
    builder = Builder(folder, programs, on_gpu)
    shown = Recorded(store.shown_folder())
    ladder = Ladder(options, folder, builder, None if on_gpu else recorded_cells(shown))
    if not on_gpu:
        ladder.say(NO_GPU.format(device=shown.device["name"], counted=access_counts()["bodies"]))
    if options.input:
        ladder.say(f"Bodies: {options.input}")
    prepare_ranks(ladder)
    accepted = (run_acts if in_acts else run_sizes)(ladder, programs)
    if not accepted or not ladder.documents:
        return 1 if accepted else 2
    files = [folder / "ladder.json", folder / "ladder.log"]
    write_json(files[0], merged(ladder.documents))
    files[1].write_text(ladder.log)
    print(f"\nWritten: {shown_path(files[0])}. Steps 08 and 11 run as several processes: --ranks 2 adds them." if not options.ranks
          else f"\nWritten: {shown_path(files[0])}")
    if not ladder.failed:
        print(NEXT if (ROOT / "docs" / "pages").exists() else re.sub(r".*run docs.*\n", "", NEXT))
    if options.record and ladder.failed:
        print("Not recorded, because not all checks passed. The earlier record stays.")
    elif options.record:
        publish.record(files)
    return 1 if ladder.failed else 0
