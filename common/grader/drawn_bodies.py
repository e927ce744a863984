"""Draws the bodies that step 01's standalone.cu draws from a seed, so that the grader can judge such a program."""

import random


def mersenne_twister(seed):
    """Yields the numbers of std::mt19937. random.getrandbits(32) gives the same ones."""
    state = [seed & 0xffffffff]
    for k in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + k) & 0xffffffff)
    engine = random.Random()
    engine.setstate((3, (*state, 624), None))
    return engine


def drawn_bodies(count, seed):
    """Returns (x, y, z, mass) of each body. Every number is from 0 to 1, a multiple of 2^-24."""
    engine = mersenne_twister(seed)
    return [tuple((engine.getrandbits(32) >> 8) * 2.0**-24 for _ in range(4)) for _ in range(count)]


def as_snapshot(bodies):
    """Returns the bodies, at rest, as CSV that the suite's programs read."""
    return "".join(f"{x!r},{y!r},{z!r},0,0,0,{mass!r}\n" for x, y, z, mass in bodies)
