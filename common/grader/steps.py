"""What the tools know of a step that is not in its sources: the file step.json in its folder."""

import dataclasses
import functools
import json

from common.base.command_line import ROOT


@dataclasses.dataclass(frozen=True)
class Step:
    """Facts about a step, with the values of most steps.

    block           threads per block in the grader's runs; None: the programs have no such option
    block_of        that of programs of the folder for which it differs, by their names
    smallest_block  that the programs take, for pictures of a few threads
    has_tree        it does not compute all pairs
    is_tiled        it reads each source once for many threads
    shares_sums     several threads share the sum of a body, so a kernel without this idea reads less
    bodies_held     bodies of a thread, the step's idea, in the run whose bytes read are counted; 1: the usual number
    least_slots     issue slots of an interaction that no kernel can do without, in FP32. With Newton's third law, a pair of two
                    interactions takes 3 FADD, 9 FFMA, 2 FMUL and 1 MUFU. With tensor cores it still needs its MUFU, which takes
                    as long as eight FFMA
    accuracy        see as_accurate() in checks.py. An error bound for all scenes would hide a lost moment, with which the error
                    is 3 times the solution's here. A large softening shows the terms that it adds to a quadrupole. A small
                    angle shows a wrong centre, because monopoles then have a small error too. If step 09 truncates a number,
                    or loses a part of it, its error is 10 times as large; without products it is half as large.
    profiled        the kernel whose accesses are compared with Nsight Compute's
    pictured        the kernel in pictures of likely mistakes, with the threads and bodies of a block, and the argument before the
                    softening
    """

    block: int | None = 256
    block_of: dict = dataclasses.field(default_factory=dict)
    smallest_block: int = 32
    has_tree: bool = False
    is_tiled: bool = False
    shares_sums: bool = False
    bodies_held: int = 1
    least_slots: float = 7.5
    accuracy: tuple = ()
    profiled: str = ""
    pictured: dict = dataclasses.field(default_factory=dict)


@functools.lru_cache(None)
def step_of(name):
    """Returns the folder of the step whose number the name of a program or a mutant begins with, or the name if there is none."""
    return next((path.parent.name for path in ROOT.glob(f"{name[:2]}_*/CMakeLists.txt")), name)


@functools.lru_cache(None)
def facts(step):
    """Returns the Step of a step's folder."""
    path = ROOT / step / "step.json"
    return Step(**json.loads(path.read_text())) if path.exists() else Step()


def with_fact(name):
    """Returns {step: value} of each step's folder that has a value other than the usual one."""
    usual = getattr(Step(), name)
    steps = sorted(path.parent.name for path in ROOT.glob("[0-9][0-9]_*/step.json"))
    return {step: value for step in steps if (value := getattr(facts(step), name)) != usual}
