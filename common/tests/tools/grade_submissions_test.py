"""Submissions as students make them, built and graded: grade_submissions_test.py BUILD."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parent
from common.base.command_line import ROOT, script
from common.grader import runs
from common.grader.grading import grade_folder
from common.grader.sandbox.sandbox import NoSandbox, Sandbox

BUILD = Path(sys.argv.pop()).resolve()
REFERENCE = (ROOT / "02_tiled" / "forces.cu").read_text()
LAUNCH = "  launch(shape, forcesKernel, bodies.data(), count, softeningSquared, accelerations.data());\n"
KERNEL = "  real3 acceleration = {0, 0, 0};\n"
runs.SECONDS = 4


def sandbox():
    """bubblewrap's where it works: CI has it."""
    try:
        return Sandbox.chosen(trust=False, user=None)
    except NoSandbox as error:
        print(f"without isolation: {error}")
        return Sandbox("none")


SANDBOX = sandbox()


def line_of(text, part):
    return text[: text.index(part)].count("\n") + 1


class Submissions(unittest.TestCase):
    def graded(self, text, **others):
        with tempfile.TemporaryDirectory(prefix="a student's ") as folder:
            for name, content in {"forces.cu": text, **others}.items():
                (Path(folder) / name.replace("_h", ".h")).write_text(content)
            return self.result(Path(folder))

    def result(self, folder):
        return grade_folder(folder, BUILD, "02_tiled", sandbox=SANDBOX)

    def changed(self, before, after):
        self.assertIn(before, REFERENCE)
        return REFERENCE.replace(before, after)

    def test_a_right_one_written_otherwise_scores_full(self):
        result = self.graded((TESTS / "submissions" / "02_otherwise.cu").read_text())
        self.assertEqual([t for t in result["tests"] if t["status"] != "passed"], [])
        self.assertEqual(result["score"], 100)
        self.assertLess(result["seconds"], 60)

    def test_a_header_of_its_own(self):
        text = self.changed('#include "driver/step.hpp"\n', '#include "driver/step.hpp"\n#include "mine.h"\n')
        self.assertEqual(self.graded(text.replace("min(i, count - 1)", "kMine * min(i, count - 1)"),
                                     mine_h="constexpr int kMine = 1;\n")["score"], 100)

    def test_a_compile_error_is_at_the_students_line(self):
        text = self.changed(KERNEL, "  real3 acceleration = {0, 0, 0}\n")
        result = self.graded(text)
        found = result["build"]["diagnosis"]
        self.assertEqual((result["score"], found["file"]), (0, "forces.cu"))
        self.assertIn("expected", found["text"])
        self.assertLessEqual(abs(found["line"] - line_of(text, "{0, 0, 0}\n")), 10)

    def test_an_error_deep_in_the_suite_is_at_the_line_that_led_there(self):
        text = self.changed(LAUNCH, "  launch(shape, forcesKernel, bodies.data());\n")
        self.assertEqual(self.graded(text)["build"]["diagnosis"]["line"], line_of(text, "  launch(shape, forcesKernel"))

    def test_what_is_not_defined(self):
        result = self.graded(self.changed("void computeForces(", "void otherForces("))
        self.assertIn("undefined reference to nbody::computeForces", result["build"]["diagnosis"]["text"])

    def test_an_endless_loop(self):
        result = self.graded(self.changed(LAUNCH, "  while (accelerations.size()) {}\n"))
        self.assertEqual(result["score"], 0)
        self.assertEqual(result["tests"][0]["diagnosis"]["text"], "it did not end within 4 s")
        self.assertEqual({t["status"] for t in result["tests"][1:]}, {"not run"})

    def test_a_flood_of_output(self):
        result = self.graded(self.changed(LAUNCH, LAUNCH + '  for (;;) printf("%d bodies\\n", count);\n'))
        self.assertEqual(result["score"], 0)
        self.assertIn("a flood of output", result["tests"][0]["diagnosis"]["text"])

    def test_a_crash(self):
        result = self.graded(self.changed(LAUNCH, LAUNCH + "  *reinterpret_cast<volatile int*>(8) = count;\n"))
        self.assertEqual(result["score"], 0)
        self.assertIn("crashed", result["tests"][0]["diagnosis"]["text"])

    def test_one_that_says_that_it_passed(self):
        text = self.changed(LAUNCH, '  printf("check              passed\\nAll tests passed\\n"); std::_Exit(0);\n')
        result = self.graded(text)
        self.assertEqual(result["score"], 0)
        self.assertIn("without its forces", result["tests"][0]["diagnosis"]["text"])

    def test_nothing_is_left_of_it(self):
        before = set(Path(tempfile.gettempdir()).glob("submission-*"))
        self.graded(self.changed(KERNEL, KERNEL + "  nonsense\n"))
        self.assertLessEqual(set(Path(tempfile.gettempdir()).glob("submission-*")), before)

    def test_what_must_be_handed_in_is_never_taken_from_the_solution(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "forces.cu").symlink_to(ROOT / "02_tiled" / "forces.cu")
            self.assertIn("is a link", self.result(Path(folder))["build"]["diagnosis"]["text"])
            (Path(folder) / "forces.cu").unlink()
            (Path(folder) / "forces.cu").write_text("//" + "x" * (2 << 20))
            self.assertIn("1 MiB", self.result(Path(folder))["build"]["diagnosis"]["text"])
            # Exercise 6.1's own part is in a header, which its student was given.
            (Path(folder) / "forces.cu").write_text((ROOT / "06_tree_walk" / "forces.cu").read_text())
            command = [*script("grader.grade"), "6.1", folder, "--only-check", "--trust"]
            refused = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual((refused.returncode, refused.stderr.count(" has no ")), (2, 1), refused.stderr)
