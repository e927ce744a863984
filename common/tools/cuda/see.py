"""Writes a page that shows what the threads of a step's kernel do, step by step: who reads and writes which element, and when.

With DIR, the page shows your own kernel instead of the step's. It is as ./run cuda --see FILE.cu writes it for any program: few
bodies and small blocks, so that one looks at all of them. This needs no GPU.
"""

import re
from pathlib import Path

from common.base.command_line import BUILDS, ROOT, BadInput, CommandFailed, whole_number
from common.base.whole_file import check_places
from common.executor.checker.see import record
from common.grader.build import source_texts
from common.grader.exercises.files import FORCES
from common.grader.seen import small_blocks
from common.grader.step_build import DoesNotCompile, StepBuild
from common.grader.work_folder import work_folder
from common.tools.build import built, kernel_steps, step_named
from common.tools.programs import check_run_options

BODIES = 64
PAGES = BUILDS / "see"


def add_arguments(parser):
    parser.add_argument("number", metavar="NN", help="the step, for example 02")
    parser.add_argument("folder", metavar="DIR", nargs="?", type=Path, help="a folder with your own forces.cu and the files that "
                        "it includes")
    parser.add_argument("--bodies", default=str(BODIES), metavar="N", help=f"number of bodies (default: {BODIES})")
    parser.add_argument("--page", type=Path, metavar="FILE.html", help="the page (default: build/see/NN_name.html)")
    add_choice(parser)


def add_choice(parser):
    number = whole_number(0, 10**9 - 1)
    parser.add_argument("--launch", metavar="N", type=number, help="show only this launch of a kernel in the program, from 0 "
                        "(default: the first one of each line, and the first one with a mistake)")
    parser.add_argument("--block", metavar="N", type=number, help="show only this block of each launch, from 0 (default: the first "
                        "two, the last one, and those with a mistake)")


def own_texts(step, folder):
    """Returns the sources of a folder by name, which should replace the step's."""
    if not (folder / FORCES).is_file():
        raise BadInput(f"{folder} has no {FORCES}")
    texts, unused = source_texts(folder, step)
    if FORCES in unused:
        raise BadInput(f"{folder / FORCES} is a link, or too large")
    return texts


def see_step(build, step, texts=None, folder=None, page=None, bodies=BODIES, **choice):
    """Writes the page of a step's kernel, or of the kernel in `texts`, the files of `folder`. Returns the program's status."""
    page = page or PAGES / f"{step}.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    with work_folder() as work:
        try:
            program = StepBuild(build, step).program(work, texts) if texts else build / step / step
        except DoesNotCompile as error:
            raise CommandFailed(re.sub(rf"{re.escape(str(work))}/\S*?{step}/", f"{folder}/", str(error))) from None
        command = [str(program), "--bodies", str(bodies), "--steps", "0", *small_blocks(step)[1]]
        return record(page, command, source=program.parent / FORCES if texts else ROOT / step / FORCES, **choice)


def run(options):
    check_run_options(bodies=options.bodies)
    check_places(options.page)
    step = step_named(options.number)
    if step not in kernel_steps():
        raise BadInput(f"step {options.number} needs several processes, which a page does not show")
    texts = own_texts(step, options.folder) if options.folder else None
    build = built("cpu-check", step)
    return see_step(build, step, texts, options.folder, options.page, options.bodies, launch=options.launch, block=options.block)
