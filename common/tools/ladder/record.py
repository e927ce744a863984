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
import os
import re
import subprocess
import textwrap
import time

from common.base.command_line import ROOT, BadInput, CommandFailed, script, shown_path
from common.base.whole_file import write_whole
from common.tools import packages, ranks
from common.tools.build import add_preset, kernel_steps, preset_of, programs_of
from common.tools.ladder import pages, sources
from common.tools.ladder.recorded import CHART, Recorded
from common.tools.programs import write_json

REWRITE = "./run record --rewrite"
COUNTED = "05"  # up to this step there is one loop whose instructions are counted


def slug(device_name):
    """Returns h200 for "NVIDIA H200", also for several, and h100 for "NVIDIA H100 80GB HBM3"."""
    words = re.sub(r"[^a-z0-9]+", "-", device_name.lower()).strip("-")
    words = re.sub(r"-\d+gb-hbm\w+$", "", words)
    return re.sub(r"^(\d+-x-)?(nvidia|amd)-(geforce-)?", "", words)


def shown_folder():
    """Returns the folder of the results that README.md shows."""
    found = re.search(r'src="(docs/results/[^/"]+)/ladder-acts\.svg"', pages.README.read_text())
    if not found or not (ROOT / found[1] / "ladder.json").exists():
        raise CommandFailed(f"README.md shows the chart of no recorded ladder ({found[1] if found else 'no chart'})")
    return ROOT / found[1]


def stale(folder):
    """Returns the files that differ from what the folder's results give."""
    recorded = Recorded(folder)
    files = [page for page, text in pages.written(recorded).items() if page.read_text() != text]
    text = recorded.chart_text().encode()  # the files contain it as metadata
    return files + [folder / name for name in CHART if not (folder / name).exists() or text not in (folder / name).read_bytes()]


def check():
    """Checks the tables and the chart, which name their commits: the recorded results must give them."""
    folder = shown_folder()
    if files := stale(folder):
        raise CommandFailed(f"{', '.join(map(shown_path, files))}: not what the results in {shown_path(folder)} give; "
                            f"{REWRITE} writes them again")
    print(f"README.md, docs/results.md: the tables and the chart are those of {shown_path(folder)}")


def keep(files, device):
    """Copies the files to the device's folder of results, and returns that folder."""
    if device["kind"] != "gpu":
        raise CommandFailed("only results of a GPU are recorded: times on the CPU executor say nothing about a GPU")
    folder = ROOT / "docs" / "results" / slug(device["name"])
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        if file.name == "ladder.json" and (folder / file.name).exists():
            keep_other_sizes(file.with_suffix(""), folder / "ladder")
        write_whole(folder / file.name, file.read_bytes())  # an earlier record stays until the new one is there
    return folder


def keep_other_sizes(new, earlier):
    """Adds an earlier ladder's runs with other numbers of bodies to a new one, with their commit and date, and its log of them.

    new, earlier: paths of the .json and the .log without their ending
    """
    (ladder, before), (log, log_before) = ([read(path) for path in (new, earlier)] for read in (
        lambda path: json.loads(path.with_suffix(".json").read_text()), lambda path: path.with_suffix(".log").read_text()))
    sizes = {run["bodies"] for run in ladder["runs"]}
    kept = [{**run, "suite": run.get("suite", before["suite"]), "date": run.get("date", before.get("date"))}
            for run in before["runs"] if run["bodies"] not in sizes]
    write_json(new.with_suffix(".json"), {**ladder, "runs": sorted(ladder["runs"] + kept, key=lambda run: run["bodies"])})
    calls = re.split(r"(?m)^(?=\$ )", log_before)
    kept_calls = [call for call in calls if (size := re.match(r"\$ .*--bodies=(\d+)", call)) and int(size[1]) not in sizes]
    new.with_suffix(".log").write_text(log + "".join(kept_calls))


def draw(folder):
    """Draws the chart's files again and returns them; none if there are no rates or no matplotlib."""
    if not (folder / "ladder.json").exists() or not (recorded := Recorded(folder)).rates():
        return []
    if not packages.has_module("matplotlib"):
        print(f"No chart: this python3 has no matplotlib. With it, {REWRITE} draws it.")
        return []
    from common.tools.plots import ladder  # needs matplotlib
    return ladder.draw(recorded, folder / "ladder")


