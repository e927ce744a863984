"""Compiles and runs the public CUDA programs of common/executor/tests/public_programs/programs.json, plain and under the checker.

Clone their repositories side by side into one folder. Results are kept after each run, and a later call continues.
"""

import argparse
import datetime
import json
import os
import platform
import signal
import sys
from pathlib import Path

from common.base.command_line import BUILDS, ROOT, BadInput, shown_path
from common.tools import progress
from common.tools.cuda import corpus_list
from common.tools.cuda.corpus_run import LIBRARIES, MODES, compiled, judged
from common.tools.cuda.cuda import built_executor
from common.tools.docs.docs import commit

RESULTS = ROOT / "docs" / "results" / "plain_cuda"
SECONDS = 600  # per run, which is then ended


def add_arguments(parser):
    parser.add_argument("--repositories", type=Path, metavar="FOLDER", help="where they lie")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME",
                        help="these programs, or all of a repository or of one of its folders, though they are known")
    parser.add_argument("--record", action="store_true", help="keep what is known under docs/results/plain_cuda/")
    parser.add_argument("--driver", type=Path, help="the compiler driver (default: the suite's ladder-nvcc, which is built)")
    parser.add_argument("--build", type=Path, default=BUILDS / "public_programs", help=argparse.SUPPRESS)


def device():
    """Returns the machine, in the form of the suite's other documents."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {"name": names[0] if names else platform.machine(), "kind": "executor", "cores": len(os.sched_getaffinity(0))}


def machine():
    """Returns the machine in a few words. Each run has it, because a record may contain runs on several machines."""
    return f"{device()['name']}, {device()['cores']} cores"


class Record:
    """The results so far: a JSON file, rewritten after each program, and a raw log for each program."""

    def __init__(self, folder):
        self.folder, self.file = folder, folder / "corpus.json"
        self.runs = json.loads(self.file.read_text())["runs"] if self.file.exists() else []

    def entry(self, program):
        known = next((run for run in self.runs if run["program"] == program.name), None)
        if not known:
            known = {"program": program.name, "repository": program.repository, "folder": program.folder,
                     "arguments": " ".join(program.arguments()),
                     **({"answer": program.entry["answer"]} if "answer" in program.entry else {})}
            self.runs.append(known)
        return known

    def keep(self, program, mode, entry, log):
        known = self.entry(program)
        known[mode] = {**entry, "commit": commit(), "device": machine()}
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "logs").mkdir(exist_ok=True)
        (self.folder / "logs" / f"{program.name.replace(' ', '_')}.{mode}.log").write_text(log)
        self.write(self.file)

    def write(self, file):
        document = {"suite": {"commit": commit()}, "device": device(), "runs": self.runs,
                    "recorded": datetime.date.today().isoformat()}
        file.write_text(json.dumps(document, indent=1) + "\n")

    def logs(self, programs):
        """Returns all raw logs, in the list's order. Long ones are cut."""
        parts = []
        for program in programs:
            for mode in MODES:
                path = self.folder / "logs" / f"{program.name.replace(' ', '_')}.{mode}.log"
                lines = path.read_text().splitlines() if path.exists() else []
                cut = [f"... {len(lines) - 60} lines left out"] if len(lines) > 60 else []
                parts += [f"==== {program.name}, {mode}", *lines[:30], *cut, *lines[max(30, len(lines) - 30):], ""]
        return "\n".join(parts)


def summary(entry):
    """Returns one line about a program's run in a mode."""
    found = entry.get("reports")
    told = "" if found is None else ", clean" if not found else f", {len(found)} reports: {found[0].splitlines()[0]}"
    time = f" in {entry['run_s']:.1f} s" if "run_s" in entry else f": {entry['message']}"
    return f"{entry['outcome']}{time}{told}"


def run(options):
    programs = corpus_list.read()[0]
    options.build, options.limit = options.build.resolve(), SECONDS
    record = Record(options.build)
    if options.record:
        for program in programs:  # also those that were not run
            record.entry(program)
        record.runs.sort(key=lambda entry: [p.name for p in programs].index(entry["program"]))
        RESULTS.mkdir(parents=True, exist_ok=True)
        record.write(RESULTS / "corpus.json")
        (RESULTS / "corpus.log").write_text(record.logs(programs))
        return print(f"Recorded: {shown_path(RESULTS)}")
    if not options.repositories or not options.repositories.is_dir():
        raise BadInput("--repositories is to be the folder that has the programs' repositories")
    options.repositories = options.repositories.resolve()
    # Running programs have their own session, and must end with this command.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    options.drivers = {library: options.driver.resolve() if options.driver else built_executor(library)[0]
                       for library in dict.fromkeys(LIBRARIES.values())}
    built = {}  # programs by build and library, because some are run more than once
    for program in corpus_list.chosen(programs, options.only):
        for mode in MODES:
            if mode in record.entry(program) and not options.only:
                continue
            with progress.shown(running=f"{program.name}, {mode}"):
                key = program.build, LIBRARIES[mode]
                if key not in built:
                    built[key] = compiled(program, mode, options)
                entry, log = judged(program, mode, built[key], options)
            record.keep(program, mode, entry, log)
            print(f"{program.name:28}{mode:9}{summary(entry)}", flush=True)
    return 0
