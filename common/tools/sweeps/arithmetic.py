"""Results of the sweeps issue, roofline, fp64 and mixed, from programs' reports, machine code and the profile's counters."""

import json
import re

from common.base.command_line import ROOT, BadInput
from common.tools.build import step_named
from common.tools.ladder import sass, store
from common.tools.ladder.table import row_name
from common.tools.programs import Runs, flags

# A model of the register file, for how often a scheduler can issue an instruction of a loop. Registers are in two banks, by the
# last bit of their numbers. A bank gives one register, of all 32 lanes, per cycle. An instruction has two cycles to read its
# operands. If there is not enough room, it delays all later ones. A register that the compiler keeps from the previous
# instruction (.reuse, with the operand in the same place) is not read again.
BANKS, CYCLES_TO_READ = 2, 2
ROUNDS = 4  # rounds of a loop, enough for its steady rate
REGISTER = re.compile(r"\bR(\d+)(\.64)?(\.reuse)?")
NO_RESULT = re.compile(r"(ST|RED|ATOM|BRA|BAR|[IFD]SETP)")  # their first register is not written
MIXED_BODIES = (16384, 262144)
FP64 = re.compile(r"D(ADD|MUL|FMA)\b")
ROOT64 = "MUFU.RSQ64H"  # the first guess; the rest of a root is multiplications
FORMULA = 12  # FP64 instructions of an interaction without its root: 3 differences, 3 squares, 3 products, 3 sums
DIRECT = ("01", "02", "03", "04")  # steps whose loop is that formula, once per root
ROOFLINE_BODIES = 262144
WAVEFRONT = 128  # bytes that shared memory can give per cycle; a wavefront takes a cycle, whatever it fetches


def operands(name, text):
    """Returns {place: (register, whether it is kept)} of what an instruction reads; two places if it reads a pair."""
    words = [word for word in text.split(",") if not re.match(r"\s*!?U?P\d|\s*!?U?PT", word)]
    places = {}
    for place, word in enumerate(words if NO_RESULT.match(name) else words[1:]):
        if name.startswith("FADD") and place == 1:
            place = 2  # the addend of a multiply-add
        for found in REGISTER.finditer(word):
            places[place] = (int(found[1]), bool(found[3]))
            if found[2]:
                places[place, "high"] = (int(found[1]) + 1, False)
    return places


def reads(instructions):
    """Returns how many registers of each bank each instruction reads, in the steady state of a loop."""
    kept, counted = {}, []
    for _ in range(2):  # the first round prepares the second
        counted = []
        for _, name, text in instructions:
            places = operands(name, text)
            fresh = {register for place, (register, _) in places.items() if kept.get(place) != register}
            kept = {place: register for place, (register, keep) in places.items() if keep}
            counted.append([sum(register % BANKS == bank for register in fresh) for bank in range(BANKS)])
    return counted


def issue_rate(instructions):
    """Returns the instructions per cycle that the register file allows one scheduler with enough warps."""
    busy, now = set(), 0
    loop = reads(instructions) * ROUNDS
    for counts in loop:
        while (taken := room(counts, busy, now)) is None:
            now += 1
        busy = {slot for slot in busy if slot[0] >= now} | taken
        now += 1
    return len(loop) / now


def room(counts, busy, now):
    """Returns the first free reads of each bank for an instruction that is issued now; None if there are too few."""
    taken = set()
    for bank, count in enumerate(counts):
        free = [(cycle, bank) for cycle in range(now, now + max(CYCLES_TO_READ, count)) if (cycle, bank) not in busy]
        if len(free) < count:
            return None
        taken.update(free[:count])
    return taken


def loop_of(kernels, run):
    """Returns the instructions of the loop of a run of 03_issue."""
    values = "".join(rf"L(NS\d*_\d+[A-Z][a-z]+E|i){value}E" for value in run["arguments"])
    (kernel,) = [each for each in kernels if re.search(rf"\d{run['kernel']}I{values}E", each.name)]
    return max(kernel.innermost(), key=len)


def issue(options):
    """Measures the share of its cycles in which a scheduler issues, for loops of few kinds of instructions and for step 03's
    with one change, and predicts it with the register model from their machine code.
    """
    program = options.build / "03_unrolled" / "03_issue"
    runs = Runs()
    document = runs.reported(program, flags(repeats=options.repeats))
    kernels = sass.kernels_of(program)
    for run in document["runs"]:
        loop = loop_of(kernels, run)
        run["loop"] = f"{run['kernel']}<{','.join(map(str, run['arguments']))}>"
        run["instructions"] = len(loop)
        run["issue_rate"] = len(loop) * run["iterations"] * run["warps_per_scheduler"] / run["cycles"]
        run["predicted_issue_rate"] = issue_rate(loop)
        runs.say(f"{run['what']:46}{run['arguments'][-1]:4}{run['instructions']:6}"
                 f"{run['predicted_issue_rate']:9.3f} predicted{run['issue_rate']:9.3f} measured")
    return document, runs


