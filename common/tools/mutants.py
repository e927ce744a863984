"""Makes each wrong kernel of the corpus, runs it, and says what found the mistake.

Called by `./run mutants`, which has built the steps' programs, and by CTest under the labels "mutants" and "nightly".
"""

import argparse
import concurrent.futures
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import cuda_tools
import mutant_corpus
import mutants_page
from mutant_build import DoesNotCompile, StepBuild
from mutant_corpus import BadPatch
from mutant_verdict import Verdict, is_as_named, verdict
from programs import ROOT, OneLineParser, run_program

SANITIZERS = ["memcheck", "racecheck", "initcheck", "synccheck"]
# What each lane runs a mutant under.
LANES = {
    "checker": ["checker"],
    "validation": ["validation"],
    "asan": ["asan"],
    "compute-sanitizer": ["validation", *SANITIZERS],
}
ORDERS = ["forward", "random:1"]
EVERY_ORDER = ["forward", "reverse", "random:1"]


def fail(message):
    print(f"mutants: {message}", file=sys.stderr)
    sys.exit(2)


def parse_options():
    parser = OneLineParser(prog="./run mutants", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these mutants, with all that they print [all]")
    parser.add_argument("--kind", help="only the mutants of this kind")
    parser.add_argument("--one-of-each", action="store_true", help="the first mutant of each kind")
    parser.add_argument("--list", action="store_true", help="name the mutants and their kinds, run nothing")
    parser.add_argument("--tool", choices=LANES, default="checker", help="what is to find the mistakes [checker]")
    parser.add_argument("--preset", help="cpu-check, cpu, cpu-asan or gpu [the one that the tool needs]")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="mutants at a time [the cores]")
    parser.add_argument("--limit", type=int, default=30, metavar="SECONDS", help="of each run [30]")
    parser.add_argument("--record", action="store_true", help="keep the result under docs/results/mutants, and write "
                        "docs/mutants.md from all that is there")
    return parser.parse_args()


def chosen(options):
    """The mutants that the command line asks for."""
    mutants = mutant_corpus.corpus()
    if options.names:
        unknown = set(options.names) - {m.name for m in mutants}
        if unknown:
            fail(f"no mutant is named {sorted(unknown)[0]}; ./run mutants --list names them")
        mutants = [m for m in mutants if m.name in options.names]
    if options.kind:
        mutants = [m for m in mutants if m.kind == options.kind]
        if not mutants:
            fail(f"no mutant is of kind '{options.kind}'; ./run mutants --list names them")
    return mutant_corpus.one_of_each_kind(mutants) if options.one_of_each else mutants


class Runner:
    """Runs programs as one lane runs them."""

    def __init__(self, options):
        self.options = options
        self.on_gpu = options.build.name == "gpu"
        self.sanitizer = cuda_tools.find("compute-sanitizer")
        if options.tool == "compute-sanitizer" and not (self.on_gpu and self.sanitizer):
            fail("compute-sanitizer needs a GPU build (--preset gpu) and the CUDA toolkit's compute-sanitizer")
        self.steps = {}
        self.folder = options.build / "mutants"

    def program(self, name, step, text):
        if step not in self.steps:
            self.steps[step] = StepBuild(self.options.build, step)
        return self.steps[step].program(self.folder / name, text)

    def command(self, program, arguments, bodies):
        return [program, "--bodies", str(bodies), "--block=256", "--scene=cube", "--steps=0", "--no-measure",
                *arguments]

    def run(self, tool, command, order):
        """(verdict, what was printed) of one run."""
        sanitized = tool in SANITIZERS
        if sanitized:
            command = [self.sanitizer, "--tool", tool, "--error-exitcode", "99", *command]
        # One thread: blocks then take their turns in the same order each time.
        environment = {**os.environ, "NBODY_EXECUTOR_ORDER": order, "NBODY_EXECUTOR_THREADS": "1"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   errors="replace", start_new_session=True, env=environment)
        try:
            out, error = process.communicate(timeout=self.options.limit)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, error = process.communicate()
            status = None
        return verdict(status, out + error if sanitized else error, sanitized), out + error

    def examine(self, mutant):
        """The mutant's entry of the JSON report."""
        started = time.monotonic()
        entry = {"name": mutant.name, "kind": mutant.kind, "step": mutant.step, "mistake": mutant.mistake,
                 "named_by": mutant.tool, "words": mutant.words, "runs": {}}
        try:
            program = self.program(mutant.name, mutant.step, mutant.source())
        except (BadPatch, DoesNotCompile) as error:
            return {**entry, "problem": str(error)}
        judged = self.options.tool == "checker" or (self.options.tool == "validation" and mutant.tool == "validation"
                                                    and not self.on_gpu)
        for tool in LANES[self.options.tool]:
            command = self.command(program, mutant.arguments, mutant.bodies[0])
            found, log = self.run(tool, command, ORDERS[0])
            (program.parents[1] / f"{tool}.log").write_text(log)
            entry["runs"][tool] = {"by": found.by, "message": found.message}
        if judged:
            problem = self.problem(mutant, program, found)
            if problem:
                entry["problem"] = problem
        return {**entry, "seconds": round(time.monotonic() - started, 1)}

    def problem(self, mutant, program, found):
        """Why the mutant does not count as found by its name; None where it does."""
        if not is_as_named(found, mutant):
            return f"not found as '{mutant.words}' by {mutant.tool}"
        again, _ = self.run("", self.command(program, mutant.arguments, mutant.bodies[0]), ORDERS[1])
        if not is_as_named(again, mutant):
            return f"in order {ORDERS[1]}: {again.by}, {again.message}"
        for bodies in mutant.bodies[1:]:
            for order in ORDERS:
                other, _ = self.run("", self.command(program, mutant.arguments, bodies), order)
                if other.by is None or other.by == "crash":
                    return f"with {bodies} bodies in order {order}: {other.by or 'passed'}"
        return None

    def suite_and_device(self, step):
        """Of a step's JSON report."""
        program = self.options.build / step / step
        outcome = run_program(program, ["--bodies=1", "--steps=0", "--no-measure"])
        return {key: outcome.document[key] for key in ("suite", "device")}

    def unchanged(self, step):
        """The step's own kernel, made as the mutants are."""
        return self.program("unchanged", step, (ROOT / step / "forces.cu").read_text())

    def control(self, program, step, arguments):
        """The entry of an unchanged step, which must be clean."""
        entry = {"step": step, "arguments": " ".join(arguments), "reports": []}
        orders = ORDERS[:1] if self.on_gpu else EVERY_ORDER
        sizes = list(map(int, mutant_corpus.BODIES.split()))
        for tool in LANES[self.options.tool]:
            for bodies in sizes[:1] if tool in SANITIZERS else sizes:
                for order in orders:
                    found, _ = self.run(tool, self.command(program, arguments, bodies), order)
                    if found.by:
                        entry["reports"].append(f"{tool}, {bodies} bodies, order {order}: {found.by}, {found.message}")
        return entry


