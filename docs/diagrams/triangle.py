"""Diagrams of the paper on triangular maps: what its figures 1, 2, 4, 6 and 7 show, and the pairs of step 05."""

from drawing import Drawing


def box_waste():
    """Figure 1: a box of blocks over a triangle."""
    d = Drawing(420, 250, "28 of 8 × 8 blocks over a triangle have nothing to do")
    d.grid(30, 20, 8, 8, 25, lambda x, y: "a" if x <= y else "b")
    d.text(250, 90, "at work: 36 blocks", "")
    d.text(250, 120, "start, read their index", "")
    d.text(250, 138, "and return: 28 blocks", "")
    d.text(130, 242, "bounding box, m = 8", "middle faint")
    return d


def lambda_map():
    """Figure 2: a balanced grid of just enough blocks, and where they go."""
    d = Drawing(600, 260, "36 blocks in a 6 × 6 grid, numbered row by row, fill the triangle row by row")
    d.grid(20, 40, 6, 6, 28, lambda x, y: "a", lambda x, y: 6 * y + x)
    d.arrow(205, 124, 285, 124, "sb")
    d.text(245, 112, "lambda(w)", "small middle")
    d.grid(310, 25, 8, 8, 26, lambda x, y: "c" if x <= y else None, lambda x, y: y * (y + 1) // 2 + x)
    d.text(104, 232, "the grid that is launched", "small middle faint")
    d.text(414, 252, "the tiles that they compute", "small middle faint")
    return d


def rectangle_and_recursion():
    """Figure 4: half the triangle turned into the free corner; and squares, level by level."""
    d = Drawing(640, 270, "Left the rectangle, right the recursive partition of a triangle of eight tiles a side")
    d.grid(20, 30, 4, 9, 22, lambda x, y: "a" if x < y else "b")
    d.grid(140, 52, 8, 8, 22, lambda x, y: None if x > y else "b" if x >= 4 else "a")
    d.path([(260, 205), (262, 20), (64, 16), (64, 28)], "sb", marker_end="url(#arrow)", stroke_dasharray="4 3")
    d.text(170, 252, "the rectangle: columns from m/2 on, rotated", "small middle faint")
    kinds = {4: "a", 2: "b", 1: "c"}

    def level(x, y):
        if x > y:
            return None
        if x == y:
            return "none"
        return kinds[1 << ((x ^ y).bit_length() - 1)]

    d.grid(400, 52, 8, 8, 22, level)
    for row, (kind, words) in enumerate([("a", "side 4"), ("b", "side 2"), ("c", "side 1"), ("none", "diagonal")]):
        d.box(520, 52 + 20 * row, 12, 12, kind)
        d.text(538, 62 + 20 * row, words, "small")
    d.text(490, 252, "the recursive partition", "small middle faint")
    return d


def tetrahedron_box():
    """Figure 6: a box of cells over a tetrahedron, layer by layer."""
    d = Drawing(620, 170, "20 of 4 × 4 × 4 cells over a tetrahedron have something to do")
    for z in range(4):
        d.grid(20 + 110 * z, 40, 4, 4, 24, lambda x, y: "a" if x <= y <= z else "b")
        d.text(68 + 110 * z, 28, f"layer {z}", "small middle")
    d.text(470, 80, "at work: 20 of 64", "")
    d.text(470, 102, "for many layers 1 in 6", "small faint")
    d.text(234, 158, "the box, cut into its layers", "small middle faint")
    return d


def tetrahedron_map():
    """Figure 7: layers that follow each other, each a triangle."""
    d = Drawing(630, 200, "Cells numbered layer by layer; a layer is a triangle, numbered row by row")
    for z in range(4):
        x0 = 30 + [0, 70, 170, 300][z]
        first = z * (z + 1) * (z + 2) // 6
        d.grid(x0, 40, z + 1, z + 1, 28, lambda x, y: "abca"[z] if x <= y else None,
               lambda x, y: first + y * (y + 1) // 2 + x)
        d.text(x0 + 14 * (z + 1), 30, f"layer {z}", "small middle")
    d.text(470, 70, "layer z starts at", "small")
    d.text(470, 90, "T(z) = z (z+1) (z+2) / 6", "small")
    d.text(470, 120, "within it, lambda", "small")
    return d


def pairs():
    """A tile of pairs: what it gives to I and to J."""
    d = Drawing(600, 250, "A tile of pairs adds to the sums of I along its rows and to those of J along its columns")
    d.grid(90, 40, 8, 8, 20, lambda x, y: None if x > y else "b" if x == y else "a" if (x, y) == (2, 5) else "none")
    d.text(60, 155, "I", "middle")
    d.text(140, 222, "J", "middle")
    d.grid(340, 50, 5, 5, 26, lambda x, y: "a")
    for k in range(5):
        d.arrow(472, 63 + 26 * k, 498, 63 + 26 * k, "sa")
        d.arrow(353 + 26 * k, 182, 353 + 26 * k, 206, "sb")
    d.line(130, 140, 340, 50, "thin")
    d.line(150, 160, 340, 180, "thin")
    d.text(505, 118, "+ m_j s r", "")
    d.text(405, 226, "- m_i s r", "middle")
    d.text(405, 36, "one square root for both", "small middle faint")
    d.text(170, 242, "one tile in two is computed", "small middle faint")
    return d
