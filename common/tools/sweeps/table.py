"""The table of sweeps: the programs, options and values of each, what it prints and which function draws it. The modules
arithmetic, ranks and tree compute from the runs."""

import dataclasses
from pathlib import Path

from common.tools.build import kernel_steps, precisions_of, programs_of
from common.tools.programs import Runs, choices, flags, repeats_for, step_program, step_programs
from common.tools.ranks import STEPS
from common.tools.sweeps import arithmetic, cases, energy, ranks, tree
from common.tools.sweeps.measure import Sweep

EXECUTOR_UP_TO = 4096  # bodies; more take the executor long and check nothing more
CHAPTER_SIZES = (1024, 4096, 16384)  # those of figures 31-5 and 31-7
PARTS_SIZES = tuple(4**k for k in range(5, 13))
BODIES = 2**20  # for `accuracy`, and for the record of other codes (other_codes.json)
SCENE = "plummer"
THETAS = (0.35, 0.4, 0.5, 0.6, 0.7, 0.8)
TOLERANCES = (1e-5, 2e-5, 4e-5, 8e-5, 1.6e-4, 3.2e-4)  # for step 10
MULTIPOLE = "10_tuned"  # the program of step 10 that the sweeps measure
SEEDS = (1, 2, 3)  # the 99th percentile of one seed's 1,000 bodies is uncertain by a tenth
FP64_BODIES = (16384, 262144)


def programs(*names):
    """Returns the targets of programs that are named as for step_program()."""
    return lambda on_gpu: [step_program(Path(), name).name for name in names]


@dataclasses.dataclass(frozen=True)
class Varied:
    """The variable of a figure of GPU Gems 3, chapter 31."""

    figure: str
    setting: str  # setting that is held constant
    axis: str
    bodies: tuple
    step: str = ""  # its number; "": every step
    option: str = ""  # option that is varied in addition to N
    values: tuple = (None,)
    fixed: tuple = ()  # options that the step would otherwise choose with the varied one

    def x(self, run):
        return run["parameters"][self.option] if self.option else run["bodies"]

    def series(self, run):
        """Returns the constant of a curve: N, or the step if N is varied."""
        return run["bodies"] if self.option else run["step"]

    def points(self, options):
        return [(program, [*flags(bodies=bodies, steps=0, scene=options.scene, **{self.option: value},
                                  repeats=options.repeats or repeats_for(bodies)), *self.fixed])
                for program in step_programs(options.build, self.step)
                for bodies in self.bodies if options.build.name == "gpu" or bodies <= EXECUTOR_UP_TO
                for value in self.values]


def chapter(name, title, *what, **more):
    varied = Varied(*what)
    columns = "step", "N", *([varied.option] if varied.option else []), "GFLOP/s", "error median", "error max", "check"
    return Sweep(name, title, "sweeps.chapter", lambda on_gpu: [program.name for program in step_programs(Path(), varied.step)],
                 varied.points, columns=columns, varied=varied, **more)


def study(program, arguments, more=None):
    """Returns measured() for a program that measures all of its points in one run. more: a second run, (its name, its option)
    """
    def measured(options):
        runs = Runs()
        path = options.build / "05_triangular_map" / program
        document = runs.reported(path, [arguments, *flags(repeats=options.repeats, scene=options.scene)])
        if more:
            document[more] = runs.reported(path, [f"--{more}"])["runs"]
        return document, runs
    return measured


def accuracy_points(options):
    walk, device_tree = (step_program(options.build, name) for name in ("06", tree.DEVICE_TREE))
    rules = [(walk, {}), *((device_tree, {"opening": word}) for word in choices(device_tree, "opening"))]
    settings = [(program, {"theta": theta, **rule}) for program, rule in rules for theta in THETAS]
    settings += [(step_program(options.build, MULTIPOLE), {"tolerance": tolerance}) for tolerance in TOLERANCES]
    return [(program, flags(scene=SCENE, bodies=BODIES, steps=0, seed=seed, repeats=options.repeats or 3, **given))
            for program, given in settings for seed in SEEDS]


def fp64_programs():
    """Returns each step's programs in FP32 and FP64."""
    return [f"{step}/{name}{precision}" for step in kernel_steps() if len(precisions_of(step)) > 1
            for name in programs_of(step) for precision in precisions_of(step)]


def shown_as_table(name):
    title, runs = cases.CASES[name]
    return Sweep(name, title, "", programs(*dict.fromkeys(program for program, _ in runs)), lambda options: cases.points(name, options),
                 columns=TREE_COLUMNS, needs_gpu=True)


