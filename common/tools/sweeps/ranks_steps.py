"""What whole steps of step 08's tree should take on several ranks, from forces recorded there and what a deal costs: a root
cube is held for HELD evaluations, and bodies are dealt out with each new one."""

import dataclasses

from common.tools.sweeps.ranks_model import HOST_US, KERNEL_US, Link
from common.tools.sweeps.ranks_points import TREE

HELD = 4  # as kHeld of 08_many_gpus/let/tree.cu
# By the executor with N = 131,072, from one deal to the next: two ranks' FLOP over one's with the same cubes.
MORE_WORK = 0.013
# By it too, of the bodies that a deal moves to another rank.
LEAVING, TRAVELLER = 0.5, 48  # bytes
# Assumed of an H200. Bytes that kernels move for a body: the move's three arrays read and two written; the deal's sort in
# eight passes, 200, keys, work and its sum, 70, packing and unpacking, gathered from anywhere, 250.
MOVE_BYTES, DEAL_BYTES, MEMORY_GB_PER_S = 80, 520, 3000
DEAL_KERNELS, DEAL_WAITS, DEAL_MESSAGES = 20, 10, 3


def deal_ms(own, link):
    """Of \\p own bodies of a rank."""
    return (1e-6 * own * (DEAL_BYTES / MEMORY_GB_PER_S + LEAVING * TRAVELLER / link.gb_per_s)
            + 1e-3 * (DEAL_KERNELS * KERNEL_US + DEAL_WAITS * HOST_US + DEAL_MESSAGES * link.latency_us))


def row(point, link):
    """\\p point: a recorded one of the tree: bodies, ranks, its forces without a deal, and one rank's step."""
    own = point["bodies"] / point["ranks"]
    deal = deal_ms(own, link)
    move = max(1e-3 * KERNEL_US, 1e-6 * own * MOVE_BYTES / MEMORY_GB_PER_S)
    step = point["force_ms"] * (1 + MORE_WORK) + move + deal / HELD
    return {"steps_of": TREE, "bodies": point["bodies"], "ranks": point["ranks"], "deal_ms": deal, "step_ms": step,
            "step_speedup": point["one_rank_step_ms"] / step}


def recorded(document):
    """What row() needs of the JSON of ./run sweep ranks."""
    points = [{"bodies": found["bodies"], "ranks": found["ranks"], "force_ms": found["force_ms"],
               "one_rank_step_ms": found["step_speedup"] * found["step_ms"]}
              for found in document.get("table", []) if (found["exchange"], found["scaling"]) == (TREE, "strong")]
    return {"link": document.get("link", dataclasses.asdict(Link(0, 1))), "points": points}


def rows(given):
    return [row(point, Link(**given["link"])) for point in given["points"]]
