"""The errors of step 09 with none of its five measures, then with one after the other: docs/results/tensor_errors.json, the table of
lesson 09. Errors need no GPU, because the executor multiplies as tensor cores do. From the suite's folder:

    cmake --preset cpu && cmake --build build/cpu --target 09_tensor_cores
    python3 -m common.tools.sweeps.tensor_errors build/cpu
"""

import math
import re
import sys
from pathlib import Path

from common.base.command_line import ROOT, CommandFailed
from common.grader.step_build import StepBuild
from common.tools.programs import flags, run_program, write_json

STEP = "09_tensor_cores"
RECORD = ROOT / "docs" / "results" / "tensor_errors.json"
SCENES = ("plummer", "cube")
BODIES = 4500
# Each row takes a measure out again: its file, the text there and the text instead. The fifth measure is an option.
WITHOUT = (
    ("boxes.cuh", "pair.gap > kNearness * kNearness * pair.reach", "pair.reach < INFINITY"),
    ("elements.cuh", "  const float first = __uint_as_float(toTf32(x));\n  return {first, __uint_as_float(toTf32(x - first))};", "  return {x, 0};"),
    ("forces.cu", "roundedTf32(inverseCube(d[k]) - middle)", "__float_as_uint(inverseCube(d[k]) - middle)"),
    ("forces.cu", "const float middle = inverseCube(softeningSquared + squaredLength(pair.offset));", "const float middle = 0;"),
)


def sources(measures):
    """Returns the texts of the step's files, by name, with the first so many measures alone."""
    texts = {name: (ROOT / STEP / name).read_text() for name, _, _ in WITHOUT}
    for name, old, new in WITHOUT[measures:]:
        if texts[name].count(old) != 1:
            raise CommandFailed(f"{STEP}/{name}: '{old}' is there {texts[name].count(old)} times, not once")
        texts[name] = texts[name].replace(old, new)
    return texts


def shown(error):
    return "not a number" if error is None or not math.isfinite(error) else f"{error:.1e}"


def run(program, scene, measures):
    given = flags(bodies=BODIES, scene=scene, steps=0, products="accurate" if measures > len(WITHOUT) else "always")
    outcome = run_program(program, [*given, "--no-measure"], keep_complaint=True)  # the check fails: that is what this is about
    document, bad = outcome.document, re.search(r"accelerations? of (\d+) of \d+ bodies", outcome.complaint)
    error = document["runs"][0]["error"]
    kept = {name: error.get(name) for name in ("median", "p99", "max")}
    return document, {"step": STEP, "scene": scene, "bodies": BODIES, "measures": measures,
                      "not_numbers": int(bad[1]) if bad else 0, "error": kept,
                      "shown": {name: shown(value) for name, value in kept.items()}}


def main(build):
    step = StepBuild(build, STEP)
    runs = []
    for measures in range(len(WITHOUT) + 2):
        program = step.program(Path(build) / "measures" / str(measures), sources(measures))
        for scene in SCENES:
            document, entry = run(program, scene, measures)
            print(entry["measures"], scene, entry["shown"], flush=True)
            runs.append(entry)
    write_json(RECORD, {"suite": document["suite"], "device": document["device"], "runs": runs})


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
