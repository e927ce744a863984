"""Diagrams of the machine and of a launch: multiprocessors and warps, two memories, thread numbers, waiting and banks."""

from drawing import Drawing


def machine():
    """A GPU, one of its multiprocessors, and one warp there, with the numbers of an H200."""
    d = Drawing(640, 366, "A GPU has 132 multiprocessors, each with 4 schedulers; a warp has 32 lanes and one instruction")
    d.text(97, 26, "a GPU (H200)", "middle")
    d.grid(20, 40, 11, 12, 14)
    d.box(160, 110, 14, 14, "c")
    d.text(97, 230, "132 multiprocessors", "small middle")
    d.line(175, 110, 230, 40, "thin")
    d.line(175, 124, 230, 244, "thin")
    d.text(425, 26, "a multiprocessor: up to 64 warps", "middle")
    d.box(230, 40, 390, 204, "sc")
    for k, issuing in enumerate([3, 9, 6, 14]):
        y = 52 + 28 * k
        d.text(242, y + 14, f"scheduler {k}", "small")
        d.grid(342, y, 16, 1, 16)
        d.box(342 + 16 * issuing, y, 16, 16, "b")
    for x, kind, words in ((242, "b", "issues in this cycle"), (430, "none", "waits")):
        d.box(x, 168, 12, 12, kind)
        d.text(x + 18, 179, words, "small")
    d.box(242, 196, 306, 34, "a")
    d.text(395, 218, "shared memory: up to 228 KiB", "small middle")
    d.path([(566, 153), (566, 250), (32, 276)], "thin")
    d.path([(582, 153), (582, 250), (608, 276)], "thin")
    d.box(32, 276, 576, 26, "b")
    d.text(320, 294, "one instruction", "middle")
    d.grid(32, 320, 32, 1, 18)
    for lane in range(32):
        d.arrow(41 + 18 * lane, 303, 41 + 18 * lane, 318)
    d.text(32, 357, "lane 0", "small")
    d.text(320, 357, "a warp: 32 lanes, a thread each", "small middle")
    d.text(562, 357, "lane 31", "small")
    return d


def memories():
    """Two memories: what is copied from one to the other, and what a kernel cannot do."""
    d = Drawing(640, 282, "Host and device have a memory each; cudaMemcpy copies between them; a kernel cannot read the host's")
    for left, name, unit, kind, arrows, said, words, cells in ((12, "host", "CPU: the program", "c", 60, 98, 32, 112),
                                                               (392, "device", "GPU: the kernel", "a", 160, 52, 134, 22)):
        d.text(left + 118, 24, name, "middle")
        d.box(left, 34, 236, 236)
        d.box(left + 28, 48, 180, 40, kind)
        d.text(left + 118, 73, unit, "middle")
        d.arrow(left + arrows, 148, left + arrows, 90)
        d.arrow(left + arrows + 18, 90, left + arrows + 18, 148)
        d.text(left + said, 126, "reads, writes", "small")
        d.box(left + 12, 150, 212, 108, "line")
        d.text(left + 118, 171, f"{name} memory", "middle")
        for row in range(2):
            d.text(left + words, 201 + 38 * row, ["positions", "result"][row], "small")
            d.grid(left + cells, 187 + 38 * row, 6, 1, 17, lambda column, y: "ba"[row])
    d.text(320, 262, "bus", "small middle")
    for y in (177, 247):
        d.line(249, y, 391, y, "thin")
    d.text(320, 191, "cudaMemcpy", "small middle")
    d.arrow(228, 197, 411, 197, "sb")
    d.text(320, 228, "cudaMemcpy", "small middle")
    d.arrow(411, 234, 228, 234, "sa")
    for row, words in enumerate(["a kernel", "cannot follow", "a host pointer"]):
        d.text(320, 46 + 19 * row, words, "small middle")
    d.path([(418, 80), (238, 148)], "line", stroke_dasharray="4 3", marker_end="url(#arrow)")
    for rise in (-9, 9):
        d.line(319, 114 - rise, 337, 114 + rise, "sb")
    return d