def roofline_row(run):
    """Returns a kernel's point: its rate, and executed FLOP per byte of each memory that it uses."""
    metrics = run["metrics"]
    # A multiply-add is two, an operation of the unit for roots one per lane.
    flop = metrics["fadd"] + metrics["fmul"] + 2 * metrics["ffma"] + 32 * metrics["xu_instructions"]
    traffic = {"shared": WAVEFRONT * metrics["shared_wavefronts"], "l2": metrics["l2_bytes"], "dram": metrics["dram_bytes"]}
    return {"step": row_name(run), "bodies": run["bodies"], "tflops": flop / run["ncu_ms"] * 1e-9,
            **{f"flop_per_byte_{memory}": flop / amount for memory, amount in traffic.items() if amount}}


def attainable(device, ceilings, point):
    """Returns TFLOP/s that the lowest of the roofs above a point allows, and the memory of that roof."""
    roofs = {memory: point[f"flop_per_byte_{memory}"] * gb_per_s * 1e-3 for memory, gb_per_s in ceilings.items()
             if f"flop_per_byte_{memory}" in point}
    roofs["FMA"] = device["fma_tflops"]
    lowest = min(roofs, key=roofs.get)
    return roofs[lowest], lowest


def profile_of(build, device):
    """Returns the runs of the last profile, this build's or the recorded one."""
    for folder in (build / "profile", ROOT / "docs" / "results" / store.slug(device["name"])):
        if (folder / "profile.json").exists():
            return json.loads((folder / "profile.json").read_text())["runs"]
    raise BadInput("roofline: there is no profile of this GPU; ./run profile makes it")


def roofline(options):
    """Returns each step's force kernel by its executed FLOP per byte of shared memory, L2 cache and device memory, from the
    profile's counters, under ceilings measured here.
    """
    runs = Runs()
    document = runs.reported(options.build / "common" / "ceilings", flags(repeats=options.repeats))
    device = document["device"]
    ceilings = {run["memory"]: run["gb_per_s"] for run in document["runs"]}
    points = [roofline_row(run) for run in profile_of(options.build, device) if run["bodies"] == ROOFLINE_BODIES]
    for point in points:
        point["attainable_tflops"], point["roof"] = attainable(device, ceilings, point)
        runs.say(f"{point['step']:42}{point['tflops']:8.2f} of {point['attainable_tflops']:.2f} TFLOP/s ({point['roof']})")
    document["table"] = points
    return document, runs


def root_instructions(kernels):
    """Returns FP64 instructions per root in the innermost loop with most roots; None if no loop has one."""
    loops = [[name for _, name, _ in loop] for kernel in kernels if "forcesKernel" in kernel.name for loop in kernel.innermost()]
    best = max(loops, key=lambda names: names.count(ROOT64), default=[])
    roots = best.count(ROOT64)
    return sum(bool(FP64.match(name)) for name in best) / roots - FORMULA if roots else None


def add_slowdowns(document, runs, options):
    """Returns the table of `fp64`: both times, and what a root costs in the steps whose loop shows it."""
    single = {(run["step"], run["bodies"]): run for run in document["runs"] if run["precision"] == "fp32"}
    document["table"] = []
    for run in document["runs"]:
        if run["precision"] != "fp64":
            continue
        run.pop("fma_share", None)  # the probe is FP32
        step = re.sub("_fp64$", "", run["step"])
        other = single[step, run["bodies"]]
        masses = {name: word for name, word in other["parameters"].items() if name == "equal_masses" and word}
        fp32_ms, fp64_ms = other["force_ms"]["median"], run["force_ms"]["median"]
        row = {"step": step, "bodies": run["bodies"], "fp32_ms": fp32_ms, "fp64_ms": fp64_ms, "parameters": masses,
               "slowdown": fp64_ms / fp32_ms, "fp32_error": other["error"]["median"], "fp64_error": run["error"]["median"]}
        if step.startswith(DIRECT) and sass.have_disassembler():
            if cost := root_instructions(sass.kernels_of(options.build / step_named(step[:2]) / run["step"])):
                row["root_instructions"] = cost
        document["table"].append(row)


def mixed(options):
    """Measures step 03 with positions and sums in several precisions; on the executor only errors, with fewer bodies."""
    runs = Runs()
    sizes = [options.bodies] if options.bodies else MIXED_BODIES if options.build.name == "gpu" else (2048,)
    for bodies in sizes:
        runs.reported(options.build / "03_unrolled" / "03_mixed",
                      flags(bodies=bodies, scene=options.scene, repeats=options.repeats))
    return {**runs.documents[0], "runs": [run for document in runs.documents for run in document["runs"]]}, runs
