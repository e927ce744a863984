"""Builds the mutants, which are kernels and programs that are wrong on purpose, and runs them under a tool that finds
mistakes.

The mutants are in mutants.txt of each step's folder. The command prints what was found, and fails if a mistake is missed or
reported as another kind of mistake.
"""

import argparse
import concurrent.futures
import json
import os
import sys
import time
from pathlib import Path

from common.base.command_line import ROOT, BadInput, whole_number
from common.grader.exercises import mutant_corpus
from common.tools import progress, ranks
from common.tools.build import EXECUTOR, add_preset, built, configured, kernel_steps
from common.tools.mutants import page
from common.tools.mutants.runner import ORDERS, SANITIZERS, TOOLS, ProgramRunner, Runner

LAST_QUICK = "05"  # step whose mutants take a few seconds to compile
OF_RANKS = {"checker", "validation"}  # tools for mutants with several ranks
# Preset of each tool.
PRESETS = {"checker": "cpu-check", "programs": "cpu-check", "validation": "cpu", "compute-sanitizer": "gpu"}


def add_arguments(parser):
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="run only these mutants, and show all that they print (default: all)")
    parser.add_argument("--quick", action="store_true",
                        help="run all mutants of steps 01 to 05 and of whole programs, and of the later steps, which take longer to "
                        "compile, only the first one of each report")
    parser.add_argument("--list", action="store_true", help="list the mutants and their kinds, and run nothing")
    parser.add_argument("--tool", choices=TOOLS, help="the tool that looks for mistakes: checker: in kernels; programs: the "
                        "checker, in host code; validation: only the comparison with FP64; "
                        "compute-sanitizer: NVIDIA's tool, needs a GPU (default: checker and programs)")
    add_preset(parser, list(dict.fromkeys(PRESETS.values())), "the build to use (default: the one that the tool needs)")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=whole_number(1, 10**4), default=os.cpu_count(), metavar="N",
                        help="run N mutants at the same time (default: the number of cores)")
    parser.add_argument("--record", action="store_true", help="keep the results in docs/results/mutants, "
                        "which the page of mutants shows; results of mutants that did not run stay as they are")


def chosen(options, tool):
    """Returns the mutants that the command line asks for, among those for the tool."""
    mutants = [m for m in mutant_corpus.corpus() if bool(m.whole_program) == (tool == "programs")
               and (not m.ranks or tool in OF_RANKS)]
    if options.names:
        mutants = [m for m in mutants if m.name in options.names]
    first = mutant_corpus.one_of_each(mutants)
    return [m for m in mutants if m.whole_program or m.step[:2] <= LAST_QUICK or m in first] if options.quick else mutants


def chosen_by_tool(options):
    found = {tool: chosen(options, tool) for tool in ([options.tool] if options.tool else ["checker", "programs"])}
    tool = f" for --tool {options.tool}" if options.tool else ""
    unknown = set(options.names) - {m.name for mutants in found.values() for m in mutants}
    if unknown:
        raise BadInput(f"no mutant{tool} is named {sorted(unknown)[0]}; ./run test --mutants --list names them")
    return {tool: mutants for tool, mutants in found.items() if mutants}


def that_can_run(mutants, build):
    """Returns the mutants without those of several ranks if there is no MPI."""
    alone = [m for m in mutants if not m.ranks]
    if len(alone) == len(mutants) or ranks.mpirun(build):
        return mutants
    print(f"{len(mutants) - len(alone)} mutants are not run: {ranks.MISSING}", file=sys.stderr)
    return alone


def print_row(entry):
    """Prints one line for each run of a mutant, and another line for a problem."""
    name = entry["name"]
    for tool, run in entry["runs"].items():
        finder = run["by"] or "not found"
        label = tool if len(entry["runs"]) > 1 else entry["kind"]
        progress.say(f"{name:30.30} {label:46.46} {finder:18} {run['message']:.110}")
        name = ""
    if "problem" in entry:
        progress.say(f"{name:30.30} PROBLEM: {entry['problem']}")


