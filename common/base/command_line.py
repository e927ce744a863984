"""Shared by all commands: where the suite is, one line for bad input."""

import argparse
import difflib
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def lies_in(path, folder):
    """Returns whether the path is the folder or below it."""
    return Path(folder) in (Path(path), *Path(path).parents)


def shown_path(path):
    """Returns a path relative to the suite's root if it is below it."""
    whole = Path(path).resolve()
    return str(whole.relative_to(ROOT) if lies_in(whole, ROOT) else path)


def script(module):
    """Returns the command line, as a list, that runs a script of the suite, for example "grader.grade"."""
    return [sys.executable, "-B", str(ROOT / "common" / "tools"), module]


class CommandFailed(Exception):
    """An error with one line for the user, which ends the command."""

    status = 1


class BadInput(CommandFailed):
    """An error that the user can fix."""

    status = 2


def nearest(word, known):
    """A hint to print after an unknown word."""
    near = difflib.get_close_matches(word, known, 1)
    return f"; did you mean '{near[0]}'?" if near else ""


class OneLineParser(argparse.ArgumentParser):
    """Bad input gets one line and exit status 2, as from the programs."""

    def parse_known_args(self, args=None, namespace=None):
        words = sys.argv[1:] if args is None else list(args)
        for word in words[: words.index("--") if "--" in words else None]:
            name = word.split("=")[0]
            if name.startswith("--") and " " not in word and name not in self._option_string_actions:
                self.error(f"unknown option '{name}'{nearest(name, self._option_string_actions)}")
        options, left = super().parse_known_args(words, namespace)
        if left:
            self.error(f"unknown {'option' if left[0].startswith('-') else 'argument'} '{left[0]}'")
        return options, left

    def error(self, message):
        print(f"{self.prog.split()[-1]}: {message}", file=sys.stderr)
        sys.exit(2)


def run_command(name, module, words, *more):
    """Parses the words by the module's add_arguments(), if it has any, and calls its run(options, *more); returns the exit status.
    """
    parser = OneLineParser(prog=f"./run {name}", description=module.__doc__, allow_abbrev=False, formatter_class=lambda prog:
                           argparse.RawDescriptionHelpFormatter(prog, max_help_position=26, width=118))
    if hasattr(module, "add_arguments"):
        module.add_arguments(parser)
    if hasattr(module, "arranged"):  # its last words are a program's own
        words = module.arranged(words)
    try:
        status = module.run(parser.parse_args(words), *more) or 0
        sys.stdout.flush()
        return status
    except CommandFailed as error:
        print(f"{name}: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # nobody reads on, `| head` say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
