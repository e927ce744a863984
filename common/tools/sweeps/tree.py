"""The sweep `tree`: step 06 on the points of the figures 4 to 8 of the paper on octgrav, and on a GPU step 07 beside it
in figures 6 to 8."""

import dataclasses

from common.tools.build import step_names
from common.tools.ladder.table import shown
from common.tools.programs import flags, step_program
from common.tools.sweeps import tree_numbers
from common.tools.sweeps.files import Kind
from common.tools.sweeps.tree_numbers import LEAF, THETA, WALKS
from common.tools.sweeps.tree_summary import summary

THETAS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
OTHER_LEAVES = (16, 32, 128)
TABLE = "{:<26}{:>7}{:>12}{:>7}{:>6}{:>14}{:>11}{:>12}  {}"


@dataclasses.dataclass(frozen=True)
class Sizes:
    """Numbers of bodies that one kind of device can do."""

    angles: tuple       # at which theta and leaf are varied too: the three of figures 4 and 6
    others: tuple = ()  # further ones of figure 7
    direct: tuple = ()  # of the direct sums and of the host's tree; a million bodies take half a second on an H200


GPU_SIZES = Sizes((10**4, 10**5, 10**6), (3 * 10**4, 3 * 10**5, 3 * 10**6, 10**7),
                  (10**4, 3 * 10**4, 10**5, 3 * 10**5, 10**6))
EXECUTOR_SIZES = Sizes((1000, 4000, 16000))


class TreeSweep(Kind):
    name = "tree"
    title = "Figures 4 to 8 of Gaburov, Bedorf and Portegies Zwart: errors, times and rates of the tree"
    plots = "common.tools.plots.tree"
    of_speeds = False  # errors are drawn of every device

    def targets(self, on_gpu):
        steps = ("04", "05", "06", "07") if on_gpu else ("06",)
        return [*(["host_tree"] if on_gpu else []), *(step for step in step_names() if step[:2] in steps)]

    def heading(self, options):
        return f"{self.title}\n" + TABLE.format("step", "walk", "N", "theta", "leaf", "error median", "p99", "time ms",
                                               "check")

    def points(self, options):
        return points(options.build, GPU_SIZES if options.build.name == "gpu" else EXECUTOR_SIZES, options)

    def measured(self, options):
        document, log, passed = super().measured(options)
        document["table"] = tree_numbers.rows(document)
        said = "\n".join(summary(document["table"])) + "\n"
        print(f"\n{said}")
        return document, log + said, passed

    def table_row(self, run):
        row = tree_numbers.row_of(run)
        return TABLE.format(row["step"], row["walk"] or "-", f"{row['bodies']:,}", shown(row["theta"], "g"),
                            shown(row["leaf"], "d"), shown(row["error_median"], ".1e"), shown(row["error_p99"], ".1e"),
                            shown(row["total_ms"], ",.3g"), "ok" if row["passed"] else "FAILED")


TREE = TreeSweep()


def repeats(bodies):
    """An evaluation of 10 million bodies takes a second or more, most of it the host's."""
    return 1 if bodies > 10**6 else 3 if bodies > 10**5 else 7


def points(build, sizes, options):
    """(program, arguments) of every point; options: scene and repeats, None where not asked for."""
    tree, host_tree = step_program(build, "06"), build / "06_tree_walk" / "host_tree"
    measured = [] if build.name == "gpu" else ["--no-measure"]

    def point(program, bodies, repeated, **chosen):
        return program, flags(scene=options.scene or "galaxy", bodies=bodies, steps=0,
                              repeats=options.repeats or repeated, **chosen) + measured

    of_tree = [(bodies, theta, leaf) for bodies in sizes.angles
               for theta, leaf in [*((theta, LEAF) for theta in THETAS), *((THETA, leaf) for leaf in OTHER_LEAVES)]]
    of_tree += [(bodies, THETA, LEAF) for bodies in sizes.others]
    return [
        *(point(tree, bodies, repeats(bodies), walk=walk, theta=theta, leaf=leaf, group=LEAF)
          for bodies, theta, leaf in of_tree for walk in WALKS),
        *(point(step_program(build, number), bodies, repeats(10 * bodies))
          for bodies in sizes.direct for number in ("04", "05")),
        *(point(host_tree, bodies, repeats(10 * bodies), theta=THETA, leaf=LEAF, group=LEAF)
          for bodies in sizes.direct),
        # Its own leaves and groups: what it would be run with.
        *(point(step_program(build, "07"), bodies, repeats(bodies), theta=theta) for bodies, theta in
          [*((bodies, theta) for bodies in sizes.angles for theta in THETAS),
           *((bodies, THETA) for bodies in sizes.others)] if not measured),
    ]
