"""Counts the instructions in the innermost loop of a step's force kernel, by kind of instruction.

The command reads the GPU's machine code with cuobjdump, which comes with the CUDA toolkit. It writes
build/gpu/instructions/instructions_NN.json.
"""

import re
import sys

from common.base.command_line import ROOT, BadInput, names_of, nearest
from common.base.whole_file import write_whole
from common.tools import packages
from common.tools.build import add_preset, built, kernel_steps, preset_of, programs_of
from common.tools.ladder import publish, sass, store
from common.tools.ladder.table import INSTRUCTION_CLASSES
from common.tools.programs import flags, now, run_program, write_json

# GPU Gems 3, section 31.4.1: instructions for 4 interactions on a GeForce 8800 GTX, whose rsqrt takes 4 cycles.
CHAPTER = {"interactions": 4, "instructions": 60, "floating_point": 56, "multiply_adds": 20, "rsqrt": 4, "cycles": 72}
# Parameters that a forcesKernel may have as a template, in its order. Words stand for true and false.
TEMPLATE = ["unroll", "bodies_per_thread", "equal_masses"]
WORDS = {"used": True, "ignored": False}
CLASSES = [*INSTRUCTION_CLASSES, "integer", "control", "other"]
# Options of a step's program that choose the kernel.
CHOICES = {"unroll": "sources per iteration of the loop", "bodies_per_thread": "bodies per thread",
           "equal_masses": "how the loop treats masses that are all equal. used: it leaves out the multiplication by the "
                           "mass; ignored: it multiplies by it"}


def lanes_of(compute_capability):
    """Returns the FP32 lanes of a multiprocessor; see common/measure/device.cpp."""
    return 64 if compute_capability // 10 == 7 or compute_capability in (60, 80) else 128


