"""Diagrams of step 09: which lane holds which element of a product of matrices, and a tile of pairs as two products."""

from drawing import Drawing


def matrix(d, x, y, rows, columns, wide, coloured, words=lambda row, column: ""):
    """Elements 20 high. coloured: {(row, column): (kind, words)}, in front of the borders of the others."""
    high = 20
    places = [(row, column) for row in range(rows) for column in range(columns)]
    for row, column in sorted(places, key=lambda place: place in coloured):
        kind, text = coloured.get((row, column), ("none", words(row, column)))
        d.box(x + wide * column, y + high * row, wide, high, kind)
        d.text(x + wide * (column + 0.5), y + high * row + 15, str(text), f"small middle{' faint' if kind == 'none' else ''}")


def fragment():
    """mma.m16n8k8 of TF32 numbers: the lane that holds each element, and what lane 6 holds."""
    d = Drawing(640, 556, "Matrices A, B and D of mma.m16n8k8: the lane that holds each element, and the registers of lane 6")
    g, t, wide, left, right, upper, lower = 1, 2, 32, 48, 330, 30, 226
    own_a = {(g + 8 * (k % 2), t + 4 * (k // 2)): ("a", f"a[{k}]") for k in range(4)}
    own_b = {(t + 4 * k, g): ("c", f"b[{k}]") for k in range(2)}
    own_d = {(g + 8 * (k // 2), 2 * t + k % 2): ("b", f"d[{k}]") for k in range(4)}
    matrix(d, left, lower, 16, 8, wide, own_a, lambda row, column: 4 * (row % 8) + column % 4)
    matrix(d, right, upper, 8, 8, wide, own_b, lambda row, column: 4 * column + row % 4)
    matrix(d, right, lower, 16, 8, wide, own_d, lambda row, column: 4 * (row % 8) + column // 2)
    for x, y, name in ((left, lower, "A"), (right, upper, "B"), (right, lower, "D")):
        d.text(x + 2, y - 7, name)
    for x, y, columns in ((left, lower, {t: "t", t + 4: "t + 4"}), (right, upper, {g: "g"}),
                          (right, lower, {2 * t - 0.2: "2t", 2 * t + 1.1: "2t + 1"})):
        for column, words in columns.items():
            d.text(x + wide * (column + 0.5), y - 7, words, "small middle")
    for x, y, rows in ((left - 24, lower, {g: "g", g + 8: "g + 8"}), (right + 8 * wide + 25, upper, {t: "t", t + 4: "t + 4"}),
                       (right + 8 * wide + 25, lower, {g: "g", g + 8: "g + 8"})):
        for row, words in rows.items():
            d.text(x, y + 20 * row + 15, words, "small middle")
    for row, words in enumerate(["A (16 × 8) times B (8 × 8)", "is added to D (16 × 8).", "",
                                 "The number of an element is the lane", "that holds it: lane = 4 g + t.", "",
                                 "Coloured: the registers of lane 6,", "which has g = 1 and t = 2."]):
        d.text(8, 45 + 20 * row, words, "small")
    return d


def two_products():
    """Rows times columns are squared distances; S of each element, times the weights, are sums."""
    d = Drawing(640, 450, "Rows i times columns j are squared distances; S of each element, times the weights of bodies j, are sums")
    i, j, wide, high, bodies = 1, 3, 34, 100, 5  # elements of a body: 5, too
    left, top = (44, 244, 488), (48, 192, 342)
    row, column = ["x", "y", "z", "|x|\u00b2", "1"], ["-2X", "-2Y", "-2Z", "1", "|X|\u00b2"]
    row_of_s = {(i, k): ("a", "S") for k in range(bodies)}
    for x, y, columns, coloured in ((left[1], top[0], bodies, {(k, j): ("c", words) for k, words in enumerate(column)}),
                                    (left[0], top[1], bodies, {(i, k): ("a", words) for k, words in enumerate(row)}),
                                    (left[1], top[1], bodies, {(i, j): ("b", "r\u00b2")}),
                                    (left[1], top[2], bodies, {**row_of_s, (i, j): ("b", "S")}),
                                    (left[2], top[1], 4, {(k, 0): ("c", "m X") for k in range(bodies)}),
                                    (left[2], top[2], 4, {(i, 0): ("b", "sum")})):
        matrix(d, x, y, bodies, columns, wide, coloured)
    for k, words in enumerate(["m X", "m Y", "m Z", "m"]):
        d.text(left[2] + wide * (k + 0.5), top[1] - 7, words, "small middle")
    for x, y, words in ((left[0], top[1] - 7, "rows: bodies i"), (left[1], top[0] - 24, "columns: bodies j"),
                        (left[2], top[1] - 27, "weights of bodies j"), (left[2], top[2] + 117, "sums of bodies i")):
        d.text(x, y, words, "small")
    for x, y in ((left[0], top[1]), (left[1], top[2])):
        d.text(x - 14, y + 20 * i + 15, "i", "small middle")
    d.text(left[1] + wide * (j + 0.5), top[0] - 6, "j", "small middle")
    down, across = left[1] + wide * (j + 0.5), 20 * i + 10
    d.arrow(left[0] + wide * 5 + 5, top[1] + across, left[1] - 5, top[1] + across)
    d.arrow(down, top[0] + high + 5, down, top[1] - 5)
    d.arrow(down, top[1] + high + 5, down, top[2] - 5, "sb")
    d.arrow(left[1] + wide * bodies + 5, top[2] + across, left[2] - 5, top[2] + across)
    d.arrow(left[2] + wide / 2, top[1] + high + 5, left[2] + wide / 2, top[2] - 5)
    for x, y, texts in ((8, 60, ["product 1, on tensor cores:", "|x|\u00b2 + |X|\u00b2 - 2 x X = r\u00b2"]),
                        (8, top[2] + 57, ["in between, each element alone:", "S = 1 / \u221a(r\u00b2 + \u03b5\u00b2)\u00b3"]),
                        (450, 60, ["product 2, on tensor cores:", "S times m X, m Y, m Z, m"])):
        for k, words in enumerate(texts):
            d.text(x, y + 20 * k, words, "small")
    return d
