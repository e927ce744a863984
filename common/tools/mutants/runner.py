"""Makes and runs one mutant, or an unchanged step or program, with one tool of `./run test --mutants`."""

import itertools
import re
import shutil
import time
from pathlib import Path

from common.base.command_line import ROOT, BadInput
from common.executor.nvcc.headers import FOLDER
from common.grader.exercises import mutant_corpus
from common.grader.exercises.patches import BadFile
from common.grader.sandbox.limited_run import run_limited
from common.grader.step_build import DoesNotCompile, StepBuild, block_option
from common.grader.verdict import is_as_named, verdict
from common.grader.whole_program import compile_command
from common.tools import packages
from common.tools.programs import run_program
from common.tools.ranks import launcher

SANITIZERS = ["memcheck", "racecheck", "initcheck", "synccheck"]
# Checks for each tool; "programs" has the mutants that are whole programs.
TOOLS = {
    "checker": ["checker"],
    "programs": ["checker"],
    "validation": ["validation"],
    "compute-sanitizer": ["validation", *SANITIZERS],
}
ORDERS = ["forward", "random:1"]
EVERY_ORDER = ["forward", "reverse", "random:1"]
SIZES = tuple(map(int, mutant_corpus.BODIES.split()))  # numbers of bodies for correct kernels
# Settings for several ranks. Work begins only when the host waits for it, so that MPI that reads memory too early finds its
# pages closed, if it reads in the process that owns them.
OF_RANKS = {"OMPI_MCA_btl_vader_single_copy_mechanism": "none", "NBODY_EXECUTOR_LAZY": 1, "NBODY_EXECUTOR_PROTECT": 1}
PROGRAMS = ROOT / "common" / "grader" / "mutants" / "programs"
STANDALONE = ROOT / "01_naive" / "standalone.cu"
COMPILING = 120  # seconds, at most
SECONDS = 120  # per run, which is then ended


class Runner:
    """Runs programs with one tool."""

    orders = EVERY_ORDER  # for correct kernels; the force tests run in each order too, those on several ranks as well

    def __init__(self, options):
        self.options = options
        self.on_gpu = options.build.name == "gpu"
        self.sanitizer = packages.find_cuda_tool("compute-sanitizer")
        if options.tool == "compute-sanitizer" and not (self.on_gpu and self.sanitizer):
            raise BadInput("--tool compute-sanitizer needs a GPU build (--preset gpu) and the CUDA toolkit")
        if self.on_gpu or options.quick:
            self.orders = EVERY_ORDER[:1]
        self.builds = {}
        self.folder = options.build / "mutants"

    def program(self, name, step, changed, target):
        """Returns the step's program of that name, with other text in some of its files."""
        if target not in self.builds:
            self.builds[target] = StepBuild(self.options.build, step, target)
        return self.builds[target].program(self.folder / name, changed)

    def command(self, program, arguments, bodies, ranks=0):
        steps = [] if "--steps" in arguments else ["--steps=0"]
        block = [] if ranks else block_option(Path(program).name)  # step 08 chooses its own
        shared = [program, "--bodies", str(bodies), *block, "--scene=cube", *steps, "--no-measure", *arguments]
        return [*launcher(self.options.build, ranks, **OF_RANKS), *shared] if ranks else shared

    def run(self, tool, command, order):
        """Returns (verdict, printed text) of one run."""
        sanitized = tool in SANITIZERS
        if sanitized:
            command = [self.sanitizer, "--tool", tool, "--error-exitcode", "99", *command]
        # With one thread, blocks run in the same order each time.
        ended = run_limited(["env", f"NBODY_EXECUTOR_ORDER={order}", "NBODY_EXECUTOR_THREADS=1", *command],
                            SECONDS, file_bytes=None)
        out, error = (text.replace(f"{ROOT}/", "") for text in (ended.out, ended.error))
        return verdict(ended.status, out + error if sanitized else error, sanitized), out + error

    def judge(self, mutant):
        """Returns the mutant's entry of the JSON report."""
        started = time.monotonic()
        entry = {"name": mutant.name, "kind": mutant.kind, "step": mutant.step, "mistake": mutant.mistake,
                 "named_by": mutant.tool, "words": mutant.words, "runs": {}}
        if mutant.gap:
            entry["gap"] = mutant.gap
        try:
            program = self.program(mutant.name, mutant.step, mutant.sources(), mutant.program)
        except (BadFile, DoesNotCompile) as error:
            return {**entry, "problem": str(error)}
        by_validation = self.options.tool == mutant.tool == "validation" and not self.on_gpu
        judged = self.options.tool in ("checker", "programs") or by_validation
        for tool in TOOLS[self.options.tool]:
            command = self.command(program, mutant.arguments, mutant.bodies[0], mutant.ranks)
            found, log = self.run(tool, command, ORDERS[0])
            (program.parents[1] / f"{tool}.log").write_text(log)
            entry["runs"][tool] = {"by": found.by, "message": found.message}
        if judged:
            problem = self.problem(mutant, program, found, log)
            if mutant.gap:
                problem = None if problem else "it is named by now: it needs no gap any more"
            if problem:
                entry["problem"] = problem
        return {**entry, "seconds": round(time.monotonic() - started, 1)}

    def problem(self, mutant, program, found, log):
        """Returns why the mutant does not count as found and named; None if it does. log: what the run printed"""
        if missing := self.missing(mutant, found, log):
            return f"not found: {missing}"
        again, log = self.run("", self.command(program, mutant.arguments, mutant.bodies[0], mutant.ranks), ORDERS[1])
        if missing := self.missing(mutant, again, log):
            return f"in order {ORDERS[1]}: {again.by}, {again.message}, not {missing}"
        for bodies in mutant.bodies[1:]:
            for order in ORDERS:
                other, _ = self.run("", self.command(program, mutant.arguments, bodies, mutant.ranks), order)
                if other.by is None or other.by == "crash":
                    return f"with {bodies} bodies in order {order}: {other.by or 'passed'}"
        return None

    def missing(self, mutant, found, log):
        """Returns the text that a run should have printed about the mutant and did not; None if it did."""
        return None if is_as_named(found, mutant) else f"'{mutant.words}' by {mutant.tool}"

    def suite_and_device(self, step):
        """Returns the suite and the device of a step's JSON report."""
        program = self.options.build / step / step
        outcome = run_program(program, ["--bodies=1", "--steps=0", "--no-measure"])
        return {key: outcome.document[key] for key in ("suite", "device")}

    def controls(self, mutants, pool):
        """Starts unchanged steps, with the mutants' arguments, and different correct kernels. Yields entries as they end."""
        # A mutant's options come with its numbers of bodies, because the checker may need seconds for many.
        settings = sorted({(m.step, m.program, *setting, m.ranks) for m in mutants
                           for setting in (((), SIZES), (m.arguments, m.bodies if m.arguments else SIZES))})
        steps = {s[0] for s in settings}
        right = [kernel for kernel in mutant_corpus.right_kernels() if kernel.step in steps]
        # Correct kernels first, because they are slow: they must be compiled.
        of_right = pool.map(self.right_control, right)
        of_steps = pool.map(lambda s: self.control(self.options.build / s[0] / s[1], *s[2:]), settings)
        return itertools.chain(of_steps, of_right)

    def right_control(self, kernel):
        """Returns the entry of a correct kernel that differs from its step's."""
        program = self.program(kernel.name, kernel.step, kernel.sources(), kernel.step)
        return {**self.control(program, kernel.arguments), "right": kernel.name}

    def control(self, program, arguments, sizes=SIZES, ranks=0):
        """Returns the entry of an unchanged step, which must be clean. sizes: numbers of bodies, one run each"""
        entry = {"step": Path(program).name, "arguments": " ".join(arguments), "reports": []}
        if ranks:
            entry["ranks"] = ranks
        orders = self.orders[:1] if ranks else self.orders
        for tool in TOOLS[self.options.tool]:
            for bodies in sizes[:1] if tool in SANITIZERS or ranks else sizes:
                for order in orders:
                    found, _ = self.run(tool, self.command(program, arguments, bodies, ranks), order)
                    if found.by:
                        entry["reports"].append(f"{tool}, {bodies} bodies, order {order}: {found.by}, {found.message}")
        return entry


