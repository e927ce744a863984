"""Tests of `./run export gpumode`: the folder's files, and their Python and CUDA with numpy and the executor in the place of
PyTorch and a GPU.

The first argument is a build folder.
"""

import json
import os
import re
import subprocess
import sys
import unittest
from array import array
from pathlib import Path

from common.base.command_line import ROOT
from common.grader.export import gpumode
from common.grader.tests import BODIES
from common.grader.whole_program import judged
from common.tests.tools.case import InFolder, called
from common.tests.tools.export_test import in_checkout
from common.tools import packages

BUILD = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 and Path(sys.argv[1]).is_dir() else ROOT / "build" / "cpu"
STAND_IN = ROOT / "common" / "tests" / "tools" / "stand_in"
SUBMITTED = """
import json, sys
from reference import check_implementation, generate_input
from submission import custom_kernel
for case in json.loads(sys.argv[1]):
    data = generate_input(**case)
    print(json.dumps(check_implementation(data, custom_kernel(data))))
"""


def setUpModule():
    packages.use_python_with("numpy")
    if not packages.has_module("numpy"):
        raise unittest.SkipTest("python3-numpy missing")


class Exported(InFolder):
    def export(self, task):
        folder = self.folder / gpumode.name_of(task)
        done = called("grader.export.export", "gpumode", task, "--output", folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder

    def python(self, folder, text, *words):
        """What a script prints whose modules are the exported ones: a JSON value for each line."""
        done = subprocess.run([sys.executable, "-B", "-c", text, *words], capture_output=True, text=True, env={
            **os.environ, "PYTHONPATH": f"{folder}:{STAND_IN}", "LADDER_NVCC": str(BUILD / "ladder-nvcc")})
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]


def cases_of(folder, key):
    part = (folder / "task.yml").read_text().split(f"\n{key}:\n")[1].split("\n\n")[0]
    return [json.loads(line[len("  - "):]) for line in part.splitlines()]


