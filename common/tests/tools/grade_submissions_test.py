"""Submissions as students make them, built and graded: tools.grade_submissions_test BUILD."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest import mock

from common.base.command_line import ROOT, script
from common.grader import runs
from common.grader.grading import grade_folder
from common.grader.step_build import write_files
from common.tests.tools.case import InFolder, called, sandbox

BUILD = Path(sys.argv.pop()).resolve()
SANDBOX = sandbox()
runs.RUN_SECONDS = 10
REFERENCE = (ROOT / "02_tiled" / "forces.cu").read_text()
OTHERWISE = Path(__file__).with_name("submissions").joinpath("02_otherwise.cu").read_text()
LAUNCH = REFERENCE[REFERENCE.index("  forcesKernel<<<"):REFERENCE.index("}\n\n}  // namespace")]
SUM = "  real3 acceleration = {0, 0, 0};\n"


def changed(before, after):
    assert before in REFERENCE
    return REFERENCE.replace(before, after)


def line_of(text, part):
    return text[: text.index(part)].count("\n") + 1


class Ideas(InFolder):
    """Correct forces of later steps: (step, file, text, other text, words of the report)."""
    ideas = [("06_tree_walk", "quadrupole.cuh", "-(rest.w + zz) *", "-rest.w *", "a term of its quadrupole's pull wrong"),
             ("09_tensor_cores", "boxes.cuh", "return pair.gap >", "return false && pair.gap >", "are no matrices multiplied"),
             ("10_fast_multipole", "expansion.cuh", "unrolled<componentsBelow(2), componentsBelow(P)>([&](auto p) {",
              "unrolled<componentsBelow(2), componentsBelow(P < 3 ? P : 3)>([&](auto p) {", "are expansions cut at too low an order")]

    def test_correct_forces_without_the_steps_idea_lose_points(self):
        for step, name, before, after, words in self.ideas:
            with self.subTest(step):
                text = (ROOT / ("01_naive" if before is None else step) / name).read_text()
                files = {"forces.cu": (ROOT / step / "forces.cu").read_text()}
                write_files(self.folder / step, {**files, name: text.replace(before, after) if before else text})
                with mock.patch.object(runs, "RUN_SECONDS", 60):
                    result = grade_folder(self.folder / step, BUILD, step, sandbox=SANDBOX)
                said = [test["diagnosis"]["text"] for test in result["tests"] if test["status"] != "passed"]
                self.assertEqual(len(said), 1, said)
                self.assertIn(words, said[0])


class Submissions(Ideas):
    ideas = [("02_tiled", "forces.cu", None, None, "kernels read"),  # step 01's
             ("03_unrolled", "forces.cu", "k.value>; });\n  const unsigned blocks = blocksFor(count, block * options.bodiesPerThread)",
              "1>; });\n  const unsigned blocks = blocksFor(count, block)", "with --bodies-per-thread 4")]

    def graded(self, text, **others):
        for name, content in {"forces.cu": text, **others}.items():
            self.write(f"a student's/{name.replace('_h', '.h')}", content)
        return self.result(self.folder / "a student's")

    def result(self, folder):
        return grade_folder(folder, BUILD, "02_tiled", sandbox=SANDBOX)

    def test_a_right_one_written_otherwise_scores_full(self):
        result = self.graded(OTHERWISE)
        self.assertEqual([t for t in result["tests"] if t["status"] != "passed"], [])
        self.assertEqual(result["score"], 100)

    def test_a_header_of_its_own(self):
        text = changed('#include "driver/step.hpp"\n', '#include "driver/step.hpp"\n#include "mine.h"\n')
        self.assertEqual(self.graded(text.replace("min(i, count - 1)", "kMine * min(i, count - 1)"),
                                     mine_h="constexpr int kMine = 1;\n")["score"], 100)

    def test_what_is_compiled_of_a_templates_pairs_is_all_that_the_tests_choose(self):
        for step in ("03_unrolled", "04_multithread_per_body"):
            with self.subTest(step):
                folder = self.folder / step
                write_files(folder, {"forces.cu": (ROOT / step / "forces.cu").read_text() + "// else not compiled\n"})
                self.assertEqual(grade_folder(folder, BUILD, step, sandbox=SANDBOX)["score"], 100)

    def test_a_compile_error_is_at_the_students_line(self):
        text = changed(SUM, "  real3 acceleration = {0, 0, 0}\n")
        result = self.graded(text)
        found = result["build"]["diagnosis"]
        self.assertEqual((result["score"], found["file"]), (0, "forces.cu"))
        self.assertIn("expected", found["text"])
        self.assertLessEqual(abs(found["line"] - line_of(text, "{0, 0, 0}\n")), 10)

    def test_an_error_deep_in_the_suite_is_at_the_line_that_led_there(self):
        call = "  options.select([](auto u) { return u.value; });\n"
        text = changed(LAUNCH, call)
        self.assertEqual(self.graded(text)["build"]["diagnosis"]["line"], line_of(text, call))

    def test_a_kernel_calls_no_host_function(self):
        found = self.graded(changed("__device__ inline real3 interaction(", "inline real3 interaction("))["build"]["diagnosis"]
        self.assertIn("is a device function and calls interaction()", found["text"])

    def test_what_is_not_defined(self):
        result = self.graded(changed("void computeForces(", "void otherForces("))
        self.assertIn("undefined reference to nbody::fp32::tiled::computeForces", result["build"]["diagnosis"]["text"])

    def test_a_grader_that_is_told_to_end_leaves_nothing(self):
        folder = self.write("mine/forces.cu", changed(LAUNCH, "  while (accelerations.size()) {}\n")).parent
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            with tempfile.TemporaryDirectory() as place:
                grader = subprocess.Popen([*script("grader.grade"), "02", folder, "--build", BUILD, "--trust"],
                                          env={**os.environ, "TMPDIR": place}, stdout=subprocess.DEVNULL, text=True,
                                          stderr=subprocess.PIPE)
                while len(list(Path(place).glob("submission-*"))) < 2 and grader.poll() is None:
                    time.sleep(0.1)
                time.sleep(0.3)
                grader.send_signal(number)
                error = grader.communicate()[1]
                self.assertEqual((grader.returncode, error, list(Path(place).iterdir())), (128 + number, "", []))

    def test_what_must_be_handed_in_is_never_taken_from_the_solution(self):
        file = self.folder / "forces.cu"
        file.symlink_to(ROOT / "02_tiled" / "forces.cu")
        self.assertIn("is a link", self.result(self.folder)["build"]["diagnosis"]["text"])
        file.unlink()
        file.write_text("//" + "x" * (2 << 20))
        self.assertIn("1 MiB", self.result(self.folder)["build"]["diagnosis"]["text"])
        # Exercise 6.1's own part is in a header, which its student was given.
        file.write_text((ROOT / "06_tree_walk" / "forces.cu").read_text())
        refused = called("grader.grade", "6.1", self.folder, "--trust")
        self.assertEqual((refused.returncode, refused.stderr.count(": no opening.cuh\n")), (2, 1), refused.stderr)
