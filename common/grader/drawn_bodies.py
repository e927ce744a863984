"""The bodies that step 01's standalone.cu draws from a seed, for who judges such a program."""

import random


def mersenne_twister(seed):
    """std::mt19937: its getrandbits(32) gives the same numbers."""
    state = [seed & 0xffffffff]
    for k in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + k) & 0xffffffff)
    engine = random.Random()
    engine.setstate((3, (*state, 624), None))
    return engine


def drawn_bodies(count, seed):
    """(x, y, z, mass) of each: every number from 0 to 1, a multiple of 2^-24."""
    engine = mersenne_twister(seed)
    return [tuple((engine.getrandbits(32) >> 8) * 2.0**-24 for _ in range(4)) for _ in range(count)]


def as_snapshot(bodies):
    """CSV that the suite's programs read: at rest."""
    return "".join(f"{x!r},{y!r},{z!r},0,0,0,{mass!r}\n" for x, y, z, mass in bodies)
