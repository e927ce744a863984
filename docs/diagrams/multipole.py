"""Diagrams of step 10: the ways from bodies to bodies, targets within targets, and a far potential as a polynomial."""

from drawing import Drawing


def five_ways():
    """Up on the source's side, across, down on the target's side; near bodies act on each other directly."""
    d = Drawing(640, 420, "From bodies up to multipoles, across to local expansions, down to bodies; near bodies act directly")
    left, right, wide = (30, 230), (410, 610), 200
    middle = {side: (a + b) / 2 for side, (a, b) in {"source": left, "target": right}.items()}
    rows = {"large": 90, "small": 200, "bodies": 330}

    def node(x, y, words, kind):
        d.box(x - 34, y - 18, 68, 36, kind, rx=6)
        d.text(x, y + 5, words, "middle")

    for side, kind, name in (("source", "c", "M"), ("target", "a", "L")):
        x = middle[side]
        d.text(x, 24, {"source": "source: far cells", "target": "target: their bodies feel"}[side], "middle")
        d.box(x - wide / 2, 40, wide, 330, "none")
        d.box(x - wide / 4, 160, wide / 2, 196, "none")
        node(x, rows["large"], name, kind)
        node(x, rows["small"], name, kind)
        for dx, dy in ((-30, 0), (-12, -12), (2, 10), (18, -6), (34, 8)):
            d.dot(x + dx, rows["bodies"] + dy, 4, kind)
    return d