def print_row(entry):
    """One line for each run of a mutant; a problem has one of its own."""
    name = entry["name"]
    for tool, run in entry["runs"].items():
        finder = run["by"] or "not found"
        label = tool if len(entry["runs"]) > 1 else entry["kind"]
        print(f"{name:30.30} {label:46.46} {finder:18} {run['message']:.110}", flush=True)
        name = ""
    if "problem" in entry:
        print(f"{name:30.30} PROBLEM: {entry['problem']}", flush=True)


def examine_all(runner, mutants, jobs):
    """(entries, controls); the controls are the mutants' steps, with the same arguments and their defaults."""
    settings = sorted({(m.step, ()) for m in mutants} | {(m.step, m.arguments) for m in mutants})
    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        entries = []
        for entry in pool.map(runner.examine, mutants):
            entries.append(entry)
            print_row(entry)
        unchanged = {step: runner.unchanged(step) for step in sorted({step for step, _ in settings})}
        controls = list(pool.map(lambda setting: runner.control(unchanged[setting[0]], *setting), settings))
    return entries, controls


def show(runner, mutant):
    """One mutant with all that it prints. Returns whether its mistake was found and named."""
    print(f"{mutant.name}: {mutant.kind}\n{mutant.mistake}\n\n{mutant.diff}")
    program = runner.program(mutant.name, mutant.step, mutant.source())
    for tool in LANES[runner.options.tool]:
        command = runner.command(program, mutant.arguments, mutant.bodies[0])
        found, log = runner.run(tool, command, ORDERS[0])
        print("$", " ".join([tool if tool in SANITIZERS else "", *map(str, command)]).strip().replace(f"{ROOT}/", ""))
        print(log.replace(f"{ROOT}/", ""))
        print(f"Found by {found.by}: {found.message}" if found.by else "Not found.", flush=True)
    if runner.options.tool != mutant.tool and runner.options.tool != "checker":
        return True
    if not is_as_named(found, mutant):
        print(f"Expected: '{mutant.words}' by {mutant.tool}")
    return is_as_named(found, mutant)


def transcript(build, name):
    """What a terminal shows of one mutant."""
    shown = subprocess.run([sys.executable, __file__, "--build", build, name], check=True, capture_output=True,
                           text=True).stdout
    return f"$ ./run mutants {name}\n{shown}"


def stale_transcripts(build):
    """The examples of docs/mutants.md that a terminal shows otherwise by now."""
    files = {name: mutants_page.transcript_file(name) for name in mutants_page.EXAMPLES}
    return [name for name, file in files.items()
            if not file.exists() or file.read_text() != transcript(build, name)]


def main():
    options = parse_options()
    if options.list:
        for mutant in chosen(options):
            print(f"{mutant.name:30} {mutant.kind}")
        return 0
    runner = Runner(options)
    mutants = chosen(options)
    if options.record and len(mutants) < len(mutant_corpus.corpus()):
        fail("--record keeps the whole corpus: name no mutant and no kind")
    if options.names:
        return 0 if all([show(runner, mutant) for mutant in mutants]) else 1
    started = time.monotonic()
    entries, controls = examine_all(runner, mutants, options.jobs)
    problems = [e["name"] for e in entries if "problem" in e]
    reported = [c for c in controls if c["reports"]]
    for control in reported:
        print(f"{control['step']} {control['arguments']}, unchanged: {control['reports'][0]}")
    document = {**runner.suite_and_device(mutants[0].step), "tool": options.tool, "mutants": entries,
                "controls": controls}
    file = options.build / f"mutants-{options.tool}.json"
    file.write_text(json.dumps(document, indent=1) + "\n")
    print(f"{len(entries)} mutants of {len({e['kind'] for e in entries})} kinds, {len(problems)} problems; "
          f"{len(controls)} controls, {len(reported)} reported; {time.monotonic() - started:.0f} s. "
          f"Written: {file.relative_to(ROOT)}")
    if options.record and not problems and not reported:
        mutants_page.keep(file)
        for name in mutants_page.EXAMPLES if options.tool == "checker" else []:
            mutants_page.transcript_file(name).write_text(transcript(options.build, name))
        mutants_page.write()
    elif options.tool == "checker" and not options.kind:
        for name in stale_transcripts(options.build):
            problems.append(name)
            print(f"docs/mutants.md shows {name} otherwise; ./run mutants --record writes it")
    return 1 if problems or reported else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except BadPatch as error:
        fail(error)
