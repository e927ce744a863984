"""A submission that is a whole CUDA program, without code of the suite. `program N SEED print` draws N bodies and prints the
acceleration of each. ladder-nvcc builds it with the executor's checker, and it runs without a judge that asks; the judge draws
the same bodies itself.
"""

import dataclasses
import json
import os
import random
import re
import struct
import subprocess
from array import array
from pathlib import Path

from common.base.command_line import ROOT
from common.executor.checker.advice import all_advice, most_of, totals
from common.grader.build import SubmissionBuild
from common.grader.diagnosis import Diagnosis
from common.grader.runs import BY_CHANCE, HALF, SECONDS, Budget
from common.grader.sandbox.judging import FIRST_PROCESS, MEMORY, Judged, SubmissionProcess, run_alone, wide_pipe
from common.grader.sandbox.limited_run import BY_THE_CLOCK, Ended
from common.grader.step_build import write_files
from common.grader.verdict import verdict
from common.grader.work_folder import work_folder

SOFTENING = 0.01
PRINTED = re.compile(r"^a = (\S{1,40}) (\S{1,40}) (\S{1,40})$", re.MULTILINE)
MOST_THREADS = 1024  # most threads of a block
FEW_BODIES = 33  # for runs in which a call fails
MOST_CALLS = 50  # CUDA calls that are made to fail, one after the other
MADE_TO_FAIL = re.compile(r"^executor: made to fail: (.{1,200}) at (\S{1,200}),", re.MULTILINE)
WENT_ON = re.compile(r"^executor: (?!made to fail: |note: )", re.MULTILINE)  # reports of the checker after that
OWN_STATUS = re.compile(r"^executor: \d+ reports?; the program's own status is (\d+)$", re.MULTILINE)
COUNTS = '{"kernels": ['  # start of the counts that a program prints
KERNELS_READ = ROOT / "common" / "grader" / "judge" / "kernels_read.cpp"


def compile_command(build, source, program):
    """Returns the command that compiles a program. build: the tree with the executor"""
    return [str(Path(build) / "ladder-nvcc"), "--check", "-o", str(program), str(source)]


class ProgramBuild(SubmissionBuild):
    """Builds only a submission's files, without a step."""

    def __init__(self, build, step, sandbox, jobs=1):
        self.build, self.step, self.sandbox, self.jobs = Path(build).resolve(), step, sandbox, jobs

    def readable(self, command):
        """Returns the executor, and the files of the build tree with which it is linked."""
        common = ROOT / "common"
        tools = json.loads((self.build / "executor.json").read_text())
        linked = [tools["libraries"]["check"], *tools["objects"], tools["heap"], *filter(None, [tools["plugin"]])]
        built = [self.build / name for name in ("ladder-nvcc", "executor.json", "include")]
        return [*built, *linked, common / "executor", common / "base", KERNELS_READ, self.place]

    def program(self, folder, texts, main, nonce):
        """Returns the program's path. nonce: marks the line of the bytes that kernels have read (judge/kernels_read.cpp)"""
        self.place = Path(folder) / self.step
        write_files(self.place, texts)
        self.sandbox.give(folder)
        known = [f"-DNBODY_NONCE={nonce}ull", "-DNBODY_CHECK_RACE"]
        sources = [(self.place / main, []), (KERNELS_READ, known)]
        return self.linked(folder, self.each(self.object_of, sources))

    def object_of(self, source):
        """Returns the object of (file, definitions)."""
        file, definitions = source
        made = str(self.place / f"{file.stem}.o")
        self.call([*compile_command(self.build, file, made), "-c", *definitions])
        return made

    def linked(self, folder, objects):
        first, *others = objects
        self.call([*compile_command(self.build, first, self.place / "program"), *others])
        self.sandbox.give(folder)
        return self.place / "program"


