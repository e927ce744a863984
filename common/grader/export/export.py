"""Makes what a course system grades submissions of a step or an exercise with."""

import re
import subprocess
from pathlib import Path

from common.base.command_line import BadInput
from common.base.whole_file import write_whole
from common.grader.exercises.fences import BadExercise
from common.grader.export.files import TEMPLATES, git, suite_files, zipped
from common.grader.grade import task_of
from common.grader.grading import needed

SUBMISSION_USER = "nbody-submission"
MINUTES = range(1, 40)  # Gradescope ends autograders after 10, or after what is set there, 40 at most


def fail(message):
    raise BadInput(message)


def add_arguments(parser):
    parser.add_argument("system", choices=["gradescope", "github"],
                        help="gradescope: the autograder's zip; github: a workflow of GitHub Actions")
    parser.add_argument("task", metavar="NN", help="the step, 02 say, or one of its exercises, 2.1 say")
    parser.add_argument("--output", metavar="FILE", type=Path,
                        help="to be written; not over one that is there [autograder_NN.zip or grade_NN.yml]")
    parser.add_argument("--suite", metavar="OWNER/NAME",
                        help="github: the repository that students' workflows fetch the suite from [this one's origin]")
    parser.add_argument("--minutes", metavar="N", type=int,
                        help="gradescope: when grading gives up; below Gradescope's limit, past which nobody sees a result [9]")


def commit():
    return git("describe", "--always", "--abbrev=7", "--dirty", "--exclude=*").strip()


def gradescope(step, exercise, minutes):
    """The zip's bytes."""
    task = exercise.number if exercise else step[:2]
    settings = [f"task={task}", f"needed=({' '.join(needed(exercise))})", f"seconds={60 * minutes}",
                f"submission_user={SUBMISSION_USER}", f"export NBODY_COMMIT={commit()}", ""]
    files = {"task.sh": ("\n".join(settings).encode(), False)}
    for name in ("setup.sh", "run_autograder"):
        files[name] = ((TEMPLATES / "gradescope" / name).read_bytes(), True)
    return zipped(files | {f"suite/{name}": file for name, file in suite_files(exercise).items()})


def repository(named):
    """OWNER/NAME at GitHub."""
    if named is None:
        origin = re.fullmatch(r"(?:https://|git@|ssh://git@)github\.com[/:]([\w.-]+/[\w.-]+?)(?:\.git)?/?",
                              git("config", "--default", "", "--get", "remote.origin.url").strip())
        if not origin:
            fail("this checkout's origin is not at github.com: say with --suite OWNER/NAME where the suite is")
        return origin.group(1)
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", named):
        fail(f"--suite is OWNER/NAME, not '{named}'")
    return named


def github(step, exercise, suite):
    """The workflow's text."""
    values = {"TASK": exercise.number if exercise else step[:2], "REPOSITORY": suite,
              "WHAT": f"exercise {exercise.number}" if exercise else f"step {step}",
              "COMMIT": git("rev-parse", "HEAD").strip()}
    text = (TEMPLATES / "github" / "grade.yml").read_text()
    return re.sub("@([A-Z]+)@", lambda found: values[found.group(1)], text)


def export(options):
    step, exercise = task_of(options.task, fail)
    task = exercise.number if exercise else step[:2]
    names = {"gradescope": f"autograder_{task}.zip", "github": f"grade_{task}.yml"}
    output = options.output or Path(names[options.system])
    if output.exists() or output.is_symlink():
        fail(f"{output} is there already; move it away, or name another file with --output")
    if not output.parent.is_dir():
        fail(f"no folder '{output.parent}'")
    if options.suite and options.system != "github":
        fail("--suite is for github only")
    if options.minutes is not None and (options.system != "gradescope" or options.minutes not in MINUTES):
        fail(f"--minutes is for gradescope, {MINUTES[0]} to {MINUTES[-1]}")
    if options.system == "gradescope":
        made = gradescope(step, exercise, options.minutes or 9)
    else:
        made = github(step, exercise, repository(options.suite))
    write_whole(output, made)
    print(f"{output}: {len(made) / 1024:.0f} KB, commit {commit()}")


def run(options):
    try:
        export(options)
    except BadExercise as error:
        fail(error)
    except subprocess.CalledProcessError as error:
        fail(f"the suite's git checkout is needed: {error.stderr.strip().splitlines()[-1]}")
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")
