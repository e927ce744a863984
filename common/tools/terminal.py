"""How wide the terminal is, and which columns of a table fit it."""

import math
import shutil
import sys


def room():
    """Returns how many letters a line of the output may have. A file or a pipe has room for all."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else math.inf


def fitting(widths, less_needed, most):
    """Returns the widths of the columns whose sum is at most `most`. less_needed: columns that may be left out, in this order"""
    kept = dict(widths)
    for name in less_needed:
        if sum(kept.values()) > most:
            kept.pop(name, None)
    return kept
