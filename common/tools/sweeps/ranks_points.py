"""What the sweep `ranks` measures: numbers of bodies and of ranks."""

import math

STRONG = (2**14, 2**16, 2**18, 2**20)  # the same bodies on more ranks
WEAK = 2**18                           # bodies of one rank, where each rank is to have as much work
ALONE = tuple(2**k for k in range(12, 21))  # of one rank: what the model takes its kernels' times from
TREE = "tree"  # whose work grows about as N; that of the others is all pairs
LARGE = 2**24  # of the tree, besides
EXECUTOR_STRONG = (1003, 2048)
EXECUTOR_RANKS = (1, 2, 3)


def strong(exchange):
    return (*STRONG, LARGE) if exchange == TREE else STRONG


def alone(exchange):
    return (*ALONE, LARGE // 2, LARGE) if exchange == TREE else ALONE


def weak(exchange, ranks):
    return ranks * WEAK if exchange == TREE else math.isqrt(ranks * WEAK**2)


def growth(exchange):
    """The power of N with which the work grows."""
    return 1 if exchange == TREE else 2