def analysis(counts, lanes):
    """Returns issue slots and cycles of one loop per interaction, which has a reciprocal square root or shares one."""
    # A loop that passes sums on with SHFL serves both bodies of a pair.
    interactions = counts["MUFU.RSQ"] * (2 if counts["SHFL"] else 1)
    total = sum(counts[name] for name in CLASSES)
    single = sum(counts[name] for name in ("FADD", "FMUL", "FFMA"))
    # A scheduler issues one instruction of a warp per cycle. With 16 lanes per scheduler (64 per multiprocessor), an FP32
    # instruction keeps them for two cycles. MUFU counts as one slot, although it may cost more: the best measured on an H200 is
    # about 87% of this ceiling.
    cycles = max(total, single * 128 // lanes)
    return {
        "loop": {"interactions": interactions, "instructions": total, **{name: counts[name] for name in CLASSES}},
        "per_interaction": {name: counts[name] / interactions for name in CLASSES},
        "issue_slots": total / interactions,
        "issue_cycles": cycles / interactions,
    }


def architecture_of(device):
    return int(device["compute_capability"].replace(".", ""))


def add_prediction(program, document):
    """Adds the ceiling of the program's kernel to its run's JSON, at the clock of the run's FMA probe."""
    device, run = document["device"], document["runs"][0]
    chosen = [run["parameters"][name] for name in TEMPLATE if name in run["parameters"]]
    values = [WORDS.get(value, value) for value in chosen]
    kernel = sass.forces_kernel(sass.kernels_of(program), values, architecture_of(device))
    found = analysis(kernel.force_loop(), lanes_of(architecture_of(device)))
    # 4 schedulers with 32 lanes per multiprocessor.
    rate = device["fma_clock_ghz"] * 1e9 * device["multiprocessors"] * 128 / found["issue_cycles"]
    run["issue_slots"] = found["issue_slots"]
    run["predicted_interactions_per_s"] = rate
    run["predicted_gflops"] = rate * run["flop_per_interaction"] * 1e-9
    run["predicted_share"] = run["gflops"] / run["predicted_gflops"]
    return kernel, found


def predict(program, document):
    """Does add_prediction() for the ladder. A run that cannot be predicted stays unchanged."""
    run = document["runs"][0]
    # Only programs with one kernel and one loop; step 09 has one for near bodies and one for far ones.
    counted = run["precision"] == "fp32" and "flop_per_interaction" in run and "products" not in run["parameters"]
    if document["device"]["kind"] == "gpu" and counted and sass.have_disassembler():
        try:
            add_prediction(program, document)
        except sass.SassError as error:
            print(f"{program.name}: not predicted: {error}", file=sys.stderr)


def add_arguments(parser):
    add_preset(parser, ["gpu"], "always gpu: the CPU executor has no GPU machine code")
    parser.add_argument("step", metavar="NN", help="the step, for example 03, 03_unrolled or 04_tuned")
    parser.add_argument("--record", action="store_true", help="keep the counts in docs/results/ and docs/results.md")
    parser.add_argument("--bodies", metavar="N", default="262144", help="number of bodies (default: 262144)")
    for name, words in CHOICES.items():
        parser.add_argument(f"--{name.replace('_', '-')}",
                            help=f"{words} (default: the step chooses; without a GPU you must give it)")


def step_named(word):
    """Returns the step and its program."""
    programs = {name: step for step in kernel_steps() for name in programs_of(step)}
    if re.sub("_fp64$", "", word) in programs.keys() - {word}:
        raise BadInput(f"{word}: only FP32 is counted; FP64 takes its square root in several instructions")
    for name, step in programs.items():
        if word == name or word in names_of(step):
            return step, name
    raise BadInput(f"no step '{word}'" + (nearest(word, programs) or f"; there are {', '.join(programs)}"))


def measured(program, options):
    """Returns the JSON of a run of the program, or None and the reason if no GPU can run it."""
    given = {name: getattr(options, name) for name in TEMPLATE}
    outcome = run_program(program, flags(bodies=options.bodies, steps=0, **given), keep_complaint=True)
    said = (outcome.complaint or f"status {outcome.status}").splitlines()[-1]
    if outcome.status == 2:
        raise BadInput(said)
    return (outcome.document, None) if outcome.document else (None, said)


def unmeasured(program, options, why):
    """Returns the counts if no GPU runs the program and the options name the kernel."""
    given = {name: value if value in WORDS else int(value) for name in TEMPLATE if (value := getattr(options, name)) is not None}
    kernels = sass.kernels_of(program)
    pairs = any(re.search("forcesKernelI.*Lb", kernel.name) for kernel in kernels)
    needed = ["bodies_per_thread", "equal_masses"] if pairs else ["unroll", "bodies_per_thread"]
    if any("forcesKernelILi" in kernel.name for kernel in kernels) and any(name not in given for name in needed):
        options_needed = " and ".join(f"--{name.replace('_', '-')}" for name in needed)
        raise BadInput(f"give {options_needed}: the program did not run to choose them ({why})")
    kernel = sass.forces_kernel(kernels, [WORDS.get(given[name], given[name]) for name in needed if name in given])
    found = analysis(kernel.force_loop(), lanes_of(kernel.architecture or 90))
    return {"runs": [{"step": program.name, "parameters": given, "issue_slots": found["issue_slots"]}]}, kernel, found


def table(found):
    """Returns rows of classes: per iteration of the loop, per interaction, for four interactions, and the chapter's for four.
    """
    loop, interactions = found["loop"], found["loop"]["interactions"]
    rows = [
        *((name, loop[name], None) for name in CLASSES),
        ("all instructions", loop["instructions"], CHAPTER["instructions"]),
        ("floating point", sum(loop[name] for name in ("FADD", "FMUL", "FFMA", "MUFU")), CHAPTER["floating_point"]),
        ("multiply-adds", loop["FFMA"], CHAPTER["multiply_adds"]),
        ("rsqrt", loop["MUFU"], CHAPTER["rsqrt"]),
        ("cycles at best", found["issue_cycles"] * interactions, CHAPTER["cycles"]),
    ]
    return "\n".join([f"{'':18}{'the loop':>10}{'an interaction':>16}{'four':>8}{'GPU Gems 3, four':>18}"] + [
        f"{name:18}{count:>10.0f}{count / interactions:>16.2f}{4 * count / interactions:>8.1f}{chapter or '-':>18}"
        for name, count, chapter in rows])


def report(document, why):
    """Returns the counts as text. `why`: the reason if nothing was measured"""
    run = document["runs"][0]
    found = run["instructions"]
    chosen = "".join(f", {name.replace('_', '-')} {value}" for name, value in run["parameters"].items())
    lines = [f"{run['step']}: forcesKernel for sm_{found['architecture']}{chosen}; {found['loop']['interactions']} "
             "interactions in an iteration of the innermost loop\n", table(found) + "\n",
             f"{'issue slots':18}{found['issue_slots']:.2f} per interaction"]
    if "predicted_gflops" in run:
        device = document["device"]
        lines += [f"{'ceiling':18}{run['predicted_interactions_per_s']:.3g} interactions/s, "
                  f"{run['predicted_gflops']:,.0f} GFLOP/s: {device['fma_clock_ghz']:.2f} GHz x "
                  f"{device['multiprocessors']} SMs x 128 / {found['issue_cycles']:.2f} cycles",
                  f"{'measured':18}{run['interactions_per_s']:.3g} interactions/s, {100 * run['predicted_share']:.1f}% of "
                  f"the ceiling, at {run['bodies']:,} bodies"]
    else:
        lines += [f"{'ceiling':18}{128 / found['issue_cycles']:.2f} interactions per cycle and SM; not measured: {why}"]
    return "\n".join(lines)


def run(options):
    step, name = step_named(options.step)
    if options.record:
        packages.use_python_with("matplotlib")  # for the ladder's chart, which shows executed operations
        store.prepare([name])
    if preset_of(options) != "gpu":
        raise BadInput("needs a GPU build, that is a GPU and nvcc, or --preset gpu")
    if not sass.have_disassembler():
        raise BadInput(sass.NO_DISASSEMBLER)
    build = built("gpu", name)
    program = build / step / name
    document, why = measured(program, options)
    if document:
        kernel, found = add_prediction(program, document)
    else:
        document, kernel, found = unmeasured(program, options, why)
    document["runs"][0]["instructions"] = {"kernel": kernel.name, "architecture": kernel.architecture, **found,
                                           "chapter": CHAPTER}
    document["date"] = now()
    text = report(document, why)
    print(text)
    general = "_general" if options.equal_masses == "ignored" else ""
    written = build / "instructions" / f"instructions_{name[:2] if name == step else name}{general}.json"
    write_json(written, document)
    log = written.with_suffix(".txt")
    write_whole(log, text + "\n")
    print(f"Written: {written.relative_to(ROOT)}")
    if options.record:
        if "predicted_gflops" not in document["runs"][0]:
            raise BadInput(f"--record: only what a GPU ran is recorded: {why}")
        publish.record([written, log])
