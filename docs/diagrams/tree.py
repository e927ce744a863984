"""Diagrams of steps 06 and 07: a tree, the opening criterion, and cells as ranges of sorted bodies."""

from drawing import Drawing

# Bodies in a square of side 1, drawn by hand: a clump, a few strays.
BODIES = [(0.08, 0.14), (0.17, 0.08), (0.13, 0.2), (0.2, 0.17), (0.3, 0.1), (0.22, 0.31), (0.36, 0.35), (0.06, 0.4),
          (0.62, 0.12), (0.9, 0.3), (0.7, 0.45), (0.2, 0.7), (0.42, 0.9), (0.58, 0.61), (0.66, 0.56), (0.61, 0.7),
          (0.7, 0.66), (0.93, 0.92), (0.55, 0.95)]


def cells(bodies, x=0.0, y=0.0, side=1.0, limit=4):
    """The leaves: (x, y, side, bodies) of squares with fewer bodies than the limit."""
    if len(bodies) < limit:
        return [(x, y, side, bodies)] if bodies else []
    half = side / 2
    found = []
    for dx in (0, half):
        for dy in (0, half):
            inside = [b for b in bodies if x + dx <= b[0] < x + dx + half and y + dy <= b[1] < y + dy + half]
            found += cells(inside, x + dx, y + dy, half, limit)
    return found


def octree():
    """Space cut until few bodies are left, and tight boxes, as in figure 1 of the octgrav paper."""
    d = Drawing(570, 340, "A quadtree over a few bodies: cells and the tight boxes of their bodies")
    scale, x0, y0 = 310, 15, 15
    d.box(x0, y0, scale, scale, "none")
    for x, y, side, bodies in cells(BODIES):
        d.box(x0 + scale * x, y0 + scale * y, scale * side, scale * side, "sa")
        left, right = min(b[0] for b in bodies), max(b[0] for b in bodies)
        low, high = min(b[1] for b in bodies), max(b[1] for b in bodies)
        if len(bodies) > 1:
            d.box(x0 + scale * left, y0 + scale * low, scale * (right - left), scale * (high - low), "sb",
                  stroke_dasharray="3 2")
    for x, y in BODIES:
        d.dot(x0 + scale * x, y0 + scale * y, 3, "a")
    for row, (kind, words) in enumerate([("sa", "cell: cut while it has 4 bodies"), ("sb", "tight box of its bodies")]):
        d.box(345, 40 + 26 * row, 14, 14, kind)
        d.text(366, 52 + 26 * row, words, "small")
    d.text(345, 124, "In three dimensions a cut", "small faint")
    d.text(345, 140, "makes eight cells, not four.", "small faint")
    return d


def opening():
    """d against l / theta + s."""
    d = Drawing(600, 200, "A cell acts as a whole if the group's box is farther away than l / theta + s")
    d.box(40, 50, 110, 90, "sb")
    for x, y in ((50, 60), (60, 130), (75, 75), (140, 120), (58, 82), (68, 66)):
        d.dot(x, y, 3, "b")
    d.dot(76, 88, 5, "c")
    d.text(158, 110, "centre of mass", "small")
    d.line(156, 106, 82, 90, "thin")
    d.line(95, 95, 76, 88, "sc")
    d.text(92, 108, "s", "small")
    d.line(40, 156, 150, 156)
    d.text(95, 172, "l", "middle")
    d.box(430, 40, 70, 60, "sa")
    for x, y in ((440, 60), (470, 50), (490, 90), (460, 80)):
        d.dot(x, y, 3, "a")
    d.arrow(80, 88, 428, 80, "line")
    d.text(290, 74, "d, to the nearest point of the group's box", "small middle")
    d.text(465, 120, "group", "small middle")
    d.text(95, 36, "cell: its tight box", "small middle")
    d.text(300, 160, "opened if d \u2264 l / theta + s", "middle")
    return d


def sorted_cells():
    """Step 07: cells as ranges of the sorted order, each node at the gap between two neighbours that it divides first."""
    keys = ["011", "012", "013", "030", "032", "210", "211", "223", "300", "302", "303", "331"]
    limit, side, x0 = 3, 50, 30
    d = Drawing(660, 262, "Sorted bodies, the digits of their keys, the nodes above them and the ends of the leaves")

    def shared(a, b):
        return next(k for k in range(len(a)) if a[k] != b[k])

    def inside(prefix):
        return [i for i, key in enumerate(keys) if key.startswith(prefix)]

    for i, key in enumerate(keys):
        d.dot(x0 + side * (i + 0.5), 190, 4, "a")
        d.text(x0 + side * (i + 0.5), 214, key, "small middle")
    d.text(x0, 240, "keys in base 4, sorted; a line between two bodies ends a leaf", "small faint")
    d.text(x0, 255, "(cells of 3 and more are divided)", "small faint")
    for i in range(1, len(keys)):
        level = shared(keys[i - 1], keys[i])
        cell = inside(keys[i][:level])
        if len(cell) < limit:
            continue
        gap = x0 + side * i
        d.line(gap, 178, gap, 202, "sc")
        if keys[cell[0]][:level + 1] == keys[i - 1][:level + 1]:  # the cell's first child ends here
            y = 30 + 50 * level
            d.box(x0 + side * cell[0] + 4, y, side * len(cell) - 8, 22, "b")
            d.text(x0 + side * (cell[0] + 0.5 * len(cell)), y + 16, f"node, level {level}", "small middle")
            d.dot(gap, y + 22, 4, "c")
            d.line(gap, y + 26, gap, 176, "sa", stroke_dasharray="2 3")
    return d
