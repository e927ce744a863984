"""Keeps a ladder's result under docs/results/ and puts its table into README.md.

record.py BUILD             from BUILD/ladder.json and BUILD/ladder.log
record.py --check           exits with 1 where README.md is not what the recorded result gives
"""

import json
import re
import shutil
import sys
from pathlib import Path

from ladder_table import markdown

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
BEGIN, END = "<!-- ladder: begin (written by ./run ladder --record) -->", "<!-- ladder: end -->"


def slug(device_name):
    """NVIDIA H200 -> h200"""
    words = re.sub(r"[^a-z0-9]+", "-", device_name.lower()).strip("-")
    return re.sub(r"^(nvidia|amd)-(geforce-)?", "", words)


def with_table(readme, document):
    before, rest = readme.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n{markdown(document)}\n{END}{after}"


def check():
    """The README's table names its commit; find the recorded result of that commit and compare."""
    readme = README.read_text()
    for recorded in sorted(ROOT.glob("docs/results/*/ladder.json")):
        if with_table(readme, json.loads(recorded.read_text())) == readme:
            print(f"README.md: the ladder's table is that of {recorded.relative_to(ROOT)}")
            return
    sys.exit("README.md: the ladder's table is that of no recorded result; ./run ladder --record writes it")


def keep(files, device):
    """Copies the files to the device's folder of results, and says which that is."""
    if device["kind"] != "gpu":
        sys.exit("record: only a GPU's results are recorded, an executor's time is no performance")
    folder = ROOT / "docs" / "results" / slug(device["name"])
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copy(file, folder / file.name)
    return folder


def record(build):
    document = json.loads((build / "ladder.json").read_text())
    folder = keep([build / "ladder.json", build / "ladder.log"], document["device"])
    README.write_text(with_table(README.read_text(), document))
    print(f"Recorded: {folder.relative_to(ROOT)}, README.md")


if __name__ == "__main__":
    if sys.argv[1] == "--check":
        check()
    else:
        record(Path(sys.argv[1]))
