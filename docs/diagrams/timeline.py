"""Timelines of times that the programs recorded, drawn to scale."""

from common.tools.docs.results import Results
from drawing import Drawing


def bars(d, y, parts, ms_of_width, left=90, width=520):
    """Parts (words, ms, kind), one after the other; words that do not fit are left out."""
    x = left
    for words, ms, kind in parts:
        wide = width * ms / ms_of_width
        d.box(x, y, wide, 24, kind)
        d.text(x + wide / 2, y + 16, words if wide > 7 * len(words) else "", "small middle")
        x += wide


def axis(d, y, ms, left=90, width=520):
    d.line(left, y, left + width, y, "thin")
    for k in range(5):
        d.line(left + width * k / 4, y - 3, left + width * k / 4, y + 3, "thin")
        d.text(left + width * k / 4, y + 17, f"{ms * k / 4:.3g} ms", "small middle")


def steps_06_and_07():
    """One evaluation of each, at one scale, and the second once more at its own."""
    d = Drawing(640, 236, "One evaluation of steps 06 and 07: in step 06 the GPU waits for the host")
    runs = {run["step"]: run for run in Results().document("ladder")["runs"] if run["bodies"] == 262144}
    host, device = (runs[step]["parts_ms"] for step in ("06_tree_walk", "07_tuned"))
    whole, part = sum(host.values()), sum(device.values())
    built = host["build"] + host["upload"]
    for row, (name, parts) in enumerate([("06: host", [("build", host["build"], "a"), ("", host["upload"], "b")]),
                                         ("06: GPU", [("", built, "none"), ("", host["fused_walk"], "c")]),
                                         ("07: GPU", [("", part, "c")])]):
        d.text(10, 24 + 36 * row, name)
        bars(d, 8 + 36 * row, parts, whole)
    axis(d, 120, whole)
    d.text(10, 178, "07 again")
    bars(d, 162, [(name, ms, kind) for (name, ms), kind in zip(device.items(), "abdabdc")], part)
    axis(d, 200, part)
    return d


def ring_of_two():
    """One rank's turns and its message, for two numbers of bodies, each at its own scale."""
    d = Drawing(640, 232, "A ring of two GPUs: two turns of forces, and the message that travels during the first of them")
    runs = [run for run in Results().document("ranks")["runs"]
            if run["parameters"].get("exchange") == "ring" and "rank_1_compute" in run["parts_ms"] and run["bodies"] in (16384, 65536)]
    for panel, run in enumerate(runs):
        ms, y = run["parts_ms"], 24 + 112 * panel
        whole = ms["rank_0_compute"] + ms["rank_0_waiting"]
        d.text(10, y - 8, f"N = {run['bodies']:,}")
        d.text(10, y + 16, "link")
        bars(d, y, [("message", ms["rank_0_communication"], "b")], whole)
        d.text(10, y + 46, "forces")
        half = ms["rank_0_compute"] / 2
        bars(d, y + 30, [("turn 0", half, "c"), ("turn 1", half, "c"), ("host", ms["rank_0_waiting"], "none")], whole)
        axis(d, y + 64, whole)
    return d
