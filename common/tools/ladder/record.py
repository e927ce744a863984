"""Measures this GPU, part by part, and stores the results in docs/results/, in a folder named after the GPU.

If a part fails, the command keeps that part's earlier results and continues with the next part. Nothing is committed to
git. At the end you see how long each part took, including its build. README.md and docs/results.md show the tables of
one GPU. If that is this GPU, they are written again and the ladder's chart is drawn.

The parts are listed below. The part `ranks` needs two GPUs; every other part needs one.
{parts}
"""

import json
import re
import shutil
import subprocess
import textwrap
import time

from common.base.command_line import ROOT, BadInput, CommandFailed, script, shown_path
from common.tools import packages, ranks
from common.tools.build import add_preset, kernel_steps, preset_of, programs_of
from common.tools.ladder import pages
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
        shutil.copy(file, folder / file.name)
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


def started(words):
    """Runs a command in a separate process, so that a failure does not stop the next part. Returns its exit status."""
    return subprocess.run(script(words[0]) + words[1:] + ["--preset", "gpu", "--record"]).returncode


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


def run(options):
    if options.check:
        return check()
    if options.rewrite:
        packages.need("matplotlib")
        return print(f"Written: {', '.join(map(shown_path, write(shown_folder())))}")
    if preset_of(options) != "gpu":
        raise BadInput("needs a GPU and nvcc: times on the CPU executor say nothing about a GPU")
    packages.need("matplotlib")  # before anything is measured
    if failed := measure(options.only or [name for name in parts() if name != "ranks" or ranks.gpus() > 1]):
        raise CommandFailed(f"failed: {', '.join(failed)}")
