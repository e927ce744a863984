"""Diagrams of steps 08 and 11: ranks in a ring, the streams of one of them, and a tree's part that is sent."""

import math

from drawing import Drawing


def ring_of_ranks():
    """Four ranks in three turns: the share that each one has in addition to its own, and where it goes."""
    ranks, radius, side = 4, 66, 44
    d = Drawing(640, 256, "Four ranks in a ring: in each turn every rank sends on the bodies that it sums the pulls of")
    for turn in range(3):
        x0, y0 = 110 + 210 * turn, 120
        places = [(x0 + radius * math.sin(math.tau * k / ranks), y0 - radius * math.cos(math.tau * k / ranks))
                  for k in range(ranks)]
        for rank, (x, y) in enumerate(places):
            d.box(x - side / 2, y - side / 2, side, side / 2, "a")
            d.text(x, y - 6, f"{rank}", "small middle")
            d.box(x - side / 2, y, side, side / 2, "b")
            d.text(x, y + 16, f"{(rank - turn) % ranks}", "small middle")
            to_x, to_y = places[(rank + 1) % ranks]
            d.arrow(x + 0.42 * (to_x - x), y + 0.42 * (to_y - y), x + 0.62 * (to_x - x), y + 0.62 * (to_y - y), "sc")
        d.text(x0, y0 + 5, f"turn {turn}", "small middle")
    d.box(120, 216, 12, 12, "a")
    d.text(138, 226, "own bodies, which stay", "small")
    d.box(120, 236, 12, 12, "b")
    d.text(138, 246, "whose pulls are summed in this turn, and sent on", "small")
    return d


def ring_streams():
    """The work of one rank of four over time: its streams, and the events between them."""
    turns, width, rows = 4, 132, {"link": 40, "stream": 110, "other": 160}
    d = Drawing(640, 236, "Streams of one rank of four, and the events that order them")
    for name, y in rows.items():
        d.text(10, y + 16, name)
        d.line(66, y + 11, 630, y + 11, "thin")

    def begin(turn):
        return 76 + width * turn

    def forces(turn):
        return rows["stream" if turn % 2 == 0 else "other"]

    for turn in range(turns):
        d.box(begin(turn), forces(turn), width - 8, 22, "b")
        d.text(begin(turn) + width / 2 - 4, forces(turn) + 15, f"forces, turn {turn}", "small middle")
    for turn in range(turns - 1):
        left = begin(turn) + (14 if turn < 2 else 24)
        d.box(left, rows["link"], 78, 22, "c")
        d.text(left + 39, rows["link"] + 15, f"into buffer {turn % 2}", "small middle")
        d.arrow(left + 78, rows["link"] + 22, begin(turn + 1), forces(turn + 1), "sa")
    d.arrow(begin(2) - 8, rows["other"], begin(2) + 24, rows["link"] + 22, "sb")
    d.line(100, 212, 124, 212, "sa")
    d.text(130, 216, '"arrived": forces start when their bodies are there', "small")
    d.line(100, 230, 124, 230, "sb")
    d.text(130, 234, '"summed": buffer 0 is filled again when the forces of turn 1 have read it', "small")
    return d


def essential_tree():
    """What rank 0 sends rank 1: cells that shrink towards the border, and the bodies of the leaves that rank 1 can open."""
    scale, x0, y0, theta, limit = 300, 20, 20, 0.5, 4
    bodies = [((0.5 + 0.7548776662 * k) % 1, (0.5 + 0.5698402910 * k) % 1) for k in range(150)]  # spread evenly
    d = Drawing(640, 340, "Cells that rank 0 sends to rank 1: large ones far from the border, small ones near it")

    def send(bodies, x, y, side):
        inside = [b for b in bodies if x <= b[0] < x + side and y <= b[1] < y + side]
        if not inside:
            return
        is_opened = 1 - x - side < side / theta
        if is_opened and len(inside) >= limit:
            for k in range(4):
                send(inside, x + side / 2 * (k % 2), y + side / 2 * (k // 2), side / 2)
            return
        d.box(x0 + scale * x + 1, y0 + scale * y + 1, scale * side - 2, scale * side - 2, "none" if is_opened else "b")
        for bx, by in inside if is_opened else ():
            d.dot(x0 + scale * bx, y0 + scale * by, 4, "c")

    send(bodies, 0.0, 0.0, 1.0)
    for x, y in bodies:
        d.dot(x0 + scale * x, y0 + scale * y, 2, "a")
    d.box(x0, y0, scale, scale, "none")
    for y, tall in ((0.04, 0.2), (0.3, 0.24), (0.6, 0.14), (0.78, 0.2)):
        d.box(x0 + scale + 8, y0 + scale * y, 60, scale * tall, "a")
    d.text(x0 + scale / 2, 336, "region of rank 0", "small middle")
    d.text(x0 + scale + 38, 336, "rank 1", "small middle")
    for row, (kind, words) in enumerate([("a", "box around bodies of rank 1"), ("b", "cell that is sent closed:"), (None, "the boxes open none of it"),
                                         ("none", "leaf that a box can open:")]):
        if kind:
            d.box(420, 60 + 24 * row, 14, 14, kind)
        d.text(442, 72 + 24 * row, words, "small")
    d.text(442, 168, "its bodies are sent too", "small")
    return d
