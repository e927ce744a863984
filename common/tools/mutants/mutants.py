"""Makes each wrong kernel and each wrong program of common/tests/mutants, runs it under the executor's checker and says
what found the mistake; fails unless each is named as what it is.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import time
from pathlib import Path

from common.base.command_line import ROOT, BadInput, script
from common.grader.exercises import mutant_corpus
from common.tools import progress
from common.tools.build import EXECUTOR, add_preset, built, programs_of, step_names
from common.tools.mutants import page
from common.tools.mutants.program_runner import Runners
from common.tools.mutants.runner import ORDERS, SANITIZERS, TOOLS

PRESETS = {"checker": "cpu-check", "asan": "cpu-asan", "validation": "cpu", "compute-sanitizer": "gpu"}  # of the tools


def add_arguments(parser):
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these mutants, with all that they print [all]")
    parser.add_argument("--kind", help="only the mutants of this kind")
    parser.add_argument("--one-of-each", action="store_true", help="the first mutant of each kind")
    parser.add_argument("--list", action="store_true", help="name the mutants and their kinds, run nothing")
    parser.add_argument("--tool", choices=TOOLS, default="checker", help="what is to find the mistakes [checker]; "
                        "validation: the check against FP64 and nothing else; compute-sanitizer: on a GPU")
    add_preset(parser, list(PRESETS.values()), "the build [the one that the tool needs]")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="mutants at a time [the cores]")
    parser.add_argument("--limit", type=int, default=30, metavar="SECONDS", help="of each run [30]")
    parser.add_argument("--record", action="store_true", help="keep the result under docs/results/mutants, and write "
                        "docs/mutants.md from all that is there")


def check_options(options):
    for name in ("jobs", "limit"):
        if getattr(options, name) < 1:
            raise BadInput(f"--{name} must be a whole number from 1, not {getattr(options, name)}")


def chosen(options):
    """The mutants that the command line asks for."""
    mutants = mutant_corpus.corpus()
    if options.names:
        unknown = set(options.names) - {m.name for m in mutants}
        if unknown:
            raise BadInput(f"no mutant is named {sorted(unknown)[0]}; ./run mutants --list names them")
        mutants = [m for m in mutants if m.name in options.names]
    if options.kind:
        mutants = [m for m in mutants if m.kind == options.kind]
        if not mutants:
            raise BadInput(f"no mutant is of kind '{options.kind}'; ./run mutants --list names them")
    if options.tool != "checker":
        whole = [m.name for m in mutants if m.whole_program]
        if options.names and whole:
            raise BadInput(f"{whole[0]} is a whole program: --tool checker alone runs it")
        mutants = [m for m in mutants if not m.whole_program]
    return mutant_corpus.one_of_each_kind(mutants) if options.one_of_each else mutants


def print_row(entry):
    """One line for each run of a mutant; a problem has one of its own."""
    name = entry["name"]
    for tool, run in entry["runs"].items():
        finder = run["by"] or "not found"
        label = tool if len(entry["runs"]) > 1 else entry["kind"]
        progress.say(f"{name:30.30} {label:46.46} {finder:18} {run['message']:.110}")
        name = ""
    if "problem" in entry:
        progress.say(f"{name:30.30} PROBLEM: {entry['problem']}")


def judge_all(runners, mutants, jobs):
    """(entries, controls), the entries of the JSON report."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        entries = []
        for entry in pool.map(lambda mutant: runners.of(mutant).judge(mutant), mutants):
            entries.append(entry)
            print_row(entry)
            progress.show(mutants=f"{len(entries)} of {len(mutants)}")
        progress.show(mutants="")
        controls = list(runners.controls(mutants, pool))
        progress.show(controls="")
    return entries, controls


def show(runner, mutant):
    """One mutant with all that it prints. Returns whether its mistake was found and named."""
    print(f"{mutant.name}: {mutant.kind}\n{mutant.mistake}\n\n{mutant.diff}")
    program = runner.program(mutant.name, mutant.step, mutant.sources(), mutant.program)
    for tool in TOOLS[runner.options.tool]:
        command = runner.command(program, mutant.arguments, mutant.bodies[0])
        found, log = runner.run(tool, command, ORDERS[0])
        print("$", " ".join([tool if tool in SANITIZERS else "", *map(str, command)]).strip().replace(f"{ROOT}/", ""))
        print(log)
        print(f"Found by {found.by}: {found.message}" if found.by else "Not found.", flush=True)
    if runner.options.tool != mutant.tool and runner.options.tool != "checker":
        return True
    missing = runner.missing(mutant, found, log)
    if missing:
        print(f"Expected: {missing}")
    return not missing


def transcript(build, name):
    """What a terminal shows of one mutant."""
    shown = subprocess.run([*script("mutants"), "--build", build, name], check=True, capture_output=True,
                           text=True).stdout
    return f"$ ./run mutants {name}\n{shown}"


def stale_transcripts(build):
    """The examples of docs/mutants.md that a terminal shows otherwise by now."""

    def portable(text):
        return [line for line in text.splitlines() if not line.startswith("device ")]

    return [name for name in page.EXAMPLES
            if portable(page.transcript_file(name).read_text()) != portable(transcript(build, name))]


def record(options, file):
    page.keep(file)
    for name in page.EXAMPLES if options.tool == "checker" else []:
        page.transcript_file(name).write_text(transcript(options.build, name))
    page.write()


def run_all(runners, mutants, options):
    started = time.monotonic()
    entries, controls = judge_all(runners, mutants, options.jobs)
    problems = [e["name"] for e in entries if "problem" in e]
    reported = [c for c in controls if c["reports"]]
    for control in reported:
        print(f"{control['step']} {control['arguments']}, unchanged: {control['reports'][0]}")
    document = {**runners.steps.suite_and_device(step_names()[0]), "tool": options.tool, "mutants": entries,
                "controls": controls}
    file = options.build / f"mutants-{options.tool}.json"
    file.write_text(json.dumps(document, indent=1) + "\n")
    print(f"{len(entries)} mutants of {len({e['kind'] for e in entries})} kinds, {len(problems)} problems; "
          f"{len(controls)} controls, {len(reported)} reported; {time.monotonic() - started:.0f} s. "
          f"Written: {file.relative_to(ROOT)}")
    if options.record and not problems and not reported:
        record(options, file)
    elif options.tool == "checker" and "CI" in os.environ:  # another compiler may count otherwise
        for name in stale_transcripts(options.build):
            problems.append(name)
            print(f"docs/mutants.md shows {name} otherwise; ./run mutants --record writes it")
    return 1 if problems or reported else 0


def run(options):
    check_options(options)
    mutants = chosen(options)
    if options.list:
        for mutant in mutants:
            print(f"{mutant.name:30} {mutant.kind}")
        return 0
    if options.record and len(mutants) < len(mutant_corpus.corpus()):
        raise BadInput("--record keeps the whole corpus: name no mutant and no kind")
    executor = EXECUTOR if options.tool == "checker" else []
    options.build = options.build or built(options.preset or PRESETS[options.tool], *executor,
                                           *(name for step in step_names() for name in programs_of(step)))
    runners = Runners(options)
    if options.names:
        return 0 if all([show(runners.of(mutant), mutant) for mutant in mutants]) else 1
    return run_all(runners, mutants, options)
