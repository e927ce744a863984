"""Counts what a step's kernels ask of memory, line by line, as a profiler does. This needs no GPU.

A request is one access by all lanes of a warp that make it. Global memory moves in sectors of 32 bytes: `sectors` are those that
the requests touch, and `least` is how many the same bytes would need if they were neighbours. Shared memory has 32 banks: a
request takes as many wavefronts as the bank with the most words. Caches and time are not modelled.
"""

import collections
import json
import os
import subprocess
import tempfile
import textwrap
from pathlib import Path

from common.base.command_line import BadInput, CommandFailed
from common.base.whole_file import write_whole
from common.tools.build import built, step_names

WIDTH = 40  # of the column for lines
HEAD = f"  {'line':<{WIDTH}} {'access':<19} {'requests':>9} {'lanes':>5} {'sectors':>9} {'least':>8} {'waves':>7} {'least':>7}"
SUMS = ("requests", "lanes", "sectors", "least_sectors", "wavefronts", "least_wavefronts")


def add_arguments(parser):
    parser.add_argument("number", metavar="NN", help="the step, for example 02")
    parser.add_argument("--bodies", type=int, default=1024, metavar="N", help="number of bodies (default: 1024)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the counts to FILE, as JSON")


def rows(kernel):
    """A dictionary for each line and kind of access, the most wasteful first."""
    found = collections.OrderedDict()
    for one in kernel["accesses"]:
        row = found.setdefault((one["line"], one["memory"], one["access"], one["bytes"]), {**one, **dict.fromkeys(SUMS, 0)})
        for name in SUMS:
            row[name] += one[name]
    return sorted(found.values(), key=wasted, reverse=True)


def wasted(row):
    return row["sectors"] - row["least_sectors"] + row["wavefronts"] - row["least_wavefronts"]


def advice(row):
    """What is known to help; empty where little is lost."""
    if row["memory"] == "global" and row["access"] == "atomic" and row["sectors"] >= 2 * row["least_sectors"]:
        return "several lanes update one address and take turns: add up within the warp or the block first"
    if row["memory"] == "global" and row["sectors"] >= 2 * row["least_sectors"]:
        stride = abs(row["stride"])
        apart = (f"neighbouring lanes are {stride} bytes apart; let them use neighbouring elements, which arrays of numbers instead "
                 "of structs often allow" if stride > row["bytes"] else "the lanes use elements that are far from each other")
        return (f"{row['sectors'] / row['requests']:.0f} sectors per request where {row['least_sectors'] / row['requests']:.0f} "
                f"would do: {apart}")
    if row["memory"] == "shared" and row["wavefronts"] >= 2 * row["least_wavefronts"]:
        return (f"{row['wavefronts'] / row['requests']:.0f} wavefronts per request where "
                f"{row['least_wavefronts'] / row['requests']:.0f} would do: lanes meet in a bank; one more column often helps")
    return ""


def table(document):
    """The counts as text; the lines of each kernel that waste most come first."""
    lines = []
    for kernel in document["kernels"]:
        seen = f"{kernel['blocks_seen']} of {kernel['blocks']} blocks counted" + (", not to their end" if kernel["is_cut"] else "")
        lines += [f"kernel {kernel['kernel']}, launched at {kernel['launched']}: {seen}", HEAD]
        for row in rows(kernel):
            name = row["line"] if len(row["line"]) <= WIDTH else f"...{row['line'][3 - WIDTH:]}"
            figures = [f"{row['sectors']:>9,} {row['least_sectors']:>8,}" if row["memory"] == "global" else f"{'':>18}",
                       f"{row['wavefronts']:>7,} {row['least_wavefronts']:>7,}" if row["memory"] == "shared" else ""]
            lines.append(f"  {name:<{WIDTH}} {row['memory']} {row['access']} {row['bytes']:>{18 - len(row['memory'] + row['access'])}}"
                         f" {row['requests']:>9,} {row['lanes'] / row['requests']:>5.1f} {figures[0]} {figures[1]}".rstrip())
            if text := advice(row):
                lines += textwrap.wrap(text, 100, initial_indent="    ", subsequent_indent="    ")
        lines.append("")
    return "\n".join(lines)


def counted(command, environment=os.environ, **options):
    """(the program's exit status, its counts or None) of a checked program."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "counts.json"
        status = subprocess.run(command, env={**environment, "NBODY_EXECUTOR_COUNTS": str(file)}, **options).returncode
        return status, json.loads(file.read_text()) if file.exists() else None


def run(options):
    steps = [name for name in step_names() if name.startswith(f"{options.number}_")]
    if len(steps) != 1:
        raise BadInput(f"no step '{options.number}'")
    if options.bodies < 1:
        raise BadInput(f"--bodies must be at least 1, not {options.bodies}")
    program = built("cpu-check", steps[0]) / steps[0] / steps[0]
    status, document = counted([str(program), "--bodies", str(options.bodies), "--steps", "0"], stdout=subprocess.DEVNULL)
    if document is None:
        raise CommandFailed(f"{steps[0]} ended with status {status} and counted nothing")
    if options.json:
        try:
            write_whole(options.json, json.dumps(document, indent=1) + "\n")
        except OSError as error:
            raise BadInput(f"cannot write '{options.json}': {error.strerror}") from None
    print(table(document), end="")
    return status