def launch():
    """Three blocks of four threads for ten bodies."""
    side, block, bodies, gap = 38, 4, 10, 14
    d = Drawing(640, 280, "Three blocks of four threads number ten bodies; the last two threads have no body")
    d.text(374, 24, "kernel<<<3, 4>>>(...): 3 blocks, blockDim.x = 4", "middle")
    for y, words in ((61, "blockIdx.x"), (101, "threadIdx.x"), (137, "i"), (189, "N = 10 bodies")):
        d.text(12, y, words, "small")
    for i in range(12):
        x = 134 + side * i + gap * (i // block)
        kind = "a" if i < bodies else "none"
        if i % block == 0:
            d.box(x, 44, side * block, 24, "c")
            d.text(x + side * block / 2, 61, str(i // block), "small middle")
        d.box(x, 78, side, 34, kind)
        d.text(x + side / 2, 100, str(i % block), "small middle")
        d.text(x + side / 2, 137, str(i), "middle" if i < bodies else "middle faint")
        if i < bodies:
            d.arrow(x + side / 2, 145, x + side / 2, 166)
            d.box(x, 168, side, 32, "b")
            d.text(x + side / 2, 189, str(i), "small middle")
    for row, words in enumerate(["no body:", "the if", "skips them"]):
        d.text(586, 162 + 19 * row, words, "small middle faint")
    d.text(300, 238, "i = blockIdx.x * blockDim.x + threadIdx.x", "middle")
    d.text(300, 264, "thread 1 of block 2: i = 2 * 4 + 1 = 9", "small middle")
    return d


def waiting():
    """A scheduler against time, with one warp and with six."""
    slot, slots, wait, x0 = 17, 30, 6, 96
    d = Drawing(640, 316, "With one warp a scheduler is mostly idle; with six it always has one to issue for")

    def timeline(y, warps):
        for warp in range(warps):
            d.text(12, y + 13 + 20 * warp, f"warp {warp}", "small")
            d.line(x0, y + 8 + 20 * warp, x0 + slot * slots, y + 8 + 20 * warp, "line", stroke_dasharray="2 3")
            for k in range(warp, slots, wait):
                d.box(x0 + slot * k, y + 20 * warp, slot, 16, "a")
        below = y + 20 * warps + 4
        d.text(12, below + 14, "scheduler", "small")
        d.grid(x0, below, slots, 1, slot, lambda k, row: "b" if k % wait < warps else "none",
               lambda k, row: k % wait if k % wait < warps else "")

    d.text(x0, 22, "one warp: the scheduler is idle most of the time")
    timeline(34, 1)
    d.text(x0, 112, "six warps: while five wait, one issues")
    timeline(124, 6)
    d.line(100, 301, 130, 301, "line", stroke_dasharray="2 3")
    d.text(138, 306, "waits", "small")
    for x, kind, words in ((12, "a", "issues"), (280, "b", "busy, for warp 0 to 5"), (472, "none", "idle")):
        d.box(x, 295, 12, 12, kind)
        d.text(x + 18, 306, words, "small")
    d.text(556, 306, "time", "small")
    d.arrow(598, 301, 628, 301)
    return d


def iterations():
    """Four sources against time: four iterations of one chain, and one iteration of four chains."""
    d = Drawing(640, 306, "With one source per iteration a warp waits four times; with four sources it waits once, because chains overlap")
    links = ((0, "load", "b"), (54, "sqrt", "a"), (104, "sum", "c"))  # a chain of 140 units of time
    x0, long = 20, 140

    def chain(x, y):
        d.line(x, y + 9, x + long - 4, y + 9, "line", stroke_dasharray="2 3")
        for after, words, kind in links:
            d.box(x + after, y, 34, 18, kind)
            d.text(x + after + 17, y + 13, words, "small middle")

    def jump(x, y, height):
        d.line(x, y - 6, x, y + height, "sb", stroke_width=3)

    d.text(x0, 22, "U = 1: four iterations, and each waits")
    for k in range(4):
        chain(x0 + 148 * k, 40)
        jump(x0 + 148 * k + 141, 40, 24)
        d.text(x0 + 148 * k + 70, 82, f"wait {k + 1}", "small middle")
    d.text(x0, 122, "U = 4: one iteration, and the chains overlap")
    for k in range(4):
        chain(x0 + 38 * k, 138 + 26 * k)
    jump(x0 + 38 * 3 + 141, 138, 102)
    d.text(x0 + 38 * 3 + 152, 196, "the next four sources start here", "small")
    d.text(x0 + 128, 262, "wait 1", "small middle")
    d.line(x0, 291, x0 + 28, 291, "line", stroke_dasharray="2 3")
    d.text(x0 + 36, 296, "waits for the result before", "small")
    d.line(250, 283, 250, 299, "sb", stroke_width=3)
    d.text(260, 296, "jump to the next iteration", "small")
    d.text(556, 296, "time", "small")
    d.arrow(598, 291, 628, 291)
    return d


def banks():
    """Four patterns of lanes that read banks of shared memory, and how many passes each takes."""
    side = 26
    d = Drawing(640, 354, "Lanes that read different banks, or one word, need one pass; each further word of a bank needs one more")
    patterns = [("neighbouring words: 1 pass", range(8), range(8)),
                ("broadcast of one word: 1 pass", range(8), [2] * 8),
                ("stride 2: 2 passes", [0, 1, 2, 3, 16, 17, 18, 19], [0, 2, 4, 6, 32, 34, 36, 38]),
                ("stride 32: 32 passes", range(8), range(0, 256, 32))]
    for panel, (title, lanes, words) in enumerate(patterns):
        x0, y = 76 + 320 * (panel % 2), 24 + 162 * (panel // 2)
        read = [sorted({word for word in words if word % 32 == bank}) for bank in range(8)]
        d.text(x0 + 4 * side, y, title, "middle")
        for below, label in ((30, "lanes"), (96, "banks"), (122, "words")):
            d.text(x0 - 56, y + below, label, "small")
        d.grid(x0, y + 12, 8, 1, side, lambda lane, row: "a", lambda lane, row: lanes[lane])
        d.grid(x0, y + 78, 8, 1, side, lambda bank, row: ["none", "c", "b"][min(len(read[bank]), 2)], lambda bank, row: bank)
        for lane, word in enumerate(words):
            kind = "line" if word == read[word % 32][0] else "sb"
            d.arrow(x0 + side * (lane + 0.5), y + 39, x0 + side * (word % 32 + 0.5), y + 77, kind)
        for bank in range(8):
            if len(read[bank]) > 2:
                d.text(x0, y + 122, ", ".join(map(str, read[bank][:5])) + ", ...", "small")
            else:
                d.text(x0 + side * (bank + 0.5), y + 122, ", ".join(map(str, read[bank])), "small middle")
    d.text(320, 344, "8 of 32 lanes and banks shown; orange: not in the first pass", "small middle faint")
    return d
