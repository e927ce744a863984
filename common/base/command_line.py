"""What every command's script shares: where the suite is, one line for bad input, one line of progress."""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def script(module):
    """The words that run a script of the suite's, "grader.grade" say."""
    return [sys.executable, "-B", str(ROOT / "common" / "tools"), module]


class OneLineParser(argparse.ArgumentParser):
    """Bad input gets one line and exit status 2, as from the programs."""

    def error(self, message):
        print(f"{self.prog.split()[-1]}: {message}", file=sys.stderr)
        sys.exit(2)


def show_progress(line):
    """One line that the next replaces, in a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