CHAPTER = [
    chapter("unroll", "How much faster an unrolled loop is", "31-5", "step 03, bodies-per-thread 1", "unroll factor U", CHAPTER_SIZES,
            "03", "unroll", (1, 2, 4, 8, 16, 32, 64), ("--bodies-per-thread=1",)),
    chapter("bodies", "How speed grows with the number of bodies", "31-6", "each step's own choices", "bodies N", tuple(2**k for k in range(8, 21))),
    chapter("block", "How speed depends on the size of the block", "31-7", "step 02", "threads per block p", CHAPTER_SIZES,
            "02", "block", (32, 64, 96, 128, 192, 256, 384, 512, 768, 1024)),
    # One block per body and one body per thread, because by default blocks would fill the GPU instead of threads.
    chapter("threads", "How speed depends on the threads per body", "31-8", "step 04, blocks-per-body 1, bodies-per-thread 1", "threads per body q",
            tuple(2**k for k in range(8, 17)), "04", "threads_per_body", (1, 2, 4, 8, 16, 32),
            ("--blocks-per-body=1", "--bodies-per-thread=1"), keeps_table=True)]
TREE_COLUMNS = ("step", "opening", "theta", "N", "seed", "error median", "error p99", "forces ms", "check")

SWEEPS = {sweep.name: sweep for sweep in [
    *CHAPTER,
    Sweep("maps", "Maps of the triangle: figures 3 and 5 of Navarro, Bustos and Hitschfeld", "sweeps.studies",
          lambda on_gpu: ["05_map_study"], needs_gpu=True, scene="draws its own points",
          measured=study("05_map_study", "--n=1024,2048,4096,8192,16384,32768,65536", "exactness")),
    Sweep("triplets", "Axilrod-Teller energy by the tetrahedral map", "sweeps.studies", lambda on_gpu: ["05_triplets"],
          needs_gpu=True, measured=study("05_triplets", "--n=64,128,256,512,1024,2048")),
    Sweep("tree", "Figures 4 to 8 of Gaburov, Bedorf and Portegies Zwart: errors, times and rates of the tree", "trees.tree",
          tree.targets, tree.points, finish=lambda document, *_: document.update(table=tree.rows(document)),
          of_speeds=False,  # errors are drawn for every device
          columns=("step", "walk", "N", "theta", "leaf", "error median", "error p99", "forces ms", "check")),
    Sweep("parts", f"How long each part of {tree.DEVICE_TREE} takes", "trees.parts", programs(tree.DEVICE_TREE),
          lambda options: [(step_program(options.build, tree.DEVICE_TREE), flags(
              scene=options.scene, bodies=bodies, steps=0, repeats=options.repeats or (3 if bodies > BODIES else 7)))
              for bodies in PARTS_SIZES], columns=TREE_COLUMNS, needs_gpu=True),
    *map(shown_as_table, cases.CASES),
    Sweep("accuracy", f"Time of {BODIES:,} bodies' forces against their error", "trees.accuracy",
          programs("06", tree.DEVICE_TREE, MULTIPOLE), accuracy_points, columns=TREE_COLUMNS, needs_gpu=True,
          scene="has the scene in which other codes were measured"),
    Sweep("issue", "Issue: what the register file allows", "sweeps.issue", lambda on_gpu: ["03_issue"], needs_gpu=True,
          measured=arithmetic.issue, scene="has no bodies"),
    Sweep("roofline", "Roofline of all steps", "sweeps.roofline", lambda on_gpu: ["ceilings"], needs_gpu=True,
          measured=arithmetic.roofline, scene="is of the profile's bodies"),
    Sweep("fp64", "Every step in FP64, compared with FP32", "sweeps.fp64", needs_gpu=True, finish=arithmetic.add_slowdowns,
          targets=lambda on_gpu: [program.split("/")[1] for program in fp64_programs()],
          points=lambda options: [
              (options.build / program, flags(bodies=bodies, steps=0, scene=options.scene, repeats=options.repeats or 5))
              for bodies in FP64_BODIES for program in fp64_programs()],
          columns=("step", "equal_masses", "N", "precision", "forces ms", "error median", "check")),
    Sweep("mixed", "Step 03 with positions and sums of different precision", "sweeps.mixed", lambda on_gpu: ["03_mixed"],
          measured=arithmetic.mixed, bodies=(1, 10**7)),
    # The programs report no energy above 65,536 bodies.
    Sweep("energy", "Energy of a merger over 200 steps", "sweeps.energy", energy.targets, measured=energy.measured,
          of_speeds=False, bodies=(600, 65536), scene="always uses the same scene", repeats="measures each time only once"),
    Sweep("ranks", "Steps 08 and 11 on several ranks: speed-up and efficiency, strong and weak", "sweeps.ranks", ranks.targets,
          ranks.points_alone, finish=ranks.measure_several,
          columns=("step", "N", "forces ms", "step ms", "error median", "check")),
]}


def built_for(name):
    """Returns the names of the programs that a sweep builds on a GPU; none if there is no such sweep."""
    if name == "ranks":  # it looks for MPI first
        return [*STEPS]
    return SWEEPS[name].targets(True) if name in SWEEPS else []
