"""Measures how fast the suite's own code is: reading and writing files, the CPU executor, the CPU baselines, building
the octree, and timing on a GPU.

Each result is printed with its limit, and those beyond the limit are marked FALLS SHORT. The measurements need a
machine that does nothing else, so they are not part of ./run test.
"""

import re
import subprocess
import xml.etree.ElementTree as ElementTree

from common.base.command_line import CommandFailed
from common.tools.build import add_preset, built, preset_of

FIGURE = re.compile(r"^figure: (.*)$", re.MULTILINE)
SHORT = ": FALLS SHORT"

add_arguments = add_preset


def measured(build):
    """Returns the lines of one build folder's benchmarks. A benchmark without a number gives a line with the reason."""
    record = build / "benchmarks.xml"
    record.unlink(missing_ok=True)
    subprocess.run(["ctest", "--test-dir", build, "-L", "benchmark", "--test-output-size-passed", "65536",
                    "--output-junit", record], stdout=subprocess.DEVNULL)
    if not record.exists():
        raise CommandFailed(f"CTest wrote no {record.name}")
    lines = []
    for case in ElementTree.parse(record).getroot().iterfind(".//testcase"):
        text = case.findtext("system-out") or ""
        figures = FIGURE.findall(text)
        if not figures:
            skipped = re.search("SKIPPED: (.*)", text)
            figures = [f"{case.get('name')}: skipped: {skipped[1]}" if skipped else f"{case.get('name')}: failed{SHORT}"]
        lines += figures
    return lines


def verdict(lines):
    """Prints the last line, and returns the exit status."""
    short = [line for line in lines if line.endswith(SHORT)]
    if not short:
        return f"{len(lines)} figures, none falls short", 0
    return f"{len(lines)} figures, {len(short)} fall short: {'; '.join(line.split(':')[0] for line in short)}", 1


def run(options):
    preset = preset_of(options)
    lines = []
    for folder in [preset] + ["cpu-check"] * (preset == "cpu"):
        for line in measured(built(folder, "benchmarks")):
            print(line, flush=True)
            lines.append(line)
    last, status = verdict(lines)
    print(last)
    return status
