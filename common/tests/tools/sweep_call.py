"""`./run sweep` as its user calls it, within this process."""

import contextlib
import io

from common.base.command_line import run_command
from common.tools.sweeps import sweep


def call(*arguments):
    """Exit status, standard output and standard error of the command with these arguments."""
    output, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stderr(error), contextlib.redirect_stdout(output):
        try:
            status = run_command("sweep", sweep, list(map(str, arguments)))
        except SystemExit as ended:
            status = ended.code
    return status, output.getvalue(), error.getvalue()
