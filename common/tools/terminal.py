"""How wide the terminal is, text in lines that fit it, and which columns of a table do."""

import math
import shutil
import sys
import textwrap


def room():
    """Returns how many letters a line of the output may have. A file or a pipe has room for all."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else math.inf


def text_width():
    """Returns how many letters a line of prose has at most."""
    return min(100, room())


def filled(text, indent=""):
    """Returns a paragraph in lines that fit. indent: of all lines but the first"""
    return textwrap.fill(text, text_width(), subsequent_indent=indent)


def fitting(widths, less_needed, most):
    """Returns the widths of the columns whose sum is at most `most`. less_needed: columns that may be left out, in this order"""
    kept = dict(widths)
    for name in less_needed:
        if sum(kept.values()) > most:
            kept.pop(name, None)
    return kept
