"""Writes the files with which a course system grades submissions for a step or an exercise.

With `sheet`, it writes a step's quiz and project for you to hand out. With `course`, it writes what students get into a new folder.
"""

import io
import os
import re
import subprocess
import zipfile
from pathlib import Path

from common.base.command_line import ROOT, BadInput, own_git, printable
from common.base.whole_file import check_places, write_whole
from common.grader.exercises.answers import RESULTS
from common.grader.export import course, sheet
from common.grader.grade import named_files, task_of
from common.grader.grading import needed

TEMPLATES = ROOT / "common" / "grader" / "export"
# Files that grading does not need: documentation with pictures, movies and results, the checks before a merge, inputs of the
# readers' tests and fuzzers, the grader's own tests, and these templates.
NOT_NEEDED = (".ci/", ".clang-format", ".gitignore", "README.md", "docs/", "common/tests/snapshots.json", "common/tests/fuzz/",
              "common/tests/tools/", "common/live/tests/", "common/grader/export/")
DAY = (1980, 1, 1, 0, 0, 0)  # a fixed date, so that the same commit gives the same zip
SUBMISSION_USER = "nbody-submission"
MINUTES = range(1, 40)  # Gradescope ends autograders after 10 minutes, or the time set there, at most 40


def add_arguments(parser):
    parser.add_argument("system", choices=["gradescope", "github", "sheet", "course"],
                        help="gradescope: the autograder's zip file; github: a workflow for GitHub Actions; sheet: the quiz and "
                        "the project of a step, without the answers; course: a folder for students, in which they can grade "
                        "themselves, without solutions")
    parser.add_argument("task", metavar="NN|FOLDER", help="the step, for example 02, or an exercise, for example 2.1; with course: the "
                        "folder, which must not exist yet")
    parser.add_argument("--output", metavar="FILE", type=Path,
                        help="the file to write; it must not exist yet (default: autograder_NN.zip, grade_NN.yml or "
                        "sheet_NN.md)")
    parser.add_argument("--suite", metavar="OWNER/NAME",
                        help="with github: the repository from which the workflow fetches the suite (default: this one's origin)")
    parser.add_argument("--minutes", metavar="N", type=int,
                        help="with gradescope: minutes after which grading stops; choose less than Gradescope's own limit: "
                        "if that limit is reached, Gradescope shows no result (default: 9)")


def git(*arguments):
    """Returns the output of git for this checkout."""
    done = subprocess.run(own_git(*arguments), capture_output=True, text=True)
    if done.returncode != 0:
        raise BadInput(f"the suite's git checkout is needed: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout


def suite_files(questions):
    """Returns (bytes, whether it is run) by name: the files in git, and the records that grade these questions."""
    recorded = {f"{RESULTS.relative_to(ROOT)}/{question.file}" for question in questions}
    names = [name for name in git("ls-files", "-z").split("\0") if name]
    kept = [name for name in names if name in recorded or not name.startswith(NOT_NEEDED)]
    return {name: ((ROOT / name).read_bytes(), os.access(ROOT / name, os.X_OK)) for name in kept}


def zipped(files):
    """Returns the bytes of a zip of the files, (bytes, whether it is run) by name."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (content, runs) in sorted(files.items()):
            entry = zipfile.ZipInfo(name, DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, without which the mode has no meaning
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            archive.writestr(entry, content)
    return made.getvalue()


def commit():
    return git("describe", "--always", "--abbrev=7", "--dirty", "--exclude=*").strip()


def gradescope(step, exercise, minutes):
    """Returns the bytes of Gradescope's zip."""
    task = exercise.number if exercise else step.partition("_")[0]
    settings = [f"task={task}", f"needed=({' '.join(needed(exercise))})", f"seconds={60 * minutes}",
                f"submission_user={SUBMISSION_USER}", f"export NBODY_COMMIT={commit()}", ""]
    files = {"task.sh": ("\n".join(settings).encode(), False)}
    for name in ("setup.sh", "run_autograder"):
        files[name] = ((TEMPLATES / "gradescope" / name).read_bytes(), True)
    suite = suite_files(exercise.questions if exercise else [])
    return zipped({**files, **{f"suite/{name}": file for name, file in suite.items()}})


def repository(named):
    """Returns OWNER/NAME of the repository at GitHub."""
    if named is None:
        origin = re.fullmatch(r"(?:https://|git@|ssh://git@)github\.com[/:]([\w.-]+/[\w.-]+?)(?:\.git)?/?",
                              git("config", "--default", "", "--get", "remote.origin.url").strip())
        if not origin:
            raise BadInput("this checkout's origin is not at github.com; say with --suite OWNER/NAME where the suite "
                           "is")
        return origin.group(1)
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", named):
        raise BadInput(f"--suite is OWNER/NAME, not '{named}'")
    return named


def github(step, exercise, suite):
    """Returns the text of the workflow."""
    values = {"TASK": exercise.number if exercise else step[:2], "REPOSITORY": suite,
              "WHAT": f"exercise {exercise.number}" if exercise else f"step {step}",
              "COMMIT": git("rev-parse", "HEAD").strip()}
    text = (TEMPLATES / "github" / "grade.yml").read_text()
    return re.sub("@([A-Z]+)@", lambda found: values[found.group(1)], text)


def for_students(options):
    folder = Path(options.task)
    if folder.exists() or folder.is_symlink():
        raise BadInput(f"{folder} already exists; move it away, or name another folder")
    if options.output or options.suite or options.minutes is not None:
        raise BadInput("course takes a folder and no option")
    size = course.write(folder, suite_files([]))
    print(f"{printable(folder)}: {size / 1024:.0f} KB, commit {commit()}")


@named_files()
def run(options):
    if options.system == "course":
        return for_students(options)
    step, exercise = (sheet.unit_of(options.task), None) if options.system == "sheet" else task_of(options.task)
    task = exercise.number if exercise else step.partition("_")[0]
    names = {"gradescope": f"autograder_{task}.zip", "github": f"grade_{task}.yml", "sheet": f"sheet_{task}.md"}
    output = options.output or Path(names[options.system])
    if output.exists() or output.is_symlink():
        raise BadInput(f"{output} already exists; move it away, or name another file with --output")
    check_places(output)
    if options.suite and options.system != "github":
        raise BadInput("--suite is only for github")
    if options.minutes is not None and (options.system != "gradescope" or options.minutes not in MINUTES):
        raise BadInput(f"--minutes is only for gradescope, and from {MINUTES[0]} to {MINUTES[-1]}")
    if options.system == "sheet":
        write_whole(output, sheet.text(step))
        print(printable(output))
        return
    if options.system == "gradescope":
        made = gradescope(step, exercise, options.minutes or 9)
    else:
        made = github(step, exercise, repository(options.suite))
    write_whole(output, made)
    print(f"{printable(output)}: {len(made) / 1024:.0f} KB, commit {commit()}")
