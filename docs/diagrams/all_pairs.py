"""Diagrams of the chapter's method: what figures 31-2 and 31-3 of GPU Gems 3 show, and steps 01 and 04."""

from drawing import Drawing


def rows():
    """One thread, one row."""
    d = Drawing(560, 300, "A grid of N × N interactions; each thread works along one row")
    d.grid(130, 50, 8, 8, 26, lambda column, row: "a" if row == 2 else "none")
    for row in range(8):
        d.text(104, 68 + 26 * row, f"i = {row}", "small middle")
        d.arrow(345, 63 + 26 * row, 372, 63 + 26 * row, "sa" if row == 2 else "line")
    for column in range(8):
        d.text(143 + 26 * column, 42, str(column), "small middle")
    d.text(234, 22, "sources j, each read from global memory", "middle")
    d.text(380, 68 + 52, "thread 2 adds up its row", "")
    d.text(380, 68 + 70, "and writes a_2", "small faint")
    d.text(234, 284, "N rows, N threads, N² loads", "middle faint")
    return d


def tile():
    """Figure 31-2: a tile's order, and what goes in and out."""
    d = Drawing(620, 250, "A tile of p rows and p columns")
    d.text(120, 22, "in time", "middle")
    d.grid(50, 40, 5, 5, 28)
    for row in range(5):
        d.arrow(60, 54 + 28 * row, 184, 54 + 28 * row, "sa")
    d.text(30, 115, "threads", "small middle faint")
    d.text(120, 200, "rows side by side,", "small middle faint")
    d.text(120, 217, "each from left to right", "small middle faint")
    d.text(450, 22, "in and out", "middle")
    d.grid(390, 70, 5, 5, 24, lambda column, row: "a")
    for k in range(5):
        d.box(390 + 24 * k, 38, 24, 16, "b")
        d.arrow(402 + 24 * k, 55, 402 + 24 * k, 68)
        d.box(330, 70 + 24 * k, 40, 24, "c")
        d.arrow(371, 82 + 24 * k, 388, 82 + 24 * k)
        d.arrow(511, 82 + 24 * k, 532, 82 + 24 * k)
        d.box(534, 70 + 24 * k, 40, 24, "c")
    d.text(520, 50, "p sources", "small")
    d.text(350, 208, "p bodies", "small middle")
    d.text(554, 208, "p sums", "small middle")
    d.text(450, 232, "p² interactions from 2 p bodies", "small middle faint")
    return d


def block():
    """Figure 31-3: a block goes over its tiles; heavy lines are loads and barriers."""
    d = Drawing(640, 210, "A block of p threads works through N / p tiles, with a barrier at each edge")
    for k in range(4):
        d.grid(70 + 130 * k, 50, 4, 4, 30, lambda column, row: ["a", "none"][k % 2])
        d.line(64 + 130 * k, 44, 64 + 130 * k, 176, "sb", stroke_width=4)
        d.text(64 + 130 * k, 36, "load", "small middle")
        for row in range(4):
            d.arrow(76 + 130 * k, 65 + 30 * row, 182 + 130 * k, 65 + 30 * row, "sa")
    d.line(584, 44, 584, 176, "sb", stroke_width=4)
    d.text(30, 115, "p", "middle")
    d.text(324, 198, "time: N / p tiles, a barrier before and after each", "middle faint")
    return d


def segments():
    """Step 04: a row cut among lanes, and among blocks."""
    d = Drawing(640, 250, "The row of one body, cut into parts for lanes and into chunks for blocks")
    kinds = ["a", "b", "c", "none"]
    d.text(20, 30, "q = 4 lanes: every fourth source of a tile each")
    for t in range(3):
        d.grid(20 + 200 * t, 42, 12, 1, 15, lambda column, row: kinds[column % 4])
        d.text(110 + 200 * t, 74, f"tile {t}", "small middle faint")
    d.text(20, 96, "then two rounds of shuffles: distance 2, then 1", "small")
    for k in range(4):
        d.box(360 + 60 * k, 84, 26, 18, kinds[k])
    d.path([(367, 104), (367, 110), (487, 110), (487, 104)], "sa")
    d.path([(439, 104), (439, 117), (559, 117), (559, 104)], "sa")
    d.path([(403, 110), (403, 128), (523, 128), (523, 117)], "sb")
    d.text(20, 156, "3 blocks: a chunk of the sources each")
    for t in range(3):
        d.grid(20 + 200 * t, 168, 12, 1, 15, lambda column, row: kinds[t])
        d.text(110 + 200 * t, 200, f"block (x, {t})", "small middle faint")
        d.arrow(110 + 200 * t, 206, 310, 228)
    d.text(310, 244, "a_i, by atomicAdd", "small middle")
    return d


def shuffle():
    """Step 04: the sum of eight lanes, in three rounds. Each round halves the distance."""
    d = Drawing(640, 322, "Eight lanes add their values in three rounds of shuffles, with the distances 4, 2 and 1")
    values = [3, 1, 4, 1, 5, 9, 2, 6]
    d.text(12, 20, "lane", "small")
    for lane in range(8):
        d.text(116 + 68 * lane, 20, f"{lane} ({lane:03b})", "small middle")
    for turn, distance in enumerate((4, 2, 1, 0)):
        y = 30 + 78 * turn
        for lane in range(8):
            x = 116 + 68 * lane
            if distance:
                d.line(x, y + 30, x, y + 77, "thin")
                d.arrow(x, y + 30, 116 + 68 * (lane ^ distance), y + 76, "sa" if lane < lane ^ distance else "sb")
            d.box(x - 22, y, 44, 30, "a" if distance else "c")
            d.text(x, y + 20, str(values[lane]), "middle")
        if distance:
            d.text(12, y + 48, f"round {turn + 1}", "small")
            d.text(12, y + 66, f"distance {distance}", "small faint")
        values = [values[lane] + values[lane ^ distance] for lane in range(8)]
    return d
