"""Forces in double precision, for submissions that are compared outside of their own program."""

import math
import random

SOFTENING = 0.01
# The factor of m r as a function of r^2 + epsilon^2.
LAWS = {
    "newton": lambda square: 1 / (square * math.sqrt(square)),
    "plane": lambda square: 1 / square,
}


def random_bodies(count, seed):
    """(x, y, z, mass) of bodies in a cube; masses differ by up to a factor of ten."""
    draw = random.Random(seed)
    return [(*(draw.uniform(-1, 1) for _ in range(3)), draw.uniform(0.1, 1) / count) for _ in range(count)]


def accelerations(bodies, law):
    """(x, y, z, S) of each body, S the sum of the lengths of its terms."""
    factor = LAWS[law]
    result = []
    for x, y, z, _ in bodies:
        ax = ay = az = total = 0.0
        for xj, yj, zj, mass in bodies:
            rx, ry, rz = xj - x, yj - y, zj - z
            square = rx * rx + ry * ry + rz * rz
            s = mass * factor(square + SOFTENING**2)
            ax += s * rx
            ay += s * ry
            az += s * rz
            total += s * math.sqrt(square)
        result.append((ax, ay, az, total))
    return result


def tolerance(count):
    """Of FP32, as in common/driver/validation.cpp; input and output are rounded too, once each."""
    return 2.0**-24 * (16 + 2 * math.sqrt(count) + count / 64 + 8)


def wrong_bodies(found, bodies, law):
    """(how many of the accelerations are wrong, the first of them, its error in units of S)."""
    limit = tolerance(len(bodies))
    wrong = []
    for i, (a, r) in enumerate(zip(found, accelerations(bodies, law))):
        error = math.dist(a, r[:3])
        scaled = error / r[3] if r[3] > 0 else error
        if not scaled <= limit:  # NaN too
            wrong.append((i, scaled))
    return (len(wrong), *wrong[0]) if wrong else (0, None, None)


def write_bodies(path, bodies):
    """At rest, in the suite's CSV."""
    path.write_text("".join(f"{x!r},{y!r},{z!r},0,0,0,{m!r}\n" for x, y, z, m in bodies))


def read_accelerations(path, time_step):
    """From what one leapfrog step of bodies at rest leaves: their velocities are a dt, their positions unchanged."""
    rows = [line.split(",") for line in path.read_text().splitlines() if line and line[0] in "-0123456789"]
    return [tuple(float(v) / time_step for v in row[3:6]) for row in rows]
