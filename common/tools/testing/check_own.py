"""Runs a step's force tests with files of one's own in place of the step's."""

import json
import os
import re
import subprocess

from common.base.command_line import BadInput, CommandFailed
from common.grader.build import source_texts
from common.grader.exercises.files import FORCES
from common.grader.step_build import DoesNotCompile, StepBuild
from common.grader.work_folder import work_folder


def tests_of(build, step):
    """(name, command, environment) of each run that ctest knows, of the step's own precision."""
    listing = subprocess.run(["ctest", "--test-dir", build, "-L", "check", "-R", f"^{step}: ", "--show-only=json-v1"],
                             capture_output=True, text=True, check=True).stdout
    for test in json.loads(listing)["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test["properties"]}
        yield test["name"], test["command"], dict(word.split("=", 1) for word in properties["ENVIRONMENT"])


def own_texts(step, folder):
    """The sources of a folder by name, which are to be in place of the step's."""
    if not (folder / FORCES).is_file():
        raise BadInput(f"{folder} has no {FORCES}")
    texts, unused = source_texts(folder, step)
    if FORCES in unused:
        raise BadInput(f"{folder / FORCES} is a link, or too large")
    return texts


def outcomes(build, step, folder, texts):
    """(name, whether it failed, output) of each run, one after the other."""
    with work_folder() as work:
        try:
            program = StepBuild(build, step, f"{step}_test").program(work, texts)
        except DoesNotCompile as error:
            raise CommandFailed(re.sub(rf"{re.escape(str(work))}/\S*?{step}/", f"{folder}/", str(error))) from None
        for name, command, environment in tests_of(build, step):
            ran = subprocess.run([program, *command[1:]], env={**os.environ, **environment}, text=True, errors="replace",
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            yield name, ran.returncode != 0, ran.stdout
