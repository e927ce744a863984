"""The bodies of N-Body Ladder's tests, the same as the suite's own of a scene and a seed. @COMMIT@"""

import math

import numpy


class Random:
    """The suite's random numbers, which are the same everywhere: std::mt19937_64."""

    def __init__(self, seed):
        state = [seed & (1 << 64) - 1]
        for k in range(1, 312):
            state.append(6364136223846793005 * (state[-1] ^ state[-1] >> 62) + k & (1 << 64) - 1)
        self.state = numpy.array(state, numpy.uint64)
        self.ready = numpy.empty(0)

    def twisted(self, here, after):
        """Of words of the state, what goes to those half a state further."""
        both = here & numpy.uint64(0xFFFFFFFF80000000) | after & numpy.uint64(0x7FFFFFFF)
        return both >> numpy.uint64(1) ^ (both & numpy.uint64(1)) * numpy.uint64(0xB5026F5AA96619E9)

    def more(self):
        """The next 312 numbers."""
        old = self.state
        first = old[156:] ^ self.twisted(old[:156], old[1:157])
        self.state = numpy.concatenate([first, first ^ self.twisted(old[156:], numpy.append(old[157:], first[0]))])
        words = self.state.copy()
        words ^= words >> numpy.uint64(29) & numpy.uint64(0x5555555555555555)
        words ^= words << numpy.uint64(17) & numpy.uint64(0x71D67FFFEDA60000)
        words ^= words << numpy.uint64(37) & numpy.uint64(0xFFF7EEE000000000)
        words ^= words >> numpy.uint64(43)
        return (words >> numpy.uint64(11)) * 2.0**-53

    def uniform(self, count=1):
        """From 0 up to 1."""
        blocks = [self.ready]
        missing = count - self.ready.size
        blocks += [self.more() for _ in range(-(-missing // 312))]
        numbers = numpy.concatenate(blocks)
        self.ready = numbers[count:]
        return numbers[:count]

    def one(self):
        return float(self.uniform()[0])

    def direction(self, length):
        while True:
            p = [2 * self.one() - 1 for _ in range(3)]
            r2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2]
            if 1e-4 <= r2 <= 1:
                return [x * (length / math.sqrt(r2)) for x in p]


def cube(count, seed):
    """Uniform in the cube from -1 to 1, masses between 0.5 and 1.5 of their mean."""
    bodies = Random(seed).uniform(4 * count).reshape(count, 4) * [2, 2, 2, 1] + [-1, -1, -1, 0.5]
    bodies[:, 3] /= bodies[:, 3].cumsum()[-1]
    return bodies


def speed_ratio(random):
    """Of a body of a Plummer sphere to its speed of escape; only drawn, so that the next body's place is the suite's."""
    while True:
        q, y = random.one(), 0.1 * random.one()
        f = 1 - q * q
        if y < q * q * f * f * f * math.sqrt(f):
            return q


def plummer(count, seed):
    """A Plummer sphere of total energy -1/4 about its centre of mass: dense in its middle."""
    random = Random(seed)
    places = []
    for _ in range(count):
        enclosed = 0.0
        while enclosed == 0:
            enclosed = 0.999 * random.one()
        root = float(numpy.cbrt(enclosed))
        places.append(random.direction(3 * math.pi / 16 * (root / math.sqrt(1 - root * root))))
        speed_ratio(random)
        random.direction(1)
    bodies = numpy.column_stack([places, numpy.full(count, 1 / count)])
    weighted = (bodies[:, :3] * bodies[:, 3:]).cumsum(axis=0)[-1]
    bodies[:, :3] -= weighted / bodies[:, 3].cumsum()[-1]
    return bodies


def masses(count, seed):
    """Masses from a millionth to a million."""
    exponents = -6 + 12 * Random(seed).uniform(count)
    bodies = cube(count, seed)
    bodies[:, 3] = 10**exponents
    return bodies


def coincident(count, seed):
    """Every other body is where the one before it is: those two pull each other not at all."""
    bodies = cube(count, seed)
    bodies[1::2] = bodies[:-1:2]
    return bodies


def point(count, seed):
    """All in one place: no forces."""
    bodies = cube(count, seed)
    bodies[:, :3] = bodies[0, :3]
    return bodies


SCENES = {"cube": cube, "plummer": plummer, "masses": masses, "coincident": coincident, "point": point}
