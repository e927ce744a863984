"""The sweep `ranks`: steps 08 and 11 on one rank and on several, with the same bodies on all (strong scaling) and with the same work per
rank (weak scaling). A model predicts the times from one rank's times and from those of messages.

docs/results/experiments/ranks_prediction.json has what the model said before the first measurement, from assumed links."""

import bisect
import dataclasses
import math
import re

from common.base.command_line import BadInput
from common.tools import ranks
from common.tools.build import configured
from common.tools.ladder.table import median_of
from common.tools.programs import flags, repeats_for

BODY = 16  # bytes in single precision
TREE = "tree"  # step 11, whose work grows about like N; step 08's exchanges have all pairs
STEPS = 2  # steps of a run, enough for the time of whole ones
STRONG = (2**14, 2**16, 2**18, 2**20)  # the same bodies on more ranks
WEAK = 2**18  # bodies of one rank, if each rank has the same work
ALONE = tuple(2**k for k in range(12, 21))  # on one rank; the model takes the kernels' times from these
LARGE = 2**24  # also for the tree, on one rank of it
EXECUTOR_STRONG = (1003, 2048)
EXECUTOR_RANKS = (1, 2, 3)
ON_HOST = (2, 4, 8)  # ranks of one host that are measured


# The model predicts the time of the forces on several ranks from one rank's times and those of messages. A kernel takes
# the same time as one rank's with as many interactions, in any shape, because kernels split their sums so that few bodies fill
# a GPU too. A message takes a latency, and its bytes at a bandwidth.


def growth(exchange):
    """Returns the power of N with which the work grows."""
    return 1 if exchange == TREE else 2


@dataclasses.dataclass(frozen=True)
class Link:
    """A link between neighbours of a ring of ranks, used in both directions at the same time."""

    latency_us: float
    gb_per_s: float

    def message_ms(self, bodies):
        return 1e-3 * self.latency_us + 1e-6 * BODY * bodies / self.gb_per_s


