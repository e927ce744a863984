"""Measures the ladder and all figures, and keeps the results under docs/results/ in a folder named after this GPU.

The tables of README.md are those of one GPU: they are written anew where it is this one.
"""

import json
import re
import shutil

from common.base.command_line import ROOT, BadInput, CommandFailed, run_command
from common.tools import markdown
from common.tools.build import add_preset, preset_of
from common.tools.ladder.table import INSTRUCTION_COLUMNS, instruction_cells, ladder_section
from common.tools.markdown import with_section

README = ROOT / "README.md"
LADDER = "./run ladder --record"  # what writes its part of README.md


def slug(device_name):
    """NVIDIA H200 -> h200"""
    words = re.sub(r"[^a-z0-9]+", "-", device_name.lower()).strip("-")
    return re.sub(r"^(nvidia|amd)-(geforce-)?", "", words)


def with_recorded(readme, folder):
    """The README with the tables of a device's folder of results."""
    ladder = ladder_section(json.loads((folder / "ladder.json").read_text()))
    counts = [json.loads(file.read_text()) for file in sorted(folder.glob("instructions_*.json"))]
    return with_section(with_section(readme, "ladder", ladder, LADDER), "instructions", instructions_section(counts),
                        "./run instructions NN --record")


def instructions_section(documents):
    device, run = documents[0]["device"], documents[0]["runs"][0]
    rows = [instruction_cells(document["runs"][0]) for document in documents]
    return (f"{device['name']}, CUDA {device['cuda']}, {device['fma_clock_ghz']:.2f} GHz, commit "
            f"{documents[0]['suite']['commit']}; N = {run['bodies']:,}, FP32.\n\n"
            + markdown.table(INSTRUCTION_COLUMNS, rows, range(1, len(INSTRUCTION_COLUMNS))))


def check():
    """The README's tables name their commits; some device's recorded results must give them."""
    readme = README.read_text()
    for recorded in sorted(ROOT.glob("docs/results/*/ladder.json")):
        if with_recorded(readme, recorded.parent) == readme:
            print(f"README.md: the tables are those of {recorded.parent.relative_to(ROOT)}")
            return
    raise CommandFailed("README.md's tables are those of no recorded result; ./run ladder --record writes them")


def keep(files, device):
    """Copies the files to the device's folder of results, and says which that is."""
    if device["kind"] != "gpu":
        raise CommandFailed("only a GPU's results are recorded, an executor's time is no performance")
    folder = ROOT / "docs" / "results" / slug(device["name"])
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copy(file, folder / file.name)
    return folder


def record(files):
    """Keeps the files, the first of which is the JSON, and rewrites the README's tables where they are of this device."""
    device = json.loads(files[0].read_text())["device"]
    folder = keep(files, device)
    readme = README.read_text()
    if readme.split(f"(written by {LADDER}) -->")[1].lstrip().startswith(device["name"] + ","):
        README.write_text(with_recorded(readme, folder))
        print(f"Recorded: {folder.relative_to(ROOT)}, README.md")
    else:
        print(f"Recorded: {folder.relative_to(ROOT)}; README.md shows another GPU and stays as it is")


def add_arguments(parser):
    add_preset(parser)
    parser.add_argument("--check", action="store_true",
                        help="measure nothing, fail where README.md's tables are those of no recorded result")


def run(options):
    if options.check:
        return check()
    if preset_of(options) != "gpu":
        raise BadInput("needs a GPU and nvcc, an executor's time is no performance")
    from common.tools.ladder import ladder  # which imports this module
    from common.tools.sweeps import figures
    given = ["--preset", "gpu", "--record"]
    return run_command("ladder", ladder, given) or run_command("figures", figures, given)
