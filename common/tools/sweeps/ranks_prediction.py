"""Predicts step 08's speed-ups before they are measured, from one rank's recorded times and assumed links:
python3 common/tools tools.sweeps.ranks_prediction docs/results/h200/bodies.json --tree docs/results/h200/ranks.json

Writes ranks_prediction.json beside that file: two GPUs of a host, which `./run sweep ranks` then measures, and 8, 64 and
1,024 GPUs on paper.
"""

import dataclasses
import json
from pathlib import Path

from common.base.command_line import BadInput, shown_path
from common.tools.programs import write_json
from common.tools.sweeps.ranks_model import MODELS, Link, OneRank, row
from common.tools.sweeps.ranks_points import TREE, growth, strong, weak

# Whose kernels the rungs call on a rank.
STEPS = {"gather": "04_tuned", "ring": "04_tuned", "pairs": "05_triangular_map"}
NCCL = ("latency of a call with its first hop, and of a hop: the middle of what NCCL's own model has for its protocols LL and "
        "Simple (src/graph/tuning.cc of NCCL 2.2x, rings: 6.6 and 8.4 us for a call, {} us for a hop)")
KNOWN = ("Speed-ups of two H200 were known when the model was made: a recorded sweep of an earlier state of the program, and "
         "single runs of this one, in which ring hid its latency and tree's kernels and waits took what the model says; "
         "of gather and pairs nothing was changed since that sweep.")
ASSUMED = {
    "host": (Link(10, 370, 2), "GPUs of one host, 18 NVLinks each. " + NCCL.format("0.6 and 3.4") + "; bandwidth: 371 to 377 "
             "GB/s of nominal 450 each way, measured between two H100 (NVIDIA/nccl, issue 1264)"),
    "network": (Link(16, 50, 8), "A network port of 400 Gbit/s for each GPU, nominal. " + NCCL.format("2.7 and 14")),
}
ON_PAPER = ((8, "host"), (64, "network"), (1024, "network"))
PAPER_SIZES = (2**20, 2**22, 2**24)


def one_rank(document):
    """{step: {bodies: ms}} from the sweep `bodies`."""
    try:
        times = {step: {str(run["bodies"]): run["force_ms"]["median"] for run in document["runs"] if run["step"] == step}
                 for step in sorted(set(STEPS.values()))}
    except (KeyError, TypeError):
        times = {}
    if not all(times.values()) or not times:
        raise BadInput(f"it has no times of {' and '.join(sorted(set(STEPS.values())))}: not the JSON of a GPU's "
                       "./run sweep bodies")
    return times


def tree_alone(document):
    """{bodies: ms} from the sweep `ranks`."""
    try:
        times = {str(run["bodies"]): run["force_ms"]["median"] for run in document["runs"]
                 if run["parameters"]["exchange"] == TREE and run["facts"]["ranks"] == 1}
    except (KeyError, TypeError):
        times = {}
    if not times:
        raise BadInput("it has no times of tree on one rank: not the JSON of a GPU's ./run sweep ranks")
    return times


def rows(alone, points, ranks, link):
    return [{**row(exchange, bodies, ranks, alone[exchange], ASSUMED[link][0]), "link": link}
            for exchange, bodies in points]


def predictions(times):
    """From {step, or tree: {bodies: ms}}."""
    alone = {exchange: OneRank({int(bodies): ms for bodies, ms in times[STEPS.get(exchange, exchange)].items()},
                               growth(exchange)) for exchange in MODELS}
    next_points = [(exchange, bodies) for exchange in MODELS for bodies in (*strong(exchange), weak(exchange, 2))]
    on_paper = {link: [(exchange, bodies) for bodies in PAPER_SIZES for exchange in MODELS
                       if exchange != TREE or link == "host"]  # its model has no bytes
                for _, link in ON_PAPER}
    return {"measured_next": rows(alone, next_points, 2, "host"),
            "on_paper": [found for ranks, link in ON_PAPER for found in rows(alone, on_paper[link], ranks, link)]}


def prediction(document, source, tree, tree_source):
    times = {**one_rank(document), TREE: tree_alone(tree)}
    return {
        "suite": document["suite"], "device": document["device"],
        "inputs": {
            "one_rank": {"files": [source, tree_source], "steps": STEPS, "force_ms": times},
            "links": {name: {**dataclasses.asdict(link), "assumption": text} for name, (link, text) in ASSUMED.items()},
            "known_before": KNOWN,
        },
        **predictions(times),
    }


def add_arguments(parser):
    parser.add_argument("file", type=Path, help="the JSON of ./run sweep bodies on that GPU")
    parser.add_argument("--tree", type=Path, required=True, metavar="FILE",
                        help="the JSON of ./run sweep ranks there, for the times of tree on one rank")


def read(file):
    try:
        return json.loads(file.read_text())
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror}") from None
    except ValueError:
        raise BadInput(f"{file}: not JSON") from None


def run(options):
    found = prediction(read(options.file), shown_path(options.file), read(options.tree), shown_path(options.tree))
    for line in found["measured_next"] + found["on_paper"]:
        print(f"{line['exchange']:8}{line['bodies']:>12,}{line['ranks']:>7,} ranks {line['ms']:>10.4g} ms  x{line['speedup']:<8.4g}"
              f"waiting {line['lost_to_waiting']:.1%}, short kernels {line['lost_to_short_kernels']:.1%}")
    written = options.file.with_name("ranks_prediction.json")
    write_json(written, found)
    print(f"Written: {shown_path(written)}")
