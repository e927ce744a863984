"""Counts the memory accesses of a step's kernels line by line, like a profiler. This needs no GPU.

A request is one access by the lanes of a warp. Global memory moves in sectors of 32 bytes: `sectors` counts those that the
requests touch, and `least` those that the same bytes would need if they were neighbours. Shared memory has 32 banks: a request
takes as many wavefronts (`waves`) as the bank with the most words. Caches and time are not modelled.
"""

import collections
import json
import os
import subprocess
import tempfile
import textwrap
from pathlib import Path

from common.base.command_line import ROOT, BadInput, CommandFailed
from common.base.whole_file import check_places, write_whole
from common.executor.checker.advice import advice, branch_advice, branches, rows, totals
from common.tools.build import built, kernel_steps, programs_of, step_named
from common.tools.ladder.recorded import COUNTS
from common.tools.ladder.table import MASSES, ONE_LOOP, ROWS
from common.tools.programs import check_run_options, flags
from common.tools.terminal import fitting, room, text_width

# Widths of the table's columns, with the blank before each. The column of lines gets what the terminal has left.
WIDTHS = {"line": 16, "access": 17, "requests": 10, "lanes": 6, "sectors/waves": 14, "least": 10}
LESS_NEEDED = ("lanes", "requests")  # columns that a narrow terminal leaves out, in this order
LONGEST_LINE = 42


def add_arguments(parser):
    parser.add_argument("number", metavar="NN", nargs="?", help="the step, for example 02")
    parser.add_argument("--record", action="store_true", help="count steps 01 to 05, and keep the sums in docs/results/counts.json, "
                        "which the ladder shows on a machine without a GPU")
    parser.add_argument("--bodies", default="1024", metavar="N", help="number of bodies (default: 1024)")
    add_json(parser)


def add_json(parser):
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the counts to FILE, as JSON")


def wrapped(text, indent="    "):
    return textwrap.wrap(text, text_width(), initial_indent=indent, subsequent_indent=indent)


def widths_of(document):
    """Returns the widths of the columns that fit the terminal. That of lines has the longest one, if there is room."""
    widths = fitting(WIDTHS, LESS_NEEDED, room())
    lines = [one["line"] for kernel in document["kernels"] for one in (*kernel["accesses"], *kernel["branches"])]
    longest = min(LONGEST_LINE, max(map(len, ["line", *lines])) + 2)
    return {**widths, "line": min(longest, widths["line"] + max(0, room() - sum(widths.values())))}


def table_row(widths, cells):
    """Returns a row of the table. cells: by column; texts are aligned to the left, numbers to the right"""
    texts = {name: cells.get(name, "") for name in widths}
    line, width = cells["line"], widths["line"] - 2
    texts["line"] = " " + (line if len(line) <= width else f"...{line[3 - width:]}")
    return "".join(f" {text:{'<' if name in ('line', 'access') else '>'}{widths[name] - 1}}" for name, text in texts.items()).rstrip()


def access_cells(row):
    """Returns the cells of a row of advice.rows()."""
    pieces = ("sectors", "least_sectors") if row["memory"] == "global" else ("wavefronts", "least_wavefronts")
    numbers = zip(("requests", "sectors/waves", "least"), ("requests", *pieces))
    size = 16 - len(f"{row['memory']} {row['access']}")
    return {"line": row["line"], "access": f"{row['memory']} {row['access']}{row['bytes']:>{size}}",
            "lanes": f"{row['lanes'] / row['requests']:.1f}", **{name: f"{row[key]:,}" for name, key in numbers}}


def table(document):
    """Returns the counts as text. The most wasteful lines of each kernel come first."""
    lines, widths = [], widths_of(document)
    for kernel in document["kernels"]:
        seen = f"{kernel['blocks_seen']} of {kernel['blocks']} blocks counted" + (", not to their end" if kernel["is_cut"] else "")
        barriers = kernel["barriers"] / kernel["blocks_seen"]
        lines += wrapped(f"kernel {kernel['kernel']}, launched at {kernel['launched']}: {seen}, {barriers:,.4g} barriers per block", "")
        lines.append(table_row(widths, {name: name for name in widths}))
        for row in rows(kernel):
            lines += [table_row(widths, access_cells(row)), *wrapped(advice(row))]
        for row in branches(kernel):
            cells = {"line": row["line"], "access": "branch", "requests": f"{row['requests']:,}",
                     "lanes": f"{row['lanes'] / row['requests']:.1f}", "sectors/waves": f"{row['parted']:,} parted"}
            lines += [table_row(widths, cells), *wrapped(branch_advice(row, kernel))]
        lines.append("")
    lines += wrapped("Of {operations} kernels, copies and fills, {operations_in_a_row} are in a row: each waits for the previous one. "
                     "All kernels together make {global_requests:,} requests to global memory, for {global_sectors:,} sectors."
                     .format(**totals(document)), "")
    return "\n".join(lines) + "\n"


def write_file(file, document):
    """Writes the counts to the file that the user has named, if there is one."""
    if file:
        try:
            write_whole(file, json.dumps(document, indent=1) + "\n")
        except OSError as error:
            raise BadInput(f"cannot write '{file}': {error.strerror}") from None


def counted(command, environment=os.environ, **options):
    """Returns (the program's exit status, its counts or None) of a checked program."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "counts.json"
        status = subprocess.run(command, env={**environment, "NBODY_EXECUTOR_COUNTS": str(file)}, **options).returncode
        return status, json.loads(file.read_text()) if file.exists() else None


def per_interaction(document, bodies):
    """Returns bytes read from each memory per interaction, assuming that blocks that were not counted are like the others."""
    read = collections.Counter()
    for kernel in document["kernels"]:
        for one in kernel["accesses"]:
            if one["access"] == "load":
                read[one["memory"]] += one["lanes"] * one["bytes"] * kernel["blocks"] / kernel["blocks_seen"]
    return {f"{memory}_bytes": float(f"{read[memory] / bodies**2:.4g}") for memory in ("global", "shared")}


def counted_rows(bodies):
    """Returns a row for each program of the steps with one loop, and for each loop of step 05."""
    programs = [(step, name) for step in kernel_steps() if step[:2] <= ONE_LOOP for name in programs_of(step)]
    build = built("cpu-check", *(name for _, name in programs))
    for step, name in programs:
        for own in ROWS.get(f"{step}/{name}", [{}]):
            command = [str(build / step / name), "--bodies", str(bodies), "--steps", "0", *flags(**own)]
            _, document = counted(command, stdout=subprocess.DEVNULL)
            yield {"row": name + MASSES.get(own.get("equal_masses"), ""), **per_interaction(document, bodies)}


def record_counts(bodies):
    write_whole(COUNTS, json.dumps({"bodies": bodies, "rows": list(counted_rows(bodies))}, indent=1) + "\n")
    print(f"Recorded: {COUNTS.relative_to(ROOT)}")


def run(options):
    if options.record:
        return record_counts(4096)
    if options.number is None:
        raise BadInput("name a step, for example 02")
    step = step_named(options.number)
    check_run_options(bodies=options.bodies)
    check_places(options.json)
    program = built("cpu-check", step) / step / step
    status, document = counted([str(program), "--bodies", options.bodies, "--steps", "0"], stdout=subprocess.DEVNULL)
    if document is None:
        raise CommandFailed(f"{step} ended with status {status} and counted nothing")
    write_file(options.json, document)
    print(table(document), end="")
    return status
