"""Compiles and runs one public program, plain or checked, and reports how that ended."""

import contextlib
import dataclasses
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import time

from common.base.command_line import ROOT
from common.executor.checker.see import REPORT
from common.grader.sandbox import limited_run
from common.tools.cuda.corpus_list import SOURCES

# Environments in which programs run, on all cores. The checker checks everything, or looks for races only in the first launches
# of each line and in some blocks of each grid.
ENVIRONMENTS = {
    "plain": {},
    "checked": {"NBODY_EXECUTOR_THREADS": "0"},
    "sampled": {"NBODY_EXECUTOR_THREADS": "0", "NBODY_EXECUTOR_CHECK_LAUNCHES": "2", "NBODY_EXECUTOR_CHECK_BLOCKS": "32"},
}
MODES = tuple(ENVIRONMENTS)
LIBRARIES = {"plain": "plain", "checked": "check", "sampled": "check"}  # library of the executor
WAIVED = 2  # status of NVIDIA's samples if the device lacks what they show
SHORT = 2.0  # seconds; a shorter run is timed three times
# The last line if there are reports and only these cause the exit status of a failure.
OWN_STATUS = re.compile(r"^executor: \d+ reports?; the program's own status is (\d+)$", re.MULTILINE)
# A note about something unusual: its line and the indented ones below it.
NOTE = re.compile(r"^executor: note: .*(?:\n[ \t]+.*)*", re.MULTILINE)


@dataclasses.dataclass
class Ended(limited_run.Ended):
    """A process that has ended."""

    cpu_seconds: float
    said: bool  # ended because it had printed the expected text


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_until(command, limit, cwd, until=None, environment=None):
    """Runs a command with a limit in seconds. until: a pattern in its output at which it is ended"""
    folder = cwd.parent
    before, started = processor_seconds(), time.monotonic()
    # Without stdbuf, output would come in blocks. It is read while it grows only if a pattern is awaited.
    command = ["stdbuf", "-oL", *command] if until else command
    with open(folder / "out.txt", "w+b") as out, open(folder / "error.txt", "w+b") as error:
        process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=error,
                                   start_new_session=True, env={**os.environ, **(environment or {})})
        said = False
        try:
            while process.poll() is None and not said and time.monotonic() - started < limit:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=0.02 if until else limit)
                said = bool(until and re.search(until, text_of(folder / "out.txt")))
            seconds, status = time.monotonic() - started, process.poll()
        finally:
            limited_run.end_session(process)
    return Ended(status, text_of(folder / "out.txt"), text_of(folder / "error.txt"), seconds,
                 processor_seconds() - before, said)


def text_of(path):
    with open(path, "rb") as file:
        return file.read(limited_run.KEPT).decode(errors="replace")


def place(program, library, folder):
    """Returns the empty folder that keeps a program's build."""
    made = folder / program.build / library
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    return made


@dataclasses.dataclass
class Built:
    """A compilation that has ended."""

    program: pathlib.Path | None  # None if it does not compile
    seconds: float
    message: str
    log: str


def compiled(program, mode, options):
    """Compiles a program. options: drivers by mode, repositories, build, limit"""
    library = LIBRARIES[mode]
    target = place(program, library, options.build) / program.build
    command = [options.drivers[library], f"--{library}", "-o", target, *program.sources(options.repositories),
               *program.flags(options.repositories)]
    ended = run_until(list(map(str, command)), options.limit, target.parent)
    log = ended.error + ended.out
    if ended.status == 0 and target.is_file():
        return Built(target, ended.seconds, "", log)
    lines = log.replace(f"{options.repositories / program.repository}/", "").splitlines()
    message = next((line for line in lines if "error" in line), lines[-1] if lines else "no message")
    return Built(None, ended.seconds, f"no end in {options.limit:g} s" if ended.status is None else message, log)


def working_folder(program, built, repositories):
    """Returns the folder in which a program runs: empty, or with the files next to its sources."""
    folder = built.parent / "run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    if program.entry.get("data"):
        own = program.own_folder(repositories)
        shutil.copytree(own, folder, dirs_exist_ok=True, ignore=lambda _, names: [
            name for name in names if name.endswith((*SOURCES, ".h", ".cuh", ".hpp", ".md"))])
    return folder


def outcome(program, ended, limit):
    """Returns how one run ended, in a few words. "passes": according to its own check; "runs": to its end, without a check."""
    printed = ended.out + ended.error
    said = bool(program.verdict() and re.search(program.verdict(), printed))
    own_status = int((OWN_STATUS.findall(ended.error) or [ended.status or 0])[-1])
    if ended.said or ended.status is not None and own_status == 0 and (said or not program.verdict()):
        return "runs" if program.entry.get("unchecked") else "passes"
    if ended.status is None:
        return f"no end in {limit:g} s"
    if ended.status == WAIVED and re.search("waiv", printed, re.IGNORECASE):
        return "waived"
    if ended.status < 0:
        return f"signal {-ended.status}"
    return f"fails, status {own_status}"


def reports(ended):
    return [found.strip() for found in REPORT.findall(ended.error)]


def environment(program, mode):
    return {**ENVIRONMENTS[mode], **({"NBODY_EXECUTOR_LAZY": "0"} if program.entry.get("eager") else {})}


def timed(program, built, mode, limit, folder):
    """Returns one run, or for a short run the one of three with the median time."""
    given = [str(built), *program.arguments()], limit, folder, program.entry.get("until"), environment(program, mode)
    runs = [run_until(*given)]
    if runs[0].status is not None and runs[0].seconds < SHORT:
        runs += [run_until(*given) for _ in range(2)]
    middle = statistics.median_low(run.seconds for run in runs)
    return next(run for run in runs if run.seconds == middle)


def judged(program, mode, built, options):
    """Returns (entry of the JSON report, raw log) of a program in a mode. options: see compiled()"""
    entry = {"compile_s": round(built.seconds, 2)}
    if not built.program:
        return {**entry, "outcome": "does not compile", "message": built.message}, built.log
    ended = timed(program, built.program, mode, options.limit,
                  working_folder(program, built.program, options.repositories))
    command = " ".join([program.build, *program.arguments()])
    log = f"$ {command}   ({mode}, status {ended.status})\n{ended.out}{ended.error}"
    for folder in (built.program.parent, options.repositories, ROOT):  # paths of this machine
        log = log.replace(f"{folder}/", "")
    ended.error = ended.error.replace(f"{options.repositories / program.repository}/", "")
    found = reports(ended)
    wanted = [text for text in found if "answer" in program.entry or
              "wanted" in program.entry and re.search(program.entry["wanted"], text)]
    entry = {**entry, "outcome": outcome(program, ended, options.limit), "run_s": round(ended.seconds, 3),
             "cpu_s": round(ended.cpu_seconds, 3)}
    if mode != "plain":
        entry = {**entry, "reports": [text for text in found if text not in wanted], "wanted": wanted,
                 "notes": [text.strip() for text in NOTE.findall(ended.error)]}
    return entry, log
