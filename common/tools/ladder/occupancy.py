"""Prints the registers and shared memory that each step's force kernel needs, and how many of its blocks and warps
fit on a multiprocessor.

For this GPU the numbers come from the driver. For other GPUs they follow from NVIDIA's allocation rules and from the
registers that the compiler uses there. Writes build/gpu/occupancy/occupancy.json.
"""

import collections
import concurrent.futures
import os
import re
import subprocess
import tempfile
from pathlib import Path

from common.base.command_line import BadInput, CommandFailed, shown_path
from common.tools import packages, progress
from common.tools.build import add_preset, built, kernel_steps, preset_of, programs_of
from common.tools.ladder import record, sass
from common.tools.ladder.ladder import ROWS
from common.tools.ladder.table import row_name
from common.tools.programs import Runs, flags, merged, write_json

FORCES = re.compile(r"forcesKernel|fusedWalkKernel")
HOST_BETWEEN = "06_tree_walk"  # 07_tuned walks by the same kernel, and needs no host
ENTRY = re.compile(r"Compiling entry function '(\w+)' for 'sm_(\d+)'")
USED = re.compile(r"Used (\d+) registers")
TABLE = "{:<42}{:>10}{:>9}{:>8}{:>8}{:>8}"
# The rules of allocation. Their source: cuda_occupancy.h of the CUDA toolkit 13.0 and the table of technical specifications in
# NVIDIA's CUDA programming guide. A test compares with that header if a toolkit is installed.
WARP = 32
REGISTERS = 65536        # of a multiprocessor, on all of these
PARTITIONS = 4           # of a multiprocessor, each with a scheduler and a quarter of the registers
REGISTER_UNIT = 256      # in which a warp gets them
# Limits of one multiprocessor. Bytes of shared memory: all, the unit of allocation, and what the system keeps in each block.
Limits = collections.namedtuple("Limits", "warps blocks shared shared_unit reserved")
LIMITS = {
    "7.5": Limits(32, 16, 64 << 10, 256, 0),
    "8.0": Limits(64, 32, 164 << 10, 128, 1024),
    "8.6": Limits(48, 16, 100 << 10, 128, 1024),
    "8.9": Limits(48, 24, 100 << 10, 128, 1024),
    "9.0": Limits(64, 32, 228 << 10, 128, 1024),
    "10.0": Limits(64, 32, 228 << 10, 128, 1024),
    "12.0": Limits(48, 24, 100 << 10, 128, 1024),
}


def rounded_up(value, unit):
    return -(-value // unit) * unit


def blocks(capability, registers, shared, threads):
    """Blocks at once on a multiprocessor; registers of a thread, bytes of shared memory of a block."""
    limits = LIMITS[capability]
    warps = -(-threads // WARP)
    of_warp = rounded_up(registers * WARP, REGISTER_UNIT)
    if of_warp * rounded_up(warps, PARTITIONS) > REGISTERS:
        return 0
    by_registers = PARTITIONS * (REGISTERS // PARTITIONS // of_warp) // warps
    of_block = rounded_up(shared + limits.reserved, limits.shared_unit)
    by_shared = limits.shared // of_block if of_block else limits.blocks
    return min(limits.blocks, limits.warps // warps, by_registers, by_shared)


def warps(capability, registers, shared, threads):
    return blocks(capability, registers, shared, threads) * -(-threads // WARP)


def add_arguments(parser):
    add_preset(parser, ["gpu"], "always gpu: the CPU executor has no registers")
    parser.add_argument("--bodies", metavar="N", default="262144", help="number of bodies (default: 262144)")
    parser.add_argument("--record", action="store_true", help="keep the result in docs/results/")


def registers_in(said):
    """{(symbol, compute capability): registers} of what ptxas says with -v."""
    found, entry = {}, None
    for line in said.splitlines():
        if begin := ENTRY.search(line):
            entry = begin[1], f"{int(begin[2]) // 10}.{int(begin[2]) % 10}"
        elif entry and (used := USED.search(line)):
            found[entry] = int(used[1])
    return found


def compiled(build, program, capability):
    """The same of a program's forces, compiled for that capability."""
    with tempfile.TemporaryDirectory() as folder:
        words = sass.cubin_command(build, program, str(Path(folder) / "forces.cubin"))
        words = [f"-arch=sm_{capability.replace('.', '')}" if word.startswith("-arch=") else word for word in words]
        ran = subprocess.run([*words, "-Xptxas=-v"], cwd=build, capture_output=True, text=True)
    if ran.returncode != 0:
        raise CommandFailed(f"{program.name} for {capability}: {ran.stderr.strip().splitlines()[-1]}")
    return registers_in(ran.stdout + ran.stderr)


def capabilities():
    """Those of the rules for which this nvcc compiles."""
    codes = subprocess.run([packages.find_cuda_tool("nvcc"), "--list-gpu-code"], capture_output=True, text=True).stdout
    return [name for name in LIMITS if f"sm_{name.replace('.', '')}" in codes.split()]


def registers_of(build, programs):
    """registers_in() of all programs for all capabilities, compiled side by side."""
    found = {}
    with progress.shown(compiling="the forces for other GPUs"), concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(compiled, build, program, capability) for program in programs for capability in capabilities()]
        for job in jobs:
            found.update(job.result())
    return found


def add_capabilities(run, registers, own):
    """Puts the force kernel's blocks and warps on every GPU into its run, and whether rule and driver agree on this one."""
    kernel = run["kernel"] = next(kernel for kernel in run["kernels"] if FORCES.match(kernel["name"]))
    shared = kernel["static_shared_bytes"] + kernel["dynamic_shared_bytes"]
    threads = kernel["block"][0] * kernel["block"][1] * kernel["block"][2]
    run["capabilities"] = {}
    for capability in LIMITS:
        if count := registers.get((kernel["symbol"], capability)):
            run["capabilities"][capability] = {
                "registers": count, "warps": warps(capability, count, shared, threads),
                "blocks": blocks(capability, count, shared, threads)}
    if own in LIMITS:
        run["rule_agrees"] = kernel["blocks_per_multiprocessor"] == blocks(own, kernel["registers"], shared, threads)


def run(options):
    if preset_of(options) != "gpu":
        raise BadInput("needs a GPU: the CPU executor has no registers")
    names = [(step, name) for step in kernel_steps() if step != HOST_BETWEEN for name in programs_of(step)]
    build = built("gpu", *(name for _, name in names))
    runs = Runs()
    for step, name in names:
        for given in ROWS.get(f"{step}/{name}", [{}]):
            words = flags(bodies=options.bodies, steps=0, repeats=1, **given)
            runs.add(build / step / name, [*words, "--no-check", "--occupancy"]).require_document(even_if_failed=False)
    document = merged(runs.documents)
    registers = registers_of(build, [build / step / name for step, name in names])
    print(TABLE.format("step", "registers", "shared", "blocks", "warps", "by rule"))
    for each in document["runs"]:
        add_capabilities(each, registers, document["device"]["compute_capability"])
        kernel = each["kernel"]
        print(TABLE.format(row_name(each), kernel["registers"], kernel["static_shared_bytes"] + kernel["dynamic_shared_bytes"],
                           kernel["blocks_per_multiprocessor"], kernel["warps_per_multiprocessor"],
                           {True: "yes", False: "NO", None: "-"}[each.get("rule_agrees")]))
    file = build / "occupancy" / "occupancy.json"
    write_json(file, document)
    print(f"Written: {shown_path(file)}")
    if options.record:
        print(f"Recorded: {shown_path(record.keep([file], document['device']))}")
