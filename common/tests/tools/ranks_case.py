"""What tests of several processes of step 08 share. Arguments of such a test: mpirun, the program."""

import subprocess
import sys
from pathlib import Path

from common.tests.tools.case import InFolder

MPIRUN, PROGRAM = sys.argv.pop(1), sys.argv.pop(1)


def on_ranks(number, *arguments, program=PROGRAM):
    return [MPIRUN, "-np", str(number), program, *arguments]


def process_of_rank(rank, parent):
    """The process that mpirun, process `parent`, made that rank; None where it is not there yet."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            ours = f"PPid:\t{parent}\n" in (folder / "status").read_text()
            if ours and f"OMPI_COMM_WORLD_RANK={rank}" in (folder / "environ").read_text().split("\0"):
                return int(folder.name)
        except OSError:
            pass  # it ended meanwhile
    return None


class RanksTest(InFolder):
    def run_on(self, number, *arguments, program=PROGRAM, **more):
        return subprocess.run(on_ranks(number, *arguments, program=program), cwd=self.folder, capture_output=True, text=True,
                              timeout=60, **more)

    def expect_line(self, ended, line, name="08_many_gpus"):
        """Bad input: one line of the program's and exit status 2."""
        self.assertEqual(ended.returncode, 2, ended.stderr)
        self.assertEqual([text for text in ended.stderr.splitlines() if text.startswith(name)], [f"{name}: {line}"])
