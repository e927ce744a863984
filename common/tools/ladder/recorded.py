"""The recorded ladder of a device, with its other records: instruction counts and NVIDIA's own sample."""

import dataclasses
import json

from common.base.command_line import ROOT
from common.tools.ladder.table import executed_flop, row_name

SAMPLE = "cuda_sample.json"  # whole time steps per second of NVIDIA's nbody sample; the file says how they were measured
COUNTS = ROOT / "docs" / "results" / "counts.json"  # of ./run check --counts --record
FLOP = 20  # FLOP of an interaction, as GPU Gems 3 counts
CHART = ("ladder.svg", "ladder-acts.svg", "ladder-acts-dark.svg")


@dataclasses.dataclass(frozen=True)
class Rate:
    """A point of the chart, in GFLOP/s: at 20 FLOP per interaction, and executed if that was counted."""

    row: str
    bodies: int
    gflops: float
    executed: float | None = None

    def __str__(self):
        executed = f" ({self.executed:.1f} executed)" if self.executed else ""
        return f"{self.row}: N {self.bodies}, {self.gflops:.1f}{executed}"


def access_counts():
    """Returns the recorded bytes per interaction that steps 01 to 05 read from each memory."""
    return json.loads(COUNTS.read_text())


class Recorded:
    def __init__(self, folder):
        self.folder = folder
        document = self.read("ladder.json")
        self.suite, self.device, self.runs = (document[part] for part in ("suite", "device", "runs"))
        self.date = document.get("date")
        self.counts = [self.read(file.name) for file in sorted(folder.glob("instructions_*.json"))]
        counted = [document["runs"][0] for document in self.counts]
        self.flop = {row_name(run): executed_flop(run["instructions"]["per_interaction"]) for run in counted}

    def read(self, name):
        return json.loads((self.folder / name).read_text())

    def stamp(self, *sizes):
        """Returns the commits and dates at which these numbers of bodies were measured. A run that was kept from an earlier
        record has its own (see record.keep()).
        """
        found = {(run.get("suite", self.suite)["commit"], run.get("date") if "suite" in run else self.date)
                 for run in self.runs if run["bodies"] in sizes}
        return "; ".join(f"commit {commit}" + (f", {date[:10]}" if date else "") for commit, date in sorted(found, key=str))

    def steps(self):
        """Returns the runs of steps that compute all pairs and passed."""
        return [run for run in self.runs if run["passed"] and "flop_per_interaction" in run and "fma_share" in run]

    def executed(self, run):
        """Returns GFLOP/s of the instructions of the run's innermost loop; None if they were not counted."""
        counted = self.flop.get(row_name(run)) if "interactions_per_s" in run else None
        return counted and counted * run["interactions_per_s"] * 1e-9

    def fp64(self):
        """Returns {(row's name, bodies): row of the sweep `fp64`}; empty if that is not recorded."""
        rows = self.read("fp64.json")["table"] if (self.folder / "fp64.json").exists() else []
        return {(row_name(row), row["bodies"]): row for row in rows}

    def sample(self):
        """Returns the record of NVIDIA's sample on this device; None if there is none."""
        return self.read(SAMPLE) if (self.folder / SAMPLE).exists() else None

    def any_sample(self):
        """Returns the same, or that of another recorded device; the record names its device."""
        found = (folder / SAMPLE for folder in [self.folder, *sorted(self.folder.parent.iterdir())])
        return next((json.loads(file.read_text()) for file in found if file.exists()), None)

    def rates(self):
        """Returns the rates of the sample and of the steps that compute all pairs, at the ladder's numbers of bodies."""
        sizes = {run["bodies"] for run in self.steps()}
        return [*(Rate("NVIDIA's nbody sample", run["bodies"], run["bodies"] ** 2 * FLOP * run["steps_per_s"] * 1e-9)
                  for run in (self.sample() or {"runs": []})["runs"] if run["bodies"] in sizes),
                *(Rate(row_name(run), run["bodies"], run["gflops"], self.executed(run)) for run in self.steps())]

    def chart_text(self):
        """Returns the chart's metadata, from which `./run record --check` sees whether it shows these results."""
        return "; ".join([f"{self.device['name']}, commit {self.suite['commit']}, GFLOP/s",
                          f"FMA {1000 * self.device['fma_tflops']:.1f}", *map(str, self.rates()), "ms",
                          *(f"{row_name(run)}: N {run['bodies']}, {run['force_ms']['median']:.4g}" for run in self.runs)])
