"""Prints which resource limits the innermost loop of each step (issue slots, FP32 lanes or reciprocal square roots), for
each GPU architecture. The numbers come from the machine code.

It examines the kernels that docs/results.md lists with instruction counts. This needs nvcc and cuobjdump, but no GPU.
The command writes build/gpu-all/limits.json.
"""

import re

from common.base.command_line import BadInput, CommandFailed, shown_path
from common.base.whole_file import write_whole
from common.tools import packages, ranks
from common.tools.build import build_targets, configured, kernel_steps, precisions_of, programs_of, step_names
from common.tools.docs.docs import commit
from common.tools.ladder import pages, publish, sass, store
from common.tools.ladder.instructions import CLASSES, analysis, lanes_of
from common.tools.ladder.recorded import FLOP, Recorded
from common.tools.ladder.table import limit_table
from common.tools.programs import write_json

PRESET = "gpu-all"


def limits(counts, architecture):
    """Returns the loop's counts, and what needs the most cycles of a multiprocessor."""
    found = analysis(counts, lanes_of(architecture))
    each = found["per_interaction"]
    needed = {"issue slots": sum(each[name] for name in CLASSES),
              "FP32 lanes": sum(each[name] for name in ("FADD", "FMUL", "FFMA")), "MUFU": each["MUFU"]}
    # Operations of a multiprocessor per cycle, from the CUDA C++ Programming Guide.
    throughput = {"issue slots": 32 * (2 if architecture == 60 else 4), "FP32 lanes": lanes_of(architecture),
                  "MUFU": 32 if architecture == 61 else 16}
    cycles = {name: needed[name] / rate for name, rate in throughput.items()}
    limit = max(cycles, key=cycles.get)
    return {"architecture": architecture, "loop": found["loop"], "per_interaction": each,
            "issue_slots": found["issue_slots"], "cycles": cycles, "limit": limit,
            "interactions_per_cycle": 1 / cycles[limit], "gflops_per_ghz": FLOP / cycles[limit]}


def recorded_kernels(words):
    """Returns (run, name of its kernel) of the requested steps, or of all."""
    counts = [document["runs"][0] for document in Recorded(store.shown_folder()).counts]
    for word in words:
        if not any(word in (run["step"], run["step"][:2]) for run in counts):
            known = ", ".join(sorted({r["step"] for r in counts}))
            raise BadInput(f"no counts are recorded for a step '{word}'; there are {known}")
    return [(run, run["instructions"]["kernel"]) for run in counts
            if not words or run["step"] in words or run["step"][:2] in words]


def numbers(name):
    """Returns the numbers of forcesKernel's template. The types and namespaces in its name may have changed since the record."""
    return re.findall(r"12forcesKernel(?:I((?:L[bi]\d+E)+))?", name)


def counted(run, name, kernels):
    """Returns the record of a step: its loop on each architecture that its object contains."""
    found = sorted((kernel for kernel in kernels if numbers(kernel.name) == numbers(name)), key=lambda kernel: kernel.architecture or 0)
    if not found:
        raise sass.SassError(f"{run['step']}: its machine code has no {name}; are the recorded counts from another version?")
    return {"step": run["step"], "parameters": run["parameters"], "kernel": name,
            "architectures": [limits(kernel.force_loop(), kernel.architecture) for kernel in found]}


def release_programs(build):
    """Returns all steps' programs, in both precisions, without those of several ranks if there is no MPI."""
    steps = step_names() if ranks.mpirun(build) else kernel_steps()
    return [f"{program}{precision}" for step in steps for program in programs_of(step) for precision in precisions_of(step)]


def add_arguments(parser):
    parser.add_argument("steps", metavar="NN", nargs="*", help="the steps, for example 03, 03_unrolled or 04_tuned "
                        "(default: all with recorded counts)")
    parser.add_argument("--record", action="store_true", help="keep the table in docs/results/ and docs/results.md, and list "
                        "the architectures for which each program contains machine code")


def run(options):
    kernels = recorded_kernels(options.steps)
    if options.record and options.steps:
        raise BadInput("--record keeps all steps together: leave out the steps")
    nvcc, cuobjdump = map(packages.find_cuda_tool, ("nvcc", "cuobjdump"))
    if not (nvcc and cuobjdump):
        raise BadInput("needs nvcc and cuobjdump, which come with the CUDA toolkit")
    build = configured(PRESET)
    programs = sorted({run["step"] for run, _ in kernels})
    build_targets(build, [f"{program}_forces" for program in programs])
    steps = {program: step for step in kernel_steps() for program in programs_of(step)}
    listings = {}
    for program in programs:  # the object file of its forces has the kernels for all architectures
        objects = build / steps[program] / "CMakeFiles" / f"{program}_forces.dir"
        listings[program] = sass.parse(sass.output(
            [cuobjdump, "-sass", objects / ("tuned.cu.o" if program.endswith("_tuned") else "forces.cu.o")]))
    version = re.search(r"release ([\d.]+)", sass.output([nvcc, "--version"]))
    document = {"suite": {"commit": commit(), "preset": PRESET}, "cuda": version[1] if version else "unknown",
                "runs": [counted(run, name, listings[run["step"]]) for run, name in kernels]}
    print(limit_table(document))
    if options.record:
        programs = release_programs(build)
        build_targets(build, programs)
        listing = {program: sass.output([cuobjdump, "--list-elf", next(build.glob(f"[0-9][0-9]_*/{program}"))])
                   for program in programs}
        document["programs"] = {program: sorted(set(map(int, re.findall(r"\bsm_(\d+)", text))))
                                for program, text in listing.items()}
        needed = {each["architecture"] for each in document["runs"][0]["architectures"]}
        for program, found in document["programs"].items():
            if missing := needed - set(found):
                raise CommandFailed(f"{program} has no machine code for sm_{', sm_'.join(map(str, sorted(missing)))}")
    write_json(build / "limits.json", document)
    print(f"Written: {shown_path(build / 'limits.json')}")
    if options.record:
        write_whole(pages.LIMITS, (build / "limits.json").read_bytes())
        log = "".join(f"$ cuobjdump --list-elf {program}\n{text}" for program, text in listing.items())
        write_whole(pages.LIMITS.with_suffix(".txt"), log.encode())
        print(f"Recorded: {', '.join(map(shown_path, [pages.LIMITS, *publish.write(store.shown_folder())]))}")