@in_checkout
class Folder(Exported):
    def test_its_files_and_cases(self):
        folder = self.export("02")
        self.assertEqual({path.name for path in folder.iterdir()}, set(gpumode.FILES))
        tests = cases_of(folder, "tests")
        self.assertEqual({(case["scene"], case["bodies"]) for case in tests},
                         {(scene, count) for scene in gpumode.SCENES for count in BODIES})
        for case in [*tests, *cases_of(folder, "benchmarks")]:
            for name, value in case.items():  # all that eval.py's pattern takes
                self.assertRegex(f"{name}: {value}", r"^[a-zA-Z]+: ([a-zA-Z]+|[0-9]+)$")
        self.assertEqual(self.python(folder, "import json, scenes; print(json.dumps(list(scenes.SCENES)))"),
                         [list(gpumode.SCENES)])

    @unittest.skipUnless(packages.has_module("yaml") or Path("/usr/lib/python3/dist-packages/yaml").exists(),
                         "python3-yaml missing")
    def test_the_task_as_the_runner_reads_it(self):
        packages.use_python_with("yaml")
        import yaml
        folder = self.export("2.1")
        task = yaml.safe_load((folder / "task.yml").read_text())
        self.assertEqual((task["lang"], task["config"], task["ranking_by"]), ("py", {"main": "eval.py"}, "geom"))
        self.assertEqual(task["tests"], cases_of(folder, "tests"))
        sources = {file["name"]: file["source"] for file in task["files"]}
        self.assertEqual(sources.pop("submission.py"), "@SUBMISSION@")
        self.assertEqual({sources.pop("eval.py"), sources.pop("utils.py")}, {"../eval.py", "../utils.py"})
        for name in [*sources.values(), *task["templates"].values()]:
            compile((folder / name).read_text(), name, "exec")

    def test_no_task_has_the_word_that_is_refused(self):
        for task in ("01", "02", "03", "04", "05", "1.1", "2.1", "2.3", "3.1", "4.1", "4.3"):
            text = (self.export(task) / "submission.py").read_text()
            self.assertNotIn("stream", text.lower())
            self.assertTrue(text.startswith(f"#!POPCORN leaderboard {gpumode.name_of(task)}\n"))
            self.assertIsNone(re.search("@[A-Z]+@", text))

    def test_refusals(self):
        for task, why in (("06", "approximates"), ("5.1", "keeps memory"), ("1.4", "Newton's law"), ("0.1", "forces.cu"),
                          ("3.3", "forces.cu")):
            done = called("grader.export.export", "gpumode", task, cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn(why, done.stderr)
        (self.folder / "nbody_02").mkdir()
        self.assertIn("already exists", called("grader.export.export", "gpumode", "02", cwd=self.folder).stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["nbody_02"])


@in_checkout
class Reference(Exported):
    def setUp(self):
        super().setUp()
        self.exported = self.export("02")

    def test_the_bodies_are_the_suites_own(self):
        for scene, count, seed in (("cube", 513, 7), ("plummer", 257, 7), ("cube", 1, 2**40 + 3)):
            file = self.folder / "bodies.csv"
            subprocess.run([BUILD / "common" / "simd", f"--scene={scene}", f"--bodies={count}", f"--seed={seed}", "--steps=0",
                            "--no-measure", f"--output={file}"], check=True, capture_output=True)
            rows = [list(map(float, row.split(","))) for row in file.read_text().splitlines() if row[0] in "-0123456789"]
            theirs = array("f", (row[k] for row in rows for k in (0, 1, 2, 6)))
            ours, = self.python(self.exported, f"import json; from reference import generate_input\n"
                                f"print(json.dumps(generate_input({count}, '{scene}', {seed})[0].tolist()))")
            self.assertEqual(array("f", (x for row in ours for x in row)), theirs, scene)

    def test_the_tolerance_and_the_forces_are_the_suites_own(self):
        tolerance, forces, bodies = self.python(self.exported, """
import json, reference
data = reference.generate_input(1000, "plummer", 3)
for value in (reference.tolerance(4096, 1), reference.ref_kernel(data).tolist(), data[0].tolist()):
    print(json.dumps(value))""")
        self.assertEqual(tolerance, 16 + 2 * 64 + 64)
        file = self.write("bodies.csv", "".join(f"{x!r},{y!r},{z!r},0,0,0,{m!r}\n" for x, y, z, m in bodies))
        judge = [BUILD / "02_tiled" / "02_tiled_judge", f"--input={file}", "--softening=0.01", "--steps=0", "--no-measure"]
        answer = array("f", (x for row in forces for x in (*row[:3], 0)))
        self.assertEqual(judged(judge, 16000, answer.tobytes()).status, 0)
        answer[400] *= 1.001
        self.assertNotEqual(judged(judge, 16000, answer.tobytes()).status, 0)

    def test_what_is_accepted_and_what_is_not(self):
        verdicts = self.python(self.exported, """
import json, numpy, reference
data = reference.generate_input(1000, "cube", 3)
def answer(change):
    made = numpy.zeros((1000, 4), numpy.float32)
    made[:, :3] = reference.ref_kernel(data)[:, :3]
    change(made)
    print(json.dumps(reference.check_implementation(data, reference.torch.from_numpy(made))))
answer(lambda made: None)
answer(lambda made: made[:, 3].fill(numpy.nan))
answer(lambda made: made.fill(0))
answer(lambda made: made.fill(numpy.nan))
answer(lambda made: made[999].fill(0))
answer(lambda made: made[:, 1].__imul__(numpy.float32(-1)))
answer(lambda made: made[3].__imul__(numpy.float32(1.0001)))
print(json.dumps(reference.check_implementation(data, data[0][:999])))
""")
        self.assertEqual([right for right, _ in verdicts], [True, True] + 6 * [False])
        self.assertIn("1000 of 1000 bodies compared are wrong; body 0", verdicts[2][1])
        self.assertIn("1 of 1000 bodies compared are wrong; body 999: the error is 0.", verdicts[4][1])
        self.assertIn("shape (1000, 4)", verdicts[-1][1])


@in_checkout
class Submission(Exported):
    def verdicts(self, task):
        folder = self.export(task)
        return self.python(folder, SUBMITTED, json.dumps(cases_of(folder, "tests")))

    def test_the_kernel_to_start_from_is_right(self):
        verdicts = self.verdicts("02")
        self.assertEqual(verdicts, [[True, ""]] * len(verdicts))
        self.assertEqual(len(verdicts), len(gpumode.SCENES) * len(BODIES))

    def test_so_are_a_tile_and_a_kernel_that_is_compiled_for_many_parameters(self):
        for task in ("05", "04"):  # 02 and 03 to start from
            self.assertEqual({right for right, _ in self.verdicts(task)}, {True}, task)

    def test_the_starter_of_a_bug_to_be_found_is_wrong(self):
        verdicts = self.verdicts("1.3")
        wrong = [message for right, message in verdicts if not right]
        self.assertGreater(len(wrong), len(verdicts) // 2)
        self.assertIn("1000 of 1000 bodies compared are wrong", wrong[0])
