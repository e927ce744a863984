"""Compiles any CUDA program for the CPU executor and runs it under the checker. This needs no GPU.

The checker reports races, out-of-bounds accesses, reads of uninitialised memory and mistakes in host code, with file
and line. The exit status is 1 if the checker reported something, 2 for wrong input, and otherwise the program's own.
The program's times do not tell you how fast it is on a GPU.
"""

import hashlib
import json
import os
import re
import shlex
import subprocess
from pathlib import Path

from common.base.command_line import BUILDS, ROOT, BadInput, whole_number
from common.base.whole_file import check_places
from common.executor.checker.see import record
from common.tools import progress
from common.tools.build import build_targets, configured, is_configured
from common.tools.cuda import counts, see

PROGRAMS = BUILDS / "programs"
BRANCHES = ("-Xcompiler", "-fplugin-arg-checker_plugin-branches")  # the plugin of g++ reports branches to the counts
PRESETS = {"check": "cpu-check", "plain": "cpu"}  # ./run check, grade and ladder use the same builds
VALUED = ("--order", "--device", "--check-launches", "--check-blocks", "--compile", "--json", "--page",
          "--launch", "--block")


def add_arguments(parser):
    parser.usage = "./run cuda [OPTION...] FILE.cu [ARGUMENT...]"
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--plain", action="store_true", help="run fast, on all cores, without the checker")
    modes.add_argument("--counts", action="store_true", help="count the memory accesses of each line: sectors, bank conflicts, "
                       "lanes that take part")
    modes.add_argument("--see", action="store_true", help="write a page that shows which thread reads and writes what, step by "
                       "step (default: FILE.html, or that of --page)")
    see.add_choice(parser)
    counts.add_json(parser)
    parser.add_argument("--page", type=Path, metavar="FILE.html", help="name the page of --see")
    parser.add_argument("--order", metavar="ORDER", help="order in which threads and blocks run: forward, reverse or "
                        "random[:SEED] (default: forward)")
    parser.add_argument("--device", choices=("t4", "a100", "h100"), help="use the limits of this GPU (default: h100)")
    parser.add_argument("--check-launches", metavar="N", help="look for races only in the first N launches of each "
                        "line (default: all)")
    parser.add_argument("--check-blocks", metavar="N", help="look for races only in about N blocks of each grid "
                        "(default: all)")
    parser.add_argument("--eager", action="store_true", help="run device work at once, not when the host waits for it; "
                        "this hides missing synchronisation")
    parser.add_argument("--compile", metavar="OPTIONS", default="", help="options for nvcc and more source files, for "
                        "example '-DN=512 -Iinclude other.cu -lm'")
    parser.add_argument("file", metavar="FILE.cu", help="the program")
    more = parser.add_argument("arguments", metavar="ARGUMENT", nargs="...", help="arguments of your program")
    more.required = False  # or a call without a file would complain that these are missing too


def arranged(words):
    """Returns the words with a -- before the file, because all words after it belong to the program. The name of a .cu file may
    begin with a dash.
    """
    i = 0
    while i < len(words) and words[i].startswith("-") and words[i] != "--" and not words[i].endswith(".cu"):
        i += 2 if words[i] in VALUED else 1
    return words if "--" in words[:i + 1] else [*words[:i], "--", *words[i:]]


def folder_for(mode):
    """Returns a build folder. Each can build the libraries of all modes, so that after ./run ladder no other one is configured."""
    preset = PRESETS[mode]
    return configured("cpu" if is_configured(BUILDS / "cpu") and not is_configured(BUILDS / preset) else preset)


def built_executor(mode):
    """Returns (ladder-nvcc, the executor's library, whether g++ has the plugin), after building them."""
    folder = folder_for(mode)
    tools = json.loads((folder / "executor.json").read_text())
    library = Path(tools["libraries"][mode])
    targets = [f"nbody_executor_{mode}", *(f"nbody_executor_{part}" for part in ("first", "last", "heap"))]
    build_targets(folder, targets)
    return folder / "ladder-nvcc", library, bool(tools["plugin"])


def parts_in(listing):
    """Returns the files that a compiler's list of headers names. It is written for make: a blank in a name has a \\ before it."""
    names = re.findall(r"(?:\\[^\n]|[^\s\\])+", re.split(r":(?=\s)", listing, 1)[-1])
    return [Path(re.sub(r"\\([ #])|\$(\$)", r"\1\2", name)) for name in names]


