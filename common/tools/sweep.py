"""Sweeps one choice point by point and draws the figure of GPU Gems 3, chapter 31, that does the same.

Called by `./run sweep` and `./run figures`, which have built the programs.
"""

import argparse
import csv
import importlib.util
import json
import sys
from pathlib import Path

import record
from programs import ROOT, OneLineParser, merged, run_program
from sweep_points import SWEEPS, points

TABLE = "{:<26}{:>10}{:>8}{:>12}{:>14}{:>11}  {}"


def parse_options(arguments=None):
    parser = OneLineParser(prog="./run sweep", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("name", choices=[*SWEEPS, "all"], help="what is varied")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--preset", help="cpu or gpu [gpu where there are a GPU and nvcc]")
    parser.add_argument("--from", dest="recorded", metavar="FILE", type=Path,
                        help="measure nothing, write CSV and figure of this JSON again, beside it")
    parser.add_argument("--record", action="store_true", help="keep the results under docs/results/")
    parser.add_argument("--scene", help="as in every step's program")
    parser.add_argument("--repeats", help="as in every step's program [7; 3 above 262144 bodies]")
    options = parser.parse_args(arguments)
    if options.recorded is None and options.build is None:
        parser.error("--build or --from is missing")
    if options.recorded and (options.name == "all" or options.record or options.scene or options.repeats):
        parser.error("--from takes one sweep's name and no other option")
    if options.record and options.build.name != "gpu":
        parser.error("--record: only a GPU's results are recorded, an executor's time is no performance")
    return options


class Measurement:
    """The points so far of one sweep."""

    def __init__(self, sweep, total):
        self.sweep = sweep
        self.total = total
        self.started = 0
        self.documents = []
        self.left_out = []  # what a program refused, and why
        self.log = ""
        self.failed = False

    def measure(self, program, arguments):
        self.started += 1
        show_progress(f"{self.sweep.name} {self.started}/{self.total}: {program.name} {' '.join(arguments)}")
        outcome = run_program(program, arguments, keep_complaint=True)
        show_progress("")
        self.log += outcome.log
        if outcome.status == 2:
            self.left_out.append({"point": f"{program.name} {' '.join(arguments)}", "reason": outcome.complaint})
            return
        if outcome.status != 0:
            self.failed = True
            print(outcome.complaint or f"{program.name}: ended with status {outcome.status}", file=sys.stderr)
        if outcome.document:
            self.documents.append(outcome.document)
            print(table_row(self.sweep, outcome.document["runs"][0]), flush=True)

    def document(self):
        sweep = {"name": self.sweep.name, "left_out": self.left_out}
        return {**merged(self.documents), "sweep": sweep}


def show_progress(line):
    """One line that the next replaces, in a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)


def table_header(sweep):
    return TABLE.format("step", "N", sweep.option and sweep.axis.split()[-1] or "", "GFLOP/s", "error median",
                        "error max", "check")


def table_row(sweep, run):
    error = run.get("error") or {}

    def shown(value, form):
        return "-" if value is None else format(value, form)

    return TABLE.format(run["step"], f"{run['bodies']:,}", sweep.x(run) if sweep.option else "",
                        shown(run.get("gflops"), ",.0f"), shown(error.get("median"), ".1e"),
                        shown(error.get("max"), ".1e"), "ok" if run["passed"] else "FAILED")


def flat(run):
    """A run as one level of names: error.median becomes error_median. Parameters keep their own."""
    row = {}
    for name, value in run.items():
        if not isinstance(value, dict):
            row[name] = value
        elif name == "parameters":
            row.update(value)
        else:
            row.update({f"{name}_{part}": figure for part, figure in value.items()})
    return row


def write_csv(file, document):
    rows = [flat(run) for run in document["runs"]]
    columns = list(dict.fromkeys(name for row in rows for name in row))  # steps differ in their parameters
    with file.open("w", newline="") as out:
        writer = csv.DictWriter(out, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_figure(sweep, document, stem):
    """The files drawn: none without speeds, or without matplotlib, which is said."""
    if document["device"]["kind"] != "gpu":
        print("No plot: the steps ran on the CPU executor, which checks kernels; its times say nothing of a GPU.")
        return []
    if importlib.util.find_spec("matplotlib") is None:
        print("No plot: this python3 has no matplotlib. With it, ./run sweep "
              f"{sweep.name} --from {stem.with_suffix('.json')} draws one.")
        return []
    from plot import draw  # here, for the executor's sweeps work without matplotlib

    return draw(sweep, document, stem)


def write_results(measurement, folder):
    """JSON, CSV, log and figure in the folder; returns their paths and the document."""
    sweep = measurement.sweep
    document = measurement.document()
    stem = folder / sweep.name
    folder.mkdir(parents=True, exist_ok=True)
    files = [stem.with_suffix(suffix) for suffix in (".json", ".csv", ".log")]
    files[0].write_text(json.dumps(document, indent=2) + "\n")
    write_csv(files[1], document)
    files[2].write_text(measurement.log)
    return files + write_figure(sweep, document, stem), document


def run_sweep(sweep, options):
    """Measures, writes and perhaps records one sweep; whether all its checks passed."""
    todo = points(sweep, options.build, options.build.name == "gpu", options)
    measurement = Measurement(sweep, len(todo))
    print(f"Figure {sweep.figure}: {sweep.title} ({sweep.setting})\n{table_header(sweep)}", flush=True)
    for program, arguments in todo:
        measurement.measure(program, arguments)
    if not measurement.documents:
        print(f"sweep: no point was measured: {(measurement.left_out or [{}])[0].get('reason', 'all failed')}",
              file=sys.stderr)
        sys.exit(1 if measurement.failed else 2)
    for refused in measurement.left_out:
        print(f"Left out: {refused['point']}: {refused['reason']}")
    files, document = write_results(measurement, options.build / "sweeps")
    print(f"Written: {written(files)}\n")
    if options.record:
        folder = record.keep(files, document["device"])
        print(f"Recorded: {folder.relative_to(ROOT)}\n")
    return not measurement.failed


def written(files):
    """build/gpu/sweeps/unroll.json, .csv"""
    first = files[0].resolve()
    shown = first.relative_to(ROOT) if first.is_relative_to(ROOT) else files[0]
    return ", ".join([str(shown), *(file.suffix for file in files[1:])])


def redraw(sweep, recorded):
    """CSV and figure of recorded data."""
    try:
        document = json.loads(recorded.read_text())
        name = document["sweep"]["name"]
    except OSError as error:
        return f"--from: {recorded}: {error.strerror}"
    except (ValueError, KeyError, TypeError):
        return f"--from: {recorded} is not a sweep's JSON"
    if name != sweep.name:
        return f"--from: {recorded} is of the sweep '{name}', not '{sweep.name}'"
    table = recorded.with_suffix(".csv")
    write_csv(table, document)
    print(f"Written: {written([table, *write_figure(sweep, document, recorded.with_suffix(''))])}")
    return None


def main():
    options = parse_options()
    if options.recorded:
        if complaint := redraw(SWEEPS[options.name], options.recorded):
            print(f"sweep: {complaint}", file=sys.stderr)
            sys.exit(2)
        return
    names = SWEEPS if options.name == "all" else [options.name]
    passed = [run_sweep(SWEEPS[name], options) for name in names]
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
