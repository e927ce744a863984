"""Writes the starters of the exercises into a folder, one folder for each.

Called by `./run exercises`.
"""

import sys
from pathlib import Path

from common.base.command_line import OneLineParser
from common.grader.exercises.fences import BadExercise
from common.grader.exercises.files import exercises
from common.grader.exercises.mutant_corpus import BadPatch
from common.grader.step_build import write_files


def fail(message):
    print(f"exercises: {message}", file=sys.stderr)
    sys.exit(2)


def readme(exercise):
    """What a student reads first; each hint is folded."""
    hints = "\n\n".join(f"<details><summary>Hint {n}</summary>\n\n{hint}\n\n</details>"
                        for n, hint in enumerate(exercise.hints, 1))
    files = ", ".join(f"`{name}`" for name in exercise.starter())
    about = f"{exercise.kind.capitalize()}; about {exercise.fields['Minutes']} minutes."
    return (f"# {exercise.number}: {exercise.title}\n\n{about} Hand in this folder: {files}.\n\n"
            f"{exercise.sections['Task']}\n\nCheck it: `./run grade {exercise.number} THIS_FOLDER`\n\n"
            f"{hints}\n")


def parse_options():
    parser = OneLineParser(prog="./run exercises", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("folder", metavar="DIR", nargs="?", type=Path, help="where to; made if there is none")
    parser.add_argument("numbers", metavar="N.M", nargs="*", help="only these exercises [all]")
    parser.add_argument("--list", action="store_true", help="name the exercises, write nothing")
    options = parser.parse_args()
    if not options.list and options.folder is None:
        fail("say which folder the starters are to be written to: ./run exercises DIR")
    return options


def main():
    options = parse_options()
    chosen = exercises()
    unknown = set(options.numbers) - {exercise.number for exercise in chosen}
    if unknown:
        fail(f"no exercise '{sorted(unknown)[0]}'; there are {' '.join(e.number for e in chosen)}")
    chosen = [e for e in chosen if not options.numbers or e.number in options.numbers]
    if options.list:
        for e in chosen:
            print(f"{e.number}  {e.kind:22} {e.fields['Minutes']:>4} min  {e.title}")
        return
    # What a student has begun is never overwritten.
    there = [options.folder / e.number for e in chosen if (options.folder / e.number).exists()]
    if there:
        fail(f"{there[0]} is there already; move it away, or name another folder")
    try:
        for exercise in chosen:
            write_files(options.folder / exercise.number, {"README.md": readme(exercise), **exercise.starter()})
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")
    print(f"{len(chosen)} starters written to {options.folder}")


if __name__ == "__main__":
    try:
        main()
    except (BadExercise, BadPatch) as error:
        fail(error)
