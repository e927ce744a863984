"""The sweeps of step 07: `parts`, the time of each part against N, and `accuracy`, time against error next to step 06."""

from common.base.command_line import BadInput
from common.tools.build import step_names
from common.tools.ladder.table import shown
from common.tools.programs import choices, flags, step_program
from common.tools.sweeps.files import Kind

TABLE = "{:<26}{:>12}{:>7}{:>12}{:>6}{:>14}{:>11}{:>12}  {}"
PARTS_SIZES = tuple(4**k for k in range(5, 13))
BODIES = 2**20  # of `accuracy`, and of the record of other codes (other_codes.json)
SCENE = "plummer"
THETAS = (0.35, 0.4, 0.5, 0.6, 0.7, 0.8)
SEEDS = (1, 2, 3)  # the 99th percentile of one seed's 1,000 bodies is uncertain by a tenth


class TreeTimes(Kind):
    """Times of trees, which take a GPU."""

    plots = "common.tools.plots.device_tree"
    needs_gpu = True
    steps = ("07",)

    def targets(self, on_gpu):
        return [step for step in step_names() if step[:2] in self.steps]

    def heading(self, options):
        return f"{self.title}\n" + TABLE.format("step", "opening", "theta", "N", "seed", "error median", "p99", "time ms",
                                               "check")

    def table_row(self, run):
        error, parameters = run.get("error") or {}, run["parameters"]
        return TABLE.format(run["step"], parameters.get("opening", "-"), f"{parameters['theta']:g}", f"{run['bodies']:,}",
                            run["seed"], shown(error.get("median"), ".1e"), shown(error.get("p99"), ".1e"),
                            f"{run['force_ms']['median']:,.3g}", "ok" if run["passed"] else "FAILED")


class Parts(TreeTimes):
    name = "parts"
    title = "Parts of step 07 against N"

    def points(self, options):
        program = step_program(options.build, "07")
        return [(program, flags(scene=options.scene, bodies=bodies, steps=0,
                                repeats=options.repeats or (3 if bodies > BODIES else 7))) for bodies in PARTS_SIZES]


class Accuracy(TreeTimes):
    name = "accuracy"
    title = f"Time of {BODIES:,} bodies' forces against their error"
    steps = ("06", "07")

    def check(self, options, on_gpu):
        super().check(options, on_gpu)
        if options.scene:
            raise BadInput("--scene: accuracy has the scene in which other codes were measured")

    def points(self, options):
        tree, device_tree = (step_program(options.build, number) for number in self.steps)
        rules = [(tree, {}), *((device_tree, {"opening": word}) for word in choices(device_tree, "opening"))]
        return [(program, flags(scene=SCENE, bodies=BODIES, steps=0, theta=theta, seed=seed,
                                repeats=options.repeats or 3, **rule))
                for program, rule in rules for theta in THETAS for seed in SEEDS]

DEVICE_TREE = [Parts(), Accuracy()]
