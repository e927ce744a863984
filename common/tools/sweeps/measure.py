"""Defines and measures a sweep, and writes its results: JSON, CSV, log and figures."""

import csv
import dataclasses
import importlib
import json
from collections.abc import Callable

from common.base.command_line import BadInput, CommandFailed, shown_path, whole_number
from common.tools import packages, progress, ranks
from common.tools.ladder import store
from common.tools.ladder.table import median_of, shown
from common.tools.programs import Runs, merged, now, write_json


# The table that is printed while a sweep is measured. Each column has its heading, its width and a function of a run. A heading
# that is not listed here is the name of a parameter.
COLUMNS = {
    "step": (-26, ranks.name_of),
    "N": (12, lambda run: f"{run['bodies']:,}"),
    "seed": (6, lambda run: run.get("seed", "-")),
    "precision": (11, lambda run: run["precision"]),
    "GFLOP/s": (11, lambda run: shown(run.get("gflops"), ",.0f")),
    "forces ms": (12, lambda run: shown(median_of(run), ",.4g")),
    "step ms": (12, lambda run: shown(run.get("step_ms", {}).get("median"), ",.4g")),
    **{f"error {name}": (14, lambda run, name=name: shown((run.get("error") or {}).get(name), ".1e"))
       for name in ("median", "p99", "max")},
    "check": (8, lambda run: "ok" if run["passed"] else "FAILED"),
}


def cell(heading, run=None):
    """Returns its heading, or its cell for a run."""
    width, words = COLUMNS.get(heading, (max(8, len(heading) + 2), lambda run: run["parameters"].get(heading, "-")))
    text = heading if run is None else str(words(run))
    return text.ljust(-width) if width < 0 else text.rjust(width)


