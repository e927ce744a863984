"""What a submission may not define: a function of the system's or of the executor's, which all of the process would then
call in its place, the executor that keeps host code from the device's memory, too.
"""

import functools
import re
import subprocess

from common.grader.complaints import Complaint, DoesNotBuild
from common.grader.sandbox.limited_run import run_limited

LIBRARIES = ("libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1")
SECONDS = 20
DEFINED = re.compile(r"^[0-9a-f]+ ([TWwi]) (\S+)$", re.MULTILINE)
REPLACEABLE = re.compile(r"main$")  # a program's own


def functions(listing):
    """(name, whether it is weak) of each function in what nm prints."""
    return [(name.partition("@")[0], kind in "Ww") for kind, name in DEFINED.findall(listing)]


def library_functions(compiler, libraries):
    """Names of the functions of these libraries of the system's. compiler: that knows where they are"""
    return frozenset().union(*(functions_of(compiler, library) for library in libraries))


@functools.lru_cache
def functions_of(compiler, library):
    path = subprocess.run([compiler, f"-print-file-name={library}"], capture_output=True, text=True).stdout.strip()
    return frozenset(name for name, _ in functions(listing_of(["-D", path])))


@functools.lru_cache
def system_functions(compiler, archives):
    """Names of the functions of the system's libraries and of these archives of the executor's. compiler: as above"""
    found = set(library_functions(compiler, LIBRARIES))
    for archive in archives:
        # The names of C: C++'s are of the executor's own namespace, or inline in any program.
        found.update(name for name, _ in functions(listing_of([archive])) if not name.startswith("_Z"))
    return frozenset(name for name in found if not REPLACEABLE.match(name))


def listing_of(words, *command):
    """What nm prints of these files, of what they define unless another command is given."""
    command = command or ("nm", "-g", "--defined-only")
    return subprocess.run([*command, *map(str, words)], capture_output=True, text=True, errors="replace").stdout


def said_of(made, sandbox, *command):
    """What a command prints of a submission's object, to its end: what is cut off nobody would look at."""
    ended = run_limited([*command, made], SECONDS, sandbox=sandbox, readable=[made])
    if ended.status != 0:
        raise DoesNotBuild(Complaint(f"the compiled submission is too large or cannot be read: {command[0]} failed"))
    return ended.out


def foreign_definition(symbols, compiler, archives):
    """The name of a function of the system's that an object defines; None where it has none. Weak ones of C++ are templates
    and inline functions, which every object has. symbols: of the object, as nm prints them
    """
    names = {name for name, weak in functions(symbols) if not (weak and name.startswith("_Z"))}
    return min(names & system_functions(compiler, archives), default=None)