def write(folder):
    """Writes the files made from records and returns them: the chart, and tables if README.md shows this GPU."""
    files = draw(folder)
    if folder == shown_folder():
        for made in (pages.written(Recorded(folder)), backed_pages()):
            for page, text in made.items():
                page.write_text(text)
                files.append(page)
    return files


def backed_pages():
    """Returns the texts whose numbers name a query, with the recorded results, if they change."""
    from common.tools.docs import check, results  # imports this module
    found = {}
    for page in check.texts():
        text = page.read_text()
        again = check.backed_again(text, results.Results())
        if again != text:
            found[page] = again
    return found


def record(files):
    """Stores the files (the first is the JSON), and writes the files that show them."""
    folder = keep(files, json.loads(files[0].read_text())["device"])
    files = [folder, *write(folder)]
    stays = "" if pages.README in files else "; README.md shows another GPU and stays as it is"
    print(f"Recorded: {', '.join(map(shown_path, files))}{stays}")


def parts():
    """Returns {name: its commands}, in the order of measurement."""
    from common.tools.sweeps.table import SWEEPS  # imports this module
    counted = [[name] for step in kernel_steps() if step[:2] <= COUNTED for name in programs_of(step)]
    counted.append(["05", "--equal-masses", "ignored"])  # step 05 has two loops
    counts = [["profile", "--instructions", *words] for words in counted]
    return {"ladder": [["ladder"]], "instructions": counts, "profile": [["profile"]], "micro": [["profile", "micro"]],
            "occupancy": [["profile", "--occupancy"]], **{name: [["sweep", name]] for name in SWEEPS}}


def programs():
    """Returns the names of all programs that are measured."""
    return {*(name for step in kernel_steps() for name in programs_of(step)), "serial", "simd", "host_tree",
            *(program for part in parts() for program in built_for(part))}


def built_for(part):
    """Returns the names of the programs that a sweep builds; none if the part is no sweep."""
    from common.tools.sweeps.table import SWEEPS  # imports this module
    if part == "ranks":  # its sweep looks for MPI first
        return [*ranks.STEPS]
    return SWEEPS[part].targets(True) if part in SWEEPS else []


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
    """Prints a line for each part, and each other record, that should be measured again. Returns the exit status."""
    history, lines, files = sources.History(), [], 0
    for folder in sorted(path.parent for path in ROOT.glob("docs/results/*/ladder.json")):
        left = {*folder.glob("*.json")}
        groups = {part: sorted({file for pattern in files_of(part) for file in folder.glob(pattern)}) for part in parts()}
        left -= {file for group in groups.values() for file in group}
        for name, group in {**groups, **{file.stem: [file] for file in sorted(left)}}.items():
            files += len(group)
            if why := next(filter(None, (outdated(file, history) for file in group)), None):
                lines.append(f"{folder.name} {name}: {why}")
    print("\n".join([*lines, f"Of {files} recorded files in docs/results, those of {len(lines)} parts should be measured again." if lines
                     else f"All {files} recorded files in docs/results are of the code as it is."]))
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


def gpu(fact):
    """Returns what nvidia-smi says about the first GPU, for example its name or driver_version."""
    return subprocess.run(["nvidia-smi", f"--query-gpu={fact}", "--format=csv,noheader", "-i", "0"], text=True,
                          stdout=subprocess.PIPE).stdout.strip()


def prepare(names=None):
    """Refuses to record files that are not committed, and gives the builds the commit. Returns it. names: of the programs"""
    commit = sources.measured_commit(names or programs())
    os.environ["NBODY_COMMIT"] = commit  # results that are recorded meanwhile are changes too, but not of the programs
    return commit


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
                        "were recorded, those whose commit git does not know, and those without a date. Needs no GPU")


def run(options):
    if options.check:
        return check()
    if options.stale:
        return say_stale()
    if options.rewrite:
        packages.need("matplotlib")
        return print(f"Written: {', '.join(map(shown_path, write(shown_folder())))}")
    if preset_of(options) != "gpu":
        raise BadInput("needs a GPU and nvcc: times on the CPU executor say nothing about a GPU")
    packages.need("matplotlib")  # before anything is measured
    commit = prepare()
    names = options.only or [name for name in parts() if name != "ranks" or ranks.gpus() > 1]
    if failed := measure(left_to_measure(names, commit) if options.continued else names):
        raise CommandFailed(f"failed: {', '.join(failed)}")
