"""The suite's commands: python3 common/tools COMMAND OPTION..., behind ./run.

A command's module has add_arguments(parser) and run(options), which returns the exit status; so has a script that is no
command and is called by its module's name, with a dot in it: python3 common/tools grader.grade OPTION...
"""

import argparse
import importlib
import sys

from common.base.command_line import OneLineParser, nearest, run_command, wide_help
from common.tools.build import build_for_grading

# Module and one line for each; the modules are imported when their command is called.
COMMANDS = {
    "ladder": ("tools.ladder.ladder", "run every step and the host baselines on the same bodies, check each against "
               "FP64 and print the table"),
    "sweep": ("tools.sweeps.sweep", "measure what a figure of the papers shows, and draw it again"),
    "figures": ("tools.sweeps.figures", "every sweep; without a GPU those of the chapter"),
    "record": ("tools.ladder.record", "measure all that is recorded, part by part, and keep it under docs/results/"),
    "test": ("tools.testing.test", "build and run all tests except those of compute-sanitizer"),
    "benchmark": ("tools.testing.benchmark", "measure how fast the suite's own tools are, and say what falls short"),
    "check": ("tools.testing.check", "run a step's force tests under the executor's checker: races, missing barriers, "
              "accesses out of bounds"),
    "cuda": ("tools.cuda.cuda", "compile any CUDA program for the CPU executor, and run it under the checker"),
    "mutants": ("tools.mutants.mutants", "run each wrong kernel of common/tests/mutants, say what finds its mistake"),
    "exercises": ("tools.exercises.exercises", "write the starters of the exercises into a folder"),
    "learn": ("tools.exercises.learn", "do the exercises in this terminal, graded again whenever you save"),
    "grade": ("grader.grade", "grade a submission for a step or an exercise"),
    "export": ("grader.export.export", "write the files by which Gradescope, GitHub or GPU MODE grades submissions"),
    "grade-all": ("grader.classes.grade_all", "grade a class, a folder for each student"),
    "fuzz": ("tools.testing.fuzz", "feed the readers of snapshot files with mutated ones"),
    "instructions": ("tools.ladder.instructions", "count the instructions of a step's innermost loop"),
    "profile": ("tools.ladder.profile", "profile each step's force kernel with Nsight Compute, beside the program's own time"),
    "occupancy": ("tools.ladder.occupancy", "registers, shared memory, blocks and warps of each step's force kernel, on this GPU and "
                  "others"),
    "limits": ("tools.ladder.limits", "say what limits each step's innermost loop on each GPU architecture, without a GPU"),
    "sanitize": ("tools.testing.sanitize", "run compute-sanitizer's tools over the force tests"),
    "loop": ("tools.plots.loop", "draw a run's trajectory as a short animated picture"),
    "demo": ("tools.demo", "make a movie of two galaxies that merge, and open it"),
    "live": ("tools.live", "watch a run in the browser, turn its knobs, climb the ladder with a key"),
    "docs": ("tools.docs.docs", "build the documentation and its slides, offline, and print where they are"),
    "help": (None, "this list, or what ./run NAME --help prints"),
}
LAST_LINES = """./run COMMAND --help describes a command and its options.
The commands use the GPU if a GPU and nvcc are available, otherwise the CPU executor; --preset cpu or --preset gpu,
after the command, chooses."""


def listing():
    parser = argparse.ArgumentParser(prog="./run", usage="./run COMMAND [OPTION...]", epilog=LAST_LINES, add_help=False,
                                     formatter_class=wide_help)
    commands = parser.add_subparsers(title="commands", metavar="")
    for name, (_, summary) in COMMANDS.items():
        commands.add_parser(name, help=summary)
    return parser.format_help()


def run_script(name, words):
    module = importlib.import_module(f"common.{name}")
    if hasattr(module, "add_arguments"):
        return run_command(name.rpartition(".")[2].replace("_", "-"), module, words)
    sys.argv[1:] = words
    return module.main()


def main(words):
    name, words = (words[0], words[1:]) if words else ("help", [])
    if name in ("help", "--help", "-h"):
        if not words:
            print(listing(), end="")
            return 0
        name, words = words[0], ["--help"]
    if "." in name:
        return run_script(name, words)
    if name not in COMMANDS:
        advice = nearest(name, COMMANDS) or "; ./run help lists the commands"
        OneLineParser(prog="run").error(f"unknown command '{name}'{advice}")
    # The grader, which is below the tools, is told how its programs are built.
    more = [build_for_grading] if name.startswith("grade") else []
    return run_command(name, importlib.import_module(f"common.{COMMANDS[name][0]}"), words, *more)
