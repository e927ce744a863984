"""What the sweep `ranks` measures: numbers of bodies and of ranks."""

import math

STRONG = (2**14, 2**16, 2**18, 2**20)  # the same bodies on more ranks
WEAK = 2**18                           # bodies of one rank, where each rank is to have as many interactions
ALONE = tuple(2**k for k in range(9, 21))  # of one rank: what the model takes its kernels' times from
EXECUTOR_STRONG = (1003, 2048)
EXECUTOR_RANKS = (1, 2, 3)


def weak(ranks):
    return math.isqrt(ranks * WEAK**2)