def is_current(program, library):
    """Returns whether a program is newer than all files it was made from, which the list of its headers names."""
    listing = program.with_suffix(".d")
    if not program.exists() or not listing.exists():
        return False
    made = program.stat().st_mtime
    parts = parts_in(listing.read_text(errors="surrogateescape"))
    translator = (ROOT / "common" / "executor").glob("*/*.py")
    return all(part.exists() and part.stat().st_mtime < made for part in [*parts, library, *translator])


def compiled(options, mode):
    """Returns the program. Compiles it only if something has changed."""
    (compiler, library, has_plugin), extra = built_executor(mode), shlex.split(options.compile)
    extra += BRANCHES if options.counts and has_plugin else ()
    file = Path(options.file)
    command = [str(compiler), f"--{mode}", str(file.resolve()), *extra]
    name = hashlib.sha256("\0".join([*command, os.getcwd()]).encode(errors="surrogateescape")).hexdigest()[:12]
    program = PROGRAMS / f"{file.stem}-{name}"
    # The list of headers is complete only for one file.
    is_alone = not any(word.endswith((".cu", ".cpp", ".cc", ".c", ".o", ".a")) for word in extra)
    if is_alone and is_current(program, library):
        return program
    program.parent.mkdir(parents=True, exist_ok=True)
    # Uses another name first, because a second command may be running or compiling the same program.
    made = program.with_name(f"{program.name}-{os.getpid()}")
    listing = ["-MD", "-MF", str(made.with_suffix(".d"))] if is_alone else []
    with progress.shown(compiling=file.name):
        ran = subprocess.run([*command, *listing, "-o", str(made)])
    if ran.returncode != 0:
        program.unlink(missing_ok=True)
        return None
    if listing:
        os.replace(listing[-1], program.with_suffix(".d"))
    os.replace(made, program)
    return program


def environment(options):
    """Returns the environment variables of the program's runtime. A run without a report then says what was checked."""
    given = {"NBODY_EXECUTOR_ORDER": options.order, "NBODY_EXECUTOR_DEVICE": options.device,
             "NBODY_EXECUTOR_LAZY": "0" if options.eager else None,
             "NBODY_EXECUTOR_CHECK_LAUNCHES": options.check_launches,
             "NBODY_EXECUTOR_CHECK_BLOCKS": options.check_blocks,
             "NBODY_EXECUTOR_SUMMARY": None if options.see or options.counts else "1"}
    return {**os.environ, **{name: value for name, value in given.items() if value is not None}}


def page_of(file):
    """Returns the default file of a page. It is in this folder, or with the builds if this user may not write here."""
    name = f"{Path(file).stem}.html"
    if os.access(".", os.W_OK):
        return Path(name)
    see.PAGES.mkdir(parents=True, exist_ok=True)
    progress.complain(f"This folder may not be written, so {name} is in {see.PAGES}.")
    return see.PAGES / name


def check(options):
    if not Path(options.file).is_file():
        raise BadInput(f"no file '{options.file}'")
    if Path(options.file).suffix not in (".cu", ".cpp", ".cc", ".cxx", ".c") and "-x" not in options.compile:
        raise BadInput(f"{options.file} is no CUDA program: its name must end in .cu")
    if options.order and not re.fullmatch(r"forward|reverse|random(:\d+)?", options.order):
        raise BadInput(f"--order must be forward, reverse or random[:SEED], not '{options.order}'")
    try:
        shlex.split(options.compile)
    except ValueError as error:
        raise BadInput(f"--compile: {error}, in '{options.compile}'") from None
    for name in ("check_launches", "check_blocks"):
        value = getattr(options, name)
        if value:
            whole_number(1, 10**9 - 1, f"--{name.replace('_', '-')}")(value)


def run(options):
    check(options)
    if options.json and not options.counts or options.page and not options.see:
        raise BadInput("--json is a file of --counts, and --page one of --see: give that option too")
    if (options.launch is not None or options.block is not None) and not options.see:
        raise BadInput("--launch and --block choose what --see shows: give --see too")
    check_places(options.json, options.page)
    mode = "plain" if options.plain else "check"
    program = compiled(options, mode)
    if program is None:
        return 2
    command = [str(program), *options.arguments]
    if options.see:
        page = options.page or page_of(options.file)
        status = record(page, command, environment(options), Path(options.file).resolve(), options.launch, options.block)
    elif options.counts:
        status, document = counts.counted(command, environment(options))
        if document:
            counts.write_file(options.json, document)
        print(counts.table(document) if document else "cuda: no kernel has run, so there is nothing to count\n", end="")
    else:
        status = subprocess.run(command, env=environment(options)).returncode
    return status if status >= 0 else 128 - status
