"""Tests of `./run export`: the autograder's zip, the workflow, the scripts that Gradescope runs, bad input."""

import json
import os
import re
import shutil
import subprocess
import unittest
import zipfile
from pathlib import Path

from common.base.command_line import ROOT, run_command
from common.grader.exercises.files import exercise
from common.grader.export import export
from common.tests.tools.case import InFolder, call, needs

EXPORT = ROOT / "common" / "grader" / "export"


def in_checkout(case):
    """For what export takes from git."""
    if not shutil.which("git"):
        return needs("git")(case)
    found = subprocess.run(["git", "-C", ROOT, "rev-parse"], capture_output=True).returncode == 0
    return unittest.skipUnless(found, "no git checkout")(case)


DPKG = "#!/bin/sh\n# --compare-versions A ge B\n[ \"$(printf '%s\\n' \"$2\" \"$4\" | sort -V | head -1)\" = \"$4\" ]\n"


class ExportTest(InFolder):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def export(self, *arguments):
        return call(run_command, "export", export, [*map(str, arguments)])


@in_checkout
class Zip(ExportTest):
    def exported(self, task):
        file = self.folder / f"{task}.zip"
        self.expect_success(self.export("gradescope", task, "--output", file))
        return self.enterContext(zipfile.ZipFile(file))

    def test_it_holds_what_grading_needs_and_no_more(self):
        archive = self.exported("02")
        names = set(archive.namelist())
        self.assertLessEqual({"setup.sh", "run_autograder", "task.sh", "suite/run", "suite/CMakePresets.json",
                              "suite/02_tiled/forces.cu", "suite/common/grader/grade.py", "suite/common/step.cmake"}, names)
        tracked = set(self.output_of("git", "-C", ROOT, "ls-files").split("\n"))
        self.assertLessEqual({n[len("suite/"):] for n in names if n.startswith("suite/")}, tracked)
        self.assertFalse([n for n in names if n.startswith(("suite/docs", "suite/common/tests/snapshots", "suite/.ci"))])
        self.assertLess(sum(entry.compress_size for entry in archive.infolist()), 2 << 20)

    def test_what_is_run_may_be_run(self):
        archive = self.exported("02")
        modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
        runs = {name for name, mode in modes.items() if mode == 0o100755}
        self.assertEqual(set(modes.values()), {0o100755, 0o100644})
        self.assertLessEqual({"setup.sh", "run_autograder", "suite/run"}, runs)
        self.assertNotIn("suite/02_tiled/forces.cu", runs)

    def test_an_exercise_and_the_numbers_that_grade_it(self):
        settings = self.exported("3.3").read("task.sh").decode()
        self.assertIn("task=3.3\nneeded=(answers.txt)\nseconds=540\nsubmission_user=nbody-submission\nexport NBODY_COMMIT=", settings)
        recorded = [n for n in self.exported("4.2").namelist() if n.startswith("suite/docs/")]
        questions = exercise("4.2").questions
        self.assertEqual(recorded, [f"suite/docs/results/{name}" for name in sorted({q.file for q in questions})])

    def test_the_same_zip_again(self):
        first = self.exported("02").fp.name
        other = self.folder / "other.zip"
        self.export("gradescope", "02_tiled", "--output", other)
        self.assertEqual(Path(first).read_bytes(), other.read_bytes())


@in_checkout
class Workflow(ExportTest):
    def test_it_grades_the_task_with_this_commit(self):
        self.expect_success(self.export("github", "2.1", "--suite", "some/where"))
        text = (self.folder / "grade_2.1.yml").read_text()
        self.assertIn("run: suite/run grade 2.1 submission --preset cpu --github", text)
        self.assertIn("repository: some/where\n", text)
        self.assertRegex(text, r"ref: [0-9a-f]{40}\n")
        self.assertIsNone(re.search(r"@[A-Z]+@", text))


class BadInput(ExportTest):
    def test_a_line_and_nothing_written(self):
        there = self.write("there.zip", "mine")
        (self.folder / "link.zip").symlink_to("nowhere")
        for arguments, why in ((["gradescope", "99"], "no step or exercise '99'"), (["gradescope"], "NN"),
                               (["moodle", "02"], "moodle"), (["gradescope", "02", "--output", "none/x.zip"], "folder 'none' does not exist"),
                               (["gradescope", "02", "--output", "there.zip"], "already exists"),
                               (["gradescope", "02", "--output", "link.zip"], "already exists"),
                               (["gradescope", "02", "--output", "."], "already exists"),
                               (["gradescope", "02", "--suite", "a/b"], "only for github"),
                               (["gradescope", "02", "--minutes", "0"], "1 to 39"),
                               (["github", "02", "--suite", "a/b; rm"], "OWNER/NAME")):
            self.expect_refusal(self.export(*arguments), why)
        (self.folder / "a\tb").mkdir()
        self.expect_refusal(self.export("course", "a\tb"), "export: a\\tb already exists; move it away, or name another folder\n")
        (self.folder / "a\tb").rmdir()
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"there.zip", "link.zip"})
        self.assertEqual(there.read_text(), "mine")