def fitted(times):
    """Returns the Link for {bytes: ms}, from least squares of relative errors, because short times count as much."""
    # ms = a + b bytes, each row divided by its ms.
    rows = [(1 / ms, size / ms) for size, ms in times.items()]
    aa, ab, bb = (sum(row[i] * row[j] for row in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    a1, b1 = (sum(row[i] for row in rows) for i in (0, 1))
    determinant = aa * bb - ab * ab
    latency, each = (a1 * bb - b1 * ab) / determinant, (aa * b1 - ab * a1) / determinant
    return Link(1e3 * latency, 1e-6 / each)


class OneRank:
    """Times of one rank's forces, {bodies: ms}. The work grows with a power of the bodies."""

    def __init__(self, times, growth=2):
        self.sizes, self.times = zip(*sorted(times.items()))
        self.growth = growth

    def ms(self, interactions):
        """Returns the time: between measured sizes from a power law, above them as the work grows, below them constant."""
        bodies = math.sqrt(interactions)
        if bodies <= self.sizes[0]:
            return self.times[0]
        if bodies >= self.sizes[-1]:
            return self.times[-1] * (bodies / self.sizes[-1]) ** self.growth
        k = bisect.bisect_right(self.sizes, bodies)
        low, high = self.sizes[k - 1], self.sizes[k]
        share = math.log(bodies / low) / math.log(high / low)
        return self.times[k - 1] ** (1 - share) * self.times[k] ** share


def gather(bodies, ranks, alone, link):
    """Returns the ms of a rank's forces: all bodies are sent, then all forces are computed."""
    own = bodies / ranks
    return alone.ms(own * bodies) + link.message_ms(bodies - own)


def ring(bodies, ranks, alone, link):
    """A turn's bodies are sent during its forces. If that takes no longer, a turn's first blocks fill what the last ones of the
    previous turn leave free, and all turns take as long as one kernel.
    """
    own = bodies / ranks
    turn = alone.ms(own * own)
    late = link.message_ms(own) - turn
    if late <= 0:
        return alone.ms(own * bodies)
    return ranks * turn + (ranks - 1) * late


def pairs(bodies, ranks, alone, link):
    """A rank's own pairs fill what the others leave. The last reactions are sent when all else has ended."""
    own = bodies / ranks
    across = [alone.ms(2 * own * own)] * (ranks // 2)
    if ranks % 2 == 0:
        across[-1] = alone.ms(own * own)  # the farthest two share theirs
    compute = alone.ms(own * own) + sum(across)
    # Bodies to the next rank and reactions home in one turn, during the forces of the previous turn.
    chain = link.message_ms(own) + sum(max(ms, link.message_ms(2 * own)) for ms in across[:-1]) + across[-1]
    last = link.message_ms(own if ranks % 2 else own / 2)
    return max(compute, chain) + last


# Further parts of an evaluation of the tree, from 11_distributed_tree: kernels that cut it, one per level and six, and those that
# migrate bodies; how often the host waits for the device or another host; messages. And what every HELD-th evaluation adds for
# a decomposition.
KERNELS, HOST_WAITS, MESSAGES = 28 + 21, 6, 4
DECOMPOSITION_KERNELS, DECOMPOSITION_WAITS = 10, 4
HELD = 4  # kHeld of 11_distributed_tree/distributed_tree.cu
# Times of one of these, and how fast kernels move gathered bodies, in unrecorded runs on two H200.
KERNEL_US, HOST_US, MEMORY_GB_PER_S = 5, 20, 1500
# Bytes of a migrating body: extent and key 44, a sort in eight passes 200, packing, copying and unpacking 300.
HOME_BYTES = 540
# Share of the bodies that a decomposition moves to another rank, on the executor with N = 131,072, and bytes of each.
LEAVING, TRAVELLER = 0.5, 48


def tree(bodies, ranks, alone, link):
    """A rank builds and walks as it would alone, or its part of the whole walk if that takes longer. Before that, bodies
    migrate, and it cuts and exchanges: only latencies count, because the bytes are those of a surface.
    """
    own = bodies / ranks
    compute = max(alone.ms(own**2), alone.ms(bodies**2) / ranks)
    latencies = 1e-3 * (MESSAGES * link.latency_us + KERNELS * KERNEL_US + HOST_WAITS * HOST_US)
    home = 1e-6 * own * HOME_BYTES / MEMORY_GB_PER_S
    decomposition = 1e-3 * (DECOMPOSITION_KERNELS * KERNEL_US + DECOMPOSITION_WAITS * HOST_US)
    decomposition += 1e-6 * own * LEAVING * TRAVELLER / link.gb_per_s
    return compute + latencies + home + decomposition / HELD


MODELS = {"gather": gather, "ring": ring, "pairs": pairs, TREE: tree}


def strong(exchange):
    return (*STRONG, LARGE) if exchange == TREE else STRONG


def weak(exchange, number):
    """Returns {bodies: those of one rank with as much work}."""
    return {number * one: one for one in (WEAK, LARGE)} if exchange == TREE else {math.isqrt(number * WEAK**2): WEAK}


def sizes(exchange, number):
    return sorted({*strong(exchange), *weak(exchange, number)})


def exchange_of(run):
    """Returns gather, ring or pairs, or tree for step 11."""
    return run["parameters"].get("exchange", TREE)


def by_point(runs):
    return {(exchange_of(run), run["bodies"], int(run["metrics"]["ranks"])): run for run in runs if run["passed"]}


def predictions(runs, links, points):
    """Returns {(exchange, bodies, ranks): ms} of points. links: by exchange, "" for all others"""
    alone = {}
    for (exchange, bodies, number), run in by_point(runs).items():
        if number == 1 and median_of(run):
            alone.setdefault(exchange, {})[bodies] = median_of(run)
    alone = {exchange: OneRank(times, growth(exchange)) for exchange, times in alone.items()}
    return {(exchange, bodies, number): MODELS[exchange](bodies, number, alone[exchange], links.get(exchange, links[""]))
            for exchange, bodies, number in points if exchange in alone}


def table(runs, predicted):
    """Returns rows for each point on several ranks: compared with one rank with the same bodies, or with as much work."""
    points, rows = by_point(runs), []
    for (exchange, bodies, number), run in points.items():
        against = {"strong": bodies} if bodies in strong(exchange) else {}
        if bodies in weak(exchange, number):
            against["weak"] = weak(exchange, number)[bodies]
        for scaling, bodies_alone in against.items():
            one = points.get((exchange, bodies_alone, 1))
            if number == 1 or not (one and median_of(run)):
                continue
            work = (bodies / bodies_alone) ** growth(exchange)
            speedup = work * median_of(one) / median_of(run)
            step_ms, one_step_ms = (each["step_ms"]["median"] for each in (run, one))
            ms = predicted.get((exchange, bodies, number))
            rows.append({"scaling": scaling, "step": run["step"], "exchange": exchange, "bodies": bodies, "ranks": number,
                         "bodies_alone": bodies_alone, "force_ms": median_of(run), "step_ms": step_ms, "speedup": speedup,
                         "efficiency": speedup / number, "step_speedup": work * one_step_ms / step_ms,
                         "predicted_speedup": ms and work * median_of(one) / ms})
    return rows


def targets(on_gpu):
    if not ranks.mpirun(configured("gpu" if on_gpu else "cpu")):
        raise BadInput(ranks.MISSING)
    return [*ranks.STEPS]


def point(options, exchange, bodies, number):
    repeats = options.repeats or repeats_for(bodies)
    program, own = (ranks.TREE_PROGRAM, {}) if exchange == TREE else (ranks.PROGRAM, {"exchange": exchange})
    return (options.build / program,
            flags(**own, bodies=bodies, steps=STEPS, scene=options.scene, repeats=repeats),
            ranks.launcher(options.build, number))


def exchanges(build):
    return [flags.get("exchange", TREE) for _, flags in ranks.methods(build)]


def points_alone(options):
    """Returns the points of one rank; on the executor all points, which are only checks."""
    if options.build.name != "gpu":
        return [point(options, exchange, bodies, number) for number in EXECUTOR_RANKS
                for exchange in exchanges(options.build) for bodies in EXECUTOR_STRONG]
    return [point(options, exchange, bodies, 1) for exchange in exchanges(options.build)
            for bodies in ((*ALONE, LARGE // 2, LARGE) if exchange == TREE else ALONE)]


def measure_link(runs, options, exchange):
    """Measures the times of messages, on all GPUs."""
    number = ranks.gpus()
    program, arguments, launcher = point(options, exchange, STRONG[0], number)
    runs.add(program, [*arguments, "--link"], launcher=launcher).require_document(even_if_failed=False)
    times = runs.documents.pop()["runs"][0]["parts_ms"]
    link = fitted({int(found[1]): ms for name, ms in times.items() if (found := re.fullmatch(r"message_of_(\d+)_bytes", name))})
    runs.say(f"Messages of {exchange} on {number} ranks: {link.latency_us:.1f} us and {link.gb_per_s:.0f} GB/s")
    return link


def measure_several(document, runs, options):
    """Measures the points on several ranks too, and adds the table."""
    many = [number for number in ON_HOST if number <= ranks.gpus()] if options.build.name == "gpu" else []
    points = [(exchange, bodies, number) for number in many for exchange in exchanges(options.build)
              for bodies in sizes(exchange, number)]
    if not points:
        return
    # The prediction is made before the measurement.
    links = {"ring": measure_link(runs, options, "ring"),  # has fewer blocks for them
             "": measure_link(runs, options, "gather")}
    predicted = predictions(document["runs"], links, points)
    for number, each in enumerate(points, 1):
        program, arguments, launcher = point(options, *each)
        runs.measure(program, arguments, f"{number}/{len(points)}: ", launcher)
    document.update(runs.document())
    document.update(link=dataclasses.asdict(links[""]), ring_link=dataclasses.asdict(links["ring"]),
                    table=table(document["runs"], predicted))
