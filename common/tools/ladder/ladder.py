"""Runs the host baselines and every step on the same bodies, prints the table and writes ladder.json.

Called by `./run ladder`, which has built the programs.
"""

import argparse
import json
import struct
import subprocess
import sys
from pathlib import Path

from common.base.command_line import ROOT, OneLineParser, script
from common.tools.ladder.instructions import predict
from common.tools.ladder.table import HEADER, text_row
from common.tools.programs import merged, run_program, step_programs

DIRECT_BASELINES = ["common/serial", "common/simd"]
DIRECT_UP_TO = 65536  # bodies; the serial one would need minutes beyond
TREE_BASELINE = "06_tree_walk/host_tree"
FORWARDED = ["scene", "input", "steps", "dt", "softening", "seed", "repeats"]


def parse_options():
    parser = OneLineParser(prog="./run ladder", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--preset", help="cpu or gpu [gpu where there are a GPU and nvcc]")
    parser.add_argument("--bodies", metavar="N[,N...]", help="numbers of bodies [16384; on a GPU 262144 and 1048576 too]")
    parser.add_argument("--record", action="store_true",
                        help="keep the result under docs/results/ and put its table into README.md")
    for name in FORWARDED:
        parser.add_argument(f"--{name}", help="as in every step's program")
    return parser.parse_args()


def bodies_in(file):
    """How many bodies a snapshot file has; None where it cannot be read, of which the programs say why."""
    if not Path(file).is_file():
        return None  # reading a pipe would wait
    try:
        with open(file, "rb") as snapshot:
            header = snapshot.read(16)
            for order in ("<", ">"):
                if len(header) == 16 and struct.unpack(order + "i", header[12:])[0] == 3:
                    return struct.unpack(order + "i", header[8:12])[0]
            return sum(1 for _ in snapshot)  # CSV: a line for each
    except OSError:
        return None


class Ladder:
    """The runs so far, with the log of what their programs printed."""

    def __init__(self, options):
        self.options = options
        self.documents = []
        self.log = ""
        self.failed = False

    def run(self, program, bodies, repeats):
        """Runs one program and prints its row of the table."""
        arguments = [] if bodies is None else [f"--bodies={bodies}"]
        for name in FORWARDED:
            value = getattr(self.options, name)
            if name == "repeats" and value is None:
                value = repeats
            if value is not None:
                arguments.append(f"--{name}={value}")
        outcome = run_program(program, arguments)
        self.log += outcome.log
        if outcome.status == 2:
            sys.exit(2)  # the program has said why
        self.failed |= outcome.status != 0
        if outcome.document:
            self.documents.append(outcome.document)
            predict(self.options.build, program, outcome.document)
            print(text_row(outcome.document["runs"][0], self.runs()), flush=True)

    def say(self, line):
        self.log += line + "\n"
        print(line, flush=True)

    def runs(self):
        return [document["runs"][0] for document in self.documents]


def main():
    options = parse_options()
    on_gpu = options.build.name == "gpu"
    ladder = Ladder(options)
    if not on_gpu:
        ladder.say("The steps run on the CPU executor, which checks kernels; its times say nothing of a GPU and are "
                   "not shown.")
    # A scene may fix its number of bodies: where only the scene is chosen, the programs choose the number.
    # A file has its own.
    default = [None] if options.scene or options.input else ["16384", "262144", "1048576"] if on_gpu else ["16384"]
    sizes = options.bodies.split(",") if options.bodies is not None else default
    if options.input:
        ladder.say(f"Bodies: {options.input}")
    print(HEADER, flush=True)
    for size in sizes:
        count = int(size) if size and size.isdigit() else bodies_in(options.input) if options.input else None
        direct = DIRECT_BASELINES
        if count and count > DIRECT_UP_TO:
            ladder.say(f"serial, simd: skipped above {DIRECT_UP_TO:,} bodies")
            direct = []
        for baseline in [*direct, TREE_BASELINE]:
            ladder.run(options.build / baseline, size, "5")
        for program in step_programs(options.build):
            ladder.run(program, size, None)

    if not ladder.documents:
        sys.exit(1)
    (options.build / "ladder.json").write_text(json.dumps(merged(ladder.documents), indent=2) + "\n")
    (options.build / "ladder.log").write_text(ladder.log)
    print(f"Written: {(options.build / 'ladder.json').relative_to(ROOT)}")
    if options.record:
        subprocess.run([*script("tools.ladder.record"), options.build], check=True)
    sys.exit(1 if ladder.failed else 0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
