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
    """A turn's bodies travel under its forces. Their latency does not: the next forces wait for an event that follows
    them, and what moves them needs room beside the forces."""
    own = bodies / ranks
    turn = alone.ms(own * own)
    late = max(0.0, link.carried_ms(own) - turn) + 1e-3 * link.latency_us
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


# Assumed of the tree, on an H200's host: the kernels that cut it, one for each level and six besides; how long one takes
# that has little to do; how often the host waits for the device or another host, and how long.
CUT_KERNELS, KERNEL_US = 28, 4
HOST_WAITS, HOST_US = 4, 10


def tree(bodies, ranks, alone, link):
    """A rank builds and walks as it would alone, or its part of the whole walk where that takes longer. Before the walk it
    cuts and exchanges: that takes latencies alone, for the bytes are those of a surface."""
    compute = max(alone.ms((bodies / ranks) ** 2), alone.ms(bodies**2) / ranks)
    return Evaluation(compute, 1e-3 * (2 * link.latency_us + CUT_KERNELS * KERNEL_US + HOST_WAITS * HOST_US))


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
