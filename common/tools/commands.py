"""The suite's commands: python3 common/tools COMMAND OPTION..., which ./run calls.

A command's module has run(options), which returns the exit status, and if it has options add_arguments(parser). A script that is
not a command has them too, and is called by its module's name, with a dot in it: python3 common/tools grader.grade OPTION...
"""

from pathlib import Path

from common.base.command_line import OneLineParser, nearest, run_command
from common.tools.build import build_for_grading

COMMON = Path(__file__).resolve().parents[1]
# Module and one line for each, in the order of the help. Modules are imported when their command is called. A name with an option
# is another tool of the same command: ./run check --see 02 calls the module of "check --see".
COMMANDS = {
    "setup": ("tools.setup", "install and build, once, what the next commands, cuda and check need"),
    "live": ("live.live", "watch two galaxies merge in the browser, change the settings, switch between steps with a key"),
    "live --movie": ("tools.demo", "make a movie of the two galaxies, and open it"),
    "ladder": ("tools.ladder.ladder", "run every step on the same bodies, check the forces against FP64 and print a table"),
    "learn": ("tools.exercises.learn", "work through ten puzzles and the exercises in this terminal; your file is checked each time you save it"),
    "docs": ("tools.docs.docs", "build the documentation and its slides, and print where they are"),
    "help": (None, "print this list; ./run help NAME describes one command"),
    "cuda": ("tools.cuda.cuda", "compile any CUDA program for the CPU and run it under the checker"),
    "check": ("tools.testing.check", "look for races, missing barriers and out-of-bounds accesses in a step's kernel"),
    "check --counts": ("tools.cuda.counts", "count the memory accesses of a step's kernels line by line, like a profiler; needs no GPU"),
    "check --see": ("tools.cuda.see", "write a page that shows what the threads of a step's kernel read and write, step by step"),
    "exercises": ("tools.exercises.exercises", "write the starter files of puzzles and exercises into a folder"),
    "grade": ("grader.grade", "grade one submission for a step or an exercise"),
    "grade --class": ("grader.grade_all", "grade a class, with one folder per student"),
    "export": ("grader.export.export", "write a copy of the suite for students, or the files with which Gradescope or GitHub grades"),
    "sweep": ("tools.sweeps.sweep", "measure how a setting, such as the block size, changes the speed, and draw the figure"),
    "profile": ("tools.ladder.profile", "profile each step's force kernel with Nsight Compute"),
    "profile --instructions": ("tools.ladder.instructions", "count the instructions of a step's innermost loop"),
    "profile --occupancy": ("tools.ladder.occupancy", "print the registers, shared memory, blocks and warps of each step's force kernel"),
    "profile --limits": ("tools.ladder.limits", "print what limits each step's innermost loop on each GPU architecture; needs no GPU"),
    "record": ("tools.ladder.record", "measure all results that are published for a GPU, and store them in docs/results/"),
    "test": ("tools.testing.test", "build everything and run the tests, except those of compute-sanitizer"),
    "test --mutants": ("tools.mutants.mutants", "run deliberately wrong kernels, and show which tool finds each mistake"),
    "test --sanitize": ("tools.testing.sanitize", "run NVIDIA's compute-sanitizer over the force tests"),
    "test --fuzz": ("tools.testing.fuzz", "test the readers of snapshot files with random damage"),
}
# A copy for students lacks some commands.
COMMANDS = {name: (module, summary) for name, (module, summary) in COMMANDS.items()
            if module is None or (COMMON / f"{module.replace('.', '/')}.py").exists()}
# Commands of earlier releases: a tool that is an option now had the option's name.
EARLIER = {**{name.partition(" --")[2]: name for name in COMMANDS if " " in name}, "demo": "live --movie", "grade-all": "grade --class"}
HEADINGS = {"setup": "Start here", "cuda": "Your own code", "export": "Teach a course", "sweep": "Measure and draw",
            "test": "Test the suite"}
LAST_LINES = """
./run COMMAND --help describes a command and its options. A line with an option is another tool of the command above it, with options
of its own: ./run check --see --help.
The commands use a GPU if there is one, with nvcc. Otherwise CUDA code runs on the CPU executor, a part of this suite.
To choose, put --preset gpu or --preset cpu after the command. The executor's checker watches every access to memory."""


def listing():
    lines = ["usage: ./run COMMAND [OPTION...]"]
    for name, (_, summary) in COMMANDS.items():
        lines += ["", f"{HEADINGS[name]}:"] if name in HEADINGS else []
        command, _, option = name.partition(" ")
        lines.append(f"  {command:<14}{summary}" if not option else f"    {option:<16}{summary}")
    return "\n".join([*lines, LAST_LINES, ""])


def main(words):
    name, words = (words[0], words[1:]) if words else ("help", [])
    if name in ("help", "--help", "-h"):
        if not words or words[0] in ("help", "--help", "-h"):
            print(listing(), end="")
            return 0
        name, words = words[0], [*words[1:], "--help"]
    if "." in name and (COMMON / f"{name.replace('.', '/')}.py").is_file():
        return run_command(name.rpartition(".")[2].replace("_", "-"), f"common.{name}", words)
    if name in EARLIER:
        OneLineParser(prog="run").error(f"'{name}' is now ./run {EARLIER[name]}")
    tools = {key.removeprefix(f"{name} "): summary for key, (_, summary) in COMMANDS.items() if key.startswith(f"{name} ")}
    option = next((word for word in words if word in tools), None)
    if option:
        if words.count(option) > 1:
            OneLineParser(prog=name).error(f"{option} is given twice")
        name, words, tools = f"{name} {option}", [word for word in words if word != option], {}
    if name not in COMMANDS:
        advice = nearest(name, COMMANDS) or "; ./run help lists the commands"
        OneLineParser(prog="run").error(f"unknown command '{name}'{advice}")
    # The grader, a lower layer than the tools, gets the function that builds its programs.
    more = [build_for_grading] if name.startswith("grade") else []
    return run_command(name, f"common.{COMMANDS[name][0]}", words, *more, tools=tools)
