"""Shared by all commands: where the suite and its builds are, one line for bad input and for every other error."""

import argparse
import difflib
import errno
import hashlib
import importlib
import os
import re
import sys
import tempfile
import threading
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def builds_folder(root=ROOT):
    """Returns the folder of all builds: build/, or a folder under ~/.cache if this user may not write there."""
    own = root / "build"
    if all(os.access(path, os.W_OK) for path in ([own, *own.iterdir()] if own.is_dir() and os.access(own, os.R_OK) else [root])):
        return own
    # Without a home the ~ stays. Here, a folder with this name would be dangerous.
    cache = Path("/", os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    return cache / "nbody-ladder" / f"{root.name}-{hashlib.sha256(str(root).encode()).hexdigest()[:8]}"


BUILDS = builds_folder()


def printable(text):
    """Returns a text of another person in one line. Escapes what is not printable: controls, newlines, bytes that are not UTF-8."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))


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


def own_git(*words):
    """Returns the command line of git for this checkout. Git refuses that of another user, but who runs its commands trusts it."""
    return ["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT), *words]


def names_of(step):
    """Returns the words with which a user may name a step's folder: 02_tiled, 02_tiled/, 02 or 2."""
    return {step, f"{step}/", step[:2], step[:2].lstrip("0")}


class CommandFailed(Exception):
    """An error with one line for the user, which ends the command."""

    status = 1


class BadInput(CommandFailed):
    """An error that the user can fix."""

    status = 2


def nearest(word, known):
    """A hint to print after an unknown word. The dashes of options do not count, because all options have them."""
    plain = {name.lstrip("-"): name for name in known}
    near = difflib.get_close_matches(word.lstrip("-").lower(), plain, 1)
    return f"; did you mean '{plain[near[0]]}'?" if near else ""


class OneLineParser(argparse.ArgumentParser):
    """Bad input gets one line and exit status 2, as from the programs."""

    def parse_known_args(self, args=None, namespace=None):
        words = self.with_values(sys.argv[1:] if args is None else args)
        own = words[: words.index("--") if "--" in words else None]
        given = set()
        for before, word in zip(["", *own], own):
            name = word.split("=")[0]
            if name in given and not isinstance(self._option_string_actions[name], argparse._AppendAction):
                self.error(f"{name} is given twice")
            given |= {name} & self._option_string_actions.keys()
            if name.startswith("--") and " " not in word and name not in self._option_string_actions:
                self.error(f"unknown option '{name}'{nearest(name, self._option_string_actions)}")
            option = self._option_string_actions.get(name or before)
            if word in ("", f"{name}=") and not (option and option.default == ""):
                self.error(f"{option.option_strings[0]} has no value" if option else "an argument is empty")
        options, left = super().parse_known_args(words, namespace)
        if left:
            self.error(f"unknown {'option' if left[0].startswith('-') else 'argument'} '{left[0]}'")
        return options, left

    def with_values(self, words):
        """Returns the words, in which an = joins an option and a value that begins with a dash, such as --compile -DN=4."""
        joined, words = [], list(words)
        while words and words[0] != "--":
            joined.append(words.pop(0))
            action = self._option_string_actions.get(joined[-1])
            if action and action.nargs is None and words and words[0][:1] == "-" and words[0] not in self._option_string_actions:
                joined[-1] += f"={words.pop(0)}"
        return joined + words

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices and len(action.choices) > 8:
            near = nearest(value, action.choices) or f"; {self.prog} --help lists them"
            raise argparse.ArgumentError(action, f"invalid choice: '{value}'{near}")
        super()._check_value(action, value)

    def error(self, message):
        print(f"{self.prog.removeprefix('./run ')}: {printable(message)}", file=sys.stderr)
        sys.exit(2)


def whole_number(least, most, option=""):
    """Returns a function that reads a whole number from the least to the most, as the programs do: digits from 0 to 9, after a
    minus only if numbers below 0 are allowed. option: names the text in BadInput; without it, the function is a type for argparse, which names the option itself
    """
    def parsed(text):
        if not re.fullmatch(f"{'-?' if least < 0 else ''}[0-9]{{1,99}}", text) or not least <= int(text) <= most:
            problem = f"must be a whole number from {least} to {most}, not '{text}'"
            raise BadInput(f"{option}: {problem}") if option else argparse.ArgumentTypeError(problem)
        return int(text)
    return parsed


def complaint(error):
    """Returns one line about an unexpected error. The line of a mistake of the suite names a file with the traceback."""
    if isinstance(error, OSError) and error.strerror:
        files = " and ".join(str(file) for file in (error.filename, error.filename2) if file is not None)
        if error.errno == errno.ENOSPC:
            return f"the disk is full{f': {files} could not be written' if files else ''}"
        return f"{files}: {error.strerror}" if files else error.strerror
    said = " ".join(f"{type(error).__name__}: {error}".split())
    try:
        with tempfile.NamedTemporaryFile("w", prefix="nbody-ladder-", suffix=".log", delete=False) as log:
            log.write("".join(traceback.format_exception(type(error), error, error.__traceback__)))
        what_next = f"report it with {log.name}"
    except OSError as unwritten:
        what_next = f"its log could not be written: {unwritten.strerror}"
    return f"a mistake in this command ended it ({said}); {what_next}"


def run_command(name, module, words, *more, tools=None):
    """Parses the words by the module's add_arguments(), if it has any, and calls its run(options, *more); returns the exit
    status. module: the module, or its name; tools: {option: what it does} of the command's other tools, for the help
    """
    def report(error):
        print(f"{name}: {printable(complaint(error))}", file=sys.stderr)

    threading.excepthook = lambda thrown: report(thrown.exc_value)
    try:
        module = importlib.import_module(module) if isinstance(module, str) else module
        parser = OneLineParser(prog=f"./run {name}", description=module.__doc__, allow_abbrev=False, formatter_class=lambda prog:
                               argparse.RawDescriptionHelpFormatter(prog, max_help_position=26, width=118))
        if hasattr(module, "add_arguments"):
            module.add_arguments(parser)
        others = parser.add_argument_group("other tools, each with its own --help")
        for option, summary in (tools or {}).items():
            others.add_argument(option, action="store_true", help=summary)
        if hasattr(module, "arranged"):  # its last words are a program's own
            words = module.arranged(words)
        status = module.run(parser.parse_args(words), *more) or 0
        sys.stdout.flush()
        return status
    except CommandFailed as error:
        print(f"{name}: {printable(error) if isinstance(error, BadInput) else error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # nobody reads on, `| head` say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        report(error)
        return BadInput.status if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG else 1
