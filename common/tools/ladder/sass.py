"""Machine code of a built step: kernels, their loops, and instructions by class."""

import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from common.base.command_line import BadInput
from common.tools import packages
from common.tools.ladder.table import INSTRUCTION_CLASSES

# Control operations, by the operation's name without modifiers.
CONTROL = re.compile(r"BRA|BRX|BRXU|JMP|JMX|CALL|RET|EXIT|BAR|BSSY|BSYNC|BREAK|WARPSYNC|YIELD|NOP|BPT|KILL")
# U...: the uniform data path, one operation per warp, issued from the same slots.
INTEGER = re.compile(r"U?(I|LEA|LOP|SHF|SHL|SHR|SEL|PRMT|POPC|FLO|BREV|BMSK|SGXT|VIMNMX|VIADD|MNMX|LEPC|PLOP)\w*")

INSTRUCTION = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:\{\s*)?(?:@!?U?P\w+\s+)?([A-Z][\w.]*)([^;]*);")
KERNEL = re.compile(r"^\s*Function : (\w+)\s*$")
ARCHITECTURE = re.compile(r"(?:code for |EF_CUDA_)(?:sm_|SM)(\d+)")
TARGET = re.compile(r"0x([0-9a-f]+)\W*$")
NO_DISASSEMBLER = "cuobjdump is not installed; it comes with the CUDA toolkit"


class SassError(BadInput):
    """Says why there is no count."""


@dataclass
class Kernel:
    """One function for one architecture."""

    name: str
    architecture: int | None
    instructions: list = field(default_factory=list)  # (address, name with modifiers, operands)

    def branches_back(self):
        """Yields (first, last) addresses of every loop."""
        for address, name, operands in self.instructions:
            target = TARGET.search(operands) if name.split(".")[0] == "BRA" else None
            # A jump to itself fills the end of a kernel.
            if target and int(target[1], 16) < address:
                yield int(target[1], 16), address

    def innermost(self):
        """Returns the instructions of every loop without inner loops."""
        loops = set(self.branches_back())
        return [[each for each in self.instructions if a[0] <= each[0] <= a[1]] for a in loops
                if not any(b != a and a[0] <= b[0] and b[1] <= a[1] for b in loops)]

    def force_loop(self):
        """Returns counts by class for the innermost loop with the most MUFU.RSQ, which is the unrolled one.

        If a loop passes sums on with SHFL, as in step 05, the other loops are for single tiles. If there are two such loops,
        this is the one with fewer products, which leaves equal masses out.
        """

        def preference(counts):
            roots = counts["MUFU.RSQ"]
            return (roots > 0 and counts["SHFL"] > 0, -counts["FMUL"] / roots if roots else -99, roots)

        best = max(map(counted, self.innermost()), key=preference, default=None)
        if not best or not best["MUFU.RSQ"]:
            raise SassError("no loop with MUFU.RSQ, FP32's reciprocal square root, in forcesKernel")
        return best


def counted(instructions):
    names = [name for _, name, _ in instructions]
    return Counter(map(class_of, names)) + Counter({"MUFU.RSQ": names.count("MUFU.RSQ")})


def class_of(name):
    operation = re.sub("32I$", "", name.split(".")[0])
    if operation in INSTRUCTION_CLASSES:
        return operation
    return "control" if CONTROL.fullmatch(operation) else "integer" if INTEGER.fullmatch(operation) else "other"


def parse(listing):
    """Returns the kernels of a listing by cuobjdump -sass."""
    kernels, architecture = [], None
    for line in listing.splitlines():
        if found := INSTRUCTION.match(line):
            if kernels:
                kernels[-1].instructions.append((int(found[1], 16), found[2], found[3].strip()))
        elif found := KERNEL.match(line):
            kernels.append(Kernel(found[1], architecture))
        elif found := ARCHITECTURE.search(line):
            architecture = int(found[1])
            # Is named before a function too; a trimmed listing may name it only in the function.
            if kernels and not kernels[-1].instructions:
                kernels[-1].architecture = architecture
    return kernels


def have_disassembler():
    return packages.find_cuda_tool("cuobjdump")


def output(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        why = (result.stderr.strip() or f"status {result.returncode}").splitlines()[0]
        raise SassError(f"{Path(command[0]).name} failed: {why}")
    return result.stdout


@lru_cache(maxsize=None)
def kernels_of(program):
    """Returns all kernels of a built program."""
    if not have_disassembler():
        raise SassError(NO_DISASSEMBLER)
    return parse(output([have_disassembler(), "-sass", program]))


def forces_kernel(kernels, values, architecture=None):
    """Returns forcesKernel<values...> of the highest architecture that the device runs.

    The values are those of the step's options. The template may have more parameters, which no option sets: whose sources,
    which map.
    """

    def runs(code):
        return None in (architecture, code) or code // 10 == architecture // 10 and code <= architecture

    arguments = "".join(f"L{'b' if isinstance(value, bool) else 'i'}{int(value)}E" for value in values)
    template = f"I{arguments}(?!Li)" if values else "(?!I)"
    mangled = re.compile(rf"_ZN5nbody(\d+[a-z]+\d*)*12forcesKernel{template}\w*")  # nbody::fp32::STEP
    found = [k for k in kernels if mangled.fullmatch(k.name) and runs(k.architecture)]
    if not found:
        shown = "<" + ", ".join(str(value) for value in values) + ">" if values else ""
        device = f" for sm_{architecture}" if architecture else ""
        raise SassError(f"the program holds no machine code of forcesKernel{shown}{device}")
    return max(found, key=lambda k: k.architecture or 0)