class Setup(InFolder):
    """The begin of setup.sh, with a made-up root, apt-get and cmake."""

    def said(self, offered, cmake=None):
        """(standard error, whether it went on to install) on an image whose apt-get offers this CMake."""
        self.write("task.sh")
        shutil.copy(EXPORT / "gradescope" / "setup.sh", self.folder)
        self.program("id", "#!/bin/sh\necho 0\n")
        self.program("apt-get", f"#!/bin/sh\n[ $1 = update ] || exec touch {self.folder}/installs\n")
        self.program("apt-cache", f"#!/bin/sh\necho '  Candidate: {offered}'\n")
        self.program("cmake", f"#!/bin/sh\necho cmake version {cmake}\n" if cmake else "#!/bin/sh\nexit 127\n")
        self.program("dpkg", DPKG)
        done = subprocess.run(["bash", self.folder / "setup.sh"], capture_output=True, text=True,
                              env={"PATH": f"{self.folder}:{os.environ['PATH']}"})
        return done.stderr, (self.folder / "installs").exists()

    def test_an_image_without_cmake_gets_the_one_that_is_offered(self):
        self.assertTrue(self.said("3.22.1-1ubuntu1")[1])

    def test_too_old_a_cmake_is_one_line(self):
        for offered, cmake in (("3.16.3-1ubuntu1", None), ("3.25.1-1", "3.18.4")):
            said = self.said(offered, cmake)
            self.assertRegex(str(said), r"^\('setup\.sh: CMake 3\.1[68]\S* of this image is too old, 3\.22 .*', False\)$")


class Autograder(InFolder):
    """run_autograder, elsewhere than in /autograder and with another grader in the place of ./run."""

    def setUp(self):
        super().setUp()
        (self.folder / "source" / "suite").mkdir(parents=True)
        (self.folder / "source" / "suite" / "common").symlink_to(ROOT / "common")
        settings = "task=02\nneeded=(forces.cu)\nseconds=60\nsubmission_user=nobody\n"
        self.settings = self.write("source/task.sh", settings)
        (self.folder / "submission").mkdir()
        script = (EXPORT / "gradescope" / "run_autograder").read_text()
        self.assertIn("autograder=/autograder ", script)
        script = script.replace("autograder=/autograder ", f"autograder={self.folder} ").replace("chown root: ", "true ")
        self.write("run_autograder", script)

    def output(self, grader, ends=0):
        """The output field of results.json. grader: a script, in which $3 is the submission and $7 the file to write"""
        self.program("source/suite/run", f"#!/bin/bash\n{grader}\n")
        self.output_of("bash", self.folder / "run_autograder", status=ends)
        return json.loads((self.folder / "results" / "results.json").read_text())["output"]

    def submission(self, folder="."):
        self.write(f"submission/{folder}/forces.cu", "//\n")

    def test_what_the_grader_writes(self):
        self.submission()
        grader = """[ "$7" ] && [ -f "$3/forces.cu" ] && echo '{"output": "graded"}' > "$7\""""
        self.assertEqual(self.output(grader), "graded")

    def test_a_folder_with_the_submission(self):
        self.submission("a student's")
        self.assertEqual(self.output("""echo "{\\"output\\": \\"$3\\"}" > "$7\""""),
                         f"{self.folder}/submission/a student's")
        (self.folder / "submission" / "__MACOSX").mkdir()
        self.assertIn("a student's", self.output("""echo "{\\"output\\": \\"$3\\"}" > "$7\""""))
        self.submission("another's")
        self.assertIn("Nothing was graded", self.output("exit 1"))

    def test_nothing_to_grade(self):
        self.assertEqual(self.output("exit 1"), "Nothing was graded: an empty folder; links do not count.")
        (self.folder / "submission" / "forces.cu").symlink_to(ROOT / "02_tiled" / "forces.cu")
        self.assertIn("links do not count", self.output("exit 1"))

    def test_a_grader_that_fails_is_no_fault_of_the_students(self):
        self.submission()
        text = self.output("echo why; exit 2")
        self.assertIn("not your fault", text)
        self.assertTrue(text.endswith("It ended with status 2.\nwhy"), text)
        self.assertIn("ended with status 137", self.output("kill -9 $$"))

    def test_when_all_is_killed_a_result_is_there_already(self):
        self.submission()
        text = self.output("read -r _ _ _ script _ < /proc/$PPID/stat; kill -9 $script", ends=-9)
        self.assertTrue(text.endswith("It did not finish."), text)

    def test_a_grading_that_takes_too_long(self):
        self.submission()
        self.settings.write_text(self.settings.read_text().replace("seconds=60", "seconds=1"))
        self.assertIn("did not end within 1 s", self.output("sleep 20"))
