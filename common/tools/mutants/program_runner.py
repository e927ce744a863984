"""Makes and runs whole programs, under the executor's checker: those with a mistake in their host code, and right ones."""

import re
import shutil
from pathlib import Path

from common.base.command_line import ROOT
from common.executor.nvcc.headers import FOLDER
from common.grader.sandbox.limited_run import run_limited
from common.grader.step_build import DoesNotCompile
from common.grader.whole_program import compile_command
from common.tools.mutants.runner import EVERY_ORDER, Runner

PROGRAMS = ROOT / "common" / "grader" / "mutants" / "programs"
STANDALONE = ROOT / "01_naive" / "standalone.cu"
COMPILING = 120  # seconds, at most


def right_programs():
    """From the suite's root."""
    return sorted(str(path.relative_to(ROOT)) for path in [STANDALONE, *PROGRAMS.glob("*.cu")])


class ProgramRunner(Runner):
    """Takes the path of a whole program where a Runner takes a step."""

    def program(self, name, step, changed, target=None):
        """The program with another text; `changed` has that one."""
        (file, text), = changed.items()
        source = self.folder / name / step / file
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text)
        for header in (ROOT / step / file).parent.glob("*.cuh"):
            shutil.copy(header, source.parent)
        # From where its path is the one that it has in the suite: reports name it so.
        command = compile_command(self.options.build, f"{step}/{file}", f"{step}/program")
        headers = self.options.build / "kernel-headers"  # precompiled, where the compiler does that
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
        """Those of the right programs, in any order of threads."""
        return pool.map(self.control, right_programs())

    def control(self, path):
        """The entry of a right program, which must be clean."""
        step, _, file = path.partition("/")
        program = self.program(f"unchanged_{Path(path).stem}", step, {file: (ROOT / path).read_text()})
        reports = []
        for order in EVERY_ORDER:
            found, _ = self.run("", self.command(program, (), None), order)
            if found.by:
                reports.append(f"order {order}: {found.by}, {found.message}")
        return {"step": path, "arguments": "", "reports": reports}
