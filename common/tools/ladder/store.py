"""Stores what is measured on this GPU in docs/results/, in a folder named after the GPU."""

import json
import os
import re
import subprocess

from common.base.command_line import ROOT, CommandFailed
from common.base.whole_file import write_whole
from common.tools.build import kernel_steps, programs_of
from common.tools.ladder import pages, sources
from common.tools.programs import write_json


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


def gpu(fact):
    """Returns what nvidia-smi says about the first GPU, for example its name or driver_version."""
    return subprocess.run(["nvidia-smi", f"--query-gpu={fact}", "--format=csv,noheader", "-i", "0"], text=True,
                          stdout=subprocess.PIPE).stdout.strip()


def programs():
    """Returns the names of the steps' programs and of the baselines."""
    return {*(name for step in kernel_steps() for name in programs_of(step)), "serial", "simd", "host_tree"}


def prepare(names=None):
    """Refuses to record files that are not committed, and gives the builds the commit. Returns it. names: of the programs"""
    commit = sources.measured_commit(names or programs())
    os.environ["NBODY_COMMIT"] = commit  # results that are recorded meanwhile are changes too, but not of the programs
    return commit
