"""What the sweeps leave: JSON, CSV, log and figures."""

import csv
import importlib
import json

from common.base.command_line import BadInput, shown_path
from common.tools import packages
from common.tools.ladder import record
from common.tools.programs import write_json
from common.tools.sweeps.runs import Measurement


def flat(run):
    """A run without nesting: error.median becomes error_median, parameters keep their names. Distributions are in
    the JSON alone."""
    row = {}
    for name, value in run.items():
        if not isinstance(value, dict):
            row[name] = value
        elif name == "parameters":
            row.update(value)
        else:
            row.update({f"{name}_{part}": figure for part, figure in value.items()
                        if not isinstance(figure, dict)})
    return row


def write_csv(file, document):
    rows = [flat(run) for run in document.get("table", document["runs"])]
    columns = list(dict.fromkeys(name for row in rows for name in row))  # steps differ in their parameters
    with file.open("w", newline="") as out:
        writer = csv.DictWriter(out, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_figure(sweep, document, stem):
    """The files drawn; says so where there are none: no speeds of the executor, nothing without matplotlib."""
    if document["device"]["kind"] != "gpu" and sweep.of_speeds:
        print("No plot: times on the CPU executor say nothing about a GPU.")
        return []
    if not packages.has_module("matplotlib"):
        print("No plot: this python3 has no matplotlib. With it, ./run sweep "
              f"{sweep.name} --from {stem.with_suffix('.json')} draws one.")
        return []
    # Here, for the executor's sweeps work without matplotlib.
    return importlib.import_module(sweep.plots).draw(sweep, document, stem)


class Kind:
    """What a kind of sweep is, beside its name, title, targets(on_gpu) and measured(options): document, log, passed;
    or its points() and table_row()."""

    plots = "common.tools.plots.plot"  # the module that draws it
    of_speeds = True                   # then drawn only of a GPU's
    needs_gpu = False                  # where it measures times and nothing else

    def check(self, options, on_gpu):
        """Refuses options."""
        if options.bodies:
            raise BadInput(f"--bodies: {options.name} has sizes of its own")
        if self.needs_gpu and not on_gpu:
            raise BadInput(f"{self.name} measures times, so it needs a GPU")

    def run(self, options):
        """Measures, writes and perhaps records it; whether all checks passed."""
        print(self.heading(options), flush=True)
        document, log, passed = self.measured(options)
        document.setdefault("sweep", {"name": self.name, "left_out": []})
        stem = options.build / "sweeps" / self.name
        files = [stem.with_suffix(suffix) for suffix in (".json", ".csv", ".log")]
        write_json(files[0], document)
        write_csv(files[1], document)
        files[2].write_text(log)
        files += write_figure(self, document, stem)
        print(f"Written: {written(files)}\n")
        if options.record and not passed:
            print("Not recorded, because not all checks passed. The earlier record stays.\n")
        elif options.record:
            print(f"Recorded: {shown_path(record.keep(files, document['device']))}\n")
        return passed

    def heading(self, options):
        return self.title

    def measured(self, options):
        measurement = Measurement(self, self.points(options))
        return measurement.document(), measurement.log, not measurement.failed


def written(files):
    """build/gpu/sweeps/unroll.json, .csv, unroll-2.svg, .png"""
    return ", ".join([shown_path(files[0]), *(file.suffix if file.stem == before.stem else file.name
                                              for before, file in zip(files, files[1:]))])


def redraw(sweep, recorded):
    """Writes CSV and figure of recorded data again."""
    try:
        document = json.loads(recorded.read_text())
        name = document["sweep"]["name"]
    except OSError as error:
        raise BadInput(f"--from: {recorded}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise BadInput(f"--from: {recorded} is not a sweep's JSON") from None
    if name != sweep.name:
        raise BadInput(f"--from: {recorded} is of the sweep '{name}', not '{sweep.name}'")
    packages.need("matplotlib")
    table = recorded.with_suffix(".csv")
    write_csv(table, document)
    print(f"Written: {written([table, *write_figure(sweep, document, recorded.with_suffix(''))])}")
