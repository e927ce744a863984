"""A step's task in the format of GPU MODE's reference-kernels, which KernelBot runs: a folder with the inputs of the suite's
tests and their tolerance, and a kernel to start from. Its own eval.py and utils.py are taken from the folder above.
"""

import json
import re

from common.base.command_line import ROOT, BadInput
from common.grader.exercises.files import FORCES
from common.grader.speed import BODIES as MANY
from common.grader.tests import BODIES

TEMPLATES = ROOT / "common" / "grader" / "export" / "gpumode"
FILES = ("task.yml", "task.py", "reference.py", "scenes.py", "submission.py")
SCENES = ("cube", "plummer", "masses", "coincident", "point")
BENCHMARKS = (MANY // 16, MANY // 4, MANY)
# Beside the step's own headers those of common/ that are quoted too; suite.cuh has what the others are here.
QUOTED = ("cuda/real.hpp", "driver/compiled_pairs.hpp", "driver/compiled_values.hpp", "driver/defaults.hpp")
INCLUDE = re.compile(r'^#include "(.+)"\n', re.MULTILINE)


def name_of(task):
    """Of the folder, and of the leaderboard."""
    return f"nbody_{task.replace('.', '_')}"


def parent_of(step):
    """The step that this one is a child of; itself where there is none."""
    found = re.search(rf"add_step\({step} PARENT (\w+)", (ROOT / step / "CMakeLists.txt").read_text())
    return found[1] if found else step


def start(step, exercise):
    """(step whose files they are, forces.cu) to begin with: an exercise's starter; of a step its parent, right and slower."""
    if any("errorBound" in path.read_text() for path in (ROOT / step).glob("*.hpp")):
        raise BadInput(f"{step} approximates forces: GPU MODE's tasks have the tolerance of rounding alone")
    if exercise is None:
        step = parent_of(step)
        return step, (ROOT / step / FORCES).read_text()
    if exercise.main != FORCES or "Law" in exercise.fields or exercise.questions:
        raise BadInput(f"exercise {exercise.number} does not ask for forces.cu by Newton's law: GPU MODE has no such tasks")
    return exercise.fields.get("Parent", step), exercise.starter()[FORCES]


def quoted(step, name, seen):
    """A header's text with those that it includes, each once; nothing of one that suite.cuh stands for."""
    own = ROOT / step / name
    path = own if own.is_file() else ROOT / "common" / name
    if path in seen or (path != own and name not in QUOTED):
        return ""
    seen.add(path)
    text = path.read_text().replace("#pragma once\n", "")
    return INCLUDE.sub(lambda found: quoted(step, found[1], seen), text).strip() + "\n\n"


def without_memory(text):
    """Without the default that asks how much memory is free: steps that keep memory are not exported."""
    return re.sub(r"\n/// A quarter of the device's free memory.*?\n}\n", "\n", text, flags=re.DOTALL)


def submission(step, forces):
    """The CUDA source's parts, by their names in submission.py."""
    if "struct Workspace" in forces:
        raise BadInput(f"{step} keeps memory from one evaluation to the next: a task of GPU MODE has its input and no more")
    seen = set()
    shared = "".join(quoted(step, name, seen) for name in QUOTED)
    options = quoted(step, "options.hpp", seen)
    # KernelBot refuses a submission that has the word anywhere: it times the default stream.
    kernel = INCLUDE.sub("", forces).replace(", stream()>>>", ">>>")
    suite = (TEMPLATES / "suite.cuh").read_text().replace("@HEADERS@\n", without_memory(shared))
    return {"SUITE": f"{suite}\n{options.rstrip()}", "KERNEL": kernel.strip(),
            "BINDING": (TEMPLATES / "binding.cuh").read_text()}


def tolerance():
    """The body of the suite's own forceTolerance(), in Python."""
    text = (ROOT / "common" / "physics" / "force_error.cpp").read_text()
    body = re.search(r"double forceTolerance\(.*?\{\n(.*?)\n\}", text, re.DOTALL)[1]
    body = body.replace("  const double n = count;\n", "").replace("std::", "math.")
    return re.sub(r"^  ", "    ", body.replace("//", "#").rstrip(";"), flags=re.MULTILINE)


def cases(numbers):
    """Lines of task.yml. numbers: of bodies, by scene"""
    return "\n".join("  - " + json.dumps({"bodies": count, "scene": scene, "seed": 1000 + k})
                     for k, (count, scene) in enumerate(numbers))


def files(step, exercise, commit):
    """Text by file name."""
    task = exercise.number if exercise else step[:2]
    base, forces = start(step, exercise)
    values = {"NAME": name_of(task), "FILE": f"{base}/{FORCES}",
              "WHAT": f"exercise {task}" if exercise else f"step {step}", "COMMIT": commit, "TOLERANCE": tolerance(),
              "TESTS": cases([(count, scene) for scene in SCENES for count in BODIES]),
              "BENCHMARKS": cases([(count, "cube") for count in BENCHMARKS]), **submission(base, forces)}
    texts = {name: (TEMPLATES / name).read_text() for name in FILES}
    return {name: re.sub("@([A-Z]+)@", lambda found: values.get(found[1], found[0]), text) for name, text in texts.items()}
