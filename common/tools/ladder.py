"""Runs the host baselines and every step on the same bodies, prints the table and writes ladder.json.

Called by `./run ladder`, which has built the programs.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from instructions import predict
from ladder_table import HEADER, text_row

ROOT = Path(__file__).resolve().parents[2]
BASELINES = ["serial", "simd"]
BASELINES_UP_TO = 65536  # bodies; the serial one would need minutes beyond
FORWARDED = ["scene", "steps", "dt", "softening", "seed", "repeats"]


class OneLineParser(argparse.ArgumentParser):
    def error(self, message):
        print(f"ladder: {message}", file=sys.stderr)
        sys.exit(2)


def parse_options():
    parser = OneLineParser(prog="./run ladder", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--preset", help="cpu or gpu [gpu where there are a GPU and nvcc]")
    parser.add_argument("--bodies", metavar="N[,N...]", help="numbers of bodies [16384; on a GPU 262144 too]")
    parser.add_argument("--record", action="store_true",
                        help="keep the result under docs/results/ and put its table into README.md")
    for name in FORWARDED:
        parser.add_argument(f"--{name}", help="as in every step's program")
    return parser.parse_args()


def step_programs(build):
    """Paths of the steps' programs, in the ladder's order."""
    steps = sorted(folder.parent.name for folder in ROOT.glob("[0-9][0-9]_*/forces.cu"))
    return [build / step / step for step in steps]


class Ladder:
    """The runs so far, with the log of what their programs printed."""

    def __init__(self, options):
        self.options = options
        self.documents = []
        self.log = ""
        self.failed = False

    def run(self, program, bodies, repeats):
        """Runs one program and prints its row of the table."""
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.json"
            arguments = [] if bodies is None else [f"--bodies={bodies}"]
            for name in FORWARDED:
                value = getattr(self.options, name)
                if name == "repeats" and value is None:
                    value = repeats
                if value is not None:
                    arguments.append(f"--{name}={value}")
            result = subprocess.run(
                [program, *arguments, f"--json={report}"], stdout=subprocess.PIPE, text=True
            )
            self.log += f"$ {program.name} {' '.join(arguments)}\n{result.stdout}\n"
            if result.returncode == 2:
                sys.exit(2)  # the program has said why
            self.failed |= result.returncode != 0
            if report.exists():
                self.documents.append(json.loads(report.read_text()))
                predict(self.options.build, program, self.documents[-1])
                print(text_row(self.documents[-1]["runs"][0], self.runs()), flush=True)

    def say(self, line):
        self.log += line + "\n"
        print(line, flush=True)

    def runs(self):
        return [document["runs"][0] for document in self.documents]

    def document(self):
        """All runs in one document. The ceiling is the median of the programs' probes of it."""
        steps = [d for d in self.documents if d["device"]["kind"] != "host"]
        device = dict(steps[0]["device"])
        probes = [d["device"]["fma_tflops"] for d in steps if "fma_tflops" in d["device"]]
        if probes:
            device["fma_tflops"] = statistics.median(probes)
        for document in self.documents:
            run = document["runs"][0]
            if document["device"]["kind"] == "host":
                run["device"] = document["device"]
            elif probes:
                run["fma_share"] = run["gflops"] / (1000 * device["fma_tflops"])
        return {"suite": steps[0]["suite"], "device": device, "runs": self.runs()}


def main():
    options = parse_options()
    on_gpu = options.build.name == "gpu"
    ladder = Ladder(options)
    if not on_gpu:
        ladder.say("The steps run on the CPU executor, which checks kernels; its times say nothing of a GPU and are "
                   "not shown.")
    # A scene may fix its number of bodies: where only the scene is chosen, the programs choose the number.
    default = [None] if options.scene else ["16384", "262144"] if on_gpu else ["16384"]
    sizes = options.bodies.split(",") if options.bodies is not None else default
    print(HEADER, flush=True)
    for size in sizes:
        if size and size.isdigit() and int(size) > BASELINES_UP_TO:
            ladder.say(f"serial, simd: skipped above {BASELINES_UP_TO:,} bodies")
        else:
            for baseline in BASELINES:
                ladder.run(options.build / "common" / baseline, size, "5")
        for program in step_programs(options.build):
            ladder.run(program, size, None)

    if not ladder.documents:
        sys.exit(1)
    (options.build / "ladder.json").write_text(json.dumps(ladder.document(), indent=2) + "\n")
    (options.build / "ladder.log").write_text(ladder.log)
    print(f"Written: {(options.build / 'ladder.json').relative_to(ROOT)}")
    if options.record:
        subprocess.run([sys.executable, Path(__file__).with_name("record.py"), options.build], check=True)
    sys.exit(1 if ladder.failed else 0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
