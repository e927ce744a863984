"""The speed that the issue of a loop's instructions allows: the analysis of GPU Gems 3, section 31.4.1, of today's machine
code.
"""

import sys

from common.tools.ladder import sass
from common.tools.ladder.table import INSTRUCTION_CLASSES

# The parameters that a forcesKernel may be a template of, in its order. Words stand for true and false.
TEMPLATE = ["unroll", "bodies_per_thread", "equal_masses"]
WORDS = {"used": True, "ignored": False}
CLASSES = [*INSTRUCTION_CLASSES, "integer", "control", "other"]


def lanes_of(compute_capability):
    """FP32 lanes of a multiprocessor; as in common/measure/device.cpp."""
    return 64 if compute_capability // 10 == 7 or compute_capability in (60, 80) else 128


def analysis(counts, lanes):
    """Issue slots and cycles of one loop for an interaction, which has a reciprocal square root or shares one."""
    # A loop that passes sums on by SHFL serves both bodies of a pair.
    interactions = counts["MUFU.RSQ"] * (2 if counts["SHFL"] else 1)
    total = sum(counts[name] for name in CLASSES)
    single = sum(counts[name] for name in ("FADD", "FMUL", "FFMA"))
    # A scheduler issues one instruction of a warp per cycle; with 16 lanes to a scheduler (64 to a multiprocessor) an
    # FP32 instruction keeps them for two. MUFU counts as one slot, though it may cost more: the best measured on an
    # H200 is about 87% of this ceiling.
    cycles = max(total, single * 128 // lanes)
    return {
        "loop": {"interactions": interactions, "instructions": total, **{name: counts[name] for name in CLASSES}},
        "per_interaction": {name: counts[name] / interactions for name in CLASSES},
        "issue_slots": total / interactions,
        "issue_cycles": cycles / interactions,
    }


def architecture_of(device):
    return int(device["compute_capability"].replace(".", ""))


def add_prediction(build, program, document):
    """Puts the ceiling of the program's kernel into its run's JSON, at the clock of the run's FMA probe."""
    device, run = document["device"], document["runs"][0]
    chosen = [run["parameters"][name] for name in TEMPLATE if name in run["parameters"]]
    values = [WORDS.get(value, value) for value in chosen]
    kernel = sass.forces_kernel(sass.kernels_of(build, program), values, architecture_of(device))
    found = analysis(kernel.force_loop(), lanes_of(architecture_of(device)))
    # 4 schedulers of 32 lanes in a multiprocessor.
    rate = device["fma_clock_ghz"] * 1e9 * device["multiprocessors"] * 128 / found["issue_cycles"]
    run["issue_slots"] = found["issue_slots"]
    run["predicted_interactions_per_s"] = rate
    run["predicted_gflops"] = rate * run["flop_per_interaction"] * 1e-9
    run["predicted_share"] = run["gflops"] / run["predicted_gflops"]
    return kernel, found


def predict(build, program, document):
    """add_prediction() for the ladder; a run that cannot be predicted stays as it is."""
    run = document["runs"][0]
    counted = run["precision"] == "fp32" and "flop_per_interaction" in run  # one kernel and its loop
    if document["device"]["kind"] == "gpu" and counted and sass.have_disassembler():
        try:
            add_prediction(build, program, document)
        except sass.SassError as error:
            print(f"{program.name}: not predicted: {error}", file=sys.stderr)