def judge_all(runner, mutants, jobs):
    """Returns (entries, controls), the entries of the JSON report."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        entries = []
        judged = pool.map(runner.judge, mutants)
        controls = runner.controls(mutants, pool)  # begin while the last mutants run
        for entry in judged:
            entries.append(entry)
            print_row(entry)
            progress.show(mutants=f"{len(entries)} of {len(mutants)}")
        with progress.shown(mutants="", controls="what must be clean"):
            return entries, list(controls)


def show(runner, mutant):
    """Runs one mutant and shows all that it prints. Returns whether its mistake was found and named."""
    print(f"{mutant.name}: {mutant.kind}\n{mutant.mistake}\n\n{mutant.shown()}")
    program = runner.program(mutant.name, mutant.step, mutant.sources(), mutant.program)
    for tool in TOOLS[runner.options.tool]:
        command = runner.command(program, mutant.arguments, mutant.bodies[0], mutant.ranks)
        found, log = runner.run(tool, command, ORDERS[0])
        print("$", " ".join([tool if tool in SANITIZERS else "", *map(str, command)]).strip().replace(f"{ROOT}/", ""))
        print(log)
        print(f"Found by {found.by}: {found.message}" if found.by else "Not found.", flush=True)
    if runner.options.tool not in (mutant.tool, "checker", "programs"):
        return True
    missing = runner.missing(mutant, found, log)
    if missing:
        print(f"Expected: {missing}")
    return not missing


def is_part(options):
    return bool(options.names or options.quick)


def record(options, tool, file):
    page.keep(file, is_part(options))
    for name in () if is_part(options) else page.EXAMPLES.get(tool, ()):
        page.transcript_file(name).write_text(page.transcript(options.build, name))


def run_all(runner, mutants, options, tool):
    started = time.monotonic()
    entries, controls = judge_all(runner, mutants, options.jobs)
    problems = [e["name"] for e in entries if "problem" in e]
    reported = [c for c in controls if c["reports"]]
    for control in reported:
        print(f"{control['step']} {control['arguments']}, {control.get('right', 'unchanged')}: {control['reports'][0]}")
    document = {**runner.suite_and_device(kernel_steps()[0]), "tool": tool, "mutants": entries, "controls": controls}
    file = options.build / f"mutants-{tool}.json"
    file.write_text(json.dumps(document, indent=1) + "\n")
    gaps = sum("gap" in e for e in entries)
    print(f"{len(entries)} mutants of {len({e['kind'] for e in entries})} kinds, {len(problems)} problems, "
          f"{gaps} not named yet; "
          f"{len(controls)} controls, {len(reported)} reported; {time.monotonic() - started:.0f} s. "
          f"Written: {file.relative_to(ROOT)}")
    if options.record and not problems and not reported:
        record(options, tool, file)
    elif tool in page.EXAMPLES and "CI" in os.environ:  # another compiler may count differently
        for name in page.stale_transcripts(options.build, tool):
            problems.append(name)
            print(f"docs/results/mutants/{name}.txt differs; ./run test --mutants --record writes it")
    return not problems and not reported


def run(options):
    mutants = chosen_by_tool(options)
    if options.list:
        for mutant in (mutant for some in mutants.values() for mutant in some):
            print(f"{mutant.name:30} {mutant.kind}")
        return 0
    right = True
    for tool, some in mutants.items():
        executor = EXECUTOR if tool == "programs" else []
        preset = options.preset or PRESETS[tool]
        some = that_can_run(some, options.build or configured(preset))
        # The first step's program describes the machine.
        programs = {kernel_steps()[0], *(name for m in some if not m.whole_program for name in (m.step, m.program))}
        build = options.build or built(preset, *executor, *sorted(programs))
        own = argparse.Namespace(**{**vars(options), "tool": tool, "build": Path(build).resolve()})
        runner = ProgramRunner(own) if tool == "programs" else Runner(own)
        shown = options.names and not options.record
        done = [show(runner, m) for m in some] if shown else [run_all(runner, some, own, tool)]
        right = right and all(done)
    return 0 if right else 1