@dataclasses.dataclass
class ProgramSubmission(Diagnosis):
    """A whole program that compiles."""

    program: Path
    judge: Path
    sandbox: object
    seed: int
    nonce: int  # marks the line with the bytes that its kernels have read
    main: str  # its file
    budget: Budget = dataclasses.field(default_factory=lambda: Budget(SECONDS))
    process: dict = dataclasses.field(default_factory=lambda: {"settings": []})  # more arguments of SubmissionProcess
    runs: dict = dataclasses.field(default_factory=dict)

    def run(self, bodies, order="forward", fail=0, counts=False):
        """Returns (Ended, why it was stopped or None) of the program with these bodies. fail: number of the CUDA call that
        fails; counts: whether it prints its counts too
        """
        if (bodies, order, fail, counts) not in self.runs:
            seconds = self.budget.begin()
            settings = [f"NBODY_EXECUTOR_ORDER={order}", f"NBODY_EXECUTOR_FAIL={fail}",
                        *(["NBODY_EXECUTOR_COUNTS=-"] if counts else []), *self.process["settings"]]
            process = SubmissionProcess(self.sandbox, self.program, [bodies, self.seed, "print"], [self.place], memory=MEMORY,
                                        first=self.judge.parents[1] / FIRST_PROCESS, **{**self.process, "settings": settings})
            ended, stopped = self.runs[bodies, order, fail, counts] = run_alone(process, seconds)
            self.budget.spend(ended.seconds, stopped)
        return self.runs[bodies, order, fail, counts]

    def result(self, elements, order="forward"):
        """Returns a complaint about a program that checks its own result, or None. A correct result in spite of a report earns what it
        does in a step.
        """
        ended, stopped = self.run(elements, order)
        if stopped:
            return self.complaint(Judged(None, ended, stopped))
        if ended.status == 0:
            return None
        found, own = self.of_its_end(ended), OWN_STATUS.search(ended.error)
        if own is None or own[1] != "0":
            return found
        return dataclasses.replace(found, credit=HALF if found.text.startswith("race") else BY_CHANCE)

    def ends(self):
        """Returns a complaint about the first run in which the program did not end by itself, or None."""
        for ended, stopped in (run for (_, _, fail, _), run in self.runs.items() if not fail):
            if stopped:
                return self.complaint(Judged(None, ended, stopped))
            by_the_checker = WENT_ON.search(ended.error) and not OWN_STATUS.search(ended.error)
            if ended.status is None or ended.status < 0 or by_the_checker:
                return self.of_its_end(ended)
        return None

    def counted(self, elements, check):
        """Returns what `check` returns for the counts, a Complaint or None; or why there are none."""
        ended, stopped = self.run(elements, counts=True)
        if stopped:
            return self.complaint(Judged(None, ended, stopped))
        begin = ended.out.rfind(COUNTS)
        if begin < 0:
            return self.at_kernel("the program launched no kernel")
        document, _ = json.JSONDecoder().raw_decode(ended.out, begin)
        return check(document)

    def advice(self, elements):
        """Returns a complaint with the first advice that the counts give, or None."""
        return self.counted(elements, lambda document: next(
            (self.placed(f"{row['line']}: {text}", ()) for row, text in all_advice(document)), None))

    def within(self, elements, limits):
        """Returns a complaint about the first count that exceeds its limit, (name, "most" or "least", number), or None."""
        def check(document):
            found = totals(document)
            broken = ((name, found[name], side, number) for name, side, number in limits
                      if (found[name] > number if side == "most" else found[name] < number))
            for name, value, side, number in broken:
                text = f"the program has {value:,} {name.replace('_', ' ')}; at {side} {number:,} are allowed"
                line, most = most_of(document, name) if side == "most" else (None, 0)
                return self.placed(text, (f"{most:,} of them are at {line}".replace(f"{self.step}/", ""),)) if line else self.at_kernel(text)
            return None

        return self.counted(elements, check)

    def report(self):
        """Returns a complaint from the checker's report, even if the forces are correct; None if there is no report."""
        return self.reported(self.run(1000)[0]) or self.forces(1000)[0]

    def unchecked(self):
        """Returns a complaint about the first CUDA call whose failure the program does not notice; None if it notices each."""
        for fail in range(1, MOST_CALLS + 1):
            ended, stopped = self.run(FEW_BODIES, fail=fail)
            if stopped:
                return self.complaint(Judged(None, ended, stopped))
            made = MADE_TO_FAIL.search(ended.error)
            if not made:
                return None
            if ended.status == 0 or WENT_ON.search(ended.error):
                return self.placed(f"the grader made {made[1]} at {made[2]} fail, and the program did not notice: check the error "
                                   "code that each call returns, and call cudaGetLastError() after each launch", ())
        return None

    def reported(self, ended):
        """Returns a complaint or None. A program that finds its own results wrong reports it only with its status."""
        found = verdict(ended.status, ended.error)
        return self.of_its_end(ended) if found.message or found.by == "crash" else None

    def forces(self, bodies, order="forward", arguments=()):
        """Returns (complaint or None, {}), like a Submission."""
        return self.of_run(bodies, *self.run(bodies, order)), {}

    def watched(self, bodies, words):
        """Returns (complaint or None, what the program printed to stderr), like a Submission."""
        ended, stopped = self.run(bodies)
        return self.of_run(bodies, ended, stopped), ended.error

    def recording(self, process):
        """Returns this submission, with more arguments of SubmissionProcess."""
        return dataclasses.replace(self, process=process, runs={})

    def of_run(self, bodies, ended, stopped):
        """Returns a complaint about its accelerations, or None. Reports come first, because they explain wrong forces."""
        if stopped:
            return self.complaint(Judged(None, ended, stopped))
        report = self.reported(ended)
        printed = PRINTED.findall(ended.out)
        if len(printed) != bodies:
            return report or self.at_kernel(f"the program, called with `print`, printed {len(printed)} accelerations, not {bodies}")
        read = re.findall(rf"^{self.nonce}: kernels read (\d+) bytes$", ended.out, re.MULTILINE)
        wrong = self.wrong(bodies, array("f", (number(word) for one in printed for word in (*one, "0"))),
                           int(read[-1]) if read else 0)
        return wrong and (report or wrong)

    def wrong(self, bodies, accelerations, bytes_read):
        """Returns the judge's Complaint, or None."""
        if bytes_read == 0 and bodies > 1:
            return self.at_kernel("no kernel read a body from global memory: does the program copy the bodies to the device and launch "
                                  "the kernel?")
        if bodies == 1:  # the judge needs more
            return None if not any(accelerations) else self.at_kernel("a single body has an acceleration, although nothing pulls it")
        with work_folder() as folder:
            file = folder / "bodies.csv"
            file.write_text(drawn_snapshot(bodies, self.seed))
            command = [self.judge, f"--input={file}", f"--softening={SOFTENING}", "--steps=0", "--no-measure"]
            ended = judged(command, bytes_read, accelerations.tobytes())
        if found := self.complaint(Judged(ended, None, None)):
            return found
        # Each block reads each body; with less, no sum over all bodies is possible.
        if bytes_read >= 16 * (bodies - 1) * -(-bodies // MOST_THREADS):
            return None
        return self.at_kernel(f"the kernels read only {bytes_read:,} bytes of global memory, too few for the forces of "
                              f"{bodies} bodies: each block must read every body")


def mersenne_twister(seed):
    """Returns an engine whose getrandbits(32) gives the numbers of std::mt19937."""
    state = [seed & 0xffffffff]
    for k in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + k) & 0xffffffff)
    engine = random.Random()
    engine.setstate((3, (*state, 624), None))
    return engine


