"""Diagrams of step 10: the ways from bodies to bodies, targets within targets, a far potential as a polynomial, and the example by hand."""

import random

from drawing import Drawing


def five_ways():
    """Up on the source's side, across, down on the target's side; near bodies act directly."""
    d = Drawing(640, 366, "From bodies up to multipoles M, across to local expansions L, and down to bodies; near bodies act directly")
    large, small, bodies = 92, 202, 322
    for x, name, kind in ((120, "M", "c"), (520, "L", "a")):
        d.box(x - 100, 44, 200, 316)
        d.box(x - 78, 154, 156, 196)
        for y in (large, small):
            d.box(x - 25, y - 17, 50, 34, kind)
            d.text(x, y + 5, name, "middle")
    d.box(280, 282, 80, 68)
    d.text(120, 28, "far cells", "middle")
    d.text(520, 28, "target", "middle")
    d.text(320, 272, "near leaf", "middle")
    for x, side, kind in ((120, 1, "c"), (520, 1, "a"), (320, 0.6, "b")):
        for dx, dy in ((-50, 6), (-25, -10), (-4, 12), (22, -8), (46, 8)):
            d.dot(x + side * dx, bodies + dy, 4, kind)
    for x1, y1, x2, y2 in ((120, bodies - 22, 120, small + 19), (120, small - 19, 120, large + 19),
                           (147, large, 493, large),
                           (520, large + 19, 520, small - 19), (520, small + 19, 520, bodies - 22)):
        d.arrow(x1, y1, x2, y2)
    d.arrow(362, bodies, 458, bodies, "sb")
    for x, y, words in ((152, 260, "P2M"), (152, 150, "M2M"), (320, large - 10, "M2L: cell on cell"), (488, 150, "L2L"),
                        (488, 260, "L2P"), (401, bodies - 12, "P2P")):
        d.text(x, y, words, "middle")
    for y, words in ((120, "M, multipoles:"), (138, "the cell from far away"), (174, "L, local expansion:"),
                     (192, "the far field in the"), (210, "cell, a polynomial")):
        d.text(320, y, words, "small middle faint")
    return d


def targets_in_targets():
    """Targets within targets; bodies are equally dense. Cells of one side are neighbours or far, as (r + r) / d < 0.8 says."""
    d = Drawing(640, 258, "A target, the next one within it, and a leaf: the cells that act on each, and those that are left to the next")
    made, side, target = random.Random(4), 196, (0.44, 0.44)
    done, left = [], [(x, y) for x in range(4) for y in range(4)]  # of 4 x 4 cells, later 8 x 8, 16 x 16
    for level, (kind, words) in enumerate([("c", "up to 16 n bodies"), ("b", "up to 4 n bodies"), ("a", "leaf: up to n bodies")]):
        wide, x0, y0 = side / 2 ** (level + 2), 8 + 214 * level, 8
        at = tuple(int(place * side / wide) for place in target)
        far = [c for c in left if max(abs(c[0] - at[0]), abs(c[1] - at[1])) > 1]
        left = [c for c in left if c not in far]
        for x, y, width, colour in done:
            d.box(x0 + x, y0 + y, width, width, colour, opacity=0.35)
        for x, y in far:
            d.box(x0 + wide * x, y0 + wide * y, wide, wide, kind)
        for x, y in left:
            d.box(x0 + wide * x, y0 + wide * y, wide, wide)
            for _ in range(3 if kind == "a" else 0):
                d.dot(x0 + wide * (x + made.uniform(0.15, 0.85)), y0 + wide * (y + made.uniform(0.15, 0.85)), 1.3, "body")
        d.box(x0, y0, side, side)
        d.box(x0 + wide * at[0], y0 + wide * at[1], wide, wide, f"s{kind}", stroke_width=3)
        d.text(x0 + side / 2, 226, words, "middle")
        d.text(x0 + side / 2, 246, f"{len(far)} cells act on it", "middle")
        done += [(wide * x, wide * y, wide, kind) for x, y in far]
        left = [(2 * x + dx, 2 * y + dy) for x, y in left for dx in (0, 1) for dy in (0, 1)]
    return d


def far_potential():
    """On a line: bodies within 0.5 of their centre of mass, a target within 1 of a place at a distance of 2."""
    d = Drawing(640, 330, "The potential of a far cell over a target, and the polynomials of order 1, 2 and 3")
    sources, distance, radius = [(-0.5, 1), (-0.2, 2), (0.1, 1), (0.2, 1), (0.5, 1)], 2, 1  # from the centre of mass, and mass
    mass = sum(m for _, m in sources)
    place = lambda x, value: (90 + 160 * x, 290 - 230 * value)

    def exact(s):
        return sum(m / (distance + s - t) for t, m in sources) / mass

    def polynomial(order):
        """Taylor's series in s - t, cut as in expansion.cuh: s and t together have at most this order."""
        return lambda s: sum(m * sum((t - s) ** n / distance ** (n + 1) for n in range(order + 1)) for t, m in sources) / mass

    left, base = place(distance - radius, 0)
    d.box(left, 24, 320 * radius, base - 24)
    d.line(10, base, 630, base)
    for t, m in sources:
        d.dot(*place(t, 0), 3.5 * m ** 0.5, "c")
    for x, words in ((0, "far cell"), (distance, "target")):
        d.text(place(x, 0)[0], base + 26, words, "middle")
    d.text(place(0, 0)[0], 50, "potential", "middle")
    for f, kind, words, dashes, below in ((polynomial(1), "sb", "order 1", "2 4", 10), (polynomial(2), "sc", "order 2", "8 4", 9),
                                          (polynomial(3), "sa", "order 3", "14 3", 3), (exact, "line", "exact", "none", 5)):
        d.path([place(distance + s / 20, f(s / 20)) for s in range(-20 * radius, 20 * radius + 1)], kind, stroke_dasharray=dashes)
        x, y = place(distance - radius, f(-radius))
        d.text(x - 38, y + below, words, "middle")
    return d


def taylor_line():
    """The example by hand: a source of two bodies, and a body of the target, on a line."""
    d = Drawing(640, 150, "A line from -1 to 5: source bodies at -1 and 1, their centre at 0, the target's centre at 4, its body at 3")
    unit, zero, y = 100, 120, 70

    def at(place):
        return zero + unit * place

    d.box(at(-1.15), y - 26, 2.3 * unit, 52)
    d.box(at(2.85), y - 26, 2.3 * unit, 52)
    d.line(at(-1.15), y, at(5.15), y)
    for place, kind in ((-1, "c"), (1, "c"), (3, "a")):
        d.dot(at(place), y, 6, kind)
    for place, kind in ((0, "c"), (4, "a")):
        d.line(at(place), y - 9, at(place), y + 9, f"s{kind}")
    for place, words in ((-1, "t = -1"), (0, "source"), (1, "t = 1"), (4, "target"), (3, "s = -1")):
        d.text(at(place), y + 46, words, "middle")
    d.arrow(at(0), y - 40, at(4), y - 40)
    d.text(at(2), y - 48, "R = 4", "middle")
    return d