def right_programs():
    """Returns their paths from the suite's root."""
    return sorted(str(path.relative_to(ROOT)) for path in [STANDALONE, *PROGRAMS.glob("*.cu")])


class ProgramRunner(Runner):
    """Takes the path of a whole program instead of a step."""

    def program(self, name, step, changed, target=None):
        """Returns the program with another text, which `changed` has."""
        (file, text), = changed.items()
        source = self.folder / name / step / file
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text)
        for header in (ROOT / step / file).parent.glob("*.cuh"):
            shutil.copy(header, source.parent)
        # Runs in the folder from which its path is the same as in the suite, because reports name it so.
        command = compile_command(self.options.build, f"{step}/{file}", f"{step}/program")
        headers = self.options.build / "kernel-headers"  # precompiled, if the compiler does that
        ended = run_limited(["env", f"{FOLDER}={headers}", *command] if headers.exists() else command,
                            COMPILING, cwd=self.folder / name, file_bytes=None)
        if ended.status != 0:
            raise DoesNotCompile((ended.error or ended.out or "it did not end").splitlines()[0])
        return self.folder / name / step / "program"

    def command(self, program, arguments, bodies, ranks=0):
        return [program, *arguments]

    def missing(self, mutant, found, log):
        unsaid = [place for place in mutant.places() if not re.search(rf"{re.escape(place)}\b", log)]
        return super().missing(mutant, found, log) or (unsaid[0] if unsaid else None)

    def controls(self, mutants, pool):
        """Returns the entries of the correct programs, in any order of threads."""
        return pool.map(self.control, right_programs())

    def control(self, path):
        """Returns the entry of a correct program, which must be clean."""
        step, _, file = path.partition("/")
        program = self.program(f"unchanged_{Path(path).stem}", step, {file: (ROOT / path).read_text()})
        reports = []
        for order in self.orders:
            found, _ = self.run("", self.command(program, (), None), order)
            if found.by:
                reports.append(f"order {order}: {found.by}, {found.message}")
        return {"step": path, "arguments": "", "reports": reports}