def drawn_snapshot(count, seed):
    """Returns the bodies that standalone.cu draws, at rest, as CSV: numbers from 0 to 1, multiples of 2^-24."""
    engine = mersenne_twister(seed)
    drawn = ([(engine.getrandbits(32) >> 8) * 2.0**-24 for _ in range(4)] for _ in range(count))
    return "".join(f"{x!r},{y!r},{z!r},0,0,0,{mass!r}\n" for x, y, z, mass in drawn)


def number(word):
    """Returns the number; NaN if the word is not one."""
    try:
        return float(word)
    except ValueError:
        return float("nan")


def judged(command, bytes_read, accelerations):
    """Returns the Ended of the judge that gets this answer. If the judge asks again, it gets the same one."""
    listening, replies = wide_pipe()
    requests, asking = wide_pipe()
    for times in (1, 2):
        os.write(replies, struct.pack("=QQ", times * max(bytes_read, 1), 0) + accelerations)
    os.close(replies)
    try:
        ended = subprocess.run(list(map(str, command)), pass_fds=(listening, asking), capture_output=True, text=True,
                               env={**os.environ, "NBODY_SUBMISSION": f"{listening},{asking}"}, timeout=BY_THE_CLOCK * SECONDS)
        return Ended(ended.returncode, ended.stdout, ended.stderr, 0)
    finally:
        for end in (listening, requests, asking):
            os.close(end)
