"""Functions for the tools: finding the built programs, running one, and merging their JSON reports into one document."""

import dataclasses
import datetime
import json
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

from common.base.command_line import ROOT, BadInput, CommandFailed, nearest, whole_number
from common.tools import progress
from common.tools.build import kernel_steps, programs_of, step_names


def repeats_for(bodies):
    """Returns how often an evaluation is measured. With many bodies one takes tenths of a second."""
    return 3 if bodies > 262144 else 7


def step_programs(build, number=""):
    """Returns the programs of steps with a kernel, in the ladder's order with the tuned ones; for a number its step's own."""
    if number:
        return [build / step / step for step in step_names() if step.startswith(number)]
    return [build / step / program for step in kernel_steps() for program in programs_of(step)]


def step_program(build, name):
    """Returns the path of a step's own program, by the step's number, or of another by its name, which begins with that number.
    """
    own = step_programs(build, name[:2])[0]
    return own if len(name) == 2 else own.with_name(name)


def choices(program, option):
    """Returns the words that a program's --help allows for an option."""
    said = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
    # "--opening VALUE  what it is: one, two or three (default: one)"
    found = re.search(rf"--{option} VALUE\s.*: (.*) \(default: ", said)
    if not found:
        raise CommandFailed(f"{program.name} --help names no words for --{option}")
    return re.split(r",\s+|\s+or\s+", found[1].strip())


def scenes():
    """Returns {name: number of bodies if it is fixed, otherwise None} of the scenes, from their source: checking an option must not
    need a build.
    """
    source = (ROOT / "common" / "bodies" / "scenes.cpp").read_text()
    parts = re.split(r'^      \{(?:\.name = )?"', source, flags=re.MULTILINE)[1:]
    fixed = {part.partition('"')[0]: re.search(r"\.fixedCount = (\d+)", part) for part in parts}
    return {name: count and int(count[1]) for name, count in fixed.items()}


def is_number(text):
    """Returns whether a text is a number above 0, as the programs read it."""
    return bool(re.fullmatch(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text, re.ASCII)) and 0 < float(text) < float("inf")


# Whole numbers that the programs accept, from the first to the last. run_options_test.py compares this with a program.
RANGES = {"bodies": (1, 2**30), "steps": (0, 2**31 - 1), "repeats": (1, 10**6), "seed": (0, 2**63 - 1)}
SOFTENING = (1e-37, 1e38)  # in FP32


def check_run_options(**given):
    """Ends the command if a program would refuse an option, which is known before the program is built. given: texts, or None"""
    for name, value in given.items():
        if value is None:
            continue
        least, most = RANGES.get(name, (0, 0))
        if most:
            whole_number(least, most, f"--{name}")(value)
        if name in ("dt", "softening") and not is_number(value):
            raise BadInput(f"--{name}: must be a number above 0, not '{value}'")
        if name == "softening" and not SOFTENING[0] <= float(value) <= SOFTENING[1]:
            raise BadInput(f"--softening: must be from {SOFTENING[0]:g} to {SOFTENING[1]:g}, not '{value}'")
        if name == "scene" and value not in scenes():
            raise BadInput(f"--scene: no scene '{value}'" + (nearest(value, scenes()) or f"; there are {', '.join(scenes())}"))
        if name == "input" and (Path(value).is_dir() or not Path(value).exists()):
            raise BadInput(f"--input: no file '{value}'")
    if given.get("input") and (both := next((name for name in ("scene", "bodies", "seed") if given.get(name)), None)):
        raise BadInput(f"--input and --{both}: choose one; the file already has the bodies")
    bodies, fixed = given.get("bodies"), given.get("scene") and scenes()[given["scene"]]
    if fixed and bodies and int(bodies) != fixed:
        raise BadInput(f"--bodies: scene {given['scene']} has {fixed} bodies, not {int(bodies)}")


def flags(**given):
    """Returns a program's options, those that are not None."""
    return [f"--{name.replace('_', '-')}={value}" for name, value in given.items() if value is not None]


@dataclasses.dataclass
class Outcome:
    """The results of one run of a program."""

    status: int
    log: str  # its command line and what it printed
    document: dict | None  # its JSON report; None if it ended before writing one
    complaint: str  # its standard error, if requested

    def require_document(self, even_if_failed=True):
        """Returns the report, or ends the command if there is none."""
        if self.document is None or not even_if_failed and self.status != 0:
            program = self.log.split()[1]
            raise (BadInput if self.status == 2 else CommandFailed)(f"{program} ended with status {self.status}")


def run_program(program, arguments, keep_complaint=False, place="", launcher=()):
    """Runs a program once. Its standard error goes to the terminal, or is kept. place: shown before it, like "3/40"; launcher:
    words before the program's that start it on several ranks (ranks.py)
    """
    shown = [word for word in launcher if word != "env" and "=" not in word]
    doing = " ".join([*(Path(word).name for word in (*shown, program)), *arguments])
    with progress.shown(running=place + doing), tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        result = subprocess.run([*launcher, program, *arguments, f"--json={report}"], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE if keep_complaint else None)
        document = json.loads(report.read_text()) if report.exists() else None
    complaint = (result.stderr or "").strip()
    if launcher:  # mpirun prints more about a program that ends with another status than 0
        own = [line for line in complaint.splitlines() if line.startswith(f"{Path(program).name}: ")]
        complaint = "\n".join(own) or complaint
    log = f"$ {doing}\n{result.stdout}" + (complaint and f"{complaint}\n") + "\n"
    return Outcome(result.returncode, log, document, complaint)


class Runs:
    """Runs of programs: their reports, the log of their output, and whether one failed."""

    def __init__(self):
        self.documents, self.log, self.failed = [], "", False

    def add(self, program, arguments, **more):
        """Runs one more program. Bad input is no failure."""
        outcome = run_program(program, arguments, **more)
        self.log += outcome.log
        self.failed |= outcome.status not in (0, 2)
        if outcome.document:
            self.documents.append(outcome.document)
        return outcome

    def reported(self, program, arguments):
        """Runs one more program and shows its output. Returns its report, also after a failed check."""
        outcome = self.add(program, arguments)
        print(outcome.log, flush=True)
        outcome.require_document()
        return outcome.document

    def say(self, line):
        self.log += f"{line}\n"
        progress.say(line)


def grouped(rows, key):
    """Returns {key(row): rows}, in their order."""
    found = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def write_json(file, document):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(document, indent=2) + "\n")


def now():
    """Returns the date and time as records have them, in UTC: 2026-12-24T18:00:00Z."""
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z")


def merged(documents):
    """Returns all runs in one document, with date and time. The ceiling is the median of the probes. Runs on another device or
    host say so.
    """
    steps = [d for d in documents if d["device"]["kind"] != "host"]
    device = dict(steps[0]["device"])
    probes = [d["device"]["fma_tflops"] for d in steps
              if "fma_tflops" in d["device"] and d["device"]["name"] == device["name"]]
    if probes:
        device["fma_tflops"] = statistics.median(probes)
    for document in documents:
        run = document["runs"][0]
        if document["device"]["name"] != device["name"]:
            run["device"] = document["device"]
        elif probes and "gflops" in run:
            run["fma_share"] = run["gflops"] / (1000 * device["fma_tflops"])
    return {"suite": steps[0]["suite"], "date": now(), "device": device,
            "runs": [d["runs"][0] for d in documents]}
