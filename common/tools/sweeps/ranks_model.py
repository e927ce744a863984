"""How long step 08's forces take on several ranks: a model from one rank's times and those of messages.

A kernel that sums as many interactions takes as long as on one rank, whatever their shape: the kernels split their sums
so that few bodies fill a GPU too. A message takes a latency and its bytes at a bandwidth.
"""

import bisect
import dataclasses
import math

BODY = 16  # bytes in single precision


@dataclasses.dataclass(frozen=True)
class Link:
    """Between neighbours of a ring of ranks, in both directions at once."""

    latency_us: float
    gb_per_s: float
    hop_us: float = 0.0  # each further rank that what one call sends passes through

    def carried_ms(self, bodies):
        return 1e-6 * BODY * bodies / self.gb_per_s

    def message_ms(self, bodies):
        return 1e-3 * self.latency_us + self.carried_ms(bodies)


def fitted(times):
    """The Link of {bytes: ms}, by least squares of relative errors, for times of a thousandth count as much."""
    # ms = a + b bytes; each row divided by its ms.
    rows = [(1 / ms, size / ms) for size, ms in times.items()]
    aa, ab, bb = (sum(row[i] * row[j] for row in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    a1, b1 = (sum(row[i] for row in rows) for i in (0, 1))
    determinant = aa * bb - ab * ab
    latency, each = (a1 * bb - b1 * ab) / determinant, (aa * b1 - ab * a1) / determinant
    return Link(1e3 * latency, 1e-6 / each)


class OneRank:
    """Times of one rank's forces, {bodies: ms}; the work grows with a power of the bodies."""

    def __init__(self, times, growth=2):
        self.sizes, self.times = zip(*sorted(times.items()))
        self.growth = growth

    def ms(self, interactions):
        """Of the square root of so many bodies: between measured sizes by a power law, above them as the work grows,
        below as long as the fewest take."""
        bodies = math.sqrt(interactions)
        if bodies <= self.sizes[0]:
            return self.times[0]
        if bodies >= self.sizes[-1]:
            return self.times[-1] * (bodies / self.sizes[-1]) ** self.growth
        k = bisect.bisect_right(self.sizes, bodies)
        low, high = self.sizes[k - 1], self.sizes[k]
        share = math.log(bodies / low) / math.log(high / low)
        return self.times[k - 1] ** (1 - share) * self.times[k] ** share


@dataclasses.dataclass(frozen=True)
class Evaluation:
    """A rank's forces, in ms: its kernels, and what it waits for others besides."""

    compute: float
    waiting: float

    @property
    def ms(self):
        return self.compute + self.waiting


def gather(bodies, ranks, alone, link):
    """All bodies travel, then all forces."""
    own = bodies / ranks
    return Evaluation(alone.ms(own * bodies),
                      link.message_ms(bodies - own) + 1e-3 * link.hop_us * (ranks - 2))


def ring(bodies, ranks, alone, link):
    """A turn's bodies travel under its forces. Where that takes no longer, a turn's first blocks fill what the last of the
    turn before leave free, and all turns take as long as one kernel."""
    own = bodies / ranks
    turn = alone.ms(own * own)
    late = link.message_ms(own) - turn
    if late <= 0:
        return Evaluation(alone.ms(own * bodies), 0.0)
    return Evaluation(ranks * turn, (ranks - 1) * late)


def pairs(bodies, ranks, alone, link):
    """A rank's own pairs fill what the others leave; the last reactions go home when all else is over."""
    own = bodies / ranks
    across = [alone.ms(2 * own * own)] * (ranks // 2)
    if ranks % 2 == 0:
        across[-1] = alone.ms(own * own)  # the farthest two share theirs
    compute = alone.ms(own * own) + sum(across)
    # Bodies to the next and reactions home in one turn, under the forces of the one before.
    chain = link.message_ms(own) + sum(max(ms, link.message_ms(2 * own)) for ms in across[:-1]) + across[-1]
    last = link.message_ms(own if ranks % 2 else own / 2)
    return Evaluation(compute, max(0.0, chain - compute) + last)


# What an evaluation of the tree has besides, counted in 08_many_gpus/let: kernels that cut it, one for each level and
# six, and those that bring bodies home; how often the host waits for the device or another host; messages. And what
# each HELD-th evaluation has besides, where they are dealt anew.
KERNELS, HOST_WAITS, MESSAGES = 28 + 21, 6, 4
DEAL_KERNELS, DEAL_WAITS = 10, 4
HELD = 4  # as kHeld of 08_many_gpus/let/tree.cu
# What one takes, and how fast kernels move bodies that they gather, in unrecorded runs of two H200.
KERNEL_US, HOST_US, MEMORY_GB_PER_S = 5, 20, 1500
# Bytes of a body that comes home: extent and key 44, a sort in eight passes 200, packed, copied and unpacked 300.
HOME_BYTES = 540
# By the executor with N = 131,072, of the bodies that a deal moves to another rank, and their bytes.
LEAVING, TRAVELLER = 0.5, 48


def tree(bodies, ranks, alone, link):
    """A rank builds and walks as it would alone, or its part of the whole walk where that takes longer. Before that
    bodies come home, and it cuts and exchanges: latencies alone, for the bytes are those of a surface."""
    own = bodies / ranks
    compute = max(alone.ms(own**2), alone.ms(bodies**2) / ranks)
    latencies = 1e-3 * (MESSAGES * link.latency_us + KERNELS * KERNEL_US + HOST_WAITS * HOST_US)
    home = 1e-6 * own * HOME_BYTES / MEMORY_GB_PER_S
    deal = 1e-3 * (DEAL_KERNELS * KERNEL_US + DEAL_WAITS * HOST_US) + 1e-6 * own * LEAVING * TRAVELLER / link.gb_per_s
    return Evaluation(compute, latencies + home + deal / HELD)


MODELS = {"gather": gather, "ring": ring, "pairs": pairs, "tree": tree}


def predicted(exchange, bodies, ranks, alone, link):
    """An Evaluation; None of a rung without a model."""
    if exchange not in MODELS:
        return None
    return MODELS[exchange](bodies, ranks, alone, link) if ranks > 1 else Evaluation(alone.ms(bodies**2), 0.0)


def row(exchange, bodies, ranks, alone, link):
    """What is predicted of a point, and what it loses against the ideal."""
    whole = alone.ms(bodies**2)
    found = predicted(exchange, bodies, ranks, alone, link)
    return {"exchange": exchange, "bodies": round(bodies), "ranks": ranks, "ms": found.ms, "speedup": whole / found.ms,
            "efficiency": whole / found.ms / ranks, "lost_to_waiting": found.waiting / found.ms,
            "lost_to_short_kernels": (found.compute - whole / ranks) / found.ms}