@dataclasses.dataclass(frozen=True)
class Sweep:
    """A row of the table of sweeps."""

    name: str
    title: str
    drawn_by: str       # a function of common/tools/plots, for example "trees.parts"; "": its pages show tables
    targets: Callable   # (on_gpu): what is built for it
    # One of two: (options): program and arguments of every point, and of one on several ranks what starts it; or a function
    # that runs programs, (options): its document and its Runs.
    points: Callable | None = None
    measured: Callable | None = None
    columns: tuple = ()
    finish: Callable | None = None  # (document, Runs, options): adds what is computed from the runs of the points
    varied: object = None  # value that a figure of the chapter varies
    of_speeds: bool = True  # only a GPU's results are drawn
    needs_gpu: bool = False  # it measures only times
    scene: str = ""  # why --scene is refused
    repeats: str = ""  # why --repeats is refused
    bodies: tuple = ()  # smallest and largest number for --bodies
    keeps_table: bool = False  # an exercise reads the recorded CSV

    def check(self, options, on_gpu):
        """Refuses options."""
        for option, reason in (("scene", self.scene), ("repeats", self.repeats)):
            if getattr(options, option) and reason:
                raise BadInput(f"--{option}: {self.name} {reason}")
        if options.bodies is not None:
            if not self.bodies:
                raise BadInput(f"--bodies: {self.name} has fixed sizes")
            whole_number(*self.bodies, "--bodies")(options.bodies)
        if self.needs_gpu and not on_gpu:
            raise BadInput(f"{self.name} measures times, so it needs a GPU")

    def run(self, options):
        """Measures, writes and perhaps records it. Returns whether all checks passed."""
        varied = self.varied
        print(f"Figure {varied.figure}: {self.title} ({varied.setting})" if varied else self.title, flush=True)
        if self.measured:
            document, runs = self.measured(options)
        else:
            runs = Points(self, self.points(options))
            document = runs.document()
        if self.finish:
            self.finish(document, runs, options)
        document.setdefault("sweep", {"name": self.name, "left_out": []})
        document["date"] = now()
        stem = options.build / "sweeps" / self.name
        files = [stem.with_suffix(suffix) for suffix in (".json", ".csv", ".log")]
        write_json(files[0], document)
        write_csv(files[1], document)
        files[2].write_text(runs.log)
        files += self.figures(document, stem)
        print(f"Written: {written(files)}\n")
        if options.record and runs.failed:
            print("Not recorded, because not all checks passed. The earlier record stays.\n")
        elif options.record:
            kept = [file for file in files if file.suffix != ".csv" or self.keeps_table]
            print(f"Recorded: {shown_path(store.keep(kept, document['device']))}\n")
        return not runs.failed

    def figures(self, document, stem):
        """The files drawn; says so where there are none: no speeds of the executor, nothing without matplotlib."""
        if not self.drawn_by:
            return []
        if document["device"]["kind"] != "gpu" and self.of_speeds:
            print("No plot: times on the CPU executor say nothing about a GPU.")
            return []
        if not packages.has_module("matplotlib"):
            print("No plot: this python3 has no matplotlib. With it, ./run sweep "
                  f"{self.name} --from {stem.with_suffix('.json')} draws one.")
            return []
        module, function = self.drawn_by.split(".")
        # Imported here, because the executor's sweeps work without matplotlib.
        files = getattr(importlib.import_module(f"common.tools.plots.{module}"), function)(self, document, stem)
        if not files:
            print("No plot: it needs points that passed their checks and, in most figures, have times.")
        return files

    def redraw(self, recorded):
        """Writes the figure of recorded data again, and the CSV if there is one."""
        try:
            document = json.loads(recorded.read_text())
            name = document["sweep"]["name"]
        except OSError as error:
            raise BadInput(f"--from: {recorded}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError):
            raise BadInput(f"--from: {recorded} is not a sweep's JSON") from None
        if name != self.name:
            raise BadInput(f"--from: {recorded} is of the sweep '{name}', not '{self.name}'")
        packages.need("matplotlib")
        files = [table for table in [recorded.with_suffix(".csv")] if table.exists()]
        for table in files:
            write_csv(table, document)
        if files := files + self.figures(document, recorded.with_suffix("")):
            print(f"Written: {written(files)}")


class Points(Runs):
    """Runs a program for each point of a sweep. Points that a program refuses are left out."""

    def __init__(self, sweep, todo):
        super().__init__()
        self.sweep = sweep
        self.left_out = []  # points that a program refused, and why
        print("".join(map(cell, sweep.columns)), flush=True)
        for number, (program, arguments, *launcher) in enumerate(todo, 1):
            self.measure(program, arguments, f"{number}/{len(todo)}: ", *launcher)
        if not self.documents:
            reason = self.left_out[0]["reason"] if self.left_out else "all failed"
            raise (CommandFailed if self.failed else BadInput)(f"no point was measured: {reason}")
        for refused in self.left_out:
            progress.say(f"Left out: {refused['point']}: {refused['reason']}")

    def measure(self, program, arguments, place, launcher=()):
        outcome = self.add(program, arguments, keep_complaint=True, place=place, launcher=launcher)
        if outcome.status == 2:
            self.left_out.append({"point": f"{program.name} {' '.join(arguments)}", "reason": outcome.complaint})
        elif outcome.status != 0:
            progress.complain(outcome.complaint or f"{program.name}: ended with status {outcome.status}")
        if outcome.document:
            progress.say("".join(cell(heading, outcome.document["runs"][0]) for heading in self.sweep.columns))

    def document(self):
        return {**merged(self.documents), "sweep": {"name": self.sweep.name, "left_out": self.left_out}}


def flat(run):
    """Returns a run without nesting: error.median becomes error_median. Only the JSON has distributions."""
    row = {}
    for name, value in run.items():
        if not isinstance(value, dict):
            row[name] = value
        elif name == "parameters":
            row.update(value)
        else:
            row.update({f"{name}_{part}": figure for part, figure in value.items() if not isinstance(figure, dict)})
    return row


def write_csv(file, document):
    rows = [flat(run) for run in document.get("table", document["runs"])]
    columns = list(dict.fromkeys(name for row in rows for name in row))  # steps have different parameters
    with file.open("w", newline="") as out:
        writer = csv.DictWriter(out, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def written(files):
    """Returns build/gpu/sweeps/unroll.json, .csv, unroll-2.svg."""
    return ", ".join([shown_path(files[0]), *(file.suffix if file.stem == before.stem else file.name
                                              for before, file in zip(files, files[1:]))])
