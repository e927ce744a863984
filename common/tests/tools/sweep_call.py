"""sweep.py as its user calls it, within this process."""

import contextlib
import io
import sys

from common.tools.sweeps import sweep


def call(*arguments):
    """Exit status, standard output and standard error of sweep.py with these arguments."""
    output, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stderr(error), contextlib.redirect_stdout(output):
        old, sys.argv = sys.argv, ["sweep.py", *map(str, arguments)]
        try:
            sweep.main()
            status = 0
        except SystemExit as exit:
            status = exit.code
        finally:
            sys.argv = old
    return status, output.getvalue(), error.getvalue()
