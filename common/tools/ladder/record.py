"""Measures this GPU, part by part, and stores the results in docs/results/, in a folder named after the GPU.

A part stores its results when it ends, with the card, the driver, the commit, the date and the time. If a part fails, the
command keeps that part's earlier results and continues with the next part. With --continue, a later call skips the parts
whose records still hold. Nothing is committed to git. At the end you see how long each part took, including its build.
README.md and docs/results.md show the tables of one GPU. If that is this GPU, they are written again and the ladder's chart
is drawn.

A record names its commit, so the files that the programs are compiled from must be committed. In a copy without git, give
the commit in the environment variable NBODY_COMMIT.

The parts are listed below. The part `ranks` needs two GPUs; every other part needs one.
{parts}
"""

import json
import subprocess
import textwrap
import time

from common.base.command_line import ROOT, BadInput, CommandFailed, script, shown_path
from common.tools import packages, ranks
from common.tools.build import add_preset, kernel_steps, preset_of, programs_of
from common.tools.ladder import publish, sources
from common.tools.ladder.store import gpu, prepare, programs, shown_folder, slug
from common.tools.ladder.table import ONE_LOOP
from common.tools.sweeps.table import SWEEPS, built_for


def parts():
    """Returns {name: its commands}, in the order of measurement."""
    counted = [[name] for step in kernel_steps() if step[:2] <= ONE_LOOP for name in programs_of(step)]
    counted.append(["05", "--equal-masses", "ignored"])  # step 05 has two loops
    counts = [["profile", "--instructions", *words] for words in counted]
    return {"ladder": [["ladder"]], "instructions": counts, "profile": [["profile"]], "micro": [["profile", "micro"]],
            "occupancy": [["profile", "--occupancy"]], **{name: [["sweep", name]] for name in SWEEPS}}


def measured_in(document, name):
    """Returns {(commit, program)} of a recorded document. name: of its file"""
    commit = document.get("suite", {}).get("commit")
    runs = [run for run in document.get("runs", []) if isinstance(run, dict)]
    found = {(run.get("suite", {}).get("commit", commit), run.get("step")) for run in runs}
    found |= {(commit, program) for program in document.get("kernels", {})}
    known = {(at, program) for at, program in found if program and sources.files_of(program)}
    return known or {(commit, program) for program in built_for(name)} or {(commit, None)}


def outdated(file, history):
    """Returns why a recorded JSON should be measured again; empty if its numbers still hold."""
    document = json.loads(file.read_text())
    reasons = {}
    for commit, program in sorted(measured_in(document, file.stem), key=str):
        place = history.place(commit or "")
        if place is None:
            reasons.setdefault("lost", f"its commit {commit} is not in the history" if commit else "it names no commit")
        elif program and (change := history.first_change(sources.files_of(program), place)):
            reasons.setdefault("changed", f"{change[2]} changed in {change[0]} ({change[1]}), {program} was measured at {commit}")
    if not document.get("date"):
        reasons["undated"] = "it has no date"
    return "; ".join(reasons.values())


def files_of(part):
    """Returns patterns of the JSON files that a part records."""
    return {"instructions": ["instructions_*.json"], "micro": ["micro_counts.json", "force_counts.json"]}.get(part, [f"{part}.json"])


def say_stale():
    """Prints a line for each part of the shown card's record that should be measured again. Returns the exit status."""
    history, lines = sources.History(), []
    folder = ROOT / "docs" / "results" / shown_folder().name
    for name in parts():
        files = [file for pattern in files_of(name) for file in sorted(folder.glob(pattern))]
        if why := next(filter(None, (outdated(file, history) for file in files)), None) if files else "it is not recorded":
            lines.append(f"{name}: {why}")
    print("\n".join([*lines, f"{len(lines)} of {len(parts())} parts of {folder.name} should be measured again." if lines
                     else f"All {len(parts())} parts of {folder.name} are of the code as it is."]))
    return 1 if lines else 0


def known_history():
    """Returns git's history of this checkout; None if git does not know all of it."""
    try:
        return sources.History()
    except BadInput:
        return None


def still_holds(part, folder, commit, history):
    """Returns whether all files of a part are recorded, at this commit or from the same code. history: of known_history()"""
    files = [[*folder.glob(pattern)] for pattern in files_of(part)]
    if not all(files):
        return False
    files = [file for found in files for file in found]
    commits = {at for file in files for at, _ in measured_in(json.loads(file.read_text()), file.stem)}
    return commits == {commit} or bool(history) and not any(outdated(file, history) for file in files)


def started(words):
    """Runs a command in a separate process, so that a failure does not stop the next part. Returns its exit status."""
    return subprocess.run(script(words[0]) + words[1:] + ["--preset", "gpu", "--record"]).returncode


def left_to_measure(names, commit):
    """Returns the parts that --continue measures, and names the others."""
    folder, history, left = ROOT / "docs" / "results" / slug(gpu("name")), known_history(), []
    for name in names:
        if still_holds(name, folder, commit, history):
            print(f"{name:14}is recorded, and its programs have not changed since", flush=True)
        else:
            left.append(name)
    return left


def measure(names):
    """Measures the parts and prints how long each took. Returns the names of those that failed."""
    failed, lines = [], []
    for name in names:
        begin = time.monotonic()
        print(f"\n--- {name}", flush=True)
        statuses = [started(words) for words in parts()[name]]
        if any(statuses):
            failed.append(name)
        verdict = "FAILED: the earlier record stays" if any(statuses) else "recorded"
        lines.append(f"{name:14}{time.monotonic() - begin:6.0f} s  {verdict}")
        print(lines[-1], flush=True)
    print("\n" + "\n".join(lines))
    return failed


def add_arguments(parser):
    parser.description = __doc__.format(parts=textwrap.fill(", ".join(parts()), 118))
    add_preset(parser)
    parser.add_argument("--check", action="store_true",
                        help="measure nothing; fail if the tables in README.md and docs/results.md or the ladder's chart do "
                        "not match the recorded results")
    parser.add_argument("--rewrite", action="store_true", help="measure nothing; write the tables in README.md and "
                        "docs/results.md and the ladder's chart again")
    parser.add_argument("--only", nargs="+", metavar="PART", choices=[*parts()], help="measure only these parts, in this order")
    parser.add_argument("--continue", dest="continued", action="store_true", help="leave out the parts that are recorded at this "
                        "commit, and those whose programs have not changed since their record")
    parser.add_argument("--stale", action="store_true", help="measure nothing; list the parts whose programs have changed since they "
                        "were recorded, those whose commit git does not know, and those without a record or a date. Needs no GPU")


def run(options):
    if options.check:
        return publish.check()
    if options.stale:
        return say_stale()
    if options.rewrite:
        packages.need("matplotlib")
        return print(f"Written: {', '.join(map(shown_path, publish.write(shown_folder())))}")
    if preset_of(options) != "gpu":
        raise BadInput("needs a GPU and nvcc: times on the CPU executor say nothing about a GPU")
    packages.need("matplotlib")  # before anything is measured
    commit = prepare({*programs(), *(program for part in parts() for program in built_for(part))})
    names = options.only or [name for name in parts() if name != "ranks" or ranks.gpus() > 1]
    if failed := measure(left_to_measure(names, commit) if options.continued else names):
        raise CommandFailed(f"failed: {', '.join(failed)}")
