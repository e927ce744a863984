"""Writes a class of submissions of step 02 of which it is known how they must be graded: make_class.py FOLDER NUMBER

FOLDER/submissions gets a folder for each student, FOLDER/expected.json what must come of it: the row's status and its
score, or none where it is not known to the point. The same NUMBER makes the same class; graded with --seed 1, a wrong
kernel of the corpus must get the score that is kept of it in docs/results/course.
"""

import json
import re
import sys
from pathlib import Path

from common.base.command_line import ROOT
from common.grader.exercises.mutant_corpus import corpus
from common.tools.exercises.grade_corpus import KEPT

STEP = "02_tiled"
REFERENCE = (ROOT / STEP / "forces.cu").read_text()
OTHERWISE = Path(__file__).with_name("submissions").joinpath("02_otherwise.cu").read_text()
LAUNCH = REFERENCE[REFERENCE.index("  forcesKernel<<<"):REFERENCE.index("}\n\n}  // namespace")]
SUM = "  real3 acceleration = {0, 0, 0};\n"
ODD_NAMES = ["two\nlines", "=1+1", "-dash", "Zo\u00eb \u00c5ngstr\u00f6m", "\u674e \u96f7", "O'Brien, \"Bob\"", "a%2Fb",
             "a%2fb", "tab\tstop", "back\\slash", "@at", "$(date)", "*", "long " + "n" * 240, "class", "new\rline"]


def changed(before, after, text=REFERENCE):
    assert before in text
    return text.replace(before, after)


def right(n):
    """The reference with changes that do no harm; no two are the same."""
    text = re.sub(r"\bacceleration\b", f"sum{n}", REFERENCE)
    if n % 2:
        text = changed("int k = 0; k < static_cast<int>(blockDim.x); ++k", "int k = blockDim.x - 1; k >= 0; --k", text)
    return {"forces.cu": text}


def otherwise(n):
    """Right, and nothing like the reference, with tiles of another size each time."""
    return {"forces.cu": f"// {n}\n" + changed("kTile = 128", f"kTile = {24 + n % 100}", OTHERWISE)}


def with_header(n):
    text = changed('#include "driver/step.hpp"\n', '#include "driver/step.hpp"\n#include "mine.h"\n')
    return {"forces.cu": text.replace("min(i, count - 1)", "min(i, count - kOne)"),
            "mine.h": f"constexpr int kOne = {n} / {n};\n"}


def after_launch(line):
    return {"forces.cu": changed(LAUNCH, LAUNCH + line)}


FULL = {"status": "passed", "score": 100}
BUILD = {"status": "does not build", "score": 0}
FAILS = {"status": "failed", "score": 0}
NONE = {"status": "no submission", "score": 0}


def compile_errors():
    return [({"forces.cu": text}, BUILD) for text in (
        changed(SUM, "  real3 acceleration = {0, 0, 0}\n"),
        changed("forcesKernel<<<", "forceKernel<<<"),
        changed("void computeForces(", "void otherForces("),
        "#include \"missing.h\"\n" + REFERENCE, "", "\x00\x1b[31m\xff")]


def broken():
    """Submissions that end badly, and folders that are none."""
    endless = {"forces.cu": changed(LAUNCH, "  while (accelerations.size()) {}\n")}
    return [(after_launch("  *reinterpret_cast<volatile int*>(8) = count;\n"), FAILS), ({}, NONE),
            (after_launch('  for (;;) printf("%d bodies\\n", count);\n'), FAILS), ({"notes.md": "later"}, NONE),
            ({"forces.cu": changed(LAUNCH, "  std::_Exit(0);\n")}, FAILS), (endless, FAILS),
            ({"upload/forces.cu": REFERENCE}, FULL), ({"1/forces.cu": REFERENCE, "2/forces.cu": REFERENCE}, NONE)]


def mutants():
    scores = {entry["name"]: entry["score"] for entry in json.loads(KEPT.read_text())["mutants"]}
    return [({"forces.cu": REFERENCE, **mutant.sources()},
             {"status": "failed", "score": scores[mutant.name]})
            for mutant in corpus() if mutant.step == STEP and not mutant.gap]


def submissions(number):
    """(files by name, what is expected) of each: one of each sort first, then the rest, right ones to the end."""
    sorts = [mutants(), compile_errors(), broken()]
    made = [(right(1), FULL), (otherwise(1), FULL), *(sort.pop(0) for sort in sorts)]
    while any(sorts):
        made += [sort.pop(0) for sort in sorts if sort]
    made += [((right, otherwise, with_header)[n % 3](n), FULL) for n in range(2, number)]
    return made[:number]


def write(folder, number):
    """What is expected, by name."""
    expected = {}
    for n, (files, outcome) in enumerate(submissions(number)):
        # Odd names and plain ones take turns, so that each kind of submission gets both.
        odd = ODD_NAMES[n // 2] if n % 2 and n // 2 < len(ODD_NAMES) else None
        student = odd or f"student {n:03}"
        expected[student] = outcome
        place = folder / "submissions" / student
        place.mkdir(parents=True)
        for name, text in files.items():
            path = place / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.encode("latin-1" if "\xff" in text else "utf-8"))
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
    return expected


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
